/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* gaussian.h -- normal random numbers as a function of (seed, index) alone, one text for both
 * twins.
 *
 * splitmix64's output function turns the index into 64 bits.  Their halves are two uniform numbers
 * u and v, of which Box and Muller's formula makes two normal numbers.
 */
#ifndef GSVD_PIVOT_GAUSSIAN_H
#define GSVD_PIVOT_GAUSSIAN_H

#include <stdint.h>

#include "core/matrix.h"

GSVD_FN uint64_t gaussian_bits(uint64_t seed, uint64_t index)
{
    uint64_t z = seed + (index + 1) * 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

/* two independent normal numbers, in double whatever the precision */
GSVD_FN void gaussian_pair(uint64_t seed, uint64_t index, double *x, double *y)
{
    const uint64_t bits = gaussian_bits(seed, index);
    const double u = ((double)(bits >> 32) + 0.5) * 0x1p-32;
    const double v = ((double)(bits & 0xffffffffu) + 0.5) * 0x1p-32;
    const double radius = sqrt(-2 * log(u)), angle = 6.283185307179586 * v;
    *x = radius * cos(angle);
    *y = radius * sin(angle);
}

/* The draws for a column of W: one for each complex entry, or for two real ones.  Draw
 * k fills W(k,j), or W(2k:2k+2,j). */
GSVD_FN int64_t gaussian_draws(int64_t rows)
{
    return (REALS_PER_SCALAR * rows + 1) / 2;
}

GSVD_FN void gaussian_fill(mat_t W, uint64_t seed, int64_t k, int64_t j)
{
    double x, y;
    gaussian_pair(seed, ((uint64_t)j << 24) + (uint64_t)k, &x, &y);
    if (REALS_PER_SCALAR == 2) {
        AT(W, k, j) = make((real_t)x, (real_t)y);
    } else {
        AT(W, 2 * k, j) = make((real_t)x, 0);
        if (2 * k + 1 < W.rows)
            AT(W, 2 * k + 1, j) = make((real_t)y, 0);
    }
}

#endif /* GSVD_PIVOT_GAUSSIAN_H */
