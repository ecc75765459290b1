/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* cholesky_wide.h -- QR of a panel without strips, on a GPU: cholesky_wide.cu and, where that is not
 * safe, householder.cu. */
#ifndef GSVD_QR_WHOLE_H
#define GSVD_QR_WHOLE_H

#include "core/backend.h"

enum {
    WHOLE_COLS =
        128 / REALS_PER_SCALAR /* the widest panel                          */
};

#if defined __cplusplus
extern "C" {
#endif

/* panel_cuda for A.cols <= WHOLE_COLS; V and T as there, T may be absent.
 * memory: cholesky_wide_bytes, on the device. */
gsvd_status_t X(cholesky_wide_cuda)(const exec_t *ex, mat_t A, scalar_t *tau,
                                    mat_t V, mat_t T, void *memory);
size_t X(cholesky_wide_bytes)(const exec_t *ex);

/* The same by Householder's reflectors, one after the other; nothing if *verdict
 * is 0.  memory: columns_bytes. */
gsvd_status_t X(columns_cuda)(const exec_t *ex, mat_t A, scalar_t *tau, mat_t V,
                              mat_t T, const int *verdict, void *memory);
size_t X(columns_bytes)(void);

#if defined __cplusplus
}
#endif

#endif /* GSVD_QR_WHOLE_H */
