/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* solve.c -- the GSVD of a triangular pair: which road.
 *
 *     A23 = U C H,   B13 = V S H,   C^2 + S^2 = I
 */
#include "jacobi/jacobi.h"

/* xTGSJA, its U and V orthonormalized: the lengths of LAPACK's columns drift
 * with the number of rotations. */
static gsvd_status_t kogbetliantz(gsvd_handle_t h, const backend_t *be, mat_t A,
                                  mat_t B, const pair_t *P, solve_work_t *w)
{
    const int64_t m1 = A.rows, l = B.rows;
    const mat_t G = of_b(w->GF, l), F = of_a(w->GF, l, m1, m1);

    GSVD_TRY(be->tgsja(h, A, B, P->tola, P->tolb, F, G, w->c, w->s,
                       &h->stats.sweeps));
    if (!h->stats.converged)
        return GSVD_SUCCESS;
    GSVD_TRY(X(orthonormalize)(h, be, F, of_a(w->W, l, m1, m1), w->tau));
    GSVD_TRY(X(orthonormalize)(h, be, G, of_b(w->W, l), w->tau));
    exchange_stacks(w);
    return GSVD_SUCCESS;
}

static gsvd_status_t solve(gsvd_handle_t h, const backend_t *be, mat_t A,
                           mat_t B, const pair_t *P, solve_work_t *w)
{
    if (h->stats.solver == GSVD_SOLVER_TGSJA) {
        GSVD_TRY(kogbetliantz(h, be, A, B, P, w));
        if (h->stats.converged)
            return GSVD_SUCCESS;
        h->stats.solver = GSVD_SOLVER_JACOBI; /* where LAPACK gives up       */
        h->stats.sweeps = 0;
        h->stats.converged = 1;
    }
    if (P->values_only)
        return X(csd_values)(h, be, A, B, w);
    return X(csd)(h, be, A, B, w);
}

gsvd_status_t X(solve_pair)(gsvd_handle_t h, const backend_t *be,
                            const pair_t *P, solve_work_t *w)
{
    const int64_t m1 = pair_m1(P), l = P->l;
    const mat_t A23 = mat_sub(P->A, P->k, P->n - l, m1, l);
    const mat_t B13 = mat_sub(P->B, 0, P->n - l, l, l);

    h->stats.solver = (gsvd_solver_t)h->option[GSVD_SOLVER];
    if (l > 0)
        GSVD_TRY(solve(h, be, A23, B13, P, w));
    gsvd_lap(h, &h->stats.seconds_solve);
    return GSVD_SUCCESS;
}
