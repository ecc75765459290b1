/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* src/small is text for CUDA as well: a pair for each thread. */
#include "small/pair.h"

static __global__ void small_kernel(pair_t *P, small_sweeps_t sweeps, int *done)
{
    small_t w;
    w.sweeps = sweeps;
    w.sweeps.report = 0; /* a host function, if any                          */
    done[threadIdx.x] = small_preprocess(&P[threadIdx.x]);
    if (done[threadIdx.x])
        (void)small_solve(&P[threadIdx.x], SMALL_AUTO, &w);
}

/* the kernel is compiled, not called */
void *X(small_kernel_address)(void);
void *X(small_kernel_address)(void) { return (void *)small_kernel; }
