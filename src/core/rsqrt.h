/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* rsqrt.h -- 1 / sqrt(x) to about one ulp, the same word in C and in CUDA,
 * where it is one short sequence in place of a root and a division. */
#ifndef GSVD_CORE_RSQRT_H
#define GSVD_CORE_RSQRT_H

#include "core/scalar.h"

#if !defined __CUDACC__
GSVD_FN real_t rsqrt_r(real_t x) { return 1 / sqrt_r(x); }
#elif GSVD_SINGLE
GSVD_FN real_t rsqrt_r(real_t x) { return rsqrtf(x); }
#else
GSVD_FN real_t rsqrt_r(real_t x) { return rsqrt(x); }
#endif

#endif /* GSVD_CORE_RSQRT_H */
