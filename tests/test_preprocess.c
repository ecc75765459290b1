/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* test_preprocess.c -- xGGSVP3's job: the triangular pair, its ranks. */
#include <stdio.h>

#include "harness/harness.h"
#include "lapacke.h"

/* exactly zero wherever gsvd.h draws a zero */
static void check_zeros(const result_t *r)
{
    const int64_t m = r->A.rows, n = r->A.cols, p = r->B.rows;
    const int64_t k = r->k, l = r->l;
    for (int64_t j = 0; j < n; ++j) {
        for (int64_t i = 0; i < m; ++i) {
            const int64_t first = i < k ? n - k - l + i : n - l + (i - k);
            if (j < first || i >= k + l)
                ck_assert_msg(abs_max(AT(r->A, i, j)) == 0, "A(%ld,%ld)",
                              (long)i, (long)j);
        }
        for (int64_t i = 0; i < p; ++i)
            if (j < n - l + i || i >= l)
                ck_assert_msg(abs_max(AT(r->B, i, j)) == 0, "B(%ld,%ld)",
                              (long)i, (long)j);
    }
    for (int64_t i = 0; i < k; ++i)
        ck_assert(abs_max(AT(r->A, i, n - k - l + i)) > 0);
    for (int64_t i = 0; i < l; ++i)
        ck_assert(abs_max(AT(r->B, i, n - l + i)) > 0);
}

/* W^H A Q - T */
static double residual(mat_t W, mat_t A, mat_t Q, mat_t T)
{
    const double norm = fmax((double)norm1(A), GSVD_SAFMIN);
    mat_t S = copy_mat(T);
    gemm('C', 'N', -1, W, product('N', 'N', A, Q), 1, S);
    return norm1(S) / norm / (double)max_i(1, max_i(A.rows, A.cols)) / GSVD_ULP;
}

static void check(mat_t A, mat_t B, const result_t *r)
{
    ck_assert_int_eq(r->status, GSVD_SUCCESS);
    ck_assert_int_eq(r->info, 0);
    ck_assert(r->k >= 0 && r->l >= 0 && r->k <= A.rows && r->l <= B.rows &&
              r->k + r->l <= A.cols);
    check_zeros(r);
    ck_assert_ratio(defect(r->U));
    ck_assert_ratio(defect(r->V));
    ck_assert_ratio(defect(r->Q));
    ck_assert_ratio(residual(r->U, A, r->Q, r->A));
    ck_assert_ratio(residual(r->V, B, r->Q, r->B));
}

START_TEST(shape_becomes_triangular)
{
    const recipe_t c = recipe_of_shape(_i, NORMAL);
    if (too_large(c.m, c.n, c.p))
        return;
    for (int door = 0; door < doors(); ++door) {
        const sample_t P = make_pair(&c, 71);
        const result_t r =
            preprocess((door_t)door, 'U', 'V', 'Q', P.A, P.B, -1, -1);
        check(P.A, P.B, &r);
    }
}
END_TEST

/* scales far from 1 would leave the range of the products here */
START_TEST(kind_becomes_triangular)
{
    const recipe_t *c = &kind[_i];
    if (too_large(c->m, c->n, c->p) || abs(c->ea) > 100 || abs(c->eb) > 100)
        return;
    for (int door = 0; door < doors(); ++door) {
        const sample_t P = make_pair(c, 72);
        const result_t r =
            preprocess((door_t)door, 'U', 'V', 'Q', P.A, P.B, -1, -1);
        check(P.A, P.B, &r);
        if (P.k >= 0) {
            ck_assert_int_eq(r.k, P.k);
            ck_assert_int_eq(r.l, P.l);
        }
    }
}
END_TEST

/* LAPACK's ranks with LAPACK's tolerances */
static void check_against_lapack(const recipe_t *c, uint64_t seed)
{
    const int m = c->m, n = c->n, p = c->p;
    const sample_t P = make_pair(c, seed);
    const real_t tola = default_tolerance(P.A), tolb = default_tolerance(P.B);
    int64_t k, l;

    lapack_ranks(P.A, P.B, tola, tolb, &k, &l);
    for (int door = 0; door < doors(); ++door)
        for (int given = 0; given < 2; ++given) {
            const result_t r = preprocess((door_t)door, 'N', 'N', 'N', P.A, P.B,
                                          given ? tola : -1, given ? tolb : -1);
            ck_assert_int_eq(r.status, GSVD_SUCCESS);
            ck_assert_msg(r.k == k && r.l == l,
                          "m %d n %d p %d %s seed %lu: k %ld l %ld, LAPACK's "
                          "%ld %ld",
                          m, n, p, family_name[c->family], (unsigned long)seed,
                          (long)r.k, (long)r.l, (long)k, (long)l);
            check_zeros(&r);
        }
}

START_TEST(ranks_of_lapack)
{
    static const recipe_t c[] = {
        {20, 15, 18, RANKS, 3, 10, 0, 0},
        {10, 30, 20, RANKS, 8, 12, 0, 0},
        {40, 40, 40, RANKS, 0, 20, 0, 0},
        {64, 60, 50, RANKS, 20, 30, 0, 0},
        {33, 65, 40, RANKS, 33, 20, 0, 0},
        {50, 40, 30, THESIS, 10, 15, 0, 0},
        {64, 96, 48, THESIS, 16, 32, 0, 0},
        {100, 60, 80, THESIS, 20, 40, 0, 0},
        {30, 40, 35, INTEGER, -1, -1, 0, 0},
        {9, 8, 7, INTEGER, -1, -1, 0, 0},
        {12, 9, 10, SAME_COLUMNS, -1, -1, 0, 0},
        {30, 20, 25, NORMAL, -1, -1, 0, 0},
        {40, 30, 35, GRADED_ROWS, -1, -1, 0, 0},
    };
    for (size_t i = 0; i < sizeof c / sizeof *c; ++i)
        if (!too_large(c[i].m, c[i].n, c[i].p) && !left_out(_i, 6)) {
            check_against_lapack(&c[i], 80 + (uint64_t)_i);
            release_pool();
        }
}
END_TEST

/* rows x n, a product of random matrices */
static mat_t product_of_rank(int64_t rows, mat_t W, uint64_t *seed)
{
    return product('N', 'N', normal_mat(rows, W.rows, seed), W);
}

/* Tiny pairs of less than full rank, whose tolerance is next to rounding: k + l is too large no
 * more often than LAPACK's. */
START_TEST(ranks_of_tiny_pairs)
{
    static const int tiny[][4] = {
        {1, 2, 1, 1}, {2, 2, 2, 1}, {2, 3, 2, 1}, {3, 3, 3, 2}};
    const int pairs = _i < 3 ? 8000 : 40000; /* There it is one in thousands. */
    const int m = tiny[_i][0], n = tiny[_i][1], p = tiny[_i][2];
    const int rank = tiny[_i][3];
    int ours = 0, theirs = 0;
    uint64_t seed = 90 + (uint64_t)_i;

    if (on_device || quick > 1)
        return;
    for (int i = 0; i < pairs; ++i) {
        const mat_t W = normal_mat(rank, n, &seed);
        const mat_t A = product_of_rank(m, W, &seed);
        const mat_t B = product_of_rank(p, W, &seed);
        int64_t k, l;

        const result_t r = preprocess(HOST, 'N', 'N', 'N', A, B, -1, -1);
        ck_assert_ok(r.status);
        ck_assert_int_ge(r.k + r.l, rank);
        ours += r.k + r.l > rank;
        lapack_ranks(A, B, default_tolerance(A), default_tolerance(B), &k, &l);
        theirs += k + l > rank;
        release_pool();
    }
    ck_assert_msg(ours <= theirs, "%d of %d, LAPACK %d", ours, pairs, theirs);
}
END_TEST

/* what is asked for does not depend on what else is */
START_TEST(jobs)
{
    const recipe_t c = {30, 40, 25, RANKS, 12, 20, 0, 0};
    const char *const set[] = {"UVQ", "UNN", "NVN", "NNQ", "NNN", "SSS", "UVS"};
    for (int door = 0; door < doors(); ++door) {
        const sample_t P = make_pair(&c, 73);
        const result_t full =
            preprocess((door_t)door, 'U', 'V', 'Q', P.A, P.B, -1, -1);
        const result_t r = preprocess((door_t)door, set[_i][0], set[_i][1],
                                      set[_i][2], P.A, P.B, -1, -1);
        ck_assert_int_eq(r.status, GSVD_SUCCESS);
        ck_assert_int_eq(r.k, full.k);
        ck_assert_int_eq(r.l, full.l);
        check_zeros(&r);
        /* the triangles are unique up to phases: compare absolute values    */
        for (int64_t j = 0; j < 40; ++j) {
            for (int64_t i = 0; i < 30; ++i)
                ck_assert(fabs((double)abs_of(AT(r.A, i, j)) -
                               abs_of(AT(full.A, i, j))) < 4000 * GSVD_ULP);
            for (int64_t i = 0; i < 25; ++i)
                ck_assert(fabs((double)abs_of(AT(r.B, i, j)) -
                               abs_of(AT(full.B, i, j))) < 4000 * GSVD_ULP);
        }
        if (set[_i][0] != 'N')
            ck_assert_ratio(defect(r.U));
        if (set[_i][1] != 'N')
            ck_assert_ratio(defect(r.V));
        if (set[_i][2] != 'N')
            ck_assert_ratio(defect(r.Q));
    }
}
END_TEST

/* a device forms U and V of so many entries beside the other steps; _i: rows are
 * of different size, and moved back when the factors are formed */
START_TEST(large_factors)
{
    enum { M = 70000, N = 32, L = 20 };
    uint64_t seed = 83;
    if (too_large(M, N, M))
        return;
    const mat_t A = normal_mat(M, N, &seed);
    const mat_t B =
        product('N', 'N', normal_mat(M, L, &seed), normal_mat(L, N, &seed));
    for (int64_t j = 0; j < N && _i > 0; ++j)
        for (int64_t i = 0; i < M; ++i) {
            AT(A, i, j) = scale(ldexp_r(1, -(int)(i % 13)), AT(A, i, j));
            AT(B, i, j) = scale(ldexp_r(1, -(int)(i * 7 % 13)), AT(B, i, j));
        }
    for (int door = 0; door < doors(); ++door) {
        result_t r = preprocess((door_t)door, 'S', 'S', 'S', A, B, 1, 1);
        ck_assert_int_eq(r.status, GSVD_SUCCESS);
        ck_assert_int_eq(r.k, N - L);
        ck_assert_int_eq(r.l, L);
        ck_assert(norm1(mat_rows(r.A, N, M - N)) == 0);
        ck_assert(norm1(mat_rows(r.B, N, M - N)) == 0);
        r.A = mat_rows(r.A, 0, N);
        r.B = mat_rows(r.B, 0, N);
        check_zeros(&r);
        ck_assert_ratio(defect(r.U));
        ck_assert_ratio(defect(r.V));
        ck_assert_ratio(defect(r.Q));
        ck_assert_ratio(residual(r.U, A, r.Q, r.A));
        ck_assert_ratio(residual(r.V, B, r.Q, r.B));
    }
}
END_TEST

/* graded diagonals: a tolerance between two of them decides */
START_TEST(tolerances_decide)
{
    mat_t A = zero_mat(4, 4), B = zero_mat(4, 4);
    AT(A, 0, 0) = make(1, 0);
    AT(A, 1, 1) = make((real_t)1e-2, 0);
    AT(B, 2, 2) = make(1, 0);
    AT(B, 3, 3) = make((real_t)1e-2, 0);
    static const struct {
        double tola, tolb;
        int k, l;
    } t[] = {{-1, -1, 2, 2},     {1e-3, 1e-3, 2, 2}, {1e-1, 1e-3, 1, 2},
             {1e-3, 1e-1, 2, 1}, {1e-1, 1e-1, 1, 1}, {10, 10, 0, 0}};
    for (int door = 0; door < doors(); ++door)
        for (size_t i = 0; i < sizeof t / sizeof *t; ++i) {
            const result_t r = preprocess((door_t)door, 'U', 'V', 'Q', A, B,
                                          (real_t)t[i].tola, (real_t)t[i].tolb);
            ck_assert_int_eq(r.status, GSVD_SUCCESS);
            ck_assert_int_eq(r.k, t[i].k);
            ck_assert_int_eq(r.l, t[i].l);
            check_zeros(&r);
            ck_assert_ok(gsvd_set_option(handle, GSVD_TOL_A, t[i].tola));
            ck_assert_ok(gsvd_set_option(handle, GSVD_TOL_B, t[i].tolb));
            const result_t g = decompose((door_t)door, 'U', 'V', 'Q', A, B);
            ck_assert_ok(g.status);
            ck_assert_int_eq(g.k, t[i].k);
            ck_assert_int_eq(g.l, t[i].l);
        }
}
END_TEST

/* A(0:3, 0) = 1, A(3, 1) = x: of norm 3 and singular values sqrt(3) and x; B alike
 * in columns 2 and 3, or 0 and 1 if it stands alone, with two ones. */
static mat_t next_to_tolerance(int64_t rows, int64_t cols, int64_t at, int ones,
                               double times, int e)
{
    const mat_t A = zero_mat(rows, cols);
    const double tol = (double)max_i(rows, cols) * ones * GSVD_ULP;
    for (int i = 0; i < ones; ++i)
        AT(A, i, at) = make(ldexp_r(1, e), 0);
    AT(A, ones, at + 1) = make(ldexp_r((real_t)(times * tol), e), 0);
    return A;
}

/* LAPACK's tolerances, of A by A and of B by B: half of one does not count, twice
 * as much does, whatever the scales are */
START_TEST(default_tolerances_decide)
{
    static const struct {
        int m, n, p;
    } of[] = {{9, 4, 7}, {4, 12, 3}, {4, 4, 30}, {50, 40, 6}};
    const int far = GSVD_SINGLE ? 40 : 400;
    const int e[][2] = {{0, 0}, {far, -far}, {-far, far}, {30, 0}, {0, 30}};
    for (int i = 0; i < 4; ++i)
        for (int j = 0; j < 5; ++j)
            for (int which = 0; which < 4; ++which)
                for (int door = 0; door < doors(); ++door) {
                    const double a = which % 2 ? 2 : 0.5,
                                 b = which / 2 ? 2 : 0.5;
                    const mat_t A =
                        next_to_tolerance(of[i].m, of[i].n, 0, 3, a, e[j][0]);
                    const mat_t B =
                        next_to_tolerance(of[i].p, of[i].n, 2, 2, b, e[j][1]);
                    const result_t r =
                        preprocess((door_t)door, 'U', 'V', 'Q', A, B, -1, -1);
                    const result_t g =
                        decompose((door_t)door, 'U', 'V', 'Q', A, B);
                    ck_assert_ok(r.status);
                    ck_assert_ok(g.status);
                    ck_assert_int_eq(r.k, a > 1 ? 2 : 1);
                    ck_assert_int_eq(r.l, b > 1 ? 2 : 1);
                    ck_assert(g.k == r.k && g.l == r.l);
                    release_pool();
                }
}
END_TEST

/* ... of a B that stands alone, of up to four columns too */
START_TEST(default_tolerance_of_b)
{
    static const int of[][2] = {{3, 2}, {4, 2}, {5, 2}, {9, 5}};
    uint64_t seed = 7;
    for (int i = 0; i < 4; ++i)
        for (int twice = 0; twice < 2; ++twice)
            for (int door = 0; door < doors(); ++door) {
                const int64_t n = of[i][1];
                const mat_t A = normal_mat(3, n, &seed);
                const mat_t B =
                    next_to_tolerance(of[i][0], n, 0, 2, twice ? 2 : 0.5, 0);
                const result_t r =
                    preprocess((door_t)door, 'U', 'V', 'Q', A, B, -1, -1);
                ck_assert_ok(r.status);
                ck_assert_int_eq(r.l, twice ? 2 : 1);
                ck_assert_int_eq(r.k, min_i(3, n - r.l));
            }
}
END_TEST

/* the caller's tolerance is one of the caller's scale */
START_TEST(tolerance_far_from_one)
{
    const double scale_of = GSVD_SINGLE ? 1e15 : 1e100;
    mat_t A = zero_mat(2, 2), B = zero_mat(2, 2);
    AT(A, 0, 0) = make((real_t)scale_of, 0);
    AT(B, 1, 1) = make((real_t)(1 / scale_of), 0);
    for (int door = 0; door < doors(); ++door) {
        result_t r =
            preprocess((door_t)door, 'U', 'V', 'Q', A, B,
                       (real_t)(scale_of / 2), (real_t)(0.5 / scale_of));
        ck_assert_int_eq(r.status, GSVD_SUCCESS);
        ck_assert(r.k == 1 && r.l == 1);
        check(A, B, &r);
        r = preprocess((door_t)door, 'U', 'V', 'Q', A, B,
                       (real_t)(scale_of * 2), (real_t)(2 / scale_of));
        ck_assert(r.k == 0 && r.l == 0);
    }
}
END_TEST

START_TEST(not_finite)
{
    for (int door = 0; door < doors(); ++door)
        for (int which = 0; which < 2; ++which) {
            uint64_t seed = 5;
            mat_t A = random_mat(7, 5, &seed), B = random_mat(6, 5, &seed);
            AT(A, 0, 0) = AT(B, 0, 0) = make(3, 0); /* would be scaled       */
            AT(which ? B : A, 3, 4) = make((real_t)NAN, 0);
            const result_t r =
                preprocess((door_t)door, 'U', 'V', 'Q', A, B, -1, -1);
            ck_assert_int_eq(r.status, GSVD_INVALID_ARGUMENT);
            ck_assert_int_eq(r.info, which ? -9 : -7);
            ck_assert_same(r.A, A);
            ck_assert_same(r.B, B);
        }
}
END_TEST

Suite *make_suite(void)
{
    Suite *s = suite_create("preprocess");
    TCase *t = add_tcase(s, "triangles");
    tcase_add_loop_test(t, shape_becomes_triangular, 0, shapes);
    tcase_add_loop_test(t, kind_becomes_triangular, 0, kinds);
    t = add_tcase(s, "ranks");
    tcase_add_loop_test(t, ranks_of_lapack, 0, 6);
    tcase_add_loop_test(t, ranks_of_tiny_pairs, 0, 4);
    tcase_add_loop_test(t, large_factors, 0, 2);
    tcase_add_test(t, tolerances_decide);
    tcase_add_test(t, default_tolerances_decide);
    tcase_add_test(t, default_tolerance_of_b);
    tcase_add_test(t, tolerance_far_from_one);
    t = add_tcase(s, "call");
    tcase_add_loop_test(t, jobs, 0, 7);
    tcase_add_test(t, not_finite);
    return s;
}
