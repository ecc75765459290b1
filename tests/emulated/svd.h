/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* svd.h -- a GPU's kernels for the SVDs of a batch on the host (block.h), with their geometry. */
#ifndef GSVD_TESTS_EMULATED_SVD_H
#define GSVD_TESTS_EMULATED_SVD_H

#include "batch/svd_device.h"

/* The last thread runs first. */
#define emulated_backward X(emulated_backward)

#if defined __cplusplus
extern "C" {
#endif

extern int emulated_backward;

/* svd.cuh; warps: 1, A and V in one warp, or 2 */
void X(registers_on_host)(const svd_batch_t *b, const triangles_t *t,
                          int64_t count, int warps);
/* tall.cuh, as svd_tall_qr and svd_tall_form */
void X(tall_qr_on_host)(const svd_batch_t *b, const triangles_t *t,
                        int64_t count);
void X(tall_form_on_host)(const svd_batch_t *b, const triangles_t *t,
                          int64_t count);
/* blocks.cuh, by so many warps a matrix */
void X(blocks_on_host)(const svd_batch_t *b, int sweeps, int warps);

/* has_drifted of svd.cuh, V of REGISTER_COLUMNS; rows: bit i: row i has sign 1 */
int X(drift_on_host)(mat_t V, unsigned rows, int64_t plus);

/* The SVDs of a batch by these, on the ways that svd.cu takes without large steps; one warp for A and V
 * where ex->tune->one_warp lets it */
gsvd_status_t X(svd_on_host)(const exec_t *ex, const svd_batch_t *b);
/* Are there a C++ compiler, and a way for that batch? */
int X(svd_on_host_fits)(const svd_batch_t *b);

#if defined __cplusplus
}
#endif

#endif /* GSVD_TESTS_EMULATED_SVD_H */
