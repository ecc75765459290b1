/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* pivot.h -- pivoted QR that reveals the rank; ops.h has the primitives. */
#ifndef GSVD_PIVOT_PIVOT_H
#define GSVD_PIVOT_PIVOT_H

#include "primitives.h"

enum {
    PIVOT_WIDTH = 32, /* the most columns that a tournament chooses          */
    SKETCH_ROWS = 40  /* the most rows of a sketch: 8 more than it chooses   */
};

/* sort_rows sorts by classes: one for each binary exponent, denormals' too, from the
 * largest down, and the last for zeros. */
enum {
    ROW_EXPONENTS = GSVD_SINGLE ? FLT_MAX_EXP - FLT_MIN_EXP + FLT_MANT_DIG
                                : DBL_MAX_EXP - DBL_MIN_EXP + DBL_MANT_DIG,
    ROW_CLASSES = ROW_EXPONENTS + 1
};

GSVD_FN int row_class(real_t size)
{
    const int most = (GSVD_SINGLE ? FLT_MAX_EXP : DBL_MAX_EXP) - 1;
    return size > 0 ? most - exponent_r(size) : ROW_EXPONENTS;
}

#if defined __cplusplus
extern "C" {
#endif

/* The lists of solvers.  pivot: A, perm, tau, tol, how is a gsvd_pivot_t, count the rank; perm holds
 * 0, 1, ... before, and tau behind the rank is not set. */
extern const solvers_t X(pivot_solvers);
extern const solvers_t X(project_solvers_cuda), X(update_solvers_cuda);

/* The work of the primitives of this folder: kernel_bytes (primitives.h). */
kernel_bytes_op X(pivot_kernel_bytes_cpu), X(pivot_kernel_bytes_cuda);

/* The work of the CPU's primitives of these names, for an m x n matrix */
size_t X(pivots_to_front_bytes)(int64_t m);
size_t X(tournament_bytes)(int64_t n);

/* The work of the CUDA primitives project and update_sketch, for up to n columns */
size_t X(update_sketch_bytes)(int64_t n);

/* -- rearrange.c ------------------------------------------------------------ */

/* Moves row i of C to perm[i] (side 'L'), or column perm[j] of C to j ('R'); reverses
 * their order if perm is NULL.  work is one column of rearrange_entries(C.rows, C.cols)
 * entries or more; C goes through it in pieces. */
gsvd_status_t X(rearrange)(const exec_t *ex, char side, const int *perm,
                           mat_t C, mat_t work);
/* Enough entries for matrices of at most rows x cols; more make fewer pieces. */
int64_t X(rearrange_entries)(int64_t rows, int64_t cols);

/* -- the driver, geqp.c ---------------------------------------------------- */

/* A P = Q R, where column j of A P is column perm[j] of A; A := R and, below it, the
 * reflectors of Q in LAPACK's form; tau has min(m,n) entries.
 *
 * *rank columns are factored, each with |R(j,j)| > tol, and tau is 0 behind
 * them; below row *rank no other column is longer than tol.  tol = 0 stops where
 * nothing is left.  tol < 0 goes on to *rank = min(m,n) and never waits; else the host
 * waits once a panel.  Works in the exec's queue, with work of geqp_work_bytes. */
gsvd_status_t X(geqpf)(const exec_t *ex, mat_t A, gsvd_pivot_t how, real_t tol,
                       int *perm, scalar_t *tau, int64_t *rank);

/* The work that geqpf takes for an m x n matrix, whatever the order */
size_t X(geqp_work_bytes)(const exec_t *ex, int64_t m, int64_t n);
double X(geqp_seconds)(const exec_t *ex, int64_t m, int64_t n);

#if defined __cplusplus
}
#endif

#endif /* GSVD_PIVOT_PIVOT_H */
