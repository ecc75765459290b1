/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* permute.cu -- columns and rows in another order; CUDA twin of permute.c. */
#include "core/gpublas.h"
#include "core/reduce.cuh"
#include "pivot/pivot.h"

enum { THREADS = 256, SORT_THREADS = 1024 };

/* grid: x tiles of 256 rows, y columns (striding); block: 256 threads, one row
 * each */
static __global__ void permute_columns_kernel(mat_t A, const int *perm, mat_t B)
{
    const int64_t i = (int64_t)blockIdx.x * THREADS + threadIdx.x;
    if (i < A.rows)
        for (int64_t j = blockIdx.y; j < A.cols; j += gridDim.y)
            AT(B, i, j) = AT(A, i, perm ? perm[j] : A.cols - 1 - j);
}

/* grid and block: those of permute_columns_kernel */
static __global__ void permute_rows_kernel(mat_t A, const int *perm, mat_t B)
{
    const int64_t i = (int64_t)blockIdx.x * THREADS + threadIdx.x;
    if (i < A.rows) {
        const int64_t to = perm ? perm[i] : A.rows - 1 - i;
        for (int64_t j = blockIdx.y; j < A.cols; j += gridDim.y)
            AT(B, to, j) = AT(A, i, j);
    }
}

/* One warp computes next[c] := the sum of next[0:c), for each class c. */
static __device__ void sum_up(int *next)
{
    const int lane = threadIdx.x;
    int first = 0;
    for (int c0 = 0; c0 < ROW_CLASSES; c0 += WARP) {
        const int c = c0 + lane, count = c < ROW_CLASSES ? next[c] : 0;
        int sum = count;
        for (int step = 1; step < WARP; step *= 2) {
            const int before = __shfl_up_sync(0xffffffff, sum, step);
            if (lane >= step)
                sum += before;
        }
        if (c < ROW_CLASSES)
            next[c] = first + sum - count;
        first += __shfl_sync(0xffffffff, sum, WARP - 1);
    }
}

/* A counting sort.  grid: one block of 1024 threads, which count the rows of each
 * class; then the first warp numbers the rows in the order that they have. */
static __global__ void __launch_bounds__(SORT_THREADS)
    sort_rows_kernel(int64_t rows, const real_t *size, int *perm, int *inverse)
{
    __shared__ int next[ROW_CLASSES], tile[SORT_THREADS];
    const int lane = threadIdx.x % WARP;
    const int first_warp = threadIdx.x < WARP;

    for (int c = threadIdx.x; c < ROW_CLASSES; c += SORT_THREADS)
        next[c] = 0;
    __syncthreads();
    for (int64_t i = threadIdx.x; i < rows; i += SORT_THREADS)
        atomicAdd(&next[row_class(size[i])], 1);
    __syncthreads();
    if (first_warp)
        sum_up(next);
    for (int64_t i0 = 0; i0 < rows; i0 += SORT_THREADS) {
        const int64_t mine = i0 + threadIdx.x;
        tile[threadIdx.x] = mine < rows ? row_class(size[mine]) : -1;
        __syncthreads();
        for (int t = lane; first_warp && t < SORT_THREADS; t += WARP) {
            const int c = tile[t];
            const unsigned same = __match_any_sync(0xffffffff, c);
            const int before = __popc(same & ((1u << lane) - 1));
            const int to = c < 0 ? 0 : next[c] + before;
            __syncwarp();
            if (c >= 0) {
                perm[i0 + t] = to;
                inverse[to] = (int)(i0 + t);
                if (before == 0) /* One thread of each class counts.         */
                    next[c] = to + __popc(same);
            }
            __syncwarp();
        }
        __syncthreads();
    }
}

/* grid: blocks of 256 threads, one entry each */
static __global__ void identity_kernel(int64_t n, int *perm)
{
    const int64_t j = (int64_t)blockIdx.x * THREADS + threadIdx.x;
    if (j < n)
        perm[j] = (int)j;
}

/* grid: blocks of 256 threads, one row each */
static __global__ void row_exponents_kernel(int64_t rows, const real_t *size,
                                            int *up, int *down)
{
    const int64_t i = (int64_t)blockIdx.x * THREADS + threadIdx.x;
    if (i < rows) {
        down[i] = size[i] > 0 ? exponent_r(size[i]) + 1 : 0;
        up[i] = -down[i];
    }
}

/* One warp, b <= 32.  Move k < 2b takes column from[k] to to[k]; from[k] < 0: no move.  Thread i
 * sends winner i to the front.  It sends column i < b, unless that is a winner, to a place that a
 * winner left: the first such column to the first such place. */
static __device__ void plan(int b, const int *winners, int *from, int *to)
{
    __shared__ int vacant[PIVOT_WIDTH];
    const int i = threadIdx.x;
    const unsigned all = 0xffffffff, before = (1u << i) - 1;
    const int winner = i < b ? winners[i] : -1;
    const unsigned stays =
        __reduce_or_sync(all, winner >= 0 && winner < b ? 1u << winner : 0u);
    const unsigned leaves = __ballot_sync(all, winner >= b);
    const unsigned displaced = ~stays & (b < WARP ? (1u << b) - 1 : all);

    if (winner >= b)
        vacant[__popc(leaves & before)] = winner;
    __syncwarp();
    const int goes = displaced >> i & 1;
    from[i] = winner;
    to[i] = i;
    from[PIVOT_WIDTH + i] = goes ? i : -1;
    to[PIVOT_WIDTH + i] = goes ? vacant[__popc(displaced & before)] : 0;
}

/* grid: tiles of 32 rows of A, at least one; block: 32 x 8 threads, 32 rows of
 * 2b columns through shared memory; the first block moves perm too */
static __global__ void pivots_to_front_kernel(mat_t A, int b,
                                              const int *winners, int *perm)
{
    enum { MOVES = 2 * PIVOT_WIDTH };
    __shared__ scalar_t tile[MOVES][WARP];
    __shared__ int from[MOVES], to[MOVES], number[MOVES];
    const int64_t i = (int64_t)blockIdx.x * WARP + threadIdx.x;

    if (threadIdx.y == 0)
        plan(b, winners, from, to);
    __syncthreads();
    for (int k = threadIdx.y; k < MOVES; k += blockDim.y) {
        if (from[k] >= 0 && i < A.rows)
            tile[k][threadIdx.x] = AT(A, i, from[k]);
        if (blockIdx.x == 0 && threadIdx.x == 0 && from[k] >= 0)
            number[k] = perm[from[k]];
    }
    __syncthreads();
    for (int k = threadIdx.y; k < MOVES; k += blockDim.y) {
        if (from[k] >= 0 && i < A.rows)
            AT(A, i, to[k]) = tile[k][threadIdx.x];
        if (blockIdx.x == 0 && threadIdx.x == 0 && from[k] >= 0)
            perm[to[k]] = number[k];
    }
}

static dim3 grid_of(mat_t A)
{
    return dim3((unsigned)((A.rows + THREADS - 1) / THREADS),
                (unsigned)min_i(A.cols, 65535));
}

gsvd_status_t X(permute_columns_cuda)(const exec_t *ex, mat_t A,
                                      const int *perm, mat_t B)
{
    if (mat_empty(A))
        return GSVD_SUCCESS;
    permute_columns_kernel<<<grid_of(A), THREADS, 0, stream_of(ex)>>>(A, perm,
                                                                      B);
    return gsvd_launched(ex->h, "permute_columns");
}

gsvd_status_t X(permute_rows_cuda)(const exec_t *ex, mat_t A, const int *perm,
                                   mat_t B)
{
    if (mat_empty(A))
        return GSVD_SUCCESS;
    permute_rows_kernel<<<grid_of(A), THREADS, 0, stream_of(ex)>>>(A, perm, B);
    return gsvd_launched(ex->h, "permute_rows");
}

gsvd_status_t X(sort_rows_cuda)(const exec_t *ex, int64_t rows,
                                const real_t *size, int *perm, int *inverse)
{
    if (rows <= 0)
        return GSVD_SUCCESS;
    sort_rows_kernel<<<1, SORT_THREADS, 0, stream_of(ex)>>>(rows, size, perm,
                                                            inverse);
    return gsvd_launched(ex->h, "sort_rows");
}

gsvd_status_t X(row_exponents_cuda)(const exec_t *ex, int64_t rows,
                                    const real_t *size, int *up, int *down)
{
    if (rows <= 0)
        return GSVD_SUCCESS;
    row_exponents_kernel<<<(unsigned)((rows + THREADS - 1) / THREADS), THREADS,
                           0, stream_of(ex)>>>(rows, size, up, down);
    return gsvd_launched(ex->h, "row_exponents");
}

gsvd_status_t X(identity_cuda)(const exec_t *ex, int64_t n, int *perm)
{
    if (n <= 0)
        return GSVD_SUCCESS;
    identity_kernel<<<(unsigned)((n + THREADS - 1) / THREADS), THREADS, 0,
                      stream_of(ex)>>>(n, perm);
    return gsvd_launched(ex->h, "identity");
}

gsvd_status_t X(pivots_to_front_cuda)(const exec_t *ex, mat_t A, int64_t b,
                                      const int *winners, int *perm)
{
    if (b <= 0)
        return GSVD_SUCCESS;
    const int64_t tiles = max_i((A.rows + WARP - 1) / WARP, 1);
    pivots_to_front_kernel<<<(unsigned)tiles, dim3(WARP, 8), 0,
                             stream_of(ex)>>>(A, (int)b, winners, perm);
    return gsvd_launched(ex->h, "pivots_to_front");
}
