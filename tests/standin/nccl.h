/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* nccl.h -- what libgsvd-nccl calls of NCCL, by MPI: standin.c.  A communicator is MPI's. */
#ifndef GSVD_STANDIN_NCCL_H
#define GSVD_STANDIN_NCCL_H

#define OMPI_SKIP_MPICXX 1 /* no C++ of MPI's                              */
#include <mpi.h>

#include "cuda_runtime.h"

#define NCCL_VERSION_CODE 22902

struct ncclComm {
    MPI_Comm comm;
};
typedef struct ncclComm *ncclComm_t;
typedef enum ncclResult {
    ncclSuccess = 0,
    ncclInvalidUsage = 5,
    ncclInProgress = 7
} ncclResult_t;
typedef enum ncclRedOp { ncclSum, ncclMax, ncclMin } ncclRedOp_t;
typedef enum ncclDataType {
    ncclChar,
    ncclInt64,
    ncclFloat,
    ncclDouble
} ncclDataType_t;

#if defined __cplusplus
extern "C" {
#endif

const char *ncclGetErrorString(ncclResult_t r);
ncclResult_t ncclCommCount(ncclComm_t comm, int *count);
ncclResult_t ncclCommUserRank(ncclComm_t comm, int *rank);
ncclResult_t ncclCommCuDevice(ncclComm_t comm, int *device);
ncclResult_t ncclCommGetAsyncError(ncclComm_t comm, ncclResult_t *r);
ncclResult_t ncclCommSplit(ncclComm_t comm, int color, int key, ncclComm_t *to,
                           void *config);
ncclResult_t ncclCommDestroy(ncclComm_t comm);
ncclResult_t ncclAllReduce(const void *from, void *to, size_t n,
                           ncclDataType_t type, ncclRedOp_t op, ncclComm_t comm,
                           cudaStream_t s);
ncclResult_t ncclBroadcast(const void *from, void *to, size_t n,
                           ncclDataType_t type, int root, ncclComm_t comm,
                           cudaStream_t s);
ncclResult_t ncclGroupStart(void);
ncclResult_t ncclGroupEnd(void);
ncclResult_t ncclSend(const void *from, size_t n, ncclDataType_t type, int peer,
                      ncclComm_t comm, cudaStream_t s);
ncclResult_t ncclRecv(void *to, size_t n, ncclDataType_t type, int peer,
                      ncclComm_t comm, cudaStream_t s);

#if defined __cplusplus
}
#endif

#endif /* GSVD_STANDIN_NCCL_H */
