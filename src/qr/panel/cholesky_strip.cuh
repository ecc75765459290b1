/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* cholesky_strip.cuh -- Cholesky QR of a strip of at most 32 columns: device functions of
 * panel.cu and r_only.cu; the formulas are in panel.cu. */
#ifndef GSVD_QR_STRIP_CUH
#define GSVD_QR_STRIP_CUH

#include <cooperative_groups.h>

#include "core/exec.h"
#include "core/gpublas.h"
#include "core/launch.h"
#include "qr/panel/tile.cuh"

enum {
    THREADS = 256,
    WARPS = THREADS / 32,
    BLOCKS = 32, /* that share a strip, unless it has more than 8192 rows   */
    GRAM = STRIP * STRIP * WIDE_PARTS, /* doubles of a Gram matrix           */
    AHEAD = WIDE_PARTS == 1 ? 2 : 1    /* tiles of rows under way            */
};

/* -- device functions: the rows ---------------------------------------------- */

/* A(i, j), or 0 where A has no such entry */
WIDE_FN wide_t entry(mat_t A, int64_t i, int j)
{
    return i < A.rows && j < A.cols ? widen(AT(A, i, j)) : wide(0, 0);
}

/* A(i, j), where INSIDE says that A has it; of reflectors, V, the unit lower trapezoid
 * of A */
template <int INSIDE, int V> WIDE_FN wide_t take(mat_t A, int64_t i, int j)
{
    if (V && i <= j)
        return wide(i == j && j < A.cols, 0);
    return INSIDE ? widen(A.data[i + j * A.ld]) : entry(A, i, j);
}

/* The shares of a strip's rows: a warp takes span = 8, 16 or 32 rows at a time, and a block 8
 * times as many.  The blocks take turns. */
typedef struct rows {
    int span, blocks;
} rows_t;

/* Has A a span of rows from i0 on, and 32 columns? */
WIDE_FN int is_inside(mat_t A, int64_t i0, rows_t rows)
{
    return A.cols == STRIP && i0 + rows.span <= A.rows;
}

#define EACH_SPAN(i0, rows, m)                                                 \
    for (int64_t i0 = ((int64_t)blockIdx.x * WARPS + WARP_ID) * (rows).span;   \
         i0 < (m); i0 += (int64_t)(rows).blocks * WARPS * (rows).span)

/* g := g + x^H y, one step of four, two tiles of a column at once.  HALF: only the tiles
 * on and above the diagonal, and the partners of those, are computed. */
template <int HALF>
static __device__ __forceinline__ void tile_pairs(const wide_t (&x)[TILES],
                                                  const wide_t (&y)[TILES],
                                                  tile_t (&g)[TILES][TILES])
{
#pragma unroll
    for (int s = 0; s < TILES; s += 2)
#pragma unroll
        for (int t = HALF ? s : 0; t < TILES; ++t)
            tile_pair(g[s][t], g[s + 1][t], wide_conj(x[s]),
                      wide_conj(x[s + 1]), y[t]);
}

/* g := g + X^H Y over a warp's span of rows from i0 on, 32 columns each.  V: X holds
 * reflectors.  HALF: Y is X, and only tiles on and above the diagonal are computed. */
template <int INSIDE, int V, int HALF>
static __device__ __forceinline__ void
warp_gram(mat_t X_, mat_t Y, int64_t i0, int span, tile_t (&g)[TILES][TILES])
{
    const int r = LANE % 4, c = LANE / 4;
#pragma unroll(HALF ? 4 * AHEAD : AHEAD)
    for (int k = 0; k < span; k += 4) {
        wide_t x[TILES], y[TILES];
#pragma unroll
        for (int t = 0; t < TILES; ++t) {
            x[t] = take<INSIDE, V>(X_, i0 + k + r, TILE * t + c);
            y[t] = HALF ? x[t] : take<INSIDE, 0>(Y, i0 + k + r, TILE * t + c);
        }
        tile_pairs<HALF>(x, y, g);
    }
}

static __device__ __forceinline__ void clear(tile_t (&g)[TILES][TILES])
{
#pragma unroll
    for (int s = 0; s < TILES; ++s)
#pragma unroll
        for (int t = 0; t < TILES; ++t)
            g[s][t] = tile_zero();
}

/* part := the sum of the warps' g, in the order of warps, tile by tile.  `slots`, in shared memory,
 * have room for SLOTS of them; so the warps come in turns, with barriers between. */
template <int SLOTS>
static __device__ __forceinline__ void join_warps(tile_t (&g)[TILES][TILES],
                                                  double *slots, double *part)
{
    for (int first = 0; first < WARPS; first += SLOTS) {
        const int mine = SLOTS == WARPS ? WARP_ID : WARP_ID - first;
        if (SLOTS == WARPS || (mine >= 0 && mine < SLOTS))
#pragma unroll
            for (int p = 0; p < WIDE_PARTS; ++p)
#pragma unroll
                for (int s = 0; s < TILES; ++s)
#pragma unroll
                    for (int t = 0; t < TILES; ++t)
#pragma unroll
                        for (int e = 0; e < 2; ++e)
                            slots[mine * GRAM +
                                  (((p * TILES + s) * TILES + t) * 2 + e) * 32 +
                                  LANE] = g[s][t].x[p][e];
        __syncthreads();
        for (int e = threadIdx.x; e < GRAM; e += THREADS) {
            double sum = first > 0 ? part[e] : 0;
            for (int w = 0; w < SLOTS; ++w)
                sum += slots[w * GRAM + e];
            part[e] = sum;
        }
        if (SLOTS < WARPS)
            __syncthreads();
    }
}

/* part := X^H Y over the block's rows */
template <int V, int HALF, int SLOTS = WARPS>
static __device__ __noinline__ void block_gram(mat_t X_, mat_t Y, rows_t rows,
                                               double *slots, double *part)
{
    tile_t g[TILES][TILES];
    if (blockIdx.x >= rows.blocks)
        return;
    clear(g);
    EACH_SPAN(i0, rows, X_.rows)
    if (is_inside(X_, i0, rows) && is_inside(Y, i0, rows))
        warp_gram<1, V, HALF>(X_, Y, i0, rows.span, g);
    else
        warp_gram<0, V, HALF>(X_, Y, i0, rows.span, g);
    join_warps<SLOTS>(g, slots, part + (int64_t)blockIdx.x * GRAM);
}

/* Adds many parts up in the first one.  32 blocks share this step out, so that no block
 * reads all parts. */
static __device__ int fewer_parts(double *part, int parts,
                                  cooperative_groups::grid_group grid)
{
    enum { MINE = GRAM / BLOCKS, GROUPS = THREADS / MINE };
    __shared__ double sums[GROUPS][MINE];
    if (parts <= 2 * BLOCKS)
        return parts;
    if (blockIdx.x < BLOCKS) {
        const int e = threadIdx.x % MINE, group = threadIdx.x / MINE;
        double *const at = part + blockIdx.x * MINE + e;
        double sum = 0;
#pragma unroll 4
        for (int b = group; b < parts; b += GROUPS)
            sum += __ldcg(at + (int64_t)b * GRAM);
        sums[group][e] = sum;
        __syncthreads();
        for (int g = 1; g < GROUPS && group == 0; ++g)
            sum += sums[g][e];
        if (group == 0)
            *at = sum;
    }
    grid.sync();
    return 1;
}

/* G := the sum of the blocks' parts, in their order; all blocks call it */
static __device__ __noinline__ void
sum_parts(double *part, int parts, cooperative_groups::grid_group grid,
          wide_t *G)
{
    enum { MINE = GRAM / THREADS };
    parts = fewer_parts(part, parts, grid);
    double x[MINE] = {};
#pragma unroll 4
    for (int b = 0; b < parts; ++b)
#pragma unroll
        for (int q = 0; q < MINE; ++q)
            x[q] +=
                __ldcg(part + (int64_t)b * GRAM + q * THREADS + threadIdx.x);
#pragma unroll
    for (int q = 0; q < MINE / WIDE_PARTS; ++q) {
        const int e = q * THREADS + threadIdx.x;
        const int lane = e % 32, half = e / 32 % 2, t = e / 64;
        G[(TILE * (t / TILES) + lane / 4) * LD + TILE * (t % TILES) +
          2 * (lane % 4) + half] = wide(x[q], x[q + MINE - MINE / WIDE_PARTS]);
    }
    __syncthreads();
}

/* The right factors of R: R above, X on the diagonal */
static __device__ __forceinline__ void
load_right(const wide_t *R, const wide_t *X_, wide_t (&r)[TILES][TILES][2])
{
#pragma unroll
    for (int i = 0; i < TILES; ++i)
#pragma unroll
        for (int j = i; j < TILES; ++j)
#pragma unroll
            for (int s = 0; s < 2; ++s)
                r[i][j][s] = right<0>(i == j ? X_ : R, i, j, s);
}

/* solve_rows for the rows of a warp.  STAGED: the result goes to shared memory, by rows,
 * with zeros where From has no entry. */
template <int INSIDE, int STAGED>
static __device__ __forceinline__ void
warp_solve(mat_t From, int64_t i0, int span, const double *f,
           const wide_t (&r)[TILES][TILES][2], mat_t To, wide_t *stage)
{
#pragma unroll(AHEAD)
    for (int t = 0; t < span; t += TILE) {
        const int64_t i = i0 + t + LANE / 4;
        tile_t q[TILES];
#pragma unroll
        for (int j = 0; j < TILES; ++j)
#pragma unroll
            for (int e = 0; e < 2; ++e) {
                const int c = TILE * j + 2 * (LANE % 4) + e;
                tile_put(q[j], e,
                         wide_scale(f[c], take<INSIDE, 0>(From, i, c)));
            }
#pragma unroll
        for (int j = 0; j < TILES; ++j) {
            tile_t y = tile_zero();
#pragma unroll
            for (int k = 0; k < j; ++k)
#pragma unroll
                for (int s = 0; s < 2; ++s)
                    tile_step(q[j], negative(tile_get(q[k], s)), r[k][j][s]);
#pragma unroll
            for (int s = 0; s < 2; ++s)
                tile_step(y, tile_get(q[j], s), r[j][j][s]);
            q[j] = y;
        }
#pragma unroll
        for (int j = 0; j < TILES; ++j)
#pragma unroll
            for (int e = 0; e < 2; ++e) {
                const int c = TILE * j + 2 * (LANE % 4) + e;
                if (STAGED)
                    stage[(t + LANE / 4) * LD + c] = tile_get(q[j], e);
                else if (INSIDE || (i < To.rows && c < To.cols))
                    AT(To, i, c) = narrow(tile_get(q[j], e));
            }
    }
}

/* To(i,:) := From(i,:) F R^-1 for the block's rows i >= first, 0 or 32, F = diag(f),
 * X the inverted diagonal tiles of R.  Rows before `first` are not read: another block
 * may be writing them. */
static __device__ __noinline__ void solve_rows(mat_t From, int64_t first,
                                               rows_t rows, const double *f,
                                               const wide_t *R,
                                               const wide_t *X_, mat_t To)
{
    if (blockIdx.x >= rows.blocks)
        return;
    wide_t r[TILES][TILES][2];
    load_right(R, X_, r);
    EACH_SPAN(i0, rows, From.rows)
    if (i0 >= first && is_inside(From, i0, rows)) /* none passes row 32       */
        warp_solve<1, 0>(From, i0, rows.span, f, r, To, NULL);
    else if (i0 >= first)
        warp_solve<0, 0>(From, i0, rows.span, f, r, To, NULL);
}

/* -- device functions: 32 x 32 matrices -------------------------------------- */

/* 1: f := the diagonal of D, G := D G D with a diagonal of about 1; columns beyond the
 * strip's become those of I.  Answers 0 if a column is zero, or its square out of
 * range: drivers scale the largest entries to 2^450 to 2^480. */
static __device__ int equilibrate(wide_t *G, int cols, double *f)
{
    int fine = 1;
    if (WARP_ID == 0) {
        const double square = wide_re(G[LANE * LD + LANE]);
        const int there = LANE < cols;
        fine = !there || (square > 0x1p-900 && square < 0x1p1000);
        f[LANE] = there && fine ? exp2((double)(-ilogb(square) / 2)) : 1;
    }
    fine = __syncthreads_and(fine);
    for (int x = threadIdx.x; x < STRIP * STRIP; x += THREADS) {
        const int i = x / STRIP, j = x % STRIP;
        wide_t *const g = G + i * LD + j;
        *g = i < cols && j < cols ? wide_scale(f[i], wide_scale(f[j], *g))
                                  : wide(i == j, 0);
    }
    __syncthreads();
    return fine;
}

/* Is one pass as good as two?  It is if the condition |R D|_F |(R D)^-1|_F is at most `most`,
 * where R D has columns of length 1; this condition is at least 32.  The columns of A R^-1 depart
 * from orthonormality by rounding in double times its square, whatever their lengths were.  So in
 * single precision it may be large.  In double 38 means that no singular value is below 1/4 of the
 * others (32 (31 + 4^2) > 38^2).  X := R^-1; X has its diagonal tiles on entry. */
static __device__ int once(const wide_t *R, wide_t *X_, double most)
{
    __shared__ double part[WARPS];
    double sum = 0;
    invert32(R, X_);
#pragma unroll
    for (int j = WARP_ID; j < STRIP; j += WARPS)
        sum += warp_total(wide_abs2(R[LANE * LD + j])) *
               warp_total(wide_abs2(X_[j * LD + LANE]));
    if (LANE == 0)
        part[WARP_ID] = sum;
    __syncthreads();
    sum = 0;
    for (int w = 0; w < WARPS; ++w)
        sum += part[w];
    return STRIP * sum <= most * most;
}

/* 3: G := R2 of G = I + E, X := R2^-1: by the first two terms of their series where the
 * third is below rounding, else by Cholesky.  Answers 0 if E is not small. */
static __device__ int second(wide_t *G, int cols, wide_t *X_)
{
    for (int x = threadIdx.x; x < STRIP * STRIP; x += THREADS) { /* X := E   */
        const int i = x / STRIP, j = x % STRIP;
        wide_t *const g = G + i * LD + j;
        if (i >= cols || j >= cols)
            *g = wide(i == j, 0);
        X_[i * LD + j] = wide(wide_re(*g) - (i == j), wide_im(*g));
    }
    __syncthreads();
    const double e = square32(X_);
    if (!(e <= 0x1p-16))
        return 0;
    if (e > (GSVD_SINGLE ? 0x1p-30 : 0x1p-56)) {
        cholesky32(G, X_);
        invert32(G, X_);
        return 1;
    }
    for (int x = threadIdx.x; x < STRIP * STRIP; x += THREADS) {
        const int i = x / STRIP, j = x % STRIP;
        const wide_t g = G[i * LD + j];
        const wide_t half = wide((wide_re(g) - 1) / 2, 0);
        G[i * LD + j] = i < j    ? g
                        : i == j ? wide(1 + wide_re(half), 0)
                                 : wide(0, 0);
        X_[i * LD + j] = i < j    ? negative(g)
                         : i == j ? wide(1 - wide_re(half), 0)
                                  : wide(0, 0);
    }
    __syncthreads();
    return 1;
}

/* -- host functions ----------------------------------------------------------- */

/* *blocks := how many blocks of the kernel run at the same time, but no more than there
 * are multiprocessors, as many as kernel's work is for */
static gsvd_status_t at_once(const exec_t *ex, const demand_t *d,
                             int64_t *blocks)
{
    GSVD_TRY(gsvd_allow_shared(ex->h, d));
    return gsvd_at_once(ex->h, stream_of(ex), d,
                        cuda_of(ex->h)->multiprocessors, blocks);
}

/* Shares m rows out among at most so many blocks. */
static rows_t share_rows(int64_t m, int64_t most)
{
    rows_t rows = {TILE, 1};

    while (rows.span < 32 && m > (int64_t)BLOCKS * WARPS * rows.span)
        rows.span *= 2;
    const int64_t each = (int64_t)WARPS * rows.span;
    rows.blocks = (int)min_i((m + each - 1) / each, max_i(most, 1));
    return rows;
}

#endif /* GSVD_QR_STRIP_CUH */
