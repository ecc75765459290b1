/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* wide_tiles.cuh -- the common part of the kernels of cholesky_wide.cu: their memory, triangular
 * factors in tiles of 8, and 8 x 8 matrices.
 *
 * A triangular factor F is stored as the 8 x 8 tiles of F^H below the diagonal and the inverses of
 * the diagonal tiles of F^H.  So every product is a tile times the conjugate transpose of a tile,
 * and both have the same layout in registers as in memory.
 */
#ifndef GSVD_QR_WIDE_TILES_CUH
#define GSVD_QR_WIDE_TILES_CUH

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

/* What the kernels tell each other; in global memory. */
typedef struct wide_work {
    double *part; /* PAIRS times the blocks' Gram matrices                  */
    int *arrived; /* PAIRS                                                  */
    int *verdict; /* 1: The panel is left to householder.cu.                 */
    unsigned *road; /* roads.h                                               */
    double *f, *s;  /* D, S                                                   */
    wide_t *G;      /* like R, diagonal tiles in place of the inverted ones   */
    wide_t *R, *R_diagonal, *L, *M;
    wide_t *L_diagonal; /* M on and above the diagonal                       */
} wide_work_t;

/* -- tiles ----------------------------------------------------------------- */

/* Where element (r, c) of a tile stands: neighbours in a row stay neighbours, and the
 * elements of a column do not all share a bank. */
WIDE_FN int place(int r, int c) { return r * TILE + (c ^ (r & 6)); }

/* Two neighbours in a row, which are read at once. */
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

/* The tiles that a factor F keeps: F^H(i, j), i > j, and the inverse of F^H(j, j) */
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

/* -- 8 x 8 matrices, by one warp ------------------------------------------- */

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

/* g = R^H R by g = L D L^H; to_g := R^H, to_y := R^-H.  Answers 0 if R is singular or
 * |R|_F |R^-1|_F is above 2^7; *determinant is multiplied by the determinant of g. */
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
/* -- rows of eight --------------------------------------------------------- */

WIDE_FN wide_t plus(wide_t a, wide_t b)
{
    return wide(wide_re(a) + wide_re(b), wide_im(a) + wide_im(b));
}
WIDE_FN wide_t sum_of(const tile_t (&c)[2][2], int e)
{
    return plus(plus(tile_get(c[0][0], e), tile_get(c[0][1], e)),
                plus(tile_get(c[1][0], e), tile_get(c[1][1], e)));
}

/* x := x F^-1 for EACH times 8 rows x, which stand in EACH neighbouring tiles for each 8
 * columns; the tiles before column `first` are 0.  A lane has its own elements of all
 * tiles: those that are solved stay in registers, the others are 0 there. */
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

#endif /* GSVD_QR_WIDE_TILES_CUH */
