/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* small.c -- the solver of a few columns on the host: which pairs it takes, by what policy. */
#include "small/small.h"

#include "small/pair.h"

static int is_on(const exec_t *ex)
{
    return !ex->h->space->on_device && ex->policy.panel == GSVD_PANEL_AUTO;
}

int X(small_preprocess)(const exec_t *ex, pair_t *P)
{
    return small_fits(P) && is_on(ex) && ex->policy.rank == GSVD_RANK_NORM &&
           small_preprocess(P);
}

/* Tolerances are for xTGSJA alone, behind the general steps. */
int X(small_scale_pair)(const exec_t *ex, pair_t *P)
{
    return P->n <= SMALL && P->m <= SMALL && P->p <= SMALL && is_on(ex) &&
           ex->policy.solver != GSVD_SOLVER_TGSJA && small_scale_pair(P);
}

int X(small_applies)(const exec_t *ex, const pair_t *P)
{
    const gsvd_solver_t solver = ex->policy.solver;
    return P->l >= 1 && P->l <= SMALL && P->n <= SMALL_COLUMNS && is_on(ex) &&
           solver != GSVD_SOLVER_TGSJA &&
           !(solver == GSVD_SOLVER_CSD && (P->sort_a || P->sort_b));
}

int X(small_solve)(const exec_t *ex, pair_t *P, outcome_t *out)
{
    const policy_t *const policy = &ex->policy;
    const int csd = policy->solver == GSVD_SOLVER_CSD;
    small_t w;

    w.sweeps = (sweeps_t){.stopped = out->stopped,
                          .report = policy->progress,
                          .user = policy->progress_user};
    w.team.tol_jacobi = (real_t)policy->tol_jacobi;
    w.team.max_sweeps = policy->max_sweeps;
    if (!small_solve(P, csd ? SMALL_CSD : SMALL_AUTO, &w))
        return 0;
    out->stopped = w.sweeps.stopped;
    out->solver = csd ? GSVD_SOLVER_CSD : GSVD_SOLVER_TANGENT;
    out->sweeps = w.sweeps.done;
    out->unfinished = !w.team.converged;
    return 1;
}
