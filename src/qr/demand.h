/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* demand.h -- the kernels with dynamic shared memory: what their launches ask for on
 * a device where a block may have `shared` bytes.  For tests/resources. */
#ifndef GSVD_QR_DEMAND_H
#define GSVD_QR_DEMAND_H

#include "core/launch.h"
#include "core/precision.h"

#if defined __cplusplus
extern "C" {
#endif

enum {
    DEMANDS = 4 /* of a file, at most                                      */
};

/* Each fills d and answers how many demands there are. */
int X(panel_demands)(int shared, demand_t *d);
int X(householder_strip_demands)(int shared, demand_t *d);
int X(r_only_demands)(int shared, demand_t *d);
int X(reflect_demands)(int shared, demand_t *d);
int X(block_sweep_demands)(demand_t *d); /* src/jacobi                        */

/* The solvers with these are taken on compute capability 9 alone. */
int X(cholesky_wide_demands)(demand_t *d);
int X(update_sketch_demands)(
    demand_t *d); /* src/pivot                               */

#if defined __cplusplus
}
#endif

#endif /* GSVD_QR_DEMAND_H */
