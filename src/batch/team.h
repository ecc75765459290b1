/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* team.h -- a team of threads that has one small problem: text for C and CUDA.
 *
 * A team consists of squads of LANES threads.  A squad works on columns: its lane i has
 * rows i, i + LANES, ..., of every column, so that a squad needs no barrier between two
 * operations on columns of its own.  What all threads are to know of a column, its length say,
 * each squad computes for itself, with the same bits.
 *
 * On the CPU a team is one thread: loops over lanes are loops over rows, and barriers are
 * nothing.  Tests have teams of many threads there (tests/harness/team_of_threads.h).
 *
 *     TEAM_FN     a function that is inlined          TEAM_STEP   one that is not, on a device
 *     team_sync   a barrier of all threads            squad_sync  of those of a squad
 *     team_any    is x true in one of them?           squad_sum   the sum of x over a squad
 */
#ifndef GSVD_BATCH_TEAM_H
#define GSVD_BATCH_TEAM_H

#include "core/rotate.h"
#include "core/sumsq.h"
#include "core/vector.h"

#if defined GSVD_TEAM_OF_TESTS

#include "harness/team_of_threads.h"

#elif defined __CUDACC__

#define TEAM_FN static __device__ __forceinline__
#define TEAM_STEP static __device__ __noinline__
enum { LANES = 8, TEAM_OF_ONE = 0, LANES_OF_WARP = 32 };

/* A team of more than a warp is a thread block. */
typedef struct team {
    int lane, squad, squads;
    unsigned squad_mask, mask; /* lanes of the warp: the squad's, the team's  */
} team_t;

TEAM_FN int team_lane(team_t t) { return t.lane; }
TEAM_FN int team_squad(team_t t) { return t.squad; }
TEAM_FN int team_squads(team_t t) { return t.squads; }
TEAM_FN int team_is_block(team_t t) { return t.squads * LANES > LANES_OF_WARP; }

TEAM_FN void team_sync(team_t t)
{
    if (team_is_block(t))
        __syncthreads();
    else
        __syncwarp(t.mask);
}

TEAM_FN int team_any(team_t t, int x)
{
    if (team_is_block(t))
        return __syncthreads_or(x);
    __syncwarp(t.mask);
    return __any_sync(t.mask, x);
}

TEAM_FN void squad_sync(team_t t) { __syncwarp(t.squad_mask); }

TEAM_FN real_t squad_sum(team_t t, real_t x)
{
    for (int lanes = LANES / 2; lanes > 0; lanes /= 2)
        x += __shfl_xor_sync(t.squad_mask, x, lanes);
    return x;
}

#else

#define TEAM_FN static inline
#define TEAM_STEP static
enum { LANES = 1, TEAM_OF_ONE = 1 };

typedef struct team {
    int squads; /* 1                                                         */
} team_t;

TEAM_FN int team_lane(team_t t) { return (void)t, 0; }
TEAM_FN int team_squad(team_t t) { return (void)t, 0; }
TEAM_FN int team_squads(team_t t) { return (void)t, 1; }
TEAM_FN void team_sync(team_t t) { (void)t; }
TEAM_FN void squad_sync(team_t t) { (void)t; }
TEAM_FN int team_any(team_t t, int x) { return (void)t, x; }
TEAM_FN real_t squad_sum(team_t t, real_t x) { return (void)t, x; }

#endif

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

/* a b + sum: one rounding on a device, where that is one operation */
TEAM_FN scalar_t mac(scalar_t a, scalar_t b, scalar_t sum)
{
#if defined __CUDACC__
    return mul_add(a, b, sum);
#else
    return add(mul(a, b), sum);
#endif
}

/* 2^e, a normal number */
TEAM_FN real_t power_of_two(int e)
{
#if !defined __CUDACC__
    return ldexp_r(1, e);
#elif GSVD_SINGLE
    return __int_as_float((e + 127) << 23);
#else
    return __hiloint2double((e + 1023) << 20, 0);
#endif
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
    return GSVD_COMPLEX ? make(r, squad_sum(t, im(x))) : make(r, 0);
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
    real_t sum_x = 0, sum_y = 0;
    scalar_t sum = make(0, 0);
    if (TEAM_OF_ONE) {
        gram_of(rows, x, y, xx, yy, xy);
        return;
    }
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

#endif /* GSVD_BATCH_TEAM_H */
