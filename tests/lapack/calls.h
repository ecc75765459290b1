/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* calls.h -- LAPACK's five routines of some shared library, called alike. */
#ifndef GSVD_TESTS_LAPACK_CALLS_H
#define GSVD_TESTS_LAPACK_CALLS_H

#include <check.h>

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

/* All arguments of any of them, */
typedef struct call {
    char jobu, jobv, jobq;
    integer_t m, n, p, k, l, lda, ldb, ldu, ldv, ldq, lwork, info, ncycle;
    scalar_t *A, *B, *U, *V, *Q, *work, *tau;
    real_t *alpha, *beta, *rwork, tola, tolb;
    integer_t *iwork;
} call_t;

/* with factors of `pad` rows more than they have, and without arrays; jobs: of U, V, Q */
call_t new_call(const char *jobs, int m, int n, int p, int pad);
/* Its matrices and values are members of *x. */
#define TAKE_ARRAYS(c, x)                                                      \
    ((c)->A = (x)->A, (c)->B = (x)->B, (c)->U = (x)->U, (c)->V = (x)->V,       \
     (c)->Q = (x)->Q, (c)->alpha = (x)->alpha, (c)->beta = (x)->beta)

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

/* xGGSVD3 of two matrices of order n <= VALUES_MOST, for R, alpha and beta alone */
enum { VALUES_MOST = 512 };
call_t call_for_values(const routines_t *r, int n, scalar_t *A, scalar_t *B,
                       real_t *alpha, real_t *beta);

/* What XERBLA was told last: the name without blanks, the number; "" and 0
 * since the last forget(). */
extern char xerbla_name[16];
extern int xerbla_number;
void forget(void);

int is_quick(void); /* GSVD_TEST_QUICK is set, and not to 0                  */
/* Runs the tests without a limit of time or fork; main's exit status. */
int run_tests(const char *name, const TTest *const *tests, size_t count);
#define RUN_TESTS(name, tests)                                                 \
    run_tests(name, tests, sizeof(tests) / sizeof *(tests))

#endif /* GSVD_TESTS_LAPACK_CALLS_H */
