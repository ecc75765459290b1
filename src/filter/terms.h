/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* terms.h -- one term of a filtered solution.
 *
 * With h = hypot(c, lambda s) Tikhonov's f is (c / h)^2 and 1 - f is (lambda s / h)^2: nothing
 * cancels.  Their exponents are kept apart, so that no part of a result leaves the range where the
 * result does not.  Factors are of double precision, whatever the type. */
#ifndef GSVD_FILTER_TERMS_H
#define GSVD_FILTER_TERMS_H

#include <math.h>

#include "core/scalar.h"
#include "core/status.h"
#include "gsvd_filter.h"

/* m 2^e */
typedef struct scaled {
    double m;
    int e;
} scaled_t;

/* Of a pair (c, s) and a lambda: f, 1 - f and f / c */
typedef struct term {
    double f;
    scaled_t rest, over_c;
} term_t;

/* Products of a few of these stay in the range. */
static inline int is_ordinary(double x)
{
    return x == 0 || (fabs(x) > 0x1p-150 && fabs(x) < 0x1p150);
}

/* x a b */
static inline double times(scaled_t x, double a, double b)
{
    int i = 0, j = 0; /* frexp need not set them of an infinity.             */
    if (x.e == 0 && is_ordinary(a) && is_ordinary(b))
        return x.m * a * b;
    const double m = x.m * frexp(a, &i) * frexp(b, &j);
    return ldexp(m, x.e + i + j);
}

static inline term_t term_of(gsvd_filter_t filter, double c, double s,
                             double lambda)
{
    const term_t none = {0, {1, 0}, {0, 0}};
    int of_c = 0, of_s = 0, of_lambda = 0;

    if (c == 0)
        return none;
    const int apart =
        !is_ordinary(c) || !is_ordinary(s) || !is_ordinary(lambda);
    const double x = apart ? frexp(c, &of_c) : c;
    const term_t all = {1, {0, 0}, {1 / x, -of_c}};
    if (s == 0 || lambda == 0)
        return all;
    if (isinf(lambda))
        return none;
    /* A lambda that is one of the gamma, rounded to the type, keeps it. */
    if (filter == GSVD_FILTER_TRUNCATED)
        return (real_t)(c / s) >= (real_t)lambda ? all : none;
    const double y =
        apart ? frexp(s, &of_s) * frexp(lambda, &of_lambda) : s * lambda;
    const int of_y = of_s + of_lambda, e = of_c > of_y ? of_c : of_y;
    const double a = apart ? ldexp(x, of_c - e) : x;
    const double b = apart ? ldexp(y, of_y - e) : y;
    if (filter == GSVD_FILTER_DAMPED)
        return (term_t){
            a / (a + b), {y / (a + b), of_y - e}, {1 / (a + b), -e}};
    const double h2 = a * a + b * b;
    return (term_t){
        a * a / h2, {y * y / h2, 2 * (of_y - e)}, {x / h2, of_c - 2 * e}};
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
