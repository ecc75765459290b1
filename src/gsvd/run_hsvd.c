/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* run_hsvd.c -- the hyperbolic SVD of one matrix, A = U Sigma V^H, V^H J V = J'.
 *
 *     1  P^T J P = J' = diag(I, -I)         from the signs of the columns
 *     2  A := 2^(top-e) A                   the largest entries next to 2^top
 *     3  S A = Q (R; 0)                     S sorts rows that differ in size; the
 *                                           columns of R are independent
 *     4  (F, V) := (R, I) P                 sorted by length for each sign
 *     5  (F, V) := (F K, V K^-H)            Jacobi: columns of F orthogonal,
 *                                           K^H J' K = J'
 *     6  sigma = 2^(e-top) |f_j|            sorted again, V along with F
 *     7  F = W |F|, U = S^H Q diag(W, I)    W unitary
 *
 * A unitary factor on the left leaves the problem as it is, so that Jacobi may run on
 * R; a preconditioner on the right would have to be J-unitary.  By 5, W Sigma = R P K and
 * V = P K^-H: then Q W Sigma V^H = Q R, and V^H J V = K^-1 J' K^-H = J'.
 *
 * Householder's QR and one-sided Jacobi err relative to each column, whatever the
 * lengths of the others: the values of A = B D, D diagonal, are as accurate as B is well
 * conditioned (Slapnicar 2003).  That asks for the squares of all lengths to be normal
 * numbers, hence the scale of 2, with room above it for the sum of all squares.
 */
#include "core/range.h"
#include "gsvd/pipeline.h"

/* The lengths of columns may be 2^-485 to 2^480; single: 2^-51 to 2^30. */
enum { TOP = GSVD_SINGLE ? 30 : 480 };

typedef struct hsvd_work {
    mat_t F, F2; /* n x n                                                    */
    scalar_t *tau, *tau2;
    real_t *x, *zero;
    int *order;
    row_order_t rows; /* of A                                                */
    int64_t *rotations;
} hsvd_work_t;

static void take(arena_t *a, int64_t m, int64_t n, int64_t u, hsvd_work_t *w)
{
    w->F = X(take_matrix)(a, n, n);
    w->F2 = X(take_matrix)(a, n, n);
    w->tau = gsvd_arena_take(a, n, sizeof(scalar_t));
    w->tau2 = gsvd_arena_take(a, n, sizeof(scalar_t));
    w->x = gsvd_arena_take(a, n, sizeof(real_t));
    w->zero = gsvd_arena_take(a, n, sizeof(real_t));
    w->order = gsvd_arena_take(a, n, sizeof(int));
    X(row_order_take)(a, m, max_i(n, u), &w->rows);
    w->rotations = gsvd_arena_take(a, 1, sizeof(int64_t));
}

/* Panels are factored by Householder's reflectors, which err column by column. */
static exec_t exec_by_columns(const exec_t *ex)
{
    exec_t in = *ex;
    in.policy.rowwise_stable = 1;
    return in;
}

static gsvd_status_t measure_hsvd(const exec_t *ex, const args_t *a,
                                  need_t *need)
{
    const int64_t m = a->m, n = a->n, u = matrix_u_cols(a);
    const exec_t in = exec_by_columns(ex);
    const size_t drivers[] = {
        X(geqrf_work_bytes)(&in, m, n), X(ungqr_work_bytes)(&in, n, n, n),
        X(orthogonalize_signed_bytes)(&in, n, n, matrix_v_cols(a) > 0 ? n : 0),
        X(unmqr_work_bytes)(&in, m, n, u)};
    const size_t kernels =
        in.op->kernel_bytes(&in, KERNELS_PANELS, m, n, max_i(n, u));
    arena_t count = {0};
    hsvd_work_t w;

    take(&count, m, n, u, &w);
    need->full = count.full;
    need->work = gsvd_arena_bytes(&count) + LARGEST(drivers) + kernels;
    GSVD_TRY(X(orthogonalize_staging)(&in, n, &need->staging));
    need->products = in.op->products_bytes(&in, m, n, in.tune->wide,
                                           most_for_products(m, n));
    return GSVD_SUCCESS;
}

/* 1: w->order := P, if the caller gives J */
static gsvd_status_t partition(const exec_t *ex, const args_t *a,
                               hsvd_work_t *w, outcome_t *out)
{
    const int64_t *const J = a->array[OPERAND_J];
    int64_t plus;

    if (!J)
        return GSVD_SUCCESS;
    GSVD_TRY(ex->op->partition_signs(ex, a->n, J, w->order, &plus));
    if (plus < 0)
        return gsvd_illegal_operand(out, OPERAND_J,
                                    "has an entry other than 1 and -1");
    if (plus != a->k)
        return gsvd_illegal_operand(out, OPERAND_J, "has not n_plus entries 1");
    return GSVD_SUCCESS;
}

/* 2: the entries of 2^-e A are at most 1. */
static gsvd_status_t scale_to_top(const exec_t *ex, mat_t A, int *e,
                                  outcome_t *out)
{
    norms_t r;
    GSVD_TRY(X(norms_if_finite)(ex, A, OPERAND_A, &r, out));
    *e = r.largest > 0 ? exponent_r(r.largest) + 1 : 0;
    return ex->op->scale_pow2(ex, A, TOP - *e);
}

/* 3: a column is refused if all but rounding of it, max(m,16) eps of its length up to a
 * power of two, is in the span of the columns before it.  Waits.  F2 is overwritten. */
static gsvd_status_t refuse_dependent(const exec_t *ex, int64_t m, mat_t F,
                                      const hsvd_work_t *w, outcome_t *out)
{
    const int64_t n = F.cols;
    const mat_t diagonal = mat_view(F.data, n > 0, n, F.ld + 1);
    const real_t tol = (real_t)max_i(m, 16) * GSVD_EPS;
    int64_t lead;

    GSVD_TRY(ex->op->copy(ex, F, w->F2));
    GSVD_TRY(ex->op->scale_pow2(ex, w->F2, exponent_r(tol) + 1));
    GSVD_TRY(ex->op->column_norms(ex, w->F2, w->zero));
    GSVD_TRY(ex->op->column_norms(ex, diagonal, w->x));
    GSVD_TRY(ex->op->values_lead(ex, n, w->x, w->zero, &lead));
    out->k = lead;
    out->dependent = lead < n ? lead + 1 : 0;
    return lead < n ? GSVD_INVALID_ARGUMENT : GSVD_SUCCESS;
}

/* F and V := their columns in w->order; F2 is overwritten. */
static gsvd_status_t reorder(const exec_t *ex, mat_t F, mat_t V,
                             const hsvd_work_t *w)
{
    const mat_t F2 = mat_cols(w->F2, 0, F.cols);
    GSVD_TRY(ex->op->permute_columns(ex, F, w->order, F2));
    GSVD_TRY(ex->op->copy(ex, F2, F));
    if (!V.data)
        return GSVD_SUCCESS;
    GSVD_TRY(ex->op->permute_columns(ex, V, w->order, F2));
    return ex->op->copy(ex, F2, V);
}

/* Columns [first, first + count) of F, which have one sign, by descending length, and
 * those of V along with them */
static gsvd_status_t sort_sign(const exec_t *ex, mat_t F, mat_t V,
                               int64_t first, int64_t count,
                               const hsvd_work_t *w)
{
    const mat_t part = mat_cols(F, first, count);
    GSVD_TRY(ex->op->column_norms(ex, part, w->x));
    GSVD_TRY(ex->op->values_set(ex, 0, count, 0, w->zero));
    GSVD_TRY(ex->op->values_order(ex, count, w->x, w->zero, w->order));
    return reorder(ex, part, V.data ? mat_cols(V, first, count) : V, w);
}

static gsvd_status_t sort(const exec_t *ex, mat_t F, mat_t V, int64_t plus,
                          const hsvd_work_t *w)
{
    GSVD_TRY(sort_sign(ex, F, V, 0, plus, w));
    return sort_sign(ex, F, V, plus, F.cols - plus, w);
}

/* 6: sigma, the largest of each sign looked at; F2 is F, not scaled back. */
static gsvd_status_t values(const exec_t *ex, const args_t *a, mat_t F, int e,
                            const hsvd_work_t *w, outcome_t *out)
{
    const int64_t first[] = {0, a->k};
    real_t *const sigma = a->array[OPERAND_ALPHA];

    GSVD_TRY(ex->op->copy(ex, F, w->F2));
    GSVD_TRY(ex->op->scale_pow2(ex, F, e - TOP));
    GSVD_TRY(ex->op->column_norms(ex, F, sigma));
    for (int i = 0; i < 2; ++i)
        if (first[i] < F.cols)
            GSVD_TRY(X(test_overflow_of_value)(ex, sigma + first[i], a->m, a->n,
                                               e, out));
    return GSVD_SUCCESS;
}

/* W := the unitary factor of F2, w->x the lengths of its columns, by QR of the longest first: what
 * is too short for Jacobi is orthogonal to no other column, and must not turn longer ones. */
static gsvd_status_t unitary_by_length(const exec_t *ex, mat_t W,
                                       const hsvd_work_t *w)
{
    GSVD_TRY(ex->op->values_set(ex, 0, W.cols, 0, w->zero));
    GSVD_TRY(ex->op->values_order(ex, W.cols, w->x, w->zero, w->order));
    GSVD_TRY(ex->op->permute_columns(ex, w->F2, w->order, w->F));
    GSVD_TRY(X(orthonormalize)(ex, w->F, w->F2, w->tau2));
    GSVD_TRY(ex->op->ctrans(ex, w->F2, w->F));
    GSVD_TRY(ex->op->permute_rows(ex, w->F, w->order, w->F2));
    return ex->op->ctrans(ex, w->F2, W);
}

/* 7: W := the unitary factor of F2: F2 over the lengths of its columns and a step of Newton
 * and Schulz, or by QR where Jacobi left columns that are far from orthogonal.  F and F2
 * are overwritten.  Waits. */
static gsvd_status_t orthonormal_columns(const exec_t *ex, mat_t W,
                                         const hsvd_work_t *w)
{
    const mat_t E = w->F;
    real_t defect;

    GSVD_TRY(ex->op->column_norms(ex, w->F2, w->x));
    GSVD_TRY(ex->op->normalize_columns(ex, w->F2, w->x, W));
    GSVD_TRY(ex->op->gram(ex, W, E));
    GSVD_TRY(ex->op->newton_schulz(ex, E, NULL, &defect));
    if (!(defect <= sqrt_r(GSVD_EPS))) /* 1, of a column of zeros            */
        return unitary_by_length(ex, W, w);
    GSVD_TRY(ex->op->gemm(ex, 'N', 'N', W, E, w->F2));
    return ex->op->copy(ex, w->F2, W);
}

/* 7 */
static gsvd_status_t left_factor(const exec_t *ex, mat_t A, mat_t U,
                                 const hsvd_work_t *w)
{
    const int64_t n = A.cols;
    if (!U.data)
        return GSVD_SUCCESS;
    GSVD_TRY(ex->op->set(ex, U, 0, 1));
    GSVD_TRY(orthonormal_columns(ex, mat_sub(U, 0, 0, n, n), w));
    GSVD_TRY(X(unmqr)(ex, 'L', 'N', A, n, w->tau, U));
    return X(row_order_undo)(ex, U, &w->rows);
}

static gsvd_status_t run_hsvd(const exec_t *ex, const args_t *a, outcome_t *out)
{
    const int64_t m = a->m, n = a->n, plus = a->k;
    const mat_t A = operand_of(a, OPERAND_A, m, n);
    const mat_t U = operand_of(a, OPERAND_U, m, matrix_u_cols(a));
    const mat_t V = operand_of(a, OPERAND_V, n, matrix_v_cols(a));
    exec_t in = exec_by_columns(ex);
    hsvd_work_t w;
    int e, apart;

    take(&in.work, m, n, U.cols, &w);
    GSVD_TRY(X(work_suffices)(&in));
    const mat_t F = w.F;
    GSVD_TRY(partition(&in, a, &w, out));                 /* 1 */
    GSVD_TRY(scale_to_top(&in, A, &e, out));              /* 2 */
    GSVD_TRY(X(row_order_sort)(&in, A, &w.rows, &apart)); /* 3 */
    GSVD_TRY(X(geqrf)(&in, A, w.tau));
    GSVD_TRY(in.op->copy(&in, mat_rows(A, 0, n), F));
    GSVD_TRY(in.op->zero_lower(&in, F));
    GSVD_TRY(refuse_dependent(&in, m, F, &w, out));
    GSVD_TRY(in.op->set(&in, V, 0, 1)); /* 4 */
    if (a->array[OPERAND_J])
        GSVD_TRY(reorder(&in, F, V, &w));
    GSVD_TRY(sort(&in, F, V, plus, &w));
    out->seconds_preprocess = gsvd_elapsed(out);
    GSVD_TRY(
        X(orthogonalize_signed)(&in, F, V, plus, w.rotations, out)); /* 5 */
    out->seconds_solve = gsvd_elapsed(out) - out->seconds_preprocess;
    GSVD_TRY(sort(&in, F, V, plus, &w)); /* 6 */
    GSVD_TRY(values(&in, a, F, e, &w, out));
    return left_factor(&in, A, U, &w); /* 7 */
}

const program_t X(hsvd_program) = {measure_hsvd, run_hsvd, &X(hsvd_at_once)};
