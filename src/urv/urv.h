/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* urv.h -- the drivers of RQ, of the complete orthogonal decomposition and of the
 * preprocessing of a pair.
 *
 * Unless its comment says otherwise, a driver works in its exec's queue and does not wait for the
 * device.  Of the exec's work it takes no more than the *_work_bytes of the drivers that it calls.
 */
#ifndef GSVD_URV_URV_H
#define GSVD_URV_URV_H

#include "core/pair.h"
#include "primitives.h"

#if defined __cplusplus
extern "C" {
#endif

/* -- gerqf.c: A = (0 R) Q^H for an r x n A, r <= n -------------------------- */

/* E := the QR factorization of A's transpose, n x r, whose first r rows and whose others are
 * flipped; it holds Q and R */
gsvd_status_t X(rq_factor)(const exec_t *ex, mat_t A, mat_t E, scalar_t *tau);
/* R := the r x r triangle that E holds */
gsvd_status_t X(rq_triangle)(const exec_t *ex, mat_t E, mat_t R);
/* C := Q C (side 'L') or C Q ('R') with the Q that E holds; work is rearrange's. */
gsvd_status_t X(rq_apply)(const exec_t *ex, char side, mat_t E,
                          const scalar_t *tau, mat_t C, mat_t work);

/* -- urv.c: A = U (0 R; 0 0) V^H --------------------------------------------- */

/* Memory of the work that is queued in QUEUE_FACTOR */
#define async_work_t X(async_work_t)
typedef struct async_work_t {
    buffer_t work, products;
} async_work_t;

/* U := the leading columns of Q, from its k reflectors, whose vectors U holds.  If U is large, the
 * work is queued in QUEUE_FACTOR with the memory of w, and the caller joins that queue.  Otherwise
 * it is queued in the exec's queue. */
gsvd_status_t X(form_async)(const exec_t *ex, const async_work_t *w, mat_t U,
                            int64_t k, const scalar_t *tau);
/* The bytes of work that form_async takes in `queue`, the exec's or QUEUE_FACTOR, for a rows x
 * cols U from at most k reflectors; 0 if it forms U in the other queue */
size_t X(form_work_bytes)(const exec_t *ex, int64_t rows, int64_t cols,
                          int64_t k, queue_t queue);
/* U := the leading columns of Q, from the reflectors in the first r columns of A,
 * unless U.data is NULL; queued as form_async queues it.  A may change at once. */
gsvd_status_t X(urv_form_u)(const exec_t *ex, const async_work_t *w, mat_t A,
                            int64_t r, const scalar_t *tau, mat_t U);
/* A := (0 R; 0 0) = A Q, where A's first r = E.cols rows are the trapezoid that
 * pivoted QR left, or, if is_full, any rows, r < A.cols.  E and tau hold Q, unless
 * r = A.cols: then Q = I and they are not set. */
gsvd_status_t X(urv_triangle)(const exec_t *ex, mat_t A, int is_full, mat_t E,
                              scalar_t *tau);
/* C := P Q C (side 'L') or C P Q ('R') with Q of urv_triangle and the P of pivoted QR;
 * work is rearrange's. */
gsvd_status_t X(urv_apply)(const exec_t *ex, char side, const int *perm,
                           mat_t E, const scalar_t *tau, mat_t C, mat_t work);

#define urv_work_t X(urv_work_t)
typedef struct urv_work_t {
    mat_t E;    /* n x min(m,n): the flipped transpose of a trapezoid        */
    mat_t work; /* rearrange's, for V                                        */
    scalar_t *tau_u, *tau_v;
    int *perm;
    async_work_t async; /* of U                                              */
} urv_work_t;

/* Takes w out of the arena, for an m x n matrix, u columns of U and v of V. */
void X(urv_carve)(arena_t *a, const exec_t *ex, int64_t m, int64_t n, int64_t u,
                  int64_t v, urv_work_t *w);

/* A := (0 R; 0 0), where R is upper triangular of order *r.  U and V are formed if they have data:
 * the leading columns of U and the trailing columns of V, min(m,n) of them or more.  tol and
 * waiting are those of geqpf.  QUEUE_FACTOR is joined at the end. */
gsvd_status_t X(urv_factor)(const exec_t *ex, mat_t A, mat_t U, mat_t V,
                            real_t tol, int64_t *r, urv_work_t *w);

/* -- by_rows.c ----------------------------------------------------------------- */

/* D of one matrix: 2^up[i] times row i has its largest entry in [1/2, 1). */
#define row_scales_t X(row_scales_t)
typedef struct row_scales_t {
    int on;         /* Its rank is to be decided by these.                   */
    int *up, *down; /* of each row; down[i] = -up[i]                         */
    int top; /* The largest entry of 2^top D times the matrix is next to 2^top. */
    real_t tol; /* against that                                          */
} row_scales_t;

/* Memory where the policy asks for ranks relative to rows */
#define by_rows_t X(by_rows_t)
typedef struct by_rows_t {
    int is_wanted;
    row_scales_t a, b;
    mat_t copy;   /* one column: A or B, or the reflectors of U or V         */
    mat_t square; /* T                                                       */
    real_t *ones; /* max(m,p)                                                */
    int *perm;    /* P'                                                      */
} by_rows_t;

/* A pivoted QR, A P = Q (W; 0) */
#define rank_qr_t X(rank_qr_t)
typedef struct rank_qr_t {
    int64_t rank;     /* the rows of W, which are A's first ones             */
    mat_t reflectors; /* Its first columns hold Q's: A, or by_rows_t.copy.   */
    int is_full; /* W is full and has fewer rows than columns; else it is the
                         trapezoid on and above A's diagonal.                */
} rank_qr_t;

/* Takes w out of the arena; nothing where the policy does not ask for it. */
void X(by_rows_carve)(arena_t *a, const exec_t *ex, int64_t m, int64_t n,
                      int64_t p, by_rows_t *w);
/* Bytes of work that geqp_by_rows takes beside that for an m x n matrix */
size_t X(by_rows_bytes)(const exec_t *ex, int64_t m, int64_t n);
/* s := the scales of A's rows, if they differ, and the tolerance of the rank of 2^top D A, `given` if
 * that is not negative.  No entry of A is above 2^top; size gets A.rows numbers.  Waits. */
gsvd_status_t X(measure_rows)(const exec_t *ex, mat_t A, real_t given, int top,
                              real_t *size, const by_rows_t *w,
                              row_scales_t *s);
/* The pivoted QR of A by the scales s, A's rows in decreasing order of size.  S has room for
 * rank x A.cols entries.  w->copy is used as long as qr->reflectors is.  Waits. */
gsvd_status_t X(geqp_by_rows)(const exec_t *ex, mat_t A, mat_t S,
                              const row_scales_t *s, const by_rows_t *w,
                              int *perm, scalar_t *tau, rank_qr_t *qr);

/* -- preprocess.c ----------------------------------------------------------- */

#define preprocess_work_t X(preprocess_work_t)
typedef struct preprocess_work_t {
    mat_t E;    /* one column: the flipped transposes of the trapezoids of B
                   and, behind it, of A                                      */
    mat_t work; /* rearrange's, for A, B, U, V and Q                         */
    scalar_t *tau_v, *tau_b, *tau_a;
    scalar_t *tau_u;         /* min(m,n): those of U2, then those of U3      */
    int *perm_b, *perm_a;    /* columns, of P1 and P2                        */
    int *perm_a23;           /* of P3                                        */
    real_t *size_b, *size_a; /* the largest entry of each row                */
    int *row_perm;           /* Pa or Pb                                     */
    int *row_inverse_b;      /* Pb^T                                         */
    int *row_inverse_a;      /* Pa^T                                         */
    int lost; /* Columns are too short for scales to make them alike. */
    by_rows_t by_rows;
    rank_qr_t qr_b, qr_a; /* 1 and 4                                      */
    async_work_t async;   /* of U and V                                   */
} preprocess_work_t;

/* Takes w out of the arena, for u columns of U and v of V. */
void X(preprocess_carve)(arena_t *a, const exec_t *ex, int64_t m, int64_t n,
                         int64_t p, int64_t u, int64_t v, preprocess_work_t *w);

/* Bytes of work that preprocess_pair takes beside preprocess_work_t */
size_t X(preprocess_work_bytes)(const exec_t *ex, int64_t m, int64_t n,
                                int64_t p, int64_t u, int64_t v);

/* P becomes the triangular pair, with k, l, U, V and Q.  Negative tola and tolb become LAPACK's.
 * If P says that rows are to be sorted, w holds their sizes.  Waits for the ranks.  QUEUE_FACTOR
 * is joined at the end. */
gsvd_status_t X(preprocess_pair)(const exec_t *ex, pair_t *P,
                                 preprocess_work_t *w);

/* P gets LAPACK's tola and tolb where they are negative.  May wait. */
gsvd_status_t X(default_tolerances)(const exec_t *ex, pair_t *P);

/* -- equilibrate.c ------------------------------------------------------------ */

/* Are the rows of X_ to be sorted?  r: of norms_by_row */
GSVD_FN int sorts_rows(mat_t X_, const norms_t *r)
{
    return rows_are_sorted(r->largest, r->least_row) ||
           zeros_are_sorted(X_.rows, r->rows, X_.cols);
}

/* If the policy wants it and columns of the pair differ: P->equilibrated := 1, P->d := the scales,
 * B := B D, and the sizes of B's rows, its norm and its tolerance become those of B D.  The
 * tolerances of P must be set.  Waits. */
gsvd_status_t X(equilibrate_b)(const exec_t *ex, pair_t *P,
                               preprocess_work_t *w);
/* The same for A, after B's rank is known.  But if B has full column rank, no columns of different
 * size are mixed: then the triangle of B's QR, in B, is scaled back, A is unchanged, and
 * P->equilibrated := 0; but not for xTGSJA, whose errors are small against norms alone.  Waits. */
gsvd_status_t X(equilibrate_a)(const exec_t *ex, pair_t *P,
                               preprocess_work_t *w);

#if defined __cplusplus
}
#endif

#endif /* GSVD_URV_URV_H */
