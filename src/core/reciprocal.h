/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* reciprocal.h -- 1 / x without a division, where a device has a short sequence for it;
 * powers of two. */
#ifndef GSVD_CORE_RECIPROCAL_H
#define GSVD_CORE_RECIPROCAL_H

#include "core/scalar.h"

/* 1 / x to a few ulps, for x far from the ends of the range: on a device a short sequence
 * in place of a division */
GSVD_FN real_t reciprocal(real_t x)
{
#if !defined __CUDA_ARCH__
    return 1 / x;
#elif GSVD_SINGLE
    return __frcp_rn(x);
#else
    double y;
    asm("rcp.approx.ftz.f64 %0, %1;" : "=d"(y) : "d"(x));
    y = fma(y, fma(-x, y, 1.0), y);
    return fma(y, fma(-x, y, 1.0), y);
#endif
}

/* The power of two that brings x > 0, a normal number, to [1, 2); of 0 any */
GSVD_FN real_t power_to_one(real_t x)
{
#if !defined __CUDA_ARCH__
    return x > 0 ? ldexp_r(1, -exponent_r(x)) : 1;
#elif GSVD_SINGLE
    return __int_as_float(0x7f000000 - (__float_as_int(x) & 0x7f800000));
#else
    return __hiloint2double(0x7fe00000 - (__double2hiint(x) & 0x7ff00000), 0);
#endif
}

/* 2^e, a normal number */
GSVD_FN real_t power_of_two(int e)
{
#if !defined __CUDA_ARCH__
    return ldexp_r(1, e);
#elif GSVD_SINGLE
    return __int_as_float((e + 127) << 23);
#else
    return __hiloint2double((e + 1023) << 20, 0);
#endif
}

#endif /* GSVD_CORE_RECIPROCAL_H */
