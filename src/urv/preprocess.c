/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* preprocess.c -- any pair to a triangular pair: Flegar 2016, theorem 1.3.
 *
 *                  n-k-l  k    l                    n-k-l  k    l
 *     U^H A Q =  (   0   A12  A13 ) k   V^H B Q = (   0    0   B13 ) l
 *                (   0    0   A23 ) m-k           (   0    0    0  ) p-l
 *
 *     1  B P1 = V (S1; 0)                     pivoted QR, l = rank
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
#include "urv/urv.h"

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
    w->tau_3 = gsvd_arena_take(a, k, each);
    w->perm_b = gsvd_arena_take(a, n, sizeof(int));
    w->perm_a = gsvd_arena_take(a, n, sizeof(int));
}

gsvd_status_t X(default_tolerances)(gsvd_handle_t h, const backend_t *be,
                                    pair_t *P)
{
    measure_t r;
    if (P->tola < 0) {
        GSVD_TRY(be->measure(h, P->A, &r));
        P->tola =
            (real_t)max_i(P->m, P->n) * fmax_r(r.norm1, GSVD_SAFMIN) * GSVD_ULP;
    }
    if (P->tolb < 0) {
        GSVD_TRY(be->measure(h, P->B, &r));
        P->tolb =
            (real_t)max_i(P->p, P->n) * fmax_r(r.norm1, GSVD_SAFMIN) * GSVD_ULP;
    }
    return GSVD_SUCCESS;
}

/* S = (0 R) Q^H in place, S r x n: S := (0 R), Q in E and tau; r == n: S is R */
static gsvd_status_t urv(gsvd_handle_t h, const backend_t *be, mat_t S, mat_t E,
                         scalar_t *tau)
{
    const int64_t r = S.rows, n = S.cols;

    GSVD_TRY(be->zero_lower(h, S));
    if (r == n)
        return GSVD_SUCCESS;
    GSVD_TRY(X(rq_factor)(h, be, S, E, tau));
    GSVD_TRY(be->set(h, mat_cols(S, 0, n - r), 0, 0));
    return X(rq_triangle)(h, be, E, mat_cols(S, n - r, r));
}

/* C := P Q C */
static gsvd_status_t from_left(gsvd_handle_t h, const backend_t *be,
                               const int *perm, mat_t E, const scalar_t *tau,
                               mat_t C, mat_t spare)
{
    if (E.rows > E.cols)
        GSVD_TRY(X(rq_apply)(h, be, 'L', E, tau, C, spare));
    spare = mat_view(spare.data, C.rows, C.cols, max_i(C.rows, 1));
    GSVD_TRY(be->copy(h, C, spare));
    return be->permute_rows(h, spare, perm, C);
}

gsvd_status_t X(preprocess_pair)(gsvd_handle_t h, const backend_t *be,
                                 pair_t *P, preprocess_work_t *w)
{
    const int64_t m = P->m, n = P->n, p = P->p;
    const mat_t A = P->A, B = P->B;
    const mat_t spare = mat_view(w->spare.data, m, n, max_i(m, 1));
    int64_t k, l;

    GSVD_TRY(X(default_tolerances)(h, be, P));

    GSVD_TRY(be->geqp(h, B, w->perm_b, w->tau_v)); /* 1 */
    GSVD_TRY(be->rank(h, B, P->tolb, &l));
    if (P->V.data) {
        const mat_t V = P->V, V1 = mat_cols(B, 0, min_i(p, n));
        GSVD_TRY(be->copy(h, V1, mat_cols(V, 0, V1.cols)));
        GSVD_TRY(be->ungqr(h, V, V1.cols, w->tau_v));
    }
    GSVD_TRY(be->set(h, mat_rows(B, l, p - l), 0, 0)); /* 2 */
    const mat_t Eb = mat_view(w->Eb.data, n, l, max_i(n, 1));
    GSVD_TRY(urv(h, be, mat_rows(B, 0, l), Eb, w->tau_b));

    GSVD_TRY(be->permute_columns(h, A, w->perm_b, spare)); /* 3 */
    GSVD_TRY(be->copy(h, spare, A));
    if (l < n)
        GSVD_TRY(X(rq_apply)(h, be, 'R', Eb, w->tau_b, A, spare));

    const mat_t A1 = mat_cols(A, 0, n - l), A2 = mat_cols(A, n - l, l);
    const int64_t u = min_i(m, n - l);
    GSVD_TRY(be->geqp(h, A1, w->perm_a, w->tau_u)); /* 4 */
    GSVD_TRY(be->rank(h, A1, P->tola, &k));
    GSVD_TRY(be->unmqr(h, 'L', 'C', A1, u, w->tau_u, A2)); /* 5 */

    const mat_t A23 = mat_rows(A2, k, m - k); /* 6 */
    GSVD_TRY(be->geqrf(h, A23, w->tau_3));

    if (P->U.data) { /* 7 */
        const mat_t U = P->U, U3 = mat_sub(U, k, k, m - k, U.cols - k);
        const int64_t k3 = min_i(m - k, l);
        GSVD_TRY(be->set(h, U, 0, 1));
        GSVD_TRY(be->copy(h, mat_cols(A23, 0, k3), mat_cols(U3, 0, k3)));
        GSVD_TRY(be->ungqr(h, U3, k3, w->tau_3));
        GSVD_TRY(be->unmqr(h, 'L', 'N', A1, u, w->tau_u, U));
    }
    GSVD_TRY(be->zero_lower(h, A23));
    GSVD_TRY(be->set(h, mat_rows(A1, k, m - k), 0, 0)); /* 8 */
    const mat_t Ea = mat_view(w->Ea.data, n - l, k, max_i(n - l, 1));
    GSVD_TRY(urv(h, be, mat_rows(A1, 0, k), Ea, w->tau_a));

    if (P->Q.data) { /* 9 */
        const mat_t Q = P->Q;
        GSVD_TRY(be->set(h, Q, 0, 0));
        GSVD_TRY(be->set(h, mat_rows(Q, n - Q.cols, Q.cols), 0, 1));
        GSVD_TRY(from_left(h, be, w->perm_a, Ea, w->tau_a,
                           mat_rows(Q, 0, n - l), w->spare));
        GSVD_TRY(from_left(h, be, w->perm_b, Eb, w->tau_b, Q, w->spare));
    }
    P->k = k;
    P->l = l;
    gsvd_lap(h, &h->stats.seconds_preprocess);
    return GSVD_SUCCESS;
}
