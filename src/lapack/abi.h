/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* abi.h -- LAPACK's names and argument lists by letter.
 *
 * As a Fortran compiler calls them: everything by address, at the end the
 * lengths of the three CHARACTER arguments, which are not looked at.
 */
#ifndef GSVD_LAPACK_ABI_H
#define GSVD_LAPACK_ABI_H

#include "core/scalar.h"
#include "lapack/lapack.h"

#define UNUSED __attribute__((unused))
#define LAPACK_API GSVD_API void
#define LAPACK(name) GSVD_PASTE(GSVD_LETTER, GSVD_PASTE(name, _)) /* dggsvd3_ */

/* LAPACK_NAME("GGSVD3") is "DGGSVD3" */
#define LETTER_s "S"
#define LETTER_d "D"
#define LETTER_c "C"
#define LETTER_z "Z"
#define LAPACK_NAME(name) GSVD_PASTE(LETTER_, GSVD_LETTER) name

/* the complex routines have a real workspace, but for xTGSJA */
#define RWORK_s
#define RWORK_d
#define RWORK_c real_t *rwork UNUSED,
#define RWORK_z real_t *rwork UNUSED,
#define RWORK GSVD_PASTE(RWORK_, GSVD_LETTER)

#define JOBS const char *jobu, const char *jobv, const char *jobq
#define SIZE(name) const integer_t *name
#define MATRIX(X, ld) scalar_t *X, const integer_t *ld
#define FACTORS MATRIX(U, ldu), MATRIX(V, ldv), MATRIX(Q, ldq)
#define LENGTHS                                                                \
    size_t length_u UNUSED, size_t length_v UNUSED, size_t length_q UNUSED

LAPACK_API LAPACK(ggsvd3)(JOBS, SIZE(m), SIZE(n), SIZE(p), integer_t *k,
                          integer_t *l, MATRIX(A, lda), MATRIX(B, ldb),
                          real_t *alpha, real_t *beta, FACTORS, scalar_t *work,
                          SIZE(lwork), RWORK integer_t *iwork, integer_t *info,
                          LENGTHS);
LAPACK_API LAPACK(ggsvd)(JOBS, SIZE(m), SIZE(n), SIZE(p), integer_t *k,
                         integer_t *l, MATRIX(A, lda), MATRIX(B, ldb),
                         real_t *alpha, real_t *beta, FACTORS, scalar_t *work,
                         RWORK integer_t *iwork, integer_t *info, LENGTHS);
LAPACK_API LAPACK(ggsvp3)(JOBS, SIZE(m), SIZE(p), SIZE(n), MATRIX(A, lda),
                          MATRIX(B, ldb), const real_t *tola,
                          const real_t *tolb, integer_t *k, integer_t *l,
                          FACTORS, integer_t *iwork, RWORK scalar_t *tau,
                          scalar_t *work, SIZE(lwork), integer_t *info,
                          LENGTHS);
LAPACK_API LAPACK(ggsvp)(JOBS, SIZE(m), SIZE(p), SIZE(n), MATRIX(A, lda),
                         MATRIX(B, ldb), const real_t *tola, const real_t *tolb,
                         integer_t *k, integer_t *l, FACTORS, integer_t *iwork,
                         RWORK scalar_t *tau, scalar_t *work, integer_t *info,
                         LENGTHS);
LAPACK_API LAPACK(tgsja)(JOBS, SIZE(m), SIZE(p), SIZE(n), SIZE(k), SIZE(l),
                         MATRIX(A, lda), MATRIX(B, ldb), const real_t *tola,
                         const real_t *tolb, real_t *alpha, real_t *beta,
                         FACTORS, scalar_t *work, integer_t *ncycle,
                         integer_t *info, LENGTHS);

/* small.c: kind_t.small of xGGSVD3, xGGSVP3 and xTGSJA */
int X(lapack_small_gsvd)(problem_t *q, int *info);
int X(lapack_small_preprocess)(problem_t *q, int *info);
int X(lapack_small_solve)(problem_t *q, int *info);

/* What all five have, into a problem_t. */
#define SHARED                                                                 \
    .jobu = upper(*jobu), .jobv = upper(*jobv), .jobq = upper(*jobq), .m = *m, \
    .n = *n, .p = *p, .A = A, .lda = *lda, .B = B, .ldb = *ldb, .U = U,        \
    .ldu = *ldu, .V = V, .ldv = *ldv, .Q = Q, .ldq = *ldq,                     \
    .scalar = sizeof(scalar_t), .real = sizeof(real_t)

static inline char upper(char job)
{
    return job >= 'a' && job <= 'z' ? (char)(job - 'a' + 'A') : job;
}

#endif /* GSVD_LAPACK_ABI_H */
