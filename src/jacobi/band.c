/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* band.c -- a Hermitian band matrix := a real tridiagonal one, and its reflectors applied; CPU twin of
 * band.cu. */
#include "jacobi/band.h"

#include "jacobi/jacobi.h"
#include "qr/reflect.h"

/* Entries of a column on and below the diagonal: a hop's block reaches so far */
enum { DEEP = 2 * BAND };

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
    return DEEP * (size_t)max_i(n, 1) * sizeof(scalar_t);
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
