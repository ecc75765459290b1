/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* svd.cpp -- the kernel of batch/svd.cuh on the host. */
#include "emulated/block.h"

#include "batch/svd.cuh"
#include "emulated/svd.h"

typedef struct task {
    svd_batch_t b;
    triangles_t t;
    int64_t count;
} task_t;

template <int NC, int HYPER, int WARPS> static void run_thread(void *of_block)
{
    const task_t *const t = (const task_t *)of_block;
    register_kernel<NC, HYPER, WARPS>(t->b, t->t, t->count);
}

template <int NC> static void run_thread_of_eigh(void *of_block)
{
    const task_t *const t = (const task_t *)of_block;
    register_eigh_kernel<NC>(t->b, t->t, *t->b.eigh, t->count);
}

template <int NC, int WARPS> static void (*kernel_of(const task_t *t))(void *)
{
    if (WARPS == 1 && t->b.eigh && !t->t.R)
        return run_thread_of_eigh<NC>;
    return t->b.with_signs ? run_thread<NC, 1, WARPS>
                           : run_thread<NC, 0, WARPS>;
}

template <int NC, int WARPS> static void run_blocks(task_t *t)
{
    const int64_t teams = LANES / NC * (2 / WARPS);
    const int64_t blocks = (t->count + teams - 1) / teams;
    for (int64_t i = 0; i < blocks; ++i) {
        block::index_of_block.x = (unsigned)i;
        block::run(BLOCK, kernel_of<NC, WARPS>(t), t, emulated_backward);
    }
}

extern "C" void X(registers_on_host)(const svd_batch_t *b, const triangles_t *t,
                                     int64_t count, int warps)
{
    task_t task = {*b, *t, count};
    if (t->order == 8)
        warps == 1 ? run_blocks<8, 1>(&task) : run_blocks<8, 2>(&task);
    else if (t->order == 16)
        warps == 1 ? run_blocks<16, 1>(&task) : run_blocks<16, 2>(&task);
    else
        warps == 1 ? run_blocks<32, 1>(&task) : run_blocks<32, 2>(&task);
}

typedef struct drift {
    mat_t V;
    unsigned rows;
    int64_t plus;
    int found;
} drift_t;

static void find_drift(void *of_block)
{
    __shared__ shared_t shared;
    __shared__ words_t of_terms[terms<REGISTER_COLUMNS>::WORDS];
    drift_t *const t = (drift_t *)of_block;
    const int lane = threadIdx.x % LANES;
    scalar_t v[REGISTER_COLUMNS];
    problem_t q;

    q.n = REGISTER_COLUMNS;
    q.lane = lane;
    q.told = &shared.told;
    q.terms = of_terms;
    for (int j = 0; j < REGISTER_COLUMNS; ++j)
        v[j] = AT(t->V, lane, j);
    shared.place[lane] = lane;
    __syncwarp();
    const int found =
        has_drifted<REGISTER_COLUMNS>(v, &q, &shared, t->rows, t->plus);
    if (lane == 0)
        t->found = found;
}

extern "C" int X(drift_on_host)(mat_t V, unsigned rows, int64_t plus)
{
    drift_t task = {V, rows, plus, 0};
    block::index_of_block.x = 0;
    block::run(LANES, find_drift, &task, emulated_backward);
    return task.found;
}
