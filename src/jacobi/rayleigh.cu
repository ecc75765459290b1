/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* rayleigh.cu -- how well a Hermitian matrix determines its eigenvalues, and their errors by Rayleigh
 * quotients in twice the precision; CUDA twin of rayleigh.c. */
#include "core/launch.h"
#include "core/reduce.cuh"
#include "jacobi/jacobi.h"
#include "jacobi/rayleigh.h"

/* A block's warps share the columns, and a lane has a row.  Of many columns of Q, MANY share what is read of H; of few,
 * as is the rule, more warps have each one. */
enum {
    MANY = 4,
    WARPS_OF_MANY = 8,
    WARPS_OF_ONE = 32,
    AHEAD = 4,
    THREADS = 256
};

/* re and im of a sum */
typedef struct both {
    twice_t part[REALS_PER_SCALAR];
} both_t;

/* sum + a b */
static __device__ __forceinline__ both_t add_product(both_t sum, scalar_t a,
                                                     scalar_t b)
{
    sum.part[0] = twice_add_product(sum.part[0], re(a), re(b));
    if (REALS_PER_SCALAR == 1)
        return sum;
    twice_t *const imaginary = &sum.part[REALS_PER_SCALAR - 1];
    sum.part[0] = twice_add_product(sum.part[0], -im(a), im(b));
    *imaginary = twice_add_product(*imaginary, re(a), im(b));
    *imaginary = twice_add_product(*imaginary, im(a), re(b));
    return sum;
}

static __device__ __forceinline__ both_t add_both(both_t a, both_t b)
{
    for (int k = 0; k < REALS_PER_SCALAR; ++k)
        a.part[k] = twice_add(a.part[k], b.part[k]);
    return a;
}

/* grid: one block for 32 rows; block: WARPS_OF_ONE warps */
static __global__ void __launch_bounds__(WARPS_OF_ONE *WARP)
    diagonal_kernel(mat_t Q, const real_t *w, real_t *diagonal)
{
    __shared__ real_t part[WARPS_OF_ONE][WARP];
    const int lane = threadIdx.x % WARP, warp = threadIdx.x / WARP;
    const int64_t i = (int64_t)blockIdx.x * WARP + lane;
    real_t sum = 0;

#pragma unroll 8
    for (int64_t j = warp; j < Q.cols; j += WARPS_OF_ONE)
        sum += i < Q.rows ? fabs_r(w[j]) * abs2(AT(Q, i, j)) : 0;
    part[warp][lane] = sum;
    __syncthreads();
    if (warp > 0 || i >= Q.rows)
        return;
    for (int other = 1; other < WARPS_OF_ONE; ++other)
        sum += part[other][lane];
    diagonal[i] = sum;
}

/* grid: one block a column; block: 256 threads stride down the rows */
static __global__ void condition_kernel(mat_t Q, const real_t *w,
                                        const real_t *diagonal,
                                        real_t *condition)
{
    const int64_t j = blockIdx.x;
    real_t sum[1] = {0};

    for (int64_t i = threadIdx.x; i < Q.rows; i += THREADS)
        sum[0] += diagonal[i] * abs2(AT(Q, i, j));
    block_sum(sum);
    if (threadIdx.x == 0)
        condition[j] = w[j] != 0 ? sum[0] / fabs_r(w[j]) : 0;
}

/* The sums of row i and column l, l + WARPS, ... of H, AHEAD of them at a time so that loads do not wait for
 * each other */
template <int COLS, int WARPS>
static __device__ __forceinline__ void add_row(mat_t H, mat_t Q, int64_t i,
                                               int64_t l, both_t (&sum)[COLS])
{
    for (; l < H.cols; l += AHEAD * WARPS) {
        scalar_t h[AHEAD], q[AHEAD][COLS];
#pragma unroll
        for (int a = 0; a < AHEAD; ++a) {
            const int64_t at = l + a * WARPS;
            const int is_in = at < H.cols && i < H.rows;
            h[a] = is_in ? AT(H, i, at) : make(0, 0);
#pragma unroll
            for (int k = 0; k < COLS; ++k)
                q[a][k] = is_in && k < Q.cols ? AT(Q, at, k) : make(0, 0);
        }
#pragma unroll
        for (int a = 0; a < AHEAD; ++a)
#pragma unroll
            for (int k = 0; k < COLS; ++k)
                sum[k] = add_product(sum[k], h[a], q[a][k]);
    }
}

/* grid.x: 32 rows, grid.y: COLS columns of Q (striding); block: WARPS warps */
template <int COLS, int WARPS>
static __global__ void __launch_bounds__(WARPS *WARP)
    exact_residual_kernel(mat_t H, mat_t Q, const real_t *w, mat_t R)
{
    __shared__ both_t part[WARPS][COLS][WARP];
    const int lane = threadIdx.x % WARP, warp = threadIdx.x / WARP;
    const int64_t i = (int64_t)blockIdx.x * WARP + lane;

    for (int64_t first = (int64_t)blockIdx.y * COLS; first < Q.cols;
         first += (int64_t)gridDim.y * COLS) {
        both_t sum[COLS] = {};
        add_row<COLS, WARPS>(H, mat_cols(Q, first, min_i(COLS, Q.cols - first)),
                             i, warp, sum);
        for (int k = 0; k < COLS; ++k)
            part[warp][k][lane] = sum[k];
        __syncthreads();
        const int64_t j = first + warp;
        if (warp < COLS && j < Q.cols && i < H.rows) {
            both_t all = add_product({}, make(-w[j], 0), AT(Q, i, j));
            for (int other = 0; other < WARPS; ++other)
                all = add_both(all, part[other][warp][lane]);
            AT(R, i, j) = make(twice_round(all.part[0]),
                               twice_round(all.part[REALS_PER_SCALAR - 1]));
        }
        __syncthreads();
    }
}

/* grid: one block a column; block: 256 threads stride down the rows */
static __global__ void residual_shifts_kernel(mat_t Q, mat_t R,
                                              const real_t *diagonal,
                                              real_t *shift, real_t *second)
{
    const int64_t j = blockIdx.x;
    real_t sum[2] = {0, 0}, rest[1] = {0};

    for (int64_t i = threadIdx.x; i < Q.rows; i += THREADS) {
        const scalar_t q = AT(Q, i, j), r = AT(R, i, j);
        sum[0] += re(q) * re(r) + im(q) * im(r);
        sum[1] += abs2(q);
    }
    block_sum(sum);
    const real_t along = sum[0] / sum[1];
    for (int64_t i = threadIdx.x; i < Q.rows; i += THREADS)
        rest[0] += second_part(AT(Q, i, j), AT(R, i, j), along, diagonal[i]);
    block_sum(rest);
    if (threadIdx.x == 0) {
        shift[j] = along;
        second[j] = rest[0];
    }
}

static unsigned row_tiles(int64_t rows)
{
    return (unsigned)((rows + WARP - 1) / WARP);
}

gsvd_status_t X(scaled_conditions_cuda)(const exec_t *ex, mat_t Q,
                                        const real_t *w, real_t *diagonal,
                                        real_t *condition)
{
    if (Q.cols <= 0 || Q.rows <= 0)
        return GSVD_SUCCESS;
    diagonal_kernel<<<row_tiles(Q.rows), WARPS_OF_ONE * WARP, 0,
                      stream_of(ex)>>>(Q, w, diagonal);
    condition_kernel<<<(unsigned)Q.cols, THREADS, 0, stream_of(ex)>>>(
        Q, w, diagonal, condition);
    return gsvd_launched(ex->h, "scaled_conditions");
}

template <int COLS, int WARPS>
static void launch_residual(const exec_t *ex, mat_t H, mat_t Q, const real_t *w,
                            mat_t R)
{
    const int64_t most = 65535; /* blocks of grid.y                           */
    const dim3 grid(row_tiles(H.rows),
                    (unsigned)min_i((Q.cols + COLS - 1) / COLS, most));
    exact_residual_kernel<COLS, WARPS>
        <<<grid, WARPS * WARP, 0, stream_of(ex)>>>(H, Q, w, R);
}

gsvd_status_t X(exact_residual_cuda)(const exec_t *ex, mat_t H, mat_t Q,
                                     const real_t *w, mat_t R)
{
    if (Q.cols <= 0 || Q.rows <= 0)
        return GSVD_SUCCESS;
    if (Q.cols < MANY)
        launch_residual<1, WARPS_OF_ONE>(ex, H, Q, w, R);
    else
        launch_residual<MANY, WARPS_OF_MANY>(ex, H, Q, w, R);
    return gsvd_launched(ex->h, "exact_residual");
}

gsvd_status_t X(residual_shifts_cuda)(const exec_t *ex, mat_t Q, mat_t R,
                                      const real_t *diagonal, real_t *shift,
                                      real_t *second)
{
    if (Q.cols <= 0 || Q.rows <= 0)
        return GSVD_SUCCESS;
    residual_shifts_kernel<<<(unsigned)Q.cols, THREADS, 0, stream_of(ex)>>>(
        Q, R, diagonal, shift, second);
    return gsvd_launched(ex->h, "residual_shifts");
}
