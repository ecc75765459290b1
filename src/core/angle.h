/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* angle.h -- the entries of the matrices of a large step, one text for C and CUDA. */
#ifndef GSVD_CORE_ANGLE_H
#define GSVD_CORE_ANGLE_H

#include "core/rotate.h"

/* The larger of two numbers that are not negative; NaN if one of them is. */
GSVD_FN real_t larger(real_t a, real_t b) { return a < b || b != b ? b : a; }

/* The larger of |re| and |im|; NaN if one of them is. */
GSVD_FN real_t larger_part(scalar_t a)
{
    return larger(fabs_r(re(a)), fabs_r(im(a)));
}

/* a / d, and 0 where d is 0 */
GSVD_FN scalar_t over_length(scalar_t a, real_t d)
{
    return d == 0 ? make(0, 0) : make(re(a) / d, im(a) / d);
}

/* Have columns i and j unequal signs?  sign == NULL: all signs are equal. */
GSVD_FN int unequal_signs(const real_t *sign, int64_t i, int64_t j)
{
    return sign && sign[i] != sign[j];
}

/* A small angle for n columns.  A T of such angles with random signs has a norm of 2 sqrt(n) times
 * the angle, and I + T is unitary to rounding. */
GSVD_FN real_t small_angle(int64_t n)
{
    return sqrt_r(GSVD_EPS / (real_t)(16 * n));
}

/* T(i,j) of columns of lengths di >= dj and cosine c, at most ANGLE_MOST; 0 where the
 * cosine is at most `least` and the angle not small */
#define ANGLE_MOST ((real_t)0.5)
GSVD_FN scalar_t pair_angle(scalar_t c, real_t di, real_t dj, int unequal,
                            real_t least, real_t small)
{
    if (!(abs_of(c) > 0) || dj == 0)
        return make(0, 0);
    const scalar_t t =
        unequal ? hyperbolic_angle(c, dj / di) : rotation_angle(c, dj / di);
    const real_t size = abs_of(t);
    if (!(abs_of(c) > least) && size > small)
        return make(0, 0);
    return size > ANGLE_MOST ? scale(ANGLE_MOST / size, t) : t;
}

/* T(j,i) from T(i,j) */
GSVD_FN scalar_t turned_angle(scalar_t t, int unequal)
{
    return unequal ? conj_of(t) : make(-re(t), im(t));
}

/* of I + s T - s^2/2 S */
GSVD_FN scalar_t exp_entry(int diagonal, real_t s, scalar_t t, scalar_t square)
{
    const scalar_t sum = sub(scale(s, t), scale(s * s / 2, square));
    return diagonal ? add(make(1, 0), sum) : sum;
}

/* of the square root of |x|, and of the sign of x: 0 where x is 0 or no number */
GSVD_FN void signed_root(real_t x, real_t *root, real_t *sign)
{
    *root = sqrt_r(fabs_r(x));
    *sign = (real_t)((x > 0) - (x < 0));
}

/* J(i,i) E(i,j) of E = P^H J P */
GSVD_FN scalar_t with_sign(const real_t *sign, int64_t i, scalar_t e)
{
    return sign ? scale(sign[i], e) : e;
}

/* of (3 I - E) / 2 */
GSVD_FN scalar_t newton_schulz_entry(int diagonal, scalar_t e)
{
    const scalar_t half = scale((real_t)-0.5, e);
    return diagonal ? add(make((real_t)1.5, 0), half) : half;
}

/* J (E - J) / 2 of an entry of E, or 0 where that is no more than `least` off */
GSVD_FN scalar_t signed_drift_entry(const real_t *sign, int64_t i, int64_t j,
                                    scalar_t e, real_t least)
{
    const scalar_t off = sub(with_sign(sign, i, e), make(i == j, 0));
    return abs_of(off) <= least ? make(0, 0) : scale((real_t)0.5, off);
}

#endif /* GSVD_CORE_ANGLE_H */
