/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* peer_none.c -- a build without CUDA has no cuSOLVER to compare with. */
#include "problem.h"

gsvd_status_t X(bench_cusolver_qr)(void *data)
{
    (void)data;
    return GSVD_NOT_SUPPORTED;
}

gsvd_status_t X(bench_cusolver_sytrf)(void *data)
{
    (void)data;
    return GSVD_NOT_SUPPORTED;
}

gsvd_status_t X(bench_cusolver_gsvd)(void *data)
{
    (void)data;
    return GSVD_NOT_SUPPORTED;
}

gsvd_status_t X(bench_cusolver_gesvdp)(void *data)
{
    (void)data;
    return GSVD_NOT_SUPPORTED;
}

gsvd_status_t X(bench_cusolver_qr_gesvdp)(void *data)
{
    (void)data;
    return GSVD_NOT_SUPPORTED;
}

gsvd_status_t X(bench_cusolver_gesvdj)(void *data)
{
    (void)data;
    return GSVD_NOT_SUPPORTED;
}

gsvd_status_t X(bench_cusolver_gesvd)(void *data)
{
    (void)data;
    return GSVD_NOT_SUPPORTED;
}

gsvd_status_t X(bench_cusolver_syevd)(void *data)
{
    (void)data;
    return GSVD_NOT_SUPPORTED;
}

gsvd_status_t X(bench_cusolver_syevj)(void *data)
{
    (void)data;
    return GSVD_NOT_SUPPORTED;
}
