/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* by_rows.c -- pivoted QR of a matrix whose rows differ in size.  Its rank is decided relative to
 * rows: it is that of D A, where the diagonal D makes rows alike.
 *
 *     1  2^t D A P = Q0 (S; 0)      pivoted QR, r = rank, by a tolerance against |2^t D A|
 *     2  A P = Q (W; 0)             pivoted QR, where r = min(m,n): nothing is left out
 *     3  C := D^-1 Q0(:,1:r)        else; so 2^t A P = C S but for what is left out
 *     4  C P' = Q (T; 0)            pivoted QR of full column rank
 *     5  W := 2^-t T P'^T S         A P = Q (W; 0)
 *
 * rank(D A) = rank(A).  A perturbation of D A that is small against |D A| changes each row of A by
 * little relative to that row.  So r is the least rank of the matrices that agree with A up to
 * rounding of each row; LAPACK's rank is the least of those that agree up to rounding of |A|.  D
 * has powers of two, so that D A is exact.  2^t is next to the pair's largest entries, so that no
 * short column of D A leaves the range.
 *
 * The QR of A itself is not stopped at column r for this reason: after r steps each remaining row
 * is its rounding error, and that may be larger than a small row's own entries.  C has r columns
 * and nothing to leave out.  Rows come sorted, so that 2 and 4 are stable row by row (Cox and
 * Higham 1998).  So is the product in 5.  Each row of A therefore has an error relative to its own
 * size.
 */
#include "core/range.h"
#include "pivot/pivot.h"
#include "qr/qr.h"
#include "urv/urv.h"

static void take_scales(arena_t *a, int64_t rows, row_scales_t *s)
{
    s->up = gsvd_arena_take(a, rows, sizeof(int));
    s->down = gsvd_arena_take(a, rows, sizeof(int));
}

void X(by_rows_carve)(arena_t *a, const exec_t *ex, int64_t m, int64_t n,
                      int64_t p, by_rows_t *w)
{
    const int64_t rows = max_i(m, p), r = min_i(rows, n);

    *w = (by_rows_t){.is_wanted = ex->policy.rank == GSVD_RANK_ROWS};
    if (!w->is_wanted)
        return;
    w->copy = X(take_matrix)(a, rows * n, 1);
    w->square = X(take_matrix)(a, r, r);
    w->ones = gsvd_arena_take(a, rows, sizeof(real_t));
    w->perm = gsvd_arena_take(a, r, sizeof(int));
    take_scales(a, m, &w->a);
    take_scales(a, p, &w->b);
}

size_t X(by_rows_bytes)(const exec_t *ex, int64_t m, int64_t n)
{
    const int64_t r = min_i(m, n);
    const size_t each[] = {X(geqp_work_bytes)(ex, m, r),
                           X(ungqr_work_bytes)(ex, m, r, r)};
    return ex->policy.rank == GSVD_RANK_ROWS ? LARGEST(each) : 0;
}

/* K := a matrix of that shape in the memory for a copy */
static mat_t copy_of(const by_rows_t *w, int64_t rows, int64_t cols)
{
    return mat_view(w->copy.data, rows, cols, max_i(rows, 1));
}

/* A := 2^t D A */
static gsvd_status_t scale_up(const exec_t *ex, mat_t A, const row_scales_t *s,
                              const by_rows_t *w)
{
    GSVD_TRY(ex->op->scale_pow2(ex, A, s->top));
    return ex->op->scale_rows(ex, A, w->ones, s->up);
}

gsvd_status_t X(measure_rows)(const exec_t *ex, mat_t A, real_t given, int top,
                              real_t *size, const by_rows_t *w, row_scales_t *s)
{
    const mat_t K = copy_of(w, A.rows, A.cols);
    norms_t r;

    GSVD_TRY(ex->op->norms_by_row(ex, A, size, &r));
    if (!rows_are_sorted(r.largest, r.least_row))
        return GSVD_SUCCESS;
    GSVD_TRY(ex->op->row_exponents(ex, A.rows, size, s->up, s->down));
    GSVD_TRY(ex->op->values_set(ex, 0, A.rows, 1, w->ones));
    GSVD_TRY(ex->op->copy(ex, A, K));
    s->top = top;
    GSVD_TRY(scale_up(ex, K, s, w));
    GSVD_TRY(ex->op->norms(ex, K, &r));
    s->tol = given >= 0 ? given : rank_tolerance(A.rows, A.cols, r.norm1);
    s->on = 1;
    return GSVD_SUCCESS;
}

/* 3 to 5: A holds the QR of 1 and gets W; K gets that of 4, and tau. */
static gsvd_status_t truncate_rows(const exec_t *ex, mat_t A, int64_t r,
                                   mat_t S, const row_scales_t *s,
                                   const by_rows_t *w, scalar_t *tau, mat_t K)
{
    const mat_t C = mat_cols(K, 0, r), T = mat_sub(A, 0, 0, r, r);
    const mat_t R = mat_view(w->square.data, r, r, r);
    int64_t done;

    GSVD_TRY(ex->op->copy(ex, mat_rows(A, 0, r), S));
    GSVD_TRY(ex->op->zero_lower(ex, S));
    GSVD_TRY(ex->op->copy(ex, mat_cols(A, 0, r), C)); /* 3 */
    GSVD_TRY(X(ungqr)(ex, C, r, tau));
    GSVD_TRY(ex->op->scale_rows(ex, C, w->ones, s->down));

    GSVD_TRY(
        X(geqpf)(ex, C, ex->policy.pivot, -1, w->perm, tau, &done)); /* 4 */

    GSVD_TRY(ex->op->copy(ex, mat_rows(C, 0, r), R)); /* 5 */
    GSVD_TRY(ex->op->zero_lower(ex, R));
    GSVD_TRY(ex->op->ctrans(ex, R, T));
    GSVD_TRY(ex->op->permute_rows(ex, T, w->perm, R));
    GSVD_TRY(ex->op->gemm(ex, 'C', 'N', R, S, mat_rows(A, 0, r)));
    return ex->op->scale_pow2(ex, mat_rows(A, 0, r), -s->top);
}

gsvd_status_t X(geqp_by_rows)(const exec_t *ex, mat_t A, mat_t S,
                              const row_scales_t *s, const by_rows_t *w,
                              int *perm, scalar_t *tau, rank_qr_t *qr)
{
    const gsvd_pivot_t how = ex->policy.pivot;
    const mat_t K = copy_of(w, A.rows, A.cols);
    exec_t alike = *ex;

    alike.policy.rowwise_stable = 0;
    GSVD_TRY(ex->op->copy(ex, A, K));
    GSVD_TRY(scale_up(ex, A, s, w)); /* 1 */
    GSVD_TRY(X(geqpf)(&alike, A, how, s->tol, perm, tau, &qr->rank));
    *qr = (rank_qr_t){.rank = qr->rank, .reflectors = A};
    if (qr->rank == min_i(A.rows, A.cols)) {
        GSVD_TRY(ex->op->copy(ex, K, A));
        return X(geqpf)(ex, A, how, -1, perm, tau, &qr->rank); /* 2 */
    }
    if (qr->rank == 0)
        return GSVD_SUCCESS;
    qr->reflectors = K;
    qr->is_full = 1;
    return truncate_rows(ex, A, qr->rank,
                         mat_view(S.data, qr->rank, A.cols, qr->rank), s, w,
                         tau, K);
}
