/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* test_solve.c -- xTGSJA's job: preprocess, then solve, is gsvd. */
#include "harness/harness.h"

static const recipe_t pair[] = {
    {1, 1, 1, NORMAL, -1, -1, 0, 0},     {5, 3, 4, NORMAL, -1, -1, 0, 0},
    {3, 5, 4, NORMAL, -1, -1, 0, 0},     {2, 9, 4, NORMAL, -1, -1, 0, 0},
    {33, 31, 32, NORMAL, -1, -1, 0, 0},  {20, 64, 50, NORMAL, -1, -1, 0, 0},
    {65, 40, 10, NORMAL, -1, -1, 0, 0},  {50, 40, 30, RANKS, 12, 9, 0, 0},
    {15, 50, 45, RANKS, 10, 25, 0, 0},   {20, 20, 20, RANKS, 0, 0, 0, 0},
    {20, 20, 20, RANKS, 7, 0, 0, 0},     {30, 20, 25, RANKS, 5, 10, 60, -60},
    {64, 64, 64, EXTREME, 0, 64, 0, 0},  {0, 3, 2, NORMAL, -1, -1, 0, 0},
    {3, 0, 2, NORMAL, -1, -1, 0, 0},     {3, 2, 0, NORMAL, -1, -1, 0, 0},
    {65, 64, 65, ILL_B, -1, -1, 0, 0},   {50, 40, 30, THESIS, 10, 15, 0, 0},
    {100, 120, 90, RANKS, 30, 50, 0, 0},
};
enum { PAIRS = sizeof pair / sizeof *pair };

static void check_values_agree(const result_t *a, const result_t *b, int64_t n,
                               int64_t size)
{
    const double tol = 8 * GSVD_ULP * (double)max_i(1, size);
    for (int64_t i = 0; i < n; ++i) {
        ck_assert(fabs((double)a->alpha[i] - b->alpha[i]) <= tol);
        ck_assert(fabs((double)a->beta[i] - b->beta[i]) <= tol);
    }
}

/* U, V, Q of preprocess go in, the pair's go out */
START_TEST(two_halves_are_the_whole)
{
    const recipe_t *c = &pair[_i];
    if (too_large(c->m, c->n, c->p))
        return;
    for (int solver = 0; solver < 2; ++solver)
        for (int door = 0; door < doors(); ++door) {
            const sample_t P = make_pair(c, 91);
            ck_assert_ok(gsvd_set_option(handle, GSVD_SOLVER, solver));
            const result_t t =
                preprocess((door_t)door, 'U', 'V', 'Q', P.A, P.B, -1, -1);
            ck_assert_int_eq(t.status, GSVD_SUCCESS);
            const result_t r = solve((door_t)door, 'U', 'V', 'Q', &t);
            ck_assert_int_eq(r.status, GSVD_SUCCESS);
            ck_assert_int_eq(r.info, 0);
            ck_assert_ratios(P.A, P.B, &r, "preprocess, solve");

            const result_t g = decompose((door_t)door, 'U', 'V', 'Q', P.A, P.B);
            ck_assert_int_eq(g.k, r.k);
            ck_assert_int_eq(g.l, r.l);
            if (c->family != ILL_B)
                check_values_agree(&g, &r, c->n,
                                   max_i(c->m, max_i(c->n, c->p)));
            release_pool();
        }
}
END_TEST

/* U, V, Q start as I: the factors of the triangular pair itself */
START_TEST(factors_of_the_triangles)
{
    const recipe_t *c = &pair[_i];
    if (too_large(c->m, c->n, c->p))
        return;
    for (int door = 0; door < doors(); ++door) {
        const sample_t P = make_pair(c, 92);
        const result_t t =
            preprocess((door_t)door, 'N', 'N', 'N', P.A, P.B, -1, -1);
        const result_t r = solve((door_t)door, 'I', 'I', 'I', &t);
        ck_assert_int_eq(r.status, GSVD_SUCCESS);
        ck_assert_ratios(t.A, t.B, &r, "solve alone");
    }
}
END_TEST

/* without factors the values stay the same */
START_TEST(jobs)
{
    const char *const set[] = {"NNN", "INN", "NIN", "NNI", "IIN"};
    const recipe_t c = {33, 40, 25, RANKS, 12, 20, 0, 0};
    if (left_out(_i, 5))
        return;
    for (int solver = 0; solver < 2; ++solver)
        for (int door = 0; door < doors(); ++door) {
            const sample_t P = make_pair(&c, 93);
            ck_assert_ok(gsvd_set_option(handle, GSVD_SOLVER, solver));
            const result_t t =
                preprocess((door_t)door, 'N', 'N', 'N', P.A, P.B, -1, -1);
            const result_t a = solve((door_t)door, 'I', 'I', 'I', &t);
            const result_t b =
                solve((door_t)door, set[_i][0], set[_i][1], set[_i][2], &t);
            ck_assert_int_eq(b.status, GSVD_SUCCESS);
            ck_assert_values(&b, 33, 40, 25);
            check_values_agree(&a, &b, 40, 40);
            if (set[_i][0] == 'I')
                ck_assert_ratio(defect(b.U));
            if (set[_i][1] == 'I')
                ck_assert_ratio(defect(b.V));
            if (set[_i][2] == 'I')
                ck_assert_ratio(defect(b.Q));
            release_pool();
        }
}
END_TEST

/* any triangular pair: diagonals of any sign and phase, not only those that
 * preprocess leaves */
START_TEST(diagonals_of_any_phase)
{
    static const struct {
        int m, p, n, k, l;
    } size[] = {{1, 1, 1, 0, 1},
                {5, 4, 4, 0, 4},
                {7, 5, 9, 2, 4},
                {3, 8, 8, 0, 8},
                {40, 33, 64, 7, 33}};
    const int m = size[_i].m, p = size[_i].p, n = size[_i].n;
    const int k = size[_i].k, l = size[_i].l;
    if (too_large(m, n, p))
        return;
    for (int solver = 0; solver < 2; ++solver)
        for (int door = 0; door < doors(); ++door) {
            uint64_t seed = 97;
            result_t t = {.k = k, .l = l};
            t.A = random_mat(m, n, &seed);
            t.B = random_mat(p, n, &seed);
            for (int j = 0; j < n; ++j) {
                for (int i = 0; i < m; ++i)
                    if (i >= k + l ||
                        j < (i < k ? n - k - l + i : n - l + i - k))
                        AT(t.A, i, j) = make(0, 0);
                for (int i = 0; i < p; ++i)
                    if (i >= l || j < n - l + i)
                        AT(t.B, i, j) = make(0, 0);
            }
            ck_assert_ok(gsvd_set_option(handle, GSVD_SOLVER, solver));
            const result_t r = solve((door_t)door, 'I', 'I', 'I', &t);
            ck_assert_int_eq(r.status, GSVD_SUCCESS);
            ck_assert_ratios(t.A, t.B, &r, solver ? "TGSJA" : "JACOBI");
        }
}
END_TEST

/* X form does not apply */
START_TEST(form_is_lapack_s)
{
    const recipe_t c = {12, 10, 11, NORMAL, -1, -1, 0, 0};
    const sample_t P = make_pair(&c, 94);
    ck_assert_ok(gsvd_set_option(handle, GSVD_FORM, GSVD_FORM_X));
    const result_t t = preprocess(HOST, 'U', 'V', 'Q', P.A, P.B, -1, -1);
    const result_t r = solve(HOST, 'U', 'V', 'Q', &t);
    ck_assert_int_eq(r.status, GSVD_SUCCESS);
    ck_assert_ratios(P.A, P.B, &r, "X form is set");
}
END_TEST

START_TEST(sweep_limit)
{
    const recipe_t c = {60, 50, 40, NORMAL, -1, -1, 0, 0};
    for (int door = 0; door < doors(); ++door) {
        const sample_t P = make_pair(&c, 95);
        const result_t t =
            preprocess((door_t)door, 'U', 'V', 'Q', P.A, P.B, -1, -1);
        ck_assert_ok(gsvd_set_option(handle, GSVD_MAX_SWEEPS, 1));
        const result_t r = solve((door_t)door, 'U', 'V', 'Q', &t);
        ck_assert_int_eq(r.status, GSVD_NOT_CONVERGED);
        ck_assert_int_eq(r.info, 1);
        ck_assert_ratio(defect(r.U));
        ck_assert_ratio(defect(r.V));
        ck_assert_ratio(defect(r.Q));
        ck_assert(all_finite(get_R(&r)));
        reset_options();
    }
}
END_TEST

START_TEST(not_finite)
{
    const recipe_t c = {7, 5, 6, NORMAL, -1, -1, 0, 0};
    for (int door = 0; door < doors(); ++door)
        for (int which = 0; which < 2; ++which) {
            const sample_t P = make_pair(&c, 96);
            result_t t =
                preprocess((door_t)door, 'U', 'V', 'Q', P.A, P.B, -1, -1);
            AT(which ? t.B : t.A, 0, 4) = make((real_t)INFINITY, 0);
            const result_t r = solve((door_t)door, 'U', 'V', 'Q', &t);
            ck_assert_int_eq(r.status, GSVD_INVALID_ARGUMENT);
            ck_assert_int_eq(r.info, which ? -11 : -9);
            ck_assert_same(r.A, t.A);
            ck_assert_same(r.B, t.B);
        }
}
END_TEST

Suite *make_suite(void)
{
    Suite *s = suite_create("solve");
    TCase *t = add_tcase(s, "solve");
    tcase_add_loop_test(t, two_halves_are_the_whole, 0, PAIRS);
    tcase_add_loop_test(t, factors_of_the_triangles, 0, PAIRS);
    tcase_add_loop_test(t, jobs, 0, 5);
    tcase_add_loop_test(t, diagonals_of_any_phase, 0, 5);
    tcase_add_test(t, form_is_lapack_s);
    tcase_add_test(t, sweep_limit);
    tcase_add_test(t, not_finite);
    return s;
}
