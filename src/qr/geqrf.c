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
#include "qr/qr.h"
#include "qr/roads.h"
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

/* Are k reflectors applied to C one by one? */
static int fits_unblocked(const exec_t *ex, mat_t A, mat_t C, int64_t k)
{
    (void)A;
    return are_few(C, k, most_one_by_one(ex));
}

static int unblocked_wanted(const exec_t *ex)
{
    return most_one_by_one(ex) > 0;
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
static gsvd_status_t factor_lookahead(const exec_t *ex, mat_t A, scalar_t *tau)
{
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
static gsvd_status_t factor_in_turn(const exec_t *ex, mat_t A, scalar_t *tau)
{
    const int64_t k = min_i(A.rows, A.cols), block = ex->tune->block;
    const mat_t none = mat_view(NULL, 0, 0, 1);
    exec_t in = *ex;
    qr_work_t w, now;

    GSVD_TRY(take_panels(&in, A, 1, &w));
    for (int64_t j = 0; j < k; j += block) {
        const int64_t b = min_i(block, k - j), rest = A.cols - j - b;
        const mat_t A1 = mat_sub(A, j, j, A.rows - j, b);
        const mat_t A2 = mat_sub(A, j, j + b, A.rows - j, rest);

        if (fits_unblocked(&in, A1, A2, b)) {
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

static int fits_lookahead(const exec_t *ex, mat_t A, mat_t C, int64_t k)
{
    (void)C, (void)k;
    return min_i(A.rows, A.cols) > ex->tune->block &&
           A.rows * A.cols >= ex->tune->lookahead;
}

static size_t factor_bytes(const exec_t *ex, int64_t m, int64_t n, int panels)
{
    arena_t count = {0};
    qr_work_t w;
    X(factor_carve)(&count, ex, m, n, panels, &w);
    return gsvd_arena_bytes(&count);
}

static size_t lookahead_bytes(const exec_t *ex, int64_t m, int64_t n, int64_t k)
{
    (void)k;
    return m * n < ex->tune->lookahead ? 0 : factor_bytes(ex, m, n, 2);
}

static size_t in_turn_bytes(const exec_t *ex, int64_t m, int64_t n, int64_t k)
{
    (void)k;
    return factor_bytes(ex, m, n, 1);
}

typedef struct factor_road {
    road_t is;
    gsvd_status_t (*run)(const exec_t *ex, mat_t A, scalar_t *tau);
} factor_road_t;

static const factor_road_t factor_road[] = {
    {{"lookahead", NULL, fits_lookahead, lookahead_bytes}, factor_lookahead},
    {{"in_turn", NULL, NULL, in_turn_bytes}, factor_in_turn},
};
const roads_t X(factor_roads) = GSVD_ROADS("factor", CHOICE_FACTOR,
                                           factor_road);

size_t X(geqrf_work_bytes)(const exec_t *ex, int64_t m, int64_t n)
{
    return road_bytes(&X(factor_roads), ex, m, n, min_i(m, n));
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
    const factor_road_t *const taken =
        choose_road(&X(factor_roads), ex, A, A, min_i(A.rows, A.cols));
    return taken->run(ex, A, tau);
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

static gsvd_status_t apply_unblocked(const exec_t *ex, char side, char op,
                                     mat_t A, int64_t k, const scalar_t *tau,
                                     mat_t C)
{
    return ex->op->reflect(ex, side, op, A, k, tau, C);
}

static gsvd_status_t apply_blocks(const exec_t *ex, char side, char op, mat_t A,
                                  int64_t k, const scalar_t *tau, mat_t C)
{
    const int left = side == 'L', forward = left == (op == 'C');
    const int64_t wide = ex->tune->wide, last = (k - 1) / wide * wide;
    const mat_t A1 = mat_cols(A, 0, k);
    exec_t in = *ex;
    qr_work_t w;

    GSVD_TRY(take_blocks(&in, A1, tau, left ? C.cols : C.rows, &w));
    for (int64_t i = 0; i <= last; i += wide) {
        const int64_t j = forward ? i : last - i;

        GSVD_TRY(X(block_take)(&in, A1, j, min_i(wide, k - j), &w));
        GSVD_TRY(X(block_apply)(&in, side, op, &w,
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

typedef struct apply_road {
    road_t is;
    gsvd_status_t (*run)(const exec_t *ex, char side, char op, mat_t A,
                         int64_t k, const scalar_t *tau, mat_t C);
} apply_road_t;

static const apply_road_t apply_road[] = {
    {{"unblocked", unblocked_wanted, fits_unblocked, NULL}, apply_unblocked},
    {{"blocks", NULL, NULL, blocks_bytes}, apply_blocks},
};
const roads_t X(apply_roads) = GSVD_ROADS("apply", CHOICE_APPLY, apply_road);

size_t X(unmqr_work_bytes)(const exec_t *ex, int64_t m, int64_t k,
                           int64_t across)
{
    return road_bytes(&X(apply_roads), ex, m, across, k);
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
    const apply_road_t *const taken = choose_road(&X(apply_roads), ex, A, C, k);
    return taken->run(ex, side, op, A, k, tau, C);
}

/* -- Q formed -------------------------------------------------------------- */

static gsvd_status_t form_unblocked(const exec_t *ex, mat_t A, int64_t k,
                                    const scalar_t *tau)
{
    return ex->op->form_q(ex, A, k, tau);
}

/* Q = H_1 ... H_k (I; 0), the last block first: what stands left of a block and
 * above it is still the identity. */
static gsvd_status_t form_blocks(const exec_t *ex, mat_t A, int64_t k,
                                 const scalar_t *tau)
{
    const int64_t wide = ex->tune->wide;
    const mat_t A1 = mat_cols(A, 0, k);
    exec_t in = *ex;
    qr_work_t w;

    GSVD_TRY(in.op->set(&in, mat_cols(A, k, A.cols - k), 0, 0));
    GSVD_TRY(in.op->set(&in, mat_sub(A, k, k, A.rows - k, A.cols - k), 0, 1));
    GSVD_TRY(take_blocks(&in, A1, tau, A.cols, &w));
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

static size_t form_blocks_bytes(const exec_t *ex, int64_t m, int64_t n,
                                int64_t k)
{
    return k > ex->tune->block ? blocks_bytes(ex, m, n, k) : 0;
}

static int fits_single_block(const exec_t *ex, mat_t A, mat_t C, int64_t k)
{
    (void)C;
    return X(form_pays)(A.rows, A.cols, ex->tune->block, k);
}

static int fits_panel(const exec_t *ex, mat_t A, mat_t C, int64_t k)
{
    (void)A, (void)C;
    return k <= ex->tune->block;
}

static int fits_blocks(const exec_t *ex, mat_t A, mat_t C, int64_t k)
{
    return !fits_panel(ex, A, C, k);
}

static size_t single_block_bytes(const exec_t *ex, int64_t m, int64_t n,
                                 int64_t k)
{
    return X(form_bytes)(m, n, ex->tune->block, k);
}

/* Rows of Q are alike. */
static int fits_form_unblocked(const exec_t *ex, mat_t A, mat_t C, int64_t k)
{
    (void)A;
    return ex->op->form_q && are_few(C, k, ex->tune->unblocked);
}

typedef struct form_road {
    road_t is;
    gsvd_status_t (*run)(const exec_t *ex, mat_t A, int64_t k,
                         const scalar_t *tau);
} form_road_t;

static const form_road_t form_road[] = {
    {{"single_block", NULL, fits_single_block, single_block_bytes},
     X(form_q_single_block)},
    {{"unblocked", NULL, fits_form_unblocked, NULL}, form_unblocked},
    {{"panel", NULL, fits_panel, single_block_bytes}, X(form_q_single_block)},
    {{"blocks", NULL, fits_blocks, form_blocks_bytes}, form_blocks},
};
const roads_t X(form_roads) = GSVD_ROADS("form", CHOICE_FORM, form_road);

size_t X(ungqr_work_bytes)(const exec_t *ex, int64_t m, int64_t c, int64_t k)
{
    return road_bytes(&X(form_roads), ex, m, c, k);
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
    const form_road_t *const taken = choose_road(&X(form_roads), ex, A, A, k);
    return taken->run(ex, A, k, tau);
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
