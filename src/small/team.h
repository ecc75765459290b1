/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* team.h -- what a team of threads (core/team.h) does with tiles and columns: text for C and CUDA. */
#ifndef GSVD_SMALL_TEAM_H
#define GSVD_SMALL_TEAM_H

#include "core/reciprocal.h"
#include "core/rotate.h"
#include "core/sumsq.h"
#include "core/team.h"
#include "core/vector.h"

/* A thread's number in its team, and the number of threads */
TEAM_FN int team_rank(team_t t) { return team_squad(t) * LANES + team_lane(t); }
TEAM_FN int team_size(team_t t) { return team_squads(t) * LANES; }

/* A small matrix where its team computes: a view, mat_t with numbers of a short type */
#define tile_t X(tile_t)
typedef struct tile_t {
    scalar_t *data;
    int rows, cols, ld;
} tile_t;

TEAM_FN tile_t tile_view(scalar_t *data, int rows, int cols, int ld)
{
    tile_t A;
    A.data = data;
    A.rows = rows;
    A.cols = cols;
    A.ld = ld;
    return A;
}

/* A(i:i+rows, j:j+cols) */
TEAM_FN tile_t tile_part(tile_t A, int i, int j, int rows, int cols)
{
    return tile_view(A.data + i + j * A.ld, rows, cols, A.ld);
}

/* 2^e x: a product by a normal number rounds like ldexp */
TEAM_FN scalar_t times_power(scalar_t x, int e)
{
    const int far = (GSVD_SINGLE ? FLT_MAX_EXP : DBL_MAX_EXP) - 2;
    if (e > -far && e < far)
        return scale(power_of_two(e), x);
    return make(ldexp_r(re(x), e), ldexp_r(im(x), e));
}

TEAM_FN int least_of(int a, int b) { return a < b ? a : b; }
TEAM_FN int most_of(int a, int b) { return a > b ? a : b; }

/* -- columns, for a squad: rows [from, to) of x and y ---------------------------- */

/* The thread's first row */
TEAM_FN int row_from(team_t t, int from)
{
    return from + ((team_lane(t) - from) & (LANES - 1));
}

TEAM_FN scalar_t squad_sum_of_scalar(team_t t, scalar_t x)
{
    const real_t r = squad_sum(t, re(x));
    return REALS_PER_SCALAR == 2 ? make(r, squad_sum(t, im(x))) : make(r, 0);
}

TEAM_FN real_t column_square(team_t t, int from, int to, const scalar_t *x)
{
    real_t sum = 0;
    if (TEAM_OF_ONE)
        return to > from ? square_of(to - from, x + from) : 0;
    for (int i = row_from(t, from); i < to; i += LANES)
        sum += abs2(x[i]);
    return squad_sum(t, sum);
}

TEAM_FN scalar_t column_dot(team_t t, int from, int to, const scalar_t *x,
                            const scalar_t *y)
{
    scalar_t sum = make(0, 0);
    if (TEAM_OF_ONE)
        return to > from ? dot_of(to - from, x + from, y + from) : sum;
    for (int i = row_from(t, from); i < to; i += LANES)
        sum = mac(conj_of(x[i]), y[i], sum);
    return squad_sum_of_scalar(t, sum);
}

TEAM_FN real_t column_sum(team_t t, int from, int to, const scalar_t *x)
{
    real_t sum = 0;
    for (int i = row_from(t, from); i < to; i += LANES)
        sum += abs_of(x[i]);
    return squad_sum(t, sum);
}

/* |x|, without over- or underflow */
TEAM_FN real_t column_norm(team_t t, int from, int to, const scalar_t *x)
{
    const real_t square = column_square(t, from, to, x);
    sumsq_t s = {0, 0, 0};

    if (square > GSVD_SAFMIN / GSVD_ULP && square <= GSVD_REAL_MAX)
        return sqrt_r(square);
    for (int i = row_from(t, from); i < to; i += LANES)
        sumsq_add(&s, x[i]);
    s.large = squad_sum(t, s.large);
    s.medium = squad_sum(t, s.medium);
    s.small = squad_sum(t, s.small);
    return sumsq_norm(s);
}

TEAM_FN void column_gram(team_t t, int rows, const scalar_t *x,
                         const scalar_t *y, real_t *xx, real_t *yy,
                         scalar_t *xy)
{
    if (TEAM_OF_ONE) {
        gram_of(rows, x, y, xx, yy, xy);
        return;
    }
    real_t sum_x = 0, sum_y = 0;
    scalar_t sum = make(0, 0);
    for (int i = team_lane(t); i < rows; i += LANES) {
        const scalar_t a = x[i], b = y[i];
        sum_x += abs2(a);
        sum_y += abs2(b);
        sum = mac(conj_of(a), b, sum);
    }
    *xx = squad_sum(t, sum_x);
    *yy = squad_sum(t, sum_y);
    *xy = squad_sum_of_scalar(t, sum);
}

/* (x, y) := (x, y) (c, s; -s w, c w), the columns exchanged if swap */
TEAM_FN void column_rotate(team_t t, int rows, scalar_t *x, scalar_t *y,
                           rotation_t r)
{
    if (TEAM_OF_ONE) {
        rotate_both(rows, x, y, r.c, r.s, r.w, r.swap);
        return;
    }
    for (int i = team_lane(t); i < rows; i += LANES) {
        const scalar_t a = x[i], b = mul(r.w, y[i]);
        const scalar_t p = sub(scale(r.c, a), scale(r.s, b));
        const scalar_t q = add(scale(r.s, a), scale(r.c, b));
        x[i] = r.swap ? q : p;
        y[i] = r.swap ? p : q;
    }
}

/* x := a x */
TEAM_FN void column_scale_by(team_t t, int from, int to, scalar_t a,
                             scalar_t *x)
{
    for (int i = row_from(t, from); i < to; i += LANES)
        x[i] = mul(a, x[i]);
}

enum { TEAM_MOST = 32 }; /* the most rows and columns                        */

/* Rows of a column: x(to[i]) := x(i), for i < rows */
TEAM_FN void column_scatter(team_t t, int rows, const int *to, scalar_t *x)
{
    scalar_t keep[TEAM_MOST / LANES];
    for (int i = team_lane(t), k = 0; i < rows; i += LANES, ++k)
        keep[k] = x[i];
    squad_sync(t);
    for (int i = team_lane(t), k = 0; i < rows; i += LANES, ++k)
        x[to[i]] = keep[k];
    squad_sync(t);
}

/* The same of a tile's columns, by the whole team; a barrier comes before it, and another one
 * after it. */
TEAM_FN void scatter_rows(team_t t, const int *to, tile_t A)
{
    team_sync(t);
    for (int j = team_squad(t); j < A.cols; j += team_squads(t))
        column_scatter(t, A.rows, to, &AT(A, 0, j));
    team_sync(t);
}

/* A(:,to[j]) := A(:,j), each thread its rows; barriers likewise */
TEAM_FN void scatter_columns(team_t t, const int *to, tile_t A)
{
    scalar_t row[TEAM_MOST];
    team_sync(t);
    for (int i = team_rank(t); i < A.rows; i += team_size(t)) {
        for (int j = 0; j < A.cols; ++j)
            row[j] = AT(A, i, j);
        for (int j = 0; j < A.cols; ++j)
            AT(A, i, to[j]) = row[j];
    }
    team_sync(t);
}

#endif /* GSVD_SMALL_TEAM_H */
