/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* demand.h -- the kernels of this folder with dynamic shared memory: qr/demand.h. */
#ifndef GSVD_BATCH_DEMAND_H
#define GSVD_BATCH_DEMAND_H

#include "qr/demand.h"

#if defined __cplusplus
extern "C" {
#endif

int X(svd_blocks_demands)(int shared, demand_t *d);
int X(gsvd_batched_demands)(int shared, demand_t *d);
int X(gsvd_columns_demands)(demand_t *d);

#if defined __cplusplus
}
#endif

#endif /* GSVD_BATCH_DEMAND_H */
