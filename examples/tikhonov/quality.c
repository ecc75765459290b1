/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* quality.c -- how exact a decomposition is. */
#include "quality.h"

#include <math.h>
#include <stdlib.h>

/* BLAS: C := alpha op(A) op(B) + beta C. */
void dgemm_(const char *transa, const char *transb, const int *m, const int *n,
            const int *k, const double *alpha, const double *A, const int *lda,
            const double *B, const int *ldb, const double *beta, double *C,
            const int *ldc);

static double norm(size_t count, const double *x)
{
    double sum = 0;

    for (size_t i = 0; i < count; ++i)
        sum += x[i] * x[i];
    return sqrt(sum);
}

double residual(int rows, int n, const double *M, const double *W, int first,
                const double *d, const double *Y)
{
    const double one = 1, zero = 0;
    const int used = rows < n - first ? rows : n - first;
    const size_t order = (size_t)n, high = (size_t)rows, count = high * order;
    double *const E = malloc(count * sizeof *E);
    double result = -1;

    if (E) {
        dgemm_("N", "N", &rows, &n, &n, &one, M, &rows, Y, &n, &zero, E, &rows);
        for (size_t j = 0; j < (size_t)used; ++j)
            for (size_t i = 0; i < high; ++i)
                E[i + high * ((size_t)first + j)] -=
                    W[i + high * j] * d[(size_t)first + j];
        result = norm(count, E) / (norm(count, M) * norm(order * order, Y));
    }
    free(E);
    return result;
}

double orthogonality(int n, const double *W)
{
    const double one = 1, minus = -1;
    const size_t order = (size_t)n;
    double *const E = calloc(order * order, sizeof *E);
    double result = -1;

    if (E) {
        for (size_t i = 0; i < order; ++i)
            E[i + order * i] = 1;
        dgemm_("T", "N", &n, &n, &n, &one, W, &n, W, &n, &minus, E, &n);
        result = norm(order * order, E);
    }
    free(E);
    return result;
}
