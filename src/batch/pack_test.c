/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* pack_test.c -- the test of a pack with signs: are X and Z what they come from, R P and I?
 *
 * With Z by a vector x (probe.h), without Z by the product of the values, which is |det R|. */
#include "batch/lanes.h"
#include "batch/probe.h"

/* What a lane is: V^H J V has drifted; a result is wrong; of that mending knows nothing */
enum { DRIFTED = 1, WRONG = PACK_WRONG, NOT_MENDED = 4 };

/* Of the product of squares, at most this and what R's condition does to it */
#define LARGE_QUOTIENT ((real_t)0.02)

/* y := y + f C(:,j) x_j, f = 2^(e_j - top) */
PART void add_column(const pack_t *w, const real_t *C, int64_t j,
                     const entry_t *x, entry_t *y)
{
    _Alignas(64) real_t f[LANES];
    entry_t fx;

    for (int l = 0; l < LANES; ++l)
        f[l] = lanes_power(w->e[j][l] - w->top[l]);
    for (int part = 0; part < REALS_PER_SCALAR; ++part)
        fx.part[part] = *(const lanes_t *)f * x->part[part];
    for (int64_t i = 0; i < w->N; ++i)
        entry_add(&fx, entries(C + j * w->next) + i, &y[i]);
}

/* *e and *m: a product of numbers, as m 2^e, m >= 1, times x */
PART void multiply(const real_t *x, real_t *m, lane_int_t *e)
{
    const bits_t digits = ((bits_t)1 << REAL_DIGITS) - 1;

#pragma omp simd
    for (int l = 0; l < LANES; ++l) {
        const real_bits_t all = {.x = x[l]};
        const real_bits_t some = {.bits = (all.bits & digits) |
                                          (bits_t)REAL_BIAS << REAL_DIGITS};
        m[l] *= some.x + 0 * x[l]; /* NaN, if x is                           */
        e[l] += (lane_int_t)(all.bits >> REAL_DIGITS) - REAL_BIAS;
    }
}

/* The product of R's diagonal, squared */
PART void probe_diagonal(pack_t *w)
{
    for (int64_t j = 0; j < w->N; ++j) {
        _Alignas(64) real_t square[LANES], diagonal[LANES];
        lanes_square(j + 1, w->T + j * w->next, square);
        lanes_square(1, w->T + j * w->next + j * ENTRY, diagonal);
        multiply(diagonal, w->product, w->product_e);
        for (int l = 0; l < LANES; ++l) {
            w->product_e[l] += 2 * w->e[j][l];
            const real_t part = square[l] / diagonal[l];
            w->worst2[l] = part > w->worst2[l] ? part : w->worst2[l];
        }
    }
}

CLONES
void X(pack_probe)(pack_t *w)
{
    entry_t *const y = (entry_t *)w->probe;

    for (int l = 0; l < LANES; ++l) {
        w->longest2[l] = w->worst2[l] = 0;
        w->product[l] = 1;
        w->product_e[l] = 0;
        w->top[l] = w->e[0][l];
    }
    for (int64_t j = 1; j < w->N; ++j)
        for (int l = 0; l < LANES; ++l)
            w->top[l] = w->e[j][l] > w->top[l] ? w->e[j][l] : w->top[l];
    if (!w->with_z) {
        probe_diagonal(w);
        return;
    }
    for (int64_t i = 0; i < w->N; ++i)
        y[i] = (entry_t){0};
    for (int64_t j = 0; j < w->N; ++j) {
        _Alignas(64) real_t square[LANES];
        const entry_t x = {{(lanes_t){0} + probe_entry(j)}};
        add_column(w, w->X, j, &x, y);
        lanes_square(w->N, w->X + j * w->next, square);
        for (int l = 0; l < LANES; ++l) {
            const real_t f = lanes_power(w->e[j][l] - w->top[l]);
            const real_t length2 = f * f * square[l];
            w->longest2[l] =
                length2 > w->longest2[l] ? length2 : w->longest2[l];
        }
    }
}

/* wrong := these bits where an entry of y is above `most`, or NaN */
PART void look(int64_t rows, const entry_t *y, const real_t *most2,
               lane_int_t bits, lane_int_t *wrong)
{
    for (int64_t i = 0; i < rows; ++i) {
        lanes_t square = {0};
        entry_square(&y[i], &square);
        for (int l = 0; l < LANES; ++l)
            wrong[l] |= !(square[l] <= most2[l]) ? bits : 0;
    }
}

/* x^H D^-1 (Z^H J' Z - J') D^-1, entry by entry; over2: D^-2 */
PART void look_at_z(const pack_t *w, real_t over2[][LANES], lane_int_t *wrong)
{
    const real_t unit = (real_t)w->N * GSVD_EPS;
    const real_t some = SOME_DEFECT * unit, large = LARGE_DEFECT * unit;
    _Alignas(64) real_t some2[LANES], large2[LANES];
    entry_t y[PACK_COLS];

    for (int l = 0; l < LANES; ++l) {
        some2[l] = some * some;
        large2[l] = large * large;
    }
    for (int64_t i = 0; i < w->N; ++i)
        y[i] = (entry_t){0};
    for (int64_t j = 0; j < w->N; ++j) {
        entry_t x = {{(lanes_t){0}}};
        for (int l = 0; l < LANES; ++l)
            x.part[0][l] = probe_entry(j) * sqrt_r(over2[j][l]);
        for (int64_t i = 0; i < w->N; ++i)
            entry_add(&x, entries(w->Z + j * w->next) + i, &y[i]);
    }
    for (int64_t i = 0; i < w->N; ++i)
        for (int part = 0; part < REALS_PER_SCALAR; ++part)
            y[i].part[part] *= *(const lanes_t *)w->sign[i];
    for (int64_t j = 0; j < w->N; ++j) {
        entry_t t = {{(lanes_t){0}}};
        for (int64_t i = 0; i < w->N; ++i)
            entry_dot(&y[i], entries(w->Z + j * w->next) + i, &t);
        for (int l = 0; l < LANES; ++l) {
            const real_t over = sqrt_r(over2[j][l]);
            for (int part = 0; part < REALS_PER_SCALAR; ++part)
                t.part[part][l] *= over;
            t.part[0][l] -= w->sign[j][l] * probe_entry(j) * over2[j][l];
        }
        look(1, &t, some2, DRIFTED, wrong);
        look(1, &t, large2, WRONG, wrong);
    }
}

/* (R P - X Z^H) x; most: Z's longest column, squared */
PART void look_at_x(const pack_t *w, const real_t *most, lane_int_t *wrong)
{
    const real_t bound = LARGE_RESIDUAL * (real_t)w->N * GSVD_EPS;
    _Alignas(64) real_t most2[LANES];
    entry_t y[PACK_COLS];

    for (int l = 0; l < LANES; ++l)
        most2[l] = bound * bound * w->longest2[l] * most[l];
    for (int64_t i = 0; i < w->N; ++i)
        for (int part = 0; part < REALS_PER_SCALAR; ++part)
            y[i].part[part] = -((const entry_t *)w->probe)[i].part[part];
    for (int64_t j = 0; j < w->N; ++j) {
        entry_t u = {{(lanes_t){0}}};
        for (int64_t i = 0; i < w->N; ++i) {
            const entry_t x = {{(lanes_t){0} + probe_entry(i)}};
            entry_dot(entries(w->Z + j * w->next) + i, &x, &u);
        }
        add_column(w, w->X, j, &u, y);
    }
    look(w->N, y, most2, WRONG | NOT_MENDED, wrong);
}

/* The product of the values */
PART void look_at_product(const pack_t *w, lane_int_t *wrong)
{
    _Alignas(64) real_t m[LANES];
    lane_int_t e[LANES] = {0};

    for (int l = 0; l < LANES; ++l)
        m[l] = 1;
    for (int64_t j = 0; j < w->N; ++j) {
        multiply(w->square[j], m, e);
        for (int l = 0; l < LANES; ++l)
            e[l] += 2 * w->e[j][l];
    }
    for (int l = 0; l < LANES; ++l) {
        const real_t part =
            m[l] / w->product[l] * lanes_power(e[l] - w->product_e[l]);
        const real_t most =
            1 + LARGE_QUOTIENT +
            128 * (real_t)w->N * GSVD_EPS * sqrt_r(w->worst2[l]);
        wrong[l] |= part <= most && part * most >= 1 ? 0 : WRONG;
    }
}

CLONES
int X(pack_test)(pack_t *w)
{
    lane_int_t *const wrong = w->wrong;
    _Alignas(64) column_reals_t over2;
    _Alignas(64) real_t most[LANES] = {0};
    int some = 0;

    for (int l = 0; l < LANES; ++l)
        wrong[l] = 0;
    if (!w->with_z) {
        look_at_product(w, wrong);
    } else {
        for (int64_t j = 0; j < w->N; ++j) {
            _Alignas(64) real_t square[LANES];
            lanes_square(w->N, w->Z + j * w->next, square);
            for (int l = 0; l < LANES; ++l) {
                wrong[l] |= square[l] <= GSVD_REAL_MAX ? 0 : WRONG | NOT_MENDED;
                most[l] = square[l] > most[l] ? square[l] : most[l];
                over2[j][l] = 1 / square[l];
            }
        }
        look_at_z(w, over2, wrong);
        look_at_x(w, most, wrong);
    }
    for (int l = 0; l < LANES; ++l)
        some |= wrong[l] != 0 && w->info[l] == 0;
    return some;
}

/* -- columns of one lane --------------------------------------------------------- */

PART scalar_t entry_at(const real_t *x, int64_t i)
{
    return make(x[i * ENTRY], x[i * ENTRY + IMAG]);
}

PART void put_at(real_t *x, int64_t i, scalar_t a)
{
    x[i * ENTRY] = re(a);
    if (LAST)
        x[i * ENTRY + IMAG] = im(a);
}

/* x := f x + a y */
static void combine(int64_t rows, real_t f, scalar_t a, const real_t *y,
                    real_t *x)
{
    for (int64_t i = 0; i < rows; ++i)
        put_at(x, i, add(scale(f, entry_at(x, i)), mul(a, entry_at(y, i))));
}

/* x^H J' y of columns of Z */
static scalar_t signed_dot(const pack_t *w, int l, const real_t *x,
                           const real_t *y)
{
    scalar_t sum = make(0, 0);
    for (int64_t i = 0; i < w->N; ++i)
        sum = add(sum, scale(w->sign[i][l],
                             mul(conj_of(entry_at(x, i)), entry_at(y, i))));
    return sum;
}

/* The columns of X by length, the longest first */
static void order_by_length(const pack_t *w, int l, int *order)
{
    for (int j = 0; j < w->N; ++j) {
        int place = j;
        for (; place > 0; --place) {
            const int64_t k = order[place - 1];
            const real_t f = lanes_power(w->e[k][l] - w->e[j][l]);
            if (f * f * w->square[k][l] >= w->square[j][l])
                break;
            order[place] = order[place - 1];
        }
        order[place] = j;
    }
}

/* Makes the columns of Z J'-orthonormal by Gram and Schmidt, in the order of the columns of X, the
 * longest first.  X is changed such that X Z^H stays: with h = z_p^H J' z_q,
 * z_q := z_q - s_p h z_p and x_p := x_p + s_p conj(h) x_q.  Returns 0 if Z is too far from
 * J'-orthonormal. */
static int mend_lane(pack_t *w, int l)
{
    int order[PACK_COLS];

    order_by_length(w, l, order);
    for (int i = 0; i < w->N; ++i) {
        const int q = order[i];
        real_t *const x = w->X + q * w->next + l, *const z =
                                                      w->Z + q * w->next + l;
        for (int k = 0; k < i; ++k) {
            const int p = order[k];
            real_t *const y = w->X + p * w->next + l;
            const real_t *const v = w->Z + p * w->next + l;
            const scalar_t h = scale(w->sign[p][l], signed_dot(w, l, v, z));
            const real_t f = lanes_power(w->e[q][l] - w->e[p][l]);
            combine(w->N, 1, scale(-1, h), v, z);
            combine(w->N, 1, scale(f, conj_of(h)), x, y);
        }
        const real_t square = w->sign[q][l] * re(signed_dot(w, l, z, z));
        if (!(square > (real_t)0.5 && square < 2))
            return 0;
        const real_t length = sqrt_r(square);
        combine(w->N, 1 / length, make(0, 0), z, z);
        combine(w->N, length, make(0, 0), x, x);
    }
    return 1;
}

int X(pack_mend)(pack_t *w)
{
    int some = 0;
    for (int l = 0; l < LANES; ++l) {
        const lane_int_t state = w->wrong[l];
        if (w->info[l] != 0 || w->unfinished[l] || !(state & DRIFTED) ||
            state & NOT_MENDED)
            continue;
        w->todo[l] = mend_lane(w, l);
        w->unfinished[l] = !w->todo[l];
        some |= w->todo[l] != 0;
    }
    return some;
}
