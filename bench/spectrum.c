/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* spectrum.c [1] -- matrices with given eigenvalues and their factors; see spectrum.h. */
#include "spectrum.h"

#include <math.h>
#include <stdlib.h>

#include "core/status.h"

typedef long double wide_t;

/* ---- spectra ------------------------------------------------------------ */

static double normal(bench_t *b)
{
    double x;
    bench_normal_double(b, 1, &x);
    return x;
}

void bench_spectrum(bench_t *b, int which, int64_t n, double *lambda)
{
    const int64_t k = n < 1024 ? 1 : n / 1024;
    const double most = 10 * (double)k;
    for (int64_t i = 0; i < n; ++i) {
        const double near = i < 16 ? 0.5 : 0.1 * normal(b);
        const double far = 1e-7 + (most - 1e-7) * bench_uniform(b);
        const double sign = bench_uniform(b) > 0.5 ? 1 : -1;
        switch (which) {
        case 1: lambda[i] = near; break;
        case 2: lambda[i] = fabs(1 + near); break;
        case 3: lambda[i] = sign * far; break;
        default: lambda[i] = far; break;
        }
    }
}

void bench_spectrum_signs(bench_t *b, int64_t plus, int64_t n, double *lambda)
{
    const double a = n <= 3168 ? 20 : n <= 6368 ? 30 : n <= 9568 ? 40 : 50;
    for (int64_t i = 0; i < n; ++i)
        lambda[i] =
            (i < plus ? a : -a) * (1e-5 + (1 - 1e-5) * bench_uniform(b));
}

/* ---- A = U Lambda U^T --------------------------------------------------- */

static wide_t dot(int64_t n, const wide_t *x, const wide_t *y)
{
    wide_t sum = 0;
    for (int64_t i = 0; i < n; ++i)
        sum += x[i] * y[i];
    return sum;
}

/* A := H A H, H = I - 2 u u^T / |u|^2, of the trailing part of order n; A is the first
 * entry of that, its columns ld apart. */
static void reflect(int64_t n, int64_t ld, const wide_t *u, wide_t *y,
                    wide_t *A)
{
    const wide_t tau = 2 / dot(n, u, u);
#pragma omp parallel for
    for (int64_t j = 0; j < n; ++j)
        y[j] = tau * dot(n, A + j * ld, u);
    const wide_t alpha = tau * dot(n, y, u) / 2;
    for (int64_t j = 0; j < n; ++j)
        y[j] -= alpha * u[j];
#pragma omp parallel for
    for (int64_t j = 0; j < n; ++j)
        for (int64_t i = 0; i < n; ++i)
            A[i + j * ld] -= u[i] * y[j] + y[i] * u[j];
}

/* x: room for 2 n numbers */
static void make_matrix(bench_t *b, int64_t n, const double *lambda, wide_t *A,
                        wide_t *x)
{
    for (int64_t j = 0; j < n; ++j)
        for (int64_t i = 0; i < n; ++i)
            A[i + j * n] = i == j ? (wide_t)lambda[j] : 0;
    for (int64_t k = n - 2; k >= 0; --k) {
        for (int64_t i = 0; i < n - k; ++i)
            x[i] = normal(b);
        reflect(n - k, n, x, x + n, A + k * (n + 1));
    }
}

/* ---- P A P^T = G J G^T -------------------------------------------------- */

typedef struct factor {
    int64_t n;
    wide_t *A, *G; /* n x n: what is left of A, all of it; the columns found */
    int *sign;     /* of the columns of G                                    */
} factor_t;

static void swap(wide_t *x, wide_t *y)
{
    const wide_t t = *x;
    *x = *y;
    *y = t;
}

/* Rows and columns p and q >= p of A change places, and the rows of G. */
static void exchange(factor_t *f, int64_t p, int64_t q)
{
    const int64_t n = f->n;
    if (p == q)
        return;
    for (int64_t i = 0; i < n; ++i)
        swap(&f->A[i + p * n], &f->A[i + q * n]);
    for (int64_t j = 0; j < n; ++j) {
        swap(&f->A[p + j * n], &f->A[q + j * n]);
        swap(&f->G[p + j * n], &f->G[q + j * n]);
    }
}

/* The largest entry on the diagonal, and the largest below it, of what is left from k on;
 * best and row: room for n each. */
static void search(const factor_t *f, int64_t k, int64_t *diagonal, int64_t *p,
                   int64_t *q, int64_t *row)
{
    const int64_t n = f->n;
    const wide_t *const A = f->A;
#pragma omp parallel for
    for (int64_t j = k; j < n - 1; ++j) {
        row[j] = j + 1;
        for (int64_t i = j + 2; i < n; ++i)
            if (fabsl(A[i + j * n]) > fabsl(A[row[j] + j * n]))
                row[j] = i;
    }
    *diagonal = *p = k;
    for (int64_t j = k; j < n; ++j) {
        if (fabsl(A[j + j * n]) > fabsl(A[*diagonal * (n + 1)]))
            *diagonal = j;
        if (j < n - 1 && fabsl(A[row[j] + j * n]) > fabsl(A[row[*p] + *p * n]))
            *p = j;
    }
    *q = k < n - 1 ? row[*p] : k;
}

/* A := A - s g g^T from row and column k on, g the k-th column of G */
static void subtract(factor_t *f, int64_t k, int64_t from)
{
    const int64_t n = f->n;
    const wide_t *const g = f->G + k * n;
    const int s = f->sign[k];
#pragma omp parallel for
    for (int64_t j = from; j < n; ++j)
        for (int64_t i = from; i < n; ++i)
            f->A[i + j * n] -= s * g[i] * g[j];
}

/* G(:,k) := A (c x + s y) / sqrt(|l|), x and y columns k and at; l is the value of that
 * vector. */
static void take_column(factor_t *f, int64_t k, const wide_t *x,
                        const wide_t *y, wide_t c, wide_t s, wide_t l,
                        int64_t from)
{
    const wide_t root = sqrtl(fabsl(l));
    wide_t *const g = f->G + k * f->n;
    f->sign[k] = l < 0 ? -1 : 1;
    for (int64_t i = 0; i < f->n; ++i)
        g[i] = i < from ? 0 : (c * x[i] + s * y[i]) / root * f->sign[k];
}

/* Columns k and k + 1 of G, from the eigenvectors (c, s), (-s, c) of the 2 x 2 pivot */
static void take_pair(factor_t *f, int64_t k)
{
    const int64_t n = f->n;
    const wide_t *const x = f->A + k * n, *const y = x + n;
    const wide_t a = x[k], b = x[k + 1], d = y[k + 1];
    const wide_t angle = atan2l(2 * b, a - d) / 2;
    const wide_t c = cosl(angle), s = sinl(angle);
    const wide_t first = c * c * a + 2 * c * s * b + s * s * d;
    const wide_t second = s * s * a - 2 * c * s * b + c * c * d;
    take_column(f, k, x, y, c, s, first, k);
    take_column(f, k + 1, x, y, -s, c, second, k);
    subtract(f, k, k + 2);
    subtract(f, k + 1, k + 2);
}

/* row: room for n */
static void factor(factor_t *f, int64_t *row)
{
    const int64_t n = f->n;
    const wide_t least = (1 + sqrtl(17)) / 8;
    for (int64_t k = 0; k < n;) {
        int64_t j, p, q;
        search(f, k, &j, &p, &q, row);
        const wide_t on = fabsl(f->A[j * (n + 1)]);
        if (q == k || on >= least * fabsl(f->A[q + p * n])) {
            exchange(f, k, j);
            const wide_t *const x = f->A + k * n;
            take_column(f, k, x, x, 1, 0, x[k], k);
            subtract(f, k, k + 1);
            ++k;
        } else {
            exchange(f, k, p);
            exchange(f, k + 1, q);
            take_pair(f, k);
            k += 2;
        }
    }
}

gsvd_status_t bench_spectrum_factor(bench_t *b, int64_t n, const double *lambda,
                                    double *A, double *G, int64_t *plus)
{
    const size_t entries = (size_t)(n * n), size = (size_t)n;
    wide_t *const memory = calloc(2 * entries + 2 * size, sizeof(wide_t));
    int64_t *const row = malloc(sizeof(int64_t) * size);
    factor_t f = {.n = n, .sign = malloc(sizeof(int) * size)};
    const int enough = memory && row && f.sign;

    if (enough) {
        int64_t to[2] = {0, 0};
        f.A = memory;
        f.G = memory + entries;
        make_matrix(b, n, lambda, f.A, memory + 2 * entries);
        for (size_t i = 0; i < entries; ++i)
            A[i] = (double)f.A[i];
        factor(&f, row);
        for (int64_t j = 0; j < n; ++j)
            to[1] += f.sign[j] > 0;
        *plus = to[1];
        for (int64_t j = 0; j < n; ++j) { /* the columns of sign 1 first     */
            double *const g = G + n * to[f.sign[j] < 0]++;
            for (int64_t i = 0; i < n; ++i)
                g[i] = (double)f.G[i + j * n];
        }
    }
    free(memory);
    free(row);
    free(f.sign);
    return enough ? GSVD_SUCCESS : GSVD_OUT_OF_MEMORY;
}
