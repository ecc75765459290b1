/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* wide.cuh -- arithmetic in double precision for kernels of any letter.
 *
 * The small matrices of a kernel, such as a Gram matrix or a triangle, are kept in double also if
 * the data are single.  The tensor cores' rate in double is that of ordinary arithmetic in single,
 * and a Gram matrix in double keeps what one in single would lose.
 */
#ifndef GSVD_CORE_WIDE_CUH
#define GSVD_CORE_WIDE_CUH

#include "core/scalar.h"

#if GSVD_COMPLEX
typedef double2 wide_t;
#define WIDE_PARTS 2
#else
typedef double wide_t;
#define WIDE_PARTS 1
#endif

#define WIDE_FN static __device__ __forceinline__

/* 1/sqrt(d) and 1/d for d far from the ends of the range, by a step of third order from the 20 bits
 * that the hardware gives.  They take a fraction of the library's latency. */
WIDE_FN double quick_rsqrt(double d)
{
    double y;
    asm("rsqrt.approx.ftz.f64 %0, %1;" : "=d"(y) : "d"(d));
    const double e = fma(-d * y, y, 1.0);
    return fma(y * e, fma(0.375, e, 0.5), y);
}
WIDE_FN double quick_inverse(double d)
{
    double y;
    asm("rcp.approx.ftz.f64 %0, %1;" : "=d"(y) : "d"(d));
    const double e = fma(-d, y, 1.0);
    return fma(y, fma(e, e, e), y);
}

#if GSVD_COMPLEX
WIDE_FN wide_t wide(double x, double y) { return make_double2(x, y); }
WIDE_FN double wide_re(wide_t a) { return a.x; }
WIDE_FN double wide_im(wide_t a) { return a.y; }
WIDE_FN wide_t wide_conj(wide_t a) { return make_double2(a.x, -a.y); }
/* acc - a b, acc + a b */
WIDE_FN wide_t wide_sub(wide_t a, wide_t b, wide_t acc)
{
    acc.x = fma(-a.x, b.x, fma(a.y, b.y, acc.x));
    acc.y = fma(-a.x, b.y, fma(-a.y, b.x, acc.y));
    return acc;
}
WIDE_FN wide_t wide_add(wide_t a, wide_t b, wide_t acc)
{
    acc.x = fma(a.x, b.x, fma(-a.y, b.y, acc.x));
    acc.y = fma(a.x, b.y, fma(a.y, b.x, acc.y));
    return acc;
}
WIDE_FN wide_t wide_scale(double r, wide_t a)
{
    return make_double2(r * a.x, r * a.y);
}
WIDE_FN wide_t wide_mul(wide_t a, wide_t b)
{
    return make_double2(a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x);
}
WIDE_FN double wide_abs2(wide_t a) { return a.x * a.x + a.y * a.y; }
WIDE_FN wide_t wide_inverse(wide_t a)
{
    const double r = quick_inverse(wide_abs2(a));
    return make_double2(a.x * r, -a.y * r);
}
WIDE_FN wide_t wide_shuffle(wide_t a, int lane)
{
    return make_double2(__shfl_sync(0xffffffff, a.x, lane),
                        __shfl_sync(0xffffffff, a.y, lane));
}
#else
WIDE_FN wide_t wide(double x, double y)
{
    (void)y;
    return x;
}
WIDE_FN double wide_re(wide_t a) { return a; }
WIDE_FN double wide_im(wide_t a)
{
    (void)a;
    return 0;
}
WIDE_FN wide_t wide_conj(wide_t a) { return a; }
WIDE_FN wide_t wide_sub(wide_t a, wide_t b, wide_t acc)
{
    return fma(-a, b, acc);
}
WIDE_FN wide_t wide_add(wide_t a, wide_t b, wide_t acc)
{
    return fma(a, b, acc);
}
WIDE_FN wide_t wide_scale(double r, wide_t a) { return r * a; }
WIDE_FN wide_t wide_mul(wide_t a, wide_t b) { return a * b; }
WIDE_FN double wide_abs2(wide_t a) { return a * a; }
WIDE_FN wide_t wide_inverse(wide_t a) { return quick_inverse(a); }
WIDE_FN wide_t wide_shuffle(wide_t a, int lane)
{
    return __shfl_sync(0xffffffff, a, lane);
}
#endif

WIDE_FN wide_t widen(scalar_t a) { return wide(re(a), im(a)); }
WIDE_FN scalar_t narrow(wide_t a)
{
    return make((real_t)wide_re(a), (real_t)wide_im(a));
}

/* c := c + a b for an 8 x 4 a and a 4 x 8 b on the tensor cores.  A lane holds a(lane/4, lane%4),
 * b(lane%4, lane/4), c(lane/4, 2 (lane%4) + {0, 1}). */
WIDE_FN void mma(double (&c)[2], double a, double b)
{
#if !defined __CUDACC__
    emulated_mma(c, a, b);
#else
    asm("mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 "
        "{%0, %1}, {%2}, {%3}, {%0, %1};"
        : "+d"(c[0]), "+d"(c[1])
        : "d"(a), "d"(b));
#endif
}

/* Two such products with the same b: c and d, and their factors a and a2, lie above each other.
 * From sm_90 on this is one instruction, as fast as one product above. */
WIDE_FN void mma_pair(double (&c)[2], double (&d)[2], double a, double a2,
                      double b)
{
#if __CUDA_ARCH__ >= 900
    asm("mma.sync.aligned.m16n8k4.row.col.f64.f64.f64.f64 "
        "{%0, %1, %2, %3}, {%4, %5}, {%6}, {%0, %1, %2, %3};"
        : "+d"(c[0]), "+d"(c[1]), "+d"(d[0]), "+d"(d[1])
        : "d"(a), "d"(a2), "d"(b));
#else
    mma(c, a, b);
    mma(d, a2, b);
#endif
}

/* The same of any letter's numbers, their parts apart */
WIDE_FN void wide_mma_pair(double (&c)[WIDE_PARTS][2],
                           double (&d)[WIDE_PARTS][2], wide_t a, wide_t a2,
                           wide_t b)
{
    mma_pair(c[0], d[0], wide_re(a), wide_re(a2), wide_re(b));
#if WIDE_PARTS == 2
    mma_pair(c[0], d[0], -wide_im(a), -wide_im(a2), wide_im(b));
    mma_pair(c[1], d[1], wide_re(a), wide_re(a2), wide_im(b));
    mma_pair(c[1], d[1], wide_im(a), wide_im(a2), wide_re(b));
#endif
}

/* c(lane/4, 2 (lane%4) + e) */
WIDE_FN wide_t wide_of(const double (&c)[WIDE_PARTS][2], int e)
{
    return wide(c[0][e], c[WIDE_PARTS - 1][e]);
}

#endif /* GSVD_CORE_WIDE_CUH */
