/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* largest.cuh -- the largest number of a block of THREADS threads (each.cuh). */
#ifndef GSVD_CORE_LARGEST_CUH
#define GSVD_CORE_LARGEST_CUH

#include "core/angle.h"
#include "core/each.cuh"
#include "core/reduce.cuh"

/* The largest x of the block, in thread 0 */
static __device__ real_t block_largest(real_t x)
{
    __shared__ real_t part[WARP];
    const int lane = threadIdx.x % WARP, warp = threadIdx.x / WARP;

    for (int step = WARP / 2; step > 0; step /= 2)
        x = larger(x, __shfl_down_sync(0xffffffff, x, step));
    if (lane == 0)
        part[warp] = x;
    __syncthreads();
    for (int other = 1; threadIdx.x == 0 && other < THREADS / WARP; ++other)
        x = larger(x, part[other]);
    return x;
}

#endif /* GSVD_CORE_LARGEST_CUH */
