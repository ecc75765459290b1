/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* test_filter.c -- filtered solutions beside dense least squares in extended precision, and the
 * choice of lambda beside that of fine grids. */
#include <stdio.h>

#include "gsvd_filter.h"
#include "harness/graded.h"
#include "harness/harness.h"
#include "harness/wide.h"

/* ---- integral equations, by the midpoint rule -------------------------------------- */

static const double pi = 3.14159265358979323846;

static double deriv2(double s, double t)
{
    return s < t ? s * (t - 1) : t * (s - 1);
}
static double deriv2_f(double t) { return t; }

static double phi(double x) { return fabs(x) < 3 ? 1 + cos(pi * x / 3) : 0; }
static double phillips(double s, double t) { return phi(s - t); }

static double shaw(double s, double t)
{
    const double u = pi * (sin(s) + sin(t)), c = cos(s) + cos(t);
    const double q = fabs(u) > 1e-8 ? sin(u) / u : 1;
    return c * c * q * q;
}
static double shaw_f(double t)
{
    return 2 * exp(-6 * pow(t - 0.8, 2)) + exp(-2 * pow(t + 0.5, 2));
}

static double heat(double s, double t)
{
    const double x = s - t;
    return x > 0 ? exp(-1 / (4 * x)) / (2 * sqrt(pi) * x * sqrt(x)) : 0;
}
static double heat_f(double t) { return 16 * pow(t * (1 - t), 2) * (1 + t); }

static const struct {
    const char *name;
    double (*kernel)(double s, double t), (*f)(double t);
    double from, to;
} equation[] = {{"deriv2", deriv2, deriv2_f, 0, 1},
                {"phillips", phillips, phi, -6, 6},
                {"shaw", shaw, shaw_f, -1.57079632679, 1.57079632679},
                {"heat", heat, heat_f, 0, 1}};
enum { EQUATIONS_ = sizeof equation / sizeof *equation, RHS = 2 };

/* What L is: a derivative of this order, or the first one with a row of zeros */
enum { ORDERS = 4 };

typedef struct equations {
    mat_t A, L, B; /* B has RHS columns                                      */
    int64_t m, n, p, r;
    real_t *alpha, *beta;
    mat_t U, Y, C;
    real_t rest[RHS];
} equations_t;

/* The equation in m points s and n points t, with noise in B; in complex letters with phases */
static equations_t make_equations(int which, int order, int64_t m, int64_t n,
                                  double noise, uint64_t seed)
{
    const double from = equation[which].from, to = equation[which].to;
    const double h = (to - from) / (double)n, k = (to - from) / (double)m;
    const int64_t p = order == 3 ? n : n - order;
    equations_t e = {.A = new_mat(m, n),
                     .L = new_mat(p, n),
                     .B = new_mat(m, RHS),
                     .m = m,
                     .n = n,
                     .p = p};
    const mat_t x = new_mat(n, 1), row = normal_mat(m, 1, &seed);
    const mat_t of_noise = normal_mat(m, RHS, &seed);

    for (int64_t j = 0; j < n; ++j)
        AT(x, j, 0) =
            make((real_t)equation[which].f(from + ((double)j + 0.5) * h), 0);
    EACH_ENTRY (e.A, i, j)
        AT(e.A, i, j) = scale(
            (real_t)(h * equation[which].kernel(from + ((double)i + 0.9) * k,
                                                from + ((double)j + 0.5) * h)),
            direction(AT(row, i, 0)));
    EACH_ENTRY (e.L, i, j) {
        const int64_t d = j - i;
        double v = order == 0 ? d == 0 : 0;
        if (order == 1 || (order == 3 && i < n - 1))
            v = d == 0 ? -1 : d == 1;
        if (order == 2)
            v = d == 1 ? -2 : d == 0 || d == 2;
        AT(e.L, i, j) = make((real_t)v, 0);
    }
    const mat_t b = product('N', 'N', e.A, x);
    const real_t size = norm1(b) / (real_t)m;
    EACH_ENTRY (e.B, i, j)
        AT(e.B, i, j) = add(scale((real_t)(j + 1), AT(b, i, 0)),
                            scale((real_t)noise * size, AT(of_noise, i, j)));
    return e;
}

static void decompose_and_expand(equations_t *e)
{
    ck_assert_ok(gsvd_set_option(handle, GSVD_FORM, GSVD_FORM_XINV));
    const result_t r = decompose(HOST, 'S', 'N', 'S', e->A, e->L);
    ck_assert_ok(r.status);
    e->r = r.k + r.l;
    e->alpha = r.alpha;
    e->beta = r.beta;
    e->U = r.U;
    e->Y = r.Q;
    e->C = new_mat(e->r, RHS);
    const mat_t B = copy_mat(e->B);
    ck_assert_ok(X(picard)(handle, e->m, e->r, RHS, e->U.data, e->U.ld, B.data,
                           B.ld, e->C.data, e->C.ld, e->rest));
}

/* ---- dense least squares in extended precision ---------------------------------------- */

typedef wide_complex_t *column_t;

/* x := argmin |M x - y| of a rows x n matrix of full column rank, by Gram and Schmidt, twice;
 * M is lost. */
static void wide_least_squares(int64_t rows, int64_t n, column_t M,
                               const wide_complex_t *y, column_t x)
{
    column_t R = grab((size_t)(n * n) * sizeof *R);
    column_t left = grab((size_t)rows * sizeof *left);

    memset(R, 0, (size_t)(n * n) * sizeof *R);
    for (int64_t j = 0; j < n; ++j) {
        for (int pass = 0; pass < 2; ++pass)
            for (int64_t i = 0; i < j; ++i) {
                const wide_complex_t c =
                    wide_inner(rows, M + rows * i, M + rows * j);
                R[i + n * j] += c;
                for (int64_t k = 0; k < rows; ++k)
                    M[k + rows * j] -= wide_times(c, M[k + rows * i]);
            }
        const wide_t d = wide_length(rows, M + rows * j);
        R[j + n * j] = d;
        for (int64_t k = 0; k < rows; ++k)
            M[k + rows * j] /= d;
    }
    memcpy(left, y, (size_t)rows * sizeof *left);
    for (int64_t j = 0; j < n; ++j) {
        x[j] = wide_inner(rows, M + rows * j, left);
        for (int64_t k = 0; k < rows; ++k)
            left[k] -= wide_times(x[j], M[k + rows * j]);
    }
    for (int64_t j = n - 1; j >= 0; --j) {
        x[j] /= R[j + n * j];
        for (int64_t i = 0; i < j; ++i)
            x[i] -= wide_times(R[i + n * j], x[j]);
    }
}

static wide_t norm_of_product(mat_t M, const wide_complex_t *x,
                              const scalar_t *b)
{
    column_t y = grab((size_t)max_i(M.rows, 1) * sizeof *y);
    for (int64_t i = 0; i < M.rows; ++i)
        y[i] = b ? -widen(b[i]) : 0;
    EACH_ENTRY (M, i, j)
        y[i] += wide_times(widen(AT(M, i, j)), x[j]);
    return wide_length(M.rows, y);
}

/* (A; lambda L) */
static column_t stacked(const equations_t *e, wide_t lambda)
{
    const int64_t rows = e->m + e->p;
    column_t M = grab((size_t)(rows * e->n) * sizeof *M);

    for (int64_t j = 0; j < e->n; ++j)
        for (int64_t i = 0; i < rows; ++i)
            M[i + rows * j] = i < e->m ? widen(AT(e->A, i, j))
                                       : lambda * widen(AT(e->L, i - e->m, j));
    return M;
}

/* The solution of (A; lambda L) x = (b; 0) */
static column_t dense_solution(const equations_t *e, int64_t rhs, wide_t lambda)
{
    const int64_t rows = e->m + e->p, n = e->n;
    column_t y = grab((size_t)rows * sizeof *y);
    column_t x = grab((size_t)n * sizeof *x);

    for (int64_t i = 0; i < rows; ++i)
        y[i] = i < e->m ? widen(AT(e->B, i, rhs)) : 0;
    wide_least_squares(rows, n, stacked(e, lambda), y, x);
    return x;
}

/* Its condition.  xGESDD is not asked: zgemv of OpenBLAS 0.3.21 reads beyond its matrix. */
static double condition_of(const equations_t *e, double lambda)
{
    const int64_t rows = e->m + e->p;
    column_t M = stacked(e, lambda);
    wide_t most = 0, least = INFINITY;

    ck_assert(wide_jacobi(rows, e->n, M, NULL));
    for (int64_t j = 0; j < e->n; ++j) {
        const wide_t length = wide_length(rows, M + rows * j);
        most = fmaxl(most, length);
        least = fminl(least, length);
    }
    return (double)(most / least);
}

/* |x e_j - y| / |y| */
static double relative_distance(mat_t x, int64_t j, const wide_complex_t *y)
{
    wide_t away = 0;
    for (int64_t i = 0; i < x.rows; ++i)
        away += wide_square(widen(AT(x, i, j)) - y[i]);
    return (double)(sqrtl(away) / wide_length(x.rows, y));
}

static void see(double *worst, double x)
{
    *worst = !(x <= *worst) ? x : *worst;
}

/* ---- solutions ------------------------------------------------------------------- */

/* Perturbation of a least squares problem: its solution by n eps (cond + cond^2 |residual| /
 * (|(A; lambda L)| |x|)), A x and L x likewise */
START_TEST(solutions)
{
    enum { COUNT = 5 };
    static const int64_t sizes[][2] = {{24, 24}, {40, 20}, {19, 26}};
    const int which = _i / ORDERS, order = _i % ORDERS;
    double of_x = 0, of_a = 0, of_l = 0;

    for (int c = 0; c < 3; ++c) {
        const int64_t m = sizes[c][0], n = sizes[c][1];
        equations_t e =
            make_equations(which, order, m, n, 0.01, 1 + (uint64_t)c);
        decompose_and_expand(&e);
        ck_assert_int_eq(e.r, n);
        const mat_t x = new_mat(n, COUNT * RHS);
        real_t lambda[COUNT], residual[COUNT * RHS], seminorm[COUNT * RHS];
        for (int i = 0; i < COUNT; ++i)
            lambda[i] = (real_t)pow(10, i - 3);
        ck_assert_ok(X(filter)(handle, GSVD_FILTER_TIKHONOV, n, e.r, RHS, COUNT,
                               e.alpha, e.beta, e.C.data, e.C.ld, e.rest,
                               lambda, residual, seminorm, e.Y.data, e.Y.ld,
                               x.data, x.ld));
        for (int j = 0; j < COUNT * RHS; ++j) {
            const scalar_t *const b = &AT(e.B, 0, j / COUNT);
            const double l = (double)lambda[j % COUNT];
            const column_t y = dense_solution(&e, j / COUNT, l);
            const wide_t a = norm_of_product(e.A, y, b);
            const wide_t s = norm_of_product(e.L, y, NULL);
            const double cond = condition_of(&e, l);
            const wide_t size = wide_length(n, y);
            const double big = fmax(longest(e.A), l * longest(e.L));
            const double all = (double)hypotl(a, l * s);
            const double bound = (double)n * GSVD_EPS * cond *
                                 (1 + cond * all / (big * (double)size));
            const wide_t of_b =
                wide_length(m, widened(mat_cols(e.B, j / COUNT, 1)));
            see(&of_x, relative_distance(x, j, y) / bound);
            see(&of_a, (double)(fabsl(a - (wide_t)residual[j]) / of_b) /
                           ((double)n * GSVD_EPS * cond));
            see(&of_l, (double)(fabsl(s - (wide_t)seminorm[j]) /
                                fmaxl(s, size * (wide_t)longest(e.L))) /
                           bound);
        }
        release_pool();
    }
    printf("%-8s L of order %d: x %.2f, residual %.2f, seminorm %.2f\n",
           equation[which].name, order, of_x, of_a, of_l);
    ck_assert_ratio(of_x);
    ck_assert_ratio(of_a);
    ck_assert_ratio(of_l);
}
END_TEST

/* lambda = 0: least squares.  INFINITY: what L does not see, exactly. */
START_TEST(ends)
{
    for (int order = 0; order < ORDERS; ++order) {
        const real_t lambda[] = {0, (real_t)INFINITY};
        equations_t e = make_equations(1, order, 20, 12, 0.1, 3);
        real_t residual[2 * RHS], seminorm[2 * RHS];
        decompose_and_expand(&e);
        const mat_t x = new_mat(e.n, 2 * RHS);
        for (int f = 0; f <= GSVD_FILTER_DAMPED; ++f) {
            ck_assert_ok(X(filter)(handle, (gsvd_filter_t)f, e.n, e.r, RHS, 2,
                                   e.alpha, e.beta, e.C.data, e.C.ld, e.rest,
                                   lambda, residual, seminorm, e.Y.data, e.Y.ld,
                                   x.data, x.ld));
            for (int j = 0; j < RHS; ++j) {
                const column_t y = dense_solution(&e, j, 0);
                const double cond = condition_of(&e, 0);
                ck_assert_ratio(relative_distance(x, 2 * j, y) /
                                ((double)e.n * GSVD_EPS * cond * cond));
                ck_assert(residual[2 * j] == e.rest[j]);
                ck_assert(seminorm[2 * j + 1] == 0);
                const mat_t end = mat_cols(x, 2 * j + 1, 1);
                if (order == 0)
                    ck_assert(norm1(end) == 0);
                else
                    ck_assert_ratio(norm1(product('N', 'N', e.L, end)) /
                                    norm1(end) / (double)e.n / GSVD_ULP);
            }
        }
        release_pool();
    }
}
END_TEST

/* L = I: the SVD of A does. */
START_TEST(by_svd)
{
    enum { M = 20, N = 12 };
    const equations_t e = make_equations(1, 0, M, N, 0.1, 8);
    const mat_t A = copy_mat(e.A), B = copy_mat(e.B), U = new_mat(M, N);
    const mat_t V = new_mat(N, N), C = new_mat(N, RHS), x = new_mat(N, RHS);
    const real_t lambda = (real_t)0.1;
    real_t sigma[N], beta[N], rest[RHS], residual[RHS], seminorm[RHS];
    gsvd_problem_t svd = new_problem(GSVD_ROUTINE_SVD, HOST, "SS", M, N, 0);
    svd.A = as_array(A);
    svd.U = as_array(U);
    svd.V = as_array(V);
    svd.alpha.data = sigma;
    ck_assert_ok(gsvd_run(handle, &svd));
    for (int i = 0; i < N; ++i)
        beta[i] = 1;
    ck_assert_ok(X(picard)(handle, M, N, RHS, U.data, U.ld, B.data, B.ld,
                           C.data, C.ld, rest));
    ck_assert_ok(X(filter)(handle, GSVD_FILTER_TIKHONOV, N, N, RHS, 1, sigma,
                           beta, C.data, C.ld, rest, &lambda, residual,
                           seminorm, V.data, V.ld, x.data, x.ld));
    for (int j = 0; j < RHS; ++j) {
        const column_t y = dense_solution(&e, j, (wide_t)lambda);
        const double cond = condition_of(&e, (double)lambda);
        ck_assert_ratio(relative_distance(x, j, y) /
                        (N * GSVD_EPS * cond * cond));
    }
}
END_TEST

/* ---- filters of given values ---------------------------------------------------------- */

enum { VALUES = 12 };
typedef struct values {
    real_t alpha[VALUES], beta[VALUES];
    scalar_t C[VALUES];
    real_t rest;
} values_t;

/* gamma from infinity over 1 to 10^-5 and 0; |u^H b| falls with gamma to a level of noise */
static values_t some_values(uint64_t seed)
{
    values_t v;
    for (int i = 0; i < VALUES; ++i) {
        const double gamma = pow(10, (1 - i) / 2.0);
        v.alpha[i] = i == 0            ? 1
                     : i == VALUES - 1 ? 0
                                       : (real_t)(gamma / hypot(gamma, 1));
        v.beta[i] = i == 0            ? 0
                    : i == VALUES - 1 ? 1
                                      : (real_t)(1 / hypot(gamma, 1));
        v.C[i] = scale((real_t)(pow(10, -0.7 * i) + 1e-3),
                       direction(random_uniform_scalar(&seed)));
    }
    v.rest = (real_t)2e-3;
    return v;
}

static wide_t filter_factor(int filter, const values_t *v, int i, wide_t lambda)
{
    const wide_t c = v->alpha[i], t = lambda * (wide_t)v->beta[i];
    if (c == 0)
        return 0;
    return filter == GSVD_FILTER_TIKHONOV ? c * c / (c * c + t * t)
           : filter == GSVD_FILTER_DAMPED
               ? c / (c + t)
               : (real_t)((double)c / (double)v->beta[i]) >= (real_t)lambda;
}

static wide_t size_of(const values_t *v, int i)
{
    return cabsl(widen(v->C[i]));
}

/* rho^2 and eta^2 by their definitions */
static void wide_norms(int filter, const values_t *v, wide_t lambda,
                       wide_t *rho, wide_t *eta)
{
    *rho = (wide_t)v->rest * v->rest;
    *eta = 0;
    for (int i = 0; i < VALUES; ++i) {
        const wide_t f = filter_factor(filter, v, i, lambda), d = size_of(v, i);
        *rho += (1 - f) * (1 - f) * d * d;
        if (v->alpha[i] > 0)
            *eta += powl(f * v->beta[i] / v->alpha[i] * d, 2);
    }
}

START_TEST(norms)
{
    const values_t v = some_values(5);
    for (int f = 0; f <= GSVD_FILTER_DAMPED; ++f)
        for (double l = 1e-7; l < 1e4; l *= 3) {
            const real_t lambda = (real_t)l;
            real_t residual, seminorm;
            wide_t rho, eta;
            ck_assert_ok(X(filter)(handle, (gsvd_filter_t)f, 0, VALUES, 1, 1,
                                   v.alpha, v.beta, v.C, VALUES, &v.rest,
                                   &lambda, &residual, &seminorm, NULL, 1, NULL,
                                   1));
            wide_norms(f, &v, (wide_t)lambda, &rho, &eta);
            ck_assert_ratio((double)fabsl(residual / sqrtl(rho) - 1) /
                            GSVD_EPS);
            ck_assert_ratio((double)(fabsl(seminorm - sqrtl(eta)) /
                                     fmaxl(sqrtl(eta), GSVD_SAFMIN)) /
                            GSVD_EPS);
        }
}
END_TEST

/* One term, of numbers from all of the range: what leaves the range is a part, not the result. */
START_TEST(far_apart)
{
    enum { CASES = 20000 };
    const int far = exponent_r(GSVD_REAL_MAX) - 2;
    const wide_t least = (wide_t)GSVD_SAFMIN;
    uint64_t seed = 41;
    int within = 0;

    for (int i = 0; i < CASES; ++i) {
        const real_t alpha = random_power(far, &seed);
        const real_t beta = random_power(far, &seed);
        const real_t lambda = random_power(far, &seed), rest = 0;
        const scalar_t C = make(random_power(far, &seed), 0), Y = make(1, 0);
        const gsvd_filter_t by = (gsvd_filter_t)(i % 3);
        const wide_t g = (wide_t)lambda * beta / alpha;
        const wide_t t = by == GSVD_FILTER_TIKHONOV ? g * g : g;
        const int whole = by == GSVD_FILTER_TRUNCATED;
        const wide_t f = whole ? g <= 1 : 1 / (1 + t);
        const wide_t left = whole ? g > 1 : 1 / (1 + 1 / t);
        /* of A x - b, L x and x */
        const wide_t right[] = {left * re(C), f * re(C) / alpha * beta,
                                f * re(C) / alpha};
        real_t x[3];
        scalar_t solution;
        const gsvd_status_t status =
            X(filter)(handle, by, 1, 1, 1, 1, &alpha, &beta, &C, 1, &rest,
                      &lambda, &x[0], &x[1], &Y, 1, &solution, 1);

        x[2] = re(solution);
        if (right[1] > GSVD_REAL_MAX || right[2] > GSVD_REAL_MAX) {
            ck_assert_status(status, GSVD_OVERFLOW);
            continue;
        }
        ck_assert_ok(status);
        for (int j = 0; j < 3; ++j)
            ck_assert_ratio(
                (double)(fabsl(x[j] - right[j]) / fmaxl(right[j], least)) /
                GSVD_EPS);
        within += right[1] > least;
    }
    ck_assert_int_gt(within, CASES / 4);
}
END_TEST

/* ---- the choice, beside fine grids ------------------------------------------------------ */

static wide_t wide_gcv(int filter, const values_t *v, int m, wide_t lambda)
{
    wide_t rho, eta, free = m;
    wide_norms(filter, v, lambda, &rho, &eta);
    for (int i = 0; i < VALUES; ++i)
        free -= filter_factor(filter, v, i, lambda);
    return rho / (free * free);
}

/* |L (x of lambda e^h - x of lambda e^-h)| */
static wide_t wide_quasi(int filter, const values_t *v, wide_t lambda)
{
    const wide_t h = 1e-6L;
    wide_t sum = 0;
    for (int i = 0; i < VALUES; ++i)
        if (v->alpha[i] > 0)
            sum += powl((filter_factor(filter, v, i, lambda * expl(h)) -
                         filter_factor(filter, v, i, lambda * expl(-h))) *
                            v->beta[i] / v->alpha[i] * size_of(v, i),
                        2);
    return sqrtl(sum);
}

/* Minus the curvature by differences */
static wide_t wide_bend(int filter, const values_t *v, wide_t lambda)
{
    const wide_t h = 1e-4L;
    wide_t x[3], y[3];
    for (int i = 0; i < 3; ++i) {
        wide_norms(filter, v, lambda * expl((i - 1) * h), &x[i], &y[i]);
        x[i] = logl(x[i]) / 2;
        y[i] = logl(y[i]) / 2;
    }
    const wide_t x1 = (x[2] - x[0]) / (2 * h), y1 = (y[2] - y[0]) / (2 * h);
    const wide_t x2 = (x[2] - 2 * x[1] + x[0]) / (h * h);
    const wide_t y2 = (y[2] - 2 * y[1] + y[0]) / (h * h);
    return -(x1 * y2 - y1 * x2) / powl(x1 * x1 + y1 * y1, 1.5L);
}

static wide_t measure_of(int choice, int filter, const values_t *v, int m,
                         wide_t lambda)
{
    return choice == GSVD_CHOICE_GCV      ? wide_gcv(filter, v, m, lambda)
           : choice == GSVD_CHOICE_LCURVE ? wide_bend(filter, v, lambda)
                                          : wide_quasi(filter, v, lambda);
}

static real_t chosen(gsvd_choice_t choice, int filter, const values_t *v, int m,
                     real_t delta)
{
    real_t lambda = -1;
    ck_assert_ok(X(choose)(handle, choice, (gsvd_filter_t)filter, m, VALUES,
                           v->alpha, v->beta, v->C, v->rest, delta, &lambda));
    return lambda;
}

/* In a fine grid over lambda_range; of quasi-optimality between two larger values */
static wide_t least_of_grid(int choice, int filter, const values_t *v, int m,
                            wide_t *at)
{
    enum { STEPS = 4000 };
    const int inside = choice == GSVD_CHOICE_QUASI;
    wide_t least = INFINITY, y[3] = {INFINITY, INFINITY, INFINITY};
    real_t low, high;

    ck_assert_ok(
        X(lambda_range)(handle, VALUES, v->alpha, v->beta, &low, &high));
    for (int i = 0; i <= STEPS + !inside; ++i) {
        const wide_t l = low * powl((wide_t)high / low, (wide_t)i / STEPS);
        y[0] = y[1];
        y[1] = y[2];
        y[2] = i <= STEPS ? measure_of(choice, filter, v, m, l) : INFINITY;
        if (i > inside && y[1] <= y[0] && y[1] <= y[2] && y[1] < least) {
            least = y[1];
            *at = low * powl((wide_t)high / low, (i - 1.0L) / STEPS);
        }
    }
    return least;
}

START_TEST(choices)
{
    static const int of[] = {GSVD_CHOICE_GCV, GSVD_CHOICE_LCURVE,
                             GSVD_CHOICE_QUASI};
    static const int filters[] = {GSVD_FILTER_TIKHONOV, GSVD_FILTER_DAMPED};
    for (uint64_t seed = 1; seed < 6; ++seed)
        for (int which = 0; which < 6; ++which) {
            const values_t v = some_values(seed);
            const int choice = of[which / 2], filter = filters[which % 2];
            const int m = VALUES + 9;
            real_t low, high;
            ck_assert_ok(
                X(lambda_range)(handle, VALUES, v.alpha, v.beta, &low, &high));
            ck_assert(high > 0.999F && high < 1.001F);
            const real_t lambda =
                chosen((gsvd_choice_t)choice, filter, &v, m, 0);
            ck_assert(lambda >= low && lambda <= high);
            const wide_t x = measure_of(choice, filter, &v, m, (wide_t)lambda);
            wide_t at, least = least_of_grid(choice, filter, &v, m, &at);
            if (seed == 1)
                printf("choice %d filter %d: %.6e, of a grid %.6Le\n", choice,
                       filter, (double)lambda, at);
            ck_assert_msg(x <= least + 1e-5L * fabsl(least),
                          "choice %d filter %d: %.4e %.10Le, grid %.4Le %.10Le",
                          choice, filter, (double)lambda, x, at, least);
        }
}
END_TEST

/* The function of quasi-optimality falls at both ends of the range.  Where it is less at an end than
 * at its minimum, the minimum is chosen all the same. */
START_TEST(quasi_inside)
{
    static const int filters[] = {GSVD_FILTER_TIKHONOV, GSVD_FILTER_DAMPED};
    for (int end = 0; end < 2; ++end)
        for (int which = 0; which < 2; ++which) {
            const int filter = filters[which], m = VALUES;
            values_t v = some_values(7);
            for (int i = 1; i < VALUES - 1;
                 ++i) { /* parts of L x, from `end` on */
                static const double part[] = {0, 0, 0, 4, 1, 0.1, 1, 4, 9, 16};
                v.C[i] = make((real_t)part[end ? VALUES - 2 - i : i - 1] *
                                  v.alpha[i] / v.beta[i],
                              0);
            }
            real_t low, high;
            ck_assert_ok(
                X(lambda_range)(handle, VALUES, v.alpha, v.beta, &low, &high));
            const real_t lambda = chosen(GSVD_CHOICE_QUASI, filter, &v, m, 0);
            const wide_t x = wide_quasi(filter, &v, (wide_t)lambda);
            wide_t at,
                least = least_of_grid(GSVD_CHOICE_QUASI, filter, &v, m, &at);
            printf("end %d filter %d: %.6e, of a grid %.6Le, %.2Le of the "
                   "end's\n",
                   end, filter, (double)lambda, at,
                   x / wide_quasi(filter, &v, end ? low : high));
            ck_assert(lambda > low && lambda < high);
            ck_assert(wide_quasi(filter, &v, end ? low : high) < x);
            ck_assert(x <= least * (1 + 1e-5L));
        }
}
END_TEST

START_TEST(truncated_choices)
{
    for (uint64_t seed = 1; seed < 20; ++seed) {
        const values_t v = some_values(seed);
        const int m = VALUES + 9, filter = GSVD_FILTER_TRUNCATED;
        const wide_t gcv =
            wide_gcv(filter, &v, m, chosen(GSVD_CHOICE_GCV, filter, &v, m, 0));
        const real_t quasi = chosen(GSVD_CHOICE_QUASI, filter, &v, m, 0);
        wide_t least = INFINITY, step = INFINITY, at = 0;
        for (int i = 1; i < VALUES - 1; ++i) {
            const wide_t gamma = (wide_t)v.alpha[i] / v.beta[i];
            least = fminl(least, wide_gcv(filter, &v, m, gamma * (1 - 1e-6L)));
            if (size_of(&v, i) / gamma < step) {
                step = size_of(&v, i) / gamma;
                at = gamma;
            }
        }
        ck_assert(fabsl(gcv - least) <= 1e-5L * least);
        ck_assert(fabsl(quasi - at) <= 1e-6L * at);
    }
}
END_TEST

START_TEST(discrepancy)
{
    const values_t v = some_values(2);
    for (int f = 0; f <= GSVD_FILTER_DAMPED; ++f)
        for (double d = 0.0035; d < 2; d *= 1.7) {
            const real_t delta = (real_t)d;
            const real_t l =
                chosen(GSVD_CHOICE_DISCREPANCY, f, &v, VALUES, delta);
            wide_t rho, above, eta;
            ck_assert(l > 0);
            if (l > GSVD_REAL_MAX) {
                wide_norms(f, &v, 1e30L, &rho, &eta);
                ck_assert(sqrtl(rho) <= delta);
                continue;
            }
            wide_norms(f, &v, l, &rho, &eta);
            wide_norms(f, &v, l * (1 + 8 * (wide_t)GSVD_ULP), &above, &eta);
            ck_assert_msg(sqrtl(rho) <= delta * (1 + 8 * (wide_t)GSVD_ULP) &&
                              sqrtl(above) > delta * (1 - 8 * (wide_t)GSVD_ULP),
                          "filter %d, delta %g: %g, %Lg %Lg", f, d, (double)l,
                          sqrtl(rho), sqrtl(above));
        }
    real_t l = -1;
    ck_assert_status(X(choose)(handle, GSVD_CHOICE_DISCREPANCY,
                               GSVD_FILTER_TIKHONOV, VALUES, VALUES, v.alpha,
                               v.beta, v.C, v.rest, v.rest / 2, &l),
                     GSVD_INVALID_ARGUMENT);
    ck_assert(l == -1 && strstr(gsvd_last_error(handle), "delta"));
}
END_TEST

/* The unit of A, and so of gamma and lambda, and that of b do not matter. */
START_TEST(units)
{
    static const int shift[] = {-900, -400, 60, 500, 900};
    const int by =
        GSVD_SINGLE ? 10 : 1; /* single precision has a tenth of the range */
    const values_t v = some_values(3);
    for (int choice = 0; choice <= GSVD_CHOICE_QUASI; ++choice)
        for (int f = 0; f <= GSVD_FILTER_DAMPED; ++f)
            for (int i = 0; i < 5; ++i) {
                const int e = shift[i] / by, up = shift[(i + 2) % 5] / by / 2;
                const real_t delta = (real_t)0.02;
                values_t w = v;
                if (choice == GSVD_CHOICE_LCURVE && f == GSVD_FILTER_TRUNCATED)
                    continue;
                for (int j = 0; j < VALUES; ++j) {
                    w.alpha[j] = ldexp_r(v.alpha[j], e < 0 ? e : 0);
                    w.beta[j] = ldexp_r(v.beta[j], e > 0 ? -e : 0);
                    w.C[j] = scale(ldexp_r(1, up), v.C[j]);
                }
                w.rest = ldexp_r(v.rest, up);
                const real_t x =
                    chosen((gsvd_choice_t)choice, f, &v, 20, delta);
                const real_t y = chosen((gsvd_choice_t)choice, f, &w, 20,
                                        ldexp_r(delta, up));
                ck_assert_msg(fabs((double)(ldexp_r(y, -e) / x - 1)) <
                                  (choice == GSVD_CHOICE_DISCREPANCY
                                       ? 64 * GSVD_ULP
                                       : 1e-3),
                              "choice %d, filter %d, 2^%d: %g, not %g", choice,
                              f, e, (double)ldexp_r(y, -e), (double)x);
            }
}
END_TEST

/* Values next to the least number: no NaN, and no infinity before a result is one */
START_TEST(range)
{
    const real_t least = GSVD_SAFMIN * GSVD_ULP;
    const real_t alpha[] = {least, GSVD_SAFMIN, 0, 1, 1};
    const real_t beta[] = {1, 1, 1, least, 0};
    const scalar_t C[] = {make(0, 0), make(0, 0), make(1, 0), make(0, 0),
                          make(1, 0)};
    const real_t lambda[] = {0, least, 1, GSVD_REAL_MAX, (real_t)INFINITY};
    const real_t rest = 0;
    for (int f = 0; f <= GSVD_FILTER_DAMPED; ++f) {
        real_t residual[5], seminorm[5];
        scalar_t Y[5] = {make(1, 0), make(1, 0), make(1, 0), make(1, 0),
                         make(2, 0)},
                 x[5];
        ck_assert_ok(X(filter)(handle, (gsvd_filter_t)f, 1, 5, 1, 5, alpha,
                               beta, C, 5, &rest, lambda, residual, seminorm, Y,
                               1, x, 1));
        for (int i = 0; i < 5; ++i)
            ck_assert(residual[i] == 1 && seminorm[i] == 0 && re(x[i]) == 2);
    }
    const scalar_t large[] = {make(1, 0)};
    real_t residual, seminorm;
    scalar_t x;
    ck_assert_status(X(filter)(handle, GSVD_FILTER_TIKHONOV, 1, 1, 1, 1, alpha,
                               beta, large, 1, &rest, lambda, &residual,
                               &seminorm, large, 1, &x, 1),
                     GSVD_OVERFLOW);
    const real_t most = GSVD_REAL_MAX, one = 1;
    for (int f = 0; f <= GSVD_FILTER_DAMPED; ++f) {
        ck_assert_ok(X(filter)(handle, (gsvd_filter_t)f, 1, 1, 1, 1, &most,
                               &one, large, 1, &rest, &most, &residual,
                               &seminorm, large, 1, &x, 1));
        const double half = f == GSVD_FILTER_TRUNCATED ? 0 : 0.5;
        ck_assert(fabs((double)residual - half) < 4 * GSVD_ULP);
    }
    scalar_t huge[] = {make(most, 0), make(most, 0)};
    real_t norm;
    ck_assert_status(
        X(picard)(handle, 2, 0, 1, NULL, 2, huge, 2, NULL, 1, &norm),
        GSVD_OVERFLOW);
    real_t low, high;
    ck_assert_ok(X(lambda_range)(handle, 5, alpha, beta, &low, &high));
    ck_assert(high == GSVD_REAL_MAX && low > 0);
    ck_assert_ok(X(lambda_range)(handle, 1, alpha + 2, beta + 2, &low, &high));
    ck_assert(high == 0 && low == 0);
    real_t l;
    ck_assert_ok(X(choose)(handle, GSVD_CHOICE_GCV, GSVD_FILTER_TIKHONOV, 3, 1,
                           alpha + 2, beta + 2, C, 0, 0, &l));
    ck_assert(l == 0);
}
END_TEST

/* ---- arguments ------------------------------------------------------------------------ */

#define REFUSED(call, name)                                                    \
    do {                                                                       \
        ck_assert_status(call, GSVD_INVALID_ARGUMENT);                         \
        ck_assert_msg(strstr(gsvd_last_error(handle), name ":") ==             \
                          gsvd_last_error(handle),                             \
                      "%s: %s", name, gsvd_last_error(handle));                \
    } while (0)

START_TEST(illegal)
{
    values_t v = some_values(1);
    scalar_t U[4] = {make(1, 0), make(0, 0), make(0, 0), make(1, 0)};
    scalar_t B[2] = {make(3, 0), make(4, 0)}, C[2], x[2];
    real_t rest[1], a[1], b[1];
    const real_t nan = (real_t)NAN, one = 1, minus = -1;
    const gsvd_filter_t t = GSVD_FILTER_TIKHONOV;

#define PICARD(...) X(picard)(handle, __VA_ARGS__)
    REFUSED(PICARD(-1, 2, 1, U, 2, B, 2, C, 2, rest), "m");
    REFUSED(PICARD(2, -1, 1, U, 2, B, 2, C, 2, rest), "r");
    REFUSED(PICARD(2, 2, -1, U, 2, B, 2, C, 2, rest), "nrhs");
    REFUSED(PICARD(2, 2, 1, U, 1, B, 2, C, 2, rest), "ldu");
    REFUSED(PICARD(2, 2, 1, U, 2, B, 1, C, 2, rest), "ldb");
    REFUSED(PICARD(2, 2, 1, U, 2, B, 2, C, 1, rest), "ldc");
    REFUSED(PICARD(2, 2, 1, NULL, 2, B, 2, C, 2, rest), "U");
    REFUSED(PICARD(2, 2, 1, U, 2, NULL, 2, C, 2, rest), "B");
    REFUSED(PICARD(2, 2, 1, U, 2, B, 2, NULL, 2, rest), "C");
    REFUSED(PICARD(2, 2, 1, U, 2, B, 2, C, 2, NULL), "rest");
    U[1] = make(nan, 0);
    REFUSED(PICARD(2, 2, 1, U, 2, B, 2, C, 2, rest), "U");
    U[1] = make(0, 0);
    ck_assert_ok(PICARD(2, 1, 1, U, 2, B, 2, C, 1, rest));
    ck_assert(re(C[0]) == 3 && rest[0] == 4 && re(B[0]) == 0);
    ck_assert_ok(PICARD(0, 0, 0, NULL, 1, NULL, 1, NULL, 1, NULL));
    ck_assert_status(X(picard)(NULL, 0, 0, 0, NULL, 1, NULL, 1, NULL, 1, NULL),
                     GSVD_INVALID_HANDLE);

#define FILTER(f, ...) X(filter)(handle, f, __VA_ARGS__)
#define SOME v.alpha, v.beta, v.C, VALUES, &v.rest
    REFUSED(FILTER((gsvd_filter_t)3, 1, 1, 1, 1, SOME, &one, a, b, NULL, 1,
                   NULL, 1),
            "filter");
    REFUSED(FILTER(t, -1, 1, 1, 1, SOME, &one, a, b, NULL, 1, NULL, 1), "n");
    REFUSED(FILTER(t, 1, -1, 1, 1, SOME, &one, a, b, NULL, 1, NULL, 1), "r");
    REFUSED(FILTER(t, 1, 1, -1, 1, SOME, &one, a, b, NULL, 1, NULL, 1), "nrhs");
    REFUSED(FILTER(t, 1, 1, 1, -1, SOME, &one, a, b, NULL, 1, NULL, 1),
            "count");
    REFUSED(FILTER(t, 1, 1, 1, 1, &minus, v.beta, v.C, 1, &v.rest, &one, a, b,
                   NULL, 1, NULL, 1),
            "alpha");
    REFUSED(FILTER(t, 1, 1, 1, 1, v.alpha, &nan, v.C, 1, &v.rest, &one, a, b,
                   NULL, 1, NULL, 1),
            "beta");
    REFUSED(FILTER(t, 1, 2, 1, 1, v.alpha, v.beta, v.C, 1, &v.rest, &one, a, b,
                   NULL, 1, NULL, 1),
            "ldc");
    REFUSED(FILTER(t, 1, 1, 1, 1, v.alpha, v.beta, NULL, 1, &v.rest, &one, a, b,
                   NULL, 1, NULL, 1),
            "C");
    REFUSED(FILTER(t, 1, 1, 1, 1, v.alpha, v.beta, v.C, 1, &minus, &one, a, b,
                   NULL, 1, NULL, 1),
            "rest");
    REFUSED(FILTER(t, 1, 1, 1, 1, SOME, &minus, a, b, NULL, 1, NULL, 1),
            "lambda");
    REFUSED(FILTER(t, 1, 1, 1, 1, SOME, &nan, a, b, NULL, 1, NULL, 1),
            "lambda");
    REFUSED(FILTER(t, 1, 1, 1, 1, SOME, &one, a, b, U, 0, x, 1), "ldy");
    REFUSED(FILTER(t, 1, 1, 1, 1, SOME, &one, a, b, U, 1, x, 0), "ldx");
    REFUSED(FILTER(t, 1, 1, 1, 1, SOME, &one, a, b, U, 1, NULL, 1), "X");
    REFUSED(
        X(filter)(handle, t, 1, 1, 1, 1, SOME, &one, NULL, b, NULL, 1, NULL, 1),
        "residual");
    REFUSED(
        X(filter)(handle, t, 1, 1, 1, 1, SOME, &one, a, NULL, NULL, 1, NULL, 1),
        "seminorm");

#define CHOOSE(...) X(choose)(handle, __VA_ARGS__)
#define GIVEN v.alpha, v.beta, v.C, v.rest
    REFUSED(CHOOSE((gsvd_choice_t)4, t, 9, 9, GIVEN, 0, a), "choice");
    REFUSED(CHOOSE(GSVD_CHOICE_GCV, (gsvd_filter_t)-1, 9, 9, GIVEN, 0, a),
            "filter");
    REFUSED(CHOOSE(GSVD_CHOICE_GCV, t, -1, 9, GIVEN, 0, a), "m");
    REFUSED(CHOOSE(GSVD_CHOICE_GCV, t, 9, -1, GIVEN, 0, a), "r");
    REFUSED(CHOOSE(GSVD_CHOICE_GCV, t, 9, 1, &nan, v.beta, v.C, 0, 0, a),
            "alpha");
    REFUSED(CHOOSE(GSVD_CHOICE_GCV, t, 9, 1, v.alpha, NULL, v.C, 0, 0, a),
            "beta");
    REFUSED(CHOOSE(GSVD_CHOICE_GCV, t, 9, 1, v.alpha, v.beta, NULL, 0, 0, a),
            "C");
    REFUSED(CHOOSE(GSVD_CHOICE_GCV, t, 9, 1, v.alpha, v.beta, v.C, nan, 0, a),
            "rest");
    REFUSED(CHOOSE(GSVD_CHOICE_DISCREPANCY, t, 9, 1, v.alpha, v.beta, v.C, 0,
                   nan, a),
            "delta");
    REFUSED(CHOOSE(GSVD_CHOICE_GCV, t, 9, 9, GIVEN, 0, NULL), "lambda");
    ck_assert_status(
        CHOOSE(GSVD_CHOICE_LCURVE, GSVD_FILTER_TRUNCATED, 9, 9, GIVEN, 0, a),
        GSVD_NOT_SUPPORTED);
    REFUSED(X(lambda_range)(handle, 1, v.alpha, v.beta, NULL, a), "least");
    REFUSED(X(lambda_range)(handle, 1, v.alpha, v.beta, a, NULL), "most");
}
END_TEST

/* One term alone has no corner, and one maximum of quasi-optimality's function. */
START_TEST(no_corner)
{
    const real_t alpha = (real_t)0.6, beta = (real_t)0.8;
    const scalar_t C = make(1, 0);
    real_t lambda = -1;
    ck_assert_status(X(choose)(handle, GSVD_CHOICE_LCURVE, GSVD_FILTER_TIKHONOV,
                               1, 1, &alpha, &beta, &C, 0, 0, &lambda),
                     GSVD_NOT_CONVERGED);
    ck_assert(lambda > 0);
    lambda = -1;
    ck_assert_status(X(choose)(handle, GSVD_CHOICE_QUASI, GSVD_FILTER_TIKHONOV,
                               1, 1, &alpha, &beta, &C, 0, 0, &lambda),
                     GSVD_NOT_CONVERGED);
    ck_assert(lambda > 0);
}
END_TEST

Suite *make_suite(void)
{
    Suite *const s = suite_create("filter");
    TCase *t = add_tcase(s, "solutions");
    tcase_add_loop_test(t, solutions, 0, EQUATIONS_ * ORDERS);
    tcase_add_test(t, ends);
    tcase_add_test(t, by_svd);
    tcase_add_test(t, norms);
    tcase_add_test(t, far_apart);
    t = add_tcase(s, "choice");
    tcase_add_test(t, choices);
    tcase_add_test(t, quasi_inside);
    tcase_add_test(t, truncated_choices);
    tcase_add_test(t, discrepancy);
    tcase_add_test(t, units);
    tcase_add_test(t, no_corner);
    t = add_tcase(s, "call");
    tcase_add_test(t, range);
    tcase_add_test(t, illegal);
    return s;
}
