/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* ops.h -- the primitives of this floor, panels, reflectors, products: see core/ops.h. */
#ifndef GSVD_QR_OPS_H
#define GSVD_QR_OPS_H

#include "core/ops.h"

/* kernels_t */
enum { KERNELS_PANELS = 1 }; /* panel, r_only                              */

/* A = (I - V T V^H) (R; 0) for an m x b panel, b <= min(m, block), in LAPACK's form: A := R on
 * and above the diagonal and V below it, tau := the diagonal of T.  If T.data is not NULL, T and
 * V, with its ones and zeros, are written too.  Otherwise an m x b V is overwritten, if V.data is
 * not NULL.  V has no gaps between its columns: kernel_bytes counts on them for memory. */
typedef gsvd_status_t panel_op(const exec_t *ex, mat_t A, scalar_t *tau,
                               mat_t V, mat_t T);
/* R := the triangle of A = Q R without Q, for a tall A of b <= 32 columns.  R is b x b, with a
 * nonnegative diagonal and zeros below it.  A is not changed. */
typedef gsvd_status_t r_only_op(const exec_t *ex, mat_t A, mat_t R);
/* C := op(Q) C (side 'L') or C op(Q) (side 'R') for a small C; op is 'N' or 'C'.  Q is the
 * product of the reflectors in the first k columns of A, which are applied one by one. */
typedef gsvd_status_t reflect_op(const exec_t *ex, char side, char op, mat_t A,
                                 int64_t k, const scalar_t *tau, mat_t C);
/* A := the leading columns of Q, for a small A whose first k columns hold the reflectors.  A
 * table may have NULL here; then the drivers form Q by blocks. */
typedef gsvd_status_t form_q_op(const exec_t *ex, mat_t A, int64_t k,
                                const scalar_t *tau);
/* V := the unit lower trapezoid of A, with zeros above it; V may be A */
typedef gsvd_status_t unit_lower_op(const exec_t *ex, mat_t A, mat_t V);
/* T := the upper triangle with I - V T V^H = H_1 ... H_b, from S = V^H V.  S and T have one size
 * and hold several such blocks.  The block that begins at column j = 0, b, 2 b, ... has its first
 * row at j mod S.rows; it has b <= block columns, the last one perhaps fewer. */
typedef gsvd_status_t triangle_op(const exec_t *ex, mat_t S,
                                  const scalar_t *tau, int64_t b, mat_t T);
/* Q(:,j) := Q(:,j) R(j,j)/|R(j,j)|: the Q that belongs to an R with a nonnegative diagonal */
typedef gsvd_status_t fix_phase_op(const exec_t *ex, mat_t R, mat_t Q);
/* C := op(A) op(B), op is 'N' or 'C' */
typedef gsvd_status_t gemm_op(const exec_t *ex, char opa, char opb, mat_t A,
                              mat_t B, mat_t C);
/* C := C - op(A) op(B) */
typedef gsvd_status_t gemm_sub_op(const exec_t *ex, char opa, char opb, mat_t A,
                                  mat_t B, mat_t C);

/* A := X = A R^-1 by substitution.  R is upper triangular with a nonzero diagonal; its entries
 * below the diagonal are not read.  Up to a modest factor,
 * |(A - X R)(i,j)| <= n eps (|X| |R|)(i,j). */
typedef gsvd_status_t trsm_op(const exec_t *ex, mat_t R, mat_t A);

/* The bytes of the exec's memory for products, at most `most`, that make products up to m x n of
 * inner dimension k faster; 0: none are. */
typedef size_t products_bytes_op(const exec_t *ex, int64_t m, int64_t n,
                                 int64_t k, size_t most);

/* QR of columns first, first + 1, ... of A, pivoted by column norms.  The rows above `first`
 * hold R already.  Stops at column `last`, or earlier where no remaining column is longer than
 * tol; *done := the first column that is not factored.  Waits unless tol < 0.  With
 * perm == NULL and tol < 0 the columns keep their order: plain Householder QR. */
typedef gsvd_status_t pivot_columns_op(const exec_t *ex, mat_t A, int64_t first,
                                       int64_t last, real_t tol, int *perm,
                                       scalar_t *tau, int64_t *done);
/* Waits.  *least := the least |R(i,i)| */
typedef gsvd_status_t min_abs_diagonal_op(const exec_t *ex, mat_t R,
                                          real_t *least);
/* Tests whether every |R(i,i)| exceeds both tol and drop times the largest |R(j,j)|.  If not,
 * T := 0, so that the block reflector is I.  *yes holds the answer after await_panel(ex, yes).
 * await_panel waits for the answer, and not for work that was queued after test_panel. */
typedef gsvd_status_t test_panel_op(const exec_t *ex, mat_t R, real_t tol,
                                    real_t drop, mat_t T, int *yes);
typedef gsvd_status_t await_panel_op(const exec_t *ex, int *yes);

/* clang-format off */
#define QR_PRIMITIVES(M)                                                      \
    M(panel) M(r_only) M(reflect) M(unit_lower) M(triangle) M(fix_phase)      \
    M(gemm) M(gemm_sub) M(trsm) M(products_bytes) M(pivot_columns)            \
    M(min_abs_diagonal) M(test_panel) M(await_panel)
/* of the CPU's table alone; others have NULL */
#define QR_HOST_PRIMITIVES(M) M(form_q)
/* clang-format on */

#if defined __cplusplus
extern "C" {
#endif

QR_PRIMITIVES(GSVD_TWINS)
QR_HOST_PRIMITIVES(GSVD_HOST_TWIN)

#if defined __cplusplus
}
#endif

#endif /* GSVD_QR_OPS_H */
