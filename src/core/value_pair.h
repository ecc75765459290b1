/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* value_pair.h -- the formulas of one pair (c, s) of generalized values, for C and
 * CUDA. */
#ifndef GSVD_CORE_VALUE_PAIR_H
#define GSVD_CORE_VALUE_PAIR_H

#include "core/scalar.h"

/* (a, b) = g (alpha, beta) with alpha^2 + beta^2 = 1, for a, b >= 0 not both 0.
 *
 * Each operation is rounded correctly, which hypot does not promise.  So alpha = 1 if b / a is
 * below rounding, and near 1 a larger ratio never gives a smaller value. */
GSVD_FN void value_pair_normalize(real_t a, real_t b, real_t *g, real_t *alpha,
                                  real_t *beta)
{
    const int a_leads = a >= b;
    const real_t large = a_leads ? a : b, t = (a_leads ? b : a) / large;
    const real_t root = sqrt_r(1 + t * t), one = 1 / root;
    *g = large * root;
    *alpha = a_leads ? one : t * one;
    *beta = a_leads ? t * one : one;
}

/* (c, s) := (c, s) / |(c, s)|; a pair (0, 0) becomes (0, 1) */
GSVD_FN void value_pair_unit(real_t *c, real_t *s)
{
    real_t length;
    if (*c > 0 || *s > 0)
        value_pair_normalize(*c, *s, &length, c, s);
    else
        *s = 1;
}

/* Does pair i come before pair j?  c descends, then s ascends; neither of two equal
 * pairs comes before the other. */
GSVD_FN int value_pair_before(const real_t *c, const real_t *s, int64_t i,
                              int64_t j)
{
    return c[i] > c[j] || (c[i] == c[j] && s[i] < s[j]);
}

/* Computes the larger of c and s from the smaller, by c^2 + s^2 = 1. */
GSVD_FN void value_pair_complete(real_t *c, real_t *s)
{
    if (*c <= *s)
        *s = sqrt_r(fmax_r(0, (1 - *c) * (1 + *c)));
    else
        *c = sqrt_r(fmax_r(0, (1 - *s) * (1 + *s)));
}

/* (2^ea c, 2^eb s) = g 2^e (alpha, beta) with alpha, beta of length 1.
 *
 * Exponents are added as integers, so that neither the scales nor their ratio
 * need be representable.  (0, 0) does not occur. */
GSVD_FN void value_pair_of_caller(int ea, int eb, real_t c, real_t s,
                                  real_t *alpha, real_t *beta, real_t *g,
                                  int *e)
{
    const int xa = c > 0 ? exponent_r(c) + ea : 0;
    const int xb = s > 0 ? exponent_r(s) + eb : 0;
    const int top = c > 0 && (!(s > 0) || xa > xb) ? xa : xb;
    *e = top;
    value_pair_normalize(ldexp_r(c, ea - top), ldexp_r(s, eb - top), g, alpha,
                         beta);
}

/* h with c h = x and s h = y, where x is an entry of a column of A of length a, and y of a column
 * of B of length b.
 *
 * h = c x + s y is right to rounding of the larger column.  The h that minimizes (|x - c h|/a)^2 +
 * (|y - s h|/b)^2 is right to rounding of each column, if c and s are accurate enough.  With p =
 * c/a and q = s/b it is (p x/a + q y/b) / (p^2 + q^2); the ratio t of p and q gives it without
 * overflow.  A column of zeros demands c h = 0.  If h leaves more than rounding of either column,
 * the result is c x + s y; this happens if c is only known to rounding against 1. */
enum {
    LENGTHS_ALIKE =
        4, /* Columns whose lengths differ by less need no weights. */
    WEIGHTED_ULPS =
        16 /* ... and so much is rounding: LAPACK's ratios allow for 20. */
};

GSVD_FN int columns_differ(real_t a, real_t b)
{
    return a > LENGTHS_ALIKE * b || b > LENGTHS_ALIKE * a;
}

/* x/c + t (a/c) (y/b), over 1 + t^2 */
GSVD_FN scalar_t value_pair_weighted_sum(real_t c, real_t a, scalar_t x,
                                         real_t b, scalar_t y, real_t t)
{
    const real_t f = t * (a / c), over = 1 + t * t;
    const scalar_t h = make(re(x) / c, im(x) / c);
    if (!(f > 0))
        return h;
    return make((re(h) + f * (re(y) / b)) / over,
                (im(h) + f * (im(y) / b)) / over);
}

GSVD_FN scalar_t value_pair_combine(real_t c, scalar_t x, real_t a, real_t s,
                                    scalar_t y, real_t b)
{
    const scalar_t plain = add(scale(c, x), scale(s, y));
    const real_t most = a > b ? a : b, tol = WEIGHTED_ULPS * GSVD_ULP;

    if (!columns_differ(a, b))
        return plain;
    const real_t p = c * (b / most), q = s * (a / most);
    if (!(p > 0) && !(q > 0))
        return plain;
    const scalar_t h = p >= q ? value_pair_weighted_sum(c, a, x, b, y, q / p)
                              : value_pair_weighted_sum(s, b, y, a, x, p / q);
    return abs_max(sub(x, scale(c, h))) <= tol * a &&
                   abs_max(sub(y, scale(s, h))) <= tol * b
               ? h
               : plain;
}

#endif /* GSVD_CORE_VALUE_PAIR_H */
