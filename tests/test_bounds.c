/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* test_bounds.c -- error bounds of generalized values: rounding errors of all families against
 * extended precision, errors of data, and errors that attain the bound.
 *
 *     tests_<letter> bounds cpu|cuda [COUNT]     so many problems of the families */
#include <stdio.h>

#include "gsvd_filter.h"
#include "harness/families.h"
#include "harness/wide.h"

typedef struct bounded {
    result_t r; /* with X^-H                                                 */
    real_t *a, *b, *bound, cond;
} bounded_t;

static real_t *lengths_of(mat_t A)
{
    real_t *const x = grab((size_t)A.cols * sizeof *x);
    for (int64_t j = 0; j < A.cols; ++j)
        x[j] = (real_t)length_of_column(A, j);
    return x;
}

static void take_bounds(bounded_t *x, real_t error)
{
    const int64_t n = x->r.Q.rows, r = x->r.k + x->r.l;
    real_t *const work = grab((size_t)(2 * r) * sizeof *work);
    x->bound = grab((size_t)r * sizeof *x->bound);
    ck_assert_ok(X(error_bounds)(handle, n, r, x->r.alpha, x->r.beta, x->a,
                                 x->b, x->r.Q.data, x->r.Q.ld, error, x->bound,
                                 &x->cond, work));
}

static bounded_t decompose_bounded(mat_t A, mat_t B, real_t error)
{
    bounded_t x = {.a = lengths_of(A), .b = lengths_of(B)};
    ck_assert_ok(gsvd_set_option(handle, GSVD_FORM, GSVD_FORM_XINV));
    x.r = decompose(HOST, 'S', 'S', 'S', A, B);
    if (x.r.status == GSVD_SUCCESS)
        take_bounds(&x, error);
    return x;
}

static double chord(double a, double b, double c, double d)
{
    return fabs(a * d - b * c);
}

/* ---- rounding -------------------------------------------------------------------- */

static int count_of_each;

/* The worst error over its bound */
static double worst_part(const problem_t *c, const bounded_t *x,
                         const wide_t *right, double worst)
{
    for (int64_t j = 0; j < c->n; ++j) {
        const wide_t to = hypotl(1, right[j]);
        const double off = chord(x->r.alpha[j], x->r.beta[j],
                                 (double)(right[j] / to), (double)(1 / to));
        const double part = fmin(off, 1) / x->bound[j];
        if (!(part <= worst)) {
            worst = part;
            printf("%s (%s): value %ld, %.2g of %.1e\n", problem_name(c),
                   problem_text(c), (long)j, part, (double)x->bound[j]);
        }
    }
    return worst;
}

/* The worst error over its bound, that of each column by itself for TANGENT's, and the largest bound
 * over the one of cond(R), n ulp cond, where that is of first order */
START_TEST(rounding)
{
    /* p and q of these are longer than y_j's images: bounds without that were 1e4 times too small. */
    static const char *const long_ones[] = {"parallel:41224203",
                                            "dense:16933127"};
    enum { LONG = 2 };
    const int64_t count = count_of_each ? count_of_each : quick ? 30 : 300;
    double worst = 0, most = 0;
    int seen = 0;
    for (int64_t i = 0; i < count + LONG; ++i) {
        int clean;
        release_pool();
        problem_t c = drawn_problem(77, i, 0, 65);
        if (i >= count)
            ck_assert(named_problem(long_ones[i - count], &c));
        const sample_t P = problem_pair(&c, 0, &clean);
        if (!clean)
            continue;
        const int64_t n = c.n;
        take_way(&way[c.way]);
        ck_assert_ok(
            gsvd_set_option(handle, GSVD_EQUILIBRATE, GSVD_EQUILIBRATE_ON));
        ck_assert_ok(gsvd_set_option(handle, GSVD_TOL_A, 0));
        ck_assert_ok(gsvd_set_option(handle, GSVD_TOL_B, 0));
        bounded_t x = decompose_bounded(P.A, P.B, 0);
        if (x.r.status == GSVD_SUCCESS && x.r.l == n) {
            wide_t *const right = grab((size_t)n * sizeof *right);
            wide_values(new_mat(P.A.rows, 0), P.A, P.B, right);
            ++seen;
            const real_t error = (real_t)max_i(n, 10) * GSVD_ULP;
            worst = worst_part(&c, &x, right, worst);
            const double by_cond = error * (double)x.cond;
            for (int64_t j = 0; j < n && by_cond < 0.01; ++j)
                most = fmax(most, x.bound[j] / by_cond);
            gsvd_stats_t stats = {.size = sizeof stats};
            ck_assert_ok(gsvd_get_stats(handle, &stats));
            if (stats.solver == GSVD_SOLVER_TANGENT) {
                take_bounds(&x, error);
                worst = worst_part(&c, &x, right, worst);
            }
        }
        leave_way();
        release_pool();
    }
    printf("%d problems: worst error %.2g of its bound; largest bound %.2g of "
           "n ulp cond(R)\n",
           seen, worst, most);
    ck_assert_int_gt(seen, (int)count / 10);
    ck_assert(worst <= 1);
    ck_assert(most <= 2);
}
END_TEST

/* ---- errors of data --------------------------------------------------------------- */

/* A and B with values that are apart, or two clusters, and columns of any scale */
static sample_t pair_of(int which, uint64_t seed)
{
    enum { M = 9, N = 6, P = 8 };
    static const double gamma[2][N] = {{20, 5, 1.5, 0.5, 0.1, 0.02},
                                       {3, 3, 3, 0.2, 0.2, 0.2}};
    const mat_t U = mat_cols(random_unitary(M, &seed), 0, N),
                V = mat_cols(random_unitary(P, &seed), 0, N);
    const mat_t X_ = normal_mat(N, N, &seed);
    for (int j = 0; j < N; ++j) {
        const double g = gamma[which % 2][j], h = hypot(1, g);
        for (int i = 0; i < M; ++i)
            AT(U, i, j) = scale((real_t)(g / h), AT(U, i, j));
        for (int i = 0; i < P; ++i)
            AT(V, i, j) = scale((real_t)(1 / h), AT(V, i, j));
    }
    sample_t S = {.A = product('N', 'C', U, X_), .B = product('N', 'C', V, X_)};
    for (int j = 0; which / 2 == 1 && j < N; ++j) {
        const real_t d = ldexp_r(1, (GSVD_SINGLE ? 4 : 12) * (j % 3 - 1));
        for (int i = 0; i < M; ++i)
            AT(S.A, i, j) = scale(d, AT(S.A, i, j));
        for (int i = 0; i < P; ++i)
            AT(S.B, i, j) = scale(d, AT(S.B, i, j));
    }
    return S;
}

static real_t data_error(void)
{
    return GSVD_SINGLE ? (real_t)1e-4 : (real_t)1e-6;
}

/* Column i of X_ + w^H z_i: w of length 1, |z_i| = error length_i */
static mat_t moved(mat_t X_, mat_t W, int64_t k, const real_t *length,
                   const scalar_t *y, real_t error)
{
    const mat_t C = copy_mat(X_);
    EACH_ENTRY (C, i, j) {
        const real_t size = abs_of(y[j]);
        const scalar_t z = size > 0
                               ? scale(error * length[j] / size, conj_of(y[j]))
                               : make(0, 0);
        AT(C, i, j) = add(AT(C, i, j), mul(AT(W, i, k), z));
    }
    return C;
}

/* E = u_k z^H and F = -v_k z^H attain the bound of value k where values are apart, and those of
 * clusters remain within it. */
START_TEST(attained)
{
    const real_t error = data_error();
    double least = INFINITY, most = 0;
    for (int which = 0; which < 4; ++which) {
        const sample_t S = pair_of(which, 5 + (uint64_t)which);
        const bounded_t x = decompose_bounded(S.A, S.B, error);
        ck_assert_ok(x.r.status);
        ck_assert_int_eq(x.r.l, S.A.cols);
        for (int64_t k = 0; k < S.A.cols; ++k) {
            const scalar_t *const y = &AT(x.r.Q, 0, k);
            const mat_t A = moved(S.A, x.r.U, k, x.a, y, error);
            const mat_t B = moved(S.B, x.r.V, k, x.b, y, -error);
            const result_t r = decompose(HOST, 'N', 'N', 'N', A, B);
            ck_assert_ok(r.status);
            double part = 0;
            for (int64_t j = 0; j < S.A.cols; ++j) {
                const double here =
                    chord(r.alpha[j], r.beta[j], x.r.alpha[j], x.r.beta[j]);
                ck_assert_msg(here <= 1.02 * x.bound[j],
                              "pair %d, value %ld: %g of %g", which, (long)j,
                              here, (double)x.bound[j]);
                if (j == k)
                    part = here / x.bound[j];
            }
            most = fmax(most, part);
            if (which % 2 == 0)
                least = fmin(least, part);
        }
        release_pool();
    }
    printf("attained: %.3f to %.3f of the bound\n", least, most);
    ck_assert(least > 0.9);
}
END_TEST

/* Random errors do not exceed it, of equal values either. */
START_TEST(random_errors)
{
    const real_t error = data_error();
    double worst = 0;
    for (int which = 0; which < 4; ++which)
        for (uint64_t i = 0; i < 20; ++i) {
            const sample_t S = pair_of(which, 50 + i);
            uint64_t seed = i;
            const bounded_t x = decompose_bounded(S.A, S.B, error);
            const mat_t A = copy_mat(S.A), B = copy_mat(S.B);
            const mat_t E = mat_cols(random_unitary(A.rows, &seed), 0, A.cols);
            const mat_t F = mat_cols(random_unitary(B.rows, &seed), 0, B.cols);
            EACH_ENTRY (A, e, j)
                AT(A, e, j) =
                    add(AT(A, e, j), scale(error * x.a[j], AT(E, e, j)));
            EACH_ENTRY (B, e, j)
                AT(B, e, j) =
                    add(AT(B, e, j), scale(error * x.b[j], AT(F, e, j)));
            const result_t r = decompose(HOST, 'N', 'N', 'N', A, B);
            ck_assert_ok(r.status);
            for (int64_t j = 0; j < A.cols; ++j)
                worst = fmax(worst, chord(r.alpha[j], r.beta[j], x.r.alpha[j],
                                          x.r.beta[j]) /
                                        x.bound[j]);
            release_pool();
        }
    printf("random errors: %.3f of the bound\n", worst);
    ck_assert(worst <= 1 && worst > 0.02);
}
END_TEST

/* ---- the call --------------------------------------------------------------------- */

/* cond is that of R, and a value that may be any has the bound 1. */
START_TEST(condition)
{
    const sample_t S = pair_of(0, 3);
    const bounded_t x = decompose_bounded(S.A, S.B, 0);
    ck_assert_ok(gsvd_set_option(handle, GSVD_FORM, GSVD_FORM_LAPACK));
    const result_t r = decompose(HOST, 'U', 'V', 'Q', S.A, S.B);
    const mat_t R = get_R(&r);
    const mat_t T = identity_mat(R.rows, R.rows);
    double of_r = 0, of_i = 0;
    for (int64_t j = 0; j < R.cols; ++j) { /* T := R^-1                       */
        for (int64_t i = R.rows; i-- > 0;) {
            scalar_t t = AT(T, i, j);
            for (int64_t k = i + 1; k < R.rows; ++k)
                t = sub(t, mul(AT(R, i, k), AT(T, k, j)));
            AT(T, i, j) =
                scale(1 / abs2(AT(R, i, i)), mul(conj_of(AT(R, i, i)), t));
        }
        of_r = hypot(of_r, (double)length_of_column(R, j));
        of_i = hypot(of_i, (double)length_of_column(T, j));
    }
    ck_assert(fabs(of_r * of_i - x.cond) <= 1e3 * GSVD_EPS * x.cond);
    bounded_t y = x;
    take_bounds(&y, 1);
    for (int64_t j = 0; j < S.A.cols; ++j)
        ck_assert(y.bound[j] == 1);
}
END_TEST

START_TEST(illegal)
{
    const real_t one[] = {1, 1}, minus[] = {-1, 1}, nan = (real_t)NAN;
    const scalar_t Y[] = {make(1, 0), make(0, 0), make(0, 0), make(1, 0)};
    real_t bound[2], work[4], cond;
#define CALL(...) X(error_bounds)(handle, __VA_ARGS__)
#define REFUSED(name, ...)                                                     \
    do {                                                                       \
        ck_assert_status(CALL(__VA_ARGS__), GSVD_INVALID_ARGUMENT);            \
        ck_assert_msg(strstr(gsvd_last_error(handle), name ":") ==             \
                          gsvd_last_error(handle),                             \
                      "%s: %s", name, gsvd_last_error(handle));                \
    } while (0)
    REFUSED("n", -1, 0, one, one, one, one, Y, 2, 0, bound, &cond, work);
    REFUSED("r", 2, 3, one, one, one, one, Y, 2, 0, bound, &cond, work);
    REFUSED("alpha", 2, 2, minus, one, one, one, Y, 2, 0, bound, &cond, work);
    REFUSED("beta", 2, 2, one, NULL, one, one, Y, 2, 0, bound, &cond, work);
    REFUSED("a", 2, 2, one, one, minus, one, Y, 2, 0, bound, &cond, work);
    REFUSED("b", 2, 2, one, one, one, NULL, Y, 2, 0, bound, &cond, work);
    REFUSED("Y", 2, 2, one, one, one, one, NULL, 2, 0, bound, &cond, work);
    REFUSED("ldy", 2, 2, one, one, one, one, Y, 1, 0, bound, &cond, work);
    REFUSED("error", 2, 2, one, one, one, one, Y, 2, -1, bound, &cond, work);
    REFUSED("error", 2, 2, one, one, one, one, Y, 2, nan, bound, &cond, work);
    REFUSED("bound", 2, 2, one, one, one, one, Y, 2, 0, NULL, &cond, work);
    REFUSED("work", 2, 2, one, one, one, one, Y, 2, 0, bound, &cond, NULL);
    ck_assert_status(X(error_bounds)(NULL, 0, 0, NULL, NULL, NULL, NULL, NULL,
                                     1, 0, NULL, NULL, NULL),
                     GSVD_INVALID_HANDLE);
    ck_assert_ok(
        CALL(0, 0, NULL, NULL, NULL, NULL, NULL, 1, 0, NULL, NULL, NULL));
    ck_assert_ok(CALL(2, 2, one, one, one, one, Y, 2, 0, bound, NULL, work));
    ck_assert(bound[0] > 0 && bound[0] == bound[1]);
}
END_TEST

Suite *make_suite(void)
{
    if (arguments > 2)
        count_of_each = atoi(argument[2]);
    Suite *const s = suite_create("bounds");
    TCase *const t = add_tcase(s, "bounds");
    tcase_add_test(t, rounding);
    tcase_add_test(t, attained);
    tcase_add_test(t, random_errors);
    tcase_add_test(t, condition);
    tcase_add_test(t, illegal);
    return s;
}
