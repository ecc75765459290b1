/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* team_jacobi.h -- one-sided Jacobi on the columns of a tile, by a team: the pairs of a step of
 * the ordering are disjoint, so that each squad takes its own. */
#ifndef GSVD_BATCH_TEAM_JACOBI_H
#define GSVD_BATCH_TEAM_JACOBI_H

#include "batch/team_qr.h"
#include "jacobi/ordering.h"

/* Columns p and q of G := orthogonal, the longer one first; those of C, if it is there, go
 * along.  1 if they were not.  For a squad. */
TEAM_FN int team_jacobi_pair(team_t t, tile_t G, tile_t C, real_t tol, int p,
                             int q)
{
    real_t app, aqq;
    scalar_t apq;
    column_gram(t, G.rows, &AT(G, 0, p), &AT(G, 0, q), &app, &aqq, &apq);
    const rotation_t r = jacobi_rotation(app, aqq, apq, tol);
    if (r.rotate || r.swap) {
        column_rotate(t, G.rows, &AT(G, 0, p), &AT(G, 0, q), r);
        if (C.data)
            column_rotate(t, C.rows, &AT(C, 0, p), &AT(C, 0, q), r);
    }
    return r.rotate || r.swap;
}

/* Sweeps until the columns of G are orthogonal, at most so many.  Returns 1 if they are. */
TEAM_STEP int team_orthogonalize(team_t t, tile_t G, tile_t C, double given,
                                 int sweeps)
{
    const real_t tol = jacobi_tolerance(given, G.rows);
    const int n = G.cols;
    int turned = n > 1;

    for (int sweep = 0; turned && sweep < sweeps; ++sweep) {
        turned = 0;
        for (int step = 0; step < n; ++step) {
            const int pairs = (int)ordering_pairs(n, step);
            for (int i = team_squad(t); i < pairs; i += team_squads(t)) {
                int64_t p, q;
                if (ordering_pair(n, step, i, &p, &q))
                    turned |= team_jacobi_pair(t, G, C, tol, (int)p, (int)q);
            }
            team_sync(t);
        }
        turned = team_any(t, turned);
    }
    return !turned;
}

/* G := the unitary factor of G = Q R, R with a nonnegative diagonal; phase has room for the
 * columns */
TEAM_STEP void team_orthonormalize(team_t t, tile_t G, scalar_t *tau,
                                   scalar_t *phase)
{
    team_qr(t, G, tau);
    for (int j = team_rank(t); j < G.cols; j += team_size(t))
        phase[j] = direction(AT(G, j, j));
    team_sync(t);
    team_form_q(t, G, G.cols, tau);
    for (int j = team_squad(t); j < G.cols; j += team_squads(t))
        column_scale_by(t, 0, G.rows, phase[j], &AT(G, 0, j));
    team_sync(t);
}

#endif /* GSVD_BATCH_TEAM_JACOBI_H */
