/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* gsvd_preprocess.h -- steps 1 and 2 of a pair of a batch, by a team: scaling, and
 * the triangular pair, with the numbers of urv/preprocess.c.
 *
 * Reflectors stay where they arise, in A, B and E, until the factors are formed: U, V and Q
 * are never formed twice.  Where A has no more rows than A23 may have, step 6 is left out, and
 * so is an RQ of what is triangular already.
 */
#ifndef GSVD_BATCH_GSVD_PREPROCESS_H
#define GSVD_BATCH_GSVD_PREPROCESS_H

#include "batch/batch.h"
#include "batch/team_rank.h"
#include "small/team_pair.h"

/* -- 1 ------------------------------------------------------------------------- */

/* Is A, over 2^down, to lose entries that count?  size has room for its columns, and for its
 * rows.  As in gsvd/scale.c rows are compared once columns are alike. */
TEAM_STEP int tile_loses(team_t t, tile_t A, int down, real_t *size)
{
    real_t longest, shortest, most = 0, least = GSVD_REAL_MAX;

    for (int j = team_squad(t); j < A.cols; j += team_squads(t)) {
        const real_t x = column_norm(t, 0, A.rows, &AT(A, 0, j));
        if (team_lane(t) == 0)
            size[j] = x;
    }
    team_sync(t);
    (void)extremes_of(A.cols, size, &longest, &shortest);
    for (int i = 0; i < A.rows; ++i) {
        real_t x = 0;
        for (int j = 0; j < A.cols; ++j)
            if (size[j] > 0)
                x = fmax_r(x,
                           ldexp_r(abs_max(AT(A, i, j)),
                                   exponent_r(longest) - exponent_r(size[j])));
        most = fmax_r(most, x);
        least = x > 0 && x < least ? x : least;
    }
    team_sync(t);
    return loses_entries(most, least, shortest, down);
}

TEAM_FN void times_power_of_tile(team_t t, tile_t A, int e)
{
    for (int j = team_squad(t); j < A.cols && e != 0; j += team_squads(t))
        for (int i = team_lane(t); i < A.rows; i += LANES)
            AT(A, i, j) = times_power(AT(A, i, j), e);
}

/* A := 2^-e A, which may be smaller: what that loses */
TEAM_STEP int scale_down(team_t t, team_pair_t *P, tile_t A, int e)
{
    const int first = e < LENGTH_BITS ? e : LENGTH_BITS;
    int lost;

    times_power_of_tile(t, A, -first);
    team_sync(t);
    lost = tile_loses(t, A, e - first, reals_of(P, ALPHA));
    times_power_of_tile(t, A, first - e);
    return lost;
}

/* A := 2^-e A with its rows, of these sizes, sorted where they differ or zeros count */
TEAM_STEP void scale_tile(team_t t, team_pair_t *P, tile_t A, int e,
                          const real_t *size, int *to, int *sorted)
{
    real_t most, least;

    (void)extremes_of(A.rows, size, &most, &least);
    *sorted = rows_are_sorted(most, least) ||
              zeros_are_sorted(A.rows, nonzero_of(A.rows, size), A.cols);
    P->apart += bits_apart(most, least);
    if (e > 0)
        P->lost |= scale_down(t, P, A, e);
    else
        times_power_of_tile(t, A, -e);
    if (*sorted) {
        place_rows(t, A.rows, size, to);
        scatter_rows(t, to, A);
    }
    team_sync(t);
}

/* 1, and P->apart by rows; 0, or ILLEGAL_A or ILLEGAL_B: a matrix is not finite */
TEAM_STEP int scale_tiles(team_t t, team_pair_t *P)
{
    real_t *const a = reals_of(P, NORM), *const b = reals_of(P, SCALE);
    real_t most_a, most_b, unused;

    sizes_of_rows(t, P->A, a);
    sizes_of_rows(t, P->B, b);
    team_sync(t);
    if (!extremes_of(P->m, a, &most_a, &unused))
        return ILLEGAL_A;
    if (!extremes_of(P->p, b, &most_b, &unused))
        return ILLEGAL_B;
    P->ea = most_a > 0 ? exponent_r(most_a) + 1 : 0;
    P->eb = most_b > 0 ? exponent_r(most_b) + 1 : 0;
    P->top = pair_top(P->ea, P->eb);
    P->ea -= P->top;
    P->eb -= P->top;
    P->lost = P->apart = 0;
    scale_tile(t, P, P->A, P->ea, a, ints_of(P, ROW_A), &P->sort_a);
    scale_tile(t, P, P->B, P->eb, b, ints_of(P, ROW_B), &P->sort_b);
    return 0;
}

/* The tolerance of the rank of A, 2^-e times the caller's matrix, if `given` is his for
 * that, or negative: LAPACK's.  *apart: the sums of its columns differ by so much, if that is known;
 * else the largest number.  P->apart by columns: far, if nothing is known. */
TEAM_FN real_t tolerance_of(team_t t, team_pair_t *P, tile_t A, real_t given,
                            int e, real_t *apart)
{
    real_t *const sum = reals_of(P, NORM);
    real_t most, least, shortest = GSVD_REAL_MAX;
    const real_t floor = least_tolerance(A.rows, A.cols, given >= 0, e);

    *apart = GSVD_REAL_MAX;
    if (given >= 0) {
        P->apart += TANGENT_FAR;
        return fmax_r(ldexp_r(given, -e), floor);
    }
    for (int j = team_squad(t); j < A.cols; j += team_squads(t)) {
        const real_t x = column_sum(t, 0, A.rows, &AT(A, 0, j));
        if (team_lane(t) == 0)
            sum[j] = x;
    }
    team_sync(t);
    (void)extremes_of(A.cols, sum, &most, &least);
    for (int j = 0; j < A.cols; ++j)
        shortest = sum[j] < shortest ? sum[j] : shortest;
    team_sync(t);
    P->apart += bits_apart(most, least);
    *apart = shortest > 0 ? most / shortest : GSVD_REAL_MAX;
    return fmax_r(rank_tolerance(A.rows, A.cols, most), floor);
}

/* -- 1 of a pair whose columns differ: urv/equilibrate.c -------------------------- */

/* That of the scaled matrix; no tolerance becomes larger, unless all columns count anyway. */
TEAM_FN real_t scaled_tolerance(const team_pair_t *P, real_t own, real_t scaled)
{
    const int all = P->equilibrate == GSVD_EQUILIBRATE_ON;
    return all || scaled < own ? scaled : own;
}

/* Are lengths of columns worth a look?  Those of sums differ from them by sqrt(TEAM_MOST), and by a
 * factor of 2 they are rounded to powers of two. */
enum { SUMS_ALIKE = GSVD_SINGLE ? 5 : 80 };

TEAM_FN int may_differ(const team_pair_t *P, real_t apart_a, real_t apart_b)
{
    const int on = P->equilibrate == GSVD_EQUILIBRATE_ON;
    const int apart = apart_a > SUMS_ALIKE && apart_b > SUMS_ALIKE;
    return P->equilibrate != GSVD_EQUILIBRATE_OFF && P->m + P->p > 0 &&
           (on || (apart && P->tola < 0 && P->tolb < 0));
}

/* d := the scales; do columns differ so much that they are wanted? */
TEAM_STEP int find_scales(team_t t, team_pair_t *P, real_t tola, real_t tolb)
{
    const int all = P->equilibrate == GSVD_EQUILIBRATE_ON;
    real_t *const a = reals_of(P, ALPHA), *const b = reals_of(P, BETA);
    real_t top_a = 0, top_b = 0, most = 1;

    for (int j = team_squad(t); j < P->n; j += team_squads(t)) {
        const real_t x = column_norm(t, 0, P->m, &AT(P->A, 0, j));
        const real_t y = column_norm(t, 0, P->p, &AT(P->B, 0, j));
        if (team_lane(t) == 0) {
            a[j] = x;
            b[j] = y;
        }
    }
    team_sync(t);
    for (int j = 0; j < P->n; ++j) {
        top_a = fmax_r(top_a, a[j]);
        top_b = fmax_r(top_b, b[j]);
    }
    for (int j = team_rank(t); j < P->n; j += team_size(t))
        P->d[j] = joint_scale(a[j], b[j], all ? 0 : tola, all ? 0 : tolb,
                              exponent_r(top_a), exponent_r(top_b));
    team_sync(t);
    for (int j = 0; j < P->n; ++j)
        most = fmax_r(most, P->d[j]);
    P->lost |= scales_end(most) && tola + tolb > 0;
    return all ? most > 4 : sizes_differ(most, 1);
}

/* A := A D, and its rows sorted again */
TEAM_STEP void scale_columns(team_t t, team_pair_t *P, tile_t A, int *row,
                             int *sorted)
{
    real_t *const size = reals_of(P, NORM);
    real_t most, least;
    int *const to = ints_of(P, TO);

    for (int j = team_squad(t); j < A.cols; j += team_squads(t))
        column_scale_by(t, 0, A.rows, make(P->d[j], 0), &AT(A, 0, j));
    team_sync(t);
    sizes_of_rows(t, A, size);
    team_sync(t);
    (void)extremes_of(A.rows, size, &most, &least);
    team_sync(t);
    if (!rows_are_sorted(most, least))
        return;
    place_rows(t, A.rows, size, to);
    scatter_rows(t, to, A);
    for (int i = team_rank(t); i < A.rows; i += team_size(t))
        row[i] = to[*sorted ? row[i] : i];
    *sorted = 1;
    team_sync(t);
}

/* B D = Q (R; 0): R := R D^-1 */
TEAM_FN void scale_back(team_t t, team_pair_t *P)
{
    const int *const perm = ints_of(P, PERM_B);
    team_sync(t); /* All have read R for its rank.                           */
    for (int j = team_squad(t); j < P->n; j += team_squads(t))
        column_scale_by(t, 0, j + 1, make(1 / P->d[perm[j]], 0),
                        &AT(P->B, 0, j));
    team_sync(t);
}

/* -- 2 ------------------------------------------------------------------------- */

/* E := the rows of S = A(0:r,:), r of its A.cols columns, as team_rq wants them, and
 * E := its RQ; the triangle goes to A's last r columns.  The columns behind the first r come before
 * these in E (urv/gerqf.c), and in perm. */
TEAM_STEP void trapezoid_to_triangle(team_t t, const team_pair_t *P, tile_t A,
                                     tile_t E, int *perm, scalar_t *tau)
{
    const int r = E.cols, n = E.rows, rest = n - r;
    int *const was = ints_of(P, TO);

    for (int j = team_squad(t); j < r; j += team_squads(t)) {
        const int i = r - 1 - j;
        for (int c = team_lane(t); c < n; c += LANES) {
            const int from = c < rest ? r + c : c - rest;
            AT(E, c, j) = from >= i ? conj_of(AT(A, i, from)) : make(0, 0);
        }
    }
    for (int c = team_rank(t); c < n; c += team_size(t))
        was[c] = perm[c];
    team_sync(t);
    for (int c = team_rank(t); c < n; c += team_size(t))
        perm[c] = was[c < rest ? r + c : c - rest];
    team_rq(t, E, tau);
    for (int j = team_squad(t); j < r; j += team_squads(t))
        for (int i = team_lane(t); i <= j; i += LANES)
            AT(A, i, n - r + j) = rq_entry(E, i, j);
    team_sync(t);
}

/* 3: A := A P1 Q1 */
TEAM_FN void turn_columns_of_a(team_t t, team_pair_t *P)
{
    const int *const perm = ints_of(P, PERM_B);
    int *const to = ints_of(P, TO);

    for (int j = team_rank(t); j < P->n; j += team_size(t))
        to[perm[j]] = j;
    scatter_columns(t, to, P->A);
    if (P->l < P->n)
        team_rq_apply_right(t, P->E, tau_of(P, TAU_B), P->A);
}

/* The pivoted QR of A by tol, and, where it is looked for, a hidden rank */
TEAM_FN int revealing_qr(team_t t, team_pair_t *P, tile_t A, real_t tol,
                         int *perm, scalar_t *tau)
{
    real_t *const norm = reals_of(P, NORM);
    const int r = team_pivoted_qr(t, A, tol, perm, NULL, tau, norm);
    return P->reveal && tol > 0 && r > 0
               ? team_reveal(t, A, r, tol, perm, tau, norm,
                             tau_of(P, TAU_SPARE), ints_of(P, TO))
               : r;
}

/* 6: the QR of A23, pivoted, where it has more rows than columns */
TEAM_FN void factor_a23(team_t t, team_pair_t *P)
{
    const int rows = P->m - P->k, l = P->l, tall = rows > l;
    int *const column = ints_of(P, COLUMN_A), *const perm = ints_of(P, TO);
    int *const height = ints_of(P, ROWS_A);

    if (tall)
        team_pivoted_qr(t, tile_part(P->A, P->k, P->n - l, rows, l), -1, perm,
                        NULL, tau_of(P, TAU_U) + P->k, reals_of(P, NORM));
    for (int j = team_rank(t); j < l; j += team_size(t)) {
        const int at = tall ? perm[j] : j;
        column[at] = j;
        height[at] = tall ? j + 1 : rows;
    }
    P->m1 = least_of(rows, l);
    team_sync(t);
}

/* steps 1 and 2; 0, or ILLEGAL_A or ILLEGAL_B: a matrix is not finite */
TEAM_STEP int team_preprocess(team_t t, team_pair_t *P)
{
    const int n = P->n;

    real_t a, b;
    const int illegal = scale_tiles(t, P);

    if (illegal != 0)
        return illegal;
    real_t tola = tolerance_of(t, P, P->A, P->tola, P->ea, &a);
    real_t tolb = tolerance_of(t, P, P->B, P->tolb, P->eb, &b);

    P->equilibrated = may_differ(P, a, b) && find_scales(t, P, tola, tolb);
    if (P->equilibrated) {
        scale_columns(t, P, P->B, ints_of(P, ROW_B), &P->sort_b);
        tolb = scaled_tolerance(P, tolb,
                                tolerance_of(t, P, P->B, P->tolb, P->eb, &b));
    }
    P->l = revealing_qr(t, P, P->B, tolb, ints_of(P, PERM_B), /* 1 */
                        tau_of(P, TAU_V));
    if (P->equilibrated && P->l == n) {
        scale_back(t, P);
        P->equilibrated = 0;
    } else if (P->equilibrated) {
        scale_columns(t, P, P->A, ints_of(P, ROW_A), &P->sort_a);
        tola = scaled_tolerance(P, tola,
                                tolerance_of(t, P, P->A, P->tola, P->ea, &a));
    }
    if (P->l < n) { /* 2 */
        P->E = tile_view(P->E.data, n, P->l, P->E.ld);
        trapezoid_to_triangle(t, P, P->B, P->E, ints_of(P, PERM_B),
                              tau_of(P, TAU_B));
    }
    turn_columns_of_a(t, P); /* 3 */

    const tile_t A1 = tile_part(P->A, 0, 0, P->m, n - P->l); /* 4 */
    P->k = revealing_qr(t, P, A1, tola, ints_of(P, PERM_A), tau_of(P, TAU_U));
    if (P->k > 0) /* 5 */
        team_apply_q(t, A1, P->k, tau_of(P, TAU_U), 1,
                     tile_part(P->A, 0, n - P->l, P->m, P->l));
    factor_a23(t, P);                 /* 6 */
    if (has_q2(P) && !P->values_only) /* 8 */
        trapezoid_to_triangle(t, P, P->A, q2_of(P), ints_of(P, PERM_A),
                              tau_of(P, TAU_A));
    return 0;
}

#endif /* GSVD_BATCH_GSVD_PREPROCESS_H */
