/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* entries.c -- entries of a matrix as values, and values as entries of a matrix. */
#include "gsvd/pipeline.h"

gsvd_status_t X(diagonal_sizes)(const exec_t *ex, mat_t A, real_t *d)
{
    const mat_t diagonal = mat_view(A.data, A.cols > 0, A.cols, A.ld + 1);
    return ex->op->column_norms(ex, diagonal, d);
}

gsvd_status_t X(read_matrix)(const exec_t *ex, mat_t A, scalar_t *to)
{
    return ex->op->values_read(ex, A.rows * A.cols * REALS_PER_SCALAR,
                               (const real_t *)A.data, (real_t *)to);
}

/* n values and, where that makes them complex numbers, one more */
gsvd_status_t X(scale_values)(const exec_t *ex, int64_t n, real_t *x, int e)
{
    const int64_t rows = (n + REALS_PER_SCALAR - 1) / REALS_PER_SCALAR;
    return ex->op->scale_pow2(
        ex, mat_view((scalar_t *)x, rows, 1, max_i(rows, 1)), e);
}
