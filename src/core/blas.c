/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* blas.c -- the LAPACK calls whose argument list depends on the precision. */
#include "core/lapack.h"

/* K = 0 and L = N, since the pair is triangular already; U and V start as I. */
int X(lapack_tgsja)(mat_t A, mat_t B, real_t tola, real_t tolb, real_t *alpha,
                    real_t *beta, mat_t U, mat_t V, scalar_t *work, int *cycles)
{
    const int m = (int)A.rows, l = (int)B.rows, none = 0, one = 1;
    const int lda = (int)A.ld, ldb = (int)B.ld, ldu = (int)U.ld,
              ldv = (int)V.ld;
    scalar_t unused;
    int info;
    BLAS_(tgsja)
    ("I", "I", "N", &m, &l, &l, &none, &l, A.data, &lda, B.data, &ldb, &tola,
     &tolb, alpha, beta, U.data, &ldu, V.data, &ldv, &unused, &one, work,
     cycles, &info, 1, 1, 1);
    return info;
}

/* xSYEVD counts its work by 32 bits, which is enough up to this order; no memory holds a matrix of
 * order MOST. */
enum { DIVIDED_MOST = 32765, MOST = 1 << 30 };

/* LAPACK's minimum for all eigenvectors, in elements: those of the matrix, real ones
 * where it is complex, and integers */
static void syevd_sizes(int64_t order, int64_t size[3])
{
    const int64_t n = min_i(order, MOST);
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
           (size_t)size[1] * sizeof(real_t) + (size_t)size[2] * sizeof(int);
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

/* By xSYEVD or, where that cannot be, by xSYEV, which wants less. */
int X(lapack_syevd)(mat_t A, real_t *w, void *work)
{
    int64_t size[3];
    syevd_sizes(A.cols, size);
    scalar_t *const scalars = work;
    real_t *const reals = (real_t *)(scalars + size[0]);
    int *const integers = (int *)(reals + size[1]);
    const int n = (int)A.cols, lda = (int)A.ld;
    const int lwork = (int)min_i(size[0], INT32_MAX);
    const int lrwork = (int)size[1], liwork = (int)size[2];
    int info;
    (void)lrwork;
    if (n <= DIVIDED_MOST && can_divide()) {
        BLAS_(SYEVD)
        ("V", "L", &n, A.data, &lda, w, scalars, &lwork,
         OF_COMPLEX(reals, &lrwork, ) integers, &liwork, &info, 1, 1);
    } else {
        BLAS_(SYEV)
        ("V", "L", &n, A.data, &lda, w, scalars, &lwork,
         OF_COMPLEX(reals, ) & info, 1, 1);
    }
    return info;
}
