/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* tsqr_cuda.c -- the CUDA twins. */
#include "harness/tsqr.h"

gsvd_status_t cuda_panel(const exec_t *ex, mat_t A, scalar_t *tau, void *own,
                         void *room, const int *verdict)
{
    return X(tsqr_panel_cuda)(ex, A, tau, mat_view(NULL, 0, 0, 1), own, room,
                              verdict);
}

gsvd_status_t cuda_r(const exec_t *ex, mat_t A, mat_t R, void *work)
{
    return X(tsqr_r_cuda)(ex, A, R, work, NULL);
}
