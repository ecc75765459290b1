/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* tournament.cu -- b columns that span a wide matrix of few rows; CUDA twin of
 * tournament.c.
 *
 * A thread block is a group, a thread one of its columns, held in registers, so
 * that a step reads nothing but q:
 *
 *     a := a - q (q^H a) / (q^H q),     |a|^2 computed anew
 *
 * Two barriers a step: who is longest, and q.  Lengths are compared by the upper
 * bits of |a|^2 (10 of the mantissa, and the exponent), with the thread's number
 * in place of the lower ones: one integer maximum finds the winner, the first of
 * those that are as long up to 0.1 percent.
 *
 * Groups are as large as registers allow (a and q: 160 of them in d), so that 2048
 * columns are through in two rounds, 4096 in three (two in s); and evenly filled:
 * none has fewer than b columns.
 */
#include "core/gpublas.h"
#include "core/reduce.cuh"
#include "core/wide.cuh"
#include "pivot/pivot.h"

enum {
    GROUP = PARTS == 1 && GSVD_SINGLE ? 512 : 256,
    LAST = 256, /* the groups of a round leave so many to the next, or more  */
    NUMBER = 1023,
    CHAINS = PARTS == 1    ? 4
             : GSVD_SINGLE ? 2
                           : 1
};

/* -- device functions -------------------------------------------------------- */

/* bits that compare as x >= 0 does, the lower ten to be replaced */
static __device__ __forceinline__ unsigned bits_of(real_t x)
{
#if GSVD_SINGLE
    return (unsigned)__float_as_int(x);
#else
    return (unsigned)__double2hiint(x);
#endif
}

static __device__ __forceinline__ real_t reciprocal(real_t x)
{
#if GSVD_SINGLE
    return 1 / x;
#else
    return quick_inverse(x); /* x is between SAFMIN and 40                   */
#endif
}

/* The largest of the block's keys, in all threads.  Between two calls all
 * threads pass a barrier. */
static __device__ __forceinline__ unsigned block_most(unsigned key)
{
    __shared__ unsigned part[WARP];
    const int lane = threadIdx.x % WARP, warps = blockDim.x / WARP;
    key = __reduce_max_sync(0xffffffff, key);
    if (lane == 0)
        part[threadIdx.x / WARP] = key;
    __syncthreads();
    return __reduce_max_sync(0xffffffff, lane < warps ? part[lane] : 0);
}

/* 2^-e of the block's largest entry, of which each thread has its column's */
static __device__ real_t block_scale(real_t largest)
{
#if GSVD_SINGLE
    const real_t most = __int_as_float((int)block_most(bits_of(largest)));
#else
    const real_t most = __hiloint2double((int)block_most(bits_of(largest)), 0);
#endif
    __syncthreads();
    if (!(most >= GSVD_SAFMIN) || !(most <= GSVD_REAL_MAX))
        return 1;
    return ldexp_r(1, -exponent_r(most));
}

/* -- kernels ------------------------------------------------------------------ */

/* grid: one block a group; block: whole warps, one thread a column */
static __global__
__launch_bounds__(GROUP, 1) void play_kernel(mat_t S, const int *entrants,
                                             int64_t count, int b, int *winners)
{
    __shared__ __align__(16)
        scalar_t q[SKETCH_ROWS]; /* moved 16 bytes at once */
    __shared__ real_t inverse;
    const int64_t first = count * blockIdx.x / gridDim.x;
    const int64_t end = count * (blockIdx.x + 1) / gridDim.x;
    const int t = threadIdx.x;
    bool remains = first + t < end;
    const int column = !remains   ? 0
                       : entrants ? entrants[first + t]
                                  : (int)(first + t);
    scalar_t a[SKETCH_ROWS];
    real_t largest = 0;

#pragma unroll
    for (int i = 0; i < SKETCH_ROWS; ++i) {
        a[i] = remains && i < S.rows ? AT(S, i, column) : make(0, 0);
        largest = fmax_r(largest, abs_max(a[i]));
    }
    const real_t up = block_scale(largest);
    real_t square = 0;
#pragma unroll
    for (int i = 0; i < SKETCH_ROWS; ++i) {
        a[i] = scale(up, a[i]);
        square += abs2(a[i]);
    }

    for (int k = 0; k < b; ++k) {
        const unsigned key = (bits_of(square) & ~NUMBER) | (NUMBER - t);
        const unsigned most = block_most(remains ? key : 0);
        if (remains && most == key) {
            remains = false;
            winners[(int64_t)blockIdx.x * b + k] = column;
            inverse = square >= GSVD_SAFMIN ? reciprocal(square) : 0;
#pragma unroll
            for (int i = 0; i < SKETCH_ROWS; ++i)
                q[i] = a[i];
        }
        __syncthreads();

        scalar_t part[CHAINS]; /* sums that do not wait for each other       */
        real_t length[CHAINS];
#pragma unroll
        for (int c = 0; c < CHAINS; ++c) {
            part[c] = make(0, 0);
            length[c] = 0;
        }
#pragma unroll
        for (int i = 0; i < SKETCH_ROWS; ++i)
            part[i % CHAINS] = mul_add(conj_of(q[i]), a[i], part[i % CHAINS]);
        scalar_t dot = make(0, 0);
#pragma unroll
        for (int c = 0; c < CHAINS; ++c)
            dot = add(dot, part[c]);
        dot = scale(-inverse, dot);
#pragma unroll
        for (int i = 0; i < SKETCH_ROWS; ++i) {
            a[i] = mul_add(q[i], dot, a[i]);
            length[i % CHAINS] += abs2(a[i]);
        }
        square = 0;
#pragma unroll
        for (int c = 0; c < CHAINS; ++c)
            square += length[c];
    }
}

/* -- launchers ---------------------------------------------------------------- */

/* how many groups count columns play in */
static int64_t groups_of(int64_t count, int64_t b)
{
    if (count <= GROUP)
        return 1;
    return max_i((count + GROUP - 1) / GROUP, LAST / b);
}

gsvd_status_t X(tournament_cuda)(gsvd_handle_t h, mat_t S, int64_t b,
                                 int *winners)
{
    const int *entrants = NULL;
    int64_t count = S.cols, groups;
    void *scratch;

    if (b <= 0)
        return GSVD_SUCCESS;
    const int64_t most = groups_of(count, b) * b;
    GSVD_TRY(gsvd_scratch(h, 2 * (size_t)most * sizeof(int), &scratch));
    int *list = (int *)scratch, *other = list + most;
    do {
        groups = groups_of(count, b);
        const int64_t size = (count + groups - 1) / groups;
        const unsigned threads = (unsigned)((size + WARP - 1) / WARP * WARP);
        int *const out = groups > 1 ? list : winners;
        play_kernel<<<(unsigned)groups, threads, 0, cuda_of(h)->stream>>>(
            S, entrants, count, (int)b, out);
        GSVD_TRY(gsvd_launched(h, "tournament"));
        entrants = list;
        list = other;
        other = (int *)entrants;
        count = groups * b;
    } while (groups > 1);
    return GSVD_SUCCESS;
}
