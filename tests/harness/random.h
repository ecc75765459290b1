/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* random.h -- random numbers that are the same on every machine: splitmix64. */
#ifndef GSVD_TESTS_RANDOM_H
#define GSVD_TESTS_RANDOM_H

#include <math.h>
#include <stdint.h>

#include "core/scalar.h"

static inline uint64_t random_bits(uint64_t *seed)
{
    uint64_t z = (*seed += 0x9e3779b97f4a7c15u);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

/* uniform in (0, 1) */
static inline double random_unit(uint64_t *seed)
{
    return ((double)(random_bits(seed) >> 12) + 0.5) / 4503599627370496.0;
}

/* uniform in 0 .. n-1 */
static inline int64_t random_below(uint64_t *seed, int64_t n)
{
    return (int64_t)(random_bits(seed) % (uint64_t)n);
}

static inline double random_normal(uint64_t *seed)
{
    const double u = random_unit(seed), v = random_unit(seed);
    return sqrt(-2 * log(u)) * cos(6.283185307179586 * v);
}

/* real and imaginary part, if there is one, each uniform in (-1, 1) */
static inline scalar_t random_uniform_scalar(uint64_t *seed)
{
    const double x = 2 * random_unit(seed) - 1, y = 2 * random_unit(seed) - 1;
    return make((real_t)x, (real_t)y);
}

static inline scalar_t random_normal_scalar(uint64_t *seed)
{
    const double x = random_normal(seed), y = random_normal(seed);
    return make((real_t)x, (real_t)y);
}

#endif /* GSVD_TESTS_RANDOM_H */
