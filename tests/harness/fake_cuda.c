/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* fake_cuda.c [1] -- see fake_cuda.h; a library whose name is the driver's. */
#include "harness/fake_cuda.h"

#include <cublas_v2.h>
#include <cuda.h>
#include <cuda_runtime_api.h>
#include <cusolverDn.h>
#include <limits.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#pragma GCC visibility push(default)

fake_t fake;

/* Does this call fail?  The runtime keeps its errors. */
static int fails(void) { return ++fake.calls == fake.fails_at; }

static cudaError_t end(cudaError_t error)
{
    if (error != cudaSuccess)
        fake.last_error = (int)error;
    return error;
}

#define MAY_FAIL                                                               \
    if (fails())                                                               \
    return end(cudaErrorUnknown)

/* What waits, or is queued where a stream is captured that waits for it */
static void touch_stream(void) { fake.harmed += fake.captured != 0; }

/* What may wait: allowed to a thread that says that it knows */
static void may_wait(void)
{
    fake.harmed +=
        fake.captured && fake.capture_mode != cudaStreamCaptureModeRelaxed;
}

/* -- the driver, which knows no green contexts ---------------------------------- */

CUresult cuDeviceGet(CUdevice *device, int ordinal)
{
    *device = ordinal;
    return fails() ? CUDA_ERROR_UNKNOWN : CUDA_SUCCESS;
}

CUresult cuCtxGetCurrent(CUcontext *context)
{
    *context =
        fake.depth ? (CUcontext)&fake.held[fake.stack[fake.depth - 1]] : NULL;
    return CUDA_SUCCESS;
}

CUresult cuCtxGetDevice(CUdevice *device)
{
    if (fake.depth == 0)
        return CUDA_ERROR_INVALID_CONTEXT;
    *device = fake.stack[fake.depth - 1] % FAKE_DEVICES;
    return CUDA_SUCCESS;
}

CUresult cuCtxPushCurrent(CUcontext context)
{
    if (fails())
        return CUDA_ERROR_UNKNOWN;
    fake.stack[fake.depth++] = (int)((int *)context - fake.held);
    return CUDA_SUCCESS;
}

CUresult cuCtxPopCurrent(CUcontext *context)
{
    if (fake.depth == 0)
        return CUDA_ERROR_INVALID_CONTEXT;
    *context = (CUcontext)&fake.held[fake.stack[--fake.depth]];
    return CUDA_SUCCESS;
}

CUresult cuDevicePrimaryCtxRetain(CUcontext *context, CUdevice device)
{
    if (fails())
        return CUDA_ERROR_UNKNOWN;
    ++fake.held[device];
    fake.touched[device] = 1;
    *context = (CUcontext)&fake.held[device];
    return CUDA_SUCCESS;
}

CUresult cuDevicePrimaryCtxRelease(CUdevice device)
{
    --fake.held[device];
    return CUDA_SUCCESS;
}

/* -- the runtime ---------------------------------------------------------------- */

cudaError_t cudaGetDeviceCount(int *count)
{
    *count = fake.devices;
    return fake.no_driver ? end(cudaErrorInsufficientDriver) : cudaSuccess;
}

cudaError_t cudaDriverGetVersion(int *version)
{
    *version = fake.no_driver ? 0 : 13000;
    return cudaSuccess;
}

cudaError_t cudaInitDevice(int device, unsigned flags, unsigned which)
{
    (void)flags;
    (void)which;
    MAY_FAIL;
    fake.touched[device] = 1;
    return cudaSuccess;
}

/* the default of the runtime: without a context, device 0 gets one */
static int device_here(void)
{
    const int device =
        fake.depth ? fake.stack[fake.depth - 1] % FAKE_DEVICES : 0;
    fake.touched[device] = 1;
    return device;
}

cudaError_t cudaFuncGetAttributes(struct cudaFuncAttributes *attributes,
                                  const void *function)
{
    (void)attributes;
    (void)function;
    MAY_FAIL;
    return end(fake.without_code[device_here()]
                   ? cudaErrorNoKernelImageForDevice
                   : cudaSuccess);
}

cudaError_t cudaDeviceGetAttribute(int *value, enum cudaDeviceAttr attribute,
                                   int device)
{
    (void)device;
    MAY_FAIL;
    switch (attribute) {
    case cudaDevAttrComputeCapabilityMajor: *value = 7; break;
    case cudaDevAttrComputeCapabilityMinor: *value = 5; break;
    default: *value = 100; break;
    }
    return cudaSuccess;
}

static cudaError_t make_bytes(void **object, size_t bytes)
{
    (void)device_here();
    may_wait();
    *object = NULL;
    MAY_FAIL;
    *object = malloc(bytes);
    ++fake.objects;
    return *object ? cudaSuccess : end(cudaErrorMemoryAllocation);
}

static cudaError_t make(void **object) { return make_bytes(object, 1); }

static cudaError_t unmake(void *object)
{
    (void)device_here();
    may_wait();
    free(object);
    --fake.objects;
    return cudaSuccess;
}

cudaError_t cudaMalloc(void **p, size_t bytes)
{
    (void)bytes;
    return make(p);
}

cudaError_t cudaFree(void *p) { return unmake(p); }

cudaError_t cudaMemGetInfo(size_t *left, size_t *all)
{
    *all = (size_t)80 << 30;
    *left = fake.full ? (size_t)1 << 20 : *all;
    return cudaSuccess;
}

cudaError_t cudaMemset(void *p, int value, size_t bytes)
{
    (void)p; /* there is no memory behind it                                 */
    (void)value;
    (void)bytes;
    touch_stream();
    MAY_FAIL;
    return cudaSuccess;
}

cudaError_t cudaMallocHost(void **p, size_t bytes)
{
    return make_bytes(p, bytes);
}

/* -- copies, which take place when somebody waits for them -------------------- */

typedef struct copy {
    char *to;
    const char *from;
    size_t to_pitch, from_pitch, bytes, columns;
} copy_t;

enum { COPIES = 256 };
static copy_t copy[COPIES];
static int64_t asked, done; /* copies, ever                                 */

static void copy_until(int64_t last)
{
    for (; done < last; ++done) {
        const copy_t *const c = &copy[done % COPIES];
        for (size_t j = 0; j < c->columns; ++j)
            memcpy(c->to + j * c->to_pitch, c->from + j * c->from_pitch,
                   c->bytes);
    }
}

static void ask_copy(copy_t c)
{
    if (asked - done == COPIES)
        copy_until(done + 1);
    copy[asked++ % COPIES] = c;
    ++fake.copies;
}

cudaError_t cudaMemcpy2DAsync(void *to, size_t to_pitch, const void *from,
                              size_t from_pitch, size_t bytes, size_t columns,
                              enum cudaMemcpyKind kind, cudaStream_t stream)
{
    (void)kind;
    (void)stream;
    touch_stream();
    MAY_FAIL;
    if (to_pitch > INT_MAX || from_pitch > INT_MAX)
        return end(cudaErrorInvalidPitchValue);
    ask_copy((copy_t){to, from, to_pitch, from_pitch, bytes, columns});
    return cudaSuccess;
}

cudaError_t cudaMemcpyAsync(void *to, const void *from, size_t bytes,
                            enum cudaMemcpyKind kind, cudaStream_t stream)
{
    (void)kind;
    (void)stream;
    touch_stream();
    MAY_FAIL;
    ask_copy((copy_t){to, from, bytes, bytes, bytes, 1});
    return cudaSuccess;
}

cudaError_t cudaStreamIsCapturing(cudaStream_t stream,
                                  enum cudaStreamCaptureStatus *status)
{
    (void)stream;
    MAY_FAIL;
    if (fake.captured == FAKE_OTHER)
        return end(cudaErrorStreamCaptureImplicit);
    *status = fake.captured == FAKE_ACTIVE ? cudaStreamCaptureStatusActive
              : fake.captured              ? cudaStreamCaptureStatusInvalidated
                                           : cudaStreamCaptureStatusNone;
    return cudaSuccess;
}

cudaError_t
cudaThreadExchangeStreamCaptureMode(enum cudaStreamCaptureMode *mode)
{
    const int before = fake.capture_mode;
    MAY_FAIL;
    fake.capture_mode = (int)*mode;
    *mode = (enum cudaStreamCaptureMode)before;
    return cudaSuccess;
}

cudaError_t cudaEventSynchronize(cudaEvent_t event)
{
    touch_stream();
    MAY_FAIL;
    copy_until(*(int64_t *)event);
    return cudaSuccess;
}

cudaError_t cudaPointerGetAttributes(struct cudaPointerAttributes *a,
                                     const void *p)
{
    MAY_FAIL;
    a->type =
        p == fake.pinned ? cudaMemoryTypeHost : cudaMemoryTypeUnregistered;
    return cudaSuccess;
}

cudaError_t cudaFreeHost(void *p) { return unmake(p); }

cudaError_t cudaEventCreateWithFlags(cudaEvent_t *event, unsigned flags)
{
    (void)flags;
    return make_bytes((void **)event, sizeof(int64_t));
}

cudaError_t cudaEventDestroy(cudaEvent_t event) { return unmake(event); }

cudaError_t cudaDeviceGetStreamPriorityRange(int *low, int *high)
{
    MAY_FAIL;
    *low = 0;
    *high = -1;
    return cudaSuccess;
}

cudaError_t cudaStreamCreateWithPriority(cudaStream_t *stream, unsigned flags,
                                         int priority)
{
    (void)flags;
    (void)priority;
    ++fake.streams;
    return make((void **)stream);
}

cudaError_t cudaStreamDestroy(cudaStream_t stream) { return unmake(stream); }

cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream)
{
    touch_stream();
    MAY_FAIL;
    fake.recorded = stream;
    if (!event)
        return end(cudaErrorInvalidResourceHandle);
    *(int64_t *)event = asked;
    return cudaSuccess;
}

cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event,
                                unsigned flags)
{
    (void)flags;
    touch_stream();
    MAY_FAIL;
    fake.waits = stream;
    return event ? cudaSuccess : end(cudaErrorInvalidResourceHandle);
}

cudaError_t cudaStreamSynchronize(cudaStream_t stream)
{
    (void)stream;
    (void)device_here();
    touch_stream();
    copy_until(asked);
    return cudaSuccess;
}

cudaError_t cudaGetLastError(void)
{
    const cudaError_t error = (cudaError_t)fake.last_error;
    fake.last_error = cudaSuccess;
    return error;
}

/* -- cuBLAS --------------------------------------------------------------------- */

static cublasStatus_t status_of(cudaError_t error)
{
    return error == cudaSuccess ? CUBLAS_STATUS_SUCCESS
                                : CUBLAS_STATUS_ALLOC_FAILED;
}

/* A handle's creation as the test wants it to end */
static int refused_library(void)
{
    if (fake.library_error && fake.leaves_error)
        fake.last_error = fake.leaves_error;
    return fake.library_error;
}

cublasStatus_t cublasCreate(cublasHandle_t *blas)
{
    if (refused_library())
        return (cublasStatus_t)fake.library_error;
    ++fake.libraries;
    touch_stream(); /* for all that one knows                                */
    return status_of(make((void **)blas));
}

cublasStatus_t cublasDestroy(cublasHandle_t blas)
{
    return status_of(unmake(blas));
}

cublasStatus_t cublasSetStream(cublasHandle_t blas, cudaStream_t stream)
{
    (void)blas;
    (void)stream;
    return fails() ? CUBLAS_STATUS_ALLOC_FAILED : CUBLAS_STATUS_SUCCESS;
}

/* -- cuSOLVER ------------------------------------------------------------------- */

static cusolverStatus_t solver_status_of(cudaError_t error)
{
    return error == cudaSuccess ? CUSOLVER_STATUS_SUCCESS
                                : CUSOLVER_STATUS_ALLOC_FAILED;
}

cusolverStatus_t cusolverDnCreate(cusolverDnHandle_t *solver)
{
    if (refused_library())
        return (cusolverStatus_t)fake.library_error;
    ++fake.libraries;
    touch_stream(); /* for all that one knows                                */
    return solver_status_of(make((void **)solver));
}

cusolverStatus_t cusolverDnDestroy(cusolverDnHandle_t solver)
{
    return solver_status_of(unmake(solver));
}

cusolverStatus_t cusolverDnCreateParams(cusolverDnParams_t *params)
{
    return solver_status_of(make((void **)params));
}

cusolverStatus_t cusolverDnDestroyParams(cusolverDnParams_t params)
{
    return solver_status_of(unmake(params));
}

cusolverStatus_t cusolverDnSetStream(cusolverDnHandle_t solver,
                                     cudaStream_t stream)
{
    (void)solver;
    (void)stream;
    return fails() ? CUSOLVER_STATUS_ALLOC_FAILED : CUSOLVER_STATUS_SUCCESS;
}

/* of the sizes of work, which need no handle */
static cusolverStatus_t answer(size_t *device, size_t *host)
{
    *device = 1000;
    *host = 0;
    return fails() ? CUSOLVER_STATUS_INTERNAL_ERROR : CUSOLVER_STATUS_SUCCESS;
}

cusolverStatus_t cusolverDnXsyevd_bufferSize(
    cusolverDnHandle_t solver, cusolverDnParams_t params,
    cusolverEigMode_t jobz, cublasFillMode_t uplo, int64_t n,
    cudaDataType type_of_a, const void *A, int64_t lda, cudaDataType type_of_w,
    const void *w, cudaDataType compute, size_t *device, size_t *host)
{
    (void)solver, (void)params, (void)jobz, (void)uplo, (void)n;
    (void)type_of_a, (void)A, (void)lda, (void)type_of_w, (void)w;
    (void)compute;
    return answer(device, host);
}

#if CUSOLVER_VERSION >= 11701
cusolverStatus_t cusolverDnXsyevBatched_bufferSize(
    cusolverDnHandle_t solver, cusolverDnParams_t params,
    cusolverEigMode_t jobz, cublasFillMode_t uplo, int64_t n,
    cudaDataType type_of_a, const void *A, int64_t lda, cudaDataType type_of_w,
    const void *w, cudaDataType compute, size_t *device, size_t *host,
    int64_t count)
{
    (void)count;
    return cusolverDnXsyevd_bufferSize(solver, params, jobz, uplo, n, type_of_a,
                                       A, lda, type_of_w, w, compute, device,
                                       host);
}
#endif
