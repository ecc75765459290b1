/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* policy.h [1] -- the settings that change the result of a call, and the outcome that
 * drivers report. */
#ifndef GSVD_CORE_POLICY_H
#define GSVD_CORE_POLICY_H

#include <stddef.h>

#include "gsvd.h"

/* GSVD_MAX_SWEEPS of a new handle */
enum { DEFAULT_SWEEPS = 30 };

/* A solver, by the name of its list and its own (core/solver.h) */
typedef struct forced {
    const char *list, *solver;
} forced_t;

enum { FORCED = 2 };

/* The options of a handle, as they are during one call */
typedef struct policy {
    gsvd_solver_t solver;
    gsvd_form_t form;
    gsvd_pivot_t pivot;
    gsvd_panel_t panel;
    gsvd_svd_option_t svd;
    gsvd_equilibrate_t equilibrate;
    gsvd_rank_t rank;
    gsvd_eigh_option_t eigh;
    int rowwise_stable; /* Panels are factored by Householder's reflectors, or
                           by one pass of Cholesky QR, never by TSQR, and
                           columns are pivoted by exact norms where a sketch
                           would lose them: so small rows stay accurate.     */
    int to_single; /* Results of double precision are rounded to single: Jacobi
                      makes columns as orthogonal as that keeps them.        */
    int max_sweeps;
    /* Only tests set it: solvers that are taken wherever they apply, wanted or not.  The list
     * ends with NULL, or is full. */
    forced_t force[FORCED];
    double tol_a, tol_b, tol_jacobi; /* negative: the default                */
    gsvd_progress_t progress;        /* or NULL                              */
    void *progress_user;
} policy_t;

/* The drivers of one call fill it in; the door delivers the ranks, and makes the status
 * and the statistics from it. */
typedef struct outcome {
    int64_t k, l; /* the ranks that are results; k is that of one matrix     */
    int illegal;  /* 0, or 1 + the operand whose entries are not legal: the call
                    ends with GSVD_INVALID_ARGUMENT                          */
    const char *reason; /* why these entries are not legal                   */
    int64_t dependent; /* 0, or the column of A, counted from 1, that depends on
                          the columns before it in a routine that wants none */
    gsvd_solver_t solver; /* whose result was used                           */
    gsvd_eigh_option_t eigh; /* likewise                                     */
    gsvd_svd_option_t svd;   /* likewise                                     */
    int sweeps; /* of Jacobi, or cycles of xTGSJA                  */
    int rows_of_a, rows_of_b; /* That rank was decided relative to rows.     */
    int unfinished; /* The solver stopped before it converged.         */
    int stopped;    /* The callback stopped it.                        */
    int lost; /* unfinished: values are below the range that the type has beside the
                 largest ones, and come out as 0, perhaps                   */
    int overflow; /* 0, or the result is too large for the type, but the result of
                     2^-overflow times the arguments is not (X^-H: perhaps not) */
    double start; /* of the call, by gsvd_now; 0: it is not timed            */
    double seconds_preprocess, seconds_solve;
} outcome_t;

/* Bytes that a call needs beside its arguments. */
typedef struct need {
    size_t work, products, staging; /* exec.h                                */
    int full;                       /* The sum overflows size_t.             */
} need_t;

/* The memory of a call of many problems: `shares` times a share, one for each thread. */
typedef struct batch_need {
    int at_once;    /* One solver takes all problems, or parts of them.       */
    int64_t shares; /* that are of use, at least 1                           */
    need_t share;
    size_t compute, host; /* bytes of a share, where the handle computes and, if
                             that is elsewhere, on the host                  */
} batch_need_t;

#endif /* GSVD_CORE_POLICY_H */
