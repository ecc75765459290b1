/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* reflect.cu -- Householder reflectors, one by one, and the triangle of a block
 * of them; CUDA twin of reflect.c. */
#include "core/gpublas.h"
#include "core/reduce.cuh"
#include "qr/demand.h"
#include "qr/panel/tile.cuh"
#include "qr/qr.h"

enum {
    THREADS = 256,
    MANY = 512, /* threads for a triangle                            */
    MOST =
        128 /
        REALS_PER_SCALAR, /* reflectors of a block                            */
    HALF = MOST / 2
};

/* -- device functions -------------------------------------------------------- */

static __device__ scalar_t warp_sum(scalar_t x)
{
    for (int step = WARP / 2; step > 0; step /= 2) {
        const real_t a = __shfl_xor_sync(0xffffffff, re(x), step);
        const real_t b = __shfl_xor_sync(0xffffffff, im(x), step);
        x = add(x, make(a, b));
    }
    return x;
}

static __device__ scalar_t minus(scalar_t a) { return make(-re(a), -im(a)); }

/* -- kernels ------------------------------------------------------------------ */

/* grid: x blocks of 8 warps, one column of C a warp, striding; the k reflectors
 * one after the other */
static __global__ void reflect_left_kernel(int forward, int conjugate, mat_t A,
                                           int64_t k, const scalar_t *tau,
                                           mat_t C)
{
    const int lane = threadIdx.x % WARP;
    const int64_t warp =
        (int64_t)blockIdx.x * (THREADS / WARP) + threadIdx.x / WARP;
    for (int64_t col = warp; col < C.cols;
         col += (int64_t)gridDim.x * (THREADS / WARP))
        for (int64_t i = 0; i < k; ++i) {
            const int64_t j = forward ? i : k - 1 - i, n = C.rows - j;
            const scalar_t *const v = &AT(A, j, j);
            scalar_t *const c = &AT(C, j, col);
            const scalar_t t = conjugate ? conj_of(tau[j]) : tau[j];

            scalar_t dot = make(0, 0);
            for (int64_t r = lane; r < n; r += WARP)
                dot = r == 0 ? c[0] : mul_add(conj_of(v[r]), c[r], dot);
            const scalar_t w = mul(t, minus(warp_sum(dot)));
            for (int64_t r = lane; r < n; r += WARP)
                c[r] = r == 0 ? add(c[0], w) : mul_add(v[r], w, c[r]);
            __syncwarp();
        }
}

/* grid: x blocks of 256 threads, one row of C each */
static __global__ void reflect_right_kernel(int forward, int conjugate, mat_t A,
                                            int64_t k, const scalar_t *tau,
                                            mat_t C)
{
    const int64_t row = (int64_t)blockIdx.x * THREADS + threadIdx.x;
    if (row >= C.rows)
        return;
    for (int64_t i = 0; i < k; ++i) {
        const int64_t j = forward ? i : k - 1 - i, n = C.cols - j;
        const scalar_t *const v = &AT(A, j, j);
        const scalar_t t = conjugate ? conj_of(tau[j]) : tau[j];

        scalar_t dot = AT(C, row, j);
        for (int64_t r = 1; r < n; ++r)
            dot = mul_add(v[r], AT(C, row, j + r), dot);
        const scalar_t w = mul(t, minus(dot));
        AT(C, row, j) = add(AT(C, row, j), w);
        for (int64_t r = 1; r < n; ++r)
            AT(C, row, j + r) = mul_add(conj_of(v[r]), w, AT(C, row, j + r));
    }
}

/* grid: x tiles of 256 rows, y columns */
static __global__ void unit_lower_kernel(mat_t A, mat_t V)
{
    const int64_t i = (int64_t)blockIdx.x * THREADS + threadIdx.x;
    if (i < V.rows)
        for (int64_t j = blockIdx.y; j < V.cols; j += gridDim.y)
            AT(V, i, j) = i < j    ? make(0, 0)
                          : i == j ? make(1, 0)
                                   : AT(A, i, j);
}

/* T(0:j,j) = -tau_j T(0:j,0:j) S(0:j,j), j = 1, ..., 7, for a diagonal tile of P
 * that holds S.  Lane i < 8: row i. */
static __device__ void tile_triangle(wide_t *P, int ld, const wide_t *tau)
{
    const int i = LANE % TILE;
    wide_t t[TILE];
#pragma unroll
    for (int j = 0; j < TILE; ++j)
        t[j] = i == j ? tau[j] : wide(0, 0);
#pragma unroll
    for (int j = 1; j < TILE; ++j) {
        wide_t sum = wide(0, 0);
#pragma unroll
        for (int k = 0; k < j; ++k)
            sum = wide_add(t[k], P[k + j * ld], sum);
        if (i < j)
            t[j] = wide_mul(negative(tau[j]), sum);
    }
    __syncwarp();
    if (LANE < TILE)
#pragma unroll
        for (int j = 0; j < TILE; ++j)
            P[i + j * ld] = t[j];
    __syncwarp();
}

static __device__ __forceinline__ wide_t add_wide(wide_t a, wide_t b)
{
    return wide(wide_re(a) + wide_re(b), wide_im(a) + wide_im(b));
}

/* The tile A B of an 8 x n and an n x 8 factor, by one warp; b(k, c) is at B[k * down + c *
 * across].  A step has the columns and rows of tile.cuh. */
static __device__ tile_t product_tile(const wide_t *A, int ld, const wide_t *B,
                                      int down, int across, int n)
{
    const int r = LANE / 4, q = 2 * (LANE % 4);
    tile_t c[2] = {tile_zero(), tile_zero()}; /* two sums: half the waiting  */
#pragma unroll 4
    for (int k = 0; k < n; k += TILE)
#pragma unroll
        for (int s = 0; s < 2; ++s)
            tile_step(c[s], A[r + (k + q + s) * ld],
                      B[(k + q + s) * down + r * across]);
    tile_put(c[0], 0, add_wide(tile_get(c[0], 0), tile_get(c[1], 0)));
    tile_put(c[0], 1, add_wide(tile_get(c[0], 1), tile_get(c[1], 1)));
    return c[0];
}

/* T12 of squares of order h = side tiles from o on: pass 0 leaves (S12 T2)^T
 * below the diagonal, pass 1 T12 = -T1 (S12 T2) above it. */
static __device__ void merge_tile(wide_t *P, int ld, int pass, int o, int h,
                                  int i, int j)
{
    const int m = o + h, r = LANE / 4, q = 2 * (LANE % 4);
    wide_t *const spare = P + m + j + (o + i) * ld;
    const wide_t *const T2 = P + m + (m + j) * ld;
    const wide_t *const T1 = P + o + i + (o + i) * ld;

    if (pass == 0) {
        const tile_t y =
            product_tile(P + o + i + m * ld, ld, T2, 1, ld, j + TILE);
        spare[q + r * ld] = tile_get(y, 0);
        spare[q + 1 + r * ld] = tile_get(y, 1);
    } else {
        const tile_t y = product_tile(T1, ld, spare, ld, 1, h - i);
        wide_t *const T12 = P + o + i + r + (m + j + q) * ld;
        T12[0] = negative(tile_get(y, 0));
        T12[ld] = negative(tile_get(y, 1));
    }
}

/* P := T, where P holds S: diagonal tiles first, then pairs of squares of 8, 16, ...;
 * padded: columns, a multiple of 8; t: tau.  Between barriers. */
static __device__ __forceinline__ void
block_triangle(wide_t *P, int ld, int padded, const wide_t *t)
{
    for (int k = TILE * WARP_ID; k < padded; k += MANY / 32 * TILE)
        tile_triangle(P + k + k * ld, ld, t + k);
    __syncthreads();
    for (int level = 0; TILE << level < padded; ++level)
        for (int pass = 0; pass < 2; ++pass) {
            const int side = 1 << level, h = TILE << level;
            for (int x = WARP_ID;; x += MANY / 32) { /* a tile each          */
                const int i = (x >> level) % side, j = x % side;
                const int o = (x >> 2 * level) * 2 * h;
                if (o + h >= padded)
                    break;
                if (o + h + TILE * j < padded)
                    merge_tile(P, ld, pass, o, h, TILE * i, TILE * j);
            }
            __syncthreads();
        }
}

/* grid: a block of 16 warps for each block of b reflectors.  P in shared memory, by
 * columns, holds S and then T. */
static __global__ void __launch_bounds__(MANY, 1)
    triangle_kernel(mat_t S, const scalar_t *tau, int64_t b, mat_t T)
{
    extern __shared__ char memory[];
    wide_t *const P = (wide_t *)memory;
    __shared__ wide_t t[MOST];
    const int64_t first = blockIdx.x * b, row = first % S.rows;
    const int n = (int)min_i(b, T.cols - first);
    const int padded = (n + TILE - 1) / TILE * TILE, ld = padded + 4;
    S = mat_sub(S, row, first, n, n);
    T = mat_sub(T, row, first, n, n);

#pragma unroll
    for (int y = 0; y < MOST; y += MANY / 32) /* all loads at once           */
#pragma unroll
        for (int x = 0; x < MOST; x += 32) {
            const int i = x + LANE, j = y + WARP_ID;
            if (i < padded && j < padded)
                P[i + j * ld] =
                    i <= j && j < n ? widen(AT(S, i, j)) : wide(0, 0);
        }
    for (int i = threadIdx.x; i < padded; i += MANY)
        t[i] = i < n ? widen(tau[first + i]) : wide(0, 0);
    __syncthreads();
    block_triangle(P, ld, padded, t);
    for (int i = LANE; i < n; i += 32)
#pragma unroll 4
        for (int j = WARP_ID; j < n; j += MANY / 32)
            AT(T, i, j) = narrow(i <= j ? P[i + j * ld] : wide(0, 0));
}

/* P := S with zeros around it, and of a triangle with zeros below the diagonal */
static __device__ void load_half(mat_t S, int triangular, wide_t *P, int ld)
{
    for (int j = WARP_ID; j < HALF; j += MANY / 32)
        for (int i = LANE; i < HALF; i += 32)
            P[i + j * ld] = i < S.rows && j < S.cols && (i <= j || !triangular)
                                ? widen(AT(S, i, j))
                                : wide(0, 0);
}

/* P := T of half the columns, from their S and tau.  Begins and ends with a barrier. */
static __device__ void half_triangle(mat_t S, const scalar_t *tau, mat_t T,
                                     wide_t *P, int ld, wide_t *t)
{
    const int n = (int)T.cols, padded = (n + TILE - 1) / TILE * TILE;
    __syncthreads();
    load_half(S, 1, P, ld);
    for (int i = threadIdx.x; i < HALF; i += MANY)
        t[i] = i < n ? widen(tau[i]) : wide(0, 0);
    __syncthreads();
    block_triangle(P, ld, padded, t);
    for (int j = WARP_ID; j < n; j += MANY / 32)
        for (int i = LANE; i < n; i += 32)
            AT(T, i, j) = narrow(i <= j ? P[i + j * ld] : wide(0, 0));
}

/* triangle_kernel for b > HALF columns, if P does not fit: T2 of the second half of the columns;
 * S12 T2; T1 of the first half; T12 = -T1 (S12 T2).  The grid is that of triangle_kernel. */
static __global__ void __launch_bounds__(MANY, 1)
    halves_kernel(mat_t S, const scalar_t *tau, int64_t b, mat_t T)
{
    enum {
        LDH = HALF + 4,
        SIDE = HALF / TILE,
        EACH = (SIDE * SIDE + MANY / 32 - 1) / (MANY / 32) /* tiles of a warp */
    };
    extern __shared__ char memory[];
    wide_t *const P = (wide_t *)memory, *const W = P + HALF * LDH;
    __shared__ wide_t t[HALF];
    const int64_t first = blockIdx.x * b, row = first % S.rows;
    const int n = (int)min_i(b, T.cols - first), n1 = min(n, (int)HALF);
    const int n2 = n - n1, r = LANE / 4, q = 2 * (LANE % 4);
    tile_t y[EACH];
    S = mat_sub(S, row, first, n, n);
    T = mat_sub(T, row, first, n, n);
    tau += first;

    if (n2 > 0) {
        half_triangle(mat_sub(S, n1, n1, n2, n2), tau + n1,
                      mat_sub(T, n1, n1, n2, n2), P, LDH, t);
        load_half(mat_sub(S, 0, n1, n1, n2), 0, W, LDH);
        __syncthreads();
#pragma unroll
        for (int k = 0; k < EACH; ++k) {
            const int x = WARP_ID + k * (MANY / 32);
            const int i = TILE * (x / SIDE), j = TILE * (x % SIDE);
            if (x < SIDE * SIDE && j < n2)
                y[k] = product_tile(W + i, LDH, P + j * LDH, 1, LDH, j + TILE);
        }
        __syncthreads();
#pragma unroll
        for (int k = 0; k < EACH; ++k) {
            const int x = WARP_ID + k * (MANY / 32);
            const int i = TILE * (x / SIDE), j = TILE * (x % SIDE);
            if (x < SIDE * SIDE && j < n2) {
                W[i + r + (j + q) * LDH] = tile_get(y[k], 0);
                W[i + r + (j + q + 1) * LDH] = tile_get(y[k], 1);
            }
        }
    }
    half_triangle(mat_sub(S, 0, 0, n1, n1), tau, mat_sub(T, 0, 0, n1, n1), P,
                  LDH, t);
    for (int x = WARP_ID; x < SIDE * SIDE; x += MANY / 32) {
        const int i = TILE * (x / SIDE), j = TILE * (x % SIDE);
        if (j >= n2)
            continue;
        const tile_t z = product_tile(P + i + i * LDH, LDH, W + i + j * LDH, 1,
                                      LDH, HALF - i);
#pragma unroll
        for (int e = 0; e < 2; ++e)
            if (j + q + e < n2)
                AT(T, i + r, n1 + j + q + e) = narrow(negative(tile_get(z, e)));
    }
    for (int j = WARP_ID; j < n1; j += MANY / 32)
        for (int i = n1 + LANE; i < n; i += 32)
            AT(T, i, j) = make(0, 0);
}

/* grid: one block a column; block: 256 threads stride down the rows */
static __global__ void fix_phase_kernel(mat_t R, mat_t Q)
{
    const int64_t j = blockIdx.x;
    const scalar_t phase = direction(AT(R, j, j));
    for (int64_t i = threadIdx.x; i < Q.rows; i += THREADS)
        AT(Q, i, j) = mul(AT(Q, i, j), phase);
}

/* -- launchers ---------------------------------------------------------------- */

gsvd_status_t X(reflect_cuda)(const exec_t *ex, char side, char op, mat_t A,
                              int64_t k, const scalar_t *tau, mat_t C)
{
    const int left = side == 'L', forward = left == (op == 'C');
    const cudaStream_t stream = stream_of(ex);

    if (k <= 0 || mat_empty(C))
        return GSVD_SUCCESS;
    if (left)
        reflect_left_kernel<<<(unsigned)min_i((C.cols + 7) / 8, 65535), THREADS,
                              0, stream>>>(forward, op == 'C', A, k, tau, C);
    else
        reflect_right_kernel<<<(unsigned)((C.rows + THREADS - 1) / THREADS),
                               THREADS, 0, stream>>>(forward, op == 'C', A, k,
                                                     tau, C);
    return gsvd_launched(ex->h, "reflect");
}

gsvd_status_t X(unit_lower_cuda)(const exec_t *ex, mat_t A, mat_t V)
{
    if (mat_empty(V))
        return GSVD_SUCCESS;
    const dim3 grid((unsigned)((V.rows + THREADS - 1) / THREADS),
                    (unsigned)min_i(V.cols, 65535));
    unit_lower_kernel<<<grid, THREADS, 0, stream_of(ex)>>>(A, V);
    return gsvd_launched(ex->h, "unit_lower");
}

/* Bytes of shared memory for a triangle of b reflectors, in tiles */
static size_t triangle_bytes(int64_t b)
{
    const size_t padded = (size_t)(b + TILE - 1) / TILE * TILE;
    return padded * (padded + 4) * sizeof(wide_t);
}

/* MOST or HALF: the most reflectors whose triangle fits the shared memory of a block */
static int64_t most_at_once(int shared)
{
    return fits_shared(shared, triangle_bytes(MOST)) ? MOST : HALF;
}

static demand_t triangle_demand(int shared)
{
    return demand("triangle_kernel", 0, (const void *)triangle_kernel, MANY,
                  triangle_bytes(most_at_once(shared)));
}

static demand_t halves_demand(void)
{
    return demand("halves_kernel", 0, (const void *)halves_kernel, MANY,
                  2 * triangle_bytes(HALF));
}

int X(reflect_demands)(int shared, demand_t *d)
{
    d[0] = triangle_demand(shared);
    d[1] = halves_demand();
    return 2;
}

gsvd_status_t X(triangle_cuda)(const exec_t *ex, mat_t S, const scalar_t *tau,
                               int64_t b, mat_t T)
{
    const int shared = cuda_of(ex->h)->shared;
    const int halves = b > most_at_once(shared);
    const demand_t d = halves ? halves_demand() : triangle_demand(shared);
    const size_t bytes = halves ? d.bytes : triangle_bytes(b);
    const auto kernel = halves ? halves_kernel : triangle_kernel;

    if (mat_empty(T))
        return GSVD_SUCCESS;
    if (b > MOST)
        return gsvd_fail(ex->h, GSVD_INTERNAL_ERROR, "triangle: %d reflectors",
                         (int)b);
    GSVD_TRY(gsvd_allow_shared(ex->h, &d));
    kernel<<<(unsigned)((T.cols + b - 1) / b), MANY, bytes, stream_of(ex)>>>(
        S, tau, b, T);
    return gsvd_launched(ex->h, "triangle");
}

gsvd_status_t X(fix_phase_cuda)(const exec_t *ex, mat_t R, mat_t Q)
{
    const int64_t n = min_i(Q.cols, min_i(R.rows, R.cols));
    if (n <= 0)
        return GSVD_SUCCESS;
    fix_phase_kernel<<<(unsigned)n, THREADS, 0, stream_of(ex)>>>(R, Q);
    return gsvd_launched(ex->h, "fix_phase");
}
