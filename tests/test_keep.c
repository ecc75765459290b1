/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* test_keep.c -- the factors of the first pairs alone, or of the last: those of the whole
 * decomposition, in the memory that a plan tells. */
#include "harness/graded.h"
#include "harness/harness.h"

static void ask_for(gsvd_form_t form)
{
    ck_assert_ok(gsvd_set_option(handle, GSVD_FORM, (int)form));
}

/* A call of some pairs and its results */
typedef struct some {
    gsvd_problem_t call;
    int64_t k, l;
    int info;
    mat_t U, V, X;
    real_t *alpha, *beta;
} some_t;

static gsvd_array_t real_array(door_t door, real_t *x, int64_t n)
{
    return (gsvd_array_t){.data = door == GPU ? to_backend_real(x, n) : x};
}

/* The call has its workspace, and no other, full of NaN. */
static some_t decompose_some(door_t door, const char *jobs, mat_t A, mat_t B,
                             int64_t keep)
{
    const int64_t m = A.rows, n = A.cols, p = B.rows,
                  c = keep < 0 ? -keep : keep;
    some_t s = {.call = new_problem(GSVD_ROUTINE_GSVD, door, jobs, m, n, p),
                .U = new_mat(m, c),
                .V = new_mat(p, c),
                .X = new_mat(n, c),
                .alpha = grab((size_t)n * sizeof(real_t)),
                .beta = grab((size_t)n * sizeof(real_t))};
    const mat_t dU = place(door, s.U), dV = place(door, s.V),
                dX = place(door, s.X);
    size_t d, w;

    s.call.keep = keep;
    s.call.A = as_array(place(door, copy_mat(A)));
    s.call.B = as_array(place(door, copy_mat(B)));
    s.call.U = as_array(dU);
    s.call.V = as_array(dV);
    s.call.Q = as_array(dX);
    s.call.alpha = real_array(door, s.alpha, n);
    s.call.beta = real_array(door, s.beta, n);
    s.call.k_out = &s.k;
    s.call.l_out = &s.l;
    s.call.info = &s.info;
    ck_assert_ok(workspace_of(handle, s.call, &d, &w));
    ck_assert_ok(gsvd_set_workspace(handle, d > 0 ? grab_results(d) : NULL, d,
                                    grab(w + 1), w));
    ck_assert_ok(gsvd_run(handle, &s.call));
    ck_assert_ok(gsvd_set_workspace(handle, NULL, 0, NULL, 0));
    ck_assert_int_eq(s.info, 0);
    s.U = take_back(door, dU);
    s.V = take_back(door, dV);
    s.X = take_back(door, dX);
    if (door == GPU) {
        get(s.alpha, s.call.alpha.data, (size_t)n * sizeof(real_t));
        get(s.beta, s.call.beta.data, (size_t)n * sizeof(real_t));
    }
    return s;
}

/* Column i of `some` is column first + i of `all`, and 0 where that has none, from `from` to `end`. */
static void ck_assert_columns(const char *what, mat_t some, mat_t all,
                              int64_t first, int64_t from, int64_t end)
{
    const int64_t rows = some.rows;
    const real_t size = rows > 0 && end > 0 ? norm1(mat_cols(all, 0, end)) : 0;

    for (int64_t i = 0; i < some.cols; ++i) {
        const int64_t j = first + i;
        const int there = j >= from && j < end;
        const mat_t x = mat_cols(some, i, 1);
        const mat_t y = there ? mat_cols(all, j, 1) : new_mat(rows, 1);
        if (!there)
            fill(y, make(0, 0));
        const double error = distance(x, y);
        ck_assert_msg(there ? error <= LIMIT * (double)max_i(rows, 1) *
                                           GSVD_ULP * (double)size
                            : error == 0,
                      "%s, column %ld of %ld: off by %g, beside %g", what,
                      (long)i, (long)some.cols, error, (double)size);
    }
}

static void compare(const result_t *all, door_t door, mat_t A, mat_t B,
                    int64_t keep, const char *what)
{
    const int64_t r = all->k + all->l, n = A.cols;
    const int64_t first = keep > 0 || -keep > r ? 0 : r + keep;
    const some_t s = decompose_some(door, "USQ", A, B, keep);

    ck_assert_msg(s.k == all->k && s.l == all->l, "%s: ranks", what);
    ck_assert_int_eq(0,
                     memcmp(s.alpha, all->alpha, (size_t)n * sizeof(real_t)));
    ck_assert_int_eq(0, memcmp(s.beta, all->beta, (size_t)n * sizeof(real_t)));
    ck_assert_columns(what, s.U, all->U, first, 0, min_i(A.rows, r));
    /* column k of V is the first one                                        */
    ck_assert_columns(what, s.V, all->V, first - all->k, 0, all->l);
    ck_assert_columns(what, s.X, all->Q, first, 0, r);
}

/* Both ends, and all of it; by the general steps, which alone make some columns */
static void check_pair(mat_t A, mat_t B, int sizes, const char *what)
{
    const int64_t n = A.cols;
    const int64_t some[] = {1, -1, max_i(n / 3, 1), -max_i(n / 3, 1), n, -n};

    for (int form = GSVD_FORM_X; form <= GSVD_FORM_XINV; ++form)
        for (int door = 0; door < doors(); ++door) {
            ask_for((gsvd_form_t)form);
            const result_t all = decompose((door_t)door, 'U', 'V', 'S', A, B);
            ck_assert_ok(all.status);
            for (int i = 0; i < sizes; ++i)
                compare(&all, (door_t)door, A, B, some[i], what);
        }
}

static void check(const recipe_t *c, int i)
{
    if (too_large(c->m, c->n, c->p) || left_out(i, 4) || left_out_there(i, 3) ||
        c->n == 0)
        return;
    const sample_t P = make_pair(c, 11);
    /* TSQR keeps small pairs out of src/small. */
    const int small = min_i(c->n, 32) == c->n && !on_device;
    ck_assert_ok(gsvd_set_option(handle, GSVD_PANEL,
                                 small ? GSVD_PANEL_TSQR : GSVD_PANEL_AUTO));
    check_pair(P.A, P.B, c->n > 60 ? 4 : 6, text_of(c, ""));
    release_pool();
}

START_TEST(all_shapes)
{
    const recipe_t c = recipe_of_shape(_i, NORMAL);
    check(&c, _i);
}
END_TEST

START_TEST(all_kinds) { check(&kind[_i], _i); }
END_TEST

/* Ranks relative to rows, whose reflectors are elsewhere; scaled columns; other solvers */
static const recipe_t ranked[] = {
    {12, 10, 12, RANKS, 4, 6, 0, 0},   {12, 10, 12, RANKS, 2, 6, 0, 0},
    {3, 10, 9, RANKS, 1, 9, 0, 0},     {5, 10, 4, RANKS, 5, 4, 0, 0},
    {30, 24, 40, RANKS, 10, 12, 0, 0}, {200, 24, 300, RANKS, 10, 10, 0, 0},
    {90, 80, 70, EXTREME, 5, 60, 0, 0}};
enum { RANKED_ = sizeof ranked / sizeof *ranked };

START_TEST(options)
{
    const recipe_t *const c = &ranked[_i];
    uint64_t seed = 4;
    if (too_large(c->m, c->n, c->p))
        return;
    for (int solver = 0; solver < SOLVERS; ++solver)
        for (int rank = 0; rank < 2; ++rank) {
            const sample_t P = make_pair(c, 12);
            ck_assert_ok(gsvd_set_option(handle, GSVD_PANEL, GSVD_PANEL_TSQR));
            ck_assert_ok(gsvd_set_option(handle, GSVD_SOLVER, solver));
            ck_assert_ok(gsvd_set_option(handle, GSVD_RANK, rank));
            ck_assert_ok(gsvd_set_option(handle, GSVD_EQUILIBRATE,
                                         solver % 2 ? GSVD_EQUILIBRATE_ON
                                                    : GSVD_EQUILIBRATE_AUTO));
            for (int64_t i = 0; i < c->m; ++i)
                for (int64_t j = 0; j < c->n; ++j)
                    AT(P.A, i, j) =
                        scale(ldexp_r(1, (int)(i % 12)), AT(P.A, i, j));
            for (int64_t i = 0; i < c->p; ++i)
                for (int64_t j = 0; j < c->n; ++j)
                    AT(P.B, i, j) =
                        scale(ldexp_r(1, (int)(i % 9)), AT(P.B, i, j));
            if (solver % 2) {
                uint64_t same = seed;
                scale_columns(P.A, 6, &same);
                same = seed;
                scale_columns(P.B, 6, &same);
            }
            check_pair(P.A, P.B, 4, text_of(c, solver_name(solver)));
            release_pool();
        }
}
END_TEST

/* A few columns on the host, with which the whole decomposition takes another way: U^H A = C X^H,
 * V^H B = S X^H. */
START_TEST(few_columns)
{
    static const int of[][3] = {{3, 2, 3}, {4, 4, 4}, {2, 4, 3}, {9, 3, 1}};
    uint64_t seed = 5;
    ask_for(GSVD_FORM_X);
    for (size_t i = 0; i < sizeof of / sizeof *of; ++i) {
        const mat_t A = normal_mat(of[i][0], of[i][1], &seed);
        const mat_t B = normal_mat(of[i][2], of[i][1], &seed);
        const some_t s = decompose_some(HOST, "SVS", A, B, 1);
        const mat_t x = new_mat(1, A.cols);
        EACH_ENTRY (x, q, j)
            AT(x, q, j) = scale(s.alpha[0], conj_of(AT(s.X, j, 0)));
        ck_assert_ratio(distance(product('C', 'N', s.U, A), x) /
                        ((double)norm1(A) * GSVD_ULP * 4));
        ck_assert_ratio(defect(s.U));
        ck_assert(s.k + s.l == min_i(A.cols, A.rows + B.rows));
    }
}
END_TEST

/* Each factor by itself has the bits that it has with the others. */
START_TEST(each_factor)
{
    static const char *const jobs[] = {"UNN", "NVN", "NNQ", "SSN", "NSS"};
    uint64_t seed = 6;
    const mat_t A = normal_mat(50, 20, &seed), B = normal_mat(15, 20, &seed);
    for (int form = GSVD_FORM_X; form <= GSVD_FORM_XINV; ++form)
        for (int door = 0; door < doors(); ++door) {
            ask_for((gsvd_form_t)form);
            const some_t all = decompose_some((door_t)door, "UVQ", A, B, -7);
            for (size_t i = 0; i < sizeof jobs / sizeof *jobs; ++i) {
                const some_t s =
                    decompose_some((door_t)door, jobs[i], A, B, -7);
                if (jobs[i][0] != 'N')
                    ck_assert_columns(jobs[i], s.U, all.U, 0, 0, 7);
                if (jobs[i][1] != 'N')
                    ck_assert_columns(jobs[i], s.V, all.V, 0, 0, 7);
                if (jobs[i][2] != 'N')
                    ck_assert_columns(jobs[i], s.X, all.X, 0, 0, 7);
            }
        }
}
END_TEST

#define ck_assert_refused(p, words)                                            \
    do {                                                                       \
        ck_assert_status(gsvd_run(handle, &(p)), GSVD_INVALID_ARGUMENT);       \
        ck_assert_msg(strstr(gsvd_last_error(handle), words) != NULL, "%s",    \
                      gsvd_last_error(handle));                                \
    } while (0)

START_TEST(refused)
{
    uint64_t seed = 8;
    const mat_t A = normal_mat(8, 6, &seed), B = normal_mat(7, 6, &seed);
    ask_for(GSVD_FORM_X);
    some_t s = decompose_some(HOST, "UVQ", A, B, 2);
    s.call.k_out = &s.k;
    s.call.l_out = &s.l;
    s.call.info = &s.info;
    gsvd_problem_t p = s.call;
    gsvd_plan_t plan;

    p.keep = 7;
    ck_assert_refused(p, "problem.keep: not from -n to n");
    p.keep = INT64_MIN;
    ck_assert_refused(p, "problem.keep: not from -n to n");
    p = s.call;
    p.batch = 1;
    ck_assert_refused(p, "problem.keep: not 0, in a batch");
    p = s.call;
    ck_assert_ok(gsvd_plan_create(handle, &p, &plan));
    char text[4096];
    ck_assert_ok(gsvd_plan_describe(plan, text, sizeof text, NULL));
    ck_assert_msg(strstr(text, "factors of the first 2 pairs") != NULL &&
                      strstr(text, "some columns of U and V") != NULL,
                  "%s", text);
    p.keep = -2;
    ck_assert_status(gsvd_execute(plan, &p), GSVD_INVALID_ARGUMENT);
    ck_assert(strstr(gsvd_last_error(handle), "problem.keep: not the plan's"));
    ask_for(GSVD_FORM_LAPACK); /* The plan has the options of its time.      */
    const mat_t A2 = copy_mat(A), B2 = copy_mat(B), U = copy_mat(s.U);
    p = s.call;
    p.A = as_array(A2);
    p.B = as_array(B2);
    ck_assert_ok(gsvd_execute(plan, &p));
    ck_assert_same(U, s.U);
    gsvd_plan_destroy(plan);
    ck_assert_refused(p, "problem.keep: only with GSVD_FORM_X");
    ck_assert_int_eq(s.info, -1000 - GSVD_INVALID_ARGUMENT);
    memset(p.job, 'N', 3); /* Values alone have no factors.                  */
    ck_assert_ok(gsvd_run(handle, &p));
}
END_TEST

Suite *make_suite(void)
{
    Suite *const s = suite_create("keep");
    TCase *const t = add_tcase(s, "keep");
    tcase_add_loop_test(t, all_shapes, 0, shapes);
    tcase_add_loop_test(t, all_kinds, 0, kinds);
    tcase_add_loop_test(t, options, 0, RANKED_);
    tcase_add_test(t, few_columns);
    tcase_add_test(t, each_factor);
    tcase_add_test(t, refused);
    return s;
}
