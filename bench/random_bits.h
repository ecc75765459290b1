/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* random_bits.h -- 53 random bits of two indices and a seed, so that every distribution has the same matrix. */
#ifndef GSVD_BENCH_RANDOM_BITS_H
#define GSVD_BENCH_RANDOM_BITS_H

#include <stdint.h>

static inline double random_bits(uint64_t i, uint64_t j, uint64_t seed)
{
    uint64_t x = i * 0x9e3779b97f4a7c15u + j * 0xd1b54a32d192ed03u +
                 seed * 0x2545f4914f6cdd1du + 1;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
    return (double)((x ^ (x >> 31)) >> 11);
}

#endif /* GSVD_BENCH_RANDOM_BITS_H */
