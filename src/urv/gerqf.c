/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* gerqf.c -- RQ factorization A = (0 R) Q^H from a QR factorization.
 *
 * A = (A1 A2), where A1 has r columns, as many as A has rows.  P reverses an order, and P'
 * reverses the columns of A1 and those of A2 separately.  E = P' A^H P has a QR factorization E =
 * Qe (Re; 0).  Then Q = P' Qe P and R = P Re^H P, which is upper triangular again.
 *
 * Pivoted QR leaves a triangle as A1, and no row of A2 is longer than the diagonal entry beside
 * it.  So E is a triangle with A2 below it.  Reflector j is (1; 0; v), and v is the smaller, the
 * shorter the row of A2 is: column i of A2 is mixed with columns of A1 in proportion.  If A2 were
 * on top, the largest entries of a reflector would be those of the shortest columns, and each of
 * these columns would get rounding errors of the longest ones, even if A2 = 0.
 */
#include "urv/urv.h"

#include "pivot/pivot.h"
#include "qr/qr.h"

gsvd_status_t X(rq_factor)(const exec_t *ex, mat_t A, mat_t E, scalar_t *tau)
{
    const int64_t r = A.rows, n = A.cols;
    GSVD_TRY(
        ex->op->conj_antitranspose(ex, mat_cols(A, 0, r), mat_rows(E, 0, r)));
    GSVD_TRY(ex->op->conj_antitranspose(ex, mat_cols(A, r, n - r),
                                        mat_rows(E, r, n - r)));
    return X(geqrf)(ex, E, tau);
}

gsvd_status_t X(rq_triangle)(const exec_t *ex, mat_t E, mat_t R)
{
    GSVD_TRY(ex->op->conj_antitranspose(ex, mat_rows(E, 0, E.cols), R));
    return ex->op->zero_lower(ex, R);
}

/* C := P' C (side 'L') or C P' ('R'), of r columns of A1 */
static gsvd_status_t reverse_each(const exec_t *ex, char side, int64_t r,
                                  mat_t C, mat_t work)
{
    const int left = side == 'L';
    const int64_t rest = (left ? C.rows : C.cols) - r;
    const mat_t first = left ? mat_rows(C, 0, r) : mat_cols(C, 0, r);
    const mat_t last = left ? mat_rows(C, r, rest) : mat_cols(C, r, rest);

    GSVD_TRY(X(rearrange)(ex, side, NULL, first, work));
    return rest > 0 ? X(rearrange)(ex, side, NULL, last, work) : GSVD_SUCCESS;
}

gsvd_status_t X(rq_apply)(const exec_t *ex, char side, mat_t E,
                          const scalar_t *tau, mat_t C, mat_t work)
{
    const int64_t r = E.cols;

    if (mat_empty(C))
        return GSVD_SUCCESS;
    if (side == 'R')
        GSVD_TRY(reverse_each(ex, side, r, C, work));
    else
        GSVD_TRY(X(rearrange)(ex, side, NULL, C, work));
    GSVD_TRY(X(unmqr)(ex, side, 'N', E, r, tau, C));
    return side == 'R' ? X(rearrange)(ex, side, NULL, C, work)
                       : reverse_each(ex, side, r, C, work);
}
