/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* ops.h -- the primitives of this floor, large steps of many matrices at once: see core/ops.h. */
#ifndef GSVD_BATCH_OPS_H
#define GSVD_BATCH_OPS_H

#include "core/ops.h"

#define svd_batch_t X(svd_batch_t)
typedef struct svd_batch_t svd_batch_t;
#define eigh_batch_t X(eigh_batch_t)
typedef struct eigh_batch_t eigh_batch_t;

/* A_i and H_i := the Hermitian matrix of A_i's triangle */
typedef gsvd_status_t eigh_load_op(const exec_t *ex, const eigh_batch_t *b);
/* w_i and V_i := the eigenvalues of H_i, ascending, and their vectors, out of H_i = U_i diag(sigma_i)
 * V_i^H.  info is what the SVD's solver says; a matrix whose results fail their test gets info 1. */
typedef gsvd_status_t eigh_signs_op(const exec_t *ex, const eigh_batch_t *b);

/* -- batches: large steps (batch/large_steps.h, which has steps_batch_t) --------- */

#define steps_batch_t X(steps_batch_t)
typedef struct steps_batch_t steps_batch_t;

/* X_i := 2^exponent times the matrix of problem first + i of b, as a tall matrix, and where V has
 * data V_i := X_i.  The exponent keeps the squares of entries in range.
 * column := the lengths of the columns of X_i.
 * A matrix is left if it is not finite (then X_i := 0), if its rows differ in size, or if the
 * lengths of its columns differ too much for large steps. */
typedef gsvd_status_t batch_load_op(const exec_t *ex, const svd_batch_t *b,
                                    mats_t X, mats_t V, const steps_batch_t *s);
/* C_i := op(A_i) B_i, op 'N' or 'C' */
typedef gsvd_status_t batch_gemm_op(const exec_t *ex, char op, mats_t A,
                                    mats_t B, mats_t C);
/* C_i := alpha A_i^H A_i on and below the diagonal; what is above it is undefined. */
typedef gsvd_status_t batch_gram_op(const exec_t *ex, real_t alpha, mats_t A,
                                    mats_t C);
/* C_i := X_i^H X_i on and below the diagonal, for open matrices only: those that are not left and
 * have s->cosine above `enough` */
typedef gsvd_status_t batch_gram_open_op(const exec_t *ex, mats_t X,
                                         const steps_batch_t *s, real_t enough,
                                         mats_t C);
/* A_i := the eigenvectors of the Hermitian A_i, by ascending eigenvalues.  A_i is given on and
 * below its diagonal.  If they are not found, A_i is undefined.  s->length is overwritten. */
typedef gsvd_status_t batch_eigenvectors_op(const exec_t *ex, mats_t A,
                                            const steps_batch_t *s);
/* On entry E_i = V_i^H V_i.  A matrix whose V_i is far from unitary becomes left.  For each matrix
 * that is left, E_i := V_i := I. */
typedef gsvd_status_t batch_unitary_op(const exec_t *ex, mats_t E, mats_t V,
                                       const steps_batch_t *s);
/* On entry C_i = X_i^H X_i on and below the diagonal.  C_i := T_i, the angles of the rotations that
 * make each pair of columns of X_i orthogonal.  An angle above `most` becomes 0, and T_i = 0 if the
 * matrix is left.  A pair whose cosine is at most `least` is turned only if its angle is small
 * (core/angle.h).  Sets for each matrix:
 *
 *     length     the lengths of the columns of X_i
 *     bound      the largest sum of |T_i(i,j)| in a row
 *     cosine     a bound on the cosines of the columns of X_i after the turn by T_i (cosine_after)
 *
 * With E, T_i belongs to X_i (I + H_i), H_i = (I - E_i) / 2, to first order; E_i is given on and
 * below its diagonal and becomes Hermitian.  With enough > 0, a matrix that is not open gets
 * bound := 0 and is not changed otherwise. */
typedef gsvd_status_t batch_angles_op(const exec_t *ex, mats_t C, mats_t E,
                                      real_t least, real_t most, real_t enough,
                                      const steps_batch_t *s);
/* P_i := I + t T_i - (t^2 / 2) S_i - (t^3 / 8) R_i + H_i with t = min(1, most / bound),
 * S_i = T_i^H T_i, R_i = T_i S_i and H_i = (I - E_i) / 2.  The term of an absent S, R or E is left
 * out.  P may be S. */
typedef gsvd_status_t batch_turns_op(const exec_t *ex, mats_t T, mats_t S,
                                     mats_t R, mats_t E, real_t most,
                                     const steps_batch_t *s, mats_t P);
/* X_i := X_i (I + t T_i), t = min(1, most / bound), unless bound is 0; W has X's shape. */
typedef gsvd_status_t batch_turn_open_op(const exec_t *ex, mats_t T,
                                         real_t most, const steps_batch_t *s,
                                         mats_t X, mats_t W);
/* Writes the results of the problems of batch_load, from X_i = 2^exponent A_i V_i.  First a matrix
 * that is left, or has a cosine above tol, goes through block Jacobi or sweeps.  V_i is unitary
 * except for the lengths of its columns, which divide those of X_i; if the matrix is left, V_i = I.
 * X_i, V_i, s->length, s->column and s->row are overwritten. */
typedef gsvd_status_t batch_finish_op(const exec_t *ex, const svd_batch_t *b,
                                      mats_t X, mats_t V, real_t tol,
                                      const steps_batch_t *s);
/* The bytes of kernel's work that batch_eigenvectors takes for `count` matrices of order n;
 * SIZE_MAX: the machine cannot do them. */
typedef size_t batch_eigenvectors_bytes_op(const exec_t *ex, int64_t n,
                                           int64_t count);

/* clang-format off */
#define BATCH_PRIMITIVES(M)                                                   \
    M(eigh_load) M(eigh_signs)                                                \
    M(batch_load) M(batch_gemm) M(batch_gram) M(batch_eigenvectors)           \
    M(batch_unitary) M(batch_angles) M(batch_turns) M(batch_gram_open)        \
    M(batch_turn_open) M(batch_finish) M(batch_eigenvectors_bytes)
/* clang-format on */

#if defined __cplusplus
extern "C" {
#endif

BATCH_PRIMITIVES(GSVD_TWINS)

#if defined __cplusplus
}
#endif

#endif /* GSVD_BATCH_OPS_H */
