/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* equilibrate.c -- columns of a pair made alike: (A D, B D) in the place of (A, B).
 *
 * A common scale of the columns changes no generalized value: A = U D1 X^H and B = V D2 X^H become
 * A D = U D1 (D X)^H, B D = V D2 (D X)^H.  But steps that mix columns of different size lose the
 * small ones, and tolerances against the norm do not count them.
 *
 * D has powers of two, so that nothing is rounded.  d_j is the largest with which column j is no
 * longer than the longest column, in A and in B.  So d_j >= 1, and |A D| and |B D| are |A| and |B|
 * up to a factor of 2.  An error of rounding against |A D| is one of rounding / d_j against |A| in
 * A's column j.  The scaled pair is never less stable than the pair itself.  It loses no rank: no
 * singular value becomes smaller, and no tolerance becomes larger, unless all columns count
 * anyway.
 *
 * What the ranks are is a choice.  A column below rounding of the longest, in A and in B, may be a
 * zero with rounding errors, or have another unit of measurement.  LAPACK's tolerances take it for
 * a zero.  GSVD_EQUILIBRATE_AUTO does the same and leaves it as it is.
 */
#include "core/column_scale.h"
#include "core/range.h"
#include "urv/urv.h"

/* Computes the sizes of X_'s rows, and whether to sort them, anew.  If the caller gave no
 * tolerance, *tol := LAPACK's tolerance of X_, but no more than *tol was unless all columns are to
 * count */
static gsvd_status_t measure(const exec_t *ex, mat_t X_, int given,
                             real_t *size, real_t *tol, int *sort)
{
    norms_t r;
    GSVD_TRY(ex->op->norms_by_row(ex, X_, size, &r));
    *sort = sorts_rows(X_, &r);
    const real_t scaled = rank_tolerance(X_.rows, X_.cols, r.norm1);
    const int all = ex->policy.equilibrate == GSVD_EQUILIBRATE_ON;
    if (!given && (all || scaled < *tol))
        *tol = scaled;
    return GSVD_SUCCESS;
}

/* Does the policy want it of this pair? */
static int is_wanted(const exec_t *ex, const pair_t *P)
{
    const gsvd_equilibrate_t how = ex->policy.equilibrate;
    return P->d && P->m + P->p > 0 && how != GSVD_EQUILIBRATE_OFF &&
           (how == GSVD_EQUILIBRATE_ON || (!P->given_a && !P->given_b));
}

gsvd_status_t X(equilibrate_b)(const exec_t *ex, pair_t *P,
                               preprocess_work_t *w)
{
    const int all = ex->policy.equilibrate == GSVD_EQUILIBRATE_ON;
    const real_t least_a = all ? 0 : P->tola, least_b = all ? 0 : P->tolb;
    real_t *const a = (real_t *)w->E.data, *const b = (real_t *)w->work.data;
    real_t most; /* n entries and more of E and of work are free             */

    if (!is_wanted(ex, P))
        return GSVD_SUCCESS;
    GSVD_TRY(ex->op->column_norms(ex, P->A, a));
    GSVD_TRY(ex->op->column_norms(ex, P->B, b));
    GSVD_TRY(
        ex->op->joint_scales(ex, P->n, a, b, least_a, least_b, P->d, &most));
    /* Asked for, it is done unless lengths are alike. */
    P->equilibrated = all ? most > 4 : sizes_differ(most, 1);
    w->lost = scales_end(most) && P->tola + P->tolb > 0;
    if (!P->equilibrated)
        return GSVD_SUCCESS;
    GSVD_TRY(ex->op->scale_columns(ex, P->B, P->d, P->B));
    return measure(ex, P->B, P->given_b, w->size_b, &P->tolb, &P->sort_b);
}

/* B's triangle, whose column j was B's column perm_b[j], times D^-1 */
static gsvd_status_t scale_back(const exec_t *ex, const pair_t *P,
                                const preprocess_work_t *w)
{
    real_t *const d = (real_t *)w->work.data;
    const mat_t R = mat_rows(P->B, 0, P->l);
    GSVD_TRY(ex->op->values_permute(ex, P->n, P->d, w->perm_b, d));
    return ex->op->normalize_columns(ex, R, d, R);
}

gsvd_status_t X(equilibrate_a)(const exec_t *ex, pair_t *P,
                               preprocess_work_t *w)
{
    if (!P->equilibrated)
        return GSVD_SUCCESS;
    if (P->l == P->n && ex->policy.solver != GSVD_SOLVER_TGSJA) {
        P->equilibrated = 0;
        return scale_back(ex, P, w);
    }
    if (!P->Q.data && !P->values_only)
        P->Q = P->spare;
    GSVD_TRY(ex->op->scale_columns(ex, P->A, P->d, P->A));
    return measure(ex, P->A, P->given_a, w->size_a, &P->tola, &P->sort_a);
}
