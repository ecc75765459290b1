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

/* ... and the least that it may be of one times 2^-e: what is not above it is
 * next to 0 times 2^e; half of the least number if the caller gave a tolerance */
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

/* A matrix comes by unitary transformations from 2^e times an m x n matrix whose
 * entries are at most 1: no entry is larger than 2^e sqrt(2 m n).  Times 2 to minus
 * this, none overflows; 0 or less: none does. */
GSVD_FN int overflow_exponent(int64_t m, int64_t n, int e)
{
    const int top = GSVD_SINGLE ? FLT_MAX_EXP : DBL_MAX_EXP;
    return e + (digits_of(m) + digits_of(n)) / 2 + 2 - top;
}

#endif /* GSVD_CORE_RANGE_H */
