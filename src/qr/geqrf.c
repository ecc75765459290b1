/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* geqrf.c -- blocked QR factorization; its R alone; its Q applied and formed.
 *
 *     A = (A1 A2)                             A1: the next b columns
 *     1  A1 = (I - V T V^H) (R11; 0)          a panel
 *     2  A2 := (I - V T^H V^H) A2 = (R12; A') go on with A'
 *
 * Few reflectors on a small matrix are applied one by one (be->reflect).  Where a
 * panel keeps a small part of the machine busy (be->ahead), the next panel's
 * columns are updated first, and the others while it runs.
 */
#include "qr/qr.h"
#include "qr/tsqr.h"

/* The driver's room to factor A */
static gsvd_status_t take_desk(gsvd_handle_t h, const backend_t *be, mat_t A,
                               qr_work_t *w)
{
    const size_t bytes = X(geqrf_desk_bytes)(be, A.rows, A.cols);
    void *desk;

    GSVD_TRY(gsvd_desk(h, bytes, &desk));
    arena_t a = gsvd_arena_over(desk, bytes);
    X(factor_carve)(&a, be, A.rows, A.cols, w);
    return GSVD_SUCCESS;
}

/* ... and to apply A's reflectors to so many columns or rows, Ts formed */
static gsvd_status_t take_blocks(gsvd_handle_t h, const backend_t *be, mat_t A,
                                 const scalar_t *tau, int64_t across,
                                 qr_work_t *w)
{
    const size_t bytes = X(unmqr_desk_bytes)(be, A.rows, A.cols, across);
    void *desk;

    GSVD_TRY(gsvd_desk(h, bytes, &desk));
    arena_t a = gsvd_arena_over(desk, bytes);
    X(apply_carve)(&a, be, A.rows, A.cols, across, w);
    return X(blocks_form)(h, be, A, tau, w);
}

static int one_by_one(const backend_t *be, int64_t k, mat_t C)
{
    return mat_empty(C) ||
           (k * C.rows * C.cols <= be->few && C.rows <= REFLECTED_ROWS);
}

/* 1 for the b columns from j on; V and T in room number `which` */
static gsvd_status_t panel(gsvd_handle_t h, const backend_t *be, mat_t A,
                           int64_t j, int64_t b, scalar_t *tau,
                           const qr_work_t *w, int which, qr_work_t *to)
{
    const int64_t block = min_i(be->block, min_i(A.rows, A.cols));
    const mat_t A1 = mat_sub(A, j, j, A.rows - j, b);

    *to = *w;
    to->V = mat_view(w->V.data + which * A.rows * block, A1.rows, b, A1.rows);
    to->T = mat_view(w->T.data + which * block * block, b, b, b);
    return be->panel(h, A1, tau + j, to->V, to->T);
}

/* The same beside what is queued next */
static gsvd_status_t panel_aside(gsvd_handle_t h, const backend_t *be, mat_t A,
                                 int64_t j, int64_t b, scalar_t *tau,
                                 const qr_work_t *w, int which, qr_work_t *to)
{
    GSVD_TRY(be->aside(h, QUEUE_PANEL));
    const gsvd_status_t status = panel(h, be, A, j, b, tau, w, which, to);
    GSVD_TRY(be->aside(h, QUEUE_OWN));
    return status;
}

/* 1 and 2 for all panels, each beside 2 of the one before */
static gsvd_status_t factor_ahead(gsvd_handle_t h, const backend_t *be, mat_t A,
                                  scalar_t *tau, const qr_work_t *w)
{
    const int64_t k = min_i(A.rows, A.cols), block = be->block;
    qr_work_t now, next;

    GSVD_TRY(panel(h, be, A, 0, min_i(block, k), tau, w, 0, &now));
    for (int64_t j = block; j < k; j += block) {
        const int64_t b = min_i(block, k - j), rows = A.rows - j + block;
        const mat_t near = mat_sub(A, j - block, j, rows, b);
        const mat_t far = mat_sub(A, j - block, j + b, rows, A.cols - j - b);

        GSVD_TRY(X(block_apply)(h, be, 'L', 'C', &now, near));
        gsvd_status_t status =
            panel_aside(h, be, A, j, b, tau, w, (int)(j / block % 2), &next);
        if (status == GSVD_SUCCESS)
            status = X(block_apply)(h, be, 'L', 'C', &now, far);
        GSVD_TRY(be->meet(h, QUEUE_PANEL));
        GSVD_TRY(status);
        now = next;
    }
    const int64_t last = (k - 1) / block * block;
    return X(block_apply)(h, be, 'L', 'C', &now,
                          mat_sub(A, last, k, A.rows - last, A.cols - k));
}

gsvd_status_t X(geqrf)(gsvd_handle_t h, const backend_t *be, mat_t A,
                       scalar_t *tau)
{
    const int64_t k = min_i(A.rows, A.cols);
    const mat_t none = mat_view(NULL, 0, 0, 1);
    qr_work_t w, now;

    if (mat_empty(A))
        return GSVD_SUCCESS;
    GSVD_TRY(take_desk(h, be, A, &w));
    if (k > be->block && A.rows * A.cols >= be->ahead)
        return factor_ahead(h, be, A, tau, &w);
    for (int64_t j = 0; j < k; j += be->block) {
        const int64_t b = min_i(be->block, k - j), rest = A.cols - j - b;
        const mat_t A1 = mat_sub(A, j, j, A.rows - j, b);
        const mat_t A2 = mat_sub(A, j, j + b, A.rows - j, rest);

        if (one_by_one(be, b, A2)) {
            const mat_t room = mat_view(w.V.data, A1.rows, b, A1.rows);
            GSVD_TRY(be->panel(h, A1, tau + j, room, none));
            GSVD_TRY(be->reflect(h, 'L', 'C', A1, b, tau + j, A2));
            continue;
        }
        GSVD_TRY(panel(h, be, A, j, b, tau, &w, 0, &now));   /* 1 */
        GSVD_TRY(X(block_apply)(h, be, 'L', 'C', &now, A2)); /* 2 */
    }
    return GSVD_SUCCESS;
}

gsvd_status_t X(geqr)(gsvd_handle_t h, const backend_t *be, mat_t A,
                      scalar_t *tau)
{
    const int64_t n = A.cols;
    void *desk;

    if (mat_empty(A))
        return GSVD_SUCCESS;
    if (n > TSQR_WIDTH || A.rows < n)
        return X(geqrf)(h, be, A, tau);
    GSVD_TRY(gsvd_desk(h, (size_t)(n * n) * sizeof(scalar_t), &desk));
    const mat_t R = mat_view(desk, n, n, n);
    GSVD_TRY(be->tall_r(h, A, R));
    return be->copy(h, R, mat_rows(A, 0, n));
}

gsvd_status_t X(unmqr)(gsvd_handle_t h, const backend_t *be, char side, char op,
                       mat_t A, int64_t k, const scalar_t *tau, mat_t C)
{
    const int left = side == 'L', forward = left == (op == 'C');
    qr_work_t w;

    if (k <= 0 || mat_empty(C))
        return GSVD_SUCCESS;
    if (one_by_one(be, k, C))
        return be->reflect(h, side, op, A, k, tau, C);
    const mat_t A1 = mat_cols(A, 0, k);
    GSVD_TRY(take_blocks(h, be, A1, tau, left ? C.cols : C.rows, &w));
    const int64_t last = (k - 1) / be->wide * be->wide;
    for (int64_t i = 0; i <= last; i += be->wide) {
        const int64_t j = forward ? i : last - i;

        GSVD_TRY(X(block_take)(h, be, A1, j, min_i(be->wide, k - j), &w));
        GSVD_TRY(X(block_apply)(h, be, side, op, &w,
                                left ? mat_rows(C, j, C.rows - j)
                                     : mat_cols(C, j, C.cols - j)));
    }
    return GSVD_SUCCESS;
}

static gsvd_status_t form_one_by_one(gsvd_handle_t h, const backend_t *be,
                                     mat_t A, int64_t k, const scalar_t *tau)
{
    void *desk;
    if (be->form)
        return be->form(h, A, k, tau);
    GSVD_TRY(gsvd_desk(h, (size_t)(A.rows * k) * sizeof(scalar_t), &desk));
    const mat_t V = mat_view(desk, A.rows, k, A.rows);
    GSVD_TRY(be->copy(h, mat_cols(A, 0, k), V));
    GSVD_TRY(be->set(h, A, 0, 1));
    return be->reflect(h, 'L', 'N', V, k, tau, A);
}

/* Q = H_1 ... H_k (I; 0), the last block first: what stands left of a block and
 * above it is still the identity. */
gsvd_status_t X(ungqr)(gsvd_handle_t h, const backend_t *be, mat_t A, int64_t k,
                       const scalar_t *tau)
{
    qr_work_t w;

    if (mat_empty(A))
        return GSVD_SUCCESS;
    if (k <= 0)
        return be->set(h, A, 0, 1);
    if (X(form_pays)(A.rows, A.cols, be->block, k))
        return X(form_at_once)(h, be, A, k, tau);
    if (one_by_one(be, k, A))
        return form_one_by_one(h, be, A, k, tau);
    if (k <= be->block)
        return X(form_at_once)(h, be, A, k, tau);
    GSVD_TRY(be->set(h, mat_cols(A, k, A.cols - k), 0, 0));
    GSVD_TRY(be->set(h, mat_sub(A, k, k, A.rows - k, A.cols - k), 0, 1));
    const mat_t A1 = mat_cols(A, 0, k);
    GSVD_TRY(take_blocks(h, be, A1, tau, A.cols, &w));
    for (int64_t j = (k - 1) / be->wide * be->wide; j >= 0; j -= be->wide) {
        const int64_t b = min_i(be->wide, k - j);
        const mat_t C = mat_sub(A, j, j, A.rows - j, A.cols - j);

        GSVD_TRY(X(block_take)(h, be, A1, j, b, &w));
        GSVD_TRY(be->set(h, mat_sub(A, 0, j, j, b), 0, 0));
        GSVD_TRY(be->set(h, mat_cols(C, 0, b), 0, 1));
        GSVD_TRY(X(block_apply)(h, be, 'L', 'N', &w, C));
    }
    return GSVD_SUCCESS;
}

/* A = H_1 ... H_k (R11 R12; 0 A22), the last block first: what stands left of a
 * block still holds reflectors. */
gsvd_status_t X(geqr_undo)(gsvd_handle_t h, const backend_t *be, mat_t A,
                           int64_t k, const scalar_t *tau)
{
    qr_work_t w;

    if (k <= 0)
        return GSVD_SUCCESS;
    const mat_t A1 = mat_cols(A, 0, k);
    GSVD_TRY(take_blocks(h, be, A1, tau, A.cols, &w));
    for (int64_t j = (k - 1) / be->wide * be->wide; j >= 0; j -= be->wide) {
        const int64_t b = min_i(be->wide, k - j);
        const mat_t C = mat_sub(A, j, j, A.rows - j, A.cols - j);

        GSVD_TRY(X(block_take)(h, be, A1, j, b, &w));
        GSVD_TRY(be->zero_lower(h, mat_cols(C, 0, b)));
        GSVD_TRY(X(block_apply)(h, be, 'L', 'N', &w, C));
    }
    return GSVD_SUCCESS;
}
