/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* run_geqp.c -- pivoted QR of one matrix. */
#include "core/notes.h"
#include "gsvd/pipeline.h"

/* Products of pivoted QR are too small for memory to make them faster. */
static gsvd_status_t measure_geqp(const exec_t *ex, const args_t *a,
                                  need_t *need)
{
    const int64_t m = a->m, n = a->n;
    arena_t count = {0}; /* of the permutation, which counts from 0          */
    size_t driver = 0, kernels = 0;

    GSVD_STEP(ex, &driver, "pivoted QR", m, n, X(geqp_work_bytes)(ex, m, n),
              X(geqp_seconds)(ex, m, n));
    GSVD_STEP(ex, &kernels, "its primitives", m, n,
              ex->op->kernel_bytes(ex, KERNELS_ALL, m, n, 0), 0);
    (void)gsvd_arena_take(&count, n, sizeof(int));
    need->work = gsvd_arena_bytes(&count) + driver + kernels;
    return GSVD_SUCCESS;
}

static gsvd_status_t run_geqp(const exec_t *ex, const args_t *a, outcome_t *out)
{
    const mat_t A = operand_of(a, OPERAND_A, a->m, a->n);
    real_t tol = (real_t)a->tol[0];
    exec_t in = *ex;
    int e;

    int *const perm = gsvd_arena_take(&in.work, A.cols, sizeof *perm);
    GSVD_TRY(X(work_suffices)(&in));
    GSVD_TRY(X(scale_matrix)(&in, A, &e, &tol, out));
    GSVD_TRY(X(geqpf)(&in, A, in.policy.pivot, tol, perm, a->array[OPERAND_TAU],
                      &out->k));
    const int64_t r = out->k;
    GSVD_TRY(in.op->scale_pow2_upper(&in, mat_cols(A, 0, r), e));
    GSVD_TRY(in.op->scale_pow2(&in, mat_cols(A, r, A.cols - r),
                               e)); /* no reflectors */
    GSVD_TRY(in.op->nonzero(&in, mat_sub(A, 0, 0, r, r)));
    GSVD_TRY(X(test_overflow)(&in, A, A.rows, A.cols, e, out));
    return in.op->count_from_one(&in, A.cols, perm, a->array[OPERAND_JPVT]);
}

const program_t X(geqp_program) = {measure_geqp, run_geqp, NULL};
