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

/* *e := that with which the largest entry of 2^-e X_ is next to 1; *norm := ||2^-e X_||_1,
 * or 0 where the sum may have overflowed or lost digits; *tol := 2^-e *tol; *least := the
 * least tolerance (urv.h). */
static void choose_scale(const norms_t *r, mat_t X_, int *e, real_t *norm,
                         real_t *tol, real_t *least)
{
    *e = r->largest > 0 ? exponent_r(r->largest) + 1 : 0;
    *least = least_tolerance(X_.rows, X_.cols, *tol >= 0, *e);
    *norm = 0;
    if (r->norm1 > GSVD_SAFMIN / GSVD_ULP && r->norm1 <= GSVD_REAL_MAX)
        *norm = ldexp_r(r->norm1, -*e);
    if (*tol > 0)
        *tol = ldexp_r(*tol, -*e);
}

/* Both norms are taken before A is scaled, so that a pair that is refused stays as it was. */
gsvd_status_t X(scale_pair)(const exec_t *ex, pair_t *P, preprocess_work_t *w,
                            outcome_t *out)
{
    norms_t a, b;
    GSVD_TRY(operand_norms(ex, P->A, OPERAND_A, w ? w->size_a : NULL, &a, out));
    GSVD_TRY(operand_norms(ex, P->B, OPERAND_B, w ? w->size_b : NULL, &b, out));
    choose_scale(&a, P->A, &P->ea, &P->norm_a, &P->tola, &P->least_a);
    choose_scale(&b, P->B, &P->eb, &P->norm_b, &P->tolb, &P->least_b);
    P->sort_a = w && rows_differ(a.largest, a.least_row);
    P->sort_b = w && rows_differ(b.largest, b.least_row);
    GSVD_TRY(ex->op->scale_pow2(ex, P->A, -P->ea));
    return ex->op->scale_pow2(ex, P->B, -P->eb);
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
