/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* gpu.c -- the numbers of a GPU that has no file of its own; they are those of sm_90.c, less
 * what was measured there alone.  link_seconds, rate and batch_rate are estimates. */
#include "machine/numbers.h"

#define NUMBERS                                                                \
    .link_seconds = 2e-6,                                                      \
                                                                               \
    .block = 128 / REALS_PER_SCALAR, .wide = 256 / REALS_PER_SCALAR,           \
    .unblocked = 0, .unblocked_rowwise = 128 * 128 * 128,                      \
    .lookahead = (int64_t)1 << 21,                                             \
                                                                               \
    .pivot_width = PIVOT_WIDTH, .pivot_last = PIVOT_WIDTH, .pivot_graded = 1,  \
    .hermitian_strip = 512,                                                    \
                                                                               \
    .large_steps = 64, .entrywise = 128, .block_jacobi = 256,                  \
    .inner_sweeps = 1, .second_cache = 32 << 20,                               \
                                                                               \
    .batch_large_steps = REALS_PER_SCALAR == 2 ? 33 : 65,                      \
    .batch_steps = GSVD_SINGLE ? 3 : 2, .batch_bytes = (int64_t)1 << 30,       \
    .one_warp = 512, .pairs_in_registers = 32

const tuning_t X(tuning_gpu) = {NUMBERS, .rate = GSVD_SINGLE ? 1e13 : 3e11,
                                .batch_rate = GSVD_SINGLE ? 2e12 : 1e11};

/* Where double has half the rate of single eigenvectors take little longer in double. */
const tuning_t X(tuning_gpu_fast_double) = {NUMBERS, .rate = 1e13,
                                            .batch_rate = 2e12,
                                            .in_double = GSVD_SINGLE ? 64 : 0};
