/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* cpu.c -- the CPU's table of primitives. */
#include "core/backend.h"
#include "pivot/pivot.h"

/* There is one queue, whose work is done when it is queued. */
gsvd_status_t X(fork_cpu)(const exec_t *ex, queue_t queue, exec_t *fork)
{
    (void)queue;
    *fork = *ex;
    fork->products = (buffer_t){0};
    return GSVD_SUCCESS;
}

gsvd_status_t X(join_cpu)(const exec_t *ex, queue_t queue)
{
    (void)ex, (void)queue;
    return GSVD_SUCCESS;
}

#define ENTRY(name) .name = X(name##_cpu),

const backend_t X(backend_cpu) = {.tune = {.block = 64,
                                           .wide = 64,
                                           .few = 128 * 128 * 128,
                                           .ahead = INT64_MAX,
                                           .pivot_width = PIVOT_WIDTH,
                                           .pivot_last = 1000},
                                  .form_q = X(form_q_cpu),
                                  GSVD_PRIMITIVES(ENTRY)};
