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
    KERNELS_ALL = KERNELS_PIVOTS | KERNELS_PANELS,
    /* ldl_candidates, ldl_pivots, ldl_exchange, ldl_values, of order n */
    KERNELS_LDL = 2 * KERNELS_PIVOTS
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

/* -- one panel of a Hermitian indefinite A, of which both triangles are given: ldl.h ----------- */

#define ldl_panel_t X(ldl_panel_t)
typedef struct ldl_panel_t ldl_panel_t;

/* p: the candidates are min(LDL_CANDIDATES, A.cols) columns of A, first those with the largest
 * entries, up to LDL_PIVOTS of them, then those whose number is the row of such an entry, then the
 * next ones. */
typedef gsvd_status_t ldl_candidates_op(const exec_t *ex, mat_t A,
                                        ldl_panel_t *p);
/* p: the pivots among the candidates, by complete pivoting in their rows and columns, at most
 * LDL_PIVOTS, and while an entry is larger than tol; their parts of L and D, and the exchange that
 * brings them to the front.  A is not changed. */
typedef gsvd_status_t ldl_pivots_op(const exec_t *ex, mat_t A, real_t tol,
                                    ldl_panel_t *p);
/* Exchanges rows and columns of A, rows of L, and entries of perm as p says. */
typedef gsvd_status_t ldl_exchange_op(const exec_t *ex, mat_t A, mat_t L,
                                      int *perm, const ldl_panel_t *p);
/* On entry W = A(:,0:b) R^-1, where R is p's, of the A that was exchanged, b <= LDL_PIVOTS.
 * L := W D^-1 below the pivots, p's entries in their rows, 0 behind the last one;
 * p: the largest entry of each column */
typedef gsvd_status_t ldl_divide_op(const exec_t *ex, mat_t W, mat_t L,
                                    ldl_panel_t *p);
/* Waits.  *accepted := the number of pivots before the first one with an entry of L larger than
 * LDL_ACCEPTED, but at least 1, if there is one; d and e := their entries of D */
typedef gsvd_status_t ldl_accepted_op(const exec_t *ex, const ldl_panel_t *p,
                                      real_t *d, scalar_t *e,
                                      int64_t *accepted);
/* lambda[t] := the eigenvalue of D in column t, or 0 where its pivot is at most `least` times what
 * was subtracted from it (ldl.h).  key[t] := 1 if lambda[t] is not 0, else 0; by_sign: 2 if it is
 * positive */
typedef gsvd_status_t ldl_values_op(const exec_t *ex, mat_t L, const real_t *d,
                                    const scalar_t *e, real_t least,
                                    int by_sign, real_t *lambda, real_t *key);
/* L := L V |lambda|^(1/2), V the eigenvectors of D */
typedef gsvd_status_t ldl_roots_op(const exec_t *ex, mat_t L, const real_t *d,
                                   const scalar_t *e, const real_t *lambda);
/* D, 2 x n: (d[t]; e[t]) of t = order[0], order[1], ... in the first rank columns, then 0 */
typedef gsvd_status_t ldl_diagonal_op(const exec_t *ex, const int *order,
                                      int64_t rank, const real_t *d,
                                      const scalar_t *e, mat_t D);
/* J[0:plus) := 1, J[plus:rank) := -1, J[rank:n) := 0;
 * row[i] := perm[order[i]] + 1 */
typedef gsvd_status_t ldl_signs_op(const exec_t *ex, int64_t n, int64_t plus,
                                   int64_t rank, const int *perm,
                                   const int *order, int64_t *J, int64_t *row);

/* clang-format off */
#define PIVOT_PRIMITIVES(M)                                                   \
    M(gaussian) M(tournament) M(project) M(update_sketch)                     \
    M(pivots_to_front) M(inverse_iteration) M(identity) M(permute_columns)    \
    M(permute_rows) M(sort_rows) M(row_exponents)                             \
    M(ldl_candidates) M(ldl_pivots) M(ldl_exchange) M(ldl_divide)             \
    M(ldl_accepted) M(ldl_values) M(ldl_roots) M(ldl_diagonal) M(ldl_signs)
/* clang-format on */

#if defined __cplusplus
extern "C" {
#endif

PIVOT_PRIMITIVES(GSVD_TWINS)

#if defined __cplusplus
}
#endif

#endif /* GSVD_PIVOT_OPS_H */
