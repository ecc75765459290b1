/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* cuda_state.h [1] -- what a handle on a CUDA device holds; checked calls. */
#ifndef GSVD_CORE_CUDA_STATE_H
#define GSVD_CORE_CUDA_STATE_H

#include <cublas_v2.h>
#include <cuda_runtime_api.h>
#include <cusolverDn.h>

#include "core/handle.h"

/* Room for the few numbers that a primitive hands to the host. */
typedef union slot {
    double real[4];
    int64_t count;
    int info;
} slot_t;

/* A second queue; while it is used, the caller's stream, its cuBLAS and its room
 * for split factors are kept here. */
typedef struct side {
    cudaStream_t stream;
    cublasHandle_t blas;
    void *split;
    cudaEvent_t joined;
} side_t;

/* A function of the driver, of a type that launch_cuda.c knows */
typedef void (*driver_fn_t)(void);

typedef struct cuda_state {
    cudaStream_t stream;
    cublasHandle_t blas;
    void *split; /* room for factors in parts, or NULL: qr/product.cu        */
    int refused; /* memory for it, to the call that runs                     */
    int hopper;  /* compute capability 9, where some roads were measured     */
    cusolverDnHandle_t solver;
    slot_t *slot;   /* on the device                                         */
    slot_t *pinned; /* two on the host: its copy, and judge's answer ...     */
    cudaEvent_t judged; /* ... which has arrived                             */
    side_t side[2]; /* QUEUE_PANEL, of high priority, and QUEUE_FACTOR       */
    cudaEvent_t forked;
    int multiprocessors;
    int shared; /* bytes of shared memory that a block may have              */
    driver_fn_t green_of, resource_of; /* about green contexts, or NULL      */
    int caller; /* the device that was current before enter()            */
} cuda_state_t;

static inline cuda_state_t *cuda_of(gsvd_handle_t h)
{
    return (cuda_state_t *)h->cuda;
}

#define GSVD_CUDA(h, call)                                                     \
    do {                                                                       \
        const cudaError_t error_ = (call);                                     \
        if (error_ != cudaSuccess)                                             \
            return gsvd_cuda_failed(h, error_, #call);                         \
    } while (0)

#define GSVD_CUBLAS(h, call)                                                   \
    do {                                                                       \
        const cublasStatus_t error_ = (call);                                  \
        if (error_ != CUBLAS_STATUS_SUCCESS)                                   \
            return gsvd_cublas_failed(h, error_, #call);                       \
    } while (0)

#define GSVD_CUSOLVER(h, call)                                                 \
    do {                                                                       \
        const cusolverStatus_t error_ = (call);                                \
        if (error_ != CUSOLVER_STATUS_SUCCESS)                                 \
            return gsvd_cusolver_failed(h, error_, #call);                     \
    } while (0)

#if defined __cplusplus
extern "C" {
#endif

gsvd_status_t gsvd_cuda_failed(gsvd_handle_t h, cudaError_t error,
                               const char *call);
gsvd_status_t gsvd_cublas_failed(gsvd_handle_t h, cublasStatus_t error,
                                 const char *call);
gsvd_status_t gsvd_cusolver_failed(gsvd_handle_t h, cusolverStatus_t error,
                                   const char *call);

/* backend.h: aside, meet */
gsvd_status_t gsvd_cuda_aside(gsvd_handle_t h, queue_t queue);
gsvd_status_t gsvd_cuda_meet(gsvd_handle_t h, queue_t queue);

/* Was the launch of a kernel accepted? */
gsvd_status_t gsvd_launched(gsvd_handle_t h, const char *kernel);

/* Waits; *value := the slot on the device. */
gsvd_status_t gsvd_read_slot(gsvd_handle_t h, slot_t *value);

#if defined __cplusplus
}
#endif

#endif /* GSVD_CORE_CUDA_STATE_H */
