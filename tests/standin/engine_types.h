/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* engine_types.h -- grids and descriptors of the stand-in, alike for cuBLASMp and cuSOLVERMp. */
#ifndef GSVD_STANDIN_ENGINE_TYPES_H
#define GSVD_STANDIN_ENGINE_TYPES_H

#include <stdint.h>

#include "nccl.h"

typedef enum cudaDataType {
    CUDA_R_32F,
    CUDA_R_64F,
    CUDA_C_32F,
    CUDA_C_64F
} cudaDataType_t;
typedef enum cublasComputeType {
    CUBLAS_COMPUTE_32F,
    CUBLAS_COMPUTE_64F
} cublasComputeType_t;
typedef enum cublasOperation {
    CUBLAS_OP_N,
    CUBLAS_OP_T,
    CUBLAS_OP_C
} cublasOperation_t;
typedef enum cublasSideMode {
    CUBLAS_SIDE_LEFT,
    CUBLAS_SIDE_RIGHT
} cublasSideMode_t;
typedef enum cublasFillMode {
    CUBLAS_FILL_MODE_LOWER,
    CUBLAS_FILL_MODE_UPPER
} cublasFillMode_t;
typedef enum cublasDiagType {
    CUBLAS_DIAG_NON_UNIT,
    CUBLAS_DIAG_UNIT
} cublasDiagType_t;

typedef struct standin_grid {
    ncclComm_t comm;
    int p, q, r, c;
} standin_grid_t;

typedef struct standin_matrix {
    const standin_grid_t *grid;
    cudaDataType_t type;
    int64_t m, n, mb, nb, ld;
} standin_matrix_t;

#endif /* GSVD_STANDIN_ENGINE_TYPES_H */
