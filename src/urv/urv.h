/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* urv.h -- RQ and complete orthogonal factorization, preprocessing of a pair:
 * drivers. */
#ifndef GSVD_URV_URV_H
#define GSVD_URV_URV_H

#include "core/backend.h"
#include "core/pair.h"

#if defined __cplusplus
extern "C" {
#endif

/* -- gerqf.c: A = (0 R) Q^H for an r x n A, r <= n -------------------------- */

/* E := the QR factorization of A's flipped transpose; n x r */
gsvd_status_t X(rq_factor)(const exec_t *ex, mat_t A, mat_t E, scalar_t *tau);
/* R := the triangle, r x r */
gsvd_status_t X(rq_triangle)(const exec_t *ex, mat_t E, mat_t R);
/* C := Q C (side 'L') or C Q ('R'); spare as below */
gsvd_status_t X(rq_apply)(const exec_t *ex, char side, mat_t E,
                          const scalar_t *tau, mat_t C, mat_t spare);

/* Row i of C to perm[i] (side 'L'), or column perm[j] of C to j ('R'), in reverse order
 * if perm is NULL: as many columns, or rows, at a time as spare has room for, one
 * column of spare's entries, at least as many as C has rows, or columns. */
gsvd_status_t X(rearrange)(const exec_t *ex, char side, const int *perm,
                           mat_t C, mat_t spare);
/* Entries of such a spare for matrices up to rows x cols */
int64_t X(spare_entries)(int64_t rows, int64_t cols);

/* -- urv.c: A = U (0 R; 0 0) V^H --------------------------------------------- */

/* Memory of the work that goes on in QUEUE_FACTOR. */
#define async_work_t X(async_work_t)
typedef struct async_work_t {
    buffer_t work, products;
} async_work_t;
/* U := Q of the k reflectors that it holds.  Where that pays it is queued in
 * QUEUE_FACTOR, until join. */
gsvd_status_t X(form_async)(const exec_t *ex, const async_work_t *w, mat_t U,
                            int64_t k, const scalar_t *tau);
/* Bytes of work for a U, rows x cols, from at most k reflectors: async_work_t's if
 * async is 1, of the caller's queue if it is 0; 0 where U is not formed there. */
size_t X(form_bytes_beside)(const exec_t *ex, int64_t rows, int64_t cols,
                            int64_t k, int async);
/* The same, where there are data, from the reflectors in the first r columns of
 * A, which may change */
gsvd_status_t X(urv_form_u)(const exec_t *ex, const async_work_t *w, mat_t A,
                            int64_t r, const scalar_t *tau, mat_t U);
/* What pivoted QR left of r rows in A, r = E.cols, to (0 R; 0 0): the RQ of
 * these rows is in E and tau, and not needed where R has all of A's columns. */
gsvd_status_t X(urv_triangle)(const exec_t *ex, mat_t A, mat_t E,
                              scalar_t *tau);
/* C := P Q C (side 'L') or C P Q ('R') with Q of urv_triangle; spare as above */
gsvd_status_t X(urv_apply)(const exec_t *ex, char side, const int *perm,
                           mat_t E, const scalar_t *tau, mat_t C, mat_t spare);

#define urv_work_t X(urv_work_t)
typedef struct urv_work_t {
    mat_t E;     /* n x min(m,n): the flipped transpose of a trapezoid       */
    mat_t spare; /* of entries for V                                         */
    scalar_t *tau_u, *tau_v;
    int *perm;
    async_work_t async; /* of U                                              */
} urv_work_t;

/* for an m x n matrix, u columns of U and v of V */
void X(urv_carve)(arena_t *a, const exec_t *ex, int64_t m, int64_t n, int64_t u,
                  int64_t v, urv_work_t *w);

/* A := (0 R; 0 0) with R of order *r, upper triangular; U, V where there are
 * data: U's leading, V's trailing columns, min(m,n) of them or more.  tol and
 * waiting as in geqpf. */
gsvd_status_t X(urv_factor)(const exec_t *ex, mat_t A, mat_t U, mat_t V,
                            real_t tol, int64_t *r, urv_work_t *w);

/* -- preprocess.c ----------------------------------------------------------- */

#define preprocess_work_t X(preprocess_work_t)
typedef struct preprocess_work_t {
    mat_t E;     /* one column: the flipped transposes of the trapezoids of B
                    and, behind it, of A                                     */
    mat_t spare; /* of entries for A, B, U, V and Q                          */
    scalar_t *tau_v, *tau_b, *tau_a;
    scalar_t *tau_u; /* min(m,n): of U2, and of U3 behind them               */
    int *perm_b, *perm_a;
    real_t *size_b, *size_a; /* the largest entry of each row                */
    int *place;              /* where each row goes, of B or A,              */
    int *from_b, *from_a;    /* and where it came from                       */
    async_work_t async;      /* of U and V                                   */
} preprocess_work_t;

/* U and V have u and v columns. */
void X(preprocess_carve)(arena_t *a, const exec_t *ex, int64_t m, int64_t n,
                         int64_t p, int64_t u, int64_t v, preprocess_work_t *w);

/* Bytes of work beside these arrays */
size_t X(preprocess_work_bytes)(const exec_t *ex, int64_t m, int64_t n,
                                int64_t p, int64_t u, int64_t v);

/* The triangular pair, k, l, U, V, Q; tola and tolb are set if negative.  The
 * sizes of rows that are to be sorted are in w. */
gsvd_status_t X(preprocess_pair)(const exec_t *ex, pair_t *P,
                                 preprocess_work_t *w);

/* The tolerances of P that are negative := LAPACK's. */
gsvd_status_t X(default_tolerances)(const exec_t *ex, pair_t *P);

#if defined __cplusplus
}
#endif

#endif /* GSVD_URV_URV_H */
