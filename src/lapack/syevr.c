/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* syevr.c -- xSYEVR and xHEEVR. */
#include <stdlib.h>

#include "lapack/eig_abi.h"

static next_t next;
static const integer_t query = -1;

/* The least workspaces that LAPACK's documents ask for */
static int has_room(int64_t n, int64_t lwork, int64_t lrwork, int64_t liwork)
{
    return lwork >= (GSVD_COMPLEX ? 2 * n : 26 * n) && liwork >= 10 * n &&
           (!GSVD_COMPLEX || lrwork >= 24 * n);
}

/* For a range by value LAPACK's Z need have no more columns than there are values; libgsvd asks for
 * n. */
static eig_outcome_t run(gsvd_problem_t *p, int64_t *found, void *Z,
                         int64_t ldz)
{
    const int64_t n = p->n;
    const int spare = p->job[0] == 'V' && p->job[2] == 'V';

    p->k_out = found;
    p->Q = (gsvd_array_t){.data = Z, .ld = ldz};
    if (!spare)
        return gsvd_lapack_eig_run(p, n);
    void *const Q = gsvd_lapack_eig_spare(n, n, sizeof(scalar_t));
    if (!Q)
        return FOR_LAPACK;
    p->Q = (gsvd_array_t){.data = Q, .ld = n};
    const eig_outcome_t outcome = gsvd_lapack_eig_run(p, n);
    if (outcome == DONE)
        gsvd_lapack_eig_copy(n, *found, sizeof(scalar_t), Q, n, Z, ldz);
    free(Q);
    return outcome;
}

LAPACK_API LAPACK(SYEVR)(const char *jobz, const char *range, const char *uplo,
                         SIZE(n_), MATRIX(A, lda), const real_t *vl,
                         const real_t *vu, SIZE(il), SIZE(iu),
                         const real_t *abstol, integer_t *m, real_t *w,
                         MATRIX(Z, ldz), integer_t *isuppz, scalar_t *work,
                         SIZE(lwork), SIZED_REALS INTEGERS, integer_t *info,
                         size_t length_z, size_t length_r, size_t length_u)
{
    const int64_t n = *n_;
    __typeof__(&LAPACK(SYEVR)) lapack = NEXT(SYEVR);
#if GSVD_COMPLEX
    const int64_t reals = *lrwork;
#else
    const int64_t reals = 0;
#endif

    if (gsvd_lapack_eig_wanted(n) && has_room(n, *lwork, reals, *liwork)) {
        lapack(jobz, range, uplo, n_, A, lda, vl, vu, il, iu, abstol, m, w, Z,
               ldz, isuppz, work, &query, QUERY_SIZED_REALS iwork, &query, info,
               length_z, length_r, length_u);
        if (*info != 0)
            return;
        gsvd_problem_t p = {.size = sizeof p,
                            .routine = GSVD_ROUTINE_EIGH,
                            .type = TYPE,
                            .job = {upper(*jobz), upper(*uplo), upper(*range)},
                            .n = n,
                            .A = {.data = A, .ld = *lda},
                            .alpha = {.data = w}};
        int64_t found = 0;
        if (p.job[2] == 'V') { /* else not referenced                         */
            p.vl = (double)*vl;
            p.vu = (double)*vu;
        } else if (p.job[2] == 'I') {
            p.il = *il;
            p.iu = *iu;
        }
        const eig_outcome_t outcome = run(&p, &found, Z, *ldz);
        if (outcome == NOT_FINITE)
            *info = -6;
        if (outcome == DONE) {
            *m = (integer_t)found;
            /* where LAPACK sets it */
            const int all = p.job[0] == 'V' && found == n && p.job[2] != 'V';
            for (int64_t i = 0; all && i < n; ++i) {
                isuppz[2 * i] = 1;
                isuppz[2 * i + 1] = *n_;
            }
        }
        if (outcome != FOR_LAPACK)
            return;
    }
    lapack(jobz, range, uplo, n_, A, lda, vl, vu, il, iu, abstol, m, w, Z, ldz,
           isuppz, work, lwork, GIVE_SIZED_REALS iwork, liwork, info, length_z,
           length_r, length_u);
}
