/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* cuda.c -- the CUDA table of primitives. */
#include "batch/solvers.h"
#include "core/cuda_state.h"
#include "core/elementwise.h"
#include "jacobi/jacobi.h"
#include "pivot/pivot.h"
#include "primitives.h"
#include "qr/qr.h"

gsvd_status_t X(fork_cuda)(const exec_t *ex, queue_t queue, exec_t *fork)
{
    *fork = *ex;
    fork->queue = queue;
    fork->products = (buffer_t){0};
    return gsvd_cuda_order(ex->h, ex->queue, queue);
}

gsvd_status_t X(join_cuda)(const exec_t *ex, queue_t queue)
{
    if (!cuda_of(ex->h)->queue[queue].joined) /* Nothing ever went there.    */
        return GSVD_SUCCESS;
    return gsvd_cuda_order(ex->h, queue, ex->queue);
}

size_t X(kernel_bytes_cuda)(const exec_t *ex, kernels_t what, int64_t m,
                            int64_t n, int64_t cols)
{
    const size_t each[] = {X(qr_kernel_bytes_cuda)(ex, what, m, n, cols),
                           X(pivot_kernel_bytes_cuda)(ex, what, m, n, cols),
                           X(jacobi_kernel_bytes_cuda)(ex, what, m, n, cols),
                           norms_bytes(max_i(n, cols))};
    return LARGEST(each);
}

#define ENTRY(name) .name = X(name##_cuda),

static const solvers_t *const solvers[] = {
    &X(panel_solvers_cuda),  &X(r_only_solvers_cuda),
    &X(gemm_solvers_cuda),   &X(project_solvers_cuda),
    &X(update_solvers_cuda), &X(svd_solvers_cuda),
    &X(gsvd_solvers_cuda),   NULL};

const backend_t X(backend_cuda) = {.solvers = solvers,
                                   .svd_solvers = &X(svd_solvers_cuda),
                                   .gsvd_solvers = &X(gsvd_solvers_cuda),
                                   GSVD_PRIMITIVES(ENTRY)};
