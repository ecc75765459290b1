/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* wide.h -- one-sided Jacobi in extended precision, for references. */
#ifndef GSVD_TESTS_HARNESS_WIDE_H
#define GSVD_TESTS_HARNESS_WIDE_H

#include <complex.h>

#include "harness/harness.h"

typedef long double wide_t;
typedef long double complex wide_complex_t;

wide_complex_t widen(scalar_t a);

/* |x|^2 */
static inline wide_t wide_square(wide_complex_t x)
{
    return creall(conjl(x) * x);
}

/* |x|, of m entries */
wide_t wide_length(int64_t m, const wide_complex_t *x);

/* Makes the n columns of G, of m entries each, orthogonal by unitary transformations. */
void wide_jacobi(int64_t m, int64_t n, wide_complex_t *G);

#endif /* GSVD_TESTS_HARNESS_WIDE_H */
