/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* blas.c -- the LAPACK calls whose argument list depends on the precision. */
#include "core/blas.h"

lapack_int X(lapack_geqp3)(mat_t A, int *perm, scalar_t *tau, scalar_t *work,
                           lapack_int lwork, real_t *rwork)
{
#if GSVD_COMPLEX
    return LAPACKE_(geqp3)(LAPACK_COL_MAJOR, (lapack_int)A.rows,
                           (lapack_int)A.cols, A.data, (lapack_int)A.ld, perm,
                           tau, work, lwork, rwork);
#else
    (void)rwork;
    return LAPACKE_(geqp3)(LAPACK_COL_MAJOR, (lapack_int)A.rows,
                           (lapack_int)A.cols, A.data, (lapack_int)A.ld, perm,
                           tau, work, lwork);
#endif
}

/* K = 0 and L = N: the pair is triangular already, U and V start as I. */
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
