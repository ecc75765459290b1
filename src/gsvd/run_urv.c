/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* run_urv.c -- complete orthogonal decomposition of one matrix. */
#include "gsvd/pipeline.h"

/* Bytes of work beside urv_work_t, for the drivers one after the other */
static size_t drivers_bytes(const exec_t *ex, const args_t *a)
{
    const int64_t m = a->m, n = a->n, r = min_i(m, n);
    const size_t each[] = {
        X(geqp_work_bytes)(ex, m, n), X(geqrf_work_bytes)(ex, n, r),
        X(unmqr_work_bytes)(ex, n, r, matrix_v_cols(a)),
        X(form_work_bytes)(ex, m, matrix_u_cols(a), r, ex->queue)};
    return LARGEST(each);
}

static gsvd_status_t measure_urv(const exec_t *ex, const args_t *a,
                                 need_t *need)
{
    const int64_t m = a->m, n = a->n, r = min_i(m, n);
    const size_t kernels = ex->op->kernel_bytes(ex, KERNELS_ALL, m, n, 0);
    const size_t rq = ex->op->kernel_bytes(ex, KERNELS_PANELS, n, r, r);
    arena_t count = {0};
    urv_work_t w;

    X(urv_carve)(&count, ex, m, n, matrix_u_cols(a), matrix_v_cols(a), &w);
    need->full = count.full;
    need->work = gsvd_arena_bytes(&count) + drivers_bytes(ex, a) +
                 (kernels > rq ? kernels : rq);
    need->products = ex->op->products_bytes(ex, max_i(m, n), r, ex->tune->wide,
                                            most_for_products(m, n));
    return GSVD_SUCCESS;
}

static gsvd_status_t run_urv(const exec_t *ex, const args_t *a, outcome_t *out)
{
    const int64_t m = a->m, n = a->n;
    const mat_t A = operand_of(a, OPERAND_A, m, n);
    const mat_t U = operand_of(a, OPERAND_U, m, matrix_u_cols(a));
    const mat_t V = operand_of(a, OPERAND_V, n, matrix_v_cols(a));
    real_t tol = (real_t)a->tol[0];
    exec_t in = *ex;
    urv_work_t w;
    int e;

    X(urv_carve)(&in.work, &in, m, n, U.cols, V.cols, &w);
    GSVD_TRY(X(work_suffices)(&in));
    GSVD_TRY(X(scale_matrix)(&in, A, &e, &tol, out));
    GSVD_TRY(X(urv_factor)(&in, A, U, V, tol, &out->k, &w));
    const int64_t r = out->k;
    GSVD_TRY(in.op->scale_pow2(&in, A, e));
    GSVD_TRY(in.op->nonzero(&in, mat_sub(A, 0, n - r, r, r)));
    return X(test_overflow)(&in, A, m, n, e, out);
}

const program_t X(urv_program) = {measure_urv, run_urv, NULL};
