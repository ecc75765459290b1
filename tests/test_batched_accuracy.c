/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* test_batched_accuracy.c -- SVDs of batches: the errors of paper 002 on its matrices, below its
 * threshold, and every value of graded matrices to relative accuracy; by each way of a batch. */
#include <stdio.h>

#include "../bench/families.h"
#include "harness/graded.h"
#include "harness/wide.h"
#include "lapacke.h"

/* ---- a batch ------------------------------------------------------------------ */

/* Matrices side by side in one with count times as many columns */
typedef struct batch {
    int64_t count, m, n, r;
    mat_t A;       /* as they were, on the host                              */
    mat_t dA;      /* ... and where the handle computes                      */
    mat_t U, V;    /* there                                                  */
    real_t *sigma; /* on the host, r each                                    */
} batch_t;

static mat_t part(mat_t all, int64_t i, int64_t cols)
{
    return mat_cols(all, i * cols, cols);
}

static batch_t new_batch(int64_t count, int64_t m, int64_t n)
{
    return (batch_t){.count = count,
                     .m = m,
                     .n = n,
                     .r = min_i(m, n),
                     .A = new_mat(m, count * n)};
}

/* By one call; info is 0, values descend. */
static void solve_batch(batch_t *b)
{
    const int64_t m = b->m, n = b->n, r = b->r;
    const mat_t C = to_backend(b->A);
    real_t *const sigma = grab_backend((size_t)(r * b->count) * sizeof *sigma);
    int *const info = grab_backend((size_t)b->count * sizeof *info);

    b->dA = to_backend(b->A);
    b->U = to_backend(new_mat(m, r * b->count));
    b->V = to_backend(new_mat(n, r * b->count));
    gsvd_problem_t p =
        new_problem(GSVD_ROUTINE_SVD, on_device ? GPU : HOST, "SS", m, n, 0);
    p.batch = b->count;
    p.A = as_array(C);
    p.alpha.data = sigma;
    p.U = as_array(b->U);
    p.V = as_array(b->V);
    p.info = info;
    ck_assert_ok(gsvd_run(handle, &p));
    b->sigma = from_backend_real(sigma, r * b->count);
    const int *const told = from_backend_int(info, b->count);
    for (int64_t i = 0; i < b->count; ++i) {
        ck_assert_int_eq(told[i], 0);
        for (int64_t j = 1; j < r; ++j)
            ck_assert(b->sigma[i * r + j] <= b->sigma[i * r + j - 1]);
    }
}

/* ---- errors ------------------------------------------------------------------- */

/* A matrix without gaps where the handle computes, and its 1-norm */
static mat_t compact(int64_t rows, int64_t cols)
{
    const size_t bytes = (size_t)(rows * cols) * sizeof(scalar_t);
    return mat_view(grab_backend(bytes), rows, cols, rows);
}

static double norm_of(mat_t E)
{
    const mat_t host =
        mat_view(grab((size_t)(E.rows * E.cols) * sizeof(scalar_t)), E.rows,
                 E.cols, E.rows);
    get(host.data, E.data, (size_t)(E.rows * E.cols) * sizeof(scalar_t));
    return (double)norm1(host);
}

/* |I - Q^H Q|_1 */
static double departure_of(const exec_t *ex, mat_t Q)
{
    const mat_t E = compact(Q.cols, Q.cols);
    ck_assert_ok(ex->op->set(ex, E, 0, 1));
    ck_assert_ok(ex->op->gemm_sub(ex, 'C', 'N', Q, Q, E));
    return norm_of(E);
}

/* |A - U Sigma V^H|_1 of matrix i */
static double residual_of(const exec_t *ex, const batch_t *b, int64_t i)
{
    const mat_t E = compact(b->m, b->n), W = compact(b->m, b->r);
    const real_t *const sigma = to_backend_real(b->sigma + i * b->r, b->r);
    ck_assert_ok(ex->op->copy(ex, part(b->dA, i, b->n), E));
    ck_assert_ok(ex->op->scale_columns(ex, part(b->U, i, b->r), sigma, W));
    ck_assert_ok(ex->op->gemm_sub(ex, 'N', 'C', W, part(b->V, i, b->r), E));
    return norm_of(E);
}

/* sigma := the values of A by LAPACK's xGESVD, in double: in single its own errors, at order 512,
 * are the paper's threshold.  Those of a complex A are those of (Re -Im; Im Re), each twice. */
static void lapack_values(mat_t A, double *sigma)
{
    const int64_t m = A.rows, n = A.cols, r = min_i(m, n), x = REALS_PER_SCALAR;
    double *const C = grab((size_t)(x * m * x * n) * sizeof *C), none;
    double *const all = grab((size_t)(2 * x * r) * sizeof *all);
    for (int64_t j = 0; j < x * n; ++j)
        for (int64_t i = 0; i < x * m; ++i) {
            const scalar_t a = AT(A, i % m, j % n);
            C[j * x * m + i] = i / m == j / n  ? (double)re(a)
                               : i / m > j / n ? (double)im(a)
                                               : -(double)im(a);
        }
    ck_assert_int_eq(0, LAPACKE_dgesvd(LAPACK_COL_MAJOR, 'N', 'N',
                                       (lapack_int)(x * m), (lapack_int)(x * n),
                                       C, (lapack_int)(x * m), all, &none, 1,
                                       &none, 1, all + x * r));
    for (int64_t j = 0; j < r; ++j)
        sigma[j] = all[x * j];
}

/* |Sigma - Sigma_ref|_F */
static double difference_of(const batch_t *b, int64_t i, const double *right)
{
    double square = 0;
    for (int64_t j = 0; j < b->r; ++j) {
        const double off = (double)b->sigma[i * b->r + j] - right[j];
        square += off * off;
    }
    return sqrt(square);
}

/* ---- the paper's matrices --------------------------------------------------------- */

/* square ones, as the paper's; a GPU's ways by one warp, two, blocks; tall ones and wide ones */
static const int size[][2] = {
    {1, 1},     {2, 2},     {3, 3},     {8, 8},     {9, 9},     {16, 16},
    {17, 17},   {32, 32},   {33, 33},   {64, 64},   {65, 65},   {100, 100},
    {24, 8},    {8, 24},    {300, 16},  {1000, 16}, {16, 300},  {50, 40},
    {130, 130}, {257, 257}, {512, 512}, {600, 100}, {100, 600}, {512, 33}};
enum { SIZES = sizeof size / sizeof *size, ON_HOST = 18 };

/* The reference is LAPACK, as in the paper; of large ones it is what they were made of. */
enum { BY_LAPACK = 130 };

static double next_unit(void *seed) { return random_unit(seed); }

static int64_t count_of(int64_t m, int64_t n)
{
    return m * n <= 1024 ? 20 : m * n <= 128 * 128 ? 3 : 2;
}

/* Those that are large are for a GPU. */
static int left_out_here(int i)
{
    return too_large(size[i][0], size[i][1], 0) || (i >= ON_HOST && !on_device);
}

static void check_errors(const batch_t *b, const double *right,
                         const char *name)
{
    static const char *const what[] = {"residual", "U", "V", "values"};
    const exec_t *const ex = on(handle);
    const int64_t r = b->r;

    for (int64_t i = 0; i < b->count; ++i) {
        const double norm = (double)norm1(part(b->A, i, b->n));
        const double e[] = {residual_of(ex, b, i) / ((double)b->n * norm),
                            departure_of(ex, part(b->U, i, r)) / (double)b->m,
                            departure_of(ex, part(b->V, i, r)) / (double)b->n,
                            difference_of(b, i, right + i * r) / (double)r};
        for (int k = 0; k < 4; ++k)
            ck_assert_msg(e[k] < PAPER_THRESHOLD, "%s, %ld x %ld, %s: %g", name,
                          (long)b->m, (long)b->n, what[k], e[k]);
    }
}

START_TEST(families)
{
    const paper_family_t family = (paper_family_t)(_i % PAPER_FAMILIES);
    const int at = _i / PAPER_FAMILIES;
    const int64_t m = size[at][0], n = size[at][1], r = min_i(m, n);
    uint64_t seed = (uint64_t)(40 * _i + 1);
    const uniform_t u = {next_unit, &seed};

    if (left_out_here(at) || (family == PAPER_RANDOM && m != n))
        return; /* e4 is absolute, and |A| grows with m                     */
    batch_t b = new_batch(count_of(m, n), m, n);
    scalar_t *const room = grab((size_t)(m + n) * sizeof *room);
    double *const right = grab((size_t)(r * b.count) * sizeof *right);
    for (int64_t i = 0; i < b.count; ++i) {
        const mat_t A = part(b.A, i, n);
        paper_matrix(family, A, &u, room, right + i * r);
        if (r <= BY_LAPACK || family == PAPER_RANDOM)
            lapack_values(A, right + i * r);
        sort_descending(right + i * r, r);
    }
    solve_batch(&b);
    check_errors(&b, right, paper_family_name[family]);
}
END_TEST

/* 1 to eps^(5/4), geometrically: no other values take as many sweeps. */
static double to_zero(double x) { return pow(GSVD_EPS, 1.25 * x); }

static const int order_to_zero[] = {8, 32, 33, 64, 100, 130, 257, 512};
enum { ORDERS_TO_ZERO = sizeof order_to_zero / sizeof *order_to_zero };

START_TEST(values_to_zero)
{
    const int64_t n = order_to_zero[_i];
    uint64_t seed = (uint64_t)(50 * _i + 9);

    if (too_large(n, n, 0) || (n > 130 && !on_device))
        return;
    batch_t b = new_batch(2, n, n);
    double *const right = grab((size_t)(n * b.count) * sizeof *right);
    for (int64_t i = 0; i < b.count; ++i) {
        const mat_t T = with_values(n, n, to_zero, &seed);
        for (int64_t j = 0; j < n; ++j) {
            right[i * n + j] = to_zero((double)j / (double)(n - 1));
            for (int64_t k = 0; k < n; ++k)
                AT(part(b.A, i, n), k, j) = AT(T, k, j);
        }
    }
    solve_batch(&b);
    check_errors(&b, right, "values to zero");
}
END_TEST

/* ---- graded matrices ---------------------------------------------------------------- */

/* Columns, of wide matrices rows, from 1e-150 to 1e150, single 1e-15 to 1e15 */
enum { FAR = GSVD_SINGLE ? 50 : 498 };

/* Each value within 30 n eps of the reference, relative to itself; orthogonal factors */
static void check_graded(const batch_t *b, int64_t i, wide_t *right)
{
    const exec_t *const ex = on(handle);
    const real_t *const found = b->sigma + i * b->r;

    qsort(right, (size_t)b->r, sizeof *right, wide_descending);
    for (int64_t j = 0; j < b->r; ++j)
        ck_assert_msg(fabsl(found[j] - right[j]) <=
                          30 * (wide_t)b->r * GSVD_EPS * right[j],
                      "%ld x %ld, matrix %ld, value %ld: %Lg, not %Lg",
                      (long)b->m, (long)b->n, (long)i, (long)j,
                      (wide_t)found[j], right[j]);
    ck_assert_ratio(departure_of(ex, part(b->U, i, b->r)) /
                    ((double)b->m * GSVD_ULP));
    ck_assert_ratio(departure_of(ex, part(b->V, i, b->r)) /
                    ((double)b->n * GSVD_ULP));
}

/* of the CPU by lanes, in a loop; of a GPU by a warp, two, blocks, and tall ones */
static const int graded_size[][2] = {{2, 2},   {8, 8},     {16, 16},   {32, 32},
                                     {24, 8},  {20, 31},   {33, 33},   {40, 36},
                                     {64, 64}, {1000, 16}, {16, 1000}, {65, 65},
                                     {36, 70}, {600, 8},   {100, 100}};
enum { GRADED_SIZES = sizeof graded_size / sizeof *graded_size };

/* A0 D or D A0, A0 of condition 10 */
START_TEST(graded)
{
    const int64_t m = graded_size[_i][0], n = graded_size[_i][1];
    const int64_t M = max_i(m, n), N = min_i(m, n);
    uint64_t seed = (uint64_t)(70 * _i + 3);

    if (too_large(m, n, 0))
        return;
    batch_t b = new_batch(M <= 32 ? 20 : 2, m, n);
    wide_t **const right = grab((size_t)b.count * sizeof *right);
    for (int64_t i = 0; i < b.count; ++i) {
        const mat_t T = with_values(M, N, to_tenth, &seed);
        const mat_t A = part(b.A, i, n);
        scale_columns(T, FAR, &seed);
        right[i] = wide_values_by_jacobi(T);
        for (int64_t j = 0; j < N; ++j)
            for (int64_t k = 0; k < M; ++k)
                if (m >= n)
                    AT(A, k, j) = AT(T, k, j);
                else
                    AT(A, j, k) = conj_of(AT(T, k, j));
    }
    solve_batch(&b);
    for (int64_t i = 0; i < b.count; ++i)
        check_graded(&b, i, right[i]);
}
END_TEST

/* D B, B of a few entries besides its diagonal: such rows look alike once columns are, or columns are
 * far from R's rows in size.  Rows may differ by 1e160, single 1e20. */
START_TEST(sparse_rows)
{
    enum { COUNT = 600 };
    static const int far[] = {GSVD_SINGLE ? 10 : 30, GSVD_SINGLE ? 20 : 120,
                              GSVD_SINGLE ? 34 : 270};
    const int64_t n = 3 + _i % 6;
    const int form = _i / 6 % 3;
    uint64_t seed = 700 + (uint64_t)_i;
    batch_t b = new_batch(COUNT, n, n);
    wide_t *const right = grab((size_t)(COUNT * n) * sizeof *right);
    fill(b.A, make(0, 0));
    for (int64_t i = 0; i < COUNT; ++i) {
        const mat_t A = part(b.A, i, n);
        EACH_ENTRY (A, k, j) {
            const int arrow = k == 0 || j == 0, band = k == j + 1;
            const int is_in = form == 0 ? arrow : form == 1 ? band : k > j;
            if (k == j)
                AT(A, k, j) = make(1, 0);
            else if (is_in)
                AT(A, k, j) = scale((real_t)0.5, random_uniform_scalar(&seed));
        }
        scale_rows(A, far[_i / 18], &seed);
        wide_singular_values(A, right + i * n);
    }
    solve_batch(&b);
    for (int64_t i = 0; i < COUNT; ++i)
        check_graded(&b, i, right + i * n);
}
END_TEST

/* The columns of U and V have length 1 up to a few roundings, however many rotations have turned
 * them: of the CPU by lanes. */
START_TEST(unit_columns)
{
    const int64_t n = 20 + 3 * _i;
    uint64_t seed = 3;
    if (on_device || too_large(n, n, 0))
        return;
    batch_t b = new_batch(64, n, n);
    for (int64_t j = 0; j < b.A.cols; ++j)
        for (int64_t i = 0; i < n; ++i)
            AT(b.A, i, j) = random_normal_scalar(&seed);
    solve_batch(&b);
    for (int v = 0; v < 2; ++v) {
        const mat_t X_ = from_backend(v ? b.V : b.U);
        wide_t square = 0;
        for (int64_t j = 0; j < X_.cols; ++j) {
            const wide_t off = (length_of_column(X_, j) - 1) / GSVD_EPS;
            square += off * off / (wide_t)X_.cols;
        }
        ck_assert_msg(square <= 2.5L * 2.5L, "order %ld, %c: %Lg eps", (long)n,
                      v ? 'V' : 'U', sqrtl(square));
    }
}
END_TEST

/* Rows 2 to 5 are (x, 2^-e w) each, x = row 1, and orthogonal to row 0: rotations with row 1 leave 2^-e w
 * of them without a rounding.  The cosine of two of these is no number where their squares underflow; they
 * wait for the next sweep. */
START_TEST(rows_that_turn_short)
{
    enum { N = 14, X_ROWS = 6, COUNT = 64 };
    batch_t b = new_batch(COUNT, N, N);
    fill(b.A, make(0, 0));
    for (int i = 0; i < COUNT; ++i) {
        const mat_t A = part(b.A, i, N);
        const int e = GSVD_SINGLE ? 12 + i : 210 + 2 * i;
        for (int j = 0; j < N; ++j) {
            AT(A, 0, j) = make(j < 6 ? 4 : j < 8 ? 2 : 1, 0);
            for (int k = 1; k < X_ROWS && j >= 6; ++k) {
                const int w = j < 8 ? 1 : k > 1 ? (j / 2 + k) % 3 + 1 : 0;
                AT(A, k, j) =
                    make(ldexp_r((real_t)(j % 2 ? -w : w), j < 8 ? 0 : -e), 0);
            }
        }
    }
    solve_batch(&b);
    for (int i = 0; i < COUNT; ++i) {
        ck_assert_ratio(defect(part(from_backend(b.U), i, N)));
        ck_assert_ratio(defect(part(from_backend(b.V), i, N)));
    }
}
END_TEST

enum { GROUP = 8 };

/* T, whose columns are `apart`: 1 on its diagonal, elsewhere multiples of 2^-10 below 1/8 */
static scalar_t entry_of_group(int k, int c, uint64_t *seed)
{
    const double x = (double)random_below(seed, 255) - 127;
    const double y = (double)random_below(seed, 255) - 127;
    return k == c ? make(1, 0) : make((real_t)(x / 1024), (real_t)(y / 1024));
}

/* A = H T D without a rounding error: H of Hadamard, order n, a power of two; T of blocks of
 * GROUP rows and columns that stand n / GROUP apart; D powers of two.  The values are sqrt(n) times
 * those of the blocks of T D. */
static void hadamard_matrix(mat_t A, uint64_t *seed, wide_t *right)
{
    const int64_t n = A.cols, groups = n / GROUP;
    for (int64_t g = 0; g < groups; ++g) {
        const mat_t T = new_mat(GROUP, GROUP);
        for (int c = 0; c < GROUP; ++c) {
            const real_t d = random_power(FAR, seed);
            scalar_t t[GROUP];
            for (int k = 0; k < GROUP; ++k) {
                t[k] = entry_of_group(k, c, seed);
                AT(T, k, c) = scale(d, t[k]);
            }
            for (int64_t i = 0; i < n; ++i) {
                scalar_t sum = make(0, 0);
                for (int k = 0; k < GROUP; ++k) {
                    const uint64_t both = (uint64_t)(i & (g + k * groups));
                    const int sign = __builtin_popcountll(both) % 2 ? -1 : 1;
                    sum = add(sum, scale((real_t)sign, t[k]));
                }
                AT(A, i, g + c * groups) = scale(d, sum);
            }
        }
        memcpy(right + g * GROUP, wide_values_by_jacobi(T),
               GROUP * sizeof *right);
    }
    for (int64_t j = 0; j < n; ++j)
        right[j] *= sqrtl((wide_t)n);
}

START_TEST(graded_hadamard)
{
    static const int order[] = {16, 32, 64, 128, 256, 512};
    const int64_t n = order[_i];
    uint64_t seed = (uint64_t)(5 + _i);

    if (too_large(n, n, 0) || (n > 128 && !on_device))
        return;
    batch_t b = new_batch(n <= 32 ? 20 : 3, n, n);
    wide_t *const right = grab((size_t)(b.count * n) * sizeof *right);
    for (int64_t i = 0; i < b.count; ++i)
        hadamard_matrix(part(b.A, i, n), &seed, right + i * n);
    solve_batch(&b);
    for (int64_t i = 0; i < b.count; ++i)
        check_graded(&b, i, right + i * n);
}
END_TEST

Suite *make_suite(void)
{
    Suite *s = suite_create("batched_accuracy");
    TCase *t = add_tcase(s, "paper_002");
    tcase_add_loop_test(t, families, 0, SIZES * PAPER_FAMILIES);
    tcase_add_loop_test(t, values_to_zero, 0, ORDERS_TO_ZERO);
    t = add_tcase(s, "graded");
    tcase_add_loop_test(t, graded, 0, GRADED_SIZES);
    tcase_add_loop_test(t, graded_hadamard, 0, 6);
    tcase_add_loop_test(t, sparse_rows, 0, 54);
    tcase_add_loop_test(t, unit_columns, 0, 5);
    tcase_add_test(t, rows_that_turn_short);
    return s;
}
