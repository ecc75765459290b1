/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* scalapack.h -- PBLAS and ScaLAPACK by letter, through their Fortran symbols.
 *
 * A matrix is (a, ia, ja, desc): it begins at row ia and column ja, counted from 1, of the array
 * that desc describes.  The lengths of the character arguments, all 1, follow as Fortran has them;
 * PBLAS is C and ignores them.
 */
#ifndef GSVD_CORE_SCALAPACK_H
#define GSVD_CORE_SCALAPACK_H

#include <stddef.h>

#include "core/scalar.h"

#define SCALAPACK_(name)                                                       \
    GSVD_PASTE(GSVD_PASTE(p, GSVD_LETTER), GSVD_PASTE(name, _))

#if GSVD_COMPLEX
#define PHERK herk
#define PORGQR ungqr
#define PORMQR unmqr
#define PSYEVD heevd
#define PCTRANS 'C'
#else
#define PHERK syrk
#define PORGQR orgqr
#define PORMQR ormqr
#define PSYEVD syevd
#define PCTRANS 'T'
#endif

#define PMATRIX(constness)                                                     \
    constness scalar_t *, const int *, const int *, const int *

void SCALAPACK_(gemm)(const char *opa, const char *opb, const int *m,
                      const int *n, const int *k, const scalar_t *alpha,
                      PMATRIX(const), PMATRIX(const), const scalar_t *beta,
                      PMATRIX());
void SCALAPACK_(PHERK)(const char *uplo, const char *op, const int *n,
                       const int *k, const real_t *alpha, PMATRIX(const),
                       const real_t *beta, PMATRIX());
void SCALAPACK_(geqrf)(const int *m, const int *n, PMATRIX(), scalar_t *tau,
                       scalar_t *work, const int *lwork, int *info);
void SCALAPACK_(PORGQR)(const int *m, const int *n, const int *k, PMATRIX(),
                        const scalar_t *tau, scalar_t *work, const int *lwork,
                        int *info);
void SCALAPACK_(PORMQR)(const char *side, const char *op, const int *m,
                        const int *n, const int *k, PMATRIX(const),
                        const scalar_t *tau, PMATRIX(), scalar_t *work,
                        const int *lwork, int *info, size_t, size_t);

/* of reflectors in one block of columns: T, and I - V T V^H or its transpose times C */
void SCALAPACK_(larft)(const char *direct, const char *stored, const int *n,
                       const int *k, PMATRIX(const), const scalar_t *tau,
                       scalar_t *T, scalar_t *work, size_t, size_t);
void SCALAPACK_(larfb)(const char *side, const char *op, const char *direct,
                       const char *stored, const int *m, const int *n,
                       const int *k, PMATRIX(const), const scalar_t *T,
                       PMATRIX(), scalar_t *work, size_t, size_t, size_t,
                       size_t);
/* by which messages go to all: PBLAS' */
void pb_topset_(const int *context, const char *operation, const char *scope,
                const char *topology, size_t, size_t, size_t);

void SCALAPACK_(trsm)(const char *side, const char *uplo, const char *op,
                      const char *diag, const int *m, const int *n,
                      const scalar_t *alpha, PMATRIX(const), PMATRIX());

/* The complex routines take real work, too. */
#if GSVD_COMPLEX
#define PRWORK real_t *rwork, const int *lrwork,
#define PRWORK_OF(work, count) (work), (count),
#else
#define PRWORK
#define PRWORK_OF(work, count)
#endif

void SCALAPACK_(geqpf)(const int *m, const int *n, PMATRIX(), int *ipiv,
                       scalar_t *tau, scalar_t *work, const int *lwork,
                       PRWORK int *info);
void SCALAPACK_(PSYEVD)(const char *job, const char *uplo, const int *n,
                        PMATRIX(), real_t *w, PMATRIX(), scalar_t *work,
                        const int *lwork, PRWORK int *iwork, const int *liwork,
                        int *info, size_t, size_t);

#endif /* GSVD_CORE_SCALAPACK_H */
