/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* trsm.c -- A := A R^-1 by BLAS; CPU twin of trsm.cu. */
#include "core/blas.h"
#include "qr/qr.h"

gsvd_status_t X(trsm_cpu)(const exec_t *ex, mat_t R, mat_t A)
{
    const char side = 'R', upper = 'U', op = 'N', diagonal = 'N';
    const int m = (int)A.rows, n = (int)A.cols;
    const int ldr = (int)R.ld, lda = (int)A.ld;
    const scalar_t one = make(1, 0);

    (void)ex;
    if (mat_empty(A))
        return GSVD_SUCCESS;
    BLAS_(trsm)
    (&side, &upper, &op, &diagonal, &m, &n, &one, R.data, &ldr, A.data, &lda, 1,
     1, 1, 1);
    return GSVD_SUCCESS;
}
