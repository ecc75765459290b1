/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* gerqf.c -- RQ factorization A = (0 R) Q^H from a QR factorization.
 *
 * With P the reversal of an order, E = P A^H P has a QR factorization
 * E = Qe (Re; 0); then Q = P Qe P and R = P Re^H P, upper triangular again.
 */
#include "urv/urv.h"

#include "qr/qr.h"

gsvd_status_t X(rq_factor)(gsvd_handle_t h, const backend_t *be, mat_t A,
                           mat_t E, scalar_t *tau)
{
    GSVD_TRY(be->flip_ctrans(h, A, E));
    return X(geqrf)(h, be, E, tau);
}

gsvd_status_t X(rq_triangle)(gsvd_handle_t h, const backend_t *be, mat_t E,
                             mat_t R)
{
    GSVD_TRY(be->flip_ctrans(h, mat_rows(E, 0, E.cols), R));
    return be->zero_lower(h, R);
}

gsvd_status_t X(rq_apply)(gsvd_handle_t h, const backend_t *be, char side,
                          mat_t E, const scalar_t *tau, mat_t C, mat_t spare)
{
    gsvd_status_t (*const flip)(gsvd_handle_t, mat_t, const int *, mat_t) =
        side == 'L' ? be->permute_rows : be->permute_columns;

    if (mat_empty(C))
        return GSVD_SUCCESS;
    spare = mat_view(spare.data, C.rows, C.cols, max_i(C.rows, 1));
    GSVD_TRY(flip(h, C, NULL, spare));
    GSVD_TRY(X(unmqr)(h, be, side, 'N', E, E.cols, tau, spare));
    return flip(h, spare, NULL, C);
}
