/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* device_cuda.h [1] -- what the CUDA side of the benchmarks shares. */
#ifndef GSVD_BENCH_DEVICE_CUDA_H
#define GSVD_BENCH_DEVICE_CUDA_H

#include <cublas_v2.h>
#include <cuda_runtime_api.h>
#include <cusolverDn.h>

#include "bench.h"

typedef struct device {
    cudaStream_t stream; /* the handle's, and not the default one            */
    cudaEvent_t start, stop;
    cublasHandle_t blas;
    cusolverDnHandle_t solver;
    cusolverDnParams_t params;
} device_t;

extern device_t bench_device;

/* Every call of CUDA's three libraries answers 0 for success. */
gsvd_status_t bench_device_check(int code, const char *call, const char *file,
                                 int line);
#define DEVICE_TRY(call)                                                       \
    GSVD_TRY(bench_device_check((int)(call), #call, __FILE__, __LINE__))

#endif /* GSVD_BENCH_DEVICE_CUDA_H */
