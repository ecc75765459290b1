/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* in_double.c -- large steps of single precision in double, on any machine and of any size. */
#include "harness/harness.h"

/* those of `handle`, but for what is asked for */
static machine_t machine;
static tuning_t tuning;

int in_double_asked(void)
{
    if (arguments < 3 || strcmp(argument[2], "in_double") != 0)
        return 0;
    if (handle->machine == &machine)
        return 1;
    tuning = *numbers_of(handle);
    tuning.large_steps = min_i(tuning.large_steps, 32);
    tuning.in_double = 2;
    machine = *handle->machine;
    machine.tuning.GSVD_LETTER = &tuning;
    handle->machine = &machine;
    return 1;
}
