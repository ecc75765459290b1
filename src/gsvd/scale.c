/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* scale.c -- powers of two that bring the largest entries of A and B to one size (pair_top).
 *
 * Scaling is exact, so that the backward error is that of the scaled pair.  Without it
 * products of A and B could over- or underflow, and stacking A and B would round the
 * smaller matrix against the larger.
 */
#include "core/range.h"
#include "gsvd/pipeline.h"

/* The bits by which norms may differ where largest entries are alike; what is beyond them is
 * not a matter of how many entries a matrix has. */
enum { BALANCED = 20 };

/* size: of the rows of X_, or NULL */
static gsvd_status_t operand_norms(const exec_t *ex, mat_t X_,
                                   operand_t operand, real_t *size, norms_t *r,
                                   outcome_t *out)
{
    if (size)
        GSVD_TRY(ex->op->norms_by_row(ex, X_, size, r));
    else
        GSVD_TRY(ex->op->norms(ex, X_, r));
    return r->finite ? GSVD_SUCCESS : gsvd_not_finite(out, operand);
}

/* The e with which the largest entry of 2^-e X_ is next to 1 */
static int exponent_of(const norms_t *r)
{
    return r->largest > 0 ? exponent_r(r->largest) + 1 : 0;
}

/* *norm := ||2^-e X_||_1, or 0 where the sum may have overflowed or lost digits;
 * *tol := 2^-e *tol, or, relative to rows, 2^top *tol; *least := the least tolerance
 * (range.h). */
static void choose_scale(const norms_t *r, mat_t X_, int by_rows, int e,
                         int top, real_t *norm, real_t *tol, real_t *least)
{
    *least = least_tolerance(X_.rows, X_.cols, *tol >= 0, e);
    *norm = 0;
    if (r->norm1 > GSVD_SAFMIN / GSVD_ULP && r->norm1 <= GSVD_REAL_MAX)
        *norm = ldexp_r(r->norm1, -e);
    if (*tol > 0)
        *tol = ldexp_r(*tol, by_rows ? top : -e);
}

/* Memory for the lengths of columns, n of each, and the sizes of rows, which may be one place */
#define lengths_t X(lengths_t)
typedef struct lengths_t {
    real_t *length, *sorted, *size;
    int *perm;
} lengths_t;

/* *least := the length of the shortest column but zeros.  Waits. */
static gsvd_status_t least_column(const exec_t *ex, mat_t X_,
                                  const lengths_t *w, real_t *least)
{
    const int64_t n = X_.cols;
    int64_t nonzero;

    GSVD_TRY(ex->op->column_norms(ex, X_, w->length));
    GSVD_TRY(ex->op->values_order(ex, n, w->length, w->length, w->perm));
    GSVD_TRY(ex->op->values_permute(ex, n, w->length, w->perm, w->sorted));
    GSVD_TRY(ex->op->values_set(ex, 0, n, 0, w->length));
    GSVD_TRY(ex->op->values_lead(ex, n, w->sorted, w->length, &nonzero));
    return nonzero > 0
               ? ex->op->values_read(ex, 1, w->sorted + nonzero - 1, least)
               : GSVD_SUCCESS;
}

/* *row := the size of the least row of X_ D, *column := the largest entry of X_, given, over the
 * largest d.  D is of powers of two, with columns as long as the longest one as far as a number may
 * say: of short columns alone no row is short then.  X_ is not changed.  Waits. */
static gsvd_status_t least_even_row(const exec_t *ex, mat_t X_, real_t largest,
                                    const lengths_t *w, real_t *row,
                                    real_t *column)
{
    real_t most;
    norms_t even;

    GSVD_TRY(ex->op->column_norms(ex, X_, w->length));
    GSVD_TRY(ex->op->joint_scales(ex, X_.cols, w->length, w->length, 0, 0,
                                  w->sorted, &most));
    GSVD_TRY(ex->op->scale_columns(ex, X_, w->sorted, X_));
    GSVD_TRY(ex->op->norms_by_row(ex, X_, w->size, &even));
    *row = even.least_row;
    *column = largest / most;
    return ex->op->normalize_columns(ex, X_, w->sorted, X_);
}

/* X_ := 2^-e X_.  If that makes it smaller: are entries lost that count?  Waits then.  The first
 * part of e is for lengths that are to be numbers. */
static gsvd_status_t scale_down(const exec_t *ex, mat_t X_, int e,
                                const lengths_t *w, outcome_t *out)
{
    const int first = e < LENGTH_BITS ? e : LENGTH_BITS, down = e - first;
    real_t least = 0;
    norms_t r;

    GSVD_TRY(ex->op->scale_pow2(ex, X_, -first));
    if (e <= 0)
        return GSVD_SUCCESS;
    GSVD_TRY(ex->op->norms_by_row(ex, X_, w->size, &r));
    GSVD_TRY(least_column(ex, X_, w, &least));
    if (loses_entries(r.largest, r.least_row, least, down)) {
        const real_t largest = r.largest;
        real_t row, column;
        GSVD_TRY(least_even_row(ex, X_, largest, w, &row, &column));
        out->lost |= loses_entries(largest, largest, least, down) ||
                     loses_entries(largest, row, column, down);
        GSVD_TRY(ex->op->norms_by_row(ex, X_, w->size, &r));
    }
    return ex->op->scale_pow2(ex, X_, -down);
}

/* Both.  Of a triangular pair, w == NULL, no more rows than columns are not 0. */
static gsvd_status_t scale_both(const exec_t *ex, const pair_t *P,
                                const preprocess_work_t *w, outcome_t *out)
{
    const int64_t n = P->n;
    const mat_t A = w ? P->A : mat_rows(P->A, 0, min_i(P->m, n));
    const mat_t B = w ? P->B : mat_rows(P->B, 0, min_i(P->p, n));
    exec_t in = *ex;
    lengths_t a, b;

    if (w) { /* n entries and more of E and of work are free                 */
        a = (lengths_t){(real_t *)w->E.data, (real_t *)w->work.data, w->size_a,
                        w->perm_b};
    } else {
        int *const perm = gsvd_arena_take(&in.work, n, sizeof(int));
        a = (lengths_t){P->alpha, P->beta, P->alpha, perm};
    }
    b = a;
    b.size = w ? w->size_b : a.size;
    GSVD_TRY(X(work_suffices)(&in));
    GSVD_TRY(scale_down(&in, A, P->ea, &a, out));
    return scale_down(&in, B, P->eb, &b, out);
}

/* Both norms are taken before A is scaled, so that a pair that is refused stays as it
 * was. */
gsvd_status_t X(scale_pair)(const exec_t *ex, pair_t *P, preprocess_work_t *w,
                            outcome_t *out)
{
    const int by_rows = w && ex->policy.rank == GSVD_RANK_ROWS;
    norms_t a, b;
    GSVD_TRY(operand_norms(ex, P->A, OPERAND_A, w ? w->size_a : NULL, &a, out));
    GSVD_TRY(operand_norms(ex, P->B, OPERAND_B, w ? w->size_b : NULL, &b, out));
    P->top = pair_top(exponent_of(&a), exponent_of(&b));
    P->ea = exponent_of(&a) - P->top;
    P->eb = exponent_of(&b) - P->top;
    choose_scale(&a, P->A, by_rows, P->ea, P->top, &P->norm_a, &P->tola,
                 &P->least_a);
    choose_scale(&b, P->B, by_rows, P->eb, P->top, &P->norm_b, &P->tolb,
                 &P->least_b);
    P->sort_a = w && sorts_rows(P->A, &a);
    P->sort_b = w && sorts_rows(P->B, &b);
    return scale_both(ex, P, w, out);
}

/* *norm := |X_|_2, nearly, by the power method, for which x and y have room for a column and
 * length for a number.  Waits. */
static gsvd_status_t estimate_norm(const exec_t *ex, mat_t X_, scalar_t *x,
                                   scalar_t *y, real_t *length, real_t *norm)
{
    const mat_t u = mat_view(x, X_.cols, 1, max_i(X_.cols, 1));
    const mat_t v = mat_view(y, X_.rows, 1, max_i(X_.rows, 1));

    GSVD_TRY(ex->op->gaussian(ex, u, 1));
    GSVD_TRY(ex->op->gemm(ex, 'N', 'N', X_, u, v));
    GSVD_TRY(ex->op->gemm(ex, 'C', 'N', X_, v, u));
    GSVD_TRY(ex->op->column_norms(ex, u, length));
    GSVD_TRY(ex->op->normalize_columns(ex, u, length, u));
    GSVD_TRY(ex->op->gemm(ex, 'N', 'N', X_, u, v));
    GSVD_TRY(ex->op->column_norms(ex, v, length));
    return ex->op->values_read(ex, 1, length, norm);
}

gsvd_status_t X(balance_pair)(const exec_t *ex, pair_t *P, solve_work_t *s)
{
    const int64_t m1 = pair_m1(P), k = P->k, l = P->l, n = P->n;
    const mat_t A1 = mat_sub(P->A, 0, n - k - l, k + m1, k + l);
    const mat_t A23 = mat_sub(P->A, k, n - l, m1, l);
    const mat_t B13 = mat_sub(P->B, 0, n - l, l, l);
    real_t a, b;

    if (m1 == 0)
        return GSVD_SUCCESS;
    GSVD_TRY(estimate_norm(ex, A23, s->tau, s->tau_b, s->x, &a));
    GSVD_TRY(estimate_norm(ex, B13, s->tau, s->tau_b, s->x, &b));
    if (!(a > 0) || !(b > 0))
        return GSVD_SUCCESS;
    const int e = exponent_r(a) - exponent_r(b);
    const int down_a = e > BALANCED ? BALANCED : e > 0 ? e : 0;
    const int down_b = -e > BALANCED ? BALANCED : e < 0 ? -e : 0;
    P->ea += down_a;
    P->eb += down_b;
    P->tola = ldexp_r(P->tola, -down_a);
    P->tolb = ldexp_r(P->tolb, -down_b);
    GSVD_TRY(ex->op->scale_pow2(ex, A1, -down_a));
    return ex->op->scale_pow2(ex, B13, -down_b);
}

gsvd_status_t X(unscale_pair)(const exec_t *ex, pair_t *P, outcome_t *out)
{
    const int64_t k = P->k, l = P->l, n = P->n;
    GSVD_TRY(ex->op->scale_pow2(ex, P->A, P->ea));
    GSVD_TRY(ex->op->scale_pow2(ex, P->B, P->eb));
    GSVD_TRY(ex->op->nonzero(ex, mat_sub(P->A, 0, n - k - l, k, k)));
    GSVD_TRY(ex->op->nonzero(ex, mat_sub(P->B, 0, n - l, l, l)));
    out->unfinished |= out->lost;
    GSVD_TRY(X(test_overflow)(ex, P->A, P->m, n, P->ea + P->top, out));
    return X(test_overflow)(ex, P->B, P->p, n, P->eb + P->top, out);
}

gsvd_status_t X(test_overflow)(const exec_t *ex, mat_t X_, int64_t m, int64_t n,
                               int e, outcome_t *out)
{
    const int excess = overflow_exponent(m, n, e);
    norms_t r;

    if (excess <= 0)
        return GSVD_SUCCESS;
    GSVD_TRY(ex->op->norms(ex, X_, &r));
    if (!r.finite)
        out->overflow = excess;
    return GSVD_SUCCESS;
}

gsvd_status_t X(test_overflow_of_value)(const exec_t *ex, const real_t *value,
                                        int64_t m, int64_t n, int e,
                                        outcome_t *out)
{
    const int excess = overflow_exponent(m, n, e);
    real_t x;

    if (excess <= 0)
        return GSVD_SUCCESS;
    GSVD_TRY(ex->op->values_read(ex, 1, value, &x));
    if (!(fabs_r(x) <= GSVD_REAL_MAX))
        out->overflow = excess;
    return GSVD_SUCCESS;
}

/* Of X^-H, of a pair with entries up to 2^e.  It becomes smaller as the pair becomes larger: half
 * of the range is left above the pair then.  Waits. */
static gsvd_status_t test_inverse(const exec_t *ex, mat_t Y, int e,
                                  outcome_t *out)
{
    const int half = (GSVD_SINGLE ? FLT_MAX_EXP : DBL_MAX_EXP) / 2;
    norms_t r;

    GSVD_TRY(ex->op->norms(ex, Y, &r));
    if (!r.finite && out->overflow == 0)
        out->overflow = e < half ? e - half : -1;
    return GSVD_SUCCESS;
}

gsvd_status_t X(test_overflow_of_pair)(const exec_t *ex, const pair_t *P,
                                       outcome_t *out)
{
    const int e = P->top + (P->ea > P->eb ? P->ea : P->eb);
    const int some = P->kept.keep != 0; /* without R                         */
    const mat_t X_ = some ? P->kept.X : P->Q;
    if (P->values_only)
        return GSVD_SUCCESS;
    if (!some) {
        GSVD_TRY(X(test_overflow)(ex, P->A, P->m + P->p, P->n, e, out));
        GSVD_TRY(X(test_overflow)(ex, P->B, P->m + P->p, P->n, e, out));
    }
    if (P->x_inverse && X_.data)
        return test_inverse(ex, X_, e, out);
    if (!P->x_form || !X_.data)
        return GSVD_SUCCESS;
    return X(test_overflow)(ex, X_, P->m + P->p, P->n, e, out);
}
