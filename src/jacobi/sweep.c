/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* sweep.c -- one-sided Jacobi: sweeps until the columns are orthogonal.
 *
 *     repeat  (G, C) := (G, C) J   over all pairs of an ordering
 *     until   |g_p^H g_q| <= tol |g_p| |g_q|   for all pairs in one sweep
 *
 * The test is relative to both columns, so that columns of any length end up
 * orthogonal to working accuracy and their lengths, the singular values, come
 * out with high relative accuracy (Demmel and Veselic 1992).
 */
#include "core/rotate.h"
#include "jacobi/jacobi.h"

gsvd_status_t X(orthogonalize)(gsvd_handle_t h, const backend_t *be, mat_t G,
                               mat_t C, int64_t *rotations)
{
    const real_t tol = jacobi_tolerance(h->tolerance[GSVD_TOL_JACOBI], G.rows);
    int64_t count = 0;

    if (G.cols < 2 || h->stopped)
        return GSVD_SUCCESS;
    GSVD_TRY(be->take_count(h, rotations, NULL)); /* starts at 0             */
    for (int sweep = 0; sweep < h->option[GSVD_MAX_SWEEPS]; ++sweep) {
        GSVD_TRY(be->sweep(h, G, C, tol, rotations));
        GSVD_TRY(be->take_count(h, rotations, &count));
        ++h->stats.sweeps;
        if (h->progress)
            h->stopped = h->progress(h->progress_user, h->stats.sweeps, count);
        if (count == 0)
            return GSVD_SUCCESS;
        if (h->stopped)
            break;
    }
    h->stats.converged = 0;
    return GSVD_SUCCESS;
}
