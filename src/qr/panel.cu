/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* panel.cu -- QR factorization of a tall panel; CUDA twin of panel.c.
 *
 * Strips of 32 columns, one after the other; the rest of the panel is updated
 * by each strip.  A strip A goes by Cholesky QR, twice (Yamamoto, Nakatsukasa,
 * Yanagisawa and Fukaya 2015), and Householder reconstruction (Ballard, Demmel
 * et al. 2014):
 *
 *     1  D A^H A D = R1^H R1                   D powers of two
 *     2  kappa = |R1|_F |R1^-1|_F <= LIMIT ?   else tsqr.cu takes the strip
 *     3  Q1 = A D R1^-1                        rows by substitution
 *     4  Q1^H Q1 = R2^H R2
 *     5  Q1 R2^-1 - (S; 0) = V U               S = diag(+-1), |u_jj| >= 1
 *     6  R = S R2 R1 D^-1,  T = -U S V1^-H
 *
 * Two passes give a Q orthonormal up to rounding if 8 kappa sqrt(m n u) <= 1
 * (their theorem 3.1); substitution rather than a product with an inverse keeps
 * the residual at rounding whatever kappa.  All but the rows' work is done by
 * every block for itself: that is quicker than to wait for one of them.
 */
#include <cooperative_groups.h>

#include "core/elementwise.h"
#include "core/gpublas.h"
#include "core/wide.cuh"
#include "qr/qr.h"
#include "qr/tsqr.h"

enum {
    STRIP = 32,   /* columns; a warp's lanes                                 */
    THREADS = 256,
    WARPS = THREADS / 32,
    ROWS = 256,   /* of a chunk, one a thread                                */
    LD = 34,      /* of a small matrix in shared memory: rows of 16-byte steps */
    SMALL = STRIP * LD,
    GRAM = STRIP * STRIP * WIDE_PARTS /* doubles of a Gram matrix            */
};

/* What the blocks of a strip tell each other; in global memory. */
typedef struct shared_work {
    double *part[2]; /* gridDim.x Gram matrices, by pass                     */
    wide_t *top;     /* the first 32 rows of Q1, by rows                     */
    int *verdict;    /* 1: tsqr has to do it                                 */
} shared_work_t;

/* -- device functions: products over rows ----------------------------------- */

/* A(i, j) of a strip, 0 outside of it */
WIDE_FN wide_t entry(mat_t A, int64_t i, int64_t j)
{
    return i < A.rows && j < A.cols ? widen(AT(A, i, j)) : wide(0, 0);
}

/* V(i, j) of reflectors: the unit lower trapezoid of A */
WIDE_FN wide_t reflector_entry(mat_t A, int64_t i, int64_t j)
{
    return i < j    ? wide(0, 0)
           : i == j ? wide(j < A.cols, 0)
                    : entry(A, i, j);
}

/* g (+)= X^H Y of a warp's 32 rows from row i0, 32 columns each, by 8 x 8 tiles.
 * V: X holds reflectors.  HALF: X is Y, tiles on and above the diagonal. */
template <int V, int HALF>
static __device__ void warp_gram(mat_t X_, mat_t Y, int64_t i0,
                                 double (&g)[WIDE_PARTS][4][4][2])
{
    const int lane = threadIdx.x % 32, r = lane % 4, c = lane / 4;
    if (i0 >= X_.rows)
        return;
#pragma unroll 2
    for (int k = 0; k < 32; k += 4) {
        wide_t x[4], y[4];
#pragma unroll
        for (int t = 0; t < 4; ++t) {
            x[t] = V ? reflector_entry(X_, i0 + k + r, 8 * t + c)
                     : entry(X_, i0 + k + r, 8 * t + c);
            y[t] = HALF ? x[t] : entry(Y, i0 + k + r, 8 * t + c);
        }
#pragma unroll
        for (int s = 0; s < 4; ++s)
#pragma unroll
            for (int t = HALF ? s : 0; t < 4; ++t) {
                mma(g[0][s][t], wide_re(x[s]), wide_re(y[t]));
#if GSVD_COMPLEX
                mma(g[0][s][t], wide_im(x[s]), wide_im(y[t]));
                mma(g[1][s][t], wide_re(x[s]), wide_im(y[t]));
                mma(g[1][s][t], -wide_im(x[s]), wide_re(y[t]));
#endif
            }
    }
}

/* part := X^H Y over the block's chunks; sum: room for one in shared memory.
 * The warps add up in their order. */
template <int V, int HALF>
static __device__ void block_gram(mat_t X_, mat_t Y, double *sum, double *part)
{
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    double g[WIDE_PARTS][4][4][2] = {};

    for (int64_t i0 = (int64_t)blockIdx.x * ROWS; i0 < X_.rows;
         i0 += (int64_t)gridDim.x * ROWS)
        warp_gram<V, HALF>(X_, Y, i0 + 32 * warp, g);
    for (int w = 0; w < WARPS; ++w) {
        if (w == warp)
#pragma unroll
            for (int p = 0; p < WIDE_PARTS; ++p)
#pragma unroll
                for (int s = 0; s < 4; ++s)
#pragma unroll
                    for (int t = 0; t < 4; ++t)
#pragma unroll
                        for (int e = 0; e < 2; ++e) {
                            double *const to =
                                sum + p * STRIP * STRIP +
                                (8 * s + lane / 4) * STRIP + 8 * t +
                                2 * (lane % 4) + e;
                            *to = w == 0 ? g[p][s][t][e] : *to + g[p][s][t][e];
                        }
        __syncthreads();
    }
    for (int e = threadIdx.x; e < GRAM; e += THREADS)
        part[e] = sum[e];
}

/* G := the sum of the blocks' parts, in their order */
static __device__ void sum_parts(const double *part, int parts, int64_t stride,
                                 wide_t *G)
{
    for (int e = threadIdx.x; e < STRIP * STRIP; e += THREADS) {
        double x[2] = {0, 0};
        for (int b = 0; b < parts; ++b)
            for (int p = 0; p < WIDE_PARTS; ++p)
                x[p] += __ldcg(part + b * stride + p * STRIP * STRIP + e);
        G[e / STRIP * LD + e % STRIP] = wide(x[0], x[1]);
    }
}

/* -- device functions: 32 x 32 matrices, by one warp ------------------------- */

static __device__ double warp_total(double x)
{
    for (int step = 16; step > 0; step /= 2)
        x += __shfl_xor_sync(0xffffffff, x, step);
    return x;
}

/* G = R^H R in place, upper triangles.  Lane j: column j. */
static __device__ __noinline__ int warp_cholesky(wide_t *G)
{
    const int lane = threadIdx.x % 32;
    wide_t g[STRIP];
    int good = 1;

#pragma unroll
    for (int i = 0; i < STRIP; ++i)
        g[i] = G[i * LD + lane];
#pragma unroll
    for (int k = 0; k < STRIP; ++k) {
        double d = __shfl_sync(0xffffffff, wide_re(g[k]), k);
        if (!(d > 0)) {
            good = 0;
            d = 1;
        }
        g[k] = wide_scale(rsqrt(d), g[k]);
#pragma unroll
        for (int i = k + 1; i < STRIP; ++i)
            g[i] = wide_sub(wide_conj(wide_shuffle(g[k], i)), g[k], g[i]);
    }
#pragma unroll
    for (int i = 0; i < STRIP; ++i)
        G[i * LD + lane] = i <= lane ? g[i] : wide(0, 0);
    __syncwarp();
    return good;
}

/* |R|_F^2 |R^-1|_F^2 for an upper triangular R.  Lane j: column j. */
static __device__ __noinline__ double warp_condition2(const wide_t *R)
{
    const int lane = threadIdx.x % 32;
    wide_t x[STRIP];
    double large = 0, small = 0;

#pragma unroll
    for (int i = 0; i < STRIP; ++i) {
        x[i] = wide(i == lane, 0);
        large += wide_abs2(R[i * LD + lane]);
    }
#pragma unroll
    for (int k = STRIP - 1; k >= 0; --k) {
        x[k] = wide_scale(1 / wide_re(R[k * LD + k]), x[k]);
        small += wide_abs2(x[k]);
#pragma unroll
        for (int i = 0; i < k; ++i)
            x[i] = wide_sub(R[i * LD + k], x[k], x[i]);
    }
    return warp_total(large) * warp_total(small);
}

/* a := a R^-1 for a row a, R upper triangular with inverse diagonal d */
static __device__ void solve_row(const wide_t *R, const wide_t *d,
                                 wide_t (&a)[STRIP])
{
#pragma unroll
    for (int k = 0; k < STRIP; ++k) {
        a[k] = wide_mul(a[k], d[k]);
#pragma unroll
        for (int j = k + 1; j < STRIP; ++j)
            a[j] = wide_sub(a[k], R[k * LD + j], a[j]);
    }
}

/* R2 from G2 = Q1^H Q1, near I: by the first two terms where the next is below
 * rounding, else by Cholesky. */
static __device__ void warp_second(wide_t *G)
{
    const int lane = threadIdx.x % 32;
    double e = 0;
    for (int i = 0; i <= lane; ++i) {
        const wide_t g = G[i * LD + lane];
        e += i == lane ? (wide_re(g) - 1) * (wide_re(g) - 1) : 2 * wide_abs2(g);
    }
    if (warp_total(e) > 0x1p-56) {
        warp_cholesky(G);
        return;
    }
    for (int i = 0; i < STRIP; ++i) {
        const wide_t g = G[i * LD + lane];
        G[i * LD + lane] = i < lane    ? g
                           : i == lane ? wide((1 + wide_re(g)) / 2, 0)
                                       : wide(0, 0);
    }
    __syncwarp();
}

/* Q - S = L U in place, without pivoting; s := the signs.  Lane j: column j. */
static __device__ __noinline__ void warp_lu(wide_t *Q, double *s)
{
    const int lane = threadIdx.x % 32;
    wide_t w[STRIP];

#pragma unroll
    for (int i = 0; i < STRIP; ++i)
        w[i] = Q[i * LD + lane];
#pragma unroll
    for (int k = 0; k < STRIP; ++k) {
        const double sign =
            __shfl_sync(0xffffffff, wide_re(w[k]), k) < 0 ? 1 : -1;
        if (lane == k) {
            s[k] = sign;
            w[k] = wide(wide_re(w[k]) - sign, wide_im(w[k]));
        }
        const wide_t p = wide_inverse(wide_shuffle(w[k], k));
#pragma unroll
        for (int i = k + 1; i < STRIP; ++i) {
            if (lane == k)
                w[i] = wide_mul(w[i], p);
            const wide_t l = wide_shuffle(w[i], k);
            if (lane > k)
                w[i] = wide_sub(l, w[k], w[i]);
        }
    }
#pragma unroll
    for (int i = 0; i < STRIP; ++i)
        Q[i * LD + lane] = w[i];
    __syncwarp();
}

/* M := U R2, both upper triangular, U on and above the diagonal of LU; d := its
 * inverse diagonal.  Lane j: column j. */
static __device__ void warp_product(const wide_t *LU, const wide_t *R2,
                                    wide_t *M, wide_t *d)
{
    const int lane = threadIdx.x % 32;
    wide_t r[STRIP];
#pragma unroll
    for (int k = 0; k < STRIP; ++k)
        r[k] = R2[k * LD + lane];
    for (int i = 0; i < STRIP; ++i) {
        wide_t m = wide(0, 0);
#pragma unroll
        for (int k = 0; k < STRIP; ++k)
            if (k >= i)
                m = wide_add(LU[i * LD + k], r[k], m);
        M[i * LD + lane] = m;
        if (i == lane)
            d[i] = wide_inverse(m);
    }
}

/* T := -U S V1^-H, tau its diagonal.  Lane i: row i. */
static __device__ void warp_triangle(const wide_t *LU, const double *s,
                                     int cols, mat_t T, scalar_t *tau)
{
    const int lane = threadIdx.x % 32;
    wide_t t[STRIP];
#pragma unroll
    for (int j = 0; j < STRIP; ++j)
        t[j] = j < lane ? wide(0, 0) : wide_scale(-s[j], LU[lane * LD + j]);
#pragma unroll
    for (int k = 0; k < STRIP; ++k)
#pragma unroll
        for (int j = k + 1; j < STRIP; ++j)
            t[j] = wide_sub(t[k], wide_conj(LU[j * LD + k]), t[j]);
#pragma unroll
    for (int j = 0; j < STRIP; ++j)
        if (lane < cols && j < cols) {
            AT(T, lane, j) = narrow(t[j]);
            if (j == lane)
                tau[j] = narrow(t[j]);
        }
}

/* A(0:cols, 0:cols) := S R2 R1 D^-1 on and above the diagonal.  Lane j: column
 * j. */
static __device__ void warp_result(const wide_t *R1, const int *e,
                                   const wide_t *R2, const double *s, mat_t A)
{
    const int lane = threadIdx.x % 32;
    wide_t r[STRIP];
#pragma unroll
    for (int k = 0; k < STRIP; ++k)
        r[k] = R1[k * LD + lane];
    for (int i = 0; i < STRIP; ++i) {
        wide_t x = wide(0, 0);
#pragma unroll
        for (int k = 0; k < STRIP; ++k)
            if (k >= i)
                x = wide_add(R2[i * LD + k], r[k], x);
        if (i <= lane && lane < A.cols)
            AT(A, i, lane) = narrow(wide(s[i] * ldexp(wide_re(x), e[lane]),
                                         s[i] * ldexp(wide_im(x), e[lane])));
    }
}

/* -- kernels ------------------------------------------------------------------ */

/* grid: cooperative, at most one block an SM, each with chunks of 256 rows that
 * lie gridDim.x apart; block: 256 threads, a row each where rows are solved for,
 * warps where the tensor cores multiply */
static __global__ void __launch_bounds__(THREADS, 1)
    strip_kernel(mat_t A, scalar_t *tau, mat_t T, double limit2,
                 shared_work_t work)
{
    extern __shared__ char memory[];
    wide_t *const R1 = (wide_t *)memory, *const R2 = R1 + SMALL;
    wide_t *const LU = R2 + SMALL, *const M = LU + SMALL, *const d = M + SMALL;
    double *const sum = (double *)LU; /* while there is no LU               */
    __shared__ double s[STRIP];
    __shared__ int e[STRIP], good;
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    const cooperative_groups::grid_group grid =
        cooperative_groups::this_grid();

    block_gram<0, 1>(A, A, sum, work.part[0] + (int64_t)blockIdx.x * GRAM); /* 1 */
    grid.sync();
    sum_parts(work.part[0], gridDim.x, GRAM, R1);
    __syncthreads();
    if (warp == 0) {
        const double square = wide_re(R1[lane * LD + lane]);
        const int there = lane < A.cols;
        int fine = !there || (square > 0x1p-900 && square < 0x1p900);
        e[lane] = there && fine ? ilogb(square) / 2 : 0;
        __syncwarp();
        for (int i = 0; i < STRIP; ++i) {
            const wide_t g = R1[i * LD + lane];
            const int shift = -e[i] - e[lane];
            R1[i * LD + lane] =
                there && i < A.cols
                    ? wide(ldexp(wide_re(g), shift), ldexp(wide_im(g), shift))
                    : wide(i == lane, 0);
        }
        __syncwarp();
        fine = __all_sync(0xffffffff, fine);
        if (fine)
            fine = warp_cholesky(R1);
        if (fine)
            fine = warp_condition2(R1) <= limit2; /* 2 */
        if (lane == 0)
            good = fine;
        d[lane] = wide(1 / wide_re(R1[lane * LD + lane]), 0);
    }
    __syncthreads();
    if (blockIdx.x == 0 && threadIdx.x == 0)
        *work.verdict = !good;
    if (!good)
        return;

    for (int64_t i = (int64_t)blockIdx.x * ROWS + threadIdx.x; i < A.rows;
         i += (int64_t)gridDim.x * ROWS) { /* 3 */
        wide_t a[STRIP];
#pragma unroll
        for (int j = 0; j < STRIP; ++j)
            a[j] = wide_scale(exp2((double)-e[j]), entry(A, i, j));
        solve_row(R1, d, a);
#pragma unroll
        for (int j = 0; j < STRIP; ++j)
            if (j < A.cols)
                AT(A, i, j) = narrow(a[j]);
    }
    __syncthreads();
    if (blockIdx.x == 0)
        for (int x = threadIdx.x; x < STRIP * STRIP; x += THREADS)
            work.top[x] = entry(A, x / STRIP, x % STRIP);

    block_gram<0, 1>(A, A, sum, work.part[1] + (int64_t)blockIdx.x * GRAM); /* 4 */
    grid.sync();
    sum_parts(work.part[1], gridDim.x, GRAM, R2);
    __syncthreads();
    if (warp == 0) {
        if (lane >= A.cols)
            R2[lane * LD + lane] = wide(1, 0);
        __syncwarp();
        warp_second(R2);
        d[lane] = wide(1 / wide_re(R2[lane * LD + lane]), 0);
        __syncwarp();
        wide_t q[STRIP]; /* 5 */
#pragma unroll
        for (int j = 0; j < STRIP; ++j)
            q[j] = work.top[lane * STRIP + j];
        solve_row(R2, d, q);
#pragma unroll
        for (int j = 0; j < STRIP; ++j)
            LU[lane * LD + j] = q[j];
        __syncwarp();
        warp_lu(LU, s);
        warp_product(LU, R2, M, d);
    }
    __syncthreads();
    if (blockIdx.x == 0) { /* 6 */
        if (warp == 1)
            warp_result(R1, e, R2, s, A);
        if (warp == 2)
            warp_triangle(LU, s, (int)A.cols, T, tau);
        if (warp == 3)
            for (int i = 0; i < STRIP && i < A.rows; ++i)
                if (lane < i && lane < A.cols)
                    AT(A, i, lane) = narrow(LU[i * LD + lane]);
    }
    for (int64_t i = (int64_t)blockIdx.x * ROWS + threadIdx.x; i < A.rows;
         i += (int64_t)gridDim.x * ROWS) {
        if (i < STRIP)
            continue;
        wide_t a[STRIP];
#pragma unroll
        for (int j = 0; j < STRIP; ++j)
            a[j] = entry(A, i, j);
        solve_row(M, d, a);
#pragma unroll
        for (int j = 0; j < STRIP; ++j)
            if (j < A.cols)
                AT(A, i, j) = narrow(a[j]);
    }
}

/* C := C - V T^H (V^H C), the reflectors of a strip in A.  grid: cooperative, x
 * as in strip_kernel, y 32 columns of C each; part: gridDim.x Gram matrices for
 * each y */
static __global__ void __launch_bounds__(THREADS, 1)
    update_kernel(mat_t A, mat_t T, mat_t C, double *part)
{
    extern __shared__ char memory[];
    wide_t *const W = (wide_t *)memory, *const Y = W + SMALL;
    double *const sum = (double *)Y;
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    const int b = (int)A.cols;

    part += (int64_t)blockIdx.y * gridDim.x * GRAM;
    C = mat_cols(C, (int64_t)blockIdx.y * STRIP,
                 min_i(STRIP, C.cols - (int64_t)blockIdx.y * STRIP));
    block_gram<1, 0>(A, C, sum, part + (int64_t)blockIdx.x * GRAM);
    cooperative_groups::this_grid().sync();
    sum_parts(part, gridDim.x, GRAM, W);
    __syncthreads();
    for (int x = threadIdx.x; x < STRIP * STRIP; x += THREADS) {
        const int i = x / STRIP, j = x % STRIP;
        wide_t y = wide(0, 0);
        if (i < b)
            for (int k = 0; k <= i; ++k)
                y = wide_add(wide_conj(widen(AT(T, k, i))), W[k * LD + j], y);
        Y[i * LD + j] = y;
    }
    __syncthreads();

    for (int64_t i0 = (int64_t)blockIdx.x * ROWS + 32 * warp; i0 < C.rows;
         i0 += (int64_t)gridDim.x * ROWS)
        for (int t = 0; t < 32; t += 8) { /* 8 rows, 32 columns              */
            double c[WIDE_PARTS][4][2] = {};
#pragma unroll
            for (int k = 0; k < STRIP; k += 4) {
                const wide_t v =
                    reflector_entry(A, i0 + t + lane / 4, k + lane % 4);
#pragma unroll
                for (int u = 0; u < 4; ++u) {
                    const wide_t y = Y[(k + lane % 4) * LD + 8 * u + lane / 4];
                    mma(c[0][u], wide_re(v), wide_re(y));
#if GSVD_COMPLEX
                    mma(c[0][u], -wide_im(v), wide_im(y));
                    mma(c[1][u], wide_re(v), wide_im(y));
                    mma(c[1][u], wide_im(v), wide_re(y));
#endif
                }
            }
            const int64_t i = i0 + t + lane / 4;
#pragma unroll
            for (int u = 0; u < 4; ++u)
#pragma unroll
                for (int x = 0; x < 2; ++x) {
                    const int64_t j = 8 * u + 2 * (lane % 4) + x;
                    if (i < C.rows && j < C.cols) {
                        const wide_t old = widen(AT(C, i, j));
                        AT(C, i, j) = narrow(
                            wide(wide_re(old) - c[0][u][x],
                                 wide_im(old) - c[WIDE_PARTS - 1][u][x]));
                    }
                }
        }
}

/* -- launchers ---------------------------------------------------------------- */

static gsvd_status_t launch(gsvd_handle_t h, const void *kernel, dim3 grid,
                            size_t bytes, void **arguments)
{
    GSVD_CUDA(h, cudaFuncSetAttribute(
                     kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                     (int)bytes));
    GSVD_CUDA(h, cudaLaunchCooperativeKernel(kernel, grid, dim3(THREADS),
                                             arguments, bytes,
                                             cuda_of(h)->stream));
    return GSVD_SUCCESS;
}

static unsigned chunks(gsvd_handle_t h, int64_t m, int64_t share)
{
    return (unsigned)min_i((m + ROWS - 1) / ROWS,
                           max_i(cuda_of(h)->multiprocessors / share, 1));
}

/* A strip and its T; the room for what the blocks say, and for tsqr. */
static gsvd_status_t factor_strip(gsvd_handle_t h, mat_t A, scalar_t *tau,
                                  mat_t T, shared_work_t work, void *spare)
{
    const double u = GSVD_ULP / 2;
    double limit2 = 1 / (64 * u * STRIP * (double)(A.rows + STRIP + 1));
    if (GSVD_SINGLE) /* the Gram matrix is in double, Q1 in single           */
        limit2 = 0x1p24;
    void *arguments[] = {&A, &tau, &T, &limit2, &work};

    GSVD_TRY(launch(h, (const void *)strip_kernel,
                    dim3(chunks(h, A.rows, 1)),
                    (4 * SMALL + STRIP) * sizeof(wide_t), arguments));
    return X(tsqr_panel_cuda)(h, A, tau, T, spare, work.verdict);
}

static gsvd_status_t update(gsvd_handle_t h, mat_t A, mat_t T, mat_t C,
                            double *part)
{
    const unsigned y = (unsigned)((C.cols + STRIP - 1) / STRIP);
    void *arguments[] = {&A, &T, &C, &part};
    return launch(h, (const void *)update_kernel,
                  dim3(chunks(h, A.rows, y), y), 2 * SMALL * sizeof(wide_t),
                  arguments);
}

typedef struct panel_work {
    shared_work_t shared;
    double *part;
    mat_t T, S;
    void *tsqr;
} panel_work_t;

static void carve(arena_t *a, gsvd_handle_t h, int64_t m, panel_work_t *w)
{
    const int64_t blocks = 2 * (int64_t)cuda_of(h)->multiprocessors;
    enum { BLOCK = 128 };
    w->part = (double *)gsvd_arena_take(a, blocks * GRAM, sizeof(double));
    w->shared.part[0] = w->part;
    w->shared.part[1] = w->part ? w->part + blocks / 2 * GRAM : NULL;
    w->shared.top =
        (wide_t *)gsvd_arena_take(a, STRIP * STRIP, sizeof(wide_t));
    w->shared.verdict = (int *)gsvd_arena_take(a, 1, sizeof(int));
    w->T = mat_view((scalar_t *)gsvd_arena_take(a, STRIP * STRIP,
                                                sizeof(scalar_t)),
                    STRIP, STRIP, STRIP);
    w->S = mat_view((scalar_t *)gsvd_arena_take(a, BLOCK * BLOCK,
                                                sizeof(scalar_t)),
                    BLOCK, BLOCK, BLOCK);
    w->tsqr = gsvd_arena_take(a, (int64_t)X(tsqr_panel_bytes)(m), 1);
}

gsvd_status_t X(scratch_bytes_cuda)(gsvd_handle_t h, int64_t m, int64_t n,
                                    int64_t cols, size_t *bytes)
{
    arena_t count = {0, 0, 0, 0};
    panel_work_t w;
    carve(&count, h, m, &w);
    *bytes = gsvd_arena_bytes(&count);
    const size_t norms = 3 * (size_t)max_i(max_i(n, cols), 1) * sizeof(real_t);
    *bytes = norms > *bytes ? norms : *bytes;
    return GSVD_SUCCESS;
}

gsvd_status_t X(panel_cuda)(gsvd_handle_t h, mat_t A, scalar_t *tau, mat_t V,
                            mat_t T)
{
    arena_t count = {0, 0, 0, 0};
    panel_work_t w;
    void *scratch;

    if (mat_empty(A))
        return GSVD_SUCCESS;
    carve(&count, h, A.rows, &w);
    GSVD_TRY(gsvd_scratch(h, gsvd_arena_bytes(&count), &scratch));
    arena_t arena = gsvd_arena_over(scratch, gsvd_arena_bytes(&count));
    carve(&arena, h, A.rows, &w);

    for (int64_t j = 0; j < A.cols; j += STRIP) {
        const int64_t b = min_i(STRIP, A.cols - j), rest = A.cols - j - b;
        const mat_t A1 = mat_sub(A, j, j, A.rows - j, b);

        GSVD_TRY(factor_strip(h, A1, tau + j, w.T, w.shared, w.tsqr));
        if (rest > 0)
            GSVD_TRY(update(h, A1, w.T,
                            mat_sub(A, j, j + b, A.rows - j, rest), w.part));
    }
    if (!V.data)
        return GSVD_SUCCESS;
    GSVD_TRY(X(unit_lower_cuda)(h, A, V));
    const mat_t S = mat_view(w.S.data, A.cols, A.cols, A.cols);
    GSVD_TRY(X(gemm_cuda)(h, 'C', 'N', V, V, S));
    return X(triangle_cuda)(h, S, tau, T);
}
