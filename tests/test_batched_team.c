/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* test_batched_team.c -- the texts of batch/gsvd.h and batch/eigh.h by teams of threads: as good as by a
 * team of one, with the same bits whatever the number of squads. */
#include <limits.h>
#include <stdio.h>

#define GSVD_TEAM "harness/team_of_threads.h"
#include "batch/eigh.h"
#include "batch/gsvd.h"
#include "emulated/svd.h"
#include "harness/harness.h"

/* ---- a pair, by a team ------------------------------------------------------ */

typedef struct call {
    team_t t;
    void (*text)(team_t t, const void *batch, void *memory);
    const void *batch;
    void *memory;
} call_t;

static void *work(void *of_thread)
{
    const call_t *const task = of_thread;
    task->text(task->t, task->batch, task->memory);
    return NULL;
}

static void run_team(int squads, void (*text)(team_t, const void *, void *),
                     const void *batch, void *memory)
{
    team_shared_t shared;
    call_t task[MOST_SQUADS * LANES];
    pthread_t thread[MOST_SQUADS * LANES];

    pthread_barrier_init(&shared.all, NULL, (unsigned)(squads * LANES));
    for (int i = 0; i < squads; ++i)
        pthread_barrier_init(&shared.squad[i], NULL, LANES);
    for (int i = 0; i < squads * LANES; ++i) {
        task[i] = (call_t){
            {i % LANES, i / LANES, squads, &shared}, text, batch, memory};
        ck_assert_int_eq(0, pthread_create(&thread[i], NULL, work, &task[i]));
    }
    for (int i = 0; i < squads * LANES; ++i)
        pthread_join(thread[i], NULL);
    for (int i = 0; i < squads; ++i)
        pthread_barrier_destroy(&shared.squad[i]);
    pthread_barrier_destroy(&shared.all);
}

static void pair_by_team(team_t t, const void *batch, void *memory)
{
    solve_one(t, batch, 0, memory);
}

static batch_mat_t alone(mat_t A)
{
    return (batch_mat_t){.data = A.data, .ld = A.ld};
}

static result_t decompose_by(int squads, int solver, int vectors,
                             const sample_t *P)
{
    const int64_t m = P->A.rows, n = P->A.cols, p = P->B.rows;
    const int order = (int)max_i(max_i(m, n), max_i(p, 1));
    policy_t policy = on(handle)->policy;
    result_t r = {.A = copy_mat(P->A),
                  .B = copy_mat(P->B),
                  .U = new_mat(m, m),
                  .V = new_mat(p, p),
                  .Q = new_mat(n, n),
                  .alpha = grab((size_t)n * sizeof(real_t)),
                  .beta = grab((size_t)n * sizeof(real_t))};
    const gsvd_batch_t b = {.count = 1,
                            .m = m,
                            .n = n,
                            .p = p,
                            .A = alone(r.A),
                            .B = alone(r.B),
                            .U = alone(vectors ? r.U : (mat_t){.ld = 1}),
                            .V = alone(vectors ? r.V : (mat_t){.ld = 1}),
                            .Q = alone(vectors ? r.Q : (mat_t){.ld = 1}),
                            .u_cols = vectors ? m : 0,
                            .v_cols = vectors ? p : 0,
                            .q_cols = vectors ? n : 0,
                            .alpha = {.data = r.alpha},
                            .beta = {.data = r.beta},
                            .illegal_A = -9,
                            .illegal_B = -11,
                            .k = &r.k,
                            .l = &r.l,
                            .info = &r.info};
    policy.solver = (gsvd_solver_t)solver;
    const team_batch_t c = team_batch_of(&b, &policy, order, order | 1);
    run_team(squads, pair_by_team, &c, grab(team_bytes(order, c.ld)));
    const mat_t all[] = {r.A, r.B, r.U, r.V, r.Q};
    for (int i = 0; i < 5; ++i)
        ck_assert_padding(all[i]);
    return r;
}

/* ---- tests --------------------------------------------------------------------- */

static const shape_t team_shape[] = {{1, 1, 1},   {2, 3, 4}, {5, 5, 5},
                                     {8, 8, 8},   {9, 6, 7}, {6, 9, 4},
                                     {12, 10, 3}, {3, 7, 2}, {13, 12, 14}};
enum { TEAM_SHAPES = sizeof team_shape / sizeof *team_shape };

/* one squad, and others: the same bits, LAPACK's ratios, and the ranks of the single routine
 * where they are not next to a tolerance */
START_TEST(squads_agree)
{
    const shape_t s = team_shape[_i % TEAM_SHAPES];
    const int solver = _i < TEAM_SHAPES ? GSVD_SOLVER_AUTO : GSVD_SOLVER_CSD;
    for (int f = _i % 3; f < FAMILIES; f += 3) {
        recipe_t c = {s.m, s.n, s.p, (family_t)f, -1, -1, 0, f % 2 ? 0 : 20};
        c.l = s.p < s.n ? s.p : s.n;
        c.k = s.m < s.n - c.l ? s.m : s.n - c.l;
        const sample_t P = make_pair(&c, 3);
        const result_t x = decompose_by(1, solver, 1, &P);
        const result_t y = decompose_by(2 + f % 3, solver, 1, &P);
        const result_t v = decompose_by(1 + f % 3, solver, 0, &P);
        const result_t z = decompose(HOST, 'U', 'V', 'Q', P.A, P.B);
        ck_assert_int_eq(x.info, 0);
        ck_assert_ratios(P.A, P.B, &x, family_name[f]);
        if (f == NORMAL || f == RANKS || f == INTEGER || f == ZERO_A ||
            f == ZERO_B || f == GRADED_ROWS)
            ck_assert_int_eq(1000 * x.k + x.l, 1000 * z.k + z.l);
        ck_assert_int_eq(1000 * x.k + x.l, 1000 * v.k + v.l);
        ck_assert_same_result(&x, &y);
        release_pool();
    }
}
END_TEST

/* Kahan's matrix hides its rank from norm pivoting: a team finds it as the single routine does. */
START_TEST(hidden_rank)
{
    enum { N = 30 };
    const double c = 0.3, s = sqrt(1 - c * c);
    uint64_t seed = 9;
    sample_t P = {.A = normal_mat(3, N, &seed), .B = new_mat(N, N)};
    fill(P.B, make(0, 0));
    for (int i = 0; i < N; ++i)
        for (int j = i; j < N; ++j)
            AT(P.B, i, j) = make(
                (real_t)(pow(s, i) * (i == j ? 1 : -c) * (1 - 1e-4 * j)), 0);
    ck_assert_ok(gsvd_set_option(handle, GSVD_TOL_B, 1e-3));
    const result_t x = decompose_by(1, GSVD_SOLVER_AUTO, 1, &P);
    const result_t y = decompose_by(2, GSVD_SOLVER_AUTO, 1, &P);
    ck_assert_int_eq(x.info, 0);
    ck_assert_int_eq(x.l, N - 1);
    ck_assert_ratio(fmax(defect(x.U), fmax(defect(x.V), defect(x.Q))));
    ck_assert_ratio(residual_A(P.A, &x, GSVD_FORM_LAPACK));
    ck_assert_same(x.B, y.B);
    ck_assert_same(x.V, y.V);
}
END_TEST

/* Values of A's zero rows, where others are fewer than columns, and of its zero columns are 0, and not
 * what rounding of A is to a small B. */
START_TEST(zeros_of_a)
{
    enum { N = 6 };
    static const int64_t rows[] = {N - 1, N, N + 2};
    const int64_t m = rows[_i / 2 % 3], left = _i % 2 ? N - 1 : m - m / 2;
    uint64_t seed = 70 + (uint64_t)_i;
    const sample_t P = {.A = normal_mat(m, N, &seed),
                        .B = ldexp_mat(_i < 6 ? identity_mat(N, N)
                                              : normal_mat(N + 1, N, &seed),
                                       GSVD_SINGLE ? -24 : -54)};
    if (_i % 2)
        scale_column(P.A, _i % N, 0);
    else
        leave_rows(P.A, left, &seed);
    const result_t x = decompose_by(2, GSVD_SOLVER_AUTO, 1, &P);
    ck_assert_int_eq(x.info, 0);
    ck_assert(x.k == 0 && x.l == N && x.alpha[left - 1] > 0);
    for (int64_t j = left; j < N; ++j)
        ck_assert_msg(x.alpha[j] <= 0, "%ld: %g", (long)j, (double)x.alpha[j]);
    ck_assert_ratios(P.A, P.B, &x, "zeros of A");
}
END_TEST

/* NaN: in all that is written, and in nothing else */
START_TEST(not_finite)
{
    const recipe_t c = {6, 5, 7, NORMAL, -1, -1, 0, 0};
    const sample_t P = make_pair(&c, 3);
    AT(_i ? P.B : P.A, 2, 3) = make((real_t)INFINITY, 0);
    const result_t x = decompose_by(2, GSVD_SOLVER_AUTO, 1, &P);
    ck_assert_int_eq(x.info, _i ? -11 : -9);
    ck_assert(x.k == 0 && x.l == 0);
    ck_assert(isnan(x.alpha[4]) && isnan(x.beta[0]));
    ck_assert(isnan(re(AT(x.U, 5, 5))) && isnan(re(AT(x.V, 6, 0))) &&
              isnan(re(AT(x.Q, 0, 4))));
}
END_TEST

/* ---- eigenvectors out of an SVD ---------------------------------------------------- */

static void load_matrix(team_t t, const void *batch, void *memory)
{
    (void)memory;
    eigh_load_one(t, batch, 0);
}

static void find_vectors(team_t t, const void *batch, void *memory)
{
    eigh_signs_one(t, batch, 0, memory);
}

/* Values of unequal sign: none of one size; pairs; half of them 0; 1 and -1; some of each; the last
 * columns of U are not the left factor of anything; 1 and zeros, of which U + V has dependent columns */
enum {
    APART,
    EIGH_PAIRS,
    ZEROS,
    REFLECTION,
    MIXED,
    WRONG,
    DEPENDENT,
    EIGH_KINDS
};

static mat_t hermitian_of(int what, int64_t n, uint64_t *seed)
{
    const mat_t Q = random_unitary(n, seed);
    mat_t QW = copy_mat(Q), H;
    EACH_ENTRY (QW, i, j) {
        const double sign = j % 3 == 0 ? -1 : 1,
                     size = 1 + (double)j / (double)n;
        const double w[] = {sign * size,
                            (j % 2 ? 1 : -1) * (1 + (double)(j / 2)),
                            j < n / 2 ? sign * size : 0,
                            sign,
                            j % 4 == 3 ? 0 : sign * (1 + (double)(j % 2)),
                            sign * size,
                            j == 0};
        AT(QW, i, j) = scale((real_t)w[what], AT(QW, i, j));
    }
    H = product('N', 'C', QW, Q);
    EACH_ENTRY (H, i, j)
        if (i <= j)
            AT(H, i, j) =
                i == j ? make(re(AT(H, i, j)), 0) : conj_of(AT(H, j, i));
    return H;
}

/* U's columns of zeros, all but the first, := V's times I - 2 x x^H + 2 y y^H, whose diagonal is 1:
 * U + V has nothing of V x. */
static void make_dependent(mat_t U, mat_t V, real_t *sigma)
{
    const int64_t n = U.cols, even = (n - 1) / 2 * 2;
    for (int64_t i = 0; i < n; ++i) {
        scalar_t sum[2] = {make(0, 0), make(0, 0)};
        for (int64_t j = 1; j <= even; ++j)
            sum[j % 2] = add(sum[j % 2], AT(V, i, j));
        for (int64_t j = 1; j < n; ++j) {
            sigma[j] = GSVD_EPS / 16;
            AT(U, i, j) = AT(V, i, j);
            if (j <= even)
                AT(U, i, j) =
                    sub(AT(V, i, j), scale(4 / (real_t)even, sum[1 - j % 2]));
        }
    }
}

/* Whose SVD it is */
enum { ROUTINE, KERNEL };

/* The vectors in Q, the values in w; returns info. */
static int eigenvectors_by(int squads, int svd, int what, char uplo, mat_t H,
                           mat_t Q, real_t *w)
{
    const int64_t n = H.cols;
    const size_t square = (size_t)(n * n) * sizeof(scalar_t);
    const size_t reals = (size_t)n * sizeof(real_t);
    mat_t A = copy_mat(H), C, U, V;
    int info = 0, of_svd;
    eigh_batch_t b = {.count = 1,
                      .n = n,
                      .uplo = uplo,
                      .A = alone(A),
                      .Q = alone(Q),
                      .w = {.data = w},
                      .H = grab(square),
                      .U = grab(square),
                      .V = grab(square),
                      .sigma = grab(reals),
                      .reals = grab(EIGH_REALS * reals),
                      .scalars =
                          grab((size_t)eigh_scalars(n) * sizeof(scalar_t)),
                      .info = &info};
    EACH_ENTRY (A, i, j)
        if (uplo == 'U' ? i > j : i < j)
            AT(A, i, j) = make((real_t)NAN, 0);
    run_team(squads, load_matrix, &b, NULL);
    ck_assert_same(A, mat_view(b.H, n, n, n));
    C = copy_mat(A);
    U = mat_view(b.U, n, n, n);
    V = mat_view(b.V, n, n, n);
    if (svd == KERNEL)
        ck_assert_ok(
            X(svd_on_host)(on(handle), &(svd_batch_t){.count = 1,
                                                      .m = n,
                                                      .n = n,
                                                      .A = alone(C),
                                                      .U = alone(U),
                                                      .V = alone(V),
                                                      .u_cols = n,
                                                      .v_cols = n,
                                                      .sigma.data = b.sigma,
                                                      .info = &info}));
    else
        ck_assert_ok(X(svd)(handle, 'U', 'V', n, n, C.data, C.ld, b.sigma,
                            U.data, U.ld, V.data, V.ld, &of_svd));
    for (int64_t i = 0; i < n && what == WRONG; ++i) /* Two vectors are lost. */
        for (int64_t j = n - 2; j < n; ++j) {
            AT(U, i, j) = AT(U, i, n / 2);
            AT(V, i, j) = AT(V, i, n / 2);
        }
    if (what == DEPENDENT)
        make_dependent(U, V, b.sigma);
    run_team(squads, find_vectors, &b,
             squads > 1 ? grab(eigh_near_bytes(n)) : NULL);
    return info;
}

static void check_vectors(mat_t H, mat_t V, const real_t *w)
{
    ck_assert_ratio(defect(V));
    ck_assert_ratio(eigen_residual(H, V, w));
    for (int64_t j = 1; j < H.cols; ++j)
        ck_assert(w[j - 1] <= w[j]);
}

START_TEST(vectors_of_each)
{
    static const int64_t size[] = {1, 2, 5, 13, 40};
    const int64_t n = size[_i / EIGH_KINDS];
    const int what = _i % EIGH_KINDS;
    uint64_t seed = 3;
    real_t w[40], w2[40];
    if ((what == WRONG && n < 5) || (what == DEPENDENT && n < 13))
        return;
    const mat_t H = hermitian_of(what, n, &seed);
    const mat_t V = new_mat(n, n), V2 = new_mat(n, n);
    ck_assert_int_eq(eigenvectors_by(1, ROUTINE, what, 'U', H, V, w),
                     what == WRONG);
    ck_assert_int_eq(eigenvectors_by(2 + _i % 2, ROUTINE, what, 'L', H, V2, w2),
                     what == WRONG);
    ck_assert_same(V, V2);
    ck_assert_mem_eq(w, w2, (size_t)n * sizeof *w);
    if (what == WRONG)
        return;
    check_vectors(H, V, w);
}
END_TEST

/* U and V of a null space are any bases of it, which lean in (V + U J) / 2. */
START_TEST(null_spaces)
{
    static const int64_t size[] = {5, 8, 13};
    const int64_t n = size[_i % 3];
    const int svd = _i / 3;
    real_t w[13];
    if (svd == KERNEL && !X(svd_on_host_fits)(&(svd_batch_t){.m = n, .n = n}))
        return;
    for (int k = 0; k < 40; ++k) {
        const int what = k % 2 ? ZEROS : MIXED;
        uint64_t seed = 3 + (uint64_t)k;
        const mat_t H = hermitian_of(what, n, &seed), V = new_mat(n, n);
        ck_assert_int_eq(eigenvectors_by(1, svd, what, 'U', H, V, w), 0);
        check_vectors(H, V, w);
        release_pool();
    }
}
END_TEST

/* -- in a GPU's registers ------------------------------------------------------------- */

/* Problems of all kinds up to MIXED, and one whose rows differ in length, as one batch: the kernel of their
 * SVDs ends those that it can. */
enum { ROWS_DIFFER = MIXED + 1, MANY };
typedef struct many {
    eigh_batch_t b;
    svd_batch_t svd;
    mat_t H[MANY];
} many_t;

static void make_many(int64_t n, uint64_t *seed, many_t *x)
{
    const int64_t count = MANY, ld = max_i(n, 1);
    const size_t square = (size_t)(count * n * n) * sizeof(scalar_t);
    const size_t reals = (size_t)(count * n) * sizeof(real_t);
    const batch_mat_t A = {.data = grab(square), .stride = n * n, .ld = ld};

    x->b = (eigh_batch_t){
        .count = count,
        .n = n,
        .uplo = 'L',
        .A = A,
        .Q = A,
        .w = {.data = grab(reals), .stride = n},
        .H = grab(square),
        .U = grab(square),
        .V = grab(square),
        .sigma = grab(reals),
        .reals = grab(EIGH_REALS * reals),
        .scalars = grab((size_t)(count * eigh_scalars(n)) * sizeof(scalar_t)),
        .info = grab((size_t)count * sizeof(int))};
    x->svd = (svd_batch_t){.count = count,
                           .m = n,
                           .n = n,
                           .A = A,
                           .U = {.data = x->b.U, .stride = n * n, .ld = ld},
                           .V = {.data = x->b.V, .stride = n * n, .ld = ld},
                           .u_cols = n,
                           .v_cols = n,
                           .sigma = {.data = x->b.sigma, .stride = n},
                           .info = x->b.info,
                           .eigh = &x->b};
    for (int k = 0; k < count; ++k) {
        const mat_t here = mat_view(A.data + k * n * n, n, n, ld);
        x->H[k] = hermitian_of(k == ROWS_DIFFER ? APART : k, n, seed);
        EACH_ENTRY (here, i, j) {
            const int e = k == ROWS_DIFFER ? (int)(-4 * (i % 3 + j % 3)) : 0;
            AT(x->H[k], i, j) = scale(ldexp_r(1, e), AT(x->H[k], i, j));
            AT(here, i, j) = AT(x->H[k], i, j);
        }
        x->b.info[k] = 99;
    }
}

START_TEST(vectors_in_registers)
{
    static const int64_t size[] = {0, 1, 2, 5, 8, 13, 16, 24, 31, 32};
    const int64_t n = size[_i / 2];
    exec_t with = *on(handle);
    tuning_t tune = *with.tune;
    uint64_t seed = 5 + (uint64_t)_i;
    many_t x;

    if (!X(svd_on_host_fits)(&(svd_batch_t){.m = n, .n = n}))
        return;
    tune.one_warp = INT_MAX;
    with.tune = &tune;
    emulated_backward = _i % 2;
    make_many(n, &seed, &x);
    ck_assert_ok(with.op->eigh_load(&with, &x.b));
    ck_assert_ok(X(svd_on_host)(&with, &x.svd));
    const int by_two = n > 16 && sizeof(scalar_t) == 16;
    for (int k = 0; k < MANY && n > 1; ++k) {
        const int ended = eigh_has_ended(x.b.sigma + k * n);
        ck_assert(k != APART || by_two || ended);
        ck_assert(!(ended && (by_two || (k == ZEROS && n > 2) ||
                              (k == ROWS_DIFFER && n > 2))));
    }
    ck_assert_ok(with.op->eigh_signs(&with, &x.b));
    for (int k = 0; k < MANY; ++k) {
        ck_assert_int_eq(x.b.info[k], 0);
        check_vectors(x.H[k], mat_view(x.b.Q.data + k * n * n, n, n, x.b.Q.ld),
                      x.b.w.data + k * n);
    }
}
END_TEST

Suite *make_suite(void)
{
    Suite *s = suite_create("batched_team");
    TCase *t = add_tcase(s, "teams");
    add_shared_loop_test(t, squads_agree, 0, 2 * TEAM_SHAPES, 2);
    tcase_add_loop_test(t, not_finite, 0, 2);
    tcase_add_loop_test(t, zeros_of_a, 0, 12);
    tcase_add_test(t, hidden_rank);
    t = add_tcase(s, "eigh");
    tcase_add_loop_test(t, vectors_of_each, 0, 5 * EIGH_KINDS);
    tcase_add_loop_test(t, null_spaces, 0, 6);
    tcase_add_loop_test(t, vectors_in_registers, 0, 20);
    return s;
}
