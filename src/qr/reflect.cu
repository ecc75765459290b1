/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* reflect.cu -- Householder reflectors, one by one, and the triangle of a block
 * of them; CUDA twin of reflect.c. */
#include "core/gpublas.h"
#include "core/reduce.cuh"
#include "qr/qr.h"

enum { THREADS = 256, TILE = 32, MOST = 128 /* reflectors of a block */ };

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

static __device__ scalar_t negative(scalar_t a) { return make(-re(a), -im(a)); }

/* -- kernels ------------------------------------------------------------------ */

/* grid: x blocks of 8 warps, one column of C a warp, striding; the k reflectors
 * one after the other */
static __global__ void reflect_left_kernel(int forward, int conjugate, mat_t A,
                                           int64_t k, const scalar_t *tau,
                                           mat_t C)
{
    const int lane = threadIdx.x % WARP;
    const int64_t warp = (int64_t)blockIdx.x * (THREADS / WARP) +
                         threadIdx.x / WARP;
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
            const scalar_t w = mul(t, negative(warp_sum(dot)));
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
        const scalar_t w = mul(t, negative(dot));
        AT(C, row, j) = add(AT(C, row, j), w);
        for (int64_t r = 1; r < n; ++r)
            AT(C, row, j + r) =
                mul_add(conj_of(v[r]), w, AT(C, row, j + r));
    }
}

/* grid: x tiles of 256 rows, y columns */
static __global__ void unit_lower_kernel(mat_t A, mat_t V)
{
    const int64_t i = (int64_t)blockIdx.x * THREADS + threadIdx.x;
    if (i < V.rows)
        for (int64_t j = blockIdx.y; j < V.cols; j += gridDim.y)
            AT(V, i, j) = i < j ? make(0, 0) : i == j ? make(1, 0) : AT(A, i, j);
}

/* grid: one block; block: 32 x 8 threads.  T in shared memory by tiles of 32:
 * each diagonal tile by the columns' recurrence, one warp a tile; then
 * T(:,J) := -T(:,:) S(:,J) T(J,J) for the tiles left of it, J = 1, 2, ... */
static __global__ void triangle_kernel(mat_t S, const scalar_t *tau, mat_t T)
{
    extern __shared__ char memory[];
    scalar_t *const tile = (scalar_t *)memory; /* four of 32 x 33            */
    const int x = threadIdx.x, y = threadIdx.y;
    const int n = (int)T.cols, tiles = (n + TILE - 1) / TILE;
#define D(t, i, j) tile[((t)*TILE + (i)) * (TILE + 1) + (j)]

    if (y < tiles) { /* lane x: row x of the tile                            */
        const int o = y * TILE;
        for (int j = 0; j < TILE; ++j)
            D(y, x, j) = make(0, 0);
        for (int j = 0; j < TILE && o + j < n; ++j) {
            __syncwarp();
            scalar_t sum = make(0, 0);
            if (x < j)
                for (int i = x; i < j; ++i)
                    sum = mul_add(D(y, x, i), AT(S, o + i, o + j), sum);
            if (x <= j)
                D(y, x, j) = x == j ? tau[o + j]
                                    : mul(negative(tau[o + j]), sum);
        }
        __syncwarp();
        for (int j = 0; j < TILE && o + j < n; ++j)
            if (o + x < n)
                AT(T, o + x, o + j) = D(y, x, j);
    }
    __syncthreads();
    for (int J = 1; J < tiles; ++J) {
        const int o = J * TILE, w = n - o < TILE ? n - o : TILE;
        /* T(0:o, J) := -T(0:o, 0:o) S(0:o, J), then times T(J,J) */
        for (int e = y * TILE + x; e < o * w; e += THREADS) {
            const int i = e % o, j = e / o;
            scalar_t sum = make(0, 0);
            for (int r = i; r < o; ++r)
                sum = mul_add(AT(T, i, r), AT(S, r, o + j), sum);
            AT(T, o + j, i) = negative(sum); /* below the diagonal: room     */
        }
        __syncthreads();
        for (int e = y * TILE + x; e < o * w; e += THREADS) {
            const int i = e % o, j = e / o;
            scalar_t sum = make(0, 0);
            for (int r = 0; r <= j; ++r)
                sum = mul_add(AT(T, o + r, i), D(J, r, j), sum);
            AT(T, i, o + j) = sum;
        }
        __syncthreads();
        for (int e = y * TILE + x; e < o * w; e += THREADS)
            AT(T, o + e / o, e % o) = make(0, 0);
        __syncthreads();
    }
#undef D
}

/* grid: one block a column; block: 256 threads stride down the rows */
static __global__ void fix_phase_kernel(mat_t R, mat_t Q)
{
    const int64_t j = blockIdx.x;
    const scalar_t r = AT(R, j, j);
    const real_t length = abs_of(r);
    if (!(length > 0))
        return;
    const scalar_t phase = make(re(r) / length, im(r) / length);
    for (int64_t i = threadIdx.x; i < Q.rows; i += THREADS)
        AT(Q, i, j) = mul(AT(Q, i, j), phase);
}

/* -- launchers ---------------------------------------------------------------- */

gsvd_status_t X(reflect_cuda)(gsvd_handle_t h, char side, char op, mat_t A,
                              int64_t k, const scalar_t *tau, mat_t C)
{
    const int left = side == 'L', forward = left == (op == 'C');
    const cudaStream_t stream = cuda_of(h)->stream;

    if (k <= 0 || mat_empty(C))
        return GSVD_SUCCESS;
    if (left)
        reflect_left_kernel<<<(unsigned)min_i((C.cols + 7) / 8, 65535), THREADS,
                              0, stream>>>(forward, op == 'C', A, k, tau, C);
    else
        reflect_right_kernel<<<(unsigned)((C.rows + THREADS - 1) / THREADS),
                               THREADS, 0, stream>>>(forward, op == 'C', A, k,
                                                     tau, C);
    return gsvd_launched(h, "reflect");
}

gsvd_status_t X(unit_lower_cuda)(gsvd_handle_t h, mat_t A, mat_t V)
{
    if (mat_empty(V))
        return GSVD_SUCCESS;
    const dim3 grid((unsigned)((V.rows + THREADS - 1) / THREADS),
                    (unsigned)min_i(V.cols, 65535));
    unit_lower_kernel<<<grid, THREADS, 0, cuda_of(h)->stream>>>(A, V);
    return gsvd_launched(h, "unit_lower");
}

gsvd_status_t X(triangle_cuda)(gsvd_handle_t h, mat_t S, const scalar_t *tau,
                               mat_t T)
{
    const size_t bytes = (size_t)MOST * (TILE + 1) * sizeof(scalar_t);

    if (mat_empty(T))
        return GSVD_SUCCESS;
    if (T.cols > MOST)
        return gsvd_fail(h, GSVD_INTERNAL_ERROR, "triangle: %d reflectors",
                         (int)T.cols);
    GSVD_CUDA(h, cudaFuncSetAttribute(
                     triangle_kernel,
                     cudaFuncAttributeMaxDynamicSharedMemorySize, (int)bytes));
    triangle_kernel<<<1, dim3(TILE, THREADS / TILE), bytes,
                      cuda_of(h)->stream>>>(S, tau, T);
    return gsvd_launched(h, "triangle");
}

gsvd_status_t X(fix_phase_cuda)(gsvd_handle_t h, mat_t R, mat_t Q)
{
    const int64_t n = min_i(Q.cols, min_i(R.rows, R.cols));
    if (n <= 0)
        return GSVD_SUCCESS;
    fix_phase_kernel<<<(unsigned)n, THREADS, 0, cuda_of(h)->stream>>>(R, Q);
    return gsvd_launched(h, "fix_phase");
}
