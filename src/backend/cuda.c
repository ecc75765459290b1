/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* cuda.c -- the CUDA table of primitives. */
#include "batch/svd_solvers.h"
#include "core/backend.h"
#include "core/cuda_state.h"
#include "core/elementwise.h"
#include "jacobi/jacobi.h"
#include "pivot/pivot.h"
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

#define EVERY_GPU                                                              \
    .block = 128 / REALS_PER_SCALAR, .wide = 256 / REALS_PER_SCALAR,           \
    .unblocked = 0, .unblocked_rowwise = 128 * 128 * 128,                      \
    .lookahead = (int64_t)1 << 21, .pivot_width = PIVOT_WIDTH,                 \
    .pivot_last = PIVOT_WIDTH, .pivot_graded = 1, .large_steps = 64,           \
    .entrywise = 128, .block_jacobi = 256, .inner_sweeps = 1, .one_warp = 512, \
    .batch_large_steps = REALS_PER_SCALAR == 2 ? 33 : 65,                      \
    .batch_steps = GSVD_SINGLE ? 3 : 2, .pairs_in_registers = 32

/* Where double has half the rate of single: eigenvectors take little longer in double. */
#define IN_DOUBLE .in_double = GSVD_SINGLE ? 64 : 0

/* Of large steps in batches: the more matrices at a time, the fewer multiprocessors wait. */
#define GIGABYTES(x) ((int64_t)(x) << 30)

static const tuning_t generic = {
    EVERY_GPU, .batch_bytes = GIGABYTES(1), .link_seconds = 2e-6,
    .rate = GSVD_SINGLE ? 1e13 : 3e11, .batch_rate = GSVD_SINGLE ? 2e12 : 1e11};
static const tuning_t fast_double = {EVERY_GPU,
                                     IN_DOUBLE,
                                     .batch_bytes = GIGABYTES(1),
                                     .link_seconds = 2e-6,
                                     .rate = 1e13,
                                     .batch_rate = 2e12};

/* Compute capability 9, where more was measured.  On an H200 SGEMM has 50 Tflop/s,
 * CGEMM 54 and three TF32 products 110 (4096 x 4096 x 4096, bench_products); 3.5 TB/s
 * and 4 microseconds a piece are estimates. */
static const tuning_t hopper = {
    EVERY_GPU,
    IN_DOUBLE,
    .batch_bytes = GIGABYTES(4),
    .inverse_iteration = EIGEN_ALWAYS,
    .inverse_iteration_most = 8192 / REALS_PER_SCALAR,
    .cholesky_wide = GSVD_SINGLE,
    .fused_sketch = GSVD_SINGLE,
    .gemm_rate = REALS_PER_SCALAR == 1 ? 50e12 : 54e12,
    .split_rate = GSVD_SINGLE ? 110e12 : 0,
    .memory_rate = 3.5e12,
    .piece_seconds = 4e-6,
    .link_seconds = GSVD_COMPLEX ? 1.8e-6 : 1.3e-6,
    .rate = GSVD_SINGLE ? 6e13 : 3e13,
    .batch_rate = (GSVD_COMPLEX ? 2.3 : 1) * (GSVD_SINGLE ? 7.5e12 : 4.4e12)};

static const tuning_t *tuning_of(gsvd_handle_t h)
{
    const cuda_state_t *const cuda = cuda_of(h);
    if (cuda->hopper)
        return &hopper;
    return cuda->fast_double ? &fast_double : &generic;
}

static const solvers_t *const solvers[] = {&X(panel_solvers_cuda),
                                           &X(r_only_solvers_cuda),
                                           &X(gemm_solvers_cuda),
                                           &X(project_solvers_cuda),
                                           &X(update_solvers_cuda),
                                           &X(svd_solvers_cuda),
                                           NULL};

const backend_t X(backend_cuda) = {
    .tuning_of = tuning_of, .solvers = solvers, GSVD_PRIMITIVES(ENTRY)};
