/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* bulk_copy.cuh -- copies of many bytes to shared memory, which one thread starts, and the
 * barriers in shared memory that signal their end; from compute capability 9 on (CUDA's PTX ISA,
 * cp.async.bulk and mbarrier).
 *
 * A barrier's phases alternate between 0 and 1.  A wait for phase 1 of a new barrier ends at
 * once.  Functions take a barrier by its address in shared memory (shared_address).
 */
#ifndef GSVD_CORE_BULK_COPY_CUH
#define GSVD_CORE_BULK_COPY_CUH

#include <stdint.h>

#if !defined __CUDA_ARCH__ || __CUDA_ARCH__ >= 900
#define BULK_COPIES 1
#else
#define BULK_COPIES 0
#endif

typedef uint64_t barrier_t;

#if BULK_COPIES

static __device__ __forceinline__ unsigned shared_address(const void *p)
{
    return (unsigned)__cvta_generic_to_shared(p);
}

/* x in a register, where the compiler would form it anew for each use, from a special
 * register that is slow to read */
static __device__ __forceinline__ unsigned held(unsigned x)
{
    asm volatile("" : "+r"(x));
    return x;
}

/* A phase ends after so many arrivals; for all threads after fence and __syncthreads */
static __device__ __forceinline__ void barrier_start(unsigned b, int arrivals)
{
    asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(b),
                 "r"(arrivals)
                 : "memory");
}

static __device__ __forceinline__ void barriers_are_started(void)
{
    asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
}

static __device__ __forceinline__ void barrier_arrive(unsigned b)
{
    asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" ::"r"(b)
                 : "memory");
}

/* Arrives, and the phase also waits for so many bytes. */
static __device__ __forceinline__ void barrier_expect(unsigned b,
                                                      unsigned bytes)
{
    asm volatile(
        "mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(b),
        "r"(bytes)
        : "memory");
}

static __device__ __forceinline__ void barrier_wait(unsigned b, unsigned phase)
{
    asm volatile("{\n\t"
                 ".reg .pred ended;\n\t"
                 "again:\n\t"
                 "mbarrier.try_wait.parity.shared::cta.b64 ended, [%0], %1;\n\t"
                 "@!ended bra again;\n\t"
                 "}" ::"r"(b),
                 "r"(phase)
                 : "memory");
}

/* What the second cache is told of the bytes: to keep them, or to let them go first */
static __device__ __forceinline__ uint64_t cache_policy(int keep)
{
    uint64_t policy;
    if (keep)
        asm("createpolicy.fractional.L2::evict_last.b64 %0, 1.0;"
            : "=l"(policy));
    else
        asm("createpolicy.fractional.L2::evict_first.b64 %0, 1.0;"
            : "=l"(policy));
    return policy;
}

/* to := bytes of `from`, all multiples of 16; b's phase counts them. */
static __device__ __forceinline__ void bulk_copy(void *to, const void *from,
                                                 unsigned bytes, unsigned b,
                                                 uint64_t policy)
{
    asm volatile(
        "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes"
        ".L2::cache_hint [%0], [%1], %2, [%3], %4;" ::"r"(shared_address(to)),
        "l"(from), "r"(bytes), "r"(b), "l"(policy)
        : "memory");
}

#endif

#endif /* GSVD_CORE_BULK_COPY_CUH */
