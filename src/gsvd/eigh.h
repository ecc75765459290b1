/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* eigh.h -- what the steps of run_eigh.c share. */
#ifndef GSVD_GSVD_EIGH_H
#define GSVD_GSVD_EIGH_H

#include "core/solver.h"
#include "gsvd/pipeline.h"

enum { EIGH_PROBES = 4 }; /* random vectors that see the residual            */

#define eigh_work_t X(eigh_work_t)
typedef struct eigh_work_t {
    mat_t H;       /* the matrix, n x n as the next three                    */
    mat_t U, V;    /* the factors of its SVD; U: then the eigenvectors       */
    mat_t T;       /* A's memory                                             */
    mat_t block;   /* blocks of V^H U, each in its columns                   */
    mat_t column;  /* n x 2                                                  */
    ldl_t F;       /* of FACTOR: P H P^T = L D L^H                            */
    scalar_t *tau; /* n                                                      */
    real_t *sigma; /* n singular values, and n numbers t_j behind them       */
    real_t *w;     /* n eigenvalues, and n signs behind them, and one number */
    real_t *
        sorted; /* n eigenvalues, ascending, n conditions, and EIGH_PROBES lengths */
    real_t *zero, *d; /* n each                                              */
    real_t *e;
    int *order; /* of w                                                      */
    int exponent;  /* H is 2^-exponent times the caller's matrix.            */
    int chosen;    /* w and U have the range alone, ...                      */
    int64_t count; /* ... so many                                            */
} eigh_work_t;

/* signed_svd.c: H V = V diag(w) out of H = U diag(sigma) V^H, the columns of V in sigma's order.
 * *loose: the columns are to be made orthogonal.  *good = 0: no signs were found that fit.
 * Overwrites U's, T's and the staging memory.  Waits, once unless values of unequal sign have one
 * size. */
gsvd_status_t X(find_signs)(const exec_t *ex, const eigh_work_t *w, int *loose,
                            int *good);
/* Bytes of staging memory that it takes for order n */
size_t X(find_signs_staging)(int64_t n);

/* refine_values.c: w->w := the values w->sorted of U's columns, but a Rayleigh quotient in twice the
 * precision where the condition is above `most` and the quotient is the better value.  w->order := their
 * order, U := its columns in that order.  Overwrites V, T, d, zero, sigma and the staging memory.
 * Waits, twice where a value is in doubt. */
gsvd_status_t X(refine_values)(const exec_t *ex, const eigh_work_t *w,
                               real_t most);
/* Bytes of staging memory that it takes for order n */
size_t X(refine_values_staging)(int64_t n);

/* The solvers of the list are tried in turn; a test forces one. */
extern const solvers_t X(eigh_solvers);

/* The most rows of a block of n columns that it looks at together with others */
int64_t X(find_signs_rows)(int64_t n);

#endif /* GSVD_GSVD_EIGH_H */
