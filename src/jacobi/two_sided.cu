/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* two_sided.cu -- H^H C H for a block reflector H and a Hermitian C on a GPU, see two_sided.h.
 *
 * In double precision W' comes by two kernels in place of five launches, and the products read half of C:
 * a block has a tile of the lower triangle in registers and writes it twice.
 */
#include <cuda_pipeline_primitives.h>

#include "core/cuda_state.h"
#include "core/launch.h"
#include "core/wide.cuh"
#include "jacobi/demand.h"
#include "jacobi/jacobi.h"
#include "jacobi/two_sided.h"

#define TWO_SIDED_KERNELS (!GSVD_SINGLE && WIDE_PARTS == 1)

enum {
    WARP = 32,
    REFLECTORS = 32, /* columns of V and of W that a block has at a time     */
    TILE = 64,       /* rows and columns of C that a block has               */
    PART = 256,      /* rows of V and W whose products a block adds          */
    FEW = 2 * TILE   /* less rows have products                              */
};

#if TWO_SIDED_KERNELS

enum {
    TERMS = 2 * REFLECTORS, /* of a sum: V W^T and W V^T                     */
    PITCH = TILE + 4,   /* of terms in shared memory: no conflict of banks */
    TILE_THREADS = 128, /* 2 x 2 warps, each 32 x 32 of a tile           */
    MANY = 256,         /* threads of correct_kernel                     */
    GROUPS = 8,         /* of a PART's rows, each of two warps           */
    SQUARE = REFLECTORS * REFLECTORS
};

/* -- device functions ---------------------------------------------------------- */

/* The sums of a warp's square of 32 x 32: c[i][j][s] is row 8 i + lane / 4 and, of 8 columns from 8 j
 * on, that of order 2 (lane % 4) + s */
typedef double square_t[4][4][2];

/* c := c + a b^T for 4 of the terms; a and b: the terms of 32 rows each, see put_rows */
static __device__ __forceinline__ void add_terms(square_t &c, const double *a,
                                                 const double *b)
{
    const int row = threadIdx.x % WARP / 4, term = threadIdx.x % 4 * PITCH;
    double x[4], y[4];
#pragma unroll
    for (int i = 0; i < 4; ++i) {
        x[i] = a[term + row + 8 * i];
        y[i] = b[term + row + 8 * i];
    }
#pragma unroll
    for (int i = 0; i < 4; i += 2)
#pragma unroll
        for (int j = 0; j < 4; ++j)
            mma_pair(c[i][j], c[i + 1][j], x[i], x[i + 1], y[j]);
}

/* Begins to copy TILE rows of REFLECTORS columns to shared memory, a column behind another.  Columns of
 * C come from these rows in the order 0, 4, 1, 5, 2, 6, 3, 7 where `columns` is set: lanes beside each
 * other then have neighbours in a row of C. */
static __device__ __forceinline__ void put_rows(mat_t A, int64_t first,
                                                int columns, double *to)
{
    for (int x = threadIdx.x; x < TILE * REFLECTORS; x += TILE_THREADS) {
        const int r = x % TILE, k = x / TILE;
        const int at = columns ? r / 8 * 8 + r % 4 * 2 + r % 8 / 4 : r;
        const int there = first + r < A.rows;
        __pipeline_memcpy_async(to + k * PITCH + at,
                                A.data + (there ? first + r : 0) + k * A.ld,
                                sizeof(double), there ? 0 : sizeof(double));
    }
}

/* The tile of the lower triangle that a block has, row by row */
static __device__ __forceinline__ void find_tile(int64_t *row, int64_t *column)
{
    const int t = (int)blockIdx.x;
    int i = (int)((sqrtf(8.0f * (float)t + 1) - 1) / 2);
    i -= i * (i + 1) / 2 > t;
    i += (i + 1) * (i + 2) / 2 <= t;
    *row = (int64_t)i * TILE;
    *column = (int64_t)(t - i * (i + 1) / 2) * TILE;
}

/* -- kernels ------------------------------------------------------------------------ */

/* part[p] := (V T)^T W of the p-th PART rows, 32 x 32.  grid: the parts; block: GROUPS of rows times two
 * halves of W's columns */
static __global__ void __launch_bounds__(2 * WARP * GROUPS)
    dots_kernel(mat_t VT, mat_t W, double *part)
{
    __shared__ double sums[GROUPS / 2][SQUARE];
    const int lane = threadIdx.x % WARP, group = threadIdx.x / WARP / 2;
    const int half = threadIdx.x / WARP % 2 * 2, column = lane / 4;
    const int64_t first = (int64_t)blockIdx.x * PART + group * (PART / GROUPS);
    double c[4][2][2] = {};

#pragma unroll
    for (int k = 0; k < PART / GROUPS; k += 4) {
        const int64_t row = first + k + lane % 4;
        const int there = row < W.rows;
        double x[4], y[2];
#pragma unroll
        for (int i = 0; i < 4; ++i)
            x[i] = there ? AT(VT, row, 8 * i + column) : 0;
#pragma unroll
        for (int j = 0; j < 2; ++j)
            y[j] = there ? AT(W, row, 8 * (half + j) + column) : 0;
#pragma unroll
        for (int i = 0; i < 4; i += 2)
#pragma unroll
            for (int j = 0; j < 2; ++j)
                mma_pair(c[i][j], c[i + 1][j], x[i], x[i + 1], y[j]);
    }
    for (int later = 1; later >= 0;
         --later) { /* half of the groups first       */
        if (group / (GROUPS / 2) == later)
#pragma unroll
            for (int i = 0; i < 4; ++i)
#pragma unroll
                for (int j = 0; j < 2; ++j)
#pragma unroll
                    for (int s = 0; s < 2; ++s) {
                        double &sum =
                            sums[group % (GROUPS / 2)]
                                [8 * i + column +
                                 (8 * (half + j) + 2 * (lane % 4) + s) *
                                     REFLECTORS];
                        sum = later ? c[i][j][s] : sum + c[i][j][s];
                    }
        __syncthreads();
    }
    static_assert(GROUPS == 8, "the sums below");
    for (int x = threadIdx.x; x < SQUARE; x += 2 * WARP * GROUPS)
        part[(int64_t)blockIdx.x * SQUARE + x] =
            (sums[0][x] + sums[1][x]) + (sums[2][x] + sums[3][x]);
}

/* W := W - V G / 2, G: the sum of the parts.  grid: a block 32 rows; block: 8 warps, each every eighth
 * column */
static __global__ void __launch_bounds__(MANY)
    correct_kernel(mat_t V, mat_t W, const double *part, int parts)
{
    enum { EACH = SQUARE / MANY, APART = MANY / WARP };
    __shared__ double G[REFLECTORS][REFLECTORS];
    const int lane = threadIdx.x % WARP, warp = threadIdx.x / WARP;
    const int64_t row = (int64_t)blockIdx.x * WARP + lane;
    const int there = row < V.rows;
    double v[REFLECTORS], g[EACH] = {}, w[EACH];

#pragma unroll
    for (int k = 0; k < REFLECTORS; ++k)
        v[k] = there ? AT(V, row, k) : 0;
#pragma unroll
    for (int j = 0; j < EACH; ++j)
        w[j] = there ? AT(W, row, warp + APART * j) : 0;
#pragma unroll 4
    for (int p = 0; p < parts; ++p)
#pragma unroll
        for (int j = 0; j < EACH; ++j)
            g[j] += part[(int64_t)p * SQUARE + threadIdx.x + MANY * j];
#pragma unroll
    for (int j = 0; j < EACH; ++j)
        G[warp + APART * j][lane] = g[j] / 2;
    __syncthreads();
#pragma unroll
    for (int k = 0; k < REFLECTORS; ++k)
#pragma unroll
        for (int j = 0; j < EACH; ++j)
            w[j] -= v[k] * G[warp + APART * j][k];
#pragma unroll
    for (int j = 0; j < EACH; ++j)
        if (there)
            AT(W, row, warp + APART * j) = w[j];
}

/* C := C - V W^T - W V^T, both triangles from the lower one.  grid: the lower triangle's tiles; block: 2 x 2
 * warps; shared: V and W of the tile's rows, W and V of its columns, REFLECTORS at a time */
static __global__ void __launch_bounds__(TILE_THREADS, 3)
    update_kernel(mat_t V, mat_t W, mat_t C)
{
    extern __shared__ double terms[];
    double *const a = terms, *const b = terms + TERMS * PITCH;
    const int lane = threadIdx.x % WARP, warp = threadIdx.x / WARP;
    const int down = warp % 2 * WARP, right = warp / 2 * WARP;
    int64_t i0, j0;
    square_t c;

    find_tile(&i0, &j0);
    const int64_t row = i0 + down + lane / 4, column = j0 + right + lane % 4;
    const int inside = i0 + TILE <= C.rows; /* so are the columns             */
#define THERE(i, j, s)                                                         \
    (inside || (row + 8 * (i) < C.rows && column + 8 * (j) + 4 * (s) < C.rows))
#pragma unroll
    for (int i = 0; i < 4; ++i)
#pragma unroll
        for (int j = 0; j < 4; ++j)
#pragma unroll
            for (int s = 0; s < 2; ++s)
                c[i][j][s] = THERE(i, j, s)
                                 ? -AT(C, row + 8 * i, column + 8 * j + 4 * s)
                                 : 0;
    for (int64_t k = 0; k < V.cols; k += REFLECTORS) {
        const mat_t v = mat_cols(V, k, REFLECTORS);
        const mat_t w = mat_cols(W, k, REFLECTORS);
        put_rows(v, i0, 0, a);
        put_rows(w, i0, 0, a + REFLECTORS * PITCH);
        put_rows(w, j0, 1, b);
        put_rows(v, j0, 1, b + REFLECTORS * PITCH);
        __pipeline_commit();
        __pipeline_wait_prior(0);
        __syncthreads();
#pragma unroll 4
        for (int t = 0; t < TERMS; t += 4)
            add_terms(c, a + t * PITCH + down, b + t * PITCH + right);
        __syncthreads();
    }
#pragma unroll
    for (int i = 0; i < 4; ++i)
#pragma unroll
        for (int j = 0; j < 4; ++j)
#pragma unroll
            for (int s = 0; s < 2; ++s)
                if (THERE(i, j, s)) {
                    const int64_t y = column + 8 * j + 4 * s;
                    AT(C, row + 8 * i, y) = -c[i][j][s];
                    if (i0 > j0)
                        AT(C, y, row + 8 * i) = -c[i][j][s];
                }
#undef THERE
}

/* -- launchers ---------------------------------------------------------------------- */

static demand_t update_demand(void)
{
    return demand("update_kernel", 0, (const void *)update_kernel, TILE_THREADS,
                  2 * TERMS * PITCH * sizeof(double));
}

int X(two_sided_demands)(demand_t *d)
{
    d[0] = update_demand();
    return 1;
}

/* Do the kernels take it? */
static int are_many(const exec_t *ex, mat_t C, int64_t b)
{
    return C.rows >= FEW && b % REFLECTORS == 0 &&
           fits_shared(cuda_of(ex->h)->shared, update_demand().bytes);
}

static gsvd_status_t update(const exec_t *ex, mat_t V, mat_t W, mat_t C)
{
    const demand_t want = update_demand();
    const int64_t tiles = (C.rows + TILE - 1) / TILE;

    GSVD_TRY(gsvd_allow_shared(ex->h, &want));
    update_kernel<<<(unsigned)(tiles * (tiles + 1) / 2), TILE_THREADS,
                    want.bytes, stream_of(ex)>>>(V, W, C);
    return gsvd_launched(ex->h, "hermitian_update");
}

/* W := W' */
static gsvd_status_t correct(const exec_t *ex, mat_t V, mat_t VT, mat_t W,
                             scalar_t *part)
{
    const int64_t parts = (W.rows + PART - 1) / PART;
    const int64_t blocks = (W.rows + WARP - 1) / WARP;

    dots_kernel<<<(unsigned)parts, 2 * WARP * GROUPS, 0, stream_of(ex)>>>(VT, W,
                                                                          part);
    GSVD_TRY(gsvd_launched(ex->h, "two_sided, dots"));
    correct_kernel<<<(unsigned)blocks, MANY, 0, stream_of(ex)>>>(V, W, part,
                                                                 (int)parts);
    return gsvd_launched(ex->h, "two_sided, correct");
}

#else

int X(two_sided_demands)(demand_t *d)
{
    (void)d;
    return 0;
}

#endif

gsvd_status_t X(hermitian_update)(const exec_t *ex, mat_t VWV, mat_t C)
{
    const int64_t b = VWV.cols / 3;
#if TWO_SIDED_KERNELS
    if (are_many(ex, C, b))
        return update(ex, mat_cols(VWV, 0, b), mat_cols(VWV, b, b), C);
#endif
    return X(gemm_sub_cuda)(ex, 'N', 'C', mat_cols(VWV, 0, 2 * b),
                            mat_cols(VWV, b, 2 * b), C);
}

gsvd_status_t X(two_sided_cuda)(const exec_t *ex, mat_t VWV, mat_t VT,
                                mat_t work, mat_t C)
{
    const int64_t b = VT.cols;
#if TWO_SIDED_KERNELS
    const mat_t V = mat_cols(VWV, 0, b), W = mat_cols(VWV, b, b);
    if (b == REFLECTORS && are_many(ex, C, b)) {
        GSVD_TRY(correct(ex, V, VT, W, work.data));
        return update(ex, V, W, C);
    }
#endif
    return two_sided_by_products(ex, VWV, VT, mat_rows(work, 0, b), C);
}
