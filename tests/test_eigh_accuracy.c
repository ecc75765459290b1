/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* test_eigh_accuracy.c -- eigenvalues of indefinite matrices to relative accuracy, and the right number
 * of each sign where values pair off, against quadruple precision. */
#include <stdio.h>

#include "core/blas.h"
#include "harness/quad.h"
#include "lapacke.h"

/* D of the families is 10^-FAR to 10^FAR, or 10^-VERY_FAR to 10^VERY_FAR */
enum { FAR = GSVD_SINGLE ? 2 : 4, VERY_FAR = GSVD_SINGLE ? 4 : 8 };

/* ---- families (prototypes/eigen/lib.py) -------------------------------------------- */

/* The Hermitian matrix of A's lower triangle */
static mat_t of_lower(mat_t A) { return of_triangle('L', A); }

static double uniform(double from, double to, uint64_t *seed)
{
    return from + (to - from) * random_unit(seed);
}

static int coin(uint64_t *seed) { return random_unit(seed) < 0.5; }

/* D A D, D = 10^-x to 10^x at random */
static mat_t scaled(mat_t A, int x, uint64_t *seed)
{
    double *const d = grab((size_t)A.cols * sizeof *d);
    for (int64_t i = 0; i < A.cols; ++i)
        d[i] = pow(10, uniform(-x, x, seed));
    EACH_ENTRY (A, i, j)
        AT(A, i, j) = scale((real_t)(d[i] * d[j]), AT(A, i, j));
    return of_lower(A);
}

/* X diag(w) X^H */
static mat_t of_values(int64_t n, const double *w, uint64_t *seed)
{
    const mat_t X_ = random_unitary(n, seed);
    mat_t XW = copy_mat(X_);
    EACH_ENTRY (XW, i, j)
        AT(XW, i, j) = scale((real_t)w[j], AT(XW, i, j));
    return of_lower(product('N', 'C', XW, X_));
}

static mat_t normal(int64_t n, uint64_t *seed)
{
    return of_lower(normal_mat(n, n, seed));
}

static mat_t d_h_d(int64_t n, uint64_t *seed)
{
    double *const w = grab((size_t)n * sizeof *w);
    for (int64_t j = 0; j < n; ++j)
        w[j] = pow(10, -random_unit(seed)) * (coin(seed) ? -1 : 1);
    return scaled(of_values(n, w, seed), FAR, seed);
}

static mat_t d_g_d(int64_t n, uint64_t *seed)
{
    return scaled(normal(n, seed), FAR, seed);
}

/* D (E + N) D, E = diag(+-1), |N| < 1/2 (Barlow and Demmel) */
static mat_t diagonally_dominant(int64_t n, uint64_t *seed)
{
    mat_t A = normal(n, seed);
    const double size = 2 * sqrt(2.0 * (double)n * REALS_PER_SCALAR);
    EACH_ENTRY (A, i, j)
        AT(A, i, j) = i == j ? make(coin(seed) ? -1 : 1, 0)
                             : scale((real_t)(0.5 / size), AT(A, i, j));
    return scaled(A, FAR, seed);
}

/* down to 10^-14, the smallest first */
static mat_t graded(int64_t n, uint64_t *seed)
{
    mat_t A = normal(n, seed);
    EACH_ENTRY (A, i, j)
        AT(A, i, j) =
            scale((real_t)pow(10, 7 * ((double)(i + j) / (double)(n - 1) - 2)),
                  AT(A, i, j));
    return of_lower(A);
}

/* (H B^H; B 0), H definite */
static mat_t kkt(int64_t n, uint64_t *seed)
{
    const int64_t k = n - n / 3;
    const mat_t G = normal_mat(k, k, seed), H = product('N', 'C', G, G);
    mat_t A = normal_mat(n, n, seed);
    EACH_ENTRY (A, i, j) {
        const real_t size = 1 / sqrt_r((real_t)k);
        AT(A, i, j) = i < k && j < k ? scale(size * size, AT(H, i, j))
                      : j < k        ? scale(size, AT(A, i, j))
                                     : make(0, 0);
        if (i == j && i < k)
            AT(A, i, j) = add(AT(A, i, j), make(1, 0));
    }
    return of_lower(A);
}

static mat_t scaled_kkt(int64_t n, uint64_t *seed)
{
    return scaled(kkt(n, seed), FAR, seed);
}

/* A with rows and columns in random order */
static mat_t shuffled(mat_t A, uint64_t *seed)
{
    const int64_t *const place = random_order(A.cols, seed);
    mat_t S = copy_mat(A);
    EACH_ENTRY (A, i, j)
        AT(S, place[i], place[j]) = AT(A, i, j);
    return S;
}

/* (0 B; B^H 0), B = D1 C D2 */
static mat_t bipartite(int64_t n, uint64_t *seed)
{
    mat_t A = scaled(normal(n, seed), 2, seed);
    const mat_t C = random_unitary(n - n / 2, seed);
    double *const d = grab((size_t)(2 * n) * sizeof *d);
    for (int64_t i = 0; i < 2 * n; ++i)
        d[i] = pow(10, uniform(-2, 2, seed));
    EACH_ENTRY (A, i, j)
        AT(A, i, j) = i >= n / 2 && j < n / 2 ? scale((real_t)(d[i] * d[n + j]),
                                                      AT(C, i - n / 2, j))
                                              : make(0, 0);
    return shuffled(of_lower(A), seed);
}

/* (0 C; C^H 0), C unitary: all values are 1 and -1 */
static mat_t golub_kahan(int64_t n, uint64_t *seed)
{
    mat_t A = normal_mat(n, n, seed);
    const mat_t C = random_unitary(n - n / 2, seed);
    EACH_ENTRY (A, i, j)
        AT(A, i, j) =
            i >= n / 2 && j < n / 2 ? AT(C, i - n / 2, j) : make(0, 0);
    return of_lower(A);
}

/* (D B^H; B -small I), D from small to 1 / small */
static mat_t interior_point(int64_t n, uint64_t *seed)
{
    const int64_t k = n - n / 3;
    mat_t A = normal_mat(n, n, seed);
    EACH_ENTRY (A, i, j) {
        const double d = i < k ? pow(10, uniform(-VERY_FAR, VERY_FAR, seed))
                               : -pow(10, -VERY_FAR);
        if (i == j)
            AT(A, i, j) = make((real_t)d, 0);
        else if (!(i >= k && j < k))
            AT(A, i, j) = make(0, 0);
    }
    return of_lower(A);
}

/* A row and a column, and the diagonal */
static mat_t arrow(int64_t n, uint64_t *seed)
{
    mat_t A = new_mat(n, n);
    EACH_ENTRY (A, i, j) {
        const double x = pow(10, uniform(-VERY_FAR, VERY_FAR, seed)),
                     sign = i == j && random_below(seed, 2) ? -1 : 1;
        AT(A, i, j) = make(i == 0 && j == 0   ? 1
                           : i == j || j == 0 ? (real_t)(sign * x)
                                              : 0,
                           0);
    }
    return shuffled(of_lower(A), seed);
}

static mat_t three_blocks(int64_t n, uint64_t *seed)
{
    mat_t A = normal(n, seed);
    const int64_t h = n / 2;
    EACH_ENTRY (A, i, j) {
        const int small = (i < h) + (j < h);
        AT(A, i, j) = scale((real_t)(small == 2   ? 1e-10
                                     : small == 1 ? 1e-5
                                                  : 1),
                            AT(A, i, j));
    }
    return of_lower(A);
}

static mat_t pairs(int64_t n, uint64_t *seed)
{
    double *const w = grab((size_t)n * sizeof *w);
    for (int64_t j = 0; j < n; ++j)
        w[j] = (j % 2 ? -1 : 1) * (1 + (double)(j / 2) / (double)n);
    return of_values(n, w, seed);
}

/* Values from 1 to `least`, pairs of them but for their sign: rounding of the entries alone changes them by much, but
 * the entries are what is given. */
static mat_t ill_conditioned(int64_t n, uint64_t *seed)
{
    const double least = GSVD_SINGLE ? 1e-5 : 1e-12;
    double *const w = grab((size_t)n * sizeof *w);
    for (int64_t j = 0; j < n; ++j)
        w[j] = (j % 2 ? -1 : 1) * pow(least, (double)(j / 2 * 2) / (double)n);
    return of_values(n, w, seed);
}

static mat_t reflection(int64_t n, uint64_t *seed)
{
    double *const w = grab((size_t)n * sizeof *w);
    for (int64_t j = 0; j < n; ++j)
        w[j] = j < n / 3 ? -1 : 1;
    return of_values(n, w, seed);
}

static mat_t clusters(int64_t n, uint64_t *seed)
{
    static const double value[] = {1, 1, 1.5, -1, -1.5, 2.5, -2.5};
    double *const w = grab((size_t)n * sizeof *w);
    for (int64_t j = 0; j < n; ++j)
        w[j] = value[random_below(seed, 7)];
    return of_values(n, w, seed);
}

static mat_t scaled_clusters(int64_t n, uint64_t *seed)
{
    return scaled(clusters(n, seed), FAR, seed);
}

/* sizes of unequal sign that differ by 1e-4 to 1e-16 of themselves */
static mat_t close_sizes(int64_t n, uint64_t *seed)
{
    double *const w = grab((size_t)n * sizeof *w);
    for (int64_t j = 0; j < n; ++j) {
        const double size = 1 + 2 * (double)(j / 2) / (double)n;
        w[j] = j % 2 == 0
                   ? size
                   : -size * (1 + pow(10, -4 - 12.0 * (double)j / (double)n));
    }
    return of_values(n, w, seed);
}

/* ---- what is measured ------------------------------------------------------------------ */

/* |E|_2, by some steps of the power method */
static double norm2(mat_t E)
{
    uint64_t seed = 1;
    mat_t x = normal_mat(E.cols, 1, &seed);
    double length = 0;
    for (int step = 0; step < 40; ++step) {
        const double before = longest(x);
        if (before == 0)
            return 0;
        EACH_ENTRY (x, i, j)
            AT(x, i, j) = scale((real_t)(1 / before), AT(x, i, j));
        const mat_t y = product('N', 'N', E, x);
        length = longest(y);
        x = product('C', 'N', E, y);
    }
    return length;
}

typedef struct eigh {
    mat_t Q;
    real_t *w;
} eigh_t;

/* By the method that is set: with vectors, with the same bits again, and alone */
static eigh_t eigenvectors(door_t door, char uplo, mat_t A)
{
    const int64_t n = A.cols;
    const size_t bytes = (size_t)n * sizeof(real_t);
    eigh_t s[3];
    for (int k = 0; k < 3; ++k) {
        const char jobz = k < 2 ? 'V' : 'N';
        double method;
        const mat_t C = door ? to_backend(A) : copy_mat(A);
        const mat_t Q = door ? to_backend(new_mat(n, n)) : new_mat(n, n);
        int info = 99;
        s[k].w = grab(bytes);
        real_t *const w = door ? to_backend_real(s[k].w, n) : s[k].w;
        ck_assert_ok((door ? X(eigh_gpu) : X(eigh))(
            handle, jobz, uplo, n, C.data, C.ld, w, Q.data, Q.ld, &info));
        ck_assert_int_eq(info, 0);
        const gsvd_stats_t stats = stats_of_call();
        ck_assert_ok(gsvd_get_option(handle, GSVD_EIGH, &method));
        ck_assert_int_eq(stats.eigh, (int)method);
        if (door)
            get(s[k].w, w, bytes);
        s[k].Q = door ? from_backend(Q) : Q;
        ck_assert_mem_eq(s[k].w, s[0].w, bytes);
    }
    ck_assert_same(s[0].Q, s[1].Q);
    return s[0];
}

/* Of |H| in ulp: |H Q - Q W|, and |Q^H Q - I| */
static void measure(mat_t H, const eigh_t *s, double *residual, double *defect2)
{
    const mat_t E = times_diagonal(s->Q, s->w),
                F = identity_mat(H.cols, H.cols);
    gemm('N', 'N', 1, H, s->Q, -1, E);
    gemm('C', 'N', 1, s->Q, s->Q, -1, F);
    *residual = norm2(E) / (norm2(H) * GSVD_ULP);
    *defect2 = norm2(F) / GSVD_ULP;
}

/* The largest relative error in n ulp */
static double relative(int64_t n, const real_t *w, const wide_t *exact)
{
    double worst = 0;
    for (int64_t i = 0; i < n; ++i)
        worst =
            fmax(worst, (double)fabsl(((wide_t)w[i] - exact[i]) / exact[i]));
    return worst / (double)n / GSVD_ULP;
}

/* most: of a value in n ulp; times: FACTOR may err so many times as far, in values and residual.  On a
 * device so few columns take sweeps, whose rotations add up. */
static void check(const char *name, mat_t A, const wide_t *exact, double most,
                  int times)
{
    const int64_t n = A.cols;
    if (handle->space->on_device && n < 64)
        times *= 2;
    for (int door = 0; door < doors(); ++door)
        for (int k = 0; k < 2; ++k) {
            double residual, defect2;
            int64_t plus = 0, exact_plus = 0;
            const eigh_t s = eigenvectors((door_t)door, "UL"[k], A);
            measure(A, &s, &residual, &defect2);
            const double error = relative(n, s.w, exact);
            for (int64_t i = 0; i < n; ++i) {
                ck_assert(i == 0 || s.w[i - 1] <= s.w[i]);
                plus += s.w[i] > 0;
                exact_plus += exact[i] > 0;
            }
            printf("%s, n = %d: %.2g n ulp of %g, residual %.3g, orthogonality "
                   "%.3g\n",
                   name, (int)n, error, times * most, residual, defect2);
            ck_assert_int_eq(plus, exact_plus);
            ck_assert_msg(error <= times * most, "%s: %g n ulp", name, error);
            ck_assert_msg(residual <= times * 30 * sqrt((double)n / 40),
                          "%s: %g", name, residual);
            ck_assert_msg(defect2 <= 30 * sqrt((double)n / 40), "%s: %g", name,
                          defect2);
        }
}

/* most: the largest relative error of a value in n ulp by AUTO; FACTOR may err five times as far */
static const struct {
    const char *name;
    mat_t (*make)(int64_t n, uint64_t *seed);
    double most;
} family[] = {
    {"normal", normal, 2},
    {"D H D", d_h_d, 1},
    {"D G D", d_g_d, 4},
    {"scaled diagonally dominant", diagonally_dominant, 1},
    {"graded", graded, 4},
    {"KKT", kkt, 1},
    {"D KKT D", scaled_kkt, 1},
    {"(0 B; B^H 0)", bipartite, 1},
    {"(0 C; C^H 0)", golub_kahan, 1},
    {"interior point", interior_point, 1},
    {"arrow", arrow, 0.2}, /* by FACTOR alone: QR loses values               */
    {"three blocks", three_blocks, 10},
    {"pairs", pairs, 1},
    /* Sums in twice the precision find them up to errors of second order. */
    {"ill-conditioned", ill_conditioned, 1e4},
    {"reflection", reflection, 1},
    {"clusters", clusters, 1},
    {"D clusters D", scaled_clusters, 4},
    {"close sizes", close_sizes, 1}};
enum { KINDS = sizeof family / sizeof *family, DRAWS = 3 };

/* By AUTO and, of the smaller order, by FACTOR, whose factorization rounds more than an SVD
 * (prototypes/eigen: residuals of 60 to 200 ulp).  The reference of complex numbers takes 8 times as
 * long. */
START_TEST(families)
{
    const int is_large = _i >= DRAWS * KINDS, what = _i % KINDS;
    const int64_t n = !is_large ? 40 : GSVD_COMPLEX ? 100 : 150;
    const double most = family[what].most;
    uint64_t seed = 20 + (uint64_t)_i;
    wide_t exact[150];
    if (too_large(n, n, n))
        return;
    const mat_t A = family[what].make(n, &seed);
    quad_eigenvalues(A, exact);
    if (family[what].make != arrow)
        check(family[what].name, A, exact, most, 1);
    if (is_large)
        return;
    ck_assert_ok(gsvd_set_option(handle, GSVD_EIGH, GSVD_EIGH_FACTOR));
    check(family[what].name, A, exact, most, 5);
}
END_TEST

/* D H D from 10^-VERY_FAR to 10^VERY_FAR, whose values quadruple precision finds by factors alone:
 * H = K J K^H, K of few bits, so that nothing is rounded where A is made. */
START_TEST(very_far)
{
    enum { N = 40 };
    const signature_t J = {.plus = N / 2};
    const int most = (int)(VERY_FAR * 3.33);
    uint64_t seed = 7 + (uint64_t)_i;
    mat_t G = normal_mat(N, N, &seed), GJ;
    wide_t sigma[N], exact[N];
    if (too_large(N, N, N))
        return;
    for (int64_t i = 0; i < N; ++i) {
        const int e = (int)random_below(&seed, 2 * most + 1) - most;
        for (int64_t j = 0; j < N; ++j)
            AT(G, i, j) = scale(
                ldexp_r(1, e),
                make((real_t)rint((double)re(AT(G, i, j))) + (i == j ? 32 : 0),
                     (real_t)rint((double)im(AT(G, i, j)))));
    }
    ck_assert(quad_signed_values(G, &J, sigma));
    GJ = copy_mat(G);
    EACH_ENTRY (GJ, i, j)
        AT(GJ, i, j) = scale(j < N / 2 ? 1 : -1, AT(G, i, j));
    for (int i = 0; i < N; ++i) {
        const wide_t x = i < N / 2 ? sigma[N / 2 + i] : sigma[N - 1 - i];
        exact[i] = i < N / 2 ? -x * x : x * x;
    }
    check("D H D, very far", of_lower(product('N', 'C', GJ, G)), exact, 20, 1);
}
END_TEST

/* Of matrices of -1, 0, 1 LAPACK's values tell how many are positive, negative and 0. */
START_TEST(integers)
{
    uint64_t seed = 100 + (uint64_t)_i;
    for (int round = 0; round < 200; ++round) {
        const int64_t n = 1 + random_below(&seed, 32);
        const int64_t density = 1 + random_below(&seed, 4);
        mat_t A = new_mat(n, n), Q = new_mat(n, n), C;
        real_t w[32], exact[32];
        int info, sign[2] = {0, 0}, exact_sign[2] = {0, 0};
        EACH_ENTRY (A, i, j)
            AT(A, i, j) =
                random_below(&seed, density) > 0
                    ? make(0, 0)
                    : make((real_t)(random_below(&seed, 3) - 1),
                           GSVD_COMPLEX ? (real_t)(random_below(&seed, 3) - 1)
                                        : 0);
        A = of_lower(A);
        C = copy_mat(A);
        ck_assert_int_eq(LAPACK(SYEVD)(LAPACK_COL_MAJOR, 'N', 'L', (int)n,
                                       C.data, (int)C.ld, exact),
                         0);
        C = copy_mat(A);
        ck_assert_ok(
            X(eigh)(handle, 'V', 'L', n, C.data, C.ld, w, Q.data, Q.ld, &info));
        const double zero =
            50 * GSVD_ULP * fmax(fmax(-exact[0], exact[n - 1]), 1);
        for (int64_t i = 0; i < n; ++i) {
            ck_assert(fabs((double)w[i] - (double)exact[i]) <= zero);
            sign[0] += w[i] < -zero;
            sign[1] += w[i] > zero;
            exact_sign[0] += exact[i] < -zero;
            exact_sign[1] += exact[i] > zero;
        }
        ck_assert_int_eq(sign[0], exact_sign[0]);
        ck_assert_int_eq(sign[1], exact_sign[1]);
        ck_assert_ratio(defect(Q));
    }
}
END_TEST

Suite *make_suite(void)
{
    Suite *s = suite_create("eigh_accuracy");
    TCase *t = add_tcase(s, "families");
    tcase_add_loop_test(t, families, 0, (DRAWS + 1) * KINDS);
    tcase_add_loop_test(t, very_far, 0, 4);
    t = add_tcase(s, "integers");
    tcase_add_loop_test(t, integers, 0, 20);
    return s;
}
