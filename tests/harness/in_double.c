/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* in_double.c -- large steps of single precision in double, on any machine and of any size. */
#include "harness/harness.h"

/* those of `handle`, but for what is asked for */
static space_t space;
static backend_t backend;
static tuning_t tuning;

static const tuning_t *tuning_of(gsvd_handle_t h)
{
    (void)h;
    return &tuning;
}

int in_double_asked(void)
{
    if (arguments < 3 || strcmp(argument[2], "in_double") != 0)
        return 0;
    if (handle->space == &space)
        return 1;
    backend = *table();
    tuning = *backend.tuning_of(handle);
    tuning.large_steps = min_i(tuning.large_steps, 32);
    tuning.in_double = 2;
    backend.tuning_of = tuning_of;
    space = *handle->space;
    space.table.GSVD_LETTER = &backend;
    handle->space = &space;
    return 1;
}
