/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* tables.c -- the table of primitives on a grid, and its numbers.  Other members are NULL: none of the
 * drivers that are compiled for a grid calls them. */
#include "grid/backend.h"
#include "tuning.h"

#define ON_GRID(name) .name = X(name##_grid),
#define ON_HOST(name) .name = X(name##_cpu),

static const solvers_t *const no_lists[] = {NULL};

const backend_t X(backend_grid) = {.solvers = no_lists,
                                   GRID_PRIMITIVES(ON_GRID)
                                       GRID_HOST_PRIMITIVES(ON_HOST)};

const tuning_t X(tuning_grid) = {
    .link_seconds = 1e-5,
    .rate = GSVD_SINGLE ? 4.5e10 : 3e10,
    .block = 64,
    .wide = 64,
    .large_steps = 32,
    .inverse_iteration = EIGEN_NEVER,
    .band_on_gpu = 256, /* predicted, not measured: bench/notes.md           */
};
