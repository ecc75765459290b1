/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* space_cuda.c [1] -- a CUDA device as the place that computes. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "batch/ways.h"
#include "core/launch.h"
#include "machine/copies_cuda.h"
#include "machine/cuda_context.h"
#include "machine/cuda_driver.h"
#include "machine/device_code.h"
#include "machine/gpus.h"
#include "machine/tables.h"

gsvd_status_t gsvd_read_slot(gsvd_handle_t h, cudaStream_t stream,
                             slot_t *value)
{
    cuda_state_t *const cuda = cuda_of(h);
    GSVD_CUDA(h, cudaMemcpyAsync(cuda->pinned, cuda->slot, sizeof *cuda->slot,
                                 cudaMemcpyDeviceToHost, stream));
    GSVD_CUDA(h, cudaStreamSynchronize(stream));
    *value = *cuda->pinned;
    return GSVD_SUCCESS;
}

_Static_assert((int)BATCH_WAYS <= (int)WAYS, "there is a counter for each way");

gsvd_status_t gsvd_count_ways(gsvd_handle_t h, unsigned (*count)[WAYS])
{
    const cuda_state_t *const cuda = cuda_of(h);
    GSVD_CUDA(h, cudaDeviceSynchronize()); /* any queue's kernels count      */
    GSVD_CUDA(h, cudaMemcpy(*count, cuda->way, sizeof *count,
                            cudaMemcpyDeviceToHost));
    for (int r = 0; r < WAYS; ++r)
        (*count)[r] += cuda->taken[r];
    return GSVD_SUCCESS;
}

/* -- queues --------------------------------------------------------------------- */

/* A library that is made takes memory and may wait for the device, and what it queues there
 * would be a part of the graph. */
static gsvd_status_t no_library_in_capture(gsvd_handle_t h, const char *name)
{
    return cuda_of(h)->capture == CAPTURE_NONE
               ? GSVD_SUCCESS
               : gsvd_fail(h, GSVD_NOT_SUPPORTED,
                           "the stream is captured: the handle has to have "
                           "%s before, by gsvd_plan_create of such a call",
                           name);
}

gsvd_status_t gsvd_cublas(gsvd_handle_t h, queue_t queue, cublasHandle_t *blas)
{
    cuda_queue_t *const q = &cuda_of(h)->queue[queue];
    if (!q->blas) {
        cublasHandle_t made;
        GSVD_TRY(no_library_in_capture(h, "cuBLAS"));
        GSVD_CUBLAS(h, cublasCreate(&made));
        const cublasStatus_t error = cublasSetStream(made, q->stream);
        if (error != CUBLAS_STATUS_SUCCESS) {
            (void)cublasDestroy(made);
            return gsvd_cublas_failed(h, error, "cublasSetStream");
        }
        q->blas = made;
    }
    *blas = q->blas;
    return GSVD_SUCCESS;
}

/* Sets the stream of a new cuSOLVER, and makes its parameters. */
static cusolverStatus_t prepare_solver(const cuda_queue_t *q,
                                       cusolverDnHandle_t solver,
                                       cusolverDnParams_t *params)
{
    const cusolverStatus_t error = cusolverDnSetStream(solver, q->stream);
    return error == CUSOLVER_STATUS_SUCCESS ? cusolverDnCreateParams(params)
                                            : error;
}

gsvd_status_t gsvd_cusolver(gsvd_handle_t h, queue_t queue,
                            cusolverDnHandle_t *solver,
                            cusolverDnParams_t *params)
{
    cuda_queue_t *const q = &cuda_of(h)->queue[queue];
    if (!q->solver) {
        cusolverDnHandle_t made;
        cusolverDnParams_t with;
        GSVD_TRY(no_library_in_capture(h, "cuSOLVER"));
        GSVD_CUSOLVER(h, cusolverDnCreate(&made));
        const cusolverStatus_t error = prepare_solver(q, made, &with);
        if (error != CUSOLVER_STATUS_SUCCESS) {
            (void)cusolverDnDestroy(made);
            return gsvd_cusolver_failed(h, error, "prepare_solver");
        }
        q->solver = made;
        q->params = with;
    }
    *solver = q->solver;
    *params = q->params;
    return GSVD_SUCCESS;
}

/* The event of a queue, and the stream of one of ours: both or none. */
static gsvd_status_t make_queue(gsvd_handle_t h, queue_t queue)
{
    cuda_queue_t *const q = &cuda_of(h)->queue[queue];
    cudaStream_t stream = q->stream;
    int low, high;

    if (q->joined)
        return GSVD_SUCCESS;
    if (queue != QUEUE_OWN) {
        GSVD_CUDA(h, cudaDeviceGetStreamPriorityRange(&low, &high));
        GSVD_CUDA(
            h, cudaStreamCreateWithPriority(&stream, cudaStreamNonBlocking,
                                            queue == QUEUE_PANEL ? high : low));
    }
    const cudaError_t error =
        cudaEventCreateWithFlags(&q->joined, cudaEventDisableTiming);
    if (error != cudaSuccess) {
        q->joined = NULL;
        if (queue != QUEUE_OWN)
            (void)cudaStreamDestroy(stream);
        return gsvd_cuda_failed(h, error, "cudaEventCreateWithFlags");
    }
    q->stream = stream;
    return GSVD_SUCCESS;
}

static void destroy_queue(gsvd_handle_t h, queue_t queue)
{
    const cuda_queue_t *const q = &cuda_of(h)->queue[queue];
    if (q->blas)
        (void)cublasDestroy(q->blas);
    if (q->solver) {
        (void)cusolverDnDestroyParams(q->params);
        (void)cusolverDnDestroy(q->solver);
    }
    if (queue != QUEUE_OWN && q->stream)
        (void)cudaStreamDestroy(q->stream);
    if (q->joined)
        (void)cudaEventDestroy(q->joined);
}

gsvd_status_t gsvd_cuda_order(gsvd_handle_t h, queue_t from, queue_t to)
{
    cuda_queue_t *const queue = cuda_of(h)->queue;
    GSVD_TRY(make_queue(h, from));
    GSVD_TRY(make_queue(h, to));
    GSVD_CUDA(h, cudaEventRecord(queue[from].joined, queue[from].stream));
    GSVD_CUDA(h, cudaStreamWaitEvent(queue[to].stream, queue[from].joined, 0));
    queue[from].open = 0;
    queue[to].open = 1;
    return GSVD_SUCCESS;
}

/* A call that failed between fork and join: what the caller queues next, or waits for, is to come
 * after the work in this queue, too. */
static void join_open(cuda_queue_t *own, cuda_queue_t *q)
{
    if (cudaEventRecord(q->joined, q->stream) != cudaSuccess ||
        cudaStreamWaitEvent(own->stream, q->joined, 0) != cudaSuccess)
        (void)cudaGetLastError();
    q->open = 0;
}

/* -- the space ------------------------------------------------------------------ */

/* CUDA does not survive fork(): in a child nothing of it may be called. */
static int is_ours(gsvd_handle_t h) { return cuda_of(h)->process == getpid(); }

static gsvd_status_t cuda_enter(gsvd_handle_t h)
{
    if (!is_ours(h))
        return gsvd_fail(h, GSVD_DEVICE_FAILED,
                         "a handle on a device is not for use in a child of "
                         "fork()");
    return gsvd_context_enter(h);
}

static void cuda_leave(gsvd_handle_t h)
{
    cuda_state_t *const cuda = cuda_of(h);
    cuda_queue_t *const own = &cuda->queue[QUEUE_OWN];
    for (cuda_queue_t *q = cuda->queue; q < cuda->queue + QUEUES; ++q)
        if (q != own && q->open)
            join_open(own, q);
    if (cuda->captured)
        (void)cudaThreadExchangeStreamCaptureMode(&cuda->capture_mode);
    cuda->captured = 0;
    cuda->capture = CAPTURE_NONE;
    gsvd_context_leave(h);
}

/* The question itself harms no capture.  The legacy stream is never captured; asked for while
 * a stream is that waits for it, it answers with an error. */
static capture_t capture_of(cudaStream_t stream)
{
    enum cudaStreamCaptureStatus status = cudaStreamCaptureStatusNone;
    const cudaError_t error = cudaStreamIsCapturing(stream, &status);

    if (error != cudaSuccess) {
        (void)cudaGetLastError();
        return error == cudaErrorStreamCaptureImplicit ? CAPTURE_OTHER
                                                       : CAPTURE_NONE;
    }
    switch (status) {
    case cudaStreamCaptureStatusNone: return CAPTURE_NONE;
    case cudaStreamCaptureStatusActive: return CAPTURE_ACTIVE;
    default: return CAPTURE_INVALID;
    }
}

/* Kernels are loaded by their first launch. */
static capture_t cuda_relax_capture(gsvd_handle_t h)
{
    cuda_state_t *const cuda = cuda_of(h);

    cuda->capture = capture_of(cuda->queue[QUEUE_OWN].stream);
    if (cuda->capture == CAPTURE_NONE || cuda->captured)
        return cuda->capture;
    cuda->capture_mode = cudaStreamCaptureModeRelaxed;
    cuda->captured =
        cudaThreadExchangeStreamCaptureMode(&cuda->capture_mode) == cudaSuccess;
    return cuda->capture;
}

/* Is there such a device? */
static gsvd_status_t check_device(gsvd_handle_t h)
{
    int count = 0, driver = 0;
    const cudaError_t error = cudaGetDeviceCount(&count);
    if (error != cudaSuccess && cudaDriverGetVersion(&driver) == cudaSuccess &&
        driver == 0) {
        (void)cudaGetLastError();
        return gsvd_fail(h, GSVD_DEVICE_FAILED,
                         "no CUDA device %d: no driver is installed",
                         h->device);
    }
    if (error != cudaSuccess)
        return gsvd_cuda_failed(h, error, "cudaGetDeviceCount");
    if (h->device >= count)
        return gsvd_fail(h, GSVD_DEVICE_FAILED,
                         "no CUDA device %d: their number is %d", h->device,
                         count);
    return GSVD_SUCCESS;
}

/* Has the library code for it? */
static gsvd_status_t check_code(gsvd_handle_t h)
{
    const cudaError_t error = gsvd_find_device_code();
    int major = 0, minor = 0;

    switch (error) {
    case cudaSuccess: return GSVD_SUCCESS;
    case cudaErrorNoKernelImageForDevice:
    case cudaErrorInvalidDeviceFunction:
    case cudaErrorUnsupportedPtxVersion:
    case cudaErrorJitCompilerNotFound: break;
    default: return gsvd_cuda_failed(h, error, "cudaFuncGetAttributes");
    }
    GSVD_CUDA(h, cudaDeviceGetAttribute(
                     &major, cudaDevAttrComputeCapabilityMajor, h->device));
    GSVD_CUDA(h, cudaDeviceGetAttribute(
                     &minor, cudaDevAttrComputeCapabilityMinor, h->device));
    return gsvd_fail(h, GSVD_NOT_SUPPORTED,
                     "CUDA device %d has compute capability %d.%d, for which "
                     "this library has no code (it was built for %s): %s",
                     h->device, major, minor, GSVD_ARCHITECTURES,
                     cudaGetErrorString(error));
}

/* What every call needs, some KiB; queues, cuBLAS and cuSOLVER come when first
 * wanted. */
static gsvd_status_t create_parts(gsvd_handle_t h)
{
    cuda_state_t *const cuda = cuda_of(h);
    int major, ratio;
    GSVD_TRY(check_code(h));
    GSVD_CUDA(h, cudaDeviceGetAttribute(&cuda->multiprocessors,
                                        cudaDevAttrMultiProcessorCount,
                                        h->device));
    GSVD_CUDA(h, cudaDeviceGetAttribute(&cuda->shared,
                                        cudaDevAttrMaxSharedMemoryPerBlockOptin,
                                        h->device));
    GSVD_CUDA(h, cudaDeviceGetAttribute(
                     &major, cudaDevAttrComputeCapabilityMajor, h->device));
    GSVD_CUDA(
        h, cudaDeviceGetAttribute(
               &ratio, cudaDevAttrSingleToDoublePrecisionPerfRatio, h->device));
    h->machine = gsvd_gpu_of(major, ratio);
    GSVD_CUDA(h, cudaMalloc((void **)&cuda->slot, sizeof *cuda->slot));
    GSVD_CUDA(h, cudaMalloc((void **)&cuda->way, WAYS * sizeof *cuda->way));
    GSVD_CUDA(h,
              cudaMallocHost((void **)&cuda->pinned, 2 * sizeof *cuda->pinned));
    /* The slot is read as a whole, whatever part of it a primitive has set. */
    GSVD_CUDA(h, cudaMemset(cuda->slot, 0, sizeof *cuda->slot));
    GSVD_CUDA(h, cudaMemset(cuda->way, 0, WAYS * sizeof *cuda->way));
    GSVD_CUDA(h, cudaStreamSynchronize(NULL)); /* no other queue waits for it */
    GSVD_CUDA(h,
              cudaEventCreateWithFlags(&cuda->judged, cudaEventDisableTiming));
    return make_queue(h, QUEUE_OWN);
}

static void destroy_parts(gsvd_handle_t h)
{
    cuda_state_t *const cuda = cuda_of(h);
    for (int i = 0; i < QUEUES; ++i)
        destroy_queue(h, (queue_t)i);
    gsvd_ring_close(h);
    if (cuda->judged)
        (void)cudaEventDestroy(cuda->judged);
    if (cuda->pinned)
        (void)cudaFreeHost(cuda->pinned);
    if (cuda->way)
        (void)cudaFree(cuda->way);
    if (cuda->slot)
        (void)cudaFree(cuda->slot);
}

static gsvd_status_t open_inside(gsvd_handle_t h)
{
    GSVD_TRY(cuda_enter(h));
    const gsvd_status_t status = create_parts(h);
    if (status != GSVD_SUCCESS)
        destroy_parts(h);
    cuda_leave(h);
    return status;
}

static void forget(gsvd_handle_t h)
{
    if (is_ours(h)) {
        gsvd_context_release(h);
        gsvd_driver_close(h);
    }
    free(h->cuda);
    h->cuda = NULL;
}

static gsvd_status_t cuda_open(gsvd_handle_t h, int device)
{
    (void)device; /* which the handle has                                    */
    GSVD_TRY(check_device(h));
    h->cuda = calloc(1, sizeof(cuda_state_t));
    if (!h->cuda)
        return gsvd_fail(h, GSVD_OUT_OF_MEMORY, "the handle's CUDA state");
    cuda_of(h)->process = getpid();
    gsvd_status_t status = gsvd_driver_open(h);
    if (status == GSVD_SUCCESS)
        status = open_inside(h);
    if (status != GSVD_SUCCESS)
        forget(h);
    return status;
}

static gsvd_status_t cuda_wait(gsvd_handle_t h)
{
    GSVD_CUDA(h, cudaStreamSynchronize(cuda_of(h)->queue[QUEUE_OWN].stream));
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
    forget(h);
    return status;
}

static gsvd_status_t cuda_set_stream(gsvd_handle_t h, gsvd_stream_t stream)
{
    cuda_queue_t *const own = &cuda_of(h)->queue[QUEUE_OWN];
    if (own->blas)
        GSVD_CUBLAS(h, cublasSetStream(own->blas, stream));
    if (own->solver)
        GSVD_CUSOLVER(h, cusolverDnSetStream(own->solver, stream));
    own->stream = stream;
    return GSVD_SUCCESS;
}

static gsvd_status_t cuda_allocate(gsvd_handle_t h, void **p, size_t bytes)
{
    *p = NULL;
    const cudaError_t error = cudaMalloc(p, bytes);
    if (error == cudaSuccess)
        return GSVD_SUCCESS;
    *p = NULL;
    char call[64];
    snprintf(call, sizeof call, "%zu bytes on CUDA device %d", bytes,
             h->device);
    return gsvd_cuda_failed(h, error, call);
}

static void cuda_release(gsvd_handle_t h, void *p)
{
    if (is_ours(h))
        (void)cudaFree(p);
}

static int cuda_count(void)
{
    int count = 0;
    if (cudaGetDeviceCount(&count) != cudaSuccess) {
        (void)cudaGetLastError();
        return 0;
    }
    return count;
}

const space_t gsvd_cuda_space = {
    .name = "cuda",
    .on_device = 1,
    .table = EACH_LETTER(backend_cuda),
    .count = cuda_count,
    .open = cuda_open,
    .close = cuda_close,
    .set_stream = cuda_set_stream,
    .enter = cuda_enter,
    .leave = cuda_leave,
    .relax_capture = cuda_relax_capture,
    .allocate = cuda_allocate,
    .release = cuda_release,
    .upload = gsvd_upload,
    .download = gsvd_download,
    .wait = cuda_wait,
};
