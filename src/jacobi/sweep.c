/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* sweep.c -- one-sided Jacobi: sweeps until the columns are orthogonal.
 *
 *     repeat  (G, C) := (G, C) J   over all pairs of an ordering
 *     until   |g_p^H g_q| <= tol |g_p| |g_q|   for all pairs in one sweep
 *
 * The test is relative to both columns, so that columns of any length end up
 * orthogonal to working accuracy and their lengths, the singular values, come
 * out with high relative accuracy (Demmel and Veselic 1992).  With a signature the
 * same holds of J-unitary transformations (Veselic 1993).
 */
#include "core/rotate.h"
#include "jacobi/jacobi.h"

gsvd_status_t X(sweeps)(const exec_t *ex, const task_t *t)
{
    const mat_t G = t->A, C = t->C;
    int64_t *const rotations = t->count;
    outcome_t *const out = t->out;
    const policy_t *const policy = &ex->policy;
    const real_t tol = X(asked_tolerance)(ex, G.rows);
    int64_t count = 0;

    if (t->yes) /* Lengths drift.                                            */
        *t->yes = 0;
    if (t->how == AIM_FROM_IDENTITY)
        GSVD_TRY(ex->op->set(ex, C, 0, 1));
    if (G.cols < 2 || out->stopped)
        return GSVD_SUCCESS;
    GSVD_TRY(ex->op->read_rotations(ex, rotations, NULL)); /* sets 0 */
    for (int sweep = 0; sweep < policy->max_sweeps; ++sweep) {
        GSVD_TRY(ex->op->sweep(ex, G, C, t->k, tol, rotations));
        GSVD_TRY(ex->op->read_rotations(ex, rotations, &count));
        ++out->sweeps;
        if (policy->progress)
            out->stopped =
                policy->progress(policy->progress_user, out->sweeps, count);
        if (count == 0)
            return GSVD_SUCCESS;
        if (out->stopped)
            break;
    }
    out->unfinished = 1;
    return GSVD_SUCCESS;
}
