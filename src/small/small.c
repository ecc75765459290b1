/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* small.c -- the short road on the host: which pairs take it, with the options and
 * the statistics of a handle. */
#include "small/small.h"

#include "small/pair.h"

/* More columns than these take so long that the short road saves nothing. */
enum { COLUMNS = 32 };

static int is_on(gsvd_handle_t h)
{
    return !h->space->on_device && h->option[GSVD_PANEL] == GSVD_PANEL_AUTO;
}

int X(small_preprocess)(gsvd_handle_t h, pair_t *P)
{
    return P->n > 0 && P->n <= P->p && P->p <= SMALL && P->m <= SMALL &&
           is_on(h) && small_preprocess(P);
}

int X(small_solve)(gsvd_handle_t h, pair_t *P)
{
    small_t w;

    if (P->l < 1 || P->l > SMALL || P->n > COLUMNS || !is_on(h) ||
        h->option[GSVD_SOLVER] != GSVD_SOLVER_JACOBI || h->by_rows)
        return 0;
    w.sweeps = (small_sweeps_t){.tol = h->tolerance[GSVD_TOL_JACOBI],
                                .most = h->option[GSVD_MAX_SWEEPS],
                                .report = h->progress,
                                .user = h->progress_user,
                                .converged = 1,
                                .stopped = h->stopped};
    small_solve(P, &w);
    h->stopped = w.sweeps.stopped;
    h->stats.solver = GSVD_SOLVER_JACOBI;
    h->stats.sweeps = w.sweeps.done;
    h->stats.converged = w.sweeps.converged;
    return 1;
}
