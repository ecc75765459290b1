/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* keep.c -- the factors of the first pairs alone, or of the last.
 *
 *     A = U2 diag(I, U3) (0 A12 A13; 0 0 A23) Q^H,    A23 = U~ C H
 *
 * U is U2 diag(I, U3 U~), of which some columns are wanted.  U2 and U3 are never formed.  Their
 * reflectors stay in A, below the rows that the triangles take, and those in these rows go to a
 * square.  Once X is made, the squares return, and the reflectors are applied to columns of
 * diag(I, U~).  So a tall factor takes memory and time for its wanted columns alone.  V likewise.
 *
 * X^-H is made as a whole, in a matrix of the work, and so is the Q of X. */
#include "core/notes.h"
#include "gsvd/pipeline.h"

static int64_t size_of(int64_t keep) { return keep < 0 ? -keep : keep; }

void X(keep_carve)(arena_t *a, int64_t keep, pair_t *P)
{
    const int64_t m = P->m, n = P->n, p = P->p;
    const int64_t u = min_i(m, n), v = min_i(p, n);
    kept_t *const kept = &P->kept;

    if (keep == 0)
        return;
    *kept = (kept_t){.keep = keep, .U = P->U, .V = P->V, .X = P->Q};
    if (P->U.cols > 0)
        kept->of_u = X(take_matrix)(a, u, u);
    if (P->V.cols > 0)
        kept->of_v = X(take_matrix)(a, v, v);
    kept->tau_u = gsvd_arena_take(a, u, sizeof(scalar_t));
    kept->tau_v = gsvd_arena_take(a, v, sizeof(scalar_t));
    kept->inverse_a = gsvd_arena_take(a, m, sizeof(int));
    kept->inverse_b = gsvd_arena_take(a, p, sizeof(int));
    P->U = mat_view(NULL, m, 0, 1);
    P->V = mat_view(NULL, p, 0, 1);
    if (P->Q.cols > 0)
        P->Q = X(take_matrix)(a, n, min_i(n, m + p));
}

range_t X(keep_range)(const pair_t *P)
{
    const int64_t r = P->k + P->l, keep = P->kept.keep;
    range_t x = {.count = keep == 0 ? r : min_i(size_of(keep), r)};
    x.first = keep < 0 ? r - x.count : 0;
    x.ones = max_i(0, min_i(x.first + x.count, P->k) - x.first);
    return x;
}

/* The columns of U and V that there are: of U those of the first rows of A, of V those of B */
static mat_t columns_of_u(const pair_t *P, const range_t *x)
{
    const int64_t end = min_i(x->first + x->count, P->k + pair_m1(P));
    const int64_t cols = max_i(end - x->first, 0);
    return mat_cols(P->kept.U, 0, min_i(cols, P->kept.U.cols));
}

static mat_t columns_of_v(const pair_t *P, const range_t *x)
{
    const int64_t cols = x->count - x->ones;
    return mat_cols(P->kept.V, x->ones, min_i(cols, P->kept.V.cols));
}

gsvd_status_t X(keep_start)(const exec_t *ex, const pair_t *P,
                            const solve_work_t *s)
{
    const range_t x = X(keep_range)(P);
    const int64_t k = P->k, l = P->l, m1 = pair_m1(P);
    const int64_t first = max_i(x.first - k, 0);
    const mat_t U = P->kept.U, V = P->kept.V;

    if (U.data) {
        const int64_t cols = columns_of_u(P, &x).cols - x.ones;
        GSVD_TRY(ex->op->set(ex, U, 0, 0));
        GSVD_TRY(ex->op->set(ex, mat_sub(U, x.first, 0, x.ones, x.ones), 0, 1));
        GSVD_TRY(ex->op->copy(ex, mat_cols(of_a(s->GF, l, m1, m1), first, cols),
                              mat_sub(U, k, x.ones, m1, cols)));
    }
    if (!V.data)
        return GSVD_SUCCESS;
    GSVD_TRY(ex->op->set(ex, V, 0, 0));
    return ex->op->copy(ex, mat_cols(of_b(s->GF, l), first, x.count - x.ones),
                        mat_rows(columns_of_v(P, &x), 0, l));
}

size_t X(keep_bytes)(const exec_t *ex, const pair_t *P)
{
    const int64_t tall = max_i(P->m, P->p), keep = size_of(P->kept.keep);
    size_t most = 0;

    if (keep > 0)
        GSVD_STEP(ex, &most, "some columns of U and V", tall, keep,
                  X(unmqr_work_bytes)(ex, tall, min_i(tall, P->n), keep),
                  X(unmqr_seconds)(ex, P->m, min_i(P->m, P->n), keep) +
                      X(unmqr_seconds)(ex, P->p, min_i(P->p, P->n), keep));
    return most;
}

gsvd_status_t X(keep_finish)(const exec_t *ex, const pair_t *P, mat_t work)
{
    const kept_t *const kept = &P->kept;
    const range_t x = X(keep_range)(P);
    const int64_t k = P->k, l = P->l, n = P->n, m1 = pair_m1(P);

    if (kept->U.data) {
        const mat_t U = columns_of_u(P, &x), A1 = mat_cols(P->A, 0, n - l);
        const mat_t A23 = mat_sub(P->A, k, n - l, P->m - k, l);
        const mat_t below = mat_sub(U, k, x.ones, P->m - k, U.cols - x.ones);
        GSVD_TRY(ex->op->copy(ex, mat_sub(kept->of_u, 0, 0, k + m1, k),
                              mat_sub(A1, 0, 0, k + m1, k)));
        if (!P->a23_whole) {
            GSVD_TRY(ex->op->copy(ex, mat_sub(kept->of_u, k, k, m1, m1),
                                  mat_sub(A23, 0, 0, m1, m1)));
            GSVD_TRY(X(unmqr)(ex, 'L', 'N', A23, m1, kept->tau_u + k, below));
        }
        GSVD_TRY(X(unmqr)(ex, 'L', 'N', A1, k, kept->tau_u, U));
        if (P->sort_a)
            GSVD_TRY(X(rearrange)(ex, 'L', kept->inverse_a, U, work));
    }
    if (!kept->V.data)
        return GSVD_SUCCESS;
    const mat_t V = columns_of_v(P, &x);
    GSVD_TRY(ex->op->copy(ex, mat_sub(kept->of_v, 0, 0, l, l),
                          mat_sub(P->B, 0, 0, l, l)));
    GSVD_TRY(X(unmqr)(ex, 'L', 'N', P->B, l, kept->tau_v, V));
    return P->sort_b ? X(rearrange)(ex, 'L', kept->inverse_b, V, work)
                     : GSVD_SUCCESS;
}

void X(keep_factors)(const pair_t *P, int all, factor_t *F)
{
    const range_t x = X(keep_range)(P);
    const mat_t U = all ? P->kept.U : columns_of_u(P, &x);
    const mat_t V = all ? P->kept.V : columns_of_v(P, &x);

    F[0] = (factor_t){U, U.cols, 0};
    F[1] = (factor_t){V, V.cols, 0};
    F[2] = (factor_t){.all = mat_view(NULL, P->n, 0, 1)};
}
