/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* pair.c -- the GSVD of a pair on a grid, A = U D1 X^H, B = V D2 X^H, by the SVD of A B^-1 (Drmac 1998;
 * jacobi/tangent.c).
 *
 *     1  A1 := A D, B1 := S_B B D       D: columns of A1 of length 1; S_B: rows by size
 *     2  B1 P = Q_B (R R'; 0 0)         pivoted QR, l = rank
 *     3  (F F') := A1 P, F := F R^-1    column by column
 *     4  (F' - F R') P' = Q_A (T; 0)    pivoted QR, k = rank: A on the null space of B
 *        (.; F) := Q_A^H F
 *     5  F = U~ Sigma W^H               run_svd.c;  U = Q_A diag(I, U~), V = S_B^H Q_B diag(W, I)
 *     6  c, s = sigma, 1 / hypot(1, sigma), behind k pairs 1, 0
 *     7  H := D1^H U^H A1 + D2^H V^H B D  weighted (value_pair.h);  X^H = H D^-1
 *
 * With z = P^T D^-1 x and w = z_1 + R^-1 R' z_2, A x = F R w + (F' - F R') z_2 and B x = S_B^H Q_B R w.
 *
 * The result is tested against the caller's pair: A1 x - U D1 H x and B D y - V D2 H y are rounding of
 * |A1| and of the columns of B, with Gaussian x, and y with entries of the size that makes columns of
 * B D alike.  Vectors are computed whether they are asked for or not: so values are tested, too.
 */
#include "core/value_pair.h"
#include "grid/call.h"

enum {
    PROBES = 4, /* Gaussian vectors                                          */
    TIMES = 5,  /* the bounds of one matrix: F has errors of its own          */
    HALF = (GSVD_SINGLE ? FLT_MAX_EXP : DBL_MAX_EXP) / 2
};

/* A column or a row that is shorter may have lost digits. */
#define LEAST (GSVD_SAFMIN / GSVD_EPS)

typedef struct memory {
    mat_t A, B;    /* A1 and B1; then A: 5's F, B: Q_B's reflectors          */
    mat_t F;       /* and Q_A's reflectors; then U~ in front of them         */
    mat_t U, V;    /* in the work, once 5 has ended                          */
    mat_t R, W;    /* n x n; R: then U^H A1, and then X; W: then H           */
    mat_t x, y, E; /* the test's                                             */
    scalar_t *tau, *tau_a, *tau_x; /* of Q_B, of Q_A, of another one         */
    real_t *a, *b, *d; /* lengths of columns, and D                          */
    real_t *sigma, *c, *s, *lengths, *sizes;
    int *perm;
    row_order_t rows; /* of B                                                */
    int64_t k, l;
    buffer_t work, staging;
} memory_t;

/* Where F was; N's columns stay behind it. */
static mat_t u_tilde(const memory_t *w)
{
    const int64_t m = w->F.rows - w->k;
    return mat_view(w->F.data, m, min_i(m, w->l), m);
}

/* What ranks count as rows */
static int64_t rows_of_a(const grid_call_t *c)
{
    return c->rows_a > 0 ? c->rows_a : c->m;
}
static int64_t rows_of_b(const grid_call_t *c)
{
    return c->rows_b > 0 ? c->rows_b : c->p;
}

/* The columns of U and V that are computed */
static int64_t columns_of_u(const grid_call_t *c)
{
    return c->job[0] == 'U' ? c->m : min_i(c->m, c->n);
}
static int64_t columns_of_v(const grid_call_t *c)
{
    return c->job[1] == 'V' ? c->p : min_i(c->p, c->n);
}

/* of F, m - k by l */
static args_t svd_of(const grid_call_t *call, const memory_t *w)
{
    const int64_t m = call->m - w->k, n = w->l;
    return (args_t){.job = {'S', 'V'},
                    .m = m,
                    .n = n,
                    .array = {[OPERAND_A] = w->A.data,
                              [OPERAND_U] = u_tilde(w).data,
                              [OPERAND_V] = w->W.data,
                              [OPERAND_ALPHA] = w->sigma},
                    .ld = {[OPERAND_A] = m, [OPERAND_U] = m, [OPERAND_V] = n}};
}

static void take(arena_t *a, const grid_call_t *call, const need_t *need,
                 memory_t *w)
{
    const int64_t m = call->m, n = call->n, p = call->p;

    w->A = X(take_matrix)(a, m, n);
    w->B = X(take_matrix)(a, p, n);
    w->F = X(take_matrix)(a, m, n);
    w->R = X(take_matrix)(a, n, n);
    w->W = X(take_matrix)(a, n, n);
    w->x = X(take_matrix)(a, n, PROBES);
    w->y = X(take_matrix)(a, n, PROBES);
    w->E = X(take_matrix)(a, max_i(m, p), PROBES);
    w->tau = gsvd_arena_take(a, n, sizeof(scalar_t));
    w->tau_a = gsvd_arena_take(a, n, sizeof(scalar_t));
    w->tau_x = gsvd_arena_take(a, n, sizeof(scalar_t));
    real_t **const list[] = {&w->a, &w->b, &w->d,      &w->sigma,
                             &w->c, &w->s, &w->lengths};
    for (size_t k = 0; k < sizeof list / sizeof *list; ++k)
        *list[k] = gsvd_arena_take(a, max_i(n, PROBES), sizeof(real_t));
    w->sizes = gsvd_arena_take(a, max_i(m, p), sizeof(real_t));
    w->perm = gsvd_arena_take(a, n, sizeof(int));
    X(row_order_take)(a, p, max_i(n, columns_of_v(call)), &w->rows);
    w->work = gsvd_arena_buffer(a, need->work);
    w->staging = gsvd_arena_buffer(a, need->staging);
}

/* U and V, products of unitary matrices, and what makes them unitary to rounding */
static void carve_factors(arena_t *a, const grid_call_t *call, memory_t *w,
                          factor_t F[2], unitary_work_t *of)
{
    w->U = X(take_matrix)(a, call->m, columns_of_u(call));
    w->V = X(take_matrix)(a, call->p, columns_of_v(call));
    F[0] = (factor_t){w->U, w->U.cols, 0};
    F[1] = (factor_t){w->V, w->V.cols, 0};
    X(unitary_carve)(a, call->n, F, 2, of);
}

/* F has at most m rows and n columns. */
static gsvd_status_t measure(const exec_t *ex, const grid_call_t *call,
                             need_t *need)
{
    const int64_t m = call->m, n = call->n, p = call->p;
    memory_t most = {.k = 0, .l = n};
    const args_t svd = svd_of(call, &most);
    const size_t kernels = ex->op->kernel_bytes(
        ex, KERNELS_ALL, max_i(m, p), n,
        max_i(n, max_i(columns_of_u(call), columns_of_v(call))));
    arena_t count = {0};
    unitary_work_t of;
    factor_t F[2];

    GSVD_TRY(X(svd_program).measure(ex, &svd, need));
    carve_factors(&count, call, &most, F, &of);
    need->full |= count.full;
    need->work = max_size(need->work, gsvd_arena_bytes(&count)) + kernels;
    return GSVD_SUCCESS;
}

/* -- 1 to 4 ---------------------------------------------------------------------- */

/* Rows and columns of a matrix that are 0 */
typedef struct zeros {
    int64_t rows, cols;
} zeros_t;

static int64_t count_zeros(int64_t n, const real_t *x)
{
    int64_t zeros = 0;
    for (int64_t i = 0; i < n; ++i)
        zeros += x[i] == 0;
    return zeros;
}

/* w->sizes, w->lengths := of M's rows and columns */
static gsvd_status_t measure_sides(const exec_t *ex, mat_t M, const memory_t *w,
                                   norms_t *r, zeros_t *zeros)
{
    GSVD_TRY(ex->op->norms_by_row(ex, M, w->sizes, r));
    GSVD_TRY(ex->op->column_norms(ex, M, w->lengths));
    zeros->rows = count_zeros(M.rows, w->sizes);
    zeros->cols = count_zeros(M.cols, w->lengths);
    return GSVD_SUCCESS;
}

/* out->lost: a row or a column of M is too short or too long, or there are more zeros than these */
static gsvd_status_t look_at_range(const exec_t *ex, mat_t M, const memory_t *w,
                                   zeros_t most, outcome_t *out)
{
    norms_t r;
    zeros_t now;

    GSVD_TRY(measure_sides(ex, M, w, &r, &now));
    out->lost |= !r.finite || r.least_row < LEAST || now.rows > most.rows ||
                 now.cols > most.cols;
    for (int64_t j = 0; j < M.cols; ++j) {
        const real_t length = w->lengths[j];
        out->lost |=
            !(length == 0 || length >= LEAST) || !(length <= GSVD_REAL_MAX);
    }
    return GSVD_SUCCESS;
}

static gsvd_status_t copy_pair(const grid_call_t *call, const memory_t *w)
{
    GSVD_TRY(X(grid_copy_in)(&call->array[GRID_A], w->A));
    return X(grid_copy_in)(&call->array[GRID_B], w->B);
}

static gsvd_status_t scale_pair(const exec_t *ex, const memory_t *w, int e)
{
    GSVD_TRY(ex->op->scale_pow2(ex, w->A, e));
    return ex->op->scale_pow2(ex, w->B, e);
}

/* w->a and w->b := the lengths of columns */
static gsvd_status_t measure_columns(const exec_t *ex, const memory_t *w)
{
    GSVD_TRY(ex->op->column_norms(ex, w->A, w->a));
    return ex->op->column_norms(ex, w->B, w->b);
}

/* A := A D and B := B D, and their columns' lengths */
static gsvd_status_t scale_pair_by_d(const exec_t *ex, const memory_t *w)
{
    GSVD_TRY(ex->op->scale_columns(ex, w->A, w->d, w->A));
    GSVD_TRY(ex->op->scale_columns(ex, w->B, w->d, w->B));
    return measure_columns(ex, w);
}

/* D, and *e: the pair times 2^-e, whose largest entry is next to 1 if it was below, and no larger than
 * the root of the largest number */
static gsvd_status_t find_scales(const exec_t *ex, const grid_call_t *call,
                                 const memory_t *w, int *e, zeros_t zeros[2],
                                 outcome_t *out)
{
    norms_t a, b;

    GSVD_TRY(copy_pair(call, w));
    GSVD_TRY(X(norms_if_finite)(ex, w->A, OPERAND_A, &a, out));
    GSVD_TRY(X(norms_if_finite)(ex, w->B, OPERAND_B, &b, out));
    const real_t most = fmax_r(a.largest, b.largest);
    const int at = most > 0 ? exponent_r(most) : 0;
    *e = at < 0 ? at : at > HALF ? at - HALF : 0;
    GSVD_TRY(measure_sides(ex, w->A, w, &a, &zeros[0]));
    GSVD_TRY(measure_sides(ex, w->B, w, &b, &zeros[1]));
    GSVD_TRY(scale_pair(ex, w, -*e));
    GSVD_TRY(look_at_range(ex, w->A, w, zeros[0], out));
    GSVD_TRY(look_at_range(ex, w->B, w, zeros[1], out));
    GSVD_TRY(measure_columns(ex, w));
    return ex->op->column_scales(ex, call->n, w->a, w->b, w->d);
}

/* *rank := the columns of R, out of `rows` rows, before the first one of which all but rounding, max(rows,16)
 * eps of its length in `lengths`, is in the span of those before it */
static gsvd_status_t find_rank(const exec_t *ex, mat_t R, int64_t rows,
                               const real_t *lengths, int64_t *rank)
{
    const int64_t most = min_i(R.rows, R.cols);
    const real_t tol = (real_t)max_i(rows, 16) * GSVD_EPS;
    scalar_t *diagonal;

    *rank = 0;
    if (most == 0)
        return GSVD_SUCCESS;
    GSVD_TRY(X(diagonal_grid)(ex, R, &diagonal));
    while (*rank < most && abs_of(diagonal[*rank]) > tol * lengths[*rank])
        ++*rank;
    return GSVD_SUCCESS;
}

/* 2 and 3 */
static gsvd_status_t divide(const exec_t *ex, const grid_call_t *call,
                            memory_t *w, zeros_t zeros, outcome_t *out)
{
    const int64_t n = call->n, rows = min_i(call->p, n);
    const mat_t R = mat_rows(w->R, 0, rows);
    int64_t unused;
    int apart;

    GSVD_TRY(X(row_order_sort)(ex, w->B, &w->rows, &apart));
    GSVD_TRY(X(geqpf)(ex, w->B, ex->policy.pivot, 0, w->perm, w->tau, &unused));
    GSVD_TRY(ex->op->copy(ex, mat_rows(w->B, 0, rows), R));
    GSVD_TRY(ex->op->zero_lower(ex, R));
    GSVD_TRY(ex->op->column_norms(ex, R, w->lengths));
    GSVD_TRY(find_rank(ex, R, rows_of_b(call), w->lengths, &w->l));
    GSVD_TRY(ex->op->permute_columns(ex, w->A, w->perm, w->F));
    GSVD_TRY(ex->op->trsm(ex, mat_sub(w->R, 0, 0, w->l, w->l),
                          mat_cols(w->F, 0, w->l)));
    zeros.cols = n; /* F's are not those of A.                               */
    return look_at_range(ex, w->F, w, zeros, out);
}

/* *rank := that of N = F' - F R', whose QR takes its place.  A column of N is one of A1 minus others: it is
 * compared with their lengths. */
static gsvd_status_t factor_rest(const exec_t *ex, const memory_t *w, mat_t F,
                                 mat_t N, int64_t rows, int64_t *rank)
{
    const mat_t R = mat_sub(w->R, 0, F.cols, F.cols, N.cols);
    real_t *const length = w->lengths, *const of_f = w->c, *const others = w->s;
    int64_t unused;

    GSVD_TRY(ex->op->column_norms(ex, F, of_f));
    GSVD_TRY(ex->op->column_norms(ex, N, length));
    GSVD_TRY(ex->op->gemm_sub(ex, 'N', 'N', F, R, N));
    X(grid_scale_rows)(R, of_f, 0);
    GSVD_TRY(ex->op->column_norms(ex, R, others));
    for (int64_t j = 0; j < N.cols; ++j)
        length[j] += others[j];
    GSVD_TRY(X(geqpf)(ex, N, ex->policy.pivot, 0, w->perm, w->tau_a, &unused));
    GSVD_TRY(ex->op->values_permute(ex, N.cols, length, w->perm, others));
    return find_rank(ex, N, rows, others, rank);
}

/* 4 */
static gsvd_status_t split_off(const exec_t *ex, const grid_call_t *call,
                               memory_t *w)
{
    const int64_t m = call->m, l = w->l;
    const mat_t F = mat_cols(w->F, 0, l), N = mat_cols(w->F, l, call->n - l);

    w->k = 0;
    if (!mat_empty(N))
        GSVD_TRY(factor_rest(ex, w, F, N, rows_of_a(call), &w->k));
    GSVD_TRY(X(unmqr)(ex, 'L', 'C', N, w->k, w->tau_a, F));
    return ex->op->copy(ex, mat_rows(F, w->k, m - w->k),
                        mat_view(w->A.data, m - w->k, l, m - w->k));
}

/* -- 5 to 7 ---------------------------------------------------------------------- */

/* U := diag(I, (U~ Y)), Y a completion if U has more columns */
static gsvd_status_t complete_u(const exec_t *ex, const memory_t *w)
{
    const int64_t k = w->k, m = w->U.rows - k, u = w->U.cols - k;
    const mat_t below = mat_sub(w->U, k, k, m, u), U_ = u_tilde(w);
    const int64_t known = U_.cols;

    GSVD_TRY(ex->op->set(ex, w->U, 0, 1));
    GSVD_TRY(ex->op->copy(ex, U_, mat_cols(below, 0, known)));
    if (u <= known)
        return GSVD_SUCCESS;
    GSVD_TRY(X(geqrf)(ex, mat_cols(below, 0, known), w->tau_x));
    GSVD_TRY(X(ungqr)(ex, below, known, w->tau_x));
    return ex->op->copy(ex, U_, mat_cols(below, 0, known));
}

static gsvd_status_t form_factors(const exec_t *ex, const memory_t *w,
                                  const factor_t F[2], const unitary_work_t *of,
                                  outcome_t *out)
{
    const int64_t k = w->k, l = w->l;
    const mat_t N = mat_cols(w->F, l, w->F.cols - l);

    GSVD_TRY(complete_u(ex, w));
    GSVD_TRY(X(unmqr)(ex, 'L', 'N', N, k, w->tau_a, w->U));
    GSVD_TRY(ex->op->set(ex, w->V, 0, 1));
    GSVD_TRY(ex->op->copy(ex, mat_view(w->W.data, l, l, l),
                          mat_sub(w->V, 0, 0, l, l)));
    GSVD_TRY(X(unmqr)(ex, 'L', 'N', mat_cols(w->B, 0, l), l, w->tau, w->V));
    GSVD_TRY(X(row_order_undo)(ex, w->V, &w->rows));
    return X(make_unitary)(ex, F, 2, of, out);
}

/* w->c and w->s */
static void form_values(const grid_call_t *call, const memory_t *w)
{
    const int64_t k = w->k, l = w->l, r = min_i(call->m - k, l);
    real_t *const c = w->c, *const s = w->s, unused;

    for (int64_t j = 0; j < call->n; ++j) {
        c[j] = j < k;
        s[j] = 0;
    }
    for (int64_t j = 0; j < l; ++j)
        value_pair_normalize(j < r ? w->sigma[j] : 0, 1, &unused, &c[k + j],
                             &s[k + j]);
    /* Rounding may put the last bits of neighbours in another order. */
    for (int64_t j = k + 1; j < k + l; ++j) {
        c[j] = c[j] < c[j - 1] ? c[j] : c[j - 1];
        s[j] = fmax_r(s[j], s[j - 1]);
    }
}

/* W := H */
static gsvd_status_t form_h(const exec_t *ex, const memory_t *w)
{
    const int64_t n = w->W.cols, r = min_i(w->A.rows, n), l = w->l;
    const mat_t of_a = mat_rows(w->R, 0, r);

    GSVD_TRY(ex->op->gemm(ex, 'C', 'N', mat_cols(w->U, 0, r), w->A, of_a));
    GSVD_TRY(ex->op->set(ex, w->W, 0, 0));
    GSVD_TRY(ex->op->gemm(ex, 'C', 'N', mat_cols(w->V, 0, l), w->B,
                          mat_rows(w->W, w->k, l)));
    return ex->op->combine_columns(ex, w->c, of_a, w->s, w->W, w->a, w->b,
                                   w->W);
}

/* *good: M x - F diag(value) H x, with rows of H from `first` on, is rounding of `most`, which columns
 * of M times the x's rows are no longer than.  w->x is there. */
static gsvd_status_t test(const exec_t *ex, const memory_t *w, mat_t M, mat_t F,
                          int64_t first, const real_t *value, real_t most,
                          int *good)
{
    const int64_t n = M.cols;
    const real_t bound =
        TIMES * RESIDUAL_MOST(max_i(M.rows, n)) * sqrt_r((real_t)n) * most;
    const mat_t E = mat_view(w->E.data, M.rows, PROBES, w->E.ld);
    real_t longest;

    GSVD_TRY(ex->op->gemm(ex, 'N', 'N', w->W, w->x, w->y));
    GSVD_TRY(ex->op->gemm(ex, 'N', 'N', M, w->x, E));
    X(grid_scale_rows)(w->y, value, 0);
    GSVD_TRY(
        ex->op->gemm_sub(ex, 'N', 'N', F, mat_rows(w->y, first, F.cols), E));
    GSVD_TRY(X(grid_longest)(ex, E, w->lengths, &longest));
    *good = *good && longest <= bound;
    return GSVD_SUCCESS;
}

static gsvd_status_t test_both(const exec_t *ex, const memory_t *w, int *good)
{
    const int64_t n = w->W.cols, r = min_i(w->A.rows, n);
    real_t most = 0;

    for (int64_t j = 0; j < n; ++j) {
        most = fmax_r(most, w->a[j]);
        w->sigma[j] = w->b[j] > 0 ? ldexp_r(1, -exponent_r(w->b[j])) : 1;
    }
    *good = 1;
    GSVD_TRY(ex->op->gaussian(ex, w->x, 1));
    if (r > 0)
        GSVD_TRY(test(ex, w, w->A, mat_cols(w->U, 0, r), 0, w->c, most, good));
    X(grid_scale_rows)(w->x, w->sigma, 0);
    return test(ex, w, w->B, mat_cols(w->V, 0, w->l), w->k, w->s, 2, good);
}

/* R := X, of the caller's pair.  out->overflow: it has entries that are too large. */
static gsvd_status_t form_x(const exec_t *ex, const grid_call_t *call,
                            const memory_t *w, int e, outcome_t *out)
{
    norms_t r;

    GSVD_TRY(ex->op->normalize_columns(ex, w->W, w->d, w->W));
    GSVD_TRY(ex->op->ctrans(ex, w->W, w->R));
    GSVD_TRY(ex->op->scale_pow2(ex, w->R, e));
    GSVD_TRY(ex->op->norms(ex, w->R, &r));
    if (!r.finite)
        out->overflow = exponent_r((real_t)(call->m + call->p)) + 2;
    return GSVD_SUCCESS;
}

/* 5's factors, 6 and 7 */
static gsvd_status_t finish(const exec_t *ex, const grid_call_t *call,
                            memory_t *w, int e, outcome_t *out, int *good)
{
    exec_t in = *ex;
    unitary_work_t of;
    factor_t F[2];

    carve_factors(&in.work, call, w, F, &of);
    GSVD_TRY(X(work_suffices)(&in));
    GSVD_TRY(form_factors(&in, w, F, &of, out));
    form_values(call, w);         /* 6 */
    GSVD_TRY(copy_pair(call, w)); /* 7 */
    GSVD_TRY(scale_pair(&in, w, -e));
    GSVD_TRY(scale_pair_by_d(&in, w));
    GSVD_TRY(form_h(&in, w));
    GSVD_TRY(test_both(&in, w, good));
    return form_x(&in, call, w, e, out);
}

static gsvd_status_t decompose(const exec_t *ex, const grid_call_t *call,
                               memory_t *w, outcome_t *out, int *good)
{
    zeros_t zeros[2];
    int e;

    GSVD_TRY(find_scales(ex, call, w, &e, zeros, out)); /* 1 */
    GSVD_TRY(scale_pair_by_d(ex, w));
    GSVD_TRY(look_at_range(ex, w->A, w, zeros[0], out));
    GSVD_TRY(look_at_range(ex, w->B, w, zeros[1], out));
    if (out->lost)
        return GSVD_SUCCESS;
    GSVD_TRY(divide(ex, call, w, zeros[0], out)); /* 2, 3 */
    if (out->lost)
        return GSVD_SUCCESS;
    GSVD_TRY(split_off(ex, call, w)); /* 4 */
    const args_t svd = svd_of(call, w);
    const gsvd_status_t status = X(svd_program).run(ex, &svd, out); /* 5 */
    if (out->illegal) { /* F has a NaN or an infinity, and A has none.       */
        out->illegal = 0;
        out->lost = 1;
        return GSVD_SUCCESS;
    }
    GSVD_TRY(status);
    return finish(ex, call, w, e, out, good);
}

/* -- all -------------------------------------------------------------------------- */

static gsvd_status_t illegal(const outcome_t *out, int *info)
{
    const int is_a = out->illegal == 1 + OPERAND_A;
    *info = is_a ? -9 : -11;
    return gsvd_grid_fail(GSVD_INVALID_ARGUMENT, "argument %d, %s: %s", -*info,
                          is_a ? "A" : "B", out->reason);
}

static gsvd_status_t deliver(const grid_call_t *call, const memory_t *w)
{
    const size_t bytes = (size_t)call->n * sizeof(real_t);
    const mat_t of[] = {w->U, mat_cols(w->V, 0, grid_columns(call, GRID_V)),
                        w->R};

    for (int k = 0; k < 3; ++k)
        if (call->job[k] != 'N')
            GSVD_TRY(X(grid_copy_out)(of[k], &call->array[GRID_U + k]));
    if (call->n > 0) {
        memcpy(call->alpha, w->c, bytes);
        memcpy(call->beta, w->s, bytes);
    }
    if (call->k)
        *call->k = w->k;
    if (call->l)
        *call->l = w->l;
    return GSVD_SUCCESS;
}

static gsvd_status_t run(const exec_t *ex, const grid_call_t *call, memory_t *w,
                         int *info)
{
    exec_t in = *ex;
    outcome_t out = {0};
    int good = 1;

    in.work = gsvd_arena_over(w->work.data, w->work.bytes);
    in.staging = w->staging;
    const gsvd_status_t status = decompose(&in, call, w, &out, &good);
    if (out.illegal)
        return illegal(&out, info);
    GSVD_TRY(status);
    out.unfinished |= out.lost;
    if (!out.lost)
        GSVD_TRY(deliver(call, w));
    GSVD_TRY(X(grid_status_of)(&out, info));
    if (good)
        return GSVD_SUCCESS;
    *info = 1;
    return gsvd_grid_fail(GSVD_NOT_CONVERGED,
                          "the result is not a decomposition of A and B");
}

gsvd_status_t X(pair_on_grid)(const exec_t *ex, const grid_call_t *call,
                              int *info)
{
    const int64_t m = call->m, n = call->n, p = call->p;
    const shape_t shape[] = {{m, n},
                             {p, n},
                             {m, columns_of_u(call)},
                             {p, columns_of_v(call)},
                             {n, n},
                             {max_i(m, n), min_i(m, n)}};
    arena_t count = {0}, all;
    need_t need = {0};
    memory_t w = {.sigma = NULL};
    int taken;

    GSVD_TRY(X(grid_is_countable)(shape, 6, n));
    GSVD_TRY(X(tall_on_grid)(ex, call, info, &taken));
    if (taken)
        return GSVD_SUCCESS;
    GSVD_TRY(measure(ex, call, &need));
    take(&count, call, &need, &w);
    count.full |= need.full;
    GSVD_TRY(gsvd_grid_memory(&count, &all));
    take(&all, call, &need, &w);
    return run(ex, call, &w, info);
}
