/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* syevd.c -- xSYEVD and xHEEVD. */
#include "lapack/eig_abi.h"

static next_t next;
static const integer_t query = -1;

/* The least workspaces that LAPACK's documents ask for */
static int has_room(int with_vectors, int64_t n, int64_t lwork, int64_t lrwork,
                    int64_t liwork)
{
    const int64_t squares = 1 + 6 * n + 2 * n * n;
    if (liwork < (with_vectors ? 3 + 5 * n : 1))
        return 0;
    if (!GSVD_COMPLEX)
        return lwork >= (with_vectors ? squares : 2 * n + 1);
    return lwork >= (with_vectors ? 2 * n + n * n : n + 1) &&
           lrwork >= (with_vectors ? squares : n);
}

LAPACK_API LAPACK(SYEVD)(const char *jobz, const char *uplo, SIZE(n_),
                         MATRIX(A, lda), real_t *w, scalar_t *work, SIZE(lwork),
                         SIZED_REALS INTEGERS, integer_t *info, size_t length_z,
                         size_t length_u)
{
    const int64_t n = *n_;
    const int with_vectors = upper(*jobz) == 'V';
    __typeof__(&LAPACK(SYEVD)) lapack = NEXT(SYEVD);
#if GSVD_COMPLEX
    const int64_t reals = *lrwork;
#else
    const int64_t reals = 0;
#endif

    if (gsvd_lapack_eig_wanted(n) &&
        has_room(with_vectors, n, *lwork, reals, *liwork)) {
        lapack(jobz, uplo, n_, A, lda, w, work, &query, QUERY_SIZED_REALS iwork,
               &query, info, length_z, length_u);
        if (*info != 0)
            return;
        const scalar_t best = work[0];
        /* the vectors to WORK, which has room for them */
        const gsvd_problem_t p = {.size = sizeof p,
                                  .routine = GSVD_ROUTINE_EIGH,
                                  .type = TYPE,
                                  .job = {upper(*jobz), upper(*uplo), 'A'},
                                  .n = n,
                                  .A = {.data = A, .ld = *lda},
                                  .Q = {.data = work, .ld = n},
                                  .alpha = {.data = w}};
        const eig_outcome_t outcome = gsvd_lapack_eig_run(&p, n);
        if (outcome == DONE && with_vectors)
            gsvd_lapack_eig_copy(n, n, sizeof *A, work, n, A, *lda);
        work[0] = best;
        if (outcome == NOT_FINITE)
            *info = -4;
        if (outcome != FOR_LAPACK)
            return;
    }
    lapack(jobz, uplo, n_, A, lda, w, work, lwork, GIVE_SIZED_REALS iwork,
           liwork, info, length_z, length_u);
}
