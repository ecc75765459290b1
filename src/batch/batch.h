/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* batch.h -- many problems at once: where their arrays lie, and what is computed of each.
 *
 * A batch is one piece of work in the exec's queue.  No problem sees another: its results,
 * bit for bit, are those that it has alone, and a NaN in one is told in its info alone.
 * All arrays, info and the sizes too, are where the handle computes. */
#ifndef GSVD_BATCH_BATCH_H
#define GSVD_BATCH_BATCH_H

#include "core/exec.h"

/* Matrix i begins at each[i], or, where each is NULL, at data + i * stride; both NULL: absent.
 * Its leading dimension is each_ld[i], or ld where each_ld is NULL. */
#define batch_mat_t X(batch_mat_t)
typedef struct batch_mat_t {
    scalar_t *data;
    scalar_t *const *each;
    int64_t stride, ld;
    const int64_t *each_ld;
} batch_mat_t;

/* Real numbers, likewise */
#define batch_real_t X(batch_real_t)
typedef struct batch_real_t {
    real_t *data;
    real_t *const *each;
    int64_t stride;
} batch_real_t;

/* A = U diag(sigma) V^H of each matrix, or, with signs, A = U diag(sigma) V^-1,
 * V^H J V = J.  U and V are economy, min(m, n) columns; absent: not wanted. */
#define svd_batch_t X(svd_batch_t)
typedef struct svd_batch_t {
    int64_t count, m, n; /* matrices, and their shape: the largest where they differ */
    const int64_t *each_m, *each_n; /* NULL: all m x n                              */
    batch_mat_t A, U, V;            /* A is lost                                    */
    batch_real_t sigma;             /* min(m, n) each, descending                   */
    int with_signs;                 /* a hyperbolic SVD; then m >= n                */
    int64_t n_plus;      /* J = diag(I, -I), the first n_plus columns, ...          */
    const int64_t *J;    /* ... or, unless NULL, n signs a matrix                   */
    int64_t J_stride;    /* 0: all matrices have the same signs                     */
    int *info;           /* of each: 0, 1: not converged; < 0: an entry is not finite;
                            > 2, with signs: 2 + the column that depends on others  */
} svd_batch_t;

/* The GSVD of each pair, as gsvd.h has it for one: R in A and B, the values, U, V, Q (full
 * or economy by their columns, u_cols ...; absent: not wanted), the ranks. */
#define gsvd_batch_t X(gsvd_batch_t)
typedef struct gsvd_batch_t {
    int64_t count, m, n, p;
    const int64_t *each_m, *each_n, *each_p; /* NULL: all alike                     */
    batch_mat_t A, B, U, V, Q;
    int64_t u_cols, v_cols, q_cols;          /* of the largest shape                */
    batch_real_t alpha, beta;                /* n each                              */
    int64_t *k, *l;
    int *info;
} gsvd_batch_t;

#endif /* GSVD_BATCH_BATCH_H */
