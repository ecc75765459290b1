/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* team_jacobi.h -- one-sided Jacobi on the columns of a tile, by a team.  The pairs of a step of
 * the ordering are disjoint; each squad takes some of them. */
#ifndef GSVD_SMALL_TEAM_JACOBI_H
#define GSVD_SMALL_TEAM_JACOBI_H

#include "small/team_qr.h"

/* No product of numbers of this size over- or underflows. */
TEAM_FN int is_moderate(real_t x)
{
    return x > (GSVD_SINGLE ? (real_t)0x1p-30f : (real_t)0x1p-400) &&
           x < (GSVD_SINGLE ? (real_t)0x1p30f : (real_t)0x1p400);
}

/* jacobi_rotation, with half of its roots and quotients where squares do no harm */
TEAM_FN rotation_t team_rotation(real_t app, real_t aqq, scalar_t apq,
                                 real_t tol)
{
    const real_t square = abs2(apq);
    rotation_t r;

    if (!is_moderate(app) || !is_moderate(aqq))
        return jacobi_rotation(app, aqq, apq, tol);
    r.c = 1;
    r.s = 0;
    r.w = make(1, 0);
    r.rotate = square > tol * tol * app * aqq;
    if (r.rotate) {
        const real_t over_h = REALS_PER_SCALAR == 2 ? rsqrt_r(square) : 0;
        const real_t h =
            REALS_PER_SCALAR == 2 ? square * over_h : fabs_r(re(apq));
        const real_t d = aqq - app;
        const real_t tn =
            copysign_r(2 * h / (fabs_r(d) + sqrt_r(d * d + 4 * square)), d);
        r.c = rsqrt_r(1 + tn * tn);
        r.s = r.c * tn;
        r.w = REALS_PER_SCALAR == 2 ? make(re(apq) * over_h, -im(apq) * over_h)
                                    : make(copysign_r(1, re(apq)), 0);
        app -= tn * h;
        aqq += tn * h;
    }
    r.swap = app < ROTATE_SHORTER * aqq;
    return r;
}

/* A sweep of n columns without cosines or sines whose squares exceed this leaves all cosines below
 * tol.  A rotation changes the cosine of one of its columns with a third one by at most twice the
 * product of two such numbers, and 2 (n - 2) rotations change that of a pair that has turned. */
TEAM_FN real_t last_of_sweep(real_t tol, int n)
{
    return tol / (real_t)(4 * n);
}

/* Columns p and q of G := orthogonal, the longer one first; those of C, if it is there, go
 * along.  Bits: 1, they turned; 2, other pairs are to be turned again: they were exchanged, or
 * turned by much.  For a squad. */
TEAM_FN int team_jacobi_pair(team_t t, tile_t G, tile_t C, real_t tol,
                             real_t much, int p, int q)
{
    real_t app, aqq;
    scalar_t apq;
    column_gram(t, G.rows, &AT(G, 0, p), &AT(G, 0, q), &app, &aqq, &apq);
    const rotation_t r = team_rotation(app, aqq, apq, tol);
    if (r.rotate || r.swap) {
        column_rotate(t, G.rows, &AT(G, 0, p), &AT(G, 0, q), r);
        if (C.data)
            column_rotate(t, C.rows, &AT(C, 0, p), &AT(C, 0, q), r);
    }
    const int again = r.swap || !is_moderate(app) || !is_moderate(aqq) ||
                      r.s * r.s > much || abs2(apq) > much * app * aqq;
    return r.rotate || r.swap ? (r.rotate != 0) + 2 * again : 0;
}

/* The pairs of a step of n columns: ordering.h's, in numbers of a short type; of one thread: by
 * rows, which takes fewer sweeps where n is small */
TEAM_FN int pairs_of_step(int n, int step)
{
    return TEAM_OF_ONE ? n - 1 - step : n / 2 + ((n & 1) || !(step & 1));
}

TEAM_FN int pair_of_step(int n, int step, int i, int *p, int *q)
{
    if (TEAM_OF_ONE) {
        *p = step;
        *q = step + 1 + i;
        return 1;
    }
    int a = (step + 1) / 2 + i, b;
    a -= a < n ? 0 : n;
    b = step - a;
    b += b < 0 ? n : 0;
    *p = least_of(a, b);
    *q = most_of(a, b);
    return *p != *q;
}

/* Sweeps until the columns of G are orthogonal, at most so many times.  Returns 1 if they are.  A
 * sweep that only exchanges columns may have missed pairs, so that another one follows.  It does
 * not count: it brings columns nearer to their order, and there are few of them. */
TEAM_STEP int team_orthogonalize(team_t t, tile_t G, tile_t C, double given,
                                 int sweeps)
{
    const real_t tol = jacobi_tolerance(given, G.rows);
    const int n = G.cols;
    const real_t much = last_of_sweep(tol, n);
    int turned = n > 1, turns = -1;

    while (!team_stops(t, turns) && turned && sweeps > 0) {
        turned = turns = 0;
        for (int step = 0; step < n; ++step) {
            const int pairs = pairs_of_step(n, step);
            for (int i = team_squad(t); i < pairs; i += team_squads(t)) {
                int p, q, bits;
                if (pair_of_step(n, step, i, &p, &q)) {
                    bits = team_jacobi_pair(t, G, C, tol, much, p, q);
                    turned |= bits;
                    turns += bits != 0;
                }
            }
            team_sync(t);
        }
        sweeps -= team_any(t, turned & 1) != 0;
        turned = team_any(t, turned & 2);
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

#endif /* GSVD_SMALL_TEAM_JACOBI_H */
