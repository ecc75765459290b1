/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* hsvd.c -- the program of hsvd (gsvd/run_hsvd.c) on a grid.
 *
 * The result is tested against the caller's A, with Gaussian vectors x, twice as loosely as the program
 * tests itself:
 *
 *     A x - U S V^H x                           is rounding of |A| |V|
 *     D^-1 (V^H J V - J') D^-1 x                is rounding, D the lengths of V's columns
 *     U^H U x - x                               is rounding
 *
 * U and V are computed whether they are asked for or not: so values are tested, too.
 */
#include "batch/probe.h"
#include "grid/call.h"
#include "grid/messages.h"

enum { PROBES = 4 }; /* Gaussian vectors                                     */

typedef struct memory {
    mat_t A, U, V;
    mat_t x, y, z; /* PROBES columns of n rows                               */
    mat_t E;       /* of m rows                                              */
    real_t *sigma, *length, *one;
    real_t *sign, *minus; /* J, and then 1 / length; -J'                     */
    int64_t *J;
    buffer_t work, staging;
} memory_t;

/* jobu: 'U' or 'S' */
static args_t args_of(const grid_call_t *call, const memory_t *w)
{
    const int64_t m = call->m, n = call->n;
    return (args_t){.job = {call->job[0] == 'U' ? 'U' : 'S', 'V'},
                    .m = m,
                    .n = n,
                    .k = call->n_plus,
                    .array = {[OPERAND_A] = w->A.data,
                              [OPERAND_U] = w->U.data,
                              [OPERAND_V] = w->V.data,
                              [OPERAND_J] = call->J ? w->J : NULL,
                              [OPERAND_ALPHA] = w->sigma},
                    .ld = {[OPERAND_A] = m, [OPERAND_U] = m, [OPERAND_V] = n}};
}

static void take(arena_t *a, const grid_call_t *call, const need_t *need,
                 memory_t *w)
{
    const int64_t m = call->m, n = call->n;

    w->A = X(take_matrix)(a, m, n);
    w->U = X(take_matrix)(a, m, call->job[0] == 'U' ? m : n);
    w->V = X(take_matrix)(a, n, n);
    w->x = X(take_matrix)(a, n, PROBES);
    w->y = X(take_matrix)(a, n, PROBES);
    w->z = X(take_matrix)(a, n, PROBES);
    w->E = X(take_matrix)(a, m, PROBES);
    real_t **const list[] = {&w->sigma, &w->length, &w->one, &w->sign,
                             &w->minus};
    for (size_t k = 0; k < sizeof list / sizeof *list; ++k)
        *list[k] = gsvd_arena_take(a, max_i(n, PROBES), sizeof(real_t));
    w->J = gsvd_arena_take(a, n, sizeof(int64_t));
    w->work = gsvd_arena_buffer(a, need->work);
    w->staging = gsvd_arena_buffer(a, need->staging);
}

/* w->J := process 0's, and it is everybody's. */
static gsvd_status_t take_signs(const grid_call_t *call, const memory_t *w,
                                int *info)
{
    const size_t bytes = (size_t)call->n * sizeof *w->J;

    if (!call->J || call->n == 0)
        return GSVD_SUCCESS;
    memcpy(w->J, call->J, bytes);
    gsvd_grid_tell(0, w->J, bytes);
    const gsvd_status_t status = gsvd_grid_agree(
        memcmp(w->J, call->J, bytes) == 0
            ? GSVD_SUCCESS
            : gsvd_grid_fail(GSVD_INVALID_ARGUMENT,
                             "argument 8, J: not the same on all processes"));
    *info = status == GSVD_SUCCESS ? 0 : -8;
    return status;
}

/* -- the test --------------------------------------------------------------------------- */

/* A holds the caller's matrix again, 2^-e times. */
static gsvd_status_t test_product(const exec_t *ex, const memory_t *w, int e,
                                  real_t longest, int *good)
{
    const int64_t m = w->A.rows, n = w->A.cols;
    const real_t rounding =
        2 * LARGE_RESIDUAL * (real_t)n * sqrt_r((real_t)m) * GSVD_EPS;
    real_t longest_a, most;

    GSVD_TRY(X(grid_longest)(ex, w->A, w->one, &longest_a));
    GSVD_TRY(ex->op->gaussian(ex, w->x, 1));
    GSVD_TRY(ex->op->gemm(ex, 'C', 'N', w->V, w->x, w->y));
    X(grid_scale_rows)(w->y, w->sigma, -e);
    GSVD_TRY(ex->op->gemm(ex, 'N', 'N', w->A, w->x, w->E));
    GSVD_TRY(ex->op->gemm_sub(ex, 'N', 'N', mat_cols(w->U, 0, n), w->y, w->E));
    GSVD_TRY(X(grid_longest)(ex, w->E, w->one, &most));
    *good = *good && most <= rounding * longest * longest_a;
    return GSVD_SUCCESS;
}

/* w->length: of V's columns */
static gsvd_status_t test_v(const exec_t *ex, const grid_call_t *call,
                            const memory_t *w, int *good)
{
    const int64_t n = w->V.cols;
    norms_t r;

    for (int64_t j = 0; j < n; ++j) {
        w->one[j] = 1;
        w->sign[j] = call->J ? (real_t)w->J[j] : j < call->n_plus ? 1 : -1;
        w->minus[j] = j < call->n_plus ? -1 : 1;
    }
    GSVD_TRY(ex->op->gaussian(ex, w->x, 2));
    for (int64_t j = 0; j < n; ++j)
        w->length[j] = 1 / w->length[j];
    X(grid_scale_rows)(w->x, w->length, 0);
    GSVD_TRY(ex->op->gemm(ex, 'N', 'N', w->V, w->x, w->y));
    X(grid_scale_rows)(w->y, w->sign, 0);
    GSVD_TRY(ex->op->gemm(ex, 'C', 'N', w->V, w->y, w->z));
    GSVD_TRY(ex->op->combine(ex, w->one, w->z, w->minus, w->x, w->z));
    X(grid_scale_rows)(w->z, w->length, 0);
    GSVD_TRY(ex->op->norms(ex, w->z, &r));
    *good = *good && r.finite &&
            r.largest <= 2 * LARGE_DEFECT * (real_t)n * GSVD_EPS;
    return GSVD_SUCCESS;
}

/* x, y, E: of U's size, since the last test needs none */
static gsvd_status_t test_u(const exec_t *ex, const memory_t *w, int *good)
{
    const int64_t m = w->U.rows, n = w->V.cols;
    const real_t rounding = RESIDUAL_MOST(m) * sqrt_r((real_t)m);
    const mat_t U = mat_cols(w->U, 0, n);
    real_t most;

    GSVD_TRY(ex->op->gaussian(ex, w->x, 3));
    GSVD_TRY(ex->op->gemm(ex, 'N', 'N', U, w->x, w->E));
    GSVD_TRY(ex->op->gemm_sub(ex, 'C', 'N', U, w->E, w->x));
    GSVD_TRY(X(grid_longest)(ex, w->x, w->one, &most));
    *good = *good && most <= rounding;
    return GSVD_SUCCESS;
}

/* Overwrites A and the work. */
static gsvd_status_t test(const exec_t *ex, const grid_call_t *call,
                          const memory_t *w, int *good)
{
    exec_t in = *ex;
    norms_t r;
    real_t longest;

    *good = 1;
    if (call->n == 0)
        return GSVD_SUCCESS;
    in.work = gsvd_arena_over(w->work.data, w->work.bytes);
    GSVD_TRY(X(grid_copy_in)(&call->array[GRID_A], w->A));
    GSVD_TRY(in.op->norms(&in, w->A, &r));
    const int e = exponent_r(r.largest);
    GSVD_TRY(in.op->scale_pow2(&in, w->A, -e));
    GSVD_TRY(X(grid_longest)(&in, w->V, w->length, &longest));
    GSVD_TRY(test_product(&in, w, e, longest, good));
    GSVD_TRY(test_v(&in, call, w, good));
    return test_u(&in, w, good);
}

/* -- all ----------------------------------------------------------------------------- */

static gsvd_status_t illegal(const outcome_t *out, int *info)
{
    const int is_a = out->illegal == 1 + OPERAND_A;
    *info = is_a ? -6 : -8;
    return gsvd_grid_fail(GSVD_INVALID_ARGUMENT, "argument %d, %s: %s", -*info,
                          is_a ? "A" : "J", out->reason);
}

static gsvd_status_t run(const exec_t *ex, const grid_call_t *call,
                         const memory_t *w, int *info)
{
    const args_t args = args_of(call, w);
    const mat_t factor[] = {w->U, w->V};
    exec_t in = *ex;
    outcome_t out = {0};
    int good;

    in.work = gsvd_arena_over(w->work.data, w->work.bytes);
    in.staging = w->staging;
    GSVD_TRY(take_signs(call, w, info));
    GSVD_TRY(X(grid_copy_in)(&call->array[GRID_A], w->A));
    const gsvd_status_t status = X(hsvd_program).run(&in, &args, &out);
    if (out.illegal)
        return illegal(&out, info);
    if (out.dependent) {
        *info = 2 + (int)out.dependent;
        return gsvd_grid_fail(GSVD_INVALID_ARGUMENT,
                              "A: column %lld depends on the columns before it",
                              (long long)out.dependent);
    }
    GSVD_TRY(status);
    GSVD_TRY(X(grid_status_of)(&out, info));
    for (int k = 0; k < 2; ++k)
        if (call->job[k] != 'N')
            GSVD_TRY(X(grid_copy_out)(factor[k], &call->array[GRID_U + k]));
    if (call->n > 0)
        memcpy(call->alpha, w->sigma, (size_t)call->n * sizeof(real_t));
    GSVD_TRY(test(&in, call, w, &good));
    if (good)
        return GSVD_SUCCESS;
    *info = 1;
    return gsvd_grid_fail(GSVD_NOT_CONVERGED,
                          "the result is not a decomposition of A");
}

gsvd_status_t X(hsvd_on_grid)(const exec_t *ex, const grid_call_t *call,
                              int *info)
{
    const int64_t m = call->m, n = call->n;
    const shape_t shape[] = {{m, n}, {m, call->job[0] == 'U' ? m : n}, {n, n}};
    arena_t count = {0}, all;
    need_t need = {0};
    memory_t w = {.sigma = NULL};
    const args_t args = args_of(call, &w);

    GSVD_TRY(X(grid_is_countable)(shape, 3, n));
    GSVD_TRY(X(hsvd_program).measure(ex, &args, &need));
    take(&count, call, &need, &w);
    count.full |= need.full;
    GSVD_TRY(gsvd_grid_memory(&count, &all));
    take(&all, call, &need, &w);
    return run(ex, call, &w, info);
}
