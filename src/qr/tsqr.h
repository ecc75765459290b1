/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* tsqr.h -- QR of a tall panel by Givens rotations over a tree of leaves.
 *
 *     A = ( A_0 )    leaves of 32 rows, A_k = Q_k R_k by rotations in Modi and
 *         ( A_1 )    Clarke's order; then pairs of triangles by peeling,
 *         (  :  )    R_k := (R_k; R_k') for k' = k + 1, 2, 4, ... : a binary
 *                    tree of which leaf 0 is the root.
 *
 * Every leaf but the first is peeled once, as the second of a pair.  So a leaf
 * owns two triangles of rotations, which share a square: (i, j) holds the one
 * that annihilated entry (i, j) of the leaf if i > j, of its triangle if not.
 * Nothing is squared or divided beyond one pair of numbers at a time: rows and
 * columns of any scale, zeros and dependent columns are all alike.
 *
 * Q, explicit, is the tree downwards from I, the rotations in reverse.  Then
 * Householder vectors (Ballard, Demmel et al. 2014) by LU without pivoting,
 *
 *     Q - (S; 0) = V U,  S = diag(+-1),  S_jj = -sign re(q_jj) when column j
 *     is due:  every pivot is at least 1 in absolute value,
 *     T = -U S V_1^-H,   tau_j = T_jj = -U_jj S_jj,
 *     A = Q R = (I - V T V^H) (S R; 0).
 */
#ifndef GSVD_QR_TSQR_H
#define GSVD_QR_TSQR_H

#include "core/handle.h"
#include "core/matrix.h"
#include "qr/modi_clarke.h"

enum {
    TSQR_WIDTH = 32, /* most columns of a panel, and rows of a leaf          */
    TSQR_SQUARE = TSQR_WIDTH * TSQR_WIDTH,
    TSQR_GROUPS = TSQR_WIDTH / 2,
    TSQR_STEPS = 2 * TSQR_WIDTH /* the table of a leaf has fewer             */
};

typedef struct tsqr_table {
    int steps;
    turn_t turn[TSQR_STEPS][TSQR_GROUPS];
} tsqr_table_t;

/* The workspace of a panel; squares are stored by rows. */
#define tsqr_work_t X(tsqr_work_t)
typedef struct tsqr_work_t {
    int64_t leaves;
    scalar_t *triangle; /* a square a leaf: R_k on the way up, then the rows of
                           Q that the tree has handed down                   */
    scalar_t *s;        /* a square a leaf: rotations                        */
    scalar_t *root;     /* R with a nonnegative diagonal                     */
    scalar_t *U;        /* with the inverse of its diagonal                  */
    real_t *c;          /* a square a leaf                                   */
} tsqr_work_t;

GSVD_FN int64_t tsqr_leaves(int64_t m)
{
    return (m + TSQR_WIDTH - 1) / TSQR_WIDTH;
}

GSVD_FN tsqr_work_t tsqr_carve(int64_t m, void *work)
{
    tsqr_work_t w;
    w.leaves = tsqr_leaves(m);
    w.triangle = (scalar_t *)work;
    w.s = w.triangle + w.leaves * TSQR_SQUARE;
    w.root = w.s + w.leaves * TSQR_SQUARE;
    w.U = w.root + TSQR_SQUARE;
    w.c = (real_t *)(w.U + TSQR_SQUARE);
    return w;
}

#if defined __cplusplus
extern "C" {
#endif

/* A is m x b, m >= b, b <= TSQR_WIDTH; it and what else is typed lie where the
 * handle computes.  Work is aligned to an element.  Nothing waits. */

/* bytes of work, for both twins */
size_t X(tsqr_panel_bytes)(int64_t m);
size_t X(tsqr_r_bytes)(int64_t m);

/* A = (I - V T V^H) (R; 0), LAPACK's form: R on and above the diagonal, real
 * there, V below, tau the diagonal of T. */
gsvd_status_t X(tsqr_panel_cpu)(gsvd_handle_t h, mat_t A, scalar_t *tau,
                                void *work);
/* T too, b x b, unless T.data is NULL.  verdict, on the device, or NULL; if *verdict == 0 A and tau stay as they are:
 * somebody else has factored the panel. */
gsvd_status_t X(tsqr_panel_cuda)(gsvd_handle_t h, mat_t A, scalar_t *tau,
                                 mat_t T, void *work, const int *verdict);

/* R, b x b, of A = Q R: upper triangular, zeros below, a nonnegative diagonal.
 * A is not changed. */
gsvd_status_t X(tsqr_r_cpu)(gsvd_handle_t h, mat_t A, mat_t R, void *work);
gsvd_status_t X(tsqr_r_cuda)(gsvd_handle_t h, mat_t A, mat_t R, void *work,
                             const int *verdict);

#if defined __cplusplus
}
#endif

#endif /* GSVD_QR_TSQR_H */
