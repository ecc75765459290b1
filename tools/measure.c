/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* measure.c -- products and norms of the command's matrices.  Compiled for d and z. */
#include "measure.h"

#include <float.h>

#define GEMM_ GSVD_PASTE(GSVD_LETTER, gemm_)

void GEMM_(const char *opa, const char *opb, const int *m, const int *n,
           const int *k, const scalar_t *alpha, const scalar_t *a,
           const int *lda, const scalar_t *b, const int *ldb,
           const scalar_t *beta, scalar_t *c, const int *ldc, size_t opa_length,
           size_t opb_length);

void multiply(real_t alpha, char opa, const matrix_t *A, char opb,
              const matrix_t *B, int64_t inner, real_t beta, matrix_t *C)
{
    const int m = (int)C->rows, n = (int)C->cols, k = (int)inner;
    const int lda = A->rows > 1 ? (int)A->rows : 1;
    const int ldb = B->rows > 1 ? (int)B->rows : 1;
    const int ldc = m > 1 ? m : 1;
    const scalar_t alpha_ = make(alpha, 0), beta_ = make(beta, 0);

    GEMM_(&opa, &opb, &m, &n, &k, &alpha_, at(A, 0, 0), &lda, at(B, 0, 0), &ldb,
          &beta_, at(C, 0, 0), &ldc, 1, 1);
}

real_t largest(const matrix_t *A)
{
    real_t max = 0;

    for (int64_t i = 0; i < A->rows * A->cols; ++i)
        max = larger(max, abs_max(*at(A, i, 0)));
    return max;
}

real_t norm_1(const matrix_t *A)
{
    real_t max = 0;

    for (int64_t j = 0; j < A->cols; ++j) {
        real_t sum = 0;
        for (int64_t i = 0; i < A->rows; ++i)
            sum += abs_of(*at(A, i, j));
        max = larger(max, sum);
    }
    return max;
}

real_t norm_f(const matrix_t *A)
{
    real_t sum = 0;

    for (int64_t i = 0; i < A->rows * A->cols; ++i)
        sum += abs2(*at(A, i, 0));
    return sqrt_r(sum);
}

real_t ulp(const decomposition_t *d)
{
    return d->task->single ? (real_t)FLT_EPSILON : (real_t)DBL_EPSILON;
}

void subtract(const matrix_t *A, matrix_t *B)
{
    for (int64_t i = 0; i < A->rows * A->cols; ++i)
        *at(B, i, 0) = sub(*at(A, i, 0), *at(B, i, 0));
}

void shift_exponent(matrix_t *A, int e)
{
    for (int64_t i = 0; i < A->rows * A->cols * A->width; ++i)
        A->at[i] = ldexp_r(A->at[i], e);
}

bool orthogonality(const decomposition_t *d, const matrix_t *W, double *orth,
                   double *ratio)
{
    matrix_t G;

    if (!matrix_create(&G, W->cols, W->cols, W->width))
        return false;
    multiply(1, 'C', W, 'N', W, W->rows, 0, &G);
    for (int64_t i = 0; i < G.rows; ++i)
        *at(&G, i, i) = sub(*at(&G, i, i), make(1, 0));
    *orth = norm_f(&G);
    *ratio = norm_1(&G) / fmax_r(1, (real_t)W->rows) / ulp(d);
    matrix_free(&G);
    told(d);
    return true;
}
