/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* quality_svd.c -- how exact is a decomposition of one matrix?  Compiled for d and z. */
#include "measure.h"

/* T = 2^e Sigma V^H, of the columns of V that have a value */
static void fill_right(const decomposition_t *d, int e, matrix_t *T)
{
    for (int64_t j = 0; j < T->cols; ++j)
        for (int64_t i = 0; i < T->rows; ++i)
            *at(T, i, j) =
                scale(ldexp_r(d->sigma.at[i], e), conj_of(*at(&d->V, j, i)));
}

/* relative = ||A - U Sigma V^H||_F / ||A||_F,
 * ratio = ||A - U Sigma V^H||_1 / (max(m,n) ||A||_1 ulp).  A and Sigma are first scaled
 * by one power of two so that no square overflows. */
static bool residual(const matrix_t *A, const decomposition_t *d,
                     double *relative, double *ratio)
{
    matrix_t S = {0}, T = {0};
    const bool room = matrix_copy(&S, A, d->U.width) &&
                      matrix_create(&T, d->sigma.rows, d->n, d->V.width);

    if (room) {
        const real_t max = largest(&S);
        const int e = max > 0 ? -exponent_r(max) : 0;

        shift_exponent(&S, e);
        fill_right(d, e, &T);
        const real_t size_f = norm_f(&S);
        const real_t size_1 = fmax_r(norm_1(&S), GSVD_SAFMIN);
        const real_t size = fmax_r(1, fmax_r((real_t)d->m, (real_t)d->n));

        multiply(-1, 'N', &d->U, 'N', &T, T.rows, 1, &S); /* S = S - U T     */
        *relative = norm_f(&S) / (size_f > 0 ? size_f : 1);
        *ratio = norm_1(&S) / size / size_1 / ulp(d);
    }
    matrix_free(&S);
    matrix_free(&T);
    told(d);
    return room;
}

/* orth = ||V^H J V - J'||_F; ratio: the largest entry, each over the lengths of its two
 * columns of V, over n ulp */
static bool signed_orthogonality(const matrix_t *J, const decomposition_t *d,
                                 double *orth, double *ratio)
{
    const matrix_t *const V = &d->V;
    const int64_t n = d->n;
    matrix_t JV = {0}, H = {0}, N = {0};
    const bool room = matrix_copy(&JV, V, V->width) &&
                      matrix_create(&H, n, n, V->width) &&
                      matrix_create(&N, n, n, V->width);

    if (room) {
        real_t worst = 0;
        for (int64_t j = 0; j < n; ++j)
            for (int64_t i = 0; i < n; ++i)
                *at(&JV, i, j) = scale(J->at[i], *at(V, i, j));
        multiply(1, 'C', V, 'N', &JV, n, 0, &H);
        multiply(1, 'C', V, 'N', V, n, 0, &N);
        for (int64_t j = 0; j < n; ++j)
            *at(&H, j, j) = sub(*at(&H, j, j), make(d->signs.at[j], 0));
        for (int64_t j = 0; j < n; ++j)
            for (int64_t i = 0; i < n; ++i)
                worst =
                    larger(abs_of(*at(&H, i, j)) / sqrt_r(re(*at(&N, i, i))) /
                               sqrt_r(re(*at(&N, j, j))),
                           worst);
        *orth = norm_f(&H);
        *ratio = worst / fmax_r(1, (real_t)n) / ulp(d);
    }
    matrix_free(&JV);
    matrix_free(&H);
    matrix_free(&N);
    told(d);
    return room;
}

/* Those of the first `plus` and the others, apart */
static bool descends(const decomposition_t *d)
{
    const double *const sigma = d->sigma.at;

    for (int64_t i = 0; i < d->sigma.rows; ++i)
        if (!(sigma[i] >= 0) ||
            (i > 0 && i != d->plus && !(sigma[i] <= sigma[i - 1])))
            return false;
    return true;
}

static bool ascends(const decomposition_t *d)
{
    for (int64_t i = 1; i < d->sigma.rows; ++i)
        if (!(d->sigma.at[i - 1] <= d->sigma.at[i]))
            return false;
    return true;
}

/* As of an SVD whose U and V are both Q */
static bool quality_eigh(const matrix_t *A, const decomposition_t *d,
                         quality_t *q)
{
    decomposition_t both = *d;
    double ratio[2] = {0};

    both.U = both.V = d->Q;
    if (!residual(A, &both, &q->residual_a, &ratio[0]) ||
        !orthogonality(d, &d->Q, &q->orth_q, &ratio[1]))
        return false;
    q->ratio_max =
        larger(larger(ratio[0], ratio[1]), ascends(d) ? 0 : 1 / ulp(d));
    return true;
}

bool X(quality_svd)(const matrix_t *A, const matrix_t *J,
                    const decomposition_t *d, quality_t *q)
{
    const bool is_signed = d->task->problem == HSVD;
    double ratio[4] = {0};

    if (d->task->problem == EIGH)
        return quality_eigh(A, d, q);
    if (!residual(A, d, &q->residual_a, &ratio[0]) ||
        !orthogonality(d, &d->U, &q->orth_u, &ratio[1]))
        return false;
    if (!(is_signed ? signed_orthogonality(J, d, &q->orth_v, &ratio[2])
                    : orthogonality(d, &d->V, &q->orth_v, &ratio[2])))
        return false;
    if (is_signed) {
        q->norm_v = norm_f(&d->V);
        ratio[0] /= fmax_r(1, norm_1(&d->V));
    }
    ratio[3] = descends(d) ? 0 : 1 / ulp(d);

    q->ratio_max = 0;
    for (int i = 0; i < 4; ++i)
        q->ratio_max = larger(ratio[i], q->ratio_max);
    return true;
}
