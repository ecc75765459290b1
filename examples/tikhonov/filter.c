/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* filter.c -- Tikhonov's solutions for any lambda from one GSVD. */
#include "filter.h"

#include <math.h>
#include <stdlib.h>

int filter_create(filter_t *filter, int n, const double *U, const double *Q,
                  const double *R, const double *c, const double *s,
                  const double *b)
{
    const size_t order = (size_t)n;

    *filter = (filter_t){.n = n, .Q = Q, .R = R, .c = c, .s = s};
    filter->coefficient = calloc(order, sizeof(double));
    filter->y = malloc(order * sizeof(double));
    if (!filter->coefficient || !filter->y) {
        filter_free(filter);
        return 0;
    }
    for (int j = 0; j < n; ++j)
        for (int i = 0; i < n; ++i)
            filter->coefficient[j] += U[i + order * (size_t)j] * b[i];
    return 1;
}

void filter_free(filter_t *filter)
{
    free(filter->coefficient);
    free(filter->y);
    *filter = (filter_t){0};
}

point_t filter_solve(const filter_t *filter, double lambda, const double *exact,
                     double *x)
{
    const int n = filter->n;
    const size_t order = (size_t)n;
    double *const y = filter->y;
    double rr = 0; /* ||A x - b||^2 */

    for (int i = 0; i < n; ++i) {
        const double cc = filter->c[i] * filter->c[i];
        const double ss = lambda * filter->s[i] * (lambda * filter->s[i]);
        const double kept = ss / (cc + ss); /* 1 - f_i */

        y[i] = filter->c[i] / (cc + ss) * filter->coefficient[i];
        rr += pow(kept * filter->coefficient[i], 2);
    }
    for (int j = n - 1; j >= 0; --j) { /* y := R^-1 y */
        const double *const column = filter->R + order * (size_t)j;

        y[j] /= column[j];
        for (int i = 0; i < j; ++i)
            y[i] -= column[i] * y[j];
    }
    for (int i = 0; i < n; ++i)
        x[i] = 0;
    for (int j = 0; j < n; ++j)
        for (int i = 0; i < n; ++i)
            x[i] += filter->Q[i + order * (size_t)j] * y[j];

    double difference = 0, norm = 0;
    for (int i = 0; i < n; ++i) {
        difference += pow(x[i] - exact[i], 2);
        norm += exact[i] * exact[i];
    }
    return (point_t){.lambda = lambda,
                     .residual = sqrt(rr),
                     .error = sqrt(difference / norm)};
}
