/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* scalar.h -- a dozen words of arithmetic, one text for C and CUDA. */
#ifndef GSVD_CORE_SCALAR_H
#define GSVD_CORE_SCALAR_H

#include <math.h>
#include <stdint.h>

#include "core/precision.h"

/* real numbers in a scalar */
#define REALS_PER_SCALAR (GSVD_COMPLEX ? 2 : 1)

/* real functions by name, whatever the precision */
#if GSVD_SINGLE
GSVD_FN real_t sqrt_r(real_t x) { return sqrtf(x); }
GSVD_FN real_t fabs_r(real_t x) { return fabsf(x); }
GSVD_FN real_t fma_r(real_t x, real_t y, real_t z) { return fmaf(x, y, z); }
GSVD_FN real_t copysign_r(real_t x, real_t y) { return copysignf(x, y); }
GSVD_FN real_t atan_r(real_t x) { return atanf(x); }
GSVD_FN real_t atanh_r(real_t x) { return atanhf(x); }
#else
GSVD_FN real_t sqrt_r(real_t x) { return sqrt(x); }
GSVD_FN real_t fabs_r(real_t x) { return fabs(x); }
GSVD_FN real_t fma_r(real_t x, real_t y, real_t z) { return fma(x, y, z); }
GSVD_FN real_t copysign_r(real_t x, real_t y) { return copysign(x, y); }
GSVD_FN real_t atan_r(real_t x) { return atan(x); }
GSVD_FN real_t atanh_r(real_t x) { return atanh(x); }
#endif

#if defined __CUDACC__
#if GSVD_SINGLE
GSVD_FN real_t hypot_r(real_t x, real_t y) { return hypotf(x, y); }
GSVD_FN real_t ldexp_r(real_t x, int e) { return ldexpf(x, e); }
GSVD_FN int exponent_r(real_t x) { return ilogbf(x); }
GSVD_FN real_t fmax_r(real_t x, real_t y) { return fmaxf(x, y); }
#else
GSVD_FN real_t hypot_r(real_t x, real_t y) { return hypot(x, y); }
GSVD_FN real_t ldexp_r(real_t x, int e) { return ldexp(x, e); }
GSVD_FN int exponent_r(real_t x) { return ilogb(x); }
GSVD_FN real_t fmax_r(real_t x, real_t y) { return fmax(x, y); }
#endif
#else
#include "core/libm.h"
#endif

/* x 2^e, or the largest number where x 2^e overflows by at most a part `slack` of it,
 * which is rounding */
GSVD_FN real_t ldexp_near(real_t x, int e, real_t slack)
{
    const real_t y = ldexp_r(x, e);
    if (fabs_r(y) <= GSVD_REAL_MAX)
        return y;
    return fabs_r(ldexp_r((1 - slack) * x, e)) <= GSVD_REAL_MAX
               ? copysign_r(GSVD_REAL_MAX, x)
               : y;
}

#if GSVD_COMPLEX
#if defined __CUDACC__
GSVD_FN real_t re(scalar_t a) { return a.x; }
GSVD_FN real_t im(scalar_t a) { return a.y; }
GSVD_FN scalar_t make(real_t x, real_t y)
{
    scalar_t a;
    a.x = x;
    a.y = y;
    return a;
}
#else
GSVD_FN real_t re(scalar_t a) { return ((const real_t *)&a)[0]; }
GSVD_FN real_t im(scalar_t a) { return ((const real_t *)&a)[1]; }
GSVD_FN scalar_t make(real_t x, real_t y)
{
    scalar_t a;
    ((real_t *)&a)[0] = x;
    ((real_t *)&a)[1] = y;
    return a;
}
#endif
#else
GSVD_FN real_t re(scalar_t a) { return a; }
GSVD_FN real_t im(scalar_t a)
{
    (void)a;
    return 0;
}
GSVD_FN scalar_t make(real_t x, real_t y)
{
    (void)y;
    return x;
}
#endif

GSVD_FN scalar_t from_single(single_t a)
{
    const float *const part = (const float *)&a;
    return make((real_t)part[0], (real_t)part[REALS_PER_SCALAR - 1]);
}
GSVD_FN single_t to_single(scalar_t a)
{
    single_t b;
    float *const part = (float *)&b;
    part[REALS_PER_SCALAR - 1] = (float)im(a);
    part[0] = (float)re(a);
    return b;
}

GSVD_FN scalar_t add(scalar_t a, scalar_t b)
{
    return make(re(a) + re(b), im(a) + im(b));
}
GSVD_FN scalar_t sub(scalar_t a, scalar_t b)
{
    return make(re(a) - re(b), im(a) - im(b));
}
GSVD_FN scalar_t scale(real_t r, scalar_t a)
{
    return make(r * re(a), r * im(a));
}
GSVD_FN scalar_t conj_of(scalar_t a) { return make(re(a), -im(a)); }
GSVD_FN real_t abs_of(scalar_t a)
{
    return GSVD_COMPLEX ? hypot_r(re(a), im(a)) : fabs_r(re(a));
}
/* The caller's 'N', 'T' or 'C' as one of 'N' and 'C'; a complex 'T' stays. */
GSVD_FN char op_of(char op)
{
    return !GSVD_COMPLEX && (op == 'T' || op == 't') ? 'C' : op;
}
/* the larger of |re|, |im|: finite wherever a is, never squared */
GSVD_FN real_t abs_max(scalar_t a)
{
    return fmax_r(fabs_r(re(a)), fabs_r(im(a)));
}

#if GSVD_COMPLEX
GSVD_FN real_t abs2(scalar_t a) { return re(a) * re(a) + im(a) * im(a); }
GSVD_FN scalar_t mul(scalar_t a, scalar_t b)
{
    return make(re(a) * re(b) - im(a) * im(b), re(a) * im(b) + im(a) * re(b));
}
/* acc + a b */
GSVD_FN scalar_t mul_add(scalar_t a, scalar_t b, scalar_t acc)
{
    return make(fma_r(re(a), re(b), fma_r(-im(a), im(b), re(acc))),
                fma_r(re(a), im(b), fma_r(im(a), re(b), im(acc))));
}
#else
GSVD_FN real_t abs2(scalar_t a) { return a * a; }
GSVD_FN scalar_t mul(scalar_t a, scalar_t b) { return a * b; }
GSVD_FN scalar_t mul_add(scalar_t a, scalar_t b, scalar_t acc)
{
    return fma_r(a, b, acc);
}
#endif

/* 1 / sqrt(x) to about one ulp; on a device one short sequence in place of a root
 * and a division */
#if !defined __CUDACC__
GSVD_FN real_t rsqrt_r(real_t x) { return 1 / sqrt_r(x); }
#elif GSVD_SINGLE
GSVD_FN real_t rsqrt_r(real_t x) { return rsqrtf(x); }
#else
GSVD_FN real_t rsqrt_r(real_t x) { return rsqrt(x); }
#endif

/* How many binary digits has this number, which is not negative? */
GSVD_FN int bits_of(int64_t size)
{
#if defined __CUDA_ARCH__
    return 64 - __clzll(size);
#else
    int bits = 0;
    while (size >> bits)
        ++bits;
    return bits;
#endif
}

#if GSVD_SINGLE
#define SQUARE_LARGE 0x1p50f /* above: scale down                           */
#define SQUARE_SMALL 0x1p-50f
#define SQUARE_UP 0x1p90f /* takes the least number above 2^-60             */
#define SQUARE_DOWN 0x1p-90f
#else
#define SQUARE_LARGE 0x1p480
#define SQUARE_SMALL 0x1p-480
#define SQUARE_UP 0x1p600 /* takes the least number above 2^-475            */
#define SQUARE_DOWN 0x1p-600
#endif

/* A power of two: times this, numbers of size x, and smaller ones that count in a sum
 * with them, have squares that are normal numbers. */
GSVD_FN real_t square_factor(real_t x)
{
    const real_t up = x < SQUARE_SMALL ? SQUARE_UP : 1;
    return x > SQUARE_LARGE ? SQUARE_DOWN : up;
}

/* a / |a|, of length 1 to a few ulp however small or large a is; 1 for 0 */
GSVD_FN scalar_t direction(scalar_t a)
{
    const scalar_t h = scale(square_factor(abs_max(a)), a);
    if (im(h) == 0)
        return make(re(h) == 0 ? 1 : copysign_r(1, re(h)), 0);
    return scale(rsqrt_r(abs2(h)), h);
}
/* a / b */
GSVD_FN scalar_t quotient(scalar_t a, scalar_t b)
{
    if (!GSVD_COMPLEX)
        return make(re(a) / re(b), 0);
    const real_t k = square_factor(abs_max(b)); /* 1 / |b| may overflow      */
    return scale(
        k, scale(rsqrt_r(abs2(scale(k, b))), mul(a, conj_of(direction(b)))));
}

#endif /* GSVD_CORE_SCALAR_H */
