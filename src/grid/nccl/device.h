/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* device.h [1] -- what a process of a grid has on its GPU: NCCL's communicator, a stream, the engines, memory.
 *
 * The matrices of a call lie on the device and its lists on the host, though one arena has both: the host's
 * addresses are reserved for all of it, pages that nobody touches take no memory, and entries stand at the
 * same offset of an array on the device (gsvd_grid_there).
 *
 * A failure of CUDA, of NCCL or of an engine is kept in `failed`.  What computes is skipped then, but no
 * message, until gsvd_grid_agree makes it the status of all processes. */
#ifndef GSVD_GRID_NCCL_DEVICE_H
#define GSVD_GRID_NCCL_DEVICE_H

#include <cublasmp.h>
#include <cuda_runtime.h>
#include <cusolverMp.h>
#include <nccl.h>

#include "grid/messages.h"

enum {
    LISTS = 6,              /* of one kernel                                 */
    MESSAGE_BYTES = 1 << 20 /* of a message about lists                      */
};

typedef struct nccl {
    ncclComm_t comm; /* Process r q + c has row r and column c of the grid.  */
    int device, before; /* the caller's current device                       */
    cudaStream_t stream;
    cusolverMpHandle_t solver;
    cublasMpHandle_t blas;
    cusolverMpGrid_t solver_grid;
    cublasMpGrid_t blas_grid;
    void *message;
    int *info;     /* of an engine                                       */
    buffer_t list; /* LISTS of equal length                              */
    buffer_t host; /* an engine's work on the host                       */
    buffer_t twin[ROOMS]; /* of rooms whose addresses are the host's          */
    gsvd_status_t failed;
    char text[GRID_ERROR];
} nccl_t;

#if defined __cplusplus
extern "C" {
#endif

static inline nccl_t *nccl_here(void) { return gsvd_grid->nccl; }

/* Keeps a failure, the first one. */
void gsvd_nccl_failed(gsvd_status_t status, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/* GSVD_SUCCESS, or what failed */
gsvd_status_t gsvd_nccl_status(void);

/* Waits for the stream, and not longer than NCCL's processes are there. */
void gsvd_nccl_wait(void);

/* Of one kernel, on the device: a list of so many bytes, a copy of the host's or 0 if host is NULL.  The next
 * kernel's lists take its place, in the order of the stream. */
void *gsvd_nccl_list(int which, const void *host, size_t bytes);
size_t gsvd_nccl_list_bytes(void); /* the most                                */
/* to := bytes on the device.  Waits. */
void gsvd_nccl_read(void *to, const void *from, size_t bytes);
void gsvd_nccl_write(void *to, const void *from, size_t bytes);

/* -- engine.c: of both engines ----------------------------------------------------- */

/* Work of so many bytes on the device and the host, if `mine` is success and the engine's query gave no
 * error; agrees */
gsvd_status_t gsvd_engine_work(gsvd_status_t mine, const char *name, int asked,
                               size_t device, size_t host, void **device_work,
                               void **host_work);
/* What a call of an engine returned is kept.  Waits. */
void gsvd_engine_result(const char *name, int status);
/* The status of ours for an engine's, and its text */
gsvd_status_t gsvd_engine_status(const char *name, int status);

/* g->handle := libgsvd's, on this process's GPU */
gsvd_status_t gsvd_nccl_handle(void);

/* -- calls that may fail -------------------------------------------------------------- */

/* A call of CUDA or NCCL that a message needs, which the other processes wait for whatever has failed here */
#define NCCL_ALWAYS(call)                                                      \
    do {                                                                       \
        const int status_ = (int)(call);                                       \
        if (status_ != 0)                                                      \
            gsvd_nccl_failed(GSVD_DEVICE_FAILED, "%s: %d", #call, status_);    \
    } while (0)

/* Calls of others, unless something has failed before */
#define NCCL_CUDA(call)                                                        \
    do {                                                                       \
        if (nccl_here()->failed == GSVD_SUCCESS) {                             \
            const cudaError_t cuda_ = (call);                                  \
            if (cuda_ != cudaSuccess)                                          \
                gsvd_nccl_failed(GSVD_DEVICE_FAILED, "%s: %s", #call,          \
                                 cudaGetErrorString(cuda_));                   \
        }                                                                      \
    } while (0)

#if defined __cplusplus
}
#endif

#endif /* GSVD_GRID_NCCL_DEVICE_H */
