/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* test_band.c -- what libgsvd gives a process of a grid for its bands (grid/on_gpu.c): columns of like
 * length become orthogonal, by a handle on the GPU whose turn it is. */
#include "grid/module.h"
#include "harness/harness.h"

/* L, m x n, and F, p x n; p = 0: there is no F */
static const struct {
    int64_t m, n, p;
} size[] = {{1, 1, 1},      {5, 2, 3},       {31, 31, 0},     {70, 33, 70},
            {300, 129, 31}, {600, 375, 600}, {1100, 256, 10}, {1400, 700, 700}};
enum { SIZES = sizeof size / sizeof *size };

static uint64_t seed = 1;

static gsvd_handle_t handle_of_process(int turn)
{
    gsvd_handle_t h = NULL;
    ck_assert_ok(
        gsvd_grid_gpu.create(&h, on_device ? GSVD_ANY : GSVD_HOST, turn));
    return h;
}

/* A copy whose columns are one behind another */
static mat_t packed(mat_t A)
{
    const size_t bytes = (size_t)(A.rows * A.cols) * sizeof(scalar_t);
    const mat_t B = mat_view(grab(bytes + 1), A.rows, A.cols, A.rows);
    EACH_ENTRY (A, i, j)
        AT(B, i, j) = AT(A, i, j);
    return B;
}

/* Normal numbers, columns from 1 down to about 2^-SPAN times that */
enum { SPAN = 8 };
static mat_t of_like_length(int64_t m, int64_t n)
{
    const mat_t L = normal_mat(m, n, &seed);
    for (int64_t j = 0; j < n; ++j)
        scale_column(L, j, exp2(-SPAN * (double)j / (double)n));
    return packed(L);
}

/* norm1(I - A^H A) / (rows ulp) of L's columns, each over its length */
static double defect_of_directions(mat_t L)
{
    const mat_t A = copy_mat(L);
    for (int64_t j = 0; j < A.cols; ++j)
        scale_column(A, j, 1 / longest(mat_cols(L, j, 1)));
    return defect(A);
}

START_TEST(columns_become_orthogonal)
{
    const int64_t m = size[_i].m, n = size[_i].n, p = size[_i].p;
    const gsvd_handle_t h = handle_of_process(_i);
    const mat_t L0 = of_like_length(m, n), L = packed(L0);
    const mat_t X = packed(identity_mat(n, n));
    const mat_t F0 = packed(normal_mat(p > 0 ? p : 1, n, &seed));
    const mat_t F = packed(F0), again = packed(L0);

    ck_assert_ok(gsvd_grid_gpu.solve(h, letter(), m, n, n, L.data, X.data));
    ck_assert_ok(gsvd_grid_gpu.solve(h, letter(), m, n, p, again.data,
                                     p > 0 ? F.data : NULL));
    ck_assert_same(L, again);
    ck_assert_double_le(defect(X), LIMIT);
    /* Eigenvectors of S^H S leave cosines of eps times the square of the ratio of lengths. */
    ck_assert_double_le(defect_of_directions(L), exp2(2 * SPAN));
    gemm('N', 'N', -1, L0, X, 1, L);
    ck_assert_double_le(as_ratio(L, L0), LIMIT);
    gemm('N', 'N', p > 0 ? -1 : 0, F0, X, p > 0 ? 1 : 0, F);
    ck_assert_double_le(as_ratio(F, F0), LIMIT);
    ck_assert_ok(gsvd_grid_gpu.destroy(h));
}
END_TEST

Suite *make_suite(void)
{
    Suite *s = suite_create("band");
    TCase *t = add_tcase(s, "band");
    tcase_add_loop_test(t, columns_become_orthogonal, 0, SIZES);
    return s;
}
