/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* scale.c -- powers of two that bring the largest entries of A and B to 1.
 *
 * Exact, so the backward error is that of the scaled pair; without it products
 * of A and B over- or underflow, and stacking A on B would round the smaller
 * one against the larger.
 */
#include "gsvd/pipeline.h"

static gsvd_status_t scale_one(gsvd_handle_t h, const backend_t *be, mat_t A,
                               int *e, real_t *tol, const call_t *c, int i,
                               const char *name)
{
    measure_t r;
    GSVD_TRY(be->measure(h, A, &r));
    if (!r.finite)
        return gsvd_illegal(h, c->info, i, name, "has a NaN or an infinity");
    *e = r.largest > 0 ? exponent_r(r.largest) + 1 : 0;
    if (*tol > 0)
        *tol = ldexp_r(*tol, -*e);
    return be->shift(h, A, -*e);
}

gsvd_status_t X(scale_pair)(gsvd_handle_t h, const backend_t *be,
                            const call_t *c, pair_t *P)
{
    GSVD_TRY(scale_one(h, be, P->A, &P->ea, &P->tola, c,
                       gsvd_argument_a(c->routine), "A"));
    return scale_one(h, be, P->B, &P->eb, &P->tolb, c,
                     gsvd_argument_b(c->routine), "B");
}

gsvd_status_t X(unscale_pair)(gsvd_handle_t h, const backend_t *be, pair_t *P)
{
    GSVD_TRY(be->shift(h, P->A, P->ea));
    return be->shift(h, P->B, P->eb);
}
