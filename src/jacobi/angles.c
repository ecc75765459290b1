/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* angles.c -- the passes over whole matrices between the products of a large step
 * (large_steps.c); CPU twin of angles.cu. */
#include "core/angle.h"
#include "core/blas.h"
#include "core/vector.h"
#include "jacobi/jacobi.h"

gsvd_status_t X(gram_cpu)(const exec_t *ex, mat_t A, mat_t C)
{
    const char lower = 'L', turned = BLAS_CTRANS;
    const int n = (int)A.cols, k = (int)A.rows;
    const int lda = (int)A.ld, ldc = (int)C.ld;
    const real_t one = 1, zero = 0;

    (void)ex;
    if (mat_empty(C))
        return GSVD_SUCCESS;
    BLAS_(HERK)
    (&lower, &turned, &n, &k, &one, A.data, &lda, &zero, C.data, &ldc, 1, 1);
    for (int64_t j = 0; j < C.cols; ++j)
        for (int64_t i = j + 1; i < C.rows; ++i)
            AT(C, j, i) = conj_of(AT(C, i, j));
    return GSVD_SUCCESS;
}

gsvd_status_t X(largest_cosine_cpu)(const exec_t *ex, mat_t C, real_t *cosine)
{
    real_t largest = 0;
    (void)ex;
    for (int64_t j = 0; j < C.cols; ++j)
        for (int64_t i = j + 1; i < C.rows; ++i)
            largest = larger(largest, abs_of(AT(C, i, j)));
    *cosine = largest;
    return GSVD_SUCCESS;
}

gsvd_status_t X(rotation_angles_cpu)(const exec_t *ex, mat_t C, const real_t *d,
                                     const real_t *sign, real_t least,
                                     real_t *bound)
{
    const real_t small = small_angle(C.cols);
    (void)ex;
    for (int64_t j = 0; j < C.cols; ++j) {
        AT(C, j, j) = make(0, 0);
        for (int64_t i = 0; i < j; ++i) {
            const int unequal = unequal_signs(sign, i, j);
            const scalar_t t =
                pair_angle(AT(C, i, j), d[i], d[j], unequal, least, small);
            AT(C, i, j) = t;
            AT(C, j, i) = turned_angle(t, unequal);
        }
    }
    *bound = 0;
    for (int64_t j = 0; j < C.cols; ++j) {
        real_t sum = 0;
        for (int64_t i = 0; i < C.rows; ++i)
            sum += abs_of(AT(C, i, j));
        *bound = larger(*bound, sum);
    }
    return GSVD_SUCCESS;
}

gsvd_status_t X(second_order_exp_cpu)(const exec_t *ex, mat_t T, mat_t S,
                                      real_t s, mat_t P)
{
    (void)ex;
    for (int64_t j = 0; j < P.cols; ++j)
        for (int64_t i = 0; i < P.rows; ++i)
            AT(P, i, j) = exp_entry(i == j, s, AT(T, i, j), AT(S, i, j));
    return GSVD_SUCCESS;
}

gsvd_status_t X(newton_schulz_cpu)(const exec_t *ex, mat_t E,
                                   const real_t *sign, real_t *defect)
{
    real_t largest = 0;
    (void)ex;
    for (int64_t j = 0; j < E.cols; ++j)
        for (int64_t i = 0; i < E.rows; ++i) {
            const scalar_t e = with_sign(sign, i, AT(E, i, j));
            largest = larger(largest, abs_of(sub(e, make(i == j, 0))));
            AT(E, i, j) = newton_schulz_entry(i == j, e);
        }
    *defect = largest;
    return GSVD_SUCCESS;
}

/* column j of X^H X - I, i <= j, piece by piece */
static scalar_t defect_entry(mat_t X_, int64_t i, int64_t j)
{
    enum { PIECE = 32 };
    scalar_t sum = make(0, 0);
    for (int64_t from = 0; from < X_.rows; from += PIECE)
        sum = add(sum, X(vector_dot)(min_i(PIECE, X_.rows - from),
                                     &AT(X_, from, i), &AT(X_, from, j)));
    return sub(sum, make(i == j, 0));
}

gsvd_status_t X(column_defects_cpu)(const exec_t *ex, mat_t X_, real_t *defect)
{
    (void)ex;
    for (int64_t j = 0; j < X_.cols; ++j) {
        defect[j] = 0;
        for (int64_t i = 0; i <= j; ++i) {
            const real_t e = larger_part(defect_entry(X_, i, j));
            defect[i] = larger(defect[i], e);
            defect[j] = larger(defect[j], e);
        }
    }
    return GSVD_SUCCESS;
}

gsvd_status_t X(signed_drift_cpu)(const exec_t *ex, mat_t E, const real_t *sign,
                                  const real_t *d, real_t least, real_t *most)
{
    real_t largest = 0;
    (void)ex;
    for (int64_t j = 0; j < E.cols; ++j)
        for (int64_t i = 0; i < E.rows; ++i) {
            const scalar_t x = signed_drift_entry(sign, i, j, AT(E, i, j),
                                                  least * d[i] * d[j]);
            largest = larger(largest, abs_of(x));
            AT(E, i, j) = x;
        }
    *most = largest;
    return GSVD_SUCCESS;
}

gsvd_status_t X(signed_roots_cpu)(const exec_t *ex, int64_t n, const real_t *x,
                                  real_t *root, real_t *sign)
{
    (void)ex;
    for (int64_t i = 0; i < n; ++i)
        signed_root(x[i], &root[i], &sign[i]);
    return GSVD_SUCCESS;
}
