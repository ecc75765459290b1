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
#define CLONES __attribute__((target_clones("default", "avx2", "avx512f")))
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

CLONES
void X(vector_project)(int64_t n, int64_t from, const scalar_t *q, scalar_t f,
                       int64_t count, scalar_t *a, int64_t ld, real_t *square)
{
    const real_t *u = (const real_t *)q;
    for (int64_t j = 0; j < count; ++j) {
        real_t *v = (real_t *)(a + j * ld), x = 0, y = 0, sum = 0;
#pragma omp simd reduction(+ : x, y)
        for (int64_t i = 0; i < n; ++i) {
            x += u[2 * i] * v[2 * i] + u[2 * i + 1] * v[2 * i + 1];
            y += u[2 * i] * v[2 * i + 1] - u[2 * i + 1] * v[2 * i];
        }
        const real_t s = re(f) * x - im(f) * y, t = re(f) * y + im(f) * x;
        for (int64_t i = 0; i < from; ++i) {
            v[2 * i] -= u[2 * i] * s - u[2 * i + 1] * t;
            v[2 * i + 1] -= u[2 * i] * t + u[2 * i + 1] * s;
        }
#pragma omp simd reduction(+ : sum)
        for (int64_t i = from; i < n; ++i) {
            const real_t b = v[2 * i] - (u[2 * i] * s - u[2 * i + 1] * t);
            const real_t c = v[2 * i + 1] - (u[2 * i] * t + u[2 * i + 1] * s);
            v[2 * i] = b;
            v[2 * i + 1] = c;
            sum += b * b + c * c;
        }
        square[j] = sum;
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

/* four columns at a time: as many sums in flight */
CLONES
void X(vector_project)(int64_t n, int64_t from, const scalar_t *q, scalar_t f,
                       int64_t count, scalar_t *a, int64_t ld, real_t *square)
{
    int64_t j = 0;
    for (; j + 4 <= count; j += 4) {
        scalar_t *t = a + j * ld, *u = t + ld, *v = u + ld, *w = v + ld;
        real_t x = 0, y = 0, z = 0, s = 0, xx = 0, yy = 0, zz = 0, ss = 0;
#pragma omp simd reduction(+ : x, y, z, s)
        for (int64_t i = 0; i < n; ++i) {
            x += q[i] * t[i];
            y += q[i] * u[i];
            z += q[i] * v[i];
            s += q[i] * w[i];
        }
        x *= f;
        y *= f;
        z *= f;
        s *= f;
        for (int64_t i = 0; i < from; ++i) {
            t[i] -= q[i] * x;
            u[i] -= q[i] * y;
            v[i] -= q[i] * z;
            w[i] -= q[i] * s;
        }
#pragma omp simd reduction(+ : xx, yy, zz, ss)
        for (int64_t i = from; i < n; ++i) {
            t[i] -= q[i] * x;
            u[i] -= q[i] * y;
            v[i] -= q[i] * z;
            w[i] -= q[i] * s;
            xx += t[i] * t[i];
            yy += u[i] * u[i];
            zz += v[i] * v[i];
            ss += w[i] * w[i];
        }
        square[j] = xx;
        square[j + 1] = yy;
        square[j + 2] = zz;
        square[j + 3] = ss;
    }
    for (; j < count; ++j) {
        scalar_t *t = a + j * ld;
        real_t x = 0, xx = 0;
#pragma omp simd reduction(+ : x)
        for (int64_t i = 0; i < n; ++i)
            x += q[i] * t[i];
        x *= f;
        for (int64_t i = 0; i < from; ++i)
            t[i] -= q[i] * x;
#pragma omp simd reduction(+ : xx)
        for (int64_t i = from; i < n; ++i) {
            t[i] -= q[i] * x;
            xx += t[i] * t[i];
        }
        square[j] = xx;
    }
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
