/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* test_grid_factors.c -- QR, pivoted QR, the hyperbolic SVD and eigenvalues on grids of all shapes of the
 * processes that there are. */
#include <ctype.h>
#include <limits.h>
#include <stdio.h>

#include "grid/module.h"
#include "harness/graded.h"
#include "harness/grid.h"
#include "harness/quad.h"
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
                     tol[t] < 0 ? (double)m * (double)norm1(A) * GSVD_ULP
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

/* ---- the hyperbolic SVD ------------------------------------------------------------ */

/* l: the layouts of A, U, V */
static hsvd_t call_hsvd(const grid_of_t *g, const char *job, mat_t A,
                        signature_t s, const layout_t l[3])
{
    const int64_t m = A.rows, n = A.cols;
    const char U = (char)toupper(job[0]), V = (char)toupper(job[1]);
    const int64_t u = U == 'U' ? m : U == 'S' ? n : 0;
    const int64_t v = V == 'V' ? n : 0;
    const spread_t dA = spread(g, A, &l[0]), dU = new_spread(g, m, u, &l[1]),
                   dV = new_spread(g, n, v, &l[2]);
    hsvd_t d = {.info = 99, .sigma = grab((size_t)(n + 1) * sizeof(real_t))};
    d.status = X(grid_hsvd)(g->g, job[0], job[1], m, n, s.plus, dA.data, &dA.d,
                            s.J, d.sigma, dU.data, U == 'N' ? NULL : &dU.d,
                            dV.data, V == 'N' ? NULL : &dV.d, &d.info);
    d.U = gathered(g, &dU, m, u);
    d.V = gathered(g, &dV, n, v);
    ck_assert_unchanged(g, &dA, A);
    return d;
}

/* Values over eps, and ratios */
typedef struct found_hsvd {
    double values, of_u, of_v, residual;
} found_hsvd_t;

static void check_hsvd(const grid_of_t *g, const char *what, mat_t A,
                       const signature_t *s, const hsvd_t *d)
{
    const int64_t n = A.cols;
    found_hsvd_t f = {0, 0, 0, 0};
    if (me == 0) {
        f.values = n > 0 ? worst_error(n, exact_values(A, s), d->sigma) : 0;
        f.of_u = defect(d->U);
        f.of_v = d->V.cols > 0 ? signed_defect(d->V, s) : 0;
        f.residual = d->U.cols >= n && d->V.cols == n && n > 0
                         ? signed_residual(A, d)
                         : 0;
    }
    MPI_Bcast(&f, 4, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    if (getenv("GSVD_TEST_PRINT") && me == 0)
        printf("%-9s %3d x %3d on %d x %d: values %.0f ratios %.2f %.2f %.2f\n",
               what, (int)A.rows, (int)n, g->p, g->q, f.values, f.of_u, f.of_v,
               f.residual);
    ck_assert_msg(f.values <= 30 * fmax(1, (double)n),
                  "%s, %d x %d on %d x %d: values %.0f eps", what, (int)A.rows,
                  (int)n, g->p, g->q, f.values);
    ck_assert_ratio(f.of_u);
    ck_assert_ratio(f.of_v);
    ck_assert_ratio(f.residual);
    for (int64_t j = 0; j < n; ++j)
        ck_assert(d->sigma[j] > 0 &&
                  (j == 0 || j == s->plus || d->sigma[j] <= d->sigma[j - 1]));
}

enum { LIKE, BY_COLUMNS, BY_ROWS, BY_BOTH, IN_CLUSTERS, FAMILY };
static const char *const family[] = {"like", "columns", "rows", "both",
                                     "clusters"};
static double clusters(double x) { return x < 0.5 ? 1 : 0.125; }

/* of condition 10, but for scaling, as test_hsvd_accuracy.c has them */
static mat_t make_matrix(int what, int64_t m, int64_t n, uint64_t *seed)
{
    const mat_t A =
        with_values(m, n, what == IN_CLUSTERS ? clusters : to_tenth, seed);
    if (what == BY_ROWS || what == BY_BOTH)
        scale_rows(A, GSVD_SINGLE ? 2 : 8, seed);
    if (what == BY_COLUMNS)
        scale_columns(A, GSVD_SINGLE ? 38 : 480, seed);
    if (what == BY_BOTH)
        scale_columns(A, GSVD_SINGLE ? 4 : 12, seed);
    return A;
}

static const int hsvd_size[][2] = {{1, 1},   {2, 2},    {7, 5},   {33, 33},
                                   {64, 64}, {130, 33}, {97, 97}, {150, 140}};
enum { HSVD_SIZES = sizeof hsvd_size / sizeof *hsvd_size };

START_TEST(hsvd)
{
    const int what = _i / HSVD_SIZES;
    const int64_t m = hsvd_size[_i % HSVD_SIZES][0],
                  n = hsvd_size[_i % HSVD_SIZES][1];
    uint64_t seed = (uint64_t)(400 + _i);
    const mat_t A = make_matrix(what, m, n, &seed);
    const signature_t s = make_signs(_i % SIGNS, n, &seed);
    grid_of_t g;
    for (int k = 0; open_some(k, _i, &g); ++k) {
        const hsvd_t d = call_hsvd(&g, _i % 3 ? "SV" : "UV", A, s, all_simple);
        ck_assert_done(g, d);
        check_hsvd(&g, family[what], A, &s, &d);
        gsvd_grid_destroy(g.g);
    }
}
END_TEST

/* Random numbers, and columns of unequal sign that are 2^-_i / 2 apart: V is long, and what a grid has no
 * sweeps for is said. */
START_TEST(long_columns)
{
    enum { SURE = GSVD_SINGLE ? 4 : 14 };
    const int apart = _i / (GSVD_SINGLE ? 4 : 2), pairs_only = _i % 2;
    const int64_t n = 40 + 30 * (_i % 3), m = n + 10;
    uint64_t seed = (uint64_t)(450 + _i);
    const mat_t A = normal_mat(m, n, &seed);
    const signature_t s = make_signs(ALTERNATING, n, &seed);
    grid_of_t g;
    for (int64_t j = 1; apart > 0 && j < (pairs_only ? 2 : n); j += 2)
        for (int64_t i = 0; i < m; ++i)
            AT(A, i, j) =
                add(AT(A, i, j - 1), scale(ldexp_r(1, -apart), AT(A, i, j)));
    for (int k = 0; open_some(k, _i, &g); ++k) {
        const hsvd_t d = call_hsvd(&g, "SV", A, s, all_simple);
        double found[4] = {0, 0, 0, 0};
        if (me == 0 && d.status == GSVD_SUCCESS) {
            found[0] = signed_residual(A, &d);
            found[1] = signed_defect(d.V, &s);
            found[2] = defect(d.U);
            found[3] = (double)norm1(d.V);
        }
        if (getenv("GSVD_TEST_PRINT") && me == 0)
            printf(
                "apart 2^-%d %d x %d on %d x %d: %s, %.2f %.2f %.2f V %.0f\n",
                apart, (int)m, (int)n, g.p, g.q, gsvd_status_name(d.status),
                found[0], found[1], found[2], found[3]);
        MPI_Bcast(found, 3, MPI_DOUBLE, 0, MPI_COMM_WORLD);
        ck_assert(d.status == GSVD_SUCCESS || apart > SURE);
        if (d.status != GSVD_SUCCESS)
            ck_assert_agreed(&g, d.status, d.info, GSVD_NOT_CONVERGED, 1);
        for (int i = 0; i < 3; ++i)
            ck_assert_ratio(found[i]);
        gsvd_grid_destroy(g.g);
    }
}
END_TEST

/* Each job, empty sizes, blocks of any shape: the same bits */
START_TEST(hsvd_in_layouts)
{
    static const layout_t of[] = {
        {1, 1, 0, 0, 0, 0}, {64, 3, 0, 1, 3, 9}, {5, 1, 0, 0, 1, 0}};
    static const char *const job[] = {"uv", "Sv", "NV", "UN", "sn", "NN"};
    static const int shape_of[][2] = {{0, 0}, {4, 0}, {1, 1}, {45, 38}};
    const int64_t m = shape_of[_i][0], n = shape_of[_i][1];
    uint64_t seed = (uint64_t)(500 + _i);
    const mat_t A = normal_mat(m, n, &seed);
    const signature_t s = make_signs(ONE_MINUS, n, &seed);
    grid_of_t g;
    for (int k = 0; open_some(k, _i, &g); ++k) {
        const hsvd_t all = call_hsvd(&g, "UV", A, s, all_simple);
        ck_assert_done(g, all);
        check_hsvd(&g, "all", A, &s, &all);
        for (int i = 0; i < 6; ++i) {
            const hsvd_t d = call_hsvd(&g, job[i], A, s, of);
            ck_assert_done(g, d);
            check_hsvd(&g, job[i], A, &s, &d);
            ck_assert(i > 0 || memcmp(d.sigma, all.sigma,
                                      (size_t)n * sizeof(real_t)) == 0);
            if (i == 0) {
                ck_assert_same(d.U, all.U);
                ck_assert_same(d.V, all.V);
            }
        }
        gsvd_grid_destroy(g.g);
    }
}
END_TEST

/* Powers of two of the whole matrix change nothing but the values; what the range does not hold is
 * said. */
START_TEST(hsvd_of_any_scale)
{
    const int far = GSVD_SINGLE ? 100 : 900;
    uint64_t seed = 510;
    const mat_t A = normal_mat(33, 20, &seed), B = copy_mat(A);
    const signature_t s = make_signs(AT_RANDOM, 20, &seed);
    grid_of_t g;
    ck_assert(open_grid(0, 'R', &g));
    const hsvd_t one = call_hsvd(&g, "SV", A, s, all_simple);
    ck_assert_done(g, one);
    for (int by = -far; by <= far; by += 2 * far) {
        EACH_ENTRY (A, i, j)
            AT(B, i, j) = scale(ldexp_r(1, by), AT(A, i, j));
        const hsvd_t d = call_hsvd(&g, "SV", B, s, all_simple);
        ck_assert_done(g, d);
        ck_assert_same(d.V, one.V);
        for (int j = 0; j < 20; ++j)
            ck_assert(
                fabs((double)ldexp_r(d.sigma[j], -by) / (double)one.sigma[j] -
                     1) <= 40 * GSVD_ULP);
    }
    EACH_ENTRY (A, i, j)
        AT(B, i, j) = scale(GSVD_REAL_MAX / 4, make(i == j || i == 21, 0));
    const hsvd_t over = call_hsvd(&g, "SV", B, s, all_simple);
    ck_assert(over.status == GSVD_OVERFLOW || over.status == GSVD_SUCCESS);
    EACH_ENTRY (A, i, j)
        AT(B, i, j) = scale(ldexp_r(1, j == 0 ? (GSVD_SINGLE ? 120 : 1000)
                                              : (GSVD_SINGLE ? -120 : -1000)),
                            AT(A, i, j));
    const hsvd_t lost = call_hsvd(&g, "SV", B, s, all_simple);
    ck_assert_agreed(&g, lost.status, lost.info, GSVD_NOT_CONVERGED, 1);
    gsvd_grid_destroy(g.g);
}
END_TEST

/* What the matrix or the signs have that is illegal, on one process where a process may have it */
START_TEST(illegal_hsvd_data)
{
    const int64_t m = 40, n = 33;
    uint64_t seed = (uint64_t)(520 + _i);
    const mat_t A = normal_mat(m, n, &seed);
    signature_t s = make_signs(ALTERNATING, n, &seed);
    const int expected = _i < 2 ? -6 : _i < 5 ? -8 : 2 + 21;
    grid_of_t g;
    switch (_i) {
    case 0: AT(A, m - 1, n - 1) = make((real_t)NAN, 0); break;
    case 1: AT(A, 0, 0) = make((real_t)-INFINITY, 0); break;
    case 2: s.J[5] = 2; break;
    case 3: s.plus += 1; break;
    case 4: s.J[4] = me == ranks - 1 ? 1 : s.J[4]; break;
    default:
        for (int64_t i = 0; i < m; ++i)
            AT(A, i, 20) = sub(AT(A, i, 3), AT(A, i, 8));
    }
    for (int k = 0; open_some(k, _i, &g); ++k) {
        const hsvd_t d = call_hsvd(&g, "SV", A, s, all_simple);
        ck_assert_agreed(&g, d.status, d.info, GSVD_INVALID_ARGUMENT, expected);
        gsvd_grid_destroy(g.g);
    }
}
END_TEST

/* The routines' arguments, and which is made illegal */
typedef struct arguments {
    char job[2];
    int64_t m, n, plus;
    const scalar_t *A;
    scalar_t *U, *V;
    const gsvd_grid_desc_t *descA, *descU, *descV;
    gsvd_grid_desc_t d[3];
    real_t *values;
} arguments_t;

enum { ILLEGAL = 17 };

/* Its number in hsvd, and in eigh or 0 */
static void spoil(arguments_t *x, int what, int number[2])
{
    static const int of[ILLEGAL][2] = {
        {1, 1},  {2, 2},  {3, 0},  {4, 3},  {4, 0}, {5, 0},
        {5, 0},  {6, 4},  {7, 5},  {7, 5},  {7, 5}, {9, 6},
        {10, 7}, {11, 8}, {11, 8}, {12, 0}, {13, 0}};
    number[0] = of[what][0];
    number[1] = of[what][1];
    switch (what) {
    case 0: x->job[0] = 'X'; break;
    case 1: x->job[1] = 'S'; break;
    case 2: x->m = -1; break;
    case 3: x->n = -1; break;
    case 4: x->n = x->m + 1; break;
    case 5: x->plus = -1; break;
    case 6: x->plus = x->n + 1; break;
    case 7: x->A = NULL; break;
    case 8: x->descA = NULL; break;
    case 9: x->d[0].lld = 0; break;
    case 10: x->d[0].n -= 1; break;
    case 11: x->values = NULL; break;
    case 12: x->U = NULL; break;
    case 13: x->descU = NULL; break;
    case 14: x->d[1].mb = 0; break;
    case 15: x->V = NULL; break;
    default: x->d[2].lld = -1; break;
    }
}

/* Each argument, illegal on one process and on all of them */
START_TEST(illegal_arguments)
{
    enum { M = 21, N = 21 };
    const layout_t l = {2, 2, 0, 0, 0, 0};
    uint64_t seed = 530;
    const mat_t A = normal_mat(M, N, &seed);
    real_t values[N];
    grid_of_t g;
    ck_assert(open_grid(_i % 2 && ranks > 1 ? 1 : 0, 'R', &g));
    const spread_t dA = spread(&g, A, &l), dU = new_spread(&g, M, N, &l),
                   dV = new_spread(&g, N, N, &l);
    for (int who = -1; who < min_i(ranks, 2); ++who)
        for (int of_eigh = 0; of_eigh < 2; ++of_eigh) {
            arguments_t x = {{of_eigh ? 'V' : 'S', of_eigh ? 'L' : 'V'},
                             M,
                             N,
                             7,
                             dA.data,
                             dU.data,
                             dV.data,
                             NULL,
                             NULL,
                             NULL,
                             {dA.d, dU.d, dV.d},
                             values};
            x.descA = &x.d[0];
            x.descU = &x.d[1];
            x.descV = &x.d[2];
            arguments_t y = x;
            int number[2], info = 99;
            spoil(&y, _i, number);
            if (who < 0 || who == me)
                spoil(&x, _i, number);
            if (number[of_eigh] == 0)
                continue;
            const gsvd_status_t status =
                of_eigh ? X(grid_eigh)(g.g, x.job[0], x.job[1], x.n, x.A,
                                       x.descA, x.values, x.U, x.descU, &info)
                        : X(grid_hsvd)(g.g, x.job[0], x.job[1], x.m, x.n,
                                       x.plus, x.A, x.descA, NULL, x.values,
                                       x.U, x.descU, x.V, x.descV, &info);
            ck_assert_agreed(&g, status, info, GSVD_INVALID_ARGUMENT,
                             -number[of_eigh]);
        }
    gsvd_grid_destroy(g.g);
}
END_TEST

/* ---- eigenvalues --------------------------------------------------------------------- */

typedef struct eigh_on_grid {
    gsvd_status_t status;
    int info;
    real_t *w;
    mat_t Q;
} eigh_on_grid_t;

static eigh_on_grid_t call_eigh(const grid_of_t *g, const char *job, mat_t A,
                                const layout_t l[2])
{
    const int64_t n = A.cols, q = job[0] == 'V' ? n : 0;
    const spread_t dA = spread(g, A, &l[0]), dQ = new_spread(g, n, q, &l[1]);
    eigh_on_grid_t s = {.info = 99,
                        .w = grab((size_t)(n + 1) * sizeof(real_t))};
    s.status = X(grid_eigh)(g->g, job[0], job[1], n, dA.data, &dA.d, s.w,
                            dQ.data, job[0] == 'V' ? &dQ.d : NULL, &s.info);
    s.Q = gathered(g, &dQ, n, q);
    ck_assert_unchanged(g, &dA, A);
    return s;
}

/* The matrix of a triangle */
static mat_t full_of(char uplo, mat_t A)
{
    mat_t H = copy_mat(A);
    EACH_ENTRY (H, i, j) {
        const int given = uplo == 'U' ? i <= j : i >= j;
        const scalar_t a = given ? AT(A, i, j) : conj_of(AT(A, j, i));
        AT(H, i, j) = i == j ? make(re(a), 0) : a;
    }
    return H;
}

static void check_eigh(const grid_of_t *g, mat_t H, const eigh_on_grid_t *s)
{
    const int64_t n = H.cols;
    const mat_t E = copy_mat(s->Q);
    double f[2] = {0, 0};
    if (me == 0 && n > 0) {
        EACH_ENTRY (E, i, j)
            AT(E, i, j) = scale(s->w[j], AT(E, i, j));
        gemm('N', 'N', 1, H, s->Q, -1, E);
        f[0] = norm1(H) > 0 ? (double)norm1(E) /
                                  ((double)n * (double)norm1(H) * GSVD_ULP)
                            : (double)norm1(E);
        f[1] = defect(s->Q);
    }
    MPI_Bcast(f, 2, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    if (getenv("GSVD_TEST_PRINT") && me == 0)
        printf("eigh %d on %d x %d: %.2f %.2f\n", (int)n, g->p, g->q, f[0],
               f[1]);
    ck_assert_ratio(f[0]);
    ck_assert_ratio(f[1]);
    for (int64_t i = 1; i < n; ++i)
        ck_assert(s->w[i - 1] <= s->w[i]);
}

enum { ANY, HALF_ZERO, REFLECTION, IN_PAIRS, ZERO, ALIKE, DIAGONAL, KINDS };

static double value_of(int what, int64_t j, int64_t n)
{
    switch (what) {
    case HALF_ZERO: return j < n / 2 ? 1 + (double)j / (double)n : 0;
    case REFLECTION: return 2 * j < n ? 1 : -1;
    default: return (j % 2 ? 1 : -1) * (1 + (double)(j / 2) / (double)n);
    }
}

static mat_t hermitian_matrix(int what, int64_t n, uint64_t *seed)
{
    mat_t A = normal_mat(n, n, seed);
    if (what == HALF_ZERO || what == REFLECTION || what == IN_PAIRS) {
        const mat_t Q = random_unitary(n, seed);
        const mat_t QW = copy_mat(Q);
        EACH_ENTRY (QW, i, j)
            AT(QW, i, j) = scale((real_t)value_of(what, j, n), AT(QW, i, j));
        A = product('N', 'C', QW, Q);
    }
    EACH_ENTRY (A, i, j)
        if (what == ZERO || what == ALIKE)
            AT(A, i, j) = make(what == ALIKE, 0);
        else if (what == DIAGONAL)
            AT(A, i, j) = make((real_t)(i == j ? (int)(j % 3) - 1 : 0), 0);
    return full_of('L', A);
}

static const int eigh_size[] = {1, 2, 5, 33, 65, 130, 150};
enum { EIGH_SIZES = sizeof eigh_size / sizeof *eigh_size };

/* Every kind, of both triangles, what is not read is NaN; values as in one process */
START_TEST(eigh)
{
    const int what = _i / EIGH_SIZES;
    const int64_t n = eigh_size[_i % EIGH_SIZES];
    uint64_t seed = (uint64_t)(600 + _i);
    const mat_t H = hermitian_matrix(what, n, &seed), A = copy_mat(H),
                C = copy_mat(H);
    const char uplo = _i % 2 ? 'U' : 'L', job[] = {'V', uplo, 0};
    real_t *const w = grab((size_t)n * sizeof *w);
    grid_of_t g;
    EACH_ENTRY (A, i, j)
        if (uplo == 'U' ? i > j : i < j)
            AT(A, i, j) = make((real_t)NAN, (real_t)NAN);
        else if (i == j && GSVD_COMPLEX)
            AT(A, i, j) = make(re(AT(A, i, j)), 5);
    ck_assert_ok(X(eigh)(handle, 'N', uplo, n, C.data, C.ld, w, NULL, 1, NULL));
    for (int k = 0; open_some(k, _i, &g); ++k) {
        const eigh_on_grid_t s = call_eigh(&g, job, A, all_simple);
        ck_assert_done(g, s);
        check_eigh(&g, H, &s);
        for (int64_t j = 0; j < n; ++j)
            ck_assert(fabs((double)s.w[j] - (double)w[j]) <=
                      LIMIT * sqrt((double)n) * GSVD_ULP * (double)norm1(H));
        gsvd_grid_destroy(g.g);
    }
}
END_TEST

/* D K J K^H D, K well conditioned, D from 2^-12 to 2^12: all values have digits, as in test_eigh.c */
START_TEST(small_eigenvalues)
{
    enum { N = 12 };
    const signature_t J = {.plus = N / 2};
    uint64_t seed = 7 + (uint64_t)_i;
    const mat_t G = normal_mat(N, N, &seed), GJ = copy_mat(G);
    wide_t sigma[N];
    double worst = 0;
    grid_of_t g;

    EACH_ENTRY (G, i, j) {
        AT(G, i, j) =
            scale(ldexp_r(1, (int)(24 * i / (N - 1)) - 12),
                  make((real_t)rint((double)re(AT(G, i, j))) + (i == j ? 8 : 0),
                       (real_t)rint((double)im(AT(G, i, j)))));
        AT(GJ, i, j) = scale(j < N / 2 ? 1 : -1, AT(G, i, j));
    }
    ck_assert(quad_signed_values(G, &J, sigma));
    const mat_t A = product('N', 'C', GJ, G);
    for (int k = 0; open_some(k, _i, &g); ++k) {
        const eigh_on_grid_t s = call_eigh(&g, "VU", A, all_simple);
        ck_assert_done(g, s);
        for (int i = 0; i < N; ++i) {
            const wide_t x = i < N / 2 ? sigma[N / 2 + i] : sigma[N - 1 - i];
            const wide_t value = i < N / 2 ? -x * x : x * x;
            worst = fmax(worst, (double)fabsl((s.w[i] - value) / value));
        }
        ck_assert_msg(worst <= 20 * N * (double)GSVD_EPS, "%g eps",
                      worst / (double)GSVD_EPS);
        gsvd_grid_destroy(g.g);
    }
}
END_TEST

/* Jobs and blocks of any shape: the same bits; scales next to the ends of the range; what the range does
 * not hold; a NaN in the triangle */
START_TEST(eigh_in_layouts)
{
    static const layout_t of[][2] = {
        {{1, 1, 0, 0, 0, 0}, {64, 3, 0, 1, 3, 9}},
        {{2, 9, 1, 0, 4, 0}, {200, 200, 1, 1, 0, 0}}};
    const int64_t n = _i ? 40 : 0;
    const int far = GSVD_SINGLE ? 100 : 980;
    uint64_t seed = (uint64_t)(680 + _i);
    const mat_t H = hermitian_matrix(ANY, n, &seed), B = copy_mat(H);
    const size_t bytes = (size_t)n * sizeof(real_t);
    grid_of_t g;
    for (int k = 0; open_some(k, _i, &g); ++k) {
        const eigh_on_grid_t first = call_eigh(&g, "VL", H, all_simple);
        ck_assert_done(g, first);
        for (int l = 0; l < 2; ++l) {
            const eigh_on_grid_t x = call_eigh(&g, "VU", H, of[l]);
            const eigh_on_grid_t y = call_eigh(&g, "NL", H, of[l]);
            ck_assert_done(g, x);
            ck_assert_done(g, y);
            ck_assert(memcmp(x.w, first.w, bytes) == 0 &&
                      memcmp(y.w, first.w, bytes) == 0);
            ck_assert_same(x.Q, first.Q);
        }
        for (int by = -far; by <= far; by += 2 * far) {
            EACH_ENTRY (H, i, j)
                AT(B, i, j) = scale(ldexp_r(1, by), AT(H, i, j));
            const eigh_on_grid_t x = call_eigh(&g, "VL", B, all_simple);
            ck_assert_done(g, x);
            for (int64_t j = 0; j < n; ++j)
                ck_assert(
                    fabs((double)ldexp_r(x.w[j], -by) - (double)first.w[j]) <=
                    LIMIT * sqrt((double)n) * GSVD_ULP * (double)norm1(H));
        }
        fill(B, make(GSVD_REAL_MAX, 0));
        const eigh_on_grid_t over = call_eigh(&g, "NL", B, all_simple);
        if (n > 0)
            ck_assert_agreed(&g, over.status, over.info, GSVD_OVERFLOW, 2);
        if (n > 0)
            AT(B, n - 1, 0) = make((real_t)NAN, 0);
        const eigh_on_grid_t nan = call_eigh(&g, "VL", B, all_simple);
        if (n > 0)
            ck_assert_agreed(&g, nan.status, nan.info, GSVD_INVALID_ARGUMENT,
                             -4);
        gsvd_grid_destroy(g.g);
    }
}
END_TEST

/* ---- faults of both ------------------------------------------------------------------- */

/* Engines that return what is wrong: never GSVD_SUCCESS with wrong numbers */
START_TEST(engine_is_wrong_of_both)
{
    static const enum fault of[] = {NOT_A_NUMBER, OTHER_VALUES, NO_VALUES,
                                    REFUSES};
    const int64_t n = 120;
    const int of_eigh = _i / 6, what = _i % 6;
    uint64_t seed = (uint64_t)(700 + _i);
    const mat_t A = of_eigh ? hermitian_matrix(ANY, n, &seed)
                            : normal_mat(n + 10, n, &seed);
    const signature_t s = make_signs(ALTERNATING, n, &seed);
    grid_of_t g;
    for (int k = 0; open_some(k, _i, &g); ++k) {
        eigenproblems = 0;
        fault = what < 4 ? of[what] : HONEST;
        culprit = what == 1 || what == 2 ? 0 : ranks / 2;
        slope = what == 4 ? (real_t)0.01 : 0;
        wrong_cosines = what == 5 ? INT_MAX : 0;
        gsvd_status_t status;
        int info;
        if (of_eigh) {
            const eigh_on_grid_t x = call_eigh(&g, "VL", A, all_simple);
            status = x.status;
            info = x.info;
            if (status == GSVD_SUCCESS)
                check_eigh(&g, A, &x);
        } else {
            const hsvd_t x = call_hsvd(&g, "SV", A, s, all_simple);
            status = x.status;
            info = x.info;
            if (status == GSVD_SUCCESS)
                check_hsvd(&g, "wrong", A, &s, &x);
        }
        fault = HONEST;
        slope = 0;
        wrong_cosines = 0;
        if (getenv("GSVD_TEST_PRINT") && me == 0)
            printf("fault %d of %d: %s\n", what, of_eigh,
                   gsvd_status_name(status));
        if (what < 4)
            ck_assert_int_gt(eigenproblems, 0);
        if (what < 4)
            ck_assert_agreed(&g, status, info, GSVD_INTERNAL_ERROR,
                             -1000 - GSVD_INTERNAL_ERROR);
        else if (status != GSVD_SUCCESS)
            ck_assert_agreed(&g, status, info, GSVD_NOT_CONVERGED, 1);
        gsvd_grid_destroy(g.g);
    }
}
END_TEST

/* Each product of two matrices is wrong in turn: never GSVD_SUCCESS with wrong numbers */
START_TEST(product_is_wrong)
{
    const int64_t n = 40;
    uint64_t seed = (uint64_t)(730 + _i);
    const mat_t A = _i ? hermitian_matrix(ANY, n, &seed)
                       : make_matrix(LIKE, n + 5, n, &seed);
    const signature_t s = make_signs(ALTERNATING, n, &seed);
    int reached = 1, found = 0, step = ranks == 1 ? 1 : 5;
    grid_of_t g;
    ck_assert(open_grid(ranks == 4 ? 1 : 0, 'R', &g));
    for (int k = 1; reached; k += step) {
        gsvd_status_t status;
        wrong_product = k;
        if (_i) {
            const eigh_on_grid_t x = call_eigh(&g, "VL", A, all_simple);
            reached = wrong_product == 0;
            status = x.status;
            if (status == GSVD_SUCCESS)
                check_eigh(&g, A, &x);
        } else {
            const hsvd_t x = call_hsvd(&g, "SV", A, s, all_simple);
            reached = wrong_product == 0;
            status = x.status;
            if (status == GSVD_SUCCESS)
                check_hsvd(&g, "wrong", A, &s, &x);
        }
        wrong_product = 0;
        if (getenv("GSVD_TEST_PRINT") && me == 0)
            printf("product %d of %d: %s\n", k, _i, gsvd_status_name(status));
        found += status != GSVD_SUCCESS;
        MPI_Bcast(&reached, 1, MPI_INT, 0, MPI_COMM_WORLD);
    }
    ck_assert(_i == 1 || found > 0); /* eigh has other roads                 */
    gsvd_grid_destroy(g.g);
}
END_TEST

static gsvd_status_t small_hsvd(const grid_of_t *g, int *info)
{
    uint64_t seed = 720;
    const mat_t A = normal_mat(40, 33, &seed);
    const hsvd_t d =
        call_hsvd(g, "SV", A, make_signs(ALTERNATING, 33, &seed), all_simple);
    *info = d.info;
    return d.status;
}

static gsvd_status_t small_eigh(const grid_of_t *g, int *info)
{
    uint64_t seed = 721;
    const eigh_on_grid_t s =
        call_eigh(g, "VL", hermitian_matrix(ANY, 33, &seed), all_simple);
    *info = s.info;
    return s.status;
}

START_TEST(allocation_fails_of_both)
{
    each_allocation_fails(_i ? small_eigh : small_hsvd, 5);
}
END_TEST

/* ---- memory -------------------------------------------------------------------------- */

/* A call of a routine by its name */
static gsvd_status_t status_of(const grid_of_t *g, gsvd_routine_t routine,
                               const char *job, mat_t A, mat_t B)
{
    const int64_t m = A.rows, n = A.cols;
    const char *const asked = job[0] ? job : "NNN";
    const spread_t a = spread(g, A, all_simple), b = spread(g, B, all_simple),
                   u = new_spread(g, max_i(m, n), n, all_simple),
                   v = new_spread(g, n, n, all_simple),
                   x = new_spread(g, n, n, all_simple);
    real_t *const values = grab((size_t)(2 * n) * sizeof *values);
    scalar_t *const tau = grab((size_t)n * sizeof *tau);
    int64_t *const jpvt = grab((size_t)n * sizeof *jpvt), rank;
    gsvd_status_t status = GSVD_SUCCESS;
    switch (routine) {
    case GSVD_ROUTINE_QR:
        status = X(grid_qr)(g->g, m, n, a.data, &a.d, tau, NULL);
        break;
    case GSVD_ROUTINE_GEQP:
        status = X(grid_geqp)(g->g, m, n, a.data, &a.d, jpvt, tau, 1000, &rank,
                              NULL);
        break;
    case GSVD_ROUTINE_HSVD:
        status =
            X(grid_hsvd)(g->g, asked[0], asked[1], m, n, n / 2, a.data, &a.d,
                         NULL, values, u.data, &u.d, v.data, &v.d, NULL);
        break;
    case GSVD_ROUTINE_EIGH:
        status = X(grid_eigh)(g->g, asked[0], asked[1], n, a.data, &a.d, values,
                              v.data, &v.d, NULL);
        break;
    case GSVD_ROUTINE_SVD:
        status = X(grid_svd)(g->g, asked[0], asked[1], m, n, a.data, &a.d,
                             values, u.data, &u.d, v.data, &v.d, NULL);
        break;
    default:
        status = X(grid)(g->g, asked[0], asked[1], asked[2], m, n, B.rows, NULL,
                         NULL, a.data, &a.d, b.data, &b.d, values, values + n,
                         u.data, &u.d, v.data, &v.d, x.data, &x.d, NULL);
    }
    return status;
}

/* What a call takes is what it was said to take, or up to half less; of tall pairs, which have two roads, up
 * to three quarters less */
START_TEST(bytes)
{
    static const struct {
        gsvd_routine_t routine;
        char job[4];
    } of[] = {{GSVD_ROUTINE_SVD, "SV"},   {GSVD_ROUTINE_SVD, ""},
              {GSVD_ROUTINE_QR, ""},      {GSVD_ROUTINE_GEQP, ""},
              {GSVD_ROUTINE_HSVD, "SV"},  {GSVD_ROUTINE_EIGH, "VL"},
              {GSVD_ROUTINE_GSVD, "SSX"}, {GSVD_ROUTINE_GSVD, "SSX"},
              {GSVD_ROUTINE_SVD, "SV"}};
    const int64_t m = _i == 7 ? 2000 : 260, n = _i == 7 ? 30 : 240;
    uint64_t seed = (uint64_t)(800 + _i);
    const mat_t A = normal_mat(_i == 5 ? n : m, n, &seed),
                B = normal_mat(n, n, &seed);
    grid_of_t g;
    if (_i == 8) /* bands, which have owners                                 */
        scale_columns(A, GSVD_SINGLE ? 25 : 332, &seed);
    for (int k = 0; open_some(k, _i, &g); ++k) {
        gsvd_problem_t p = {.size = sizeof p,
                            .routine = of[_i].routine,
                            .type = letter(),
                            .m = m,
                            .n = n,
                            .p = n,
                            .n_plus = n / 2};
        size_t said = 0;
        memcpy(p.job, of[_i].job, sizeof p.job);
        const gsvd_status_t status = gsvd_grid_bytes(g.g, &p, &said);
        ck_assert_msg(status == GSVD_SUCCESS, "%s", gsvd_grid_last_error(g.g));
        ck_assert_msg(status_of(&g, of[_i].routine, of[_i].job, A, B) ==
                          GSVD_SUCCESS,
                      "%s", gsvd_grid_last_error(g.g));
        const size_t taken = g.g->taken;
        if (getenv("GSVD_TEST_PRINT"))
            printf("bytes %d on %d x %d: %zu of %zu, %.2f\n", _i, g.p, g.q,
                   taken, said, (double)taken / (double)said);
        ck_assert(taken <= said && (_i == 7 ? 4 : 2) * taken >= said);
        gsvd_grid_destroy(g.g);
    }
}
END_TEST

/* Only what a call refuses is refused; other processes do not take part. */
/* A device that has no block for a call's matrices: pages take their place, or the call says so.  The call
 * tests its result. */
START_TEST(pages)
{
    static const struct {
        gsvd_routine_t routine;
        char job[4];
    } of[] = {{GSVD_ROUTINE_SVD, "SV"},
              {GSVD_ROUTINE_HSVD, "SV"},
              {GSVD_ROUTINE_EIGH, "VL"},
              {GSVD_ROUTINE_GSVD, "SSX"}};
    const int64_t n = 260; /* Lists and messages fit into a block, matrices
                              do not.                                        */
    uint64_t seed = (uint64_t)(840 + _i);
    const mat_t A = of[_i].routine == GSVD_ROUTINE_EIGH
                        ? hermitian_matrix(ANY, n, &seed)
                        : normal_mat(n, n, &seed),
                B = normal_mat(n, n, &seed);
    for (int with_pages = 0; ranks == 1 && with_pages < 2; ++with_pages) {
        grid_of_t g;
        ck_assert(open_grid(0, 'R', &g));
        setenv("STANDIN_BLOCK", "1700000", 1);
        if (with_pages)
            setenv("STANDIN_PAGES", "1", 1);
        const gsvd_status_t status =
            status_of(&g, of[_i].routine, of[_i].job, A, B);
        unsetenv("STANDIN_BLOCK");
        unsetenv("STANDIN_PAGES");
        ck_assert_msg(
            status == (with_pages ? GSVD_SUCCESS : GSVD_OUT_OF_MEMORY),
            "%s: %s", gsvd_status_name(status), gsvd_grid_last_error(g.g));
        gsvd_grid_destroy(g.g);
    }
}
END_TEST

START_TEST(illegal_bytes)
{
    gsvd_problem_t p = {.size = sizeof p,
                        .routine = GSVD_ROUTINE_SVD,
                        .type = letter(),
                        .m = 9,
                        .n = 8};
    size_t some;
    grid_of_t g;
    ck_assert(open_grid(0, 'R', &g));
    if (me == 0) {
        ck_assert_int_eq(gsvd_grid_bytes(NULL, &p, &some), GSVD_INVALID_HANDLE);
        ck_assert_int_eq(gsvd_grid_bytes(g.g, &p, &some), GSVD_SUCCESS);
        ck_assert_int_eq(gsvd_grid_bytes(g.g, NULL, &some),
                         GSVD_INVALID_ARGUMENT);
        ck_assert_int_eq(gsvd_grid_bytes(g.g, &p, NULL), GSVD_INVALID_ARGUMENT);
        p.m = -1;
        ck_assert_int_eq(gsvd_grid_bytes(g.g, &p, &some),
                         GSVD_INVALID_ARGUMENT);
        ck_assert(strstr(gsvd_grid_last_error(g.g), "m: negative"));
        p.m = (int64_t)1 << 40;
        p.n = (int64_t)1 << 40;
        ck_assert_int_eq(gsvd_grid_bytes(g.g, &p, &some), GSVD_NOT_SUPPORTED);
        p.routine = GSVD_ROUTINE_URV;
        ck_assert_int_eq(gsvd_grid_bytes(g.g, &p, &some),
                         GSVD_INVALID_ARGUMENT);
        p.routine = GSVD_ROUTINE_SVD;
        p.job[1] = 'Q';
        ck_assert_int_eq(gsvd_grid_bytes(g.g, &p, &some),
                         GSVD_INVALID_ARGUMENT);
    }
    gsvd_grid_destroy(g.g);
}
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
    if (!IS_NCCL) /* These faults are ScaLAPACK's. */
        tcase_add_loop_test(t, engine_is_wrong_of_qr, 0, 4);
    tcase_add_test(t, allocation_fails_of_qr);
    t = add_tcase(s, "hsvd");
    add_some(t, hsvd, FAMILY * HSVD_SIZES);
    add_some(t, long_columns, 44);
    tcase_add_loop_test(t, hsvd_in_layouts, 0, 4);
    tcase_add_test(t, hsvd_of_any_scale);
    t = add_tcase(s, "eigh");
    add_some(t, eigh, KINDS * EIGH_SIZES);
    tcase_add_loop_test(t, small_eigenvalues, 0, 6);
    tcase_add_loop_test(t, eigh_in_layouts, 0, 2);
    t = add_tcase(s, "errors of both");
    tcase_add_loop_test(t, illegal_hsvd_data, 0, 6);
    tcase_add_loop_test(t, illegal_arguments, 0, ILLEGAL);
    tcase_add_loop_test(t, allocation_fails_of_both, 0, 2);
    if (IS_NCCL) {
        tcase_add_loop_test(t, pages, 0, 4);
        return s;
    }
    tcase_add_loop_test(t, engine_is_wrong_of_both, 0, 12);
    tcase_add_loop_test(t, product_is_wrong, 0, 2);
    t = add_tcase(s, "memory");
    tcase_add_loop_test(t, bytes, 0, 9);
    tcase_add_test(t, illegal_bytes);
    return s;
}
