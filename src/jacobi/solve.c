/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* solve.c -- the GSVD of a triangular pair: by which solver.
 *
 *     A23 = U C H,   B13 = V S H,   C^2 + S^2 = I
 */
#include "core/solver.h"
#include "jacobi/jacobi.h"

static mat_t a23(const pair_t *P)
{
    return mat_sub(P->A, P->k, P->n - P->l, pair_m1(P), P->l);
}

static mat_t b13(const pair_t *P)
{
    return mat_sub(P->B, 0, P->n - P->l, P->l, P->l);
}

/* -- the solvers --------------------------------------------------------------- */

static int tgsja_wanted(const exec_t *ex, const task_t *t)
{
    (void)t;
    return ex->policy.solver == GSVD_SOLVER_TGSJA;
}

static int tangent_wanted(const exec_t *ex, const task_t *t)
{
    (void)t;
    return ex->policy.solver != GSVD_SOLVER_CSD;
}

static int is_for_values(const exec_t *ex, const task_t *t)
{
    const pair_t *const P = t->problem;
    (void)ex;
    return P->values_only;
}

static int is_for_vectors(const exec_t *ex, const task_t *t)
{
    return !is_for_values(ex, t);
}

/* xTGSJA has vectors, whether they are asked for or not. */
static int has_room_for_vectors(const exec_t *ex, const task_t *t)
{
    return !X(solves_values_only)(ex, t->problem);
}

/* U and V are orthonormalized: the lengths of LAPACK's columns drift with the number
 * of rotations.  xTGSJA gives up after 40 cycles, and next to denormal numbers. */
static gsvd_status_t run_tgsja(const exec_t *ex, const task_t *t)
{
    const pair_t *const P = t->problem;
    solve_work_t *const w = t->work;
    const int64_t m1 = pair_m1(P), l = P->l;
    const mat_t G = of_b(w->GF, l), F = of_a(w->GF, l, m1, m1);

    t->out->solver = GSVD_SOLVER_TGSJA;
    GSVD_TRY(ex->op->tgsja(ex, a23(P), b13(P), P->tola, P->tolb, F, G, w->c,
                           w->s, &t->out->sweeps, t->yes));
    if (!*t->yes)
        return GSVD_SUCCESS;
    GSVD_TRY(X(orthonormalize)(ex, F, of_a(w->W, l, m1, m1), w->tau));
    GSVD_TRY(X(orthonormalize)(ex, G, of_b(w->W, l), w->tau));
    exchange_stacks(w);
    return GSVD_SUCCESS;
}

static gsvd_status_t run_tangent(const exec_t *ex, const task_t *t)
{
    const pair_t *const P = t->problem;
    solve_work_t *const w = t->work;

    t->out->solver = GSVD_SOLVER_TANGENT;
    w->shift = P->ea - P->eb;
    w->far = P->sort_a;
    return (P->values_only ? X(tangent_values) : X(tangent))(
        ex, a23(P), b13(P), P->rows_mixed, w, t->out, t->yes);
}

static gsvd_status_t run_csd(const exec_t *ex, const task_t *t)
{
    const pair_t *const P = t->problem;

    t->out->solver = GSVD_SOLVER_CSD;
    *t->yes = 1;
    return (P->values_only ? X(csd_values) : X(csd))(ex, a23(P), b13(P),
                                                     t->work, t->out);
}

static const solver_t solver[] = {
    {"xTGSJA", tgsja_wanted, has_room_for_vectors, NULL, run_tgsja},
    {"values by tangents", tangent_wanted, is_for_values, NULL, run_tangent},
    {"tangents", tangent_wanted, is_for_vectors, NULL, run_tangent},
    {"values by the CS decomposition", NULL, is_for_values, NULL, run_csd},
    {"CS decomposition", NULL, is_for_vectors, NULL, run_csd},
};
const solvers_t X(pair_solvers) = SOLVERS("triangular pair", solver);

/* -- the choice ---------------------------------------------------------------- */

int X(solves_values_only)(const exec_t *ex, const pair_t *P)
{
    return P->values_only && ex->policy.solver != GSVD_SOLVER_TGSJA;
}

gsvd_status_t X(solve_pair)(const exec_t *ex, const pair_t *P, solve_work_t *w,
                            outcome_t *out)
{
    int solved;
    const task_t t = {.problem = P, .work = w, .out = out, .yes = &solved};

    out->solver = ex->policy.solver;
    return P->l == 0 ? GSVD_SUCCESS : run_in_turn(&X(pair_solvers), ex, &t);
}
