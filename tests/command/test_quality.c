/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* test_quality.c -- the command's measure of a decomposition: each of LAPACK's six
 * ratios of a pair, or four of a matrix, spoiled alone, is seen in the worst of them.
 *
 * A pair of diagonal matrices, k = 1, l = 2, with a row of A, a row of B and a
 * column beyond k + l: what is done to the columns of U, V, Q that belong to
 * these leaves both residuals as they are.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "quality.h"

enum { M = 5, N = 4, P = 3, LIMIT = 20 };

static int failures;

static double *at(const matrix_t *A, int i, int j)
{
    return &A->at[(i + j * A->rows) * A->width];
}

static double worst(const matrix_t *A, const matrix_t *B,
                    const decomposition_t *d)
{
    quality_t q;
    if (!dgsvd_quality(A, B, d, &q))
        exit(EXIT_FAILURE);
    return q.ratio_max;
}

static void expect(const char *what, int good, double ratio)
{
    if (good ? !(ratio < LIMIT) : !(ratio > 1e3)) {
        printf("FAILED: %s: ratio_max is %.3e\n", what, ratio);
        ++failures;
    }
}

/* once with it spoiled, by a factor, and back */
static void spoil(const char *what, const matrix_t *A, const matrix_t *B,
                  const decomposition_t *d, double *entry)
{
    const double before = *entry;
    *entry = before * (1 + 1e-9);
    expect(what, 0, worst(A, B, d));
    *entry = before;
    expect("as it was", 1, worst(A, B, d));
}

static double *largest(const matrix_t *A, int j)
{
    int i = 0;
    for (int r = 1; r < A->rows; ++r)
        if (fabs(*at(A, r, j)) > fabs(*at(A, i, j)))
            i = r;
    return at(A, i, j);
}

static void exchange(double *x, double *y)
{
    const double z = *x;
    *x = *y;
    *y = z;
}

static void exchange_columns(const matrix_t *A, int i, int j)
{
    for (int r = 0; r < A->rows; ++r)
        exchange(at(A, r, i), at(A, r, j));
}

static void pair(void)
{
    const task_t task = {.device = GSVD_HOST, .tol_a = -1, .tol_b = -1};
    matrix_t A, B;
    decomposition_t d;

    if (!matrix_create(&A, M, N, 1) || !matrix_create(&B, P, N, 1))
        exit(EXIT_FAILURE);
    *at(&A, 0, 0) = 1;
    *at(&A, 1, 1) = 3;
    *at(&A, 2, 2) = 1;
    *at(&B, 0, 1) = 1;
    *at(&B, 1, 2) = 2;
    if (!decompose(&A, &B, &task, &d) || d.k != 1 || d.l != 2)
        exit(EXIT_FAILURE);
    expect("what the library gives", 1, worst(&A, &B, &d));

    spoil("A", &A, &B, &d, at(&A, 1, 1));
    spoil("B", &A, &B, &d, at(&B, 1, 2));
    spoil("U", &A, &B, &d, largest(&d.U, M - 1));
    spoil("V", &A, &B, &d, largest(&d.V, P - 1));
    spoil("Q", &A, &B, &d, largest(&d.Q, 0));

    /* both pairs change places, and all that belongs to them: R is diagonal */
    exchange(at(&d.alpha, 1, 0), at(&d.alpha, 2, 0));
    exchange(at(&d.beta, 1, 0), at(&d.beta, 2, 0));
    exchange(at(&d.R, 1, 1), at(&d.R, 2, 2));
    exchange_columns(&d.U, 1, 2);
    exchange_columns(&d.V, 0, 1);
    exchange_columns(&d.Q, 2, 3);
    expect("the order of alpha", 0, worst(&A, &B, &d));

    decomposition_free(&d);
    matrix_free(&A);
    matrix_free(&B);
}

/* A diagonal matrix with two rows more than columns: diag(4, 2, 0), whose V has a column
 * that meets nothing */
static void svd(void)
{
    const task_t task = {.problem = SVD, .device = GSVD_HOST};
    matrix_t A;
    decomposition_t d;

    if (!matrix_create(&A, M, 3, 1))
        exit(EXIT_FAILURE);
    *at(&A, 0, 0) = 4;
    *at(&A, 1, 1) = 2;
    if (!decompose(&A, NULL, &task, &d))
        exit(EXIT_FAILURE);
    expect("what svd gives", 1, worst(&A, NULL, &d));

    spoil("A", &A, NULL, &d, at(&A, 1, 1));
    spoil("sigma", &A, NULL, &d, at(&d.sigma, 0, 0));
    spoil("U", &A, NULL, &d, largest(&d.U, M - 1));
    spoil("V", &A, NULL, &d, largest(&d.V, 2));

    exchange(at(&d.sigma, 0, 0), at(&d.sigma, 1, 0));
    exchange_columns(&d.U, 0, 1);
    exchange_columns(&d.V, 0, 1);
    expect("the order of sigma", 0, worst(&A, NULL, &d));

    decomposition_free(&d);
    matrix_free(&A);
}

/* diag(4, 3, 2) with the signs 1, -1, 1 */
static void hsvd(void)
{
    const task_t task = {.problem = HSVD, .device = GSVD_HOST};
    matrix_t G, J;
    decomposition_t d;

    if (!matrix_create(&G, M, 3, 1) || !matrix_create(&J, 3, 1, 1))
        exit(EXIT_FAILURE);
    for (int j = 0; j < 3; ++j) {
        *at(&G, j, j) = 4 - j;
        *at(&J, j, 0) = j == 1 ? -1 : 1;
    }
    if (!decompose(&G, &J, &task, &d) || d.plus != 2)
        exit(EXIT_FAILURE);
    expect("what hsvd gives", 1, worst(&G, &J, &d));

    spoil("G", &G, &J, &d, at(&G, 1, 1));
    spoil("U", &G, &J, &d, largest(&d.U, M - 1));
    *at(&d.sigma, 2, 0) *= 1 + 0x1p-30; /* the residual stays                */
    *largest(&d.V, 2) /= 1 + 0x1p-30;
    expect("V", 0, worst(&G, &J, &d));
    *at(&d.sigma, 2, 0) /= 1 + 0x1p-30;
    *largest(&d.V, 2) *= 1 + 0x1p-30;
    expect("as it was", 1, worst(&G, &J, &d));

    *at(&J, 1, 0) = 1; /* the sign of a column                               */
    expect("J", 0, worst(&G, &J, &d));
    *at(&J, 1, 0) = -1;

    exchange(at(&d.sigma, 0, 0), at(&d.sigma, 1, 0));
    exchange_columns(&d.U, 0, 1);
    exchange_columns(&d.V, 0, 1);
    expect("the order of sigma", 0, worst(&G, &J, &d));

    decomposition_free(&d);
    matrix_free(&G);
    matrix_free(&J);
}

/* (1 1; 0 2^-30) with the signs 1, -1, whose V is as long as 2^15: the residual may be so much
 * larger, the error of sigma may not. */
static void long_v(void)
{
    const task_t task = {.problem = HSVD, .device = GSVD_HOST};
    matrix_t G, J;
    decomposition_t d;

    if (!matrix_create(&G, 2, 2, 1) || !matrix_create(&J, 2, 1, 1))
        exit(EXIT_FAILURE);
    *at(&G, 0, 0) = *at(&G, 0, 1) = 1;
    *at(&G, 1, 1) = 0x1p-30;
    *at(&J, 0, 0) = 1;
    *at(&J, 1, 0) = -1;
    if (!decompose(&G, &J, &task, &d) || d.plus != 1)
        exit(EXIT_FAILURE);
    expect("a long V", 1, worst(&G, &J, &d));
    *at(&G, 0, 0) = 1 + 0x1p-42; /* 2^10 ulp of A                            */
    expect("a residual as of a long V", 1, worst(&G, &J, &d));
    *at(&G, 0, 0) = 1 + 0x1p-22;
    expect("a residual beyond it", 0, worst(&G, &J, &d));

    decomposition_free(&d);
    matrix_free(&G);
    matrix_free(&J);
}

int main(void)
{
    pair();
    svd();
    hsvd();
    long_v();
    return failures ? EXIT_FAILURE : EXIT_SUCCESS;
}
