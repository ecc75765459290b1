/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* batched_none.c -- a build without CUDA has no cuSOLVER to compare with. */
#include "batched.h"

gsvd_status_t X(bench_gesvdj_batched)(void *data)
{
    (void)data;
    return GSVD_NOT_SUPPORTED;
}

gsvd_status_t X(bench_syev_batched)(void *data)
{
    (void)data;
    return GSVD_NOT_SUPPORTED;
}
