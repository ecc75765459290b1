/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* whole.h -- a distributed matrix of any type on every process, and back; the stand-in's engines are LAPACK
 * on such matrices. */
#ifndef GSVD_STANDIN_WHOLE_H
#define GSVD_STANDIN_WHOLE_H

#include "engine_types.h"

/* A copy of all of the matrix, m x n by columns without gaps, on each process; the caller frees it. */
void *standin_gather(const standin_matrix_t *d, const void *part);
/* part := what is this process's of it */
void standin_scatter(const standin_matrix_t *d, const void *whole, void *part);
/* The same for tau, of which a process has those of its columns */
void *standin_gather_tau(const standin_matrix_t *d, int64_t k, const void *tau);
void standin_scatter_tau(const standin_matrix_t *d, int64_t k,
                         const void *whole, void *tau);

/* The work of LAPACK, of whole matrices, for each letter */
typedef struct standin_lapack {
    void (*gemm)(char opa, char opb, int m, int n, int k, const void *alpha,
                 const void *a, int lda, const void *b, int ldb,
                 const void *beta, void *c, int ldc);
    void (*trsm)(int m, int n, const void *alpha, const void *a, int lda,
                 void *b, int ldb);
    int (*geqrf)(int m, int n, void *a, int lda, void *tau);
    int (*orgqr)(int m, int n, int k, void *a, int lda, const void *tau);
    int (*ormqr)(char op, int m, int n, int k, const void *a, int lda,
                 const void *tau, void *c, int ldc);
    int (*syevd)(int n, void *a, int lda, void *w);
} standin_lapack_t;

extern const standin_lapack_t sgsvd_standin, dgsvd_standin, cgsvd_standin,
    zgsvd_standin;

#endif /* GSVD_STANDIN_WHOLE_H */
