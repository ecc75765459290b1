/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* cublasmp.h -- what libgsvd-nccl calls of cuBLASMp: standin.c. */
#ifndef GSVD_STANDIN_CUBLASMP_H
#define GSVD_STANDIN_CUBLASMP_H

#include "engine_types.h"

typedef struct cublasMpHandle *cublasMpHandle_t;
typedef standin_grid_t *cublasMpGrid_t;
typedef standin_matrix_t *cublasMpMatrixDescriptor_t;
enum { CUBLASMP_GRID_LAYOUT_COL_MAJOR, CUBLASMP_GRID_LAYOUT_ROW_MAJOR };

#if defined __cplusplus
extern "C" {
#endif

int cublasMpCreate(cublasMpHandle_t *h, cudaStream_t s);
int cublasMpDestroy(cublasMpHandle_t h);
int cublasMpGridCreate(int64_t p, int64_t q, int layout, ncclComm_t comm,
                       cublasMpGrid_t *g);
int cublasMpGridDestroy(cublasMpGrid_t g);
int cublasMpMatrixDescriptorCreate(int64_t m, int64_t n, int64_t mb, int64_t nb,
                                   int64_t rsrc, int64_t csrc, int64_t ld,
                                   cudaDataType_t type, cublasMpGrid_t g,
                                   cublasMpMatrixDescriptor_t *d);
int cublasMpMatrixDescriptorDestroy(cublasMpMatrixDescriptor_t d);

#define STANDIN_GEMM                                                           \
    cublasMpHandle_t h, cublasOperation_t opa, cublasOperation_t opb,          \
        int64_t m, int64_t n, int64_t k, const void *alpha, const void *a,     \
        int64_t ia, int64_t ja, cublasMpMatrixDescriptor_t da, const void *b,  \
        int64_t ib, int64_t jb, cublasMpMatrixDescriptor_t db,                 \
        const void *beta, void *c, int64_t ic, int64_t jc,                     \
        cublasMpMatrixDescriptor_t dc, cublasComputeType_t t
int cublasMpGemm_bufferSize(STANDIN_GEMM, size_t *device, size_t *host);
int cublasMpGemm(STANDIN_GEMM, void *dw, size_t device, void *hw, size_t host);

#define STANDIN_TRSM                                                           \
    cublasMpHandle_t h, cublasSideMode_t side, cublasFillMode_t uplo,          \
        cublasOperation_t op, cublasDiagType_t diag, int64_t m, int64_t n,     \
        const void *alpha, const void *a, int64_t ia, int64_t ja,              \
        cublasMpMatrixDescriptor_t da, void *b, int64_t ib, int64_t jb,        \
        cublasMpMatrixDescriptor_t db, cublasComputeType_t t
int cublasMpTrsm_bufferSize(STANDIN_TRSM, size_t *device, size_t *host);
int cublasMpTrsm(STANDIN_TRSM, void *dw, size_t device, void *hw, size_t host);

#if defined __cplusplus
}
#endif

#endif /* GSVD_STANDIN_CUBLASMP_H */
