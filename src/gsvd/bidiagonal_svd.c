/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* bidiagonal_svd.c -- the SVD of one matrix by bidiagonal form, with errors of rounding of |A| (Golub and
 * Kahan 1965; on a GPU Lahabar and Narayanan 2009).
 *
 *     1  W := 2^-e times A, or A^H if m < n       M x N, M >= N
 *     2  W = Q (R; 0)                             if M > N
 *     3  R = U diag(x) V^H, or x alone            jacobi/bidiagonal.c
 *     4  U, V unitary to rounding (make_unitary.c), x descending
 *     5  test: |R V - U diag(x)| is rounding of |R|, and few columns, which 4 leaves, are unitary: those of
 *        xBDSDC have been off by 1e-9; or the squares of values alone are those of W's columns
 *     6  sigma = 2^e x, Q (U; 0), V
 *
 * A stays as it is, for the solver that is tried where this one fails.
 */
#include "core/solver.h"
#include "gsvd/svd.h"

enum { PROBES = 4 }; /* random vectors that see the residual                 */

typedef struct work {
    mat_t W;
    mat_t B;       /* R, which 3 overwrites; of values alone W's first rows  */
    mat_t U, V;    /* N x N as B, or no columns                              */
    mat_t row;     /* 1 x N                                                  */
    mat_t x, y, E; /* N x PROBES each, if there are vectors                  */
    scalar_t *tau;
    real_t *length, *values; /* of W's columns; x                            */
    real_t *sorted, *zero;   /* sorted: and PROBES numbers behind it         */
    int *order;
} work_t;

static int with_vectors(const args_t *a)
{
    return matrix_u_cols(a) > 0 || matrix_v_cols(a) > 0;
}

static void take(arena_t *a, const args_t *args, work_t *w)
{
    const int64_t M = max_i(args->m, args->n), N = min_i(args->m, args->n);
    const int64_t with = with_vectors(args);
    w->W = X(take_matrix)(a, M, N);
    w->B = X(take_matrix)(a, N, with * N);
    w->U = X(take_matrix)(a, N, with * N);
    w->V = X(take_matrix)(a, N, with * N);
    w->row = X(take_matrix)(a, 1, N);
    w->x = X(take_matrix)(a, N, with * PROBES);
    w->y = X(take_matrix)(a, N, with * PROBES);
    w->E = X(take_matrix)(a, N, with * PROBES);
    w->tau = gsvd_arena_take(a, N, sizeof(scalar_t));
    w->length = gsvd_arena_take(a, N, sizeof(real_t));
    w->values = gsvd_arena_take(a, N, sizeof(real_t));
    w->sorted = gsvd_arena_take(a, N + PROBES, sizeof(real_t));
    w->zero = gsvd_arena_take(a, N, sizeof(real_t));
    w->order = gsvd_arena_take(a, N, sizeof(int));
    if (!with)
        w->B = mat_rows(w->W, 0, N);
}

static task_t task_of(const work_t *w)
{
    return (task_t){.A = w->B,
                    .B = w->U,
                    .C = w->V,
                    .values = w->values,
                    .how = w->U.cols > 0 ? WITH_VECTORS : VALUES_ALONE};
}

int X(bidiagonal_svd_applies)(const exec_t *ex, const args_t *a)
{
    const int64_t N = min_i(a->m, a->n);
    const task_t t = {.A = mat_of_size(N, N),
                      .how = with_vectors(a) && N > 0 ? WITH_VECTORS
                                                      : VALUES_ALONE};
    return choose_solver(&X(bidiagonal_solvers), ex, &t) != NULL;
}

/* 4's memory, and its factors */
static void carve_polish(arena_t *a, const work_t *w, factor_t F[2],
                         unitary_work_t *of)
{
    const int64_t N = w->U.cols;
    F[0] = (factor_t){w->U, N, 0};
    F[1] = (factor_t){w->V, N, 0};
    X(unitary_carve)(a, N, F, 2, of);
}

size_t X(bidiagonal_svd_bytes)(const exec_t *ex, const args_t *a,
                               size_t *staging)
{
    const int64_t M = max_i(a->m, a->n), N = min_i(a->m, a->n);
    const int64_t across = a->m < a->n ? matrix_v_cols(a) : matrix_u_cols(a);
    arena_t count = {0}, last = {0};
    size_t most = 0;
    factor_t F[2];
    unitary_work_t of;
    work_t w;

    take(&count, a, &w);
    task_t t = task_of(&w);
    t.A = mat_of_size(N, N);
    carve_polish(&last, &w, F, &of);
    if (M > N)
        GSVD_STEP(ex, &most, "QR, and Q applied", M, N,
                  max_size(X(geqrf_work_bytes)(ex, M, N),
                           X(unmqr_work_bytes)(ex, M, N, across)) +
                      ex->op->kernel_bytes(ex, KERNELS_PANELS, M, N,
                                           max_i(N, across)),
                  X(geqrf_seconds)(ex, M, N) +
                      X(unmqr_seconds)(ex, M, N, across));
    most = max_size(most, solvers_bytes(&X(bidiagonal_solvers), ex, &t));
    if (w.U.cols > 0)
        GSVD_STEP(ex, &most, "U and V unitary to rounding", N, N,
                  gsvd_arena_bytes(&last) +
                      ex->op->kernel_bytes(ex, KERNELS_SMALL, N, N, N),
                  0);
    *staging = (size_t)(2 * N + PROBES) * sizeof(real_t);
    return count.full ? SIZE_MAX : gsvd_arena_bytes(&count) + most;
}

/* In QRs of R: measured on a host, orders 512 and 1000 */
double X(bidiagonal_svd_seconds)(const exec_t *ex, const args_t *a)
{
    const int64_t N = min_i(a->m, a->n);
    return (with_vectors(a) ? 10 : 4) * X(geqrf_seconds)(ex, N, N);
}

/* w->B := R */
static gsvd_status_t load(const exec_t *ex, const work_t *w)
{
    const mat_t R = mat_rows(w->W, 0, w->W.cols);

    if (w->B.data != R.data)
        GSVD_TRY(ex->op->copy(ex, R, w->B));
    return w->W.rows > w->W.cols ? ex->op->zero_lower(ex, w->B) : GSVD_SUCCESS;
}

/* sigma := 2^e x; 2^e x may be far from 1. */
static gsvd_status_t scale_values(const exec_t *ex, const work_t *w,
                                  const real_t *x, int e, real_t *sigma)
{
    GSVD_TRY(ex->op->set(ex, w->row, 1, 1));
    GSVD_TRY(ex->op->scale_columns(ex, w->row, x, w->row));
    GSVD_TRY(ex->op->scale_pow2(ex, w->row, e));
    return ex->op->column_norms(ex, w->row, sigma);
}

/* 4: x, U and V in the order of x; B has another matrix's memory then. */
static gsvd_status_t sort(const exec_t *ex, work_t *w)
{
    const int64_t N = w->W.cols;
    const work_t was = *w;

    GSVD_TRY(ex->op->values_set(ex, 0, N, 0, w->zero));
    GSVD_TRY(ex->op->values_order(ex, N, w->values, w->zero, w->order));
    GSVD_TRY(ex->op->values_permute(ex, N, w->values, w->order, w->sorted));
    if (w->U.cols == 0)
        return GSVD_SUCCESS;
    GSVD_TRY(ex->op->permute_columns(ex, was.U, w->order, was.B));
    GSVD_TRY(ex->op->permute_columns(ex, was.V, w->order, was.U));
    w->U = was.B;
    w->V = was.U;
    w->B = was.V;
    return GSVD_SUCCESS;
}

/* 4, where there are vectors; *good = 0: they lean too far.  Waits. */
static gsvd_status_t polish(const exec_t *ex, const work_t *w, int *good)
{
    outcome_t out = {0};
    unitary_work_t of;
    factor_t F[2];
    exec_t in = *ex;

    carve_polish(&in.work, w, F, &of);
    GSVD_TRY(X(work_suffices)(&in));
    GSVD_TRY(X(make_unitary)(&in, F, 2, &of, &out));
    *good = !out.unfinished;
    return GSVD_SUCCESS;
}

/* 5 for vectors.  Waits. */
static gsvd_status_t test_vectors(const exec_t *ex, const work_t *w, int *good)
{
    const int64_t N = w->W.cols, probes = min_i(N, PROBES);
    const mat_t x = mat_cols(w->x, 0, probes), y = mat_cols(w->y, 0, probes);
    const mat_t E = mat_cols(w->E, 0, probes);
    const real_t *const host = ex->staging.data;

    *good = 1;
    GSVD_TRY(X(few_are_unitary)(ex, w->U, w->B, good));
    GSVD_TRY(X(few_are_unitary)(ex, w->V, w->B, good));
    GSVD_TRY(load(ex, w));
    GSVD_TRY(ex->op->gaussian(ex, x, 1));
    GSVD_TRY(ex->op->gemm(ex, 'N', 'N', w->V, x, y));
    GSVD_TRY(ex->op->gemm(ex, 'N', 'N', w->B, y, E));
    GSVD_TRY(ex->op->combine(ex, w->zero, mat_rows(x, 0, 0), w->sorted, x, x));
    GSVD_TRY(ex->op->gemm_sub(ex, 'N', 'N', w->U, x, E));
    GSVD_TRY(ex->op->column_norms(ex, E, w->sorted + N));
    GSVD_TRY(ex->op->values_read(ex, N + probes, w->sorted, ex->staging.data));
    const real_t most = RESIDUAL_MOST(N) * sqrt_r((real_t)N) * host[0];
    for (int64_t i = 0; i < probes; ++i)
        *good &= host[N + i] <= most; /* no if it is a NaN                   */
    return GSVD_SUCCESS;
}

/* 5 for values alone.  Waits. */
static gsvd_status_t test_values(const exec_t *ex, const work_t *w, int *good)
{
    const int64_t N = w->W.cols;
    real_t *const host = ex->staging.data;
    double values = 0, entries = 0;

    GSVD_TRY(ex->op->values_read(ex, N, w->sorted, host));
    GSVD_TRY(ex->op->values_read(ex, N, w->length, host + N));
    for (int64_t i = 0; i < N; ++i) {
        values += (double)host[i] * host[i];
        entries += (double)host[N + i] * host[N + i];
    }
    *good = fabs(values - entries) <= SQUARES_MOST(w->W.rows) * entries;
    return GSVD_SUCCESS;
}

/* 6; left and right have no data where they are not wanted. */
static gsvd_status_t deliver(const exec_t *ex, const work_t *w, mat_t left,
                             mat_t right)
{
    const int64_t M = w->W.rows, N = w->W.cols;

    if (right.data)
        GSVD_TRY(ex->op->copy(ex, w->V, right));
    if (!left.data)
        return GSVD_SUCCESS;
    if (M > N)
        GSVD_TRY(ex->op->set(ex, left, 0, 1));
    GSVD_TRY(ex->op->copy(ex, w->U, mat_sub(left, 0, 0, N, N)));
    return M > N ? X(unmqr)(ex, 'L', 'N', w->W, N, w->tau, left) : GSVD_SUCCESS;
}

gsvd_status_t X(bidiagonal_svd)(const exec_t *ex, const args_t *a,
                                outcome_t *out, int *good)
{
    const int64_t m = a->m, n = a->n, M = max_i(m, n), N = min_i(m, n);
    const mat_t A = operand_of(a, OPERAND_A, m, n);
    const mat_t U = operand_of(a, OPERAND_U, m, matrix_u_cols(a));
    const mat_t V = operand_of(a, OPERAND_V, n, matrix_v_cols(a));
    real_t *const sigma = a->array[OPERAND_ALPHA];
    exec_t in = *ex;
    work_t w;
    int e;

    *good = 0;
    take(&in.work, a, &w);
    GSVD_TRY(X(work_suffices)(&in));
    GSVD_TRY(m < n ? in.op->ctrans(&in, A, w.W) : in.op->copy(&in, A, w.W));
    GSVD_TRY(X(scale_matrix)(&in, w.W, &e, NULL, out)); /* 1 */
    GSVD_TRY(in.op->column_norms(&in, w.W, w.length));
    if (M > N) /* 2 */
        GSVD_TRY(X(geqrf)(&in, w.W, w.tau));
    out->seconds_preprocess = gsvd_elapsed(out);
    task_t t = task_of(&w);
    t.yes = good;
    GSVD_TRY(load(&in, &w));
    GSVD_TRY(run_solver(&X(bidiagonal_solvers), &in, &t)); /* 3 */
    out->seconds_solve = gsvd_elapsed(out) - out->seconds_preprocess;
    if (*good)
        GSVD_TRY(sort(&in, &w)); /* 4, 5 */
    if (*good && w.U.cols > 0)
        GSVD_TRY(polish(&in, &w, good));
    if (*good)
        GSVD_TRY(w.U.cols > 0 ? test_vectors(&in, &w, good)
                              : test_values(&in, &w, good));
    if (!*good)
        return GSVD_SUCCESS;
    out->k = N;
    GSVD_TRY(scale_values(&in, &w, w.sorted, e, sigma)); /* 6 */
    if (N > 0)
        GSVD_TRY(X(test_overflow_of_value)(&in, sigma, M, N, e, out));
    return deliver(&in, &w, m < n ? V : U, m < n ? U : V);
}
