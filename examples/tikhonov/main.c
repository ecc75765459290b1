/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* main.c -- Tikhonov regularization through the GSVD.
 *
 *     tikhonov [ORDER [NOISE [FILE.svg [EQUATION]]]]     1000 0.01 tikhonov.svg phillips
 *
 * An integral equation of the first kind with noisy data, min ||A x - b||^2 +
 * lambda^2 ||L x||^2 with the second derivative as L: one GSVD of (A, L), then
 * the solutions for many lambda, and a picture.  Two lambda are marked: the one
 * of the smallest error, and Morozov's, which needs no exact solution but the
 * size of the noise: the largest with ||A x - b|| <= ||noise||. */
#include <float.h>
#include <gsvd.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "equation.h"
#include "filter.h"
#include "picture.h"
#include "quality.h"

enum { POINTS = 121 };
static const double lambda_range = 1e6; /* of the largest over the smallest  */

/* The GSVD of (A, L), and room for solutions. */
typedef struct work {
    double *R, *B, *alpha, *beta, *U, *V, *Q; /* R: A on entry, B: L         */
    double *x, *x_best, *x_rough;
    int64_t k, l;
} work_t;

static int allocate(work_t *w, int n, int p)
{
    const size_t order = (size_t)n, rows = (size_t)p;
    const struct {
        double **array;
        size_t count;
    } all[] = {{&w->R, order * order}, {&w->B, rows * order},
               {&w->alpha, order},     {&w->beta, order},
               {&w->U, order * order}, {&w->V, rows * rows},
               {&w->Q, order * order}, {&w->x, order},
               {&w->x_best, order},    {&w->x_rough, order}};
    int done = 1;

    for (size_t i = 0; i < sizeof all / sizeof *all; ++i) {
        *all[i].array = malloc(all[i].count * sizeof(double));
        done = done && *all[i].array;
    }
    return done;
}

static void release(work_t *w)
{
    double *const all[] = {w->R, w->B, w->alpha, w->beta,   w->U,
                           w->V, w->Q, w->x,     w->x_best, w->x_rough};

    for (size_t i = 0; i < sizeof all / sizeof *all; ++i)
        free(all[i]);
}

static int decompose(const problem_t *problem, work_t *w)
{
    const int n = problem->n, p = problem->p;
    const size_t order = (size_t)n;
    gsvd_handle_t h;
    gsvd_stats_t stats = {.size = sizeof stats};
    int info;

    memcpy(w->R, problem->A, order * order * sizeof *w->R);
    memcpy(w->B, problem->L, (size_t)p * order * sizeof *w->B);
    gsvd_status_t status = gsvd_create(&h, GSVD_ANY);
    if (status != GSVD_SUCCESS) {
        fprintf(stderr, "tikhonov: no handle: %s\n", gsvd_status_name(status));
        return 0;
    }
    status = dgsvd(h, 'U', 'V', 'Q', n, n, p, &w->k, &w->l, w->R, n, w->B, p,
                   w->alpha, w->beta, w->U, n, w->V, p, w->Q, n, &info);
    if (status == GSVD_SUCCESS)
        status = gsvd_get_stats(h, &stats);
    if (status != GSVD_SUCCESS)
        fprintf(stderr, "tikhonov: %s: %s\n", gsvd_status_name(status),
                gsvd_last_error(h));
    gsvd_destroy(h);
    if (status != GSVD_SUCCESS)
        return 0;
    if (w->k + w->l != n) {
        fprintf(stderr, "tikhonov: (A; L) has not full rank\n");
        return 0;
    }
    for (size_t j = 0; j < order; ++j) /* below R is nothing of it */
        for (size_t i = j + 1; i < order; ++i)
            w->R[i + order * j] = 0;

    if (stats.device == GSVD_HOST)
        printf("computed on      the CPU");
    else
        printf("computed on      the GPU, CUDA device %d", stats.device);
    printf(", %.2f s, %d sweeps\n", stats.seconds_total, stats.sweeps);
    return 1;
}

static void print_values(const work_t *w)
{
    const int64_t r = w->k + w->l;

    printf("k, l             %d, %d\n", (int)w->k, (int)w->l);
    printf("generalized values of (A, L), first and last of %d\n", (int)r);
    printf("%10s %24s %24s %12s\n", "", "alpha", "beta", "alpha/beta");
    for (int64_t i = 0; i < r; ++i) {
        if (i == 6)
            printf("%10s\n", "...");
        if (i < 6 || i >= r - 4)
            printf("%10d %24.16e %24.16e %12.4e\n", (int)i + 1, w->alpha[i],
                   w->beta[i], w->alpha[i] / w->beta[i]);
    }
}

/* Prints how exact the decomposition is, in the norm of Frobenius, and tells
 * whether it is so to rounding: a product of matrices of order n rounds by
 * about n units. */
static int check(const problem_t *problem, const work_t *w)
{
    const int n = problem->n, p = problem->p;
    const double numbers[] = {
        residual(n, n, problem->A, w->U, 0, w->alpha, w->R, w->Q),
        residual(p, n, problem->L, w->V, (int)w->k, w->beta, w->R, w->Q),
        orthogonality(n, w->U), orthogonality(p, w->V), orthogonality(n, w->Q)};
    static const char *const names[] = {
        "||A - U D1 R Q'|| / ||A||", "||L - V D2 R Q'|| / ||L||", "||U'U - I||",
        "||V'V - I||", "||Q'Q - I||"};
    int good = 1;

    for (int i = 0; i < 5; ++i) {
        printf("%-27s %.1e\n", names[i], numbers[i]);
        good = good && numbers[i] >= 0 && numbers[i] <= n * DBL_EPSILON;
    }
    if (!good)
        fprintf(stderr, "tikhonov: the decomposition is not exact\n");
    return good;
}

static int solve(const problem_t *problem, work_t *w, const char *file)
{
    point_t curve[POINTS];
    outcome_t outcome = {.points = POINTS,
                         .curve = curve,
                         .x_best = w->x_best,
                         .x_rough = w->x_rough};
    filter_t filter;
    double bb = 0;

    for (int i = 0; i < problem->n; ++i)
        bb += problem->b[i] * problem->b[i];
    const double discrepancy = problem->noise * sqrt(bb);
    if (!filter_create(&filter, problem->n, w->U, w->Q, w->R, w->alpha, w->beta,
                       problem->b)) {
        fprintf(stderr, "tikhonov: no memory\n");
        return 0;
    }
    for (int i = 0; i < POINTS; ++i) {
        const double lambda =
            problem->lambda_min * pow(lambda_range, (double)i / (POINTS - 1));
        curve[i] = filter_solve(&filter, lambda, problem->exact, w->x);
        if (curve[i].error < curve[outcome.best].error)
            outcome.best = i;
        if (curve[i].residual <= discrepancy)
            outcome.morozov = i;
    }
    for (int i = 0; i < outcome.best; ++i) /* 30 times smaller than the best */
        if (curve[i].lambda < curve[outcome.best].lambda / 30)
            outcome.rough = i;

    printf("%12s %16s %16s\n", "lambda", "||A x - b||", "relative error");
    for (int i = 0; i < POINTS; ++i)
        if (i % 10 == 0 || i == outcome.best || i == outcome.morozov)
            printf("%12.3e %16.6e %16.4e%s%s\n", curve[i].lambda,
                   curve[i].residual, curve[i].error,
                   i == outcome.best ? "  <- best" : "",
                   i == outcome.morozov ? "  <- by the discrepancy principle"
                                        : "");
    filter_solve(&filter, curve[outcome.best].lambda, problem->exact,
                 w->x_best);
    filter_solve(&filter, curve[outcome.rough].lambda, problem->exact,
                 w->x_rough);
    filter_free(&filter);
    printf("best lambda      %.3e, relative error %.2e\n",
           curve[outcome.best].lambda, curve[outcome.best].error);

    if (!picture_write(file, problem, &outcome)) {
        perror(file);
        return 0;
    }
    printf("picture          %s\n", file);
    return 1;
}

int main(int argc, char **argv)
{
    const int n = argc > 1 ? atoi(argv[1]) : 1000;
    const double noise = argc > 2 ? atof(argv[2]) : 0.01;
    const char *const file = argc > 3 ? argv[3] : "tikhonov.svg";
    const char *const name = argc > 4 ? argv[4] : "phillips";
    problem_t problem = {0};
    work_t w = {0};

    if (argc > 5 || n < 10 || n > 20000 || !(noise > 0 && noise < 1) ||
        !equation_title(name)) {
        fprintf(stderr,
                "usage: tikhonov [ORDER [NOISE [FILE.svg [EQUATION]]]]\n"
                "EQUATION: phillips, shaw, baart or heat\n");
        return 2;
    }
    printf("problem          %s, A %d x %d, L %d x %d, noise %g\n",
           equation_title(name), n, n, n - 2, n, noise);
    if (!equation_create(&problem, name, n, noise) ||
        !allocate(&w, n, problem.p)) {
        fprintf(stderr, "tikhonov: no memory\n");
        equation_free(&problem);
        release(&w);
        return 1;
    }
    int done = decompose(&problem, &w);
    if (done) {
        print_values(&w);
        done = check(&problem, &w);
    }
    done = done && solve(&problem, &w, file);
    equation_free(&problem);
    release(&w);
    return !done;
}
