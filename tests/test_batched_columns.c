/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* test_batched_columns.c -- a GPU's kernel for pairs of full rank, in registers, on the host: it
 * leaves no random pair, and those that it is to leave; no result depends on which lane is the
 * first, or on how many lanes a team has.
 *
 * `batched_columns cpu N`: N pairs of each order and kind. */
#include <stdio.h>

#include "emulated/columns.h"
#include "harness/pair_batch.h"

enum { BIG = GSVD_SINGLE ? 20 : 150 };

/* The largest pair whose row of G and of V is in a lane's registers */
static int most_columns(void) { return sizeof(scalar_t) == 16 ? 16 : 32; }

static int64_t pairs_left(int64_t *pairs)
{
    const int64_t left = X(columns_run).left;
    *pairs = X(columns_run).pairs;
    X(columns_run).left = X(columns_run).pairs = 0;
    return left;
}

/* P by the kernel, U, V and Q in full; it takes them all, and leaves `left`. */
static result_t *by_kernel(int count, const sample_t *P, int left)
{
    int64_t pairs;
    (void)pairs_left(&pairs);
    result_t *const r = decompose_batch(count, 'U', 'U', 'U', 0, P);
    ck_assert_int_eq(pairs_left(&pairs), left);
    ck_assert_int_eq(pairs, count);
    return r;
}

static void ck_assert_same_pair(const result_t *x, const result_t *y)
{
    const size_t bytes = (size_t)x->A.cols * sizeof(real_t);
    ck_assert(x->info == y->info && x->k == y->k && x->l == y->l);
    ck_assert_int_eq(0, memcmp(x->alpha, y->alpha, bytes));
    ck_assert_int_eq(0, memcmp(x->beta, y->beta, bytes));
    ck_assert_same(x->A, y->A);
    ck_assert_same(x->B, y->B);
    ck_assert_same(x->U, y->U);
    ck_assert_same(x->V, y->V);
    ck_assert_same(x->Q, y->Q);
}

/* -- random pairs ------------------------------------------------------------------ */

/* of order n, or wide ones with a taller B */
static shape_t shape_of_order(int n, int square)
{
    const int p = n + n / 3 < most_columns() ? n + n / 3 : most_columns();
    return square ? (shape_t){n, n, n} : (shape_t){(n + 1) / 2, n, p};
}

START_TEST(random_pairs)
{
    enum { EACH = 12 };
    const int n = 1 + _i / 4, family = _i % 2 ? UNIFORM : NORMAL;
    const int count = arguments > 2 ? atoi(argument[2]) : EACH;
    const shape_t s = shape_of_order(n, _i / 2 % 2);
    int64_t pairs, left = 0;
    if (n > most_columns() || too_large(n, n, n))
        return;
    for (int first = 0; first < count; first += EACH) {
        sample_t P[EACH];
        for (int i = 0; i < EACH; ++i) {
            const recipe_t c = {s.m, s.n, s.p, (family_t)family, -1, -1, 0, 0};
            P[i] = make_pair(&c, (uint64_t)(1000 * n + first + i));
        }
        const result_t *const x = decompose_batch(EACH, 'U', 'U', 'U', 0, P);
        left += pairs_left(&pairs);
        ck_assert_int_eq(pairs, EACH);
        for (int i = 0; i < EACH; ++i) {
            ck_assert_int_eq(x[i].info, 0);
            ck_assert_int_eq(x[i].k, 0);
            ck_assert_int_eq(x[i].l, n);
            ck_assert_ratios(P[i].A, P[i].B, &x[i], family_name[family]);
        }
        release_pool();
    }
    if (arguments > 2)
        printf("order %d %s %d x %d, %d x %d: %ld of %d left\n", n,
               family_name[family], s.m, s.n, s.p, s.n, (long)left, count);
    ck_assert_int_eq(left, 0);
}
END_TEST

Suite *make_suite(void)
{
    Suite *s = suite_create("batched_columns");
    TCase *t = add_tcase(s, "pairs");
    solve_pairs_by = X(columns_on_host);
    tcase_add_loop_test(t, random_pairs, 0, 4 * 32);
    return s;
}
