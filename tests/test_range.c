/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* test_range.c -- both ends of the range of numbers: factors stay unitary where
 * entries are denormal, R is finite or the call says that it is not, and no row
 * that counts for the rank has a zero on R's diagonal. */
#include <stdio.h>

#include "harness/harness.h"

enum {
    BOTTOM = GSVD_SINGLE ? -149 : -1074, /* 2^BOTTOM is the least number     */
    NORMAL_BOTTOM = GSVD_SINGLE ? -126 : -1022,
    TOP = GSVD_SINGLE ? 128 : 1024, /* 2^TOP is too large                    */
};

/* ---- the lower end -------------------------------------------------------- */

typedef enum pattern {
    ONE,      /* entries next to 1                                           */
    LEAST,    /* small multiples of the least number                         */
    DENORMAL, /* up to the least normal number                               */
    BORDER,   /* on both sides of the least normal number                    */
    ROOT,     /* their squares are denormal                                  */
    BY_ROW,   /* one of these a row                                          */
    BY_COLUMN,
    MIXED,  /* one of these an entry                                         */
    LAST,   /* next to 1, but for a denormal last row                        */
    CORNER, /* diag(1, ..., 1, a denormal)                                   */
    PATTERNS
} pattern_t;

static int exponent_of(pattern_t p, int64_t i, int64_t j, int64_t rows,
                       uint64_t *seed)
{
    switch (p) {
    case LEAST: return BOTTOM;
    case DENORMAL:
        return BOTTOM + (int)random_below(seed, NORMAL_BOTTOM - BOTTOM);
    case BORDER: return NORMAL_BOTTOM - 3 + (int)random_below(seed, 6);
    case ROOT: return NORMAL_BOTTOM / 2 - 4 + (int)random_below(seed, 6);
    case BY_ROW: return exponent_of((pattern_t)(i % BY_ROW), i, j, rows, seed);
    case BY_COLUMN:
        return exponent_of((pattern_t)(j % BY_ROW), i, j, rows, seed);
    case MIXED:
        return exponent_of((pattern_t)random_below(seed, BY_ROW), i, j, rows,
                           seed);
    case LAST: return exponent_of(i + 1 < rows ? ONE : LEAST, i, j, rows, seed);
    case CORNER:
        return exponent_of(i + 1 < rows ? ONE : DENORMAL, i, j, rows, seed);
    default: return 0;
    }
}

/* integers of (-4, 4), real and imaginary, times powers of two */
static mat_t tiny_mat(pattern_t p, int64_t rows, int64_t cols, uint64_t *seed)
{
    mat_t A = new_mat(rows, cols);
    for (int64_t j = 0; j < cols; ++j)
        for (int64_t i = 0; i < rows; ++i) {
            const int e = exponent_of(p, i, j, rows, seed);
            const real_t x = (real_t)(random_below(seed, 7) - 3);
            const real_t y = (real_t)(random_below(seed, 7) - 3);
            AT(A, i, j) = p == CORNER && i != j
                              ? make(0, 0)
                              : make(ldexp_r(x, e), ldexp_r(y, e));
        }
    return A;
}

/* up to four columns have a way of their own */
static const shape_t small[] = {{1, 1, 1}, {2, 2, 2}, {1, 2, 3}, {3, 3, 3},
                                {4, 3, 4}, {3, 4, 2}, {5, 5, 5}, {7, 6, 9},
                                {4, 9, 8}, {12, 10, 6}};
enum { SMALL = sizeof small / sizeof *small };

static const char *describe(int a, int b, const shape_t *s, int seed)
{
    static char text[100];
    snprintf(text, sizeof text, "A %d B %d, m %d n %d p %d, seed %d", a, b,
             s->m, s->n, s->p, seed);
    return text;
}

START_TEST(unitary_at_the_bottom)
{
    for (int b = 0; b < PATTERNS; ++b)
        for (int i = 0; i < SMALL; ++i)
            for (int way = 0; way < 2 && !left_out(b + i + way, 7); ++way) {
                uint64_t seed = 1 + (uint64_t)(_i * PATTERNS + b);
                const shape_t *s = &small[i];
                const mat_t A = tiny_mat((pattern_t)_i, s->m, s->n, &seed);
                const mat_t B = tiny_mat((pattern_t)b, s->p, s->n, &seed);
                const char *what = describe(_i, b, s, way);
                for (int door = 0; door < doors(); ++door) {
                    ck_assert_ok(gsvd_set_option(handle, GSVD_SOLVER, way));
                    const result_t r =
                        decompose((door_t)door, 'U', 'V', 'Q', A, B);
                    ck_assert_ok(r.status);
                    ck_assert_ratios(A, B, &r, what);
                    const result_t t = preprocess((door_t)door, 'U', 'V', 'Q',
                                                  A, B, -1, -1);
                    ck_assert_ok(t.status);
                    const result_t x = solve((door_t)door, 'U', 'V', 'Q', &t);
                    ck_assert_ok(x.status);
                    ck_assert_ratios(A, B, &x, "in two halves");
                }
                release_pool();
            }
}
END_TEST

/* the same numbers, found without factors */
START_TEST(values_at_the_bottom)
{
    for (int b = 0; b < PATTERNS; ++b)
        for (int i = 0; i < SMALL && !left_out(b + i, 7); ++i) {
            uint64_t seed = 1 + (uint64_t)(_i * PATTERNS + b);
            const shape_t *s = &small[i];
            const mat_t A = tiny_mat((pattern_t)_i, s->m, s->n, &seed);
            const mat_t B = tiny_mat((pattern_t)b, s->p, s->n, &seed);
            const result_t r = decompose(HOST, 'N', 'N', 'N', A, B);
            const result_t f = decompose(HOST, 'U', 'V', 'Q', A, B);
            ck_assert_ok(r.status);
            ck_assert_values(&r, s->m, s->n, s->p);
            ck_assert(r.k == f.k && r.l == f.l);
            release_pool();
        }
}
END_TEST

/* Q of a QR: the leading columns of a copy of A formed from k reflectors */
static mat_t formed(mat_t A, int64_t k, mat_t tau)
{
    const int64_t q = min_i(A.rows, A.cols);
    const mat_t Q = copy_mat(mat_cols(A, 0, q));
    ck_assert_ok(X(qr_form)(handle, A.rows, q, k, Q.data, Q.ld, tau.data, NULL,
                            0, NULL, 0, NULL));
    return Q;
}

START_TEST(one_matrix_at_the_bottom)
{
    for (int i = 0; i < SMALL; ++i)
        for (int panel = 0; panel < 2 && !left_out(i + panel, 5); ++panel) {
            uint64_t seed = 500 + (uint64_t)_i;
            const int64_t m = small[i].m, n = small[i].n, q = min_i(m, n);
            const mat_t A0 = tiny_mat((pattern_t)_i, m, n, &seed);
            const mat_t A = copy_mat(A0), P = copy_mat(A0), C = copy_mat(A0);
            const mat_t tau = new_mat(q, 1), U = new_mat(m, m),
                        V = new_mat(n, n);
            int64_t *const jpvt = grab((size_t)n * sizeof *jpvt), rank;
            ck_assert_ok(gsvd_set_option(handle, GSVD_PANEL, panel));
            ck_assert_ok(X(qr)(handle, m, n, A.data, A.ld, tau.data, NULL, 0,
                               NULL, 0, NULL));
            ck_assert_ratio(defect(formed(A, q, tau)));
            ck_assert_ok(X(geqp)(handle, m, n, P.data, P.ld, jpvt, tau.data, -1,
                                 &rank, NULL, 0, NULL, 0, NULL));
            ck_assert_ratio(defect(formed(P, rank, tau)));
            for (int64_t j = 0; j < rank; ++j)
                ck_assert(abs_max(AT(P, j, j)) > 0);
            ck_assert_ok(X(urv)(handle, 'U', 'V', m, n, C.data, C.ld, -1, &rank,
                                U.data, U.ld, V.data, V.ld, NULL, 0, NULL, 0,
                                NULL));
            ck_assert_ratio(defect(U));
            ck_assert_ratio(defect(V));
            for (int64_t j = 0; j < rank; ++j)
                ck_assert(abs_max(AT(C, j, n - rank + j)) > 0);
            release_pool();
        }
}
END_TEST

Suite *make_suite(void)
{
    Suite *s = suite_create("range");
    TCase *t = add_tcase(s, "bottom");
    tcase_add_loop_test(t, unitary_at_the_bottom, 0, PATTERNS);
    tcase_add_loop_test(t, values_at_the_bottom, 0, PATTERNS);
    tcase_add_loop_test(t, one_matrix_at_the_bottom, 0, PATTERNS);
    return s;
}
