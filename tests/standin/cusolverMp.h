/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* cusolverMp.h -- what libgsvd-nccl calls of cuSOLVERMp: standin.c. */
#ifndef GSVD_STANDIN_CUSOLVERMP_H
#define GSVD_STANDIN_CUSOLVERMP_H

#include "engine_types.h"

typedef struct cusolverMpHandle *cusolverMpHandle_t;
typedef standin_grid_t *cusolverMpGrid_t;
typedef standin_matrix_t *cusolverMpMatrixDescriptor_t;
enum { CUSOLVERMP_GRID_MAPPING_COL_MAJOR, CUSOLVERMP_GRID_MAPPING_ROW_MAJOR };

#if defined __cplusplus
extern "C" {
#endif

int cusolverMpCreate(cusolverMpHandle_t *h, int device, cudaStream_t s);
int cusolverMpDestroy(cusolverMpHandle_t h);
int cusolverMpCreateDeviceGrid(cusolverMpHandle_t h, cusolverMpGrid_t *g,
                               ncclComm_t comm, int32_t p, int32_t q,
                               int mapping);
int cusolverMpDestroyGrid(cusolverMpGrid_t g);
int cusolverMpCreateMatrixDesc(cusolverMpMatrixDescriptor_t *d,
                               cusolverMpGrid_t g, cudaDataType_t type,
                               int64_t m, int64_t n, int64_t mb, int64_t nb,
                               uint32_t rsrc, uint32_t csrc, int64_t ld);
int cusolverMpDestroyMatrixDesc(cusolverMpMatrixDescriptor_t d);

#define STANDIN_WORK void *dw, size_t device, void *hw, size_t host, int *info

int cusolverMpGeqrf_bufferSize(cusolverMpHandle_t h, int64_t m, int64_t n,
                               void *a, int64_t ia, int64_t ja,
                               cusolverMpMatrixDescriptor_t da,
                               cudaDataType_t t, size_t *device, size_t *host);
int cusolverMpGeqrf(cusolverMpHandle_t h, int64_t m, int64_t n, void *a,
                    int64_t ia, int64_t ja, cusolverMpMatrixDescriptor_t da,
                    void *tau, cudaDataType_t t, STANDIN_WORK);

#define STANDIN_ORGQR                                                          \
    cusolverMpHandle_t h, int64_t m, int64_t n, int64_t k, void *a,            \
        int64_t ia, int64_t ja, cusolverMpMatrixDescriptor_t da,               \
        const void *tau, cudaDataType_t t
int cusolverMpOrgqr_bufferSize(STANDIN_ORGQR, size_t *device, size_t *host);
int cusolverMpOrgqr(STANDIN_ORGQR, STANDIN_WORK);

#define STANDIN_ORMQR                                                          \
    cusolverMpHandle_t h, cublasSideMode_t side, cublasOperation_t op,         \
        int64_t m, int64_t n, int64_t k, const void *a, int64_t ia,            \
        int64_t ja, cusolverMpMatrixDescriptor_t da, const void *tau, void *c, \
        int64_t ic, int64_t jc, cusolverMpMatrixDescriptor_t dc,               \
        cudaDataType_t t
int cusolverMpOrmqr_bufferSize(STANDIN_ORMQR, size_t *device, size_t *host);
int cusolverMpOrmqr(STANDIN_ORMQR, STANDIN_WORK);

#define STANDIN_SYEVD                                                          \
    cusolverMpHandle_t h, char *job, cublasFillMode_t uplo, int64_t n,         \
        void *a, int64_t ia, int64_t ja, cusolverMpMatrixDescriptor_t da,      \
        void *w, void *z, int64_t iz, int64_t jz,                              \
        cusolverMpMatrixDescriptor_t dz, cudaDataType_t t
int cusolverMpSyevd_bufferSize(STANDIN_SYEVD, size_t *device, size_t *host);
int cusolverMpSyevd(STANDIN_SYEVD, STANDIN_WORK);

#if defined __cplusplus
}
#endif

#endif /* GSVD_STANDIN_CUSOLVERMP_H */
