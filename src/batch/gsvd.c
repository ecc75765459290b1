/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* gsvd.c -- the GSVD of small pairs, one after the other; CPU twin of gsvd.cu. */
#include "batch/gsvd.h"
#include "primitives.h"

static int order_of(const gsvd_batch_t *b)
{
    return (int)max_i(max_i(b->m, b->n), max_i(b->p, 1));
}

/* The options that this solver has no part for leave the pairs to the general one. */
int X(gsvd_batched_fits_cpu)(const exec_t *ex, const gsvd_batch_t *b)
{
    const policy_t *const policy = &ex->policy;
    return order_of(b) <= TEAM_MOST && policy->form == GSVD_FORM_LAPACK &&
           policy->solver != GSVD_SOLVER_TGSJA &&
           policy->panel == GSVD_PANEL_AUTO && !policy->progress;
}

size_t X(gsvd_batched_bytes_cpu)(const exec_t *ex, const gsvd_batch_t *b)
{
    (void)ex;
    return team_bytes(order_of(b), order_of(b));
}

gsvd_status_t X(gsvd_batched_cpu)(const exec_t *ex, const gsvd_batch_t *b)
{
    const team_t t = {1};
    const int order = order_of(b);
    const team_batch_t c = team_batch_of(b, &ex->policy, order, order);
    void *memory;

    GSVD_TRY(X(kernel_work)(ex, team_bytes(order, order), &memory));
    for (int64_t i = 0; i < b->count; ++i)
        solve_one(t, &c, i, memory);
    return GSVD_SUCCESS;
}
