/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* test_twins.c -- CUDA against its CPU twin on one input where factors are not unique: what
 * they have in common.  Rows of test_primitives.c compare all else. */
#include "core/rotate.h"
#include "harness/primitive.h"
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

static uint64_t seed = 7;

/* A = Q R, R^H R = A^H A from each, and either reads the other's reflectors */
START_TEST(geqrf)
{
    const int64_t m = size[_i].m, n = size[_i].n, r = min_i(m, n);
    const mat_t A = random_mat(m, n, &seed);
    mat_t C = copy_mat(A), dA = to_backend(A);
    scalar_t *tau = grab((size_t)r * sizeof *tau);
    scalar_t *dtau = grab_backend((size_t)r * sizeof *dtau);

    ck_assert_ok(X(geqrf)(on(twin()), C, tau));
    ck_assert_ok(X(geqrf)(on(handle), dA, dtau));
    const mat_t QR = from_backend(dA), R = upper_part(QR);
    C = upper_part(C);
    ck_assert_near(product('C', 'N', R, R), product('C', 'N', C, C),
                   random_walk(r), pow(longest(A), 2));

    mat_t dQ = to_backend(identity_mat(m, m));
    ck_assert_ok(X(unmqr)(on(handle), 'L', 'N', dA, r, dtau, dQ));
    const mat_t Q = from_backend(dQ);
    ck_assert_near(product('C', 'N', Q, Q), identity_mat(m, m), random_walk(r),
                   1);
    ck_assert_near(product('N', 'N', Q, R), A, random_walk(r), longest(A));

    /* the CPU reads CUDA's reflectors as LAPACK's                            */
    scalar_t *tau2 = grab((size_t)r * sizeof *tau2);
    get(tau2, dtau, (size_t)r * sizeof *tau2);
    mat_t W = identity_mat(m, m);
    ck_assert_ok(X(unmqr)(on(twin()), 'L', 'N', QR, r, tau2, W));
    ck_assert_near(W, Q, random_walk(r), 1);

    mat_t dW = to_backend(QR);
    ck_assert_ok(X(ungqr)(on(handle), mat_cols(dW, 0, r), r, dtau));
    ck_assert_near(mat_cols(from_backend(dW), 0, r), mat_cols(Q, 0, r),
                   random_walk(r), 1);
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
            CALL(panel, dA, dtau.data, dV, dT);
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
            CALL(r_only, to_backend(A), dR);
            P[x] = from_backend(dR);
            ck_assert_same(P[x], P[0]);
        }
        pretend_shared(handle, 0);
        ck_assert_ok(X(geqrf)(on(twin()), C, new_mat(b, 1).data));
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
        mat_t tau = new_mat(n, 1), C = zero_mat(b, n), T[SHARED];
        for (int64_t j = 0; j < n; ++j) {
            AT(tau, j, 0) = make(1 + g[j], g[j] / 2);
            scale_column(S, j, 1 / (real_t)b);
        }
        CALL_TWIN(triangle, S, tau.data, b, C);
        for (int x = 0; x < SHARED; ++x) {
            mat_t dT = zero_mat(b, n);
            dT = to_backend(dT);
            pretend_shared(handle, shared_bytes[x]);
            CALL(triangle, to_backend(S), to_backend(tau).data, b, dT);
            T[x] = from_backend(dT);
            ck_assert_same(T[x], T[0]);
        }
        pretend_shared(handle, 0);
        ck_assert_near(T[0], C, random_walk(b), fmax(longest(C), 1));
        release_pool();
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
            count = sweep_blocks(&X(backend_cpu), on(twin()), G, C, plus, d,
                                 rotations);
            dcount =
                sweep_blocks(table(), on(handle), dG, dC, plus, dd, drotations);
        }
        ck_assert_int_eq(count, 0);
        ck_assert_int_eq(dcount, 0);
        ck_assert_lengths(G, from_backend(dG), plus);
        if (!signs) {
            const mat_t V = from_backend(dC);
            ck_assert_near(product('C', 'N', V, V), identity_mat(n, n),
                           random_walk(n), 1);
        }
    }
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
    ck_assert_int_eq(GSVD_ENTRY(twin(), 'N', 'N', 'N', m, n, p, &k, &l, A.data,
                                A.ld, B.data, B.ld, alpha, beta, NULL, 1, NULL,
                                1, NULL, 1, &info),
                     GSVD_SUCCESS);
    const double bound = random_walk(max_i(m, n)) * GSVD_ULP *
                         stacked_condition(P.A, P.B, k + l);
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
    tcase_add_loop_test(t, geqrf, 0, SIZES);
    tcase_add_loop_test(t, panels_of_less_shared_memory, 0, 4);
    tcase_add_loop_test(t, triangles_of_less_shared_memory, 0, 8);
    tcase_add_loop_test(t, block_sweeps, 0, SIZES);
    tcase_add_loop_test(t, decomposition, 0, SIZES);
    return s;
}
