/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* team_rank.h -- ranks that the diagonal of R hides, by a team: steps 8 to 11 of
 * pivot/geqp.c, with the numbers of pivot/inverse_iteration.c within. */
#ifndef GSVD_BATCH_TEAM_RANK_H
#define GSVD_BATCH_TEAM_RANK_H

#include "pivot/inverse_iteration.h"
#include "small/numbers.h"
#include "small/team_qr.h"

/* x := x / top and *one := *one / top, if top is large; for a squad */
TEAM_FN void team_damp(team_t t, int n, scalar_t *x, real_t top, real_t *one)
{
    squad_sync(t);
    if (top > LARGE_ENTRY) {
        column_scale_by(t, 0, n, make(1 / top, 0), x);
        *one /= top;
    }
    squad_sync(t);
}

/* 1 to 4: |R(r-1,r-1)| <= the result if column *column is the last; by one squad */
TEAM_STEP real_t squad_inverse_iteration(team_t t, tile_t R, real_t tol,
                                         scalar_t *x, int *column)
{
    const int n = R.cols;
    real_t one = 1, most = 0;

    for (int i = 0; i < n; ++i) { /* 1 */
        const scalar_t dot = column_dot(t, 0, i, &AT(R, 0, i), x);
        const scalar_t y =
            inverse_iteration_next(one, dot, conj_of(AT(R, i, i)));
        if (team_lane(t) == 0)
            x[i] = y;
        team_damp(t, i + 1, x, abs_of(y), &one);
    }
    const real_t length = column_norm(t, 0, n, x);
    const real_t bound = one * sqrt_r((real_t)n) / length;
    *column = 0;
    if (bound > (real_t)n * tol) /* 2 */
        return bound;
    column_scale_by(t, 0, n, make(1 / length, 0), x);
    one = 1;
    for (int j = n - 1; j >= 0; --j) { /* 3 */
        squad_sync(t);
        const scalar_t y = quotient(x[j], AT(R, j, j));
        squad_sync(t);
        if (team_lane(t) == 0)
            x[j] = y;
        team_damp(t, n, x, abs_of(y), &one);
        const scalar_t z = x[j];
        squad_sync(t);
        for (int i = row_from(t, 0); i < j; i += LANES)
            x[i] = sub(x[i], mul(z, AT(R, i, j)));
    }
    squad_sync(t);
    for (int i = 0; i < n; ++i) /* 4 */
        if (abs_of(x[i]) > most) {
            most = abs_of(x[i]);
            *column = i;
        }
    return one / most;
}

/* 8 and 9: the column on which a value of R(0:r,0:r) below tol rests, or -1; to has room for a
 * number, and x for r */
TEAM_STEP int find_hidden(team_t t, tile_t A, int r, real_t tol, scalar_t *x,
                          int *to)
{
    const tile_t R = tile_part(A, 0, 0, r, r);
    const real_t top = r > 0 ? abs_of(AT(R, 0, 0)) : 0;
    real_t below = top * (real_t)0.6, least = GSVD_REAL_MAX;
    int column = -1;

    for (int i = 0; i < r; ++i) {
        const real_t d = abs_of(AT(R, i, i));
        below *= i > 0 ? d / top : 1;
        least = d < least ? d : least;
    }
    if (r == 0 || below > tol)
        return -1;
    if (team_squad(t) == 0) {
        const real_t bound = squad_inverse_iteration(t, R, tol, x, &column);
        if (!hides_value(bound, tol, least))
            column = -1;
        if (team_lane(t) == 0)
            *to = column;
    }
    team_sync(t);
    column = *to;
    team_sync(t);
    return column;
}

/* A := Q R of its first r columns, and of the others likewise */
TEAM_STEP void team_undo_qr(team_t t, tile_t A, int r, scalar_t *tau)
{
    for (int j = r - 1; j >= 0; --j) {
        const scalar_t top = AT(A, j, j), x = tau[j];
        reflect_tile(t, reflector_of_qr(j, A.rows), x, &AT(A, 0, j), A, j + 1);
        team_sync(t);
        for (int i = j + team_rank(t); i < A.rows; i += team_size(t)) {
            const scalar_t v = i > j ? AT(A, i, j) : make(1, 0);
            const scalar_t e = make(i == j ? 1 : 0, 0);
            AT(A, i, j) = mul(top, sub(e, mul(x, v)));
        }
        team_sync(t);
    }
}

/* 8 to 11 of a pivoted QR by tol that found the rank r; returns the rank */
TEAM_STEP int team_reveal(team_t t, tile_t A, int r, real_t tol, int *perm,
                          scalar_t *tau, real_t *norm, scalar_t *x, int *to)
{
    int p = find_hidden(t, A, r, tol, x, to);
    while (p >= 0) {
        const tile_t first = tile_part(A, 0, 0, A.rows, r - 1);
        const tile_t rest = tile_part(A, 0, r - 1, A.rows, A.cols - r + 1);
        team_undo_qr(t, A, r, tau); /* 10 */
        exchange_columns(t, A, p, r - 1, perm);
        r = pivot_columns_from(t, first, 0, tol, perm, NULL, tau, norm);
        team_apply_q(t, first, r, tau, 1, rest);
        r = pivot_columns_from(t, A, r, tol, perm, NULL, tau, norm); /* 11 */
        p = find_hidden(t, A, r, tol, x, to);
    }
    return r;
}

#endif /* GSVD_BATCH_TEAM_RANK_H */
