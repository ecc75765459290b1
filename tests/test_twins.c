/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* test_twins.c -- each primitive of CUDA against its CPU twin on one input:
 * what is elementwise agrees up to rounding; of factors that are not unique,
 * what they have in common. */
#include "core/rotate.h"
#include "harness/harness.h"
#include "pivot/pivot.h"
#include "qr/qr.h"

/* around a warp, a tile, a block; larger than one block of threads */
static const struct {
    int m, n;
} size[] = {
    {1, 1},   {3, 2},   {2, 7},   {31, 33},  {32, 32},   {33, 31},
    {64, 65}, {100, 9}, {9, 100}, {257, 40}, {130, 129}, {300, 200},
};
enum { SIZES = sizeof size / sizeof *size };

static gsvd_handle_t host; /* beside the handle under test                   */
static const backend_t *cpu;
static uint64_t seed = 7;

static void open_host(void)
{
    ck_assert_int_eq(gsvd_create(&host, GSVD_HOST), GSVD_SUCCESS);
    cpu = &X(backend_cpu);
}

static void close_host(void)
{
    gsvd_destroy(host);
    host = NULL;
}

/* the largest |A(:,j)|, of numbers whose squares are in range */
static double longest(mat_t A)
{
    double most = 0;
    for (int64_t j = 0; j < A.cols; ++j) {
        double sum = 0;
        for (int64_t i = 0; i < A.rows; ++i)
            sum += pow((double)re(AT(A, i, j)), 2) +
                   pow((double)im(AT(A, i, j)), 2);
        most = fmax(most, sqrt(sum));
    }
    return most;
}

/* each entry of A is that of B up to some ulp of `one` */
static void ck_assert_near(mat_t A, mat_t B, double ulps, double one)
{
    const double d = distance(A, B) / one / GSVD_ULP;
    ck_assert_msg(d <= ulps, "%g ulp, not %g", d, ulps);
}

/* What rounding at random makes of k operations in a row, one ulp each: sqrt(k).  All
 * thresholds below that depend on a size are LIMIT times that. */
static double steps(int64_t k) { return LIMIT * sqrt((double)max_i(k, 1)); }

static void ck_assert_reals(const real_t *x, const real_t *y, int64_t n,
                            double ulps)
{
    for (int64_t i = 0; i < n; ++i)
        ck_assert_msg(
            fabs((double)x[i] - y[i]) <= ulps * GSVD_ULP * fabs((double)y[i]),
            "%ld: %.17g for %.17g", (long)i, (double)x[i], (double)y[i]);
}

START_TEST(elementwise)
{
    const int64_t m = size[_i].m, n = size[_i].n;
    const mat_t A = random_mat(m, n, &seed), dA = to_backend(A);
    mat_t B = new_mat(m, n), dB = to_backend(B);
    mat_t T = new_mat(n, m), dT = to_backend(T);
    const real_t *g = random_reals(m, &seed), *f = random_reals(m, &seed);
    int *e = grab((size_t)m * sizeof *e);
    norms_t x, y;

    for (int64_t i = 0; i < m; ++i)
        e[i] = (int)(i * 7 % 31) - 15;
    ck_assert_ok(cpu->copy(on(host), A, B));
    ck_assert_ok(table()->copy(on(handle), dA, dB));
    ck_assert_same(from_backend(dB), B);
    ck_assert_ok(cpu->scale_rows(on(host), B, g, e));
    ck_assert_ok(table()->scale_rows(on(handle), dB, to_backend_real(g, m),
                                     to_backend_int(e, m)));
    ck_assert_same(from_backend(dB), B);
    ck_assert_ok(cpu->scale_pow2(on(host), B, -3));
    ck_assert_ok(table()->scale_pow2(on(handle), dB, -3));
    ck_assert_same(from_backend(dB), B);
    ck_assert_ok(cpu->scale_pow2_upper(on(host), B, 5));
    ck_assert_ok(table()->scale_pow2_upper(on(handle), dB, 5));
    ck_assert_same(from_backend(dB), B);
    ck_assert_ok(cpu->ctrans(on(host), A, T));
    ck_assert_ok(table()->ctrans(on(handle), dA, dT));
    ck_assert_same(from_backend(dT), T);
    ck_assert_ok(cpu->conj_antitranspose(on(host), A, T));
    ck_assert_ok(table()->conj_antitranspose(on(handle), dA, dT));
    ck_assert_same(from_backend(dT), T);
    ck_assert_ok(cpu->norms(on(host), B, &x));
    ck_assert_ok(table()->norms(on(handle), dB, &y));
    ck_assert(x.largest == y.largest && x.finite == y.finite);
    ck_assert_reals(&y.norm1, &x.norm1, 1, 4 * sqrt((double)m));
    ck_assert_ok(cpu->combine(on(host), f, A, g, A, B));
    ck_assert_ok(table()->combine(on(handle), to_backend_real(f, m), dA,
                                  to_backend_real(g, m), dA, dB));
    ck_assert_near(from_backend(dB), B, 4, 2); /* entries below 2 sqrt(2)    */
    ck_assert_ok(cpu->zero_lower(on(host), B));
    ck_assert_ok(table()->zero_lower(on(handle), dB));
    ck_assert_near(from_backend(dB), B, 4, 2);
    ck_assert_ok(cpu->set(on(host), B, 2, 5));
    ck_assert_ok(table()->set(on(handle), dB, 2, 5));
    ck_assert_same(from_backend(dB), B);
}
END_TEST

/* bit for bit, and so rounded alike */
START_TEST(of_single_precision)
{
    const int64_t m = size[_i].m, n = size[_i].n, ld = m + 1;
    const size_t bytes = (size_t)(ld * n) * sizeof(single_t);
    const mat_t A = random_mat(m, n, &seed), dA = to_backend(A);
    const mat_t B = new_mat(m, n), dB = to_backend(B);
    single_t *const S = grab(bytes), *const T = grab(bytes);
    single_t *const dS = grab_backend(bytes);

    put(dS, S, bytes); /* of ones                                             */
    ck_assert_ok(cpu->to_single(on(host), A, S, ld));
    ck_assert_ok(table()->to_single(on(handle), dA, dS, ld));
    get(T, dS, bytes);
    ck_assert_mem_eq(S, T, bytes);
    ck_assert_ok(cpu->from_single(on(host), S, ld, B));
    ck_assert_ok(table()->from_single(on(handle), dS, ld, dB));
    ck_assert_same(from_backend(dB), B);
}
END_TEST

/* over the whole range, with zeros: the same numbers and the same order */
START_TEST(rows)
{
    const int64_t m = size[_i].m, n = size[_i].n;
    mat_t A = random_mat(m, n, &seed);
    for (int64_t j = 0; j < n; ++j)
        for (int64_t i = 0; i < m; ++i)
            AT(A, i, j) =
                i % 5 == 4
                    ? make(0, 0)
                    : scale((real_t)pow(10, decimal((int)(i * 97 % 280) - 140)),
                            AT(A, i, j));
    real_t *x = random_reals(m, &seed), *dx = to_backend_real(x, m);
    int *perm = grab((size_t)m * sizeof *perm);
    int *inverse = grab((size_t)m * sizeof *inverse);
    int *dperm = grab_backend((size_t)m * sizeof *dperm);
    int *dinverse = grab_backend((size_t)m * sizeof *dinverse);
    norms_t r, dr;

    ck_assert_ok(cpu->norms_by_row(on(host), A, x, &r));
    ck_assert_ok(table()->norms_by_row(on(handle), to_backend(A), dx, &dr));
    ck_assert_reals(from_backend_real(dx, m), x, m, 0);
    ck_assert(r.largest == dr.largest && r.least_row == dr.least_row);
    ck_assert(r.finite == dr.finite);
    ck_assert_reals(&dr.norm1, &r.norm1, 1, 4 * sqrt((double)m));
    ck_assert_ok(cpu->sort_rows(on(host), m, x, perm, inverse));
    ck_assert_ok(table()->sort_rows(on(handle), m, dx, dperm, dinverse));
    ck_assert_mem_eq(from_backend_int(dperm, m), perm,
                     (size_t)m * sizeof *perm);
    ck_assert_mem_eq(from_backend_int(dinverse, m), inverse,
                     (size_t)m * sizeof *inverse);
    ck_assert_ok(cpu->row_exponents(on(host), m, x, perm, inverse));
    ck_assert_ok(table()->row_exponents(on(handle), m, dx, dperm, dinverse));
    ck_assert_mem_eq(from_backend_int(dperm, m), perm,
                     (size_t)m * sizeof *perm);
    ck_assert_mem_eq(from_backend_int(dinverse, m), inverse,
                     (size_t)m * sizeof *inverse);
}
END_TEST

START_TEST(column_norms)
{
    const int64_t m = size[_i].m, n = size[_i].n;
    mat_t A = random_mat(m, n, &seed);
    real_t *x = random_reals(n, &seed),
           *dx = grab_backend((size_t)n * sizeof *dx);
    for (int64_t j = 0; j < n; ++j)
        for (int64_t i = 0; i < m; ++i)
            AT(A, i, j) =
                scale((real_t)pow(10, decimal((int)(j * 97 % 260) - 130)),
                      AT(A, i, j));
    ck_assert_ok(cpu->column_norms(on(host), A, x));
    ck_assert_ok(table()->column_norms(on(handle), to_backend(A), dx));
    ck_assert_reals(from_backend_real(dx, n), x, n, 4 * sqrt((double)m));
}
END_TEST

/* Both pivot the columns of A in the order that it has, if order is not NULL, and have
 * the same R up to signs; else, where it is a matter of rounding which of two columns
 * comes first, they have the same rank.  A P = Q R for CUDA's. */
static void check_geqp(mat_t A, int64_t rank, const int *order)
{
    const int64_t m = A.rows, n = A.cols, r = min_i(m, n);
    const double norm = fmax((double)norm1(A), GSVD_SAFMIN);
    mat_t C = copy_mat(A), dA = to_backend(A), dR, R, AP = new_mat(m, n);
    int *perm = grab((size_t)n * sizeof *perm);
    int *dperm = grab_backend((size_t)n * sizeof *dperm);
    scalar_t *tau = grab((size_t)max_i(1, r) * sizeof *tau);
    scalar_t *dtau = grab_backend((size_t)max_i(1, n) * sizeof *dtau);
    const real_t tol = (real_t)(max_i(m, n) * norm * GSVD_ULP);
    int64_t x = -1, y = -1;

    ck_assert_ok(X(geqpf)(on(host), C, GSVD_PIVOT_NORM, tol, perm, tau, &x));
    ck_assert_ok(
        X(geqpf)(on(handle), dA, GSVD_PIVOT_NORM, tol, dperm, dtau, &y));
    ck_assert_int_eq(x, rank);
    ck_assert_int_eq(y, rank);

    R = from_backend(dA);
    const int *p = from_backend_int(dperm, n);
    for (int64_t j = 0; j < rank && order; ++j) {
        ck_assert_int_eq(perm[j], order[j]);
        ck_assert_int_eq(p[j], order[j]);
        for (int64_t i = 0; i <= j; ++i)
            ck_assert(fabs((double)abs_of(AT(R, i, j)) - abs_of(AT(C, i, j))) <=
                      steps(r) * GSVD_ULP * longest(A));
    }
    for (int64_t j = 0; j < n; ++j)
        for (int64_t i = 0; i < m; ++i) {
            AT(AP, i, j) = AT(A, i, p[j]);
            if (i > j)
                AT(R, i, j) = make(0, 0);
        }
    dR = to_backend(R);
    ck_assert_ok(X(unmqr)(on(handle), 'L', 'N', dA, r, dtau, dR));
    ck_assert_near(from_backend(dR), AP, steps(r), longest(A));
}

START_TEST(geqp)
{
    const int64_t m = size[_i].m, n = size[_i].n, r = min_i(m, n);
    const int64_t half = (r + 1) / 2, rank[] = {r, half};
    if (too_large(0, r, 0))
        return;
    for (int k = 0; k < 2; ++k) {
        int *order = grab((size_t)n * sizeof *order);
        const double least = GSVD_SINGLE ? 0.2 : 1e-6;
        check_geqp(pivoted_mat(m, n, rank[k], least, order, &seed), rank[k],
                   order);
    }
    check_geqp(random_mat(m, n, &seed), r, NULL);
    check_geqp(product('N', 'N', mat_cols(random_unitary(m, &seed), 0, half),
                       mat_rows(random_unitary(n, &seed), 0, half)),
               half, NULL);
}
END_TEST

/* A = Q R, R^H R = A^H A from each, and either reads the other's reflectors */
START_TEST(geqrf)
{
    const int64_t m = size[_i].m, n = size[_i].n, r = min_i(m, n);
    const mat_t A = random_mat(m, n, &seed);
    mat_t C = copy_mat(A), dA = to_backend(A);
    scalar_t *tau = grab((size_t)r * sizeof *tau);
    scalar_t *dtau = grab_backend((size_t)r * sizeof *dtau);

    ck_assert_ok(X(geqrf)(on(host), C, tau));
    ck_assert_ok(X(geqrf)(on(handle), dA, dtau));
    mat_t R = from_backend(dA);
    const mat_t QR = copy_mat(R);
    for (int64_t j = 0; j < n; ++j)
        for (int64_t i = j + 1; i < m; ++i)
            AT(R, i, j) = AT(C, i, j) = make(0, 0);
    ck_assert_near(product('C', 'N', R, R), product('C', 'N', C, C), steps(r),
                   pow(longest(A), 2));

    mat_t dQ = to_backend(identity_mat(m, m));
    ck_assert_ok(X(unmqr)(on(handle), 'L', 'N', dA, r, dtau, dQ));
    const mat_t Q = from_backend(dQ);
    ck_assert_near(product('C', 'N', Q, Q), identity_mat(m, m), steps(r), 1);
    ck_assert_near(product('N', 'N', Q, R), A, steps(r), longest(A));

    /* the CPU reads CUDA's reflectors as LAPACK's                            */
    scalar_t *tau2 = grab((size_t)r * sizeof *tau2);
    get(tau2, dtau, (size_t)r * sizeof *tau2);
    mat_t W = identity_mat(m, m);
    ck_assert_ok(X(unmqr)(on(host), 'L', 'N', QR, r, tau2, W));
    ck_assert_near(W, Q, steps(r), 1);

    mat_t dW = to_backend(QR);
    ck_assert_ok(X(ungqr)(on(handle), mat_cols(dW, 0, r), r, dtau));
    ck_assert_near(mat_cols(from_backend(dW), 0, r), mat_cols(Q, 0, r),
                   steps(r), 1);
}
END_TEST

/* Bytes of shared memory that a block may have: most, on sm_80, on sm_86 and 120 */
static const int shared_bytes[] = {232448, 166912, 101376};
enum { SHARED = sizeof shared_bytes / sizeof *shared_bytes };

/* m x b of condition about 10^e: its Gram matrix tells of it once or twice, or not */
static mat_t close_columns(int64_t m, int64_t b, int e)
{
    mat_t A = random_mat(m, b, &seed);
    for (int64_t j = 1; j < b; ++j)
        for (int64_t i = 0; i < m; ++i)
            AT(A, i, j) =
                add(AT(A, i, 0), scale((real_t)pow(10, -e), AT(A, i, j)));
    return A;
}

/* Panels, R alone: the same bits whatever shared memory there is, and the CPU's R */
START_TEST(panels_of_less_shared_memory)
{
    static const int height[] = {32, 70, 257, 2048, 3001, 20011};
    static const int width[] = {1, 31, 32, 33, 64, 100, 128};
    const int e = _i % 4;
    for (int k = 0; k < 6 * 7; ++k) {
        const int64_t m = height[k / 7], b = width[k % 7];
        if (b > m || b > on(handle)->tune->block ||
            too_large(m / 16, b / 2, 1) || (m > 3000 && (k + _i) % 3 != 0))
            continue;
        const mat_t A = close_columns(m, b, e);
        mat_t C = copy_mat(A), R = new_mat(b, b), S = new_mat(b, b);
        mat_t F[SHARED], tau[SHARED], V[SHARED], T[SHARED], P[SHARED];
        for (int x = 0; x < SHARED; ++x) {
            mat_t dA = to_backend(A), dtau = to_backend(new_mat(b, 1));
            mat_t dV = to_backend(new_mat(m, b)), dT = to_backend(S);
            pretend_shared(handle, shared_bytes[x]);
            ck_assert_ok(table()->panel(on(handle), dA, dtau.data, dV, dT));
            F[x] = from_backend(dA);
            tau[x] = from_backend(dtau);
            V[x] = from_backend(dV);
            T[x] = from_backend(dT);
            ck_assert_same(F[x], F[0]);
            ck_assert_same(tau[x], tau[0]);
            ck_assert_same(V[x], V[0]);
            ck_assert_same(T[x], T[0]);
            if (b > 32)
                continue;
            mat_t dR = to_backend(R);
            ck_assert_ok(table()->r_only(on(handle), to_backend(A), dR));
            P[x] = from_backend(dR);
            ck_assert_same(P[x], P[0]);
        }
        pretend_shared(handle, 0);
        ck_assert_ok(X(geqrf)(on(host), C, new_mat(b, 1).data));
        const double bound =
            LIMIT * (double)norm1(A) * GSVD_ULP * pow(10, e) * (double)m;
        for (int64_t i = 0; i < b; ++i) {
            const double r = (double)abs_of(AT(C, i, i));
            ck_assert(fabs((double)abs_of(AT(F[0], i, i)) - r) <= bound);
            ck_assert(b > 32 ||
                      fabs((double)abs_of(AT(P[0], i, i)) - r) <= bound);
        }
        release_pool();
    }
}
END_TEST

/* Triangles of blocks of all orders, whole or by halves: the same bits, the CPU's */
START_TEST(triangles_of_less_shared_memory)
{
    for (int64_t b = 1 + _i; b <= on(handle)->tune->block; b += 8) {
        const int64_t n = 2 * b + b / 2 + 1; /* blocks beside each other      */
        const mat_t S = random_mat(b, n, &seed);
        const real_t *g = random_reals(n, &seed);
        mat_t tau = new_mat(n, 1), C = new_mat(b, n), T[SHARED];
        for (int64_t j = 0; j < n; ++j) {
            AT(tau, j, 0) = make(1 + g[j], g[j] / 2);
            for (int64_t i = 0; i < b; ++i)
                AT(S, i, j) = scale(1 / (real_t)b, AT(S, i, j));
        }
        fill(C, make(0, 0));
        ck_assert_ok(cpu->triangle(on(host), S, tau.data, b, C));
        for (int x = 0; x < SHARED; ++x) {
            mat_t dT = new_mat(b, n);
            fill(dT, make(0, 0));
            dT = to_backend(dT);
            pretend_shared(handle, shared_bytes[x]);
            ck_assert_ok(table()->triangle(on(handle), to_backend(S),
                                           to_backend(tau).data, b, dT));
            T[x] = from_backend(dT);
            ck_assert_same(T[x], T[0]);
        }
        pretend_shared(handle, 0);
        ck_assert_near(T[0], C, steps(b), fmax(longest(C), 1));
        release_pool();
    }
}
END_TEST

START_TEST(matrix_product)
{
    const int64_t m = size[_i].m, n = size[_i].n;
    const mat_t A = random_mat(m, n, &seed), B = random_mat(m, n, &seed);
    const mat_t dA = to_backend(A), dB = to_backend(B);
    const struct {
        char a, b;
        int64_t rows;
    } how[] = {{'N', 'C', m}, {'C', 'N', n}};
    for (int k = 0; k < 2; ++k) {
        mat_t C = new_mat(how[k].rows, how[k].rows), dC = to_backend(C);
        ck_assert_ok(cpu->gemm(on(host), how[k].a, how[k].b, A, B, C));
        ck_assert_ok(table()->gemm(on(handle), how[k].a, how[k].b, dA, dB, dC));
        /* each inner product up to 8 ulp of |x| |y|, which are at most this  */
        ck_assert_near(from_backend(dC), C, 8,
                       REALS_PER_SCALAR * (double)(k == 0 ? n : m));
    }
}
END_TEST

static int descending(const void *a, const void *b)
{
    const real_t x = *(const real_t *)a, y = *(const real_t *)b;
    return (x < y) - (x > y);
}

static real_t *lengths(mat_t G)
{
    real_t *x = grab((size_t)G.cols * sizeof *x);
    ck_assert_ok(cpu->column_norms(on(host), G, x));
    qsort(x, (size_t)G.cols, sizeof *x, descending);
    return x;
}

/* sweeps to the end: the same singular values, to relative accuracy */
START_TEST(sweeps)
{
    const int64_t m = size[_i].m, n = min_i(size[_i].m, size[_i].n);
    const real_t tol = sqrt_r((real_t)m) * GSVD_EPS;
    mat_t G = random_mat(m, n, &seed), C = identity_mat(n, n);
    mat_t dG = to_backend(G), dC = to_backend(C);
    int64_t count = 1, rotations = 0;
    int swept = 0;
    int64_t *drotations = grab_backend(sizeof *drotations);
    if (too_large(0, n, 0))
        return;

    for (int sweep = 0; sweep < 30 && count > 0; ++sweep) {
        ck_assert_ok(cpu->sweep(on(host), G, C, G.cols, tol, &rotations));
        ck_assert_ok(cpu->read_rotations(on(host), &rotations, &count));
    }
    ck_assert_int_eq(count, 0);
    ck_assert_ok(table()->read_rotations(on(handle), drotations, NULL));
    count = 1;
    for (swept = 0; swept < 30 && count > 0; ++swept) {
        ck_assert_ok(
            table()->sweep(on(handle), dG, dC, dG.cols, tol, drotations));
        ck_assert_ok(table()->read_rotations(on(handle), drotations, &count));
    }
    ck_assert_int_eq(count, 0);
    const real_t *x = lengths(G), *y = lengths(from_backend(dG));
    for (int64_t j = 0; j < n; ++j)
        ck_assert(fabs((double)x[j] - y[j]) <=
                  steps(max_i(m, n)) * GSVD_ULP * x[0]);
    const mat_t J = from_backend(dC); /* a rotation of each column with each  */
    ck_assert_near(product('C', 'N', J, J), identity_mat(n, n),
                   steps(n * swept), 1);
}
END_TEST

/* Cosines of random columns, which have the lengths d, descending.  Each step starts
 * from the CPU's numbers. */
START_TEST(large_steps)
{
    const int64_t m = size[_i].m, n = size[_i].n;
    const mat_t G = random_mat(m, n, &seed), dG = to_backend(G);
    real_t *norm = grab((size_t)n * sizeof *norm), x, y;
    real_t *const d = grab((size_t)n * sizeof *d);
    mat_t B = new_mat(m, n), C = new_mat(n, n), T = new_mat(n, n);
    mat_t dB = to_backend(B), dC = to_backend(C);

    ck_assert_ok(cpu->column_norms(on(host), G, norm));
    norm[n / 2] = 0;
    for (int64_t j = 0; j < n; ++j)
        d[j] = (real_t)(2 * n - j) / (real_t)n;
    ck_assert_ok(cpu->normalize_columns(on(host), G, norm, B));
    ck_assert_ok(table()->normalize_columns(on(handle), dG,
                                            to_backend_real(norm, n), dB));
    ck_assert_same(from_backend(dB), B);
    ck_assert_ok(cpu->scale_columns(on(host), G, norm, B));
    ck_assert_ok(
        table()->scale_columns(on(handle), dG, to_backend_real(norm, n), dB));
    ck_assert_same(from_backend(dB), B);
    ck_assert_ok(cpu->normalize_columns(on(host), G, norm, B));
    ck_assert_ok(table()->normalize_columns(on(handle), dG,
                                            to_backend_real(norm, n), dB));
    ck_assert_ok(cpu->gram(on(host), B, C));
    ck_assert_ok(table()->gram(on(handle), dB, dC));
    ck_assert_near(from_backend(dC), C, 8 * REALS_PER_SCALAR, 1);
    dC = to_backend(C);
    ck_assert_ok(cpu->largest_cosine(on(host), C, &x));
    ck_assert_ok(table()->largest_cosine(on(handle), dC, &y));
    ck_assert_reals(&y, &x, 1, 4);
    ck_assert_ok(cpu->rotation_angles(on(host), C, d, NULL, (real_t)0.01, &x));
    ck_assert_ok(table()->rotation_angles(on(handle), dC, to_backend_real(d, n),
                                          NULL, (real_t)0.01, &y));
    ck_assert_near(from_backend(dC), C, 8, 1);
    ck_assert_reals(&y, &x, 1, 8 + 4 * sqrt((double)n));
    const mat_t S = product('C', 'N', C, C);
    const real_t s = 1 / fmax_r(x, 1);
    mat_t dT = to_backend(T);
    ck_assert_ok(cpu->second_order_exp(on(host), C, S, s, T));
    ck_assert_ok(table()->second_order_exp(on(handle), to_backend(C),
                                           to_backend(S), s, dT));
    ck_assert_near(from_backend(dT), T, 4, 2);
    mat_t E = product('C', 'N', T, T), dE = to_backend(E);
    ck_assert_ok(cpu->newton_schulz(on(host), E, NULL, &x));
    ck_assert_ok(table()->newton_schulz(on(handle), dE, NULL, &y));
    ck_assert_near(from_backend(dE), E, 2, 2);
    ck_assert_reals(&y, &x, 1, 4);
}
END_TEST

/* The steps of TANGENT: scales of columns, and a triangle solved for from the right */
START_TEST(quotient_of_pair)
{
    const int64_t m = size[_i].m, n = size[_i].n;
    mat_t A = random_mat(m, n, &seed), dA = to_backend(A);
    mat_t R = random_mat(n, n, &seed);
    real_t *const a = grab((size_t)n * sizeof *a);
    real_t *const b = grab((size_t)n * sizeof *b);
    real_t *const d = grab((size_t)n * sizeof *d);

    for (int64_t j = 0; j < n; ++j) {
        AT(R, j, j) = make((real_t)n, 0);
        a[j] = j % 5 == 4 ? 0 : ldexp_r(3, (int)(j * 37 % 90) - 60);
        b[j] = ldexp_r(5, (int)(j * 53 % 90) - 60);
    }
    real_t *const dd = to_backend_real(a, n);
    ck_assert_ok(cpu->column_scales(on(host), n, a, b, d));
    ck_assert_ok(table()->column_scales(on(handle), n, to_backend_real(a, n),
                                        to_backend_real(b, n), dd));
    ck_assert_reals(from_backend_real(dd, n), d, n, 0);
    real_t x, y;
    ck_assert_ok(cpu->joint_scales(on(host), n, a, b, 1, 2, d, &x));
    ck_assert_ok(table()->joint_scales(on(handle), n, to_backend_real(a, n),
                                       to_backend_real(b, n), 1, 2, dd, &y));
    ck_assert_reals(from_backend_real(dd, n), d, n, 0);
    ck_assert(x == y);
    ck_assert_ok(cpu->trsm(on(host), R, A));
    ck_assert_ok(table()->trsm(on(handle), to_backend(R), dA));
    ck_assert_near(from_backend(dA), A, 8, 1);
}
END_TEST

/* The signed forms of the same: angles, Newton and Schulz, and roots */
START_TEST(signed_steps)
{
    const int64_t n = size[_i].n;
    const mat_t B = random_mat(size[_i].m, n, &seed);
    mat_t C = product('C', 'N', B, B), dC = to_backend(C);
    real_t *const d = grab((size_t)n * sizeof *d), x, y;
    real_t *const sign = grab((size_t)n * sizeof *sign);
    real_t *const root = grab((size_t)n * sizeof *root);
    real_t *const droot = grab_backend((size_t)n * sizeof *droot);
    real_t *const dnext = grab_backend((size_t)n * sizeof *dnext);
    real_t *const value = random_reals(n, &seed);

    for (int64_t j = 0; j < n; ++j) {
        d[j] = (real_t)(2 * n - j) / (real_t)n;
        value[j] = j % 3 == 1 ? -value[j] : j % 5 == 4 ? 0 : value[j];
    }
    ck_assert_ok(cpu->signed_roots(on(host), n, value, root, sign));
    ck_assert_ok(table()->signed_roots(on(handle), n, to_backend_real(value, n),
                                       droot, dnext));
    ck_assert_mem_eq(from_backend_real(dnext, n), sign,
                     (size_t)n * sizeof *sign);
    ck_assert_reals(from_backend_real(droot, n), root, n, 1);
    for (int64_t j = 0; j < n; ++j)
        sign[j] = sign[j] < 0 ? -1 : 1;
    real_t *const dsign = to_backend_real(sign, n);
    ck_assert_ok(cpu->rotation_angles(on(host), C, d, sign, (real_t)0.01, &x));
    ck_assert_ok(table()->rotation_angles(on(handle), dC, to_backend_real(d, n),
                                          dsign, (real_t)0.01, &y));
    ck_assert_near(from_backend(dC), C, 8, 1);
    ck_assert_reals(&y, &x, 1, 8 + 4 * sqrt((double)n));
    mat_t E = product('C', 'N', B, B), dE = to_backend(E);
    ck_assert_ok(cpu->newton_schulz(on(host), E, sign, &x));
    ck_assert_ok(table()->newton_schulz(on(handle), dE, dsign, &y));
    ck_assert_near(from_backend(dE), E, 2, 2);
    ck_assert_reals(&y, &x, 1, 4);
    ck_assert_ok(cpu->signed_drift(on(host), E, sign, d, 0, &x));
    ck_assert_ok(table()->signed_drift(on(handle), dE, dsign,
                                       to_backend_real(d, n), 0, &y));
    ck_assert_near(from_backend(dE), E, 4, 2);
    ck_assert_reals(&y, &x, 1, 8);
}
END_TEST

/* The same values up to rounding; vectors that have the matrix in common */
START_TEST(eigenvectors)
{
    const int64_t n = size[_i].n;
    const mat_t G = random_mat(size[_i].m, n, &seed);
    mat_t A = product('C', 'N', G, G), X = copy_mat(A), dX = to_backend(A);
    real_t *w = random_reals(n, &seed), *dw = to_backend_real(w, n);
    exec_t ex = *on(handle);
    size_t bytes = 0;

    if (too_large(0, n, 0))
        return;
    ck_assert_ok(table()->eigenvectors_staging(&ex, n, &bytes));
    ex.staging = (buffer_t){grab(bytes), bytes};
    ck_assert_ok(cpu->eigenvectors(on(host), X, w));
    ck_assert_ok(table()->eigenvectors(&ex, dX, dw));
    const real_t *v = from_backend_real(dw, n);
    X = from_backend(dX);
    const double norm = (double)norm1(A);
    for (int64_t j = 0; j < n; ++j)
        ck_assert(fabs((double)v[j] - w[j]) <= steps(n) * GSVD_ULP * norm);
    ck_assert_near(product('C', 'N', X, X), identity_mat(n, n), steps(n), 1);
    const mat_t XW = copy_mat(X);
    for (int64_t j = 0; j < n; ++j)
        for (int64_t i = 0; i < n; ++i)
            AT(XW, i, j) = scale(v[j], AT(X, i, j));
    ck_assert_near(product('N', 'C', XW, X), A, steps(n), norm);
}
END_TEST

/* with signs: the same lengths, as accurate as the columns are well conditioned */
START_TEST(signed_sweeps)
{
    const int64_t n = min_i(size[_i].m, size[_i].n), m = 2 * n + 1;
    const int64_t plus = n / 2;
    const real_t tol = sqrt_r((real_t)max_i(m, 16)) * GSVD_EPS;
    if (too_large(0, n, 0))
        return;
    mat_t G = normal_mat(m, n, &seed), C = mat_view(NULL, 0, n, 1);
    mat_t dG = to_backend(G);
    int64_t count = 1, rotations = 0;
    int64_t *drotations = grab_backend(sizeof *drotations);

    for (int sweep = 0; sweep < 30 && count > 0; ++sweep) {
        ck_assert_ok(cpu->sweep(on(host), G, C, plus, tol, &rotations));
        ck_assert_ok(cpu->read_rotations(on(host), &rotations, &count));
    }
    ck_assert_int_eq(count, 0);
    ck_assert_ok(table()->read_rotations(on(handle), drotations, NULL));
    count = 1;
    for (int sweep = 0; sweep < 30 && count > 0; ++sweep) {
        ck_assert_ok(table()->sweep(on(handle), dG, C, plus, tol, drotations));
        ck_assert_ok(table()->read_rotations(on(handle), drotations, &count));
    }
    ck_assert_int_eq(count, 0);
    dG = from_backend(dG);
    for (int sign = 0; sign < 2; ++sign) {
        const int64_t first = sign ? plus : 0, cols = sign ? n - plus : plus;
        const real_t *x = lengths(mat_cols(G, first, cols));
        const real_t *y = lengths(mat_cols(dG, first, cols));
        for (int64_t j = 0; j < cols; ++j)
            ck_assert(fabs((double)x[j] - y[j]) <=
                      steps(m) * GSVD_ULP * (double)x[0]);
    }
}
END_TEST

/* One sweep of one backend's blocks; the number of rotations and of blocks left */
static int64_t sweep_blocks(const backend_t *op, const exec_t *on_, mat_t G,
                            mat_t C, int64_t plus, real_t *d,
                            int64_t *rotations)
{
    const real_t tol = jacobi_tolerance(-1, G.rows);
    exec_t ex = *on_;
    tuning_t tune = *ex.tune;
    int64_t count = -1, left = -1;
    tune.inner_sweeps = 2;
    ex.tune = &tune;
    for (int i = 0; i < 2; ++i)
        ck_assert_ok(op->read_rotations(&ex, rotations + i, NULL));
    ck_assert_ok(op->column_norms(&ex, G, d));
    ck_assert_ok(op->sweep_blocks(&ex, G, C, plus, tol, d, rotations));
    ck_assert_ok(op->read_rotations(&ex, rotations, &count));
    ck_assert_ok(op->read_rotations(&ex, rotations + 1, &left));
    ck_assert_int_ge(count, 0);
    ck_assert_int_ge(left, 0);
    return count + left;
}

/* by blocks to the end: the same lengths, and V unitary */
START_TEST(block_sweeps)
{
    const int64_t n = min_i(size[_i].m, size[_i].n), m = 2 * n + 1;
    if (too_large(0, n, 0))
        return;
    for (int signs = 0; signs < 2; ++signs) {
        const int64_t plus = signs ? n / 2 : n;
        mat_t G = normal_mat(m, n, &seed), C = identity_mat(n, n);
        mat_t dG = to_backend(G), dC = to_backend(C);
        real_t *const d = grab((size_t)max_i(n, 1) * sizeof *d);
        real_t *const dd = grab_backend((size_t)max_i(n, 1) * sizeof *dd);
        int64_t rotations[2], *const drotations =
                                  grab_backend(2 * sizeof *drotations);
        int64_t count = 1, dcount = 1;
        int swept = 0;
        for (; swept < 30 && (count > 0 || dcount > 0); ++swept) {
            count = sweep_blocks(cpu, on(host), G, C, plus, d, rotations);
            dcount =
                sweep_blocks(table(), on(handle), dG, dC, plus, dd, drotations);
        }
        ck_assert_int_eq(count, 0);
        ck_assert_int_eq(dcount, 0);
        dG = from_backend(dG);
        for (int sign = 0; sign < 2; ++sign) {
            const int64_t first = sign ? plus : 0;
            const int64_t cols = sign ? n - plus : plus;
            const real_t *const x = lengths(mat_cols(G, first, cols));
            const real_t *const y = lengths(mat_cols(dG, first, cols));
            for (int64_t j = 0; j < cols; ++j)
                ck_assert(fabs((double)x[j] - y[j]) <=
                          steps(m) * GSVD_ULP * (double)x[0]);
        }
        if (!signs) {
            const mat_t V = from_backend(dC);
            ck_assert_near(product('C', 'N', V, V), identity_mat(n, n),
                           steps(n), 1);
        }
    }
}
END_TEST

START_TEST(values)
{
    const int64_t n = (int64_t)size[_i].m * size[_i].n % 1500 + 1;
    real_t *c = random_reals(n, &seed), *s = random_reals(n, &seed);
    for (int64_t i = 0; i < n; i += 5)
        c[i] = (real_t)0.25; /* ties                                          */
    real_t *dc = to_backend_real(c, n), *ds = to_backend_real(s, n);
    int *perm = grab((size_t)n * sizeof *perm);
    int *dperm = grab_backend((size_t)n * sizeof *dperm);
    real_t *y = random_reals(n, &seed), *dy = to_backend_real(y, n);
    int64_t lead, dlead;

    ck_assert_ok(cpu->values_order(on(host), n, c, s, perm));
    ck_assert_ok(table()->values_order(on(handle), n, dc, ds, dperm));
    ck_assert_mem_eq(from_backend_int(dperm, n), perm,
                     (size_t)n * sizeof *perm);
    ck_assert_ok(cpu->values_permute(on(host), n, c, perm, y));
    ck_assert_ok(table()->values_permute(on(handle), n, dc, dperm, dy));
    ck_assert_reals(from_backend_real(dy, n), y, n, 0);
    ck_assert_ok(cpu->values_unit(on(host), n, c, s));
    ck_assert_ok(table()->values_unit(on(handle), n, dc, ds));
    ck_assert_reals(from_backend_real(dc, n), c, n, 4);
    ck_assert_reals(from_backend_real(ds, n), s, n, 4);
    int64_t *const signs = grab((size_t)n * sizeof *signs), plus, dplus;
    int64_t *const dsigns = grab_backend((size_t)n * sizeof *dsigns);
    for (int64_t i = 0; i < n; ++i)
        signs[i] = i * i % 7 < 3 ? 1 : -1;
    put(dsigns, signs, (size_t)n * sizeof *signs);
    ck_assert_ok(cpu->partition_signs(on(host), n, signs, perm, &plus));
    ck_assert_ok(
        table()->partition_signs(on(handle), n, dsigns, dperm, &dplus));
    ck_assert_int_eq(plus, dplus);
    ck_assert_mem_eq(from_backend_int(dperm, n), perm,
                     (size_t)n * sizeof *perm);
    /* from here on the same input again                                     */
    put(dc, c, (size_t)n * sizeof *c);
    put(ds, s, (size_t)n * sizeof *s);
    ck_assert_ok(cpu->values_lead(on(host), n, c, s, &lead));
    ck_assert_ok(table()->values_lead(on(handle), n, dc, ds, &dlead));
    ck_assert_int_eq(lead, dlead);
    real_t *out[3], *dout[3];
    int *e = grab((size_t)n * sizeof *e);
    int *de = grab_backend((size_t)n * sizeof *de);
    for (int k = 0; k < 3; ++k) {
        out[k] = random_reals(n, &seed);
        dout[k] = to_backend_real(out[k], n);
    }
    ck_assert_ok(cpu->normalize_values(on(host), n, 40, -40, c, s, out[0],
                                       out[1], out[2], e));
    ck_assert_ok(table()->normalize_values(on(handle), n, 40, -40, dc, ds,
                                           dout[0], dout[1], dout[2], de));
    for (int k = 0; k < 3; ++k)
        ck_assert_reals(from_backend_real(dout[k], n), out[k], n, 4);
    ck_assert_mem_eq(from_backend_int(de, n), e, (size_t)n * sizeof *e);
    ck_assert_ok(cpu->values_complete(on(host), n, c, s));
    ck_assert_ok(table()->values_complete(on(handle), n, dc, ds));
    ck_assert_reals(from_backend_real(dc, n), c, n, 4);
    ck_assert_reals(from_backend_real(ds, n), s, n, 4);
}
END_TEST

/* end to end: the same ranks and values */
START_TEST(decomposition)
{
    const recipe_t c = {size[_i].m, size[_i].n, size[_i].n, NORMAL,
                        -1,         -1,         0,          0};
    const int64_t m = c.m, n = c.n, p = c.p;
    const sample_t P = make_pair(&c, 13);
    mat_t A = copy_mat(P.A), B = copy_mat(P.B);
    real_t *alpha = random_reals(n, &seed), *beta = random_reals(n, &seed);
    int64_t k, l;
    int info;

    if (too_large(m, n, p))
        return;
    ck_assert_int_eq(GSVD_ENTRY(host, 'N', 'N', 'N', m, n, p, &k, &l, A.data,
                                A.ld, B.data, B.ld, alpha, beta, NULL, 1, NULL,
                                1, NULL, 1, &info),
                     GSVD_SUCCESS);
    const double bound =
        steps(max_i(m, n)) * GSVD_ULP * stacked_condition(P.A, P.B, k + l);
    for (int door = 0; door < doors(); ++door) {
        const result_t r = decompose((door_t)door, 'N', 'N', 'N', P.A, P.B);
        ck_assert_int_eq(r.status, GSVD_SUCCESS);
        ck_assert_int_eq(r.k, k);
        ck_assert_int_eq(r.l, l);
        ck_assert(chordal(l, r.alpha + k, r.beta + k, 1, 1, alpha + k,
                          beta + k) <= bound);
    }
}
END_TEST

Suite *make_suite(void)
{
    Suite *s = suite_create("twins");
    TCase *t = add_tcase(s, "twins");
    tcase_add_unchecked_fixture(t, open_host, close_host);
    tcase_add_loop_test(t, elementwise, 0, SIZES);
    tcase_add_loop_test(t, of_single_precision, 0, SIZES);
    tcase_add_loop_test(t, rows, 0, SIZES);
    tcase_add_loop_test(t, column_norms, 0, SIZES);
    tcase_add_loop_test(t, geqp, 0, SIZES);
    tcase_add_loop_test(t, geqrf, 0, SIZES);
    tcase_add_loop_test(t, panels_of_less_shared_memory, 0, 4);
    tcase_add_loop_test(t, triangles_of_less_shared_memory, 0, 8);
    tcase_add_loop_test(t, matrix_product, 0, SIZES);
    tcase_add_loop_test(t, sweeps, 0, SIZES);
    tcase_add_loop_test(t, large_steps, 0, SIZES);
    tcase_add_loop_test(t, quotient_of_pair, 0, SIZES);
    tcase_add_loop_test(t, block_sweeps, 0, SIZES);
    tcase_add_loop_test(t, signed_steps, 0, SIZES);
    tcase_add_loop_test(t, eigenvectors, 0, SIZES);
    tcase_add_loop_test(t, signed_sweeps, 0, SIZES);
    tcase_add_loop_test(t, values, 0, SIZES);
    tcase_add_loop_test(t, decomposition, 0, SIZES);
    return s;
}
