/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* libm.h -- hypot, ldexp, ilogb and fmax on the host.  If numbers are far from both ends of the range,
 * they are inline: small pairs need many of them. */
#ifndef GSVD_CORE_LIBM_H
#define GSVD_CORE_LIBM_H

#include <stdint.h>

#if GSVD_SINGLE
typedef uint32_t bits_t;
enum { REAL_DIGITS = FLT_MANT_DIG - 1, REAL_BIAS = FLT_MAX_EXP - 1 };
#define LIBM(name) name##f
#else
typedef uint64_t bits_t;
enum { REAL_DIGITS = DBL_MANT_DIG - 1, REAL_BIAS = DBL_MAX_EXP - 1 };
#define LIBM(name) name
#endif

typedef union {
    real_t x;
    bits_t bits; /* sign, exponent + REAL_BIAS, REAL_DIGITS digits           */
} real_bits_t;

/* x 2^e: a product by a normal number rounds like ldexp */
GSVD_FN real_t ldexp_r(real_t x, int e)
{
    if (e <= -REAL_BIAS || e > REAL_BIAS)
        return LIBM(ldexp)(x, e);
    const real_bits_t power = {.bits = (bits_t)(e + REAL_BIAS) << REAL_DIGITS};
    return x * power.x;
}

/* floor(log2 |x|) */
GSVD_FN int exponent_r(real_t x)
{
    const real_bits_t r = {.x = x};
    const int e = (int)(r.bits >> REAL_DIGITS) & (2 * REAL_BIAS + 1);
    return e == 0 || e == 2 * REAL_BIAS + 1 ? LIBM(ilogb)(x) : e - REAL_BIAS;
}

/* A NaN is less than a number. */
GSVD_FN real_t fmax_r(real_t x, real_t y) { return x >= y || y != y ? x : y; }

/* Where squares are next to the ends of the range, x and y are scaled: the result is that of (x, y) times
 * any power of two. */
GSVD_FN real_t hypot_r(real_t x, real_t y)
{
    const int far = GSVD_SINGLE ? 98 : 600;
    const real_t square = x * x + y * y;
    if (square > GSVD_SAFMIN / GSVD_ULP && square < GSVD_ULP / GSVD_SAFMIN)
        return LIBM(sqrt)(square);
    const int e = square < 1 ? far : -far;
    const real_t u = ldexp_r(x, e), v = ldexp_r(y, e);
    return ldexp_r(LIBM(sqrt)(u * u + v * v), -e);
}

#endif /* GSVD_CORE_LIBM_H */
