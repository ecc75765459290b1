/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* svd.c -- the program of svd (gsvd/run_svd.c) on a grid: memory, copies in and out, the status.
 *
 * The caller's arrays have blocks of any shape.  Ours are square, and their size depends on the
 * matrix and the grid alone: so the result does.
 *
 * The result is tested against the caller's A, since the products of others' libraries may fail:
 *
 *     U and V     A V x - U S x, with Gaussian vectors x, is rounding of |A|
 *     otherwise   the squares of the values are those of A's entries
 */
#include <math.h>

#include "core/handle.h"
#include "grid/backend.h"
#include "grid/layout.h"
#include "gsvd/pipeline.h"

enum {
    BLOCK = 64, /* rows and columns of a block                               */
    TURNS = 4,  /* blocks of each process along the shorter side, at least   */
    PROBES = 4  /* Gaussian vectors                                          */
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

/* -- the test --------------------------------------------------------------------------- */

typedef struct test {
    mat_t x, y, E; /* PROBES columns                                         */
    real_t *lengths;
} test_t;

static void take_test(arena_t *a, int64_t m, int64_t n, test_t *t)
{
    t->x = X(take_matrix)(a, min_i(m, n), PROBES);
    t->y = X(take_matrix)(a, n, PROBES);
    t->E = X(take_matrix)(a, m, PROBES);
    t->lengths = gsvd_arena_take(a, max_i(n, PROBES), sizeof(real_t));
}

static size_t test_bytes(const args_t *a)
{
    arena_t count = {0};
    test_t t;
    take_test(&count, a->m, a->n, &t);
    return gsvd_arena_bytes(&count);
}

/* x := diag(sigma) 2^e x */
static void scale_rows(mat_t x, const real_t *sigma, int e)
{
    const part_t P = X(part_of)(x);
    EACH_ENTRY (P, i, j)
        HERE(P, i, j) = scale(ldexp_r(sigma[i.at], e), HERE(P, i, j));
}

/* The longest column of E, infinite if it has a NaN */
static gsvd_status_t longest(const exec_t *ex, mat_t E, real_t *lengths,
                             real_t *most)
{
    *most = 0;
    GSVD_TRY(ex->op->column_norms(ex, E, lengths));
    for (int64_t j = 0; j < E.cols; ++j)
        *most = !(lengths[j] <= *most) ? lengths[j] : *most;
    if (!(*most <= GSVD_REAL_MAX))
        *most = (real_t)INFINITY;
    return GSVD_SUCCESS;
}

/* A holds the caller's matrix again, 2^e times. */
static gsvd_status_t test_factors(const exec_t *ex, const memory_t *w, mat_t A,
                                  int e, const test_t *t, int *good)
{
    const int64_t r = t->x.rows;
    const real_t bound = RESIDUAL_MOST(max_i(A.rows, A.cols)) *
                         sqrt_r((real_t)r) * ldexp_r(w->sigma[0], e);
    real_t most;

    GSVD_TRY(ex->op->gaussian(ex, t->x, 1));
    GSVD_TRY(ex->op->gemm(ex, 'N', 'N', mat_cols(w->V, 0, r), t->x, t->y));
    GSVD_TRY(ex->op->gemm(ex, 'N', 'N', A, t->y, t->E));
    scale_rows(t->x, w->sigma, e);
    GSVD_TRY(ex->op->gemm_sub(ex, 'N', 'N', mat_cols(w->U, 0, r), t->x, t->E));
    GSVD_TRY(longest(ex, t->E, t->lengths, &most));
    *good = most <= bound;
    return GSVD_SUCCESS;
}

static gsvd_status_t test_values(const exec_t *ex, const memory_t *w, mat_t A,
                                 int e, const test_t *t, int *good)
{
    double values = 0, entries = 0;

    GSVD_TRY(ex->op->column_norms(ex, A, t->lengths));
    for (int64_t j = 0; j < A.cols; ++j)
        entries += (double)t->lengths[j] * (double)t->lengths[j];
    for (int64_t j = 0; j < t->x.rows; ++j) {
        const double x = (double)ldexp_r(w->sigma[j], e);
        values += x * x;
    }
    *good =
        fabs(values - entries) <= SQUARES_MOST(max_i(A.rows, A.cols)) * entries;
    return GSVD_SUCCESS;
}

/* Overwrites A and the work. */
static gsvd_status_t test(const exec_t *ex, const grid_call_t *call,
                          const memory_t *w, int *good)
{
    const mat_t A = w->A;
    const int64_t r = min_i(A.rows, A.cols);
    exec_t in = *ex;
    test_t t;

    *good = 1;
    if (r == 0)
        return GSVD_SUCCESS;
    const int e = w->sigma[0] > 0 && w->sigma[0] <= GSVD_REAL_MAX
                      ? -exponent_r(w->sigma[0])
                      : 0;
    in.work = gsvd_arena_over(w->work.data, w->work.bytes);
    take_test(&in.work, A.rows, A.cols, &t);
    GSVD_TRY(X(work_suffices)(&in));
    GSVD_TRY(X(move)(array_in(call->A, call->descA), NULL, NULL, A.rows, A.cols,
                     X(array_of)(A), 0));
    GSVD_TRY(in.op->scale_pow2(&in, A, e));
    return w->U.cols > 0 && w->V.cols > 0 ? test_factors(&in, w, A, e, &t, good)
                                          : test_values(&in, w, A, e, &t, good);
}

/* -- the call ----------------------------------------------------------------------------- */

/* With the arguments of a call in `args` and the memory in `w` */
static gsvd_status_t run(const exec_t *ex, const grid_call_t *call,
                         args_t *args, const memory_t *w, int *info)
{
    exec_t in = *ex;
    outcome_t out = {0};
    int good;

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
    GSVD_TRY(status_of(&out, info));
    GSVD_TRY(test(&in, call, w, &good));
    if (good)
        return GSVD_SUCCESS;
    *info = 1;
    return gsvd_grid_fail(GSVD_NOT_CONVERGED,
                          "the result is not a decomposition of A");
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
    need.work = need.work > test_bytes(&args) ? need.work : test_bytes(&args);
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
