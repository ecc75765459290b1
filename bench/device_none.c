/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* device_none.c [1] -- a build without CUDA has no device to time. */
#include "bench.h"

gsvd_status_t bench_device_open(bench_t *b)
{
    (void)b;
    return GSVD_NOT_SUPPORTED;
}

void bench_device_close(void) {}

void bench_device_describe(bench_t *b) { (void)b; }

gsvd_status_t bench_device_start(void) { return GSVD_NOT_SUPPORTED; }

gsvd_status_t bench_device_stop(double *ms)
{
    *ms = 0;
    return GSVD_NOT_SUPPORTED;
}
