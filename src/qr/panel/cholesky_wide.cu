/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* cholesky_wide.cu -- QR factorization of a panel of up to 128 columns at once (complex: 64).
 *
 * Cholesky QR once, in double, and Householder reconstruction; A1 are the first 128 rows of A:
 *
 *     1  D A^H A D = R^H R                   D powers of two
 *     2  A1 D - S R = L M                    S = diag(+-1), M upper triangular
 *     3  V = A D M^-1,  T = -M R^-1 S L^-H
 *
 * Step 2 is the LU factorization of Q1 - S = L U (Ballard, Demmel et al. 2014) with the columns as
 * they were before R^-1, so that M = U R.  s_jj gets the sign opposite to the pivot's, and only
 * then row j of S R is subtracted.  Strips of 32 (panel.cu) wait for each other; here only tiles
 * of 8 do.
 *
 * Q departs from orthonormality by rounding in double times the square of R's condition (Yamazaki,
 * Tomov and Dongarra 2015).  In single precision that is below rounding if |R D'|_F |(R D')^-1|_F
 * <= 2^14, with columns of one length, and if the diagonal tiles of 8 have condition 2^7 at most.
 * Otherwise householder.cu takes the panel.  In double this condition would have to be below 40.
 *
 * The launches are
 *
 *     gram_kernel     the Gram matrix
 *     core_kernel     1 and 2, by one block (wide_core.cuh)
 *     rows_kernel     3 (wide_rows.cuh)
 *     householder.cu  returns at once unless it must take the panel
 *
 * The device decides; the host does not wait.
 */
#include "qr/demand.h"
#include "qr/panel/cholesky_wide.h"
#include "qr/panel/wide_core.cuh"
#include "qr/panel/wide_rows.cuh"
#include "qr/panel/wide_tiles.cuh"

/* -- the Gram matrix ------------------------------------------------------- */

/* Pair p of strips is (I, J), I >= J */
static __device__ __forceinline__ void pair_of(int p, int *I, int *J)
{
    *I = 0;
    while ((*I + 1) * (*I + 2) / 2 <= p)
        ++*I;
    *J = p - *I * (*I + 1) / 2;
}

static __device__ mat_t strip_of(mat_t A, int I)
{
    return mat_view(A.data + I * STRIP * A.ld, A.rows,
                    min_i(A.cols - I * STRIP, STRIP), A.ld);
}

/* w.G := A^H A, on and below the diagonal.  grid: x rows.blocks, y pairs of strips;
 * block: 8 warps.  The last block of a pair sums its parts. */
static __global__ void __launch_bounds__(THREADS)
    gram_kernel(mat_t A, rows_t rows, wide_work_t w)
{
    extern __shared__ char memory[];
    __shared__ int last;
    double *const part = w.part + (int64_t)blockIdx.y * gridDim.x * GRAM;
    int I, J;

    pair_of(blockIdx.y, &I, &J);
    if (I * STRIP >= A.cols)
        return;
    block_gram<0, 0>(strip_of(A, I), strip_of(A, J), rows, (double *)memory,
                     part);
    __threadfence();
    __syncthreads();
    if (threadIdx.x == 0)
        last = atomicAdd(w.arrived + blockIdx.y, 1) == (int)gridDim.x - 1;
    __syncthreads();
    if (!last)
        return;
    __threadfence();
    double sum[GRAM / THREADS] = {};
#pragma unroll 4
    for (int b = 0; b < (int)gridDim.x; ++b)
#pragma unroll
        for (int q = 0; q < GRAM / THREADS; ++q)
            sum[q] +=
                __ldcg(part + (int64_t)b * GRAM + q * THREADS + threadIdx.x);
#pragma unroll
    for (int q = 0; q < STRIP * STRIP / THREADS; ++q) {
        const int x = q * THREADS + threadIdx.x, lane = x % 32, t = x / AREA;
        const int i = TILES * I + t / TILES, j = TILES * J + t % TILES;
        if (i >= j)
            (i == j ? inverse(w.G, j)
                    : below(w.G, i,
                            j))[place(lane / 4, 2 * (lane % 4) + x / 32 % 2)] =
                wide(sum[q],
                     sum[q + GRAM / THREADS / WIDE_PARTS * (WIDE_PARTS - 1)]);
    }
}
/* -- launchers ------------------------------------------------------------- */

static void carve(arena_t *a, const exec_t *ex, wide_work_t *w)
{
    const int64_t blocks = max_i(cuda_of(ex->h)->multiprocessors, PAIRS);
    w->part = (double *)gsvd_arena_take(a, blocks * GRAM, sizeof(double));
    w->f = (double *)gsvd_arena_take(a, COLS, sizeof(double));
    w->s = (double *)gsvd_arena_take(a, COLS, sizeof(double));
    w->G = (wide_t *)gsvd_arena_take(a, FACTOR, sizeof(wide_t));
    w->R =
        (wide_t *)gsvd_arena_take(a, 3 * FACTOR + 2 * DIAGONAL, sizeof(wide_t));
    w->arrived = (int *)gsvd_arena_take(a, PAIRS, sizeof(int));
    w->verdict = (int *)gsvd_arena_take(a, 1, sizeof(int));
    w->road = cuda_of(ex->h)->road;
    if (!w->R)
        return;
    w->R_diagonal = w->R + FACTOR; /* as core_kernel has them                 */
    w->L = w->R_diagonal + DIAGONAL;
    w->M = w->L + FACTOR;
    w->L_diagonal = w->M + FACTOR;
}

size_t X(cholesky_wide_bytes)(const exec_t *ex)
{
    arena_t count = {0, 0, 0, 0};
    wide_work_t w;
    carve(&count, ex, &w);
    return gsvd_arena_bytes(&count) + X(householder_bytes)();
}

static demand_t gram_demand(void)
{
    return demand("gram_kernel", 0, (const void *)gram_kernel, THREADS,
                  (size_t)WARPS * GRAM * sizeof(double));
}

static demand_t core_demand(void)
{
    return demand("core_kernel", 0, (const void *)core_kernel, CORE_THREADS,
                  (size_t)(3 * FACTOR + 2 * DIAGONAL) * sizeof(wide_t));
}

static demand_t rows_demand(void)
{
    return demand("rows_kernel", 0, (const void *)rows_kernel, 32 * ROW_WARPS,
                  (size_t)(2 * FACTOR + 2 * ROW_WARPS * DIAGONAL) *
                      sizeof(wide_t));
}

int X(cholesky_wide_demands)(demand_t *d)
{
    d[0] = gram_demand();
    d[1] = core_demand();
    d[2] = rows_demand();
    return 3;
}

gsvd_status_t X(cholesky_wide_cuda)(const exec_t *ex, mat_t A, scalar_t *tau,
                                    mat_t V, mat_t T, void *memory)
{
    const cudaStream_t stream = stream_of(ex);
    const demand_t gram = gram_demand(), core = core_demand();
    const demand_t solve = rows_demand();
    const rows_t rows =
        share_rows(A.rows, cuda_of(ex->h)->multiprocessors / PAIRS);
    const size_t bytes = X(cholesky_wide_bytes)(ex) - X(householder_bytes)();
    arena_t a = gsvd_arena_over(memory, bytes);
    wide_work_t w;

    carve(&a, ex, &w);
    GSVD_TRY(gsvd_allow_shared(ex->h, &gram));
    GSVD_TRY(gsvd_allow_shared(ex->h, &core));
    GSVD_TRY(gsvd_allow_shared(ex->h, &solve));
    GSVD_CUDA(ex->h,
              cudaMemsetAsync(w.arrived, 0, PAIRS * sizeof(int), stream));
    gram_kernel<<<dim3((unsigned)rows.blocks, PAIRS), THREADS, gram.bytes,
                  stream>>>(A, rows, w);
    GSVD_TRY(gsvd_launched(ex->h, "gram"));
    core_kernel<<<1, CORE_THREADS, core.bytes, stream>>>(A, w);
    GSVD_TRY(gsvd_launched(ex->h, "core"));
    const int64_t blocks =
        (A.rows - COLS + 16 * ROW_WARPS - 1) / (16 * ROW_WARPS);
    const int64_t all =
        TOP_BLOCKS + (T.data ? (int64_t)T_BLOCKS : 0) +
        max_i(min_i(blocks, cuda_of(ex->h)->multiprocessors), 0);
    rows_kernel<<<(unsigned)all, 32 * ROW_WARPS, solve.bytes, stream>>>(
        A, tau, V, T, w);
    GSVD_TRY(gsvd_launched(ex->h, "rows"));
    return X(householder_cuda)(ex, A, tau, V, T, w.verdict,
                               (char *)memory + bytes);
}
