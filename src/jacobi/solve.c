/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* solve.c -- the GSVD of a triangular pair: which road.
 *
 *     A23 = U C H,   B13 = V S H,   C^2 + S^2 = I
 */
#include "jacobi/jacobi.h"

/* xTGSJA, its U and V orthonormalized: the lengths of LAPACK's columns drift
 * with the number of rotations. */
static gsvd_status_t kogbetliantz(const exec_t *ex, mat_t A, mat_t B,
                                  const pair_t *P, solve_work_t *w,
                                  outcome_t *out, int *converged)
{
    const int64_t m1 = A.rows, l = B.rows;
    const mat_t G = of_b(w->GF, l), F = of_a(w->GF, l, m1, m1);

    GSVD_TRY(ex->op->tgsja(ex, A, B, P->tola, P->tolb, F, G, w->c, w->s,
                           &out->sweeps, converged));
    if (!*converged)
        return GSVD_SUCCESS;
    GSVD_TRY(X(orthonormalize)(ex, F, of_a(w->W, l, m1, m1), w->tau));
    GSVD_TRY(X(orthonormalize)(ex, G, of_b(w->W, l), w->tau));
    exchange_stacks(w);
    return GSVD_SUCCESS;
}

static gsvd_status_t solve(const exec_t *ex, mat_t A, mat_t B, const pair_t *P,
                           solve_work_t *w, outcome_t *out)
{
    if (out->solver == GSVD_SOLVER_TGSJA) {
        int converged;
        GSVD_TRY(kogbetliantz(ex, A, B, P, w, out, &converged));
        if (converged)
            return GSVD_SUCCESS;
        out->solver = GSVD_SOLVER_JACOBI; /* where LAPACK gives up           */
        out->sweeps = 0;
    }
    if (P->values_only)
        return X(csd_values)(ex, A, B, w, out);
    return X(csd)(ex, A, B, w, out);
}

gsvd_status_t X(solve_pair)(const exec_t *ex, const pair_t *P, solve_work_t *w,
                            outcome_t *out)
{
    const int64_t m1 = pair_m1(P), l = P->l;
    const mat_t A23 = mat_sub(P->A, P->k, P->n - l, m1, l);
    const mat_t B13 = mat_sub(P->B, 0, P->n - l, l, l);

    out->solver = ex->policy.solver;
    return l > 0 ? solve(ex, A23, B13, P, w, out) : GSVD_SUCCESS;
}
