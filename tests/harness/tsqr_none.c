/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* tsqr_none.c -- a build without CUDA. */
#include "harness/tsqr.h"

gsvd_status_t cuda_panel(const exec_t *ex, mat_t A, scalar_t *tau, void *own,
                         void *room, const int *verdict)
{
    (void)ex, (void)A, (void)tau, (void)own, (void)room, (void)verdict;
    return GSVD_NOT_SUPPORTED;
}

gsvd_status_t cuda_r(const exec_t *ex, mat_t A, mat_t R, void *work)
{
    (void)ex, (void)A, (void)R, (void)work;
    return GSVD_NOT_SUPPORTED;
}
