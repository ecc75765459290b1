/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* test_rows.c -- rows of very different size: each keeps its own accuracy.
 *
 * B's error in row i, |dB(i,:)| / |B(i,:)|, is that of a pivoted QR with sorted
 * rows, some n ulp (Cox and Higham 1998).  A's has a factor beyond: with rows so
 * different the QR of A23, whose columns cannot be pivoted, is Gaussian
 * elimination without pivoting, which for normal numbers grows entries by about n
 * (a pivot is 1/n of its row once in n steps).  Without the sort both are 10^16
 * and more times that.
 */
#include "gsvd/pipeline.h"
#include "harness/harness.h"
#include "harness/wide.h"

typedef enum order { MIXED, DESCENDING, ASCENDING, ORDERS } order_t;

/* tall, wide, both; beyond a strip and a block; B far taller than A */
static const struct {
    int m, n, p;
} size[] =
    {
        {48, 24, 48},    {33, 33, 33}, {40, 33, 20},  {20, 33, 40},
        {24, 40, 30},    {10, 33, 12}, {150, 80, 90}, {3, 2, 60},
        {420, 400, 410}, /* rows fall by 1e-3 in a panel                         */
};
enum { SIZES = sizeof size / sizeof *size };

/* ---- pairs -------------------------------------------------------------- */

/* row i times 10^u, u in +-most; a tall matrix gets a zero row */
static void grade(mat_t X_, order_t order, uint64_t *seed)
{
    const double most = GSVD_SINGLE ? 8 : 16;
    for (int64_t i = 0; i < X_.rows; ++i) {
        double u = most - 2 * most * (double)i / (double)max_i(X_.rows - 1, 1);
        if (order == ASCENDING)
            u = -u;
        if (order == MIXED)
            u = most * (2 * random_unit(seed) - 1);
        if (i == 1 && X_.rows > X_.cols)
            u = -INFINITY;
        scale_row(X_, i, pow(10, u));
    }
}

typedef struct graded {
    mat_t A, B;
    real_t tola, tolb;
} graded_t;

/* normal numbers, rows of both graded; or those of A, and rank(B) = n/2 */
static graded_t make_graded(int i, order_t order, int deficient)
{
    uint64_t seed = 40 + (uint64_t)order;
    graded_t P = {normal_mat(size[i].m, size[i].n, &seed),
                  normal_mat(size[i].p, size[i].n, &seed), 0, 0};
    grade(P.A, order, &seed);
    if (!deficient) {
        grade(P.B, order, &seed);
        return P;
    }
    const int64_t r = min_i(size[i].p, size[i].n) / 2;
    P.B = product('N', 'N', normal_mat(size[i].p, r, &seed),
                  normal_mat(r, size[i].n, &seed));
    P.tolb = -1;
    return P;
}

/* ---- errors ------------------------------------------------------------- */

static double bound_of(mat_t X_, double growth)
{
    return LIMIT * (double)max_i(X_.rows, X_.cols) * growth * GSVD_ULP;
}

static double bound_b(mat_t B) { return bound_of(B, 1); }
static double bound_a(mat_t A) { return bound_of(A, (double)A.cols); }

static void ck_assert_rows(const graded_t *P, const result_t *r)
{
    const double a = row_error(P->A, r->U, r->A, r->Q);
    const double b = row_error(P->B, r->V, r->B, r->Q);
    ck_assert_ok(r->status);
    ck_assert_msg(a <= bound_a(P->A), "A: %.1e, not %.1e", a, bound_a(P->A));
    ck_assert_msg(b <= bound_b(P->B), "B: %.1e, not %.1e", b, bound_b(P->B));
    ck_assert_ratio(defect(r->U));
    ck_assert_ratio(defect(r->V));
    ck_assert_ratio(defect(r->Q));
}

/* ---- preprocessing without the sort ------------------------------------- */

static mat_t factor(int64_t rows) { return to_backend(new_mat(rows, rows)); }

/* ..._preprocess with this tuning, with its step 0 or without */
static result_t preprocess_by(const graded_t *G, const tuning_t *tune,
                              int sorted)
{
    const int64_t m = G->A.rows, n = G->A.cols, p = G->B.rows;
    pair_t P = {.m = m,
                .n = n,
                .p = p,
                .A = to_backend(G->A),
                .B = to_backend(G->B),
                .U = factor(m),
                .V = factor(p),
                .Q = factor(n),
                .tola = G->tola,
                .tolb = G->tolb};
    exec_t ex = *on(handle);
    outcome_t out = {0};
    preprocess_work_t w;

    ex.tune = tune;
    X(preprocess_carve)(&ex.work, &ex, m, n, p, m, p, &w);
    ck_assert_ok(X(scale_pair)(&ex, &P, &w, &out));
    if (!sorted)
        P.sort_a = P.sort_b = 0;
    ex.policy.rowwise_stable = P.sort_a || P.sort_b;
    ck_assert_ok(X(preprocess_pair)(&ex, &P, &w));
    ck_assert_ok(X(unscale_pair)(&ex, &P, &out));
    return (result_t){.status = GSVD_SUCCESS,
                      .k = P.k,
                      .l = P.l,
                      .A = from_backend(P.A),
                      .B = from_backend(P.B),
                      .U = from_backend(P.U),
                      .V = from_backend(P.V),
                      .Q = from_backend(P.Q)};
}

static result_t unsorted(const graded_t *G)
{
    return preprocess_by(G, on(handle)->tune, 0);
}

/* ---- tests -------------------------------------------------------------- */

START_TEST(small_rows_keep_their_accuracy)
{
    const int i = _i / ORDERS;
    if (too_large(size[i].m, size[i].n, size[i].p) ||
        (size[i].m > 400 && !is_shared_case(_i % ORDERS, ORDERS)))
        return;
    for (int door = 0; door < doors(); ++door)
        for (int deficient = 0; deficient < 2; ++deficient)
            for (int economy = 0; economy < 2; ++economy) {
                const graded_t P =
                    make_graded(i, (order_t)(_i % ORDERS), deficient);
                const result_t r = preprocess((door_t)door, economy ? 'S' : 'U',
                                              economy ? 'S' : 'V', 'Q', P.A,
                                              P.B, P.tola, P.tolb);
                ck_assert_rows(&P, &r);
            }
}
END_TEST

/* ... whichever way panels and pivots are found */
START_TEST(options)
{
    const graded_t P = make_graded(0, MIXED, 0);
    for (int norm = 0; norm < 2; ++norm)
        for (int panel = GSVD_PANEL_AUTO; panel <= GSVD_PANEL_TSQR; ++panel) {
            ck_assert_ok(gsvd_set_option(handle, GSVD_PIVOT,
                                         norm ? GSVD_PIVOT_NORM
                                              : GSVD_PIVOT_TOURNAMENT));
            ck_assert_ok(gsvd_set_option(handle, GSVD_PANEL, panel));
            const result_t r =
                preprocess(HOST, 'U', 'V', 'Q', P.A, P.B, P.tola, P.tolb);
            ck_assert_rows(&P, &r);
        }
}
END_TEST

/* The triangles do not depend on what else is asked for. */
START_TEST(jobs)
{
    static const char *const set[] = {"NNN", "UNN", "NVN", "NNQ"};
    const graded_t P = make_graded(0, MIXED, 0);
    for (int door = 0; door < doors(); ++door) {
        const result_t full =
            preprocess((door_t)door, 'U', 'V', 'Q', P.A, P.B, P.tola, P.tolb);
        for (int i = 0; i < 4; ++i) {
            const result_t r = preprocess((door_t)door, set[i][0], set[i][1],
                                          set[i][2], P.A, P.B, P.tola, P.tolb);
            ck_assert_ok(r.status);
            ck_assert_same(r.A, full.A);
            ck_assert_same(r.B, full.B);
            if (r.U.data)
                ck_assert_same(r.U, full.U);
            if (r.V.data)
                ck_assert_same(r.V, full.V);
        }
    }
}
END_TEST

START_TEST(lost_without_the_sort)
{
    for (order_t order = MIXED; order < ORDERS; ++order) {
        const graded_t P = make_graded(0, order, 0);
        const result_t r = unsorted(&P);
        const double a = row_error(P.A, r.U, r.A, r.Q);
        const double b = row_error(P.B, r.V, r.B, r.Q);
        if (order == DESCENDING)
            continue;
        ck_assert_msg(a > 1e3 * bound_a(P.A), "A: %.1e", a);
        ck_assert_msg(b > 1e3 * bound_b(P.B), "B: %.1e", b);
    }
}
END_TEST

/* sizes that differ by less than 8: the same bits as without the sort */
START_TEST(alike_rows_stay)
{
    uint64_t seed = 43;
    graded_t P = {normal_mat(40, 20, &seed), normal_mat(50, 20, &seed), -1, -1};
    for (int64_t j = 0; j < 20; ++j)
        for (int64_t i = 0; i < 40; ++i)
            AT(P.A, i, j) = scale(ldexp_r(1, (int)i / 40), AT(P.A, i, j));
    const result_t x = unsorted(&P);
    const result_t y = preprocess_by(&P, on(handle)->tune, 1);
    ck_assert_same(x.A, y.A);
    ck_assert_same(x.B, y.B);
    ck_assert_same(x.U, y.U);
    ck_assert_same(x.V, y.V);
    ck_assert_same(x.Q, y.Q);
}
END_TEST

/* Rows of A graded: the values, each to its own last digits, in any order of
 * rows; alpha / beta of the descending one to compare with. */
START_TEST(values_of_any_order)
{
    const int64_t m = 48, n = 24;
    uint64_t seed = 44;
    const mat_t B = normal_mat(48, n, &seed);
    mat_t A = normal_mat(m, n, &seed), S = new_mat(m, n);
    grade(A, DESCENDING, &seed);
    EACH_ENTRY (S, i, j)
        AT(S, i, j) = AT(A, i * 29 % m, j);
    for (int door = 0; door < doors(); ++door)
        for (int all = 0; all < 2; ++all) {
            const char *const job = all ? "UVQ" : "NNN";
            const result_t x =
                decompose((door_t)door, job[0], job[1], job[2], A, B);
            const result_t y =
                decompose((door_t)door, job[0], job[1], job[2], S, B);
            ck_assert_ok(x.status);
            ck_assert_ok(y.status);
            for (int64_t i = 0; i < n; ++i) {
                const double a = (double)x.alpha[i] / x.beta[i];
                const double b = (double)y.alpha[i] / y.beta[i];
                ck_assert_msg(fabs(a - b) <= bound_a(A) * a, "%.17g, %.17g", a,
                              b);
            }
        }
}
END_TEST

/* Rows of both graded, nothing dropped: (B, A) has the values of (A, B) turned
 * round, in the chordal metric. */
START_TEST(values_of_both)
{
    const graded_t P = make_graded(0, (order_t)_i, 0);
    const int64_t n = P.A.cols;
    real_t *const alpha = grab((size_t)n * sizeof *alpha);
    real_t *const beta = grab((size_t)n * sizeof *beta);
    ck_assert_ok(gsvd_set_option(handle, GSVD_TOL_A, 0));
    ck_assert_ok(gsvd_set_option(handle, GSVD_TOL_B, 0));
    for (int door = 0; door < doors(); ++door)
        for (int all = 0; all < 2; ++all) {
            const char *const job = all ? "UVQ" : "NNN";
            const result_t x =
                decompose((door_t)door, job[0], job[1], job[2], P.A, P.B);
            const result_t y =
                decompose((door_t)door, job[0], job[1], job[2], P.B, P.A);
            ck_assert_ok(x.status);
            ck_assert_ok(y.status);
            ck_assert(x.l == n && y.l == n);
            for (int64_t i = 0; i < n; ++i) {
                alpha[i] = y.beta[n - 1 - i];
                beta[i] = y.alpha[n - 1 - i];
            }
            const double d = chordal(n, x.alpha, x.beta, 1, 1, alpha, beta);
            ck_assert_msg(d <= bound_a(P.A), "%s: %.1e", job, d);
        }
}
END_TEST

/* rows of one matrix alone, of A or of B */
START_TEST(one_of_them)
{
    const int i = _i / 2;
    uint64_t seed = 47;
    graded_t P = {normal_mat(size[i].m, size[i].n, &seed),
                  normal_mat(size[i].p, size[i].n, &seed), 0, 0};
    if (too_large(size[i].m, size[i].n, size[i].p))
        return;
    grade(_i % 2 ? P.A : P.B, MIXED, &seed);
    ck_assert_ok(gsvd_set_option(handle, GSVD_PANEL,
                                 i % 2 ? GSVD_PANEL_TSQR : GSVD_PANEL_AUTO));
    for (int door = 0; door < doors(); ++door) {
        const result_t r =
            preprocess((door_t)door, 'U', 'V', 'Q', P.A, P.B, P.tola, P.tolb);
        ck_assert_rows(&P, &r);
    }
}
END_TEST

/* entries of (-1, 1), the first of each row 1; every other row, the first of them,
 * times 2^-spread */
static mat_t spread_mat(int64_t rows, int64_t cols, int spread, uint64_t *seed)
{
    const mat_t A = random_mat(rows, cols, seed);
    for (int64_t i = 0; i < rows; ++i) {
        AT(A, i, 0) = make(1, 0);
        for (int64_t j = 0; j < cols; ++j) {
            const scalar_t a = AT(A, i, j);
            AT(A, i, j) = scale(ldexp_r(1, i % 2 ? 0 : -spread), a);
        }
    }
    return A;
}

enum { ALIKE = 3 };

/* Sizes that differ by 2^ALIKE = ROWS_ALIKE stay, by twice that they do not; from there on each row
 * has its own accuracy.  In A, in B, or in both. */
START_TEST(spreads)
{
    static const int spread[] = {ALIKE, ALIKE + 1, 16, 22, 30};
    const int e = spread[_i / 3], a = _i % 3 != 1, b = _i % 3 != 0;
    uint64_t seed = 48;
    const graded_t P = {spread_mat(48, 24, a ? e : 0, &seed),
                        spread_mat(40, 24, b ? e : 0, &seed), 0, 0};
    const result_t x = unsorted(&P), y = preprocess_by(&P, on(handle)->tune, 1);
    const int same_u = distance(y.U, x.U) == 0;
    const int same_v = distance(y.V, x.V) == 0;
    ck_assert(same_v == !(b && e > ALIKE));
    ck_assert(!same_u || !(a && e > ALIKE));
    ck_assert(same_u || e > ALIKE);
    for (int door = 0; door < doors() && e > ALIKE; ++door) {
        const result_t r =
            preprocess((door_t)door, 'U', 'V', 'Q', P.A, P.B, P.tola, P.tolb);
        ck_assert_rows(&P, &r);
    }
    if (e >= 22 && a)
        ck_assert(row_error(P.A, x.U, x.A, x.Q) > bound_a(P.A));
    if (e >= 22 && b)
        ck_assert(row_error(P.B, x.V, x.B, x.Q) > bound_b(P.B));
}
END_TEST

/* where there are more columns than are pivoted one by one: by exact norms all the same, or by
 * panels, where they do not fall by too much */
START_TEST(eager_panels)
{
    tuning_t eager = *on(handle)->tune;
    eager.pivot_last = eager.pivot_width;
    eager.pivot_graded = _i;
    for (int i = 0; i < SIZES; ++i) {
        const graded_t P = make_graded(i, MIXED, 0);
        if (too_large(size[i].m, size[i].n, size[i].p))
            continue;
        const result_t r = preprocess_by(&P, &eager, 1);
        ck_assert_rows(&P, &r);
        release_pool();
    }
}
END_TEST

/* D1 (0 R) or D2 (0 R) with as many rows as the factor has columns */
static mat_t middle(const result_t *r, int which, int64_t rows)
{
    const mat_t R = get_R(r), T = zero_mat(rows, R.cols);
    EACH_ENTRY (T, i, j)
        if (which && i < r->l)
            AT(T, i, j) = scale(r->beta[r->k + i], AT(R, r->k + i, j));
        else if (!which && i < R.rows)
            AT(T, i, j) = scale(r->alpha[i], AT(R, i, j));
    return T;
}

/* The whole decomposition of a tall A with such rows and a B without: all rows of
 * both.  Where B's rows are such too the solver's V mixes them: of those pairs
 * the values alone are as exact. */
START_TEST(end_to_end)
{
    const int i = _i / ORDERS;
    uint64_t seed = 46;
    const graded_t P = {normal_mat(size[i].m, size[i].n, &seed),
                        normal_mat(size[i].p, size[i].n, &seed), 0, 0};
    if (too_large(size[i].m, size[i].n, size[i].p) || size[i].m <= size[i].n)
        return;
    grade(P.A, (order_t)(_i % ORDERS), &seed);
    for (int door = 0; door < doors(); ++door) {
        ck_assert_ok(gsvd_set_option(handle, GSVD_TOL_A, 0));
        ck_assert_ok(gsvd_set_option(handle, GSVD_TOL_B, 0));
        const result_t r = decompose((door_t)door, 'U', 'V', 'Q', P.A, P.B);
        ck_assert_ok(r.status);
        const double a = row_error(P.A, r.U, middle(&r, 0, P.A.rows), r.Q);
        const double b = row_error(P.B, r.V, middle(&r, 1, P.B.rows), r.Q);
        ck_assert_msg(a <= bound_a(P.A), "A: %.1e", a);
        ck_assert_msg(b <= bound_b(P.B), "B: %.1e", b);
        ck_assert_ratios(P.A, P.B, &r, "end to end");
    }
}
END_TEST

/* ---- zeros -------------------------------------------------------------- */

static const int order_of_zeros[] = {2, 3, 4, 5, 9, 33, 70};
enum { ZERO_ORDERS = sizeof order_of_zeros / sizeof *order_of_zeros };

/* A with fewer rows that are not 0 than columns: so many values are 0, and not what rounding of A is
 * to a B of 2^-54 |A|, single 2^-24; and B with such rows has their number as its rank, by a tolerance
 * of 0.  Square and tall. */
START_TEST(zeros_among_rows)
{
    const int64_t n = order_of_zeros[_i / 4], m = _i % 2 ? n + (n + 1) / 2 : n;
    const int64_t left = _i / 2 % 2 ? n - 1 : (n + 1) / 2;
    uint64_t seed = 50 + (uint64_t)_i;

    ck_assert_ok(gsvd_set_option(handle, GSVD_TOL_B, 0));
    for (int draw = 0; draw < (n > 9 ? 1 : 6); ++draw) {
        const mat_t A = normal_mat(m, n, &seed), B = normal_mat(m, n, &seed);
        const mat_t small =
            ldexp_mat(mat_rows(B, 0, n), GSVD_SINGLE ? -24 : -54);
        leave_rows(A, left, &seed);
        leave_rows(B, left, &seed);
        for (int door = 0; door < doors(); ++door)
            for (int all = 0; all < 2; ++all) {
                const char *const job = all ? "UVQ" : "NNN";
                const result_t x =
                    decompose((door_t)door, job[0], job[1], job[2], A, small);
                ck_assert_ok(x.status);
                ck_assert(x.k == 0 && x.l == n && x.alpha[left - 1] > 0);
                for (int64_t j = left; j < n; ++j)
                    ck_assert_msg(x.alpha[j] <= 0, "%ld: %g", (long)j,
                                  (double)x.alpha[j]);
                if (all)
                    ck_assert_ratios(A, small, &x, "zeros among rows");
                ck_assert_int_eq(decompose((door_t)door, job[0], job[1], job[2],
                                           normal_mat(n, n, &seed), B)
                                     .l,
                                 left);
            }
        release_pool();
    }
}
END_TEST

/* ---- what a handle keeps of it ------------------------------------------- */

typedef struct one {
    mat_t qr, geqp, urv, U, V, tau;
    int64_t *jpvt, rank;
} one_t;

static one_t factor_one(mat_t A)
{
    const int64_t m = A.rows, n = A.cols;
    one_t x = {.qr = copy_mat(A),
               .geqp = copy_mat(A),
               .urv = copy_mat(A),
               .U = new_mat(m, m),
               .V = new_mat(n, n),
               .tau = new_mat(min_i(m, n), 1),
               .jpvt = grab((size_t)n * sizeof *x.jpvt)};
    const mat_t tau = new_mat(min_i(m, n), 1);
    int64_t rank;
    ck_assert_int_eq(X(qr)(handle, m, n, x.qr.data, x.qr.ld, x.tau.data, NULL),
                     GSVD_SUCCESS);
    ck_assert_int_eq(X(geqp)(handle, m, n, x.geqp.data, x.geqp.ld, x.jpvt,
                             tau.data, -1, &x.rank, NULL),
                     GSVD_SUCCESS);
    ck_assert_int_eq(X(urv)(handle, 'U', 'V', m, n, x.urv.data, x.urv.ld, -1,
                            &rank, x.U.data, x.U.ld, x.V.data, x.V.ld, NULL),
                     GSVD_SUCCESS);
    ck_assert_int_eq(rank, x.rank);
    return x;
}

/* a pair of such rows, and then one matrix: as if there had been no pair, whose
 * rows are of no concern to it */
START_TEST(next_call)
{
    uint64_t seed = 49;
    const int64_t n = 150; /* its panels are blocked                        */
    if (too_large(n, n, n))
        return;
    const gsvd_handle_t used = handle;
    const int panel = _i % 2 ? GSVD_PANEL_TSQR : GSVD_PANEL_AUTO;
    ck_assert_ok(gsvd_set_option(handle, GSVD_PANEL, panel));
    for (int door = 0; door < doors(); ++door) {
        const graded_t P = make_graded(0, MIXED, 0);
        const mat_t A = normal_mat(n + 20, n, &seed);
        ck_assert_ok(decompose((door_t)door, 'U', 'V', 'Q', P.A, P.B).status);
        const one_t x = factor_one(A);
        ck_assert_int_eq(gsvd_create(&handle, on_device ? 0 : GSVD_HOST),
                         GSVD_SUCCESS);
        ck_assert_int_eq(gsvd_set_option(handle, GSVD_PANEL, panel),
                         GSVD_SUCCESS);
        const one_t y = factor_one(A);
        ck_assert_int_eq(gsvd_destroy(handle), GSVD_SUCCESS);
        handle = used;
        ck_assert_same(x.qr, y.qr);
        ck_assert_same(x.tau, y.tau);
        ck_assert_same(x.geqp, y.geqp);
        ck_assert_mem_eq(x.jpvt, y.jpvt, (size_t)n * sizeof *x.jpvt);
        ck_assert_same(x.urv, y.urv);
        ck_assert_same(x.U, y.U);
        ck_assert_same(x.V, y.V);
        release_pool();
    }
}
END_TEST

Suite *make_suite(void)
{
    Suite *s = suite_create("rows");
    TCase *t = add_tcase(s, "rows");
    tcase_add_loop_test(t, small_rows_keep_their_accuracy, 0, SIZES * ORDERS);
    tcase_add_test(t, options);
    tcase_add_test(t, jobs);
    tcase_add_test(t, lost_without_the_sort);
    tcase_add_test(t, alike_rows_stay);
    tcase_add_test(t, values_of_any_order);
    tcase_add_loop_test(t, values_of_both, 0, ORDERS);
    tcase_add_loop_test(t, one_of_them, 0, 2 * SIZES);
    tcase_add_loop_test(t, spreads, 0, 15);
    tcase_add_loop_test(t, eager_panels, 0, 2);
    tcase_add_loop_test(t, zeros_among_rows, 0, 4 * ZERO_ORDERS);
    t = add_tcase(s, "rest"); /* CMakeLists.txt names it.                    */
    tcase_add_loop_test(t, end_to_end, 0, SIZES * ORDERS);
    t = add_tcase(s, "next");
    tcase_add_loop_test(t, next_call, 0, 2);
    return s;
}
