/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* columns.cpp -- the kernel of batch/gsvd_columns.cu on the host. */
#include "emulated/block.h"

#include "batch/gsvd_columns.cuh"
#include "emulated/columns.h"
#include "primitives.h"

columns_run_t X(columns_run);

typedef struct call {
    pairs_t c;
    int64_t warp;
    void *memory;
} call_t;

template <int NC> static void run_thread(void *of_warp)
{
    const call_t *const t = (const call_t *)of_warp;
    warp_memory<NC> *const memory = (warp_memory<NC> *)t->memory;
    if constexpr (warps_of_pair<NC>::VALUE == 2)
        solve_pair_by_two<NC>(&t->c, t->warp, memory);
    else
        solve_pairs<NC>(&t->c, t->warp, memory);
}

template <int NC> static void run_pairs(const pairs_t *c)
{
    static warp_memory<NC> memory;
    const int64_t each = LANES / NC, warps = (c->count + each - 1) / each;
    call_t t;
    t.c = *c;
    t.memory = &memory;
    for (t.warp = 0; t.warp < warps; ++t.warp) {
        memset((void *)&memory, 0xff, sizeof memory); /* NaN                 */
        block::index_of_block.x = (unsigned)t.warp;
        block::run(warps_of_pair<NC>::VALUE * LANES, run_thread<NC>, &t,
                   X(columns_run).backward);
    }
}

/* The pairs that are left, one by one */
static gsvd_status_t solve_left(const exec_t *ex, const gsvd_batch_t *b)
{
    for (int64_t i = 0; i < b->count; ++i) {
        gsvd_batch_t one = *b;
        if (b->info[i] != PAIR_LEFT)
            continue;
        one.count = 1;
        batch_mat_t *const mats[] = {&one.A, &one.B, &one.U, &one.V, &one.Q};
        for (batch_mat_t *const M : mats) {
            M->each = M->each ? M->each + i : NULL;
            M->each_ld = M->each_ld ? M->each_ld + i : NULL;
            M->data = M->data ? M->data + i * M->stride : NULL;
        }
        batch_real_t *const reals[] = {&one.alpha, &one.beta};
        for (batch_real_t *const x : reals) {
            x->each = x->each ? x->each + i : NULL;
            x->data = x->data ? x->data + i * x->stride : NULL;
        }
        one.k += i;
        one.l += i;
        one.info += i;
        const task_t t = task_of_gsvd_batch(&one);
        GSVD_TRY(run_solver(ex->op->gsvd_solvers, ex, &t));
    }
    return GSVD_SUCCESS;
}

extern "C" gsvd_status_t X(columns_on_host)(const exec_t *ex, const task_t *t)
{
    const gsvd_batch_t *const b = gsvd_batch_in(t);
    const pairs_t c = pairs_of(b, &ex->policy, X(columns_run).way);
    const int fits = team_of_pairs(b, &ex->policy, PAIR_COLUMNS);
    const int nc =
        fits > 0 && X(columns_run).lanes > fits ? X(columns_run).lanes : fits;
    if (nc == 0)
        return run_solver(ex->op->gsvd_solvers, ex, t);
    if (nc == 8)
        run_pairs<8>(&c);
    else if (nc == 16)
        run_pairs<16>(&c);
    else
        run_pairs<32>(&c);
    return solve_left(ex, b);
}
