/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* twice.h -- sums of products in twice the working precision, one text for C and CUDA.
 *
 * Single precision has double's numbers.  Double has sums of two numbers, hi + lo, without overlap but for
 * rounding (Ogita, Rump and Oishi 2005, algorithm 5.3).  Products below 1e-291 lose digits.
 */
#ifndef GSVD_CORE_TWICE_H
#define GSVD_CORE_TWICE_H

#include "core/scalar.h"

#if GSVD_SINGLE

typedef double twice_t;

/* sum + a b */
GSVD_FN twice_t twice_add_product(twice_t sum, real_t a, real_t b)
{
    return sum + (double)a * (double)b;
}
GSVD_FN twice_t twice_add(twice_t a, twice_t b) { return a + b; }
GSVD_FN real_t twice_round(twice_t a) { return (real_t)a; }

#define TWICE_EPS ((real_t)(DBL_EPSILON / 2)) /* of a sum                     */

#else

typedef struct twice {
    double hi, lo;
} twice_t;

/* not to be contracted into one operation */
#if defined __CUDA_ARCH__
GSVD_FN double alone_add(double a, double b) { return __dadd_rn(a, b); }
GSVD_FN double alone_mul(double a, double b) { return __dmul_rn(a, b); }
#else
GSVD_FN double alone_add(double a, double b) { return a + b; }
GSVD_FN double alone_mul(double a, double b) { return a * b; }
#endif

/* a + b = the result + *error */
GSVD_FN double two_sum(double a, double b, double *error)
{
    const double s = alone_add(a, b), z = alone_add(s, -a);
    *error = alone_add(alone_add(a, -alone_add(s, -z)), alone_add(b, -z));
    return s;
}

/* sum + a b */
GSVD_FN twice_t twice_add_product(twice_t sum, double a, double b)
{
    const double p = alone_mul(a, b), e = fma(a, b, -p);
    double t;
    sum.hi = two_sum(sum.hi, p, &t);
    sum.lo = alone_add(sum.lo, alone_add(t, e));
    return sum;
}
GSVD_FN twice_t twice_add(twice_t a, twice_t b)
{
    double t;
    a.hi = two_sum(a.hi, b.hi, &t);
    a.lo = alone_add(alone_add(a.lo, b.lo), t);
    return a;
}
GSVD_FN real_t twice_round(twice_t a) { return alone_add(a.hi, a.lo); }

#define TWICE_EPS (GSVD_EPS * GSVD_EPS)

#endif

#endif /* GSVD_CORE_TWICE_H */
