/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* eigh.c -- the program of eigh (gsvd/run_eigh.c) on a grid, by the signed SVD.  It tests the result
 * itself, with random vectors. */
#include "grid/call.h"

typedef struct memory {
    mat_t A, Q;
    real_t *values;
    buffer_t work, staging;
} memory_t;

static void take(arena_t *a, int64_t n, const need_t *need, memory_t *w)
{
    w->A = X(take_matrix)(a, n, n);
    w->Q = X(take_matrix)(a, n, n);
    w->values = gsvd_arena_take(a, n, sizeof(real_t));
    w->work = gsvd_arena_buffer(a, need->work);
    w->staging = gsvd_arena_buffer(a, need->staging);
}

static gsvd_status_t run(const exec_t *ex, const grid_call_t *call,
                         args_t *args, const memory_t *w, int *info)
{
    exec_t in = *ex;
    outcome_t out = {0};

    in.work = gsvd_arena_over(w->work.data, w->work.bytes);
    in.staging = w->staging;
    args->array[OPERAND_A] = w->A.data;
    args->array[OPERAND_Q] = w->Q.data;
    args->array[OPERAND_ALPHA] = w->values;
    GSVD_TRY(X(grid_copy_in)(&call->array[GRID_A], w->A));
    const gsvd_status_t status = X(eigh_program).run(&in, args, &out);
    if (out.illegal) {
        *info = -4;
        return gsvd_grid_fail(GSVD_INVALID_ARGUMENT, "argument 4, A: %s",
                              out.reason);
    }
    GSVD_TRY(status);
    GSVD_TRY(X(grid_status_of)(&out, info));
    if (call->job[0] == 'V')
        GSVD_TRY(X(grid_copy_out)(w->Q, &call->array[GRID_U]));
    if (call->n > 0)
        memcpy(call->alpha, w->values, (size_t)call->n * sizeof(real_t));
    return GSVD_SUCCESS;
}

gsvd_status_t X(eigh_on_grid)(const exec_t *ex, const grid_call_t *call,
                              int *info)
{
    const int64_t n = call->n;
    args_t args = {.job = {'V', call->job[1], 'A'}, .m = n, .n = n};
    const shape_t shape = {n, n};
    arena_t count = {0}, all;
    need_t need = {0};
    memory_t memory;

    args.ld[OPERAND_A] = args.ld[OPERAND_Q] = n;
    GSVD_TRY(X(grid_is_countable)(&shape, 1, n));
    GSVD_TRY(X(eigh_program).measure(ex, &args, &need));
    take(&count, n, &need, &memory);
    count.full |= need.full;
    GSVD_TRY(gsvd_grid_memory(&count, &all));
    take(&all, n, &need, &memory);
    return run(ex, call, &args, &memory, info);
}

/* -- there is no L D L^H on a grid, and no policy asks for it ----------------------------- */

void X(ldl_take)(arena_t *a, int64_t n, ldl_t *F) { (void)a, (void)n, (void)F; }

size_t X(hetrf_sorted_bytes)(const exec_t *ex, int64_t n)
{
    (void)ex, (void)n;
    return 0;
}

double X(hetrf_seconds)(const exec_t *ex, int64_t n)
{
    (void)ex, (void)n;
    return 0;
}

gsvd_status_t X(hetrf_sorted)(const exec_t *ex, mat_t A, real_t tol,
                              int by_sign, ldl_t *F)
{
    (void)ex, (void)A, (void)tol, (void)by_sign, (void)F;
    return GSVD_NOT_SUPPORTED;
}

gsvd_status_t X(ldl_root)(const exec_t *ex, const ldl_t *F, mat_t work, mat_t G)
{
    (void)ex, (void)F, (void)work, (void)G;
    return GSVD_NOT_SUPPORTED;
}
