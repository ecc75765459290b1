/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* scale.c -- powers of two that bring the largest entries of A and B to 1.
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

/* *e := that with which the largest entry of 2^-e X_ is next to 1;
 * *norm := ||2^-e X_||_1, or 0 where the sum may have overflowed or lost digits;
 * *tol := 2^-e *tol, unless it is one relative to rows; *least := the least tolerance
 * (range.h). */
static void choose_scale(const norms_t *r, mat_t X_, int by_rows, int *e,
                         real_t *norm, real_t *tol, real_t *least)
{
    *e = r->largest > 0 ? exponent_r(r->largest) + 1 : 0;
    *least = least_tolerance(X_.rows, X_.cols, *tol >= 0, *e);
    *norm = 0;
    if (r->norm1 > GSVD_SAFMIN / GSVD_ULP && r->norm1 <= GSVD_REAL_MAX)
        *norm = ldexp_r(r->norm1, -*e);
    if (*tol > 0 && !by_rows)
        *tol = ldexp_r(*tol, -*e);
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
    choose_scale(&a, P->A, by_rows, &P->ea, &P->norm_a, &P->tola, &P->least_a);
    choose_scale(&b, P->B, by_rows, &P->eb, &P->norm_b, &P->tolb, &P->least_b);
    P->sort_a = w && rows_are_sorted(a.largest, a.least_row);
    P->sort_b = w && rows_are_sorted(b.largest, b.least_row);
    GSVD_TRY(ex->op->scale_pow2(ex, P->A, -P->ea));
    return ex->op->scale_pow2(ex, P->B, -P->eb);
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
    GSVD_TRY(X(test_overflow)(ex, P->A, P->m, n, P->ea, out));
    return X(test_overflow)(ex, P->B, P->p, n, P->eb, out);
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
    if (!(x <= GSVD_REAL_MAX))
        out->overflow = excess;
    return GSVD_SUCCESS;
}

gsvd_status_t X(test_overflow_of_pair)(const exec_t *ex, const pair_t *P,
                                       outcome_t *out)
{
    const int e = P->ea > P->eb ? P->ea : P->eb;
    if (P->values_only)
        return GSVD_SUCCESS;
    GSVD_TRY(X(test_overflow)(ex, P->A, P->m + P->p, P->n, e, out));
    GSVD_TRY(X(test_overflow)(ex, P->B, P->m + P->p, P->n, e, out));
    if (!P->x_form || !P->Q.data)
        return GSVD_SUCCESS;
    return X(test_overflow)(ex, P->Q, P->m + P->p, P->n, e, out);
}
