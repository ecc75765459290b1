/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* gemm.c -- products of matrices by BLAS; CPU twin of gemm.cu. */
#include "core/blas.h"
#include "qr/qr.h"

/* Products of fewer multiplications than this are loops: a call of BLAS costs
 * more. */
enum { SMALL = 512 };

/* C := beta C + alpha op(A) op(B) for alpha = +-1, beta = 0 or 1 */
static void loops(char opa, char opb, real_t alpha, mat_t A, mat_t B,
                  real_t beta, mat_t C)
{
    const int turn_a = opa != 'N', turn_b = opb != 'N';
    const int64_t inner = turn_a ? A.rows : A.cols; /* steps along it, and   */
    const int64_t a1 = turn_a ? 1 : A.ld, a2 = turn_a ? A.ld : 1; /* across  */
    const int64_t b1 = turn_b ? B.ld : 1, b2 = turn_b ? 1 : B.ld;

    for (int64_t j = 0; j < C.cols; ++j)
        for (int64_t i = 0; i < C.rows; ++i) {
            const scalar_t *a = A.data + i * a2, *b = B.data + j * b2;
            scalar_t s = make(0, 0);
            for (int64_t k = 0; k < inner; ++k, a += a1, b += b1)
                s = add(s, mul(turn_a ? conj_of(*a) : *a,
                               turn_b ? conj_of(*b) : *b));
            s = scale(alpha, s);
            AT(C, i, j) = beta == 0 ? s : add(AT(C, i, j), s);
        }
}

/* C := beta C + alpha op(A) op(B) of any size */
static gsvd_status_t multiply(char opa, char opb, real_t alpha, mat_t A,
                              mat_t B, real_t beta, mat_t C)
{
    const int64_t inner = opa == 'N' ? A.cols : A.rows;
    if (mat_empty(C))
        return GSVD_SUCCESS;
    if (C.rows * C.cols * inner < SMALL) {
        loops(opa, opb, alpha, A, B, beta, C);
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

gsvd_status_t X(gemm_cpu)(const exec_t *ex, char opa, char opb, mat_t A,
                          mat_t B, mat_t C)
{
    (void)ex;
    return multiply(opa, opb, 1, A, B, 0, C);
}

gsvd_status_t X(gemm_sub_cpu)(const exec_t *ex, char opa, char opb, mat_t A,
                              mat_t B, mat_t C)
{
    (void)ex;
    return multiply(opa, opb, -1, A, B, 1, C);
}

size_t X(products_bytes_cpu)(const exec_t *ex, int64_t m, int64_t n, int64_t k,
                             size_t most)
{
    (void)ex, (void)m, (void)n, (void)k, (void)most;
    return 0;
}
