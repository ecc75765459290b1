/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* test_primitives.c -- each member of backend_t by itself, on padded matrices of odd sizes;
 * what it must not touch is filled with NaN.  Rows of tables are run by primitive.c, on a
 * device beside the CPU twin. */
#include <complex.h>

#include "core/blas.h"
#include "core/rotate.h"
#include "harness/primitive.h"
#include "jacobi/band.h"
#include "jacobi/jacobi.h"
#include "lapacke.h"
#include "pivot/pivot.h"
#include "qr/qr.h"

/* around a warp, a tile of 32, a block of 64 and of 256; empty */
static const shape_t size[] = {
    {0, 0, 0},     {0, 3, 0},     {3, 0, 0},   {1, 1, 0},   {1, 7, 0},
    {7, 1, 0},     {2, 2, 0},     {3, 5, 0},   {5, 3, 0},   {4, 4, 0},
    {2, 7, 0},     {31, 33, 0},   {33, 31, 0}, {32, 32, 0}, {63, 64, 0},
    {65, 64, 0},   {64, 65, 0},   {255, 3, 0}, {3, 255, 0}, {257, 5, 0},
    {130, 70, 0},  {70, 130, 0},  {100, 9, 0}, {9, 100, 0}, {257, 40, 0},
    {130, 129, 0}, {300, 200, 0},
};
enum { SIZES = sizeof size / sizeof *size };

/* of square matrices: around a warp, a tile, a block; more columns than blocks (jacobi.h) */
static const shape_t order[] = {
    {0, 0, 0},     {1, 1, 0},     {2, 2, 0},     {3, 3, 0},       {5, 5, 0},
    {7, 7, 0},     {9, 9, 0},     {31, 31, 0},   {32, 32, 0},     {33, 33, 0},
    {40, 40, 0},   {64, 64, 0},   {65, 65, 0},   {70, 70, 0},     {100, 100, 0},
    {129, 129, 0}, {200, 200, 0}, {257, 257, 0}, {1100, 1100, 0},
};

/* of vectors */
static const shape_t lengths[] = {
    {1, 0, 0},    {1, 1, 0},    {1, 2, 0},    {1, 7, 0},    {1, 31, 0},
    {1, 32, 0},   {1, 33, 0},   {1, 255, 0},  {1, 257, 0},  {1, 271, 0},
    {1, 700, 0},  {1, 901, 0},  {1, 1023, 0}, {1, 1024, 0}, {1, 1025, 0},
    {1, 1161, 0}, {1, 1281, 0}, {1, 5000, 0},
};
enum { LENGTHS = sizeof lengths / sizeof *lengths };

/* of products */
static const shape_t triple[] = {
    {0, 0, 0},    {0, 4, 3},       {4, 0, 3},       {4, 3, 0},
    {1, 1, 1},    {2, 3, 4},       {31, 33, 5},     {65, 64, 63},
    {5, 130, 70}, {130, 5, 257},   {32, 32, 32},    {64, 64, 65},
    {9, 9, 100},  {100, 100, 9},   {257, 257, 40},  {40, 40, 257},
    {3, 3, 2},    {129, 129, 130}, {300, 300, 200}, {200, 200, 300},
};

/* kernels are launched once a column */
static int too_many_columns(int i)
{
    return too_large(0, min_i(size[i].m, size[i].n), 0);
}

static uint64_t seed;

/* a random host matrix, and where the backend has it */
static mat_t fresh(int64_t rows, int64_t cols, mat_t *dA)
{
    mat_t A = random_mat(rows, cols, &seed);
    *dA = to_backend(A);
    return A;
}

/* room for a result */
static mat_t room(int64_t rows, int64_t cols)
{
    return to_backend(new_mat(rows, cols));
}

static scalar_t *scalars(int64_t n)
{
    return grab_backend((size_t)n * sizeof(scalar_t));
}

static int close_to(double x, double y, double ulps)
{
    return fabs(x - y) <= ulps * GSVD_ULP * fmax(fabs(x), fabs(y));
}

/* ---- elementwise -------------------------------------------------------- */

static scalar_t times_pow2(scalar_t a, int e)
{
    return make(ldexp_r(re(a), e), ldexp_r(im(a), e));
}

static const int shift[] = {0, 1, -1, -3, 5, -7, 60, -60};

ENTRYWISE(copy, (x->A, x->B), x->A, AT(x->B, i, j) = AT(x->A, i, j))
ENTRYWISE(set, (x->A, -2, 3), x->A, AT(x->A, i, j) = make(i == j ? 3 : -2, 0))
ENTRYWISE(zero_lower, (x->A), x->A, if (i > j) AT(x->A, i, j) = make(0, 0))
ENTRYWISE(ctrans, (x->A, x->B), x->A, AT(x->B, j, i) = conj_of(AT(x->A, i, j)))
ENTRYWISE(conj_antitranspose, (x->A, x->B), x->A,
          AT(x->B, x->n - 1 - j, x->m - 1 - i) = conj_of(AT(x->A, i, j)))
ENTRYWISE(scale_pow2, (x->A, shift[x->which]), x->A,
          AT(x->A, i, j) = times_pow2(AT(x->A, i, j), shift[x->which]))
ENTRYWISE(scale_pow2_upper, (x->A, shift[x->which]), x->A,
          if (i <= j)
              AT(x->A, i, j) = times_pow2(AT(x->A, i, j), shift[x->which]))
ENTRYWISE(scale_rows, (x->A, x->a, x->i), x->A,
          AT(x->A, i, j) = times_pow2(scale(x->a[i], AT(x->A, i, j)), x->i[i]))
ENTRYWISE(unscale_rows, (x->A, x->a, x->i), x->A,
          AT(x->A, i, j) = times_pow2(make(re(AT(x->A, i, j)) / x->a[i],
                                           im(AT(x->A, i, j)) / x->a[i]),
                                      -x->i[i]))
ELEMENTWISE(count_from_one, (x->n, x->i, x->J), x->J[k] = x->i[k] + 1)

static void given_exponents(operands_t *x)
{
    for (int64_t k = 0; k < x->m; ++k)
        x->i[k] = x->i[k] % 41 - 20;
}

/* the diagonal alone, and of it what is 0 in both parts */
static void given_zeros(operands_t *x)
{
    EACH_ENTRY (x->A, i, j)
        if (i % 3 != 1)
            AT(x->A, i, j) = make(0, GSVD_COMPLEX && i % 3 == 2 ? -1 : 0);
}

ENTRYWISE(nonzero, (x->A), x->A,
          if (i == j && i % 3 != 1 && (!GSVD_COMPLEX || i % 3 == 0))
              AT(x->A, i, i) = make(ldexp_r(1, GSVD_SINGLE ? -149 : -1074), 0))

/* From the second variant on one entry is bad: at any corner, real or imaginary. */
static void given_bad_entry(operands_t *x)
{
    static const double bad[] = {NAN, INFINITY, -INFINITY};
    const int corner = (x->which - 1) / 3;
    if (x->which == 0 || x->m == 0 || x->n == 0)
        return;
    const real_t b = (real_t)bad[(x->which - 1) % 3];
    AT(x->A, corner & 1 ? x->m - 1 : 0, corner & 2 ? x->n - 1 : 0) =
        GSVD_COMPLEX && corner % 3 == 0 ? make(1, b) : make(b, 1);
}

REFERENCE(norms, x->A, &x->norms)
{
    x->norms = (norms_t){0, norm1(x->A), all_finite(x->A), -1, -1};
    EACH_ENTRY (x->A, i, j)
        x->norms.largest = fmax_r(x->norms.largest, abs_max(AT(x->A, i, j)));
}

/* rows over all of the range, denormals and zeros too */
static real_t far_apart(int64_t i)
{
    const int span = ROW_EXPONENTS - 2;
    return i % 7 == 3 ? 0 : ldexp_r(GSVD_REAL_MAX / 2, -(int)(i * 613 % span));
}

static void given_rows_far_apart(operands_t *x)
{
    EACH_ENTRY (x->A, i, j)
        AT(x->A, i, j) = scale(far_apart(i), AT(x->A, i, j));
}

REFERENCE(norms_by_row, x->A, x->a, &x->norms)
{
    expect_norms(x);
    x->norms.least_row = GSVD_REAL_MAX;
    x->norms.rows = 0;
    for (int64_t i = 0; i < x->m; ++i) {
        real_t *const most = &x->a[i];
        *most = 0;
        for (int64_t j = 0; j < x->n; ++j)
            *most = fmax_r(*most, abs_max(AT(x->A, i, j)));
        if (*most > 0 && *most < x->norms.least_row)
            x->norms.least_row = *most;
        x->norms.rows += *most > 0;
    }
}

static void check_norms_by_row(const operands_t *in, const operands_t *x)
{
    norms_t plain = {-1, -1, -1, -1, -1};
    CALL(norms, to_backend(copy_mat(in->A)), &plain);
    ck_assert(x->norms.largest == plain.largest);
    ck_assert(x->norms.norm1 == plain.norm1);
}

static const primitive_t elementwise[] = {
    {ROW(copy, size, "Amn > Bmn")},
    {ROW(set, size, "> Amn")},
    {ROW(zero_lower, size, "Amn")},
    {ROW(ctrans, size, "Amn > Bnm")},
    {ROW(conj_antitranspose, size, "Amn > Bnm")},
    {ROW(scale_pow2, size, "Amn"), .variants = 8},
    {ROW(scale_pow2_upper, size, "Amn"), .variants = 6},
    {ROW(scale_rows, size, "Amn am im"), .prepare = given_exponents},
    {ROW(unscale_rows, size, "Amn am im"), .prepare = given_exponents},
    {ROW(count_from_one, size, "in > Jn")},
    {ROW(nonzero, size, "Amn"), .prepare = given_zeros},
    {ROW(norms, size, "Amn"), .prepare = given_bad_entry, .variants = 13,
     .near = {{'1', RELATIVE, 4, .rows = 4}},
     .twin = {{'1', RELATIVE, .root = 4}}},
    {ROW(norms_by_row, size, "Amn > am"), .prepare = given_rows_far_apart,
     .check = check_norms_by_row, .near = {{'1', RELATIVE, 4, .rows = 4}},
     .twin = {{'1', RELATIVE, .root = 4}}},
};

/* Entries of any size are rounded to single precision and come back as what they were
 * rounded to; what stands between the columns stays. */
START_TEST(to_single_and_back)
{
    enum { REALS = REALS_PER_SCALAR };
    const int64_t m = size[_i].m, n = size[_i].n, ld = m + 1 + 2 * (_i % 2);
    const size_t bytes = (size_t)(ld * n) * sizeof(single_t);
    const mat_t A = random_mat(m, n, &seed), dB = room(m, n);
    float *const S = grab(bytes + 1);
    single_t *const dS = grab_results(bytes + 1);

    EACH_ENTRY (A, i, j)
        AT(A, i, j) =
            scale(ldexp_r(1, (int)((i + 5 * j) % 200) - 100), AT(A, i, j));
    const mat_t dA = to_backend(A);
    CALL(to_single, dA, dS, ld);
    CALL(from_single, dS, ld, dB);
    get(S, dS, bytes);
    const mat_t B = from_backend(dB);
    for (int64_t j = 0; j < n; ++j)
        for (int64_t i = 0; i < ld; ++i) {
            const float *const part = S + REALS * (i + ld * j);
            if (i >= m) {
                ck_assert(isnan(part[0]) && isnan(part[REALS - 1]));
                continue;
            }
            const float x = (float)re(AT(A, i, j)), y = (float)im(AT(A, i, j));
            ck_assert(part[0] == x && (REALS == 1 || part[1] == y));
            ck_assert(re(AT(B, i, j)) == (real_t)x);
            ck_assert(im(AT(B, i, j)) == (real_t)y);
        }
}
END_TEST

/* 2^e itself is no number: over and back */
START_TEST(shift_far)
{
    const int e = GSVD_SINGLE ? 250 : 2040, half = e / 2 - 2;
    mat_t A = new_mat(2, 2), dA;
    fill(A, make(ldexp_r(1, -half), 0));
    dA = to_backend(A);
    CALL(scale_pow2, dA, e - 8);
    fill(A, make(ldexp_r(1, e - 8 - half), 0));
    ck_assert_same(from_backend(dA), A);
}
END_TEST

/* a number of 1 / 2 to 1 and one that 2^e makes larger than any, by rounding and
 * by more: next to the end the first is left as it is, the second is the largest
 * number, the third infinite */
START_TEST(largest_number)
{
    const int e = GSVD_SINGLE ? FLT_MAX_EXP : DBL_MAX_EXP;
    const real_t x[3] = {-1 + GSVD_EPS, 1 + GSVD_ULP, (real_t)-1.01};
    const real_t expected[3] = {-GSVD_REAL_MAX, GSVD_REAL_MAX, -INFINITY};
    const real_t g[2] = {1, 1}, most = ldexp_r((real_t)0.75, e);
    const int by[2] = {e, e};
    for (int which = 0; which < 3; ++which)
        for (int i = 0; i < 3; ++i) {
            const mat_t A = new_mat(2, 3);
            fill(A, make((real_t)0.75, 0));
            AT(A, 0, 2) =
                GSVD_COMPLEX ? make((real_t)0.5, x[i]) : make(x[i], 0);
            const mat_t dA = to_backend(A);
            if (which == 0)
                CALL(scale_pow2, dA, e);
            else if (which == 1)
                CALL(scale_pow2_upper, dA, e);
            else
                CALL(scale_rows, dA, to_backend_real(g, 2),
                     to_backend_int(by, 2));
            const mat_t B = from_backend(dA);
            const scalar_t b = AT(B, 0, 2);
            ck_assert((GSVD_COMPLEX ? im(b) : re(b)) == expected[i]);
            ck_assert(re(AT(B, 0, 0)) == most);
            ck_assert(re(AT(B, 1, 0)) == (which == 1 ? (real_t)0.75 : most));
        }
}
END_TEST

START_TEST(norms_by_row_of_nan)
{
    const int64_t m = size[_i].m, n = size[_i].n;
    const mat_t A = random_mat(m, n, &seed);
    norms_t got = {-1, -1, -1, -1, -1};
    if (m == 0 || n == 0)
        return;
    AT(A, m - 1, 0) =
        GSVD_COMPLEX ? make(1, (real_t)NAN) : make((real_t)NAN, 0);
    CALL(norms_by_row, to_backend(A), grab_backend((size_t)m * sizeof(real_t)),
         &got);
    ck_assert_int_eq(got.finite, 0);
}
END_TEST

START_TEST(norms_of_the_largest_numbers)
{
    mat_t A = new_mat(40, 2);
    norms_t got = {-1, -1, -1, -1, -1};
    fill(A, make(GSVD_REAL_MAX, GSVD_REAL_MAX));
    CALL(norms, to_backend(A), &got);
    ck_assert_int_eq(got.finite, 1);
    ck_assert(got.largest == GSVD_REAL_MAX);
}
END_TEST

/* ---- pivot -------------------------------------------------------------- */

/* Columns times 2^500, ..., or of sizes of their own */
static void given_columns(operands_t *x)
{
    static const int far[] = {0, 500, -500, 1000, -1000};
    EACH_ENTRY (x->A, i, j) {
        scalar_t *const a = &AT(x->A, i, j);
        *a = x->which < 5
                 ? times_pow2(*a, far[x->which] / (GSVD_SINGLE ? 9 : 1))
                 : scale((real_t)pow(10, decimal((int)(j * 97 % 260) - 130)),
                         *a);
    }
}

REFERENCE(column_norms, x->A, x->a)
{
    for (int64_t j = 0; j < x->n; ++j) {
        long double sum = 0;
        for (int64_t i = 0; i < x->m; ++i)
            sum += powl(re(AT(x->A, i, j)), 2) + powl(im(AT(x->A, i, j)), 2);
        x->a[j] = (real_t)sqrtl(sum);
    }
}

static void given_weak_diagonal(operands_t *x)
{
    const int64_t r = min_i(x->m, x->n);
    EACH_ENTRY (x->A, i, j)
        AT(x->A, i, j) = make(i != j ? 0 : i == r / 2 ? (real_t)-0.25 : 1, 0);
}

REFERENCE(min_abs_diagonal, x->A, &x->number)
{
    x->number = min_i(x->m, x->n) > 0 ? (real_t)0.25 : GSVD_REAL_MAX;
}

/* By a permutation, or from the last to the first */
ENTRYWISE(permute_columns, (x->A, x->which ? NULL : x->i, x->B), x->A,
          AT(x->B, i, j) = AT(x->A, i, x->which ? x->n - 1 - j : x->i[j]))
ENTRYWISE(permute_rows, (x->A, x->which ? NULL : x->i, x->B), x->A,
          AT(x->B, x->which ? x->m - 1 - i : x->i[i], j) = AT(x->A, i, j))
ELEMENTWISE(identity, (x->n, x->i), x->i[k] = (int)k)

/* Rows of all sizes, or few classes and many ties */
static void given_row_sizes(operands_t *x)
{
    for (int64_t k = 0; k < x->n; ++k)
        x->a[k] *= x->which ? far_apart(k) : 8;
}

REFERENCE(sort_rows, x->n, x->a, x->i, x->j)
{
    int64_t found = 0;
    for (int class = 0; class < ROW_CLASSES; ++class)
        for (int64_t k = 0; k < x->n; ++k)
            if (row_class(x->a[k]) == class)
                x->j[found++] = (int)k;
    for (int64_t k = 0; k < x->n; ++k) {
        const real_t now = x->a[x->j[k]];
        x->i[x->j[k]] = (int)k;
        ck_assert(k == 0 || now == 0 || now < 2 * x->a[x->j[k - 1]]);
    }
}

/* The first numbers and their exponents by hand; the least number is 2^-far. */
enum { FAR = GSVD_SINGLE ? 149 : 1074 };
static void given_numbers(operands_t *x)
{
    const real_t by_hand[] = {1, (real_t)0.5,   (real_t)0.75,    3,
                              0, GSVD_REAL_MAX, ldexp_r(1, -FAR)};
    for (int64_t k = 0; k < x->n; ++k)
        x->a[k] = k < 7 ? by_hand[k] : x->a[k] * far_apart(k);
}

REFERENCE(row_exponents, x->n, x->a, x->i, x->j)
{
    const int right[] = {1, 0, 0, 2, 0, GSVD_SINGLE ? 128 : 1024, 1 - FAR};
    for (int64_t k = 0; k < x->n; ++k) {
        frexp((double)x->a[k], &x->j[k]);
        x->i[k] = -x->j[k];
        ck_assert(k >= 7 || x->j[k] == right[k]);
    }
}

static const primitive_t pivot[] = {
    {ROW(column_norms, size, "Amn > an"), .prepare = given_columns,
     .variants = 6, .near = {{'a', RELATIVE, 4, .rows = 1}},
     .twin = {{'a', RELATIVE, .root = 4}}},
    {ROW(min_abs_diagonal, size, "Amn"), .prepare = given_weak_diagonal},
    {ROW(identity, size, "> in")},
    {ROW(permute_columns, size, "Amn in > Bmn"), .variants = 2},
    {ROW(permute_rows, size, "Amn im > Bmn"), .variants = 2},
    {ROW(sort_rows, lengths, "an > in jn"), .prepare = given_row_sizes,
     .variants = 2},
    {ROW(row_exponents, lengths, "an > in jn"), .prepare = given_numbers},
};

/* A P = Q R, with |R| falling along the diagonal if there is no tolerance; Q through unmqr.  The
 * first columns come in this order, if it is not NULL, and R is the CPU twin's up to signs;
 * else, where it is a matter of rounding which of two columns comes first, both have the same
 * rank. */
static void check_geqp(mat_t A, real_t tol, int64_t rank, const int *order_)
{
    const int64_t m = A.rows, n = A.cols, r = min_i(m, n);
    const mat_t dA = to_backend(A), AP = new_mat(m, n), H = copy_mat(A);
    scalar_t *tau = scalars(max_i(1, n));
    int *dperm = grab_backend((size_t)n * sizeof *dperm), *perm;
    int *seen = grab((size_t)n * sizeof *seen);
    int *right = grab((size_t)n * sizeof *right);
    int64_t found = -1;

    memset(seen, 0, (size_t)n * sizeof *seen);
    ck_assert_ok(
        X(geqpf)(on(handle), dA, GSVD_PIVOT_NORM, tol, dperm, tau, &found));
    ck_assert_int_eq(found, rank);
    perm = from_backend_int(dperm, n);
    const mat_t R = upper_part(from_backend(dA));
    for (int64_t j = 0; j < n; ++j) {
        ck_assert(perm[j] >= 0 && perm[j] < n && !seen[perm[j]]);
        seen[perm[j]] = 1;
        for (int64_t i = 0; i < m; ++i)
            AT(AP, i, j) = AT(A, i, perm[j]);
        ck_assert(!order_ || j >= rank || perm[j] == order_[j]);
        ck_assert_msg(tol >= 0 || j + 1 >= r ||
                          abs_of(AT(R, j + 1, j + 1)) <=
                              abs_of(AT(R, j, j)) * (1 + 64 * GSVD_ULP),
                      "|R(%ld)| grows", (long)j);
    }
    if (tol >= 0) {
        ck_assert_ok(X(geqpf)(on(twin()), H, GSVD_PIVOT_NORM, tol, right,
                              new_mat(max_i(1, r), 1).data, &found));
        ck_assert_int_eq(found, rank);
    }
    for (int64_t j = 0; j < rank && order_; ++j) {
        ck_assert_int_eq(right[j], order_[j]);
        for (int64_t i = 0; i <= j; ++i)
            ck_assert(fabs((double)abs_of(AT(R, i, j)) - abs_of(AT(H, i, j))) <=
                      random_walk(r) * GSVD_ULP * longest(A));
    }
    const mat_t dR = to_backend(R);
    ck_assert_ok(X(unmqr)(on(handle), 'L', 'N', dA, r, tau, dR));
    const mat_t QR = from_backend(dR);
    ck_assert_ratio(distance(QR, AP) / GSVD_ULP /
                    fmax((double)norm1(A), GSVD_SAFMIN));
    if (tol >= 0)
        ck_assert_near(QR, AP, random_walk(r), longest(A));
}

static void check_every_column(mat_t A)
{
    check_geqp(A, -1, min_i(A.rows, A.cols), NULL);
}

START_TEST(geqp)
{
    check_every_column(random_mat(size[_i].m, size[_i].n, &seed));
}
END_TEST

START_TEST(geqp_of_graded_and_deficient)
{
    if (too_many_columns(_i))
        return;
    mat_t A = random_mat(size[_i].m, size[_i].n, &seed);
    const int64_t r = max_i(1, min_i(A.rows, A.cols) / 2);
    EACH_ENTRY (A, i, j)
        AT(A, i, j) = scale((real_t)pow(10, -(j * 7 % 11)), AT(A, i, j));
    check_every_column(A);
    if (A.rows == 0 || A.cols == 0)
        return;
    check_every_column(product('N', 'N', random_mat(A.rows, r, &seed),
                               random_mat(r, A.cols, &seed)));
    fill(A, make(0, 0));
    check_every_column(A);
}
END_TEST

START_TEST(geqp_of_ranks)
{
    const int64_t m = size[_i].m, n = size[_i].n, r = min_i(m, n);
    const int64_t half = (r + 1) / 2, rank[] = {r, half, r, half};
    if (too_large(0, r, 0) || r == 0)
        return;
    for (int k = 0; k < 4; ++k) {
        int *order_ = grab((size_t)n * sizeof *order_);
        const mat_t A =
            k < 2 ? pivoted_mat(m, n, rank[k], GSVD_SINGLE ? 0.2 : 1e-6, order_,
                                &seed)
            : k == 2
                ? random_mat(m, n, &seed)
                : product('N', 'N', mat_cols(random_unitary(m, &seed), 0, half),
                          mat_rows(random_unitary(n, &seed), 0, half));
        const double norm = fmax((double)norm1(A), GSVD_SAFMIN);
        check_geqp(A, (real_t)((double)max_i(m, n) * norm * GSVD_ULP), rank[k],
                   k < 2 ? order_ : NULL);
    }
}
END_TEST

/* A yes leaves T as it is; a no makes it 0; both are heard of behind other work */
START_TEST(test_panel)
{
    const int64_t r = min_i(size[_i].m, size[_i].n);
    uint64_t mine = 71 + (uint64_t)_i;
    mat_t R = identity_mat(size[_i].m, size[_i].n);
    const mat_t T = random_mat(r, r, &mine), zero = zero_mat(r, r);
    int yes = -1;

    /* of a diagonal of ones, and with one entry of -0.25 */
    static const struct {
        int weak;
        double tol, drop;
        int yes;
    } question[] = {{0, 0.25, 0, 1},
                    {0, -1, 0.5, 1},
                    {1, 0.25, 0, 0},
                    {1, 0.24, 0.24, 1},
                    {1, -1, 0.25, 0}};
    for (int k = 0; k < (r > 1 ? 5 : 2); ++k) {
        const mat_t dT = to_backend(T);
        if (question[k].weak)
            AT(R, r / 2, r / 2) = make((real_t)-0.25, 0);
        const mat_t dR = to_backend(R);
        CALL(test_panel, dR, (real_t)question[k].tol, (real_t)question[k].drop,
             dT, &yes);
        CALL(set, dR, 0, 0);
        CALL(await_panel, &yes);
        ck_assert_int_eq(yes, question[k].yes);
        ck_assert_same(from_backend(dT), yes ? T : zero);
    }
}
END_TEST

/* R with column p last */
static mat_t with_last(mat_t R, int64_t p)
{
    const int64_t n = R.cols;
    mat_t A = new_mat(n, n);
    for (int64_t j = 0; j < n; ++j)
        for (int64_t i = 0; i < n; ++i)
            AT(A, i,
               j < p    ? j
               : j == p ? n - 1
                        : j - 1) = i <= j ? AT(R, i, j) : make(0, 0);
    return A;
}

/* column p last, the last entry of the diagonal is at most the bound */
static real_t check_inverse_iteration(mat_t R)
{
    const int64_t n = R.cols;
    int64_t p = -1;
    real_t bound = -1;
    CALL(inverse_iteration, to_backend(R), GSVD_REAL_MAX / 64, &p, &bound);
    ck_assert(p >= 0 && p < n && bound >= 0);
    mat_t dA = to_backend(with_last(R, p));
    ck_assert_ok(X(geqrf)(on(handle), dA, scalars(n)));
    const mat_t A = from_backend(dA);
    ck_assert_msg((double)abs_of(AT(A, n - 1, n - 1)) <=
                      (double)bound * 1.01 +
                          (double)n * GSVD_ULP * (double)norm1(R),
                  "n = %ld, p = %ld: %g, bound %g", (long)n, (long)p,
                  (double)abs_of(AT(A, n - 1, n - 1)), (double)bound);
    return bound;
}

static const int triangle_order[] = {1,   2,   5,   31,  32,  33,  64,  65,
                                     255, 256, 257, 300, 511, 512, 513, 600};
enum { TRIANGLES = sizeof triangle_order / sizeof *triangle_order };

/* What hides in a triangle: nothing; Kahan's first column; too much to be
 * computed without scaling. */
START_TEST(inverse_iteration)
{
    const int64_t n = triangle_order[_i];
    const double s = 0.97, c = sqrt(1 - s * s);
    mat_t R = random_mat(n, n, &seed);
    for (int64_t j = 0; j < n; ++j)
        AT(R, j, j) = add(make(2 * (real_t)sqrt((double)n), 0), AT(R, j, j));
    ck_assert(check_inverse_iteration(R) >= 0.1);

    if (on_device) { /* one weak column: the same for both twins             */
        const mat_t W = copy_mat(R);
        int64_t p = -1, q = -2;
        real_t x = -1, y = -2;
        AT(W, n / 2, n / 2) = make((real_t)1e-2, 0);
        CALL_TWIN(inverse_iteration, W, GSVD_REAL_MAX / 64, &p, &x);
        CALL(inverse_iteration, to_backend(W), GSVD_REAL_MAX / 64, &q, &y);
        ck_assert_int_eq(p, q);
        ck_assert(fabs((double)x - (double)y) <=
                  random_walk(n) * GSVD_ULP * (double)x);
    }
    if (n > 300) /* Kahan's least singular value is below single precision's */
        return;

    for (int64_t j = 0; j < n; ++j)
        for (int64_t i = 0; i < j; ++i)
            AT(R, i, j) = make((real_t)(-c * pow(s, (double)i)), 0);
    for (int64_t j = 0; j < n; ++j)
        AT(R, j, j) = make((real_t)pow(s, (double)j), 0);
    const double hidden = pow(s / (1 + c), (double)(n - 1)) * (1 + c);
    ck_assert(check_inverse_iteration(R) <= 4 * hidden);

    fill(R, make(-1, 0)); /* least singular value 2^-n                       */
    for (int64_t j = 0; j < n; ++j)
        AT(R, j, j) = make(1, 0);
    ck_assert(check_inverse_iteration(R) <=
              8 * pow(2, -(double)n) + GSVD_SAFMIN);
}
END_TEST

/* R of the least singular value 2^(-7 e), next to underflow: what solves with R, and with R^H,
 * grows beyond the largest number unless it is scaled meanwhile. */
START_TEST(inverse_iteration_next_to_underflow)
{
    const int e = GSVD_SINGLE ? 19 : 149;
    const int64_t n = 8;
    const mat_t R = identity_mat(n, n);
    int64_t p = -1;
    real_t bound = -1;
    for (int64_t j = 1; j < n; ++j) {
        AT(R, j - 1, j) = make(1, 0);
        AT(R, j, j) = make(ldexp_r(1, -e), 0);
    }
    CALL(inverse_iteration, to_backend(R), GSVD_REAL_MAX / 64, &p, &bound);
    ck_assert(p == 0 || p == 1);
    ck_assert_msg(bound > 0 && bound <= ldexp_r(1, 5 - 7 * e), "%g",
                  (double)bound);
}
END_TEST

/* far from the tolerance nothing is hidden */
START_TEST(inverse_iteration_of_a_clear_triangle)
{
    mat_t R = identity_mat(size[_i].n + 1, size[_i].n + 1);
    int64_t p = -1;
    real_t bound = -1;
    CALL(inverse_iteration, to_backend(R), (real_t)1e-3, &p, &bound);
    ck_assert(bound > (real_t)1e-3);
}
END_TEST

START_TEST(classes_of_rows)
{
    const real_t most = GSVD_REAL_MAX;
    const real_t tiny = ldexp_r(GSVD_SAFMIN, GSVD_SINGLE ? -23 : -52);
    ck_assert_int_eq(row_class(most), 0);
    ck_assert_int_eq(row_class(most / 4), 2);
    ck_assert_int_eq(row_class(tiny), ROW_CLASSES - 2);
    ck_assert_int_eq(row_class(0), ROW_CLASSES - 1);
    ck_assert_int_eq(row_class(1), row_class((real_t)1.999));
    ck_assert_int_eq(row_class(1) + 1, row_class((real_t)0.999));
}
END_TEST

/* ---- qr ----------------------------------------------------------------- */

static void given_no_phase(operands_t *x)
{
    if (x->n > 2)
        AT(x->A, 1, 1) = make(0, 0); /* has no phase: the column stays        */
}

REFERENCE(fix_phase, x->A, x->B)
{
    EACH_ENTRY (x->B, i, j) {
        const scalar_t d = AT(x->A, j, j);
        const double length = hypot(re(d), im(d));
        if (length > 0)
            AT(x->B, i, j) =
                mul(AT(x->B, i, j),
                    make((real_t)(re(d) / length), (real_t)(im(d) / length)));
    }
}

static char op_a(const operands_t *x) { return x->by & 1 ? 'C' : 'N'; }
static char op_b(const operands_t *x) { return x->by & 2 ? 'C' : 'N'; }

/* op(A) in double: entries, their absolute values */
typedef struct factor {
    int64_t rows, cols;
    double *x, *y, *abs;
} factor_t;

static factor_t factor_of(char op, mat_t A)
{
    const int64_t rows = op == 'N' ? A.rows : A.cols,
                  cols = op == 'N' ? A.cols : A.rows;
    const size_t bytes = (size_t)(rows * cols) * sizeof(double);
    const factor_t F = {rows, cols, grab(bytes), grab(bytes), grab(bytes)};
    EACH_ENTRY (A, i, j) {
        const int64_t at = op == 'N' ? i + j * rows : j + i * rows;
        F.x[at] = (double)re(AT(A, i, j));
        F.y[at] = (double)im(AT(A, i, j)) * (op == 'N' ? 1 : -1);
        F.abs[at] = GSVD_COMPLEX ? sqrt(F.x[at] * F.x[at] + F.y[at] * F.y[at])
                                 : fabs(F.x[at]);
    }
    return F;
}

/* Inner products op(A)(i,:) op(B)(:,j), and the same of absolute values, for all i; the lengths of
 * the rows and of the column */
typedef struct inner {
    double *x, *y, *sum, *lengths, length;
} inner_t;

static inner_t new_inner(const factor_t *F)
{
    const size_t bytes = (size_t)F->rows * sizeof(double);
    const inner_t p = {grab(bytes), grab(bytes), grab(bytes), grab(bytes), 0};
    for (int64_t i = 0; i < F->rows; ++i)
        p.lengths[i] = 0;
    for (int64_t t = 0; t < F->cols; ++t)
        for (int64_t i = 0; i < F->rows; ++i)
            p.lengths[i] += pow(F->abs[i + t * F->rows], 2);
    for (int64_t i = 0; i < F->rows; ++i)
        p.lengths[i] = sqrt(p.lengths[i]);
    return p;
}

static void inner_products(const factor_t *F, const factor_t *G, int64_t j,
                           inner_t *p)
{
    p->length = 0;
    for (int64_t i = 0; i < F->rows; ++i)
        p->x[i] = p->y[i] = p->sum[i] = 0;
    for (int64_t t = 0; t < F->cols; ++t) {
        const int64_t at = t + j * G->rows, from = t * F->rows;
        const double gx = G->x[at], gy = G->y[at], g = G->abs[at];
        p->length += g * g;
        for (int64_t i = 0; i < F->rows; ++i) {
            p->x[i] += F->x[from + i] * gx - F->y[from + i] * gy;
            p->sum[i] += F->abs[from + i] * g;
        }
        for (int64_t i = 0; GSVD_COMPLEX && i < F->rows; ++i)
            p->y[i] += F->x[from + i] * gy + F->y[from + i] * gx;
    }
    p->length = sqrt(p->length);
}

PROPERTY(gemm, op_a(x), op_b(x), x->A, x->B, x->C)
{
    const factor_t F = factor_of(op_a(in), in->A),
                   G = factor_of(op_b(in), in->B);
    inner_t p = new_inner(&F);
    for (int64_t j = 0; j < in->n; ++j) {
        inner_products(&F, &G, j, &p);
        for (int64_t i = 0; i < in->m; ++i) {
            const scalar_t c = AT(x->C, i, j);
            ck_assert(hypot(re(c) - p.x[i], im(c) - p.y[i]) <=
                      4 * GSVD_ULP * p.lengths[i] * p.length);
        }
    }
}

/* Each inner product is right up to 8 ulp of |x| |y|, which are at most this. */
static double size_of_product(const operands_t *x)
{
    return REALS_PER_SCALAR * (double)x->p;
}

#define GEMM(ops, text)                                                        \
    {                                                                          \
        ROW_OF_PROPERTY(gemm, triple, text " > Cmn", "C"),                     \
            .by = ops, .twin = {                                               \
                {'C', ABSOLUTE, 8, .size = size_of_product}                    \
            }                                                                  \
    }
static const primitive_t qr_rows[] = {
    {ROW(fix_phase, size, "Ann Bmn"), .prepare = given_no_phase,
     .near = {{'B', ABSOLUTE, 8}}},
    GEMM(0, "Amp Bpn"),
    GEMM(1, "Apm Bpn"),
    GEMM(2, "Amp Bnp"),
    GEMM(3, "Apm Bnp"),
};

/* A = Q R; Q by ungqr, by unmqr from either side, plain and transposed */
static gsvd_status_t qr_by_panels(mat_t dA, scalar_t *tau)
{
    return X(geqrf)(on(handle), dA, tau);
}

/* each panel beside the update by the one before, whatever the size */
static gsvd_status_t qr_with_lookahead(mat_t dA, scalar_t *tau)
{
    exec_t ex = *on(handle);
    tuning_t tune = *ex.tune;
    tune.wide = 2 * tune.block;
    tune.unblocked = tune.unblocked_rowwise = 0;
    tune.lookahead = 0;
    ex.tune = &tune;
    return X(geqrf)(&ex, dA, tau);
}

static gsvd_status_t qr_rowwise_stable(mat_t dA, scalar_t *tau)
{
    exec_t ex = *on(handle);
    ex.policy.rowwise_stable = 1;
    return X(geqrf)(&ex, dA, tau);
}

static gsvd_status_t qr_by_columns(mat_t dA, scalar_t *tau)
{
    const int64_t r = min_i(dA.rows, dA.cols);
    int64_t done = -1;
    const gsvd_status_t status =
        table()->pivot_columns(on(handle), dA, 0, r, -1, NULL, tau, &done);
    ck_assert_int_eq(done, r);
    return status;
}

static void check_qr(int64_t m, int64_t n,
                     gsvd_status_t (*qr)(mat_t dA, scalar_t *tau))
{
    mat_t dA, A = fresh(m, n, &dA);
    const int64_t r = min_i(m, n);
    const double norm = fmax((double)norm1(A), GSVD_SAFMIN);
    scalar_t *tau = scalars(max_i(1, r));

    ck_assert_ok(qr(dA, tau));
    const mat_t R = upper_part(from_backend(dA));
    mat_t dQ = to_backend(identity_mat(m, m));
    ck_assert_ok(X(unmqr)(on(handle), 'L', 'N', dA, r, tau, dQ));
    const mat_t Q = from_backend(dQ);
    ck_assert_ratio(defect(Q));
    ck_assert_ratio(distance(product('N', 'N', Q, R), A) / norm / GSVD_ULP);

    const mat_t C = random_mat(m, 5, &seed), D = random_mat(5, m, &seed);
    const struct {
        char side, op;
    } how[] = {{'L', 'N'}, {'L', 'C'}, {'R', 'N'}, {'R', 'C'}};
    for (int k = 0; k < 4; ++k) {
        const int left = how[k].side == 'L';
        mat_t dC = to_backend(left ? C : D);
        ck_assert_ok(
            X(unmqr)(on(handle), how[k].side, how[k].op, dA, r, tau, dC));
        const mat_t expected = left ? product(how[k].op, 'N', Q, C)
                                    : product('N', how[k].op, D, Q);
        ck_assert_ratio(distance(from_backend(dC), expected) /
                        (GSVD_ULP * (double)max_i(1, m)));
    }

    for (int full = 0; full < 2; ++full) {
        const int64_t cols = full ? m : r;
        mat_t W = new_mat(m, cols), got, dW;
        fill(W, make(7, 7));
        dW = to_backend(W);
        CALL(copy, mat_cols(dA, 0, r), mat_cols(dW, 0, r));
        ck_assert_ok(X(ungqr)(on(handle), dW, r, tau));
        got = from_backend(dW);
        ck_assert_ratio(distance(got, mat_cols(Q, 0, cols)) /
                        (GSVD_ULP * (double)max_i(1, m)));
    }
}

START_TEST(geqrf) { check_qr(size[_i].m, size[_i].n, qr_by_panels); }
END_TEST

START_TEST(geqrf_with_lookahead)
{
    static const int ahead_of[][2] = {
        {140, 130}, {300, 290}, {290, 400}, {500, 259}};
    const int m = ahead_of[_i][0], n = ahead_of[_i][1];
    if (!too_large(m / 9, n / 9, 0))
        check_qr(m, n, qr_with_lookahead);
}
END_TEST

START_TEST(geqrf_rowwise_stable)
{
    if (!too_many_columns(_i))
        check_qr(size[_i].m, size[_i].n, qr_rowwise_stable);
}
END_TEST

/* |R| of A by reflectors in long double, but for phases; A is destroyed. */
static void exact_r(long double complex *A, int64_t m, int64_t n)
{
    for (int64_t j = 0; j < n; ++j) {
        long double complex *const x = A + j * m;
        long double norm = 0;
        for (int64_t i = j; i < m; ++i)
            norm = hypotl(norm, cabsl(x[i]));
        const long double length = cabsl(x[j]); /* beta has the phase of -x_j */
        const long double complex beta =
            length > 0 ? -norm * (x[j] / length) : norm;
        const long double complex over = x[j] - beta;
        long double length2 = 0;
        x[j] = over;
        for (int64_t i = j; i < m; ++i) /* of what is about 1                */
            length2 += powl(cabsl(x[i] / norm), 2);
        for (int64_t c = j + 1; c < n; ++c) {
            long double complex dot = 0;
            for (int64_t i = j; i < m; ++i)
                dot += conjl(x[i] / norm) * A[i + c * m];
            for (int64_t i = j; i < m; ++i)
                A[i + c * m] -= 2 * dot / length2 * (x[i] / norm);
        }
        x[j] = beta;
    }
}

/* Rows that fall by all that the type has, each of its own accuracy: R against one of long
 * double, row by row.  The columns have their largest entries on the diagonal, so that rows do
 * not grow. */
START_TEST(rows_far_apart)
{
    static const int64_t rows[] = {33, 70, 300, 1000};
    const int64_t m = rows[_i], n = 32 + _i;
    const double range = GSVD_SINGLE ? 15 : 150;
    if (too_large(m / 3, n, 0))
        return;
    const mat_t A = normal_mat(m, n, &seed);
    long double complex *const E = grab((size_t)(m * n) * sizeof *E);
    EACH_ENTRY (A, i, j) {
        const double length =
            pow(10, range - 2 * range * (double)i / (double)(m - 1));
        const scalar_t a =
            add(scale((real_t)0.02, AT(A, i, j)), make(i % n == j, 0));
        AT(A, i, j) = scale((real_t)length, a);
        E[i + j * m] = re(AT(A, i, j)) + I * (long double)im(AT(A, i, j));
    }
    const mat_t dA = to_backend(A);
    ck_assert_ok(qr_rowwise_stable(dA, scalars(n)));
    const mat_t R = from_backend(dA);
    exact_r(E, m, n);
    for (int64_t i = 0; i < n; ++i) {
        double worst = 0, most = 0;
        for (int64_t j = i; j < n; ++j) {
            const double exact = (double)cabsl(E[i + j * m]);
            worst = fmax(worst, fabs((double)abs_of(AT(R, i, j)) - exact));
            most = fmax(most, exact);
        }
        ck_assert_msg(worst <= 10 * (double)n * GSVD_EPS * most,
                      "row %d of R is off by %g eps", (int)i,
                      worst / most / GSVD_EPS);
    }
}
END_TEST

START_TEST(columns_in_their_order)
{
    if (!too_many_columns(_i))
        check_qr(size[_i].m, size[_i].n, qr_by_columns);
}
END_TEST

/* Q from few of its reflectors, made one block (form.c): by unmqr from I */
START_TEST(ungqr_of_many_columns)
{
    static const struct {
        int m, cols, k;
    } many[] = {{1300, 1250, 130}, {420, 420, 200}, {1100, 300, 210}};
    const int64_t m = many[_i].m, cols = many[_i].cols, k = many[_i].k;
    const mat_t dA = to_backend(random_mat(m, k, &seed));
    const mat_t dQ = to_backend(identity_mat(m, cols));
    mat_t W = new_mat(m, cols);
    scalar_t *tau = scalars(k);

    ck_assert_ok(X(geqrf)(on(handle), dA, tau));
    ck_assert_ok(X(unmqr)(on(handle), 'L', 'N', dA, k, tau, dQ));
    fill(W, make(7, 7));
    const mat_t dW = to_backend(W);
    CALL(copy, dA, mat_cols(dW, 0, k));
    ck_assert_ok(X(ungqr)(on(handle), dW, k, tau));
    ck_assert_ratio(distance(from_backend(dW), from_backend(dQ)) /
                    (GSVD_ULP * (double)m));
}
END_TEST

/* the first k steps of a QR taken back */
START_TEST(geqr_undo)
{
    mat_t dA, A = fresh(size[_i].m, size[_i].n, &dA);
    const int64_t r = min_i(A.rows, A.cols), steps[] = {0, 1, r / 2, r};
    for (int i = 0; i < 4; ++i) {
        const int64_t k = min_i(steps[i], r);
        const mat_t first = mat_cols(dA, 0, k);
        scalar_t *tau = scalars(max_i(k, 1));
        ck_assert_ok(X(geqrf)(on(handle), first, tau));
        ck_assert_ok(X(unmqr)(on(handle), 'L', 'C', first, k, tau,
                              mat_cols(dA, k, A.cols - k)));
        ck_assert_ok(X(geqr_undo)(on(handle), dA, k, tau));
        ck_assert_ratio(distance(from_backend(dA), A) / GSVD_ULP /
                        fmax((double)norm1(A), GSVD_SAFMIN));
    }
}
END_TEST

/* Q from fewer reflectors than columns: the rest of a unitary matrix */
START_TEST(ungqr_without_reflectors)
{
    const int m = size[_i].m, n = (int)min_i(size[_i].n, m);
    mat_t A = random_mat(m, n, &seed), dA = to_backend(A);
    scalar_t *tau = scalars(max_i(1, n));
    ck_assert_ok(X(ungqr)(on(handle), dA, 0, tau));
    ck_assert_same(from_backend(dA), identity_mat(m, n));
}
END_TEST

START_TEST(unmqr_without_reflectors)
{
    mat_t dC, C = fresh(size[_i].m, size[_i].n, &dC), dA;
    fresh(size[_i].m, 3, &dA);
    ck_assert_ok(X(unmqr)(on(handle), 'L', 'N', dA, 0, scalars(3), dC));
    ck_assert_same(from_backend(dC), C);
}
END_TEST

/* Products so large that single precision on a GPU has them by three TF32
 * products: one piece inside, several, a last one that is shorter; sizes that no
 * tile divides, but rows and, with one more, leading dimensions that 4 does. */
static const struct {
    int m, n, k;
} big[] = {{2052, 2049, 129}, {1300, 1153, 1211}};
enum { BIG = sizeof big / sizeof *big, SAMPLED = 37 };

/* C := op(A) op(B), then C := C - op(A) op(B) from another C: every entry of some
 * columns, the last among them, is right up to bound |op(A)| |op(B)| */
static void check_products(char opa, char opb, mat_t A, mat_t B, double bound)
{
    const int64_t m = opa == 'N' ? A.rows : A.cols;
    const int64_t n = opb == 'N' ? B.cols : B.rows;
    const mat_t dA = to_backend(A), dB = to_backend(B), dC = room(m + 1, n);
    mat_t dD, D0 = fresh(m + 1, n, &dD);

    if (on_device)
        give_room((size_t)64 << 20);
    CALL(gemm, opa, opb, dA, dB, mat_rows(dC, 0, m));
    ck_assert_split(handle);
    CALL(gemm_sub, opa, opb, dA, dB, mat_rows(dD, 0, m));
    ck_assert_split(handle);
    const mat_t C = from_backend(dC), D = from_backend(dD);
    const factor_t F = factor_of(opa, A), G = factor_of(opb, B);
    inner_t p = new_inner(&F);
    for (int64_t j = (n - 1) % SAMPLED; j < n; j += SAMPLED) {
        inner_products(&F, &G, j, &p);
        for (int64_t i = 0; i < m; ++i) {
            const scalar_t c = AT(C, i, j), d = AT(D, i, j), d0 = AT(D0, i, j);
            ck_assert_msg(hypot(re(c) - p.x[i], im(c) - p.y[i]) <=
                              bound * p.sum[i],
                          "%c %c: C(%ld, %ld)", opa, opb, (long)i, (long)j);
            ck_assert_msg(
                hypot(re(d) - (re(d0) - p.x[i]), im(d) - (im(d0) - p.y[i])) <=
                    bound * p.sum[i] + 2 * GSVD_ULP * (abs_of(d0) + p.sum[i]),
                "%c %c: C(%ld, %ld) after gemm_sub", opa, opb, (long)i,
                (long)j);
        }
    }
}

/* A such that op(A) is rows x cols */
static mat_t random_factor(char op, int rows, int cols)
{
    return op == 'N' ? random_mat(rows, cols, &seed)
                     : random_mat(cols, rows, &seed);
}

/* The three products leave out 4 ulp of a term: 1 for what is left of a factor
 * after its two parts, 2 for the product of the small parts.  Tensor cores add 8
 * terms at a time and lose 2 last places of the largest number among them, which is
 * 128 ulp in a piece of 512; a further piece adds one.  Ordinary arithmetic, an inner
 * product's k ulp that are sqrt(k) at random, is below that.
 *
 * Of a complex product the real and the imaginary part are such sums of 2 k real
 * terms, and |re f re g| + |im f im g| <= |f g|: each is right up to that bound, both
 * together up to sqrt(2) of it. */
START_TEST(large_product)
{
    const int m = big[_i].m, n = big[_i].n, k = big[_i].k,
              terms = REALS_PER_SCALAR * k;
    const char op[] = {'N', 'C'};
    const int piece = terms < 512 ? terms : 512;
    const double bound =
        sqrt(REALS_PER_SCALAR) * (4 + piece / 4. + terms / piece) * GSVD_ULP;
    if (too_large(m, n, k))
        return;
    for (int a = 0; a < 2; ++a)
        for (int b = 0; b < 2; ++b)
            check_products(op[a], op[b], random_factor(op[a], m, k),
                           random_factor(op[b], k, n), bound);
}
END_TEST

/* With one entry a column of op(B) there is one term, and its three products: 4 ulp
 * that are left out, and 1 for each product that is added; of a complex product two
 * real terms in each of two sums, as above.  A part that is missing or in a wrong
 * place costs 2^-12, 2048 ulp. */
START_TEST(large_product_of_single_terms)
{
    const int m = big[_i].m, n = big[_i].n, k = big[_i].k;
    const char op[] = {'N', 'C'};
    if (too_large(m, n, k))
        return;
    for (int a = 0; a < 2; ++a)
        for (int b = 0; b < 2; ++b) {
            const mat_t B = b ? new_mat(n, k) : new_mat(k, n);
            fill(B, make(0, 0));
            for (int j = 0; j < n; ++j) {
                const int t = (int)((7 * (int64_t)j + 3) % k);
                *(b ? &AT(B, j, t) : &AT(B, t, j)) =
                    random_uniform_scalar(&seed);
            }
            check_products(op[a], op[b], random_factor(op[a], m, k), B,
                           sqrt(REALS_PER_SCALAR) * (4 + 3 * REALS_PER_SCALAR) *
                               GSVD_ULP);
        }
}
END_TEST

/* ---- jacobi ------------------------------------------------------------- */

static int64_t *counter(void)
{
    int64_t *rotations = grab_backend(sizeof *rotations);
    CALL(read_rotations, rotations, NULL);
    return rotations;
}

/* The pairs that a sweep rotates or exchanges */
static int64_t rotated(mat_t dG, mat_t dC, int64_t plus, real_t tol)
{
    int64_t *const rotations = counter(), count = -1;
    CALL(sweep, dG, dC, plus, tol, rotations);
    CALL(read_rotations, rotations, &count);
    ck_assert(count >= 0 && count <= dG.cols * (dG.cols - 1) / 2);
    return count;
}

/* Sweeps to the end, and their number */
static int sweep_to_end(mat_t dG, mat_t dC, int64_t plus, real_t tol)
{
    int64_t left = 1;
    int sweeps = 0;
    for (; sweeps < 30 && left > 0; ++sweeps)
        left = rotated(dG, dC, plus, tol);
    ck_assert_int_eq(left, 0);
    return sweeps;
}

/* The CPU twin's sweeps find the lengths of G's columns. */
static void check_swept_by_twin(mat_t G0, mat_t G, int64_t plus, real_t tol)
{
    const mat_t no_C = mat_view(NULL, 0, G.cols, 1), H = copy_mat(G0);
    int64_t rotations = 0, left = 1;
    for (int sweep = 0; sweep < 30 && left > 0; ++sweep) {
        CALL_TWIN(sweep, H, no_C, plus, tol, &rotations);
        CALL_TWIN(read_rotations, &rotations, &left);
    }
    ck_assert_int_eq(left, 0);
    ck_assert_lengths(H, G, plus);
}

/* A(i,:) with the sign -1 from row `plus` on */
static mat_t signed_rows(mat_t A, int64_t plus)
{
    const mat_t B = copy_mat(A);
    EACH_ENTRY (B, i, j)
        if (i >= plus)
            AT(B, i, j) = scale(-1, AT(B, i, j));
    return B;
}

/* Sweeps to the end: columns of G are orthogonal and, those of each sign, sorted by length;
 * G = G0 K, C = K^-H, C^H J C = J.  Without signs C is unitary. */
static mat_t check_sweeps(mat_t G0, int64_t plus, real_t tol, int with_C)
{
    const int64_t m = G0.rows, n = G0.cols;
    const mat_t dG = to_backend(G0), dC = to_backend(identity_mat(n, n));
    const int sweeps =
        sweep_to_end(dG, with_C ? dC : mat_view(NULL, 0, n, 1), plus, tol);
    const mat_t G = from_backend(dG), H = product('C', 'N', G, G);
    EACH_ENTRY (H, i, j) {
        const double x = sqrt((double)re(AT(H, i, i)));
        const double y = sqrt((double)re(AT(H, j, j)));
        if (i >= j)
            continue;
        ck_assert(abs_of(AT(H, i, j)) <=
                  ((double)tol + 2 * (double)m * GSVD_ULP) * x * y);
        ck_assert((i < plus && j >= plus) ||
                  x * x >= ROTATE_SHORTER * y * y *
                               (1 - 2 * (double)(m + 8) * GSVD_ULP));
    }
    if (!with_C)
        return G;
    const mat_t C = from_backend(dC);
    const double ulp = GSVD_ULP * (double)max_i(1, m) * (1 + sweeps);
    const double large = plus < n ? fmax(1, (double)norm1(C)) : 1;
    if (plus < n) {
        ck_assert_ratio(distance(product('N', 'C', G, C), G0) / (ulp * large));
        ck_assert_ratio(distance(product('C', 'N', C, signed_rows(C, plus)),
                                 signed_rows(identity_mat(n, n), plus)) /
                        (ulp * large * large));
        return G;
    }
    ck_assert_ratio(defect(C) / (1 + sweeps));
    ck_assert_ratio(distance(product('N', 'N', G0, C), G) / ulp);
    if (on_device) /* a rotation of each column with each                     */
        ck_assert_near(product('C', 'N', C, C), identity_mat(n, n),
                       random_walk(n * sweeps), 1);
    return G;
}

START_TEST(sweeps_make_columns_orthogonal)
{
    const int64_t n = min_i(size[_i].m, size[_i].n), m = size[_i].m;
    const real_t tol = sqrt_r((real_t)max_i(m, 1)) * GSVD_EPS;
    if (too_many_columns(_i))
        return;
    for (int with_C = 0; with_C < 2; ++with_C) {
        const mat_t G0 = random_mat(m, n, &seed);
        const mat_t G = check_sweeps(G0, n, tol, with_C);
        if (on_device)
            check_swept_by_twin(G0, G, n, tol);
    }
}
END_TEST

/* With signs the twins' lengths are as accurate as the columns are well conditioned. */
START_TEST(signed_sweeps_make_columns_orthogonal)
{
    const int64_t n = min_i(size[_i].m, size[_i].n), m = size[_i].m;
    if (too_many_columns(_i))
        return;
    check_sweeps(random_mat(m, n, &seed), (n + 1) / 2,
                 sqrt_r((real_t)max_i(m, 16)) * GSVD_EPS, 1);
    if (!on_device)
        return;
    const mat_t G0 = normal_mat(2 * n + 1, n, &seed), dG = to_backend(G0);
    const real_t tol = sqrt_r((real_t)max_i(G0.rows, 16)) * GSVD_EPS;
    sweep_to_end(dG, mat_view(NULL, 0, n, 1), n / 2, tol);
    check_swept_by_twin(G0, from_backend(dG), n / 2, tol);
}
END_TEST

/* (5 4; 4 5) with the signs 1 and -1 turns to (3 0; 0 3) by cosh phi = 5/3, sinh phi =
 * -4/3; and C by the rotation's inverse, sinh phi = 4/3. */
START_TEST(signed_sweep_by_hand)
{
    mat_t G = identity_mat(2, 2), dG, dC = to_backend(identity_mat(2, 2));
    mat_t three = zero_mat(2, 2), C = new_mat(2, 2);
    fill(G, make(4, 0));
    fill(C, make((real_t)4 / 3, 0));
    for (int i = 0; i < 2; ++i) {
        AT(G, i, i) = make(5, 0);
        AT(three, i, i) = make(3, 0);
        AT(C, i, i) = make((real_t)5 / 3, 0);
    }
    dG = to_backend(G);
    ck_assert_int_eq(rotated(dG, dC, 1, GSVD_EPS), 1);
    ck_assert(distance(from_backend(dG), three) <= 40 * GSVD_ULP);
    ck_assert(distance(from_backend(dC), C) <= 20 * GSVD_ULP);
}
END_TEST

/* few entries, columns of any length: most pairs are orthogonal and only change
 * places, which must not hide one that is not */
START_TEST(sweeps_of_sparse_columns)
{
    enum { M = 8, N = 6 };
    for (int repeat = 0; repeat < 300; ++repeat) {
        if (left_out(repeat, 30))
            continue;
        mat_t G = random_mat(M, N, &seed);
        const real_t *const of_column = random_reals(N, &seed);
        EACH_ENTRY (G, i, j)
            AT(G, i, j) = random_below(&seed, 5)
                              ? make(0, 0)
                              : scale(of_column[j], AT(G, i, j));
        const mat_t dG = to_backend(G);
        sweep_to_end(dG, mat_view(NULL, 0, N, 1), N, 4 * GSVD_EPS);
        G = from_backend(dG);
        const mat_t H = product('C', 'N', G, G);
        EACH_ENTRY (H, i, j) {
            const double x = (double)re(AT(H, i, i));
            const double y = (double)re(AT(H, j, j));
            if (i >= j || x <= ROTATE_TINY || y <= ROTATE_TINY)
                continue; /* a dependent column, shrunk to nothing            */
            ck_assert_msg(
                abs_of(AT(H, i, j)) <= 16 * GSVD_ULP * sqrt(x) * sqrt(y),
                "repeat %d: columns %ld, %ld", repeat, (long)i, (long)j);
        }
        release_pool();
    }
}
END_TEST

/* columns that are orthogonal and in order are left as they are */
START_TEST(sweep_leaves_orthogonal_columns)
{
    if (too_many_columns(_i))
        return;
    const int64_t n = min_i(size[_i].m, size[_i].n);
    const mat_t G = identity_mat(size[_i].m, n), C = identity_mat(n, n);
    for (int64_t j = 0; j < n; ++j)
        AT(G, j, j) = make((real_t)(2 * n - j), 0);
    const mat_t dG = to_backend(G), dC = to_backend(C);
    ck_assert_int_eq(rotated(dG, dC, n, GSVD_EPS), 0);
    ck_assert_same(from_backend(dG), G);
    ck_assert_same(from_backend(dC), C);
}
END_TEST

/* Of columns with one entry each one is left, as long as they were together. */
START_TEST(sweep_of_one_row)
{
    const mat_t G = new_mat(1, 2);
    AT(G, 0, 0) = make(3, 0);
    AT(G, 0, 1) = make(4, 0);
    const mat_t dG = to_backend(G);
    rotated(dG, mat_view(NULL, 0, 2, 1), 2, GSVD_EPS);
    const mat_t W = from_backend(dG);
    const double a = (double)abs_of(AT(W, 0, 0));
    const double b = (double)abs_of(AT(W, 0, 1));
    ck_assert(fabs(hypot(a, b) - 5) <= 8 * 5 * GSVD_ULP);
    ck_assert(fmin(a, b) <= 8 * 5 * GSVD_ULP);
}
END_TEST

START_TEST(sweep_of_zero_columns)
{
    const mat_t G = zero_mat(9, 6);
    const mat_t dG = to_backend(G);
    ck_assert_int_eq(rotated(dG, mat_view(NULL, 0, 6, 1), 6, GSVD_EPS), 0);
    ck_assert_same(from_backend(dG), G);
}
END_TEST

START_TEST(sweep_twice_the_same_bits)
{
    if (too_many_columns(_i))
        return;
    const int64_t n = min_i(size[_i].m, size[_i].n);
    mat_t dG, G = fresh(size[_i].m, n, &dG), dG2 = to_backend(G);
    const mat_t dC = to_backend(identity_mat(n, n));
    const mat_t dC2 = to_backend(identity_mat(n, n));
    const int64_t one = rotated(dG, dC, n, GSVD_EPS);
    ck_assert_int_eq(one, rotated(dG2, dC2, n, GSVD_EPS));
    ck_assert_same(from_backend(dG), from_backend(dG2));
    ck_assert_same(from_backend(dC), from_backend(dC2));
}
END_TEST

static const struct {
    int m, l;
} trapezoid[] = {
    {0, 3}, {1, 1}, {2, 2}, {2, 5}, {5, 5}, {20, 33}, {33, 33},
};
enum { TRAPEZOIDS = sizeof trapezoid / sizeof *trapezoid };

/* rows of U^H A and V^H B are parallel: s U^H A = c V^H B */
START_TEST(tgsja)
{
    const int m = trapezoid[_i].m, l = trapezoid[_i].l;
    mat_t A = random_mat(m, l, &seed), B = random_mat(l, l, &seed);
    for (int j = 0; j < l; ++j) {
        for (int i = j + 1; i < l; ++i) {
            if (i < m)
                AT(A, i, j) = make(0, 0);
            AT(B, i, j) = make(0, 0);
        }
        AT(B, j, j) = make((real_t)(2 + random_unit(&seed)), 0);
        if (j < m) /* xTGSJA reads diagonals as real numbers                  */
            AT(A, j, j) = make((real_t)(random_unit(&seed) - 0.5), 0);
    }
    const mat_t dA = to_backend(A), dB = to_backend(B);
    const mat_t dU = room(m, m), dV = room(l, l);
    real_t *dc = to_backend_real(random_reals(l, &seed), l),
           *ds = to_backend_real(random_reals(l, &seed), l);
    const real_t tola = (real_t)l * norm1(A) * GSVD_ULP;
    const real_t tolb = (real_t)l * norm1(B) * GSVD_ULP;
    int cycles = -1, converged = 0;
    size_t bytes = 0;

    ck_assert_ok(gsvd_set_option(handle, GSVD_SOLVER, GSVD_SOLVER_TGSJA));
    CALL(staging_bytes, l, &bytes);
    exec_t ex = *on(handle);
    ex.staging = (buffer_t){grab(bytes), bytes};
    ck_assert_ok(table()->tgsja(&ex, dA, dB, tola, tolb, dU, dV, dc, ds,
                                &cycles, &converged));
    ck_assert(converged);

    ck_assert_int_ge(cycles, m > 0);
    ck_assert_int_le(cycles, 40);
    ck_assert_same(from_backend(dA), A);
    ck_assert_same(from_backend(dB), B);
    const mat_t U = from_backend(dU), V = from_backend(dV);
    const real_t *c = from_backend_real(dc, l), *s = from_backend_real(ds, l);
    ck_assert_ratio(defect(U));
    ck_assert_ratio(defect(V));
    const mat_t UA = product('C', 'N', U, A), VB = product('C', 'N', V, B);
    for (int i = 0; i < m; ++i) {
        ck_assert(fabs((double)c[i] * c[i] + (double)s[i] * s[i] - 1) <
                  8 * GSVD_ULP);
        for (int j = 0; j < l; ++j)
            ck_assert(abs_of(sub(scale(s[i], AT(UA, i, j)),
                                 scale(c[i], AT(VB, i, j)))) <=
                      4 * (tola + tolb));
    }
}
END_TEST

/* ---- large steps ---------------------------------------------------------- */

/* Every third length is 0. */
static void given_zero_lengths(operands_t *x)
{
    for (int64_t j = 1; j < x->n; j += 3)
        x->a[j] = 0;
}

static scalar_t over(scalar_t a, real_t d)
{
    return d == 0 ? make(0, 0) : make(re(a) / d, im(a) / d);
}

/* in place if there is no B */
static mat_t result_of(const operands_t *x) { return x->B.data ? x->B : x->A; }

ENTRYWISE(normalize_columns, (x->A, x->a, result_of(x)), x->A,
          AT(result_of(x), i, j) = over(AT(x->A, i, j), x->a[j]))
ENTRYWISE(scale_columns, (x->A, x->a, result_of(x)), x->A,
          AT(result_of(x), i, j) = scale(x->a[j], AT(x->A, i, j)))

/* Of length 1 in the second variant, but for one of zeros */
static void given_unit_columns(operands_t *x)
{
    for (int64_t j = 0; x->which && j < x->n; ++j) {
        const mat_t column = mat_cols(x->A, j, 1);
        const double norm = longest(column);
        EACH_ENTRY (column, i, k)
            AT(column, i, k) =
                scale(j == x->n / 2 ? 0 : (real_t)(1 / norm), AT(column, i, k));
    }
}

static double longest_square(const operands_t *x)
{
    return pow(longest(x->A), 2);
}

PROPERTY(gram, x->A, x->C)
{
    for (int64_t j = 0; j < in->n; ++j)
        ck_assert(im(AT(x->C, j, j)) == 0 && re(AT(x->C, j, j)) >= 0);
    ck_assert(distance(x->C, product('C', 'N', in->A, in->A)) <=
              8 * REALS_PER_SCALAR * (double)in->m * GSVD_ULP);
}

/* R upper triangular, with a diagonal of n and numbers below it that are not to be read */
static void given_triangle_to_solve(operands_t *x)
{
    EACH_ENTRY (x->B, i, j)
        AT(x->B, i, j) = i > j      ? make((real_t)NAN, 0)
                         : i == j   ? make((real_t)x->n, 0)
                         : x->which ? AT(x->B, i, j)
                                    : random_normal_scalar(&x->seed);
}

PROPERTY(trsm, x->B, x->A)
{
    const mat_t R = upper_part(in->B), E = copy_mat(in->A);
    gemm('N', 'N', -1, x->A, R, 1, E);
    ck_assert(norm1(E) <= 8 * REALS_PER_SCALAR * (double)max_i(in->n, 1) *
                              GSVD_ULP * norm1(in->A));
}

/* Lengths of columns that differ, with zeros among those of the first matrix */
static void given_two_lengths(operands_t *x)
{
    for (int64_t j = 0; j < x->n; ++j) {
        x->a[j] = j % 5 == 4 ? 0 : ldexp_r(3, (int)(j * 37 % 90) - 60);
        x->b[j] = ldexp_r(5, (int)(j * 53 % 90) - 60);
    }
}

PRIMITIVE_CALL(column_scales, x->n, x->a, x->b, x->c)
PRIMITIVE_CALL(joint_scales, x->n, x->a, x->b, 1, 2, x->c, &x->number)

static scalar_t on_circle(double angle, double radius)
{
    const double turn = REALS_PER_SCALAR == 2 ? angle : 0;
    return make((real_t)(radius * cos(turn)), (real_t)(radius * sin(turn)));
}

/* with a real diagonal */
static void make_hermitian(mat_t A)
{
    EACH_ENTRY (A, i, j)
        AT(A, i, j) = i < j    ? conj_of(AT(A, j, i))
                      : i == j ? make(re(AT(A, i, j)), 0)
                               : AT(A, i, j);
}

static mat_t hermitian(int64_t n)
{
    const mat_t A = random_mat(n, n, &seed);
    make_hermitian(A);
    return A;
}

/* Whatever stands on the diagonal does not count, NaN elsewhere does. */
static void given_cosines(operands_t *x)
{
    make_hermitian(x->A);
    for (int64_t j = 0; j < x->n; ++j)
        AT(x->A, j, j) = make(j % 2 ? (real_t)NAN : 9, 0);
    if (x->which == 0 || x->n < 2)
        return;
    const int64_t i = 1 + random_below(&x->seed, x->n - 1),
                  j = random_below(&x->seed, i);
    AT(x->A, i, j) = x->which == 1 ? on_circle(1, 7) : make((real_t)NAN, 0);
    AT(x->A, j, i) = conj_of(AT(x->A, i, j));
}

REFERENCE(largest_cosine, x->A, &x->number)
{
    x->number = 0;
    EACH_ENTRY (x->A, i, j)
        if (i != j && !(abs_of(AT(x->A, i, j)) <= x->number) &&
            !isnan(x->number))
            x->number = abs_of(AT(x->A, i, j));
}

/* Signs in the odd variants; columns of lengths that fall, by much or by little */
static void given_angles(operands_t *x)
{
    make_hermitian(x->A);
    for (int64_t j = 0; j < x->n; ++j) {
        x->a[j] = x->which < 2 ? (real_t)pow(0.75, (double)min_i(j, 60))
                               : (real_t)(2 * x->n - j) / (real_t)x->n;
        x->b[j] = (real_t)(j * 5 % 3 == 0 ? -1 : 1);
    }
}

static real_t least_of(const operands_t *x)
{
    return x->which < 2 ? (real_t)0.25 : (real_t)0.01;
}

static const real_t *signs_of(const operands_t *x)
{
    return x->which % 2 ? x->b : NULL;
}

/* J T is skew-Hermitian, and T is graded as the columns are. */
PROPERTY(rotation_angles, x->A, x->a, signs_of(x), least_of(x), &x->number)
{
    const double order_ = (double)max_i(in->n, 1);
    const double small = sqrt(GSVD_EPS / (16 * order_)) * (1 + 4 * GSVD_ULP);
    const real_t *const d = in->a, *const sign = signs_of(in);
    EACH_ENTRY (x->A, i, j) {
        const scalar_t a = AT(x->A, i, j), b = AT(x->A, j, i);
        const real_t turn = sign ? -sign[i] * sign[j] : -1;
        if (i > j)
            continue;
        ck_assert(re(a) == turn * re(b) && im(a) == -turn * im(b));
        ck_assert(abs_of(a) <= (real_t)0.5 + 2 * GSVD_ULP);
        const int left = i == j || abs_of(AT(in->A, i, j)) <= least_of(in);
        ck_assert(left ? abs_of(a) <= small : abs_of(a) > 0);
        ck_assert(abs_of(a) <= 2.5 * d[j] / d[i]); /* |c| < sqrt(2)           */
    }
    ck_assert(close_to(x->number, norm1(x->A), 4 * sqrt(fmax(order_, 16))));
}

REFERENCE(second_order_exp, x->A, x->B, (real_t)0.375, x->C)
{
    const double s = 0.375;
    EACH_ENTRY (x->C, i, j) {
        const scalar_t a = AT(x->A, i, j), b = AT(x->B, i, j);
        AT(x->C, i, j) =
            make((real_t)((i == j) + s * re(a) - s * s / 2 * re(b)),
                 (real_t)(s * im(a) - s * s / 2 * im(b)));
    }
}

/* I or signs; an entry is NaN. */
static void given_gram(operands_t *x)
{
    for (int64_t j = 0; j < x->n; ++j)
        x->a[j] = (real_t)(x->which % 2 && j * 5 % 3 == 0 ? -1 : 1);
    if (x->which > 1 && x->n > 0)
        AT(x->A, x->n / 2, x->n / 3) = make((real_t)NAN, 0);
}

REFERENCE(newton_schulz, x->A, x->which % 2 ? x->a : NULL, &x->number)
{
    x->number = 0;
    EACH_ENTRY (x->A, i, j) {
        const double a = (double)(x->a[i] * re(AT(x->A, i, j)));
        const double b = (double)(x->a[i] * im(AT(x->A, i, j)));
        const double off = hypot(a - (i == j), b);
        if (!(off <= (double)x->number) && !isnan(x->number))
            x->number = (real_t)off;
        AT(x->A, i, j) =
            make((real_t)((i == j ? 1.5 : 0) - a / 2), (real_t)(-b / 2));
    }
}

/* The imaginary part is exact. */
static void check_newton_schulz(const operands_t *in, const operands_t *x)
{
    EACH_ENTRY (x->A, i, j)
        ck_assert(im(AT(x->A, i, j)) == -in->a[i] * im(AT(in->A, i, j)) / 2 ||
                  isnan(re(AT(x->A, i, j))));
}

/* Entries whose distance from J is next to the bound are made 0. */
static double drift_bound(const operands_t *x, int64_t i, int64_t j)
{
    return x->which == 1 ? 0 : 0.25 * (double)(x->b[i] * x->b[j]);
}

static double drift_of(const operands_t *x, int64_t i, int64_t j)
{
    return hypot((double)(x->a[i] * re(AT(x->A, i, j))) - (i == j),
                 (double)im(AT(x->A, i, j)));
}

static void given_drift(operands_t *x)
{
    for (int64_t j = 0; j < x->n; ++j) {
        x->a[j] = (real_t)(j * 5 % 3 == 0 ? -1 : 1);
        x->b[j] = (real_t)(1 + j % 3) / 2;
    }
    EACH_ENTRY (x->A, i, j)
        if (fabs(drift_of(x, i, j) - drift_bound(x, i, j)) <= 8 * GSVD_ULP)
            AT(x->A, i, j) = make(0, 0);
    if (x->which == 2 && x->n > 0)
        AT(x->A, x->n - 1, x->n / 2) = make((real_t)NAN, 0);
}

REFERENCE(signed_drift, x->A, x->a, x->b, x->which == 1 ? 0 : (real_t)0.25,
          &x->number)
{
    x->number = 0;
    EACH_ENTRY (x->A, i, j) {
        const double off = drift_of(x, i, j);
        const double a = (double)(x->a[i] * re(AT(x->A, i, j))) - (i == j);
        const double b = (double)(x->a[i] * im(AT(x->A, i, j)));
        const int left = !(off <= drift_bound(x, i, j));
        if (left && !(off / 2 <= (double)x->number) && !isnan(x->number))
            x->number = (real_t)(off / 2);
        AT(x->A, i, j) =
            left ? make((real_t)(a / 2), (real_t)(b / 2)) : make(0, 0);
    }
}

static void check_signed_drift(const operands_t *in, const operands_t *x)
{
    EACH_ENTRY (x->A, i, j) {
        const int left = !(drift_of(in, i, j) <= drift_bound(in, i, j));
        ck_assert(im(AT(x->A, i, j)) ==
                      (left ? in->a[i] * im(AT(in->A, i, j)) / 2 : 0) ||
                  isnan(re(AT(x->A, i, j))));
    }
}

static void given_values_of_signs(operands_t *x)
{
    for (int64_t k = 0; k < x->n; ++k)
        x->a[k] = k % 7 == 5   ? 0
                  : k % 7 == 6 ? (real_t)NAN
                  : k % 2      ? -x->a[k]
                               : x->a[k];
}

REFERENCE(signed_roots, x->n, x->a, x->b, x->c)
{
    for (int64_t k = 0; k < x->n; ++k) {
        x->b[k] = sqrt_r(fabs_r(x->a[k]));
        x->c[k] = (real_t)((x->a[k] > 0) - (x->a[k] < 0));
    }
}

static const primitive_t large_steps[] = {
    {ROW(normalize_columns, size, "Amn an > Bmn"),
     .prepare = given_zero_lengths},
    {ROW(normalize_columns, size, "Amn an"), .prepare = given_zero_lengths},
    {ROW(scale_columns, size, "Amn an > Bmn"), .prepare = given_zero_lengths},
    {ROW(scale_columns, size, "Amn an")},
    {ROW_OF_PROPERTY(gram, size, "Amn > Cnn", "C"), .variants = 2,
     .prepare = given_unit_columns,
     .twin = {{'C', ABSOLUTE, 8 * REALS_PER_SCALAR, .size = longest_square}}},
    {ROW_OF_PROPERTY(trsm, size, "Bnn Amn", "A"), .variants = 2,
     .prepare = given_triangle_to_solve, .twin = {{'A', ABSOLUTE, 8}}},
    {ROW_OF_CALL(column_scales, lengths, "an bn > cn"), .open = "c",
     .prepare = given_two_lengths, .twin = {{'c', ABSOLUTE}}},
    {ROW_OF_CALL(joint_scales, lengths, "an bn > cn"), .open = "cx",
     .prepare = given_two_lengths, .twin = {{'c', ABSOLUTE}, {'x', ABSOLUTE}}},
    {ROW(largest_cosine, order, "Ann"), .prepare = given_cosines, .variants = 3,
     .limited = 1, .near = {{'x', RELATIVE, 4}}},
    {ROW_OF_PROPERTY(rotation_angles, order, "Ann an bn", "Ax"),
     .prepare = given_angles, .variants = 4, .limited = 1,
     .twin = {{'A', ABSOLUTE, 8}, {'x', RELATIVE, 8, .root = 4}}},
    {ROW(second_order_exp, order, "Ann Bnn > Cnn"), .limited = 1,
     .near = {{'C', ABSOLUTE, 4}}, .twin = {{'C', ABSOLUTE, 8}}},
    {ROW(newton_schulz, order, "Ann an"), .check = check_newton_schulz,
     .prepare = given_gram, .variants = 4, .limited = 1,
     .near = {{'A', ABSOLUTE, 2}, {'x', RELATIVE, 4}},
     .twin = {{'A', ABSOLUTE, 4}}},
    {ROW(signed_drift, order, "Ann an bn"), .check = check_signed_drift,
     .prepare = given_drift, .variants = 3, .limited = 1,
     .near = {{'A', ABSOLUTE, 2}, {'x', RELATIVE, 4}},
     .twin = {{'A', ABSOLUTE, 8}, {'x', RELATIVE, 8}}},
    {ROW(signed_roots, order, "an > bn cn"), .prepare = given_values_of_signs,
     .near = {{'b', ABSOLUTE}}, .twin = {{'b', RELATIVE, 1}}},
};

START_TEST(gram_by_hand)
{
    mat_t A = new_mat(3, 2), C = new_mat(2, 2), dC = room(2, 2);
    for (int k = 0; k < 6; ++k) /* 1 2; 3 4; 5 6                              */
        AT(A, k / 2, k % 2) = make((real_t)(k + 1), 0);
    AT(C, 0, 0) = make(35, 0);
    AT(C, 1, 0) = AT(C, 0, 1) = make(44, 0);
    AT(C, 1, 1) = make(56, 0);
    CALL(gram, to_backend(A), dC);
    ck_assert(distance(from_backend(dC), C) == 0);
}
END_TEST

START_TEST(trsm_by_hand)
{
    mat_t A = new_mat(1, 2), R = new_mat(2, 2); /* (4 7) = (2 3) (2 -1; 0 3)  */
    AT(R, 0, 0) = make(2, 0);
    AT(R, 0, 1) = make(-1, 0);
    AT(R, 1, 0) = make((real_t)NAN, 0);
    AT(R, 1, 1) = make(3, 0);
    AT(A, 0, 0) = make(4, 0);
    AT(A, 0, 1) = make(7, 0);
    const mat_t dA = to_backend(A);
    CALL(trsm, to_backend(R), dA);
    AT(A, 0, 0) = make(2, 0);
    AT(A, 0, 1) = make(3, 0);
    ck_assert_same(from_backend(dA), A);
}
END_TEST

/* a comes next to 1, unless that takes b too far; where a is 0, b comes as far as it may */
START_TEST(column_scales_by_hand)
{
    const real_t far = ldexp_r(1, SPREAD);
    const real_t least = GSVD_SAFMIN * GSVD_ULP;
    const real_t a[] = {1, 3, (real_t)0.25, 0, 0, 1, 1, least, 0};
    const real_t b[] = {5, 0, 1, 4, 0, 4 * far, 1 / far / 4, least, least};
    enum { N = sizeof a / sizeof *a };
    real_t *const dd = to_backend_real(a, N);
    CALL(column_scales, N, to_backend_real(a, N), to_backend_real(b, N), dd);
    const real_t *const d = from_backend_real(dd, N);
    const real_t right[] = {1, (real_t)0.5, 4, far / 4, 1, (real_t)0.25, 4};
    for (int i = 0; i < 7; ++i)
        ck_assert_msg(d[i] == right[i], "%d: %g", i, (double)d[i]);
    for (int i = 7; i < N; ++i)
        ck_assert(d[i] >= ldexp_r(1, GSVD_SINGLE ? 100 : 900) &&
                  d[i] <= GSVD_REAL_MAX);
}
END_TEST

/* The longer of a and b, each against the largest of its kind, comes next to that, but columns
 * that are too short in both. */
START_TEST(joint_scales_by_hand)
{
    const real_t least = GSVD_SAFMIN * GSVD_ULP, small = ldexp_r(3, -30);
    const real_t a[] = {8, 1, 4, 0, small, small, small, least, 0};
    const real_t b[] = {1, 4, 0, 1, small, 1, 0, 0, 0};
    const real_t right[] = {1, 1, 2, 4, 1, 4, 1};
    enum { N = sizeof a / sizeof *a, MANY_COLUMNS = 700 };
    const int far = GSVD_SINGLE ? 100 : 900;
    real_t *const dd = to_backend_real(a, N), most;
    CALL(joint_scales, N, to_backend_real(a, N), to_backend_real(b, N), small,
         small, dd, &most);
    const real_t *d = from_backend_real(dd, N);
    for (int i = 0; i < 7; ++i)
        ck_assert_msg(d[i] == right[i], "%d: %g", i, (double)d[i]);
    ck_assert(d[7] == 1 && d[8] == 1 && most == 4);

    CALL(joint_scales, N, to_backend_real(a, N), to_backend_real(b, N), 0, 0,
         dd, &most);
    d = from_backend_real(dd, N);
    ck_assert(d[4] == ldexp_r(1, 31) && d[6] == ldexp_r(1, 32));
    ck_assert(d[7] >= ldexp_r(1, far) && d[7] <= GSVD_REAL_MAX);
    ck_assert(d[8] == 1 && most == d[7]);

    real_t *const x =
        grab(MANY_COLUMNS * sizeof *x); /* more than a block of threads */
    for (int i = 0; i < MANY_COLUMNS; ++i)
        x[i] = ldexp_r(1, i * 37 % 60 - 30);
    real_t *const dx = to_backend_real(x, MANY_COLUMNS);
    real_t *const dy = to_backend_real(x, MANY_COLUMNS);
    CALL(joint_scales, MANY_COLUMNS, dx, dx, 0, 0, dy, &most);
    d = from_backend_real(dy, MANY_COLUMNS);
    for (int i = 0; i < MANY_COLUMNS; ++i)
        ck_assert(d[i] * x[i] == ldexp_r(1, 29));
    ck_assert(most == ldexp_r(1, 59));
    CALL(joint_scales, 0, dx, dx, 0, 0, dy, &most);
    ck_assert(most == 1);
}
END_TEST

/* tan 2 theta = 2 |c| q / (1 - q^2), at most 1/2 */
static double angle_of(double c, double q)
{
    return fmin(atan2(2 * c * q, 1 - q * q) / 2, 0.5);
}

/* I, and cosines c of the pairs (0,1), (0,2), (1,2) */
static mat_t cosines(int64_t n, const double *c)
{
    const mat_t C = identity_mat(n, n);
    for (int k = 0; k < 3; ++k) {
        AT(C, k / 2, (k + 3) / 2) = on_circle(k + 1, c[k]);
        AT(C, (k + 3) / 2, k / 2) = on_circle(-k - 1, c[k]);
    }
    return C;
}

/* T of the lengths d and the cosines c has the angles t, J T is skew-Hermitian, and all else of
 * it is 0; the bound is the largest of three sums. */
static void check_angles(int64_t n, const real_t *d, const double *c,
                         const real_t *sign, double least, const double *t)
{
    const mat_t dC = to_backend(cosines(n, c));
    real_t bound = -1;
    CALL(rotation_angles, dC, to_backend_real(d, n),
         sign ? to_backend_real(sign, n) : NULL, (real_t)least, &bound);
    const mat_t T = from_backend(dC);
    for (int k = 0; k < 3; ++k)
        ck_assert(abs_of(sub(AT(T, k / 2, (k + 3) / 2),
                             on_circle(k + 1, -t[k]))) <= 8 * GSVD_ULP);
    EACH_ENTRY (T, i, j) {
        const scalar_t a = AT(T, i, j), b = AT(T, j, i);
        const real_t turn = sign ? -sign[i] * sign[j] : -1;
        ck_assert(re(a) == turn * re(b) && im(a) == -turn * im(b));
        ck_assert(abs_of(a) == 0 || (i != j && i < 3 && j < 3));
    }
    ck_assert(
        close_to(bound, fmax(t[0] + t[1], fmax(t[0] + t[2], t[1] + t[2])), 16));
}

/* The first pair is turned by less than the bound of angles, the second has a cosine that
 * may be small enough, the third is turned by that bound, and the last column is 0. */
START_TEST(rotation_angles_by_hand)
{
    const real_t d[] = {4, 2, (real_t)1.9, 0};
    const double c[] = {0.5, 0.25, 0.9};
    double t[] = {angle_of(c[0], 0.5), angle_of(c[1], 1.9 / 4),
                  angle_of(c[2], 1.9 / 2)};
    ck_assert(t[2] == 0.5 && t[0] < 0.5);
    check_angles(4, d, c, NULL, 0.2, t);
    t[1] = 0;
    check_angles(4, d, c, NULL, 0.25, t);
}
END_TEST

/* Two columns of unequal sign, T the angle of their hyperbolic rotation by hand; with a
 * third one, which has the sign of the first: the angles of that pair do not see signs. */
START_TEST(signed_angles_by_hand)
{
    const real_t d[] = {4, 2, 1}, sign[] = {-1, 1, -1};
    const double c[] = {0.5, 0.25, 0.99};
    double t[] = {atanh(2 * c[0] / 2.5) / 2, angle_of(c[1], 0.25),
                  atanh(2 * c[2] / 2.5) / 2};
    ck_assert(t[2] > 0.5);
    t[2] = 0.5; /* is cut                                                     */
    check_angles(3, d, c, sign, 0, t);
}
END_TEST

/* A pair with a cosine that is small enough: turned where that takes a small angle, between
 * columns of different length, and left where it takes one of pi / 4. */
START_TEST(rotation_by_a_small_angle)
{
    const real_t c = (real_t)0x1p-20, q = (real_t)0x1p-14;
    const real_t d[] = {1, 1, q};
    mat_t C = new_mat(3, 3);
    real_t bound;
    EACH_ENTRY (C, i, j)
        AT(C, i, j) = make(i == j ? 1 : c, 0);
    const mat_t dC = to_backend(C);
    CALL(rotation_angles, dC, to_backend_real(d, 3), NULL, 2 * c, &bound);
    const mat_t T = from_backend(dC);
    ck_assert(abs_of(AT(T, 0, 1)) == 0);
    for (int i = 0; i < 2; ++i) {
        ck_assert(close_to(-re(AT(T, i, 2)) / (c * q), 1, 1 / sqrt(GSVD_ULP)));
        ck_assert(re(AT(T, 2, i)) == -re(AT(T, i, 2)));
    }
}
END_TEST

/* Two columns of lengths 4 and 2 and of cosine c */
static mat_t two_columns(real_t c)
{
    const mat_t G = new_mat(2, 2);
    AT(G, 0, 0) = make(4, 0);
    AT(G, 1, 0) = make(0, 0);
    AT(G, 0, 1) = on_circle(2, 2 * (double)c);
    AT(G, 1, 1) = make(2 * sqrt_r(1 - c * c), 0);
    return G;
}

/* Their T in the backend's memory */
static mat_t angles_of_two(real_t c, const real_t *dsign)
{
    const real_t d[] = {4, 2};
    const mat_t C = identity_mat(2, 2);
    real_t bound;
    AT(C, 0, 1) = on_circle(2, (double)c);
    AT(C, 1, 0) = conj_of(AT(C, 0, 1));
    const mat_t dC = to_backend(C);
    CALL(rotation_angles, dC, to_backend_real(d, 2), dsign, 0, &bound);
    return dC;
}

/* The columns of G P are orthogonal up to c^2. */
static void check_turned(mat_t G, mat_t P, real_t c)
{
    const mat_t GP = product('N', 'N', G, P), S = product('C', 'N', GP, GP);
    ck_assert(abs_of(AT(S, 0, 1)) <=
              c * c * sqrt_r(re(AT(S, 0, 0)) * re(AT(S, 1, 1))));
}

START_TEST(rotation_makes_orthogonal)
{
    const real_t c = (real_t)0.01;
    const mat_t P = from_backend(angles_of_two(c, NULL));
    AT(P, 0, 0) = AT(P, 1, 1) = make(1, 0);
    check_turned(two_columns(c), P, c);
}
END_TEST

/* exp(T) to the second order makes two columns of unequal sign orthogonal up to c^2, and
 * after one step of Newton and Schulz it is J-unitary up to rounding. */
START_TEST(signed_step_of_two_columns)
{
    const real_t c = (real_t)(GSVD_SINGLE ? 0.01 : 1e-4), sign[] = {1, -1};
    const real_t *const dsign = to_backend_real(sign, 2);
    const mat_t dT = angles_of_two(c, dsign), T = from_backend(dT);
    const mat_t S = new_mat(2, 2), dP = room(2, 2);
    real_t departure = -1;
    gemm('N', 'N', -1, T, T, 0, S);
    CALL(second_order_exp, dT, to_backend(S), 1, dP);
    const mat_t P = from_backend(dP);
    const mat_t dE = to_backend(product('C', 'N', P, signed_rows(P, 1)));
    CALL(newton_schulz, dE, dsign, &departure);
    ck_assert(departure <= pow(c, 4) + 4 * GSVD_ULP);
    const mat_t K = product('N', 'N', P, from_backend(dE));
    ck_assert(distance(signed_rows(product('C', 'N', K, signed_rows(K, 1)), 1),
                       identity_mat(2, 2)) <= 8 * GSVD_ULP);
    check_turned(two_columns(c), K, c);
}
END_TEST

/* P := I + T + T^2 / 2 of a rotation by t is unitary up to t^4 / 4, and after one step
 * of Newton and Schulz up to rounding. */
START_TEST(exp_becomes_unitary)
{
    const double t = GSVD_SINGLE ? 0.01 : 1e-4;
    mat_t T = zero_mat(2, 2), dP = room(2, 2);
    real_t departure = -1;
    AT(T, 0, 1) = on_circle(1, -t);
    AT(T, 1, 0) = on_circle(-1, t);
    const mat_t S = product('C', 'N', T, T);
    CALL(second_order_exp, to_backend(T), to_backend(S), 1, dP);
    const mat_t P = from_backend(dP), E = product('C', 'N', P, P);
    const mat_t dE = to_backend(E);
    CALL(newton_schulz, dE, NULL, &departure);
    ck_assert(departure <= pow(t, 4) / 4 + 4 * GSVD_ULP);
    ck_assert_ratio(defect(product('N', 'N', P, from_backend(dE))));
}
END_TEST

static const struct {
    int rows, cols;
} defects_of[] = {{0, 0},  {0, 3},   {1, 1},     {5, 4},   {31, 31},
                  {33, 7}, {64, 64}, {129, 130}, {255, 6}, {700, 33}};
enum { DEFECTS = sizeof defects_of / sizeof *defects_of };

/* Of columns that are nearly orthogonal, or of more than there are rows: the largest entry of each
 * column of I - X^H X, and NaN where one is */
START_TEST(column_defects)
{
    const int64_t m = defects_of[_i].rows, n = defects_of[_i].cols;
    if (too_large(m, n, 0))
        return;
    mat_t dX, X_ = fresh(m, n, &dX);
    for (int64_t j = 0; j < n; ++j)
        scale_column(X_, j, (real_t)0.01);
    for (int64_t j = 0; j < n && j < m; ++j)
        AT(X_, m - 1 - j, j) = make(1, 0);
    dX = to_backend(X_);
    real_t *const none = grab((size_t)n * sizeof *none);
    for (int64_t j = 0; j < n; ++j)
        none[j] = -1;
    real_t *const d = to_backend_real(none, n);
    ck_assert_ok(table()->column_defects(on(handle), dX, d));
    const real_t *found = from_backend_real(d, n);
    const mat_t E = product('C', 'N', X_, X_);
    for (int64_t j = 0; j < n; ++j) {
        double most = 0;
        for (int64_t i = 0; i < n; ++i) {
            const scalar_t e = sub(AT(E, i, j), make(i == j, 0));
            most = fmax(most, fmax(fabs((double)re(e)), fabs((double)im(e))));
        }
        ck_assert(fabs(most - (double)found[j]) <= 8 * GSVD_ULP);
    }
    if (m == 0 || n == 0)
        return;
    AT(X_, m / 2, n / 3) = make((real_t)NAN, 0);
    dX = to_backend(X_);
    ck_assert_ok(table()->column_defects(on(handle), dX, d));
    found = from_backend_real(d, n);
    for (int64_t j = 0; j < n; ++j)
        ck_assert(isnan(found[j]));
}
END_TEST

/* with as much memory as is measured for eigenvectors of order n, and no more */
static exec_t for_eigenvectors(int64_t n)
{
    exec_t ex = *on(handle);
    size_t bytes = 1;
    ck_assert_ok(table()->eigenvectors_staging(&ex, n, &bytes));
    ex.staging = (buffer_t){grab(bytes), bytes};
    bytes = table()->kernel_bytes(&ex, KERNELS_EIGENVECTORS, n, n, n);
    ck_assert_uint_le(bytes, ex.work.size);
    ex.work.size = bytes;
    return ex;
}

/* A X = X w, X^H X = I by LAPACK's ratios, w ascending; twice the same bits; the CPU twin's
 * values up to rounding */
static void check_eigenvectors(mat_t A)
{
    const int64_t n = A.rows;
    const exec_t ex = for_eigenvectors(n);
    const mat_t dX = to_backend(A), dX2 = to_backend(A);
    real_t *dw = to_backend_real(random_reals(n, &seed), n);
    ck_assert_ok(table()->eigenvectors(&ex, dX, dw));
    const mat_t X = from_backend(dX);
    const real_t *w = from_backend_real(dw, n);
    ck_assert_ok(table()->eigenvectors(&ex, dX2, dw));
    ck_assert_same(from_backend(dX2), X);
    if (n == 0)
        return;
    const mat_t XW = copy_mat(X), R = new_mat(n, n);
    const double norm = (double)norm1(A);
    EACH_ENTRY (XW, i, j) {
        ck_assert(j == 0 || w[j - 1] <= w[j]);
        AT(R, i, j) = AT(XW, i, j) = scale(w[j], AT(X, i, j));
    }
    gemm('N', 'N', -1, A, X, 1, R);
    ck_assert_ratio((double)norm1(R) / ((double)n * norm * GSVD_ULP));
    ck_assert_ratio(defect(X));
    if (!on_device)
        return;
    real_t *const right = random_reals(n, &seed);
    CALL_TWIN(eigenvectors, copy_mat(A), right);
    for (int64_t j = 0; j < n; ++j)
        ck_assert(fabs((double)w[j] - right[j]) <=
                  random_walk(n) * GSVD_ULP * norm);
    ck_assert_near(product('C', 'N', X, X), identity_mat(n, n), random_walk(n),
                   1);
    ck_assert_near(product('N', 'C', XW, X), A, random_walk(n), norm);
}

START_TEST(eigenvectors)
{
    static const int orders[] = {0, 1, 2, 5, 33, 70};
    if (!too_large(0, orders[_i], 0))
        check_eigenvectors(hermitian(orders[_i]));
}
END_TEST

START_TEST(eigenvectors_of_gram)
{
    const mat_t G = random_mat(size[_i].m, size[_i].n, &seed);
    if (!too_large(0, G.cols, 0) && G.rows > 0)
        check_eigenvectors(product('C', 'N', G, G));
}
END_TEST

/* Q T Q^H X, Q of the reflectors below the first subdiagonal of F; X is overwritten. */
static mat_t times_tridiagonal(mat_t F, const real_t *d, const real_t *e,
                               mat_t tau, mat_t X)
{
    const int64_t n = F.cols, k = X.cols;
    const lapack_int lwork = 64 * (lapack_int)max_i(n, k);
    scalar_t *const work = grab((size_t)lwork * sizeof *work);
    mat_t TX = new_mat(n, k);
    for (int back = 1; back >= 0; --back) {
        const mat_t Y = back ? X : TX;
        if (n > 1)
            ck_assert_int_eq(
                LAPACK_WORK(ORMQR)(LAPACK_COL_MAJOR, 'L',
                                   !back                   ? 'N'
                                   : REALS_PER_SCALAR == 2 ? 'C'
                                                           : 'T',
                                   (lapack_int)n - 1, (lapack_int)k,
                                   (lapack_int)n - 1, &AT(F, 1, 0),
                                   (lapack_int)F.ld, tau.data, &AT(Y, 1, 0),
                                   (lapack_int)Y.ld, work, lwork),
                0);
        for (int64_t j = 0; back && j < k; ++j)
            for (int64_t i = 0; i < n; ++i) {
                scalar_t y = scale(d[i], AT(X, i, j));
                if (i > 0)
                    y = add(y, scale(e[i - 1], AT(X, i - 1, j)));
                if (i < n - 1)
                    y = add(y, scale(e[i], AT(X, i + 1, j)));
                AT(TX, i, j) = y;
            }
    }
    return TX;
}

/* A X = Q T Q^H X for X = I, or for a few vectors of a large A; twice the same bits.  A GPU
 * reduces the first columns of more than 2048 by panels, which are two kernels. */
START_TEST(tridiagonalize)
{
    static const int orders[] = {1, 2, 3, 33, 70, 300, 520, 2111, 4110};
    const int64_t n = orders[_i];
    if (too_large(0, n, 0) || (n > 2048 && !on_device))
        return;
    exec_t ex = *on(handle);
    const size_t bytes =
        table()->kernel_bytes(&ex, KERNELS_TRIDIAGONAL, n, n, n);
    ck_assert_uint_le(bytes, ex.work.size);
    ex.work.size = bytes;
    const mat_t A = hermitian(n), dA = to_backend(A), dA2 = to_backend(A);
    const mat_t dtau = to_backend(new_mat(n, 1));
    real_t *dd = to_backend_real(random_reals(n, &seed), n);
    real_t *de = to_backend_real(random_reals(n, &seed), n);
    int fits = 0;
    ck_assert_ok(table()->tridiagonalize(&ex, dA, dd, de, dtau.data, &fits));
    if (!fits) { /* on other GPUs, and of more rows than a thread may have */
        ck_assert(n > 4096 ||
                  (n > 2048 && ex.tune->inverse_iteration != EIGEN_ALWAYS));
        return;
    }
    const real_t *d = from_backend_real(dd, n), *e = from_backend_real(de, n);
    const mat_t F = from_backend(dA);
    const mat_t X = n > 2048 ? random_mat(n, 3, &seed) : identity_mat(n, n);
    const mat_t AX = product('N', 'N', A, X);
    const double most = (double)norm1(A) * (double)norm1(X) * GSVD_ULP;
    const mat_t B = times_tridiagonal(F, d, e, from_backend(dtau), X);
    ck_assert_ratio(distance(AX, B) / most);
    ck_assert_ok(table()->tridiagonalize(&ex, dA2, dd, de, dtau.data, &fits));
    const real_t *d2 = from_backend_real(dd, n);
    for (int64_t i = 0; i < n; ++i)
        ck_assert(d[i] == d2[i]);
}
END_TEST

/* The adjoint of what stands below the diagonal */
static mat_t reflectors_of(mat_t F)
{
    const int64_t n = max_i(F.cols - 1, 0);
    return upper_part(adjoint(mat_sub(F, F.cols - n, 0, n, n)));
}

/* Several at a time have the bits of each alone, in more launches than one, too. */
START_TEST(tridiagonalize_each)
{
    static const int orders[][12] = {
        {5, 1, 2},
        {33, 70, 31, 33, 1, 17, 128, 200, 3},
        {300, 299},
        {520, 40, 1100, 777},
        {2048, 2047, 2048},
        {600, 600, 600, 600, 600, 600, 600, 600, 600, 600, 600}};
    int64_t all = 0, most = 0;
    int count = 0, fits = 0;
    for (; orders[_i][count]; ++count) {
        all += orders[_i][count];
        most = max_i(most, orders[_i][count]);
    }
    if (too_large(0, most, 0) || (most > 300 && !on_device))
        return;
    exec_t ex = *on(handle);
    tridiagonal_t t[12];
    for (int k = 0; k < count; ++k) {
        const int64_t n = orders[_i][k];
        t[k].A = to_backend(hermitian(n));
        t[k].d = to_backend_real(random_reals(n, &seed), n);
        t[k].e = to_backend_real(random_reals(n, &seed), n);
        t[k].tau = to_backend(new_mat(n, 1)).data;
    }
    mat_t before[12];
    for (int k = 0; k < count; ++k)
        before[k] = to_backend(from_backend(t[k].A));
    ex.work.size =
        table()->kernel_bytes(&ex, KERNELS_TRIDIAGONAL, all, all, all);
    ck_assert_ok(table()->tridiagonalize_each(&ex, count, t, &fits));
    if (!fits) {
        ck_assert(on_device && ex.tune->inverse_iteration != EIGEN_ALWAYS);
        return;
    }
    for (int k = 0; k < count; ++k) {
        const int64_t n = orders[_i][k];
        const real_t *const d = from_backend_real(t[k].d, n);
        const real_t *const e = from_backend_real(t[k].e, n);
        ck_assert_ok(table()->tridiagonalize(&ex, before[k], t[k].d, t[k].e,
                                             t[k].tau, &fits));
        ck_assert_same(reflectors_of(from_backend(before[k])),
                       reflectors_of(from_backend(t[k].A)));
        const real_t *const d1 = from_backend_real(t[k].d, n);
        const real_t *const e1 = from_backend_real(t[k].e, n);
        for (int64_t i = 0; i < n; ++i)
            ck_assert(d[i] == d1[i] && (i == n - 1 || e[i] == e1[i]));
    }
}
END_TEST

/* S Q = Q T for the band S of a matrix whose other entries are NaN, as is the memory of V; Q is unitary,
 * and twice the same bits */
START_TEST(band)
{
    static const int orders[] = {1, 2, 3, 31, 32, 33, 65, 97, 130, 300, 777};
    const int64_t n = orders[_i];
    if (too_large(0, n, 0) || (n > 300 && !on_device))
        return;
    exec_t ex = *on(handle);
    ex.work.size = table()->kernel_bytes(&ex, KERNELS_TRIDIAGONAL, n, n, n);
    const mat_t A = hermitian(n), S = zero_mat(n, n), T = zero_mat(n, n);
    const mat_t none = new_mat(n, n), taus = new_mat(band_hops(n) + 1, n);
    fill(none, make((real_t)NAN, (real_t)NAN));
    fill(taus, make((real_t)NAN, (real_t)NAN));
    EACH_ENTRY (S, i, j) {
        if (i - j <= BAND && j - i <= BAND)
            AT(S, i, j) = AT(A, i, j);
        if (i - j > BAND || i < j)
            AT(A, i, j) = make((real_t)NAN, 0);
    }
    const mat_t dA = to_backend(A), dV = to_backend(none);
    const mat_t dtaus = to_backend(taus), dQ = to_backend(identity_mat(n, n));
    const mat_t dQ2 = to_backend(identity_mat(n, n));
    real_t *dd = to_backend_real(random_reals(n, &seed), n);
    real_t *de = to_backend_real(random_reals(n, &seed), n);
    int fits = 0;
    ck_assert_ok(table()->band_fits(&ex, n, &fits));
    ck_assert(fits);
    ck_assert_ok(table()->band_to_tridiagonal(&ex, dA, dd, de, dV, dtaus));
    ck_assert_ok(table()->band_vectors(&ex, dV, dtaus, dQ));
    const real_t *d = from_backend_real(dd, n), *e = from_backend_real(de, n);
    const mat_t Q = from_backend(dQ);
    for (int64_t i = 0; i < n; ++i) {
        AT(T, i, i) = make(d[i], 0);
        if (i < n - 1)
            AT(T, i, i + 1) = AT(T, i + 1, i) = make(e[i], 0);
    }
    ck_assert_ratio(defect(Q));
    ck_assert_ratio(distance(product('N', 'N', S, Q), product('N', 'N', Q, T)) /
                    ((double)norm1(S) * GSVD_ULP));
    ck_assert_ok(table()->band_to_tridiagonal(&ex, dA, dd, de, dA, dtaus));
    ck_assert_ok(table()->band_vectors(&ex, dA, dtaus, dQ2));
    ck_assert_same(from_backend(dQ2), Q);
}
END_TEST

/* S P = Q B for the upper band S of a matrix whose other entries are NaN; Q and P are unitary.  The same bits
 * twice, and without them */
START_TEST(bidiagonal_band)
{
    static const int orders[] = {1, 2, 3, 31, 32, 33, 65, 97, 130, 300, 777};
    const int64_t n = orders[_i];
    if (too_large(0, n, 0) || (n > 300 && !on_device))
        return;
    exec_t ex = *on(handle);
    ex.work.size = table()->kernel_bytes(&ex, KERNELS_TRIDIAGONAL, n, n, n);
    const mat_t A = random_mat(n, n, &seed), S = zero_mat(n, n);
    const mat_t B = zero_mat(n, n), taus = new_mat(band_hops(n) + 1, n);
    const mat_t blank = new_mat(n, n), none = mat_view(NULL, n, n, n);
    fill(blank, make((real_t)NAN, (real_t)NAN));
    fill(taus, make((real_t)NAN, (real_t)NAN));
    AT(A, 0, 0) = make(re(AT(A, 0, 0)), 0);
    EACH_ENTRY (S, i, j) {
        if (i <= j && j - i <= BAND)
            AT(S, i, j) = AT(A, i, j);
        else
            AT(A, i, j) = make((real_t)NAN, 0);
    }
    const mat_t dA = to_backend(A);
    const mat_t dU = to_backend(blank), dV = to_backend(blank);
    const mat_t dtau_u = to_backend(taus), dtau_v = to_backend(taus);
    const mat_t dQ = to_backend(identity_mat(n, n));
    const mat_t dP = to_backend(identity_mat(n, n));
    real_t *dx = to_backend_real(random_reals(2 * n, &seed), 2 * n);
    int fits = 0;
    ck_assert_ok(table()->band_fits(&ex, n, &fits));
    ck_assert(fits);
    ck_assert_ok(
        table()->band_to_bidiagonal(&ex, dA, dx, dU, dtau_u, dV, dtau_v));
    ck_assert_ok(table()->band_vectors(&ex, dU, dtau_u, dQ));
    ck_assert_ok(table()->band_vectors(&ex, dV, dtau_v, dP));
    const real_t *x = from_backend_real(dx, 2 * n);
    const mat_t Q = from_backend(dQ), P = from_backend(dP);
    for (int64_t i = 0; i < n; ++i) {
        AT(B, i, i) = make(x[2 * i], 0);
        if (i < n - 1)
            AT(B, i, i + 1) = make(x[2 * i + 1], 0);
    }
    ck_assert_ratio(defect(Q));
    ck_assert_ratio(defect(P));
    ck_assert_ratio(distance(product('N', 'N', S, P), product('N', 'N', Q, B)) /
                    ((double)norm1(S) * GSVD_ULP));
    for (int turn = 0; turn < 2; ++turn) {
        ck_assert_ok(table()->band_to_bidiagonal(
            &ex, dA, dx, turn ? none : dU, turn ? none : dtau_u,
            turn ? none : dV, turn ? none : dtau_v));
        const real_t *x2 = from_backend_real(dx, 2 * n);
        for (int64_t i = 0; i < 2 * n - 1; ++i)
            ck_assert(x2[i] == x[i]);
    }
}
END_TEST

/* H^H C H for a V and a T of any numbers, both triangles; twice the same bits */
START_TEST(two_sided)
{
    static const int orders[][2] = {
        {1, 1},    {5, 3},    {31, 31},  {64, 32},  {127, 32}, {128, 32},
        {129, 32}, {200, 31}, {300, 32}, {300, 64}, {517, 32}, {1100, 32}};
    const int64_t n = orders[_i][0], b = orders[_i][1];
    if (too_large(0, n, 0) || (n > 520 && !on_device))
        return;
    const mat_t C = hermitian(n), VWV = random_mat(n, 3 * b, &seed);
    const mat_t V = mat_cols(VWV, 0, b), T = random_mat(b, b, &seed);
    EACH_ENTRY (VWV, i, j)
        AT(VWV, i, j) = scale((real_t)(1 / sqrt((double)n)), AT(VWV, i, j));
    EACH_ENTRY (T, i, j)
        if (i > j)
            AT(T, i, j) = make(0, 0);
    const mat_t VT = product('N', 'N', V, T), H = identity_mat(n, n);
    gemm('N', 'C', -1, VT, V, 1, H);
    const mat_t want = product('C', 'N', H, product('N', 'N', C, H));
    const mat_t W = product('N', 'N', C, VT);
    EACH_ENTRY (W, i, j)
        AT(VWV, i, b + j) = AT(W, i, j);
    const mat_t dVT = to_backend(VT), dC = to_backend(C), dC2 = to_backend(C);
    mat_t dwork = to_backend(random_mat(n * b, 1, &seed));
    dwork = mat_view(dwork.data, n, b, n);
    const mat_t dVWV = to_backend(VWV), dVWV2 = to_backend(VWV);
    exec_t ex = *on(handle);
    ck_assert_ok(table()->two_sided(&ex, dVWV, dVT, dwork, dC));
    ck_assert_ratio(distance(from_backend(dC), want) /
                    ((double)norm1(H) * norm1(H) * norm1(C) * GSVD_ULP));
    ck_assert_ok(table()->two_sided(&ex, dVWV2, dVT, dwork, dC2));
    ck_assert_same(from_backend(dC2), from_backend(dC));
}
END_TEST

/* T z = w z, |z| = 1, w descending; vectors of values that are far from each other are
 * orthogonal; twice the same bits.  T as it is, near both ends of the range, with zeros
 * beside the diagonal, and without a diagonal */
START_TEST(tridiagonal_vectors)
{
    static const int orders[] = {1, 2, 3, 17, 64, 129};
    static const int exponents[] = {0, GSVD_SINGLE ? 40 : 300,
                                    GSVD_SINGLE ? -40 : -300, 0, 0};
    const int64_t n = orders[_i / 2 % 6];
    const int apart = _i % 2, form = _i / 12;
    const real_t norm = ldexp_r(1, exponents[form]);
    if (too_large(0, n, 0))
        return;
    real_t *d = random_reals(n, &seed), *e = random_reals(n, &seed);
    for (int64_t i = 0; i < n; ++i) {
        const int zero = form == 3 && i % 5 > 2;
        d[i] = form == 4 ? 0 : norm * (d[i] + (apart ? (real_t)i : 0));
        e[i] = zero ? 0 : norm * (apart ? e[i] / 4 : e[i]);
    }
    const real_t *dd = to_backend_real(d, n), *de = to_backend_real(e, n);
    real_t *dw = to_backend_real(random_reals(n, &seed), n);
    const mat_t dV = to_backend(new_mat(n, n)), dV2 = to_backend(new_mat(n, n));
    const exec_t *const ex = on(handle);
    ck_assert_ok(table()->tridiagonal_vectors(ex, n, dd, de, 0, dw, dV));
    exec_t poor = *ex; /* without room for one vector                        */
    poor.work.size = poor.work.used + (size_t)n * sizeof(real_t);
    ck_assert_status(table()->tridiagonal_vectors(&poor, n, dd, de, 0, dw, dV),
                     GSVD_INTERNAL_ERROR);
    ck_assert_ok(table()->tridiagonal_vectors(ex, n, dd, de, 0, dw, dV2));
    const mat_t V = from_backend(dV);
    const real_t *w = from_backend_real(dw, n);
    ck_assert_same(from_backend(dV2), V);
    const double most = (double)norm * (apart ? (double)n + 2 : 3);
    for (int64_t k = 0; k < n; ++k) {
        double length2 = 0;
        ck_assert(k == 0 || (double)w[k - 1] >= w[k] - most * GSVD_ULP);
        for (int64_t i = 0; i < n; ++i) {
            const double z = re(AT(V, i, k));
            const double left =
                i > 0 ? (double)e[i - 1] * re(AT(V, i - 1, k)) : 0;
            const double right =
                i < n - 1 ? (double)e[i] * re(AT(V, i + 1, k)) : 0;
            length2 += z * z;
            ck_assert(im(AT(V, i, k)) == 0);
            ck_assert(fabs(((double)d[i] - w[k]) * z + left + right) <=
                      20 * most * GSVD_ULP);
        }
        ck_assert(fabs(length2 - 1) <= (double)(n + 8) * GSVD_ULP);
    }
    if (apart && form < 4)
        ck_assert(defect(V) * (double)n < 100 * ((double)n + 2));

    const int64_t before = n / 3, count = (n + 2) / 3; /* some of them       */
    ck_assert_ok(table()->tridiagonal_vectors(ex, n, dd, de, before, dw,
                                              mat_cols(dV2, 0, count)));
    const mat_t some = mat_cols(from_backend(dV2), 0, count);
    real_t *const dw2 = to_backend_real(random_reals(n, &seed), n);
    ck_assert_same(some, mat_cols(V, before, count));
    ck_assert_mem_eq(from_backend_real(dw, n), w + before,
                     (size_t)count * sizeof *w);
    ck_assert_ok(table()->tridiagonal_values(ex, n, dd, de, n, dw2));
    const real_t *const values = from_backend_real(dw2, n); /* alone         */
    for (int64_t k = 0; k < n; ++k)
        ck_assert(fabs((double)values[k] - (double)w[k]) <=
                  4 * most * GSVD_ULP);
    ck_assert_ok(table()->tridiagonal_values(ex, n, dd, de, count, dw));
    ck_assert_mem_eq(from_backend_real(dw, n), values,
                     (size_t)count * sizeof *w);
}
END_TEST

/* 2 1; 1 2: values 1 and 3, vectors (1, -1) and (1, 1); the upper triangle is not
 * read. */
START_TEST(eigenvectors_by_hand)
{
    const exec_t ex = for_eigenvectors(2);
    mat_t A = new_mat(2, 2), dA;
    real_t *dw = to_backend_real(random_reals(2, &seed), 2);
    fill(A, make(2, 0));
    AT(A, 1, 0) = make(1, 0);
    AT(A, 0, 1) = make((real_t)NAN, 0);
    dA = to_backend(A);
    ck_assert_ok(table()->eigenvectors(&ex, dA, dw));
    const mat_t X = from_backend(dA);
    const real_t *w = from_backend_real(dw, 2);
    for (int j = 0; j < 2; ++j) {
        ck_assert(close_to(w[j], 1 + 2 * j, 8));
        ck_assert(close_to(abs_of(AT(X, 0, j)), sqrt(0.5), 8));
        const scalar_t other = scale((real_t)(2 * j - 1), AT(X, 1, j));
        ck_assert(abs_of(sub(AT(X, 0, j), other)) <= 8 * GSVD_ULP);
    }
}
END_TEST

/* Those of a Hermitian matrix are its eigenvalues without signs. */
START_TEST(singular_values)
{
    static const int orders[] = {0, 1, 2, 5, 33, 70};
    const int64_t n = orders[_i];
    if (!table()->singular_values || too_large(0, n, 0))
        return;
    const exec_t ex = for_eigenvectors(n);
    const mat_t A = hermitian(n), dX = to_backend(A), dA = to_backend(A);
    real_t *const x = random_reals(n, &seed), *const w = random_reals(n, &seed);
    int converged = 0;
    ck_assert_ok(table()->eigenvectors(&ex, dX, w));
    ck_assert_ok(table()->singular_values(&ex, dA, x, &converged));
    ck_assert(converged);
    for (int64_t i = 0; i < n; ++i)
        w[i] = fabs_r(w[i]);
    qsort(w, (size_t)n, sizeof *w, descending);
    for (int64_t i = 0; i < n; ++i)
        ck_assert_ratio(fabs((double)(x[i] - w[i])) /
                        ((double)n * norm1(A) * GSVD_ULP));
}
END_TEST

/* A = U diag(x) V^H with unitary U and V, and x without vectors */
START_TEST(singular_vectors)
{
    static const int orders[] = {0, 1, 2, 5, 33, 70};
    const int64_t n = orders[_i];
    if (!table()->singular_vectors || too_large(0, n, 0))
        return;
    exec_t ex = *on(handle);
    const mat_t A = normal_mat(n, n, &seed), dA = to_backend(A);
    const mat_t dU = to_backend(new_mat(n, n)), dV = to_backend(new_mat(n, n));
    real_t *const x = random_reals(n, &seed), *const alone =
                                                  random_reals(n, &seed);
    int converged = 0;
    ck_assert_ok(table()->singular_vectors(&ex, dA, x, dU, dV, &converged));
    ck_assert(converged);
    ck_assert_ok(
        table()->singular_values(&ex, to_backend(A), alone, &converged));
    const mat_t U = from_backend(dU), V = from_backend(dV);
    mat_t E = copy_mat(A), Ux = copy_mat(U);
    for (int64_t j = 0; j < n; ++j)
        for (int64_t i = 0; i < n; ++i)
            AT(Ux, i, j) = scale(x[j], AT(Ux, i, j));
    gemm('N', 'C', -1, Ux, V, 1, E);
    ck_assert_ratio(defect(U));
    ck_assert_ratio(defect(V));
    ck_assert(norm1(E) <= LIMIT * (double)n * norm1(A) * GSVD_ULP);
    for (int64_t i = 0; i < n; ++i) {
        ck_assert(x[i] >= 0 && (i == 0 || x[i] <= x[i - 1]));
        ck_assert(fabs((double)(x[i] - alone[i])) <=
                  (double)n * norm1(A) * GSVD_ULP);
    }
}
END_TEST

/* (3 0; 4 5) has 3 sqrt(5) and sqrt(5). */
START_TEST(singular_values_by_hand)
{
    if (!table()->singular_values)
        return;
    const exec_t ex = for_eigenvectors(2);
    mat_t A = new_mat(2, 2);
    real_t *const x = random_reals(2, &seed);
    int converged = 0;
    AT(A, 0, 0) = make(3, 0);
    AT(A, 1, 0) = make(4, 0);
    AT(A, 0, 1) = make(0, 0);
    AT(A, 1, 1) = make(5, 0);
    ck_assert_ok(table()->singular_values(&ex, to_backend(A), x, &converged));
    ck_assert(converged);
    ck_assert(close_to(x[0], 3 * sqrt(5), 8));
    ck_assert(close_to(x[1], sqrt(5), 8));
}
END_TEST

/* ---- values ------------------------------------------------------------- */

static void given_axes(operands_t *x)
{
    for (int64_t k = 0; k < x->n; k += 5)
        x->a[k] = (real_t)0.25;
    if (x->n > 2)
        x->a[1] = x->b[2] = 0;
}

REFERENCE(values_unit, x->n, x->a, x->b)
{
    for (int64_t k = 0; k < x->n; ++k) {
        const double h = hypot(x->a[k], x->b[k]);
        x->a[k] = (real_t)(x->a[k] / h);
        x->b[k] = (real_t)(x->b[k] / h);
    }
}

/* Many equal values, or some */
static void given_ties(operands_t *x)
{
    for (int64_t k = 0; k < x->n; ++k)
        if (x->which == 0) {
            x->a[k] = (real_t)random_below(&x->seed, 6);
            x->b[k] = (real_t)random_below(&x->seed, 3);
        } else if (k % 5 == 0)
            x->a[k] = (real_t)0.25;
}

static const operands_t *sorted;

static int by_values(const void *p, const void *q)
{
    const int k = *(const int *)p, l = *(const int *)q;
    const real_t *const c = sorted->a, *const s = sorted->b;
    return c[k] != c[l]   ? (c[k] < c[l]) - (c[k] > c[l])
           : s[k] != s[l] ? (s[k] > s[l]) - (s[k] < s[l])
                          : k - l;
}

/* c descending, equal c by s ascending, else as they were */
REFERENCE(values_order, x->n, x->a, x->b, x->i)
{
    for (int64_t k = 0; k < x->n; ++k)
        x->i[k] = (int)k;
    sorted = x;
    qsort(x->i, (size_t)x->n, sizeof *x->i, by_values);
}

REFERENCE(partition_signs, x->n, x->J, x->i, &x->count)
{
    int64_t found = 0;
    for (int64_t k = 0; k < x->n; ++k)
        if (x->J[k] == 1)
            x->i[found++] = (int)k;
    x->count = found;
    for (int64_t k = 0; k < x->n; ++k)
        if (x->J[k] == -1)
            x->i[found++] = (int)k;
}

ELEMENTWISE(values_permute, (x->n, x->a, x->i, x->b), x->b[k] = x->a[x->i[k]])
ELEMENTWISE(values_set, (x->n / 3, x->n - x->n / 4, 7, x->a),
            if (k >= x->n / 3 && k < x->n - x->n / 4) x->a[k] = 7)

/* cos and sin of angles; in the first variant both are too large by 10^-4. */
static void given_angle(operands_t *x)
{
    const double off = x->which ? 1 : 1 + 1e-4;
    for (int64_t k = 0; k < x->n; ++k) {
        const double angle = 1.57 * random_unit(&x->seed);
        x->a[k] = (real_t)(cos(angle) * off);
        x->b[k] = (real_t)(sin(angle) * off);
    }
}

PROPERTY(values_complete, x->n, x->a, x->b)
{
    for (int64_t k = 0; k < in->n; ++k) {
        const real_t c = in->a[k], s = in->b[k];
        ck_assert(c <= s ? x->a[k] == c : x->b[k] == s);
        ck_assert(fabs((double)x->a[k] * x->a[k] + (double)x->b[k] * x->b[k] -
                       1) < 4 * GSVD_ULP);
    }
}

/* How many lead: a fifth of them more in each variant */
static int64_t leaders(const operands_t *x)
{
    return min_i(x->n, x->which * (1 + x->n / 5));
}

static void given_leaders(operands_t *x)
{
    for (int64_t k = 0; k < x->n; ++k) {
        const int follows = k >= leaders(x) && k <= leaders(x) + 1;
        x->a[k] = follows ? (real_t)0.5 : (real_t)0.8;
        x->b[k] = (real_t)0.5; /* equal there: not larger                     */
    }
}

REFERENCE(values_lead, x->n, x->a, x->b, &x->count) { x->count = leaders(x); }

static int exponent_a(const operands_t *x)
{
    return x->which ? 40 : GSVD_SINGLE ? 60 : 400;
}

static int exponent_b(const operands_t *x)
{
    return x->which ? -40 : -exponent_a(x) / 2;
}

PROPERTY(normalize_values, x->n, exponent_a(x), exponent_b(x), x->a, x->b, x->c,
         x->d, x->g, x->i)
{
    for (int64_t k = 0; k < in->n; ++k) {
        const long double a = ldexpl(in->a[k], exponent_a(in));
        const long double b = ldexpl(in->b[k], exponent_b(in));
        const long double h = hypotl(a, b);
        ck_assert(fabsl(ldexpl(x->g[k], x->i[k]) / h - 1) < 4 * GSVD_ULP);
        ck_assert(close_to(x->c[k], (double)(a / h), 4));
        ck_assert(close_to(x->d[k], (double)(b / h), 4));
    }
}

REFERENCE(combine, x->a, x->A, x->b, x->B, x->C.data ? x->C : x->B)
{
    EACH_ENTRY (x->B, i, j) {
        const scalar_t h = scale(x->b[i], AT(x->B, i, j));
        AT(x->C.data ? x->C : x->B, i, j) =
            i < x->A.rows ? add(h, scale(x->a[i], AT(x->A, i, j))) : h;
    }
}

/* h of c h = x, s h = y as it was chosen, columns of A 2^-400 to 2^400 (single 2^+-40) times as
 * long as those of B; where x and y belong to no h, c x + s y */
static void given_pairs(operands_t *x)
{
    const int far = GSVD_SINGLE ? 10 : 100, fits = x->which;
    for (int64_t j = 0; j < x->n; ++j) {
        x->c[j] = j % 9 == 4 ? 0 : ldexp_r(1, (int)(j % 9 - 4) * far);
        x->d[j] = j % 9 == 8 ? 0 : 1;
    }
    for (int64_t i = 0; i < x->m; ++i) {
        /* A column's share of values goes with its length. */
        const int e = (int)(i % 9 - 4) * far;
        x->a[i] = e > 0 ? 1 : ldexp_r(1, e);
        x->b[i] = e > 0 ? ldexp_r(1, -e) : 1;
    }
    EACH_ENTRY (x->B, i, j) {
        const int both = i < x->A.rows;
        const real_t most = x->c[j] / x->a[i];
        real_t shorter = x->d[j] / x->b[i];
        shorter = both && most < shorter ? most : shorter;
        const scalar_t h = scale(shorter, random_uniform_scalar(&x->seed));
        if (both)
            AT(x->A, i, j) =
                fits ? scale(x->a[i], h) : scale(x->c[j], AT(x->A, i, j));
        AT(x->B, i, j) =
            fits || !both ? scale(x->b[i], h) : scale(x->d[j], AT(x->B, i, j));
    }
}

PROPERTY(combine_columns, x->a, x->A, x->b, x->B, x->c, x->d, x->B)
{
    EACH_ENTRY (x->B, i, j) {
        const int both = i < in->A.rows;
        const scalar_t a = both ? AT(in->A, i, j) : make(0, 0);
        const scalar_t h = AT(x->B, i, j), b = AT(in->B, i, j);
        const real_t of_a = abs_of(sub(a, scale(in->a[i], h)));
        const real_t of_b = abs_of(sub(b, scale(in->b[i], h)));
        ck_assert(isfinite(of_a) && isfinite(of_b));
        if (in->which && both) {
            ck_assert(of_a <= 16 * GSVD_ULP * in->c[j]);
            ck_assert(of_b <= 16 * GSVD_ULP * in->d[j]);
        }
    }
}

static const primitive_t values[] = {
    {ROW(values_unit, lengths, "an bn"), .prepare = given_axes,
     .near = {{'a', RELATIVE, 4}, {'b', RELATIVE, 4}}},
    {ROW(values_order, lengths, "an bn > in"), .prepare = given_ties,
     .variants = 2},
    {ROW(partition_signs, lengths, "Jn > in")},
    {ROW(values_permute, lengths, "an in > bn")},
    {ROW(values_set, lengths, "an")},
    {ROW_OF_PROPERTY(values_complete, lengths, "an bn", "ab"),
     .prepare = given_angle, .variants = 2,
     .twin = {{'a', RELATIVE, 4}, {'b', RELATIVE, 4}}},
    {ROW(values_lead, lengths, "an bn"), .prepare = given_leaders,
     .variants = 6},
    {ROW_OF_PROPERTY(normalize_values, lengths, "an bn > cn dn gn in", "cdgi"),
     .variants = 2,
     .twin = {{'c', RELATIVE, 4},
              {'d', RELATIVE, 4},
              {'g', RELATIVE, 4},
              {'i', ABSOLUTE}}},
    {ROW(combine, size, "Ahn Bmn am bm > Cmn"), .near = {{'C', ABSOLUTE, 4}},
     .twin = {{'C', ABSOLUTE, 8}}},
    {ROW(combine, size, "Amn Bmn am bm > Cmn"), .near = {{'C', ABSOLUTE, 4}},
     .twin = {{'C', ABSOLUTE, 8}}},
    {ROW(combine, size, "Ahn Bmn am bm"), .near = {{'B', ABSOLUTE, 4}},
     .twin = {{'B', ABSOLUTE, 8}}},
    {ROW_OF_PROPERTY(combine_columns, size, "Ahn Bmn am bm cn dn", "B"),
     .prepare = given_pairs, .variants = 2},
};
START_TEST(partition_of_another_sign)
{
    const int64_t n = lengths[_i].n, J[] = {1, -1, 1, 1, 0};
    int64_t *const sign = grab((size_t)n * sizeof *sign), plus = -2;
    int64_t *const dJ = grab_backend((size_t)n * sizeof *dJ);
    int *const dperm = grab_backend((size_t)n * sizeof *dperm);
    if (n == 0)
        return;
    for (int64_t k = 0; k < n; ++k)
        sign[k] = J[k < n - 1 ? k % 4 : 4];
    put(dJ, sign, (size_t)n * sizeof *sign);
    CALL(partition_signs, n, dJ, dperm, &plus);
    ck_assert_int_eq(plus, -1);
}
END_TEST

START_TEST(values_read_and_write)
{
    const int64_t n = lengths[_i].n;
    const real_t *x = random_reals(n, &seed);
    real_t *y = random_reals(n + 1, &seed);
    const real_t behind = y[n];
    CALL(values_read, n, to_backend_real(x, n), y);
    ck_assert_mem_eq(y, x, (size_t)n * sizeof *x);
    ck_assert(y[n] == behind);
    real_t *const dy = to_backend_real(random_reals(n, &seed), n);
    CALL(values_write, n, x, dy);
    ck_assert_mem_eq(from_backend_real(dy, n), x, (size_t)n * sizeof *x);
}
END_TEST

START_TEST(bytes_grow_with_the_shape)
{
    size_t small = table()->kernel_bytes(on(handle), KERNELS_ALL, 3, 2, 1);
    size_t large =
        table()->kernel_bytes(on(handle), KERNELS_ALL, 3000, 2000, 4000);
    ck_assert_uint_ge(large, small);
    ck_assert_ok(gsvd_set_option(handle, GSVD_SOLVER, GSVD_SOLVER_TGSJA));
    CALL(staging_bytes, 3, &small);
    CALL(staging_bytes, 300, &large);
    ck_assert_uint_gt(large, small);
}
END_TEST

Suite *make_suite(void)
{
    Suite *s = suite_create("primitives");
    TCase *t = add_tcase(s, "elementwise");
    ADD_ROWS(t, elementwise);
    tcase_add_loop_test(t, to_single_and_back, 0, SIZES);
    tcase_add_test(t, shift_far);
    tcase_add_test(t, largest_number);
    tcase_add_loop_test(t, norms_by_row_of_nan, 0, SIZES);
    tcase_add_test(t, norms_of_the_largest_numbers);
    t = add_tcase(s, "pivot");
    ADD_ROWS(t, pivot);
    tcase_add_loop_test(t, geqp, 0, SIZES);
    tcase_add_loop_test(t, geqp_of_graded_and_deficient, 0, SIZES);
    tcase_add_loop_test(t, geqp_of_ranks, 0, SIZES);
    tcase_add_loop_test(t, test_panel, 0, SIZES);
    tcase_add_loop_test(t, inverse_iteration, 0, TRIANGLES);
    tcase_add_test(t, inverse_iteration_next_to_underflow);
    tcase_add_loop_test(t, inverse_iteration_of_a_clear_triangle, 0, SIZES);
    tcase_add_test(t, classes_of_rows);
    t = add_tcase(s, "qr");
    ADD_ROWS(t, qr_rows);
    tcase_add_loop_test(t, geqrf, 0, SIZES);
    tcase_add_loop_test(t, geqrf_with_lookahead, 0, 4);
    tcase_add_loop_test(t, geqrf_rowwise_stable, 0, SIZES);
    tcase_add_loop_test(t, rows_far_apart, 0, 4);
    tcase_add_loop_test(t, columns_in_their_order, 0, SIZES);
    tcase_add_loop_test(t, ungqr_of_many_columns, 0, 3);
    tcase_add_loop_test(t, geqr_undo, 0, SIZES);
    tcase_add_loop_test(t, ungqr_without_reflectors, 0, SIZES);
    tcase_add_loop_test(t, unmqr_without_reflectors, 0, SIZES);
    tcase_add_loop_test(t, large_product, 0, BIG);
    tcase_add_loop_test(t, large_product_of_single_terms, 0, BIG);
    t = add_tcase(s, "jacobi");
    tcase_add_loop_test(t, sweeps_make_columns_orthogonal, 0, SIZES);
    tcase_add_loop_test(t, signed_sweeps_make_columns_orthogonal, 0, SIZES);
    tcase_add_test(t, signed_sweep_by_hand);
    tcase_add_test(t, sweeps_of_sparse_columns);
    tcase_add_loop_test(t, sweep_leaves_orthogonal_columns, 0, SIZES);
    tcase_add_test(t, sweep_of_one_row);
    tcase_add_test(t, sweep_of_zero_columns);
    tcase_add_loop_test(t, sweep_twice_the_same_bits, 0, SIZES);
    tcase_add_loop_test(t, tgsja, 0, TRAPEZOIDS);
    t = add_tcase(s, "large_steps");
    ADD_ROWS(t, large_steps);
    tcase_add_test(t, gram_by_hand);
    tcase_add_test(t, trsm_by_hand);
    tcase_add_test(t, column_scales_by_hand);
    tcase_add_test(t, joint_scales_by_hand);
    tcase_add_test(t, rotation_angles_by_hand);
    tcase_add_test(t, rotation_by_a_small_angle);
    tcase_add_test(t, rotation_makes_orthogonal);
    tcase_add_test(t, exp_becomes_unitary);
    tcase_add_loop_test(t, column_defects, 0, DEFECTS);
    tcase_add_test(t, signed_angles_by_hand);
    tcase_add_test(t, signed_step_of_two_columns);
    tcase_add_loop_test(t, eigenvectors, 0, 6);
    tcase_add_loop_test(t, eigenvectors_of_gram, 0, SIZES);
    tcase_add_test(t, eigenvectors_by_hand);
    tcase_add_loop_test(t, singular_values, 0, 6);
    tcase_add_loop_test(t, singular_vectors, 0, 6);
    tcase_add_test(t, singular_values_by_hand);
    tcase_add_loop_test(t, tridiagonal_vectors, 0, 60);
    t = add_tcase(s, "tridiagonalize"); /* gpu-check.sh names it.            */
    tcase_add_loop_test(t, tridiagonalize, 0, 9);
    tcase_add_loop_test(t, tridiagonalize_each, 0, 6);
    tcase_add_loop_test(t, band, 0, 11);
    tcase_add_loop_test(t, bidiagonal_band, 0, 11);
    tcase_add_loop_test(t, two_sided, 0, 12);
    t = add_tcase(s, "values");
    ADD_ROWS(t, values);
    tcase_add_loop_test(t, partition_of_another_sign, 0, LENGTHS);
    tcase_add_loop_test(t, values_read_and_write, 0, LENGTHS);
    tcase_add_test(t, bytes_grow_with_the_shape);
    return s;
}
