/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* two_stages.c -- eigenvectors of a Hermitian matrix by way of a band (Bischof, Lang, Sun 2000).
 *
 *     1  A = Q1 S Q1^H        S has BAND subdiagonals: panels and products
 *     2  S = Q2 T Q2^H        T real and tridiagonal: band.cu
 *     3  T Z = Z diag(w)      each vector by itself
 *     4  X = Q1 Q2 Z
 *
 * 1 for the panel of the columns k to k + BAND - 1, of which the rows behind BAND more count:
 *
 *     a  P = (I - V T V^H) (R; 0)
 *     b  Y = A' V T,  W = Y - V (V T)^H Y / 2        A': what is right of the panel and below
 *     c  A' := A' - V W^H - W V^H
 *
 * A column of the tridiagonal form is a pass over the matrix; one of the band is 1/32 of one.
 */
#include "jacobi/band.h"
#include "jacobi/jacobi.h"
#include "qr/qr.h"

#define stages_t X(stages_t)
typedef struct stages_t {
    real_t *d, *e;
    scalar_t *tau; /* of Q1                                                   */
    mat_t taus;    /* of Q2, whose reflectors are in A above its diagonal    */
    mat_t Z;       /* In 1, its memory has VWV, V T and Y.                    */
    mat_t T;
} stages_t;

/* What 1 takes of Z */
enum { COLUMNS = 5 * BAND };

static void take(arena_t *a, int64_t n, stages_t *s)
{
    s->d = gsvd_arena_take(a, n, sizeof(real_t));
    s->e = gsvd_arena_take(a, n, sizeof(real_t));
    s->tau = gsvd_arena_take(a, n, sizeof(scalar_t));
    s->taus = X(take_matrix)(a, max_i(band_hops(n), 1), n);
    s->Z = X(take_matrix)(a, n, max_i(n, COLUMNS));
    s->T = X(take_matrix)(a, BAND, BAND);
}

size_t X(two_stages_bytes)(const exec_t *ex, int64_t n)
{
    arena_t count = {0};
    stages_t s;
    take(&count, n, &s);
    return gsvd_arena_bytes(&count) + X(tridiagonal_form_bytes)(ex, n);
}

/* C := (I - V T V^H)^H C for the few columns of the last panel that have no reflector */
static gsvd_status_t apply_last(const exec_t *ex, mat_t V, mat_t T, mat_t C,
                                mat_t W, mat_t Y)
{
    W = mat_sub(W, 0, 0, V.cols, C.cols);
    Y = mat_sub(Y, 0, 0, V.cols, C.cols);
    if (mat_empty(C))
        return GSVD_SUCCESS;
    GSVD_TRY(ex->op->gemm(ex, 'C', 'N', V, C, W));
    GSVD_TRY(ex->op->gemm(ex, 'C', 'N', T, W, Y));
    return ex->op->gemm_sub(ex, 'N', 'N', V, Y, C);
}

/* b and c: A' := (I - V T V^H)^H A' (I - V T V^H), VWV = (V . .) */
static gsvd_status_t update(const exec_t *ex, mat_t A, mat_t VWV, mat_t T,
                            mat_t work)
{
    const int64_t b = T.cols;
    const mat_t VT = mat_cols(work, 0, b);

    GSVD_TRY(ex->op->gemm(ex, 'N', 'N', mat_cols(VWV, 0, b), T, VT));
    GSVD_TRY(ex->op->gemm(ex, 'N', 'N', A, VT, mat_cols(VWV, b, b)));
    return ex->op->two_sided(ex, VWV, VT, mat_cols(work, b, b), A);
}

/* 1: A's lower band := S, and below it the reflectors of Q1; *count := their number */
static gsvd_status_t to_band(const exec_t *ex, mat_t A, const stages_t *s,
                             int64_t *count)
{
    const int64_t n = A.cols;
    exec_t in = *ex;

    in.products.bytes = 0;
    *count = 0;
    for (int64_t k = 0; n - k - BAND > 1; k += BAND) {
        const int64_t m = n - k - BAND, b = min_i(BAND, m);
        const mat_t P = mat_sub(A, k + BAND, k, m, b);
        const mat_t VWV = mat_view(s->Z.data, m, 3 * b, m);
        const mat_t work = mat_view(s->Z.data + m * 3 * b, m, 2 * b, m);
        const mat_t V = mat_cols(VWV, 0, b), T = mat_sub(s->T, 0, 0, b, b);

        GSVD_TRY(in.op->panel(&in, P, s->tau + k, V, T));
        GSVD_TRY(
            apply_last(&in, V, T, mat_sub(A, k + BAND, k + b, m, BAND - b),
                       mat_view(work.data, BAND, BAND, BAND),
                       mat_view(work.data + BAND * BAND, BAND, BAND, BAND)));
        GSVD_TRY(
            update(&in, mat_sub(A, k + BAND, k + BAND, m, m), VWV, T, work));
        *count = k + b;
    }
    return GSVD_SUCCESS;
}

gsvd_status_t X(two_stages)(const exec_t *ex, mat_t A, real_t *w, int *fits)
{
    const int64_t n = A.cols;
    exec_t in = *ex;
    int64_t count;
    stages_t s;

    GSVD_TRY(in.op->band_fits(&in, n, fits));
    if (!*fits)
        return GSVD_SUCCESS;
    take(&in.work, n, &s);
    GSVD_TRY(X(work_suffices)(&in));
    GSVD_TRY(to_band(&in, A, &s, &count));
    GSVD_TRY(in.op->band_to_tridiagonal(&in, A, s.d, s.e, A, s.taus));
    s.Z = mat_cols(s.Z, 0, n);
    GSVD_TRY(in.op->tridiagonal_vectors(&in, n, s.d, s.e, 0, w, s.Z));
    GSVD_TRY(in.op->band_vectors(&in, A, s.taus, s.Z));
    if (count > 0)
        GSVD_TRY(X(unmqr)(&in, 'L', 'N', mat_sub(A, BAND, 0, n - BAND, count),
                          count, s.tau, mat_rows(s.Z, BAND, n - BAND)));
    return in.op->copy(&in, s.Z, A);
}
