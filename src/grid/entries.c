/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* entries.c -- as gsvd/entries.c: entries of a matrix become values on all processes. */
#include "grid/backend.h"
#include "grid/layout.h"
#include "gsvd/pipeline.h"

gsvd_status_t X(diagonal_sizes)(const exec_t *ex, mat_t A, real_t *d)
{
    scalar_t *entry;
    GSVD_TRY(X(diagonal_grid)(ex, A, &entry));
    for (int64_t j = 0; j < A.cols; ++j)
        d[j] = abs_of(entry[j]);
    return GSVD_SUCCESS;
}

gsvd_status_t X(read_matrix)(const exec_t *ex, mat_t A, scalar_t *to)
{
    const part_t P = X(part_of)(A);
    (void)ex;
    for (int64_t i = 0; i < A.rows * A.cols; ++i)
        to[i] = make(0, 0);
    EACH_ENTRY (P, i, j)
        to[i.at + j.at * A.rows] = HERE(P, i, j);
    X(sum_all)(A.rows * A.cols * REALS_PER_SCALAR, (real_t *)to);
    return GSVD_SUCCESS;
}

void X(grid_write_matrix)(mat_t A, const scalar_t *from)
{
    const part_t P = X(part_of)(A);
    EACH_ENTRY (P, i, j)
        HERE(P, i, j) = from[i.at + j.at * A.rows];
}

gsvd_status_t X(scale_values)(const exec_t *ex, int64_t n, real_t *x, int e)
{
    (void)ex;
    for (int64_t i = 0; i < n; ++i)
        x[i] = ldexp_r(x[i], e);
    return GSVD_SUCCESS;
}
