/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* eig.h [1] -- what stands behind LAPACK's eigenvalues and singular values, whatever the type.
 *
 * libgsvd_lapack_eig and libgsvd_lapack_eig64 export xSYEVD, xSYEVR, xHEEVD, xHEEVR, xGESDD and xGESVD
 * for s, d, c and z.  Behind them in the program stands a LAPACK with the same names, the next one.
 *
 *     1  What is small, calls with less workspace than LAPACK's documents ask for, workspace queries
 *        and all calls without a device go to the next LAPACK as they are.
 *     2  It checks the arguments of the others, too, in a workspace query, which also sets WORK(1).
 *     3  libgsvd computes.  A and all that LAPACK reads stay as they were until it has succeeded.
 *     4  A NaN or an infinity in A: INFO = -i with i the number of A, and nothing else is written, as xGESDD
 *        does of NaN; XERBLA is not called.  (xSYEVR of LAPACK 3.11 may not end.)
 *     5  What else is not a success goes to the next LAPACK: no memory, a device that fails, values
 *        beyond the type's range, no convergence.
 *
 * So INFO, XERBLA, workspaces and results of all other calls are LAPACK's own.
 *
 * libgsvd itself calls LAPACK's xSYEVD, which then is ours: calls from within a call go to the next
 * LAPACK (gsvd_lapack_eig_wanted). */
#ifndef GSVD_LAPACK_EIG_ROADS_H
#define GSVD_LAPACK_EIG_ROADS_H

#include "gsvd_lapack_eig.h"
#include "lapack/lapack.h"

typedef void generic_t(void); /* a function of any list                      */
typedef _Atomic(generic_t *) next_t;

/* The symbol of the next LAPACK, kept in *next.  Ends the program if there is none, as a call of a
 * missing function does. */
generic_t *gsvd_lapack_eig_next(next_t *next, const char *symbol);

/* Is a matrix of this order for libgsvd?  Not within a call of ours. */
int gsvd_lapack_eig_wanted(int64_t order);

typedef enum eig_outcome {
    FOR_LAPACK, /* did not succeed                                              */
    DONE,
    NOT_FINITE /* a NaN or an infinity in A                                     */
} eig_outcome_t;

/* Computes p, a problem of eigh or svd whose results do not overlap A.  A stays as it was. */
eig_outcome_t gsvd_lapack_eig_run(const gsvd_problem_t *p, int64_t order);

/* memory of rows times cols entries, or NULL */
void *gsvd_lapack_eig_spare(int64_t rows, int64_t cols, size_t bytes);

/* Y := X, rows x cols entries */
void gsvd_lapack_eig_copy(int64_t rows, int64_t cols, size_t bytes,
                          const void *X_, int64_t ldx, void *Y, int64_t ldy);

#endif /* GSVD_LAPACK_EIG_ROADS_H */
