/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* scalar.h -- a dozen words of arithmetic, the same in C and in CUDA. */
#ifndef GSVD_CORE_SCALAR_H
#define GSVD_CORE_SCALAR_H

#include <math.h>

#include "core/precision.h"

/* real numbers in a scalar */
#define PARTS (GSVD_COMPLEX ? 2 : 1)

/* real functions by name, whatever the precision */
#if GSVD_SINGLE
GSVD_FN real_t sqrt_r(real_t x) { return sqrtf(x); }
GSVD_FN real_t fabs_r(real_t x) { return fabsf(x); }
GSVD_FN real_t fmax_r(real_t x, real_t y) { return fmaxf(x, y); }
GSVD_FN real_t fma_r(real_t x, real_t y, real_t z) { return fmaf(x, y, z); }
GSVD_FN real_t copysign_r(real_t x, real_t y) { return copysignf(x, y); }
#else
GSVD_FN real_t sqrt_r(real_t x) { return sqrt(x); }
GSVD_FN real_t fabs_r(real_t x) { return fabs(x); }
GSVD_FN real_t fmax_r(real_t x, real_t y) { return fmax(x, y); }
GSVD_FN real_t fma_r(real_t x, real_t y, real_t z) { return fma(x, y, z); }
GSVD_FN real_t copysign_r(real_t x, real_t y) { return copysign(x, y); }
#endif

#if defined __CUDACC__
#if GSVD_SINGLE
GSVD_FN real_t hypot_r(real_t x, real_t y) { return hypotf(x, y); }
GSVD_FN real_t ldexp_r(real_t x, int e) { return ldexpf(x, e); }
GSVD_FN int exponent_r(real_t x) { return ilogbf(x); }
#else
GSVD_FN real_t hypot_r(real_t x, real_t y) { return hypot(x, y); }
GSVD_FN real_t ldexp_r(real_t x, int e) { return ldexp(x, e); }
GSVD_FN int exponent_r(real_t x) { return ilogb(x); }
#endif
#else
#include "core/libm.h"
#endif

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
/* what 'N', 'T' or 'C' is in our words, 'N' or 'C'; a complex 'T' stays */
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

/* a / b */
GSVD_FN scalar_t quotient(scalar_t a, scalar_t b)
{
    if (!GSVD_COMPLEX)
        return make(re(a) / re(b), 0);
    const real_t unit = 1 / abs_of(b);
    return scale(unit, mul(a, scale(unit, conj_of(b))));
}
/* a / |a|, and 1 next to 0 */
GSVD_FN scalar_t direction(scalar_t a)
{
    if (!GSVD_COMPLEX)
        return make(copysign_r(1, re(a)), 0);
    const real_t length = abs_of(a);
    return length > GSVD_SAFMIN ? scale(1 / length, a) : make(1, 0);
}

#endif /* GSVD_CORE_SCALAR_H */
