/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* ldl_values.c -- what becomes of L and D: values, roots, arrays; CPU twin of ldl_values.cu. */
#include "core/clones.h"
#define GSVD_FN PART /* of functions with clones */
#include "pivot/ldl.h"

/* y[i] := y[i] + what the pivot P in column s has subtracted from row i */
CLONES
static void add_subtracted(mat_t L, int64_t s, ldl_pivot_t P, real_t *y)
{
    const int64_t below = s + 1 + P.two;
    real_t l[2] = {0, 0}, w[2] = {0, 0}, x[2], z[2];

    for (int64_t i = below; i < L.rows && P.two; ++i) {
        ldl_row_sizes(L, s, P, i, x, z);
        for (int t = 0; t < 2; ++t) {
            l[t] = fmax_r(l[t], x[t]);
            w[t] = fmax_r(w[t], z[t]);
        }
    }
    for (int64_t i = below; i < L.rows; ++i)
        y[i] += ldl_subtracted(L, s, P, i, l, w);
}

/* z := y and what is handed on of it */
CLONES
static void add_handed_on(mat_t L, const real_t *d, const scalar_t *e,
                          real_t least, const real_t *y, real_t *z)
{
    for (int64_t i = 0; i < L.rows; ++i)
        z[i] = y[i];
    for (int64_t s = 0; s < L.cols; ++s) {
        if (ldl_is_second(e, s))
            continue;
        const ldl_pivot_t P = ldl_pivot_at(d, e, s);
        for (int64_t i = s + 2; i < L.rows && P.two; ++i)
            z[i] += ldl_handed_on(L, s, P, i, least, &y[s]);
    }
}

gsvd_status_t X(ldl_values_cpu)(const exec_t *ex, mat_t L, const real_t *d,
                                const scalar_t *e, real_t least, int by_sign,
                                real_t *lambda, real_t *key)
{
    const int64_t n = L.cols;
    void *work;

    GSVD_TRY(X(kernel_work)(ex, 2 * (size_t)n * sizeof(real_t), &work));
    real_t *const y = work, *const z = y + n;
    for (int64_t i = 0; i < n; ++i)
        y[i] = 0;
    for (int64_t s = 0; s < n && least > 0; ++s)
        if (!ldl_is_second(e, s))
            add_subtracted(L, s, ldl_pivot_at(d, e, s), y);
    add_handed_on(L, d, e, least, y, z);
    for (int64_t t = 0; t < n; ++t)
        if (!ldl_is_second(e, t))
            ldl_set_values(ldl_pivot_at(d, e, t), &z[t], least, by_sign,
                           &lambda[t], &key[t]);
    return GSVD_SUCCESS;
}

/* The rows of L's column t, and of t + 1 of a pivot of order 2; those above are 0 */
CLONES
static void root_rows(mat_t L, ldl_pivot_t P, real_t first, real_t second,
                      int64_t t)
{
    const real_t lambda[2] = {first, second};
    for (int64_t i = t; i < L.rows; ++i)
        ldl_root_row(L, P, lambda, i, t);
}

gsvd_status_t X(ldl_roots_cpu)(const exec_t *ex, mat_t L, const real_t *d,
                               const scalar_t *e, const real_t *lambda)
{
    (void)ex;
    for (int64_t t = 0; t < L.cols; ++t) {
        if (ldl_is_second(e, t))
            continue;
        const ldl_pivot_t P = ldl_pivot_at(d, e, t);
        root_rows(L, P, lambda[t], P.two ? lambda[t + 1] : 0, t);
    }
    return GSVD_SUCCESS;
}

gsvd_status_t X(ldl_diagonal_cpu)(const exec_t *ex, const int *order,
                                  int64_t rank, const real_t *d,
                                  const scalar_t *e, mat_t D)
{
    (void)ex;
    for (int64_t t = 0; t < D.cols; ++t) {
        AT(D, 0, t) = make(t < rank ? d[order[t]] : 0, 0);
        AT(D, 1, t) = t < rank ? e[order[t]] : make(0, 0);
    }
    return GSVD_SUCCESS;
}

gsvd_status_t X(ldl_signs_cpu)(const exec_t *ex, int64_t n, int64_t plus,
                               int64_t rank, const int *perm, const int *order,
                               int64_t *J, int64_t *row)
{
    (void)ex;
    for (int64_t i = 0; i < n; ++i) {
        if (J)
            J[i] = i < plus ? 1 : i < rank ? -1 : 0;
        row[i] = (int64_t)perm[order[i]] + 1;
    }
    return GSVD_SUCCESS;
}
