/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* tournament.cu -- b columns that span a wide matrix of few rows; CUDA twin of tournament.c.
 *
 * A thread block has one group of columns.  Four lanes hold four columns in registers, each lane a
 * quarter of their rows.  So a step reads only q, and only once:
 *
 *     a := a - q (q^H a) / (q^H q),     |a|^2 := |a|^2 - |q^H a|^2 / (q^H q)
 *
 * If |a|^2 has fallen to DROP times the value that was last computed, it is computed anew.  Each
 * lane keeps the length and the number of one column.
 *
 * A step has two barriers: after the choice of q, and after q is written.  Lengths are compared by
 * an integer: the exponent and 10 bits of the mantissa of |a|^2, with the thread's number in place
 * of the lower bits.  One integer maximum finds the winner, the first of the columns that are
 * longest up to 0.1 percent.
 *
 * Groups have at most 256 columns (512 in s): 2048 columns take two rounds, and 4096 columns three
 * (two in s).  With twice as many threads each would have too few registers (measured in d: 40 us
 * a round, against 22).  Groups are evenly filled: none has fewer than b columns.
 */
#include "core/gpublas.h"
#include "core/reduce.cuh"
#include "core/wide.cuh"
#include "pivot/pivot.h"

static_assert(SKETCH_ROWS % 8 == 0, "two rows a lane");

enum {
    GROUP = REALS_PER_SCALAR == 1 && GSVD_SINGLE ? 512 : 256,
    LAST = 256, /* A round leaves the next at least so many columns.         */
    NUMBER = 1023,
    QUAD = 4, /* lanes that share their columns; choose() is written for 4  */
    SHARE = SKETCH_ROWS / QUAD
};

#define DROP ((real_t)(GSVD_SINGLE ? 0x1p-6 : 0x1p-10))

/* -- device functions -------------------------------------------------------- */

/* Bits that compare as numbers x >= 0 do; the lower ten are to be replaced. */
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

/* 2^-e of the block's largest entry, of which each thread has its share's */
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

/* The i-th row of the lane's share: in turn the lanes of a quad have two rows each. */
static __device__ __forceinline__ int row_of(int i)
{
    return 2 * QUAD * (i / 2) + 2 * (threadIdx.x % QUAD) + i % 2;
}

/* x summed over the quad's lanes */
static __device__ __forceinline__ real_t quad_sum(real_t x)
{
    x += __shfl_xor_sync(0xffffffff, x, 1);
    return x + __shfl_xor_sync(0xffffffff, x, 2);
}
static __device__ __forceinline__ scalar_t quad_total(scalar_t x)
{
    return make(quad_sum(re(x)), REALS_PER_SCALAR == 2 ? quad_sum(im(x)) : 0);
}

/* That of x0, ..., x3 which has this number; an array would be in memory. */
static __device__ __forceinline__ real_t choose(int number, real_t x0,
                                                real_t x1, real_t x2, real_t x3)
{
    const real_t low = number & 1 ? x1 : x0, high = number & 1 ? x3 : x2;
    return number & 2 ? high : low;
}

/* |a|^2 of the lane's own column */
static __device__ __forceinline__ real_t
square_of(const scalar_t (&a)[QUAD][SHARE])
{
    real_t sum[QUAD];
#pragma unroll
    for (int c = 0; c < QUAD; ++c) {
        sum[c] = 0;
#pragma unroll
        for (int i = 0; i < SHARE; ++i)
            sum[c] += abs2(a[c][i]);
        sum[c] = quad_sum(sum[c]);
    }
    return choose(threadIdx.x % QUAD, sum[0], sum[1], sum[2], sum[3]);
}

/* a := the four columns of a quad, of which each lane knows the number of one, or -1;
 * zero where S has none.  Returns the largest entry of the lane's share. */
static __device__ __forceinline__ real_t
take_columns(mat_t S, int column, scalar_t (&a)[QUAD][SHARE])
{
    real_t largest = 0;
#pragma unroll
    for (int c = 0; c < QUAD; ++c) {
        const int j = __shfl_sync(0xffffffff, column, c, QUAD);
#pragma unroll
        for (int i = 0; i < SHARE; ++i) {
            a[c][i] =
                j >= 0 && row_of(i) < S.rows ? AT(S, row_of(i), j) : make(0, 0);
            largest = fmax_r(largest, abs_max(a[c][i]));
        }
    }
    return largest;
}

static __device__ __forceinline__ void scale_columns(real_t factor,
                                                     scalar_t (&a)[QUAD][SHARE])
{
#pragma unroll
    for (int c = 0; c < QUAD; ++c)
#pragma unroll
        for (int i = 0; i < SHARE; ++i)
            a[c][i] = scale(factor, a[c][i]);
}

/* q := column c of the quad, of which each lane puts its share */
static __device__ __forceinline__ void
put_share(int c, const scalar_t (&a)[QUAD][SHARE], scalar_t *q)
{
#pragma unroll
    for (int i = 0; i < SHARE; ++i)
        q[row_of(i)] =
            make(choose(c, re(a[0][i]), re(a[1][i]), re(a[2][i]), re(a[3][i])),
                 choose(c, im(a[0][i]), im(a[1][i]), im(a[2][i]), im(a[3][i])));
}

/* dot := q^H a for the four columns */
static __device__ __forceinline__ void
dot_columns(const scalar_t (&q)[SKETCH_ROWS], const scalar_t (&a)[QUAD][SHARE],
            scalar_t (&dot)[QUAD])
{
#pragma unroll
    for (int c = 0; c < QUAD; ++c) {
        dot[c] = make(0, 0);
#pragma unroll
        for (int i = 0; i < SHARE; ++i)
            dot[c] = mul_add(conj_of(q[row_of(i)]), a[c][i], dot[c]);
    }
#pragma unroll
    for (int c = 0; c < QUAD; ++c)
        dot[c] = quad_total(dot[c]);
}

/* a := a - q inverse dot */
static __device__ __forceinline__ void
subtract_columns(const scalar_t (&q)[SKETCH_ROWS], real_t inverse,
                 scalar_t (&dot)[QUAD], scalar_t (&a)[QUAD][SHARE])
{
#pragma unroll
    for (int c = 0; c < QUAD; ++c) {
        dot[c] = scale(-inverse, dot[c]);
#pragma unroll
        for (int i = 0; i < SHARE; ++i)
            a[c][i] = mul_add(q[row_of(i)], dot[c], a[c][i]);
    }
}

/* -- kernels ------------------------------------------------------------------ */

/* grid: one block a group; block: whole warps, one thread a column */
static __global__
__launch_bounds__(GROUP, 1) void play_kernel(mat_t S, const int *entrants,
                                             int64_t count, int b, int *winners)
{
    __shared__ __align__(16)
        scalar_t q[SKETCH_ROWS]; /* moved 16 bytes at once */
    __shared__ real_t square_of_q;
    const int64_t first = count * blockIdx.x / gridDim.x;
    const int64_t end = count * (blockIdx.x + 1) / gridDim.x;
    const int t = threadIdx.x;
    bool remains = first + t < end;
    const int column = !remains   ? -1
                       : entrants ? entrants[first + t]
                                  : (int)(first + t);
    scalar_t a[QUAD][SHARE];

    const real_t largest = take_columns(S, column, a);
    scale_columns(block_scale(largest), a);
    real_t square = square_of(a), exact = square;

    for (int k = 0; k < b; ++k) {
        const unsigned key = (bits_of(square) & ~NUMBER) | (NUMBER - t);
        const unsigned most = block_most(remains ? key : 0);
        const int winner = NUMBER - (int)(most & NUMBER);
        if (t / QUAD == winner / QUAD) {
            put_share(winner % QUAD, a, q);
            if (t == winner) {
                remains = false;
                winners[(int64_t)blockIdx.x * b + k] = column;
                square_of_q = square;
            }
        }
        __syncthreads();

        const real_t inverse =
            square_of_q >= GSVD_SAFMIN ? reciprocal(square_of_q) : 0;
        scalar_t dot[QUAD];
        dot_columns(q, a, dot);
        square -= inverse * choose(t % QUAD, abs2(dot[0]), abs2(dot[1]),
                                   abs2(dot[2]), abs2(dot[3]));
        subtract_columns(q, inverse, dot, a);
        const bool fell = remains && square <= exact * DROP;
        if (__any_sync(0xffffffff, fell)) {
            const real_t anew = square_of(a);
            if (fell)
                square = exact = anew;
        }
    }
}

/* -- launchers ---------------------------------------------------------------- */

/* The number of groups for count columns */
static int64_t groups_of(int64_t count, int64_t b)
{
    if (count <= GROUP)
        return 1;
    return max_i((count + GROUP - 1) / GROUP, LAST / b);
}

gsvd_status_t X(tournament_cuda)(const exec_t *ex, mat_t S, int64_t b,
                                 int *winners)
{
    const int *entrants = NULL;
    int64_t count = S.cols, groups;
    void *work;

    if (b <= 0)
        return GSVD_SUCCESS;
    const int64_t most = groups_of(count, b) * b;
    GSVD_TRY(X(kernel_work)(ex, 2 * (size_t)most * sizeof(int), &work));
    int *list = (int *)work, *other = list + most;
    do {
        groups = groups_of(count, b);
        const int64_t size = (count + groups - 1) / groups;
        const unsigned threads = (unsigned)((size + WARP - 1) / WARP * WARP);
        int *const out = groups > 1 ? list : winners;
        play_kernel<<<(unsigned)groups, threads, 0, stream_of(ex)>>>(
            S, entrants, count, (int)b, out);
        GSVD_TRY(gsvd_launched(ex->h, "tournament"));
        entrants = list;
        list = other;
        other = (int *)entrants;
        count = groups * b;
    } while (groups > 1);
    return GSVD_SUCCESS;
}
