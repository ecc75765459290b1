/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* calls.c -- see calls.h; and the program's own XERBLA. */
#include "lapack/calls.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

char xerbla_name[16];
int xerbla_number;

const char *const routine_name[] = {
    LAPACK_NAME("GGSVD3"), LAPACK_NAME("GGSVD"), LAPACK_NAME("GGSVP3"),
    LAPACK_NAME("GGSVP"),  LAPACK_NAME("TGSJA"),
};

GSVD_API void xerbla_(const char *name, const integer_t *number, size_t length);

void xerbla_(const char *name, const integer_t *number, size_t length)
{
    while (length > 0 && name[length - 1] == ' ')
        --length;
    if (length >= sizeof xerbla_name)
        length = sizeof xerbla_name - 1;
    memcpy(xerbla_name, name, length);
    xerbla_name[length] = '\0';
    xerbla_number = (int)*number;
}

void forget(void)
{
    xerbla_name[0] = '\0';
    xerbla_number = 0;
}

#define SYMBOL_(letter, name) #letter #name "_"
#define SYMBOL(letter, name) SYMBOL_(letter, name)
#define FIND(name)                                                             \
    *(void **)&r->name = dlsym(library, SYMBOL(GSVD_LETTER, name))

int open_routines(const char *path, int flags, routines_t *r)
{
    void *const library = dlopen(path, RTLD_NOW | flags);
    if (!library)
        return 0;
    FIND(ggsvd3);
    FIND(ggsvd);
    FIND(ggsvp3);
    FIND(ggsvp);
    FIND(tgsja);
    return r->ggsvd3 && r->ggsvd && r->ggsvp3 && r->ggsvp && r->tgsja;
}

/* the argument that only the complex routines have */
#define RWORK_ARGUMENT_s
#define RWORK_ARGUMENT_d
#define RWORK_ARGUMENT_c c->rwork,
#define RWORK_ARGUMENT_z c->rwork,
#define RWORK_ARGUMENT GSVD_PASTE(RWORK_ARGUMENT_, GSVD_LETTER)

#define JOBS_IN &c->jobu, &c->jobv, &c->jobq
#define PAIR_IN c->A, &c->lda, c->B, &c->ldb
#define FACTORS_IN c->U, &c->ldu, c->V, &c->ldv, c->Q, &c->ldq

void call_routine(const routines_t *r, routine_t routine, call_t *c)
{
    switch (routine) {
    case GGSVD3:
        r->ggsvd3(JOBS_IN, &c->m, &c->n, &c->p, &c->k, &c->l, PAIR_IN, c->alpha,
                  c->beta, FACTORS_IN, c->work, &c->lwork,
                  RWORK_ARGUMENT c->iwork, &c->info, 1, 1, 1);
        break;
    case GGSVD:
        r->ggsvd(JOBS_IN, &c->m, &c->n, &c->p, &c->k, &c->l, PAIR_IN, c->alpha,
                 c->beta, FACTORS_IN, c->work, RWORK_ARGUMENT c->iwork,
                 &c->info, 1, 1, 1);
        break;
    case GGSVP3:
        r->ggsvp3(JOBS_IN, &c->m, &c->p, &c->n, PAIR_IN, &c->tola, &c->tolb,
                  &c->k, &c->l, FACTORS_IN, c->iwork, RWORK_ARGUMENT c->tau,
                  c->work, &c->lwork, &c->info, 1, 1, 1);
        break;
    case GGSVP:
        r->ggsvp(JOBS_IN, &c->m, &c->p, &c->n, PAIR_IN, &c->tola, &c->tolb,
                 &c->k, &c->l, FACTORS_IN, c->iwork, RWORK_ARGUMENT c->tau,
                 c->work, &c->info, 1, 1, 1);
        break;
    default:
        r->tgsja(JOBS_IN, &c->m, &c->p, &c->n, &c->k, &c->l, PAIR_IN, &c->tola,
                 &c->tolb, c->alpha, c->beta, FACTORS_IN, c->work, &c->ncycle,
                 &c->info, 1, 1, 1);
    }
}

call_t new_call(const char *jobs, int m, int n, int p, int pad)
{
    return (call_t){.jobu = jobs[0],
                    .jobv = jobs[1],
                    .jobq = jobs[2],
                    .m = m,
                    .n = n,
                    .p = p,
                    .lda = m + pad,
                    .ldb = p + pad,
                    .ldu = m + pad,
                    .ldv = p + pad,
                    .ldq = n + pad};
}

call_t call_for_values(const routines_t *r, int n, scalar_t *A, scalar_t *B,
                       real_t *alpha, real_t *beta)
{
    static scalar_t work[8 * VALUES_MOST];
    static real_t rwork[2 * VALUES_MOST];
    static integer_t iwork[VALUES_MOST];
    static scalar_t unused[1];
    call_t c = new_call("NNN", n, n, n, 0);
    c.A = A, c.B = B, c.alpha = alpha, c.beta = beta;
    c.U = c.V = c.Q = unused;
    c.ldu = c.ldv = c.ldq = 1;
    c.work = work, c.lwork = 8 * n, c.rwork = rwork, c.iwork = iwork;
    call_routine(r, GGSVD3, &c);
    return c;
}

int is_quick(void)
{
    const char *const quick = getenv("GSVD_TEST_QUICK");
    return quick && *quick && strcmp(quick, "0") != 0;
}

int run_tests(const char *name, const TTest *const *tests, size_t count)
{
    Suite *const suite = suite_create(name);
    TCase *const tcase = tcase_create(name);
    tcase_set_timeout(tcase, 0);
    for (size_t i = 0; i < count; ++i)
        tcase_add_test(tcase, tests[i]);
    suite_add_tcase(suite, tcase);
    SRunner *const runner = srunner_create(suite);
    srunner_set_fork_status(runner, CK_NOFORK);
    srunner_run_all(runner, CK_ENV);
    const int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
