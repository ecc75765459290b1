/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* panel.cu -- QR factorization of a tall panel; CUDA twin of panel.c.
 *
 * Strips of 32 columns are factored one after the other, and each updates the rest of the
 * panel.  A strip A is factored by Cholesky QR, twice (Yamamoto, Nakatsukasa, Yanagisawa
 * and Fukaya 2015), and Householder reconstruction (Ballard, Demmel et al. 2014):
 *
 *     1  D A^H A D = R1^H R1                   D powers of two
 *     2  Q1 = A D R1^-1                        rows by blocked substitution
 *     3  Q1^H Q1 = I + E = R2^H R2
 *     4  Q1 R2^-1 - (S; 0) = L U               S = diag(+-1), |u_jj| >= 1
 *     5  R = S R2 R1 D^-1,  T = -U S L1^-H,  V = L
 *
 * A well conditioned R1 makes 3 superfluous: R2 is I, Q1 is not stored, and the
 * rows of V are those of A D (U R1)^-1: two passes over A in place of four.
 *
 * Cholesky is used where it proves safe: no pivot of R1 vanishes, the diagonal tiles of
 * R1, of order 8, have condition at most 2^7 (then step 2 has a small residual, whatever
 * the condition of R1), and |E|_F <= 2^-8 (then Q1 is so well conditioned that the second
 * pass gives orthonormal columns up to rounding; E is seen, not estimated).  Else A is as
 * it was and tsqr.cu takes the strip.
 *
 * TSQR is not accurate row by row: no column is pivoted within a leaf of the tree, so that a
 * small row grows there (measured: 1e-11 to 1e-10 relative).  Nor are two passes of Cholesky: a
 * row of Q1 may be as much longer than A's as R1 is ill conditioned.  One pass is: steps 2 and
 * 4 solve for each row by itself, with triangles of a condition below 38, and the rounding of
 * the Gram matrix, which is that of its largest rows, is the same small change of R1 and T for all
 * rows.  So where ex->policy.rowwise_stable asks for it a strip takes one pass, or else
 * Householder's reflectors, column by column: householder_strip.cu.  With GSVD_PANEL_TSQR it
 * takes these at once.
 *
 * In single precision a panel of more than a strip is factored at once where the machine's
 * tuning says so (cholesky_wide.cu).
 *
 * Each block does for itself all that is not work on rows: this is quicker than to wait
 * for one block.
 */
#include "core/elementwise.h"
#include "core/solver.h"
#include "qr/demand.h"
#include "qr/panel/cholesky_strip.cuh"
#include "qr/panel/cholesky_wide.h"
#include "qr/panel/householder_strip.h"
#include "qr/qr.h"
#include "qr/tsqr.h"
#include "qr/ways.h"

/* What the blocks of a strip tell each other; in global memory. */
typedef struct strip_work {
    double *part[2]; /* Gram matrices of the blocks, by pass                 */
    scalar_t *Q;     /* Q1, by columns of the strip's rows                   */
    int *verdict;    /* 1: The strip is left to TSQR, or to reflectors.      */
    unsigned *way;   /* ways.h                                               */
    int rowwise;     /* It has one pass, and then reflectors.                */
} strip_work_t;

/* M := U Y, U on and above the diagonal of LU, Y upper triangular */
static __device__ void upper_times(const wide_t *LU, const wide_t *Y, wide_t *M)
{
    for (int t = WARP_ID; t < TILES * TILES; t += 8) {
        const int i = t / TILES, j = t % TILES;
        tile_t c = tile_zero();
        for (int k = i; k <= j; ++k)
#pragma unroll
            for (int s = 0; s < 2; ++s) {
                const wide_t u = left<0>(LU, i, k, s);
                const int upper = k > i || LANE / 4 <= 2 * (LANE % 4) + s;
                tile_step(c, upper ? u : wide(0, 0), right<0>(Y, k, j, s));
            }
        tile_store(c, M, i, j);
    }
    __syncthreads();
}

/* 5: T := -U S L1^-H with XL the inverted diagonal tiles of L1 */
static __device__ void triangle(const wide_t *LU, const double *s,
                                const wide_t *XL, wide_t *T)
{
    for (int j = 0; j < TILES; ++j) {
        if (WARP_ID < TILES) {
            const int i = WARP_ID;
            tile_t c = tile_zero();
            if (i <= j) {
                const tile_t u = tile_load(LU, i, j);
#pragma unroll
                for (int e = 0; e < 2; ++e) {
                    const int q = 2 * (LANE % 4) + e;
                    if (i < j || LANE / 4 <= q)
                        tile_put(c, e,
                                 wide_scale(-s[TILE * j + q], tile_get(u, e)));
                }
                for (int k = i; k < j; ++k)
                    tile_multiply<0, 1, 1>(c, T, LU, i, k, j);
                c = tile_times<1>(c, XL, j, j);
            }
            tile_store(c, T, i, j);
            __syncwarp();
        }
    }
    __syncthreads();
}

/* The first rows of A := L below S R D^-1, tau := diag(T), T_ := T */
static __device__ __forceinline__ void
store_top(mat_t A, scalar_t *tau, mat_t T_, const wide_t *LU, const wide_t *T,
          const wide_t *R, const double *s, const double *f)
{
    const int cols = (int)A.cols;
    for (int x = threadIdx.x; x < STRIP * STRIP; x += THREADS) {
        const int i = x % STRIP, j = x / STRIP;
        if (j >= cols)
            continue;
        if (i < cols)
            AT(T_, i, j) = narrow(T[i * LD + j]);
        if (i == j)
            tau[j] = narrow(T[i * LD + j]);
        if (i < A.rows)
            AT(A, i, j) =
                narrow(i > j ? LU[i * LD + j]
                             : wide_scale(s[i] / f[j], R[i * LD + j]));
    }
}

/* One thread says whether the strip is left to another kernel, and counts the way. */
static __device__ __forceinline__ void tell_way(strip_work_t work, int good,
                                                int first)
{
    if (blockIdx.x > 0 || threadIdx.x > 0)
        return;
    *work.verdict = !good;
    const int other = work.rowwise ? WAY_REFLECTORS : WAY_STRIP_TSQR;
    atomicAdd(work.way + (!good   ? other
                          : first ? WAY_STRIP_ONCE
                                  : WAY_STRIP_TWICE),
              1u);
}

/* -- kernels --------------------------------------------------------------- */

/* grid: cooperative, at most one block an SM: rows.blocks with rows and one
 * without, for the last step; block: 8 warps.  With slots for the products of
 * fewer warps, matrices that are not wanted at the same time have one place:
 *
 *     R1 | top, R2 | X, U^-1, then U R or T | LU | M, L^-1, then (U R)^-1
 */
template <int SLOTS>
static __global__ void __launch_bounds__(THREADS, 1)
    strip_kernel(mat_t A, scalar_t *tau, mat_t T_, rows_t rows,
                 strip_work_t work)
{
    extern __shared__ char memory[];
    enum { TIGHT = SLOTS < WARPS };
    wide_t *const place = (wide_t *)memory;
    wide_t *const R1 = place + (TIGHT ? 0 : 1) * SQUARE;
    wide_t *const top = place + (TIGHT ? 1 : 0) * SQUARE;
    wide_t *const R2 = place + (TIGHT ? 1 : 2) * SQUARE;
    wide_t *const X_ = place + (TIGHT ? 2 : 3) * SQUARE;
    wide_t *const LU = place + (TIGHT ? 3 : 4) * SQUARE;
    wide_t *const XL = place + (TIGHT ? 4 : 5) * SQUARE;
    wide_t *const M = place + (TIGHT ? 4 : 6) * SQUARE;
    wide_t *const T = place + (TIGHT ? 2 : 7) * SQUARE; /* at first U^-1 */
    wide_t *const UR = TIGHT ? T : M, *const XM = TIGHT ? XL : X_;
    double *const slots =
        (double *)(TIGHT ? top : R2); /* until it is written */
    __shared__ double s[STRIP], f[STRIP], one[STRIP];
    const cooperative_groups::grid_group grid = cooperative_groups::this_grid();
    const mat_t Q = mat_view(work.Q, A.rows, A.cols, A.rows);
    const int cols = (int)A.cols;

    block_gram<0, 1, SLOTS>(A, A, rows, slots, work.part[0]);
    for (int x = threadIdx.x; x < STRIP * STRIP; x += THREADS)
        top[x % STRIP * LD + x / STRIP] = entry(A, x % STRIP, x / STRIP);
    grid.sync(); /* 1 */
    sum_parts(work.part[0], rows.blocks, grid, R1);
    int good = equilibrate(R1, cols, f);
    if (good)
        good = cholesky32(R1, X_);
    const int first = good && once(R1, X_, GSVD_SINGLE ? 0x1p12 : 38);
    if (work.rowwise)
        good = first;
    if (good && !first) { /* All blocks agree: they have the same numbers.   */
        solve_rows(A, 0, rows, f, R1, X_, Q); /* 2 */
        __syncthreads();
        block_gram<0, 1, SLOTS>(Q, Q, rows, slots, work.part[1]); /* 3 */
        grid.sync();
        sum_parts(work.part[1], rows.blocks, grid, R2);
        good = second(R2, cols, X_);
    }
    tell_way(work, good, first);
    if (!good)
        return;

    for (int x = threadIdx.x; x < STRIP * STRIP; x += THREADS) { /* 4 */
        const int i = x % STRIP, j = x / STRIP;
        M[i * LD + j] =
            first ? wide_scale(f[j], top[i * LD + j]) : entry(Q, i, j);
    }
    if (!first && WARP_ID == 0)
        one[LANE] = 1;
    __syncthreads();
    multiply32<0, 0>(LU, M, X_);
    lu32(LU, s, XL, T);
    upper_times(LU, first ? R1 : R2, UR);
    if (WARP_ID < TILES && !(TIGHT && blockIdx.x == rows.blocks))
        tile_inverse(UR, XM, WARP_ID);
    __syncthreads();

    if (blockIdx.x == rows.blocks) { /* 5: the block without rows           */
        triangle(LU, s, XL, T);
        if (!first)
            multiply32<0, 0>(XL, R2, R1);
        store_top(A, tau, T_, LU, T, first ? R1 : XL, s, f);
        return;
    }
    solve_rows(first ? A : Q, STRIP, rows, first ? f : one, UR, XM, A);
}

/* C := C - V T^H (V^H C), the reflectors of a strip in A.  grid: cooperative, x
 * rows.blocks, y 32 columns of C each; part: gridDim.x products for each y */
template <int SLOTS>
static __global__ void __launch_bounds__(THREADS, 1)
    update_kernel(mat_t A, mat_t T_, mat_t C, rows_t rows, double *part)
{
    extern __shared__ char memory[];
    wide_t *const W = (wide_t *)memory, *const T = W + SQUARE;
    wide_t *const Y = T + SQUARE;
    const int b = (int)A.cols;

    part += (int64_t)blockIdx.y * gridDim.x * GRAM;
    C = mat_cols(C, (int64_t)blockIdx.y * STRIP,
                 min_i(STRIP, C.cols - (int64_t)blockIdx.y * STRIP));
    block_gram<1, 0, SLOTS>(A, C, rows, (double *)W, part);
    const cooperative_groups::grid_group grid = cooperative_groups::this_grid();
    grid.sync();
    sum_parts(part, gridDim.x, grid, W);
    for (int x = threadIdx.x; x < STRIP * STRIP; x += THREADS) {
        const int i = x % STRIP, j = x / STRIP;
        T[i * LD + j] = i <= j && j < b ? widen(AT(T_, i, j)) : wide(0, 0);
    }
    __syncthreads();
    multiply32<1, 0>(Y, T, W);

    wide_t y[TILES][TILES][2];
    if (WIDE_PARTS == 1)
#pragma unroll
        for (int k = 0; k < TILES; ++k)
#pragma unroll
            for (int j = 0; j < TILES; ++j)
#pragma unroll
                for (int e = 0; e < 2; ++e)
                    y[k][j][e] = right<0>(Y, k, j, e);
    EACH_SPAN(i0, rows, C.rows)
#pragma unroll 1
    for (int t = 0; t < rows.span; t += TILE) { /* 8 rows, 32 columns      */
        const int64_t i = i0 + t + LANE / 4;
        wide_t v[TILES][2];
        tile_t c[TILES];
#pragma unroll
        for (int k = 0; k < TILES; ++k)
#pragma unroll
            for (int e = 0; e < 2; ++e) {
                const int j = TILE * k + 2 * (LANE % 4) + e;
                v[k][e] = negative(take<0, 1>(A, i, j));
                tile_put(c[k], e, entry(C, i, j));
            }
#pragma unroll
        for (int j = 0; j < TILES; ++j) {
#pragma unroll
            for (int k = 0; k < TILES; ++k)
#pragma unroll
                for (int e = 0; e < 2; ++e)
                    tile_step(c[j], v[k][e],
                              WIDE_PARTS == 1 ? y[k][j][e]
                                              : right<0>(Y, k, j, e));
#pragma unroll
            for (int e = 0; e < 2; ++e) {
                const int64_t q = TILE * j + 2 * (LANE % 4) + e;
                if (i < C.rows && q < C.cols)
                    AT(C, i, q) = narrow(tile_get(c[j], e));
            }
        }
    }
}

/* -- launchers ------------------------------------------------------------- */

/* Bytes of shared memory for so many matrices, and for the products of some warps
 * behind the matrices that are kept meanwhile */
static size_t shared_bytes(int matrices, int kept, int warps)
{
    const size_t all = (size_t)matrices * SQUARE * sizeof(wide_t);
    const size_t slots = (size_t)warps * GRAM * sizeof(double);
    const size_t with = (size_t)kept * SQUARE * sizeof(wide_t) + slots;
    return all > with ? all : with;
}

/* Warps whose products have slots at once on any device */
enum { LEAST_SLOTS = WARPS / WIDE_PARTS };

static demand_t strip_demand(int shared)
{
    const size_t bytes = shared_bytes(8, 2, WARPS);
    if (WIDE_PARTS == 1 || fits_shared(shared, bytes))
        return demand("strip_kernel", WARPS, (const void *)strip_kernel<WARPS>,
                      THREADS, bytes);
    return demand("strip_kernel", LEAST_SLOTS,
                  (const void *)strip_kernel<LEAST_SLOTS>, THREADS,
                  shared_bytes(5, 1, LEAST_SLOTS));
}

static demand_t update_demand(int shared)
{
    const size_t bytes = shared_bytes(3, 0, WARPS);
    if (WIDE_PARTS == 1 || fits_shared(shared, bytes))
        return demand("update_kernel", WARPS,
                      (const void *)update_kernel<WARPS>, THREADS, bytes);
    return demand("update_kernel", LEAST_SLOTS,
                  (const void *)update_kernel<LEAST_SLOTS>, THREADS,
                  shared_bytes(3, 0, LEAST_SLOTS));
}

int X(panel_demands)(int shared, demand_t *d)
{
    d[0] = strip_demand(shared);
    d[1] = update_demand(shared);
    return 2;
}

/* The kernel's work of a panel. */
typedef struct panel_work {
    strip_work_t strip;
    double *part;
    mat_t T; /* of a strip                                         */
    mat_t S; /* V^H V of the panel, or of a strip                  */
    void *tsqr, *groups; /* of tsqr.h; the strips' Q1 lies in groups too      */
} panel_work_t;

/* *w := arrays of a for a panel of m rows in strips of b columns; V: the panel's V if
 * it lies in one piece, else NULL. */
static void carve(arena_t *a, const exec_t *ex, int64_t m, int64_t b,
                  scalar_t *V, panel_work_t *w)
{
    const int64_t processors = cuda_of(ex->h)->multiprocessors;
    const int64_t own = (int64_t)tsqr_own_bytes(m, b, processors);
    const int64_t tree = (int64_t)tsqr_groups_bytes(m, b, processors);
    const int64_t Q1 = m * b * (int64_t)sizeof(scalar_t);
    const int64_t block = ex->tune->block;
    /* The tree begins when the products of the strip are done with.         */
    const int64_t products =
        max_i(2 * processors * GRAM * (int64_t)sizeof(double),
              (int64_t)X(householder_strip_bytes)());
    w->tsqr = gsvd_arena_take(a, max_i(own, products), 1);
    w->part = (double *)w->tsqr;
    w->strip.part[0] = w->part;
    w->strip.part[1] = w->part ? w->part + processors * GRAM : NULL;
    w->strip.verdict = (int *)gsvd_arena_take(a, 1, sizeof(int));
    w->strip.way = cuda_of(ex->h)->way;
    w->strip.rowwise = 0;
    w->T = X(take_matrix)(a, STRIP, STRIP);
    w->S = X(take_matrix)(a, block, block);
    w->groups = V ? V : gsvd_arena_take(a, max_i(Q1, tree), 1);
    w->strip.Q = (scalar_t *)w->groups;
}

/* QR of a strip, and its T */
typedef gsvd_status_t strip_op(const exec_t *ex, mat_t A, scalar_t *tau,
                               mat_t T, const panel_work_t *w);

static gsvd_status_t tsqr_strip(const exec_t *ex, mat_t A, scalar_t *tau,
                                mat_t T, const panel_work_t *w)
{
    ++cuda_of(ex->h)->taken[WAY_STRIP_TSQR];
    return X(tsqr_panel_cuda)(ex, A, tau, T, w->tsqr, w->groups, NULL);
}

/* *tried = 0: a strip wants one block more than those with rows, and one alone runs at a
 * time. */
static gsvd_status_t try_cholesky(const exec_t *ex, mat_t A, scalar_t *tau,
                                  mat_t T, strip_work_t work, int *tried)
{
    const demand_t d = strip_demand(cuda_of(ex->h)->shared);
    int64_t most;

    GSVD_TRY(at_once(ex, &d, &most));
    *tried = most >= 2;
    if (!*tried)
        return GSVD_SUCCESS;
    rows_t rows = share_rows(A.rows, most - 1);
    void *arguments[] = {&A, &tau, &T, &rows, &work};
    return gsvd_launch_grid(ex->h, stream_of(ex), &d,
                            dim3((unsigned)rows.blocks + 1), arguments);
}

/* TSQR's kernel follows and returns at once unless the strip's wants it. */
static gsvd_status_t cholesky_strip(const exec_t *ex, mat_t A, scalar_t *tau,
                                    mat_t T, const panel_work_t *w)
{
    int tried;
    GSVD_TRY(try_cholesky(ex, A, tau, T, w->strip, &tried));
    return tried ? X(tsqr_panel_cuda)(ex, A, tau, T, w->tsqr, w->groups,
                                      w->strip.verdict)
                 : tsqr_strip(ex, A, tau, T, w);
}

/* The reflectors of a strip are applied to as many times 32 columns at once as blocks
 * for them run at the same time. */
static gsvd_status_t update(const exec_t *ex, mat_t A, mat_t T, mat_t C,
                            double *part)
{
    const demand_t d = update_demand(cuda_of(ex->h)->shared);
    int64_t most;

    GSVD_TRY(at_once(ex, &d, &most));
    for (int64_t j = 0; j < C.cols; j += most * STRIP) {
        mat_t some = mat_cols(C, j, min_i(most * STRIP, C.cols - j));
        const int64_t y = (some.cols + STRIP - 1) / STRIP;
        rows_t rows = share_rows(A.rows, most / y);
        void *arguments[] = {&A, &T, &some, &rows, &part};
        GSVD_TRY(gsvd_launch_grid(ex->h, stream_of(ex), &d,
                                  dim3((unsigned)rows.blocks, (unsigned)y),
                                  arguments));
    }
    return GSVD_SUCCESS;
}

/* V and T of a panel from its reflectors, unless T is there already */
static gsvd_status_t find_V_and_T(const exec_t *ex, mat_t A,
                                  const scalar_t *tau, mat_t V, mat_t T,
                                  int has_T, mat_t S)
{
    if (!T.data)
        return GSVD_SUCCESS;
    GSVD_TRY(X(unit_lower_cuda)(ex, A, V));
    if (has_T)
        return GSVD_SUCCESS;
    S = mat_view(S.data, A.cols, A.cols, A.cols);
    GSVD_TRY(X(gemm_cuda)(ex, 'C', 'N', V, V, S));
    return X(triangle_cuda)(ex, S, tau, A.cols, T);
}

/* A strip by Householder's reflectors, each by launches of its own: of so many rows that no
 * kernel has them all.  The work of pivot_columns is what the strip's sums were. */
static gsvd_status_t reflectors_one_by_one(const exec_t *ex, mat_t A,
                                           scalar_t *tau, mat_t T,
                                           const panel_work_t *w)
{
    const mat_t V = mat_view(w->strip.Q, A.rows, A.cols, A.rows);
    int64_t done;
    GSVD_TRY(ex->op->pivot_columns(ex, A, 0, A.cols, -1, NULL, tau, &done));
    return find_V_and_T(ex, A, tau, V, T, 0, w->S);
}

/* The reflectors' kernel follows and returns at once unless the strip's wants it. */
static gsvd_status_t rowwise_strip(const exec_t *ex, mat_t A, scalar_t *tau,
                                   mat_t T, const panel_work_t *w)
{
    strip_work_t work = w->strip;
    int fits, tried = 0;

    work.rowwise = 1;
    GSVD_TRY(X(householder_strip_fits)(ex, A.rows, &fits));
    if (fits && ex->policy.panel != GSVD_PANEL_TSQR)
        GSVD_TRY(try_cholesky(ex, A, tau, T, work, &tried));
    if (!tried)
        ++cuda_of(ex->h)->taken[WAY_REFLECTORS];
    return fits ? X(householder_strip_cuda)(ex, A, tau, T, w->part,
                                            tried ? work.verdict : NULL)
                : reflectors_one_by_one(ex, A, tau, T, w);
}

/* -- the solvers ----------------------------------------------------------- */

/* Are strips' reflectors applied one by one, as in geqrf.c?  The first strip tells it: of a large panel the
 * last columns are few, too, but what they are has come by blocks. */
static int by_reflectors(const exec_t *ex, mat_t A)
{
    return ex->policy.rowwise_stable &&
           STRIP * A.rows * (A.cols - STRIP) <= ex->tune->unblocked_rowwise;
}

/* A2 := Q^H A2 */
static gsvd_status_t update_rest(const exec_t *ex, int one_by_one, mat_t A1,
                                 const scalar_t *tau, mat_t T, mat_t A2,
                                 const panel_work_t *w)
{
    return one_by_one ? ex->op->reflect(ex, 'L', 'C', A1, A1.cols, tau, A2)
                      : update(ex, A1, T, A2, w->part);
}

static gsvd_status_t in_strips(const exec_t *ex, const task_t *t,
                               strip_op *factor)
{
    const mat_t A = t->A, V = t->V, T = t->T;
    scalar_t *const tau = t->tau;
    const int64_t strip = min_i(A.cols, STRIP);
    scalar_t *const given = V.ld == A.rows ? V.data : NULL;
    const int has_T = A.cols <= STRIP && T.data;
    const int one_by_one = by_reflectors(ex, A);
    arena_t count = {0, 0, 0, 0};
    panel_work_t w;
    void *work;

    carve(&count, ex, A.rows, strip, given, &w);
    GSVD_TRY(X(kernel_work)(ex, gsvd_arena_bytes(&count), &work));
    arena_t arena = gsvd_arena_over(work, gsvd_arena_bytes(&count));
    carve(&arena, ex, A.rows, strip, given, &w);

    for (int64_t j = 0; j < A.cols; j += STRIP) {
        const int64_t b = min_i(STRIP, A.cols - j), rest = A.cols - j - b;
        const mat_t A1 = mat_sub(A, j, j, A.rows - j, b);
        const mat_t T1 = has_T ? T : w.T;

        GSVD_TRY(factor(ex, A1, tau + j, T1, &w));
        if (rest > 0)
            GSVD_TRY(update_rest(ex, one_by_one, A1, tau + j, T1,
                                 mat_sub(A, j, j + b, A.rows - j, rest), &w));
    }
    return find_V_and_T(ex, A, tau, V, T, has_T, w.S);
}

static gsvd_status_t cholesky_strips(const exec_t *ex, const task_t *t)
{
    return in_strips(ex, t, cholesky_strip);
}

static gsvd_status_t tsqr(const exec_t *ex, const task_t *t)
{
    return in_strips(ex, t, tsqr_strip);
}

static gsvd_status_t rowwise(const exec_t *ex, const task_t *t)
{
    return in_strips(ex, t, rowwise_strip);
}

static size_t strips_bytes(const exec_t *ex, const task_t *t)
{
    const int64_t m = t->A.rows, n = t->A.cols;
    arena_t count = {0, 0, 0, 0};
    panel_work_t w;
    scalar_t given;
    carve(&count, ex, m, min_i(min_i(m, n), STRIP), &given, &w);
    return gsvd_arena_bytes(&count);
}

static size_t wide_bytes(const exec_t *ex, const task_t *t)
{
    (void)t;
    return X(cholesky_wide_bytes)(ex);
}

static gsvd_status_t cholesky_wide(const exec_t *ex, const task_t *t)
{
    const mat_t none = mat_view(NULL, 0, 0, 1);
    void *work;
    GSVD_TRY(X(kernel_work)(ex, X(cholesky_wide_bytes)(ex), &work));
    return X(cholesky_wide_cuda)(ex, t->A, t->tau, t->T.data ? t->V : none,
                                 t->T, work);
}

static int rowwise_wanted(const exec_t *ex, const task_t *t)
{
    (void)t;
    return ex->policy.rowwise_stable;
}

static int tsqr_wanted(const exec_t *ex, const task_t *t)
{
    return !rowwise_wanted(ex, t) && ex->policy.panel == GSVD_PANEL_TSQR;
}

static int cholesky_wanted(const exec_t *ex, const task_t *t)
{
    return !rowwise_wanted(ex, t) && !tsqr_wanted(ex, t);
}

static int wide_wanted(const exec_t *ex, const task_t *t)
{
    return cholesky_wanted(ex, t) && ex->tune->cholesky_wide;
}

/* In double precision no panel of more than a strip is well enough conditioned. */
static int wide_applies(const exec_t *ex, const task_t *t)
{
    int fits = GSVD_SINGLE && t->A.cols > STRIP && t->A.cols <= WIDEST;
    demand_t d[DEMANDS];
    for (int i = X(cholesky_wide_demands)(d); i > 0; --i)
        fits = fits && fits_shared(cuda_of(ex->h)->shared, d[i - 1].bytes);
    return fits;
}

static const solver_t solver[] = {
    {"Cholesky at once", wide_wanted, wide_applies, wide_bytes, cholesky_wide},
    {"Cholesky by strips", cholesky_wanted, NULL, strips_bytes,
     cholesky_strips},
    {"TSQR", tsqr_wanted, NULL, strips_bytes, tsqr},
    {"strips accurate by rows", rowwise_wanted, NULL, strips_bytes, rowwise},
};
const solvers_t X(panel_solvers_cuda) = SOLVERS("panel", solver);

gsvd_status_t X(panel_cuda)(const exec_t *ex, mat_t A, scalar_t *tau, mat_t V,
                            mat_t T)
{
    task_t t = {};
    if (mat_empty(A))
        return GSVD_SUCCESS;
    t.A = A;
    t.tau = tau;
    t.V = V;
    t.T = T;
    return run_solver(&X(panel_solvers_cuda), ex, &t);
}

size_t X(qr_kernel_bytes_cuda)(const exec_t *ex, kernels_t what, int64_t m,
                               int64_t n, int64_t cols)
{
    exec_t stable = *ex; /* Whether rows are sorted is found out later.      */
    task_t panel = {}, r_only = {};

    (void)cols;
    panel.A = mat_of_size(m, n);
    r_only.A = mat_of_size(m, min_i(min_i(m, n), STRIP));
    stable.policy.rowwise_stable = 1;
    if (!(what & KERNELS_PANELS))
        return 0;
    const size_t each[] = {
        solvers_bytes(&X(panel_solvers_cuda), ex, &panel),
        solvers_bytes(&X(panel_solvers_cuda), &stable, &panel),
        solvers_bytes(&X(r_only_solvers_cuda), ex, &r_only)};
    return LARGEST(each);
}
