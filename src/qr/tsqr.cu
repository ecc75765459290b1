/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* tsqr.cu -- QR of a tall panel by Givens rotations; CUDA twin of tsqr.c.
 *
 * A panel takes one cooperative launch.  A block has neighbouring leaves and joins them by a tree
 * of its own.  Then comes the tree of blocks, with one barrier of the grid for each level.  A warp
 * rotates pairs of rows, and each lane has one column of them:
 *
 *     leaf    in shared memory; a pair of rows is that of a turn of the table
 *     merge   the first triangle in shared memory; of the second, each warp
 *             holds some rows in registers, which meet one row of the first
 *             after the other
 *
 * In each step lane q of a warp computes the rotation of the warp's pair number q, and all lanes
 * get it by a shuffle.  One barrier of the block ends the step.
 */
#include <cooperative_groups.h>

#include "core/launch.h"
#include "qr/tsqr.h"
#include "qr/tsqr_square.cuh"

namespace cg = cooperative_groups;

/* -- device functions: trees ----------------------------------------------- */

/* The tree over the first `count` places: S and triangle 0 := R of all.  *held is
 * the number of the triangle that S is, before and after. */
static __device__ void tree_up(tsqr_places_t p, int64_t count, int b, int kept,
                               square_t S, int64_t *held)
{
    scalar_t y[B / PANEL_WARPS];
    for (int64_t half = 1; half < count; half *= 2)
        for (int64_t k = 0; k + half < count; k += 2 * half) {
            const tsqr_places_t other = tsqr_place(p, k + half, b);
            if (*held != k)
                load_square(p.triangle + k * b * b, b, S);
            __syncthreads();
            load_rows<PANEL_WARPS>(other.triangle, b, y);
            merge_up<PANEL_WARPS>(b, S, y, kept ? other.c : NULL, other.s);
            store_square(S, b, p.triangle + k * b * b);
            *held = k;
        }
    if (*held != 0)
        load_square(p.triangle, b, S);
    *held = 0;
}

/* The tree downwards: triangle k := the rows of Q for it, from the rows for all, which
 * are in S; *held = 0 before. */
static __device__ void tree_down(tsqr_places_t p, int64_t count, int b,
                                 square_t S, int64_t *held)
{
    scalar_t y[B / PANEL_WARPS];
    int64_t half = 1;
    while (half < count)
        half *= 2;
    for (half /= 2; half > 0; half /= 2)
        for (int64_t k = 0; k + half < count; k += 2 * half) {
            const tsqr_places_t other = tsqr_place(p, k + half, b);
            if (*held != k)
                load_square(p.triangle + k * b * b, b, S);
            merge_down<PANEL_WARPS>(b, S, y, other.c, other.s);
            store_rows<PANEL_WARPS>(y, b, other.triangle);
            store_square(S, b, p.triangle + k * b * b);
            __syncthreads();
            *held = k;
        }
}

/* S and triangle 0 of p := R of the leaves from `first` on, as many as count */
static __device__ void group_up(const tsqr_table_t *table, mat_t A,
                                int64_t first, int64_t count, tsqr_places_t p,
                                int kept, square_t S)
{
    const int b = (int)A.cols;
    int64_t held = 0;
    for (int64_t k = count - 1; k >= 0; --k) {
        const tsqr_places_t at = tsqr_place(p, k, b);
        load_leaf(A, first + k, S);
        leaf_up<PANEL_WARPS>(table, b, S, kept ? at.c : NULL, at.s);
        store_square(S, b, at.triangle);
    }
    tree_up(p, count, b, kept, S, &held);
}

/* A's rows of these leaves := rows of Q, from the rows for all, which are in S.  The
 * rows of the first leaf stay in S.  buffer_c, buffer_s: shared memory for the rotations
 * of a leaf */
static __device__ void group_down(const tsqr_table_t *table, mat_t A,
                                  int64_t first, int64_t count, tsqr_places_t p,
                                  square_t S, real_t *buffer_c,
                                  scalar_t *buffer_s)
{
    const int b = (int)A.cols;
    int64_t held = 0;
    tree_down(p, count, b, S, &held);
    for (int64_t k = count - 1; k >= 0; --k) {
        const tsqr_places_t at = tsqr_place(p, k, b);
        if (held != k)
            load_square(at.triangle, b, S);
        held = k;
        for (int t = threadIdx.x; t < B * b; t += blockDim.x)
            if (t / b > t % b) {
                buffer_c[t] = at.c[t];
                buffer_s[t] = at.s[t];
            }
        __syncthreads();
        leaf_down<PANEL_WARPS>(table, b, S, buffer_c, buffer_s);
        if (k > 0)
            store_leaf(S, A, first + k);
    }
}

/* -- device functions: a panel --------------------------------------------- */

/* A block's part of a panel: the groups first, first + 1, ..., as many as mine. */
typedef struct block_part {
    int b, all; /* columns; Has each leaf a place of its own?                */
    int64_t share, groups, first, mine;
    tsqr_places_t kept, again;
    int64_t apart; /* Blocks this far apart meet next.                       */
} block_part_t;

static __device__ __forceinline__ block_part_t
part_of_block(mat_t A, const tsqr_work_t &w, int64_t share)
{
    block_part_t p;
    p.b = (int)A.cols;
    p.all = w.group == 1;
    p.share = share;
    p.groups = (w.leaves + w.group - 1) / w.group;
    p.first = blockIdx.x * share;
    p.mine = min_i(share, p.groups - p.first);
    p.kept = tsqr_place(w.kept, p.first, p.b);
    p.again = tsqr_place(w.again, blockIdx.x * w.group, p.b);
    return p;
}

/* Does the block meet the one that is p.apart blocks further on?  *other := the place of
 * the triangle of that one */
static __device__ __forceinline__ int meets(const block_part_t &p,
                                            tsqr_places_t *other)
{
    const int64_t ahead = p.apart * p.share;
    if (blockIdx.x % (2 * p.apart) != 0 || p.first + ahead >= p.groups)
        return 0;
    *other = tsqr_place(p.kept, ahead, p.b);
    return 1;
}

/* 1: w.root := R, by the block's groups, by the tree of the block, and by the tree of
 * the blocks */
static __device__ __forceinline__ void
panel_up(const cg::grid_group &grid, const tsqr_table_t *table, mat_t A,
         const tsqr_work_t &w, block_part_t &p, square_t S,
         scalar_t (&y)[B / PANEL_WARPS], int64_t *held)
{
    tsqr_places_t other;
    for (int64_t g = p.mine - 1; g >= 0; --g) {
        const int64_t leaf = (p.first + g) * w.group;
        const tsqr_places_t place = tsqr_place(p.kept, g, p.b);
        group_up(table, A, leaf, min_i(w.group, w.leaves - leaf),
                 p.all ? place : p.again, p.all, S);
        if (!p.all)
            store_square(S, p.b, place.triangle);
    }
    tree_up(p.kept, p.mine, p.b, 1, S, held);
    for (p.apart = 1; p.apart < gridDim.x; p.apart *= 2) {
        grid.sync();
        if (meets(p, &other)) {
            load_rows<PANEL_WARPS>(other.triangle, p.b, y);
            merge_up<PANEL_WARPS>(p.b, S, y, other.c, other.s);
            store_square(S, p.b, p.kept.triangle);
        }
    }
    if (blockIdx.x == 0)
        make_positive<PANEL_WARPS>(p.b, S, w.root, 1);
}

/* 2: A := Q by the same trees downwards; the first leaf of the block stays in S. */
static __device__ __forceinline__ void
panel_down(const cg::grid_group &grid, const tsqr_table_t *table, mat_t A,
           const tsqr_work_t &w, block_part_t &p, square_t S,
           scalar_t (&y)[B / PANEL_WARPS], real_t *buffer_c, scalar_t *buffer_s,
           int64_t *held)
{
    tsqr_places_t other;
    for (p.apart /= 2; p.apart > 0; p.apart /= 2) {
        if (meets(p, &other)) {
            merge_down<PANEL_WARPS>(p.b, S, y, other.c, other.s);
            store_rows<PANEL_WARPS>(y, p.b, other.triangle);
        }
        grid.sync();
        if (blockIdx.x % (2 * p.apart) == p.apart)
            load_square(p.kept.triangle, p.b, S);
    }
    tree_down(p.kept, p.mine, p.b, S, held);
    for (int64_t g = p.mine - 1; g >= 0; --g) {
        const int64_t leaf = (p.first + g) * w.group;
        const int64_t count = min_i(w.group, w.leaves - leaf);
        const tsqr_places_t place = tsqr_place(p.kept, g, p.b);
        if (!p.all) {
            if (*held == g) /* S is wanted for group_up, and loaded again   */
                store_square(S, p.b, place.triangle);
            group_up(table, A, leaf, count, p.again, 1, S);
        }
        if (!p.all || *held != g)
            load_square(place.triangle, p.b, S);
        *held = g;
        group_down(table, A, leaf, count, p.all ? place : p.again, S, buffer_c,
                   buffer_s);
        if (g > 0)
            store_leaf(S, A, leaf);
    }
}

/* 3, by the first block: Q - (S; 0) = V U for the first leaf of all, R, tau and T; w.U :=
 * U for the other blocks */
static __device__ __forceinline__ void
panel_top(mat_t A, scalar_t *tau, mat_t T, const tsqr_work_t &w, int b,
          square_t S, real_t *sign, scalar_t *buffer_s)
{
    reconstruct<PANEL_WARPS>(b, S, sign, tau);
    store_square(S, B, w.U);
    if (T.data && warp_of_thread() == 0)
        warp_triangle(b, S, sign, tau, buffer_s, T);
    __syncthreads();
    for (int t = threadIdx.x; t < SQUARE; t += blockDim.x) {
        const int i = t / B, j = t % B;
        if (i <= j && j < b)
            S[i][j] = scale(sign[i], w.root[t]);
    }
    __syncthreads();
    store_leaf(S, A, 0);
}

/* 3, the other leaves: V = Q U^-1 */
static __device__ __forceinline__ void panel_rows(mat_t A, const tsqr_work_t &w,
                                                  const block_part_t &p,
                                                  square_t S,
                                                  scalar_t *buffer_s)
{
    for (int t = threadIdx.x; t < SQUARE; t += blockDim.x)
        buffer_s[t] = w.U[t];
    const int64_t start = p.first * w.group;
    const int64_t end = min_i(start + p.share * w.group, w.leaves);
    for (int64_t k = max_i(start, 1); k < end; ++k) {
        if (k > start)
            load_leaf(A, k, S);
        solve_rows<PANEL_WARPS>(p.b, S, buffer_s);
        store_leaf(S, A, k);
    }
}

static __device__ __forceinline__ void load_table(const tsqr_table_t &given,
                                                  tsqr_table_t &table)
{
    for (int t = threadIdx.x; t < TSQR_STEPS * TSQR_GROUPS; t += blockDim.x)
        table.turn[0][t] = given.turn[0][t];
    if (threadIdx.x == 0)
        table.steps = given.steps;
}

/* -- kernels --------------------------------------------------------------- */

/* grid: cooperative, block i has the groups [i share, (i + 1) share) of leaves;
 * block: PANEL_WARPS warps */
static __global__ void __launch_bounds__(PANEL_WARPS *B, 1)
    panel_kernel(mat_t A, scalar_t *tau, mat_t T, tsqr_work_t w, int64_t share,
                 const __grid_constant__ tsqr_table_t given, const int *verdict)
{
    __shared__ square_t S;
    __shared__ scalar_t buffer_s[SQUARE]; /* rotations of a leaf, then U      */
    __shared__ real_t buffer_c[SQUARE];
    __shared__ tsqr_table_t table;
    __shared__ real_t sign[B];
    scalar_t y[B / PANEL_WARPS];

    if (verdict && *verdict == 0)
        return;
    const cg::grid_group grid = cg::this_grid();
    block_part_t part = part_of_block(A, w, share);
    int64_t held = 0; /* S is the triangle of group part.first + held        */

    load_table(given, table);
    panel_up(grid, &table, A, w, part, S, y, &held);
    panel_down(grid, &table, A, w, part, S, y, buffer_c, buffer_s, &held);
    if (blockIdx.x == 0)
        panel_top(A, tau, T, w, part.b, S, sign, buffer_s);
    grid.sync();
    panel_rows(A, w, part, S, buffer_s);
}

/* grid: cooperative, block i has the leaves i, i + gridDim.x, ..; block:
 * R_WARPS warps; triangle: b x b a block */
static __global__ void __launch_bounds__(R_WARPS *B)
    r_kernel(mat_t A, mat_t R, scalar_t *triangle,
             const __grid_constant__ tsqr_table_t given, const int *verdict)
{
    __shared__ square_t S, leaf;
    __shared__ tsqr_table_t table;
    scalar_t y[B / R_WARPS];

    if (verdict && *verdict == 0)
        return;
    const cg::grid_group grid = cg::this_grid();
    const int b = (int)A.cols, lane = lane_of_thread(), warp = warp_of_thread();
    const int64_t leaves = tsqr_leaves(A.rows);

    load_table(given, table);
    load_leaf(A, blockIdx.x, S);
    leaf_up<R_WARPS>(&table, b, S, NULL, NULL);
    for (int64_t k = (int64_t)blockIdx.x + gridDim.x; k < leaves;
         k += gridDim.x) {
        load_leaf(A, k, leaf);
        leaf_up<R_WARPS>(&table, b, leaf, NULL, NULL);
#pragma unroll
        for (int q = 0; q < B / R_WARPS; ++q)
            y[q] = leaf[q * R_WARPS + warp][lane];
        merge_up<R_WARPS>(b, S, y, NULL, NULL);
    }
    store_square(S, b, triangle + blockIdx.x * (b * b));
    for (int64_t half = 1; half < gridDim.x; half *= 2) {
        const int64_t other = blockIdx.x + half;
        grid.sync();
        if (blockIdx.x % (2 * half) == 0 && other < gridDim.x) {
            load_rows<R_WARPS>(triangle + other * (b * b), b, y);
            merge_up<R_WARPS>(b, S, y, NULL, NULL);
            store_square(S, b, triangle + blockIdx.x * (b * b));
        }
    }
    if (blockIdx.x == 0) {
        make_positive<R_WARPS>(b, S, NULL, 0);
        store_leaf(S, R, 0);
    }
}

/* -- launchers ------------------------------------------------------------- */

gsvd_status_t X(tsqr_panel_cuda)(const exec_t *ex, mat_t A, scalar_t *tau,
                                 mat_t T, void *own, void *groups,
                                 const int *verdict)
{
    const demand_t d = demand("panel_kernel", 0, (const void *)panel_kernel,
                              PANEL_WARPS * B, 0);
    tsqr_table_t table;
    int64_t most;

    if (mat_empty(A))
        return GSVD_SUCCESS;
    GSVD_TRY(gsvd_at_once(ex->h, stream_of(ex), &d,
                          tsqr_blocks(cuda_of(ex->h)->multiprocessors), &most));
    table.steps = gsvd_modi_clarke(B, (int)A.cols, table.turn[0]);
    tsqr_work_t w = tsqr_carve(A.rows, A.cols, cuda_of(ex->h)->multiprocessors,
                               own, groups);
    const int64_t all = (w.leaves + w.group - 1) / w.group;
    int64_t share = (all + most - 1) / most;
    void *arguments[] = {&A, &tau, &T, &w, &share, &table, &verdict};
    return gsvd_launch_grid(ex->h, stream_of(ex), &d,
                            dim3((unsigned)((all + share - 1) / share)),
                            arguments);
}

gsvd_status_t X(tsqr_r_cuda)(const exec_t *ex, mat_t A, mat_t R, void *work,
                             const int *verdict)
{
    const demand_t d =
        demand("r_kernel", 0, (const void *)r_kernel, R_WARPS * B, 0);
    tsqr_table_t table;
    int64_t most;

    if (mat_empty(A))
        return GSVD_SUCCESS;
    GSVD_TRY(gsvd_at_once(ex->h, stream_of(ex), &d, MOST_BLOCKS, &most));
    table.steps = gsvd_modi_clarke(B, (int)A.cols, table.turn[0]);
    scalar_t *triangle = (scalar_t *)work;
    void *arguments[] = {&A, &R, &triangle, &table, &verdict};
    return gsvd_launch_grid(ex->h, stream_of(ex), &d,
                            dim3((unsigned)min_i(tsqr_leaves(A.rows), most)),
                            arguments);
}
