/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* in_double.c -- large steps of single precision in double, on any machine and of any size. */
#include "harness/harness.h"

int in_double_asked(void)
{
    if (arguments < 3 || strcmp(argument[2], "in_double") != 0)
        return 0;
    tuning_t *const tuning = take_tuning();
    tuning->large_steps = min_i(tuning->large_steps, 32);
    tuning->in_double = 2;
    return 1;
}
