/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* pair.c -- the pairs that are measured.
 *
 * random   A and B full of normal numbers.
 * thesis   Flegar 2016, section 3.1, with l = n/2 and k + l = 4n/5:
 *              A = U (0 R_A) Q^H,    B = V (0 R_B) Q^H,
 *          U R_A and V R_B the QR factorizations of normal m x (k+l) and p x l
 *          matrices, Q the unitary factor of a normal n x n one.  (The thesis
 *          writes Q for Q^H.)  Fewer rows than that give fewer ranks.
 */
#include <stdlib.h>

#include "problem.h"

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
        status =
            P->h->space->upload(P->h, A.data, (size_t)A.ld * sizeof(scalar_t),
                                x, column, column, A.cols);
        if (status == GSVD_SUCCESS)
            status = P->h->space->wait(P->h);
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

gsvd_status_t X(bench_pair)(problem_t *P)
{
    const int64_t n = P->n;
    mat_t Q, R;

    if (P->bench->kind == KIND_RANDOM) {
        GSVD_TRY(normal(P, P->A));
        return normal(P, P->B);
    }
    GSVD_TRY(normal_qr(P, n, n, &Q, &R));
    GSVD_TRY(embed(P, 4 * n / 5, Q, P->A));
    return embed(P, n / 2, Q, P->B);
}
