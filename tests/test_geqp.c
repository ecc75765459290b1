/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* test_geqp.c -- pivoted QR: A P = Q R to rounding whatever the order, and the
 * rank that it finds, against the singular values and against xGEQP3. */
#include "core/blas.h"
#include "core/solver.h"
#include "harness/graded.h"
#include "lapacke.h"
#include "pivot/pivot.h"

static uint64_t seed;

/* around the edges of a panel; panels and a rest; tall and wide */
static const struct {
    int m, n;
} size[] = {
    {0, 0},   {0, 3},   {3, 0},   {1, 1},     {1, 7},     {7, 1},     {2, 2},
    {31, 31}, {32, 32}, {33, 33}, {63, 63},   {64, 64},   {65, 65},   {33, 90},
    {90, 33}, {97, 96}, {96, 97}, {100, 300}, {300, 100}, {257, 255}, {40, 700},
};
enum { SIZES = sizeof size / sizeof *size };

static const gsvd_pivot_t order[] = {GSVD_PIVOT_TOURNAMENT, GSVD_PIVOT_NORM};
enum { ORDERS = sizeof order / sizeof *order };

/* Tuned for panels as early as there can be any. */
static tuning_t eager(void)
{
    tuning_t tune = *on(handle)->tune;
    tune.pivot_last = tune.pivot_width;
    return tune;
}

/* ... and for none, whatever the size. */
static tuning_t last_columns(void)
{
    tuning_t tune = *on(handle)->tune;
    tune.pivot_last = 1 << 20;
    return tune;
}

typedef struct factors {
    mat_t A; /* as geqp leaves it                                             */
    int *perm;
    scalar_t *tau;
    int64_t rank;
} factors_t;

static factors_t factor_on(const exec_t *ex, mat_t A, gsvd_pivot_t how,
                           real_t tol)
{
    const int64_t n = A.cols, r = min_i(A.rows, n);
    mat_t dA = to_backend(A);
    int *dperm = grab_backend((size_t)n * sizeof *dperm);
    scalar_t *dtau = grab_backend((size_t)r * sizeof *dtau);
    factors_t f = {.rank = -1};

    ck_assert_ok(X(geqpf)(ex, dA, how, tol, dperm, dtau, &f.rank));
    ck_assert(f.rank >= 0 && f.rank <= r);
    f.A = from_backend(dA);
    f.perm = grab((size_t)n * sizeof *f.perm);
    f.tau = grab((size_t)r * sizeof *f.tau);
    get(f.perm, dperm, (size_t)n * sizeof *f.perm);
    get(f.tau, dtau, (size_t)r * sizeof *f.tau);
    return f;
}

static factors_t factor(const tuning_t *tune, mat_t A, gsvd_pivot_t how,
                        real_t tol)
{
    exec_t ex = *on(handle);
    ex.tune = tune;
    return factor_on(&ex, A, how, tol);
}

static mat_t permuted(mat_t A, const int *perm)
{
    mat_t AP = new_mat(A.rows, A.cols);
    int *seen = grab((size_t)A.cols * sizeof *seen);

    memset(seen, 0, (size_t)A.cols * sizeof *seen);
    for (int64_t j = 0; j < A.cols; ++j) {
        ck_assert(perm[j] >= 0 && perm[j] < A.cols && !seen[perm[j]]);
        seen[perm[j]] = 1;
        for (int64_t i = 0; i < A.rows; ++i)
            AT(AP, i, j) = AT(A, i, perm[j]);
    }
    return AP;
}

/* Q, m x m, from the first reflectors that count */
static mat_t form_q(const factors_t *f)
{
    const int64_t m = f->A.rows;
    const mat_t Q = identity_mat(m, m);
    for (int64_t j = 0; j < f->rank; ++j)
        for (int64_t i = 0; i < m; ++i)
            AT(Q, i, j) = AT(f->A, i, j);
    if (m > 0)
        lapack_form_q(Q, mat_view(f->tau, f->rank, 1, max_i(f->rank, 1)));
    return Q;
}

/* The largest |b - a| / |a| of the columns of B and A; what is next to SAFMIN does not
 * count. */
static double worst_column(mat_t B, mat_t A)
{
    double worst = 0;
    for (int64_t j = 0; j < A.cols; ++j) {
        double big = GSVD_SAFMIN / GSVD_ULP, whole = 0, rest = 0;
        for (int64_t i = 0; i < A.rows; ++i)
            big = fmax(big, (double)abs_max(AT(A, i, j)));
        for (int64_t i = 0; i < A.rows; ++i) {
            const scalar_t d = sub(AT(B, i, j), AT(A, i, j));
            whole += pow((double)re(AT(A, i, j)) / big, 2) +
                     pow((double)im(AT(A, i, j)) / big, 2);
            rest += pow((double)re(d) / big, 2) + pow((double)im(d) / big, 2);
        }
        const double r = sqrt(rest / fmax(whole, 1));
        if (!(r <= worst))
            worst = r;
    }
    return worst;
}

/* A P = Q (R11 R12; 0 A22), no column of A22 longer than tol; column by column in ulp
 * times the square root of the length of a reflector */
static void check(mat_t A, const factors_t *f, real_t tol)
{
    const int64_t m = A.rows, n = A.cols, rank = f->rank;
    mat_t M = copy_mat(f->A);

    for (int64_t j = 0; j < rank; ++j) {
        ck_assert(tol <= 0 ||
                  abs_of(AT(f->A, j, j)) > tol * (1 - 64 * GSVD_ULP));
        for (int64_t i = j + 1; i < m; ++i)
            AT(M, i, j) = make(0, 0);
    }
    for (int64_t j = rank; j < min_i(m, n); ++j)
        ck_assert(re(f->tau[j]) == 0 && im(f->tau[j]) == 0);
    for (int64_t j = rank; j < n && tol >= 0; ++j) {
        double square = 0;
        for (int64_t i = rank; i < m; ++i)
            square += pow((double)abs_of(AT(f->A, i, j)), 2);
        ck_assert(sqrt(square) <= tol * (1 + sqrt(GSVD_EPS)) + 1e-150);
    }
    if (tol < 0)
        ck_assert_int_eq(rank, min_i(m, n));
    const mat_t Q = form_q(f), AP = permuted(A, f->perm);
    const double unit = GSVD_ULP * sqrt((double)max_i(m, 1));
    const double defect_ =
        distance(product('C', 'N', Q, Q), identity_mat(m, m));
    ck_assert_msg(defect_ < LIMIT * unit, "defect %g", defect_ / unit);
    const double r = worst_column(product('N', 'N', Q, M), AP);
    ck_assert_msg(r < LIMIT * unit, "%ld x %ld, rank %ld: residual %g", (long)m,
                  (long)n, (long)rank, r / unit);
}

/* under a sanitizer: a matrix takes hundreds of launches */
static int left_for_later(mat_t A)
{
    return too_large(A.rows / 4, A.cols / 4, 0);
}

static void check_all(mat_t A)
{
    if (left_for_later(A))
        return;
    const real_t tol[] = {-1, 0, default_tolerance(A)};
    const tuning_t tunings[] = {*on(handle)->tune, eager()};
    for (int t = 0; t < 3; ++t)
        for (int o = 0; o < ORDERS; ++o)
            for (int k = 0; k < 2; ++k) {
                if (left_out((int)A.rows + 6 * t + 2 * o + k, 5))
                    continue;
                const factors_t f = factor(&tunings[k], A, order[o], tol[t]);
                check(A, &f, tol[t]);
            }
    release_pool();
}

START_TEST(full_rank) { check_all(normal_mat(size[_i].m, size[_i].n, &seed)); }
END_TEST

START_TEST(deficient)
{
    const int64_t m = size[_i].m, n = size[_i].n, r = min_i(m, n) / 2;
    check_all(
        product('N', 'N', normal_mat(m, r, &seed), normal_mat(r, n, &seed)));
    mat_t A = zero_mat(m, n);
    check_all(A);
    A = new_mat(m, n); /* rank 1, exactly                                    */
    fill(A, make(1, 0));
    check_all(A);
    A = normal_mat(m, n, &seed); /* every third column exactly zero          */
    for (int64_t j = 1; j < n; j += 3)
        scale_column(A, j, 0);
    check_all(A);
}
END_TEST

/* With tol = 0 columns of zeros are not factored, by panels either. */
START_TEST(zero_columns)
{
    const int64_t m = 150, n = 170, r = 90;
    const tuning_t tunings[] = {*on(handle)->tune, eager()};
    if (too_large(m, n, 0))
        return;
    mat_t A = normal_mat(m, n, &seed);
    for (int64_t j = 0; j < n; ++j)
        for (int64_t i = 0; (j * 7 + 3) % n >= r && i < m; ++i)
            AT(A, i, j) = make(0, 0);
    for (int t = 0; t < 2; ++t) {
        const factors_t f = factor(&tunings[t], A, order[_i], 0);
        ck_assert_int_eq(f.rank, r);
        for (int64_t j = r; j < m; ++j) /* tau is 0 behind the rank          */
            ck_assert(re(f.tau[j]) == 0 && im(f.tau[j]) == 0);
    }
}
END_TEST

START_TEST(graded)
{
    mat_t A = normal_mat(size[_i].m, size[_i].n, &seed);
    for (int64_t j = 0; j < A.cols; ++j)
        scale_column(A, j,
                     pow(10, -(double)(j * 7 % 31) / (GSVD_SINGLE ? 3 : 1)));
    check_all(A);
}
END_TEST

/* next to the ends of the range: no overflow, and the same rank */
START_TEST(extreme_scales)
{
    if (too_large(120 / 4, 100 / 4, 0))
        return;
    const int far = GSVD_SINGLE ? 90 : 900;
    for (int sign = -1; sign <= 1; sign += 2) {
        mat_t A = product('N', 'N', normal_mat(120, 50, &seed),
                          normal_mat(50, 100, &seed));
        for (int64_t j = 0; j < A.cols; ++j)
            scale_column(A, j, ldexp(1, sign * far));
        for (int o = 0; o < ORDERS; ++o) {
            const tuning_t tune = eager();
            const factors_t f =
                factor(&tune, A, order[o], default_tolerance(A));
            ck_assert_int_eq(f.rank, 50);
        }
        release_pool();
    }
}
END_TEST

static const solver_t *chosen(const exec_t *ex, gsvd_pivot_t how, int64_t m,
                              int64_t n)
{
    return choose_solver(&X(pivot_solvers), ex,
                         &(task_t){.A = mat_of_size(m, n), .how = how});
}

/* Each solver of the list is chosen for some order and tuning, and gives a pivoted QR; forced, where
 * another is chosen, the same bits. */
START_TEST(every_pivot_solver)
{
    const mat_t A = _i ? normal_mat(120, 100, &seed)
                       : product('N', 'N', normal_mat(90, 40, &seed),
                                 normal_mat(40, 110, &seed));
    const real_t tol[] = {-1, 0, default_tolerance(A)};
    const tuning_t tunings[] = {last_columns(), eager()};
    const solvers_t *const list = &X(pivot_solvers);
    if (left_for_later(A))
        return;
    for (int i = 0; i < list->count; ++i) {
        const solver_t *const s = &list->first[i];
        int times = 0;
        for (int k = 0; k < 2; ++k)
            for (int o = 0; o < ORDERS; ++o) {
                exec_t ex = *on(handle), force;
                ex.tune = &tunings[k];
                if (chosen(&ex, order[o], A.rows, A.cols) != s)
                    continue;
                ++times;
                force = ex;
                force.policy.force[0] = (forced_t){list->name, s->name};
                const gsvd_pivot_t other =
                    o == 0 ? order[ORDERS - 1] : order[0];
                ck_assert(chosen(&force, other, A.rows, A.cols) == s);
                for (int t = 0; t < 3; ++t) {
                    const factors_t f = factor_on(&force, A, other, tol[t]);
                    const factors_t g = factor_on(&ex, A, order[o], tol[t]);
                    check(A, &f, tol[t]);
                    ck_assert_same(f.A, g.A);
                    ck_assert_mem_eq(f.perm, g.perm,
                                     (size_t)A.cols * sizeof *f.perm);
                    if (t == 2 && _i == 0)
                        ck_assert_int_eq(f.rank, 40);
                }
            }
        ck_assert_msg(times > 0, "nobody takes %s", s->name);
    }
}
END_TEST

/* rows of very different size keep exact norms, whatever the size, unless panels are for
 * them, too */
START_TEST(rowwise_stable)
{
    tuning_t tune = eager();
    exec_t ex = *on(handle);
    ex.tune = &tune;
    tune.pivot_graded = 0;
    for (int o = 0; o < ORDERS; ++o) {
        ex.policy.rowwise_stable = 0;
        const solver_t *const plain = chosen(&ex, order[o], 300, 200);
        ex.policy.rowwise_stable = 1;
        const solver_t *const exact = chosen(&ex, order[o], 300, 200);
        ck_assert(order[o] == GSVD_PIVOT_NORM ? exact == plain
                                              : exact != plain);
        ck_assert(exact == chosen(&ex, order[o], 20, 20));
        tune.pivot_graded = 1;
        ck_assert(chosen(&ex, order[o], 300, 200) == plain);
        tune.pivot_graded = 0;
    }
}
END_TEST

/* the same bits on every run */
START_TEST(reproducible)
{
    if (too_large(200 / 4, 180 / 4, 0))
        return;
    const mat_t A = normal_mat(200, 180, &seed);
    const tuning_t tune = eager();
    for (int o = 0; o < ORDERS; ++o) {
        const factors_t f = factor(&tune, A, order[o], 0);
        const factors_t g = factor(&tune, A, order[o], 0);
        ck_assert_same(f.A, g.A);
        ck_assert_mem_eq(f.perm, g.perm, (size_t)A.cols * sizeof *f.perm);
    }
}
END_TEST

/* ---- ranks -------------------------------------------------------------- */

static int64_t svd_rank(mat_t A, real_t tol)
{
    const int64_t r = min_i(A.rows, A.cols);
    const real_t *const s = lapack_singular_values(A);
    int64_t rank = 0;

    while (rank < r && s[rank] > tol)
        ++rank;
    return rank;
}

/* |R(i,i)| of xGEQP3 */
static real_t *geqp3_diagonal(mat_t A)
{
    const int64_t r = min_i(A.rows, A.cols);
    mat_t C = copy_for_lapack(A);
    lapack_int *perm = grab((size_t)A.cols * sizeof *perm);
    scalar_t *tau = grab((size_t)r * sizeof *tau);
    real_t *d = grab((size_t)r * sizeof *d);

    memset(perm, 0, (size_t)A.cols * sizeof *perm);
    ck_assert_int_eq(0, LAPACK(geqp3)(LAPACK_COL_MAJOR, (lapack_int)A.rows,
                                      (lapack_int)A.cols, C.data,
                                      (lapack_int)C.ld, perm, tau));
    for (int64_t i = 0; i < r; ++i)
        d[i] = abs_of(AT(C, i, i));
    return d;
}

static int64_t geqp3_rank(mat_t A, real_t tol)
{
    const real_t *d = geqp3_diagonal(A);
    int64_t rank = 0;
    for (int64_t i = 0; i < min_i(A.rows, A.cols); ++i)
        rank += d[i] > tol;
    return rank;
}

/* U diag(value[0:r)) Q^H */
static mat_t of_values(int64_t m, int64_t n, const double *value)
{
    const int64_t r = min_i(m, n);
    mat_t U = random_unitary(m, &seed);
    for (int64_t j = 0; j < r; ++j)
        scale_column(U, j, value[j]);
    return product('N', 'C', mat_cols(U, 0, r),
                   mat_cols(random_unitary(n, &seed), 0, r));
}

/* All orders find the rank of the singular values, and so does xGEQP3. */
static void check_rank(mat_t A, real_t tol, int64_t expected)
{
    if (left_for_later(A))
        return;
    const tuning_t tune = eager();
    ck_assert_int_eq(svd_rank(A, tol), expected);
    ck_assert_int_eq(geqp3_rank(A, tol), expected);
    for (int o = 0; o < ORDERS; ++o) {
        const factors_t f = factor(&tune, A, order[o], tol);
        ck_assert_msg(f.rank == expected, "order %d: rank %ld, not %ld", o,
                      (long)f.rank, (long)expected);
        check(A, &f, tol);
    }
    release_pool();
}

/* The orders of our choice are no further from the rank of the singular values than
 * xGEQP3 is.  (Norm pivoting proper is fooled by Kahan's triangle as long as its
 * norms are exact; xGEQP3's downdated ones may lead it astray, to its luck.) */
static void check_hard(mat_t A, real_t tol)
{
    if (left_for_later(A))
        return;
    const tuning_t tunings[] = {*on(handle)->tune, eager()};
    const int64_t rank = svd_rank(A, tol), other = geqp3_rank(A, tol);
    for (int o = 0; o < ORDERS; ++o)
        for (int k = 0; k < 2; ++k) {
            const factors_t f = factor(&tunings[k], A, order[o], tol);
            ck_assert_msg(order[o] == GSVD_PIVOT_NORM ||
                              llabs(f.rank - rank) <= llabs(other - rank),
                          "order %d: rank %ld, xGEQP3's %ld, of the values %ld",
                          o, (long)f.rank, (long)other, (long)rank);
            check(A, &f, tol);
        }
    release_pool();
}

/* the thesis' pairs: T Q^H with T normal, m x k */
START_TEST(rank_of_thesis)
{
    static const int at[] = {1, 31, 32, 33, 64, 80, 119, 120};
    for (int i = 0; i < 8; ++i) {
        const int64_t m = _i ? 130 : 230, n = _i ? 230 : 120, k = at[i];
        const mat_t A = product('N', 'C', normal_mat(m, k, &seed),
                                mat_cols(random_unitary(n, &seed), 0, k));
        check_rank(A, default_tolerance(A), k);
    }
}
END_TEST

/* steps of 15 equal values, each a hundredth of the one before; the tolerance
 * between any two steps (Stewart's devil's stairs) */
START_TEST(rank_of_stairs)
{
    enum { N = 90, STEP = 15 };
    double value[N];
    if (GSVD_SINGLE && _i > 2)
        return; /* below are rounding errors                                 */
    for (int i = 0; i < N; ++i)
        value[i] = pow(0.01, i / STEP);
    check_rank(of_values(N + 40, N, value),
               (real_t)(value[_i * STEP - 1] * 0.1), _i * STEP);
}
END_TEST

/* a gap of 100 at the tolerance, within a falling spectrum */
START_TEST(rank_at_a_gap)
{
    enum { N = 128 };
    const int64_t k = 20 + 10 * _i;
    double value[N];
    for (int i = 0; i < N; ++i)
        value[i] = pow(GSVD_SINGLE ? 0.97 : 0.9, i) * (i < k ? 1 : 0.01);
    check_rank(of_values(N, N + 30, value), (real_t)(value[k - 1] * 0.1), k);
}
END_TEST

/* No gap: sigma_i = 0.9^i (0.95^i).  What counts is a matter of a factor between
 * R's diagonal and the values: xGEQP3 itself is off by up to 16 columns, and the
 * orders differ from it by one, rarely two. */
START_TEST(rank_without_a_gap)
{
    if (too_large(130 / 4, 128 / 4, 0))
        return;
    enum { N = 128 };
    const tuning_t tune = eager();
    double value[N];
    for (int i = 0; i < N; ++i)
        value[i] = pow(GSVD_SINGLE ? 0.95 : 0.9, i);
    const mat_t A = of_values(N + 2, N, value);
    const real_t tol = (real_t)(value[20 + 10 * _i] * 0.97);
    const int64_t other = geqp3_rank(A, tol);
    for (int o = 0; o < ORDERS; ++o) {
        const factors_t f = factor(&tune, A, order[o], tol);
        ck_assert_msg(llabs(f.rank - other) <= 2, "order %d: %ld, xGEQP3 %ld",
                      o, (long)f.rank, (long)other);
        check(A, &f, tol);
    }
}
END_TEST

/* Columns x and 0.9 x + d y, and others 0.5 x, of unit x and y at right angles: what is left of
 * the second one's length, d, is not told by what it loses, 0.9 of 1, but to sqrt(eps).
 * Exact lengths decide, on both sides of the tolerance. */
START_TEST(rank_next_to_tolerance)
{
    const int64_t m = _i % 2 ? 200 : 60, n = _i % 2 ? 90 : 2;
    const double d = GSVD_SINGLE ? 0.05 : 1e-3, off = 50 * GSVD_EPS / d;
    const tuning_t tune = last_columns();
    const mat_t Q = random_unitary(m, &seed), A = new_mat(m, n);
    if (too_large(m / 4, n / 4, 0))
        return;
    EACH_ENTRY (A, i, j) {
        const scalar_t x = AT(Q, i, 0), y = AT(Q, i, 1);
        AT(A, i, j) = j == 1 ? add(scale((real_t)0.9, x), scale((real_t)d, y))
                             : scale(j ? (real_t)0.5 : 1, x);
    }
    for (int above = 0; above < 2; ++above)
        for (int o = 0; o < ORDERS; ++o) {
            const double tol = d * (above ? 1 + off : 1 - off);
            const factors_t f = factor(&tune, A, order[o], (real_t)tol);
            ck_assert_int_eq(f.rank, above ? 1 : 2);
        }
}
END_TEST

/* With the first column last, Kahan's triangle of order 3 has a diagonal c (1 + c) times smaller.
 * That is not clearly below the tolerance: xGEQP3's rank stays. */
START_TEST(rank_of_a_diagonal)
{
    static const double cosine[] = {0.64, 0.67, 0.7};
    const double c = cosine[_i], last = 1 - c * c;
    const tuning_t tune = last_columns();
    const mat_t A = kahan(3, 3, c);
    const real_t tol = (real_t)(last * (1 + 1 / (c * (1 + c))) / 2);
    ck_assert_int_eq(geqp3_rank(A, tol), 3);
    for (int o = 0; o < ORDERS; ++o)
        ck_assert_int_eq(factor(&tune, A, order[o], tol).rank, 3);
}
END_TEST

START_TEST(rank_of_kahan)
{
    const int64_t n = GSVD_SINGLE ? 50 : 90;
    const mat_t A = kahan(n, n, 0.285);
    static const double tol[] = {1e-2, 1e-3, 1e-4, 1e-6, 1e-8, 1e-10};
    check_hard(A, (real_t)tol[GSVD_SINGLE ? _i % 4 : _i]);
}
END_TEST

/* Several of Kahan's triangles beside one another, each hiding a value: all are
 * found by the remedy for norm pivoting, one after the other. */
START_TEST(rank_of_many_kahans)
{
    if (too_large(180 / 4, 180 / 4, 0))
        return;
    static const double tol[] = {1e-2, 1e-3, 1e-5, 1e-6};
    const int64_t n = GSVD_SINGLE ? 50 : 90;
    const int copies = 2 + _i % 2;
    const mat_t K = kahan(n, n, 0.285);
    mat_t A = zero_mat(copies * n + 7 * (_i / 2), copies * n);
    tuning_t tune = *on(handle)->tune;
    tune.pivot_last = 1000;
    for (int c = 0; c < copies; ++c)
        for (int64_t j = 0; j < n; ++j)
            for (int64_t i = 0; i <= j; ++i)
                AT(A, c * n + i, c * n + j) =
                    scale((real_t)pow(0.5, c), AT(K, i, j));
    const int64_t rank = svd_rank(A, (real_t)tol[_i]);
    const factors_t f =
        factor(&tune, A, GSVD_PIVOT_TOURNAMENT, (real_t)tol[_i]);
    ck_assert_int_eq(f.rank, rank);
    check(A, &f, (real_t)tol[_i]);
}
END_TEST

/* After Gu and Eisenstat 1996: Kahan's first columns, a column that is nearly
 * in their span, and short ones. */
START_TEST(rank_of_gu_eisenstat)
{
    const int64_t n = GSVD_SINGLE ? 50 : 96, k = n - 3;
    const double c = 0.285, s = sqrt(1 - c * c);
    mat_t A = zero_mat(n, n);
    const mat_t K = kahan(k, k, c);
    for (int64_t j = 0; j < k; ++j)
        for (int64_t i = 0; i <= j; ++i)
            AT(A, i, j) = AT(K, i, j);
    const double mu = pow(s, (double)k) / sqrt((double)k);
    for (int64_t i = 0; i < k; ++i)
        AT(A, i, n - 1) = make((real_t)(-c * pow(s, (double)i)), 0);
    for (int64_t i = k; i < n; ++i)
        AT(A, i, i) = make((real_t)mu, 0);
    static const double tol[] = {0.5, 1e-2, 1e-4, 1e-6};
    check_hard(A, (real_t)(mu * tol[_i]));
}
END_TEST

/* columns that fall by 10 (by 2): the rank at any tolerance is near what norm
 * pivoting finds */
START_TEST(rank_of_graded_columns)
{
    if (too_large(140 / 4, 100 / 4, 0))
        return;
    enum { N = 100 };
    mat_t A = normal_mat(140, N, &seed);
    for (int64_t j = 0; j < N; ++j)
        scale_column(A, j * 37 % N, pow(GSVD_SINGLE ? 0.9 : 0.7, (double)j));
    const tuning_t tune = eager();
    const real_t tol = (real_t)(pow(GSVD_SINGLE ? 0.9 : 0.7, 10 + 8 * _i) * 9);
    const int64_t other = geqp3_rank(A, tol);
    for (int o = 0; o < ORDERS; ++o) {
        const factors_t f = factor(&tune, A, order[o], tol);
        ck_assert_msg(llabs(f.rank - other) <= 1, "order %d: %ld, xGEQP3 %ld",
                      o, (long)f.rank, (long)other);
        check(A, &f, tol);
    }
}
END_TEST

/* every column twice, or nearly twice */
START_TEST(rank_of_twin_columns)
{
    const int64_t n = 150, k = 75;
    mat_t A = normal_mat(160, n, &seed);
    const double noise = _i == 0 ? 0 : GSVD_SINGLE ? 1e-6 : 1e-12;
    for (int64_t j = 0; j < k; ++j)
        for (int64_t i = 0; i < A.rows; ++i) {
            const scalar_t x = scale((real_t)noise, AT(A, i, n - 1 - j));
            AT(A, i, n - 1 - j) = add(AT(A, i, j), x);
        }
    check_rank(A, (real_t)(GSVD_SINGLE ? 1e-3 : 1e-8), k);
}
END_TEST

/* The diagonal of R is never less than FRACTION of xGEQP3's, of which the
 * largest remaining is taken each time: blocks of 32 by a sketch lose a factor of
 * 2 or 3 on random matrices. */
#define FRACTION 0.2

START_TEST(diagonal_falls_like_geqp3s)
{
    if (too_large(220 / 4, 200 / 4, 0))
        return;
    const tuning_t tune = eager();
    mat_t A = normal_mat(220, 200, &seed);
    for (int64_t j = 0; j < A.cols && _i == 1; ++j)
        scale_column(A, j, pow(0.95, (double)(j * 7 % 200)));
    if (_i == 2) {
        double value[200];
        for (int i = 0; i < 200; ++i)
            value[i] = pow(0.93, i);
        A = of_values(220, 200, value);
    }
    const real_t *d = geqp3_diagonal(A);
    for (int o = 0; o < ORDERS; ++o) {
        const factors_t f = factor(&tune, A, order[o], -1);
        for (int64_t i = 0; i < A.cols; ++i)
            ck_assert_msg(abs_of(AT(f.A, i, i)) >= FRACTION * d[i],
                          "order %d: |R(%ld)| = %g of %g", o, (long)i,
                          (double)abs_of(AT(f.A, i, i)), (double)d[i]);
    }
}
END_TEST

Suite *make_suite(void)
{
    Suite *s = suite_create("geqp");
    TCase *t = add_tcase(s, "factors");
    tcase_add_loop_test(t, full_rank, 0, SIZES);
    tcase_add_loop_test(t, deficient, 0, SIZES);
    tcase_add_loop_test(t, zero_columns, 0, ORDERS);
    tcase_add_loop_test(t, graded, 0, SIZES);
    tcase_add_test(t, extreme_scales);
    tcase_add_loop_test(t, every_pivot_solver, 0, 2);
    tcase_add_test(t, rowwise_stable);
    tcase_add_test(t, reproducible);
    t = add_tcase(s, "ranks");
    tcase_add_loop_test(t, rank_of_thesis, 0, 2);
    tcase_add_loop_test(t, rank_of_stairs, 1, 6);
    tcase_add_loop_test(t, rank_at_a_gap, 0, 9);
    tcase_add_loop_test(t, rank_without_a_gap, 0, 9);
    tcase_add_loop_test(t, rank_next_to_tolerance, 0, 16);
    tcase_add_loop_test(t, rank_of_a_diagonal, 0, 3);
    tcase_add_loop_test(t, rank_of_kahan, 0, 6);
    tcase_add_loop_test(t, rank_of_many_kahans, 0, 4);
    tcase_add_loop_test(t, rank_of_gu_eisenstat, 0, 4);
    tcase_add_loop_test(t, rank_of_graded_columns, 0, 9);
    tcase_add_loop_test(t, rank_of_twin_columns, 0, 2);
    tcase_add_loop_test(t, diagonal_falls_like_geqp3s, 0, 3);
    return s;
}
