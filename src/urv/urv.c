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
 * On a device 2 goes on beside 3 and 4.
 */
#include "urv/urv.h"
#include "pivot/pivot.h"

#include "qr/qr.h"

void X(urv_carve)(arena_t *a, int64_t m, int64_t n, int64_t v, urv_work_t *w)
{
    const int64_t r = min_i(m, n), ld = max_i(n, 1);
    const size_t each = sizeof(scalar_t);
    w->E = mat_view(gsvd_arena_take(a, n * r, each), n, r, ld);
    const int64_t some = v > 0 ? X(spare_entries)(n, r) : 0;
    w->spare =
        mat_view(gsvd_arena_take(a, some, each), some, 1, max_i(some, 1));
    w->tau_u = gsvd_arena_take(a, r, each);
    w->tau_v = gsvd_arena_take(a, r, each);
    w->perm = gsvd_arena_take(a, n, sizeof(int));
}

gsvd_status_t X(urv_triangle)(gsvd_handle_t h, const backend_t *be, mat_t A,
                              mat_t E, scalar_t *tau)
{
    const int64_t r = E.cols, n = A.cols;
    const mat_t S = mat_rows(A, 0, r);

    GSVD_TRY(be->set(h, mat_rows(A, r, A.rows - r), 0, 0));
    GSVD_TRY(be->zero_lower(h, S));
    if (r == n)
        return GSVD_SUCCESS;
    GSVD_TRY(X(rq_factor)(h, be, S, E, tau));
    GSVD_TRY(be->set(h, mat_cols(S, 0, n - r), 0, 0));
    return X(rq_triangle)(h, be, E, mat_cols(S, n - r, r));
}

gsvd_status_t X(urv_apply)(gsvd_handle_t h, const backend_t *be, char side,
                           const int *perm, mat_t E, const scalar_t *tau,
                           mat_t C, mat_t spare)
{
    if (mat_empty(C))
        return GSVD_SUCCESS;
    if (side == 'R')
        GSVD_TRY(X(rearrange)(h, be, side, perm, C, spare));
    if (E.cols < E.rows)
        GSVD_TRY(X(rq_apply)(h, be, side, E, tau, C, spare));
    return side == 'R' ? GSVD_SUCCESS
                       : X(rearrange)(h, be, side, perm, C, spare);
}

static int is_beside(const backend_t *be, int64_t rows, int64_t cols)
{
    return rows * cols >= be->ahead;
}

size_t X(form_beside_bytes)(const backend_t *be, int64_t rows, int64_t cols,
                            int64_t k, int beside)
{
    return cols > 0 && is_beside(be, rows, cols) == beside
               ? X(ungqr_desk_bytes)(be, rows, cols, k)
               : 0;
}

gsvd_status_t X(form_beside)(gsvd_handle_t h, const backend_t *be, mat_t U,
                             int64_t k, const scalar_t *tau)
{
    if (!is_beside(be, U.rows, U.cols))
        return X(ungqr)(h, be, U, k, tau);
    GSVD_TRY(be->aside(h, QUEUE_FACTOR));
    const gsvd_status_t status = X(ungqr)(h, be, U, k, tau);
    GSVD_TRY(be->aside(h, QUEUE_OWN));
    return status;
}

gsvd_status_t X(urv_form_u)(gsvd_handle_t h, const backend_t *be, mat_t A,
                            int64_t r, const scalar_t *tau, mat_t U)
{
    if (!U.data)
        return GSVD_SUCCESS;
    GSVD_TRY(be->copy(h, mat_cols(A, 0, r), mat_cols(U, 0, r)));
    return X(form_beside)(h, be, U, r, tau);
}

/* V = P Q from the trailing columns of I */
static gsvd_status_t form_v(gsvd_handle_t h, const backend_t *be, mat_t E,
                            const urv_work_t *w, mat_t V)
{
    if (!V.data)
        return GSVD_SUCCESS;
    GSVD_TRY(be->set(h, V, 0, 0));
    GSVD_TRY(be->set(h, mat_rows(V, V.rows - V.cols, V.cols), 0, 1));
    return X(urv_apply)(h, be, 'L', w->perm, E, w->tau_v, V, w->spare);
}

static gsvd_status_t factor(gsvd_handle_t h, const backend_t *be, mat_t A,
                            mat_t U, mat_t V, real_t tol, int64_t *r,
                            urv_work_t *w)
{
    const gsvd_pivot_t how = (gsvd_pivot_t)h->option[GSVD_PIVOT];

    GSVD_TRY(X(geqpf)(h, be, A, how, tol, w->perm, w->tau_u, r)); /* 1 */
    GSVD_TRY(X(urv_form_u)(h, be, A, *r, w->tau_u, U));           /* 2 */
    const mat_t E = mat_cols(w->E, 0, *r);
    GSVD_TRY(X(urv_triangle)(h, be, A, E, w->tau_v)); /* 3 */
    return form_v(h, be, E, w, V);                    /* 4 */
}

gsvd_status_t X(urv_factor)(gsvd_handle_t h, const backend_t *be, mat_t A,
                            mat_t U, mat_t V, real_t tol, int64_t *r,
                            urv_work_t *w)
{
    const gsvd_status_t status = factor(h, be, A, U, V, tol, r, w);
    GSVD_TRY(be->meet(h, QUEUE_FACTOR));
    return status;
}
