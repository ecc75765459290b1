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
 *
 * A pair of a few columns takes the short road of src/small, where that dares.
 */
#include "gsvd/pipeline.h"
#include "small/small.h"

/* 1, 2 */
static gsvd_status_t triangles(gsvd_handle_t h, const backend_t *be,
                               const call_t *c, pair_t *P, work_t *w)
{
    if (X(small_preprocess)(h, P))
        return GSVD_SUCCESS;
    GSVD_TRY(X(scale_pair)(h, be, c, P, &w->pre));
    return X(preprocess_pair)(h, be, P, &w->pre);
}

/* 3 to 5 */
static gsvd_status_t factors(gsvd_handle_t h, const backend_t *be, pair_t *P,
                             work_t *w)
{
    if (X(small_solve)(h, P))
        return X(look_for_overflow_of_pair)(h, be, P);
    GSVD_TRY(X(solve_pair)(h, be, P, &w->solve));           /* 3 */
    GSVD_TRY(X(sort_values)(h, be, P, &w->solve, &w->out)); /* 4 */
    return X(assemble)(h, be, P, &w->solve, &w->out);       /* 5 */
}

gsvd_status_t X(run_gsvd)(gsvd_handle_t h, const backend_t *be, const call_t *c,
                          pair_t *P, work_t *w)
{
    GSVD_TRY(triangles(h, be, c, P, w));
    return factors(h, be, P, w);
}

/* xGGSVP3's job: steps 1 and 2 */
gsvd_status_t X(run_preprocess)(gsvd_handle_t h, const backend_t *be,
                                const call_t *c, pair_t *P, work_t *w)
{
    GSVD_TRY(triangles(h, be, c, P, w));
    return X(unscale_pair)(h, be, P);
}

/* xTGSJA's job: steps 1 and 3 to 5 of a pair that is triangular */
gsvd_status_t X(run_solve)(gsvd_handle_t h, const backend_t *be,
                           const call_t *c, pair_t *P, work_t *w)
{
    GSVD_TRY(X(scale_pair)(h, be, c, P, NULL));
    GSVD_TRY(X(default_tolerances)(h, be, P));
    return factors(h, be, P, w);
}
