/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* run_eigh.c -- eigenvalues and eigenvectors of a Hermitian matrix, A = Q W Q^H
 * (Dopico, Molera and Moro 2003).
 *
 *     1  H := 2^-e times the matrix of A's triangle
 *     2  H = U S V^H                  run_svd.c: small values as accurate as they can be
 *     3  w_j := J_j s_j, J_j the sign of t_j = Re u_j^H v_j;  V := (V + U J) / 2
 *     4  V := its columns unitary to rounding (make_unitary.c), if no |t_j| is small
 *     5  |H V - V W| is to be rounding of |H|, and V unitary
 *     6  Q := V, w := 2^e w, ascending
 *
 * u_j = J_j v_j where s_j is no other eigenvalue's absolute value.  Of a pair s, -s, or of several
 * zeros, any basis of their space will do for U and V, and t_j may be anything.  Where 4 or 5 finds
 * that, or anything else, the eigenvectors come from tridiagonal form (jacobi/eigen.c), which are
 * tested by 5, too: then values are accurate to rounding of |H|.
 */
#include <math.h>

#include "core/notes.h"
#include "gsvd/pipeline.h"

/* The most 1 - |t_j| with which V is unitary to rounding; and with which 4 makes it so, of columns
 * so many that make_unitary looks at them */
#define LITTLE_LEAN(n) (8 * sqrt_r((real_t)(n)) * GSVD_EPS)
#define MOST_LEAN ((real_t)0.25)

/* The most entry of H V - V W, over the largest |w_j| */
#define RESIDUAL_MOST(n) (10 * sqrt_r((real_t)((n) + 16)) * GSVD_EPS)

typedef struct eigh_work {
    mat_t H, U, V, T; /* n x n; T is A's memory, and U Q's where Q is wanted */
    real_t *sigma, *w, *lean, *zero; /* n each                               */
    int *order;
} eigh_work_t;

static void take(arena_t *a, const args_t *args, eigh_work_t *w)
{
    const int64_t n = args->n;
    w->H = X(take_matrix)(a, n, n);
    w->V = X(take_matrix)(a, n, n);
    w->T = operand_of(args, OPERAND_A, n, n);
    w->U = wants(args, 0) ? operand_of(args, OPERAND_Q, n, n)
                          : X(take_matrix)(a, n, n);
    w->sigma = gsvd_arena_take(a, n, sizeof(real_t));
    w->w = gsvd_arena_take(a, n + 1, sizeof(real_t));
    w->lean = gsvd_arena_take(a, n, sizeof(real_t));
    w->zero = gsvd_arena_take(a, n, sizeof(real_t));
    w->order = gsvd_arena_take(a, n, sizeof(int));
}

/* The call of svd in 2 */
static args_t svd_of(const eigh_work_t *w)
{
    const int64_t n = w->H.cols;
    return (args_t){.job = {'S', 'S'},
                    .m = n,
                    .n = n,
                    .array = {[OPERAND_A] = w->T.data,
                              [OPERAND_U] = w->U.data,
                              [OPERAND_V] = w->V.data,
                              [OPERAND_ALPHA] = w->sigma},
                    .ld = {[OPERAND_A] = w->T.ld,
                           [OPERAND_U] = w->U.ld,
                           [OPERAND_V] = w->V.ld}};
}

static size_t polish_bytes(int64_t n)
{
    const factor_t F = {mat_view(NULL, n, n, max_i(n, 1)), n, 0};
    arena_t count = {0};
    unitary_work_t of;
    X(unitary_carve)(&count, n, &F, 1, &of);
    return gsvd_arena_bytes(&count);
}

static gsvd_status_t measure_eigh(const exec_t *ex, const args_t *a,
                                  need_t *need)
{
    const int64_t n = a->n;
    size_t most = 0, staging = 0;
    arena_t count = {0};
    eigh_work_t w;

    take(&count, a, &w);
    const args_t svd = svd_of(&w);
    gsvd_note_begin(ex->h, "SVD, %lld x %lld", (long long)n, (long long)n);
    GSVD_TRY(X(svd_program).measure(ex, &svd, need));
    most = gsvd_note_end(ex->h, need->work, 0, 1);
    GSVD_STEP(ex, &most, "Q unitary to rounding", n, n, polish_bytes(n), 0);
    GSVD_STEP(ex, &most, "by tridiagonal form, if values are +s and -s", n, n,
              X(eigen_work_bytes)(ex, n) +
                  ex->op->kernel_bytes(ex, KERNELS_EIGENVECTORS, n, n, 0),
              0);
    GSVD_TRY(ex->op->eigenvectors_staging(ex, n, &staging));
    const size_t values = (size_t)n * sizeof(real_t);
    need->staging = max_size(need->staging, max_size(staging, values));
    need->work = gsvd_arena_bytes(&count) + most;
    need->full |= count.full;
    return GSVD_SUCCESS;
}

/* 4: *done = 0 where V leans too far. */
static gsvd_status_t polish(const exec_t *ex, mat_t V, int *done)
{
    const factor_t F = {V, V.cols, 0};
    outcome_t out = {0};
    exec_t in = *ex;
    unitary_work_t w;

    X(unitary_carve)(&in.work, V.cols, &F, 1, &w);
    GSVD_TRY(X(work_suffices)(&in));
    GSVD_TRY(X(make_unitary)(&in, &F, 1, &w, &out));
    *done = !out.unfinished;
    return GSVD_SUCCESS;
}

/* *most := the largest |x[i]|, infinite if one is a NaN.  Waits. */
static gsvd_status_t largest(const exec_t *ex, int64_t n, const real_t *x,
                             real_t *most)
{
    real_t *const host = ex->staging.data;

    GSVD_TRY(ex->op->values_read(ex, n, x, host));
    *most = 0;
    for (int64_t i = 0; i < n; ++i)
        *most = !(fabs_r(host[i]) <= GSVD_REAL_MAX)
                    ? (real_t)INFINITY
                    : fmax_r(*most, fabs_r(host[i]));
    return GSVD_SUCCESS;
}

/* w, and one number more where that makes them complex ones */
static mat_t values_as_matrix(const eigh_work_t *w)
{
    const int64_t rows = (w->H.cols + REALS_PER_SCALAR - 1) / REALS_PER_SCALAR;
    return mat_view((scalar_t *)w->w, rows, 1, max_i(rows, 1));
}

/* 5: is |H V - V W| rounding of |H|, and is a V of so few columns that 4 has not looked at them
 * unitary?  Waits. */
static gsvd_status_t test(const exec_t *ex, const eigh_work_t *w, int *good)
{
    const int64_t n = w->H.cols;
    norms_t rest;
    real_t most;

    if (n < UNITARY_LEAST) {
        GSVD_TRY(ex->op->set(ex, w->T, 0, 1));
        GSVD_TRY(ex->op->gemm_sub(ex, 'C', 'N', w->V, w->V, w->T));
        GSVD_TRY(ex->op->norms(ex, w->T, &rest));
        *good = rest.finite && rest.largest <= defect_allowed(n);
        if (!*good)
            return GSVD_SUCCESS;
    }
    GSVD_TRY(largest(ex, n, w->w, &most));
    GSVD_TRY(ex->op->scale_columns(ex, w->V, w->w, w->T));
    GSVD_TRY(ex->op->gemm_sub(ex, 'N', 'N', w->H, w->V, w->T));
    GSVD_TRY(ex->op->norms(ex, w->T, &rest));
    *good = rest.finite && rest.largest <= RESIDUAL_MOST(n) * most;
    return GSVD_SUCCESS;
}

/* 4 and 5 */
static gsvd_status_t polish_and_test(const exec_t *ex, const eigh_work_t *w,
                                     int *good)
{
    GSVD_TRY(polish(ex, w->V, good));
    return *good ? test(ex, w, good) : GSVD_SUCCESS;
}

/* 2 to 5: *good = 0 where values pair off. */
static gsvd_status_t by_svd(const exec_t *ex, const eigh_work_t *w,
                            outcome_t *out, int *good)
{
    const args_t svd = svd_of(w);
    const int64_t n = w->H.cols;
    real_t lean;

    GSVD_TRY(ex->op->copy(ex, w->H, w->T));
    GSVD_TRY(X(svd_program).run(ex, &svd, out)); /* 2 */
    GSVD_TRY(ex->op->signed_mean(ex, w->U, w->V, w->sigma, w->w, w->lean));
    GSVD_TRY(largest(ex, n, w->lean, &lean));
    *good = lean <= (n < UNITARY_LEAST ? LITTLE_LEAN(n) : MOST_LEAN) &&
            !out->unfinished;
    return *good ? polish_and_test(ex, w, good) : GSVD_SUCCESS;
}

/* Vectors that are not unitary become so by QR.  cuSOLVER 12.0's Xsyevd in single precision has
 * vectors of zeros that are off by 2e-2, for a matrix of order 20 whose entries are all equal. */
static gsvd_status_t by_tridiagonal_form(const exec_t *ex, const eigh_work_t *w,
                                         int *good)
{
    int sure = 1;

    GSVD_TRY(ex->op->copy(ex, w->H, w->V));
    GSVD_TRY(X(eigen)(ex, w->V, w->w, &sure));
    GSVD_TRY(polish_and_test(ex, w, good));
    if (*good)
        return GSVD_SUCCESS;
    GSVD_TRY(ex->op->copy(ex, w->V, w->T));
    GSVD_TRY(X(orthonormalize)(ex, w->T, w->V, w->U.data));
    return polish_and_test(ex, w, good);
}

static gsvd_status_t run_eigh(const exec_t *ex, const args_t *a, outcome_t *out)
{
    const int64_t n = a->n;
    const mat_t A = operand_of(a, OPERAND_A, n, n);
    real_t *const values = a->array[OPERAND_ALPHA];
    exec_t in = *ex;
    eigh_work_t w;
    int e, good = 0;

    take(&in.work, a, &w);
    GSVD_TRY(X(work_suffices)(&in));
    GSVD_TRY(in.op->copy(&in, A, w.H));
    GSVD_TRY(in.op->hermitian(&in, a->job[1], w.H)); /* 1 */
    GSVD_TRY(X(scale_matrix)(&in, w.H, &e, NULL, out));
    GSVD_TRY(by_svd(&in, &w, out, &good));
    if (!good && !out->stopped) {
        GSVD_TRY(by_tridiagonal_form(&in, &w, &good));
        out->unfinished = out->lost = 0;
    }
    out->unfinished |= !good;
    GSVD_TRY(in.op->scale_pow2(&in, values_as_matrix(&w), e)); /* 6 */
    GSVD_TRY(in.op->values_set(&in, 0, n, 0, w.zero));
    GSVD_TRY(in.op->values_order(&in, n, w.zero, w.w, w.order));
    GSVD_TRY(in.op->values_permute(&in, n, w.w, w.order, values));
    if (wants(a, 0))
        GSVD_TRY(in.op->permute_columns(&in, w.V, w.order, w.U));
    if (n > 0) {
        GSVD_TRY(X(test_overflow_of_value)(&in, &values[0], n, n, e, out));
        GSVD_TRY(X(test_overflow_of_value)(&in, &values[n - 1], n, n, e, out));
    }
    return GSVD_SUCCESS;
}

const program_t X(eigh_program) = {measure_eigh, run_eigh, NULL};
