/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* gsvd_factors.h -- step 5 of a pair of a batch, by a team: U, V and Q out of their reflectors, and
 * the entries of R.  The steps have the numbers of gsvd/assemble.c. */
#ifndef GSVD_BATCH_GSVD_FACTORS_H
#define GSVD_BATCH_GSVD_FACTORS_H

#include "small/assemble.h"

/* C := Q C, Q of team_rq */
TEAM_STEP void team_rq_apply_left(team_t t, tile_t E, scalar_t *tau, tile_t C)
{
    for (int j = E.cols - 1; j >= 0; --j)
        reflect_tile(t, reflector_of_rq(j, E.rows), tau[j], &AT(E, 0, j), C, 0);
    team_sync(t);
}

/* 4: A13 := A13 Q~, Q~ = P Q^ */
TEAM_FN void turn_a13(team_t t, team_pair_t *P)
{
    const tile_t A13 = tile_part(P->A, 0, P->n - P->l, P->k, P->l);
    if (P->k == 0)
        return;
    if (sorts_h(P))
        scatter_columns(t, ints_of(P, TO), A13);
    team_rq_apply_right(t, tile_part(P->W, 0, 0, P->l, P->l), tau_of(P, TAU),
                        A13);
}

/* The factor's first columns := those of I but for the block `order` at (at, at) */
TEAM_FN void embed(team_t t, tile_t F, int at, int order)
{
    for (int j = team_squad(t); j < F.cols; j += team_squads(t))
        for (int i = team_lane(t); i < F.rows; i += LANES)
            if (!(i >= at && i < at + order && j >= at && j < at + order))
                AT(F, i, j) = make(i == j ? 1 : 0, 0);
    team_sync(t);
}

/* U = Pa^T U2 diag(I, U3) diag(I, U~, I) in its tile, but for Pa; so many columns */
TEAM_STEP tile_t form_u(team_t t, team_pair_t *P, int cols)
{
    const int k = P->k, m = P->m, l = P->l;
    const tile_t U = tile_part(P->U, 0, 0, m, cols);

    embed(t, U, k, P->m1);
    if (m - k > l)
        team_apply_q(t, tile_part(P->A, k, P->n - l, m - k, l), l,
                     tau_of(P, TAU_U) + k, 0, tile_part(U, k, 0, m - k, cols));
    if (k > 0)
        team_apply_q(t, tile_part(P->A, 0, 0, m, k), k, tau_of(P, TAU_U), 0, U);
    return U;
}

/* V = Pb^T (the reflectors of B) diag(V~, I) likewise */
TEAM_STEP tile_t form_v(team_t t, team_pair_t *P, int cols)
{
    const tile_t V = tile_part(P->V, 0, 0, P->p, cols);

    embed(t, V, 0, P->l);
    team_apply_q(t, tile_part(P->B, 0, 0, P->p, P->l), P->l, tau_of(P, TAU_V),
                 0, V);
    return V;
}

/* Q = P1 Q1 diag(P2 Q2, Q~), its last columns, but for P1, in the place of U */
TEAM_STEP tile_t form_q(team_t t, team_pair_t *P, int cols)
{
    const int n = P->n, l = P->l, left = n - l;
    const tile_t Q = tile_part(P->U, 0, 0, n, cols);
    const tile_t top = tile_part(Q, 0, 0, left, cols);

    for (int j = team_squad(t); j < cols; j += team_squads(t))
        for (int i = team_lane(t); i < n; i += LANES)
            AT(Q, i, j) = make(i == n - cols + j ? 1 : 0, 0);
    team_sync(t);
    if (l > 0) {
        const tile_t low = tile_part(Q, left, 0, l, cols);
        team_rq_apply_left(t, tile_part(P->W, 0, 0, l, l), tau_of(P, TAU), low);
        if (sorts_h(P))
            scatter_rows(t, ints_of(P, PERM_H), low);
    }
    if (has_q2(P))
        team_rq_apply_left(t, q2_of(P), tau_of(P, TAU_A), top);
    if (left > 0)
        scatter_rows(t, ints_of(P, PERM_A), top);
    if (left > 0 && l > 0)
        team_rq_apply_left(t, tile_part(P->E, 0, 0, n, l), tau_of(P, TAU_B), Q);
    return Q;
}

/* X of a pair whose columns are scaled, n x (k + l), in the place of B */
TEAM_FN tile_t x_of(const team_pair_t *P)
{
    return tile_part(P->B, 0, 0, P->n, P->k + P->l);
}

/* R(i,j) of our pair, j >= i */
TEAM_FN scalar_t entry_of_ours(const team_pair_t *P, int i, int j)
{
    const int k = P->k, l = P->l, v = i - k;
    return v < 0 ? AT(P->A, i, P->n - k - l + j)
                 : rq_entry(tile_part(P->W, 0, 0, l, l), v, j - k);
}

/* For the pair A D, B D: X^H = R Q^H D^-1 = R' Q'^H.  This is the RQ of X^H with its columns
 * sorted, the shortest first, in X's place.  Column i of it is the caller's column ROW_W[i].  U is
 * work, and B is no longer needed. */
TEAM_STEP void factor_x(team_t t, team_pair_t *P)
{
    const int n = P->n, r = P->k + P->l;
    const tile_t Q = form_q(t, P, r), Z = x_of(P);
    real_t *const size = reals_of(P, NORM);
    int *const to = ints_of(P, TO);

    for (int j = team_squad(t); j < r; j += team_squads(t))
        for (int c = team_lane(t); c < n; c += LANES) {
            scalar_t x = make(0, 0);
            for (int i = j; i < r; ++i)
                x = mac(AT(Q, c, i), conj_of(entry_of_ours(P, j, i)), x);
            AT(Z, c, r - 1 - j) = scale(1 / P->d[ints_of(P, PERM_B)[c]], x);
        }
    team_sync(t);
    sizes_of_rows(t, Z, size);
    team_sync(t);
    for (int i = team_rank(t); i < n; i += team_size(t)) {
        int place = 0;
        for (int c = 0; c < n; ++c)
            place += size[c] < size[i] || (size[c] == size[i] && c < i);
        to[i] = place;
        ints_of(P, ROW_W)[place] = ints_of(P, PERM_B)[i];
    }
    scatter_rows(t, to, Z);
    team_rq(t, Z, tau_of(P, TAU_SPARE));
}

/* Q' but for the order of its rows, its last columns, in the place of U */
TEAM_STEP tile_t form_q_of_x(team_t t, team_pair_t *P, int cols)
{
    const tile_t Q = tile_part(P->U, 0, 0, P->n, cols);
    for (int j = team_squad(t); j < cols; j += team_squads(t))
        for (int i = team_lane(t); i < P->n; i += LANES)
            AT(Q, i, j) = make(i == P->n - cols + j ? 1 : 0, 0);
    team_sync(t);
    team_rq_apply_left(t, x_of(P), tau_of(P, TAU_SPARE), Q);
    return Q;
}

/* 6: R(i,j) of the caller's pair, j >= i */
TEAM_FN scalar_t entry_of_r(const team_pair_t *P, int i, int j)
{
    const int v = i - P->k;
    const scalar_t x =
        P->equilibrated ? rq_entry(x_of(P), i, j) : entry_of_ours(P, i, j);
    return entry_of_caller(x, v < 0 ? 1 : reals_of(P, GAIN)[v],
                           v < 0 ? P->ea : ints_of(P, EXPONENT)[v], P->top,
                           most_of(P->m, P->p), P->n, i == j);
}

#endif /* GSVD_BATCH_GSVD_FACTORS_H */
