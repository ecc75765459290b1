/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* sm_90.c -- the numbers of GPUs of compute capability 9, measured on an H200 and an H100
 * with 132 multiprocessors (bench/notes.md).
 *
 * On an H200 SGEMM has 50 Tflop/s, CGEMM 54 and three TF32 products 110 (4096 x 4096 x 4096,
 * bench_products); 3.5 TB/s and 4 microseconds a piece are estimates.  Double has half the
 * rate of single.  The second cache has 50 MB.  The more matrices of a batch take large steps
 * at a time, the fewer multiprocessors wait.  link_seconds, rate and batch_rate were fitted to the
 * records (bench/notes.md). */
#include "machine/numbers.h"

const tuning_t X(tuning_sm_90) = {
    .link_seconds = REALS_PER_SCALAR == 2 ? 1.8e-6 : 1.3e-6,
    .rate = GSVD_SINGLE ? 6e13 : 3e13,

    .block = 128 / REALS_PER_SCALAR,
    .wide = 256 / REALS_PER_SCALAR,
    .unblocked = 0,
    .unblocked_rowwise = 128 * 128 * 128,
    .lookahead = (int64_t)1 << 21,
    .cholesky_wide = GSVD_SINGLE,
    .gemm_rate = REALS_PER_SCALAR == 1 ? 50e12 : 54e12,
    .split_rate = GSVD_SINGLE ? 110e12 : 0,
    .memory_rate = 3.5e12,
    .piece_seconds = 4e-6,

    .pivot_width = PIVOT_WIDTH,
    .pivot_last = PIVOT_WIDTH,
    .pivot_graded = 1,
    .hermitian_strip = 512,
    .fused_sketch = GSVD_SINGLE,

    .large_steps = 64,
    .in_double = GSVD_SINGLE ? 64 : 0,
    .inverse_iteration = EIGEN_ALWAYS,
    .inverse_iteration_most = 8192 / REALS_PER_SCALAR,
    .two_stages = 3072,
    .two_stages_most = 16384,
    .entrywise = 128,
    .block_jacobi = 256,
    .inner_sweeps = 1,
    .second_cache = 32 << 20,

    .batch_rate = (REALS_PER_SCALAR == 2 ? 2.3 : 1) *
                  (GSVD_SINGLE ? 7.5e12 : 4.4e12),
    .batch_large_steps = REALS_PER_SCALAR == 2 ? 33 : 65,
    .batch_steps = GSVD_SINGLE ? 3 : 2,
    .batch_bytes = (int64_t)4 << 30,
    .one_warp = 512,
    .pairs_in_registers = 32,
};
