/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* tsqr_cuda.c -- the CUDA twins. */
#include "harness/tsqr.h"

gsvd_status_t cuda_panel(gsvd_handle_t h, mat_t A, scalar_t *tau, void *own,
                         void *room, const int *verdict)
{
    return X(tsqr_panel_cuda)(h, A, tau, mat_view(NULL, 0, 0, 1), own, room,
                              verdict);
}

gsvd_status_t cuda_r(gsvd_handle_t h, mat_t A, mat_t R, void *work)
{
    return X(tsqr_r_cuda)(h, A, R, work, NULL);
}
