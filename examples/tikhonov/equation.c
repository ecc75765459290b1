/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* equation.c -- integral equations of the first kind, discretized, with noisy data. */
#include "equation.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define PI 3.14159265358979323846

/* -- the equations: kernel, solution, and the right-hand side where it has a formula -- */

static double phi(double x) { return fabs(x) < 3 ? 1 + cos(PI * x / 3) : 0; }

static double phillips(double s, double t) { return phi(s - t); }

static double phillips_g(double s)
{
    const double a = fabs(s);

    return (6 - a) * (1 + cos(PI * s / 3) / 2) + 9 / (2 * PI) * sin(PI * a / 3);
}

static double shaw(double s, double t)
{
    const double u = PI * (sin(s) + sin(t)), c = cos(s) + cos(t);
    const double q = fabs(u) > 1e-8 ? sin(u) / u : 1;

    return c * c * q * q;
}

static double shaw_f(double t)
{
    return 2 * exp(-6 * (t - 0.8) * (t - 0.8)) +
           exp(-2 * (t + 0.5) * (t + 0.5));
}

static double baart(double s, double t) { return exp(s * cos(t)); }

static double baart_g(double s) { return s > 0 ? 2 * sinh(s) / s : 2; }

static double heat(double s, double t)
{
    const double x = s - t;

    return x > 0 ? exp(-1 / (4 * x)) / (2 * sqrt(PI) * x * sqrt(x)) : 0;
}

static double heat_f(double t)
{
    return 16 * t * t * (1 - t) * (1 - t) * (1 + t);
}

typedef struct equation {
    const char *name, *title;
    double (*kernel)(double s, double t);
    double (*f)(double t);
    double (*g)(double s); /* NULL: by quadrature                             */
    double s0, s1, t0, t1, lambda_min;
} equation_t;

static const equation_t table[] = {
    {"phillips", "Phillips' integral equation", phillips, phi, phillips_g, -6,
     6, -6, 6, 1e-5},
    {"shaw", "Shaw's integral equation", shaw, shaw_f, NULL, -PI / 2, PI / 2,
     -PI / 2, PI / 2, 1e-5},
    {"baart", "Baart's integral equation", baart, sin, baart_g, 0, PI / 2, 0,
     PI, 1e-5},
    {"heat", "The inverse heat equation", heat, heat_f, NULL, 0, 1, 0, 1, 1e-8},
};

static const equation_t *find(const char *name)
{
    for (size_t i = 0; i < sizeof table / sizeof *table; ++i)
        if (strcmp(table[i].name, name) == 0)
            return &table[i];
    return NULL;
}

const char *equation_title(const char *name)
{
    const equation_t *const e = find(name);

    return e ? e->title : NULL;
}

/* g(s), if it has no formula by the midpoint rule in more points than A has */
static double right_side(const equation_t *e, double s, int n)
{
    const int fine = 16 * n;
    const double h = (e->t1 - e->t0) / fine;
    double sum = 0;

    if (e->g)
        return e->g(s);
    for (int j = 0; j < fine; ++j) {
        const double t = e->t0 + (j + 0.5) * h;
        sum += e->kernel(s, t) * e->f(t);
    }
    return h * sum;
}

/* -- noise ----------------------------------------------------------------------- */

/* Uniform in (0, 1): xorshift64*, Vigna, ACM TOMS 42 (2016) 30, upper half. */
static double uniform(uint64_t *state)
{
    *state ^= *state >> 12;
    *state ^= *state << 25;
    *state ^= *state >> 27;
    return ((double)(*state * UINT64_C(2685821657736338717) >> 32) + 0.5) /
           4294967296.0;
}

/* Normal, by Box and Muller. */
static double normal(uint64_t *state)
{
    const double radius = sqrt(-2 * log(uniform(state)));

    return radius * cos(2 * PI * uniform(state));
}

/* -- the problem ----------------------------------------------------------------- */

static int allocate(problem_t *problem, double **e)
{
    const size_t order = (size_t)problem->n;

    *e = malloc(order * sizeof **e);
    problem->A = malloc(order * order * sizeof(double));
    problem->L = calloc(order * (size_t)problem->p, sizeof(double));
    problem->t = malloc(order * sizeof(double));
    problem->exact = malloc(order * sizeof(double));
    problem->b = malloc(order * sizeof(double));
    if (*e && problem->A && problem->L && problem->t && problem->exact &&
        problem->b)
        return 1;
    free(*e);
    equation_free(problem);
    return 0;
}

/* b := b and noise; e has room for it */
static void add_noise(problem_t *problem, double *e)
{
    uint64_t state = 1962;
    double gg = 0, ee = 0;

    for (int i = 0; i < problem->n; ++i) {
        e[i] = normal(&state);
        gg += problem->b[i] * problem->b[i];
        ee += e[i] * e[i];
    }
    for (int i = 0; i < problem->n; ++i)
        problem->b[i] += problem->noise * sqrt(gg / ee) * e[i];
}

int equation_create(problem_t *problem, const char *name, int n, double noise)
{
    const equation_t *const eq = find(name);
    const int p = n - 2;
    const double h = (eq->t1 - eq->t0) / n, hs = (eq->s1 - eq->s0) / n;
    /* Volterra's kernel is 0 on the diagonal: s is half a step later. */
    const double late = eq->kernel == heat ? 1 : 0.5;
    const size_t order = (size_t)n;
    double *e;

    *problem = (problem_t){.title = eq->title,
                           .n = n,
                           .p = p,
                           .lambda_min = eq->lambda_min,
                           .t0 = eq->t0,
                           .t1 = eq->t1,
                           .noise = noise};
    if (!allocate(problem, &e))
        return 0;
    for (int i = 0; i < n; ++i) {
        problem->t[i] = eq->t0 + (i + 0.5) * h;
        problem->exact[i] = eq->f(problem->t[i]);
        problem->b[i] = right_side(eq, eq->s0 + (i + late) * hs, n);
    }
    add_noise(problem, e);
    free(e);

    for (int j = 0; j < n; ++j)
        for (int i = 0; i < n; ++i)
            problem->A[i + order * (size_t)j] =
                h * eq->kernel(eq->s0 + (i + late) * hs, problem->t[j]);
    for (int i = 0; i < p; ++i)
        for (int d = 0; d < 3; ++d)
            problem->L[i + (size_t)p * (size_t)(i + d)] =
                (d == 1 ? -2 : 1) / (h * h);
    return 1;
}

void equation_free(problem_t *problem)
{
    free(problem->A);
    free(problem->L);
    free(problem->t);
    free(problem->exact);
    free(problem->b);
    *problem = (problem_t){0};
}
