/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* lapack.c -- LAPACK by one table for each letter: whole.h. */
#include <stdlib.h>

#include "core/blas.h"
#include "core/lapack.h"
#include "standin/whole.h"

void BLAS_(ORGQR)(const int *m, const int *n, const int *k, scalar_t *a,
                  const int *lda, const scalar_t *tau, scalar_t *work,
                  const int *lwork, int *info);

enum { WORK = 64 }; /* numbers for each column: LAPACK's blocks are no wider */

static void gemm(char opa, char opb, int m, int n, int k, const void *alpha,
                 const void *a, int lda, const void *b, int ldb,
                 const void *beta, void *c, int ldc)
{
    BLAS_(gemm)
    (&opa, &opb, &m, &n, &k, alpha, a, &lda, b, &ldb, beta, c, &ldc, 1, 1);
}

static void trsm(int m, int n, const void *alpha, const void *a, int lda,
                 void *b, int ldb)
{
    BLAS_(trsm)
    ("R", "U", "N", "N", &m, &n, alpha, a, &lda, b, &ldb, 1, 1, 1, 1);
}

static int geqrf(int m, int n, void *a, int lda, void *tau)
{
    const int lwork = WORK * (n + 1);
    scalar_t *const work = calloc((size_t)lwork, sizeof *work);
    int info = 0;
    BLAS_(geqrf)(&m, &n, a, &lda, tau, work, &lwork, &info);
    free(work);
    return info;
}

static int orgqr(int m, int n, int k, void *a, int lda, const void *tau)
{
    const int lwork = WORK * (n + 1);
    scalar_t *const work = calloc((size_t)lwork, sizeof *work);
    int info = 0;
    BLAS_(ORGQR)(&m, &n, &k, a, &lda, tau, work, &lwork, &info);
    free(work);
    return info;
}

static int ormqr(char op, int m, int n, int k, const void *a, int lda,
                 const void *tau, void *c, int ldc)
{
    const int lwork = WORK * (n + WORK + 2);
    scalar_t *const work = calloc((size_t)lwork, sizeof *work);
    int info = 0;
    BLAS_(ORMQR)
    ("L", &op, &m, &n, &k, a, &lda, tau, c, &ldc, work, &lwork, &info, 1, 1);
    free(work);
    return info;
}

static int syevd(int n, void *a, int lda, void *w)
{
    void *const work = calloc(X(lapack_syevd_bytes)(n), 1);
    const int info = X(lapack_syevd)(mat_view(a, n, n, lda), w, work);
    free(work);
    return info;
}

const standin_lapack_t X(standin) = {gemm, trsm, geqrf, orgqr, ormqr, syevd};
