/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* pair_batch.h -- pairs through the solvers of batches. */
#ifndef GSVD_TESTS_HARNESS_PAIR_BATCH_H
#define GSVD_TESTS_HARNESS_PAIR_BATCH_H

#include "batch/solvers.h"
#include "harness/harness.h"

/* What solves the batches in place of the table's primitive; NULL: that does */
extern solver_run_op *solve_pairs_by;

/* The solver of the table that is forced, or NULL */
extern const char *pair_solver;

/* In place of the tuning's of that name (tuning.h); below 0: that */
extern int pairs_in_registers;

/* Copies of all pairs at once, by arrays of addresses and of leading dimensions; checks the
 * padding of everything.  Of each factor: 'U' all columns, 'S' economy, 'N' none; differ: the
 * pairs' sizes do, and no factor is 'U'. */
result_t *decompose_batch(int count, char jobu, char jobv, char jobq,
                          int differ, const sample_t *P);

#endif /* GSVD_TESTS_HARNESS_PAIR_BATCH_H */
