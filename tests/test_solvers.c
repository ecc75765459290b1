/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* test_solvers.c -- every solver of every list (core/solver.h), forced; which way a
 * factorization takes on a GPU, panel by panel; it is as good on every way, and on the
 * CPU.
 *
 * A kernel chooses by numbers of its Gram matrix's factor R, columns of one length up
 * to a power of two: the condition of R's diagonal tiles of 8, its pivots, and
 * |R|_F |R^-1|_F column by row.  The same numbers are computed here, in double, from
 * LAPACK's R.  Each panel of the tables is on one side of each threshold, clearly; that
 * is asserted on any machine, and on a device that the kernels have counted so.
 *
 * Factors are measured column by column in ulp, against the square root of the number
 * of reflectors: thresholds do not grow with the rows, nor with the condition. */
#include <complex.h>

#include "core/blas.h"
#include "core/solver.h"
#include "harness/harness.h"
#include "jacobi/jacobi.h"
#include "lapacke.h"
#include "qr/qr.h"

static uint64_t seed;

/* ---- panels --------------------------------------------------------------- */

typedef enum kind {
    RANDOM,    /* normal                                                      */
    CONDITION, /* singular values from 1 down to 2^-bits, geometrically       */
    ZERO,      /* one column is zero                                          */
    GRADED,    /* columns from 2^-20 to 2^20                                  */
    LARGE,     /* RANDOM times 2^bits, where drivers scale matrices to        */
    COPY,      /* the last column is the first                                */
    KAHAN,     /* Kahan's triangle, turned                                    */
    TILE /* R is I but for one entry 2^bits within its second tile of 8      */
} kind_t;

/* What is to be: of a strip and of R alone by precision, [0] double and [1] single; of
 * a panel without strips, which only single precision has.  EITHER: what the forecast
 * says, and next to a threshold any. */
typedef struct panel {
    kind_t kind;
    int bits;
    int strip[2], r[2], wide;
} panel_t;

#define ONCE WAY_STRIP_ONCE
#define TWICE WAY_STRIP_TWICE
#define TREE WAY_STRIP_TSQR
#define R_ONCE WAY_R_ONCE
#define R_TWICE WAY_R_TWICE
#define R_TREE WAY_R_TSQR
#define WIDE WAY_WIDE
#define COLUMNS WAY_COLUMNS
#define EITHER WAYS

static const panel_t panel[] = {
    {RANDOM, 0, {ONCE, ONCE}, {R_ONCE, R_ONCE}, WIDE},
    {CONDITION, 2, {TWICE, ONCE}, {R_ONCE, R_ONCE}, WIDE},
    {CONDITION, 4, {TWICE, ONCE}, {R_ONCE, R_ONCE}, WIDE},
    {CONDITION, 6, {TWICE, ONCE}, {R_TWICE, R_ONCE}, WIDE},
    {CONDITION, 8, {TWICE, ONCE}, {R_TWICE, R_ONCE}, WIDE},
    {CONDITION, 10, {TWICE, ONCE}, {R_TWICE, R_ONCE}, WIDE},
    {CONDITION, 11, {TWICE, EITHER}, {R_TWICE, R_ONCE}, EITHER},
    {CONDITION, 12, {TWICE, TWICE}, {R_TWICE, R_ONCE}, EITHER},
    {CONDITION, 13, {EITHER, EITHER}, {EITHER, EITHER}, COLUMNS},
    {CONDITION, 14, {EITHER, EITHER}, {EITHER, EITHER}, COLUMNS},
    {CONDITION, 16, {EITHER, EITHER}, {EITHER, EITHER}, COLUMNS},
    {CONDITION, 18, {EITHER, EITHER}, {EITHER, EITHER}, COLUMNS},
    {CONDITION, 20, {EITHER, EITHER}, {EITHER, EITHER}, COLUMNS},
    {ZERO, 0, {TREE, TREE}, {R_TREE, R_TREE}, COLUMNS},
    {GRADED, 0, {ONCE, ONCE}, {R_ONCE, R_ONCE}, WIDE},
    {LARGE, GSVD_SINGLE ? 48 : 480, {ONCE, ONCE}, {R_ONCE, R_ONCE}, WIDE},
    {COPY, 0, {TREE, TREE}, {R_TREE, R_TREE}, COLUMNS},
    {KAHAN, 0, {TWICE, TWICE}, {R_TWICE, R_ONCE}, COLUMNS},
    {TILE, 2, {TWICE, ONCE}, {R_ONCE, R_ONCE}, WIDE},
    {TILE, 10, {TREE, TREE}, {R_TREE, R_TREE}, COLUMNS},
};
enum { KINDS = sizeof panel / sizeof *panel, WIDEST = 128 / REALS_PER_SCALAR };

/* m x b with orthonormal columns */
static mat_t orthonormal(int64_t m, int64_t b)
{
    const mat_t Q = normal_mat(m, b, &seed);
    lapack_form_q(Q, lapack_qr(Q));
    return Q;
}

/* of Kahan's triangle: cosine and sine */
#define KAHAN_C 0.3
#define KAHAN_S sqrt(1 - KAHAN_C * KAHAN_C)

static mat_t make_panel(const panel_t *p, int64_t m, int64_t b)
{
    mat_t A = normal_mat(m, b, &seed), R = zero_mat(b, b);
    switch (p->kind) {
    case RANDOM: break;
    case CONDITION:
        A = orthonormal(m, b);
        for (int64_t j = 0; j < b; ++j)
            scale_column(A, j,
                         exp2(-(double)p->bits * (double)j / (double)(b - 1)));
        A = product('N', 'C', A, orthonormal(b, b));
        break;
    case ZERO: scale_column(A, b / 3, 0); break;
    case GRADED:
        for (int64_t j = 0; j < b; ++j)
            scale_column(A, j, exp2((double)(j * 7 % 41) - 20));
        break;
    case LARGE:
        for (int64_t j = 0; j < b; ++j)
            scale_column(A, j, exp2(p->bits));
        break;
    case COPY:
        for (int64_t i = 0; i < m; ++i)
            AT(A, i, b - 1) = AT(A, i, 0);
        break;
    case KAHAN:
        for (int64_t j = 0; j < b; ++j)
            for (int64_t i = 0; i <= j; ++i)
                AT(R, i, j) = make(
                    (real_t)(pow(KAHAN_S, (double)i) * (i == j ? 1 : -KAHAN_C)),
                    0);
        A = product('N', 'N', orthonormal(m, b), R);
        break;
    case TILE:
        for (int64_t j = 0; j < b; ++j)
            AT(R, j, j) = make(1, 0);
        AT(R, 9, 13) = make((real_t)exp2(p->bits), 0);
        A = product('N', 'N', orthonormal(m, b), R);
        break;
    }
    return A;
}

/* ---- what the kernels will see -------------------------------------------- */

typedef __typeof__(1. * (scalar_t)0)
    big_t; /* double, real or complex as the letter  */
#define BIG(name, ...)                                                         \
    (REALS_PER_SCALAR == 1 ? GSVD_PASTE(LAPACKE_d, name)(__VA_ARGS__)          \
                           : GSVD_PASTE(LAPACKE_z, name)(__VA_ARGS__))

/* of R D, columns of one length up to a factor of 2 */
typedef struct forecast {
    double tile;      /* the largest |T|_F |T^-1|_F of a diagonal tile T      */
    double pivot;     /* the least |r_jj|^2                                   */
    double condition; /* |R|_F |R^-1|_F, columns of one length                */
} forecast_t;

static double square_of_big(big_t x)
{
    return creal(x) * creal(x) + cimag(x) * cimag(x);
}

/* the b x b R of A by LAPACK in double */
static big_t *big_triangle(mat_t A)
{
    const int64_t m = A.rows, b = A.cols;
    big_t *const a = grab((size_t)(m * b) * sizeof *a);
    big_t *const R = grab((size_t)(b * b) * sizeof *R);
    big_t *const tau = grab((size_t)b * sizeof *tau);
    for (int64_t j = 0; j < b; ++j)
        for (int64_t i = 0; i < m; ++i) {
            const double part[2] = {re(AT(A, i, j)), im(AT(A, i, j))};
            memcpy(a + i + j * m, part, sizeof *a);
        }
    ck_assert_int_eq(0,
                     BIG(geqrf, LAPACK_COL_MAJOR, (lapack_int)m, (lapack_int)b,
                         (void *)a, (lapack_int)m, (void *)tau));
    for (int64_t j = 0; j < b; ++j)
        for (int64_t i = 0; i < b; ++i)
            R[i + j * b] = i <= j ? a[i + j * m] : 0;
    return R;
}

/* The sum of |T(:,j)|^2 |T^-1(j,:)|^2 if each, else of |T(:,j)|^2 times that of
 * |T^-1(j,:)|^2, for the n x n triangle T; infinite if it is singular */
static double condition_of(const big_t *T, int64_t ld, int64_t n, int each,
                           int64_t others)
{
    big_t *const X_ = grab((size_t)(n * n) * sizeof *X_);
    double sum = 0, of_T = 0, of_X = 0;
    for (int64_t j = 0; j < n; ++j)
        for (int64_t i = 0; i < n; ++i)
            X_[i + j * n] = T[i + j * ld];
    if (BIG(trtri, LAPACK_COL_MAJOR, 'U', 'N', (lapack_int)n, (void *)X_,
            (lapack_int)n) != 0)
        return HUGE_VAL;
    for (int64_t j = 0; j < n; ++j) {
        double column = 0, row = 0;
        for (int64_t i = 0; i < n; ++i) {
            column += i <= j ? square_of_big(T[i + j * ld]) : 0;
            row += i >= j ? square_of_big(X_[j + i * n]) : 0;
        }
        sum += column * row;
        of_T += column;
        of_X += row;
    }
    return each ? sum + (double)others
                : (of_T + (double)others) * (of_X + (double)others);
}

/* for kernels that take A as one of n columns, with those of I behind it */
static forecast_t look_at(mat_t A, int64_t n)
{
    const int64_t b = A.cols;
    big_t *const R = big_triangle(A);
    forecast_t f = {0, HUGE_VAL, HUGE_VAL};
    for (int64_t j = 0; j < b; ++j) {
        double square = 0;
        for (int64_t i = 0; i <= j; ++i)
            square += square_of_big(R[i + j * b]);
        if (square == 0) {
            f.pivot = 0;
            return f;
        }
        const double up = exp2((double)(-ilogb(square) / 2));
        for (int64_t i = 0; i <= j; ++i)
            R[i + j * b] *= up;
        f.pivot = fmin(f.pivot, square_of_big(R[j + j * b]));
    }
    for (int64_t j = 0; j < b; j += 8) {
        const int64_t c = min_i(8, b - j);
        f.tile =
            fmax(f.tile, sqrt(condition_of(R + j + j * b, b, c, 0, 8 - c)));
    }
    f.condition = sqrt((double)n * condition_of(R, b, b, 1, n - b));
    return f;
}

/* 1: x is below `limit`, clearly, 0: above, -1: neither */
static int below_limit(double x, double limit)
{
    return x < limit / 1.05 ? 1 : x > limit * 1.05 ? 0 : -1;
}

/* Cholesky's factor will be found good (1), not good (0); -1: who knows */
static int cholesky_will_do(forecast_t f)
{
    const int tile = below_limit(f.tile, 0x1p7);
    const int pivot = !below_limit(f.pivot, 0x1p-60);
    return f.pivot == 0 ? 0 : tile == 1 && pivot == 1 ? 1 : tile == 0 ? 0 : -1;
}

/* Of a strip or of R alone: one pass, which is way `first`, two or the tree, `once`
 * being the condition up to which it is one; EITHER next to a threshold.  In the second
 * pass |E|, of which 2^-8 is the limit, is rounding in double times the square of the
 * condition over 32. */
static int strip_forecast(forecast_t f, double once, int first)
{
    const int good = cholesky_will_do(f);
    const int one = below_limit(f.condition, once);
    if (good == 0)
        return first + 2;
    if (good < 0 || one < 0 || (!one && f.condition > 0x1p19))
        return EITHER;
    return first + !one;
}

static int wide_forecast(forecast_t f)
{
    const int good = cholesky_will_do(f);
    const int one = below_limit(f.condition, 0x1p14);
    if (good == 0 || one == 0)
        return WAY_COLUMNS;
    return good == 1 && one == 1 ? WAY_WIDE : EITHER;
}

/* The table and the forecast say the same. */
static int agreed(int table_says, int forecast, forecast_t f)
{
    ck_assert_msg(table_says == EITHER || table_says == forecast,
                  "way %d, not %d: tile %g, pivot %g, condition %g",
                  (int)forecast, (int)table_says, f.tile, f.pivot, f.condition);
    return forecast;
}

/* ---- how good the factors are --------------------------------------------- */

static double length_of(mat_t A, int64_t j)
{
    double sum = 0;
    for (int64_t i = 0; i < A.rows; ++i)
        sum +=
            pow((double)re(AT(A, i, j)), 2) + pow((double)im(AT(A, i, j)), 2);
    return sqrt(sum);
}

/* The limit, times ulp sqrt(b).  On a device the kernels are ours; on a CPU they are the
 * BLAS's: 1.3 was seen, and 16 with OpenBLAS's for the oldest processor, and the limit
 * is LAPACK's. */
static double limit(void) { return on_device ? 8 : 20; }

/* The largest |Q^H Q - I|, by sums in extended precision: a BLAS may add as many numbers as there
 * are rows one after the other */
static double unitary_defect(mat_t Q)
{
    double worst = 0;
    for (int64_t j = 0; j < Q.cols; ++j)
        for (int64_t k = 0; k <= j; ++k) {
            long double x = k == j ? -1 : 0, y = 0;
            for (int64_t i = 0; i < Q.rows; ++i) {
                const scalar_t f = AT(Q, i, k), g = AT(Q, i, j);
                x += (long double)re(f) * re(g) + (long double)im(f) * im(g);
                y += (long double)re(f) * im(g) - (long double)im(f) * re(g);
            }
            worst = fmax(worst, (double)hypotl(x, y));
        }
    return worst;
}

/* A - Q R of A's factors in F */
static mat_t rest_of(mat_t A, mat_t F, mat_t tau, mat_t *Q)
{
    const mat_t D = copy_mat(A);
    *Q = copy_mat(F);
    lapack_form_q(*Q, tau);
    gemm('N', 'N', -1, *Q, upper_part(mat_rows(F, 0, F.cols)), 1, D);
    return D;
}

/* |A - Q R| column by column and the entries of Q^H Q - I, in ulp times sqrt(b) */
static void check_factors(const char *what, mat_t A, mat_t F, mat_t tau)
{
    const double unit = GSVD_ULP * sqrt((double)A.cols);
    mat_t Q;
    const mat_t D = rest_of(A, F, tau, &Q);
    double residual = 0;

    for (int64_t j = 0; j < A.cols; ++j) {
        const double whole = length_of(A, j), rest = length_of(D, j);
        if (!(rest <= residual * whole))
            residual = whole > 0 ? rest / whole : HUGE_VAL;
    }
    const double defect_ = unitary_defect(Q);
    ck_assert_msg(residual < limit() * unit && defect_ < limit() * unit,
                  "%s: residual %.3g, defect %.3g", what, residual / unit,
                  defect_ / unit);
}

/* R^H R = A^H A, entry by entry, relative to the columns' lengths */
static void check_triangle(mat_t A, mat_t R)
{
    const int64_t b = A.cols;
    double worst = 0;
    for (int64_t j = 0; j < b; ++j)
        for (int64_t k = 0; k <= j; ++k) {
            long double x = 0, y = 0; /* beyond the rounding of the sums     */
            for (int64_t i = 0; i < A.rows + b; ++i) {
                const int of_R = i >= A.rows;
                const scalar_t f = of_R ? AT(R, i - A.rows, k) : AT(A, i, k);
                const scalar_t g = of_R ? AT(R, i - A.rows, j) : AT(A, i, j);
                const long double sign = of_R ? -1 : 1;
                x += sign *
                     ((long double)re(f) * re(g) + (long double)im(f) * im(g));
                y += sign *
                     ((long double)re(f) * im(g) - (long double)im(f) * re(g));
            }
            const double whole = length_of(A, j) * length_of(A, k);
            const double off = (double)hypotl(x, y);
            if (!(off <= worst * whole))
                worst = whole > 0 ? off / whole : HUGE_VAL;
        }
    const double ratio = worst / (GSVD_ULP * sqrt((double)b));
    ck_assert_msg(ratio < limit(), "R^H R: %g", ratio);
}

/* ---- the ways ------------------------------------------------------------ */

/* What the handle has counted since the last call */
static void since_last(unsigned (*count)[WAYS])
{
    static unsigned last[WAYS];
    unsigned now[WAYS];
    count_ways(handle, &now);
    for (int r = 0; r < WAYS; ++r) {
        (*count)[r] = now[r] - last[r];
        last[r] = now[r];
    }
}

/* On a device: `times` of this way since the last call, and of no other of its kind,
 * which are first, ..., last; EITHER: so many of them all. */
static void ck_assert_way(int way, unsigned times, int first, int last)
{
    unsigned count[WAYS], all = 0;
    since_last(&count);
    if (!on_device)
        return;
    for (int r = first; r <= (int)last; ++r) {
        all += count[r];
        ck_assert_msg(way == EITHER || r == way || count[r] == 0,
                      "way %d taken, expected way %d", r, (int)way);
    }
    ck_assert_uint_eq(all, times);
}

/* rows: some, and more than 32 blocks of a strip have at once */
static const int rows_of_panel[] = {300, 9000};
enum { TALL = 2 };

/* under a sanitizer only the first, and of alike panels some */
static int too_tall(int64_t m, int i)
{
    return too_large(m / 150, 1, 1) || (quick > 1 && (m > 300 || i % 3 != 0));
}

/* Panel i with the rows of `tall`, of which the kernels have n columns */
typedef struct case_of {
    mat_t A;
    forecast_t f;
} case_of_t;

/* 0: it is left out. */
static int make_case(int i, int tall, int64_t b, int64_t n, case_of_t *c)
{
    const int64_t m = rows_of_panel[tall];
    if (too_tall(m, i))
        return 0;
    seed = (uint64_t)(100 * i + tall);
    c->A = make_panel(&panel[i], m, b);
    c->f = look_at(c->A, n);
    return 1;
}

static int forecast_of_strip(forecast_t f)
{
    return strip_forecast(f, GSVD_SINGLE ? 0x1p12 : 38, WAY_STRIP_ONCE);
}

/* Factors A by the backend's panel, with V and T.  That takes `way` in so many parts, and no other
 * way up to `last`. */
static void factor_panel(const char *what, const exec_t *ex, mat_t A, int way,
                         unsigned parts, int last)
{
    const int64_t m = A.rows, b = A.cols;
    const mat_t dA = to_backend(A), dtau = to_backend(new_mat(b, 1));
    const mat_t dV = to_backend(new_mat(m, b)), dT = to_backend(new_mat(b, b));
    unsigned count[WAYS];

    since_last(&count);
    ck_assert_ok(table()->panel(ex, dA, dtau.data, dV, dT));
    ck_assert_way(way, parts, WAY_STRIP_ONCE, last);
    check_factors(what, A, from_backend(dA), from_backend(dtau));
    release_pool();
}

START_TEST(strips)
{
    for (int k = 0; k < TALL; ++k) {
        case_of_t c;
        if (!make_case(_i, k, 32, 32, &c))
            continue;
        const int way =
            agreed(panel[_i].strip[GSVD_SINGLE], forecast_of_strip(c.f), c.f);
        factor_panel("strip", on(handle), c.A, way, 1, WAY_REFLECTORS);
    }
}
END_TEST

/* Where rows are to be accurate a strip takes Cholesky's way of one pass, or reflectors.  Of
 * 9000 rows some machines have no room for either. */
START_TEST(rowwise_strips)
{
    for (int k = 0; k < TALL; ++k) {
        case_of_t c;
        exec_t ex = *on(handle);
        if (!make_case(_i, k, 32, 32, &c))
            continue;
        const int way =
            agreed(panel[_i].strip[GSVD_SINGLE], forecast_of_strip(c.f), c.f);
        const int taken =
            way == WAY_STRIP_ONCE || way == EITHER ? way : WAY_REFLECTORS;
        ex.policy.rowwise_stable = 1;
        factor_panel("rowwise strip", &ex, c.A, k == 0 ? taken : EITHER, 1,
                     WAY_REFLECTORS);
    }
}
END_TEST

/* The largest |A(i,:) - Q(i,:) R| / |A(i,:)|, in ulp times b */
static double row_residual(mat_t A, mat_t F, mat_t tau)
{
    const int64_t m = A.rows, b = A.cols;
    mat_t Q;
    const mat_t D = rest_of(A, F, tau, &Q);
    double worst = 0;

    for (int64_t i = 0; i < m; ++i) {
        double whole = 0, rest = 0;
        for (int64_t j = 0; j < b; ++j) {
            whole = fmax(whole, (double)abs_of(AT(A, i, j)));
            rest = fmax(rest, (double)abs_of(AT(D, i, j)));
        }
        worst = fmax(worst, rest / whole);
    }
    return worst / (GSVD_ULP * (double)b);
}

/* The last third of the rows falls by 2^-40; each has its own accuracy, by either way. */
START_TEST(rows_of_strips)
{
    const int64_t m = 300, b = 32;
    for (int option = 0; option < 2; ++option) {
        seed = 70 + (uint64_t)_i;
        const mat_t A = normal_mat(m, b, &seed);
        for (int64_t i = 200; i < m; ++i)
            scale_row(A, i, exp2(-0.4 * (double)(i - 199)));
        ck_assert_int_eq(forecast_of_strip(look_at(A, 32)), WAY_STRIP_ONCE);
        mat_t dA = to_backend(A), dtau = to_backend(new_mat(b, 1));
        const mat_t none = mat_view(NULL, 0, 0, 1);
        gsvd_set_option(handle, GSVD_PANEL,
                        option ? GSVD_PANEL_TSQR : GSVD_PANEL_AUTO);
        exec_t ex = *on(handle);
        unsigned count[WAYS];
        ex.policy.rowwise_stable = 1;
        since_last(&count);
        ck_assert_ok(table()->panel(&ex, dA, dtau.data, none, none));
        ck_assert_way(option ? WAY_REFLECTORS : WAY_STRIP_ONCE, 1,
                      WAY_STRIP_ONCE, WAY_REFLECTORS);
        const double off =
            row_residual(A, from_backend(dA), from_backend(dtau));
        ck_assert_msg(off < limit(), "rows are off by %.3g", off);
        release_pool();
    }
}
END_TEST

START_TEST(triangles)
{
    for (int k = 0; k < TALL; ++k) {
        case_of_t c;
        unsigned count[WAYS];
        if (!make_case(_i, k, 32, 32, &c))
            continue;
        const int way = agreed(
            panel[_i].r[GSVD_SINGLE],
            strip_forecast(c.f, GSVD_SINGLE ? 0x1p24 : 0x1p7, WAY_R_ONCE), c.f);
        const mat_t dA = to_backend(c.A), dR = to_backend(new_mat(32, 32));

        since_last(&count);
        ck_assert_ok(table()->r_only(on(handle), dA, dR));
        ck_assert_way(way, 1, WAY_R_ONCE, WAY_R_TSQR);
        check_triangle(c.A, from_backend(dR));
        release_pool();
    }
}
END_TEST

/* more columns than a strip: at once where tuning_t.cholesky_wide says so, else by strips */
START_TEST(wide_panels)
{
    const int64_t b = min_i(WIDEST, on(handle)->tune->block);
    const int at_once = numbers_of(handle)->cholesky_wide > 0;
    for (int k = 0; k < TALL; ++k) {
        case_of_t c;
        if (!make_case(_i, k, b, WIDEST, &c))
            continue;
        const int way = GSVD_SINGLE /* in double of the strips' ways         */
                            ? agreed(panel[_i].wide, wide_forecast(c.f), c.f)
                            : EITHER;
        factor_panel("wide panel", on(handle), c.A, at_once ? way : EITHER,
                     at_once ? 1 : (unsigned)(b / 32),
                     at_once ? WAY_REFLECTORS : WAY_STRIP_TSQR);
    }
}
END_TEST

/* the options and the rows' accuracy choose, whatever the panel is */
START_TEST(by_request)
{
    const int64_t m = 60, b = 32;
    const mat_t A = normal_mat(m, b, &seed), none = mat_view(NULL, 0, 0, 1);
    unsigned count[WAYS];
    for (int rows = 0; rows < 2; ++rows) {
        mat_t dA = to_backend(A), dtau = to_backend(new_mat(b, 1));
        gsvd_set_option(handle, GSVD_PANEL, GSVD_PANEL_TSQR);
        exec_t ex = *on(handle);
        ex.policy.rowwise_stable = rows;
        since_last(&count);
        ck_assert_ok(table()->panel(&ex, dA, dtau.data, none, none));
        ck_assert_way(rows ? WAY_REFLECTORS : WAY_STRIP_TSQR, 1, WAY_STRIP_ONCE,
                      WAY_REFLECTORS);
        check_factors("by request", A, from_backend(dA), from_backend(dtau));
    }
    ck_assert_ok(
        table()->r_only(on(handle), to_backend(A), to_backend(new_mat(b, b))));
    ck_assert_way(WAY_R_TSQR, 1, WAY_R_ONCE, WAY_R_TSQR);
}
END_TEST

/* Products in three parts where they pay, and passes over the columns that remain:
 * where the machine's numbers want them, the latter real ones with panels of full width. */
START_TEST(products_and_passes)
{
    const tuning_t *const tune = numbers_of(handle);
    const int64_t large = 1536, m = 64, n = 40, b = 32, w = 40;
    unsigned count[WAYS];
    since_last(&count);
    for (int64_t k = large; k >= 48; k /= 32) {
        if (too_large(k, k, k))
            continue;
        const mat_t dA = to_backend(normal_mat(k, k, &seed));
        const mat_t dC = to_backend(new_mat(k + 1, k)); /* ld: of 4          */
        give_room((size_t)64 << 20);
        ck_assert_ok(
            table()->gemm(on(handle), 'N', 'N', dA, dA, mat_rows(dC, 0, k)));
        ck_assert_way(WAY_SPLIT, tune->split_rate > 0 && k == large, WAY_SPLIT,
                      WAY_SPLIT);
        release_pool();
    }
    for (int narrow = 0; narrow < 2; ++narrow) {
        const int64_t v = b - narrow;
        const mat_t dV = to_backend(normal_mat(m, v, &seed));
        const mat_t dY = to_backend(normal_mat(v, n, &seed));
        const mat_t dC = to_backend(normal_mat(m, n, &seed));
        const mat_t dT = to_backend(identity_mat(v, v));
        const unsigned one =
            REALS_PER_SCALAR == 1 && tune->fused_sketch && !narrow;
        ck_assert_ok(table()->project(on(handle), dV, dT, dC,
                                      to_backend(new_mat(v, n)), dY));
        ck_assert_way(WAY_PASS, one, WAY_PASS, WAY_PASS);
        ck_assert_ok(table()->update_sketch(
            on(handle), dV, dY, dC, b, to_backend(normal_mat(w, m - b, &seed)),
            to_backend(new_mat(w, n))));
        ck_assert_way(WAY_PASS, one, WAY_PASS, WAY_PASS);
    }
}
END_TEST

/* ---- the lists -------------------------------------------------------------- */

/* The list of this name of the backend under test, or NULL */
static const solvers_t *list_of(const char *name)
{
    for (const solvers_t *const *t = table()->solvers; *t; ++t)
        if (strcmp((*t)->name, name) == 0)
            return *t;
    return NULL;
}

/* on(handle), with this solver forced, and so many bytes of work */
static exec_t forced(const solvers_t *list, const solver_t *s, size_t bytes)
{
    exec_t ex = *on(handle);
    ex.policy.force[0] = (forced_t){list->name, s->name};
    ck_assert_uint_le(bytes, ex.work.size);
    ex.work = gsvd_arena_over(ex.work.base, bytes);
    return ex;
}

/* The solvers were run; some need a machine whose numbers want them. */
static void ck_assert_all_run(const solvers_t *list, const int *runs)
{
    const tuning_t *const tune = numbers_of(handle);
    for (int i = 0; i < list->count; ++i) {
        const char *const name = list->first[i].name;
        if (strcmp(name, "Cholesky at once") == 0 && !tune->cholesky_wide)
            continue;
        if (strcmp(name, "three TF32 products") == 0 && tune->split_rate == 0)
            continue;
        if (strcmp(name, "one pass") == 0 && !tune->fused_sketch)
            continue;
        if (!table()->form_q && list == &X(form_solvers) &&
            strcmp(name, "reflectors one by one") == 0)
            continue;
        ck_assert_msg(runs[i] > 0 || quick, "%s: no task for %s", list->name,
                      name);
    }
}

/* A list of no backend, whose solvers are chosen and not run */
static int two_columns(const exec_t *ex, const task_t *t)
{
    (void)ex;
    return t->A.cols <= 2;
}
static int by_option(const exec_t *ex, const task_t *t)
{
    (void)t;
    return ex->policy.panel == GSVD_PANEL_TSQR;
}
static size_t as_rows(const exec_t *ex, const task_t *t)
{
    (void)ex;
    return (size_t)t->A.rows;
}
static size_t as_columns(const exec_t *ex, const task_t *t)
{
    (void)ex;
    return (size_t)t->A.cols;
}

START_TEST(chosen_in_order)
{
    static const solver_t solver[] = {
        {"by option", by_option, two_columns, as_rows, NULL},
        {"narrow", NULL, two_columns, as_columns, NULL},
        {"any", NULL, NULL, NULL, NULL},
    };
    static const solvers_t list = SOLVERS("these", solver);
    const task_t large = {.A = mat_of_size(90, 40)};
    /* by columns, less 2, and option: which one is taken, and forced i, which */
    static const int free_[2][2] = {{1, 0}, {2, 2}};
    static const int bound[2][3] = {{0, 1, 2}, {2, 2, 2}};
    ck_assert_int_eq(list.count, 3);
    for (int wide = 0; wide < 2; ++wide)
        for (int option = 0; option < 2; ++option) {
            const task_t t = {.A = mat_of_size(5, 2 + wide)};
            exec_t ex = *on(handle);
            ex.policy.panel = option ? GSVD_PANEL_TSQR : GSVD_PANEL_AUTO;
            ex.policy.force[0] = (forced_t){"others", "any"};
            ck_assert_ptr_eq(choose_solver(&list, &ex, &t),
                             &solver[free_[wide][option]]);
            ck_assert_uint_eq(solvers_bytes(&list, &ex, &large),
                              option ? 90 : 40);
            for (int i = 0; i < 3; ++i) {
                ex.policy.force[1] = (forced_t){list.name, solver[i].name};
                ck_assert_ptr_eq(
                    choose_solver(&list, &ex, &t),
                    &solver[wide && i < 2 ? free_[1][option] : bound[wide][i]]);
                ck_assert_uint_eq(solvers_bytes(&list, &ex, &large),
                                  option || i == 0 ? 90 : 40);
                ck_assert_ptr_eq(next_solver(&list, &ex, &t, &solver[1]),
                                 &solver[2]);
            }
            ck_assert_ptr_null(next_solver(&list, &ex, &t, &solver[2]));
        }
}
END_TEST

/* The first b columns of I - V T V^H, and of Q from A's reflectors: as in check_factors */
static void check_block(const char *what, mat_t F, mat_t tau, mat_t V, mat_t T)
{
    const int64_t m = F.rows, b = F.cols;
    const double unit = GSVD_ULP * sqrt((double)b);
    const mat_t Q = copy_mat(F), P = identity_mat(m, b);

    lapack_form_q(Q, tau);
    gemm('N', 'N', -1, V, product('N', 'C', T, mat_rows(V, 0, b)), 1, P);
    ck_assert_msg(distance(P, Q) < limit() * unit, "%s: V and T are off by %g",
                  what, distance(P, Q) / unit);
}

/* |r_ij| does not depend on the solver but for rounding, times a condition below 8 */
static void check_same_R(const char *what, mat_t F, mat_t G)
{
    const double unit = GSVD_ULP * sqrt((double)F.cols) * length_of(F, 0);
    for (int64_t j = 0; j < F.cols; ++j)
        for (int64_t i = 0; i <= j; ++i) {
            const double off =
                fabs((double)abs_of(AT(F, i, j)) - (double)abs_of(AT(G, i, j)));
            ck_assert_msg(off < 8 * limit() * unit, "%s: |R| is off by %g",
                          what, off / unit);
        }
}

/* On a device so many strips were taken by one pass of Cholesky or by reflectors. */
static void ck_assert_rowwise(unsigned parts)
{
    unsigned count[WAYS];
    since_last(&count);
    if (!on_device)
        return;
    ck_assert_uint_eq(count[WAY_STRIP_ONCE] + count[WAY_REFLECTORS], parts);
    ck_assert_uint_eq(count[WAY_STRIP_TWICE] + count[WAY_STRIP_TSQR], 0);
}

/* On a device the way was taken that was forced, in so many strips. */
static void ck_assert_taken(const char *name, unsigned parts)
{
    if (strcmp(name, "TSQR") == 0)
        ck_assert_way(WAY_STRIP_TSQR, parts, WAY_STRIP_ONCE, WAY_REFLECTORS);
    else if (strcmp(name, "strips accurate by rows") == 0)
        ck_assert_rowwise(parts);
    else if (strcmp(name, "Cholesky at once") == 0)
        ck_assert_way(EITHER, 1, WAY_WIDE, WAY_COLUMNS);
    else
        ck_assert_way(EITHER, parts, WAY_STRIP_ONCE, WAY_STRIP_TSQR);
}

/* One panel by one solver, in as much work as it says */
static void check_panel(const solvers_t *list, const solver_t *s, mat_t A,
                        int with_T, mat_t *F)
{
    const int64_t m = A.rows, b = A.cols;
    const mat_t none = mat_view(NULL, 0, 0, 1);
    const mat_t dA = to_backend(A), dtau = to_backend(new_mat(b, 1));
    const mat_t dV = to_backend(new_mat(m, b));
    const mat_t dT = with_T ? to_backend(new_mat(b, b)) : none;
    /* given V, which lies in one piece */
    const mat_t V = mat_view(to_backend(new_mat(m * b, 1)).data, m, b, m);
    const task_t t = {.A = mat_of_size(m, b)};
    const exec_t ex = forced(list, s, s->bytes(on(handle), &t));
    unsigned count[WAYS];

    since_last(&count);
    ck_assert_ok(table()->panel(&ex, dA, dtau.data, V, dT));
    ck_assert_taken(s->name, (unsigned)(b + 31) / 32);
    *F = from_backend(dA);
    check_factors(s->name, A, *F, from_backend(dtau));
    if (!with_T)
        return;
    ck_assert_ok(table()->copy(on(handle), V, dV));
    check_block(s->name, *F, from_backend(dtau), from_backend(dV),
                from_backend(dT));
}

START_TEST(every_panel)
{
    static const int height[] = {40, 70, 300, 2500};
    const solvers_t *const list = list_of("panel");
    int runs[8] = {0};
    for (int i = 0; i < 4 * 3 * 2; ++i) {
        const int64_t block = on(handle)->tune->block, m = height[i / 6];
        const int64_t wide[] = {4, 32, block}, b = wide[i / 2 % 3];
        const int with_T = i % 2;
        if (m < b || (m < 2 * b && b > 4) || too_tall(m, i))
            continue;
        seed = (uint64_t)(i / 2);
        const mat_t A = normal_mat(m, b, &seed);
        mat_t first = {0}, F, again;
        for (int k = 0; k < list->count; ++k) {
            const solver_t *const s = &list->first[k];
            const mat_t T = with_T ? A : mat_view(NULL, 0, 0, 1);
            const task_t t = {.A = A, .T = T};
            if (!solver_applies(s, on(handle), &t))
                continue;
            check_panel(list, s, A, with_T, &F);
            check_panel(list, s, A, with_T, &again);
            ck_assert_same(F, again);
            if (first.data)
                check_same_R(s->name, F, first);
            first = first.data ? first : F;
            ++runs[k];
        }
        release_pool();
    }
    ck_assert_all_run(list, runs);
}
END_TEST

START_TEST(every_r_only)
{
    static const int height[] = {32, 300, 2500}, width[] = {1, 8, 32};
    const solvers_t *const list = list_of("R alone");
    int runs[8] = {0};
    for (int i = 0; i < 3 * 3; ++i) {
        const int64_t m = height[i / 3], b = width[i % 3];
        if (too_tall(m, i))
            continue;
        seed = (uint64_t)i;
        const mat_t A = normal_mat(m, b, &seed);
        for (int k = 0; k < list->count; ++k) {
            const solver_t *const s = &list->first[k];
            const mat_t dA = to_backend(A), dR = to_backend(new_mat(b, b));
            const task_t t = {.A = mat_of_size(m, b)};
            const exec_t ex =
                forced(list, s, s->bytes ? s->bytes(on(handle), &t) : 0);
            unsigned count[WAYS];
            since_last(&count);
            ck_assert_ok(table()->r_only(&ex, dA, dR));
            if (strcmp(s->name, "TSQR") == 0)
                ck_assert_way(WAY_R_TSQR, 1, WAY_R_ONCE, WAY_R_TSQR);
            else
                ck_assert_way(EITHER, 1, WAY_R_ONCE, WAY_R_TSQR);
            check_triangle(A, from_backend(dR));
            ck_assert_same(from_backend(dA), A);
            ++runs[k];
        }
        release_pool();
    }
    ck_assert_all_run(list, runs);
}
END_TEST

/* entries in (-1, 1), k terms a sum: any solver is off by less than 4 ulp k */
START_TEST(every_gemm)
{
    const solvers_t *const list = list_of("product");
    const int64_t k = 1536;
    int runs[8] = {0};
    if (!list || too_large(k, k, k))
        return;
    const mat_t A = random_mat(k, k, &seed), B = random_mat(k, k, &seed);
    const mat_t expected = product('N', 'C', A, B);
    const mat_t dA = to_backend(A), dB = to_backend(B);
    const size_t bytes = table()->products_bytes(on(handle), k, k, k, SIZE_MAX);
    give_room(bytes > 0 ? bytes : 256);
    for (int i = 0; i < list->count; ++i) {
        const solver_t *const s = &list->first[i];
        const mat_t dC = to_backend(new_mat(k + 1, k)); /* ld: of 4          */
        const mat_t dC1 = mat_rows(dC, 0, k);
        const exec_t ex = forced(list, s, 0);
        unsigned count[WAYS];
        if (!solver_applies(s, &ex, &(task_t){.C = dC1, .k = k}))
            continue;
        since_last(&count);
        ck_assert_ok(table()->gemm(&ex, 'N', 'C', dA, dB, dC1));
        ck_assert_way(WAY_SPLIT, strcmp(s->name, "three TF32 products") == 0,
                      WAY_SPLIT, WAY_SPLIT);
        ck_assert(distance(mat_rows(from_backend(dC), 0, k), expected) <
                  4 * GSVD_ULP * (double)k);
        ++runs[i];
    }
    ck_assert_all_run(list, runs);
}
END_TEST

/* Y = T^H V^H C, of entries in (-1, 1): products of m and v terms */
START_TEST(every_projection)
{
    const solvers_t *const list = list_of("projection");
    const int64_t m = 300, v = 32;
    int runs[4] = {0};
    for (int64_t n = 1; list && n <= 200; n += 67) {
        const mat_t V = random_mat(m, v, &seed), C = random_mat(m, n, &seed);
        const mat_t T = upper_part(random_mat(v, v, &seed));
        const mat_t expected = product('C', 'N', T, product('C', 'N', V, C));
        const mat_t dV = to_backend(V), dT = to_backend(T), dC = to_backend(C);
        for (int i = 0; i < list->count; ++i) {
            const solver_t *const s = &list->first[i];
            const mat_t dW = to_backend(new_mat(v, n)),
                        dY = to_backend(new_mat(v, n));
            const task_t t = {.V = dV, .T = dT, .C = dC, .W = dW, .B = dY};
            const exec_t ex = forced(list, s, on(handle)->work.size);
            unsigned count[WAYS];
            if (!solver_applies(s, &ex, &t))
                continue;
            since_last(&count);
            ck_assert_ok(table()->project(&ex, dV, dT, dC, dW, dY));
            ck_assert_way(WAY_PASS, strcmp(s->name, "one pass") == 0, WAY_PASS,
                          WAY_PASS);
            ck_assert(distance(from_backend(dY), expected) <
                      8 * GSVD_ULP * (double)(m * v));
            ++runs[i];
        }
        release_pool();
    }
    if (list)
        ck_assert_all_run(list, runs);
}
END_TEST

/* C := C - V Y and the sketch Omega C of the rows below row b, of entries in (-1, 1) */
START_TEST(every_sketch)
{
    const solvers_t *const list = list_of("sketch");
    const int64_t m = 300, b = 32, w = 40;
    int runs[4] = {0};
    for (int64_t n = 1; list && n <= 200; n += 67) {
        const mat_t V = random_mat(m, b, &seed), Y = random_mat(b, n, &seed);
        const mat_t C = random_mat(m, n, &seed), C1 = copy_mat(C);
        const mat_t Omega = random_mat(w, m - b, &seed);
        EACH_ENTRY (Omega, i, j) /* which no solver rounds                   */
            AT(Omega, i, j) =
                make((real_t)rint(64 * (double)re(AT(Omega, i, j))) / 64,
                     (real_t)rint(64 * (double)im(AT(Omega, i, j))) / 64);
        gemm('N', 'N', -1, V, Y, 1, C1);
        const mat_t S = product('N', 'N', Omega, mat_rows(C1, b, m - b));
        const mat_t dV = to_backend(V), dY = to_backend(Y),
                    dOmega = to_backend(Omega);
        for (int i = 0; i < list->count; ++i) {
            const solver_t *const s = &list->first[i];
            const mat_t dC = to_backend(C), dS = to_backend(new_mat(w, n));
            const task_t t = {
                .A = dOmega, .B = dY, .C = dC, .V = dV, .W = dS, .k = b};
            const exec_t ex = forced(list, s, on(handle)->work.size);
            const double bound = 8 * GSVD_ULP * (double)(b + 1);
            unsigned count[WAYS];
            if (!solver_applies(s, &ex, &t))
                continue;
            since_last(&count);
            ck_assert_ok(
                table()->update_sketch(&ex, dV, dY, dC, b, dOmega, dS));
            ck_assert_way(WAY_PASS, strcmp(s->name, "one pass") == 0, WAY_PASS,
                          WAY_PASS);
            ck_assert(distance(from_backend(dC), C1) < bound);
            ck_assert(distance(from_backend(dS), S) < bound * (double)(m - b));
            ++runs[i];
        }
        release_pool();
    }
    if (list)
        ck_assert_all_run(list, runs);
}
END_TEST

/* ---- the lists of drivers ----------------------------------------------------- */

/* The machine's tuning, but with sizes below which everything is unblocked and above
 * which everything looks ahead such that these solvers apply */
static tuning_t any_size(void)
{
    tuning_t tune = *on(handle)->tune;
    tune.wide = 2 * tune.block;
    tune.unblocked = tune.unblocked_rowwise = (int64_t)1 << 40;
    tune.lookahead = 0;
    return tune;
}

/* forced, with that tuning, and the kernels' work beside the driver's */
static exec_t forced_driver(const solvers_t *list, const solver_t *s,
                            const tuning_t *tune, const task_t *t)
{
    const int64_t n = t->C.cols > 0 ? t->C.cols : t->A.cols;
    const int64_t m = max_i(t->A.rows, n);
    exec_t ex = *on(handle);
    const void *const base = ex.work.base;
    const size_t size = ex.work.size;
    ex.tune = tune;
    ex.policy.force[0] = (forced_t){list->name, s->name};
    const size_t bytes = solvers_bytes(list, &ex, t) +
                         table()->kernel_bytes(&ex, KERNELS_PANELS, m, n, n) +
                         256;
    ck_assert_uint_le(bytes, size);
    ex.work = gsvd_arena_over((char *)base, bytes);
    return ex;
}

START_TEST(every_factorization)
{
    static const int shape_[][2] = {{40, 20}, {200, 130}, {400, 290}};
    const solvers_t *const list = &X(factor_solvers);
    const tuning_t tune = any_size();
    int runs[8] = {0};
    for (int i = 0; i < 3; ++i) {
        const int64_t m = shape_[i][0], n = shape_[i][1];
        if (too_large(m / 9, n / 9, 0))
            continue;
        const mat_t A = normal_mat(m, n, &seed);
        for (int k = 0; k < list->count; ++k) {
            const solver_t *const s = &list->first[k];
            const task_t t = {.A = mat_of_size(m, n)};
            const exec_t ex = forced_driver(list, s, &tune, &t);
            const mat_t dA = to_backend(A), dtau = to_backend(new_mat(n, 1));
            if (!solver_applies(s, &ex, &t))
                continue;
            ck_assert_ok(X(geqrf)(&ex, dA, dtau.data));
            check_factors(s->name, A, from_backend(dA), from_backend(dtau));
            ++runs[k];
        }
        release_pool();
    }
    ck_assert_all_run(list, runs);
}
END_TEST

/* m, columns and k of A's reflectors: A's factors by LAPACK */
static mat_t reflectors(int64_t m, int64_t k, mat_t *tau)
{
    const mat_t F = normal_mat(m, k, &seed);
    *tau = lapack_qr(F);
    return F;
}

/* m x cols of Q by LAPACK */
static mat_t columns_of_Q(mat_t F, mat_t tau, int64_t cols)
{
    const mat_t Q = zero_mat(F.rows, cols);
    EACH_ENTRY (F, i, j)
        AT(Q, i, j) = AT(F, i, j);
    lapack_form_q(Q, tau);
    return Q;
}

START_TEST(every_application)
{
    static const char how[][2] = {
        {'L', 'N'}, {'L', 'C'}, {'R', 'N'}, {'R', 'C'}};
    const solvers_t *const list = &X(apply_solvers);
    const tuning_t tune = any_size();
    const int64_t m = 150, n = 7, k = 140;
    int runs[8] = {0};
    if (too_large(m / 4, n, 0))
        return;
    mat_t tau;
    const mat_t F = reflectors(m, k, &tau), Q = columns_of_Q(F, tau, m);
    const mat_t dF = to_backend(F), dtau = to_backend(tau);
    for (int x = 0; x < list->count; ++x)
        for (int i = 0; i < 4; ++i) {
            const solver_t *const s = &list->first[x];
            const int left = how[i][0] == 'L';
            const mat_t C =
                left ? random_mat(m, n, &seed) : random_mat(n, m, &seed);
            const mat_t dC = to_backend(C);
            const mat_t expected = left ? product(how[i][1], 'N', Q, C)
                                        : product('N', how[i][1], C, Q);
            const task_t t = {
                .A = mat_of_size(m, k), .C = mat_of_size(m, n), .k = k};
            const exec_t ex = forced_driver(list, s, &tune, &t);
            ck_assert(solver_applies(s, &ex, &t));
            ck_assert_ok(
                X(unmqr)(&ex, how[i][0], how[i][1], dF, k, dtau.data, dC));
            ck_assert_ratio(distance(from_backend(dC), expected) /
                            (GSVD_ULP * sqrt((double)k)));
            ++runs[x];
        }
    ck_assert_all_run(list, runs);
}
END_TEST

START_TEST(every_formation)
{
    static const int shape_[][3] = {
        {60, 30, 20}, {420, 420, 200}, {300, 200, 150}};
    const solvers_t *const list = &X(form_solvers);
    const tuning_t tune = any_size();
    int runs[8] = {0};
    for (int i = 0; i < 3; ++i) {
        const int64_t m = shape_[i][0], c = shape_[i][1], k = shape_[i][2];
        if (too_large(m / 4, c / 4, 0))
            continue;
        mat_t tau, A = new_mat(m, c);
        const mat_t F = reflectors(m, k, &tau), Q = columns_of_Q(F, tau, c);
        fill(A, make(7, 7)); /* what stands there does not matter            */
        for (int64_t j = 0; j < k; ++j)
            for (int64_t r = 0; r < m; ++r)
                AT(A, r, j) = AT(F, r, j);
        const mat_t dtau = to_backend(tau);
        for (int x = 0; x < list->count; ++x) {
            const solver_t *const s = &list->first[x];
            const task_t t = {.A = mat_of_size(m, c), .k = k};
            const exec_t ex = forced_driver(list, s, &tune, &t);
            const mat_t dA = to_backend(A);
            if (!solver_applies(s, &ex, &t))
                continue;
            ck_assert_ok(X(ungqr)(&ex, dA, k, dtau.data));
            ck_assert_ratio(distance(from_backend(dA), Q) /
                            (GSVD_ULP * sqrt((double)k)));
            ++runs[x];
        }
        release_pool();
    }
    ck_assert_all_run(list, runs);
}
END_TEST

/* The largest column of A X - X diag(w), over |A| n eps; and *defect := the largest entry
 * of X^H X - I; by the backend's own primitives. */
static double eigen_ratio(const exec_t *ex, mat_t A, mat_t X_, const real_t *w,
                          real_t *defect)
{
    const int64_t n = A.cols;
    const mat_t R = to_backend(new_mat(n, n));
    real_t *const norm = to_backend_real(random_reals(n, &seed), n);
    real_t *const host = grab((size_t)n * sizeof *host);
    double most = 0, size = 0;

    ck_assert_ok(table()->scale_columns(ex, X_, w, R));
    ck_assert_ok(table()->gemm_sub(ex, 'N', 'N', A, X_, R));
    ck_assert_ok(table()->column_norms(ex, R, norm));
    ck_assert_ok(table()->values_read(ex, n, norm, host));
    for (int64_t j = 0; j < n; ++j)
        most = host[j] <= most ? most : host[j]; /* NaN, too                 */
    ck_assert_ok(table()->column_norms(ex, A, norm));
    ck_assert_ok(table()->values_read(ex, n, norm, host));
    for (int64_t j = 0; j < n; ++j)
        size = fmax(size, host[j]);
    ck_assert_ok(table()->gram(ex, X_, R));
    ck_assert_ok(table()->newton_schulz(ex, R, NULL, defect));
    return most / (size * (double)n * GSVD_ULP);
}

/* Gram matrices of random ones, in one launch and by panels on a GPU: residuals as small
 * as LAPACK's by each solver; vectors as orthogonal as gaps of 1/n^2 allow on the first, where
 * that is anything */
START_TEST(every_eigen)
{
    static const int order[] = {2, 3, 40, 129, 260, 700, 1100, 2300};
    const solvers_t *const list = &X(eigen_solvers);
    int runs[8] = {0};
    for (int i = 0; i < 8; ++i) {
        const int64_t n = order[i];
        if (too_large(n, n, 0) || (!on_device && n > 260))
            continue;
        exec_t ex = *on(handle);
        const mat_t G = to_backend(new_mat(n, n)),
                    A = to_backend(new_mat(n, n));
        ck_assert_ok(table()->gaussian(&ex, G, 77 + (uint64_t)n));
        ck_assert_ok(table()->gram(&ex, G, A));
        for (int k = 0; k < list->count; ++k) {
            const char *const name = list->first[k].name;
            const mat_t X_ = to_backend(new_mat(n, n));
            real_t *const w = to_backend_real(random_reals(n, &seed), n);
            real_t defect;
            int sure = 0;
            ex = *on(handle);
            ex.policy.force[0] = (forced_t){list->name, name};
            const size_t bytes = X(eigen_work_bytes)(&ex, n) + 256;
            const int64_t room = (int64_t)(bytes / sizeof(scalar_t)) + 1;
            ex.work = gsvd_arena_over(to_backend(new_mat(room, 1)).data, bytes);
            ck_assert_ok(
                table()->eigenvectors_staging(&ex, n, &ex.staging.bytes));
            ex.staging.data = grab(ex.staging.bytes);
            ck_assert_ok(table()->copy(&ex, A, X_));
            ck_assert_ok(X(eigen)(&ex, X_, w, &sure));
            ck_assert_int_eq(sure, strcmp(name, "xSYEVD") == 0);
            const double ratio = eigen_ratio(on(handle), A, X_, w, &defect);
            ck_assert_msg(ratio < 20, "%s, order %ld: residual %.1f", name,
                          (long)n, ratio);
            const double bound =
                (sure ? 20 : 20 * (double)(n * n)) * (double)n * GSVD_ULP;
            ck_assert_msg(bound > 1 || (double)defect < bound,
                          "%s, order %ld: departure %.1e", name, (long)n,
                          (double)defect);
            ++runs[k];
        }
        release_pool();
    }
    ck_assert_all_run(list, runs);
}
END_TEST

/* The table has a panel for each way of this precision.  (In single, where R alone
 * takes one pass up to 2^24, two passes are left to conditions so close to that one of
 * the tree that no panel is on the safe side of both.) */
START_TEST(each_way_is_in_the_table)
{
    unsigned has[WAYS + 1] = {0}; /* and EITHER                            */
    for (int k = 0; k < KINDS; ++k) {
        ++has[panel[k].strip[GSVD_SINGLE]];
        ++has[panel[k].r[GSVD_SINGLE]];
        ++has[panel[k].wide];
    }
    for (int r = WAY_STRIP_ONCE; r <= WAY_R_TSQR; ++r)
        ck_assert_msg(has[r] || r == WAY_REFLECTORS ||
                          (GSVD_SINGLE && r == WAY_R_TWICE),
                      "no panel for way %d", r);
}
END_TEST

Suite *make_suite(void)
{
    Suite *s = suite_create("solvers");
    TCase *t = add_tcase(s, "solvers");
    tcase_add_test(t, chosen_in_order);
    tcase_add_test(t, every_panel);
    tcase_add_test(t, every_r_only);
    tcase_add_test(t, every_gemm);
    tcase_add_test(t, every_projection);
    tcase_add_test(t, every_sketch);
    tcase_add_test(t, every_factorization);
    tcase_add_test(t, every_application);
    tcase_add_test(t, every_formation);
    tcase_add_test(t, every_eigen);
    tcase_add_test(t, each_way_is_in_the_table);
    tcase_add_test(t, by_request);
    tcase_add_test(t, products_and_passes);
    tcase_add_loop_test(t, strips, 0, KINDS);
    tcase_add_loop_test(t, rowwise_strips, 0, KINDS);
    tcase_add_loop_test(t, rows_of_strips, 0, 8);
    tcase_add_loop_test(t, triangles, 0, KINDS);
    tcase_add_loop_test(t, wide_panels, 0, KINDS);
    return s;
}
