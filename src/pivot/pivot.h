/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* pivot.h -- column norms, pivoted QR, rank, permutations; see backend.h. */
#ifndef GSVD_PIVOT_PIVOT_H
#define GSVD_PIVOT_PIVOT_H

#include "core/backend.h"

enum {
    PIVOT_WIDTH = 32, /* the most columns that a tournament chooses          */
    SKETCH_ROWS = 40  /* the most rows of a sketch: 8 more than it chooses   */
};

/* What order_rows does not tell apart: one class an exponent, denormals' too,
 * from the largest down; the last are zeros. */
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

/* What the primitives of this folder take of kernel_bytes (core/backend.h). */
kernel_bytes_op X(pivot_kernel_bytes_cpu), X(pivot_kernel_bytes_cuda);

/* scratch of the CPU's primitives of these names, for an m x n matrix */
size_t X(pivot_columns_bytes)(int64_t m, int64_t n);
size_t X(pivots_to_front_bytes)(int64_t m);
size_t X(tournament_bytes)(int64_t n);

/* update_sketch.cu: scratch for up to n columns */
size_t X(update_sketch_bytes)(int64_t n);

/* -- the driver, geqp.c ---------------------------------------------------- */

/* A P = Q R, column j of A P is column perm[j] of A; Q as reflectors below R,
 * LAPACK's form; tau has min(m,n) entries.
 *
 * *rank columns are factored, each with |R(j,j)| > tol, and tau is 0 behind
 * them; what is left below row *rank of the other columns has no column longer
 * than tol.  tol = 0 stops where nothing is left.  tol < 0 goes on to
 * *rank = min(m,n) and never waits; else the host waits once a panel. */
gsvd_status_t X(geqpf)(const exec_t *ex, mat_t A, gsvd_pivot_t how, real_t tol,
                       int *perm, scalar_t *tau, int64_t *rank);

/* bytes of the handle's desk that geqp wants for matrices of at most this
 * size */
size_t X(geqp_work_bytes)(const exec_t *ex, int64_t m, int64_t n);

#if defined __cplusplus
}
#endif

#endif /* GSVD_PIVOT_PIVOT_H */
