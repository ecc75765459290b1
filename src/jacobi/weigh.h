/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* weigh.h -- the formulas of one generalized value pair, for C and CUDA. */
#ifndef GSVD_JACOBI_WEIGH_H
#define GSVD_JACOBI_WEIGH_H

#include "core/scalar.h"

/* (c, s) := (c, s) / hypot(c, s); a pair (0, 0) becomes (0, 1) */
GSVD_FN void values_unit_one(real_t *c, real_t *s)
{
    const real_t length = hypot_r(*c, *s);
    if (length > 0) {
        *c /= length;
        *s /= length;
    } else {
        *s = 1;
    }
}

/* Does pair i come before pair j?  c descending, then s ascending.  Pairs of
 * equal c and s keep their order if i stood after j. */
GSVD_FN int values_before(const real_t *c, const real_t *s, int64_t i,
                          int64_t j)
{
    return c[i] > c[j] || (c[i] == c[j] && s[i] < s[j]);
}

/* The larger of c, s from the smaller, by c^2 + s^2 = 1. */
GSVD_FN void values_complete_one(real_t *c, real_t *s)
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
GSVD_FN void values_weigh_one(int ea, int eb, real_t c, real_t s, real_t *alpha,
                              real_t *beta, real_t *g, int *e)
{
    const int xa = c > 0 ? exponent_r(c) + ea : 0;
    const int xb = s > 0 ? exponent_r(s) + eb : 0;
    const int top = c > 0 && (!(s > 0) || xa > xb) ? xa : xb;
    const real_t a = ldexp_r(c, ea - top), b = ldexp_r(s, eb - top);
    *g = hypot_r(a, b);
    *e = top;
    *alpha = a / *g;
    *beta = b / *g;
}

#endif /* GSVD_JACOBI_WEIGH_H */
