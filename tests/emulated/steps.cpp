/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* steps.cpp -- the kernels of batch/steps.cuh on the host. */
#include "emulated/block.h"

#include "batch/steps.cuh"
#include "emulated/races.h"

typedef struct task {
    svd_batch_t b;
    mats_t X, C, V;
    steps_batch_t s;
} task_t;

static void run_load(void *t)
{
    load_kernel(((task_t *)t)->b, ((task_t *)t)->X, ((task_t *)t)->s);
}
static void run_unitary(void *t)
{
    unitary_kernel(((task_t *)t)->C, ((task_t *)t)->V, ((task_t *)t)->s);
}
static void run_angles(void *t)
{
    angles_kernel(((task_t *)t)->C, ((task_t *)t)->V, 0, 1, ((task_t *)t)->s);
}
static void run_turns(void *t)
{
    const task_t *const k = (const task_t *)t;
    turns_kernel(k->C, k->C, k->C, k->C, 1, k->s, k->V);
}

extern "C" void X(steps_on_host)(const svd_batch_t *b, mats_t X_, mats_t C,
                                 mats_t V, const steps_batch_t *s, int backward)
{
    task_t t = {*b, X_, C, V, *s};
    void (*const kernel[])(void *) = {run_load, run_unitary, run_angles,
                                      run_turns};
    block::blocks.y = 1;
    for (auto of_block : kernel)
        for (int64_t i = 0; i < X_.count; ++i) {
            block::index_of_block.x = (unsigned)i;
            block::run(THREADS, of_block, &t, backward);
        }
}
