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

/* Blocks P <= Q: all pairs between them, or within if they are one. */
static int64_t meet_blocks(const void *data, int64_t P, int64_t Q)
{
    const sweep_t *const s = data;
    const int64_t p1 = min_i((P + 1) * BLOCK, s->G.cols);
    const int64_t q1 = min_i((Q + 1) * BLOCK, s->G.cols);
    int64_t count = 0;
    for (int64_t p = P * BLOCK; p < p1; ++p)
        for (int64_t q = P == Q ? p + 1 : Q * BLOCK; q < q1; ++q)
            count += p < s->plus && q >= s->plus
                         ? hyperbolic_pair(s->G, s->C, s->tol, p, q)
                         : jacobi_pair(s->G, s->C, s->tol, p, q);
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
