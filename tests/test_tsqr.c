/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* test_tsqr.c -- QR of a panel by Givens rotations: the rotation by itself
 * against long double; Q and R of panels of every kind, column by column;
 * LAPACK's V, tau and R where the panel determines them. */
#include "core/blas.h"
#include "harness/harness.h"
#include "harness/tsqr.h"
#include "lapacke.h"
#include "qr/givens.h"

/* ---- the rotation --------------------------------------------------------- */

/* what a number of the working precision holds exactly */
typedef struct wide {
    long double x, y;
} wide_t;

static wide_t wide(scalar_t a)
{
    const wide_t w = {re(a), im(a)};
    return w;
}

static long double length(wide_t a) { return hypotl(a.x, a.y); }

/* a conj(b) */
static wide_t times_conj(wide_t a, wide_t b)
{
    const wide_t p = {a.x * b.x + a.y * b.y, a.y * b.x - a.x * b.y};
    return p;
}

/* the ends of the range, denormals, where scaling begins, ordinary ones */
#define LEAST (GSVD_SAFMIN * GSVD_ULP)
#define ROOT (GSVD_SINGLE ? 0x1p-63 : 0x1p-511) /* of GSVD_SAFMIN            */
static const real_t extreme[] = {
    0,
    LEAST,
    13 * LEAST,
    GSVD_SAFMIN,
    -3 * GSVD_SAFMIN,
    SQUARE_SMALL,
    (real_t)0.7 * SQUARE_SMALL,
    (real_t)ROOT,
    GSVD_EPS,
    1,
    (real_t)0.75,
    -1,
    (real_t)1.5,
    (real_t)-0.3,
    (real_t)(1 / ROOT),
    SQUARE_LARGE,
    (real_t)1.3 * SQUARE_LARGE,
    GSVD_REAL_MAX / 2,
    -GSVD_REAL_MAX,
};
enum { EXTREMES = sizeof extreme / sizeof *extreme };

/* to 3 ulp; a number may be lost when it is below SAFMIN^(1/4) */
static void ck_assert_close(wide_t got, wide_t exact, const char *what,
                            scalar_t f, scalar_t g)
{
    const wide_t d = {got.x - exact.x, got.y - exact.y};
    const long double floor = sqrtl(sqrtl(GSVD_SAFMIN));
    const long double size = fmaxl(length(exact), floor);
    ck_assert_msg(length(d) <= 6 * GSVD_EPS * size,
                  "%s off by %Lg ulp for (%g,%g), (%g,%g)", what,
                  length(d) / size / GSVD_ULP, (double)re(f), (double)im(f),
                  (double)re(g), (double)im(g));
}

static void check_rotation(scalar_t f, scalar_t g)
{
    const givens_t G = givens(f, g);
    const wide_t wf = wide(f), wg = wide(g), ws = wide(G.s), wr = wide(G.r);
    const long double lf = length(wf), lg = length(wg), rho = hypotl(lf, lg);
    wide_t u = {lf > 0 ? wf.x / lf : 1, lf > 0 ? wf.y / lf : 0};

    if (lg == 0) {
        ck_assert(G.c == 1 && re(G.s) == 0 && im(G.s) == 0);
        ck_assert(re(G.r) == re(f) && im(G.r) == im(f));
        return;
    }
    if (!(rho < (long double)GSVD_REAL_MAX)) /* r is no number              */
        return;
    const wide_t wc = {G.c, 0}, c = {lf / rho, 0}, one = {1, 0};
    const wide_t t = times_conj(u, wg), s = {t.x / rho, t.y / rho};
    const wide_t sum = {wc.x * wc.x + ws.x * ws.x + ws.y * ws.y, 0};
    ck_assert_close(wc, c, "c", f, g);
    ck_assert_close(ws, s, "s", f, g);
    ck_assert_close(sum, one, "c^2 + |s|^2", f, g);
    /* r is as large as the pair: to some ulp of it, or half the least number */
    const wide_t d = {wr.x - u.x * rho, wr.y - u.y * rho};
    ck_assert(length(d) <= 6 * GSVD_EPS * rho + GSVD_SAFMIN * GSVD_ULP);
    if (im(f) == 0)
        ck_assert(im(G.r) == 0);
}

/* every pair of extreme numbers, in the real and the imaginary part */
START_TEST(rotation_of_extremes)
{
    for (int k = 0; k < EXTREMES; ++k) {
        check_rotation(make(extreme[_i], 0), make(extreme[k], 0));
        check_rotation(make(0, 0), make(extreme[k], extreme[_i]));
        for (int l = 0; l < EXTREMES; ++l) {
            check_rotation(make(extreme[_i], extreme[k]), make(extreme[l], 0));
            check_rotation(make(extreme[l], 0), make(extreme[_i], extreme[k]));
            check_rotation(make(extreme[_i], extreme[k]),
                           make(extreme[l], extreme[(l + 7) % EXTREMES]));
        }
    }
}
END_TEST

/* scaling both by a power of two changes nothing but r */
START_TEST(rotation_is_scale_free)
{
    const int most = GSVD_SINGLE ? 100 : 900;
    uint64_t seed = 5;
    for (int k = 0; k < 200; ++k) {
        const scalar_t f = random_normal_scalar(&seed);
        const scalar_t g = random_normal_scalar(&seed);
        const givens_t G = givens(f, g);
        check_rotation(f, g);
        for (int e = -most; e <= most; e += most / 9) {
            const real_t p = ldexp_r(1, e);
            const givens_t S = givens(scale(p, f), scale(p, g));
            check_rotation(scale(p, f), scale(p, g));
            ck_assert(fabs_r(S.c - G.c) <= 2 * GSVD_EPS);
            ck_assert(abs_of(sub(S.s, G.s)) <= 4 * GSVD_EPS);
        }
    }
}
END_TEST

/* apply, then undo; apply to (f; g) itself */
START_TEST(rotation_of_rows)
{
    uint64_t seed = 6;
    for (int k = 0; k < 100; ++k) {
        const scalar_t f = random_normal_scalar(&seed);
        const scalar_t g = random_normal_scalar(&seed);
        const givens_t G = givens(f, g);
        scalar_t x = f, y = g;
        const real_t tol = 8 * GSVD_EPS * (1 + abs_of(G.r));
        givens_apply(G.c, G.s, &x, &y);
        ck_assert(abs_of(sub(x, G.r)) <= tol);
        ck_assert(abs_of(y) <= tol);
        givens_undo(G.c, G.s, &x, &y);
        ck_assert(abs_of(sub(x, f)) <= tol);
        ck_assert(abs_of(sub(y, g)) <= tol);
    }
}
END_TEST

/* ---- panels --------------------------------------------------------------- */

typedef enum kind_of_panel {
    FULL,      /* normal random entries                                       */
    DEFICIENT, /* rank (b + 1) / 2                                            */
    NOTHING,   /* zero                                                        */
    TWINS,     /* pairs of equal columns                                      */
    ROWS,      /* rows graded over nearly the whole range                     */
    COLUMNS,   /* columns graded so                                           */
    HUGE_ONES, /* 1e+300, 1e+35 in single precision                           */
    TINY_ONES, /* 1e-300, 1e-35                                               */
    TRIANGLE,  /* R already                                                   */
    LAST_ROWS, /* zero but for the last rows: leaves and leading rows of zeros */
    SPARSE_ONE, /* zero columns, zero entries, small integers                 */
    CLOSE /* the first column and a little of something else, 1 to 1e-7  */
} panel_t;
enum { PANELS = CLOSE + 1 };

static const int height[] = {1,  2,  3,  4,  5,   31,   32,  33,
                             63, 64, 65, 96, 100, 1000, 4097};
static const int width[] = {1, 2, 3, 7, 8, 31, 32};
enum {
    HEIGHTS = sizeof height / sizeof *height,
    WIDTHS = sizeof width / sizeof *width
};

/* 10^u for u in (-1, 1) times nearly the whole range */
static real_t any_size(double u)
{
    return (real_t)pow(10, u * (GSVD_SINGLE ? 34 : 290));
}

static mat_t make_panel(panel_t p, int64_t m, int64_t b, uint64_t *seed)
{
    mat_t A = normal_mat(m, b, seed);
    const int64_t rank = (b + 1) / 2;
    if (p == DEFICIENT)
        A = product('N', 'N', normal_mat(m, rank, seed),
                    normal_mat(rank, b, seed));
    EACH_ENTRY (A, i, j) {
        scalar_t *const a = &AT(A, i, j);
        if (p == NOTHING || (p == TRIANGLE && i > j) ||
            (p == LAST_ROWS && i < m - b))
            *a = make(0, 0);
        else if (p == TWINS)
            *a = AT(A, i, j - j % 2);
        else if (p == ROWS)
            *a = scale(any_size(1 - 2 * (double)i / (double)m), *a);
        else if (p == COLUMNS)
            *a = scale(any_size(2 * (double)(j * 5 % b) / (double)b - 1), *a);
        else if (p == HUGE_ONES || p == TINY_ONES)
            *a = scale((real_t)pow(10, (p == HUGE_ONES ? 1 : -1) *
                                           (GSVD_SINGLE ? 35 : 300)),
                       *a);
        else if (p == SPARSE_ONE && (j % 3 == 1 || random_below(seed, 2)))
            *a = make(0, 0);
        else if (p == SPARSE_ONE)
            *a = make((real_t)random_below(seed, 3), 0);
        else if (p == CLOSE && j > 0)
            *a = add(AT(A, i, 0), scale((real_t)pow(10, -(double)(j % 8)), *a));
    }
    return A;
}

/* work of that size, filled with NaN */
static void *fresh_work(size_t bytes)
{
    void *const work = grab_backend(bytes), *const bits = grab(bytes);
    put(work, bits, bytes);
    return work;
}

/* 1: by the table, which takes the way that the panel allows; 0: by TSQR */
static int by_table;

static void factor_by_tree(mat_t dA, scalar_t *tau, const int *verdict)
{
    const int64_t m = dA.rows, b = dA.cols, blocks = multiprocessors(handle);
    const size_t bytes = tsqr_groups_bytes(m, b, blocks);
    void *const own = fresh_work(tsqr_own_bytes(m, b, blocks));
    void *const room = bytes ? fresh_work(bytes) : NULL;
    if (on_device)
        ck_assert_ok(cuda_panel(on(handle), dA, tau, own, room, verdict));
    else
        ck_assert_ok(X(tsqr_panel_cpu)(on(handle), dA, tau, own, room));
}

/* tau is a column */
static void factor(mat_t dA, mat_t dtau)
{
    const mat_t none = mat_view(NULL, 0, 0, 1);
    if (by_table) {
        ck_assert_ok(table()->panel(on(handle), dA, dtau.data, none, none));
        return;
    }
    factor_by_tree(dA, dtau.data, NULL);
}

static mat_t triangle_of(mat_t A)
{
    mat_t dA = to_backend(A), dR = to_backend(new_mat(A.cols, A.cols));
    void *const work = fresh_work(X(tsqr_r_bytes)(A.rows, A.cols));
    if (by_table)
        ck_assert_ok(table()->r_only(on(handle), dA, dR));
    else if (on_device)
        ck_assert_ok(cuda_r(on(handle), dA, dR, work));
    else
        ck_assert_ok(X(tsqr_r_cpu)(on(handle), dA, dR, work));
    ck_assert_same(from_backend(dA), A);
    return from_backend(dR);
}

/* A and R with columns of size 1: both times the same power of two */
static void normalize(mat_t A, mat_t R)
{
    for (int64_t j = 0; j < A.cols; ++j) {
        real_t big = 0;
        for (int64_t i = 0; i < A.rows; ++i)
            big = fmax_r(big, abs_max(AT(A, i, j)));
        const int e = big > 0 ? -exponent_r(big) : 0;
        for (int64_t i = 0; i < A.rows; ++i)
            AT(A, i, j) =
                make(ldexp_r(re(AT(A, i, j)), e), ldexp_r(im(AT(A, i, j)), e));
        for (int64_t i = 0; i < R.rows; ++i)
            AT(R, i, j) =
                make(ldexp_r(re(AT(R, i, j)), e), ldexp_r(im(AT(R, i, j)), e));
    }
}

static real_t column_length(mat_t A, int64_t j)
{
    real_t sum = 0;
    for (int64_t i = 0; i < A.rows; ++i)
        sum += abs2(AT(A, i, j));
    return sqrt_r(sum);
}

/* The errors of a tree of rotations grow with its height, not with m. */
static double height_of(mat_t A)
{
    return 8 + (double)A.cols + log2((double)A.rows);
}

/* R of the factored A; its diagonal is real */
static mat_t upper_of(mat_t A)
{
    mat_t R = new_mat(A.cols, A.cols);
    for (int64_t j = 0; j < A.cols; ++j) {
        ck_assert(im(AT(A, j, j)) == 0);
        for (int64_t i = 0; i < A.cols; ++i)
            AT(R, i, j) = i <= j ? AT(A, i, j) : make(0, 0);
    }
    return R;
}

/* Q of the factored A by LAPACK */
static mat_t form_q(mat_t A, mat_t tau)
{
    const mat_t Q = copy_mat(A);
    lapack_form_q(Q, tau);
    return Q;
}

/* the largest, over the columns, of |A - Q R| / (|A| ulp height) */
static double residual(mat_t A0, mat_t Q, mat_t R0)
{
    mat_t A = copy_mat(A0), R = copy_mat(R0);
    double worst = 0;
    normalize(A, R);
    const mat_t D = copy_mat(A);
    gemm('N', 'N', -1, Q, R, 1, D);
    for (int64_t j = 0; j < A.cols; ++j) {
        const double whole = (double)column_length(A, j);
        const double rest = (double)column_length(D, j);
        if (!(rest <= worst * whole))
            worst = whole > 0 ? rest / whole : HUGE_VAL;
    }
    return worst / GSVD_ULP / height_of(A);
}

/* largest entry of A^H A - R^H R, both with columns of length 1; the products
 * have rounding errors too */
static double gram_distance(mat_t A0, mat_t R0)
{
    mat_t A = copy_mat(A0), R = copy_mat(R0);
    double worst = 0;
    normalize(A, R);
    mat_t D = product('C', 'N', A, A);
    gemm('C', 'N', -1, R, R, 1, D);
    for (int64_t i = 0; i < A.cols; ++i)
        for (int64_t j = 0; j < A.cols; ++j) {
            const double whole =
                (double)column_length(A, i) * (double)column_length(A, j);
            const double d = (double)abs_of(AT(D, i, j));
            if (!(d <= worst * whole))
                worst = whole > 0 ? d / whole : HUGE_VAL;
        }
    return worst / GSVD_ULP / (height_of(A) + sqrt((double)A.rows));
}

/* the largest difference of entries, the second matrix's rows times the sign
 * of its diagonal if signs */
static double difference(mat_t A, mat_t B, int signs)
{
    double worst = 0;
    EACH_ENTRY (A, i, j) {
        const real_t sign = signs ? copysign_r(1, re(AT(B, i, i))) : (real_t)1;
        const double d =
            (double)abs_of(sub(AT(A, i, j), scale(sign, AT(B, i, j))));
        if (!(d <= worst))
            worst = d;
    }
    return worst;
}

/* V, R and tau are LAPACK's, up to the condition of A, some units here */
static void check_against_lapack(mat_t A, mat_t F, mat_t tau)
{
    const mat_t L = copy_mat(A), t = lapack_qr(L);
    const double tol = 50 * height_of(A) * GSVD_ULP;
    const double d = difference(F, L, 0) / sqrt((double)A.rows);
    ck_assert_msg(d <= tol, "V, R: %g > %g", d, tol);
    const double e = difference(tau, t, 0);
    ck_assert_msg(e <= tol, "tau: %g > %g", e, tol);
}

/* Q of the factored A, which is unitary, and Q R is A: in ulp for each level of the
 * tree; seen: 1.5 on a CPU, 3.4 on a GPU, whose reciprocal square root is not rounded
 * correctly; LAPACK's bound allows 20 for each row */
static mat_t check_factors(panel_t p, mat_t A, mat_t F, mat_t tau)
{
    ck_assert(all_finite(F) && all_finite(tau));
    const mat_t Q = form_q(F, tau);
    const double d = defect(Q) * (double)A.rows / height_of(A);
    const double r = residual(A, Q, upper_of(F));
    ck_assert_msg(d < 8 && r < 8,
                  "kind %d, %ld x %ld, table %d: defect %g, residual %g",
                  (int)p, (long)A.rows, (long)A.cols, by_table, d, r);
    return Q;
}

static void check_panel(panel_t p, int64_t m, int64_t b)
{
    uint64_t seed = (uint64_t)(1000 * m + 10 * b + (int)p);
    const mat_t A = make_panel(p, m, b, &seed);
    mat_t dA = to_backend(A), dtau = to_backend(new_mat(b, 1));
    factor(dA, dtau);
    const mat_t F = from_backend(dA), tau = from_backend(dtau);
    const mat_t R = upper_of(F);
    (void)check_factors(p, A, F, tau);

    const mat_t P = triangle_of(A);
    ck_assert(all_finite(P));
    for (int64_t j = 0; j < b; ++j) {
        ck_assert(re(AT(P, j, j)) >= 0 && im(AT(P, j, j)) == 0);
        for (int64_t i = j + 1; i < b; ++i)
            ck_assert(re(AT(P, i, j)) == 0 && im(AT(P, i, j)) == 0);
    }
    const double g = gram_distance(A, P);
    ck_assert_msg(g < 8, "kind %d, %ld x %ld, table %d: R^H R %g", (int)p,
                  (long)m, (long)b, by_table, g);

    if (p == FULL && m >= 2 * b) {
        check_against_lapack(A, F, tau);
        ck_assert(difference(P, R, 1) <=
                  50 * height_of(A) * GSVD_ULP * sqrt((double)m));
    }
}

START_TEST(panels)
{
    const panel_t p = (panel_t)(_i / HEIGHTS);
    const int m = height[_i % HEIGHTS];
    if (too_large(m / 16, m / 16, 1))
        return;
    for (int k = 0; k < WIDTHS; ++k)
        if (width[k] <= m && !left_out(_i + k, 11) &&
            !left_out_there(_i + k, 4))
            for (by_table = 0; by_table < 2; ++by_table) {
                check_panel(p, m, width[k]);
                release_pool();
            }
    by_table = 0;
}
END_TEST

/* Panels of more leaves than keep their rotations: groups compute them again. */
static const int long_one[] = {TSQR_KEPT * TSQR_WIDTH + 1, 20001, 40000, 70003};
enum { LONG = sizeof long_one / sizeof *long_one };

START_TEST(long_panels)
{
    static const int columns[] = {1, 5, 32};
    static const panel_t kinds_of_panel[] = {FULL, TWINS, ROWS, LAST_ROWS};
    const int m = long_one[_i % LONG];
    if (too_large(m / 16, m / 16, 1))
        return;
    check_panel(kinds_of_panel[_i / LONG], m, columns[_i % 3]);
    release_pool();
}
END_TEST

/* The places of groups fit the panel itself, whatever computes it, and are not many
 * beside it; all others are few. */
START_TEST(places_are_few)
{
    static const int64_t rows[] = {1,         31,       16384,   16385,
                                   17000,     100000,   1000000, 10000000,
                                   270000000, 300000000};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; ++i)
        for (int64_t b = 1; b <= TSQR_WIDTH; ++b)
            for (int64_t blocks = 1; blocks <= 256; blocks += 1 + blocks / 2) {
                const size_t panel = (size_t)(rows[i] * b) * sizeof(scalar_t);
                ck_assert_uint_le(tsqr_groups_bytes(rows[i], b, blocks), panel);
                ck_assert_uint_le(tsqr_own_bytes(rows[i], b, blocks),
                                  (size_t)21 << 20);
            }
}
END_TEST

/* V is the unit lower trapezoid of F, diag(T) is tau, and (I; 0) - V T V1^H is Q for
 * the first rows V1 of V */
static void check_block(mat_t F, mat_t tau, mat_t Q, mat_t V, mat_t T)
{
    const int64_t m = F.rows, b = F.cols;
    mat_t W = product('N', 'C', T, mat_rows(V, 0, b)), D = copy_mat(Q);
    for (int64_t j = 0; j < b; ++j) {
        ck_assert(re(AT(T, j, j)) == re(AT(tau, j, 0)) &&
                  im(AT(T, j, j)) == im(AT(tau, j, 0)));
        for (int64_t i = 0; i < m; ++i) {
            const scalar_t v = i > j ? AT(F, i, j) : make(i == j, 0);
            ck_assert(re(AT(V, i, j)) == re(v) && im(AT(V, i, j)) == im(v));
            ck_assert(i >= b || i <= j ||
                      (re(AT(T, i, j)) == 0 && im(AT(T, i, j)) == 0));
            if (i == j)
                AT(D, i, j) = sub(AT(D, i, j), make(1, 0));
        }
    }
    gemm('N', 'N', 1, V, W, 1, D);
    const mat_t zero = zero_mat(m, b);
    const double d = difference(D, zero, 0) / GSVD_ULP / height_of(F);
    ck_assert_msg(d < 8, "I - V T V^H: %g", d);
}

/* panels wider than a strip or a leaf, by the table, with V and T and without; in
 * single precision a GPU takes them at once if their columns are independent */
static void check_wide_panels(panel_t p)
{
    static const int wide[] = {33, 48, 64, 65, 100, 127, 128};
    static const int more[] = {0, 1, 15, 200, 1500};
    for (int k = 0; k < 7 * 5; ++k) {
        const int64_t b = wide[k / 5], m = b + more[k % 5];
        uint64_t seed = (uint64_t)(1000 * m + 10 * b + (int)p);
        if (b > on(handle)->tune->block || too_large(m / 4, b / 4, 1) ||
            left_out((int)p + k, 12) || left_out_there((int)p + k, 4))
            continue;
        const mat_t A = make_panel(p, m, b, &seed);
        mat_t dA = to_backend(A), dtau = to_backend(new_mat(b, 1));
        mat_t dV = to_backend(new_mat(m, b)), dT = to_backend(new_mat(b, b));
        ck_assert_ok(table()->panel(on(handle), dA, dtau.data, dV, dT));
        const mat_t F = from_backend(dA), tau = from_backend(dtau);
        const mat_t Q = check_factors(p, A, F, tau);
        check_block(F, tau, Q, from_backend(dV), from_backend(dT));
        by_table = 1;
        dA = to_backend(A);
        factor(dA, dtau);
        by_table = 0;
        if (on_device) /* the CPU goes another way                            */
            ck_assert_same(from_backend(dA), F);
        release_pool();
    }
}

START_TEST(wide_panels) { check_wide_panels((panel_t)_i); }
END_TEST

/* all of this on devices where a block has less shared memory, which go other ways */
static const int less_shared[] = {101376, 166912};
START_TEST(less_shared_memory)
{
    static const int rows[] = {33, 100, 1000, 4097};
    const panel_t p = (panel_t)(_i / 2);
    if (!on_device)
        return;
    pretend_shared(handle, less_shared[_i % 2]);
    check_wide_panels(p);
    for (int k = 0; k < 4 * WIDTHS; ++k) {
        const int m = rows[k / WIDTHS];
        if (width[k % WIDTHS] > m || too_large(m / 16, m / 16, 1))
            continue;
        by_table = 1;
        check_panel(p, m, width[k % WIDTHS]);
        by_table = 0;
        release_pool();
    }
}
END_TEST

/* the same bits, run after run */
START_TEST(repeats)
{
    uint64_t seed = 9;
    const mat_t A = normal_mat(1500, 29, &seed);
    mat_t F[2], tau[2], R[2];
    for (int k = 0; k < 2; ++k) {
        mat_t dA = to_backend(A), dtau = to_backend(new_mat(29, 1));
        factor(dA, dtau);
        F[k] = from_backend(dA);
        tau[k] = from_backend(dtau);
        R[k] = triangle_of(A);
    }
    ck_assert_same(F[0], F[1]);
    ck_assert_same(tau[0], tau[1]);
    ck_assert_same(R[0], R[1]);
}
END_TEST

/* several leaves a block on any device, and a ragged last one */
START_TEST(tall)
{
    if (too_large(200, 1, 1))
        return;
    check_panel(FULL, on_device ? 100003 : 10007, 32);
    release_pool();
    check_panel(LAST_ROWS, on_device ? 50000 : 5000, 5);
}
END_TEST

/* one entry in all, far apart: its place does not matter */
START_TEST(one_entry)
{
    for (int64_t at = 0; at < 300; at += 7) {
        if (left_out((int)at, 5) || left_out_there((int)at, 3))
            continue;
        mat_t A = zero_mat(300, 2);
        AT(A, at, 1) = make(3, 0);
        mat_t dA = to_backend(A), dtau = to_backend(new_mat(2, 1));
        factor(dA, dtau);
        const mat_t F = from_backend(dA);
        ck_assert(re(AT(F, 0, 0)) == 0);
        const double big =
            hypot((double)abs_of(AT(F, 0, 1)), (double)abs_of(AT(F, 1, 1)));
        ck_assert(fabs(big - 3) <= 8 * GSVD_ULP);
        ck_assert(defect(form_q(F, from_backend(dtau))) * 300 < 20);
        release_pool();
    }
}
END_TEST

/* two extreme numbers, on the backend itself */
START_TEST(pairs_of_extremes)
{
    for (int k = 0; k < EXTREMES; ++k) {
        mat_t A = new_mat(2, 1);
        AT(A, 0, 0) = make(extreme[_i], 0);
        AT(A, 1, 0) = make(extreme[k], 0);
        const long double rho = hypotl(extreme[_i], extreme[k]);
        if (!(rho < (long double)GSVD_REAL_MAX) || left_out(_i + k, 9) ||
            left_out_there(_i + k, 4))
            continue;
        const mat_t R = triangle_of(A);
        mat_t dA = to_backend(A), dtau = to_backend(new_mat(1, 1));
        factor(dA, dtau);
        const mat_t F = from_backend(dA);
        const long double tol = 6 * GSVD_EPS * rho + GSVD_SAFMIN * GSVD_ULP;
        ck_assert(fabsl(re(AT(R, 0, 0)) - rho) <= tol);
        ck_assert(fabsl(fabs_r(re(AT(F, 0, 0))) - rho) <= tol);
        ck_assert(defect(form_q(F, from_backend(dtau))) < 8);
        release_pool();
    }
}
END_TEST

/* a verdict of 0 leaves everything as it is; any other is as none */
START_TEST(verdict)
{
    if (!on_device)
        return;
    uint64_t seed = 11;
    const mat_t A = normal_mat(77, 9, &seed);
    for (int v = 0; v < 2; ++v) {
        int *const dv = to_backend_int(&v, 1);
        mat_t dA = to_backend(A), dtau = to_backend(new_mat(9, 1));
        mat_t dF = to_backend(A), dt = to_backend(new_mat(9, 1));
        const mat_t untouched = from_backend(dtau);
        factor_by_tree(dA, dtau.data, dv);
        factor(dF, dt);
        ck_assert_same(from_backend(dA), v ? from_backend(dF) : A);
        ck_assert_same(from_backend(dtau), v ? from_backend(dt) : untouched);
    }
}
END_TEST

/* no columns: no work */
START_TEST(empty)
{
    mat_t A = to_backend(new_mat(5, 0)), R = to_backend(new_mat(0, 0));
    if (on_device) {
        ck_assert_ok(cuda_panel(on(handle), A, NULL, NULL, NULL, NULL));
        ck_assert_ok(cuda_r(on(handle), A, R, NULL));
    } else {
        ck_assert_ok(X(tsqr_panel_cpu)(on(handle), A, NULL, NULL, NULL));
        ck_assert_ok(X(tsqr_r_cpu)(on(handle), A, R, NULL));
    }
}
END_TEST

Suite *make_suite(void)
{
    Suite *s = suite_create("tsqr");
    TCase *t = add_tcase(s, "rotation");
    tcase_add_loop_test(t, rotation_of_extremes, 0, EXTREMES);
    tcase_add_test(t, rotation_is_scale_free);
    tcase_add_test(t, rotation_of_rows);
    t = add_tcase(s, "panel");
    tcase_add_test(t, empty);
    tcase_add_loop_test(t, pairs_of_extremes, 0, EXTREMES);
    tcase_add_test(t, one_entry);
    tcase_add_loop_test(t, wide_panels, 0, PANELS);
    add_shared_loop_test(t, long_panels, 0, 4 * LONG, 2);
    tcase_add_test(t, places_are_few);
    add_shared_loop_test(t, panels, 0, PANELS * HEIGHTS, 2);
    tcase_add_loop_test(t, less_shared_memory, 0, 2 * PANELS);
    tcase_add_test(t, tall);
    tcase_add_test(t, repeats);
    tcase_add_test(t, verdict);
    return s;
}
