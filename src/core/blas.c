/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* blas.c -- the LAPACK calls whose argument list depends on the precision. */
#include "core/blas.h"

/* K = 0 and L = N, since the pair is triangular already; U and V start as I. */
lapack_int X(lapack_tgsja)(mat_t A, mat_t B, real_t tola, real_t tolb,
                           real_t *alpha, real_t *beta, mat_t U, mat_t V,
                           scalar_t *work, lapack_int *cycles)
{
    const lapack_int l = (lapack_int)B.rows;
    scalar_t unused;
    return LAPACKE_(tgsja)(LAPACK_COL_MAJOR, 'I', 'I', 'N', (lapack_int)A.rows,
                           l, l, 0, l, A.data, (lapack_int)A.ld, B.data,
                           (lapack_int)B.ld, tola, tolb, alpha, beta, U.data,
                           (lapack_int)U.ld, V.data, (lapack_int)V.ld, &unused,
                           1, work, cycles);
}
