/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* test_batched_races.c -- the kernels of batches, and of block Jacobi, on the host, where
 * ThreadSanitizer sees each access of each of their threads (emulated/block.h): no two of them
 * without a barrier between. */
#include <limits.h>

#include "batch/batch.h"
#include "emulated/columns.h"
#include "emulated/races.h"
#include "emulated/svd.h"
#include "harness/pair_batch.h"

static uint64_t seed = 23;

/* Of a batch: what teams of a warp have differs. */
enum { PLAIN, DEPENDENT, ZERO, NOT_A_NUMBER, GRADED, KINDS_OF_MATRIX };

static mat_t make_matrix(int which, int64_t m, int64_t n)
{
    const mat_t A = normal_mat(m, n, &seed);
    if (which == ZERO)
        fill(A, make(0, 0));
    if (which == NOT_A_NUMBER)
        AT(A, m - 1, n / 2) = make((real_t)NAN, 0);
    for (int64_t i = 0; i < m; ++i)
        for (int64_t j = 0; j < n; ++j) {
            if (which == DEPENDENT && j > n / 2)
                AT(A, i, j) = AT(A, i, 0);
            if (which == GRADED)
                AT(A, i, j) =
                    scale(ldexp_r(1, (int)(-20 * (j % 5))), AT(A, i, j));
        }
    return A;
}

static batch_mat_t new_mats(int count, int64_t rows, int64_t cols)
{
    const size_t entries = (size_t)(count * rows * cols);
    return (batch_mat_t){.data = grab(entries * sizeof(scalar_t)),
                         .stride = rows * cols,
                         .ld = rows};
}

/* One matrix of each kind, and all factors in economy */
static svd_batch_t new_batch(int64_t m, int64_t n)
{
    const int count = KINDS_OF_MATRIX;
    const int64_t some = min_i(m, n);
    svd_batch_t b = {.count = count,
                     .m = m,
                     .n = n,
                     .u_cols = some,
                     .v_cols = some,
                     .illegal_A = -5};
    b.A = new_mats(count, m, n);
    b.U = new_mats(count, m, some);
    b.V = new_mats(count, n, some);
    b.sigma.data = grab((size_t)(count * some) * sizeof(real_t));
    b.sigma.stride = some;
    b.info = grab((size_t)count * sizeof(int));
    for (int k = 0; k < count; ++k) {
        const mat_t A = make_matrix(k, m, n);
        for (int64_t j = 0; j < n; ++j)
            memcpy(b.A.data + k * b.A.stride + j * m, &AT(A, 0, j),
                   (size_t)m * sizeof(scalar_t));
    }
    return b;
}

/* By the kernels of that way, in one warp or in two where both are there; -5 says who is not
 * finite. */
static void ck_assert_no_race(svd_batch_t *b, int one_warp)
{
    exec_t with = *on(handle);
    tuning_t tune = *with.tune;
    const int before = races_found();
    tune.one_warp = one_warp;
    with.tune = &tune;
    ck_assert(X(svd_on_host_fits)(b));
    ck_assert_ok(X(svd_on_host)(&with, b));
    ck_assert_int_eq(races_found(), before);
    for (int i = 0; i < KINDS_OF_MATRIX; ++i)
        ck_assert((b->info[i] == -5) == (i == NOT_A_NUMBER));
}

/* -- does the tool see? ------------------------------------------------------------- */

START_TEST(probe)
{
    const int k = _i / 2, backward = _i % 2, before = races_found();
    run_probe(k, WITH_BARRIER, backward);
    ck_assert_msg(races_found() == before, "%s: a race", probe_name(k));
    if (backward == k % 2) { /* A race is reported once. */
        run_probe(k, WITHOUT_BARRIER, backward);
        ck_assert_msg(races_found() > before, "%s: none", probe_name(k));
    }
}
END_TEST

/* -- kernels ---------------------------------------------------------------------- */

static const int64_t in_registers[][2] = {{8, 8},   {5, 7},   {1, 1},
                                          {16, 16}, {13, 10}, {9, 16},
                                          {32, 32}, {17, 30}, {31, 3}};
static const int64_t tall[][2] = {{33, 7},   {256, 8},  {257, 5},  {600, 8},
                                  {70, 16},  {300, 11}, {600, 16}, {40, 32},
                                  {270, 30}, {530, 20}, {9, 40},   {1100, 8}};
static const int64_t in_blocks[][2] = {{33, 33}, {40, 36}, {35, 50}, {70, 66}};
enum {
    IN_REGISTERS = sizeof in_registers / sizeof *in_registers,
    TALL = sizeof tall / sizeof *tall,
    IN_BLOCKS = sizeof in_blocks / sizeof *in_blocks
};

START_TEST(svd_in_registers)
{
    const int64_t *const size = in_registers[_i / 4];
    svd_batch_t b = new_batch(size[0], size[1]);
    emulated_backward = _i / 2 % 2;
    ck_assert_no_race(&b, _i % 2 ? INT_MAX : 0);
}
END_TEST

/* Eigenproblems of A + A^H, which the kernel ends or leaves */
START_TEST(eigh_in_registers)
{
    static const int64_t size[] = {1, 5, 8, 13, 16, 31, 32};
    const int64_t n = size[_i / 2];
    svd_batch_t b = new_batch(n, n);
    const size_t entries = (size_t)(b.count * n * n);
    const eigh_batch_t eigh = {
        .count = b.count,
        .n = n,
        .Q = b.A,
        .w = {.data = grab((size_t)(b.count * n) * sizeof(real_t)),
              .stride = n},
        .H = grab(entries * sizeof(scalar_t)),
        .sigma = b.sigma.data,
        .info = b.info};
    for (int64_t k = 0; k < b.count; ++k) {
        const mat_t A = mat_view(b.A.data + k * b.A.stride, n, n, n);
        for (int64_t j = 0; j < n; ++j)
            for (int64_t i = 0; i <= j; ++i) {
                const scalar_t h = add(AT(A, i, j), conj_of(AT(A, j, i)));
                AT(A, i, j) = h;
                AT(A, j, i) = conj_of(h);
            }
    }
    memcpy(eigh.H, b.A.data, entries * sizeof(scalar_t));
    b.eigh = &eigh;
    emulated_backward = _i % 2;
    ck_assert_no_race(&b, INT_MAX);
    const int by_two = n > 16 && sizeof(scalar_t) == 16;
    ck_assert(by_two || b.sigma.data[0] < 0);
}
END_TEST

START_TEST(hsvd_in_registers)
{
    const int64_t *const size = in_registers[_i / 4];
    svd_batch_t b = new_batch(max_i(size[0], size[1]), min_i(size[0], size[1]));
    int64_t J[KINDS_OF_MATRIX * 32];
    for (int64_t j = 0; j < b.count * b.n; ++j)
        J[j] = j / b.n == PLAIN ? 3 : j % b.n % 2 ? -1 : 1;
    b.with_signs = 1;
    b.n_plus = (b.n + 1) / 2;
    b.J = J;
    b.J_stride = b.n;
    emulated_backward = _i / 2 % 2;
    ck_assert_no_race(&b, _i % 2 ? INT_MAX : 0);
}
END_TEST

START_TEST(svd_of_tall)
{
    const int64_t *const size = tall[_i];
    svd_batch_t b = new_batch(size[0], size[1]);
    emulated_backward = _i % 2;
    ck_assert_no_race(&b, 0);
}
END_TEST

START_TEST(svd_by_blocks)
{
    const int64_t *const size = in_blocks[_i];
    svd_batch_t b = new_batch(size[0], size[1]);
    emulated_backward = _i % 2;
    ck_assert_no_race(&b, 0);
}
END_TEST

static const shape_t pairs[] = {{8, 8, 8},    {2, 3, 4},  {7, 8, 8},
                                {16, 16, 16}, {4, 9, 11}, {32, 32, 32},
                                {11, 21, 30}};
enum { PAIRS = sizeof pairs / sizeof *pairs };

START_TEST(pairs_in_columns)
{
    enum { COUNT = 5 };
    const shape_t s = pairs[_i];
    const int before = races_found();
    sample_t P[COUNT];
    for (int i = 0; i < COUNT; ++i) {
        const recipe_t c = {s.m, s.n, s.p, i % 2 ? UNIFORM : NORMAL,
                            -1,  -1,  0,   0};
        P[i] = make_pair(&c, 40 + (uint64_t)i);
    }
    fill(P[2].A, make(0, 0));
    AT(P[3].B, 0, 0) = make((real_t)NAN, 0);
    solve_pairs_by = X(columns_on_host);
    pairs_in_registers = 32;
    X(columns_run).backward = _i % 2;
    (void)decompose_batch(COUNT, 'U', 'U', 'U', 0, P);
    (void)decompose_batch(COUNT, 'N', 'N', 'N', 0, P);
    ck_assert_int_eq(races_found(), before);
    ck_assert(X(columns_run).way[WAY_PAIR_COLUMNS] > 0);
}
END_TEST

static mats_t unit_matrices(int64_t count, int64_t n)
{
    mats_t M = {grab((size_t)(count * n * n) * sizeof(scalar_t)), count, n, n,
                n * n};
    for (int64_t k = 0; k < count * n * n; ++k)
        M.data[k] = make(k % (n * n) % (n + 1) == 0, 0);
    return M;
}

START_TEST(large_steps)
{
    const int64_t size[] = {5, 33, 70}, n = size[_i / 2], m = n + 9;
    const svd_batch_t b = new_batch(m, n);
    const size_t reals = (size_t)(b.count * n) * sizeof(real_t);
    const steps_batch_t s = {.column = grab(reals),
                             .length = grab(reals),
                             .cosine = grab(reals),
                             .bound = grab(reals),
                             .exponent = grab(reals),
                             .left = grab(reals)};
    const mats_t x = {grab((size_t)(b.count * m * n) * sizeof(scalar_t)),
                      b.count, m, n, m * n};
    const int before = races_found();
    X(steps_on_host)
    (&b, x, unit_matrices(b.count, n), unit_matrices(b.count, n), &s, _i % 2);
    ck_assert_int_eq(races_found(), before);
    for (int64_t k = 0; k < b.count; ++k)
        ck_assert((s.left[k] == LEFT_NOT_FINITE) == (k == NOT_A_NUMBER));
}
END_TEST

static mats_t normal_matrices(int64_t count, int64_t m, int64_t n)
{
    const mats_t M = {grab((size_t)(count * m * n) * sizeof(scalar_t)), count,
                      m, n, m * n};
    const mat_t from = normal_mat(m, n * count, &seed);
    for (int64_t j = 0; j < n * count; ++j)
        memcpy(M.data + j * m, &AT(from, 0, j), (size_t)m * sizeof(scalar_t));
    return M;
}

/* An entry of A^H B or A B, without BLAS, whose threads ThreadSanitizer does not know */
static scalar_t entry_of_product(char op, mat_t A, mat_t B, int64_t i,
                                 int64_t j)
{
    scalar_t sum = make(0, 0);
    for (int64_t k = 0; k < B.rows; ++k)
        sum = add(sum, mul(op == 'C' ? conj_of(AT(A, k, i)) : AT(A, i, k),
                           AT(B, k, j)));
    return sum;
}

/* The products of the last step, which take the second matrix alone */
START_TEST(open_matrices)
{
    enum { COUNT = 3, OPEN = 1 };
    const int64_t size[] = {5, 33, 70}, n = size[_i / 2], m = n + 9;
    real_t cosine[COUNT] = {1, 2, 3}, bound[COUNT] = {0, 2, 0};
    int left[COUNT] = {LEFT_NOT, LEFT_NOT, LEFT_TO_JACOBI};
    const steps_batch_t s = {.cosine = cosine, .bound = bound, .left = left};
    const mats_t x = normal_matrices(COUNT, m, n),
                 T = normal_matrices(COUNT, n, n),
                 W = normal_matrices(COUNT, m, n),
                 C = normal_matrices(COUNT, n, n);
    const mat_t before = copy_mat(mat_view(x.data, m, n * COUNT, m));
    const mat_t other = copy_mat(mat_view(C.data, n, n * COUNT, n));
    const int races = races_found();
    const double rounding = 20 * sqrt((double)m) * (double)m * GSVD_ULP;
    X(gram_open_on_host)(x, &s, 1, C, _i % 2);
    X(turn_open_on_host)(T, &s, x, W, _i % 2);
    ck_assert_int_eq(races_found(), races);
    for (int64_t k = 0; k < COUNT; ++k) {
        const mat_t was = mat_cols(before, k * n, n), now = mats_at(x, k);
        for (int64_t j = 0; j < n; ++j)
            for (int64_t i = 0; i < m; ++i) {
                const scalar_t y = scale((real_t)0.5,
                                         entry_of_product('N', was,
                                                          mats_at(T, k), i, j)),
                               a = AT(was, i, j);
                const scalar_t right = k == OPEN ? add(a, y) : a;
                ck_assert(abs_of(sub(AT(now, i, j), right)) <=
                          (k == OPEN ? rounding : 0));
            }
        for (int64_t j = 0; j < n; ++j)
            for (int64_t i = 0; i < n; ++i) {
                const scalar_t c = AT(mats_at(C, k), i, j),
                               was_c = AT(other, i, k * n + j);
                if (k != OPEN)
                    ck_assert(re(c) == re(was_c) && im(c) == im(was_c));
                else if (i >= j)
                    ck_assert(abs_of(sub(c, entry_of_product('C', was, was, i,
                                                             j))) <= rounding);
            }
    }
}
END_TEST

/* The largest cosine of two columns */
static double largest_cosine(mat_t G)
{
    double largest = 0;
    for (int64_t j = 0; j < G.cols; ++j)
        for (int64_t i = 0; i < j; ++i) {
            const double ii = (double)re(entry_of_product('C', G, G, i, i));
            const double jj = (double)re(entry_of_product('C', G, G, j, j));
            const double ij = (double)abs_of(entry_of_product('C', G, G, i, j));
            largest = fmax(largest, ij / sqrt(ii) / sqrt(jj));
        }
    return largest;
}

/* all nearly parallel */
static mat_t near_rank_one(int64_t m, int64_t n)
{
    const mat_t G = normal_mat(m, n, &seed), one = normal_mat(m, 1, &seed);
    EACH_ENTRY (G, i, j)
        AT(G, i, j) = add(AT(one, i, 0), scale((real_t)0.25, AT(G, i, j)));
    return G;
}

/* The largest entry of G - W C^H over that of G */
static double lost(mat_t G, mat_t W, mat_t C)
{
    const mat_t back = copy_mat(G);
    gemm('N', 'C', -1, W, C, 1, back);
    return (double)(norm1(back) / norm1(G));
}

/* One block of columns and an empty one, two or more; with signs of both kinds; columns that are
 * nearly parallel */
START_TEST(block_jacobi)
{
    static const int64_t size[] = {5, 40};
    const int64_t n = size[_i % 2], m = n + 40;
    const int signs = _i / 2 % 2, backward = _i / 4 % 2;
    const int within =
        1 + _i / 16 * 4; /* sweeps, of which the last finds less */
    const double tol = (double)m * GSVD_ULP;
    const mat_t G =
        _i / 8 % 2 == 0 ? normal_mat(m, n, &seed) : near_rank_one(m, n);
    const mat_t before = copy_mat(G), C = identity_mat(n, n);
    real_t *const d = grab((size_t)n * sizeof *d);
    const int races = races_found();
    int64_t left = 1;
    for (int64_t j = 0; j < n; ++j)
        d[j] = sqrt_r(re(entry_of_product('C', G, G, j, j)));
    for (int sweep = 0; left > 0; ++sweep) {
        ck_assert_int_lt(sweep, 20);
        left = X(block_sweep_on_host)(G, C, signs ? n / 2 : n, tol, within, d,
                                      backward);
    }
    ck_assert_int_eq(races_found(), races);
    ck_assert(largest_cosine(G) <= 3 * tol);
    ck_assert(lost(before, G, C) <=
              20 * (double)n * GSVD_ULP * (double)norm1(C));
}
END_TEST

Suite *make_suite(void)
{
    Suite *s = suite_create("batched_races");
    TCase *t = add_tcase(s, "races");
    tcase_add_loop_test(t, probe, 0, 2 * probes());
    add_shared_loop_test(t, svd_in_registers, 0, 4 * IN_REGISTERS, 3);
    add_shared_loop_test(t, eigh_in_registers, 0, 14, 2);
    add_shared_loop_test(t, hsvd_in_registers, 0, 4 * IN_REGISTERS, 3);
    add_shared_loop_test(t, svd_of_tall, 0, TALL, 2);
    add_shared_loop_test(t, svd_by_blocks, 0, IN_BLOCKS, 2);
    tcase_add_loop_test(t, large_steps, 0, 6);
    tcase_add_loop_test(t, open_matrices, 0, 6);
    tcase_add_loop_test(t, pairs_in_columns, 0, PAIRS);
    t = add_tcase(s, "one_sweep");
    add_shared_loop_test(t, block_jacobi, 0, 8, 4);
    t = add_tcase(s, "nearly_parallel");
    add_shared_loop_test(t, block_jacobi, 8, 16, 4);
    t = add_tcase(s, "five_sweeps");
    add_shared_loop_test(t, block_jacobi, 16, 20, 2);
    return s;
}
