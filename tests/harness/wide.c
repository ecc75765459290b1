/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* wide.c -- one-sided Jacobi in extended precision, for references. */
#include "harness/wide.h"

#include <stdlib.h>

enum { SWEEPS = 60 };

int wide_descending(const void *a, const void *b)
{
    const wide_t x = *(const wide_t *)a, y = *(const wide_t *)b;
    return (x < y) - (x > y);
}

wide_complex_t *widened(mat_t A)
{
    wide_complex_t *const M = grab((size_t)(A.rows * A.cols) * sizeof *M);
    EACH_ENTRY (A, i, j)
        M[i + j * A.rows] = widen(AT(A, i, j));
    return M;
}

/* A^H */
static wide_complex_t *widened_adjoint(mat_t A)
{
    wide_complex_t *const M = grab((size_t)(A.rows * A.cols) * sizeof *M);
    EACH_ENTRY (A, i, j)
        M[j + i * A.cols] = conjl(widen(AT(A, i, j)));
    return M;
}

/* Real and imaginary parts lie next to one another.  Sums of every second entry, or of products, are added
 * up by themselves, for a sum waits for the one before. */
wide_complex_t wide_inner(int64_t m, const wide_complex_t *x_,
                          const wide_complex_t *y_)
{
    const wide_t *const x = (const wide_t *)x_, *const y = (const wide_t *)y_;
    wide_t a = 0, b = 0, c = 0, d = 0;
    int64_t i = 0;
    if (!GSVD_COMPLEX) {
        for (; i + 8 <= 2 * m; i += 8) {
            a += x[i] * y[i];
            b += x[i + 2] * y[i + 2];
            c += x[i + 4] * y[i + 4];
            d += x[i + 6] * y[i + 6];
        }
        for (; i < 2 * m; i += 2)
            a += x[i] * y[i];
        return a + b + (c + d);
    }
    for (; i < 2 * m; i += 2) {
        a += x[i] * y[i];
        b += x[i + 1] * y[i + 1];
        c += x[i] * y[i + 1];
        d += x[i + 1] * y[i];
    }
    return a + b + (c - d) * I;
}

wide_t wide_length(int64_t m, const wide_complex_t *x)
{
    return sqrtl(creall(wide_inner(m, x, x)));
}

/* ---- Jacobi ------------------------------------------------------------------------ */

/* Two columns and their lengths */
typedef struct meeting {
    wide_t *x, *y, *x_length, *y_length;
} meeting_t;

/* (x, y) := (c x + t s w y, s x + c w y), t is -1 trigonometric and 1 hyperbolic */
static void rotate(int64_t m, const meeting_t *p, int t, wide_t c, wide_t s,
                   wide_t re_w, wide_t im_w)
{
    wide_t *const x = p->x, *const y = p->y, xx = 0, yy = 0;
    const wide_t ts = t * s;
    for (int64_t i = 0; i < 2 * m; i += 2) {
        const wide_t a = x[i], e = x[i + 1], f = y[i];
        const wide_t b = re_w * y[i] - (GSVD_COMPLEX ? im_w * y[i + 1] : 0);
        x[i] = c * a + ts * b;
        y[i] = s * a + c * b;
        xx += x[i] * x[i];
        yy += y[i] * y[i];
        if (!GSVD_COMPLEX)
            continue;
        const wide_t d = re_w * y[i + 1] + im_w * f;
        x[i + 1] = c * e + ts * d;
        y[i + 1] = s * e + c * d;
        xx += x[i + 1] * x[i + 1];
        yy += y[i + 1] * y[i + 1];
    }
    *p->x_length = sqrtl(xx);
    *p->y_length = sqrtl(yy);
}

/* Makes x and y orthogonal; their cosine before */
static wide_t turn(int64_t m, const meeting_t *p, int t)
{
    const wide_complex_t xy = wide_inner(m, (const wide_complex_t *)p->x,
                                         (const wide_complex_t *)p->y);
    const wide_t h = cabsl(xy), xl = *p->x_length, yl = *p->y_length;
    const wide_t cosine = h / xl / yl;
    wide_t c, s;
    if (!(cosine > 1e-18L))
        return 0;
    if (t < 0) {
        const wide_t zeta = (yl - xl) * (yl + xl) / (2 * h);
        const wide_t tangent =
            copysignl(1, zeta) / (fabsl(zeta) + sqrtl(1 + zeta * zeta));
        c = 1 / sqrtl(1 + tangent * tangent);
        s = c * tangent;
    } else {
        const wide_t z = 2 * h / (xl * xl + yl * yl);
        const wide_t tangent = -z / (1 + sqrtl((1 - z) * (1 + z)));
        c = 1 / sqrtl((1 - tangent) * (1 + tangent));
        s = c * tangent;
    }
    rotate(m, p, t, c, s, creall(xy) / h, -cimagl(xy) / h);
    return cosine;
}

int wide_jacobi(int64_t m, int64_t n, wide_complex_t *G, const int64_t *sign)
{
    wide_t *const length_of = grab((size_t)n * sizeof *length_of), most = 1;
    for (int k = 0; k < SWEEPS && most > 1e-17L; ++k) {
        most = 0;
        for (int64_t j = 0; j < n; ++j)
            length_of[j] = wide_length(m, G + j * m);
        for (int64_t p = 0; p < n; ++p)
            for (int64_t q = p + 1; q < n; ++q) {
                const meeting_t pair = {(wide_t *)(G + p * m),
                                        (wide_t *)(G + q * m), &length_of[p],
                                        &length_of[q]};
                most = fmaxl(
                    most, turn(m, &pair, sign && sign[p] != sign[q] ? 1 : -1));
            }
    }
    return most <= 1e-17L;
}

wide_t *wide_values_by_jacobi(mat_t A)
{
    const int64_t m = max_i(A.rows, A.cols), n = min_i(A.rows, A.cols);
    wide_complex_t *const G = A.rows < A.cols ? widened_adjoint(A) : widened(A);
    wide_t *const sigma = grab((size_t)n * sizeof *sigma);
    wide_jacobi(m, n, G, NULL);
    for (int64_t j = 0; j < n; ++j)
        sigma[j] = wide_length(m, G + j * m);
    qsort(sigma, (size_t)n, sizeof *sigma, wide_descending);
    return sigma;
}

/* ---- residuals ------------------------------------------------------------------- */

wide_t length_of_column(mat_t A, int64_t j)
{
    wide_t sum = 0;
    for (int64_t i = 0; i < A.rows; ++i)
        sum += wide_square(widen(AT(A, i, j)));
    return sqrtl(sum);
}

/* E := X - W(:,0:r) Y, column j of Y at y + j * next */
static wide_complex_t *difference(mat_t X_, mat_t W_, int64_t r,
                                  const wide_complex_t *y, int64_t next)
{
    const mat_t some = mat_cols(W_, 0, r);
    const wide_complex_t *const rows = widened_adjoint(some);
    wide_complex_t *const E = widened(X_);
    EACH_ENTRY (X_, i, j)
        E[i + j * X_.rows] -= wide_inner(r, rows + i * r, y + j * next);
    return E;
}

/* Column j of diag(d) T Q^H, or of diag(d) X^H, from row `first` on, is y + j * (rank - first). */
static wide_complex_t *transformed(const real_t *d, int64_t first, int64_t rank,
                                   mat_t T, mat_t Q)
{
    const int64_t r = rank - first, n = Q.rows;
    const wide_complex_t *const t = T.data ? widened_adjoint(T) : NULL;
    const wide_complex_t *const q = widened_adjoint(Q);
    wide_complex_t *const y = grab((size_t)(r * n + 1) * sizeof *y);
    for (int64_t j = 0; j < n; ++j)
        for (int64_t i = 0; i < r; ++i) {
            const int64_t c =
                T.cols - r + i; /* The triangle's rows begin there. */
            const wide_complex_t sum =
                T.data ? wide_inner(T.cols - c, t + (first + i) * T.cols + c,
                                    q + j * Q.cols + c)
                       : q[j * Q.cols + first + i];
            y[i + j * r] = d ? sum * d[first + i] : sum;
        }
    return y;
}

double column_error(mat_t X_, mat_t W_, const real_t *d, int64_t first,
                    int64_t rank, mat_t T, mat_t Q, const wide_t *length)
{
    const wide_complex_t *const E =
        difference(X_, W_, min_i(W_.cols, rank - first),
                   transformed(d, first, rank, T, Q), rank - first);
    double worst = 0;
    for (int64_t j = 0; j < X_.cols; ++j) {
        const wide_t norm = length ? length[j] : length_of_column(X_, j);
        const wide_t error = wide_length(X_.rows, E + j * X_.rows);
        worst = error > 0 ? fmax(worst, (double)(error / norm)) : worst;
    }
    return worst;
}

double row_error(mat_t X_, mat_t W_, mat_t T, mat_t Q)
{
    const int64_t n = X_.cols, r = min_i(min_i(W_.cols, T.rows), n);
    const wide_complex_t *const t = widened_adjoint(T), *const q =
                                                            widened_adjoint(Q);
    wide_complex_t *const y = grab((size_t)(r * n) * sizeof *y);
    double worst = 0;
    for (int64_t k = 0; k < r; ++k) {
        int64_t c = 0; /* zeros at the head of T's row                        */
        while (c < n && t[c + k * n] == 0)
            ++c;
        for (int64_t j = 0; j < n; ++j)
            y[k + j * r] = wide_inner(n - c, t + c + k * n, q + c + j * n);
    }
    const wide_complex_t *const E = difference(X_, W_, r, y, r);
    for (int64_t i = 0; i < X_.rows; ++i) {
        wide_t error = 0, norm = 0;
        for (int64_t j = 0; j < n; ++j) {
            norm = fmaxl(norm, cabsl(widen(AT(X_, i, j))));
            error = fmaxl(error, cabsl(E[i + j * X_.rows]));
        }
        if (error > 0)
            worst = fmax(worst, (double)(error / norm));
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

/* y += f x */
static void add_multiple(int64_t m, wide_complex_t f, const wide_complex_t *x_,
                         wide_complex_t *y_)
{
    const wide_t *const x = (const wide_t *)x_, a = creall(f), b = cimagl(f);
    wide_t *const y = (wide_t *)y_;
    for (int64_t i = 0; i < 2 * m; i += 2) {
        y[i] += GSVD_COMPLEX ? a * x[i] - b * x[i + 1] : a * x[i];
        if (GSVD_COMPLEX)
            y[i + 1] += a * x[i + 1] + b * x[i];
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
        W(M, k, k) = a + r;
        const wide_t vv = length(M, k, k);
        for (int64_t i = k; i < M.rows; ++i) /* v                             */
            W(M, i, k) /= vv;
        for (int64_t j = k + 1; j < M.cols; ++j)
            add_multiple(M.rows - k,
                         -2 * wide_inner(M.rows - k, &W(M, k, k), &W(M, k, j)),
                         &W(M, k, k), &W(M, k, j));
        for (int64_t i = k; i < M.rows; ++i)
            W(M, i, k) = i == k ? -r : 0;
    }
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
            add_multiple(F.rows, -W(R, k, j), &W(F, 0, k), &W(F, 0, j));
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
    wide_jacobi(n, n, G.a, NULL);
    for (int64_t j = 0; j < n; ++j)
        sigma[j] = length(G, 0, j);
    qsort(sigma, (size_t)n, sizeof *sigma, wide_descending);
}

/* The columns of the pair are made as long as F's first.  Where that is 0 B's come first in its QR, and
 * those of the quotient are 0, too. */
void wide_values(mat_t A1, mat_t A2, mat_t B, wide_t *sigma)
{
    enum { FAR = 4000 }; /* bits                                             */
    const int64_t n = A2.cols;
    const wide_mat_t F = behind(A1, A2), R = {B.rows, B.cols, widened(B)};
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
    wide_jacobi(G.rows, G.cols, G.a, NULL);
    for (int64_t j = 0; j < n; ++j)
        sigma[j] = j < r ? length(G, 0, j) : 0;
    qsort(sigma, (size_t)n, sizeof *sigma, wide_descending);
}

double largest_defect(mat_t X_)
{
    const int64_t m = X_.rows, n = X_.cols;
    const wide_complex_t *const x = widened(X_);
    double worst = 0;
    for (int64_t j = 0; j < n; ++j)
        for (int64_t k = 0; k <= j; ++k) {
            const wide_complex_t sum =
                wide_inner(m, x + k * m, x + j * m) - (j == k);
            worst = fmax(worst, (double)(cabsl(sum) / GSVD_EPS));
        }
    return worst;
}

double may_drift(int64_t rows) { return 2 * sqrt((double)rows) + 20; }
