/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* inner.c -- the loops of inner.h, for the vector unit.
 *
 * They are compiled for several instruction sets, with a b + c as one operation where the set has
 * it.  (The BLAS would start threads in each of our threads.)
 *
 * Columns i and HALF + i meet in a step.  H is read once and written once, to another array.
 * There each column, and each entry within it, has the place where the next step needs it.
 */
#include "jacobi/inner.h"

#include "core/clones.h"
#include "core/rotate.h"

/* A tile of a product, which the registers hold */
enum { TILE = 128 / (int)sizeof(real_t), TILE_COLS = 4 };

enum { LAST = PLANES - 1 }; /* the plane of imaginary parts, if there are     */

/* -- products ----------------------------------------------------------------- */

/* c(i, j) += sign sum_l a(i, l) b(l, j); a by columns, b by rows */
PART void add_tile(int64_t terms, real_t sign, const real_t *a, int64_t lda,
                   const real_t *b, int64_t ldb, real_t *c, int64_t ldc)
{
    real_t sum[TILE_COLS][TILE];
    for (int j = 0; j < TILE_COLS; ++j)
        for (int i = 0; i < TILE; ++i)
            sum[j][i] = 0;
    for (int64_t l = 0; l < terms; ++l)
#pragma GCC unroll 4
        for (int j = 0; j < TILE_COLS; ++j)
#pragma omp simd
            for (int i = 0; i < TILE; ++i)
                sum[j][i] += a[l * lda + i] * b[l * ldb + j];
    for (int j = 0; j < TILE_COLS; ++j)
        for (int i = 0; i < TILE; ++i)
            c[j * ldc + i] += sign * sum[j][i];
}

/* The tiles of H that meet the lower triangle += those of S^H R, so many rows of each */
CLONES
static void add_gram(int64_t rows, const real_t *const *S,
                     const real_t *const *R, real_t *const *H)
{
    for (int j = 0; j < INNER; j += TILE_COLS)
        for (int i = j - j % TILE; i < INNER; i += TILE) {
            real_t *const to = H[0] + j * INNER + i;
            add_tile(rows, 1, S[0] + i, INNER, R[0] + j, INNER, to, INNER);
            if (PLANES == 1)
                continue;
            real_t *const im_ = H[LAST] + j * INNER + i;
            const real_t *const T = S[LAST], *const U = R[LAST];
            add_tile(rows, 1, T + i, INNER, U + j, INNER, to, INNER);
            add_tile(rows, 1, S[0] + i, INNER, U + j, INNER, im_, INNER);
            add_tile(rows, -1, T + i, INNER, R[0] + j, INNER, im_, INNER);
        }
}

/* P += S B for INNER_ROWS rows, S and P by columns, B by rows */
CLONES
static void add_product(int64_t terms, const real_t *const *S,
                        const real_t *const *B, real_t *const *P)
{
    for (int j = 0; j < INNER; j += TILE_COLS)
        for (int i = 0; i < INNER_ROWS; i += TILE) {
            real_t *const to = P[0] + j * INNER_ROWS + i;
            add_tile(terms, 1, S[0] + i, INNER_ROWS, B[0] + j, INNER, to,
                     INNER_ROWS);
            if (PLANES == 1)
                continue;
            real_t *const im_ = P[LAST] + j * INNER_ROWS + i;
            const real_t *const T = S[LAST], *const D = B[LAST];
            add_tile(terms, -1, T + i, INNER_ROWS, D + j, INNER, to,
                     INNER_ROWS);
            add_tile(terms, 1, S[0] + i, INNER_ROWS, D + j, INNER, im_,
                     INNER_ROWS);
            add_tile(terms, 1, T + i, INNER_ROWS, B[0] + j, INNER, im_,
                     INNER_ROWS);
        }
}

static void clear(int64_t count, real_t *x)
{
    for (int64_t i = 0; i < count; ++i)
        x[i] = 0;
}

/* strip := rows r, ... of g_j, as columns */
CLONES
static void load_columns(inner_t *t, const columns_t *g, int64_t r,
                         int64_t rows)
{
    for (int j = 0; j < g->count; ++j) {
        const real_t *const x = (const real_t *)(g->column[j] + r);
        real_t *const to = t->strip + j * INNER_ROWS;
        for (int part = 0; part < PLANES; ++part)
            for (int64_t i = 0; i < rows; ++i)
                to[part * STRIP_PLANE + i] = x[PLANES * i + part];
    }
}

/* strip := rows r, ... of factor[j] g_j, as rows: several columns at a time fill whole lines of a
 * cache. */
CLONES
static void load_rows(inner_t *t, const columns_t *g, int64_t r, int64_t rows,
                      const real_t *factor)
{
    enum { AT_ONCE = 8 };
    for (int j = 0; j < g->count; j += AT_ONCE) {
        const real_t *x[AT_ONCE];
        real_t f[AT_ONCE];
        for (int k = 0; k < AT_ONCE; ++k) {
            const int there = j + k < g->count;
            x[k] = (const real_t *)(g->column[there ? j + k : j] + r);
            f[k] = there ? factor[j + k] : 0;
        }
        for (int part = 0; part < PLANES; ++part)
            for (int64_t i = 0; i < rows; ++i) {
                real_t *const to =
                    t->strip + part * STRIP_PLANE + i * INNER + j;
#pragma GCC unroll 8
                for (int k = 0; k < AT_ONCE; ++k)
                    to[k] = f[k] * x[k][PLANES * i + part];
            }
    }
}

/* Rows r, ... of g_j := product */
CLONES
static void store_columns(const inner_t *t, const columns_t *g, int64_t r,
                          int64_t rows)
{
    for (int j = 0; j < g->count; ++j) {
        real_t *const x = (real_t *)(g->column[j] + r);
        const real_t *const from = t->product + j * INNER_ROWS;
        for (int part = 0; part < PLANES; ++part)
            for (int64_t i = 0; i < rows; ++i)
                x[PLANES * i + part] = from[part * STRIP_PLANE + i];
    }
}

/* The upper triangle of a Hermitian matrix := its lower one */
static void complete(real_t *H)
{
    for (int j = 0; j < INNER; ++j)
        for (int i = j; i < INNER; ++i) {
            H[i * INNER + j] = H[j * INNER + i];
            if (PLANES > 1 && i == j)
                H[LAST * PLANE + j * INNER + j] = 0;
            else if (PLANES > 1)
                H[LAST * PLANE + i * INNER + j] =
                    -H[LAST * PLANE + j * INNER + i];
        }
}

void X(inner_gram)(inner_t *t, const columns_t *g, const real_t *scale)
{
    const real_t *const S[] = {t->strip, t->strip + LAST * STRIP_PLANE};
    real_t *const H[] = {t->H, t->H + LAST * PLANE};
    real_t over[INNER];

    for (int j = 0; j < g->count; ++j)
        over[j] = 1 / scale[j];
    clear(PLANES * PLANE, t->H);
    clear(PLANES * STRIP_PLANE, t->strip);
    for (int64_t r = 0; r < g->rows; r += INNER_ROWS) {
        const int64_t rows = min_i(INNER_ROWS, g->rows - r);
        load_rows(t, g, r, rows, over);
        add_gram(rows, S, S, H);
    }
    complete(t->H);
}

/* t->V2 := V(:, from) by rows, and t->strip by columns */
static void arrange(inner_t *t, const int *from)
{
    for (int part = 0; part < PLANES; ++part)
        for (int j = 0; j < INNER; ++j)
            for (int k = 0; k < INNER; ++k) {
                const real_t v = t->V[part * PLANE + from[j] * INNER + k];
                t->V2[part * PLANE + k * INNER + j] = v;
                t->strip[part * STRIP_PLANE + j * INNER_ROWS + k] = v;
            }
}

/* The larger of the two, NaN if one is */
PART real_t larger(real_t x, real_t y) { return x > y || x != x ? x : y; }

real_t X(inner_polish)(inner_t *t, const int *sign, const int *from)
{
    const real_t *const S[] = {t->V2, t->V2 + LAST * PLANE};
    const real_t *const R[] = {t->H2, t->H2 + LAST * PLANE};
    const real_t *const V[] = {t->strip, t->strip + LAST * STRIP_PLANE};
    real_t *const H[] = {t->H, t->H + LAST * PLANE};
    real_t *const P[] = {t->product, t->product + LAST * STRIP_PLANE};
    real_t most = 0;

    arrange(t, from);
    for (int part = 0; part < PLANES; ++part) /* J V                          */
        for (int k = 0; k < INNER; ++k)
            for (int j = 0; j < INNER; ++j)
                t->H2[part * PLANE + k * INNER + j] =
                    (real_t)sign[k] * t->V2[part * PLANE + k * INNER + j];
    clear(PLANES * PLANE, t->H);
    add_gram(INNER, S, R, H);
    complete(t->H);
    for (int part = 0; part < PLANES; ++part) /* by rows: H^T                 */
        for (int i = 0; i < INNER; ++i)
            for (int j = 0; j < INNER; ++j) {
                const real_t h = t->H[part * PLANE + j * INNER + i];
                const real_t one = part == 0 && i == j;
                const real_t off = (one - (real_t)sign[i] * h) / 2;
                t->H2[part * PLANE + i * INNER + j] = off;
                most = larger(most, fabs_r(off));
            }
    for (int64_t i = 0; i < PLANES * STRIP_PLANE; ++i)
        t->product[i] = t->strip[i];
    add_product(INNER, V, R, P);
    for (int part = 0; part < PLANES; ++part)
        for (int k = 0; k < INNER; ++k)
            for (int j = 0; j < INNER; ++j)
                t->V2[part * PLANE + k * INNER + j] =
                    P[part][j * INNER_ROWS + k];
    return most;
}

void X(inner_change_signs)(inner_t *t, const int *sign)
{
    for (int part = 0; part < PLANES; ++part)
        for (int k = 0; k < INNER; ++k)
            for (int j = 0; j < INNER; ++j)
                t->V2[part * PLANE + k * INNER + j] *=
                    (real_t)(sign[k] * sign[j]);
}

void X(inner_update)(inner_t *t, const columns_t *g)
{
    const real_t *const S[] = {t->strip, t->strip + LAST * STRIP_PLANE};
    const real_t *const B[] = {t->V2, t->V2 + LAST * PLANE};
    real_t *const P[] = {t->product, t->product + LAST * STRIP_PLANE};

    clear(PLANES * STRIP_PLANE, t->strip);
    for (int64_t r = 0; r < g->rows; r += INNER_ROWS) {
        const int64_t rows = min_i(INNER_ROWS, g->rows - r);
        load_columns(t, g, r, rows);
        clear(PLANES * STRIP_PLANE, t->product);
        add_product(g->count, S, B, P);
        store_columns(t, g, r, rows);
    }
}

/* -- rotations ---------------------------------------------------------------- */

/* Where the one at a position stands in the next step.  All pairs: the first stays, the
 * others go to the right in the upper half and to the left in the lower one.  Pairs between
 * the halves: the lower half goes round by one. */
PART int next_position(int i, int all)
{
    if (!all)
        return i < HALF ? i : i == HALF ? INNER - 1 : i - 1;
    if (i == 0 || i == HALF)
        return i / HALF;
    return i < HALF - 1 ? i + 1 : i == HALF - 1 ? INNER - 1 : i - 1;
}

/* The column that stands at a position in the first step */
static int first_position(int i, int all)
{
    return !all ? i : i < HALF ? 2 * i : 2 * (i - HALF) + 1;
}

void X(inner_start)(inner_t *t, int all, const int *order, const real_t *scale,
                    const int *sign)
{
    t->all = all;
    clear(PLANES * PLANE, t->V);
    for (int i = 0; i < INNER; ++i) {
        const int k = order[first_position(i, all)];
        t->label[i] = k;
        t->scale[i] = scale[k];
        t->sign[i] = sign[k];
        t->V[k * INNER + k] = 1;
    }
    for (int part = 0; part < PLANES; ++part)
        for (int j = 0; j < INNER; ++j)
            for (int i = 0; i < INNER; ++i)
                t->H2[part * PLANE + j * INNER + i] =
                    t->H[part * PLANE + t->label[j] * INNER + t->label[i]];
    real_t *const H = t->H;
    t->H = t->H2;
    t->H2 = H;
}

/* The rotations of the step's pairs; the square of the largest cosine */
CLONES
static real_t find_rotations(inner_t *t, real_t tol)
{
    real_t most = 0;
    for (int p = 0; p < HALF; ++p) {
        const int q = HALF + p;
        const real_t *const pq = t->H + q * INNER + p;
        const int sign = t->sign[p] * t->sign[q];
        const scaled_rotation_t m =
            scaled_rotation(t->H[p * INNER + p], t->H[q * INNER + q],
                            make(pq[0], pq[LAST * PLANE]),
                            t->scale[q] / t->scale[p], tol, sign);
        t->c[p] = m.c;
        t->s[p] = m.s;
        t->up[p] = m.s_over_r;
        t->minus_s[p] = sign > 0 ? -m.s : m.s;
        t->down[p] = sign > 0 ? -m.s_r : m.s_r;
        t->w_re[p] = re(m.w);
        t->w_im[p] = im(m.w);
        t->turned[p] = m.cosine2 > 0;
        t->zero[p] = t->turned[p] && !m.part;
        most = m.cosine2 > most ? m.cosine2 : most;
    }
    return most;
}

/* (x2, y2) := (x, y) (c, up; down w, c w), columns of INNER entries, by rotation k; they may
 * be x and y. */
PART void turn_columns(const inner_t *t, int k, real_t up, real_t down,
                       const real_t *x, const real_t *y, int64_t plane,
                       real_t *x2, real_t *y2, int64_t plane2)
{
    const real_t c = t->c[k], wr = t->w_re[k];
#pragma omp simd
    for (int i = 0; i < INNER; ++i) {
        const real_t a = x[i], b = y[i], z = wr * b;
        if (PLANES > 1) {
            const int64_t im_ = LAST * plane, im2 = LAST * plane2;
            const real_t ai = x[im_ + i], bi = y[im_ + i], wi = t->w_im[k];
            const real_t zr = z - wi * bi, zi = wr * bi + wi * b;
            x2[i] = c * a + down * zr;
            y2[i] = up * a + c * zr;
            x2[im2 + i] = c * ai + down * zi;
            y2[im2 + i] = up * ai + c * zi;
        } else {
            x2[i] = c * a + down * z;
            y2[i] = up * a + c * z;
        }
    }
}

/* y := the entries of the column x, turned by the conjugates of all rotations, where
 * the next step wants them */
PART void turn_rows(const inner_t *t, int all, const real_t *x, real_t *y)
{
    for (int part = 0; part < PLANES; ++part) {
        const real_t *const a = x + part * INNER, *const b = a + HALF;
        real_t *const to = y + part * PLANE;
        real_t u[HALF], v[HALF];
#pragma omp simd
        for (int k = 0; k < HALF; ++k) {
            real_t z = t->w_re[k] * b[k];
            if (PLANES > 1) {
                const real_t *const other = x + (LAST - part) * INNER + HALF;
                z += (part ? -t->w_im[k] : t->w_im[k]) * other[k];
            }
            u[k] = t->c[k] * a[k] + t->down[k] * z;
            v[k] = t->up[k] * a[k] + t->c[k] * z;
        }
        for (int k = all; k < HALF - all; ++k)
            to[all + k] = u[k];
        for (int k = 1; k < HALF; ++k)
            to[HALF + k - 1] = v[k];
        if (all) {
            to[0] = u[0];
            to[1] = v[0];
        }
        to[INNER - 1] = all ? u[HALF - 1] : v[0];
    }
}

/* H2 := M^H H M, moved, and V := V M' */
PART void turn_both_sides(inner_t *t, int all)
{
    for (int k = 0; k < HALF; ++k) {
        const int p = next_position(k, all), q = next_position(HALF + k, all);
        real_t u[PLANES * INNER], v[PLANES * INNER];
        turn_columns(t, k, t->up[k], t->down[k], t->H + k * INNER,
                     t->H + (HALF + k) * INNER, PLANE, u, v, INNER);
        turn_rows(t, all, u, t->H2 + p * INNER);
        turn_rows(t, all, v, t->H2 + q * INNER);
        if (!t->turned[k])
            continue;
        real_t *const x = t->V + t->label[k] * INNER;
        real_t *const y = t->V + t->label[HALF + k] * INNER;
        turn_columns(t, k, t->s[k], t->minus_s[k], x, y, PLANE, x, y, PLANE);
    }
}

CLONES
static void turn_all(inner_t *t)
{
    if (t->all)
        turn_both_sides(t, 1);
    else
        turn_both_sides(t, 0);
}

/* What is exact of H2, and everybody's scale, sign and label */
static void move_all(inner_t *t)
{
    real_t scale[INNER];
    int label[INNER], sign[INNER];

    for (int i = 0; i < INNER; ++i) {
        const int to = next_position(i, t->all);
        scale[to] = t->scale[i];
        label[to] = t->label[i];
        sign[to] = t->sign[i];
        if (PLANES > 1)
            t->H2[LAST * PLANE + to * INNER + to] = 0;
    }
    for (int i = 0; i < INNER; ++i) {
        t->scale[i] = scale[i];
        t->label[i] = label[i];
        t->sign[i] = sign[i];
    }
    for (int k = 0; k < HALF; ++k) {
        const int p = next_position(k, t->all);
        const int q = next_position(HALF + k, t->all);
        if (t->zero[k])
            for (int part = 0; part < PLANES; ++part)
                t->H2[part * PLANE + p * INNER + q] =
                    t->H2[part * PLANE + q * INNER + p] = 0;
    }
}

real_t X(inner_step)(inner_t *t, real_t tol)
{
    const real_t most = find_rotations(t, tol);
    real_t *const H = t->H;

    turn_all(t);
    move_all(t);
    t->H = t->H2;
    t->H2 = H;
    return most;
}
