/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* eigh_test.h -- the test of eigenvectors that come out of an SVD (eigh.h), for C and CUDA.  With x of
 * probe.h, twice, of which the second one goes on behind the first:
 *
 *     A^H A x - x            against |x|
 *     H A x - A W x          against |W| |x| */
#ifndef GSVD_BATCH_EIGH_TEST_H
#define GSVD_BATCH_EIGH_TEST_H

#include "batch/probe.h"

/* The most by which |u^H v| of a value that is by itself differs from 1 */
GSVD_FN real_t eigh_little_lean(int64_t n)
{
    return 8 * sqrt_r((real_t)n) * GSVD_EPS;
}

/* The largest |A^H A x - x| / |x| that passes */
GSVD_FN real_t eigh_most_lean(int64_t n)
{
    return 2 * (2 * sqrt_r((real_t)n) + 20) * GSVD_EPS;
}

/* The largest |H A x - A W x| / |W| / |x| that passes */
GSVD_FN real_t eigh_most_left(int64_t n)
{
    return 10 * sqrt_r((real_t)(n + 16)) * GSVD_EPS;
}

/* The SVDs' solver marks a problem that it has ended: its first value is below 0, as no other is. */
GSVD_FN void eigh_ends(real_t *sigma) { sigma[0] = -1; }
GSVD_FN int eigh_has_ended(const real_t *sigma) { return sigma[0] < 0; }

#endif /* GSVD_BATCH_EIGH_TEST_H */
