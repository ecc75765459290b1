/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* test_grid_factors.c -- QR, pivoted QR, the hyperbolic SVD and eigenvalues on grids of all shapes of the
 * processes that there are. */
#include <stdio.h>

#include "harness/graded.h"
#include "harness/grid.h"
#include "harness/signed.h"
#include "harness/wide.h"

/* ---- QR -------------------------------------------------------------------------- */

typedef struct qr_on_grid {
    gsvd_status_t status;
    int info, pivoted;
    int64_t rank, *jpvt;
    mat_t A; /* R and reflectors                                             */
    scalar_t *tau;
} qr_on_grid_t;

/* tol: of pivots */
static qr_on_grid_t factor(const grid_of_t *g, int pivoted, real_t tol, mat_t A,
                           const layout_t *l)
{
    const int64_t m = A.rows, n = A.cols, r = min_i(m, n);
    const spread_t dA = spread(g, A, l);
    qr_on_grid_t s = {.info = 99,
                      .pivoted = pivoted,
                      .rank = r,
                      .jpvt = grab((size_t)(n + 1) * sizeof *s.jpvt),
                      .tau = grab((size_t)(r + 1) * sizeof *s.tau)};
    for (int64_t j = 0; j < n; ++j)
        s.jpvt[j] = j + 1;
    s.status = pivoted ? X(grid_geqp)(g->g, m, n, dA.data, &dA.d, s.jpvt, s.tau,
                                      tol, &s.rank, &s.info)
                       : X(grid_qr)(g->g, m, n, dA.data, &dA.d, s.tau, &s.info);
    s.A = gathered(g, &dA, m, n);
    return s;
}

/* Q of the first `rank` reflectors times C */
static void apply_q(const qr_on_grid_t *s, int64_t rank, mat_t C)
{
    for (int64_t k = rank - 1; k >= 0; --k)
        for (int64_t j = 0; j < C.cols; ++j) {
            scalar_t sum = AT(C, k, j);
            for (int64_t i = k + 1; i < C.rows; ++i)
                sum = add(sum, mul(conj_of(AT(s->A, i, k)), AT(C, i, j)));
            sum = mul(s->tau[k], sum);
            AT(C, k, j) = sub(AT(C, k, j), sum);
            for (int64_t i = k + 1; i < C.rows; ++i)
                AT(C, i, j) = sub(AT(C, i, j), mul(AT(s->A, i, k), sum));
        }
}

/* What process 0 finds: of Q in LAPACK's ratio, the largest relative error of a column of Q R, the least of
 * R11's diagonal and the longest column of R22 */
typedef struct found_qr {
    double of_q, column, least, longest;
} found_qr_t;

static found_qr_t look_at_qr(mat_t A, const qr_on_grid_t *s)
{
    const int64_t m = A.rows, n = A.cols, k = s->rank;
    const mat_t QR = copy_mat(s->A), Q = new_mat(m, m);
    found_qr_t f = {0, 0, HUGE_VAL, 0};
    EACH_ENTRY (QR, i, j)
        if (i > j && j < k)
            AT(QR, i, j) = make(0, 0);
    for (int64_t j = 0; j < k; ++j)
        f.least = fmin(f.least, (double)abs_of(AT(QR, j, j)));
    for (int64_t j = k; j < n; ++j)
        f.longest = fmax(f.longest,
                         (double)length_of_column(mat_rows(QR, k, m - k), j));
    apply_q(s, k, QR);
    EACH_ENTRY (Q, i, j)
        AT(Q, i, j) = make(i == j, 0);
    apply_q(s, k, Q);
    f.of_q = defect(Q);
    for (int64_t j = 0; j < n; ++j) {
        const mat_t a = copy_mat(mat_cols(A, s->jpvt[j] - 1, 1));
        const wide_t length = length_of_column(a, 0);
        for (int64_t i = 0; i < m; ++i)
            AT(a, i, 0) = sub(AT(a, i, 0), AT(QR, i, j));
        if (length > 0)
            f.column =
                fmax(f.column, (double)(length_of_column(a, 0) / length));
    }
    return f;
}

static void check_qr(const grid_of_t *g, mat_t A, const qr_on_grid_t *s,
                     double tol)
{
    const int64_t m = A.rows, n = A.cols;
    found_qr_t f = {0, 0, 0, 0};
    if (me == 0) /* The others' cores are these.                             */
        f = look_at_qr(A, s);
    MPI_Bcast(&f, 4, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    ck_assert_ratio(f.of_q);
    ck_assert_msg(f.column <= 450 * (double)GSVD_EPS,
                  "%d x %d on %d x %d: columns %.1e", (int)m, (int)n, g->p,
                  g->q, f.column);
    if (s->pivoted)
        ck_assert_msg(
            f.least > tol &&
                f.longest <= tol * (1 + 32 * (double)m * (double)GSVD_EPS),
            "%d x %d on %d x %d, rank %d: %g above, %g below %g", (int)m,
            (int)n, g->p, g->q, (int)s->rank, f.least, f.longest, tol);
    for (int64_t j = s->rank; j < min_i(m, n); ++j)
        ck_assert(abs_max(s->tau[j]) == 0);
}

static const int qr_size[][2] = {{1, 1},   {5, 1},   {1, 6},    {7, 7},
                                 {33, 20}, {20, 33}, {64, 64},  {150, 9},
                                 {70, 61}, {0, 3},   {120, 110}};
enum { QR_SIZES = sizeof qr_size / sizeof *qr_size };

START_TEST(qr)
{
    const int64_t m = qr_size[_i][0], n = qr_size[_i][1];
    uint64_t seed = (uint64_t)(300 + _i);
    const mat_t A = normal_mat(m, n, &seed);
    grid_of_t g;
    scale_columns(A, GSVD_SINGLE ? 20 : 300, &seed);
    for (int k = 0; open_some(k, _i, &g); ++k) {
        const qr_on_grid_t s = factor(&g, 0, 0, A, all_simple);
        ck_assert_done(g, s);
        check_qr(&g, A, &s, 0);
        gsvd_grid_destroy(g.g);
    }
}
END_TEST

static mat_t of_rank(int what, int64_t m, int64_t n, int64_t rank, int *order,
                     uint64_t *seed)
{
    const mat_t A = pivoted_mat(m, n, rank, 1e-3, order, seed);
    if (what == 1) /* beyond, columns are 0 */
        EACH_ENTRY (A, i, j) {
            int64_t k = 0;
            while (k < rank && order[k] != j)
                ++k;
            if (k == rank)
                AT(A, i, j) = make(0, 0);
        }
    return A;
}

/* Ranks and orders that all ways of pivoting by norms find; of any scale */
START_TEST(pivoted)
{
    static const int shape_of[][3] = {
        {30, 30, 30}, {40, 25, 11},   {25, 40, 17}, {70, 66, 65},
        {9, 9, 0},    {120, 100, 31}, {1, 5, 1},    {6, 1, 1}};
    const int what = _i % 2;
    const int *const of = shape_of[_i / 2];
    const int64_t m = of[0], n = of[1];
    const int far[] = {0, GSVD_SINGLE ? 100 : 1000, GSVD_SINGLE ? -90 : -960};
    int *const order = grab((size_t)n * sizeof *order);
    uint64_t seed = (uint64_t)(320 + _i);
    const mat_t A = of_rank(what, m, n, of[2], order, &seed);
    const real_t scale_by = ldexp_r(1, far[_i % 3]);
    grid_of_t g;
    EACH_ENTRY (A, i, j)
        AT(A, i, j) = scale(scale_by, AT(A, i, j));
    for (int k = 0; open_some(k, _i, &g); ++k) {
        for (int given = 0; given < 2; ++given) {
            const real_t tol = (real_t)(1e-5 * scale_by);
            const qr_on_grid_t s =
                factor(&g, 1, given ? tol : -1, A, all_simple);
            ck_assert_done(g, s);
            ck_assert_int_eq(s.rank, of[2]);
            check_qr(&g, A, &s, (double)tol);
            for (int64_t j = 0; j < s.rank; ++j)
                ck_assert_int_eq(s.jpvt[j] - 1, order[j]);
        }
        gsvd_grid_destroy(g.g);
    }
}
END_TEST

/* A column's norm that is updated loses its digits (Drmac and Bujanovic 2008): the engine may take another
 * order, and rank is right. */
START_TEST(hard_to_pivot)
{
    const int64_t m = _i < 4 ? 60 : 90, n = 60;
    uint64_t seed = (uint64_t)(340 + _i);
    const mat_t A = _i % 4 == 3 ? normal_mat(m, n, &seed)
                                : of_equal_numbers(_i % 4 == 0   ? 0.3
                                                   : _i % 4 == 1 ? 0.9
                                                                 : 0,
                                                   m, n, &seed);
    const real_t tol[] = {0, (real_t)1e-2, (real_t)1e-5, 1000, -1};
    grid_of_t g;
    EACH_ENTRY (
        A, i, j) /* Where the engine takes a short one first, others follow. */
        if (_i % 2 && j % 5 == 2)
            AT(A, i, j) = make(0, 0);
    for (int k = 0; open_some(k, _i, &g); ++k) {
        for (int t = 0; t < 5; ++t) {
            unpivoted = _i % 2 ? 1 : 0;
            const qr_on_grid_t s = factor(&g, 1, tol[t], A, all_simple);
            unpivoted = 0;
            ck_assert_done(g, s);
            check_qr(&g, A, &s,
                     tol[t] < 0 ? 60 * (double)norm1(A) * GSVD_ULP
                                : (double)tol[t]);
            if (tol[t] == 1000) /* R is A. */
                EACH_ENTRY (A, i, j)
                    ck_assert(
                        abs_of(sub(AT(A, i, s.jpvt[j] - 1), AT(s.A, i, j))) <=
                        450 * GSVD_EPS * norm1(A));
        }
        gsvd_grid_destroy(g.g);
    }
}
END_TEST

/* Blocks of any shape, sources, offsets: the same bits; no tau */
START_TEST(qr_in_layouts)
{
    static const layout_t of[] = {{1, 1, 0, 0, 0, 0},
                                  {2, 9, 1, 0, 0, 0},
                                  {64, 3, 0, 1, 3, 9},
                                  {200, 200, 1, 1, 0, 0}};
    uint64_t seed = (uint64_t)(350 + _i);
    const mat_t A = normal_mat(50, _i ? 70 : 30, &seed);
    grid_of_t g;
    for (int k = 0; open_some(k, _i, &g); ++k) {
        for (int pivots = 0; pivots < 2; ++pivots) {
            const qr_on_grid_t x = factor(&g, pivots, -1, A, all_simple);
            ck_assert_done(g, x);
            for (int l = 0; l < 4; ++l) {
                const qr_on_grid_t y = factor(&g, pivots, -1, A, &of[l]);
                ck_assert_done(g, y);
                ck_assert_same(x.A, y.A);
                ck_assert(memcmp(x.tau, y.tau, 30 * sizeof *x.tau) == 0);
                ck_assert(memcmp(x.jpvt, y.jpvt, 30 * sizeof *x.jpvt) == 0);
            }
        }
        const spread_t dA = spread(&g, A, &of[1]);
        ck_assert_int_eq(
            X(grid_qr)(g.g, A.rows, A.cols, dA.data, &dA.d, NULL, NULL),
            GSVD_SUCCESS);
        ck_assert_same(gathered(&g, &dA, A.rows, A.cols),
                       factor(&g, 0, 0, A, all_simple).A);
        gsvd_grid_destroy(g.g);
    }
}
END_TEST

/* A NaN or an infinity on one process, and what the range does not hold: A is as it was. */
START_TEST(qr_not_finite)
{
    const int64_t m = 40, n = 33;
    uint64_t seed = (uint64_t)(360 + _i);
    const mat_t A = normal_mat(m, n, &seed);
    grid_of_t g;
    AT(A, m - 1, n - 1) = make(_i % 2 ? (real_t)NAN : (real_t)INFINITY, 0);
    if (_i > 3)
        EACH_ENTRY (A, i, j)
            AT(A, i, j) = make(GSVD_REAL_MAX, 0);
    for (int k = 0; open_some(k, _i, &g); ++k) {
        const spread_t dA = spread(&g, A, all_simple);
        scalar_t *const tau = grab((size_t)n * sizeof *tau);
        int64_t *const jpvt = grab((size_t)n * sizeof *jpvt), rank = -1;
        int info = 99;
        const gsvd_status_t status =
            _i % 4 < 2 ? X(grid_qr)(g.g, m, n, dA.data, &dA.d, tau, &info)
                       : X(grid_geqp)(g.g, m, n, dA.data, &dA.d, jpvt, tau, 0,
                                      &rank, &info);
        if (_i > 3)
            ck_assert_agreed(&g, status, info, GSVD_OVERFLOW, 2);
        else
            ck_assert_agreed(&g, status, info, GSVD_INVALID_ARGUMENT, -3);
        ck_assert_unchanged(&g, &dA, A);
        gsvd_grid_destroy(g.g);
    }
}
END_TEST

/* Each argument of geqp, and of qr the same ones, illegal on one process and on all of them */
START_TEST(illegal_qr)
{
    static const int number[] = {1, 2, 3, 4, 4, 4, 5, 6, 7, 8};
    enum { M = 21, N = 18 };
    const layout_t l = {2, 2, 0, 0, 0, 0};
    const int of_geqp = _i >= 6;
    uint64_t seed = 370;
    const mat_t A = normal_mat(M, N, &seed);
    scalar_t tau[N];
    int64_t jpvt[N], rank;
    grid_of_t g;
    ck_assert(open_grid(_i % 2 && ranks > 1 ? 1 : 0, 'R', &g));
    for (int who = -1; who < min_i(ranks, 2); ++who)
        for (int pivots = of_geqp; pivots < 2; ++pivots) {
            const int spoil = who < 0 || who == me;
            const int what = spoil ? _i : -1;
            const spread_t dA = spread(&g, A, &l);
            gsvd_grid_desc_t d = dA.d;
            int info = 99;
            d.lld = what == 4 ? 0 : d.lld;
            d.nb = what == 5 ? -1 : d.nb;
            const int64_t m = what == 0 ? -1 : M, n = what == 1 ? -1 : N;
            scalar_t *const data = what == 2 ? NULL : dA.data;
            const gsvd_grid_desc_t *const desc = what == 3 ? NULL : &d;
            const gsvd_status_t status =
                pivots ? X(grid_geqp)(g.g, m, n, data, desc,
                                      what == 6 ? NULL : jpvt,
                                      what == 7 ? NULL : tau,
                                      what == 8 ? (real_t)NAN : 0,
                                      what == 9 ? NULL : &rank, &info)
                       : X(grid_qr)(g.g, m, n, data, desc, tau, &info);
            ck_assert_agreed(&g, status, info, GSVD_INVALID_ARGUMENT,
                             -number[_i]);
            ck_assert_unchanged(&g, &dA, A);
        }
    gsvd_grid_destroy(g.g);
}
END_TEST

/* Processes that ask for another routine, or another tolerance */
START_TEST(different_routines)
{
    uint64_t seed = 371;
    const mat_t A = normal_mat(20, 20, &seed);
    scalar_t tau[20];
    int64_t jpvt[20], rank;
    int info = 99;
    grid_of_t g;
    ck_assert(open_grid(0, 'R', &g));
    const spread_t dA = spread(&g, A, all_simple);
    const int other = me == ranks - 1;
    gsvd_status_t status =
        other ? X(grid_geqp)(g.g, 20, 20, dA.data, &dA.d, jpvt, tau, 0, &rank,
                             &info)
              : X(grid_qr)(g.g, 20, 20, dA.data, &dA.d, tau, &info);
    if (ranks > 1)
        ck_assert_agreed(&g, status, info, GSVD_INVALID_ARGUMENT,
                         -1000 - GSVD_INVALID_ARGUMENT);
    status = X(grid_geqp)(g.g, 20, 20, dA.data, &dA.d, jpvt, tau,
                          other ? (real_t)0.5 : 0, &rank, &info);
    if (ranks > 1)
        ck_assert_agreed(&g, status, info, GSVD_INVALID_ARGUMENT, -7);
    gsvd_grid_destroy(g.g);
}
END_TEST

/* A wrong QR is found, whatever is wrong with it, and A stays. */
START_TEST(engine_is_wrong_of_qr)
{
    static const real_t of[] = {(real_t)0.01, (real_t)NAN};
    uint64_t seed = 372;
    const mat_t A = normal_mat(120, 110, &seed);
    grid_of_t g;
    for (int k = 0; open_some(k, _i, &g); ++k) {
        const spread_t dA = spread(&g, A, all_simple);
        scalar_t tau[110];
        int64_t jpvt[110], rank;
        int info = 99;
        wrong_reflector = of[_i % 2];
        unpivoted = 1000;
        const gsvd_status_t status =
            _i < 2 ? X(grid_qr)(g.g, 120, 110, dA.data, &dA.d, tau, &info)
                   : X(grid_geqp)(g.g, 120, 110, dA.data, &dA.d, jpvt, tau, -1,
                                  &rank, &info);
        wrong_reflector = 0;
        unpivoted = 0;
        ck_assert_agreed(&g, status, info, GSVD_INTERNAL_ERROR,
                         -1000 - GSVD_INTERNAL_ERROR);
        ck_assert_unchanged(&g, &dA, A);
        gsvd_grid_destroy(g.g);
    }
}
END_TEST

/* On one process each of the module's allocations fails in turn: so many, at least. */
typedef gsvd_status_t call_op(const grid_of_t *g, int *info);
static void each_allocation_fails(call_op *call, int least)
{
    int last = 0, k = 1;
    for (; !last; ++k) {
        grid_of_t g;
        int info = 99;
        ck_assert(open_grid(ranks == 4 ? 1 : 0, 'R', &g));
        countdown = me == ranks - 1 ? k : 0;
        const gsvd_status_t status = call(&g, &info);
        last = me == ranks - 1 ? countdown > 0 : 0;
        countdown = 0;
        MPI_Bcast(&last, 1, MPI_INT, ranks - 1, MPI_COMM_WORLD);
        if (last)
            ck_assert_msg(status == GSVD_SUCCESS, "%s",
                          gsvd_grid_last_error(g.g));
        else
            ck_assert_agreed(&g, status, info, GSVD_OUT_OF_MEMORY,
                             -1000 - GSVD_OUT_OF_MEMORY);
        gsvd_grid_destroy(g.g);
    }
    ck_assert_int_ge(k, least);
}

static gsvd_status_t call_geqp(const grid_of_t *g, int *info)
{
    uint64_t seed = 373;
    const mat_t A = normal_mat(40, 33, &seed);
    const qr_on_grid_t s = factor(g, 1, (real_t)3, A, all_simple);
    *info = s.info;
    return s.status;
}

START_TEST(allocation_fails_of_qr) { each_allocation_fails(call_geqp, 6); }
END_TEST

Suite *make_suite(void)
{
    begin_mpi();
    Suite *s = suite_create("grid_factors");
    TCase *t = add_tcase(s, "qr");
    add_some(t, qr, QR_SIZES);
    add_some(t, pivoted, 16);
    tcase_add_loop_test(t, hard_to_pivot, 0, 8);
    tcase_add_loop_test(t, qr_in_layouts, 0, 2);
    t = add_tcase(s, "errors of qr");
    tcase_add_loop_test(t, qr_not_finite, 0, 8);
    tcase_add_loop_test(t, illegal_qr, 0, 10);
    tcase_add_test(t, different_routines);
    tcase_add_loop_test(t, engine_is_wrong_of_qr, 0, 4);
    tcase_add_test(t, allocation_fails_of_qr);
    return s;
}
