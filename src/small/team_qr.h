/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* team_qr.h -- QR, pivoted QR and RQ of a tile, by a team.
 *
 * A reflector H = I - tau v v^H has its head, where v is 1, in row h.  Its tail is in rows [from,
 * to), next to h: below it in a QR, above it in an RQ.
 *
 * There must be a barrier before each function, and each ends with one, unless its comment says
 * otherwise.
 */
#ifndef GSVD_SMALL_TEAM_QR_H
#define GSVD_SMALL_TEAM_QR_H

#include "qr/reflect.h"
#include "small/team.h"

#define reflector_t X(reflector_t)
typedef struct reflector_t {
    int h, from, to;
} reflector_t;

/* of column j of a QR of so many rows */
TEAM_FN reflector_t reflector_of_qr(int j, int rows)
{
    reflector_t r;
    r.h = j;
    r.from = j + 1;
    r.to = rows;
    return r;
}

/* of column j of an RQ's tile */
TEAM_FN reflector_t reflector_of_rq(int j, int rows)
{
    reflector_t r;
    r.h = rows - 1 - j;
    r.from = 0;
    r.to = r.h;
    return r;
}

/* H^H x = (beta; 0): x := beta and v; returns tau, which all threads know. */
TEAM_FN scalar_t team_reflector(team_t t, reflector_t r, scalar_t *x)
{
    if (TEAM_OF_ONE)
        return reflector_of_parts(&x[r.h], r.to - r.from, x + r.from);
    const scalar_t alpha = x[r.h];
    const real_t rest = column_norm(t, r.from, r.to, x);

    team_sync(t);
    if (!(rest > 0) && im(alpha) == 0)
        return make(0, 0);
    const real_t square = abs2(alpha) + rest * rest;
    const real_t all =
        square_is_safe(square) ? sqrt_r(square) : hypot_r(abs_of(alpha), rest);
    const householder_t h = householder_of_length(alpha, all);
    const int none = re(h.tau) == 0 && im(h.tau) == 0;
    if (team_squad(t) == 0) {
        if (none || h.at_once) {
            column_scale_by(t, r.from, r.to, none ? h.tau : h.over, x);
        } else {
            column_scale_by(t, r.from, r.to, h.unit, x);
            column_scale_by(t, r.from, r.to, make(1 / h.length, 0), x);
        }
        if (team_lane(t) == 0 && !none)
            x[r.h] = make(h.beta, 0);
    }
    team_sync(t);
    return h.tau;
}

/* c := c - tau v (v^H c), for a squad */
TEAM_FN void reflect_column(team_t t, reflector_t r, scalar_t tau,
                            const scalar_t *v, scalar_t *c)
{
    if (TEAM_OF_ONE) {
        reflect_parts(r.to - r.from, tau, v + r.from, &c[r.h], c + r.from);
        return;
    }
    const int first = least_of(r.from, r.h), last = most_of(r.to, r.h + 1);
    scalar_t sum = make(0, 0);
    for (int i = row_from(t, first); i < last; i += LANES)
        sum = i == r.h ? add(c[i], sum) : mac(conj_of(v[i]), c[i], sum);
    const scalar_t w = mul(tau, squad_sum_of_scalar(t, sum));
    const scalar_t minus = make(-re(w), -im(w));
    for (int i = row_from(t, first); i < last; i += LANES)
        c[i] = i == r.h ? add(c[i], minus) : mac(minus, v[i], c[i]);
}

/* reflect_tile by a team of one: 0, with nothing done, where the loops below take no longer */
TEAM_FN int reflect_alone(reflector_t r, scalar_t tau, scalar_t *v, tile_t C,
                          int first)
{
    const int top = least_of(r.from, r.h), n = r.to - r.from + 1;
    WHERE_LONG(n, const scalar_t beta = v[r.h]; scalar_t work[2 * TEAM_MOST];
               v[r.h] = make(1, 0); if (first < C.cols)
                   X(vector_reflect)(n, tau, v + top, work, C.cols - first,
                                     &AT(C, top, first), C.ld);
               v[r.h] = beta; return 1);
    return (void)tau, (void)v, (void)C, (void)first, (void)top, (void)n, 0;
}

/* Columns [first, C.cols) of C := (I - tau v v^H) those, each squad its own: no barrier */
TEAM_FN void reflect_tile(team_t t, reflector_t r, scalar_t tau, scalar_t *v,
                          tile_t C, int first)
{
    if (re(tau) == 0 && im(tau) == 0)
        return;
    if (TEAM_OF_ONE && reflect_alone(r, tau, v, C, first))
        return;
    for (int c = first + team_squad(t); c < C.cols; c += team_squads(t))
        reflect_column(t, r, tau, v, &AT(C, 0, c));
}

/* Columns i and j of A change places, and their numbers; barriers before and after */
TEAM_FN void exchange_columns(team_t t, tile_t A, int i, int j, int *perm)
{
    team_sync(t);
    for (int r = team_rank(t); i != j && r < A.rows; r += team_size(t)) {
        const scalar_t a = AT(A, r, i);
        AT(A, r, i) = AT(A, r, j);
        AT(A, r, j) = a;
    }
    if (team_rank(t) == 0) {
        const int column = perm[i];
        perm[i] = perm[j];
        perm[j] = column;
    }
    team_sync(t);
}

/* Rows i and j of A change places; to: where rows went.  Barriers before and after */
TEAM_FN void exchange_rows(team_t t, tile_t A, int i, int j, int *to)
{
    team_sync(t);
    for (int c = team_rank(t); i != j && c < A.cols; c += team_size(t)) {
        const scalar_t a = AT(A, i, c);
        AT(A, i, c) = AT(A, j, c);
        AT(A, j, c) = a;
    }
    for (int r = team_rank(t); r < A.rows; r += team_size(t))
        to[r] = to[r] == i ? j : to[r] == j ? i : to[r];
    team_sync(t);
}

/* The row from j on with the largest entry of column j */
TEAM_FN int largest_below(tile_t A, int j)
{
    int best = j;
    for (int i = j + 1; i < A.rows; ++i)
        best = abs_max(AT(A, i, j)) > abs_max(AT(A, best, j)) ? i : best;
    return best;
}

/* norm[c] := the length of column c >= first below row `first`, for a squad: its own columns */
TEAM_FN void lengths_below(team_t t, tile_t A, int first, real_t *norm)
{
    for (int c = first + team_squad(t); c < A.cols; c += team_squads(t)) {
        const real_t length = column_norm(t, first, A.rows, &AT(A, 0, c));
        if (team_lane(t) == 0)
            norm[c] = length;
    }
}

/* A P = Q R by exact lengths, from column `first` on; the rows above it are R's.  Stops where
 * no column is longer than tol; tol < 0: nowhere.  perm goes along; norm has room for the
 * columns.  to, unless NULL: where rows went, of which the largest entry of a pivot's column comes to
 * the top (Powell and Reid 1969).  Returns how many columns are done. */
TEAM_STEP int pivot_columns_from(team_t t, tile_t A, int first, real_t tol,
                                 int *perm, int *to, scalar_t *tau,
                                 real_t *norm)
{
    int j = first;

    lengths_below(t, A, first, norm);
    team_sync(t);
    for (; j < least_of(A.rows, A.cols); ++j) {
        const reflector_t r = reflector_of_qr(j, A.rows);
        scalar_t *const v = &AT(A, 0, j);
        int best = j;
        real_t most = norm[j];
        for (int c = j + 1; c < A.cols; ++c) {
            const real_t length = norm[c];
            best = length > most ? c : best;
            most = length > most ? length : most;
        }
        if (tol >= 0 && !(most > tol))
            break;
        exchange_columns(t, A, j, best, perm);
        if (to)
            exchange_rows(t, A, j, largest_below(A, j), to);
        const scalar_t x = team_reflector(t, r, v);
        if (team_rank(t) == 0)
            tau[j] = x;
        reflect_tile(t, r, conj_of(x), v, A, j + 1);
        lengths_below(t, A, j + 1, norm);
        team_sync(t);
    }
    team_sync(t);
    return j;
}

/* A P = Q R likewise from the first column on; perm[j]: which column is at j; the tau
 * of columns that are not done are 0. */
TEAM_FN int team_pivoted_qr(team_t t, tile_t A, real_t tol, int *perm, int *to,
                            scalar_t *tau, real_t *norm)
{
    for (int c = team_rank(t); c < A.cols; c += team_size(t)) {
        perm[c] = c;
        if (c < A.rows)
            tau[c] = make(0, 0);
    }
    team_sync(t);
    return pivot_columns_from(t, A, 0, tol, perm, to, tau, norm);
}

/* C := Q C for the product Q of k reflectors of a QR, or, adjoint, C := Q^H C */
TEAM_STEP void team_apply_q(team_t t, tile_t A, int k, scalar_t *tau,
                            int adjoint, tile_t C)
{
    for (int i = 0; i < k; ++i) {
        const int j = adjoint ? i : k - 1 - i;
        const scalar_t x = adjoint ? conj_of(tau[j]) : tau[j];
        reflect_tile(t, reflector_of_qr(j, A.rows), x, &AT(A, 0, j), C, 0);
    }
    team_sync(t);
}

/* A := the leading columns of the product of its k reflectors, k <= A.cols <= A.rows */
TEAM_STEP void team_form_q(team_t t, tile_t A, int k, scalar_t *tau)
{
    for (int j = A.cols - 1; j >= 0; --j) {
        const scalar_t x = j < k ? tau[j] : make(0, 0);
        reflect_tile(t, reflector_of_qr(j, A.rows), x, &AT(A, 0, j), A, j + 1);
        team_sync(t);
        for (int i = team_rank(t); i < A.rows; i += team_size(t)) {
            const scalar_t v = i > j && j < k ? AT(A, i, j) : make(0, 0);
            AT(A, i, j) =
                i == j ? sub(make(1, 0), x) : mul(make(-re(x), -im(x)), v);
        }
        team_sync(t);
    }
}

/* A = Q R, columns in their order */
TEAM_STEP void team_qr(team_t t, tile_t A, scalar_t *tau)
{
    for (int j = 0; j < least_of(A.rows, A.cols); ++j) {
        const reflector_t r = reflector_of_qr(j, A.rows);
        const scalar_t x = team_reflector(t, r, &AT(A, 0, j));
        if (team_rank(t) == 0)
            tau[j] = x;
        reflect_tile(t, r, conj_of(x), &AT(A, 0, j), A, j + 1);
        team_sync(t);
    }
}

/* -- RQ: S = (0 R) Q^H --------------------------------------------------------- */

/* On entry E, n x l, has the columns of S^H, the last row of S first.  E := the reflectors, and R
 * with R(i,j) = conj(E(n - l + j, l - 1 - i)). */
TEAM_STEP void team_rq(team_t t, tile_t E, scalar_t *tau)
{
    for (int j = 0; j < E.cols; ++j) {
        const reflector_t r = reflector_of_rq(j, E.rows);
        const scalar_t x = team_reflector(t, r, &AT(E, 0, j));
        if (team_rank(t) == 0)
            tau[j] = x;
        reflect_tile(t, r, conj_of(x), &AT(E, 0, j), E, j + 1);
        team_sync(t);
    }
}

/* R(i,j) of such an E */
TEAM_FN scalar_t rq_entry(tile_t E, int i, int j)
{
    const int l = E.cols;
    return i <= j ? conj_of(AT(E, E.rows - l + j, l - 1 - i)) : make(0, 0);
}

/* C := C Q, each thread its rows */
TEAM_STEP void team_rq_apply_right(team_t t, tile_t E, const scalar_t *tau,
                                   tile_t C)
{
    for (int i = team_rank(t); i < C.rows; i += team_size(t))
        for (int j = 0; j < E.cols; ++j) {
            const int h = E.rows - 1 - j;
            scalar_t w = AT(C, i, h);
            for (int r = 0; r < h; ++r)
                w = mac(AT(C, i, r), AT(E, r, j), w);
            w = mul(tau[j], w);
            AT(C, i, h) = sub(AT(C, i, h), w);
            w = make(-re(w), -im(w));
            for (int r = 0; r < h; ++r)
                AT(C, i, r) = mac(w, conj_of(AT(E, r, j)), AT(C, i, r));
        }
    team_sync(t);
}

#endif /* GSVD_SMALL_TEAM_QR_H */
