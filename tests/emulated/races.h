/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* races.h -- races that ThreadSanitizer finds between a GPU's threads on the host (block.h). */
#ifndef GSVD_TESTS_EMULATED_RACES_H
#define GSVD_TESTS_EMULATED_RACES_H

#include "batch/large_steps.h"

#if defined __cplusplus
extern "C" {
#endif

/* Races that have been reported since the program began */
int races_found(void);

/* Kernels that have a race each, and what they are with the barrier that they lack */
enum { WITHOUT_BARRIER, WITH_BARRIER };
int probes(void);
const char *probe_name(int k);
void run_probe(int k, int with_barrier, int backward);

/* The kernels of batch/steps.cuh, one after the other: X := the matrices of b, and those of C and V
 * are squares */
void X(steps_on_host)(const svd_batch_t *b, mats_t X_, mats_t C, mats_t V,
                      const steps_batch_t *s, int backward);

/* batch_gram_open; batch_turn_open with most = 1 */
void X(gram_open_on_host)(mats_t X_, const steps_batch_t *s, real_t enough,
                          mats_t C, int backward);
void X(turn_open_on_host)(mats_t T, const steps_batch_t *s, mats_t X_, mats_t W,
                          int backward);

/* One sweep of block Jacobi, in both halves of G's rows, with so many within a meeting at most: how
 * many rotations */
int64_t X(block_sweep_on_host)(mat_t G, mat_t C, int64_t plus, double tol,
                               int inner_sweeps, real_t *d, int backward);

#if defined __cplusplus
}
#endif

#endif /* GSVD_TESTS_EMULATED_RACES_H */
