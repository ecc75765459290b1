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

static quad_t square_of(const columns_t *G, int64_t j)
{
    const quad_t *const x = column(G, j);
    quad_t square = 0;
    for (int64_t i = 0; i < G->m * G->parts; ++i)
        square += x[i] * x[i];
    return square;
}

/* (x, y) := (c x + u y, s x + v y) */
static void turn(const columns_t *G, quad_t *x, quad_t *y, quad_t c, quad_t s,
                 const quad_t *u, const quad_t *v)
{
    for (int64_t i = 0; i < G->m * G->parts; i += G->parts) {
        const quad_t a = x[i], b = y[i];
        x[i] = c * a + u[0] * b;
        y[i] = s * a + v[0] * b;
        if (!GSVD_COMPLEX)
            continue;
        const quad_t e = x[i + 1], f = y[i + 1];
        x[i] -= u[1] * f;
        y[i] -= v[1] * f;
        x[i + 1] = c * e + u[0] * f + u[1] * b;
        y[i + 1] = s * e + v[0] * f + v[1] * b;
    }
}

/* Columns p and q become orthogonal, by (x, w y) (c, s; t s, c), t = -1 trigonometric, 1 hyperbolic.
 * 1 if they were not. */
static int meet(const columns_t *G, int64_t p, int64_t q, int t, quad_t *square)
{
    quad_t *const x = column(G, p), *const y = column(G, q);
    const quad_t xx = square[p], yy = square[q];
    quad_t wr, wi, tangent, c;
    dot(G, x, y, &wr, &wi);
    const quad_t h = root(wr * wr + wi * wi);
    if (!(h * h > (quad_t)1e-62L * xx * yy))
        return 0;
    if (t < 0) {
        const quad_t z = (yy - xx) / (2 * h);
        tangent = (z < 0 ? -1 : 1) / (magnitude(z) + root(1 + z * z));
        c = 1 / root(1 + tangent * tangent);
    } else {
        const quad_t z = 2 * h / (xx + yy);
        tangent = -z / (1 + root((1 - z) * (1 + z)));
        c = 1 / root((1 - tangent) * (1 + tangent));
    }
    const quad_t s = c * tangent;
    const quad_t w[2] = {wr / h, -wi / h};
    const quad_t u[2] = {t * s * w[0], t * s * w[1]},
                 v[2] = {c * w[0], c * w[1]};
    turn(G, x, y, c, s, u, v);
    /* |x|^2 and |y|^2, unless little is left of them */
    square[p] = xx + t * tangent * h;
    square[q] = yy + tangent * h;
    if (!(square[p] > xx / 2))
        square[p] = square_of(G, p);
    if (!(square[q] > yy / 2))
        square[q] = square_of(G, q);
    return 1;
}

/* The n columns of G := orthogonal ones, by transformations that keep the signs, 1 or -1.  0 if
 * sweeps did not end. */
static int make_orthogonal(const columns_t *G, int64_t n, const int64_t *sign)
{
    quad_t *const square = grab((size_t)n * sizeof *square);
    int turned = 1;
    for (int k = 0; k < SWEEPS && turned; ++k) {
        turned = 0;
        for (int64_t j = 0; j < n; ++j)
            square[j] = square_of(G, j);
        for (int64_t p = 0; p < n; ++p)
            for (int64_t q = p + 1; q < n; ++q)
                turned |= meet(G, p, q, sign[p] == sign[q] ? -1 : 1, square);
    }
    return !turned;
}

int quad_signed_values(mat_t A, const signature_t *s, wide_t *sigma)
{
    const int64_t n = A.cols, minus = n - s->plus;
    const columns_t G = columns_of(A);
    int64_t place[2] = {0, s->plus};
    int64_t *const sign = grab((size_t)n * sizeof *sign);
    for (int64_t j = 0; j < n; ++j)
        sign[j] = sign_of(s, j);
    const int ended = make_orthogonal(&G, n, sign);
    for (int64_t j = 0; j < n; ++j)
        sigma[place[sign[j] < 0]++] = (wide_t)root(square_of(&G, j));
    qsort(sigma, (size_t)s->plus, sizeof *sigma, wide_descending);
    qsort(sigma + s->plus, (size_t)minus, sizeof *sigma, wide_descending);
    return ended;
}

/* ---- eigenvalues --------------------------------------------------------------- */

/* A as a real symmetric matrix of order n or, of complex numbers, 2 n: (re, -im; im, re) */
static quad_t *as_symmetric(mat_t A)
{
    const int64_t n = A.cols, N = n * REALS_PER_SCALAR;
    quad_t *const S = grab((size_t)(N * N) * sizeof *S);
    EACH_ENTRY (A, i, j)
        for (int k = 0; k < REALS_PER_SCALAR; ++k) {
            S[k * n + i + (k * n + j) * N] = re(AT(A, i, j));
            if (GSVD_COMPLEX)
                S[(1 - k) * n + i + (k * n + j) * N] =
                    (k == 0 ? 1 : -1) * (quad_t)im(AT(A, i, j));
        }
    return S;
}

/* Column k of S := a multiple of e1 below the diagonal, by a reflector on both sides: e[k].  S is its
 * lower triangle. */
static void reduce_column(int64_t N, int64_t k, quad_t *S, quad_t *v, quad_t *p,
                          quad_t *e)
{
    quad_t square = 0, inner = 0;
    for (int64_t i = k + 1; i < N; ++i) {
        v[i] = S[i + k * N];
        square += v[i] * v[i];
    }
    e[k] = v[k + 1] > 0 ? -root(square) : root(square);
    const quad_t beta = square - v[k + 1] * e[k]; /* |v|^2 / 2              */
    v[k + 1] -= e[k];
    if (!(beta > 0))
        return;
    for (int64_t j = k + 1; j < N; ++j)
        p[j] = 0;
    for (int64_t j = k + 1; j < N; ++j) {
        p[j] += S[j + j * N] * v[j];
        for (int64_t i = j + 1; i < N; ++i) {
            p[j] += S[i + j * N] * v[i];
            p[i] += S[i + j * N] * v[j];
        }
    }
    for (int64_t j = k + 1; j < N; ++j) {
        p[j] /= beta;
        inner += p[j] * v[j];
    }
    for (int64_t j = k + 1; j < N; ++j)
        p[j] -= inner / (2 * beta) * v[j];
    for (int64_t j = k + 1; j < N; ++j)
        for (int64_t i = j; i < N; ++i)
            S[i + j * N] -= v[i] * p[j] + p[i] * v[j];
}

/* A step of implicit QL on rows l to m of the tridiagonal matrix of d and e */
static void ql_step(int64_t l, int64_t m, quad_t *d, quad_t *e)
{
    const quad_t z = (d[l + 1] - d[l]) / (2 * e[l]);
    quad_t g = d[m] - d[l] + e[l] / (z + (z < 0 ? -1 : 1) * root(1 + z * z));
    quad_t s = 1, c = 1, p = 0;
    for (int64_t i = m - 1; i >= l; --i) {
        const quad_t f = s * e[i], b = c * e[i], r = root(f * f + g * g);
        e[i + 1] = r;
        if (!(r > 0)) {
            d[i + 1] -= p;
            e[m] = 0;
            return;
        }
        s = f / r;
        c = g / r;
        g = d[i + 1] - p;
        const quad_t h = (d[i] - g) * s + 2 * c * b;
        p = s * h;
        d[i + 1] = g + p;
        g = c * h - b;
    }
    d[l] -= p;
    e[l] = g;
    e[m] = 0;
}

void quad_eigenvalues(mat_t A, wide_t *w)
{
    const int64_t n = A.cols, N = n * REALS_PER_SCALAR;
    quad_t *const S = as_symmetric(A);
    quad_t *const d = grab((size_t)(4 * N) * sizeof *d), *const e = d + N;
    wide_t *const all = grab((size_t)N * sizeof *all);
    quad_t size = 0;

    for (int64_t k = 0; k < N - 1; ++k)
        reduce_column(N, k, S, e + N, e + 2 * N, e);
    e[N - 1] = 0;
    for (int64_t i = 0; i < N; ++i) {
        d[i] = S[i + i * N];
        const quad_t row = magnitude(d[i]) + magnitude(e[i]);
        size = row > size ? row : size;
    }
    for (int64_t l = 0; l < N; ++l)
        for (int step = 0; step < SWEEPS; ++step) {
            int64_t m = l;
            while (size + magnitude(e[m]) > size)
                ++m;
            if (m == l)
                break;
            ql_step(l, m, d, e);
        }
    for (int64_t i = 0; i < N; ++i)
        all[i] = (wide_t)d[i];
    qsort(all, (size_t)N, sizeof *all, wide_descending);
    for (int64_t k = 0; k < n; ++k)
        w[k] = all[(n - 1 - k) * REALS_PER_SCALAR];
}

/* ---- eigenvalues, small ones too ---------------------------------------------------- */

typedef struct entry {
    quad_t re, im;
} entry_t;

static entry_t times(entry_t a, entry_t b)
{
    if (!GSVD_COMPLEX)
        return (entry_t){a.re * b.re, 0};
    return (entry_t){a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
}
static entry_t conjugate(entry_t a) { return (entry_t){a.re, -a.im}; }
static entry_t scaled(quad_t r, entry_t a)
{
    return (entry_t){r * a.re, GSVD_COMPLEX ? r * a.im : 0};
}
static quad_t square_of_entry(entry_t a)
{
    return a.re * a.re + (GSVD_COMPLEX ? a.im * a.im : 0);
}

/* The rows of the largest entry of H, and of its largest diagonal one, among those that are not
 * done */
static void find_pivot(int64_t n, const entry_t *H, const int *done, int64_t *r,
                       int64_t *c, int64_t *d)
{
    quad_t most = -1, diagonal = -1;
    for (int64_t j = 0; j < n; ++j)
        for (int64_t i = j; i < n && !done[j]; ++i) {
            const quad_t size = done[i] ? -1 : square_of_entry(H[i + n * j]);
            if (size > most) {
                most = size;
                *r = i;
                *c = j;
            }
            if (i == j && size > diagonal) {
                diagonal = size;
                *d = i;
            }
        }
}

/* Column `at` of G := g times root |value|, its sign; H := H - value g g^H */
static void take_out(int64_t n, entry_t *H, const entry_t *g, quad_t value,
                     columns_t *G, int64_t at, int64_t *sign)
{
    const quad_t length = root(magnitude(value));
    sign[at] = value < 0 ? -1 : 1;
    for (int64_t i = 0; i < n; ++i) {
        column(G, at)[i * G->parts] = length * g[i].re;
        if (GSVD_COMPLEX)
            column(G, at)[i * G->parts + 1] = length * g[i].im;
    }
    for (int64_t j = 0; j < n; ++j) {
        const entry_t f = scaled(value, conjugate(g[j]));
        for (int64_t i = j; i < n; ++i) {
            const entry_t x = times(g[i], f);
            H[i + n * j].re -= x.re;
            H[i + n * j].im -= i == j ? 0 : x.im;
            H[j + n * i] = conjugate(H[i + n * j]);
        }
    }
}

/* L D L^H by complete pivoting: a pivot of order 2 is turned, so that each step is of rank one. */
int quad_graded_eigenvalues(mat_t A, wide_t *w)
{
    const int64_t n = A.cols;
    entry_t *const H = grab((size_t)(n * n) * sizeof *H), *const g = grab(
                                                              (size_t)(2 * n) *
                                                              sizeof *g);
    int *const done = grab((size_t)n * sizeof *done);
    int64_t *const sign = grab((size_t)n * sizeof *sign), rank = 0;
    columns_t G = columns_of(A);

    EACH_ENTRY (A, i, j)
        H[i + n * j] = (entry_t){re(AT(A, i, j)), im(AT(A, i, j))};
    memset(done, 0, (size_t)n * sizeof *done);
    while (rank < n) {
        int64_t r = -1, c = -1, d = -1;
        find_pivot(n, H, done, &r, &c, &d);
        const quad_t size = root(square_of_entry(H[r + n * c]));
        if (size == 0)
            break;
        const quad_t a = H[c + n * c].re, b = H[r + n * r].re;
        if (magnitude(H[d + n * d].re) >= (quad_t)0.64 * size) {
            const quad_t value = H[d + n * d].re;
            for (int64_t i = 0; i < n; ++i)
                g[i] = scaled(done[i] ? 0 : 1 / value, H[i + n * d]);
            take_out(n, H, g, value, &G, rank++, sign);
            done[d] = 1;
            continue;
        }
        /* E = V diag(value) V^H; columns (H(:,c) H(:,r)) E^-1 V = (...) V diag(1 / value) */
        const quad_t z = (b - a) / (2 * size);
        const quad_t t = (z < 0 ? -1 : 1) / (magnitude(z) + root(1 + z * z));
        const quad_t cs = 1 / root(1 + t * t), sn = cs * t;
        const quad_t value[2] = {a - t * size, b + t * size};
        const entry_t phase = scaled(1 / size, H[r + n * c]);
        for (int64_t i = 0; i < n; ++i) {
            const entry_t u = H[i + n * c], v = times(H[i + n * r], phase);
            const quad_t on = done[i] ? 0 : 1;
            g[i] = (entry_t){on * (cs * u.re - sn * v.re) / value[0],
                             on * (cs * u.im - sn * v.im) / value[0]};
            g[n + i] = (entry_t){on * (sn * u.re + cs * v.re) / value[1],
                                 on * (sn * u.im + cs * v.im) / value[1]};
        }
        take_out(n, H, g, value[0], &G, rank++, sign);
        take_out(n, H, g + n, value[1], &G, rank++, sign);
        done[r] = done[c] = 1;
    }
    const int ended = make_orthogonal(&G, rank, sign);
    for (int64_t j = 0; j < n; ++j)
        w[j] = j < rank ? (wide_t)sign[j] * (wide_t)square_of(&G, j) : 0;
    qsort(w, (size_t)n, sizeof *w, wide_descending);
    return ended;
}
