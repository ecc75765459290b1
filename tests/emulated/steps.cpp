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
    real_t enough;
} task_t;

static void run_load(void *t)
{
    const task_t *const k = (const task_t *)t;
    load_kernel(k->b, k->X, k->X, k->s); /* the same entry twice is no race  */
}
static void run_unitary(void *t)
{
    unitary_kernel(((task_t *)t)->C, ((task_t *)t)->V, ((task_t *)t)->s);
}
static void run_angles(void *t)
{
    angles_kernel(((task_t *)t)->C, ((task_t *)t)->V, 0, 1, 0,
                  ((task_t *)t)->s);
}
static void run_turns(void *t)
{
    const task_t *const k = (const task_t *)t;
    turns_kernel(k->C, k->C, k->C, k->C, 1, k->s, k->V);
}
static void run_gram_open(void *t)
{
    const task_t *const k = (const task_t *)t;
    gram_open_kernel(k->X, k->s, k->enough, k->C);
}
/* V in place of W */
static void run_turn_open(void *t)
{
    const task_t *const k = (const task_t *)t;
    turn_open_kernel(k->C, 1, k->s, k->X, k->V);
}
static void run_keep_open(void *t)
{
    const task_t *const k = (const task_t *)t;
    keep_open_kernel(k->V, k->s, k->X);
}

/* So many blocks for each matrix */
static void run_blocks(void (*run)(void *), task_t *t, int64_t blocks,
                       int backward)
{
    block::blocks.y = 1;
    for (int64_t i = 0; i < t->X.count * blocks; ++i) {
        block::index_of_block.x = (unsigned)i;
        block::run(THREADS, run, t, backward);
    }
}

extern "C" void X(steps_on_host)(const svd_batch_t *b, mats_t X_, mats_t C,
                                 mats_t V, const steps_batch_t *s, int backward)
{
    task_t t = {*b, X_, C, V, *s, 0};
    run_blocks(run_load, &t, 1, backward);
    run_blocks(run_unitary, &t, 1, backward);
    run_blocks(run_angles, &t, 1, backward);
    run_blocks(run_turns, &t, 1, backward);
}

extern "C" void X(gram_open_on_host)(mats_t X_, const steps_batch_t *s,
                                     real_t enough, mats_t C, int backward)
{
    task_t t = {{}, X_, C, {}, *s, enough};
    run_blocks(run_gram_open, &t, tiles_in(C.rows) * tiles_in(C.cols),
               backward);
}

extern "C" void X(turn_open_on_host)(mats_t T, const steps_batch_t *s,
                                     mats_t X_, mats_t W, int backward)
{
    task_t t = {{}, X_, T, W, *s, 0};
    run_blocks(run_turn_open, &t, tiles_in(X_.rows) * tiles_in(X_.cols),
               backward);
    run_blocks(run_keep_open, &t, 1, backward);
}
