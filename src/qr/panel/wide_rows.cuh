/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* wide_rows.cuh -- step 3 of cholesky_wide.cu: rows of V, T, and the first rows. */
#ifndef GSVD_QR_WIDE_ROWS_CUH
#define GSVD_QR_WIDE_ROWS_CUH

#include <cuda_pipeline.h>

#include "qr/panel/wide_tiles.cuh"

/* Begins to copy a factor to shared memory; wait_factor waits for it. */
static __device__ __forceinline__ void fetch_factor(const wide_t *from,
                                                    wide_t *to)
{
    enum { EACH = 16 / sizeof(wide_t) };
#pragma unroll 4
    for (int x = threadIdx.x; x < FACTOR / EACH; x += 32 * ROW_WARPS)
        __pipeline_memcpy_async(to + EACH * x, from + EACH * x, 16);
    __pipeline_commit();
}

/* Waits until all copies but the last `left` have arrived. */
static __device__ __forceinline__ void wait_factor(int left)
{
    if (left == 0)
        __pipeline_wait_prior(0);
    else
        __pipeline_wait_prior(1);
    __syncthreads();
}

/* V := A D M^-1 for 16 rows from i on */
static __device__ void row_tiles(mat_t A, mat_t V, int64_t i, const double *f,
                                 const wide_t *M, wide_t *rows)
{
    i += LANE / 4;
#pragma unroll 16
    for (int j = 0; j < 2 * NT; ++j) {
        tile_t c;
#pragma unroll
        for (int e = 0; e < 2; ++e) {
            const int column = TILE * (j / 2) + 2 * (LANE % 4) + e;
            tile_put(c, e,
                     wide_scale(f[column], entry(A, i + j % 2 * TILE, column)));
        }
        tile_to(c, rows + j * AREA);
    }
    solve_rows<2>(rows, M, 0);
#pragma unroll 4
    for (int j = 0; j < 2 * NT; ++j) {
        const tile_t c = tile_from(rows + j * AREA);
        const int64_t row = i + j % 2 * TILE;
#pragma unroll
        for (int e = 0; e < 2; ++e) {
            const int column = TILE * (j / 2) + 2 * (LANE % 4) + e;
            const scalar_t v = narrow(tile_get(c, e));
            if (column >= A.cols || row >= A.rows)
                continue;
            AT(A, row, column) = v;
            if (V.data)
                AT(V, row, column) = v;
        }
    }
}

/* Rows of T = -M R^-1 S L^-H, 16 to a warp */
static __device__ void triangle_tiles(mat_t T, int block, const wide_work_t &w,
                                      const double *s, wide_t *F, wide_t *rows)
{
    const int i = 2 * (block * ROW_WARPS + WARP_ID);
    const int r = LANE / 4, c = 2 * (LANE % 4);

    fetch_factor(w.R, F);
    fetch_factor(w.L, F + FACTOR);
    if (i < NT)
#pragma unroll 8
        for (int j = 2 * i; j < 2 * NT; ++j) { /* of M                       */
            const int row = i + j % 2, column = j / 2;
            tile_t m;
#pragma unroll
            for (int e = 0; e < 2; ++e) {
                const wide_t x =
                    column > row
                        ? wide_conj(below(w.M, column, row)[place(c + e, r)])
                        : w.L_diagonal[row * AREA + place(r, c + e)];
                const int there = column > row || (column == row && r <= c + e);
                tile_put(m, e, there ? x : wide(0, 0));
            }
            tile_to(m, rows + j * AREA);
        }
    wait_factor(1);
    if (i < NT) {
        solve_rows<2>(rows, F, i);
        for (int j = 2 * i; j < 2 * NT; ++j) {
            tile_t x = tile_from(rows + j * AREA);
#pragma unroll
            for (int e = 0; e < 2; ++e)
                tile_put(
                    x, e,
                    wide_scale(-s[TILE * (j / 2) + c + e], tile_get(x, e)));
            tile_to(x, rows + j * AREA);
        }
    }
    wait_factor(0);
    if (i >= NT)
        return;
    solve_rows<2>(rows, F + FACTOR, i);
    for (int j = 0; j < 2 * NT; ++j) {
        const tile_t x = tile_from(rows + j * AREA);
        const int row = TILE * (i + j % 2) + r;
#pragma unroll
        for (int e = 0; e < 2; ++e) {
            const int column = TILE * (j / 2) + c + e;
            if (row < T.rows && column < T.cols)
                AT(T, row, column) =
                    row <= column ? narrow(tile_get(x, e)) : make(0, 0);
        }
    }
}

/* The first rows of A := S R D^-1, L below; of V := L; tau := diag(T); tile row i */
static __device__ void top_tiles(mat_t A, scalar_t *tau, mat_t V, int i,
                                 const wide_work_t &w)
{
    for (int x = LANE; x < TILE * COLS; x += 32) {
        const int r = x % TILE, j = x / AREA, c = x / TILE % TILE;
        const int row = TILE * i + r, column = TILE * j + c;
        if (row >= A.rows || column >= A.cols)
            continue;
        const wide_t *const l = i == j  ? w.L_diagonal + i * AREA
                                : i > j ? below(w.L, i, j)
                                        : NULL;
        const wide_t *const rh = i == j  ? w.R_diagonal + i * AREA
                                 : i < j ? below(w.R, j, i)
                                         : NULL;
        const scalar_t v =
            row > column ? narrow(l[place(r, c)]) : make(row == column, 0);
        AT(A, row, column) =
            row > column ? v
                         : narrow(wide_scale(w.s[row] / w.f[column],
                                             wide_conj(rh[place(c, r)])));
        if (V.data)
            AT(V, row, column) = v;
        if (row == column)
            tau[column] = narrow(wide_scale(
                -w.s[row] / wide_re(rh[place(r, r)]), l[place(r, r)]));
    }
}

/* -- kernel ---------------------------------------------------------------- */

/* 3.  grid: TOP_BLOCKS for the first rows, then T_BLOCKS for T, if it is wanted, then some for the
 * other rows.  block: 4 warps, each with 8 rows at the top and 16 rows elsewhere */
static __global__ void __launch_bounds__(32 * ROW_WARPS)
    rows_kernel(mat_t A, scalar_t *tau, mat_t V, mat_t T, wide_work_t w)
{
    extern __shared__ char memory[];
    wide_t *const F = (wide_t *)memory;
    wide_t *const rows = F + 2 * FACTOR + WARP_ID * 2 * DIAGONAL;
    const int for_T = T.data ? T_BLOCKS : 0, before = TOP_BLOCKS + for_T;
    const int block = (int)blockIdx.x;
    __shared__ double scale[COLS]; /* D, for T S                             */

    for (int c = threadIdx.x; c < COLS; c += blockDim.x)
        scale[c] = block < before ? w.s[c] : w.f[c];
    if (*w.verdict)
        return;
    if (block < TOP_BLOCKS) {
        top_tiles(A, tau, V, block * ROW_WARPS + WARP_ID, w);
        return;
    }
    if (block < before) {
        triangle_tiles(T, block - TOP_BLOCKS, w, scale, F, rows);
        return;
    }
    fetch_factor(w.M, F);
    wait_factor(0);
    for (int64_t i =
             COLS + 16 * ((int64_t)(block - before) * ROW_WARPS + WARP_ID);
         i < A.rows; i += 16 * ROW_WARPS * ((int64_t)gridDim.x - before))
        row_tiles(A, V, i, scale, F, rows);
}

#endif /* GSVD_QR_WIDE_ROWS_CUH */
