/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* tgsja.cu -- LAPACK's xTGSJA on a triangular pair; CUDA twin of tgsja.c.
 *
 * The pair goes to the host, where LAPACK computes, and its factors come back.
 */
#include "core/arena.h"
#include "core/gpublas.h"
#include "jacobi/jacobi.h"

typedef struct host_pair {
    mat_t A, B, U, V;
    real_t *c, *s;
    void *work;
} host_pair_t;

static mat_t take(arena_t *a, int64_t rows, int64_t cols)
{
    return mat_view(
        (scalar_t *)gsvd_arena_take(a, rows * cols, sizeof(scalar_t)), rows,
        cols, max_i(rows, 1));
}

static void carve(arena_t *a, int64_t m1, int64_t l, host_pair_t *w)
{
    w->A = take(a, m1, l);
    w->B = take(a, l, l);
    w->U = take(a, m1, m1);
    w->V = take(a, l, l);
    w->c = (real_t *)gsvd_arena_take(a, l, sizeof(real_t));
    w->s = (real_t *)gsvd_arena_take(a, l, sizeof(real_t));
    w->work = gsvd_arena_take(a, (int64_t)X(tgsja_host_bytes)(l), 1);
}

gsvd_status_t X(staging_bytes_cuda)(const exec_t *ex, int64_t l, size_t *bytes)
{
    arena_t count = {NULL, 0, 0, 0};
    host_pair_t w;

    *bytes = 0;
    if (ex->policy.solver != GSVD_SOLVER_TGSJA)
        return GSVD_SUCCESS;
    carve(&count, l, l, &w);
    *bytes = gsvd_arena_bytes(&count);
    return GSVD_SUCCESS;
}

static gsvd_status_t down(const exec_t *ex, mat_t from, mat_t to)
{
    return ex->h->space->download(ex->h, to.data,
                                  (size_t)to.ld * sizeof(scalar_t), from.data,
                                  (size_t)from.ld * sizeof(scalar_t),
                                  (size_t)to.rows * sizeof(scalar_t), to.cols);
}

static gsvd_status_t up(const exec_t *ex, mat_t from, mat_t to)
{
    return ex->h->space->upload(ex->h, to.data,
                                (size_t)to.ld * sizeof(scalar_t), from.data,
                                (size_t)from.ld * sizeof(scalar_t),
                                (size_t)to.rows * sizeof(scalar_t), to.cols);
}

gsvd_status_t X(tgsja_cuda)(const exec_t *ex, mat_t A, mat_t B, real_t tola,
                            real_t tolb, mat_t U, mat_t V, real_t *c, real_t *s,
                            int *cycles, int *converged)
{
    const int64_t m1 = A.rows, l = B.cols;
    const size_t bytes = (size_t)l * sizeof(real_t);
    arena_t arena = gsvd_arena_over(ex->staging.data, ex->staging.bytes);
    host_pair_t w;

    carve(&arena, m1, l, &w);
    if (!arena.base || arena.full)
        return gsvd_fail(ex->h, GSVD_INTERNAL_ERROR,
                         "xTGSJA: no staging memory");
    GSVD_TRY(down(ex, A, w.A));
    GSVD_TRY(down(ex, B, w.B));
    GSVD_TRY(ex->h->space->wait(ex->h));
    GSVD_TRY(X(tgsja_host)(ex, w.A, w.B, tola, tolb, w.U, w.V, w.c, w.s, cycles,
                           converged, w.work));
    GSVD_TRY(up(ex, w.U, U));
    GSVD_TRY(up(ex, w.V, V));
    GSVD_TRY(ex->h->space->upload(ex->h, c, bytes, w.c, bytes, bytes, 1));
    GSVD_TRY(ex->h->space->upload(ex->h, s, bytes, w.s, bytes, bytes, 1));
    return ex->h->space->wait(
        ex->h); /* The caller may own the staging memory. */
}
