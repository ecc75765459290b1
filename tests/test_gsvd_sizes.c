/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* test_gsvd_sizes.c -- |A - U D1 R Q^H| <= 20 sqrt(n) eps |A|, B likewise, and U, V and Q as
 * near to unitary, in the spectral norm and up to large n: errors must not grow faster than
 * that.  LAPACK's grow like n eps, since the lengths of its rotations drift.
 *
 *     test_gsvd_sizes_<letter> cpu [slow]      up to 800, or 1600
 *     test_gsvd_sizes_<letter> cuda            all
 *
 * Pairs are made and checked where the handle computes.  They are square and B has full rank:
 * k = 0 and R is in A. */
#include <stdio.h>
#include <string.h>

#include "harness/spectral.h"

typedef struct factors {
    mat_t A, B, U, V, Q;
    real_t *alpha, *beta;
} factors_t;

static factors_t decompose_square(const exec_t *ex, mat_t A, mat_t B)
{
    const int64_t n = A.cols;
    const factors_t f = {square(n),
                         square(n),
                         square(n),
                         square(n),
                         square(n),
                         grab_backend((size_t)n * sizeof(real_t)),
                         grab_backend((size_t)n * sizeof(real_t))};
    int64_t k = -1, l = -1;
    int info = 99;

    if (GSVD_SINGLE) { /* LAPACK's tolerances cut some values of so many off   */
        ck_assert_ok(gsvd_set_option(handle, GSVD_TOL_A, 0));
        ck_assert_ok(gsvd_set_option(handle, GSVD_TOL_B, 0));
    }
    ck_assert_ok(ex->op->copy(ex, A, f.A));
    ck_assert_ok(ex->op->copy(ex, B, f.B));
    ck_assert_ok((on_device ? X(gpu) : GSVD_ENTRY)(
        handle, 'U', 'V', 'Q', n, n, n, &k, &l, f.A.data, n, f.B.data, n,
        f.alpha, f.beta, f.U.data, n, f.V.data, n, f.Q.data, n, &info));
    ck_assert(info == 0 && k == 0 && l == n);
    ck_assert_ok(ex->op->zero_lower(ex, f.A));
    return f;
}

/* |X - W diag(d) R Q^H|_2 / |X|_2; X and E are overwritten */
static double residual(const exec_t *ex, mat_t X_, mat_t W, const real_t *d,
                       mat_t RQ, mat_t E)
{
    const double norm = spectral_norm(ex, X_);
    ck_assert_ok(ex->op->scale_columns(ex, W, d, E));
    ck_assert_ok(ex->op->gemm_sub(ex, 'N', 'N', E, RQ, X_));
    return spectral_norm(ex, X_) / norm;
}

/* Normal numbers; B's singular values over 10^4, too */
enum { RANDOM, SPREAD_B, KINDS };

static void make_pair_of(const exec_t *ex, int what, mat_t A, mat_t B, mat_t E)
{
    const int64_t n = A.cols;
    real_t *const d = grab((size_t)n * sizeof *d);
    ck_assert_ok(ex->op->gaussian(ex, A, (uint64_t)n));
    ck_assert_ok(ex->op->gaussian(ex, B, (uint64_t)n + 1));
    if (what == RANDOM)
        return;
    for (int64_t j = 0; j < n; ++j)
        d[j] = (real_t)(pow(10, -4 * (double)j / (double)n) / (double)n);
    ck_assert_ok(ex->op->gaussian(ex, E, 3));
    ck_assert_ok(ex->op->scale_columns(ex, E, to_backend_real(d, n), E));
    const mat_t C = square(n);
    ck_assert_ok(ex->op->gemm(ex, 'N', 'N', E, B, C));
    ck_assert_ok(ex->op->copy(ex, C, B));
}

static void check(int64_t n, int what)
{
    const double bound = 20 * sqrt((double)n) * GSVD_EPS;
    if (too_large(n, n, n) || (GSVD_SINGLE && what == SPREAD_B))
        return; /* singular to single precision                              */
    const exec_t *const ex = on(handle);
    const mat_t A = square(n), B = square(n), E = square(n), RQ = square(n);

    make_pair_of(ex, what, A, B, E);
    const factors_t f = decompose_square(ex, A, B);
    ck_assert_ok(ex->op->gemm(ex, 'N', 'C', f.A, f.Q, RQ));
    const double of[] = {residual(ex, A, f.U, f.alpha, RQ, E),
                         residual(ex, B, f.V, f.beta, RQ, E),
                         departure(ex, f.U, E), departure(ex, f.V, E),
                         departure(ex, f.Q, E)};
    printf("n %4ld %s, over sqrt(n) eps: A %.2f, B %.2f; U %.2f, V %.2f, Q "
           "%.2f\n",
           (long)n, what == RANDOM ? "random  " : "spread B",
           20 * of[0] / bound, 20 * of[1] / bound, 20 * of[2] / bound,
           20 * of[3] / bound, 20 * of[4] / bound);
    fflush(stdout);
    for (int i = 0; i < 5; ++i)
        ck_assert_msg(of[i] <= bound, "n = %ld, kind %d, %c: %.1e, not %.1e",
                      (long)n, what, "ABUVQ"[i], of[i], bound);
}

static const int64_t size[] = {100, 200, 400, 800};
static const int64_t large[] = {1600, 4096, 8192};
enum {
    SIZES = sizeof size / sizeof *size,
    LARGE = sizeof large / sizeof *large,
    LARGE_ON_HOST = 1
};

START_TEST(errors_up_to_800) { check(size[_i / KINDS], _i % KINDS); }
END_TEST

START_TEST(errors_beyond) { check(large[_i / KINDS], _i % KINDS); }
END_TEST

Suite *make_suite(void)
{
    const int slow = arguments > 2 && strcmp(argument[2], "slow") == 0;
    const int count = on_device ? LARGE : LARGE_ON_HOST;
    Suite *s = suite_create("gsvd_sizes");
    TCase *t = add_tcase(s, "gsvd_sizes");
    if (on_device || !slow)
        tcase_add_loop_test(t, errors_up_to_800, 0, SIZES * KINDS);
    if (on_device || slow)
        tcase_add_loop_test(t, errors_beyond, 0, count * KINDS);
    return s;
}
