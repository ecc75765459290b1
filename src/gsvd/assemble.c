/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* assemble.c -- R, U, V, Q from the solver's U~, V~, C, S.
 *
 *     1  H = C U~^H A23 + S V~^H B13          A23 = U~ C H, B13 = V~ S H
 *     2  X^H = (A12 A13; 0 H) Q_r^H           if asked for; Q_r: Q's last columns
 *     3  H P = R22 Q^^H,  Q~ = P Q^            RQ; P sorts columns, the shortest first
 *     4  A13 := A13 Q~,  Q := Q diag(I, Q~)   unless X takes Q's place
 *     5  U := U diag(I, U~, I),  V := V diag(V~, I)
 *     6  R = (R11 A13; 0 R22), and X, of the caller's pair
 *
 * In 6 each row has a power of two of its own.  The rows of X^H are scaled as R's are,
 * so that nothing on the way is larger than the result.
 *
 * (U~ C; V~ S) has orthonormal columns that span the range of (A23; B13), so H
 * is its least-squares factor and the residual is rounding, whatever rotations
 * the solver went through.
 *
 * The columns of H keep their own accuracy, and so do those of X^H.  RQ is the QR of the flipped
 * transpose, whose rows are H's columns from the last one on: with the longest on top, QR is
 * accurate row by row (Powell and Reid 1969), and so is R Q~^H column by column.
 */
#include "gsvd/pipeline.h"

/* A product goes through so many entries at a time, or a quarter of a factor. */
enum { PIECE = 1 << 20 };

void X(assemble_carve)(arena_t *a, int64_t m, int64_t n, int64_t p, int64_t l,
                       int values_only, assemble_work_t *w)
{
    const int64_t m1 = min_i(m, l);
    const int64_t most = max_i(max_i(m * m1, p * l), n * min_i(n, m + p));
    const int64_t least = max_i(max_i(m, p), n);
    const int64_t some =
        values_only ? 0 : min_i(most, max_i(max_i(most / 4, PIECE), least));
    w->work = mat_view(gsvd_arena_take(a, some, sizeof(scalar_t)), some, 1,
                       max_i(some, 1));
    w->c = gsvd_arena_take(a, l, sizeof(real_t));
    w->s = gsvd_arena_take(a, l, sizeof(real_t));
    w->g = gsvd_arena_take(a, l, sizeof(real_t));
    w->e = gsvd_arena_take(a, l, sizeof(int));
}

size_t X(solve_work_bytes)(const exec_t *ex, int64_t m, int64_t n, int64_t l,
                           int values_only)
{
    const int64_t rows = l + min_i(m, l);
    const size_t each[] = {X(solve_jacobi_bytes)(ex, m, l, values_only),
                           X(geqp_work_bytes)(ex, l, l),
                           X(geqrf_work_bytes)(ex, rows, l),
                           X(ungqr_work_bytes)(ex, rows, l, l),
                           X(unmqr_work_bytes)(ex, l, l, max_i(m, n))};
    return LARGEST(each);
}

/* X_ := X_ Y, as many rows at a time as work has entries for */
static gsvd_status_t times(const exec_t *ex, mat_t X_, mat_t Y, mat_t work)
{
    const int64_t most = max_i(work.rows / max_i(X_.cols, 1), 1);

    for (int64_t i = 0; i < X_.rows; i += most) {
        const mat_t Xi = mat_rows(X_, i, min_i(most, X_.rows - i));
        const mat_t S = mat_view(work.data, Xi.rows, Xi.cols, Xi.rows);
        GSVD_TRY(ex->op->gemm(ex, 'N', 'N', Xi, Y, S));
        GSVD_TRY(ex->op->copy(ex, S, Xi));
    }
    return GSVD_SUCCESS;
}

/* 6: the first k rows of R by 2^ea, the l others by 2^e[i] g[i]; the rows of R that A
 * lacks are in B. */
static gsvd_status_t scale_back(const exec_t *ex, pair_t *P,
                                const assemble_work_t *w)
{
    const int64_t k = P->k, l = P->l, n = P->n, m1 = pair_m1(P);
    const mat_t A1 = mat_sub(P->A, 0, n - k - l, k, k + l);
    const mat_t A23 = mat_sub(P->A, k, n - l, m1, l);
    const mat_t rest = mat_sub(P->B, m1, n - l + m1, l - m1, l - m1);

    GSVD_TRY(ex->op->scale_pow2(ex, A1, P->ea));
    GSVD_TRY(ex->op->nonzero(ex, mat_cols(A1, 0, k)));
    GSVD_TRY(ex->op->scale_rows(ex, A23, w->g, w->e));
    GSVD_TRY(ex->op->nonzero(ex, A23));
    GSVD_TRY(ex->op->scale_rows(ex, rest, w->g + m1, w->e + m1));
    return ex->op->nonzero(ex, rest);
}

/* 2, and 6 of X: Q(:,1:r) := Q_r (A12 A13; 0 H)^H with Q_r the last r columns of Q; the
 * other columns := 0 */
static gsvd_status_t x_form(const exec_t *ex, pair_t *P, mat_t H,
                            const assemble_work_t *w)
{
    const int64_t n = P->n, k = P->k, l = P->l, r = k + l;
    const int64_t most = max_i(w->work.rows / max_i(r, 1), 1);
    const mat_t A1 = mat_sub(P->A, 0, n - r, k, r);

    for (int64_t i = 0; i < n; i += most) {
        const mat_t Q = mat_rows(P->Q, i, min_i(most, n - i));
        const mat_t Qr = mat_cols(Q, Q.cols - r, r);
        const mat_t Y = mat_view(w->work.data, r, Q.rows, max_i(r, 1));
        GSVD_TRY(ex->op->gemm(ex, 'N', 'C', A1, Qr, mat_rows(Y, 0, k)));
        GSVD_TRY(ex->op->gemm(ex, 'N', 'C', H, mat_cols(Qr, k, l),
                              mat_rows(Y, k, l)));
        GSVD_TRY(ex->op->scale_pow2(ex, mat_rows(Y, 0, k), P->ea));
        GSVD_TRY(ex->op->scale_rows(ex, mat_rows(Y, k, l), w->g, w->e));
        GSVD_TRY(ex->op->set(ex, Q, 0, 0));
        GSVD_TRY(ex->op->ctrans(ex, Y, mat_cols(Q, 0, r)));
    }
    return GSVD_SUCCESS;
}

/* P of step 3, in s->perm; *in := ex, row-wise stable where the columns of H, which are the
 * rows of the QR, differ.  Waits for the least length and the largest. */
static gsvd_status_t sort_columns(const exec_t *ex, mat_t H, solve_work_t *s,
                                  exec_t *in)
{
    const int64_t l = H.cols;
    real_t *const sorted = s->size, least, most;

    GSVD_TRY(ex->op->column_norms(ex, H, s->x));
    GSVD_TRY(ex->op->values_set(ex, 0, l, 0, s->y));
    GSVD_TRY(ex->op->values_order(ex, l, s->y, s->x, s->perm));
    GSVD_TRY(ex->op->values_permute(ex, l, s->x, s->perm, sorted));
    GSVD_TRY(ex->op->values_read(ex, 1, sorted, &least));
    GSVD_TRY(ex->op->values_read(ex, 1, sorted + l - 1, &most));
    *in = *ex;
    in->policy.rowwise_stable |= rows_differ(most, least);
    return GSVD_SUCCESS;
}

/* 4: C := C Q~, Q~ = P Q^ with Q^ in E */
static gsvd_status_t apply_right(const exec_t *ex, mat_t C, mat_t E,
                                 const solve_work_t *s,
                                 const assemble_work_t *w)
{
    GSVD_TRY(X(rearrange)(ex, 'R', s->perm, C, w->work));
    return X(rq_apply)(ex, 'R', E, s->tau, C, w->work);
}

/* 1 to 5 */
static gsvd_status_t combine_factors(const exec_t *ex, pair_t *P,
                                     solve_work_t *s, assemble_work_t *w)
{
    const int64_t k = P->k, l = P->l, n = P->n, m1 = pair_m1(P);
    const mat_t E = of_b(s->W, l), H = mat_sub(s->Z, 0, 0, l, l);
    const mat_t A13 = mat_sub(P->A, 0, n - l, k, l);
    const mat_t A23 = mat_sub(P->A, k, n - l, m1, l);
    const mat_t B13 = mat_sub(P->B, 0, n - l, l, l);
    const mat_t V = of_b(s->GF, l), U = of_a(s->GF, l, m1, m1);
    const mat_t UA = of_a(s->W, l, m1, l);
    const int x_form_wanted = P->x_form && P->Q.data != NULL;
    exec_t in;

    GSVD_TRY(ex->op->gemm(ex, 'C', 'N', U, A23, UA)); /* 1 */
    GSVD_TRY(ex->op->gemm(ex, 'C', 'N', V, B13, E));
    GSVD_TRY(ex->op->combine(ex, w->c, UA, w->s, E, E));

    if (x_form_wanted) /* 2 */
        GSVD_TRY(x_form(ex, P, E, w));

    GSVD_TRY(sort_columns(ex, E, s, &in)); /* 3 */
    GSVD_TRY(ex->op->permute_columns(ex, E, s->perm, H));
    GSVD_TRY(X(rq_factor)(&in, H, E, s->tau));
    GSVD_TRY(X(rq_triangle)(ex, E, H));

    GSVD_TRY(apply_right(ex, A13, E, s, w)); /* 4 */
    if (P->Q.data && !x_form_wanted)
        GSVD_TRY(apply_right(ex, mat_cols(P->Q, P->Q.cols - l, l), E, s, w));

    if (P->U.data) /* 5 */
        GSVD_TRY(times(ex, mat_cols(P->U, k, m1), U, w->work));
    if (P->V.data)
        GSVD_TRY(times(ex, mat_cols(P->V, 0, l), V, w->work));

    GSVD_TRY(ex->op->copy(ex, mat_rows(H, 0, m1), A23));
    GSVD_TRY(ex->op->set(ex, B13, 0, 0));
    return ex->op->copy(ex, mat_sub(H, m1, m1, l - m1, l - m1),
                        mat_sub(B13, m1, m1, l - m1, l - m1));
}

gsvd_status_t X(assemble)(const exec_t *ex, pair_t *P, solve_work_t *s,
                          assemble_work_t *w, outcome_t *out)
{
    if (P->values_only)
        return GSVD_SUCCESS;
    GSVD_TRY(combine_factors(ex, P, s, w)); /* 1 to 5 */
    GSVD_TRY(scale_back(ex, P, w));         /* 6 */
    return X(test_overflow_of_pair)(ex, P, out);
}
