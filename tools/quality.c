/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* quality.c -- how exact is a decomposition?  That of a pair.  Compiled for d and z. */
#include "quality.h"

#include "measure.h"

/* Row i of T is value(first + i) times row first + i of (0 R), of which the
 * columns that Q has, or of X^H. */
static void fill_middle(const decomposition_t *d, const matrix_t *value,
                        int64_t first, int64_t count, matrix_t *T)
{
    const bool x_form = d->task->form == GSVD_FORM_X;
    const int64_t r = d->k + d->l;

    for (int64_t i = first; i < first + count; ++i) {
        const real_t v = value->at[i];
        if (x_form)
            for (int64_t j = 0; j < d->n; ++j)
                *at(T, i - first, j) = scale(v, conj_of(*at(&d->Q, j, i)));
        else
            for (int64_t j = i; j < r; ++j)
                *at(T, i - first, T->cols - r + j) = scale(v, *at(&d->R, i, j));
    }
}

/* With S = G and T = D (0 R), of which count rows are not zero:
 *     relative = ||S - W T Q^H||_F / ||S||_F,
 *     ratio    = ||W^H S Q - T||_1 / (max(rows, n) ||S||_1 ulp);
 * in X form T = D X^H and there is no Q.  S and T are first scaled by one power
 * of two so that no square overflows. */
static bool residual(const decomposition_t *d, const matrix_t *G,
                     const matrix_t *W, const matrix_t *value, int64_t first,
                     int64_t count, double *relative, double *ratio)
{
    const bool x_form = d->task->form == GSVD_FORM_X;
    const int64_t rows = G->rows, n = G->cols, w = W->cols;
    const int64_t q = x_form ? n : d->Q.cols;
    const int width = W->width;
    matrix_t S = {0}, T = {0}, E = {0}, F = {0};
    const bool room = matrix_copy(&S, G, width) &&
                      matrix_create(&T, w, q, width) &&
                      matrix_create(&E, w, n, width) &&
                      (x_form || matrix_create(&F, rows, q, width));

    if (room) {
        const real_t max = largest(&S);
        const int e = max > 0 ? -exponent_r(max) : 0;

        fill_middle(d, value, first, count, &T);
        shift_exponent(&S, e);
        shift_exponent(&T, e);
        const real_t size_f = norm_f(&S);
        const real_t size_1 = fmax_r(norm_1(&S), GSVD_SAFMIN);

        multiply(1, 'C', W, 'N', &S, rows, 0, &E); /* E = W^H S              */
        if (x_form) {
            multiply(-1, 'N', W, 'N', &T, count, 1, &S); /* S = S - W T      */
            subtract(&E, &T);                            /* T = W^H S - T    */
        } else {
            multiply(1, 'N', W, 'N', &T, count, 0, &F);  /* F = W T          */
            multiply(-1, 'N', &F, 'C', &d->Q, q, 1, &S); /* S = S - W T Q^H  */
            multiply(1, 'N', &E, 'N', &d->Q, n, -1, &T); /* T = W^H S Q - T  */
        }
        *relative = norm_f(&S) / (size_f > 0 ? size_f : 1);
        *ratio = norm_1(&T) / fmax_r(1, fmax_r((real_t)rows, (real_t)n)) /
                 size_1 / ulp(d);
    }
    matrix_free(&S);
    matrix_free(&T);
    matrix_free(&E);
    matrix_free(&F);
    told(d);
    return room;
}

/* Of column j, without over- or underflow */
static real_t length(const matrix_t *A, int64_t j)
{
    real_t size = 0;

    for (int64_t i = 0; i < A->rows; ++i)
        size = hypot(size, abs_of(*at(A, i, j)));
    return size;
}

/* Of some pairs in X form, T = D X^H, of pairs that W's columns from `from` on belong to:
 *     relative = ||W^H G - T||_F / ||G||_F,
 *     ratio    = ||W^H G - T||_1 / (max(rows, n) ||G||_1 ulp). */
static bool residual_some(const decomposition_t *d, const matrix_t *G,
                          const matrix_t *W, const matrix_t *value,
                          int64_t from, double *relative, double *ratio)
{
    const int64_t rows = G->rows, n = G->cols;
    matrix_t S = {0}, T = {0};
    const bool room =
        matrix_copy(&S, G, W->width) && matrix_create(&T, W->cols, n, W->width);

    if (room) {
        const real_t max = largest(&S);
        const int e = max > 0 ? -exponent_r(max) : 0;
        for (int64_t i = 0; i < W->cols; ++i)
            for (int64_t j = 0; j < n; ++j)
                *at(&T, i, j) = scale(value->at[d->first + from + i],
                                      conj_of(*at(&d->Q, j, from + i)));
        shift_exponent(&S, e);
        shift_exponent(&T, e);
        const real_t size_f = norm_f(&S);
        const real_t size_1 = fmax_r(norm_1(&S), GSVD_SAFMIN);
        multiply(1, 'C', W, 'N', &S, rows, -1, &T); /* T = W^H S - T         */
        *relative = norm_f(&T) / (size_f > 0 ? size_f : 1);
        *ratio = norm_1(&T) / fmax_r(1, fmax_r((real_t)rows, (real_t)n)) /
                 size_1 / ulp(d);
    }
    matrix_free(&S);
    matrix_free(&T);
    told(d);
    return room;
}

/* Of a Y with G Y = W D, in xinv form, where W's first column is that of pair `from`:
 *     relative = max_j |G y_j - d_j w_j| / sum_i g_i |y_ij|,
 *     ratio    = relative / (max(rows, n) ulp),
 * with g_i the longer one of the columns i of G and of its fellow H, once the longest columns of
 * both are made alike. */
static bool residual_y(const decomposition_t *d, const matrix_t *G,
                       const matrix_t *H, const matrix_t *W,
                       const matrix_t *value, int64_t first, int64_t count,
                       int64_t from, double *relative, double *ratio)
{
    const matrix_t *const Y = &d->Q;
    const int64_t n = G->cols, most = G->rows > n ? G->rows : n;
    matrix_t S = {0}, E = {0}, g = {0};
    const bool room = matrix_copy(&S, G, W->width) &&
                      matrix_create(&E, G->rows, Y->cols, W->width) &&
                      matrix_create(&g, n, 1, 1);

    *relative = 0;
    if (room) {
        real_t of_g = 0, of_h = 0;
        const int64_t doubles = H->rows * H->width;
        for (int64_t i = 0; i < n; ++i) {
            of_g = larger(of_g, length(&S, i));
            real_t size = 0;
            for (int64_t k = 0; k < doubles; ++k)
                size = hypot(size, H->at[i * doubles + k]);
            g.at[i] = size;
            of_h = larger(of_h, size);
        }
        for (int64_t i = 0; i < n; ++i)
            g.at[i] =
                larger(length(&S, i), of_h > 0 ? g.at[i] / of_h * of_g : 0);
        multiply(1, 'N', &S, 'N', Y, n, 0, &E);
        for (int64_t j = 0; j < Y->cols; ++j) {
            const int64_t pair = d->first + j;
            const bool has = pair >= first && pair < first + count;
            real_t size = 0;
            for (int64_t i = 0; has && i < E.rows; ++i)
                *at(&E, i, j) =
                    sub(*at(&E, i, j),
                        scale(value->at[pair], *at(W, i, pair - from)));
            for (int64_t i = 0; i < n; ++i)
                size += g.at[i] * abs_of(*at(Y, i, j));
            *relative =
                larger(*relative, length(&E, j) / (size > 0 ? size : 1));
        }
        *ratio = *relative / fmax_r(1, (real_t)most) / ulp(d);
    }
    matrix_free(&S);
    matrix_free(&E);
    matrix_free(&g);
    told(d);
    return room;
}

static bool descends(const decomposition_t *d)
{
    const int64_t r = d->k + d->l, end = d->m < r ? d->m : r;

    for (int64_t i = d->k; i + 1 < end; ++i)
        if (!(d->alpha.at[i] >= d->alpha.at[i + 1]))
            return false;
    return true;
}

/* Some columns of W, in its memory */
static matrix_t columns(const matrix_t *W, int64_t first, int64_t count)
{
    matrix_t X_ = *W;
    X_.at += first * W->rows * W->width;
    X_.cols = count > 0 ? count : 0;
    return X_;
}

static int64_t within(int64_t x, int64_t most)
{
    return x < 0 ? 0 : x < most ? x : most;
}

static bool residuals(const matrix_t *A, const matrix_t *B,
                      const decomposition_t *d, const matrix_t *U,
                      const matrix_t *V, int64_t from, quality_t *q,
                      double *ratio)
{
    const int64_t r = d->k + d->l, rows = d->m < r ? d->m : r;
    const bool some = d->task->keep != 0;
    const gsvd_form_t form = d->task->form;

    if (form == GSVD_FORM_XINV)
        return residual_y(d, A, B, &d->U, &d->alpha, 0, rows, d->first,
                          &q->residual_a, &ratio[0]) &&
               residual_y(d, B, A, &d->V, &d->beta, d->k, d->l,
                          some ? d->first : d->k, &q->residual_b, &ratio[1]);
    if (some)
        return residual_some(d, A, U, &d->alpha, 0, &q->residual_a,
                             &ratio[0]) &&
               residual_some(d, B, V, &d->beta, from, &q->residual_b,
                             &ratio[1]);
    return residual(d, A, &d->U, &d->alpha, 0, rows, &q->residual_a,
                    &ratio[0]) &&
           residual(d, B, &d->V, &d->beta, d->k, d->l, &q->residual_b,
                    &ratio[1]);
}

static bool quality_pair(const matrix_t *A, const matrix_t *B,
                         const decomposition_t *d, quality_t *q)
{
    const int64_t r = d->k + d->l;
    double ratio[6] = {0};

    const bool some = d->task->keep != 0;
    /* of some pairs the columns that there are                              */
    const int64_t from = some ? within(d->k - d->first, d->V.cols) : 0;
    const int64_t rows = d->m < r ? d->m : r;
    const matrix_t U = columns(
        &d->U, 0, some ? within(rows - d->first, d->U.cols) : d->U.cols);
    const matrix_t V = columns(&d->V, from, d->V.cols - from);

    if (!residuals(A, B, d, &U, &V, from, q, ratio) ||
        !orthogonality(d, &U, &q->orth_u, &ratio[2]) ||
        !orthogonality(d, &V, &q->orth_v, &ratio[3]))
        return false;
    if (d->task->form == GSVD_FORM_LAPACK &&
        !orthogonality(d, &d->Q, &q->orth_q, &ratio[4]))
        return false;
    ratio[5] = descends(d) ? 0 : 1 / ulp(d);

    q->ratio_max = 0;
    for (int i = 0; i < 6; ++i)
        q->ratio_max = larger(q->ratio_max, ratio[i]);
    return true;
}

bool X(quality)(const matrix_t *A, const matrix_t *B, const decomposition_t *d,
                quality_t *q)
{
    *q = (quality_t){NAN, NAN, NAN, NAN, NAN, NAN, NAN};
    if (d->task->values)
        return true;
    return (d->task->problem == PAIR ? quality_pair : X(quality_svd))(A, B, d,
                                                                      q);
}
