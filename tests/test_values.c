/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* test_values.c -- generalized values: known by hand, prescribed, LAPACK's. */
#include <stdio.h>

#include "harness/harness.h"
#include "lapacke.h"

/* ---- by hand ------------------------------------------------------------ */

/* rows of A, then rows of B, at most 3 columns; alpha and beta by hand */
static const struct {
    int m, n, p, k, l;
    double a[9], b[9];
    double alpha[3], beta[3];
} known[] = {
    /* A = 3, B = 4 */
    {1, 1, 1, 0, 1, {3}, {4}, {0.6}, {0.8}},
    /* A = 0, B = 2;  A = 2, B = 0;  both 0 */
    {1, 1, 1, 0, 1, {0}, {2}, {0}, {1}},
    {1, 1, 1, 1, 0, {2}, {0}, {1}, {0}},
    {1, 1, 1, 0, 0, {0}, {0}, {0}, {0}},
    /* A = diag(3, 4), B = diag(4, 3): 4/3 before 3/4 */
    {2, 2, 2, 0, 2, {3, 0, 0, 4}, {4, 0, 0, 3}, {0.8, 0.6}, {0.6, 0.8}},
    /* B = I: singular values 5 and 1 */
    {2,
     2,
     2,
     0,
     2,
     {0, 5, 1, 0},
     {1, 0, 0, 1},
     {0.98058067569092011, 0.70710678118654752},
     {0.19611613513818404, 0.70710678118654752}},
    /* B = I: A = [1 2; 3 4], singular values sqrt(15 +- sqrt(221)) */
    {2,
     2,
     2,
     0,
     2,
     {1, 2, 3, 4},
     {1, 0, 0, 1},
     {0.9836676086001308, 0.3436747321308117},
     {0.1799945437809153, 0.9390887489980991}},
    /* A = diag(1, 0, 1), B = (0 1 0; 0 0 1): k = 1, then (1,1)/sqrt(2), (0,1) */
    {3,
     3,
     2,
     1,
     2,
     {1, 0, 0, 0, 0, 0, 0, 0, 1},
     {0, 1, 0, 0, 0, 1},
     {1, 0.70710678118654752, 0},
     {0, 0.70710678118654752, 1}},
    /* a row against a row: parallel, then crossing (m < k + l) */
    {1, 2, 1, 0, 1, {3, 3}, {4, 4}, {0.6, 0}, {0.8, 0}},
    {1, 2, 1, 1, 1, {1, 0}, {0, 1}, {1, 0}, {0, 1}},
    {1, 2, 1, 1, 1, {1, 1}, {1, -1}, {1, 0}, {0, 1}},
    /* m < l: the last pair has no row of A */
    {1, 2, 2, 0, 2, {3, 0}, {4, 0, 0, 7}, {0.6, 0}, {0.8, 1}},
    /* columns of a common scale change nothing */
    {2,
     2,
     2,
     0,
     2,
     {0.375, 0, 0, 4096},
     {0.5, 0, 0, 3072},
     {0.8, 0.6},
     {0.6, 0.8}},
    /* equal pairs */
    {3,
     3,
     3,
     0,
     3,
     {3, 0, 0, 0, 3, 0, 0, 0, 3},
     {4, 0, 0, 0, 4, 0, 0, 0, 4},
     {0.6, 0.6, 0.6},
     {0.8, 0.8, 0.8}},
};
enum { KNOWN = sizeof known / sizeof *known };

static mat_t by_rows(int rows, int cols, const double *entries)
{
    mat_t A = new_mat(rows, cols);
    for (int i = 0; i < rows; ++i)
        for (int j = 0; j < cols; ++j)
            AT(A, i, j) = make((real_t)entries[i * cols + j], 0);
    return A;
}

START_TEST(values_by_hand)
{
    const mat_t A = by_rows(known[_i].m, known[_i].n, known[_i].a);
    const mat_t B = by_rows(known[_i].p, known[_i].n, known[_i].b);
    const char jobs[][3] = {{'U', 'V', 'Q'}, {'N', 'N', 'N'}};
    for (int solver = 0; solver < SOLVERS; ++solver)
        for (int door = 0; door < doors(); ++door)
            for (int j = 0; j < 2; ++j) {
                ck_assert_ok(gsvd_set_option(handle, GSVD_SOLVER, solver));
                const result_t r = decompose((door_t)door, jobs[j][0],
                                             jobs[j][1], jobs[j][2], A, B);
                ck_assert_int_eq(r.status, GSVD_SUCCESS);
                ck_assert_int_eq(r.k, known[_i].k);
                ck_assert_int_eq(r.l, known[_i].l);
                if (j == 0)
                    ck_assert_ratios(A, B, &r, "by hand");
                for (int i = 0; i < known[_i].n; ++i) {
                    ck_assert_msg(fabs(r.alpha[i] - known[_i].alpha[i]) <=
                                      16 * GSVD_ULP,
                                  "alpha(%d) = %.17g, solver %d", i,
                                  (double)r.alpha[i], solver);
                    ck_assert_msg(fabs(r.beta[i] - known[_i].beta[i]) <=
                                      16 * GSVD_ULP,
                                  "beta(%d) = %.17g, solver %d", i,
                                  (double)r.beta[i], solver);
                }
            }
}
END_TEST

/* diagonal pairs are solved with the relative accuracy of a division */
START_TEST(diagonal_pairs)
{
    enum { N = 9 };
    mat_t A = zero_mat(N, N), B = zero_mat(N, N);
    double alpha[N], beta[N];
    for (int i = 0; i < N; ++i) { /* descending 2^4 .. 2^-4                   */
        const double a = ldexp(3, 4 - i), h = hypot(a, 5);
        const int at = i * 5 % N; /* anywhere on the diagonal                 */
        AT(A, at, at) = make((real_t)a, 0);
        AT(B, at, at) = make(0, 0);
        AT(B, at, at) = make(-5, 0);
        alpha[i] = a / h;
        beta[i] = 5 / h;
    }
    for (int solver = 0; solver < SOLVERS; ++solver)
        for (int door = 0; door < doors(); ++door) {
            ck_assert_ok(gsvd_set_option(handle, GSVD_SOLVER, solver));
            const result_t r = decompose((door_t)door, 'U', 'V', 'Q', A, B);
            ck_assert_int_eq(r.l, N);
            ck_assert_ratios(A, B, &r, "diagonal");
            for (int i = 0; i < N; ++i) {
                ck_assert(fabs(r.alpha[i] - alpha[i]) <= 16 * GSVD_ULP);
                ck_assert(fabs(r.beta[i] - beta[i]) <= 16 * GSVD_ULP);
            }
        }
}
END_TEST

/* ---- prescribed ---------------------------------------------------------- */

static const char *text(const char *what, const recipe_t *c, double got,
                        double bound)
{
    static char line[200];
    snprintf(line, sizeof line, "%s: m %d n %d p %d %s k %d l %d: %g > %g",
             what, c->m, c->n, c->p, family_name[c->family], c->k, c->l, got,
             bound);
    return line;
}

START_TEST(prescribed_values)
{
    const recipe_t *c = &kind[_i];
    if ((c->family != RANKS && c->family != REPEATED && c->family != EXTREME) ||
        too_large(c->m, c->n, c->p))
        return;
    for (int solver = 0; solver < SOLVERS; ++solver)
        for (int door = 0; door < doors(); ++door) {
            const sample_t P = make_pair(c, 41);
            const double bound = LIMIT * rounding_of_values(c, c->k + c->l, 41);
            ck_assert_ok(gsvd_set_option(handle, GSVD_SOLVER, solver));
            const result_t r = decompose((door_t)door, 'N', 'N', 'N', P.A, P.B);
            ck_assert_int_eq(r.status, GSVD_SUCCESS);
            ck_assert_int_eq(r.k, P.k);
            ck_assert_int_eq(r.l, P.l);
            const double d = chordal(P.l, r.alpha + r.k, r.beta + r.k, P.fa,
                                     P.fb, P.alpha, P.beta);
            ck_assert_msg(d <= bound, "%s", text("prescribed", c, d, bound));
            release_pool();
        }
}
END_TEST

/* ---- ordinary singular values ------------------------------------------- */

START_TEST(identity_gives_singular_values)
{
    static const struct {
        int m, n;
    } size[] = {{1, 1}, {5, 5}, {33, 20}, {20, 33}, {64, 64}};
    const int m = size[_i].m, n = size[_i].n, q = m < n ? m : n;
    const recipe_t c = {m, n, n, IDENTITY_B, 0, n, 0, 0};
    if (too_large(m, n, n))
        return;
    const sample_t P = make_pair(&c, 51);
    mat_t W = copy_for_lapack(P.A), none = new_mat(1, 1);
    real_t *sigma = grab((size_t)q * sizeof *sigma);

    ck_assert_int_eq(0, LAPACK(gesdd)(LAPACK_COL_MAJOR, 'N', m, n, W.data,
                                      (lapack_int)W.ld, sigma, none.data, 1,
                                      none.data, 1));
    for (int door = 0; door < doors(); ++door) {
        const result_t r = decompose((door_t)door, 'U', 'V', 'Q', P.A, P.B);
        ck_assert_int_eq(r.status, GSVD_SUCCESS);
        for (int i = 0; i < n; ++i) {
            const double s = i < q ? sigma[i] : 0, h = hypot(s, 1);
            const double bound = LIMIT * n * GSVD_ULP * fmax(1, sigma[0]);
            ck_assert(fabs(r.alpha[i] - s / h) <= bound);
            ck_assert(fabs(r.beta[i] - 1 / h) <= bound);
        }
    }
}
END_TEST

/* ---- LAPACK's ------------------------------------------------------------ */

static const recipe_t against[] = {
    {10, 8, 9, NORMAL, -1, -1, 0, 0},    {8, 10, 9, NORMAL, -1, -1, 0, 0},
    {5, 20, 10, NORMAL, -1, -1, 0, 0},   {33, 20, 31, NORMAL, -1, -1, 0, 0},
    {20, 33, 31, UNIFORM, -1, -1, 0, 0}, {64, 50, 65, UNIFORM, -1, -1, 0, 0},
    {40, 30, 35, RANKS, 5, 15, 0, 0},    {15, 50, 45, RANKS, 10, 25, 0, 0},
    {40, 30, 35, REPEATED, 7, 15, 0, 0}, {50, 40, 30, THESIS, 10, 15, 0, 0},
};
enum { AGAINST = sizeof against / sizeof *against };

/* LAPACK's pairs, alpha descending; its order is by a permutation of its own */
typedef struct value {
    real_t c, s;
} value_t;

static int descending(const void *x, const void *y)
{
    const value_t *a = x, *b = y;
    return (a->c < b->c) - (a->c > b->c);
}

START_TEST(values_of_lapack)
{
    const recipe_t *c = &against[_i];
    const int m = c->m, n = c->n, p = c->p;
    if (too_large(m, n, p))
        return;
    const sample_t P = make_pair(c, 61);
    mat_t A = copy_mat(P.A), B = copy_mat(P.B), none = new_mat(1, 1);
    real_t *alpha = grab((size_t)n * sizeof *alpha);
    real_t *beta = grab((size_t)n * sizeof *beta);
    lapack_int k, l, *iwork = grab((size_t)n * sizeof *iwork);

    ck_assert_int_eq(0, LAPACK(ggsvd3)(LAPACK_COL_MAJOR, 'N', 'N', 'N', m, n, p,
                                       &k, &l, A.data, (lapack_int)A.ld, B.data,
                                       (lapack_int)B.ld, alpha, beta, none.data,
                                       1, none.data, 1, none.data, 1, iwork));
    const int q = m < k + l ? m - k : l;
    const double bound = LIMIT * (double)max_i(m, max_i(n, p)) * GSVD_ULP *
                         stacked_condition(P.A, P.B, k + l);
    value_t *value = grab((size_t)q * sizeof *value);
    for (int i = 0; i < q; ++i)
        value[i] = (value_t){alpha[k + i], beta[k + i]};
    qsort(value, (size_t)q, sizeof *value, descending);
    for (int i = 0; i < q; ++i) {
        alpha[i] = value[i].c;
        beta[i] = value[i].s;
    }
    for (int solver = 0; solver < SOLVERS; ++solver)
        for (int door = 0; door < doors(); ++door) {
            ck_assert_ok(gsvd_set_option(handle, GSVD_SOLVER, solver));
            const result_t r = decompose((door_t)door, 'N', 'N', 'N', P.A, P.B);
            ck_assert_int_eq(r.k, k);
            ck_assert_int_eq(r.l, l);
            const double d =
                chordal(q, r.alpha + k, r.beta + k, 1, 1, alpha, beta);
            ck_assert_msg(d <= bound, "%s", text("LAPACK", c, d, bound));
        }
}
END_TEST

Suite *make_suite(void)
{
    in_double_asked();
    Suite *s = suite_create("values");
    TCase *t = add_tcase(s, "by hand");
    tcase_add_loop_test(t, values_by_hand, 0, KNOWN);
    tcase_add_test(t, diagonal_pairs);
    t = add_tcase(s, "prescribed");
    tcase_add_loop_test(t, prescribed_values, 0, kinds);
    t = add_tcase(s, "singular values");
    tcase_add_loop_test(t, identity_gives_singular_values, 0, 5);
    t = add_tcase(s, "LAPACK");
    tcase_add_loop_test(t, values_of_lapack, 0, AGAINST);
    return s;
}
