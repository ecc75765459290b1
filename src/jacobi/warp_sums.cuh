/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* warp_sums.cuh -- a sum over a warp; four of them at the price of six exchanges. */
#ifndef GSVD_JACOBI_WARP_SUMS_CUH
#define GSVD_JACOBI_WARP_SUMS_CUH

#include "core/reduce.cuh"

enum { GROUP = 4 }; /* sums that come together                              */

static __device__ __forceinline__ scalar_t from_lane(scalar_t x, int lanes)
{
    const real_t r = __shfl_xor_sync(0xffffffff, re(x), lanes);
    if (REALS_PER_SCALAR == 1)
        return make(r, 0);
    return make(r, __shfl_xor_sync(0xffffffff, im(x), lanes));
}

/* The sum of x over the warp, in all lanes */
static __device__ __forceinline__ scalar_t warp_sum(scalar_t x)
{
    for (int lanes = WARP / 2; lanes > 0; lanes /= 2)
        x = add(x, from_lane(x, lanes));
    return x;
}

/* The sum of sum[i] over the warp, in the lanes 8 i to 8 i + 7 */
static __device__ __forceinline__ scalar_t
warp_sums(const scalar_t (&sum)[GROUP])
{
    const int high = threadIdx.x & 16, next = threadIdx.x & 8;
    const scalar_t a =
        add(high ? sum[2] : sum[0], from_lane(high ? sum[0] : sum[2], 16));
    const scalar_t b =
        add(high ? sum[3] : sum[1], from_lane(high ? sum[1] : sum[3], 16));
    scalar_t x = add(next ? b : a, from_lane(next ? a : b, 8));
    for (int lanes = 4; lanes > 0; lanes /= 2)
        x = add(x, from_lane(x, lanes));
    return x;
}

#endif /* GSVD_JACOBI_WARP_SUMS_CUH */
