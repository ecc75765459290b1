/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* blocks.cpp -- batch/blocks.cuh on the host. */
#include "emulated/block.h"

#include "batch/blocks.cuh"
#include "emulated/svd.h"

typedef struct task {
    svd_batch_t b;
    int64_t i, of_V;
    scalar_t *work;
    int sweeps;
} task_t;

/* of all warps */
alignas(16) static char shared_memory[SHARED_BYTES +
                                      WARPS * (sizeof(told_t) +
                                               TILE * sizeof(scalar_t))];

static void run_thread(void *of_block)
{
    const task_t *const t = (const task_t *)of_block;
    solve_one(&t->b, t->i, t->work, t->of_V, t->sweeps,
              (shared_t *)shared_memory);
}

extern "C" void X(blocks_on_host)(const svd_batch_t *b, int sweeps, int warps)
{
    task_t t = {*b, 0, 0, NULL, sweeps};
    t.work = (scalar_t *)malloc((size_t)work_of(b, &t.of_V) * sizeof(scalar_t));
    for (; t.work && t.i < b->count; ++t.i) {
        memset(shared_memory, 0xff, sizeof shared_memory); /* NaN            */
        block::run(warps * LANES, run_thread, &t, emulated_backward);
    }
    free(t.work);
}
