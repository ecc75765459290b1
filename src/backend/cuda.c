/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* cuda.c -- the CUDA table of primitives. */
#include "core/backend.h"
#include "core/cuda_state.h"
#include "pivot/pivot.h"

gsvd_status_t X(fork_cuda)(const exec_t *ex, queue_t queue, exec_t *fork)
{
    *fork = *ex;
    fork->queue = queue;
    fork->products = (buffer_t){0};
    return gsvd_cuda_order(ex->h, ex->queue, queue);
}

gsvd_status_t X(join_cuda)(const exec_t *ex, queue_t queue)
{
    if (!cuda_of(ex->h)
             ->queue[queue]
             .joined) /* Nothing was ever queued there. */
        return GSVD_SUCCESS;
    return gsvd_cuda_order(ex->h, queue, ex->queue);
}

#define ENTRY(name) .name = X(name##_cuda),

const backend_t X(backend_cuda) = {.tune = {.block = 128 / REALS_PER_SCALAR,
                                            .wide = 256 / REALS_PER_SCALAR,
                                            .few = 0,
                                            .ahead = (int64_t)1 << 21,
                                            .pivot_width = PIVOT_WIDTH,
                                            .pivot_last = PIVOT_WIDTH},
                                   GSVD_PRIMITIVES(ENTRY)};
