/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* product.c -- products of matrices by BLAS; CPU twin of product.cu. */
#include "core/blas.h"
#include "qr/qr.h"

/* Products of fewer multiplications than this are loops: a call of BLAS costs
 * more. */
enum { SMALL = 512 };

/* C := beta C + alpha op(A) op(B) for alpha = +-1, beta = 0 or 1 */
static gsvd_status_t multiply(char opa, char opb, real_t alpha, mat_t A,
                              mat_t B, real_t beta, mat_t C)
{
    const int64_t inner = opa == 'N' ? A.cols : A.rows;
    if (mat_empty(C))
        return GSVD_SUCCESS;
    if (C.rows * C.cols * inner < SMALL) {
        for (int64_t j = 0; j < C.cols; ++j)
            for (int64_t i = 0; i < C.rows; ++i) {
                scalar_t s = make(0, 0);
                for (int64_t k = 0; k < inner; ++k) {
                    const scalar_t a =
                        opa == 'N' ? AT(A, i, k) : conj_of(AT(A, k, i));
                    const scalar_t b =
                        opb == 'N' ? AT(B, k, j) : conj_of(AT(B, j, k));
                    s = add(s, mul(a, b));
                }
                AT(C, i, j) =
                    beta == 0 ? scale(alpha, s)
                              : add(AT(C, i, j), scale(alpha, s));
            }
        return GSVD_SUCCESS;
    }
    const char ta = blas_op(opa), tb = blas_op(opb);
    const int m = (int)C.rows, n = (int)C.cols, k = (int)inner;
    const int lda = (int)A.ld, ldb = (int)B.ld, ldc = (int)C.ld;
    const scalar_t a = make(alpha, 0), b = make(beta, 0);
    BLAS_(gemm)
    (&ta, &tb, &m, &n, &k, &a, A.data, &lda, B.data, &ldb, &b, C.data, &ldc, 1,
     1);
    return GSVD_SUCCESS;
}

gsvd_status_t X(gemm_cpu)(gsvd_handle_t h, char opa, char opb, mat_t A, mat_t B,
                          mat_t C)
{
    (void)h;
    return multiply(opa, opb, 1, A, B, 0, C);
}

gsvd_status_t X(gemm_sub_cpu)(gsvd_handle_t h, char opa, char opb, mat_t A,
                              mat_t B, mat_t C)
{
    (void)h;
    return multiply(opa, opb, -1, A, B, 1, C);
}
