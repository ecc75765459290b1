/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* fn.h [1] -- GSVD_FN: a function in a header, for C and for CUDA alike.
 * A file of functions with clones (clones.h) may define it before. */
#ifndef GSVD_CORE_FN_H
#define GSVD_CORE_FN_H

#if defined __CUDACC__
#define GSVD_FN static __host__ __device__ __forceinline__
#elif !defined GSVD_FN
#define GSVD_FN static inline
#endif

#endif /* GSVD_CORE_FN_H */
