/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* angles.cu -- the passes over whole matrices between the products of a large step; CUDA twin of
 * angles.c.
 *
 * Each pass reads its matrices once.  To reduce a matrix to one number, each block leaves a part,
 * and one block reduces the parts.  The order of sums depends only on sizes.  A maximum is NaN if
 * one of its numbers is (core/angle.h).
 */
#include "core/angle.h"
#include "core/each.cuh"
#include "core/gpublas.h"
#include "core/largest.cuh"
#include "core/reduce.cuh"
#include "jacobi/jacobi.h"
#include "jacobi/warp_sums.cuh"

enum { TILE = 32, TILE_ROWS = 8 };

/* -- in a block ------------------------------------------------------------ */

/* The block's part := the largest x of its threads. */
static __device__ void leave_part(real_t x, real_t *part)
{
    const real_t largest = block_largest(x);
    if (threadIdx.x == 0)
        part[blockIdx.x] = largest;
}

/* The angles of a tile of 32 x 32 pairs, from row i0 and column j0 on, on or above the diagonal.
 * They replace the cosines.  T(j,i) goes to `turned`, so that it can be written below the diagonal
 * by columns, too. */
static __device__ void tile_angles(mat_t C, const real_t *d, const real_t *sign,
                                   real_t least, int64_t i0, int64_t j0,
                                   scalar_t (&turned)[TILE][TILE + 1])
{
    const int64_t i = i0 + threadIdx.x;
    const real_t small = small_angle(C.cols);
    for (int y = threadIdx.y; y < TILE; y += TILE_ROWS) {
        const int64_t j = j0 + y;
        if (i < j && j < C.cols) {
            const int unequal = unequal_signs(sign, i, j);
            const scalar_t t =
                pair_angle(AT(C, i, j), d[i], d[j], unequal, least, small);
            AT(C, i, j) = t;
            turned[y][threadIdx.x] = turned_angle(t, unequal);
        } else if (i == j && j < C.cols)
            AT(C, j, j) = make(0, 0);
    }
}

/* The tile below the diagonal */
static __device__ void put_turned(mat_t C, int64_t i0, int64_t j0,
                                  const scalar_t (&turned)[TILE][TILE + 1])
{
    const int64_t j = j0 + threadIdx.x;
    for (int y = threadIdx.y; y < TILE; y += TILE_ROWS)
        if (i0 + y < j && j < C.cols)
            AT(C, j, i0 + y) = turned[threadIdx.x][y];
}

/* -- kernels --------------------------------------------------------------- */

/* grid: grid_of; block: 256 threads, one row each */
static __global__ void second_order_exp_kernel(mat_t T, mat_t S, real_t s,
                                               mat_t P)
{
    EACH_ELEMENT(P, i, j)
    AT(P, i, j) = exp_entry(i == j, s, AT(T, i, j), AT(S, i, j));
}

/* C's upper triangle := what its lower one says.  grid: x tiles of 32 rows of C, y of 32
 * columns (striding), those above the diagonal idle; block: 32 x 8 threads carry one
 * tile through shared memory */
static __global__ void __launch_bounds__(TILE *TILE_ROWS) mirror_kernel(mat_t C)
{
    __shared__ scalar_t tile[TILE][TILE + 1];
    const int64_t i0 = (int64_t)blockIdx.x * TILE;

    for (int64_t j0 = (int64_t)blockIdx.y * TILE; j0 <= i0;
         j0 += (int64_t)gridDim.y * TILE) {
        const int64_t i = i0 + threadIdx.x;
        for (int y = threadIdx.y; y < TILE; y += TILE_ROWS)
            if (i < C.cols && j0 + y < i)
                tile[y][threadIdx.x] = conj_of(AT(C, i, j0 + y));
        __syncthreads();
        const int64_t j = j0 + threadIdx.x;
        for (int y = threadIdx.y; y < TILE; y += TILE_ROWS)
            if (i0 + y < C.cols && j < i0 + y)
                AT(C, j, i0 + y) = tile[threadIdx.x][y];
        __syncthreads();
    }
}

/* grid: x tiles of 32 rows of C, y tiles of 32 columns (striding); tiles below the diagonal are
 * idle.  block: 32 x 8 threads pass one tile through shared memory, so that accesses to both
 * triangles coalesce. */
static __global__ void __launch_bounds__(TILE *TILE_ROWS)
    rotation_angles_kernel(mat_t C, const real_t *d, const real_t *sign,
                           real_t least)
{
    __shared__ scalar_t turned[TILE][TILE + 1];
    const int64_t i0 = (int64_t)blockIdx.x * TILE;

    for (int64_t j0 = (int64_t)blockIdx.y * TILE; j0 < C.cols;
         j0 += (int64_t)gridDim.y * TILE) {
        if (j0 < i0) /* all threads of the block alike                       */
            continue;
        tile_angles(C, d, sign, least, i0, j0, turned);
        __syncthreads();
        put_turned(C, i0, j0, turned);
        __syncthreads();
    }
}

/* The next four -- grid: one block a column (striding); part: one number a block;
 * block: 256 threads stride down the rows. */
static __global__ void largest_cosine_kernel(mat_t C, real_t *part)
{
    real_t largest = 0;
    for (int64_t j = blockIdx.x; j < C.cols; j += gridDim.x)
        for (int64_t i = j + 1 + threadIdx.x; i < C.rows; i += THREADS)
            largest = larger(largest, abs_of(AT(C, i, j)));
    leave_part(largest, part);
}

/* |T(i,j)| = |T(j,i)|: the sum of a column is that of a row. */
static __global__ void largest_sum_kernel(mat_t T, real_t *part)
{
    real_t largest = 0;
    for (int64_t j = blockIdx.x; j < T.cols; j += gridDim.x) {
        real_t sum[1] = {0};
        for (int64_t i = threadIdx.x; i < T.rows; i += THREADS)
            sum[0] += abs_of(AT(T, i, j));
        block_sum(sum);
        largest = larger(largest, sum[0]);
    }
    leave_part(largest, part);
}

static __global__ void newton_schulz_kernel(mat_t E, const real_t *sign,
                                            real_t *part)
{
    real_t largest = 0;
    for (int64_t j = blockIdx.x; j < E.cols; j += gridDim.x)
        for (int64_t i = threadIdx.x; i < E.rows; i += THREADS) {
            const scalar_t e = with_sign(sign, i, AT(E, i, j));
            largest = larger(largest, abs_of(sub(e, make(i == j, 0))));
            AT(E, i, j) = newton_schulz_entry(i == j, e);
        }
    leave_part(largest, part);
}

static __global__ void signed_drift_kernel(mat_t E, const real_t *sign,
                                           const real_t *d, real_t least,
                                           real_t *part)
{
    real_t largest = 0;
    for (int64_t j = blockIdx.x; j < E.cols; j += gridDim.x)
        for (int64_t i = threadIdx.x; i < E.rows; i += THREADS) {
            const scalar_t x = signed_drift_entry(sign, i, j, AT(E, i, j),
                                                  least * d[i] * d[j]);
            largest = larger(largest, abs_of(x));
            AT(E, i, j) = x;
        }
    leave_part(largest, part);
}

/* grid: one block for GROUP columns, j0 and so on; block: 256 threads.  Each warp has every eighth
 * column i, and its lanes stride down the rows; of the sums each lane keeps one. */
static __global__ void __launch_bounds__(THREADS)
    column_defects_kernel(mat_t X_, real_t *defect)
{
    enum { WARPS = THREADS / WARP };
    __shared__ real_t part[WARPS][GROUP];
    const int64_t j0 = (int64_t)blockIdx.x * GROUP;
    const int lane = threadIdx.x % WARP, warp = threadIdx.x / WARP;
    const int mine = lane / (WARP / GROUP);
    real_t most = 0;

    for (int64_t i = warp; i < X_.cols; i += WARPS) {
        scalar_t sum[GROUP];
        for (int c = 0; c < GROUP; ++c)
            sum[c] = make(0, 0);
        for (int64_t r = lane; r < X_.rows; r += WARP) {
            const scalar_t x = conj_of(AT(X_, r, i));
            for (int c = 0; c < GROUP; ++c)
                sum[c] =
                    add(sum[c], mul(x, AT(X_, r, min_i(j0 + c, X_.cols - 1))));
        }
        const scalar_t e = sub(warp_sums(sum), make(i == j0 + mine, 0));
        most = larger(most, larger_part(e));
    }
    if (lane % (WARP / GROUP) == 0)
        part[warp][mine] = most;
    __syncthreads();
    if (threadIdx.x < GROUP && j0 + threadIdx.x < X_.cols) {
        real_t largest = 0;
        for (int other = 0; other < WARPS; ++other)
            largest = larger(largest, part[other][threadIdx.x]);
        defect[j0 + threadIdx.x] = largest;
    }
}

/* grid: blocks of 256 threads, one value each */
static __global__ void signed_roots_kernel(int64_t n, const real_t *x,
                                           real_t *root, real_t *sign)
{
    const int64_t i = (int64_t)blockIdx.x * THREADS + threadIdx.x;
    if (i < n)
        signed_root(x[i], &root[i], &sign[i]);
}

/* slot->real[0] := the largest part.  grid: one block of 256 threads */
static __global__ void largest_part_kernel(int parts, const real_t *part,
                                           slot_t *slot)
{
    real_t largest = 0;
    for (int i = threadIdx.x; i < parts; i += THREADS)
        largest = larger(largest, part[i]);
    largest = block_largest(largest);
    if (threadIdx.x == 0)
        slot->real[0] = largest;
}

/* -- launchers ------------------------------------------------------------- */

/* On an H200 xSYRK has the speed of xGEMM at order 4096, 56 Tflop/s in double precision
 * against 60, and so takes half of its time. */
gsvd_status_t X(gram_cuda)(const exec_t *ex, mat_t A, mat_t C)
{
    const int64_t tiles = (C.cols + TILE - 1) / TILE;
    const real_t one = 1, zero = 0;
    cublasHandle_t blas;

    if (mat_empty(C))
        return GSVD_SUCCESS;
    if (A.rows == 0)
        return X(set_cuda)(ex, C, 0, 0);
    GSVD_TRY(gsvd_cublas(ex->h, ex->queue, &blas));
    GSVD_CUBLAS(ex->h, GPUBLAS_HERK(blas, CUBLAS_FILL_MODE_LOWER,
                                    GPUBLAS_CTRANS, C.cols, A.rows, &one,
                                    A.data, A.ld, &zero, C.data, C.ld));
    mirror_kernel<<<dim3((unsigned)tiles, (unsigned)min_i(tiles, 65535)),
                    dim3(TILE, TILE_ROWS), 0, stream_of(ex)>>>(C);
    return gsvd_launched(ex->h, "mirror");
}

/* *parts := the memory of as many parts as A's columns leave */
static gsvd_status_t take_parts(const exec_t *ex, mat_t A, real_t **parts)
{
    void *p;
    GSVD_TRY(X(kernel_work)(ex, (size_t)parts_of(A.cols) * sizeof **parts, &p));
    *parts = (real_t *)p;
    return GSVD_SUCCESS;
}

/* Waits; *value := the largest of the parts that A's columns left. */
static gsvd_status_t read_largest(const exec_t *ex, mat_t A, const real_t *part,
                                  real_t *value)
{
    slot_t slot;
    largest_part_kernel<<<1, THREADS, 0, stream_of(ex)>>>(
        (int)parts_of(A.cols), part, cuda_of(ex->h)->slot);
    GSVD_TRY(gsvd_launched(ex->h, "largest_part"));
    GSVD_TRY(gsvd_read_slot(ex->h, stream_of(ex), &slot));
    *value = (real_t)slot.real[0];
    return GSVD_SUCCESS;
}

gsvd_status_t X(largest_cosine_cuda)(const exec_t *ex, mat_t C, real_t *cosine)
{
    real_t *part;
    *cosine = 0;
    if (mat_empty(C))
        return GSVD_SUCCESS;
    GSVD_TRY(take_parts(ex, C, &part));
    largest_cosine_kernel<<<(unsigned)parts_of(C.cols), THREADS, 0,
                            stream_of(ex)>>>(C, part);
    GSVD_TRY(gsvd_launched(ex->h, "largest_cosine"));
    return read_largest(ex, C, part, cosine);
}

gsvd_status_t X(rotation_angles_cuda)(const exec_t *ex, mat_t C,
                                      const real_t *d, const real_t *sign,
                                      real_t least, real_t *bound)
{
    const int64_t tiles = (C.cols + TILE - 1) / TILE;
    real_t *part;
    *bound = 0;
    if (mat_empty(C))
        return GSVD_SUCCESS;
    GSVD_TRY(take_parts(ex, C, &part));
    const dim3 grid((unsigned)tiles, (unsigned)min_i(tiles, 65535));
    rotation_angles_kernel<<<grid, dim3(TILE, TILE_ROWS), 0, stream_of(ex)>>>(
        C, d, sign, least);
    GSVD_TRY(gsvd_launched(ex->h, "rotation_angles"));
    largest_sum_kernel<<<(unsigned)parts_of(C.cols), THREADS, 0,
                         stream_of(ex)>>>(C, part);
    GSVD_TRY(gsvd_launched(ex->h, "largest_sum"));
    return read_largest(ex, C, part, bound);
}

gsvd_status_t X(second_order_exp_cuda)(const exec_t *ex, mat_t T, mat_t S,
                                       real_t s, mat_t P)
{
    if (mat_empty(P))
        return GSVD_SUCCESS;
    second_order_exp_kernel<<<grid_of(P), THREADS, 0, stream_of(ex)>>>(T, S, s,
                                                                       P);
    return gsvd_launched(ex->h, "second_order_exp");
}

gsvd_status_t X(newton_schulz_cuda)(const exec_t *ex, mat_t E,
                                    const real_t *sign, real_t *defect)
{
    real_t *part;
    *defect = 0;
    if (mat_empty(E))
        return GSVD_SUCCESS;
    GSVD_TRY(take_parts(ex, E, &part));
    newton_schulz_kernel<<<(unsigned)parts_of(E.cols), THREADS, 0,
                           stream_of(ex)>>>(E, sign, part);
    GSVD_TRY(gsvd_launched(ex->h, "newton_schulz"));
    return read_largest(ex, E, part, defect);
}

gsvd_status_t X(column_defects_cuda)(const exec_t *ex, mat_t X_, real_t *defect)
{
    if (X_.cols <= 0)
        return GSVD_SUCCESS;
    column_defects_kernel<<<(unsigned)((X_.cols + GROUP - 1) / GROUP), THREADS,
                            0, stream_of(ex)>>>(X_, defect);
    return gsvd_launched(ex->h, "column_defects");
}

gsvd_status_t X(signed_drift_cuda)(const exec_t *ex, mat_t E,
                                   const real_t *sign, const real_t *d,
                                   real_t least, real_t *most)
{
    real_t *part;
    *most = 0;
    if (mat_empty(E))
        return GSVD_SUCCESS;
    GSVD_TRY(take_parts(ex, E, &part));
    signed_drift_kernel<<<(unsigned)parts_of(E.cols), THREADS, 0,
                          stream_of(ex)>>>(E, sign, d, least, part);
    GSVD_TRY(gsvd_launched(ex->h, "signed_drift"));
    return read_largest(ex, E, part, most);
}

gsvd_status_t X(signed_roots_cuda)(const exec_t *ex, int64_t n, const real_t *x,
                                   real_t *root, real_t *sign)
{
    if (n <= 0)
        return GSVD_SUCCESS;
    signed_roots_kernel<<<(unsigned)((n + THREADS - 1) / THREADS), THREADS, 0,
                          stream_of(ex)>>>(n, x, root, sign);
    return gsvd_launched(ex->h, "signed_roots");
}
