/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* launch_cuda.c [1] -- shared memory and residency of kernels. */
#include "core/launch.h"

gsvd_status_t gsvd_allow_shared(gsvd_handle_t h, const demand_t *d)
{
    GSVD_CUDA(h, cudaFuncSetAttribute(
                     d->kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                     (int)d->bytes));
    return GSVD_SUCCESS;
}

gsvd_status_t gsvd_prefer_shared(gsvd_handle_t h, const void *kernel)
{
    GSVD_CUDA(h, cudaFuncSetAttribute(
                     kernel, cudaFuncAttributePreferredSharedMemoryCarveout,
                     cudaSharedmemCarveoutMaxShared));
    return GSVD_SUCCESS;
}

/* -- multiprocessors ------------------------------------------------------------ */

#if CUDA_VERSION >= 12040

/* The multiprocessors of the stream's green context; 0: it has none. */
static int green_processors(gsvd_handle_t h, cudaStream_t stream)
{
    const driver_t *const driver = &cuda_of(h)->driver;
    CUgreenCtx green = NULL;
    CUdevResource resource;

    if (!driver->green_of || !driver->resource_of ||
        driver->green_of(stream, &green) != CUDA_SUCCESS || !green ||
        driver->resource_of(green, &resource, CU_DEV_RESOURCE_TYPE_SM) !=
            CUDA_SUCCESS)
        return 0;
    return (int)resource.sm.smCount;
}

#else

static int green_processors(gsvd_handle_t h, cudaStream_t stream)
{
    (void)h, (void)stream;
    return 0;
}

#endif

gsvd_status_t gsvd_at_once(gsvd_handle_t h, cudaStream_t stream,
                           const demand_t *d, int64_t most, int64_t *blocks)
{
    const int green = green_processors(h, stream);
    int processors, each;

    GSVD_CUDA(h, cudaDeviceGetAttribute(
                     &processors, cudaDevAttrMultiProcessorCount, h->device));
    GSVD_CUDA(h, cudaOccupancyMaxActiveBlocksPerMultiprocessor(
                     &each, d->kernel, d->threads, d->bytes));
    if (green > 0)
        processors = green;
    *blocks = (int64_t)processors * each;
    if (*blocks == 0)
        return gsvd_fail(h, GSVD_DEVICE_FAILED, "kernel %s: no block fits",
                         d->name);
    if (*blocks > most)
        *blocks = most;
    return GSVD_SUCCESS;
}

gsvd_status_t gsvd_launch_grid(gsvd_handle_t h, cudaStream_t stream,
                               const demand_t *d, dim3 grid, void **arguments)
{
    const dim3 block = {(unsigned)d->threads, 1, 1};
    GSVD_CUDA(h, cudaLaunchCooperativeKernel(d->kernel, grid, block, arguments,
                                             d->bytes, stream));
    return GSVD_SUCCESS;
}
