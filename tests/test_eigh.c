/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* test_eigh.c -- A = Q W Q^H: residual, orthogonality, small values, and the primitives that make
 * an eigenproblem of an SVD. */
#include "gsvd/eigh.h"
#include "harness/quad.h"

/* ---- a decomposition ------------------------------------------------------- */

typedef struct eigh {
    gsvd_status_t status;
    int info;
    mat_t Q; /* or without data                                              */
    real_t *w;
} eigh_t;

static eigh_t eigenvectors(door_t door, char jobz, char uplo, mat_t A)
{
    const int64_t n = A.cols;
    const size_t bytes = (size_t)n * sizeof(real_t);
    eigh_t s = {.info = 99, .w = grab(bytes)};
    mat_t C = copy_mat(A);

    s.Q = jobz == 'V' ? new_mat(n, n) : mat_view(NULL, n, 0, 1);
    if (door == HOST) {
        s.status = X(eigh)(handle, jobz, uplo, n, C.data, C.ld, s.w, s.Q.data,
                           s.Q.ld, &s.info);
        ck_assert_padding(C);
        if (s.Q.data)
            ck_assert_padding(s.Q);
        return s;
    }
    const mat_t dC = to_backend(C), dQ = s.Q.data ? to_backend(s.Q) : s.Q;
    real_t *const dw = to_backend_real(s.w, n);
    s.status = X(eigh_gpu)(handle, jobz, uplo, n, dC.data, dC.ld, dw, dQ.data,
                           dQ.ld, &s.info);
    get(s.w, dw, bytes);
    (void)from_backend(dC);
    s.Q = s.Q.data ? from_backend(dQ) : s.Q;
    return s;
}

/* ---- what it has to be -------------------------------------------------------- */

static void check(char uplo, mat_t A, const eigh_t *s)
{
    const mat_t H = of_triangle(uplo, A);
    ck_assert_int_eq(s->status, GSVD_SUCCESS);
    ck_assert_int_eq(s->info, 0);
    for (int64_t i = 1; i < A.cols; ++i)
        ck_assert(s->w[i - 1] <= s->w[i]);
    if (s->Q.data) {
        ck_assert_ratio(defect(s->Q));
        ck_assert_ratio(eigen_residual(H, s->Q, s->w));
    }
}

/* ---- matrices ---------------------------------------------------------------- */

/* Q diag(w) Q^H */
static mat_t with_values(int64_t n, double (*value)(int64_t, int64_t),
                         uint64_t *seed)
{
    double *const w = grab((size_t)(n + 1) * sizeof *w);
    for (int64_t j = 0; j < n; ++j)
        w[j] = value(j, n);
    return of_eigenvalues(n, w, seed);
}

static double positive(int64_t j, int64_t n)
{
    return 1 + (double)j / (double)n;
}
static double half_zero(int64_t j, int64_t n)
{
    return j < n / 2 ? positive(j, n) : 0;
}
static double signs(int64_t j, int64_t n)
{
    (void)n;
    return (double)(j % 3 - 1) * (double)(1 + j % 2);
}
static double reflection(int64_t j, int64_t n) { return 2 * j < n ? 1 : -1; }
static double pairs(int64_t j, int64_t n)
{
    return (j % 2 ? 1 : -1) * positive(j / 2, n);
}

/* (0 B; B^H 0) */
static mat_t bipartite(int64_t n, uint64_t *seed)
{
    mat_t A = normal_mat(n, n, seed);
    EACH_ENTRY (A, i, j)
        if ((i < n / 2) == (j < n / 2))
            AT(A, i, j) = make(0, 0);
    return hermitian_part(A);
}

static const int order[] = {0, 1, 2, 3, 5, 20, 31, 32, 33, 64, 65, 130};
enum { ORDERS = sizeof order / sizeof *order };
enum { METHODS = GSVD_EIGH_FACTOR + 1 };

enum {
    OF_NORMAL,
    POSITIVE,
    HALF_ZERO,
    REFLECTION,
    PAIRS,
    BIPARTITE,
    ZERO,
    DIAGONAL,
    ALL_ALIKE,
    KINDS
};

static mat_t matrix(int what, int64_t n, uint64_t *seed)
{
    mat_t A;
    switch (what) {
    case POSITIVE: return with_values(n, positive, seed);
    case HALF_ZERO: return with_values(n, half_zero, seed);
    case REFLECTION: return with_values(n, reflection, seed);
    case PAIRS: return with_values(n, pairs, seed);
    case BIPARTITE: return bipartite(n, seed);
    case ZERO:
    case ALL_ALIKE: /* of which Xsyevd's vectors are bad in single precision  */
        A = new_mat(n, n);
        fill(A, make(what == ZERO ? 0 : 1 - GSVD_EPS, 0));
        return A;
    case DIAGONAL:
        A = new_mat(n, n);
        fill(A, make(0, 0));
        for (int64_t j = 0; j < n; ++j)
            AT(A, j, j) = make((real_t)(j % 3 - 1), 0);
        return A;
    default: return hermitian_part(normal_mat(n, n, seed));
    }
}

/* Every kind, of both triangles, by each method; what is not read is NaN. */
START_TEST(any_matrix)
{
    const int64_t n = order[_i % ORDERS];
    uint64_t seed = 40 + (uint64_t)_i;
    if (too_large(n, n, n))
        return;
    ck_assert_ok(gsvd_set_option(handle, GSVD_EIGH, _i / ORDERS));
    for (int what = 0; what < KINDS; ++what)
        for (int door = 0; door < doors(); ++door) {
            const char uplo = (what + door) % 2 ? 'U' : 'L';
            const mat_t H = matrix(what, n, &seed);
            mat_t A = copy_mat(H);
            EACH_ENTRY (A, i, j)
                if (uplo == 'U' ? i > j : i < j)
                    AT(A, i, j) = make((real_t)NAN, (real_t)NAN);
            const eigh_t s = eigenvectors((door_t)door, 'V', uplo, A);
            check(uplo, A, &s);
            const eigh_t alone = eigenvectors((door_t)door, 'N', uplo, A);
            ck_assert_int_eq(alone.status, GSVD_SUCCESS);
            if (n > 0 && _i / ORDERS != GSVD_EIGH_FAST)
                ck_assert_mem_eq(s.w, alone.w, (size_t)n * sizeof(real_t));
        }
}
END_TEST

/* The signed SVD passes its test of matrices with a null space, in which U and V are any bases. */
START_TEST(null_space)
{
    static const int64_t size[] = {5, 8, 13, 40};
    const int64_t n = size[_i];
    for (int k = 0; k < 40; ++k) {
        uint64_t seed = 3 + (uint64_t)k;
        const mat_t H = with_values(n, k % 2 ? half_zero : signs, &seed);
        const eigh_t s = eigenvectors(HOST, 'V', 'U', H);
        check('U', H, &s);
        const gsvd_stats_t stats = stats_of_call();
        ck_assert_int_eq(stats.eigh, GSVD_EIGH_AUTO);
        release_pool();
    }
}
END_TEST

/* D K J K^H D, K well conditioned, D from 2^-12 to 2^12: all values have digits.  K has few bits, so
 * that nothing is rounded where the matrix is made. */
START_TEST(small_values)
{
    enum { N = 12 };
    const signature_t J = {.plus = N / 2};
    uint64_t seed = 7 + (uint64_t)_i;
    mat_t G = normal_mat(N, N, &seed), GJ;
    wide_t sigma[N];
    real_t worst = 0;

    EACH_ENTRY (G, i, j)
        AT(G, i, j) =
            scale(ldexp_r(1, (int)(24 * i / (N - 1)) - 12),
                  make((real_t)rint((double)re(AT(G, i, j))) + (i == j ? 8 : 0),
                       (real_t)rint((double)im(AT(G, i, j)))));
    ck_assert(quad_signed_values(G, &J, sigma));
    GJ = copy_mat(G);
    EACH_ENTRY (GJ, i, j)
        AT(GJ, i, j) = scale(j < N / 2 ? 1 : -1, AT(G, i, j));
    const mat_t A = product('N', 'C', GJ, G);
    const eigh_t s = eigenvectors(HOST, 'V', 'U', A);
    check('U', A, &s);
    for (int i = 0; i < N; ++i) {
        const wide_t x = i < N / 2 ? sigma[N / 2 + i] : sigma[N - 1 - i];
        const wide_t value = i < N / 2 ? -x * x : x * x;
        worst = fmax_r(worst, (real_t)fabsl(((wide_t)s.w[i] - value) / value));
    }
    ck_assert_msg(worst <= 20 * N * GSVD_EPS, "%g eps",
                  (double)(worst / GSVD_EPS));
}
END_TEST

/* A NaN in the triangle is refused, and A is as it was. */
START_TEST(not_finite)
{
    uint64_t seed = 3;
    const mat_t A = hermitian_part(normal_mat(6, 6, &seed));
    AT(A, 4, 2) = make((real_t)INFINITY, 0);
    mat_t C = copy_mat(A);
    real_t w[6];
    int info = 0;
    ck_assert_status(
        X(eigh)(handle, 'N', 'L', 6, C.data, C.ld, w, NULL, 1, &info),
        GSVD_INVALID_ARGUMENT);
    ck_assert_int_eq(info, -4);
    ck_assert_same(A, C);
    ck_assert_status(
        X(eigh)(handle, 'N', 'U', 6, C.data, C.ld, w, NULL, 1, &info),
        GSVD_SUCCESS);
}
END_TEST

/* LAPACK's numbers of xSYEVD, and 7 and 8 of Q */
START_TEST(illegal_arguments)
{
    mat_t A = new_mat(4, 4);
    real_t w[4];
    int info;
    const struct {
        char jobz, uplo;
        int64_t n, lda;
        real_t *w;
        int64_t ldq;
        int number;
    } call[] = {{'X', 'L', 4, 4, w, 4, 1},    {'N', 'X', 4, 4, w, 1, 2},
                {'N', 'L', -1, 4, w, 1, 3},   {'N', 'L', 4, 3, w, 1, 5},
                {'N', 'L', 4, 4, NULL, 1, 6}, {'V', 'L', 4, 4, w, 3, 8}};
    for (size_t i = 0; i < sizeof call / sizeof *call; ++i) {
        ck_assert_status(X(eigh)(handle, call[i].jobz, call[i].uplo, call[i].n,
                                 A.data, call[i].lda, call[i].w, A.data,
                                 call[i].ldq, &info),
                         GSVD_INVALID_ARGUMENT);
        ck_assert_int_eq(info, -call[i].number);
    }
}
END_TEST

/* Scales next to the ends of the range; an eigenvalue beyond it is told. */
START_TEST(any_scale)
{
    static const int scale_of[] = {-1000, -500, 500, 1000};
    const int e = scale_of[_i] / (GSVD_SINGLE ? 9 : 1);
    uint64_t seed = 11;
    const mat_t A = hermitian_part(random_mat(20, 20, &seed));
    const mat_t B = ldexp_mat(A, e);
    const eigh_t one = eigenvectors(HOST, 'V', 'L', A),
                 s = eigenvectors(HOST, 'V', 'L', B);
    check('L', A, &one);
    ck_assert_int_eq(s.status, GSVD_SUCCESS);
    ck_assert_ratio(defect(s.Q));
    for (int j = 0; j < 20; ++j)
        ck_assert(fabs(ldexp((double)s.w[j], -e) - (double)one.w[j]) <=
                  200 * GSVD_EPS * fabs((double)one.w[0]));
    const mat_t C = new_mat(20, 20);
    fill(C, make(GSVD_REAL_MAX, 0));
    const eigh_t large = eigenvectors(HOST, 'V', 'L', C);
    ck_assert_status(large.status, GSVD_OVERFLOW);
    ck_assert_int_eq(large.info, 2);
    ck_assert(isinf(large.w[19]));
    ck_assert_ratio(defect(large.Q));
}
END_TEST

/* ---- the primitives ----------------------------------------------------------- */

START_TEST(hermitian_of_a_triangle)
{
    const int64_t n = order[_i];
    uint64_t seed = 5;
    for (int k = 0; k < 2; ++k) {
        const mat_t A = normal_mat(n, n, &seed), dA = to_backend(A);
        ck_assert_ok(table()->hermitian(on(handle), "UL"[k], dA));
        ck_assert_same(of_triangle("UL"[k], A), from_backend(dA));
    }
}
END_TEST

START_TEST(signed_mean_of_factors)
{
    static const real_t J[] = {1, -1, 0};
    const int64_t n = 7, m = 40;
    uint64_t seed = 6;
    const mat_t U = normal_mat(m, n, &seed), V = normal_mat(m, n, &seed);
    const mat_t dU = to_backend(U), dV = to_backend(V);
    real_t *const sign = random_reals(n, &seed);
    real_t *const dt = to_backend_real(random_reals(n, &seed), n);

    for (int64_t j = 0; j < n; ++j)
        sign[j] = J[j % 3];
    ck_assert_ok(table()->column_dots(on(handle), dU, dV, dt));
    ck_assert_ok(
        table()->signed_mean(on(handle), dU, dV, to_backend_real(sign, n)));
    const mat_t got = from_backend(dV);
    const real_t *const dot = from_backend_real(dt, n);
    for (int64_t j = 0; j < n; ++j) {
        double t = 0;
        for (int64_t i = 0; i < m; ++i)
            t += (double)re(AT(U, i, j)) * re(AT(V, i, j)) +
                 (double)im(AT(U, i, j)) * im(AT(V, i, j));
        ck_assert(fabs(t - (double)dot[j]) <= 100 * m * GSVD_EPS);
        for (int64_t i = 0; i < m && sign[j] != 0; ++i)
            AT(V, i, j) = scale((real_t)0.5,
                                add(AT(V, i, j), scale(sign[j], AT(U, i, j))));
    }
    ck_assert_near(got, V, 2, 1);
    for (int64_t i = 0; i < m; ++i) /* that of sign 0, the same bits         */
        ck_assert(re(AT(got, i, 2)) == re(AT(V, i, 2)));
}
END_TEST

/* Sums of integers that cancel.  The working precision would lose what is left; all of its bits are there. */
START_TEST(residual_in_twice_the_precision)
{
    enum { COLS = 6 };
    const int64_t n = order[_i], most = (int64_t)1 << (GSVD_SINGLE ? 11 : 25);
    uint64_t seed = 8;
    mat_t H = new_mat(n, n), Q = new_mat(n, COLS);
    real_t w[COLS];
    EACH_ENTRY (H, i, j)
        AT(H, i, j) = make((real_t)random_below(&seed, most),
                           (real_t)random_below(&seed, most));
    EACH_ENTRY (Q, i, j)
        AT(Q, i, j) = make((real_t)(random_below(&seed, 2 * most) - most),
                           (real_t)(random_below(&seed, 2 * most) - most));
    for (int j = 0; j < COLS; ++j)
        w[j] = (real_t)random_below(&seed, most);
    /* H's last column cancels nearly all of the sums of Q's first one. */
    for (int j = 0; j < COLS; ++j)
        AT(Q, n - 1, j) = make(1, 0);
    for (int64_t i = 0; i < n; ++i) {
        double sum_re = 0, sum_im = 0;
        for (int64_t l = 0; l < n - 1; ++l) {
            const scalar_t h = AT(H, i, l), q = AT(Q, l, 0);
            sum_re += (double)re(h) * re(q) - (double)im(h) * im(q);
            sum_im += (double)re(h) * im(q) + (double)im(h) * re(q);
        }
        AT(H, i, n - 1) = make((real_t)-sum_re, (real_t)-sum_im);
    }
    const mat_t dR = to_backend(new_mat(n, COLS));
    ck_assert_ok(table()->exact_residual(on(handle), to_backend(H),
                                         to_backend(Q),
                                         to_backend_real(w, COLS), dR));
    const mat_t R = from_backend(dR);
    EACH_ENTRY (R, i, j) {
        wide_t x = -(wide_t)w[j] * re(AT(Q, i, j)),
               y = -(wide_t)w[j] * im(AT(Q, i, j));
        for (int64_t l = 0; l < n; ++l) {
            const scalar_t h = AT(H, i, l), q = AT(Q, l, j);
            x += (wide_t)re(h) * re(q) - (wide_t)im(h) * im(q);
            y += (wide_t)re(h) * im(q) + (wide_t)im(h) * re(q);
        }
        ck_assert(re(AT(R, i, j)) == (real_t)x);
        ck_assert(im(AT(R, i, j)) == (GSVD_COMPLEX ? (real_t)y : 0));
    }
}
END_TEST

/* against the formulas; a value that is 0, and a row of zeros */
START_TEST(conditions_and_shifts)
{
    const int64_t n = order[_i], m = min_i(n, 5);
    uint64_t seed = 9;
    const mat_t Q = normal_mat(n, m, &seed), R = normal_mat(n, m, &seed);
    real_t *const w = random_reals(m, &seed);
    real_t *const zeros = grab((size_t)(n + m) * sizeof *zeros);
    memset(zeros, 0, (size_t)(n + m) * sizeof *zeros);
    if (m > 2)
        w[2] = 0;
    for (int64_t j = 0; j < m && n > 3; ++j)
        AT(Q, 3, j) = AT(R, 3, j) = make(0, 0);
    const mat_t dQ = to_backend(Q), dR = to_backend(R);
    real_t *const d_diagonal = to_backend_real(zeros, n);
    real_t *const d_condition = to_backend_real(zeros, m);
    real_t *const d_shift = to_backend_real(zeros, m);
    real_t *const d_second = to_backend_real(zeros, m);
    ck_assert_ok(table()->scaled_conditions(
        on(handle), dQ, to_backend_real(w, m), d_diagonal, d_condition));
    ck_assert_ok(table()->residual_shifts(on(handle), dQ, dR, d_diagonal,
                                          d_shift, d_second));
    const real_t *const diagonal = from_backend_real(d_diagonal, n);
    const real_t *const condition = from_backend_real(d_condition, m);
    const real_t *const shift = from_backend_real(d_shift, m);
    const real_t *const second = from_backend_real(d_second, m);
    const double rounding = 8 * (double)(n + 8) * GSVD_ULP;
    for (int64_t i = 0; i < n && m > 0; ++i) {
        double d = 0;
        for (int64_t j = 0; j < m; ++j)
            d += fabs((double)w[j]) * (double)abs2(AT(Q, i, j));
        ck_assert(fabs((double)diagonal[i] - d) <= rounding * d);
    }
    for (int64_t j = 0; j < m; ++j) {
        double c = 0, along = 0, square = 0, rest = 0, size = 0, lost = 0;
        for (int64_t i = 0; i < n; ++i) {
            const scalar_t q = AT(Q, i, j), r = AT(R, i, j);
            c += (double)diagonal[i] * (double)abs2(q);
            along += (double)re(q) * re(r) + (double)im(q) * im(r);
            size += (double)(abs_of(q) * abs_of(r));
            square += (double)abs2(q);
        }
        for (int64_t i = 0; i < n; ++i) {
            const scalar_t e = sub(AT(R, i, j), scale(shift[j], AT(Q, i, j)));
            const double length = (double)abs_of(e);
            if (length > 0)
                rest += length * length / (double)diagonal[i];
            if (length > 0)
                lost += GSVD_ULP * (double)abs_of(AT(R, i, j)) * length /
                        (double)diagonal[i];
        }
        c = w[j] != 0 ? c / fabs((double)w[j]) : 0;
        ck_assert(fabs((double)condition[j] - c) <= rounding * c);
        ck_assert(fabs((double)shift[j] - along / square) <=
                  rounding * size / square);
        if (n > 1) /* One is rounding alone.                                 */
            ck_assert(fabs((double)second[j] - rest) <=
                      4 * rounding * rest + 16 * lost);
    }
}
END_TEST

/* Two small values that stand at each other's vectors are exchanged, and the vectors with them (0); a vector
 * with a part of a large value's is no reason to change its value (1). */
START_TEST(values_in_doubt)
{
    const int64_t n = 12,
                  at = n / 2 - 1; /* between negative and positive ones */
    const double small = GSVD_SINGLE ? 1e-4 : 1e-9;
    uint64_t seed = 10;
    const mat_t X_ = random_unitary(n, &seed), XW = copy_mat(X_);
    EACH_ENTRY (XW, i, j)
        AT(XW, i, j) = scale((real_t)(j < 2   ? small * (1 + (double)j / 4)
                                      : j % 2 ? 1
                                              : -1 / (double)j),
                             AT(X_, i, j));
    const mat_t H = hermitian_part(product('N', 'C', XW, X_));
    ck_assert_ok(gsvd_set_option(handle, GSVD_EIGH, GSVD_EIGH_FACTOR));
    const eigh_t s = eigenvectors(HOST, 'V', 'L', H);
    ck_assert(s.w[at - 1] < 0 && s.w[at + 1] < 2 * small);
    const mat_t U = copy_mat(s.Q);
    real_t *const value = grab((size_t)(2 * n) * sizeof *value);
    memset(value, 0, (size_t)(2 * n) * sizeof *value);
    memcpy(value, s.w, (size_t)n * sizeof *value);
    for (int64_t i = 0; i < n; ++i)
        if (_i == 0) {
            AT(U, i, at) = AT(s.Q, i, at + 1);
            AT(U, i, at + 1) = AT(s.Q, i, at);
        } else {
            const real_t part = sqrt_r((real_t)0.2 * s.w[at]);
            AT(U, i, at) = add(AT(U, i, at), scale(part, AT(U, i, n - 1)));
        }

    exec_t ex = *on(handle);
    const size_t bytes = X(refine_values_staging)(n);
    ex.staging = (buffer_t){grab(bytes), bytes};
    int *const zeros = grab((size_t)n * sizeof *zeros);
    memset(zeros, 0, (size_t)n * sizeof *zeros);
    const eigh_work_t w = {.H = to_backend(H),
                           .U = to_backend(U),
                           .V = to_backend(new_mat(n, n)),
                           .T = to_backend(new_mat(n, n)),
                           .sigma = to_backend_real(value, 2 * n),
                           .w = to_backend_real(value, n),
                           .sorted = to_backend_real(value, 2 * n),
                           .zero = to_backend_real(value, n),
                           .d = to_backend_real(value, n),
                           .order = to_backend_int(zeros, n)};
    ck_assert_ok(X(refine_values)(&ex, &w, (real_t)n));
    const real_t *const found = from_backend_real(w.w, n);
    const int *const by = from_backend_int(w.order, n);
    for (int64_t k = 0; k < n; ++k)
        ck_assert(fabs_r(found[by[k]] - s.w[k]) <=
                  4 * GSVD_ULP * fabs_r(s.w[k]));
    ck_assert_same(from_backend(w.U), _i == 0 ? s.Q : U);
}
END_TEST

/* ---- ranges and methods ------------------------------------------------------- */

typedef struct asked {
    char job[3];
    double vl, vu;
    int64_t il, iu;
} asked_t;

/* A part of the values through a gsvd_problem_t; its vectors are the columns of s.Q. */
static eigh_t part_of(door_t door, const asked_t *r, mat_t A, int64_t *m)
{
    const int64_t n = A.cols;
    const int64_t most = r->job[2] == 'I' ? r->iu - r->il + 1 : n;
    const mat_t C = door == HOST ? copy_mat(A) : to_backend(A);
    const mat_t Q = new_mat(n, most), dQ = door == HOST ? Q : to_backend(Q);
    eigh_t s = {.w = random_reals(n, &(uint64_t){1})};
    real_t *const w = door == HOST ? s.w : to_backend_real(s.w, n);
    const gsvd_problem_t p = {.size = sizeof p,
                              .routine = GSVD_ROUTINE_EIGH,
                              .type = letter(),
                              .place = place_of(door),
                              .job = {r->job[0], r->job[1], r->job[2]},
                              .n = n,
                              .A = {.data = C.data, .ld = C.ld},
                              .Q = {.data = dQ.data, .ld = dQ.ld},
                              .alpha = {.data = w},
                              .k_out = m,
                              .info = &s.info,
                              .vl = r->vl,
                              .vu = r->vu,
                              .il = r->il,
                              .iu = r->iu};
    *m = -1;
    s.status = gsvd_run(handle, &p);
    if (door != HOST)
        get(s.w, w, (size_t)n * sizeof(real_t));
    s.Q = mat_cols(door == HOST ? Q : from_backend(dQ), 0, max_i(*m, 0));
    return s;
}

/* Every range has those of all values that are in it, by each method, with vectors and without. */
START_TEST(ranges)
{
    static const asked_t asked[] = {{.job = "VLA"},
                                    {.job = "VLI", .il = 1, .iu = 1},
                                    {.job = "VUI", .il = 4, .iu = 12},
                                    {.job = "VLI", .il = 1, .iu = 0},
                                    {.job = "VUI", .il = 20, .iu = 64},
                                    {.job = "VLV", .vl = -2, .vu = 3},
                                    {.job = "VLV", .vl = 1e4, .vu = 2e4},
                                    {.job = "VUV", .vl = -INFINITY, .vu = 0},
                                    {.job = "VLV", .vl = -1, .vu = INFINITY}};
    static const int64_t size[] = {1, 20, 64, 150};
    const int64_t n = size[_i / METHODS];
    const gsvd_eigh_option_t how = (gsvd_eigh_option_t)(_i % METHODS);
    uint64_t seed = 9;
    if (too_large(n, n, n))
        return;
    const mat_t A = hermitian_part(normal_mat(n, n, &seed));
    const eigh_t all = eigenvectors(HOST, 'V', 'L', A);
    const double close =
        200 * (double)n * GSVD_EPS *
        fmax(fabs((double)all.w[0]), fabs((double)all.w[n - 1]));

    ck_assert_ok(gsvd_set_option(handle, GSVD_EIGH, how));
    for (size_t k = 0; k < 2 * sizeof asked / sizeof *asked; ++k)
        for (int door = 0; door < doors(); ++door) {
            asked_t r = asked[k / 2];
            int64_t first = r.il - 1, count = r.iu - r.il + 1, m;
            if (k % 2)
                r.job[0] = 'N';
            if (r.job[2] == 'I' && r.iu > n)
                continue;
            if (r.job[2] != 'I') {
                first = count = 0;
                for (int64_t i = 0; i < n; ++i) {
                    first += r.job[2] == 'V' && all.w[i] <= r.vl;
                    count += r.job[2] != 'V' ||
                             (all.w[i] > r.vl && all.w[i] <= r.vu);
                }
            }
            const eigh_t s = part_of((door_t)door, &r, A, &m);
            ck_assert_status(s.status, GSVD_SUCCESS);
            ck_assert_int_eq(s.info, 0);
            ck_assert_int_eq(m, count);
            const gsvd_stats_t stats = stats_of_call();
            ck_assert_int_eq(stats.eigh, how);
            ck_assert_int_eq(stats.k, count);
            for (int64_t i = 0; i < m; ++i)
                ck_assert(fabs((double)s.w[i] - (double)all.w[first + i]) <=
                          close);
            if (r.job[0] == 'V' && m > 0) {
                ck_assert_ratio(defect(s.Q));
                ck_assert_ratio(eigen_residual(A, s.Q, s.w));
            }
        }
}
END_TEST

/* Values of a range are in it, however far below |A| its ends are. */
START_TEST(ends_of_ranges)
{
    const int64_t n = 2 + _i % 5;
    uint64_t seed = 23 + (uint64_t)_i;
    const mat_t A = hermitian_part(normal_mat(n, n, &seed));
    EACH_ENTRY (A, i, j)
        AT(A, i, j) = scale(ldexp_r(1, (int)(i + j) * (GSVD_SINGLE ? 5 : 40)),
                            AT(A, i, j));
    ck_assert_ok(gsvd_set_option(handle, GSVD_EIGH, GSVD_EIGH_FAST));
    for (int door = 0; door < doors(); ++door) {
        int64_t m;
        const eigh_t all =
            part_of((door_t)door, &(asked_t){.job = "NLA"}, A, &m);
        for (int64_t k = 0; k < 2 * n; ++k) {
            const double x = (double)all.w[k / 2];
            const asked_t r = {.job = "VLV",
                               .vl = k % 2 ? x : -INFINITY,
                               .vu = k % 2 ? INFINITY : x};
            const eigh_t s = part_of((door_t)door, &r, A, &m);
            ck_assert_status(s.status, GSVD_SUCCESS);
            for (int64_t i = 0; i < m; ++i)
                ck_assert_msg((double)s.w[i] > r.vl && (double)s.w[i] <= r.vu,
                              "%.17g, %.17g", (double)s.w[i], x);
        }
    }
}
END_TEST

/* Clusters, whose vectors are not independent when they are found one by one, and zeros */
START_TEST(range_of_a_cluster)
{
    const int64_t n = 130;
    const asked_t r = {.job = "VLI", .il = 30 * _i + 1, .iu = 30 * _i + 40};
    uint64_t seed = 4;
    int64_t m;
    if (too_large(n, n, n))
        return;
    const mat_t A = with_values(n, reflection, &seed);
    ck_assert_ok(gsvd_set_option(handle, GSVD_EIGH, GSVD_EIGH_FAST));
    const eigh_t s = part_of(HOST, &r, A, &m);
    ck_assert_status(s.status, GSVD_SUCCESS);
    ck_assert_int_eq(m, 40);
    ck_assert_ratio(defect(s.Q));
    ck_assert_ratio(eigen_residual(A, s.Q, s.w));
}
END_TEST

/* The library's vectors, of which those of zeros lean to that of the largest value, as cuSOLVER's may */
static eigenvectors_op *library;
static gsvd_status_t leaning(const exec_t *ex, mat_t A, real_t *w)
{
    const int64_t n = A.cols;
    GSVD_TRY(library(ex, A, w));
    for (int64_t j = 0; j < n - 1; ++j)
        for (int64_t i = 0; i < n; ++i)
            if (fabs_r(w[j]) <= (real_t)1e-3 * w[n - 1])
                AT(A, i, j) =
                    add(AT(A, i, j), scale((real_t)0.02, AT(A, i, n - 1)));
    return GSVD_SUCCESS;
}

/* ... and one whose largest value's vector is none */
static gsvd_status_t wrong(const exec_t *ex, mat_t A, real_t *w)
{
    GSVD_TRY(library(ex, A, w));
    AT(A, 0, A.cols - 1) = make(0, 0);
    return GSVD_SUCCESS;
}

START_TEST(spoiled_library)
{
    const int64_t n = 20;
    mat_t A = new_mat(n, n);
    if (handle->space->on_device)
        return;
    fill(A, make((real_t)0.99999994, 0));
    if (!library) /* The table of the last test is this one.               */
        library = table()->eigenvectors;
    take_table()->eigenvectors = _i == 0 ? leaning : wrong;
    if (_i == 1) {
        take_tuning()->inverse_iteration = EIGEN_ALWAYS;
        take_tuning()->inverse_iteration_most = n;
    }
    ck_assert_ok(gsvd_set_option(handle, GSVD_EIGH, GSVD_EIGH_FAST));
    const eigh_t s = eigenvectors(HOST, 'V', 'L', A);
    check('L', A, &s);
}
END_TEST

START_TEST(illegal_ranges)
{
    static const struct {
        asked_t asked;
        const char *text;
    } call[] = {
        {{.job = "VLI", .il = 0, .iu = 2}, "problem.il"},
        {{.job = "VLI", .il = 6, .iu = 5}, "problem.il"},
        {{.job = "VLI", .il = 2, .iu = 5}, "problem.iu"},
        {{.job = "VLI", .il = 3, .iu = 1}, "problem.iu"},
        {{.job = "VLI", .il = INT64_MIN, .iu = INT64_MAX}, "problem.il"},
        {{.job = "VLI", .il = 1, .iu = INT64_MAX}, "problem.iu"},
        {{.job = "VLV", .vl = 1, .vu = 1}, "problem.vl"},
        {{.job = "VLV", .vl = NAN, .vu = 1}, "problem.vl"},
        {{.job = "VLX"}, "problem.job[2]"}};
    uint64_t seed = 4;
    int64_t m;
    const mat_t A = hermitian_part(normal_mat(4, 4, &seed));
    for (size_t i = 0; i < sizeof call / sizeof *call; ++i) {
        asked_t r = call[i].asked;
        const gsvd_problem_t p = {.size = sizeof p,
                                  .routine = GSVD_ROUTINE_EIGH,
                                  .type = letter(),
                                  .job = {r.job[0], r.job[1], r.job[2]},
                                  .n = 4,
                                  .A = {.data = A.data, .ld = A.ld},
                                  .k_out = &m,
                                  .vl = r.vl,
                                  .vu = r.vu,
                                  .il = r.il,
                                  .iu = r.iu};
        mat_t Q = new_mat(4, 4);
        real_t w[4];
        gsvd_problem_t q = p;
        q.Q.data = Q.data;
        q.Q.ld = Q.ld;
        q.alpha.data = w;
        ck_assert_status(gsvd_run(handle, &q), GSVD_INVALID_ARGUMENT);
        ck_assert_ptr_nonnull(strstr(gsvd_last_error(handle), call[i].text));
    }
}
END_TEST

/* A batch: each problem has what the routine of one has, beside problems of all kinds, of which one
 * has a NaN. */
static const int order_of_many[] = {0,  1,  2,  5,  8,  13, 16, 24,
                                    31, 32, 33, 48, 64, 65, 128};
enum {
    ORDERS_OF_MANY = sizeof order_of_many / sizeof *order_of_many,
    OF_NAN = KINDS,
    COUNT
};
static void check_batch(int which)
{
    const int64_t n = order_of_many[which];
    const size_t bytes = (size_t)n * sizeof(real_t);
    uint64_t seed = 12;
    mat_t A[COUNT];
    if (too_large(n, n, n))
        return;
    for (int door = 0; door < doors(); ++door)
        for (int jobs = 0; jobs < 2; ++jobs) {
            const char jobz = "NV"[jobs], uplo = "UL"[(which + jobs) % 2];
            void *each_A[COUNT], *each_w[COUNT], *each_Q[COUNT];
            mat_t Q[COUNT], dA[COUNT];
            real_t *w[COUNT];
            int info[COUNT];
            for (int k = 0; k < COUNT; ++k) {
                A[k] = matrix(k % KINDS, n, &seed);
                if (k == OF_NAN && n > 0)
                    AT(A[k], 0, 0) = make((real_t)NAN, 0);
                dA[k] = door ? to_backend(A[k]) : copy_mat(A[k]);
                Q[k] = door ? to_backend(new_mat(n, n)) : new_mat(n, n);
                w[k] = door ? to_backend_real(random_reals(n, &seed), n)
                            : random_reals(n, &seed);
                each_A[k] = dA[k].data;
                each_Q[k] = Q[k].data;
                each_w[k] = w[k];
            }
            void *const lists[] = {each_A, each_w, each_Q};
            void *list[3];
            for (int i = 0; i < 3; ++i) {
                list[i] = lists[i];
                if (door) {
                    list[i] = grab_backend(sizeof each_A);
                    put(list[i], lists[i], sizeof each_A);
                }
            }
            int *const dinfo = door ? grab_backend(sizeof info) : info;
            const gsvd_problem_t p = {.size = sizeof p,
                                      .routine = GSVD_ROUTINE_EIGH,
                                      .type = letter(),
                                      .place = place_of((door_t)door),
                                      .job = {jobz, uplo},
                                      .n = n,
                                      .batch = COUNT,
                                      .A = {.each = list[0], .ld = A[0].ld},
                                      .alpha = {.each = list[1]},
                                      .Q = {.each = list[2], .ld = Q[0].ld},
                                      .info = dinfo};
            ck_assert_status(gsvd_run(handle, &p), GSVD_SUCCESS);
            if (door)
                get(info, dinfo, sizeof info);
            for (int k = 0; k < COUNT; ++k) {
                const eigh_t one = eigenvectors(HOST, jobz, uplo, A[k]);
                eigh_t s = {.w = grab(bytes)};
                s.Q = door ? from_backend(Q[k]) : Q[k];
                if (door)
                    get(s.w, w[k], bytes);
                else
                    memcpy(s.w, w[k], bytes);
                if (k == OF_NAN && n > 0) {
                    ck_assert_int_eq(info[k], -4);
                    ck_assert(isnan((double)s.w[0]));
                    continue;
                }
                ck_assert_int_eq(info[k], 0);
                if (jobz == 'N')
                    s.Q.data = NULL;
                check(uplo, A[k], &s);
                for (int64_t i = 0; i < n; ++i)
                    ck_assert(fabs((double)s.w[i] - (double)one.w[i]) <=
                              50 * (double)n * GSVD_EPS *
                                  fmax(fabs((double)one.w[0]),
                                       fabs((double)one.w[n - 1])));
            }
        }
}

START_TEST(batch) { check_batch(_i); }
END_TEST

/* Large steps begin with eigenvectors of the matrix itself, and with those of A^H A for an SVD. */
START_TEST(batch_by_large_steps)
{
    take_tuning()->batch_large_steps = 1;
    check_batch(_i);
}
END_TEST

Suite *make_suite(void)
{
    Suite *s = suite_create("eigh");
    TCase *t = add_tcase(s, "primitives");
    tcase_add_loop_test(t, hermitian_of_a_triangle, 0, ORDERS);
    tcase_add_test(t, signed_mean_of_factors);
    tcase_add_loop_test(t, residual_in_twice_the_precision, 1, ORDERS);
    tcase_add_loop_test(t, conditions_and_shifts, 0, ORDERS);
    tcase_add_loop_test(t, values_in_doubt, 0, 2);
    t = add_tcase(s, "eigh");
    tcase_add_loop_test(t, any_matrix, 0, METHODS * ORDERS);
    tcase_add_loop_test(t, null_space, 0, 4);
    tcase_add_loop_test(t, small_values, 0, 20);
    tcase_add_test(t, not_finite);
    tcase_add_test(t, illegal_arguments);
    tcase_add_loop_test(t, any_scale, 0, 4);
    tcase_add_loop_test(t, ranges, 0, 4 * METHODS);
    tcase_add_loop_test(t, ends_of_ranges, 0, 20);
    tcase_add_loop_test(t, range_of_a_cluster, 0, 4);
    tcase_add_loop_test(t, spoiled_library, 0, 2);
    tcase_add_test(t, illegal_ranges);
    tcase_add_loop_test(t, batch, 0, ORDERS_OF_MANY);
    tcase_add_loop_test(t, batch_by_large_steps, 0, ORDERS_OF_MANY);
    return s;
}
