/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* solve.c -- the GSVD of a triangular pair: which road.
 *
 *     A23 = U C H,   B13 = V S H,   C^2 + S^2 = I
 */
#include "jacobi/jacobi.h"

static mat_t a23(const pair_t *P)
{
    return mat_sub(P->A, P->k, P->n - P->l, pair_m1(P), P->l);
}

static mat_t b13(const pair_t *P)
{
    return mat_sub(P->B, 0, P->n - P->l, P->l, P->l);
}

/* -- the roads ----------------------------------------------------------------- */

static int is_asked_for_tgsja(const exec_t *ex, const pair_t *P)
{
    (void)P;
    return ex->policy.solver == GSVD_SOLVER_TGSJA;
}

static int wants_values_only(const exec_t *ex, const pair_t *P)
{
    (void)ex;
    return P->values_only;
}

static int is_wanted_by_tangent(const exec_t *ex, const pair_t *P)
{
    (void)P;
    return ex->policy.solver != GSVD_SOLVER_CSD;
}

static int wants_vectors_by_tangent(const exec_t *ex, const pair_t *P)
{
    return !P->values_only && is_wanted_by_tangent(ex, P);
}

static int wants_values_by_tangent(const exec_t *ex, const pair_t *P)
{
    return wants_values_only(ex, P) && is_wanted_by_tangent(ex, P);
}

static int is_any(const exec_t *ex, const pair_t *P)
{
    (void)ex, (void)P;
    return 1;
}

/* U and V are orthonormalized: the lengths of LAPACK's columns drift with the number
 * of rotations.  xTGSJA gives up after 40 cycles, and next to denormal numbers. */
static gsvd_status_t run_tgsja(const exec_t *ex, const pair_t *P,
                               solve_work_t *w, outcome_t *out, int *solved)
{
    const int64_t m1 = pair_m1(P), l = P->l;
    const mat_t G = of_b(w->GF, l), F = of_a(w->GF, l, m1, m1);

    GSVD_TRY(ex->op->tgsja(ex, a23(P), b13(P), P->tola, P->tolb, F, G, w->c,
                           w->s, &out->sweeps, solved));
    if (!*solved)
        return GSVD_SUCCESS;
    GSVD_TRY(X(orthonormalize)(ex, F, of_a(w->W, l, m1, m1), w->tau));
    GSVD_TRY(X(orthonormalize)(ex, G, of_b(w->W, l), w->tau));
    exchange_stacks(w);
    return GSVD_SUCCESS;
}

static gsvd_status_t run_tangent(const exec_t *ex, const pair_t *P,
                                 solve_work_t *w, outcome_t *out, int *solved)
{
    w->shift = P->ea - P->eb;
    w->far = P->sort_a;
    return X(tangent)(ex, a23(P), b13(P), P->rows_mixed, w, out, solved);
}

static gsvd_status_t run_tangent_values(const exec_t *ex, const pair_t *P,
                                        solve_work_t *w, outcome_t *out,
                                        int *solved)
{
    w->shift = P->ea - P->eb;
    w->far = P->sort_a;
    return X(tangent_values)(ex, a23(P), b13(P), P->rows_mixed, w, out, solved);
}

static gsvd_status_t run_values(const exec_t *ex, const pair_t *P,
                                solve_work_t *w, outcome_t *out, int *solved)
{
    *solved = 1;
    return X(csd_values)(ex, a23(P), b13(P), w, out);
}

static gsvd_status_t run_csd(const exec_t *ex, const pair_t *P, solve_work_t *w,
                             outcome_t *out, int *solved)
{
    *solved = 1;
    return X(csd)(ex, a23(P), b13(P), w, out);
}

const solver_road_t X(solver_roads)[SOLVER_ROADS] = {
    {"xTGSJA", GSVD_SOLVER_TGSJA, 0, is_asked_for_tgsja, run_tgsja},
    {"tangent, values only", GSVD_SOLVER_TANGENT, 1, wants_values_by_tangent,
     run_tangent_values},
    {"tangent", GSVD_SOLVER_TANGENT, 0, wants_vectors_by_tangent, run_tangent},
    {"CSD, values only", GSVD_SOLVER_CSD, 1, wants_values_only, run_values},
    {"CS decomposition", GSVD_SOLVER_CSD, 0, is_any, run_csd},
};

/* -- the choice ---------------------------------------------------------------- */

const solver_road_t *X(next_solver)(const exec_t *ex, const pair_t *P,
                                    const solver_road_t *after)
{
    const solver_road_t *road = after ? after + 1 : X(solver_roads);
    while (!road->fits(ex, P))
        ++road;
    return road;
}

int X(solves_values_only)(const exec_t *ex, const pair_t *P)
{
    return P->values_only && !is_asked_for_tgsja(ex, P);
}

gsvd_status_t X(solve_pair)(const exec_t *ex, const pair_t *P, solve_work_t *w,
                            outcome_t *out)
{
    const solver_road_t *road = NULL;
    int solved = P->l == 0;

    out->solver = ex->policy.solver;
    while (!solved) {
        road = X(next_solver)(ex, P, road);
        out->solver = road->solver;
        out->sweeps = 0; /* A road that gave up does not count.              */
        GSVD_TRY(road->run(ex, P, w, out, &solved));
    }
    return GSVD_SUCCESS;
}
