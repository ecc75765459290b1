/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* run_urv.c -- complete orthogonal decomposition of one matrix. */
#include "core/notes.h"
#include "gsvd/pipeline.h"

/* Bytes of work beside urv_work_t, for the drivers one after the other */
static size_t drivers_bytes(const exec_t *ex, const args_t *a)
{
    const int64_t m = a->m, n = a->n, r = min_i(m, n);
    const int64_t u = matrix_u_cols(a), v = matrix_v_cols(a);
    size_t most = 0;

    GSVD_STEP(ex, &most, "pivoted QR", m, n, X(geqp_work_bytes)(ex, m, n),
              X(geqp_seconds)(ex, m, n));
    GSVD_STEP(ex, &most, "RQ of R's rows", r, n, X(geqrf_work_bytes)(ex, n, r),
              X(geqrf_seconds)(ex, n, r));
    GSVD_STEP(ex, &most, "V applied", n, v, X(unmqr_work_bytes)(ex, n, r, v),
              X(unmqr_seconds)(ex, n, r, v));
    GSVD_STEP(ex, &most, "U formed", m, u,
              X(form_work_bytes)(ex, m, u, r, ex->queue),
              X(ungqr_seconds)(ex, m, u, min_i(u, r)));
    return most;
}

static gsvd_status_t measure_urv(const exec_t *ex, const args_t *a,
                                 need_t *need)
{
    const int64_t m = a->m, n = a->n, r = min_i(m, n);
    const size_t drivers = drivers_bytes(ex, a);
    size_t kernels = 0;
    arena_t count = {0};
    urv_work_t w;

    GSVD_STEP(ex, &kernels, "their primitives", m, n,
              ex->op->kernel_bytes(ex, KERNELS_ALL, m, n, 0), 0);
    GSVD_STEP(ex, &kernels, "their primitives", r, n,
              ex->op->kernel_bytes(ex, KERNELS_PANELS, n, r, r), 0);

    X(urv_carve)(&count, ex, m, n, matrix_u_cols(a), matrix_v_cols(a), &w);
    need->full = count.full;
    need->work = gsvd_arena_bytes(&count) + drivers + kernels;
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
