/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* failed_cuda.c [1] -- the errors of CUDA's libraries as our status, with a text. */
#include "core/launch.h"

static gsvd_status_t status_of(cudaError_t error)
{
    return error == cudaErrorMemoryAllocation ? GSVD_OUT_OF_MEMORY
                                              : GSVD_DEVICE_FAILED;
}

/* Libraries that get no memory report it in many ways, for example as
 * CUSOLVER_STATUS_INTERNAL_ERROR and CUBLAS_STATUS_NOT_INITIALIZED.  It was lack of memory if the
 * runtime's error says so, or if less memory is free than a handle and its kernels may take.  A
 * device that has failed cannot say how much is free. */
enum { LITTLE = 256 << 20 };

static gsvd_status_t status_of_library(int no_memory)
{
    const cudaError_t left = cudaGetLastError();
    size_t bytes, all;
    if (!no_memory && left != cudaErrorMemoryAllocation) {
        const cudaError_t error = cudaMemGetInfo(&bytes, &all);
        (void)cudaGetLastError();
        if (error != cudaSuccess || bytes >= LITTLE)
            return GSVD_DEVICE_FAILED;
    }
    return GSVD_OUT_OF_MEMORY;
}

gsvd_status_t gsvd_cuda_failed(gsvd_handle_t h, cudaError_t error,
                               const char *call)
{
    (void)cudaGetLastError(); /* the next launch does not see it again       */
    return gsvd_fail(h, status_of(error), "%s: %s", call,
                     cudaGetErrorString(error));
}

gsvd_status_t gsvd_cublas_failed(gsvd_handle_t h, cublasStatus_t error,
                                 const char *call)
{
    return gsvd_fail(h, status_of_library(error == CUBLAS_STATUS_ALLOC_FAILED),
                     "%s: %s", call, cublasGetStatusString(error));
}

/* cuSOLVER has no texts of its errors. */
gsvd_status_t gsvd_cusolver_failed(gsvd_handle_t h, cusolverStatus_t error,
                                   const char *call)
{
    return gsvd_fail(h,
                     status_of_library(error == CUSOLVER_STATUS_ALLOC_FAILED),
                     "%s: cusolverStatus_t %d", call, (int)error);
}

gsvd_status_t gsvd_launched(gsvd_handle_t h, const char *kernel)
{
    const cudaError_t error = cudaGetLastError();
    if (error != cudaSuccess)
        return gsvd_fail(h, status_of(error), "kernel %s: %s", kernel,
                         cudaGetErrorString(error));
    return GSVD_SUCCESS;
}
