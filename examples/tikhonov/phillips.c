/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* phillips.c -- Phillips' integral equation, discretized, with noisy data. */
#include "phillips.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>

static const double pi = 3.14159265358979323846;

static double phi(double x) { return fabs(x) < 3 ? 1 + cos(pi * x / 3) : 0; }

static double g(double s)
{
    const double a = fabs(s);

    return (6 - a) * (1 + cos(pi * s / 3) / 2) + 9 / (2 * pi) * sin(pi * a / 3);
}

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

    return radius * cos(2 * pi * uniform(state));
}

int phillips_create(problem_t *problem, int n, double noise)
{
    const int p = n - 2;
    const double h = 12.0 / n;
    const size_t order = (size_t)n;
    double *const e = malloc(order * sizeof *e);

    *problem = (problem_t){.n = n, .p = p, .noise = noise};
    problem->A = malloc(order * order * sizeof(double));
    problem->L = calloc(order * (size_t)p, sizeof(double));
    problem->t = malloc(order * sizeof(double));
    problem->exact = malloc(order * sizeof(double));
    problem->b = malloc(order * sizeof(double));
    if (!e || !problem->A || !problem->L || !problem->t || !problem->exact ||
        !problem->b) {
        free(e);
        phillips_free(problem);
        return 0;
    }

    uint64_t state = 1962;
    double gg = 0, ee = 0;
    for (int i = 0; i < n; ++i) {
        problem->t[i] = (i + 0.5) * h - 6;
        problem->exact[i] = phi(problem->t[i]);
        problem->b[i] = g(problem->t[i]);
        e[i] = normal(&state);
        gg += problem->b[i] * problem->b[i];
        ee += e[i] * e[i];
    }
    for (int i = 0; i < n; ++i)
        problem->b[i] += noise * sqrt(gg / ee) * e[i];
    free(e);

    for (int j = 0; j < n; ++j)
        for (int i = 0; i < n; ++i)
            problem->A[i + order * (size_t)j] =
                h * phi(problem->t[i] - problem->t[j]);
    for (int i = 0; i < p; ++i)
        for (int d = 0; d < 3; ++d)
            problem->L[i + (size_t)p * (size_t)(i + d)] =
                (d == 1 ? -2 : 1) / (h * h);
    return 1;
}

void phillips_free(problem_t *problem)
{
    free(problem->A);
    free(problem->L);
    free(problem->t);
    free(problem->exact);
    free(problem->b);
    *problem = (problem_t){0};
}
