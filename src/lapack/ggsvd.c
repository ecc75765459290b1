/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* ggsvd.c -- xGGSVD3 and the older xGGSVD. */
#include "lapack/abi.h"

static gsvd_status_t run(const library_t *library, gsvd_handle_t h,
                         problem_t *q, int *info)
{
    return library->GSVD_LETTER.pair(h, q->jobu, q->jobv, q->jobq, q->m, q->n,
                                     q->p, &q->k, &q->l, q->A, q->lda, q->B,
                                     q->ldb, q->alpha, q->beta, q->U, q->ldu,
                                     q->V, q->ldv, q->Q, q->ldq, info);
}

#define NUMBERS                                                                \
    .m = 4, .n = 5, .p = 6, .lda = 10, .ldb = 12, .ldu = 16, .ldv = 18,        \
    .ldq = 20, .values = 1, .small = X(lapack_small_gsvd), .run = run

/* LAPACK calls LWORK the 24th argument; it is the 22nd */
static const kind_t ggsvd3 = {LAPACK_NAME("GGSVD3"), NUMBERS, .lwork = 24};
static const kind_t ggsvd = {LAPACK_NAME("GGSVD"), NUMBERS};

/* The results that libgsvd does not write itself.  Swapping alpha(i) and
 * alpha(iwork(i)) is to sort alpha, which is sorted. */
static void finish(const problem_t *q, integer_t *k, integer_t *l,
                   integer_t *iwork)
{
    *k = (integer_t)q->k;
    *l = (integer_t)q->l;
    for (int64_t i = 0; i < q->n; ++i)
        iwork[i] = (integer_t)(i + 1);
}

LAPACK_API LAPACK(ggsvd3)(JOBS, SIZE(m), SIZE(n), SIZE(p), integer_t *k,
                          integer_t *l, MATRIX(A, lda), MATRIX(B, ldb),
                          real_t *alpha, real_t *beta, FACTORS, scalar_t *work,
                          SIZE(lwork), RWORK integer_t *iwork, integer_t *info,
                          LENGTHS)
{
    problem_t q = {SHARED, .alpha = alpha, .beta = beta, .lwork = *lwork,
                   .kind = &ggsvd3};

    *info = gsvd_lapack_check(&q);
    if (*info != 0)
        return;
    const int64_t best = q.n + gsvd_lapack_lwork(&q);
    work[0] = make((real_t)(best > 2 * q.n ? best : 2 * q.n), 0);
    if (q.lwork == -1)
        return;
    *info = gsvd_lapack_run(&q);
    finish(&q, k, l, iwork);
}

LAPACK_API LAPACK(ggsvd)(JOBS, SIZE(m), SIZE(n), SIZE(p), integer_t *k,
                         integer_t *l, MATRIX(A, lda), MATRIX(B, ldb),
                         real_t *alpha, real_t *beta, FACTORS,
                         scalar_t *work UNUSED, RWORK integer_t *iwork,
                         integer_t *info, LENGTHS)
{
    problem_t q = {SHARED, .alpha = alpha, .beta = beta, .kind = &ggsvd};

    *info = gsvd_lapack_check(&q);
    if (*info != 0)
        return;
    *info = gsvd_lapack_run(&q);
    finish(&q, k, l, iwork);
}
