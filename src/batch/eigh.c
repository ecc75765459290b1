/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* eigh.c -- eigenvectors of small matrices out of their SVDs, one after the other; CPU twin of
 * eigh.cu. */
#include "batch/eigh.h"
#include "primitives.h"

gsvd_status_t X(eigh_load_cpu)(const exec_t *ex, const eigh_batch_t *b)
{
    const team_t t = {NULL};
    (void)ex;
    for (int64_t i = 0; i < b->count; ++i)
        eigh_load_one(t, b, i);
    return GSVD_SUCCESS;
}

gsvd_status_t X(eigh_signs_cpu)(const exec_t *ex, const eigh_batch_t *b)
{
    const team_t t = {NULL};
    (void)ex;
    for (int64_t i = 0; i < b->count; ++i)
        eigh_signs_one(t, b, i, NULL);
    return GSVD_SUCCESS;
}
