/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* geqrf.c -- blocked QR factorization; its R alone; its Q applied and formed.
 *
 *     A = (A1 A2)                             A1: the next b columns
 *     1  A1 = (I - V T V^H) (R11; 0)          a panel
 *     2  A2 := (I - V T^H V^H) A2 = (R12; A') A' is factored next
 *
 * A few reflectors on a small matrix are applied one by one (ex->op->reflect): where rows differ in
 * size that keeps small rows also among large ones that repeat others.  These leave rounding errors,
 * which become pivots; what one reflector after the other makes of a row is what the next one sees,
 * whereas a block's T^H V^H C has rounding errors of its own, as large as those pivots.  Where a
 * panel keeps a small part of the machine busy (ex->tune->lookahead), the columns of the
 * next panel are updated first, and the columns behind them while that panel runs.
 */
#include "core/cost.h"
#include "core/solver.h"
#include "qr/qr.h"
#include "qr/tsqr.h"

/* The driver's arrays to factor A, with V and T of so many panels */
static gsvd_status_t take_panels(exec_t *in, mat_t A, int panels, qr_work_t *w)
{
    X(factor_carve)(&in->work, in, A.rows, A.cols, panels, w);
    return X(work_suffices)(in);
}

/* The driver's arrays to apply A's reflectors to so many columns or rows; w->Ts := T
 * of all blocks. */
static gsvd_status_t take_blocks(exec_t *in, mat_t A, const scalar_t *tau,
                                 int64_t across, qr_work_t *w)
{
    X(apply_carve)(&in->work, in, A.rows, A.cols, across, w);
    GSVD_TRY(X(work_suffices)(in));
    return X(blocks_form)(in, A, tau, w);
}

static int are_few(mat_t C, int64_t k, int64_t most)
{
    return mat_empty(C) ||
           (k * C.rows * C.cols <= most && C.rows <= REFLECTED_ROWS);
}

static int64_t most_one_by_one(const exec_t *ex)
{
    return ex->policy.rowwise_stable ? ex->tune->unblocked_rowwise
                                     : ex->tune->unblocked;
}

/* -- A = Q R --------------------------------------------------------------- */

/* 1 for the b columns from j on; to->V and to->T := the `which`-th that w has. */
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

/* 1 of each panel but the first runs in QUEUE_PANEL while 2 of the panel before runs. */
static gsvd_status_t factor_lookahead(const exec_t *ex, const task_t *t)
{
    const mat_t A = t->A;
    scalar_t *const tau = t->tau;
    const int64_t k = min_i(A.rows, A.cols), block = ex->tune->block;
    exec_t in = *ex, async;
    qr_work_t w, now, next;

    GSVD_TRY(take_panels(&in, A, 2, &w));
    GSVD_TRY(panel(&in, A, 0, min_i(block, k), tau, &w, 0, &now));
    for (int64_t j = block; j < k; j += block) {
        const int64_t b = min_i(block, k - j), rows = A.rows - j + block;
        const mat_t near = mat_sub(A, j - block, j, rows, b);
        const mat_t far = mat_sub(A, j - block, j + b, rows, A.cols - j - b);
        const int which = (int)(j / block % 2);

        GSVD_TRY(X(block_apply)(&in, 'L', 'C', &now, near));
        GSVD_TRY(in.op->fork(&in, QUEUE_PANEL, &async));
        gsvd_status_t status = panel(&async, A, j, b, tau, &w, which, &next);
        if (status == GSVD_SUCCESS)
            status = X(block_apply)(&in, 'L', 'C', &now, far);
        GSVD_TRY(in.op->join(&in, QUEUE_PANEL));
        GSVD_TRY(status);
        now = next;
    }
    const int64_t last = (k - 1) / block * block;
    return X(block_apply)(&in, 'L', 'C', &now,
                          mat_sub(A, last, k, A.rows - last, A.cols - k));
}

/* 1 and 2 for one panel after the other */
static gsvd_status_t factor_in_turn(const exec_t *ex, const task_t *t)
{
    const mat_t A = t->A;
    scalar_t *const tau = t->tau;
    const int64_t k = min_i(A.rows, A.cols), block = ex->tune->block;
    const mat_t none = mat_view(NULL, 0, 0, 1);
    exec_t in = *ex;
    qr_work_t w, now;

    GSVD_TRY(take_panels(&in, A, 1, &w));
    for (int64_t j = 0; j < k; j += block) {
        const int64_t b = min_i(block, k - j), rest = A.cols - j - b;
        const mat_t A1 = mat_sub(A, j, j, A.rows - j, b);
        const mat_t A2 = mat_sub(A, j, j + b, A.rows - j, rest);

        if (are_few(A2, b, most_one_by_one(&in))) {
            const mat_t spare = mat_view(w.V.data, A1.rows, b, A1.rows);
            GSVD_TRY(in.op->panel(&in, A1, tau + j, spare, none));
            GSVD_TRY(in.op->reflect(&in, 'L', 'C', A1, b, tau + j, A2));
            continue;
        }
        GSVD_TRY(panel(&in, A, j, b, tau, &w, 0, &now));   /* 1 */
        GSVD_TRY(X(block_apply)(&in, 'L', 'C', &now, A2)); /* 2 */
    }
    return GSVD_SUCCESS;
}

static int lookahead_applies(const exec_t *ex, const task_t *t)
{
    return min_i(t->A.rows, t->A.cols) > ex->tune->block &&
           t->A.rows * t->A.cols >= ex->tune->lookahead;
}

static size_t factor_bytes(const exec_t *ex, const task_t *t, int panels)
{
    arena_t count = {0};
    qr_work_t w;
    X(factor_carve)(&count, ex, t->A.rows, t->A.cols, panels, &w);
    return gsvd_arena_bytes(&count);
}

static size_t lookahead_bytes(const exec_t *ex, const task_t *t)
{
    const int none = t->A.rows * t->A.cols < ex->tune->lookahead;
    return none ? 0 : factor_bytes(ex, t, 2);
}

static size_t in_turn_bytes(const exec_t *ex, const task_t *t)
{
    return factor_bytes(ex, t, 1);
}

static const solver_t factor_solver[] = {
    {"panels with lookahead", NULL, lookahead_applies, lookahead_bytes,
     factor_lookahead},
    {"panels in turn", NULL, NULL, in_turn_bytes, factor_in_turn},
};
const solvers_t X(factor_solvers) = SOLVERS("QR", factor_solver);

size_t X(geqrf_work_bytes)(const exec_t *ex, int64_t m, int64_t n)
{
    return solvers_bytes(&X(factor_solvers), ex,
                         &(task_t){.A = mat_of_size(m, n)});
}

double X(geqrf_seconds)(const exec_t *ex, int64_t m, int64_t n)
{
    const double most = (double)max_i(m, n), least = (double)min_i(m, n);
    return seconds_of(ex, least, 2 * least * least * (most - least / 3));
}

gsvd_status_t X(geqrf)(const exec_t *ex, mat_t A, scalar_t *tau)
{
    if (mat_empty(A))
        return GSVD_SUCCESS;
    return run_solver(&X(factor_solvers), ex, &(task_t){.A = A, .tau = tau});
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

/* -- Q applied ------------------------------------------------------------- */

/* Are k reflectors applied to C one by one? */
static int unblocked_wanted(const exec_t *ex, const task_t *t)
{
    (void)t;
    return most_one_by_one(ex) > 0;
}

static int unblocked_applies(const exec_t *ex, const task_t *t)
{
    return are_few(t->C, t->k, most_one_by_one(ex));
}

static gsvd_status_t apply_unblocked(const exec_t *ex, const task_t *t)
{
    return ex->op->reflect(ex, t->side, t->op, t->A, t->k, t->given_tau, t->C);
}

static gsvd_status_t apply_blocks(const exec_t *ex, const task_t *t)
{
    const mat_t C = t->C, A1 = mat_cols(t->A, 0, t->k);
    const int left = t->side == 'L', forward = left == (t->op == 'C');
    const int64_t wide = ex->tune->wide, last = (t->k - 1) / wide * wide;
    exec_t in = *ex;
    qr_work_t w;

    GSVD_TRY(take_blocks(&in, A1, t->given_tau, left ? C.cols : C.rows, &w));
    for (int64_t i = 0; i <= last; i += wide) {
        const int64_t j = forward ? i : last - i;

        GSVD_TRY(X(block_take)(&in, A1, j, min_i(wide, t->k - j), &w));
        GSVD_TRY(X(block_apply)(&in, t->side, t->op, &w,
                                left ? mat_rows(C, j, C.rows - j)
                                     : mat_cols(C, j, C.cols - j)));
    }
    return GSVD_SUCCESS;
}

static size_t blocks_bytes(const exec_t *ex, int64_t m, int64_t n, int64_t k)
{
    arena_t count = {0};
    qr_work_t w;
    X(apply_carve)(&count, ex, m, k, n, &w);
    return gsvd_arena_bytes(&count);
}

static size_t apply_bytes(const exec_t *ex, const task_t *t)
{
    return blocks_bytes(ex, t->A.rows, t->C.cols, t->k);
}

static const solver_t apply_solver[] = {
    {"reflectors one by one", unblocked_wanted, unblocked_applies, NULL,
     apply_unblocked},
    {"blocks of reflectors", NULL, NULL, apply_bytes, apply_blocks},
};
const solvers_t X(apply_solvers) = SOLVERS("Q applied", apply_solver);

size_t X(unmqr_work_bytes)(const exec_t *ex, int64_t m, int64_t k,
                           int64_t across)
{
    return solvers_bytes(
        &X(apply_solvers), ex,
        &(task_t){.A = mat_of_size(m, k), .C = mat_of_size(m, across), .k = k});
}

/* Four columns of a block reflector take as long as one of its factorization. */
double X(unmqr_seconds)(const exec_t *ex, int64_t m, int64_t k, int64_t across)
{
    const double r = (double)k, each = 2 * r * (2 * (double)m - r);
    return seconds_of(ex, r / 4, each * (double)across);
}

gsvd_status_t X(unmqr)(const exec_t *ex, char side, char op, mat_t A, int64_t k,
                       const scalar_t *tau, mat_t C)
{
    if (k <= 0 || mat_empty(C))
        return GSVD_SUCCESS;
    return run_solver(
        &X(apply_solvers), ex,
        &(task_t){
            .side = side, .op = op, .A = A, .k = k, .given_tau = tau, .C = C});
}

/* -- Q formed -------------------------------------------------------------- */

static gsvd_status_t form_unblocked(const exec_t *ex, const task_t *t)
{
    return ex->op->form_q(ex, t->A, t->k, t->given_tau);
}

/* Q = H_1 ... H_k (I; 0), the last block first: what stands left of a block and
 * above it is still the identity. */
static gsvd_status_t form_blocks(const exec_t *ex, const task_t *t)
{
    const mat_t A = t->A;
    const int64_t k = t->k;
    const int64_t wide = ex->tune->wide;
    const mat_t A1 = mat_cols(A, 0, k);
    exec_t in = *ex;
    qr_work_t w;

    GSVD_TRY(in.op->set(&in, mat_cols(A, k, A.cols - k), 0, 0));
    GSVD_TRY(in.op->set(&in, mat_sub(A, k, k, A.rows - k, A.cols - k), 0, 1));
    GSVD_TRY(take_blocks(&in, A1, t->given_tau, A.cols, &w));
    for (int64_t j = (k - 1) / wide * wide; j >= 0; j -= wide) {
        const int64_t b = min_i(wide, k - j);
        const mat_t C = mat_sub(A, j, j, A.rows - j, A.cols - j);

        GSVD_TRY(X(block_take)(&in, A1, j, b, &w));
        GSVD_TRY(in.op->set(&in, mat_sub(A, 0, j, j, b), 0, 0));
        GSVD_TRY(in.op->set(&in, mat_cols(C, 0, b), 0, 1));
        GSVD_TRY(X(block_apply)(&in, 'L', 'N', &w, C));
    }
    return GSVD_SUCCESS;
}

static size_t form_blocks_bytes(const exec_t *ex, const task_t *t)
{
    return t->k > ex->tune->block ? blocks_bytes(ex, t->A.rows, t->A.cols, t->k)
                                  : 0;
}

static gsvd_status_t form_single_block(const exec_t *ex, const task_t *t)
{
    return X(form_q_single_block)(ex, t->A, t->k, t->given_tau);
}

static int single_block_applies(const exec_t *ex, const task_t *t)
{
    return X(form_pays)(t->A.rows, t->A.cols, ex->tune->block, t->k);
}

static int panel_applies(const exec_t *ex, const task_t *t)
{
    return t->k <= ex->tune->block;
}

static int blocks_apply(const exec_t *ex, const task_t *t)
{
    return !panel_applies(ex, t);
}

static size_t single_block_bytes(const exec_t *ex, const task_t *t)
{
    return X(form_bytes)(t->A.rows, t->A.cols, ex->tune->block, t->k);
}

/* Rows of Q are alike. */
static int form_unblocked_applies(const exec_t *ex, const task_t *t)
{
    return ex->op->form_q && are_few(t->A, t->k, ex->tune->unblocked);
}

static const solver_t form_solver[] = {
    {"one block of reflectors", NULL, single_block_applies, single_block_bytes,
     form_single_block},
    {"reflectors one by one", NULL, form_unblocked_applies, NULL,
     form_unblocked},
    {"a panel's reflectors", NULL, panel_applies, single_block_bytes,
     form_single_block},
    {"blocks of reflectors", NULL, blocks_apply, form_blocks_bytes,
     form_blocks},
};
const solvers_t X(form_solvers) = SOLVERS("Q formed", form_solver);

size_t X(ungqr_work_bytes)(const exec_t *ex, int64_t m, int64_t c, int64_t k)
{
    return solvers_bytes(&X(form_solvers), ex,
                         &(task_t){.A = mat_of_size(m, c), .k = k});
}

double X(ungqr_seconds)(const exec_t *ex, int64_t m, int64_t c, int64_t k)
{
    const double r = (double)k, rows = (double)m, cols = (double)c;
    return seconds_of(ex, r / 4,
                      4 * rows * cols * r - 2 * (rows + cols) * r * r +
                          4 * r * r * r / 3);
}

gsvd_status_t X(ungqr)(const exec_t *ex, mat_t A, int64_t k,
                       const scalar_t *tau)
{
    if (mat_empty(A))
        return GSVD_SUCCESS;
    if (k <= 0)
        return ex->op->set(ex, A, 0, 1);
    return run_solver(&X(form_solvers), ex,
                      &(task_t){.A = A, .k = k, .given_tau = tau});
}

/* A = H_1 ... H_k (R11 R12; 0 A22), the last block first: what stands left of a
 * block still holds reflectors. */
gsvd_status_t X(geqr_undo)(const exec_t *ex, mat_t A, int64_t k,
                           const scalar_t *tau)
{
    const int64_t wide = ex->tune->wide;
    exec_t in = *ex;
    qr_work_t w;

    if (k <= 0)
        return GSVD_SUCCESS;
    const mat_t A1 = mat_cols(A, 0, k);
    GSVD_TRY(take_blocks(&in, A1, tau, A.cols, &w));
    for (int64_t j = (k - 1) / wide * wide; j >= 0; j -= wide) {
        const int64_t b = min_i(wide, k - j);
        const mat_t C = mat_sub(A, j, j, A.rows - j, A.cols - j);

        GSVD_TRY(X(block_take)(&in, A1, j, b, &w));
        GSVD_TRY(in.op->zero_lower(&in, mat_cols(C, 0, b)));
        GSVD_TRY(X(block_apply)(&in, 'L', 'N', &w, C));
    }
    return GSVD_SUCCESS;
}
