/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* trsm.cu -- A := A R^-1 by cuBLAS; CUDA twin of trsm.c. */
#include "core/gpublas.h"
#include "qr/qr.h"

gsvd_status_t X(trsm_cuda)(const exec_t *ex, mat_t R, mat_t A)
{
    const scalar_t one = make(1, 0);
    cublasHandle_t blas;

    if (mat_empty(A))
        return GSVD_SUCCESS;
    GSVD_TRY(gsvd_cublas(ex->h, ex->queue, &blas));
    GSVD_CUBLAS(ex->h, CUBLAS_(trsm_64)(blas, CUBLAS_SIDE_RIGHT,
                                        CUBLAS_FILL_MODE_UPPER, CUBLAS_OP_N,
                                        CUBLAS_DIAG_NON_UNIT, A.rows, A.cols,
                                        &one, R.data, R.ld, A.data, A.ld));
    return GSVD_SUCCESS;
}
