/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* test_x_inverse.c -- GSVD_FORM_XINV: A Y = U D1, B Y = V D2, column by column. */
#include <stdio.h>

#include "harness/families.h"
#include "harness/graded.h"
#include "harness/harness.h"
#include "harness/wide.h"

static void equilibrate(gsvd_equilibrate_t how)
{
    ck_assert_ok(gsvd_set_option(handle, GSVD_EQUILIBRATE, (int)how));
}

static void ask_for(gsvd_form_t form)
{
    ck_assert_ok(gsvd_set_option(handle, GSVD_FORM, (int)form));
}

/* ---- residuals ----------------------------------------------------------------- */

/* What rounding of a column of A, and of its fellow of B, is relative to: the longer one, in the
 * units of A and of B */
typedef struct lengths {
    wide_t *a, *b;
} lengths_t;

static lengths_t lengths_of(const sample_t *P)
{
    const int64_t n = P->A.cols;
    const size_t bytes = (size_t)max_i(n, 1) * sizeof(wide_t);
    lengths_t d = {grab(bytes), grab(bytes)};
    wide_t most_a = 0, most_b = 0;

    for (int64_t j = 0; j < n; ++j) {
        most_a = fmaxl(most_a, d.a[j] = length_of_column(P->A, j));
        most_b = fmaxl(most_b, d.b[j] = length_of_column(P->B, j));
    }
    for (int64_t j = 0; j < n; ++j) {
        const wide_t a = most_a > 0 ? d.a[j] / most_a : 0;
        const wide_t b = most_b > 0 ? d.b[j] / most_b : 0;
        d.a[j] = fmaxl(a, b) * most_a;
        d.b[j] = fmaxl(a, b) * most_b;
    }
    return d;
}

/* |X y - d w| / (length^T |y|) in extended precision; w == NULL: |X y|, and 0 of a zero */
static double residual(mat_t X_, const scalar_t *y, real_t d, const scalar_t *w,
                       const wide_t *length)
{
    wide_complex_t *const x = grab((size_t)max_i(X_.rows, 1) * sizeof *x);
    wide_t size = 0;

    for (int64_t i = 0; i < X_.rows; ++i)
        x[i] = w ? -(wide_t)d * widen(w[i]) : 0;
    for (int64_t j = 0; j < X_.cols; ++j) {
        size += length[j] * cabsl(widen(y[j]));
        for (int64_t i = 0; i < X_.rows; ++i)
            x[i] += wide_times(widen(AT(X_, i, j)), widen(y[j]));
    }
    const wide_t r = wide_length(X_.rows, x);
    return r == 0 ? 0 : (double)(r / size);
}

/* The worst column of Y, and of what is behind it, over max(m, n, p) ulp */
typedef struct worst {
    double y, z;
} worst_t;

static void see(double *worst, double x)
{
    *worst = !(x <= *worst) ? x : *worst;
}

static worst_t worst_of(const sample_t *P, const result_t *r)
{
    const int64_t n = P->A.cols, rank = r->k + r->l;
    const lengths_t d = lengths_of(P);
    const double unit =
        (double)max_i(n, max_i(P->A.rows, P->B.rows)) * GSVD_ULP;
    worst_t w = {0, 0};

    for (int64_t j = 0; j < r->Q.cols; ++j) {
        const scalar_t *const y = &AT(r->Q, 0, j);
        const int in_a = j < min_i(rank, P->A.rows);
        const int in_b = j >= r->k && j < rank;
        double *const worst = j < rank ? &w.y : &w.z;
        see(worst, residual(P->A, y, in_a ? r->alpha[j] : 0,
                            in_a ? &AT(r->U, 0, j) : NULL, d.a) /
                       unit);
        see(worst, residual(P->B, y, in_b ? r->beta[j] : 0,
                            in_b ? &AT(r->V, 0, j - r->k) : NULL, d.b) /
                       unit);
    }
    return w;
}

/* Vectors behind Y are independent: divided by the columns' scales and by their own lengths, none
 * is nearly in the span of those before it. */
static void ck_assert_independent(const sample_t *P, const result_t *r)
{
    const int64_t n = P->A.cols, first = r->k + r->l, cols = r->Q.cols - first;
    const lengths_t d = lengths_of(P);
    wide_complex_t *const Z = grab((size_t)max_i(n * cols, 1) * sizeof *Z);

    for (int64_t j = 0; j < cols; ++j) {
        wide_complex_t *const z = Z + n * j;
        for (int64_t i = 0; i < n; ++i)
            z[i] = widen(AT(r->Q, i, first + j)) * (d.a[i] > 0   ? d.a[i]
                                                    : d.b[i] > 0 ? d.b[i]
                                                                 : 1);
        wide_t length = wide_length(n, z), square = length * length;
        ck_assert_msg(length > 0, "vector %ld behind Y", (long)j);
        for (int64_t t = 0; t < j; ++t) {
            const wide_complex_t c = wide_inner(n, Z + n * t, z);
            const wide_t left = square - wide_square(c);
            for (int64_t i = 0; i < n; ++i)
                z[i] -= wide_times(c, Z[n * t + i]);
            ck_assert_msg(left > 1e-8L * square, "vectors %ld and %ld", (long)j,
                          (long)t);
            square = left;
        }
        length = wide_length(n, z);
        for (int64_t i = 0; i < n; ++i)
            z[i] /= length;
    }
}

static worst_t check(const sample_t *P, door_t door, int economy)
{
    ask_for(GSVD_FORM_XINV);
    const result_t r = decompose(door, economy ? 'S' : 'U', economy ? 'S' : 'V',
                                 economy ? 'S' : 'Q', P->A, P->B);
    ck_assert_ok(r.status);
    ck_assert_values(&r, P->A.rows, P->A.cols, P->B.rows);
    ck_assert_ratio(defect(r.U));
    ck_assert_ratio(defect(r.V));
    const worst_t w = worst_of(P, &r);
    ck_assert_ratio(w.y);
    ck_assert_ratio(w.z);
    ck_assert_independent(P, &r);
    return w;
}

/* Pairs of known ranks, with null vectors in common or without */
static const recipe_t ranked[] = {
    {12, 10, 12, RANKS, 0, 10, 0, 0},    {12, 10, 12, RANKS, 4, 6, 0, 0},
    {12, 10, 12, RANKS, 2, 6, 0, 0},     {12, 10, 12, RANKS, 10, 0, 0, 0},
    {3, 10, 9, RANKS, 1, 9, 0, 0},       {5, 10, 4, RANKS, 5, 4, 0, 0},
    {2, 3, 2, RANKS, 1, 2, 0, 0},        {3, 3, 3, RANKS, 1, 1, 0, 0},
    {30, 24, 40, RANKS, 10, 14, 0, 0},   {40, 36, 20, RANKS, 16, 20, 0, 0},
    {40, 36, 40, REPEATED, 6, 20, 0, 0}, {90, 80, 70, EXTREME, 5, 60, 0, 0},
    {70, 66, 65, RANKS, 1, 65, 0, 0}};
enum { RANKED_ = sizeof ranked / sizeof *ranked };

static void check_all(const recipe_t *c, int i)
{
    worst_t w = {0, 0};

    if (too_large(c->m, c->n, c->p) || left_out(i, 4) || left_out_there(i, 4))
        return;
    for (int solver = 0; solver < 4; ++solver)
        for (int door = 0; door < doors(); ++door) {
            const sample_t P = make_pair(c, 7);
            ck_assert_ok(gsvd_set_option(handle, GSVD_SOLVER, solver));
            /* In single, tolerances by norms are more than a whole column.  */
            equilibrate(GSVD_SINGLE && c->family == GRADED_COLUMNS
                            ? GSVD_EQUILIBRATE_ON
                            : GSVD_EQUILIBRATE_AUTO);
            const worst_t x = check(&P, (door_t)door, (solver + i) % 2);
            see(&w.y, x.y);
            see(&w.z, x.z);
            release_pool();
        }
    printf("%-60s Y %.2f, behind it %.2f\n", text_of(c, ""), w.y, w.z);
}

START_TEST(all_shapes)
{
    const recipe_t c = recipe_of_shape(_i, NORMAL);
    check_all(&c, _i);
}
END_TEST

START_TEST(all_kinds) { check_all(&kind[_i], _i); }
END_TEST

START_TEST(all_ranks) { check_all(&ranked[_i], _i); }
END_TEST

/* ---- columns of any scale ------------------------------------------------------- */

/* Column j of A and of B times 2^e_j, |e_j| <= far */
static int *scale_both(sample_t *P, int far, uint64_t *seed)
{
    const int64_t n = P->A.cols;
    int *const e = grab((size_t)n * sizeof *e);

    for (int64_t j = 0; j < n; ++j) {
        e[j] = (int)random_below(seed, 2 * far + 1) - far;
        for (int64_t i = 0; i < P->A.rows; ++i)
            AT(P->A, i, j) = scale(ldexp_r(1, e[j]), AT(P->A, i, j));
        for (int64_t i = 0; i < P->B.rows; ++i)
            AT(P->B, i, j) = scale(ldexp_r(1, e[j]), AT(P->B, i, j));
    }
    return e;
}

static const int far_of[] = {0, 6, 12, 24, 50};
enum { FARS = sizeof far_of / sizeof *far_of };
static int far_here(int i) { return GSVD_SINGLE ? far_of[i] / 3 : far_of[i]; }

START_TEST(common_scale)
{
    const int far = far_here(_i);
    worst_t w = {0, 0};
    equilibrate(GSVD_EQUILIBRATE_ON);
    for (int c = 0; c < RANKED_; ++c)
        for (uint64_t which = 0; which < 4; ++which) {
            const recipe_t *const of = &ranked[c];
            if (too_large(of->m, of->n, of->p) || left_out((int)which, 4))
                continue;
            sample_t P = make_pair(of, which);
            uint64_t seed = 100 * (uint64_t)c + which;
            (void)scale_both(&P, far, &seed);
            for (int door = 0; door < doors(); ++door) {
                const worst_t x = check(&P, (door_t)door, 0);
                see(&w.y, x.y);
                see(&w.z, x.z);
            }
            release_pool();
        }
    printf("columns 2^+-%-3d Y %.2f, behind it %.2f\n", far, w.y, w.z);
}
END_TEST

/* Columns of A and of B with scales of their own, and B of full column rank, whose tolerances are 0 */
START_TEST(scales_of_each)
{
    const int far = far_here(_i);
    static const int of[][3] = {{2, 2, 2},    {3, 3, 3},    {4, 4, 9},
                                {3, 7, 7},    {30, 20, 25}, {20, 30, 30},
                                {40, 40, 40}, {12, 12, 12}};
    double worst = 0;
    ask_for(GSVD_FORM_XINV);
    ck_assert_ok(gsvd_set_option(handle, GSVD_TOL_A, 0));
    ck_assert_ok(gsvd_set_option(handle, GSVD_TOL_B, 0));
    for (size_t i = 0; i < sizeof of / sizeof *of; ++i) {
        const recipe_t c = {.m = of[i][0],
                            .n = of[i][1],
                            .p = of[i][2],
                            .family = RANKS,
                            .l = of[i][1]};
        uint64_t seed = 17 + i;
        const sample_t P = make_pair(&c, seed);
        scale_columns(P.A, far, &seed);
        scale_columns(P.B, far, &seed);
        const result_t r = decompose(HOST, 'U', 'V', 'Q', P.A, P.B);
        ck_assert_ok(r.status);
        ck_assert_int_eq(r.l, of[i][1]);
        const double y = worst_of(&P, &r).y;
        ck_assert_msg(y < LIMIT, "%d x %d, %d: %.1f", c.m, c.n, c.p, y);
        see(&worst, y);
        release_pool();
    }
    printf("columns of A and of B 2^+-%-3d Y %.2f\n", far, worst);
}
END_TEST

/* Pairs whose X is ill-conditioned besides scales, all of which fail where rows of Y are solved
 * for, Y X^H = I, and not columns. */
static const char *const ill[] = {"equations:83684716", "hilbert:111073185",
                                  "dense:113933289",    "hilbert:110416582",
                                  "hilbert:6574741",    "dense:6637344"};
enum { ILL = sizeof ill / sizeof *ill };

START_TEST(ill_conditioned)
{
    problem_t c;
    int clean;
    ck_assert(named_problem(ill[_i], &c));
    if (too_large(c.m, c.n, c.p))
        return;
    const sample_t P = problem_pair(&c, 0, &clean);
    take_way(&way[c.way]);
    equilibrate(GSVD_EQUILIBRATE_ON);
    if (clean) {
        ck_assert_ok(gsvd_set_option(handle, GSVD_TOL_A, 0));
        ck_assert_ok(gsvd_set_option(handle, GSVD_TOL_B, 0));
    }
    for (int door = 0; door < doors(); ++door) {
        const worst_t w = check(&P, (door_t)door, 0);
        printf("%-60s Y %.2f, behind it %.2f\n", problem_text(&c), w.y, w.z);
    }
}
END_TEST

/* ---- against extended precision ---------------------------------------------------- */

/* X_ := A^-1 X_ of n x n and n x r, by elimination with pivots; A is lost. */
static void wide_solve(int64_t n, wide_complex_t *A, int64_t r,
                       wide_complex_t *X_)
{
    for (int64_t k = 0; k < n; ++k) {
        int64_t p = k;
        for (int64_t i = k; i < n; ++i)
            if (wide_square(A[i + n * k]) > wide_square(A[p + n * k]))
                p = i;
        for (int64_t j = 0; j < n + r; ++j) {
            wide_complex_t *const x = j < n ? A + n * j : X_ + n * (j - n);
            const wide_complex_t t = x[k];
            x[k] = x[p];
            x[p] = t;
        }
        for (int64_t i = 0; i < n; ++i) {
            const wide_complex_t f = A[i + n * k] / A[k + n * k];
            for (int64_t j = k; i != k && j < n; ++j)
                A[i + n * j] -= wide_times(f, A[k + n * j]);
            for (int64_t j = 0; i != k && j < r; ++j)
                X_[i + n * j] -= wide_times(f, X_[k + n * j]);
        }
    }
    for (int64_t j = 0; j < r; ++j)
        for (int64_t k = 0; k < n; ++k)
            X_[k + n * j] /= A[k + n * k];
}

static wide_complex_t *wide_adjoint(mat_t A) { return widened(adjoint(A)); }

/* Y of nonsingular A and B, in some order, with the values sigma: A B^-1 W = U Sigma, so that Y is
 * A^-1 U Sigma / sqrt(1 + sigma^2) */
static wide_complex_t *wide_inverse_x(mat_t A, mat_t B, wide_t *sigma)
{
    const int64_t n = A.rows;
    wide_complex_t *const F = grab((size_t)(n * n) * sizeof *F);
    wide_complex_t *const G = wide_adjoint(A); /* F^H := B^-H A^H            */

    wide_solve(n, wide_adjoint(B), n, G);
    for (int64_t j = 0; j < n; ++j)
        for (int64_t i = 0; i < n; ++i)
            F[i + n * j] = conjl(G[j + n * i]);
    ck_assert(wide_jacobi(n, n, F, NULL));
    for (int64_t j = 0; j < n; ++j)
        sigma[j] = wide_length(n, F + n * j);
    wide_solve(n, widened(A), n, F);
    for (int64_t j = 0; j < n; ++j)
        for (int64_t i = 0; i < n; ++i)
            F[i + n * j] /= sqrtl(1 + sigma[j] * sigma[j]);
    return F;
}

/* The error of y, times 2^e, over the length of x, up to a phase */
static wide_t forward_error(int64_t n, const scalar_t *y, const int *e,
                            const wide_complex_t *x)
{
    wide_complex_t *const t = grab((size_t)n * sizeof *t);
    for (int64_t i = 0; i < n; ++i)
        t[i] = widen(y[i]) * ldexpl(1, e[i]);
    const wide_complex_t c = wide_inner(n, x, t);
    for (int64_t i = 0; i < n; ++i)
        t[i] = t[i] * conjl(c) / cabsl(c) - x[i];
    return wide_length(n, t) / wide_length(n, x);
}

/* |d arctan(alpha/beta)| of a value with vector y, for errors of columns of A and of B that are eps
 * of their lengths each */
static wide_t sensitivity(const sample_t *P, const lengths_t *d,
                          const result_t *r, int64_t j)
{
    wide_t sum = 0;
    for (int64_t i = 0; i < P->A.cols; ++i)
        sum += ((wide_t)r->beta[j] * d->a[i] + (wide_t)r->alpha[j] * d->b[i]) *
               cabsl(widen(AT(r->Q, i, j)));
    return sum * GSVD_EPS;
}

/* Column j of Y has a relative error of cond(X) eps over the gap of its value, whatever the scales
 * of the pair's columns, and so of Y's rows, are: those do not count. */
START_TEST(columns_of_y)
{
    const int far = far_here(_i);
    double worst = 0, most = 0, value = 0;
    equilibrate(GSVD_EQUILIBRATE_ON);
    ask_for(GSVD_FORM_XINV);
    for (uint64_t which = 0; which < 40; ++which) {
        const int n = 2 + (int)which % 9;
        const recipe_t c = {.m = n, .n = n, .p = n, .family = RANKS, .l = n};
        uint64_t seed = which;
        sample_t P = make_pair(&c, 900 + which);
        wide_t *const sigma = grab((size_t)n * sizeof *sigma);
        const wide_complex_t *const Y = wide_inverse_x(P.A, P.B, sigma);
        const double condition = stacked_condition(P.A, P.B, n);
        if (left_out((int)which, 8) || left_out_there((int)which, 4))
            continue;
        const int *const e = scale_both(&P, far, &seed);
        const result_t r = decompose(HOST, 'U', 'V', 'Q', P.A, P.B);
        ck_assert_ok(r.status);
        ck_assert(r.k == 0 && r.l == n);
        for (int j = 0; j < n; ++j) {
            int at = 0;
            wide_t gap = 1;
            for (int i = 0; i < n; ++i) /* its place in extended precision  */
                if (fabsl(atanl(sigma[i]) -
                          atan2l((wide_t)r.alpha[j], (wide_t)r.beta[j])) <
                    fabsl(atanl(sigma[at]) -
                          atan2l((wide_t)r.alpha[j], (wide_t)r.beta[j])))
                    at = i;
            for (int i = 0; i < n; ++i)
                if (i != at)
                    gap = fminl(gap, fabsl(atanl(sigma[i]) - atanl(sigma[at])));
            const double error = (double)forward_error(n, &AT(r.Q, 0, j), e,
                                                       Y + (int64_t)n * at);
            const wide_t angle = atan2l((wide_t)r.alpha[j], (wide_t)r.beta[j]);
            const lengths_t d = lengths_of(&P);
            see(&value, (double)(fabsl(angle - atanl(sigma[at])) /
                                 sensitivity(&P, &d, &r, j)));
            const double bound = n * GSVD_EPS * condition / (double)gap;
            see(&most, error);
            ck_assert_msg(error <= LIMIT * bound, "pair %d, column %d: %.1e",
                          (int)which, j, error);
            see(&worst, error / bound);
        }
        release_pool();
    }
    printf("columns 2^+-%-3d y %.1e, %.2f of n eps cond / gap; values %.2f\n",
           far, most, worst, value);
    ck_assert_ratio(value);
}
END_TEST

/* ---- the other columns, the range, batches ----------------------------------------- */

/* Without scales of columns the vectors behind Y are orthonormal, and orthogonal to Y. */
START_TEST(null_space)
{
    equilibrate(GSVD_EQUILIBRATE_OFF);
    ask_for(GSVD_FORM_XINV);
    for (int c = 0; c < RANKED_; ++c) {
        if (too_large(ranked[c].m, ranked[c].n, ranked[c].p))
            continue;
        const sample_t P = make_pair(&ranked[c], 5);
        const result_t r = decompose(HOST, 'U', 'V', 'Q', P.A, P.B);
        ck_assert_ok(r.status);
        const int64_t rank = r.k + r.l, rest = P.A.cols - rank;
        const mat_t Z = mat_cols(r.Q, rank, rest), Y = mat_cols(r.Q, 0, rank);
        ck_assert_ratio(defect(Z));
        if (rest == 0 || rank == 0)
            continue;
        ck_assert_ratio(norm1(product('C', 'N', Z, Y)) / norm1(Y) /
                        ((double)P.A.cols * GSVD_ULP));
        release_pool();
    }
}
END_TEST

/* U, V, R and the values do not depend on whether Q is asked for, and U and V are those of X. */
START_TEST(other_results)
{
    for (int c = 0; c < RANKED_; ++c)
        for (int far = 0; far < 2; ++far) {
            if (too_large(ranked[c].m, ranked[c].n, ranked[c].p))
                continue;
            sample_t P = make_pair(&ranked[c], 9);
            uint64_t seed = 3;
            if (far)
                (void)scale_both(&P, far_here(2), &seed);
            equilibrate(GSVD_EQUILIBRATE_ON);
            ask_for(GSVD_FORM_XINV);
            const result_t r = decompose(HOST, 'U', 'V', 'Q', P.A, P.B);
            ask_for(GSVD_FORM_X);
            const result_t x = decompose(HOST, 'U', 'V', 'Q', P.A, P.B);
            ck_assert_same(get_R(&r), get_R(&x));
            ck_assert_same(r.U, x.U);
            ck_assert_same(r.V, x.V);
            release_pool();
        }
}
END_TEST

/* Y is as large as the pair is small. */
START_TEST(overflow)
{
    const int e = GSVD_SINGLE ? -140 : -1060, n = 3;
    const mat_t A = identity_mat(n, n), B = identity_mat(n, n);
    for (int i = 0; i < n; ++i)
        AT(A, i, i) = AT(B, i, i) = make(ldexp_r(1, e), 0);
    ask_for(GSVD_FORM_XINV);
    const result_t r = decompose(HOST, 'U', 'V', 'Q', A, B);
    ck_assert_int_eq(r.status, GSVD_OVERFLOW);
    ck_assert_int_eq(r.info, 2);
    const char *const power = strstr(gsvd_last_error(handle), "2^");
    ck_assert(power);
    const int by = atoi(power + 2);
    ck_assert_int_gt(by, 0);
    for (int i = 0; i < n; ++i)
        AT(A, i, i) = AT(B, i, i) = make(ldexp_r(1, e + by), 0);
    const result_t s = decompose(HOST, 'U', 'V', 'Q', A, B);
    ck_assert_ok(s.status);
    ck_assert_same(r.U, s.U);
}
END_TEST

/* A batch gives what each call gives. */
START_TEST(batch)
{
    enum { COUNT = 3 };
    const recipe_t c = {.m = 9, .n = 7, .p = 8, .family = NORMAL};
    const int64_t m = c.m, n = c.n, p = c.p;
    const mat_t A = new_mat(m, COUNT * n), B = new_mat(p, COUNT * n);
    const mat_t U = new_mat(m, COUNT * m), V = new_mat(p, COUNT * p);
    const mat_t Q = new_mat(n, COUNT * n);
    real_t alpha[COUNT * 7], beta[COUNT * 7];
    int64_t k[COUNT], l[COUNT];
    int info[COUNT];
    result_t one[COUNT];

    ask_for(GSVD_FORM_XINV);
    for (int i = 0; i < COUNT; ++i) {
        const sample_t P = make_pair(&c, (uint64_t)i);
        one[i] = decompose(HOST, 'U', 'V', 'Q', P.A, P.B);
        ck_assert_ok(one[i].status);
        for (int64_t j = 0; j < n; ++j) {
            memcpy(&AT(A, 0, i * n + j), &AT(P.A, 0, j),
                   (size_t)m * sizeof(scalar_t));
            memcpy(&AT(B, 0, i * n + j), &AT(P.B, 0, j),
                   (size_t)p * sizeof(scalar_t));
        }
    }
    gsvd_problem_t b = new_problem(GSVD_ROUTINE_GSVD, HOST, "UVQ", m, n, p);
    b.batch = COUNT;
    b.A = as_array(A);
    b.B = as_array(B);
    b.U = as_array(U);
    b.V = as_array(V);
    b.Q = as_array(Q);
    b.A.stride = A.ld * n;
    b.B.stride = B.ld * n;
    b.U.stride = U.ld * m;
    b.V.stride = V.ld * p;
    b.Q.stride = Q.ld * n;
    b.alpha.data = alpha;
    b.beta.data = beta;
    b.k_out = k;
    b.l_out = l;
    b.info = info;
    ck_assert_ok(gsvd_run(handle, &b));
    for (int i = 0; i < COUNT; ++i) {
        ck_assert_int_eq(info[i], 0);
        ck_assert(k[i] == one[i].k && l[i] == one[i].l);
        ck_assert_same(mat_cols(Q, i * n, n), one[i].Q);
        ck_assert_same(mat_cols(U, i * m, m), one[i].U);
    }
}
END_TEST

Suite *make_suite(void)
{
    Suite *const s = suite_create("x_inverse");
    TCase *t = add_tcase(s, "residuals");
    tcase_add_loop_test(t, all_shapes, 0, shapes);
    tcase_add_loop_test(t, all_kinds, 0, kinds);
    tcase_add_loop_test(t, all_ranks, 0, RANKED_);
    tcase_add_loop_test(t, common_scale, 0, FARS);
    tcase_add_loop_test(t, scales_of_each, 0, FARS);
    tcase_add_loop_test(t, ill_conditioned, 0, ILL);
    tcase_add_test(t, null_space);
    t = add_tcase(s, "errors");
    tcase_add_loop_test(t, columns_of_y, 0, FARS);
    t = add_tcase(s, "call");
    tcase_add_test(t, other_results);
    tcase_add_test(t, overflow);
    tcase_add_test(t, batch);
    return s;
}
