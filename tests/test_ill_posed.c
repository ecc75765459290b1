/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* test_ill_posed.c -- Tikhonov's pairs: A of an integral equation, whose values fall below
 * rounding, and B a derivative, or I; ranks, LAPACK's ratios, economy and X; how many passes.
 *
 *     test_ill_posed_<letter> cpu|cuda [slow]      up to order 400, or 1000 */
#include <stdio.h>
#include <string.h>

#include "harness/harness.h"
#include "integral.h"

enum { DERIVATIVES = 3 }; /* I, first, second differences                    */

/* Passes and steps of large steps: two and two as a rule, four and two at order 1000, and where B = I by all of
 * OpenBLAS's kernels but SkylakeX's.
 * Block Jacobi, where these hand over to it, counts its sweeps, five and more. */
enum { MOST_TURNS = GSVD_SINGLE ? 10 : 5 };

static mat_t derivative(int64_t n, int order)
{
    static const double weight[DERIVATIVES][3] = {
        {1, 0, 0}, {-1, 1, 0}, {1, -2, 1}};
    const mat_t B = zero_mat(n - order, n);
    for (int64_t i = 0; i < B.rows; ++i)
        for (int k = 0; k <= order; ++k)
            AT(B, i, i + k) = make((real_t)weight[order][k], 0);
    return B;
}

static mat_t equation(const integral_t *e, int64_t m, int64_t n)
{
    const mat_t A = new_mat(m, n);
    EACH_ENTRY (A, i, j)
        AT(A, i, j) =
            make((real_t)integral_entry(e, (int)i, (int)j, (int)m, (int)n), 0);
    return A;
}

/* What counts for B's rank: all rows, but of single precision at order 1000.  A piecewise linear
 * y, 0 at both ends and bent in the middle alone, has sum |y_i|^2 = h^2 n / 3 with its height h,
 * and y^H B = 4 h / n in the column in the middle, half of it in the first and the last one.  So
 * these three columns are combinations of the others up to about 4 sqrt(3 / n) / n, which is
 * below the tolerance from n = 733 on.  Pivoted QR in quadruple precision has
 *
 *     n       last two |R(i,i)|     the least one by exchanges    tolerance    rank
 *     400     2.03e-3  9.67e-4      8.69e-4                       1.91e-4      n - 2
 *     1000    6.83e-4  2.20e-4      2.19e-4, then 7.28e-4         4.77e-4      n - 3 */
static int64_t rank_of_derivative(int64_t n, int order)
{
    const double size = (double)n, tolerance = 4 * size * GSVD_ULP;
    const int hidden = order == 2 && 4 * sqrt(3 / size) / size <= tolerance;
    return n - order - hidden;
}

/* Heat's kernel makes A's rows as short as the least numbers of single precision, and B's values of order
 * 1000 are about 1e-5: the pair says that quotients of values are further apart than the type holds, and the
 * call says so, or finds them within it. */
static int is_beyond_range(const integral_t *e, int64_t n, int order)
{
    return GSVD_SINGLE && e->kernel == integral_heat && n >= 1000 && order == 2;
}

/* What the derivative loses, polynomials above all, the equation sees. */
static void check(const integral_t *e, int64_t m, int64_t n, int order,
                  door_t door)
{
    const mat_t A = equation(e, m, n), B = derivative(n, order);
    char what[80];
    snprintf(what, sizeof what, "%s, %ld x %ld, derivative %d", e->name,
             (long)m, (long)n, order);
    const result_t r = decompose(door, 'U', 'V', 'Q', A, B);
    const int told = r.status == GSVD_NOT_CONVERGED &&
                     strstr(gsvd_last_error(handle), "the type's range") &&
                     is_beyond_range(e, n, order);
    ck_assert_msg(told || r.status == GSVD_SUCCESS, "%s: %s", what,
                  gsvd_last_error(handle));
    const gsvd_stats_t stats = stats_of_call();
    const int64_t l = rank_of_derivative(n, order);
    ck_assert_msg(r.l == l && r.k == n - l && (told || stats.converged),
                  "%s: k %ld, l %ld", what, (long)r.k, (long)r.l);
    ck_assert_msg(told ||
                      stats.sweeps <= MOST_TURNS + (n >= 1000 || order == 0),
                  "%s: %d passes and steps", what, stats.sweeps);
    ck_assert_ratios(A, B, &r, what);
    if (told) {
        release_pool();
        return;
    }

    ck_assert_ok(gsvd_set_option(handle, GSVD_FORM, GSVD_FORM_X));
    const result_t x = decompose(door, 'S', 'S', 'S', A, B);
    ck_assert_ok(gsvd_set_option(handle, GSVD_FORM, GSVD_FORM_LAPACK));
    ck_assert_ok(x.status);
    ck_assert_ratio(residual_A(A, &x, GSVD_FORM_X));
    ck_assert_ratio(residual_B(B, &x, GSVD_FORM_X));
    const result_t v = decompose(door, 'N', 'N', 'N', A, B);
    ck_assert_ok(v.status);
    ck_assert(v.k == r.k && v.l == r.l);
    const double most = 1000 * (double)n * GSVD_EPS; /* against 1             */
    for (int64_t i = 0; i < n; ++i)
        ck_assert_msg(fabs((double)(v.alpha[i] - r.alpha[i])) <= most,
                      "%s: value %ld", what, (long)i);
    release_pool();
}

/* quick: a GPU takes large steps from 64 columns on. */
static const int64_t size[] = {200, 400, 1000}, quick_size = 80;
static int first, last = 2;

START_TEST(equations)
{
    for (int s = first; s < last; ++s)
        for (int order = 0; order < DERIVATIVES; ++order)
            for (int door = 0; door < doors(); ++door) {
                const int64_t n = quick ? quick_size : size[s];
                check(&integral_equation[_i], n, n, order, (door_t)door);
                check(&integral_equation[_i], n + n / 2, n, order,
                      (door_t)door);
            }
}
END_TEST

/* Passes over A, columns that fall by 10^6, and, `apart`, every third one of zeros, and I */
static int passes_of_falling(int64_t n, int apart)
{
    const int64_t all = apart ? n + n / 2 : n;
    const mat_t A = zero_mat(all, all), B = zero_mat(all, all);
    uint64_t seed = 41;
    int64_t from = 0;
    const mat_t some = normal_mat(all, n, &seed);
    for (int64_t j = 0; j < all; ++j) {
        const real_t f = (real_t)pow(10, -6.0 * (double)from / (double)n);
        AT(B, j, j) = make(1, 0);
        for (int64_t i = 0; i < all && !(apart && j % 3 == 1); ++i)
            AT(A, i, j) = scale(f, AT(some, i, from));
        from += !(apart && j % 3 == 1);
    }
    const result_t r = decompose(HOST, 'U', 'V', 'Q', A, B);
    ck_assert_ok(r.status);
    const gsvd_stats_t stats = stats_of_call();
    ck_assert_ratios(A, B, &r, "zero columns");
    return stats.sweeps;
}

/* Zeros are in no band of columns that are diagonalized, and make no columns differ in length. */
START_TEST(zero_columns)
{
    const int64_t n = quick ? 100 : 200;
    const int passes = passes_of_falling(n, 0);
    ck_assert_int_le(passes_of_falling(n, 1), passes + 1);
}
END_TEST

Suite *make_suite(void)
{
    if (arguments > 2 && strcmp(argument[2], "slow") == 0) {
        first = 2;
        last = 3;
    }
    Suite *s = suite_create("ill_posed");
    TCase *t = add_tcase(s, "equations");
    add_shared_loop_test(t, equations, 0, INTEGRAL_EQUATIONS, 2);
    if (first == 0)
        tcase_add_test(add_tcase(s, "zeros"), zero_columns);
    return s;
}
