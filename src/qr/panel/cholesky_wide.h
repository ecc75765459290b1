/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* cholesky_wide.h -- QR of a panel without strips, on a GPU: cholesky_wide.cu and, where
 * that is not safe, householder.cu. */
#ifndef GSVD_QR_CHOLESKY_WIDE_H
#define GSVD_QR_CHOLESKY_WIDE_H

#include "core/exec.h"

enum { WIDEST = 128 / REALS_PER_SCALAR }; /* columns of a panel               */

#if defined __cplusplus
extern "C" {
#endif

/* panel (qr/ops.h) for A.cols <= WIDEST; V and T are written where their data are
 * not NULL.  memory: cholesky_wide_bytes, on the device.  Four launches in ex->queue,
 * nothing waits. */
gsvd_status_t X(cholesky_wide_cuda)(const exec_t *ex, mat_t A, scalar_t *tau,
                                    mat_t V, mat_t T, void *memory);
size_t X(cholesky_wide_bytes)(const exec_t *ex);

/* The same panel by Householder's reflectors, one after the other, in one launch; if
 * *verdict is 0, nothing is done.  memory: householder_bytes. */
gsvd_status_t X(householder_cuda)(const exec_t *ex, mat_t A, scalar_t *tau,
                                  mat_t V, mat_t T, const int *verdict,
                                  void *memory);
size_t X(householder_bytes)(void);

#if defined __cplusplus
}
#endif

#endif /* GSVD_QR_CHOLESKY_WIDE_H */
