/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* decompose.h -- a pair or a matrix through the library, the wanted factors kept. */
#ifndef GSVD_TOOLS_DECOMPOSE_H
#define GSVD_TOOLS_DECOMPOSE_H

#include "gsvd.h"
#include "matrix.h"

typedef enum problem {
    PAIR, /* A = U D1 (0 R) Q^H, B = V D2 (0 R) Q^H                          */
    SVD,  /* A = U Sigma V^H                                                 */
    HSVD, /* G = U Sigma V^H, V^H J V = J'                                   */
    EIGH, /* A = Q W Q^H                                                     */
    PROBLEMS
} problem_t;

/* What is to be computed, and how. */
typedef struct task {
    problem_t problem;
    int device; /* gsvd_create's                                             */
    gsvd_solver_t solver;
    gsvd_form_t form;
    gsvd_rank_t rank;
    gsvd_equilibrate_t equilibrate;
    gsvd_svd_option_t svd;
    gsvd_eigh_option_t eigh;
    bool single;  /* precision                                        */
    bool values;  /* no factors                                       */
    bool bounds;  /* of the values' errors; form is xinv              */
    bool economy; /* the columns of U, V, Q that the values can meet  */
    int64_t
        keep; /* the factors of so many first pairs; < 0: of the last; 0: of all */
    double tol_a, tol_b; /* for the ranks; negative: LAPACK's                */
    gsvd_progress_t progress; /* or NULL                                     */
    void (*step)(void *user); /* or NULL: after each part of the check       */
    void *user;
} task_t;

/* The matrices hold doubles in both precisions.  A factor that is not wanted, or that
 * the problem does not have, is empty. */
typedef struct decomposition {
    const task_t *task;
    gsvd_type_t type;
    int64_t m, n;
    int64_t p, k, l; /* of a pair                                       */
    int64_t
        first; /* the pair of the first columns of U, V, Q, if some are kept */
    matrix_t alpha, beta; /* of a pair: the k + l values                     */
    matrix_t bounds;      /* of their errors, if asked for                    */
    matrix_t cond;        /* one number: that of R                            */
    matrix_t sigma;       /* of a matrix: min(m,n) values; W of eigh         */
    int64_t *J;           /* hsvd: 1 or -1 for each column                   */
    int64_t plus;         /* hsvd: how many entries of J are 1               */
    matrix_t signs;       /* hsvd: J', the signs of the values               */
    matrix_t U, V;
    matrix_t Q; /* of a pair, in X form X, n-by-(k+l), in xinv Y; of eigh    */
    matrix_t R; /* of order k + l; of LAPACK's form                           */
    gsvd_stats_t stats;
    const place_t *place; /* of a grid: U, V, Q are parts, of X form; or NULL */
    char why[320]; /* there is no result                                     */
} decomposition_t;

/* Solves the task: of A, B, which have the same number of columns, complex if either
 * is; of A, Hermitian for eigh, and B is NULL; or of G = A and the signs B, a column of ones and minus
 * ones, as many as A has columns, which are no more than its rows.  False, with
 * d->why, if there is no result; *d, which keeps task, is to be freed in both cases. */
bool decompose(const matrix_t *A, const matrix_t *B, const task_t *task,
               decomposition_t *d);

/* The values in order: k + l, min(m,n) or n of them. */
int64_t value_count(const decomposition_t *d);

/* "; --economy or --values need less", or what else of memory the task could do
 * without; empty if nothing. */
const char *task_saving(const task_t *task);

/* The type of a call, and: is the library built with it?  False, with d->why. */
gsvd_type_t type_of(int width, bool single);
bool decompose_has(decomposition_t *d);

void decomposition_free(decomposition_t *d);

/* What the result comes from; of one matrix Jacobi, but for eigh by two of its methods */
const char *solver_name(const gsvd_stats_t *stats);

#endif /* GSVD_TOOLS_DECOMPOSE_H */
