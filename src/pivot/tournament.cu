/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* tournament.cu -- b columns that span a wide matrix of few rows; CUDA twin of
 * tournament.c.
 *
 * A thread block is a group, a thread one of its columns a, held in registers.
 * Its games are those of a Cholesky factorization of the group's Gram matrix with
 * diagonal pivoting, of which only the rows that win are computed: with p the
 * longest remaining column, d its square,
 *
 *     l_k := (p^H a - sum_{i<k} conj(l_i(p)) l_i) / sqrt(d),   |a|^2 -= |l_k|^2
 *
 * One barrier a step, and half the operations of the twin's, which takes the part
 * along p from the columns themselves.  It is good until rounding in |a|^2 shows:
 * a winner whose square is below 2^10 ulp times the first one's starts the group
 * again, by Gram and Schmidt as the twin does.
 *
 * Lengths are compared by the upper bits of |a|^2 (10 of the mantissa, and the
 * exponent), with the thread's number in place of the lower ones: one integer
 * maximum finds the winner, the first of those that are as long up to 0.1
 * percent.
 *
 * Groups are as large as registers and shared memory allow, so that two rounds do
 * for 4096 columns, and evenly filled: none has fewer than b columns.
 */
#include "core/gpublas.h"
#include "core/reduce.cuh"
#include "core/wide.cuh"
#include "pivot/pivot.h"

enum {
    GROUP = sizeof(scalar_t) <= 8 ? 512 : 256,
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

static __device__ __forceinline__ real_t inverse_root(real_t x)
{
#if GSVD_SINGLE
    return rsqrtf(x);
#else
    return quick_rsqrt(x);
#endif
}

/* The largest of the block's keys, in all threads.  Two calls in turn use
 * different parts: the barrier within is the only one that they need. */
static __device__ __forceinline__ unsigned block_most(unsigned key, int turn)
{
    __shared__ unsigned part[2][WARP];
    const int lane = threadIdx.x % WARP, warps = blockDim.x / WARP;
    key = __reduce_max_sync(0xffffffff, key);
    if (lane == 0)
        part[turn % 2][threadIdx.x / WARP] = key;
    __syncthreads();
    return __reduce_max_sync(0xffffffff,
                             lane < warps ? part[turn % 2][lane] : 0);
}

/* 2^-e of the block's largest entry, of which each thread has its column's */
static __device__ real_t block_scale(real_t largest)
{
#if GSVD_SINGLE
    const real_t most = __int_as_float((int)block_most(bits_of(largest), 1));
#else
    const real_t most =
        __hiloint2double((int)block_most(bits_of(largest), 1), 0);
#endif
    __syncthreads();
    if (!(most >= GSVD_SAFMIN) || !(most <= GSVD_REAL_MAX))
        return 1;
    return ldexp_r(1, -exponent_r(most));
}

/* a column's key in the comparison of lengths; 0: it has won */
static __device__ __forceinline__ unsigned key_of(real_t square, bool remains)
{
    return remains ? (bits_of(square) & ~NUMBER) | (NUMBER - threadIdx.x) : 0;
}

/* The thread with this key */
static __device__ __forceinline__ int holder(unsigned key)
{
    return NUMBER - (int)(key & NUMBER);
}

/* sum of x_i y_i, in several sums that do not wait for each other */
#define CHAINED_SUM(sum, count, x_i, y_i)                                      \
    do {                                                                       \
        scalar_t part[CHAINS];                                                 \
        _Pragma("unroll") for (int c = 0; c < CHAINS; ++c) part[c] =           \
            make(0, 0);                                                        \
        _Pragma("unroll") for (int i = 0; i < (count); ++i) part[i % CHAINS] = \
            mul_add(x_i, y_i, part[i % CHAINS]);                               \
        _Pragma("unroll") for (int c = 0; c < CHAINS; ++c) sum =               \
            add(sum, part[c]);                                                 \
    } while (0)

/* a := up S(:,column), or zeros; its squared length */
static __device__ __forceinline__ real_t load_column(mat_t S, int column,
                                                     real_t up, bool there,
                                                     scalar_t (&a)[SKETCH_ROWS])
{
    real_t square = 0;
#pragma unroll
    for (int i = 0; i < SKETCH_ROWS; ++i) {
        a[i] = there && i < S.rows ? scale(up, AT(S, i, column)) : make(0, 0);
        square += abs2(a[i]);
    }
    return square;
}

/* The games by Cholesky.  S(:,entrant(t)) is thread t's column before it was
 * scaled by up; l: b x GROUP.  0 where rounding would show. */
static __device__ int play_cholesky(mat_t S, const int *entrants, int64_t first,
                                    const scalar_t (&a)[SKETCH_ROWS], real_t up,
                                    real_t square, bool remains, int b,
                                    scalar_t *l, int *mine)
{
    __shared__ real_t squares[2][GROUP];
    const int t = threadIdx.x;
    real_t least = GSVD_SAFMIN;

    for (int k = 0; k < b; ++k) {
        squares[k % 2][t] = square;
        const int p = holder(block_most(key_of(square, remains), k));
        const real_t d = squares[k % 2][p];
        if (!(d >= least))
            return 0;
        if (k == 0)
            least = fmax_r(d * (1024 * GSVD_ULP), GSVD_SAFMIN);
        if (t == p) {
            remains = false;
            *mine = k;
        }
        const scalar_t *const q =
            &AT(S, 0, entrants ? entrants[first + p] : first + p);
        scalar_t dot = make(0, 0), taken = make(0, 0);
        if (S.rows == SKETCH_ROWS)
            CHAINED_SUM(dot, SKETCH_ROWS, conj_of(q[i]), a[i]);
        else
            CHAINED_SUM(dot, SKETCH_ROWS,
                        i < S.rows ? conj_of(q[i]) : make(0, 0), a[i]);
        for (int k0 = 0; k0 < k; k0 += 8) /* rows from k on are zero         */
            CHAINED_SUM(taken, 8, conj_of(l[(k0 + i) * GROUP + p]),
                        l[(k0 + i) * GROUP + t]);
        dot = add(scale(up, dot), make(-re(taken), -im(taken)));
        dot = scale(inverse_root(d), dot);
        l[k * GROUP + t] = dot;
        square = fmax_r(square - abs2(dot), 0);
    }
    return 1;
}

/* The games by Gram and Schmidt; the thread's step, or -1 */
static __device__ __noinline__ int play_exactly(mat_t S, int column, real_t up,
                                                bool remains, int b)
{
    __shared__ __align__(16)
        scalar_t q[SKETCH_ROWS]; /* moved 16 bytes at once                   */
    __shared__ real_t inverse;
    const int t = threadIdx.x;
    scalar_t a[SKETCH_ROWS];
    real_t square = load_column(S, column, up, remains, a);
    int mine = -1;

    for (int k = 0; k < b; ++k) {
        const int p = holder(block_most(key_of(square, remains), k));
        if (t == p) {
            remains = false;
            mine = k;
            inverse = square >= GSVD_SAFMIN ? reciprocal(square) : 0;
#pragma unroll
            for (int i = 0; i < SKETCH_ROWS; ++i)
                q[i] = a[i];
        }
        __syncthreads();
        scalar_t dot = make(0, 0);
        CHAINED_SUM(dot, SKETCH_ROWS, conj_of(q[i]), a[i]);
        dot = scale(-inverse, dot);
        real_t length[CHAINS] = {};
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
    return mine;
}

/* -- kernels ------------------------------------------------------------------ */

/* grid: one block a group; block: whole warps, one thread a column */
static __global__
__launch_bounds__(GROUP, 1) void play_kernel(mat_t S, const int *entrants,
                                             int64_t count, int b, int *winners)
{
    extern __shared__ __align__(16) char memory[];
    scalar_t *const l = (scalar_t *)memory;
    const int64_t first = count * blockIdx.x / gridDim.x;
    const int64_t end = count * (blockIdx.x + 1) / gridDim.x;
    const int t = threadIdx.x;
    const bool remains = first + t < end;
    const int column = !remains   ? 0
                       : entrants ? entrants[first + t]
                                  : (int)(first + t);
    scalar_t a[SKETCH_ROWS];
    real_t largest = 0;
    int mine = -1; /* the step in which the column won                       */

    load_column(S, column, 1, remains, a);
#pragma unroll
    for (int i = 0; i < SKETCH_ROWS; ++i)
        largest = fmax_r(largest, abs_max(a[i]));
    for (int i = 0; i < PIVOT_WIDTH; ++i)
        l[i * GROUP + t] = make(0, 0);
    const real_t up = block_scale(largest);
    const real_t square = load_column(S, column, up, remains, a);
    if (!play_cholesky(S, entrants, first, a, up, square, remains, b, l,
                       &mine)) {
        __syncthreads();
        mine = play_exactly(S, column, up, remains, b);
    }
    if (mine >= 0)
        winners[(int64_t)blockIdx.x * b + mine] = column;
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

    const size_t bytes = PIVOT_WIDTH * GROUP * sizeof(scalar_t);

    if (b <= 0)
        return GSVD_SUCCESS;
    GSVD_CUDA(h, cudaFuncSetAttribute(
                     play_kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                     (int)bytes));
    const int64_t most = groups_of(count, b) * b;
    GSVD_TRY(gsvd_scratch(h, 2 * (size_t)most * sizeof(int), &scratch));
    int *list = (int *)scratch, *other = list + most;
    do {
        groups = groups_of(count, b);
        const int64_t size = (count + groups - 1) / groups;
        const unsigned threads = (unsigned)((size + WARP - 1) / WARP * WARP);
        int *const out = groups > 1 ? list : winners;
        play_kernel<<<(unsigned)groups, threads, bytes, cuda_of(h)->stream>>>(
            S, entrants, count, (int)b, out);
        GSVD_TRY(gsvd_launched(h, "tournament"));
        entrants = list;
        list = other;
        other = (int *)entrants;
        count = groups * b;
    } while (groups > 1);
    return GSVD_SUCCESS;
}
