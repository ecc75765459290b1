/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* value_pair.h -- the formulas of one pair (c, s) of generalized values, for C and CUDA. */
#ifndef GSVD_CORE_VALUE_PAIR_H
#define GSVD_CORE_VALUE_PAIR_H

#include "core/scalar.h"

/* (a, b) = g (alpha, beta) with alpha^2 + beta^2 = 1, for a, b >= 0 not both 0.
 *
 * Each operation is rounded correctly, which hypot does not promise: so alpha = 1 where
 * b / a is below rounding, and near 1 a larger ratio never gives a smaller value. */
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

#endif /* GSVD_CORE_VALUE_PAIR_H */
