/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* test_primitives.c -- each member of backend_t by itself, on padded matrices
 * of odd sizes; what it must not touch is filled with NaN. */
#include <complex.h>

#include "core/blas.h"
#include "core/rotate.h"
#include "harness/harness.h"
#include "jacobi/jacobi.h"
#include "pivot/pivot.h"
#include "qr/qr.h"

/* around a warp, a tile of 32, a block of 64 and of 256; empty */
static const struct {
    int m, n;
} size[] = {
    {0, 0},   {0, 3},   {3, 0},   {1, 1},   {1, 7},   {7, 1},    {2, 2},
    {3, 5},   {5, 3},   {4, 4},   {31, 33}, {33, 31}, {32, 32},  {63, 64},
    {65, 64}, {64, 65}, {255, 3}, {3, 255}, {257, 5}, {130, 70}, {70, 130},
};
enum { SIZES = sizeof size / sizeof *size };

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

static int *permutation(int64_t n)
{
    int *perm = grab((size_t)n * sizeof *perm);
    for (int64_t i = 0; i < n; ++i)
        perm[i] = (int)i;
    for (int64_t i = n - 1; i > 0; --i) {
        const int64_t j = random_below(&seed, i + 1);
        const int t = perm[i];
        perm[i] = perm[j];
        perm[j] = t;
    }
    return perm;
}

static int close_to(double x, double y, double ulps)
{
    return fabs(x - y) <= ulps * GSVD_ULP * fmax(fabs(x), fabs(y));
}

/* ---- elementwise -------------------------------------------------------- */

START_TEST(copy)
{
    mat_t dA, A = fresh(size[_i].m, size[_i].n, &dA), dB = room(A.rows, A.cols);
    ck_assert_ok(table()->copy(on(handle), dA, dB));
    ck_assert_same(from_backend(dB), A);
    ck_assert_same(from_backend(dA), A);
}
END_TEST

/* Entries of any size are rounded to single precision and come back as what they were
 * rounded to; what stands between the columns stays. */
START_TEST(to_single_and_back)
{
    enum { REALS = REALS_PER_SCALAR };
    const int64_t m = size[_i].m, n = size[_i].n, ld = m + 3;
    const size_t bytes = (size_t)(ld * n) * sizeof(single_t);
    mat_t dA, A = fresh(m, n, &dA);
    const mat_t dB = room(m, n);
    float *const S = grab(bytes + 1);
    single_t *const dS = grab_backend(bytes + 1);

    for (int64_t j = 0; j < n; ++j)
        for (int64_t i = 0; i < m; ++i)
            AT(A, i, j) =
                scale(ldexp_r(1, (int)((i + 5 * j) % 200) - 100), AT(A, i, j));
    put(dA.data, A.data, (size_t)(A.ld * n) * sizeof *A.data);
    put(dS, S, bytes); /* of ones                                             */
    ck_assert_ok(table()->to_single(on(handle), dA, dS, ld));
    ck_assert_ok(table()->from_single(on(handle), dS, ld, dB));
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

START_TEST(set)
{
    mat_t A = new_mat(size[_i].m, size[_i].n), dA = to_backend(A);
    for (int j = 0; j < A.cols; ++j)
        for (int i = 0; i < A.rows; ++i)
            AT(A, i, j) = make(i == j ? 3 : -2, 0);
    ck_assert_ok(table()->set(on(handle), dA, -2, 3));
    ck_assert_same(from_backend(dA), A);
}
END_TEST

START_TEST(zero_lower)
{
    mat_t dA, A = fresh(size[_i].m, size[_i].n, &dA);
    for (int j = 0; j < A.cols; ++j)
        for (int i = j + 1; i < A.rows; ++i)
            AT(A, i, j) = make(0, 0);
    ck_assert_ok(table()->zero_lower(on(handle), dA));
    ck_assert_same(from_backend(dA), A);
}
END_TEST

START_TEST(ctrans)
{
    mat_t dA, A = fresh(size[_i].m, size[_i].n, &dA), dB = room(A.cols, A.rows);
    mat_t B = new_mat(A.cols, A.rows);
    for (int j = 0; j < A.cols; ++j)
        for (int i = 0; i < A.rows; ++i)
            AT(B, j, i) = conj_of(AT(A, i, j));
    ck_assert_ok(table()->ctrans(on(handle), dA, dB));
    ck_assert_same(from_backend(dB), B);
}
END_TEST

START_TEST(flip_ctrans)
{
    mat_t dA, A = fresh(size[_i].m, size[_i].n, &dA), dB = room(A.cols, A.rows);
    mat_t B = new_mat(A.cols, A.rows);
    for (int j = 0; j < A.cols; ++j)
        for (int i = 0; i < A.rows; ++i)
            AT(B, A.cols - 1 - j, A.rows - 1 - i) = conj_of(AT(A, i, j));
    ck_assert_ok(table()->conj_antitranspose(on(handle), dA, dB));
    ck_assert_same(from_backend(dB), B);
}
END_TEST

START_TEST(shift)
{
    static const int by[] = {0, 1, -1, 60, -60};
    for (int k = 0; k < 5; ++k) {
        mat_t dA, A = fresh(size[_i].m, size[_i].n, &dA);
        for (int j = 0; j < A.cols; ++j)
            for (int i = 0; i < A.rows; ++i)
                AT(A, i, j) = make(ldexp_r(re(AT(A, i, j)), by[k]),
                                   ldexp_r(im(AT(A, i, j)), by[k]));
        ck_assert_ok(table()->scale_pow2(on(handle), dA, by[k]));
        ck_assert_same(from_backend(dA), A);
    }
}
END_TEST

START_TEST(shift_upper)
{
    mat_t dA, A = fresh(size[_i].m, size[_i].n, &dA);
    for (int j = 0; j < A.cols; ++j)
        for (int i = 0; i <= j && i < A.rows; ++i)
            AT(A, i, j) = make(ldexp_r(re(AT(A, i, j)), -7),
                               ldexp_r(im(AT(A, i, j)), -7));
    ck_assert_ok(table()->scale_pow2_upper(on(handle), dA, -7));
    ck_assert_same(from_backend(dA), A);
    ck_assert_ok(table()->scale_pow2_upper(on(handle), dA, 0));
    ck_assert_same(from_backend(dA), A);
}
END_TEST

START_TEST(count_from_one)
{
    const int n = size[_i].n;
    int *from = grab((size_t)n * sizeof *from);
    int64_t *to = grab(((size_t)n + 1) * sizeof *to);
    int64_t *dto = grab_backend(((size_t)n + 1) * sizeof *to);
    for (int j = 0; j < n; ++j)
        from[j] = n - 1 - j;
    put(dto, to, ((size_t)n + 1) * sizeof *to);
    ck_assert_ok(
        table()->count_from_one(on(handle), n, to_backend_int(from, n), dto));
    get(to, dto, ((size_t)n + 1) * sizeof *to);
    for (int j = 0; j < n; ++j)
        ck_assert_int_eq(to[j], n - j);
    ck_assert_int_eq(to[n], -1); /* as grab() left it                        */
}
END_TEST

/* 2^e itself is no number: over and back */
START_TEST(shift_far)
{
    const int e = GSVD_SINGLE ? 250 : 2040, half = e / 2 - 2;
    mat_t A = new_mat(2, 2), dA;
    fill(A, make(ldexp_r(1, -half), 0));
    dA = to_backend(A);
    ck_assert_ok(table()->scale_pow2(on(handle), dA, e - 8));
    fill(A, make(ldexp_r(1, e - 8 - half), 0));
    ck_assert_same(from_backend(dA), A);
}
END_TEST

START_TEST(scale_rows)
{
    mat_t dA, A = fresh(size[_i].m, size[_i].n, &dA);
    real_t *g = random_reals(A.rows, &seed);
    int *e = permutation(A.rows);
    for (int i = 0; i < A.rows; ++i)
        e[i] = e[i] % 41 - 20;
    ck_assert_ok(table()->scale_rows(on(handle), dA, to_backend_real(g, A.rows),
                                     to_backend_int(e, A.rows)));
    for (int j = 0; j < A.cols; ++j)
        for (int i = 0; i < A.rows; ++i) {
            const scalar_t a = scale(g[i], AT(A, i, j));
            AT(A, i, j) = make(ldexp_r(re(a), e[i]), ldexp_r(im(a), e[i]));
        }
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
    const real_t g[2] = {1, 1};
    const int by[2] = {e, e};
    for (int which = 0; which < 3; ++which)
        for (int i = 0; i < 3; ++i) {
            const mat_t A = new_mat(2, 3);
            fill(A, make((real_t)0.75, 0));
            AT(A, 0, 2) =
                GSVD_COMPLEX ? make((real_t)0.5, x[i]) : make(x[i], 0);
            const mat_t dA = to_backend(A);
            if (which == 0)
                ck_assert_ok(table()->scale_pow2(on(handle), dA, e));
            else if (which == 1)
                ck_assert_ok(table()->scale_pow2_upper(on(handle), dA, e));
            else
                ck_assert_ok(table()->scale_rows(on(handle), dA,
                                                 to_backend_real(g, 2),
                                                 to_backend_int(by, 2)));
            const mat_t B = from_backend(dA);
            const scalar_t b = AT(B, 0, 2);
            ck_assert((GSVD_COMPLEX ? im(b) : re(b)) == expected[i]);
            ck_assert(re(AT(B, 0, 0)) == ldexp_r((real_t)0.75, e));
            ck_assert(re(AT(B, 1, 0)) ==
                      (which == 1 ? (real_t)0.75 : ldexp_r((real_t)0.75, e)));
        }
}
END_TEST

/* the diagonal alone, and of it what is 0 in both parts */
START_TEST(nonzero)
{
    mat_t dA, A = fresh(size[_i].m, size[_i].n, &dA);
    for (int64_t j = 0; j < A.cols; ++j)
        for (int64_t i = 0; i < A.rows; ++i)
            if (i % 3 != 1)
                AT(A, i, j) = make(0, GSVD_COMPLEX && i % 3 == 2 ? -1 : 0);
    dA = to_backend(A);
    ck_assert_ok(table()->nonzero(on(handle), dA));
    for (int64_t i = 0; i < min_i(A.rows, A.cols); ++i)
        if (i % 3 != 1 && (!GSVD_COMPLEX || i % 3 == 0))
            AT(A, i, i) = make(ldexp_r(1, GSVD_SINGLE ? -149 : -1074), 0);
    ck_assert_same(from_backend(dA), A);
}
END_TEST

START_TEST(measure)
{
    mat_t dA, A = fresh(size[_i].m, size[_i].n, &dA);
    real_t largest = 0;
    norms_t got = {-1, -1, -1, -1};
    for (int j = 0; j < A.cols; ++j)
        for (int i = 0; i < A.rows; ++i)
            largest = fmax_r(largest, abs_max(AT(A, i, j)));
    ck_assert_ok(table()->norms(on(handle), dA, &got));
    ck_assert_int_eq(got.finite, 1);
    ck_assert(got.largest == largest);
    ck_assert(close_to(got.norm1, norm1(A), 4 * (1 + A.rows)));
}
END_TEST

/* rows over all of the range, denormals and zeros too */
static real_t far_apart(int64_t i)
{
    const int span = ROW_EXPONENTS - 2;
    return i % 7 == 3 ? 0 : ldexp_r(GSVD_REAL_MAX / 2, -(int)(i * 613 % span));
}

START_TEST(norms_by_row)
{
    mat_t A = random_mat(size[_i].m, size[_i].n, &seed);
    real_t *size_ = random_reals(A.rows, &seed), least = GSVD_REAL_MAX;
    norms_t plain = {-1, -1, -1, -1}, got = {-1, -1, -1, -1};
    for (int j = 0; j < A.cols; ++j)
        for (int i = 0; i < A.rows; ++i)
            AT(A, i, j) = scale(far_apart(i), AT(A, i, j));
    const mat_t dA = to_backend(A);
    real_t *dsize = to_backend_real(size_, A.rows);
    ck_assert_ok(table()->norms(on(handle), dA, &plain));
    ck_assert_ok(table()->norms_by_row(on(handle), dA, dsize, &got));
    size_ = from_backend_real(dsize, A.rows);
    for (int i = 0; i < A.rows; ++i) {
        real_t largest = 0;
        for (int j = 0; j < A.cols; ++j)
            largest = fmax_r(largest, abs_max(AT(A, i, j)));
        ck_assert(size_[i] == largest);
        if (largest > 0 && largest < least)
            least = largest;
    }
    ck_assert(got.least_row == least);
    ck_assert(got.largest == plain.largest && got.norm1 == plain.norm1);
    ck_assert_int_eq(got.finite, 1);
    if (A.rows == 0 || A.cols == 0)
        return;
    AT(A, A.rows - 1, 0) = make(1, (real_t)NAN);
    if (!GSVD_COMPLEX)
        AT(A, A.rows - 1, 0) = make((real_t)NAN, 0);
    ck_assert_ok(table()->norms_by_row(on(handle), to_backend(A), dsize, &got));
    ck_assert_int_eq(got.finite, 0);
}
END_TEST

/* one bad entry at any corner, real or imaginary */
START_TEST(measure_finds_what_is_not_finite)
{
    const double bad[] = {NAN, INFINITY, -INFINITY};
    const int m = size[_i].m, n = size[_i].n;
    if (m == 0 || n == 0)
        return;
    for (int k = 0; k < 3; ++k)
        for (int corner = 0; corner < 4; ++corner) {
            mat_t A = random_mat(m, n, &seed);
            const int i = corner & 1 ? m - 1 : 0, j = corner & 2 ? n - 1 : 0;
            norms_t got = {-1, -1, -1, -1};
            AT(A, i, j) = GSVD_COMPLEX && corner % 3 == 0
                              ? make(1, (real_t)bad[k])
                              : make((real_t)bad[k], 1);
            ck_assert_ok(table()->norms(on(handle), to_backend(A), &got));
            ck_assert_int_eq(got.finite, 0);
        }
}
END_TEST

START_TEST(measure_of_the_largest_numbers_is_finite)
{
    mat_t A = new_mat(40, 2);
    norms_t got = {-1, -1, -1, -1};
    fill(A, make(GSVD_REAL_MAX, GSVD_REAL_MAX));
    ck_assert_ok(table()->norms(on(handle), to_backend(A), &got));
    ck_assert_int_eq(got.finite, 1);
    ck_assert(got.largest == GSVD_REAL_MAX);
}
END_TEST

/* ---- pivot -------------------------------------------------------------- */

START_TEST(column_norms)
{
    static const int far[] = {0, 500, -500, 1000, -1000};
    for (int k = 0; k < 5; ++k) {
        mat_t A = random_mat(size[_i].m, size[_i].n, &seed), dA;
        const int e = far[k] / (GSVD_SINGLE ? 9 : 1);
        for (int j = 0; j < A.cols; ++j)
            for (int i = 0; i < A.rows; ++i)
                AT(A, i, j) = make(ldexp_r(re(AT(A, i, j)), e),
                                   ldexp_r(im(AT(A, i, j)), e));
        dA = to_backend(A);
        real_t *dnorm = grab_backend((size_t)A.cols * sizeof *dnorm), *norm;
        ck_assert_ok(table()->column_norms(on(handle), dA, dnorm));
        norm = from_backend_real(dnorm, A.cols);
        for (int j = 0; j < A.cols; ++j) {
            long double sum = 0;
            for (int i = 0; i < A.rows; ++i) {
                const long double x = re(AT(A, i, j)), y = im(AT(A, i, j));
                sum += x * x + y * y;
            }
            ck_assert_msg(close_to(norm[j], (double)sqrtl(sum), 4 + A.rows),
                          "2^%d: %g for %Lg", e, (double)norm[j], sqrtl(sum));
        }
    }
}
END_TEST

/* A P = Q R with |R| falling along the diagonal; Q through unmqr */
static void check_geqp(mat_t A)
{
    const int64_t m = A.rows, n = A.cols, r = min_i(m, n);
    mat_t dA = to_backend(A), dR, R, AP = new_mat(m, n);
    scalar_t *tau = scalars(max_i(1, n));
    int *dperm = grab_backend((size_t)n * sizeof *dperm), *perm;
    int *seen = grab((size_t)n * sizeof *seen);

    memset(seen, 0, (size_t)n * sizeof *seen);
    int64_t rank = -1;
    ck_assert_ok(
        X(geqpf)(on(handle), dA, GSVD_PIVOT_NORM, -1, dperm, tau, &rank));
    ck_assert_int_eq(rank, r);
    perm = from_backend_int(dperm, n);
    for (int64_t j = 0; j < n; ++j) {
        ck_assert(perm[j] >= 0 && perm[j] < n && !seen[perm[j]]);
        seen[perm[j]] = 1;
        for (int64_t i = 0; i < m; ++i)
            AT(AP, i, j) = AT(A, i, perm[j]);
    }
    R = from_backend(dA);
    for (int64_t j = 0; j < n; ++j)
        for (int64_t i = j + 1; i < m; ++i)
            AT(R, i, j) = make(0, 0);
    for (int64_t i = 0; i + 1 < r; ++i)
        ck_assert_msg(abs_of(AT(R, i + 1, i + 1)) <=
                          abs_of(AT(R, i, i)) * (1 + 64 * GSVD_ULP),
                      "|R(%ld)| grows", (long)i);
    dR = to_backend(R);
    ck_assert_ok(X(unmqr)(on(handle), 'L', 'N', dA, r, tau, dR));
    ck_assert_ratio(distance(from_backend(dR), AP) / GSVD_ULP /
                    fmax((double)norm1(A), GSVD_SAFMIN));
}

START_TEST(geqp) { check_geqp(random_mat(size[_i].m, size[_i].n, &seed)); }
END_TEST

START_TEST(geqp_of_graded_and_deficient)
{
    if (too_many_columns(_i))
        return;
    mat_t A = random_mat(size[_i].m, size[_i].n, &seed);
    const int64_t r = max_i(1, min_i(A.rows, A.cols) / 2);
    for (int j = 0; j < A.cols; ++j)
        for (int i = 0; i < A.rows; ++i)
            AT(A, i, j) = scale((real_t)pow(10, -(j * 7 % 11)), AT(A, i, j));
    check_geqp(A);
    if (A.rows == 0 || A.cols == 0)
        return;
    check_geqp(product('N', 'N', random_mat(A.rows, r, &seed),
                       random_mat(r, A.cols, &seed)));
    fill(A, make(0, 0));
    check_geqp(A);
}
END_TEST

START_TEST(smallest)
{
    const int64_t r = min_i(size[_i].m, size[_i].n);
    mat_t R = identity_mat(size[_i].m, size[_i].n);
    real_t least = -1;
    if (r > 0)
        AT(R, r / 2, r / 2) = make((real_t)-0.25, 0);
    ck_assert_ok(table()->min_abs_diagonal(on(handle), to_backend(R), &least));
    ck_assert(least == (r > 0 ? (real_t)0.25 : GSVD_REAL_MAX));
}
END_TEST

/* A yes leaves T as it is; a no makes it 0; both are heard of behind other work */
START_TEST(test_panel)
{
    const int64_t r = min_i(size[_i].m, size[_i].n);
    uint64_t mine = 71 + (uint64_t)_i;
    mat_t R = identity_mat(size[_i].m, size[_i].n);
    const mat_t T = random_mat(r, r, &mine), zero = new_mat(r, r);
    int yes = -1;

    fill(zero, make(0, 0));
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
        ck_assert_ok(table()->test_panel(on(handle), dR,
                                         (real_t)question[k].tol,
                                         (real_t)question[k].drop, dT, &yes));
        ck_assert_ok(table()->set(on(handle), dR, 0, 0));
        ck_assert_ok(table()->await_panel(on(handle), &yes));
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
    ck_assert_ok(table()->inverse_iteration(on(handle), to_backend(R),
                                            GSVD_REAL_MAX / 64, &p, &bound));
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

/* What hides in a triangle: nothing; Kahan's first column; too much to be
 * computed without scaling. */
START_TEST(inverse_iteration)
{
    static const int order_of[] = {1, 2, 5, 31, 33, 64, 65, 255, 300};
    const int64_t n = order_of[_i];
    const double s = 0.97, c = sqrt(1 - s * s);
    mat_t R = random_mat(n, n, &seed);
    for (int64_t j = 0; j < n; ++j)
        AT(R, j, j) = add(make(2 * (real_t)sqrt((double)n), 0), AT(R, j, j));
    ck_assert(check_inverse_iteration(R) >= 0.1);

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
    ck_assert_ok(table()->inverse_iteration(on(handle), to_backend(R),
                                            GSVD_REAL_MAX / 64, &p, &bound));
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
    ck_assert_ok(table()->inverse_iteration(on(handle), to_backend(R),
                                            (real_t)1e-3, &p, &bound));
    ck_assert(bound > (real_t)1e-3);
}
END_TEST

START_TEST(identity)
{
    const int64_t n = size[_i].n;
    int *dperm = grab_backend((size_t)n * sizeof *dperm), *perm;
    ck_assert_ok(table()->identity(on(handle), n, dperm));
    perm = from_backend_int(dperm, n);
    for (int64_t j = 0; j < n; ++j)
        ck_assert_int_eq(perm[j], j);
}
END_TEST

START_TEST(permute_columns)
{
    mat_t dA, A = fresh(size[_i].m, size[_i].n, &dA), dB = room(A.rows, A.cols);
    mat_t B = new_mat(A.rows, A.cols), C = new_mat(A.rows, A.cols);
    const int *perm = permutation(A.cols);
    for (int j = 0; j < A.cols; ++j)
        for (int i = 0; i < A.rows; ++i) {
            AT(B, i, j) = AT(A, i, perm[j]);
            AT(C, i, j) = AT(A, i, A.cols - 1 - j);
        }
    ck_assert_ok(table()->permute_columns(on(handle), dA,
                                          to_backend_int(perm, A.cols), dB));
    ck_assert_same(from_backend(dB), B);
    ck_assert_ok(table()->permute_columns(on(handle), dA, NULL, dB));
    ck_assert_same(from_backend(dB), C);
}
END_TEST

START_TEST(permute_rows)
{
    mat_t dA, A = fresh(size[_i].m, size[_i].n, &dA), dB = room(A.rows, A.cols);
    mat_t B = new_mat(A.rows, A.cols), C = new_mat(A.rows, A.cols);
    const int *perm = permutation(A.rows);
    for (int j = 0; j < A.cols; ++j)
        for (int i = 0; i < A.rows; ++i) {
            AT(B, perm[i], j) = AT(A, i, j);
            AT(C, A.rows - 1 - i, j) = AT(A, i, j);
        }
    ck_assert_ok(table()->permute_rows(on(handle), dA,
                                       to_backend_int(perm, A.rows), dB));
    ck_assert_same(from_backend(dB), B);
    ck_assert_ok(table()->permute_rows(on(handle), dA, NULL, dB));
    ck_assert_same(from_backend(dB), C);
}
END_TEST

START_TEST(sort_rows)
{
    static const int64_t count[] = {0,  1,    2,    31,   32,
                                    33, 1023, 1024, 1025, 5000};
    const int64_t n = count[_i];
    real_t *x = random_reals(n, &seed);
    int *dperm = grab_backend((size_t)n * sizeof *dperm);
    int *dinverse = grab_backend((size_t)n * sizeof *dinverse);
    for (int64_t i = 0; i < n; ++i)
        x[i] *= _i % 2 ? far_apart(i) : 8; /* or few classes, many ties      */
    ck_assert_ok(table()->sort_rows(on(handle), n, to_backend_real(x, n), dperm,
                                    dinverse));
    const int *perm = from_backend_int(dperm, n);
    const int *inverse = from_backend_int(dinverse, n);
    for (int64_t k = 0; k < n; ++k) {
        ck_assert(inverse[k] >= 0 && inverse[k] < n);
        ck_assert_int_eq(perm[inverse[k]], k);
        if (k == 0)
            continue;
        const real_t before = x[inverse[k - 1]], now = x[inverse[k]];
        const int a = row_class(before), b = row_class(now);
        ck_assert(a < b || (a == b && inverse[k - 1] < inverse[k]));
        ck_assert(now == 0 || now < 2 * before);
    }
}
END_TEST

START_TEST(row_exponents)
{
    const int far = GSVD_SINGLE ? 149 : 1074; /* the least number is 2^-far  */
    const real_t x[] = {1, (real_t)0.5,   (real_t)0.75,    3,
                        0, GSVD_REAL_MAX, ldexp_r(1, -far)};
    const int right[] = {1, 0, 0, 2, 0, GSVD_SINGLE ? 128 : 1024, 1 - far};
    enum { N = sizeof x / sizeof *x, MANY_ROWS = 700 };
    int *const dup = grab_backend(MANY_ROWS * sizeof *dup);
    int *const ddown = grab_backend(MANY_ROWS * sizeof *ddown);
    ck_assert_ok(table()->row_exponents(on(handle), N, to_backend_real(x, N),
                                        dup, ddown));
    const int *up = from_backend_int(dup, N);
    const int *down = from_backend_int(ddown, N);
    for (int i = 0; i < N; ++i)
        ck_assert_msg(down[i] == right[i] && up[i] == -right[i], "%d: %d, %d",
                      i, down[i], up[i]);

    real_t *const y = random_reals(MANY_ROWS, &seed); /* beyond a block      */
    for (int i = 0; i < MANY_ROWS; ++i)
        y[i] *= far_apart(i);
    ck_assert_ok(table()->row_exponents(
        on(handle), MANY_ROWS, to_backend_real(y, MANY_ROWS), dup, ddown));
    up = from_backend_int(dup, MANY_ROWS);
    for (int i = 0; i < MANY_ROWS; ++i) {
        const real_t one = ldexp_r(y[i], up[i]);
        ck_assert(y[i] > 0 ? one >= (real_t)0.5 && one < 1 : up[i] == 0);
    }
    ck_assert_ok(table()->row_exponents(on(handle), 0, NULL, NULL, NULL));
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
    mat_t R = from_backend(dA);
    for (int64_t j = 0; j < n; ++j)
        for (int64_t i = j + 1; i < m; ++i)
            AT(R, i, j) = make(0, 0);

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
        for (int64_t j = 0; j < cols; ++j)
            for (int64_t i = 0; i < m; ++i)
                AT(W, i, j) = make(7, 7);
        dW = to_backend(W);
        ck_assert_ok(
            table()->copy(on(handle), mat_cols(dA, 0, r), mat_cols(dW, 0, r)));
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
    for (int64_t j = 0; j < n; ++j)
        for (int64_t i = 0; i < m; ++i) {
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
    for (int64_t j = 0; j < cols; ++j)
        for (int64_t i = 0; i < m; ++i)
            AT(W, i, j) = make(7, 7);
    const mat_t dW = to_backend(W);
    ck_assert_ok(table()->copy(on(handle), dA, mat_cols(dW, 0, k)));
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

START_TEST(fix_phase)
{
    mat_t dR, R = fresh(size[_i].n, size[_i].n, &dR), dQ;
    mat_t Q = fresh(size[_i].m, size[_i].n, &dQ);
    if (R.rows > 2)
        AT(R, 1, 1) = make(0, 0); /* has no phase: the column stays           */
    dR = to_backend(R);
    ck_assert_ok(table()->fix_phase(on(handle), dR, dQ));
    const mat_t got = from_backend(dQ);
    for (int j = 0; j < Q.cols; ++j) {
        const scalar_t d = AT(R, j, j);
        const double length = hypot(re(d), im(d));
        const scalar_t w = length > 0 ? make((real_t)(re(d) / length),
                                             (real_t)(im(d) / length))
                                      : make(1, 0);
        for (int i = 0; i < Q.rows; ++i)
            ck_assert(abs_of(sub(AT(got, i, j), mul(AT(Q, i, j), w))) <=
                      8 * GSVD_ULP);
    }
}
END_TEST

static const struct {
    int m, n, k;
} triple[] = {
    {0, 0, 0}, {0, 4, 3},   {4, 0, 3},    {4, 3, 0},    {1, 1, 1},
    {2, 3, 4}, {31, 33, 5}, {65, 64, 63}, {5, 130, 70}, {130, 5, 257},
};
enum { TRIPLES = sizeof triple / sizeof *triple };

START_TEST(matrix_product)
{
    const int m = triple[_i].m, n = triple[_i].n, k = triple[_i].k;
    const char op[] = {'N', 'C'};
    for (int a = 0; a < 2; ++a)
        for (int b = 0; b < 2; ++b) {
            mat_t dA, dB, dC = room(m, n), got;
            mat_t A = a ? fresh(k, m, &dA) : fresh(m, k, &dA);
            mat_t B = b ? fresh(n, k, &dB) : fresh(k, n, &dB);
            ck_assert_ok(table()->gemm(on(handle), op[a], op[b], dA, dB, dC));
            got = from_backend(dC);
            for (int j = 0; j < n; ++j)
                for (int i = 0; i < m; ++i) {
                    double x = 0, y = 0, aa = 0, bb = 0;
                    for (int t = 0; t < k; ++t) {
                        const scalar_t f =
                            a ? conj_of(AT(A, t, i)) : AT(A, i, t);
                        const scalar_t g =
                            b ? conj_of(AT(B, j, t)) : AT(B, t, j);
                        x += (double)re(f) * re(g) - (double)im(f) * im(g);
                        y += (double)re(f) * im(g) + (double)im(f) * re(g);
                        aa += (double)re(f) * re(f) + (double)im(f) * im(f);
                        bb += (double)re(g) * re(g) + (double)im(g) * im(g);
                    }
                    ck_assert(
                        hypot(re(AT(got, i, j)) - x, im(AT(got, i, j)) - y) <=
                        4 * GSVD_ULP * sqrt(aa * bb));
                }
        }
}
END_TEST

/* Products so large that single precision on a GPU has them by three TF32
 * products: one piece inside, several, a last one that is shorter; sizes that no
 * tile divides, but rows and, with one more, leading dimensions that 4 does. */
static const struct {
    int m, n, k;
} big[] = {{2052, 2049, 129}, {1300, 1153, 1211}};
enum { BIG = sizeof big / sizeof *big, SAMPLED = 37 };

/* (x, y) := op(A)(i,:) op(B)(:,j), and the same of absolute values */
static double inner_product(char opa, char opb, mat_t A, mat_t B, int64_t i,
                            int64_t j, double *x, double *y)
{
    const int64_t k = opa == 'N' ? A.cols : A.rows;
    double sum = 0;
    *x = *y = 0;
    for (int64_t t = 0; t < k; ++t) {
        const scalar_t f = opa == 'N' ? AT(A, i, t) : conj_of(AT(A, t, i));
        const scalar_t g = opb == 'N' ? AT(B, t, j) : conj_of(AT(B, j, t));
        *x += (double)re(f) * re(g) - (double)im(f) * im(g);
        *y += (double)re(f) * im(g) + (double)im(f) * re(g);
        sum += sqrt(((double)re(f) * re(f) + (double)im(f) * im(f)) *
                    ((double)re(g) * re(g) + (double)im(g) * im(g)));
    }
    return sum;
}

/* C := op(A) op(B), then C := C - op(A) op(B) from another C: every entry of some
 * columns, the last among them, is right up to bound |op(A)| |op(B)| */
static void check_products(char opa, char opb, mat_t A, mat_t B, double bound)
{
    const int64_t m = opa == 'N' ? A.rows : A.cols;
    const int64_t n = opb == 'N' ? B.cols : B.rows;
    const mat_t dA = to_backend(A), dB = to_backend(B), dC = room(m + 1, n);
    mat_t dD, D0 = fresh(m + 1, n, &dD);

    give_room((size_t)64 << 20);
    ck_assert_ok(
        table()->gemm(on(handle), opa, opb, dA, dB, mat_rows(dC, 0, m)));
    ck_assert(!GSVD_SINGLE || split_as_expected(handle));
    ck_assert_ok(
        table()->gemm_sub(on(handle), opa, opb, dA, dB, mat_rows(dD, 0, m)));
    ck_assert(!GSVD_SINGLE || split_as_expected(handle));
    const mat_t C = from_backend(dC), D = from_backend(dD);
    for (int64_t j = (n - 1) % SAMPLED; j < n; j += SAMPLED)
        for (int64_t i = 0; i < m; ++i) {
            double x, y;
            const double sum = inner_product(opa, opb, A, B, i, j, &x, &y);
            const scalar_t d = AT(D0, i, j);
            ck_assert_msg(hypot(re(AT(C, i, j)) - x, im(AT(C, i, j)) - y) <=
                              bound * sum,
                          "%c %c: C(%ld, %ld)", opa, opb, (long)i, (long)j);
            ck_assert_msg(hypot(re(AT(D, i, j)) - (re(d) - x),
                                im(AT(D, i, j)) - (im(d) - y)) <=
                              bound * sum + 2 * GSVD_ULP * (abs_of(d) + sum),
                          "%c %c: C(%ld, %ld) after gemm_sub", opa, opb,
                          (long)i, (long)j);
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
    ck_assert_ok(table()->read_rotations(on(handle), rotations, NULL));
    return rotations;
}

/* sweeps to the end: G = G0 J, C = C0 J, J unitary, columns of G orthogonal and
 * sorted by length */
START_TEST(sweeps_make_columns_orthogonal)
{
    if (too_many_columns(_i))
        return;
    const int64_t n = min_i(size[_i].m, size[_i].n), m = size[_i].m;
    const real_t tol = sqrt_r((real_t)max_i(m, 1)) * GSVD_EPS;
    const int with_C = _i % 2;
    mat_t dG, G0 = fresh(m, n, &dG), dC = to_backend(identity_mat(n, n));
    int64_t *rotations = counter(), count = 1;
    int sweep;

    if (!with_C)
        dC.data = NULL;
    for (sweep = 0; sweep < 30 && count > 0; ++sweep) {
        count = -1;
        ck_assert_ok(
            table()->sweep(on(handle), dG, dC, dG.cols, tol, rotations));
        ck_assert_ok(table()->read_rotations(on(handle), rotations, &count));
        ck_assert(count >= 0 && count <= n * (n - 1) / 2);
    }
    ck_assert_int_eq(count, 0);
    const mat_t G = from_backend(dG), H = product('C', 'N', G, G);
    for (int64_t j = 0; j < n; ++j)
        for (int64_t i = 0; i < j; ++i) {
            const double x = sqrt((double)re(AT(H, i, i)));
            const double y = sqrt((double)re(AT(H, j, j)));
            ck_assert(abs_of(AT(H, i, j)) <=
                      ((double)tol + 2 * (double)m * GSVD_ULP) * x * y);
            ck_assert(x * x >= ROTATE_SHORTER * y * y *
                                   (1 - 2 * (double)(m + 8) * GSVD_ULP));
        }
    if (!with_C)
        return;
    const mat_t C = from_backend(dC);
    ck_assert_ratio(defect(C) / (1 + sweep));
    ck_assert_ratio(distance(product('N', 'N', G0, C), G) /
                    (GSVD_ULP * (double)max_i(1, m) * (1 + sweep)));
}
END_TEST

/* A(i,:) with the sign -1 from row `plus` on */
static mat_t signed_rows(mat_t A, int64_t plus)
{
    const mat_t B = copy_mat(A);
    for (int64_t j = 0; j < B.cols; ++j)
        for (int64_t i = plus; i < B.rows; ++i)
            AT(B, i, j) = scale(-1, AT(B, i, j));
    return B;
}

/* The same with signs: G = G0 K, C = K^-H, C^H J C = J; each sign sorted by length */
START_TEST(signed_sweeps_make_columns_orthogonal)
{
    if (too_many_columns(_i))
        return;
    const int64_t n = min_i(size[_i].m, size[_i].n), m = size[_i].m;
    const int64_t plus = (n + 1) / 2;
    const real_t tol = sqrt_r((real_t)max_i(m, 16)) * GSVD_EPS;
    mat_t dG, G0 = fresh(m, n, &dG), dC = to_backend(identity_mat(n, n));
    int64_t *rotations = counter(), count = 1;
    int sweep;

    for (sweep = 0; sweep < 30 && count > 0; ++sweep) {
        ck_assert_ok(table()->sweep(on(handle), dG, dC, plus, tol, rotations));
        ck_assert_ok(table()->read_rotations(on(handle), rotations, &count));
        ck_assert(count >= 0 && count <= n * (n - 1) / 2);
    }
    ck_assert_int_eq(count, 0);
    const mat_t G = from_backend(dG), C = from_backend(dC);
    const mat_t H = product('C', 'N', G, G);
    for (int64_t j = 0; j < n; ++j)
        for (int64_t i = 0; i < j; ++i) {
            const double x = sqrt((double)re(AT(H, i, i)));
            const double y = sqrt((double)re(AT(H, j, j)));
            ck_assert(abs_of(AT(H, i, j)) <=
                      ((double)tol + 2 * (double)m * GSVD_ULP) * x * y);
            ck_assert((i < plus && j >= plus) ||
                      x * x >= ROTATE_SHORTER * y * y *
                                   (1 - 2 * (double)(m + 8) * GSVD_ULP));
        }
    const double ulp = GSVD_ULP * (double)max_i(1, m) * (1 + sweep);
    const double large = fmax(1, (double)norm1(C));
    ck_assert_ratio(distance(product('N', 'C', G, C), G0) / (ulp * large));
    ck_assert_ratio(distance(product('C', 'N', C, signed_rows(C, plus)),
                             signed_rows(identity_mat(n, n), plus)) /
                    (ulp * large * large));
}
END_TEST

/* (5 4; 4 5) with the signs 1 and -1 turns to (3 0; 0 3) by cosh phi = 5/3, sinh phi =
 * -4/3; and C by the rotation's inverse, sinh phi = 4/3. */
START_TEST(signed_sweep_by_hand)
{
    mat_t G = identity_mat(2, 2), dG, dC = to_backend(identity_mat(2, 2));
    mat_t three = new_mat(2, 2), C = new_mat(2, 2);
    int64_t *rotations = counter(), count = -1;
    fill(G, make(4, 0));
    fill(three, make(0, 0));
    fill(C, make((real_t)4 / 3, 0));
    for (int i = 0; i < 2; ++i) {
        AT(G, i, i) = make(5, 0);
        AT(three, i, i) = make(3, 0);
        AT(C, i, i) = make((real_t)5 / 3, 0);
    }
    dG = to_backend(G);
    ck_assert_ok(table()->sweep(on(handle), dG, dC, 1, GSVD_EPS, rotations));
    ck_assert_ok(table()->read_rotations(on(handle), rotations, &count));
    ck_assert_int_eq(count, 1);
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
        mat_t G = random_mat(M, N, &seed), dG;
        int64_t *rotations = counter(), count = 1;
        for (int64_t j = 0; j < N; ++j) {
            const real_t length = (real_t)random_unit(&seed);
            for (int64_t i = 0; i < M; ++i)
                AT(G, i, j) = random_below(&seed, 5)
                                  ? make(0, 0)
                                  : scale(length, AT(G, i, j));
        }
        dG = to_backend(G);
        for (int sweep = 0; sweep < 30 && count > 0; ++sweep) {
            ck_assert_ok(table()->sweep(on(handle), dG, mat_view(NULL, 0, N, 1),
                                        N, 4 * GSVD_EPS, rotations));
            ck_assert_ok(
                table()->read_rotations(on(handle), rotations, &count));
        }
        ck_assert_int_eq(count, 0);
        G = from_backend(dG);
        const mat_t H = product('C', 'N', G, G);
        for (int64_t j = 0; j < N; ++j)
            for (int64_t i = 0; i < j; ++i) {
                const double x = (double)re(AT(H, i, i));
                const double y = (double)re(AT(H, j, j));
                if (x <= ROTATE_TINY || y <= ROTATE_TINY)
                    continue; /* a dependent column, shrunk to nothing       */
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
    const int n = (int)min_i(size[_i].m, size[_i].n);
    mat_t G = identity_mat(size[_i].m, n), dG, dC;
    int64_t *rotations = counter(), count = -1;
    for (int j = 0; j < n; ++j)
        AT(G, j, j) = make((real_t)(2 * n - j), 0);
    dG = to_backend(G);
    dC = to_backend(identity_mat(n, n));
    ck_assert_ok(
        table()->sweep(on(handle), dG, dC, dG.cols, GSVD_EPS, rotations));
    ck_assert_ok(table()->read_rotations(on(handle), rotations, &count));
    ck_assert_int_eq(count, 0);
    ck_assert_same(from_backend(dG), G);
    ck_assert_same(from_backend(dC), identity_mat(n, n));
}
END_TEST

/* Of columns with one entry each one is left, as long as they were together. */
START_TEST(sweep_of_one_row)
{
    const mat_t G = new_mat(1, 2);
    int64_t *const rotations = grab_backend(sizeof *rotations), zero = 0;
    AT(G, 0, 0) = make(3, 0);
    AT(G, 0, 1) = make(4, 0);
    const mat_t dG = to_backend(G);
    put(rotations, &zero, sizeof zero);
    ck_assert_ok(table()->sweep(on(handle), dG, mat_view(NULL, 0, 2, 1), 2,
                                GSVD_EPS, rotations));
    const mat_t W = from_backend(dG);
    const double a = (double)abs_of(AT(W, 0, 0)),
                 b = (double)abs_of(AT(W, 0, 1));
    ck_assert(fabs(hypot(a, b) - 5) <= 8 * 5 * GSVD_ULP);
    ck_assert(fmin(a, b) <= 8 * 5 * GSVD_ULP);
}
END_TEST

START_TEST(sweep_of_zero_columns)
{
    mat_t G = new_mat(9, 6), dG;
    int64_t *rotations = counter(), count = -1;
    fill(G, make(0, 0));
    dG = to_backend(G);
    ck_assert_ok(table()->sweep(on(handle), dG, mat_view(NULL, 0, 6, 1), 6,
                                GSVD_EPS, rotations));
    ck_assert_ok(table()->read_rotations(on(handle), rotations, &count));
    ck_assert_int_eq(count, 0);
    ck_assert_same(from_backend(dG), G);
}
END_TEST

START_TEST(sweep_twice_the_same_bits)
{
    if (too_many_columns(_i))
        return;
    const int64_t n = min_i(size[_i].m, size[_i].n);
    mat_t dG, dC = to_backend(identity_mat(n, n));
    mat_t G = fresh(size[_i].m, n, &dG), dG2 = to_backend(G);
    mat_t dC2 = to_backend(identity_mat(n, n));
    int64_t *rotations = counter(), one, two;
    ck_assert_ok(
        table()->sweep(on(handle), dG, dC, dG.cols, GSVD_EPS, rotations));
    ck_assert_ok(table()->read_rotations(on(handle), rotations, &one));
    ck_assert_ok(
        table()->sweep(on(handle), dG2, dC2, dG2.cols, GSVD_EPS, rotations));
    ck_assert_ok(table()->read_rotations(on(handle), rotations, &two));
    ck_assert_int_eq(one, two);
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
    ck_assert_ok(table()->staging_bytes(on(handle), l, &bytes));
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

/* ---- large steps: angles, eigenvectors ------------------------------------ */

/* around a warp, a tile, a block; more columns than blocks (jacobi.h) */
static const int order[] = {0, 1, 2, 3, 5, 31, 32, 33, 64, 70, 257, 1100};
enum { ORDERS = sizeof order / sizeof *order };

static scalar_t on_circle(double angle, double radius)
{
    const double turn = REALS_PER_SCALAR == 2 ? angle : 0;
    return make((real_t)(radius * cos(turn)), (real_t)(radius * sin(turn)));
}

/* Hermitian, with a real diagonal */
static mat_t hermitian(int64_t n)
{
    const mat_t A = random_mat(n, n, &seed);
    for (int64_t j = 0; j < n; ++j) {
        AT(A, j, j) = make(re(AT(A, j, j)), 0);
        for (int64_t i = 0; i < j; ++i)
            AT(A, j, i) = conj_of(AT(A, i, j));
    }
    return A;
}

/* both in place and not; every third length is 0 */
START_TEST(normalize_columns)
{
    const int64_t m = size[_i].m, n = size[_i].n;
    real_t *d = random_reals(n, &seed);
    mat_t dA, A = fresh(m, n, &dA), B = new_mat(m, n), dB = room(m, n);
    for (int64_t j = 0; j < n; ++j) {
        if (j % 3 == 1)
            d[j] = 0;
        for (int64_t i = 0; i < m; ++i)
            AT(B, i, j) = d[j] == 0 ? make(0, 0)
                                    : make(re(AT(A, i, j)) / d[j],
                                           im(AT(A, i, j)) / d[j]);
    }
    const real_t *const dd = to_backend_real(d, n);
    ck_assert_ok(table()->normalize_columns(on(handle), dA, dd, dB));
    ck_assert_same(from_backend(dB), B);
    ck_assert_same(from_backend(dA), A);
    ck_assert_ok(table()->normalize_columns(on(handle), dA, dd, dA));
    ck_assert_same(from_backend(dA), B);
}
END_TEST

START_TEST(gram)
{
    const int64_t m = size[_i].m, n = size[_i].n;
    mat_t dA, A = fresh(m, n, &dA), dC = room(n, n);
    ck_assert_ok(table()->gram(on(handle), dA, dC));
    const mat_t C = from_backend(dC);
    for (int64_t j = 0; j < n; ++j)
        ck_assert(im(AT(C, j, j)) == 0 && re(AT(C, j, j)) >= 0);
    ck_assert(distance(C, product('C', 'N', A, A)) <=
              8 * REALS_PER_SCALAR * (double)m * GSVD_ULP);
    ck_assert_same(from_backend(dA), A);
}
END_TEST

START_TEST(gram_by_hand)
{
    mat_t A = new_mat(3, 2), C = new_mat(2, 2), dC = room(2, 2);
    for (int k = 0; k < 6; ++k) /* 1 2; 3 4; 5 6                              */
        AT(A, k / 2, k % 2) = make((real_t)(k + 1), 0);
    AT(C, 0, 0) = make(35, 0);
    AT(C, 1, 0) = AT(C, 0, 1) = make(44, 0);
    AT(C, 1, 1) = make(56, 0);
    ck_assert_ok(table()->gram(on(handle), to_backend(A), dC));
    ck_assert(distance(from_backend(dC), C) == 0);
}
END_TEST

/* R upper triangular, with a diagonal of n and numbers below it that are not to be read */
static mat_t triangle_to_solve(int64_t n, uint64_t *state)
{
    const mat_t R = normal_mat(n, n, state);
    for (int64_t j = 0; j < n; ++j)
        for (int64_t i = j; i < n; ++i)
            AT(R, i, j) = make(i == j ? (real_t)n : (real_t)NAN, 0);
    return R;
}

START_TEST(trsm)
{
    const int64_t m = size[_i].m, n = size[_i].n;
    uint64_t state = 31;
    mat_t dA, A = fresh(m, n, &dA), E = copy_mat(A);
    const mat_t R = triangle_to_solve(n, &state), dR = to_backend(R);
    ck_assert_ok(table()->trsm(on(handle), dR, dA));
    for (int64_t j = 0; j < n; ++j)
        for (int64_t i = j + 1; i < n; ++i)
            AT(R, i, j) = make(0, 0);
    gemm('N', 'N', -1, from_backend(dA), R, 1, E);
    ck_assert(norm1(E) <=
              8 * REALS_PER_SCALAR * (double)max_i(n, 1) * GSVD_ULP * norm1(A));
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
    ck_assert_ok(table()->trsm(on(handle), to_backend(R), dA));
    AT(A, 0, 0) = make(2, 0);
    AT(A, 0, 1) = make(3, 0);
    ck_assert_same(from_backend(dA), A);
}
END_TEST

/* a comes next to 1, unless that takes b too far; where a is 0, b comes as far as it may */
START_TEST(column_scales)
{
    const real_t far = ldexp_r(1, SPREAD);
    const real_t least = GSVD_SAFMIN * GSVD_ULP;
    const real_t a[] = {1, 3, (real_t)0.25, 0, 0, 1, 1, least, 0};
    const real_t b[] = {5, 0, 1, 4, 0, 4 * far, 1 / far / 4, least, least};
    enum { N = sizeof a / sizeof *a };
    real_t *const dd = to_backend_real(a, N);
    ck_assert_ok(table()->column_scales(on(handle), N, to_backend_real(a, N),
                                        to_backend_real(b, N), dd));
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
START_TEST(joint_scales)
{
    const real_t least = GSVD_SAFMIN * GSVD_ULP, small = ldexp_r(3, -30);
    const real_t a[] = {8, 1, 4, 0, small, small, small, least, 0};
    const real_t b[] = {1, 4, 0, 1, small, 1, 0, 0, 0};
    const real_t right[] = {1, 1, 2, 4, 1, 4, 1};
    enum { N = sizeof a / sizeof *a, MANY_COLUMNS = 700 };
    const int far = GSVD_SINGLE ? 100 : 900;
    real_t *const dd = to_backend_real(a, N), most;
    ck_assert_ok(table()->joint_scales(on(handle), N, to_backend_real(a, N),
                                       to_backend_real(b, N), small, small, dd,
                                       &most));
    const real_t *d = from_backend_real(dd, N);
    for (int i = 0; i < 7; ++i)
        ck_assert_msg(d[i] == right[i], "%d: %g", i, (double)d[i]);
    ck_assert(d[7] == 1 && d[8] == 1 && most == 4);

    ck_assert_ok(table()->joint_scales(on(handle), N, to_backend_real(a, N),
                                       to_backend_real(b, N), 0, 0, dd, &most));
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
    ck_assert_ok(table()->joint_scales(on(handle), MANY_COLUMNS, dx, dx, 0, 0,
                                       dy, &most));
    d = from_backend_real(dy, MANY_COLUMNS);
    for (int i = 0; i < MANY_COLUMNS; ++i)
        ck_assert(d[i] * x[i] == ldexp_r(1, 29));
    ck_assert(most == ldexp_r(1, 59));
    ck_assert_ok(table()->joint_scales(on(handle), 0, dx, dx, 0, 0, dy, &most));
    ck_assert(most == 1);
}
END_TEST

static real_t cosine_of(mat_t C)
{
    real_t cosine = -1;
    const mat_t dC = to_backend(C);
    ck_assert_ok(table()->largest_cosine(on(handle), dC, &cosine));
    ck_assert_same(from_backend(dC), C);
    return cosine;
}

/* Whatever stands on the diagonal does not count, NaN elsewhere does. */
START_TEST(largest_cosine)
{
    const int64_t n = order[_i];
    if (too_large(0, n, 0))
        return;
    const mat_t C = hermitian(n);
    double most = 0;
    for (int64_t j = 0; j < n; ++j) {
        AT(C, j, j) = make(j % 2 ? (real_t)NAN : 9, 0);
        for (int64_t i = j + 1; i < n; ++i)
            most = fmax(most, abs_of(AT(C, i, j)));
    }
    ck_assert(close_to(cosine_of(C), most, 4));
    if (n < 2)
        return;
    const int64_t i = 1 + random_below(&seed, n - 1),
                  j = random_below(&seed, i);
    AT(C, i, j) = on_circle(1, 7);
    AT(C, j, i) = conj_of(AT(C, i, j));
    ck_assert(close_to(cosine_of(C), 7, 4));
    AT(C, i, j) = AT(C, j, i) = make((real_t)NAN, 0);
    ck_assert(isnan(cosine_of(C)));
}
END_TEST

/* tan 2 theta = 2 |c| q / (1 - q^2), at most 1/2 */
static double angle_of(double c, double q)
{
    return fmin(atan2(2 * c * q, 1 - q * q) / 2, 0.5);
}

/* The first pair is turned by less than the bound of angles, the second has a cosine that
 * may be small enough, the third is turned by that bound, and the last column is 0. */
START_TEST(rotation_angles_by_hand)
{
    static const double d[] = {4, 2, 1.9, 0}, c[] = {0.5, 0.25, 0.9};
    const double q[] = {d[1] / d[0], d[2] / d[0], d[2] / d[1]};
    const double t[] = {angle_of(c[0], q[0]), angle_of(c[1], q[1]),
                        angle_of(c[2], q[2])};
    real_t length[4], bound = -1;
    mat_t C = identity_mat(4, 4), dC;
    for (int j = 0; j < 4; ++j)
        length[j] = (real_t)d[j];
    for (int k = 0; k < 3; ++k) { /* (0,1), (0,2), (1,2)                      */
        AT(C, k / 2, (k + 3) / 2) = on_circle(k + 1, c[k]);
        AT(C, (k + 3) / 2, k / 2) = on_circle(-k - 1, c[k]);
    }
    for (int leave = 0; leave < 2; ++leave) {
        const double least = leave ? 0.25 : 0.2;
        const double second = leave ? 0 : t[1];
        dC = to_backend(C);
        ck_assert_ok(table()->rotation_angles(on(handle), dC,
                                              to_backend_real(length, 4), NULL,
                                              (real_t)least, &bound));
        const mat_t T = from_backend(dC);
        const double want[] = {t[0], second, t[2]};
        for (int k = 0; k < 3; ++k) {
            const scalar_t T_ij = on_circle(k + 1, -want[k]);
            ck_assert(abs_of(sub(AT(T, k / 2, (k + 3) / 2), T_ij)) <=
                      8 * GSVD_ULP);
        }
        for (int j = 0; j < 4; ++j)
            for (int i = 0; i <= j; ++i) {
                const scalar_t a = AT(T, i, j), b = AT(T, j, i);
                ck_assert(re(a) == -re(b) && im(a) == im(b));
                ck_assert(abs_of(a) == 0 || (i < j && j < 3));
            }
        const double sum[] = {t[0] + second, t[0] + t[2], second + t[2]};
        ck_assert(close_to(bound, fmax(sum[0], fmax(sum[1], sum[2])), 16));
    }
    ck_assert(t[2] == 0.5 && t[0] < 0.5);
}
END_TEST

/* T is skew-Hermitian, and graded as the columns are. */
START_TEST(rotation_angles)
{
    const int64_t n = order[_i];
    if (too_large(0, n, 0))
        return;
    const double small =
        sqrt(GSVD_EPS / (16 * (double)max_i(n, 1))) * (1 + 4 * GSVD_ULP);
    real_t *d = grab((size_t)n * sizeof *d), bound = -1;
    const mat_t C = hermitian(n), dC = to_backend(C);
    for (int64_t j = 0; j < n; ++j)
        d[j] = (real_t)pow(0.75, (double)min_i(j, 60));
    ck_assert_ok(table()->rotation_angles(on(handle), dC, to_backend_real(d, n),
                                          NULL, (real_t)0.25, &bound));
    const mat_t T = from_backend(dC);
    for (int64_t j = 0; j < n; ++j)
        for (int64_t i = 0; i <= j; ++i) {
            const scalar_t a = AT(T, i, j), b = AT(T, j, i);
            ck_assert(re(a) == -re(b) && im(a) == im(b));
            ck_assert(abs_of(a) <= (real_t)0.5 + 2 * GSVD_ULP);
            const int left = i == j || abs_of(AT(C, i, j)) <= (real_t)0.25;
            ck_assert(left ? abs_of(a) <= small : abs_of(a) > 0);
            ck_assert(abs_of(a) <= 2.5 * d[j] / d[i]); /* |c| < sqrt(2)       */
        }
    ck_assert(close_to(bound, norm1(T), 4 * sqrt((double)max_i(n, 16))));
}
END_TEST

/* A pair with a cosine that is small enough: turned where that takes a small angle, between
 * columns of different length, and left where it takes one of pi / 4. */
START_TEST(rotation_by_a_small_angle)
{
    const real_t c = (real_t)0x1p-20, q = (real_t)0x1p-14;
    const real_t d[] = {1, 1, q};
    mat_t C = identity_mat(3, 3);
    real_t bound;
    for (int j = 0; j < 3; ++j)
        for (int i = 0; i < 3; ++i)
            if (i != j)
                AT(C, i, j) = make(c, 0);
    const mat_t dC = to_backend(C);
    ck_assert_ok(table()->rotation_angles(on(handle), dC, to_backend_real(d, 3),
                                          NULL, 2 * c, &bound));
    const mat_t T = from_backend(dC);
    ck_assert(abs_of(AT(T, 0, 1)) == 0);
    for (int i = 0; i < 2; ++i) {
        ck_assert(close_to(-re(AT(T, i, 2)) / (c * q), 1, 1 / sqrt(GSVD_ULP)));
        ck_assert(re(AT(T, 2, i)) == -re(AT(T, i, 2)));
    }
}
END_TEST

/* I + T makes two columns of cosine c orthogonal up to c^2. */
START_TEST(rotation_makes_orthogonal)
{
    const real_t c = (real_t)0.01, d[] = {4, 2};
    mat_t G = new_mat(2, 2), C = identity_mat(2, 2), P;
    const scalar_t turn = on_circle(2, 1);
    real_t bound;
    AT(G, 0, 0) = make(d[0], 0);
    AT(G, 1, 0) = make(0, 0);
    AT(G, 0, 1) = scale(d[1] * c, turn);
    AT(G, 1, 1) = make(d[1] * sqrt_r(1 - c * c), 0);
    AT(C, 0, 1) = scale(c, turn);
    AT(C, 1, 0) = conj_of(AT(C, 0, 1));
    const mat_t dC = to_backend(C);
    ck_assert_ok(table()->rotation_angles(on(handle), dC, to_backend_real(d, 2),
                                          NULL, 0, &bound));
    P = from_backend(dC);
    AT(P, 0, 0) = AT(P, 1, 1) = make(1, 0);
    const mat_t GP = product('N', 'N', G, P), S = product('C', 'N', GP, GP);
    ck_assert(abs_of(AT(S, 0, 1)) <=
              c * c * sqrt_r(re(AT(S, 0, 0)) * re(AT(S, 1, 1))));
}
END_TEST

/* Two columns of unequal sign, T the angle of their hyperbolic rotation by hand; with a
 * third one, which has the sign of the first: the angles of that pair do not see signs. */
START_TEST(signed_angles_by_hand)
{
    static const double d[] = {4, 2, 1}, c[] = {0.5, 0.25, 0.99};
    const double q[] = {d[1] / d[0], d[2] / d[0], d[2] / d[1]};
    const double t[] = {atanh(2 * c[0] / (q[0] + 1 / q[0])) / 2,
                        angle_of(c[1], q[1]),
                        atanh(2 * c[2] / (q[2] + 1 / q[2])) / 2};
    const real_t length[] = {4, 2, 1}, sign[] = {-1, 1, -1};
    real_t bound = -1;
    mat_t C = identity_mat(3, 3), dC;
    for (int k = 0; k < 3; ++k) { /* (0,1), (0,2), (1,2)                      */
        AT(C, k / 2, (k + 3) / 2) = on_circle(k + 1, c[k]);
        AT(C, (k + 3) / 2, k / 2) = on_circle(-k - 1, c[k]);
    }
    dC = to_backend(C);
    ck_assert_ok(table()->rotation_angles(on(handle), dC,
                                          to_backend_real(length, 3),
                                          to_backend_real(sign, 3), 0, &bound));
    const mat_t T = from_backend(dC);
    ck_assert(t[2] > 0.5); /* and is cut                                      */
    for (int k = 0; k < 3; ++k) {
        const scalar_t a = AT(T, k / 2, (k + 3) / 2);
        const scalar_t b = AT(T, (k + 3) / 2, k / 2);
        ck_assert(abs_of(sub(a, on_circle(k + 1, -fmin(t[k], 0.5)))) <=
                  8 * GSVD_ULP);
        ck_assert(k == 1 ? re(a) == -re(b) && im(a) == im(b)
                         : re(a) == re(b) && im(a) == -im(b));
    }
    ck_assert(close_to(bound, fmax(t[0] + t[1], t[0] + 0.5), 16));
}
END_TEST

/* J T is skew-Hermitian. */
START_TEST(signed_angles)
{
    const int64_t n = order[_i];
    if (too_large(0, n, 0))
        return;
    const double small =
        sqrt(GSVD_EPS / (16 * (double)max_i(n, 1))) * (1 + 4 * GSVD_ULP);
    real_t *d = grab((size_t)n * sizeof *d), bound = -1;
    real_t *sign = grab((size_t)n * sizeof *sign);
    const mat_t C = hermitian(n), dC = to_backend(C);
    for (int64_t j = 0; j < n; ++j) {
        d[j] = (real_t)pow(0.75, (double)min_i(j, 60));
        sign[j] = (real_t)(j * 5 % 3 == 0 ? -1 : 1);
    }
    ck_assert_ok(table()->rotation_angles(on(handle), dC, to_backend_real(d, n),
                                          to_backend_real(sign, n),
                                          (real_t)0.25, &bound));
    const mat_t T = from_backend(dC);
    for (int64_t j = 0; j < n; ++j)
        for (int64_t i = 0; i <= j; ++i) {
            const scalar_t a = AT(T, i, j), b = AT(T, j, i);
            const real_t turn = -sign[i] * sign[j];
            ck_assert(re(a) == turn * re(b) && im(a) == -turn * im(b));
            ck_assert(abs_of(a) <= (real_t)0.5 + 2 * GSVD_ULP);
            const int left = i == j || abs_of(AT(C, i, j)) <= (real_t)0.25;
            ck_assert(left ? abs_of(a) <= small : abs_of(a) > 0);
            ck_assert(abs_of(a) <= 2.5 * d[j] / d[i]);
        }
    ck_assert(close_to(bound, norm1(T), 4 * sqrt((double)max_i(n, 16))));
}
END_TEST

/* exp(T) to the second order makes two columns of unequal sign orthogonal up to c^2, and
 * after one step of Newton and Schulz it is J-unitary up to rounding. */
START_TEST(signed_step_of_two_columns)
{
    const real_t c = (real_t)(GSVD_SINGLE ? 0.01 : 1e-4), d[] = {4, 2};
    const real_t sign[] = {1, -1};
    const scalar_t turn = on_circle(2, 1);
    mat_t G = new_mat(2, 2), C = identity_mat(2, 2), dP = room(2, 2);
    real_t bound, departure = -1;
    AT(G, 0, 0) = make(d[0], 0);
    AT(G, 1, 0) = make(0, 0);
    AT(G, 0, 1) = scale(d[1] * c, turn);
    AT(G, 1, 1) = make(d[1] * sqrt_r(1 - c * c), 0);
    AT(C, 0, 1) = scale(c, turn);
    AT(C, 1, 0) = conj_of(AT(C, 0, 1));
    const mat_t dT = to_backend(C);
    real_t *const dsign = to_backend_real(sign, 2);
    ck_assert_ok(table()->rotation_angles(on(handle), dT, to_backend_real(d, 2),
                                          dsign, 0, &bound));
    const mat_t T = from_backend(dT);
    mat_t S = new_mat(2, 2);
    gemm('N', 'N', -1, T, T, 0, S);
    ck_assert_ok(
        table()->second_order_exp(on(handle), dT, to_backend(S), 1, dP));
    const mat_t P = from_backend(dP);
    mat_t JP = copy_mat(P);
    for (int j = 0; j < 2; ++j)
        AT(JP, 1, j) = scale(-1, AT(P, 1, j));
    const mat_t dE = to_backend(product('C', 'N', P, JP));
    ck_assert_ok(table()->newton_schulz(on(handle), dE, dsign, &departure));
    ck_assert(departure <= pow(c, 4) + 4 * GSVD_ULP);
    const mat_t K = product('N', 'N', P, from_backend(dE));
    for (int j = 0; j < 2; ++j)
        AT(JP, 1, j) = scale(-1, AT(K, 1, j)), AT(JP, 0, j) = AT(K, 0, j);
    const mat_t E = product('C', 'N', K, JP);
    AT(E, 1, 1) = scale(-1, AT(E, 1, 1));
    AT(E, 1, 0) = scale(-1, AT(E, 1, 0));
    ck_assert(distance(E, identity_mat(2, 2)) <= 8 * GSVD_ULP);
    const mat_t GK = product('N', 'N', G, K), M = product('C', 'N', GK, GK);
    ck_assert(abs_of(AT(M, 0, 1)) <=
              c * c * sqrt_r(re(AT(M, 0, 0)) * re(AT(M, 1, 1))));
}
END_TEST

START_TEST(signed_newton_schulz)
{
    const int64_t n = order[_i];
    if (too_large(0, n, 0))
        return;
    mat_t dE, E = fresh(n, n, &dE);
    real_t *sign = grab((size_t)n * sizeof *sign), departure = -1;
    double most = 0;
    for (int64_t j = 0; j < n; ++j)
        sign[j] = (real_t)(j * 5 % 3 == 0 ? -1 : 1);
    ck_assert_ok(table()->newton_schulz(on(handle), dE,
                                        to_backend_real(sign, n), &departure));
    const mat_t N = from_backend(dE);
    for (int64_t j = 0; j < n; ++j)
        for (int64_t i = 0; i < n; ++i) {
            const double x = (double)(sign[i] * re(AT(E, i, j)));
            const double y = (double)(sign[i] * im(AT(E, i, j)));
            most = fmax(most, hypot(x - (i == j), y));
            ck_assert(fabs((i == j ? 1.5 : 0) - x / 2 - re(AT(N, i, j))) <=
                      2 * GSVD_ULP);
            ck_assert(im(AT(N, i, j)) == (real_t)(-y / 2));
        }
    ck_assert(close_to(departure, most, 4));
}
END_TEST

/* Entries up to a bound are 0, and NaN is the largest of all. */
START_TEST(signed_drift)
{
    const int64_t n = order[_i];
    if (too_large(0, n, 0))
        return;
    mat_t dE, E = fresh(n, n, &dE);
    real_t *sign = grab((size_t)n * sizeof *sign), found = -1;
    real_t *d = grab((size_t)n * sizeof *d);
    const real_t least = (real_t)0.25;
    double most = 0;
    for (int64_t j = 0; j < n; ++j) {
        sign[j] = (real_t)(j * 5 % 3 == 0 ? -1 : 1);
        d[j] = (real_t)(1 + j % 3) / 2;
    }
    ck_assert_ok(table()->signed_drift(on(handle), dE, to_backend_real(sign, n),
                                       to_backend_real(d, n), least, &found));
    const mat_t N = from_backend(dE);
    for (int64_t j = 0; j < n; ++j)
        for (int64_t i = 0; i < n; ++i) {
            const double x = (double)(sign[i] * re(AT(E, i, j))) - (i == j);
            const double y = (double)(sign[i] * im(AT(E, i, j)));
            const double bound = (double)(least * d[i] * d[j]);
            const int left = hypot(x, y) > bound;
            if (fabs(hypot(x, y) - bound) <= 8 * GSVD_ULP)
                continue;
            ck_assert(fabs((left ? x / 2 : 0) - (double)re(AT(N, i, j))) <=
                      2 * GSVD_ULP);
            ck_assert(im(AT(N, i, j)) == (real_t)(left ? y / 2 : 0));
            most = fmax(most, left ? hypot(x, y) / 2 : 0);
        }
    ck_assert(close_to(found, most, 4));
    if (n == 0)
        return;
    AT(E, n - 1, n / 2) = make(NAN, 0);
    ck_assert_ok(table()->signed_drift(on(handle), to_backend(E),
                                       to_backend_real(sign, n),
                                       to_backend_real(d, n), least, &found));
    ck_assert(isnan(found));
}
END_TEST

START_TEST(signed_roots)
{
    const int64_t n = order[_i];
    real_t *x = random_reals(n, &seed);
    real_t *const droot = grab_backend((size_t)n * sizeof *droot);
    real_t *const dsign = grab_backend((size_t)n * sizeof *dsign);
    for (int64_t i = 0; i < n; ++i)
        x[i] = i % 7 == 5 ? 0 : i % 7 == 6 ? (real_t)NAN : i % 2 ? -x[i] : x[i];
    ck_assert_ok(table()->signed_roots(on(handle), n, to_backend_real(x, n),
                                       droot, dsign));
    const real_t *root = from_backend_real(droot, n);
    const real_t *sign = from_backend_real(dsign, n);
    for (int64_t i = 0; i < n; ++i) {
        ck_assert(sign[i] == (x[i] > 0) - (x[i] < 0));
        if (isnan(x[i]))
            ck_assert(isnan(root[i]));
        else
            ck_assert(root[i] == sqrt_r(fabs_r(x[i])));
    }
}
END_TEST

START_TEST(second_order_exp)
{
    const int64_t n = order[_i];
    if (too_large(0, n, 0))
        return;
    const double s = 0.375;
    mat_t dT, dS, T = fresh(n, n, &dT), S = fresh(n, n, &dS), dP = room(n, n);
    ck_assert_ok(table()->second_order_exp(on(handle), dT, dS, (real_t)s, dP));
    const mat_t P = from_backend(dP);
    for (int64_t j = 0; j < n; ++j)
        for (int64_t i = 0; i < n; ++i) {
            const double x = (i == j) + s * (double)re(AT(T, i, j)) -
                             s * s / 2 * (double)re(AT(S, i, j));
            const double y = s * (double)im(AT(T, i, j)) -
                             s * s / 2 * (double)im(AT(S, i, j));
            ck_assert(fabs(x - (double)re(AT(P, i, j))) <= 4 * GSVD_ULP &&
                      fabs(y - (double)im(AT(P, i, j))) <= 4 * GSVD_ULP);
        }
}
END_TEST

/* P := I + T + T^2 / 2 of a rotation by t is unitary up to t^4 / 4, and after one step
 * of Newton and Schulz up to rounding. */
START_TEST(exp_becomes_unitary)
{
    const double t = GSVD_SINGLE ? 0.01 : 1e-4;
    mat_t T = new_mat(2, 2), dP = room(2, 2);
    real_t departure = -1;
    fill(T, make(0, 0));
    AT(T, 0, 1) = on_circle(1, -t);
    AT(T, 1, 0) = on_circle(-1, t);
    const mat_t S = product('C', 'N', T, T);
    ck_assert_ok(table()->second_order_exp(on(handle), to_backend(T),
                                           to_backend(S), 1, dP));
    const mat_t P = from_backend(dP), E = product('C', 'N', P, P);
    const mat_t dE = to_backend(E);
    ck_assert_ok(table()->newton_schulz(on(handle), dE, NULL, &departure));
    ck_assert(departure <= pow(t, 4) / 4 + 4 * GSVD_ULP);
    ck_assert_ratio(defect(product('N', 'N', P, from_backend(dE))));
}
END_TEST

START_TEST(newton_schulz)
{
    const int64_t n = order[_i];
    if (too_large(0, n, 0))
        return;
    mat_t dE, E = fresh(n, n, &dE);
    real_t departure = -1;
    double most = 0;
    ck_assert_ok(table()->newton_schulz(on(handle), dE, NULL, &departure));
    const mat_t N = from_backend(dE);
    for (int64_t j = 0; j < n; ++j)
        for (int64_t i = 0; i < n; ++i) {
            const double x = (double)re(AT(E, i, j)), y = im(AT(E, i, j));
            most = fmax(most, hypot(x - (i == j), y));
            ck_assert(fabs((i == j ? 1.5 : 0) - x / 2 - re(AT(N, i, j))) <=
                      2 * GSVD_ULP);
            ck_assert(im(AT(N, i, j)) == (real_t)(-y / 2));
        }
    ck_assert(close_to(departure, most, 4));
    if (n == 0)
        return;
    AT(E, n / 2, n / 3) = make((real_t)NAN, 0);
    dE = to_backend(E);
    ck_assert_ok(table()->newton_schulz(on(handle), dE, NULL, &departure));
    ck_assert(isnan(departure));
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
        for (int64_t i = 0; i < m; ++i)
            AT(X_, i, j) = scale((real_t)0.01, AT(X_, i, j));
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

/* A X = X w, X^H X = I by LAPACK's ratios, w ascending; twice the same bits */
START_TEST(eigenvectors)
{
    static const int orders[] = {0, 1, 2, 5, 33, 70};
    const int64_t n = orders[_i];
    if (too_large(0, n, 0))
        return;
    const exec_t ex = for_eigenvectors(n);
    const mat_t A = hermitian(n), dX = to_backend(A), dX2 = to_backend(A);
    real_t *dw = to_backend_real(random_reals(n, &seed), n);
    ck_assert_ok(table()->eigenvectors(&ex, dX, dw));
    const mat_t X = from_backend(dX);
    const real_t *w = from_backend_real(dw, n);
    ck_assert_ok(table()->eigenvectors(&ex, dX2, dw));
    ck_assert_same(from_backend(dX2), X);
    if (n == 0)
        return;
    const mat_t R = copy_mat(X);
    for (int64_t j = 0; j < n; ++j) {
        ck_assert(j == 0 || w[j - 1] <= w[j]);
        for (int64_t i = 0; i < n; ++i)
            AT(R, i, j) = scale(w[j], AT(R, i, j));
    }
    gemm('N', 'N', -1, A, X, 1, R);
    ck_assert_ratio((double)norm1(R) / ((double)n * norm1(A) * GSVD_ULP));
    ck_assert_ratio(defect(X));
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
            ck_assert_int_eq(LAPACKE_ORMQR(LAPACK_COL_MAJOR, 'L',
                                           !back                   ? 'N'
                                           : REALS_PER_SCALAR == 2 ? 'C'
                                                                   : 'T',
                                           (lapack_int)n - 1, (lapack_int)k,
                                           (lapack_int)n - 1, &AT(F, 1, 0),
                                           (lapack_int)F.ld, tau.data,
                                           &AT(Y, 1, 0), (lapack_int)Y.ld, work,
                                           lwork),
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
    ck_assert_ok(table()->tridiagonal_vectors(ex, n, dd, de, dw, dV));
    exec_t poor = *ex; /* without room for one vector                        */
    poor.work.size = poor.work.used + (size_t)n * sizeof(real_t);
    ck_assert_status(table()->tridiagonal_vectors(&poor, n, dd, de, dw, dV),
                     GSVD_INTERNAL_ERROR);
    ck_assert_ok(table()->tridiagonal_vectors(ex, n, dd, de, dw, dV2));
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

static int by_size(const void *a, const void *b)
{
    const real_t x = *(const real_t *)a, y = *(const real_t *)b;
    return (x < y) - (x > y);
}

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
    qsort(w, (size_t)n, sizeof *w, by_size);
    for (int64_t i = 0; i < n; ++i)
        ck_assert_ratio(fabs((double)(x[i] - w[i])) /
                        ((double)n * norm1(A) * GSVD_ULP));
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

static const int64_t length[] = {0, 1, 2, 31, 32, 33, 255, 257, 1025};
enum { LENGTHS = sizeof length / sizeof *length };

START_TEST(values_unit)
{
    const int64_t n = length[_i];
    real_t *c = random_reals(n, &seed), *s = random_reals(n, &seed);
    if (n > 2) {
        c[1] = 0;
        s[2] = 0;
    }
    real_t *dc = to_backend_real(c, n), *ds = to_backend_real(s, n);
    ck_assert_ok(table()->values_unit(on(handle), n, dc, ds));
    const real_t *x = from_backend_real(dc, n), *y = from_backend_real(ds, n);
    for (int64_t i = 0; i < n; ++i) {
        const double h = hypot(c[i], s[i]);
        ck_assert(close_to(x[i], c[i] / h, 4) && close_to(y[i], s[i] / h, 4));
    }
}
END_TEST

/* many equal values: c descending, equal c by s ascending, else as they were */
START_TEST(values_order)
{
    const int64_t n = length[_i];
    real_t *c = random_reals(n, &seed), *s = random_reals(n, &seed);
    int *dperm = grab_backend((size_t)n * sizeof *dperm), *perm;
    for (int64_t i = 0; i < n; ++i) {
        c[i] = (real_t)random_below(&seed, 6);
        s[i] = (real_t)random_below(&seed, 3);
    }
    ck_assert_ok(table()->values_order(on(handle), n, to_backend_real(c, n),
                                       to_backend_real(s, n), dperm));
    perm = from_backend_int(dperm, n);
    int *seen = grab((size_t)n * sizeof *seen);
    memset(seen, 0, (size_t)n * sizeof *seen);
    for (int64_t i = 0; i < n; ++i) {
        ck_assert(perm[i] >= 0 && perm[i] < n && !seen[perm[i]]);
        seen[perm[i]] = 1;
    }
    for (int64_t i = 0; i + 1 < n; ++i) {
        const int a = perm[i], b = perm[i + 1];
        ck_assert(c[a] > c[b] || (c[a] == c[b] && s[a] < s[b]) ||
                  (c[a] == c[b] && s[a] == s[b] && a < b));
    }
}
END_TEST

static const int64_t *to_backend_signs(const int64_t *J, int64_t n)
{
    int64_t *const dJ = grab_backend((size_t)n * sizeof *dJ);
    put(dJ, J, (size_t)n * sizeof *dJ);
    return dJ;
}

START_TEST(partition_signs)
{
    const int64_t n = length[_i];
    int64_t *const J = grab((size_t)n * sizeof *J), ones = 0, plus = -2;
    int *const dperm = grab_backend((size_t)n * sizeof *dperm);
    for (int64_t j = 0; j < n; ++j) {
        J[j] = random_below(&seed, 2) ? 1 : -1;
        ones += J[j] == 1;
    }
    ck_assert_ok(table()->partition_signs(on(handle), n, to_backend_signs(J, n),
                                          dperm, &plus));
    ck_assert_int_eq(plus, ones);
    const int *const perm = from_backend_int(dperm, n);
    for (int64_t i = 0; i < n; ++i) {
        ck_assert(perm[i] >= 0 && perm[i] < n);
        ck_assert_int_eq(J[perm[i]], i < plus ? 1 : -1);
        ck_assert(i == 0 || i == plus || perm[i] > perm[i - 1]);
    }
    if (n == 0)
        return;
    J[n - 1] = 0;
    ck_assert_ok(table()->partition_signs(on(handle), n, to_backend_signs(J, n),
                                          dperm, &plus));
    ck_assert_int_eq(plus, -1);
}
END_TEST

START_TEST(values_permute)
{
    const int64_t n = length[_i];
    const real_t *x = random_reals(n, &seed);
    const int *perm = permutation(n);
    real_t *dy = to_backend_real(random_reals(n, &seed), n), *y;
    ck_assert_ok(table()->values_permute(on(handle), n, to_backend_real(x, n),
                                         to_backend_int(perm, n), dy));
    y = from_backend_real(dy, n);
    for (int64_t i = 0; i < n; ++i)
        ck_assert(y[i] == x[perm[i]]);
}
END_TEST

START_TEST(values_read)
{
    const int64_t n = length[_i];
    const real_t *x = random_reals(n, &seed);
    real_t *y = random_reals(n + 1, &seed);
    const real_t behind = y[n];
    ck_assert_ok(table()->values_read(on(handle), n, to_backend_real(x, n), y));
    ck_assert_mem_eq(y, x, (size_t)n * sizeof *x);
    ck_assert(y[n] == behind);
}
END_TEST

START_TEST(values_set)
{
    const int64_t n = length[_i], first = n / 3, end = n - n / 4;
    const real_t *x = random_reals(n, &seed);
    real_t *dx = to_backend_real(x, n), *y;
    ck_assert_ok(table()->values_set(on(handle), first, end, 7, dx));
    y = from_backend_real(dx, n);
    for (int64_t i = 0; i < n; ++i)
        ck_assert(y[i] == (i >= first && i < end ? 7 : x[i]));
}
END_TEST

START_TEST(values_complete)
{
    const int64_t n = length[_i];
    real_t *c = random_reals(n, &seed), *s = random_reals(n, &seed);
    for (int64_t i = 0; i < n; ++i) {
        const double angle = 1.57 * random_unit(&seed);
        c[i] = (real_t)(cos(angle) * (1 + 1e-4));
        s[i] = (real_t)(sin(angle) * (1 + 1e-4));
    }
    real_t *dc = to_backend_real(c, n), *ds = to_backend_real(s, n);
    ck_assert_ok(table()->values_complete(on(handle), n, dc, ds));
    const real_t *x = from_backend_real(dc, n), *y = from_backend_real(ds, n);
    for (int64_t i = 0; i < n; ++i) {
        ck_assert(c[i] <= s[i] ? x[i] == c[i] : y[i] == s[i]);
        ck_assert(fabs((double)x[i] * x[i] + (double)y[i] * y[i] - 1) <
                  4 * GSVD_ULP);
    }
}
END_TEST

START_TEST(values_lead)
{
    const int64_t n = length[_i];
    for (int64_t lead = 0; lead <= n; lead += 1 + n / 5) {
        real_t *c = random_reals(n, &seed), *s = random_reals(n, &seed);
        int64_t count = -1;
        for (int64_t i = 0; i < n; ++i) {
            c[i] = i < lead || i > lead + 1 ? (real_t)0.8 : (real_t)0.5;
            s[i] = (real_t)0.5; /* equal at lead: not larger                  */
        }
        ck_assert_ok(table()->values_lead(on(handle), n, to_backend_real(c, n),
                                          to_backend_real(s, n), &count));
        ck_assert_int_eq(count, lead);
    }
}
END_TEST

START_TEST(values_weigh)
{
    const int64_t n = length[_i];
    const int ea = GSVD_SINGLE ? 60 : 400, eb = -ea / 2;
    real_t *c = random_reals(n, &seed), *s = random_reals(n, &seed);
    real_t *out[3];
    int *de = grab_backend((size_t)n * sizeof *de), *e;
    for (int k = 0; k < 3; ++k)
        out[k] = grab_backend((size_t)n * sizeof(real_t));
    ck_assert_ok(table()->normalize_values(
        on(handle), n, ea, eb, to_backend_real(c, n), to_backend_real(s, n),
        out[0], out[1], out[2], de));
    const real_t *alpha = from_backend_real(out[0], n),
                 *beta = from_backend_real(out[1], n);
    const real_t *g = from_backend_real(out[2], n);
    e = from_backend_int(de, n);
    for (int64_t i = 0; i < n; ++i) {
        const long double a = ldexpl(c[i], ea), b = ldexpl(s[i], eb);
        const long double h = hypotl(a, b);
        ck_assert(fabsl(ldexpl(g[i], e[i]) / h - 1) < 4 * GSVD_ULP);
        ck_assert(close_to(alpha[i], (double)(a / h), 4));
        ck_assert(close_to(beta[i], (double)(b / h), 4));
    }
}
END_TEST

START_TEST(combine)
{
    const int m = size[_i].m, n = size[_i].n;
    for (int in_place = 0; in_place < 2; ++in_place) {
        mat_t dA, dB, A = fresh(m / 2, n, &dA), B = fresh(m, n, &dB), H;
        mat_t dH = in_place ? dB : room(m, n);
        const real_t *c = random_reals(m, &seed), *s = random_reals(m, &seed);
        ck_assert_ok(table()->combine(on(handle), to_backend_real(c, m), dA,
                                      to_backend_real(s, m), dB, dH));
        H = from_backend(dH);
        for (int j = 0; j < n; ++j)
            for (int i = 0; i < m; ++i) {
                scalar_t h = scale(s[i], AT(B, i, j));
                if (i < m / 2)
                    h = add(h, scale(c[i], AT(A, i, j)));
                ck_assert(abs_of(sub(h, AT(H, i, j))) <= 4 * GSVD_ULP);
            }
    }
}
END_TEST

/* h of c h = x, s h = y as it was chosen, columns of A 2^-400 to 2^400 (single 2^+-40) times as
 * long as those of B; where x and y belong to no h, c x + s y */
START_TEST(combine_columns)
{
    const int m = size[_i].m, n = size[_i].n, far = GSVD_SINGLE ? 10 : 100;
    for (int fits = 0; fits < 2; ++fits) {
        mat_t dA, dB, A = fresh(m / 2, n, &dA), B = fresh(m, n, &dB);
        mat_t H = fresh(m, n, &dA);
        real_t *const c = grab((size_t)m * sizeof *c);
        real_t *const s = grab((size_t)m * sizeof *s);
        real_t *const a = grab((size_t)n * sizeof *a);
        real_t *const b = grab((size_t)n * sizeof *b);
        for (int j = 0; j < n; ++j) {
            a[j] = j % 9 == 4 ? 0 : ldexp_r(1, (j % 9 - 4) * far);
            b[j] = j % 9 == 8 ? 0 : 1;
        }
        for (int i = 0; i < m; ++i) {
            /* A column's share of values goes with its length. */
            const int e = (i % 9 - 4) * far;
            c[i] = e > 0 ? 1 : ldexp_r(1, e);
            s[i] = e > 0 ? ldexp_r(1, -e) : 1;
        }
        for (int j = 0; j < n; ++j)
            for (int i = 0; i < m; ++i) {
                const real_t most = a[j] / c[i];
                real_t shorter = b[j] / s[i];
                shorter = i < m / 2 && most < shorter ? most : shorter;
                AT(H, i, j) = scale(shorter, AT(H, i, j));
                if (i < m / 2)
                    AT(A, i, j) = fits ? scale(c[i], AT(H, i, j))
                                       : scale(a[j], AT(A, i, j));
                AT(B, i, j) = fits || i >= m / 2 ? scale(s[i], AT(H, i, j))
                                                 : scale(b[j], AT(B, i, j));
            }
        dA = to_backend(A);
        dB = to_backend(B);
        ck_assert_ok(table()->combine_columns(
            on(handle), to_backend_real(c, m), dA, to_backend_real(s, m), dB,
            to_backend_real(a, n), to_backend_real(b, n), dB));
        const mat_t X_ = from_backend(dB);
        for (int j = 0; j < n; ++j)
            for (int i = 0; i < m; ++i) {
                const scalar_t x = i < m / 2 ? AT(A, i, j) : make(0, 0);
                const scalar_t h = AT(X_, i, j), y = AT(B, i, j);
                const real_t of_a = abs_of(sub(x, scale(c[i], h)));
                const real_t of_b = abs_of(sub(y, scale(s[i], h)));
                ck_assert(isfinite(of_a) && isfinite(of_b));
                if (fits && i < m / 2) {
                    ck_assert(of_a <= 16 * GSVD_ULP * a[j]);
                    ck_assert(of_b <= 16 * GSVD_ULP * b[j]);
                }
            }
    }
}
END_TEST

START_TEST(bytes_grow_with_the_shape)
{
    size_t small = table()->kernel_bytes(on(handle), KERNELS_ALL, 3, 2, 1);
    size_t large =
        table()->kernel_bytes(on(handle), KERNELS_ALL, 3000, 2000, 4000);
    ck_assert_uint_ge(large, small);
    ck_assert_ok(gsvd_set_option(handle, GSVD_SOLVER, GSVD_SOLVER_TGSJA));
    ck_assert_ok(table()->staging_bytes(on(handle), 3, &small));
    ck_assert_ok(table()->staging_bytes(on(handle), 300, &large));
    ck_assert_uint_gt(large, small);
}
END_TEST

Suite *make_suite(void)
{
    Suite *s = suite_create("primitives");
    TCase *t = add_tcase(s, "elementwise");
    tcase_add_loop_test(t, copy, 0, SIZES);
    tcase_add_loop_test(t, to_single_and_back, 0, SIZES);
    tcase_add_loop_test(t, set, 0, SIZES);
    tcase_add_loop_test(t, zero_lower, 0, SIZES);
    tcase_add_loop_test(t, ctrans, 0, SIZES);
    tcase_add_loop_test(t, flip_ctrans, 0, SIZES);
    tcase_add_loop_test(t, shift, 0, SIZES);
    tcase_add_loop_test(t, shift_upper, 0, SIZES);
    tcase_add_loop_test(t, count_from_one, 0, SIZES);
    tcase_add_test(t, shift_far);
    tcase_add_loop_test(t, scale_rows, 0, SIZES);
    tcase_add_test(t, largest_number);
    tcase_add_loop_test(t, nonzero, 0, SIZES);
    tcase_add_loop_test(t, measure, 0, SIZES);
    tcase_add_loop_test(t, norms_by_row, 0, SIZES);
    tcase_add_loop_test(t, measure_finds_what_is_not_finite, 0, SIZES);
    tcase_add_test(t, measure_of_the_largest_numbers_is_finite);
    t = add_tcase(s, "pivot");
    tcase_add_loop_test(t, column_norms, 0, SIZES);
    tcase_add_loop_test(t, geqp, 0, SIZES);
    tcase_add_loop_test(t, geqp_of_graded_and_deficient, 0, SIZES);
    tcase_add_loop_test(t, smallest, 0, SIZES);
    tcase_add_loop_test(t, test_panel, 0, SIZES);
    tcase_add_loop_test(t, inverse_iteration, 0, 9);
    tcase_add_test(t, inverse_iteration_next_to_underflow);
    tcase_add_loop_test(t, inverse_iteration_of_a_clear_triangle, 0, SIZES);
    tcase_add_loop_test(t, identity, 0, SIZES);
    tcase_add_loop_test(t, permute_columns, 0, SIZES);
    tcase_add_loop_test(t, permute_rows, 0, SIZES);
    tcase_add_loop_test(t, sort_rows, 0, 10);
    tcase_add_test(t, row_exponents);
    tcase_add_test(t, classes_of_rows);
    t = add_tcase(s, "qr");
    tcase_add_loop_test(t, geqrf, 0, SIZES);
    tcase_add_loop_test(t, geqrf_with_lookahead, 0, 4);
    tcase_add_loop_test(t, geqrf_rowwise_stable, 0, SIZES);
    tcase_add_loop_test(t, rows_far_apart, 0, 4);
    tcase_add_loop_test(t, columns_in_their_order, 0, SIZES);
    tcase_add_loop_test(t, ungqr_of_many_columns, 0, 3);
    tcase_add_loop_test(t, geqr_undo, 0, SIZES);
    tcase_add_loop_test(t, ungqr_without_reflectors, 0, SIZES);
    tcase_add_loop_test(t, unmqr_without_reflectors, 0, SIZES);
    tcase_add_loop_test(t, fix_phase, 0, SIZES);
    tcase_add_loop_test(t, matrix_product, 0, TRIPLES);
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
    tcase_add_loop_test(t, normalize_columns, 0, SIZES);
    tcase_add_loop_test(t, gram, 0, SIZES);
    tcase_add_test(t, gram_by_hand);
    tcase_add_loop_test(t, trsm, 0, SIZES);
    tcase_add_test(t, trsm_by_hand);
    tcase_add_test(t, column_scales);
    tcase_add_test(t, joint_scales);
    tcase_add_loop_test(t, largest_cosine, 0, ORDERS);
    tcase_add_test(t, rotation_angles_by_hand);
    tcase_add_loop_test(t, rotation_angles, 0, ORDERS);
    tcase_add_test(t, rotation_by_a_small_angle);
    tcase_add_test(t, rotation_makes_orthogonal);
    tcase_add_loop_test(t, second_order_exp, 0, ORDERS);
    tcase_add_test(t, exp_becomes_unitary);
    tcase_add_loop_test(t, newton_schulz, 0, ORDERS);
    tcase_add_loop_test(t, column_defects, 0, DEFECTS);
    tcase_add_test(t, signed_angles_by_hand);
    tcase_add_loop_test(t, signed_angles, 0, ORDERS);
    tcase_add_test(t, signed_step_of_two_columns);
    tcase_add_loop_test(t, signed_newton_schulz, 0, ORDERS);
    tcase_add_loop_test(t, signed_roots, 0, ORDERS);
    tcase_add_loop_test(t, signed_drift, 0, ORDERS);
    tcase_add_loop_test(t, eigenvectors, 0, 6);
    tcase_add_test(t, eigenvectors_by_hand);
    tcase_add_loop_test(t, singular_values, 0, 6);
    tcase_add_test(t, singular_values_by_hand);
    tcase_add_loop_test(t, tridiagonal_vectors, 0, 60);
    t = add_tcase(s, "tridiagonalize"); /* gpu-check.sh names it.            */
    tcase_add_loop_test(t, tridiagonalize, 0, 9);
    t = add_tcase(s, "values");
    tcase_add_loop_test(t, values_unit, 0, LENGTHS);
    tcase_add_loop_test(t, values_order, 0, LENGTHS);
    tcase_add_loop_test(t, partition_signs, 0, LENGTHS);
    tcase_add_loop_test(t, values_permute, 0, LENGTHS);
    tcase_add_loop_test(t, values_read, 0, LENGTHS);
    tcase_add_loop_test(t, values_set, 0, LENGTHS);
    tcase_add_loop_test(t, values_complete, 0, LENGTHS);
    tcase_add_loop_test(t, values_lead, 0, LENGTHS);
    tcase_add_loop_test(t, values_weigh, 0, LENGTHS);
    tcase_add_loop_test(t, combine, 0, SIZES);
    tcase_add_loop_test(t, combine_columns, 0, SIZES);
    tcase_add_test(t, bytes_grow_with_the_shape);
    return s;
}
