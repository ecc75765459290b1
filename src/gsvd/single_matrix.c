/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* single_matrix.c -- the scale of one matrix, the order of its rows, the test of few columns.
 *
 * If the largest entry of a matrix is far from 1, the matrix is scaled by a power of two before the
 * factorization.  Afterwards only R is scaled back, since reflectors do not depend on the scale.
 */
#include <stdlib.h>

#include "core/range.h"
#include "gsvd/pipeline.h"

gsvd_status_t X(norms_if_finite)(const exec_t *ex, mat_t A, operand_t operand,
                                 norms_t *r, outcome_t *out)
{
    norms_t unused;
    r = r ? r : &unused;
    GSVD_TRY(ex->op->norms(ex, A, r));
    return r->finite ? GSVD_SUCCESS : gsvd_not_finite(out, operand);
}

int X(far_exponent)(const norms_t *r)
{
    const int e = r->largest > 0 ? exponent_r(r->largest) + 1 : 0;
    return abs(e) > FAR_EXPONENT ? e : 0;
}

gsvd_status_t X(scale_matrix)(const exec_t *ex, mat_t A, int *e, real_t *tol,
                              outcome_t *out)
{
    norms_t r;

    GSVD_TRY(X(norms_if_finite)(ex, A, OPERAND_A, &r, out));
    *e = X(far_exponent)(&r);
    GSVD_TRY(ex->op->scale_pow2(ex, A, -*e));
    if (!tol)
        return GSVD_SUCCESS;
    const int given = *tol >= 0;
    if (!given &&
        *e != 0) /* The sums overflowed, perhaps.                    */
        GSVD_TRY(ex->op->norms(ex, A, &r));
    *tol = fmax_r(given ? ldexp_r(*tol, -*e)
                        : rank_tolerance(A.rows, A.cols, r.norm1),
                  least_tolerance(A.rows, A.cols, given, *e));
    return GSVD_SUCCESS;
}

void X(row_order_take)(arena_t *a, int64_t m, int64_t cols, row_order_t *order)
{
    order->size = gsvd_arena_take(a, m, sizeof(real_t));
    order->perm = gsvd_arena_take(a, m, sizeof(int));
    order->inverse = gsvd_arena_take(a, m, sizeof(int));
    order->work = X(take_matrix)(a, X(rearrange_entries)(m, cols), 1);
    order->sorted = order->even = 0;
}

gsvd_status_t X(row_order_sort)(const exec_t *ex, mat_t A, row_order_t *order,
                                int *apart)
{
    norms_t r, even;

    GSVD_TRY(ex->op->norms_by_row(ex, A, order->size, &r));
    order->sorted = sorts_rows(A, &r);
    even = r;
    order->even = 0;
    if (order->sorted && ex->op->norms_of_even) {
        GSVD_TRY(ex->op->norms_of_even(ex, A, &even));
        order->sorted = sorts_rows(A, &even);
        order->even = !order->sorted;
    }
    *apart = rows_differ(r.largest, r.least_row);
    order->bits = order->sorted && r.largest > 0
                      ? exponent_r(r.largest) - exponent_r(r.least_row)
                      : 0;
    if (!order->sorted)
        return GSVD_SUCCESS;
    GSVD_TRY(ex->op->sort_rows(ex, A.rows, order->size, order->perm,
                               order->inverse));
    return X(rearrange)(ex, 'L', order->perm, A, order->work);
}

gsvd_status_t X(row_order_undo)(const exec_t *ex, mat_t U,
                                const row_order_t *order)
{
    return order->sorted ? X(rearrange)(ex, 'L', order->inverse, U, order->work)
                         : GSVD_SUCCESS;
}

gsvd_status_t X(few_are_unitary)(const exec_t *ex, mat_t X_, mat_t room,
                                 int *good)
{
    const mat_t E = mat_sub(room, 0, 0, X_.cols, X_.cols);
    norms_t r;

    if (X_.cols >= UNITARY_LEAST)
        return GSVD_SUCCESS;
    GSVD_TRY(ex->op->set(ex, E, 0, 1));
    GSVD_TRY(ex->op->gemm_sub(ex, 'C', 'N', X_, X_, E));
    GSVD_TRY(ex->op->norms(ex, E, &r));
    *good &= r.finite && r.largest <= defect_allowed(X_.rows);
    return GSVD_SUCCESS;
}
