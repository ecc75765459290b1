/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* test_batched_columns.c -- a GPU's kernel for pairs of full rank, in registers, there or on the
 * host: of random pairs it leaves those alone whose B has a value below the tolerance, and all
 * that it is to leave; on the host no result depends on which lane is the first.
 *
 * `batched_columns cpu N`: N pairs of each order and kind. */
#include <stdio.h>

#include "emulated/columns.h"
#include "harness/pair_batch.h"

/* The largest pair whose row of G and of V is in a lane's registers */
enum { MOST = 32 };

/* Of those since the last call: how many the kernel got, and how many it has left */
static int64_t pairs_left(int64_t *pairs)
{
    static unsigned before[WAYS];
    unsigned now[WAYS];
    if (on_device)
        count_ways(handle, &now);
    else
        memcpy(now, X(columns_run).way, sizeof now);
    const int64_t left = now[WAY_PAIR_LEFT] - before[WAY_PAIR_LEFT];
    *pairs = left + now[WAY_PAIR_COLUMNS] - before[WAY_PAIR_COLUMNS];
    memcpy(before, now, sizeof now);
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

/* -- random pairs ------------------------------------------------------------------ */

/* of order n, or wide ones with a taller B */
static shape_t shape_of_order(int n, int square)
{
    const int p = n + n / 3 < MOST ? n + n / 3 : MOST;
    return square ? (shape_t){n, n, n} : (shape_t){(n + 1) / 2, n, p};
}

START_TEST(random_pairs)
{
    enum { EACH = 12 };
    const int n = 1 + _i / 4, family = _i % 2 ? UNIFORM : NORMAL;
    const int count = arguments > 2 ? atoi(argument[2]) : EACH;
    const shape_t s = shape_of_order(n, _i / 2 % 2);
    int64_t pairs, left = 0, deficient = 0;
    (void)pairs_left(&pairs);
    if (n > MOST || too_large(n, n, n))
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
            ck_assert_int_eq(x[i].k + x[i].l, n);
            deficient += x[i].l < n;
            if (x[i].l == n)
                ck_assert_ratios(P[i].A, P[i].B, &x[i], family_name[family]);
        }
        release_pool();
    }
    if (arguments > 2)
        printf("order %d %s %d x %d, %d x %d: %ld of %d left, %ld of them of "
               "lower rank\n",
               n, family_name[family], s.m, s.n, s.p, s.n, (long)left, count,
               (long)deficient);
    ck_assert_int_eq(left, deficient);
}
END_TEST

/* -- whatever comes first ------------------------------------------------------------ */

static const shape_t columns_shape[] = {
    {1, 1, 1},    {2, 3, 4},    {5, 5, 5},    {7, 7, 8},    {8, 8, 8},
    {3, 8, 8},    {4, 9, 11},   {13, 14, 15}, {16, 16, 16}, {1, 16, 16},
    {17, 17, 17}, {11, 21, 30}, {31, 31, 32}, {32, 32, 32}, {2, 32, 32}};
enum { COLUMNS_SHAPES = sizeof columns_shape / sizeof *columns_shape };

static void make_families(shape_t s, sample_t *P)
{
    for (int f = 0; f < FAMILIES; ++f) {
        const int l = s.n - (f > EXTREME && s.n > 1);
        const recipe_t c = {
            s.m, s.n, s.p, (family_t)f, 0, l, f % 3 * 150 - 150, f % 2 * 150};
        P[f] = make_pair(&c, 17);
    }
}

/* All families in one batch, so that teams of a warp do different things: the same bits with the
 * last lane first, and the same values without vectors */
START_TEST(either_order)
{
    sample_t P[FAMILIES];
    const shape_t s = columns_shape[_i];
    if (s.p > MOST || too_large(s.m, s.n, s.p))
        return;
    make_families(s, P);
    const result_t *const x = decompose_batch(FAMILIES, 'U', 'S', 'U', 0, P);
    X(columns_run).backward = 1;
    const result_t *const y = decompose_batch(FAMILIES, 'U', 'S', 'U', 0, P);
    const result_t *const v = decompose_batch(FAMILIES, 'N', 'N', 'N', 0, P);
    X(columns_run).backward = 0;
    for (int f = 0; f < FAMILIES; ++f) {
        ck_assert_same_result(&x[f], &y[f]);
        ck_assert(x[f].info == 0 && v[f].info == 0);
        ck_assert(v[f].k == x[f].k && v[f].l == x[f].l);
        const size_t bytes = (size_t)s.n * sizeof(real_t);
        ck_assert_int_eq(0, memcmp(x[f].alpha, v[f].alpha, bytes));
    }
}
END_TEST

/* ... by teams of more lanes than the pairs ask for: LAPACK's ratios */
START_TEST(wider_teams)
{
    sample_t P[FAMILIES];
    const shape_t s = columns_shape[_i / 2];
    const int lanes = _i % 2 ? 32 : 16;
    if (s.p > lanes || lanes > MOST || too_large(s.m, s.n, s.p))
        return;
    make_families(s, P);
    X(columns_run).lanes = lanes;
    const result_t *const x = decompose_batch(FAMILIES, 'U', 'U', 'U', 0, P);
    X(columns_run).lanes = 0;
    for (int f = 0; f < FAMILIES; ++f)
        ck_assert_ratios(P[f].A, P[f].B, &x[f], family_name[f]);
}
END_TEST

/* -- what is left --------------------------------------------------------------------- */

/* Kahan's matrix, whose last value its diagonal hides */
static mat_t kahan(int n)
{
    const double c = 0.3, s = sqrt(1 - c * c);
    mat_t B = zero_mat(n, n);
    for (int i = 0; i < n; ++i)
        for (int j = i; j < n; ++j)
            AT(B, i, j) = make(
                (real_t)(pow(s, i) * (i == j ? 1 : -c) * (1 - 1e-4 * j)), 0);
    return B;
}

enum {
    A_NAN,
    B_INFINITE,
    B_SINGULAR,
    A_ZERO,
    A_SINGULAR,
    A_ROW_SHORT,
    B_ROW_SHORT,
    HIDDEN,
    ODD
};

/* A pair of order 8, or of order 30 where a rank is hidden, that a team is to solve, on either side
 * of each pair that it is not */
START_TEST(left_to_teams)
{
    enum { COUNT = 9 };
    const int n = _i == HIDDEN ? 30 : 8;
    const recipe_t c = {n, n, n, NORMAL, -1, -1, 0, 0};
    sample_t P[COUNT];
    for (int i = 0; i < COUNT; ++i) {
        P[i] = make_pair(&c, 40 + (uint64_t)i);
        if (i % 2)
            continue;
        if (_i == A_NAN)
            AT(P[i].A, i % n, 2) = make((real_t)NAN, 0);
        if (_i == B_INFINITE)
            AT(P[i].B, i % n, 3) = make(-(real_t)INFINITY, 0);
        for (int j = 0; j < n; ++j) {
            if (_i == B_SINGULAR)
                AT(P[i].B, j, 1) = AT(P[i].B, j, 4);
            if (_i == A_SINGULAR)
                AT(P[i].A, 3, j) = make(0, 0);
            if (_i == A_ROW_SHORT)
                AT(P[i].A, 3, j) = scale(ldexp_r(1, -12), AT(P[i].A, 3, j));
            if (_i == B_ROW_SHORT)
                AT(P[i].B, 3, j) = scale(ldexp_r(1, -12), AT(P[i].B, 3, j));
        }
        if (_i == A_ZERO)
            fill(P[i].A, make(0, 0));
        if (_i == HIDDEN)
            P[i].B = kahan(n);
    }
    if (_i == HIDDEN && n == 30)
        ck_assert_ok(gsvd_set_option(handle, GSVD_TOL_B, 1e-3));
    const int hidden = _i != HIDDEN || n == 30;
    const result_t *const x = by_kernel(COUNT, P, hidden ? (COUNT + 1) / 2 : 0);
    for (int i = 0; i < COUNT; ++i) {
        const int l = i % 2 == 0 && hidden && (_i == B_SINGULAR || _i == HIDDEN)
                          ? n - 1
                          : n;
        const int bad = i % 2 == 0 && _i <= B_INFINITE;
        ck_assert_int_eq(x[i].info, !bad ? 0 : _i == A_NAN ? -9 : -11);
        ck_assert_int_eq(x[i].l, bad ? 0 : l);
        if (!bad && l == n)
            ck_assert_ratios(P[i].A, P[i].B, &x[i], "left");
    }
}
END_TEST

/* A = X diag(1, a), B = (1 0; 1/2 1) diag(1, b) */
static sample_t pair_of_scales(double a, double b)
{
    const recipe_t c = {2, 2, 2, NORMAL, -1, -1, 0, 0};
    sample_t P = make_pair(&c, 3);
    fill(P.B, make(0, 0));
    AT(P.A, 0, 0) = AT(P.B, 0, 0) = make(1, 0);
    AT(P.A, 1, 0) = make((real_t)0.25, 0);
    AT(P.B, 1, 0) = make((real_t)0.5, 0);
    AT(P.A, 0, 1) = make((real_t)(a / 2), 0);
    AT(P.A, 1, 1) = make((real_t)a, 0);
    AT(P.B, 1, 1) = make((real_t)b, 0);
    return P;
}

/* A pair whose rank its first factorization proves, and which no length of B's own columns
 * would let pass, has the same results beside one that is factored three times. */
START_TEST(rank_of_a_neighbour)
{
    const double a = GSVD_SINGLE ? 1e-10 : 1e-100;
    const sample_t known = pair_of_scales(a, GSVD_SINGLE ? 1e-18 : 1e-150);
    const sample_t open = pair_of_scales(a, GSVD_SINGLE ? 1e-21 : 1e-155);
    const sample_t alike[] = {known, known}, other[] = {open, known};
    ck_assert_ok(
        gsvd_set_option(handle, GSVD_TOL_B, GSVD_SINGLE ? 1e-19 : 1e-152));
    const result_t *const x = by_kernel(2, alike, 0);
    const result_t *const y = by_kernel(2, other, 1);
    ck_assert_same_result(&x[1], &y[1]);
}
END_TEST

/* Most entries off the diagonal are 0, and others have both signs. */
static void make_sparse(mat_t A, uint64_t *seed)
{
    EACH_ENTRY (A, i, j)
        if (i != j && random_below(seed, 12) > 0)
            AT(A, i, j) = make(0, 0);
        else if (random_below(seed, 2))
            AT(A, i, j) = make(-re(AT(A, i, j)), 0);
}

/* Pairs with many zeros, which take fewer sweeps than the full ones beside them, have the same
 * bits as alone, signs of zeros too. */
START_TEST(zeros_and_neighbours)
{
    enum { COUNT = 8 };
    const int n = 2 + _i % 7;
    const recipe_t c = {n, n, n, NORMAL, -1, -1, 0, 0};
    uint64_t seed = 5 + (uint64_t)_i;
    sample_t P[COUNT];
    for (int i = 0; i < COUNT; ++i) {
        P[i] = make_pair(&c, (uint64_t)(100 * _i + i));
        if (i % 2)
            continue;
        make_sparse(P[i].A, &seed);
        make_sparse(P[i].B, &seed);
    }
    const result_t *const x = decompose_batch(COUNT, 'U', 'U', 'U', 0, P);
    for (int i = 0; i < COUNT; ++i) {
        const result_t *const y = decompose_batch(1, 'U', 'U', 'U', 0, &P[i]);
        ck_assert_same_result(&x[i], y);
    }
}
END_TEST

Suite *make_suite(void)
{
    Suite *s = suite_create("batched_columns");
    TCase *t = add_tcase(s, "pairs");
    solve_pairs_by = on_device ? NULL : X(columns_on_host);
    pairs_in_registers = 32;
    add_shared_loop_test(t, random_pairs, 0, 4 * 32, 2);
    if (arguments > 2)
        return s;
    tcase_add_loop_test(t, either_order, 0, COLUMNS_SHAPES);
    tcase_add_loop_test(t, wider_teams, 0, 2 * COLUMNS_SHAPES);
    tcase_add_loop_test(t, left_to_teams, 0, ODD);
    tcase_add_test(t, rank_of_a_neighbour);
    tcase_add_loop_test(t, zeros_and_neighbours, 0, 84);
    return s;
}
