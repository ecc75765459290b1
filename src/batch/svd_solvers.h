/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* svd_solvers.h -- the solvers of svd_batched: the problem is an svd_batch_t.  One is chosen for a
 * batch, and solves each of its matrices. */
#ifndef GSVD_BATCH_SVD_SOLVERS_H
#define GSVD_BATCH_SVD_SOLVERS_H

#include "batch/batch.h"
#include "core/solver.h"

static inline const svd_batch_t *svd_batch_in(const task_t *t)
{
    return (const svd_batch_t *)t->problem;
}

static inline task_t task_of_svd_batch(const svd_batch_t *b)
{
    task_t t;
    memset(&t, 0, sizeof t);
    t.problem = b;
    return t;
}

#if defined __cplusplus
extern "C" {
#endif

extern const solvers_t X(svd_solvers_cpu), X(svd_solvers_cuda);

/* large_steps.c */
solver_test_op X(svd_large_steps_wanted), X(svd_large_steps_apply);
solver_bytes_op X(svd_large_steps_bytes);
solver_run_op X(svd_by_large_steps);

#if defined __cplusplus
}
#endif

#endif /* GSVD_BATCH_SVD_SOLVERS_H */
