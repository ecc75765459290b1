/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* permute.c -- columns and rows in another order; CPU twin of permute.cu. */
#include <string.h>

#include "pivot/pivot.h"

gsvd_status_t X(permute_columns_cpu)(gsvd_handle_t h, mat_t A, const int *perm,
                                     mat_t B)
{
    (void)h;
    if (mat_empty(A))
        return GSVD_SUCCESS;
    for (int64_t j = 0; j < A.cols; ++j) {
        const int64_t from = perm ? perm[j] : A.cols - 1 - j;
        memcpy(&AT(B, 0, j), &AT(A, 0, from), (size_t)A.rows * sizeof *A.data);
    }
    return GSVD_SUCCESS;
}

gsvd_status_t X(permute_rows_cpu)(gsvd_handle_t h, mat_t A, const int *perm,
                                  mat_t B)
{
    (void)h;
    for (int64_t j = 0; j < A.cols; ++j)
        for (int64_t i = 0; i < A.rows; ++i)
            AT(B, perm ? perm[i] : A.rows - 1 - i, j) = AT(A, i, j);
    return GSVD_SUCCESS;
}
