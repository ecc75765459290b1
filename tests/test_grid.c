/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* test_grid.c -- the SVD and the GSVD on grids of all shapes of the processes that there are.
 *
 * Every process makes the whole matrix and takes its part; the factors are put together again.  Then
 * all processes test the same numbers.  A test that would wait for ever is ended by run_grid.sh.
 */
#include <ctype.h>
#include <limits.h>
#include <stdint.h>
#include <stdio.h>

#include "grid/module.h"
#include "harness/families.h"
#include "harness/graded.h"
#include "harness/grid.h"
#include "harness/wide.h"

/* ---- a call ------------------------------------------------------------------- */

typedef struct svd_on_grid {
    gsvd_status_t status;
    int info;
    real_t *sigma;
    mat_t U, V; /* no columns: not wanted                                    */
} svd_on_grid_t;

static svd_on_grid_t call(const grid_of_t *g, char jobu, char jobv, mat_t A,
                          const layout_t l[3])
{
    const int64_t m = A.rows, n = A.cols, r = min_i(m, n);
    const char U = (char)toupper(jobu), V = (char)toupper(jobv);
    const int64_t u = U == 'U' ? m : U == 'S' ? r : 0;
    const int64_t v = V == 'V' ? n : V == 'S' ? r : 0;
    const spread_t dA = spread(g, A, &l[0]);
    const spread_t dU = new_spread(g, m, u, &l[1]),
                   dV = new_spread(g, n, v, &l[2]);
    svd_on_grid_t s = {.info = 99,
                       .sigma = grab((size_t)(r + 1) * sizeof(real_t))};
    s.status = X(grid_svd)(g->g, jobu, jobv, m, n, dA.data, &dA.d, s.sigma,
                           dU.data, U == 'N' ? NULL : &dU.d, dV.data,
                           V == 'N' ? NULL : &dV.d, &s.info);
    s.U = gathered(g, &dU, m, u);
    s.V = gathered(g, &dV, n, v);
    ck_assert_unchanged(g, &dA, A);
    return s;
}

/* ---- accuracy ------------------------------------------------------------------ */

enum { NORMALS, BY_COLUMNS, BY_ROWS, BY_BOTH, TWO_CLUSTERS, MOST_EQUAL, KINDS };

static double clusters(double x) { return x < 0.5 ? 1 : 0.125; }

static mat_t turned(mat_t A)
{
    const mat_t B = new_mat(A.cols, A.rows);
    EACH_ENTRY (A, i, j)
        AT(B, j, i) = conj_of(AT(A, i, j));
    return B;
}

static mat_t make_matrix(int what, int64_t m, int64_t n, uint64_t *seed)
{
    enum { FAR = GSVD_SINGLE ? 25 : 332 }; /* 10^100 in double               */
    if (m < n)
        return turned(make_matrix(what, n, m, seed));
    if (what == NORMALS)
        return normal_mat(m, n, seed);
    if (what == TWO_CLUSTERS)
        return with_values(m, n, clusters, seed);
    if (what == MOST_EQUAL)
        return of_equal_numbers(1, m, n, seed);
    const mat_t A = with_values(m, n, to_tenth, seed);
    if (what == BY_COLUMNS)
        scale_columns(A, FAR, seed);
    if (what != BY_COLUMNS)
        scale_rows(A,
                   what == BY_ROWS ? GSVD_SINGLE ? 12 : 50
                   : GSVD_SINGLE   ? 6
                                   : 26,
                   seed);
    if (what == BY_BOTH)
        scale_columns(A, GSVD_SINGLE ? 6 : 26, seed);
    return A;
}

static const int size[][2] = {{1, 1},    {2, 1},    {2, 2},    {3, 40},
                              {7, 5},    {33, 33},  {40, 32},  {64, 64},
                              {97, 150}, {131, 97}, {140, 140}};
enum { SIZES = sizeof size / sizeof *size };

/* 5e-14 in double */
#define RELATIVE (450 * (double)GSVD_EPS)

/* What process 0 finds: errors of values and columns over RELATIVE, and of factors in LAPACK's ratio */
typedef struct found {
    double values, residual, of_u, of_v;
} found_t;

static found_t look_at(mat_t A, const svd_on_grid_t *s)
{
    const int64_t m = A.rows, n = A.cols, r = min_i(m, n);
    wide_t *const right = grab((size_t)(r + 1) * sizeof *right);
    const mat_t none = {NULL, 0, 0, 1};
    const mat_t U = mat_cols(s->U, 0, min_i(r, s->U.cols)),
                V = mat_cols(s->V, 0, min_i(r, s->V.cols));
    found_t f = {0, 0, defect(s->U), defect(s->V)};

    if (r > 0)
        wide_singular_values(A, right);
    for (int64_t j = 0; j < r; ++j)
        f.values =
            fmax(f.values, fabs((double)((s->sigma[j] - right[j]) / right[j])));
    if (U.cols < r || V.cols < r || r == 0)
        return f;
    /* columns of A where there are few, or of A^H */
    f.residual =
        m >= n ? column_error(A, U, s->sigma, 0, r, none, V, NULL)
               : column_error(turned(A), V, s->sigma, 0, r, none, U, NULL);
    return f;
}

static void check_svd(const grid_of_t *g, const char *what, mat_t A,
                      const svd_on_grid_t *s)
{
    found_t f = {0, 0, 0, 0};
    if (me == 0) /* The others' cores are these.                             */
        f = look_at(A, s);
    MPI_Bcast(&f, 4, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    if (getenv("GSVD_TEST_PRINT") && me == 0)
        printf("%-9s %3d x %3d on %d x %d: values %.1e residual %.1e\n", what,
               (int)A.rows, (int)A.cols, g->p, g->q, f.values, f.residual);
    ck_assert_msg(f.values <= RELATIVE && f.residual <= RELATIVE,
                  "%s, %d x %d on %d x %d: values %.1e, residual %.1e", what,
                  (int)A.rows, (int)A.cols, g->p, g->q, f.values, f.residual);
    ck_assert_ratio(f.of_u);
    ck_assert_ratio(f.of_v);
}

/* Values relative to themselves, columns relative to theirs, unitary factors; on each grid */
START_TEST(accurate)
{
    static const char *const name[KINDS] = {"like", "columns",  "rows",
                                            "both", "clusters", "equal"};
    const int what = _i / SIZES;
    const int64_t m = size[_i % SIZES][0], n = size[_i % SIZES][1];
    uint64_t seed = (uint64_t)(700 + _i);
    const mat_t A = make_matrix(what, m, n, &seed);
    grid_of_t g;
    for (int k = 0; open_grid(k, _i % 2 ? 'R' : 'C', &g); ++k) {
        const svd_on_grid_t s = call(&g, 'S', 'S', A, all_simple);
        ck_assert_done(g, s);
        check_svd(&g, name[what], A, &s);
        ck_assert_int_eq(gsvd_grid_destroy(g.g), GSVD_SUCCESS);
    }
}
END_TEST

/* D B, B of a few entries besides its diagonal: rows that look alike once columns are, of columns that depend
 * on others in the longest rows */
START_TEST(rows_that_count)
{
    const int64_t n = 3 + _i % 6;
    const int form = _i / 6, far = GSVD_SINGLE ? 10 : 40;
    uint64_t seed = (uint64_t)(1700 + _i);
    const mat_t A = zero_mat(n, n);
    EACH_ENTRY (A, i, j) {
        const int arrow = i == 0 || j == 0, band = i == j + 1;
        const int is_in = form == 0 ? arrow : form == 1 ? band : i > j;
        if (i == j)
            AT(A, i, j) = make(1, 0);
        else if (is_in)
            AT(A, i, j) = scale((real_t)0.5, random_uniform_scalar(&seed));
    }
    scale_rows(A, far, &seed);
    grid_of_t g;
    for (int k = 0; open_grid(k, 'R', &g); ++k) {
        const svd_on_grid_t s = call(&g, 'S', 'S', A, all_simple);
        ck_assert_done(g, s);
        check_svd(&g, "rows count", A, &s);
        ck_assert_int_eq(gsvd_grid_destroy(g.g), GSVD_SUCCESS);
    }
}
END_TEST

/* ---- layouts, jobs, bits ---------------------------------------------------------- */

static void ck_assert_same_svd(const svd_on_grid_t *x, const svd_on_grid_t *y,
                               int64_t r)
{
    ck_assert_int_eq(x->status, y->status);
    ck_assert(memcmp(x->sigma, y->sigma, (size_t)r * sizeof(real_t)) == 0);
    ck_assert_same(x->U, y->U);
    ck_assert_same(x->V, y->V);
}

/* Blocks of any shape, sources, offsets, processes that own nothing: the same bits as with the first
 * ones, on one grid. */
START_TEST(layouts)
{
    static const layout_t of[][3] = {
        {{8, 8, 0, 0, 0, 0}, {8, 8, 0, 0, 0, 0}, {8, 8, 0, 0, 0, 0}},
        {{1, 1, 0, 0, 0, 0}, {3, 2, 0, 0, 0, 0}, {5, 1, 0, 0, 0, 0}},
        {{2, 7, 1, 2, 0, 0}, {64, 64, 0, 0, 0, 0}, {1000, 3, 1, 0, 0, 0}},
        {{200, 200, 1, 1, 0, 0}, {200, 1, 0, 2, 0, 0}, {4, 4, 0, 0, 0, 0}},
        {{4, 4, 0, 0, 3, 9}, {4, 5, 1, 1, 1, 2}, {7, 7, 0, 0, 50, 1}},
        {{8, 8, 0, 0, 0, 0}, {8, 8, 0, 0, 0, 0}, {8, 8, 0, 0, 0, 0}}};
    static const int shape_of[][2] = {{1, 1}, {30, 19}, {50, 70}};
    const int64_t m = shape_of[_i][0], n = shape_of[_i][1];
    uint64_t seed = (uint64_t)(60 + _i);
    const mat_t A = make_matrix(BY_BOTH, m, n, &seed);
    grid_of_t g;
    for (int k = 0; open_some(k, _i, &g); ++k) {
        svd_on_grid_t first = {0};
        for (size_t l = 0; l < sizeof of / sizeof *of; ++l) {
            const svd_on_grid_t s = call(&g, 'S', 'S', A, of[l]);
            ck_assert_done(g, s);
            if (l == 0)
                first = s;
            ck_assert_same_svd(&s, &first, min_i(m, n));
        }
        gsvd_grid_destroy(g.g);
    }
}
END_TEST

/* A column that begins 2^33 rows below its array's beginning: that is where entries are read. */
START_TEST(far_in_its_array)
{
    enum { HEIGHT = 3 };
    const int64_t far = (int64_t)1 << 33;
    scalar_t a[] = {make(2, 0), make(3, 0), make(6, 0)};
    const uintptr_t above = (uintptr_t)a - (size_t)far * sizeof *a;
    const gsvd_grid_desc_t d = {.m = far + HEIGHT,
                                .n = 1,
                                .mb = far + HEIGHT,
                                .nb = 1,
                                .lld = far + HEIGHT,
                                .i = far};
    real_t sigma;
    int info;
    grid_of_t g;
    ck_assert(open_grid(0, 'R', &g));
    const gsvd_status_t status =
        X(grid_svd)(g.g, 'N', 'N', HEIGHT, 1, (const void *)above, &d, &sigma,
                    NULL, NULL, NULL, NULL, &info);
    ck_assert_msg(status == GSVD_SUCCESS && info == 0, "%s",
                  gsvd_grid_last_error(g.g));
    ck_assert(fabs((double)sigma / 7 - 1) <= RELATIVE);
    gsvd_grid_destroy(g.g);
}
END_TEST

/* Each job of each factor: legal, unitary, the same values up to rounding */
START_TEST(jobs)
{
    static const char ju[] = "USNusn", jv[] = "VSNvsn";
    static const int shape_of[][2] = {{17, 17}, {60, 37}, {37, 60}, {5, 0},
                                      {0, 0},   {0, 4},   {1, 9},   {90, 40}};
    const int64_t m = shape_of[_i][0], n = shape_of[_i][1], r = min_i(m, n);
    uint64_t seed = (uint64_t)(80 + _i);
    const mat_t A = make_matrix(r > 0 ? BY_COLUMNS : NORMALS, m, n, &seed);
    grid_of_t g;
    for (int k = 0; open_some(k, _i, &g); ++k) {
        for (int i = 0; i < 9; ++i) {
            const int lower = (i + _i) % 2 ? 3 : 0;
            const char jobu = ju[i / 3 + lower], jobv = jv[i % 3 + lower];
            const svd_on_grid_t s = call(&g, jobu, jobv, A, all_simple);
            ck_assert_done(g, s);
            check_svd(&g, "jobs", A, &s);
        }
        gsvd_grid_destroy(g.g);
    }
}
END_TEST

/* Ranks below min(m, n), and a matrix of zeros: factors are complete. */
START_TEST(deficient)
{
    const int64_t m = 70, n = 45;
    uint64_t seed = (uint64_t)(90 + _i);
    const mat_t A = normal_mat(m, n, &seed);
    grid_of_t g;
    EACH_ENTRY (A, i, j)
        if (_i == 0 || (_i == 1 && j >= 20) || (_i == 2 && (i + j) % 5 == 0) ||
            (_i == 2 && j % 7 == 3) || (_i == 3 && i % 3 == 1))
            AT(A, i, j) = make(0, 0);
    if (_i == 4) /* of rank 1 */
        EACH_ENTRY (A, i, j)
            AT(A, i, j) = make(1, 0);
    for (int k = 0; open_some(k, _i, &g); ++k) {
        const svd_on_grid_t s =
            call(&g, _i % 2 ? 'U' : 'S', 'V', A, all_simple);
        ck_assert_done(g, s);
        ck_assert_ratio(defect(s.U));
        ck_assert_ratio(defect(s.V));
        const mat_t E = copy_mat(A), US = copy_mat(mat_cols(s.U, 0, n));
        EACH_ENTRY (US, i, j)
            AT(US, i, j) = scale(s.sigma[j], AT(US, i, j));
        gemm('N', 'C', -1, US, s.V, 1, E);
        ck_assert(norm1(E) <= LIMIT * (double)m * norm1(A) * GSVD_ULP);
        for (int64_t j = 1; j < n; ++j)
            ck_assert(s.sigma[j] <= s.sigma[j - 1] && s.sigma[j] >= 0);
        if (_i == 0)
            ck_assert(s.sigma[0] == 0);
        if (_i == 1)
            ck_assert(s.sigma[19] > 0 && s.sigma[20] == 0);
        gsvd_grid_destroy(g.g);
    }
}
END_TEST

/* The same bits twice, on one grid and on another one of the same shape */
START_TEST(same_bits)
{
    uint64_t seed = 40;
    const mat_t A = normal_mat(120, 110, &seed);
    grid_of_t g, h;
    for (int k = 0; open_grid(k, 'R', &g); ++k) {
        ck_assert(open_grid(k, 'R', &h));
        const svd_on_grid_t x = call(&g, 'S', 'V', A, all_simple);
        const svd_on_grid_t y = call(&g, 'S', 'V', A, all_simple);
        const svd_on_grid_t z = call(&h, 'S', 'V', A, all_simple);
        ck_assert_done(g, x);
        ck_assert_same_svd(&x, &y, 110);
        ck_assert_same_svd(&x, &z, 110);
        gsvd_grid_destroy(g.g);
        gsvd_grid_destroy(h.g);
    }
}
END_TEST

/* Powers of two of the whole matrix change nothing but the values; what the range does not hold is
 * said. */
START_TEST(range)
{
    static const int power[] = {
        GSVD_SINGLE ? 100 : 1000, GSVD_SINGLE ? 30 : 300,
        GSVD_SINGLE ? -30 : -300, GSVD_SINGLE ? -90 : -960};
    const int far = GSVD_SINGLE ? 120 : 1000;
    uint64_t seed = 44;
    const int64_t m = 44, n = 36;
    const mat_t A = with_values(m, n, to_tenth, &seed), B = copy_mat(A);
    wide_t *const right = grab((size_t)n * sizeof *right);
    grid_of_t g;
    ck_assert(open_grid(0, 'R', &g));
    wide_singular_values(A, right);
    for (int k = 0; k < 4; ++k) {
        EACH_ENTRY (A, i, j)
            AT(B, i, j) = scale(ldexp_r(1, power[k]), AT(A, i, j));
        const svd_on_grid_t s = call(&g, 'S', 'S', B, all_simple);
        ck_assert_done(g, s);
        for (int64_t j = 0; j < n; ++j)
            ck_assert(fabs((double)(ldexp_r(s.sigma[j], -power[k]) / right[j] -
                                    1)) <= RELATIVE);
    }
    EACH_ENTRY (A, i, j)
        AT(B, i, j) = scale(ldexp_r(1, j == 0 ? far : -far), AT(A, i, j));
    const svd_on_grid_t lost = call(&g, 'S', 'S', B, all_simple);
    ck_assert_int_eq(lost.status, GSVD_NOT_CONVERGED);
    ck_assert_int_eq(lost.info, 1);
    EACH_ENTRY (A, i, j)
        AT(B, i, j) = make(GSVD_REAL_MAX, 0);
    const svd_on_grid_t over = call(&g, 'N', 'N', B, all_simple);
    ck_assert_int_eq(over.status, GSVD_OVERFLOW);
    ck_assert_int_eq(over.info, 2);
    gsvd_grid_destroy(g.g);
}
END_TEST

/* Beside libgsvd in this process, on matrices of all structures, spectra and scalings: the same status, and
 * values that differ by rounding of the matrix, or of its columns, or rows. */
START_TEST(like_one_process)
{
    const problem_t c =
        _i % 4 ? problem_of((structure_t)(_i % STRUCTURES), 977 * _i + 5)
               : drawn_problem(77, _i, 1, 160);
    const mat_t A = problem_matrix(&c, c.m, (uint64_t)_i), C = copy_mat(A);
    const int64_t m = A.rows, n = A.cols, r = min_i(m, n);
    const double each = 30 * (double)max_i(m, n) * GSVD_EPS *
                        fmin(condition_by_columns(A), condition_by_rows(A));
    const mat_t U = new_mat(m, r), V = new_mat(n, r);
    real_t *const sigma = grab((size_t)(r + 1) * sizeof *sigma);
    grid_of_t g;
    int info;
    const gsvd_status_t status =
        X(svd)(handle, 'S', 'S', m, n, C.data, C.ld, sigma, U.data, U.ld,
               V.data, V.ld, &info);
    for (int k = 0; open_some(k, _i, &g); ++k) {
        const svd_on_grid_t s = call(&g, 'S', 'S', A, all_simple);
        ck_assert_msg(s.status == status, "%s, on %d x %d: %s, alone %s",
                      problem_text(&c), g.p, g.q, gsvd_status_name(s.status),
                      gsvd_status_name(status));
        for (int64_t j = 0; status == GSVD_SUCCESS && j < r; ++j) {
            const double off = fabs((double)s.sigma[j] - (double)sigma[j]);
            ck_assert_msg(off <= fmin(each, 1) * (double)sigma[j] ||
                              off <= LIMIT * sqrt((double)max_i(m, n)) *
                                         GSVD_ULP * (double)sigma[0],
                          "%s, on %d x %d: value %d, %g and %g",
                          problem_text(&c), g.p, g.q, (int)j,
                          (double)s.sigma[j], (double)sigma[j]);
        }
        ck_assert_ratio(defect(s.U));
        ck_assert_ratio(defect(s.V));
        gsvd_grid_destroy(g.g);
    }
}
END_TEST

/* ---- zeros ------------------------------------------------------------------------ */

/* |A(:,j) - U S V(j,:)^H| over |A(:,j)|, at most */
static double worst_column(mat_t A, const svd_on_grid_t *s)
{
    const int64_t m = A.rows, r = s->V.cols;
    scalar_t *const x = grab((size_t)m * sizeof *x);
    double worst = 0;

    for (int64_t j = 0; j < A.cols; ++j) {
        real_t largest = 0;
        double sum = 0;
        for (int64_t i = 0; i < m; ++i)
            largest = (real_t)fmax(largest, abs_of(AT(A, i, j)));
        for (int64_t i = 0; i < m; ++i)
            x[i] = scale(1 / largest, AT(A, i, j));
        for (int64_t k = 0; k < r; ++k) {
            const scalar_t y =
                scale(s->sigma[k] / largest, conj_of(AT(s->V, j, k)));
            for (int64_t i = 0; i < m; ++i)
                x[i] = sub(x[i], mul(AT(s->U, i, k), y));
        }
        for (int64_t i = 0; i < m; ++i)
            sum += pow((double)abs_of(x[i]), 2);
        worst = fmax(worst, sqrt(sum));
    }
    return worst;
}

/* Matrices that are large enough for products by blocks: columns far apart in length; with rows apart,
 * too; half of them alike; lower triangular */
static mat_t far_columns(int what, int64_t m, int64_t n)
{
    enum { FAR = GSVD_SINGLE ? 48 : 332 };
    uint64_t seed = (uint64_t)(90 + what);
    const mat_t A = what == 3 ? normal_mat(m, n, &seed)
                              : with_values(m, n, to_tenth, &seed);
    EACH_ENTRY (A, i, j)
        if (what == 3 && i < j)
            AT(A, i, j) = make(0, 0);
        else if (what == 3 && i == j)
            AT(A, i, j) = make((real_t)n, 0);
    if (what == 1)
        scale_rows(A, GSVD_SINGLE ? 4 : 20, &seed);
    scale_columns(what == 2 ? mat_cols(A, n / 4, n / 2) : A, FAR, &seed);
    return A;
}

/* As accurate as one process's values, and by columns */
START_TEST(far_columns_in_blocks)
{
    const int64_t m = _i == 0 ? 700 : 560, n = 560;
    const mat_t A = far_columns(_i, m, n), C = copy_mat(A);
    real_t *const sigma = grab((size_t)n * sizeof *sigma);
    const mat_t none = {NULL, 0, 0, 1};
    grid_of_t g;
    int info;

    ck_assert_int_eq(X(svd)(handle, 'N', 'N', m, n, C.data, C.ld, sigma,
                            none.data, 1, none.data, 1, &info),
                     GSVD_SUCCESS);
    for (int k = 0; open_some(k, _i, &g); ++k) {
        const svd_on_grid_t s = call(&g, 'S', 'S', A, all_simple);
        double most[] = {0, 0};
        ck_assert_done(g, s);
        for (int64_t j = 0; j < n; ++j)
            most[0] = fmax(most[0], fabs((double)(s.sigma[j] / sigma[j]) - 1));
        if (me == 0)
            most[1] = worst_column(A, &s);
        MPI_Bcast(most, 2, MPI_DOUBLE, 0, MPI_COMM_WORLD);
        if (getenv("GSVD_TEST_PRINT") && me == 0)
            printf("far columns %d on %d x %d: values %.1e, residual %.1e, "
                   "factors %.2f %.2f\n",
                   _i, g.p, g.q, most[0], most[1], defect(s.U), defect(s.V));
        ck_assert_msg(most[0] <= RELATIVE,
                      "far columns %d on %d x %d: values %.1e", _i, g.p, g.q,
                      most[0]);
        /* A grid's single precision may lose the short columns of these (clusters.md). */
        if (!GSVD_SINGLE || _i != 2)
            ck_assert_ratio(most[1] / ((double)m * GSVD_ULP));
        ck_assert_ratio(defect(s.U));
        ck_assert_ratio(defect(s.V));
        gsvd_grid_destroy(g.g);
    }
}
END_TEST

/* ---- errors ------------------------------------------------------------------------ */

/* A NaN or an infinity on one process */
START_TEST(not_finite)
{
    uint64_t seed = 50;
    const int64_t m = 40, n = 33;
    const mat_t A = normal_mat(m, n, &seed);
    grid_of_t g;
    AT(A, _i < 2 ? 0 : m - 1, _i < 2 ? 0 : n - 1) =
        make(_i % 2 ? (real_t)NAN : (real_t)-INFINITY, 0);
    for (int k = 0; open_some(k, _i, &g); ++k) {
        const svd_on_grid_t s = call(&g, 'S', 'S', A, all_simple);
        ck_assert_agreed(&g, s.status, s.info, GSVD_INVALID_ARGUMENT, -5);
        gsvd_grid_destroy(g.g);
    }
}
END_TEST

typedef struct arguments {
    char jobu, jobv;
    int64_t m, n;
    scalar_t *A, *U, *V;
    real_t *sigma;
    gsvd_grid_desc_t a, u, v;
    const gsvd_grid_desc_t *descA, *descU, *descV;
} arguments_t;

enum { ILLEGAL = 26 };

/* Makes an argument illegal, and returns its number. */
static int spoil(arguments_t *x, int what)
{
    switch (what) {
    case 0: x->jobu = 'V'; return 1;
    case 1: x->jobv = 'U'; return 2;
    case 2: x->m = -1; return 3;
    case 3: x->n = -1; return 4;
    case 4: x->A = NULL; return 5;
    case 5: x->descA = NULL; return 6;
    case 6: x->a.mb = 0; return 6;
    case 7: x->a.nb = -3; return 6;
    case 8: x->a.rsrc = 99; return 6;
    case 9: x->a.csrc = -1; return 6;
    case 10: x->a.m = x->m - 1; return 6;
    case 11: x->a.i = 1; return 6;
    case 12: x->a.j = -1; return 6;
    case 13: x->a.lld = 0; return 6;
    case 14: x->sigma = NULL; return 7;
    case 15: x->U = NULL; return 8;
    case 16: x->descU = NULL; return 9;
    case 17: x->u.lld = -5; return 9;
    case 18: x->u.n -= 1; return 9;
    case 19: x->V = NULL; return 10;
    case 20: x->descV = NULL; return 11;
    case 21: x->v.n = INT64_MIN; return 11;
    case 22: x->v.j = INT64_MAX; return 11;
    case 23: x->jobu = 0; return 1;
    case 24: x->jobv = 0; return 2;
    default: x->v.lld = 1; return 11;
    }
}

/* Each argument, illegal on one process and on all of them */
START_TEST(illegal_arguments)
{
    uint64_t seed = 52;
    const int64_t m = 21, n = 18;
    const layout_t l = {2, 2, 0, 0, 0, 0};
    const mat_t A = normal_mat(m, n, &seed);
    grid_of_t g;
    for (int k = 0; open_some(k, _i, &g); ++k) {
        const spread_t dA = spread(&g, A, &l), dU = new_spread(&g, m, n, &l),
                       dV = new_spread(&g, n, n, &l);
        real_t *const sigma = grab((size_t)n * sizeof *sigma);
        for (int who = -1; who < min_i(ranks, 3); ++who) {
            int info = 99;
            arguments_t x = {'S',   'V',  m,    n,    dA.data, dU.data, dV.data,
                             sigma, dA.d, dU.d, dV.d, NULL,    NULL,    NULL};
            x.descA = &x.a;
            x.descU = &x.u;
            x.descV = &x.v;
            arguments_t y = x;
            const int spoilt = spoil(&y, _i);
            if (who < 0 || who == me)
                (void)spoil(&x, _i);
            const gsvd_status_t status =
                X(grid_svd)(g.g, x.jobu, x.jobv, x.m, x.n, x.A, x.descA,
                            x.sigma, x.U, x.descU, x.V, x.descV, &info);
            ck_assert_agreed(&g, status, info, GSVD_INVALID_ARGUMENT, -spoilt);
        }
        /* and no one has been left behind */
        const svd_on_grid_t s = call(&g, 'N', 'N', A, all_simple);
        ck_assert_done(g, s);
        gsvd_grid_destroy(g.g);
    }
}
END_TEST

/* Each process has another illegal argument: the first one's is that of all. */
START_TEST(several_illegal)
{
    uint64_t seed = 54;
    const mat_t A = normal_mat(20, 20, &seed);
    grid_of_t g;
    ck_assert(open_grid(0, 'R', &g));
    const spread_t dA = spread(&g, A, &all_simple[0]);
    gsvd_grid_desc_t short_one = dA.d;
    short_one.lld = 0;
    int info = 99;
    const gsvd_status_t status =
        X(grid_svd)(g.g, 'N', 'N', 20, 20, dA.data, me > 0 ? &short_one : &dA.d,
                    NULL, NULL, NULL, NULL, NULL, &info);
    ck_assert_agreed(&g, status, info, GSVD_INVALID_ARGUMENT, -7);
    ck_assert(strstr(gsvd_grid_last_error(g.g), "argument 7, sigma"));
    gsvd_grid_destroy(g.g);
}
END_TEST

/* Processes of other sizes */
START_TEST(different_arguments)
{
    uint64_t seed = 53;
    const mat_t A = normal_mat(20, 20, &seed);
    grid_of_t g;
    ck_assert(open_grid(0, 'R', &g));
    const spread_t dA = spread(&g, A, &all_simple[0]);
    real_t *const sigma = grab(20 * sizeof *sigma);
    int info = 99;
    const gsvd_status_t status =
        X(grid_svd)(g.g, 'N', 'N', me == ranks - 1 ? 19 : 20, me == 0 ? 20 : 20,
                    dA.data, &dA.d, sigma, NULL, NULL, NULL, NULL, &info);
    if (ranks > 1)
        ck_assert_agreed(&g, status, info, GSVD_INVALID_ARGUMENT, -3);
    gsvd_grid_destroy(g.g);
}
END_TEST

/* Sizes that ScaLAPACK does not count are refused before anything is touched. */
START_TEST(too_large_for_the_engine)
{
    static const int64_t large[] = {(int64_t)1 << 20, (int64_t)1 << 40};
    grid_of_t g;
    ck_assert(open_grid(0, 'R', &g));
    const int64_t n = large[_i];
    const gsvd_grid_desc_t d = {.m = n, .n = n, .mb = 64, .nb = 64, .lld = n};
    scalar_t a = make(1, 0);
    real_t sigma;
    int info = 99;
    const gsvd_status_t status = X(grid_svd)(
        g.g, 'N', 'N', n, n, &a, &d, &sigma, NULL, NULL, NULL, NULL, &info);
    ck_assert_agreed(&g, status, info, GSVD_NOT_SUPPORTED,
                     -1000 - GSVD_NOT_SUPPORTED);
    ck_assert(strstr(gsvd_grid_last_error(g.g), "32 bits"));
    gsvd_grid_destroy(g.g);
}
END_TEST

/* ---- grids -------------------------------------------------------------------------- */

static void ck_assert_no_grid(gsvd_status_t status, gsvd_status_t expected,
                              const gsvd_grid_t *g, const char *text)
{
    ck_assert_int_eq(status, expected);
    ck_assert_ptr_null(*g);
    ck_assert_msg(strstr(gsvd_grid_last_error(NULL), text) != NULL, "%s",
                  gsvd_grid_last_error(NULL));
}

/* One process, whose bands are the engines' instead of libgsvd's; and the arguments of a grid over NCCL */
START_TEST(engines_alone)
{
    const int what = _i;
    uint64_t seed = (uint64_t)(1900 + _i);
    const mat_t A = make_matrix(what, 140, 131, &seed);
    grid_of_t g;
    for (int k = 0; open_grid(k, 'R', &g); ++k) {
        const int64_t before = g.g->on_gpu;
        const svd_on_grid_t own = call(&g, 'S', 'S', A, all_simple);
        ck_assert_done(g, own);
        check_svd(&g, "own", A, &own);
        /* The others' bands are narrow. */
        ck_assert(ranks > 1 || (what >= BY_COLUMNS && what <= BY_BOTH) ||
                  g.g->on_gpu > before);
        const int64_t solved = g.g->on_gpu;
        ck_assert_int_eq(gsvd_grid_set_device(g.g, GSVD_HOST), GSVD_SUCCESS);
        const svd_on_grid_t engines = call(&g, 'S', 'S', A, all_simple);
        ck_assert_done(g, engines);
        check_svd(&g, "engines", A, &engines);
        ck_assert_int_eq(g.g->on_gpu, solved);
        gsvd_grid_destroy(g.g);
    }
}
END_TEST

START_TEST(illegal_grids_of_nccl)
{
    struct {
        MPI_Comm comm;
    } world = {MPI_COMM_WORLD};
    gsvd_grid_t g = (gsvd_grid_t)&ranks;
    ck_assert_int_eq(gsvd_grid_from_nccl(NULL, &world, 1, ranks, 'R'),
                     GSVD_INVALID_ARGUMENT);
    ck_assert_no_grid(gsvd_grid_from_nccl(&g, NULL, 1, ranks, 'R'),
                      GSVD_INVALID_ARGUMENT, &g, "comm");
    ck_assert_no_grid(gsvd_grid_from_nccl(&g, &world, 1, ranks + 1, 'R'),
                      GSVD_INVALID_ARGUMENT, &g, "p and q");
    ck_assert_no_grid(gsvd_grid_from_nccl(&g, &world, -1, -ranks, 'R'),
                      GSVD_INVALID_ARGUMENT, &g, "p and q");
    ck_assert_no_grid(gsvd_grid_from_nccl(&g, &world, 1, ranks, 'X'),
                      GSVD_INVALID_ARGUMENT, &g, "order");
    if (ranks > 1) { /* one process alone errs */
        ck_assert_int_eq(gsvd_grid_from_nccl(&g, &world, 1,
                                             me == 1 ? ranks + 2 : ranks, 'r'),
                         GSVD_INVALID_ARGUMENT);
        ck_assert_no_grid(
            gsvd_grid_from_nccl(&g, &world, 1, ranks, me == 1 ? 'C' : 'R'),
            GSVD_INVALID_ARGUMENT, &g, "differ");
    }
    ck_assert_no_grid(
        gsvd_grid_from_mpi(&g, MPI_Comm_c2f(MPI_COMM_WORLD), 1, ranks, 'R'),
        GSVD_NOT_SUPPORTED, &g, "libgsvd-openmpi");
}
END_TEST

START_TEST(illegal_grids)
{
    const int world = MPI_Comm_c2f(MPI_COMM_WORLD);
    gsvd_grid_t g = (gsvd_grid_t)&ranks;
    ck_assert_int_eq(gsvd_grid_from_mpi(NULL, world, 1, ranks, 'R'),
                     GSVD_INVALID_ARGUMENT);
    ck_assert_no_grid(gsvd_grid_from_mpi(&g, world, 1, ranks + 1, 'R'),
                      GSVD_INVALID_ARGUMENT, &g, "p and q");
    ck_assert_no_grid(gsvd_grid_from_mpi(&g, world, -1, -ranks, 'R'),
                      GSVD_INVALID_ARGUMENT, &g, "p and q");
    ck_assert_no_grid(gsvd_grid_from_mpi(&g, world, INT64_MAX, INT64_MAX, 'R'),
                      GSVD_INVALID_ARGUMENT, &g, "p and q");
    ck_assert_no_grid(gsvd_grid_from_mpi(&g, world, 1, ranks, 'X'),
                      GSVD_INVALID_ARGUMENT, &g, "order");
    ck_assert_no_grid(
        gsvd_grid_from_mpi(&g, MPI_Comm_c2f(MPI_COMM_NULL), 1, ranks, 'R'),
        GSVD_INVALID_ARGUMENT, &g, "comm");
    ck_assert_no_grid(gsvd_grid_from_mpi(&g, INT_MAX, 1, ranks, 'R'),
                      GSVD_INVALID_ARGUMENT, &g, "comm");
    if (ranks > 1) /* one process alone errs */
        ck_assert_int_eq(
            gsvd_grid_from_mpi(&g, world, 1, me == 1 ? ranks + 2 : ranks, 'r'),
            GSVD_INVALID_ARGUMENT);
    if (ranks > 1)
        ck_assert_no_grid(
            gsvd_grid_from_mpi(&g, world, 1, ranks, me == 1 ? 'C' : 'R'),
            GSVD_INVALID_ARGUMENT, &g, "differ");
    ck_assert_no_grid(gsvd_grid_from_blacs(&g, 12345), GSVD_INVALID_ARGUMENT,
                      &g, "context");
    ck_assert_int_eq(gsvd_grid_destroy(NULL), GSVD_SUCCESS);
    ck_assert_int_eq(X(grid_svd)(NULL, 'N', 'N', 0, 0, NULL, NULL, NULL, NULL,
                                 NULL, NULL, NULL, NULL),
                     GSVD_INVALID_HANDLE);
}
END_TEST

void Cblacs_get(int context, int what, int *value);
void Cblacs_gridinit(int *context, const char *order, int p, int q);
void Cblacs_gridinfo(int context, int *p, int *q, int *r, int *c);
void Cblacs_gridexit(int context);

/* A grid of a BLACS context, by columns and of fewer processes than there are; ScaLAPACK's nine
 * integers */
START_TEST(blacs)
{
    const int p = ranks > 3 ? 2 : 1, q = ranks < 2 ? 1 : 2;
    uint64_t seed = 61;
    const mat_t A = normal_mat(30, 30, &seed);
    int context;
    grid_of_t g = {0};
    Cblacs_get(-1, 0, &context);
    Cblacs_gridinit(&context, "Col", p, q);
    if (me >= p * q)
        return;
    Cblacs_gridinfo(context, &g.p, &g.q, &g.r, &g.c);
    ck_assert(g.r == me % p && g.c == me / p);
    ck_assert_int_eq(gsvd_grid_from_blacs(&g.g, context), GSVD_SUCCESS);
    const spread_t dA = spread(&g, A, &all_simple[0]);
    const int nine[9] = {1, context, 30, 30, 8, 8, 0, 0, (int)dA.d.lld};
    const gsvd_grid_desc_t d = gsvd_grid_desc(nine);
    ck_assert(memcmp(&d, &dA.d, sizeof d) == 0);
    real_t *const sigma = grab(30 * sizeof *sigma);
    ck_assert_int_eq(X(grid_svd)(g.g, 'N', 'N', 30, 30, dA.data, &d, sigma,
                                 NULL, NULL, NULL, NULL, NULL),
                     GSVD_SUCCESS);
    wide_t right[30];
    wide_singular_values(A, right);
    for (int j = 0; j < 30; ++j)
        ck_assert(fabs((double)((sigma[j] - right[j]) / right[j])) <= RELATIVE);
    gsvd_grid_destroy(g.g);
    Cblacs_gridexit(context);
}
END_TEST

/* ---- pairs -------------------------------------------------------------------------- */

typedef struct pair_on_grid {
    gsvd_status_t status;
    int info;
    int64_t k, l;
    real_t *alpha, *beta;
    mat_t U, V, X_; /* no columns: not wanted                                */
} pair_on_grid_t;

/* l: the layouts of A, B, U, V, X */
static pair_on_grid_t call_pair(const grid_of_t *g, const char *job, mat_t A,
                                mat_t B, const layout_t l[5])
{
    const int64_t m = A.rows, n = A.cols, p = B.rows;
    const char U = (char)toupper(job[0]), V = (char)toupper(job[1]),
               X_ = (char)toupper(job[2]);
    const int64_t u = U == 'U' ? m : U == 'S' ? min_i(m, n) : 0;
    const int64_t v = V == 'V' ? p : V == 'S' ? min_i(p, n) : 0;
    const int64_t x = X_ == 'X' ? n : 0;
    const spread_t dA = spread(g, A, &l[0]), dB = spread(g, B, &l[1]),
                   dU = new_spread(g, m, u, &l[2]),
                   dV = new_spread(g, p, v, &l[3]),
                   dX = new_spread(g, n, x, &l[4]);
    pair_on_grid_t s = {.info = 99,
                        .k = -1,
                        .l = -1,
                        .alpha = grab((size_t)(n + 1) * sizeof(real_t)),
                        .beta = grab((size_t)(n + 1) * sizeof(real_t))};
    s.status = X(grid)(g->g, job[0], job[1], job[2], m, n, p, &s.k, &s.l,
                       dA.data, &dA.d, dB.data, &dB.d, s.alpha, s.beta, dU.data,
                       u > 0 || U != 'N' ? &dU.d : NULL, dV.data,
                       V == 'N' ? NULL : &dV.d, dX.data,
                       X_ == 'N' ? NULL : &dX.d, &s.info);
    s.U = gathered(g, &dU, m, u);
    s.V = gathered(g, &dV, p, v);
    s.X_ = gathered(g, &dX, n, x);
    ck_assert_unchanged(g, &dA, A);
    ck_assert_unchanged(g, &dB, B);
    return s;
}

static const layout_t *const pair_simple = all_simple;

/* of alpha / beta, of A's columns and of B's, over eps; and of factors in LAPACK's ratio */
typedef struct found_pair {
    double values, of_a, of_b, of_u, of_v;
} found_pair_t;

static found_pair_t look_at_pair(mat_t A, mat_t B, const pair_on_grid_t *s)
{
    const int64_t n = A.cols;
    wide_t *const right = grab((size_t)(n + 1) * sizeof *right);
    const mat_t none = {NULL, 0, 0, 1};
    found_pair_t f = {0, 0, 0, defect(s->U), defect(s->V)};

    wide_values(new_mat(A.rows, 0), A, B, right);
    for (int64_t j = 0; j < n; ++j) {
        const wide_t ratio = (wide_t)s->alpha[j] / (wide_t)s->beta[j];
        const double e = right[j] > 0 ? (double)fabsl(ratio / right[j] - 1)
                                      : (double)s->alpha[j];
        const double one = hypot((double)s->alpha[j], (double)s->beta[j]) - 1;
        f.values = fmax(f.values, fmax(e, fabs(one)) / (double)GSVD_EPS);
    }
    if (s->X_.cols < n)
        return f;
    if (s->U.cols >= min_i(A.rows, n))
        f.of_a = column_error(A, mat_cols(s->U, 0, min_i(A.rows, n)), s->alpha,
                              0, n, none, s->X_, NULL) /
                 (double)GSVD_EPS;
    if (s->V.cols >= n)
        f.of_b = column_error(B, mat_cols(s->V, 0, n), s->beta, 0, n, none,
                              s->X_, NULL) /
                 (double)GSVD_EPS;
    return f;
}

/* Values and columns relative to themselves, factors unitary, as the SVD's */
static void check_pair(const grid_of_t *g, const char *what, mat_t A, mat_t B,
                       const pair_on_grid_t *s)
{
    const double bound = 450; /* 5e-14 in double                        */
    found_pair_t f = {0, 0, 0, 0, 0};
    if (me == 0 && A.cols > 0)
        f = look_at_pair(A, B, s);
    MPI_Bcast(&f, 5, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    if (getenv("GSVD_TEST_PRINT") && me == 0)
        printf("%-16s %3d %3d %3d on %d x %d: values %.0f columns %.0f %.0f\n",
               what, (int)A.rows, (int)A.cols, (int)B.rows, g->p, g->q,
               f.values, f.of_a, f.of_b);
    ck_assert_msg(f.values <= bound && f.of_a <= bound && f.of_b <= bound,
                  "%s, %d x %d and %d on %d x %d: values %.0f columns %.0f "
                  "%.0f",
                  what, (int)A.rows, (int)A.cols, (int)B.rows, g->p, g->q,
                  f.values, f.of_a, f.of_b);
    ck_assert_ratio(f.of_u);
    ck_assert_ratio(f.of_v);
    ck_assert(s->k == 0 && s->l == A.cols);
    for (int64_t j = 1; j < A.cols; ++j)
        ck_assert(s->alpha[j] <= s->alpha[j - 1]);
}

/* Matrices of condition 10, times powers of two of columns and of rows up to so many bits; equal: A
 * is of equal numbers */
static const struct {
    const char *name;
    int columns_a, columns_b, rows_a, rows_b, equal;
} pairs[] = {{"like", 0, 0, 0, 0, 0},
             {"A's columns", 332, 0, 0, 0, 0}, /* 10^+-100                   */
             {"B's columns", 0, 332, 0, 0, 0},
             {"columns", 53, 53, 0, 0, 0},
             {"far columns", 110, 110, 0, 0, 0},
             {"A's rows", 0, 0, 50, 0, 0},
             {"B's rows", 0, 0, 0, 10, 0},
             {"both", 20, 20, 20, 10, 0},
             {"equal", 0, 0, 0, 0, 1}};
enum { PAIRS = sizeof pairs / sizeof *pairs };

/* The last ones are tall, or one of both is. */
static const int pair_size[][3] = {
    {1, 1, 1},       {2, 1, 3},     {0, 4, 6},     {3, 5, 6},   {5, 3, 3},
    {33, 33, 33},    {70, 40, 50},  {40, 64, 70},  {90, 5, 80}, {31, 25, 170},
    {110, 100, 101}, {310, 30, 30}, {260, 37, 300}};
enum { PAIR_SIZES = sizeof pair_size / sizeof *pair_size };

static int bits_here(int in_double)
{
    return !GSVD_SINGLE ? in_double : in_double > 300 ? 25 : in_double / 4;
}

static mat_t scaled_matrix(int64_t m, int64_t n, int columns, int rows,
                           uint64_t *seed)
{
    const mat_t A = m == 0  ? new_mat(m, n)
                    : m < n ? turned(with_values(n, m, to_tenth, seed))
                            : with_values(m, n, to_tenth, seed);
    if (columns > 0)
        scale_columns(A, bits_here(columns), seed);
    if (rows > 0)
        scale_rows(A, bits_here(rows), seed);
    return A;
}

START_TEST(accurate_pairs)
{
    const int what = _i / PAIR_SIZES;
    const int *const of = pair_size[_i % PAIR_SIZES];
    uint64_t seed = (uint64_t)(800 + _i);
    const mat_t A =
        pairs[what].equal
            ? make_matrix(of[0] > 0 ? MOST_EQUAL : NORMALS, of[0], of[1], &seed)
            : scaled_matrix(of[0], of[1], pairs[what].columns_a,
                            pairs[what].rows_a, &seed);
    const mat_t B = scaled_matrix(of[2], of[1], pairs[what].columns_b,
                                  pairs[what].rows_b, &seed);
    grid_of_t g;
    for (int k = 0; open_some(k, _i, &g); ++k) {
        const pair_on_grid_t s = call_pair(&g, "SSX", A, B, pair_simple);
        ck_assert_done(g, s);
        check_pair(&g, pairs[what].name, A, B, &s);
        gsvd_grid_destroy(g.g);
    }
}
END_TEST

/* A with fewer rows that are not 0 than columns: so many values are 0, and not what rounding of A is to
 * a B of 2^-54 |A|, single 2^-24. */
START_TEST(zeros_among_rows)
{
    static const int shape_of[][3] = {
        {9, 6, 6}, {40, 33, 40}, {40, 64, 70}, {310, 30, 30}};
    const int *const of = shape_of[_i / 2];
    const int64_t n = of[1], left = min_i(of[0], n) - 1 - _i % 2 * (n / 3);
    uint64_t seed = (uint64_t)(850 + _i);
    const mat_t A = normal_mat(of[0], n, &seed);
    const mat_t B =
        ldexp_mat(normal_mat(of[2], n, &seed), GSVD_SINGLE ? -24 : -54);
    grid_of_t g;
    leave_rows(A, left, &seed);
    for (int k = 0; open_some(k, _i, &g); ++k) {
        const pair_on_grid_t s = call_pair(&g, "SSX", A, B, pair_simple);
        ck_assert_done(g, s);
        ck_assert(s.k == 0 && s.l == n && s.alpha[left - 1] > 0);
        for (int64_t j = left; j < n; ++j)
            ck_assert_msg(s.alpha[j] <= 0, "%ld: %g", (long)j,
                          (double)s.alpha[j]);
        gsvd_grid_destroy(g.g);
    }
}
END_TEST

static double to_tiny(double x) { return pow(2, -(GSVD_SINGLE ? 17 : 44) * x); }

/* A, B, or both, nearly singular, also by Kahan: values are not determined, residuals are. */
START_TEST(ill_conditioned_pairs)
{
    static const int shape_of[][3] = {{60, 60, 60}, {70, 50, 55}, {30, 45, 50}};
    const int *const of = shape_of[_i / 5];
    const int what = _i % 5;
    const int64_t m = of[0], n = of[1], p = of[2];
    const mat_t none = {NULL, 0, 0, 1};
    uint64_t seed = (uint64_t)(87 + _i);
    const mat_t A = what == 3   ? of_equal_numbers(-1, m, n, &seed)
                    : what == 0 ? normal_mat(m, n, &seed)
                    : m < n     ? turned(with_values(n, m, to_tiny, &seed))
                                : with_values(m, n, to_tiny, &seed);
    const mat_t B =
        what == 1   ? normal_mat(p, n, &seed)
        : what == 4 ? of_equal_numbers(GSVD_SINGLE ? 0.99 : 0.9, p, n, &seed)
                    : with_values(p, n, to_tiny, &seed);
    grid_of_t g;
    for (int k = 0; open_some(k, _i, &g); ++k) {
        double off[2] = {0, 0};
        const pair_on_grid_t s = call_pair(&g, "SSX", A, B, pair_simple);
        if (getenv("GSVD_TEST_PRINT") && me == 0)
            printf("ill %d %d: %s\n", what, _i / 5, gsvd_status_name(s.status));
        ck_assert_done(g, s);
        if (me == 0) {
            off[0] = column_error(A, s.U, s.alpha, 0, n, none, s.X_, NULL);
            off[1] = column_error(B, s.V, s.beta, 0, n, none, s.X_, NULL);
            if (getenv("GSVD_TEST_PRINT"))
                printf("ill %d %d: columns %.0f %.0f\n", what, _i / 5,
                       off[0] / (double)GSVD_EPS, off[1] / (double)GSVD_EPS);
        }
        MPI_Bcast(off, 2, MPI_DOUBLE, 0, MPI_COMM_WORLD);
        ck_assert(off[0] <= RELATIVE && off[1] <= RELATIVE);
        ck_assert_ratio(defect(s.U));
        ck_assert_ratio(defect(s.V));
        gsvd_grid_destroy(g.g);
    }
}
END_TEST

/* B = a derivative of order _i + 1, of given rank, with zero columns, of few rows, zero */
static mat_t deficient_matrix(int what, int64_t p, int64_t n, uint64_t *seed)
{
    const mat_t B = normal_mat(p, n, seed);
    const int64_t r = n / 3;
    if (what < 2) {
        fill(B, make(0, 0));
        for (int64_t i = 0; i < min_i(p, n - 1 - what); ++i) {
            AT(B, i, i) = make(1, 0);
            AT(B, i, i + 1) = make(what == 0 ? -1 : -2, 0);
            if (what == 1)
                AT(B, i, i + 2) = make(1, 0);
        }
    } else if (what == 2) {
        gemm('N', 'N', 1, normal_mat(p, r, seed), normal_mat(r, n, seed), 0, B);
    } else if (what != 4) {
        EACH_ENTRY (B, i, j)
            if (what == 5 || j % 3 == 1)
                AT(B, i, j) = make(0, 0);
    }
    return B;
}

/* A vector in the null spaces of both, or many, or A = 0 and B of few rows */
static void make_null_space(int what, mat_t A, mat_t B)
{
    const mat_t M[] = {A, B};
    for (int k = 0; k < 2; ++k)
        EACH_ENTRY (M[k], i, j)
            if (what == 6 && j == 7)
                AT(M[k], i, 7) = sub(AT(M[k], i, 3), AT(M[k], i, 20));
            else if ((what == 7 && j % 4 == 2) ||
                     (what == 8 && (k == 0 || i > M[k].rows / 2)))
                AT(M[k], i, j) = make(0, 0);
}

/* B, or (A; B), has not full column rank: ranks, values and structure as in one process */
START_TEST(pairs_of_any_rank)
{
    static const int shape_of[][3] = {{30, 30, 30},    {50, 33, 40},
                                      {40, 33, 20},    {25, 30, 29},
                                      {140, 130, 129}, {230, 33, 290}};
    const int *const of = shape_of[_i / 9];
    const int what = _i % 9;
    const int64_t n = of[1], p = of[2],
                  m = what >= 2 && what < 8 ? of[0] + 20 : of[0];
    const mat_t none = {NULL, 0, 0, 1};
    uint64_t seed = (uint64_t)(95 + _i);
    const mat_t A = scaled_matrix(m, n, what == 3 ? 40 : 0, 0, &seed);
    const mat_t B = deficient_matrix(what, p, n, &seed);
    if (what >= 6)
        make_null_space(what, A, B);
    const result_t alone = decompose(HOST, 'N', 'N', 'N', A, B);
    grid_of_t g;
    ck_assert_ok(alone.status);
    for (int k = 0; open_some(k, _i, &g); ++k) {
        double off[2] = {0, 0};
        const pair_on_grid_t s =
            call_pair(&g, _i % 2 ? "UVX" : "SSX", A, B, pair_simple);
        ck_assert_done(g, s);
        ck_assert(what >= 6 ? s.k + s.l < n : s.k + s.l == n);
        ck_assert_msg(what == 3 || (s.k == alone.k && s.l == alone.l),
                      "%d: ranks %d %d, alone %d %d", _i, (int)s.k, (int)s.l,
                      (int)alone.k, (int)alone.l);
        for (int64_t j = 0; j < n; ++j) {
            const double e = fabs((double)s.alpha[j] - (double)alone.alpha[j]) +
                             fabs((double)s.beta[j] - (double)alone.beta[j]);
            ck_assert_msg(what == 3 || e <= 1000 * (double)n * (double)GSVD_EPS,
                          "%d: pair %d of ranks %d %d: %g %g, alone %g %g", _i,
                          (int)j, (int)s.k, (int)s.l, (double)s.alpha[j],
                          (double)s.beta[j], (double)alone.alpha[j],
                          (double)alone.beta[j]);
            ck_assert(j >= s.k || (s.alpha[j] == 1 && s.beta[j] == 0));
            ck_assert(j < s.k + s.l || (s.alpha[j] == 0 && s.beta[j] == 0));
            for (int64_t i = 0; j >= s.k + s.l && i < n; ++i)
                ck_assert(abs_max(AT(s.X_, i, j)) == 0);
        }
        if (me == 0) {
            off[0] = column_error(A, mat_cols(s.U, 0, min_i(m, n)), s.alpha, 0,
                                  n, none, s.X_, NULL) /
                     (double)GSVD_EPS;
            if (s.l > 0 && p > 0)
                off[1] =
                    column_error(B, mat_cols(s.V, 0, s.l), s.beta + s.k, 0, s.l,
                                 none, mat_cols(s.X_, s.k, s.l), NULL) /
                    (double)GSVD_EPS;
            if (getenv("GSVD_TEST_PRINT"))
                printf("rank %d %d: %d %d columns %.0f %.0f\n", what, _i / 9,
                       (int)s.k, (int)s.l, off[0], off[1]);
        }
        MPI_Bcast(off, 2, MPI_DOUBLE, 0, MPI_COMM_WORLD);
        ck_assert_msg(off[0] <= 450 && off[1] <= 450, "%d: columns %.0f %.0f",
                      _i, off[0], off[1]);
        ck_assert_ratio(defect(s.U));
        ck_assert_ratio(defect(s.V));
        gsvd_grid_destroy(g.g);
    }
}
END_TEST

/* Powers of two of A and of B change values alone, up to the range's ends. */
START_TEST(range_of_pairs)
{
    enum { FAR = GSVD_SINGLE ? 50 : 450, END = GSVD_SINGLE ? 120 : 1000 };
    static const int power[][2] = {
        {FAR, -FAR}, {-FAR, FAR}, {END, END}, {-FAR, -FAR}, {-END, -END}};
    uint64_t seed = (uint64_t)(46 + _i);
    const mat_t A = normal_mat(40, 36, &seed),
                B = with_values(37, 36, to_tenth, &seed);
    grid_of_t g;
    ck_assert(open_grid(0, 'R', &g));
    EACH_ENTRY (A, i, j)
        AT(A, i, j) = scale(ldexp_r(1, power[_i][0]), AT(A, i, j));
    EACH_ENTRY (B, i, j)
        AT(B, i, j) = scale(ldexp_r(1, power[_i][1]), AT(B, i, j));
    const pair_on_grid_t s = call_pair(&g, "SSX", A, B, pair_simple);
    ck_assert_done(g, s);
    check_pair(&g, "range", A, B, &s);
    EACH_ENTRY (A, i, j) /* no type holds both                               */
        AT(A, i, j) = make(j == 0 ? ldexp_r(1, END) : ldexp_r(1, -END), 0);
    const pair_on_grid_t lost = call_pair(&g, "NNN", A, B, pair_simple);
    ck_assert_agreed(&g, lost.status, lost.info, GSVD_NOT_CONVERGED, 1);
    gsvd_grid_destroy(g.g);
}
END_TEST

/* Each job, blocks of any shape, sources and offsets: the same bits, on one grid */
START_TEST(pairs_in_layouts)
{
    static const layout_t of[][5] = {{{1, 1, 0, 0, 0, 0},
                                      {3, 2, 0, 0, 0, 0},
                                      {5, 1, 0, 0, 0, 0},
                                      {2, 9, 1, 0, 0, 0},
                                      {64, 3, 0, 1, 0, 0}},
                                     {{200, 200, 1, 1, 0, 0},
                                      {4, 4, 0, 0, 3, 9},
                                      {7, 7, 0, 0, 50, 1},
                                      {4, 5, 1, 1, 1, 2},
                                      {200, 1, 0, 2, 0, 0}}};
    static const char *const job[] = {"uvx", "NSX", "SNx", "UVN", "Nnn"};
    static const int shape_of[][3] = {{9, 9, 9}, {50, 30, 41}, {20, 35, 40}};
    const int64_t m = shape_of[_i][0], n = shape_of[_i][1], p = shape_of[_i][2];
    uint64_t seed = (uint64_t)(66 + _i);
    const mat_t A = make_matrix(BY_COLUMNS, m, n, &seed),
                B = scaled_matrix(p, n, 20, 10, &seed);
    grid_of_t g;
    for (int k = 0; open_some(k, _i, &g); ++k) {
        const pair_on_grid_t first = call_pair(&g, "SSX", A, B, pair_simple);
        ck_assert_done(g, first);
        check_pair(&g, "layouts", A, B, &first);
        for (int l = 0; l < 2; ++l) {
            const pair_on_grid_t s = call_pair(&g, "ssx", A, B, of[l]);
            ck_assert_done(g, s);
            ck_assert(
                memcmp(s.alpha, first.alpha, (size_t)n * sizeof(real_t)) == 0);
            ck_assert(memcmp(s.beta, first.beta, (size_t)n * sizeof(real_t)) ==
                      0);
            ck_assert_same(s.U, first.U);
            ck_assert_same(s.V, first.V);
            ck_assert_same(s.X_, first.X_);
        }
        for (int i = 0; i < 5; ++i) {
            const pair_on_grid_t s = call_pair(&g, job[i], A, B, of[i % 2]);
            ck_assert_done(g, s);
            check_pair(&g, "jobs", A, B, &s);
        }
        gsvd_grid_destroy(g.g);
    }
}
END_TEST

/* Beside libgsvd in this process: alpha and beta */
START_TEST(pair_like_one_process)
{
    uint64_t seed = (uint64_t)(85 + _i);
    const int64_t m = 60 - 15 * _i, n = 37, p = 45;
    const mat_t A = normal_mat(m, n, &seed), B = normal_mat(p, n, &seed);
    const result_t alone = decompose(HOST, 'N', 'N', 'N', A, B);
    grid_of_t g;
    ck_assert_ok(alone.status);
    for (int k = 0; open_some(k, _i, &g); ++k) {
        const pair_on_grid_t s = call_pair(&g, "NNN", A, B, pair_simple);
        ck_assert_done(g, s);
        ck_assert(s.k == alone.k && s.l == alone.l);
        for (int64_t j = 0; j < n; ++j) {
            const double e = fabs((double)s.alpha[j] - (double)alone.alpha[j]) +
                             fabs((double)s.beta[j] - (double)alone.beta[j]);
            ck_assert(e <= 1000 * (double)n * (double)GSVD_EPS);
        }
        gsvd_grid_destroy(g.g);
    }
}
END_TEST

/* A NaN or an infinity on one process */
START_TEST(illegal_pairs)
{
    uint64_t seed = (uint64_t)(56 + _i);
    const int64_t m = 30, n = 23, p = 31;
    const mat_t A = normal_mat(m, n, &seed), B = normal_mat(p, n, &seed);
    const int of_b = _i % 2;
    grid_of_t g;
    const mat_t M = of_b ? B : A;
    AT(M, _i < 2 ? 0 : M.rows - 1, _i < 2 ? 0 : n - 1) =
        make(_i < 2 ? (real_t)NAN : (real_t)INFINITY, 0);
    for (int k = 0; open_some(k, _i, &g); ++k) {
        const pair_on_grid_t s = call_pair(&g, "SSX", A, B, pair_simple);
        ck_assert_agreed(&g, s.status, s.info, GSVD_INVALID_ARGUMENT,
                         of_b ? -11 : -9);
        gsvd_grid_destroy(g.g);
    }
}
END_TEST

typedef struct pair_arguments {
    char job[3];
    int64_t m, n, p;
    scalar_t *data[5];
    gsvd_grid_desc_t desc[5];
    int absent[5]; /* descriptors                                            */
    real_t *alpha, *beta;
} pair_arguments_t;

static int spoil_pair(pair_arguments_t *x, int what)
{
    static const int number[] = {9, 11, 15, 17, 19};
    const int array = what % 5;
    switch (what / 5) {
    case 0: x->data[array] = NULL; return number[array];
    case 1: x->absent[array] = 1; return number[array] + 1;
    case 2: x->desc[array].lld = 0; return number[array] + 1;
    case 3: x->desc[array].n -= 1; return number[array] + 1;
    case 4: break;
    default: x->desc[array].mb = 0; return number[array] + 1;
    }
    switch (array) {
    case 0: x->alpha = NULL; return 13;
    case 1: x->beta = NULL; return 14;
    case 2: x->job[2] = 'Q'; return 3;
    case 3: x->p = -1; return 6;
    default: x->job[1] = 'U'; return 2;
    }
}

START_TEST(illegal_arguments_of_pairs)
{
    uint64_t seed = 57;
    const int64_t m = 21, n = 18, p = 19;
    const layout_t l = {2, 2, 0, 0, 0, 0};
    const mat_t A = normal_mat(m, n, &seed), B = normal_mat(p, n, &seed);
    real_t values[2][18];
    grid_of_t g;
    ck_assert(open_grid(_i % 2 && ranks > 1 ? 1 : 0, 'R', &g));
    const spread_t of[] = {spread(&g, A, &l), spread(&g, B, &l),
                           new_spread(&g, m, n, &l), new_spread(&g, p, n, &l),
                           new_spread(&g, n, n, &l)};
    for (int who = -1; who < min_i(ranks, 2); ++who) {
        pair_arguments_t x = {.job = {'S', 'S', 'X'},
                              .m = m,
                              .n = n,
                              .p = p,
                              .alpha = values[0],
                              .beta = values[1]};
        int info = 99;
        for (int k = 0; k < 5; ++k) {
            x.data[k] = of[k].data;
            x.desc[k] = of[k].d;
        }
        pair_arguments_t y = x;
        const int spoilt = spoil_pair(&y, _i);
        if (who < 0 || who == me)
            (void)spoil_pair(&x, _i);
        const gsvd_grid_desc_t *d[5];
        for (int k = 0; k < 5; ++k)
            d[k] = x.absent[k] ? NULL : &x.desc[k];
        const gsvd_status_t status =
            X(grid)(g.g, x.job[0], x.job[1], x.job[2], x.m, x.n, x.p, NULL,
                    NULL, x.data[0], d[0], x.data[1], d[1], x.alpha, x.beta,
                    x.data[2], d[2], x.data[3], d[3], x.data[4], d[4], &info);
        ck_assert_agreed(&g, status, info, GSVD_INVALID_ARGUMENT, -spoilt);
    }
    gsvd_grid_destroy(g.g);
}
END_TEST

/* ---- messages --------------------------------------------------------------------- */

/* Calls of MPI by this process, by the module and by ScaLAPACK, in which it may wait for another one; those of
 * them that all processes of a communicator make, and of these the all-to-alls */
static int calls, collectives, all_to_alls;

static int is_shared(MPI_Comm c)
{
    int count;
    PMPI_Comm_size(c, &count);
    return count > 1;
}

#define COUNTED_AS(name, all, parameters, arguments)                           \
    __attribute__((visibility("default"))) int MPI_##name parameters           \
    {                                                                          \
        calls += is_shared(c);                                                 \
        collectives += (all) && is_shared(c);                                  \
        return PMPI_##name arguments;                                          \
    }
#define COUNTED(name, parameters, arguments)                                   \
    COUNTED_AS(name, 0, parameters, arguments)
#define COLLECTIVE(name, parameters, arguments)                                \
    COUNTED_AS(name, 1, parameters, arguments)
COUNTED(Send,
        (const void *x, int n, MPI_Datatype t, int to, int tag, MPI_Comm c),
        (x, n, t, to, tag, c))
COUNTED(Isend,
        (const void *x, int n, MPI_Datatype t, int to, int tag, MPI_Comm c,
         MPI_Request *r),
        (x, n, t, to, tag, c, r))
COUNTED(Irecv,
        (void *x, int n, MPI_Datatype t, int from, int tag, MPI_Comm c,
         MPI_Request *r),
        (x, n, t, from, tag, c, r))
COLLECTIVE(Bcast, (void *x, int n, MPI_Datatype t, int from, MPI_Comm c),
           (x, n, t, from, c))
COLLECTIVE(Reduce,
           (const void *x, void *y, int n, MPI_Datatype t, MPI_Op op, int to,
            MPI_Comm c),
           (x, y, n, t, op, to, c))
COLLECTIVE(Allreduce,
           (const void *x, void *y, int n, MPI_Datatype t, MPI_Op op,
            MPI_Comm c),
           (x, y, n, t, op, c))
COLLECTIVE(Allgather,
           (const void *x, int n, MPI_Datatype t, void *y, int m,
            MPI_Datatype u, MPI_Comm c),
           (x, n, t, y, m, u, c))
COLLECTIVE(Allgatherv,
           (const void *x, int n, MPI_Datatype t, void *y, const int *m,
            const int *at, MPI_Datatype u, MPI_Comm c),
           (x, n, t, y, m, at, u, c))
COLLECTIVE(Barrier, (MPI_Comm c), (c))

__attribute__((visibility("default"))) int
MPI_Alltoallv(const void *x, const int *n, const int *at, MPI_Datatype t,
              void *y, const int *m, const int *to, MPI_Datatype u, MPI_Comm c)
{
    calls += is_shared(c);
    collectives += is_shared(c);
    all_to_alls += is_shared(c);
    return PMPI_Alltoallv(x, n, at, t, y, m, to, u, c);
}

/* The last process gets C with an entry of the last column changed so much. */
static real_t wrong_number;

__attribute__((visibility("default"))) int MPI_Recv(void *x, int n,
                                                    MPI_Datatype t, int from,
                                                    int tag, MPI_Comm c,
                                                    MPI_Status *s)
{
    const int status = PMPI_Recv(x, n, t, from, tag, c, s);
    scalar_t *const last = (scalar_t *)x + n - 2;

    calls += is_shared(c);
    if (wrong_number != 0 && me == ranks - 1 && n == 21 * 21)
        *last = add(*last, make(wrong_number, 0));
    return status;
}

/* The most calls of a process in the GSVD of m x n and p x n */
static int calls_of(int k, const char *job, int64_t m, int64_t n, int64_t p)
{
    uint64_t seed = 77;
    const mat_t A = normal_mat(m, n, &seed), B = normal_mat(p, n, &seed);
    grid_of_t g;
    if (!open_grid(k, 'R', &g))
        return -1;
    const int before = calls;
    const pair_on_grid_t s = call_pair(&g, job, A, B, all_simple);
    int here = calls - before;
    ck_assert_done(g, s);
    MPI_Allreduce(MPI_IN_PLACE, &here, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
    gsvd_grid_destroy(g.g);
    return here;
}

/* Of a tall pair they are as many for 40 columns as for 10, and fewer than columns; of the same pair with
 * all of U, by the other road, they are some for each column. */
START_TEST(messages_of_tall_pairs)
{
    for (int k = 0, few; (few = calls_of(k, "SSX", 300, 10, 280)) >= 0; ++k) {
        const int more = calls_of(k, "SSX", 300, 40, 280);
        const int half = calls_of(k, "SSX", 300, 40, 60);
        const int other = calls_of(k, "UVX", 300, 40, 280);
        if (getenv("GSVD_TEST_PRINT") && me == 0)
            printf("messages: %d, %d, %d, not tall %d\n", few, more, half,
                   other);
        ck_assert_int_eq(few, more);
        ck_assert_int_le(more, 100);
        ck_assert_int_le(half, 100);
        ck_assert(ranks == 1 || other > 40 * 10);
    }
}
END_TEST

/* An SVD takes some collectives for each column, of eigenvectors and of QR, and no all-to-all for a band. */
START_TEST(collectives_of_svds)
{
    const int is_normal = _i == 0;
    const int64_t n = is_normal ? 300 : 100;
    uint64_t seed = 78;
    const mat_t A = make_matrix(is_normal ? NORMALS : BY_COLUMNS, n, n, &seed);
    grid_of_t g;
    /* of six processes 6 x 1 alone, which makes the most */
    for (int k = ranks == 6 && is_normal ? 3 : 0;
         is_normal ? open_grid(k, 'R', &g) : open_some(k, 1, &g); ++k) {
        const int before[] = {collectives, calls, all_to_alls};
        const svd_on_grid_t s = call(&g, 'S', 'S', A, all_simple);
        int here[] = {collectives - before[0], calls - before[1],
                      all_to_alls - before[2]};
        ck_assert_done(g, s);
        MPI_Allreduce(MPI_IN_PLACE, here, 3, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
        if (getenv("GSVD_TEST_PRINT") && me == 0)
            printf("collectives on %d x %d: %.2f n of %.2f n calls, %d "
                   "all-to-alls\n",
                   g.p, g.q, here[0] / (double)n, here[1] / (double)n, here[2]);
        if (is_normal)
            ck_assert_int_le(here[0], 7 * n);
        ck_assert_int_le(here[2], 50);
        ck_assert(ranks == 1 || (here[0] > 100 && here[2] > 0));
        gsvd_grid_destroy(g.g);
    }
}
END_TEST

/* ---- GPUs ---------------------------------------------------------------------------- */

/* Each process's bands are solved by the handle of its GPU: its own of those of the computer, unless one is
 * named.  The last process may have none. */
START_TEST(bands_on_gpus)
{
    const int64_t m = 120, n = 110;
    const int device = _i == 1 ? 3 : GSVD_ANY, last_has_none = _i == 2;
    uint64_t seed = 91;
    const mat_t A = make_matrix(BY_COLUMNS, m, n, &seed);
    grid_of_t g;
    for (int k = 0; open_some(k, _i, &g); ++k) {
        fake_gpu =
            (struct fake_gpu){.is_missing = last_has_none && me == ranks - 1};
        use_fake_gpu(&g, device, 2);
        const svd_on_grid_t s = call(&g, 'S', 'S', A, all_simple);
        ck_assert_done(g, s);
        check_svd(&g, "on GPUs", A, &s);
        const int bands = bands_on_gpu(&g);
        ck_assert(bands > 0 || (last_has_none && ranks == 1));
        ck_assert_int_eq((int)g.g->on_gpu, fake_gpu.asked);
        ck_assert_int_le(fake_gpu.created, 1);
        if (fake_gpu.created > 0) {
            ck_assert_int_eq(fake_gpu.device, device);
            ck_assert_int_eq(fake_gpu.turn, me);
        }
        gsvd_grid_destroy(g.g);
        ck_assert_int_eq(fake_gpu.destroyed,
                         fake_gpu.created - (fake_gpu.asked == 0));
    }
}
END_TEST

/* A GPU that is not there, or not asked, or fails on one process or on all: the bits are those of no GPU. */
START_TEST(gpus_fail)
{
    enum { MISSING, BROKEN, FULL, ONE_BROKEN, NOT_WANTED, NARROW_BANDS };
    const int64_t m = 120, n = 110;
    uint64_t seed = 92;
    const mat_t A = make_matrix(BY_COLUMNS, m, n, &seed);
    grid_of_t g;
    for (int k = 0; open_some(k, _i, &g); ++k) {
        const svd_on_grid_t right = call(&g, 'S', 'S', A, all_simple);
        ck_assert_done(g, right);
        fake_gpu = (struct fake_gpu){
            .is_missing = _i == MISSING || (_i == ONE_BROKEN && me > 0),
            .fails = _i == FULL ? GSVD_OUT_OF_MEMORY : GSVD_INTERNAL_ERROR};
        use_fake_gpu(&g, _i == NOT_WANTED ? GSVD_HOST : GSVD_ANY,
                     _i == NARROW_BANDS ? n + 1 : 2);
        const svd_on_grid_t s = call(&g, 'S', 'S', A, all_simple);
        ck_assert_done(g, s);
        ck_assert_same_svd(&s, &right, n);
        ck_assert_int_eq(bands_on_gpu(&g), 0);
        /* Once it is broken, it is not asked again. */
        int most[] = {fake_gpu.created, fake_gpu.asked};
        MPI_Allreduce(MPI_IN_PLACE, most, 2, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
        ck_assert_int_eq(most[0], _i != NOT_WANTED && _i != NARROW_BANDS);
        ck_assert(_i == FULL ? most[1] > 1
                             : most[1] == (_i == BROKEN || _i == ONE_BROKEN));
        gsvd_grid_destroy(g.g);
        ck_assert_int_eq(fake_gpu.destroyed,
                         fake_gpu.is_missing ? 0 : fake_gpu.created);
    }
}
END_TEST

/* Another device is another handle.  Illegal ones are refused. */
START_TEST(device_of_a_grid)
{
    grid_of_t g;
    ck_assert(open_grid(0, 'R', &g));
    ck_assert_int_eq(gsvd_grid_set_device(NULL, GSVD_ANY), GSVD_INVALID_HANDLE);
    ck_assert_int_eq(gsvd_grid_set_device(g.g, GSVD_ANY - 1),
                     GSVD_INVALID_ARGUMENT);
    ck_assert(strstr(gsvd_grid_last_error(g.g), "argument 2, device"));
    ck_assert_int_eq(gsvd_grid_set_device(g.g, GSVD_HOST), GSVD_SUCCESS);
    ck_assert_int_eq(gsvd_grid_set_device(g.g, 1000), GSVD_SUCCESS);
    uint64_t seed = 93;
    const mat_t A = make_matrix(BY_COLUMNS, 60, 50, &seed);
    const svd_on_grid_t s = call(&g, 'S', 'S', A, all_simple);
    ck_assert_done(g, s);
    check_svd(&g, "no GPU 1000", A, &s);
    gsvd_grid_destroy(g.g);
}
END_TEST

/* ---- faults -------------------------------------------------------------------------- */

/* On one process each of the module's allocations fails in turn. */
START_TEST(allocation_fails)
{
    uint64_t seed = 70;
    const int64_t m = _i == 0 ? 120 : 50, n = _i == 0 ? 110 : 40;
    const mat_t A = make_matrix(_i == 0 ? NORMALS : BY_COLUMNS, m, n, &seed);
    int last = 0;
    for (int who = _i == 0 ? 0 : ranks - 1;
         who < (_i == 0 ? min_i(ranks, 2) : ranks); ++who)
        for (int k = 1; k == 1 || !last; ++k) {
            grid_of_t g;
            ck_assert(open_grid(ranks == 4 ? 1 : 0, 'R', &g));
            const spread_t dA = spread(&g, A, &all_simple[0]),
                           dU = new_spread(&g, m, n, &all_simple[1]);
            real_t *const sigma = grab((size_t)n * sizeof *sigma);
            int info = 99;
            countdown = me == who ? k : 0;
            const gsvd_status_t status =
                X(grid_svd)(g.g, 'S', 'N', m, n, dA.data, &dA.d, sigma, dU.data,
                            &dU.d, NULL, NULL, &info);
            last = me == who ? countdown > 0 : 0;
            countdown = 0;
            MPI_Bcast(&last, 1, MPI_INT, who, MPI_COMM_WORLD);
            if (!last)
                ck_assert_agreed(&g, status, info, GSVD_OUT_OF_MEMORY,
                                 -1000 - GSVD_OUT_OF_MEMORY);
            else
                ck_assert_int_eq(status, GSVD_SUCCESS);
            if (last)
                ck_assert_int_ge(k, 4);
            gsvd_grid_destroy(g.g);
        }
}
END_TEST

START_TEST(engine_is_wrong)
{
    static const int of[] = {ZERO_ENTRY, NOT_A_NUMBER, OTHER_VALUES, NO_VALUES,
                             REFUSES};
    /* The stand-in for cuSOLVERMp is LAPACK. */
    enum fault *const engine_fault = IS_NCCL ? &small_fault : &fault;
    uint64_t seed = 71;
    const mat_t A = normal_mat(120, 110, &seed);
    grid_of_t g;
    for (int k = 0; open_some(k, _i, &g); ++k) {
        if (IS_NCCL)
            gsvd_grid_set_device(g.g, GSVD_HOST);
        const svd_on_grid_t right = call(&g, 'S', 'S', A, all_simple);
        ck_assert_done(g, right);
        ck_assert(IS_NCCL || eigenproblems > 0);
        *engine_fault = of[_i];
        /* Only process 0's values count. */
        culprit = IS_NCCL || of[_i] == OTHER_VALUES || of[_i] == NO_VALUES
                      ? 0
                      : ranks / 2;
        const svd_on_grid_t s = call(&g, 'S', 'S', A, all_simple);
        *engine_fault = HONEST;
        if (of[_i] == ZERO_ENTRY && s.status == GSVD_SUCCESS)
            check_svd(&g, "mended", A, &s); /* in single precision            */
        else
            ck_assert_agreed(&g, s.status, s.info, GSVD_INTERNAL_ERROR,
                             -1000 - GSVD_INTERNAL_ERROR);
        gsvd_grid_destroy(g.g);
    }
}
END_TEST

/* Columns of bands, which each process has some of, that become wrong there */
START_TEST(owner_is_wrong)
{
    static const int of[] = {NOT_A_NUMBER, OTHER_VALUES, REFUSES};
    uint64_t seed = 79;
    const mat_t A = make_matrix(BY_COLUMNS, 120, 110, &seed);
    grid_of_t g;
    for (int k = 0; open_some(k, _i, &g); ++k) {
        small_fault = of[_i];
        culprit = IS_NCCL ? 0 : ranks - 1;
        const svd_on_grid_t s = call(&g, 'S', 'S', A, all_simple);
        small_fault = HONEST;
        ck_assert_agreed(&g, s.status, s.info, GSVD_INTERNAL_ERROR,
                         -1000 - GSVD_INTERNAL_ERROR);
        const svd_on_grid_t right = call(&g, 'S', 'S', A, all_simple);
        ck_assert_done(g, right);
        check_svd(&g, "owned", A, &right);
        gsvd_grid_destroy(g.g);
    }
}
END_TEST

/* Large steps that do not converge are followed by others, until they do or have been too many. */
START_TEST(large_steps_go_on)
{
    uint64_t seed = 72;
    const mat_t A = normal_mat(120, 110, &seed);
    grid_of_t g;
    for (int k = 0; open_some(k, 0, &g); ++k) {
        all_cosines = 0;
        const svd_on_grid_t right = call(&g, 'S', 'S', A, all_simple);
        ck_assert_done(g, right);
        const int usual = all_cosines;
        int done = 0;
        for (int more = 1; more < 4; ++more) {
            wrong_cosines = usual + more;
            const svd_on_grid_t late = call(&g, 'S', 'S', A, all_simple);
            if (late.status == GSVD_SUCCESS) {
                ck_assert_int_eq(wrong_cosines, 0);
                check_svd(&g, "late", A, &late);
                ++done;
            } else /* They seem to, and the result says that they do not.    */
                ck_assert_agreed(&g, late.status, late.info, GSVD_NOT_CONVERGED,
                                 1);
        }
        ck_assert_int_gt(done, 0);
        gsvd_grid_destroy(g.g);
    }
}
END_TEST

/* Steps that make no progress, of all routines by large steps: there are no sweeps on a grid, and the calls
 * say so. */
START_TEST(no_progress)
{
    uint64_t seed = 80;
    const mat_t A = normal_mat(50, 45, &seed), B = normal_mat(47, 45, &seed);
    grid_of_t g;
    for (int k = 0; open_some(k, 0, &g); ++k)
        for (int i = 0; i < 4; ++i) {
            wrong_cosines = INT_MAX;
            if (i < 2) {
                const char job = i == 0 ? 'S' : 'N';
                const svd_on_grid_t s = call(&g, job, job, A, all_simple);
                ck_assert_agreed(&g, s.status, s.info, GSVD_NOT_CONVERGED, 1);
            } else {
                const pair_on_grid_t s =
                    call_pair(&g, i == 2 ? "SSX" : "NNN", A, B, pair_simple);
                ck_assert_agreed(&g, s.status, s.info, GSVD_NOT_CONVERGED, 1);
            }
            ck_assert_int_gt(wrong_cosines, 0);
            wrong_cosines = 0;
            if (i == 3)
                gsvd_grid_destroy(g.g);
        }
}
END_TEST

/* A factor that is not unitary becomes so; if it is no factor of A then, the call says so. */
START_TEST(factor_is_mended)
{
    uint64_t seed = 73;
    const mat_t A = normal_mat(120, 110, &seed);
    grid_of_t g;
    for (int k = 0; open_some(k, 1, &g); ++k) {
        static const real_t of[] = {100 * GSVD_EPS, (real_t)0.005, 1};
        for (int i = 0; i < 3; ++i) {
            slope = of[i];
            const svd_on_grid_t s = call(&g, 'S', 'S', A, all_simple);
            slope = 0;
            if (i == 0)
                ck_assert_done(g, s);
            else
                ck_assert_agreed(&g, s.status, s.info, GSVD_NOT_CONVERGED, 1);
            if (i < 2)
                ck_assert_ratio(defect(s.U));
        }
        gsvd_grid_destroy(g.g);
    }
}
END_TEST

/* Products, eigenvectors and quotients that are wrong: never GSVD_SUCCESS with wrong numbers */
START_TEST(engine_is_wrong_of_pairs)
{
    uint64_t seed = 74;
    const mat_t A = normal_mat(120, 110, &seed),
                B = with_values(115, 110, to_tenth, &seed);
    grid_of_t g;
    ck_assert(open_grid(ranks == 4 ? 1 : 0, 'R', &g));
    const pair_on_grid_t right = call_pair(&g, "SSX", A, B, pair_simple);
    ck_assert_done(g, right);
    check_pair(&g, "right", A, B, &right);
    fault = _i == 0 ? NOT_A_NUMBER : _i == 1 ? REFUSES : HONEST;
    culprit = ranks / 2;
    slope = _i == 2 ? (real_t)0.01 : 0;
    wrong_quotient = _i == 3 ? (real_t)0.01 : _i == 4 ? (real_t)NAN : 0;
    const pair_on_grid_t s = call_pair(&g, "NNN", A, B, pair_simple);
    fault = HONEST;
    slope = wrong_quotient = 0;
    if (_i < 2)
        ck_assert_agreed(&g, s.status, s.info, GSVD_INTERNAL_ERROR,
                         -1000 - GSVD_INTERNAL_ERROR);
    else
        ck_assert_agreed(&g, s.status, s.info, GSVD_NOT_CONVERGED, 1);
    gsvd_grid_destroy(g.g);
}
END_TEST

/* A tall pair whose last process gets another number than was sent, or a NaN */
START_TEST(message_is_wrong)
{
    uint64_t seed = 76;
    const mat_t A = normal_mat(300, 21, &seed), B = normal_mat(30, 21, &seed);
    grid_of_t g;
    for (int k = 0; open_some(k, _i, &g); ++k) {
        wrong_number = _i == 0 ? (real_t)0.01 : (real_t)NAN;
        const pair_on_grid_t s = call_pair(&g, "SSX", A, B, all_simple);
        wrong_number = 0;
        if (ranks == 1)
            ck_assert_done(g, s);
        else
            ck_assert_agreed(&g, s.status, s.info, GSVD_NOT_CONVERGED, 1);
        gsvd_grid_destroy(g.g);
    }
}
END_TEST

/* On one process each of the module's allocations fails in turn. */
START_TEST(allocation_fails_of_pairs)
{
    uint64_t seed = 75;
    const mat_t A = _i ? normal_mat(300, 10, &seed) : normal_mat(40, 33, &seed),
                B = normal_mat(44, A.cols, &seed);
    int last = 0, k = 1;
    for (; !last; ++k) {
        grid_of_t g;
        ck_assert(open_grid(ranks == 4 ? 1 : 0, 'R', &g));
        countdown = me == ranks - 1 ? k : 0;
        const pair_on_grid_t s = call_pair(&g, "SSX", A, B, pair_simple);
        last = me == ranks - 1 ? countdown > 0 : 0;
        countdown = 0;
        MPI_Bcast(&last, 1, MPI_INT, ranks - 1, MPI_COMM_WORLD);
        if (last)
            ck_assert_done(g, s);
        else
            ck_assert_agreed(&g, s.status, s.info, GSVD_OUT_OF_MEMORY,
                             -1000 - GSVD_OUT_OF_MEMORY);
        gsvd_grid_destroy(g.g);
    }
    ck_assert_int_ge(k, 5);
}
END_TEST

/* ---- all of them ------------------------------------------------------------------ */

static int is_mpich(void)
{
    const char *const mpi = getenv("GSVD_TEST_MPI");
    return mpi && strcmp(mpi, "mpich") == 0;
}

Suite *make_suite(void)
{
    begin_mpi();
    Suite *s = suite_create("grid");
    TCase *t = add_tcase(s, "results");
    add_some(t, accurate, KINDS * SIZES);
    add_some(t, rows_that_count, 18);
    add_some(t, jobs, 8);
    tcase_add_loop_test(t, deficient, 0, 5);
    tcase_add_test(t, range);
    add_some(t, like_one_process, 6 * STRUCTURES);
    t = add_tcase(s, "blocks");
    tcase_add_loop_test(t, far_columns_in_blocks, 0, 4);
    t = add_tcase(s, "pairs");
    add_some(t, accurate_pairs, PAIRS * PAIR_SIZES);
    tcase_add_loop_test(t, zeros_among_rows, 0, 8);
    tcase_add_loop_test(t, ill_conditioned_pairs, 0, 15);
    add_some(t, pairs_of_any_rank, 54);
    tcase_add_loop_test(t, range_of_pairs, 0, 5);
    tcase_add_loop_test(t, pairs_in_layouts, 0, 3);
    tcase_add_loop_test(t, pair_like_one_process, 0, 3);
    if (IS_NCCL) { /* What follows is about MPI, ScaLAPACK and the host's memory. */
        t = add_tcase(s, "NCCL");
        tcase_add_loop_test(t, engines_alone, 0, KINDS);
        tcase_add_loop_test(t, layouts, 0, 3);
        tcase_add_test(t, far_in_its_array);
        tcase_add_test(t, same_bits);
        tcase_add_loop_test(t, not_finite, 0, 4);
        tcase_add_loop_test(t, illegal_arguments, 0, ILLEGAL);
        tcase_add_loop_test(t, illegal_pairs, 0, 4);
        tcase_add_loop_test(t, illegal_arguments_of_pairs, 0, 30);
        tcase_add_test(t, different_arguments);
        tcase_add_test(t, illegal_grids_of_nccl);
        tcase_add_loop_test(t, allocation_fails, 0, 2);
        tcase_add_loop_test(t, engine_is_wrong, 0, 3);
        tcase_add_loop_test(t, owner_is_wrong, 0, 3);
        return s;
    }
    t = add_tcase(s, "messages");
    tcase_add_test(t, messages_of_tall_pairs);
    tcase_add_loop_test(t, collectives_of_svds, 0, 2);
    if (!is_mpich()) { /* By one MPI: MPICH's processes take 50 s on two cores. */
        t = add_tcase(s, "GPUs");
        tcase_add_loop_test(t, bands_on_gpus, 0, 3);
        tcase_add_loop_test(t, gpus_fail, 0, 6);
        tcase_add_test(t, device_of_a_grid);
    }
    t = add_tcase(s, "bits");
    tcase_add_loop_test(t, layouts, 0, 3);
    tcase_add_test(t, far_in_its_array);
    tcase_add_test(t, same_bits);
    t = add_tcase(s, "errors");
    tcase_add_loop_test(t, not_finite, 0, 4);
    tcase_add_loop_test(t, illegal_arguments, 0, ILLEGAL);
    tcase_add_test(t, several_illegal);
    tcase_add_loop_test(t, illegal_pairs, 0, 4);
    tcase_add_loop_test(t, illegal_arguments_of_pairs, 0, 30);
    tcase_add_test(t, different_arguments);
    tcase_add_loop_test(t, too_large_for_the_engine, 0, 2);
    tcase_add_test(t, illegal_grids);
    tcase_add_test(t, blacs);
    t = add_tcase(s, "faults");
    tcase_add_loop_test(t, allocation_fails, 0, 2);
    tcase_add_loop_test(t, engine_is_wrong, 0, 5);
    tcase_add_loop_test(t, owner_is_wrong, 0, 3);
    tcase_add_test(t, large_steps_go_on);
    tcase_add_test(t, no_progress);
    tcase_add_test(t, factor_is_mended);
    tcase_add_loop_test(t, engine_is_wrong_of_pairs, 0, 5);
    tcase_add_loop_test(t, allocation_fails_of_pairs, 0, 2);
    tcase_add_loop_test(t, message_is_wrong, 0, 2);
    return s;
}
