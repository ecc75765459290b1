/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* gsvd_device.h -- the solvers of a GPU for pairs of a batch: by columns in registers, which
 * leaves some pairs, and by teams, which takes all. */
#ifndef GSVD_BATCH_GSVD_DEVICE_H
#define GSVD_BATCH_GSVD_DEVICE_H

#include <limits.h>

#include "batch/batch.h"
#include "primitives.h"

enum {
    PAIR_LEFT = INT_MIN, /* info of a pair that is left to its team          */
    PAIR_COLUMNS = 32    /* the most columns of a pair in registers          */
};

#if defined __cplusplus
extern "C" {
#endif

/* Does the tuning want it, and does it fit? */
int X(gsvd_columns_fit)(const exec_t *ex, const gsvd_batch_t *b);

/* Solves pairs; info is PAIR_LEFT of those that are left, of which all but info, k and l is as it
 * was or an output. */
gsvd_status_t X(gsvd_by_columns)(const exec_t *ex, const gsvd_batch_t *b);

#if defined __cplusplus
}
#endif

#endif /* GSVD_BATCH_GSVD_DEVICE_H */
