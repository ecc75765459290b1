/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* filter.c -- coefficients of right-hand sides, filtered solutions and their norms. */
#include <errno.h>

#include "core/blas.h"
#include "core/sumsq.h"
#include "filter/terms.h"

/* Coefficients of so many columns of Y, and for so many solutions, are made at a time. */
enum { TERMS = 64, SOLUTIONS = 16, SIZE_MOST = 2147483647 };

static gsvd_status_t illegal(gsvd_handle_t h, const char *what)
{
    return gsvd_fail(h, GSVD_INVALID_ARGUMENT, "%s", what);
}

/* C := C + alpha op(A) B */
static void add_product(char op, real_t alpha, mat_t A, mat_t B, mat_t C)
{
    const char opa = blas_op(op), opb = 'N';
    const int m = (int)C.rows, n = (int)C.cols, k = (int)B.rows;
    const int lda = (int)A.ld, ldb = (int)B.ld, ldc = (int)C.ld;
    const scalar_t a = make(alpha, 0), one = make(1, 0);

    if (!mat_empty(C) && k > 0)
        BLAS_(gemm)
    (&opa, &opb, &m, &n, &k, &a, A.data, &lda, B.data, &ldb, &one, C.data, &ldc,
     1, 1);
}

static void set_zero(mat_t A)
{
    for (int64_t j = 0; j < A.cols; ++j)
        for (int64_t i = 0; i < A.rows; ++i)
            AT(A, i, j) = make(0, 0);
}

static int is_finite(mat_t A)
{
    int good = 1;
    for (int64_t j = 0; j < A.cols; ++j)
        for (int64_t i = 0; i < A.rows; ++i)
            good &= fabs_r(re(AT(A, i, j))) <= GSVD_REAL_MAX &&
                    fabs_r(im(AT(A, i, j))) <= GSVD_REAL_MAX;
    return good;
}

static int is_size(int64_t n) { return n >= 0 && n <= SIZE_MOST; }

static int is_ld(int64_t ld, int64_t rows)
{
    return ld >= max_i(rows, 1) && ld <= SIZE_MOST;
}

/* ---- picard --------------------------------------------------------------------- */

gsvd_status_t X(picard)(gsvd_handle_t h, int64_t m, int64_t r, int64_t nrhs,
                        const scalar_t *U, int64_t ldu, scalar_t *B,
                        int64_t ldb, scalar_t *C, int64_t ldc, real_t *rest)
{
    const int64_t cols = min_i(m, r);

    if (!h)
        return GSVD_INVALID_HANDLE;
    if (!is_size(m))
        return illegal(h, "m: not from 0 to 2147483647");
    if (!is_size(r))
        return illegal(h, "r: not from 0 to 2147483647");
    if (!is_size(nrhs))
        return illegal(h, "nrhs: not from 0 to 2147483647");
    if (!is_ld(ldu, m))
        return illegal(h, "ldu: less than max(1, m)");
    if (!is_ld(ldb, m))
        return illegal(h, "ldb: less than max(1, m)");
    if (!is_ld(ldc, r))
        return illegal(h, "ldc: less than max(1, r)");
    if (m > 0 && cols > 0 && !U)
        return illegal(h, "U: NULL");
    if (m > 0 && nrhs > 0 && !B)
        return illegal(h, "B: NULL");
    if (r > 0 && nrhs > 0 && !C)
        return illegal(h, "C: NULL");
    if (nrhs > 0 && !rest)
        return illegal(h, "rest: NULL");

    const mat_t of_u = mat_view((scalar_t *)U, m, cols, ldu);
    const mat_t of_b = mat_view(B, m, nrhs, ldb);
    const mat_t of_c = mat_view(C, r, nrhs, ldc);
    if (!is_finite(of_u))
        return illegal(h, "U: has a NaN or an infinity");
    if (!is_finite(of_b))
        return illegal(h, "B: has a NaN or an infinity");
    set_zero(of_c);
    add_product('C', 1, of_u, of_b, mat_rows(of_c, 0, cols));
    add_product('N', -1, of_u, mat_rows(of_c, 0, cols), of_b);
    for (int64_t j = 0; j < nrhs; ++j)
        rest[j] = sumsq_norm_of(m, &AT(of_b, 0, j));
    if (!is_finite(of_c) || !is_finite(of_b))
        return gsvd_fail(h, GSVD_OVERFLOW,
                         "C: has entries beyond the largest number");
    return are_values(nrhs, rest)
               ? GSVD_SUCCESS
               : gsvd_fail(h, GSVD_OVERFLOW,
                           "rest: has a norm beyond the largest number");
}

/* ---- filter --------------------------------------------------------------------- */

/* What a call of filter has */
#define filtered_t X(filtered_t)
typedef struct filtered {
    gsvd_filter_t filter;
    int64_t r, nrhs, count;
    const real_t *alpha, *beta, *lambda;
    mat_t C;
} filtered_t;

/* ||A x - b|| and ||L x|| of one solution */
static void norms_of(const filtered_t *p, int64_t rhs, real_t lambda,
                     real_t rest, real_t *residual, real_t *seminorm)
{
    sumsq_t a = {0, 0, 0}, l = {0, 0, 0};

    sumsq_add_real(&a, rest);
    for (int64_t i = 0; i < p->r; ++i) {
        const double s = (double)p->beta[i];
        const term_t t =
            term_of(p->filter, (double)p->alpha[i], s, (double)lambda);
        const double d = (double)abs_of(AT(p->C, i, rhs));
        sumsq_add_real(&a, (real_t)times(t.rest, d, 1));
        sumsq_add_real(&l, (real_t)times(t.over_c, d, s));
    }
    *residual = sumsq_norm(a);
    *seminorm = sumsq_norm(l);
}

/* Solutions first, ..., X_.cols of them, by some columns of Y at a time */
static void solve_some(const filtered_t *p, mat_t Y, int64_t first, mat_t X_)
{
    scalar_t room[TERMS * SOLUTIONS];

    set_zero(X_);
    for (int64_t i = 0; i < p->r; i += TERMS) {
        const mat_t Z = mat_view(room, min_i(TERMS, p->r - i), X_.cols, TERMS);
        for (int64_t j = 0; j < Z.cols; ++j)
            for (int64_t k = 0; k < Z.rows; ++k) {
                const int64_t at = i + k, which = first + j;
                const term_t t = term_of(p->filter, (double)p->alpha[at],
                                         (double)p->beta[at],
                                         (double)p->lambda[which % p->count]);
                const scalar_t x = AT(p->C, at, which / p->count);
                AT(Z, k, j) = make((real_t)times(t.over_c, re(x), 1),
                                   (real_t)times(t.over_c, im(x), 1));
            }
        add_product('N', 1, mat_cols(Y, i, Z.rows), Z, X_);
    }
}

static gsvd_status_t check(gsvd_handle_t h, const filtered_t *p, int64_t n,
                           const real_t *rest)
{
    if ((int)p->filter < 0 || p->filter > GSVD_FILTER_DAMPED)
        return illegal(h, "filter: not a gsvd_filter_t");
    if (!is_size(n))
        return illegal(h, "n: not from 0 to 2147483647");
    if (!is_size(p->r))
        return illegal(h, "r: not from 0 to 2147483647");
    if (!is_size(p->nrhs))
        return illegal(h, "nrhs: not from 0 to 2147483647");
    if (!is_size(p->count))
        return illegal(h, "count: not from 0 to 2147483647");
    GSVD_TRY(check_values(h, p->r, p->alpha, p->beta));
    if (!is_ld(p->C.ld, p->r))
        return illegal(h, "ldc: less than max(1, r)");
    if (!mat_empty(p->C) && (!p->C.data || !is_finite(p->C)))
        return illegal(h, "C: NULL, or has a NaN or an infinity");
    if (p->nrhs > 0 && (!rest || !are_values(p->nrhs, rest)))
        return illegal(h, "rest: NULL, or not finite numbers from 0 up");
    if (p->count > 0 && !p->lambda)
        return illegal(h, "lambda: NULL");
    for (int64_t i = 0; i < p->count; ++i)
        if (!(p->lambda[i] >= 0))
            return illegal(h, "lambda: has a NaN or a negative number");
    return GSVD_SUCCESS;
}

static gsvd_status_t check_solutions(gsvd_handle_t h, mat_t Y, mat_t X_)
{
    if (!is_ld(Y.ld, Y.rows))
        return illegal(h, "ldy: less than max(1, n)");
    if (!is_ld(X_.ld, X_.rows))
        return illegal(h, "ldx: less than max(1, n)");
    if (!mat_empty(X_) && !X_.data)
        return illegal(h, "X: NULL, and Y is not");
    if (!mat_empty(Y) && !is_finite(Y))
        return illegal(h, "Y: has a NaN or an infinity");
    return GSVD_SUCCESS;
}

gsvd_status_t X(filter)(gsvd_handle_t h, gsvd_filter_t filter, int64_t n,
                        int64_t r, int64_t nrhs, int64_t count,
                        const real_t *alpha, const real_t *beta,
                        const scalar_t *C, int64_t ldc, const real_t *rest,
                        const real_t *lambda, real_t *residual,
                        real_t *seminorm, const scalar_t *Y, int64_t ldy,
                        scalar_t *X_, int64_t ldx)
{
    const filtered_t p = {
        filter, r,    nrhs,   count,
        alpha,  beta, lambda, mat_view((scalar_t *)C, r, nrhs, ldc)};
    int good = 1;

    if (!h)
        return GSVD_INVALID_HANDLE;
    GSVD_TRY(check(h, &p, n, rest));
    const int64_t solutions = count * nrhs;
    const mat_t of_y = mat_view((scalar_t *)Y, n, r, ldy);
    const mat_t of_x = mat_view(X_, n, solutions, ldx);
    if (solutions > 0 && (!residual || !seminorm))
        return illegal(h, residual ? "seminorm: NULL" : "residual: NULL");
    if (Y)
        GSVD_TRY(check_solutions(h, of_y, of_x));
    const int kept_errno = errno; /* ldexp sets it.                          */
    for (int64_t j = 0; j < solutions; ++j) {
        norms_of(&p, j / count, lambda[j % count], rest[j / count],
                 &residual[j], &seminorm[j]);
        good &= residual[j] <= GSVD_REAL_MAX && seminorm[j] <= GSVD_REAL_MAX;
    }
    for (int64_t j = 0; Y && j < solutions; j += SOLUTIONS) {
        const mat_t some = mat_cols(of_x, j, min_i(SOLUTIONS, solutions - j));
        solve_some(&p, of_y, j, some);
        good &= is_finite(some);
    }
    errno = kept_errno;
    return good ? GSVD_SUCCESS
                : gsvd_fail(h, GSVD_OVERFLOW,
                            "a solution or a norm exceeds the largest number");
}
