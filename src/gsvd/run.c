/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* run.c -- the GSVD of one pair, whoever computes it.
 *
 *     A = U D1 (0 R) Q^H,   B = V D2 (0 R) Q^H
 */
#include "gsvd/pipeline.h"

gsvd_status_t X(run_gsvd)(gsvd_handle_t h, const backend_t *be, const call_t *c,
                          pair_t *P, work_t *w)
{
    GSVD_TRY(X(scale_pair)(h, be, c, P));            /* entries at most 1  */
    GSVD_TRY(X(preprocess_pair)(h, be, P, &w->pre)); /* triangular, k, l   */
    GSVD_TRY(X(solve_pair)(h, be, P, &w->solve));    /* (A23; B13) = UCH.. */
    GSVD_TRY(X(sort_values)(h, be, P, &w->solve, &w->out)); /* alpha, beta   */
    return X(assemble)(h, be, P, &w->solve, &w->out); /* H = R Q^H; U, V, Q */
}

gsvd_status_t X(run_preprocess)(gsvd_handle_t h, const backend_t *be,
                                const call_t *c, pair_t *P, work_t *w)
{
    GSVD_TRY(X(scale_pair)(h, be, c, P));
    GSVD_TRY(X(preprocess_pair)(h, be, P, &w->pre));
    return X(unscale_pair)(h, be, P);
}

gsvd_status_t X(run_solve)(gsvd_handle_t h, const backend_t *be,
                           const call_t *c, pair_t *P, work_t *w)
{
    GSVD_TRY(X(scale_pair)(h, be, c, P));
    GSVD_TRY(X(default_tolerances)(h, be, P));
    GSVD_TRY(X(solve_pair)(h, be, P, &w->solve));
    GSVD_TRY(X(sort_values)(h, be, P, &w->solve, &w->out));
    return X(assemble)(h, be, P, &w->solve, &w->out);
}
