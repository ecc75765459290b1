/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* gpus.c [1] -- a row for each kind of GPU; the first that a device matches is its machine.
 * An architecture with numbers of its own is a file of them and a row here. */
#include "machine/gpus.h"

#include <limits.h>

#include "machine/tables.h"

DECLARE_TUNING(sm_90);
DECLARE_TUNING(gpu_fast_double);
DECLARE_TUNING(gpu);

enum { ANY = 0 };

static const struct {
    int major; /* of the compute capability, or ANY                          */
    int ratio; /* of the rates of single and double precision, at most       */
    machine_t machine;
} rows[] = {
    {9, INT_MAX, {"sm_90", EACH_LETTER(tuning_sm_90)}},
    {ANY, 2, {"gpu_fast_double", EACH_LETTER(tuning_gpu_fast_double)}},
    {ANY, INT_MAX, {"gpu", EACH_LETTER(tuning_gpu)}},
};

const machine_t *gsvd_gpu_of(int major, int ratio)
{
    int i = 0;
    while ((rows[i].major != ANY && rows[i].major != major) ||
           ratio > rows[i].ratio)
        ++i;
    return &rows[i].machine;
}
