/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* peer_cusolver.c -- the same work by cuSOLVER.
 *
 * It has three SVDs of one matrix, all for m >= n: gesvdp by polar decomposition and
 * eigenvectors, gesvdj by one-sided Jacobi, gesvd by bidiagonal QR, which leaves V^H.
 * gesvdp tells in its last argument by how much it perturbed the values; ours are compared
 * with them beside it.
 *
 * It has no GSVD.  What its user would compose, "cusolver-composed":
 *
 *     1  (A; B) = (Q1; Q2) R      geqrf, orgqr
 *     2  Q1 = U C Z^H             gesvdp, by polar decomposition
 *     3  Q2 Z = V S               gemm, geqrf
 *
 * which holds for pairs of full column rank with m >= n only, leaves R Z^H
 * as it is and does not form V: a lower bound of its time.
 */
#include "core/gpublas.h"
#include "device_cuda.h"
#include "primitives.h"
#include "problem.h"

#define SCALAR_s CUDA_R_32F
#define SCALAR_d CUDA_R_64F
#define SCALAR_c CUDA_C_32F
#define SCALAR_z CUDA_C_64F
#define SCALAR_TYPE GSVD_PASTE(SCALAR_, GSVD_LETTER)
#define REAL_TYPE (GSVD_SINGLE ? CUDA_R_32F : CUDA_R_64F)
#define COMPUTE_TYPE (GSVD_SINGLE ? CUBLAS_COMPUTE_32F : CUBLAS_COMPUTE_64F)

/* device and host memory of the calls of one problem */
#define space_for_t X(bench_space_for_t)
typedef struct space_for_t {
    mat_t S, T; /* (A; B), Q2 Z                                              */
    scalar_t *tau;
    void *device, *host;
    size_t device_bytes, host_bytes;
    int *info;
} space_for_t;

static void at_least(size_t *bytes, size_t wanted)
{
    if (*bytes < wanted)
        *bytes = wanted;
}

static gsvd_status_t geqrf_bytes(mat_t A, space_for_t *w)
{
    size_t device, host;
    DEVICE_TRY(cusolverDnXgeqrf_bufferSize(
        bench_device.solver, bench_device.params, A.rows, A.cols, SCALAR_TYPE,
        A.data, A.ld, SCALAR_TYPE, w->tau, SCALAR_TYPE, &device, &host));
    at_least(&w->device_bytes, device);
    at_least(&w->host_bytes, host);
    return GSVD_SUCCESS;
}

static gsvd_status_t geqrf(mat_t A, scalar_t *tau, const space_for_t *w)
{
    DEVICE_TRY(cusolverDnXgeqrf(
        bench_device.solver, bench_device.params, A.rows, A.cols, SCALAR_TYPE,
        A.data, A.ld, SCALAR_TYPE, tau, SCALAR_TYPE, w->device, w->device_bytes,
        w->host, w->host_bytes, w->info));
    return GSVD_SUCCESS;
}

/* The parts that every problem needs, of the problem's memory */
static gsvd_status_t open_space(problem_t *P, space_for_t **w)
{
    void *p;
    GSVD_TRY(bench_take(P->bench, P->bench->host, sizeof **w, &p));
    *w = p;
    **w = (space_for_t){0};
    GSVD_TRY(bench_take(P->bench, P->h, sizeof(int), &p));
    (*w)->info = p;
    return GSVD_SUCCESS;
}

static gsvd_status_t close_sizes(problem_t *P, space_for_t *w)
{
    GSVD_TRY(bench_take(P->bench, P->h, w->device_bytes, &w->device));
    GSVD_TRY(bench_take(P->bench, P->bench->host, w->host_bytes, &w->host));
    P->peer = w;
    return GSVD_SUCCESS;
}

static gsvd_status_t orgqr_bytes(mat_t Q, space_for_t *w)
{
    int length;
    DEVICE_TRY(CUSOLVER_ORGQR_SIZE(bench_device.solver, (int)Q.rows,
                                   (int)Q.cols, (int)Q.cols, (void *)Q.data,
                                   (int)Q.ld, (void *)w->tau, &length));
    at_least(&w->device_bytes, (size_t)length * sizeof(scalar_t));
    return GSVD_SUCCESS;
}

static gsvd_status_t orgqr(mat_t Q, scalar_t *tau, const space_for_t *w)
{
    DEVICE_TRY(CUSOLVER_ORGQR(
        bench_device.solver, (int)Q.rows, (int)Q.cols, (int)Q.cols,
        (void *)Q.data, (int)Q.ld, (void *)tau, w->device,
        (int)(w->device_bytes / sizeof(scalar_t)), w->info));
    return GSVD_SUCCESS;
}

gsvd_status_t X(bench_cusolver_qr)(void *data)
{
    problem_t *P = data;
    const mat_t Q = P->now.Q;
    space_for_t *w = P->peer;
    if (!w) {
        GSVD_TRY(open_space(P, &w));
        GSVD_TRY(geqrf_bytes(P->now.A, w));
        if (Q.data)
            GSVD_TRY(orgqr_bytes(Q, w));
        GSVD_TRY(close_sizes(P, w));
    }
    GSVD_TRY(geqrf(P->now.A, P->tau, w));
    if (!Q.data)
        return GSVD_SUCCESS;
    GSVD_TRY(P->ex.op->copy(&P->ex, mat_cols(P->now.A, 0, Q.cols), Q));
    return orgqr(Q, P->tau, w);
}

/* ---- L D L^T ------------------------------------------------------------ */

/* Its pivots are partial, Bunch's and Kaufman's. */
gsvd_status_t X(bench_cusolver_sytrf)(void *data)
{
    problem_t *P = data;
    const mat_t A = P->now.A;
    space_for_t *w = P->peer;
    if (!w) {
        int length;
        GSVD_TRY(open_space(P, &w));
        DEVICE_TRY(CUSOLVER_(sytrf_bufferSize)(bench_device.solver, (int)P->n,
                                               (void *)A.data, (int)A.ld,
                                               &length));
        at_least(&w->device_bytes, (size_t)length * sizeof(scalar_t));
        GSVD_TRY(close_sizes(P, w));
    }
    DEVICE_TRY(
        CUSOLVER_(sytrf)(bench_device.solver, CUBLAS_FILL_MODE_LOWER, (int)P->n,
                         (void *)A.data, (int)A.ld, P->perm, w->device,
                         (int)(w->device_bytes / sizeof(scalar_t)), w->info));
    return GSVD_SUCCESS;
}

/* ---- the SVD ------------------------------------------------------------ */

static cusolverEigMode_t mode_of(const problem_t *P)
{
    return P->now.U.data ? CUSOLVER_EIG_MODE_VECTOR
                         : CUSOLVER_EIG_MODE_NOVECTOR;
}

/* also of a factor that is absent */
static int64_t ld_of(mat_t A, int64_t rows) { return max_i(A.ld, rows); }

static gsvd_status_t gesvdp_bytes(const problem_t *P, mat_t A, mat_t U,
                                  space_for_t *w)
{
    const mat_t V = P->now.V;
    size_t device, host;
    DEVICE_TRY(cusolverDnXgesvdp_bufferSize(
        bench_device.solver, bench_device.params, mode_of(P), 1, A.rows, A.cols,
        SCALAR_TYPE, A.data, A.ld, REAL_TYPE, P->alpha, SCALAR_TYPE, U.data,
        ld_of(U, A.rows), SCALAR_TYPE, V.data, ld_of(V, A.cols), SCALAR_TYPE,
        &device, &host));
    at_least(&w->device_bytes, device);
    at_least(&w->host_bytes, host);
    return GSVD_SUCCESS;
}

/* A = U diag(alpha) V^H, V the problem's; A is destroyed */
static gsvd_status_t gesvdp(const problem_t *P, mat_t A, mat_t U,
                            const space_for_t *w)
{
    const mat_t V = P->now.V;
    double perturbation;
    DEVICE_TRY(cusolverDnXgesvdp(
        bench_device.solver, bench_device.params, mode_of(P), 1, A.rows, A.cols,
        SCALAR_TYPE, A.data, A.ld, REAL_TYPE, P->alpha, SCALAR_TYPE, U.data,
        ld_of(U, A.rows), SCALAR_TYPE, V.data, ld_of(V, A.cols), SCALAR_TYPE,
        w->device, w->device_bytes, w->host, w->host_bytes, w->info,
        &perturbation));
    return GSVD_SUCCESS;
}

gsvd_status_t X(bench_cusolver_gesvdp)(void *data)
{
    problem_t *P = data;
    const factors_t *F = &P->now;
    space_for_t *w = P->peer;
    if (!w) {
        GSVD_TRY(open_space(P, &w));
        GSVD_TRY(gesvdp_bytes(P, F->A, F->U, w));
        GSVD_TRY(close_sizes(P, w));
    }
    return gesvdp(P, F->A, F->U, w);
}

/* S gets R, T its left vectors */
static gsvd_status_t plan_qr_gesvdp(problem_t *P, space_for_t **plan)
{
    const int64_t n = P->n;
    space_for_t *w;
    void *tau;

    GSVD_TRY(open_space(P, &w));
    GSVD_TRY(bench_take(P->bench, P->h, (size_t)n * sizeof(scalar_t), &tau));
    w->tau = tau;
    GSVD_TRY(X(bench_mat)(P, n, n, &w->S));
    GSVD_TRY(geqrf_bytes(P->now.A, w));
    if (P->now.U.data) {
        GSVD_TRY(X(bench_mat)(P, n, n, &w->T));
        GSVD_TRY(orgqr_bytes(P->now.A, w));
    }
    GSVD_TRY(gesvdp_bytes(P, w->S, w->T, w));
    *plan = w;
    return close_sizes(P, w);
}

/* A = Q R, R = T Sigma V^H, U = Q T */
gsvd_status_t X(bench_cusolver_qr_gesvdp)(void *data)
{
    problem_t *P = data;
    const mat_t A = P->now.A, U = P->now.U;
    const scalar_t one = 1, zero = 0;
    space_for_t *w = P->peer;

    if (!w)
        GSVD_TRY(plan_qr_gesvdp(P, &w));
    GSVD_TRY(geqrf(A, w->tau, w));
    GSVD_TRY(P->ex.op->copy(&P->ex, mat_rows(A, 0, P->n), w->S));
    GSVD_TRY(P->ex.op->zero_lower(&P->ex, w->S));
    GSVD_TRY(gesvdp(P, w->S, w->T, w));
    if (!U.data)
        return GSVD_SUCCESS;
    GSVD_TRY(orgqr(A, w->tau, w));
    DEVICE_TRY(cublasGemmEx(bench_device.blas, CUBLAS_OP_N, CUBLAS_OP_N,
                            (int)P->m, (int)P->n, (int)P->n, &one, A.data,
                            SCALAR_TYPE, (int)A.ld, w->T.data, SCALAR_TYPE,
                            (int)w->T.ld, &zero, U.data, SCALAR_TYPE, (int)U.ld,
                            COMPUTE_TYPE, CUBLAS_GEMM_DEFAULT));
    return GSVD_SUCCESS;
}

/* Its tolerance and limit of sweeps are the defaults, the rounding and 100. */
static gsvd_status_t gesvdj(problem_t *P, gesvdjInfo_t how)
{
    const factors_t *F = &P->now;
    space_for_t *w = P->peer;
    if (!w) {
        int length;
        GSVD_TRY(open_space(P, &w));
        DEVICE_TRY(CUSOLVER_(gesvdj_bufferSize)(
            bench_device.solver, mode_of(P), 1, (int)P->m, (int)P->n,
            (void *)F->A.data, (int)F->A.ld, P->alpha, (void *)F->U.data,
            (int)ld_of(F->U, P->m), (void *)F->V.data, (int)ld_of(F->V, P->n),
            &length, how));
        at_least(&w->device_bytes, (size_t)length * sizeof(scalar_t));
        GSVD_TRY(close_sizes(P, w));
    }
    DEVICE_TRY(CUSOLVER_(gesvdj)(
        bench_device.solver, mode_of(P), 1, (int)P->m, (int)P->n,
        (void *)F->A.data, (int)F->A.ld, P->alpha, (void *)F->U.data,
        (int)ld_of(F->U, P->m), (void *)F->V.data, (int)ld_of(F->V, P->n),
        w->device, (int)(w->device_bytes / sizeof(scalar_t)), w->info, how));
    return GSVD_SUCCESS;
}

gsvd_status_t X(bench_cusolver_gesvdj)(void *data)
{
    gesvdjInfo_t how;
    DEVICE_TRY(cusolverDnCreateGesvdjInfo(&how));
    const gsvd_status_t status = gesvdj(data, how);
    cusolverDnDestroyGesvdjInfo(how);
    return status;
}

gsvd_status_t X(bench_cusolver_gesvd)(void *data)
{
    problem_t *P = data;
    const factors_t *F = &P->now;
    const signed char job = F->U.data ? 'S' : 'N';
    space_for_t *w = P->peer;
    if (!w) {
        GSVD_TRY(open_space(P, &w));
        DEVICE_TRY(cusolverDnXgesvd_bufferSize(
            bench_device.solver, bench_device.params, job, job, P->m, P->n,
            SCALAR_TYPE, F->A.data, F->A.ld, REAL_TYPE, P->alpha, SCALAR_TYPE,
            F->U.data, ld_of(F->U, P->m), SCALAR_TYPE, F->V.data,
            ld_of(F->V, P->n), SCALAR_TYPE, &w->device_bytes, &w->host_bytes));
        GSVD_TRY(close_sizes(P, w));
    }
    DEVICE_TRY(cusolverDnXgesvd(
        bench_device.solver, bench_device.params, job, job, P->m, P->n,
        SCALAR_TYPE, F->A.data, F->A.ld, REAL_TYPE, P->alpha, SCALAR_TYPE,
        F->U.data, ld_of(F->U, P->m), SCALAR_TYPE, F->V.data, ld_of(F->V, P->n),
        SCALAR_TYPE, w->device, w->device_bytes, w->host, w->host_bytes,
        w->info));
    return GSVD_SUCCESS;
}

/* ---- eigenvectors ------------------------------------------------------- */

static cusolverEigMode_t eig_mode_of(const problem_t *P)
{
    return P->now.Q.data ? CUSOLVER_EIG_MODE_VECTOR
                         : CUSOLVER_EIG_MODE_NOVECTOR;
}

/* A gets Q. */
gsvd_status_t X(bench_cusolver_syevd)(void *data)
{
    problem_t *P = data;
    const mat_t A = P->now.A;
    space_for_t *w = P->peer;
    if (!w) {
        GSVD_TRY(open_space(P, &w));
        DEVICE_TRY(cusolverDnXsyevd_bufferSize(
            bench_device.solver, bench_device.params, eig_mode_of(P),
            CUBLAS_FILL_MODE_LOWER, P->n, SCALAR_TYPE, A.data, A.ld, REAL_TYPE,
            P->alpha, SCALAR_TYPE, &w->device_bytes, &w->host_bytes));
        GSVD_TRY(close_sizes(P, w));
    }
    DEVICE_TRY(cusolverDnXsyevd(bench_device.solver, bench_device.params,
                                eig_mode_of(P), CUBLAS_FILL_MODE_LOWER, P->n,
                                SCALAR_TYPE, A.data, A.ld, REAL_TYPE, P->alpha,
                                SCALAR_TYPE, w->device, w->device_bytes,
                                w->host, w->host_bytes, w->info));
    return GSVD_SUCCESS;
}

static gsvd_status_t syevj(problem_t *P, syevjInfo_t how)
{
    const mat_t A = P->now.A;
    space_for_t *w = P->peer;
    if (!w) {
        int length;
        GSVD_TRY(open_space(P, &w));
        DEVICE_TRY(CUSOLVER_SYEVJ_SIZE(
            bench_device.solver, eig_mode_of(P), CUBLAS_FILL_MODE_LOWER,
            (int)P->n, (void *)A.data, (int)A.ld, P->alpha, &length, how));
        at_least(&w->device_bytes, (size_t)length * sizeof(scalar_t));
        GSVD_TRY(close_sizes(P, w));
    }
    DEVICE_TRY(CUSOLVER_SYEVJ(
        bench_device.solver, eig_mode_of(P), CUBLAS_FILL_MODE_LOWER, (int)P->n,
        (void *)A.data, (int)A.ld, P->alpha, w->device,
        (int)(w->device_bytes / sizeof(scalar_t)), w->info, how));
    return GSVD_SUCCESS;
}

/* A gets Q. */
gsvd_status_t X(bench_cusolver_syevj)(void *data)
{
    syevjInfo_t how;
    DEVICE_TRY(cusolverDnCreateSyevjInfo(&how));
    const gsvd_status_t status = syevj(data, how);
    cusolverDnDestroySyevjInfo(how);
    return status;
}

/* ---- the GSVD ----------------------------------------------------------- */

static gsvd_status_t plan_gsvd(problem_t *P, space_for_t **plan)
{
    const int64_t m = P->m, n = P->n, p = P->p;
    space_for_t *w;
    size_t device, host;
    void *tau;

    GSVD_TRY(open_space(P, &w));
    GSVD_TRY(bench_take(P->bench, P->h, (size_t)n * sizeof(scalar_t), &tau));
    w->tau = tau;
    GSVD_TRY(X(bench_mat)(P, m + p, n, &w->S));
    GSVD_TRY(X(bench_mat)(P, p, n, &w->T));
    GSVD_TRY(geqrf_bytes(w->S, w));
    GSVD_TRY(geqrf_bytes(w->T, w));
    GSVD_TRY(orgqr_bytes(w->S, w));
    DEVICE_TRY(cusolverDnXgesvdp_bufferSize(
        bench_device.solver, bench_device.params, CUSOLVER_EIG_MODE_VECTOR, 1,
        m, n, SCALAR_TYPE, w->S.data, w->S.ld, REAL_TYPE, P->alpha, SCALAR_TYPE,
        P->now.U.data, P->now.U.ld, SCALAR_TYPE, P->now.Q.data, P->now.Q.ld,
        SCALAR_TYPE, &device, &host));
    at_least(&w->device_bytes, device);
    at_least(&w->host_bytes, host);
    *plan = w;
    return close_sizes(P, w);
}

gsvd_status_t X(bench_cusolver_gsvd)(void *data)
{
    problem_t *P = data;
    const int64_t m = P->m, n = P->n, p = P->p;
    const scalar_t one = 1, zero = 0;
    space_for_t *w = P->peer;
    double perturbation;

    if (m < n || p < n)
        return GSVD_NOT_SUPPORTED;
    if (!w)
        GSVD_TRY(plan_gsvd(P, &w));
    const mat_t Q1 = mat_rows(w->S, 0, m), Q2 = mat_rows(w->S, m, p);

    /* 1 */
    GSVD_TRY(P->ex.op->copy(&P->ex, P->now.A, Q1));
    GSVD_TRY(P->ex.op->copy(&P->ex, P->now.B, Q2));
    GSVD_TRY(geqrf(w->S, w->tau, w));
    GSVD_TRY(orgqr(w->S, w->tau, w));

    /* 2 */
    DEVICE_TRY(cusolverDnXgesvdp(
        bench_device.solver, bench_device.params, CUSOLVER_EIG_MODE_VECTOR, 1,
        m, n, SCALAR_TYPE, Q1.data, Q1.ld, REAL_TYPE, P->alpha, SCALAR_TYPE,
        P->now.U.data, P->now.U.ld, SCALAR_TYPE, P->now.Q.data, P->now.Q.ld,
        SCALAR_TYPE, w->device, w->device_bytes, w->host, w->host_bytes,
        w->info, &perturbation));

    /* 3 */
    DEVICE_TRY(cublasGemmEx(bench_device.blas, CUBLAS_OP_N, CUBLAS_OP_N, (int)p,
                            (int)n, (int)n, &one, Q2.data, SCALAR_TYPE,
                            (int)Q2.ld, P->now.Q.data, SCALAR_TYPE,
                            (int)P->now.Q.ld, &zero, w->T.data, SCALAR_TYPE,
                            (int)w->T.ld, COMPUTE_TYPE, CUBLAS_GEMM_DEFAULT));
    return geqrf(w->T, P->tau, w);
}
