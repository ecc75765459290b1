/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* tsqr_square.cuh -- the device functions of tsqr.cu for one leaf or one pair of
 * triangles: up, down, and Householder vectors; the formulas are in tsqr.h.
 */
#ifndef GSVD_QR_TSQR_SQUARE_CUH
#define GSVD_QR_TSQR_SQUARE_CUH

#include "qr/givens.h"
#include "qr/tsqr.h"

/* A panel has few leaves and wants many warps at each; R alone of a very tall
 * matrix wants many small blocks a multiprocessor.  tsqr_r_bytes counts with MOST_BLOCKS
 * on any device. */
enum {
    B = TSQR_WIDTH,
    SQUARE = TSQR_SQUARE,
    PANEL_WARPS = 16,
    R_WARPS = 4,
    MOST_BLOCKS = 1024 /* of tsqr_r; tsqr_r_bytes knows it                   */
};

/* a square by rows in shared memory; columns do not share banks */
typedef scalar_t square_t[B][B + 1];

/* -- squares --------------------------------------------------------------- */

static __device__ int lane_of_thread() { return threadIdx.x % B; }
static __device__ int warp_of_thread() { return threadIdx.x / B; }

static __device__ scalar_t shuffle(scalar_t x, int lane)
{
    const real_t r = __shfl_sync(0xffffffff, re(x), lane);
    if (sizeof(scalar_t) == sizeof(real_t))
        return make(r, 0);
    return make(r, __shfl_sync(0xffffffff, im(x), lane));
}

/* S := from, b x b of the workspace, with zeros around it; between barriers */
static __device__ void load_square(const scalar_t *from, int b, square_t S)
{
    __syncthreads();
    for (int t = threadIdx.x; t < SQUARE; t += blockDim.x) {
        const int i = t / B, j = t % B;
        S[i][j] = i < b && j < b ? from[i * b + j] : make(0, 0);
    }
    __syncthreads();
}

static __device__ void store_square(square_t S, int b, scalar_t *to)
{
    for (int t = threadIdx.x; t < SQUARE; t += blockDim.x) {
        const int i = t / B, j = t % B;
        if (i < b && j < b)
            to[i * b + j] = S[i][j];
    }
}

/* S := leaf number k of A, with zeros around it; between barriers */
static __device__ void load_leaf(mat_t A, int64_t k, square_t S)
{
    __syncthreads();
    for (int t = threadIdx.x; t < SQUARE; t += blockDim.x) {
        const int64_t i = k * B + t % B, j = t / B;
        S[t % B][t / B] = i < A.rows && j < A.cols ? AT(A, i, j) : make(0, 0);
    }
    __syncthreads();
}

static __device__ void store_leaf(square_t S, mat_t A, int64_t k)
{
    for (int t = threadIdx.x; t < SQUARE; t += blockDim.x) {
        const int64_t i = k * B + t % B, j = t / B;
        if (i < A.rows && j < A.cols)
            AT(A, i, j) = S[t % B][t / B];
    }
}

/* -- up -------------------------------------------------------------------- */

/* S := R of S; the rotations go to c and s, by rows of b, or nowhere.  Ends with a
 * barrier. */
template <int WARPS>
static __device__ void leaf_up(const tsqr_table_t *table, int b, square_t S,
                               real_t *c, scalar_t *s)
{
    enum { SHARE = TSQR_GROUPS / WARPS };
    const int lane = lane_of_thread(), warp = warp_of_thread();

    for (int step = 0; step < table->steps; ++step) {
        const turn_t *const turn = table->turn[step];
        const turn_t mine = turn[lane % SHARE * WARPS + warp];
        real_t mine_c = 1;
        scalar_t mine_s = make(0, 0);
        if (mine.column != GIVENS_WAIT) {
            const givens_t G =
                givens(S[mine.top][mine.column], S[mine.bottom][mine.column]);
            mine_c = G.c;
            mine_s = G.s;
            if (c && lane < SHARE) {
                c[mine.bottom * b + mine.column] = G.c;
                s[mine.bottom * b + mine.column] = G.s;
            }
        }
        __syncwarp();
#pragma unroll
        for (int q = 0; q < SHARE; ++q) {
            const turn_t t = turn[q * WARPS + warp];
            if (t.column == GIVENS_WAIT)
                break;
            /* a warp's only pair: every lane has computed its rotation      */
            const real_t qc =
                SHARE == 1 ? mine_c : __shfl_sync(0xffffffff, mine_c, q);
            const scalar_t qs = SHARE == 1 ? mine_s : shuffle(mine_s, q);
            scalar_t x = S[t.top][lane], y = S[t.bottom][lane];
            givens_apply(qc, qs, &x, &y);
            S[t.top][lane] = x;
            S[t.bottom][lane] = lane == t.column ? make(0, 0) : y;
        }
        __syncthreads();
    }
}

/* S := R of (S; Y), two triangles; y: the warp's rows of Y, y[q] of row q WARPS + warp,
 * a lane a column.  The rotations go to c and s or nowhere.  Ends with a barrier. */
template <int WARPS>
static __device__ void merge_up(int b, square_t S, scalar_t (&y)[B / WARPS],
                                real_t *c, scalar_t *s)
{
    enum { SHARE = B / WARPS };
    const int lane = lane_of_thread(), warp = warp_of_thread();
    const int mine = lane % SHARE * WARPS + warp;

    for (int step = 0; step < b; ++step) {
        scalar_t g = make(0, 0);
#pragma unroll
        for (int q = 0; q < SHARE; ++q) {
            const scalar_t head =
                shuffle(y[q], peel_column(step, q * WARPS + warp) % B);
            if (lane % SHARE == q)
                g = head;
        }
        const int column = peel_column(step, mine);
        real_t mine_c = 1;
        scalar_t mine_s = make(0, 0);
        if (column < b) {
            const givens_t G = givens(S[column][column], g);
            mine_c = G.c;
            mine_s = G.s;
            if (c && lane < SHARE) {
                c[mine * b + column] = G.c;
                s[mine * b + column] = G.s;
            }
        }
        __syncwarp();
#pragma unroll
        for (int q = 0; q < SHARE; ++q) {
            const int j = peel_column(step, q * WARPS + warp);
            if (j >= b)
                break;
            const real_t qc = __shfl_sync(0xffffffff, mine_c, q);
            const scalar_t qs = shuffle(mine_s, q);
            scalar_t x = S[j][lane];
            givens_apply(qc, qs, &x, &y[q]);
            S[j][lane] = x;
            if (lane == j)
                y[q] = make(0, 0);
        }
        __syncthreads();
    }
}

/* y := the warp's rows of b x b of the workspace. */
template <int WARPS>
static __device__ void load_rows(const scalar_t *from, int b,
                                 scalar_t (&y)[B / WARPS])
{
    const int j = lane_of_thread();
#pragma unroll
    for (int q = 0; q < B / WARPS; ++q) {
        const int i = q * WARPS + warp_of_thread();
        y[q] = i < b && j < b ? from[i * b + j] : make(0, 0);
    }
}

template <int WARPS>
static __device__ void store_rows(const scalar_t (&y)[B / WARPS], int b,
                                  scalar_t *to)
{
    const int j = lane_of_thread();
#pragma unroll
    for (int q = 0; q < B / WARPS; ++q) {
        const int i = q * WARPS + warp_of_thread();
        if (i < b && j < b)
            to[i * b + j] = y[q];
    }
}

/* R := D^H S, which has a nonnegative diagonal; S := D if the way down follows, else R.
 * Begins and ends with a barrier. */
template <int WARPS>
static __device__ void make_positive(int b, square_t S, scalar_t *R, int down)
{
    const int lane = lane_of_thread();
    __syncthreads();
    for (int i = warp_of_thread(); i < B; i += WARPS) {
        const scalar_t phase = i < b ? direction(S[i][i]) : make(0, 0);
        const scalar_t r = mul(conj_of(phase), S[i][lane]);
        const scalar_t kept = lane == i ? make(re(r), 0) : r;
        __syncwarp();
        if (R)
            R[i * B + lane] = kept;
        S[i][lane] = !down ? kept : lane == i ? phase : make(0, 0);
    }
    __syncthreads();
}

/* -- down ------------------------------------------------------------------ */

/* (S; y) := the inverse of merge_up applied to (S; 0), rotations from c, s.
 * Ends with a barrier. */
template <int WARPS>
static __device__ void merge_down(int b, square_t S, scalar_t (&y)[B / WARPS],
                                  const real_t *c, const scalar_t *s)
{
    enum { SHARE = B / WARPS };
    const int lane = lane_of_thread(), warp = warp_of_thread();
    real_t rc[SHARE]; /* of row q WARPS + warp, a lane a column               */
    scalar_t rs[SHARE];

#pragma unroll
    for (int q = 0; q < SHARE; ++q) {
        const int i = q * WARPS + warp, filled = i <= lane && lane < b;
        rc[q] = filled ? c[i * b + lane] : 1;
        rs[q] = filled ? s[i * b + lane] : make(0, 0);
        y[q] = make(0, 0);
    }
    for (int step = b - 1; step >= 0; --step) {
#pragma unroll
        for (int q = 0; q < SHARE; ++q) {
            const int j = peel_column(step, q * WARPS + warp);
            if (j >= b)
                break;
            const real_t qc = __shfl_sync(0xffffffff, rc[q], j);
            const scalar_t qs = shuffle(rs[q], j);
            scalar_t x = S[j][lane];
            givens_undo(qc, qs, &x, &y[q]);
            S[j][lane] = x;
        }
        __syncthreads();
    }
}

/* S := the inverse of leaf_up applied to S, rotations from c, s in shared
 * memory.  Ends with a barrier. */
template <int WARPS>
static __device__ void leaf_down(const tsqr_table_t *table, int b, square_t S,
                                 const real_t *c, const scalar_t *s)
{
    const int lane = lane_of_thread(), warp = warp_of_thread();

    for (int step = table->steps - 1; step >= 0; --step) {
        for (int group = warp; group < TSQR_GROUPS; group += WARPS) {
            const turn_t t = table->turn[step][group];
            if (t.column == GIVENS_WAIT)
                break;
            const int at = t.bottom * b + t.column;
            scalar_t x = S[t.top][lane], y = S[t.bottom][lane];
            givens_undo(c[at], s[at], &x, &y);
            S[t.top][lane] = x;
            S[t.bottom][lane] = y;
        }
        __syncthreads();
    }
}

/* -- Householder vectors --------------------------------------------------- */

/* S, the first leaf of Q, := V below the diagonal, U above it with the inverse
 * of U's diagonal; sign := the diagonal of S in the formulas of tsqr.h */
template <int WARPS>
static __device__ void reconstruct(int b, square_t S, real_t *sign,
                                   scalar_t *tau)
{
    const int lane = lane_of_thread(), warp = warp_of_thread();

    for (int j = 0; j < b; ++j) {
        const scalar_t q = S[j][j];
        const real_t minus = re(q) >= 0 ? 1 : -1;
        const scalar_t pivot = add(q, make(minus, 0));
        const scalar_t inverse = scale(1 / abs2(pivot), conj_of(pivot));
        for (int i = j + 1 + warp; i < B; i += WARPS) {
            const scalar_t v = mul(S[i][j], inverse), x = S[i][lane];
            __syncwarp();
            if (lane == j)
                S[i][lane] = v;
            else if (lane > j)
                S[i][lane] = mul_add(make(-re(v), -im(v)), S[j][lane], x);
        }
        __syncthreads();
        if (threadIdx.x == 0) {
            S[j][j] = inverse;
            sign[j] = -minus;
            tau[j] = scale(minus, pivot);
        }
    }
    __syncthreads();
}

/* T = -U S V_1^-H from what reconstruct leaves, column by column in t, by one
 * warp.  Lane i: row i. */
static __device__ void warp_triangle(int b, square_t S, const real_t *sign,
                                     const scalar_t *tau, scalar_t *t, mat_t T)
{
    const int i = lane_of_thread();
    for (int j = 0; j < b; ++j) {
        scalar_t x = i == j  ? tau[j]
                     : i < j ? scale(-sign[j], S[i][j])
                             : make(0, 0);
        for (int k = i; k < j; ++k)
            x = sub(x, mul(t[i * B + k], conj_of(S[j][k])));
        t[i * B + j] = x;
        if (i < b)
            AT(T, i, j) = x;
    }
}

/* S := S U^-1, U as reconstruct leaves it, by rows.  Between barriers. */
template <int WARPS>
static __device__ void solve_rows(int b, square_t S, const scalar_t *U)
{
    enum { SHARE = B / WARPS };
    const int lane = lane_of_thread(), warp = warp_of_thread();
    scalar_t x[SHARE];

    __syncthreads();
#pragma unroll
    for (int q = 0; q < SHARE; ++q)
        x[q] = S[q * WARPS + warp][lane];
    for (int j = 0; j < b; ++j) {
        const scalar_t u = U[j * B + lane], inverse = U[j * B + j];
#pragma unroll
        for (int q = 0; q < SHARE; ++q) {
            const scalar_t v = mul(shuffle(x[q], j), inverse);
            if (lane == j)
                x[q] = v;
            else if (lane > j)
                x[q] = mul_add(make(-re(v), -im(v)), u, x[q]);
        }
    }
#pragma unroll
    for (int q = 0; q < SHARE; ++q)
        S[q * WARPS + warp][lane] = x[q];
    __syncthreads();
}

#endif /* GSVD_QR_TSQR_SQUARE_CUH */
