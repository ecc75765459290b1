/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* svd.c -- the steps svd and hsvd, their bounds and their peers.
 *
 * A result with vectors has the ratios of ratios.c.  Of values alone the ratio is
 * |sigma - sigma'| / (sigma'(1) max(m,n) ulp), sigma' libgsvd's with vectors.
 */
#include <math.h>

#include "flops.h"
#include "problem.h"

#define ARRAY(A) (A).data, max_i((A).ld, 1)

/* ---- where they start --------------------------------------------------- */

static gsvd_status_t take_factors(problem_t *P, factors_t *F)
{
    const int64_t r = min_i(P->m, P->n);
    GSVD_TRY(X(bench_poisoned)(P, P->m, r, &F->U));
    return X(bench_poisoned)(P, P->n, r, &F->V);
}

/* *x := the values that the last call left, in the host's memory */
static gsvd_status_t fetch_values(const problem_t *P, real_t **x)
{
    return X(bench_fetch_values)(P, min_i(P->m, P->n), x);
}

static gsvd_status_t decompose(problem_t *P, const factors_t *F)
{
    const char jobu = F->U.data ? 'S' : 'N', jobv = F->V.data ? 'S' : 'N';
    int info;
    return PICK(P, X(svd), X(svd_gpu))(P->h, jobu, jobv, P->m, P->n,
                                       ARRAY(F->A), P->alpha, ARRAY(F->U),
                                       ARRAY(F->V), &info);
}

/* Values alone are compared with those of a call with vectors. */
static gsvd_status_t take_reference(problem_t *P)
{
    factors_t F = {.A = P->A};
    GSVD_TRY(X(bench_mat)(P, P->m, P->n, &F.A));
    GSVD_TRY(P->ex.op->copy(&P->ex, P->A, F.A));
    GSVD_TRY(take_factors(P, &F));
    GSVD_TRY(decompose(P, &F));
    return fetch_values(P, &P->reference);
}

/* A, and U and V in economy size; sigma is alpha. */
static gsvd_status_t start_svd(problem_t *P)
{
    P->start.A = P->A;
    if (!P->bench->values)
        return take_factors(P, &P->start);
    return P->reference ? GSVD_SUCCESS : take_reference(P);
}

static gsvd_status_t start_hsvd(problem_t *P)
{
    P->start.A = P->A;
    return take_factors(P, &P->start);
}

/* ---- the work ----------------------------------------------------------- */

static gsvd_status_t work_svd(void *data)
{
    problem_t *P = data;
    return decompose(P, &P->now);
}

static gsvd_status_t work_hsvd(void *data)
{
    problem_t *P = data;
    const factors_t *F = &P->now;
    int info;
    return PICK(P, X(hsvd), X(hsvd_gpu))(P->h, 'S', 'V', P->m, P->n, P->plus,
                                         ARRAY(F->A), NULL, P->alpha,
                                         ARRAY(F->U), ARRAY(F->V), &info);
}

/* ---- how wrong ---------------------------------------------------------- */

/* The largest difference from the reference: of each value relative to that, and
 * of all in units of the largest one's rounding. */
static void compare(const problem_t *P, const real_t *x, double *relative,
                    real_t *worst)
{
    double most = 0, largest = GSVD_SAFMIN;
    *relative = 0;
    for (int64_t i = 0; i < min_i(P->m, P->n); ++i) {
        const double right = (double)P->reference[i];
        const double off = fabs((double)x[i] - right);
        largest = fmax(largest, right);
        keep_worst(&most, off);
        keep_worst(relative, off == 0 ? 0 : off / right);
    }
    *worst = (real_t)(most / largest / (double)max_i(max_i(P->m, P->n), 1) /
                      GSVD_ULP);
}

static gsvd_status_t ratio_svd(problem_t *P, real_t *worst)
{
    real_t *x, of_values = 0;
    GSVD_TRY(fetch_values(P, &x));
    if (P->reference)
        compare(P, x, &P->errors.difference, &of_values);
    else
        P->reference = x; /* These are ours.                                 */
    if (P->now.U.data)
        return X(bench_ratio_svd)(P, worst);
    *worst = of_values;
    P->errors.residual = P->errors.departure = NAN;
    return GSVD_SUCCESS;
}

static gsvd_status_t ratio_hsvd(problem_t *P, real_t *worst)
{
    real_t *x, of_values;
    if (P->reference) {
        GSVD_TRY(fetch_values(P, &x));
        compare(P, x, &P->errors.difference, &of_values);
    }
    return X(bench_ratio_hsvd)(P, P->plus, worst);
}

/* ---- what bounds them --------------------------------------------------- */

/* LAPACK's count of values and vectors by bidiagonalization, or of values alone: what
 * one-sided Jacobi takes depends on the matrix. */
static double count_svd(const problem_t *P, int sweeps)
{
    const double m = (double)max_i(P->m, P->n), n = (double)min_i(P->m, P->n);
    (void)sweeps;
    return P->bench->values ? 4 * m * n * n - 4 * n * n * n / 3
                            : 4 * m * n * n + 22 * n * n * n;
}

static double count_hsvd(const problem_t *P, int sweeps)
{
    return flops_qr((double)P->m, (double)P->n, (double)P->n) +
           flops_jacobi((double)P->n, sweeps);
}

static double words_svd(const problem_t *P)
{
    return 2 * (double)P->m * (double)P->n;
}

/* A band of a pass holds lengths within 2^15 (src/jacobi/large_steps.c). */
static double bands_of(kind_t kind)
{
    switch (kind) {
    case KIND_COLUMNS:
    case KIND_ROWS: return ceil(15 * log2(10) / 15);
    case KIND_GEOMETRIC: return ceil(12 * log2(10) / 15);
    default: return 1;
    }
}

/* One pass and one step of large steps: eigenvectors of the bands, which are taken to
 * be of one width, and operations at 57 (s, c: 50) Tflop/s.  Sweeps: their operations. */
static double bound_svd(const problem_t *P, int sweeps, const char **by)
{
    const char letter = STRING(GSVD_LETTER)[0];
    const double m = (double)max_i(P->m, P->n), n = (double)min_i(P->m, P->n);
    const int reals = sizeof(scalar_t) / sizeof(real_t);
    const double ms_a_flop =
        reals * reals * 1e3 / (GSVD_SINGLE ? 50e12 : 57e12);
    const double bands = bands_of(P->bench->kind);
    const int jacobi = P->bench->method == GSVD_SVD_JACOBI;

    if (P->bench->method == GSVD_SVD_BIDIAGONAL) {
        *by = "flops";
        return count_svd(P, 0) * ms_a_flop;
    }
    const double eigen = jacobi ? 0 : bands * xsyevd_ms(letter, n / bands);
    const double flops = jacobi ? flops_qr(m, n, n) + flops_jacobi(n, sweeps)
                                : flops_large_steps(m, n, !P->bench->values);
    *by = eigen > flops * ms_a_flop ? "eigen" : "flops";
    return eigen + flops * ms_a_flop;
}

/* ---- peers -------------------------------------------------------------- */

/* LAPACK's and cuSOLVER's routines that want m >= n */
static int is_tall(const problem_t *P) { return P->m >= P->n && P->n > 0; }
/* Of order 1 LAPACKE 3.11 gives xGEJSV too little memory. */
static int is_no_number(const problem_t *P) { return P->m >= P->n && P->n > 1; }
static int is_taller(const problem_t *P) { return P->m > P->n && P->n > 0; }
static int is_not_empty(const problem_t *P) { return P->m > 0 && P->n > 0; }

/* What V holds is V^H, r x n without gaps: V := that */
static gsvd_status_t transpose_v(problem_t *P)
{
    const mat_t V = P->now.V;
    mat_t T;
    if (!V.data)
        return GSVD_SUCCESS;
    GSVD_TRY(X(bench_mat)(P, V.rows, V.cols, &T));
    GSVD_TRY(P->ex.op->ctrans(
        &P->ex, mat_view(V.data, V.cols, V.rows, max_i(V.cols, 1)), T));
    return P->ex.op->copy(&P->ex, T, V);
}

/* xGESVJ leaves U in A. */
static gsvd_status_t take_u(problem_t *P)
{
    return P->now.U.data ? P->ex.op->copy(&P->ex, P->now.A, P->now.U)
                         : GSVD_SUCCESS;
}

static const peer_t peers_of_svd[] = {
    {"gesdd", "LAPACK xGESDD", 0, X(bench_lapack_gesdd), is_not_empty,
     transpose_v},
    {"gesvj", "LAPACK xGESVJ", 0, X(bench_lapack_gesvj), is_tall, take_u},
    {"gejsv", "LAPACK xGEJSV", 0, X(bench_lapack_gejsv), is_no_number, NULL},
    {"gesvdq", "LAPACK xGESVDQ", 0, X(bench_lapack_gesvdq), is_tall,
     transpose_v},
    {"gesvdp", "cuSOLVER gesvdp", 1, X(bench_cusolver_gesvdp), is_tall, NULL},
    {"qr_gesvdp", "cuSOLVER geqrf + gesvdp", 1, X(bench_cusolver_qr_gesvdp),
     is_taller, NULL},
    {"gesvdj", "cuSOLVER gesvdj", 1, X(bench_cusolver_gesvdj), is_tall, NULL},
    {"gesvd", "cuSOLVER gesvd", 1, X(bench_cusolver_gesvd), is_tall,
     transpose_v},
    {0}};

const timed_step_t X(bench_svd_step) = {.name = "svd",
                                        .sweeps = 1,
                                        .start = start_svd,
                                        .work = work_svd,
                                        .ratio = ratio_svd,
                                        .flops = count_svd,
                                        .words = words_svd,
                                        .bound = bound_svd,
                                        .lines = 1,
                                        .peers = peers_of_svd};

/* No library has one. */
const timed_step_t X(bench_hsvd_step) = {.name = "hsvd",
                                         .tall = 1,
                                         .sweeps = 1,
                                         .start = start_hsvd,
                                         .work = work_hsvd,
                                         .ratio = ratio_hsvd,
                                         .flops = count_hsvd,
                                         .words = words_svd};
