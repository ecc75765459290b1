/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* bench_rows.c [1] -- rows of very different size: an experiment in double, on
 * the CPU, through the public functions.
 *
 *     bench_rows [trials [n]]
 *
 * Pairs of normal numbers, m = p = 2n, rows scaled by 10^u: u uniform in +-16
 * (random), or from 16 down to -16 (descending), or up (ascending); those of A
 * only, or of both.  B has full rank; or, in the last block, A and B have the
 * columns of n/2 normal ones times n/2 x n, so that both pivoted QRs and both RQs
 * of the preprocessing work.
 *
 * Errors of the generalized values, against recipe.h in quadruple precision:
 * chordal (largest), and relative (largest).  And the row-wise backward error of
 * the preprocessing, max_i |dA(i,:)| / |A(i,:)|, A's and B's.  As it is, and
 * with the rows of A and of B sorted by decreasing norm beforehand.
 */
#include <lapacke.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench.h"
#include "core/handle.h"

#if defined __SIZEOF_FLOAT128__
__extension__ typedef __float128 quad_t;
#else
typedef long double quad_t; /* quadruple where there is no other             */
#endif

#define REAL double
#define NAME(x) d##_##x
#include "recipe.h"
#undef REAL
#undef NAME
#define REAL quad_t
#define NAME(x) q##_##x
#include "recipe.h"

enum { MOST = 64, TRIALS = 1000 };

typedef enum order { RANDOM, DESCENDING, ASCENDING } order_t;
typedef enum scaled { OF_A, OF_BOTH } scaled_t;

static const char *const order_name[] = {"random", "descending", "ascending"};
static const char *const scaled_name[] = {"A", "A and B"};

/* how the values, or the triangles, are computed */
enum { LAPACK, OURS, OURS_0, SORTED, SORTED_0, RECIPE, WAYS };
static const char *const way_name[] = {
    "LAPACK xGGSVD3",
    "libgsvd",
    "libgsvd, tolerances 0",
    "libgsvd, rows sorted",
    "rows sorted, tolerances 0",
    "the recipe in double",
};

static int n, m, p;
static double A[2 * MOST * MOST], B[2 * MOST * MOST];
static double As[2 * MOST * MOST], Bs[2 * MOST * MOST];
static double X[2 * MOST * MOST], Y[2 * MOST * MOST];
static double U[4 * MOST * MOST], V[4 * MOST * MOST], Q[MOST * MOST];
static quad_t work[6 * MOST * MOST];
static double exact[MOST];

/* ---- pairs -------------------------------------------------------------- */

static void scale_rows(bench_t *b, order_t order, int rows, double *x)
{
    double normal;
    for (int i = 0; i < rows; ++i) {
        double u = 16 - 32 * (double)i / (rows - 1);
        if (order == ASCENDING)
            u = -u;
        if (order == RANDOM) { /* erf of a normal number is uniform          */
            bench_normal_double(b, 1, &normal);
            u = 16 * erf(normal / sqrt(2));
        }
        for (int j = 0; j < n; ++j)
            x[i + j * rows] *= pow(10, u);
    }
}

static void make(bench_t *b, scaled_t scaled, order_t order, int deficient)
{
    const int r = n / 2;
    bench_normal_double(b, (int64_t)m * n, A);
    bench_normal_double(b, (int64_t)p * n, B);
    if (deficient) { /* columns r.. are combinations of the others           */
        bench_normal_double(b, (int64_t)r * (n - r), Q);
        for (int j = r; j < n; ++j) {
            for (int i = 0; i < p; ++i) {
                B[i + j * p] = 0;
                for (int k = 0; k < r; ++k)
                    B[i + j * p] += B[i + k * p] * Q[k + (j - r) * r];
            }
        }
    }
    scale_rows(b, order, m, A);
    if (scaled == OF_BOTH)
        scale_rows(b, order, p, B);
}

/* ---- errors ------------------------------------------------------------- */

static double chord(double x, double y)
{
    const double cx = isinf(x) ? 1 : x / hypot(1, x), sx = 1 / hypot(1, x);
    const double cy = isinf(y) ? 1 : y / hypot(1, y), sy = 1 / hypot(1, y);
    return fabs(cx * sy - cy * sx);
}

typedef struct error {
    double chordal, relative;
} error_t;

static error_t compare(double *sigma)
{
    error_t e = {0, 0};
    qsort(sigma, (size_t)n, sizeof *sigma, bench_descending);
    for (int i = 0; i < n; ++i) {
        e.chordal = fmax(e.chordal, chord(sigma[i], exact[i]));
        e.relative = fmax(e.relative, fabs(sigma[i] - exact[i]) / exact[i]);
    }
    return e;
}

/* alpha / beta; where both are 0 there is no value: 0 */
static void divide(const double *alpha, const double *beta, double *sigma)
{
    for (int i = 0; i < n; ++i)
        sigma[i] = alpha[i] == 0 ? 0 : alpha[i] / beta[i];
}

/* max_i |X(i,:) - U(i,:) R Q^T| / |X(i,:)|; R stands in the first r rows of T */
static double row_error(int rows, const double *x, const double *u, int r,
                        const double *t)
{
    double worst = 0;
    for (int i = 0; i < r; ++i)
        for (int j = 0; j < n; ++j) {
            quad_t sum = 0;
            for (int k = 0; k < n; ++k)
                sum += (quad_t)t[i + k * rows] * Q[j + k * n];
            work[i + j * r] = sum;
        }
    for (int i = 0; i < rows; ++i) {
        double error = 0, norm = 0;
        for (int j = 0; j < n; ++j) {
            quad_t sum = x[i + j * rows];
            for (int k = 0; k < r; ++k)
                sum -= u[i + k * rows] * work[k + j * r];
            error = fmax(error, fabs((double)sum));
            norm = fmax(norm, fabs(x[i + j * rows]));
        }
        worst = fmax(worst, error / norm);
    }
    return worst;
}

/* ---- the ways ----------------------------------------------------------- */

static gsvd_status_t values(bench_t *b, int way, const double *a,
                            const double *bb, double *sigma)
{
    double alpha[MOST], beta[MOST], none[1];
    int64_t k, l;
    int info, kk, ll, order[MOST];
    const double tolerance = way == OURS_0 || way == SORTED_0 ? 0 : -1;

    memcpy(X, a, sizeof X);
    memcpy(Y, bb, sizeof Y);
    if (way == RECIPE) {
        d_values(m, n, p, a, bb, 2e-16, (double *)work, sigma);
        return GSVD_SUCCESS;
    }
    if (way == LAPACK) {
        info = LAPACKE_dggsvd3(LAPACK_COL_MAJOR, 'N', 'N', 'N', m, n, p, &kk,
                               &ll, X, m, Y, p, alpha, beta, none, 1, none, 1,
                               none, 1, order);
        if (info)
            return GSVD_NOT_CONVERGED;
    } else {
        GSVD_TRY(gsvd_set_option(b->h, GSVD_TOL_A, tolerance));
        GSVD_TRY(gsvd_set_option(b->h, GSVD_TOL_B, tolerance));
        GSVD_TRY(dgsvd(b->h, 'N', 'N', 'N', m, n, p, &k, &l, X, m, Y, p, alpha,
                       beta, none, 1, none, 1, none, 1, &info));
    }
    divide(alpha, beta, sigma);
    return GSVD_SUCCESS;
}

static gsvd_status_t rows(bench_t *b, double tolerance, const double *a,
                          const double *bb, double *ea, double *eb)
{
    int64_t k, l;
    int info;
    memcpy(X, a, sizeof X);
    memcpy(Y, bb, sizeof Y);
    GSVD_TRY(dgsvd_preprocess(b->h, 'U', 'V', 'Q', m, p, n, X, m, Y, p,
                              tolerance, tolerance, &k, &l, U, m, V, p, Q, n,
                              &info));
    const int r = (int)(k + l);
    *ea = row_error(m, a, U, r < m ? r : m, X);
    *eb = row_error(p, bb, V, (int)l, Y);
    return GSVD_SUCCESS;
}

/* ---- tables ------------------------------------------------------------- */

static double sample[WAYS][4][TRIALS];

static double quantile(double *x, int count, double q)
{
    qsort(x, (size_t)count, sizeof *x, bench_descending);
    return x[(int)((1 - q) * (count - 1))];
}

static void print(const char *name, double (*x)[TRIALS], int trials)
{
    printf("| %-25s | %8.1e | %8.1e | %8.1e | %8.1e |\n", name,
           quantile(x[0], trials, 0.5), quantile(x[0], trials, 1),
           quantile(x[1], trials, 0.5), quantile(x[1], trials, 1));
}

static void sorted_pair(void)
{
    memcpy(As, A, sizeof A);
    memcpy(Bs, B, sizeof B);
    d_sort_rows(m, n, As);
    d_sort_rows(p, n, Bs);
}

static gsvd_status_t table_of_values(bench_t *b, scaled_t scaled, order_t order,
                                     int trials)
{
    double sigma[MOST];
    b->seed = 1;
    for (int t = 0; t < trials; ++t) {
        make(b, scaled, order, 0);
        sorted_pair();
        q_values(m, n, p, A, B, 1e-32, work, exact);
        qsort(exact, (size_t)n, sizeof *exact, bench_descending);
        for (int w = 0; w < WAYS; ++w) {
            const int sort = w == SORTED || w == SORTED_0;
            error_t e = {1, INFINITY}; /* no answer                          */
            if (values(b, w, sort ? As : A, sort ? Bs : B, sigma) ==
                GSVD_SUCCESS)
                e = compare(sigma);
            sample[w][0][t] = e.chordal;
            sample[w][1][t] = e.relative;
        }
    }
    printf("\nValues; rows of %s, %s\n\n| %-25s | chordal: median | worst | "
           "relative: median | worst |\n|---|---|---|---|---|\n",
           scaled_name[scaled], order_name[order], "");
    for (int w = 0; w < WAYS; ++w)
        print(way_name[w], sample[w], trials);
    return GSVD_SUCCESS;
}

static gsvd_status_t table_of_rows(bench_t *b, scaled_t scaled, order_t order,
                                   int deficient, int trials)
{
    static const char *const name[] = {"default tolerances", "tolerances 0",
                                       "rows sorted",
                                       "rows sorted, tolerances 0"};
    const int ways = deficient ? 3 : 4; /* rank is not known without one     */
    b->seed = 1;
    for (int t = 0; t < trials; ++t) {
        make(b, scaled, order, deficient);
        sorted_pair();
        for (int w = 0; w < ways; ++w)
            if (!(deficient && w == 1))
                GSVD_TRY(rows(b, w == 1 || w == 3 ? 0 : -1, w > 1 ? As : A,
                              w > 1 ? Bs : B, &sample[w][0][t],
                              &sample[w][1][t]));
    }
    printf(
        "\nBackward error by rows; rows of %s, %s%s\n\n| %-25s | A: median | "
        "worst | B: median | worst |\n|---|---|---|---|---|\n",
        scaled_name[scaled], order_name[order],
        deficient ? ", rank(B) = n/2" : "", "");
    for (int w = 0; w < ways; ++w)
        if (!(deficient && w == 1))
            print(name[w], sample[w], trials);
    return GSVD_SUCCESS;
}

static gsvd_status_t run(bench_t *b, int trials)
{
    GSVD_TRY(gsvd_create(&b->h, GSVD_HOST));
    printf("m = p = %d, n = %d, %d pairs in each row of a table\n", m, n,
           trials);
    for (int order = RANDOM; order <= ASCENDING; ++order)
        for (int scaled = OF_A; scaled <= OF_BOTH; ++scaled)
            GSVD_TRY(
                table_of_values(b, (scaled_t)scaled, (order_t)order, trials));
    for (int order = RANDOM; order <= ASCENDING; ++order)
        GSVD_TRY(table_of_rows(b, OF_BOTH, (order_t)order, 0, trials));
    /* with the rows of B as they are: else they decide its rank             */
    for (int order = RANDOM; order <= ASCENDING; ++order)
        GSVD_TRY(table_of_rows(b, OF_A, (order_t)order, 1, trials));
    return GSVD_SUCCESS;
}

int main(int argc, char **argv)
{
    static bench_t b;
    const int trials = argc > 1 ? atoi(argv[1]) : 40;
    n = argc > 2 ? atoi(argv[2]) : 24;
    if (argc > 3 || trials < 1 || trials > TRIALS || n < 2 || n > MOST) {
        fputs("usage: bench_rows [trials [n]]\n", stderr);
        return 2;
    }
    m = p = 2 * n;
    const gsvd_status_t status = run(&b, trials);
    if (status != GSVD_SUCCESS)
        fprintf(stderr, "%s: %s\n", gsvd_status_name(status),
                gsvd_last_error(b.h));
    gsvd_destroy(b.h);
    return status != GSVD_SUCCESS;
}
