/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* gpublas.h -- cuBLAS and cuSOLVER by letter, for the CUDA primitives and for bench. */
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
#define CUSOLVER_ORGQR CUSOLVER_(ungqr)
#define CUSOLVER_ORGQR_SIZE CUSOLVER_(ungqr_bufferSize)
#define CUSOLVER_SYEVJ CUSOLVER_(heevj)
#define CUSOLVER_SYEVJ_SIZE CUSOLVER_(heevj_bufferSize)
#define GPUBLAS_CTRANS CUBLAS_OP_C
#define GPUBLAS_HERK CUBLAS_(herk_64)
#else
#define CUSOLVER_ORGQR CUSOLVER_(orgqr)
#define CUSOLVER_ORGQR_SIZE CUSOLVER_(orgqr_bufferSize)
#define CUSOLVER_SYEVJ CUSOLVER_(syevj)
#define CUSOLVER_SYEVJ_SIZE CUSOLVER_(syevj_bufferSize)
#define GPUBLAS_CTRANS CUBLAS_OP_T
#define GPUBLAS_HERK CUBLAS_(syrk_64)
#endif

/* the types of scalar_t and of real_t in the calls that take types as arguments */
#define GPUBLAS_REAL (GSVD_SINGLE ? CUDA_R_32F : CUDA_R_64F)
#define GPUBLAS_COMPLEX (GSVD_SINGLE ? CUDA_C_32F : CUDA_C_64F)
#define GPUBLAS_SCALAR (GSVD_COMPLEX ? GPUBLAS_COMPLEX : GPUBLAS_REAL)

static inline cublasOperation_t gpublas_op(char op)
{
    return op == 'N' ? CUBLAS_OP_N : GPUBLAS_CTRANS;
}

#endif /* GSVD_CORE_GPUBLAS_H */
