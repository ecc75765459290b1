/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* urv.c -- complete orthogonal decomposition A = U (0 R; 0 0) V^H: Flegar 2016,
 * proposition 1.4.
 *
 *     1  A P = U (S; 0)            pivoted QR, r = rank
 *     2  U                         from the reflectors, its wanted columns
 *     3  S = (0 R) Q^H             RQ
 *     4  V = P Q                   its trailing columns
 *
 * On a device step 2 may overlap steps 3 and 4.
 */
#include "urv/urv.h"
#include "pivot/pivot.h"

#include "qr/qr.h"

void X(urv_carve)(arena_t *a, const exec_t *ex, int64_t m, int64_t n, int64_t u,
                  int64_t v, urv_work_t *w)
{
    const size_t most = most_for_products(m, n);
    const int64_t r = min_i(m, n), ld = max_i(n, 1);
    const size_t each = sizeof(scalar_t);
    w->E = mat_view(gsvd_arena_take(a, n * r, each), n, r, ld);
    const int64_t some = v > 0 ? X(rearrange_entries)(n, r) : 0;
    w->work = mat_view(gsvd_arena_take(a, some, each), some, 1, max_i(some, 1));
    w->tau_u = gsvd_arena_take(a, r, each);
    w->tau_v = gsvd_arena_take(a, r, each);
    w->perm = gsvd_arena_take(a, n, sizeof(int));
    w->async.work =
        gsvd_arena_buffer(a, X(form_work_bytes)(ex, m, u, r, QUEUE_FACTOR));
    w->async.products = gsvd_arena_buffer(
        a,
        w->async.work.bytes == 0
            ? 0
            : ex->op->products_bytes(ex, max_i(m, n), r, ex->tune->wide, most));
}

gsvd_status_t X(urv_triangle)(const exec_t *ex, mat_t A, int is_full, mat_t E,
                              scalar_t *tau)
{
    const int64_t r = E.cols, n = A.cols;
    const mat_t S = mat_rows(A, 0, r);

    GSVD_TRY(ex->op->set(ex, mat_rows(A, r, A.rows - r), 0, 0));
    if (!is_full)
        GSVD_TRY(ex->op->zero_lower(ex, S));
    if (r == n)
        return GSVD_SUCCESS;
    GSVD_TRY(X(rq_factor)(ex, S, E, tau));
    GSVD_TRY(ex->op->set(ex, mat_cols(S, 0, n - r), 0, 0));
    return X(rq_triangle)(ex, E, mat_cols(S, n - r, r));
}

gsvd_status_t X(urv_apply)(const exec_t *ex, char side, const int *perm,
                           mat_t E, const scalar_t *tau, mat_t C, mat_t work)
{
    if (mat_empty(C))
        return GSVD_SUCCESS;
    if (side == 'R')
        GSVD_TRY(X(rearrange)(ex, side, perm, C, work));
    if (E.cols < E.rows)
        GSVD_TRY(X(rq_apply)(ex, side, E, tau, C, work));
    return side == 'R' ? GSVD_SUCCESS : X(rearrange)(ex, side, perm, C, work);
}

/* The queue in which a rows x cols factor is formed */
static queue_t form_queue(const exec_t *ex, int64_t rows, int64_t cols)
{
    return rows * cols >= ex->tune->lookahead ? QUEUE_FACTOR : ex->queue;
}

size_t X(form_work_bytes)(const exec_t *ex, int64_t rows, int64_t cols,
                          int64_t k, queue_t queue)
{
    return cols > 0 && form_queue(ex, rows, cols) == queue
               ? X(ungqr_work_bytes)(ex, rows, cols, k)
               : 0;
}

gsvd_status_t X(form_async)(const exec_t *ex, const async_work_t *w, mat_t U,
                            int64_t k, const scalar_t *tau)
{
    exec_t fork;
    if (form_queue(ex, U.rows, U.cols) == ex->queue)
        return X(ungqr)(ex, U, k, tau);
    GSVD_TRY(ex->op->fork(ex, QUEUE_FACTOR, &fork));
    fork.work = gsvd_arena_over(w->work.data, w->work.bytes);
    fork.products = w->products;
    return X(ungqr)(&fork, U, k, tau);
}

gsvd_status_t X(urv_form_u)(const exec_t *ex, const async_work_t *w, mat_t A,
                            int64_t r, const scalar_t *tau, mat_t U)
{
    if (!U.data)
        return GSVD_SUCCESS;
    GSVD_TRY(ex->op->copy(ex, mat_cols(A, 0, r), mat_cols(U, 0, r)));
    return X(form_async)(ex, w, U, r, tau);
}

/* V := P Q times the trailing columns of I */
static gsvd_status_t form_v(const exec_t *ex, mat_t E, const urv_work_t *w,
                            mat_t V)
{
    if (!V.data)
        return GSVD_SUCCESS;
    GSVD_TRY(ex->op->set(ex, V, 0, 0));
    GSVD_TRY(ex->op->set(ex, mat_rows(V, V.rows - V.cols, V.cols), 0, 1));
    return X(urv_apply)(ex, 'L', w->perm, E, w->tau_v, V, w->work);
}

static gsvd_status_t factor(const exec_t *ex, mat_t A, mat_t U, mat_t V,
                            real_t tol, int64_t *r, urv_work_t *w)
{
    GSVD_TRY(
        X(geqpf)(ex, A, ex->policy.pivot, tol, w->perm, w->tau_u, r)); /* 1 */
    GSVD_TRY(X(urv_form_u)(ex, &w->async, A, *r, w->tau_u, U));        /* 2 */
    const mat_t E = mat_cols(w->E, 0, *r);
    GSVD_TRY(X(urv_triangle)(ex, A, 0, E, w->tau_v)); /* 3 */
    return form_v(ex, E, w, V);                       /* 4 */
}

gsvd_status_t X(urv_factor)(const exec_t *ex, mat_t A, mat_t U, mat_t V,
                            real_t tol, int64_t *r, urv_work_t *w)
{
    const gsvd_status_t status = factor(ex, A, U, V, tol, r, w);
    GSVD_TRY(ex->op->join(ex, QUEUE_FACTOR));
    return status;
}
