/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* cuda_state.h [1] -- what a handle on a CUDA device holds; checked calls. */
#ifndef GSVD_CORE_CUDA_STATE_H
#define GSVD_CORE_CUDA_STATE_H

#include <cublas_v2.h>
#include <cuda_runtime_api.h>
#include <cudaTypedefs.h>
#include <cusolverDn.h>
#include <sys/types.h>

#include "core/handle.h"
#include "core/ways.h"

/* The few numbers that a primitive hands to the host */
typedef union slot {
    double real[5];
    int64_t count;
    int info;
} slot_t;

/* A queue of work; all but QUEUE_OWN are made when work is first queued there. */
typedef struct cuda_queue {
    cudaStream_t stream;
    cublasHandle_t blas; /* of the stream, or NULL: gsvd_cublas makes it     */
    cusolverDnHandle_t solver; /* likewise: gsvd_cusolver                    */
    cusolverDnParams_t params; /* of its calls                               */
    cudaEvent_t joined; /* NULL: the queue is not made yet                  */
    int open;           /* No other queue waits for the work in it.          */
} cuda_queue_t;

/* CUDA's driver, by hand: machine/cuda_driver.c. */
typedef struct driver {
    void *library; /* of dlopen                                              */
    PFN_cuCtxGetCurrent_v4000 get_current;
    PFN_cuCtxGetDevice_v2000 get_device;
    PFN_cuCtxPushCurrent_v4000 push;
    PFN_cuCtxPopCurrent_v4000 pop;
    PFN_cuDevicePrimaryCtxRetain_v7000 retain;
    PFN_cuDevicePrimaryCtxRelease_v11000 release;
#if CUDA_VERSION >= 12040
    PFN_cuStreamGetGreenCtx_v12040 green_of; /* NULL in older drivers        */
    PFN_cuGreenCtxGetDevResource_v12040 resource_of;
#endif
} driver_t;

/* Pinned memory through which large pageable arrays are copied, made when first wanted */
enum {
    COPY_SLOTS = 3,
    COPY_SLOT = 4 << 20 /* bytes                          */
};
typedef struct copy_ring {
    char *memory; /* COPY_SLOTS of COPY_SLOT bytes, or NULL                  */
    cudaEvent_t free[COPY_SLOTS]; /* The copy that a slot was in has ended.  */
    int used[COPY_SLOTS];         /* It may not have.                        */
    int next;                     /* the slot that is taken next             */
    int refused;                  /* There is no memory for it.              */
} copy_ring_t;

typedef struct cuda_state {
    cuda_queue_t queue[QUEUES];
    copy_ring_t ring;
    slot_t *slot;   /* on the device                                         */
    slot_t *pinned; /* two on the host: slot's copy, and test_panel's answer */
    cudaEvent_t judged;   /* test_panel's answer has arrived.               */
    unsigned *way;        /* on the device: how often kernels took each way  */
    unsigned taken[WAYS]; /* how often the host took each way               */
    int multiprocessors;
    int shared; /* bytes of shared memory that a block may have              */
    driver_t driver;
    CUdevice device;   /* the driver's name of h->device                     */
    CUcontext primary; /* its primary context, or NULL: not needed yet       */
    CUcontext home;    /* that of all calls, from gsvd_create on             */
    int pushed;        /* enter() has pushed the primary context.            */
    int captured;      /* relax_capture() changed the thread's mode ...      */
    enum cudaStreamCaptureMode capture_mode; /* ... which was this one.      */
    capture_t capture; /* relax_capture()'s answer, until leave()            */
    pid_t process;     /* the process that made the handle: no other uses it */
} cuda_state_t;

static inline cuda_state_t *cuda_of(gsvd_handle_t h)
{
    return (cuda_state_t *)h->cuda;
}

/* The stream of an exec's queue. */
#define stream_of(ex) (cuda_of((ex)->h)->queue[(ex)->queue].stream)

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

/* The CUDA space, which gsvd_space_cuda finds. */
extern const space_t gsvd_cuda_space;

gsvd_status_t gsvd_cuda_failed(gsvd_handle_t h, cudaError_t error,
                               const char *call);
gsvd_status_t gsvd_cublas_failed(gsvd_handle_t h, cublasStatus_t error,
                                 const char *call);
gsvd_status_t gsvd_cusolver_failed(gsvd_handle_t h, cusolverStatus_t error,
                                   const char *call);

/* The cuBLAS of a queue, made when first wanted, but not while the stream is captured. */
gsvd_status_t gsvd_cublas(gsvd_handle_t h, queue_t queue, cublasHandle_t *blas);

/* The cuSOLVER of a queue and the parameters of its calls, made when first wanted. */
gsvd_status_t gsvd_cusolver(gsvd_handle_t h, queue_t queue,
                            cusolverDnHandle_t *solver,
                            cusolverDnParams_t *params);

/* Work of queue `to` waits for all that is queued in queue `from` until now. */
gsvd_status_t gsvd_cuda_order(gsvd_handle_t h, queue_t from, queue_t to);

/* Was the launch of a kernel accepted? */
gsvd_status_t gsvd_launched(gsvd_handle_t h, const char *kernel);

/* Waits for the stream; *value := the slot on the device. */
gsvd_status_t gsvd_read_slot(gsvd_handle_t h, cudaStream_t stream,
                             slot_t *value);

/* Waits; count[r] := how often the handle has taken way r.  For tests. */
gsvd_status_t gsvd_count_ways(gsvd_handle_t h, unsigned (*count)[WAYS]);

#if defined __cplusplus
}
#endif

#endif /* GSVD_CORE_CUDA_STATE_H */
