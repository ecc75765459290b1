/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* svd_roads.h -- the roads of svd_batched.
 *
 * svd.c and svd.cu have a table each.  The first row is taken that is wanted, by policy and
 * tuning, and fits the batch; a test forces a row (policy.forced): it is taken wherever it
 * fits.  The large steps are the first row of both tables. */
#ifndef GSVD_BATCH_SVD_ROADS_H
#define GSVD_BATCH_SVD_ROADS_H

#include "batch/batch.h"
#include "core/notes.h"
#include "primitives.h"

/* wanted == NULL: always; bytes == NULL: none */
#define svd_batch_road_t X(svd_batch_road_t)
typedef struct svd_batch_road_t {
    const char *name;
    svd_batched_fits_op *wanted, *fits;
    svd_batched_bytes_op *bytes;
    svd_batched_op *run;
} svd_batch_road_t;

enum { SVD_BATCH_LARGE_STEPS };

/* The row that is taken, or NULL: none fits. */
static inline const svd_batch_road_t *
choose_svd_batch(const svd_batch_road_t *road, int rows, const exec_t *ex,
                 const svd_batch_t *b)
{
    const int forced = ex->policy.forced[CHOICE_SVD_BATCH];
    if (forced > 0 && road[forced - 1].fits(ex, b))
        return &road[forced - 1];
    for (int row = 0; row < rows; ++row)
        if ((!road[row].wanted || road[row].wanted(ex, b)) &&
            road[row].fits(ex, b))
            return &road[row];
    return NULL;
}

#endif /* GSVD_BATCH_SVD_ROADS_H */
