/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* qr.h -- QR factorization, its Q applied or formed, matrix product.
 *
 * Reflectors are in LAPACK's form: H_j = I - tau_j v_j v_j^H, v_j below the
 * diagonal of column j, its leading 1 not stored; Q = H_1 H_2 ... H_k.
 */
#ifndef GSVD_QR_QR_H
#define GSVD_QR_QR_H

#include "core/backend.h"

#if defined __cplusplus
extern "C" {
#endif

/* What the primitives of this folder take of kernel_bytes (core/backend.h). */
kernel_bytes_op X(qr_kernel_bytes_cpu), X(qr_kernel_bytes_cuda);

/* Kernel's work of r_only for b columns */
size_t X(r_only_bytes_cpu)(int64_t b);

/* -- drivers --------------------------------------------------------------- */

/* The most memory for products beside matrices of so many rows in all, and columns. */
GSVD_FN size_t most_for_products(int64_t rows, int64_t cols)
{
    return (size_t)(rows * cols) * sizeof(scalar_t) / 2 + (4 << 20);
}

/* the most rows of what is multiplied by reflectors one by one */
enum { REFLECTED_ROWS = 1 << 17 };

/* A block reflector Q = I - V T V^H of b columns, b <= ex->op->wide, and room. */
#define qr_work_t X(qr_work_t)
typedef struct qr_work_t {
    mat_t V; /* rows x b, unit lower trapezoidal, zeros above                */
    mat_t T; /* b x b, upper triangular                                      */
    mat_t S,
        Ts; /* ex->op->wide x k: S = V^H V and T of all blocks              */
    int64_t across;  /* columns or rows that Q is applied to at a time       */
    scalar_t *W, *Y; /* b x across each                                      */
} qr_work_t;

/* Room to factor an m x n matrix: for V and T of two panels, W and Y. */
void X(factor_carve)(arena_t *a, const exec_t *ex, int64_t m, int64_t n,
                     qr_work_t *w);
/* Room to apply k reflectors of m entries to `across` columns or rows: for a block of
 * V, S and Ts, W and Y. */
void X(apply_carve)(arena_t *a, const exec_t *ex, int64_t m, int64_t k,
                    int64_t across, qr_work_t *w);

/* Bytes of the desk that the drivers below want: geqrf of at most m x n; unmqr and
 * geqr_undo as above; ungqr for m x c from at most k reflectors. */
size_t X(geqrf_work_bytes)(const exec_t *ex, int64_t m, int64_t n);
size_t X(unmqr_work_bytes)(const exec_t *ex, int64_t m, int64_t k,
                           int64_t across);
size_t X(ungqr_work_bytes)(const exec_t *ex, int64_t m, int64_t c, int64_t k);

/* w->Ts of A's reflectors, ex->op->wide by ex->op->wide */
gsvd_status_t X(blocks_form)(const exec_t *ex, mat_t A, const scalar_t *tau,
                             qr_work_t *w);
/* w->V, w->T of such a block of c from j on, w->Ts given */
gsvd_status_t X(block_take)(const exec_t *ex, mat_t A, int64_t j, int64_t c,
                            qr_work_t *w);
/* C := op(Q) C (side 'L') or C op(Q) ('R'); op is 'N' or 'C' */
gsvd_status_t X(block_apply)(const exec_t *ex, char side, char op,
                             const qr_work_t *w, mat_t C);

/* A = Q R */
gsvd_status_t X(geqrf)(const exec_t *ex, mat_t A, scalar_t *tau);
/* R alone of A = Q R, in A; what stands below it is undefined.  Its diagonal is
 * nonnegative if A.rows >= A.cols <= 32; else tau is needed, and spoilt. */
gsvd_status_t X(geqr)(const exec_t *ex, mat_t A, scalar_t *tau);
/* C := op(Q) C (side 'L') or C op(Q) ('R'), Q from the first k columns of A */
gsvd_status_t X(unmqr)(const exec_t *ex, char side, char op, mat_t A, int64_t k,
                       const scalar_t *tau, mat_t C);
/* A := Q R, undoing the first k steps of A's QR */
gsvd_status_t X(geqr_undo)(const exec_t *ex, mat_t A, int64_t k,
                           const scalar_t *tau);
/* A := the leading columns of Q, from its first k columns */
gsvd_status_t X(ungqr)(const exec_t *ex, mat_t A, int64_t k,
                       const scalar_t *tau);

/* -- form.c: ungqr for many columns, or from few reflectors ------------------- */

/* whether k reflectors, in blocks of b, are better made one block to form m x c of Q;
 * and the desk of that for k <= most, or k <= b */
int X(form_pays)(int64_t m, int64_t c, int64_t b, int64_t k);
size_t X(form_bytes)(int64_t m, int64_t c, int64_t b, int64_t most);
gsvd_status_t X(form_q_single_block)(const exec_t *ex, mat_t A, int64_t k,
                                     const scalar_t *tau);

#if defined __cplusplus
}
#endif

#endif /* GSVD_QR_QR_H */
