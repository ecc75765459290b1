/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* few.h -- QR of a few columns on the host, where a call takes longer than its
 * work. */
#ifndef GSVD_QR_FEW_H
#define GSVD_QR_FEW_H

#include "core/exec.h"
#include "qr/reflect.h"

enum { FEW = 4 };

/* whether so few columns take a way of their own: not on a device, nor where
 * panels are to be TSQR's */
static inline int are_few(const exec_t *ex, int64_t columns)
{
    return columns <= FEW && !ex->h->space->on_device &&
           ex->policy.panel == GSVD_PANEL_AUTO;
}

/* a part of a matrix that is there; it may be empty */
static inline mat_t few_part(mat_t A, int64_t i, int64_t j, int64_t rows,
                             int64_t cols)
{
    return mat_view(A.data + i + j * A.ld, rows, cols, A.ld);
}

/* H_j := the reflector of column j, and the columns behind it := H_j^H them */
static inline void few_step(mat_t A, int64_t j, scalar_t *tau)
{
    const int64_t m = A.rows - j;
    const scalar_t *const v = &AT(A, j, j);
    tau[j] = X(reflector)(m, &AT(A, j, j));
    for (int64_t c = j + 1; c < A.cols; ++c)
        reflect_few(m, conj_of(tau[j]), v, &AT(A, j, c));
}

static inline void few_qr(mat_t A, scalar_t *tau)
{
    for (int64_t j = 0; j < min_i(A.rows, A.cols); ++j)
        few_step(A, j, tau);
}

/* A := the leading columns of H_0 ... H_(k-1) */
static inline void few_form(mat_t A, int64_t k, const scalar_t *tau)
{
    for (int64_t j = A.cols - 1; j >= 0; --j) {
        const scalar_t t = j < k ? tau[j] : make(0, 0);
        scalar_t *const v = &AT(A, j, j);
        for (int64_t c = j + 1; j < k && c < A.cols; ++c)
            reflect_few(A.rows - j, t, v, &AT(A, j, c));
        v[0] = make(1 - re(t), -im(t));
        for (int64_t i = 1; i < A.rows - j; ++i)
            v[i] = j < k ? mul(make(-re(t), -im(t)), v[i]) : make(0, 0);
        for (int64_t i = 0; i < j; ++i)
            AT(A, i, j) = make(0, 0);
    }
}

/* A P = Q R, reflectors below R: the longest column first, by squares.  Stops
 * where none is seen to be longer than tol; tol < 0: does not.  Answers how many
 * columns were done. */
static inline int64_t few_pivoted_qr(mat_t A, real_t tol, int *perm,
                                     scalar_t *tau)
{
    for (int64_t j = 0; j < A.cols; ++j)
        perm[j] = (int)j;
    for (int64_t j = 0; j < A.cols; ++j) {
        int64_t best = j;
        real_t most = -1;
        for (int64_t c = j; c < A.cols; ++c) {
            const real_t square = square_of(A.rows - j, &AT(A, j, c));
            best = square > most ? c : best;
            most = square > most ? square : most;
        }
        if (tol >= 0 && !(most > GSVD_SAFMIN / GSVD_ULP &&
                          most <= GSVD_REAL_MAX && sqrt_r(most) > tol))
            return j;
        for (int64_t i = 0; i < A.rows && best > j; ++i) {
            const scalar_t a = AT(A, i, j);
            AT(A, i, j) = AT(A, i, best);
            AT(A, i, best) = a;
        }
        const int number = perm[j];
        perm[j] = perm[best];
        perm[best] = number;
        few_step(A, j, tau);
    }
    return A.cols;
}

/* A := A Q for a square Q of at most FEW columns, in place */
static inline void few_times(mat_t A, mat_t Q)
{
    for (int64_t i = 0; i < A.rows; ++i) {
        scalar_t row[FEW];
        for (int64_t k = 0; k < Q.rows; ++k)
            row[k] = AT(A, i, k);
        for (int64_t j = 0; j < Q.cols; ++j) {
            scalar_t sum = make(0, 0);
            for (int64_t k = 0; k < Q.rows; ++k)
                sum = add(sum, mul(row[k], AT(Q, k, j)));
            AT(A, i, j) = sum;
        }
    }
}

#endif /* GSVD_QR_FEW_H */
