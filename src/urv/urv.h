/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* urv.h -- RQ factorization and the preprocessing of a pair: drivers. */
#ifndef GSVD_URV_URV_H
#define GSVD_URV_URV_H

#include "core/backend.h"
#include "core/pair.h"

#if defined __cplusplus
extern "C" {
#endif

/* -- gerqf.c: A = (0 R) Q^H for an r x n A, r <= n -------------------------- */

/* E := the QR factorization of A's flipped transpose; n x r */
gsvd_status_t X(rq_factor)(gsvd_handle_t h, const backend_t *be, mat_t A,
                           mat_t E, scalar_t *tau);
/* R := the triangle, r x r */
gsvd_status_t X(rq_triangle)(gsvd_handle_t h, const backend_t *be, mat_t E,
                             mat_t R);
/* C := Q C (side 'L') or C Q ('R'); spare as large as C */
gsvd_status_t X(rq_apply)(gsvd_handle_t h, const backend_t *be, char side,
                          mat_t E, const scalar_t *tau, mat_t C, mat_t spare);

/* -- preprocess.c ----------------------------------------------------------- */

#define preprocess_work_t X(preprocess_work_t)
typedef struct preprocess_work_t {
    mat_t Eb, Ea; /* flipped transposes of the trapezoids of B and A         */
    mat_t spare;  /* max(m,n) x n                                            */
    scalar_t *tau_v, *tau_b, *tau_a;
    scalar_t *tau_u; /* min(m,n): of U2, and of U3 behind them               */
    int *perm_b, *perm_a;
} preprocess_work_t;

void X(preprocess_carve)(arena_t *a, int64_t m, int64_t n, int64_t p,
                         preprocess_work_t *w);

/* The triangular pair, k, l, U, V, Q; tola and tolb are set if negative. */
gsvd_status_t X(preprocess_pair)(gsvd_handle_t h, const backend_t *be,
                                 pair_t *P, preprocess_work_t *w);

/* The tolerances of P that are negative := LAPACK's. */
gsvd_status_t X(default_tolerances)(gsvd_handle_t h, const backend_t *be,
                                    pair_t *P);

#if defined __cplusplus
}
#endif

#endif /* GSVD_URV_URV_H */
