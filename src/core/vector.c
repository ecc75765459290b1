/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* vector.c -- the inner loops of the CPU.
 *
 * Compiled for several instruction sets, the best one taken at load time, so
 * that a portable binary is a fast one.
 */
#include "core/vector.h"

#if defined __x86_64__ && defined __GNUC__ && !defined __clang__ &&            \
    !defined GSVD_NO_CLONES
#define CLONES                                                                 \
    __attribute__((                                                            \
        target_clones("default", "arch=haswell", "arch=skylake-avx512")))
#else
#define CLONES
#endif

#if GSVD_COMPLEX

CLONES
void X(vector_gram)(int64_t n, const scalar_t *x, const scalar_t *y, real_t *xx,
                    real_t *yy, scalar_t *xy)
{
    const real_t *u = (const real_t *)x, *v = (const real_t *)y;
    real_t uu = 0, vv = 0, uv_re = 0, uv_im = 0;
#pragma omp simd reduction(+ : uu, vv, uv_re, uv_im)
    for (int64_t i = 0; i < n; ++i) {
        const real_t a = u[2 * i], b = u[2 * i + 1];
        const real_t c = v[2 * i], d = v[2 * i + 1];
        uu += a * a + b * b;
        vv += c * c + d * d;
        uv_re += a * c + b * d;
        uv_im += a * d - b * c;
    }
    *xx = uu;
    *yy = vv;
    *xy = make(uv_re, uv_im);
}

CLONES
void X(vector_rotate)(int64_t n, scalar_t *x, scalar_t *y, real_t c, real_t s,
                      scalar_t w, int swap)
{
    real_t *u = (real_t *)(swap ? y : x), *v = (real_t *)(swap ? x : y);
    const real_t *p = (const real_t *)x, *q = (const real_t *)y;
    const real_t wr = re(w), wi = im(w);
#pragma omp simd
    for (int64_t i = 0; i < n; ++i) {
        const real_t a = p[2 * i], b = p[2 * i + 1];
        const real_t d = q[2 * i], e = q[2 * i + 1];
        const real_t f = wr * d - wi * e, g = wr * e + wi * d;
        u[2 * i] = c * a - s * f;
        u[2 * i + 1] = c * b - s * g;
        v[2 * i] = s * a + c * f;
        v[2 * i + 1] = s * b + c * g;
    }
}

CLONES
scalar_t X(vector_dot)(int64_t n, const scalar_t *x, const scalar_t *y)
{
    const real_t *u = (const real_t *)x, *v = (const real_t *)y;
    real_t uv_re = 0, uv_im = 0;
#pragma omp simd reduction(+ : uv_re, uv_im)
    for (int64_t i = 0; i < n; ++i) {
        uv_re += u[2 * i] * v[2 * i] + u[2 * i + 1] * v[2 * i + 1];
        uv_im += u[2 * i] * v[2 * i + 1] - u[2 * i + 1] * v[2 * i];
    }
    return make(uv_re, uv_im);
}

CLONES
void X(vector_add)(int64_t n, scalar_t a, const scalar_t *x, scalar_t *y)
{
    const real_t *u = (const real_t *)x, ar = re(a), ai = im(a);
    real_t *v = (real_t *)y;
#pragma omp simd
    for (int64_t i = 0; i < n; ++i) {
        v[2 * i] += ar * u[2 * i] - ai * u[2 * i + 1];
        v[2 * i + 1] += ar * u[2 * i + 1] + ai * u[2 * i];
    }
}

CLONES
void X(vector_scale)(int64_t n, scalar_t a, scalar_t *x)
{
    const real_t ar = re(a), ai = im(a);
    real_t *u = (real_t *)x;
#pragma omp simd
    for (int64_t i = 0; i < n; ++i) {
        const real_t b = u[2 * i], c = u[2 * i + 1];
        u[2 * i] = ar * b - ai * c;
        u[2 * i + 1] = ar * c + ai * b;
    }
}

#else

CLONES
void X(vector_gram)(int64_t n, const scalar_t *x, const scalar_t *y, real_t *xx,
                    real_t *yy, scalar_t *xy)
{
    real_t uu = 0, vv = 0, uv = 0;
#pragma omp simd reduction(+ : uu, vv, uv)
    for (int64_t i = 0; i < n; ++i) {
        uu += x[i] * x[i];
        vv += y[i] * y[i];
        uv += x[i] * y[i];
    }
    *xx = uu;
    *yy = vv;
    *xy = uv;
}

CLONES
void X(vector_rotate)(int64_t n, scalar_t *x, scalar_t *y, real_t c, real_t s,
                      scalar_t w, int swap)
{
    scalar_t *u = swap ? y : x, *v = swap ? x : y;
#pragma omp simd
    for (int64_t i = 0; i < n; ++i) {
        const real_t a = x[i], b = w * y[i];
        u[i] = c * a - s * b;
        v[i] = s * a + c * b;
    }
}

CLONES
scalar_t X(vector_dot)(int64_t n, const scalar_t *x, const scalar_t *y)
{
    real_t xy = 0;
#pragma omp simd reduction(+ : xy)
    for (int64_t i = 0; i < n; ++i)
        xy += x[i] * y[i];
    return xy;
}

CLONES
void X(vector_add)(int64_t n, scalar_t a, const scalar_t *x, scalar_t *y)
{
#pragma omp simd
    for (int64_t i = 0; i < n; ++i)
        y[i] += a * x[i];
}

CLONES
void X(vector_scale)(int64_t n, scalar_t a, scalar_t *x)
{
#pragma omp simd
    for (int64_t i = 0; i < n; ++i)
        x[i] *= a;
}

#endif

CLONES
real_t X(vector_square)(int64_t n, const scalar_t *x)
{
    const real_t *u = (const real_t *)x;
    const int64_t count = GSVD_COMPLEX ? 2 * n : n;
    real_t uu = 0;
#pragma omp simd reduction(+ : uu)
    for (int64_t i = 0; i < count; ++i)
        uu += u[i] * u[i];
    return uu;
}
