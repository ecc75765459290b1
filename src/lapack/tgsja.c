/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* tgsja.c -- xTGSJA. */
#include "lapack/abi.h"

/* the tolerances are those of LAPACK's iteration: ours has its own */
static gsvd_status_t run(const library_t *library, gsvd_handle_t h,
                         problem_t *q, int *info)
{
    gsvd_stats_t stats = {.size = sizeof stats};
    const gsvd_status_t status = library->GSVD_LETTER.solve(
        h, q->jobu, q->jobv, q->jobq, q->m, q->p, q->n, q->k, q->l, q->A,
        q->lda, q->B, q->ldb, -1, -1, q->alpha, q->beta, q->U, q->ldu, q->V,
        q->ldv, q->Q, q->ldq, info);
    if (library->get_stats(h, &stats) == GSVD_SUCCESS)
        q->sweeps = stats.sweeps;
    return status;
}

static const kind_t tgsja = {
    LAPACK_NAME("TGSJA"),
    .m = 4,
    .p = 5,
    .n = 6,
    .k = 7,
    .l = 8,
    .lda = 10,
    .ldb = 12,
    .ldu = 18,
    .ldv = 20,
    .ldq = 22,
    .start = 'I',
    .values = 1,
    .small = X(lapack_small_solve),
    .run = run,
};

LAPACK_API LAPACK(tgsja)(JOBS, SIZE(m), SIZE(p), SIZE(n), SIZE(k), SIZE(l),
                         MATRIX(A, lda), MATRIX(B, ldb),
                         const real_t *tola UNUSED, const real_t *tolb UNUSED,
                         real_t *alpha, real_t *beta, FACTORS,
                         scalar_t *work UNUSED, integer_t *ncycle,
                         integer_t *info, LENGTHS)
{
    problem_t q = {SHARED,         .k = *k,      .l = *l,
                   .alpha = alpha, .beta = beta, .kind = &tgsja};

    *info = gsvd_lapack_check(&q);
    if (*info != 0)
        return;
    *info = gsvd_lapack_run(&q);
    *ncycle = q.sweeps;
}
