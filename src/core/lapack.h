/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* lapack.h -- the routines of LAPACK that the CPU primitives call.  Not with lapacke.h, which
 * declares them, too. */
#ifndef GSVD_CORE_LAPACK_H
#define GSVD_CORE_LAPACK_H

#include "core/blas.h"

#if GSVD_SINGLE
#define STERF ssterf_
#define BDSDC sbdsdc_
#else
#define STERF dsterf_
#define BDSDC dbdsdc_
#endif

/* arguments that xHEEV and xHEEVD have, and xSYEV and xSYEVD have not */
#if GSVD_COMPLEX
#define SYEV heev
#define OF_COMPLEX(...) __VA_ARGS__
#else
#define SYEV syev
#define OF_COMPLEX(...)
#endif

void BLAS_(geqrf)(const int *m, const int *n, scalar_t *a, const int *lda,
                  scalar_t *tau, scalar_t *work, const int *lwork, int *info);

void BLAS_(ORMQR)(const char *side, const char *op, const int *m, const int *n,
                  const int *k, const scalar_t *a, const int *lda,
                  const scalar_t *tau, scalar_t *c, const int *ldc,
                  scalar_t *work, const int *lwork, int *info,
                  size_t side_length, size_t op_length);

/* of a triangle, or what is above one, below another */
void BLAS_(tpqrt)(const int *m, const int *n, const int *l, const int *nb,
                  scalar_t *a, const int *lda, scalar_t *b, const int *ldb,
                  scalar_t *t, const int *ldt, scalar_t *work, int *info);

void BLAS_(tpmqrt)(const char *side, const char *op, const int *m, const int *n,
                   const int *k, const int *l, const int *nb, const scalar_t *v,
                   const int *ldv, const scalar_t *t, const int *ldt,
                   scalar_t *a, const int *lda, scalar_t *b, const int *ldb,
                   scalar_t *work, int *info, size_t side_length,
                   size_t op_length);

void BLAS_(gebrd)(const int *m, const int *n, scalar_t *a, const int *lda,
                  real_t *d, real_t *e, scalar_t *tauq, scalar_t *taup,
                  scalar_t *work, const int *lwork, int *info);

void BLAS_(bdsqr)(const char *uplo, const int *n, const int *ncvt,
                  const int *nru, const int *ncc, real_t *d, real_t *e,
                  scalar_t *vt, const int *ldvt, scalar_t *u, const int *ldu,
                  scalar_t *c, const int *ldc, real_t *work, int *info,
                  size_t uplo_length);

void BDSDC(const char *uplo, const char *compq, const int *n, real_t *d,
           real_t *e, real_t *u, const int *ldu, real_t *vt, const int *ldvt,
           real_t *q, int *iq, real_t *work, int *iwork, int *info,
           size_t uplo_length, size_t compq_length);

void BLAS_(ORMBR)(const char *vect, const char *side, const char *trans,
                  const int *m, const int *n, const int *k, const scalar_t *a,
                  const int *lda, const scalar_t *tau, scalar_t *c,
                  const int *ldc, scalar_t *work, const int *lwork, int *info,
                  size_t vect_length, size_t side_length, size_t trans_length);

void BLAS_(SYTRD)(const char *uplo, const int *n, scalar_t *a, const int *lda,
                  real_t *d, real_t *e, scalar_t *tau, scalar_t *work,
                  const int *lwork, int *info, size_t uplo_length);

void STERF(const int *n, real_t *d, real_t *e, int *info);

void BLAS_(SYEV)(const char *jobz, const char *uplo, const int *n, scalar_t *a,
                 const int *lda, real_t *w, scalar_t *work, const int *lwork,
                 OF_COMPLEX(real_t *rwork, ) int *info, size_t jobz_length,
                 size_t uplo_length);

void BLAS_(SYEVD)(const char *jobz, const char *uplo, const int *n, scalar_t *a,
                  const int *lda, real_t *w, scalar_t *work, const int *lwork,
                  OF_COMPLEX(real_t *rwork, const int *lrwork, ) int *iwork,
                  const int *liwork, int *info, size_t jobz_length,
                  size_t uplo_length);

void BLAS_(tgsja)(const char *jobu, const char *jobv, const char *jobq,
                  const int *m, const int *p, const int *n, const int *k,
                  const int *l, scalar_t *a, const int *lda, scalar_t *b,
                  const int *ldb, const real_t *tola, const real_t *tolb,
                  real_t *alpha, real_t *beta, scalar_t *u, const int *ldu,
                  scalar_t *v, const int *ldv, scalar_t *q, const int *ldq,
                  scalar_t *work, int *ncycle, int *info, size_t jobu_length,
                  size_t jobv_length, size_t jobq_length);

#endif /* GSVD_CORE_LAPACK_H */
