/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* range.h -- what the ends of the range of numbers mean for ranks and results. */
#ifndef GSVD_CORE_RANGE_H
#define GSVD_CORE_RANGE_H

#include "core/matrix.h"

/* xGGSVP3's tolerance of the rank of an m x n matrix */
GSVD_FN real_t rank_tolerance(int64_t m, int64_t n, real_t norm1)
{
    return (real_t)max_i(m, n) * norm1 * GSVD_ULP;
}

/* The least tolerance for a matrix that was scaled by 2^-e.  What is not above it would be next to
 * 0 in the caller's units.  given: the caller gave a tolerance; then it is half of the least
 * number. */
GSVD_FN real_t least_tolerance(int64_t m, int64_t n, int given, int e)
{
    const real_t least = ldexp_r(GSVD_SAFMIN * GSVD_ULP, -e);
    return given ? least / 2 : (real_t)max_i(m, n) * least;
}

/* floor(log2 x) + 1 for x >= 1 */
GSVD_FN int digits_of(int64_t x)
{
    int count = 0;
    for (; x > 0; x /= 2)
        ++count;
    return count;
}

/* For a matrix that unitary transformations have made of 2^e times an m x n matrix with entries up
 * to 1.  No entry is larger than 2^e sqrt(2 m n).  Returns an x such that no entry times 2^-x
 * overflows; if x <= 0, no entry overflows. */
GSVD_FN int overflow_exponent(int64_t m, int64_t n, int e)
{
    const int top = GSVD_SINGLE ? FLT_MAX_EXP : DBL_MAX_EXP;
    return e + (digits_of(m) + digits_of(n)) / 2 + 2 - top;
}

/* The largest entries of a scaled pair are next to 2^pair_top; ea and eb are the exponents of the
 * largest entries of the caller's pair.  Neither A nor B is made smaller than it must be, since its
 * short columns and rows would leave the range.  2^PAIR_TOP is the most: squares of numbers up to
 * that, and long sums of them, do not overflow. */
enum { PAIR_TOP = GSVD_SINGLE ? 40 : 450 };

GSVD_FN int pair_top(int ea, int eb)
{
    const int e = ea > eb ? ea : eb;
    return e < 0 ? 0 : e < PAIR_TOP ? e : PAIR_TOP;
}

/* The length of a column has so many bits more than its entries, or less. */
enum { LENGTH_BITS = 20 };

/* Does a matrix over 2^down lose entries that count?  Those of a short column in a short row may be
 * as small as the product of both says.  By the largest entry, the size of the least row, and the
 * length of the least column. */
GSVD_FN int loses_entries(real_t largest, real_t least_row, real_t least_column,
                          int down)
{
    return exponent_r(least_row) - exponent_r(largest) +
               exponent_r(least_column) - down <
           exponent_r(GSVD_SAFMIN / GSVD_EPS);
}

#endif /* GSVD_CORE_RANGE_H */
