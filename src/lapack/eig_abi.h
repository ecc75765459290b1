/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* eig_abi.h -- LAPACK's names and argument lists of eigenvalues and singular values, by letter. */
#ifndef GSVD_LAPACK_EIG_ABI_H
#define GSVD_LAPACK_EIG_ABI_H

#include "core/matrix.h"
#include "lapack/abi.h"
#include "lapack/eig.h"

#define TYPE_s GSVD_S
#define TYPE_d GSVD_D
#define TYPE_c GSVD_C
#define TYPE_z GSVD_Z
#define TYPE GSVD_PASTE(TYPE_, GSVD_LETTER)

/* what only complex routines have: workspaces of real numbers, as arguments, in a call, in a query */
#if GSVD_COMPLEX
#define SYEVD heevd
#define SYEVR heevr
#define REALS real_t *rwork,
#define SIZED_REALS real_t *rwork, const integer_t *lrwork,
#define GIVE_REALS rwork,
#define GIVE_SIZED_REALS rwork, lrwork,
#define QUERY_SIZED_REALS rwork, &query,
#else
#define SYEVD syevd
#define SYEVR syevr
#define REALS
#define SIZED_REALS
#define GIVE_REALS
#define GIVE_SIZED_REALS
#define QUERY_SIZED_REALS
#endif
#define INTEGERS integer_t *iwork, const integer_t *liwork

LAPACK_API LAPACK(SYEVD)(const char *jobz, const char *uplo, SIZE(n),
                         MATRIX(A, lda), real_t *w, scalar_t *work, SIZE(lwork),
                         SIZED_REALS INTEGERS, integer_t *info, size_t length_z,
                         size_t length_u);
LAPACK_API LAPACK(SYEVR)(const char *jobz, const char *range, const char *uplo,
                         SIZE(n), MATRIX(A, lda), const real_t *vl,
                         const real_t *vu, SIZE(il), SIZE(iu),
                         const real_t *abstol, integer_t *m, real_t *w,
                         MATRIX(Z, ldz), integer_t *isuppz, scalar_t *work,
                         SIZE(lwork), SIZED_REALS INTEGERS, integer_t *info,
                         size_t length_z, size_t length_r, size_t length_u);
LAPACK_API LAPACK(gesdd)(const char *jobz, SIZE(m), SIZE(n), MATRIX(A, lda),
                         real_t *s, MATRIX(U, ldu), MATRIX(VT, ldvt),
                         scalar_t *work, SIZE(lwork), REALS integer_t *iwork,
                         integer_t *info, size_t length_z);
LAPACK_API LAPACK(gesvd)(const char *jobu, const char *jobvt, SIZE(m), SIZE(n),
                         MATRIX(A, lda), real_t *s, MATRIX(U, ldu),
                         MATRIX(VT, ldvt), scalar_t *work, SIZE(lwork),
                         REALS integer_t *info, size_t length_u,
                         size_t length_vt);

/* NEXT(name) is the next LAPACK's xNAME. */
#define NAME_OF_(letter, name) #letter #name "_"
#define NAME_OF(letter, name) NAME_OF_(letter, name)
#define NEXT(name)                                                             \
    ((__typeof__(&LAPACK(name)))gsvd_lapack_eig_next(                          \
        &next, NAME_OF(GSVD_LETTER, name)))

#endif /* GSVD_LAPACK_EIG_ABI_H */
