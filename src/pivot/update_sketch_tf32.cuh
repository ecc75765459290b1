/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* update_sketch_tf32.cuh -- device functions of update_sketch.cu for one pass over C on the tensor
 * cores, in real single precision with V 32 columns wide.
 *
 *     project           V^T C
 *     update_sketch     C := C - V Y, S := Omega C'
 *
 * A product of two numbers is three products of TF32 numbers (core/tf32.cuh).  Omega alone is
 * rounded to TF32, where it is as random; C is not.
 *
 *     grid       128 columns of C x groups of rows
 *     block      16 warps; 64 rows (a chunk) at a time
 *                project            4 slabs of 32 columns x 4 streams of 16 rows
 *                update_sketch      8 slabs of 16 columns x 2 streams of every second 16 rows
 *     shared     these rows of V, and of Omega in update_sketch; the next chunks are being copied
 *     registers  C, whose next rows are being loaded while these are multiplied; in update_sketch
 *                also the warp's Y and part of S
 *
 * project goes up the rows and update_sketch goes down, so that each begins with what the other one
 * has left in the cache.  update_sketch works on C^T:
 *
 *     C^T := C^T - Y^T V^T,   S^T := S^T + C^T Omega^T
 *
 * There the result of the first product has the layout of a left factor of the second.
 */
#ifndef GSVD_PIVOT_UPDATE_SKETCH_TF32_CUH
#define GSVD_PIVOT_UPDATE_SKETCH_TF32_CUH

#include <cuda_pipeline.h>

#include "core/tf32.cuh"
#include "pivot/pivot.h"

/* The kernels' geometry.  They run where tuning_t.fused_sketch says so, and were measured on an
 * H200.  MOST_BLOCKS is four for each of its 132 multiprocessors; update_sketch_bytes
 * counts with that number on any device. */
enum {
    THREADS = 512,
    WIDTH = PIVOT_WIDTH, /* columns of V                                     */
    COLUMNS = 128,       /* of C in a block                                  */
    CHUNK = 64,          /* rows of a block at a time                        */
    STEP = 16,           /* rows of a warp at a time                         */
    MOST_GROUPS = 16,    /* of rows                                          */
    MOST_BLOCKS = 528,   /* the most where there are groups of rows          */
    SUM_THREADS = 256,

    /* project: P_SLABS warps side by side with 32 columns each, and P_STREAMS of
     * these with 16 rows each; the tensor cores sum P_CHAIN chunks */
    P_SLABS = 4,
    P_STREAMS = CHUNK / STEP,
    P_TILES = COLUMNS / P_SLABS / 8,
    P_CHAIN = 4,
    P_LDV = CHUNK + 4, /* no two lanes in one bank                           */
    P_STAGE = WIDTH * P_LDV,
    P_STAGES = 4,
    P_SUMS = WIDTH * COLUMNS * P_STREAMS,

    /* update_sketch: a warp has 16 columns */
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

/* -- from memory -------------------------------------------------------------- */

/* Starts to copy A(i : i + ROWS, j : j + COLS), which lies inside A, to shared memory, N elements
 * at once. */
template <int N, int ROWS, int COLS, int LDTO>
static __device__ __forceinline__ void fetch_inside(mat_t A, int64_t i,
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

/* Starts to copy A(i : i + ROWS, j : j + COLS), with zeros outside A, to shared memory, element by
 * element. */
template <int ROWS, int COLS, int LDTO>
static __device__ __forceinline__ void fetch_edge(mat_t A, int64_t i, int64_t j,
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

/* Starts to copy a chunk of V, from row i on. */
template <int LDTO>
static __device__ __forceinline__ void fetch_V(mat_t V, int64_t i, bool aligned,
                                               float *to)
{
    if (aligned && i + CHUNK <= V.rows)
        fetch_inside<4, CHUNK, WIDTH, LDTO>(V, i, 0, to);
    else
        fetch_edge<CHUNK, WIDTH, LDTO>(V, i, 0, to);
}

/* c := four rows of a column, aligned to 16 bytes */
static __device__ __forceinline__ void take_at_once(const float *from,
                                                    float (&c)[4])
{
    const float4 x = *(const float4 *)from;
    c[0] = x.x;
    c[1] = x.y;
    c[2] = x.z;
    c[3] = x.w;
}

/* c := rows i to i + 3 of a column, with zeros from row `end` on */
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

/* d := d + a b for a = ah + al, b = bh + bl, without the product al bl */
TF32_FN void multiply(float (&d)[4], const float (&ah)[4], const float (&al)[4],
                      const float (&bh)[2], const float (&bl)[2])
{
    tf32_mma(d, al, bh);
    tf32_mma(d, ah, bl);
    tf32_mma(d, ah, bh);
}

/* -- project ------------------------------------------------------------------ */

/* acc := acc + V^T C for 16 rows and the warp's 32 columns; c := their next rows.  With
 * q = lane % 4, r = lane / 4, a lane has rows 4 q + 2 s and 4 q + 2 s + 1 of V and of C in step
 * s = 0, 1; of V it has columns 4 r to 4 r + 3. */
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

/* sums := sums + acc in shared memory, or acc unless `begun`; then acc := 0 */
static __device__ __forceinline__ void add_to_sums(float4 *sums, bool begun,
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

/* part := the block's part of V^T C, the sum of its streams, for the columns of C among j0 to
 * j0 + 127 */
static __device__ __forceinline__ void
put_projection(const float4 *all, int64_t j0, int64_t cols, float *part)
{
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
        if (col < cols)
            *(float4 *)(part + (blockIdx.y * cols + col) * WIDTH +
                        lane / 4 * 4) = sum;
    }
}

/* The sum of `count` parts, in their order, at a distance of `apart` from one another */
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

/* -- update_sketch ------------------------------------------------------------ */

/* 16 rows are two tiles of C^T with 8 each.  Returns the row for column n of tile t.  If ALIGNED, a
 * lane has four consecutive rows, which it moves at once; otherwise four lanes have consecutive
 * rows. */
template <bool ALIGNED>
static __device__ __forceinline__ int row_of(int n, int t)
{
    return ALIGNED ? 2 * n + t : n / 2 + 4 * (n % 2) + 8 * t;
}

/* x := the lane's rows of a column of C: x[2 e + t] is that for column 2 (lane % 4) + e of tile t.
 * inside: all rows exist; else the first `left` ones do, and the others become 0. */
template <bool ALIGNED>
static __device__ __forceinline__ void take_rows(const float *from, bool inside,
                                                 int left, float (&x)[4])
{
    const int q = LANE % 4;
    if (ALIGNED && inside) {
        take_at_once(from + 4 * q, x);
        return;
    }
#pragma unroll
    for (int i = 0; i < 4; ++i) {
        const int row = row_of<ALIGNED>(2 * q + i / 2, i % 2);
        x[i] = inside || row < left ? from[row] : 0;
    }
}

template <bool ALIGNED>
static __device__ __forceinline__ void
put_rows(const float (&x)[4], bool inside, int left, float *to)
{
    const int q = LANE % 4;
    if (ALIGNED && inside) {
        *(float4 *)(to + 4 * q) = make_float4(x[0], x[1], x[2], x[3]);
        return;
    }
#pragma unroll
    for (int i = 0; i < 4; ++i) {
        const int row = row_of<ALIGNED>(2 * q + i / 2, i % 2);
        if (inside || row < left)
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
        float x[2][2]; /* of tile t, its step's rows q and q + 4              */
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

/* s := s + d^T Omega^T for 16 rows of the new C, which are in d */
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

/* Starts to copy the rows of V and the columns of Omega for the chunk from row i on. */
static __device__ __forceinline__ void fetch_next(mat_t V, mat_t Omega,
                                                  int64_t i, int64_t first,
                                                  bool aligned, float *stage)
{
    float *const w = stage + WIDTH * U_LDV;
    fetch_V<U_LDV>(V, i, aligned, stage);
    if (aligned && i >= first && i - first + CHUNK <= Omega.cols)
        fetch_inside<2, SKETCH_ROWS, CHUNK, U_LDW>(Omega, 0, i - first, w);
    else
        fetch_edge<SKETCH_ROWS, CHUNK, U_LDW>(Omega, 0, i - first, w);
}

/* -- update_sketch: a warp's part --------------------------------------------- */

/* A lane's registers.  Its warp has two times 8 columns of C and every second step of 16 rows. */
typedef struct update_warp {
    float *column[2]; /* two columns of C, from the warp's next row on       */
    float yh[4][4], yl[4][4]; /* Y of the columns, as two TF32 numbers each  */
    float c[U_STEPS][2][4];   /* C of a chunk                                */
    float s[U_ACROSS][4];     /* S^T                                         */
    int left; /* rows of the group from the warp's next row on               */
} update_warp_t;

static __device__ __forceinline__ int stream_of_rows(void)
{
    return WARP_ID / U_SLABS;
}

/* The lane's first column of C; its other column is 8 further. */
static __device__ __forceinline__ int64_t first_column(void)
{
    return (int64_t)blockIdx.x * COLUMNS + WARP_ID % U_SLABS * 16 + LANE / 4;
}

/* Loads C of the first chunk, of a group with `here` rows from row `begin` on.  In place of a
 * column beyond C it loads the last one. */
template <bool ALIGNED>
static __device__ __forceinline__ void
take_first(mat_t C, int64_t begin, int64_t j0, int here, update_warp_t &w)
{
    const int stream = stream_of_rows();
    w.left = here - stream * STEP;
#pragma unroll
    for (int h = 0; h < 2; ++h) {
        w.column[h] = &AT(C, begin + stream_of_rows() * STEP,
                          min_i(j0 + 8 * h, C.cols - 1));
#pragma unroll
        for (int x = 0; x < U_STEPS; ++x)
            take_rows<ALIGNED>(w.column[h] + x * STEP * U_STREAMS,
                               CHUNK <= here, w.left - x * STEP * U_STREAMS,
                               w.c[x][h]);
    }
}

/* Loads Y of the warp's columns, and sets S := 0. */
static __device__ __forceinline__ void take_y(mat_t Y, int64_t j0, int64_t cols,
                                              update_warp_t &w)
{
#pragma unroll
    for (int k = 0; k < 4; ++k)
#pragma unroll
        for (int i = 0; i < 4; ++i)
            tf32_halves(AT(Y, 8 * k + i / 2 * 4 + LANE % 4,
                           min_i(j0 + i % 2 * 8, cols - 1)),
                        w.yh[k][i], w.yl[k][i]);
#pragma unroll
    for (int x = 0; x < U_ACROSS; ++x)
        w.s[x][0] = w.s[x][1] = w.s[x][2] = w.s[x][3] = 0;
}

/* Both products for chunk x of a group with `here` rows; stores C, and loads its next chunk. */
template <bool ALIGNED>
static __device__ __forceinline__ void
update_chunk(const float *stage, int x, int here, int64_t j0, int64_t cols,
             update_warp_t &w)
{
#pragma unroll
    for (int y = 0; y < U_STEPS; ++y) {
        const int at = (y * U_STREAMS + stream_of_rows()) * STEP;
        float d[2][4];
        update_step<ALIGNED>(stage + at, w.yh, w.yl, w.c[y], d);
        if (CHUNK * (x + 2) <= here) {
            take_rows<ALIGNED>(w.column[0] + CHUNK, true, 0, w.c[y][0]);
            take_rows<ALIGNED>(w.column[1] + CHUNK, true, 0, w.c[y][1]);
        } else {
            take_rows<ALIGNED>(w.column[0] + CHUNK, false, w.left - CHUNK,
                               w.c[y][0]);
            take_rows<ALIGNED>(w.column[1] + CHUNK, false, w.left - CHUNK,
                               w.c[y][1]);
        }
#pragma unroll
        for (int h = 0; h < 2; ++h) {
            if (CHUNK * (x + 1) <= here && j0 + 8 * h < cols)
                put_rows<ALIGNED>(d[h], true, 0, w.column[h]);
            else if (j0 + 8 * h < cols)
                put_rows<ALIGNED>(d[h], false, w.left, w.column[h]);
            w.column[h] += STEP * U_STREAMS;
        }
        w.left -= STEP * U_STREAMS;
        sketch_step<ALIGNED>(stage + WIDTH * U_LDV + at * U_LDW, d, w.s);
    }
}

/* Stores the block's part of S, the sum of the two streams, which is formed in the stages' memory.
 * Barriers separate it from the stages and the streams from each other. */
static __device__ __forceinline__ void put_sketch(float *memory, int64_t j0,
                                                  int64_t cols,
                                                  update_warp_t &w, float *part)
{
    float *const other = memory + threadIdx.x % (32 * U_SLABS);

    __syncthreads();
    if (stream_of_rows() > 0)
#pragma unroll
        for (int x = 0; x < 4 * U_ACROSS; ++x)
            other[x * 32 * U_SLABS] = w.s[x / 4][x % 4];
    __syncthreads();
    if (stream_of_rows() > 0)
        return;
#pragma unroll
    for (int x = 0; x < 4 * U_ACROSS; ++x)
        w.s[x / 4][x % 4] += other[x * 32 * U_SLABS];
#pragma unroll
    for (int h = 0; h < 2; ++h) {
        float *const to = part + (blockIdx.y * cols + j0 + 8 * h) * SKETCH_ROWS;
        if (j0 + 8 * h >= cols)
            break;
#pragma unroll
        for (int x = 0; x < U_ACROSS; ++x)
            *(float2 *)(to + 8 * x + 2 * (LANE % 4)) =
                make_float2(w.s[x][2 * h], w.s[x][2 * h + 1]);
    }
}

#endif /* GSVD_PIVOT_UPDATE_SKETCH_TF32_CUH */
