/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* sort.c -- alpha and beta of the caller's pair, alpha descending.
 *
 * Pairs of equal alpha, such as those that round to 1, are sorted by beta, ascending.
 */
#include "core/value_pair.h"
#include "gsvd/pipeline.h"

/* Are they sorted?  Only the host is asked, where testing costs less than sorting. */
static int in_order(const exec_t *ex, int64_t l, const real_t *alpha,
                    const real_t *beta)
{
    if (ex->h->space->on_device)
        return 0;
    for (int64_t i = 1; i < l; ++i)
        if (value_pair_before(alpha, beta, i, i - 1))
            return 0;
    return 1;
}

gsvd_status_t X(sort_values)(const exec_t *ex, pair_t *P, solve_work_t *s,
                             assemble_work_t *w)
{
    const int64_t k = P->k, l = P->l, r = k + l, n = P->n;
    real_t *const alpha = P->alpha + k, *const beta = P->beta + k;

    GSVD_TRY(ex->op->values_set(ex, 0, k, 1, P->alpha));
    GSVD_TRY(ex->op->values_set(ex, 0, k, 0, P->beta));
    GSVD_TRY(ex->op->values_set(ex, r, n, 0, P->alpha));
    GSVD_TRY(ex->op->values_set(ex, r, n, 0, P->beta));

    GSVD_TRY(ex->op->normalize_values(ex, l, P->ea, P->eb, s->c, s->s, alpha,
                                      beta, w->g, w->e));
    if (in_order(ex, l, alpha, beta)) {
        real_t *const c = w->c, *const sine = w->s;
        w->c = s->c;
        w->s = s->s;
        s->c = c;
        s->s = sine;
        return GSVD_SUCCESS;
    }
    GSVD_TRY(ex->op->values_order(ex, l, alpha, beta, s->perm));
    GSVD_TRY(ex->op->values_permute(ex, l, s->c, s->perm, w->c));
    GSVD_TRY(ex->op->values_permute(ex, l, s->s, s->perm, w->s));
    GSVD_TRY(ex->op->normalize_values(ex, l, P->ea, P->eb, w->c, w->s, alpha,
                                      beta, w->g, w->e));
    if (P->values_only)
        return GSVD_SUCCESS;
    /* Pairs without a row of A, c = 0, are last already: U keeps its m1 columns. */
    return X(reorder)(ex, pair_m1(P), l, s->perm, s);
}
