/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* test_small.c -- the short way for a few columns against the general one, which
 * GSVD_PANEL_TSQR forces, over all shapes around its limits. */
#define _DEFAULT_SOURCE /* MAP_NORESERVE */
#include <stdio.h>
#include <sys/mman.h>

#include "core/pair.h"
#include "gsvd/run_batched.h"
#include "harness/harness.h"
#include "harness/wide.h"
#include "small/csd_2x2.h"
#include "small/pair.h"
#include "small/qr.h"

/* ---- the way that a call took ------------------------------------------- */

/* Only the general way's stages are timed. */
static int is_general(double seconds) { return seconds > 0; }

/* The short way has two solvers, the tangent for AUTO. */
static gsvd_solver_t solver = GSVD_SOLVER_CSD;

static void force_general(int general)
{
    ck_assert_ok(gsvd_set_option(handle, GSVD_SOLVER, solver));
    ck_assert_ok(gsvd_set_option(handle, GSVD_PANEL,
                                 general ? GSVD_PANEL_TSQR : GSVD_PANEL_AUTO));
}

static result_t take(int general, const char *jobs, const sample_t *P)
{
    force_general(general);
    const result_t r = decompose(HOST, jobs[0], jobs[1], jobs[2], P->A, P->B);
    force_general(0);
    return r;
}

/* The statistics of a call whose columns stay as they are: equilibrated ones take the general
 * way, and a single row of uniform numbers can ask for that. */
static gsvd_stats_t unequilibrated(int general, const sample_t *P)
{
    ck_assert_ok(
        gsvd_set_option(handle, GSVD_EQUILIBRATE, GSVD_EQUILIBRATE_OFF));
    take(general, "UVQ", P);
    ck_assert_ok(
        gsvd_set_option(handle, GSVD_EQUILIBRATE, GSVD_EQUILIBRATE_AUTO));
    return stats_of_call();
}

/* ---- all shapes ----------------------------------------------------------- */

enum { MOST = 6, SIDES = MOST + 1, ALL_SHAPES = SIDES * SIDES * SIDES };

static const int decade[][2] = {{0, 0},    {150, 150}, {-150, -150},
                                {0, -150}, {150, 0},   {-150, 0}};
enum { DECADES = sizeof decade / sizeof *decade };

static recipe_t recipe_of(int i, int family)
{
    const int m = i % SIDES, n = i / SIDES % SIDES, p = i / SIDES / SIDES;
    const int *const e = decade[(i + family) % DECADES];
    recipe_t c = {m, n, p, (family_t)family, -1, -1, e[0], e[1]};
    if (family == RANKS || family == REPEATED || family == EXTREME ||
        family == THESIS) { /* else the rounding of make_pair may count      */
        c.l = p < n ? p : n;
        c.k = m < n - c.l ? m : n - c.l;
    }
    return c;
}

/* the same ranks, and values that differ by no more than rounding makes them */
static void ck_assert_alike(const recipe_t *c, const sample_t *P,
                            const result_t *x, const result_t *y,
                            const char *what)
{
    real_t a[MOST], b[MOST];

    ck_assert_msg(x->status == GSVD_SUCCESS, "%s: %s", text_of(c, what),
                  gsvd_status_name(x->status));
    if (c->family == SAME_COLUMNS && x->k != y->k)
        return; /* what is left of A is rounding, next to its tolerance      */
    ck_assert_msg(x->k == y->k && x->l == y->l, "%s: k %ld %ld l %ld %ld",
                  text_of(c, what), (long)x->k, (long)y->k, (long)x->l,
                  (long)y->l);
    for (int64_t i = 0; i < y->l; ++i) {
        a[i] = (real_t)(y->alpha[y->k + i] / P->fa);
        b[i] = (real_t)(y->beta[y->k + i] / P->fb);
        const real_t larger = fmax_r(a[i], b[i]);
        a[i] /= larger;
        b[i] /= larger;
    }
    const double d =
        chordal(x->l, x->alpha + x->k, x->beta + x->k, P->fa, P->fb, a, b);
    const double bound = LIMIT * rounding_of_values(c, y->k + y->l, 11);
    ck_assert_msg(d <= bound, "%s: %g apart, %g allowed", text_of(c, what), d,
                  bound);
}

/* Are rows so far apart that they get sorted?  CSD is the general way's then. */
static int rows_apart(mat_t A)
{
    real_t most = 0, least = GSVD_REAL_MAX;
    for (int64_t i = 0; i < A.rows; ++i) {
        real_t size = 0;
        for (int64_t j = 0; j < A.cols; ++j)
            size = fmax_r(size, abs_max(AT(A, i, j)));
        most = fmax_r(most, size);
        least = size < least ? size : least;
    }
    return rows_are_sorted(most, least);
}

/* which way, where nothing but sizes decides */
static void ck_assert_way(const recipe_t *c, const sample_t *P, int general)
{
    const gsvd_stats_t s = unequilibrated(general, P);
    const int preprocess =
        c->n > 0 && c->n <= c->p && c->p <= SMALL && c->m <= SMALL;
    if (c->n == 0 || (c->family != UNIFORM && !general))
        return;
    ck_assert_int_eq(is_general(s.seconds_preprocess), general || !preprocess);
    if (solver == GSVD_SOLVER_CSD && (rows_apart(P->A) || rows_apart(P->B)))
        return;
    ck_assert_int_eq(is_general(s.seconds_solve),
                     general || s.l < 1 || s.l > SMALL);
}

/* of both ways: six ratios; of the short one: every kind of output */
static void check_shape(const recipe_t *c)
{
    const sample_t P = make_pair(c, 11);
    const result_t x = take(0, "UVQ", &P);
    const result_t y = take(1, "UVQ", &P);

    for (int general = 0; general < 2; ++general)
        ck_assert_way(c, &P, general);
    ck_assert_int_eq(y.status, GSVD_SUCCESS);
    ck_assert_alike(c, &P, &x, &y, "factors");
    ck_assert_ratios(P.A, P.B, &x, text_of(c, "short way"));
    ck_assert_ratios(P.A, P.B, &y, text_of(c, "general way"));

    const result_t v = take(0, "NNN", &P);
    ck_assert_alike(c, &P, &v, &y, "values");
    ck_assert_values(&v, c->m, c->n, c->p);

    const result_t e = take(0, "SSS", &P);
    ck_assert_alike(c, &P, &e, &y, "economy");
    ck_assert_ratio(residual_A(P.A, &e, GSVD_FORM_LAPACK));
    ck_assert_ratio(residual_B(P.B, &e, GSVD_FORM_LAPACK));
    ck_assert_ratio(fmax(defect(e.U), fmax(defect(e.V), defect(e.Q))));

    ck_assert_ok(gsvd_set_option(handle, GSVD_FORM, GSVD_FORM_X));
    for (int job = 0; job < 2; ++job) {
        const result_t f = take(0, job ? "SSS" : "UVQ", &P);
        ck_assert_alike(c, &P, &f, &y, "X form");
        ck_assert_ratio(residual_A(P.A, &f, GSVD_FORM_X));
        ck_assert_ratio(residual_B(P.B, &f, GSVD_FORM_X));
    }
    ck_assert_ok(gsvd_set_option(handle, GSVD_FORM, GSVD_FORM_LAPACK));
}

START_TEST(ways_agree)
{
    solver = _i < FAMILIES ? GSVD_SOLVER_CSD : GSVD_SOLVER_AUTO;
    for (int i = 0; i < ALL_SHAPES; ++i) {
        const recipe_t c = recipe_of(i, _i % FAMILIES);
        if (left_out(i + _i, 50))
            continue;
        check_shape(&c);
        release_pool();
    }
    solver = GSVD_SOLVER_CSD;
}
END_TEST

/* The GSVD by this solver of the list */
static result_t run_forced(const char *name, const sample_t *P, outcome_t *out)
{
    exec_t ex = *on(handle);
    result_t r = decompose(HOST, 'U', 'V', 'Q', P->A, P->B); /* its arrays   */
    args_t a = {
        .job = {'U', 'V', 'Q'}, .m = P->A.rows, .n = P->A.cols, .p = P->B.rows};
    const mat_t array[] = {copy_mat(P->A), copy_mat(P->B), r.U, r.V, r.Q};

    r.A = array[0];
    r.B = array[1];
    for (int i = 0; i < 5; ++i) {
        a.array[OPERAND_A + i] = array[i].data;
        a.ld[OPERAND_A + i] = array[i].ld;
    }
    a.array[OPERAND_ALPHA] = r.alpha;
    a.array[OPERAND_BETA] = r.beta;
    ex.policy.force[0] = (forced_t){X(whole_pair_solvers).name, name};
    *out = (outcome_t){0};
    r.status = X(gsvd_program).run(&ex, &a, out);
    r.k = out->k;
    r.l = out->l;
    return r;
}

/* Each solver of the list, forced: the default's ranks and values, and six ratios.  Only the steps are
 * timed. */
START_TEST(every_solver)
{
    const solvers_t *const list = &X(whole_pair_solvers);
    int runs[2] = {0}; /* by few columns, by steps                           */

    for (int i = 0; i < ALL_SHAPES; ++i) {
        const recipe_t c = recipe_of(i, _i);
        const sample_t P = make_pair(&c, 11);
        const result_t taken = decompose(HOST, 'U', 'V', 'Q', P.A, P.B);
        for (int k = 0; k < list->count && !left_out(i, 50); ++k) {
            const char *const name = list->first[k].name;
            outcome_t out;
            const result_t r = run_forced(name, &P, &out);
            const int steps = is_general(out.seconds_solve);
            ck_assert_alike(&c, &P, &r, &taken, name);
            ck_assert_ratios(P.A, P.B, &r, text_of(&c, name));
            ck_assert(steps || strcmp(name, "steps") != 0);
            ++runs[steps];
        }
        release_pool();
    }
    ck_assert_int_eq(list->count, 2);
    const int no_pair = _i == ZERO_B || _i == ZERO_BOTH; /* l = 0        */
    ck_assert(quick || ((runs[0] > 0 || no_pair) && runs[1] > runs[0]));
}
END_TEST

/* both halves, of which either may go either way */
START_TEST(halves_agree)
{
    for (int i = 0; i < ALL_SHAPES; ++i) {
        const recipe_t c = recipe_of(i, i % 2 ? UNIFORM : INTEGER);
        const sample_t P = make_pair(&c, 11);
        const result_t whole = take(1, "UVQ", &P);
        if (left_out(i, 20))
            continue;
        for (int which = 0; which < 4; ++which) {
            force_general(which & 1);
            const result_t t =
                preprocess(HOST, 'U', 'V', 'Q', P.A, P.B, -1, -1);
            ck_assert_int_eq(t.status, GSVD_SUCCESS);
            force_general(which & 2);
            const result_t r = solve(HOST, 'U', 'V', 'Q', &t);
            force_general(0);
            ck_assert_alike(&c, &P, &r, &whole, "halves");
            ck_assert_ratios(P.A, P.B, &r, text_of(&c, "halves"));
        }
        release_pool();
    }
}
END_TEST

/* ---- AUTO ----------------------------------------------------------------- */

/* X := its columns times 2^e, e in +-spread */
static void scale_columns(mat_t X_, int spread, uint64_t *seed)
{
    for (int64_t j = 0; j < X_.cols; ++j) {
        const int e = (int)random_below(seed, 2 * spread + 1) - spread;
        scale_column(X_, j, ldexp_r(1, e));
    }
}

/* Column j of A - U D1 (0 R) Q^H against that of A, in ulp; of B, d of beta and row: shift */
static double error_of_column(mat_t A, mat_t W, const real_t *d, int64_t shift,
                              const result_t *x)
{
    const mat_t R = get_R(x), T = zero_mat(A.rows, A.cols);
    const int64_t r = x->k + x->l, zero = A.cols - r;
    double worst = 0;

    for (int64_t i = 0; i < min_i(A.rows, r - shift); ++i)
        for (int64_t j = 0; j < r; ++j)
            AT(T, i, zero + j) = scale(d[i + shift], AT(R, i + shift, j));
    const mat_t E = product('N', 'C', product('N', 'N', W, T), x->Q);
    for (int64_t j = 0; j < A.cols; ++j) {
        double error = 0, length = 0;
        for (int64_t i = 0; i < A.rows; ++i) {
            error = fmax(error, abs_of(sub(AT(A, i, j), AT(E, i, j))));
            length = fmax(length, abs_of(AT(A, i, j)));
        }
        worst = fmax(worst, error / (length * GSVD_ULP));
    }
    return worst;
}

/* The values of x are those of y, relatively: condition is that of A times that of B, by which
 * rounding of columns may change the least value of A B^-1. */
static void ck_assert_relative(const result_t *x, const result_t *y,
                               double condition)
{
    ck_assert_int_eq(x->status, GSVD_SUCCESS);
    ck_assert(x->k == y->k && x->l == y->l);
    for (int64_t j = x->k; j < x->k + x->l; ++j) {
        const double t = (double)y->alpha[j] / (double)y->beta[j];
        const double off = (double)x->alpha[j] / (double)x->beta[j] / t - 1;
        ck_assert_msg(fabs(off) <= 100 * (double)GSVD_ULP * condition,
                      "value %d of %d: %g off", (int)j, (int)x->l, off);
    }
}

/* Pairs whose columns differ, by the short way: values are those of a pair of like columns,
 * which A and B times one diagonal of powers of two have too, and columns are as accurate as
 * by the general way, which is some ulp of each. */
START_TEST(columns_that_differ)
{
    const int n = 2 + _i % 3, m = _i / 3 ? n : 4, pairs = 40;
    const int spread = GSVD_SINGLE ? 5 : 18;
    const mat_t none = mat_view(NULL, 0, n, 1);
    double error[2] = {0, 0};
    int short_ways = 0;

    solver = GSVD_SOLVER_AUTO;
    ck_assert_ok(
        gsvd_set_option(handle, GSVD_EQUILIBRATE, GSVD_EQUILIBRATE_OFF));
    for (int i = 0; i < pairs; ++i) {
        uint64_t seed = 100 * (uint64_t)_i + (uint64_t)i;
        sample_t P = {.A = normal_mat(m, n, &seed),
                      .B = normal_mat(n, n, &seed),
                      .fa = 1,
                      .fb = 1};
        for (int64_t j = 0; j < n; ++j) /* well conditioned                  */
            AT(P.B, j, j) = add(AT(P.B, j, j), make(4, 0));
        const double condition =
            stacked_condition(P.A, none, n) * stacked_condition(P.B, none, n);
        const result_t alike = take(1, "UVQ", &P);
        uint64_t same = seed;
        scale_columns(P.A, spread, &seed);
        scale_columns(P.B, spread, &same);
        const result_t values = take(0, "NNN", &P);
        ck_assert_relative(&values, &alike, condition);
        for (int general = 0; general < 2; ++general) {
            const result_t x = take(general, "UVQ", &P);
            short_ways += !is_general(stats_of_call().seconds_solve);
            ck_assert_relative(&x, &alike, condition);
            ck_assert_ratios(P.A, P.B, &x, "columns that differ");
            error[general] += log(error_of_column(P.A, x.U, x.alpha, 0, &x)) +
                              log(error_of_column(P.B, x.V, x.beta, x.k, &x));
        }
        release_pool();
    }
    ck_assert_int_ge(short_ways, pairs - 2);
    ck_assert_msg(error[0] / (2 * pairs) <=
                      fmin(error[1] / (2 * pairs) + log(1.5), log(20 * n)),
                  "%g ulp of a column, by the general way %g",
                  exp(error[0] / (2 * pairs)), exp(error[1] / (2 * pairs)));
    ck_assert_ok(
        gsvd_set_option(handle, GSVD_EQUILIBRATE, GSVD_EQUILIBRATE_AUTO));
    solver = GSVD_SOLVER_CSD;
}
END_TEST

/* Rows of a pair times powers of two from 1 to 2^-spread, at random; what is wrong with its
 * values, relatively, over the condition of what was scaled, in ulp: by the short way, by the
 * general one */
static void rows_of_spread(int spread, int which, int count, double worst[2])
{
    const int n = 2 + which % 3, m = which / 3 % 4 + 1, p = n + which / 12 % 2;
    const mat_t none = mat_view(NULL, 0, n, 1);

    worst[0] = worst[1] = 0;
    for (int i = 0; i < count; ++i) {
        uint64_t seed = 1000 * (uint64_t)which + (uint64_t)i;
        sample_t P = {.A = normal_mat(m, n, &seed),
                      .B = normal_mat(p, n, &seed),
                      .fa = 1,
                      .fb = 1};
        const double condition = stacked_condition(P.A, none, min_i(m, n)) *
                                 stacked_condition(P.B, none, n);
        wide_t exact[SMALL];
        for (int64_t r = 0; r < m + p; ++r) {
            const mat_t X_ = r < m ? P.A : P.B;
            const int e = (int)random_below(&seed, 3);
            for (int64_t j = 0; j < n; ++j) {
                scalar_t *const x = &AT(X_, r < m ? r : r - m, j);
                *x = scale(ldexp_r(1, -(e * spread) / 2), *x);
            }
        }
        wide_values(mat_view(NULL, m, 0, max_i(m, 1)), P.A, P.B, exact);
        for (int general = 0; general < 2; ++general) {
            const result_t x = take(general, "NNN", &P);
            const result_t y = take(general, "UVQ", &P);
            ck_assert_ok(x.status);
            ck_assert(x.k == 0 && x.l == n);
            ck_assert_ratios(P.A, P.B, &y, "rows");
            for (int64_t j = 0; j < min_i(m, n); ++j) {
                const wide_t t = (wide_t)x.alpha[j] / (wide_t)x.beta[j];
                const wide_t u = (wide_t)y.alpha[j] / (wide_t)y.beta[j];
                const wide_t off =
                    fmaxl(fabsl(t / exact[j] - 1), fabsl(u / exact[j] - 1));
                worst[general] = fmax(
                    worst[general], (double)off / (double)GSVD_ULP / condition);
            }
        }
        release_pool();
    }
}

/* Whatever rows differ by, the short way is as accurate as the general one, which sorts them. */
START_TEST(rows_that_differ)
{
    static const int spread[] = {4, 6, 8, 10, GSVD_SINGLE ? 16 : 36};
    enum { SPREADS = sizeof spread / sizeof *spread };
    double times = 0;

    solver = GSVD_SOLVER_AUTO;
    ck_assert_ok(gsvd_set_option(handle, GSVD_TOL_A, 0));
    ck_assert_ok(gsvd_set_option(handle, GSVD_TOL_B, 0));
    for (int i = 0; i < SPREADS; ++i) {
        double worst[2];
        rows_of_spread(spread[i], _i, 40, worst);
        times += log(worst[0] / worst[1]) / SPREADS;
    }
    ck_assert_msg(times < log(3), "errors %g times as large", exp(times));
    solver = GSVD_SOLVER_CSD;
}
END_TEST

/* a tolerance above B's last columns: the short way leaves the pair alone */
START_TEST(tolerance_is_the_caller_s)
{
    const recipe_t c = {4, 3, 4, UNIFORM, -1, -1, 0, 0};
    const sample_t P = make_pair(&c, 11);
    for (int i = 0; i < 2; ++i) {
        const double tol = i ? 1e3 : 0;
        ck_assert_ok(gsvd_set_option(handle, GSVD_TOL_B, tol));
        const result_t x = take(0, "UVQ", &P);
        ck_assert_int_eq(is_general(stats_of_call().seconds_preprocess), i);
        ck_assert_int_eq(x.status, GSVD_SUCCESS);
        ck_assert_int_eq(x.l, i ? 0 : 3);
        ck_assert_int_eq(x.k, i ? 3 : 0);
    }
}
END_TEST

/* diagonals above the tolerance do not prove that the singular values are: the general
 * way looks at R again */
START_TEST(rank_that_r_might_hide)
{
    const recipe_t c = {3, 3, 3, UNIFORM, -1, -1, 0, 0};
    const sample_t P = make_pair(&c, 11);
    fill(P.B, make(0, 0));
    for (int i = 0; i < 3; ++i)
        AT(P.B, i, i) = make(i == 0 ? 1 : (real_t)0.1, 0);
    for (int sure = 0; sure < 2; ++sure) {
        ck_assert_ok(gsvd_set_option(handle, GSVD_TOL_B, sure ? 0.001 : 0.05));
        const result_t x = take(0, "UVQ", &P);
        ck_assert_int_eq(is_general(stats_of_call().seconds_preprocess), !sure);
        ck_assert_int_eq(x.l, 3);
        ck_assert_ratios(P.A, P.B, &x, "0.1 twice");
    }
}
END_TEST

/* refused as on the general way, and as it was */
START_TEST(not_finite)
{
    const recipe_t c = {3, 3, 3, UNIFORM, -1, -1, 0, 0};
    for (int which = 0; which < 4; ++which) {
        const sample_t P = make_pair(&c, 11);
        const real_t bad = which & 1 ? (real_t)INFINITY : (real_t)NAN;
        AT(which & 2 ? P.B : P.A, 1, 2) = make(bad, 0);
        const result_t r = take(0, "UVQ", &P);
        ck_assert_int_eq(r.status, GSVD_INVALID_ARGUMENT);
        ck_assert_int_eq(r.info, take(1, "UVQ", &P).info);
        ck_assert_same(r.A, P.A);
        ck_assert_same(r.B, P.B);
    }
}
END_TEST

/* Rows of zeros have no size: they send no pair to the general way. */
START_TEST(zero_rows)
{
    const recipe_t c = {4, 3, 4, UNIFORM, -1, -1, 0, 0};
    const sample_t P = make_pair(&c, 11);
    for (int j = 0; j < 3; ++j)
        AT(P.A, 2, j) = AT(P.B, 1, j) = make(0, 0);
    const result_t x = take(0, "UVQ", &P);
    ck_assert(!is_general(stats_of_call().seconds_preprocess));
    ck_assert_ratios(P.A, P.B, &x, "rows of zeros");
}
END_TEST

/* The value of a column of zeros is 0, not rounding of others. */
START_TEST(zero_column)
{
    const int64_t n = 2 + _i / 4, z = _i % n;

    for (uint64_t draw = 0; draw < 10; ++draw) {
        uint64_t seed = 31 + draw;
        const mat_t A = normal_mat(n + 3 * (_i % 2), n, &seed);
        const mat_t B = normal_mat(n, n, &seed);
        fill(mat_cols(A, z, 1), make(0, 0));
        const result_t r = decompose(HOST, 'N', 'N', 'N', A, B);
        ck_assert_ok(r.status);
        ck_assert_msg(r.alpha[n - 1] <= 0, "alpha %g", (double)r.alpha[n - 1]);
    }
}
END_TEST

/* ... and neither is A - U C X^H there. */
START_TEST(zero_column_of_x)
{
    const int64_t n = 2 + _i / 4, z = _i % n;
    const mat_t none = mat_view(NULL, 0, 0, 1);
    const double most = LIMIT * (double)(n + 3) * GSVD_ULP;

    ck_assert_ok(gsvd_set_option(handle, GSVD_FORM, GSVD_FORM_X));
    for (uint64_t draw = 0; draw < 10; ++draw) {
        uint64_t seed = 31 + draw;
        const mat_t A = normal_mat(n + 3 * (_i % 2), n, &seed);
        const mat_t B = normal_mat(n, n, &seed);
        fill(mat_cols(A, z, 1), make(0, 0));
        const result_t r = decompose(HOST, 'U', 'V', 'Q', A, B);
        ck_assert_ok(r.status);
        const double a = column_error(A, mat_cols(r.U, 0, n), r.alpha, 0, n,
                                      none, r.Q, NULL);
        const double b = column_error(B, r.V, r.beta, 0, n, none, r.Q, NULL);
        ck_assert_msg(a <= most && b <= most, "A %g, B %g", a, b);
    }
}
END_TEST

/* A = B = diag(1, x), x of so many digits less than a normal number: the inverse of the length of
 * R's last row is infinite. */
START_TEST(last_row_next_to_nothing)
{
    static const int lower[] = {1, 9, GSVD_SINGLE ? 22 : 51};
    const mat_t A = identity_mat(2, 2);
    result_t t = {.A = A, .B = A, .U = A, .V = A, .Q = A, .k = 0, .l = 2};
    t.A = t.B = copy_mat(A);
    AT(t.A, 1, 1) = make(ldexp_r(GSVD_SAFMIN, -lower[_i]), 0);
    force_general(0);
    const result_t r = solve(HOST, 'U', 'V', 'Q', &t);
    ck_assert_ok(r.status);
    ck_assert(!is_general(stats_of_call().seconds_solve));
    ck_assert(all_finite(get_R(&r)));
    ck_assert_ratios(t.A, t.B, &r, "a last row next to nothing");
}
END_TEST

/* A column of G is too short for its square, and far from orthogonal to the other: AUTO is right all
 * the same, by another way. */
START_TEST(columns_beyond_squares)
{
    const int bits =
        (GSVD_SINGLE ? 54 : 500) + (GSVD_SINGLE ? 3 : 30) * (_i % 2);
    const double x = _i / 2 ? 0.75 : 0.5, longest = sqrt(1 + x * x);
    sample_t P = {.A = new_mat(2, 2), .B = new_mat(2, 2)};
    for (int j = 0; j < 2; ++j)
        for (int i = 0; i < 2; ++i)
            AT(P.A, i, j) = AT(P.B, i, j) = make((real_t)(i == j), 0);
    AT(P.A, 1, 0) = make((real_t)x, 0);
    AT(P.A, 1, 1) = make(ldexp_r(1, -bits), 0);
    ck_assert_ok(
        gsvd_set_option(handle, GSVD_EQUILIBRATE, GSVD_EQUILIBRATE_OFF));
    solver = GSVD_SOLVER_AUTO;
    const result_t r = take(0, "UVQ", &P);
    solver = GSVD_SOLVER_CSD;
    ck_assert_ok(
        gsvd_set_option(handle, GSVD_EQUILIBRATE, GSVD_EQUILIBRATE_AUTO));
    ck_assert_ok(r.status);
    ck_assert_ratios(P.A, P.B, &r, "beyond squares");
    const double value[] = {longest, ldexp(1, -bits) / longest};
    for (int j = 0; j < 2; ++j)
        ck_assert(fabs((double)r.alpha[j] / (double)r.beta[j] / value[j] - 1) <=
                  20 * GSVD_EPS);
}
END_TEST

/* Columns of Q may be so far apart that a team's numbers of entries, ints, do not reach them. */
START_TEST(columns_far_apart)
{
    enum { N = 3 };
    const int64_t ld = ((int64_t)1 << 30) + 1;
    const size_t bytes = (size_t)(2 * ld + N) * sizeof(scalar_t);
    uint64_t seed = 3;
    const mat_t A = normal_mat(N, N, &seed), B = normal_mat(N, N, &seed);
    result_t r = decompose(HOST, 'U', 'V', 'N', A, B); /* its arrays         */
    void *const far = mmap(NULL, bytes, PROT_READ | PROT_WRITE,
                           MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (far == MAP_FAILED)
        return;
    r.A = copy_mat(A);
    r.B = copy_mat(B);
    ck_assert_ok(GSVD_ENTRY(handle, 'U', 'V', 'Q', N, N, N, &r.k, &r.l,
                            r.A.data, r.A.ld, r.B.data, r.B.ld, r.alpha, r.beta,
                            r.U.data, r.U.ld, r.V.data, r.V.ld, far, ld,
                            &r.info));
    r.Q = copy_mat(mat_view(far, N, N, ld));
    ck_assert_int_eq(munmap(far, bytes), 0);
    ck_assert_ratios(A, B, &r, "columns far apart");
}
END_TEST

/* What belongs to a value goes with it: its exponent, its factor, and columns of U and V. */
START_TEST(sorted_values)
{
    enum { E = 30 };
    real_t alpha[SMALL], beta[SMALL];
    uint64_t seed = 17 + (uint64_t)_i;
    const real_t *const u = random_reals(SMALL, &seed);
    pair_t P = {.m = SMALL,
                .n = SMALL,
                .p = SMALL,
                .l = SMALL,
                .ea = _i % 3 * E,
                .eb = E,
                .alpha = alpha,
                .beta = beta};
    const team_t t = {NULL};
    static small_t w;
    const team_pair_t *const T = &w.team;
    real_t *const c = w.reals + COSINE * SMALL, *const si =
                                                    w.reals + SINE * SMALL;

    small_lay_out(&P, identity_mat(SMALL, SMALL), identity_mat(SMALL, SMALL),
                  &w);
    const mat_t U = small_u(&w), V = small_v(&w);
    for (int j = 0; j < SMALL; ++j) {
        c[j] = u[j];
        si[j] = sqrt_r(1 - u[j] * u[j]);
        AT(V, 0, j) = AT(U, SMALL - 1, j) = make(u[j], 0);
    }
    small_sort(t, &P, &w);
    for (int j = 0; j < SMALL; ++j) {
        const double size =
            ldexp((double)reals_of(T, GAIN)[j], ints_of(T, EXPONENT)[j]);
        const double a = ldexp((double)c[j], P.ea) / size;
        const double b = ldexp((double)si[j], P.eb) / size;
        ck_assert(j == 0 || !value_pair_before(alpha, beta, j, j - 1));
        ck_assert(fabs(a - (double)alpha[j]) <= 8 * GSVD_ULP);
        ck_assert(fabs(b - (double)beta[j]) <= 8 * GSVD_ULP);
        ck_assert(re(AT(V, 0, j)) == c[j] && re(AT(U, SMALL - 1, j)) == c[j]);
    }
}
END_TEST

/* ---- sweeps --------------------------------------------------------------- */

static int calls;

/* user: the call at which to stop */
static int count_calls(void *user, int sweep, int64_t rotations)
{
    ck_assert_int_eq(sweep, ++calls);
    ck_assert(rotations >= 0 && rotations <= SMALL * (SMALL - 1) / 2);
    return calls == *(const int *)user;
}

static sample_t four_columns(void)
{
    const recipe_t c = {4, 4, 4, NORMAL, -1, -1, 0, 0};
    return make_pair(&c, 11);
}

START_TEST(progress_sees_each_sweep)
{
    for (int values = 0; values < 2; ++values) {
        int never = -1;
        const sample_t P = four_columns();
        calls = 0;
        ck_assert_ok(gsvd_set_progress(handle, count_calls, &never));
        ck_assert_ok(take(0, values ? "NNN" : "UVQ", &P).status);
        ck_assert(!is_general(stats_of_call().seconds_solve));
        ck_assert_int_ge(calls, 3);
        ck_assert_int_eq(stats_of_call().sweeps, calls);
    }
}
END_TEST

/* stopped by the callback or by the limit: factors, but not of A and B */
START_TEST(stopped)
{
    int first = 1;
    const sample_t P = four_columns();
    solver = _i < 2 ? GSVD_SOLVER_CSD : GSVD_SOLVER_AUTO;
    if (_i % 2 == 0)
        ck_assert_ok(gsvd_set_progress(handle, count_calls, &first));
    else
        ck_assert_ok(gsvd_set_option(handle, GSVD_MAX_SWEEPS, 1));
    calls = 0;
    const result_t r = take(0, "UVQ", &P);
    ck_assert(!is_general(stats_of_call().seconds_solve));
    ck_assert_int_eq(r.status, GSVD_NOT_CONVERGED);
    ck_assert_int_eq(r.info, 1);
    ck_assert_int_eq(stats_of_call().converged, 0);
    ck_assert_int_ge(stats_of_call().sweeps, 1); /* one of step 3, of step 5 */
    ck_assert_int_le(stats_of_call().sweeps, _i == 1 ? 2 : 1);
    ck_assert_values(&r, 4, 4, 4);
    ck_assert(all_finite(get_R(&r)));
    ck_assert_ratio(fmax(defect(r.U), fmax(defect(r.V), defect(r.Q))));
    solver = GSVD_SOLVER_CSD;
}
END_TEST

START_TEST(tolerance_of_cosines)
{
    const sample_t P = four_columns();
    ck_assert_ok(take(0, "UVQ", &P).status);
    const int sweeps = stats_of_call().sweeps;
    ck_assert_ok(gsvd_set_option(handle, GSVD_TOL_JACOBI, 0.5));
    ck_assert_ok(take(0, "UVQ", &P).status);
    ck_assert_int_lt(stats_of_call().sweeps, sweeps);
}
END_TEST

/* Cosines as large as these take fewer sweeps, and leave factors unitary. */
START_TEST(loose_cosines)
{
    static const double tol[] = {0.5, 1e-2, 1e-4, 1e-6};
    uint64_t seed = 31 + (uint64_t)_i;
    ck_assert_ok(gsvd_set_option(handle, GSVD_TOL_JACOBI, tol[_i % 4]));
    solver = _i / 4 ? GSVD_SOLVER_AUTO : GSVD_SOLVER_CSD;
    for (int i = 0; i < 60; ++i) {
        const int n = 2 + i % 3, m = i / 3 % 2 ? n : 4 - i % 2;
        const sample_t P = {.A = normal_mat(m, n, &seed),
                            .B = normal_mat(n + i / 6 % 2, n, &seed),
                            .fa = 1,
                            .fb = 1};
        const result_t r = take(0, "UVQ", &P);
        ck_assert_ok(r.status);
        ck_assert_ratio(fmax(defect(r.U), fmax(defect(r.V), defect(r.Q))));
        release_pool();
    }
    solver = GSVD_SOLVER_CSD;
}
END_TEST

/* ---- the singular values of (f g; 0 h) ------------------------------------ */

#if GSVD_SINGLE
#define LASV2 slasv2_
#else
#define LASV2 dlasv2_
#endif
void LASV2(const real_t *f, const real_t *g, const real_t *h, real_t *least,
           real_t *most, real_t *sr, real_t *cr, real_t *sl, real_t *cl);

/* of a few ulp, or both next to 0 */
static void ck_assert_close(real_t x, real_t y, const char *what)
{
    ck_assert_msg(fabs_r(x - y) <= 10 * GSVD_ULP * fabs_r(y) + GSVD_SAFMIN,
                  "%s: %.17g, not %.17g", what, (double)x, (double)y);
}

static void check_svd_2x2(real_t f, real_t g, real_t h)
{
    const svd_2x2_t S = svd_2x2(f, g, h);
    real_t least, most, sr, cr, sl, cl;
    char what[100];

    LASV2(&f, &g, &h, &least, &most, &sr, &cr, &sl, &cl);
    snprintf(what, sizeof what, "(%a %a; 0 %a)", (double)f, (double)g,
             (double)h);
    ck_assert_close(S.most, most, what);
    ck_assert_close(S.least, least, what);
    ck_assert_close(S.cl, cl, what);
    ck_assert_close(S.sl, sl, what);
    ck_assert_close(S.cr, cr, what);
    ck_assert_close(S.sr, sr, what);
}

START_TEST(svd_2x2_is_lapack_s)
{
    static const real_t special[] = {
        0, GSVD_SAFMIN,  GSVD_ULP, (real_t)0.5,  1 - GSVD_EPS,
        1, 1 + GSVD_ULP, 3,        1 / GSVD_ULP, GSVD_REAL_MAX / 8};
    enum { N = sizeof special / sizeof *special };
    for (int i = 0; i < N * N * N; ++i)
        check_svd_2x2(special[i % N], special[i / N % N], special[i / N / N]);
    uint64_t seed = 5;
    for (int spread = 0; spread <= 60; spread += 10)
        for (int i = 0; i < 2000; ++i) {
            const real_t *const u = random_reals(6, &seed);
            real_t x[3];
            for (int j = 0; j < 3; ++j)
                x[j] = ldexp_r(
                    u[j], (int)(((real_t)0.5 - u[3 + j]) * (real_t)spread));
            check_svd_2x2(x[0], x[1], x[2]);
            release_pool();
        }
}
END_TEST

Suite *make_suite(void)
{
    Suite *s = suite_create("small");
    TCase *t = add_tcase(s, "ways");
    tcase_add_loop_test(t, ways_agree, 0, 2 * FAMILIES);
    tcase_add_loop_test(t, every_solver, 0, FAMILIES);
    tcase_add_test(t, halves_agree);
    tcase_add_test(t, tolerance_is_the_caller_s);
    tcase_add_test(t, rank_that_r_might_hide);
    tcase_add_test(t, not_finite);
    tcase_add_loop_test(t, columns_that_differ, 0, 6);
    tcase_add_test(t, zero_rows);
    tcase_add_loop_test(t, zero_column, 0, 12);
    tcase_add_loop_test(t, zero_column_of_x, 0, 12);
    tcase_add_loop_test(t, rows_that_differ, 0, 24);
    tcase_add_loop_test(t, last_row_next_to_nothing, 0, 3);
    tcase_add_loop_test(t, columns_beyond_squares, 0, 4);
    tcase_add_test(t, columns_far_apart);
    tcase_add_loop_test(t, sorted_values, 0, 9);
    t = add_tcase(s, "sweeps");
    tcase_add_test(t, progress_sees_each_sweep);
    tcase_add_loop_test(t, stopped, 0, 4);
    tcase_add_test(t, tolerance_of_cosines);
    tcase_add_loop_test(t, loose_cosines, 0, 8);
    t = add_tcase(s, "svd_2x2");
    tcase_add_test(t, svd_2x2_is_lapack_s);
    return s;
}
