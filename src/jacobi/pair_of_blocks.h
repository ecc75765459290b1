/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* pair_of_blocks.h -- what a meeting of two blocks of columns decides, one text for C and
 * CUDA. */
#ifndef GSVD_JACOBI_PAIR_OF_BLOCKS_H
#define GSVD_JACOBI_PAIR_OF_BLOCKS_H

#include "core/rotate.h"

/* If the squares of all cosines that a sweep over a pair of blocks met are at most this, it was
 * the last one: the next sweep would only meet cosines of the size of rounding. */
#define INNER_SMALL GSVD_EPS

/* Cosines above this part of the tolerance are rotated: all that were counted are, however
 * either test rounds. */
#define INNER_TOLERANCE ((real_t)0.5)

/* A pair of blocks whose transformation has a larger entry is left to rotations by shears,
 * whose inverses are exact (core/vector.h). */
#define HYPERBOLIC_MOST ((real_t)2)

/* A pair of blocks is also left to sweeps if V^H J V is off J by more than this.  Then its
 * transformation V was longer on its way than it is in the end.  A step of Newton and Schulz would
 * not reduce this to rounding, and H is off by as much. */
#define HYPERBOLIC_DRIFT (sqrt_r(GSVD_EPS) / (GSVD_SINGLE ? 8 : 64))

/* Is x beyond the bound, or NaN? */
GSVD_FN int exceeds(real_t x, real_t bound) { return !(x <= bound); }

/* Has a column become so short in a meeting that H, which errs relative to what it was, does not
 * know its length? */
GSVD_FN int is_spent(real_t before, real_t after)
{
    return before > 0 && exceeds(before * sqrt_r(sqrt_r(GSVD_EPS)), after);
}

/* Is the real or the imaginary part? */
GSVD_FN int entry_exceeds(scalar_t a, real_t bound)
{
    return exceeds(fabs_r(re(a)), bound) || exceeds(fabs_r(im(a)), bound);
}

/* A power of two next to the length d, 1 if the column is too short to be turned */
GSVD_FN real_t power_below(real_t d)
{
    const int most = (GSVD_SINGLE ? FLT_MAX_EXP : DBL_MAX_EXP) - 3;
    if (!long_enough(d))
        return 1;
    const int e = exponent_r(d);
    return ldexp_r(1, e > most ? most : e);
}

/* A rotation moves a part s of a long column to a short one, where s is as small as the ratio of
 * their lengths.  If scales in a pair of blocks differ by more than 2^RATIO_MOST, s might be a
 * denormal number; then the pair is left to rotations one by one (core/rotate.h). */
enum { RATIO_MOST = GSVD_SINGLE ? 96 : 960 };

/* The exponents of the scales of columns that are turned */
GSVD_FN int are_too_far_apart(int lowest, int highest)
{
    return highest > lowest && highest - lowest > RATIO_MOST;
}

/* The length of a column of the square h, over its scale */
GSVD_FN real_t length_over(real_t h, real_t scale_)
{
    return h > 0 ? sqrt_r(h) * scale_ : 0;
}

/* The root of a column's square h, 0 if the column is too short to be rotated */
GSVD_FN real_t root_of(real_t h)
{
    return exceeds(h, ROTATE_TINY) ? sqrt_r(h) : 0;
}

/* Does the cosine of columns with these roots exceed tol, or is it NaN? */
GSVD_FN int cosine_exceeds(real_t root_p, real_t root_q, scalar_t apq,
                           real_t tol)
{
    return root_p != 0 && root_q != 0 &&
           exceeds(abs_of(apq), tol * root_p * root_q);
}

/* Is a column of the length `shortest` clearly shorter than one that stands behind it? */
GSVD_FN int out_of_order(real_t shortest, real_t length)
{
    const real_t ratio = shortest / length;
    return ratio * ratio < ROTATE_SHORTER;
}

/* Does one column come before another, by sign and descending length? */
GSVD_FN int comes_before(real_t length, real_t other, int sign, int other_sign)
{
    return sign != other_sign ? sign > other_sign : length > other;
}

#endif /* GSVD_JACOBI_PAIR_OF_BLOCKS_H */
