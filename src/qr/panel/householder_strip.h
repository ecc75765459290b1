/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* householder_strip.h -- QR of a strip by Householder's reflectors on a GPU, for panel.cu. */
#ifndef GSVD_QR_HOUSEHOLDER_STRIP_H
#define GSVD_QR_HOUSEHOLDER_STRIP_H

#include "core/backend.h"

#if defined __cplusplus
extern "C" {
#endif

/* panel (core/backend.h) for A.cols <= 32 and without V.  *fits = 0: A has too many rows for
 * the device or the part of it that runs at once, and nothing is done; never so for fewer
 * rows than those of a strip that fitted.  memory: householder_strip_bytes. */
gsvd_status_t X(householder_strip_cuda)(const exec_t *ex, mat_t A,
                                        scalar_t *tau, mat_t T, void *memory,
                                        int *fits);
size_t X(householder_strip_bytes)(void);

#if defined __cplusplus
}
#endif

#endif /* GSVD_QR_HOUSEHOLDER_STRIP_H */
