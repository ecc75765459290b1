/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* quad.c -- see quad.h.  The four operations are the compiler's (libgcc); roots are those of long
 * double and a step of Newton's, so that no libquadmath is needed. */
#include "harness/quad.h"

#include <stdlib.h>

#ifdef __SIZEOF_FLOAT128__
__extension__ typedef __float128 quad_t;
#else
typedef long double quad_t; /* quadruple where there is no other             */
#endif

enum { SWEEPS = 60 };

static quad_t magnitude(quad_t x) { return x < 0 ? -x : x; }

static quad_t root(quad_t x)
{
    const quad_t y = (quad_t)sqrtl((wide_t)x);
    return y > 0 ? (y + x / y) / 2 : 0;
}

/* columns of m entries, real and imaginary parts next to each other */
typedef struct columns {
    int64_t m, parts;
    quad_t *a;
} columns_t;

static quad_t *column(const columns_t *G, int64_t j)
{
    return G->a + j * G->m * G->parts;
}

static columns_t columns_of(mat_t A)
{
    columns_t G = {A.rows, GSVD_COMPLEX ? 2 : 1, NULL};
    G.a = grab((size_t)(A.rows * A.cols * G.parts) * sizeof *G.a);
    EACH_ENTRY (A, i, j) {
        column(&G, j)[i * G.parts] = re(AT(A, i, j));
        if (GSVD_COMPLEX)
            column(&G, j)[i * G.parts + 1] = im(AT(A, i, j));
    }
    return G;
}

/* x^H y */
static void dot(const columns_t *G, const quad_t *x, const quad_t *y,
                quad_t *real, quad_t *imaginary)
{
    quad_t a = 0, b = 0;
    for (int64_t i = 0; i < G->m * G->parts; i += G->parts) {
        a += x[i] * y[i];
        if (!GSVD_COMPLEX)
            continue;
        a += x[i + 1] * y[i + 1];
        b += x[i] * y[i + 1] - x[i + 1] * y[i];
    }
    *real = a;
    *imaginary = b;
}

/* (x, y) := (x, w y) (c, s; t s, c), t = -1 trigonometric, 1 hyperbolic */
static void turn(const columns_t *G, quad_t *x, quad_t *y, int t, quad_t c,
                 quad_t s, quad_t wr, quad_t wi)
{
    for (int64_t i = 0; i < G->m * G->parts; i += G->parts) {
        const quad_t a = x[i];
        if (!GSVD_COMPLEX) {
            const quad_t b = wr * y[i];
            x[i] = c * a + t * s * b;
            y[i] = s * a + c * b;
            continue;
        }
        const quad_t e = x[i + 1];
        const quad_t b = wr * y[i] - wi * y[i + 1];
        const quad_t f = wr * y[i + 1] + wi * y[i];
        x[i] = c * a + t * s * b;
        x[i + 1] = c * e + t * s * f;
        y[i] = s * a + c * b;
        y[i + 1] = s * e + c * f;
    }
}

/* 1 if they were not orthogonal */
static int meet(const columns_t *G, quad_t *x, quad_t *y, int t)
{
    quad_t xx, yy, wr, wi, c, s;
    dot(G, x, x, &xx, &wi);
    dot(G, y, y, &yy, &wi);
    dot(G, x, y, &wr, &wi);
    const quad_t h = root(wr * wr + wi * wi);
    if (!(h * h > (quad_t)1e-62L * xx * yy))
        return 0;
    if (t < 0) {
        const quad_t z = (yy - xx) / (2 * h);
        const quad_t tangent =
            (z < 0 ? -1 : 1) / (magnitude(z) + root(1 + z * z));
        c = 1 / root(1 + tangent * tangent);
        s = c * tangent;
    } else {
        const quad_t z = 2 * h / (xx + yy);
        const quad_t tangent = -z / (1 + root((1 - z) * (1 + z)));
        c = 1 / root((1 - tangent) * (1 + tangent));
        s = c * tangent;
    }
    turn(G, x, y, t, c, s, wr / h, -wi / h);
    return 1;
}

int quad_signed_values(mat_t A, const signature_t *s, wide_t *sigma)
{
    const int64_t n = A.cols, minus = n - s->plus;
    const columns_t G = columns_of(A);
    int64_t place[2] = {0, s->plus};
    int turned = 1;
    for (int k = 0; k < SWEEPS && turned; ++k) {
        turned = 0;
        for (int64_t p = 0; p < n; ++p)
            for (int64_t q = p + 1; q < n; ++q)
                turned |= meet(&G, column(&G, p), column(&G, q),
                               sign_of(s, p) == sign_of(s, q) ? -1 : 1);
    }
    for (int64_t j = 0; j < n; ++j) {
        quad_t square, none;
        dot(&G, column(&G, j), column(&G, j), &square, &none);
        sigma[place[sign_of(s, j) < 0]++] = (wide_t)root(square);
    }
    qsort(sigma, (size_t)s->plus, sizeof *sigma, wide_descending);
    qsort(sigma + s->plus, (size_t)minus, sizeof *sigma, wide_descending);
    return !turned;
}
