/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* householder.cu -- QR of a panel by Householder's reflectors, one after the other, in one launch:
 * the sure road behind cholesky_wide.cu.
 *
 *     v_j = (1; (A(j+1:,j)) / (a_jj - beta)),  |beta| = |A(j:,j)|
 *     A(j:,j+1:) := (I - conj(tau_j) v_j v_j^H) A(j:,j+1:)
 *
 * A column takes one pass over the rows and one barrier of the grid.  The pass that applies v_j
 * also computes column j + 1 and sums the products of that column with all columns.  Products with
 * columns on its right give v^H A, and the product with itself its length.  Columns on its left
 * are reflectors, and products with them give V^H v for T,
 *
 *     T(0:j,j) = -tau_j T(0:j,0:j) (V(:,0:j)^H v_j).
 *
 * Sums are in double, so that the squares of single numbers neither over- nor underflow.  Row j is
 * copied, because its owner changes it while other blocks read it.
 */
#include <cooperative_groups.h>

#include "core/launch.h"
#include "qr/panel/cholesky_wide.h"
#include "qr/panel/tile.cuh"
#include "qr/panel/wide_reflector.cuh"

enum {
    COLS = WIDEST,
    THREADS = 256,
    WARPS = THREADS / 32,
    BLOCKS = 32,
    MINE = COLS / WARPS /* columns of a warp                                 */
};

/* It lies in global memory; part and row come twice, so that one is written while the
 * other is read. */
typedef struct householder_work {
    wide_t *part[2]; /* BLOCKS x COLS: products with the next column         */
    wide_t *row[2];  /* COLS: the row of its diagonal entry                  */
    wide_t *Z, *T;   /* COLS x COLS: V^H V above the diagonal, and T         */
} householder_work_t;

/* A reflector, and what it takes off row j: conj(tau) v^H A(j:,c) */
typedef struct reflector {
    wide_reflector_t H;
    wide_t dot[COLS];
} reflector_t;

/* -- device functions ------------------------------------------------------------ */

/* h := the reflector of column j, from row j and from the products of column j, below the
 * diagonal, with all columns; thread c has the product with column c.  Z := V^H v for the
 * reflectors on the left */
static __device__ void find_reflector(int j, int cols, const wide_t *part,
                                      int parts, const wide_t *row, wide_t *Z,
                                      reflector_t &h)
{
    __shared__ double length2;
    const int c = threadIdx.x;
    wide_t sum = wide(0, 0);

    if (c < cols)
        for (int b = 0; b < parts; ++b) {
            const wide_t x = part[b * COLS + c];
            sum = wide(wide_re(sum) + wide_re(x), wide_im(sum) + wide_im(x));
        }
    if (c == j)
        length2 = wide_re(sum);
    __syncthreads();
    if (c == j) {
        const wide_t alpha = row[j];
        h.H = wide_reflector_of(alpha, length2,
                                length2 == 0 && wide_im(alpha) == 0);
    }
    __syncthreads();
    if (c < cols) {
        const wide_t t = wide_add(wide_conj(h.H.over), sum, row[c]);
        h.dot[c] = wide_mul(wide_conj(h.H.tau), t);
        if (blockIdx.x == 0 && c < j) /* sum holds v_j^H V(:,c)              */
            Z[j * COLS + c] = wide_conj(t);
    }
    __syncthreads();
}

/* T := the triangle whose diagonal is tau; each thread has a row. */
static __device__ void find_T(int cols, const wide_t *tau, householder_work_t w,
                              mat_t T)
{
    const int i = threadIdx.x;
    for (int j = 0; j < cols && i < cols; ++j) {
        wide_t t = i == j ? tau[i] : wide(0, 0);
        for (int k = i; k < j; ++k)
            t = wide_add(w.T[k * COLS + i], w.Z[j * COLS + k], t);
        if (i < j)
            t = negative(wide_mul(tau[j], t));
        w.T[j * COLS + i] = t;
        AT(T, i, j) = narrow(t);
    }
}

/* Applies v_j to 32 rows from i0 on, a lane a row, and adds their products with column
 * j + 1 to sum.  The barriers keep each warp from changing what another has to read. */
static __device__ __forceinline__ void
pass_rows(mat_t A, int64_t i0, int64_t end, int j, const reflector_t &h,
          wide_t *row, wide_t (&sum)[MINE])
{
    const int64_t i = i0 + LANE;
    const int next = j + 1, there = i < end, cols = (int)A.cols;
    const int met = there && j >= 0 && i >= j; /* by v_j                     */
    const wide_t v = !met     ? wide(0, 0)
                     : i == j ? wide(1, 0)
                              : wide_mul(h.H.over, widen(AT(A, i, j)));
    wide_t x = wide(0, 0);

    if (there && next < cols) {
        x = widen(AT(A, i, next));
        if (met)
            x = widen(narrow(wide_sub(h.dot[next], v, x)));
    }
    __syncthreads();
#pragma unroll
    for (int y = 0; y < MINE; ++y) {
        const int c = y * WARPS + WARP_ID;
        if (c >= cols || !there)
            continue;
        scalar_t a = AT(A, i, c);
        if (met && c >= j) {
            a = narrow(c > j    ? wide_sub(h.dot[c], v, widen(a))
                       : i == j ? h.H.beta
                                : v);
            AT(A, i, c) = a;
        }
        if (i == next)
            row[c] = widen(a);
        if (i > next)
            sum[y] = wide_add(wide_conj(x), widen(a), sum[y]);
    }
    __syncthreads();
}

/* -- kernel ------------------------------------------------------------------------ */

/* grid: cooperative, blocks of `each` rows; block: 8 warps, which share out the
 * columns */
static __global__ void __launch_bounds__(THREADS)
    householder_kernel(mat_t A, scalar_t *tau, mat_t V, mat_t T, int64_t each,
                       householder_work_t w, const int *verdict)
{
    if (*verdict == 0)
        return;
    const cooperative_groups::grid_group grid = cooperative_groups::this_grid();
    const int cols = (int)A.cols;
    const int64_t first = blockIdx.x * each;
    const int64_t end = min_i(first + each, A.rows);
    __shared__ reflector_t h;
    __shared__ wide_t all_tau[COLS];

    for (int j = -1; j < cols; ++j) {
        wide_t *const part = w.part[(j + 1) & 1], *const row =
                                                      w.row[(j + 1) & 1];
        wide_t sum[MINE];
        if (j >= 0) {
            find_reflector(j, cols, w.part[j & 1], gridDim.x, w.row[j & 1], w.Z,
                           h);
            if (threadIdx.x == 0)
                all_tau[j] = h.H.tau;
        }
#pragma unroll
        for (int y = 0; y < MINE; ++y)
            sum[y] = wide(0, 0);
        for (int64_t i0 = first; i0 < end; i0 += 32)
            pass_rows(A, i0, end, j, h, row, sum);
        if (j + 1 == cols)
            break;
#pragma unroll
        for (int y = 0; y < MINE; ++y) {
            const wide_t total =
                wide(warp_total(wide_re(sum[y])), warp_total(wide_im(sum[y])));
            if (LANE == 0)
                part[blockIdx.x * COLS + y * WARPS + WARP_ID] = total;
        }
        grid.sync();
    }
    __syncthreads();
    if (blockIdx.x == 0) {
        for (int c = threadIdx.x; c < cols; c += THREADS)
            tau[c] = narrow(all_tau[c]);
        if (T.data)
            find_T(cols, all_tau, w, T);
    }
    if (!V.data)
        return;
    for (int64_t i = first + LANE; i < end; i += 32)
        for (int c = WARP_ID; c < cols; c += WARPS)
            AT(V, i, c) = i > c ? AT(A, i, c) : make(i == c, 0);
}

/* -- launcher ----------------------------------------------------------------------- */

static void carve(arena_t *a, householder_work_t *w)
{
    for (int k = 0; k < 2; ++k) {
        w->part[k] =
            (wide_t *)gsvd_arena_take(a, BLOCKS * COLS, sizeof(wide_t));
        w->row[k] = (wide_t *)gsvd_arena_take(a, COLS, sizeof(wide_t));
    }
    w->Z = (wide_t *)gsvd_arena_take(a, COLS * COLS, sizeof(wide_t));
    w->T = (wide_t *)gsvd_arena_take(a, COLS * COLS, sizeof(wide_t));
}

size_t X(householder_bytes)(void)
{
    arena_t count = {0, 0, 0, 0};
    householder_work_t w;
    carve(&count, &w);
    return gsvd_arena_bytes(&count);
}

gsvd_status_t X(householder_cuda)(const exec_t *ex, mat_t A, scalar_t *tau,
                                  mat_t V, mat_t T, const int *verdict,
                                  void *memory)
{
    const demand_t d = demand("householder_kernel", 0,
                              (const void *)householder_kernel, THREADS, 0);
    arena_t a = gsvd_arena_over(memory, X(householder_bytes)());
    householder_work_t w;
    int64_t most;

    GSVD_TRY(gsvd_at_once(ex->h, stream_of(ex), &d,
                          min_i(BLOCKS, cuda_of(ex->h)->multiprocessors),
                          &most));
    int64_t each = ((A.rows + most - 1) / most + 31) / 32 * 32;
    carve(&a, &w);
    void *arguments[] = {&A, &tau, &V, &T, &each, &w, &verdict};
    return gsvd_launch_grid(ex->h, stream_of(ex), &d,
                            dim3((unsigned)((A.rows + each - 1) / each)),
                            arguments);
}
