/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* wide_core.cuh -- steps 1 and 2 of cholesky_wide.cu, side by side in one block.  With D and the
 * signs S diagonal, A1 the first rows of A:
 *
 *     1  G = D A^H A D = R^H R     Cholesky of the Gram matrix
 *     2  B - S R = L M, B = A1 D   LU
 */
#ifndef GSVD_QR_WIDE_CORE_CUH
#define GSVD_QR_WIDE_CORE_CUH

#include "qr/panel/wide_tiles.cuh"
#include "qr/ways.h"

#define MOST_CONDITION (GSVD_SINGLE ? 0x1p14 : 0x1p5)

/* -- 1 and 2, side by side ------------------------------------------------- */

/* 16 warps work on tiles of 8 x 8.  Step j - 1 of 2 runs beside step j of 1:
 *
 *                          first half, barrier            second half, barrier
 *     warp 0 (OF_1)        tile j + 1 next to diagonal    diagonal tile j + 1 of R: Cholesky
 *                          tile j of R
 *     warp 4 (OF_2)        tiles j next to diagonal       diagonal tile j of L and M: LU
 *                          tile j - 1 of L and M
 *     12 workers           all other tiles next to        the products of step j of 1 and of
 *                          these diagonal tiles           step j - 1 of 2
 *
 * Warps 0 and 4 are chains of divisions.  The workers are warps w with w % 4 != 0: in the chains'
 * quarter of the multiprocessor a worker would hold them up.
 *
 * The first half writes only tiles next to the two diagonal tiles.  The second half reads these.
 * It writes tiles right of and below both diagonal tiles, each by one warp, and the next diagonal
 * tiles with their inverses, by the chains.  Within a half no warp reads or writes what another
 * one writes, so that __syncthreads after each half suffices.  (A named barrier of the workers,
 * where the chains arrive without waiting, is as safe.  But racecheck of compute-sanitizer, CUDA
 * 13.0, then reports races between accesses that a later __syncthreads orders.) */
enum {
    CORE_THREADS = 32 * CORE_WARPS,
    OF_1 = 0,
    OF_2 = 4,
    WORKERS = CORE_WARPS / 4 * 3
};

/* The matrices of core_kernel, in shared memory.  B is stored where L and M will be, its part above
 * the diagonal conjugate transposed. */
typedef struct core {
    wide_t *R, *R_diagonal, *L, *M, *L_diagonal;
    double *s;
} core_t;

/* A tile of M^H: (B(j, i) - S R(j, i))^H L(j, j)^-H; s: the signs of its columns */
static __device__ __forceinline__ tile_t row_of_M(tile_t b, tile_t r,
                                                  const double *s, tile_t y)
{
#pragma unroll
    for (int e = 0; e < 2; ++e) {
        const double sign = s[2 * (LANE % 4) + e];
        const wide_t u = tile_get(r, e), v = tile_get(b, e);
        tile_put(b, e,
                 wide(wide_re(v) - sign * wide_re(u),
                      wide_im(v) - sign * wide_im(u)));
    }
    return outer(b, y);
}

/* First half of step j, warp OF_1: c := diagonal tile j + 1 of 1 before its update c - l l^H, and
 * l := the tile on its left, which is stored. */
static __device__ __forceinline__ void next_of_R(const core_t &x, int j,
                                                 tile_t &c, tile_t &l)
{
    wide_t *const at = below(x.R, j + 1, j);
    c = tile_from(x.R_diagonal + (j + 1) * AREA);
    l = outer(tile_from(at), tile_from(inverse(x.R, j)));
    tile_to(l, at);
}

/* First half of step j + 1 of 1, warp OF_2: c := diagonal tile j + 1 of 2 before its update
 * c - l m^H, l := the tile on its left, and m := the conjugate transpose of the tile above it.  l
 * and m are stored. */
static __device__ __forceinline__ void
next_of_L(const core_t &x, int j, tile_t &c, tile_t &l, tile_t &m)
{
    const int n = j + 1;
    c = tile_from(x.L_diagonal + n * AREA);
    l = outer(tile_from(below(x.L, n, j)), tile_from(inverse(x.M, j)));
    m = row_of_M(tile_from(below(x.M, n, j)), tile_from(below(x.R, n, j)),
                 x.s + TILE * j, tile_from(inverse(x.L, j)));
    tile_to(l, below(x.L, n, j));
    tile_to(m, below(x.M, n, j));
}

/* First half, worker w: its share of the tiles next to diagonal tile j of 1, and of 2 */
static __device__ __forceinline__ void near_R(const core_t &x, int j, int w)
{
    for (int i = j + 2 + w; i < NT; i += WORKERS) {
        wide_t *const to = below(x.R, i, j);
        tile_to(outer(tile_from(to), tile_from(inverse(x.R, j))), to);
    }
}
static __device__ __forceinline__ void near_L(const core_t &x, int j, int w)
{
    for (int y = w; y < 2 * (NT - 2 - j); y += WORKERS) {
        const int i = j + 2 + y / 2, of_M = y % 2;
        wide_t *const to = below(of_M ? x.M : x.L, i, j);
        const tile_t b = tile_from(to);
        tile_to(of_M ? row_of_M(b, tile_from(below(x.R, i, j)), x.s + TILE * j,
                                tile_from(inverse(x.L, j)))
                     : outer(b, tile_from(inverse(x.M, j))),
                to);
    }
}

/* c(i) -= v(i) b^H, or b v(i)^H if LEFT, for tiles c(i) and v(i), i = 0, ..., count - 1.  The next
 * tiles are to_c and to_v elements away.  These distances grow by AREA each time; that of c does
 * not if LEFT. */
template <int LEFT>
static __device__ __forceinline__ void product_run(wide_t *c, const wide_t *v,
                                                   const tile_t &b, int count,
                                                   int to_c, int to_v)
{
    enum { GROWS = LEFT ? 0 : AREA };
    const wide_t minus[2] = {
        negative(LEFT ? tile_get(b, 0) : wide_conj(tile_get(b, 0))),
        negative(LEFT ? tile_get(b, 1) : wide_conj(tile_get(b, 1)))};
#pragma unroll 1
    for (; count > 0; count -= 2) {
        const int two = count > 1;
        wide_t *const d = two ? c + to_c : c;
        const tile_t x = tile_from(v), y = tile_from(two ? v + to_v : v);
        tile_t p = tile_from(c), q = tile_from(d);
#pragma unroll
        for (int s = 0; s < 2; ++s) {
            const wide_t f = tile_get(x, s), g = tile_get(y, s);
            if (!LEFT) {
                tile_pair(p, q, f, g, minus[s]);
                continue;
            }
            tile_step(p, minus[s], wide_conj(f));
            tile_step(q, minus[s], wide_conj(g));
        }
        tile_to(p, c);
        if (two)
            tile_to(q, d);
        c += 2 * to_c + GROWS;
        v += 2 * to_v + AREA;
        to_c += 2 * GROWS;
        to_v += 2 * AREA;
    }
}

/* F(i, k) -= P(i, j) Q(k, j)^H for i > k, and for i = k unless k = j + 1, which a chain does */
static __device__ __forceinline__ void column_run(wide_t *F, wide_t *diagonal,
                                                  const wide_t *P,
                                                  const wide_t *Q, int k, int j)
{
    const tile_t q = tile_from(below(Q, k, j));
    if (k > j + 1)
        product_run<0>(diagonal + k * AREA, below(P, k, j), q, 1, 0, 0);
    product_run<0>(below(F, k + 1, k), below(P, k + 1, j), q, NT - 1 - k,
                   (k + 1) * AREA, (k + 1) * AREA);
}

/* The products of step j for one k.  Of 1: those of column k and of the column that is as far from
 * the end as k is from j + 1.  Of 2: those of column k of L and of row k of M.  Each k has the same
 * number of products. */
static __device__ __forceinline__ void far_R(const core_t &x, int j, int k)
{
    const int other = NT + j - k;
    column_run(x.R, x.R_diagonal, x.R, x.R, k, j);
    if (other > k)
        column_run(x.R, x.R_diagonal, x.R, x.R, other, j);
}
static __device__ __forceinline__ void far_L(const core_t &x, int j, int k)
{
    column_run(x.L, x.L_diagonal, x.L, x.M, k, j);
    product_run<1>(below(x.M, k, j + 1), below(x.L, j + 1, j),
                   tile_from(below(x.M, k, j)), k - j - 1, AREA,
                   (j + 1) * AREA);
}

/* Second half, worker w: its share of the products of step j of 1 and of step j - 1 of 2 */
static __device__ __noinline__ void far_tiles(const core_t &x, int j, int w)
{
    const int of_L = j > 0 ? NT - j : 0, of_R = (NT - j) / 2;
#pragma unroll 1
    for (int y = w; y < of_L + of_R; y += WORKERS)
        if (y < of_L)
            far_L(x, j - 1, j + y);
        else
            far_R(x, j, j + 1 + y - of_L);
}

/* 1 and 2.  Returns 0, in all threads, if a diagonal tile of R is not well conditioned.  In warp
 * OF_1 *determinant is multiplied by det G. */
static __device__ int factor(const core_t &x, double *determinant)
{
    const int works = WARP_ID % 4 != 0;
    const int worker = WARP_ID / 4 * 3 + WARP_ID % 4 - 1;
    tile_t c = tile_zero(), l = c, m = c;
    int good = 1;

    if (WARP_ID == OF_1)
        good = cholesky_tile(tile_from(x.R_diagonal), x.R_diagonal,
                             inverse(x.R, 0), determinant);
    __syncthreads();
    for (int j = 0; j < NT; ++j) { /* step j of 1, j - 1 of 2                */
        const int chain_1 = WARP_ID == OF_1 && j < NT - 1;
        const int chain_2 = WARP_ID == OF_2;
        if (chain_1)
            next_of_R(x, j, c, l);
        else if (chain_2 && j > 0)
            next_of_L(x, j - 1, c, l, m);
        else if (chain_2)
            c = tile_from(x.L_diagonal);
        else if (works) {
            near_R(x, j, worker);
            if (j > 0)
                near_L(x, j - 1, worker);
        }
        __syncthreads();
        if (chain_1) {
            take_off(c, l, l);
            good &= cholesky_tile(c, x.R_diagonal + (j + 1) * AREA,
                                  inverse(x.R, j + 1), determinant);
        } else if (chain_2) {
            take_off(c, l, m); /* zeros for the first tile                   */
            lu_tile(c, x.R_diagonal + j * AREA, x.s + TILE * j,
                    x.L_diagonal + j * AREA, inverse(x.L, j), inverse(x.M, j));
        } else if (works)
            far_tiles(x, j, worker);
        __syncthreads();
    }
    return __syncthreads_and(good);
}
/* -- is R well conditioned? ------------------------------------------------ */

/* Returns, in all threads, an upper bound of (|R D|_F |(R D)^-1|_F)^2, where here D scales the
 * columns of R to length 1.  It uses |det R D|^2 <= e sigma_min(R D)^2 (Hong and Pan 1992).
 * determinant: det R^H R; square: the squared lengths of R's columns */
static __device__ double condition_at_most(double determinant,
                                           const double *square)
{
    __shared__ double bound;
    if (WARP_ID == OF_1) {
        double lengths = 1;
        for (int c = LANE; c < COLS; c += 32)
            lengths *= square[c];
        for (int step = 16; step > 0; step /= 2)
            lengths *= __shfl_xor_sync(0xffffffff, lengths, step);
        if (LANE == 0)
            bound = COLS * COLS * 2.7183 * (lengths / determinant);
    }
    __syncthreads();
    return bound;
}

/* Returns, in all threads, (|R D|_F |(R D)^-1|_F)^2 itself; inverse_of: memory for R^-1, 8 rows a
 * warp */
static __device__ __noinline__ double
condition(const wide_t *R, const double *square, wide_t *inverse_of)
{
    __shared__ double part[CORE_WARPS];
    double sum = 0;
    if (WARP_ID < NT) {
        wide_t *const rows = inverse_of + WARP_ID * DIAGONAL;
        for (int j = 0; j < NT; ++j)
            tile_to(j == WARP_ID ? tile_one() : tile_zero(), rows + j * AREA);
        solve_rows<1>(rows, R, WARP_ID);
        for (int j = WARP_ID; j < NT; ++j)
            for (int e = 0; e < 2; ++e)
                sum += wide_abs2(tile_get(tile_from(rows + j * AREA), e));
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
/* -- from and to global memory --------------------------------------------- */

/* A power of two next to 1 / sqrt(x), for a normal x */
static __device__ double inverse_root(double x)
{
    const int e = (__double2hiint(x) >> 20) - 1023;
    return __hiloint2double((1023 - e / 2) << 20, 0);
}

/* f := the diagonal of D; R and `diagonal` := the tiles of D G D, here with G = A^H A; square :=
 * its diagonal.  Columns beyond A's are those of I.  Returns 0 if a column is zero or its square is
 * out of range. */
static __device__ int load_gram(const wide_t *G, int cols, double *f,
                                double *square, wide_t *R, wide_t *diagonal)
{
    enum { EACH = (LOWER + NT + CORE_WARPS - 1) / CORE_WARPS };
    const int tiles = (cols + TILE - 1) / TILE; /* gram_kernel writes these  */
    int fine = 1, i = 0, j = WARP_ID;
    tile_t g[EACH];

#pragma unroll
    for (int y = 0; y < EACH; ++y) {
        const int x = WARP_ID + y * CORE_WARPS;
        const int on = x >= LOWER && x < LOWER + tiles;
        g[y] = on || x < tiles * (tiles - 1) / 2 ? tile_from(G + x * AREA)
                                                 : tile_zero();
    }
    if (threadIdx.x < COLS) {
        const int c = threadIdx.x;
        const double x =
            c < cols ? wide_re(inverse(G, c / TILE)[place(c % TILE, c % TILE)])
                     : 1;
        fine = x > 0x1p-900 && x < 0x1p900;
        f[c] = fine && c < cols ? inverse_root(x) : 1;
        square[c] = fine ? f[c] * f[c] * x : 1;
    }
    fine = __syncthreads_and(fine);
#pragma unroll
    for (int y = 0; y < EACH; ++y) { /* number i (i - 1) / 2 + j is (i, j)   */
        const int x = WARP_ID + y * CORE_WARPS;
        if (x >= LOWER + NT)
            continue;
        while (x < LOWER && j >= i) {
            j -= i;
            ++i;
        }
        const int on = x >= LOWER, k = on ? x - LOWER : j;
        const int row = TILE * (on ? k : i) + LANE / 4;
#pragma unroll
        for (int e = 0; e < 2; ++e) {
            const int column = TILE * k + 2 * (LANE % 4) + e;
            tile_put(g[y], e,
                     row < cols && column < cols
                         ? wide_scale(f[row] * f[column], tile_get(g[y], e))
                         : wide(row == column, 0));
        }
        tile_to(g[y], on ? diagonal + k * AREA : R + x * AREA);
        j += CORE_WARPS;
    }
    __syncthreads();
    return fine;
}

/* The warp's tiles of A's first rows; those above the diagonal are transposed, and store_top
 * conjugates them. */
enum { TOP = NT * NT / CORE_WARPS };
static __device__ __forceinline__ void load_top(mat_t A,
                                                scalar_t (&top)[TOP][2])
{
#pragma unroll
    for (int y = 0; y < TOP; ++y) {
        const int i = (WARP_ID * TOP + y) / NT, j = (WARP_ID * TOP + y) % NT;
        const int r = LANE / 4, c = 2 * (LANE % 4);
#pragma unroll
        for (int e = 0; e < 2; ++e) {
            const int row = TILE * i + (i < j ? c + e : r);
            const int column = TILE * j + (i < j ? r : c + e);
            top[y][e] = row < A.rows && column < A.cols ? AT(A, row, column)
                                                        : make(0, 0);
        }
    }
}

/* B := A1 D */
static __device__ __forceinline__ void store_top(const scalar_t (&top)[TOP][2],
                                                 const double *f, wide_t *L,
                                                 wide_t *M, wide_t *diagonal)
{
#pragma unroll
    for (int y = 0; y < TOP; ++y) {
        const int i = (WARP_ID * TOP + y) / NT, j = (WARP_ID * TOP + y) % NT;
        tile_t b;
#pragma unroll
        for (int e = 0; e < 2; ++e) {
            const wide_t x = widen(top[y][e]);
            const int c = i < j ? LANE / 4 : 2 * (LANE % 4) + e;
            tile_put(b, e,
                     wide_scale(f[TILE * j + c], i < j ? wide_conj(x) : x));
        }
        tile_to(b, i < j    ? below(M, j, i)
                   : i == j ? diagonal + i * AREA
                            : below(L, i, j));
    }
    __syncthreads();
}

static __device__ __forceinline__ void copy_out(const wide_t *from, wide_t *to,
                                                int count)
{
    const double2 *const x = (const double2 *)from;
    double2 *const y = (double2 *)to;
#pragma unroll 4
    for (int t = threadIdx.x; t < count * (int)sizeof(wide_t) / 16;
         t += CORE_THREADS)
        y[t] = x[t];
}

/* -- kernel ---------------------------------------------------------------- */

/* 1 and 2, from the Gram matrix.  grid: one block; block: 16 warps */
static __global__ void __launch_bounds__(CORE_THREADS, 1)
    core_kernel(mat_t A, wide_work_t w)
{
    extern __shared__ char memory[];
    __shared__ double f[COLS], square[COLS], s[COLS];
    const double most = MOST_CONDITION * MOST_CONDITION;
    const int t = threadIdx.x;
    double determinant = 1;
    scalar_t top[TOP][2];
    core_t x;

    x.R = (wide_t *)memory; /* as carve() has them                           */
    x.R_diagonal = x.R + FACTOR;
    x.L = x.R_diagonal + DIAGONAL;
    x.M = x.L + FACTOR;
    x.L_diagonal = x.M + FACTOR;
    x.s = s;
    load_top(A, top);
    int good = load_gram(w.G, (int)A.cols, f, square, x.R, x.R_diagonal);
    if (good) {
        store_top(top, f, x.L, x.M, x.L_diagonal);
        good = factor(x, &determinant);
    }
    if (t < COLS) { /* rows_kernel reads both before it knows the verdict.   */
        w.f[t] = f[t];
        w.s[t] = good ? s[t] : 0;
    }
    if (good) {
        copy_out(x.R, w.R, 3 * FACTOR + 2 * DIAGONAL);
        if (!(condition_at_most(determinant, square) <= most))
            good = condition(x.R, square, x.L) <= most;
    }
    if (t == 0) {
        *w.verdict = !good;
        atomicAdd(w.way + (good ? WAY_WIDE : WAY_COLUMNS), 1u);
    }
}

#endif /* GSVD_QR_WIDE_CORE_CUH */
