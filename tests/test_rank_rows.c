/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* test_rank_rows.c -- pairs whose rows differ in size, with GSVD_RANK_ROWS: the ranks are those
 * of the pair with rows alike, and the generalized values those of the pair as it is.
 *
 *     A = D_A (A1 X1^H + A2 X2^H),   B = D_B B2 X2^H
 *
 * of small integers, so that the products are exact, and D of powers of two: k and l are the
 * numbers of columns of A1 and B2, and the finite values those of (P A2, B2) in rows scaled by D_A
 * and D_B, where P projects on what A1's range leaves.
 */
#include <stdio.h>
#include <stdlib.h>

#include "core/pair.h"
#include "harness/harness.h"
#include "harness/pair_batch.h"
#include "harness/wide.h"

static void rank_by(gsvd_rank_t how)
{
    ck_assert_ok(gsvd_set_option(handle, GSVD_RANK, (int)how));
}

/* ---- pairs -------------------------------------------------------------------- */

/* of these ranks; tall, wide and square, of full rank and of less in A, in B, in both; beyond
 * what is pivoted one by one */
static const struct {
    int m, n, p, k, l;
} recipe[] = {{10, 8, 9, 0, 8},    {10, 8, 5, 3, 5},    {10, 8, 9, 3, 5},
              {10, 8, 9, 2, 4},    {6, 12, 5, 3, 5},    {6, 12, 8, 4, 6},
              {3, 8, 9, 1, 5},     {30, 24, 30, 0, 24}, {30, 24, 30, 4, 12},
              {24, 24, 24, 8, 16}, {20, 30, 12, 8, 12}, {40, 12, 30, 5, 3},
              {12, 8, 9, 5, 0},    {0, 6, 9, 0, 4},     {2, 3, 3, 1, 2},
              {4, 4, 4, 0, 4},     {4, 4, 4, 1, 2},     {80, 70, 75, 20, 40}};
enum { RECIPES = sizeof recipe / sizeof *recipe };

typedef enum order { MIXED, FALLING, RISING, ORDERS } order_t;
static const char *const order_name[] = {"random", "falling", "rising"};

typedef struct split {
    mat_t A, B, A1, A2, B2; /* the rows of all scaled                        */
    double condition;       /* of (X1 X2)                                    */
    int64_t k, l;
} split_t;

static real_t nonzero(uint64_t *seed)
{
    const int64_t x = random_below(seed, 6) - 3;
    return (real_t)(x < 0 ? x : x + 1);
}

/* Larger on the diagonal, so that they are well conditioned, and no zeros: a large row that
 * lies in the other matrix's range does not determine its value up to rounding of rows. */
static mat_t integers(int64_t m, int64_t n, uint64_t *seed)
{
    const mat_t A = new_mat(m, n);
    EACH_ENTRY (A, i, j)
        AT(A, i, j) = make(nonzero(seed), nonzero(seed));
    for (int64_t i = 0; i < min_i(m, n); ++i)
        AT(A, i, i) = add(AT(A, i, i), make(12, 0));
    return A;
}

/* 2^e next to 10^u, u in [-most, most]; a third of that in single precision */
static int exponent_of(double most, order_t order, int64_t i, int64_t n,
                       uint64_t *seed)
{
    double u = n > 1 ? 1 - 2 * (double)i / (double)(n - 1) : 0;
    if (order == RISING)
        u = -u;
    if (order == MIXED)
        u = 2 * random_unit(seed) - 1;
    return (int)lround((GSVD_SINGLE ? most / 3 : most) * u * log2(10));
}

/* decimal exponents of A's and of B's rows */
static split_t make_split(int c, double rows_a, double rows_b, order_t order,
                          uint64_t seed)
{
    const int64_t m = recipe[c].m, n = recipe[c].n, p = recipe[c].p;
    const int64_t k = recipe[c].k, l = recipe[c].l;
    const mat_t X1 = integers(n, k, &seed), X2 = integers(n, l, &seed);
    split_t P = {.A1 = integers(m, k, &seed),
                 .A2 = integers(m, l, &seed),
                 .B2 = integers(p, l, &seed),
                 .k = k,
                 .l = l};
    P.condition = stacked_condition(adjoint(X1), adjoint(X2), k + l);
    P.A = product('N', 'C', P.A1, X1);
    gemm('N', 'C', 1, P.A2, X2, 1, P.A);
    P.B = product('N', 'C', P.B2, X2);
    for (int64_t i = 0; i < m && rows_a > 0; ++i) {
        const int e = exponent_of(rows_a, order, i, m, &seed);
        scale_row(P.A, i, ldexp_r(1, e));
        scale_row(P.A1, i, ldexp_r(1, e));
        scale_row(P.A2, i, ldexp_r(1, e));
    }
    for (int64_t i = 0; i < p && rows_b > 0; ++i) {
        const int e = exponent_of(rows_b, order, i, p, &seed);
        scale_row(P.B, i, ldexp_r(1, e));
        scale_row(P.B2, i, ldexp_r(1, e));
    }
    return P;
}

static int has_ranks(const result_t *r, const split_t *P)
{
    return r->k == P->k && r->l == P->l;
}

/* ---- errors --------------------------------------------------------------------- */

typedef struct errors {
    double chordal, relative;
} errors_t;

/* of the l finite values against sigma; where one is 0, that one against 1 */
static errors_t errors_of(const split_t *P, const wide_t *sigma,
                          const result_t *r)
{
    errors_t e = {0, 0};
    for (int64_t j = 0; j < P->l; ++j) {
        const wide_t x = r->alpha[P->k + j], y = r->beta[P->k + j];
        const wide_t t = sigma[j], length = hypotl(1, t);
        const wide_t chord = fabsl(x / length - y * (t / length));
        e.chordal = fmax(e.chordal, (double)chord);
        if (t > 0)
            e.relative = fmax(e.relative, (double)fabsl(x / y / t - 1));
    }
    return e;
}

/* By how much the values differ, relatively, where rows of (A1 A2) and B2 have errors, over
 * these: the condition that no algorithm gets round, which errors of A and B meet times that
 * of (X1 X2).  1 at least. */
static double condition_of(const split_t *P, const wide_t *sigma)
{
    const double part = GSVD_SINGLE ? 0x1p-14 : 0x1p-30;
    wide_t *const near = grab((size_t)max_i(P->l, 1) * sizeof *near);
    uint64_t seed = 77;
    double worst = 1;
    for (int i = 0; i < 3; ++i) {
        wide_values(disturbed(P->A1, part, &seed),
                    disturbed(P->A2, part, &seed),
                    disturbed(P->B2, part, &seed), near);
        for (int64_t j = 0; j < P->l; ++j)
            if (sigma[j] > 0)
                worst =
                    fmax(worst, (double)(fabsl(near[j] / sigma[j] - 1) / part));
    }
    return worst;
}

/* ---- tests ------------------------------------------------------------------------ */

static const double most[] = {4, 8, 12, 16};
enum { SCALES = sizeof most / sizeof *most, WHERE = 3, EACH = 6 };
static const char *const where_name[] = {"A", "B", "A and B"};

typedef struct counts {
    int pairs, left, by_norm, values, accurate;
    double part; /* of the bound                                             */
    errors_t worst;
} counts_t;

static int finds(gsvd_rank_t how, const split_t *P)
{
    rank_by(how);
    const result_t r = decompose(HOST, 'N', 'N', 'N', P->A, P->B);
    ck_assert_ok(r.status);
    return has_ranks(&r, P);
}

static double bound_of(const split_t *P)
{
    return LIMIT * (double)max_i(max_i(P->A.rows, P->B.rows), P->A.cols) *
           GSVD_ULP;
}

static void check_values(const split_t *P, const result_t *r, const char *what,
                         counts_t *n)
{
    wide_t *const sigma = grab((size_t)max_i(P->l, 1) * sizeof *sigma);
    wide_values(P->A1, P->A2, P->B2, sigma);
    const errors_t e = errors_of(P, sigma, r);
    const double part =
        e.relative / (bound_of(P) * P->condition * condition_of(P, sigma));
    ck_assert_msg(part <= 1, "%s, %ld x %ld, %ld: %.1e, %g of the bound", what,
                  (long)P->A.rows, (long)P->A.cols, (long)P->B.rows, e.relative,
                  part);
    n->worst.chordal = fmax(n->worst.chordal, e.chordal);
    n->worst.relative = fmax(n->worst.relative, e.relative);
    n->part = fmax(n->part, part);
    n->accurate += e.chordal <= 900 * GSVD_EPS && e.relative <= 9000 * GSVD_EPS;
    ++n->values;
}

static void check_pair(const split_t *P, door_t door, const char *what,
                       counts_t *n)
{
    rank_by(GSVD_RANK_ROWS);
    const result_t v = decompose(door, 'N', 'N', 'N', P->A, P->B);
    const result_t r = decompose(door, 'U', 'V', 'Q', P->A, P->B);
    const gsvd_stats_t stats = stats_of_call();
    ck_assert_ok(r.status);
    ck_assert_ok(v.status);
    ck_assert_msg(has_ranks(&r, P) && has_ranks(&v, P),
                  "%s, %ld x %ld, %ld: k %ld l %ld, not %ld %ld", what,
                  (long)P->A.rows, (long)P->A.cols, (long)P->B.rows, (long)r.k,
                  (long)r.l, (long)P->k, (long)P->l);
    ck_assert(P->l <= 4 || stats.solver == GSVD_SOLVER_TANGENT);
    ck_assert_ratios(P->A, P->B, &r, what);
    check_values(P, &r, what, n);
    check_values(P, &v, what, n);
}

/* Rows of A, of B, of both, in three orders: every rank, and every value to n ulp of what the
 * pair determines, nine of ten to 1e-13 in the chordal metric and to 1e-12.  Against the norm
 * B's ranks are too small, which is what the option is for. */
START_TEST(ranks_and_values)
{
    const double e = most[_i % SCALES];
    const order_t order = (order_t)(_i / SCALES % ORDERS);
    const int where = _i / SCALES / ORDERS;
    counts_t n = {0};
    for (int c = 0; c < RECIPES; ++c)
        for (uint64_t seed = 1; seed <= EACH; ++seed) {
            if (too_large(recipe[c].m, recipe[c].n, recipe[c].p) ||
                left_out((int)seed, EACH) || left_out_there((int)seed, 3))
                continue;
            const split_t P =
                make_split(c, where != 1 ? e : 0, where != 0 ? e : 0, order,
                           1000 * (uint64_t)c + seed);
            const split_t plain =
                make_split(c, 0, 0, order, 1000 * (uint64_t)c + seed);
            if (!finds(GSVD_RANK_NORM, &plain)) {
                ++n.left; /* A and B themselves are next to another rank.    */
                continue;
            }
            for (int door = 0; door < doors(); ++door)
                check_pair(&P, (door_t)door, where_name[where], &n);
            ++n.pairs;
            n.by_norm += finds(GSVD_RANK_NORM, &P);
            release_pool();
        }
    printf("rows of %-7s 10^+-%-4.3g %-8s ranks of %d: all by rows, %d by the "
           "norm; values: chordal %.1e, relative %.1e, %d of %d to 1e-13 and "
           "1e-12, %.2f of the bound\n",
           where_name[where], GSVD_SINGLE ? e / 3 : e, order_name[order],
           n.pairs, n.by_norm, n.worst.chordal, n.worst.relative, n.accurate,
           n.values, n.part);
    fflush(stdout);
    ck_assert(20 * n.left <= n.pairs);
    ck_assert(10 * n.accurate >= 9 * n.values);
    if (where > 0 && e > 8)
        ck_assert(4 * n.by_norm < 3 * n.pairs);
}
END_TEST

/* ---- each row ---------------------------------------------------------------------- */

/* Large rows that repeat others: what rounding leaves of them is more than the small rows are.
 * These are there all the same, in the triangles, to their own accuracy. */
START_TEST(large_rows_that_repeat)
{
    static const int of[] = {1, 2, 7, 8, 11, 16, 17};
    uint64_t seed = 7 + (uint64_t)_i;
    split_t P = make_split(of[_i], 0, 0, MIXED, seed);
    const int far = GSVD_SINGLE ? 18 : 53;
    const int64_t m = P.A.rows, p = P.B.rows, n = P.A.cols;
    for (int64_t i = 0; i < p; ++i) {
        for (int64_t j = 0; j < n && i % 3 == 1; ++j)
            AT(P.B, i, j) = scale(2, AT(P.B, i - 1, j));
        scale_row(P.B, i, ldexp_r(1, i % 3 == 2 ? -far : far));
    }
    for (int64_t i = 0; i < m; ++i) {
        for (int64_t j = 0; j < n && i % 3 == 1; ++j)
            AT(P.A, i, j) = AT(P.A, i - 1, j);
        scale_row(P.A, i, ldexp_r(1, i % 3 == 2 ? -far : far));
    }
    rank_by(GSVD_RANK_ROWS);
    for (int door = 0; door < doors(); ++door) {
        const result_t r =
            preprocess((door_t)door, 'U', 'V', 'Q', P.A, P.B, -1, -1);
        ck_assert_ok(r.status);
        const double a = row_error(P.A, r.U, r.A, r.Q);
        const double b = row_error(P.B, r.V, r.B, r.Q);
        const double bound = bound_of(&P) * (double)n; /* A23 grows         */
        ck_assert_msg(a <= bound, "A: %.1e", a);
        ck_assert_msg(b <= bound, "B: %.1e", b);
        ck_assert_ratio(defect(r.U));
        ck_assert_ratio(defect(r.V));
        ck_assert_ratio(defect(r.Q));
    }
}
END_TEST

/* ---- what else is promised ----------------------------------------------------------- */

/* A tolerance that is given has no unit: a row that is another but for 2^-12 of it, single 2^-6,
 * counts by a smaller one, however small both are. */
START_TEST(given_tolerances)
{
    const int part = GSVD_SINGLE ? 6 : 12;
    for (uint64_t seed = 1; seed < 10; ++seed) {
        const split_t P = make_split(0, 0, 0, MIXED, seed);
        const int64_t n = P.A.cols, p = n;
        const mat_t B = mat_rows(P.B, 0, p);
        for (int64_t j = 0; j < n; ++j)
            AT(B, p - 1, j) =
                add(AT(B, p - 2, j), scale(ldexp_r(1, -part), AT(B, p - 1, j)));
        for (int64_t i = 0; i < p; ++i)
            scale_row(B, i, ldexp_r(1, _i ? -(int)(i * i) : 0));
        rank_by(GSVD_RANK_ROWS);
        for (int less = 0; less < 2; ++less) {
            ck_assert_ok(gsvd_set_option(
                handle, GSVD_TOL_B, ldexp(1, less ? -part - 8 : -part / 2)));
            const result_t r = decompose(HOST, 'U', 'V', 'Q', P.A, B);
            ck_assert_ok(r.status);
            ck_assert_int_eq(r.l, less ? p : p - 1);
            ck_assert_int_eq(r.k + r.l, n);
        }
        release_pool();
    }
}
END_TEST

enum { FAR = GSVD_SINGLE ? 100 : 664 }; /* 10^+-30, 10^+-200              */

/* Columns of both over 2^+-far.  By tolerances of 0 each of B counts, by either kind of rank, whatever
 * rows are, and of both where columns are scaled (else A beside them is rounding).  By default
 * tolerances each counts where all are scaled, or the status tells that scales do not reach. */
START_TEST(columns_far_apart)
{
    static const int far[] = {GSVD_SINGLE ? 55 : 480, FAR};
    const int given = _i % 2, all = _i / 2 % 2, e = far[_i / 4 % 2];
    for (int c = 0; c < RECIPES - 1; ++c)
        for (uint64_t seed = 1; seed <= 2; ++seed) {
            const split_t P =
                make_split(c, seed == 1 ? 0 : 4, seed == 1 ? 0 : 4, MIXED,
                           1000 * (uint64_t)c + seed);
            uint64_t more = seed;
            for (int64_t j = 0; j < P.A.cols; ++j) {
                const int of = (int)random_below(&more, 2 * e + 1) - e;
                scale_column(P.A, j, ldexp(1, j > 1 ? of : j > 0 ? e : -e));
                scale_column(P.B, j, ldexp(1, j > 1 ? of : j > 0 ? e : -e));
            }
            const double tol = given ? 0 : -1;
            ck_assert_ok(gsvd_set_option(handle, GSVD_TOL_A, tol));
            ck_assert_ok(gsvd_set_option(handle, GSVD_TOL_B, tol));
            ck_assert_ok(gsvd_set_option(handle, GSVD_EQUILIBRATE,
                                         all || !given ? GSVD_EQUILIBRATE_ON
                                                       : GSVD_EQUILIBRATE_OFF));
            for (int how = GSVD_RANK_NORM; how <= GSVD_RANK_ROWS; ++how) {
                rank_by((gsvd_rank_t)how);
                const result_t r = decompose(HOST, 'N', 'N', 'N', P.A, P.B);
                if (!given && e == FAR && P.A.cols > 1) {
                    ck_assert_int_eq(r.status, GSVD_NOT_CONVERGED);
                    continue;
                }
                if (GSVD_SINGLE && e == FAR && r.status == GSVD_NOT_CONVERGED)
                    continue; /* beyond 1e40, which gsvd.h promises */
                ck_assert_ok(r.status);
                ck_assert_msg(
                    given ? r.l >= P.l && (!all || r.k + r.l >= P.k + P.l)
                          : has_ranks(&r, &P),
                    "recipe %d, ranks %d: k %ld l %ld, not %ld %ld", c, how,
                    (long)r.k, (long)r.l, (long)P.k, (long)P.l);
            }
            release_pool();
        }
}
END_TEST

static void ck_assert_rows_of(const split_t *P, int a, int b)
{
    const result_t r = decompose(HOST, 'N', 'N', 'N', P->A, P->B);
    ck_assert_ok(r.status);
    const gsvd_stats_t stats = stats_of_call();
    ck_assert_int_eq(stats.rows_of_a, a);
    ck_assert_int_eq(stats.rows_of_b, b);
}

/* Statistics tell of which matrix rows decided: of A's none do where B has full column rank. */
START_TEST(statistics)
{
    const split_t both = make_split(2, 8, 8, FALLING, 3);
    const split_t of_a = make_split(2, 8, 0, FALLING, 3);
    const split_t of_b = make_split(2, 0, 8, FALLING, 3);
    const split_t full = make_split(0, 8, 8, FALLING, 3);
    ck_assert_rows_of(&both, 0, 0);
    rank_by(GSVD_RANK_ROWS);
    ck_assert_rows_of(&both, 1, 1);
    ck_assert_rows_of(&of_a, 1, 0);
    ck_assert_rows_of(&of_b, 0, 1);
    ck_assert_rows_of(&full, 0, 1);
    uint64_t seed = 5; /* a pair of a few columns, which has a way of its own */
    split_t small = {.A = normal_mat(3, 3, &seed),
                     .B = normal_mat(3, 3, &seed)};
    scale_row(small.B, 1, (real_t)0.01);
    ck_assert_rows_of(&small, 0, 1);
}
END_TEST

static int rows_alike(mat_t A)
{
    real_t largest = 0, least = GSVD_REAL_MAX;
    for (int64_t i = 0; i < A.rows; ++i) {
        real_t size = 0;
        for (int64_t j = 0; j < A.cols; ++j)
            size = fmax_r(size, abs_max(AT(A, i, j)));
        largest = fmax_r(largest, size);
        least = size > 0 && size < least ? size : least;
    }
    return !rows_are_sorted(largest, least);
}

/* Rows that are alike: the same bits as by the norm */
START_TEST(alike_rows_stay)
{
    int alike = 0;
    for (int c = 0; c < RECIPES; ++c) {
        const split_t P = make_split(c, 0, 0, MIXED, 11);
        if (P.A.cols <= 4 || too_large(P.A.rows, P.A.cols, P.B.rows))
            continue; /* The short way is not taken.                        */
        if (!rows_alike(P.A) || !rows_alike(P.B))
            continue;
        ++alike;
        rank_by(GSVD_RANK_NORM);
        const result_t x = decompose(HOST, 'U', 'V', 'Q', P.A, P.B);
        rank_by(GSVD_RANK_ROWS);
        const result_t y = decompose(HOST, 'U', 'V', 'Q', P.A, P.B);
        ck_assert(x.k == y.k && x.l == y.l);
        ck_assert_same(x.A, y.A);
        ck_assert_same(x.U, y.U);
        ck_assert_same(x.V, y.V);
        ck_assert_same(x.Q, y.Q);
        release_pool();
    }
    ck_assert_int_gt(alike, 0);
}
END_TEST

/* A batch has the ranks of its pairs one by one. */
START_TEST(batches)
{
    enum { PAIRS = 5 };
    sample_t P[PAIRS];
    for (uint64_t i = 0; i < PAIRS; ++i) {
        const split_t s = make_split(3, 12, 12, MIXED, 20 + i);
        P[i] = (sample_t){.A = s.A, .B = s.B, .k = s.k, .l = s.l};
    }
    rank_by(GSVD_RANK_ROWS);
    const result_t *const r = decompose_batch(PAIRS, 'U', 'V', 'Q', 0, P);
    for (int i = 0; i < PAIRS; ++i)
        ck_assert(r[i].info == 0 && r[i].k == P[i].k && r[i].l == P[i].l);
}
END_TEST

/* A plan tells what the option takes, and no byte less. */
START_TEST(workspace)
{
    const int c = RECIPES - 1 - _i;
    const split_t P = make_split(c, 8, 8, MIXED, 30);
    const int64_t m = P.A.rows, n = P.A.cols, p = P.B.rows;
    const gsvd_problem_t half =
        new_problem(GSVD_ROUTINE_PREPROCESS, HOST, "UVQ", m, n, p);
    const gsvd_problem_t all =
        new_problem(GSVD_ROUTINE_GSVD, HOST, "UVQ", m, n, p);
    size_t by_norm, by_rows, host, device;
    if (on_device || too_large(m, n, p))
        return;
    ck_assert_ok(workspace_of(handle, half, &device, &by_norm));
    rank_by(GSVD_RANK_ROWS);
    ck_assert_ok(workspace_of(handle, half, &device, &by_rows));
    ck_assert(by_rows > by_norm);
    ck_assert_ok(workspace_of(handle, all, &device, &host));
    void *const memory = grab(host);
    ck_assert_ok(gsvd_set_workspace(handle, NULL, 0, memory, host));
    const result_t r = decompose(HOST, 'U', 'V', 'Q', P.A, P.B);
    ck_assert_ok(r.status);
    ck_assert(has_ranks(&r, &P));
    ck_assert_ok(gsvd_set_workspace(handle, NULL, 0, memory, host - 1));
    ck_assert_int_eq(decompose(HOST, 'U', 'V', 'Q', P.A, P.B).status,
                     GSVD_WORKSPACE_TOO_SMALL);
}
END_TEST

Suite *make_suite(void)
{
    Suite *s = suite_create("rank_rows");
    TCase *t = add_tcase(s, "ranks");
    const int all = SCALES * ORDERS * WHERE, half = all / 2;
    add_shared_loop_test(t, ranks_and_values, 0, half, 2);
    tcase_add_loop_test(t, large_rows_that_repeat, 0, 7);
    tcase_add_loop_test(t, given_tolerances, 0, 2);
    tcase_add_loop_test(t, columns_far_apart, 0, 8);
    tcase_add_test(t, statistics);
    tcase_add_test(t, alike_rows_stay);
    tcase_add_test(t, batches);
    tcase_add_loop_test(t, workspace, 0, 4);
    t = add_tcase(s, "rest"); /* CMakeLists.txt names it.                    */
    add_shared_loop_test(t, ranks_and_values, half, all, 2);
    return s;
}
