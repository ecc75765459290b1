/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* tile.cuh -- 32 x 32 matrices in shared memory, by 8 x 8 tiles on the tensor
 * cores; the block has 8 warps.
 *
 * A matrix is stored by rows with LD elements each.  It is factored tile by tile: the
 * diagonal tile by one warp's shuffles, the other tiles by products with its inverse.
 * That is as good as substitution as long as each diagonal tile is well conditioned,
 * which cholesky32 reports and lu32 has by construction.
 */
#ifndef GSVD_QR_TILE_CUH
#define GSVD_QR_TILE_CUH

#include "core/wide.cuh"

enum {
    STRIP = 32, /* order of a matrix; a warp's lanes                         */
    TILE = 8,
    TILES = STRIP / TILE,
    LD = 36,
    SQUARE = STRIP * LD
};

#define LANE ((int)(threadIdx.x % 32))
#define WARP_ID ((int)(threadIdx.x / 32))

/* An 8 x 8 tile as the tensor cores hold it: a lane has row lane/4, columns
 * 2 (lane%4) + {0, 1}. */
typedef struct tile {
    double x[WIDE_PARTS][2];
} tile_t;

WIDE_FN wide_t tile_get(const tile_t &c, int e)
{
    return wide(c.x[0][e], c.x[WIDE_PARTS - 1][e]);
}

WIDE_FN void tile_put(tile_t &c, int e, wide_t a)
{
    c.x[WIDE_PARTS - 1][e] = wide_im(a);
    c.x[0][e] = wide_re(a);
}

WIDE_FN tile_t tile_zero()
{
    tile_t c;
    tile_put(c, 0, wide(0, 0));
    tile_put(c, 1, wide(0, 0));
    return c;
}

WIDE_FN tile_t tile_load(const wide_t *M, int i, int j)
{
    const wide_t *const at = M + (TILE * i + LANE / 4) * LD + TILE * j;
    tile_t c;
    tile_put(c, 0, at[2 * (LANE % 4)]);
    tile_put(c, 1, at[2 * (LANE % 4) + 1]);
    return c;
}

WIDE_FN void tile_store(tile_t c, wide_t *M, int i, int j)
{
    wide_t *const at = M + (TILE * i + LANE / 4) * LD + TILE * j;
    at[2 * (LANE % 4)] = tile_get(c, 0);
    at[2 * (LANE % 4) + 1] = tile_get(c, 1);
}

/* c := c + a b, one step of four: a lane's elements */
WIDE_FN void tile_step(tile_t &c, wide_t a, wide_t b)
{
    mma(c.x[0], wide_re(a), wide_re(b));
#if WIDE_PARTS == 2
    mma(c.x[0], -wide_im(a), wide_im(b));
    mma(c.x[1], wide_re(a), wide_im(b));
    mma(c.x[1], wide_im(a), wide_re(b));
#endif
}

/* c := c + a r, d := d + b r, one step of four */
WIDE_FN void tile_pair(tile_t &c, tile_t &d, wide_t a, wide_t b, wide_t r)
{
    wide_mma_pair(c.x, d.x, a, b, r);
}

/* The lane's element of tile (i, j) of op(M) as a left factor in step s.  A step takes columns 2 q
 * + s, q = lane % 4, so that a tile_t is a left factor as it is.  `right`: as a right factor, with
 * rows in place of columns */
template <int C> WIDE_FN wide_t left(const wide_t *M, int i, int j, int s)
{
    const int r = TILE * i + LANE / 4, c = TILE * j + 2 * (LANE % 4) + s;
    return C ? wide_conj(M[c * LD + r]) : M[r * LD + c];
}
template <int C> WIDE_FN wide_t right(const wide_t *M, int i, int j, int s)
{
    const int r = TILE * i + 2 * (LANE % 4) + s, c = TILE * j + LANE / 4;
    return C ? wide_conj(M[c * LD + r]) : M[r * LD + c];
}
WIDE_FN wide_t negative(wide_t a) { return wide(-wide_re(a), -wide_im(a)); }

/* c := c +- op(A)(i, k) op(B)(k, j) */
template <int CA, int CB, int MINUS>
WIDE_FN void tile_multiply(tile_t &c, const wide_t *A, const wide_t *B, int i,
                           int k, int j)
{
#pragma unroll
    for (int s = 0; s < 2; ++s) {
        const wide_t a = left<CA>(A, i, k, s);
        tile_step(c, MINUS ? negative(a) : a, right<CB>(B, k, j, s));
    }
}

/* c := c op(B)(k, j) */
template <int CB>
WIDE_FN tile_t tile_times(const tile_t &c, const wide_t *B, int k, int j)
{
    tile_t y = tile_zero();
    tile_step(y, tile_get(c, 0), right<CB>(B, k, j, 0));
    tile_step(y, tile_get(c, 1), right<CB>(B, k, j, 1));
    return y;
}

static __device__ __forceinline__ double warp_total(double x)
{
    for (int step = 16; step > 0; step /= 2)
        x += __shfl_xor_sync(0xffffffff, x, step);
    return x;
}

/* -- by one warp: a diagonal tile --------------------------------------------- */

/* G(j, j) := R with G(j, j) = R^H R, and X(j, j) := R^-1.  Lane c < 8 has column c of G(j, j), and
 * lane 8 + c has column c of I, which becomes R^-H.  Returns 0 if R is singular or |R|_F |R^-1|_F,
 * which is 8 for I, is above 2^7. */
static __device__ int tile_cholesky(wide_t *G, wide_t *X_, int j)
{
    const int c = LANE % TILE, of_G = LANE < TILE, of_I = !of_G && LANE < 16;
    wide_t *const at = G + TILE * j * LD + TILE * j;
    wide_t *const x = X_ + TILE * j * LD + TILE * j;
    wide_t g[TILE];
    int good = 1;
    double size = 0;

#pragma unroll
    for (int i = 0; i < TILE; ++i)
        g[i] = of_G ? at[i * LD + c] : wide(of_I && i == c, 0);
#pragma unroll
    for (int k = 0; k < TILE; ++k) {
        const double d = __shfl_sync(0xffffffff, wide_re(g[k]), k);
        good &= d > 0x1p-60 && d < 8;
        g[k] = wide_scale(quick_rsqrt(d), g[k]);
#pragma unroll
        for (int i = k + 1; i < TILE; ++i)
            g[i] = wide_sub(wide_conj(wide_shuffle(g[k], i)), g[k], g[i]);
    }
#pragma unroll
    for (int i = 0; i < TILE; ++i) {
        const int there = of_G ? i <= c : of_I && i >= c;
        if (of_G && i == c)
            g[i] = wide(wide_re(g[i]), 0);
        size += there ? wide_abs2(g[i]) : 0;
        if (of_G)
            at[i * LD + c] = there ? g[i] : wide(0, 0);
        if (of_I)
            x[c * LD + i] = there ? wide_conj(g[i]) : wide(0, 0);
    }
    const double r = warp_total(of_G ? size : 0);
    const double s = warp_total(of_I ? size : 0);
    __syncwarp();
    return good && r * s <= 0x1p14;
}

/* X(j, j) := U^-1, U the upper triangle of M(j, j).  Lane c: column c. */
static __device__ void tile_inverse(const wide_t *M, wide_t *X_, int j)
{
    const int c = LANE % TILE;
    const wide_t *const at = M + TILE * j * LD + TILE * j;
    wide_t *const to = X_ + TILE * j * LD + TILE * j;
    const wide_t mine = wide_inverse(at[c * LD + c]);
    wide_t x[TILE];

#pragma unroll
    for (int i = 0; i < TILE; ++i)
        x[i] = wide(i == c, 0);
#pragma unroll
    for (int k = TILE - 1; k >= 0; --k) {
        x[k] = wide_mul(x[k], wide_shuffle(mine, k));
#pragma unroll
        for (int i = 0; i < k; ++i)
            x[i] = wide_sub(at[i * LD + k], x[k], x[i]);
    }
    if (LANE < TILE)
#pragma unroll
        for (int i = 0; i < TILE; ++i)
            to[i * LD + c] = x[i];
    __syncwarp();
}

/* Q(j, j) - S = L U in place, s := the signs, X(j, j) := L^-1.  Lanes as in
 * tile_cholesky. */
static __device__ void tile_lu(wide_t *Q, wide_t *X_, double *s, int j)
{
    const int c = LANE % TILE, of_Q = LANE < TILE, of_I = !of_Q && LANE < 16;
    wide_t *const at = Q + TILE * j * LD + TILE * j;
    wide_t *const x = X_ + TILE * j * LD + TILE * j;
    wide_t w[TILE];

#pragma unroll
    for (int i = 0; i < TILE; ++i)
        w[i] = of_Q ? at[i * LD + c] : wide(of_I && i == c, 0);
#pragma unroll
    for (int k = 0; k < TILE; ++k) {
        wide_t p = wide_shuffle(w[k], k);
        const double sign = wide_re(p) < 0 ? 1 : -1;
        p = wide(wide_re(p) - sign, wide_im(p));
        if (LANE == k) {
            s[TILE * j + k] = sign;
            w[k] = p;
        }
        p = wide_inverse(p);
#pragma unroll
        for (int i = k + 1; i < TILE; ++i) {
            const wide_t l = wide_mul(wide_shuffle(w[i], k), p);
            w[i] = LANE == k ? l : LANE < k ? w[i] : wide_sub(l, w[k], w[i]);
        }
    }
#pragma unroll
    for (int i = 0; i < TILE; ++i) {
        if (of_Q)
            at[i * LD + c] = w[i];
        if (of_I)
            x[i * LD + c] = w[i];
    }
    __syncwarp();
}

/* -- by the block --------------------------------------------------------------- */

/* C := op(A) op(B) */
template <int CA, int CB>
static __device__ void multiply32(wide_t *C, const wide_t *A, const wide_t *B)
{
    for (int t = WARP_ID; t < TILES * TILES; t += 8) {
        tile_t c = tile_zero();
#pragma unroll
        for (int k = 0; k < TILES; ++k)
            tile_multiply<CA, CB, 0>(c, A, B, t / TILES, k, t % TILES);
        tile_store(c, C, t / TILES, t % TILES);
    }
    __syncthreads();
}

/* G := R with G = R^H R and zeros below R's diagonal.  X's diagonal tiles := the inverses of R's.
 * Returns 0, in all threads, if a diagonal tile is not well conditioned. */
static __device__ int cholesky32(wide_t *G, wide_t *X_)
{
    int good = 1;
    for (int j = 0; j < TILES; ++j) {
        const int rest = TILES - 1 - j;
        int fine = 1;
        if (WARP_ID == 0)
            fine = tile_cholesky(G, X_, j);
        good &= __syncthreads_and(fine);
        if (WARP_ID < rest) {
            const int k = j + 1 + WARP_ID;
            tile_t c = tile_zero();
            tile_multiply<1, 0, 0>(c, X_, G, j, j, k);
            __syncwarp();
            tile_store(c, G, j, k);
            tile_store(tile_zero(), G, k, j);
        }
        __syncthreads();
        for (int t = WARP_ID; t < rest * rest; t += 8) {
            const int i = j + 1 + t / rest, k = j + 1 + t % rest;
            if (i > k)
                continue;
            tile_t c = tile_load(G, i, k);
            tile_multiply<1, 0, 1>(c, G, G, i, j, k);
            tile_store(c, G, i, k);
        }
        __syncthreads();
    }
    return good;
}

/* X := R^-1, of which X has the diagonal tiles already */
static __device__ void invert32(const wide_t *R, wide_t *X_)
{
    for (int d = 1; d < TILES; ++d) { /* X(i,j) by diagonals                 */
        if (WARP_ID < TILES - d) {
            const int i = WARP_ID, j = i + d;
            tile_t c = tile_zero();
            for (int k = i + 1; k <= j; ++k)
                tile_multiply<0, 0, 0>(c, R, X_, i, k, j);
            tile_store(c, X_, j, i); /* kept on the other side               */
            __syncwarp();
            c = tile_zero();
            for (int s = 0; s < 2; ++s)
                tile_step(c, negative(left<0>(X_, i, i, s)),
                          right<0>(X_, j, i, s));
            __syncwarp();
            tile_store(c, X_, i, j);
            tile_store(tile_zero(), X_, j, i);
        }
        __syncthreads();
    }
}

/* |M|_F^2, to all threads */
static __device__ double square32(const wide_t *M)
{
    __shared__ double part[8];
    double sum = 0;
    for (int x = threadIdx.x; x < STRIP * STRIP; x += blockDim.x)
        sum += wide_abs2(M[x / STRIP * LD + x % STRIP]);
    sum = warp_total(sum);
    __syncthreads(); /* the last call's parts are read                       */
    if (LANE == 0)
        part[WARP_ID] = sum;
    __syncthreads();
    sum = 0;
    for (int w = 0; w < 8; ++w)
        sum += part[w];
    return sum;
}

/* Q - S = L U in place; XL's and XU's diagonal tiles := those of L and U
 * inverted */
static __device__ void lu32(wide_t *Q, double *s, wide_t *XL, wide_t *XU)
{
    for (int j = 0; j < TILES; ++j) {
        const int rest = TILES - 1 - j;
        if (WARP_ID == 0) {
            tile_lu(Q, XL, s, j);
            tile_inverse(Q, XU, j);
        }
        __syncthreads();
        if (WARP_ID < 2 * rest) {
            const int k = j + 1 + WARP_ID % rest;
            tile_t c = tile_zero();
            if (WARP_ID < rest)
                tile_multiply<0, 0, 0>(c, XL, Q, j, j, k);
            else
                tile_multiply<0, 0, 0>(c, Q, XU, k, j, j);
            __syncwarp();
            if (WARP_ID < rest)
                tile_store(c, Q, j, k);
            else
                tile_store(c, Q, k, j);
        }
        __syncthreads();
        for (int t = WARP_ID; t < rest * rest; t += 8) {
            const int i = j + 1 + t / rest, k = j + 1 + t % rest;
            tile_t c = tile_load(Q, i, k);
            tile_multiply<0, 0, 1>(c, Q, Q, i, j, k);
            tile_store(c, Q, i, k);
        }
        __syncthreads();
    }
}

#endif /* GSVD_QR_TILE_CUH */
