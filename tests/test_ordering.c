/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* test_ordering.c -- the orders of pairs: each pair once in a sweep, disjoint in a step. */
#include <string.h>

#include "harness/plain.h"
#include "jacobi/ordering.h"

enum { MOST = 130 };

/* Who is busy in a step, and how often each p met each q >= p */
typedef struct met {
    int busy[MOST], times[MOST][MOST];
} met_t;

/* p meets q, or itself; returns whether both are columns of n that were free. */
static int meet(met_t *met, int64_t n, int64_t p, int64_t q)
{
    if (p < 0 || p >= n || q < 0 || q >= n || met->busy[p] || met->busy[q])
        return 0;
    met->busy[p] = met->busy[q] = 1;
    ++met->times[p < q ? p : q][p < q ? q : p];
    return 1;
}

/* Did each column meet each other one once, and itself so many times? */
static int have_met(const met_t *met, int64_t n, int itself)
{
    int all = 1;
    for (int64_t p = 0; p < n; ++p)
        for (int64_t q = p; q < n; ++q)
            all = all && met->times[p][q] == (p < q ? 1 : itself);
    return all;
}

START_TEST(modulus)
{
    const int64_t n = _i;
    met_t met = {{0}, {{0}}};
    for (int64_t step = 0; step < ordering_steps(n); ++step) {
        int right = 1;
        memset(met.busy, 0, sizeof met.busy);
        for (int64_t i = 0; i < ordering_pairs(n, step); ++i) {
            int64_t p = -1, q = -1;
            const int two = ordering_pair(n, step, i, &p, &q);
            right = right && p <= q && two == (p < q) &&
                    ordering_partner(n, step, p) == q &&
                    ordering_partner(n, step, q) == p && meet(&met, n, p, q);
        }
        ck_assert_msg(right, "step %ld", (long)step);
    }
    ck_assert(have_met(&met, n, 1));
}
END_TEST

/* of 2 _i columns */
START_TEST(round_robin)
{
    const int64_t n = 2 * _i;
    met_t met = {{0}, {{0}}};
    for (int64_t step = 0; step < n - 1; ++step) {
        int right = 1;
        memset(met.busy, 0, sizeof met.busy);
        for (int64_t i = 0; i < n / 2; ++i) {
            int64_t p = -1, q = -1;
            round_robin_pair(n, step, i, &p, &q);
            right = right && meet(&met, n, p, q);
        }
        ck_assert_msg(right, "step %ld", (long)step);
    }
    ck_assert(have_met(&met, n, 0));
}
END_TEST

/* Brent and Luk's order for 8, by hand: the first of each column stays or moves right, the
 * second moves left. */
START_TEST(round_robin_by_hand)
{
    static const char *const steps[] = {"01234567", "03152746", "05371624",
                                        "07563412"};
    for (int step = 0; step < 4; ++step)
        for (int i = 0; i < 4; ++i) {
            int64_t p, q;
            round_robin_pair(8, step, i, &p, &q);
            ck_assert_int_eq(p, steps[step][2 * i] - '0');
            ck_assert_int_eq(q, steps[step][2 * i + 1] - '0');
        }
}
END_TEST

Suite *make_suite(void)
{
    Suite *s = suite_create("ordering");
    TCase *t = add_tcase(s, "ordering");
    tcase_add_loop_test(t, modulus, 0, MOST + 1);
    tcase_add_loop_test(t, round_robin, 1, MOST / 2 + 1);
    tcase_add_test(t, round_robin_by_hand);
    return s;
}
