/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* lane.cuh -- what a lane says in the device's own words; text that a host runs too, where
 * CUDA's other words are emulated (tests/emulated). */
#ifndef GSVD_CORE_LANE_CUH
#define GSVD_CORE_LANE_CUH

#include "core/scalar.h"

/* 1 / sqrt(x) to about 20 bits, for a normal x */
static __device__ __forceinline__ real_t rsqrt_rough(real_t x)
{
#if GSVD_SINGLE
    return rsqrtf(x);
#elif defined __CUDACC__
    real_t y;
    asm("rsqrt.approx.ftz.f64 %0, %1;" : "=d"(y) : "d"(x));
    return y;
#else
    return emulated_rsqrt(x);
#endif
}

/* The thread's number in its block, read anew: what follows from it need not stay in registers
 * until then. */
static __device__ __forceinline__ int thread_again(void)
{
#if defined __CUDACC__
    int thread;
    asm volatile("mov.u32 %0, %%tid.x;" : "=r"(thread));
    return thread;
#else
    return (int)threadIdx.x;
#endif
}

/* The warp's place on its multiprocessor; every fourth one is in the same quarter, whose
 * instructions they share. */
static __device__ __forceinline__ int warp_slot(void)
{
#if defined __CUDACC__
    int slot;
    asm volatile("mov.u32 %0, %%warpid;" : "=r"(slot));
    return slot;
#else
    return (int)(4 * blockIdx.x + threadIdx.x / 32);
#endif
}

#endif /* GSVD_CORE_LANE_CUH */
