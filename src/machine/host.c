/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* host.c -- the numbers of a CPU.
 *
 * There is one queue, so that nothing is gained by looking ahead.  From some 1600 columns on
 * single precision takes as many large steps more as double takes longer (bench/notes.md).
 * link_seconds, rate and batch_rate are estimates of one core: no machine is alike. */
#include "machine/numbers.h"

const tuning_t X(tuning_host) = {
    .link_seconds = 2e-7,
    .rate = GSVD_SINGLE ? 4.5e10 : 3e10,

    .block = 64,
    .wide = 64,
    .unblocked = 128 * 128 * 128,
    .unblocked_rowwise = 128 * 128 * 128,
    .lookahead = INT64_MAX,
    .cached = 128 * 128,

    .pivot_width = PIVOT_WIDTH,
    .pivot_last = 1000,
    .pivot_graded = 0,
    .hermitian_strip = 64,

    .large_steps = 32,
    .in_double = GSVD_SINGLE ? 1600 : 0,
    .inverse_iteration = EIGEN_FOR_ROOM,
    .inverse_iteration_most = INT64_MAX,
    .two_stages_most = INT64_MAX,
    .entrywise = 64,
    .block_jacobi = 256,
    .inner_sweeps = 2,

    .pairs_alone = GSVD_SINGLE ? 0 : 32,
    .batch_rate = GSVD_SINGLE ? 4.5e10 : 3e10,
    .batch_steps = GSVD_SINGLE ? 3 : 2,
    .batch_bytes = 1 << 30,
};
