/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* qr.h -- QR and products of a few columns of a single pair, whose ends of columns need no exact
 * lengths.  Reflectors stand as in qr/qr.h. */
#ifndef GSVD_SMALL_QR_H
#define GSVD_SMALL_QR_H

#include "qr/reflect.h"

enum { SMALL = 4 }; /* the most columns                                      */

/* A(i:i+rows, j:j+cols) of a matrix that is there; the part may be empty. */
GSVD_FN mat_t small_part(mat_t A, int64_t i, int64_t j, int64_t rows,
                         int64_t cols)
{
    return mat_view(A.data + i + j * A.ld, rows, cols, A.ld);
}

/* H_j := the reflector of column j, and the columns behind it := H_j^H them */
GSVD_FN void small_reflect(mat_t A, int64_t j, scalar_t *tau)
{
    const int64_t m = A.rows - j;
    scalar_t *const v = &AT(A, j, j);
    tau[j] = reflector_of(m, v);
    for (int64_t c = j + 1; c < A.cols; ++c)
        reflect_one(m, conj_of(tau[j]), v, &AT(A, j, c));
}

/* A = Q R */
GSVD_FN void small_qr(mat_t A, scalar_t *tau)
{
    for (int64_t j = 0; j < min_i(A.rows, A.cols); ++j)
        small_reflect(A, j, tau);
}

GSVD_FN void small_swap(int64_t n, scalar_t *x, scalar_t *y)
{
    for (int64_t i = 0; i < n; ++i) {
        const scalar_t a = x[i];
        x[i] = y[i];
        y[i] = a;
    }
}

/* The longest column from the j-th on, below row j, by squares of lengths; *most: its own.  Where small
 * rows are left whose squares are none, by lengths: without pivots errors of a row would not be its
 * own. */
GSVD_FN int64_t small_longest(mat_t A, int64_t j, real_t *most)
{
    int64_t best = j;
    real_t length = -1;

    *most = -1;
    for (int64_t c = j; c < A.cols; ++c) {
        const real_t square = square_of(A.rows - j, &AT(A, j, c));
        best = square > *most ? c : best;
        *most = square > *most ? square : *most;
    }
    if (*most > GSVD_SAFMIN / GSVD_ULP)
        return best;
    for (int64_t c = j; c < A.cols; ++c) {
        const real_t x = norm_of(A.rows - j, &AT(A, j, c));
        best = x > length ? c : best;
        length = fmax_r(length, x);
    }
    return best;
}

/* A P = Q R, the longest column first.  Stops where none is
 * seen to be longer than tol, tol < 0: nowhere.  Returns how many columns were
 * done. */
GSVD_FN int64_t small_pivoted_qr(mat_t A, real_t tol, int *perm, scalar_t *tau)
{
    for (int64_t j = 0; j < A.cols; ++j)
        perm[j] = (int)j;
    for (int64_t j = 0; j < min_i(A.rows, A.cols); ++j) {
        real_t most;
        const int64_t best = small_longest(A, j, &most);
        if (tol >= 0 && !(most > GSVD_SAFMIN / GSVD_ULP &&
                          most <= GSVD_REAL_MAX && sqrt_r(most) > tol))
            return j;
        if (best > j) {
            const int column = perm[j];
            perm[j] = perm[best];
            perm[best] = column;
            small_swap(A.rows, &AT(A, 0, j), &AT(A, 0, best));
        }
        small_reflect(A, j, tau);
    }
    return min_i(A.rows, A.cols);
}

/* A := A Q, row by row, for a Q of so many columns */
GSVD_FN void small_rows_times(mat_t A, mat_t Q, int64_t order)
{
    for (int64_t i = 0; i < A.rows; ++i) {
        scalar_t row[SMALL];
        for (int64_t k = 0; k < order; ++k)
            row[k] = AT(A, i, k);
        for (int64_t j = 0; j < order; ++j) {
            scalar_t sum = make(0, 0);
            for (int64_t k = 0; k < order; ++k)
                sum = add(sum, mul(row[k], AT(Q, k, j)));
            AT(A, i, j) = sum;
        }
    }
}

/* A := A Q; where there are 2 columns, which pairs of order 2 have, the compiler knows
 * it. */
GSVD_FN void small_times(mat_t A, mat_t Q)
{
    if (Q.cols == 2)
        small_rows_times(A, Q, 2);
    else
        small_rows_times(A, Q, Q.cols);
}

#endif /* GSVD_SMALL_QR_H */
