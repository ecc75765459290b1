/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* refine_values.c -- eigenvalues that a Hermitian matrix determines better than a factorization finds them.
 *
 *     1  d_i := (Q |W| Q^H)_ii;  c_k := q_k^H diag(d) q_k / |w_k|.  With H = D C D, d = D^2, c_k is a condition number
 *        of C: an SVD, whose errors are rounding of such a C, errs by about eps c_k |w_k|
 *     2  where c_k is above a limit: r := H q_k - w_k q_k in twice the precision, x := q_k^H r / q_k^H q_k, and
 *        y := |D^-1 (r - x q_k)|^2, which is what a Rayleigh quotient errs by at most, but for C's condition
 *     3  w_k := w_k + x, the Rayleigh quotient, if y, of which it errs by a part, and rounding are below 2 n ulp
 *        of |w_k|, or far below |x|
 *     4  sorts the values again, and Q's columns with them
 *
 * A grid leaves the values as they are.
 */
#include "core/twice.h"
#include "gsvd/eigh.h"

/* Where products of twice the precision lose nothing */
#define LEAST (GSVD_SAFMIN / (GSVD_EPS * GSVD_EPS))

static int is_doubtful(real_t value, real_t condition, real_t most)
{
    return condition > most && condition * TWICE_EPS < GSVD_EPS &&
           fabs_r(value) > LEAST;
}

static int is_better(int64_t n, real_t value, real_t condition, real_t shift,
                     real_t second)
{
    const real_t size = fabs_r(value), change = fabs_r(shift);
    const real_t error = second + (real_t)n * TWICE_EPS * condition * size;
    return change <= size / 2 &&
           error <= fmax_r(2 * (real_t)n * GSVD_ULP * size, change / 4);
}

/* 1: reads values and conditions to the staging memory.  *some: one is in doubt.  Waits. */
static gsvd_status_t find_doubtful(const exec_t *ex, const eigh_work_t *w,
                                   real_t most, int *some)
{
    const int64_t n = w->H.cols;
    real_t *const value = ex->staging.data, *const condition = value + n;

    GSVD_TRY(
        ex->op->scaled_conditions(ex, w->U, w->sorted, w->d, w->sorted + n));
    GSVD_TRY(ex->op->values_read(ex, 2 * n, w->sorted, value));
    *some = 0;
    for (int64_t k = 0; k < n; ++k)
        *some |= is_doubtful(value[k], condition[k], most);
    return GSVD_SUCCESS;
}

/* 2: sigma[k] := x, sigma[n + k] := y of the doubtful values, most of which are small, next to each other */
static gsvd_status_t find_shifts(const exec_t *ex, const eigh_work_t *w,
                                 real_t most)
{
    const int64_t n = w->H.cols;
    const real_t *const value = ex->staging.data, *const condition = value + n;

    for (int64_t k = 0, next; k < n; k = next + 1) {
        next = k;
        while (next < n && is_doubtful(value[next], condition[next], most))
            ++next;
        const mat_t Q = mat_cols(w->U, k, next - k);
        const mat_t R = mat_cols(w->T, k, next - k);
        if (next == k)
            continue;
        GSVD_TRY(ex->op->exact_residual(ex, w->H, Q, w->sorted + k, R));
        GSVD_TRY(ex->op->residual_shifts(ex, Q, R, w->d, w->sigma + k,
                                         w->sigma + n + k));
    }
    return GSVD_SUCCESS;
}

/* 3: of the values, which are in the staging memory; *ascend: they do, still.  Waits. */
static gsvd_status_t shift_values(const exec_t *ex, const eigh_work_t *w,
                                  real_t most, int *ascend)
{
    const int64_t n = w->H.cols;
    real_t *const value = ex->staging.data, *const condition = value + n;
    real_t *const shift = value + 2 * n, *const second = value + 3 * n;

    GSVD_TRY(ex->op->values_read(ex, 2 * n, w->sigma, shift));
    *ascend = 1;
    for (int64_t k = 0; k < n; ++k) {
        if (is_doubtful(value[k], condition[k], most) &&
            is_better(n, value[k], condition[k], shift[k], second[k]))
            value[k] += shift[k];
        *ascend &= k == 0 || value[k - 1] <= value[k];
    }
    return GSVD_SUCCESS;
}

/* 4 */
static gsvd_status_t sort_again(const exec_t *ex, const eigh_work_t *w)
{
    const int64_t n = w->H.cols;

    GSVD_TRY(ex->op->values_set(ex, 0, n, 0, w->zero));
    GSVD_TRY(ex->op->values_order(ex, n, w->zero, w->w, w->order));
    GSVD_TRY(ex->op->permute_columns(ex, w->U, w->order, w->V));
    return ex->op->copy(ex, w->V, w->U);
}

gsvd_status_t X(refine_values)(const exec_t *ex, const eigh_work_t *w,
                               real_t most)
{
    const int64_t n = w->H.cols;
    int some, ascend;

    if (!ex->op->exact_residual)
        return GSVD_SUCCESS;
    GSVD_TRY(find_doubtful(ex, w, most, &some));
    if (!some)
        return GSVD_SUCCESS;
    GSVD_TRY(find_shifts(ex, w, most));
    GSVD_TRY(shift_values(ex, w, most, &ascend));
    GSVD_TRY(ex->op->values_write(ex, n, ex->staging.data, w->w));
    return ascend ? ex->op->identity(ex, n, w->order) : sort_again(ex, w);
}

size_t X(refine_values_staging)(int64_t n)
{
    return 4 * (size_t)n * sizeof(real_t);
}
