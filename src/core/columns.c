/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* columns.c -- columns times numbers of their own, and lists of such numbers; CPU twin of
 * columns.cu. */
#include "core/angle.h"
#include "core/column_scale.h"
#include "core/ops.h"

gsvd_status_t X(normalize_columns_cpu)(const exec_t *ex, mat_t A,
                                       const real_t *d, mat_t B)
{
    (void)ex;
    for (int64_t j = 0; j < A.cols; ++j)
        for (int64_t i = 0; i < A.rows; ++i)
            AT(B, i, j) = over_length(AT(A, i, j), d[j]);
    return GSVD_SUCCESS;
}

gsvd_status_t X(scale_columns_cpu)(const exec_t *ex, mat_t A, const real_t *d,
                                   mat_t B)
{
    (void)ex;
    for (int64_t j = 0; j < A.cols; ++j)
        for (int64_t i = 0; i < A.rows; ++i)
            AT(B, i, j) = scale(d[j], AT(A, i, j));
    return GSVD_SUCCESS;
}

gsvd_status_t X(column_scales_cpu)(const exec_t *ex, int64_t n, const real_t *a,
                                   const real_t *b, real_t *d)
{
    (void)ex;
    for (int64_t j = 0; j < n; ++j)
        d[j] = column_scale(a[j], b[j]);
    return GSVD_SUCCESS;
}

gsvd_status_t X(joint_scales_cpu)(const exec_t *ex, int64_t n, const real_t *a,
                                  const real_t *b, real_t least_a,
                                  real_t least_b, real_t *d, real_t *most)
{
    real_t top_a = 0, top_b = 0;
    (void)ex;
    for (int64_t j = 0; j < n; ++j) {
        top_a = larger(top_a, a[j]);
        top_b = larger(top_b, b[j]);
    }
    *most = 1;
    for (int64_t j = 0; j < n; ++j) {
        d[j] = joint_scale(a[j], b[j], least_a, least_b, exponent_r(top_a),
                           exponent_r(top_b));
        *most = larger(*most, d[j]);
    }
    return GSVD_SUCCESS;
}

gsvd_status_t X(values_permute_cpu)(const exec_t *ex, int64_t n,
                                    const real_t *x, const int *perm, real_t *y)
{
    (void)ex;
    for (int64_t i = 0; i < n; ++i)
        y[i] = x[perm[i]];
    return GSVD_SUCCESS;
}

gsvd_status_t X(values_set_cpu)(const exec_t *ex, int64_t first, int64_t n,
                                real_t value, real_t *x)
{
    (void)ex;
    for (int64_t i = first; i < n; ++i)
        x[i] = value;
    return GSVD_SUCCESS;
}
