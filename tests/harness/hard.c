/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* hard.c -- matrices whose rank column pivoting finds with difficulty. */
#include "harness/hard.h"

const char *const hard_name[HARD] = {
    "Kahan",     "extended Kahan", "GKS", "devil's stairs", "graded",
    "duplicate", "near duplicate", "gap", "no gap",
};

static void put_real(mat_t A, int64_t i, int64_t j, double x)
{
    AT(A, i, j) = make((real_t)x, 0);
}

static double entry(mat_t A, int64_t i, int64_t j)
{
    return (double)re(AT(A, i, j));
}

/* diag(1, s, s^2, ...) times the unit triangle of -c; columns get slightly
 * shorter, so that rounding does not exchange them */
static void kahan(mat_t A)
{
    const double s = 0.9, c = sqrt(1 - s * s);
    for (int64_t j = 0; j < A.cols; ++j) {
        const double shorter = 1 - 25 * (double)j * (double)GSVD_ULP;
        for (int64_t i = 0; i <= j; ++i)
            put_real(A, i, j, shorter * pow(s, (double)i) * (i == j ? 1 : -c));
    }
}

/* (-1) to the number of ones that i and j have in common: a Hadamard matrix */
static double hadamard(int64_t i, int64_t j)
{
    int64_t common = i & j;
    double sign = 1;
    for (; common; common &= common - 1)
        sign = -sign;
    return sign;
}

/* diag(s^i) (I, -fH, 0; 0, I, fH; 0, 0, mu I) with blocks of a power of two */
static void extended_kahan(mat_t A)
{
    int64_t b = 1;
    while (6 * b <= A.cols)
        b *= 2;
    const double f = 1 / sqrt(4 * (double)b - 1), s = 0.99;
    const double mu = 10 * GSVD_ULP * (double)A.cols;
    for (int64_t i = 0; i < 3 * b; ++i)
        put_real(A, i, i, pow(s, (double)i) * (i < 2 * b ? 1 : mu));
    for (int64_t j = 0; j < b; ++j)
        for (int64_t i = 0; i < b; ++i) {
            put_real(A, i, b + j, -f * hadamard(i, j) * pow(s, (double)i));
            put_real(A, b + i, 2 * b + j,
                     f * hadamard(i, j) * pow(s, (double)(b + i)));
        }
    for (int64_t i = 3 * b; i < A.cols; ++i)
        put_real(A, i, i, 0.1 * mu);
}

static void gks(mat_t A)
{
    for (int64_t j = 0; j < A.cols; ++j)
        for (int64_t i = 0; i <= j; ++i)
            put_real(A, i, j, (i == j ? 1 : -1) / sqrt((double)j + 1));
}

/* U diag(sigma) V^H */
static mat_t with_singular_values(int64_t n, const double *sigma,
                                  uint64_t *seed)
{
    const mat_t V = random_unitary(n, seed);
    mat_t U = random_unitary(n, seed);
    for (int64_t j = 0; j < n; ++j)
        scale_column(U, j, sigma[j]);
    return product('N', 'C', U, V);
}

/* the i-th of eight stairs, from 1 down to ulp^1.25 */
static double stair(double i) { return pow(GSVD_ULP, 1.25 * i / 7); }

double hard_tolerance(hard_t which)
{
    if (which == STAIRS)
        return stair(3.5);
    if (which == NEAR || which == GAP || which == NO_GAP)
        return GSVD_SINGLE ? 1e-3 : 1e-7;
    return -1;
}

static double singular_value(hard_t which, int64_t j, int64_t n)
{
    const double tol = hard_tolerance(which);
    const double at = (double)j / (double)max_i(n - 1, 1);
    if (which == STAIRS)
        return stair((double)(8 * j / n));
    if (which == GAP)
        return 2 * j < n ? pow(10 * tol, 2 * at) : tol / 10;
    return pow(tol, 2 * at); /* from 1 to tol^2, through tol in the middle   */
}

static mat_t graded(int64_t n, uint64_t *seed)
{
    mat_t A = normal_mat(n, n, seed);
    for (int64_t j = 0; j < n; ++j)
        scale_column(A, j,
                     pow(GSVD_ULP, 1.5 * (double)j / (double)max_i(n, 1)));
    return A;
}

/* column n/2 + j is column j, and so much of another one */
static mat_t twice(int64_t n, double tol, uint64_t *seed)
{
    static const double times[] = {0, 1e-2, 1e2};
    const mat_t A = normal_mat(n, n, seed);
    for (int64_t j = n / 2; j < n; ++j)
        for (int64_t i = 0; i < n; ++i)
            AT(A, i, j) = mul_add(make((real_t)(tol * times[j % 3]), 0),
                                  AT(A, i, j), AT(A, i, j - n / 2));
    return A;
}

mat_t hard_mat(hard_t which, int64_t n, uint64_t *seed)
{
    if (which == STAIRS || which == GAP || which == NO_GAP) {
        double *sigma = grab((size_t)n * sizeof *sigma);
        for (int64_t j = 0; j < n; ++j)
            sigma[j] = singular_value(which, j, n);
        return with_singular_values(n, sigma, seed);
    }
    if (which == GRADED)
        return graded(n, seed);
    if (which == DUPLICATE)
        return twice(n, 0, seed);
    if (which == NEAR)
        return twice(n, hard_tolerance(NEAR), seed);

    mat_t A = zero_mat(n, n);
    if (which == KAHAN)
        kahan(A);
    else if (which == EXTENDED)
        extended_kahan(A);
    else
        gks(A);
    ck_assert(entry(A, 0, 0) == 1);
    return A;
}
