/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* cholesky_wide.cu -- QR factorization of a panel of up to 128 columns at once (complex: 64).
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
 * Q is as orthonormal as rounding in double times the square of R's condition
 * (Yamazaki, Tomov and Dongarra 2015).  In single precision that is below rounding as
 * long as |R D'|_F |(R D')^-1|_F <= 2^14, columns of one length; the diagonal tiles
 * of 8 are of condition 2^7 at most.  Else householder.cu takes the panel.  In double
 * this condition would have to be below 40.
 *
 * A launch each: the Gram matrix (gram_kernel), 1 and 2 by one block (core_kernel), 3
 * (rows_kernel), householder.cu's, which returns at once where it is not wanted.  The
 * device decides; the host does not wait.
 *
 * A triangular factor F is kept as the 8 x 8 tiles of F^H below the diagonal and the
 * inverted diagonal ones, so that every product is a tile by a tile's conjugate
 * transpose: both stand in registers as they stand in memory.
 */
#include <cuda_pipeline.h>

#include "qr/demand.h"
#include "qr/panel/cholesky_strip.cuh"
#include "qr/panel/cholesky_wide.h"

enum {
    COLS = WIDEST,
    NT = COLS / TILE,
    AREA = TILE * TILE,
    LOWER = NT * (NT - 1) / 2,
    FACTOR = (LOWER + NT) * AREA, /* elements of a factor                    */
    DIAGONAL = NT * AREA,
    STRIPS = COLS / STRIP,
    PAIRS = STRIPS * (STRIPS + 1) / 2, /* of strips, in a Gram matrix        */
    CORE_WARPS = 16,
    ROW_WARPS = 4,
    T_BLOCKS = (NT / 2 + ROW_WARPS - 1) / ROW_WARPS,
    TOP_BLOCKS = NT / ROW_WARPS
};

#define MOST_CONDITION (GSVD_SINGLE ? 0x1p14 : 0x1p5)

/* What the kernels tell each other; in global memory. */
typedef struct wide_work {
    double *part; /* PAIRS times the blocks' Gram matrices                  */
    int *arrived; /* PAIRS                                                  */
    int *
        verdict; /* 1: householder.cu has to do it                             */
    unsigned *road;
    double *f, *s; /* D, S                                                   */
    wide_t *G;     /* like R, diagonal tiles in place of the inverted ones   */
    wide_t *R, *R_diagonal, *L, *M;
    wide_t *L_diagonal; /* M on and above the diagonal                       */
} wide_work_t;

/* -- device functions: tiles --------------------------------------------------- */

/* Element (r, c) of a tile: two next to each other stay so, and those of a column do
 * not all share a bank. */
WIDE_FN int place(int r, int c) { return r * TILE + (c ^ (r & 6)); }

/* Two elements, next to each other, are read at once. */
struct __align__(16) couple { wide_t x[2]; };

WIDE_FN tile_t tile_from(const wide_t *t)
{
    const struct couple at =
        *(const struct couple *)(t + place(LANE / 4, 2 * (LANE % 4)));
    tile_t c;
    tile_put(c, 0, at.x[0]);
    tile_put(c, 1, at.x[1]);
    return c;
}

WIDE_FN void tile_to(const tile_t &c, wide_t *t)
{
    const struct couple at = {{tile_get(c, 0), tile_get(c, 1)}};
    *(struct couple *)(t + place(LANE / 4, 2 * (LANE % 4))) = at;
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

/* -- device functions: 8 x 8 matrices, by one warp ---------------------------------- */

/* Element (k, column or row of the lane) of a tile that the warp holds */
WIDE_FN wide_t from_row(const tile_t &c, int k, int e)
{
    return wide_shuffle(tile_get(c, e), 4 * k + LANE % 4);
}
WIDE_FN wide_t from_column(const tile_t &c, int k)
{
    return wide_shuffle(tile_get(c, k % 2), LANE / 4 * 4 + k / 2);
}
WIDE_FN wide_t from_diagonal(const tile_t &c, int k)
{
    return wide_shuffle(tile_get(c, k % 2), 4 * k + k / 2);
}

WIDE_FN tile_t tile_one()
{
    tile_t c;
#pragma unroll
    for (int e = 0; e < 2; ++e)
        tile_put(c, e, wide(LANE / 4 == 2 * (LANE % 4) + e, 0));
    return c;
}

/* c := c - l r for the lane's row factor l and two column factors r */
WIDE_FN void eliminate(tile_t &c, wide_t l, const wide_t (&r)[2])
{
#pragma unroll
    for (int e = 0; e < 2; ++e)
        tile_put(c, e, wide_sub(l, r[e], tile_get(c, e)));
}

/* g = R^H R by g = L D L^H; to_g := R^H, to_y := R^-H.  0 if R is singular or
 * |R|_F |R^-1|_F above 2^7; *determinant is multiplied by that of g. */
static __device__ __noinline__ int
cholesky_tile(tile_t g, wide_t *to_g, wide_t *to_y, double *determinant)
{
    const int row = LANE / 4, column = 2 * (LANE % 4);
    tile_t y = tile_one();
    double root_row = 0, root[2] = {0, 0}, length[2] = {0, 0};
    int good = 1;

#pragma unroll
    for (int k = 0; k < TILE; ++k) {
        const double d = wide_re(from_diagonal(g, k));
        const double over = quick_inverse(d);
        const wide_t x = from_column(g, k);
        const wide_t l =
            row > k ? wide_scale(over, x) : wide(0, 0); /* of unit lower L   */
        const wide_t of_y[2] = {from_row(y, k, 0), from_row(y, k, 1)};
        wide_t of_g[2];
#pragma unroll
        for (int e = 0; e < 2; ++e) {
            const wide_t r = from_row(g, k, e);
            of_g[e] = column + e > k ? r : wide(0, 0);
        }
        eliminate(g, l, of_g);
        eliminate(y, l, of_y);
        const double size = quick_rsqrt(d);
        root_row = row == k ? size : root_row;
#pragma unroll
        for (int e = 0; e < 2; ++e)
            if (column + e == k) {
                root[e] = size;
                if (row > k)
                    tile_put(g, e, l);
                length[e] = d;
            }
        *determinant *= d;
        good &= d > 0x1p-60 && d < 8;
    }
    double r = 0, s = 0;
#pragma unroll
    for (int e = 0; e < 2; ++e) {
        const double w = root[e] * length[e]; /* sqrt d                      */
        const wide_t u = row > column + e ? wide_scale(w, tile_get(g, e))
                                          : wide(row == column + e ? w : 0, 0);
        const wide_t v = row >= column + e
                             ? wide_scale(root_row, tile_get(y, e))
                             : wide(0, 0);
        tile_put(g, e, u);
        tile_put(y, e, v);
        r += wide_abs2(u);
        s += wide_abs2(v);
    }
    tile_to(g, to_g);
    tile_to(y, to_y);
    return good && warp_total(r) * warp_total(s) <= 0x1p14;
}

/* B - S R = L M; to_b := L below, M on and above the diagonal, to_y := L^-1, to_z :=
 * M^-H; RH = R^H */
static __device__ __noinline__ void lu_tile(tile_t b, const wide_t *RH,
                                            double *s, wide_t *to_b,
                                            wide_t *to_y, wide_t *to_z)
{
    const int row = LANE / 4, column = 2 * (LANE % 4);
    tile_t y = tile_one(), x = y; /* x: L^-1 on its left, M^-1 at the end    */

#pragma unroll
    for (int k = 0; k < TILE; ++k) {
        const wide_t p = from_diagonal(b, k), of_x = from_column(x, k);
        const double sign = wide_re(p) < 0 ? 1 : -1;
        const wide_t over = wide_inverse(
            wide(wide_re(p) - sign * wide_re(RH[place(k, k)]), wide_im(p)));
        const wide_t c = from_column(b, k);
        const wide_t l = row > k ? wide_mul(c, over) : wide(0, 0);
        const wide_t m = wide_mul(of_x, over);
        const wide_t of_y[2] = {from_row(y, k, 0), from_row(y, k, 1)};
        wide_t of_b[2];
#pragma unroll
        for (int e = 0; e < 2; ++e) { /* row k, less that of S R             */
            const wide_t u = from_row(b, k, e);
            const wide_t r = wide_conj(RH[place(column + e, k)]);
            const wide_t v = wide(wide_re(u) - sign * wide_re(r),
                                  wide_im(u) - sign * wide_im(r));
            if (row == k && column + e >= k)
                tile_put(b, e, v);
            of_b[e] = column + e > k ? v : wide(0, 0);
        }
        eliminate(b, l, of_b);
        eliminate(y, l, of_y);
        eliminate(x, m, of_b);
#pragma unroll
        for (int e = 0; e < 2; ++e)
            if (column + e == k) {
                tile_put(x, e, m);
                if (row > k)
                    tile_put(b, e, l);
            }
        if (LANE == k)
            s[k] = sign;
    }
    tile_to(b, to_b);
    tile_to(y, to_y);
#pragma unroll
    for (int e = 0; e < 2; ++e)
        to_z[place(column + e, row)] =
            row <= column + e ? wide_conj(tile_get(x, e)) : wide(0, 0);
    __syncwarp();
}

/* -- device functions: 1 and 2, side by side ------------------------------------------ */

/* Two warps have a diagonal tile each at a time, of 1 and, one step behind, of 2: a
 * chain of divisions.  Twelve others do the products; none of these is on the two
 * warps' quarter of the multiprocessor, where it would hold up the chain.
 *
 * All warps meet twice a step.  With j the step of 1, its first half writes nothing but
 * the tiles next to diagonal tile j of R and next to j - 1 of L and M.  Its second half
 * reads these, and writes tiles right of and below both diagonal tiles, each by one
 * warp, and the next diagonal tiles with their inverses, by the two warps of the chains.
 * What a half writes no other warp reads or writes in the same half: no two accesses to
 * one place of shared memory, of which one writes, are without a barrier between them.
 * (A named barrier of the twelve, at which the two warps arrive without waiting, is as
 * safe, but compute-sanitizer's racecheck, of CUDA 13.0, then takes what is ordered by
 * a later __syncthreads for a race.) */
enum {
    CORE_THREADS = 32 * CORE_WARPS,
    OF_1 = 0,
    OF_2 = 4,
    WORKERS = CORE_WARPS / 4 * 3
};

/* The matrices of core_kernel, in shared memory.  B stands where L and M will:
 * conjugate transposed above the diagonal. */
typedef struct core {
    wide_t *R, *R_diagonal, *L, *M, *L_diagonal;
    double *s;
} core_t;

/* M'(i, j) = (B(j, i) - S R(j, i))^H L(j, j)^-H, its columns' signs in s */
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

/* Diagonal tile j + 1 of 1, as it was, and the tile l on its left, by which it becomes
 * c - l l^H: what warp OF_1 does in the first half of step j */
static __device__ __forceinline__ void next_of_R(const core_t &x, int j,
                                                 tile_t &c, tile_t &l)
{
    wide_t *const at = below(x.R, j + 1, j);
    c = tile_from(x.R_diagonal + (j + 1) * AREA);
    l = outer(tile_from(at), tile_from(inverse(x.R, j)));
    tile_to(l, at);
}

/* Diagonal tile j + 1 of 2, as it was, the tile l on its left, and m, conjugate
 * transposed, above it: it becomes c - l m^H */
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

/* Tiles next to diagonal tile j of 1, of 2; worker w's */
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

/* c(i) -= v(i) b^H, or b v(i)^H if LEFT, for tiles c(i) and v(i), i = 0, 1, ...,
 * count - 1: from one to the next it is to_c and to_v elements, and in steps that grow
 * by a tile each time. */
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

/* F(i, k) -= P(i, j) Q(k, j)^H for i > k; of the diagonal tile as well, unless it is
 * the next */
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

/* The products of step j of 1: columns k and, as the rest of a pair, the one as far
 * from the end as k is from the next; of 2: of L column k, of M row k.  As many for
 * each k. */
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

/* ... of step j of 1 and j - 1 of 2, shared out among the workers */
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

/* G = R^H R, B - S R = L M; 0 if a diagonal tile of R is not well conditioned; to
 * all threads.  *determinant: of G, in a thread of warp OF_1 */
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

/* -- device functions: rows ------------------------------------------------------------ */

WIDE_FN wide_t plus(wide_t a, wide_t b)
{
    return wide(wide_re(a) + wide_re(b), wide_im(a) + wide_im(b));
}
WIDE_FN wide_t sum_of(const tile_t (&c)[2][2], int e)
{
    return plus(plus(tile_get(c[0][0], e), tile_get(c[0][1], e)),
                plus(tile_get(c[1][0], e), tile_get(c[1][1], e)));
}

/* Rows x := x F^-1, EACH times 8 of them in so many tiles next to each other for each 8
 * columns; those before tile `first` are 0.  A lane has its own elements of all
 * tiles.  What is solved stays in registers; what is not yet is 0 there. */
template <int EACH>
static __device__ __noinline__ void solve_rows(wide_t *rows, const wide_t *F,
                                               int first)
{
    tile_t x[EACH][NT];
#pragma unroll
    for (int t = 0; t < EACH; ++t)
#pragma unroll
        for (int k = 0; k < NT; ++k)
            x[t][k] = tile_zero();
#pragma unroll 1
    for (int j = first; j < NT; ++j) {
        wide_t *const at = rows + EACH * j * AREA;
        const wide_t *const f = below(F, j, 0);
        const tile_t over = tile_from(inverse(F, j));
        tile_t p[EACH][2][2], y[EACH];
#pragma unroll
        for (int t = 0; t < EACH; ++t) {
            p[t][0][1] = p[t][1][0] = p[t][1][1] = y[t] = tile_zero();
            p[t][0][0] = tile_from(at + t * AREA);
        }
#pragma unroll
        for (int k = 0; k < NT; k += 4) {
            if (k >= j)
                break;
#pragma unroll
            for (int u = 0; u < 4; ++u) {
                const tile_t b = tile_from(f + (k + u) * AREA);
#pragma unroll
                for (int s = 0; s < 2; ++s) {
                    const wide_t r = negative(wide_conj(tile_get(b, s)));
                    if (EACH == 1)
                        tile_step(p[0][u % 2][s], tile_get(x[0][k + u], s), r);
                    else
                        tile_pair(p[0][u % 2][s], p[EACH - 1][u % 2][s],
                                  tile_get(x[0][k + u], s),
                                  tile_get(x[EACH - 1][k + u], s), r);
                }
            }
        }
#pragma unroll
        for (int e = 0; e < 2; ++e) { /* the four sums' elements e           */
            const wide_t r = wide_conj(tile_get(over, e));
            if (EACH == 1)
                tile_step(y[0], sum_of(p[0], e), r);
            else
                tile_pair(y[0], y[EACH - 1], sum_of(p[0], e),
                          sum_of(p[EACH - 1], e), r);
        }
#pragma unroll
        for (int t = 0; t < EACH; ++t) {
            tile_to(y[t], at + t * AREA);
#pragma unroll
            for (int k = 0; k < NT; ++k)
                if (k == j)
                    x[t][k] = y[t];
        }
    }
}

/* At least the square of |R D|_F |(R D)^-1|_F, columns of R D of length 1, by the
 * determinant of R^H R (Hong and Pan 1992): |det R D|^2 <= e sigma_min^2.  To all
 * threads; square: of R's columns */
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

/* That square itself, to all threads; room: for R^-1, 8 rows a warp */
static __device__ __noinline__ double
condition(const wide_t *R, const double *square, wide_t *room)
{
    __shared__ double part[CORE_WARPS];
    double sum = 0;
    if (WARP_ID < NT) {
        wide_t *const rows = room + WARP_ID * DIAGONAL;
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

/* w.G := A^H A, on and below the diagonal.  grid: x rows.blocks, y pairs of strips;
 * block: 8 warps.  The last block of a pair sums its parts. */
static __global__ void __launch_bounds__(THREADS)
    gram_kernel(mat_t A, rows_t rows, wide_work_t w)
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
    double sum[GRAM / THREADS] = {};
#pragma unroll 4
    for (int b = 0; b < (int)gridDim.x; ++b)
#pragma unroll
        for (int q = 0; q < GRAM / THREADS; ++q)
            sum[q] +=
                __ldcg(part + (int64_t)b * GRAM + q * THREADS + threadIdx.x);
#pragma unroll
    for (int q = 0; q < STRIP * STRIP / THREADS; ++q) {
        const int x = q * THREADS + threadIdx.x, lane = x % 32, t = x / AREA;
        const int i = TILES * I + t / TILES, j = TILES * J + t % TILES;
        if (i >= j)
            (i == j ? inverse(w.G, j)
                    : below(w.G, i,
                            j))[place(lane / 4, 2 * (lane % 4) + x / 32 % 2)] =
                wide(sum[q],
                     sum[q + GRAM / THREADS / WIDE_PARTS * (WIDE_PARTS - 1)]);
    }
}

/* A power of two next to 1/sqrt x, for a normal x */
static __device__ double inverse_root(double x)
{
    const int e = (__double2hiint(x) >> 20) - 1023;
    return __hiloint2double((1023 - e / 2) << 20, 0);
}

/* D and D G D; columns beyond A's are those of I.  0 if a column is zero, or its
 * square no good number. */
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

/* The warp's tiles of A's first rows, as factor() expects them: conjugate transposed
 * above the diagonal */
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

/* 1 and 2 after the Gram matrix.  grid: one block; block: 16 warps */
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
    if (t < COLS) { /* rows_kernel reads both before it knows the verdict    */
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
        atomicAdd(w.road + (good ? ROAD_WIDE : ROAD_COLUMNS), 1u);
    }
}

/* A factor into shared memory, on its way; barriers are the caller's */
static __device__ __forceinline__ void fetch_factor(const wide_t *from,
                                                    wide_t *to)
{
    enum { EACH = 16 / sizeof(wide_t) };
#pragma unroll 4
    for (int x = threadIdx.x; x < FACTOR / EACH; x += 32 * ROW_WARPS)
        __pipeline_memcpy_async(to + EACH * x, from + EACH * x, 16);
    __pipeline_commit();
}

/* All but the last `left` of them have arrived */
static __device__ __forceinline__ void wait_factor(int left)
{
    if (left == 0)
        __pipeline_wait_prior(0);
    else
        __pipeline_wait_prior(1);
    __syncthreads();
}

/* 16 rows of V from i on */
static __device__ void row_tiles(mat_t A, mat_t V, int64_t i, const double *f,
                                 const wide_t *M, wide_t *rows)
{
    i += LANE / 4;
#pragma unroll 16
    for (int j = 0; j < 2 * NT; ++j) {
        tile_t c;
#pragma unroll
        for (int e = 0; e < 2; ++e) {
            const int column = TILE * (j / 2) + 2 * (LANE % 4) + e;
            tile_put(c, e,
                     wide_scale(f[column], entry(A, i + j % 2 * TILE, column)));
        }
        tile_to(c, rows + j * AREA);
    }
    solve_rows<2>(rows, M, 0);
#pragma unroll 4
    for (int j = 0; j < 2 * NT; ++j) {
        const tile_t c = tile_from(rows + j * AREA);
        const int64_t row = i + j % 2 * TILE;
#pragma unroll
        for (int e = 0; e < 2; ++e) {
            const int column = TILE * (j / 2) + 2 * (LANE % 4) + e;
            const scalar_t v = narrow(tile_get(c, e));
            if (column >= A.cols || row >= A.rows)
                continue;
            AT(A, row, column) = v;
            if (V.data)
                AT(V, row, column) = v;
        }
    }
}

/* Rows of T = -M R^-1 S L^-H, 16 to a warp */
static __device__ void triangle_tiles(mat_t T, int block, const wide_work_t &w,
                                      const double *s, wide_t *F, wide_t *rows)
{
    const int i = 2 * (block * ROW_WARPS + WARP_ID);
    const int r = LANE / 4, c = 2 * (LANE % 4);

    fetch_factor(w.R, F);
    fetch_factor(w.L, F + FACTOR);
    if (i < NT)
#pragma unroll 8
        for (int j = 2 * i; j < 2 * NT; ++j) { /* of M                       */
            const int row = i + j % 2, column = j / 2;
            tile_t m;
#pragma unroll
            for (int e = 0; e < 2; ++e) {
                const wide_t x =
                    column > row
                        ? wide_conj(below(w.M, column, row)[place(c + e, r)])
                        : w.L_diagonal[row * AREA + place(r, c + e)];
                const int there = column > row || (column == row && r <= c + e);
                tile_put(m, e, there ? x : wide(0, 0));
            }
            tile_to(m, rows + j * AREA);
        }
    wait_factor(1);
    if (i < NT) {
        solve_rows<2>(rows, F, i);
        for (int j = 2 * i; j < 2 * NT; ++j) {
            tile_t x = tile_from(rows + j * AREA);
#pragma unroll
            for (int e = 0; e < 2; ++e)
                tile_put(
                    x, e,
                    wide_scale(-s[TILE * (j / 2) + c + e], tile_get(x, e)));
            tile_to(x, rows + j * AREA);
        }
    }
    wait_factor(0);
    if (i >= NT)
        return;
    solve_rows<2>(rows, F + FACTOR, i);
    for (int j = 0; j < 2 * NT; ++j) {
        const tile_t x = tile_from(rows + j * AREA);
        const int row = TILE * (i + j % 2) + r;
#pragma unroll
        for (int e = 0; e < 2; ++e) {
            const int column = TILE * (j / 2) + c + e;
            if (row < T.rows && column < T.cols)
                AT(T, row, column) =
                    row <= column ? narrow(tile_get(x, e)) : make(0, 0);
        }
    }
}

/* The first rows of A := S R D^-1, L below; of V := L; tau := diag(T); tile row i */
static __device__ void top_tiles(mat_t A, scalar_t *tau, mat_t V, int i,
                                 const wide_work_t &w)
{
    for (int x = LANE; x < TILE * COLS; x += 32) {
        const int r = x % TILE, j = x / AREA, c = x / TILE % TILE;
        const int row = TILE * i + r, column = TILE * j + c;
        if (row >= A.rows || column >= A.cols)
            continue;
        const wide_t *const l = i == j  ? w.L_diagonal + i * AREA
                                : i > j ? below(w.L, i, j)
                                        : NULL;
        const wide_t *const rh = i == j  ? w.R_diagonal + i * AREA
                                 : i < j ? below(w.R, j, i)
                                         : NULL;
        const scalar_t v =
            row > column ? narrow(l[place(r, c)]) : make(row == column, 0);
        AT(A, row, column) =
            row > column ? v
                         : narrow(wide_scale(w.s[row] / w.f[column],
                                             wide_conj(rh[place(c, r)])));
        if (V.data)
            AT(V, row, column) = v;
        if (row == column)
            tau[column] = narrow(wide_scale(
                -w.s[row] / wide_re(rh[place(r, r)]), l[place(r, r)]));
    }
}

/* 3.  grid: TOP_BLOCKS for the first rows, T_BLOCKS for T, if it is asked for, then
 * some for the rows; block: 4 warps, of 8 rows each at the top, 16 elsewhere */
static __global__ void __launch_bounds__(32 * ROW_WARPS)
    rows_kernel(mat_t A, scalar_t *tau, mat_t V, mat_t T, wide_work_t w)
{
    extern __shared__ char memory[];
    wide_t *const F = (wide_t *)memory;
    wide_t *const rows = F + 2 * FACTOR + WARP_ID * 2 * DIAGONAL;
    const int for_T = T.data ? T_BLOCKS : 0, before = TOP_BLOCKS + for_T;
    const int block = (int)blockIdx.x;
    __shared__ double scale[COLS]; /* D, for T S                             */

    for (int c = threadIdx.x; c < COLS; c += blockDim.x)
        scale[c] = block < before ? w.s[c] : w.f[c];
    if (*w.verdict)
        return;
    if (block < TOP_BLOCKS) {
        top_tiles(A, tau, V, block * ROW_WARPS + WARP_ID, w);
        return;
    }
    if (block < before) {
        triangle_tiles(T, block - TOP_BLOCKS, w, scale, F, rows);
        return;
    }
    fetch_factor(w.M, F);
    wait_factor(0);
    for (int64_t i =
             COLS + 16 * ((int64_t)(block - before) * ROW_WARPS + WARP_ID);
         i < A.rows; i += 16 * ROW_WARPS * ((int64_t)gridDim.x - before))
        row_tiles(A, V, i, scale, F, rows);
}

/* -- launchers ------------------------------------------------------------------ */

static void carve(arena_t *a, const exec_t *ex, wide_work_t *w)
{
    const int64_t blocks = max_i(cuda_of(ex->h)->multiprocessors, PAIRS);
    w->part = (double *)gsvd_arena_take(a, blocks * GRAM, sizeof(double));
    w->f = (double *)gsvd_arena_take(a, COLS, sizeof(double));
    w->s = (double *)gsvd_arena_take(a, COLS, sizeof(double));
    w->G = (wide_t *)gsvd_arena_take(a, FACTOR, sizeof(wide_t));
    w->R =
        (wide_t *)gsvd_arena_take(a, 3 * FACTOR + 2 * DIAGONAL, sizeof(wide_t));
    w->arrived = (int *)gsvd_arena_take(a, PAIRS, sizeof(int));
    w->verdict = (int *)gsvd_arena_take(a, 1, sizeof(int));
    w->road = cuda_of(ex->h)->road;
    if (!w->R)
        return;
    w->R_diagonal = w->R + FACTOR; /* as core_kernel has them                 */
    w->L = w->R_diagonal + DIAGONAL;
    w->M = w->L + FACTOR;
    w->L_diagonal = w->M + FACTOR;
}

size_t X(cholesky_wide_bytes)(const exec_t *ex)
{
    arena_t count = {0, 0, 0, 0};
    wide_work_t w;
    carve(&count, ex, &w);
    return gsvd_arena_bytes(&count) + X(householder_bytes)();
}

static demand_t gram_demand(void)
{
    return demand("gram_kernel", 0, (const void *)gram_kernel, THREADS,
                  (size_t)WARPS * GRAM * sizeof(double));
}

static demand_t core_demand(void)
{
    return demand("core_kernel", 0, (const void *)core_kernel, CORE_THREADS,
                  (size_t)(3 * FACTOR + 2 * DIAGONAL) * sizeof(wide_t));
}

static demand_t rows_demand(void)
{
    return demand("rows_kernel", 0, (const void *)rows_kernel, 32 * ROW_WARPS,
                  (size_t)(2 * FACTOR + 2 * ROW_WARPS * DIAGONAL) *
                      sizeof(wide_t));
}

int X(cholesky_wide_demands)(demand_t *d)
{
    d[0] = gram_demand();
    d[1] = core_demand();
    d[2] = rows_demand();
    return 3;
}

gsvd_status_t X(cholesky_wide_cuda)(const exec_t *ex, mat_t A, scalar_t *tau,
                                    mat_t V, mat_t T, void *memory)
{
    const cudaStream_t stream = stream_of(ex);
    const demand_t gram = gram_demand(), core = core_demand();
    const demand_t solve = rows_demand();
    const rows_t rows =
        share_rows(A.rows, cuda_of(ex->h)->multiprocessors / PAIRS);
    const size_t bytes = X(cholesky_wide_bytes)(ex) - X(householder_bytes)();
    arena_t a = gsvd_arena_over(memory, bytes);
    wide_work_t w;

    carve(&a, ex, &w);
    GSVD_TRY(gsvd_allow_shared(ex->h, &gram));
    GSVD_TRY(gsvd_allow_shared(ex->h, &core));
    GSVD_TRY(gsvd_allow_shared(ex->h, &solve));
    GSVD_CUDA(ex->h,
              cudaMemsetAsync(w.arrived, 0, PAIRS * sizeof(int), stream));
    gram_kernel<<<dim3((unsigned)rows.blocks, PAIRS), THREADS, gram.bytes,
                  stream>>>(A, rows, w);
    GSVD_TRY(gsvd_launched(ex->h, "gram"));
    core_kernel<<<1, CORE_THREADS, core.bytes, stream>>>(A, w);
    GSVD_TRY(gsvd_launched(ex->h, "core"));
    const int64_t blocks =
        (A.rows - COLS + 16 * ROW_WARPS - 1) / (16 * ROW_WARPS);
    const int64_t all =
        TOP_BLOCKS + (T.data ? (int64_t)T_BLOCKS : 0) +
        max_i(min_i(blocks, cuda_of(ex->h)->multiprocessors), 0);
    rows_kernel<<<(unsigned)all, 32 * ROW_WARPS, solve.bytes, stream>>>(
        A, tau, V, T, w);
    GSVD_TRY(gsvd_launched(ex->h, "rows"));
    return X(householder_cuda)(ex, A, tau, V, T, w.verdict,
                               (char *)memory + bytes);
}
