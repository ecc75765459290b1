/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* numbers.h -- limits and formulas of a small pair that all its solvers share, for C
 * and CUDA. */
#ifndef GSVD_SMALL_NUMBERS_H
#define GSVD_SMALL_NUMBERS_H

#include "core/elementwise.h"
#include "core/reciprocal.h"

/* Limits of jacobi/tangent.c.  TANGENT_TOP: G's entries are at most 2^TANGENT_TOP.  TANGENT_RANGE:
 * its shortest columns are at least 2^-TANGENT_RANGE of that.  TANGENT_MODERATE: lengths above
 * 2^-TANGENT_MODERATE are moderate.  TANGENT_PLAIN, TANGENT_PIVOTED: the growth of F, over its
 * number of columns, without pivots and with them. */
enum {
    TANGENT_TOP = GSVD_SINGLE ? 48 : 460,
    TANGENT_RANGE = 2 * TANGENT_TOP - 6,
    TANGENT_APART = GSVD_SINGLE ? 30 : 300, /* bits: are_far                */
    TANGENT_FAR = 2 * TANGENT_APART, /* bits: P->apart                       */
    TANGENT_MODERATE = GSVD_SINGLE ? 12 : 180,
    TANGENT_PLAIN = 2,
    TANGENT_PIVOTED = 6
};

/* A number that lacks no digits where F lacks them */
#define TANGENT_ENOUGH (GSVD_SAFMIN * 1024)

/* Are these lengths, or sizes, so far apart that products of theirs may leave the range? */
GSVD_FN int are_far(real_t most, real_t least)
{
    return ldexp_r(most, -TANGENT_APART) > least;
}

/* The bits that they are apart; 0 where all are 0 */
GSVD_FN int bits_apart(real_t most, real_t least)
{
    return most > 0 ? exponent_r(most) - exponent_r(least) : 0;
}

/* An entry 2^e g x of the caller's R, where |x| is about 2^top.  An entry that exceeds the largest
 * number by rounding alone, for matrices of so many rows and columns, becomes that number.  A zero
 * on the diagonal becomes the least number. */
GSVD_FN scalar_t entry_of_caller(scalar_t x, real_t g, int e, int top, int rows,
                                 int cols, int diagonal)
{
    const int far = (GSVD_SINGLE ? FLT_MAX_EXP : DBL_MAX_EXP) - 60;
    scalar_t y = scale(g, x);

    if (e > -far && e + top < far) {
        y = scale(power_of_two(e), y);
    } else {
        const real_t slack = rounding_of(mat_view(0, rows, cols, 1));
        y = make(ldexp_near(re(y), e, slack), ldexp_near(im(y), e, slack));
    }
    return diagonal && abs_max(y) == 0 ? make(GSVD_SAFMIN * GSVD_ULP, 0) : y;
}

#endif /* GSVD_SMALL_NUMBERS_H */
