/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* size_bits.h -- |a| as an integer that compares as |a| does, one text for C and CUDA: a warp finds
 * the largest integer in one instruction, and twins find the same. */
#ifndef GSVD_CORE_SIZE_BITS_H
#define GSVD_CORE_SIZE_BITS_H

#include <string.h>

#include "core/scalar.h"

/* |a| as an integer, whose order is that of numbers up to a part 2^-20: exponent and mantissa of
 * |a|, the upper half of a double's bits. */
GSVD_FN unsigned real_bits(real_t x)
{
#if GSVD_SINGLE && defined __CUDA_ARCH__
    return (unsigned)__float_as_int(x);
#elif defined __CUDA_ARCH__
    return (unsigned)__double2hiint(x);
#elif GSVD_SINGLE
    unsigned bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
#else
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    return (unsigned)(bits >> 32);
#endif
}

#if GSVD_COMPLEX
/* hypot(x, y) for 1 <= x < 2 and 0 <= y <= x, of which 20 bits count, as bits above those of 1 */
GSVD_FN unsigned stretch_bits(float x, float y)
{
    const float length = sqrtf(x * x + y * y);
#if defined __CUDA_ARCH__
    return (unsigned)__float_as_int(length) - 0x3f800000u;
#else
    unsigned bits;
    memcpy(&bits, &length, sizeof bits);
    return bits - 0x3f800000u;
#endif
}
#endif

GSVD_FN unsigned size_bits(scalar_t a)
{
#if GSVD_COMPLEX
    const unsigned mantissa = GSVD_SINGLE ? 23 : 20;
    const real_t x = fabs_r(re(a)), y = fabs_r(im(a));
    const real_t most = x > y ? x : y, least = x > y ? y : x;
    const unsigned bits = real_bits(most), exponent = bits >> mantissa;
    if (exponent == 0) /* most is 0 or denormal                              */
        return bits;
    const float one =
        1 + (float)(bits & ((1u << mantissa) - 1)) / (float)(1u << mantissa);
    const unsigned stretch = stretch_bits(one, one * (float)(least / most));
    return (exponent << mantissa) + (stretch >> (23 - mantissa));
#else
    return real_bits(fabs_r(a));
#endif
}

/* The number of that size */
GSVD_FN real_t real_of_bits(unsigned size)
{
#if GSVD_SINGLE && defined __CUDA_ARCH__
    return __int_as_float((int)size);
#elif defined __CUDA_ARCH__
    return __hiloint2double((int)size, 0);
#elif GSVD_SINGLE
    real_t x;
    memcpy(&x, &size, sizeof x);
    return x;
#else
    const uint64_t bits = (uint64_t)size << 32;
    real_t x;
    memcpy(&x, &bits, sizeof x);
    return x;
#endif
}

#endif /* GSVD_CORE_SIZE_BITS_H */
