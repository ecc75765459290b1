/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* ldl.c -- the steps of a Hermitian matrix: ldl, and its eigenvalues by ldl and hsvd, or by eigh.
 *
 * The matrix is that of P->A's lower triangle.  Ratios are |A - G J G^H| / (n |A| ulp), and of
 * eigenvectors |A Q - Q W| / (n |A| ulp) and |I - Q^H Q| / (n ulp).  Eigenvalues are compared with
 * the reference by the square roots of their absolute values, as hsvd's values are.
 */
#include <math.h>
#include <stdlib.h>

#include "problem.h"

#define ARRAY(A) (A).data, max_i((A).ld, 1)

/* ---- where they start --------------------------------------------------- */

/* A and two n x n matrices: G or eigenvectors, and room */
static gsvd_status_t start_hermitian(problem_t *P)
{
    GSVD_TRY(bench_array(P->bench, P->h, 2 * P->n, sizeof *P->integers,
                         &P->integers));
    GSVD_TRY(P->ex.op->hermitian(&P->ex, 'L', P->A));
    P->start.A = P->A;
    GSVD_TRY(X(bench_poisoned)(P, P->n, P->n, &P->start.U));
    return X(bench_poisoned)(P, P->n, P->n, &P->start.V);
}

/* ---- the work ----------------------------------------------------------- */

static gsvd_status_t factor(problem_t *P, mat_t G)
{
    int info;
    return PICK(P, X(ldl), X(ldl_gpu))(P->h, 'G', 'L', P->n, ARRAY(P->now.A),
                                       -1, &P->k, &P->l, ARRAY(G), NULL, 1,
                                       P->integers, P->integers + P->n, &info);
}

static gsvd_status_t work_ldl(void *data)
{
    problem_t *P = data;
    return factor(P, P->now.U);
}

static gsvd_status_t work_ldl_hsvd(void *data)
{
    problem_t *P = data;
    const factors_t *F = &P->now;
    int info;
    GSVD_TRY(factor(P, F->V));
    return PICK(P, X(hsvd), X(hsvd_gpu))(P->h, 'S', 'N', P->n, P->k, P->l,
                                         ARRAY(F->V), NULL, P->alpha,
                                         ARRAY(F->U), NULL, 1, &info);
}

static gsvd_status_t work_eigh(void *data)
{
    problem_t *P = data;
    const factors_t *F = &P->now;
    int info;
    return PICK(P, X(eigh), X(eigh_gpu))(P->h, 'V', 'L', P->n, ARRAY(F->A),
                                         P->alpha, ARRAY(F->U), &info);
}

/* ---- how wrong ---------------------------------------------------------- */

/* norm over n ulp times `of` */
static double over(const problem_t *P, real_t norm, real_t of)
{
    return (double)norm / ((double)max_i(P->n, 1) *
                           (double)fmax_r(of, GSVD_SAFMIN) * GSVD_ULP);
}

static gsvd_status_t ratio_ldl(problem_t *P, real_t *worst)
{
    const int64_t n = P->n;
    void *signs;
    mat_t T, E;
    norms_t a;
    real_t norm;

    GSVD_TRY(bench_take(P->bench, P->h, (size_t)n * sizeof(real_t), &signs));
    GSVD_TRY(X(bench_mat)(P, n, n, &T));
    GSVD_TRY(X(bench_mat)(P, n, n, &E));
    GSVD_TRY(P->ex.op->norms(&P->ex, P->A, &a));
    GSVD_TRY(P->ex.op->values_set(&P->ex, 0, n, 1, signs));
    GSVD_TRY(P->ex.op->values_set(&P->ex, P->l, n, -1, signs));
    GSVD_TRY(P->ex.op->scale_columns(&P->ex, P->now.U, signs, T));
    GSVD_TRY(P->ex.op->gemm(&P->ex, 'N', 'C', T, P->now.U, E));
    GSVD_TRY(X(bench_distance)(P, E, P->A, &norm));
    *worst = (real_t)over(P, norm, a.norm1);
    P->errors.residual = (double)norm / fmax_r(a.norm1, GSVD_SAFMIN);
    P->errors.departure = NAN;
    return GSVD_SUCCESS;
}

/* x: w of n eigenvalues, the order of P->reference's */
static void compare(const problem_t *P, const double *w, double *relative)
{
    *relative = 0;
    for (int64_t i = 0; i < P->n; ++i) {
        const double right = (double)P->reference[i];
        keep_worst(relative, fabs(sqrt(fabs(w[i])) - right) / right);
    }
}

/* Of eigenvalues w, in the order of Q's columns, and on the device of P */
static gsvd_status_t ratio_of_vectors(problem_t *P, mat_t Q, const real_t *w,
                                      real_t *worst)
{
    const int64_t n = P->n, r = Q.cols;
    mat_t T, E, I_;
    norms_t a;
    real_t norm, departure;

    GSVD_TRY(X(bench_mat)(P, n, r, &T));
    GSVD_TRY(X(bench_mat)(P, n, r, &E));
    GSVD_TRY(P->ex.op->norms(&P->ex, P->A, &a));
    GSVD_TRY(P->ex.op->scale_columns(&P->ex, Q, w, T));
    GSVD_TRY(P->ex.op->gemm(&P->ex, 'N', 'N', P->A, Q, E));
    GSVD_TRY(X(bench_distance)(P, E, T, &norm));
    GSVD_TRY(X(bench_mat)(P, r, r, &E));
    GSVD_TRY(X(bench_mat)(P, r, r, &I_));
    GSVD_TRY(P->ex.op->gemm(&P->ex, 'C', 'N', Q, Q, E));
    GSVD_TRY(P->ex.op->set(&P->ex, I_, 0, 1));
    GSVD_TRY(X(bench_distance)(P, E, I_, &departure));
    *worst = (real_t)fmax(over(P, norm, a.norm1), over(P, departure, 1));
    P->errors.residual = (double)norm / fmax_r(a.norm1, GSVD_SAFMIN);
    P->errors.departure = departure;
    return GSVD_SUCCESS;
}

/* by_hsvd: P->alpha has hsvd's k values, and becomes the eigenvalues; else all n, ascending */
static gsvd_status_t ratio_of(problem_t *P, int by_hsvd, real_t *worst)
{
    const int64_t n = P->n, r = by_hsvd ? P->k : n;
    const size_t bytes = (size_t)n * sizeof(real_t);
    real_t *x;
    double *w;

    GSVD_TRY(X(bench_fetch_values)(P, n, &x));
    GSVD_TRY(bench_array(P->bench, P->bench->host, n, sizeof *w, &w));
    int64_t minus = 0;
    for (int64_t i = 0; i < n; ++i) {
        if (by_hsvd) {
            x[i] = i < r ? x[i] * x[i] * (i < P->l ? 1 : -1) : 0;
            w[i] = (double)x[i];
        } else
            minus += x[i] < 0;
    }
    for (int64_t i = 0; i < n && !by_hsvd; ++i) /* as the reference          */
        w[i] = (double)(i < n - minus ? x[n - 1 - i] : x[i - (n - minus)]);
    if (P->reference)
        compare(P, w, &P->errors.difference);
    if (by_hsvd && n > 0)
        GSVD_TRY(
            P->h->space->upload(P->h, P->alpha, bytes, x, bytes, bytes, 1));
    GSVD_TRY(P->h->space->wait(P->h));
    return ratio_of_vectors(P, mat_cols(P->now.U, 0, r), P->alpha, worst);
}

static gsvd_status_t ratio_ldl_hsvd(problem_t *P, real_t *worst)
{
    return ratio_of(P, 1, worst);
}

static gsvd_status_t ratio_eigh(problem_t *P, real_t *worst)
{
    return ratio_of(P, 0, worst);
}

/* ---- what bounds them --------------------------------------------------- */

static double count_ldl(const problem_t *P, int sweeps)
{
    (void)sweeps;
    return (double)P->n * (double)P->n * (double)P->n / 3;
}

/* Tridiagonal form, and all its vectors back: 4 / 3 and 2 n^3 */
static double count_eigen(const problem_t *P, int sweeps)
{
    return 10 * count_ldl(P, sweeps);
}

static double words_hermitian(const problem_t *P)
{
    return 2 * (double)P->n * (double)P->n;
}

static int is_not_empty(const problem_t *P) { return P->n > 0; }
/* cuSOLVER's complex sytrf is of symmetric matrices. */
static int is_real(const problem_t *P)
{
    return REALS_PER_SCALAR == 1 && P->n > 0;
}

static const peer_t peers_of_ldl[] = {
    {"sytrf", "cuSOLVER sytrf", 1, X(bench_cusolver_sytrf), is_real, NULL},
    {"xsytrf", "LAPACK xSYTRF", 0, X(bench_lapack_sytrf), is_not_empty, NULL},
    {0}};

const timed_step_t X(bench_ldl_step) = {.name = "ldl",
                                        .square = 1,
                                        .ranks = 1,
                                        .start = start_hermitian,
                                        .work = work_ldl,
                                        .ratio = ratio_ldl,
                                        .flops = count_ldl,
                                        .words = words_hermitian,
                                        .peers = peers_of_ldl};
const timed_step_t X(bench_ldl_hsvd_step) = {.name = "ldl_hsvd",
                                             .square = 1,
                                             .ranks = 1,
                                             .sweeps = 1,
                                             .start = start_hermitian,
                                             .work = work_ldl_hsvd,
                                             .ratio = ratio_ldl_hsvd,
                                             .flops = count_eigen,
                                             .words = words_hermitian};
const timed_step_t X(bench_eigh_of_matrix) = {.name = "eigh",
                                              .square = 1,
                                              .sweeps = 1,
                                              .start = start_hermitian,
                                              .work = work_eigh,
                                              .ratio = ratio_eigh,
                                              .flops = count_eigen,
                                              .words = words_hermitian};
