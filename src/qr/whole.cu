/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* whole.cu -- QR factorization of a panel of up to 128 columns at once (complex: 64).
 *
 * Cholesky QR once, in double, and Householder reconstruction; A1 are the first 128
 * rows of A:
 *
 *     1  D A^H A D = R^H R                   D powers of two
 *     2  A1 D - S R = L M                    S = diag(+-1), M upper triangular
 *     3  V = A D M^-1,  T = -M R^-1 S L^-H
 *
 * Step 2 is the LU factorization of Q1 - S = L U (Ballard, Demmel et al. 2014) with
 * the columns as they were before R^-1, so that M = U R: s_jj has the sign that the
 * pivot has not, and only then row j of S R is taken off.  Strips of 32 (panel.cu)
 * wait for each other; here only tiles of 8 do.
 *
 * Q is as orthonormal as rounding in double times the square of R's condition.  In
 * single precision that is below rounding as long as |R D'|_F |(R D')^-1|_F <= 2^14,
 * columns of one length; the diagonal tiles of 8 are of condition 2^7 at most.  Else
 * columns.cu takes the panel.  In double this condition would have to be below 40.
 *
 * A triangular factor F is kept as the 8 x 8 tiles of F^H below the diagonal and the
 * inverted diagonal ones, so that every product is a tile by a tile's conjugate
 * transpose: both stand in registers as they stand in memory.
 */
#include <cuda_pipeline.h>

#include "qr/strip.cuh"
#include "qr/whole.h"

enum {
    COLS = WHOLE_COLS,
    NT = COLS / TILE,
    AREA = TILE * TILE,
    LOWER = NT * (NT - 1) / 2,
    FACTOR = (LOWER + NT) * AREA, /* elements of a factor                    */
    DIAGONAL = NT * AREA,
    STRIPS = COLS / STRIP,
    PAIRS = STRIPS * (STRIPS + 1) / 2, /* of strips, in a Gram matrix        */
    CORE_WARPS = 16,
    ROW_WARPS = 4,
    T_BLOCKS = (NT / 2 + ROW_WARPS - 1) / ROW_WARPS
};

#define MOST_CONDITION (GSVD_SINGLE ? 0x1p14 : 0x1p5)

/* What the kernels tell each other; in global memory. */
typedef struct whole_work {
    double *part;       /* PAIRS times the blocks' parts; sums at the front */
    int *arrived;       /* PAIRS                                            */
    int *verdict;       /* 1: columns.cu has to do it                       */
    double *f;          /* D                                                */
    double *s;          /* S                                                */
    wide_t *M, *R, *L;  /* FACTOR each: M, R, and L^H                       */
    wide_t *M_diagonal; /* its diagonal tiles, L's below them               */
} whole_work_t;

/* -- device functions: tiles --------------------------------------------------- */

/* Element (r, c) of a tile.  Neither rows nor columns share banks. */
WIDE_FN int place(int r, int c) { return r * TILE + (c ^ (r & 6)); }

WIDE_FN tile_t tile_from(const wide_t *t)
{
    const wide_t *const at = t + place(LANE / 4, 2 * (LANE % 4));
    tile_t c;
    tile_put(c, 0, at[0]);
    tile_put(c, 1, at[1]);
    return c;
}

WIDE_FN void tile_to(const tile_t &c, wide_t *t)
{
    wide_t *const at = t + place(LANE / 4, 2 * (LANE % 4));
    at[0] = tile_get(c, 0);
    at[1] = tile_get(c, 1);
}

/* F^H(i, j), i > j; the inverse of F^H(j, j) */
template <class T> WIDE_FN T *below(T *F, int i, int j)
{
    return F + (i * (i - 1) / 2 + j) * AREA;
}
template <class T> WIDE_FN T *inverse(T *F, int j)
{
    return F + (LOWER + j) * AREA;
}

/* c := c - a b^H */
WIDE_FN void take_off(tile_t &c, const tile_t &a, const tile_t &b)
{
#pragma unroll
    for (int s = 0; s < 2; ++s)
        tile_step(c, negative(tile_get(a, s)), wide_conj(tile_get(b, s)));
}

/* a b^H */
WIDE_FN tile_t outer(const tile_t &a, const tile_t &b)
{
    tile_t c = tile_zero();
#pragma unroll
    for (int s = 0; s < 2; ++s)
        tile_step(c, tile_get(a, s), wide_conj(tile_get(b, s)));
    return c;
}

/* x / y for 0 <= x < 256, 0 < y < 16, given 1/y */
WIDE_FN int divide(int x, float y) { return (int)(((float)x + 0.5f) * y); }

/* -- device functions: 1 ----------------------------------------------------------- */

/* By one warp: G = R^H R; G := R^H, Y := R^-H.  Lane c < 8 has column c of G, lane
 * 8 + c column c of I.  0 if R is singular or |R|_F |R^-1|_F above 2^7. */
static __device__ int cholesky_tile(wide_t *G, wide_t *Y)
{
    const int c = LANE % TILE, of_G = LANE < TILE, of_I = !of_G && LANE < 16;
    wide_t g[TILE];
    double root[TILE], size = 0;
    int good = 1;

#pragma unroll
    for (int i = 0; i < TILE; ++i)
        g[i] = of_G ? G[place(i, c)] : wide(of_I && i == c, 0);
    __syncwarp();
#pragma unroll
    for (int k = 0; k < TILE; ++k) {
        const double d = __shfl_sync(0xffffffff, wide_re(g[k]), k);
        const wide_t row = wide_scale(quick_inverse(d), g[k]);
        good &= d > 0x1p-60 && d < 8;
        root[k] = quick_rsqrt(d);
#pragma unroll
        for (int i = k + 1; i < TILE; ++i)
            g[i] = wide_sub(wide_conj(wide_shuffle(g[k], i)), row, g[i]);
    }
#pragma unroll
    for (int i = 0; i < TILE; ++i) {
        const int there = of_G ? i <= c : of_I && i >= c;
        wide_t x = there ? wide_scale(root[i], g[i]) : wide(0, 0);
        if (of_G && i == c)
            x = wide(wide_re(x), 0);
        size += wide_abs2(x);
        if (of_G)
            G[place(c, i)] = wide_conj(x);
        if (of_I)
            Y[place(i, c)] = x;
    }
    const double r = warp_total(of_G ? size : 0);
    const double s = warp_total(of_I ? size : 0);
    __syncwarp();
    return good && r * s <= 0x1p14;
}

/* R of G in its place, by tiles; 0 if a diagonal tile is not well conditioned */
static __device__ int cholesky(wide_t *R, wide_t *diagonal)
{
    int good = 1;
    if (WARP_ID == 0)
        good = cholesky_tile(diagonal, inverse(R, 0));
    __syncthreads();
    for (int j = 0; j < NT - 1; ++j) {
        const int rest = NT - 1 - j;
        const float share = 1.0f / (float)rest;
        for (int i = j + 1 + WARP_ID; i < NT; i += CORE_WARPS)
            tile_to(outer(tile_from(below(R, i, j)), tile_from(inverse(R, j))),
                    below(R, i, j));
        __syncthreads();
        if (WARP_ID == 0) { /* the next diagonal tile, while the others ...  */
            wide_t *const next = diagonal + (j + 1) * AREA;
            const tile_t a = tile_from(below(R, j + 1, j));
            tile_t c = tile_from(next);
            take_off(c, a, a);
            tile_to(c, next);
            __syncwarp();
            good &= cholesky_tile(next, inverse(R, j + 1));
        } else
            for (int x = WARP_ID; x < rest * rest; x += CORE_WARPS - 1) {
                const int q = divide(x, share);
                const int i = j + 1 + q, k = j + 1 + x - q * rest;
                if (k > i)
                    continue;
                wide_t *const to =
                    i == k ? diagonal + i * AREA : below(R, i, k);
                tile_t c = tile_from(to);
                take_off(c, tile_from(below(R, i, j)),
                         tile_from(below(R, k, j)));
                tile_to(c, to);
            }
        __syncthreads();
    }
    return __syncthreads_and(good);
}

/* q := q F^-1 for 8 rows, those before tile `first` being 0 */
static __device__ __forceinline__ void solve_tiles(tile_t (&q)[NT],
                                                   const wide_t *F, int first)
{
#pragma unroll
    for (int j = 0; j < NT; ++j) {
        if (j < first)
            continue;
        q[j] = outer(q[j], tile_from(inverse(F, j)));
#pragma unroll
        for (int k = j + 1; k < NT; ++k)
            take_off(q[k], q[j], tile_from(below(F, k, j)));
    }
}

/* The same for two times 8 rows, p and q */
static __device__ __forceinline__ void
solve_pair(tile_t (&p)[NT], tile_t (&q)[NT], const wide_t *F, int first)
{
#pragma unroll
    for (int j = 0; j < NT; ++j) {
        if (j < first)
            continue;
        const tile_t x = tile_from(inverse(F, j));
        tile_t y = tile_zero(), z = tile_zero();
#pragma unroll
        for (int s = 0; s < 2; ++s)
            tile_pair(y, z, tile_get(p[j], s), tile_get(q[j], s),
                      wide_conj(tile_get(x, s)));
        p[j] = y;
        q[j] = z;
#pragma unroll
        for (int k = j + 1; k < NT; ++k) {
            const tile_t b = tile_from(below(F, k, j));
#pragma unroll
            for (int s = 0; s < 2; ++s)
                tile_pair(p[k], q[k], negative(tile_get(y, s)),
                          negative(tile_get(z, s)), wide_conj(tile_get(b, s)));
        }
    }
}

/* |R D|_F |(R D)^-1|_F, columns of R D of length 1, squared; to all threads */
static __device__ double condition(const wide_t *R, const double *square)
{
    __shared__ double part[CORE_WARPS];
    double sum = 0;
    if (WARP_ID < NT) { /* rows of R^-1 */
        tile_t q[NT];
#pragma unroll
        for (int j = 0; j < NT; ++j)
#pragma unroll
            for (int e = 0; e < 2; ++e)
                tile_put(
                    q[j], e,
                    wide(j == WARP_ID && LANE / 4 == 2 * (LANE % 4) + e, 0));
        solve_tiles(q, R, WARP_ID);
#pragma unroll
        for (int j = 0; j < NT; ++j)
#pragma unroll
            for (int e = 0; e < 2; ++e)
                sum += wide_abs2(tile_get(q[j], e));
        sum *= square[TILE * WARP_ID + LANE / 4];
    }
    sum = warp_total(sum);
    if (LANE == 0)
        part[WARP_ID] = sum;
    __syncthreads();
    sum = 0;
    for (int w = 0; w < CORE_WARPS; ++w)
        sum += part[w];
    return COLS * sum;
}

/* -- device functions: 2 ----------------------------------------------------------- */

/* By one warp: B - S R = L M for diagonal tiles; B := L below, M on and above the
 * diagonal, Y := L^-1, Z := M^-H; RH = R^H.  Lanes as in cholesky_tile, and of M^-1
 * lane c < 8 has column c. */
static __device__ void lu_tile(wide_t *B, const wide_t *RH, double *s,
                               wide_t *Y, wide_t *Z)
{
    const int c = LANE % TILE, of_B = LANE < TILE, of_I = !of_B && LANE < 16;
    wide_t w[TILE], x[TILE], r[TILE];

#pragma unroll
    for (int i = 0; i < TILE; ++i) {
        w[i] = of_B ? B[place(i, c)] : wide(of_I && i == c, 0);
        x[i] = wide(of_B && i == c, 0);
        r[i] = of_B ? wide_conj(RH[place(c, i)]) : wide(0, 0);
    }
    __syncwarp();
#pragma unroll
    for (int k = 0; k < TILE; ++k) {
        const double sign =
            __shfl_sync(0xffffffff, wide_re(w[k]), k) < 0 ? 1 : -1;
        w[k] = wide(wide_re(w[k]) - sign * wide_re(r[k]),
                    wide_im(w[k]) - sign * wide_im(r[k]));
        const wide_t over = wide_inverse(wide_shuffle(w[k], k));
        if (LANE == k)
            s[k] = sign;
#pragma unroll
        for (int i = k + 1; i < TILE; ++i) {
            const wide_t l = wide_mul(wide_shuffle(w[i], k), over);
            w[i] = LANE == k ? l : LANE < k ? w[i] : wide_sub(l, w[k], w[i]);
        }
#pragma unroll
        for (int i = 0; i <= k; ++i) {
            const wide_t l = wide_mul(wide_shuffle(x[i], k), over);
            x[i] = LANE == k ? l : LANE < k ? x[i] : wide_sub(l, w[k], x[i]);
        }
    }
#pragma unroll
    for (int i = 0; i < TILE; ++i) {
        if (of_B) {
            B[place(i, c)] = w[i];
            Z[place(c, i)] = i <= c ? wide_conj(x[i]) : wide(0, 0);
        }
        if (of_I)
            Y[place(i, c)] = i >= c ? w[i] : wide(0, 0);
    }
    __syncwarp();
}

/* B - S R = L M by tiles: B below the diagonal in L, above it in M, conjugate
 * transposed, on it in `diagonal`; L, M and L over M in their places */
static __device__ void lu(wide_t *L, wide_t *M, wide_t *diagonal,
                          const wide_t *R, const wide_t *R_diagonal, double *s)
{
    if (WARP_ID == 0)
        lu_tile(diagonal, R_diagonal, s, inverse(L, 0), inverse(M, 0));
    __syncthreads();
    for (int j = 0; j < NT - 1; ++j) {
        const int rest = NT - 1 - j;
        const float share = 1.0f / (float)rest;
        for (int x = WARP_ID; x < 2 * rest; x += CORE_WARPS) {
            const int i = j + 1 + x / 2;
            if (x % 2 == 0) {
                wide_t *const to = below(L, i, j);
                tile_to(outer(tile_from(to), tile_from(inverse(M, j))), to);
                continue;
            }
            wide_t *const to = below(M, i, j);
            const tile_t r = tile_from(below(R, i, j));
            tile_t b = tile_from(to);
#pragma unroll
            for (int e = 0; e < 2; ++e) {
                const double sign = s[TILE * j + 2 * (LANE % 4) + e];
                const wide_t u = tile_get(r, e), v = tile_get(b, e);
                tile_put(b, e,
                         wide(wide_re(v) - sign * wide_re(u),
                              wide_im(v) - sign * wide_im(u)));
            }
            tile_to(outer(b, tile_from(inverse(L, j))), to);
        }
        __syncthreads();
        if (WARP_ID == 0) {
            wide_t *const next = diagonal + (j + 1) * AREA;
            tile_t c = tile_from(next);
            take_off(c, tile_from(below(L, j + 1, j)),
                     tile_from(below(M, j + 1, j)));
            tile_to(c, next);
            __syncwarp();
            lu_tile(next, R_diagonal + (j + 1) * AREA, s + TILE * (j + 1),
                    inverse(L, j + 1), inverse(M, j + 1));
        } else
            for (int x = WARP_ID; x < rest * rest; x += CORE_WARPS - 1) {
                const int q = divide(x, share);
                const int i = j + 1 + q, k = j + 1 + x - q * rest;
                wide_t *const to = i == k  ? diagonal + i * AREA
                                   : i > k ? below(L, i, k)
                                           : below(M, k, i);
                const tile_t l = tile_from(below(L, i, j));
                const tile_t m = tile_from(below(M, k, j));
                tile_t c = tile_from(to);
                if (i >= k)
                    take_off(c, l, m);
                else
                    take_off(c, m, l);
                tile_to(c, to);
            }
        __syncthreads();
    }
}

/* -- kernels ------------------------------------------------------------------- */

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

/* grid: x rows.blocks, y pairs of strips; block: 8 warps.  The last block of a pair
 * sums its parts. */
static __global__ void __launch_bounds__(THREADS)
    gram_kernel(mat_t A, rows_t rows, whole_work_t w)
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
    for (int e = threadIdx.x; e < GRAM; e += THREADS) {
        double sum = 0;
#pragma unroll 4
        for (int b = 0; b < (int)gridDim.x; ++b)
            sum += __ldcg(part + (int64_t)b * GRAM + e);
        part[e] = sum;
    }
}

/* Element (r, r) of strip I's Gram matrix in its part */
WIDE_FN double diagonal_of(const double *part, int r)
{
    const int t = r / TILE * TILES + r / TILE, x = r % TILE;
    return __ldcg(part + (t * 2 + x % 2) * 32 + 4 * x + x / 2);
}

/* D and D A^H A D, of which the parts are A^H A; columns beyond A's are those of I.
 * 0 if a column is zero, or its square no good number. */
static __device__ int load_gram(const double *parts, int64_t apart, int cols,
                                double *f, double *square, wide_t *R,
                                wide_t *diagonal)
{
    int fine = 1;
    if (threadIdx.x < COLS) {
        const int c = threadIdx.x, I = c / STRIP;
        const double *const part = parts + (I * (I + 3) / 2) * apart;
        const double x = c < cols ? diagonal_of(part, c % STRIP) : 1;
        fine = x > 0x1p-900 && x < 0x1p900;
        f[c] = fine && c < cols ? exp2((double)(-ilogb(x) / 2)) : 1;
        square[c] = fine ? f[c] * f[c] * x : 1;
    }
    fine = __syncthreads_and(fine);
#pragma unroll 4
    for (int x = threadIdx.x; x < PAIRS * STRIP * STRIP; x += blockDim.x) {
        const int e = x % (STRIP * STRIP), t = e / AREA, lane = e % 32;
        int I, J;
        pair_of(x / (STRIP * STRIP), &I, &J);
        const int i = TILES * I + t / TILES, j = TILES * J + t % TILES;
        const int r = lane / 4, c = 2 * (lane % 4) + e / 32 % 2;
        const int row = TILE * i + r, column = TILE * j + c;
        if (i < j)
            continue;
        const double *const at = parts + x / (STRIP * STRIP) * apart + e;
        const wide_t g =
            row < cols && column < cols
                ? wide_scale(f[row] * f[column],
                             wide(__ldcg(at),
                                  WIDE_PARTS == 2 ? __ldcg(at + GRAM / 2) : 0))
                : wide(row == column, 0);
        (i == j ? diagonal + j * AREA : below(R, i, j))[place(r, c)] = g;
    }
    __syncthreads();
    return fine;
}

/* B := A1 D, where lu() expects it */
static __device__ void load_top(mat_t A, const double *f, wide_t *L, wide_t *M,
                                wide_t *diagonal)
{
#pragma unroll 4
    for (int x = threadIdx.x; x < COLS * COLS; x += blockDim.x) {
        const int row = x % COLS, column = x / COLS;
        const int i = row / TILE, j = column / TILE;
        const int r = row % TILE, c = column % TILE;
        const wide_t b = wide_scale(f[column], entry(A, row, column));
        if (i < j)
            below(M, j, i)[place(c, r)] = wide_conj(b);
        else
            (i == j ? diagonal + i * AREA : below(L, i, j))[place(r, c)] = b;
    }
    __syncthreads();
}

/* The first rows of A := S R D^-1, L below; of V := L; tau := diag(T) */
static __device__ void store_top(mat_t A, scalar_t *tau, mat_t V,
                                 const double *f, const double *s,
                                 const wide_t *L, const wide_t *L_diagonal,
                                 const wide_t *R, const wide_t *R_diagonal)
{
    for (int x = threadIdx.x; x < COLS * COLS; x += blockDim.x) {
        const int row = x % COLS, column = x / COLS;
        const int i = row / TILE, j = column / TILE;
        const int r = row % TILE, c = column % TILE;
        if (row >= A.rows || column >= A.cols)
            continue;
        const wide_t *const at = i == j  ? L_diagonal + i * AREA
                                 : i > j ? below(L, i, j)
                                         : below(R, j, i);
        const wide_t *const rh = i == j ? R_diagonal + i * AREA : at;
        const scalar_t l = narrow(at[place(r, c)]);
        AT(A, row, column) =
            row > column ? l
                         : narrow(wide_scale(s[row] / f[column],
                                             wide_conj(rh[place(c, r)])));
        if (V.data)
            AT(V, row, column) = row > column ? l : make(row == column, 0);
        if (row == column)
            tau[column] = narrow(wide_scale(-s[row] / wide_re(rh[place(r, r)]),
                                            at[place(r, r)]));
    }
}

static __device__ void copy_out(const wide_t *from, wide_t *to, int count)
{
    for (int x = threadIdx.x; x < count; x += blockDim.x)
        to[x] = from[x];
}

/* 1 and 2 after the Gram matrix.  grid: one block; block: 16 warps */
static __global__ void __launch_bounds__(32 * CORE_WARPS, 1)
    core_kernel(mat_t A, scalar_t *tau, mat_t V, int64_t apart, whole_work_t w)
{
    extern __shared__ char memory[];
    wide_t *const R = (wide_t *)memory, *const L = R + FACTOR;
    wide_t *const M = L + FACTOR, *const R_diagonal = M + FACTOR;
    wide_t *const L_diagonal = R_diagonal + DIAGONAL;
    __shared__ double f[COLS], square[COLS], s[COLS];
    const int t = threadIdx.x;

    int good = load_gram(w.part, apart, (int)A.cols, f, square, R, R_diagonal);
    if (good)
        good = cholesky(R, R_diagonal);
    if (good)
        good = condition(R, square) <= MOST_CONDITION * MOST_CONDITION;
    if (t == 0)
        *w.verdict = !good;
    if (!good)
        return;
    load_top(A, f, L, M, L_diagonal);
    lu(L, M, L_diagonal, R, R_diagonal, s);
    copy_out(M, w.M, FACTOR);
    copy_out(R, w.R, FACTOR);
    copy_out(L, w.L, FACTOR);
    copy_out(L_diagonal, w.M_diagonal, DIAGONAL);
    if (t < COLS) {
        w.f[t] = f[t];
        w.s[t] = s[t];
    }
    store_top(A, tau, V, f, s, L, L_diagonal, R, R_diagonal);
}

/* A factor into shared memory; between barriers */
static __device__ void fetch_factor(const wide_t *from, wide_t *to)
{
    enum { EACH = 16 / sizeof(wide_t) };
    __syncthreads();
    for (int x = threadIdx.x; x < FACTOR / EACH; x += blockDim.x)
        __pipeline_memcpy_async(to + EACH * x, from + EACH * x, 16);
    __pipeline_commit();
    __pipeline_wait_prior(0);
    __syncthreads();
}

/* 16 rows of V from i on */
static __device__ __forceinline__ void
row_tiles(mat_t A, mat_t V, int64_t i, const double *f, const wide_t *M)
{
    tile_t p[NT], q[NT];
    i += LANE / 4;
#pragma unroll
    for (int j = 0; j < NT; ++j)
#pragma unroll
        for (int e = 0; e < 2; ++e) {
            const int c = TILE * j + 2 * (LANE % 4) + e;
            tile_put(p[j], e, wide_scale(f[c], entry(A, i, c)));
            tile_put(q[j], e, wide_scale(f[c], entry(A, i + TILE, c)));
        }
    solve_pair(p, q, M, 0);
#pragma unroll
    for (int j = 0; j < NT; ++j)
#pragma unroll
        for (int e = 0; e < 2; ++e) {
            const int c = TILE * j + 2 * (LANE % 4) + e;
            const scalar_t x = narrow(tile_get(p[j], e));
            const scalar_t y = narrow(tile_get(q[j], e));
            if (c < A.cols && i < A.rows) {
                AT(A, i, c) = x;
                if (V.data)
                    AT(V, i, c) = x;
            }
            if (c < A.cols && i + TILE < A.rows) {
                AT(A, i + TILE, c) = y;
                if (V.data)
                    AT(V, i + TILE, c) = y;
            }
        }
}

/* Row tile i of M */
static __device__ __forceinline__ void load_M(int i, const whole_work_t &w,
                                              tile_t (&q)[NT])
{
#pragma unroll
    for (int j = 0; j < NT; ++j)
#pragma unroll
        for (int e = 0; e < 2; ++e) {
            const int r = LANE / 4, c = 2 * (LANE % 4) + e;
            tile_put(q[j], e,
                     j < i   ? wide(0, 0)
                     : j > i ? wide_conj(__ldcg(below(w.M, j, i) + place(c, r)))
                     : r <= c ? __ldcg(w.M_diagonal + i * AREA + place(r, c))
                              : wide(0, 0));
        }
}

static __device__ __forceinline__ void store_T(mat_t T, int i,
                                               const tile_t (&q)[NT])
{
    const int row = TILE * i + LANE / 4;
#pragma unroll
    for (int j = 0; j < NT; ++j)
#pragma unroll
        for (int e = 0; e < 2; ++e) {
            const int c = TILE * j + 2 * (LANE % 4) + e;
            if (row < T.rows && c < T.cols)
                AT(T, row, c) =
                    row <= c ? narrow(tile_get(q[j], e)) : make(0, 0);
        }
}

/* Rows of T = -M R^-1 S L^-H, 16 to a warp */
static __device__ __forceinline__ void
triangle_tiles(mat_t T, int block, const whole_work_t &w, wide_t *F)
{
    const int i = 2 * (block * ROW_WARPS + WARP_ID);
    tile_t p[NT], q[NT];

    fetch_factor(w.R, F);
    if (i < NT) {
        load_M(i, w, p);
        load_M(i + 1, w, q);
        solve_pair(p, q, F, i);
#pragma unroll
        for (int j = 0; j < NT; ++j)
#pragma unroll
            for (int e = 0; e < 2; ++e) {
                const double s = -w.s[TILE * j + 2 * (LANE % 4) + e];
                tile_put(p[j], e, wide_scale(s, tile_get(p[j], e)));
                tile_put(q[j], e, wide_scale(s, tile_get(q[j], e)));
            }
    }
    fetch_factor(w.L, F);
    if (i < NT) {
        solve_pair(p, q, F, i);
        store_T(T, i, p);
        store_T(T, i + 1, q);
    }
}

/* 3.  grid: T_BLOCKS blocks for T, if it is asked for, then some for the rows;
 * block: 4 warps, of 16 rows each */
static __global__ void __launch_bounds__(32 * ROW_WARPS)
    rows_kernel(mat_t A, mat_t V, mat_t T, whole_work_t w)
{
    extern __shared__ char memory[];
    wide_t *const F = (wide_t *)memory;
    const int for_T = T.data ? T_BLOCKS : 0, block = (int)blockIdx.x - for_T;
    __shared__ double f[COLS];

    if (*w.verdict)
        return;
    if (block < 0) {
        triangle_tiles(T, blockIdx.x, w, F);
        return;
    }
    for (int c = threadIdx.x; c < COLS; c += blockDim.x)
        f[c] = w.f[c];
    fetch_factor(w.M, F);
    for (int64_t i = COLS + 16 * ((int64_t)block * ROW_WARPS + WARP_ID);
         i < A.rows; i += 16 * ROW_WARPS * ((int64_t)gridDim.x - for_T))
        row_tiles(A, V, i, f, F);
}

/* -- launchers ------------------------------------------------------------------ */

static void carve(arena_t *a, gsvd_handle_t h, whole_work_t *w)
{
    const int64_t blocks = max_i(cuda_of(h)->multiprocessors, PAIRS);
    w->part = (double *)gsvd_arena_take(a, blocks * GRAM, sizeof(double));
    w->f = (double *)gsvd_arena_take(a, COLS, sizeof(double));
    w->s = (double *)gsvd_arena_take(a, COLS, sizeof(double));
    w->M = (wide_t *)gsvd_arena_take(a, FACTOR, sizeof(wide_t));
    w->R = (wide_t *)gsvd_arena_take(a, FACTOR, sizeof(wide_t));
    w->L = (wide_t *)gsvd_arena_take(a, FACTOR, sizeof(wide_t));
    w->M_diagonal = (wide_t *)gsvd_arena_take(a, DIAGONAL, sizeof(wide_t));
    w->arrived = (int *)gsvd_arena_take(a, PAIRS, sizeof(int));
    w->verdict = (int *)gsvd_arena_take(a, 1, sizeof(int));
}

size_t X(whole_panel_bytes)(gsvd_handle_t h)
{
    arena_t count = {0, 0, 0, 0};
    whole_work_t w;
    carve(&count, h, &w);
    return gsvd_arena_bytes(&count) + X(columns_bytes)();
}

static gsvd_status_t allow_shared(gsvd_handle_t h, const void *kernel,
                                  size_t bytes)
{
    GSVD_CUDA(h, cudaFuncSetAttribute(
                     kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                     (int)bytes));
    return GSVD_SUCCESS;
}

gsvd_status_t X(whole_panel_cuda)(gsvd_handle_t h, mat_t A, scalar_t *tau,
                                  mat_t V, mat_t T, void *memory)
{
    const cudaStream_t stream = cuda_of(h)->stream;
    const size_t room = (size_t)WARPS * GRAM * sizeof(double);
    const size_t factor = (size_t)FACTOR * sizeof(wide_t);
    const size_t core = 3 * factor + 2 * (size_t)DIAGONAL * sizeof(wide_t);
    const rows_t rows = share_rows(h, A.rows, PAIRS, 0);
    const size_t bytes = X(whole_panel_bytes)(h) - X(columns_bytes)();
    arena_t a = gsvd_arena_over(memory, bytes);
    whole_work_t w;

    carve(&a, h, &w);
    GSVD_TRY(allow_shared(h, (const void *)gram_kernel, room));
    GSVD_TRY(allow_shared(h, (const void *)core_kernel, core));
    GSVD_TRY(allow_shared(h, (const void *)rows_kernel, factor));
    GSVD_CUDA(h, cudaMemsetAsync(w.arrived, 0, PAIRS * sizeof(int), stream));
    gram_kernel<<<dim3((unsigned)rows.blocks, PAIRS), THREADS, room, stream>>>(
        A, rows, w);
    GSVD_TRY(gsvd_launched(h, "gram"));
    core_kernel<<<1, 32 * CORE_WARPS, core, stream>>>(
        A, tau, V, (int64_t)rows.blocks * GRAM, w);
    GSVD_TRY(gsvd_launched(h, "core"));
    const int64_t blocks =
        (A.rows - COLS + 16 * ROW_WARPS - 1) / (16 * ROW_WARPS);
    const int64_t most = 2 * (int64_t)cuda_of(h)->multiprocessors;
    const int64_t all =
        max_i(min_i(blocks, most), 0) + (T.data ? (int64_t)T_BLOCKS : 0);
    if (all > 0) {
        rows_kernel<<<(unsigned)all, 32 * ROW_WARPS, factor, stream>>>(A, V, T,
                                                                       w);
        GSVD_TRY(gsvd_launched(h, "rows"));
    }
    return X(columns_cuda)(h, A, tau, V, T, w.verdict, (char *)memory + bytes);
}
