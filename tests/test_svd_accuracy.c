/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* test_svd_accuracy.c -- every singular value to relative accuracy, by all ways of
 * one-sided Jacobi, against Jacobi in extended precision. */
#include <stdio.h>

#include "harness/graded.h"
#include "harness/harness.h"
#include "harness/wide.h"
#include "jacobi/jacobi.h"

/* ---- matrices ---------------------------------------------------------------- */

/* powers of two: sweeps square lengths, large steps do not */
enum { FAR = GSVD_SINGLE ? 25 : 230, FARTHER = GSVD_SINGLE ? 50 : 500 };

static double clusters(double x) { return x < 0.5 ? 1 : 0.125; }
static double one_cluster(double x) { return x < 0.9 ? 1 : 2 - x; }
static double linear(double x) { return 1.01 - x; }
/* of condition 10 */
static mat_t well_conditioned(int64_t m, int64_t n, uint64_t *seed)
{
    return with_values(m, n, to_tenth, seed);
}

enum { LIKE, COLUMNS, NEAR_COLUMNS, TWO_CLUSTERS, ONE_CLUSTER, LINEAR, KINDS };

static mat_t make_matrix(int what, int64_t m, int64_t n, uint64_t *seed)
{
    const mat_t A =
        what == LIKE ? normal_mat(m, n, seed) : well_conditioned(m, n, seed);
    switch (what) {
    case COLUMNS: scale_columns(A, FAR, seed); break;
    case NEAR_COLUMNS: scale_columns(A, 12, seed); break;
    case TWO_CLUSTERS: return with_values(m, n, clusters, seed);
    case ONE_CLUSTER: return with_values(m, n, one_cluster, seed);
    case LINEAR: return with_values(m, n, linear, seed);
    default: break;
    }
    return A;
}

/* ---- tests --------------------------------------------------------------------- */

/* Each value is within 30 n eps of the reference, relative to itself, with vectors and
 * without, by the first ways of GSVD_SVD. */
static void check_values(const char *what, mat_t A, const wide_t *right,
                         int ways)
{
    const int64_t m = A.rows, n = A.cols;
    for (int way = 0; way < ways; ++way)
        for (int vectors = 0; vectors < 2; ++vectors) {
            const char jobu = vectors ? 'S' : 'N', jobv = vectors ? 'S' : 'N';
            const mat_t C = copy_mat(A);
            const mat_t U = new_mat(m, n), V = new_mat(n, n);
            real_t *const sigma = grab((size_t)n * sizeof *sigma);
            double worst = 0;
            int info;
            ck_assert_ok(gsvd_set_option(handle, GSVD_SVD, way));
            ck_assert_ok(X(svd)(handle, jobu, jobv, m, n, C.data, C.ld, sigma,
                                U.data, U.ld, V.data, V.ld, &info));
            for (int64_t j = 0; j < n; ++j)
                worst = fmax(
                    worst,
                    fabs((double)(((wide_t)sigma[j] - right[j]) / right[j])));
            ck_assert_msg(worst <= 30 * (double)n * GSVD_EPS,
                          "%s, %ld x %ld, way %d, %c: %.1e", what, (long)m,
                          (long)n, way, jobu, worst);
            if (vectors) {
                ck_assert_ratio(defect(U));
                ck_assert_ratio(defect(V));
            }
        }
    reset_options();
}

/* The same of Jacobi alone, on A as it is: by blocks whatever its size, by the variants with one
 * sweep within a pair of blocks and with many, or pair by pair (no sweeps) */
static void check_jacobi(const char *what, mat_t A, const wide_t *right,
                         const int *variant, int variants)
{
    const int64_t m = A.rows, n = A.cols;
    wide_t *const found = grab((size_t)n * sizeof *found);
    for (int v = 0; v < variants; ++v) {
        const int sweeps = variant[v];
        exec_t ex = *on(handle);
        tuning_t tune = *ex.tune;
        outcome_t out = {0};
        int64_t *const rotations = grab_backend(sizeof *rotations);
        real_t *const d = grab_backend((size_t)n * sizeof *d);
        double worst = 0;
        int unitary;
        tune.block_jacobi = 2;
        tune.inner_sweeps = sweeps;
        ex.tune = &tune;
        const mat_t dA = to_backend(A);
        ck_assert_ok((sweeps > 0 ? X(block_jacobi) : X(sweeps))(
            &ex, &(task_t){.A = dA,
                           .C = mat_view(NULL, 0, n, 1),
                           .k = n,
                           .how = AIM_LENGTHS,
                           .count = rotations,
                           .yes = &unitary,
                           .out = &out}));
        ck_assert_msg(!out.unfinished, "%s, %ld x %ld, %d inner sweeps", what,
                      (long)m, (long)n, sweeps);
        ck_assert_ok(table()->column_norms(&ex, dA, d));
        const real_t *const length = from_backend_real(d, n);
        for (int64_t j = 0; j < n; ++j)
            found[j] = length[j];
        qsort(found, (size_t)n, sizeof *found, wide_descending);
        for (int64_t j = 0; j < n; ++j)
            worst =
                fmax(worst, fabs((double)((found[j] - right[j]) / right[j])));
        ck_assert_msg(worst <= 30 * (double)n * GSVD_EPS,
                      "%s, %ld x %ld, %d inner sweeps: %.1e", what, (long)m,
                      (long)n, sweeps, worst);
    }
}

static void check_blocks(const char *what, mat_t A, const wide_t *right)
{
    static const int one_and_many[] = {1, 8};
    check_jacobi(what, A, right, one_and_many, 2);
}

static void check_points(const char *what, mat_t A, const wide_t *right)
{
    static const int none[] = {0};
    check_jacobi(what, A, right, none, 1);
}

static const int size[][2] = {{2, 2},   {7, 5},    {33, 33}, {40, 32},
                              {64, 64}, {100, 96}, {97, 97}, {140, 130}};
enum { SIZES = sizeof size / sizeof *size };

START_TEST(well_conditioned_but_for_scaling)
{
    const int64_t m = size[_i % SIZES][0], n = size[_i % SIZES][1];
    uint64_t seed = (uint64_t)(700 + _i);
    if (too_large(m, n, n))
        return;
    const mat_t A = make_matrix(_i / SIZES, m, n, &seed);
    const wide_t *const right = wide_values_by_jacobi(A);
    check_values("scaled", A, right, 2);
    check_blocks("scaled", A, right);
}
END_TEST

/* Columns over all of the type's range */
START_TEST(farther)
{
    const int64_t m = size[_i][0], n = size[_i][1];
    uint64_t seed = (uint64_t)(800 + _i);
    if (too_large(m, n, n))
        return;
    const mat_t A = well_conditioned(m, n, &seed);
    scale_columns(A, FARTHER, &seed);
    const wide_t *const right = wide_values_by_jacobi(A);
    check_values("farther", A, right, 2);
    check_blocks("farther", A, right);
}
END_TEST

/* Columns that differ by more than the largest number, and as many bits as the type has room for
 * beside 2^TOP (run_svd.c) */
START_TEST(beyond_the_range)
{
    const int64_t m = size[_i][0], n = size[_i][1];
    const int far = GSVD_SINGLE ? 65 : 680;
    uint64_t seed = (uint64_t)(820 + _i);
    if (too_large(m, n, n))
        return;
    const mat_t A = well_conditioned(m, n, &seed);
    for (int64_t j = 0; j < n; ++j)
        for (int64_t i = 0; i < m; ++i)
            AT(A, i, j) = scale(ldexp_r(1, j % 3 ? -far : far), AT(A, i, j));
    check_values("beyond the range", A, wide_values_by_jacobi(A), 2);
}
END_TEST

/* Triangles next to I, with rows of zeros or without: rows are as far apart as columns, farther than
 * rows alone may be, but columns say what the values are. */
START_TEST(triangles_beyond_the_range)
{
    const int64_t m = size[_i][0], n = size[_i][1];
    const int far = GSVD_SINGLE ? 65 : 680;
    uint64_t seed = (uint64_t)(830 + _i);
    if (too_large(m, n, n))
        return;
    const mat_t A = normal_mat(m, n, &seed);
    EACH_ENTRY (A, i, j)
        AT(A, i, j) = scale(i < j ? 1 / (real_t)n : 0, AT(A, i, j));
    for (int64_t j = 0; j < n; ++j) {
        AT(A, j, j) = make(1, 0);
        scale_column(A, j, ldexp(1, far - (int)(2 * far * j / (n - 1))));
    }
    check_values("triangles", A, wide_values_by_jacobi(A), 2);
}
END_TEST

/* The largest entry next to that to which entries far from 1 are scaled */
START_TEST(at_the_top)
{
    const int64_t m = size[1 + _i / 4][0], n = size[1 + _i / 4][1];
    uint64_t seed = (uint64_t)(830 + _i);
    const mat_t A = well_conditioned(m, n, &seed);
    if (too_large(m, n, n))
        return;
    for (int64_t j = 0; j < n; ++j)
        for (int64_t i = 0; i < m; ++i)
            AT(A, i, j) = scale(ldexp_r(1, (GSVD_SINGLE ? 39 : 449) + _i % 4),
                                AT(A, i, j));
    check_values("at the top", A, wide_values_by_jacobi(A), 2);
}
END_TEST

/* Values that the type cannot hold beside the largest one are never 0 with success: columns farther
 * apart, and rows that far apart whose common part a reflector cannot hold.  Rows and columns of
 * zeros, and rows that small below n others, lose nothing. */
static gsvd_status_t values_of(mat_t A)
{
    const int64_t m = A.rows, n = A.cols;
    const mat_t C = copy_mat(A), U = new_mat(m, n), V = new_mat(n, n);
    real_t *const sigma = grab((size_t)n * sizeof *sigma);
    int info = 99;
    const gsvd_status_t status =
        X(svd)(handle, 'S', 'S', m, n, C.data, C.ld, sigma, U.data, U.ld,
               V.data, V.ld, &info);
    ck_assert_int_eq(info, status == GSVD_SUCCESS ? 0 : 1);
    ck_assert_ratio(defect(U));
    ck_assert_ratio(defect(V));
    return status;
}

START_TEST(too_far)
{
    const int64_t n = size[_i][1], m = n + 8;
    const int most = GSVD_SINGLE ? 120 : 1000, far = GSVD_SINGLE ? 65 : 680;
    uint64_t seed = (uint64_t)(840 + _i);
    if (too_large(m, n, n))
        return;
    const mat_t A = well_conditioned(m, n, &seed), columns = copy_mat(A);
    const mat_t rows = copy_mat(A), zero = copy_mat(A), small = copy_mat(A);
    for (int64_t j = 0; j < n; ++j)
        for (int64_t i = 0; i < m; ++i) {
            const scalar_t a = AT(A, i, j);
            const int up = j == 0 ? most : -most, flat = i < n;
            AT(columns, i, j) = scale(ldexp_r(1, up), a);
            AT(rows, i, j) = scale(ldexp_r(1, i == 0 ? far : -far), a);
            AT(zero, i, j) = scale(j == 1 || i == 2 ? 0 : ldexp_r(1, most), a);
            AT(small, i, j) = scale(ldexp_r(1, flat ? most : -most), a);
        }
    for (int way = 0; way < 2; ++way) {
        ck_assert_ok(gsvd_set_option(handle, GSVD_SVD, way));
        ck_assert_int_eq(values_of(columns), GSVD_NOT_CONVERGED);
        ck_assert_int_eq(values_of(rows), GSVD_NOT_CONVERGED);
        ck_assert_int_eq(values_of(zero), GSVD_SUCCESS);
        ck_assert_int_eq(values_of(small), GSVD_SUCCESS);
    }
    reset_options();
}
END_TEST

/* Every other column so short that products of lengths are no normal numbers, or its part of a
 * long one is none: by blocks, and pair by pair */
START_TEST(far_apart)
{
    static const int down[] = {GSVD_SINGLE ? 53 : 531, GSVD_SINGLE ? 70 : 731,
                               GSVD_SINGLE ? 95 : 930,
                               GSVD_SINGLE ? 125 : 1300};
    const int64_t m = size[_i % SIZES][0], n = size[_i % SIZES][1];
    const int e = down[_i / SIZES], up = GSVD_SINGLE ? 30 : 400;
    uint64_t seed = (uint64_t)(850 + _i);
    if (too_large(m, n, n))
        return;
    const mat_t A = well_conditioned(m, n, &seed);
    for (int64_t j = 0; j < n; ++j)
        for (int64_t i = 0; i < m; ++i)
            AT(A, i, j) = scale(ldexp_r(1, j % 2 ? up - e : up), AT(A, i, j));
    const wide_t *const right = wide_values_by_jacobi(A);
    check_blocks("far apart", A, right);
    check_points("far apart", A, right);
}
END_TEST

/* One column of length 1, the others as short as sweeps can have them: their squares do not
 * underflow, or they are next to the least numbers and multiplied before sweeps see them. */
START_TEST(short_columns)
{
    static const int order[] = {2, 5, 8, 20, 31};
    static const int short_by[] = {GSVD_SINGLE ? 49 : 457, /* gsvd.h's limit */
                                   GSVD_SINGLE ? 58 : 490,
                                   GSVD_SINGLE ? 115 : 1000};
    const int64_t n = order[_i % 5];
    const int shorter = short_by[_i / 5];
    uint64_t seed = (uint64_t)(950 + _i);
    const mat_t A = well_conditioned(n + 3, n, &seed);
    for (int64_t j = 1; j < n; ++j)
        for (int64_t i = 0; i < n + 3; ++i)
            AT(A, i, j) = scale(ldexp_r(1, -shorter), AT(A, i, j));
    check_values("short columns", A, wide_values_by_jacobi(A), 2);
}
END_TEST

/* Values alone take no more steps than vectors do: the last one, which would change no length, is
 * left out, and no other. */
START_TEST(steps_of_values_alone)
{
    const int64_t n = 40 + 20 * _i, m = n + 30;
    uint64_t seed = 40 + (uint64_t)_i;
    const mat_t A = make_matrix(_i % KINDS, m, n, &seed);
    real_t *const sigma = grab((size_t)n * sizeof *sigma);
    int sweeps[2], info;
    if (too_large(m, n, 0))
        return;
    for (int vectors = 0; vectors < 2; ++vectors) {
        gsvd_stats_t stats = {.size = sizeof stats};
        const mat_t C = copy_mat(A), U = new_mat(m, n), V = new_mat(n, n);
        const char job = vectors ? 'S' : 'N';
        ck_assert_ok(X(svd)(handle, job, job, m, n, C.data, C.ld, sigma, U.data,
                            U.ld, V.data, V.ld, &info));
        ck_assert_ok(gsvd_get_stats(handle, &stats));
        sweeps[vectors] = stats.sweeps;
    }
    ck_assert_int_le(sweeps[0], sweeps[1]);
}
END_TEST

/* Rows of different size: A = D A0 */
START_TEST(rows)
{
    const int64_t m = size[_i][0], n = size[_i][1];
    uint64_t seed = (uint64_t)(900 + _i);
    if (too_large(m, n, n))
        return;
    const mat_t A = well_conditioned(m, n, &seed);
    scale_rows(A, GSVD_SINGLE ? 12 : 40, &seed);
    check_values("rows", A, wide_values_by_jacobi(A), 2);
}
END_TEST

/* Sums of equal numbers err all one way: the factors are unitary all the same, by entries. */
START_TEST(unitary_where_numbers_are_equal)
{
    static const double sine[] = {0.99, 0.9, 0.6, 0.3, 0, 1};
    static const int shape_of[][2] = {
        {80, 443},  {443, 80},  {166, 547}, {547, 166}, {300, 200},
        {200, 300}, {120, 101}, {96, 96},   {46, 500},  {1000, 30},
        {40, 300},  {300, 40},  {400, 9}};
    const int64_t m = shape_of[_i / 6][0], n = shape_of[_i / 6][1];
    const int full = _i / 6 >= 10; /* all columns of both factors            */
    const int64_t r = min_i(m, n), u = full ? m : r, v = full ? n : r;
    const char job = full ? 'U' : 'S';
    const double bound = may_drift(max_i(m, n));
    uint64_t seed = 960;
    if (too_large(m, n, 0))
        return;
    const mat_t A = of_equal_numbers(sine[_i % 6], m, n, &seed);
    const mat_t U = new_mat(m, u), V = new_mat(n, v);
    real_t *const sigma = grab((size_t)r * sizeof *sigma);
    int info;
    const gsvd_status_t status =
        X(svd)(handle, job, full ? 'V' : 'S', m, n, A.data, A.ld, sigma, U.data,
               U.ld, V.data, V.ld, &info);
    ck_assert(status == GSVD_SUCCESS ||
              (status == GSVD_NOT_CONVERGED && /* Values are denormal.       */
               pow(sine[_i % 6], (double)r) < GSVD_SAFMIN / GSVD_EPS));
    const double of_u = largest_defect(U), of_v = largest_defect(V);
    ck_assert_msg(fmax(of_u, of_v) <= bound,
                  "%d x %d, %g: U %.0f, V %.0f eps, %.0f allowed", (int)m,
                  (int)n, sine[_i % 6], of_u, of_v, bound);
}
END_TEST

Suite *make_suite(void)
{
    in_double_asked();
    Suite *s = suite_create("svd_accuracy");
    TCase *t = add_tcase(s, "svd_accuracy");
    add_shared_loop_test(t, well_conditioned_but_for_scaling, 0, KINDS * SIZES,
                         2);
    tcase_add_loop_test(t, farther, 0, SIZES);
    tcase_add_loop_test(t, beyond_the_range, 0, SIZES);
    tcase_add_loop_test(t, triangles_beyond_the_range, 0, SIZES);
    tcase_add_loop_test(t, at_the_top, 0, 8);
    tcase_add_loop_test(t, too_far, 0, SIZES);
    add_shared_loop_test(t, far_apart, 0, 4 * SIZES, 2);
    tcase_add_loop_test(t, rows, 0, SIZES);
    tcase_add_loop_test(t, short_columns, 0, 15);
    tcase_add_loop_test(t, steps_of_values_alone, 0, 8);
    add_shared_loop_test(t, unitary_where_numbers_are_equal, 0, 78, 2);
    return s;
}
