/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* ggsvp.c -- xGGSVP3 and the older xGGSVP. */
#include "lapack/abi.h"

static gsvd_status_t run(const library_t *library, gsvd_handle_t h,
                         problem_t *q, int *info)
{
    return library->GSVD_LETTER.preprocess(
        h, q->jobu, q->jobv, q->jobq, q->m, q->p, q->n, q->A, q->lda, q->B,
        q->ldb, (real_t)q->tola, (real_t)q->tolb, &q->k, &q->l, q->U, q->ldu,
        q->V, q->ldv, q->Q, q->ldq, info);
}

#define NUMBERS                                                                \
    .m = 4, .p = 5, .n = 6, .lda = 8, .ldb = 10, .ldu = 16, .ldv = 18,         \
    .ldq = 20, .small = X(lapack_small_preprocess), .run = run

/* LAPACK calls LWORK the 24th argument, of the complex routines too */
static const kind_t ggsvp3 = {LAPACK_NAME("GGSVP3"), NUMBERS, .lwork = 24};
static const kind_t ggsvp = {LAPACK_NAME("GGSVP"), NUMBERS};

/* libgsvd takes a negative tolerance for a wish for its default; here it counts
 * whatever is not zero */
static double at_least_zero(real_t tol) { return tol > 0 ? tol : 0; }

LAPACK_API LAPACK(ggsvp3)(JOBS, SIZE(m), SIZE(p), SIZE(n), MATRIX(A, lda),
                          MATRIX(B, ldb), const real_t *tola,
                          const real_t *tolb, integer_t *k, integer_t *l,
                          FACTORS, integer_t *iwork UNUSED,
                          RWORK scalar_t *tau UNUSED, scalar_t *work,
                          SIZE(lwork), integer_t *info, LENGTHS)
{
    problem_t q = {SHARED, .lwork = *lwork, .kind = &ggsvp3};

    *info = gsvd_lapack_check(&q);
    if (*info != 0)
        return;
    work[0] = make((real_t)gsvd_lapack_lwork(&q), 0);
    if (q.lwork == -1)
        return;
    q.tola = at_least_zero(*tola); /* not referenced by a query              */
    q.tolb = at_least_zero(*tolb);
    *info = gsvd_lapack_run(&q);
    *k = (integer_t)q.k;
    *l = (integer_t)q.l;
}

LAPACK_API LAPACK(ggsvp)(JOBS, SIZE(m), SIZE(p), SIZE(n), MATRIX(A, lda),
                         MATRIX(B, ldb), const real_t *tola, const real_t *tolb,
                         integer_t *k, integer_t *l, FACTORS,
                         integer_t *iwork UNUSED, RWORK scalar_t *tau UNUSED,
                         scalar_t *work UNUSED, integer_t *info, LENGTHS)
{
    problem_t q = {SHARED, .kind = &ggsvp};

    *info = gsvd_lapack_check(&q);
    if (*info != 0)
        return;
    q.tola = at_least_zero(*tola);
    q.tolb = at_least_zero(*tolb);
    *info = gsvd_lapack_run(&q);
    *k = (integer_t)q.k;
    *l = (integer_t)q.l;
}
