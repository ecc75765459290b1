/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* run_qr.c -- QR of one matrix, its Q applied and formed. */
#include "core/notes.h"
#include "gsvd/pipeline.h"

/* Memory for products of matrices up to m x n with `inner` reflectors at a time. */
static size_t products_of(const exec_t *ex, int64_t m, int64_t n, int64_t inner)
{
    return ex->op->products_bytes(ex, max_i(m, n), min_i(m, n), inner,
                                  most_for_products(m, n));
}

/* -- qr ------------------------------------------------------------------------- */

static gsvd_status_t measure_qr(const exec_t *ex, const args_t *a, need_t *need)
{
    const int64_t m = a->m, n = a->n;
    arena_t count = {0}; /* of tau, which may not be given                   */
    size_t driver = 0, kernels = 0;

    GSVD_STEP(ex, &driver, "QR", m, n, X(geqrf_work_bytes)(ex, m, n),
              X(geqrf_seconds)(ex, m, n));
    GSVD_STEP(ex, &kernels, "its primitives", m, n,
              ex->op->kernel_bytes(ex, KERNELS_PANELS, m, n, 0), 0);
    (void)gsvd_arena_take(&count, min_i(m, n), sizeof(scalar_t));
    need->full = count.full;
    need->work = gsvd_arena_bytes(&count) + driver + kernels;
    need->products = products_of(ex, m, n, ex->tune->block);
    return GSVD_SUCCESS;
}

/* Without tau, A := R alone. */
static gsvd_status_t run_qr(const exec_t *ex, const args_t *a, outcome_t *out)
{
    const int64_t m = a->m, n = a->n, r = min_i(m, n);
    const mat_t A = operand_of(a, OPERAND_A, m, n);
    scalar_t *tau = a->array[OPERAND_TAU];
    const int r_alone = !tau;
    exec_t in = *ex;
    int e;

    if (r_alone)
        tau = gsvd_arena_take(&in.work, r, sizeof *tau);
    GSVD_TRY(X(work_suffices)(&in));
    GSVD_TRY(X(scale_matrix)(&in, A, &e, NULL, out));
    GSVD_TRY((r_alone ? X(geqr) : X(geqrf))(&in, A, tau));
    GSVD_TRY(in.op->scale_pow2_upper(&in, A, e));
    return X(test_overflow)(&in, mat_rows(A, 0, r), m, n, e, out);
}

/* -- qr_apply --------------------------------------------------------------------- */

static gsvd_status_t measure_qr_apply(const exec_t *ex, const args_t *a,
                                      need_t *need)
{
    const int64_t m = a->m, n = a->n, k = a->k, rows = order_of_q(a);
    const int64_t across = a->job[0] == 'L' ? n : m;
    size_t driver = 0;

    GSVD_STEP(ex, &driver, "Q applied", m, n,
              X(unmqr_work_bytes)(ex, rows, k, across),
              X(unmqr_seconds)(ex, rows, k, across));
    need->work =
        driver + ex->op->kernel_bytes(ex, KERNELS_SMALL, max_i(rows, m), k, n);
    need->products = products_of(ex, m, n, ex->tune->wide);
    return GSVD_SUCCESS;
}

/* Reflectors, which A and tau hold, that are not finite are an illegal argument. */
static gsvd_status_t test_reflectors(const exec_t *ex, const args_t *a, mat_t A,
                                     outcome_t *out)
{
    const mat_t tau = mat_view(a->array[OPERAND_TAU], a->k, 1, max_i(a->k, 1));
    GSVD_TRY(
        X(norms_if_finite)(ex, mat_cols(A, 0, a->k), OPERAND_A, NULL, out));
    return X(norms_if_finite)(ex, tau, OPERAND_TAU, NULL, out);
}

static gsvd_status_t run_qr_apply(const exec_t *ex, const args_t *a,
                                  outcome_t *out)
{
    const mat_t A = operand_of(a, OPERAND_A, order_of_q(a), a->k);
    const mat_t C = operand_of(a, OPERAND_C, a->m, a->n);
    norms_t r;

    GSVD_TRY(test_reflectors(ex, a, A, out));
    GSVD_TRY(X(norms_if_finite)(ex, C, OPERAND_C, &r, out));
    const int e = X(far_exponent)(&r);
    GSVD_TRY(ex->op->scale_pow2(ex, C, -e));
    GSVD_TRY(
        X(unmqr)(ex, a->job[0], a->job[1], A, a->k, a->array[OPERAND_TAU], C));
    GSVD_TRY(ex->op->scale_pow2(ex, C, e));
    return X(test_overflow)(ex, C, C.rows, C.cols, e, out);
}

/* -- qr_form ---------------------------------------------------------------------- */

static gsvd_status_t measure_qr_form(const exec_t *ex, const args_t *a,
                                     need_t *need)
{
    const int64_t m = a->m, n = a->n, k = a->k;
    const int once = X(form_pays)(m, n, ex->tune->block, k);
    size_t driver = 0;

    GSVD_STEP(ex, &driver, "Q formed", m, n, X(ungqr_work_bytes)(ex, m, n, k),
              X(ungqr_seconds)(ex, m, n, k));
    need->work = driver + ex->op->kernel_bytes(ex, KERNELS_SMALL, m, n, 0);
    need->products =
        products_of(ex, m, n, once ? max_i(k, ex->tune->wide) : ex->tune->wide);
    return GSVD_SUCCESS;
}

static gsvd_status_t run_qr_form(const exec_t *ex, const args_t *a,
                                 outcome_t *out)
{
    const mat_t A = operand_of(a, OPERAND_A, a->m, a->n);
    GSVD_TRY(test_reflectors(ex, a, A, out));
    return X(ungqr)(ex, A, a->k, a->array[OPERAND_TAU]);
}

const program_t X(qr_program) = {measure_qr, run_qr, NULL};
const program_t X(qr_apply_program) = {measure_qr_apply, run_qr_apply, NULL};
const program_t X(qr_form_program) = {measure_qr_form, run_qr_form, NULL};
