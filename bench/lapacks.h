/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* lapacks.h [1] -- several LAPACKs in one process, each behind dlopen.
 *
 *   LAPACK     the reference, Debian's lapack/liblapack.so.3.  The BLAS under it
 *              is the one this program is linked to: it is loaded already.
 *   OpenBLAS   what libopenblas.so.0 itself exports: LAPACK's sources compiled
 *              into it, with a few factorizations of its own (LU, Cholesky).
 *              Neither they nor its BLAS differ from what a program on Debian
 *              has behind liblapack.so.3 when OpenBLAS is installed.
 *   MKL        libmkl_rt of a path, 32-bit integers.
 *
 * A library that is opened by its path calls its own routines (RTLD_DEEPBIND),
 * not those of the LAPACK that this program is linked to.
 */
#ifndef GSVD_BENCH_LAPACKS_H
#define GSVD_BENCH_LAPACKS_H

enum { LAPACKS = 3 };

typedef struct lapack {
    const char *name;
    void *library;
    char version[256];
} lapack_t;

typedef struct lapacks {
    int count, threads; /* the first one is LAPACK                           */
    lapack_t of[LAPACKS];
} lapacks_t;

/* Opens those that there are.  reference: the path of LAPACK's library, NULL:
 * where Debian has it, or else the LAPACK of this program.  mkl: MKL's, NULL: no
 * MKL.  Answers 0 if a path that was given cannot be opened. */
int bench_lapacks_open(lapacks_t *all, const char *reference, const char *mkl);

/* NULL if there is none */
void *bench_lapack_symbol(const lapack_t *one, const char *name);

#endif /* GSVD_BENCH_LAPACKS_H */
