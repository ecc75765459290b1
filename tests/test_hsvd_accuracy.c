/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* test_hsvd_accuracy.c -- every hyperbolic singular value to relative accuracy, and each
 * column to its own length, by both ways of one-sided Jacobi with a signature. */
#include <limits.h>
#include <stdio.h>

#include "harness/graded.h"
#include "harness/signed.h"
#include "harness/wide.h"

/* ---- matrices ---------------------------------------------------------------- */

static double clusters(double x) { return x < 0.5 ? 1 : 0.125; }
/* powers of two: lengths may differ by 1e290, single 1e24 */
enum { FAR = GSVD_SINGLE ? 38 : 480, NEAR = GSVD_SINGLE ? 4 : 12 };

enum {
    LIKE,
    COLUMNS,
    NEAR_COLUMNS,
    GROUPS, /* three lengths                                                 */
    PAIRS,  /* two columns, or few, in each band of the large steps          */
    ROWS,
    BOTH,
    CLUSTERS,
    FAMILY
};

/* The length of column j is 2 to this. */
static int exponent_of(int what, int64_t j)
{
    const int far = GSVD_SINGLE ? 12 : 20, near = GSVD_SINGLE ? 5 : 11;
    if (what == GROUPS)
        return (int)(j % 3) * -NEAR;
    return what == PAIRS ? (int)(j / 2 % 17) % (GSVD_SINGLE ? 6 : 17) * -far -
                               (int)(j % 2) * near
                         : 0;
}

/* of condition 10, but for scaling */
static mat_t make_matrix(int what, int64_t m, int64_t n, uint64_t *seed)
{
    if (what == CLUSTERS)
        return with_values(m, n, clusters, seed);
    const mat_t A = with_values(m, n, to_tenth, seed);
    if (what == ROWS || what == BOTH)
        scale_rows(A, GSVD_SINGLE ? 2 : 8, seed);
    if (what == COLUMNS)
        scale_columns(A, FAR, seed);
    if (what == NEAR_COLUMNS || what == BOTH)
        scale_columns(A, NEAR, seed);
    for (int64_t j = 0; j < n; ++j)
        scale_column(A, j, ldexp_r(1, exponent_of(what, j)));
    return A;
}

/* ---- what is measured --------------------------------------------------------- */

/* The largest |a_j - U Sigma V^H e_j| / |a_j|, over 10 sqrt(n) eps norm1(V) */
static double column_residual(mat_t A, const hsvd_t *d)
{
    const int64_t n = A.cols;
    const double worst = column_error(A, d->U, d->sigma, 0, n,
                                      mat_view(NULL, 0, 0, 1), d->V, NULL);
    return worst / (10 * sqrt((double)n) * GSVD_EPS * norm1(d->V));
}

static int steps_taken(void)
{
    const gsvd_stats_t stats = stats_of_call();
    return stats.sweeps;
}

/* ---- tests --------------------------------------------------------------------- */

/* Each value is within 30 n eps of the reference, relative to itself, with vectors and
 * without.  short_v: V is short, and each column has its own small residual. */
static void check_accuracy(const char *what, mat_t A, signature_t s,
                           int short_v)
{
    const int64_t n = A.cols;
    const long double *const exact = exact_values(A, &s);
    for (int way = 0; way < 2; ++way)
        for (int vectors = 0; vectors < 2; ++vectors) {
            ck_assert_ok(gsvd_set_option(handle, GSVD_SVD, way));
            const hsvd_t d = decompose_signed(HOST, vectors ? 'S' : 'N',
                                              vectors ? 'V' : 'N', A, s);
            ck_assert_int_eq(d.status, GSVD_SUCCESS);
            const double worst = worst_error(n, exact, d.sigma);
            ck_assert_msg(worst <= 30 * (double)n,
                          "%s, %ld x %ld, way %d, vectors %d: %.1f n eps", what,
                          (long)A.rows, (long)n, way, vectors,
                          worst / (double)n);
            if (!vectors)
                continue;
            ck_assert_ratio(defect(d.U));
            ck_assert_ratio(signed_defect(d.V, &s));
            ck_assert_ratio(signed_residual(A, &d));
            if (!short_v)
                continue;
            const double residual = column_residual(A, &d);
            ck_assert_msg(residual <= 1, "%s, %ld x %ld, way %d: residual %g",
                          what, (long)A.rows, (long)n, way, residual);
        }
    reset_options();
}

static const int size[][2] = {{2, 2},   {7, 5},    {33, 33}, {40, 32},
                              {64, 64}, {100, 96}, {97, 97}};
enum { SIZES = sizeof size / sizeof *size };

static const char *const name[FAMILY] = {"like",   "columns", "near columns",
                                         "groups", "pairs",   "rows",
                                         "both",   "clusters"};

/* every family with two kinds of signs in each size */
START_TEST(values)
{
    const int what = _i / 2 / SIZES % FAMILY;
    const int64_t m = size[_i / 2 % SIZES][0], n = size[_i / 2 % SIZES][1];
    uint64_t seed = (uint64_t)(700 + _i);
    if (too_large(m, n, n))
        return;
    const mat_t A = make_matrix(what, m, n, &seed);
    check_accuracy(name[what], A,
                   make_signs((_i + _i / 2 / SIZES) % SIGNS, n, &seed),
                   what != ROWS && what != BOTH);
}
END_TEST

/* Columns that differ by more than the largest number.  V has no number for what the short ones
 * have of the long ones. */
START_TEST(beyond_the_range)
{
    const int64_t m = size[_i / 2][0], n = size[_i / 2][1];
    const int far = GSVD_SINGLE ? 63 : 680;
    uint64_t seed = (uint64_t)(980 + _i);
    if (too_large(m, n, n))
        return;
    const mat_t A = with_values(m, n, to_tenth, &seed);
    const signature_t s =
        make_signs(_i % 2 ? ALTERNATING : AT_RANDOM, n, &seed);
    for (int64_t j = 0; j < n; ++j)
        scale_column(A, j, ldexp_r(1, j % 3 ? -far : far));
    const long double *const exact = exact_values(A, &s);
    for (int way = 0; way < 2; ++way) {
        ck_assert_ok(gsvd_set_option(handle, GSVD_SVD, way));
        const hsvd_t d = decompose_signed(HOST, 'S', 'V', A, s);
        ck_assert_int_eq(d.status, GSVD_SUCCESS);
        const double worst = worst_error(n, exact, d.sigma);
        ck_assert_msg(worst <= 30 * (double)n, "%ld x %ld, way %d: %.1f n eps",
                      (long)m, (long)n, way, worst / (double)n);
        ck_assert_ratio(defect(d.U));
        ck_assert_ratio(signed_defect(d.V, &s));
    }
    reset_options();
}
END_TEST

/* Values that the type cannot hold beside the largest one are never 0 with success, and their
 * columns are not called dependent.  Columns that differ in small rows alone are. */
START_TEST(too_far)
{
    const int64_t n = size[_i][1], m = n + 8;
    const int most = GSVD_SINGLE ? 120 : 1000, far = GSVD_SINGLE ? 63 : 680;
    uint64_t seed = (uint64_t)(995 + _i);
    if (too_large(m, n, n))
        return;
    const mat_t A = with_values(m, n, to_tenth, &seed), columns = copy_mat(A);
    const mat_t rows = copy_mat(A), small = copy_mat(A);
    const signature_t s = make_signs(ALTERNATING, n, &seed);
    for (int64_t j = 0; j < n; ++j)
        for (int64_t i = 0; i < m; ++i) {
            const scalar_t a = AT(A, i, j);
            AT(columns, i, j) = scale(ldexp_r(1, j == 0 ? most : -most), a);
            AT(rows, i, j) = scale(ldexp_r(1, i == 0 ? far : -far), a);
            AT(small, i, j) = scale(ldexp_r(1, i < n ? most : -most), a);
        }
    for (int way = 0; way < 2; ++way) {
        ck_assert_ok(gsvd_set_option(handle, GSVD_SVD, way));
        ck_assert_int_eq(decompose_signed(HOST, 'S', 'V', columns, s).status,
                         GSVD_NOT_CONVERGED);
        ck_assert_int_eq(decompose_signed(HOST, 'S', 'V', rows, s).status,
                         GSVD_INVALID_ARGUMENT);
        ck_assert_int_eq(decompose_signed(HOST, 'S', 'V', small, s).status,
                         GSVD_SUCCESS);
    }
    reset_options();
}
END_TEST

/* With many columns the way is the one of steps, unless the option says sweeps: a few
 * steps are enough, wherever sweeps are 5 and more. */
START_TEST(few_steps)
{
    const int64_t n = 97;
    uint64_t seed = (uint64_t)(900 + _i);
    if (too_large(n, n, n) || on_device)
        return;
    const mat_t A = make_matrix(_i, n, n, &seed);
    const signature_t s = make_signs(AT_RANDOM, n, &seed);
    ck_assert_int_eq(decompose_signed(HOST, 'S', 'V', A, s).status,
                     GSVD_SUCCESS);
    ck_assert_int_le(steps_taken(), 4);
    ck_assert_ok(gsvd_set_option(handle, GSVD_SVD, GSVD_SVD_JACOBI));
    ck_assert_int_eq(decompose_signed(HOST, 'S', 'V', A, s).status,
                     GSVD_SUCCESS);
    ck_assert_int_ge(steps_taken(), 5);
    reset_options();
}
END_TEST

/* U Sigma V^H of an A that has U and V, and Sigma in groups of equal values */
static mat_t with_equal_values(mat_t A, const signature_t *s, int groups)
{
    const int64_t n = A.cols;
    const hsvd_t d = decompose_signed(HOST, 'S', 'V', A, *s);
    real_t *const sigma = grab((size_t)n * sizeof *sigma);
    mat_t B = new_mat(n, n);
    ck_assert_int_eq(d.status, GSVD_SUCCESS);
    for (int64_t j = 0; j < n; ++j)
        sigma[j] = ldexp_r(1, -(int)(j % groups) * (GSVD_SINGLE ? 2 : 6));
    gemm('N', 'C', 1, times_diagonal(d.U, sigma), d.V, 0, B);
    return B;
}

/* Clusters of equal values, in several bands: their columns turn by large angles, and are
 * diagonalized together.  Two passes, one for the clusters and two to five steps follow, fewer
 * in single; where each pair of a cluster turns by itself 7 to 13 in single, 8 to 17 in double.
 * In one draw of seven, whatever the number of threads, columns of P become longer than large
 * steps take, and sweeps follow: therefore the best of some draws counts. */
START_TEST(repeated_values)
{
    enum { DRAWS = 5, FEW = GSVD_SINGLE ? 6 : 8 };
    const int64_t n = 200;
    int least = INT_MAX;
    if (too_large(n, n, n) || on_device)
        return;
    for (int draw = 0; draw < DRAWS && least > FEW; ++draw) {
        uint64_t seed = (uint64_t)(930 + _i + 1000 * draw);
        const signature_t s = make_signs(AT_RANDOM, n, &seed);
        const mat_t A =
            with_equal_values(with_values(n, n, to_tenth, &seed), &s, 5 + _i);
        const hsvd_t d = decompose_signed(HOST, 'S', 'V', A, s);
        ck_assert_int_eq(d.status, GSVD_SUCCESS);
        ck_assert_ratio(signed_defect(d.V, &s));
        ck_assert_ratio(signed_residual(A, &d));
        least = steps_taken() < least ? steps_taken() : least;
        release_pool();
    }
    ck_assert_int_le(least, FEW);
}
END_TEST

/* Pairs of nearly parallel columns of unequal sign: V is long, and steps leave them to
 * sweeps, or they end with the residual of sweeps. */
START_TEST(long_v)
{
    const int64_t n = 64;
    uint64_t seed = (uint64_t)(950 + _i);
    const mat_t A = normal_mat(n, n, &seed);
    const signature_t s = make_signs(ALTERNATING, n, &seed);
    const real_t small = ldexp_r(1, -2 - (GSVD_SINGLE ? 2 : 6) * _i);
    if (too_large(n, n, n))
        return;
    for (int64_t j = 1; j < n; j += 2)
        for (int64_t i = 0; i < n; ++i)
            AT(A, i, j) = add(AT(A, i, j - 1), scale(small, AT(A, i, j)));
    for (int way = 0; way < 2; ++way) {
        ck_assert_ok(gsvd_set_option(handle, GSVD_SVD, way));
        const hsvd_t d = decompose_signed(HOST, 'S', 'V', A, s);
        ck_assert_int_eq(d.status, GSVD_SUCCESS);
        ck_assert_ratio(defect(d.U));
        ck_assert_ratio(signed_defect(d.V, &s));
        ck_assert_ratio(signed_residual(A, &d));
    }
    reset_options();
}
END_TEST

/* ---- hard signatures -------------------------------------------------------------- */

/* Pairs of neighbours so far apart; or rank one and so much noise */
static mat_t hard_columns(int pairs, double apart, int64_t m, int64_t n,
                          uint64_t *seed)
{
    const mat_t A = normal_mat(m, n, seed), one = normal_mat(m, 1, seed);
    for (int64_t j = pairs ? 1 : 0; j < n; j += pairs ? 2 : 1)
        for (int64_t i = 0; i < m; ++i)
            AT(A, i, j) = add(pairs ? AT(A, i, j - 1) : AT(one, i, 0),
                              scale((real_t)apart, AT(A, i, j)));
    return A;
}

/* Columns become much shorter by hyperbolic rotations: what is left is right, in blocks, too. */
static void check_hard(int pairs, double apart, int64_t n, uint64_t *seed)
{
    const double condition =
        pairs ? 1 : 1 / apart; /* of pairs sigma has none */
    /* In single precision a square normal matrix is close to one of lower rank. */
    const int64_t m = GSVD_SINGLE ? 2 * n : n;
    const mat_t A = hard_columns(pairs, apart, m, n, seed);
    const signature_t s = make_signs(pairs ? ALTERNATING : AT_RANDOM, n, seed);
    for (int way = 0; way < 2; ++way) {
        ck_assert_ok(gsvd_set_option(handle, GSVD_SVD, way));
        const hsvd_t d = decompose_signed(HOST, 'S', 'V', A, s);
        ck_assert_msg(d.status == GSVD_SUCCESS, "%s %g, n %ld, way %d: %s",
                      pairs ? "pairs" : "rank one", apart, (long)n, way,
                      gsvd_last_error(handle));
        ck_assert_ratio(defect(d.U));
        ck_assert_ratio(signed_defect(d.V, &s));
        ck_assert_ratio(signed_residual(A, &d));
        const hsvd_t alone = decompose_signed(HOST, 'N', 'N', A, s);
        ck_assert_int_eq(alone.status, GSVD_SUCCESS);
        for (int64_t j = 0; j < n; ++j)
            ck_assert(fabs((double)alone.sigma[j] / (double)d.sigma[j] - 1) <=
                      30 * (double)n * GSVD_EPS * condition);
    }
    reset_options();
}

START_TEST(hard_signatures)
{
    static const double apart[] = {1, 0.3, 1e-1, 1e-2, 1e-3, 1e-4, 1e-6};
    static const int order[] = {100, 300, 257};
    uint64_t seed = (uint64_t)(970 + _i);
    const double least = GSVD_SINGLE ? 3e-2 : 0;
    const int64_t n = _i < 14 ? 256 : order[_i % 3];
    if (too_large(n, n, n) || left_out_there(_i, 3))
        return;
    check_hard(_i % 2, fmax(apart[_i / 2 % 7], least), n, &seed);
}
END_TEST

/* Pairs of columns of unequal sign so near to each other that V is longer than large steps take: they
 * leave them to sweeps, whose residual grows with |V| and not with its square. */
START_TEST(longer_v)
{
    const int64_t n = 64;
    uint64_t seed = (uint64_t)(970 + _i);
    const mat_t A = normal_mat(n, n, &seed);
    const signature_t s = make_signs(ALTERNATING, n, &seed);
    const real_t small = ldexp_r(1, -(GSVD_SINGLE ? 11 : 12 + _i));
    if (too_large(n, n, n))
        return;
    for (int64_t j = 1; j < n; j += 2)
        for (int64_t i = 0; i < n; ++i)
            AT(A, i, j) = add(AT(A, i, j - 1), scale(small, AT(A, i, j)));
    const hsvd_t d = decompose_signed(HOST, 'S', 'V', A, s);
    ck_assert_int_eq(d.status, GSVD_SUCCESS);
    const double part = signed_residual(A, &d) * (double)n; /* of |A| |V| ulp */
    ck_assert_msg(part <= 1, "%g, |V| %g", part, (double)norm1(d.V));
}
END_TEST

Suite *make_suite(void)
{
    in_double_asked();
    Suite *s = suite_create("hsvd_accuracy");
    TCase *t = add_tcase(s, "hsvd_accuracy");
    const int all = 2 * SIZES * FAMILY, half = all / 2;
    add_shared_loop_test(t, values, 0, half, 2);
    tcase_add_loop_test(t, beyond_the_range, 0, 2 * SIZES);
    tcase_add_loop_test(t, too_far, 0, SIZES);
    tcase_add_loop_test(t, few_steps, 0, FAMILY);
    tcase_add_loop_test(t, repeated_values, 0, 3);
    tcase_add_loop_test(t, long_v, 0, 5);
    t = add_tcase(s, "rest"); /* CMakeLists.txt names it.                    */
    add_shared_loop_test(t, values, half, all, 2);
    add_shared_loop_test(t, hard_signatures, 0, 28, 4);
    tcase_add_loop_test(t, longer_v, 0, 8);
    return s;
}
