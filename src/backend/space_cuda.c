/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* space_cuda.c [1] -- a CUDA device as the place that computes. */
#include <stdlib.h>
#include <string.h>

#include "core/launch.h"

/* -- errors ------------------------------------------------------------------- */

gsvd_status_t gsvd_cuda_failed(gsvd_handle_t h, cudaError_t error,
                               const char *call)
{
    (void)cudaGetLastError(); /* the next launch does not see it again       */
    return gsvd_fail(h,
                     error == cudaErrorMemoryAllocation ? GSVD_OUT_OF_MEMORY
                                                        : GSVD_DEVICE_FAILED,
                     "%s: %s", call, cudaGetErrorString(error));
}

gsvd_status_t gsvd_cublas_failed(gsvd_handle_t h, cublasStatus_t error,
                                 const char *call)
{
    return gsvd_fail(h,
                     error == CUBLAS_STATUS_ALLOC_FAILED ? GSVD_OUT_OF_MEMORY
                                                         : GSVD_DEVICE_FAILED,
                     "%s: %s", call, cublasGetStatusString(error));
}

gsvd_status_t gsvd_cusolver_failed(gsvd_handle_t h, cusolverStatus_t error,
                                   const char *call)
{
    return gsvd_fail(h,
                     error == CUSOLVER_STATUS_ALLOC_FAILED ? GSVD_OUT_OF_MEMORY
                                                           : GSVD_DEVICE_FAILED,
                     "%s: cuSOLVER status %d", call, (int)error);
}

gsvd_status_t gsvd_launched(gsvd_handle_t h, const char *kernel)
{
    const cudaError_t error = cudaGetLastError();
    if (error != cudaSuccess)
        return gsvd_fail(h, GSVD_DEVICE_FAILED, "kernel %s: %s", kernel,
                         cudaGetErrorString(error));
    return GSVD_SUCCESS;
}

gsvd_status_t gsvd_read_slot(gsvd_handle_t h, slot_t *value)
{
    cuda_state_t *const cuda = cuda_of(h);
    GSVD_CUDA(h, cudaMemcpyAsync(cuda->pinned, cuda->slot, sizeof *cuda->slot,
                                 cudaMemcpyDeviceToHost, cuda->stream));
    GSVD_CUDA(h, cudaStreamSynchronize(cuda->stream));
    *value = *cuda->pinned;
    return GSVD_SUCCESS;
}

/* -- queues --------------------------------------------------------------------- */

static side_t *side_of(gsvd_handle_t h, queue_t queue)
{
    return &cuda_of(h)->side[queue == QUEUE_FACTOR];
}

gsvd_status_t gsvd_cuda_aside(gsvd_handle_t h, queue_t queue)
{
    cuda_state_t *const cuda = cuda_of(h);
    const int go = queue != QUEUE_OWN;
    side_t *const side = side_of(h, go ? queue : h->queue);
    const cudaStream_t stream = cuda->stream;
    const cublasHandle_t blas = cuda->blas;
    void *const split = cuda->split;

    if (go) {
        GSVD_CUDA(h, cudaEventRecord(cuda->forked, stream));
        GSVD_CUDA(h, cudaStreamWaitEvent(side->stream, cuda->forked, 0));
    }
    cuda->stream = side->stream;
    cuda->blas = side->blas;
    cuda->split = side->split;
    side->stream = stream;
    side->blas = blas;
    side->split = split;
    h->queue = queue;
    if (!go) /* last: the handle has its own queue again, whatever fails     */
        GSVD_CUDA(h, cudaEventRecord(side->joined, stream));
    return GSVD_SUCCESS;
}

gsvd_status_t gsvd_cuda_meet(gsvd_handle_t h, queue_t queue)
{
    GSVD_CUDA(h, cudaStreamWaitEvent(cuda_of(h)->stream,
                                     side_of(h, queue)->joined, 0));
    return GSVD_SUCCESS;
}

/* -- the space ------------------------------------------------------------------ */

static gsvd_status_t cuda_enter(gsvd_handle_t h)
{
    GSVD_CUDA(h, cudaGetDevice(&cuda_of(h)->caller));
    if (cuda_of(h)->caller != h->device)
        GSVD_CUDA(h, cudaSetDevice(h->device));
    cuda_of(h)->refused = 0;
    return GSVD_SUCCESS;
}

static void cuda_leave(gsvd_handle_t h)
{
    if (cuda_of(h)->caller != h->device)
        (void)cudaSetDevice(cuda_of(h)->caller);
}

static gsvd_status_t create_side(gsvd_handle_t h, side_t *side, int priority)
{
    GSVD_CUDA(h,
              cudaEventCreateWithFlags(&side->joined, cudaEventDisableTiming));
    GSVD_CUDA(h, cudaStreamCreateWithPriority(&side->stream,
                                              cudaStreamNonBlocking, priority));
    GSVD_CUBLAS(h, cublasCreate(&side->blas));
    GSVD_CUBLAS(h, cublasSetStream(side->blas, side->stream));
    return GSVD_SUCCESS;
}

static void destroy_side(gsvd_handle_t h, const side_t *side)
{
    if (side->split)
        h->space->release(h, side->split);
    if (side->blas)
        (void)cublasDestroy(side->blas);
    if (side->stream)
        (void)cudaStreamDestroy(side->stream);
    if (side->joined)
        (void)cudaEventDestroy(side->joined);
}

static gsvd_status_t create_parts(gsvd_handle_t h)
{
    cuda_state_t *const cuda = cuda_of(h);
    int low, high, major;
    GSVD_CUDA(h, cudaDeviceGetAttribute(&cuda->multiprocessors,
                                        cudaDevAttrMultiProcessorCount,
                                        h->device));
    GSVD_CUDA(h, cudaDeviceGetAttribute(&cuda->shared,
                                        cudaDevAttrMaxSharedMemoryPerBlockOptin,
                                        h->device));
    GSVD_CUDA(h, cudaDeviceGetAttribute(
                     &major, cudaDevAttrComputeCapabilityMajor, h->device));
    cuda->hopper = major == 9;
    gsvd_find_driver(h);
    GSVD_CUDA(h, cudaMalloc((void **)&cuda->slot, sizeof *cuda->slot));
    GSVD_CUDA(h,
              cudaMallocHost((void **)&cuda->pinned, 2 * sizeof *cuda->pinned));
    GSVD_CUDA(h,
              cudaEventCreateWithFlags(&cuda->judged, cudaEventDisableTiming));
    GSVD_CUDA(h,
              cudaEventCreateWithFlags(&cuda->forked, cudaEventDisableTiming));
    GSVD_CUDA(h, cudaDeviceGetStreamPriorityRange(&low, &high));
    GSVD_TRY(create_side(h, side_of(h, QUEUE_PANEL), high));
    GSVD_TRY(create_side(h, side_of(h, QUEUE_FACTOR), low));
    GSVD_CUBLAS(h, cublasCreate(&cuda->blas));
    GSVD_CUSOLVER(h, cusolverDnCreate(&cuda->solver));
    return GSVD_SUCCESS;
}

static void destroy_parts(gsvd_handle_t h)
{
    cuda_state_t *const cuda = cuda_of(h);
    if (cuda->split)
        h->space->release(h, cuda->split);
    if (cuda->solver)
        (void)cusolverDnDestroy(cuda->solver);
    if (cuda->blas)
        (void)cublasDestroy(cuda->blas);
    destroy_side(h, side_of(h, QUEUE_PANEL));
    destroy_side(h, side_of(h, QUEUE_FACTOR));
    if (cuda->forked)
        (void)cudaEventDestroy(cuda->forked);
    if (cuda->judged)
        (void)cudaEventDestroy(cuda->judged);
    if (cuda->pinned)
        (void)cudaFreeHost(cuda->pinned);
    if (cuda->slot)
        (void)cudaFree(cuda->slot);
}

static gsvd_status_t cuda_open(gsvd_handle_t h, int device)
{
    if (device >= gsvd_cuda_device_count())
        return gsvd_fail(h, GSVD_DEVICE_FAILED, "no CUDA device %d", device);
    h->cuda = calloc(1, sizeof(cuda_state_t));
    if (!h->cuda)
        return gsvd_fail(h, GSVD_OUT_OF_MEMORY, "the handle's CUDA state");
    gsvd_status_t status = cuda_enter(h);
    if (status == GSVD_SUCCESS) {
        status = create_parts(h);
        if (status != GSVD_SUCCESS)
            destroy_parts(h);
        cuda_leave(h);
    }
    if (status != GSVD_SUCCESS) {
        free(h->cuda);
        h->cuda = NULL;
    }
    return status;
}

static gsvd_status_t cuda_wait(gsvd_handle_t h)
{
    GSVD_CUDA(h, cudaStreamSynchronize(cuda_of(h)->stream));
    return GSVD_SUCCESS;
}

static gsvd_status_t cuda_close(gsvd_handle_t h)
{
    gsvd_status_t status = cuda_enter(h);
    if (status == GSVD_SUCCESS) {
        status = cuda_wait(h);
        destroy_parts(h);
        cuda_leave(h);
    }
    free(h->cuda);
    h->cuda = NULL;
    return status;
}

static gsvd_status_t cuda_set_stream(gsvd_handle_t h, gsvd_stream_t stream)
{
    cuda_state_t *const cuda = cuda_of(h);
    GSVD_CUBLAS(h, cublasSetStream(cuda->blas, stream));
    GSVD_CUSOLVER(h, cusolverDnSetStream(cuda->solver, stream));
    cuda->stream = stream;
    return GSVD_SUCCESS;
}

static gsvd_status_t cuda_allocate(gsvd_handle_t h, void **p, size_t bytes)
{
    *p = NULL;
    if (cudaMalloc(p, bytes) != cudaSuccess) {
        (void)cudaGetLastError();
        return gsvd_fail(h, GSVD_OUT_OF_MEMORY, "%zu bytes on CUDA device %d",
                         bytes, h->device);
    }
    return GSVD_SUCCESS;
}

static void cuda_release(gsvd_handle_t h, void *p)
{
    (void)h;
    (void)cudaFree(p);
}

static gsvd_status_t copy(gsvd_handle_t h, void *dst, size_t dpitch,
                          const void *src, size_t spitch, size_t bytes,
                          int64_t columns, enum cudaMemcpyKind kind)
{
    if (bytes == 0 || columns <= 0)
        return GSVD_SUCCESS;
    GSVD_CUDA(h, cudaMemcpy2DAsync(dst, dpitch, src, spitch, bytes,
                                   (size_t)columns, kind, cuda_of(h)->stream));
    return GSVD_SUCCESS;
}

static gsvd_status_t cuda_upload(gsvd_handle_t h, void *dst, size_t dpitch,
                                 const void *src, size_t spitch, size_t bytes,
                                 int64_t columns)
{
    return copy(h, dst, dpitch, src, spitch, bytes, columns,
                cudaMemcpyHostToDevice);
}

static gsvd_status_t cuda_download(gsvd_handle_t h, void *dst, size_t dpitch,
                                   const void *src, size_t spitch, size_t bytes,
                                   int64_t columns)
{
    return copy(h, dst, dpitch, src, spitch, bytes, columns,
                cudaMemcpyDeviceToHost);
}

const space_t *gsvd_space_cuda(void)
{
    static const space_t space = {
        .name = "cuda",
        .on_device = 1,
        .open = cuda_open,
        .close = cuda_close,
        .set_stream = cuda_set_stream,
        .enter = cuda_enter,
        .leave = cuda_leave,
        .allocate = cuda_allocate,
        .release = cuda_release,
        .upload = cuda_upload,
        .download = cuda_download,
        .wait = cuda_wait,
    };
    return &space;
}

int gsvd_cuda_device_count(void)
{
    int count = 0;
    if (cudaGetDeviceCount(&count) != cudaSuccess) {
        (void)cudaGetLastError();
        return 0;
    }
    return count;
}
