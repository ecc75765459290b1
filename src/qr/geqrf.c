/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* geqrf.c -- blocked QR factorization; its R alone; its Q applied and formed.
 *
 *     A = (A1 A2)                             A1: the next b columns
 *     1  A1 = (I - V T V^H) (R11; 0)          a panel
 *     2  A2 := (I - V T^H V^H) A2 = (R12; A') go on with A'
 *
 * Few reflectors on a small matrix are applied one by one (ex->op->reflect).  Where a
 * panel keeps a small part of the machine busy (ex->tune->ahead), the next panel's
 * columns are updated first, and the others while it runs.
 */
#include "qr/qr.h"
#include "qr/tsqr.h"

/* The driver's arrays to factor A */
static gsvd_status_t take_panels(exec_t *in, mat_t A, qr_work_t *w)
{
    X(factor_carve)(&in->work, in, A.rows, A.cols, w);
    return X(work_suffices)(in);
}

/* ... and to apply A's reflectors to so many columns or rows, Ts formed */
static gsvd_status_t take_blocks(exec_t *in, mat_t A, const scalar_t *tau,
                                 int64_t across, qr_work_t *w)
{
    X(apply_carve)(&in->work, in, A.rows, A.cols, across, w);
    GSVD_TRY(X(work_suffices)(in));
    return X(blocks_form)(in, A, tau, w);
}

static int one_by_one(const exec_t *ex, int64_t k, mat_t C)
{
    return mat_empty(C) ||
           (k * C.rows * C.cols <= ex->tune->few && C.rows <= REFLECTED_ROWS);
}

/* 1 for the b columns from j on; V and T in room number `which` */
static gsvd_status_t panel(const exec_t *ex, mat_t A, int64_t j, int64_t b,
                           scalar_t *tau, const qr_work_t *w, int which,
                           qr_work_t *to)
{
    const int64_t block = min_i(ex->tune->block, min_i(A.rows, A.cols));
    const mat_t A1 = mat_sub(A, j, j, A.rows - j, b);

    *to = *w;
    to->V = mat_view(w->V.data + which * A.rows * block, A1.rows, b, A1.rows);
    to->T = mat_view(w->T.data + which * block * block, b, b, b);
    return ex->op->panel(ex, A1, tau + j, to->V, to->T);
}

/* 1 and 2 for all panels, each beside 2 of the one before */
static gsvd_status_t factor_ahead(const exec_t *ex, mat_t A, scalar_t *tau,
                                  const qr_work_t *w)
{
    const int64_t k = min_i(A.rows, A.cols), block = ex->tune->block;
    qr_work_t now, next;
    exec_t aside;

    GSVD_TRY(panel(ex, A, 0, min_i(block, k), tau, w, 0, &now));
    for (int64_t j = block; j < k; j += block) {
        const int64_t b = min_i(block, k - j), rows = A.rows - j + block;
        const mat_t near = mat_sub(A, j - block, j, rows, b);
        const mat_t far = mat_sub(A, j - block, j + b, rows, A.cols - j - b);
        const int room = (int)(j / block % 2);

        GSVD_TRY(X(block_apply)(ex, 'L', 'C', &now, near));
        GSVD_TRY(ex->op->fork(ex, QUEUE_PANEL, &aside));
        gsvd_status_t status = panel(&aside, A, j, b, tau, w, room, &next);
        if (status == GSVD_SUCCESS)
            status = X(block_apply)(ex, 'L', 'C', &now, far);
        GSVD_TRY(ex->op->join(ex, QUEUE_PANEL));
        GSVD_TRY(status);
        now = next;
    }
    const int64_t last = (k - 1) / block * block;
    return X(block_apply)(ex, 'L', 'C', &now,
                          mat_sub(A, last, k, A.rows - last, A.cols - k));
}

/* 1 and 2 for one panel after the other */
static gsvd_status_t factor(const exec_t *ex, mat_t A, scalar_t *tau,
                            const qr_work_t *w)
{
    const int64_t k = min_i(A.rows, A.cols), block = ex->tune->block;
    const mat_t none = mat_view(NULL, 0, 0, 1);
    qr_work_t now;

    for (int64_t j = 0; j < k; j += block) {
        const int64_t b = min_i(block, k - j), rest = A.cols - j - b;
        const mat_t A1 = mat_sub(A, j, j, A.rows - j, b);
        const mat_t A2 = mat_sub(A, j, j + b, A.rows - j, rest);

        if (one_by_one(ex, b, A2)) {
            const mat_t room = mat_view(w->V.data, A1.rows, b, A1.rows);
            GSVD_TRY(ex->op->panel(ex, A1, tau + j, room, none));
            GSVD_TRY(ex->op->reflect(ex, 'L', 'C', A1, b, tau + j, A2));
            continue;
        }
        GSVD_TRY(panel(ex, A, j, b, tau, w, 0, &now));    /* 1 */
        GSVD_TRY(X(block_apply)(ex, 'L', 'C', &now, A2)); /* 2 */
    }
    return GSVD_SUCCESS;
}

gsvd_status_t X(geqrf)(const exec_t *ex, mat_t A, scalar_t *tau)
{
    exec_t in = *ex;
    qr_work_t w;

    if (mat_empty(A))
        return GSVD_SUCCESS;
    GSVD_TRY(take_panels(&in, A, &w));
    if (min_i(A.rows, A.cols) > ex->tune->block &&
        A.rows * A.cols >= ex->tune->ahead)
        return factor_ahead(&in, A, tau, &w);
    return factor(&in, A, tau, &w);
}

gsvd_status_t X(geqr)(const exec_t *ex, mat_t A, scalar_t *tau)
{
    const int64_t n = A.cols;
    exec_t in = *ex;

    if (mat_empty(A))
        return GSVD_SUCCESS;
    if (n > TSQR_WIDTH || A.rows < n)
        return X(geqrf)(ex, A, tau);
    const mat_t R = X(take_matrix)(&in.work, n, n);
    GSVD_TRY(X(work_suffices)(&in));
    GSVD_TRY(in.op->r_only(&in, A, R));
    return in.op->copy(&in, R, mat_rows(A, 0, n));
}

gsvd_status_t X(unmqr)(const exec_t *ex, char side, char op, mat_t A, int64_t k,
                       const scalar_t *tau, mat_t C)
{
    const int left = side == 'L', forward = left == (op == 'C');
    exec_t in = *ex;
    qr_work_t w;

    if (k <= 0 || mat_empty(C))
        return GSVD_SUCCESS;
    if (one_by_one(ex, k, C))
        return ex->op->reflect(ex, side, op, A, k, tau, C);
    const mat_t A1 = mat_cols(A, 0, k);
    GSVD_TRY(take_blocks(&in, A1, tau, left ? C.cols : C.rows, &w));
    const int64_t last = (k - 1) / ex->tune->wide * ex->tune->wide;
    for (int64_t i = 0; i <= last; i += ex->tune->wide) {
        const int64_t j = forward ? i : last - i;

        GSVD_TRY(X(block_take)(&in, A1, j, min_i(ex->tune->wide, k - j), &w));
        GSVD_TRY(X(block_apply)(&in, side, op, &w,
                                left ? mat_rows(C, j, C.rows - j)
                                     : mat_cols(C, j, C.cols - j)));
    }
    return GSVD_SUCCESS;
}

static gsvd_status_t form_one_by_one(const exec_t *ex, mat_t A, int64_t k,
                                     const scalar_t *tau)
{
    exec_t in = *ex;
    if (ex->op->form_q)
        return ex->op->form_q(ex, A, k, tau);
    const mat_t V = X(take_matrix)(&in.work, A.rows, k);
    GSVD_TRY(X(work_suffices)(&in));
    GSVD_TRY(in.op->copy(&in, mat_cols(A, 0, k), V));
    GSVD_TRY(in.op->set(&in, A, 0, 1));
    return in.op->reflect(&in, 'L', 'N', V, k, tau, A);
}

/* Q = H_1 ... H_k (I; 0), the last block first: what stands left of a block and
 * above it is still the identity. */
gsvd_status_t X(ungqr)(const exec_t *ex, mat_t A, int64_t k,
                       const scalar_t *tau)
{
    exec_t in = *ex;
    qr_work_t w;

    if (mat_empty(A))
        return GSVD_SUCCESS;
    if (k <= 0)
        return ex->op->set(ex, A, 0, 1);
    if (X(form_pays)(A.rows, A.cols, ex->tune->block, k))
        return X(form_q_single_block)(ex, A, k, tau);
    if (one_by_one(ex, k, A))
        return form_one_by_one(ex, A, k, tau);
    if (k <= ex->tune->block)
        return X(form_q_single_block)(ex, A, k, tau);
    GSVD_TRY(ex->op->set(ex, mat_cols(A, k, A.cols - k), 0, 0));
    GSVD_TRY(ex->op->set(ex, mat_sub(A, k, k, A.rows - k, A.cols - k), 0, 1));
    const mat_t A1 = mat_cols(A, 0, k);
    GSVD_TRY(take_blocks(&in, A1, tau, A.cols, &w));
    for (int64_t j = (k - 1) / ex->tune->wide * ex->tune->wide; j >= 0;
         j -= ex->tune->wide) {
        const int64_t b = min_i(ex->tune->wide, k - j);
        const mat_t C = mat_sub(A, j, j, A.rows - j, A.cols - j);

        GSVD_TRY(X(block_take)(&in, A1, j, b, &w));
        GSVD_TRY(in.op->set(&in, mat_sub(A, 0, j, j, b), 0, 0));
        GSVD_TRY(in.op->set(&in, mat_cols(C, 0, b), 0, 1));
        GSVD_TRY(X(block_apply)(&in, 'L', 'N', &w, C));
    }
    return GSVD_SUCCESS;
}

/* A = H_1 ... H_k (R11 R12; 0 A22), the last block first: what stands left of a
 * block still holds reflectors. */
gsvd_status_t X(geqr_undo)(const exec_t *ex, mat_t A, int64_t k,
                           const scalar_t *tau)
{
    exec_t in = *ex;
    qr_work_t w;

    if (k <= 0)
        return GSVD_SUCCESS;
    const mat_t A1 = mat_cols(A, 0, k);
    GSVD_TRY(take_blocks(&in, A1, tau, A.cols, &w));
    for (int64_t j = (k - 1) / ex->tune->wide * ex->tune->wide; j >= 0;
         j -= ex->tune->wide) {
        const int64_t b = min_i(ex->tune->wide, k - j);
        const mat_t C = mat_sub(A, j, j, A.rows - j, A.cols - j);

        GSVD_TRY(X(block_take)(&in, A1, j, b, &w));
        GSVD_TRY(in.op->zero_lower(&in, mat_cols(C, 0, b)));
        GSVD_TRY(X(block_apply)(&in, 'L', 'N', &w, C));
    }
    return GSVD_SUCCESS;
}
