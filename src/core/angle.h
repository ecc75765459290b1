/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* angle.h -- the entries of the matrices of a large step, one text for C and CUDA. */
#ifndef GSVD_CORE_ANGLE_H
#define GSVD_CORE_ANGLE_H

#include "core/rotate.h"

/* The larger of two numbers that are not negative; NaN if one of them is. */
GSVD_FN real_t larger(real_t a, real_t b) { return a < b || b != b ? b : a; }

/* a / d, and 0 where d is 0 */
GSVD_FN scalar_t over_length(scalar_t a, real_t d)
{
    return d == 0 ? make(0, 0) : make(re(a) / d, im(a) / d);
}

/* The angle of columns of lengths di >= dj and cosine c, at most ANGLE_MOST; 0 where the
 * cosine is small enough */
#define ANGLE_MOST ((real_t)0.5)
GSVD_FN scalar_t pair_angle(scalar_t c, real_t di, real_t dj, real_t least)
{
    if (!(abs_of(c) > least))
        return make(0, 0);
    const scalar_t t = rotation_angle(c, dj / di);
    const real_t size = abs_of(t);
    return size > ANGLE_MOST ? scale(ANGLE_MOST / size, t) : t;
}

/* of I + s T - s^2/2 S */
GSVD_FN scalar_t exp_entry(int diagonal, real_t s, scalar_t t, scalar_t square)
{
    const scalar_t sum = sub(scale(s, t), scale(s * s / 2, square));
    return diagonal ? add(make(1, 0), sum) : sum;
}

/* of (3 I - E) / 2 */
GSVD_FN scalar_t newton_schulz_entry(int diagonal, scalar_t e)
{
    const scalar_t half = scale((real_t)-0.5, e);
    return diagonal ? add(make((real_t)1.5, 0), half) : half;
}

#endif /* GSVD_CORE_ANGLE_H */
