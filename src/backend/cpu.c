/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* cpu.c -- the CPU's table of primitives. */
#include "batch/svd_solvers.h"
#include "core/backend.h"
#include "jacobi/jacobi.h"
#include "pivot/pivot.h"
#include "qr/qr.h"

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

size_t X(kernel_bytes_cpu)(const exec_t *ex, kernels_t what, int64_t m,
                           int64_t n, int64_t cols)
{
    const size_t each[] = {X(qr_kernel_bytes_cpu)(ex, what, m, n, cols),
                           X(pivot_kernel_bytes_cpu)(ex, what, m, n, cols),
                           X(jacobi_kernel_bytes_cpu)(ex, what, m, n, cols)};
    return LARGEST(each);
}

#define ENTRY(name) .name = X(name##_cpu),

/* There is one queue, so that nothing is gained by looking ahead.  From some 1600 columns on
 * single precision takes as many large steps more as double takes longer (bench/notes.md). */
static const tuning_t tuning = {.block = 64,
                                .wide = 64,
                                .unblocked = 128 * 128 * 128,
                                .unblocked_rowwise = 128 * 128 * 128,
                                .lookahead = INT64_MAX,
                                .cached = 128 * 128,
                                .pivot_width = PIVOT_WIDTH,
                                .pivot_last = 1000,
                                .pivot_graded = 0,
                                .large_steps = 32,
                                .in_double = GSVD_SINGLE ? 1600 : 0,
                                .inverse_iteration = EIGEN_FOR_ROOM,
                                .inverse_iteration_most = INT64_MAX,
                                .entrywise = 64,
                                .block_jacobi = 256,
                                .inner_sweeps = 2,
                                .pairs_alone = GSVD_SINGLE ? 0 : 32,
                                .batch_steps = GSVD_SINGLE ? 3 : 2,
                                .batch_bytes = 1 << 30,
                                .link_seconds = 2e-7,
                                .rate = GSVD_SINGLE ? 4.5e10 : 3e10,
                                .batch_rate = GSVD_SINGLE ? 4.5e10 : 3e10};

static const tuning_t *tuning_of(gsvd_handle_t h)
{
    (void)h;
    return &tuning;
}

static const solvers_t *const solvers[] = {
    &X(panel_solvers_cpu), &X(r_only_solvers_cpu), &X(svd_solvers_cpu), NULL};

const backend_t X(backend_cpu) = {.tuning_of = tuning_of,
                                  .solvers = solvers,
                                  .form_q = X(form_q_cpu),
                                  .singular_values = X(singular_values_cpu),
                                  GSVD_PRIMITIVES(ENTRY)};
