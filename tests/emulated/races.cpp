/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* races.cpp -- kernels with a race that has to be found, and how many have been. */
#include "emulated/races.h"
#include "emulated/block.h"

/* -- reports --------------------------------------------------------------------------- */

static int found;

UNSEEN int races_found(void) { return found; }

/* ThreadSanitizer calls these: at the start, where a report would else be the exit code, and at a
 * report. */
#define CALLED_BACK extern "C" __attribute__((visibility("default"))) UNSEEN
CALLED_BACK const char *__tsan_default_options(void) { return "exitcode=0"; }
CALLED_BACK void __tsan_on_report(void *) { ++found; }

/* -- kernels ----------------------------------------------------------------------------- */

enum { THREADS = 64, LANES = 32 };
#define ALL_LANES 0xffffffffu

static int outcome[THREADS];

#define BARRIER(there, ...)                                                    \
    do {                                                                       \
        if (there)                                                             \
            __VA_ARGS__;                                                       \
    } while (0)

/* Each thread's number to another one of its warp */
template <int THERE> static __global__ void write_then_read(void)
{
    __shared__ int x[THREADS];
    x[threadIdx.x] = (int)threadIdx.x;
    BARRIER(THERE, __syncwarp());
    outcome[threadIdx.x] = x[threadIdx.x ^ 1];
}

/* ... of another warp: that of the own one does not suffice */
template <int THERE> static __global__ void across_warps(void)
{
    __shared__ int x[THREADS];
    x[threadIdx.x] = (int)threadIdx.x;
    __syncwarp();
    BARRIER(THERE, __syncthreads());
    outcome[threadIdx.x] = x[threadIdx.x ^ LANES];
}

/* What others may not have read yet */
template <int THERE> static __global__ void read_then_write(void)
{
    __shared__ int x[THREADS];
    x[threadIdx.x] = (int)threadIdx.x;
    __syncthreads();
    const int other = x[(threadIdx.x + 1) % THREADS];
    BARRIER(THERE, __syncthreads());
    x[threadIdx.x] = 2 * other;
}

/* The same number by all lanes */
template <int THERE> static __global__ void write_twice(void)
{
    __shared__ int x;
    if (!THERE || threadIdx.x == 0)
        x = 1;
    __syncthreads();
    outcome[threadIdx.x] = x;
}

/* A shuffle and a vote are no barriers. */
template <int THERE> static __global__ void votes_between(void)
{
    __shared__ int x[THREADS];
    x[threadIdx.x] = (int)threadIdx.x;
    const int other = __shfl_xor_sync(ALL_LANES, (int)threadIdx.x, 1);
    const int one = __any_sync(ALL_LANES, other == 0);
    BARRIER(THERE, __syncwarp());
    outcome[threadIdx.x] = x[threadIdx.x ^ 1] + one;
}

/* Lanes of a barrier, and one that is not among them */
template <int THERE> static __global__ void other_half(void)
{
    __shared__ int x[THREADS];
    const unsigned lane = threadIdx.x % LANES;
    x[threadIdx.x] = (int)threadIdx.x;
    __syncwarp(lane < LANES / 2 ? 0x0000ffffu : 0xffff0000u);
    outcome[threadIdx.x] = x[threadIdx.x ^ (THERE ? 1 : LANES / 2)];
}

/* A barrier each time orders what is before it, not what comes until the next one. */
template <int THERE> static __global__ void many_times(void)
{
    __shared__ int x[2][THREADS];
    for (int k = 0; k < 4; ++k) {
        int *const mine = THERE ? x[k & 1] : x[0];
        mine[threadIdx.x] = k;
        __syncthreads();
        outcome[threadIdx.x] += mine[(threadIdx.x + 5) % THREADS];
    }
}

/* Global memory */
template <int THERE> static __global__ void in_global(void)
{
    static int sum[2];
    if (THERE)
        atomicAdd((unsigned *)sum, 1u);
    else
        sum[1] += 1;
}

/* One thread's word to the block by a vote of it */
template <int THERE> static __global__ void vote_of_block(void)
{
    __shared__ int x;
    if (threadIdx.x == 7)
        x = 3;
    const int one = THERE ? __syncthreads_or(threadIdx.x == 7)
                          : __any_sync(ALL_LANES, threadIdx.x == 7);
    outcome[threadIdx.x] = x + one;
}

/* Shared memory of one block after the other */
template <int THERE> static __global__ void block_by_block(void)
{
    __shared__ int x[THREADS];
    const int mine = x[(threadIdx.x + blockIdx.x) % THREADS]++;
    outcome[THERE ? threadIdx.x : threadIdx.x / 2] = mine;
}

/* -- all of them --------------------------------------------------------------------------- */

typedef struct probe {
    const char *name;
    void (*kernel[2])(void);
} probe_t;

#define PROBE(name)                                                            \
    {                                                                          \
#name, { name<0>, name<1> }                                            \
    }
static const probe_t probe[] = {PROBE(write_then_read), PROBE(across_warps),
                                PROBE(read_then_write), PROBE(write_twice),
                                PROBE(votes_between),   PROBE(other_half),
                                PROBE(many_times),      PROBE(in_global),
                                PROBE(vote_of_block),   PROBE(block_by_block)};

int probes(void) { return (int)(sizeof probe / sizeof *probe); }
const char *probe_name(int k) { return probe[k].name; }

static void run_thread(void *of_block) { (*(void (**)(void))of_block)(); }

void run_probe(int k, int with_barrier, int backward)
{
    void (*kernel)(void) = probe[k].kernel[with_barrier];
    for (int i = 0; i < 2; ++i) {
        block::index_of_block.x = (unsigned)i;
        block::run(THREADS, run_thread, &kernel, backward);
    }
}
