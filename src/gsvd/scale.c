/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* scale.c -- powers of two that bring the largest entries of A and B to 1.
 *
 * Exact, so the backward error is that of the scaled pair; without it products
 * of A and B over- or underflow, and stacking A on B would round the smaller
 * one against the larger.
 */
#include "gsvd/pipeline.h"

/* e: the largest entry of 2^-e A is next to 1, norm: ||2^-e A||_1, or 0 where
 * its sum may have overflowed or lost digits; tol goes with it */
static gsvd_status_t exponent_of(gsvd_handle_t h, const backend_t *be, mat_t A,
                                 int *e, real_t *norm, real_t *tol,
                                 const call_t *c, int i, const char *name)
{
    measure_t r;
    GSVD_TRY(be->measure(h, A, &r));
    if (!r.finite)
        return gsvd_illegal(h, c->info, i, name, "has a NaN or an infinity");
    *e = r.largest > 0 ? exponent_r(r.largest) + 1 : 0;
    *norm = 0;
    if (r.norm1 > GSVD_SAFMIN / GSVD_ULP && r.norm1 <= GSVD_REAL_MAX)
        *norm = ldexp_r(r.norm1, -*e);
    if (*tol > 0)
        *tol = ldexp_r(*tol, -*e);
    return GSVD_SUCCESS;
}

/* Both are looked at before one is changed: what is refused stays as it was. */
gsvd_status_t X(scale_pair)(gsvd_handle_t h, const backend_t *be,
                            const call_t *c, pair_t *P)
{
    GSVD_TRY(exponent_of(h, be, P->A, &P->ea, &P->norm_a, &P->tola, c,
                         gsvd_argument_a(c->routine), "A"));
    GSVD_TRY(exponent_of(h, be, P->B, &P->eb, &P->norm_b, &P->tolb, c,
                         gsvd_argument_b(c->routine), "B"));
    GSVD_TRY(be->shift(h, P->A, -P->ea));
    return be->shift(h, P->B, -P->eb);
}

gsvd_status_t X(unscale_pair)(gsvd_handle_t h, const backend_t *be, pair_t *P)
{
    GSVD_TRY(be->shift(h, P->A, P->ea));
    return be->shift(h, P->B, P->eb);
}
