/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* test_pairs_accuracy.c -- every generalized value to relative accuracy, and columns
 * of the pair to their own, against Jacobi in extended precision and beside LAPACK. */
#include <stdio.h>
#include <stdlib.h>

#include "harness/graded.h"
#include "harness/pair_batch.h"
#include "harness/wide.h"
#include "lapacke.h"

/* ---- pairs ----------------------------------------------------------------------- */

/* 10^u, u in [-most, most]; a third of that in single precision */
static double power(double most, uint64_t *seed)
{
    return pow(10,
               (GSVD_SINGLE ? most / 3 : most) * (2 * random_unit(seed) - 1));
}

typedef enum order { MIXED, FALLING, RISING } order_t;

static double size_of(double most, order_t order, int64_t i, int64_t n,
                      uint64_t *seed)
{
    const double u = n > 1 ? 1 - 2 * (double)i / (double)(n - 1) : 0;
    const double far = GSVD_SINGLE ? most / 3 : most;
    return order == MIXED ? power(most, seed)
                          : pow(10, order == FALLING ? far * u : -far * u);
}

static void grade_rows(mat_t A, double most, order_t order, uint64_t *seed)
{
    for (int64_t i = 0; i < A.rows && most > 0; ++i) {
        const double d = size_of(most, order, i, A.rows, seed);
        scale_row(A, i, d);
    }
}

static void grade_columns(mat_t A, double most, order_t order, uint64_t seed)
{
    for (int64_t j = 0; j < A.cols && most > 0; ++j) {
        const double d = size_of(most, order, j, A.cols, &seed);
        scale_column(A, j, d);
    }
}

/* A = D1 A0 D2, B = D3 B0 D4 with A0 and B0 of condition 10: decimal exponents up to which the
 * diagonals go; common: D2 = D4; diagonal_b: B0 = I */
typedef struct pairs {
    const char *name;
    double rows_a, rows_b, columns_a, columns_b;
    order_t order;
    int common, diagonal_b;
    int ea, eb;   /* exponents of A's and B's sizes                          */
    double bound; /* of relative errors, in max(n,10) eps                    */
} pairs_t;

static const pairs_t family[] = {
    {"random", 0, 0, 0, 0, MIXED, 0, 0, 0, 0, 50},
    {"B's columns 10^+-4", 0, 0, 0, 4, MIXED, 0, 0, 0, 0, 50},
    {"B's columns 10^+-8", 0, 0, 0, 8, MIXED, 0, 0, 0, 0, 50},
    {"B's columns 10^+-6, falling", 0, 0, 0, 6, FALLING, 0, 0, 0, 0, 50},
    {"A's columns 10^+-16", 0, 0, 16, 0, MIXED, 0, 0, 0, 0, 50},
    {"A's and B's columns 10^+-8", 0, 0, 8, 8, MIXED, 0, 0, 0, 0, 50},
    {"common columns 10^+-4", 0, 0, 4, 4, MIXED, 1, 0, 0, 0, 50},
    {"common columns 10^+-8", 0, 0, 8, 8, MIXED, 1, 0, 0, 0, 50},
    {"common columns 10^+-16", 0, 0, 16, 16, MIXED, 1, 0, 0, 0, 50},
    {"B's rows 10^+-8", 0, 8, 0, 0, MIXED, 0, 0, 0, 0, 50},
    {"B's rows 10^+-16", 0, 16, 0, 0, MIXED, 0, 0, 0, 0, 50},
    {"B's rows 10^+-16, rising", 0, 16, 0, 0, RISING, 0, 0, 0, 0, 50},
    {"A's rows 10^+-16", 16, 0, 0, 0, MIXED, 0, 0, 0, 0, 50},
    {"A's rows 10^+-16, falling", 16, 0, 0, 0, FALLING, 0, 0, 0, 0, 50},
    {"A's rows 10^+-16, rising", 16, 0, 0, 0, RISING, 0, 0, 0, 0, 50},
    {"A's and B's rows 10^+-16", 16, 16, 0, 0, MIXED, 0, 0, 0, 0, 50},
    {"rows and columns 10^+-4", 4, 4, 4, 4, MIXED, 0, 0, 0, 0, 50},
    {"B = D B0 D', each 10^+-2", 0, 2, 0, 2, MIXED, 0, 0, 0, 0, 90}, /* 1e-13 */
    {"B = D B0 D', each 10^+-6", 0, 6, 0, 6, MIXED, 0, 0, 0, 0, 50},
    {"B = D, 10^+-6", 0, 6, 0, 0, MIXED, 0, 1, 0, 0, 50},
    {"A against B 10^150", 0, 0, 0, 0, MIXED, 0, 0, 75, -75, 50},
    {"A against B 10^-150", 0, 0, 0, 0, MIXED, 0, 0, -75, 75, 50},
    {"both at 10^-300", 0, 0, 0, 0, MIXED, 0, 0, -300, -300, 50},
    {"both at 10^300", 0, 0, 0, 0, MIXED, 0, 0, 300, 300, 50},
};
enum { FAMILIES_OF_PAIRS = sizeof family / sizeof *family };

static void multiply(mat_t A, int exponent)
{
    const double factor =
        pow(10, GSVD_SINGLE ? exponent / 10.0 : (double)exponent);
    EACH_ENTRY (A, i, j)
        AT(A, i, j) = scale((real_t)factor, AT(A, i, j));
}

/* of condition 10 */
static mat_t well_conditioned(int64_t m, int64_t n, uint64_t *seed)
{
    return m >= n ? with_values(m, n, to_tenth, seed)
                  : adjoint(with_values(n, m, to_tenth, seed));
}

static sample_t pair_of_family(const pairs_t *f, int64_t m, int64_t n,
                               int64_t p, uint64_t seed)
{
    sample_t P = {.A = well_conditioned(m, n, &seed),
                  .B = well_conditioned(p, n, &seed)};
    if (f->diagonal_b) {
        fill(P.B, make(0, 0));
        for (int64_t j = 0; j < n; ++j)
            AT(P.B, j, j) = make(1, 0);
    }
    grade_rows(P.A, f->rows_a, f->order, &seed);
    grade_rows(P.B, f->rows_b, f->order, &seed);
    grade_columns(P.A, f->columns_a, f->order, seed);
    grade_columns(P.B, f->columns_b, f->order, f->common ? seed : seed + 1);
    multiply(P.A, f->ea);
    multiply(P.B, f->eb);
    return P;
}

/* ---- errors ------------------------------------------------------------------------ */

/* The worst relative error of alpha / beta, of which the first k are infinite */
static double worst_error(const wide_t *sigma, int64_t n, const real_t *alpha,
                          const real_t *beta)
{
    wide_t *const x = grab((size_t)n * sizeof *x);
    double worst = 0;
    for (int64_t j = 0; j < n; ++j)
        x[j] = beta[j] > 0 ? (wide_t)alpha[j] / (wide_t)beta[j] : INFINITY;
    qsort(x, (size_t)n, sizeof *x, wide_descending);
    for (int64_t j = 0; j < n; ++j) {
        const wide_t e = sigma[j] > 0 ? fabsl((x[j] - sigma[j]) / sigma[j])
                                      : (x[j] == 0 ? 0 : INFINITY);
        worst = !(e <= worst) ? (double)e : worst;
    }
    return worst;
}

/* A with entries changed by up to `change` of the largest one in their row */
static mat_t changed(mat_t A, double change, uint64_t *seed)
{
    const mat_t C = new_mat(A.rows, A.cols);
    for (int64_t i = 0; i < A.rows; ++i) {
        double size = 0;
        for (int64_t j = 0; j < A.cols; ++j)
            size = fmax(size, (double)abs_max(AT(A, i, j)));
        for (int64_t j = 0; j < A.cols; ++j) {
            const double x = size * change * (2 * random_unit(seed) - 1);
            const double y = size * change * (2 * random_unit(seed) - 1);
            AT(C, i, j) = add(AT(A, i, j), make((real_t)x, (real_t)y));
        }
    }
    return C;
}

/* What a pair does not determine: by how much of themselves values change where entries change
 * by eps of the largest in their row, found by changes of 1000 eps.  Of D1 A0 with more rows than
 * columns, far apart, the least value depends on the large rows of A0 alone, and that of
 * D1 A0 B0^-1 D3^-1 on leading blocks: these may be conditioned badly though A0 and B0 are not. */
static double undetermined(mat_t A, mat_t B, const wide_t *sigma)
{
    enum { TIMES = 4, CHANGE = 1000 };
    wide_t *const x = grab((size_t)A.cols * sizeof *x);
    double most = 0;
    uint64_t seed = 4;
    for (int t = 0; t < TIMES; ++t) {
        const mat_t A1 = changed(A, CHANGE * GSVD_EPS, &seed);
        const mat_t B1 = changed(B, CHANGE * GSVD_EPS, &seed);
        wide_values(new_mat(A.rows, 0), A1, B1, x);
        for (int64_t j = 0; j < A.cols; ++j)
            if (sigma[j] > 0)
                most = fmax(most, (double)fabsl(x[j] / sigma[j] - 1) / CHANGE);
    }
    return most;
}

/* n eps times the family's number; for an error beyond that, where a family has rows far apart, n times
 * what is undetermined, or 3 n where B's are, too */
static double bound_of(const pairs_t *f, mat_t A, mat_t B, const wide_t *sigma,
                       double error)
{
    const double n = (double)max_i(A.cols, 10);
    const double bound = f->bound * n * GSVD_EPS;
    if (error <= bound || f->rows_a < 16)
        return bound;
    return fmax(bound, (f->rows_b > 0 ? 3 : 1) * n * undetermined(A, B, sigma));
}

/* LAPACK's xGGSVP3 with tolerances 0 and xTGSJA */
static double error_of_lapack(mat_t A0, mat_t B0, const wide_t *sigma)
{
    const int m = (int)A0.rows, n = (int)A0.cols, p = (int)B0.rows;
    const mat_t A = copy_for_lapack(A0), B = copy_for_lapack(B0);
    const mat_t none = new_mat(1, 1);
    real_t *const alpha = grab((size_t)n * sizeof *alpha);
    real_t *const beta = grab((size_t)n * sizeof *beta);
    lapack_int k, l, cycles;
    const real_t tola = (real_t)max_i(m, n) * norm1(A0) * GSVD_ULP;
    const real_t tolb = (real_t)max_i(p, n) * norm1(B0) * GSVD_ULP;

    LAPACK(ggsvp3)
    (LAPACK_COL_MAJOR, 'N', 'N', 'N', m, p, n, A.data, (lapack_int)A.ld, B.data,
     (lapack_int)B.ld, 0, 0, &k, &l, none.data, 1, none.data, 1, none.data, 1);
    if (k + l != n)
        return INFINITY;
    if (LAPACK(tgsja)(LAPACK_COL_MAJOR, 'N', 'N', 'N', m, p, n, k, l, A.data,
                      (lapack_int)A.ld, B.data, (lapack_int)B.ld, tola, tolb,
                      alpha, beta, none.data, 1, none.data, 1, none.data, 1,
                      &cycles))
        return INFINITY;
    return worst_error(sigma, n, alpha, beta);
}

/* ---- values ------------------------------------------------------------------------ */

static const int size[][3] = {
    {2, 2, 2},    {3, 3, 3},    {4, 4, 4},    {5, 5, 5},     {24, 24, 24},
    {20, 30, 30}, {50, 40, 45}, {64, 64, 64}, {15, 12, 200}, {8, 8, 8},
    {16, 16, 16}, {20, 20, 20}, {6, 9, 11},   {30, 20, 25},  {12, 20, 32}};
enum { SHAPES = sizeof size / sizeof *size };

static void no_tolerances(void)
{
    ck_assert_ok(gsvd_set_option(handle, GSVD_TOL_A, 0));
    ck_assert_ok(gsvd_set_option(handle, GSVD_TOL_B, 0));
}

/* of this solver, with vectors and without */
static double error_of(int solver, mat_t A, mat_t B, const wide_t *sigma)
{
    double worst = 0;
    ck_assert_ok(gsvd_set_option(handle, GSVD_SOLVER, solver));
    for (int vectors = 0; vectors < 2; ++vectors) {
        const result_t r = vectors ? decompose(HOST, 'U', 'V', 'Q', A, B)
                                   : decompose(HOST, 'N', 'N', 'N', A, B);
        ck_assert_ok(r.status);
        const gsvd_stats_t stats = stats_of_call();
        if (solver == GSVD_SOLVER_TANGENT)
            ck_assert_int_eq((int)stats.solver, solver);
        worst = fmax(worst, worst_error(sigma, A.cols, r.alpha, r.beta));
    }
    return worst;
}

/* The matrix by another order of rows */
static mat_t shuffled(mat_t A, uint64_t *seed)
{
    const int64_t *const place = random_order(A.rows, seed);
    const mat_t B = copy_mat(A);
    EACH_ENTRY (A, i, j)
        AT(B, place[i], j) = AT(A, i, j);
    return B;
}

/* The root of the mean square of errors by some orders of rows: values do not depend on that order, but
 * rounding does (docs/design.md, "What rows far apart leave undetermined"). */
static double error_by_orders(int solver, mat_t A, mat_t B, const wide_t *sigma)
{
    enum { ORDERS = 8 };
    uint64_t seed = 5;
    double squares = 0;
    for (int i = 0; i < ORDERS; ++i) {
        const double e =
            error_of(solver, shuffled(A, &seed), shuffled(B, &seed), sigma);
        squares += e * e / ORDERS;
    }
    return sqrt(squares);
}

/* TANGENT and AUTO within the bound; CSD and LAPACK beside them, the worst of all shapes */
START_TEST(values)
{
    const pairs_t *const f = &family[_i];
    double worst[SOLVERS] = {0}, lapack = 0, part = 0;
    no_tolerances();
    for (int s = 0; s < SHAPES; ++s) {
        const int64_t m = size[s][0], n = size[s][1], p = size[s][2];
        if (too_large(m, n, p) || (f->diagonal_b && p != n))
            continue;
        wide_t *const sigma = grab((size_t)n * sizeof *sigma);
        const sample_t P = pair_of_family(f, m, n, p, 77 + (uint64_t)s);
        wide_values(new_mat(P.A.rows, 0), P.A, P.B, sigma);
        double bound = bound_of(f, P.A, P.B, sigma, 0);
        lapack = fmax(lapack, error_of_lapack(P.A, P.B, sigma));
        for (int solver = 0; solver < SOLVERS; ++solver) {
            if (solver == GSVD_SOLVER_TGSJA)
                continue; /* with tolerances of 0 it never converges          */
            double e = error_of(solver, P.A, P.B, sigma);
            worst[solver] = fmax(worst[solver], e);
            if (solver == GSVD_SOLVER_CSD)
                continue;
            if (!(e <= bound))
                bound = bound_of(f, P.A, P.B, sigma, e);
            if (!(e <= bound) && f->rows_a >= 16)
                e = error_by_orders(solver, P.A, P.B, sigma);
            part = fmax(part, e / bound);
            ck_assert_msg(e <= bound, "%s, %ld x %ld, %ld: %s %.1e, not %.1e",
                          f->name, (long)m, (long)n, (long)p,
                          solver_name(solver), e, bound);
        }
        release_pool();
    }
    printf("%-30s AUTO %.1e, %.2f of the bound; CSD %.1e, LAPACK %.1e\n",
           f->name, worst[GSVD_SOLVER_AUTO], part, worst[GSVD_SOLVER_CSD],
           lapack);
    fflush(stdout);
}
END_TEST

/* More rows than columns, far apart: the solvers err by no more than the pair does not determine,
 * whichever rows that makes the important ones */
START_TEST(rows_of_tall)
{
    static const int tall[][3] = {{15, 12, 40}, {9, 5, 5},    {30, 8, 10},
                                  {14, 12, 12}, {24, 16, 20}, {6, 3, 4}};
    const pairs_t f = {.rows_a = 16, .bound = 5};
    double worst = 0, least = INFINITY, part = 0;
    no_tolerances();
    for (int i = 0; i < 60; ++i) {
        const int *const s = tall[i % 6];
        if (left_out(i, 6) || left_out_there(i, 6))
            continue;
        wide_t *const sigma = grab((size_t)s[1] * sizeof *sigma);
        const sample_t P =
            pair_of_family(&f, s[0], s[1], s[2], 4000 + (uint64_t)i);
        wide_values(new_mat(P.A.rows, 0), P.A, P.B, sigma);
        const double e = error_of(GSVD_SOLVER_TANGENT, P.A, P.B, sigma);
        const double bound = bound_of(&f, P.A, P.B, sigma, e);
        worst = fmax(worst, e);
        part = fmax(part, e / bound);
        least = fmin(least, bound);
        ck_assert_msg(e <= bound, "%d x %d, %d, pair %d: %.1e, not %.1e", s[0],
                      s[1], s[2], i, e, bound);
        release_pool();
    }
    printf("rows of tall pairs: %.1e, %.2f of the bound, %.1e at least\n",
           worst, part, least);
    fflush(stdout);
}
END_TEST

/* of a batch, with vectors and without */
static double error_of_batch(const sample_t *P, const wide_t *sigma)
{
    double worst = 0;
    for (int vectors = 0; vectors < 2; ++vectors) {
        const char job = vectors ? 'S' : 'N';
        const result_t *const r = decompose_batch(1, job, job, job, 0, P);
        ck_assert_int_eq(r->info, 0);
        worst = fmax(worst, worst_error(sigma, P->A.cols, r->alpha, r->beta));
    }
    return worst;
}

/* The solvers of batches within the same bounds, of pairs that it takes */
START_TEST(values_of_batch)
{
    const pairs_t *const f = &family[_i];
    double part = 0;
    no_tolerances();
    for (int s = 0; s < SHAPES; ++s) {
        const int64_t m = size[s][0], n = size[s][1], p = size[s][2];
        if (max_i(m, max_i(n, p)) > 32 || too_large(m, n, p) ||
            (f->diagonal_b && p != n))
            continue;
        wide_t *const sigma = grab((size_t)n * sizeof *sigma);
        const sample_t P = pair_of_family(f, m, n, p, 77 + (uint64_t)s);
        wide_values(new_mat(P.A.rows, 0), P.A, P.B, sigma);
        const double e = error_of_batch(&P, sigma);
        const double bound = bound_of(f, P.A, P.B, sigma, e);
        part = fmax(part, e / bound);
        ck_assert_msg(e <= bound, "%s, %ld x %ld, %ld: %.1e, not %.1e", f->name,
                      (long)m, (long)n, (long)p, e, bound);
        release_pool();
    }
    printf("%-30s batches %.2f of the bound\n", f->name, part);
    fflush(stdout);
}
END_TEST

/* Rows that differ by less than a thousand, A's, B's, or those of both: the least ones do not
 * have the errors of the largest. */
START_TEST(nearly_alike_rows_of_batch)
{
    static const int few[][3] = {{9, 5, 5}, {4, 4, 4}, {16, 11, 12}};
    const double most = GSVD_SINGLE ? 3 * 1.45 : 1.45;
    const double bound = 10 * 10 * GSVD_EPS;
    no_tolerances();
    for (int i = 0; i < 90; ++i) {
        const int *const s = few[i % 3];
        const int which = 1 + i / 3 % 3;
        const pairs_t f = {.rows_a = which & 1 ? most : 0,
                           .rows_b = which & 2 ? most : 0};
        wide_t *const sigma = grab((size_t)s[1] * sizeof *sigma);
        const sample_t P =
            pair_of_family(&f, s[0], s[1], s[2], 500 + (uint64_t)i);
        wide_values(new_mat(P.A.rows, 0), P.A, P.B, sigma);
        const double e = error_of_batch(&P, sigma);
        ck_assert_msg(e <= bound, "pair %d: %.1e, not %.1e", i, e, bound);
        release_pool();
    }
}
END_TEST

/* Over many pairs, its errors are those of the single routine: geometric means */
START_TEST(errors_of_batch)
{
    enum { PAIRS = 40 };
    static const int order[] = {2, 3, 4, 8};
    const pairs_t *const f = &family[_i];
    double log_batch = 0, log_single = 0;
    no_tolerances();
    for (int i = 0; i < PAIRS; ++i) {
        const int64_t n = order[i % 4];
        wide_t *const sigma = grab((size_t)n * sizeof *sigma);
        const sample_t P = pair_of_family(f, n, n, n, 1000 + (uint64_t)i);
        wide_values(new_mat(P.A.rows, 0), P.A, P.B, sigma);
        log_batch += log(fmax(error_of_batch(&P, sigma), GSVD_EPS)) / PAIRS;
        log_single += log(fmax(error_of(GSVD_SOLVER_TANGENT, P.A, P.B, sigma),
                               GSVD_EPS)) /
                      PAIRS;
        release_pool();
    }
    ck_assert_msg(log_batch < log_single + log(2), "%s: %.1e, not %.1e",
                  f->name, exp(log_batch), exp(log_single));
}
END_TEST

/* Rows of A over so many powers of two.  As far as squares of lengths can be told apart values have
 * their own last digits; beyond, the CS decomposition knows them against 1, and info of a batch says
 * so.  Alone and in a batch. */
START_TEST(values_far_apart)
{
    static const int order[] = {2, 4, 5, 17};
    static const int bits[2][4] = {{150, 350, 900, 1000}, {10, 30, 80, 120}};
    const int spread = bits[GSVD_SINGLE][_i % 4], relative = _i % 4 < 3;
    const int steps = _i < 4 ? 4 : 2; /* Rows have so many sizes.            */

    for (int i = 0; i < 40; ++i) { /* Of small ones some are worse.         */
        const int n = order[i % 4];
        if (n > 5 && i > 4)
            continue;
        uint64_t seed = 90 + (uint64_t)i;
        wide_t sigma[17];
        const sample_t P = {.A = well_conditioned(n, n, &seed),
                            .B = well_conditioned(n, n, &seed)};
        const double bound = 10 * (double)max_i(n, 10) * GSVD_EPS;

        for (int j = 0; j < n * n; ++j) {
            const int part = j % n * 3 % n * steps / n;
            scalar_t *const a = &AT(P.A, j % n, j / n);
            *a = scale(ldexp_r(1, -spread * part / (steps - 1)), *a);
        }
        wide_values(new_mat(n, 0), P.A, P.B, sigma);
        const result_t r = decompose(HOST, 'U', 'V', 'Q', P.A, P.B);
        const result_t *const x = decompose_batch(1, 'U', 'U', 'U', 0, &P);
        ck_assert_ok(r.status);
        ck_assert(x->info == 0 || (!relative && x->info == 1));
        ck_assert_ratios(P.A, P.B, &r, "values far apart");
        ck_assert_ratios(P.A, P.B, x, "values far apart, of a batch");
        for (int k = 0; k < n; ++k) {
            const double alpha = (double)(sigma[k] / hypotl(1, sigma[k]));
            ck_assert(fabs((double)r.alpha[k] - alpha) <= bound);
            ck_assert(fabs((double)x->alpha[k] - alpha) <= bound);
        }
        const double alone = error_of(GSVD_SOLVER_AUTO, P.A, P.B, sigma);
        const double many = x->info == 0 ? error_of_batch(&P, sigma) : 0;
        ck_assert_msg((!relative || alone <= bound) && many <= bound,
                      "order %d, 2^-%d: %.1e, of a batch %.1e, not %.1e", n,
                      spread, alone, many, bound);
        release_pool();
    }
}
END_TEST

/* A = U C X^H, B = V S X^H with X = D X0 of chosen condition: X0 of 10, D over so many decades,
 * and values over a factor of 100. */
static sample_t pair_of_values(int64_t m, int64_t n, int64_t p, double decades,
                               uint64_t *seed)
{
    const mat_t U = random_unitary(m, seed), V = random_unitary(p, seed);
    const mat_t X0 = well_conditioned(n, n, seed);
    mat_t C = zero_mat(m, n), S = zero_mat(p, n);

    for (int64_t j = 0; j < n; ++j) {
        const double sigma = power(1, seed);
        if (j < m)
            AT(C, j, j) = make((real_t)(sigma / hypot(1, sigma)), 0);
        AT(S, j, j) = make((real_t)(j < m ? 1 / hypot(1, sigma) : 1), 0);
    }
    const sample_t P = {.A = product('N', 'C', product('N', 'N', U, C), X0),
                        .B = product('N', 'C', product('N', 'N', V, S), X0)};
    const uint64_t same = *seed;
    grade_columns(P.A, decades / 2, MIXED, same);
    grade_columns(P.B, decades / 2, MIXED, same);
    return P;
}

/* Known values and a chosen X, cond(B) from 1e1 to 1e16 by scaling */
START_TEST(chosen_x)
{
    static const int of[][3] = {{2, 2, 2},    {3, 5, 5},    {10, 10, 12},
                                {24, 24, 24}, {20, 30, 30}, {50, 40, 45}};
    const double decades = (double[]){0, 1, 4, 8, 12, 16}[_i];
    double worst[SOLVERS] = {0}, lapack = 0, part = 0, condition = 0;
    no_tolerances();
    for (int i = 0; i < 6; ++i)
        for (uint64_t seed = 1; seed <= 5; ++seed) {
            const int64_t m = of[i][0], n = of[i][1], p = of[i][2];
            const double bound = 50 * (double)max_i(n, 10) * GSVD_EPS;
            uint64_t s = seed;
            if (too_large(m, n, p) || left_out((int)seed, 5))
                continue;
            wide_t *const sigma = grab((size_t)n * sizeof *sigma);
            const sample_t P = pair_of_values(m, n, p, decades, &s);
            const mat_t none = new_mat(0, n);
            wide_values(new_mat(P.A.rows, 0), P.A, P.B, sigma);
            condition = fmax(condition, stacked_condition(none, P.B, n));
            lapack = fmax(lapack, error_of_lapack(P.A, P.B, sigma));
            for (int solver = 0; solver < SOLVERS; ++solver) {
                if (solver == GSVD_SOLVER_TGSJA)
                    continue;
                const double e = error_of(solver, P.A, P.B, sigma);
                worst[solver] = fmax(worst[solver], e);
                if (solver == GSVD_SOLVER_CSD)
                    continue;
                part = fmax(part, e / bound);
                ck_assert_msg(e <= bound, "%ld x %ld, %ld: %s %.1e, not %.1e",
                              (long)m, (long)n, (long)p, solver_name(solver), e,
                              bound);
            }
            release_pool();
        }
    printf("X over 10^%-2g, cond(B) %.1e: TANGENT %.1e, %.2f of the bound; CSD "
           "%.1e, LAPACK %.1e\n",
           GSVD_SINGLE ? decades / 3 : decades, condition,
           worst[GSVD_SOLVER_TANGENT], part, worst[GSVD_SOLVER_CSD], lapack);
    fflush(stdout);
}
END_TEST

/* ---- columns ------------------------------------------------------------------------- */

/* of A and of B, both n x n with ranks n */
static double errors_of(const sample_t *P, const result_t *r, mat_t T)
{
    ck_assert_int_eq(r->k, 0);
    ck_assert_int_eq(r->l, P->A.cols);
    return fmax(column_error(P->A, r->U, r->alpha, 0, r->l, T, r->Q, NULL),
                column_error(P->B, r->V, r->beta, 0, r->l, T, r->Q, NULL));
}

static double columns_of_lapack(const sample_t *P)
{
    const lapack_int n = (lapack_int)P->A.cols;
    result_t r = {.A = copy_for_lapack(P->A), .B = copy_for_lapack(P->B)};
    lapack_int k, l, cycles;
    const real_t tola = (real_t)n * norm1(P->A) * GSVD_ULP;
    const real_t tolb = (real_t)n * norm1(P->B) * GSVD_ULP;

    r.U = copy_for_lapack(P->A);
    r.V = copy_for_lapack(P->A);
    r.Q = copy_for_lapack(P->A);
    r.alpha = grab((size_t)n * sizeof *r.alpha);
    r.beta = grab((size_t)n * sizeof *r.beta);
    LAPACK(ggsvp3)
    (LAPACK_COL_MAJOR, 'U', 'V', 'Q', n, n, n, r.A.data, (lapack_int)r.A.ld,
     r.B.data, (lapack_int)r.B.ld, 0, 0, &k, &l, r.U.data, (lapack_int)r.U.ld,
     r.V.data, (lapack_int)r.V.ld, r.Q.data, (lapack_int)r.Q.ld);
    if (LAPACK(tgsja)(LAPACK_COL_MAJOR, 'U', 'V', 'Q', n, n, n, k, l, r.A.data,
                      (lapack_int)r.A.ld, r.B.data, (lapack_int)r.B.ld, tola,
                      tolb, r.alpha, r.beta, r.U.data, (lapack_int)r.U.ld,
                      r.V.data, (lapack_int)r.V.ld, r.Q.data,
                      (lapack_int)r.Q.ld, &cycles))
        return INFINITY;
    r.k = k;
    r.l = l;
    return errors_of(P, &r, r.A);
}

static int ascending(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

enum { MANY = 200 };

/* Columns of a common scale: X^H keeps each to 100 eps, and R Q^H to what QR without pivots
 * grows by, a modest multiple of n eps, mostly. */
START_TEST(columns)
{
    static const double most[] = {0, 4, 8, 12, 16};
    static const int order[] = {2, 3, 4, 5, 10, 20};
    const double e = most[_i];
    no_tolerances();
    for (size_t i = 0; i < sizeof order / sizeof *order; ++i) {
        const int64_t n = order[i];
        const pairs_t f = {.columns_a = e, .columns_b = e, .common = 1};
        double x[MANY], r[MANY], lapack[MANY], batch[MANY];
        int count = 0, batches = 0;
        for (int which = 0; which < MANY; ++which) {
            if (left_out(which, 40) || left_out_there(which, 8))
                continue;
            const sample_t P =
                pair_of_family(&f, n, n, n, 1000 * i + (uint64_t)which);
            ck_assert_ok(gsvd_set_option(handle, GSVD_FORM, GSVD_FORM_X));
            const result_t s = decompose(HOST, 'U', 'V', 'Q', P.A, P.B);
            x[count] = errors_of(&P, &s, mat_view(NULL, n, n, n));
            ck_assert_ok(gsvd_set_option(handle, GSVD_FORM, GSVD_FORM_LAPACK));
            const result_t t = decompose(HOST, 'U', 'V', 'Q', P.A, P.B);
            r[count] = errors_of(&P, &t, get_R(&t));
            lapack[count++] = columns_of_lapack(&P);
            if (which % 4 == 0) {
                const result_t *const b =
                    decompose_batch(1, 'U', 'U', 'U', 0, &P);
                batch[batches++] = errors_of(&P, b, get_R(b));
            }
            release_pool();
        }
        qsort(x, (size_t)count, sizeof *x, ascending);
        qsort(r, (size_t)count, sizeof *r, ascending);
        qsort(lapack, (size_t)count, sizeof *lapack, ascending);
        qsort(batch, (size_t)batches, sizeof *batch, ascending);
        const int mid = count / 2, last = count - 1;
        printf("columns 10^+-%-2g n %2ld: X %.1e %.1e, R %.1e %.1e, LAPACK's R "
               "%.1e %.1e, a batch's R %.1e (median, worst)\n",
               GSVD_SINGLE ? e / 3 : e, (long)n, x[mid], x[last], r[mid],
               r[last], lapack[mid], lapack[last], batch[batches / 2]);
        fflush(stdout);
        ck_assert_msg(x[last] <= 100 * GSVD_EPS, "n %ld, X: %.1e", (long)n,
                      x[last]);
        ck_assert_msg(r[mid] <= 20 * (double)n * GSVD_EPS, "R: %.1e", r[mid]);
        ck_assert_msg(batch[batches / 2] <=
                          (batches < 10 ? 40 : 20) * (double)n * GSVD_EPS,
                      "a batch's R: %.1e", batch[batches / 2]);
    }
}
END_TEST

/* Columns of A and of B with scales of their own: X^H keeps each to 100 eps. */
START_TEST(columns_of_each)
{
    static const double most[][2] = {{4, 2},  {8, 0},  {0, 8},
                                     {16, 8}, {8, 16}, {12, 12}};
    static const int of[][3] = {{2, 2, 2},    {3, 3, 3},    {4, 4, 4},
                                {4, 4, 9},    {5, 5, 5},    {3, 7, 7},
                                {30, 20, 25}, {20, 30, 30}, {40, 40, 40}};
    enum { OF = sizeof of / sizeof *of };
    double worst = 0;
    no_tolerances();
    ck_assert_ok(gsvd_set_option(handle, GSVD_FORM, GSVD_FORM_X));
    for (int i = 0; i < 10 * OF; ++i) {
        const int *const s = of[i % OF];
        const pairs_t f = {.columns_a = most[_i][0], .columns_b = most[_i][1]};
        if (left_out(i, OF + 1) || left_out_there(i, OF + 1))
            continue;
        const sample_t P =
            pair_of_family(&f, s[0], s[1], s[2], 6000 + (uint64_t)i);
        const result_t r = decompose(HOST, 'U', 'V', 'Q', P.A, P.B);
        ck_assert_ok(r.status);
        const double e = errors_of(&P, &r, mat_view(NULL, s[1], s[1], s[1]));
        ck_assert_msg(e <= 100 * GSVD_EPS, "%d x %d, %d, pair %d: %.1e", s[0],
                      s[1], s[2], i, e);
        worst = fmax(worst, e);
        release_pool();
    }
    printf("columns of A 10^+-%-2g, of B 10^+-%-2g: X %.1e\n", most[_i][0],
           most[_i][1], worst);
    fflush(stdout);
}
END_TEST

/* A's zero columns are zeros in U C X^H, whatever B's columns there are. */
START_TEST(zero_columns)
{
    static const int of[][3] = {{1, 2, 2},    {3, 3, 3},    {4, 4, 4},
                                {4, 4, 9},    {5, 5, 5},    {3, 7, 7},
                                {30, 20, 25}, {20, 30, 30}, {80, 80, 90}};
    enum { OF = sizeof of / sizeof *of };
    const pairs_t f = {.rows_a = _i / 2 % 2 * 2, .columns_b = _i % 2 * 8};
    no_tolerances();
    ck_assert_ok(gsvd_set_option(handle, GSVD_FORM, GSVD_FORM_X));
    for (int i = 0; i < 4 * OF; ++i) {
        const int *const s = of[i % OF];
        if (too_large(s[0], s[1], s[2]) || left_out(i, OF + 1) ||
            left_out_there(i, OF + 1))
            continue;
        const sample_t P =
            pair_of_family(&f, s[0], s[1], s[2], 7000 + (uint64_t)i);
        for (int64_t j = i % 2; j < s[1]; j += 2 + i % 3)
            scale_column(P.A, j, 0);
        const result_t r = decompose(HOST, 'U', 'V', 'Q', P.A, P.B);
        ck_assert_ok(r.status);
        const double e = errors_of(&P, &r, mat_view(NULL, s[1], s[1], s[1]));
        ck_assert_msg(e <= 100 * GSVD_EPS, "%d x %d, %d, pair %d: %.1e", s[0],
                      s[1], s[2], i, e); /* infinite where a zero is none    */
        release_pool();
    }
}
END_TEST

/* One matrix has entries next to 1, the other one is of second differences: the largest entries are
 * alike, and the norms as n : 2.  Both residuals are small against their own norm. */
START_TEST(norms_of_alike_entries)
{
    static const int64_t order[] = {128, 160, 200, 230, 256};
    const int64_t n = order[_i / 2];
    if (too_large(n, n, n))
        return;
    uint64_t seed = 980 + (uint64_t)_i;
    const mat_t full = random_mat(n, n, &seed), sparse = zero_mat(n, n);
    EACH_ENTRY (full, i, j) {
        AT(full, i, j) = add(make(1, 0), scale((real_t)0.2, AT(full, i, j)));
        AT(sparse, i, j) = make((real_t)(i == j                     ? 1
                                         : i - j == 1 || j - i == 1 ? -0.5
                                                                    : 0),
                                0);
    }
    const mat_t A = _i % 2 ? sparse : full, B = _i % 2 ? full : sparse;
    no_tolerances(); /* B may be next to singular.                           */
    for (int solver = 0; solver < SOLVERS; ++solver) {
        if (solver == GSVD_SOLVER_TGSJA)
            continue; /* its rotations are slow                              */
        ck_assert_ok(gsvd_set_option(handle, GSVD_SOLVER, solver));
        const result_t r = decompose(HOST, 'U', 'V', 'Q', A, B);
        ck_assert_ok(r.status);
        const double a = residual_A(A, &r, GSVD_FORM_LAPACK),
                     b = residual_B(B, &r, GSVD_FORM_LAPACK);
        printf("%ld, %s: %.2f %.2f\n", (long)n, solver_name(solver), a, b);
        ck_assert_msg(fmax(a, b) <= 5, "%ld, %s: A %.1f, B %.1f", (long)n,
                      solver_name(solver), a, b);
    }
    fflush(stdout);
}
END_TEST

/* Pairs of 3 to 20 columns of a common scale, as many as argv[2] says: X^H keeps each column
 * to 100 eps.  R Q^H and LAPACK's stand beside it. */
static int64_t pairs_of_small_orders = 600;

START_TEST(small_orders)
{
    static const double most[] = {4, 8, 12, 16};
    double x = 0, r = 0, lapack = 0, normwise = 0;
    int64_t above = 0, lapack_above = 0;
    uint64_t seed = 4711;
    no_tolerances();
    for (int64_t i = 0; i < pairs_of_small_orders; ++i) {
        const double e = most[i % 4];
        const int64_t n = 3 + random_below(&seed, 18);
        const pairs_t f = {.columns_a = e, .columns_b = e, .common = 1};
        const sample_t P = pair_of_family(&f, n, n, n, random_bits(&seed));
        if (left_out((int)i, 20) || left_out_there((int)i, 5))
            continue;
        ck_assert_ok(gsvd_set_option(handle, GSVD_FORM, GSVD_FORM_X));
        const result_t s = decompose(HOST, 'U', 'V', 'Q', P.A, P.B);
        const double of_x = errors_of(&P, &s, mat_view(NULL, n, n, n));
        ck_assert_msg(of_x <= 100 * GSVD_EPS, "pair %ld, n %ld: X %.1e",
                      (long)i, (long)n, of_x);
        ck_assert_ok(gsvd_set_option(handle, GSVD_FORM, GSVD_FORM_LAPACK));
        const result_t t = decompose(HOST, 'U', 'V', 'Q', P.A, P.B);
        const double of_r = errors_of(&P, &t, get_R(&t));
        const double of_lapack = columns_of_lapack(&P);
        ck_assert_ratios(P.A, P.B, &t, "LAPACK's form");
        const ratios_t ratios = six_ratios(P.A, P.B, &t);
        for (int k = 0; k < 5; ++k)
            normwise = fmax(normwise, ratios.r[k]);
        x = fmax(x, of_x);
        r = fmax(r, of_r);
        lapack = !(of_lapack <= lapack) ? of_lapack : lapack;
        above += of_r > 100 * (double)n * GSVD_EPS;
        lapack_above += !(of_lapack <= 100 * (double)n * GSVD_EPS);
        release_pool();
    }
    printf(
        "%ld pairs of 3 to 20 columns, 10^+-4 to 10^+-16: X %.1e; R %.1e, %ld "
        "above 100 n eps, ratios %.2f; LAPACK's R %.1e, %ld above\n",
        (long)pairs_of_small_orders, x, r, (long)above, normwise, lapack,
        (long)lapack_above);
    fflush(stdout);
    ck_assert_int_le(above, lapack_above);
}
END_TEST

/* Sums of equal numbers err all one way: U, V and Q are unitary all the same, by entries, or
 * nearly so, as random vectors see it.  B has full column rank, or fewer rows. */
START_TEST(unitary_where_numbers_are_equal)
{
    static const double sine[][2] = {{0, 1}, {0, 0.99}, {0.3, 1},
                                     {1, 1}, {-1, 1},   {1, 0.99}};
    static const int shape_of[][3] = {
        {300, 200, 200}, {200, 200, 200}, {100, 160, 200}, {120, 60, 90},
        {90, 100, 100},  {500, 40, 300},  {300, 200, 10},  {200, 300, 1},
        {400, 200, 40},  {20, 300, 30}};
    const int64_t m = shape_of[_i / 6][0], n = shape_of[_i / 6][1],
                  p = shape_of[_i / 6][2];
    uint64_t seed = 961;
    if (too_large(max_i(m, p), n, 0))
        return;
    const mat_t A = of_equal_numbers(sine[_i % 6][0], m, n, &seed);
    const mat_t B = of_equal_numbers(sine[_i % 6][1], p, n, &seed);
    const mat_t U = new_mat(m, m), V = new_mat(p, p), Q = new_mat(n, n);
    real_t *const alpha = grab((size_t)(2 * n) * sizeof *alpha);
    int64_t k, l;
    int info;
    const gsvd_status_t status = GSVD_ENTRY(
        handle, 'U', 'V', 'Q', m, n, p, &k, &l, A.data, A.ld, B.data, B.ld,
        alpha, alpha + n, U.data, U.ld, V.data, V.ld, Q.data, Q.ld, &info);
    /* Kahan's rows, sine^i long, may be beyond the range. */
    const double least = pow(fmax(sine[_i % 6][0], 0), (double)min_i(m, n));
    ck_assert(status == GSVD_SUCCESS ||
              (status == GSVD_NOT_CONVERGED && least > 0 &&
               least < (double)GSVD_SAFMIN / GSVD_ULP));
    const double of_u = largest_defect(U), of_v = largest_defect(V),
                 of_q = largest_defect(Q),
                 bound = may_drift(max_i(max_i(m, n), p));
    ck_assert_msg(fmax(fmax(of_u, of_v), of_q) <= bound,
                  "%d x %d x %d, %g, %g: U %.0f, V %.0f, Q %.0f eps, %.0f "
                  "allowed",
                  (int)m, (int)n, (int)p, sine[_i % 6][0], sine[_i % 6][1],
                  of_u, of_v, of_q, bound);
}
END_TEST

/* V, which more passes and steps than two have turned, is made unitary once more: 3 to 4 eps are left
 * of 15 and more. */
START_TEST(v_of_many_turns)
{
    enum { N = 127 };
    uint64_t seed = 970 + (uint64_t)_i;
    const pairs_t graded = {"", 0, 0, 8, 0, MIXED, 0, 0, 0, 0, 0};
    const sample_t P = pair_of_family(&graded, N, N, N, seed);
    if (too_large(N, N, N))
        return;
    const result_t r = decompose(HOST, 'U', 'V', 'Q', P.A, P.B);
    ck_assert_ok(r.status);
    const gsvd_stats_t stats = stats_of_call();
    const double off = largest_defect(r.V);
    ck_assert_msg(stats.sweeps <= 2 || off <= sqrt(N), "%d turns, %.0f eps",
                  (int)stats.sweeps, off);
}
END_TEST

/* test_pairs_accuracy_<letter> cpu [pairs]: then so many small ones alone */
Suite *make_suite(void)
{
    Suite *s = suite_create("pairs_accuracy");
    TCase *t = add_tcase(s, "small orders");
    tcase_add_test(t, small_orders);
    if (arguments > 2) {
        pairs_of_small_orders = strtoll(argument[2], NULL, 10);
        return s;
    }
    t = add_tcase(s, "values");
    tcase_add_loop_test(t, values, 0, FAMILIES_OF_PAIRS);
    tcase_add_test(t, rows_of_tall);
    tcase_add_loop_test(t, values_of_batch, 0, FAMILIES_OF_PAIRS);
    tcase_add_loop_test(t, errors_of_batch, 0, FAMILIES_OF_PAIRS);
    tcase_add_test(t, nearly_alike_rows_of_batch);
    tcase_add_loop_test(t, values_far_apart, 0, 8);
    tcase_add_loop_test(t, chosen_x, 0, 6);
    t = add_tcase(s, "equal numbers");
    tcase_add_loop_test(t, v_of_many_turns, 0, 3);
    add_shared_loop_test(t, unitary_where_numbers_are_equal, 0, 60, 2);
    t = add_tcase(s, "columns");
    tcase_add_loop_test(t, columns, 0, 5);
    tcase_add_loop_test(t, columns_of_each, 0, 6);
    tcase_add_loop_test(t, zero_columns, 0, 4);
    t = add_tcase(s, "norms");
    tcase_add_loop_test(t, norms_of_alike_entries, 0, 10);
    return s;
}
