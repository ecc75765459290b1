/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* exec.c -- see exec.h. */
#include "core/exec.h"

exec_t X(exec_of)(gsvd_handle_t h)
{
    const exec_t ex = {.h = h,
                       .op = h->space->table.GSVD_LETTER,
                       .tune = h->machine->tuning.GSVD_LETTER,
                       .queue = QUEUE_OWN,
                       .policy = gsvd_policy_of(h)};
    return ex;
}

mat_t X(take_matrix)(arena_t *a, int64_t rows, int64_t cols)
{
    scalar_t *const data =
        gsvd_arena_take(a, mat_entries(rows, cols), sizeof(scalar_t));
    return mat_view(data, rows, cols, max_i(rows, 1));
}

mat_t X(take_room)(arena_t *a, int64_t entries, int64_t rows, int64_t cols)
{
    const int64_t here = GSVD_ON_GRID ? mat_entries(rows, cols) : entries;
    scalar_t *const data = gsvd_arena_take(a, here, sizeof(scalar_t));
    return mat_view(data, entries, 1, max_i(entries, 1));
}

static gsvd_status_t short_of_work(const exec_t *ex)
{
    return gsvd_fail(ex->h, GSVD_INTERNAL_ERROR,
                     "the workspace was measured too small: %zu bytes",
                     ex->work.size);
}

gsvd_status_t X(work_suffices)(const exec_t *ex)
{
    return ex->work.full ? short_of_work(ex) : GSVD_SUCCESS;
}

gsvd_status_t X(kernel_work)(const exec_t *ex, size_t bytes, void **p)
{
    const arena_t *const a = &ex->work;
    if (a->full || bytes > a->size - a->used)
        return short_of_work(ex);
    *p = a->base + a->used;
    return GSVD_SUCCESS;
}
