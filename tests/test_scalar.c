/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* test_scalar.c -- the words of scalar.h and the sum of squares. */
#include "core/sumsq.h"
#include "harness/harness.h"

static int is(scalar_t a, double x, double y)
{
    return re(a) == (real_t)x && im(a) == (GSVD_COMPLEX ? (real_t)y : 0);
}

START_TEST(parts)
{
    ck_assert(is(make(3, 4), 3, 4));
    ck_assert(is(conj_of(make(3, 4)), 3, -4));
    ck_assert(is(add(make(1, 2), make(10, 20)), 11, 22));
    ck_assert(is(sub(make(1, 2), make(10, 20)), -9, -18));
    ck_assert(is(scale(-2, make(3, 4)), -6, -8));
}
END_TEST

START_TEST(lengths)
{
    ck_assert(abs_of(make(-3, 4)) == (GSVD_COMPLEX ? 5 : 3));
    ck_assert(abs2(make(-3, 4)) == (GSVD_COMPLEX ? 25 : 9));
    ck_assert(abs_max(make(-3, 2)) == 3);
    ck_assert(abs_max(make(-3, -4)) == (GSVD_COMPLEX ? 4 : 3));
    /* no square is formed */
    const real_t big = GSVD_REAL_MAX / 4;
    ck_assert(isfinite(abs_of(make(big, big))));
    ck_assert(abs_of(make(GSVD_SAFMIN, 0)) == GSVD_SAFMIN);
}
END_TEST

START_TEST(products)
{
    const scalar_t a = make(1, 2), b = make(3, -5), c = make(7, 11);
    const double x = GSVD_COMPLEX ? 13 : 3, y = 1;
    ck_assert(is(mul(a, b), x, y));
    ck_assert(is(mul_add(a, b, c), x + 7, y + 11));
    ck_assert(is(mul(conj_of(a), a), GSVD_COMPLEX ? 5 : 1, 0));
}
END_TEST

/* a b / b, and a number without its length */
START_TEST(quotients)
{
    const scalar_t b = make(3, 4), a = mul(make(-2, 1), b);
    ck_assert(abs_of(sub(quotient(a, b), make(-2, 1))) <= 4 * GSVD_ULP);
    ck_assert(abs_of(sub(scale(abs_of(b), direction(b)), b)) <= 8 * GSVD_ULP);
    ck_assert(re(direction(make(-7, 0))) == -1);
    ck_assert(re(direction(make(0, 0))) == 1);
}
END_TEST

START_TEST(mul_add_rounds_once_in_real_arithmetic)
{
    /* (1 + ulp)^2 - (1 + 2 ulp) = ulp^2, lost if the product is rounded */
    const real_t u = GSVD_ULP;
    ck_assert(is(mul_add(make(1 + u, 0), make(1 + u, 0), make(-(1 + 2 * u), 0)),
                 (double)u * u, 0));
}
END_TEST

static real_t norm_of(const scalar_t *x, int n)
{
    sumsq_t s = {0, 0, 0};
    for (int i = 0; i < n; ++i)
        sumsq_add(&s, x[i]);
    return sumsq_norm(s);
}

/* 3 and 4 at every power of two that leaves the norm representable */
START_TEST(norm_at_every_scale)
{
    const int lowest = GSVD_SINGLE ? -120 : -1015;
    const int highest = GSVD_SINGLE ? 124 : 1020;
    for (int e = lowest; e <= highest; ++e) {
        const scalar_t x[2] = {make(ldexp_r(3, e), 0), make(ldexp_r(-4, e), 0)};
        const real_t expected = ldexp_r(5, e);
        ck_assert_msg(fabs_r(norm_of(x, 2) - expected) <=
                          4 * GSVD_EPS * expected,
                      "2^%d: %g", e, (double)(norm_of(x, 2) / expected));
    }
}
END_TEST

/* entries so far apart that their squares are in different accumulators */
START_TEST(norm_across_scales)
{
    const int far = GSVD_SINGLE ? 100 : 900;
    for (int e = -far; e <= far; e += 10)
        for (int f = -far; f <= far; f += 10) {
            const scalar_t x[2] = {make(ldexp_r(3, e), 0),
                                   make(ldexp_r(4, f), 0)};
            const double expected = hypot(ldexp(3, e), ldexp(4, f));
            ck_assert_msg(fabs((double)norm_of(x, 2) - expected) <=
                              8 * GSVD_EPS * expected,
                          "2^%d, 2^%d", e, f);
        }
}
END_TEST

START_TEST(norm_of_nothing)
{
    const scalar_t zero = make(0, 0);
    ck_assert(norm_of(NULL, 0) == 0);
    ck_assert(norm_of(&zero, 1) == 0);
}
END_TEST

Suite *make_suite(void)
{
    Suite *s = suite_create("scalar");
    TCase *t = add_tcase(s, "words");
    tcase_add_test(t, parts);
    tcase_add_test(t, lengths);
    tcase_add_test(t, products);
    tcase_add_test(t, quotients);
    tcase_add_test(t, mul_add_rounds_once_in_real_arithmetic);
    t = add_tcase(s, "sum of squares");
    tcase_add_test(t, norm_at_every_scale);
    tcase_add_test(t, norm_across_scales);
    tcase_add_test(t, norm_of_nothing);
    return s;
}
