/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* product.cu -- products of matrices by cuBLAS; CUDA twin of product.c. */
#include "core/gpublas.h"
#include "qr/qr.h"

static gsvd_status_t multiply(gsvd_handle_t h, char opa, char opb, real_t alpha,
                              mat_t A, mat_t B, real_t beta, mat_t C)
{
    const scalar_t a = make(alpha, 0), b = make(beta, 0);
    const int k = (int)(opa == 'N' ? A.cols : A.rows);

    if (mat_empty(C))
        return GSVD_SUCCESS;
    GSVD_CUBLAS(h, CUBLAS_(gemm)(cuda_of(h)->blas, gpublas_op(opa),
                                 gpublas_op(opb), (int)C.rows, (int)C.cols, k,
                                 &a, A.data, (int)A.ld, B.data, (int)B.ld, &b,
                                 C.data, (int)C.ld));
    return GSVD_SUCCESS;
}

gsvd_status_t X(gemm_cuda)(gsvd_handle_t h, char opa, char opb, mat_t A,
                           mat_t B, mat_t C)
{
    return multiply(h, opa, opb, 1, A, B, 0, C);
}

gsvd_status_t X(gemm_sub_cuda)(gsvd_handle_t h, char opa, char opb, mat_t A,
                               mat_t B, mat_t C)
{
    return multiply(h, opa, opb, -1, A, B, 1, C);
}
