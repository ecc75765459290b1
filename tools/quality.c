/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* quality.c -- how exact is a decomposition?  Compiled for d and z. */
#include "quality.h"

#include <float.h>

#include "core/scalar.h"

#define GEMM_ GSVD_PASTE(GSVD_LETTER, gemm_)

void GEMM_(const char *opa, const char *opb, const int *m, const int *n,
           const int *k, const scalar_t *alpha, const scalar_t *a,
           const int *lda, const scalar_t *b, const int *ldb,
           const scalar_t *beta, scalar_t *c, const int *ldc, size_t opa_length,
           size_t opb_length);

static scalar_t *at(const matrix_t *A, int64_t i, int64_t j)
{
    return (scalar_t *)A->at + i + j * A->rows;
}

/* C = alpha op(A) op(B) + beta C; only the first inner columns of op(A) and
 * rows of op(B) count.  Matrices of 2^31 rows have no room for their U. */
static void multiply(real_t alpha, char opa, const matrix_t *A, char opb,
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

/* A NaN, once met, stays. */
static real_t larger(real_t x, real_t y) { return x > y || isnan(x) ? x : y; }

static real_t largest(const matrix_t *A)
{
    real_t max = 0;

    for (int64_t i = 0; i < A->rows * A->cols; ++i)
        max = larger(max, abs_max(*at(A, i, 0)));
    return max;
}

/* The largest sum over a column. */
static real_t norm_1(const matrix_t *A)
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

/* Plain squares: what comes here has been scaled. */
static real_t norm_f(const matrix_t *A)
{
    real_t sum = 0;

    for (int64_t i = 0; i < A->rows * A->cols; ++i)
        sum += abs2(*at(A, i, 0));
    return sqrt_r(sum);
}

/* The factors hold doubles, but are as exact as what they were computed in. */
static real_t ulp(const decomposition_t *d)
{
    return d->task->single ? (real_t)FLT_EPSILON : (real_t)DBL_EPSILON;
}

/* B = A - B */
static void subtract(const matrix_t *A, matrix_t *B)
{
    for (int64_t i = 0; i < A->rows * A->cols; ++i)
        *at(B, i, 0) = sub(*at(A, i, 0), *at(B, i, 0));
}

static void shift_exponent(matrix_t *A, int e)
{
    for (int64_t i = 0; i < A->rows * A->cols * A->width; ++i)
        A->at[i] = ldexp_r(A->at[i], e);
}

/* Row i of T is value(first + i) times row first + i of (0 R), of which the
 * columns that Q has, or of X^H. */
static void fill_middle(const decomposition_t *d, const matrix_t *value,
                        int64_t first, int64_t count, matrix_t *T)
{
    const bool x_form = d->task->form == GSVD_FORM_X;
    const int64_t r = d->k + d->l;

    for (int64_t i = first; i < first + count; ++i) {
        const real_t v = value->at[i];
        if (x_form)
            for (int64_t j = 0; j < d->n; ++j)
                *at(T, i - first, j) = scale(v, conj_of(*at(&d->Q, j, i)));
        else
            for (int64_t j = i; j < r; ++j)
                *at(T, i - first, T->cols - r + j) = scale(v, *at(&d->R, i, j));
    }
}

/* With S = G and T = D (0 R), of which count rows are not zero:
 *     relative = ||S - W T Q^H||_F / ||S||_F,
 *     ratio    = ||W^H S Q - T||_1 / (max(rows, n) ||S||_1 ulp);
 * in X form T = D X^H and there is no Q.  S and T are first scaled by one power
 * of two so that no square overflows. */
static bool residual(const decomposition_t *d, const matrix_t *G,
                     const matrix_t *W, const matrix_t *value, int64_t first,
                     int64_t count, double *relative, double *ratio)
{
    const bool x_form = d->task->form == GSVD_FORM_X;
    const int64_t rows = G->rows, n = G->cols, w = W->cols;
    const int64_t q = x_form ? n : d->Q.cols;
    const int width = W->width;
    matrix_t S = {0}, T = {0}, E = {0}, F = {0};
    const bool room = matrix_copy(&S, G, width) &&
                      matrix_create(&T, w, q, width) &&
                      matrix_create(&E, w, n, width) &&
                      (x_form || matrix_create(&F, rows, q, width));

    if (room) {
        const real_t max = largest(&S);
        const int e = max > 0 ? -exponent_r(max) : 0;

        fill_middle(d, value, first, count, &T);
        shift_exponent(&S, e);
        shift_exponent(&T, e);
        const real_t size_f = norm_f(&S);
        const real_t size_1 = fmax_r(norm_1(&S), GSVD_SAFMIN);

        multiply(1, 'C', W, 'N', &S, rows, 0, &E); /* E = W^H S              */
        if (x_form) {
            multiply(-1, 'N', W, 'N', &T, count, 1, &S); /* S = S - W T      */
            subtract(&E, &T);                            /* T = W^H S - T    */
        } else {
            multiply(1, 'N', W, 'N', &T, count, 0, &F);  /* F = W T          */
            multiply(-1, 'N', &F, 'C', &d->Q, q, 1, &S); /* S = S - W T Q^H  */
            multiply(1, 'N', &E, 'N', &d->Q, n, -1, &T); /* T = W^H S Q - T  */
        }
        *relative = norm_f(&S) / (size_f > 0 ? size_f : 1);
        *ratio = norm_1(&T) / fmax_r(1, fmax_r((real_t)rows, (real_t)n)) /
                 size_1 / ulp(d);
    }
    matrix_free(&S);
    matrix_free(&T);
    matrix_free(&E);
    matrix_free(&F);
    return room;
}

/* orth = ||W^H W - I||_F, ratio = ||W^H W - I||_1 / (rows ulp). */
static bool orthogonality(const decomposition_t *d, const matrix_t *W,
                          double *orth, double *ratio)
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
    return true;
}

static bool descends(const decomposition_t *d)
{
    const int64_t r = d->k + d->l, end = d->m < r ? d->m : r;

    for (int64_t i = d->k; i + 1 < end; ++i)
        if (!(d->alpha.at[i] >= d->alpha.at[i + 1]))
            return false;
    return true;
}

bool X(quality)(const matrix_t *A, const matrix_t *B, const decomposition_t *d,
                quality_t *q)
{
    const int64_t r = d->k + d->l;
    double ratio[6] = {0};

    *q = (quality_t){NAN, NAN, NAN, NAN, NAN, NAN};
    if (d->task->values)
        return true;
    if (!residual(d, A, &d->U, &d->alpha, 0, d->m < r ? d->m : r,
                  &q->residual_a, &ratio[0]) ||
        !residual(d, B, &d->V, &d->beta, d->k, d->l, &q->residual_b,
                  &ratio[1]) ||
        !orthogonality(d, &d->U, &q->orth_u, &ratio[2]) ||
        !orthogonality(d, &d->V, &q->orth_v, &ratio[3]))
        return false;
    if (d->task->form == GSVD_FORM_LAPACK &&
        !orthogonality(d, &d->Q, &q->orth_q, &ratio[4]))
        return false;
    ratio[5] = descends(d) ? 0 : 1 / ulp(d);

    q->ratio_max = 0;
    for (int i = 0; i < 6; ++i)
        q->ratio_max = larger(q->ratio_max, ratio[i]);
    return true;
}
