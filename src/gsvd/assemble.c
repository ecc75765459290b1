/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* assemble.c -- R, U, V, Q from the solver's U~, V~, C, S.
 *
 *     1  H = C U~^H A23 + S V~^H B13          A23 = U~ C H, B13 = V~ S H; weighted where
 *                                             columns of A23 and B13 differ (value_pair.h)
 *     2  X^H = (A12 A13; 0 H) Q_r^H           if asked for; Q_r: Q's last columns
 *     2" X^-H = Q_r (A12 A13; 0 H)^-1         if asked for; after 5
 *     3  P' H P = R22 Q^^H,  Q~ = P Q^         RQ; P sorts columns, the shortest first
 *     4  A13 := A13 Q~,  Q := Q diag(I, Q~)   unless X takes Q's place
 *     5  U := U diag(I, U~, I),  V := V diag(V~, I)
 *     6  R = (R11 A13; 0 R22), and X, X^-H, of the caller's pair
 *
 * Of some pairs alone there are 1, 2 or 2" and 6 of X; keep.c has their U and V.
 *
 * Where (A D, B D) was preprocessed, Q and the triangles are not those of (A, B), whose
 * X^H = (A12 A13; 0 H) Q_r^H D^-1 has another RQ:
 *
 *     2'  X^H D^-1, whoever asks for it
 *     3'  P' X^H P = (0 R) Q^^H, Q = P Q^       RQ; P as in 3
 *
 * Q's first columns span the null space of X^H, and of (A; B).
 *
 * In 2" the columns of H have length 1, H = L Q^^H D_H with a lower triangle L, and columns of
 * W = D_H^-1 Q^ L^-1 are solved for: (H w_j)_i is that of I up to rounding of |h_i| |D_H w_j|, which
 * is A's and B's residual, however ill-conditioned H is.  Substitution in rows, W H = I, left
 * the condition as a factor.  Where B has full column rank, Q_r only permutes, so that rows of X^-H
 * of any scale keep their own accuracy.
 *
 * In 6 each row has a power of two of its own.  The rows of X^H are scaled as R's are,
 * so that nothing on the way is larger than the result.
 *
 * (U~ C; V~ S) has orthonormal columns that span the range of (A23; B13), so H
 * is its least-squares factor and the residual is rounding, whatever rotations
 * the solver went through.  That is rounding of the longer one of a column of A23 and its fellow
 * of B13; with squares over their lengths it is rounding of either.
 *
 * The columns of H keep their own accuracy, and so do those of X^H.  RQ is the QR of the flipped
 * transpose, whose rows are H's columns from the last one on: with the longest on top, QR is
 * accurate row by row (Powell and Reid 1969), and so is R Q~^H column by column.  That is as good
 * as unsorted where the first columns of the QR begin with zeros, as triangles of preprocessing
 * may.  So P' orders, by pivots, rows of equal values, which may have any order, and U and V go
 * with them: the first k of X^H, with values (1, 0), and those without a row in A, (0, 1).
 */
#include "core/notes.h"
#include "gsvd/pipeline.h"

/* A product goes through so many entries at a time, or a quarter of a factor. */
enum { PIECE = 1 << 20 };

/* A product with a triangle has so many parts, each of some columns. */
enum { SLICES = 8, LEAST_SLICE = 256 };

void X(assemble_carve)(arena_t *a, const pair_t *P, int values_only,
                       assemble_work_t *w)
{
    const int64_t m = P->m, n = P->n, p = P->p, l = P->l, m1 = min_i(m, l);
    const int64_t of_x = n * min_i(n, m + p);
    const int64_t most =
        P->kept.keep != 0 ? of_x : max_i(max_i(m * m1, p * l), of_x);
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
    const int64_t rows = l + min_i(m, l), r = values_only ? 0 : l;
    size_t most = 0;

    GSVD_STEP(ex, &most, "pivoted QR of the triangles", l, l,
              X(geqp_work_bytes)(ex, l, l), 0);
    GSVD_STEP(ex, &most, "one-sided Jacobi", l, l, /* 3 */
              X(solve_jacobi_bytes)(ex, m, l, values_only),
              X(orthogonalize_pair_seconds)(ex, l));
    GSVD_STEP(ex, &most, "QR of its factors", rows, r, /* 3 */
              max_size(X(geqrf_work_bytes)(ex, rows, l),
                       X(ungqr_work_bytes)(ex, rows, l, l)),
              X(geqrf_seconds)(ex, rows, r));
    GSVD_STEP(ex, &most, "R, U, V, Q", max_i(m, n), r, /* 5 */
              X(unmqr_work_bytes)(ex, l, l, max_i(m, n)),
              3 * X(unmqr_seconds)(ex, l, r, max_i(m, n)));
    return most;
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

/* 6 of X: Y := some columns of these rows of X^H, by the scales of the rows, which are those of R */
static gsvd_status_t scale_x(const exec_t *ex, const pair_t *P,
                             const range_t *x, mat_t Y,
                             const assemble_work_t *w)
{
    const int64_t from = max_i(x->first - P->k, 0);
    GSVD_TRY(ex->op->scale_pow2(ex, mat_rows(Y, 0, x->ones), P->ea));
    return ex->op->scale_rows(ex, mat_rows(Y, x->ones, x->count - x->ones),
                              w->g + from, w->e + from);
}

/* 2, and 6 of X, of some pairs, to the first columns of `to`: Q_r (A12 A13; 0 H)^H with Q_r the last
 * r columns of Q; the other columns := 0.  Of a scaled pair D^-1 times that, without 6 where R is to
 * come out of it.  to may be Q. */
static gsvd_status_t x_form(const exec_t *ex, const pair_t *P, mat_t H,
                            const range_t *x, mat_t to,
                            const assemble_work_t *w)
{
    const int64_t n = P->n, k = P->k, l = P->l, r = k + l, count = x->count;
    const int64_t most = max_i(w->work.rows / max_i(count, 1), 1);
    const int64_t rest = count - x->ones;
    const int by_order = P->order && l == n && !P->equilibrated;
    const mat_t A1 = mat_sub(P->A, x->first, n - r, x->ones, r);
    const mat_t Hx = mat_rows(H, max_i(x->first - k, 0), rest);

    for (int64_t i = 0; i < n; i += most) {
        const mat_t Q = mat_rows(P->Q, i, min_i(most, n - i));
        const mat_t Qr = mat_cols(Q, Q.cols - r, r);
        const mat_t Y = mat_view(w->work.data, count, Q.rows, max_i(count, 1));
        const mat_t Y2 = mat_rows(Y, x->ones, rest);
        GSVD_TRY(ex->op->gemm(ex, 'N', 'C', A1, Qr, mat_rows(Y, 0, x->ones)));
        if (by_order)
            GSVD_TRY(ex->op->copy(ex, mat_cols(Hx, i, Y.cols), Y2));
        else
            GSVD_TRY(ex->op->gemm(ex, 'N', 'C', Hx, mat_cols(Qr, k, l), Y2));
        if (P->equilibrated)
            GSVD_TRY(ex->op->normalize_columns(ex, Y, P->d + i, Y));
        if (!P->equilibrated || P->kept.keep != 0)
            GSVD_TRY(scale_x(ex, P, x, Y, w));
        const mat_t X_ = mat_rows(to, i, Q.rows);
        GSVD_TRY(ex->op->set(ex, X_, 0, 0));
        GSVD_TRY(ex->op->ctrans(ex, Y, mat_cols(X_, 0, count)));
    }
    return by_order ? X(rearrange)(ex, 'L', P->order, mat_cols(to, 0, count),
                                   w->work)
                    : GSVD_SUCCESS;
}

/* 6 of X^-H, which the last r columns of Q hold: they become the first, and the others, which
 * span the null space, the last. */
static gsvd_status_t finish_inverse(const exec_t *ex, const pair_t *P,
                                    const assemble_work_t *w)
{
    const int64_t k = P->k, l = P->l, r = k + l, cols = P->Q.cols;
    const int64_t most = max_i(w->work.rows / max_i(cols, 1), 1);

    for (int64_t i = 0; r > 0 && i < P->n; i += most) {
        const mat_t Q = mat_rows(P->Q, i, min_i(most, P->n - i));
        const mat_t Y = mat_view(w->work.data, cols, Q.rows, max_i(cols, 1));
        const mat_t Z = mat_rows(Y, 0, cols - r), W = mat_rows(Y, cols - r, r);
        GSVD_TRY(ex->op->ctrans(ex, Q, Y));
        if (P->equilibrated)
            GSVD_TRY(ex->op->scale_columns(ex, Y, P->d + i, Y));
        GSVD_TRY(ex->op->scale_pow2(ex, mat_rows(W, 0, k), -P->ea));
        GSVD_TRY(ex->op->unscale_rows(ex, mat_rows(W, k, l), w->g, w->e));
        GSVD_TRY(ex->op->ctrans(ex, W, mat_cols(Q, 0, r)));
        GSVD_TRY(ex->op->ctrans(ex, Z, mat_cols(Q, r, cols - r)));
    }
    return GSVD_SUCCESS;
}

/* Q2 := Q2 W - Q1 A13 W */
static gsvd_status_t times_rest(const exec_t *ex, mat_t Q1, mat_t Q2, mat_t A13,
                                mat_t W, mat_t work)
{
    const int64_t k = A13.rows, l = A13.cols;
    const int64_t most = max_i(work.rows / max_i(l, 1), 1);

    GSVD_TRY(times(ex, Q2, W, work));
    for (int64_t i = 0; i < k; i += most) {
        const mat_t some = mat_rows(A13, i, min_i(most, k - i));
        const mat_t S = mat_view(work.data, some.rows, l, some.rows);
        GSVD_TRY(ex->op->gemm(ex, 'N', 'N', some, W, S));
        GSVD_TRY(
            ex->op->gemm_sub(ex, 'N', 'N', mat_cols(Q1, i, some.rows), S, Q2));
    }
    return GSVD_SUCCESS;
}

/* 2", with 6 of X^-H.  The stack GF and Z are free; H and A13 stay as they are. */
static gsvd_status_t x_inverse(const exec_t *ex, const pair_t *P, mat_t H,
                               const solve_work_t *s, const assemble_work_t *w)
{
    const int64_t k = P->k, l = P->l, n = P->n, first = P->Q.cols - k - l;
    const mat_t E = of_b(s->GF, l), W = mat_sub(s->Z, 0, 0, l, l);
    const mat_t A13 = mat_sub(P->A, 0, n - l, k, l);
    const mat_t Q1 = mat_cols(P->Q, first, k);
    const mat_t Q2 = mat_cols(P->Q, first + k, l);

    GSVD_TRY(ex->op->column_norms(ex, H, s->x));
    GSVD_TRY(ex->op->normalize_columns(ex, H, s->x, W));
    GSVD_TRY(ex->op->ctrans(ex, W, E));
    GSVD_TRY(X(geqrf)(ex, E, s->tau));
    GSVD_TRY(ex->op->set(ex, W, 0, 1));
    GSVD_TRY(ex->op->trsm(ex, E, W));
    GSVD_TRY(X(unmqr)(ex, 'R', 'C', E, l, s->tau, W));
    GSVD_TRY(ex->op->normalize_columns(ex, W, s->x, W));
    GSVD_TRY(ex->op->ctrans(ex, W, E));

    GSVD_TRY(ex->op->trsm(ex, mat_sub(P->A, 0, n - k - l, k, k), Q1));
    GSVD_TRY(times_rest(ex, Q1, Q2, A13, E, w->work));
    return finish_inverse(ex, P, w);
}

/* An RQ, as the QR of the flipped transpose E */
#define qr_t X(qr_t)
typedef struct qr_t {
    mat_t E;
    scalar_t *tau;
    int *pivots; /* P' of the rows in hand, the last one first                */
} qr_t;

/* The order P' of some columns of W, which belong to rows of X^H */
static gsvd_status_t follow_pivots(const exec_t *ex, mat_t W, const qr_t *q,
                                   mat_t work)
{
    if (mat_empty(W))
        return GSVD_SUCCESS;
    GSVD_TRY(X(rearrange)(ex, 'R', NULL, W, work));
    GSVD_TRY(X(rearrange)(ex, 'R', q->pivots, W, work));
    return X(rearrange)(ex, 'R', NULL, W, work);
}

/* The QR of columns [first, last) of E goes on from those before; pivots may order them, and
 * the columns of W along with them */
static gsvd_status_t factor_some(const exec_t *ex, const qr_t *q, int64_t first,
                                 int64_t last, int pivots, mat_t W, mat_t work)
{
    const mat_t E = q->E;
    const int64_t rows = E.rows - first, cols = last - first;
    const mat_t some = mat_sub(E, first, first, rows, cols);
    const mat_t above = mat_sub(E, 0, first, first, cols);
    const mat_t rest = mat_sub(E, first, last, rows, E.cols - last);
    int64_t rank;

    if (!pivots)
        GSVD_TRY(X(geqrf)(ex, some, q->tau + first));
    else {
        GSVD_TRY(X(geqpf)(ex, some, ex->policy.pivot, -1, q->pivots,
                          q->tau + first, &rank));
        GSVD_TRY(X(rearrange)(ex, 'R', q->pivots, above, work));
        GSVD_TRY(follow_pivots(ex, W, q, work));
    }
    return X(unmqr)(ex, 'L', 'C', some, cols, q->tau + first, rest);
}

/* May rows of equal values change places, and does it pay?  X and X^-H keep the order of U and V. */
static int pivots_rows(const exec_t *ex, const pair_t *P)
{
    return ex->policy.rowwise_stable && !P->x_form && !P->x_inverse;
}

/* 3 of H, whose flipped transpose is in the first columns of E, and its last rows, of which A
 * has none; the columns of V, or none, go along with them */
static gsvd_status_t factor_h(const exec_t *ex, const pair_t *P, const qr_t *q,
                              mat_t V, mat_t work)
{
    const int64_t l = P->l, m1 = pair_m1(P);
    const mat_t none = mat_view(NULL, 0, 0, 1);
    const mat_t W = V.data ? mat_cols(V, m1, l - m1) : none;

    if (!pivots_rows(ex, P))
        return factor_some(ex, q, 0, l, 0, none, work);
    GSVD_TRY(factor_some(ex, q, 0, l - m1, 1, W, work));
    return factor_some(ex, q, l - m1, l, 0, none, work);
}

/* P of step 3, in s->perm; *in := ex, row-wise stable where the columns of H, which are the
 * rows of the QR, differ.  Waits for the least length and the largest. */
static gsvd_status_t sort_columns(const exec_t *ex, mat_t H, solve_work_t *s,
                                  exec_t *in)
{
    const int64_t l = H.cols;
    real_t *const sorted = s->size, least, most;

    *in = *ex;
    if (l == 0)
        return GSVD_SUCCESS;
    GSVD_TRY(ex->op->column_norms(ex, H, s->x));
    GSVD_TRY(ex->op->values_set(ex, 0, l, 0, s->y));
    GSVD_TRY(ex->op->values_order(ex, l, s->y, s->x, s->perm));
    GSVD_TRY(ex->op->values_permute(ex, l, s->x, s->perm, sorted));
    GSVD_TRY(ex->op->values_read(ex, 1, sorted, &least));
    GSVD_TRY(ex->op->values_read(ex, 1, sorted + l - 1, &most));
    in->policy.rowwise_stable |= sizes_differ(most, least);
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

/* 5 of V, which may hold reflectors still; room: l x l */
static gsvd_status_t extend_v(const exec_t *ex, const pair_t *P, mat_t of_b,
                              mat_t room, const assemble_work_t *w)
{
    if (!P->v_waits)
        return times(ex, mat_cols(P->V, 0, P->l), of_b, w->work);
    GSVD_TRY(ex->op->copy(ex, P->V, room));
    GSVD_TRY(ex->op->copy(ex, of_b, P->V));
    return X(unmqr)(ex, 'L', 'N', room, P->l, P->tau_v, P->V);
}

/* 5; room: a stack or Z, which is free */
static gsvd_status_t extend(const exec_t *ex, const pair_t *P,
                            const solve_work_t *s, mat_t room,
                            const assemble_work_t *w)
{
    const int64_t k = P->k, l = P->l, m1 = pair_m1(P);

    if (P->U.data && P->a23_whole && k == 0) /* The factor before is I.      */
        GSVD_TRY(ex->op->copy(ex, of_a(s->GF, l, m1, m1), P->U));
    else if (P->U.data)
        GSVD_TRY(
            times(ex, mat_cols(P->U, k, m1), of_a(s->GF, l, m1, m1), w->work));
    return P->V.data
               ? extend_v(ex, P, of_b(s->GF, l), mat_sub(room, 0, 0, l, l), w)
               : GSVD_SUCCESS;
}

/* Y := W^H T for a triangle T, whose zeros few products see */
static gsvd_status_t times_triangle(const exec_t *ex, mat_t W, mat_t T, mat_t Y)
{
    const int64_t l = T.cols, most = max_i(l / SLICES, LEAST_SLICE);

    for (int64_t j = 0; j < l; j += most) {
        const int64_t end = min_i(j + most, l), rows = min_i(end, T.rows);
        GSVD_TRY(ex->op->gemm(ex, 'C', 'N', mat_rows(W, 0, rows),
                              mat_sub(T, 0, j, rows, end - j),
                              mat_cols(Y, j, end - j)));
    }
    return GSVD_SUCCESS;
}

/* 1: W's upper part := H */
static gsvd_status_t combine(const exec_t *ex, const pair_t *P,
                             const solve_work_t *s, const assemble_work_t *w)
{
    const int64_t l = P->l, n = P->n, m1 = pair_m1(P);
    const mat_t E = of_b(s->W, l), UA = of_a(s->W, l, m1, l);
    const mat_t A23 = mat_sub(P->A, P->k, n - l, m1, l);
    const mat_t B13 = mat_sub(P->B, 0, n - l, l, l);

    GSVD_TRY(ex->op->column_norms(ex, A23, s->x));
    GSVD_TRY(ex->op->column_norms(ex, B13, s->y));
    GSVD_TRY(ex->op->gemm(ex, 'C', 'N', of_a(s->GF, l, m1, m1), A23, UA));
    GSVD_TRY(times_triangle(ex, of_b(s->GF, l), B13, E));
    return ex->op->combine_columns(ex, w->c, UA, w->s, E, s->x, s->y, E);
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
    const mat_t none = mat_view(NULL, 0, 0, 1);
    const int x_form_wanted = P->x_form && P->Q.data != NULL;
    const int inverse_wanted = P->x_inverse && P->Q.data != NULL;
    const qr_t q = {E, s->tau, s->pivots};
    const range_t all = X(keep_range)(P);
    exec_t in;

    GSVD_TRY(combine(ex, P, s, w)); /* 1 */
    if (x_form_wanted)              /* 2 */
        GSVD_TRY(x_form(ex, P, E, &all, P->Q, w));
    if (inverse_wanted) {
        GSVD_TRY(extend(ex, P, s, s->Z, w)); /* 5 */
        GSVD_TRY(x_inverse(ex, P, E, s, w));
    }

    GSVD_TRY(sort_columns(ex, E, s, &in)); /* 3 */
    GSVD_TRY(ex->op->permute_columns(ex, E, s->perm, H));
    GSVD_TRY(ex->op->conj_antitranspose(ex, H, E));
    GSVD_TRY(factor_h(&in, P, &q, P->V.data ? of_b(s->GF, l) : none, w->work));
    GSVD_TRY(X(rq_triangle)(ex, E, H));

    GSVD_TRY(apply_right(ex, A13, E, s, w)); /* 4 */
    if (P->Q.data && !x_form_wanted && !inverse_wanted)
        GSVD_TRY(apply_right(ex, mat_cols(P->Q, P->Q.cols - l, l), E, s, w));

    if (!inverse_wanted)
        GSVD_TRY(extend(ex, P, s, s->W, w)); /* 5 */
    GSVD_TRY(ex->op->copy(ex, mat_rows(H, 0, m1), A23));
    GSVD_TRY(ex->op->set(ex, B13, 0, 0));
    return ex->op->copy(ex, mat_sub(H, m1, m1, l - m1, l - m1),
                        mat_sub(B13, m1, m1, l - m1, l - m1));
}

/* -- of a pair whose columns were scaled ------------------------------------------ */

/* The RQ of X^H, n x r, as the QR of X with its rows sorted and its columns reversed */
#define rq_work_t X(rq_work_t)
typedef struct rq_work_t {
    qr_t qr;
    real_t *size; /* of X's rows                                             */
    int *perm, *inverse;
} rq_work_t;

static void rq_carve(arena_t *a, int64_t n, int64_t r, rq_work_t *w)
{
    w->qr.E = X(take_matrix)(a, n, r);
    w->qr.tau = gsvd_arena_take(a, r, sizeof(scalar_t));
    w->size = gsvd_arena_take(a, n, sizeof(real_t));
    w->perm = gsvd_arena_take(a, n, sizeof(int));
    w->inverse = gsvd_arena_take(a, n, sizeof(int));
    w->qr.pivots = gsvd_arena_take(a, r, sizeof(int));
}

size_t X(equilibrated_bytes)(const exec_t *ex, int64_t m, int64_t n, int64_t p)
{
    const int64_t r = min_i(n, m + p);
    const size_t each[] = {
        X(geqrf_work_bytes)(ex, n, r), X(geqp_work_bytes)(ex, n, r),
        X(unmqr_work_bytes)(ex, n, r, r), X(ungqr_work_bytes)(ex, n, r, r)};
    arena_t count = {0};
    rq_work_t w;
    rq_carve(&count, n, r, &w);
    return count.used + LARGEST(each);
}

/* 3': the QR.  Waits for the sizes of rows. */
static gsvd_status_t factor_x(const exec_t *ex, const pair_t *P, mat_t X_,
                              const rq_work_t *q, mat_t work)
{
    const int64_t k = P->k, l = P->l;
    const mat_t none = mat_view(NULL, 0, 0, 1);
    const mat_t V = P->V.data ? mat_cols(P->V, 0, l) : none;
    const mat_t U = P->U.data ? mat_cols(P->U, 0, k) : none;
    norms_t norms;
    exec_t in = *ex;

    GSVD_TRY(ex->op->norms_by_row(ex, X_, q->size, &norms));
    GSVD_TRY(ex->op->sort_rows(ex, X_.rows, q->size, q->perm, q->inverse));
    in.policy.rowwise_stable |= sizes_differ(norms.largest, norms.least_row);
    GSVD_TRY(ex->op->permute_columns(ex, X_, NULL, q->qr.E));
    GSVD_TRY(X(rearrange)(ex, 'L', q->perm, q->qr.E, work));
    GSVD_TRY(factor_h(&in, P, &q->qr, V, work));
    return factor_some(&in, &q->qr, l, k + l, pivots_rows(&in, P), U, work);
}

/* R, which lies where the rows of (A12 A13; 0 H) would, out of it */
static gsvd_status_t take_r(const exec_t *ex, const pair_t *P, mat_t E)
{
    const int64_t r = E.cols, m1 = pair_m1(P), t = P->k + m1, rest = r - t;
    const mat_t above = mat_sub(P->A, 0, P->n - r, t, r);
    const mat_t below = mat_sub(P->B, m1, P->n - rest, rest, rest);

    GSVD_TRY(ex->op->conj_antitranspose(ex, mat_sub(E, 0, rest, r, t), above));
    GSVD_TRY(ex->op->zero_lower(ex, above));
    GSVD_TRY(ex->op->set(ex, mat_sub(P->B, 0, P->n - P->l, P->l, P->l), 0, 0));
    GSVD_TRY(
        ex->op->conj_antitranspose(ex, mat_sub(E, 0, 0, rest, rest), below));
    return ex->op->zero_lower(ex, below);
}

/* Q := P Q^ */
static gsvd_status_t take_q(const exec_t *ex, mat_t Q, const rq_work_t *q,
                            mat_t work)
{
    GSVD_TRY(ex->op->copy(ex, q->qr.E, mat_cols(Q, 0, q->qr.E.cols)));
    GSVD_TRY(X(ungqr)(ex, Q, q->qr.E.cols, q->qr.tau));
    GSVD_TRY(X(rearrange)(ex, 'R', NULL, Q, work));
    return X(rearrange)(ex, 'L', q->inverse, Q, work);
}

/* 6 of X, a few rows of it at a time */
static gsvd_status_t finish_x(const exec_t *ex, const pair_t *P, mat_t X_,
                              const assemble_work_t *w)
{
    const int64_t r = X_.cols, most = max_i(w->work.rows / max_i(r, 1), 1);
    const range_t all = X(keep_range)(P);

    for (int64_t i = 0; i < X_.rows; i += most) {
        const mat_t Xi = mat_rows(X_, i, min_i(most, X_.rows - i));
        const mat_t Y = mat_view(w->work.data, r, Xi.rows, max_i(r, 1));
        GSVD_TRY(ex->op->ctrans(ex, Xi, Y));
        GSVD_TRY(scale_x(ex, P, &all, Y, w));
        GSVD_TRY(ex->op->ctrans(ex, Y, Xi));
    }
    return GSVD_SUCCESS;
}

/* 1 to 5 and 6 of X.  The stacks are free once U and V are made. */
static gsvd_status_t combine_scaled(const exec_t *ex, pair_t *P,
                                    solve_work_t *s, assemble_work_t *w)
{
    const int is_spare = P->Q.data == P->spare.data;
    const int inverse_wanted = P->x_inverse && !is_spare;
    const mat_t H = of_b(s->W, P->l), to = inverse_wanted ? P->spare : P->Q;
    const mat_t X_ = mat_cols(to, 0, P->k + P->l);
    const range_t all = X(keep_range)(P);
    rq_work_t q;

    GSVD_TRY(combine(ex, P, s, w));          /* 1 */
    GSVD_TRY(x_form(ex, P, H, &all, to, w)); /* 2' */
    GSVD_TRY(extend(ex, P, s, s->Z, w));     /* 5 */
    if (inverse_wanted)
        GSVD_TRY(x_inverse(ex, P, H, s, w)); /* 2" */

    exec_t in = lend(ex, s->GF.data < s->W.data ? s->GF : s->W);
    rq_carve(&in.work, P->n, X_.cols, &q);
    GSVD_TRY(X(work_suffices)(&in));
    GSVD_TRY(factor_x(&in, P, X_, &q, w->work)); /* 3' */
    GSVD_TRY(take_r(&in, P, q.qr.E));
    if (is_spare) {
        P->Q = mat_view(NULL, P->n, 0, 1);
        return GSVD_SUCCESS;
    }
    if (inverse_wanted)
        return GSVD_SUCCESS;
    return P->x_form ? finish_x(ex, P, X_, w) : take_q(&in, P->Q, &q, w->work);
}

/* -- of some pairs alone ----------------------------------------------------------- */

/* 1, 2 or 2", 6 of X, and of U and V what keep_finish goes on with */
static gsvd_status_t combine_some(const exec_t *ex, const pair_t *P,
                                  const solve_work_t *s,
                                  const assemble_work_t *w)
{
    const range_t x = X(keep_range)(P);
    const mat_t H = of_b(s->W, P->l), to = P->kept.X;

    GSVD_TRY(X(keep_start)(ex, P, s));
    if (!P->Q.data)
        return GSVD_SUCCESS;
    GSVD_TRY(combine(ex, P, s, w));
    if (P->x_form)
        return x_form(ex, P, H, &x, to, w);
    GSVD_TRY(x_inverse(ex, P, H, s, w));
    GSVD_TRY(ex->op->set(ex, to, 0, 0));
    return ex->op->copy(ex, mat_cols(P->Q, x.first, x.count),
                        mat_cols(to, 0, x.count));
}

/* The most columns of a factor that may have a value */
static int64_t most_valued(const pair_t *P) { return min_i(P->n, P->m + P->p); }

/* Where X or X^-H is asked for, Q is not unitary.  all: of some pairs alone U and V have all columns
 * that are asked for. */
static void factors_of(const pair_t *P, int all, factor_t *F)
{
    if (P->kept.keep != 0) {
        X(keep_factors)(P, all, F);
        return;
    }
    F[0] = (factor_t){P->U, P->k + pair_m1(P), 0};
    F[1] = (factor_t){P->V, P->l, 0};
    F[2] = (factor_t){P->Q, min_i(P->Q.cols, most_valued(P)), 0};
    if (P->x_form || P->x_inverse)
        F[2].all = mat_view(NULL, P->n, 0, 1);
}

void X(polish_carve)(arena_t *a, const pair_t *P, unitary_work_t *w)
{
    factor_t F[UNITARY_MOST];
    factors_of(P, 1, F);
    X(unitary_carve)
    (a,
     P->kept.keep != 0 ? max_i(P->kept.U.cols, P->kept.V.cols) : most_valued(P),
     F, P->values_only ? 0 : UNITARY_MOST, w);
}

gsvd_status_t X(polish_factors)(const exec_t *ex, const pair_t *P,
                                outcome_t *out)
{
    factor_t F[UNITARY_MOST];
    unitary_work_t w;
    exec_t in = *ex;

    if (P->values_only)
        return GSVD_SUCCESS;
    factors_of(P, 0, F);
    X(polish_carve)(&in.work, P, &w);
    GSVD_TRY(X(work_suffices)(&in));
    return X(make_unitary)(&in, F, UNITARY_MOST, &w, out);
}

gsvd_status_t X(assemble)(const exec_t *ex, pair_t *P, solve_work_t *s,
                          assemble_work_t *w, outcome_t *out)
{
    if (P->values_only)
        return GSVD_SUCCESS;
    if (P->kept.keep != 0) {
        GSVD_TRY(combine_some(ex, P, s, w));
        return X(test_overflow_of_pair)(ex, P, out);
    }
    GSVD_TRY((P->equilibrated ? combine_scaled
                              : combine_factors)(ex, P, s, w)); /* 1 to 5 */
    GSVD_TRY(scale_back(ex, P, w));                             /* 6 */
    return X(test_overflow_of_pair)(ex, P, out);
}
