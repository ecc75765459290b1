/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* values.c -- the generalized values (c, s) as vectors; CPU twin of values.cu.
 */
#include <stdlib.h>

#include "core/value_pair.h"
#include "jacobi/jacobi.h"

gsvd_status_t X(values_unit_cpu)(const exec_t *ex, int64_t n, real_t *c,
                                 real_t *s)
{
    (void)ex;
    for (int64_t i = 0; i < n; ++i)
        value_pair_unit(&c[i], &s[i]);
    return GSVD_SUCCESS;
}

/* Sorts perm[0:n) by merging, with work[0:n): c descending, then s ascending, then in
 * the order that the pairs have. */
static void merge_sort(int *perm, int *work, int64_t n, const real_t *c,
                       const real_t *s)
{
    if (n < 2)
        return;
    const int64_t half = n / 2;
    merge_sort(perm, work, half, c, s);
    merge_sort(perm + half, work, n - half, c, s);
    for (int64_t i = 0; i < half; ++i)
        work[i] = perm[i];
    for (int64_t i = 0, j = half, out = 0; i < half; ++out) {
        if (j < n && value_pair_before(c, s, perm[j], work[i]))
            perm[out] = perm[j++];
        else
            perm[out] = work[i++];
    }
}

gsvd_status_t X(values_order_cpu)(const exec_t *ex, int64_t n, const real_t *c,
                                  const real_t *s, int *perm)
{
    void *work;
    GSVD_TRY(X(kernel_work)(ex, (size_t)max_i(n, 1) * sizeof(int), &work));
    for (int64_t i = 0; i < n; ++i)
        perm[i] = (int)i;
    merge_sort(perm, work, n, c, s);
    return GSVD_SUCCESS;
}

gsvd_status_t X(partition_signs_cpu)(const exec_t *ex, int64_t n,
                                     const int64_t *J, int *perm, int64_t *plus)
{
    int64_t ones = 0, place[2];
    (void)ex;
    *plus = -1;
    for (int64_t j = 0; j < n; ++j) {
        if (J[j] != 1 && J[j] != -1)
            return GSVD_SUCCESS;
        ones += J[j] == 1;
    }
    place[0] = 0;
    place[1] = ones;
    for (int64_t j = 0; j < n; ++j)
        perm[place[J[j] < 0]++] = (int)j;
    *plus = ones;
    return GSVD_SUCCESS;
}

gsvd_status_t X(values_read_cpu)(const exec_t *ex, int64_t n, const real_t *x,
                                 real_t *to)
{
    (void)ex;
    for (int64_t i = 0; i < n; ++i)
        to[i] = x[i];
    return GSVD_SUCCESS;
}

gsvd_status_t X(values_write_cpu)(const exec_t *ex, int64_t n,
                                  const real_t *from, real_t *x)
{
    return X(values_read_cpu)(ex, n, from, x);
}

gsvd_status_t X(values_complete_cpu)(const exec_t *ex, int64_t n, real_t *c,
                                     real_t *s)
{
    (void)ex;
    for (int64_t i = 0; i < n; ++i)
        value_pair_complete(&c[i], &s[i]);
    return GSVD_SUCCESS;
}

gsvd_status_t X(values_lead_cpu)(const exec_t *ex, int64_t n, const real_t *c,
                                 const real_t *s, int64_t *count)
{
    (void)ex;
    *count = 0;
    while (*count < n && c[*count] > s[*count])
        ++*count;
    return GSVD_SUCCESS;
}

gsvd_status_t X(normalize_values_cpu)(const exec_t *ex, int64_t n, int ea,
                                      int eb, const real_t *c, const real_t *s,
                                      real_t *alpha, real_t *beta, real_t *g,
                                      int *e)
{
    (void)ex;
    for (int64_t i = 0; i < n; ++i)
        value_pair_of_caller(ea, eb, c[i], s[i], &alpha[i], &beta[i], &g[i],
                             &e[i]);
    return GSVD_SUCCESS;
}

gsvd_status_t X(combine_cpu)(const exec_t *ex, const real_t *c, mat_t A,
                             const real_t *s, mat_t B, mat_t H)
{
    (void)ex;
    for (int64_t j = 0; j < H.cols; ++j)
        for (int64_t i = 0; i < H.rows; ++i) {
            const scalar_t b = scale(s[i], AT(B, i, j));
            AT(H, i, j) = i < A.rows ? add(scale(c[i], AT(A, i, j)), b) : b;
        }
    return GSVD_SUCCESS;
}

gsvd_status_t X(combine_columns_cpu)(const exec_t *ex, const real_t *c, mat_t A,
                                     const real_t *s, mat_t B, const real_t *a,
                                     const real_t *b, mat_t H)
{
    (void)ex;
    for (int64_t j = 0; j < H.cols; ++j)
        for (int64_t i = 0; i < H.rows; ++i) {
            const scalar_t y = AT(B, i, j);
            AT(H, i, j) = i < A.rows ? value_pair_combine(c[i], AT(A, i, j),
                                                          a[j], s[i], y, b[j])
                                     : scale(s[i], y);
        }
    return GSVD_SUCCESS;
}
