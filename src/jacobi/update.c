/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* update.c -- one pass over all pairs of columns; CPU twin of update.cu.
 *
 * The ordering runs over blocks of columns that fit in a core's cache.  Two blocks
 * meet in all pairs between them, a block meets itself in all pairs within.
 */
#include "core/rotate.h"
#include "jacobi/jacobi.h"
#include "jacobi/team.h"

enum {
    BLOCK = 16,        /* columns                                            */
    PARALLEL = 1 << 14 /* elements of G; with fewer one thread is faster     */
};

typedef struct sweep {
    mat_t G, C;
    int64_t plus;
    real_t tol;
} sweep_t;

/* The column over 2^*e, a power next to its length */
static real_t length_at(mat_t G, int64_t j, int *e)
{
    const real_t length = sumsq_norm_of(G.rows, &AT(G, 0, j));
    *e = long_enough(length) ? exponent_r(length) : 0;
    return length;
}

/* A pair of columns whose squares are no normal numbers */
static int meet_far(const sweep_t *s, int64_t p, int64_t q, int hyperbolic)
{
    scalar_t *const x = &AT(s->G, 0, p), *const y = &AT(s->G, 0, q);
    real_t app = 0, aqq = 0;
    scalar_t apq = make(0, 0);
    int ep, eq;

    if (!long_enough(length_at(s->G, p, &ep)) ||
        !long_enough(length_at(s->G, q, &eq)))
        return 0;
    for (int64_t i = 0; i < s->G.rows; ++i) {
        const scalar_t a = shifted(x[i], -ep), b = shifted(y[i], -eq);
        app += abs2(a);
        aqq += abs2(b);
        apq = add(apq, mul(conj_of(a), b));
    }
    const far_rotation_t f =
        far_rotation(app, aqq, apq, ep, eq, s->tol, hyperbolic ? -1 : 1);
    const rotation_t *const r = &f.turn;
    if (!r->rotate && !r->swap)
        return 0;
    if (f.apart)
        for (int64_t i = 0; i < s->G.rows; ++i)
            turn_apart(&f, &x[i], &y[i]);
    else if (hyperbolic)
        turn_both(s->G.rows, x, y, r->c, r->s, r->w);
    else
        rotate_both(s->G.rows, x, y, r->c, r->s, r->w, r->swap);
    if (s->C.data && hyperbolic)
        turn_both(s->C.rows, &AT(s->C, 0, p), &AT(s->C, 0, q), r->c, -r->s,
                  r->w);
    else if (s->C.data)
        rotate_both(s->C.rows, &AT(s->C, 0, p), &AT(s->C, 0, q), r->c, r->s,
                    r->w, r->swap);
    return 1;
}

static int meet(const sweep_t *s, int64_t p, int64_t q)
{
    const int hyperbolic = p < s->plus && q >= s->plus;
    real_t app, aqq;
    scalar_t apq;

    gram_of(s->G.rows, &AT(s->G, 0, p), &AT(s->G, 0, q), &app, &aqq, &apq);
    if (are_nan(app, aqq))
        return 1;
    if (!are_squares(app, aqq))
        return meet_far(s, p, q, hyperbolic);
    return hyperbolic ? hyperbolic_turn(s->G, s->C, s->tol, p, q, app, aqq, apq)
                      : jacobi_turn(s->G, s->C, s->tol, p, q, app, aqq, apq);
}

/* Blocks P <= Q: all pairs between them, or within if they are one. */
static int64_t meet_blocks(const void *data, int64_t P, int64_t Q)
{
    const sweep_t *const s = data;
    const int64_t p1 = min_i((P + 1) * BLOCK, s->G.cols);
    const int64_t q1 = min_i((Q + 1) * BLOCK, s->G.cols);
    int64_t count = 0;
    for (int64_t p = P * BLOCK; p < p1; ++p)
        for (int64_t q = P == Q ? p + 1 : Q * BLOCK; q < q1; ++q)
            count += meet(s, p, q);
    return count;
}

gsvd_status_t X(sweep_cpu)(const exec_t *ex, mat_t G, mat_t C, int64_t plus,
                           real_t tol, int64_t *rotations)
{
    (void)ex;
    const sweep_t s = {G, C, plus, tol};
    if (G.cols < 2 || G.rows == 0)
        return GSVD_SUCCESS;
    *rotations +=
        gsvd_meetings((G.cols + BLOCK - 1) / BLOCK, meet_blocks, &s,
                      G.rows * G.cols < PARALLEL ? 1 : gsvd_threads());
    return GSVD_SUCCESS;
}

gsvd_status_t X(read_rotations_cpu)(const exec_t *ex, int64_t *rotations,
                                    int64_t *count)
{
    (void)ex;
    if (count)
        *count = *rotations;
    *rotations = 0;
    return GSVD_SUCCESS;
}
