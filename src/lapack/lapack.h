/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* lapack.h [1] -- what stands behind LAPACK's symbols, whatever the type.
 *
 * libgsvd_lapack and libgsvd_lapack64 export xGGSVD3, xGGSVP3, xTGSJA, xGGSVD and xGGSVP for s, d,
 * c and z, with LAPACK's names and argument lists.  Their integers have 32 and 64 bits (Debian's
 * 64-bit LAPACK has the same names).  They call libgsvd's public functions.  Pairs of a few rows
 * and columns they decompose by themselves (small.c).
 *
 * Where they run: environment GSVD_DEVICE = host, any (the default) or a CUDA ordinal, read once.
 * A problem is computed on the host if it is too small to pay for the way to the device, or if it
 * failed there.
 *
 * Beyond LAPACK:
 *   NaN or Inf in A or B   INFO = -i with i the number of A or B, as xGESDD does
 *                          of NaN; XERBLA is not called: it is the data, not the
 *                          program.  K = L = 0; ALPHA, BETA, U, V, Q are NaN,
 *                          A and B stay as they were.
 *   no memory              INFO = -1010, as LAPACKE says it; the rest likewise,
 *                          as after any other failure of libgsvd.
 *   misaligned arrays      INFO = -i where an array begins at no multiple of the
 *                          size of its real numbers.
 *   xTGSJA, K or L that no pair can have   INFO = -7 or -8, through XERBLA.
 *   workspace              is not used: any LWORK >= 1 will do.
 *   R too large            INFO = 2, where LAPACK has infinities and INFO = 0, or
 *                          NaN: the entries of R that the type cannot hold are
 *                          infinite, all else is as it should be.
 *   not converged          INFO = 1; unlike LAPACK's, all outputs are set.
 * Columns are not equilibrated: ranks are LAPACK's.
 * The solver is always GSVD_SOLVER_AUTO: with GSVD_SOLVER_TGSJA libgsvd would
 * come back to these symbols.  A program that sets that option and has this
 * library before LAPACK gets AUTO in place of xTGSJA, and no recursion. */
#ifndef GSVD_LAPACK_LAPACK_H
#define GSVD_LAPACK_LAPACK_H

#include "gsvd.h"

#ifdef GSVD_LAPACK_ILP64
typedef int64_t integer_t;
#else
typedef int32_t integer_t;
#endif

/* The functions of libgsvd: linked.c, or opened.c in libgsvd_lapack64. */
#define LIBRARY_ENTRIES(letter)                                                \
    struct {                                                                   \
        __typeof__(&letter##gsvd) pair;                                        \
        __typeof__(&letter##gsvd_preprocess) preprocess;                       \
        __typeof__(&letter##gsvd_solve) solve;                                 \
    } letter

typedef struct library {
    __typeof__(&gsvd_create) create;
    __typeof__(&gsvd_destroy) destroy;
    __typeof__(&gsvd_get_device) get_device;
    __typeof__(&gsvd_get_stats) get_stats;
    __typeof__(&gsvd_set_option) set_option;
    __typeof__(&gsvd_run) run;
#if GSVD_HAVE_S
    LIBRARY_ENTRIES(s);
#endif
#if GSVD_HAVE_D
    LIBRARY_ENTRIES(d);
#endif
#if GSVD_HAVE_C
    LIBRARY_ENTRIES(c);
#endif
#if GSVD_HAVE_Z
    LIBRARY_ENTRIES(z);
#endif
} library_t;

/* NULL: there is no libgsvd, or one without these functions. */
const library_t *gsvd_lapack_library(void);

/* The arguments of a routine; those that it has not are 0. */
typedef struct problem {
    char jobu, jobv, jobq; /* upper case                                     */
    int64_t m, n, p, k, l; /* k, l: out, of xTGSJA in                        */
    void *A, *B, *U, *V, *Q, *alpha, *beta;
    int64_t lda, ldb, ldu, ldv, ldq, lwork;
    double tola, tolb;
    int sweeps;          /* out                                         */
    size_t scalar, real; /* bytes of an element of A and of alpha       */
    const struct kind *kind;
} problem_t;

/* A routine: how its arguments are checked, which function computes. */
typedef struct kind {
    const char *name; /* as XERBLA gets it                                   */
    int m, n, p, lda, ldb, ldu, ldv, ldq; /* numbers of the arguments        */
    int lwork;  /* what LAPACK reports for LWORK, or 0: no such argument      */
    int k, l;   /* in, or 0                                                   */
    char start; /* 'I' where a job may say so                                */
    int values; /* alpha, beta and R are computed                            */
    /* small.c: a pair of few rows and columns; 0: it is for run, as it was   */
    int (*small)(problem_t *q, int *info);
    gsvd_status_t (*run)(const library_t *library, gsvd_handle_t h,
                         problem_t *q, int *info);
} kind_t;

/* check.c: 0, or -i after XERBLA(name, i) was called. */
int gsvd_lapack_check(const problem_t *q);

/* check.c: the LWORK with which xGGSVP3 of LAPACK 3.11 runs best; xGGSVD3 adds
 * n columns. */
int64_t gsvd_lapack_lwork(const problem_t *q);

/* run.c: the problem on the device or on the host; LAPACK's INFO. */
int gsvd_lapack_run(problem_t *q);

/* thread.c: of the thread that calls, until it ends */
typedef struct thread {
    gsvd_handle_t host, device; /* NULL: not made                            */
    int no_device;              /* there is none, or it failed               */
    void *spare;
    size_t spare_bytes;
} thread_t;

/* thread.c: NULL without memory */
thread_t *gsvd_lapack_thread(void);
gsvd_handle_t gsvd_lapack_host(const library_t *library, thread_t *t);
gsvd_handle_t gsvd_lapack_device(const library_t *library, thread_t *t);
void *gsvd_lapack_spare(thread_t *t, size_t bytes);

/* xerbla.c: XERBLA of the program if it has one, else of its LAPACK */
void gsvd_lapack_xerbla(const char *name, int argument);

#endif /* GSVD_LAPACK_LAPACK_H */
