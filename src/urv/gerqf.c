/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* gerqf.c -- RQ factorization A = (0 R) Q^H from a QR factorization.
 *
 * With P the reversal of an order, E = P A^H P has a QR factorization
 * E = Qe (Re; 0); then Q = P Qe P and R = P Re^H P, upper triangular again.
 */
#include "urv/urv.h"

#include "qr/qr.h"

/* A matrix is rearranged in pieces of so many entries, or of a sixteenth of it. */
enum { PIECE = 1 << 20 };

gsvd_status_t X(rq_factor)(const exec_t *ex, mat_t A, mat_t E, scalar_t *tau)
{
    GSVD_TRY(ex->op->conj_antitranspose(ex, A, E));
    return X(geqrf)(ex, E, tau);
}

gsvd_status_t X(rq_triangle)(const exec_t *ex, mat_t E, mat_t R)
{
    GSVD_TRY(ex->op->conj_antitranspose(ex, mat_rows(E, 0, E.cols), R));
    return ex->op->zero_lower(ex, R);
}

int64_t X(rearrange_entries)(int64_t rows, int64_t cols)
{
    const int64_t all = rows * cols;
    return max_i(max_i(rows, cols), min_i(all, max_i(all / 16, PIECE)));
}

gsvd_status_t X(rearrange)(const exec_t *ex, char side, const int *perm,
                           mat_t C, mat_t work)
{
    const int left = side == 'L';
    const int64_t all = left ? C.cols : C.rows;
    const int64_t most = max_i(work.rows / max_i(left ? C.rows : C.cols, 1), 1);

    for (int64_t j = 0; j < all; j += most) {
        const int64_t some = min_i(most, all - j);
        const mat_t Cj = left ? mat_cols(C, j, some) : mat_rows(C, j, some);
        const mat_t T =
            mat_view(work.data, Cj.rows, Cj.cols, max_i(Cj.rows, 1));
        GSVD_TRY(ex->op->copy(ex, Cj, T));
        GSVD_TRY((left ? ex->op->permute_rows
                       : ex->op->permute_columns)(ex, T, perm, Cj));
    }
    return GSVD_SUCCESS;
}

gsvd_status_t X(rq_apply)(const exec_t *ex, char side, mat_t E,
                          const scalar_t *tau, mat_t C, mat_t work)
{
    if (mat_empty(C))
        return GSVD_SUCCESS;
    GSVD_TRY(X(rearrange)(ex, side, NULL, C, work));
    GSVD_TRY(X(unmqr)(ex, side, 'N', E, E.cols, tau, C));
    return X(rearrange)(ex, side, NULL, C, work);
}
