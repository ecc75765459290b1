/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* batch.h -- many problems at once: where their arrays lie, and what is computed of each.
 *
 * A batch is one piece of work in the exec's queue.  No problem sees another: its results,
 * bit for bit, are those that it has alone (by large steps on a GPU up to rounding:
 * large_steps.c), and a NaN in one is told in its info alone.
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

GSVD_FN real_t *reals_of_batch(batch_real_t x, int64_t i)
{
    return x.each ? x.each[i] : x.data + i * x.stride;
}

/* info[i] is *info of the single routine (gsvd.h) for problem i: 0; 1: not converged; 2: a result is
 * beyond the largest number; or, where the entries of an array are not legal, what the caller gives
 * for that array: illegal_A and so on.  Where it says that there is no result, the values and
 * the factors of that problem are NaN, and its ranks 0.
 *
 * Where sizes differ, m, n, p are the largest ones, and each_m ... is not NULL.
 * Factors have u_cols, v_cols and q_cols columns: 0: not wanted, and absent; economy;
 * or all, but only where each_m is NULL.  Where sizes differ, u_cols > 0 means economy. */

#define eigh_batch_t X(eigh_batch_t)

/* A = U diag(sigma) V^H of each matrix, economy: min(m, n) columns; or, with signs and
 * m >= n, A = U diag(sigma) V^H, V^H J V = J' = diag(I, -I).  A is lost. */
#define svd_batch_t X(svd_batch_t)
typedef struct svd_batch_t {
    int64_t count, m, n;
    const int64_t *each_m, *each_n;
    batch_mat_t A, U, V;
    int64_t u_cols, v_cols;
    batch_real_t sigma; /* min(m, n) each, descending                        */
    int with_signs;
    /* J = diag(I, -I) with n_plus ones; or, unless J is NULL, n signs a matrix, of which
     * n_plus are 1, J_stride from one matrix to the next: 0: all have the same. */
    int64_t n_plus, J_stride;
    const int64_t *J;
    /* With signs also 2 + j: column j, counted from 1, depends on those before it. */
    int *info;
    int illegal_A, illegal_J; /* info where A is not finite; J is not legal  */
    /* On the host: NULL; or the eigenproblems that this is for.  Each matrix is Hermitian then, and has both
     * triangles.  A solver that ends one marks it by eigh_ends, and stores nothing of its SVD. */
    const struct eigh_batch_t *eigh;
} svd_batch_t;

/* The GSVD of each pair, as gsvd.h has it for one: R in A and B, the values, U, V, Q, the
 * ranks.  Economy: min(m, n), min(p, n) and min(n, m + p) columns.  Without U, V and Q the
 * values alone are wanted. */
#define gsvd_batch_t X(gsvd_batch_t)
typedef struct gsvd_batch_t {
    int64_t count, m, n, p;
    const int64_t *each_m, *each_n, *each_p;
    batch_mat_t A, B, U, V, Q;
    int64_t u_cols, v_cols, q_cols;
    batch_real_t alpha, beta; /* n each                                      */
    int64_t *k, *l;
    int *info;
    int illegal_A, illegal_B; /* info where A is not finite; B               */
} gsvd_batch_t;

/* H = Q diag(w) Q^H of each Hermitian matrix H of order n, out of its SVD.  A is lost. */
typedef struct eigh_batch_t {
    int64_t count, n;
    char uplo;           /* the triangle of A that is given                   */
    batch_mat_t A;       /* H, which the SVD takes                            */
    batch_mat_t Q;       /* may be A                                          */
    batch_real_t w;      /* n each, ascending                                 */
    scalar_t *H, *U, *V; /* n x n each, one behind another                  */
    real_t *sigma;       /* n each                                            */
    real_t *reals;       /* EIGH_REALS n each                                 */
    scalar_t *scalars;   /* eigh_scalars each                                 */
    int *info;
} eigh_batch_t;

/* Vectors by which a result is tested; groups of columns, at most, whose threads have a row each */
enum { EIGH_VECTORS = 2, EIGH_GROUPS = 4, EIGH_REALS = 3 };

/* y = Q x, z, what is left and how columns lean for each vector, and two sums of each group's columns */
GSVD_FN int64_t eigh_scalars(int64_t n)
{
    return (4 + 2 * EIGH_GROUPS) * EIGH_VECTORS * n;
}

/* While a problem is solved its info names the array whose entries are not legal. */
enum { ILLEGAL_A = -1, ILLEGAL_B = -2, ILLEGAL_J = -3 };

/* ... and this is what info[i] becomes. */
GSVD_FN int info_of_svd(const svd_batch_t *b, int info)
{
    return info == ILLEGAL_A   ? b->illegal_A
           : info == ILLEGAL_J ? b->illegal_J
                               : info;
}

GSVD_FN int info_of_pair(const gsvd_batch_t *b, int info)
{
    return info == ILLEGAL_A   ? b->illegal_A
           : info == ILLEGAL_B ? b->illegal_B
                               : info;
}

#endif /* GSVD_BATCH_BATCH_H */
