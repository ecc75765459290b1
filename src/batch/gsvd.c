/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* gsvd.c -- the GSVD of small pairs, one after the other; CPU twin of gsvd.cu. */
#include "batch/gsvd.h"
#include "batch/solvers.h"
#include "primitives.h"

static int order_of(const gsvd_batch_t *b)
{
    return (int)max_i(max_i(b->m, b->n), max_i(b->p, 1));
}

/* The options that this solver has no part for leave the pairs to the general one. */
static int team_applies(const exec_t *ex, const task_t *t)
{
    const policy_t *const policy = &ex->policy;
    return order_of(gsvd_batch_in(t)) <= TEAM_MOST &&
           policy->form == GSVD_FORM_LAPACK &&
           policy->solver != GSVD_SOLVER_TGSJA &&
           policy->panel == GSVD_PANEL_AUTO && !policy->progress;
}

static size_t bytes_of(const exec_t *ex, const task_t *t)
{
    const int order = order_of(gsvd_batch_in(t));
    (void)ex;
    return team_bytes(order, order);
}

static gsvd_status_t by_team(const exec_t *ex, const task_t *task)
{
    const gsvd_batch_t *const b = gsvd_batch_in(task);
    const team_t t = {NULL};
    const int order = order_of(b);
    const team_batch_t c = team_batch_of(b, &ex->policy, order, order);
    void *memory;

    GSVD_TRY(X(kernel_work)(ex, bytes_of(ex, task), &memory));
    for (int64_t i = 0; i < b->count; ++i)
        solve_one(t, &c, i, memory);
    return GSVD_SUCCESS;
}

static const solver_t solver[] = {
    {"a team of one thread", NULL, team_applies, bytes_of, by_team}};
const solvers_t X(gsvd_solvers_cpu) = SOLVERS("GSVD of each", solver);
