/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* handle.c [1] -- the memory that a handle owns, and a clock. */
#include "core/handle.h"

#include <string.h>
#include <time.h>

double gsvd_now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

gsvd_status_t gsvd_buffer_grow(gsvd_handle_t h, const space_t *space,
                               buffer_t *b, size_t bytes)
{
    if (bytes <= b->bytes)
        return GSVD_SUCCESS;
    if (b->data)
        space->release(h, b->data);
    *b = (buffer_t){0};
    GSVD_TRY(space->allocate(h, &b->data, bytes));
    b->bytes = bytes;
    return GSVD_SUCCESS;
}

void gsvd_forget_shapes(gsvd_handle_t h)
{
    memset(h->shape, 0, sizeof h->shape);
}

void gsvd_set_defaults(gsvd_handle_t h)
{
    for (int i = 0; i < OPTIONS; ++i)
        h->option[i] = i < GSVD_TOL_A || i > GSVD_TOL_JACOBI ? 0 : -1;
    h->option[GSVD_MAX_SWEEPS] = DEFAULT_SWEEPS;
    h->progress = NULL;
    h->progress_user = NULL;
    h->dwork = h->hwork = NULL;
    h->dwork_bytes = h->hwork_bytes = 0;
    gsvd_forget_shapes(h);
}

policy_t gsvd_policy_of(gsvd_handle_t h)
{
    const policy_t policy = {
        .solver = (gsvd_solver_t)(int)h->option[GSVD_SOLVER],
        .form = (gsvd_form_t)(int)h->option[GSVD_FORM],
        .pivot = (gsvd_pivot_t)(int)h->option[GSVD_PIVOT],
        .panel = (gsvd_panel_t)(int)h->option[GSVD_PANEL],
        .svd = (gsvd_svd_option_t)(int)h->option[GSVD_SVD],
        .equilibrate = (gsvd_equilibrate_t)(int)h->option[GSVD_EQUILIBRATE],
        .rank = (gsvd_rank_t)(int)h->option[GSVD_RANK],
        .eigh = (gsvd_eigh_option_t)(int)h->option[GSVD_EIGH],
        .max_sweeps = (int)h->option[GSVD_MAX_SWEEPS],
        .tol_a = h->option[GSVD_TOL_A],
        .tol_b = h->option[GSVD_TOL_B],
        .tol_jacobi = h->option[GSVD_TOL_JACOBI],
        .progress = h->progress,
        .progress_user = h->progress_user,
    };
    return policy;
}
