/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* wide.c -- one-sided Jacobi in extended precision, for references. */
#include "harness/wide.h"

enum { SWEEPS = 60 };

wide_complex_t widen(scalar_t a) { return (wide_t)re(a) + (wide_t)im(a) * I; }

wide_t wide_length(int64_t m, const wide_complex_t *x)
{
    wide_t sum = 0;
    for (int64_t i = 0; i < m; ++i)
        sum += wide_square(x[i]);
    return sqrtl(sum);
}

/* |x|^2, |y|^2 and x^H y.  Products of C's complex numbers look for infinities, which takes most
 * of the time: real and imaginary parts lie next to one another. */
static void products(int64_t m, const wide_t *x, const wide_t *y, wide_t *xx,
                     wide_t *yy, wide_t *re_xy, wide_t *im_xy)
{
    wide_t a = 0, b = 0, c = 0, d = 0;
    for (int64_t i = 0; i < 2 * m; i += 2) {
        a += x[i] * x[i];
        b += y[i] * y[i];
        c += x[i] * y[i];
        if (!GSVD_COMPLEX)
            continue;
        a += x[i + 1] * x[i + 1];
        b += y[i + 1] * y[i + 1];
        c += x[i + 1] * y[i + 1];
        d += x[i] * y[i + 1] - x[i + 1] * y[i];
    }
    *xx = a;
    *yy = b;
    *re_xy = c;
    *im_xy = d;
}

/* (x, y) := c (x - t w y, t x + w y), w = re_w + i im_w */
static void rotate(int64_t m, wide_t *x, wide_t *y, wide_t c, wide_t t,
                   wide_t re_w, wide_t im_w)
{
    for (int64_t i = 0; i < 2 * m; i += 2) {
        const wide_t b = re_w * y[i] - im_w * y[i + 1], a = x[i];
        const wide_t d = re_w * y[i + 1] + im_w * y[i], e = x[i + 1];
        x[i] = c * (a - t * b);
        y[i] = c * (t * a + b);
        if (!GSVD_COMPLEX)
            continue;
        x[i + 1] = c * (e - t * d);
        y[i + 1] = c * (t * e + d);
    }
}

/* Makes x and y orthogonal; their cosine before */
static wide_t turn(int64_t m, wide_complex_t *x, wide_complex_t *y)
{
    wide_t xx, yy, re_xy, im_xy;
    products(m, (wide_t *)x, (wide_t *)y, &xx, &yy, &re_xy, &im_xy);
    const wide_t h = hypotl(re_xy, im_xy), cosine = h / sqrtl(xx) / sqrtl(yy);
    if (!(cosine > 1e-18L))
        return 0;
    const wide_t zeta = (yy - xx) / (2 * h);
    const wide_t t =
        copysignl(1, zeta) / (fabsl(zeta) + sqrtl(1 + zeta * zeta));
    const wide_t c = 1 / sqrtl(1 + t * t);
    rotate(m, (wide_t *)x, (wide_t *)y, c, t, re_xy / h, -im_xy / h);
    return cosine;
}

void wide_jacobi(int64_t m, int64_t n, wide_complex_t *G)
{
    wide_t most = 1;
    for (int k = 0; k < SWEEPS && most > 1e-17L; ++k) {
        most = 0;
        for (int64_t p = 0; p < n; ++p)
            for (int64_t q = p + 1; q < n; ++q)
                most = fmaxl(most, turn(m, G + p * m, G + q * m));
    }
}

wide_t length_of_column(mat_t A, int64_t j)
{
    wide_t sum = 0;
    for (int64_t i = 0; i < A.rows; ++i)
        sum += wide_square(widen(AT(A, i, j)));
    return sqrtl(sum);
}

/* y[i] := d[first + i] (T Q^H)(first + i, j), or of X^H */
static void transformed_column(int64_t j, const real_t *d, int64_t first,
                               int64_t rank, mat_t T, mat_t Q,
                               wide_complex_t *y)
{
    for (int64_t i = first; i < rank; ++i) {
        wide_complex_t sum = T.data ? 0 : conjl(widen(AT(Q, j, i)));
        for (int64_t c = T.cols - rank + i; T.data && c < T.cols; ++c)
            sum += widen(AT(T, i, c)) * conjl(widen(AT(Q, j, c)));
        y[i - first] = sum * d[i];
    }
}

double column_error(mat_t X_, mat_t W_, const real_t *d, int64_t first,
                    int64_t rank, mat_t T, mat_t Q, const wide_t *length)
{
    wide_complex_t *const y = grab((size_t)(rank + 1) * sizeof *y);
    const int64_t r = min_i(W_.cols, rank - first);
    double worst = 0;
    for (int64_t j = 0; j < X_.cols; ++j) {
        const wide_t norm = length ? length[j] : length_of_column(X_, j);
        wide_t error = 0;
        transformed_column(j, d, first, rank, T, Q, y);
        for (int64_t i = 0; i < X_.rows; ++i) {
            wide_complex_t x = widen(AT(X_, i, j));
            for (int64_t k = 0; k < r; ++k)
                x -= widen(AT(W_, i, k)) * y[k];
            error += wide_square(x);
        }
        worst = error > 0 ? fmax(worst, (double)(sqrtl(error) / norm)) : worst;
    }
    return worst;
}
