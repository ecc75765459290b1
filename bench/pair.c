/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* pair.c -- the pairs that are measured.
 *
 * random   A and B full of normal numbers.
 * columns  A of normal numbers with columns times 10^u, u uniform in [-15, 0].
 * rows     The same with rows.
 * geometric  A = U diag(1 ... 10^-12) V^H, a geometric sequence of values, U and V the
 *          unitary factors of normal matrices.
 * phillips, shaw, baart, heat  A of an integral equation (integral.h); B takes second
 *          differences.  B of the three before is full of normal numbers.
 * thesis   Flegar 2016, section 3.1, with l = n/2 and k + l = 4n/5:
 *              A = U (0 R_A) Q^H,    B = V (0 R_B) Q^H,
 *          U R_A and V R_B the QR factorizations of normal m x (k+l) and p x l
 *          matrices, Q the unitary factor of a normal n x n one.  (The thesis
 *          writes Q for Q^H.)  Fewer rows than that give fewer ranks.
 */
#include <math.h>
#include <stdlib.h>

#include "integral.h"
#include "problem.h"

/* A := x, of A's size without gaps */
static gsvd_status_t send(const problem_t *P, const void *x, mat_t A)
{
    const size_t column = (size_t)A.rows * sizeof(scalar_t);
    if (mat_empty(A))
        return GSVD_SUCCESS;
    GSVD_TRY(P->h->space->upload(P->h, A.data, (size_t)A.ld * sizeof(scalar_t),
                                 x, column, column, A.cols));
    return P->h->space->wait(P->h);
}

static gsvd_status_t normal(const problem_t *P, mat_t A)
{
    const int64_t reals = sizeof(scalar_t) / sizeof(real_t);
    const size_t column = (size_t)A.rows * sizeof(scalar_t);
    gsvd_status_t status = GSVD_OUT_OF_MEMORY;
    real_t *x;

    if (mat_empty(A))
        return GSVD_SUCCESS;
    x = malloc(column * (size_t)A.cols);
    if (x) {
        if (GSVD_SINGLE)
            bench_normal_float(P->bench, reals * A.rows * A.cols, (void *)x);
        else
            bench_normal_double(P->bench, reals * A.rows * A.cols, (void *)x);
        status = send(P, x, A);
    }
    free(x);
    return status;
}

/* A normal T of these sizes is Q R: Q and R */
static gsvd_status_t normal_qr(problem_t *P, int64_t rows, int64_t cols,
                               mat_t *Q, mat_t *R)
{
    const int64_t r = min_i(rows, cols);
    mat_t T;
    GSVD_TRY(X(bench_mat)(P, rows, cols, &T));
    GSVD_TRY(normal(P, T));
    GSVD_TRY(X(geqrf)(&P->ex, T, P->tau));
    GSVD_TRY(X(bench_mat)(P, r, cols, R));
    GSVD_TRY(P->ex.op->copy(&P->ex, mat_rows(T, 0, r), *R));
    GSVD_TRY(P->ex.op->zero_lower(&P->ex, *R));
    *Q = mat_cols(T, 0, r);
    return X(ungqr)(&P->ex, *Q, r, P->tau);
}

/* A := U (0 R) Q^H with U R = T normal, m x r */
static gsvd_status_t embed(problem_t *P, int64_t r, mat_t Q, mat_t A)
{
    mat_t U, R, T;
    GSVD_TRY(normal_qr(P, A.rows, r, &U, &R));
    GSVD_TRY(X(bench_mat)(P, A.rows, r, &T));
    GSVD_TRY(P->ex.op->gemm(&P->ex, 'N', 'N', U, R, T));
    return P->ex.op->gemm(&P->ex, 'N', 'C', T, mat_cols(Q, A.cols - r, r), A);
}

/* *d := count real numbers where P computes, by a rule for the i-th */
static gsvd_status_t values_by(const problem_t *P, int64_t count,
                               double (*rule)(bench_t *b, double x), void **d)
{
    const size_t bytes = (size_t)count * sizeof(real_t);
    real_t *x = malloc(bytes ? bytes : 1);
    gsvd_status_t status = x ? GSVD_SUCCESS : GSVD_OUT_OF_MEMORY;

    for (int64_t i = 0; x && i < count; ++i)
        x[i] = (real_t)rule(P->bench, (double)i / (double)max_i(count - 1, 1));
    if (status == GSVD_SUCCESS)
        status = bench_take(P->bench, P->h, bytes, d);
    if (status == GSVD_SUCCESS && count > 0)
        status = P->h->space->upload(P->h, *d, bytes, x, bytes, bytes, 1);
    if (status == GSVD_SUCCESS)
        status = P->h->space->wait(P->h);
    free(x);
    return status;
}

static double over_1e15(bench_t *b, double x)
{
    (void)x;
    return pow(10, -15 * bench_uniform(b));
}

static double down_to_1e12(bench_t *b, double x)
{
    (void)b;
    return pow(10, -12 * x);
}

static gsvd_status_t scaled_columns(problem_t *P)
{
    void *d;
    GSVD_TRY(normal(P, P->A));
    GSVD_TRY(values_by(P, P->n, over_1e15, &d));
    return P->ex.op->scale_columns(&P->ex, P->A, d, P->A);
}

static gsvd_status_t scaled_rows(problem_t *P)
{
    void *d, *zero;
    mat_t T;
    GSVD_TRY(X(bench_mat)(P, P->m, P->n, &T));
    GSVD_TRY(normal(P, T));
    GSVD_TRY(values_by(P, P->m, over_1e15, &d));
    GSVD_TRY(bench_take(P->bench, P->h, (size_t)P->m * sizeof(real_t), &zero));
    GSVD_TRY(P->ex.op->values_set(&P->ex, 0, P->m, 0, zero));
    return P->ex.op->combine(&P->ex, d, T, zero, T, P->A);
}

static gsvd_status_t geometric(problem_t *P)
{
    const int64_t r = min_i(P->m, P->n);
    mat_t U, V, R, S;
    void *d;
    GSVD_TRY(normal_qr(P, P->m, r, &U, &R));
    GSVD_TRY(normal_qr(P, P->n, r, &V, &R));
    GSVD_TRY(values_by(P, r, down_to_1e12, &d));
    GSVD_TRY(X(bench_mat)(P, P->m, r, &S));
    GSVD_TRY(P->ex.op->scale_columns(&P->ex, U, d, S));
    return P->ex.op->gemm(&P->ex, 'N', 'C', S, V, P->A);
}

/* B := the second differences of neighbours, what they lack at the end 0 */
static gsvd_status_t differences(problem_t *P)
{
    static const double weight[] = {1, -2, 1};
    scalar_t *x = calloc((size_t)max_i(P->p * P->n, 1), sizeof *x);
    if (!x)
        return GSVD_OUT_OF_MEMORY;
    for (int64_t i = 0; i < P->p; ++i)
        for (int64_t j = i; j < i + 3 && j < P->n; ++j)
            x[i + j * P->p] = make((real_t)weight[j - i], 0);
    const gsvd_status_t status = send(P, x, P->B);
    free(x);
    return status;
}

/* A := that of an integral equation */
static gsvd_status_t integral(problem_t *P, const integral_t *equation)
{
    const int m = (int)P->m, n = (int)P->n;
    scalar_t *x = malloc(sizeof(scalar_t) * (size_t)max_i(P->m * P->n, 1));
    if (!x)
        return GSVD_OUT_OF_MEMORY;
    for (int j = 0; j < n; ++j)
        for (int i = 0; i < m; ++i)
            x[i + (int64_t)j * m] =
                make((real_t)integral_entry(equation, i, j, m, n), 0);
    const gsvd_status_t status = send(P, x, P->A);
    free(x);
    return status;
}

static gsvd_status_t random_a(problem_t *P) { return normal(P, P->A); }

gsvd_status_t X(bench_pair)(problem_t *P)
{
    static gsvd_status_t (*const make_a[KINDS])(problem_t *) = {
        [KIND_RANDOM] = random_a,
        [KIND_COLUMNS] = scaled_columns,
        [KIND_ROWS] = scaled_rows,
        [KIND_GEOMETRIC] = geometric};
    const int64_t n = P->n;
    const int which = (int)P->bench->kind - KIND_PHILLIPS;
    mat_t Q, R;

    if (which >= 0) {
        GSVD_TRY(integral(P, &integral_equation[which]));
        return differences(P);
    }
    if (make_a[P->bench->kind]) {
        GSVD_TRY(make_a[P->bench->kind](P));
        return normal(P, P->B);
    }
    GSVD_TRY(normal_qr(P, n, n, &Q, &R));
    GSVD_TRY(embed(P, 4 * n / 5, Q, P->A));
    return embed(P, n / 2, Q, P->B);
}
