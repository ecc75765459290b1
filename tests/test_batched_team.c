/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* test_batched_team.c -- the text of batch/gsvd.h by teams of threads: as good as by a team of
 * one, with the same bits whatever the number of squads. */
#include <stdio.h>

#define GSVD_TEAM "harness/team_of_threads.h"
#include "batch/gsvd.h"
#include "harness/harness.h"

/* ---- a pair, by a team ------------------------------------------------------ */

typedef struct call {
    team_t t;
    const team_batch_t *c;
    void *memory;
} call_t;

static void *work(void *of_thread)
{
    const call_t *const task = of_thread;
    solve_one(task->t, task->c, 0, task->memory);
    return NULL;
}

static void run_team(int squads, const team_batch_t *c)
{
    team_shared_t shared;
    call_t task[MOST_SQUADS * LANES];
    pthread_t thread[MOST_SQUADS * LANES];
    void *const memory = grab(team_bytes(c->order, c->ld));

    pthread_barrier_init(&shared.all, NULL, (unsigned)(squads * LANES));
    for (int i = 0; i < squads; ++i)
        pthread_barrier_init(&shared.squad[i], NULL, LANES);
    for (int i = 0; i < squads * LANES; ++i) {
        task[i] = (call_t){{i % LANES, i / LANES, squads, &shared}, c, memory};
        ck_assert_int_eq(0, pthread_create(&thread[i], NULL, work, &task[i]));
    }
    for (int i = 0; i < squads * LANES; ++i)
        pthread_join(thread[i], NULL);
    for (int i = 0; i < squads; ++i)
        pthread_barrier_destroy(&shared.squad[i]);
    pthread_barrier_destroy(&shared.all);
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
    run_team(squads, &c);
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

Suite *make_suite(void)
{
    Suite *s = suite_create("batched_team");
    TCase *t = add_tcase(s, "teams");
    add_shared_loop_test(t, squads_agree, 0, 2 * TEAM_SHAPES, 2);
    tcase_add_loop_test(t, not_finite, 0, 2);
    tcase_add_test(t, hidden_rank);
    return s;
}
