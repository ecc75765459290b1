/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* reduce.cuh -- sums and maxima over a thread block, in a fixed order. */
#ifndef GSVD_CORE_REDUCE_CUH
#define GSVD_CORE_REDUCE_CUH

#include "core/scalar.h"
#include "core/sumsq.h"

enum { WARP = 32 };

/* Each x[i] := its sum over the block, in all threads.  A tree of shuffles in
 * each warp, then one over the warps: the order depends on blockDim alone. */
template <int N> static __device__ void block_sum(real_t (&x)[N])
{
    __shared__ real_t part[N][WARP];
    const int lane = threadIdx.x % WARP, warp = threadIdx.x / WARP;
    const int warps = (blockDim.x + WARP - 1) / WARP;

    for (int i = 0; i < N; ++i) {
        for (int step = WARP / 2; step > 0; step /= 2)
            x[i] += __shfl_down_sync(0xffffffff, x[i], step);
        if (lane == 0)
            part[i][warp] = x[i];
    }
    __syncthreads();
    for (int i = 0; i < N; ++i) {
        x[i] = 0;
        for (int other = 0; other < warps; ++other)
            x[i] += part[i][other];
    }
    __syncthreads();
}

/* The norm of a vector of which each thread has summed its share. */
static __device__ __forceinline__ real_t block_norm(sumsq_t s)
{
    real_t x[3] = {s.large, s.medium, s.small};
    block_sum(x);
    s.large = x[0];
    s.medium = x[1];
    s.small = x[2];
    return sumsq_norm(s);
}

#endif /* GSVD_CORE_REDUCE_CUH */
