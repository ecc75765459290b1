/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* vector.c -- the inner loops of the CPU.
 *
 * They are compiled for several instruction sets, and the best is taken at load time,
 * so that a portable binary is a fast one.
 */
#include "core/vector.h"

#if defined __x86_64__ && defined __GNUC__ && !defined __clang__ &&            \
    !defined GSVD_NO_CLONES
#define CLONES __attribute__((target_clones("default", "avx2", "avx512f")))
#else
#define CLONES
#endif

/* Sums are formed of partial sums of so many reals.  The errors of a sum of equal numbers grow with
 * their number; without vectors those of any sum do. */
enum { SQUARES = 128, PRODUCTS = 1024 / (int)sizeof(real_t) };

/* u . v; it becomes a part of the function that asks, for each instruction set */
__attribute__((always_inline)) static inline real_t
sum_of_products(int64_t n, const real_t *u, const real_t *v)
{
    real_t all = 0;
    for (int64_t from = 0; from < n; from += PRODUCTS) {
        const int64_t to = min_i(from + PRODUCTS, n);
        real_t uv = 0;
#pragma omp simd reduction(+ : uv)
        for (int64_t i = from; i < to; ++i)
            uv += u[i] * v[i];
        all += uv;
    }
    return all;
}

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
void X(vector_turn)(int64_t n, scalar_t *x, scalar_t *y, real_t c, real_t s,
                    scalar_t w)
{
    real_t *u = (real_t *)x, *v = (real_t *)y;
    const real_t wr = re(w), wi = im(w), t = s / (1 + c);
#pragma omp simd
    for (int64_t i = 0; i < n; ++i) {
        const real_t d = v[2 * i], e = v[2 * i + 1];
        const real_t f = wr * d - wi * e, g = wr * e + wi * d;
        const real_t a = u[2 * i] + t * f, b = u[2 * i + 1] + t * g;
        const real_t h = f + s * a, k = g + s * b;
        v[2 * i] = h;
        v[2 * i + 1] = k;
        u[2 * i] = a + t * h;
        u[2 * i + 1] = b + t * k;
    }
}

CLONES
scalar_t X(vector_dot)(int64_t n, const scalar_t *x, const scalar_t *y)
{
    const real_t *u = (const real_t *)x, *v = (const real_t *)y;
    real_t all_re = 0, all_im = 0;
    for (int64_t from = 0; from < n; from += PRODUCTS / 2) {
        const int64_t to = min_i(from + PRODUCTS / 2, n);
        real_t uv_re = 0, uv_im = 0;
#pragma omp simd reduction(+ : uv_re, uv_im)
        for (int64_t i = from; i < to; ++i) {
            uv_re += u[2 * i] * v[2 * i] + u[2 * i + 1] * v[2 * i + 1];
            uv_im += u[2 * i] * v[2 * i + 1] - u[2 * i + 1] * v[2 * i];
        }
        all_re += uv_re;
        all_im += uv_im;
    }
    return make(all_re, all_im);
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

/* With v and i v as vectors of reals there is nothing to shuffle:
 * Re v^H c = v . c,  Im v^H c = (i v) . c,  (s + i t) v = s v + t (i v). */
CLONES
void X(vector_reflect)(int64_t n, scalar_t f, const scalar_t *v, scalar_t *work,
                       int64_t count, scalar_t *c, int64_t ld)
{
    const real_t *const u = (const real_t *)v, p = re(f), q = im(f);
    real_t *const w = (real_t *)work;
    int64_t j = 0;

    n *= 2;
    ld *= 2;
    for (int64_t i = 0; i < n; i += 2) {
        w[i] = -u[i + 1];
        w[i + 1] = u[i];
    }
    for (; j + 4 <= count; j += 4) {
        real_t *const c0 = (real_t *)c + j * ld, *const c1 = c0 + ld;
        real_t *const c2 = c1 + ld, *const c3 = c2 + ld;
        real_t all[8] = {0};
        for (int64_t from = 0; from < n; from += PRODUCTS) {
            const int64_t to = min_i(from + PRODUCTS, n);
            real_t x0 = 0, x1 = 0, x2 = 0, x3 = 0;
            real_t y0 = 0, y1 = 0, y2 = 0, y3 = 0;
#pragma omp simd reduction(+ : x0, x1, x2, x3, y0, y1, y2, y3)
            for (int64_t i = from; i < to; ++i) {
                x0 += u[i] * c0[i];
                y0 += w[i] * c0[i];
                x1 += u[i] * c1[i];
                y1 += w[i] * c1[i];
                x2 += u[i] * c2[i];
                y2 += w[i] * c2[i];
                x3 += u[i] * c3[i];
                y3 += w[i] * c3[i];
            }
            all[0] += x0, all[1] += x1, all[2] += x2, all[3] += x3;
            all[4] += y0, all[5] += y1, all[6] += y2, all[7] += y3;
        }
        const real_t x0 = all[0], x1 = all[1], x2 = all[2], x3 = all[3];
        const real_t y0 = all[4], y1 = all[5], y2 = all[6], y3 = all[7];
        const real_t s0 = p * x0 - q * y0, t0 = p * y0 + q * x0;
        const real_t s1 = p * x1 - q * y1, t1 = p * y1 + q * x1;
        const real_t s2 = p * x2 - q * y2, t2 = p * y2 + q * x2;
        const real_t s3 = p * x3 - q * y3, t3 = p * y3 + q * x3;
#pragma omp simd
        for (int64_t i = 0; i < n; ++i) {
            c0[i] -= u[i] * s0 + w[i] * t0;
            c1[i] -= u[i] * s1 + w[i] * t1;
            c2[i] -= u[i] * s2 + w[i] * t2;
            c3[i] -= u[i] * s3 + w[i] * t3;
        }
    }
    for (; j < count; ++j) {
        real_t *const c0 = (real_t *)c + j * ld;
        const real_t x = sum_of_products(n, u, c0),
                     y = sum_of_products(n, w, c0);
        const real_t s = p * x - q * y, t = p * y + q * x;
#pragma omp simd
        for (int64_t i = 0; i < n; ++i)
            c0[i] -= u[i] * s + w[i] * t;
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
void X(vector_turn)(int64_t n, scalar_t *x, scalar_t *y, real_t c, real_t s,
                    scalar_t w)
{
    const real_t t = s / (1 + c);
#pragma omp simd
    for (int64_t i = 0; i < n; ++i) {
        const real_t z = w * y[i], a = x[i] + t * z, b = z + s * a;
        y[i] = b;
        x[i] = a + t * b;
    }
}

CLONES
scalar_t X(vector_dot)(int64_t n, const scalar_t *x, const scalar_t *y)
{
    return sum_of_products(n, x, y);
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

/* Four columns at a time keep four sums in flight. */
CLONES
void X(vector_reflect)(int64_t n, scalar_t f, const scalar_t *v, scalar_t *work,
                       int64_t count, scalar_t *c, int64_t ld)
{
    int64_t j = 0;

    (void)work;
    for (; j + 4 <= count; j += 4) {
        scalar_t *const c0 = c + j * ld, *const c1 = c0 + ld;
        scalar_t *const c2 = c1 + ld, *const c3 = c2 + ld;
        real_t all[4] = {0};
        for (int64_t from = 0; from < n; from += PRODUCTS) {
            const int64_t to = min_i(from + PRODUCTS, n);
            real_t x0 = 0, x1 = 0, x2 = 0, x3 = 0;
#pragma omp simd reduction(+ : x0, x1, x2, x3)
            for (int64_t i = from; i < to; ++i) {
                x0 += v[i] * c0[i];
                x1 += v[i] * c1[i];
                x2 += v[i] * c2[i];
                x3 += v[i] * c3[i];
            }
            all[0] += x0, all[1] += x1, all[2] += x2, all[3] += x3;
        }
        const real_t x0 = f * all[0], x1 = f * all[1];
        const real_t x2 = f * all[2], x3 = f * all[3];
#pragma omp simd
        for (int64_t i = 0; i < n; ++i) {
            c0[i] -= v[i] * x0;
            c1[i] -= v[i] * x1;
            c2[i] -= v[i] * x2;
            c3[i] -= v[i] * x3;
        }
    }
    for (; j < count; ++j) {
        scalar_t *const c0 = c + j * ld;
        const real_t x = f * sum_of_products(n, v, c0);
#pragma omp simd
        for (int64_t i = 0; i < n; ++i)
            c0[i] -= v[i] * x;
    }
}

#endif

CLONES
real_t X(vector_square)(int64_t n, const scalar_t *x)
{
    const real_t *u = (const real_t *)x;
    const int64_t count = GSVD_COMPLEX ? 2 * n : n;
    real_t all = 0;
    for (int64_t from = 0; from < count; from += SQUARES) {
        const int64_t to = min_i(from + SQUARES, count);
        real_t uu = 0;
#pragma omp simd reduction(+ : uu)
        for (int64_t i = from; i < to; ++i)
            uu += u[i] * u[i];
        all += uu;
    }
    return all;
}

/* A branch in place of the selection would keep the loop from the vector unit. */
CLONES
int64_t X(vector_shorten)(int64_t n, const scalar_t *a, real_t *now,
                          const real_t *then)
{
    const real_t *const x = (const real_t *)a, least = sqrt_r(GSVD_EPS);
    int64_t lost = 0;
#pragma omp simd reduction(+ : lost)
    for (int64_t j = 0; j < n; ++j) {
        const real_t length = now[j] > 0 ? now[j] : 1;
        const real_t p = x[REALS_PER_SCALAR * j] / length;
        const real_t q =
            REALS_PER_SCALAR > 1
                ? x[REALS_PER_SCALAR * j + REALS_PER_SCALAR - 1] / length
                : 0;
        const real_t rest = 1 - p * p - q * q, left = rest > 0 ? rest : 0;
        const real_t ratio = length / then[j];
        const int anew = now[j] > 0 && left * ratio * ratio <= least;
        now[j] = now[j] > 0 ? anew ? -1 : length * sqrt_r(left) : now[j];
        lost += anew;
    }
    return lost;
}

CLONES
void X(vector_extremes)(int64_t n, const scalar_t *a, real_t *largest,
                        real_t *zero)
{
    const real_t *const x = (const real_t *)a;
    real_t most = 0, sum = 0;
#pragma omp simd reduction(max : most) reduction(+ : sum)
    for (int64_t i = 0; i < REALS_PER_SCALAR * n; ++i) {
        const real_t y = fabs_r(x[i]);
        most = y > most ? y : most;
        sum += 0 * y;
    }
    *largest = most;
    *zero = sum;
}

CLONES
real_t X(vector_sum)(int64_t n, const scalar_t *a)
{
    const real_t *const x = (const real_t *)a;
    real_t sum = 0;
#pragma omp simd reduction(+ : sum)
    for (int64_t i = 0; i < n; ++i) {
        const real_t *const z = x + REALS_PER_SCALAR * i;
        sum += REALS_PER_SCALAR > 1
                   ? sqrt_r(z[0] * z[0] +
                            z[REALS_PER_SCALAR - 1] * z[REALS_PER_SCALAR - 1])
                   : fabs_r(z[0]);
    }
    return sum;
}

CLONES
void X(vector_largest)(int64_t n, const scalar_t *a, real_t *size)
{
    const real_t *const x = (const real_t *)a;
#pragma omp simd
    for (int64_t i = 0; i < n; ++i) {
        const real_t p = fabs_r(x[REALS_PER_SCALAR * i]);
        const real_t q = fabs_r(x[REALS_PER_SCALAR * i + REALS_PER_SCALAR - 1]);
        const real_t y = p > q ? p : q;
        size[i] = y > size[i] ? y : size[i];
    }
}
