/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* gsvd.h -- the GSVD of one small pair of a batch from its entries to its factors, by a team:
 * text for C and CUDA, with the steps of gsvd/run.c.
 *
 *     0  A and B into the team's memory
 *     1  scaled                   2  a triangular pair    gsvd_preprocess.h
 *     3  A23 = U~ C H, B13 = V~ S H                       small/tangent.h, or small/csd.h
 *     4  alpha, beta, sorted      5  H = R Q~^H           small/assemble.h
 *     5  R, U, V, Q                                       gsvd_factors.h
 */
#ifndef GSVD_BATCH_GSVD_H
#define GSVD_BATCH_GSVD_H

#include "batch/batch.h"
#include "batch/gsvd_factors.h"
#include "batch/gsvd_preprocess.h"
#include "small/csd.h"
#include "small/tangent.h"

/* What the pairs of a batch have in common */
#define team_batch_t X(team_batch_t)
typedef struct team_batch_t {
    gsvd_batch_t b;
    real_t tola, tolb, tol_jacobi; /* the caller's; negative: the defaults   */
    int max_sweeps, reveal;
    gsvd_equilibrate_t equilibrate;
    int csd;       /* The tangent is not to be tried.        */
    int order, ld; /* of tiles                               */
} team_batch_t;

GSVD_FN team_batch_t team_batch_of(const gsvd_batch_t *b,
                                   const policy_t *policy, int order, int ld)
{
    team_batch_t c;
    c.b = *b;
    c.tola = (real_t)policy->tol_a;
    c.tolb = (real_t)policy->tol_b;
    c.tol_jacobi = (real_t)policy->tol_jacobi;
    c.max_sweeps = policy->max_sweeps;
    c.reveal = policy->pivot != GSVD_PIVOT_NORM;
    c.equilibrate = policy->equilibrate;
    c.csd = policy->solver == GSVD_SOLVER_CSD;
    c.order = order;
    c.ld = ld;
    return c;
}

/* -- memory --------------------------------------------------------------------- */

/* Bytes of a team, a multiple of 16 */
GSVD_FN size_t team_bytes(int order, int ld)
{
    const size_t scalars = (size_t)order *
                           (size_t)(TEAM_TILES * ld + TAU_ARRAYS) *
                           sizeof(scalar_t);
    const size_t reals = (size_t)(order * REAL_ARRAYS) * sizeof(real_t);
    const size_t ints = (size_t)(order * INT_ARRAYS) * sizeof(int);
    return (scalars + reals + ints + 15) / 16 * 16;
}

TEAM_FN void lay_out(team_pair_t *P, int order, int ld, void *memory)
{
    lay_out_tiles(P, order, ld, (scalar_t *)memory);
    P->taus = P->A.data + TEAM_TILES * order * ld;
    P->reals = (real_t *)(P->taus + TAU_ARRAYS * order);
    P->ints = (int *)(P->reals + REAL_ARRAYS * order);
}

/* -- the caller's arrays ------------------------------------------------------------ */

/* Matrix i, so many rows and columns; absent: no data */
TEAM_FN mat_t mat_of_batch(batch_mat_t A, int64_t i, int64_t rows, int64_t cols)
{
    scalar_t *const data = A.each   ? A.each[i]
                           : A.data ? A.data + i * A.stride
                                    : A.data;
    return mat_view(data, rows, cols, A.each_ld ? A.each_ld[i] : A.ld);
}

/* 0 */
TEAM_FN void load(team_t t, mat_t A, tile_t *to)
{
    *to = tile_view(to->data, (int)A.rows, (int)A.cols, to->ld);
    for (int j = team_squad(t); A.data && j < to->cols; j += team_squads(t))
        for (int i = team_lane(t); i < to->rows; i += LANES)
            AT(*to, i, j) = AT(A, i, j);
}

/* A(i,:) := F(row[i],:), or A(row[i],:) := F(i,:) where `back`; row == NULL: as they are.  A
 * barrier comes after it. */
TEAM_STEP void store(team_t t, tile_t F, const int *row, int back, mat_t A)
{
    for (int j = team_squad(t); j < F.cols; j += team_squads(t))
        for (int i = team_lane(t); i < F.rows; i += LANES)
            if (back)
                AT(A, row[i], j) = AT(F, i, j);
            else
                AT(A, i, j) = AT(F, row ? row[i] : i, j);
    team_sync(t);
}

/* R, and zeros elsewhere in A and B; returns whether all of R is finite. */
TEAM_STEP int store_r(team_t t, const team_pair_t *P, mat_t A, mat_t B)
{
    const int m = P->m, n = P->n, k = P->k, r = P->k + P->l;
    real_t zero = 0;

    for (int j = team_squad(t); j < n; j += team_squads(t)) {
        const int c = j - (n - r);
        for (int i = team_lane(t); A.data && i < m; i += LANES) {
            const scalar_t x =
                i < r && i <= c ? entry_of_r(P, i, c) : make(0, 0);
            zero += 0 * re(x) + 0 * im(x);
            AT(A, i, j) = x;
        }
        for (int i = team_lane(t); B.data && i < P->p; i += LANES) {
            const int row = i + k;
            const scalar_t x = row >= m && row < r && row <= c
                                   ? entry_of_r(P, row, c)
                                   : make(0, 0);
            zero += 0 * re(x) + 0 * im(x);
            AT(B, i, j) = x;
        }
    }
    return !team_any(t, !(zero == 0));
}

/* alpha and beta, n each */
TEAM_FN void store_values(team_t t, const team_pair_t *P, real_t *alpha,
                          real_t *beta)
{
    for (int j = team_rank(t); j < P->n; j += team_size(t)) {
        const int v = j - P->k, nontrivial = v >= 0 && v < P->l;
        alpha[j] = nontrivial ? reals_of(P, ALPHA)[v] : (real_t)(v < 0);
        beta[j] = nontrivial ? reals_of(P, BETA)[v] : 0;
    }
}

/* -- a pair ----------------------------------------------------------------------- */

/* Nothing came of it: NaN everywhere. */
TEAM_FN void store_nothing(team_t t, const team_pair_t *P, const mat_t *factor,
                           real_t *alpha, real_t *beta)
{
    const real_t nan = (real_t)NAN;
    for (int f = 0; f < 3; ++f)
        for (int j = team_squad(t); factor[f].data && j < factor[f].cols;
             j += team_squads(t))
            for (int i = team_lane(t); i < factor[f].rows; i += LANES)
                AT(factor[f], i, j) = make(nan, nan);
    for (int j = team_rank(t); j < P->n; j += team_size(t))
        alpha[j] = beta[j] = nan;
}

/* A23 of an A that was made smaller := as large as its range allows, exactly: what is left of A
 * outside of B's null space may be far smaller than A. */
TEAM_STEP void lift_a23(team_t t, team_pair_t *P)
{
    real_t *const size = reals_of(P, NORM);
    real_t most, unused;

    for (int j = team_rank(t); j < P->l; j += team_size(t)) {
        size[j] = 0;
        for (int i = 0; i < ints_of(P, ROWS_A)[j]; ++i)
            size[j] = fmax_r(size[j], abs_max(column_of_a23(P, j)[i]));
    }
    team_sync(t);
    extremes_of(P->l, size, &most, &unused);
    team_sync(t);
    const int up = most > 0 ? P->top - exponent_r(most) - 1 : 0;
    for (int j = team_squad(t); j < P->l && up > 0; j += team_squads(t))
        for (int i = team_lane(t); i < ints_of(P, ROWS_A)[j]; i += LANES)
            column_of_a23(P, j)[i] = times_power(column_of_a23(P, j)[i], up);
    P->ea23 -= up > 0 ? up : 0;
    team_sync(t);
}

/* 3, 4 */
TEAM_FN void solve_pair(team_t t, team_pair_t *P, int csd)
{
    P->converged = 1;
    P->factored = 0;
    P->ea23 = P->ea;
    if (P->l == 0)
        return;
    if (P->ea > 0)
        lift_a23(t, P);
    if (csd || !team_tangent(t, P))
        team_csd(t, P);
    team_sort(t, P);
}

enum { R_OVERFLOWS = 2 }; /* *info of the single routine                 */

/* 5; 0, or R_OVERFLOWS: R is too large for its type */
TEAM_FN int assemble_pair(team_t t, team_pair_t *P, mat_t A, mat_t B,
                          const mat_t *factor)
{
    int finite;

    if (P->l > 0) {
        combine_pair(t, P);
        factor_h(t, P);
        turn_a13(t, P);
    }
    if (factor[0].data)
        store(t, form_u(t, P, (int)factor[0].cols),
              P->sort_a ? ints_of(P, ROW_A) : 0, 0, factor[0]);
    if (factor[1].data)
        store(t, form_v(t, P, (int)factor[1].cols),
              P->sort_b ? ints_of(P, ROW_B) : 0, 0, factor[1]);
    if (P->equilibrated)
        factor_x(t, P);
    finite = store_r(t, P, A, B);
    if (factor[2].data && P->equilibrated)
        store(t, form_q_of_x(t, P, (int)factor[2].cols), ints_of(P, ROW_W), 1,
              factor[2]);
    else if (factor[2].data)
        store(t, form_q(t, P, (int)factor[2].cols), ints_of(P, PERM_B), 1,
              factor[2]);
    return finite ? 0 : R_OVERFLOWS;
}

/* How many columns a factor has that is wanted: all that are asked for, or, where sizes differ,
 * the economy of this pair */
TEAM_FN int64_t columns_of(const team_batch_t *c, int64_t wanted,
                           int64_t economy)
{
    return wanted == 0 || !c->b.each_m ? wanted : economy;
}

/* Pair i, by its team, whose memory begins where `memory` does */
TEAM_FN void solve_one(team_t t, const team_batch_t *c, int64_t i, void *memory)
{
    const gsvd_batch_t *const b = &c->b;
    const int64_t m = b->each_m ? b->each_m[i] : b->m;
    const int64_t n = b->each_n ? b->each_n[i] : b->n;
    const int64_t p = b->each_p ? b->each_p[i] : b->p;
    const mat_t A = mat_of_batch(b->A, i, m, n),
                B = mat_of_batch(b->B, i, p, n);
    const mat_t factor[3] = {
        mat_of_batch(b->U, i, m, columns_of(c, b->u_cols, min_i(m, n))),
        mat_of_batch(b->V, i, p, columns_of(c, b->v_cols, min_i(p, n))),
        mat_of_batch(b->Q, i, n, columns_of(c, b->q_cols, min_i(n, m + p)))};
    real_t *const alpha = reals_of_batch(b->alpha, i);
    real_t *const beta = reals_of_batch(b->beta, i);
    team_pair_t P;
    int info;

    lay_out(&P, c->order, c->ld, memory);
    P.m = (int)m;
    P.n = (int)n;
    P.p = (int)p;
    P.k = P.l = 0;
    P.tola = c->tola;
    P.tolb = c->tolb;
    P.tol_jacobi = c->tol_jacobi;
    P.max_sweeps = c->max_sweeps;
    P.reveal = c->reveal;
    P.equilibrate = c->equilibrate;
    P.d = beta;
    P.values_only = !b->u_cols && !b->v_cols && !b->q_cols;
    team_sync(t);
    load(t, A, &P.A);
    load(t, B, &P.B);
    team_sync(t);
    info = team_preprocess(t, &P);
    if (info < 0) {
        store_nothing(t, &P, factor, alpha, beta);
    } else {
        solve_pair(t, &P, c->csd);
        if (!P.values_only)
            info = assemble_pair(t, &P, A, B, factor);
        store_values(t, &P, alpha, beta);
        if (info == 0)
            info = !P.converged || P.lost;
    }
    if (team_rank(t) == 0) {
        if (b->k)
            b->k[i] = P.k;
        if (b->l)
            b->l[i] = P.l;
        b->info[i] = info_of_pair(b, info);
    }
}

#endif /* GSVD_BATCH_GSVD_H */
