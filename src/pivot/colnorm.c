/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* colnorm.c -- norms of columns; CPU twin of colnorm.cu. */
#include "core/sumsq.h"
#include "core/vector.h"
#include "pivot/pivot.h"

gsvd_status_t X(column_norms_cpu)(const exec_t *ex, mat_t A, real_t *norm)
{
    (void)ex;
    for (int64_t j = 0; j < A.cols; ++j) {
        const real_t plain = A.rows > 0 ? square_of(A.rows, &AT(A, 0, j)) : 0;
        if (plain > GSVD_SAFMIN / GSVD_ULP && plain <= GSVD_REAL_MAX) {
            norm[j] = sqrt_r(plain);
            continue;
        }
        sumsq_t s = {0};
        for (int64_t i = 0; i < A.rows; ++i)
            sumsq_add(&s, AT(A, i, j));
        norm[j] = sumsq_norm(s);
    }
    return GSVD_SUCCESS;
}
