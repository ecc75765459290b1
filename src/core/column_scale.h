/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* column_scale.h -- powers of two for the columns of a pair, for C and CUDA. */
#ifndef GSVD_CORE_COLUMN_SCALE_H
#define GSVD_CORE_COLUMN_SCALE_H

#include "core/scalar.h"

/* column_scales: b times the scale is within 2^-SPREAD and 2^SPREAD.  Squares of such lengths, and
 * their quotients with lengths next to 1, are normal numbers.  If a is 0, b times the scale is
 * next to 2^SPREAD.  Then that column of B comes first in its pivoted QR, and the column of A B^-1
 * is 0, too, and not rounding of others. */
enum {
    SPREAD = GSVD_SINGLE ? 56 : 460,
    LEAST_SCALE = GSVD_SINGLE ? 120 : 1000
};

GSVD_FN real_t column_scale(real_t a, real_t b)
{
    int e = a > 0 ? exponent_r(a) : b > 0 ? exponent_r(b) - SPREAD : 0;
    if (b > 0 && e < exponent_r(b) - SPREAD)
        e = exponent_r(b) - SPREAD;
    if (b > 0 && e > exponent_r(b) + SPREAD)
        e = exponent_r(b) + SPREAD;
    return ldexp_r(1, e < -LEAST_SCALE ? LEAST_SCALE : -e);
}

/* joint_scales, with the binary exponents of the largest a and b */
GSVD_FN real_t joint_scale(real_t a, real_t b, real_t least_a, real_t least_b,
                           int top_a, int top_b)
{
    int e = LEAST_SCALE;
    if (!(a > least_a) && !(b > least_b))
        return 1;
    if (a > 0 && top_a - exponent_r(a) < e)
        e = top_a - exponent_r(a);
    if (b > 0 && top_b - exponent_r(b) < e)
        e = top_b - exponent_r(b);
    return ldexp_r(1, e);
}

/* The largest joint_scale: is there perhaps a column that it leaves shorter than others, so that
 * tolerances do not count it? */
GSVD_FN int scales_end(real_t most) { return most >= ldexp_r(1, LEAST_SCALE); }

#endif /* GSVD_CORE_COLUMN_SCALE_H */
