/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* qr.h -- QR factorization, its Q applied or formed, matrix product.
 *
 * Reflectors are in LAPACK's form: H_j = I - tau_j v_j v_j^H, v_j below the
 * diagonal of column j, its leading 1 not stored; Q = H_1 H_2 ... H_k.
 */
#ifndef GSVD_QR_QR_H
#define GSVD_QR_QR_H

#include "primitives.h"

#if defined __cplusplus
extern "C" {
#endif

/* What the primitives of this folder take of kernel_bytes (primitives.h). */
kernel_bytes_op X(qr_kernel_bytes_cpu), X(qr_kernel_bytes_cuda);

/* The work of the CPU's pivot_columns for an m x n matrix; of KERNELS_PIVOTS, for which src/pivot
 * answers */
size_t X(pivot_columns_bytes)(int64_t m, int64_t n);

/* The lists of solvers.  panel: A, tau, V, T; work for panels of A that are given V.  r_only: A, and
 * C := R.  gemm: C := beta C + alpha op(A) opb(B), k terms each; bytes for products, if all that
 * helps may be had.  factor: A, tau.  apply: k reflectors of A and tau to C, on its side; form: in A
 * itself. */
extern const solvers_t X(panel_solvers_cpu), X(panel_solvers_cuda);
extern const solvers_t X(r_only_solvers_cpu), X(r_only_solvers_cuda);
extern const solvers_t X(gemm_solvers_cuda);
extern const solvers_t X(factor_solvers), X(apply_solvers), X(form_solvers);

/* -- drivers -------------------------------------------------------------------
 *
 * They allocate nothing.  Their arrays come out of ex->work, as many bytes as the
 * function NAME_work_bytes says, and the rest of ex->work is the kernels'.  All work is
 * queued in ex->queue and none of them waits; geqrf may use QUEUE_PANEL too, which
 * ex->queue has joined when geqrf returns. */

/* The memory for products that helps beside matrices of so many rows in all, and cols
 * columns, is limited to this: half their size and a little. */
GSVD_FN size_t most_for_products(int64_t rows, int64_t cols)
{
    return (size_t)(rows * cols) * sizeof(scalar_t) / 2 + (4 << 20);
}

/* A matrix of more rows is not multiplied by reflectors one by one: they take a column
 * of it as kernel's work. */
enum { REFLECTED_ROWS = 1 << 17 };

/* A block reflector Q = I - V T V^H of b columns, b <= ex->tune->wide, and the driver's
 * work that goes with it. */
#define qr_work_t X(qr_work_t)
typedef struct qr_work_t {
    mat_t V; /* rows x b, unit lower trapezoidal, zeros above                */
    mat_t T; /* b x b, upper triangular                                      */
    mat_t S,
        Ts; /* ex->tune->wide x k: S = V^H V and T of all blocks             */
    int64_t across;  /* columns or rows that Q is applied to at a time       */
    scalar_t *W, *Y; /* b x across each                                      */
} qr_work_t;

/* *w := arrays of a to factor an m x n matrix: V and T of so many panels, 1 or 2, W
 * and Y. */
void X(factor_carve)(arena_t *a, const exec_t *ex, int64_t m, int64_t n,
                     int panels, qr_work_t *w);
/* *w := arrays of a to apply k reflectors of m entries to `across` columns or rows: V
 * of a block, S and Ts, W and Y. */
void X(apply_carve)(arena_t *a, const exec_t *ex, int64_t m, int64_t k,
                    int64_t across, qr_work_t *w);

/* w->Ts := T of the blocks of A's reflectors; spoils w->V and w->S. */
gsvd_status_t X(blocks_form)(const exec_t *ex, mat_t A, const scalar_t *tau,
                             qr_work_t *w);
/* w->V, w->T := those of the block of c reflectors from the j-th on; w->Ts is given. */
gsvd_status_t X(block_take)(const exec_t *ex, mat_t A, int64_t j, int64_t c,
                            qr_work_t *w);
/* C := op(Q) C (side 'L') or C op(Q) ('R') for Q = I - V T V^H; op is 'N' or 'C'.  It
 * takes w->W and w->Y, and no other work. */
gsvd_status_t X(block_apply)(const exec_t *ex, char side, char op,
                             const qr_work_t *w, mat_t C);

/* A = Q R: R and the reflectors in A, tau, min(m,n) of them.  The driver's work is that
 * of the largest m x n that is factored. */
gsvd_status_t X(geqrf)(const exec_t *ex, mat_t A, scalar_t *tau);
size_t X(geqrf_work_bytes)(const exec_t *ex, int64_t m, int64_t n);
double X(geqrf_seconds)(const exec_t *ex, int64_t m, int64_t n);

/* A := R alone of A = Q R; what stands below R is undefined.  R's diagonal is
 * nonnegative if A.rows >= A.cols <= 32; else tau is needed, and spoilt.  The driver's
 * work is geqrf's. */
gsvd_status_t X(geqr)(const exec_t *ex, mat_t A, scalar_t *tau);

/* C := op(Q) C (side 'L') or C op(Q) ('R'), Q from the first k columns of A, of m
 * entries; across: columns of C, or rows. */
gsvd_status_t X(unmqr)(const exec_t *ex, char side, char op, mat_t A, int64_t k,
                       const scalar_t *tau, mat_t C);
size_t X(unmqr_work_bytes)(const exec_t *ex, int64_t m, int64_t k,
                           int64_t across);
double X(unmqr_seconds)(const exec_t *ex, int64_t m, int64_t k, int64_t across);

/* A := Q R: the first k steps of A's QR are undone.  The driver's work is unmqr's, with
 * A's columns across. */
gsvd_status_t X(geqr_undo)(const exec_t *ex, mat_t A, int64_t k,
                           const scalar_t *tau);

/* A := the leading c columns of Q, m x c, from A's first k columns.  The driver's work
 * is that of at most k reflectors. */
gsvd_status_t X(ungqr)(const exec_t *ex, mat_t A, int64_t k,
                       const scalar_t *tau);
size_t X(ungqr_work_bytes)(const exec_t *ex, int64_t m, int64_t c, int64_t k);
double X(ungqr_seconds)(const exec_t *ex, int64_t m, int64_t c, int64_t k);

/* -- form.c: all reflectors as one block ---------------------------------------- */

/* Is it faster to make k reflectors, in blocks of b, one block to form m x c of Q? */
int X(form_pays)(int64_t m, int64_t c, int64_t b, int64_t k);

/* ungqr by one block, for k <= ex->tune->block or where form_pays; the driver's work is
 * form_bytes, b = ex->tune->block, of at most `most` reflectors. */
gsvd_status_t X(form_q_single_block)(const exec_t *ex, mat_t A, int64_t k,
                                     const scalar_t *tau);
size_t X(form_bytes)(int64_t m, int64_t c, int64_t b, int64_t most);

#if defined __cplusplus
}
#endif

#endif /* GSVD_QR_QR_H */
