/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* svd.cu -- the SVD and the hyperbolic SVD of each matrix of a batch; CUDA twin of svd.c.
 *
 *     up to 8, 16, 32 rows and columns     svd.cuh: a team of so many lanes a matrix
 *     up to 32 columns, complex double 16  tall.cuh: their triangle, then as above
 *     up to 1024 columns                   large_steps.c, where the tuning wants it, or blocks.cuh
 *
 * and wide matrices by their conjugate transpose. */
#include <string.h>

#include "batch/large_steps.h"
#include "batch/solvers.h"
#include "batch/svd.cuh"
#include "core/cuda_state.h"

/* The kernels' geometry, not a card's: a lane has as many registers on each GPU. */
enum {
    AT_ONCE = 1 << 14,  /* triangles of tall matrices, which are work        */
    A_LAUNCH = 1 << 30, /* matrices: a grid has less than 2^31 blocks        */
    MOST_IN_WARP = 512  /* bytes of A and V in the registers of a lane       */
};

/* -- launches ------------------------------------------------------------------ */

template <int NC, int WARPS>
static gsvd_status_t launch_registers(const exec_t *ex, const svd_batch_t *b,
                                      const triangles_t *t, int64_t count)
{
    const int teams = LANES / NC * (2 / WARPS);
    const unsigned blocks = (unsigned)((count + teams - 1) / teams);
    if constexpr (WARPS == 1)
        if (b->eigh && !t->R) {
            register_eigh_kernel<NC>
                <<<blocks, BLOCK, 0, stream_of(ex)>>>(*b, *t, *b->eigh, count);
            return gsvd_launched(ex->h, "eigh_batched");
        }
    if (b->with_signs)
        register_kernel<NC, 1, WARPS>
            <<<blocks, BLOCK, 0, stream_of(ex)>>>(*b, *t, count);
    else
        register_kernel<NC, 0, WARPS>
            <<<blocks, BLOCK, 0, stream_of(ex)>>>(*b, *t, count);
    return gsvd_launched(ex->h, "svd_batched");
}

template <int NC>
static gsvd_status_t launch_warps(const exec_t *ex, const svd_batch_t *b,
                                  const triangles_t *t, int64_t count)
{
    constexpr int both = 2 * NC * (int)sizeof(scalar_t);
    if constexpr (both <= MOST_IN_WARP)
        if (both <= ex->tune->one_warp)
            return launch_registers<NC, 1>(ex, b, t, count);
    return launch_registers<NC, 2>(ex, b, t, count);
}

static gsvd_status_t in_registers(const exec_t *ex, const svd_batch_t *b,
                                  const triangles_t *t, int64_t count)
{
    if (t->order == 8)
        return launch_warps<8>(ex, b, t, count);
    if (t->order == 16)
        return launch_warps<16>(ex, b, t, count);
    return launch_warps<REGISTER_COLUMNS>(ex, b, t, count);
}

/* The triangles of the matrices that are factored at a time */
static triangles_t take_triangles(const exec_t *ex, arena_t *a,
                                  const svd_batch_t *b)
{
    const int64_t count = min_i(b->count, AT_ONCE), rows = max_i(b->m, b->n);
    triangles_t t;
    t.order = team_order(min_i(b->m, b->n));
    t.chunks = (rows + CHUNK - 1) / CHUNK;
    t.first = 0;
    t.sweeps = ex->policy.max_sweeps;
    t.tol = team_tolerance(&ex->policy);
    const int64_t square = t.order * t.order;
    t.R = (scalar_t *)gsvd_arena_take(a, count * square, sizeof(scalar_t));
    t.W = (scalar_t *)gsvd_arena_take(a, count * square, sizeof(scalar_t));
    t.T = (scalar_t *)gsvd_arena_take(a, count * t.chunks * square,
                                      sizeof(scalar_t));
    t.exponent = (int *)gsvd_arena_take(a, count, sizeof(int));
    t.graded = (int *)gsvd_arena_take(a, count, sizeof(int));
    return t;
}

static size_t triangles_bytes(const exec_t *ex, const task_t *t)
{
    const svd_batch_t *const b = svd_batch_in(t);
    arena_t count;
    memset(&count, 0, sizeof count);
    take_triangles(ex, &count, b);
    note_qr_first(ex, b, min_i(b->count, AT_ONCE));
    return gsvd_arena_bytes(&count);
}

static gsvd_status_t by_triangles(const exec_t *ex, const task_t *task)
{
    const svd_batch_t *const b = svd_batch_in(task);
    const size_t bytes = triangles_bytes(ex, task);
    void *work;
    GSVD_TRY(X(kernel_work)(ex, bytes, &work));
    arena_t arena = gsvd_arena_over(work, bytes);
    triangles_t t = take_triangles(ex, &arena, b);
    for (t.first = 0; t.first < b->count; t.first += AT_ONCE) {
        const int64_t count = min_i(b->count - t.first, AT_ONCE);
        GSVD_TRY(X(svd_tall_qr)(ex, b, &t, count));
        GSVD_TRY(in_registers(ex, b, &t, count));
        if (b->u_cols > 0 || b->v_cols > 0)
            GSVD_TRY(X(svd_tall_form)(ex, b, &t, count));
    }
    return GSVD_SUCCESS;
}

static gsvd_status_t as_they_are(const exec_t *ex, const task_t *t)
{
    const svd_batch_t *const b = svd_batch_in(t);
    triangles_t none;
    memset(&none, 0, sizeof none);
    none.order = team_order(max_i(b->m, b->n));
    none.sweeps = ex->policy.max_sweeps;
    none.tol = team_tolerance(&ex->policy);
    for (; none.first < b->count; none.first += A_LAUNCH)
        GSVD_TRY(
            in_registers(ex, b, &none, min_i(b->count - none.first, A_LAUNCH)));
    return GSVD_SUCCESS;
}

/* -- the solvers ----------------------------------------------------------------- */

static int blocks_apply(const exec_t *ex, const task_t *t)
{
    const svd_batch_t *const b = svd_batch_in(t);
    return !b->with_signs && X(svd_blocks_fit)(ex, min_i(b->m, b->n));
}

/* Blocks end them. */
static int steps_apply(const exec_t *ex, const task_t *t)
{
    return blocks_apply(ex, t) && X(svd_large_steps_apply)(ex, t);
}

static int registers_apply(const exec_t *ex, const task_t *t)
{
    const svd_batch_t *const b = svd_batch_in(t);
    (void)ex;
    return max_i(b->m, b->n) <= REGISTER_COLUMNS;
}

static int triangles_apply(const exec_t *ex, const task_t *t)
{
    const svd_batch_t *const b = svd_batch_in(t);
    (void)ex;
    return min_i(b->m, b->n) <= TALL_COLUMNS;
}

static const solver_t solver[] = {
    {"large steps", X(svd_large_steps_wanted), steps_apply,
     X(svd_large_steps_bytes), X(svd_by_large_steps)},
    {"registers", NULL, registers_apply, NULL, as_they_are},
    {"triangles", NULL, triangles_apply, triangles_bytes, by_triangles},
    {"blocks", NULL, blocks_apply, X(svd_blocks_bytes), X(svd_by_blocks)}};
const solvers_t X(svd_solvers_cuda) = SOLVERS("SVD of each", solver);
