/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* run_batched.h -- many problems of one routine. */
#ifndef GSVD_GSVD_RUN_BATCHED_H
#define GSVD_GSVD_RUN_BATCHED_H

#include "gsvd/batched.h"
#include "gsvd/pipeline.h"

/* The pipeline of pairs */
extern const program_t X(gsvd_program);

/* The problem of these solvers: problems [first, first + count) of b */
typedef struct some {
    const program_t *program;
    const batch_args_t *b;
    int64_t first, count;
} some_t;

/* The solver that applies to every batch; measure_batched knows its work. */
solver_run_op X(one_by_one);

/* *need := the memory of a call; arrays and lists of b are not looked at, only whether size
 * is NULL. */
gsvd_status_t X(measure_batched)(const exec_t *ex, const program_t *program,
                                 const batch_args_t *b, batch_need_t *need);

/* Solves all problems in memory for at least one share, where the handle computes, and, if
 * that is elsewhere, in a share of the host's.  b->info, k and l tell of each.  Lists of b are
 * where the handle computes if need->at_once, else on the host.  GSVD_SUCCESS: all problems
 * were attempted.  Waits, but not on a device where need->at_once. */
gsvd_status_t X(run_batched)(const exec_t *ex, const program_t *program,
                             const batch_need_t *need, buffer_t memory,
                             buffer_t host, const batch_args_t *b);

#endif /* GSVD_GSVD_RUN_BATCHED_H */
