/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* calls.h -- LAPACK's five routines of some shared library, called alike. */
#ifndef GSVD_TESTS_LAPACK_CALLS_H
#define GSVD_TESTS_LAPACK_CALLS_H

#include "core/matrix.h"
#include "lapack/abi.h"

typedef struct routines {
    __typeof__(&LAPACK(ggsvd3)) ggsvd3;
    __typeof__(&LAPACK(ggsvd)) ggsvd;
    __typeof__(&LAPACK(ggsvp3)) ggsvp3;
    __typeof__(&LAPACK(ggsvp)) ggsvp;
    __typeof__(&LAPACK(tgsja)) tgsja;
} routines_t;

/* 0 if the library or one of its routines is missing. */
int open_routines(const char *path, int flags, routines_t *r);

/* All arguments of any of them. */
typedef struct call {
    char jobu, jobv, jobq;
    integer_t m, n, p, k, l, lda, ldb, ldu, ldv, ldq, lwork, info, ncycle;
    scalar_t *A, *B, *U, *V, *Q, *work, *tau;
    real_t *alpha, *beta, *rwork, tola, tolb;
    integer_t *iwork;
} call_t;

typedef enum routine {
    GGSVD3,
    GGSVD,
    GGSVP3,
    GGSVP,
    TGSJA,
    ROUTINES
} routine_t;
extern const char *const routine_name[ROUTINES]; /* as XERBLA is told        */

void call_routine(const routines_t *r, routine_t routine, call_t *c);

/* What XERBLA was told last: the name without blanks, the number; "" and 0
 * since the last forget(). */
extern char xerbla_name[16];
extern int xerbla_number;
void forget(void);

#endif /* GSVD_TESTS_LAPACK_CALLS_H */
