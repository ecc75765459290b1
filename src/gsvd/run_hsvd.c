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
 *        until F and V are what they should be (below)
 *     6  sigma = 2^(e-top) |f_j|            sorted again, V along with F
 *     7  F = W |F|, U = S^H Q diag(W, I)    W unitary
 *
 * A unitary factor on the left leaves the problem as it is, so that Jacobi may run on
 * R; a preconditioner on the right would have to be J-unitary.  By 5, W Sigma = R P K and
 * V = P K^-H: then Q W Sigma V^H = Q R, and V^H J V = K^-1 J' K^-H = J'.
 *
 * Householder's QR and one-sided Jacobi err relative to each column, whatever the
 * lengths of the others: the values of A = B D, D diagonal, are as accurate as B is well
 * conditioned (Slapnicar 2003).  The scale of 2 leaves short columns the most of the range, with
 * room above it for the sum of all squares.
 *
 * The steps of 5 test themselves, but a transformation that is long on its way may spoil what no
 * later one sees.  So F and V are tested against what they come from, by products with a few
 * random vectors x:
 *
 *     x^H D^-1 (V^H J V - J') D^-1       D the lengths of V's columns
 *     (R - F V^H) x                      against |R| |V|
 *     the product of sigma               against |det R|, the more loosely the worse R is
 *                                        conditioned: all that is known without V
 *
 * Where one is off, 4 and 5 are repeated by a solver that is surer, and where none is left the call
 * has not converged.
 */
#include "batch/probe.h"
#include "core/notes.h"
#include "core/range.h"
#include "core/rotate.h"
#include "gsvd/pipeline.h"
#include <math.h>

/* The lengths of columns may be 2^-969 to 2^480; single: 2^-102 to 2^30. */
enum { TOP = GSVD_SINGLE ? 30 : 480 };

/* Random vectors */
enum { PROBES = 2 };

/* The entries of V^H J V - J', relative to V's columns, that are not mended, over sqrt(n) eps */
#define LEAST_DRIFT 4
/* Times n, a larger one cannot be. */
#define MOST_DRIFT (GSVD_SINGLE ? 0.5 : 1e-2)
/* The sum of logarithms may be so far off. */
#define LARGE_LOG 1e-2

typedef struct hsvd_work {
    mat_t F, F2; /* n x n                                                    */
    mat_t x, y, z, t; /* probes, PROBES x n                               */
    mat_t x2, y2, t2, one; /* n x PROBES; I of that order                    */
    mat_t K;               /* n x n, behind all others ...                   */
    arena_t behind;        /* ... and the work behind it                     */
    real_t *sign;          /* J'                                             */
    int *partition;        /* P, before lengths count                        */
    scalar_t *tau, *tau2;
    real_t *d, *zero;
    int *order;
    double log_det, worst,
        longest;      /* of R: log2 |det R|, the largest |r_j| / |r_jj|, and the
                                       largest |r_j|                         */
    row_order_t rows; /* of A                                                */
    int64_t *rotations;
} hsvd_work_t;

static void take(arena_t *a, int64_t m, int64_t n, int64_t u, hsvd_work_t *w)
{
    w->F = X(take_matrix)(a, n, n);
    w->F2 = X(take_matrix)(a, n, n);
    w->x = X(take_matrix)(a, PROBES, n);
    w->y = X(take_matrix)(a, PROBES, n);
    w->z = X(take_matrix)(a, PROBES, n);
    w->t = X(take_matrix)(a, PROBES, n);
    w->x2 = X(take_matrix)(a, n, PROBES);
    w->y2 = X(take_matrix)(a, n, PROBES);
    w->t2 = X(take_matrix)(a, n, PROBES);
    w->one = X(take_matrix)(a, PROBES, PROBES);
    w->sign = gsvd_arena_take(a, n, sizeof(real_t));
    w->partition = gsvd_arena_take(a, n, sizeof(int));
    w->tau = gsvd_arena_take(a, n, sizeof(scalar_t));
    w->tau2 = gsvd_arena_take(a, n, sizeof(scalar_t));
    w->d = gsvd_arena_take(a, n, sizeof(real_t));
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

/* ... of K, beside which no driver works */
static size_t matrix_bytes(int64_t n)
{
    arena_t count = {0};
    X(take_matrix)(&count, n, n);
    return gsvd_arena_bytes(&count);
}

static gsvd_status_t measure_hsvd(const exec_t *ex, const args_t *a,
                                  need_t *need)
{
    const int64_t m = a->m, n = a->n, u = matrix_u_cols(a);
    const exec_t in = exec_by_columns(ex);
    const int64_t v = matrix_v_cols(a);
    size_t drivers = matrix_bytes(n), kernels = 0;
    arena_t count = {0};
    hsvd_work_t w;

    GSVD_STEP(&in, &drivers, "QR by reflectors", m, n, /* 3 */
              X(geqrf_work_bytes)(&in, m, n), X(geqrf_seconds)(&in, m, n));
    GSVD_STEP(&in, &drivers, "hyperbolic Jacobi of R", n, n, /* 5 */
              X(orthogonalize_signed_bytes)(&in, n, n, v > 0 ? n : 0),
              X(orthogonalize_signed_seconds)(&in, n));
    GSVD_STEP(&in, &drivers, "its factors by QR, unless unitary", n, u, /* 7 */
              X(ungqr_work_bytes)(&in, n, n, n), 0);
    GSVD_STEP(&in, &drivers, "Q applied", m, u,
              X(unmqr_work_bytes)(&in, m, n, u),
              X(unmqr_seconds)(&in, m, n, u));
    GSVD_STEP(&in, &kernels, "their primitives", m, n,
              in.op->kernel_bytes(&in, KERNELS_PANELS, m, n, max_i(n, u)), 0);

    take(&count, m, n, u, &w);
    need->full = count.full;
    need->work = gsvd_arena_bytes(&count) + drivers + kernels;
    const size_t lengths = 2 * (size_t)n * sizeof(real_t);
    GSVD_TRY(X(orthogonalize_staging)(&in, n, &need->staging));
    need->staging = need->staging > lengths ? need->staging : lengths;
    need->products = in.op->products_bytes(&in, m, n, in.tune->wide,
                                           most_for_products(m, n));
    return GSVD_SUCCESS;
}

/* 1: w->partition := P, if the caller gives J */
static gsvd_status_t partition(const exec_t *ex, const args_t *a,
                               hsvd_work_t *w, outcome_t *out)
{
    const int64_t *const J = a->array[OPERAND_J];
    int64_t plus;

    if (!J)
        return GSVD_SUCCESS;
    GSVD_TRY(ex->op->partition_signs(ex, a->n, J, w->partition, &plus));
    if (plus < 0)
        return gsvd_illegal_operand(out, OPERAND_J,
                                    "has an entry other than 1 and -1");
    if (plus != a->k)
        return gsvd_illegal_operand(out, OPERAND_J, "has not n_plus entries 1");
    return GSVD_SUCCESS;
}

/* 2, before A is made smaller: does a column of it lose digits that its direction needs?  Columns
 * of zeros are refused, whatever the others are.  Rows that are lost are rounding of the columns,
 * which are independent.  Waits. */
static gsvd_status_t look_at_short(const exec_t *ex, mat_t A, int e,
                                   const hsvd_work_t *w, outcome_t *out)
{
    const real_t least = ldexp_r(ROTATE_TINY, e - TOP);
    const int64_t n = A.cols;
    int64_t nonzero, kept;

    GSVD_TRY(ex->op->column_norms(ex, A, w->d));
    GSVD_TRY(ex->op->values_set(ex, 0, n, 0, w->zero));
    GSVD_TRY(ex->op->values_lead(ex, n, w->d, w->zero, &nonzero));
    GSVD_TRY(ex->op->values_set(ex, 0, n, least, w->zero));
    GSVD_TRY(ex->op->values_lead(ex, n, w->d, w->zero, &kept));
    out->lost = nonzero == n && kept < n;
    out->unfinished |= out->lost;
    return GSVD_SUCCESS;
}

/* 2: the entries of 2^-e A are at most 1. */
static gsvd_status_t scale_to_top(const exec_t *ex, mat_t A, int *e,
                                  const hsvd_work_t *w, outcome_t *out)
{
    norms_t r;
    GSVD_TRY(X(norms_if_finite)(ex, A, OPERAND_A, &r, out));
    *e = r.largest > 0 ? exponent_r(r.largest) + 1 : 0;
    if (*e > TOP)
        GSVD_TRY(look_at_short(ex, A, *e, w, out));
    return ex->op->scale_pow2(ex, A, TOP - *e);
}

/* 3: a column is refused if all but rounding of it, max(m,16) eps of its length up to a
 * power of two, is in the span of the columns before it.  Waits.  F2 is overwritten. */
static gsvd_status_t refuse_dependent(const exec_t *ex, int64_t m, mat_t F,
                                      const hsvd_work_t *w, outcome_t *out)
{
    const int64_t n = F.cols;
    const real_t tol = (real_t)max_i(m, 16) * GSVD_EPS;
    int64_t lead;

    GSVD_TRY(ex->op->copy(ex, F, w->F2));
    GSVD_TRY(ex->op->scale_pow2(ex, w->F2, exponent_r(tol) + 1));
    GSVD_TRY(ex->op->column_norms(ex, w->F2, w->zero));
    GSVD_TRY(X(diagonal_sizes)(ex, F, w->d));
    GSVD_TRY(ex->op->values_lead(ex, n, w->d, w->zero, &lead));
    out->k = lead;
    if (lead == n || out->lost) /* of a column that is lost nothing is known  */
        return GSVD_SUCCESS;
    out->dependent = lead + 1;
    return GSVD_INVALID_ARGUMENT;
}

/* What is tested against R, which stands in F.  Waits. */
static gsvd_status_t measure_r(const exec_t *ex, mat_t F, hsvd_work_t *w)
{
    const int64_t n = F.cols;
    real_t *const length = ex->staging.data, *const diagonal = length + n;

    GSVD_TRY(ex->op->values_read(ex, n, w->d, diagonal));
    GSVD_TRY(ex->op->column_norms(ex, F, w->d));
    GSVD_TRY(ex->op->values_read(ex, n, w->d, length));
    w->log_det = w->worst = w->longest = 0;
    for (int64_t j = 0; j < n; ++j) {
        w->log_det += log2((double)diagonal[j]);
        w->worst = fmax(w->worst, (double)length[j] / (double)diagonal[j]);
        w->longest = fmax(w->longest, (double)length[j]);
    }
    return GSVD_SUCCESS;
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
    GSVD_TRY(ex->op->column_norms(ex, part, w->d));
    GSVD_TRY(ex->op->values_set(ex, 0, count, 0, w->zero));
    GSVD_TRY(ex->op->values_order(ex, count, w->d, w->zero, w->order));
    return reorder(ex, part, V.data ? mat_cols(V, first, count) : V, w);
}

static gsvd_status_t sort(const exec_t *ex, mat_t F, mat_t V, int64_t plus,
                          const hsvd_work_t *w)
{
    GSVD_TRY(sort_sign(ex, F, V, 0, plus, w));
    return sort_sign(ex, F, V, plus, F.cols - plus, w);
}

/* -- the test of F and V ------------------------------------------------------- */

/* A := A J, in the order of the caller's columns; B, of A's size, is overwritten, and A^H and B^H
 * are room for them */
static gsvd_status_t flip_columns(const exec_t *ex, const args_t *a, mat_t A,
                                  mat_t B, mat_t AH, mat_t BH,
                                  const hsvd_work_t *w)
{
    if (!a->array[OPERAND_J])
        return ex->op->normalize_columns(ex, A, w->sign, A);
    GSVD_TRY(ex->op->permute_columns(ex, A, w->partition, B));
    GSVD_TRY(ex->op->normalize_columns(ex, B, w->sign, B));
    GSVD_TRY(ex->op->ctrans(ex, B, BH));
    GSVD_TRY(ex->op->permute_rows(ex, BH, w->partition, AH));
    return ex->op->ctrans(ex, AH, A);
}

/* *finite and *largest: of x^H D^-1 (V^H J V - J') D^-1.  Waits.  w->d := D */
static gsvd_status_t find_defect(const exec_t *ex, const args_t *a, mat_t V,
                                 const hsvd_work_t *w, norms_t *r)
{
    const mat_t x = w->x, y = w->y, z = w->z, t = w->t;

    GSVD_TRY(ex->op->column_norms(ex, V, w->d));
    GSVD_TRY(ex->op->gaussian(ex, x, 1));
    GSVD_TRY(ex->op->normalize_columns(ex, x, w->d, y));
    GSVD_TRY(ex->op->gemm(ex, 'N', 'C', y, V, z));
    GSVD_TRY(flip_columns(ex, a, z, t, w->x2, w->y2, w));
    GSVD_TRY(ex->op->gemm(ex, 'N', 'N', z, V, t));
    GSVD_TRY(ex->op->normalize_columns(ex, t, w->d, t));
    GSVD_TRY(ex->op->normalize_columns(ex, y, w->d, y));
    GSVD_TRY(ex->op->normalize_columns(ex, y, w->sign, y));
    GSVD_TRY(ex->op->set(ex, w->one, 0, 1));
    GSVD_TRY(ex->op->gemm_sub(ex, 'N', 'N', w->one, y, t));
    return ex->op->norms(ex, t, r);
}

/* The same of (R - F V^H) x, for the same x.  F2 is overwritten. */
static gsvd_status_t find_residual(const exec_t *ex, mat_t A, mat_t F, mat_t V,
                                   const hsvd_work_t *w, norms_t *r)
{
    const mat_t x = w->x2, y = w->y2, t = w->t2, R = w->F2;

    GSVD_TRY(ex->op->copy(ex, mat_rows(A, 0, F.cols), R));
    GSVD_TRY(ex->op->zero_lower(ex, R));
    GSVD_TRY(ex->op->ctrans(ex, w->x, x));
    GSVD_TRY(ex->op->gemm(ex, 'C', 'N', V, x, y));
    GSVD_TRY(ex->op->gemm(ex, 'N', 'N', R, x, t));
    GSVD_TRY(ex->op->gemm_sub(ex, 'N', 'N', F, y, t));
    return ex->op->norms(ex, t, r);
}

/* The defect of V, and the residual, over n eps; 0 without V, for sigma in the range of logarithms.
 * HUGE_VAL where one is no number.  Waits. */
typedef struct test {
    double defect, residual;
} test_t;

static gsvd_status_t find_lengths(const exec_t *ex, mat_t F, real_t *length,
                                  const hsvd_work_t *w)
{
    GSVD_TRY(ex->op->column_norms(ex, F, w->d));
    return ex->op->values_read(ex, F.cols, w->d, length);
}

static gsvd_status_t test_by_logarithms(const exec_t *ex, mat_t F,
                                        const hsvd_work_t *w, int has_v,
                                        test_t *t)
{
    const double slack = LARGE_LOG + 64 * (double)F.cols * GSVD_EPS * w->worst;
    real_t *const length = ex->staging.data;
    double log_det = 0;

    GSVD_TRY(find_lengths(ex, F, length, w));
    for (int64_t j = 0; j < F.cols; ++j)
        log_det += log2((double)length[j]);
    const int right =
        isfinite(log_det) && (has_v || fabs(log_det - w->log_det) <= slack);
    t->defect = t->residual = right ? 0 : HUGE_VAL;
    return GSVD_SUCCESS;
}

/* Are F and V what they should be, as far as random vectors tell, and logarithms? */
static gsvd_status_t test(const exec_t *ex, const args_t *a, mat_t A, mat_t F,
                          mat_t V, const hsvd_work_t *w, test_t *t)
{
    const double over = 1 / ((double)F.cols * GSVD_EPS);
    real_t *const length = ex->staging.data;
    double longest = 0;
    norms_t r;

    GSVD_TRY(test_by_logarithms(ex, F, w, V.data != NULL, t));
    if (!V.data || t->defect > 0)
        return GSVD_SUCCESS;
    GSVD_TRY(find_defect(ex, a, V, w, &r));
    t->defect = r.finite ? (double)r.largest * over : HUGE_VAL;
    if (!r.finite)
        return GSVD_SUCCESS;
    GSVD_TRY(ex->op->values_read(ex, V.cols, w->d, length));
    for (int64_t j = 0; j < V.cols; ++j)
        longest = fmax(longest, (double)length[j]);
    GSVD_TRY(find_residual(ex, A, F, V, w, &r));
    t->residual =
        r.finite ? (double)r.largest * over / longest / w->longest : HUGE_VAL;
    return GSVD_SUCCESS;
}

static int is_sound(const test_t *t)
{
    return t->defect <= LARGE_DEFECT && t->residual <= LARGE_RESIDUAL;
}

/* E := V^H J V; K is overwritten. */
static gsvd_status_t signed_gram(const exec_t *ex, const args_t *a, mat_t V,
                                 mat_t K, mat_t E, const hsvd_work_t *w)
{
    const int64_t n = V.cols, plus = a->k;
    const mat_t VH = a->array[OPERAND_J] ? E : K;

    GSVD_TRY(ex->op->ctrans(ex, V, VH));
    if (a->array[OPERAND_J])
        GSVD_TRY(ex->op->permute_columns(ex, VH, w->partition, K));
    const mat_t P = mat_cols(K, 0, plus), N = mat_cols(K, plus, n - plus);
    GSVD_TRY(ex->op->set(ex, E, 0, 0));
    GSVD_TRY(ex->op->gemm_sub(ex, 'N', 'C', N, N, E));
    if (plus == 0)
        return GSVD_SUCCESS;
    GSVD_TRY(ex->op->values_set(ex, 0, n, -1, w->d));
    GSVD_TRY(ex->op->normalize_columns(ex, E, w->d, E));
    GSVD_TRY(ex->op->gemm_sub(ex, 'N', 'C', P, P, E));
    return ex->op->normalize_columns(ex, E, w->d, E);
}

/* M := M + M Y, or M Y^H */
static gsvd_status_t add_times(const exec_t *ex, char op, mat_t M,
                               mat_t minus_y, mat_t K)
{
    GSVD_TRY(ex->op->copy(ex, M, K));
    return ex->op->gemm_sub(ex, 'N', op, K, minus_y, M);
}

/* V := V (I - X), X what is wrong of V^H J V, and F := F (I - X)^-H = F (I + X^H) (I + X^2H)
 * (I + X^4H): sweeps by shears keep F V^H, but V^H J V drifts while V is long.  *mended: X is small
 * enough.  Small entries of X are rounding, and are left out: short columns of F keep their
 * accuracy.  Waits. */
static gsvd_status_t mend(const exec_t *outer, const args_t *a, mat_t F,
                          mat_t V, const hsvd_work_t *w, int *mended)
{
    exec_t in = *outer;
    const exec_t *const ex = &in;
    const int64_t n = V.cols;
    const real_t least = LEAST_DRIFT * sqrt_r((real_t)n) * GSVD_EPS;
    const mat_t E = w->F2, K = w->K;
    real_t most;
    in.work = w->behind;

    GSVD_TRY(signed_gram(ex, a, V, K, E, w));
    GSVD_TRY(ex->op->column_norms(ex, V, w->d));
    GSVD_TRY(ex->op->signed_drift(ex, E, w->sign, w->d, least, &most));
    *mended = (double)n * (double)most <= MOST_DRIFT;
    if (!*mended)
        return GSVD_SUCCESS;
    GSVD_TRY(add_times(ex, 'N', V, E, K));
    GSVD_TRY(ex->op->values_set(ex, 0, n, -1, w->d));
    for (int power = 0; power < 3; ++power) {
        GSVD_TRY(ex->op->normalize_columns(ex, E, w->d, E));
        GSVD_TRY(add_times(ex, 'C', F, E, K)); /* -X, -X^2, -X^4              */
        GSVD_TRY(ex->op->gemm(ex, 'N', 'N', E, E, K));
        GSVD_TRY(ex->op->copy(ex, K, E));
    }
    return GSVD_SUCCESS;
}

/* -- 4 and 5 ------------------------------------------------------------------- */

/* 4: F := R P, V := P */
static gsvd_status_t begin(const exec_t *ex, const args_t *a, mat_t A, mat_t F,
                           mat_t V, const hsvd_work_t *w)
{
    GSVD_TRY(ex->op->copy(ex, mat_rows(A, 0, F.cols), F));
    GSVD_TRY(ex->op->zero_lower(ex, F));
    GSVD_TRY(ex->op->set(ex, V, 0, 1));
    if (a->array[OPERAND_J]) {
        GSVD_TRY(ex->op->permute_columns(ex, F, w->partition, w->F2));
        GSVD_TRY(ex->op->copy(ex, w->F2, F));
    }
    if (a->array[OPERAND_J] && V.data) {
        GSVD_TRY(ex->op->permute_columns(ex, V, w->partition, w->F2));
        GSVD_TRY(ex->op->copy(ex, w->F2, V));
    }
    return sort(ex, F, V, a->k, w);
}

/* 5 by a solver that is so sure, and mended */
static gsvd_status_t orthogonalize_by(int sure, const exec_t *ex,
                                      const args_t *a, mat_t A, mat_t F,
                                      mat_t V, const hsvd_work_t *w, test_t *t,
                                      outcome_t *out)
{
    for (int count = 0;; ++count) {
        int mended = 0;
        GSVD_TRY(
            X(orthogonalize_signed)(ex, F, V, a->k, sure, w->rotations, out));
        GSVD_TRY(test(ex, a, A, F, V, w, t));
        if (!V.data || out->stopped || out->unfinished || count == MENDS ||
            !(t->defect > SOME_DEFECT) || !(t->residual <= LARGE_RESIDUAL))
            return GSVD_SUCCESS;
        GSVD_TRY(mend(ex, a, F, V, w, &mended));
        if (!mended)
            return GSVD_SUCCESS;
        sure = JACOBI_BY_SWEEPS;
    }
}

/* 4 and 5 */
static gsvd_status_t orthogonalize_soundly(const exec_t *ex, const args_t *a,
                                           mat_t A, mat_t F, mat_t V,
                                           const hsvd_work_t *w, outcome_t *out)
{
    test_t t = {HUGE_VAL, HUGE_VAL};

    if (F.cols < 2)
        return GSVD_SUCCESS;
    for (int sure = JACOBI;
         sure <= JACOBI_BY_PAIRS && !is_sound(&t) && !out->stopped; ++sure) {
        if (sure > JACOBI)
            GSVD_TRY(begin(ex, a, A, F, V, w));
        out->unfinished = 0;
        GSVD_TRY(orthogonalize_by(sure, ex, a, A, F, V, w, &t, out));
    }
    if (V.data && !is_sound(&t)) /* without V logarithms are not sure        */
        out->unfinished = 1;
    out->unfinished |= out->lost;
    return GSVD_SUCCESS;
}

/* 6: sigma of one sign, descending, and columns [first, first + count) of F2 and V along with
 * them; F's are overwritten. */
static gsvd_status_t values_of_sign(const exec_t *ex, mat_t F, mat_t V,
                                    int64_t first, int64_t count, real_t *sigma,
                                    const hsvd_work_t *w)
{
    const mat_t part = mat_cols(F, first, count);
    const mat_t kept = mat_cols(w->F2, first, count);

    GSVD_TRY(ex->op->values_set(ex, 0, count, 0, w->zero));
    GSVD_TRY(ex->op->values_order(ex, count, w->d + first, w->zero, w->order));
    GSVD_TRY(ex->op->values_permute(ex, count, w->d + first, w->order, sigma));
    GSVD_TRY(ex->op->permute_columns(ex, kept, w->order, part));
    GSVD_TRY(ex->op->copy(ex, part, kept));
    if (!V.data)
        return GSVD_SUCCESS;
    V = mat_cols(V, first, count);
    GSVD_TRY(ex->op->permute_columns(ex, V, w->order, part));
    return ex->op->copy(ex, part, V);
}

/* 6: sigma, the largest of each sign looked at; F2 := F, sorted and not scaled back. */
static gsvd_status_t values(const exec_t *ex, const args_t *a, mat_t F, mat_t V,
                            int e, const hsvd_work_t *w, outcome_t *out)
{
    const int64_t first[] = {0, a->k, F.cols};
    real_t *const sigma = a->array[OPERAND_ALPHA];

    GSVD_TRY(ex->op->copy(ex, F, w->F2));
    GSVD_TRY(ex->op->scale_pow2(ex, F, e - TOP));
    GSVD_TRY(ex->op->column_norms(ex, F, w->d));
    for (int i = 0; i < 2; ++i)
        if (first[i] < first[i + 1]) {
            real_t *const of_sign = sigma + first[i];
            GSVD_TRY(values_of_sign(ex, F, V, first[i], first[i + 1] - first[i],
                                    of_sign, w));
            GSVD_TRY(
                X(test_overflow_of_value)(ex, of_sign, a->m, a->n, e, out));
        }
    return GSVD_SUCCESS;
}

/* W := the unitary factor of F2, w->d the lengths of its columns, by QR of the longest first: what
 * is too short for Jacobi is orthogonal to no other column, and must not turn longer ones. */
static gsvd_status_t unitary_by_length(const exec_t *ex, mat_t W,
                                       const hsvd_work_t *w)
{
    GSVD_TRY(ex->op->values_set(ex, 0, W.cols, 0, w->zero));
    GSVD_TRY(ex->op->values_order(ex, W.cols, w->d, w->zero, w->order));
    GSVD_TRY(ex->op->permute_columns(ex, w->F2, w->order, w->F));
    GSVD_TRY(X(orthonormalize)(ex, w->F, w->F2, w->tau2));
    GSVD_TRY(ex->op->ctrans(ex, w->F2, w->F));
    GSVD_TRY(ex->op->permute_rows(ex, w->F, w->order, w->F2));
    return ex->op->ctrans(ex, w->F2, W);
}

/* 7: W := the unitary factor of F2: F2 over the lengths of its columns and a step of Newton
 * and Schulz, or by QR where Jacobi left columns that are not orthogonal: the step would turn both
 * columns of a pair alike.  F and F2 are overwritten.  Waits. */
static gsvd_status_t orthonormal_columns(const exec_t *ex, mat_t W,
                                         const hsvd_work_t *w)
{
    const mat_t E = w->F;
    const real_t rounding = 8 * X(asked_tolerance)(ex, W.cols);
    real_t defect;

    GSVD_TRY(ex->op->column_norms(ex, w->F2, w->d));
    GSVD_TRY(ex->op->normalize_columns(ex, w->F2, w->d, W));
    GSVD_TRY(ex->op->gram(ex, W, E));
    GSVD_TRY(ex->op->newton_schulz(ex, E, NULL, &defect));
    if (!(defect <= rounding && defect <= sqrt_r(GSVD_EPS)))
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
    w.behind = in.work;
    w.K = X(take_matrix)(&w.behind, n, n);
    const mat_t F = w.F;
    GSVD_TRY(partition(&in, a, &w, out)); /* 1 */
    GSVD_TRY(in.op->values_set(&in, 0, plus, 1, w.sign));
    GSVD_TRY(in.op->values_set(&in, plus, n, -1, w.sign));
    GSVD_TRY(scale_to_top(&in, A, &e, &w, out));          /* 2 */
    GSVD_TRY(X(row_order_sort)(&in, A, &w.rows, &apart)); /* 3 */
    GSVD_TRY(X(geqrf)(&in, A, w.tau));
    GSVD_TRY(in.op->copy(&in, mat_rows(A, 0, n), F));
    GSVD_TRY(in.op->zero_lower(&in, F));
    GSVD_TRY(refuse_dependent(&in, m, F, &w, out));
    GSVD_TRY(measure_r(&in, F, &w));
    GSVD_TRY(begin(&in, a, A, F, V, &w)); /* 4 */
    out->seconds_preprocess = gsvd_elapsed(out);
    GSVD_TRY(orthogonalize_soundly(&in, a, A, F, V, &w, out)); /* 5 */
    out->seconds_solve = gsvd_elapsed(out) - out->seconds_preprocess;
    GSVD_TRY(values(&in, a, F, V, e, &w, out)); /* 6 */
    return left_factor(&in, A, U, &w);          /* 7 */
}

const program_t X(hsvd_program) = {measure_hsvd, run_hsvd, &X(svd_batches)};
