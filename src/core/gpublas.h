/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* gpublas.h -- cuBLAS by letter, for the CUDA primitives; cuSOLVER, for bench. */
#ifndef GSVD_CORE_GPUBLAS_H
#define GSVD_CORE_GPUBLAS_H

#include "core/cuda_state.h"
#include "core/matrix.h"

#if defined GSVD_PREC_s
#define GSVD_UPPER S
#elif defined GSVD_PREC_d
#define GSVD_UPPER D
#elif defined GSVD_PREC_c
#define GSVD_UPPER C
#else
#define GSVD_UPPER Z
#endif

#define CUBLAS_(name) GSVD_PASTE(cublas, GSVD_PASTE(GSVD_UPPER, name))
#define CUSOLVER_(name) GSVD_PASTE(cusolverDn, GSVD_PASTE(GSVD_UPPER, name))

#if GSVD_COMPLEX
#define CUSOLVER_ORMQR CUSOLVER_(unmqr)
#define CUSOLVER_ORMQR_SIZE CUSOLVER_(unmqr_bufferSize)
#define CUSOLVER_ORGQR CUSOLVER_(ungqr)
#define CUSOLVER_ORGQR_SIZE CUSOLVER_(ungqr_bufferSize)
#define GPUBLAS_CTRANS CUBLAS_OP_C
#else
#define CUSOLVER_ORMQR CUSOLVER_(ormqr)
#define CUSOLVER_ORMQR_SIZE CUSOLVER_(ormqr_bufferSize)
#define CUSOLVER_ORGQR CUSOLVER_(orgqr)
#define CUSOLVER_ORGQR_SIZE CUSOLVER_(orgqr_bufferSize)
#define GPUBLAS_CTRANS CUBLAS_OP_T
#endif

static inline cublasOperation_t gpublas_op(char op)
{
    return op == 'N' ? CUBLAS_OP_N : GPUBLAS_CTRANS;
}

#endif /* GSVD_CORE_GPUBLAS_H */
