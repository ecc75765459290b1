/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* few.c -- preprocess.c for a small pair on the host whose B has full column
 * rank, in one piece.  What is left of it then, with its numbers, is
 *
 *     1  B P1 = V (S1; 0)            pivoted QR of a copy of B, l = n
 *     3  A := A P1
 *     6  A := U^H A                  QR, k = 0
 *     9  Q = P1
 *
 * Where step 1 finds less than full rank, or sees that R might hide that, nothing
 * has happened, and preprocess.c begins anew.
 */
#include "urv/urv.h"

#include "pivot/inverse_iteration.h"
#include "qr/few.h"

static void copy_columns(mat_t A, int64_t cols, mat_t B)
{
    for (int64_t j = 0; j < cols; ++j)
        for (int64_t i = 0; i < A.rows; ++i)
            AT(B, i, j) = AT(A, i, j);
}

static void zero_below(mat_t A)
{
    for (int64_t j = 0; j < A.cols; ++j)
        for (int64_t i = j + 1; i < A.rows; ++i)
            AT(A, i, j) = make(0, 0);
}

int X(preprocess_few)(pair_t *P, const preprocess_work_t *w)
{
    const mat_t A = P->A, B = P->B, Q = P->Q;
    const int64_t n = P->n, p = P->p, r = min_i(P->m, n);
    const real_t tol = fmax_r(P->tolb, P->least_b);
    scalar_t copy[FEW * FEW] = {0};
    const mat_t S = mat_view(copy, p, n, FEW);

    if (n < 1 || n > p || p > FEW || P->m > FEW || P->sort_a || P->sort_b)
        return 0;
    copy_columns(B, n, S);
    if (few_pivoted_qr(S, tol, w->perm_b, w->tau_v) < n || /* 1 */
        !(inverse_iteration_from_below(S) > tol))
        return 0;
    P->l = n;
    P->k = 0;
    if (P->V.data) {
        copy_columns(S, n, P->V);
        few_form(P->V, n, w->tau_v);
    }
    copy_columns(S, n, B);
    zero_below(B);
    for (int64_t i = 0; i < P->m; ++i) { /* 3 */
        scalar_t row[FEW];
        for (int64_t j = 0; j < n; ++j)
            row[j] = AT(A, i, w->perm_b[j]);
        for (int64_t j = 0; j < n; ++j)
            AT(A, i, j) = row[j];
    }
    few_qr(A, w->tau_u); /* 6 */
    if (P->U.data) {
        copy_columns(A, r, P->U);
        few_form(P->U, r, w->tau_u);
    }
    zero_below(A);
    for (int64_t j = 0; j < n && Q.data; ++j) /* 9 */
        for (int64_t i = 0; i < n; ++i)
            AT(Q, i, j) = make(i == w->perm_b[j], 0);
    return 1;
}
