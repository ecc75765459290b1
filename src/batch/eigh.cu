/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* eigh.cu -- eigenvectors of small matrices out of their SVDs, a thread block each; CUDA twin of
 * eigh.c. */
#include "batch/demand.h"
#include "batch/eigh.h"
#include "batch/make_team.cuh"
#include "core/launch.h"
#include "primitives.h"

enum {
    SQUADS = 16, /* of a small matrix                                        */
    MOST_SQUADS = 64,
    SMALL = 64,  /* columns: more have MOST_SQUADS                        */
    AT_ONCE = 6, /* small blocks of a multiprocessor: 80 registers a thread */
    NEAR_BYTES = 48 << 10, /* that any kernel may have                       */
    MOST_BLOCKS = 1 << 30
};

/* grid: one block a matrix (striding); block: a team */
template <int SQUADS_>
static __global__ void __launch_bounds__(SQUADS_ *LANES)
    eigh_load_kernel(const __grid_constant__ eigh_batch_t b)
{
    const team_t t = make_team<SQUADS_>();
    for (int64_t i = blockIdx.x; i < b.count; i += gridDim.x)
        eigh_load_one(t, &b, i);
}

/* grid: one block a matrix (striding); block: a team; shared: eigh_near_bytes, or none */
template <int SQUADS_>
static __global__ void __launch_bounds__(SQUADS_ *LANES,
                                         SQUADS_ == SQUADS ? AT_ONCE : 1)
    eigh_signs_kernel(const __grid_constant__ eigh_batch_t b, int is_near)
{
    extern __shared__ __align__(16) unsigned char memory[];
    const team_t t = make_team<SQUADS_>();
    for (int64_t i = blockIdx.x; i < b.count; i += gridDim.x)
        eigh_signs_one(t, &b, i, is_near ? (scalar_t *)memory : NULL);
}

/* A, which all steps read, is in shared memory where there is room. */
template <int SQUADS_>
static void launch_signs(const exec_t *ex, const eigh_batch_t *b, int is_near)
{
    eigh_signs_kernel<SQUADS_>
        <<<(unsigned)min_i(b->count, MOST_BLOCKS), SQUADS_ * LANES,
           is_near ? eigh_near_bytes(b->n) : 0, stream_of(ex)>>>(*b, is_near);
}

static demand_t signs_demand(int shared)
{
    return demand("eigh_signs_kernel", MOST_SQUADS,
                  (const void *)eigh_signs_kernel<MOST_SQUADS>,
                  MOST_SQUADS * LANES, (size_t)shared - STATIC_SHARED);
}

int X(eigh_demands)(int shared, demand_t *d)
{
    d[0] = signs_demand(shared);
    return 1;
}

gsvd_status_t X(eigh_load_cuda)(const exec_t *ex, const eigh_batch_t *b)
{
    const unsigned blocks = (unsigned)min_i(b->count, MOST_BLOCKS);
    if (b->count == 0 || b->n == 0)
        return GSVD_SUCCESS;
    if (b->n <= SMALL)
        eigh_load_kernel<SQUADS>
            <<<blocks, SQUADS * LANES, 0, stream_of(ex)>>>(*b);
    else
        eigh_load_kernel<2 * SQUADS>
            <<<blocks, 2 * SQUADS * LANES, 0, stream_of(ex)>>>(*b);
    return gsvd_launched(ex->h, "eigh_load");
}

gsvd_status_t X(eigh_signs_cuda)(const exec_t *ex, const eigh_batch_t *b)
{
    const demand_t d = signs_demand(cuda_of(ex->h)->shared);
    if (b->count == 0 || b->n == 0)
        return GSVD_SUCCESS;
    if (b->n <= SMALL) {
        launch_signs<SQUADS>(ex, b, eigh_near_bytes(b->n) <= NEAR_BYTES);
    } else {
        GSVD_TRY(gsvd_allow_shared(ex->h, &d));
        launch_signs<MOST_SQUADS>(ex, b, eigh_near_bytes(b->n) <= d.bytes);
    }
    return gsvd_launched(ex->h, "eigh_signs");
}
