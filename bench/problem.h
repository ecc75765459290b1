/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* problem.h -- one case of one precision: the pair, what a step starts from
 * and what it works on, in the memory of the handle that computes. */
#ifndef GSVD_BENCH_PROBLEM_H
#define GSVD_BENCH_PROBLEM_H

#include <math.h>

#include "bench.h"
#include "primitives.h"
#include "qr/qr.h"

#define STRING_(x) #x
#define STRING(x) STRING_(x)

#define factors_t X(factors_t)
typedef struct factors_t {
    mat_t A, B, U, V, Q; /* data == NULL: the step has none                  */
} factors_t;
enum { MATRICES = 5 };
GSVD_FN mat_t *factor_of(factors_t *F, int i)
{
    mat_t *const at[MATRICES] = {&F->A, &F->B, &F->U, &F->V, &F->Q};
    return at[i];
}

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
    int64_t *integers;    /* 2 n, of ldl's J and jpvt                         */
    void *peer;           /* workspace of a peer, once it is known           */
    real_t *reference;    /* min(m,n) values in the host's memory, or NULL   */
    int64_t plus;         /* of hsvd: so many signs are 1; n / 2 at first    */
    errors_t errors;      /* of the result that was judged last              */
} problem_t;

/* Who does the same work, to be timed in the same run */
#define peer_t X(peer_t)
typedef struct peer_t {
    const char *word, *name; /* on the command line; in the table            */
    int on_device;
    bench_fn_t work;
    /* NULL: it fits every problem. */
    int (*fits)(const problem_t *P);
    /* Brings the result into the form of ours, outside the clock; NULL: it has that. */
    gsvd_status_t (*finish)(problem_t *P);
} peer_t;

#define timed_step_t X(timed_step_t)
typedef struct timed_step_t {
    const char *name;
    int pair; /* 0: of one matrix                                            */
    int tall; /* 1: of matrices with m >= n alone                          */
    int square; /* 1: with m == n alone                                      */
    int ranks;
    int sweeps;
    gsvd_status_t (*start)(problem_t *P);
    bench_fn_t work;
    gsvd_status_t (*ratio)(problem_t *P, real_t *worst);
    double (*flops)(const problem_t *P, int sweeps);
    double (*words)(const problem_t *P);
    /* ms on an H200, and by what; NULL, or answers 0: what flops and words say */
    double (*bound)(const problem_t *P, int sweeps, const char **by);
    int lines;           /* Each peer has a line; else the first one that fits
                            stands in the step's line.                       */
    const peer_t *peers; /* until one has no name; NULL: none                */
} timed_step_t;

/* the public function for the memory that the problem is in */
#define PICK(P, hosts, devices) ((P)->h->space->on_device ? (devices) : (hosts))

/* A rows x cols matrix where P computes, of the case that runs. */
gsvd_status_t X(bench_mat)(const problem_t *P, int64_t rows, int64_t cols,
                           mat_t *A);

/* bench_gsvd.c: a problem of these sizes with room for its pair and values */
gsvd_status_t X(bench_open)(problem_t *P, bench_t *b, gsvd_handle_t h,
                            shape_t s, int economy);

/* P->ex, once the handle and the sizes are there */
gsvd_status_t X(bench_exec)(problem_t *P);

/* bench_gsvd.c: a matrix as bench_mat's, in which nothing looks like a result */
gsvd_status_t X(bench_poisoned)(const problem_t *P, int64_t rows, int64_t cols,
                                mat_t *A);

/* bench_gsvd.c: to := A, of h's memory, in the host's */
gsvd_status_t X(bench_fetch)(gsvd_handle_t h, mat_t A, mat_t to);
/* *x := the first `count` values that the last call left, in the host's memory */
gsvd_status_t X(bench_fetch_values)(const problem_t *P, int64_t count,
                                    real_t **x);

/* bench_gsvd.c: P->tola and P->tolb, those that are given or LAPACK's */
gsvd_status_t X(bench_tolerances)(problem_t *P);

/* bench_gsvd.c: the step on P->A and P->B, its line and those of its peers */
gsvd_status_t X(bench_run)(problem_t *P, const timed_step_t *s, row_t *row);

/* svd.c */
extern const timed_step_t X(bench_svd_step), X(bench_hsvd_step);

/* eigh.c */
extern const timed_step_t X(bench_eigh_step), X(bench_eigh_fast_step);
/* ldl.c */
extern const timed_step_t X(bench_ldl_step), X(bench_ldl_hsvd_step),
    X(bench_eigh_of_matrix);

/* primitives.c: those in the list, of an m x n matrix */
void X(bench_primitives)(bench_t *b, shape_t shape, const char *list);

/* pair.c: P->A, P->B by P->bench->kind */
gsvd_status_t X(bench_pair)(problem_t *P);

/* ratios.c: the worst of LAPACK's ratios of what a step left in P->now; of R
 * alone |A^H A - R^H R| / (max(m,n) |A^H A| ulp) */
gsvd_status_t X(bench_ratio_qr)(problem_t *P, real_t *worst);
gsvd_status_t X(bench_ratio_qr_r)(problem_t *P, real_t *worst);
gsvd_status_t X(bench_ratio_geqp)(problem_t *P, real_t *worst);
gsvd_status_t X(bench_ratio_svd)(problem_t *P, real_t *worst);
gsvd_status_t X(bench_ratio_hsvd)(problem_t *P, int64_t plus, real_t *worst);
gsvd_status_t X(bench_ratio_preprocess)(problem_t *P, real_t *worst);
gsvd_status_t X(bench_ratio_gsvd)(problem_t *P, real_t *worst);

/* NaN is the worst of all */
GSVD_FN void keep_worst(double *worst, double x)
{
    if (!isnan(*worst) && !(x <= *worst))
        *worst = x;
}

/* norm := the 1-norm of A - B, NaN where one is not finite; A is destroyed. */
gsvd_status_t X(bench_distance)(problem_t *P, mat_t A, mat_t B, real_t *norm);

/* digits.c: -log10 of |A - U R Q^H|_F / |A|_F, all in host memory; takes memory
 * of the case that runs */
gsvd_status_t X(bench_digits)(const problem_t *H, mat_t A, mat_t U, mat_t R,
                              mat_t Q, double *digits);

/* peer_lapack.c: the same work by LAPACK, on a problem in host memory with full
 * factors; data is the problem_t */
gsvd_status_t X(bench_lapack_qr)(void *data);
gsvd_status_t X(bench_lapack_geqp)(void *data);
gsvd_status_t X(bench_lapack_sytrf)(void *data);
gsvd_status_t X(bench_lapack_gesdd)(void *data);
gsvd_status_t X(bench_lapack_gesvj)(void *data);
gsvd_status_t X(bench_lapack_gejsv)(void *data);
gsvd_status_t X(bench_lapack_gesvdq)(void *data);
gsvd_status_t X(bench_lapack_syevd)(void *data);
gsvd_status_t X(bench_lapack_preprocess)(void *data);
gsvd_status_t X(bench_lapack_solve)(void *data);
gsvd_status_t X(bench_lapack_gsvd)(void *data);
gsvd_status_t X(bench_lapack_qr_csd)(void *data);
int X(bench_fits_qr_csd)(const problem_t *P);

/* peer_cusolver.c, peer_none.c: by cuSOLVER, on a problem in device memory */
gsvd_status_t X(bench_cusolver_qr)(void *data);
gsvd_status_t X(bench_cusolver_gsvd)(void *data);
gsvd_status_t X(bench_cusolver_gesvdp)(void *data);
gsvd_status_t X(bench_cusolver_qr_gesvdp)(void *data);
gsvd_status_t X(bench_cusolver_gesvdj)(void *data);
gsvd_status_t X(bench_cusolver_gesvd)(void *data);
gsvd_status_t X(bench_cusolver_syevd)(void *data);
gsvd_status_t X(bench_cusolver_syevj)(void *data);
gsvd_status_t X(bench_cusolver_sytrf)(void *data);

#endif /* GSVD_BENCH_PROBLEM_H */
