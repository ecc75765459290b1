/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* wide.h -- one-sided Jacobi in extended precision, for references. */
#ifndef GSVD_TESTS_HARNESS_WIDE_H
#define GSVD_TESTS_HARNESS_WIDE_H

#include <complex.h>

#include "harness/harness.h"

typedef long double wide_t;
typedef long double complex wide_complex_t;

static inline wide_complex_t widen(scalar_t a)
{
    return GSVD_COMPLEX ? (wide_t)re(a) + (wide_t)im(a) * I : (wide_t)re(a);
}

/* A's entries, column by column */
wide_complex_t *widened(mat_t A);
/* For qsort */
int wide_descending(const void *a, const void *b);

/* |x|^2 */
static inline wide_t wide_square(wide_complex_t x)
{
    return creall(x) * creall(x) + cimagl(x) * cimagl(x);
}

/* x y of finite numbers: C's product looks for infinities, which takes most of the time. */
static inline wide_complex_t wide_times(wide_complex_t x, wide_complex_t y)
{
    const wide_t a = creall(x), b = cimagl(x), c = creall(y), d = cimagl(y);
    return GSVD_COMPLEX ? a * c - b * d + (a * d + b * c) * I : a * c;
}

/* x^H y, and |x|, of m entries.  Where scalars are real, imaginary parts are taken for 0. */
wide_complex_t wide_inner(int64_t m, const wide_complex_t *x,
                          const wide_complex_t *y);
wide_t wide_length(int64_t m, const wide_complex_t *x);

/* Makes the n columns of G, of m entries each, orthogonal, by unitary transformations or, if there
 * are signs, by those that leave these.  0: it did not come to an end. */
int wide_jacobi(int64_t m, int64_t n, wide_complex_t *G, const int64_t *sign);
/* The singular values of A, descending, by that alone */
wide_t *wide_values_by_jacobi(mat_t A);

/* max_j |(X - W diag(d) T Q^H) e_j| / |X e_j| in extended precision: X is A or B, W is U or V,
 * T the last columns' triangle, of `rank` rows, or Q holds X^H's (T.data == NULL).  The rows
 * that matter begin with row `first`, and so does d.  length: in place of |X e_j|, or NULL. */
double column_error(mat_t X_, mat_t W_, const real_t *d, int64_t first,
                    int64_t rank, mat_t T, mat_t Q, const wide_t *length);
/* max_i |X(i,:) - W(i,:) T Q^H| / |X(i,:)|, largest entries, of as many columns of W as T has rows;
 * a zero row that is not met exactly is infinitely wrong. */
double row_error(mat_t X_, mat_t W_, mat_t T, mat_t Q);
/* max_j |diag(d) |T| |Q^H| e_j| / length[j], of the same: by so many roundings of T and of Q may
 * column j of their product err, whoever computed them. */
double column_growth(const real_t *d, int64_t first, int64_t rank, mat_t T,
                     mat_t Q, const wide_t *length);
/* sigma[0:l) := the generalized values alpha / beta, descending, that a pair with A = A1 X1^H +
 * A2 X2^H and B = B2 X2^H has beside the infinite ones of A1, which has full column rank; B2,
 * of l columns, too, and (X1 X2).  Rows of any size. */
void wide_values(mat_t A1, mat_t A2, mat_t B2, wide_t *sigma);
/* sigma[0:min(m,n)) := the singular values of A, descending, of D1 A D2 as accurate as A is well
 * conditioned: rows by size, pivoted QR, Jacobi on R^H */
void wide_singular_values(mat_t A, wide_t *sigma);
/* |A e_j| */
wide_t length_of_column(mat_t A, int64_t j);

/* The largest entry of |X^H X - I| in eps; may_drift: up to which it may be for so many rows */
double largest_defect(mat_t X_);
double may_drift(int64_t rows);

#endif /* GSVD_TESTS_HARNESS_WIDE_H */
