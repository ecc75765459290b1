/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* svd.c -- the program of svd (gsvd/run_svd.c) on a grid.
 *
 * The result is tested against the caller's A, since the products of others' libraries may fail:
 *
 *     U and V     A V x - U S x, with Gaussian vectors x, is rounding of |A|
 *     otherwise   the squares of the values are those of A's entries
 */
#include <math.h>

#include "grid/call.h"

enum { PROBES = 4 }; /* Gaussian vectors                                     */

typedef struct memory {
    mat_t A, U, V;
    real_t *sigma;
    buffer_t work, staging;
} memory_t;

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
    X(grid_scale_rows)(t->x, w->sigma, e);
    GSVD_TRY(ex->op->gemm_sub(ex, 'N', 'N', mat_cols(w->U, 0, r), t->x, t->E));
    GSVD_TRY(X(grid_longest)(ex, t->E, t->lengths, &most));
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
    GSVD_TRY(X(grid_copy_in)(&call->array[GRID_A], A));
    GSVD_TRY(in.op->scale_pow2(&in, A, e));
    return w->U.cols > 0 && w->V.cols > 0 ? test_factors(&in, w, A, e, &t, good)
                                          : test_values(&in, w, A, e, &t, good);
}

/* -- all ----------------------------------------------------------------------------- */

/* The decomposition of the caller's A; once more by sorted rows where columns depend on others
 * (run_svd.c, rows_count) */
static gsvd_status_t decompose(const exec_t *ex, const grid_call_t *call,
                               const args_t *args, const memory_t *w,
                               outcome_t *out)
{
    gsvd_status_t status = GSVD_SUCCESS;

    for (int again = 0; status == GSVD_SUCCESS && again < 2; ++again) {
        *out = (outcome_t){0};
        gsvd_grid->even_rows = !again;
        status = X(grid_copy_in)(&call->array[GRID_A], w->A);
        if (status == GSVD_SUCCESS)
            status = X(svd_program).run(ex, args, out);
        if (!out->dependent)
            break;
    }
    gsvd_grid->even_rows = 0;
    return status;
}

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
    const gsvd_status_t status = decompose(&in, call, args, w, &out);
    if (out.illegal) {
        *info = -5;
        return gsvd_grid_fail(GSVD_INVALID_ARGUMENT, "argument 5, A: %s",
                              out.reason);
    }
    GSVD_TRY(status);
    GSVD_TRY(X(grid_copy_out)(w->U, &call->array[GRID_U]));
    GSVD_TRY(X(grid_copy_out)(w->V, &call->array[GRID_V]));
    memcpy(call->alpha, w->sigma,
           (size_t)min_i(args->m, args->n) * sizeof(real_t));
    GSVD_TRY(X(grid_status_of)(&out, info));
    GSVD_TRY(test(&in, call, w, &good));
    if (good)
        return GSVD_SUCCESS;
    *info = 1;
    return gsvd_grid_fail(GSVD_NOT_CONVERGED,
                          "the result is not a decomposition of A");
}

gsvd_status_t X(svd_on_grid)(const exec_t *ex, const grid_call_t *call,
                             int *info)
{
    const int64_t m = call->m, n = call->n, r = min_i(m, n);
    args_t args = {.job = {call->job[0], call->job[1]}, .m = m, .n = n};
    const shape_t shape[] = {{m, n},
                             {m, matrix_u_cols(&args)},
                             {n, matrix_v_cols(&args)},
                             {max_i(m, n), r}};
    arena_t count = {0}, all;
    need_t need = {0};
    memory_t memory;

    /* The leading dimension of a view on a grid is the array's number of rows. */
    args.ld[OPERAND_A] = args.ld[OPERAND_U] = m;
    args.ld[OPERAND_V] = n;
    GSVD_TRY(X(grid_is_countable)(shape, 4, r));
    GSVD_TRY(X(svd_program).measure(ex, &args, &need));
    need.work = max_size(need.work, test_bytes(&args));
    take(&count, &args, &need, &memory);
    count.full |= need.full;
    GSVD_TRY(gsvd_grid_memory(&count, &all));
    take(&all, &args, &need, &memory);
    return run(ex, call, &args, &memory, info);
}
