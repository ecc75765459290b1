/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* flops.h [1] -- counted floating-point operations and bytes of each step.
 *
 * Real operations of the textbook algorithm with full factors, lower-order
 * terms left out; a complex multiplication and addition is four real ones of
 * each.  What an implementation does beyond that (sketches, trees, explicit
 * small factors) is not counted, so that speeds of different ones compare.
 * Bytes are the least: every input read once and every output written once.
 */
#ifndef GSVD_BENCH_FLOPS_H
#define GSVD_BENCH_FLOPS_H

#include <math.h>

/* r Householder reflectors that triangularize m x n: sum of 4 (m-j) (n-j) */
static inline double flops_qr(double m, double n, double r)
{
    return 4 * m * n * r - 2 * (m + n) * r * r + 4 * r * r * r / 3;
}

/* r reflectors of length m, the j-th acting on rows j.. of m x c */
static inline double flops_apply(double m, double c, double r)
{
    return 4 * m * c * r - 2 * c * r * r;
}

/* The leading c columns of the product of r reflectors of length m */
static inline double flops_form(double m, double c, double r)
{
    return flops_qr(m, c, r);
}

/* Flegar 2016, theorem 1.3 and section 2.4, U, V, Q in full:
 *   QR of B, V;  RQ of its l rows, A and Q updated;
 *   QR of A's first n-l columns, U, the others updated;  RQ of its k rows, Q;
 *   QR of the last block, U */
static inline double flops_preprocess(double m, double n, double p, double k,
                                      double l)
{
    const double last = m - k < l ? m - k : l;
    const double of_b = flops_qr(p, n, l) + flops_form(p, p, l);
    const double rq_b =
        flops_qr(n, l, l) + flops_apply(n, m, l) + flops_form(n, n, l);
    const double of_a =
        flops_qr(m, n - l, k) + flops_apply(m, l, k) + flops_form(m, m, k);
    const double rq_a = flops_qr(n - l, k, k) + flops_apply(n - l, n, k);
    const double of_last =
        flops_qr(m - k, l, last) + flops_apply(m - k, m, last);
    return of_b + rq_b + of_a + rq_a + of_last;
}

/* One-sided Jacobi of order l, every pair of columns rotated in each sweep:
 * three inner products and a rotation of two columns of G and of C */
static inline double flops_jacobi(double l, double sweeps)
{
    return sweeps * l * (l - 1) / 2 * (6 + 6 + 6) * l;
}

/* One pass of large steps and one step, m >= n (src/jacobi/large_steps.c): pivoted QR;
 * of order n four Gram matrices, L X and L + L T; with vectors D + D T and the product of
 * the left factor with Q.  Eigenvectors are not in it. */
static inline double flops_large_steps(double m, double n, int vectors)
{
    return flops_qr(m, n, n) + 8 * n * n * n +
           vectors * (2 * n * n * n + flops_apply(m, n, n));
}

/* What cuSOLVER's Xsyevd with vectors takes of an H200 at order n, in ms: measured on
 * 2026-11-22 (CUDA 13.0, cuSOLVER 12.0.4) at 512, 1024, ... 8192, between them by the
 * power law, below in proportion to n, above to n^3.  0: not measured (complex). */
static inline double xsyevd_ms(char letter, double n)
{
    static const double d[] = {4.7, 10.5, 26.8, 109, 545},
                        s[] = {12.9, 10.4, 24.3, 87.7, 477};
    const double *const ms = letter == 'd' ? d : s;
    if (letter != 'd' && letter != 's')
        return 0;
    if (n <= 512)
        return ms[0] * n / 512;
    for (int i = 0; i < 4; ++i) {
        const double from = 512 << i;
        if (n <= 2 * from)
            return ms[i] * pow(n / from, log2(ms[i + 1] / ms[i]));
    }
    return ms[4] * pow(n / 8192, 3);
}

/* numbers read and written: the pair twice, the factors once */
static inline double words_pair(double m, double n, double p)
{
    return 2 * (m + p) * n + m * m + p * p + n * n;
}

#endif /* GSVD_BENCH_FLOPS_H */
