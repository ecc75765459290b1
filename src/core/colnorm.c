/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* colnorm.c -- norms of columns; CPU twin of colnorm.cu. */
#include "core/ops.h"
#include "core/vector.h"

gsvd_status_t X(column_norms_cpu)(const exec_t *ex, mat_t A, real_t *norm)
{
    (void)ex;
    for (int64_t j = 0; j < A.cols; ++j)
        norm[j] = norm_of(A.rows, &AT(A, 0, j));
    return GSVD_SUCCESS;
}
