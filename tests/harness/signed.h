/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* signed.h -- the hyperbolic SVD in tests: signatures, a call through every door, ratios,
 * and the values by Jacobi in long double. */
#ifndef GSVD_TESTS_SIGNED_H
#define GSVD_TESTS_SIGNED_H

#include "harness/harness.h"

enum {
    ALL_PLUS,
    ALL_MINUS,
    ALTERNATING,
    AT_RANDOM,
    LEADING_HALF,
    ONE_MINUS,
    SIGNS
};

typedef struct signature {
    int64_t plus;
    int64_t *J; /* NULL: the first `plus` columns have sign 1                */
} signature_t;

int64_t sign_of(const signature_t *s, int64_t j);
signature_t make_signs(int what, int64_t n, uint64_t *seed);

/* -- a decomposition ---------------------------------------------------------- */

typedef struct hsvd {
    gsvd_status_t status;
    int info;
    mat_t A, U, V; /* as on exit; U, V without data where not wanted         */
    real_t *sigma;
} hsvd_t;

/* Decomposes a copy of A; checks the padding of everything. */
hsvd_t decompose_signed(door_t door, char jobu, char jobv, mat_t A,
                        signature_t s);

/* norm1(A - U Sigma V^H) / (max(m,n) norm1(A) max(1, norm1(V)) ulp) */
double signed_residual(mat_t A, const hsvd_t *d);

/* The largest entry of V^H J V - J', each over the lengths of its two columns of V,
 * over n ulp */
double signed_defect(mat_t V, const signature_t *s);

/* -- the values, by Jacobi in long double --------------------------------------- */

/* The values of A in the order of sigma, nearly to the precision of long double */
long double *exact_values(mat_t A, const signature_t *s);

/* The largest relative error of sigma, to those, over eps */
double worst_error(int64_t n, const long double *exact, const real_t *sigma);

#endif /* GSVD_TESTS_SIGNED_H */
