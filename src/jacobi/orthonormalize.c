/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* orthonormalize.c -- orthonormal columns by QR, on one machine and on a grid. */
#include "jacobi/jacobi.h"
#include "qr/qr.h"

gsvd_status_t X(orthonormalize)(const exec_t *ex, mat_t G, mat_t Q,
                                scalar_t *tau)
{
    const int64_t r = G.cols;
    GSVD_TRY(X(geqrf)(ex, G, tau));
    GSVD_TRY(ex->op->copy(ex, G, mat_cols(Q, 0, r)));
    GSVD_TRY(X(ungqr)(ex, Q, r, tau));
    return ex->op->fix_phase(ex, G, mat_cols(Q, 0, r));
}
