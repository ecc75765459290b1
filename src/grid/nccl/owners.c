/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* owners.c -- bands by owners, on a grid of devices.  A process that is alone owns all: libgsvd solves them on
 * its GPU, where they are.  Of several processes all solve one band after another. */
#include "grid/nccl/engine.h"
#include "jacobi/steps.h"

enum { NARROW = 96 }; /* columns: no wider band is solved by libgsvd       */

static mat_t take(arena_t *a, mat_t M)
{
    return X(take_matrix)(a, M.rows, M.cols);
}

/* *done: L's columns are orthogonal, and F's turned along.  libgsvd gets copies, since they are lost if it
 * fails. */
static gsvd_status_t solve(const exec_t *ex, mat_t L, mat_t F, buffer_t room,
                           int *done)
{
    grid_t *const g = gsvd_grid;
    arena_t a = gsvd_arena_over(room.data, room.bytes);
    const mat_t l = take(&a, L), f = F.data ? take(&a, F) : F;

    *done = 0;
    if (a.full || L.cols <= NARROW || g->device == GSVD_HOST ||
        gsvd_nccl_handle() != GSVD_SUCCESS)
        return GSVD_SUCCESS;
    GSVD_TRY(ex->op->copy(ex, L, l));
    if (F.data)
        GSVD_TRY(ex->op->copy(ex, F, f));
    gsvd_nccl_wait();
    GSVD_TRY(gsvd_nccl_status());
    const gsvd_status_t status = g->gpu->solve_there(
        g->handle, GRID_TYPE, L.rows, L.cols, F.data ? F.rows : 0,
        gsvd_grid_there(l.data), F.data ? gsvd_grid_there(f.data) : NULL);
    NCCL_CUDA(cudaDeviceSynchronize());
    if (status != GSVD_SUCCESS)
        return gsvd_nccl_status();
    GSVD_TRY(ex->op->copy(ex, l, L));
    if (F.data)
        GSVD_TRY(ex->op->copy(ex, f, F));
    ++g->door.on_gpu;
    *done = 1;
    return GSVD_SUCCESS;
}

gsvd_status_t X(diagonalize_by_owners)(const exec_t *ex, steps_t *s, int count,
                                       band_t *band, const steps_work_t *w)
{
    const mat_t none = {.data = NULL}, beside = s->exchanged ? s->E : s->D,
                F = beside.data && beside.rows > 0 ? beside : none;
    const buffer_t room = s->E.data ? w->eigen : w->eigen_with_e;

    if (gsvd_grid->size > 1)
        return GSVD_SUCCESS;
    for (band_t *b = band; b < band + count; ++b) {
        const int64_t cols = b->end - b->begin;
        int done;
        GSVD_TRY(solve(ex, mat_cols(s->L, b->begin, cols),
                       F.data ? mat_cols(F, b->begin, cols) : F, room, &done));
        if (!done)
            continue;
        s->identity = s->identity && s->exchanged;
        s->sorted = s->sorted && s->exchanged;
        b->end = b->begin;
    }
    return GSVD_SUCCESS;
}
