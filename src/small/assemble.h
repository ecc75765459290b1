/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* assemble.h -- steps 4 and 5 of a small pair, by a team: sorted alpha and beta, then H = R Q~^H.
 * The steps have the numbers of gsvd/assemble.c. */
#ifndef GSVD_SMALL_ASSEMBLE_H
#define GSVD_SMALL_ASSEMBLE_H

#include "small/numbers.h"
#include "small/team_pair.h"

/* -- 4 ------------------------------------------------------------------------- */

/* alpha, beta, g and e of the pairs c, s, each thread its own */
TEAM_FN void values_of_caller(team_t t, team_pair_t *P)
{
    const real_t *const c = reals_of(P, COSINE), *const s = reals_of(P, SINE);
    real_t *const alpha = reals_of(P, ALPHA), *const beta = reals_of(P, BETA);

    for (int j = team_rank(t); j < P->l; j += team_size(t))
        value_pair_of_caller(P->ea23, P->eb, c[j], s[j], &alpha[j], &beta[j],
                             &reals_of(P, GAIN)[j], &ints_of(P, EXPONENT)[j]);
    team_sync(t);
}

/* alpha descending, and c, s, U~ and V~ along.  Pairs without a row of A, c = 0, stay the
 * last, so that U keeps its m1 columns. */
TEAM_STEP void team_sort(team_t t, team_pair_t *P)
{
    const int l = P->l, rank = team_rank(t), size = team_size(t);
    real_t *const c = reals_of(P, COSINE), *const s = reals_of(P, SINE);
    real_t *const alpha = reals_of(P, ALPHA), *const beta = reals_of(P, BETA);
    int *const to = ints_of(P, TO);
    int moved = 0;

    values_of_caller(t, P);
    for (int j = rank; j < l; j += size) {
        int place = 0;
        for (int i = 0; i < l; ++i)
            place += value_pair_before(alpha, beta, i, j) ||
                     (i < j && !value_pair_before(alpha, beta, j, i));
        to[j] = place;
    }
    team_sync(t);
    for (int j = 0; j < l; ++j)
        moved |= to[j] != j;
    team_sync(t);
    if (!moved)
        return;
    for (int j = rank; j < l; j += size) {
        alpha[j] = c[j];
        beta[j] = s[j];
    }
    team_sync(t);
    for (int j = rank; j < l; j += size) {
        c[to[j]] = alpha[j];
        s[to[j]] = beta[j];
    }
    team_sync(t);
    values_of_caller(t, P);
    if (P->values_only)
        return;
    scatter_columns(t, to, u_of(P));
    scatter_columns(t, to, tile_part(P->V, 0, 0, l, l));
}

/* -- 5 ------------------------------------------------------------------------- */

/* a and b := the lengths of columns of A23 and of B13 */
TEAM_FN void measure_columns(team_t t, const team_pair_t *P, real_t *a,
                             real_t *b)
{
    const tile_t B = b13_of(P);

    for (int j = team_rank(t); j < P->l; j += team_size(t)) {
        const int rows = least_of(ints_of(P, ROWS_A)[j], P->m1);
        a[j] = norm_of(rows, column_of_a23(P, j));
        b[j] = norm_of(j + 1, &AT(B, 0, j));
    }
    team_sync(t);
}

/* H = C U~^H A23 + S V~^H B13, weighted where columns differ: W := H^H with its columns in reverse
 * order, as team_rq wants H */
TEAM_STEP void combine_pair(team_t t, team_pair_t *P)
{
    const int l = P->l, m1 = P->m1;
    const real_t *const c = reals_of(P, COSINE), *const s = reals_of(P, SINE);
    real_t *const of_a = reals_of(P, NORM), *const of_b = reals_of(P, SCALE);
    const tile_t U = u_of(P), B = b13_of(P);

    measure_columns(t, P, of_a, of_b);
    for (int j = team_squad(t); j < l; j += team_squads(t)) {
        const scalar_t *const a = column_of_a23(P, j);
        const int rows = least_of(ints_of(P, ROWS_A)[j], m1);
        for (int i = team_lane(t); i < l; i += LANES) {
            const scalar_t y = dot_of(j + 1, &AT(B, 0, j), &AT(P->V, 0, i));
            scalar_t h = scale(s[i], y);
            if (i < m1) {
                const scalar_t x = dot_of(rows, a, &AT(U, 0, i));
                h = value_pair_combine(c[i], x, of_a[j], s[i], y, of_b[j]);
            }
            AT(P->W, j, l - 1 - i) = h;
        }
    }
    team_sync(t);
}

/* Do the columns of the pair, of these lengths, differ by more than RQ may lose? */
TEAM_FN int lengths_differ(int n, const real_t *a, const real_t *b)
{
    real_t most = 0, least = GSVD_REAL_MAX;
    for (int j = 0; j < n; ++j) {
        const real_t length = fmax_r(a[j], b[j]);
        most = fmax_r(most, length);
        least = length > 0 && length < least ? length : least;
    }
    return columns_differ(most, least);
}

/* P sorts the columns of H by size, the least first: PERM_H[i] is the i-th. */
TEAM_FN void sort_columns_of_h(team_t t, team_pair_t *P, tile_t W)
{
    const int l = P->l;
    real_t *const length = reals_of(P, NORM);
    int *const to = ints_of(P, TO);

    sizes_of_rows(t, W, length);
    team_sync(t);
    for (int j = team_rank(t); j < l; j += team_size(t)) {
        int place = 0;
        for (int i = 0; i < l; ++i)
            place += length[i] < length[j] || (length[i] == length[j] && i < j);
        to[j] = place;
        ints_of(P, PERM_H)[place] = j;
    }
    scatter_rows(t, to, W);
}

/* 3: H P = R22 Q^^H in W: R22 and the reflectors of Q^ */
TEAM_STEP void factor_h(team_t t, team_pair_t *P)
{
    const tile_t W = tile_part(P->W, 0, 0, P->l, P->l);

    P->sort_h = TEAM_OF_ONE &&
                lengths_differ(P->l, reals_of(P, NORM), reals_of(P, SCALE));
    if (sorts_h(P))
        sort_columns_of_h(t, P, W);
    team_rq(t, W, tau_of(P, TAU));
}

#endif /* GSVD_SMALL_ASSEMBLE_H */
