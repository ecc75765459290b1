/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* test_pivot_twins.c -- the primitives of pivoted QR, CUDA against its CPU twin
 * on one input. */
#include "harness/primitive.h"
#include "pivot/pivot.h"

/* around a warp, a panel, one group of a tournament and several */
static const int width[] = {1,   2,   5,   31,  32,  33,  64,   65,   255,
                            256, 257, 300, 511, 512, 513, 1000, 2049, 5000};
enum { WIDTHS = sizeof width / sizeof *width };

static uint64_t seed = 11;

static int *count(int64_t n)
{
    int *x = grab((size_t)n * sizeof *x);
    for (int64_t i = 0; i < n; ++i)
        x[i] = (int)i;
    return x;
}

/* b different numbers below n */
static int *draw(int64_t n, int64_t b)
{
    int *x = count(n);
    for (int64_t i = 0; i < b; ++i) {
        const int64_t j = i + random_below(&seed, n - i);
        const int t = x[i];
        x[i] = x[j];
        x[j] = t;
    }
    return x;
}

START_TEST(gaussian)
{
    for (int rows = 1; rows <= SKETCH_ROWS; rows += 13) {
        mat_t W = new_mat(rows, width[_i]), dW = to_backend(W);
        CALL_TWIN(gaussian, W, 77);
        CALL(gaussian, dW, 77);
        ck_assert(distance(from_backend(dW), W) <= 32 * GSVD_ULP);
        ck_assert_padding(W);
    }
}
END_TEST

START_TEST(pivots_to_front)
{
    static const int rows[] = {0, 1, 31, 32, 33, 300};
    const int64_t n = width[_i];
    for (int k = 0; k < 6; ++k)
        for (int full = 0; full < 2; ++full) {
            const int64_t b = min_i(n, full ? PIVOT_WIDTH : 5);
            mat_t A = random_mat(rows[k], n, &seed), dA = to_backend(A);
            /* some of the first columns among the winners, or anything       */
            const int *winners = draw(k % 2 ? n : min_i(n, b + 3), b);
            int *perm = draw(n, n), *dperm = to_backend_int(perm, n);

            CALL_TWIN(pivots_to_front, A, b, winners, perm);
            CALL(pivots_to_front, dA, b, to_backend_int(winners, b), dperm);
            ck_assert_same(from_backend(dA), A);
            ck_assert_mem_eq(from_backend_int(dperm, n), perm,
                             (size_t)n * sizeof *perm);
        }
}
END_TEST

/* |R(i,i)| of S(:,winners), their product as a sum of logarithms */
static double volume(mat_t S, const int *winners, int64_t b)
{
    mat_t C = new_mat(S.rows, b);
    double sum = 0;
    for (int64_t j = 0; j < b; ++j) {
        ck_assert(winners[j] >= 0 && winners[j] < S.cols);
        for (int64_t i = 0; i < j; ++i)
            ck_assert_int_ne(winners[i], winners[j]);
        for (int64_t i = 0; i < S.rows; ++i)
            AT(C, i, j) = AT(S, i, winners[j]);
    }
    for (int64_t j = 0; j < b; ++j) { /* Gram and Schmidt, twice             */
        for (int pass = 0; pass < 2; ++pass)
            for (int64_t k = 0; k < j; ++k) {
                scalar_t dot = make(0, 0);
                for (int64_t i = 0; i < C.rows; ++i)
                    dot = add(dot, mul(conj_of(AT(C, i, k)), AT(C, i, j)));
                for (int64_t i = 0; i < C.rows; ++i)
                    AT(C, i, j) = sub(AT(C, i, j), mul(dot, AT(C, i, k)));
            }
        double square = 0;
        for (int64_t i = 0; i < C.rows; ++i)
            square += pow((double)abs_of(AT(C, i, j)), 2);
        sum += log(fmax(sqrt(square), 1e-300));
        scale_column(C, j, 1 / sqrt(square));
    }
    return sum;
}

/* Of S's columns b, the longest first, each time what is left of them, with no groups:
 * what a tournament is an approximation of */
static int *greedy(mat_t S, int64_t b)
{
    mat_t C = copy_mat(S);
    int *winners = grab((size_t)b * sizeof *winners);
    for (int64_t k = 0; k < b; ++k) {
        int64_t best = 0;
        double most = -1;
        for (int64_t j = 0; j < C.cols; ++j) {
            double square = 0;
            for (int64_t i = 0; i < C.rows; ++i)
                square += pow((double)re(AT(C, i, j)), 2) +
                          pow((double)im(AT(C, i, j)), 2);
            for (int64_t i = 0; i < k; ++i)
                square = winners[i] == j ? -1 : square;
            best = square > most ? j : best;
            most = fmax(most, square);
        }
        winners[k] = (int)best;
        for (int64_t j = 0; j < C.cols; ++j) {
            scalar_t dot = make(0, 0);
            for (int64_t i = 0; i < C.rows && j != best; ++i)
                dot = add(dot, mul(conj_of(AT(C, i, best)), AT(C, i, j)));
            dot = scale((real_t)(1 / most), dot);
            for (int64_t i = 0; i < C.rows && j != best; ++i)
                AT(C, i, j) = sub(AT(C, i, j), mul(dot, AT(C, i, best)));
        }
    }
    return winners;
}

static void multiply_all(mat_t S, double factor)
{
    EACH_ENTRY (S, i, j)
        AT(S, i, j) = scale((real_t)factor, AT(S, i, j));
}

/* What the winners span is, of random columns, nearly what the greedy choice spans: a
 * factor of 1.01 a column, in the mean, where there is one group, and of 1.06 where
 * there are several.  (A program that did as both twins do on 144 matrices had
 * 1.004 and 1.04 at most.)  The first is the longest of all up to 0.05 percent a round,
 * the resolution of CUDA's comparison. */
START_TEST(tournament)
{
    static const int far[] = {0, 1, -1};
    const int64_t n = width[_i];
    for (int k = 0; k < 3; ++k) {
        const int64_t b = min_i(n, k == 1 ? 7 : PIVOT_WIDTH);
        const double each = log(n <= 256 ? 1.01 : 1.06);
        const mat_t S = random_mat(SKETCH_ROWS, n, &seed), T = copy_mat(S);
        if (n > 300 && left_out(_i + k, 7))
            continue;
        multiply_all(T, pow(10, decimal(100 * far[k])));
        int *winners = grab((size_t)b * sizeof *winners);
        int *dwinners = grab_backend((size_t)b * sizeof *winners);
        CALL(tournament, to_backend(T), b, dwinners);
        CALL_TWIN(tournament, T, b, winners);
        const int *who[] = {winners, from_backend_int(dwinners, b)};
        const int *const best = greedy(S, b);
        for (int w = 0; w < 2; ++w) {
            const double d = volume(S, who[w], b) - volume(S, best, b);
            ck_assert_msg(fabs(d) <= (double)b * each + 1e-4,
                          "%s, %ld columns: exp(%g) a column",
                          w ? "cuda" : "cpu", (long)n, d / (double)b);
            ck_assert(volume(S, who[w], 1) >= volume(S, best, 1) - 0.002);
        }
        release_pool();
    }
}
END_TEST

/* Columns that win one after the other whatever the groups are: all winners, in their
 * order, on both sides, and as the greedy choice has them.  The others have some
 * columns' directions and are short. */
START_TEST(tournament_of_one_order)
{
    const int64_t n = width[_i];
    for (int64_t b = min_i(n, PIVOT_WIDTH); b > 0; b = b > 7 ? 7 : 0) {
        int *order = grab((size_t)n * sizeof *order);
        const mat_t S =
            pivoted_mat(SKETCH_ROWS, n, b, pow(0.8, (double)b), order, &seed);
        int *winners = grab((size_t)b * sizeof *winners);
        int *dwinners = grab_backend((size_t)b * sizeof *winners);
        if (n > 300 && left_out(_i, 7))
            continue;
        for (int64_t j = b; j < n; ++j)
            for (int64_t i = 0; i < S.rows; ++i)
                AT(S, i, order[j]) = scale((real_t)(0.5 * pow(0.8, (double)b)),
                                           AT(S, i, order[j]));
        CALL_TWIN(tournament, S, b, winners);
        CALL(tournament, to_backend(S), b, dwinners);
        const size_t bytes = (size_t)b * sizeof *winners;
        ck_assert_mem_eq(greedy(S, b), order, bytes);
        ck_assert_mem_eq(winners, order, bytes);
        ck_assert_mem_eq(from_backend_int(dwinners, b), order, bytes);
        release_pool();
    }
}
END_TEST

/* two large columns, their copies, and zeros: the large ones win once */
START_TEST(tournament_of_copies)
{
    mat_t S = zero_mat(SKETCH_ROWS, 600);
    int *dwinners = grab_backend(PIVOT_WIDTH * sizeof *dwinners);
    for (int64_t j = 0; j < 600; j += 3) {
        AT(S, j % 2, j) = make((real_t)(2 + j % 2), 0);
        AT(S, 7, j) = make(1, 0);
    }
    CALL(tournament, to_backend(S), PIVOT_WIDTH, dwinners);
    const int *winners = from_backend_int(dwinners, PIVOT_WIDTH);
    for (int i = 0; i < PIVOT_WIDTH; ++i) {
        ck_assert(winners[i] >= 0 && winners[i] < 600);
        for (int j = 0; j < i; ++j)
            ck_assert_int_ne(winners[i], winners[j]);
    }
    ck_assert(winners[0] % 3 == 0 && winners[0] % 2 == 1);
    ck_assert(winners[1] % 3 == 0 && winners[1] % 2 == 0);
}
END_TEST

/* rows below, at and above what blocks and groups of them take; a panel of full
 * width and a smaller one; leading dimensions at which elements can be moved by
 * fours, and others */
static const int pass_rows[] = {1, 16, 37, 61, 300, 1501};
enum { PASS_ROWS = sizeof pass_rows / sizeof *pass_rows };

/* In single precision Omega may be taken as TF32 numbers, of 11 bits: one row of
 * that, and S is as good as C. */
static void round_omega(mat_t Omega)
{
    EACH_ENTRY (Omega, i, j)
        AT(Omega, i, j) = scale(
            (real_t)0x1p-8, make((real_t)random_below(&seed, 1024) - 512, 0));
}

/* |A|_F; the largest |A(i,:)|.  An inner product x^H y is right up to some
 * ulp of |x| |y| however long it is, where rounding is random (Higham 2002, 2.8; three
 * TF32 products leave out 4 ulp): all thresholds here are 8 ulp of such products. */
static double size_of(mat_t A)
{
    double sum = 0;
    EACH_ENTRY (A, i, j)
        sum +=
            pow((double)re(AT(A, i, j)), 2) + pow((double)im(AT(A, i, j)), 2);
    return sqrt(sum);
}
static double longest_row(mat_t A)
{
    double most = 0;
    for (int64_t i = 0; i < A.rows; ++i)
        most = fmax(most, size_of(mat_rows(A, i, 1)));
    return most;
}

START_TEST(project)
{
    const int64_t n = width[_i];
    for (int k = 0; k < PASS_ROWS; ++k)
        for (int full = 0; full < 2; ++full) {
            if (left_out(_i + k + full, 3) || (n > 2000 && pass_rows[k] > 1000))
                continue;
            const int64_t m = pass_rows[k], b = full ? PIVOT_WIDTH : 7;
            const mat_t V = random_mat(m, b, &seed);
            const mat_t T = random_mat(b, b, &seed);
            const mat_t C = random_mat(m, n, &seed), W = new_mat(b, n);
            const mat_t Y = new_mat(b, n), dY = to_backend(Y);

            CALL_TWIN(zero_lower, T);
            CALL_TWIN(project, V, T, C, W, Y);
            CALL(project, to_backend(V), to_backend(T), to_backend(C),
                 to_backend(W), dY);
            ck_assert(distance(from_backend(dY), Y) <=
                      8 * GSVD_ULP * longest(T) * size_of(V) * longest(C));
            ck_assert_padding(Y);
            release_pool();
        }
}
END_TEST

START_TEST(update_sketch)
{
    const int64_t n = width[_i];
    for (int k = 0; k < PASS_ROWS; ++k)
        for (int full = 0; full < 2; ++full) {
            if (left_out(_i + k + full, 3) || (n > 2000 && pass_rows[k] > 1000))
                continue;
            const int64_t m = pass_rows[k], b = full ? PIVOT_WIDTH : 7;
            const int64_t first = min_i(m, full ? PIVOT_WIDTH : 5);
            const mat_t V = random_mat(m, b, &seed);
            const mat_t Y = random_mat(b, n, &seed);
            const int64_t rows = full ? SKETCH_ROWS : 15;
            const mat_t Omega = new_mat(rows + k % 2, max_i(m - first, 1));
            const mat_t C = random_mat(m, n, &seed), dC = to_backend(C);
            const mat_t S = new_mat(rows, n), dS = to_backend(S);

            round_omega(Omega);
            const mat_t W = mat_sub(Omega, 0, 0, rows, m - first);
            const mat_t dW = mat_sub(to_backend(Omega), 0, 0, rows, m - first);
            CALL_TWIN(update_sketch, V, Y, C, first, W, S);
            CALL(update_sketch, to_backend(V), to_backend(Y), dC, first, dW,
                 dS);
            const mat_t D = from_backend(dC);
            ck_assert(distance(D, C) <=
                      8 * GSVD_ULP * (longest_row(V) * longest(Y) + 1));
            ck_assert(distance(from_backend(dS), S) <=
                      8 * GSVD_ULP * longest_row(W) *
                          (size_of(V) * longest(Y) + longest(C)));
            ck_assert_padding(C);
            ck_assert_padding(S);
            release_pool();
        }
}
END_TEST

/* nothing to subtract: C stays as it is, bit for bit */
START_TEST(update_by_nothing)
{
    const int64_t m = 300, n = width[_i];
    const mat_t V = random_mat(m, PIVOT_WIDTH, &seed);
    const mat_t Y = zero_mat(PIVOT_WIDTH, n), S = new_mat(SKETCH_ROWS, n);
    const mat_t Omega = random_mat(SKETCH_ROWS, m - PIVOT_WIDTH, &seed);
    const mat_t C = random_mat(m, n, &seed), dC = to_backend(C);

    CALL(update_sketch, to_backend(V), to_backend(Y), dC, PIVOT_WIDTH,
         to_backend(Omega), to_backend(S));
    ck_assert_same(from_backend(dC), C);
}
END_TEST

/* There is one order: on both sides the same columns come, and R is R up to signs; some
 * ulp of the longest column, which is 1, times the square root of the reflectors. */
START_TEST(pivot_columns)
{
    static const struct {
        int m, n, rank, first, last;
    } c[] = {
        {1, 1, 1, 0, 1},        {5, 9, 5, 0, 5},      {9, 5, 3, 0, 5},
        {70, 60, 60, 0, 60},    {70, 60, 41, 0, 60},  {70, 60, 53, 7, 33},
        {70, 60, 20, 13, 60},   {33, 200, 32, 0, 33}, {200, 33, 33, 0, 33},
        {257, 130, 96, 32, 64}, {90, 90, 0, 0, 90},
    };
    const int64_t m = c[_i].m, n = c[_i].n, rank = c[_i].rank;
    const int64_t first = c[_i].first, end = min_i(c[_i].last, first + rank);
    const real_t tol = (real_t)((double)max_i(m, n) * GSVD_ULP * 100);
    int *order = grab((size_t)n * sizeof *order);
    const mat_t B =
        rank > 0 ? pivoted_mat(m - first, n - first, rank, 0.1, order, &seed)
                 : new_mat(0, 0);
    mat_t A = random_mat(m, n, &seed), dA;
    int *perm = count(n), *dperm = to_backend_int(perm, n);
    scalar_t *tau = grab((size_t)n * sizeof *tau);
    scalar_t *dtau = grab_backend((size_t)n * sizeof *dtau);
    int64_t done = -1, other = -1;

    for (int64_t j = first; j < n; ++j) /* above them are rows of R          */
        for (int64_t i = first; i < m; ++i)
            AT(A, i, j) = rank > 0 ? AT(B, i - first, j - first) : make(0, 0);
    dA = to_backend(A);
    CALL_TWIN(pivot_columns, A, first, c[_i].last, tol, perm, tau, &done);
    CALL(pivot_columns, dA, first, c[_i].last, tol, dperm, dtau, &other);
    ck_assert_int_eq(done, end);
    ck_assert_int_eq(other, end);
    const int *const theirs = from_backend_int(dperm, n);
    for (int64_t j = first; j < end; ++j)
        ck_assert_int_eq(perm[j], order[j - first] + first);
    ck_assert_mem_eq(theirs, perm, (size_t)n * sizeof *perm);
    const mat_t D = from_backend(dA);
    const double bound = LIMIT * sqrt((double)max_i(rank, 1)) * GSVD_ULP;
    for (int64_t j = first; j < n; ++j)
        for (int64_t i = first; i <= min_i(j, end - 1); ++i)
            ck_assert(fabs((double)abs_of(AT(A, i, j)) - abs_of(AT(D, i, j))) <=
                      bound);
}
END_TEST

Suite *make_suite(void)
{
    Suite *s = suite_create("pivot_twins");
    TCase *t = add_tcase(s, "pivot_twins");
    tcase_add_loop_test(t, gaussian, 0, WIDTHS);
    tcase_add_loop_test(t, pivots_to_front, 0, WIDTHS);
    tcase_add_loop_test(t, tournament, 0, WIDTHS);
    tcase_add_loop_test(t, tournament_of_one_order, 0, WIDTHS);
    tcase_add_test(t, tournament_of_copies);
    tcase_add_loop_test(t, project, 0, WIDTHS);
    tcase_add_loop_test(t, update_sketch, 0, WIDTHS);
    tcase_add_loop_test(t, update_by_nothing, 0, WIDTHS);
    tcase_add_loop_test(t, pivot_columns, 0, 11);
    return s;
}
