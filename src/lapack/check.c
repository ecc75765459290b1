/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* check.c [1] -- LAPACK 3.11's argument checks: its order, its numbers. */
#include "lapack/lapack.h"

static int64_t larger(int64_t a, int64_t b) { return a > b ? a : b; }

static int64_t smaller(int64_t a, int64_t b) { return a < b ? a : b; }

static int is_job(const kind_t *kind, char job, char full)
{
    return job == full || job == 'N' || (kind->start && job == kind->start);
}

/* leading dimension of a factor that may not be wanted */
static int is_ld(char job, int64_t ld, int64_t order)
{
    return ld >= 1 && (job == 'N' || ld >= order);
}

/* m, n, p < 0: the first in the routine's own order */
static int negative_size(const problem_t *q)
{
    const kind_t *const kind = q->kind;
    const int p_first = kind->p < kind->n;

    if (q->m < 0)
        return kind->m;
    if (p_first && q->p < 0)
        return kind->p;
    if (q->n < 0)
        return kind->n;
    return q->p < 0 ? kind->p : 0;
}

/* number of the first illegal argument, or 0 */
static int illegal(const problem_t *q)
{
    const kind_t *const kind = q->kind;

    if (!is_job(kind, q->jobu, 'U'))
        return 1;
    if (!is_job(kind, q->jobv, 'V'))
        return 2;
    if (!is_job(kind, q->jobq, 'Q'))
        return 3;
    const int size = negative_size(q);
    if (size)
        return size;
    if (q->lda < larger(1, q->m))
        return kind->lda;
    if (q->ldb < larger(1, q->p))
        return kind->ldb;
    if (!is_ld(q->jobu, q->ldu, q->m))
        return kind->ldu;
    if (!is_ld(q->jobv, q->ldv, q->p))
        return kind->ldv;
    if (!is_ld(q->jobq, q->ldq, q->n))
        return kind->ldq;
    if (kind->lwork && q->lwork < 1 && q->lwork != -1)
        return kind->lwork;
    /* LAPACK does not look at these */
    if (kind->k && (q->k < 0 || q->k > smaller(q->m, q->n)))
        return kind->k;
    if (kind->l && (q->l < 0 || q->l > smaller(q->p, q->n - q->k)))
        return kind->l;
    return 0;
}

int gsvd_lapack_check(const problem_t *q)
{
    const int i = illegal(q);
    if (i)
        gsvd_lapack_xerbla(q->kind->name, i);
    return -i;
}

/* xGEQP3's, with ILAENV's block of 32 */
static int64_t lwork_geqp3(const problem_t *q, int64_t rows)
{
    const int64_t n = q->n, norms = q->scalar == q->real ? 2 * n : 0;
    return smaller(rows, n) == 0 ? 1 : norms + (n + 1) * 32;
}

int64_t gsvd_lapack_lwork(const problem_t *q)
{
    int64_t lwork = larger(lwork_geqp3(q, q->p), lwork_geqp3(q, q->m));
    lwork = larger(lwork, larger(q->m, smaller(q->n, q->p)));
    if (q->jobv == 'V')
        lwork = larger(lwork, q->p);
    if (q->jobq == 'Q')
        lwork = larger(lwork, q->n);
    return lwork;
}
