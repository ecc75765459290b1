/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* test_batched_steps.c -- large steps in batches: the primitives against the single ones and
 * against their CPU twins, and the solver of batches, forced. */
#include <math.h>

#include "batch/large_steps.h"
#include "batch/solvers.h"
#include "core/pair.h"
#include "core/rotate.h"
#include "harness/graded.h"
#include "harness/wide.h"

static uint64_t seed = 11, seed_of_rows = 13;

/* ---- matrices in a row ------------------------------------------------------------ */

static mats_t new_mats(int64_t count, int64_t rows, int64_t cols)
{
    const size_t entries = (size_t)(count * rows * cols);
    return (mats_t){grab(entries * sizeof(scalar_t)), count, rows, cols,
                    rows * cols};
}

static size_t bytes_of(mats_t A)
{
    return (size_t)(A.count * A.stride) * sizeof(scalar_t);
}

static mats_t mats_to_backend(mats_t A)
{
    mats_t B = A;
    B.data = grab_backend(bytes_of(A));
    put(B.data, A.data, bytes_of(A));
    return B;
}

static mats_t mats_from_backend(mats_t A)
{
    mats_t B = A;
    B.data = grab(bytes_of(A));
    get(B.data, A.data, bytes_of(A));
    return B;
}

static void fill_mats(mats_t A, mat_t (*make_one)(int64_t, int64_t))
{
    for (int64_t k = 0; k < A.count; ++k) {
        const mat_t from = make_one(A.rows, A.cols), to = mats_at(A, k);
        for (int64_t j = 0; j < A.cols; ++j)
            memcpy(&AT(to, 0, j), &AT(from, 0, j),
                   (size_t)A.rows * sizeof(scalar_t));
    }
}

static mat_t make_normal(int64_t m, int64_t n)
{
    return normal_mat(m, n, &seed);
}
static mat_t make_unitary(int64_t m, int64_t n)
{
    (void)n;
    return random_unitary(m, &seed);
}
/* Hermitian, positive: the Gram matrix of columns with cosines next to 1/8, and smaller */
static mat_t make_gram(int64_t m, int64_t n)
{
    mat_t A = identity_mat(m, n);
    const mat_t N = normal_mat(m, n, &seed);
    EACH_ENTRY (A, i, j)
        AT(A, i, j) =
            scale((real_t)1 + (real_t)j,
                  add(AT(A, i, j),
                      scale(ldexp_r(1, -4 - (int)(j % 9)), AT(N, i, j))));
    return product('C', 'N', A, A);
}

/* -- what is kept of each */

static steps_batch_t new_state(int64_t count, int64_t n)
{
    const size_t values = (size_t)(count * n) * sizeof(real_t);
    const size_t ones = (size_t)count * sizeof(real_t);
    return (steps_batch_t){.column = grab_backend(values),
                           .length = grab_backend(values),
                           .cosine = grab_backend(ones),
                           .bound = grab_backend(ones),
                           .exponent =
                               grab_backend((size_t)count * sizeof(int)),
                           .left = grab_backend((size_t)count * sizeof(int))};
}

static void set_left(const steps_batch_t *s, const int *left, int64_t count)
{
    put(s->left, left, (size_t)count * sizeof *left);
}

static void ck_assert_close(mat_t A, mat_t B, double bound, const char *what)
{
    const double d = distance(A, B);
    ck_assert_msg(d <= bound, "%s: %g, not %g", what, d, bound);
}

/* ---- primitives ----------------------------------------------------------------------- */

static const int order[] = {1, 2, 7, 31, 33, 64, 65, 130, 257};
enum { ORDERS = sizeof order / sizeof *order, COUNT = 5 };

/* The families of batch_load's matrices */
enum { ORDINARY, COLUMNS_APART, WITH_NAN, ZERO, SMALL, ROWS_APART, LOADED };
static const int left_of[LOADED] = {LEFT_NOT, LEFT_TO_JACOBI, LEFT_NOT_FINITE,
                                    LEFT_NOT, LEFT_NOT,       LEFT_NOT};

/* m x n matrices next to each other in one */
static mat_t matrices_to_load(int64_t m, int64_t n)
{
    const mat_t A = new_mat(m, n * LOADED);
    const mat_t B = normal_mat(m, n * ROWS_APART, &seed);
    const mat_t last = normal_mat(m, n, &seed_of_rows);
    for (int64_t j = 0; j < A.cols; ++j)
        for (int64_t i = 0; i < m; ++i)
            AT(A, i, j) = j < B.cols ? AT(B, i, j) : AT(last, i, j - B.cols);
    for (int64_t j = 0; j < n; ++j)
        for (int64_t i = 0; i < m; ++i) {
            const int tall = m >= n;
            scalar_t *const apart = &AT(A, i, COLUMNS_APART * n + j);
            scalar_t *const small = &AT(A, i, SMALL * n + j);
            if ((tall ? j : i) == 0)
                *apart = scale(ldexp_r(1, -20), *apart);
            *small = scale(ldexp_r(1, GSVD_SINGLE ? -100 : -900), *small);
            AT(A, i, ZERO * n + j) = make(0, 0);
            if ((tall ? i : j) == 0)
                AT(A, i, ROWS_APART * n + j) =
                    scale(64, AT(A, i, ROWS_APART * n + j));
        }
    AT(A, m - 1, WITH_NAN * n + n - 1) = make((real_t)NAN, 0);
    return A;
}

/* Matrix k of A as a tall one */
static mat_t tall_matrix(mat_t A, int64_t n, int64_t k)
{
    const mat_t from = mat_cols(A, k * n, n);
    return A.rows >= n ? copy_mat(from) : adjoint(from);
}

/* What the single routine sorts by, once columns, of these lengths, are alike: do the largest entries
 * of rows but zeros differ? */
static int rows_apart(mat_t x, const real_t *column)
{
    real_t most = 0, least = GSVD_REAL_MAX;
    for (int64_t i = 0; i < x.rows; ++i) {
        real_t size = 0;
        for (int64_t j = 0; j < x.cols; ++j)
            if (column[j] > 0)
                size = fmax_r(size, abs_max(AT(x, i, j)) / column[j]);
        most = fmax_r(most, size);
        least = size > 0 && size < least ? size : least;
    }
    return most > 0 && x.cols > 1 && rows_are_sorted(most, least);
}

/* X = 2^e A to the last bit, entries of it next to the size that has room for squares; lengths,
 * and which matrices are left: those from number 1 on, where the batch has them from 2 on */
START_TEST(load)
{
    const int64_t few = order[_i % ORDERS] + 1,
                  m = _i < ORDERS ? few + 40 : few,
                  n = _i < ORDERS ? few : few + 40;
    const int64_t rows = max_i(m, n), cols = few, count = LOADED - 1;
    const mat_t A = matrices_to_load(m, n), dA = to_backend(A);
    const mats_t none = {0};
    const mats_t dX = mats_to_backend(new_mats(count, rows, cols));
    const mats_t dV = mats_to_backend(new_mats(count, rows, cols));
    steps_batch_t s = new_state(count, cols);
    const svd_batch_t b = {.count = LOADED,
                           .m = m,
                           .n = n,
                           .A = {dA.data, NULL, dA.ld * n, dA.ld, NULL}};
    s.first = 1;
    ck_assert_ok(
        table()->batch_load(on(handle), &b, dX, _i % 2 ? dV : none, &s));
    const mats_t X = mats_from_backend(dX);
    const mats_t V = mats_from_backend(_i % 2 ? dV : dX);
    const int *const e = from_backend_int(s.exponent, count);
    const int *const left = from_backend_int(s.left, count);
    const real_t *const column = from_backend_real(s.column, count * cols);
    for (int64_t k = 0; k < count; ++k) {
        const mat_t x = mats_at(X, k), a = tall_matrix(A, n, k + 1);
        const int zero = k + 1 == WITH_NAN || k + 1 == ZERO;
        real_t largest = 0;
        const int columns = left_of[k + 1];
        ck_assert_int_eq(left[k], columns == LEFT_NOT_FINITE ? columns
                                  : rows_apart(x, column + k * cols)
                                      ? LEFT_GRADED
                                  : cols == 1 ? LEFT_NOT
                                              : columns);
        for (int64_t j = 0; j < cols; ++j) {
            wide_t square = 0;
            for (int64_t i = 0; i < rows; ++i) {
                const scalar_t y = zero ? make(0, 0) : AT(a, i, j);
                ck_assert(re(AT(x, i, j)) == ldexp_r(re(y), e[k]) &&
                          im(AT(x, i, j)) == ldexp_r(im(y), e[k]));
                ck_assert_mem_eq(&AT(mats_at(V, k), i, j), &AT(x, i, j),
                                 sizeof(scalar_t));
                square += wide_square(widen(AT(x, i, j)));
                largest = fmax_r(largest, abs_max(AT(x, i, j)));
            }
            ck_assert(fabsl(column[k * cols + j] - sqrtl(square)) <=
                      (wide_t)rows * GSVD_ULP * sqrtl(square));
        }
        const wide_t room = (wide_t)largest * largest * rows * cols;
        ck_assert(zero ||
                  (room < GSVD_REAL_MAX / 2 && room > sqrtl(GSVD_REAL_MAX)));
    }
}
END_TEST

START_TEST(products)
{
    const int64_t n = order[_i], m = n + 9;
    const mats_t A = new_mats(COUNT, m, n), B = new_mats(COUNT, n, n);
    fill_mats(A, make_normal);
    fill_mats(B, make_normal);
    const mats_t dA = mats_to_backend(A), dB = mats_to_backend(B);
    const mats_t dC = mats_to_backend(new_mats(COUNT, n, n));
    const mats_t dG = mats_to_backend(new_mats(COUNT, n, n));
    const mats_t dW = mats_to_backend(new_mats(COUNT, m, n));
    const double bound = LIMIT * sqrt((double)m) * (double)m * GSVD_ULP;

    ck_assert_ok(table()->batch_gemm(on(handle), 'C', dA, dA, dC));
    ck_assert_ok(table()->batch_gemm(on(handle), 'N', dA, dB, dW));
    ck_assert_ok(table()->batch_gram(on(handle), -1, dA, dG));
    const mats_t C = mats_from_backend(dC), W = mats_from_backend(dW);
    const mats_t G = mats_from_backend(dG);
    for (int64_t k = 0; k < COUNT; ++k) {
        const mat_t a = mats_at(A, k), c = product('C', 'N', a, a);
        ck_assert_close(mats_at(C, k), c, bound, "C");
        for (int64_t j = 0; j < n; ++j)
            for (int64_t i = j; i < n; ++i)
                ck_assert(abs_of(add(AT(mats_at(G, k), i, j), AT(c, i, j))) <=
                          bound);
        ck_assert_close(mats_at(W, k), product('N', 'N', a, mats_at(B, k)),
                        bound, "W");
    }
}
END_TEST

/* V^H G V is diagonal, and ascends. */
START_TEST(eigenvectors)
{
    const int64_t n = order[_i];
    const mats_t G = new_mats(COUNT, n, n);
    const steps_batch_t s = new_state(COUNT, n);
    fill_mats(G, make_gram);
    const mats_t lower = new_mats(COUNT, n, n);
    memcpy(lower.data, G.data, bytes_of(G));
    for (int64_t k = 0; k < COUNT; ++k)
        for (int64_t j = 0; j < n; ++j)
            for (int64_t i = 0; i < j; ++i)
                AT(mats_at(lower, k), i, j) = make(7, 0);
    const mats_t dG = mats_to_backend(lower);
    ck_assert(table()->batch_eigenvectors_bytes(on(handle), n, COUNT) <=
              on(handle)->work.size);
    ck_assert_ok(table()->batch_eigenvectors(on(handle), dG, &s));
    const mats_t V = mats_from_backend(dG);
    for (int64_t k = 0; k < COUNT; ++k) {
        const mat_t g = mats_at(G, k), v = mats_at(V, k);
        const mat_t D = product('C', 'N', v, product('N', 'N', g, v));
        const double one = (double)norm1(g);
        ck_assert_ratio(defect(v));
        for (int64_t j = 0; j < n; ++j)
            for (int64_t i = 0; i < n; ++i)
                ck_assert(i == j || abs_of(AT(D, i, j)) <=
                                        LIMIT * (double)n * GSVD_ULP * one);
        for (int64_t j = 1; j < n; ++j)
            ck_assert(re(AT(D, j - 1, j - 1)) <=
                      re(AT(D, j, j)) + LIMIT * GSVD_ULP * one);
    }
}
END_TEST

/* The second is left, the third is not unitary, and so it is left, too.  V + V H is unitary. */
START_TEST(unitary)
{
    const int64_t n = order[_i];
    static const int left[COUNT] = {0, LEFT_TO_JACOBI, 0, LEFT_NOT_FINITE, 0};
    const mats_t V = new_mats(COUNT, n, n), E = new_mats(COUNT, n, n);
    const steps_batch_t s = new_state(COUNT, n);
    const mat_t one = identity_mat(n, n);
    fill_mats(V, make_unitary);
    AT(mats_at(V, 0), 0, 0) =
        add(AT(mats_at(V, 0), 0, 0), make(64 * GSVD_ULP, 0));
    AT(mats_at(V, 2), n - 1, 0) =
        add(AT(mats_at(V, 2), n - 1, 0), make((real_t)0.5, 0));
    for (int64_t k = 0; k < COUNT; ++k) {
        const mat_t v = mats_at(V, k);
        gemm('C', 'N', 1, v, v, 0, mats_at(E, k));
    }
    const mats_t dV = mats_to_backend(V), dE = mats_to_backend(E);
    set_left(&s, left, COUNT);
    ck_assert_ok(table()->batch_unitary(on(handle), dE, dV, &s));
    const mats_t W = mats_from_backend(dV), F = mats_from_backend(dE);
    const int *const now = from_backend_int(s.left, COUNT);
    for (int64_t k = 0; k < COUNT; ++k) {
        ck_assert_int_eq(now[k], k == 2 ? LEFT_TO_JACOBI : left[k]);
        if (now[k] != LEFT_NOT) {
            ck_assert_same(mats_at(W, k), one);
            ck_assert_same(mats_at(F, k), one);
            continue;
        }
        ck_assert_same(mats_at(W, k), mats_at(V, k));
        ck_assert_same(mats_at(F, k), mats_at(E, k));
        const mat_t P = new_mat(n, n);
        EACH_ENTRY (P, i, j)
            AT(P, i, j) = add(make(i == j, 0),
                              unitary_entry(i == j, AT(mats_at(E, k), i, j)));
        const mat_t U = product('N', 'N', mats_at(V, k), P);
        ck_assert_close(product('C', 'N', U, U), one,
                        4 * sqrt((double)n) * GSVD_ULP, "departure");
    }
}
END_TEST

/* T as the single primitive has it, where lengths descend, as in order and reversed; without
 * large angles, and 0 of a matrix that is left */
START_TEST(angles)
{
    const int64_t n = order[_i];
    static const int left[COUNT] = {0, 0, LEFT_TO_JACOBI, 0, 0};
    const real_t least = (real_t)0.002, most = (real_t)0.02;
    const mats_t C = new_mats(COUNT, n, n), none = {0};
    const steps_batch_t s = new_state(COUNT, n);
    fill_mats(C, make_gram);
    const mats_t dC = mats_to_backend(C);
    set_left(&s, left, COUNT);
    ck_assert_ok(
        table()->batch_angles(on(handle), dC, none, least, most, 0, &s));
    const mats_t T = mats_from_backend(dC);
    const real_t *const length = from_backend_real(s.length, COUNT * n);
    const real_t *const cosine = from_backend_real(s.cosine, COUNT);
    const real_t *const bound = from_backend_real(s.bound, COUNT);
    for (int64_t k = 0; k < COUNT; ++k) {
        const mat_t t = mats_at(T, k), c = mats_at(C, k);
        real_t sum = 0, largest = 0, missed = 0, u = 0;
        for (int64_t j = 0; j < n; ++j) {
            real_t in_row = 0, weighted = 0;
            const real_t dj = sqrt_r(re(AT(c, j, j)));
            ck_assert(fabs_r(length[k * n + j] - dj) <= 4 * GSVD_ULP * dj);
            for (int64_t i = 0; i < n; ++i) {
                const real_t di = sqrt_r(re(AT(c, i, i)));
                const int later = di < dj;
                const scalar_t h = scale(1 / di / dj, AT(c, i, j));
                scalar_t a =
                    pair_angle(later ? conj_of(h) : h, later ? dj : di,
                               later ? di : dj, 0, least, small_angle(n));
                a = later ? make(-re(a), im(a)) : a;
                if (i == j || abs_of(a) > most || left[k])
                    a = make(0, 0);
                ck_assert(abs_of(sub(AT(t, i, j), a)) <= 100 * GSVD_ULP * most);
                in_row += abs_of(AT(t, j, i));
                weighted += abs_of(AT(t, i, j)) * di / dj;
                largest = i == j ? largest : fmax_r(largest, abs_of(h));
                missed = i == j || abs_of(a) > 0 ? missed
                                                 : fmax_r(missed, abs_of(h));
                ck_assert(re(AT(t, i, j)) == -re(AT(t, j, i)) &&
                          im(AT(t, i, j)) == im(AT(t, j, i)));
            }
            sum = fmax_r(sum, in_row);
            u = fmax_r(u, weighted);
        }
        const real_t after = cosine_after(largest, missed, sum, u);
        ck_assert(fabs_r(cosine[k] - after) <= 100 * GSVD_ULP * after);
        ck_assert(fabs_r(bound[k] - sum) <= 100 * GSVD_ULP * sum);
    }
}
END_TEST

/* P is unitary to the order that it has, and I where T is 0. */
START_TEST(turns)
{
    const int64_t n = order[_i];
    static const int left[COUNT] = {0, LEFT_TO_JACOBI, 0, 0, 0};
    const real_t most = GSVD_SINGLE ? (real_t)0.12 : (real_t)0.0043;
    const mats_t C = new_mats(COUNT, n, n);
    const steps_batch_t s = new_state(COUNT, n);
    const mats_t none = {0};
    const mat_t one = identity_mat(n, n);
    fill_mats(C, make_gram);
    const mats_t T = mats_to_backend(C), S = mats_to_backend(C),
                 R = mats_to_backend(C), P = mats_to_backend(C);
    set_left(&s, left, COUNT);
    ck_assert_ok(table()->batch_angles(on(handle), T, none, 0, 1, 0, &s));
    ck_assert_ok(table()->batch_gemm(on(handle), 'C', T, T, S));
    ck_assert_ok(table()->batch_gemm(on(handle), 'N', T, S, R));
    ck_assert_ok(
        table()->batch_turns(on(handle), T, none, none, none, most, &s, P));
    ck_assert_ok(table()->batch_turns(on(handle), T, S, R, none, most, &s, S));
    const mats_t first = mats_from_backend(P), third = mats_from_backend(S),
                 t = mats_from_backend(T);
    const real_t *const bound = from_backend_real(s.bound, COUNT);
    for (int64_t k = 0; k < COUNT; ++k) {
        const mat_t p = mats_at(first, k), q = mats_at(third, k);
        const real_t f = step_scale(bound[k], most);
        ck_assert_close(product('C', 'N', q, q), one,
                        4 * sqrt((double)n) * GSVD_ULP, "third order");
        ck_assert_close(product('C', 'N', p, p), one, 1.01 * most * most,
                        "first order");
        for (int64_t j = 0; j < n; ++j)
            for (int64_t i = 0; i < n; ++i) {
                const scalar_t a = scale(f, AT(mats_at(t, k), i, j));
                ck_assert(abs_of(sub(sub(AT(p, i, j), make(i == j, 0)), a)) <=
                          2 * GSVD_ULP);
            }
        if (left[k])
            ck_assert_close(q, one, 0, "I");
    }
}
END_TEST

/* The largest cosine of two columns */
static double largest_cosine(mat_t A)
{
    const mat_t C = product('C', 'N', A, A);
    double largest = 0;
    for (int64_t j = 0; j < C.cols; ++j)
        for (int64_t i = 0; i < j; ++i) {
            const double lengths =
                sqrt((double)re(AT(C, i, i)) * (double)re(AT(C, j, j)));
            largest = fmax(largest, (double)abs_of(AT(C, i, j)) / lengths);
        }
    return largest;
}

/* Columns of lengths 1 to 1/128 with cosines next to 2^-e; of two equal lengths, whose angle is a
 * large one, where `twins` */
static mat_t nearly_orthogonal(int64_t m, int64_t n, int e, int twins)
{
    const mat_t Q = random_unitary(m, &seed), E = normal_mat(n, n, &seed);
    EACH_ENTRY (E, i, j)
        AT(E, i, j) = add(make(i == j, 0), scale(ldexp_r(1, -e), AT(E, i, j)));
    const mat_t X = product('N', 'N', mat_cols(Q, 0, n), E);
    for (int64_t j = 0; j < n; ++j)
        scale_column(X, j,
                     exp2(-7.0 * (double)(j - (twins && j == 1)) / (double)n));
    return X;
}

/* The cosines of X (I + T) are no larger than batch_angles says, which is next to nothing but for
 * twins, and where T had to be scaled. */
START_TEST(after_a_turn)
{
    static const int exponent[COUNT] = {GSVD_SINGLE ? 23 : 45,
                                        GSVD_SINGLE ? 21 : 40,
                                        GSVD_SINGLE ? 14 : 36, 6, 9};
    enum { TWINS = 2, SCALED = 3 };
    const int64_t n = order[_i], m = n + 9;
    const mats_t X = new_mats(COUNT, m, n), none = {0};
    const mats_t dC = mats_to_backend(new_mats(COUNT, n, n));
    const mats_t dP = mats_to_backend(new_mats(COUNT, n, n));
    const mats_t dY = mats_to_backend(X);
    const steps_batch_t s = new_state(COUNT, n);
    static const int left[COUNT];
    const double rounding = LIMIT * sqrt((double)m) * GSVD_ULP;
    for (int64_t k = 0; k < COUNT; ++k) {
        const mat_t x = nearly_orthogonal(m, n, exponent[k], k == TWINS);
        for (int64_t j = 0; j < n; ++j)
            memcpy(&AT(mats_at(X, k), 0, j), &AT(x, 0, j),
                   (size_t)m * sizeof(scalar_t));
    }
    const mats_t dX = mats_to_backend(X);
    set_left(&s, left, COUNT);
    ck_assert_ok(table()->batch_gemm(on(handle), 'C', dX, dX, dC));
    ck_assert_ok(
        table()->batch_angles(on(handle), dC, none, 0, (real_t)0.1, 0, &s));
    ck_assert_ok(table()->batch_turns(on(handle), dC, none, none, none,
                                      LAST_TURN, &s, dP));
    ck_assert_ok(table()->batch_gemm(on(handle), 'N', dX, dP, dY));
    const mats_t Y = mats_from_backend(dY);
    const real_t *const cosine = from_backend_real(s.cosine, COUNT);
    for (int64_t k = 0; k < COUNT; ++k) {
        const double before = largest_cosine(mats_at(X, k));
        const double after = largest_cosine(mats_at(Y, k));
        const double said = (double)cosine[k];
        ck_assert_msg(after <= said + rounding, "%d: %g, not %g", (int)k, after,
                      said);
        if (k < TWINS)
            ck_assert_msg(said <= 1e-4 * before + rounding, "%d: %g of %g",
                          (int)k, said, before);
        else if (n > 1 && k == TWINS)
            ck_assert(after > rounding / LIMIT && said > rounding / LIMIT);
        else if (n > 1 && k == SCALED)
            ck_assert(after > before / 4);
    }
}
END_TEST

/* A step with the E of a V that is not unitary, below its diagonal: X (I + T + H) has orthogonal
 * columns and V (I + T + H) is unitary, both to second order; of two of equal lengths, too, which
 * have no angle.  Where the second order is below rounding, so are the cosines. */
START_TEST(polished_turn)
{
    const int rounds = _i % 2;
    const int e = rounds ? (GSVD_SINGLE ? 21 : 45) : GSVD_SINGLE ? 11 : 24;
    const int64_t n = order[_i / 2], m = n + 9;
    const double rounding = 4 * sqrt((double)m) * GSVD_ULP;
    const real_t least = rounds ? (real_t)rounding : 0;
    static const int left[COUNT];
    const steps_batch_t s = new_state(COUNT, n);
    const mats_t X = new_mats(COUNT, m, n), V = new_mats(COUNT, n, n);
    const mats_t none = {0};
    seed = 1100 + (uint64_t)_i; /* whatever tests ran before                 */
    for (int64_t k = 0; k < COUNT; ++k) {
        const mat_t A = nearly_orthogonal(m, n, 100, k == 1);
        const mat_t v = mats_at(V, k), N = normal_mat(n, n, &seed);
        EACH_ENTRY (N, i, j)
            AT(v, i, j) =
                add(make(i == j, 0), scale(ldexp_r(1, -e), AT(N, i, j)));
        gemm('N', 'N', 1, A, v, 0, mats_at(X, k));
    }
    const mats_t dX = mats_to_backend(X), dV = mats_to_backend(V),
                 dC = mats_to_backend(new_mats(COUNT, n, n)),
                 dE = mats_to_backend(new_mats(COUNT, n, n)),
                 dP = mats_to_backend(new_mats(COUNT, n, n)),
                 dY = mats_to_backend(X);
    set_left(&s, left, COUNT);
    ck_assert_ok(table()->batch_gram(on(handle), 1, dX, dC));
    ck_assert_ok(table()->batch_gemm(on(handle), 'C', dV, dV, dE));
    const mats_t E = mats_from_backend(dE);
    for (int64_t k = 0; k < COUNT; ++k)
        for (int64_t j = 0; j < n; ++j)
            for (int64_t i = 0; i < j; ++i)
                AT(mats_at(E, k), i, j) = make(7, 0);
    put(dE.data, E.data, bytes_of(E));
    ck_assert_ok(
        table()->batch_angles(on(handle), dC, dE, least, (real_t)0.1, 0, &s));
    ck_assert_ok(
        table()->batch_turns(on(handle), dC, none, none, dE, 1, &s, dP));
    ck_assert_ok(table()->batch_gemm(on(handle), 'N', dX, dP, dY));
    const mats_t Y = mats_from_backend(dY), P = mats_from_backend(dP);
    const real_t *const said = from_backend_real(s.cosine, COUNT);
    for (int64_t k = 0; k < COUNT; ++k) {
        const mat_t W = product('N', 'N', mats_at(V, k), mats_at(P, k));
        const double first = ldexp((double)n, -e);
        const double second = first * ldexp(1, -e) + (double)n * GSVD_ULP;
        const double cosine = largest_cosine(mats_at(Y, k));
        ck_assert_close(product('C', 'N', W, W), identity_mat(n, n),
                        200 * sqrt((double)n) * second, "V");
        /* Lengths are 128 apart. */
        ck_assert_msg(cosine <= 16 * 128 * second, "%d: cosine %g, bound %g",
                      (int)k, cosine, 16 * 128 * second);
        ck_assert_msg(cosine <= (double)said[k] + rounding,
                      "%d: cosine %g, said %g", (int)k, cosine, said[k]);
        ck_assert(!rounds || (double)said[k] <= 128 * second);
    }
}
END_TEST

/* The last step is for the matrices that are open: the first has a small cosine, the second is
 * left, and of the third T is 0. */
START_TEST(open_matrices)
{
    enum { NO_T = 2, OPEN = 3 };
    static const real_t cosine[COUNT] = {(real_t)0.1, 1, 1, (real_t)0.2,
                                         (real_t)NAN};
    static const int left[COUNT] = {0, LEFT_TO_JACOBI, 0, 0, 0};
    const real_t enough = (real_t)0.1;
    const int64_t n = order[_i], m = n + 9;
    const double rounding = LIMIT * sqrt((double)m) * (double)m * GSVD_ULP;
    const steps_batch_t s = new_state(COUNT, n);
    const mats_t X = new_mats(COUNT, m, n), C = new_mats(COUNT, n, n),
                 none = {0};
    for (int64_t k = 0; k < COUNT; ++k) {
        const mat_t x =
            k == NO_T ? identity_mat(m, n) : nearly_orthogonal(m, n, 7, 0);
        for (int64_t j = 0; j < n; ++j)
            memcpy(&AT(mats_at(X, k), 0, j), &AT(x, 0, j),
                   (size_t)m * sizeof(scalar_t));
    }
    fill_mats(C, make_normal);
    const mats_t dX = mats_to_backend(X), dC = mats_to_backend(C);
    const mats_t dW = mats_to_backend(new_mats(COUNT, m, n));
    set_left(&s, left, COUNT);
    put(s.cosine, cosine, sizeof cosine);
    ck_assert_ok(table()->batch_gram_open(on(handle), dX, &s, enough, dC));
    const mats_t G = mats_from_backend(dC);
    ck_assert_ok(table()->batch_angles(on(handle), dC, none, (real_t)0.002,
                                       (real_t)0.02, enough, &s));
    const mats_t T = mats_from_backend(dC);
    const real_t *const bound = from_backend_real(s.bound, COUNT);
    const real_t *const now = from_backend_real(s.cosine, COUNT);
    ck_assert_ok(
        table()->batch_turn_open(on(handle), dC, LAST_TURN, &s, dX, dW));
    const mats_t Y = mats_from_backend(dX);
    for (int64_t k = 0; k < COUNT; ++k) {
        const mat_t x = mats_at(X, k), g = mats_at(G, k);
        if (k < NO_T) {
            ck_assert_same(g, mats_at(C, k));
            ck_assert_same(mats_at(T, k), mats_at(C, k));
            ck_assert(bound[k] == 0 && now[k] == cosine[k]);
            ck_assert_same(mats_at(Y, k), x);
            continue;
        }
        const mat_t c = product('C', 'N', x, x);
        for (int64_t j = 0; j < n; ++j)
            for (int64_t i = j; i < n; ++i)
                ck_assert(abs_of(sub(AT(g, i, j), AT(c, i, j))) <= rounding);
        ck_assert(n == 1 || (bound[k] > 0) == (k >= OPEN));
        const mat_t P = identity_mat(n, n);
        const real_t t = step_scale(bound[k], LAST_TURN);
        EACH_ENTRY (P, i, j)
            AT(P, i, j) = add(AT(P, i, j), scale(t, AT(mats_at(T, k), i, j)));
        ck_assert_close(mats_at(Y, k), product('N', 'N', x, P), rounding,
                        "X P");
    }
}
END_TEST

/* ---- batches -------------------------------------------------------------------------- */

/* Matrices next to each other in one matrix, so that their padding is checked. */
typedef struct batch {
    int64_t m, n, count;
    mat_t A, U, V; /* as given and as found, all of them                      */
    real_t *sigma;
    int *info;
} batch_t;

static mat_t part(mat_t all, const batch_t *b, int64_t i)
{
    const int64_t cols = all.cols / b->count;
    return mat_cols(all, i * cols, cols);
}

static int64_t values_in(const batch_t *b) { return min_i(b->m, b->n); }

static batch_t new_batch(int64_t count, int64_t m, int64_t n)
{
    return (batch_t){
        .m = m, .n = n, .count = count, .A = new_mat(m, n * count)};
}

static void set_problem(const batch_t *b, int64_t i, mat_t A)
{
    const mat_t to = part(b->A, b, i);
    for (int64_t j = 0; j < b->n; ++j)
        for (int64_t k = 0; k < b->m; ++k)
            AT(to, k, j) = A.rows == b->m ? AT(A, k, j) : conj_of(AT(A, j, k));
}

typedef struct options {
    int u, v;      /* Are vectors wanted?                                     */
    int sweeps;    /* of Jacobi at most; -1: as many as there are             */
    int64_t bytes; /* the tuning's; -1: as it is                              */
    double loose;  /* the bound of cosines; 0: the default                    */
} options_t;
static const options_t plain = {1, 1, -1, -1, 0};

/* so many bytes as a call gives them to a primitive */
static void *aligned(size_t bytes)
{
    enum { ALIGN = 256 };
    char *const memory = grab_backend(bytes + ALIGN);
    return memory + (ALIGN - (uintptr_t)memory % ALIGN) % ALIGN;
}

/* Copies of the matrices, and room for the results, where the handle computes */
typedef struct there {
    mat_t U, V;
    svd_batch_t s;
} there_t;

static there_t to_there(const batch_t *b, options_t o)
{
    const int64_t k = values_in(b), count = b->count;
    const mat_t A = to_backend(copy_mat(b->A));
    const mat_t U = to_backend(new_mat(b->m, k * count));
    const mat_t V = to_backend(new_mat(b->n, k * count));
    const svd_batch_t s = {
        .count = count,
        .m = b->m,
        .n = b->n,
        .A = {A.data, NULL, A.ld * b->n, A.ld, NULL},
        .U = {o.u ? U.data : NULL, NULL, U.ld * k, U.ld, NULL},
        .V = {o.v ? V.data : NULL, NULL, V.ld * k, V.ld, NULL},
        .u_cols = o.u ? k : 0,
        .v_cols = o.v ? k : 0,
        .sigma = {grab_backend((size_t)(k * count) * sizeof(real_t)), NULL, k},
        .info = grab_backend((size_t)count * sizeof(int)),
        .illegal_A = -5};
    return (there_t){U, V, s};
}

static void from_there(const there_t *t, batch_t *b)
{
    b->sigma = from_backend_real(t->s.sigma.data, values_in(b) * b->count);
    b->info = from_backend_int(t->s.info, b->count);
    b->U = from_backend(t->U);
    b->V = from_backend(t->V);
}

/* Solves copies of the matrices by large steps, in as much work as it asks for. */
static void solve_batch(batch_t *b, options_t o)
{
    const there_t there = to_there(b, o);
    const svd_batch_t *const s = &there.s;
    exec_t ex = *on(handle);
    tuning_t tune = *ex.tune;

    ex.policy.force[0] = (forced_t){X(svd_solvers_cpu).name, "large steps"};
    ex.policy.max_sweeps = o.sweeps >= 0 ? o.sweeps : ex.policy.max_sweeps;
    ex.policy.tol_jacobi = o.loose > 0 ? o.loose : ex.policy.tol_jacobi;
    tune.batch_bytes = o.bytes >= 0 ? o.bytes : tune.batch_bytes;
    ex.tune = &tune;
    const task_t t = task_of_svd_batch(s);
    const solver_t *const by = choose_solver(table()->svd_solvers, &ex, &t);
    ck_assert_str_eq(by->name, "large steps");
    const size_t bytes = by->bytes(&ex, &t);
    ex.work = gsvd_arena_over(aligned(bytes), bytes);
    ck_assert_ok(by->run(&ex, &t));
    from_there(&there, b);
}

static void check_factors(const batch_t *b, int64_t i, const char *what)
{
    const real_t *const sigma = b->sigma + i * values_in(b);
    const mat_t U = part(b->U, b, i), V = part(b->V, b, i);
    const double ratio[] = {svd_residual(part(b->A, b, i), U, sigma, V),
                            defect(U), defect(V)};
    for (int k = 0; k < 3; ++k)
        ck_assert_msg(ratio[k] < LIMIT, "%s, %ld x %ld, ratio %d: %g", what,
                      (long)b->m, (long)b->n, k, ratio[k]);
    for (int64_t j = 1; j < values_in(b); ++j)
        ck_assert(sigma[j] <= sigma[j - 1]);
}

/* Each value within 30 n eps of Jacobi's in extended precision, relative to itself, or to the
 * largest one */
static void check_values(const batch_t *b, int64_t i, int relative,
                         const char *what)
{
    const int64_t n = values_in(b);
    const wide_t *const right = wide_values_by_jacobi(part(b->A, b, i));

    for (int64_t j = 0; j < n; ++j) {
        const wide_t size = relative ? right[j] : right[0];
        const wide_t off = fabsl(b->sigma[i * n + j] - right[j]);
        ck_assert_msg(off <= 30 * (wide_t)n * GSVD_EPS * size,
                      "%s, %ld x %ld, value %ld: %Lg, not %Lg", what,
                      (long)b->m, (long)b->n, (long)j,
                      (wide_t)b->sigma[i * n + j], right[j]);
    }
}

/* ---- the end -------------------------------------------------------------------------- */

/* 1, 7/8, 6/8, 5/8, 1/2, 7/16, ...: no two are alike once they are stretched. */
static real_t value_of(int64_t j)
{
    return ldexp_r(1 - (real_t)(j % 4) / 8, -(int)(j / 4));
}

/* Column j of A times 1 + (j mod 3) / 64 and 2^e */
static void stretch_columns(mat_t A, int e)
{
    EACH_ENTRY (A, i, j)
        AT(A, i, j) = scale(ldexp_r(1 + (real_t)(j % 3) / 64, e), AT(A, i, j));
}

/* X and V with columns off from what they should be, in length and by the same factors, have the
 * results of those that are not; with sweeps and without. */
START_TEST(finish)
{
    enum { EXPONENT = 3 };
    static const int left[COUNT] = {0, LEFT_TO_JACOBI, 0, LEFT_TO_JACOBI, 0};
    const int64_t n = order[_i], m = n + 9;
    batch_t b = new_batch(COUNT, m, n);
    const mats_t X = new_mats(COUNT, m, n), V = new_mats(COUNT, n, n);
    const steps_batch_t s = new_state(COUNT, n);
    real_t *const column = grab((size_t)(COUNT * n) * sizeof *column);
    real_t none[COUNT] = {0};
    int exponent[COUNT];
    fill_mats(V, make_unitary);
    for (int64_t k = 0; k < COUNT; ++k) {
        const mat_t x = mats_at(X, k), U = random_unitary(m, &seed);
        for (int64_t j = 0; j < n; ++j)
            for (int64_t i = 0; i < m; ++i)
                AT(x, i, j) = scale(value_of(j), AT(U, i, j));
        set_problem(&b, k, product('N', 'C', x, mats_at(V, k)));
        for (int64_t j = 0; j < n; ++j)
            column[k * n + j] = 1 << EXPONENT;
        stretch_columns(x, EXPONENT);
        stretch_columns(mats_at(V, k), 0);
        exponent[k] = EXPONENT;
    }
    const mats_t dX = mats_to_backend(X), dV = mats_to_backend(V);
    const there_t there = to_there(&b, plain);
    set_left(&s, left, COUNT);
    put(s.exponent, exponent, sizeof exponent);
    put(s.cosine, none, sizeof none);
    put(s.column, column, (size_t)(COUNT * n) * sizeof *column);
    ck_assert_ok(table()->batch_finish(on(handle), &there.s, dX, dV,
                                       jacobi_tolerance(-1, m), &s));
    from_there(&there, &b);
    for (int64_t k = 0; k < COUNT; ++k) {
        ck_assert_int_eq(b.info[k], 0);
        check_factors(&b, k, "finish");
        for (int64_t j = 0; j < n; ++j)
            ck_assert(fabs_r(b.sigma[k * n + j] - value_of(j)) <=
                      LIMIT * (real_t)m * GSVD_ULP * value_of(j));
    }
}
END_TEST

/* ---- families ------------------------------------------------------------------------- */

typedef enum kind {
    NORMALLY,
    CLUSTERS, /* 1 and 1/2, each half of the values                       */
    EQUAL,    /* a unitary matrix                                         */
    CONDITION_6, /* values 1 to 1e-6, 1e-2 in single precision, geometrically; on a GPU
                    to 1e-5, whose eigenvectors have errors of n eps */
    CONDITION_12, /* ... to 1e-12, 1e-6: too much for two steps               */
    APART,        /* columns 2^-20 to 2^20                                    */
    ROWS, /* rows 2^-40 to 2^40, single 2^16                                       */
    LOW_RANK, /* an eighth of n                                           */
    ONE_ZERO, /* a column of zeros                                        */
    ALL_ZERO,
    NEAR_MOST, /* entries near the largest number                            */
    NEAR_LEAST,
    KINDS
} kind_t;
static const char *const kind_name[KINDS] = {
    "normal", "clusters", "equal",    "1e6",  "1e12",      "apart",
    "rows",   "rank",     "one zero", "zero", "near most", "near least"};

static double halves(double x) { return x < 0.5 ? 1 : 0.5; }
static double ones(double x) { return (void)x, 1; }
static double to_6(double x)
{
    return pow(10, GSVD_SINGLE ? -2 * x : on_device ? -5 * x : -6 * x);
}
static double to_12(double x)
{
    return pow(10, GSVD_SINGLE ? -6 * x : -12 * x);
}
static double to_8th(double x) { return x < 0.125 ? 1 - x : 0; }

/* rows >= cols */
static mat_t make_kind(kind_t what, int64_t m, int64_t n)
{
    static double (*const rule[KINDS])(double) = {
        [CLUSTERS] = halves,    [EQUAL] = ones,    [CONDITION_6] = to_6,
        [CONDITION_12] = to_12, [ROWS] = to_tenth, [LOW_RANK] = to_8th};
    const int far = GSVD_SINGLE ? 118 : 1014;
    mat_t A = what == ROWS ? with_values(m, n, to_tenth, &seed_of_rows)
              : rule[what] ? with_values(m, n, rule[what], &seed)
                           : normal_mat(m, n, &seed);
    const int e = what == NEAR_MOST ? far : what == NEAR_LEAST ? -far : 0;
    if (what == APART)
        scale_columns(A, 20, &seed);
    if (what == ROWS)
        scale_rows(A, GSVD_SINGLE ? 16 : 40, &seed_of_rows);
    for (int64_t j = 0; j < n; ++j)
        for (int64_t i = 0; i < m; ++i) {
            const scalar_t a = AT(A, i, j);
            const int zero =
                what == ALL_ZERO || (what == ONE_ZERO && j == n / 2);
            AT(A, i, j) =
                zero ? make(0, 0) : make(ldexp_r(re(a), e), ldexp_r(im(a), e));
        }
    return A;
}

/* ---- the solver ----------------------------------------------------------------------- */

static const int shape_of_batch[][2] = {{65, 65}, {128, 128}, {70, 66},
                                        {66, 90}, {300, 65},  {1, 1},
                                        {5, 3},   {33, 100},  {200, 200}};
enum { SHAPES = sizeof shape_of_batch / sizeof *shape_of_batch };

/* Each value within 30 n eps of the single routine's, relative to itself */
static void check_rows_values(const batch_t *b, int64_t i)
{
    const mat_t A = copy_mat(part(b->A, b, i));
    const int64_t n = values_in(b);
    real_t *const right = grab((size_t)n * sizeof *right);
    int info;
    ck_assert_ok(X(svd)(handle, 'N', 'N', A.rows, A.cols, A.data, A.ld, right,
                        NULL, 1, NULL, 1, &info));
    for (int64_t j = 0; j < n; ++j)
        ck_assert_msg(fabs_r(b->sigma[i * n + j] - right[j]) <=
                          30 * (real_t)n * GSVD_EPS * right[j],
                      "rows, %ld x %ld, value %ld: %g, not %g", (long)b->m,
                      (long)b->n, (long)j, (double)b->sigma[i * n + j],
                      (double)right[j]);
}

/* All families side by side: LAPACK's ratios */
START_TEST(factors)
{
    const int64_t m = shape_of_batch[_i][0], n = shape_of_batch[_i][1];
    if (too_large(m, n, 0) && _i > 0)
        return;
    batch_t b = new_batch(KINDS, m, n);
    for (int64_t i = 0; i < KINDS; ++i)
        set_problem(&b, i, make_kind((kind_t)i, max_i(m, n), min_i(m, n)));
    solve_batch(&b, plain);
    for (int64_t i = 0; i < KINDS; ++i) {
        ck_assert_msg(b.info[i] == 0, "%s: info %d", kind_name[i], b.info[i]);
        check_factors(&b, i, kind_name[i]);
        if (i == ROWS)
            check_rows_values(&b, i);
    }
}
END_TEST

/* Values against extended precision; relative to themselves where columns are but scaled */
START_TEST(values)
{
    const kind_t what = (kind_t)_i;
    batch_t b = new_batch(1, 70, 65);
    if (quick > 1)
        return;
    set_problem(&b, 0, make_kind(what, 70, 65));
    solve_batch(&b, plain);
    ck_assert_int_eq(b.info[0], 0);
    check_values(&b, 0, what == APART || what == EQUAL || what == CLUSTERS,
                 kind_name[what]);
}
END_TEST

/* Without any sweep of Jacobi: normal matrices, and conditions up to 1e6 (1e2), need none; those
 * that large steps are not for say so. */
START_TEST(no_sweeps)
{
    static const kind_t what[] = {NORMALLY, CONDITION_6, NORMALLY, CONDITION_12,
                                  APART,    ONE_ZERO,    NORMALLY};
    enum { MANY = sizeof what / sizeof *what };
    const int64_t n = _i ? 128 : 65, m = n + (_i ? 0 : 30);
    options_t o = plain;
    batch_t b = new_batch(MANY, m, n);
    if (too_large(m, n, 0) && _i > 0)
        return;
    for (int64_t i = 0; i < MANY; ++i)
        set_problem(&b, i, make_kind(what[i], m, n));
    o.sweeps = 0;
    solve_batch(&b, o);
    for (int64_t i = 0; i < MANY; ++i) {
        const int left = what[i] != NORMALLY && what[i] != CONDITION_6;
        ck_assert_msg(b.info[i] == left, "%s: info %d", kind_name[what[i]],
                      b.info[i]);
        if (!left)
            check_factors(&b, i, kind_name[what[i]]);
    }
}
END_TEST

/* A caller who takes larger cosines for small does not take small values for errors, however many
 * sweeps there are.  (Values next to rounding are no values in single precision.) */
START_TEST(loose_cosines)
{
    const int64_t n = 300;
    options_t o = plain;
    batch_t b = new_batch(1, n, n);
    if (too_large(n, n, 0) || GSVD_SINGLE)
        return;
    set_problem(&b, 0, make_kind(CONDITION_12, n, n));
    o.loose = _i ? 1e-10 : 1e-6;
    solve_batch(&b, o);
    ck_assert_int_eq(b.info[0], 0);
    for (int64_t j = 0; j < n; ++j) {
        const double value = to_12((double)j / (double)(n - 1));
        ck_assert_msg(fabs(b.sigma[j] / value - 1) < 0.05,
                      "value %ld: %g of %g", (long)j, (double)b.sigma[j],
                      value);
    }
}
END_TEST

/* Fewer results, and fewer matrices at a time, are no other results; of a device they may be
 * rounded otherwise. */
START_TEST(fewer)
{
    static const options_t other[] = {{0, 0, -1, -1, 0},
                                      {1, 0, -1, -1, 0},
                                      {0, 1, -1, -1, 0},
                                      {1, 1, -1, 0, 0}};
    const options_t o = other[_i];
    batch_t b = new_batch(7, 80, 66);
    for (int64_t i = 0; i < b.count; ++i)
        set_problem(&b, i,
                    make_kind(i == 3   ? APART
                              : i == 5 ? ROWS
                                       : NORMALLY,
                              80, 66));
    batch_t c = b;
    solve_batch(&b, plain);
    solve_batch(&c, o);
    for (int64_t i = 0; i < b.count; ++i) {
        ck_assert_int_eq(c.info[i], 0);
        for (int64_t j = 0; j < 66; ++j)
            ck_assert(fabs_r(b.sigma[i * 66 + j] - c.sigma[i * 66 + j]) <=
                      (on_device ? 30 * 66 * GSVD_EPS * b.sigma[i * 66] : 0));
        if (o.u && o.v)
            check_factors(&c, i, "in parts");
        if (o.u && !on_device)
            ck_assert_same(part(c.U, &c, i), part(b.U, &b, i));
        if (o.v && !on_device)
            ck_assert_same(part(c.V, &c, i), part(b.V, &b, i));
    }
    if (!o.u)
        ck_assert(isnan(re(AT(c.U, 0, 0))));
    if (!o.v)
        ck_assert(isnan(re(AT(c.V, 0, 0))));
}
END_TEST

/* In another order, in parts of a few: the same bits where as many are solved at a time */
START_TEST(places)
{
    const options_t few = {1, 1, -1, _i ? 0 : -1, 0};
    batch_t b = new_batch(7, 70, 66), c = new_batch(7, 70, 66);
    for (int64_t i = 0; i < b.count; ++i) {
        const mat_t A = make_kind(i == 3   ? APART
                                  : i == 5 ? ROWS
                                           : NORMALLY,
                                  70, 66);
        set_problem(&b, i, A);
        set_problem(&c, b.count - 1 - i, A);
    }
    solve_batch(&b, few);
    solve_batch(&c, few);
    for (int64_t i = 0; i < b.count; ++i) {
        const int64_t k = b.count - 1 - i;
        ck_assert_mem_eq(b.sigma + i * 66, c.sigma + k * 66,
                         66 * sizeof *b.sigma);
        ck_assert_same(part(b.U, &b, i), part(c.U, &c, k));
        ck_assert_same(part(b.V, &b, i), part(c.V, &c, k));
    }
}
END_TEST

/* A NaN is told in the info of its problem, and seen by no other. */
START_TEST(not_finite)
{
    batch_t b = new_batch(4, 66, 66), clean;
    for (int64_t i = 0; i < b.count; ++i)
        set_problem(&b, i, make_kind(NORMALLY, 66, 66));
    clean = b;
    clean.A = copy_mat(b.A);
    AT(part(b.A, &b, 2), 65, 3) = make(0, 0);
    AT(part(b.A, &b, 2), 5, 65) = make((real_t)(_i ? INFINITY : NAN), 0);
    solve_batch(&b, plain);
    solve_batch(&clean, plain);
    for (int64_t i = 0; i < b.count; ++i) {
        ck_assert_int_eq(b.info[i], i == 2 ? -5 : 0);
        if (i == 2) {
            ck_assert(isnan(b.sigma[i * 66]) && isnan(b.sigma[i * 66 + 65]));
            ck_assert(isnan(re(AT(part(b.U, &b, i), 65, 65))));
            ck_assert(isnan(re(AT(part(b.V, &b, i), 0, 65))));
            continue;
        }
        ck_assert_mem_eq(b.sigma + i * 66, clean.sigma + i * 66,
                         66 * sizeof *b.sigma);
        ck_assert_same(part(b.U, &b, i), part(clean.U, &b, i));
    }
}
END_TEST

/* The tuning takes large steps from so many columns on, and not at all where that is 0. */
START_TEST(choice)
{
    exec_t ex = *on(handle);
    tuning_t tune = *ex.tune;
    svd_batch_t s = {.count = 3, .m = 600, .n = 80};
    const task_t t = task_of_svd_batch(&s);
    ex.tune = &tune;
    tune.batch_large_steps = 0;
    ck_assert(!X(svd_large_steps_wanted)(&ex, &t));
    tune.batch_large_steps = 80;
    ck_assert(X(svd_large_steps_wanted)(&ex, &t));
    ck_assert_uint_eq(chosen_bytes(table()->svd_solvers, &ex, &t, 0),
                      X(svd_large_steps_bytes)(&ex, &t));
    tune.batch_large_steps = 81;
    ck_assert(!X(svd_large_steps_wanted)(&ex, &t));
    s.with_signs = 1;
    ck_assert(!X(svd_large_steps_apply)(&ex, &t));
}
END_TEST

Suite *make_suite(void)
{
    Suite *s = suite_create("batched_steps");
    TCase *t = add_tcase(s, "primitives");
    tcase_add_loop_test(t, load, 0, 2 * ORDERS);
    tcase_add_loop_test(t, products, 0, ORDERS);
    tcase_add_loop_test(t, eigenvectors, 0, ORDERS);
    tcase_add_loop_test(t, unitary, 0, ORDERS);
    tcase_add_loop_test(t, angles, 0, ORDERS);
    tcase_add_loop_test(t, turns, 0, ORDERS);
    tcase_add_loop_test(t, after_a_turn, 0, ORDERS);
    tcase_add_loop_test(t, polished_turn, 0, 2 * ORDERS);
    tcase_add_loop_test(t, open_matrices, 0, ORDERS);
    tcase_add_loop_test(t, finish, 0,
                        ORDERS - 1); /* 2^-64 has no square.     */
    t = add_tcase(s, "solver");
    tcase_add_loop_test(t, factors, 0, SHAPES);
    tcase_add_loop_test(t, values, 0, KINDS);
    tcase_add_loop_test(t, no_sweeps, 0, 2);
    tcase_add_loop_test(t, loose_cosines, 0, 2);
    tcase_add_loop_test(t, fewer, 0, 4);
    tcase_add_loop_test(t, places, 0, 2);
    tcase_add_loop_test(t, not_finite, 0, 2);
    tcase_add_test(t, choice);
    return s;
}
