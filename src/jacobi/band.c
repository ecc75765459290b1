/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* band.c -- a Hermitian band matrix := a real tridiagonal one, an upper band matrix := a bidiagonal one, and
 * their reflectors applied; CPU twin of band.cu and of bidiagonal_band.cu. */
#include "jacobi/band.h"

#include "jacobi/jacobi.h"
#include "qr/reflect.h"

/* Entries of a column that a hop's blocks reach: on and below the diagonal of a Hermitian matrix, and of
 * the other one HIGH above it and BAND on and below it */
enum { DEEP = 2 * BAND, HIGH = 2 * BAND, TALL = HIGH + BAND };

/* The rows of a hop, and of the one before it, in a matrix of order n */
typedef struct hop {
    int rows, before;
    mat_t S; /* rows x rows, on the diagonal                                 */
    mat_t F; /* rows x before, left of it; hop 0: one column                 */
} hop_t;

/* S and F := their entries of the lower band W, or W := theirs */
static void move(mat_t W, int64_t row, const hop_t *h, int back)
{
    for (int c = 0; c < h->rows; ++c)
        for (int r = c; r < h->rows; ++r) {
            scalar_t *const a = &AT(W, r - c, row + c);
            if (back)
                *a = AT(h->S, r, c);
            else
                AT(h->S, r, c) = *a;
            AT(h->S, c, r) = conj_of(AT(h->S, r, c));
        }
    for (int c = 0; c < h->before; ++c)
        for (int r = 0; r < h->rows; ++r) {
            scalar_t *const a = &AT(W, h->before + r - c, row - h->before + c);
            if (back)
                *a = AT(h->F, r, c);
            else
                AT(h->F, r, c) = *a;
        }
}

/* F := F (I - tau v v^H) */
static void apply_right(mat_t F, scalar_t tau, const scalar_t *v)
{
    for (int64_t r = 0; r < F.rows; ++r) {
        scalar_t y = make(0, 0);
        for (int64_t c = 0; c < F.cols; ++c)
            y = mul_add(AT(F, r, c), v[c], y);
        y = mul(tau, y);
        for (int64_t c = 0; c < F.cols; ++c)
            AT(F, r, c) = sub(AT(F, r, c), mul(y, conj_of(v[c])));
    }
}

/* F := (I - tau v v^H) F */
static void apply_left(mat_t F, scalar_t tau, const scalar_t *v)
{
    for (int64_t c = 0; c < F.cols; ++c) {
        scalar_t y = make(0, 0);
        for (int64_t r = 0; r < F.rows; ++r)
            y = mul_add(conj_of(v[r]), AT(F, r, c), y);
        y = mul(tau, y);
        for (int64_t r = 0; r < F.rows; ++r)
            AT(F, r, c) = sub(AT(F, r, c), mul(v[r], y));
    }
}

/* S := H^H S H, H = I - tau v v^H */
static void apply_both(mat_t S, scalar_t tau, const scalar_t *v)
{
    scalar_t w[BAND];
    real_t square = 0;
    for (int64_t r = 0; r < S.rows; ++r) {
        w[r] = make(0, 0);
        for (int64_t c = 0; c < S.rows; ++c)
            w[r] = mul_add(AT(S, r, c), v[c], w[r]);
        square += re(w[r]) * re(v[r]) + im(w[r]) * im(v[r]);
    }
    const real_t half = -abs2(tau) * square / 2;
    for (int64_t r = 0; r < S.rows; ++r)
        w[r] = mul_add(tau, w[r], scale(half, v[r]));
    for (int64_t c = 0; c < S.rows; ++c)
        for (int64_t r = 0; r < S.rows; ++r)
            AT(S, r, c) = sub(AT(S, r, c), mul_add(v[r], conj_of(w[c]),
                                                   mul(w[r], conj_of(v[c]))));
}

size_t X(band_bytes_cpu)(int64_t n)
{
    return TALL * (size_t)max_i(n, 1) * sizeof(scalar_t);
}

gsvd_status_t X(band_fits_cpu)(const exec_t *ex, int64_t n, int *fits)
{
    (void)ex, (void)n;
    *fits = 1;
    return GSVD_SUCCESS;
}

gsvd_status_t X(band_to_tridiagonal_cpu)(const exec_t *ex, mat_t A, real_t *d,
                                         real_t *e, mat_t V, mat_t tau)
{
    const int64_t n = A.cols;
    scalar_t left[BAND * BAND], middle[BAND * BAND], v[BAND];
    void *work;

    GSVD_TRY(X(kernel_work)(ex, X(band_bytes_cpu)(n), &work));
    const mat_t W = mat_view(work, DEEP, n, DEEP);
    GSVD_TRY(X(set_cpu)(ex, W, 0, 0));
    for (int64_t c = 0; c < n; ++c)
        for (int64_t r = c; r < min_i(n, c + BAND + 1); ++r)
            AT(W, r - c, c) = AT(A, r, c);
    for (int64_t i = 0; i < n - 1; ++i)
        for (int64_t j = 0, row; (row = band_row(i, j)) < n; ++j) {
            const int rows = (int)min_i(BAND, n - row);
            const int before = j == 0 ? 1 : BAND;
            const hop_t h = {rows, before, mat_view(middle, rows, rows, BAND),
                             mat_view(left, rows, before, BAND)};
            move(W, row, &h, 0);
            if (j > 0)
                apply_right(h.F, AT(tau, j - 1, i), v);
            for (int r = 0; r < rows; ++r)
                v[r] = AT(h.F, r, 0);
            const scalar_t t = reflector_of(rows, v);
            const scalar_t beta = v[0];
            AT(tau, j, i) = t;
            v[0] = make(1, 0);
            apply_left(mat_cols(h.F, 1, before - 1), conj_of(t), v);
            for (int r = 0; r < rows; ++r) {
                AT(h.F, r, 0) = r == 0 ? beta : make(0, 0);
                AT(V, i, row + r) = v[r];
            }
            apply_both(h.S, t, v);
            move(W, row, &h, 1);
        }
    for (int64_t c = 0; c < n; ++c) {
        d[c] = re(AT(W, 0, c));
        if (c < n - 1)
            e[c] = re(AT(W, 1, c));
    }
    return GSVD_SUCCESS;
}

/* Where reflectors are stored */
typedef struct store {
    mat_t V, tau;
} store_t;

/* v's first entry, beta, becomes the 1 of its reflector H(i,j), which is stored; returns beta. */
static real_t store(int rows, scalar_t tau, scalar_t *v, const store_t *to,
                    int64_t i, int64_t j)
{
    const real_t beta = re(v[0]);
    v[0] = make(1, 0);
    if (!to->V.data)
        return beta;
    AT(to->tau, j, i) = tau;
    for (int r = 0; r < rows; ++r)
        AT(to->V, i, band_row(i, j) + r) = v[r];
    return beta;
}

/* F's first row := (beta 0 ... 0) by a reflector from the right, which F's other rows and S get, too */
static real_t cut_row(mat_t F, mat_t S, const store_t *to, int64_t i, int64_t j)
{
    const mat_t others = mat_rows(F, 1, F.rows - 1);
    const int rows = (int)others.cols;
    scalar_t v[BAND];
    for (int c = 0; c < rows; ++c)
        v[c] = conj_of(AT(F, 0, c));
    const scalar_t tau = reflector_of(rows, v);
    const real_t beta = store(rows, tau, v, to, i, j);
    for (int c = 0; c < rows; ++c)
        AT(F, 0, c) = make(c == 0 ? beta : 0, 0);
    apply_right(others, tau, v);
    apply_right(S, tau, v);
    return beta;
}

/* S's first column := (beta 0 ... 0)^T by the reflector u from the left, which S's other columns get, too */
static real_t cut_column(mat_t S, const store_t *to, int64_t i, int64_t j,
                         scalar_t *tau, scalar_t *u)
{
    const int rows = (int)S.rows;
    for (int r = 0; r < rows; ++r)
        u[r] = AT(S, r, 0);
    *tau = reflector_of(rows, u);
    const real_t beta = store(rows, *tau, u, to, i, j);
    for (int r = 0; r < rows; ++r)
        AT(S, r, 0) = make(r == 0 ? beta : 0, 0);
    apply_left(mat_cols(S, 1, rows - 1), conj_of(*tau), u);
    return beta;
}

/* W's entry (i, j) of the matrix is at (i - j + HIGH, j), so that its blocks are views. */
gsvd_status_t X(band_to_bidiagonal_cpu)(const exec_t *ex, mat_t A, real_t *x,
                                        mat_t U, mat_t tau_u, mat_t V,
                                        mat_t tau_v)
{
    const int64_t n = A.cols;
    const store_t left = {U, tau_u}, right = {V, tau_v};
    scalar_t u[BAND], tau = make(0, 0);
    void *work;

    GSVD_TRY(X(kernel_work)(ex, X(band_bytes_cpu)(n), &work));
    const mat_t W = mat_view(work, TALL, n, TALL);
    const mat_t B = mat_view(W.data + HIGH, n, n, TALL - 1);
    GSVD_TRY(X(set_cpu)(ex, W, 0, 0));
    for (int64_t c = 0; c < n; ++c)
        for (int64_t r = max_i(c - BAND, 0); r <= c; ++r)
            AT(B, r, c) = AT(A, r, c);
    if (n > 0)
        x[0] = re(AT(A, 0, 0));
    for (int64_t i = 0; i < n - 1; ++i)
        for (int64_t j = 0, row; (row = band_row(i, j)) < n; ++j) {
            const int64_t rows = min_i(BAND, n - row);
            const int64_t before = j == 0 ? 1 : BAND;
            const mat_t F = mat_sub(B, row - before, row, before, rows);
            const mat_t S = mat_sub(B, row, row, rows, rows);
            if (j > 0)
                apply_left(F, conj_of(tau), u);
            const real_t e = cut_row(F, S, &right, i, j);
            const real_t d = cut_column(S, &left, i, j, &tau, u);
            if (j == 0) {
                x[2 * i + 1] = e;
                x[2 * i + 2] = d;
            }
        }
    return GSVD_SUCCESS;
}

gsvd_status_t X(band_vectors_cpu)(const exec_t *ex, mat_t V, mat_t tau, mat_t Z)
{
    scalar_t v[BAND];
    (void)ex;
    if (!Z.data)
        return GSVD_SUCCESS;
    for (int64_t i = V.cols - 2; i >= 0; --i)
        for (int64_t j = 0, row; (row = band_row(i, j)) < V.rows; ++j) {
            const int64_t rows = min_i(BAND, V.rows - row);
            for (int64_t r = 0; r < rows; ++r)
                v[r] = AT(V, i, row + r);
            apply_left(mat_rows(Z, row, rows), AT(tau, j, i), v);
        }
    return GSVD_SUCCESS;
}
