/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* spectrum.h [1] -- factors of symmetric matrices with given eigenvalues, the way papers
 * 000 and 003 make them (Novakovic 2015; Novakovic and Singer 2011):
 *
 *     A = U Lambda U^T,    P A P^T = G J G^T,    J = diag(I, -I),
 *
 * U the product of n - 1 random reflectors, G by Bunch's and Parlett's complete pivoting,
 * both in long double, then rounded to double.  The hyperbolic singular values of G and
 * J are the square roots of |Lambda|; P is left out, as rows are free to move.
 */
#ifndef GSVD_BENCH_SPECTRUM_H
#define GSVD_BENCH_SPECTRUM_H

#include "bench.h"

enum { SPECTRA = 4 };

/* Paper 000's spectra 1 to 4 of order n, section 6:
 *     1  16 times 0.5, then normal numbers of deviation 0.1
 *     2  1 + those; none may be negative
 *     3  uniform in [10^-7, 10 k] with random signs, k = n / 1024, at least 1
 *     4  the same, all positive */
void bench_spectrum(bench_t *b, int which, int64_t n, double *lambda);

/* Paper 003's: uniform in [10^-5 a, a], a by its table 2, the first `plus` positive and
 * the others negative */
void bench_spectrum_signs(bench_t *b, int64_t plus, int64_t n, double *lambda);

/* A and G := n x n, without gaps; *plus := the order of I in J */
gsvd_status_t bench_spectrum_factor(bench_t *b, int64_t n, const double *lambda,
                                    double *A, double *G, int64_t *plus);

#endif /* GSVD_BENCH_SPECTRUM_H */
