/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* blocks.cu -- the kernels of blocks.cuh: a solver of SVDs, and batch_finish, CUDA twin of
 * finish.c. */
#include "batch/blocks.cuh"
#include "batch/demand.h"
#include "batch/solvers.h"
#include "batch/svd_device.h"

enum { RESERVED = 1024 }; /* bytes of shared memory of each block of threads */

/* -- kernels --------------------------------------------------------------------------- */

/* grid: so many blocks as run at a time, each with matrices blockIdx.x, + gridDim.x, ...; block: up
 * to WARPS warps */
static __global__ void __launch_bounds__(WARPS *LANES, 1)
    blocks_kernel(svd_batch_t b, scalar_t *work, int sweeps, double given)
{
    extern __shared__ __align__(16) char memory[];
    int64_t of_V;
    scalar_t *const own = work + work_of(&b, &of_V) * blockIdx.x;

    for (int64_t i = blockIdx.x; i < b.count; i += gridDim.x)
        solve_one(&b, i, own, of_V, sweeps, (shared_t *)memory, given);
}

/* likewise */
static __global__ void __launch_bounds__(WARPS *LANES, 1)
    finish_kernel(svd_batch_t b, start_t t, int sweeps)
{
    extern __shared__ __align__(16) char memory[];

    for (int64_t k = blockIdx.x; k < t.X.count; k += gridDim.x)
        finish_one(&b, &t, k, sweeps, (shared_t *)memory);
}

/* grid: one block a matrix; block: WARPS warps */
static __global__ void __launch_bounds__(WARPS *LANES, 4)
    store_kernel(svd_batch_t b, start_t t)
{
    __shared__ shared_t s;
    store_one(&b, &t, blockIdx.x, &s);
}

/* -- launches -------------------------------------------------------------------------- */

static size_t shared_of(int warps)
{
    return SHARED_BYTES +
           (size_t)warps * (sizeof(told_t) + TILE * sizeof(scalar_t));
}

/* Warps that a block of threads with so much shared memory may have */
static int most_warps(int shared)
{
    int warps = WARPS;
    while (warps > 1 && !fits_shared(shared, shared_of(warps)))
        warps /= 2;
    return warps;
}

/* Warps of a block of threads: one for each meeting of a step, as far as they may be */
static int warps_of(const exec_t *ex, int64_t n)
{
    const int64_t pairs = blocks_of(n) / 2;
    const int most = most_warps(cuda_of(ex->h)->shared);
    int warps = 1;
    while (warps < pairs && warps < most)
        warps *= 2;
    return warps;
}

static demand_t blocks_demand(int shared)
{
    const int warps = most_warps(shared);
    return demand("blocks_kernel", 0, (const void *)blocks_kernel,
                  warps * LANES, shared_of(warps));
}

static demand_t finish_demand(int shared)
{
    const int warps = most_warps(shared);
    return demand("finish_kernel", 0, (const void *)finish_kernel,
                  warps * LANES, shared_of(warps));
}

int X(svd_blocks_demands)(int shared, demand_t *d)
{
    d[0] = blocks_demand(shared);
    d[1] = finish_demand(shared);
    return 2;
}

int X(svd_blocks_fit)(const exec_t *ex, int64_t n)
{
    return n <= MOST_COLUMNS &&
           fits_shared(cuda_of(ex->h)->shared, shared_of(1));
}

/* Blocks of threads at a time: their registers fill the multiprocessors, if shared memory lets
 * them.  More would wait until one has done all of its matrices. */
static int64_t grid_of(const exec_t *ex, const svd_batch_t *b, int64_t count)
{
    const int warps = warps_of(ex, min_i(b->m, b->n));
    const size_t bytes = shared_of(warps) + RESERVED;
    int64_t each = WARPS / warps;
    while (each > 1 &&
           !fits_shared(cuda_of(ex->h)->shared, (size_t)each * bytes))
        --each;
    return min_i(count, cuda_of(ex->h)->multiprocessors * each);
}

size_t X(svd_blocks_bytes)(const exec_t *ex, const task_t *t)
{
    const svd_batch_t *const b = svd_batch_in(t);
    int64_t of_V;
    return (size_t)(grid_of(ex, b, b->count) * work_of(b, &of_V)) *
           sizeof(scalar_t);
}

gsvd_status_t X(svd_by_blocks)(const exec_t *ex, const task_t *t)
{
    const svd_batch_t *const b = svd_batch_in(t);
    const demand_t d = blocks_demand(cuda_of(ex->h)->shared);
    const int warps = warps_of(ex, min_i(b->m, b->n));
    void *work;
    GSVD_TRY(X(kernel_work)(ex, X(svd_blocks_bytes)(ex, t), &work));
    GSVD_TRY(gsvd_allow_shared(ex->h, &d));
    blocks_kernel<<<(unsigned)grid_of(ex, b, b->count), warps * LANES,
                    shared_of(warps), stream_of(ex)>>>(
        *b, (scalar_t *)work, ex->policy.max_sweeps, ex->policy.tol_jacobi);
    return gsvd_launched(ex->h, "svd_batched");
}

gsvd_status_t X(batch_finish_cuda)(const exec_t *ex, const svd_batch_t *b,
                                   mats_t X, mats_t V, real_t tol,
                                   const steps_batch_t *s)
{
    const demand_t d = finish_demand(cuda_of(ex->h)->shared);
    const start_t t = {X, V, *s, tol};
    const int warps = warps_of(ex, X.cols);
    if (X.count <= 0)
        return GSVD_SUCCESS;
    store_kernel<<<(unsigned)X.count, WARPS * LANES, 0, stream_of(ex)>>>(*b, t);
    GSVD_TRY(gsvd_launched(ex->h, "batch_finish"));
    GSVD_TRY(gsvd_allow_shared(ex->h, &d));
    finish_kernel<<<(unsigned)grid_of(ex, b, X.count), warps * LANES,
                    shared_of(warps), stream_of(ex)>>>(*b, t,
                                                       ex->policy.max_sweeps);
    return gsvd_launched(ex->h, "batch_finish");
}
