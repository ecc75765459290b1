/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* preprocess.c -- any pair to a triangular pair: Flegar 2016, theorem 1.3.
 *
 *                  n-k-l  k    l                    n-k-l  k    l
 *     U^H A Q =  (   0   A12  A13 ) k   V^H B Q = (   0    0   B13 ) l
 *                (   0    0   A23 ) m-k           (   0    0    0  ) p-l
 *
 *     1  B P1 = V (S1; 0)                     pivoted QR, l = rank; V
 *     2  S1 = (0 B13) Q1^H                    RQ: the URV of B
 *     3  A := A P1 Q1
 *     4  A(:,1:n-l) P2 = U2 (S2; 0)           pivoted QR, k = rank
 *     5  (A13; A23) := U2^H A(:,n-l+1:n)
 *     6  A23 := U3^H A23                      QR
 *     7  U = U2 diag(I, U3)
 *     8  S2 = (0 A12) Q2^H                    RQ: the URV of A's first columns
 *     9  Q = P1 Q1 diag(P2 Q2, I)
 *
 * U, V and Q are formed from the reflectors, applied from the left to those
 * columns of I that are wanted: an economy factor never costs a full one.
 */
#include "pivot/pivot.h"
#include "urv/urv.h"

#include "qr/qr.h"

void X(preprocess_carve)(arena_t *a, int64_t m, int64_t n, int64_t p,
                         preprocess_work_t *w)
{
    const int64_t l = min_i(p, n), k = min_i(m, n), tall = max_i(m, n);
    const size_t each = sizeof(scalar_t);
    w->Eb = mat_view(gsvd_arena_take(a, n * l, each), n, l, max_i(n, 1));
    w->Ea = mat_view(gsvd_arena_take(a, n * k, each), n, k, max_i(n, 1));
    w->spare =
        mat_view(gsvd_arena_take(a, tall * n, each), tall, n, max_i(tall, 1));
    w->tau_v = gsvd_arena_take(a, l, each);
    w->tau_b = gsvd_arena_take(a, l, each);
    w->tau_u = gsvd_arena_take(a, k, each);
    w->tau_a = gsvd_arena_take(a, k, each);
    w->perm_b = gsvd_arena_take(a, n, sizeof(int));
    w->perm_a = gsvd_arena_take(a, n, sizeof(int));
}

/* LAPACK's tolerance of an X_ with this norm, unless one is given */
static gsvd_status_t default_tolerance(gsvd_handle_t h, const backend_t *be,
                                       mat_t X_, real_t norm, real_t *tol)
{
    measure_t r = {.norm1 = norm};
    if (*tol >= 0)
        return GSVD_SUCCESS;
    if (norm == 0)
        GSVD_TRY(be->measure(h, X_, &r));
    *tol = X(rank_tolerance)(X_.rows, X_.cols, r.norm1);
    return GSVD_SUCCESS;
}

gsvd_status_t X(default_tolerances)(gsvd_handle_t h, const backend_t *be,
                                    pair_t *P)
{
    GSVD_TRY(default_tolerance(h, be, P->A, P->norm_a, &P->tola));
    return default_tolerance(h, be, P->B, P->norm_b, &P->tolb);
}

/* U = U2 diag(I, U3) from the reflectors in A1 and, below row k, in A23: one
 * sequence of them */
static gsvd_status_t form_u(gsvd_handle_t h, const backend_t *be,
                            const pair_t *P, const preprocess_work_t *w,
                            mat_t A1, mat_t A23)
{
    const int64_t k = P->k, k3 = min_i(A23.rows, A23.cols);
    const mat_t U = P->U;

    if (!U.data)
        return GSVD_SUCCESS;
    GSVD_TRY(be->copy(h, mat_cols(A1, 0, k), mat_cols(U, 0, k)));
    GSVD_TRY(be->copy(h, mat_cols(A23, 0, k3), mat_sub(U, k, k, A23.rows, k3)));
    return X(ungqr)(h, be, U, k + k3, w->tau_u);
}

/* Q = P1 Q1 diag(P2 Q2, I), its last columns */
static gsvd_status_t form_q(gsvd_handle_t h, const backend_t *be,
                            const pair_t *P, const preprocess_work_t *w,
                            mat_t E1, mat_t E2)
{
    const mat_t Q = P->Q, top = mat_rows(Q, 0, P->n - P->l);

    if (!Q.data)
        return GSVD_SUCCESS;
    GSVD_TRY(be->set(h, Q, 0, 0));
    GSVD_TRY(be->set(h, mat_rows(Q, Q.rows - Q.cols, Q.cols), 0, 1));
    GSVD_TRY(X(urv_apply)(h, be, 'L', w->perm_a, E2, w->tau_a, top, w->spare));
    return X(urv_apply)(h, be, 'L', w->perm_b, E1, w->tau_b, Q, w->spare);
}

gsvd_status_t X(preprocess_pair)(gsvd_handle_t h, const backend_t *be,
                                 pair_t *P, preprocess_work_t *w)
{
    const int64_t m = P->m, n = P->n;
    const mat_t A = P->A, B = P->B;
    const gsvd_pivot_t how = (gsvd_pivot_t)h->option[GSVD_PIVOT];

    GSVD_TRY(X(default_tolerances)(h, be, P));

    GSVD_TRY(
        X(geqpf)(h, be, B, how, P->tolb, w->perm_b, w->tau_v, &P->l)); /* 1 */
    GSVD_TRY(X(urv_form_u)(h, be, B, P->l, w->tau_v, P->V));

    const mat_t E1 = mat_view(w->Eb.data, n, P->l, max_i(n, 1));
    GSVD_TRY(X(urv_triangle)(h, be, B, E1, w->tau_b)); /* 2 */

    GSVD_TRY(
        X(urv_apply)(h, be, 'R', w->perm_b, E1, w->tau_b, A, w->spare)); /* 3 */

    const mat_t A1 = mat_cols(A, 0, n - P->l), A2 = mat_cols(A, n - P->l, P->l);
    GSVD_TRY(
        X(geqpf)(h, be, A1, how, P->tola, w->perm_a, w->tau_u, &P->k)); /* 4 */

    GSVD_TRY(X(unmqr)(h, be, 'L', 'C', A1, P->k, w->tau_u, A2)); /* 5 */

    const mat_t A23 = mat_rows(A2, P->k, m - P->k);
    GSVD_TRY(X(geqrf)(h, be, A23, w->tau_u + P->k)); /* 6 */

    GSVD_TRY(form_u(h, be, P, w, A1, A23)); /* 7 */
    GSVD_TRY(be->zero_lower(h, A23));

    const mat_t E2 = mat_view(w->Ea.data, A1.cols, P->k, max_i(A1.cols, 1));
    GSVD_TRY(X(urv_triangle)(h, be, A1, E2, w->tau_a)); /* 8 */

    GSVD_TRY(form_q(h, be, P, w, E1, E2)); /* 9 */

    gsvd_lap(h, &h->stats.seconds_preprocess);
    return GSVD_SUCCESS;
}
