/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* tsqr.h -- tsqr_cuda.c, tsqr_none.c: the CUDA twins, or none of them. */
#ifndef GSVD_TESTS_TSQR_H
#define GSVD_TESTS_TSQR_H

#include "qr/tsqr.h"

gsvd_status_t cuda_panel(const exec_t *ex, mat_t A, scalar_t *tau, void *own,
                         void *room, const int *verdict);
gsvd_status_t cuda_r(const exec_t *ex, mat_t A, mat_t R, void *work);

#endif /* GSVD_TESTS_TSQR_H */
