/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* run.c -- the GSVD of one pair, whoever computes it.
 *
 *     A = U D1 (0 R) Q^H,   B = V D2 (0 R) Q^H
 *
 *     1  scale        A := 2^-ea A, B := 2^-eb B     entries at most 1
 *     2  preprocess   U^H A Q = (0 A12 A13; 0 0 A23), V^H B Q = (0 0 B13)
 *     3  solve        A23 = U~ C H, B13 = V~ S H     C^2 + S^2 = I
 *     4  sort         alpha, beta of the caller's pair, alpha descending
 *     5  assemble     H = R22 Q~^H; R, U, V, Q
 */
#include "gsvd/pipeline.h"

gsvd_status_t X(run_gsvd)(gsvd_handle_t h, const backend_t *be, const call_t *c,
                          pair_t *P, work_t *w)
{
    GSVD_TRY(X(scale_pair)(h, be, c, P, &w->pre));          /* 1 */
    GSVD_TRY(X(preprocess_pair)(h, be, P, &w->pre));        /* 2 */
    GSVD_TRY(X(solve_pair)(h, be, P, &w->solve));           /* 3 */
    GSVD_TRY(X(sort_values)(h, be, P, &w->solve, &w->out)); /* 4 */
    return X(assemble)(h, be, P, &w->solve, &w->out);       /* 5 */
}

/* xGGSVP3's job: steps 1 and 2 */
gsvd_status_t X(run_preprocess)(gsvd_handle_t h, const backend_t *be,
                                const call_t *c, pair_t *P, work_t *w)
{
    GSVD_TRY(X(scale_pair)(h, be, c, P, &w->pre));
    GSVD_TRY(X(preprocess_pair)(h, be, P, &w->pre));
    return X(unscale_pair)(h, be, P);
}

/* xTGSJA's job: steps 1 and 3 to 5 of a pair that is triangular */
gsvd_status_t X(run_solve)(gsvd_handle_t h, const backend_t *be,
                           const call_t *c, pair_t *P, work_t *w)
{
    GSVD_TRY(X(scale_pair)(h, be, c, P, NULL));
    GSVD_TRY(X(default_tolerances)(h, be, P));
    GSVD_TRY(X(solve_pair)(h, be, P, &w->solve));
    GSVD_TRY(X(sort_values)(h, be, P, &w->solve, &w->out));
    return X(assemble)(h, be, P, &w->solve, &w->out);
}
