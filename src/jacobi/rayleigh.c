/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* rayleigh.c -- how well a Hermitian matrix determines its eigenvalues, and their errors by Rayleigh
 * quotients in twice the precision; CPU twin of rayleigh.cu. */
#include <string.h>

#include "core/clones.h"
#include "jacobi/jacobi.h"
#include "jacobi/rayleigh.h"

enum { ROWS = 64, REALS = ROWS * REALS_PER_SCALAR };

gsvd_status_t X(scaled_conditions_cpu)(const exec_t *ex, mat_t Q,
                                       const real_t *w, real_t *diagonal,
                                       real_t *condition)
{
    (void)ex;
    for (int64_t i = 0; i < Q.rows; ++i)
        diagonal[i] = 0;
    for (int64_t j = 0; j < Q.cols; ++j)
        for (int64_t i = 0; i < Q.rows; ++i)
            diagonal[i] += fabs_r(w[j]) * abs2(AT(Q, i, j));
    for (int64_t j = 0; j < Q.cols; ++j) {
        real_t sum = 0;
        for (int64_t i = 0; i < Q.rows; ++i)
            sum += diagonal[i] * abs2(AT(Q, i, j));
        condition[j] = w[j] != 0 ? sum / fabs_r(w[j]) : 0;
    }
    return GSVD_SUCCESS;
}

/* Sums of a real number each.  Apart, so that they are vectors. */
typedef struct sums {
#if GSVD_SINGLE
    double at[REALS];
#else
    double hi[REALS], lo[REALS];
#endif
} sums_t;

/* s += a x */
PART void add_multiple(int count, real_t a, const real_t *x, sums_t *s)
{
#if GSVD_SINGLE
    for (int i = 0; i < count; ++i)
        s->at[i] = twice_add_product(s->at[i], a, x[i]);
#else
    for (int i = 0; i < count; ++i) {
        const twice_t t =
            twice_add_product((twice_t){s->hi[i], s->lo[i]}, a, x[i]);
        s->hi[i] = t.hi;
        s->lo[i] = t.lo;
    }
#endif
}

/* s += a x of `rows` scalars */
PART void add_column(int rows, scalar_t a, const scalar_t *x, sums_t *s)
{
    real_t turned[2 * ROWS]; /* i x, of complex numbers                       */

    add_multiple(rows * REALS_PER_SCALAR, re(a), (const real_t *)x, s);
    if (REALS_PER_SCALAR == 1)
        return;
    for (int i = 0; i < rows; ++i) {
        turned[2 * i] = -im(x[i]);
        turned[2 * i + 1] = re(x[i]);
    }
    add_multiple(2 * rows, im(a), turned, s);
}

PART real_t rounded(const sums_t *s, int i)
{
#if GSVD_SINGLE
    return twice_round(s->at[i]);
#else
    return twice_round((twice_t){s->hi[i], s->lo[i]});
#endif
}

/* Rows first to first + rows - 1 of r := H q - w q */
CLONES static void residual_of_rows(mat_t H, const scalar_t *q, real_t w,
                                    int64_t first, int rows, scalar_t *r)
{
    sums_t s;

    memset(&s, 0, sizeof s);
    for (int64_t l = 0; l < H.cols; ++l)
        add_column(rows, q[l], &AT(H, first, l), &s);
    add_column(rows, make(-w, 0), q + first, &s);
    for (int i = 0; i < rows; ++i)
        r[first + i] = make(rounded(&s, i * REALS_PER_SCALAR),
                            rounded(&s, (i + 1) * REALS_PER_SCALAR - 1));
}

gsvd_status_t X(exact_residual_cpu)(const exec_t *ex, mat_t H, mat_t Q,
                                    const real_t *w, mat_t R)
{
    (void)ex;
    for (int64_t first = 0; first < H.rows; first += ROWS) {
        const int rows = (int)min_i(ROWS, H.rows - first);
        for (int64_t j = 0; j < Q.cols; ++j)
            residual_of_rows(H, &AT(Q, 0, j), w[j], first, rows, &AT(R, 0, j));
    }
    return GSVD_SUCCESS;
}

gsvd_status_t X(residual_shifts_cpu)(const exec_t *ex, mat_t Q, mat_t R,
                                     const real_t *diagonal, real_t *shift,
                                     real_t *second)
{
    (void)ex;
    for (int64_t j = 0; j < Q.cols; ++j) {
        real_t along = 0, square = 0;
        for (int64_t i = 0; i < Q.rows; ++i) {
            const scalar_t q = AT(Q, i, j), r = AT(R, i, j);
            along += re(q) * re(r) + im(q) * im(r);
            square += abs2(q);
        }
        shift[j] = along / square;
        second[j] = 0;
        for (int64_t i = 0; i < Q.rows; ++i)
            second[j] +=
                second_part(AT(Q, i, j), AT(R, i, j), shift[j], diagonal[i]);
    }
    return GSVD_SUCCESS;
}
