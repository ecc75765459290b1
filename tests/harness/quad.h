/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* quad.h -- one-sided Jacobi with a signature, and eigenvalues, in quadruple precision, for
 * references. */
#ifndef GSVD_TESTS_HARNESS_QUAD_H
#define GSVD_TESTS_HARNESS_QUAD_H

#include "harness/signed.h"
#include "harness/wide.h"

/* sigma[0:n) := the hyperbolic singular values of A, m >= n, of each sign descending: relative
 * errors of 1e-33 times the condition of A with columns of length 1.  Some 40 n^2 m products of
 * 50 ns each.  0 if sweeps did not end. */
int quad_signed_values(mat_t A, const signature_t *s, wide_t *sigma);
/* w[0:n) := the eigenvalues of the Hermitian A, descending, small ones too, by L D L^H with complete
 * pivoting and that.  0 if sweeps did not end. */
int quad_graded_eigenvalues(mat_t A, wide_t *w);

/* w[0:n) := the eigenvalues of the Hermitian A, ascending: errors of 1e-32 |A|.  Some 4 n^3 products,
 * for complex numbers 32 n^3. */
void quad_eigenvalues(mat_t A, wide_t *w);

#endif /* GSVD_TESTS_HARNESS_QUAD_H */
