/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* eigh.cu -- eigenvectors of small matrices out of their SVDs, a thread block each; CUDA twin of
 * eigh.c. */
#include "batch/eigh.h"
#include "batch/make_team.cuh"
#include "core/launch.h"
#include "primitives.h"

enum { SQUADS = 16, THREADS = SQUADS * LANES, MOST_BLOCKS = 1 << 30 };

/* grid: one block a matrix (striding); block: a team */
static __global__ void __launch_bounds__(THREADS)
    eigh_load_kernel(const __grid_constant__ eigh_batch_t b)
{
    const team_t t = make_team<SQUADS>();
    for (int64_t i = blockIdx.x; i < b.count; i += gridDim.x)
        eigh_load_one(t, &b, i);
}

/* grid: one block a matrix (striding); block: a team */
static __global__ void __launch_bounds__(THREADS)
    eigh_signs_kernel(const __grid_constant__ eigh_batch_t b)
{
    const team_t t = make_team<SQUADS>();
    for (int64_t i = blockIdx.x; i < b.count; i += gridDim.x)
        eigh_signs_one(t, &b, i);
}

gsvd_status_t X(eigh_load_cuda)(const exec_t *ex, const eigh_batch_t *b)
{
    if (b->count == 0 || b->n == 0)
        return GSVD_SUCCESS;
    eigh_load_kernel<<<(unsigned)min_i(b->count, MOST_BLOCKS), THREADS, 0,
                       stream_of(ex)>>>(*b);
    return gsvd_launched(ex->h, "eigh_load");
}

gsvd_status_t X(eigh_signs_cuda)(const exec_t *ex, const eigh_batch_t *b)
{
    if (b->count == 0 || b->n == 0)
        return GSVD_SUCCESS;
    eigh_signs_kernel<<<(unsigned)min_i(b->count, MOST_BLOCKS), THREADS, 0,
                        stream_of(ex)>>>(*b);
    return gsvd_launched(ex->h, "eigh_signs");
}
