/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* ways.h [1] -- the ways of this folder's kernels: see core/ways.h. */
#ifndef GSVD_BATCH_WAYS_H
#define GSVD_BATCH_WAYS_H

#include "pivot/ways.h"

enum {
    /* a pair of a batch, gsvd_columns.cuh */
    WAY_PAIR_COLUMNS = PIVOT_WAYS, /* solved in registers                    */
    WAY_PAIR_LEFT,                 /* left to a team                         */
    BATCH_WAYS
};

#endif /* GSVD_BATCH_WAYS_H */
