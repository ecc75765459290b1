/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* blas.h -- BLAS and LAPACK by letter, for the CPU primitives.
 *
 * Through their Fortran symbols; LAPACK's are declared in core/lapack.h.
 */
#ifndef GSVD_CORE_BLAS_H
#define GSVD_CORE_BLAS_H

#include <limits.h>

#include "core/matrix.h"
#include "core/status.h"

#define BLAS_(name) GSVD_PASTE(GSVD_LETTER, GSVD_PASTE(name, _))

#if GSVD_COMPLEX
#define ORMQR unmqr
#define ORGQR ungqr
#define ORMBR unmbr
#define SYTRF hetrf
#define ORCSD2BY1 uncsd2by1
#define HERK herk
#define SYTRD hetrd
#define SYEVD heevd
#define BLAS_CTRANS 'C'
#else
#define ORMQR ormqr
#define ORGQR orgqr
#define ORMBR ormbr
#define SYTRF sytrf
#define ORCSD2BY1 orcsd2by1
#define HERK syrk
#define SYTRD sytrd
#define SYEVD syevd
#define BLAS_CTRANS 'T'
#endif

/* "DSTEDC", as ILAENV gets it */
#define LAPACK_STEDC_s "SSTEDC"
#define LAPACK_STEDC_d "DSTEDC"
#define LAPACK_STEDC_c "CSTEDC"
#define LAPACK_STEDC_z "ZSTEDC"
#define LAPACK_STEDC GSVD_PASTE(LAPACK_STEDC_, GSVD_LETTER)

/* op in our words ('N' or 'C') -> what BLAS calls it in this precision */
static inline char blas_op(char op) { return op == 'N' ? 'N' : BLAS_CTRANS; }

void BLAS_(gemm)(const char *opa, const char *opb, const int *m, const int *n,
                 const int *k, const scalar_t *alpha, const scalar_t *a,
                 const int *lda, const scalar_t *b, const int *ldb,
                 const scalar_t *beta, scalar_t *c, const int *ldc,
                 size_t opa_length, size_t opb_length);

void BLAS_(gemv)(const char *op, const int *m, const int *n,
                 const scalar_t *alpha, const scalar_t *a, const int *lda,
                 const scalar_t *x, const int *incx, const scalar_t *beta,
                 scalar_t *y, const int *incy, size_t op_length);

void BLAS_(HERK)(const char *uplo, const char *op, const int *n, const int *k,
                 const real_t *alpha, const scalar_t *a, const int *lda,
                 const real_t *beta, scalar_t *c, const int *ldc,
                 size_t uplo_length, size_t op_length);

void BLAS_(trsm)(const char *side, const char *uplo, const char *op,
                 const char *diag, const int *m, const int *n,
                 const scalar_t *alpha, const scalar_t *a, const int *lda,
                 scalar_t *b, const int *ldb, size_t side_length,
                 size_t uplo_length, size_t op_length, size_t diag_length);

/* LAPACK's tuning, of the running program if it has one */
int ilaenv_(const int *spec, const char *name, const char *opts, const int *n1,
            const int *n2, const int *n3, const int *n4, size_t name_length,
            size_t opts_length);

/* xSYEVD or xHEEVD: A := its eigenvectors, and the bytes of its work */
int X(lapack_syevd)(mat_t A, real_t *w, void *work);
size_t X(lapack_syevd_bytes)(int64_t n);

/* xTGSJA for a pair that is triangular. */
int X(lapack_tgsja)(mat_t A, mat_t B, real_t tola, real_t tolb, real_t *alpha,
                    real_t *beta, mat_t U, mat_t V, scalar_t *work,
                    int *cycles);

#endif /* GSVD_CORE_BLAS_H */
