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

/* LAPACK's minimum for all eigenvectors, in elements: those of the matrix, real ones
 * where it is complex, and integers */
static void syevd_sizes(int64_t n, int64_t size[3])
{
    const int64_t squares = 1 + 6 * n + 2 * n * n;
    size[0] = GSVD_COMPLEX ? 2 * n + n * n : squares;
    size[1] = GSVD_COMPLEX ? squares : 0;
    size[2] = 3 + 5 * n;
}

size_t X(lapack_syevd_bytes)(int64_t n)
{
    int64_t size[3];
    syevd_sizes(n, size);
    return (size_t)size[0] * sizeof(scalar_t) +
           (size_t)size[1] * sizeof(real_t) +
           (size_t)size[2] * sizeof(lapack_int);
}

/* Does ILAENV let xSTEDC divide?  It halves the matrix down to ILAENV(9, ...), 25 by
 * LAPACK's, and of 2 is no part empty.  A program may bring an ILAENV of its own, and
 * where that knows nothing of number 9 (0 or -1) xSTEDC and xLAED0 run off their arrays. */
static int can_divide(void)
{
    const int of_parts = 9, none = 0;
    return ilaenv_(&of_parts, LAPACK_STEDC, " ", &none, &none, &none, &none, 6,
                   1) >= 2;
}

#if GSVD_COMPLEX
static lapack_int syev(mat_t A, real_t *w, scalar_t *scalars, lapack_int size,
                       real_t *reals)
{
    return LAPACKE_(heev)(LAPACK_COL_MAJOR, 'V', 'L', (lapack_int)A.cols,
                          A.data, (lapack_int)A.ld, w, scalars, size, reals);
}
#else
static lapack_int syev(mat_t A, real_t *w, scalar_t *scalars, lapack_int size,
                       real_t *reals)
{
    (void)reals;
    return LAPACKE_(syev)(LAPACK_COL_MAJOR, 'V', 'L', (lapack_int)A.cols,
                          A.data, (lapack_int)A.ld, w, scalars, size);
}
#endif

/* By xSYEVD or, where that cannot be, by xSYEV, which wants less. */
lapack_int X(lapack_syevd)(mat_t A, real_t *w, void *work)
{
    int64_t size[3];
    syevd_sizes(A.cols, size);
    scalar_t *const scalars = work;
    real_t *const reals = (real_t *)(scalars + size[0]);
    lapack_int *const integers = (lapack_int *)(reals + size[1]);
    if (!can_divide())
        return syev(A, w, scalars, (lapack_int)size[0], reals);
#if GSVD_COMPLEX
    return LAPACKE_(heevd)(LAPACK_COL_MAJOR, 'V', 'L', (lapack_int)A.cols,
                           A.data, (lapack_int)A.ld, w, scalars,
                           (lapack_int)size[0], reals, (lapack_int)size[1],
                           integers, (lapack_int)size[2]);
#else
    return LAPACKE_(syevd)(LAPACK_COL_MAJOR, 'V', 'L', (lapack_int)A.cols,
                           A.data, (lapack_int)A.ld, w, scalars,
                           (lapack_int)size[0], integers, (lapack_int)size[2]);
#endif
}
