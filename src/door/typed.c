/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* typed.c -- a routine's program, from the door's side: an exec is made for it. */
#include "door/door.h"
#include "gsvd/run_batched.h"

static gsvd_status_t measure(gsvd_handle_t h, const struct program *p,
                             const args_t *a, need_t *need)
{
    const exec_t ex = X(exec_of)(h);
    return p->measure(&ex, a, need);
}

static gsvd_status_t run(gsvd_handle_t h, const struct program *p,
                         const buffer_t memory[3], const args_t *a,
                         outcome_t *out)
{
    exec_t ex = X(exec_of)(h);
    ex.work = gsvd_arena_over(memory[0].data, memory[0].bytes);
    ex.products = memory[1];
    ex.staging = memory[2];
    return p->run(&ex, a, out);
}

static gsvd_status_t measure_batched(gsvd_handle_t h, const struct program *p,
                                     const batch_args_t *b, batch_need_t *need)
{
    const exec_t ex = X(exec_of)(h);
    return X(measure_batched)(&ex, p, b, need);
}

static gsvd_status_t run_batched(gsvd_handle_t h, const struct program *p,
                                 const batch_need_t *need,
                                 const buffer_t memory[2],
                                 const batch_args_t *b)
{
    const exec_t ex = X(exec_of)(h);
    return X(run_batched)(&ex, p, need, memory[0], memory[1], b);
}

/* On a device kernels load and store elements whole; on the host code for CPUs goes by
 * real numbers, as LAPACK's does. */
const letter_t X(letter) = {
    .bytes = {sizeof(scalar_t), sizeof(real_t), sizeof(int64_t)},
    .alignment = {_Alignof(real_t), _Alignof(real_t), _Alignof(int64_t)},
    .measure = measure,
    .run = run,
    .measure_batched = measure_batched,
    .run_batched = run_batched,
};
