/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* csd.c -- the GSVD of a triangular pair by way of the CS decomposition.
 *
 *     1  (B; A) = (W2; W1) T                  QR of the stacked pair
 *     2  W1^H P = Z (R; 0)                    QR, F := W1 Z = P (R^H 0), G := W2 Z
 *     3  (F, G) := (F, G) J                   Jacobi: columns of F orthogonal
 *     4  c_j = |f_j|, s_j = |g_j|             of length 1 together; sorted
 *     5  (F, G) := (F, G) J                   Jacobi on G, columns |f_j| > |g_j|
 *     6  F = U C, G = V S                     by QR, zero columns completed
 *
 * In step 1 B stands on top: its triangle leads, and zero rows of A remain exact zeros.  If the
 * caller's rows were sorted (policy.rowwise_stable), step 1 sorts the rows of the stack as well.
 *
 * Step 2 preconditions (Drmac and Veselic 2008).  Jacobi then runs on the lower triangular R^H,
 * which is square whatever the shape of A.  Column pivoting sorts its columns.  Before large steps
 * it is left out if the rows of W1 are alike, since pivoting one by one reads and writes the rest
 * of the matrix in memory each time.
 *
 * After step 4 two columns of G are orthogonal up to rounding against 1, which says little about
 * columns with |g_j| << 1.  Such columns have |f_j| close to 1, and there any rotation keeps F
 * orthogonal.  So step 5 may make these columns of G orthogonal (Van Loan 1985).  In step 6
 * Householder QR takes the long columns first: a short column, however short, has a part along
 * them of rounding against 1, which must not turn them.
 *
 * Then (U C; V S) has orthonormal columns that span the range of (A; B), and H = C U^H A + S V^H B
 * gives A = U C H, B = V S H up to rounding (assemble.c).  J turns F and G alike: its departure
 * from unitarity does no harm.
 */
#include "jacobi/jacobi.h"
#include "pivot/pivot.h"

#include "qr/qr.h"

/* Columns whose lengths differ by less need no order: the values are to be exact to rounding
 * against 1. */
#define COLUMNS_ALIKE 1024

/* The last arrays, the memory of which is lent */
static void take_stacks(arena_t *a, int64_t m1, int64_t l, int values_only,
                        solve_work_t *w)
{
    const int64_t some = X(rearrange_entries)(l + m1, l);

    w->GF = X(take_matrix)(a, values_only ? l : l + m1, l);
    w->Z = mat_view(NULL, 0, 0, 1);
    if (!values_only)
        w->Z = X(take_matrix)(a, l, l);
    w->W = X(take_matrix)(a, values_only ? l : l + m1, l);
    if (values_only)
        w->Z = X(take_matrix)(a, some, 1);
}

void X(solve_carve)(arena_t *a, int64_t m, int64_t l, int values_only,
                    solve_work_t *w)
{
    const int64_t m1 = min_i(m, l);
    w->tau = gsvd_arena_take(a, l, sizeof(scalar_t));
    w->c = gsvd_arena_take(a, l, sizeof(real_t));
    w->s = gsvd_arena_take(a, l, sizeof(real_t));
    w->tau_b = gsvd_arena_take(a, l, sizeof(scalar_t));
    w->x = gsvd_arena_take(a, l, sizeof(real_t));
    w->y = gsvd_arena_take(a, l, sizeof(real_t));
    w->perm = gsvd_arena_take(a, l, sizeof(int));
    w->pivots = gsvd_arena_take(a, l, sizeof(int));
    w->row_inverse_b = gsvd_arena_take(a, l, sizeof(int));
    w->rotations = gsvd_arena_take(a, 1, sizeof(int64_t));
    w->size = gsvd_arena_take(a, l + m1, sizeof(real_t));
    w->row_perm = gsvd_arena_take(a, l + m1, sizeof(int));
    w->row_inverse = gsvd_arena_take(a, l + m1, sizeof(int));
    take_stacks(a, m1, l, values_only, w);
}

size_t X(solve_jacobi_bytes)(const exec_t *ex, int64_t m, int64_t l,
                             int values_only)
{
    arena_t first = {0}, all = {0};
    solve_work_t w;
    exec_t in = *ex;

    /* A23 or B13 is lent, which have as many rows and columns as the matrix. */
    in.lent = mat_view(NULL, l, l, max_i(l, 1));
    in.lent.cols = values_only ? l : 0;
    take_stacks(&all, min_i(m, l), l, values_only, &w);
    (void)X(take_matrix)(&first, values_only ? l : l + min_i(m, l), l);
    const size_t lent = all.used - first.used; /* behind the first array     */
    const size_t jacobi =
        X(orthogonalize_work_bytes)(&in, l, l, values_only ? -1 : l);
    return jacobi > lent ? jacobi - lent : 0;
}

/* w->GF := the first of the two stacks: what lies behind it may be lent. */
static gsvd_status_t settle(const exec_t *ex, solve_work_t *w)
{
    if (w->GF.data < w->W.data)
        return GSVD_SUCCESS;
    GSVD_TRY(ex->op->copy(ex, w->GF, w->W));
    exchange_stacks(w);
    return GSVD_SUCCESS;
}

gsvd_status_t X(reorder)(const exec_t *ex, int64_t m1, int64_t l,
                         const int *perm, solve_work_t *w)
{
    exchange_stacks(w);
    return ex->op->permute_columns(ex, mat_sub(w->W, 0, 0, l + m1, l), perm,
                                   mat_sub(w->GF, 0, 0, l + m1, l));
}

/* W := Q of W = Q R, accurate row by row: its rows are sorted first.  Waits for their
 * sizes. */
static gsvd_status_t stack_rowwise_stable(const exec_t *ex, mat_t W,
                                          mat_t piece, solve_work_t *w)
{
    norms_t unused;

    GSVD_TRY(ex->op->norms_by_row(ex, W, w->size, &unused));
    GSVD_TRY(
        ex->op->sort_rows(ex, W.rows, w->size, w->row_perm, w->row_inverse));
    GSVD_TRY(X(rearrange)(ex, 'L', w->row_perm, W, piece));
    GSVD_TRY(X(geqrf)(ex, W, w->tau));
    GSVD_TRY(X(ungqr)(ex, W, W.cols, w->tau));
    return X(rearrange)(ex, 'L', w->row_inverse, W, piece);
}

/* 1: W := (W2; W1), whose orthonormal columns span the range of (B; A) */
static gsvd_status_t stack(const exec_t *ex, mat_t A, mat_t B, mat_t W,
                           mat_t piece, solve_work_t *w)
{
    GSVD_TRY(ex->op->copy(ex, B, mat_rows(W, 0, B.rows)));
    GSVD_TRY(ex->op->copy(ex, A, mat_rows(W, B.rows, A.rows)));
    if (ex->policy.rowwise_stable)
        return stack_rowwise_stable(ex, W, piece, w);
    GSVD_TRY(X(geqrf)(ex, W, w->tau));
    return X(ungqr)(ex, W, W.cols, w->tau);
}

/* *alike: the lengths of Y's columns differ by less than COLUMNS_ALIKE, and large steps take
 * them; x is overwritten.  Waits. */
static gsvd_status_t columns_alike(const exec_t *ex, mat_t Y, real_t *x,
                                   int *alike)
{
    real_t *const length = ex->staging.data, most = 0, least;

    *alike = 0;
    if (ex->policy.rowwise_stable || !X(take_large_steps)(ex, Y.cols))
        return GSVD_SUCCESS;
    GSVD_TRY(ex->op->column_norms(ex, Y, x));
    GSVD_TRY(ex->op->values_read(ex, Y.cols, x, length));
    least = length[0];
    for (int64_t j = 0; j < Y.cols; ++j) {
        most = fmax_r(most, length[j]);
        least = length[j] < least ? length[j] : least;
    }
    *alike = most < COLUMNS_ALIKE * least;
    return GSVD_SUCCESS;
}

/* 2: X^H P = Q R; Y := the reflectors of Q, F := R^H.  X, r x l with r <= l, is
 * overwritten. */
static gsvd_status_t precondition(const exec_t *ex, mat_t X_, mat_t Y, mat_t F,
                                  const solve_work_t *w)
{
    const mat_t T = mat_cols(X_, 0, X_.rows);
    int64_t rank;
    int alike;

    GSVD_TRY(ex->op->ctrans(ex, X_, Y));
    GSVD_TRY(columns_alike(ex, Y, w->x, &alike));
    if (alike) {
        GSVD_TRY(ex->op->identity(ex, Y.cols, w->pivots));
        GSVD_TRY(X(geqrf)(ex, Y, w->tau));
    } else {
        GSVD_TRY(
            X(geqpf)(ex, Y, ex->policy.pivot, -1, w->pivots, w->tau, &rank));
    }
    GSVD_TRY(ex->op->copy(ex, mat_rows(Y, 0, T.rows), T));
    GSVD_TRY(ex->op->zero_lower(ex, T));
    return ex->op->ctrans(ex, T, F);
}

/* c_j := |f_j| and s_j := |g_j|, of length 1 together; c, s, F and G sorted, c
 * descending */
static gsvd_status_t sort_columns(const exec_t *ex, int64_t m1, int64_t l,
                                  solve_work_t *w)
{
    GSVD_TRY(ex->op->column_norms(ex, of_a(w->GF, l, m1, l), w->x));
    GSVD_TRY(ex->op->column_norms(ex, of_b(w->GF, l), w->y));
    GSVD_TRY(ex->op->values_unit(ex, l, w->x, w->y));
    GSVD_TRY(ex->op->values_order(ex, l, w->x, w->y, w->perm));
    GSVD_TRY(ex->op->values_permute(ex, l, w->x, w->perm, w->c));
    GSVD_TRY(ex->op->values_permute(ex, l, w->y, w->perm, w->s));
    return X(reorder)(ex, m1, l, w->perm, w);
}

gsvd_status_t X(csd)(const exec_t *ex, mat_t A, mat_t B, solve_work_t *w,
                     outcome_t *out)
{
    const int64_t m1 = A.rows, l = B.cols;
    const mat_t W = mat_sub(w->W, 0, 0, l + m1, l);
    const mat_t W2 = of_b(W, l), W1 = of_a(W, l, m1, l);
    const mat_t Z = mat_sub(w->Z, 0, 0, l, l), Z1 = mat_cols(Z, 0, m1);
    mat_t G = of_b(w->GF, l), F1 = of_a(w->GF, l, m1, m1);
    exec_t in;
    int64_t lead;
    int unitary;

    const int64_t room = (l + m1) * l; /* GF is free yet.                   */
    const mat_t piece = mat_view(w->GF.data, room, 1, room);
    GSVD_TRY(stack(ex, A, B, W, piece, w)); /* 1 */

    GSVD_TRY(ex->op->set(ex, of_a(w->GF, l, m1, l), 0, 0)); /* 2 */
    GSVD_TRY(precondition(ex, W1, Z1, F1, w));
    GSVD_TRY(X(ungqr)(ex, Z, m1, w->tau));
    GSVD_TRY(ex->op->gemm(ex, 'N', 'N', W2, Z, G));

    in = lend(ex, w->Z); /* 3 */
    GSVD_TRY(X(orthogonalize)(&in, F1, mat_cols(G, 0, m1), AIM_COLUMNS,
                              w->rotations, &unitary, out));

    GSVD_TRY(sort_columns(ex, m1, l, w)); /* 4 */

    GSVD_TRY(ex->op->values_lead(ex, l, w->c, w->s, &lead)); /* 5 */
    if (lead > 1) {
        GSVD_TRY(settle(ex, w));
        in = lend(ex, w->Z);
        GSVD_TRY(X(orthogonalize)(&in, mat_cols(of_b(w->GF, l), 0, lead),
                                  of_a(w->GF, l, m1, lead), AIM_COLUMNS,
                                  w->rotations, &unitary, out));
        GSVD_TRY(sort_columns(ex, m1, l, w));
    }

    G = of_b(w->GF, l); /* 6 */
    F1 = of_a(w->GF, l, m1, m1);
    const mat_t T1 = mat_rows(Z1, 0, m1);
    GSVD_TRY(X(orthonormalize)(ex, F1, T1, w->tau));
    GSVD_TRY(ex->op->permute_rows(ex, T1, w->pivots, of_a(w->W, l, m1, m1)));
    GSVD_TRY(ex->op->permute_columns(ex, G, NULL, Z));
    GSVD_TRY(X(orthonormalize)(ex, Z, G, w->tau));
    GSVD_TRY(ex->op->permute_columns(ex, G, NULL, of_b(w->W, l)));
    exchange_stacks(w);
    return GSVD_SUCCESS;
}

/* x := the singular values of X_, descending, and zeros up to l; X_ is overwritten. */
static gsvd_status_t singular_values(const exec_t *ex, mat_t X_,
                                     solve_work_t *w, real_t *x, outcome_t *out)
{
    const int64_t r = X_.rows, l = X_.cols;
    const mat_t Y = mat_sub(w->W, 0, 0, l, r), F = mat_sub(w->GF, 0, 0, r, r);
    const mat_t none = mat_view(NULL, 0, 0, 1);
    exec_t in = lend(ex, w->W);
    int unitary;

    GSVD_TRY(precondition(ex, X_, Y, F, w));
    in.lent = X_;
    GSVD_TRY(X(orthogonalize)(&in, F, none, AIM_LENGTHS, w->rotations, &unitary,
                              out));
    GSVD_TRY(ex->op->values_set(ex, 0, l, 0, w->y));
    GSVD_TRY(ex->op->column_norms(ex, F, w->y));
    GSVD_TRY(ex->op->values_set(ex, 0, l, 0, w->x));
    GSVD_TRY(ex->op->values_order(ex, l, w->y, w->x, w->perm));
    return ex->op->values_permute(ex, l, w->y, w->perm, x);
}

/* c and s are the singular values of W1 and W2, computed apart and without vectors, once
 * these stand where A and B stood.  Of each pair the smaller value is the accurate one, and
 * gives the larger by c^2 + s^2 = 1. */
gsvd_status_t X(csd_values)(const exec_t *ex, mat_t A, mat_t B, solve_work_t *w,
                            outcome_t *out)
{
    const int64_t m1 = A.rows, l = B.cols;
    const mat_t W = mat_view(w->GF.data, l + m1, l, l + m1); /* and w->W     */

    GSVD_TRY(stack(ex, A, B, W, w->Z, w));
    GSVD_TRY(ex->op->copy(ex, mat_rows(W, l, m1), A));
    GSVD_TRY(ex->op->copy(ex, mat_rows(W, 0, l), B));
    GSVD_TRY(singular_values(ex, A, w, w->c, out));
    GSVD_TRY(singular_values(ex, B, w, w->s, out));

    real_t *const s = w->s; /* descending, and to be ascending               */
    GSVD_TRY(ex->op->values_set(ex, 0, l, 0, w->x));
    GSVD_TRY(ex->op->values_order(ex, l, w->x, s, w->perm));
    GSVD_TRY(ex->op->values_permute(ex, l, s, w->perm, w->y));
    w->s = w->y;
    w->y = s;
    return ex->op->values_complete(ex, l, w->c, w->s);
}
