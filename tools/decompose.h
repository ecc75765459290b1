/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* decompose.h -- one pair through the library, the wanted factors kept. */
#ifndef GSVD_TOOLS_DECOMPOSE_H
#define GSVD_TOOLS_DECOMPOSE_H

#include "gsvd.h"
#include "matrix.h"

/* What is to be computed, and how. */
typedef struct task {
    int device; /* gsvd_create's                                             */
    gsvd_solver_t solver;
    gsvd_form_t form;
    bool single;         /* precision                                        */
    bool values;         /* no factors                                       */
    bool economy;        /* the columns of U, V, Q that (0 R) can need       */
    double tol_a, tol_b; /* for the ranks; negative: LAPACK's                */
    gsvd_progress_t progress; /* or NULL                                     */
    void *user;
} task_t;

/* The matrices hold doubles in both precisions.  A factor that is not wanted is
 * empty. */
typedef struct decomposition {
    const task_t *task;
    gsvd_type_t type;
    int64_t m, n, p, k, l;
    matrix_t alpha, beta; /* of the k + l values                             */
    matrix_t U, V;
    matrix_t Q; /* in X form: X, n-by-(k+l)                                  */
    matrix_t R; /* of order k + l; empty in X form                           */
    gsvd_stats_t stats;
    char why[320]; /* there is no result                                     */
} decomposition_t;

/* Computes the GSVD of A, B, which have the same number of columns; complex if
 * either is.  False, with d->why, if there is no result; *d, which keeps task,
 * is to be freed in both cases. */
bool decompose(const matrix_t *A, const matrix_t *B, const task_t *task,
               decomposition_t *d);

/* "; --economy or --values need less", or what else of memory the task could do
 * without; empty if nothing. */
const char *task_saving(const task_t *task);

void decomposition_free(decomposition_t *d);

#endif /* GSVD_TOOLS_DECOMPOSE_H */
