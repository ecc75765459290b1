/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* test_hsvd.c -- A = U Sigma V^H with V^H J V = J': residual, orthogonality, values
 * beside those of LAPACK and of Jacobi in long double. */
#include <stdio.h>

#include "harness/signed.h"
#include "lapacke.h"

/* xSYEV, and xHEEV, which has a real work besides: the eigenvalues x of the upper triangle
 * of H */
#define UPPER(H) LAPACK_COL_MAJOR, 'N', 'U', (lapack_int)(H).cols, (H).data
#define EIGENVALUES_s(H, ld, x, work, size, rwork)                             \
    LAPACKE_ssyev_work(UPPER(H), ld, x, work, size)
#define EIGENVALUES_d(H, ld, x, work, size, rwork)                             \
    LAPACKE_dsyev_work(UPPER(H), ld, x, work, size)
#define EIGENVALUES_c(H, ld, x, work, size, rwork)                             \
    LAPACKE_cheev_work(UPPER(H), ld, x, work, size, rwork)
#define EIGENVALUES_z(H, ld, x, work, size, rwork)                             \
    LAPACKE_zheev_work(UPPER(H), ld, x, work, size, rwork)
#define EIGENVALUES GSVD_PASTE(EIGENVALUES_, GSVD_LETTER)

static const int size[][2] = {{0, 0},    {3, 0},   {1, 1},   {5, 1},   {2, 2},
                              {3, 2},    {3, 3},   {4, 4},   {7, 5},   {16, 16},
                              {17, 16},  {33, 33}, {40, 33}, {65, 65}, {129, 1},
                              {130, 65}, {300, 33}};
enum { SIZES = sizeof size / sizeof *size };

/* ---- what it has to be ----------------------------------------------------------- */

/* positive; for each sign, descending */
static void ck_assert_sorted(int64_t n, int64_t plus, const real_t *sigma)
{
    for (int64_t j = 0; j < n; ++j) {
        ck_assert(sigma[j] > 0);
        ck_assert(j == 0 || j == plus || sigma[j] <= sigma[j - 1]);
    }
}

/* The eigenvalues of A J A^H are sigma^2 J' and zeros, up to the rounding of A J A^H,
 * which is against the squares of A's entries.  H and the work have columns behind them:
 * zgemv of OpenBLAS 0.3.21 reads up to three more than there are. */
static void ck_assert_eigenvalues(mat_t A, const signature_t *s,
                                  const real_t *sigma)
{
    const int64_t m = A.rows, n = A.cols, minus = n - s->plus;
    const mat_t H = mat_cols(new_mat(m, m + 3), 0, m);
    const double bound =
        LIMIT * (double)m * GSVD_ULP * (double)norm1(A) * (double)norm1(A);
    real_t *const x = grab((size_t)max_i(m, 1) * sizeof *x);
    scalar_t *const work = grab((size_t)(40 * max_i(m, 1)) * sizeof *work);

    if (n == 0)
        return;
    const mat_t AJ = copy_mat(A);
    for (int64_t j = 0; j < n; ++j)
        scale_column(AJ, j, (double)sign_of(s, j));
    gemm('N', 'C', 1, AJ, A, 0, H);
    real_t *const rwork = grab((size_t)(3 * m) * sizeof *rwork);
    (void)rwork;
    ck_assert_int_eq(0, EIGENVALUES(H, (lapack_int)H.ld, x, work,
                                    (lapack_int)(32 * m), rwork));
    for (int64_t i = 0; i < m; ++i) {
        double y = 0; /* ascending: first those of sign -1, last those of 1  */
        if (i < minus)
            y = -(double)sigma[s->plus + i] * sigma[s->plus + i];
        if (i >= m - s->plus)
            y = (double)sigma[m - 1 - i] * sigma[m - 1 - i];
        ck_assert_msg(fabs(x[i] - y) <= bound,
                      "eigenvalue %ld of %ld, n %ld: %g, of LAPACK %g", (long)i,
                      (long)m, (long)n, y, (double)x[i]);
    }
}

/* of equal signs: xGESVD's values */
static void ck_assert_singular_values(mat_t A, const real_t *sigma)
{
    const int64_t n = A.cols;
    if (n == 0)
        return;
    const real_t *const x = lapack_singular_values(A);
    for (int64_t j = 0; j < n; ++j)
        ck_assert(fabs((double)sigma[j] - x[j]) <=
                  LIMIT * sqrt((double)A.rows) * GSVD_ULP * x[0]);
}

static void check(mat_t A, const signature_t *s, const hsvd_t *d)
{
    const int64_t n = A.cols;

    ck_assert_int_eq(d->status, GSVD_SUCCESS);
    ck_assert_int_eq(d->info, 0);
    ck_assert_sorted(n, s->plus, d->sigma);
    ck_assert_eigenvalues(A, s, d->sigma);
    if (s->plus == n || s->plus == 0)
        ck_assert_singular_values(A, d->sigma);
    if (d->U.data)
        ck_assert_ratio(defect(d->U));
    if (d->V.data)
        ck_assert_ratio(signed_defect(d->V, s));
    if (d->U.data && d->V.data)
        ck_assert_ratio(signed_residual(A, d));
}

/* ---- matrices ---------------------------------------------------------------- */

enum { OF_NORMAL_NUMBERS, ORTHONORMAL, UNEVEN_COLUMNS, UNEVEN_ROWS, KINDS };

/* normal; with orthonormal columns; columns, or rows, of very different size */
static mat_t make_matrix(int what, int64_t m, int64_t n, uint64_t *seed)
{
    const mat_t A = normal_mat(m, n, seed);

    if (what == ORTHONORMAL)
        return copy_mat(mat_sub(random_unitary(m, seed), 0, 0, m, n));
    EACH_ENTRY (A, i, j) {
        int e = 0;
        if (what == UNEVEN_COLUMNS)
            e = (int)(j * 7 % 20) - 10;
        if (what == UNEVEN_ROWS) /* in single precision of full rank too */
            e = (int)(i * 3 % 8) - 4;
        AT(A, i, j) = scale(ldexp_r(1, e), AT(A, i, j));
    }
    return A;
}

/* ---- tests --------------------------------------------------------------------- */

START_TEST(all_jobs)
{
    static const char *const jobs[] = {"UV", "SV", "NV", "UN", "SN", "NN"};
    const int64_t m = size[_i % SIZES][0], n = size[_i % SIZES][1];
    uint64_t seed = (uint64_t)(100 * _i + 1);
    if (too_large(m, n, 0))
        return;
    const mat_t A = make_matrix(_i / SIZES / SIGNS, m, n, &seed);
    const signature_t s = make_signs(_i / SIZES % SIGNS, n, &seed);
    for (int door = 0; door < doors(); ++door)
        for (size_t j = 0; j < sizeof jobs / sizeof *jobs; ++j) {
            const hsvd_t d =
                decompose_signed((door_t)door, jobs[j][0], jobs[j][1], A, s);
            check(A, &s, &d);
        }
}
END_TEST

/* A = B D with D from 10^-100 to 10^100, single 10^-10 to 10^10: each value by itself.
 * B is well conditioned, for it has more rows than columns. */
START_TEST(columns_of_any_length)
{
    static const int orders[] = {2, 3, 5, 16, 33, 48};
    const int far = GSVD_SINGLE ? 10 : 100;
    const int64_t n = orders[_i / SIGNS], m = n + n / 2;
    uint64_t seed = (uint64_t)(7 * _i + 3);
    const mat_t A = normal_mat(m, n, &seed);
    const signature_t s = make_signs(_i % SIGNS, n, &seed);

    for (int64_t j = 0; j < n; ++j) {
        const double x = pow(10, far * (2 * random_unit(&seed) - 1));
        scale_column(A, j, x);
    }
    for (int door = 0; door < doors(); ++door) {
        const hsvd_t d = decompose_signed((door_t)door, 'S', 'V', A, s);
        ck_assert_int_eq(d.status, GSVD_SUCCESS);
        ck_assert_sorted(n, s.plus, d.sigma);
        ck_assert_ratio(defect(d.U));
        ck_assert_ratio(signed_defect(d.V, &s));
        const double worst = worst_error(n, exact_values(A, &s), d.sigma);
        ck_assert_msg(worst <= 30 * (double)n, "%g eps, n %ld", worst, (long)n);
    }
}
END_TEST

/* Columns that Jacobi leaves alone, since their squares underflow beside those of others, first in
 * the order of the values: they turn no other column of U. */
START_TEST(columns_beyond_each_other)
{
    static const int by[] = {-560, 490, 470, 0, -300};
    int64_t J[] = {1, -1, -1, -1, -1};
    const signature_t s = {.plus = 1, .J = J};
    uint64_t seed = 11;
    const mat_t A = normal_mat(7, 5, &seed);

    EACH_ENTRY (A, i, j) {
        const scalar_t a = AT(A, i, j);
        const int e = GSVD_SINGLE ? by[j] / 8 : by[j];
        AT(A, i, j) = make(ldexp_r(re(a), e), ldexp_r(im(a), e));
    }
    for (int door = 0; door < doors(); ++door) {
        const hsvd_t d = decompose_signed((door_t)door, 'U', 'V', A, s);
        ck_assert_int_eq(d.status, GSVD_SUCCESS);
        ck_assert_sorted(5, s.plus, d.sigma);
        ck_assert_ratio(defect(d.U));
        ck_assert_ratio(signed_residual(A, &d));
    }
}
END_TEST

/* The values are homogeneous, from next to underflow to next to overflow. */
START_TEST(scales)
{
    const int far = GSVD_SINGLE ? 100 : 900;
    uint64_t seed = 5;
    const mat_t A = normal_mat(33, 20, &seed);
    const signature_t s = make_signs(AT_RANDOM, 20, &seed);
    const hsvd_t one = decompose_signed(HOST, 'S', 'V', A, s);
    for (int by = -far; by <= far; by += 2 * far) {
        mat_t B = copy_mat(A);
        EACH_ENTRY (A, i, j)
            AT(B, i, j) = scale(ldexp_r(1, by), AT(A, i, j));
        const hsvd_t d = decompose_signed(HOST, 'S', 'V', B, s);
        ck_assert_int_eq(d.status, GSVD_SUCCESS);
        ck_assert_ratio(signed_residual(B, &d));
        ck_assert_same(d.V, one.V);
        for (int64_t j = 0; j < 20; ++j) {
            const double ratio =
                (double)ldexp_r(d.sigma[j], -by) / (double)one.sigma[j];
            ck_assert(fabs(ratio - 1) <= 40 * GSVD_ULP);
        }
    }
}
END_TEST

/* A = (1 1; 0 d) with J = diag(1, -1): A J A^H = (0 -d; -d -d^2), whose eigenvalues are
 * (-d^2 +- d sqrt(d^2 + 4)) / 2.  The columns are parallel to working accuracy for the
 * smaller d, and |V|^2 is about 1 / d, which amplifies an error of A. */
START_TEST(nearly_parallel_columns)
{
    static const int digits[] = {8, 16, 24, 30, 36};
    const int e = digits[_i] / (GSVD_SINGLE ? 2 : 1);
    const double d = ldexp(1, -e);
    const signature_t s = {.plus = 1};
    const mat_t A = new_mat(2, 2);

    fill(A, make(1, 0));
    AT(A, 1, 0) = make(0, 0);
    AT(A, 1, 1) = make((real_t)d, 0);
    const hsvd_t x = decompose_signed(HOST, 'U', 'V', A, s);
    check(A, &s, &x);
    const double root = sqrt(d * d + 4);
    const double first = sqrt(d * (root - d) / 2);
    const double second = sqrt(d * (root + d) / 2);
    ck_assert(fabs(x.sigma[0] / first - 1) <= LIMIT * GSVD_ULP / d);
    ck_assert(fabs(x.sigma[1] / second - 1) <= LIMIT * GSVD_ULP / d);
}
END_TEST

/* NaN and infinity, wherever they stand, are argument 6, and A stays as it was. */
START_TEST(not_finite)
{
    uint64_t seed = 9;
    const mat_t A = normal_mat(9, 6, &seed);
    const signature_t s = make_signs(ALTERNATING, 6, &seed);
    const real_t bad[] = {(real_t)NAN, (real_t)INFINITY};
    for (int k = 0; k < 2; ++k)
        for (int door = 0; door < doors(); ++door) {
            AT(A, 8, 5) = make(bad[k], 0);
            const hsvd_t d = decompose_signed((door_t)door, 'U', 'V', A, s);
            ck_assert_int_eq(d.status, GSVD_INVALID_ARGUMENT);
            ck_assert_int_eq(d.info, -6);
            ck_assert_same(d.A, A);
        }
}
END_TEST

/* Signs other than 1 and -1, and another number of ones, are argument 8. */
START_TEST(illegal_signs)
{
    static const int64_t bad[] = {0, 2, -2, INT64_MAX, INT64_MIN, -1, 1};
    uint64_t seed = 9;
    const mat_t A = normal_mat(9, 6, &seed);
    for (size_t k = 0; k < sizeof bad / sizeof *bad; ++k)
        for (int door = 0; door < doors(); ++door) {
            signature_t s = make_signs(ALTERNATING, 6, &seed);
            s.J[5] = bad[k];
            const hsvd_t d = decompose_signed((door_t)door, 'U', 'V', A, s);
            if (bad[k] == 1) {
                check(A, &s, &d);
                continue;
            }
            ck_assert_int_eq(d.status, GSVD_INVALID_ARGUMENT);
            ck_assert_int_eq(d.info, -8);
            ck_assert_same(d.A, A);
            ck_assert(strstr(gsvd_last_error(handle), "J"));
        }
}
END_TEST

/* each argument by its number */
START_TEST(illegal_arguments)
{
    scalar_t a[12] = {0}, u[16], v[9];
    real_t x[3];
    int64_t signs[3] = {1, -1, 1};
    int info;
    static const struct {
        int number;
        char jobu, jobv;
        int64_t m, n, plus, lda, ldu, ldv;
        int absent; /* the number of an array that is NULL                   */
    } wrong[] = {{1, 'X', 'V', 4, 3, 2, 4, 4, 3, 0},
                 {2, 'U', 'S', 4, 3, 2, 4, 4, 3, 0},
                 {3, 'U', 'V', -1, 3, 2, 4, 4, 3, 0},
                 {4, 'U', 'V', 4, -1, 2, 4, 4, 3, 0},
                 {4, 'U', 'V', 2, 3, 2, 4, 4, 3, 0},
                 {5, 'U', 'V', 4, 3, -1, 4, 4, 3, 0},
                 {5, 'U', 'V', 4, 3, 4, 4, 4, 3, 0},
                 {6, 'U', 'V', 4, 3, 2, 4, 4, 3, 6},
                 {7, 'U', 'V', 4, 3, 2, 3, 4, 3, 0},
                 {9, 'U', 'V', 4, 3, 2, 4, 4, 3, 9},
                 {10, 'U', 'V', 4, 3, 2, 4, 4, 3, 10},
                 {11, 'U', 'V', 4, 3, 2, 4, 3, 3, 0},
                 {12, 'U', 'V', 4, 3, 2, 4, 4, 3, 12},
                 {13, 'U', 'V', 4, 3, 2, 4, 4, 2, 0}};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; ++i) {
        const int absent = wrong[i].absent;
        ck_assert_status(X(hsvd)(handle, wrong[i].jobu, wrong[i].jobv,
                                 wrong[i].m, wrong[i].n, wrong[i].plus,
                                 absent == 6 ? NULL : a, wrong[i].lda, signs,
                                 absent == 9 ? NULL : x,
                                 absent == 10 ? NULL : u, wrong[i].ldu,
                                 absent == 12 ? NULL : v, wrong[i].ldv, &info),
                         GSVD_INVALID_ARGUMENT);
        ck_assert_msg(info == -wrong[i].number, "case %zu: info %d", i, info);
    }
}
END_TEST

/* column j is zero, or a multiple of the one before it, or the sum of two before it */
START_TEST(dependent_columns)
{
    const int64_t m = 20, n = 12, j = 2 + _i / 3;
    uint64_t seed = (uint64_t)_i;
    for (int door = 0; door < doors(); ++door) {
        const mat_t A = normal_mat(m, n, &seed);
        const signature_t s = make_signs(AT_RANDOM, n, &seed);
        for (int64_t i = 0; i < m; ++i)
            AT(A, i, j) = _i % 3 == 0   ? make(0, 0)
                          : _i % 3 == 1 ? scale(-3, AT(A, i, j - 1))
                                        : add(AT(A, i, 0), AT(A, i, j - 1));
        const hsvd_t d = decompose_signed((door_t)door, 'U', 'V', A, s);
        char text[40];
        ck_assert_int_eq(d.status, GSVD_INVALID_ARGUMENT);
        ck_assert_int_eq(d.info, 2 + (int)j + 1);
        snprintf(text, sizeof text, "column %d ", (int)j + 1);
        ck_assert(strstr(gsvd_last_error(handle), text));
    }
}
END_TEST

/* Column 3 is column 2 and so much of its length besides, in max(m,16) eps: refused up to 1,
 * accepted from 2 on. */
START_TEST(nearly_dependent_columns)
{
    static const double part[] = {0.4, 0.9, 2.1, 30, 400};
    const int64_t m = _i % 2 ? 40 : 5, n = 4;
    const double t = part[_i / 2] * (double)max_i(m, 16) * GSVD_EPS;
    const signature_t s = {.plus = 2};
    for (int door = 0; door < doors(); ++door) {
        const mat_t A = identity_mat(m, n);
        AT(A, 1, 2) = make(1, 0);
        AT(A, 2, 2) = make((real_t)t, 0);
        const hsvd_t d = decompose_signed((door_t)door, 'U', 'V', A, s);
        if (part[_i / 2] > 1) {
            ck_assert_int_eq(d.status, GSVD_SUCCESS);
            ck_assert_ratio(signed_residual(A, &d));
            continue;
        }
        ck_assert_int_eq(d.status, GSVD_INVALID_ARGUMENT);
        ck_assert_int_eq(d.info, 2 + 3);
    }
}
END_TEST

/* Of rank r, the first column that depends on others is the one behind r. */
START_TEST(low_rank)
{
    const int64_t m = 40, n = 30, r = 5 * _i;
    uint64_t seed = (uint64_t)_i;
    const mat_t A =
        product('N', 'N', normal_mat(m, r, &seed), normal_mat(r, n, &seed));
    const signature_t s = make_signs(ALTERNATING, n, &seed);
    const hsvd_t d = decompose_signed(HOST, 'U', 'V', A, s);
    ck_assert_int_eq(d.status, GSVD_INVALID_ARGUMENT);
    ck_assert_int_eq(d.info, 2 + (int)r + 1);
}
END_TEST

/* A limit of one sweep leaves finite factors and says so. */
START_TEST(no_convergence)
{
    uint64_t seed = 3;
    const mat_t A = normal_mat(40, 30, &seed);
    const signature_t s = make_signs(ALTERNATING, 30, &seed);
    ck_assert_ok(gsvd_set_option(handle, GSVD_MAX_SWEEPS, 1));
    const hsvd_t d = decompose_signed(HOST, 'U', 'V', A, s);
    ck_assert_int_eq(d.status, GSVD_NOT_CONVERGED);
    ck_assert_int_eq(d.info, 1);
    ck_assert(all_finite(d.U) && all_finite(d.V));
    ck_assert_ratio(defect(d.U));
    ck_assert_ratio(signed_defect(d.V, &s));
}
END_TEST

/* the same bits twice, and with J as without, where the signs are sorted */
START_TEST(repeatable)
{
    uint64_t seed = 4;
    const mat_t A = normal_mat(50, 37, &seed);
    signature_t s = make_signs(ALL_MINUS, 37, &seed);
    s.plus = 20;
    for (int j = 0; j < 20; ++j)
        s.J[j] = 1;
    const signature_t none = {.plus = 20};
    const hsvd_t x = decompose_signed(HOST, 'U', 'V', A, s);
    for (int k = 0; k < 2; ++k) {
        const hsvd_t y = decompose_signed(HOST, 'U', 'V', A, k ? none : s);
        ck_assert_same(x.U, y.U);
        ck_assert_same(x.V, y.V);
        ck_assert_mem_eq(x.sigma, y.sigma, 37 * sizeof *x.sigma);
    }
}
END_TEST

Suite *make_suite(void)
{
    in_double_asked();
    Suite *s = suite_create("hsvd");
    TCase *t = add_tcase(s, "hsvd");
    tcase_add_loop_test(t, all_jobs, 0, KINDS * SIGNS * SIZES);
    tcase_add_loop_test(t, columns_of_any_length, 0, 6 * SIGNS);
    tcase_add_test(t, columns_beyond_each_other);
    tcase_add_test(t, scales);
    tcase_add_loop_test(t, nearly_parallel_columns, 0, 5);
    tcase_add_test(t, not_finite);
    tcase_add_test(t, illegal_signs);
    tcase_add_test(t, illegal_arguments);
    tcase_add_loop_test(t, dependent_columns, 0, 30);
    tcase_add_loop_test(t, nearly_dependent_columns, 0, 10);
    tcase_add_loop_test(t, low_rank, 0, 6);
    tcase_add_test(t, no_convergence);
    tcase_add_test(t, repeatable);
    return s;
}
