/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* solvers.h -- the solvers of a batch: one is chosen for all of it, and solves each problem.
 *
 * The task's problem is an svd_batch_t or a gsvd_batch_t, whose factors have economy size, and A
 * has the largest sizes.  `applies` and `bytes` read count, the sizes, with_signs, u_cols, v_cols, and
 * whether each_m is NULL; the other addresses are not set yet.  Where no solver applies, another way
 * is faster.  The bytes are kernel's work.  `run` does not wait, even if sizes differ.  On the host
 * several threads call it at the same time, each with its part of the caller's batch and with an
 * exec and a handle of its own; it starts no threads.  The table of primitives has both lists. */
#ifndef GSVD_BATCH_SOLVERS_H
#define GSVD_BATCH_SOLVERS_H

#include "batch/batch.h"
#include "core/solver.h"

static inline const svd_batch_t *svd_batch_in(const task_t *t)
{
    return (const svd_batch_t *)t->problem;
}

static inline const gsvd_batch_t *gsvd_batch_in(const task_t *t)
{
    return (const gsvd_batch_t *)t->problem;
}

/* The task of a batch b, svd_batch_t or gsvd_batch_t, whose largest matrix A is m x n */
static inline task_t task_of_batch(const void *b, int64_t m, int64_t n)
{
    task_t t;
    memset(&t, 0, sizeof t);
    t.A = mat_of_size(m, n);
    t.problem = b;
    return t;
}

static inline task_t task_of_svd_batch(const svd_batch_t *b)
{
    return task_of_batch(b, b->m, b->n);
}

static inline task_t task_of_gsvd_batch(const gsvd_batch_t *b)
{
    return task_of_batch(b, b->m, b->n);
}

/* A plan's lines of the solvers that begin with QR of so many matrices at a time */
static inline void note_qr_first(const exec_t *ex, const svd_batch_t *b,
                                 int64_t at_a_time)
{
    const long long m = max_i(b->m, b->n), n = min_i(b->m, b->n);
    gsvd_note(ex->h, 0, "QR, %lld at a time, %lld x %lld", (long long)at_a_time,
              m, n);
    gsvd_note(ex->h, 0, "sweeps of R, %lld x %lld", n, n);
    if (b->u_cols > 0 || b->v_cols > 0)
        gsvd_note(ex->h, 0, "Q applied, %lld x %lld", m, n);
}

#if defined __cplusplus
extern "C" {
#endif

extern const solvers_t X(svd_solvers_cpu), X(svd_solvers_cuda);
extern const solvers_t X(gsvd_solvers_cpu), X(gsvd_solvers_cuda);

/* large_steps.c, blocks.cu */
solver_test_op X(svd_large_steps_wanted), X(svd_large_steps_apply);
solver_bytes_op X(svd_large_steps_bytes), X(svd_blocks_bytes);
solver_run_op X(svd_by_large_steps), X(svd_by_blocks);

#if defined __cplusplus
}
#endif

#endif /* GSVD_BATCH_SOLVERS_H */
