/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* small.c -- the short road on the host: which pairs take it, by what policy. */
#include "small/small.h"

#include "small/pair.h"

/* More columns than these take so long that the short road saves nothing. */
enum { COLUMNS = 32 };

static int is_on(const exec_t *ex)
{
    return !ex->h->space->on_device && ex->policy.panel == GSVD_PANEL_AUTO;
}

int X(small_preprocess)(const exec_t *ex, pair_t *P)
{
    return P->n > 0 && P->n <= P->p && P->p <= SMALL && P->m <= SMALL &&
           is_on(ex) && ex->policy.rank == GSVD_RANK_NORM &&
           small_preprocess(P);
}

/* Tolerances are for xTGSJA alone, behind its general road. */
int X(small_scale_pair)(const exec_t *ex, pair_t *P)
{
    int ea, eb;
    if (P->n > SMALL || P->m > SMALL || P->p > SMALL || !is_on(ex) ||
        ex->policy.solver == GSVD_SOLVER_TGSJA || !small_exponent(P->A, &ea) ||
        !small_exponent(P->B, &eb))
        return 0;
    if (ea != 0)
        small_scale(P->A, -ea, P->A);
    if (eb != 0)
        small_scale(P->B, -eb, P->B);
    P->ea = ea;
    P->eb = eb;
    return 1;
}

/* The short road is a CS decomposition.  AUTO takes it where it is as accurate as TANGENT;
 * that may turn out after the sweeps, which a callback is not to see twice. */
static int suits(const policy_t *policy)
{
    return policy->solver == GSVD_SOLVER_CSD ||
           (policy->solver == GSVD_SOLVER_AUTO && !policy->progress);
}

int X(small_solve)(const exec_t *ex, pair_t *P, outcome_t *out)
{
    const policy_t *const policy = &ex->policy;
    small_t w;

    if (P->l < 1 || P->l > SMALL || P->n > COLUMNS || !is_on(ex) ||
        !suits(policy) || P->sort_a || P->sort_b)
        return 0;
    w.sweeps = (small_sweeps_t){.tol = policy->tol_jacobi,
                                .most = policy->max_sweeps,
                                .report = policy->progress,
                                .user = policy->progress_user,
                                .converged = 1,
                                .stopped = out->stopped};
    if (!small_solve(P, policy->solver == GSVD_SOLVER_AUTO, &w))
        return 0;
    out->stopped = w.sweeps.stopped;
    out->solver = GSVD_SOLVER_CSD;
    out->sweeps = w.sweeps.done;
    out->unfinished = !w.sweeps.converged;
    return 1;
}
