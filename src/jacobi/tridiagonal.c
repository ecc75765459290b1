/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* tridiagonal.c -- a Hermitian matrix := a real tridiagonal one, by LAPACK's xSYTRD or
 * xHETRD, the eigenvectors of that, and its values by xSTERF; CPU twin of tridiagonal.cu. */
#include "jacobi/tridiagonal.h"

#include "core/blas.h"
#include "jacobi/jacobi.h"

enum {
    WIDTH = 32 /* of xSYTRD's panels, by its work                         */
};

size_t X(tridiagonalize_bytes_cpu)(int64_t n)
{
    return (size_t)max_i(n, 1) * WIDTH * sizeof(scalar_t);
}

gsvd_status_t X(tridiagonalize_cpu)(const exec_t *ex, mat_t A, real_t *d,
                                    real_t *e, scalar_t *tau, int *fits)
{
    void *work;
    *fits = 1;
    if (mat_empty(A))
        return GSVD_SUCCESS;
    GSVD_TRY(X(kernel_work)(ex, X(tridiagonalize_bytes_cpu)(A.cols), &work));
    if (LAPACKE_(SYTRD)(LAPACK_COL_MAJOR, 'L', (lapack_int)A.cols, A.data,
                        (lapack_int)A.ld, d, e, tau, work,
                        (lapack_int)(A.cols * WIDTH)) != 0)
        return gsvd_fail(ex->h, GSVD_INTERNAL_ERROR,
                         "tridiagonalize: LAPACK refuses an argument");
    return GSVD_SUCCESS;
}

/* The value number k, counted from the largest */
static real_t value(int64_t n, const minor_row_t *t, const spectrum_t *s,
                    int64_t k)
{
    real_t from = ldexp_r(s->from, -s->exponent);
    real_t to = ldexp_r(s->to, -s->exponent);
    for (;;) {
        const real_t part = (to - from) / (POINTS + 1);
        real_t x[POINTS];
        int below[POINTS], cuts = 0;
        for (int j = 0; j < POINTS; ++j)
            x[j] = from + (real_t)(j + 1) * part;
        if (!(from < x[0] && x[POINTS - 1] < to))
            return ldexp_r(from + (to - from) / 2, s->exponent);
        values_below(n, t, x, below);
        while (cuts < POINTS && below[cuts] < n - k)
            ++cuts;
        to = cuts < POINTS ? x[cuts] : to;
        from = cuts > 0 ? x[cuts - 1] : from;
    }
}

/* less than tridiagonalize's */
static size_t vectors_bytes(int64_t n)
{
    return 2 * (size_t)n * sizeof(real_t) +
           (size_t)minor_rows(n) * sizeof(minor_row_t);
}

gsvd_status_t X(tridiagonal_vectors_cpu)(const exec_t *ex, int64_t n,
                                         const real_t *d, const real_t *e,
                                         int64_t before, real_t *w, mat_t V)
{
    const spectrum_t s = widened(gershgorin(n, d, e, 0, 1));
    void *work;

    GSVD_TRY(X(kernel_work)(ex, vectors_bytes(n), &work));
    real_t *const z = work, *const u = z + n;
    minor_row_t *const t = (minor_row_t *)(u + n);
    for (int64_t i = 0; i < minor_rows(n); ++i)
        t[i] = minor_row(n, d, e, s.exponent, i);
    for (int64_t k = 0; k < V.cols; ++k) {
        real_t length2;
        w[k] = value(n, t, &s, before + k);
        w[k] += twisted_vector(n, d, e, w[k], s.least, 1, z, u, &length2);
        const real_t factor = rsqrt_r(length2);
        for (int64_t i = 0; i < n; ++i)
            AT(V, i, k) = make(factor * z[i], 0);
    }
    return GSVD_SUCCESS;
}

gsvd_status_t X(tridiagonal_values_cpu)(const exec_t *ex, int64_t n,
                                        const real_t *d, const real_t *e,
                                        real_t *w, int *found)
{
    void *work;

    *found = 1;
    if (n == 0)
        return GSVD_SUCCESS;
    GSVD_TRY(X(kernel_work)(ex, (size_t)n * sizeof(real_t), &work));
    real_t *const beside = work;
    for (int64_t i = 0; i < n; ++i) {
        w[i] = d[i];
        beside[i] = i < n - 1 ? e[i] : 0;
    }
    *found = LAPACKE_STERF((lapack_int)n, w, beside) == 0;
    for (int64_t i = 0; i < n / 2; ++i) {
        const real_t kept = w[i];
        w[i] = w[n - 1 - i];
        w[n - 1 - i] = kept;
    }
    return GSVD_SUCCESS;
}
