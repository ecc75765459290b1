/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* test_svd.c -- A = U Sigma V^H: residual, orthogonality, values beside xGESVD's. */
#define _GNU_SOURCE /* RTLD_NEXT */
#include <dlfcn.h>
#include <stdio.h>

#include "core/lapack.h"
#include "gsvd/pipeline.h"
#include "harness/harness.h"
#include "harness/wide.h"
#include "lapacke.h"
#include "qr/qr.h"

static const int size[][2] = {
    {0, 0},  {0, 3},   {3, 0},   {1, 1},   {1, 5},    {5, 1},    {2, 2},
    {3, 2},  {2, 3},   {4, 4},   {31, 31}, {32, 32},  {33, 33},  {40, 7},
    {7, 40}, {65, 64}, {64, 65}, {129, 1}, {130, 70}, {70, 130}, {300, 33}};
enum { SIZES = sizeof size / sizeof *size };

/* ---- a decomposition ------------------------------------------------------- */

typedef struct svd {
    gsvd_status_t status;
    int info;
    mat_t A, U, V; /* as on exit; U, V without data where not wanted          */
    real_t *sigma;
} svd_t;

static mat_t factor(char job, int64_t order, int64_t economy)
{
    return job == 'N' ? mat_view(NULL, order, 0, 1)
                      : new_mat(order, job == 'S' ? economy : order);
}

static svd_t decompose_matrix(door_t door, char jobu, char jobv, mat_t A)
{
    const int64_t m = A.rows, n = A.cols, r = min_i(m, n);
    const size_t bytes = (size_t)r * sizeof(real_t);
    svd_t s = {.info = 99, .A = copy_mat(A)};

    s.U = factor(jobu, m, r);
    s.V = factor(jobv, n, r);
    s.sigma = grab(bytes);
    if (door == HOST) {
        s.status = X(svd)(handle, jobu, jobv, m, n, s.A.data, s.A.ld, s.sigma,
                          s.U.data, s.U.ld, s.V.data, s.V.ld, &s.info);
        ck_assert_padding(s.A);
        if (s.U.data)
            ck_assert_padding(s.U);
        if (s.V.data)
            ck_assert_padding(s.V);
        return s;
    }
    const mat_t dA = to_backend(s.A);
    const mat_t dU = s.U.data ? to_backend(s.U) : s.U;
    const mat_t dV = s.V.data ? to_backend(s.V) : s.V;
    real_t *const dsigma = to_backend_real(s.sigma, r);
    s.status = X(svd_gpu)(handle, jobu, jobv, m, n, dA.data, dA.ld, dsigma,
                          dU.data, dU.ld, dV.data, dV.ld, &s.info);
    get(s.sigma, dsigma, bytes);
    s.A = from_backend(dA);
    s.U = s.U.data ? from_backend(dU) : s.U;
    s.V = s.V.data ? from_backend(dV) : s.V;
    return s;
}

/* ---- what it has to be -------------------------------------------------------- */

/* norm1(A - U Sigma V^H) / (max(m,n) norm1(A) ulp) from factors of r columns at least */
static double residual(mat_t A, const svd_t *s)
{
    const int64_t m = A.rows, n = A.cols, r = min_i(m, n);
    const double norm = norm1(A);
    mat_t E = copy_mat(A), US = copy_mat(mat_cols(s->U, 0, r));

    for (int64_t j = 0; j < r; ++j)
        for (int64_t i = 0; i < m; ++i)
            AT(US, i, j) = scale(s->sigma[j], AT(US, i, j));
    gemm('N', 'C', -1, US, mat_cols(s->V, 0, r), 1, E);
    const double left = norm1(E);
    return left == 0 ? 0 : left / ((double)max_i(m, n) * norm * GSVD_ULP);
}

static void ck_assert_descending(int64_t r, const real_t *sigma)
{
    for (int64_t i = 0; i < r; ++i) {
        ck_assert(sigma[i] >= 0);
        ck_assert(i == 0 || sigma[i] <= sigma[i - 1]);
    }
}

/* within xGESVD's own error of its values */
static void ck_assert_values_of(mat_t A, const real_t *sigma)
{
    const int64_t r = min_i(A.rows, A.cols);
    mat_t C = copy_for_lapack(A);
    real_t *const s = grab((size_t)r * sizeof *s);
    real_t *const superb = grab((size_t)r * sizeof *superb);

    if (r == 0)
        return;
    ck_assert_int_eq(0, LAPACK(gesvd)(LAPACK_COL_MAJOR, 'N', 'N',
                                      (lapack_int)A.rows, (lapack_int)A.cols,
                                      C.data, (lapack_int)C.ld, s, NULL, 1,
                                      NULL, 1, superb));
    for (int64_t i = 0; i < r; ++i) {
        const double bound =
            LIMIT * sqrt((double)max_i(A.rows, A.cols)) * GSVD_ULP * s[0];
        ck_assert_msg(fabs((double)sigma[i] - s[i]) <= bound,
                      "value %ld of %ld x %ld: %g, xGESVD %g", (long)i,
                      (long)A.rows, (long)A.cols, (double)sigma[i],
                      (double)s[i]);
    }
}

static void check(mat_t A, const svd_t *s)
{
    ck_assert_int_eq(s->status, GSVD_SUCCESS);
    ck_assert_int_eq(s->info, 0);
    ck_assert_descending(min_i(A.rows, A.cols), s->sigma);
    ck_assert_values_of(A, s->sigma);
    if (s->U.data)
        ck_assert_ratio(defect(s->U));
    if (s->V.data)
        ck_assert_ratio(defect(s->V));
    if (s->U.data && s->V.data)
        ck_assert_ratio(residual(A, s));
}

/* ---- matrices ---------------------------------------------------------------- */

enum {
    OF_FULL_RANK,
    OF_HALF_RANK,
    ALL_ZERO,
    ORTHONORMAL,
    UNEVEN_COLUMNS,
    KINDS
};

/* normal; of rank r / 2; 0; with orthonormal columns or rows; columns of very different
 * size */
static mat_t make_matrix(int what, int64_t m, int64_t n, uint64_t *seed)
{
    const int64_t r = min_i(m, n);
    const mat_t A = normal_mat(m, n, seed);

    if (what == OF_HALF_RANK)
        return product('N', 'N', normal_mat(m, r / 2, seed),
                       normal_mat(r / 2, n, seed));
    if (what == ORTHONORMAL)
        return copy_mat(mat_sub(random_unitary(max_i(m, n), seed), 0, 0, m, n));
    for (int64_t j = 0; j < n; ++j)
        for (int64_t i = 0; i < m; ++i) {
            if (what == ALL_ZERO)
                AT(A, i, j) = make(0, 0);
            if (what == UNEVEN_COLUMNS)
                AT(A, i, j) =
                    scale(ldexp_r(1, (int)(j * 7 % 40) - 20), AT(A, i, j));
        }
    return A;
}

/* ---- tests --------------------------------------------------------------------- */

enum { BY_MACHINE, BY_TWO_STAGES, WAYS_THERE };

/* A table that a test has changed stays for the next one: the machine's solvers again */
static void take_machine_solvers(void)
{
    take_table()->singular_values = on_device ? NULL : X(singular_values_cpu);
    take_table()->singular_vectors = on_device ? NULL : X(singular_vectors_cpu);
}

static void ask_for_bidiagonal_form(int by)
{
    take_machine_solvers();
    if (by == BY_TWO_STAGES)
        take_table()->singular_values = NULL;
    ck_assert_ok(gsvd_set_option(handle, GSVD_SVD, GSVD_SVD_BIDIAGONAL));
}

START_TEST(all_jobs)
{
    static const char *const jobs[] = {"UV", "SS", "US", "SV",
                                       "NN", "UN", "NV"};
    const int64_t m = size[_i % SIZES][0], n = size[_i % SIZES][1];
    const int what = _i / SIZES;
    uint64_t seed = (uint64_t)(100 * _i + 1);
    if (too_large(m, n, 0))
        return;
    const mat_t A = make_matrix(what, m, n, &seed);
    for (int door = 0; door < doors(); ++door)
        for (size_t j = 0; j < sizeof jobs / sizeof *jobs; ++j) {
            const svd_t s =
                decompose_matrix((door_t)door, jobs[j][0], jobs[j][1], A);
            check(A, &s);
        }
}
END_TEST

/* The values are homogeneous, from next to underflow to next to overflow: what differs is
 * how the squares of a column's at most 33 entries are summed. */
START_TEST(scales)
{
    static const int by[] = {-1, 1};
    const int64_t m = _i ? 20 : 33, n = _i ? 33 : 20;
    const int far = GSVD_SINGLE ? 100 : 900;
    uint64_t seed = 5;
    const mat_t A = normal_mat(m, n, &seed);
    const svd_t one = decompose_matrix(HOST, 'S', 'S', A);
    for (int k = 0; k < 2; ++k) {
        mat_t B = copy_mat(A);
        for (int64_t j = 0; j < n; ++j)
            for (int64_t i = 0; i < m; ++i)
                AT(B, i, j) = scale(ldexp_r(1, by[k] * far), AT(A, i, j));
        const svd_t s = decompose_matrix(HOST, 'S', 'S', B);
        check(B, &s);
        for (int64_t i = 0; i < min_i(m, n); ++i) {
            const double ratio = (double)ldexp_r(s.sigma[i], -by[k] * far) /
                                 (double)one.sigma[i];
            ck_assert(fabs(ratio - 1) <= 2 * (double)max_i(m, n) * GSVD_ULP);
        }
    }
}
END_TEST

/* NaN and infinity, wherever they stand, are argument 5, and A stays as it was. */
START_TEST(not_finite)
{
    uint64_t seed = 9;
    const mat_t A = normal_mat(9, 6, &seed);
    const real_t bad[] = {(real_t)NAN, (real_t)INFINITY};
    for (int k = 0; k < 4; ++k) {
        AT(A, 8, 5) = make(bad[k % 2], 0);
        if (k == 2)
            ask_for_bidiagonal_form(BY_MACHINE);
        const svd_t s = decompose_matrix(HOST, 'U', 'V', A);
        ck_assert_int_eq(s.status, GSVD_INVALID_ARGUMENT);
        ck_assert_int_eq(s.info, -5);
        ck_assert_same(s.A, A);
    }
}
END_TEST

/* each argument by its number */
START_TEST(illegal_arguments)
{
    scalar_t A[12], U[16], V[9];
    real_t sigma[3];
    int info;
    static const struct {
        int number;
        char jobu, jobv;
        int64_t m, n, lda, ldu, ldv;
    } wrong[] = {{1, 'X', 'V', 4, 3, 4, 4, 3},  {2, 'U', 'U', 4, 3, 4, 4, 3},
                 {3, 'U', 'V', -1, 3, 4, 4, 3}, {4, 'U', 'V', 4, -1, 4, 4, 3},
                 {6, 'U', 'V', 4, 3, 3, 4, 3},  {9, 'U', 'V', 4, 3, 4, 3, 3},
                 {11, 'U', 'V', 4, 3, 4, 4, 2}};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; ++i) {
        ck_assert_status(X(svd)(handle, wrong[i].jobu, wrong[i].jobv,
                                wrong[i].m, wrong[i].n, A, wrong[i].lda, sigma,
                                U, wrong[i].ldu, V, wrong[i].ldv, &info),
                         GSVD_INVALID_ARGUMENT);
        ck_assert_int_eq(info, -wrong[i].number);
    }
}
END_TEST

/* A limit of one sweep leaves finite factors and says so. */
START_TEST(no_convergence)
{
    uint64_t seed = 3;
    const mat_t A = normal_mat(40, 30, &seed);
    ck_assert_ok(gsvd_set_option(handle, GSVD_MAX_SWEEPS, 1));
    const svd_t s = decompose_matrix(HOST, 'U', 'V', A);
    ck_assert_int_eq(s.status, GSVD_NOT_CONVERGED);
    ck_assert_int_eq(s.info, 1);
    ck_assert(all_finite(s.U) && all_finite(s.V));
}
END_TEST

/* the same bits twice */
START_TEST(repeatable)
{
    uint64_t seed = 4;
    const mat_t A = normal_mat(50, 37, &seed);
    const svd_t x = decompose_matrix(HOST, 'U', 'V', A);
    const svd_t y = decompose_matrix(HOST, 'U', 'V', A);
    ck_assert_same(x.U, y.U);
    ck_assert_same(x.V, y.V);
    ck_assert_mem_eq(x.sigma, y.sigma, 37 * sizeof *x.sigma);
}
END_TEST

/* Two or three columns, each of them many times: R has rows of 0, and of denormal numbers */
START_TEST(repeated_columns)
{
    static const int order[] = {20, 33, 65, 100};
    const int64_t n = order[_i / 2], different = 2 + _i % 2;
    uint64_t seed = (uint64_t)(31 * _i + 7);
    for (int trial = 0; trial < (on_device ? 10 : 30); ++trial) {
        const mat_t A = normal_mat(n, n, &seed);
        if (too_large(n, n, 0))
            return;
        for (int64_t j = different; j < n; ++j)
            memcpy(&AT(A, 0, j), &AT(A, 0, j % different),
                   (size_t)n * sizeof(scalar_t));
        for (int job = 0; job < 2; ++job) {
            const svd_t s = decompose_matrix(HOST, "NS"[job], "NS"[job], A);
            check(A, &s);
        }
        release_pool();
    }
}
END_TEST

/* make_unitary of three factors, of which one or none is spoiled, in a column with a value or in one
 * without:  that one is mended, or told, and the others are left alone, but for lengths, of tall ones
 * those of columns without a value.  All are looked at by entries, or none is. */
START_TEST(spoiled_factors)
{
    const int by_entries = _i / 12 % 2, without = _i / 24 ? 9 : 0;
    static const int rows[] = {64, 1100, 70}, cols[] = {40, 33, 32};
    enum { FACTORS = 3, MOST = 40 };
    const int64_t of_e = _i % 12 < 4 ? MOST : 2 * MOST; /* few vectors; many */
    const mat_t dE = to_backend(new_mat(of_e, of_e)),
                room = to_backend(new_mat(MOST, of_e));
    real_t none[2 * MOST] = {0};
    const unitary_work_t w = {dE, of_e * of_e, room,
                              to_backend_real(none, of_e),
                              to_backend_real(none, of_e)};
    const int variant = _i % 12, spoiled = variant % 4 - 1, tall = 1;
    const double part = variant < 8 ? 1e-3 : spoiled < 0 ? 0 : 1;
    tuning_t numbers = *on(handle)->tune;
    exec_t ex = *on(handle);
    outcome_t out = {0};
    uint64_t seed = (uint64_t)(61 + _i);
    mat_t before[FACTORS];
    factor_t F[FACTORS];

    numbers.entrywise = by_entries ? rows[tall] : 0;
    ex.tune = &numbers;
    for (int f = 0; f < FACTORS; ++f) {
        const int64_t column = without > 0 ? cols[f] - 3 : 7;
        const mat_t Q = random_unitary(cols[f], &seed),
                    W = normal_mat(rows[f], cols[f], &seed), dW = to_backend(W);
        scalar_t *const tau = to_backend(new_mat(cols[f], 1)).data;
        ck_assert_ok(X(geqrf)(on(handle), dW, tau));
        ck_assert_ok(X(ungqr)(on(handle), dW, cols[f], tau));
        before[f] = product('N', 'N', from_backend(dW), Q);
        for (int64_t i = 0; f == spoiled && i < rows[f]; ++i)
            AT(before[f], i, column) =
                add(AT(before[f], i, column),
                    scale((real_t)part, AT(before[f], i, cols[f] - 1)));
        F[f] = (factor_t){to_backend(before[f]), cols[f] - without, 0};
    }
    ck_assert_ok(X(make_unitary)(&ex, F, FACTORS, &w, &out));
    ck_assert_int_eq(out.unfinished, part == 1);
    for (int f = 0; f < FACTORS; ++f) {
        const mat_t after = from_backend(F[f].all);
        if (f == spoiled && part == 1)
            continue;
        ck_assert(largest_defect(after) <= may_drift(rows[f]));
        if (f == tall && f != spoiled)
            ck_assert_same(mat_cols(after, 0, F[f].valued),
                           mat_cols(before[f], 0, F[f].valued));
        else
            ck_assert(distance(after, before[f]) <=
                      (f == spoiled ? 1e-3 : 16 * (double)GSVD_EPS));
    }
}
END_TEST

/* ---- bidiagonal form ---------------------------------------------------------- */

static gsvd_svd_option_t taken(void)
{
    gsvd_stats_t stats = {.size = sizeof stats};
    ck_assert_ok(gsvd_get_stats(handle, &stats));
    return stats.svd;
}

/* Two stages find vectors one by one, which must not be those of a cluster, and not of few columns.
 * From 3 to 25 columns xBDSDC calls xBDSQR, which stops at up to 100 eps: the test of residuals
 * refuses some of its results (50 of 24000 random matrices of orders 1 to 12, double). */
static void ck_assert_taken(int what, int64_t n, int with_vectors)
{
    const int every = table()->singular_values || !with_vectors || n == 0;
    const int few = n > 2 && n <= 25 && with_vectors;
    if ((every && !few) || (what == OF_FULL_RANK && n > 32))
        ck_assert_int_eq(taken(), GSVD_SVD_BIDIAGONAL);
    else if (n <= 32 && !every)
        ck_assert_int_eq(taken(), GSVD_SVD_AUTO);
}

START_TEST(bidiagonal)
{
    static const char *const jobs[] = {"NN", "UV", "SS", "UN", "NS"};
    const int64_t m = size[_i % SIZES][0], n = size[_i % SIZES][1];
    const int what = _i / SIZES % KINDS;
    uint64_t seed = (uint64_t)(100 * _i + 3);
    const mat_t A = make_matrix(what, m, n, &seed);
    if (too_large(m, n, 0))
        return;
    ask_for_bidiagonal_form(_i / SIZES / KINDS);
    for (int door = 0; door < doors(); ++door)
        for (size_t j = 0; j < sizeof jobs / sizeof *jobs; ++j) {
            const svd_t s =
                decompose_matrix((door_t)door, jobs[j][0], jobs[j][1], A);
            check(A, &s);
            ck_assert_taken(what, min_i(m, n), s.U.cols + s.V.cols > 0);
        }
}
END_TEST

/* The values are within rounding of |A| of AUTO's, and of those of 2^far A, whatever the job is */
START_TEST(bidiagonal_values)
{
    static const int orders[][2] = {{100, 100}, {257, 257}, {200, 60}};
    const int64_t m = orders[_i / 2][0], n = orders[_i / 2][1];
    const int far[] = {0, GSVD_SINGLE ? 110 : 990, GSVD_SINGLE ? -110 : -990};
    uint64_t seed = 17;
    const mat_t A = normal_mat(m, n, &seed);
    if (too_large(m, n, 0))
        return;
    const svd_t right = decompose_matrix(HOST, 'N', 'N', A);
    const double most = (double)m * GSVD_EPS * right.sigma[0];

    ask_for_bidiagonal_form(_i % 2);
    for (int k = 0; k < 3; ++k) {
        mat_t B = copy_mat(A);
        for (int64_t j = 0; j < n; ++j)
            for (int64_t i = 0; i < m; ++i)
                AT(B, i, j) = scale(ldexp_r(1, far[k]), AT(A, i, j));
        for (int job = 0; job < 2; ++job) {
            const svd_t s = decompose_matrix(HOST, "NS"[job], "NS"[job], B);
            ck_assert_int_eq(s.status, GSVD_SUCCESS);
            ck_assert_int_eq(taken(), GSVD_SVD_BIDIAGONAL);
            ck_assert_descending(n, s.sigma);
            for (int64_t i = 0; i < n; ++i)
                ck_assert(fabs((double)(ldexp_r(s.sigma[i], -far[k]) -
                                        right.sigma[i])) <= most);
        }
    }
}
END_TEST

/* The host's solvers, of which one value, or one vector, is spoiled: by `far` of its size */
static const real_t far = (real_t)0.01;

static gsvd_status_t spoiled_value(const exec_t *ex, mat_t A, real_t *x,
                                   int *converged)
{
    GSVD_TRY(X(singular_values_cpu)(ex, A, x, converged));
    x[0] += far * x[0];
    return GSVD_SUCCESS;
}

static gsvd_status_t spoiled_vector(const exec_t *ex, mat_t A, real_t *x,
                                    mat_t U, mat_t V, int *converged)
{
    GSVD_TRY(X(singular_vectors_cpu)(ex, A, x, U, V, converged));
    for (int64_t i = 0; i < U.rows; ++i)
        AT(U, i, 3) = add(AT(U, i, 3), scale(far, AT(U, i, 0)));
    return GSVD_SUCCESS;
}

static gsvd_status_t spoiled_pair(const exec_t *ex, mat_t A, real_t *x, mat_t U,
                                  mat_t V, int *converged)
{
    GSVD_TRY(X(singular_vectors_cpu)(ex, A, x, U, V, converged));
    for (int64_t i = 0; i < U.rows; ++i) {
        const scalar_t kept = AT(V, i, 3);
        AT(V, i, 3) = AT(V, i, 0);
        AT(V, i, 0) = kept;
    }
    return GSVD_SUCCESS;
}

/* The vector of a value that residuals do not see */
static gsvd_status_t spoiled_last(const exec_t *ex, mat_t A, real_t *x, mat_t U,
                                  mat_t V, int *converged)
{
    GSVD_TRY(X(singular_vectors_cpu)(ex, A, x, U, V, converged));
    for (int64_t i = 0; i < U.rows; ++i)
        AT(U, i, U.cols - 1) =
            add(AT(U, i, U.cols - 1), scale(far, AT(U, i, 0)));
    return GSVD_SUCCESS;
}

static gsvd_status_t none_converge(const exec_t *ex, mat_t A, real_t *x,
                                   int *converged)
{
    (void)ex, (void)x;
    fill(A, make((real_t)NAN, 0));
    *converged = 0;
    return GSVD_SUCCESS;
}

/* ... are found out, and AUTO's results come of the matrix that is as it was. */
START_TEST(bidiagonal_spoiled)
{
    uint64_t seed = 21;
    const int64_t n =
        _i == 4 ? 24 : 40; /* few columns, or as many as are polished */
    const mat_t A = normal_mat(50, n, &seed);
    const char job = _i == 0 || _i == 3 ? 'N' : 'S';
    for (int64_t j = 0; j < n && _i == 4; ++j)
        scale_column(A, j, pow(4, -(double)j));
    if (on_device)
        return;
    const svd_t right = decompose_matrix(HOST, job, job, A);
    ck_assert_int_eq(taken(), GSVD_SVD_AUTO);
    take_table()->singular_values = _i == 0 ? spoiled_value : none_converge;
    take_table()->singular_vectors = _i == 1   ? spoiled_vector
                                     : _i == 2 ? spoiled_pair
                                               : spoiled_last;
    ck_assert_ok(gsvd_set_option(handle, GSVD_SVD, GSVD_SVD_BIDIAGONAL));
    const svd_t s = decompose_matrix(HOST, job, job, A);
    check(A, &s);
    ck_assert_int_eq(taken(), GSVD_SVD_AUTO);
    ck_assert_mem_eq(s.sigma, right.sigma, (size_t)n * sizeof *s.sigma);
}
END_TEST

/* xBDSQR of this program: the machine's, and once one value times a number */
static int64_t spoiled = -1;
static real_t spoiled_by;

void BLAS_(bdsqr)(const char *uplo, const int *n, const int *ncvt,
                  const int *nru, const int *ncc, real_t *d, real_t *e,
                  scalar_t *vt, const int *ldvt, scalar_t *u, const int *ldu,
                  scalar_t *c, const int *ldc, real_t *work, int *info,
                  size_t uplo_length)
{
    __typeof__(&BLAS_(bdsqr)) real;
    *(void **)&real = dlsym(RTLD_NEXT, LETTER_TEXT(BLAS_(bdsqr)));
    real(uplo, n, ncvt, nru, ncc, d, e, vt, ldvt, u, ldu, c, ldc, work, info,
         uplo_length);
    if (spoiled >= 0 && spoiled < *n)
        d[spoiled] *= spoiled_by;
    spoiled = -1;
}

/* A small value that is wrong, and which no sum of squares shows, is found out. */
START_TEST(bidiagonal_small_value)
{
    enum { N = 60 };
    static const struct {
        int64_t from_last;
        double by;
    } fault[] = {{0, 1.1}, {0, 0.9}, {0, 0}, {12, 1e-2}};
    uint64_t seed = 27;
    double w[N];
    for (int64_t j = 0; j < N; ++j) /* the last twenty below sqrt(eps)       */
        w[j] = pow((double)GSVD_EPS, 0.75 * (double)j / (N - 1));
    const mat_t A = product('N', 'N', of_eigenvalues(N, w, &seed),
                            random_unitary(N, &seed));
    if (on_device)
        return;
    take_machine_solvers();
    const svd_t right = decompose_matrix(HOST, 'N', 'N', A);
    ask_for_bidiagonal_form(BY_MACHINE);
    decompose_matrix(HOST, 'N', 'N', A);
    ck_assert_int_eq(taken(), GSVD_SVD_BIDIAGONAL);
    spoiled = N - 1 - fault[_i].from_last;
    spoiled_by = (real_t)fault[_i].by;
    const svd_t s = decompose_matrix(HOST, 'N', 'N', A);
    ck_assert_int_eq(s.status, GSVD_SUCCESS);
    ck_assert_int_eq(taken(), GSVD_SVD_AUTO);
    for (int64_t j = 0; j < N; ++j)
        ck_assert(fabs((double)(s.sigma[j] - right.sigma[j])) <=
                  N * GSVD_EPS * right.sigma[0]);
}
END_TEST

/* A plan tells of it, and its bytes are enough. */
START_TEST(bidiagonal_plan)
{
    const int64_t m = _i % 4 / 2 ? 90 : 60, n = 60;
    const char job = _i / 4 ? 'S' : 'N';
    uint64_t seed = 23;
    const mat_t A = normal_mat(m, n, &seed);
    const gsvd_problem_t p = {.size = sizeof p,
                              .routine = GSVD_ROUTINE_SVD,
                              .type = letter(),
                              .job = {job, job},
                              .m = m,
                              .n = n};
    size_t dwork, hwork;
    char text[4096];
    gsvd_plan_t plan;

    ask_for_bidiagonal_form(_i % 2);
    ck_assert_ok(gsvd_plan_create(handle, &p, &plan));
    ck_assert_ok(gsvd_plan_bytes(plan, &dwork, &hwork));
    ck_assert_ok(gsvd_plan_describe(plan, text, sizeof text, NULL));
    ck_assert_ptr_nonnull(strstr(text, "bidiagonal form, "));
    ck_assert_ptr_nonnull(
        strstr(text, table()->singular_values ? ": xGEBRD" : ": two stages"));
    ck_assert_ok(gsvd_plan_destroy(plan));
    ck_assert_ok(gsvd_set_workspace(handle, grab_backend(dwork + 1), dwork,
                                    grab(hwork + 1), hwork));
    const svd_t s = decompose_matrix(HOST, job, job, A);
    check(A, &s);
    ck_assert_int_eq(taken(), GSVD_SVD_BIDIAGONAL);
}
END_TEST

/* xBDSDC's numbers have 32 bits: a larger matrix is Jacobi's from the start. */
START_TEST(bidiagonal_and_large)
{
    const int64_t n = 32765 + _i;
    const gsvd_problem_t p = {.size = sizeof p,
                              .routine = GSVD_ROUTINE_SVD,
                              .type = letter(),
                              .job = {'S', 'S'},
                              .m = n,
                              .n = n};
    const int fits = n <= 32765 || !table()->singular_values;
    char text[4096];
    gsvd_plan_t plan;

    ask_for_bidiagonal_form(BY_MACHINE);
    ck_assert_ok(gsvd_plan_create(handle, &p, &plan));
    ck_assert_ok(gsvd_plan_describe(plan, text, sizeof text, NULL));
    ck_assert_ok(gsvd_plan_destroy(plan));
    ck_assert_int_eq(strstr(text, "bidiagonal form, ") != NULL, fits);
}
END_TEST

/* eigh, whose small values are accurate, does not take it: rows and columns differ. */
START_TEST(bidiagonal_and_eigh)
{
    enum { N = 40 };
    uint64_t seed = 25;
    mat_t A = normal_mat(N, N, &seed);
    real_t w[2][N];
    int info;
    for (int64_t j = 0; j < N; ++j)
        for (int64_t i = 0; i < N; ++i)
            AT(A, i, j) = scale(ldexp_r(1, -(int)(i + j) / 4), AT(A, i, j));
    for (int k = 0; k < 2; ++k) {
        const mat_t H = copy_mat(A), Q = new_mat(N, N);
        ck_assert_ok(X(eigh)(handle, 'V', 'L', N, H.data, H.ld, w[k], Q.data,
                             Q.ld, &info));
        ask_for_bidiagonal_form(BY_MACHINE);
    }
    ck_assert_mem_eq(w[0], w[1], sizeof w[0]);
}
END_TEST

/* Batches have values within rounding of |A| of AUTO's, whether at once or one by one. */
START_TEST(bidiagonal_batch)
{
    enum { COUNT = 3 };
    const int64_t n = _i ? 150 : 20;
    uint64_t seed = 27;
    const mat_t A = normal_mat(n, n * COUNT, &seed);
    real_t *const sigma[2] = {random_reals(n * COUNT, &seed),
                              random_reals(n * COUNT, &seed)};
    int info[COUNT];

    for (int k = 0; k < 2; ++k) {
        const mat_t B = copy_mat(A);
        const gsvd_problem_t p = {
            .size = sizeof p,
            .routine = GSVD_ROUTINE_SVD,
            .type = letter(),
            .job = {'N', 'N'},
            .m = n,
            .n = n,
            .batch = COUNT,
            .A = {.data = B.data, .ld = B.ld, .stride = B.ld * n},
            .alpha = {.data = sigma[k], .stride = n},
            .info = info};
        ck_assert_ok(gsvd_run(handle, &p));
        ask_for_bidiagonal_form(BY_MACHINE);
    }
    for (int64_t i = 0; i < n * COUNT; ++i)
        ck_assert(fabs((double)(sigma[0][i] - sigma[1][i])) <=
                  (double)n * GSVD_EPS * sigma[0][i / n * n]);
}
END_TEST

Suite *make_suite(void)
{
    in_double_asked();
    Suite *s = suite_create("svd");
    TCase *t = add_tcase(s, "svd");
    tcase_add_loop_test(t, all_jobs, 0, KINDS * SIZES);
    tcase_add_loop_test(t, scales, 0, 2);
    tcase_add_test(t, not_finite);
    tcase_add_test(t, illegal_arguments);
    tcase_add_test(t, no_convergence);
    tcase_add_test(t, repeatable);
    tcase_add_loop_test(t, repeated_columns, 0, 8);
    tcase_add_loop_test(t, spoiled_factors, 0, 48);
    t = add_tcase(s, "bidiagonal");
    tcase_add_loop_test(t, bidiagonal, 0, WAYS_THERE * KINDS * SIZES);
    tcase_add_loop_test(t, bidiagonal_values, 0, 6);
    tcase_add_loop_test(t, bidiagonal_spoiled, 0, 5);
    tcase_add_loop_test(t, bidiagonal_small_value, 0, 4);
    tcase_add_loop_test(t, bidiagonal_plan, 0, 8);
    tcase_add_loop_test(t, bidiagonal_and_large, 0, 2);
    tcase_add_test(t, bidiagonal_and_eigh);
    tcase_add_loop_test(t, bidiagonal_batch, 0, 2);
    return s;
}
