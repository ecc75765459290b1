/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* cuda_runtime.h -- what libgsvd-nccl calls of CUDA, where a device's memory is the host's: standin.h. */
#ifndef GSVD_STANDIN_CUDA_RUNTIME_H
#define GSVD_STANDIN_CUDA_RUNTIME_H

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

typedef enum cudaError {
    cudaSuccess = 0,
    cudaErrorMemoryAllocation = 2,
    cudaErrorNotReady = 600
} cudaError_t;
typedef struct CUstream_st *cudaStream_t;
enum {
    cudaMemcpyHostToDevice,
    cudaMemcpyDeviceToHost,
    cudaMemcpyDeviceToDevice
};

static inline const char *cudaGetErrorString(cudaError_t e)
{
    return e == cudaSuccess ? "no error" : "an error of the stand-in";
}
static inline cudaError_t cudaGetLastError(void) { return cudaSuccess; }
static inline cudaError_t cudaGetDevice(int *device)
{
    *device = 0;
    return cudaSuccess;
}
static inline cudaError_t cudaSetDevice(int device)
{
    (void)device;
    return cudaSuccess;
}
static inline cudaError_t cudaDeviceSynchronize(void) { return cudaSuccess; }
static inline cudaError_t cudaStreamCreate(cudaStream_t *s)
{
    *s = NULL;
    return cudaSuccess;
}
static inline cudaError_t cudaStreamDestroy(cudaStream_t s)
{
    (void)s;
    return cudaSuccess;
}
static inline cudaError_t cudaStreamQuery(cudaStream_t s)
{
    (void)s;
    return cudaSuccess;
}
/* What a device has before is not 0.  STANDIN_BLOCK: the bytes of the largest block that it has */
static inline cudaError_t cudaMalloc(void **p, size_t bytes)
{
    const char *const most = getenv("STANDIN_BLOCK");
    *p = most && bytes > strtoull(most, NULL, 10) ? NULL : malloc(bytes);
    if (*p)
        memset(*p, 0xff, bytes);
    return *p ? cudaSuccess : cudaErrorMemoryAllocation;
}
enum { cudaMemAttachGlobal = 1 };
static inline cudaError_t cudaMallocManaged(void **p, size_t bytes, int flags)
{
    (void)flags; /* Without STANDIN_PAGES there is what cudaMalloc has.      */
    *p = getenv("STANDIN_PAGES") ? malloc(bytes) : NULL;
    if (*p)
        memset(*p, 0xff, bytes);
    return *p ? cudaSuccess : cudaErrorMemoryAllocation;
}
static inline cudaError_t cudaFree(void *p)
{
    free(p);
    return cudaSuccess;
}
static inline cudaError_t cudaMemcpyAsync(void *to, const void *from,
                                          size_t bytes, int kind,
                                          cudaStream_t s)
{
    (void)kind, (void)s;
    memmove(to, from, bytes);
    return cudaSuccess;
}
static inline cudaError_t cudaMemsetAsync(void *p, int value, size_t bytes,
                                          cudaStream_t s)
{
    (void)s;
    memset(p, value, bytes);
    return cudaSuccess;
}
static inline cudaError_t cudaMemcpy2DAsync(void *to, size_t to_pitch,
                                            const void *from, size_t from_pitch,
                                            size_t width, size_t height,
                                            int kind, cudaStream_t s)
{
    (void)kind, (void)s;
    for (size_t j = 0; j < height; ++j)
        memmove((char *)to + j * to_pitch, (const char *)from + j * from_pitch,
                width);
    return cudaSuccess;
}

#endif /* GSVD_STANDIN_CUDA_RUNTIME_H */
