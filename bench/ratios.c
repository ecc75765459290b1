/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* ratios.c -- how far a factorization is from one, in units of rounding.
 *
 * LAPACK's six, TESTING/EIG/dgsvts3.f:
 *
 *     |U^H A Q - D1 (0 R)| / (max(m,n) |A| ulp)     |I - U^H U| / (m ulp)
 *     |V^H B Q - D2 (0 R)| / (max(p,n) |B| ulp)     |I - V^H V| / (p ulp)
 *     alpha(k+1:min(m,k+l)) descending: 0           |I - Q^H Q| / (n ulp)
 *                           or not: 1/ulp
 *
 * in the 1-norm.  Where U or Q is not square, |A - U D1 (0 R) Q^H| takes the
 * place of the first, as LAPACK has it for QR; R alone is judged as Cholesky's
 * factor of A^H A.  What is not divided by an order and ulp goes to P->errors.  All of it runs
 * where the factors are, over the backend's table.
 */
#include <math.h>
#include <stdlib.h>

#include "problem.h"

static real_t over(real_t x, int64_t order, real_t norm)
{
    return x / (real_t)max_i(order, 1) / fmax_r(norm, GSVD_SAFMIN) / GSVD_ULP;
}

/* ... of ratios */
static void keep_ratio(real_t *worst, real_t x)
{
    if (!isnan(*worst) && !(x <= *worst))
        *worst = x;
}

gsvd_status_t X(bench_distance)(problem_t *P, mat_t A, mat_t B, real_t *norm)
{
    norms_t r;
    void *plus, *minus;
    const size_t bytes = (size_t)A.rows * sizeof(real_t);
    GSVD_TRY(bench_take(P->bench, P->h, bytes, &plus));
    GSVD_TRY(bench_take(P->bench, P->h, bytes, &minus));
    GSVD_TRY(P->ex.op->values_set(&P->ex, 0, A.rows, 1, plus));
    GSVD_TRY(P->ex.op->values_set(&P->ex, 0, A.rows, -1, minus));
    GSVD_TRY(P->ex.op->combine(&P->ex, minus, B, plus, A, A));
    GSVD_TRY(P->ex.op->norms(&P->ex, A, &r));
    *norm = r.finite ? r.norm1 : (real_t)NAN;
    return GSVD_SUCCESS;
}

/* |I - Q^H Q| / (rows ulp) */
static gsvd_status_t orthogonality(problem_t *P, mat_t Q, real_t *worst)
{
    mat_t G, I_;
    real_t norm;
    GSVD_TRY(X(bench_mat)(P, Q.cols, Q.cols, &G));
    GSVD_TRY(X(bench_mat)(P, Q.cols, Q.cols, &I_));
    GSVD_TRY(P->ex.op->gemm(&P->ex, 'C', 'N', Q, Q, G));
    GSVD_TRY(P->ex.op->set(&P->ex, I_, 0, 1));
    GSVD_TRY(X(bench_distance)(P, G, I_, &norm));
    keep_ratio(worst, over(norm, Q.rows, 1));
    keep_worst(&P->errors.departure, norm);
    return GSVD_SUCCESS;
}

/* |A - U M Q^H|, or |U^H A Q - M| if both are square; Q may be absent */
static gsvd_status_t residual(problem_t *P, mat_t A, mat_t U, mat_t M, mat_t Q,
                              real_t *worst)
{
    const int square = U.rows == U.cols && Q.data && Q.rows == Q.cols &&
                       P->bench->form != GSVD_FORM_X;
    norms_t r;
    mat_t T, E;
    real_t norm;

    GSVD_TRY(P->ex.op->norms(&P->ex, A, &r));
    if (square) {
        GSVD_TRY(X(bench_mat)(P, A.rows, A.cols, &T));
        GSVD_TRY(X(bench_mat)(P, A.rows, A.cols, &E));
        GSVD_TRY(P->ex.op->gemm(&P->ex, 'C', 'N', U, A, T));
        GSVD_TRY(P->ex.op->gemm(&P->ex, 'N', 'N', T, Q, E));
        GSVD_TRY(X(bench_distance)(P, E, M, &norm));
    } else {
        GSVD_TRY(X(bench_mat)(P, U.rows, M.cols, &T));
        E = T;
        GSVD_TRY(P->ex.op->gemm(&P->ex, 'N', 'N', U, M, T));
        if (Q.data) {
            GSVD_TRY(X(bench_mat)(P, A.rows, A.cols, &E));
            GSVD_TRY(P->ex.op->gemm(&P->ex, 'N', 'C', T, Q, E));
        }
        GSVD_TRY(X(bench_distance)(P, E, A, &norm));
    }
    keep_ratio(worst, over(norm, max_i(A.rows, A.cols), r.norm1));
    keep_worst(&P->errors.residual, norm / fmax_r(r.norm1, GSVD_SAFMIN));
    return GSVD_SUCCESS;
}

/* A = Q R as now.A and tau hold it */
static gsvd_status_t ratio_of_qr(problem_t *P, mat_t A, real_t *worst)
{
    const mat_t F = P->now.A, none = mat_view(NULL, 0, 0, 1);
    const int64_t r = min_i(F.rows, F.cols);
    mat_t Q = mat_cols(F, 0, r), R;
    *worst = 0;
    GSVD_TRY(X(bench_mat)(P, r, F.cols, &R));
    GSVD_TRY(P->ex.op->copy(&P->ex, mat_rows(F, 0, r), R));
    GSVD_TRY(P->ex.op->zero_lower(&P->ex, R));
    if (P->now.Q.data)
        Q = P->now.Q;
    else
        GSVD_TRY(X(ungqr)(&P->ex, Q, r, P->tau));
    GSVD_TRY(residual(P, A, Q, R, none, worst));
    return orthogonality(P, Q, worst);
}

gsvd_status_t X(bench_ratio_qr)(problem_t *P, real_t *worst)
{
    return ratio_of_qr(P, P->A, worst);
}

/* R alone: |A^H A - R^H R| / (max(m,n) |A^H A| ulp) */
gsvd_status_t X(bench_ratio_qr_r)(problem_t *P, real_t *worst)
{
    const int64_t m = P->m, n = P->n, r = min_i(m, n);
    norms_t of_a;
    mat_t R, AA, RR;
    real_t norm;

    *worst = 0;
    P->errors.departure = NAN;
    if (r == 0)
        return GSVD_SUCCESS;
    GSVD_TRY(X(bench_mat)(P, r, n, &R));
    GSVD_TRY(X(bench_mat)(P, n, n, &AA));
    GSVD_TRY(X(bench_mat)(P, n, n, &RR));
    GSVD_TRY(P->ex.op->copy(&P->ex, mat_rows(P->now.A, 0, r), R));
    GSVD_TRY(P->ex.op->zero_lower(&P->ex, R));
    GSVD_TRY(P->ex.op->gemm(&P->ex, 'C', 'N', P->A, P->A, AA));
    GSVD_TRY(P->ex.op->gemm(&P->ex, 'C', 'N', R, R, RR));
    GSVD_TRY(P->ex.op->norms(&P->ex, AA, &of_a));
    GSVD_TRY(X(bench_distance)(P, RR, AA, &norm));
    keep_ratio(worst, over(norm, max_i(m, n), of_a.norm1));
    keep_worst(&P->errors.residual, norm / fmax_r(of_a.norm1, GSVD_SAFMIN));
    return GSVD_SUCCESS;
}

gsvd_status_t X(bench_ratio_geqp)(problem_t *P, real_t *worst)
{
    mat_t permuted;
    GSVD_TRY(X(bench_mat)(P, P->m, P->n, &permuted));
    GSVD_TRY(P->ex.op->permute_columns(&P->ex, P->A, P->perm, permuted));
    return ratio_of_qr(P, permuted, worst);
}

gsvd_status_t X(bench_ratio_svd)(problem_t *P, real_t *worst)
{
    const factors_t *F = &P->now;
    const int64_t r = F->U.cols;
    mat_t Sigma;

    *worst = 0;
    GSVD_TRY(X(bench_mat)(P, r, r, &Sigma));
    GSVD_TRY(P->ex.op->set(&P->ex, Sigma, 0, 1));
    GSVD_TRY(P->ex.op->scale_columns(&P->ex, Sigma, P->alpha, Sigma));
    GSVD_TRY(residual(P, P->A, F->U, Sigma, F->V, worst));
    GSVD_TRY(orthogonality(P, F->U, worst));
    return orthogonality(P, F->V, worst);
}

/* |D (V^H J V - J') D| / (n ulp), D = diag(1 / |v_j|); V is destroyed. */
static gsvd_status_t signed_orthogonality(problem_t *P, int64_t plus, mat_t V,
                                          real_t *worst)
{
    const int64_t n = V.cols;
    const size_t bytes = (size_t)n * sizeof(real_t);
    void *signs, *zero, *d;
    mat_t JV, H, D;
    real_t norm;

    GSVD_TRY(bench_take(P->bench, P->h, bytes, &signs));
    GSVD_TRY(bench_take(P->bench, P->h, bytes, &zero));
    GSVD_TRY(bench_take(P->bench, P->h, bytes, &d));
    GSVD_TRY(X(bench_mat)(P, n, n, &JV));
    GSVD_TRY(X(bench_mat)(P, n, n, &H));
    GSVD_TRY(X(bench_mat)(P, n, n, &D));
    GSVD_TRY(P->ex.op->values_set(&P->ex, 0, n, 1, signs));
    GSVD_TRY(P->ex.op->values_set(&P->ex, plus, n, -1, signs));
    GSVD_TRY(P->ex.op->values_set(&P->ex, 0, n, 0, zero));
    GSVD_TRY(P->ex.op->column_norms(&P->ex, V, d));
    GSVD_TRY(P->ex.op->normalize_columns(&P->ex, V, d, V));
    GSVD_TRY(P->ex.op->combine(&P->ex, signs, V, zero, V, JV));
    GSVD_TRY(P->ex.op->gemm(&P->ex, 'C', 'N', V, JV, H));
    GSVD_TRY(P->ex.op->set(&P->ex, D, 0, 1));
    GSVD_TRY(P->ex.op->scale_columns(&P->ex, D, signs, D));
    GSVD_TRY(P->ex.op->normalize_columns(&P->ex, D, d, D));
    GSVD_TRY(P->ex.op->normalize_columns(&P->ex, D, d, D));
    GSVD_TRY(X(bench_distance)(P, H, D, &norm));
    keep_ratio(worst, over(norm, n, 1));
    keep_worst(&P->errors.departure, norm);
    return GSVD_SUCCESS;
}

/* The residual of A = U Sigma V^H is over |V|, too, where that is above 1. */
gsvd_status_t X(bench_ratio_hsvd)(problem_t *P, int64_t plus, real_t *worst)
{
    const factors_t *F = &P->now;
    mat_t T, E;
    norms_t a, v;
    real_t norm;

    *worst = 0;
    GSVD_TRY(X(bench_mat)(P, P->m, P->n, &T));
    GSVD_TRY(X(bench_mat)(P, P->m, P->n, &E));
    GSVD_TRY(P->ex.op->norms(&P->ex, P->A, &a));
    GSVD_TRY(P->ex.op->norms(&P->ex, F->V, &v));
    GSVD_TRY(P->ex.op->scale_columns(&P->ex, F->U, P->alpha, T));
    GSVD_TRY(P->ex.op->gemm(&P->ex, 'N', 'C', T, F->V, E));
    GSVD_TRY(X(bench_distance)(P, E, P->A, &norm));
    norm = norm / fmax_r(1, v.norm1);
    keep_ratio(worst, over(norm, P->m, a.norm1));
    keep_worst(&P->errors.residual, norm / fmax_r(a.norm1, GSVD_SAFMIN));
    GSVD_TRY(orthogonality(P, F->U, worst));
    return signed_orthogonality(P, plus, F->V, worst);
}

/* The five ratios of A = U M_A Q^H, B = V M_B Q^H, the middles of the columns
 * that Q has */
static gsvd_status_t ratio_of_pair(problem_t *P, mat_t MA, mat_t MB,
                                   real_t *worst)
{
    const factors_t *F = &P->now;
    GSVD_TRY(residual(P, P->A, F->U, MA, F->Q, worst));
    GSVD_TRY(residual(P, P->B, F->V, MB, F->Q, worst));
    GSVD_TRY(orthogonality(P, F->U, worst));
    GSVD_TRY(orthogonality(P, F->V, worst));
    return orthogonality(P, F->Q, worst);
}

gsvd_status_t X(bench_ratio_preprocess)(problem_t *P, real_t *worst)
{
    const factors_t *F = &P->now;
    const int64_t cols = F->Q.cols, skip = P->n - cols;
    *worst = 0;
    return ratio_of_pair(P, mat_sub(F->A, 0, skip, F->U.cols, cols),
                         mat_sub(F->B, 0, skip, F->V.cols, cols), worst);
}

/* R, of which xGGSVD3 leaves the last rows in B where A has too few */
static gsvd_status_t triangle(problem_t *P, mat_t R)
{
    const int64_t r = R.rows, top = min_i(P->m, r), n = P->n;
    GSVD_TRY(P->ex.op->set(&P->ex, R, 0, 0));
    GSVD_TRY(P->ex.op->copy(&P->ex, mat_sub(P->now.A, 0, n - r, top, r),
                            mat_rows(R, 0, top)));
    GSVD_TRY(P->ex.op->copy(
        &P->ex, mat_sub(P->now.B, top - P->k, n - r + top, r - top, r - top),
        mat_sub(R, top, top, r - top, r - top)));
    return P->ex.op->zero_lower(&P->ex, R);
}

/* M := (0 D R) with D the given values, in M's first rows */
static gsvd_status_t middle(problem_t *P, const real_t *values, mat_t R,
                            mat_t M)
{
    void *zero;
    mat_t DR = mat_sub(M, 0, M.cols - R.cols, R.rows, R.cols);
    GSVD_TRY(
        bench_take(P->bench, P->h, (size_t)R.rows * sizeof(real_t), &zero));
    GSVD_TRY(P->ex.op->values_set(&P->ex, 0, R.rows, 0, zero));
    GSVD_TRY(P->ex.op->set(&P->ex, M, 0, 0));
    return P->ex.op->combine(&P->ex, values, R, zero, R, DR);
}

static gsvd_status_t order_of_alpha(problem_t *P, real_t *worst)
{
    real_t *alpha;
    GSVD_TRY(X(bench_fetch_values)(P, P->n, &alpha));
    for (int64_t i = P->k; i + 1 < min_i(P->m, P->k + P->l); ++i)
        if (!(alpha[i] >= alpha[i + 1]))
            keep_ratio(worst, 1 / GSVD_ULP);
    return GSVD_SUCCESS;
}

/* The four ratios of A = U D1 X^H, B = V D2 X^H; X has no ratio. */
static gsvd_status_t ratio_of_x(problem_t *P, mat_t MA, mat_t MB, real_t *worst)
{
    const factors_t *F = &P->now;
    const mat_t X_ = mat_cols(F->Q, 0, MA.cols);
    GSVD_TRY(residual(P, P->A, F->U, MA, X_, worst));
    GSVD_TRY(residual(P, P->B, F->V, MB, X_, worst));
    GSVD_TRY(orthogonality(P, F->U, worst));
    return orthogonality(P, F->V, worst);
}

gsvd_status_t X(bench_ratio_gsvd)(problem_t *P, real_t *worst)
{
    const factors_t *F = &P->now;
    const int64_t r = P->k + P->l, top = min_i(P->m, r);
    mat_t R, MA, MB;

    *worst = 0;
    if (P->bench->values) /* Tests compare values.                           */
        return order_of_alpha(P, worst);
    GSVD_TRY(X(bench_mat)(P, r, r, &R));
    if (P->bench->form == GSVD_FORM_X) {
        GSVD_TRY(X(bench_mat)(P, F->U.cols, r, &MA));
        GSVD_TRY(X(bench_mat)(P, F->V.cols, r, &MB));
        GSVD_TRY(P->ex.op->set(&P->ex, R, 0, 1));
        GSVD_TRY(middle(P, P->alpha, mat_rows(R, 0, top), MA));
        GSVD_TRY(middle(P, P->beta + P->k, mat_rows(R, P->k, P->l), MB));
        GSVD_TRY(order_of_alpha(P, worst));
        return ratio_of_x(P, MA, MB, worst);
    }
    GSVD_TRY(X(bench_mat)(P, F->U.cols, F->Q.cols, &MA));
    GSVD_TRY(X(bench_mat)(P, F->V.cols, F->Q.cols, &MB));
    GSVD_TRY(triangle(P, R));
    GSVD_TRY(middle(P, P->alpha, mat_rows(R, 0, top), MA));
    GSVD_TRY(middle(P, P->beta + P->k, mat_rows(R, P->k, P->l), MB));
    GSVD_TRY(order_of_alpha(P, worst));
    return ratio_of_pair(P, MA, MB, worst);
}
