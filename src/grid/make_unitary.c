/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* make_unitary.c -- as gsvd/make_unitary.c, for whole factors: on a grid a product of all columns is
 * one operation, where panels would be many messages. */
#include "gsvd/pipeline.h"

enum {
    PROBES = 8, /* random vectors                                            */
    STEPS = 8   /* of Newton and Schulz: 8 suffice from a norm of 0.9        */
};

static int64_t widest(const factor_t *F, int count)
{
    int64_t n = 0;
    for (int i = 0; i < count; ++i)
        n = max_i(n, F[i].all.cols);
    return n;
}

static int64_t tallest(const factor_t *F, int count)
{
    int64_t m = 0;
    for (int i = 0; i < count; ++i)
        m = max_i(m, F[i].all.cols > 0 ? F[i].all.rows : 0);
    return m;
}

/* room: a factor's copy; before it is needed, random rows and their products */
void X(unitary_carve)(arena_t *a, int64_t cols, const factor_t *F, int count,
                      unitary_work_t *w)
{
    const int64_t n = widest(F, count), m = tallest(F, count);
    (void)cols;
    w->entries = n * n;
    w->E = X(take_matrix)(a, max_i(n, 2 * PROBES), n);
    w->room = X(take_matrix)(a, max_i(m, PROBES), max_i(n, m > 0 ? PROBES : 0));
    w->one = gsvd_arena_take(a, n, sizeof(real_t));
    w->minus = gsvd_arena_take(a, n, sizeof(real_t));
}

/* length := the lengths of the columns of G - G X^H X for random rows G.  The mean of their squares is
 * PROBES times the squared lengths of the columns of X^H X - I. */
static gsvd_status_t look(const exec_t *ex, mat_t X_, const unitary_work_t *w,
                          int *yes)
{
    const int64_t n = X_.cols;
    const mat_t G = mat_view(w->E.data, PROBES, n, 2 * PROBES);
    const mat_t D = mat_view(w->E.data, 2 * PROBES, n, 2 * PROBES);
    const mat_t left = mat_rows(D, PROBES, PROBES);
    const mat_t y = mat_view(w->room.data, X_.rows, PROBES, X_.rows);
    const real_t most = sqrt_r((real_t)PROBES) * defect_allowed(X_.rows);

    GSVD_TRY(ex->op->gaussian(ex, G, 1));
    GSVD_TRY(ex->op->copy(ex, G, left));
    GSVD_TRY(ex->op->gemm(ex, 'N', 'C', X_, G, y));
    GSVD_TRY(ex->op->gemm_sub(ex, 'C', 'N', y, X_, left));
    GSVD_TRY(ex->op->column_norms(ex, left, w->minus));
    *yes = 1;
    for (int64_t j = 0; j < n; ++j)
        *yes = *yes && w->minus[j] <= most;
    return GSVD_SUCCESS;
}

static gsvd_status_t normalize(const exec_t *ex, mat_t X_,
                               const unitary_work_t *w)
{
    GSVD_TRY(ex->op->column_norms(ex, X_, w->one));
    return ex->op->normalize_columns(ex, X_, w->one, X_);
}

/* X := X (3 I - X^H X) / 2, until the defect is below the root of rounding, and once more */
static gsvd_status_t mend(const exec_t *ex, mat_t X_, const unitary_work_t *w,
                          outcome_t *out)
{
    const mat_t E = mat_sub(w->E, 0, 0, X_.cols, X_.cols);
    const mat_t before = mat_sub(w->room, 0, 0, X_.rows, X_.cols);
    real_t defect = 1;

    for (int step = 0; step < STEPS && defect > sqrt_r(GSVD_EPS); ++step) {
        GSVD_TRY(ex->op->gram(ex, X_, E));
        GSVD_TRY(ex->op->newton_schulz(ex, E, NULL, &defect));
        if (!(defect * (real_t)X_.cols < 1)) { /* |E - I|_1 at most          */
            out->unfinished = 1;
            return GSVD_SUCCESS;
        }
        GSVD_TRY(ex->op->copy(ex, X_, before));
        GSVD_TRY(ex->op->gemm(ex, 'N', 'N', before, E, X_));
    }
    out->unfinished |= defect > sqrt_r(GSVD_EPS);
    return normalize(ex, X_, w);
}

gsvd_status_t X(make_unitary)(const exec_t *ex, const factor_t *F, int count,
                              const unitary_work_t *w, outcome_t *out)
{
    for (int i = 0; i < count; ++i) {
        int yes = 1;
        if (!F[i].all.data || mat_empty(F[i].all))
            continue;
        if (!F[i].normal)
            GSVD_TRY(normalize(ex, F[i].all, w));
        GSVD_TRY(look(ex, F[i].all, w, &yes));
        if (!yes)
            GSVD_TRY(mend(ex, F[i].all, w, out));
    }
    return GSVD_SUCCESS;
}
