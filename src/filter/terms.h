/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* terms.h -- one term of a filtered solution.
 *
 * With h = hypot(c, lambda s) Tikhonov's f is (c / h)^2 and 1 - f is (lambda s / h)^2: no square of
 * a value over- or underflows, and nothing cancels.  Factors are of double precision, whatever the
 * type. */
#ifndef GSVD_FILTER_TERMS_H
#define GSVD_FILTER_TERMS_H

#include <math.h>

#include "core/scalar.h"
#include "core/status.h"
#include "gsvd_filter.h"

/* Of a pair (c, s) and a lambda: f, 1 - f, and two factors whose product is f / c */
typedef struct term {
    double f, rest, over_c[2];
} term_t;

/* ... of x / y with a y above 0, which may be the least number */
static inline term_t kept(double f, double rest, double x, double y)
{
    const double up = y < 0x1p-900 ? 0x1p100 : 1;
    return (term_t){f, rest, {x * up, 1 / (y * up)}};
}

static inline term_t term_of(gsvd_filter_t filter, double c, double s,
                             double lambda)
{
    const double t = s > 0 ? lambda * s : 0;

    if (c == 0)
        return (term_t){0, 1, {0, 0}};
    if (t == 0)
        return kept(1, 0, 1, c);
    if (isinf(t))
        return (term_t){0, 1, {0, 0}};
    /* A lambda that is one of the gamma, rounded to the type, keeps it. */
    if (filter == GSVD_FILTER_TRUNCATED)
        return (real_t)(c / s) >= (real_t)lambda ? kept(1, 0, 1, c)
                                                 : (term_t){0, 1, {0, 0}};
    const double down = c > 0x1p1020 || t > 0x1p1020 ? 0.25 : 1;
    const double x = c * down, y = t * down;
    if (filter == GSVD_FILTER_DAMPED)
        return kept(x / (x + y), y / (x + y), down, x + y);
    const double h = hypot(x, y);
    return kept((x / h) * (x / h), (y / h) * (y / h), down * (x / h), h);
}

/* Is this a list of values that are finite and not negative? */
static inline int are_values(int64_t n, const real_t *x)
{
    int good = 1;
    for (int64_t i = 0; i < n; ++i)
        good &= x[i] >= 0 && x[i] <= GSVD_REAL_MAX;
    return good;
}

static inline gsvd_status_t check_values(gsvd_handle_t h, int64_t r,
                                         const real_t *alpha,
                                         const real_t *beta)
{
    if (r > 0 && (!alpha || !are_values(r, alpha)))
        return gsvd_fail(h, GSVD_INVALID_ARGUMENT,
                         "alpha: NULL, or not finite numbers from 0 up");
    if (r > 0 && (!beta || !are_values(r, beta)))
        return gsvd_fail(h, GSVD_INVALID_ARGUMENT,
                         "beta: NULL, or not finite numbers from 0 up");
    return GSVD_SUCCESS;
}

#endif /* GSVD_FILTER_TERMS_H */
