/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* digits.c -- backward errors in about one and a half times the precision.
 *
 * |A - U R Q^H| as the working precision computes it is mostly the rounding of
 * these two products.  Here each factor is cut in two, X = X1 + X2, X1 a
 * multiple of one unit and so short that products of such parts and their sums
 * over the inner dimension are exact in any order (Ozaki's scheme, two parts):
 *
 *     T + t = R Q^H:   T = R1 Q1^H exactly,   t = R1 Q2^H + R2 Q^H
 *     A - U (T + t) = A - U1 T1 - U1 T2 - U2 T - U t
 *
 * with U1 T1 exact; all other products are small, and so are their roundings:
 * 2^-s ulp |U| |R| |Q|, s the bits of a first part, (53 - log2 of the inner
 * dimension) / 2 in double.
 */
#include <math.h>

#include "problem.h"

/* as an array of real numbers: rows doubled where they are pairs */
enum { REALS = sizeof(scalar_t) / sizeof(real_t) };

static real_t largest(mat_t A)
{
    real_t most = 0;
    for (int64_t j = 0; j < A.cols; ++j) {
        const real_t *a = (const real_t *)&AT(A, 0, j);
        for (int64_t i = 0; i < REALS * A.rows; ++i)
            most = fmax_r(most, (real_t)fabs((double)a[i]));
    }
    return most;
}

/* A = A1 + A2, A1 with so many bits below the largest number of A */
static gsvd_status_t cut(const problem_t *H, mat_t A, int bits, mat_t *A1,
                         mat_t *A2)
{
    int e = 0;
    (void)frexp((double)largest(A), &e);
    const real_t c = (real_t)ldexp(1.5, e + (GSVD_SINGLE ? 24 : 53) - 1 -
                                            bits); /* its ulp: 2^(e-bits) */
    GSVD_TRY(X(bench_mat)(H, A.rows, A.cols, A1));
    GSVD_TRY(X(bench_mat)(H, A.rows, A.cols, A2));
    for (int64_t j = 0; j < A.cols; ++j) {
        const real_t *a = (const real_t *)&AT(A, 0, j);
        real_t *a1 = (real_t *)&AT(*A1, 0, j), *a2 = (real_t *)&AT(*A2, 0, j);
        for (int64_t i = 0; i < REALS * A.rows; ++i) {
            const volatile real_t sum = a[i] + c;
            a1[i] = sum - c;
            a2[i] = a[i] - a1[i];
        }
    }
    return GSVD_SUCCESS;
}

/* C += sign T */
static void accumulate(mat_t C, real_t sign, mat_t T)
{
    for (int64_t j = 0; j < C.cols; ++j) {
        real_t *c = (real_t *)&AT(C, 0, j);
        const real_t *t = (const real_t *)&AT(T, 0, j);
        for (int64_t i = 0; i < REALS * C.rows; ++i)
            c[i] += sign * t[i];
    }
}

/* scaled, so that squares of single precision do no harm */
static double frobenius(mat_t A)
{
    double sum = 0;
    for (int64_t j = 0; j < A.cols; ++j) {
        const real_t *a = (const real_t *)&AT(A, 0, j);
        for (int64_t i = 0; i < REALS * A.rows; ++i)
            sum += (double)a[i] * (double)a[i];
    }
    return sqrt(sum);
}

static int bits_for(int64_t inner)
{
    int bits = (GSVD_SINGLE ? 24 : 53) - 1;
    for (int64_t i = 1; i < REALS * inner; i *= 2)
        --bits;
    return bits / 2;
}

gsvd_status_t X(bench_digits)(const problem_t *H, mat_t A, mat_t U, mat_t R,
                              mat_t Q, double *digits)
{
    const backend_t *const op = H->ex.op;
    mat_t Q1, Q2, R1, R2, U1, U2, T1, T2, T, t, E, C;
    int bits = bits_for(Q.cols);

    GSVD_TRY(X(bench_mat)(H, R.rows, A.cols, &T));
    GSVD_TRY(X(bench_mat)(H, R.rows, A.cols, &t));
    GSVD_TRY(X(bench_mat)(H, A.rows, A.cols, &E));
    GSVD_TRY(X(bench_mat)(H, A.rows, A.cols, &C));

    GSVD_TRY(cut(H, Q, bits, &Q1, &Q2));
    GSVD_TRY(cut(H, R, bits, &R1, &R2));
    GSVD_TRY(op->gemm(&H->ex, 'N', 'C', R1, Q2, t));
    GSVD_TRY(op->gemm(&H->ex, 'N', 'C', R2, Q, T));
    accumulate(t, 1, T);
    GSVD_TRY(op->gemm(&H->ex, 'N', 'C', R1, Q1, T));

    bits = bits_for(U.cols);
    GSVD_TRY(cut(H, U, bits, &U1, &U2));
    GSVD_TRY(cut(H, T, bits, &T1, &T2));
    GSVD_TRY(op->copy(&H->ex, A, E));
    GSVD_TRY(op->gemm(&H->ex, 'N', 'N', U1, T1, C));
    accumulate(E, -1, C);
    GSVD_TRY(op->gemm(&H->ex, 'N', 'N', U1, T2, C));
    accumulate(E, -1, C);
    GSVD_TRY(op->gemm(&H->ex, 'N', 'N', U2, T, C));
    accumulate(E, -1, C);
    GSVD_TRY(op->gemm(&H->ex, 'N', 'N', U, t, C));
    accumulate(E, -1, C);
    *digits = -log10(frobenius(E) / frobenius(A));
    return GSVD_SUCCESS;
}
