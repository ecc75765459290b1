/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* wide.c -- one-sided Jacobi in extended precision, for references. */
#include "harness/wide.h"

#include <stdlib.h>

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

double column_growth(const real_t *d, int64_t first, int64_t rank, mat_t T,
                     mat_t Q, const wide_t *length)
{
    double worst = 0;
    for (int64_t j = 0; j < Q.rows; ++j) {
        wide_t square = 0;
        for (int64_t i = first; i < rank; ++i) {
            wide_t sum = 0;
            for (int64_t c = T.cols - rank + i; c < T.cols; ++c)
                sum += cabsl(widen(AT(T, i, c))) * cabsl(widen(AT(Q, j, c)));
            square += sum * d[i] * (sum * d[i]);
        }
        if (square > 0)
            worst = fmax(worst, (double)(sqrtl(square) / length[j]));
    }
    return worst;
}

/* ---- generalized values: F = A B^-1, then its singular values ------------------- */

typedef struct wide {
    int64_t rows, cols;
    wide_complex_t *a;
} wide_mat_t;

#define W(M, i, j) ((M).a[(i) + (j) * (M).rows])

static wide_mat_t wide(int64_t rows, int64_t cols)
{
    const size_t bytes = (size_t)(rows * cols) * sizeof(wide_complex_t);
    return (wide_mat_t){rows, cols, memset(grab(bytes), 0, bytes)};
}

/* of entries from row `from` on */
static wide_t length(wide_mat_t M, int64_t from, int64_t j)
{
    return wide_length(M.rows - from, &W(M, from, j));
}

static void swap(wide_complex_t *x, int64_t dx, wide_complex_t *y, int64_t dy,
                 int64_t n)
{
    for (int64_t i = 0; i < n; ++i) {
        const wide_complex_t t = x[i * dx];
        x[i * dx] = y[i * dy];
        y[i * dy] = t;
    }
}

/* Rows by size, the largest first */
static void sort_rows_of(wide_mat_t M)
{
    wide_t *const size = grab((size_t)M.rows * sizeof *size);
    for (int64_t i = 0; i < M.rows; ++i) {
        size[i] = 0;
        for (int64_t j = 0; j < M.cols; ++j)
            size[i] = fmaxl(size[i], cabsl(W(M, i, j)));
    }
    for (int64_t i = 0; i < M.rows; ++i) {
        int64_t most = i;
        for (int64_t k = i + 1; k < M.rows; ++k)
            most = size[k] > size[most] ? k : most;
        swap(&W(M, i, 0), M.rows, &W(M, most, 0), M.rows, M.cols);
        const wide_t t = size[i];
        size[i] = size[most];
        size[most] = t;
    }
}

/* M P := R of the pivoted QR of M's first n columns, by which the others are transformed; the
 * columns of A (or none) go with M's.  The largest entry of a column comes on top: rows and columns
 * may both differ in size (Powell and Reid 1969). */
static void triangle(wide_mat_t M, int64_t n, wide_mat_t A)
{
    sort_rows_of(M);
    for (int64_t k = 0; k < n && k < M.rows; ++k) {
        int64_t p = k;
        for (int64_t j = k + 1; j < n; ++j)
            p = length(M, k, j) > length(M, k, p) ? j : p;
        swap(&W(M, 0, k), 1, &W(M, 0, p), 1, M.rows);
        if (A.a)
            swap(&W(A, 0, k), 1, &W(A, 0, p), 1, A.rows);
        int64_t top = k;
        for (int64_t i = k + 1; i < M.rows; ++i)
            top = cabsl(W(M, i, k)) > cabsl(W(M, top, k)) ? i : top;
        swap(&W(M, k, 0), M.rows, &W(M, top, 0), M.rows, M.cols);
        const wide_t norm = length(M, k, k);
        const wide_complex_t a = W(M, k, k);
        if (norm == 0)
            return;
        const wide_complex_t r = a == 0 ? norm : a / cabsl(a) * norm;
        W(M, k, k) = a + r; /* v */
        const wide_t vv = length(M, k, k);
        for (int64_t j = k + 1; j < M.cols; ++j) {
            wide_complex_t dot = 0;
            for (int64_t i = k; i < M.rows; ++i)
                dot += conjl(W(M, i, k)) / vv * W(M, i, j);
            for (int64_t i = k; i < M.rows; ++i)
                W(M, i, j) -= 2 * dot * (W(M, i, k) / vv);
        }
        for (int64_t i = k; i < M.rows; ++i)
            W(M, i, k) = i == k ? -r : 0;
    }
}

static int falling(const void *a, const void *b)
{
    const wide_t x = *(const wide_t *)a, y = *(const wide_t *)b;
    return (x < y) - (x > y);
}

static wide_mat_t widened(mat_t A)
{
    const wide_mat_t M = wide(A.rows, A.cols);
    for (int64_t j = 0; j < A.cols; ++j)
        for (int64_t i = 0; i < A.rows; ++i)
            W(M, i, j) = widen(AT(A, i, j));
    return M;
}

/* The rows of A2 that reflectors leave which make A1 triangular */
static wide_mat_t behind(mat_t A1, mat_t A2)
{
    const int64_t m = A2.rows, k = A1.cols, n = A2.cols;
    const wide_mat_t M = wide(m, k + n), F = wide(max_i(m - k, 0), n);
    for (int64_t j = 0; j < k + n; ++j)
        for (int64_t i = 0; i < m; ++i)
            W(M, i, j) = widen(j < k ? AT(A1, i, j) : AT(A2, i, j - k));
    if (k > 0)
        triangle(M, k, (wide_mat_t){0, 0, NULL});
    for (int64_t j = 0; j < n; ++j)
        for (int64_t i = 0; i < F.rows; ++i)
            W(F, i, j) = W(M, k + i, k + j);
    return F;
}

/* F := F R^-1 */
static void divide(wide_mat_t F, wide_mat_t R)
{
    for (int64_t j = 0; j < F.cols; ++j) {
        for (int64_t k = 0; k < j; ++k)
            for (int64_t i = 0; i < F.rows; ++i)
                W(F, i, j) -= W(F, i, k) * W(R, k, j);
        for (int64_t i = 0; i < F.rows; ++i)
            W(F, i, j) /= W(R, j, j);
    }
}

void wide_singular_values(mat_t A, wide_t *sigma)
{
    const int64_t n = min_i(A.rows, A.cols), m = max_i(A.rows, A.cols);
    const wide_mat_t F = wide(m, n), G = wide(n, n);
    for (int64_t j = 0; j < n; ++j)
        for (int64_t i = 0; i < m; ++i)
            W(F, i, j) = A.rows >= A.cols ? widen(AT(A, i, j))
                                          : conjl(widen(AT(A, j, i)));
    triangle(F, n, (wide_mat_t){0, 0, NULL});
    for (int64_t j = 0; j < n; ++j)
        for (int64_t i = j; i < n; ++i)
            W(G, i, j) = conjl(W(F, j, i));
    wide_jacobi(n, n, G.a);
    for (int64_t j = 0; j < n; ++j)
        sigma[j] = length(G, 0, j);
    qsort(sigma, (size_t)n, sizeof *sigma, falling);
}

/* The columns of the pair are made as long as F's first.  Where that is 0 B's come first in its QR, and
 * those of the quotient are 0, too. */
void wide_values(mat_t A1, mat_t A2, mat_t B, wide_t *sigma)
{
    enum { FAR = 4000 }; /* bits                                             */
    const int64_t n = A2.cols;
    const wide_mat_t F = behind(A1, A2), R = widened(B);
    const int64_t r = min_i(F.rows, n);
    for (int64_t j = 0; j < n; ++j) {
        const wide_t f = length(F, 0, j);
        const wide_t d = f > 0 ? f : ldexpl(length(R, 0, j), -FAR);
        for (int64_t i = 0; i < F.rows; ++i)
            W(F, i, j) /= d;
        for (int64_t i = 0; i < R.rows; ++i)
            W(R, i, j) /= d;
    }
    triangle(R, n, F);
    divide(F, R);
    triangle(F, n, (wide_mat_t){0, 0, NULL});
    const wide_mat_t G = wide(n, r);
    for (int64_t j = 0; j < r; ++j)
        for (int64_t i = j; i < n; ++i)
            W(G, i, j) = conjl(W(F, j, i));
    wide_jacobi(G.rows, G.cols, G.a);
    for (int64_t j = 0; j < n; ++j)
        sigma[j] = j < r ? length(G, 0, j) : 0;
    qsort(sigma, (size_t)n, sizeof *sigma, falling);
}

double largest_defect(mat_t X_)
{
    const int64_t m = X_.rows, n = X_.cols;
    wide_complex_t *const x = grab((size_t)(m * n) * sizeof *x);
    double worst = 0;
    for (int64_t j = 0; j < n; ++j)
        for (int64_t i = 0; i < m; ++i)
            x[i + j * m] = widen(AT(X_, i, j));
    for (int64_t j = 0; j < n; ++j)
        for (int64_t k = 0; k <= j; ++k) {
            wide_complex_t sum = -(wide_t)(j == k);
            for (int64_t i = 0; i < m; ++i)
                sum += conjl(x[i + k * m]) * x[i + j * m];
            worst = fmax(worst, (double)(cabsl(sum) / GSVD_EPS));
        }
    return worst;
}

double may_drift(int64_t rows) { return 2 * sqrt((double)rows) + 20; }
