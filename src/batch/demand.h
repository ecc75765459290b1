/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* demand.h -- the kernels of this folder with dynamic shared memory: what their launches ask
 * for on a device where a block may have `shared` bytes.  For tests/resources. */
#ifndef GSVD_BATCH_DEMAND_H
#define GSVD_BATCH_DEMAND_H

#include "core/launch.h"
#include "core/precision.h"

#if defined __cplusplus
extern "C" {
#endif

/* Each fills d, which has room for DEMANDS, and returns how many there are. */
int X(eigh_demands)(int shared, demand_t *d);
int X(svd_blocks_demands)(int shared, demand_t *d);
int X(gsvd_batched_demands)(int shared, demand_t *d);
int X(gsvd_columns_demands)(demand_t *d);

#if defined __cplusplus
}
#endif

#endif /* GSVD_BATCH_DEMAND_H */
