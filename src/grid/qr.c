/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* qr.c -- the programs of qr and geqp (gsvd/run_qr.c, gsvd/run_geqp.c) on a grid.
 *
 * The result is tested before it is delivered: A x - Q (R P^T x; 0), with Gaussian vectors x, is
 * rounding of |A|.
 */
#include "grid/call.h"

enum { PROBES = 4 }; /* Gaussian vectors                                     */

typedef struct memory {
    mat_t A, R;
    mat_t x, z, E; /* PROBES columns: x, P^T x, and A x - Q R P^T x          */
    mat_t y, one;  /* Q R P^T x; I                                           */
    scalar_t *tau, *all; /* of the columns here, and of all                  */
    real_t *lengths;
    int64_t *jpvt;
    int *perm;
    real_t longest; /* column of A                                           */
    int exponent;   /* x is 2^-exponent times Gaussian numbers.              */
    buffer_t work, staging;
} memory_t;

static void take(arena_t *a, int64_t m, int64_t n, const need_t *need,
                 memory_t *w)
{
    w->A = X(take_matrix)(a, m, n);
    w->R = X(take_matrix)(a, m, n);
    w->x = X(take_matrix)(a, n, PROBES);
    w->z = X(take_matrix)(a, n, PROBES);
    w->E = X(take_matrix)(a, m, PROBES);
    w->y = X(take_matrix)(a, m, PROBES);
    w->one = X(take_matrix)(a, PROBES, PROBES);
    w->tau = gsvd_arena_take(a, n, sizeof(scalar_t));
    w->all = gsvd_arena_take(a, n, sizeof(scalar_t));
    w->lengths = gsvd_arena_take(a, max_i(n, PROBES), sizeof(real_t));
    w->jpvt = gsvd_arena_take(a, n, sizeof(int64_t));
    w->perm = gsvd_arena_take(a, n, sizeof(int));
    w->work = gsvd_arena_buffer(a, need->work);
    w->staging = gsvd_arena_buffer(a, need->staging);
}

/* -- the test --------------------------------------------------------------------- */

/* E := A x, with x so small that neither x nor A x leaves the range */
static gsvd_status_t begin_test(const exec_t *ex, memory_t *w)
{
    norms_t r;

    GSVD_TRY(ex->op->norms(ex, w->A, &r));
    if (!r.finite) /* The program says so.                                   */
        return GSVD_SUCCESS;
    w->exponent = X(far_exponent)(&r) / 2;
    GSVD_TRY(X(grid_longest)(ex, w->A, w->lengths, &w->longest));
    GSVD_TRY(ex->op->gaussian(ex, w->x, 1));
    GSVD_TRY(ex->op->scale_pow2(ex, w->x, -w->exponent));
    return ex->op->gemm(ex, 'N', 'N', w->A, w->x, w->E);
}

/* z := P^T x, where column j of A P is column jpvt[j] of A; P = I without jpvt */
static gsvd_status_t permute_probes(const exec_t *ex, int pivoted,
                                    const memory_t *w)
{
    if (!pivoted)
        return ex->op->copy(ex, w->x, w->z);
    for (int64_t j = 0; j < w->x.rows; ++j)
        w->perm[w->jpvt[j] - 1] = (int)j;
    return ex->op->permute_rows(ex, w->x, w->perm, w->z);
}

static gsvd_status_t test(const exec_t *ex, int pivoted, int64_t rank,
                          const memory_t *w)
{
    const int64_t n = w->A.cols;
    const real_t bound = RESIDUAL_MOST(max_i(w->A.rows, n)) *
                         sqrt_r((real_t)n) * ldexp_r(w->longest, -w->exponent);
    real_t most;

    GSVD_TRY(permute_probes(ex, pivoted, w));
    GSVD_TRY(ex->op->copy(ex, w->A, w->R));
    GSVD_TRY(ex->op->zero_lower(ex, mat_cols(w->R, 0, rank)));
    GSVD_TRY(ex->op->gemm(ex, 'N', 'N', w->R, w->z, w->y));
    GSVD_TRY(X(unmqr)(ex, 'L', 'N', w->A, rank, w->tau, w->y));
    GSVD_TRY(ex->op->set(ex, w->one, 0, 1));
    GSVD_TRY(ex->op->gemm_sub(ex, 'N', 'N', w->y, w->one, w->E));
    GSVD_TRY(X(grid_longest)(ex, w->E, w->lengths, &most));
    return most <= bound
               ? GSVD_SUCCESS
               : gsvd_grid_fail(
                     GSVD_INTERNAL_ERROR,
                     "the engine's QR is wrong: A x and Q R x differ");
}

/* -- all ------------------------------------------------------------------------------ */

static gsvd_status_t deliver(const grid_call_t *call, int64_t rank,
                             const memory_t *w)
{
    const int64_t n = call->n, r = min_i(call->m, n);
    GSVD_TRY(X(grid_copy_out)(w->A, &call->array[GRID_A]));
    GSVD_TRY(X(grid_gather_tau)(w->A, w->tau, r, w->all));
    if (call->tau)
        memcpy(call->tau, w->all, (size_t)r * sizeof(scalar_t));
    if (call->routine == GRID_QR)
        return GSVD_SUCCESS;
    if (n > 0)
        memcpy(call->jpvt, w->jpvt, (size_t)n * sizeof *w->jpvt);
    *call->k = rank;
    return GSVD_SUCCESS;
}

static gsvd_status_t run(const exec_t *ex, const program_t *program,
                         const grid_call_t *call, args_t *args, memory_t *w,
                         int *info)
{
    const int pivoted = call->routine == GRID_GEQP;
    exec_t in = *ex;
    outcome_t out = {.k = min_i(call->m, call->n)};

    in.work = gsvd_arena_over(w->work.data, w->work.bytes);
    in.staging = w->staging;
    args->array[OPERAND_A] = w->A.data;
    args->array[OPERAND_TAU] = w->tau;
    args->array[OPERAND_JPVT] = w->jpvt;
    GSVD_TRY(X(grid_copy_in)(&call->array[GRID_A], w->A));
    GSVD_TRY(begin_test(&in, w));
    const gsvd_status_t status = program->run(&in, args, &out);
    if (out.illegal) {
        *info = -3;
        return gsvd_grid_fail(GSVD_INVALID_ARGUMENT, "argument 3, A: %s",
                              out.reason);
    }
    GSVD_TRY(status);
    GSVD_TRY(X(grid_status_of)(&out, info));
    GSVD_TRY(test(&in, pivoted, out.k, w));
    return deliver(call, out.k, w);
}

gsvd_status_t X(qr_on_grid)(const exec_t *ex, const grid_call_t *call,
                            int *info)
{
    const program_t *const program =
        call->routine == GRID_GEQP ? &X(geqp_program) : &X(qr_program);
    args_t args = {.m = call->m, .n = call->n, .tol = {call->tol}};
    const shape_t shape = {call->m, call->n};
    arena_t count = {0}, all;
    need_t need = {0};
    memory_t memory = {.exponent = 0};

    args.ld[OPERAND_A] = call->m;
    GSVD_TRY(X(grid_is_countable)(&shape, 1, 0));
    GSVD_TRY(program->measure(ex, &args, &need));
    take(&count, call->m, call->n, &need, &memory);
    count.full |= need.full;
    GSVD_TRY(gsvd_grid_memory(&count, &all));
    take(&all, call->m, call->n, &need, &memory);
    return run(ex, program, call, &args, &memory, info);
}
