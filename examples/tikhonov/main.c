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
 * size of the noise: the largest with ||A x - b|| <= ||noise||.  Of these, and of
 * those that need neither, errors are printed. */
#include <float.h>
#include <gsvd_filter.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "equation.h"
#include "picture.h"
#include "quality.h"

enum { POINTS = 121, RULES = 4 };
static const double lambda_range = 1e6; /* of the largest over the smallest  */

/* The GSVD of (A, L), and room for solutions. */
typedef struct work {
    double *A, *L; /* lost                                                   */
    double *alpha, *beta, *U, *V, *Y;
    double *c, *b; /* U' b, and a copy of b                                  */
    double *X;     /* POINTS solutions                                       */
    int64_t k, l;
} work_t;

static int allocate(work_t *w, int n, int p)
{
    const size_t order = (size_t)n, rows = (size_t)p;
    const struct {
        double **array;
        size_t count;
    } all[] = {{&w->A, order * order}, {&w->L, rows * order},
               {&w->alpha, order},     {&w->beta, order},
               {&w->U, order * order}, {&w->V, rows * rows},
               {&w->Y, order * order}, {&w->c, order},
               {&w->b, order},         {&w->X, POINTS * order}};
    int done = 1;

    for (size_t i = 0; i < sizeof all / sizeof *all; ++i) {
        *all[i].array = malloc(all[i].count * sizeof(double));
        done = done && *all[i].array;
    }
    return done;
}

static void release(work_t *w)
{
    double *const all[] = {w->A, w->L, w->alpha, w->beta, w->U,
                           w->V, w->Y, w->c,     w->b,    w->X};

    for (size_t i = 0; i < sizeof all / sizeof *all; ++i)
        free(all[i]);
}

static int failed(gsvd_handle_t h, gsvd_status_t status)
{
    fprintf(stderr, "tikhonov: %s: %s\n", gsvd_status_name(status),
            gsvd_last_error(h));
    return 0;
}

static int decompose(gsvd_handle_t h, const problem_t *problem, work_t *w)
{
    const int n = problem->n, p = problem->p;
    const size_t order = (size_t)n;
    gsvd_stats_t stats = {.size = sizeof stats};
    int info;

    memcpy(w->A, problem->A, order * order * sizeof *w->A);
    memcpy(w->L, problem->L, (size_t)p * order * sizeof *w->L);
    gsvd_status_t status = gsvd_set_option(h, GSVD_FORM, GSVD_FORM_XINV);
    if (status == GSVD_SUCCESS)
        status = dgsvd(h, 'U', 'V', 'Q', n, n, p, &w->k, &w->l, w->A, n, w->L,
                       p, w->alpha, w->beta, w->U, n, w->V, p, w->Y, n, &info);
    if (status == GSVD_SUCCESS)
        status = gsvd_get_stats(h, &stats);
    if (status != GSVD_SUCCESS)
        return failed(h, status);
    if (w->k + w->l != n) {
        fprintf(stderr, "tikhonov: (A; L) has not full rank\n");
        return 0;
    }
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
        residual(n, n, problem->A, w->U, 0, w->alpha, w->Y),
        residual(p, n, problem->L, w->V, (int)w->k, w->beta, w->Y),
        orthogonality(n, w->U), orthogonality(p, w->V)};
    static const char *const names[] = {"||A Y - U D1|| / ||A|| ||Y||",
                                        "||L Y - V D2|| / ||L|| ||Y||",
                                        "||U'U - I||", "||V'V - I||"};
    int good = 1;

    for (int i = 0; i < 4; ++i) {
        printf("%-28s %.1e\n", names[i], numbers[i]);
        good = good && numbers[i] >= 0 && numbers[i] <= n * DBL_EPSILON;
    }
    if (!good)
        fprintf(stderr, "tikhonov: the decomposition is not exact\n");
    return good;
}

/* ||x - exact|| / ||exact|| */
static double error_of(const problem_t *problem, const double *x)
{
    double difference = 0, norm = 0;

    for (int i = 0; i < problem->n; ++i) {
        difference += pow(x[i] - problem->exact[i], 2);
        norm += pow(problem->exact[i], 2);
    }
    return sqrt(difference / norm);
}

/* The errors by rules that do not know the solution */
static void print_rules(gsvd_handle_t h, const problem_t *problem, work_t *w,
                        double rest, double noise)
{
    static const struct {
        gsvd_choice_t choice;
        const char *name;
    } rule[RULES] = {{GSVD_CHOICE_GCV, "cross-validation"},
                     {GSVD_CHOICE_LCURVE, "L-curve"},
                     {GSVD_CHOICE_DISCREPANCY, "discrepancy"},
                     {GSVD_CHOICE_QUASI, "quasi-optimality"}};
    const int n = problem->n;

    for (int i = 0; i < RULES; ++i) {
        double lambda, residual, seminorm;
        gsvd_status_t status =
            dgsvd_choose(h, rule[i].choice, GSVD_FILTER_TIKHONOV, n, n,
                         w->alpha, w->beta, w->c, rest, noise, &lambda);
        if (status == GSVD_SUCCESS)
            status = dgsvd_filter(h, GSVD_FILTER_TIKHONOV, n, n, 1, 1, w->alpha,
                                  w->beta, w->c, n, &rest, &lambda, &residual,
                                  &seminorm, w->Y, n, w->b, n);
        if (status == GSVD_SUCCESS)
            printf("%-16s %.3e, relative error %.2e\n", rule[i].name, lambda,
                   error_of(problem, w->b));
        else
            printf("%-16s %s\n", rule[i].name, gsvd_last_error(h));
    }
}

static int solve(gsvd_handle_t h, const problem_t *problem, work_t *w,
                 const char *file)
{
    const int n = problem->n;
    point_t curve[POINTS];
    double lambda[POINTS], residual[POINTS], seminorm[POINTS], rest, bb = 0;
    outcome_t outcome = {.points = POINTS, .curve = curve};

    for (int i = 0; i < n; ++i)
        bb += problem->b[i] * problem->b[i];
    const double discrepancy = problem->noise * sqrt(bb);
    for (int i = 0; i < POINTS; ++i)
        lambda[i] =
            problem->lambda_min * pow(lambda_range, (double)i / (POINTS - 1));

    memcpy(w->b, problem->b, (size_t)n * sizeof *w->b);
    gsvd_status_t status =
        dgsvd_picard(h, n, n, 1, w->U, n, w->b, n, w->c, n, &rest);
    if (status == GSVD_SUCCESS)
        status = dgsvd_filter(h, GSVD_FILTER_TIKHONOV, n, n, 1, POINTS,
                              w->alpha, w->beta, w->c, n, &rest, lambda,
                              residual, seminorm, w->Y, n, w->X, n);
    if (status != GSVD_SUCCESS)
        return failed(h, status);
    for (int i = 0; i < POINTS; ++i) {
        const double *const x = w->X + (size_t)n * (size_t)i;
        curve[i] = (point_t){lambda[i], residual[i], error_of(problem, x)};
        if (curve[i].error < curve[outcome.best].error)
            outcome.best = i;
        if (curve[i].residual <= discrepancy)
            outcome.morozov = i;
    }
    for (int i = 0; i < outcome.best; ++i) /* 30 times smaller than the best */
        if (curve[i].lambda < curve[outcome.best].lambda / 30)
            outcome.rough = i;
    outcome.x_best = w->X + (size_t)n * (size_t)outcome.best;
    outcome.x_rough = w->X + (size_t)n * (size_t)outcome.rough;

    printf("%12s %16s %16s\n", "lambda", "||A x - b||", "relative error");
    for (int i = 0; i < POINTS; ++i)
        if (i % 10 == 0 || i == outcome.best || i == outcome.morozov)
            printf("%12.3e %16.6e %16.4e%s%s\n", curve[i].lambda,
                   curve[i].residual, curve[i].error,
                   i == outcome.best ? "  <- best" : "",
                   i == outcome.morozov ? "  <- by the discrepancy principle"
                                        : "");
    printf("best lambda      %.3e, relative error %.2e\n",
           curve[outcome.best].lambda, curve[outcome.best].error);
    print_rules(h, problem, w, rest, discrepancy);

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
    gsvd_handle_t h;
    int done = gsvd_create(&h, GSVD_ANY) == GSVD_SUCCESS;
    if (!done)
        fprintf(stderr, "tikhonov: no handle: %s\n", gsvd_last_error(NULL));
    done = done && decompose(h, &problem, &w);
    if (done) {
        print_values(&w);
        done = check(&problem, &w);
    }
    done = done && solve(h, &problem, &w, file);
    gsvd_destroy(h);
    equation_free(&problem);
    release(&w);
    return !done;
}
