/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* test_plan.c -- calls as gsvd_problem_t, and their plans. */
#include <stdio.h>

#include "core/notes.h"
#include "harness/batches.h"
#include "harness/routines.h"
#if defined _OPENMP
#include <omp.h>
#endif

static gsvd_problem_t problem_of(task_t *t)
{
    gsvd_problem_t p = problem_of_task(letter(), t);
    p.info = &t->info;
    return p;
}

static void ck_assert_alike(const task_t *a, const task_t *b, const char *what)
{
    const char *const other = other_result(a, b);
    ck_assert_msg(!other, "%s: %s has another %s", task_name[a->routine], what,
                  other);
}

/* gsvd_run tells how many values of a Hermitian matrix it has found, and the typed function has no such
 * argument. */
static gsvd_status_t run_typed(task_t *t)
{
    if (t->routine == TASK_EIGH)
        *t->k = TASK_N;
    return run_task(handle, t);
}

/* run has the bits of the typed function; so has a plan, twice, whatever the handle's options have become,
 * in workspace of as many bytes as it tells and no more */
START_TEST(as_typed)
{
    for (int door = 0; door < doors(); ++door) {
        size_t dwork, hwork, told_d = 1, told_h = 1;
        gsvd_plan_t plan;
        task_t typed = new_task(_i, (door_t)door, 0),
               t = new_task(_i, (door_t)door, 0);
        gsvd_problem_t p = problem_of(&t);

        ck_assert_ok(run_typed(&typed));
        ck_assert_ok(gsvd_run(handle, &p));
        ck_assert_alike(&typed, &t, "gsvd_run");
        ck_assert_ok(gsvd_plan_create(handle, &p, &plan));
        ck_assert_ok(gsvd_plan_bytes(plan, &dwork, &hwork));
        ck_assert_ok(gsvd_set_option(handle, GSVD_SVD, GSVD_SVD_JACOBI));
        ck_assert_ok(gsvd_set_option(handle, GSVD_PIVOT, GSVD_PIVOT_NORM));
        ck_assert_ok(gsvd_set_option(handle, GSVD_TOL_B, 1e3));
        for (int again = 0; again < 2; ++again) {
            task_t u = new_task(_i, (door_t)door, 0);
            gsvd_problem_t q = problem_of(&u);
            ck_assert_ok(gsvd_set_workspace(handle, grab_backend(dwork + 1),
                                            dwork, grab(hwork + 1), hwork));
            ck_assert_msg(gsvd_execute(plan, &q) == GSVD_SUCCESS, "%s",
                          gsvd_last_error(handle));
            ck_assert_alike(&typed, &u, "the plan");
        }
        ck_assert_ok(gsvd_set_workspace(handle, NULL, 0, NULL, 0));
        ck_assert_ok(gsvd_plan_bytes(plan, &told_d, NULL));
        ck_assert_ok(gsvd_plan_bytes(plan, NULL, &told_h));
        ck_assert(told_d == dwork && told_h == hwork);
        ck_assert_ok(gsvd_plan_destroy(plan));
        /* The handle's options are its own again. */
        task_t v = new_task(_i, (door_t)door, 0),
               w = new_task(_i, (door_t)door, 0);
        gsvd_problem_t q = problem_of(&w);
        const gsvd_status_t status = run_typed(&v);
        ck_assert_status(gsvd_run(handle, &q), status);
        ck_assert_alike(&v, &w, "gsvd_run with other options");
        ck_assert_ok(gsvd_set_option(handle, GSVD_SVD, GSVD_SVD_AUTO));
        ck_assert_ok(
            gsvd_set_option(handle, GSVD_PIVOT, GSVD_PIVOT_TOURNAMENT));
        ck_assert_ok(gsvd_set_option(handle, GSVD_TOL_B, -1));
        release_pool();
    }
}
END_TEST

/* What is left 0: leading dimensions are the rows, jobs are 'N', tolerances are LAPACK's */
START_TEST(members_left_out)
{
    enum { M = 7, N = 5 };
    scalar_t A[M * N], B[M * N], U[M * N];
    real_t sigma[N], other[N];
    int64_t rank = -1;
    uint64_t seed = 5;

    for (int i = 0; i < M * N; ++i)
        A[i] = B[i] = random_uniform_scalar(&seed);
    gsvd_problem_t p = {.size = sizeof p,
                        .routine = GSVD_ROUTINE_SVD,
                        .type = letter(),
                        .m = M,
                        .n = N,
                        .A = {.data = A},
                        .alpha = {.data = sigma}};
    ck_assert_ok(gsvd_run(handle, &p));
    ck_assert_ok(
        X(svd)(handle, 'N', 'N', M, N, B, M, other, NULL, 1, NULL, 1, NULL));
    ck_assert(memcmp(sigma, other, sizeof sigma) == 0);
    for (int i = 0; i < M * N; ++i)
        A[i] = make(i % M == i / M, 0);
    p.A.data = A;
    p.U.data = U;
    p.job[0] = 's';
    ck_assert_ok(gsvd_run(handle, &p));
    for (int i = 0; i < N; ++i)
        ck_assert(abs_of(U[i + M * i]) <= 1 + 4 * GSVD_EPS && sigma[i] == 1);
    p = (gsvd_problem_t){.size = sizeof p,
                         .routine = GSVD_ROUTINE_URV,
                         .type = letter(),
                         .m = M,
                         .n = N,
                         .A = {.data = A},
                         .k_out = &rank};
    for (int i = 0; i < M * N; ++i)
        A[i] = make(i / M == i % M && i / M < 3, 0);
    ck_assert_ok(gsvd_run(handle, &p));
    ck_assert_int_eq(rank, 3);
}
END_TEST

/* -- errors name the member ------------------------------------------------------------ */

static const char *const fault[] = {"problem.size",
                                    "problem.routine",
                                    "type",
                                    "problem.place",
                                    "problem.job[0]",
                                    "problem.m",
                                    "problem.n",
                                    "problem.p",
                                    "problem.A: NULL",
                                    "problem.A.ld",
                                    "problem.B.ld",
                                    "problem.U: NULL",
                                    "problem.U.ld",
                                    "problem.k_out: NULL",
                                    "problem.batch: negative",
                                    "problem.batch: 0",
                                    "problem.batch: 0",
                                    "problem.batch: 0",
                                    "problem.A: not aligned"};
enum { FAULTS = sizeof fault / sizeof *fault };

static void spoil(gsvd_problem_t *p, int i)
{
    static void *each[1];
    static const int64_t sizes[1] = {1};
    switch (i) {
    case 0: p->size = 8; break;
    case 1: p->routine = (gsvd_routine_t)77; break;
    case 2: p->type = (gsvd_type_t)'q'; break;
    case 3: p->place = (gsvd_place_t)5; break;
    case 4: p->job[0] = 'X'; break;
    case 5: p->m = -1; break;
    case 6: p->n = (int64_t)1 << 31; break;
    case 7: p->p = -3; break;
    case 8: p->A.data = NULL; break;
    case 9: p->A.ld = TASK_M - 1; break;
    case 10: p->B.ld = -1; break;
    case 11: p->U.data = NULL; break;
    case 12: p->U.ld = TASK_M - 1; break;
    case 13: p->k_out = NULL; break;
    case 14: p->batch = -1; break;
    case 15: p->A.stride = 4; break;
    case 16: p->V.each = each; break;
    case 17: p->each_m = sizes; break;
    default: p->A.data = (char *)p->A.data + 1;
    }
}

START_TEST(faults)
{
    for (int door = 0; door < doors(); ++door) {
        task_t t = new_task(TASK_GSVD, (door_t)door, 0);
        gsvd_problem_t p = problem_of(&t);
        gsvd_plan_t plan = (gsvd_plan_t)&p;
        spoil(&p, _i);
        const gsvd_status_t status = gsvd_run(handle, &p);
        ck_assert_int_eq(status,
                         _i == 2 ? GSVD_NOT_SUPPORTED : GSVD_INVALID_ARGUMENT);
        ck_assert_msg(strstr(gsvd_last_error(handle), fault[_i]), "'%s' for %s",
                      gsvd_last_error(handle), fault[_i]);
        if (_i != 0 && _i != 14) /* info is not looked at, or a list         */
            ck_assert_int_eq(t.info, -1000 - (int)status);
        if (_i > 7 && _i < 14)
            continue;
        if (_i == FAULTS - 1)
            continue; /* A plan knows no array.                              */
        ck_assert_status(gsvd_plan_create(handle, &p, &plan), status);
        ck_assert_ptr_null(plan);
    }
}
END_TEST

/* Entries that are not legal are told by the array's number in the typed routine, and in words */
START_TEST(not_finite)
{
    task_t t = new_task(TASK_GSVD, HOST, 0);
    gsvd_problem_t p = problem_of(&t);
    t.B[TASK_LD] = make((real_t)NAN, 0);
    ck_assert_status(gsvd_run(handle, &p), GSVD_INVALID_ARGUMENT);
    ck_assert_int_eq(t.info, -11);
    ck_assert(strstr(gsvd_last_error(handle), "problem.B: has a NaN"));
    t = new_task(TASK_HSVD, HOST, 0);
    p = problem_of(&t);
    t.J[3] = 7;
    ck_assert_status(gsvd_run(handle, &p), GSVD_INVALID_ARGUMENT);
    ck_assert_int_eq(t.info, -8);
    ck_assert(strstr(gsvd_last_error(handle), "problem.signs"));
}
END_TEST

START_TEST(nobody)
{
    task_t t = new_task(TASK_SVD, HOST, 0);
    gsvd_problem_t p = problem_of(&t);
    gsvd_plan_t plan;
    size_t bytes;

    ck_assert_int_eq(gsvd_run(NULL, &p), GSVD_INVALID_HANDLE);
    ck_assert_int_eq(gsvd_plan_create(NULL, &p, &plan), GSVD_INVALID_HANDLE);
    ck_assert_int_eq(gsvd_execute(NULL, &p), GSVD_INVALID_HANDLE);
    ck_assert_int_eq(gsvd_plan_bytes(NULL, &bytes, &bytes),
                     GSVD_INVALID_HANDLE);
    ck_assert_int_eq(gsvd_plan_describe(NULL, NULL, 0, NULL),
                     GSVD_INVALID_HANDLE);
    ck_assert_ok(gsvd_plan_destroy(NULL));
    ck_assert_int_eq(gsvd_run(handle, NULL), GSVD_INVALID_ARGUMENT);
    ck_assert_int_eq(gsvd_plan_create(handle, &p, NULL), GSVD_INVALID_ARGUMENT);
    if (!on_device) {
        p.place = GSVD_PLACE_DEVICE;
        ck_assert_int_eq(gsvd_run(handle, &p), GSVD_NOT_SUPPORTED);
    }
}
END_TEST

/* A problem of another shape is not for the plan. */
START_TEST(other_shapes)
{
    task_t t = new_task(TASK_GSVD, HOST, 0);
    gsvd_problem_t p = problem_of(&t);
    gsvd_plan_t plan;
    static const char *const member[] = {"m", "n", "p", "job", "routine"};

    ck_assert_ok(gsvd_plan_create(handle, &p, &plan));
    for (int i = 0; i < 5; ++i) {
        char text[40];
        gsvd_problem_t q = p;
        q.m -= i == 0;
        q.n -= i == 1;
        q.p -= i == 2;
        q.job[0] = i == 3 ? 'S' : q.job[0];
        q.routine = i == 4 ? GSVD_ROUTINE_PREPROCESS : q.routine;
        snprintf(text, sizeof text, "problem.%s: not the plan's", member[i]);
        ck_assert_int_eq(gsvd_execute(plan, &q), GSVD_INVALID_ARGUMENT);
        ck_assert_str_eq(gsvd_last_error(handle), text);
        ck_assert_int_eq(t.info, -1000 - GSVD_INVALID_ARGUMENT);
    }
    ck_assert_ok(gsvd_execute(plan, &p));
    gsvd_plan_destroy(plan);
}
END_TEST

/* A struct of an older header, which ends earlier, has no such one yet: one of a newer header says
 * nothing new where it is 0. */
START_TEST(newer_header)
{
    struct {
        gsvd_problem_t p;
        int64_t more[3];
    } x = {.more = {0}};
    task_t t = new_task(TASK_SVD, HOST, 0);
    x.p = problem_of(&t);
    x.p.size = sizeof x;
    ck_assert_ok(gsvd_run(handle, &x.p));
    x.more[1] = 1;
    ck_assert_int_eq(gsvd_run(handle, &x.p), GSVD_INVALID_ARGUMENT);
    ck_assert(strstr(gsvd_last_error(handle), "newer header"));
}
END_TEST

/* -- batches ----------------------------------------------------------------------------- */

enum { COUNT = 7, ORDER = 6, EACH = ORDER * ORDER };

/* Values of COUNT matrices behind one another */
static gsvd_problem_t batch_of(scalar_t *A, real_t *sigma, int *info)
{
    gsvd_problem_t p = new_problem(GSVD_ROUTINE_SVD, HOST, "", ORDER, ORDER, 0);
    p.batch = COUNT;
    p.A.data = A;
    p.alpha.data = sigma;
    p.info = info;
    return p;
}

/* Strides that are left out, strides, addresses, sizes of each that are all alike: the same bits, but
 * where sizes may differ */
START_TEST(forms_of_batches)
{
    static scalar_t from[COUNT * EACH], A[COUNT * EACH], U[3][COUNT * EACH];
    real_t sigma[3][COUNT * ORDER];
    void *address[3][COUNT];
    int info[COUNT];
    uint64_t seed = 11;

    for (int i = 0; i < COUNT * EACH; ++i)
        from[i] = random_uniform_scalar(&seed);
    for (int form = 0; form < 3; ++form) {
        gsvd_problem_t p = batch_of(A, sigma[form], info);
        p.job[0] = 'S';
        p.U.data = U[form];
        memcpy(A, from, sizeof A);
        if (form == 1) {
            p.A.stride = p.U.stride = EACH;
            p.alpha.stride = ORDER;
            p.A.ld = p.U.ld = ORDER;
        }
        for (int i = 0; i < COUNT && form == 2; ++i) {
            address[0][i] = A + i * EACH;
            address[1][i] = U[form] + i * EACH;
            address[2][i] = sigma[form] + i * ORDER;
        }
        if (form == 2) {
            p.A = (gsvd_array_t){.each = address[0]};
            p.U = (gsvd_array_t){.each = address[1]};
            p.alpha = (gsvd_array_t){.each = address[2]};
        }
        ck_assert_msg(gsvd_run(handle, &p) == GSVD_SUCCESS, "%s",
                      gsvd_last_error(handle));
        for (int i = 0; i < COUNT; ++i)
            ck_assert_int_eq(info[i], 0);
        ck_assert(memcmp(U[0], U[form], sizeof U[0]) == 0);
        ck_assert(memcmp(sigma[0], sigma[form], sizeof sigma[0]) == 0);
    }
}
END_TEST

/* What is illegal in a batch alone */
START_TEST(faults_of_batches)
{
    static scalar_t A[COUNT * EACH];
    real_t sigma[COUNT * ORDER];
    void *each[COUNT] = {A, NULL};
    int64_t size[COUNT] = {ORDER, ORDER + 1}, ld[COUNT] = {ORDER, 1};
    int info[COUNT];
    static const char *const text[] = {"problem.A.stride: arrays of different",
                                       "problem.A: NULL, in problem 1",
                                       "problem.each_n: NULL",
                                       "problem.m: not in [0",
                                       "problem.A: each_ld without each",
                                       "problem.info: NULL",
                                       "problem.signs: each",
                                       "problem.batch: the routine",
                                       "problem.each_m: NULL"};

    for (int i = 0; i < 9; ++i) {
        gsvd_problem_t p = batch_of(A, sigma, info);
        switch (i) {
        case 0: p.A.stride = ORDER - 1; break;
        case 1: p.A = (gsvd_array_t){.each = each}; break;
        case 2: p.each_m = size; break;
        case 3: p.each_m = p.each_n = size; break;
        case 4: p.A.each_ld = ld; break;
        case 5: p.info = NULL; break;
        case 6: p.signs.each = each; break;
        case 7: p.routine = GSVD_ROUTINE_QR; break;
        default: p.each_n = size;
        }
        ck_assert_int_eq(gsvd_run(handle, &p), GSVD_INVALID_ARGUMENT);
        ck_assert_msg(strstr(gsvd_last_error(handle), text[i]), "'%s' for %s",
                      gsvd_last_error(handle), text[i]);
    }
}
END_TEST

/* A NaN in one problem of a batch is that problem's. */
START_TEST(info_of_batches)
{
    static scalar_t A[COUNT * EACH];
    real_t sigma[COUNT * ORDER];
    int info[COUNT];
    uint64_t seed = 3;
    gsvd_problem_t p = batch_of(A, sigma, info);
    gsvd_plan_t plan;

    ck_assert_ok(gsvd_plan_create(handle, &p, &plan));
    for (int again = 0; again < 2; ++again) {
        for (int i = 0; i < COUNT * EACH; ++i)
            A[i] = random_uniform_scalar(&seed);
        A[2 * EACH + 5] = make((real_t)NAN, 0);
        ck_assert_ok(again ? gsvd_execute(plan, &p) : gsvd_run(handle, &p));
        for (int i = 0; i < COUNT; ++i)
            ck_assert_int_eq(info[i], i == 2 ? -5 : 0);
    }
    gsvd_plan_destroy(plan);
}
END_TEST

/* -- in words ------------------------------------------------------------------------------- */

/* Text of any size that is asked for: the beginning of all of it */
/* What a line says after "about", in milliseconds, or 0 */
static double milliseconds(const char *line)
{
    const char *const end = strchr(line, '\n'), *const about =
                                                    strstr(line, "about ");
    char unit[8] = "";
    double x = 0;
    if (!about || about > end || sscanf(about, "about %lf %7s", &x, unit) != 2)
        return 0;
    return strcmp(unit, "s") == 0 ? 1e3 * x : x;
}

/* The call takes as long as the steps of its tree's first floor, but for rounding to two digits. */
static double time_of_call(const char *text)
{
    double sum = 0;
    for (const char *line = text; (line = strchr(line, '\n')) && line[1];) {
        ++line;
        if (strncmp(line, "  ", 2) == 0 && line[2] != ' ')
            sum += milliseconds(line);
    }
    ck_assert_msg(fabs(sum - milliseconds(text)) <= 0.12 * sum,
                  "%g ms for %g of steps:\n%s", milliseconds(text), sum, text);
    return sum;
}

START_TEST(described)
{
    task_t t = new_task(_i, HOST, 0);
    gsvd_problem_t p = problem_of(&t);
    char all[8192], part[64];
    size_t needed = 0, again = 0;
    gsvd_plan_t plan;

    ck_assert_ok(gsvd_plan_create(handle, &p, &plan));
    ck_assert_ok(gsvd_plan_describe(plan, NULL, 0, &needed));
    ck_assert(needed > 60 && needed <= sizeof all);
    memset(all, '?', sizeof all);
    ck_assert_ok(gsvd_plan_describe(plan, all, needed, &again));
    ck_assert_uint_eq(again, needed);
    ck_assert_uint_eq(strlen(all), needed - 1);
    ck_assert(all[needed] == '?');
    ck_assert_ok(gsvd_plan_describe(plan, part, sizeof part, NULL));
    ck_assert_uint_eq(strlen(part), sizeof part - 1);
    ck_assert(strncmp(all, part, sizeof part - 1) == 0);
    ck_assert(all[0] == (char)letter() && strstr(all, "gsvd"));
    ck_assert(
        strstr(all, _i == TASK_EIGH || _i == TASK_LDL ? "30 x " : "40 x "));
    ck_assert(strstr(all, "memory: "));
    ck_assert(time_of_call(all) > 0);
    if (_i == TASK_GSVD || _i == TASK_SVD)
        ck_assert(strstr(all, "one-sided Jacobi"));
    gsvd_plan_destroy(plan);
}
END_TEST

/* A step that comes again is one line, with the larger bytes and the sum of the seconds, and its
 * parts are told once, below it. */
START_TEST(notes_of_steps)
{
    static const char *const text[] = {"a", "part", "b", "other"};
    static const int depth[] = {0, 1, 0, 1};
    notes_t n = {.count = 0};

    handle->notes = &n;
    gsvd_note_begin(handle, "a");
    gsvd_note(handle, 7, "part");
    ck_assert_uint_eq(gsvd_note_end(handle, 10, 1, 1), 10);
    gsvd_note_begin(handle, "b");
    gsvd_note_begin(handle, "other");
    (void)gsvd_note_end(handle, 5, 2, 1);
    (void)gsvd_note_end(handle, 6, 1, 3);
    gsvd_note_begin(handle, "a");
    gsvd_note_begin(handle, "not told");
    (void)gsvd_note_end(handle, 1, 4, 1);
    (void)gsvd_note_end(handle, 30, 1, 1);
    handle->notes = NULL;
    ck_assert_int_eq(n.count, 4);
    ck_assert_int_eq(n.depth, 0);
    for (int i = 0; i < 4; ++i) {
        ck_assert_str_eq(n.line[i].text, text[i]);
        ck_assert_int_eq(n.line[i].depth, depth[i]);
    }
    ck_assert_uint_eq(n.line[0].bytes, 30);
    ck_assert(n.line[0].seconds == 6 && n.line[2].seconds == 7);
    ck_assert(n.seconds[0] == 13);
}
END_TEST

static double predicted(int64_t n, int64_t batch)
{
    const gsvd_problem_t p = {.size = sizeof p,
                              .routine = GSVD_ROUTINE_SVD,
                              .type = letter(),
                              .m = n,
                              .n = n,
                              .batch = batch,
                              .job = {'S', 'S'}};
    gsvd_plan_t plan;
    char text[8192];
    ck_assert_ok(gsvd_plan_create(handle, &p, &plan));
    ck_assert_ok(gsvd_plan_describe(plan, text, sizeof text, NULL));
    ck_assert_ok(gsvd_plan_destroy(plan));
    return time_of_call(text);
}

/* A large problem takes longer, and twice as many problems take twice as long. */
START_TEST(predicted_times)
{
    ck_assert(predicted(400, 0) > 1.2 * predicted(200, 0));
    ck_assert(predicted(8000, 0) > 20 * predicted(800, 0));
    const double few = predicted(20, 100000), many = predicted(20, 200000);
    ck_assert(many > 1.7 * few && many < 2.3 * few);
}
END_TEST

/* QR of the leading rows of A, whose result is in the same memory each time */
static void factor(int64_t rows, mat_t A, scalar_t *result)
{
    const gsvd_problem_t p = {.size = sizeof p,
                              .routine = GSVD_ROUTINE_QR,
                              .type = letter(),
                              .m = rows,
                              .n = A.cols,
                              .A = {.data = result},
                              .tau = {.data = result + rows * A.cols}};
    for (int64_t j = 0; j < A.cols; ++j)
        memcpy(result + j * rows, &A.data[j * A.ld],
               (size_t)rows * sizeof *result);
    ck_assert_ok(gsvd_run(handle, &p));
}

/* Calls of the last shapes are not measured again, whatever their order; another option makes
 * all of them new. */
START_TEST(shapes_are_kept)
{
    uint64_t seed = 77;
    const mat_t A = normal_mat(20 + KEPT_SHAPES, 6, &seed);
    const size_t bytes = sizeof(scalar_t) * (size_t)(6 * A.rows + 6);
    scalar_t *const first = grab(bytes), *const again = grab(bytes);

    ck_assert_ok(gsvd_reset(handle));
    for (int i = 0; i < KEPT_SHAPES; ++i)
        factor(20 + i, A, again);
    for (int i = KEPT_SHAPES - 1; i >= 0; --i) {
        const int next = handle->next_shape;
        memset(first, 0, bytes);
        memset(again, 0, bytes);
        factor(20 + i, A, again);
        ck_assert_int_eq(handle->next_shape, next);
        ck_assert(handle->shape[handle->last_shape].routine != NULL);
        gsvd_forget_shapes(handle);
        factor(20 + i, A, first);
        ck_assert_mem_eq(first, again, bytes);
        ck_assert_ok(gsvd_reset(handle));
        for (int j = 0; j < KEPT_SHAPES; ++j)
            factor(20 + j, A, again);
    }
    const int oldest = handle->next_shape;
    factor(20 + KEPT_SHAPES, A, again);
    ck_assert_int_eq(handle->last_shape, oldest);
    ck_assert_int_eq(handle->next_shape, (oldest + 1) % KEPT_SHAPES);
    ck_assert_ok(gsvd_set_option(handle, GSVD_PANEL, GSVD_PANEL_TSQR));
    for (int i = 0; i < KEPT_SHAPES; ++i)
        ck_assert(handle->shape[i].routine == NULL);
    ck_assert_ok(gsvd_reset(handle));
}
END_TEST

/* Values of random matrices as one batch; each_m != NULL: of these sizes */
static void solve_some(int64_t count, const int64_t *each_m, real_t *sigma)
{
    static scalar_t A[COUNT * EACH];
    static int64_t each_n[COUNT];
    int info[COUNT];
    uint64_t seed = 23;
    gsvd_problem_t p = batch_of(A, sigma, info);

    p.batch = count;
    p.each_m = each_m;
    p.each_n = each_m ? each_n : NULL;
    for (int i = 0; i < COUNT; ++i)
        each_n[i] = ORDER - i % 2;
    for (int i = 0; i < COUNT * EACH; ++i)
        A[i] = random_uniform_scalar(&seed);
    memset(sigma, 0, COUNT * ORDER * sizeof *sigma);
    ck_assert_ok(gsvd_run(handle, &p));
    for (int64_t i = 0; i < count; ++i)
        ck_assert_int_eq(info[i], 0);
}

/* So it is with batches: another number of problems or sizes that differ are another shape, what
 * these sizes are is not. */
START_TEST(batches_are_kept)
{
    static const int64_t large[COUNT] = {6, 6, 6, 6, 6, 6, 6},
                         small[COUNT] = {1, 0, 3, 5, 2, 4, 1};
    static const struct {
        int64_t count;
        const int64_t *each_m;
        int measured;
    } call[] = {{COUNT, NULL, 1},  {COUNT, NULL, 0},  {2, NULL, 1},
                {COUNT, NULL, 0},  {COUNT, small, 1}, {COUNT, large, 0},
                {COUNT, small, 0}, {2, NULL, 0},      {2, large, 1}};
    enum { CALLS = sizeof call / sizeof *call };
    static real_t fresh[CALLS][COUNT * ORDER], kept[COUNT * ORDER];

    for (int i = 0; i < CALLS; ++i) {
        ck_assert_ok(gsvd_reset(handle));
        solve_some(call[i].count, call[i].each_m, fresh[i]);
    }
    ck_assert_ok(gsvd_reset(handle));
    for (int i = 0; i < CALLS; ++i) {
        const int next = handle->next_shape;
        solve_some(call[i].count, call[i].each_m, kept);
        ck_assert_int_eq(handle->next_shape,
                         (next + call[i].measured) % KEPT_SHAPES);
        ck_assert_mem_eq(kept, fresh[i], sizeof kept);
    }
#if defined _OPENMP
    if (!on_device) { /* Shares are of so many threads.                      */
        const int next = handle->next_shape, threads = omp_get_max_threads();
        omp_set_num_threads(threads + 1);
        solve_some(2, large, kept);
        omp_set_num_threads(threads);
        ck_assert_int_eq(handle->next_shape, (next + 1) % KEPT_SHAPES);
    }
#endif
    const int next = handle->next_shape;
    ck_assert_ok(gsvd_reset(handle));
    solve_some(COUNT, NULL, kept);
    ck_assert_int_eq(handle->next_shape, (next + 1) % KEPT_SHAPES);
}
END_TEST

static int ignore(void *user, int sweep, int64_t rotations)
{
    return (void)user, (void)sweep, rotations < 0;
}

/* A progress function, which solvers of batches do not call, leads pairs another way, and only while it is
 * set. */
START_TEST(progress_is_another_way)
{
    for (int i = 0; i < 4; ++i) {
        many_t b = new_many(MANY_GSVD, STRIDED, "UVQ", 3, 4, 4, 4, 5);
        ck_assert_ok(gsvd_set_progress(handle, i % 2 ? ignore : NULL, NULL));
        call_many(HOST, handle, &b);
        ck_assert_ok(b.status);
        ck_assert_int_eq(handle->shape[handle->last_shape].need.at_once,
                         i % 2 == 0);
    }
    ck_assert_ok(gsvd_set_progress(handle, NULL, NULL));
}
END_TEST

/* The words of a batch's plan */
START_TEST(described_batches)
{
    static const struct {
        gsvd_routine_t routine;
        char job[4];
        int64_t size[4]; /* m, n, p, and large steps from so many columns on */
        const char *host[4], *device[4]; /* in this order                    */
    } call[] = {
        {GSVD_ROUTINE_SVD,
         "SS",
         {9, 6, 0, 0},
         {"at once, 7 a part", "SVD of each, 9 x 6: packs", "QR, ",
          "Q applied"},
         {"at once", "SVD of each, 9 x 6: registers"}},
        {GSVD_ROUTINE_SVD,
         "NN",
         {300, 6, 0, 0},
         {"at once, 7 a part", "300 x 6: packs", "QR, ", "sweeps of R, 6 x 6"},
         {"at once", "300 x 6: triangles", "QR, 7 at", "sweeps of R, 6 x 6"}},
        {GSVD_ROUTINE_SVD,
         "SN",
         {900, 40, 0, 0},
         {"one by one, 1 a part", "QR", "one-sided Jacobi", "Q applied"},
         {"900 x 40: "}},
        {GSVD_ROUTINE_SVD,
         "SS",
         {50, 40, 0, 33},
         {"SVD of each, 50 x 40: large steps",
          "eigenvectors of Gram matrices, 40 x 40: ", "turns of all pairs",
          "sweeps"},
         {"50 x 40: "}},
        {GSVD_ROUTINE_HSVD,
         "SV",
         {9, 6, 0, 0},
         {"at once", "SVD of each, 9 x 6: packs"},
         {"at once", "SVD of each, 9 x 6: registers"}},
        {GSVD_ROUTINE_GSVD,
         "UVQ",
         {6, 6, 6, 0},
         {"at once", "GSVD of each, 6 x 6: a team of one thread: "},
         {"at once", "GSVD of each, 6 x 6: ", "teams"}}};
    char text[8192];

    for (size_t i = 0; i < sizeof call / sizeof *call; ++i) {
        gsvd_problem_t p = {.size = sizeof p,
                            .routine = call[i].routine,
                            .type = letter(),
                            .m = call[i].size[0],
                            .n = call[i].size[1],
                            .p = call[i].size[2],
                            .n_plus = call[i].size[1] / 2,
                            .batch = COUNT};
        const char *const *const words =
            on_device ? call[i].device : call[i].host;
        const char *at = text;
        gsvd_plan_t plan;

        memcpy(p.job, call[i].job, sizeof p.job);
        take_tuning()->batch_large_steps = call[i].size[3];
        ck_assert_ok(gsvd_plan_create(handle, &p, &plan));
        ck_assert_ok(gsvd_plan_describe(plan, text, sizeof text, NULL));
        ck_assert_ok(gsvd_plan_destroy(plan));
        give_table_back();
        for (int k = 0; k < 4 && words[k]; ++k) {
            at = strstr(at, words[k]);
            ck_assert_msg(at, "no '%s' in\n%s", words[k], text);
        }
        ck_assert(time_of_call(text) > 0);
    }
}
END_TEST

Suite *make_suite(void)
{
    Suite *s = suite_create("plan");
    TCase *t = add_tcase(s, "plan");
    tcase_add_loop_test(t, as_typed, 0, TASKS);
    tcase_add_test(t, members_left_out);
    tcase_add_loop_test(t, faults, 0, FAULTS);
    tcase_add_test(t, not_finite);
    tcase_add_test(t, nobody);
    tcase_add_test(t, other_shapes);
    tcase_add_test(t, newer_header);
    tcase_add_test(t, forms_of_batches);
    tcase_add_test(t, faults_of_batches);
    tcase_add_test(t, info_of_batches);
    tcase_add_loop_test(t, described, 0, TASKS);
    tcase_add_test(t, notes_of_steps);
    tcase_add_test(t, predicted_times);
    tcase_add_test(t, shapes_are_kept);
    tcase_add_test(t, batches_are_kept);
    tcase_add_test(t, progress_is_another_way);
    tcase_add_test(t, described_batches);
    return s;
}
