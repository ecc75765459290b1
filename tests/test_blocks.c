/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* test_blocks.c -- block Jacobi: the primitive sweep_blocks, in both variants, and its
 * driver. */
#include <stdio.h>

#include "core/rotate.h"
#include "harness/primitive.h"
#include "jacobi/jacobi.h"

#if defined _OPENMP
#include <omp.h>
#endif

/* less than a block, one block and two, a few; more of them than powers of two */
static const int size[][2] = {{5, 3},   {16, 16},   {33, 32},   {70, 33},
                              {64, 64}, {80, 65},   {130, 100}, {97, 97},
                              {40, 40}, {300, 130}, {200, 170}};
enum { SIZES = sizeof size / sizeof *size, LIMIT_SWEEPS = 30 };

static uint64_t seed = 1;

/* ---- a run to the end --------------------------------------------------------- */

typedef struct run {
    mat_t G0, G, C; /* C starts as I; no data: there is none                 */
    int64_t plus;
    int sweeps;   /* with the last one, which rotates nothing                */
    int64_t left; /* pairs of blocks                                         */
} run_t;

static int64_t *counters(void)
{
    int64_t *const rotations = grab_backend(2 * sizeof *rotations);
    for (int i = 0; i < 2; ++i)
        ck_assert_ok(table()->read_rotations(on(handle), rotations + i, NULL));
    return rotations;
}

static real_t tolerance(int64_t rows) { return jacobi_tolerance(-1, rows); }

static run_t new_run(mat_t G0, int64_t plus, int with_C)
{
    const int64_t n = G0.cols;
    run_t r = {.G0 = G0, .plus = plus};
    r.G = to_backend(G0);
    r.C = with_C ? to_backend(identity_mat(n, n)) : mat_view(NULL, 0, n, 1);
    return r;
}

static void fetch(run_t *r)
{
    r->G = from_backend(r->G);
    if (r->C.data)
        r->C = from_backend(r->C);
}

/* One sweep; the number of its rotations.  A sweep that leaves blocks counts as one that
 * rotates. */
static int64_t sweep_once(run_t *r, int inner_sweeps)
{
    exec_t ex = *on(handle);
    tuning_t tune = *ex.tune;
    real_t *const d = grab_backend((size_t)r->G0.cols * sizeof *d);
    int64_t *const rotations = counters(), count = -1, left = -1;
    tune.inner_sweeps = inner_sweeps;
    ex.tune = &tune;
    ck_assert_ok(table()->column_norms(&ex, r->G, d));
    ck_assert_ok(table()->sweep_blocks(&ex, r->G, r->C, r->plus,
                                       tolerance(r->G0.rows), d, rotations));
    ck_assert_ok(table()->read_rotations(&ex, rotations, &count));
    ck_assert_ok(table()->read_rotations(&ex, rotations + 1, &left));
    ck_assert_int_ge(count, 0);
    ck_assert_int_ge(left, 0);
    r->left += left;
    return count + left;
}

static run_t by_blocks(mat_t G0, int64_t plus, int with_C, int inner_sweeps)
{
    run_t r = new_run(G0, plus, with_C);
    int64_t count = 1;
    for (; count > 0 && r.sweeps < LIMIT_SWEEPS; ++r.sweeps)
        count = sweep_once(&r, inner_sweeps);
    ck_assert_int_eq(count, 0);
    fetch(&r);
    return r;
}

static run_t by_points(mat_t G0, int64_t plus, int with_C)
{
    run_t r = new_run(G0, plus, with_C);
    int64_t *const rotations = counters(), count = 1;
    for (; count > 0 && r.sweeps < LIMIT_SWEEPS; ++r.sweeps) {
        ck_assert_ok(table()->sweep(on(handle), r.G, r.C, plus,
                                    tolerance(G0.rows), rotations));
        ck_assert_ok(table()->read_rotations(on(handle), rotations, &count));
    }
    ck_assert_int_eq(count, 0);
    fetch(&r);
    return r;
}

/* ---- what it has to be ---------------------------------------------------------- */

/* The columns are orthogonal, and sorted by length within each sign. */
static void check_columns(const run_t *r)
{
    const int64_t m = r->G0.rows, n = r->G0.cols;
    const mat_t H = product('C', 'N', r->G, r->G);
    for (int64_t j = 0; j < n; ++j)
        for (int64_t i = 0; i < j; ++i) {
            const double x = sqrt((double)re(AT(H, i, i)));
            const double y = sqrt((double)re(AT(H, j, j)));
            ck_assert(abs_of(AT(H, i, j)) <=
                      ((double)tolerance(m) + 2 * (double)m * GSVD_ULP) * x *
                          y);
            ck_assert((i < r->plus && j >= r->plus) ||
                      x * x >= ROTATE_SHORTER * y * y *
                                   (1 - 2 * (double)(m + 8) * GSVD_ULP));
        }
}

static mat_t signed_rows(mat_t A, int64_t plus)
{
    const mat_t B = copy_mat(A);
    for (int64_t j = 0; j < B.cols; ++j)
        for (int64_t i = plus; i < B.rows; ++i)
            AT(B, i, j) = scale(-1, AT(B, i, j));
    return B;
}

/* |C^H J C - J|, the departure that table 4 of Novakovic 2015 has of one rotation; G C^H =
 * G0 and the departure in LAPACK's ratios, for each sweep.  The departure, in ulp. */
static double check_transformation(const run_t *r)
{
    const int64_t m = r->G0.rows, n = r->G0.cols;
    const double large = fmax(1, (double)norm1(r->C) / sqrt((double)n));
    const double ulp = GSVD_ULP * (double)max_i(1, m) * r->sweeps;
    const double departure =
        distance(product('C', 'N', r->C, signed_rows(r->C, r->plus)),
                 signed_rows(identity_mat(n, n), r->plus));
    ck_assert_ratio(distance(product('N', 'C', r->G, r->C), r->G0) /
                    (ulp * large));
    ck_assert_ratio(departure / (GSVD_ULP * r->sweeps * large * large));
    return departure / GSVD_ULP;
}

/* ---- tests ------------------------------------------------------------------------ */

/* One sweep within a pair of blocks or many: no more sweeps than by rotations one by
 * one, and two */
START_TEST(unitary)
{
    const int64_t m = size[_i][0], n = size[_i][1];
    if (too_large(m, n, 0))
        return;
    for (int kind_ = 0; kind_ < 2; ++kind_) {
        const mat_t G0 = normal_mat(m, n, &seed);
        for (int64_t j = 0; kind_ && j < n; ++j)
            scale_column(G0, j, ldexp_r(1, (int)(j * 7 % 20) - 20));
        const run_t point = by_points(G0, n, 0);
        for (int inner = 1; inner <= 8; inner += 7) {
            const run_t r = by_blocks(G0, n, 1, inner);
            ck_assert_int_eq(r.left, 0);
            check_columns(&r);
            ck_assert_lengths(r.G, point.G, r.plus);
            const double departure = check_transformation(&r);
            printf("%ld x %ld, %d sweeps within: %d sweeps, one by "
                   "one %d; departure %.0f ulp\n",
                   (long)m, (long)n, inner, r.sweeps, point.sweeps, departure);
            ck_assert_int_le(r.sweeps, point.sweeps + 2);
        }
        release_pool();
    }
}
END_TEST

START_TEST(hyperbolic)
{
    const int64_t n = size[_i][1], m = 2 * n + 1;
    if (too_large(m, n, 0))
        return;
    const mat_t G0 = normal_mat(m, n, &seed);
    for (int64_t plus = n / 3; plus < n; plus += n / 3 + 1) {
        const run_t point = by_points(G0, plus, 0);
        const run_t r = by_blocks(G0, plus, 1, 2);
        ck_assert_int_eq(r.left, 0);
        check_columns(&r);
        ck_assert_lengths(r.G, point.G, r.plus);
        (void)check_transformation(&r);
    }
}
END_TEST

/* Columns of unequal sign that are nearly parallel, of one block, take a large hyperbolic
 * rotation: the blocks are left as they are, and the driver takes rotations one by one. */
START_TEST(large_hyperbolic_rotations)
{
    const int64_t n = 40, m = 60, plus = 8;
    mat_t G0 = normal_mat(m, n, &seed);
    for (int64_t i = 0; i < m; ++i)
        AT(G0, i, plus) = add(AT(G0, i, 0), scale((real_t)1e-2, AT(G0, i, 1)));
    run_t r = new_run(G0, plus, 1);
    const int64_t count = sweep_once(&r, 8);
    ck_assert_int_ge(count, r.left);
    ck_assert_int_gt(r.left, 0);

    exec_t ex = *on(handle);
    tuning_t tune = *ex.tune;
    tune.block_jacobi = 2;
    ex.tune = &tune;
    outcome_t out = {0};
    ck_assert_ok(
        X(orthogonalize_signed)(&ex, r.G, r.C, plus, JACOBI, counters(), &out));
    ck_assert(!out.unfinished);
    r.sweeps = out.sweeps;
    fetch(&r);
    check_columns(&r);
    (void)check_transformation(&r);
}
END_TEST

static gsvd_status_t sweep_by_blocks(const exec_t *ex, const run_t *r,
                                     int *is_unitary, outcome_t *out)
{
    return X(block_jacobi)(ex, &(task_t){.A = r->G,
                                         .C = r->C,
                                         .k = r->G.cols,
                                         .how = AIM_COLUMNS,
                                         .count = counters(),
                                         .yes = is_unitary,
                                         .out = out});
}

/* The driver says that the limit of sweeps was reached, and does not forget what came before. */
START_TEST(unfinished)
{
    const mat_t G0 = normal_mat(70, 33, &seed);
    exec_t ex = *on(handle);
    for (int i = 0; i < 4; ++i) {
        const int before = i % 2, stopped = i < 2;
        run_t r = new_run(G0, G0.cols, 1);
        outcome_t out = {.unfinished = before};
        int is_unitary = 2;
        ex.policy.max_sweeps = stopped ? 1 : LIMIT_SWEEPS;
        ck_assert_ok(sweep_by_blocks(&ex, &r, &is_unitary, &out));
        ck_assert_int_eq(out.unfinished != 0, before || stopped);
        ck_assert_int_eq(is_unitary, !stopped);
    }
}
END_TEST

/* Columns that count as orthogonal by a tolerance above the default are not unitary. */
START_TEST(loose_tolerance)
{
    const mat_t G0 = normal_mat(70, 33, &seed);
    for (int i = 0; i < 3; ++i) {
        const double tol[] = {-1, 1e-3, 0.5};
        exec_t ex = *on(handle);
        run_t r = new_run(G0, G0.cols, 1);
        outcome_t out = {0};
        int is_unitary = 2;
        ex.policy.tol_jacobi = tol[i];
        ck_assert_ok(sweep_by_blocks(&ex, &r, &is_unitary, &out));
        ck_assert_int_eq(is_unitary, i == 0);
    }
}
END_TEST

/* Columns over their lengths are unitary, unless one of them is 0. */
START_TEST(column_of_zeros)
{
    const mat_t G0 = normal_mat(70, 33, &seed);
    outcome_t out = {0};
    int is_unitary = 2;
    for (int64_t i = 0; i < G0.rows; ++i)
        AT(G0, i, 5) = make(0, 0);
    run_t r = new_run(G0, G0.cols, 1);
    ck_assert_ok(sweep_by_blocks(on(handle), &r, &is_unitary, &out));
    ck_assert(!out.unfinished && is_unitary == 0);
}
END_TEST

/* Columns that are orthogonal and in order stay as they are, zeros too. */
START_TEST(nothing_to_do)
{
    const int64_t m = size[_i][0], n = size[_i][1];
    if (too_large(m, n, 0))
        return;
    mat_t G0 = identity_mat(m, n);
    for (int64_t j = 0; j < n; ++j)
        AT(G0, j, j) = make((real_t)(n - 2 - j > 0 ? 2 * n - j : 0), 0);
    run_t r = new_run(G0, n, 1);
    ck_assert_int_eq(sweep_once(&r, 2), 0);
    fetch(&r);
    ck_assert_same(r.G, G0);
    ck_assert_same(r.C, identity_mat(n, n));
}
END_TEST

/* The same bits twice, and on a CPU by any number of threads */
START_TEST(same_bits)
{
    const int64_t m = size[_i][0], n = size[_i][1];
    if (too_large(m, n, 0))
        return;
    const mat_t G0 = normal_mat(m, n, &seed);
    run_t one = {0};
    for (int threads = 1; threads <= 3; ++threads) {
#if defined _OPENMP
        omp_set_num_threads(threads);
#endif
        run_t r = new_run(G0, n / 2 + 1, 1);
        for (int sweep = 0; sweep < 2; ++sweep)
            (void)sweep_once(&r, 2);
        fetch(&r);
        if (threads == 1) {
            one = r;
        } else {
            ck_assert_same(r.G, one.G);
            ck_assert_same(r.C, one.C);
        }
    }
}
END_TEST

Suite *make_suite(void)
{
    Suite *s = suite_create("blocks");
    TCase *t = add_tcase(s, "blocks");
    tcase_add_loop_test(t, unitary, 0, SIZES);
    tcase_add_loop_test(t, hyperbolic, 0, SIZES);
    tcase_add_test(t, large_hyperbolic_rotations);
    tcase_add_test(t, unfinished);
    tcase_add_test(t, loose_tolerance);
    tcase_add_test(t, column_of_zeros);
    tcase_add_loop_test(t, nothing_to_do, 0, SIZES);
    tcase_add_loop_test(t, same_bits, 0, SIZES);
    return s;
}
