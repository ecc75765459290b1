/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* check_args.c [1] -- is a call legal?  LAPACK's order, LAPACK's numbers. */
#include <limits.h>

#include "gsvd/call.h"

/* alignment of 64-bit integers, on a device too */
enum { INTEGER = _Alignof(int64_t) };

/* Where each argument stands in xGGSVD3, xGGSVP3 and xTGSJA; in xGEQRF, xORMQR,
 * xORGQR and xGEQP3; in urv. */
typedef struct numbers {
    int m, n, p, k, l, A, lda, B, ldb, alpha, beta, U, ldu, V, ldv, Q, ldq;
    int tau, C, ldc, jpvt, tol;
} numbers_t;

static const numbers_t numbers[] = {
    [ROUTINE_GSVD] = {4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19,
                      20},
    [ROUTINE_PREPROCESS] = {4, 6, 5, 13, 14, 7, 8, 9, 10, 0, 0, 15, 16, 17, 18,
                            19, 20},
    [ROUTINE_SOLVE] = {4, 6, 5, 7, 8, 9, 10, 11, 12, 15, 16, 17, 18, 19, 20, 21,
                       22},
    [ROUTINE_QR] = {.m = 1, .n = 2, .A = 3, .lda = 4, .tau = 5},
    [ROUTINE_QR_APPLY] =
        {.m = 3, .n = 4, .k = 5, .A = 6, .lda = 7, .tau = 8, .C = 9, .ldc = 10},
    [ROUTINE_QR_FORM] = {.m = 1, .n = 2, .k = 3, .A = 4, .lda = 5, .tau = 6},
    [ROUTINE_GEQP] = {.m = 1,
                      .n = 2,
                      .A = 3,
                      .lda = 4,
                      .jpvt = 5,
                      .tau = 6,
                      .tol = 7,
                      .k = 8},
    [ROUTINE_URV] = {.m = 3,
                     .n = 4,
                     .A = 5,
                     .lda = 6,
                     .tol = 7,
                     .k = 8,
                     .U = 9,
                     .ldu = 10,
                     .V = 11,
                     .ldv = 12},
};

int gsvd_argument_a(routine_t routine) { return numbers[routine].A; }

int gsvd_argument_b(routine_t routine) { return numbers[routine].B; }

int gsvd_argument_tau(routine_t routine) { return numbers[routine].tau; }

int gsvd_argument_c(routine_t routine) { return numbers[routine].C; }

char gsvd_upper(char job)
{
    return job >= 'a' && job <= 'z' ? (char)(job - 'a' + 'A') : job;
}

int64_t gsvd_columns(char job, int64_t order, int64_t economy)
{
    switch (gsvd_upper(job)) {
    case 'N': return 0;
    case 'S': return economy;
    default: return order;
    }
}

static int is_job(const call_t *c, char job, char full)
{
    const char j = gsvd_upper(job);
    const char other = c->routine == ROUTINE_SOLVE ? 'I' : 'S';
    return j == full || j == other || j == 'N';
}

static gsvd_status_t check_size(gsvd_handle_t h, const call_t *c, int i,
                                const char *name, int64_t size)
{
    if (size < 0)
        return gsvd_illegal(h, c->info, i, name, "negative");
    if (size > INT_MAX)
        return gsvd_illegal(h, c->info, i, name, "more than 2147483647");
    return GSVD_SUCCESS;
}

/* -- a pair -------------------------------------------------------------------- */

static gsvd_status_t check_sizes_of_pair(gsvd_handle_t h, const call_t *c)
{
    const numbers_t *const i = &numbers[c->routine];
    const char *const jobs = c->routine == ROUTINE_SOLVE
                                 ? "none of the factor's letter, 'I', 'N'"
                                 : "none of the factor's letter, 'S', 'N'";

    if (!is_job(c, c->jobu, 'U'))
        return gsvd_illegal(h, c->info, 1, "jobu", jobs);
    if (!is_job(c, c->jobv, 'V'))
        return gsvd_illegal(h, c->info, 2, "jobv", jobs);
    if (!is_job(c, c->jobq, 'Q'))
        return gsvd_illegal(h, c->info, 3, "jobq", jobs);
    GSVD_TRY(check_size(h, c, i->m, "m", c->m));
    if (c->routine == ROUTINE_GSVD) {
        GSVD_TRY(check_size(h, c, i->n, "n", c->n));
        GSVD_TRY(check_size(h, c, i->p, "p", c->p));
    } else {
        GSVD_TRY(check_size(h, c, i->p, "p", c->p));
        GSVD_TRY(check_size(h, c, i->n, "n", c->n));
    }
    if (c->routine == ROUTINE_SOLVE) {
        if (c->k_in < 0 || c->k_in > c->m || c->k_in > c->n)
            return gsvd_illegal(h, c->info, i->k, "k", "not in [0, min(m,n)]");
        if (c->l_in < 0 || c->l_in > c->p || c->l_in > c->n - c->k_in)
            return gsvd_illegal(h, c->info, i->l, "l",
                                "not in [0, min(p,n-k)]");
    }
    return GSVD_SUCCESS;
}

/* An array begins at a multiple of so many bytes; the same for k, l, rank. */
static gsvd_status_t check_array(gsvd_handle_t h, const call_t *c, int i,
                                 const char *name, const void *array,
                                 int64_t elements, size_t alignment)
{
    if (elements <= 0)
        return GSVD_SUCCESS;
    if (!array)
        return gsvd_illegal(h, c->info, i, name, "NULL");
    if ((uintptr_t)array % alignment != 0)
        return gsvd_illegal(h, c->info, i, name, "not aligned to its elements");
    return GSVD_SUCCESS;
}

static gsvd_status_t check_ld(gsvd_handle_t h, const call_t *c, int i,
                              const char *name, int64_t ld, int64_t rows)
{
    if (ld < 1 || ld < rows)
        return gsvd_illegal(h, c->info, i, name, "less than max(1, rows)");
    if (ld > INT_MAX)
        return gsvd_illegal(h, c->info, i, name, "more than 2147483647");
    return GSVD_SUCCESS;
}

static gsvd_status_t check_args_of_pair(gsvd_handle_t h, const call_t *c,
                                        size_t scalar, size_t real)
{
    const numbers_t *const i = &numbers[c->routine];
    const int64_t u = gsvd_columns(c->jobu, c->m, c->m) ? c->m : 0;
    const int64_t v = gsvd_columns(c->jobv, c->p, c->p) ? c->p : 0;
    const int64_t q = gsvd_columns(c->jobq, c->n, c->n) ? c->n : 0;

    GSVD_TRY(check_sizes_of_pair(h, c));
    GSVD_TRY(check_ld(h, c, i->lda, "lda", c->lda, c->m));
    GSVD_TRY(check_ld(h, c, i->ldb, "ldb", c->ldb, c->p));
    GSVD_TRY(check_ld(h, c, i->ldu, "ldu", c->ldu, u));
    GSVD_TRY(check_ld(h, c, i->ldv, "ldv", c->ldv, v));
    GSVD_TRY(check_ld(h, c, i->ldq, "ldq", c->ldq, q));
    if (c->routine != ROUTINE_SOLVE) {
        GSVD_TRY(check_array(h, c, i->k, "k", c->k, 1, INTEGER));
        GSVD_TRY(check_array(h, c, i->l, "l", c->l, 1, INTEGER));
    }
    GSVD_TRY(check_array(h, c, i->A, "A", c->A, c->m * (c->n > 0), scalar));
    GSVD_TRY(check_array(h, c, i->B, "B", c->B, c->p * (c->n > 0), scalar));
    if (c->routine != ROUTINE_PREPROCESS) {
        GSVD_TRY(check_array(h, c, i->alpha, "alpha", c->alpha, c->n, real));
        GSVD_TRY(check_array(h, c, i->beta, "beta", c->beta, c->n, real));
    }
    GSVD_TRY(check_array(h, c, i->U, "U", c->U, u, scalar));
    GSVD_TRY(check_array(h, c, i->V, "V", c->V, v, scalar));
    return check_array(h, c, i->Q, "Q", c->Q, q, scalar);
}

/* -- one matrix ---------------------------------------------------------------- */

static gsvd_status_t check_jobs(gsvd_handle_t h, const call_t *c)
{
    const char side = gsvd_upper(c->side), op = gsvd_upper(c->op);

    if (c->routine == ROUTINE_URV) {
        if (!is_job(c, c->jobu, 'U'))
            return gsvd_illegal(h, c->info, 1, "jobu", "none of 'U', 'S', 'N'");
        if (!is_job(c, c->jobv, 'V'))
            return gsvd_illegal(h, c->info, 2, "jobv", "none of 'V', 'S', 'N'");
    }
    if (c->routine == ROUTINE_QR_APPLY) {
        if (side != 'L' && side != 'R')
            return gsvd_illegal(h, c->info, 1, "side", "neither 'L' nor 'R'");
        if (op != 'N' && op != 'C')
            return gsvd_illegal(h, c->info, 2, "op",
                                "not 'N', 'C', or 'T' of a real type");
    }
    return GSVD_SUCCESS;
}

static gsvd_status_t check_sizes_of_one(gsvd_handle_t h, const call_t *c)
{
    const numbers_t *const i = &numbers[c->routine];
    const int64_t most =
        c->routine == ROUTINE_QR_APPLY ? gsvd_order_of_q(c) : c->n;

    GSVD_TRY(check_jobs(h, c));
    GSVD_TRY(check_size(h, c, i->m, "m", c->m));
    GSVD_TRY(check_size(h, c, i->n, "n", c->n));
    if (c->routine == ROUTINE_QR_FORM && c->n > c->m)
        return gsvd_illegal(h, c->info, i->n, "n", "not in [0, m]");
    if (c->routine == ROUTINE_QR_FORM || c->routine == ROUTINE_QR_APPLY)
        if (c->k_in < 0 || c->k_in > most)
            return gsvd_illegal(h, c->info, i->k, "k",
                                "not in [0, order of Q or its columns]");
    return GSVD_SUCCESS;
}

/* A, tau and C of the QR routines */
static gsvd_status_t check_arrays_of_qr(gsvd_handle_t h, const call_t *c,
                                        size_t scalar)
{
    const numbers_t *const i = &numbers[c->routine];
    const int apply = c->routine == ROUTINE_QR_APPLY;
    const int64_t rows = apply ? gsvd_order_of_q(c) : c->m;
    const int64_t cols = apply ? c->k_in : c->n;
    const int64_t least = rows < cols ? rows : cols;
    const int64_t k = c->routine == ROUTINE_QR_FORM ? c->k_in : least;

    GSVD_TRY(check_ld(h, c, i->lda, "lda", c->lda, rows));
    if (apply)
        GSVD_TRY(check_ld(h, c, i->ldc, "ldc", c->ldc, c->m));
    GSVD_TRY(check_array(h, c, i->A, "A", c->A, least, scalar));
    if (c->routine == ROUTINE_GEQP)
        GSVD_TRY(check_array(h, c, i->jpvt, "jpvt", c->jpvt, c->n, INTEGER));
    if (c->routine != ROUTINE_QR || c->tau) /* without it qr gives R alone   */
        GSVD_TRY(check_array(h, c, i->tau, "tau", c->tau, k, scalar));
    return apply ? check_array(h, c, i->C, "C", c->C, c->m * (c->n > 0), scalar)
                 : GSVD_SUCCESS;
}

static gsvd_status_t check_arrays_of_urv(gsvd_handle_t h, const call_t *c,
                                         size_t scalar)
{
    const numbers_t *const i = &numbers[c->routine];
    const int64_t least = c->m < c->n ? c->m : c->n;
    const int64_t u = gsvd_columns(c->jobu, c->m, least);
    const int64_t v = gsvd_columns(c->jobv, c->n, least);

    GSVD_TRY(check_ld(h, c, i->lda, "lda", c->lda, c->m));
    GSVD_TRY(check_ld(h, c, i->ldu, "ldu", c->ldu,
                      gsvd_upper(c->jobu) == 'N' ? 0 : c->m));
    GSVD_TRY(check_ld(h, c, i->ldv, "ldv", c->ldv,
                      gsvd_upper(c->jobv) == 'N' ? 0 : c->n));
    GSVD_TRY(check_array(h, c, i->A, "A", c->A, least, scalar));
    GSVD_TRY(check_array(h, c, i->U, "U", c->U, u, scalar));
    return check_array(h, c, i->V, "V", c->V, v, scalar);
}

static gsvd_status_t check_args_of_one(gsvd_handle_t h, const call_t *c,
                                       size_t scalar)
{
    const numbers_t *const i = &numbers[c->routine];

    GSVD_TRY(check_sizes_of_one(h, c));
    GSVD_TRY(c->routine == ROUTINE_URV ? check_arrays_of_urv(h, c, scalar)
                                       : check_arrays_of_qr(h, c, scalar));
    if (c->routine != ROUTINE_GEQP && c->routine != ROUTINE_URV)
        return GSVD_SUCCESS;
    if (c->tola != c->tola)
        return gsvd_illegal(h, c->info, i->tol, "tol", "a NaN");
    return check_array(h, c, i->k, "rank", c->k, 1, INTEGER);
}

/* -- either -------------------------------------------------------------------- */

gsvd_status_t gsvd_check_sizes(gsvd_handle_t h, const call_t *c)
{
    return gsvd_of_one_matrix(c) ? check_sizes_of_one(h, c)
                                 : check_sizes_of_pair(h, c);
}

gsvd_status_t gsvd_check_args(gsvd_handle_t h, const call_t *c, size_t scalar,
                              size_t real)
{
    return gsvd_of_one_matrix(c) ? check_args_of_one(h, c, scalar)
                                 : check_args_of_pair(h, c, scalar, real);
}
