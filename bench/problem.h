/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* problem.h -- one case of one precision: the pair, what a step starts from
 * and what it works on, in the memory of the handle that computes. */
#ifndef GSVD_BENCH_PROBLEM_H
#define GSVD_BENCH_PROBLEM_H

#include "bench.h"
#include "core/backend.h"
#include "qr/qr.h"

#define STRING_(x) #x
#define STRING(x) STRING_(x)

#define factors_t X(factors_t)
typedef struct factors_t {
    mat_t A, B, U, V, Q; /* data == NULL: the step has none                  */
} factors_t;

#define problem_t X(problem_t)
typedef struct problem_t {
    bench_t *bench;
    gsvd_handle_t h;
    exec_t ex; /* its work suffices for the drivers of the pair's matrices   */
    int economy; /* U, V, Q are economy factors                              */
    int64_t m, n, p, k, l;
    real_t tola, tolb;    /* LAPACK's rank tolerances of this pair           */
    mat_t A, B;           /* the pair                                        */
    factors_t start, now; /* before a step; copies of it for the step        */
    real_t *alpha, *beta; /* n each                                          */
    scalar_t *tau;        /* max(m, n, p)                                    */
    int *perm;            /* n                                               */
    void *peer;           /* workspace of a peer, once it is known           */
} problem_t;

/* A rows x cols matrix where P computes, of the case that runs. */
gsvd_status_t X(bench_mat)(const problem_t *P, int64_t rows, int64_t cols,
                           mat_t *A);

/* P->ex, once the handle and the sizes are there */
gsvd_status_t X(bench_exec)(problem_t *P);

/* pair.c: P->A, P->B by P->bench->kind */
gsvd_status_t X(bench_pair)(problem_t *P);

/* ratios.c: the worst of LAPACK's ratios of what a step left in P->now; of R
 * alone |A^H A - R^H R| / (max(m,n) |A^H A| ulp) */
gsvd_status_t X(bench_ratio_qr)(problem_t *P, real_t *worst);
gsvd_status_t X(bench_ratio_qr_r)(problem_t *P, real_t *worst);
gsvd_status_t X(bench_ratio_geqp)(problem_t *P, real_t *worst);
gsvd_status_t X(bench_ratio_svd)(problem_t *P, real_t *worst);
gsvd_status_t X(bench_ratio_hsvd)(problem_t *P, real_t *worst);
gsvd_status_t X(bench_ratio_preprocess)(problem_t *P, real_t *worst);
gsvd_status_t X(bench_ratio_gsvd)(problem_t *P, real_t *worst);

/* digits.c: -log10 of |A - U R Q^H|_F / |A|_F, all in host memory; takes memory
 * of the case that runs */
gsvd_status_t X(bench_digits)(const problem_t *H, mat_t A, mat_t U, mat_t R,
                              mat_t Q, double *digits);

/* peer_lapack.c: the same work by LAPACK, on a problem in host memory with full
 * factors; data is the problem_t */
gsvd_status_t X(bench_lapack_qr)(void *data);
gsvd_status_t X(bench_lapack_geqp)(void *data);
gsvd_status_t X(bench_lapack_svd)(void *data);
gsvd_status_t X(bench_lapack_preprocess)(void *data);
gsvd_status_t X(bench_lapack_solve)(void *data);
gsvd_status_t X(bench_lapack_gsvd)(void *data);

/* peer_cusolver.c, peer_none.c: by cuSOLVER, on a problem in device memory */
gsvd_status_t X(bench_cusolver_qr)(void *data);
gsvd_status_t X(bench_cusolver_gsvd)(void *data);

#endif /* GSVD_BENCH_PROBLEM_H */
