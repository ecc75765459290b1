/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* svd.c -- the program of svd (gsvd/run_svd.c) on a grid: memory, copies in and out, the status.
 *
 * The caller's arrays have blocks of any shape.  Ours are square, and their size depends on the
 * matrix and the grid alone: so the result does. */
#include "core/handle.h"
#include "grid/backend.h"
#include "grid/layout.h"
#include "gsvd/pipeline.h"

enum {
    BLOCK = 64, /* rows and columns of a block                               */
    TURNS = 4   /* blocks of each process along the shorter side, at least   */
};

typedef struct memory {
    mat_t A, U, V;
    real_t *sigma;
    buffer_t work, staging;
} memory_t;

static const space_t space = {.name = "grid"};

static int64_t block_of(int64_t n)
{
    const int64_t turns = TURNS * max_i(gsvd_grid->p, gsvd_grid->q);
    return max_i(min_i(n / turns, BLOCK), 1);
}

/* Numbers of a rows x cols matrix on process 0, which has the most */
static double most_here(int64_t rows, int64_t cols)
{
    const grid_t *const g = gsvd_grid;
    return (double)share_of(rows, g->block, 0, g->p) *
           (double)share_of(cols, g->block, 0, g->q);
}

/* ScaLAPACK counts a process's part of a matrix, and its work, by 32 bits.  An eigenproblem takes two
 * matrices, and a few rows and columns of blocks. */
static gsvd_status_t is_countable(const args_t *a)
{
    const int64_t m = a->m, n = a->n, r = min_i(m, n);
    const double b = 4 * (double)gsvd_grid->block;
    const double parts[] = {
        most_here(m, n), most_here(m, matrix_u_cols(a)),
        most_here(n, matrix_v_cols(a)), most_here(max_i(m, n), r),
        2 * most_here(r, r) + b * (most_here(r, 1) + most_here(1, r) + b) +
            8 * (double)r};
    double most = (double)max_i(m, n) * 4; /* indices, too                   */

    for (size_t k = 0; k < sizeof parts / sizeof *parts; ++k)
        most = parts[k] > most ? parts[k] : most;
    if (most < INT32_MAX)
        return GSVD_SUCCESS;
    return gsvd_grid_fail(
        GSVD_NOT_SUPPORTED,
        "%lld x %lld on a %d x %d grid: %.3g numbers on a process, and "
        "ScaLAPACK counts by 32 bits: take more processes",
        (long long)m, (long long)n, gsvd_grid->p, gsvd_grid->q, most);
}

static void take(arena_t *a, const args_t *args, const need_t *need,
                 memory_t *w)
{
    w->A = X(take_matrix)(a, args->m, args->n);
    w->U = X(take_matrix)(a, args->m, matrix_u_cols(args));
    w->V = X(take_matrix)(a, args->n, matrix_v_cols(args));
    w->sigma = gsvd_arena_take(a, min_i(args->m, args->n), sizeof(real_t));
    w->work = gsvd_arena_buffer(a, need->work);
    w->staging = gsvd_arena_buffer(a, need->staging);
}

static array_t array_in(const void *data, const gsvd_grid_desc_t *d)
{
    const array_t array = {.data = (scalar_t *)data,
                           .ld = d->lld,
                           .mb = d->mb,
                           .nb = d->nb,
                           .i = d->i,
                           .j = d->j,
                           .rsrc = (int)d->rsrc,
                           .csrc = (int)d->csrc};
    return array;
}

static gsvd_status_t copy_out(mat_t F, void *to, const gsvd_grid_desc_t *d)
{
    return F.cols == 0 ? GSVD_SUCCESS
                       : X(move)(X(array_of)(F), NULL, NULL, F.rows, F.cols,
                                 array_in(to, d), 0);
}

static gsvd_status_t status_of(const outcome_t *out, int *info)
{
    if (out->overflow > 0) {
        *info = 2;
        return gsvd_grid_fail(GSVD_OVERFLOW,
                              "the result has values beyond the largest "
                              "number: scale by 2^-%d first",
                              out->overflow);
    }
    if (!out->unfinished)
        return GSVD_SUCCESS;
    *info = 1;
    if (out->lost)
        return gsvd_grid_fail(GSVD_NOT_CONVERGED,
                              "values are too small beside the largest one: "
                              "the type's range does not hold both");
    return gsvd_grid_fail(GSVD_NOT_CONVERGED, "no convergence after %d steps",
                          out->sweeps);
}

/* With the arguments of a call in `args` and the memory in `w` */
static gsvd_status_t run(const exec_t *ex, const grid_call_t *call,
                         args_t *args, const memory_t *w, int *info)
{
    exec_t in = *ex;
    outcome_t out = {0};

    in.work = gsvd_arena_over(w->work.data, w->work.bytes);
    in.staging = w->staging;
    args->array[OPERAND_A] = w->A.data;
    args->array[OPERAND_U] = w->U.data;
    args->array[OPERAND_V] = w->V.data;
    args->array[OPERAND_ALPHA] = w->sigma;
    GSVD_TRY(X(move)(array_in(call->A, call->descA), NULL, NULL, args->m,
                     args->n, X(array_of)(w->A), 0));
    const gsvd_status_t status = X(svd_program).run(&in, args, &out);
    if (out.illegal) {
        *info = -5;
        return gsvd_grid_fail(GSVD_INVALID_ARGUMENT, "argument 5, A: %s",
                              out.reason);
    }
    GSVD_TRY(status);
    GSVD_TRY(copy_out(w->U, call->U, call->descU));
    GSVD_TRY(copy_out(w->V, call->V, call->descV));
    memcpy(call->sigma, w->sigma,
           (size_t)min_i(args->m, args->n) * sizeof(real_t));
    return status_of(&out, info);
}

static gsvd_status_t call_in(struct gsvd_context *h, const grid_call_t *call,
                             int *info)
{
    const machine_t machine = {.name = "grid",
                               .tuning = {.GSVD_LETTER = &X(tuning_grid)}};
    args_t args = {.job = {call->jobu, call->jobv}, .m = call->m, .n = call->n};
    arena_t count = {0}, all;
    need_t need = {0};
    memory_t memory;
    void *room;

    /* The leading dimension of a view on a grid is the array's number of rows. */
    args.ld[OPERAND_A] = args.ld[OPERAND_U] = args.m;
    args.ld[OPERAND_V] = args.n;
    gsvd_set_defaults(h);
    h->space = &space;
    h->machine = &machine;
    const exec_t ex = {.h = h,
                       .op = &X(backend_grid),
                       .tune = &X(tuning_grid),
                       .queue = QUEUE_OWN,
                       .policy = gsvd_policy_of(h)};
    gsvd_grid->block = block_of(min_i(call->m, call->n));
    GSVD_TRY(is_countable(&args));
    GSVD_TRY(X(svd_program).measure(&ex, &args, &need));
    take(&count, &args, &need, &memory);
    GSVD_TRY(gsvd_grid_agree(
        need.full || count.full
            ? gsvd_grid_fail(GSVD_OUT_OF_MEMORY, "sizes are too large")
            : GSVD_SUCCESS));
    const size_t bytes = gsvd_arena_bytes(&count);
    GSVD_TRY(gsvd_grid_room(ROOM_CALL, bytes, &room));
    all = gsvd_arena_over(room, bytes);
    take(&all, &args, &need, &memory);
    return run(&ex, call, &args, &memory, info);
}

gsvd_status_t X(grid_run_svd)(const grid_call_t *call)
{
    struct gsvd_context h = {0};
    int info = 0;
    gsvd_status_t status = call_in(&h, call, &info);

    if (h.error[0] && !gsvd_grid->door.error[0])
        (void)gsvd_grid_fail(status, "%.200s", h.error);
    if (call->info)
        *call->info = info;
    return gsvd_report(status, call->info);
}
