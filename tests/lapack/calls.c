/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* calls.c -- see calls.h; and the program's own XERBLA. */
#include "lapack/calls.h"

#include <dlfcn.h>
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
