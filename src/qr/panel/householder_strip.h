/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* householder_strip.h -- QR of a strip by Householder's reflectors on a GPU, for panel.cu. */
#ifndef GSVD_QR_HOUSEHOLDER_STRIP_H
#define GSVD_QR_HOUSEHOLDER_STRIP_H

#include "core/exec.h"

#if defined __cplusplus
extern "C" {
#endif

/* *fits := 0 if there are too many rows for the device, or for the part of it that runs at once.
 * If a number of rows fits, any smaller number does. */
gsvd_status_t X(householder_strip_fits)(const exec_t *ex, int64_t rows,
                                        int *fits);
/* panel (qr/ops.h) for A.cols <= 32 and without V, of rows that fit.  memory:
 * householder_strip_bytes.  verdict, on the device, or NULL: where it is 0 nothing is done. */
gsvd_status_t X(householder_strip_cuda)(const exec_t *ex, mat_t A,
                                        scalar_t *tau, mat_t T, void *memory,
                                        const int *verdict);
size_t X(householder_strip_bytes)(void);

#if defined __cplusplus
}
#endif

#endif /* GSVD_QR_HOUSEHOLDER_STRIP_H */
