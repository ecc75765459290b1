/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* test_svd_sizes.c -- |A - U Sigma V^H| <= 10 sqrt(n) eps |A|, and U and V as near to
 * unitary, in the spectral norm and up to large n: errors must not grow faster than that.
 *
 *     test_svd_sizes_<letter> cpu [slow]      up to 800, or beyond
 *     test_svd_sizes_<letter> cuda            all
 *
 * Matrices are made and checked where the handle computes. */
#include <stdio.h>
#include <string.h>

#include "harness/spectral.h"

enum { RANDOM, COLUMNS, KINDS };

/* Normal numbers; with columns over 2^50, single 2^24 */
static void make_matrix(const exec_t *ex, int what, mat_t A)
{
    real_t *const d = grab((size_t)A.cols * sizeof *d);
    ck_assert_ok(ex->op->gaussian(ex, A, (uint64_t)A.cols));
    for (int64_t j = 0; j < A.cols; ++j)
        d[j] = ldexp_r(
            1, -(int)(j * 7919 % A.cols * (GSVD_SINGLE ? 24 : 50) / A.cols));
    if (what == COLUMNS)
        ck_assert_ok(
            ex->op->scale_columns(ex, A, to_backend_real(d, A.cols), A));
}

static void decompose_square(mat_t A, real_t *sigma, mat_t U, mat_t V)
{
    const int64_t n = A.cols;
    int info = 99;
    if (on_device)
        ck_assert_ok(X(svd_gpu)(handle, 'S', 'S', n, n, A.data, n, sigma,
                                U.data, n, V.data, n, &info));
    else
        ck_assert_ok(X(svd)(handle, 'S', 'S', n, n, A.data, n, sigma, U.data, n,
                            V.data, n, &info));
    ck_assert_int_eq(info, 0);
}

static void check(int64_t n, int what)
{
    const double bound = 10 * sqrt((double)n) * GSVD_EPS;
    if (too_large(n, n, n))
        return;
    const exec_t *const ex = on(handle);
    const mat_t A = square(n), E = square(n), U = square(n), V = square(n);
    real_t *const sigma = grab_backend((size_t)n * sizeof *sigma);

    make_matrix(ex, what, A);
    ck_assert_ok(ex->op->copy(ex, A, E));
    decompose_square(A, sigma, U, V);
    const double norm = (double)from_backend_real(sigma, n)[0];
    ck_assert_ok(ex->op->scale_columns(ex, U, sigma, A));
    ck_assert_ok(ex->op->gemm_sub(ex, 'N', 'C', A, V, E));
    const double of_a = spectral_norm(ex, E) / norm;
    const double of_u = departure(ex, U, E), of_v = departure(ex, V, E);
    ck_assert_msg(norm > 0 && of_a <= bound && of_u <= bound && of_v <= bound,
                  "n = %ld, kind %d: %.1e, U %.1e, V %.1e; %.1e", (long)n, what,
                  of_a, of_u, of_v, bound);
}

static const int64_t size[] = {100, 200, 400, 800};
static const int64_t large[] = {1024, 2048, 4096, 8192};
enum {
    SIZES = sizeof size / sizeof *size,
    LARGE = sizeof large / sizeof *large,
    LARGE_ON_HOST = 2
};

START_TEST(errors_up_to_800) { check(size[_i / KINDS], _i % KINDS); }
END_TEST

START_TEST(errors_beyond) { check(large[_i / KINDS], _i % KINDS); }
END_TEST

Suite *make_suite(void)
{
    const int slow = arguments > 2 && strcmp(argument[2], "slow") == 0;
    const int count = on_device ? LARGE : LARGE_ON_HOST;
    Suite *s = suite_create("svd_sizes");
    TCase *t = add_tcase(s, "svd_sizes");
    if (on_device || !slow)
        tcase_add_loop_test(t, errors_up_to_800, 0, SIZES * KINDS);
    if (on_device || slow)
        tcase_add_loop_test(t, errors_beyond, 0, count * KINDS);
    return s;
}
