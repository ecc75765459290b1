/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* test_ordering.c -- orderings of pairs: each pair once in a sweep, disjoint in a step;
 * the tables are what algorithm 3.1 of Novakovic 2015 finds. */
#include <string.h>

#include "harness/plain.h"
#include "jacobi/orderings.h"

enum { MOST = 130 };

static const char *const name[ORDERINGS] = {
    "modulus", "modified modulus", "Brent-Luk",       "rows",
    "columns", "mirrored rows",    "mirrored columns"};

/* How often p and q meet in a sweep, p < q */
static int times(ordering_t ordering, int64_t n, int64_t p, int64_t q)
{
    return ordering == ORDERING_MODIFIED_MODULUS && n % 2 == 0 && q - p == n / 2
               ? 2
               : 1;
}

static void check_order(ordering_t ordering, int64_t n)
{
    static int met[MOST][MOST];
    const int64_t width = gsvd_ordering_width(ordering, n);
    memset(met, 0, sizeof met);
    for (int64_t step = 0; step < gsvd_ordering_steps(ordering, n); ++step) {
        int busy[MOST] = {0};
        for (int64_t i = 0; i < width; ++i) {
            int64_t p, q;
            if (!gsvd_ordering_pair(ordering, n, step, i, &p, &q))
                continue;
            ck_assert(0 <= p && p < q && q < n);
            ck_assert_msg(!busy[p]++ && !busy[q]++, "%s, n = %d, step %d",
                          name[ordering], (int)n, (int)step);
            ++met[p][q];
        }
    }
    for (int64_t p = 0; p < n; ++p)
        for (int64_t q = p + 1; q < n; ++q)
            ck_assert_msg(met[p][q] == times(ordering, n, p, q),
                          "%s, n = %d: %d and %d meet %d times", name[ordering],
                          (int)n, (int)p, (int)q, met[p][q]);
}

START_TEST(each_pair_once)
{
    for (int64_t n = 1; n <= MOST; ++n)
        check_order((ordering_t)_i, n);
}
END_TEST

/* ---- algorithm 3.1 ------------------------------------------------------------ */

enum { ORDER = 18, ALL = ORDER * (ORDER - 1) / 2 };

/* The pairs of order n in the order of a cyclic strategy, and which are in a step that
 * was chosen; the steps */
typedef struct search {
    int n, pairs;
    int p[ALL], q[ALL], taken[ALL];
    int step[ORDER][ORDER / 2];
} search_t;

/* Completes the step from its pair k on, then all steps that follow: the first
 * sequence that there is.  busy: the indices that the step has. */
static int complete(search_t *s, int step, int k, int from, unsigned busy)
{
    if (k == s->n / 2) {
        if (step == s->n - 2)
            return 1;
        ++step;
        k = from = 0;
        busy = 0;
    }
    for (int i = from; i < s->pairs; ++i) {
        const unsigned two = 1U << s->p[i] | 1U << s->q[i];
        if (s->taken[i] || (busy & two))
            continue;
        s->taken[i] = 1;
        s->step[step][k] = i;
        if (complete(s, step, k + 1, i + 1, busy | two))
            return 1;
        s->taken[i] = 0;
    }
    return 0;
}

static void search_nearest(search_t *s, int n, int by_columns)
{
    memset(s, 0, sizeof *s);
    s->n = n;
    for (int a = 0; a < n; ++a)
        for (int b = by_columns ? 0 : a + 1; b < (by_columns ? a : n); ++b) {
            s->p[s->pairs] = by_columns ? b : a;
            s->q[s->pairs++] = by_columns ? a : b;
        }
    ck_assert(complete(s, 0, 0, 0, 0));
}

/* Orders 2, 6, ... 18 are tables, the others doubled: for these algorithm 3.2 gives what
 * algorithm 3.1 finds. */
START_TEST(nearest_to_cyclic)
{
    static search_t s;
    for (int n = 2; n <= ORDER; n += 2)
        for (int by_columns = 0; by_columns < 2; ++by_columns) {
            search_nearest(&s, n, by_columns);
            for (int step = 0; step < n - 1; ++step)
                for (int i = 0; i < n / 2; ++i) {
                    const int pair = s.step[step][i];
                    int64_t p, q;
                    ck_assert(gsvd_ordering_pair(by_columns ? ORDERING_COLUMNS
                                                            : ORDERING_ROWS,
                                                 n, step, i, &p, &q));
                    ck_assert_int_eq(p, s.p[pair]);
                    ck_assert_int_eq(q, s.q[pair]);
                    ck_assert(gsvd_ordering_pair(
                        by_columns ? ORDERING_COLUMNS_MIRRORED
                                   : ORDERING_ROWS_MIRRORED,
                        n, n - 2 - step, n / 2 - 1 - i, &p, &q));
                    ck_assert_int_eq(p, s.p[pair]);
                    ck_assert_int_eq(q, s.q[pair]);
                }
        }
}
END_TEST

/* Brent and Luk's order for 8, by hand: the first of each column stays or moves right, the
 * second moves left. */
START_TEST(brent_luk_by_hand)
{
    static const char *const steps[] = {"01234567", "03152746", "05371624",
                                        "07563412"};
    for (int step = 0; step < 4; ++step)
        for (int i = 0; i < 4; ++i) {
            const int a = steps[step][2 * i] - '0',
                      b = steps[step][2 * i + 1] - '0';
            int64_t p, q;
            ck_assert(
                gsvd_ordering_pair(ORDERING_BRENT_LUK, 8, step, i, &p, &q));
            ck_assert_int_eq(p, a < b ? a : b);
            ck_assert_int_eq(q, a < b ? b : a);
        }
}
END_TEST

Suite *make_suite(void)
{
    Suite *s = suite_create("ordering");
    TCase *t = add_tcase(s, "ordering");
    tcase_add_loop_test(t, each_pair_once, 0, ORDERINGS);
    tcase_add_test(t, nearest_to_cyclic);
    tcase_add_test(t, brent_luk_by_hand);
    return s;
}
