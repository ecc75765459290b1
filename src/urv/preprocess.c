/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* preprocess.c -- any pair to a triangular pair: Flegar 2016, theorem 1.3.
 *
 *                  n-k-l  k    l                    n-k-l  k    l
 *     U^H A Q =  (   0   A12  A13 ) k   V^H B Q = (   0    0   B13 ) l
 *                (   0    0   A23 ) m-k           (   0    0    0  ) p-l
 *
 *     0  A := Pa A D, B := Pb B D             rows sorted, and columns scaled, if their sizes
 *                                             differ (equilibrate.c)
 *     1  B P1 = V (S1; 0)                     pivoted QR, l = rank; V := Pb^T V
 *     2  S1 = (0 B13) Q1^H                    RQ: the URV of B
 *     3  A := A P1 Q1
 *     4  A(:,1:n-l) P2 = U2 (S2; 0)           pivoted QR, k = rank
 *     5  (A13; A23) := U2^H A(:,n-l+1:n)
 *     6  A23 := U3^H A23                      QR; of sorted rows with pivots, A23 P3 = U3 R,
 *                                             A23 := R P3^T, if no trapezoid is asked for; of
 *                                             others none then, unless rows are many: U3 = I
 *     7  U = Pa^T U2 diag(I, U3)
 *     8  S2 = (0 A12) Q2^H                    RQ: the URV of A's first columns
 *     9  Q = P1 Q1 diag(P2 Q2, I)
 *
 * Where a few columns of U and V are wanted in the end (gsvd/keep.c), they are not formed: their
 * reflectors stay where they are, and those in the rows of triangles go to squares.  Else
 * U, V and Q are formed from the reflectors, applied from the left to those
 * columns of I that are wanted: an economy factor never costs a full one.  On a
 * device V may be formed during steps 2 and 3, and U during 8 and 9.
 *
 * Step 0: QR with pivoted columns, by reflectors that do not cancel, is backward
 * stable row by row if the rows come in decreasing order; else a small row may
 * be lost in a large one (Powell and Reid 1969; Cox and Higham 1998).  Rows are sorted
 * once for all columns, up to a factor of 2 in size.  Where sizes are alike nothing is
 * gained, and the rows stay as they are.  A trapezoidal A23 takes a QR without pivots,
 * where small rows may grow by a factor of n; the solvers but xTGSJA take any A23.
 */
#include "core/notes.h"
#include "core/range.h"
#include "pivot/pivot.h"
#include "urv/urv.h"

#include "qr/qr.h"

void X(preprocess_carve)(arena_t *a, const exec_t *ex, int64_t m, int64_t n,
                         int64_t p, int64_t u, int64_t v, preprocess_work_t *w)
{
    const int64_t l = min_i(p, n), k = min_i(m, n);
    const int64_t trapezoids = n * min_i(n, m + p);
    const int64_t some = X(rearrange_entries)(max_i(m, p), n);
    const size_t each = sizeof(scalar_t);
    w->E = mat_view(gsvd_arena_take(a, trapezoids, each), trapezoids, 1,
                    max_i(trapezoids, 1));
    w->work = mat_view(gsvd_arena_take(a, some, each), some, 1, max_i(some, 1));
    w->tau_v = gsvd_arena_take(a, l, each);
    w->tau_b = gsvd_arena_take(a, l, each);
    w->tau_u = gsvd_arena_take(a, k, each);
    w->tau_a = gsvd_arena_take(a, k, each);
    w->perm_b = gsvd_arena_take(a, n, sizeof(int));
    w->perm_a = gsvd_arena_take(a, n, sizeof(int));
    w->perm_a23 = gsvd_arena_take(a, l, sizeof(int));
    w->size_b = gsvd_arena_take(a, p, sizeof(real_t));
    w->size_a = gsvd_arena_take(a, m, sizeof(real_t));
    w->row_perm = gsvd_arena_take(a, max_i(m, p), sizeof(int));
    w->row_inverse_b = gsvd_arena_take(a, p, sizeof(int));
    w->row_inverse_a = gsvd_arena_take(a, m, sizeof(int));
    w->lost = 0;
    X(by_rows_carve)(a, ex, m, n, p, &w->by_rows);

    const size_t for_u = X(form_work_bytes)(ex, m, u, k, QUEUE_FACTOR);
    const size_t for_v = X(form_work_bytes)(ex, p, v, l, QUEUE_FACTOR);
    const size_t most = most_for_products(m + p, n);
    w->async.work = gsvd_arena_buffer(a, for_u > for_v ? for_u : for_v);
    w->async.products = gsvd_arena_buffer(
        a, w->async.work.bytes == 0
               ? 0
               : ex->op->products_bytes(ex, max_i(m, p), max_i(u, v), n, most));
}

size_t X(preprocess_work_bytes)(const exec_t *ex, int64_t m, int64_t n,
                                int64_t p, int64_t u, int64_t v)
{
    const int64_t tall = max_i(max_i(m, p), n), k = min_i(max_i(m, p), n);
    const int64_t l = min_i(p, n);
    size_t most = 0;

    GSVD_STEP(ex, &most, "pivoted QR of B", p, n, X(geqp_work_bytes)(ex, p, n),
              X(geqp_seconds)(ex, p, n)); /* 1 */
    GSVD_STEP(ex, &most, "reflectors applied", tall, tall,
              X(unmqr_work_bytes)(ex, tall, k, tall),
              X(unmqr_seconds)(ex, n, l, m)); /* 3, 5, 9, and in 1, 4 */
    GSVD_STEP(ex, &most, "pivoted QR of A's columns beside B's", m, n - l,
              X(geqp_work_bytes)(ex, m, n),
              X(geqp_seconds)(ex, m, n - l)); /* 4 */
    GSVD_STEP(ex, &most, "QR", tall, k, X(geqrf_work_bytes)(ex, tall, k),
              X(geqrf_seconds)(ex, m, l)); /* 2, 6, 8 */
    GSVD_STEP(ex, &most, "U formed", m, u,
              X(form_work_bytes)(ex, m, u, min_i(m, n), ex->queue),
              X(ungqr_seconds)(ex, m, u, min_i(u, n))); /* 7 */
    GSVD_STEP(ex, &most, "V formed", p, v,
              X(form_work_bytes)(ex, p, v, l, ex->queue),
              X(ungqr_seconds)(ex, p, v, min_i(v, n)));
    GSVD_STEP(ex, &most, "ranks relative to rows, if asked for", max_i(m, p), n,
              max_size(X(by_rows_bytes)(ex, p, n), X(by_rows_bytes)(ex, m, n)),
              0);
    return most;
}

/* *tol := LAPACK's tolerance of an X_ with this norm, if *tol is negative */
static gsvd_status_t default_tolerance(const exec_t *ex, mat_t X_, real_t norm,
                                       real_t *tol)
{
    norms_t r = {.norm1 = norm};
    if (*tol >= 0)
        return GSVD_SUCCESS;
    if (norm == 0)
        GSVD_TRY(ex->op->norms(ex, X_, &r));
    *tol = rank_tolerance(X_.rows, X_.cols, r.norm1);
    return GSVD_SUCCESS;
}

gsvd_status_t X(default_tolerances)(const exec_t *ex, pair_t *P)
{
    P->given_a = P->tola >= 0;
    P->given_b = P->tolb >= 0;
    GSVD_TRY(default_tolerance(ex, P->A, P->norm_a, &P->tola));
    return default_tolerance(ex, P->B, P->norm_b, &P->tolb);
}

/* Are the columns of A23 pivoted, too? */
static int pivots_a23(const pair_t *P, mat_t A23)
{
    return P->sort_a && P->any_a23 && A23.rows > 1;
}

/* 6: the QR of A23 */
static gsvd_status_t factor_a23(const exec_t *ex, const pair_t *P, mat_t A23,
                                const preprocess_work_t *w)
{
    int64_t rank;
    if (pivots_a23(P, A23))
        return X(geqpf)(ex, A23, ex->policy.pivot, -1, w->perm_a23,
                        w->tau_u + P->k, &rank);
    return X(geqrf)(ex, A23, w->tau_u + P->k);
}

/* A23 := R P3^T out of that QR, a few rows at a time */
static gsvd_status_t finish_a23(const exec_t *ex, const pair_t *P, mat_t A23,
                                const preprocess_work_t *w)
{
    const int64_t l = A23.cols, m1 = min_i(A23.rows, l);
    const int64_t most = max_i(w->work.rows / 2 / max_i(l, 1), 1);

    GSVD_TRY(
        ex->op->zero_lower(ex, P->kept.keep != 0 ? mat_rows(A23, 0, m1) : A23));
    if (!pivots_a23(P, A23))
        return GSVD_SUCCESS;
    for (int64_t i = 0; i < m1; i += most) {
        const mat_t R = mat_sub(A23, i, 0, min_i(most, m1 - i), l);
        const mat_t T = mat_view(w->work.data, l, R.rows, l);
        const mat_t T2 = mat_view(w->work.data + l * R.rows, l, R.rows, l);
        GSVD_TRY(ex->op->ctrans(ex, R, T));
        GSVD_TRY(ex->op->permute_rows(ex, T, w->perm_a23, T2));
        GSVD_TRY(ex->op->ctrans(ex, T2, R));
    }
    return GSVD_SUCCESS;
}

/* The first `rank` columns of K are reflectors: S := their rows that A needs for a triangle, and A has
 * the rows below. */
static gsvd_status_t keep_reflectors(const exec_t *ex, mat_t K, mat_t A,
                                     int64_t rank, mat_t S)
{
    const int64_t q = S.rows, below = A.rows - q;

    if (!S.data)
        return GSVD_SUCCESS;
    GSVD_TRY(ex->op->copy(ex, mat_sub(K, 0, 0, q, rank), mat_cols(S, 0, rank)));
    return K.data == A.data ? GSVD_SUCCESS
                            : ex->op->copy(ex, mat_sub(K, q, 0, below, rank),
                                           mat_sub(A, q, 0, below, rank));
}

/* ... of U2 and U3 */
static gsvd_status_t keep_u(const exec_t *ex, const pair_t *P,
                            const preprocess_work_t *w, mat_t A1, mat_t A23)
{
    const int64_t k = P->k, k3 = min_i(A23.rows, A23.cols), q = k + k3;
    const mat_t S = mat_sub(P->kept.of_u, 0, 0, q, q);

    GSVD_TRY(keep_reflectors(ex, w->qr_a.reflectors, A1, k, S));
    return S.data ? ex->op->copy(ex, mat_sub(A23, 0, 0, k3, k3),
                                 mat_sub(S, k, k, k3, k3))
                  : GSVD_SUCCESS;
}

/* The rows of A that its triangle takes and those below, which become 0, or which reflectors take */
static mat_t rows_of(const pair_t *P, mat_t A, int64_t rank)
{
    return P->kept.keep != 0 ? mat_rows(A, 0, rank) : A;
}

/* U := U2 diag(I, U3): the reflectors of A1 and, behind them, those in A23, which begin
 * at row k, are one sequence. */
static gsvd_status_t form_u(const exec_t *ex, const pair_t *P,
                            const preprocess_work_t *w, mat_t A23)
{
    const mat_t A1 = w->qr_a.reflectors;
    const int64_t k = P->k, k3 = P->a23_whole ? 0 : min_i(A23.rows, A23.cols);
    const mat_t U = P->U;

    if (!U.data)
        return GSVD_SUCCESS;
    GSVD_TRY(ex->op->copy(ex, mat_cols(A1, 0, k), mat_cols(U, 0, k)));
    GSVD_TRY(
        ex->op->copy(ex, mat_cols(A23, 0, k3), mat_sub(U, k, k, A23.rows, k3)));
    return X(form_async)(ex, &w->async, U, k + k3, w->tau_u);
}

/* Q := the last columns of P1 Q1 diag(P2 Q2, I) */
static gsvd_status_t form_q(const exec_t *ex, const pair_t *P,
                            const preprocess_work_t *w, mat_t E1, mat_t E2)
{
    const mat_t Q = P->Q, top = mat_rows(Q, 0, P->n - P->l);

    if (!Q.data)
        return GSVD_SUCCESS;
    GSVD_TRY(ex->op->set(ex, Q, 0, 0));
    GSVD_TRY(ex->op->set(ex, mat_rows(Q, Q.rows - Q.cols, Q.cols), 0, 1));
    GSVD_TRY(X(urv_apply)(ex, 'L', w->perm_a, E2, w->tau_a, top, w->work));
    return X(urv_apply)(ex, 'L', w->perm_b, E1, w->tau_b, Q, w->work);
}

/* 0: C := P C, the largest rows first; inverse := P^T */
static gsvd_status_t sort_rows(const exec_t *ex, mat_t C, const real_t *size,
                               int *inverse, const preprocess_work_t *w)
{
    GSVD_TRY(ex->op->sort_rows(ex, C.rows, size, w->row_perm, inverse));
    return X(rearrange)(ex, 'L', w->row_perm, C, w->work);
}

/* U := P^T U, after QUEUE_FACTOR has formed U */
static gsvd_status_t unsort_rows(const exec_t *ex, mat_t U, const int *inverse,
                                 const preprocess_work_t *w)
{
    GSVD_TRY(ex->op->join(ex, QUEUE_FACTOR));
    return U.data ? X(rearrange)(ex, 'L', inverse, U, w->work) : GSVD_SUCCESS;
}

/* 1 or 4: a pivoted QR, its rank by tol or, where s has them, by the scales of rows */
static gsvd_status_t pivoted_qr(const exec_t *ex, mat_t A, real_t tol,
                                const row_scales_t *s, mat_t S,
                                const preprocess_work_t *w, int *perm,
                                scalar_t *tau, rank_qr_t *qr)
{
    *qr = (rank_qr_t){.reflectors = A};
    if (s->on)
        return X(geqp_by_rows)(ex, A, S, s, &w->by_rows, perm, tau, qr);
    return X(geqpf)(ex, A, ex->policy.pivot, tol, perm, tau, &qr->rank);
}

/* 0 and 1 of B, and 0 of A, of which it depends on B's rank */
static gsvd_status_t factor_b(const exec_t *ex, pair_t *P, preprocess_work_t *w)
{
    const mat_t B = P->B;
    const real_t tolb = P->tolb;
    by_rows_t *const rows = &w->by_rows;
    exec_t in = *ex;

    GSVD_TRY(X(equilibrate_b)(ex, P, w));
    in.policy.rowwise_stable = P->sort_b;
    if (P->sort_b)
        GSVD_TRY(sort_rows(ex, B, w->size_b, w->row_inverse_b, w));
    if (P->sort_b && rows->is_wanted)
        GSVD_TRY(X(measure_rows)(ex, B, P->given_b ? tolb : -1, P->top,
                                 w->size_b, rows, &rows->b));
    GSVD_TRY(pivoted_qr(&in, B, fmax_r(P->tolb, P->least_b), &rows->b, w->E, w,
                        w->perm_b, w->tau_v, &w->qr_b));
    P->l = w->qr_b.rank;
    P->v_waits = P->v_waits && !P->sort_b && P->l == P->p;
    if (P->v_waits)
        GSVD_TRY(ex->op->copy(ex, mat_cols(w->qr_b.reflectors, 0, P->l), P->V));
    else
        GSVD_TRY(X(urv_form_u)(&in, &w->async, w->qr_b.reflectors, P->l,
                               w->tau_v, P->V));
    GSVD_TRY(keep_reflectors(&in, w->qr_b.reflectors, B, P->l,
                             mat_sub(P->kept.of_v, 0, 0, P->l, P->l)));
    if (P->sort_b)
        GSVD_TRY(unsort_rows(ex, P->V, w->row_inverse_b, w));

    GSVD_TRY(X(equilibrate_a)(ex, P, w));
    if (!P->equilibrated)
        P->tolb = tolb;
    if (P->sort_a)
        GSVD_TRY(sort_rows(ex, P->A, w->size_a, w->row_inverse_a, w));
    return P->sort_a && rows->is_wanted && P->l < P->n
               ? X(measure_rows)(ex, P->A, P->given_a ? P->tola : -1, P->top,
                                 w->size_a, rows, &rows->a)
               : GSVD_SUCCESS;
}

static gsvd_status_t triangles(const exec_t *ex, pair_t *P,
                               preprocess_work_t *w)
{
    const int64_t m = P->m, n = P->n;
    const mat_t A = P->A, B = P->B;
    const real_t tola = fmax_r(P->tola, P->least_a);

    /* Reflectors are to be as small for a short column as it is. */
    exec_t by_columns = *ex;
    by_columns.policy.rowwise_stable |= P->equilibrated;
    const mat_t E1 = mat_view(w->E.data, n, P->l, max_i(n, 1));
    GSVD_TRY(X(urv_triangle)(&by_columns, rows_of(P, B, P->l), w->qr_b.is_full,
                             E1, w->tau_b)); /* 2 */

    GSVD_TRY(
        X(urv_apply)(ex, 'R', w->perm_b, E1, w->tau_b, A, w->work)); /* 3 */

    const mat_t A1 = mat_cols(A, 0, n - P->l), A2 = mat_cols(A, n - P->l, P->l);
    const mat_t rest = mat_view(w->E.data + n * P->l, A1.cols,
                                min_i(m, A1.cols), max_i(A1.cols, 1));
    w->qr_a = (rank_qr_t){.reflectors = A1};
    if (n > P->l)
        GSVD_TRY(pivoted_qr(ex, A1, tola, &w->by_rows.a, rest, w, w->perm_a,
                            w->tau_u, &w->qr_a)); /* 4 */
    P->k = w->qr_a.rank;

    GSVD_TRY(
        X(unmqr)(ex, 'L', 'C', w->qr_a.reflectors, P->k, w->tau_u, A2)); /* 5 */

    const mat_t A23 = mat_rows(A2, P->k, m - P->k);
    P->a23_whole = P->any_a23 && !P->sort_a && A23.rows <= A23.cols;
    if (!P->a23_whole)
        GSVD_TRY(factor_a23(ex, P, A23, w)); /* 6 */

    GSVD_TRY(form_u(ex, P, w, A23)); /* 7 */
    GSVD_TRY(keep_u(ex, P, w, A1, A23));
    if (P->sort_a)
        GSVD_TRY(unsort_rows(ex, P->U, w->row_inverse_a, w));
    if (!P->a23_whole)
        GSVD_TRY(finish_a23(ex, P, A23, w));

    const mat_t E2 = mat_cols(rest, 0, P->k);
    if (n > P->l)
        GSVD_TRY(X(urv_triangle)(&by_columns, rows_of(P, A1, P->k),
                                 w->qr_a.is_full, E2, w->tau_a)); /* 8 */

    return form_q(ex, P, w, E1, E2); /* 9 */
}

gsvd_status_t X(preprocess_pair)(const exec_t *ex, pair_t *P,
                                 preprocess_work_t *w)
{
    exec_t in = *ex;

    GSVD_TRY(X(default_tolerances)(ex, P));
    gsvd_status_t status = factor_b(ex, P, w);
    in.policy.rowwise_stable |= P->sort_a || P->sort_b;
    if (status == GSVD_SUCCESS)
        status = triangles(&in, P, w);
    GSVD_TRY(ex->op->join(ex, QUEUE_FACTOR));
    return status;
}
