/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* tangent.h -- step 3 of a small pair, by a team: the steps of jacobi/tangent.c,
 * with its numbers and its limits.
 *
 *     1  W := B1 = S_B B13 D          2  W := its QR, if F without pivots grows
 *     3  F := A23 D P R^-1            in U
 *     4  T P' = Q_F (R'; 0)           T, the sorted rows of F^H, in V;  G := R'^H in U
 *     5  V := Q_F, (G, V) := (G, V) J
 *     6  U := P' G / |G|,  V := S_B^H Q_B S^H V;  c and s
 */
#ifndef GSVD_SMALL_TANGENT_H
#define GSVD_SMALL_TANGENT_H

#include "small/numbers.h"
#include "small/team_jacobi.h"
#include "small/team_pair.h"

/* 1: W := B13 D, with zeros below the diagonal */
TEAM_STEP void tangent_equilibrate(team_t t, team_pair_t *P)
{
    real_t *const d = reals_of(P, SCALE);
    const tile_t B = b13_of(P), W = P->W;

    for (int j = team_squad(t); j < P->l; j += team_squads(t)) {
        const int rows = ints_of(P, ROWS_A)[j];
        const real_t a = column_norm(t, 0, rows, column_of_a23(P, j));
        const real_t b = column_norm(t, 0, j + 1, &AT(B, 0, j));
        const real_t x = column_scale(a, b);
        if (team_lane(t) == 0)
            d[j] = x;
        for (int i = team_lane(t); i < P->l; i += LANES)
            AT(W, i, j) = i <= j ? scale(x, AT(B, i, j)) : make(0, 0);
    }
    team_sync(t);
}

/* 3: F(i,j) := d_c A23(i,c), c the column's number in A23 */
TEAM_FN scalar_t tangent_entry(const team_pair_t *P, int i, int c)
{
    return i < ints_of(P, ROWS_A)[c]
               ? scale(reals_of(P, SCALE)[c], column_of_a23(P, c)[i])
               : make(0, 0);
}

/* ... by a team of one: whole columns */
TEAM_FN void tangent_solve_alone(const team_pair_t *P, tile_t F,
                                 const int *perm)
{
    const tile_t R = P->W;
    for (int j = 0; j < F.cols; ++j) {
        const int c = perm ? perm[j] : j, rows = ints_of(P, ROWS_A)[c];
        const real_t d = reals_of(P, SCALE)[c];
        const scalar_t *const a = column_of_a23(P, c);
        const scalar_t over = quotient(make(1, 0), AT(R, j, j));
        for (int i = 0; i < F.rows; ++i)
            AT(F, i, j) = i < rows ? scale(d, a[i]) : make(0, 0);
        for (int k = 0; k < j; ++k)
            add_to(F.rows, make(-re(AT(R, k, j)), -im(AT(R, k, j))),
                   &AT(F, 0, k), &AT(F, 0, j));
        for (int i = 0; i < F.rows; ++i)
            AT(F, i, j) = mul(over, AT(F, i, j));
    }
}

/* 3: F := A23 D P R^-1, m1 x l, each thread its rows; one thread: columns */
TEAM_STEP void tangent_solve(team_t t, const team_pair_t *P, tile_t F,
                             const int *perm)
{
    if (TEAM_OF_ONE) {
        tangent_solve_alone(P, F, perm);
        return;
    }
    const tile_t R = P->W;
    for (int i = team_rank(t); i < F.rows; i += team_size(t))
        for (int j = 0; j < F.cols; ++j) {
            scalar_t x = make(0, 0);
            for (int k = 0; k < j; ++k)
                x = mac(AT(F, i, k), AT(R, k, j), x);
            x = sub(tangent_entry(P, i, perm ? perm[j] : j), x);
            AT(F, i, j) = quotient(x, AT(R, j, j));
        }
}

/* 3 and its growth; perm == NULL: P = I.  Is it below limit l? */
TEAM_STEP int tangent_divide(team_t t, team_pair_t *P, tile_t F,
                             const int *perm, int limit)
{
    real_t *const length = reals_of(P, NORM), *const sum = reals_of(P, GAIN);
    const tile_t R = P->W;
    int fits = 1;

    tangent_solve(t, P, F, perm);
    team_sync(t);
    for (int j = team_squad(t); j < F.cols; j += team_squads(t)) {
        const real_t x = column_norm(t, 0, F.rows, &AT(F, 0, j));
        if (team_lane(t) == 0)
            length[j] = x;
    }
    team_sync(t);
    for (int j = team_rank(t); j < F.cols; j += team_size(t)) {
        sum[j] = 0;
        for (int k = 0; k <= j; ++k)
            sum[j] += length[k] * abs_of(AT(R, k, j));
    }
    team_sync(t);
    for (int j = 0; j < F.cols; ++j)
        fits &= sum[j] <= (real_t)(limit * F.cols);
    team_sync(t);
    return fits;
}

/* Has F grown for a column of A D that is long, B's being too short beside it (column_scale.h)? */
TEAM_STEP int tangent_is_long(team_t t, const team_pair_t *P)
{
    real_t *const length = reals_of(P, NORM);
    int is_long = 0;

    for (int j = team_squad(t); j < P->l; j += team_squads(t)) {
        const real_t a =
            column_norm(t, 0, ints_of(P, ROWS_A)[j], column_of_a23(P, j));
        if (team_lane(t) == 0)
            length[j] = reals_of(P, SCALE)[j] * a;
    }
    team_sync(t);
    for (int j = 0; j < P->l; ++j)
        is_long |= length[j] > (real_t)(TANGENT_PIVOTED * P->l);
    team_sync(t);
    return is_long;
}

/* Then rows and columns of W and T differ, and in 2 and 4 rows are ordered by pivots, as in
 * jacobi/tangent.c. */
TEAM_FN int rows_of_pair_differ(const team_pair_t *P)
{
    return P->sort_a || P->sort_b;
}

/* 2: the pivoted QR of W with sorted rows */
TEAM_FN void tangent_factor(team_t t, team_pair_t *P)
{
    const tile_t W = tile_part(P->W, 0, 0, P->l, P->l);
    real_t *const size = reals_of(P, NORM);

    tangent_equilibrate(t, P);
    sizes_of_rows(t, W, size);
    team_sync(t);
    place_rows(t, P->l, size, ints_of(P, ROW_W));
    scatter_rows(t, ints_of(P, ROW_W), W);
    team_pivoted_qr(t, W, -1, ints_of(P, PERM_W),
                    rows_of_pair_differ(P) ? ints_of(P, ROW_W) : NULL,
                    tau_of(P, TAU_W), size);
}

/* size[j] := the largest |re|, |im| in column j of F; no barrier at the end */
TEAM_FN void sizes_of_columns(team_t t, tile_t F, real_t *size)
{
    for (int j = team_rank(t); j < F.cols; j += team_size(t)) {
        size[j] = 0;
        for (int i = 0; i < F.rows; ++i)
            size[j] = fmax_r(size[j], abs_max(AT(F, i, j)));
    }
}

/* 4: T := 2^-e S F^H */
TEAM_FN void tangent_transpose(team_t t, team_pair_t *P, tile_t F, tile_t T,
                               int *e)
{
    real_t *const size = reals_of(P, NORM);
    real_t most, least;
    int *const to = ints_of(P, ROW_F);

    sizes_of_columns(t, F, size);
    team_sync(t);
    extremes_of(F.cols, size, &most, &least);
    *e = most > 0 ? exponent_r(most) + 1 : 0;
    /* Rounding makes a column of zeros longer, unless it is the last one. */
    P->sort_f = TEAM_OF_ONE && (rows_are_sorted(most, least) ||
                                nonzero_of(F.cols, size) < F.cols);
    if (sorts_f(P))
        place_rows(t, F.cols, size, to);
    team_sync(t);
    for (int j = team_squad(t); j < F.cols; j += team_squads(t))
        for (int i = team_lane(t); i < F.rows; i += LANES)
            AT(T, sorts_f(P) ? to[j] : j, i) =
                times_power(conj_of(AT(F, i, j)), -*e);
    team_sync(t);
}

/* A23's rows: how many have all digits, and *apart: they are far apart; *shortest: of those of
 * A D */
TEAM_FN int tangent_rows(team_t t, const team_pair_t *P, int *apart,
                         real_t *shortest)
{
    real_t *const size = reals_of(P, NORM), *const own = reals_of(P, GAIN);
    real_t most, least, unused;
    int rows = 0;

    team_sync(t);
    for (int i = team_rank(t); i < P->m1; i += team_size(t)) {
        size[i] = own[i] = 0;
        for (int j = 0; j < P->l; ++j) {
            const scalar_t scaled = tangent_entry(P, i, j);
            size[i] = fmax_r(size[i], abs_max(scaled));
            if (i < ints_of(P, ROWS_A)[j])
                own[i] = fmax_r(own[i], abs_max(column_of_a23(P, j)[i]));
        }
        if (own[i] < GSVD_SAFMIN)
            size[i] = 0;
    }
    team_sync(t);
    extremes_of(P->m1, own, &most, &least);
    extremes_of(P->m1, size, &unused, shortest);
    for (int i = 0; i < P->m1; ++i)
        rows += own[i] >= GSVD_SAFMIN;
    team_sync(t);
    *apart = are_far(most, least);
    return rows;
}

/* Are entries of F below `limit` rounding?  If rows and columns of the caller's pair are not far
 * apart, all of them are: rounding of zeros shrinks from step to step.  Otherwise an entry of F
 * has an error of at least eps times the size that its row and its column give it. */
TEAM_FN int tangent_is_rounding(team_t t, const team_pair_t *P, tile_t F,
                                real_t limit)
{
    real_t *const row = reals_of(P, NORM), *const column = reals_of(P, GAIN);
    real_t most, least_row, longest, least_column;

    if (P->apart < TANGENT_FAR)
        return 1;
    team_sync(t);
    sizes_of_rows(t, F, row);
    sizes_of_columns(t, F, column);
    team_sync(t);
    extremes_of(F.rows, row, &most, &least_row);
    extremes_of(F.cols, column, &longest, &least_column);
    team_sync(t);
    return most == 0 ||
           exponent_r(least_row) - exponent_r(most) + exponent_r(least_column) >
               exponent_r(limit / GSVD_EPS);
}

/* 4: F is 2^e times what has `rank` rows that are not 0, the least of which is `least`.  P->lost:
 * a value, or a row of A D, lacks digits that alpha would have, or F has no room for rows of A.
 * What is rounding is no loss. */
TEAM_STEP void tangent_look(team_t t, team_pair_t *P, tile_t F, int rank,
                            real_t least, int e)
{
    const int is_short = ldexp_r(least, e) < GSVD_SAFMIN;
    const int up = P->ea23 - P->eb;
    const real_t limit = fmax_r(GSVD_SAFMIN, ldexp_r(1, e - TANGENT_RANGE));
    real_t shortest;
    int apart;

    if (tangent_is_rounding(t, P, F, limit))
        return;
    const int rows = tangent_rows(t, P, &apart, &shortest);
    P->lost |= is_short ? up > 0 && ldexp_r(least, e + up) >= TANGENT_ENOUGH
                        : up > 0 && shortest < GSVD_SAFMIN;
    P->lost |= (rows > rank && apart) || !(least > ldexp_r(1, -TANGENT_RANGE));
}

/* 4: the QR of T, and G in place of F.  G is 2^-*e times the factor of F, as large as its shortest
 * columns require.  Returns 0 if these are too short. */
TEAM_FN int tangent_precondition(team_t t, team_pair_t *P, tile_t F, tile_t T,
                                 tile_t G, int *e)
{
    int *const to =
        rows_of_pair_differ(P) && sorts_f(P) ? ints_of(P, ROW_F) : NULL;
    const int rank = team_pivoted_qr(t, T, 0, ints_of(P, PERM_G), to,
                                     tau_of(P, TAU), reals_of(P, NORM));
    real_t least = 1;

    for (int j = 0; j < rank; ++j) {
        const real_t d = abs_of(AT(T, j, j));
        least = d < least ? d : least;
    }
    if (rank < G.cols || least < ldexp_r(1, -TANGENT_APART) ||
        ldexp_r(least, *e) < GSVD_SAFMIN)
        tangent_look(t, P, F, rank, least, *e);
    const int up = least > ldexp_r(1, -TANGENT_MODERATE) ? 0 : TANGENT_TOP;
    for (int j = team_squad(t); j < G.cols; j += team_squads(t))
        for (int i = team_lane(t); i < G.rows; i += LANES)
            AT(G, i, j) =
                j <= i ? times_power(conj_of(AT(T, j, i)), up) : make(0, 0);
    *e -= up;
    team_sync(t);
    return least > ldexp_r(1, -TANGENT_RANGE);
}

/* 6: c and s of the lengths of G's columns, which are 2^-e times their own; the largest length
 * is not 0 */
TEAM_FN void tangent_values(team_t t, team_pair_t *P, tile_t G, int e)
{
    real_t *const c = reals_of(P, COSINE), *const s = reals_of(P, SINE);
    real_t *const length = reals_of(P, NORM);
    real_t unused;
    int no_exponent;

    for (int j = team_squad(t); j < G.cols; j += team_squads(t)) {
        const real_t x = column_norm(t, 0, G.rows, &AT(G, 0, j));
        if (team_lane(t) == 0)
            length[j] = x;
    }
    team_sync(t);
    for (int j = team_rank(t); j < P->l; j += team_size(t))
        value_pair_of_caller(e, 0, j < G.cols ? length[j] : 0, 1, &c[j], &s[j],
                             &unused, &no_exponent);
    team_sync(t);
}

/* 6: U and V; columns of G of length 0 are to be completed, and those that may not be orthogonal
 * made so */
TEAM_FN void tangent_vectors(team_t t, team_pair_t *P, tile_t G, tile_t V)
{
    const real_t *const length = reals_of(P, NORM);
    int complete = P->converged && !is_loose_tolerance(P->tol_jacobi, G.rows);

    for (int j = 0; j < G.cols; ++j)
        complete &= length[j] > 0;
    if (complete) {
        for (int j = team_squad(t); j < G.cols; j += team_squads(t))
            column_scale_by(t, 0, G.rows, make(1 / length[j], 0), &AT(G, 0, j));
        team_sync(t);
    } else {
        team_orthonormalize(t, G, tau_of(P, TAU), tau_of(P, TAU_SPARE));
    }
    scatter_rows(t, ints_of(P, PERM_G), G);
    int *const from = ints_of(P, TO);
    for (int i = team_rank(t); sorts_f(P) && i < P->l; i += team_size(t))
        from[ints_of(P, ROW_F)[i]] = i;
    if (sorts_f(P))
        scatter_rows(t, from, V);
    if (!P->factored)
        return;
    team_apply_q(t, tile_part(P->W, 0, 0, P->l, P->l), P->l, tau_of(P, TAU_W),
                 0, V);
    for (int i = team_rank(t); i < P->l; i += team_size(t))
        from[ints_of(P, ROW_W)[i]] = i;
    scatter_rows(t, from, V);
}

/* 1 to 6; 0: the pair is left to the CS decomposition */
TEAM_STEP int team_tangent(team_t t, team_pair_t *P)
{
    const int l = P->l, m1 = P->m1;
    const tile_t F = tile_part(P->U, P->k, P->k, m1, l), G = u_of(P);
    const tile_t V = tile_part(P->V, 0, 0, l, l);
    const tile_t T = tile_part(P->V, 0, 0, l, m1);
    const tile_t none = tile_view(0, 0, 0, 1);
    int e;

    tangent_equilibrate(t, P); /* 1, 3 */
    P->factored = !tangent_divide(t, P, F, 0, TANGENT_PLAIN);
    if (P->factored) { /* 2, 3 */
        tangent_factor(t, P);
        if (!tangent_divide(t, P, F, ints_of(P, PERM_W), TANGENT_PIVOTED)) {
            P->lost |= tangent_is_long(t, P);
            return 0;
        }
    }
    tangent_transpose(t, P, F, T, &e); /* 4 */
    if (!tangent_precondition(t, P, F, T, G, &e))
        return 0;
    if (!P->values_only) /* 5 */
        team_form_q(t, V, m1, tau_of(P, TAU));
    P->converged = team_orthogonalize(
        t, G, P->values_only ? none : tile_part(V, 0, 0, l, m1), P->tol_jacobi,
        P->max_sweeps);
    tangent_values(t, P, G, e); /* 6 */
    if (!P->values_only)
        tangent_vectors(t, P, G, V);
    return 1;
}

#endif /* GSVD_SMALL_TANGENT_H */
