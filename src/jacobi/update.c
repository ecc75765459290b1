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

/* Blocks P <= Q: all pairs between them, or within if they are one. */
static int64_t meet_blocks(mat_t G, mat_t C, real_t tol, int64_t P, int64_t Q)
{
    const int64_t p1 = min_i((P + 1) * BLOCK, G.cols);
    const int64_t q1 = min_i((Q + 1) * BLOCK, G.cols);
    int64_t count = 0;
    for (int64_t p = P * BLOCK; p < p1; ++p)
        for (int64_t q = P == Q ? p + 1 : Q * BLOCK; q < q1; ++q)
            count += jacobi_pair(G, C, tol, p, q);
    return count;
}

typedef struct sweep {
    mat_t G, C;
    real_t tol;
} sweep_t;

static int64_t hold(const void *data, int64_t P, int64_t Q)
{
    const sweep_t *const s = data;
    return meet_blocks(s->G, s->C, s->tol, P, Q);
}

gsvd_status_t X(sweep_cpu)(const exec_t *ex, mat_t G, mat_t C, real_t tol,
                           int64_t *rotations)
{
    (void)ex;
    const sweep_t s = {G, C, tol};
    if (G.cols < 2 || G.rows == 0)
        return GSVD_SUCCESS;
    *rotations +=
        gsvd_meetings((G.cols + BLOCK - 1) / BLOCK, hold, &s,
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
