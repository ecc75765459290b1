/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* update.c -- one pass over all pairs of columns; CPU twin of update.cu.
 *
 * The pairs of a step are disjoint: threads share them out, and the result does
 * not depend on how many threads there are.
 */
#include "core/vector.h"
#include "jacobi/jacobi.h"
#include "jacobi/ordering.h"
#include "jacobi/rotate.h"

/* below this many elements a step is not worth a team of threads */
enum { PARALLEL = 1 << 14 };

static int update_pair(mat_t G, mat_t C, real_t tol, int64_t p, int64_t q)
{
    real_t app, aqq;
    scalar_t apq;
    X(vector_gram)(G.rows, &AT(G, 0, p), &AT(G, 0, q), &app, &aqq, &apq);
    const rotation_t r = jacobi_rotation(app, aqq, apq, tol);
    if (r.rotate || r.swap) {
        X(vector_rotate)
        (G.rows, &AT(G, 0, p), &AT(G, 0, q), r.c, r.s, r.w, r.swap);
        if (C.data)
            X(vector_rotate)
        (C.rows, &AT(C, 0, p), &AT(C, 0, q), r.c, r.s, r.w, r.swap);
    }
    return r.rotate;
}

gsvd_status_t X(sweep_cpu)(gsvd_handle_t h, mat_t G, mat_t C, real_t tol,
                           int64_t *rotations)
{
    (void)h;
    const int64_t n = G.cols, pairs = ordering_pairs(n);
    int64_t count = 0;
    if (n < 2 || G.rows == 0)
        return GSVD_SUCCESS;
#pragma omp parallel if (G.rows * n > PARALLEL) reduction(+ : count)
    for (int64_t step = 0; step < ordering_steps(n); ++step) {
#pragma omp for schedule(static)
        for (int64_t i = 0; i < pairs; ++i) {
            int64_t p, q;
            if (ordering_pair(n, step, i, &p, &q))
                count += update_pair(G, C, tol, p, q);
        }
    }
    *rotations += count;
    return GSVD_SUCCESS;
}

gsvd_status_t X(take_count_cpu)(gsvd_handle_t h, int64_t *rotations,
                                int64_t *count)
{
    (void)h;
    *count = *rotations;
    *rotations = 0;
    return GSVD_SUCCESS;
}
