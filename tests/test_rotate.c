/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* test_rotate.c -- one rotation makes two columns orthogonal; the formulas of one
 * value pair. */
#include "core/rotate.h"
#include "core/value_pair.h"
#include "harness/harness.h"

enum { ROWS = 4 };

/* two columns of ROWS entries in more than working precision */
typedef struct columns {
    long double x[2 * ROWS], y[2 * ROWS]; /* re, im, re, im, ..              */
} columns_t;

static void dot(const long double *x, const long double *y, long double *r,
                long double *i)
{
    *r = *i = 0;
    for (int k = 0; k < 2 * ROWS; k += 2) {
        *r += x[k] * y[k] + x[k + 1] * y[k + 1];
        *i += x[k] * y[k + 1] - x[k + 1] * y[k];
    }
}

static long double square(const long double *x)
{
    long double r, i;
    dot(x, x, &r, &i);
    return r;
}

static void rotate(columns_t *g, const rotation_t *r)
{
    for (int k = 0; k < 2 * ROWS; k += 2) {
        const long double a = g->x[k], b = g->x[k + 1];
        const long double wr = re(r->w), wi = im(r->w);
        const long double f = wr * g->y[k] - wi * g->y[k + 1];
        const long double h = wr * g->y[k + 1] + wi * g->y[k];
        const long double x[2] = {r->c * a - r->s * f, r->c * b - r->s * h};
        const long double y[2] = {r->s * a + r->c * f, r->s * b + r->c * h};
        for (int i = 0; i < 2; ++i) {
            g->x[k + i] = r->swap ? y[i] : x[i];
            g->y[k + i] = r->swap ? x[i] : y[i];
        }
    }
}

/* first: a random unit vector; second: cosine times the first and the rest of
 * the length across; lengths given */
static columns_t make_columns(double length1, double length2, double cosine,
                              uint64_t *seed)
{
    columns_t g;
    long double r, i, n;
    for (int k = 0; k < 2 * ROWS; k += 2) {
        const scalar_t a = random_normal_scalar(seed);
        const scalar_t b = random_normal_scalar(seed);
        g.x[k] = re(a), g.x[k + 1] = im(a);
        g.y[k] = re(b), g.y[k + 1] = im(b);
    }
    n = sqrtl(square(g.x));
    for (int k = 0; k < 2 * ROWS; ++k)
        g.x[k] /= n;
    dot(g.x, g.y, &r, &i);
    for (int k = 0; k < 2 * ROWS; k += 2) {
        const long double a = g.x[k], b = g.x[k + 1];
        g.y[k] -= r * a - i * b;
        g.y[k + 1] -= r * b + i * a;
    }
    n = sqrtl(square(g.y));
    for (int k = 0; k < 2 * ROWS; ++k) {
        g.y[k] =
            cosine * g.x[k] + sqrtl((1 - cosine) * (1 + cosine)) * g.y[k] / n;
        g.y[k] *= length2;
    }
    for (int k = 0; k < 2 * ROWS; ++k)
        g.x[k] *= length1;
    return g;
}

static rotation_t rotation_of(const columns_t *g, double tol)
{
    long double r, i;
    dot(g->x, g->y, &r, &i);
    return jacobi_rotation((real_t)square(g->x), (real_t)square(g->y),
                           make((real_t)r, (real_t)i), (real_t)tol);
}

/* lengths as decimal exponents, scaled with the precision; cosine */
static const struct {
    int e1, e2;
    double cosine;
} sample[] = {
    {0, 0, 0.5},    {0, 0, -0.5},   {0, 0, 1e-3},     {0, 0, 0.999999},
    {0, 0, -1},     {0, 0, 1},      {1, 0, 0.5},      {0, 1, 0.5},
    {-10, 0, 0.5},  {0, -10, 0.5},  {-30, 0, 0.9},    {0, -30, -0.9},
    {-60, 0, 0.1},  {0, -60, 0.1},  {40, 0, 0.7},     {0, 40, 0.7},
    {40, -60, 0.3}, {-60, 40, 0.3}, {-60, -60, 1e-2}, {40, 40, 1e-2},
    {0, 0, 1e-6},   {5, 0, 1e-6},   {0, 5, 1e-6},
};
enum { SAMPLES = sizeof sample / sizeof *sample };

START_TEST(columns_become_orthogonal)
{
    uint64_t seed = 17 + (uint64_t)_i;
    for (int repeat = 0; repeat < 200; ++repeat) {
        const double x = pow(10, decimal(sample[_i].e1));
        const double y = pow(10, decimal(sample[_i].e2));
        columns_t g = make_columns(x, y, sample[_i].cosine, &seed);
        const rotation_t r = rotation_of(&g, 0);
        long double a, b;

        ck_assert_int_eq(r.rotate, 1);
        ck_assert(fabs((double)r.c * r.c + (double)r.s * r.s - 1) <
                  4 * GSVD_ULP);
        ck_assert(fabs((double)abs_of(r.w) - 1) < 4 * GSVD_ULP);
        ck_assert(r.c > 0.7 && fabs_r(r.s) < 0.7072);

        rotate(&g, &r);
        dot(g.x, g.y, &a, &b);
        ck_assert_msg(hypotl(a, b) <= 8 * GSVD_ULP * x * y, "cosine %Lg ulp",
                      hypotl(a, b) / x / y / GSVD_ULP);
        ck_assert(square(g.x) >=
                  ROTATE_SHORTER * square(g.y) * (1 - 16 * GSVD_ULP) -
                      16 * GSVD_ULP * fmin(x, y) * fmin(x, y));
    }
}
END_TEST

/* by the three shears of vector_turn */
static void turn(columns_t *g, const rotation_t *r)
{
    const long double s = r->s, t = s / (1 + (long double)r->c);
    for (int k = 0; k < 2 * ROWS; k += 2) {
        const long double wr = re(r->w), wi = im(r->w);
        const long double z[2] = {wr * g->y[k] - wi * g->y[k + 1],
                                  wr * g->y[k + 1] + wi * g->y[k]};
        for (int i = 0; i < 2; ++i) {
            g->x[k + i] += t * z[i];
            g->y[k + i] = z[i] + s * g->x[k + i];
            g->x[k + i] += t * g->y[k + i];
        }
    }
}

/* An error of tanh 2phi of one ulp leaves a product of ulp cosh 2phi. */
START_TEST(columns_of_unequal_sign_become_orthogonal)
{
    uint64_t seed = 17 + (uint64_t)_i;
    for (int repeat = 0; repeat < 200; ++repeat) {
        const double x = pow(10, decimal(sample[_i].e1));
        const double y = pow(10, decimal(sample[_i].e2));
        columns_t g = make_columns(x, y, sample[_i].cosine, &seed);
        const double before = (double)square(g.x) - (double)square(g.y);
        const double longer = fmax(x, y);
        long double a, b;

        dot(g.x, g.y, &a, &b);
        const rotation_t r =
            hyperbolic_rotation((real_t)square(g.x), (real_t)square(g.y),
                                make((real_t)a, (real_t)b), 0);
        const double c = r.c, s = r.s, cosh2 = c * c + s * s;
        ck_assert_int_eq(r.rotate, 1);
        ck_assert_int_eq(r.swap, 0);
        ck_assert(c >= 1 && s < 0);
        ck_assert(fabs((c - s) * (c + s) - 1) < 4 * GSVD_ULP * cosh2);
        turn(&g, &r);
        ck_assert(fabs((double)square(g.x) - (double)square(g.y) - before) <=
                  8 * GSVD_ULP * cosh2 * longer * longer);
        if (fabs(sample[_i].cosine) == 1)
            continue; /* They have no rotation that makes them orthogonal.   */
        dot(g.x, g.y, &a, &b);
        ck_assert_msg(hypotl(a, b) <= 8 * GSVD_ULP * cosh2 * x * y,
                      "cosine %Lg ulp", hypotl(a, b) / x / y / GSVD_ULP);
    }
}
END_TEST

/* of equal columns tanh 2phi would be -1, and tanh phi is set to -1/2 */
START_TEST(equal_columns_of_unequal_sign)
{
    rotation_t r = hyperbolic_rotation(1, 1, make(1, 0), GSVD_EPS);
    ck_assert(r.rotate && !r.swap && re(r.w) == 1);
    ck_assert(fabs((double)r.c - 2 / sqrt(3)) < 4 * GSVD_ULP);
    ck_assert(fabs((double)r.s + 1 / sqrt(3)) < 4 * GSVD_ULP);
    r = hyperbolic_rotation(1, 4, make(0, 0), GSVD_EPS);
    ck_assert(!r.rotate && !r.swap && r.c == 1 && r.s == 0);
    r = hyperbolic_rotation(0, 1, make(0, 0), GSVD_EPS);
    ck_assert(!r.rotate && !r.swap && r.c == 1 && r.s == 0);
}
END_TEST

START_TEST(orthogonal_columns_stay)
{
    const double tol = 4 * GSVD_EPS;
    const scalar_t small = make((real_t)tol, 0),
                   more = make((real_t)(8 * tol), 0);
    rotation_t r = jacobi_rotation(1, 1, small, (real_t)tol);
    ck_assert_int_eq(r.rotate, 0);
    ck_assert_int_eq(r.swap, 0);
    ck_assert(r.c == 1 && r.s == 0 && re(r.w) == 1 && im(r.w) == 0);
    r = jacobi_rotation(1, 1, more, (real_t)tol);
    ck_assert_int_eq(r.rotate, 1);
}
END_TEST

/* orthogonal, the longer one second: only their places change */
START_TEST(longer_column_goes_first)
{
    rotation_t r = jacobi_rotation(1, 4, make(0, 0), GSVD_EPS);
    ck_assert(!r.rotate && r.swap && r.c == 1 && r.s == 0);
    r = jacobi_rotation(4, 1, make(0, 0), GSVD_EPS);
    ck_assert(!r.rotate && !r.swap);
    r = jacobi_rotation(4, 4, make(0, 0), GSVD_EPS);
    ck_assert(!r.rotate && !r.swap);
}
END_TEST

START_TEST(zero_columns)
{
    rotation_t r = jacobi_rotation(0, 0, make(0, 0), GSVD_EPS);
    ck_assert(!r.rotate && !r.swap && r.c == 1 && r.s == 0);
    r = jacobi_rotation(0, 1, make(0, 0), GSVD_EPS);
    ck_assert(!r.rotate && r.swap);
    r = jacobi_rotation(1, 0, make(0, 0), GSVD_EPS);
    ck_assert(!r.rotate && !r.swap);
    /* lengths whose squares underflow */
    r = jacobi_rotation(1, GSVD_SAFMIN / 4, make(0, 0), 0);
    ck_assert(!r.rotate && !r.swap && r.c == 1 && r.s == 0);
}
END_TEST

/* So short beside the other that cot 2phi overflows: nothing turns, and no sweep goes on for it. */
START_TEST(angle_without_representation)
{
    const real_t longest = GSVD_REAL_MAX / 8, shortest = 8 * ROTATE_TINY;
    const real_t tol = 4 * GSVD_EPS;
    const real_t h = 2 * tol * sqrt_r(longest) * sqrt_r(shortest);
    rotation_t r = jacobi_rotation(longest, shortest, make(h, 0), tol);
    ck_assert(!r.rotate && !r.swap && r.c == 1 && r.s == 0);
    r = jacobi_rotation(shortest, longest, make(h, 0), tol);
    ck_assert(!r.rotate && r.swap && r.c == 1 && r.s == 0);
    r = jacobi_rotation(1, 1, make(2 * tol, 0), tol);
    ck_assert(r.rotate);
}
END_TEST

/* equal columns: one becomes twice as long squared, the other zero */
START_TEST(equal_columns)
{
    const rotation_t r = jacobi_rotation(1, 1, make(1, 0), GSVD_EPS);
    ck_assert(r.rotate && r.swap);
    ck_assert(fabs((double)r.c - sqrt(0.5)) < 2 * GSVD_ULP);
    ck_assert(fabs((double)r.s - sqrt(0.5)) < 2 * GSVD_ULP);
}
END_TEST

START_TEST(unit_pairs)
{
    const int far = GSVD_SINGLE ? 100 : 1000;
    for (int e = -far; e <= far; e += far / 10) {
        real_t c = ldexp_r(3, e), s = ldexp_r(4, e);
        value_pair_unit(&c, &s);
        ck_assert(fabs_r(c - (real_t)0.6) <= GSVD_ULP);
        ck_assert(fabs_r(s - (real_t)0.8) <= GSVD_ULP);
    }
    real_t c = 0, s = 0;
    value_pair_unit(&c, &s);
    ck_assert(c == 0 && s == 1);
}
END_TEST

START_TEST(larger_value_from_the_smaller)
{
    real_t c = (real_t)0.28, s = 0;
    s = (real_t)0.95; /* about right */
    value_pair_complete(&c, &s);
    ck_assert(c == (real_t)0.28 && fabs_r(s - (real_t)0.96) <= 2 * GSVD_ULP);
    c = (real_t)0.95;
    s = (real_t)0.28;
    value_pair_complete(&c, &s);
    ck_assert(s == (real_t)0.28 && fabs_r(c - (real_t)0.96) <= 2 * GSVD_ULP);
    c = 0, s = 1 - GSVD_ULP;
    value_pair_complete(&c, &s);
    ck_assert(c == 0 && s == 1);
    c = 1 + GSVD_ULP, s = 0;
    value_pair_complete(&c, &s);
    ck_assert(c == 1 && s == 0);
}
END_TEST

/* (2^ea c, 2^eb s) = g 2^e (alpha, beta) */
START_TEST(weighed_pairs)
{
    static const int far[] = {-1000, -500, -60, -1, 0, 1, 60, 500, 1000};
    const int shrink = GSVD_SINGLE ? 8 : 1;
    for (int i = 0; i < 9; ++i)
        for (int j = 0; j < 9; ++j) {
            const int ea = far[i] / shrink, eb = far[j] / shrink;
            const long double a = ldexpl(0.6L, ea), b = ldexpl(0.8L, eb);
            const long double length = hypotl(a, b);
            real_t alpha, beta, g;
            int e;
            value_pair_of_caller(ea, eb, (real_t)0.6, (real_t)0.8, &alpha,
                                 &beta, &g, &e);
            ck_assert(g >= 0.5 && g < 4);
            ck_assert(fabsl(ldexpl(g, e) / length - 1) < 4 * GSVD_ULP);
            ck_assert(fabsl(alpha - a / length) <=
                      4 * GSVD_ULP * (a / length) + 4 * GSVD_SAFMIN * GSVD_ULP);
            ck_assert(fabsl(beta - b / length) <=
                      4 * GSVD_ULP * (b / length) + 4 * GSVD_SAFMIN * GSVD_ULP);
        }
}
END_TEST

START_TEST(weighed_pairs_with_a_zero)
{
    real_t alpha, beta, g;
    int e;
    value_pair_of_caller(500, -500, 1, 0, &alpha, &beta, &g, &e);
    ck_assert(alpha == 1 && beta == 0 && g == 1 && e == 500);
    value_pair_of_caller(500, -500, 0, 1, &alpha, &beta, &g, &e);
    ck_assert(alpha == 0 && beta == 1 && g == 1 && e == -500);
}
END_TEST

Suite *make_suite(void)
{
    Suite *s = suite_create("rotate");
    TCase *t = add_tcase(s, "rotation");
    tcase_add_loop_test(t, columns_become_orthogonal, 0, SAMPLES);
    tcase_add_loop_test(t, columns_of_unequal_sign_become_orthogonal, 0,
                        SAMPLES);
    tcase_add_test(t, equal_columns_of_unequal_sign);
    tcase_add_test(t, orthogonal_columns_stay);
    tcase_add_test(t, longer_column_goes_first);
    tcase_add_test(t, zero_columns);
    tcase_add_test(t, angle_without_representation);
    tcase_add_test(t, equal_columns);
    t = add_tcase(s, "values");
    tcase_add_test(t, unit_pairs);
    tcase_add_test(t, larger_value_from_the_smaller);
    tcase_add_test(t, weighed_pairs);
    tcase_add_test(t, weighed_pairs_with_a_zero);
    return s;
}
