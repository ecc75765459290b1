/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* test_range.c -- both ends of the range of numbers: factors stay unitary where
 * entries are denormal, R is finite or the call says that it is not, and no row
 * that counts for the rank has a zero on R's diagonal. */
#include <stdio.h>

#include "harness/batches.h"
#include "harness/pair_batch.h"

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
    EACH_ENTRY (A, i, j) {
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
static const shape_t small[] = {{1, 1, 1}, {2, 2, 2},  {1, 2, 3}, {3, 3, 3},
                                {4, 3, 4}, {3, 4, 2},  {5, 5, 5}, {7, 6, 9},
                                {4, 9, 8}, {12, 10, 6}};
enum { SMALL = sizeof small / sizeof *small };

static const char *describe(int a, int b, const shape_t *s, int seed)
{
    static char text[100];
    snprintf(text, sizeof text, "A %d B %d, m %d n %d p %d, seed %d", a, b,
             s->m, s->n, s->p, seed);
    return text;
}

/* On a device, where a small call takes milliseconds, and under a sanitizer: one case
 * in some.  The ends of the range are a matter of code that both backends share. */
static int skipped(int i, int one_in)
{
    return (on_device || quick > 1) && i % one_in != 0;
}

/* Numbers of one size keep their values; where rows or columns span the range, those that it has
 * no room for are told. */
static void check_status(gsvd_status_t status, int a, int b)
{
    const int one_size = a < BY_ROW && b < BY_ROW;
    if (status != GSVD_NOT_CONVERGED || one_size)
        ck_assert_ok(status);
}

START_TEST(unitary_at_the_bottom)
{
    for (int b = 0; b < PATTERNS; ++b)
        for (int i = 0; i < SMALL; ++i)
            for (int way = 0; way < 2; ++way) {
                if (skipped(b + i + way, 7))
                    continue;
                uint64_t seed = 1 + (uint64_t)(_i * PATTERNS + b);
                const shape_t *s = &small[i];
                const mat_t A = tiny_mat((pattern_t)_i, s->m, s->n, &seed);
                const mat_t B = tiny_mat((pattern_t)b, s->p, s->n, &seed);
                const char *what = describe(_i, b, s, way);
                for (int door = 0; door < doors(); ++door) {
                    ck_assert_ok(gsvd_set_option(handle, GSVD_SOLVER, way));
                    const result_t r =
                        decompose((door_t)door, 'U', 'V', 'Q', A, B);
                    check_status(r.status, _i, b);
                    ck_assert_ratios(A, B, &r, what);
                    const result_t t =
                        preprocess((door_t)door, 'U', 'V', 'Q', A, B, -1, -1);
                    ck_assert_ok(t.status);
                    const result_t x = solve((door_t)door, 'U', 'V', 'Q', &t);
                    check_status(x.status, _i, b);
                    ck_assert_ratios(A, B, &x, "in two halves");
                }
                release_pool();
            }
}
END_TEST

/* xTGSJA's rotations have few digits where columns of A are denormal numbers: what it clears
 * then is not small, and its INFO is 0. */
START_TEST(tgsja_at_the_bottom)
{
    for (int i = 0; i < 300; ++i) {
        if (skipped(i, 7))
            continue;
        uint64_t seed = 70000 + (uint64_t)i;
        const shape_t *s = &small[4 + i % (SMALL - 4)];
        const mat_t A = tiny_mat(BY_COLUMN, s->m, s->n, &seed);
        const mat_t B = tiny_mat(ONE, s->p, s->n, &seed);
        ck_assert_ok(gsvd_set_option(handle, GSVD_SOLVER, GSVD_SOLVER_TGSJA));
        const result_t r = decompose(HOST, 'U', 'V', 'Q', A, B);
        check_status(r.status, BY_COLUMN, ONE);
        ck_assert_ratios(A, B, &r, describe(BY_COLUMN, ONE, s, i));
        release_pool();
    }
}
END_TEST

/* Small integers times the least number: a pivot that counts may be smaller in R, of which B has
 * the rows for which A has none, and must not be 0 there. */
START_TEST(least_pivots)
{
    enum { PAIRS = 4000 };
    for (int i = 0; i < PAIRS; ++i) {
        uint64_t seed = (uint64_t)i;
        const int64_t n = 2 + i % 5, m = 1 + random_below(&seed, n);
        const mat_t A = tiny_mat(LEAST, m, n, &seed);
        const mat_t B = tiny_mat(LEAST, n, n, &seed);
        if (skipped(i, 20))
            continue;
        ck_assert_ok(gsvd_set_option(handle, GSVD_TOL_A, 0));
        ck_assert_ok(gsvd_set_option(handle, GSVD_TOL_B, 0));
        ck_assert_ok(gsvd_set_option(
            handle, GSVD_SOLVER, i % 2 ? GSVD_SOLVER_CSD : GSVD_SOLVER_AUTO));
        const result_t r = decompose(HOST, 'U', 'V', 'Q', A, B);
        ck_assert_ok(r.status);
        ck_assert_ratios(A, B, &r, "least pivots");
        release_pool();
    }
}
END_TEST

/* So is it in these rows, although each pivot of B's QR is more than half of the least number. */
START_TEST(least_pivots_of_b)
{
    enum { N = 5 };
    static const int a[][N] = {{2, 1, 2, -1, 1}, {-2, 1, 3, 1, 2}},
                     b[][N][N] = {{{0, 0, 0, 1, 0},
                                   {-1, -1, -1, 0, -1},
                                   {1, -1, 1, -1, 1},
                                   {0, -1, 0, -1, -1},
                                   {1, 0, 0, 1, 1}},
                                  {{-1, 1, 0, 0, -1},
                                   {-1, 1, 1, 1, 0},
                                   {-1, -1, 1, -1, 0},
                                   {1, -1, 0, 0, 0},
                                   {0, 0, 0, -1, 0}}};
    for (int i = 0; i < 4; ++i) {
        const mat_t A = new_mat(1, N), B = new_mat(N, N);
        for (int64_t j = 0; j < N; ++j)
            for (int64_t k = 0; k < N; ++k) {
                AT(A, 0, j) = make(ldexp_r((real_t)a[i / 2][j], BOTTOM), 0);
                AT(B, k, j) = make(ldexp_r((real_t)b[i / 2][k][j], BOTTOM), 0);
            }
        ck_assert_ok(gsvd_set_option(handle, GSVD_TOL_B, 0));
        ck_assert_ok(gsvd_set_option(
            handle, GSVD_SOLVER, i % 2 ? GSVD_SOLVER_CSD : GSVD_SOLVER_AUTO));
        const result_t r = decompose(HOST, 'U', 'V', 'Q', A, B);
        ck_assert_ok(r.status);
        ck_assert_int_eq(r.l, N);
        ck_assert_ratios(A, B, &r, "least pivots of B");
    }
}
END_TEST

/* the same numbers, found without factors */
START_TEST(values_at_the_bottom)
{
    for (int b = 0; b < PATTERNS; ++b)
        for (int i = 0; i < SMALL; ++i) {
            if (skipped(b + i, 7))
                continue;
            uint64_t seed = 1 + (uint64_t)(_i * PATTERNS + b);
            const shape_t *s = &small[i];
            const mat_t A = tiny_mat((pattern_t)_i, s->m, s->n, &seed);
            const mat_t B = tiny_mat((pattern_t)b, s->p, s->n, &seed);
            const result_t r = decompose(HOST, 'N', 'N', 'N', A, B);
            const result_t f = decompose(HOST, 'U', 'V', 'Q', A, B);
            check_status(r.status, _i, b);
            ck_assert(r.status == f.status);
            ck_assert_values(&r, s->m, s->n, s->p);
            ck_assert(r.k == f.k && r.l == f.l);
            release_pool();
        }
}
END_TEST

/* Q of a QR: its leading columns, of k reflectors; R, which is not used but has to
 * be finite, is cleared */
static mat_t formed(mat_t A, int64_t k, mat_t tau)
{
    const int64_t q = min_i(A.rows, A.cols);
    const mat_t Q = copy_mat(mat_cols(A, 0, q));
    for (int64_t j = 0; j < q; ++j)
        for (int64_t i = 0; i <= j; ++i)
            AT(Q, i, j) = make(0, 0);
    ck_assert_ok(
        X(qr_form)(handle, A.rows, q, k, Q.data, Q.ld, tau.data, NULL));
    return Q;
}

START_TEST(one_matrix_at_the_bottom)
{
    for (int i = 0; i < SMALL; ++i)
        for (int panel = 0; panel < 2; ++panel) {
            if (skipped(i + panel, 5))
                continue;
            uint64_t seed = 500 + (uint64_t)_i;
            const int64_t m = small[i].m, n = small[i].n, q = min_i(m, n);
            const mat_t A0 = tiny_mat((pattern_t)_i, m, n, &seed);
            const mat_t A = copy_mat(A0), P = copy_mat(A0), C = copy_mat(A0);
            const mat_t tau = new_mat(q, 1), U = new_mat(m, m),
                        V = new_mat(n, n);
            int64_t *const jpvt = grab((size_t)n * sizeof *jpvt), rank;
            ck_assert_ok(gsvd_set_option(handle, GSVD_PANEL, panel));
            ck_assert_ok(X(qr)(handle, m, n, A.data, A.ld, tau.data, NULL));
            ck_assert_ratio(defect(formed(A, q, tau)));
            ck_assert_ok(X(geqp)(handle, m, n, P.data, P.ld, jpvt, tau.data, -1,
                                 &rank, NULL));
            ck_assert_ratio(defect(formed(P, rank, tau)));
            for (int64_t j = 0; j < rank; ++j)
                ck_assert(abs_max(AT(P, j, j)) > 0);
            ck_assert_ok(X(urv)(handle, 'U', 'V', m, n, C.data, C.ld, -1, &rank,
                                U.data, U.ld, V.data, V.ld, NULL));
            ck_assert_ratio(defect(U));
            ck_assert_ratio(defect(V));
            for (int64_t j = 0; j < rank; ++j)
                ck_assert(abs_max(AT(C, j, n - rank + j)) > 0);
            release_pool();
        }
}
END_TEST

/* pairs of a few denormal entries, where a diagonal of R is next to the least
 * number: it is not 0, or the row does not count */
START_TEST(few_denormal_entries)
{
    for (int which = 0; which < 27; ++which) {
        if (skipped(which + _i, 9))
            continue;
        const int64_t m = 1 + which % 3, n = 1 + which / 3 % 3,
                      p = 1 + which / 9;
        uint64_t seed = 9000 + (uint64_t)(100 * _i + which);
        mat_t both[2] = {new_mat(m, n), new_mat(p, n)};
        for (int w = 0; w < 2; ++w)
            for (int64_t j = 0; j < n; ++j)
                for (int64_t i = 0; i < both[w].rows; ++i) {
                    const int there = random_below(&seed, 3) > 0;
                    const int one = _i % 4 == 1 + w; /* the other is not tiny */
                    const real_t x = (real_t)(random_below(&seed, 9) - 4);
                    const real_t y = (real_t)(random_below(&seed, 5) - 2);
                    const int e = one ? -3 : BOTTOM;
                    AT(both[w], i, j) =
                        there ? make(ldexp_r(x, e), ldexp_r(y, e)) : make(0, 0);
                }
        for (int norm = 0; norm < 2; ++norm)
            for (int given = 0; given < 2; ++given)
                for (int door = 0; door < doors(); ++door) {
                    const double tol = given ? 0 : -1;
                    reset_options();
                    ck_assert_ok(gsvd_set_option(handle, GSVD_PIVOT,
                                                 norm ? GSVD_PIVOT_NORM
                                                      : GSVD_PIVOT_TOURNAMENT));
                    ck_assert_ok(gsvd_set_option(handle, GSVD_SOLVER, _i % 2));
                    ck_assert_ok(gsvd_set_option(handle, GSVD_TOL_A, tol));
                    ck_assert_ok(gsvd_set_option(handle, GSVD_TOL_B, tol));
                    const result_t r = decompose((door_t)door, 'U', 'V', 'Q',
                                                 both[0], both[1]);
                    ck_assert_ok(r.status);
                    ck_assert_ratios(both[0], both[1], &r, "few entries");
                    const result_t t =
                        preprocess((door_t)door, 'U', 'V', 'Q', both[0],
                                   both[1], (real_t)tol, (real_t)tol);
                    ck_assert_ok(t.status);
                    for (int64_t i = 0; i < t.k; ++i)
                        ck_assert(abs_max(AT(t.A, i, n - t.k - t.l + i)) > 0);
                    for (int64_t i = 0; i < t.l; ++i)
                        ck_assert(abs_max(AT(t.B, i, n - t.l + i)) > 0);
                    ck_assert(r.k == t.k && r.l == t.l);
                }
        release_pool();
    }
}
END_TEST

/* (4 3; 3 2) has determinant -1, and R's last diagonal 1/5: of so many least numbers
 * that is 0, and the rank 1, tolerance 0 or not; 2^8 times as
 * large it is 2 */
START_TEST(ranks_of_denormals)
{
    static const int entry[] = {4, 3, 3, 2};
    for (int up = 0; up <= 8; up += 8)
        for (int given = 0; given < 2; ++given)
            for (int64_t n = 2; n <= 6; n += 4)
                for (int door = 0; door < doors(); ++door) {
                    const real_t tol = given ? 0 : -1;
                    /* LAPACK's tolerance is n least numbers; R(0,0) is 5     */
                    const int low = given || n < 5, expected = up ? 2 : low;
                    const mat_t A = zero_mat(n, n), B = zero_mat(n, n);
                    for (int i = 0; i < 4; ++i)
                        AT(B, i % 2, i / 2) =
                            make(ldexp_r((real_t)entry[i], BOTTOM + up), 0);
                    const result_t b =
                        preprocess((door_t)door, 'U', 'V', 'Q', A, B, tol, tol);
                    const result_t a =
                        preprocess((door_t)door, 'U', 'V', 'Q', B, A, tol, tol);
                    ck_assert_ok(a.status);
                    ck_assert_ok(b.status);
                    ck_assert_int_eq(b.l, expected);
                    ck_assert_int_eq(a.k, expected);
                }
}
END_TEST

/* ---- the upper end -------------------------------------------------------- */

/* numbers of (-1, 1) times 2^e, some of them the largest there is */
static mat_t huge_mat(int64_t rows, int64_t cols, int e, uint64_t *seed)
{
    mat_t A = random_mat(rows, cols, seed);
    EACH_ENTRY (A, i, j) {
        const scalar_t a = AT(A, i, j);
        AT(A, i, j) = make(ldexp_r(re(a), e), ldexp_r(im(a), e));
        if (e == TOP && random_below(seed, 4) == 0)
            AT(A, i, j) = make(copysign_r(GSVD_REAL_MAX, re(a)), 0);
    }
    return A;
}

static real_t largest(mat_t A)
{
    real_t x = 0;
    EACH_ENTRY (A, i, j)
        x = fmax_r(x, abs_max(AT(A, i, j)));
    return x;
}

/* the power of two that the handle's last error tells */
static int told(void)
{
    const char *const text = strstr(gsvd_last_error(handle), "2^-");
    ck_assert_msg(text != NULL, "'%s'", gsvd_last_error(handle));
    return atoi(text + 3);
}

/* The result of a call, and the same of 2^-e times the input: it must be that,
 * 2^e times as large, where this has a representation, and the call must say so
 * where not.  Next to the largest number what rounding alone makes too large is
 * that number. */
static void ck_assert_scaled(gsvd_status_t status, int info, mat_t X_,
                             mat_t less, int e)
{
    const real_t edge = ldexp_r(GSVD_REAL_MAX, -e), top = largest(less);
    const double slack = 8 * sqrt((double)max_i(X_.rows, X_.cols)) * GSVD_ULP;

    if (top <= edge) {
        ck_assert_ok(status);
        ck_assert_int_eq(info, 0);
    }
    if ((double)top * (1 - slack) > (double)edge) {
        ck_assert_status(status, GSVD_OVERFLOW);
        ck_assert_int_eq(info, 2);
        ck_assert(!all_finite(X_));
    }
    ck_assert(status == GSVD_OVERFLOW || all_finite(X_));
    EACH_ENTRY (X_, i, j) {
        const scalar_t x = AT(X_, i, j), y = AT(less, i, j);
        ck_assert(fabs_r(re(y)) > edge || re(x) == ldexp_r(re(y), e));
        ck_assert(fabs_r(im(y)) > edge || im(x) == ldexp_r(im(y), e));
    }
}

static const int near_top[][2] = {
    {TOP, TOP},     {TOP - 1, TOP - 1}, {TOP - 3, TOP - 2},
    {TOP - 5, TOP}, {TOP, 0},           {0, TOP},
    {TOP, BOTTOM},  {TOP - 8, TOP - 8}, {TOP, TOP - 60},
};
enum { NEAR_TOP = sizeof near_top / sizeof *near_top, LESS = 12 };

/* R and X of a pair, with 2^-LESS times the pair beside it: no bit of the factors
 * differs */
START_TEST(pair_at_the_top)
{
    for (int i = 0; i < SMALL; ++i)
        for (int x = 0; x < 2; ++x)
            for (int door = 0; door < doors() && !skipped(i + x + _i, 5);
                 ++door) {
                uint64_t seed = 70 + (uint64_t)_i;
                const shape_t *s = &small[i];
                const mat_t A = huge_mat(s->m, s->n, near_top[_i][0], &seed);
                const mat_t B = huge_mat(s->p, s->n, near_top[_i][1], &seed);
                const mat_t A1 = ldexp_mat(A, -LESS);
                const mat_t B1 = ldexp_mat(B, -LESS);
                const int exact = near_top[_i][1] > BOTTOM;
                /* else alpha and beta have no more than a few digits        */
                const int alike =
                    abs(near_top[_i][0] - near_top[_i][1]) < TOP / 2;
                ck_assert_ok(gsvd_set_option(handle, GSVD_FORM, x));
                const result_t y =
                    decompose((door_t)door, 'U', 'V', 'Q', A1, B1);
                ck_assert_ok(y.status);
                const result_t r = decompose((door_t)door, 'U', 'V', 'Q', A, B);
                const int shift = r.status == GSVD_OVERFLOW ? told() : 0;
                ck_assert(r.status == GSVD_SUCCESS ||
                          r.status == GSVD_OVERFLOW);
                ck_assert_values(&r, s->m, s->n, s->p);
                ck_assert_ratio(defect(r.U));
                ck_assert_ratio(defect(r.V));
                if (!x)
                    ck_assert_ratio(defect(r.Q));
                if (exact) {
                    ck_assert(r.k == y.k && r.l == y.l);
                    ck_assert_same(r.U, y.U);
                    ck_assert_same(r.V, y.V);
                    ck_assert_mem_eq(r.alpha, y.alpha,
                                     (size_t)s->n * sizeof *r.alpha);
                    if (!x) {
                        ck_assert_same(r.Q, y.Q);
                        ck_assert_scaled(r.status, r.info, get_R(&r), get_R(&y),
                                         LESS);
                    }
                }
                ck_assert(r.status != GSVD_SUCCESS || all_finite(r.Q));
                if (r.status == GSVD_SUCCESS && x && alike) {
                    ck_assert_ratio(residual_A(A, &r, GSVD_FORM_X));
                    ck_assert_ratio(residual_B(B, &r, GSVD_FORM_X));
                }
                if (r.status == GSVD_SUCCESS && !x && alike)
                    ck_assert_ratios(A, B, &r, "next to the largest number");
                if (shift > 0) { /* what the text says is enough              */
                    const result_t z =
                        decompose((door_t)door, 'U', 'V', 'Q',
                                  ldexp_mat(A, -shift), ldexp_mat(B, -shift));
                    ck_assert_ok(z.status);
                    ck_assert(all_finite(get_R(&z)));
                }
                release_pool();
            }
}
END_TEST

/* the two halves: triangles and R */
START_TEST(halves_at_the_top)
{
    for (int i = 0; i < SMALL; ++i)
        for (int door = 0; door < doors() && !skipped(i + _i, 5); ++door) {
            uint64_t seed = 80 + (uint64_t)_i;
            const shape_t *s = &small[i];
            const mat_t A = huge_mat(s->m, s->n, near_top[_i][0], &seed);
            const mat_t B = huge_mat(s->p, s->n, near_top[_i][1], &seed);
            const result_t y =
                preprocess((door_t)door, 'U', 'V', 'Q', ldexp_mat(A, -LESS),
                           ldexp_mat(B, -LESS), -1, -1);
            const result_t r =
                preprocess((door_t)door, 'U', 'V', 'Q', A, B, -1, -1);
            const int large = r.status == GSVD_OVERFLOW;
            const int alike = abs(near_top[_i][0] - near_top[_i][1]) < TOP / 2;
            ck_assert(large || r.status == GSVD_SUCCESS);
            ck_assert(large == !(all_finite(r.A) && all_finite(r.B)));
            ck_assert_ratio(defect(r.U));
            ck_assert_ratio(defect(r.V));
            ck_assert_ratio(defect(r.Q));
            if (near_top[_i][1] > BOTTOM) {
                const int a = !all_finite(r.A), b = !all_finite(r.B);
                ck_assert_same(r.Q, y.Q);
                ck_assert_scaled(a || !large ? r.status : GSVD_SUCCESS,
                                 a ? r.info : 0, r.A, y.A, LESS);
                ck_assert_scaled(b || !large ? r.status : GSVD_SUCCESS,
                                 b ? r.info : 0, r.B, y.B, LESS);
            }
            if (!large) {
                const result_t x = solve((door_t)door, 'U', 'V', 'Q', &r);
                ck_assert(x.status == GSVD_SUCCESS ||
                          x.status == GSVD_OVERFLOW);
                ck_assert((x.status == GSVD_SUCCESS) == all_finite(get_R(&x)));
                ck_assert_ratio(defect(x.U));
                ck_assert_ratio(defect(x.V));
                ck_assert_ratio(defect(x.Q));
                if (x.status == GSVD_SUCCESS && alike)
                    ck_assert_ratios(A, B, &x, "two halves at the top");
            }
            release_pool();
        }
}
END_TEST

/* (u v^H) of entries next to the largest number: the sums of columns overflow, and LAPACK's tolerance
 * is that of the scaled matrix, whose other values are rounding */
START_TEST(rank_of_large_columns)
{
    for (int64_t n = 3; n <= 9; n += 3)
        for (int door = 0; door < doors(); ++door) {
            const mat_t A = zero_mat(n, n), B = new_mat(n, n);
            const mat_t tau = new_mat(n, 1), U = new_mat(n, n),
                        V = new_mat(n, n);
            int64_t *const jpvt = grab((size_t)n * sizeof *jpvt), rank;
            for (int64_t i = 0; i < n * n; ++i) {
                const real_t u = 1 / (real_t)(i % n + 1);
                const real_t v = 1 / (real_t)(i / n + 3);
                AT(B, i % n, i / n) = make(GSVD_REAL_MAX * (u * (3 * v)), 0);
            }
            const result_t b =
                preprocess((door_t)door, 'U', 'V', 'Q', A, B, -1, -1);
            const result_t a =
                preprocess((door_t)door, 'U', 'V', 'Q', B, A, -1, -1);
            ck_assert_int_eq(b.l, 1);
            ck_assert_int_eq(a.k, 1);
            const mat_t C = copy_mat(B);
            (void)X(geqp)(handle, n, n, C.data, C.ld, jpvt, tau.data, -1, &rank,
                          NULL);
            ck_assert_int_eq(rank, 1);
            (void)X(urv)(handle, 'U', 'V', n, n, B.data, B.ld, -1, &rank,
                         U.data, U.ld, V.data, V.ld, NULL);
            ck_assert_int_eq(rank, 1);
        }
}
END_TEST

/* R next to the largest number, by hand: its sums round to no more than that, and
 * the exact one fits or does not */
START_TEST(largest_number)
{
    const real_t max = GSVD_REAL_MAX;
    const struct {
        real_t a, b;
        int fits;
    } c[] = {
        {max, 1, 1},       {1, max, 1},           {max, 0, 1},
        {0, max, 1},       {max, max, 0},         {max, max / 2, 0},
        {max / 2, max, 0}, {max / 2, max / 2, 1}, {max, GSVD_SAFMIN, 1},
    };
    for (size_t i = 0; i < sizeof c / sizeof *c; ++i)
        for (int64_t n = 1; n <= 7; n += 3)
            for (int door = 0; door < doors(); ++door)
                for (int way = 0; way < 4; ++way) {
                    const mat_t A = zero_mat(n, n), B = zero_mat(n, n);
                    for (int64_t j = 0; j < n; ++j) {
                        AT(A, j, (j + 1) % n) = make(-c[i].a, 0);
                        AT(B, j, j) = make(0, 0);
                        AT(B, j, j) =
                            GSVD_COMPLEX ? make(0, c[i].b) : make(c[i].b, 0);
                    }
                    ck_assert_ok(gsvd_set_option(handle, GSVD_SOLVER, way % 2));
                    ck_assert_ok(gsvd_set_option(handle, GSVD_FORM, way / 2));
                    const result_t r =
                        decompose((door_t)door, 'U', 'V', 'Q', A, B);
                    ck_assert_status(r.status,
                                     c[i].fits ? GSVD_SUCCESS : GSVD_OVERFLOW);
                    ck_assert_int_eq(r.info, c[i].fits ? 0 : 2);
                    ck_assert(all_finite(get_R(&r)) == c[i].fits);
                    ck_assert_ratio(defect(r.U));
                    ck_assert_ratio(defect(r.V));
                    if (way < 2)
                        ck_assert_ratio(defect(r.Q));
                    if (way < 2 && c[i].fits && c[i].b != GSVD_SAFMIN)
                        ck_assert_ratios(A, B, &r, "the largest number");
                    release_pool();
                }
}
END_TEST

/* one matrix: R, R alone, pivoted QR, URV, and a product with Q */
START_TEST(one_matrix_at_the_top)
{
    for (int i = 0; i < SMALL; ++i) {
        if (skipped(i + _i, 5))
            continue;
        uint64_t seed = 90 + (uint64_t)_i;
        const int64_t m = small[i].m, n = small[i].n, q = min_i(m, n);
        const mat_t A = huge_mat(m, n, near_top[_i][0], &seed);
        const mat_t less = ldexp_mat(A, -LESS);
        const mat_t tau = new_mat(q, 1), U = new_mat(m, m), V = new_mat(n, n);
        const mat_t from[2] = {A, less};
        int64_t *const jpvt = grab((size_t)n * sizeof *jpvt), rank[2];
        gsvd_status_t status[2];
        int info[2];
        mat_t X_[2];

        for (int alone = 0; alone < 2; ++alone) {
            for (int w = 0; w < 2; ++w) {
                X_[w] = copy_mat(from[w]);
                status[w] = X(qr)(handle, m, n, X_[w].data, X_[w].ld,
                                  alone ? NULL : tau.data, &info[w]);
                if (!alone)
                    ck_assert_ratio(defect(formed(X_[w], q, tau)));
                X_[w] = mat_rows(X_[w], 0, q);
                for (int64_t j = 0; j < q; ++j)
                    for (int64_t r = j + 1; r < q; ++r)
                        AT(X_[w], r, j) = make(0, 0);
            }
            ck_assert_scaled(status[0], info[0], X_[0], X_[1], LESS);
        }
        for (int w = 0; w < 2; ++w) {
            X_[w] = copy_mat(from[w]);
            status[w] = X(geqp)(handle, m, n, X_[w].data, X_[w].ld, jpvt,
                                tau.data, -1, &rank[w], &info[w]);
            ck_assert_ratio(defect(formed(X_[w], rank[w], tau)));
            for (int64_t j = 0; j < rank[w]; ++j)
                for (int64_t r = j + 1; r < m; ++r)
                    AT(X_[w], r, j) = make(0, 0);
        }
        ck_assert_int_eq(rank[0], rank[1]);
        ck_assert_scaled(status[0], info[0], X_[0], X_[1], LESS);
        for (int w = 0; w < 2; ++w) {
            X_[w] = copy_mat(from[w]);
            status[w] = X(urv)(handle, 'U', 'V', m, n, X_[w].data, X_[w].ld, -1,
                               &rank[w], U.data, U.ld, V.data, V.ld, &info[w]);
            ck_assert_ratio(defect(U));
            ck_assert_ratio(defect(V));
        }
        ck_assert_int_eq(rank[0], rank[1]);
        ck_assert_scaled(status[0], info[0], X_[0], X_[1], LESS);

        const mat_t Q = normal_mat(m, q, &seed);
        ck_assert_ok(X(qr)(handle, m, q, Q.data, Q.ld, tau.data, NULL));
        for (int w = 0; w < 2; ++w) {
            X_[w] = copy_mat(from[w]);
            status[w] = X(qr_apply)(handle, 'L', 'C', m, n, q, Q.data, Q.ld,
                                    tau.data, X_[w].data, X_[w].ld, &info[w]);
        }
        ck_assert_scaled(status[0], info[0], X_[0], X_[1], LESS);
        release_pool();
    }
}
END_TEST

/* A = a (1 ... 1)^T (1 ... 1) has the value a sqrt(mn): too large or not, though the columns whose
 * length it is may fit.  sigma tells it with status and info, and the factors are there. */
START_TEST(values_at_the_top)
{
    static const int size[][2] = {{1, 1},   {2, 2},   {3, 2},    {2, 3},
                                  {5, 5},   {40, 40}, {4000, 1}, {1, 4000},
                                  {900, 3}, {3, 900}, {70, 300}};
    const int64_t m = size[_i][0], n = size[_i][1];
    for (int fits = 0; fits < 2; ++fits)
        for (int jobs = 0; jobs < 2; ++jobs) {
            const double part = fits ? 0.95 : 1.05;
            const real_t a =
                (real_t)(GSVD_REAL_MAX / sqrt((double)m * (double)n) * part);
            const mat_t A = new_mat(m, n), U = new_mat(m, min_i(m, n));
            const mat_t V = new_mat(n, min_i(m, n));
            real_t *const sigma = grab((size_t)min_i(m, n) * sizeof *sigma);
            int info;
            fill(A, make(a, 0));
            if (m == 1 && n == 1 && !fits)
                continue;
            const gsvd_status_t status =
                X(svd)(handle, jobs ? 'S' : 'N', jobs ? 'S' : 'N', m, n, A.data,
                       A.ld, sigma, U.data, U.ld, V.data, V.ld, &info);
            ck_assert_status(status, fits ? GSVD_SUCCESS : GSVD_OVERFLOW);
            ck_assert_int_eq(info, fits ? 0 : 2);
            ck_assert_int_eq(!!isfinite(sigma[0]), fits);
            if (jobs) {
                ck_assert_ratio(defect(U));
                ck_assert_ratio(defect(V));
            }
            release_pool();
        }
}
END_TEST

/* ... of one sign, where that of the other one is small */
START_TEST(one_signed_value_at_the_top)
{
    for (int fits = 0; fits < 2; ++fits)
        for (int large = 0; large < 2; ++large) {
            const double part = fits ? 0.95 : 1.05;
            const real_t a = (real_t)(GSVD_REAL_MAX / 2 * part);
            const mat_t A = new_mat(4, 2), U = new_mat(4, 2), V = new_mat(2, 2);
            real_t sigma[2];
            int info;
            for (int64_t i = 0; i < 4; ++i) {
                AT(A, i, large) = make(a, 0);
                AT(A, i, 1 - large) = make(i % 2 ? 1 : -1, 0);
            }
            const gsvd_status_t status =
                X(hsvd)(handle, 'S', 'V', 4, 2, 1, A.data, A.ld, NULL, sigma,
                        U.data, U.ld, V.data, V.ld, &info);
            ck_assert_status(status, fits ? GSVD_SUCCESS : GSVD_OVERFLOW);
            ck_assert_int_eq(info, fits ? 0 : 2);
            ck_assert_int_eq(!!isfinite(sigma[large]), fits);
            ck_assert(fabs((double)sigma[1 - large] - 2) <= 8 * GSVD_ULP);
            release_pool();
        }
}
END_TEST

/* ... of either sign, of one column */
START_TEST(signed_values_at_the_top)
{
    static const int rows[] = {2, 5, 70, 4000};
    const int64_t m = rows[_i];
    for (int fits = 0; fits < 2; ++fits)
        for (int plus = 0; plus < 2; ++plus) {
            const double part = fits ? 0.95 : 1.05;
            const mat_t A = new_mat(m, 1), U = new_mat(m, 1);
            const mat_t V = new_mat(1, 1);
            real_t sigma[1];
            int info;
            fill(A, make((real_t)(GSVD_REAL_MAX / sqrt((double)m) * part), 0));
            const gsvd_status_t status =
                X(hsvd)(handle, 'S', 'V', m, 1, plus, A.data, A.ld, NULL, sigma,
                        U.data, U.ld, V.data, V.ld, &info);
            ck_assert_status(status, fits ? GSVD_SUCCESS : GSVD_OVERFLOW);
            ck_assert_int_eq(info, fits ? 0 : 2);
            ck_assert_int_eq(!!isfinite(sigma[0]), fits);
            ck_assert_ratio(defect(U));
            release_pool();
        }
}
END_TEST

/* ---- from one end to the other ------------------------------------------------ */

/* gsvd.h: columns and rows may differ by less than 1e420, single 1e40. */
enum {
    SPAN = GSVD_SINGLE ? 62 : 664,      /* columns of A and B alike          */
    FAR_APART = GSVD_SINGLE ? 22 : 220, /* A's and B's each by their own     */
    FAR_ROWS = GSVD_SINGLE ? 42 : 450,
    BEYOND = GSVD_SINGLE ? 105 : 950
};

typedef enum far_pair {
    COMMON_COLUMNS,
    OWN_COLUMNS,
    LONG_ROWS,
    LOST_COLUMNS, /* beyond the limit: the values are not told               */
    LOST_ROWS,
    LEAST_B, /* ... B the least normal number times I, A's rows of any size  */
    FAR_PAIRS
} far_pair_t;

/* Powers of two up to 2^+-most; both ends are among them. */
static int far_power(int64_t j, int64_t n, int most, uint64_t *seed)
{
    return j == n / 2 ? most
           : j == 0   ? -most
                      : (int)random_below(seed, 2 * most + 1) - most;
}

static void shift_column(mat_t A, int64_t j, int e)
{
    for (int64_t i = 0; i < A.rows; ++i)
        AT(A, i, j) =
            make(ldexp_r(re(AT(A, i, j)), e), ldexp_r(im(AT(A, i, j)), e));
}

static void shift_row(mat_t A, int64_t i, int e)
{
    for (int64_t j = 0; j < A.cols; ++j)
        AT(A, i, j) =
            make(ldexp_r(re(AT(A, i, j)), e), ldexp_r(im(AT(A, i, j)), e));
}

/* A pair of order n and its values, descending; random unitary matrices but for scales */
static void far_pair(far_pair_t what, int64_t n, uint64_t seed, mat_t *A,
                     mat_t *B, double *value)
{
    *A = random_unitary(n, &seed);
    *B = random_unitary(n, &seed);
    if (what == COMMON_COLUMNS) {
        const mat_t X = random_unitary(n, &seed);
        for (int64_t j = 0; j < n; ++j)
            shift_column(*A, j, (int)(j % 7) - 3);
        *A = product('N', 'N', *A, X);
        *B = product('N', 'N', *B, X);
    } else if (what == LEAST_B) {
        fill(*B, make(0, 0));
        for (int64_t j = 0; j < n; ++j)
            AT(*B, j, j) = make(GSVD_SAFMIN, 0);
    }
    for (int64_t j = 0; j < n; ++j) {
        int e = 0;
        switch (what) {
        case COMMON_COLUMNS:
            e = far_power(j, n, SPAN, &seed);
            shift_column(*A, j, e);
            shift_column(*B, j, e);
            e = (int)(j % 7) - 3;
            break;
        case OWN_COLUMNS: {
            const int b = far_power(n - 1 - j, n, FAR_APART, &seed);
            e = far_power(j, n, FAR_APART, &seed);
            shift_column(*A, j, e);
            shift_column(*B, j, b);
            e -= b;
            break;
        }
        case LONG_ROWS:
            e = far_power(j, n, FAR_ROWS, &seed);
            shift_row(*A, j, e);
            break;
        case LOST_COLUMNS:
            shift_column(*A, j, far_power(j, n, BEYOND, &seed));
            break;
        default: shift_row(*A, j, far_power(j, n, BEYOND, &seed)); break;
        }
        value[j] = ldexp(1, e);
    }
    sort_descending(value, n);
}

static void check_far_values(const real_t *alpha, const real_t *beta,
                             const double *value, int64_t n, const char *what)
{
    for (int64_t j = 0; j < n; ++j) {
        const double x = (double)alpha[j] / (beta ? (double)beta[j] : 1);
        ck_assert_msg(fabs(x - value[j]) <=
                          100 * (double)n * (double)GSVD_EPS * value[j],
                      "%s: value %ld of %ld is %g, not %g", what, (long)j,
                      (long)n, x, value[j]);
    }
}

static void take_zero_tolerances(void)
{
    ck_assert_ok(gsvd_set_option(handle, GSVD_TOL_A, 0));
    ck_assert_ok(gsvd_set_option(handle, GSVD_TOL_B, 0));
}

static void check_lost(const result_t *r)
{
    ck_assert_status(r->status, GSVD_NOT_CONVERGED);
    ck_assert_int_eq(r->info, 1);
    ck_assert(strstr(gsvd_last_error(handle), "range") != NULL);
    for (int64_t j = 0; j < r->k + r->l; ++j)
        ck_assert(isfinite(r->alpha[j]) && isfinite(r->beta[j]));
}

/* The first column of B is so short beside A's that tangents do not hold their quotient, and the CS
 * decomposition rounds it: the largest value is right, or the call says that it is not. */
START_TEST(quotients_beyond_the_range)
{
    static const int64_t order[] = {2, 3, 5, 7, 20, 31};
    static const int apart[] = {GSVD_SINGLE ? 40 : 300, GSVD_SINGLE ? 70 : 500,
                                GSVD_SINGLE ? 100 : 900};
    const int64_t n = order[_i];
    for (int i = 0; i < 3; ++i) {
        uint64_t seed = (uint64_t)(10 * _i + i);
        sample_t P = {.A = random_mat(n, n, &seed),
                      .B = random_mat(n, n, &seed)};
        for (int64_t j = 0; j < n; ++j)
            for (int64_t k = 0; k < n; ++k) {
                const scalar_t a = AT(P.A, k, j), b = AT(P.B, k, j);
                const int e = k > 0 ? apart[i] / 2 : -apart[i] / 2;
                AT(P.A, k, j) = k < j ? a : make(k == j ? 2 : 0, 0);
                AT(P.B, k, j) =
                    scale(ldexp_r(k > j ? 0 : 1, e), k == j ? make(2, 0) : b);
            }
        take_zero_tolerances();
        const result_t t = {.A = P.A, .B = P.B, .l = n};
        const result_t r[] = {decompose(HOST, 'U', 'V', 'Q', P.A, P.B),
                              decompose(HOST, 'N', 'N', 'N', P.A, P.B),
                              solve(HOST, 'I', 'I', 'I', &t),
                              *decompose_batch(1, 'U', 'U', 'U', 0, &P)};
        for (int k = 0; k < 4; ++k)
            ck_assert_msg(r[k].info == 1 ||
                              (r[k].info == 0 && r[k].alpha[0] > (real_t)0.9),
                          "way %d, apart %d: info %d, alpha %g", k, apart[i],
                          r[k].info, (double)r[k].alpha[0]);
        ck_assert_ok(i > 0 ? GSVD_SUCCESS : r[0].status);
        release_pool();
    }
}
END_TEST

/* By each way: values alone and with vectors, in one call and in two; what the range does not hold
 * is told, not 0. */
START_TEST(pairs_over_the_range)
{
    static const int64_t order[] = {2, 3, 4, 7, 20, 40};
    const far_pair_t what = (far_pair_t)_i;
    double value[40];

    for (int i = 0; i < 6; ++i)
        for (int x = 0; x < 2; ++x)
            for (int door = 0; door < doors(); ++door) {
                if (skipped(i + x, 3))
                    continue;
                const int64_t n = order[i];
                mat_t A, B;
                far_pair(what, n, (uint64_t)(1 + i), &A, &B, value);
                take_zero_tolerances();
                ck_assert_ok(gsvd_set_option(
                    handle, GSVD_FORM, x ? GSVD_FORM_X : GSVD_FORM_LAPACK));
                const result_t v = decompose((door_t)door, 'N', 'N', 'N', A, B);
                const result_t r = decompose((door_t)door, 'U', 'V', 'Q', A, B);
                if (what >= LOST_COLUMNS) {
                    check_lost(&v);
                    check_lost(&r);
                } else {
                    ck_assert_ok(v.status);
                    ck_assert_ok(r.status);
                    check_far_values(v.alpha, v.beta, value, n, "alone");
                    check_far_values(r.alpha, r.beta, value, n, "factors");
                    ck_assert_ratio(defect(r.U));
                    ck_assert_ratio(defect(r.V));
                }
                if (x == 0) {
                    const result_t t =
                        preprocess((door_t)door, 'U', 'V', 'Q', A, B, 0, 0);
                    const result_t s = solve((door_t)door, 'U', 'V', 'Q', &t);
                    if (what >= LOST_COLUMNS) {
                        ck_assert_status(t.status, GSVD_NOT_CONVERGED);
                    } else {
                        ck_assert_ok(t.status);
                        ck_assert_ok(s.status);
                        check_far_values(s.alpha, s.beta, value, n, "halves");
                    }
                }
                release_pool();
            }
}
END_TEST

/* A matrix with columns over most of the range, of which one entry, or each, is not 0, and its
 * values, descending */
static mat_t far_matrix(int sparse, int64_t n, uint64_t seed, double *value)
{
    const mat_t A = random_unitary(n, &seed);
    if (sparse) {
        fill(A, make(0, 0));
        for (int64_t j = 0; j < n; ++j)
            AT(A, (j + 1) % n, j) = make(1, 0);
    }
    for (int64_t j = 0; j < n; ++j) {
        const int e = far_power(j, n, SPAN, &seed);
        shift_column(A, j, e);
        value[j] = ldexp(1, e);
    }
    sort_descending(value, n);
    return A;
}

static void copy_into(mat_t A, mat_t to)
{
    EACH_ENTRY (A, i, j)
        AT(to, i, j) = AT(A, i, j);
}

enum { MANY = 3 };

/* Problem 1 has no values, or they are not told; else they are right. */
static void check_batch(const many_t *b, double value[MANY][40])
{
    ck_assert_ok(b->status);
    for (int64_t j = 0; j < MANY; ++j) {
        const int told = b->info[j] == 1;
        ck_assert_int_eq(b->info[j], j == 1 || (on_device && told));
        if (!told)
            check_far_values(values_of(b, MANY_ALPHA, j),
                             b->kind == MANY_GSVD ? values_of(b, MANY_BETA, j)
                                                  : NULL,
                             value[j], b->n, "batch");
    }
}

/* The second one of three is beyond the limit: info says so, and the others are right.  Kernels of a
 * GPU square lengths, and may have to say so of the others as well. */
START_TEST(batches_over_the_range)
{
    static const int64_t order[] = {3, 6, 12, 20, 31};
    double value[MANY][40];

    for (int i = 0; i < 5; ++i)
        for (int what = COMMON_COLUMNS; what <= OWN_COLUMNS; ++what) {
            const int64_t n = order[i];
            many_t pairs =
                new_many(MANY_GSVD, STRIDED, "NNN", MANY, n, n, n, 1);
            many_t one = new_many(MANY_SVD, STRIDED, "NNN", MANY, n, n, 0, 1);
            mat_t A, B;
            take_zero_tolerances();
            for (int64_t j = 0; j < MANY; ++j) {
                far_pair(j == 1 ? LOST_COLUMNS : (far_pair_t)what, n,
                         (uint64_t)(j + 9), &A, &B, value[j]);
                copy_into(A, matrix_of(&pairs, MANY_A, j));
                copy_into(B, matrix_of(&pairs, MANY_B, j));
            }
            call_many(HOST, handle, &pairs);
            check_batch(&pairs, value);
            for (int64_t j = 0; j < MANY; ++j) {
                far_pair(LOST_ROWS, n, (uint64_t)(j + 9), &A, &B, value[j]);
                if (j != 1)
                    A = far_matrix(what == OWN_COLUMNS, n, (uint64_t)j,
                                   value[j]);
                copy_into(A, matrix_of(&one, MANY_A, j));
            }
            call_many(HOST, handle, &one);
            check_batch(&one, value);
            release_pool();
        }
}
END_TEST

Suite *make_suite(void)
{
    in_double_asked();
    Suite *s = suite_create("range");
    TCase *t = add_tcase(s, "bottom");
    tcase_add_loop_test(t, unitary_at_the_bottom, 0, PATTERNS);
    tcase_add_test(t, tgsja_at_the_bottom);
    tcase_add_test(t, least_pivots);
    tcase_add_test(t, least_pivots_of_b);
    tcase_add_loop_test(t, values_at_the_bottom, 0, PATTERNS);
    tcase_add_loop_test(t, one_matrix_at_the_bottom, 0, PATTERNS);
    tcase_add_loop_test(t, few_denormal_entries, 0, 40);
    tcase_add_test(t, ranks_of_denormals);
    t = add_tcase(s, "top");
    tcase_add_loop_test(t, pair_at_the_top, 0, NEAR_TOP);
    tcase_add_loop_test(t, halves_at_the_top, 0, NEAR_TOP);
    tcase_add_test(t, largest_number);
    tcase_add_test(t, rank_of_large_columns);
    tcase_add_loop_test(t, one_matrix_at_the_top, 0, NEAR_TOP);
    tcase_add_loop_test(t, values_at_the_top, 0, 11);
    tcase_add_loop_test(t, signed_values_at_the_top, 0, 4);
    tcase_add_test(t, one_signed_value_at_the_top);
    t = add_tcase(s, "across");
    tcase_add_loop_test(t, quotients_beyond_the_range, 0, 6);
    tcase_add_loop_test(t, pairs_over_the_range, 0, FAR_PAIRS);
    tcase_add_test(t, batches_over_the_range);
    return s;
}
