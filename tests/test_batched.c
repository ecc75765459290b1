/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* test_batched.c -- many problems by one call: what single calls say of each, whatever the
 * form, the door, the neighbours and the number of threads. */
#include <math.h>
#include <stdio.h>

#include "batch/solvers.h"
#include "gsvd/run_batched.h"
#include "harness/batches.h"
#if defined _OPENMP
#include <omp.h>
#endif

static const char *const all_jobs[KINDS] = {"SS", "UV", "UVQ"};

static int has_form(int what, int form)
{
    return what != MANY_HSVD || form != SIZED;
}

/* ---- the handle's table with other solvers of batches ---------------------------- */

static void without_solvers(void)
{
    static const solvers_t none = {"none", NULL, 0};
    backend_t *const t = take_table();
    t->svd_solvers = t->gsvd_solvers = &none;
}

/* ---- results ------------------------------------------------------------- */

typedef struct copies {
    mat_t *A, *B;
} copies_t;

static copies_t copies_of(const many_t *b)
{
    const size_t bytes = (size_t)(b->count + 1) * sizeof(mat_t);
    const copies_t c = {grab(bytes), grab(bytes)};
    for (int64_t i = 0; i < b->count; ++i) {
        c.A[i] = copy_mat(matrix_of(b, MANY_A, i));
        if (b->kind == MANY_GSVD)
            c.B[i] = copy_mat(matrix_of(b, MANY_B, i));
    }
    return c;
}

static const int64_t shapes_of_batches[][3] = {
    {8, 8, 8}, {5, 3, 4}, {3, 3, 7}, {33, 20, 18}, {17, 17, 1}};
enum { SHAPES = sizeof shapes_of_batches / sizeof *shapes_of_batches };

static many_t small_batch(int what, int form, int64_t count, int s,
                          uint64_t seed)
{
    const int64_t *const size = shapes_of_batches[s];
    return new_many((many_kind_t)what, (form_t)form, all_jobs[what], count,
                    size[0], size[1], size[2], seed);
}

/* By whichever way: ratios of every problem */
START_TEST(ratios)
{
    const int what = _i / FORMS, form = _i % FORMS;
    for (int s = 0; s < SHAPES && has_form(what, form); ++s)
        for (int door = 0; door < doors(); ++door) {
            many_t b = small_batch(what, form, 7, s, 100 + (uint64_t)s);
            const copies_t c = copies_of(&b);
            call_many((door_t)door, handle, &b);
            ck_assert_ok(b.status);
            for (int64_t i = 0; i < b.count; ++i)
                ck_assert_problem(&b, i, c.A[i], c.B[i]);
        }
}
END_TEST

/* One by one: bit for bit what single calls say; on a device, where a call takes long, fewer */
START_TEST(singles)
{
    const int what = _i / FORMS, form = _i % FORMS;
    const int64_t count = on_device ? 3 : 7;
    without_solvers();
    for (int s = on_device ? _i % SHAPES : 0; s < SHAPES;
         s += on_device ? SHAPES : 1)
        for (int door = 0; door < doors() && has_form(what, form); ++door) {
            many_t b = small_batch(what, form, count, s, 200 + (uint64_t)s);
            many_t one = small_batch(what, form, count, s, 200 + (uint64_t)s);
            call_many((door_t)door, handle, &b);
            call_each((door_t)door, handle, &one);
            ck_assert_ok(b.status);
            /* On the device copies of smaller problems have other leading
             * dimensions than a single call's. */
            const int apart = on_device && door == HOST && form == SIZED;
            for (int64_t i = 0; i < b.count && !apart; ++i) {
                if (on_device && b.kind == MANY_GSVD) {
                    keep_R(&b, i); /* A call brings nothing else back.       */
                    keep_R(&one, i);
                }
                ck_assert_same_results(&b, i, &one, i);
            }
        }
    give_table_back();
}
END_TEST

/* Column j times 2^(-step j) */
static void shorten_columns(const many_t *b, int step)
{
    for (int x = MANY_A; x <= MANY_B; ++x)
        for (int64_t i = 0; i < b->count; ++i) {
            const mat_t M = matrix_of(b, (many_array_t)x, i);
            for (int64_t j = 0; j < M.cols; ++j)
                scale_column(M, j, ldexp_r(1, -step * (int)j));
        }
}

/* Columns that are short in both matrices count where GSVD_EQUILIBRATE_ON says so, as in single
 * calls. */
START_TEST(short_columns)
{
    many_t b = small_batch(MANY_GSVD, _i, 3, 0, 300);
    many_t one = small_batch(MANY_GSVD, _i, 3, 0, 300);
    shorten_columns(&b, GSVD_SINGLE ? 6 : 12);
    shorten_columns(&one, GSVD_SINGLE ? 6 : 12);
    ck_assert_ok(
        gsvd_set_option(handle, GSVD_EQUILIBRATE, GSVD_EQUILIBRATE_ON));
    call_many(HOST, handle, &b);
    call_each(HOST, handle, &one);
    ck_assert_ok(b.status);
    for (int64_t i = 0; i < b.count; ++i) {
        const int64_t n = matrix_of(&one, MANY_A, i).cols,
                      rows = matrix_of(&one, MANY_A, i).rows +
                             matrix_of(&one, MANY_B, i).rows;
        ck_assert_int_eq(one.k[i] + one.l[i], min_i(rows, n));
        ck_assert_int_eq(b.k[i], one.k[i]);
        ck_assert_int_eq(b.l[i], one.l[i]);
        for (int64_t j = 0; j < n; ++j)
            ck_assert(fabs_r(values_of(&b, MANY_ALPHA, i)[j] -
                             values_of(&one, MANY_ALPHA, i)[j]) <=
                      1000 * GSVD_EPS);
    }
}
END_TEST

/* ... and whether columns are scaled or not, where LAPACK's tolerances count them all: B's rank is
 * below n, and A Q1 mixes none of A's columns with longer ones. */
START_TEST(graded_columns)
{
    const gsvd_equilibrate_t how = (gsvd_equilibrate_t)_i;
    many_t b = new_many(MANY_GSVD, STRIDED, "UVQ", 40, 12, 10, 5, 310);
    many_t one = new_many(MANY_GSVD, STRIDED, "UVQ", 40, 12, 10, 5, 310);
    shorten_columns(&b, GSVD_SINGLE ? 1 : 4);
    shorten_columns(&one, GSVD_SINGLE ? 1 : 4);
    const copies_t c = copies_of(&b);
    ck_assert_ok(
        gsvd_set_option(handle, GSVD_EQUILIBRATE, GSVD_EQUILIBRATE_ON));
    call_each(HOST, handle, &one);
    ck_assert_ok(gsvd_set_option(handle, GSVD_EQUILIBRATE, (int)how));
    call_many(HOST, handle, &b);
    ck_assert_ok(b.status);
    for (int64_t i = 0; i < b.count; ++i) {
        ck_assert_problem(&b, i, c.A[i], c.B[i]);
        ck_assert_int_eq(b.k[i], one.k[i]);
        ck_assert_int_eq(b.l[i], one.l[i]);
        for (int64_t j = 0; j < b.n; ++j)
            ck_assert(fabs_r(values_of(&b, MANY_ALPHA, i)[j] -
                             values_of(&one, MANY_ALPHA, i)[j]) <=
                      5000 * GSVD_EPS);
    }
}
END_TEST

static const char *const jobs_of[KINDS][4] = {{"NN", "US", "SN", "NV"},
                                              {"NN", "SN", "UN", "NV"},
                                              {"NNN", "SSS", "UNN", "NVQ"}};

START_TEST(jobs)
{
    const int what = _i / 4;
    many_t b = new_many((many_kind_t)what, STRIDED, jobs_of[what][_i % 4], 4, 9,
                        6, 5, 3);
    many_t one = new_many((many_kind_t)what, STRIDED, jobs_of[what][_i % 4], 4,
                          9, 6, 5, 3);
    const copies_t c = copies_of(&b);

    call_many(HOST, handle, &b);
    ck_assert_ok(b.status);
    for (int64_t i = 0; i < b.count; ++i)
        ck_assert_problem(&b, i, c.A[i], c.B[i]);
    without_solvers();
    call_many(HOST, handle, &one);
    give_table_back();
    for (int64_t i = 0; i < b.count; ++i)
        for (int64_t j = 0; j < min_i(b.n, one.n); ++j)
            ck_assert(fabs((double)values_of(&b, MANY_ALPHA, i)[j] -
                           values_of(&one, MANY_ALPHA, i)[j]) <
                      100 * GSVD_ULP *
                          (double)values_of(&one, MANY_ALPHA, i)[0]);
}
END_TEST

START_TEST(counts)
{
    static const int64_t count[] = {1, 3, 1000};
    const int what = _i / 3;
    const int64_t many = quick > 1 && count[_i % 3] > 3 ? 100 : count[_i % 3];
    many_t b =
        new_many((many_kind_t)what, STRIDED, all_jobs[what], many, 4, 3, 4, 11);
    const many_t before =
        new_many((many_kind_t)what, STRIDED, all_jobs[what], many, 4, 3, 4, 11);

    call_many(on_device ? GPU : HOST, handle, &b);
    ck_assert_ok(b.status);
    for (int64_t i = 0; i < b.count; i += max_i(b.count / 50, 1))
        ck_assert_problem(&b, i, matrix_of(&before, MANY_A, i),
                          what == MANY_GSVD ? matrix_of(&before, MANY_B, i)
                                            : mat_view(NULL, 0, 0, 1));
    for (int64_t i = 0; i < b.count; ++i)
        ck_assert_int_eq(b.info[i], 0);
}
END_TEST

/* ---- neighbours ---------------------------------------------------------- */

static void copy_problem(const many_t *from, int64_t i, const many_t *to,
                         int64_t j)
{
    for (int x = MANY_A; x <= MANY_B; ++x) {
        const mat_t A = matrix_of(from, (many_array_t)x, i),
                    B = matrix_of(to, (many_array_t)x, j);
        for (int64_t c = 0; c < A.cols && A.data; ++c)
            memcpy(&AT(B, 0, c), &AT(A, 0, c),
                   (size_t)A.rows * sizeof(scalar_t));
    }
}

/* A batch, by the door where it is computed */
static void solve_here(many_t *b)
{
    call_many(on_device ? GPU : HOST, handle, b);
    ck_assert_ok(b->status);
}

/* On a device pairs of this shape are solved one by one, which takes long. */
static int one_by_one_there(int what, int s)
{
    return on_device && what == MANY_GSVD && shapes_of_batches[s][0] > 32;
}

/* Problem 5 of 100 has the bits that it has alone and at another place. */
START_TEST(neighbours)
{
    const int what = _i;
    for (int s = 0; s < SHAPES; ++s) {
        const int64_t count = one_by_one_there(what, s) ? 8 : 100;
        many_t b = small_batch(what, POINTERS, count, s, 300);
        many_t other = small_batch(what, POINTERS, 9, s, 301);
        many_t alone = small_batch(what, POINTERS, 1, s, 302);
        copy_problem(&b, 5, &alone, 0);
        copy_problem(&b, 5, &other, 8);
        solve_here(&b);
        solve_here(&other);
        solve_here(&alone);
        ck_assert_same_results(&b, 5, &alone, 0);
        ck_assert_same_results(&b, 5, &other, 8);
    }
}
END_TEST

/* Ranks that nobody asks for change nothing else. */
START_TEST(ranks_left_out)
{
    for (int door = 0; door < doors(); ++door) {
        many_t b = small_batch(MANY_GSVD, STRIDED, 5, _i, 350);
        many_t told = small_batch(MANY_GSVD, STRIDED, 5, _i, 350);
        const sent_t s = send_many((door_t)door, &b);
        gsvd_problem_t p = problem_of_many((door_t)door, &b, &s);
        p.k_out = p.l_out = NULL;
        ck_assert_ok(gsvd_run(handle, &p));
        receive_many((door_t)door, &s, &b);
        call_many((door_t)door, handle, &told);
        for (int64_t i = 0; i < b.count; ++i) {
            ck_assert_int_eq(b.k[i], -7);
            ck_assert_int_eq(b.l[i], -7);
            b.k[i] = told.k[i];
            b.l[i] = told.l[i];
            ck_assert_same_results(&b, i, &told, i);
        }
    }
}
END_TEST

/* A NaN, or an infinity, is told in the info of its problem. */
START_TEST(not_finite)
{
    static const int of_a[KINDS] = {-5, -6, -9};
    const int what = _i;
    for (int s = 0; s < SHAPES; ++s) {
        const int64_t count = one_by_one_there(what, s) ? 8 : 70;
        const int64_t last = count - 2;
        many_t b = small_batch(what, STRIDED, count, s, 400);
        many_t clean = small_batch(what, STRIDED, count, s, 400);
        mat_t A = matrix_of(&b, MANY_A, 3), B = matrix_of(&b, MANY_A, last);
        AT(A, A.rows - 1, A.cols - 1) = make((real_t)NAN, 0);
        AT(B, 0, 0) = make((real_t)INFINITY, 0);
        solve_here(&b);
        solve_here(&clean);
        for (int64_t i = 0; i < b.count; ++i)
            if (i != 3 && i != last)
                ck_assert_same_results(&b, i, &clean, i);
        for (int64_t i = 3; i <= last; i += last - 3) {
            ck_assert_int_eq(b.info[i], of_a[what]);
            ck_assert(isnan((double)values_of(&b, MANY_ALPHA, i)[0]));
            const mat_t U = matrix_of(&b, MANY_U, i);
            ck_assert(isnan((double)re(AT(U, U.rows - 1, U.cols - 1))));
            ck_assert_int_eq(what == MANY_GSVD ? b.k[i] + b.l[i] : 0, 0);
        }
    }
}
END_TEST

START_TEST(not_finite_b)
{
    many_t b = new_many(MANY_GSVD, POINTERS, "UVQ", 5, 6, 5, 4, 1);
    AT(matrix_of(&b, MANY_B, 2), 0, 0) = make((real_t)NAN, 0);
    solve_here(&b);
    for (int64_t i = 0; i < b.count; ++i)
        ck_assert_int_eq(b.info[i], i == 2 ? -11 : 0);
}
END_TEST

/* R is too large for its type in one pair: info says so as the single routine does, and its factors
 * are there. */
START_TEST(r_too_large)
{
    for (int64_t n = 4; n <= 40; n += 36) {
        many_t b = new_many(MANY_GSVD, POINTERS, "SSS", 3, n + 1, n, n + 2, 1);
        const mat_t A = matrix_of(&b, MANY_A, 1), B = matrix_of(&b, MANY_B, 1);
        fill(A, make(GSVD_REAL_MAX, 0));
        fill(B, make(GSVD_REAL_MAX, 0));
        solve_here(&b);
        for (int64_t i = 0; i < b.count; ++i)
            ck_assert_int_eq(b.info[i], i == 1 ? 2 : 0);
        ck_assert(all_finite(matrix_of(&b, MANY_U, 1)));
        ck_assert(all_finite(matrix_of(&b, MANY_V, 1)));
        ck_assert(all_finite(matrix_of(&b, MANY_Q, 1)));
        ck_assert_int_eq(b.k[1] + b.l[1], 1);
    }
}
END_TEST

/* A factor of no columns asks for R like any other. */
START_TEST(r_by_empty_factor)
{
    many_t a = new_many(MANY_GSVD, STRIDED, "NVN", 3, 2, 4, 0, 1);
    many_t b = new_many(MANY_GSVD, STRIDED, "UNN", 3, 0, 4, 2, 1);
    solve_here(&a);
    solve_here(&b);
    for (int64_t i = 0; i < 3; ++i) {
        const mat_t R[] = {matrix_of(&a, MANY_A, i), matrix_of(&b, MANY_B, i)};
        ck_assert(a.info[i] == 0 && a.k[i] == 2 && a.l[i] == 0);
        ck_assert(b.info[i] == 0 && b.k[i] == 0 && b.l[i] == 2);
        for (int x = 0; x < 2; ++x) {
            ck_assert(abs_max(AT(R[x], 1, 2)) == 0);
            ck_assert(abs_max(AT(R[x], 0, 2)) > 0);
            ck_assert(abs_max(AT(R[x], 1, 3)) > 0);
        }
    }
}
END_TEST

/* ---- signatures ---------------------------------------------------------- */

START_TEST(signatures)
{
    for (int each = 0; each < 2; ++each) {
        many_t b = new_many(MANY_HSVD, each ? POINTERS : STRIDED, "SV", 6, 9, 6,
                            0, 21);
        uint64_t seed = 3;
        b.J_for_each = !each;
        b.J = grab((size_t)(6 * b.count) * sizeof *b.J);
        b.plus = 3;
        for (int64_t i = 0; i < b.count; ++i)
            for (int64_t j = 0, plus = 0; j < 6; ++j) {
                const int one =
                    plus < 3 && (6 - j <= 3 - plus || random_below(&seed, 2));
                b.J[6 * i + j] = one ? 1 : -1;
                plus += one;
            }
        const copies_t c = copies_of(&b);
        call_many(on_device && each ? GPU : HOST, handle, &b);
        ck_assert_ok(b.status);
        for (int64_t i = 0; i < b.count; ++i)
            ck_assert_problem(&b, i, c.A[i], c.B[i]);
    }
}
END_TEST

/* What is not a signature, and columns that depend on others, are one problem's. */
START_TEST(refused)
{
    many_t b = new_many(MANY_HSVD, STRIDED, "SV", 5, 9, 4, 0, 22);
    b.J_for_each = 1;
    b.J = grab((size_t)(4 * b.count) * sizeof *b.J);
    b.plus = 2;
    for (int64_t i = 0; i < 4 * b.count; ++i)
        b.J[i] = i % 2 ? -1 : 1;
    b.J[4 * 1 + 2] = 0;
    b.J[4 * 2 + 2] = -1;
    mat_t A = matrix_of(&b, MANY_A, 4);
    memcpy(&AT(A, 0, 2), &AT(A, 0, 1), (size_t)A.rows * sizeof(scalar_t));
    const int expected[] = {0, -8, -8, 0, 2 + 3};
    for (int door = 0; door < doors(); ++door) {
        many_t one = b;
        one.info = grab(5 * sizeof(int));
        if (door == GPU) /* The first call has lost the matrices.            */
            break;
        call_many((door_t)door, handle, &one);
        ck_assert_ok(one.status);
        for (int i = 0; i < 5; ++i)
            ck_assert_int_eq(one.info[i], expected[i]);
        ck_assert(isnan((double)values_of(&one, MANY_ALPHA, 4)[0]));
    }
}
END_TEST

static int calls;

static int count_calls(void *user, int sweep, int64_t rotations)
{
    (void)user, (void)sweep, (void)rotations;
    return ++calls;
}

/* The callback is of single calls: it would be called from any thread, and stop any problem. */
START_TEST(no_progress)
{
    ck_assert_ok(gsvd_set_progress(handle, count_calls, NULL));
    for (int what = 0; what < KINDS; ++what) {
        many_t b = small_batch(what, STRIDED, 5, 3, 31);
        without_solvers();
        call_many(HOST, handle, &b);
        give_table_back();
        ck_assert_ok(b.status);
        for (int i = 0; i < 5; ++i)
            ck_assert_int_eq(b.info[i], 0);
    }
    ck_assert_int_eq(calls, 0);
    ck_assert_ok(gsvd_set_progress(handle, NULL, NULL));
}
END_TEST

/* ---- threads ------------------------------------------------------------- */

#if defined _OPENMP
START_TEST(any_threads)
{
    const int what = _i, before = omp_get_max_threads();
    for (int form = 0; form < FORMS; ++form) {
        if (!has_form(what, form))
            continue;
        omp_set_num_threads(1);
        many_t one = small_batch(what, form, 300, 1, 500);
        call_many(HOST, handle, &one);
        for (int team = 2; team <= 5; team += 3) {
            omp_set_num_threads(team);
            many_t b = small_batch(what, form, 300, 1, 500);
            call_many(HOST, handle, &b);
            for (int64_t i = 0; i < b.count; ++i)
                ck_assert_same_results(&b, i, &one, i);
        }
    }
    omp_set_num_threads(before);
}
END_TEST

/* Workspace of one thread serves all. */
START_TEST(less_room)
{
    const int before = omp_get_max_threads();
    size_t d, one, four;
    many_t b = new_many(MANY_SVD, STRIDED, "SS", 64 * 8, 7, 5, 0, 9);

    without_solvers();
    omp_set_num_threads(1);
    ck_assert_ok(workspace_of(handle, shape_of_many(HOST, &b), &d, &one));
    omp_set_num_threads(4);
    ck_assert_ok(workspace_of(handle, shape_of_many(HOST, &b), &d, &four));
    ck_assert_uint_gt(four, 3 * one);
    char *const work = grab(one);
    ck_assert_ok(gsvd_set_workspace(handle, NULL, 0, work, one));
    call_many(HOST, handle, &b);
    ck_assert_ok(b.status);
    ck_assert_ok(gsvd_set_workspace(handle, NULL, 0, work, one - 257));
    call_many(HOST, handle, &b);
    ck_assert_int_eq(b.status, GSVD_WORKSPACE_TOO_SMALL);
    give_table_back();
    omp_set_num_threads(before);
}
END_TEST
#endif

/* ---- memory -------------------------------------------------------------- */

/* So many bytes suffice, whatever the address, and nothing behind them is touched. */
START_TEST(workspace)
{
    const int what = _i / 2, form = _i % 2 ? SIZED : POINTERS;
    enum { FENCE = 64 };
    for (int s = 0; s < SHAPES && has_form(what, form); ++s)
        for (int door = 0; door < doors(); ++door) {
            const int64_t count = one_by_one_there(what, s) ? 3 : 20;
            many_t b = small_batch(what, form, count, s, 600);
            size_t d, w;
            ck_assert_ok(
                workspace_of(handle, shape_of_many((door_t)door, &b), &d, &w));
            unsigned char *const host = grab(w + FENCE + 1);
            char *const device = on_device ? grab_backend(d + 1) : NULL;
            ck_assert_ok(gsvd_set_workspace(handle, device ? device + 1 : NULL,
                                            d, host + 1, w));
            call_many((door_t)door, handle, &b);
            ck_assert_ok(b.status);
            for (int i = 0; i < FENCE; ++i)
                ck_assert_uint_eq(host[w + 1 + (size_t)i], 0xff);
            ck_assert_ok(gsvd_set_workspace(handle, NULL, 0, NULL, 0));
        }
}
END_TEST

/* No smaller problem of sizes that differ takes more than was measured. */
START_TEST(largest_need)
{
    static const int64_t most[][3] = {
        {36, 35, 12}, {20, 36, 33}, {36, 20, 34}, {70, 66, 3}};
    const program_t *const program[] = {&X(svd_program), &X(gsvd_program)};
    const int pair = _i % 2;
    const int64_t *const size = most[_i / 2];
    const int64_t any = 0;
    batch_args_t b = {.one = {.job = {'U', 'V', 'Q'},
                              .m = size[0],
                              .n = size[1],
                              .p = pair ? size[2] : 0},
                      .count = 1,
                      .size = {&any, &any, &any}};
    batch_need_t all;

    ck_assert_ok(X(measure_batched)(on(handle), program[pair], &b, &all));
    const exec_t *const ex = on(handle);
    const int64_t step = on_device ? 5 : 1; /* cuSOLVER is asked each time   */
    for (int64_t m = size[0] % step; m <= size[0]; m += step)
        for (int64_t n = size[1] % step; n <= size[1]; n += step)
            for (int64_t p = 0; p <= (pair ? size[2] : 0); p += 1 + p / 4) {
                args_t a = b.one;
                need_t need = {0};
                a.m = m;
                a.n = n;
                a.p = p;
                ck_assert_ok(program[pair]->measure(ex, &a, &need));
                ck_assert_msg(need.work <= all.share.work &&
                                  need.products <= all.share.products &&
                                  need.staging <= all.share.staging,
                              "%ld x %ld, %ld: %zu, %zu, %zu bytes of %zu, "
                              "%zu, %zu",
                              (long)m, (long)n, (long)p, need.work,
                              need.products, need.staging, all.share.work,
                              all.share.products, all.share.staging);
            }
}
END_TEST

static gsvd_status_t fails(gsvd_handle_t h, void **p, size_t bytes)
{
    *p = NULL;
    return gsvd_fail(h, GSVD_OUT_OF_MEMORY, "%zu bytes, as the test wants",
                     bytes);
}

START_TEST(no_memory)
{
    for (int what = 0; what < KINDS; ++what) {
        gsvd_handle_t h = NULL;
        many_t b = small_batch(what, STRIDED, 5, 0, 700);
        ck_assert_ok(gsvd_create(&h, on_device ? 0 : GSVD_HOST));
        const space_t *const real = h->space;
        space_t failing = *real;
        failing.allocate = fails;
        b.info[0] = 77;
        h->space = &failing;
        call_many(HOST, h, &b);
        ck_assert_int_eq(b.status, GSVD_OUT_OF_MEMORY);
        ck_assert_int_eq(b.info[0], 77);
        h->space = real;
        call_many(HOST, h, &b);
        ck_assert_ok(b.status);
        ck_assert_int_eq(b.info[0], 0);
        ck_assert_ok(gsvd_destroy(h));
    }
}
END_TEST

/* ---- a solver ------------------------------------------------------------ */

/* It says of a problem how its arguments were: sigma[0] := A(0,0), and info := 1 for a
 * problem of m rows, whose U is there. */
static int64_t parts_seen;

static int up_to_16(const exec_t *ex, const task_t *t)
{
    (void)ex;
    ck_assert_int_ge(svd_batch_in(t)->count, 0);
    return t->A.cols <= 16;
}

static size_t some_bytes(const exec_t *ex, const task_t *t)
{
    (void)ex;
    return (size_t)svd_batch_in(t)->count * 8;
}

static gsvd_status_t mark(const exec_t *ex, const task_t *t)
{
    const svd_batch_t *const b = svd_batch_in(t);
    void *work;
    GSVD_TRY(X(kernel_work)(ex, (size_t)b->count * 8, &work));
    __atomic_add_fetch(&parts_seen, 1, __ATOMIC_SEQ_CST);
    for (int64_t i = 0; i < b->count; ++i) {
        const int64_t m = b->each_m ? b->each_m[i] : b->m;
        const int64_t n = b->each_n ? b->each_n[i] : b->n;
        const scalar_t *const A =
            b->A.each ? b->A.each[i] : b->A.data + i * b->A.stride;
        scalar_t *const U =
            b->U.each ? b->U.each[i] : b->U.data + i * b->U.stride;
        real_t *const sigma = b->sigma.each
                                  ? b->sigma.each[i]
                                  : b->sigma.data + i * b->sigma.stride;
        b->info[i] = m == b->m && b->u_cols == min_i(b->m, b->n) ? 1 : 0;
        if (m > 0 && n > 0) {
            sigma[0] = re(A[0]);
            U[0] = A[(b->A.each_ld ? b->A.each_ld[i] : b->A.ld) * (n - 1)];
        }
    }
    return GSVD_SUCCESS;
}

static const solver_t marking[] = {{"mark", NULL, up_to_16, some_bytes, mark}};
static const solvers_t marks = SOLVERS("marks", marking);

/* The solver gets every problem once, where it lies, in parts. */
START_TEST(all_parts)
{
    const form_t form = (form_t)_i;
    backend_t *const t = take_table();
    t->svd_solvers = &marks;
    many_t b = new_many(MANY_SVD, form, "SS", 200, 9, 6, 0, 31);
    const many_t before = new_many(MANY_SVD, form, "SS", 200, 9, 6, 0, 31);
    parts_seen = 0;
    call_many(HOST, handle, &b);
    ck_assert_ok(b.status);
    ck_assert_int_gt(parts_seen, 1);
    for (int64_t i = 0; i < b.count; ++i) {
        const mat_t A = matrix_of(&before, MANY_A, i);
        ck_assert_int_eq(b.info[i], A.rows == b.m);
        if (A.rows == 0 || A.cols == 0)
            continue;
        ck_assert(values_of(&b, MANY_ALPHA, i)[0] == re(AT(A, 0, 0)));
        ck_assert(memcmp(&AT(matrix_of(&b, MANY_U, i), 0, 0),
                         &AT(A, 0, A.cols - 1), sizeof(scalar_t)) == 0);
    }
    /* Factors in full of sizes that differ, and shapes that it does not take, are others'. */
    parts_seen = 0;
    many_t full = new_many(MANY_SVD, SIZED, "UV", 5, 9, 6, 0, 32);
    many_t wide = new_many(MANY_SVD, STRIDED, "SS", 5, 20, 17, 0, 32);
    call_many(HOST, handle, &full);
    call_many(HOST, handle, &wide);
    ck_assert_ok(full.status);
    ck_assert_ok(wide.status);
    ck_assert_int_eq(parts_seen, 0);
    give_table_back();
}
END_TEST

static int always(const exec_t *ex, const task_t *t)
{
    return (void)ex, (void)t, 1;
}

static size_t bytes_of_svds(const exec_t *ex, const task_t *t)
{
    return chosen_bytes(&X(svd_solvers_cpu), ex, t, 0);
}

static void exchange(scalar_t *x, int64_t distance)
{
    const scalar_t first = *x;
    *x = x[distance];
    x[distance] = first;
}

/* SVDs of which every other one has its first and its last pair of vectors exchanged: they are orthonormal,
 * and no value is theirs */
static gsvd_status_t spoil(const exec_t *ex, const task_t *t)
{
    const svd_batch_t *const b = svd_batch_in(t);
    GSVD_TRY(run_solver(&X(svd_solvers_cpu), ex, t));
    __atomic_add_fetch(&parts_seen, 1, __ATOMIC_SEQ_CST);
    for (int64_t i = 1; i < b->count; i += 2)
        for (int64_t r = 0; r < b->n; ++r) {
            exchange(b->U.data + i * b->U.stride + r, (b->n - 1) * b->U.ld);
            exchange(b->V.data + i * b->V.stride + r, (b->n - 1) * b->V.ld);
        }
    return GSVD_SUCCESS;
}

static const solver_t spoiling[] = {
    {"spoil", NULL, always, bytes_of_svds, spoil}};
static const solvers_t spoilers = SOLVERS("spoilers", spoiling);

/* Eigenproblems whose vectors fail their test have the results of the single routine. */
START_TEST(solved_again)
{
    enum { COUNT = 5, N = 6, EACH = N * N };
    scalar_t A[COUNT * EACH], given[COUNT * EACH], Q[COUNT * EACH], one[EACH];
    real_t w[COUNT * N], w1[N];
    int info[COUNT], info1;
    uint64_t seed = 41;
    const gsvd_problem_t p = {.size = sizeof p,
                              .routine = GSVD_ROUTINE_EIGH,
                              .type = letter(),
                              .job = {'V', 'L'},
                              .n = N,
                              .batch = COUNT,
                              .A = {.data = A, .stride = EACH},
                              .alpha = {.data = w, .stride = N},
                              .Q = {.data = Q, .stride = EACH},
                              .info = info};
    for (int i = 0; i < COUNT * EACH; ++i) {
        const int at = i % EACH, on_diagonal = at % N == at / N;
        A[i] = random_uniform_scalar(&seed);
        given[i] = A[i] = on_diagonal ? make(re(A[i]), 0) : A[i];
    }
    take_table()->svd_solvers = &spoilers;
    parts_seen = 0;
    ck_assert_ok(gsvd_run(handle, &p));
    give_table_back();
    ck_assert_int_gt(parts_seen, 0);
    for (int i = 0; i < COUNT; ++i) {
        ck_assert_int_eq(info[i], 0);
        ck_assert_ok(X(eigh)(handle, 'V', 'L', N, given + i * EACH, N, w1, one,
                             N, &info1));
        ck_assert(i % 2 == 0 || memcmp(w + i * N, w1, sizeof w1) == 0);
        ck_assert(i % 2 == 0 || memcmp(Q + i * EACH, one, sizeof one) == 0);
        for (int j = 0; j < N; ++j)
            ck_assert(fabs((double)w[i * N + j] - (double)w1[j]) <=
                      50 * N * GSVD_EPS *
                          fmax(fabs((double)w1[0]), fabs((double)w1[N - 1])));
    }
}
END_TEST

/* 1: at once, 2: one by one, 0: what is chosen */
static void force_way(exec_t *ex, int way)
{
    const solvers_t *const list = X(svd_program).batch;
    const forced_t none = {NULL, NULL};
    ex->policy.force[0] =
        way > 0 ? (forced_t){list->name, list->first[way - 1].name} : none;
}

/* A solver that is forced is taken where it applies. */
START_TEST(forced_ways)
{
    exec_t ex = *on(handle);
    backend_t *const t = take_table();
    batch_args_t b = {.one = {.job = {'S', 'S'}, .m = 5, .n = 4}, .count = 3};
    batch_need_t need;

    t->svd_solvers = &marks;
    ex.op = t;
    for (int forced = 0; forced <= 2; ++forced) {
        force_way(&ex, forced);
        ck_assert_ok(X(measure_batched)(&ex, &X(svd_program), &b, &need));
        ck_assert_int_eq(need.at_once, forced < 2);
    }
    b.one.n = 17;
    force_way(&ex, 1);
    ck_assert_ok(X(measure_batched)(&ex, &X(svd_program), &b, &need));
    ck_assert_int_eq(need.at_once, 0);
    give_table_back();
}
END_TEST

/* Pairs go one by one where the tuning says that this is faster, or no solver knows
 * what is asked for, and by the solver that is forced. */
START_TEST(pairs_alone)
{
    exec_t ex = *on(handle);
    tuning_t tune = *ex.tune;
    batch_args_t b = {.one = {.job = {'U', 'V', 'Q'}, .m = 12}, .count = 3};
    batch_need_t need;

    ex.tune = &tune;
    for (int n = 9; n <= 11; ++n)
        for (int p = 9; p <= 11; ++p)
            for (int i = 0; i < 6; ++i) {
                const int forced = i % 3;
                b.one.n = n;
                b.one.p = p;
                tune.pairs_alone = i < 3 ? 10 : 0;
                force_way(&ex, forced);
                ck_assert_ok(
                    X(measure_batched)(&ex, &X(gsvd_program), &b, &need));
                ck_assert_int_eq(need.at_once, forced  ? forced == 1
                                               : i < 3 ? n < 10 || p < 10
                                                       : 1);
            }
    for (int forced = 0; forced < 3; ++forced) {
        const int64_t size[3] = {5, 5, 5};
        batch_args_t c = b; /* Full factors of sizes that differ, ...        */
        c.size[0] = c.size[1] = c.size[2] = size;
        force_way(&ex, forced);
        ck_assert_ok(X(measure_batched)(&ex, &X(gsvd_program), &c, &need));
        ck_assert_int_eq(need.at_once, 0);
        ex.policy.rank = GSVD_RANK_ROWS; /* ... and these ranks are none of
                                            the solvers'.                    */
        ck_assert_ok(X(measure_batched)(&ex, &X(gsvd_program), &b, &need));
        ck_assert_int_eq(need.at_once, 0);
        ex.policy.rank = GSVD_RANK_NORM;
    }
}
END_TEST

Suite *make_suite(void)
{
    Suite *const s = suite_create("batched");
    TCase *const t = add_tcase(s, "batched");
    tcase_add_loop_test(t, ratios, 0, KINDS * FORMS);
    tcase_add_loop_test(t, singles, 0, KINDS * FORMS);
    tcase_add_loop_test(t, short_columns, 0, FORMS);
    tcase_add_loop_test(t, graded_columns, 0, 3);
    tcase_add_loop_test(t, jobs, 0, KINDS * 4);
    tcase_add_loop_test(t, counts, 0, KINDS * 3);
    tcase_add_loop_test(t, neighbours, 0, KINDS);
    tcase_add_loop_test(t, ranks_left_out, 0, SHAPES);
    tcase_add_loop_test(t, not_finite, 0, KINDS);
    tcase_add_test(t, not_finite_b);
    tcase_add_test(t, r_too_large);
    tcase_add_test(t, r_by_empty_factor);
    tcase_add_test(t, signatures);
    tcase_add_test(t, refused);
    if (!on_device)
        tcase_add_test(t, no_progress);
    tcase_add_loop_test(t, workspace, 0, KINDS * 2);
    tcase_add_loop_test(t, largest_need, 0, 8);
    tcase_add_test(t, no_memory);
    if (!on_device) {
        tcase_add_loop_test(t, all_parts, 0, FORMS);
        tcase_add_test(t, solved_again);
        tcase_add_test(t, forced_ways);
        tcase_add_test(t, pairs_alone);
#if defined _OPENMP
        tcase_add_loop_test(t, any_threads, 0, KINDS);
        tcase_add_test(t, less_room);
#endif
    }
    return s;
}
