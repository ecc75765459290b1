/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* eigh.c -- the steps eigh (GSVD_EIGH_AUTO) and eigh_fast (GSVD_EIGH_FAST), of the Hermitian matrix of
 * A's lower triangle, and their peers.
 *
 * A result with vectors has the ratios of an SVD whose U and V are both Q.  Of values alone the ratio is
 * the largest difference from libgsvd's with vectors, over the largest value, n and ulp.
 */
#include <math.h>

#include "flops.h"
#include "problem.h"

static gsvd_status_t decompose(problem_t *P, const factors_t *F,
                               gsvd_eigh_option_t how)
{
    double before;
    int info;
    GSVD_TRY(gsvd_get_option(P->h, GSVD_EIGH, &before));
    if (before != how)
        GSVD_TRY(gsvd_set_option(P->h, GSVD_EIGH, how));
    return PICK(P, X(eigh), X(eigh_gpu))(P->h, F->Q.data ? 'V' : 'N', 'L', P->n,
                                         F->A.data, max_i(F->A.ld, 1), P->alpha,
                                         F->Q.data, max_i(F->Q.ld, 1), &info);
}

/* A becomes Hermitian: it is judged by itself, too. */
static gsvd_status_t start_eigh(problem_t *P)
{
    factors_t F = {0};
    GSVD_TRY(P->ex.op->hermitian(&P->ex, 'L', P->A));
    P->start.A = P->A;
    if (!P->bench->values)
        return X(bench_poisoned)(P, P->n, P->n, &P->start.Q);
    if (P->reference)
        return GSVD_SUCCESS;
    GSVD_TRY(X(bench_mat)(P, P->n, P->n, &F.A));
    GSVD_TRY(X(bench_mat)(P, P->n, P->n, &F.Q));
    GSVD_TRY(P->ex.op->copy(&P->ex, P->A, F.A));
    GSVD_TRY(decompose(P, &F, GSVD_EIGH_AUTO));
    return X(bench_fetch_values)(P, P->n, &P->reference);
}

static gsvd_status_t work_eigh(void *data)
{
    problem_t *P = data;
    return decompose(P, &P->now, GSVD_EIGH_AUTO);
}

static gsvd_status_t work_fast(void *data)
{
    problem_t *P = data;
    return decompose(P, &P->now, GSVD_EIGH_FAST);
}

/* The largest difference from the reference: of each value relative to that, and over the largest */
static gsvd_status_t ratio_eigh(problem_t *P, real_t *worst)
{
    double most = 0, largest = GSVD_SAFMIN, relative = 0;
    real_t *x;

    GSVD_TRY(X(bench_fetch_values)(P, P->n, &x));
    if (!P->reference)
        P->reference = x; /* These are ours.                                 */
    for (int64_t i = 0; i < P->n; ++i) {
        const double right = (double)P->reference[i];
        const double off = fabs((double)x[i] - right);
        largest = fmax(largest, fabs(right));
        most = off <= most ? most : off;
        relative = off <= relative * fabs(right) ? relative : off / fabs(right);
    }
    P->errors.difference = relative;
    if (P->now.Q.data) {
        problem_t as_svd = *P;
        as_svd.now.U = as_svd.now.V = P->now.Q;
        GSVD_TRY(X(bench_ratio_svd)(&as_svd, worst));
        P->errors.residual = as_svd.errors.residual;
        P->errors.departure = as_svd.errors.departure;
        return GSVD_SUCCESS;
    }
    *worst = (real_t)(most / largest / (double)max_i(P->n, 1) / GSVD_ULP);
    P->errors.residual = P->errors.departure = NAN;
    return GSVD_SUCCESS;
}

/* xSYEVD's, as LAPACK's users' guide counts it */
static double count_eigh(const problem_t *P, int sweeps)
{
    const double n = (double)P->n;
    (void)sweeps;
    return P->bench->values ? 4 * n * n * n / 3 : 9 * n * n * n;
}

static double words_eigh(const problem_t *P)
{
    return 2 * (double)P->n * (double)P->n;
}

/* A holds the vectors. */
static gsvd_status_t take_q(problem_t *P)
{
    return P->now.Q.data ? P->ex.op->copy(&P->ex, P->now.A, P->now.Q)
                         : GSVD_SUCCESS;
}

static int is_not_empty(const problem_t *P) { return P->n > 0; }

static const peer_t peers_of_eigh[] = {
    {"syevd", "LAPACK xSYEVD", 0, X(bench_lapack_syevd), is_not_empty, take_q},
    {"xsyevd", "cuSOLVER Xsyevd", 1, X(bench_cusolver_syevd), is_not_empty,
     take_q},
    {"syevj", "cuSOLVER syevj", 1, X(bench_cusolver_syevj), is_not_empty,
     take_q},
    {0}};

const timed_step_t X(bench_eigh_step) = {.name = "eigh",
                                         .square = 1,
                                         .sweeps = 1,
                                         .start = start_eigh,
                                         .work = work_eigh,
                                         .ratio = ratio_eigh,
                                         .flops = count_eigh,
                                         .words = words_eigh,
                                         .lines = 1,
                                         .peers = peers_of_eigh};
const timed_step_t X(bench_eigh_fast_step) = {.name = "eigh_fast",
                                              .square = 1,
                                              .start = start_eigh,
                                              .work = work_fast,
                                              .ratio = ratio_eigh,
                                              .flops = count_eigh,
                                              .words = words_eigh,
                                              .lines = 1,
                                              .peers = peers_of_eigh};
