/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* signed_mean.c -- eigenvectors from the factors of an SVD; CPU twin of signed_mean.cu. */
#include "core/vector.h"
#include "jacobi/jacobi.h"

gsvd_status_t X(column_dots_cpu)(const exec_t *ex, mat_t U, mat_t V, real_t *t)
{
    (void)ex;
    for (int64_t j = 0; j < V.cols; ++j)
        t[j] = re(dot_of(V.rows, &AT(U, 0, j), &AT(V, 0, j)));
    return GSVD_SUCCESS;
}

gsvd_status_t X(signed_mean_cpu)(const exec_t *ex, mat_t U, mat_t V,
                                 const real_t *sign)
{
    (void)ex;
    for (int64_t j = 0; j < V.cols; ++j)
        for (int64_t i = 0; i < V.rows && sign[j] != 0; ++i)
            AT(V, i, j) = scale((real_t)0.5,
                                add(AT(V, i, j), scale(sign[j], AT(U, i, j))));
    return GSVD_SUCCESS;
}
