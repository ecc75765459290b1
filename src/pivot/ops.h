/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* ops.h -- the primitives of this floor, pivots, ranks, permutations: see core/ops.h. */
#ifndef GSVD_PIVOT_OPS_H
#define GSVD_PIVOT_OPS_H

#include "qr/ops.h"

/* kernels_t */
enum {
    /* pivot_columns, pivots_to_front, update_sketch ... */
    KERNELS_PIVOTS = 2 * KERNELS_PANELS,
    KERNELS_ALL = KERNELS_PIVOTS | KERNELS_PANELS
};

/* W := normal random numbers; W(i,j) depends only on seed, i and j. */
typedef gsvd_status_t gaussian_op(const exec_t *ex, mat_t W, uint64_t seed);
/* winners[0:b) := the indices of b columns that span the columns of S well, the best first.
 * Pivoted QR of small groups of columns selects them, in rounds.  S.rows <= SKETCH_ROWS,
 * b <= min(PIVOT_WIDTH, S.cols) */
typedef gsvd_status_t tournament_op(const exec_t *ex, mat_t S, int64_t b,
                                    int *winners);
/* Y := T^H V^H C.  T is upper triangular, with zeros below its diagonal.  W has Y's size and is
 * overwritten.  V.cols <= PIVOT_WIDTH */
typedef gsvd_status_t project_op(const exec_t *ex, mat_t V, mat_t T, mat_t C,
                                 mat_t W, mat_t Y);
/* C := C - V Y, then S := Omega C(first:,:).  Omega may first be rounded to a lower precision.
 * V.cols <= PIVOT_WIDTH, S.rows <= SKETCH_ROWS */
typedef gsvd_status_t update_sketch_op(const exec_t *ex, mat_t V, mat_t Y,
                                       mat_t C, int64_t first, mat_t Omega,
                                       mat_t S);
/* Moves columns winners[0:b) of A to the front.  The columns that stood there go to the places
 * that the winners left.  The entries of perm move with their columns.  b <= PIVOT_WIDTH */
typedef gsvd_status_t pivots_to_front_op(const exec_t *ex, mat_t A, int64_t b,
                                         const int *winners, int *perm);
/* Waits.  Solves R z = y, |y| = 1, for a z that is nearly as long as possible.  R is upper
 * triangular and nonsingular, and its first column is the longest.  *column := the index p of
 * the largest |z(p)|, *bound := 1 / |z(p)|.  If column p were moved to the end, the QR of the
 * result would have |R(n,n)| <= *bound.  If R is found to have no singular value below tol,
 * *bound > tol and *column may be 0. */
typedef gsvd_status_t inverse_iteration_op(const exec_t *ex, mat_t R,
                                           real_t tol, int64_t *column,
                                           real_t *bound);
/* perm[j] := j for j in [0, n) */
typedef gsvd_status_t identity_op(const exec_t *ex, int64_t n, int *perm);
/* B(:,j) := A(:,perm[j]); perm == NULL reverses the columns. */
typedef gsvd_status_t permute_columns_op(const exec_t *ex, mat_t A,
                                         const int *perm, mat_t B);
/* B(perm[i],:) := A(i,:); perm == NULL reverses the rows. */
typedef gsvd_status_t permute_rows_op(const exec_t *ex, mat_t A,
                                      const int *perm, mat_t B);
/* Sorts rows by the binary exponent of size[i], the largest first.  Rows of one exponent keep
 * their order, and zeros come last.  Row i goes to place perm[i]; place k gets row inverse[k]. */
typedef gsvd_status_t sort_rows_op(const exec_t *ex, int64_t rows,
                                   const real_t *size, int *perm, int *inverse);
/* down[i] := the exponent with 2^-down[i] size[i] in [1/2, 1), or 0 if size[i] is 0;
 * up[i] := -down[i] */
typedef gsvd_status_t row_exponents_op(const exec_t *ex, int64_t rows,
                                       const real_t *size, int *up, int *down);

/* clang-format off */
#define PIVOT_PRIMITIVES(M)                                                   \
    M(gaussian) M(tournament) M(project) M(update_sketch)                     \
    M(pivots_to_front) M(inverse_iteration) M(identity) M(permute_columns)    \
    M(permute_rows) M(sort_rows) M(row_exponents)
/* clang-format on */

#if defined __cplusplus
extern "C" {
#endif

PIVOT_PRIMITIVES(GSVD_TWINS)

#if defined __cplusplus
}
#endif

#endif /* GSVD_PIVOT_OPS_H */
