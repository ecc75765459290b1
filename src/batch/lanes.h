/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* lanes.h -- vectors of interleaved entries, for the loops that are compiled for several
 * instruction sets.
 *
 * The innermost index is the lane.  A vector of `rows` entries is contiguous.
 */
#ifndef GSVD_BATCH_LANES_H
#define GSVD_BATCH_LANES_H

#include "batch/pack.h"

#if defined __x86_64__ && defined __GNUC__ && !defined __clang__ &&            \
    !defined GSVD_NO_CLONES
#define CLONES                                                                 \
    __attribute__((target_clones("default", "arch=haswell", "avx512f")))
#else
#define CLONES
#endif

/* A part of a function with clones, of which each clone needs its own */
#if defined __GNUC__
#define PART static inline __attribute__((always_inline))
#else
#define PART static inline
#endif

/* sum := sum + x^H y for one entry */
PART void lanes_add_product(const real_t *x, const real_t *y, real_t *sum)
{
#pragma omp simd
    for (int l = 0; l < LANES; ++l)
        sum[l] += x[l] * y[l];
#if GSVD_COMPLEX
#pragma omp simd
    for (int l = 0; l < LANES; ++l) {
        sum[l] += x[IMAG + l] * y[IMAG + l];
        sum[IMAG + l] += x[l] * y[IMAG + l];
        sum[IMAG + l] -= x[IMAG + l] * y[l];
    }
#endif
}

/* h := x^H y, by two sums, which need not wait for each other */
PART void lanes_dot(int64_t rows, const real_t *x, const real_t *y, real_t *h)
{
    real_t even[ENTRY], odd[ENTRY];
    int64_t i = 0;

    for (int l = 0; l < ENTRY; ++l)
        even[l] = odd[l] = 0;
    for (; i + 2 <= rows; i += 2) {
        lanes_add_product(x + i * ENTRY, y + i * ENTRY, even);
        lanes_add_product(x + (i + 1) * ENTRY, y + (i + 1) * ENTRY, odd);
    }
    if (i < rows)
        lanes_add_product(x + i * ENTRY, y + i * ENTRY, even);
#pragma omp simd
    for (int l = 0; l < ENTRY; ++l)
        h[l] = even[l] + odd[l];
}

/* square := |x|^2 */
PART void lanes_square(int64_t rows, const real_t *x, real_t *square)
{
    real_t sum[LANES];
    for (int l = 0; l < LANES; ++l)
        sum[l] = 0;
    for (int64_t i = 0; i < rows * REALS_PER_SCALAR; ++i)
#pragma omp simd
        for (int l = 0; l < LANES; ++l)
            sum[l] += x[i * LANES + l] * x[i * LANES + l];
#pragma omp simd
    for (int l = 0; l < LANES; ++l)
        square[l] = sum[l];
}

/* y := y + a x for one entry */
PART void lanes_add(const real_t *a, const real_t *x, real_t *y)
{
#if GSVD_COMPLEX
#pragma omp simd
    for (int l = 0; l < LANES; ++l) {
        const real_t re_ = y[l] + a[l] * x[l];
        const real_t im_ = y[IMAG + l] + a[l] * x[IMAG + l];
        y[l] = re_ - a[IMAG + l] * x[IMAG + l];
        y[IMAG + l] = im_ + a[IMAG + l] * x[l];
    }
#else
#pragma omp simd
    for (int l = 0; l < LANES; ++l)
        y[l] += a[l] * x[l];
#endif
}

/* x := f x, f real */
PART void lanes_scale(int64_t rows, const real_t *f, real_t *x)
{
    for (int64_t i = 0; i < rows * REALS_PER_SCALAR; ++i)
#pragma omp simd
        for (int l = 0; l < LANES; ++l)
            x[i * LANES + l] *= f[l];
}

/* Lengths that differ by 2^LANES_FAR differ by any power of two as far as rotations are
 * concerned; the square of this, times the squares of lengths, is finite. */
enum { LANES_FAR = GSVD_SINGLE ? 40 : 450 };

/* 2^e for e in [-LANES_FAR, LANES_FAR], or 2 to the nearer end */
PART real_t lanes_power(lane_int_t e)
{
    const lane_int_t low = e < -LANES_FAR ? -LANES_FAR : e;
    const lane_int_t k = low > LANES_FAR ? LANES_FAR : low;
    const real_bits_t power = {.bits = (bits_t)(k + REAL_BIAS) << REAL_DIGITS};
    return power.x;
}

#endif /* GSVD_BATCH_LANES_H */
