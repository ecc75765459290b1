/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* measure.h -- products and norms of the command's matrices, real (d) or complex (z), for
 * quality.c and quality_svd.c. */
#ifndef GSVD_TOOLS_MEASURE_H
#define GSVD_TOOLS_MEASURE_H

#include "core/scalar.h"
#include "quality.h"

#define multiply X(measure_multiply)
#define largest X(measure_largest)
#define norm_1 X(measure_norm_1)
#define norm_f X(measure_norm_f)
#define ulp X(measure_ulp)
#define subtract X(measure_subtract)
#define shift_exponent X(measure_shift_exponent)
#define orthogonality X(measure_orthogonality)

static inline scalar_t *at(const matrix_t *A, int64_t i, int64_t j)
{
    return (scalar_t *)A->at + i + j * A->rows;
}

/* A part of the check is done. */
static inline void told(const decomposition_t *d)
{
    if (d->task->step)
        d->task->step(d->task->user);
}

/* A NaN, once met, stays. */
static inline real_t larger(real_t x, real_t y)
{
    return x > y || isnan(x) ? x : y;
}

/* C = alpha op(A) op(B) + beta C; only the first inner columns of op(A) and
 * rows of op(B) count.  Matrices of 2^31 rows have no room for their U. */
void multiply(real_t alpha, char opa, const matrix_t *A, char opb,
              const matrix_t *B, int64_t inner, real_t beta, matrix_t *C);

/* The largest real or imaginary part, without its sign */
real_t largest(const matrix_t *A);

/* The largest sum over a column. */
real_t norm_1(const matrix_t *A);

/* Plain squares: what comes here has been scaled. */
real_t norm_f(const matrix_t *A);

/* The factors hold doubles, but are as exact as what they were computed in. */
real_t ulp(const decomposition_t *d);

/* B = A - B */
void subtract(const matrix_t *A, matrix_t *B);

/* A = 2^e A */
void shift_exponent(matrix_t *A, int e);

/* orth = ||W^H W - I||_F, ratio = ||W^H W - I||_1 / (rows ulp).  False without memory. */
bool orthogonality(const decomposition_t *d, const matrix_t *W, double *orth,
                   double *ratio);

/* How good is d, the SVD of A, or the hyperbolic SVD of G = A with the signs J?
 * (quality_svd.c) */
bool X(quality_svd)(const matrix_t *A, const matrix_t *J,
                    const decomposition_t *d, quality_t *q);

#endif /* GSVD_TOOLS_MEASURE_H */
