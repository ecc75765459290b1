/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* csd.h -- step 3 of a small pair, by a team, if the tangent declines: the CS
 * decomposition, in the tiles V, U and W.  The steps have the numbers of jacobi/csd.c.
 *
 *     1  S = (W2; W1), orthonormal, spans the columns of (B13; A23)
 *     2  Z P = Q R for Z = W1^H, Z := Q, F := (R^H 0)
 *     3  (F, Z) := (F, Z) J           4  G := W2 Z           in S: (G; F)
 *     5  c_j = |f_j|, s_j = |g_j|, sorted; (G, F) := (G, F) J where c > s
 *     6  U, V: the unitary factors of F and of G, of G from its last column on
 */
#ifndef GSVD_SMALL_CSD_H
#define GSVD_SMALL_CSD_H

#include "small/team_jacobi.h"
#include "small/team_pair.h"

/* 1: S is as wide as two tiles are long: V and, behind it, U */
TEAM_FN void csd_stack(team_t t, team_pair_t *P, tile_t S)
{
    const int l = P->l;
    const tile_t B = b13_of(P);

    for (int j = team_squad(t); j < l; j += team_squads(t)) {
        const scalar_t *const a = column_of_a23(P, j);
        const int rows = ints_of(P, ROWS_A)[j];
        for (int i = team_lane(t); i < S.rows; i += LANES)
            if (i < l)
                AT(S, i, j) = i <= j ? AT(B, i, j) : make(0, 0);
            else
                AT(S, i, j) = i - l < rows ? a[i - l] : make(0, 0);
    }
    team_sync(t);
    team_pivoted_qr(t, S, -1, ints_of(P, TO), NULL, tau_of(P, TAU),
                    reals_of(P, NORM));
    team_form_q(t, S, l, tau_of(P, TAU));
}

/* 2 */
TEAM_FN void csd_precondition(team_t t, team_pair_t *P, tile_t F, tile_t Z)
{
    const int m1 = F.rows;

    for (int i = team_squad(t); i < m1; i += team_squads(t))
        for (int j = team_lane(t); j < Z.rows; j += LANES)
            AT(Z, j, i) = conj_of(AT(F, i, j));
    team_sync(t);
    team_pivoted_qr(t, tile_part(Z, 0, 0, Z.rows, m1), -1, ints_of(P, PERM_G),
                    NULL, tau_of(P, TAU), reals_of(P, NORM));
    for (int j = team_squad(t); j < F.cols; j += team_squads(t))
        for (int i = team_lane(t); i < m1; i += LANES)
            AT(F, i, j) = j <= i ? conj_of(AT(Z, j, i)) : make(0, 0);
    team_sync(t);
    team_form_q(t, Z, m1, tau_of(P, TAU));
}

/* 4: G := G Z, each thread its rows */
TEAM_STEP void csd_times(team_t t, tile_t G, tile_t Z)
{
    scalar_t row[TEAM_MOST];
    for (int i = team_rank(t); i < G.rows; i += team_size(t)) {
        for (int k = 0; k < G.cols; ++k)
            row[k] = AT(G, i, k);
        for (int j = 0; j < G.cols; ++j) {
            scalar_t x = make(0, 0);
            for (int k = 0; k < G.cols; ++k)
                x = mac(row[k], AT(Z, k, j), x);
            AT(G, i, j) = x;
        }
    }
    team_sync(t);
}

/* 5: the values of the columns of (G; F), and the columns in their order */
TEAM_STEP void csd_sort(team_t t, team_pair_t *P, tile_t S)
{
    real_t *const c = reals_of(P, COSINE), *const s = reals_of(P, SINE);
    real_t *const x = reals_of(P, ALPHA), *const y = reals_of(P, BETA);
    int *const to = ints_of(P, TO);
    const int l = P->l;

    for (int j = team_squad(t); j < l; j += team_squads(t)) {
        real_t g = column_norm(t, 0, l, &AT(S, 0, j));
        real_t f = column_norm(t, l, S.rows, &AT(S, 0, j));
        value_pair_unit(&f, &g);
        if (team_lane(t) == 0) {
            x[j] = f;
            y[j] = g;
        }
    }
    team_sync(t);
    for (int j = team_rank(t); j < l; j += team_size(t)) {
        int place = 0;
        for (int i = 0; i < l; ++i)
            place += value_pair_before(x, y, i, j) ||
                     (i < j && !value_pair_before(x, y, j, i));
        to[j] = place;
        c[place] = x[j];
        s[place] = y[j];
    }
    scatter_columns(t, to, S);
}

/* 6: U~ to W, from there to U; V~ from S to its own place, column by column: none is overwritten
 * before it was read */
TEAM_FN void csd_vectors(team_t t, team_pair_t *P, tile_t S)
{
    const int l = P->l, m1 = P->m1, rank = team_rank(t);
    const tile_t U = tile_part(S, l, 0, m1, m1), G = tile_part(S, 0, 0, l, l);
    const tile_t V = tile_part(P->V, 0, 0, l, l), to = u_of(P);
    int *const back = ints_of(P, TO);

    team_orthonormalize(t, U, tau_of(P, TAU), tau_of(P, TAU_SPARE));
    scatter_rows(t, ints_of(P, PERM_G), U);
    for (int j = rank; j < l; j += team_size(t))
        back[j] = l - 1 - j;
    scatter_columns(t, back, G);
    team_orthonormalize(t, G, tau_of(P, TAU), tau_of(P, TAU_SPARE));
    scatter_columns(t, back, G);
    for (int j = team_squad(t); j < m1; j += team_squads(t))
        for (int i = team_lane(t); i < m1; i += LANES)
            AT(P->W, i, j) = AT(U, i, j);
    for (int j = 0; j < l; ++j) {
        scalar_t keep[TEAM_MOST];
        int count = 0;
        for (int i = rank; i < l; i += team_size(t))
            keep[count++] = AT(G, i, j);
        team_sync(t);
        count = 0;
        for (int i = rank; i < l; i += team_size(t))
            AT(V, i, j) = keep[count++];
        team_sync(t);
    }
    for (int j = team_squad(t); j < m1; j += team_squads(t))
        for (int i = team_lane(t); i < m1; i += LANES)
            AT(to, i, j) = AT(P->W, i, j);
    team_sync(t);
}

TEAM_STEP void team_csd(team_t t, team_pair_t *P)
{
    const int l = P->l, m1 = P->m1;
    const tile_t S = tile_view(P->V.data, l + m1, l, 2 * P->V.ld);
    const tile_t G = tile_part(S, 0, 0, l, l), F = tile_part(S, l, 0, m1, l);
    const tile_t Z = tile_part(P->W, 0, 0, l, l);
    const real_t *const c = reals_of(P, COSINE), *const s = reals_of(P, SINE);
    int lead = 0;

    csd_stack(t, P, S);                                              /* 1 */
    csd_precondition(t, P, F, Z);                                    /* 2 */
    P->converged = team_orthogonalize(t, tile_part(F, 0, 0, m1, m1), /* 3 */
                                      tile_part(Z, 0, 0, l, m1), P->tol_jacobi,
                                      P->max_sweeps);
    csd_times(t, G, Z); /* 4 */
    csd_sort(t, P, S);  /* 5 */
    while (lead < l && c[lead] > s[lead])
        ++lead;
    team_sync(t);
    if (lead > 1) {
        P->converged &= team_orthogonalize(t, tile_part(G, 0, 0, l, lead),
                                           tile_part(F, 0, 0, m1, lead),
                                           P->tol_jacobi, P->max_sweeps);
        csd_sort(t, P, S);
    }
    if (!P->values_only)
        csd_vectors(t, P, S); /* 6 */
}

#endif /* GSVD_SMALL_CSD_H */
