/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* few.c -- csd.c for a pair of a few columns, in one piece: there, to go from
 * primitive to primitive takes longer than what they do.
 *
 * The steps have csd.c's numbers and do what those do.
 */
#include "qr/few.h"
#include "core/value_pair.h"
#include "jacobi/jacobi.h"
#include "pivot/pivot.h"
#include "qr/qr.h"

/* 6: Q := the unitary factor of G = Q R, R with a nonnegative diagonal */
static gsvd_status_t unitary(const exec_t *ex, mat_t G, mat_t Q, scalar_t *tau)
{
    few_qr(G, tau);
    for (int64_t j = 0; j < Q.cols; ++j)
        for (int64_t i = 0; i < Q.rows; ++i)
            AT(Q, i, j) = AT(G, i, j);
    few_form(Q, Q.cols, tau);
    return X(fix_phase_cpu)(ex, G, Q);
}

/* csd.c's sort_columns */
static gsvd_status_t sort_columns(const exec_t *ex, int64_t m1, int64_t l,
                                  solve_work_t *w)
{
    const mat_t from = w->GF, to = w->W;
    GSVD_TRY(X(column_norms_cpu)(ex, few_part(from, l, 0, m1, l), w->x));
    GSVD_TRY(X(column_norms_cpu)(ex, few_part(from, 0, 0, l, l), w->y));
    for (int64_t j = 0; j < l; ++j) {
        int64_t i = j;
        value_pair_unit(&w->x[j], &w->y[j]);
        for (; i > 0 && value_pair_before(w->x, w->y, j, w->perm[i - 1]); --i)
            w->perm[i] = w->perm[i - 1];
        w->perm[i] = (int)j;
    }
    for (int64_t j = 0; j < l; ++j) {
        w->c[j] = w->x[w->perm[j]];
        w->s[j] = w->y[w->perm[j]];
        for (int64_t i = 0; i < l + m1; ++i)
            AT(to, i, j) = AT(from, i, w->perm[j]);
    }
    exchange_stacks(w);
    return GSVD_SUCCESS;
}

gsvd_status_t X(csd_few_cpu)(const exec_t *ex, mat_t A, mat_t B,
                             solve_work_t *w, outcome_t *out)
{
    const int64_t m1 = A.rows, l = B.cols;
    const mat_t W = few_part(w->W, 0, 0, l + m1, l);
    const mat_t W2 = few_part(W, 0, 0, l, l);
    const mat_t Z = few_part(w->Z, 0, 0, l, l), Z1 = few_part(Z, 0, 0, l, m1);
    const mat_t F = few_part(w->GF, l, 0, m1, l);
    int64_t lead = 0;

    for (int64_t j = 0; j < l; ++j) { /* 1 */
        for (int64_t i = 0; i < l; ++i)
            AT(W, i, j) = AT(B, i, j);
        for (int64_t i = 0; i < m1; ++i)
            AT(W, l + i, j) = AT(A, i, j);
    }
    few_qr(W, w->tau);
    few_form(W, l, w->tau);

    for (int64_t j = 0; j < l; ++j) /* 2 */
        for (int64_t i = 0; i < m1; ++i)
            AT(Z, j, i) = conj_of(AT(W, l + i, j));
    (void)few_pivoted_qr(Z1, -1, w->pivots, w->tau);
    for (int64_t j = 0; j < l; ++j)
        for (int64_t i = 0; i < m1; ++i)
            AT(F, i, j) = j <= i ? conj_of(AT(Z, j, i)) : make(0, 0);
    few_form(Z, m1, w->tau);

    GSVD_TRY(X(orthogonalize)(ex, few_part(F, 0, 0, m1, m1), Z1, /* 3 */
                              w->rotations, out));

    GSVD_TRY(X(gemm_cpu)(ex, 'N', 'N', W2, Z, /* 4 */
                         few_part(w->GF, 0, 0, l, l)));

    GSVD_TRY(sort_columns(ex, m1, l, w)); /* 5 */
    while (lead < l && w->c[lead] > w->s[lead])
        ++lead;
    if (lead > 1) {
        GSVD_TRY(X(orthogonalize)(ex, few_part(w->GF, 0, 0, l, lead),
                                  few_part(w->GF, l, 0, m1, lead), w->rotations,
                                  out));
        GSVD_TRY(sort_columns(ex, m1, l, w));
    }

    const mat_t G = few_part(w->GF, 0, 0, l, l); /* 6 */
    const mat_t T1 = few_part(Z, 0, 0, m1, m1);
    const mat_t V = few_part(w->W, 0, 0, l, l);
    const mat_t U = few_part(w->W, l, 0, m1, m1);
    GSVD_TRY(unitary(ex, few_part(w->GF, l, 0, m1, m1), T1, w->tau));
    for (int64_t j = 0; j < m1; ++j)
        for (int64_t i = 0; i < m1; ++i)
            AT(U, w->pivots[i], j) = AT(T1, i, j);
    for (int64_t j = 0; j < l; ++j)
        for (int64_t i = 0; i < l; ++i)
            AT(Z, i, j) = AT(G, i, l - 1 - j);
    GSVD_TRY(unitary(ex, Z, G, w->tau));
    for (int64_t j = 0; j < l; ++j)
        for (int64_t i = 0; i < l; ++i)
            AT(V, i, j) = AT(G, i, l - 1 - j);
    exchange_stacks(w);
    return GSVD_SUCCESS;
}
