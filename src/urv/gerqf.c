/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* gerqf.c -- RQ factorization A = (0 R) Q^H from a QR factorization.
 *
 * With P the reversal of an order, E = P A^H P has a QR factorization
 * E = Qe (Re; 0); then Q = P Qe P and R = P Re^H P, upper triangular again.
 */
#include "urv/urv.h"

#include "pivot/pivot.h"
#include "qr/qr.h"

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

gsvd_status_t X(rq_apply)(const exec_t *ex, char side, mat_t E,
                          const scalar_t *tau, mat_t C, mat_t work)
{
    if (mat_empty(C))
        return GSVD_SUCCESS;
    GSVD_TRY(X(rearrange)(ex, side, NULL, C, work));
    GSVD_TRY(X(unmqr)(ex, side, 'N', E, E.cols, tau, C));
    return X(rearrange)(ex, side, NULL, C, work);
}
