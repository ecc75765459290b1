/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* gesvd.c -- xGESVD and xGESDD. */
#include <stdlib.h>

#include "lapack/eig_abi.h"

static const integer_t query = -1;

/* The arguments that both have; jobs N, S, A, or O, which overwrites A. */
typedef struct svd {
    char jobu, jobvt;
    int64_t m, n;
    scalar_t *A, *U, *VT;
    int64_t lda, ldu, ldvt;
    real_t *s;
} svd_t;

static int64_t least(int64_t a, int64_t b) { return a < b ? a : b; }
static int64_t most(int64_t a, int64_t b) { return a > b ? a : b; }

/* Y := X^H, in tiles that the first cache holds */
static void ctranspose(mat_t X_, mat_t Y)
{
    enum { TILE = 16 };
    if (!X_.data)
        return;
    for (int64_t j0 = 0; j0 < X_.cols; j0 += TILE)
        for (int64_t i0 = 0; i0 < X_.rows; i0 += TILE)
            for (int64_t i = i0; i < least(i0 + TILE, X_.rows); ++i)
                for (int64_t j = j0; j < least(j0 + TILE, X_.cols); ++j)
                    AT(Y, j, i) = conj_of(AT(X_, i, j));
}

/* libgsvd's V is not transposed, and its results do not overlap A: V, and a U that is to overwrite A,
 * come in spare memory. */
static eig_outcome_t run(const svd_t *x)
{
    const int64_t m = x->m, n = x->n, order = least(m, n);
    const int over_u = x->jobu == 'O';
    const int64_t cols_v = x->jobvt == 'N' ? 0 : x->jobvt == 'A' ? n : order;
    const int64_t entries_v = n * cols_v, entries_u = over_u ? m * order : 0;
    scalar_t *spare = NULL;

    if (entries_u + entries_v > 0) {
        spare = gsvd_lapack_eig_spare(entries_u + entries_v, 1, sizeof *spare);
        if (!spare)
            return FOR_LAPACK;
    }
    scalar_t *const V = spare ? spare + entries_u : NULL;
    const gsvd_array_t of_u = {.data = over_u ? spare : x->U,
                               .ld = over_u ? m : x->ldu};
    const gsvd_problem_t p = {.size = sizeof p,
                              .routine = GSVD_ROUTINE_SVD,
                              .type = TYPE,
                              .job = {x->jobu == 'A'   ? 'U'
                                      : x->jobu == 'N' ? 'N'
                                                       : 'S',
                                      x->jobvt == 'A'   ? 'V'
                                      : x->jobvt == 'N' ? 'N'
                                                        : 'S'},
                              .m = m,
                              .n = n,
                              .A = {.data = x->A, .ld = x->lda},
                              .U = of_u,
                              .V = {.data = V, .ld = n},
                              .alpha = {.data = x->s}};
    const eig_outcome_t outcome = gsvd_lapack_eig_run(&p, order);
    if (outcome == DONE && over_u)
        gsvd_lapack_eig_copy(m, order, sizeof *spare, spare, m, x->A, x->lda);
    if (outcome == DONE && cols_v > 0)
        ctranspose(mat_view(V, n, cols_v, n),
                   x->jobvt == 'O' ? mat_view(x->A, cols_v, n, x->lda)
                                   : mat_view(x->VT, cols_v, n, x->ldvt));
    free(spare);
    return outcome;
}

/* 0: it is for LAPACK, whose argument of that number A is */
static int decompose(const svd_t *x, int number_of_A, integer_t *info)
{
    const eig_outcome_t outcome = run(x);
    if (outcome == NOT_FINITE)
        *info = -number_of_A;
    return outcome != FOR_LAPACK;
}

/* The least workspaces that LAPACK's documents ask for */
static int gesvd_has_room(int64_t m, int64_t n, int64_t lwork)
{
    const int64_t a = least(m, n), b = most(m, n);
    return lwork >= (GSVD_COMPLEX ? 2 * a + b : most(3 * a + b, 5 * a));
}

static int gesdd_has_room(char jobz, int64_t m, int64_t n, int64_t lwork)
{
    const int64_t a = least(m, n), b = most(m, n);
    switch (jobz) {
    case 'N':
        return lwork >= (GSVD_COMPLEX ? 2 * a + b : 3 * a + most(b, 7 * a));
    case 'O':
        return lwork >= (GSVD_COMPLEX ? 2 * a * a + 2 * a + b
                                      : 3 * a + most(b, 5 * a * a + 4 * a));
    case 'S':
        return lwork >= (GSVD_COMPLEX ? a * a + 3 * a : 4 * a * a + 7 * a);
    default:
        return lwork >=
               (GSVD_COMPLEX ? a * a + 2 * a + b : 4 * a * a + 6 * a + b);
    }
}

LAPACK_API LAPACK(gesvd)(const char *jobu, const char *jobvt, SIZE(m), SIZE(n),
                         MATRIX(A, lda), real_t *s, MATRIX(U, ldu),
                         MATRIX(VT, ldvt), scalar_t *work, SIZE(lwork),
                         REALS integer_t *info, size_t length_u,
                         size_t length_vt)
{
    static next_t next;
    __typeof__(&LAPACK(gesvd)) lapack = NEXT(gesvd);

    if (gsvd_lapack_eig_wanted(least(*m, *n)) &&
        gesvd_has_room(*m, *n, *lwork)) {
        lapack(jobu, jobvt, m, n, A, lda, s, U, ldu, VT, ldvt, work, &query,
               GIVE_REALS info, length_u, length_vt);
        const svd_t x = {upper(*jobu), upper(*jobvt), *m,   *n,    A, U,
                         VT,           *lda,          *ldu, *ldvt, s};
        if (*info != 0 || decompose(&x, 5, info))
            return;
    }
    lapack(jobu, jobvt, m, n, A, lda, s, U, ldu, VT, ldvt, work, lwork,
           GIVE_REALS info, length_u, length_vt);
}

LAPACK_API LAPACK(gesdd)(const char *jobz, SIZE(m), SIZE(n), MATRIX(A, lda),
                         real_t *s, MATRIX(U, ldu), MATRIX(VT, ldvt),
                         scalar_t *work, SIZE(lwork), REALS integer_t *iwork,
                         integer_t *info, size_t length_z)
{
    static next_t next;
    const char job = upper(*jobz);
    __typeof__(&LAPACK(gesdd)) lapack = NEXT(gesdd);

    if (gsvd_lapack_eig_wanted(least(*m, *n)) &&
        gesdd_has_room(job, *m, *n, *lwork)) {
        lapack(jobz, m, n, A, lda, s, U, ldu, VT, ldvt, work, &query,
               GIVE_REALS iwork, info, length_z);
        /* O: the smaller one of U and V^H is all there is of it              */
        const char u = job == 'O' && *m < *n ? 'A' : job;
        const char vt = job == 'O' && *m >= *n ? 'A' : job;
        const svd_t x = {u, vt, *m, *n, A, U, VT, *lda, *ldu, *ldvt, s};
        if (*info != 0 || decompose(&x, 4, info))
            return;
    }
    lapack(jobz, m, n, A, lda, s, U, ldu, VT, ldvt, work, lwork,
           GIVE_REALS iwork, info, length_z);
}
