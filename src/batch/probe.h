/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* probe.h -- the test of a finished hyperbolic SVD, A = F V^H, V^H J V = J', for C and CUDA.  It
 * multiplies by a vector x that does not depend on the matrix:
 *
 *     x^H D^-1 (V^H J V - J') D^-1       D the lengths of V's columns
 *     (A - F V^H) x                      against |A| |V| */
#ifndef GSVD_BATCH_PROBE_H
#define GSVD_BATCH_PROBE_H

#include "core/scalar.h"

/* Times n eps: the defect of V^H J V from which on it is mended, and what is wrong; of single
 * calls, too (gsvd/run_hsvd.c) */
#define SOME_DEFECT 8
#define LARGE_DEFECT 128
#define LARGE_RESIDUAL 32
enum { MENDS = 3 };

/* Entry j of x: numbers between -1 and 1 without a pattern */
GSVD_FN real_t probe_entry(int64_t j)
{
    uint32_t z = ((uint32_t)j + 1) * 0x9e3779b9u;
    z = (z ^ z >> 15) * 0x85ebca6bu;
    z = (z ^ z >> 13) * 0xc2b2ae35u;
    z ^= z >> 16;
    return (real_t)(int32_t)z * (real_t)0x1p-31;
}

#endif /* GSVD_BATCH_PROBE_H */
