/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* update_sketch.cu -- a block reflector applied to the columns that remain, and their sketch;
 * CUDA twin of update_sketch.c.
 *
 *     project         Y := T^H V^H C
 *     update_sketch   C := C - V Y,   S := Omega C'    C' the rows of C from `first` on
 *
 * By cuBLAS, but in single precision on the tensor cores (tf32.cuh), each in one
 * pass over C, with V 32 columns wide.  A block has 128 columns of C and a group of
 * its rows, 64 at a time; these of V and of Omega are in shared memory, the next
 * ones on their way there.  C goes from memory to registers, and its next rows are
 * on their way while these are multiplied.
 *
 * project runs up the rows and update_sketch down, so that each begins with what
 * the other has left in the cache.
 *
 * In update_sketch a warp has 16 columns, their Y and their part of S in registers,
 * and works on C^T:
 *
 *     C^T := C^T - Y^T V^T,   S^T := S^T + C^T Omega^T,
 *
 * where what the tensor cores leave of the first is a left factor of the second as
 * it is.  Omega is taken as TF32 numbers, which are as random; C is not.
 */
#include <cuda_pipeline.h>

#include "core/gpublas.h"
#include "pivot/pivot.h"
#include "qr/demand.h"
#include "qr/qr.h"

/* -- by cuBLAS ---------------------------------------------------------------- */

static gsvd_status_t project_plain(const exec_t *ex, mat_t V, mat_t T, mat_t C,
                                   mat_t W, mat_t Y)
{
    GSVD_TRY(X(gemm_cuda)(ex, 'C', 'N', V, C, W));
    return X(gemm_cuda)(ex, 'C', 'N', T, W, Y);
}

static gsvd_status_t update_plain(const exec_t *ex, mat_t V, mat_t Y, mat_t C,
                                  int64_t first, mat_t Omega, mat_t S)
{
    GSVD_TRY(X(gemm_sub_cuda)(ex, 'N', 'N', V, Y, C));
    return X(gemm_cuda)(ex, 'N', 'N', Omega, mat_rows(C, first, C.rows - first),
                        S);
}

#if REALS_PER_SCALAR == 1 && GSVD_SINGLE

#include "core/tf32.cuh"

enum {
    THREADS = 512,
    WIDTH = PIVOT_WIDTH, /* columns of V                                     */
    COLUMNS = 128,       /* of C in a block                                  */
    CHUNK = 64,          /* rows of a block at a time                        */
    STEP = 16,           /* rows of a warp at a time                         */
    MOST_GROUPS = 16,    /* of rows                                          */
    MOST_BLOCKS = 528,   /* that share out rows                              */
    SUM_THREADS = 256,

    /* project: warps side by side, 32 columns each, one behind the other; rows in
     * chunks whose sum the tensor cores form */
    P_SLABS = 4,
    P_STREAMS = CHUNK / STEP,
    P_TILES = COLUMNS / P_SLABS / 8,
    P_CHAIN = 4,
    P_LDV = CHUNK + 4, /* no two lanes in one bank                           */
    P_STAGE = WIDTH * P_LDV,
    P_STAGES = 4,
    P_SUMS = WIDTH * COLUMNS * P_STREAMS,

    /* update_sketch: 16 columns each */
    U_SLABS = 8,
    U_STREAMS = 2,
    U_STEPS = CHUNK / STEP / U_STREAMS,
    U_ACROSS = SKETCH_ROWS / 8, /* tiles of S^T                              */
    U_LDV = CHUNK + 8,
    U_LDW = SKETCH_ROWS + 2,
    U_STAGE = WIDTH * U_LDV + CHUNK * U_LDW,
    U_STAGES = 3
};

static_assert(THREADS == 32 * P_SLABS * P_STREAMS, "a warp a slab and stream");
static_assert(THREADS == 32 * U_SLABS * U_STREAMS, "a warp a slab and stream");
static_assert(SKETCH_ROWS % 8 == 0, "tiles");

#define LANE ((int)(threadIdx.x % 32))
#define WARP_ID ((int)(threadIdx.x / 32))

/* -- device functions --------------------------------------------------------- */

/* A(i : i + ROWS, j : j + COLS), all of which A has, on its way to shared memory, N
 * elements at once */
template <int N, int ROWS, int COLS, int LDTO>
static __device__ __forceinline__ void fetch_whole(mat_t A, int64_t i,
                                                   int64_t j, float *to)
{
    enum { ACROSS = ROWS / N };
    const float *const from = &AT(A, i, j);
#pragma unroll 1
    for (int x = threadIdx.x; x < ACROSS * COLS; x += THREADS)
        __pipeline_memcpy_async(to + x / ACROSS * LDTO + x % ACROSS * N,
                                from + x / ACROSS * A.ld + x % ACROSS * N,
                                N * sizeof(float));
}

/* the same with zeros for what is outside of A */
template <int ROWS, int COLS, int LDTO>
static __device__ __forceinline__ void fetch_part(mat_t A, int64_t i, int64_t j,
                                                  float *to)
{
#pragma unroll 1
    for (int x = threadIdx.x; x < ROWS * COLS; x += THREADS) {
        const int64_t row = i + x % ROWS, col = j + x / ROWS;
        float *const at = to + x / ROWS * LDTO + x % ROWS;
        if (row < A.rows && col >= 0 && col < A.cols)
            __pipeline_memcpy_async(at, &AT(A, row, col), sizeof(float));
        else
            *at = 0;
    }
}

/* rows of V, as many as a chunk has */
template <int LDTO>
static __device__ __forceinline__ void fetch_V(mat_t V, int64_t i, bool wide,
                                               float *to)
{
    if (wide && i + CHUNK <= V.rows)
        fetch_whole<4, CHUNK, WIDTH, LDTO>(V, i, 0, to);
    else
        fetch_part<CHUNK, WIDTH, LDTO>(V, i, 0, to);
}

/* four rows of a column, which begin at a multiple of 16 bytes */
static __device__ __forceinline__ void take_at_once(const float *from,
                                                    float (&c)[4])
{
    const float4 x = *(const float4 *)from;
    c[0] = x.x;
    c[1] = x.y;
    c[2] = x.z;
    c[3] = x.w;
}

/* the rows i, i + 1, ... i + 3 of a column, those below `end` */
template <bool ALIGNED>
static __device__ __forceinline__ void take_four(const float *from, int64_t i,
                                                 int64_t end, float (&c)[4])
{
    if (ALIGNED && i + 4 <= end) {
        take_at_once(from + i, c);
        return;
    }
#pragma unroll
    for (int e = 0; e < 4; ++e)
        c[e] = i + e < end ? from[i + e] : 0;
}

/* d := d + a b for a = ah + al, b = bh + bl, up to al bl */
TF32_FN void multiply(float (&d)[4], const float (&ah)[4], const float (&al)[4],
                      const float (&bh)[2], const float (&bl)[2])
{
    tf32_mma(d, al, bh);
    tf32_mma(d, ah, bl);
    tf32_mma(d, ah, bh);
}

/* -- project ------------------------------------------------------------------ */

/* 16 rows of V^T times 32 columns of C, whose next rows come to their place.  In
 * step s a lane has rows 4 q + 2 s and 4 q + 2 s + 1 of both, of V columns 4 r to
 * 4 r + 3. */
template <bool ALIGNED>
static __device__ __forceinline__ void
project_step(const float *v, const float *const (&column)[P_TILES],
             int64_t next, int64_t end, float (&c)[P_TILES][4],
             float (&acc)[2][P_TILES][4])
{
    const int q = LANE % 4, r = LANE / 4;
    float high[4][4], low[4][4];
#pragma unroll
    for (int i = 0; i < 4; ++i) {
        const float4 x = *(const float4 *)(v + (4 * r + i) * P_LDV + 4 * q);
        tf32_halves(x.x, high[i][0], low[i][0]);
        tf32_halves(x.y, high[i][1], low[i][1]);
        tf32_halves(x.z, high[i][2], low[i][2]);
        tf32_halves(x.w, high[i][3], low[i][3]);
    }
#pragma unroll
    for (int j = 0; j < P_TILES; ++j) {
        float bh[2][2], bl[2][2];
#pragma unroll
        for (int e = 0; e < 4; ++e)
            tf32_halves(c[j][e], bh[e / 2][e % 2], bl[e / 2][e % 2]);
        if (next < end)
            take_four<ALIGNED>(column[j], next, next + 4, c[j]);
#pragma unroll
        for (int s = 0; s < 2; ++s)
#pragma unroll
            for (int t = 0; t < 2; ++t) {
                const float ah[4] = {high[2 * t][2 * s], high[2 * t + 1][2 * s],
                                     high[2 * t][2 * s + 1],
                                     high[2 * t + 1][2 * s + 1]};
                const float al[4] = {low[2 * t][2 * s], low[2 * t + 1][2 * s],
                                     low[2 * t][2 * s + 1],
                                     low[2 * t + 1][2 * s + 1]};
                multiply(acc[t][j], ah, al, bh[s], bl[s]);
            }
    }
}

/* what a warp has summed up, added to what it has in shared memory; a new sum */
static __device__ __forceinline__ void put_aside(float4 *sums, bool begun,
                                                 float (&acc)[2][P_TILES][4])
{
#pragma unroll
    for (int j = 0; j < P_TILES; ++j)
#pragma unroll
        for (int e = 0; e < 2; ++e) {
            float4 *const at = sums + (2 * j + e) * 32 + LANE;
            float4 x = begun ? *at : make_float4(0, 0, 0, 0);
            x.x += acc[0][j][e];
            x.y += acc[0][j][e + 2];
            x.z += acc[1][j][e];
            x.w += acc[1][j][e + 2];
            *at = x;
        }
#pragma unroll
    for (int x = 0; x < 8 * P_TILES; ++x)
        acc[x / 4 % 2][x / 8][x % 4] = 0;
}

/* Each group's part of V^T C, 32 x n one after the other.  grid: x 128 columns of C
 * each, y groups of rows; block: 16 warps, 4 for the columns and 4 for the rows,
 * one block an SM */
template <bool ALIGNED>
static __global__ void __launch_bounds__(THREADS, 1)
    project_kernel(mat_t V, mat_t C, int64_t rows, bool wide, float *part)
{
    extern __shared__ __align__(16) float memory[];
    float *const stages = memory + P_SUMS;
    float4 *const all = (float4 *)memory;
    const int slab = WARP_ID % P_SLABS, stream = WARP_ID / P_SLABS;
    float4 *const sums = all + WARP_ID * (2 * P_TILES * 32);
    const int64_t begin = blockIdx.y * rows;
    const int64_t end = min_i(begin + rows, C.rows);
    const int chunks = (int)((end - begin + CHUNK - 1) / CHUNK);
    const int64_t j0 = (int64_t)blockIdx.x * COLUMNS;
    /* the lane's rows, of the last chunk                                     */
    int64_t row =
        begin + (int64_t)(chunks - 1) * CHUNK + stream * STEP + 4 * (LANE % 4);
    const float *column[P_TILES];
    float c[P_TILES][4], acc[2][P_TILES][4];

#pragma unroll
    for (int j = 0; j < P_TILES; ++j) {
        const int64_t col = j0 + (slab * P_TILES + j) * 8 + LANE / 4;
        column[j] = C.data + min_i(col, C.cols - 1) * C.ld;
        take_four<ALIGNED>(column[j], row, end, c[j]);
    }
    for (int x = 0; x < P_STAGES - 1; ++x) {
        const int64_t i = begin + (int64_t)(chunks - 1 - x) * CHUNK;
        if (x < chunks)
            fetch_V<P_LDV>(V, i, wide, stages + x * P_STAGE);
        __pipeline_commit();
    }
#pragma unroll
    for (int x = 0; x < 8 * P_TILES; ++x)
        acc[x / 4 % 2][x / 8][x % 4] = 0;

    for (int x = 0; x < chunks; ++x, row -= CHUNK) {
        const int next = x + P_STAGES - 1;
        const int64_t i = begin + (int64_t)(chunks - 1 - next) * CHUNK;
        float *const to = stages + next % P_STAGES * P_STAGE;

        __pipeline_wait_prior(P_STAGES - 2);
        __syncthreads();
        if (next < chunks)
            fetch_V<P_LDV>(V, i, wide, to);
        __pipeline_commit();
        project_step<ALIGNED>(stages + x % P_STAGES * P_STAGE + stream * STEP,
                              column, row - CHUNK,
                              x + 1 < chunks ? end : row - CHUNK, c, acc);
        if (x % P_CHAIN == P_CHAIN - 1 || x == chunks - 1)
            put_aside(sums, x >= P_CHAIN, acc);
    }
    __syncthreads();

    for (int x = threadIdx.x; x < COLUMNS * WIDTH / 4; x += THREADS) {
        float4 sum = all[x];
#pragma unroll
        for (int s = 1; s < P_STREAMS; ++s) {
            const float4 y = all[x + s * (COLUMNS * WIDTH / 4)];
            sum.x += y.x;
            sum.y += y.y;
            sum.z += y.z;
            sum.w += y.w;
        }
        const int lane = x % 32, tile = x / 64, e = x / 32 % 2;
        const int64_t col = j0 + tile * 8 + 2 * (lane % 4) + e;
        if (col < C.cols)
            *(float4 *)(part + (blockIdx.y * C.cols + col) * WIDTH +
                        lane / 4 * 4) = sum;
    }
}

/* the sum of `count` parts that lie `apart`, in their order */
static __device__ __forceinline__ float4 sum_of(const float4 *x, int64_t apart,
                                                int count)
{
    float4 sum = *x;
#pragma unroll 4
    for (int i = 1; i < count; ++i) {
        const float4 y = x[i * apart];
        sum.x += y.x;
        sum.y += y.y;
        sum.z += y.z;
        sum.w += y.w;
    }
    return sum;
}

/* Y := T^T (the sum of the parts).  grid: 32 columns each; block: 256 threads */
static __global__ void __launch_bounds__(SUM_THREADS)
    project_sum_kernel(mat_t T, const float *part, int groups, mat_t Y)
{
    __shared__ float t[WIDTH][WIDTH + 1], w[32][WIDTH + 1];
    const int x = threadIdx.x % (WIDTH / 4) * 4, y = threadIdx.x / (WIDTH / 4);
    const int64_t j0 = (int64_t)blockIdx.x * 32;

    for (int k = threadIdx.x; k < WIDTH * WIDTH; k += SUM_THREADS)
        t[k % WIDTH][k / WIDTH] = AT(T, k % WIDTH, k / WIDTH);
    if (j0 + y < Y.cols) {
        const float4 sum = sum_of((const float4 *)(part + (j0 + y) * WIDTH + x),
                                  Y.cols * WIDTH / 4, groups);
        w[y][x] = sum.x;
        w[y][x + 1] = sum.y;
        w[y][x + 2] = sum.z;
        w[y][x + 3] = sum.w;
    }
    __syncthreads();
    for (int j = WARP_ID; j < 32 && j0 + j < Y.cols; j += SUM_THREADS / 32) {
        float sum = 0;
#pragma unroll
        for (int k = 0; k < WIDTH; ++k)
            sum = fmaf(t[k][LANE], w[j][k], sum);
        AT(Y, LANE, j0 + j) = sum;
    }
}

/* -- update_sketch ------------------------------------------------------------ */

/* Of 16 rows two tiles of C^T have 8 each.  The row of column n of tile t: so that
 * a lane has four rows of a column one after the other where these can be moved at
 * once, and else four lanes do. */
template <bool ALIGNED>
static __device__ __forceinline__ int row_of(int n, int t)
{
    return ALIGNED ? 2 * n + t : n / 2 + 4 * (n % 2) + 8 * t;
}

/* The lane's rows of a column, x[2 e + t] of column 2 (lane % 4) + e of tile t; all
 * of them, or those of `left`. */
template <bool ALIGNED>
static __device__ __forceinline__ void take_rows(const float *from, bool whole,
                                                 int left, float (&x)[4])
{
    const int q = LANE % 4;
    if (ALIGNED && whole) {
        take_at_once(from + 4 * q, x);
        return;
    }
#pragma unroll
    for (int i = 0; i < 4; ++i) {
        const int row = row_of<ALIGNED>(2 * q + i / 2, i % 2);
        x[i] = whole || row < left ? from[row] : 0;
    }
}

template <bool ALIGNED>
static __device__ __forceinline__ void put_rows(const float (&x)[4], bool whole,
                                                int left, float *to)
{
    const int q = LANE % 4;
    if (ALIGNED && whole) {
        *(float4 *)(to + 4 * q) = make_float4(x[0], x[1], x[2], x[3]);
        return;
    }
#pragma unroll
    for (int i = 0; i < 4; ++i) {
        const int row = row_of<ALIGNED>(2 * q + i / 2, i % 2);
        if (whole || row < left)
            to[row] = x[i];
    }
}

/* c := c - V Y for 16 rows of V, as (V Y)^T = Y^T V^T */
template <bool ALIGNED>
static __device__ __forceinline__ void
update_step(const float *v, const float (&yh)[4][4], const float (&yl)[4][4],
            const float (&c)[2][4], float (&d)[2][4])
{
    const int q = LANE % 4, r = LANE / 4;
    float p[2][4] = {}, small[2][4] = {};
#pragma unroll
    for (int k = 0; k < 4; ++k) {
        float x[2][2]; /* of tile t, its step's row q and q + 4               */
#pragma unroll
        for (int e = 0; e < 2; ++e) {
            const float *const at = v + (8 * k + 4 * e + q) * U_LDV;
            if (ALIGNED) {
                const float2 y = *(const float2 *)(at + 2 * r);
                x[0][e] = y.x;
                x[1][e] = y.y;
            } else {
                x[0][e] = at[row_of<ALIGNED>(r, 0)];
                x[1][e] = at[row_of<ALIGNED>(r, 1)];
            }
        }
#pragma unroll
        for (int t = 0; t < 2; ++t) {
            float bh[2], bl[2];
            tf32_halves(x[t][0], bh[0], bl[0]);
            tf32_halves(x[t][1], bh[1], bl[1]);
            tf32_mma(small[t], yl[k], bh);
            tf32_mma(small[t], yh[k], bl);
            tf32_mma(p[t], yh[k], bh);
        }
    }
#pragma unroll
    for (int h = 0; h < 2; ++h)
#pragma unroll
        for (int i = 0; i < 4; ++i) {
            const int t = i % 2, e = i / 2;
            d[h][i] = c[h][i] - (p[t][2 * h + e] + small[t][2 * h + e]);
        }
}

/* s := s + d^T Omega^T for 16 rows */
template <bool ALIGNED>
static __device__ __forceinline__ void
sketch_step(const float *w, const float (&d)[2][4], float (&s)[U_ACROSS][4])
{
    const int q = LANE % 4, r = LANE / 4;
#pragma unroll
    for (int t = 0; t < 2; ++t) {
        float ah[4], al[4], b[U_ACROSS][2];
#pragma unroll
        for (int e = 0; e < 2; ++e) {
            const float *const at = w + row_of<ALIGNED>(2 * q + e, t) * U_LDW;
#pragma unroll
            for (int x = 0; x < U_ACROSS; ++x)
                b[x][e] = at[8 * x + r];
            tf32_halves(d[0][2 * e + t], ah[2 * e], al[2 * e]);
            tf32_halves(d[1][2 * e + t], ah[2 * e + 1], al[2 * e + 1]);
        }
#pragma unroll
        for (int x = 0; x < U_ACROSS; ++x)
            tf32_mma(s[x], al, b[x]);
#pragma unroll
        for (int x = 0; x < U_ACROSS; ++x)
            tf32_mma(s[x], ah, b[x]);
    }
}

/* what meets the chunk from row i on */
static __device__ __forceinline__ void fetch_next(mat_t V, mat_t Omega,
                                                  int64_t i, int64_t first,
                                                  bool wide, float *stage)
{
    float *const w = stage + WIDTH * U_LDV;
    fetch_V<U_LDV>(V, i, wide, stage);
    if (wide && i >= first && i - first + CHUNK <= Omega.cols)
        fetch_whole<2, SKETCH_ROWS, CHUNK, U_LDW>(Omega, 0, i - first, w);
    else
        fetch_part<SKETCH_ROWS, CHUNK, U_LDW>(Omega, 0, i - first, w);
}

/* C := C - V Y, and each group's part of S, 40 x n one after the other.  grid: x 128
 * columns of C each, y groups of rows; block: 16 warps, 8 for the columns and 2 for
 * the rows, one block an SM */
template <bool ALIGNED>
static __global__ void __launch_bounds__(THREADS, 1)
    update_kernel(mat_t V, mat_t Y, mat_t C, int64_t first, mat_t Omega,
                  int64_t rows, bool wide, float *part)
{
    extern __shared__ __align__(16) float memory[];
    const int slab = WARP_ID % U_SLABS, stream = WARP_ID / U_SLABS;
    const int q = LANE % 4, r = LANE / 4;
    const int64_t begin = blockIdx.y * rows;
    const int64_t end = min_i(begin + rows, C.rows);
    const int chunks = (int)((end - begin + CHUNK - 1) / CHUNK);
    const int64_t j0 = (int64_t)blockIdx.x * COLUMNS + slab * 16 + r;
    float *column[2]; /* from the warp's first row on                         */
    float yh[4][4], yl[4][4], c[U_STEPS][2][4], s[U_ACROSS][4];
    const int here = (int)(end - begin);
    int left = here - stream * STEP; /* rows from there on                    */

#pragma unroll
    for (int h = 0; h < 2; ++h) {
        column[h] =
            &AT(C, begin + stream * STEP, min_i(j0 + 8 * h, C.cols - 1));
#pragma unroll
        for (int x = 0; x < U_STEPS; ++x)
            take_rows<ALIGNED>(column[h] + x * STEP * U_STREAMS, CHUNK <= here,
                               left - x * STEP * U_STREAMS, c[x][h]);
    }
    for (int x = 0; x < U_STAGES - 1; ++x) {
        if (x < chunks)
            fetch_next(V, Omega, begin + x * CHUNK, first, wide,
                       memory + x * U_STAGE);
        __pipeline_commit();
    }
#pragma unroll
    for (int k = 0; k < 4; ++k)
#pragma unroll
        for (int i = 0; i < 4; ++i)
            tf32_halves(
                AT(Y, 8 * k + i / 2 * 4 + q, min_i(j0 + i % 2 * 8, C.cols - 1)),
                yh[k][i], yl[k][i]);
#pragma unroll
    for (int x = 0; x < U_ACROSS; ++x)
        s[x][0] = s[x][1] = s[x][2] = s[x][3] = 0;

    for (int x = 0; x < chunks; ++x) {
        const int next = x + U_STAGES - 1;
        const float *const stage = memory + x % U_STAGES * U_STAGE;

        __pipeline_wait_prior(U_STAGES - 2);
        __syncthreads();
        if (next < chunks)
            fetch_next(V, Omega, begin + (int64_t)next * CHUNK, first, wide,
                       memory + next % U_STAGES * U_STAGE);
        __pipeline_commit();
#pragma unroll
        for (int y = 0; y < U_STEPS; ++y) {
            const int at = (y * U_STREAMS + stream) * STEP;
            float d[2][4];
            update_step<ALIGNED>(stage + at, yh, yl, c[y], d);
            if (CHUNK * (x + 2) <= here) {
                take_rows<ALIGNED>(column[0] + CHUNK, true, 0, c[y][0]);
                take_rows<ALIGNED>(column[1] + CHUNK, true, 0, c[y][1]);
            } else {
                take_rows<ALIGNED>(column[0] + CHUNK, false, left - CHUNK,
                                   c[y][0]);
                take_rows<ALIGNED>(column[1] + CHUNK, false, left - CHUNK,
                                   c[y][1]);
            }
#pragma unroll
            for (int h = 0; h < 2; ++h) {
                if (CHUNK * (x + 1) <= here && j0 + 8 * h < C.cols)
                    put_rows<ALIGNED>(d[h], true, 0, column[h]);
                else if (j0 + 8 * h < C.cols)
                    put_rows<ALIGNED>(d[h], false, left, column[h]);
                column[h] += STEP * U_STREAMS;
            }
            left -= STEP * U_STREAMS;
            sketch_step<ALIGNED>(stage + WIDTH * U_LDV + at * U_LDW, d, s);
        }
    }

    __syncthreads();
    float *const other = memory + threadIdx.x % (32 * U_SLABS);
    if (stream > 0)
#pragma unroll
        for (int x = 0; x < 4 * U_ACROSS; ++x)
            other[x * 32 * U_SLABS] = s[x / 4][x % 4];
    __syncthreads();
    if (stream > 0)
        return;
#pragma unroll
    for (int x = 0; x < 4 * U_ACROSS; ++x)
        s[x / 4][x % 4] += other[x * 32 * U_SLABS];
#pragma unroll
    for (int h = 0; h < 2; ++h) {
        float *const to =
            part + (blockIdx.y * C.cols + j0 + 8 * h) * SKETCH_ROWS;
        if (j0 + 8 * h >= C.cols)
            break;
#pragma unroll
        for (int x = 0; x < U_ACROSS; ++x)
            *(float2 *)(to + 8 * x + 2 * q) =
                make_float2(s[x][2 * h], s[x][2 * h + 1]);
    }
}

/* S := the sum of the parts.  grid: 256 threads each, which have four rows of a
 * column each */
static __global__ void __launch_bounds__(SUM_THREADS)
    sketch_sum_kernel(const float *part, int groups, mat_t S)
{
    enum { ACROSS = SKETCH_ROWS / 4 };
    const int64_t x = (int64_t)blockIdx.x * SUM_THREADS + threadIdx.x;
    const int64_t col = x / ACROSS, row = x % ACROSS * 4;
    if (col >= S.cols)
        return;
    const float4 sum =
        sum_of((const float4 *)part + x, S.cols * ACROSS, groups);
    AT(S, row, col) = sum.x;
    AT(S, row + 1, col) = sum.y;
    AT(S, row + 2, col) = sum.z;
    AT(S, row + 3, col) = sum.w;
}

/* -- launchers ---------------------------------------------------------------- */

static int64_t slabs_of(int64_t n) { return (n + COLUMNS - 1) / COLUMNS; }

/* rows of a group: what fills the device best; a block costs as much as a chunk
 * beyond its rows */
static int64_t group_rows(const exec_t *ex, int64_t m, int64_t n)
{
    const int64_t at_once = cuda_of(ex->h)->multiprocessors,
                  slabs = slabs_of(n);
    int64_t best = 0, least = 0;
    for (int64_t groups = 1; groups <= MOST_GROUPS; ++groups) {
        const int64_t chunks = (m + groups * CHUNK - 1) / (groups * CHUNK);
        const int64_t waves = (groups * slabs + at_once - 1) / at_once;
        const int64_t cost = waves * (chunks + 1);
        if (groups > 1 && groups * slabs > MOST_BLOCKS)
            break;
        if (groups == 1 || cost < least) {
            best = chunks * CHUNK;
            least = cost;
        }
    }
    return best;
}

/* can 4 (2) elements of each column be moved at once? */
static bool lies_well(mat_t A, int elements)
{
    return (uintptr_t)A.data % (elements * sizeof(scalar_t)) == 0 &&
           A.ld % elements == 0;
}

size_t X(update_sketch_bytes)(int64_t n)
{
    const int64_t slabs = slabs_of(n);
    const int64_t blocks =
        min_i(MOST_GROUPS * slabs, max_i(MOST_BLOCKS, slabs));
    return (size_t)(blocks * COLUMNS * SKETCH_ROWS) * sizeof(float);
}

static demand_t project_demand(const void *kernel)
{
    return demand("project_kernel", 0, kernel, THREADS,
                  (P_SUMS + P_STAGES * P_STAGE) * sizeof(float));
}

static demand_t update_demand(const void *kernel)
{
    return demand("update_kernel", 0, kernel, THREADS,
                  U_STAGES * U_STAGE * sizeof(float));
}

int X(update_sketch_demands)(demand_t *d)
{
    d[0] = project_demand((const void *)project_kernel<true>);
    d[1] = update_demand((const void *)update_kernel<true>);
    return 2;
}

static gsvd_status_t project_tf32(const exec_t *ex, mat_t V, mat_t T, mat_t C,
                                  mat_t Y)
{
    const int64_t rows = group_rows(ex, C.rows, C.cols);
    const int groups = (int)((C.rows + rows - 1) / rows);
    const dim3 grid((unsigned)slabs_of(C.cols), (unsigned)groups);
    const bool aligned = lies_well(C, 4);
    const auto kernel = aligned ? project_kernel<true> : project_kernel<false>;
    const demand_t d = project_demand((const void *)kernel);
    void *scratch;

    GSVD_TRY(X(kernel_work)(ex, X(update_sketch_bytes)(C.cols), &scratch));
    GSVD_TRY(gsvd_allow_shared(ex->h, &d));
    kernel<<<grid, THREADS, d.bytes, stream_of(ex)>>>(
        V, C, rows, lies_well(V, 4), (float *)scratch);
    GSVD_TRY(gsvd_launched(ex->h, "project"));
    project_sum_kernel<<<(unsigned)((C.cols + 31) / 32), SUM_THREADS, 0,
                         stream_of(ex)>>>(T, (const float *)scratch, groups, Y);
    return gsvd_launched(ex->h, "project");
}

static gsvd_status_t update_tf32(const exec_t *ex, mat_t V, mat_t Y, mat_t C,
                                 int64_t first, mat_t Omega, mat_t S)
{
    const int64_t rows = group_rows(ex, C.rows, C.cols);
    const int groups = (int)((C.rows + rows - 1) / rows);
    const dim3 grid((unsigned)slabs_of(C.cols), (unsigned)groups);
    const bool aligned = lies_well(C, 4);
    const auto kernel = aligned ? update_kernel<true> : update_kernel<false>;
    const demand_t d = update_demand((const void *)kernel);
    const int64_t fours = C.cols * (SKETCH_ROWS / 4);
    void *scratch;

    GSVD_TRY(X(kernel_work)(ex, X(update_sketch_bytes)(C.cols), &scratch));
    GSVD_TRY(gsvd_allow_shared(ex->h, &d));
    kernel<<<grid, THREADS, d.bytes, stream_of(ex)>>>(
        V, Y, C, first, Omega, rows, lies_well(V, 4) && lies_well(Omega, 2),
        (float *)scratch);
    GSVD_TRY(gsvd_launched(ex->h, "update_sketch"));
    sketch_sum_kernel<<<(unsigned)((fours + SUM_THREADS - 1) / SUM_THREADS),
                        SUM_THREADS, 0, stream_of(ex)>>>((const float *)scratch,
                                                         groups, S);
    return gsvd_launched(ex->h, "update_sketch");
}

gsvd_status_t X(project_cuda)(const exec_t *ex, mat_t V, mat_t T, mat_t C,
                              mat_t W, mat_t Y)
{
    if (mat_empty(C) || V.cols != WIDTH || !ex->tune->fused_sketch)
        return project_plain(ex, V, T, C, W, Y);
    ++cuda_of(ex->h)->taken[ROAD_PASS];
    return project_tf32(ex, V, T, C, Y);
}

gsvd_status_t X(update_sketch_cuda)(const exec_t *ex, mat_t V, mat_t Y, mat_t C,
                                    int64_t first, mat_t Omega, mat_t S)
{
    if (mat_empty(C) || V.cols != WIDTH || Omega.rows != SKETCH_ROWS ||
        !ex->tune->fused_sketch)
        return update_plain(ex, V, Y, C, first, Omega, S);
    ++cuda_of(ex->h)->taken[ROAD_PASS];
    return update_tf32(ex, V, Y, C, first, Omega, S);
}

#else

/* -- launchers ---------------------------------------------------------------- */

size_t X(update_sketch_bytes)(int64_t n)
{
    (void)n;
    return 0;
}

int X(update_sketch_demands)(demand_t *d)
{
    (void)d;
    return 0;
}

gsvd_status_t X(project_cuda)(const exec_t *ex, mat_t V, mat_t T, mat_t C,
                              mat_t W, mat_t Y)
{
    return project_plain(ex, V, T, C, W, Y);
}

gsvd_status_t X(update_sketch_cuda)(const exec_t *ex, mat_t V, mat_t Y, mat_t C,
                                    int64_t first, mat_t Omega, mat_t S)
{
    return update_plain(ex, V, Y, C, first, Omega, S);
}

#endif
