/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* r_only.cu -- R alone of a tall matrix of at most 32 columns; CUDA twin of r_only.c.
 *
 * Cholesky QR twice, as in panel.cu, but Q1 is multiplied by itself tile by tile
 * and never stored: A is read twice and nothing is written but R.
 *
 *     1  D A^H A D = R1^H R1
 *     2  Q1 = A D R1^-1,  Q1^H Q1 = R2^H R2
 *     3  R = R2 R1 D^-1
 *
 * A well conditioned R1 makes 2 superfluous: R2 is I and A is read once.  Where Cholesky
 * does not prove safe, R comes from tsqr.cu.
 */
#include "core/solver.h"
#include "qr/demand.h"
#include "qr/panel/cholesky_strip.cuh"
#include "qr/qr.h"
#include "qr/tsqr.h"
#include "qr/ways.h"

/* Warps whose products have slots of shared memory at once on any device */
enum { LEAST_SLOTS = WARPS / 2 };

/* Elements of a warp's rows of Q1: of all of a span, or of 8 at a time where the
 * products have fewer slots */
template <int SLOTS> constexpr int STAGE = (SLOTS < WARPS ? TILE : 32) * LD;

/* -- device functions ------------------------------------------------------ */

/* g := g + Q^H Q of a warp's span of rows in shared memory, by rows */
static __device__ __forceinline__ void stage_gram(const wide_t *Q, int span,
                                                  tile_t (&g)[TILES][TILES])
{
    const int r = LANE % 4, c = LANE / 4;
#pragma unroll(AHEAD)
    for (int k = 0; k < span; k += 4) {
        wide_t x[TILES];
#pragma unroll
        for (int t = 0; t < TILES; ++t)
            x[t] = Q[(k + r) * LD + TILE * t + c];
        tile_pairs<1>(x, x, g);
    }
}

/* g := g + Q1^H Q1 for a warp's span of rows of Q1 = A F R^-1 from i0 on */
static __device__ __forceinline__ void
second_gram(mat_t A, int64_t i0, rows_t rows, const double *f,
            const wide_t (&r)[TILES][TILES][2], wide_t *stage,
            tile_t (&g)[TILES][TILES])
{
    const mat_t Q = mat_view(NULL, A.rows, A.cols, 1);
    if (is_inside(A, i0, rows))
        warp_solve<1, 1>(A, i0, rows.span, f, r, Q, stage);
    else
        warp_solve<0, 1>(A, i0, rows.span, f, r, Q, stage);
    __syncwarp();
    stage_gram(stage, rows.span, g);
    __syncwarp();
}

/* part := Q1^H Q1, Q1 = A F R^-1; stage: shared memory for each warp's rows */
template <int SLOTS>
static __device__ __noinline__ void
block_second_gram(mat_t A, rows_t rows, const double *f, const wide_t *R,
                  const wide_t *X_, wide_t *stage, double *part)
{
    wide_t *const mine = stage + WARP_ID * STAGE<SLOTS>;
    wide_t r[TILES][TILES][2];
    tile_t g[TILES][TILES];

    if (blockIdx.x >= rows.blocks)
        return;
    load_right(R, X_, r);
    clear(g);
    EACH_SPAN(i0, rows, A.rows)
    {
        if (SLOTS == WARPS)
            second_gram(A, i0, rows, f, r, mine, g);
        else
            for (int t = 0; t < rows.span; t += TILE)
                second_gram(A, i0 + t, {TILE, rows.blocks}, f, r, mine, g);
    }
    __syncthreads(); /* X is not read any more                              */
    join_warps<SLOTS>(g, (double *)(SLOTS == WARPS ? stage : stage - SQUARE),
                      part + (int64_t)blockIdx.x * GRAM);
}

/* -- kernels --------------------------------------------------------------- */

/* grid: cooperative, rows.blocks; block: 8 warps.  With slots for the products of
 * fewer warps, these begin behind R1, and R2 lies where Q1's rows were. */
template <int SLOTS>
static __global__ void __launch_bounds__(THREADS, 1)
    r_only_kernel(mat_t A, mat_t R, rows_t rows, double *part0, double *part1,
                  int *verdict, unsigned *way)
{
    extern __shared__ char memory[];
    wide_t *const R1 = (wide_t *)memory, *const X_ = R1 + SQUARE;
    wide_t *const R2 = X_ + SQUARE;
    wide_t *const stage = SLOTS == WARPS ? R2 + SQUARE : R2;
    double *const slots = (double *)(SLOTS == WARPS ? stage : X_);
    __shared__ double f[STRIP];
    const cooperative_groups::grid_group grid = cooperative_groups::this_grid();
    const int cols = (int)A.cols;

    block_gram<0, 1, SLOTS>(A, A, rows, slots, part0); /* 1 */
    grid.sync();
    sum_parts(part0, rows.blocks, grid, R1);
    int good = equilibrate(R1, cols, f);
    if (good)
        good = cholesky32(R1, X_);
    /* the backward error suffers by R1's condition alone                    */
    const int first = good && once(R1, X_, GSVD_SINGLE ? 0x1p24 : 0x1p7);
    if (good && !first) { /* so all blocks say, of the same numbers          */
        block_second_gram<SLOTS>(A, rows, f, R1, X_, stage, part1); /* 2 */
        grid.sync();
        sum_parts(part1, rows.blocks, grid, R2);
        good = second(R2, cols, X_);
    }
    if (blockIdx.x > 0)
        return;
    if (threadIdx.x == 0) {
        *verdict = !good;
        atomicAdd(way + (!good   ? WAY_R_TSQR
                         : first ? WAY_R_ONCE
                                 : WAY_R_TWICE),
                  1u);
    }
    if (!good)
        return;
    if (!first)
        multiply32<0, 0>(X_, R2, R1); /* 3 */
    const wide_t *const R3 = first ? R1 : X_;
    for (int x = threadIdx.x; x < cols * cols; x += THREADS) {
        const int i = x % cols, j = x / cols;
        AT(R, i, j) =
            narrow(i > j ? wide(0, 0) : wide_scale(1 / f[j], R3[i * LD + j]));
    }
}

/* -- launchers ------------------------------------------------------------- */

static demand_t r_only_demand(int shared)
{
    const size_t square = SQUARE * sizeof(wide_t);
    const size_t bytes = 3 * square + WARPS * STAGE<WARPS> * sizeof(wide_t);
    const size_t rows = WARPS * STAGE<LEAST_SLOTS> * sizeof(wide_t);
    const size_t products = (size_t)LEAST_SLOTS * GRAM * sizeof(double);
    const size_t tight =
        square + (products > square + rows ? products : square + rows);
    if (fits_shared(shared, bytes))
        return demand("r_only_kernel", WARPS,
                      (const void *)r_only_kernel<WARPS>, THREADS, bytes);
    return demand("r_only_kernel", LEAST_SLOTS,
                  (const void *)r_only_kernel<LEAST_SLOTS>, THREADS, tight);
}

int X(r_only_demands)(int shared, demand_t *d)
{
    d[0] = r_only_demand(shared);
    return 1;
}

static size_t parts_bytes(const exec_t *ex)
{
    return (size_t)(2 * (int64_t)cuda_of(ex->h)->multiprocessors * GRAM + 32) *
           sizeof(double);
}

/* -- the solvers ----------------------------------------------------------- */

/* TSQR's kernel follows and returns at once unless the other wants it. */
static gsvd_status_t cholesky(const exec_t *ex, const task_t *t)
{
    mat_t A = t->A, R = t->C;
    const int64_t blocks = cuda_of(ex->h)->multiprocessors;
    const size_t parts = parts_bytes(ex);
    const demand_t d = r_only_demand(cuda_of(ex->h)->shared);
    int64_t most;
    void *memory;

    GSVD_TRY(
        X(kernel_work)(ex, parts + X(tsqr_r_bytes)(A.rows, A.cols), &memory));
    double *part0 = (double *)memory, *part1 = part0 + blocks * GRAM;
    int *verdict = (int *)(part1 + blocks * GRAM);
    void *const tree = (char *)memory + parts;

    GSVD_TRY(at_once(ex, &d, &most));
    rows_t rows = share_rows(A.rows, most);
    unsigned *way = cuda_of(ex->h)->way;
    void *arguments[] = {&A, &R, &rows, &part0, &part1, &verdict, &way};
    GSVD_TRY(gsvd_launch_grid(ex->h, stream_of(ex), &d,
                              dim3((unsigned)rows.blocks), arguments));
    return X(tsqr_r_cuda)(ex, A, R, tree, verdict);
}

static size_t tsqr_bytes(const exec_t *ex, const task_t *t)
{
    (void)ex;
    return X(tsqr_r_bytes)(t->A.rows, t->A.cols);
}

static gsvd_status_t tsqr(const exec_t *ex, const task_t *t)
{
    void *tree;
    GSVD_TRY(X(kernel_work)(ex, tsqr_bytes(ex, t), &tree));
    ++cuda_of(ex->h)->taken[WAY_R_TSQR];
    return X(tsqr_r_cuda)(ex, t->A, t->C, tree, NULL);
}

static int tsqr_wanted(const exec_t *ex, const task_t *t)
{
    (void)t;
    return ex->policy.panel == GSVD_PANEL_TSQR;
}

static int cholesky_wanted(const exec_t *ex, const task_t *t)
{
    return !tsqr_wanted(ex, t);
}

static size_t cholesky_bytes(const exec_t *ex, const task_t *t)
{
    return parts_bytes(ex) + tsqr_bytes(ex, t);
}

static const solver_t solver[] = {
    {"Cholesky", cholesky_wanted, NULL, cholesky_bytes, cholesky},
    {"TSQR", tsqr_wanted, NULL, tsqr_bytes, tsqr},
};
const solvers_t X(r_only_solvers_cuda) = SOLVERS("R alone", solver);

gsvd_status_t X(r_only_cuda)(const exec_t *ex, mat_t A, mat_t R)
{
    task_t t = {};
    if (mat_empty(A))
        return GSVD_SUCCESS;
    t.A = A;
    t.C = R;
    return run_solver(&X(r_only_solvers_cuda), ex, &t);
}
