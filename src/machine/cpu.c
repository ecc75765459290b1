/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* cpu.c -- the CPU's table of primitives. */
#include "batch/solvers.h"
#include "jacobi/jacobi.h"
#include "pivot/pivot.h"
#include "primitives.h"
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

static const solvers_t *const solvers[] = {
    &X(panel_solvers_cpu), &X(r_only_solvers_cpu), &X(svd_solvers_cpu),
    &X(gsvd_solvers_cpu), NULL};

const backend_t X(backend_cpu) = {.solvers = solvers,
                                  .svd_solvers = &X(svd_solvers_cpu),
                                  .gsvd_solvers = &X(gsvd_solvers_cpu),
                                  GSVD_PRIMITIVES(ENTRY)
                                      GSVD_HOST_PRIMITIVES(ENTRY)};
