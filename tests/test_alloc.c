/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* test_alloc.c -- every allocation of a call fails once: the call says so, no
 * memory is lost, and the handle goes on working; a device fails, and the
 * caller's arrays are as they were. */
#include "harness/routines.h"

/* the handle's space, with an allocate that fails at a given call */
static const space_t *real_space;
static space_t failing;
static int allocations, fails_at, alive;

static gsvd_status_t allocate(gsvd_handle_t h, void **p, size_t bytes)
{
    if (++allocations == fails_at) {
        *p = NULL;
        return gsvd_fail(h, GSVD_OUT_OF_MEMORY, "%zu bytes, as the test wants",
                         bytes);
    }
    const gsvd_status_t status = real_space->allocate(h, p, bytes);
    alive += status == GSVD_SUCCESS;
    return status;
}

static void release(gsvd_handle_t h, void *p)
{
    --alive;
    real_space->release(h, p);
}

/* a fresh handle, so that it has no memory yet */
static gsvd_handle_t open_failing(int at)
{
    gsvd_handle_t h = NULL;
    ck_assert_ok(gsvd_create(&h, on_device ? 0 : GSVD_HOST));
    real_space = h->space;
    failing = *real_space;
    failing.allocate = allocate;
    failing.release = release;
    h->space = &failing;
    allocations = 0;
    alive = 0;
    fails_at = at;
    return h;
}

/* a pair's routines with either of two solvers, then those of one matrix */
enum { PAIRS = TASK_SOLVE + 1, CASES = TASKS + PAIRS };
static int routine_of(int i) { return i < 2 * PAIRS ? i / 2 : i - PAIRS; }
static int solver_of(int i) { return i < 2 * PAIRS ? i % 2 : 0; }

static mat_t square(scalar_t *data, int64_t n)
{
    return mat_view(data, n, n, TASK_LD);
}

/* Then the handle works, and its memory is kept: a second call of a size allocates nothing. */
START_TEST(each_allocation_fails_once)
{
    const int routine = routine_of(_i);
    int total = 0;
    for (int at = 1; at <= total + 1; ++at) {
        gsvd_handle_t h = open_failing(at);
        ck_assert_ok(gsvd_set_option(h, GSVD_SOLVER, solver_of(_i)));
        const task_t before = new_task(routine, HOST, 0);
        task_t t = new_task(routine, HOST, 0);
        const gsvd_status_t status = run_task(h, &t);

        if (allocations >= at) {
            ck_assert_msg(status == GSVD_OUT_OF_MEMORY, "allocation %d: %s", at,
                          gsvd_status_name(status));
            ck_assert_int_eq(t.info, -1000 - GSVD_OUT_OF_MEMORY);
            ck_assert_str_ne(gsvd_last_error(h), "");
            if (routine >= PAIRS)
                ck_assert_same(square(t.A, TASK_N), square(before.A, TASK_N));
            total = at;
        } else {
            ck_assert_int_eq(status, GSVD_SUCCESS);
        }
        fails_at = -1; /* now there is memory                                */
        t = new_task(routine, HOST, 0);
        ck_assert_int_eq(run_task(h, &t), GSVD_SUCCESS);
        ck_assert_str_eq(gsvd_last_error(h), "");
        if (routine < PAIRS) {
            ck_assert_ratio(defect(square(t.U, TASK_M)));
            ck_assert_ratio(defect(square(t.V, TASK_P)));
            ck_assert_ratio(defect(square(t.Q, TASK_N)));
        }
        const int first = allocations;
        t = new_task(routine, HOST, 0);
        ck_assert_int_eq(run_task(h, &t), GSVD_SUCCESS);
        ck_assert_int_eq(allocations, first);
        gsvd_destroy(h);
        ck_assert_int_eq(alive, 0);
        release_pool();
    }
    ck_assert_int_ge(total, 1); /* something was allocated at all            */
}
END_TEST

/* a caller that brings all the workspace makes the handle allocate nothing */
START_TEST(nothing_beyond_the_workspace)
{
    gsvd_handle_t h = open_failing(1);
    task_t t = new_task(TASK_GSVD, HOST, 0);
    ck_assert_ok(gsvd_set_option(h, GSVD_SOLVER, _i));
    ck_assert_ok(workspace_of(h, problem_of_task(letter(), &t), &t.dwork_bytes,
                              &t.hwork_bytes));
    t.dwork = t.dwork_bytes ? grab_backend(t.dwork_bytes) : NULL;
    t.hwork = t.hwork_bytes ? grab(t.hwork_bytes) : NULL;
    ck_assert_int_eq(run_task(h, &t), GSVD_SUCCESS);
    ck_assert_int_eq(allocations, 0);
    gsvd_destroy(h);
}
END_TEST

/* room makes products faster: without it they are right too, and ask for no memory */
START_TEST(products_without_room)
{
    enum { LONG = 2052, INNER = 130 }; /* as in test_primitives.c            */
    uint64_t seed = 1;
    if (too_large(LONG, LONG, INNER))
        return;
    const mat_t dA = to_backend(random_mat(LONG, INNER, &seed));
    const mat_t dB = to_backend(random_mat(INNER, LONG, &seed));
    const mat_t C0 = random_mat(LONG + 1, LONG, &seed);
    const mat_t with = to_backend(C0), without = to_backend(C0);
    const mat_t C1 = mat_rows(with, 0, LONG), C2 = mat_rows(without, 0, LONG);
    gsvd_handle_t h = open_failing(1);
    exec_t ex = X(exec_of)(h);
    ck_assert_ok(table()->gemm(&ex, 'N', 'N', dA, dB, C2));
    ck_assert_int_eq(allocations, 0);
    ck_assert_ok(real_space->wait(h));
    gsvd_destroy(h);
    ck_assert_int_eq(alive, 0);

    h = open_failing(1);
    ex = X(exec_of)(h);
    ex.products.bytes = (size_t)64 << 20;
    ex.products.data = grab_backend(ex.products.bytes);
    ck_assert_ok(table()->gemm(&ex, 'N', 'N', dA, dB, C1));
    ck_assert_split(h);
    ck_assert_int_eq(allocations, 0);
    ck_assert_ok(real_space->wait(h));
    gsvd_destroy(h);
    const double apart = distance(from_backend(with), from_backend(without));
    ck_assert_msg(apart <= REALS_PER_SCALAR * INNER * INNER * GSVD_ULP, "%g",
                  apart);
}
END_TEST

static gsvd_status_t failed_wait(gsvd_handle_t h)
{
    (void)real_space->wait(h);
    return gsvd_fail(h, GSVD_DEVICE_FAILED, "a fault, as the test wants");
}

/* what went wrong on the device shows before the caller's arrays are written */
START_TEST(device_fails)
{
    if (!on_device)
        return;
    gsvd_handle_t h = open_failing(-1);
    failing.wait = failed_wait;
    const task_t before = new_task(_i, HOST, 0);
    task_t t = new_task(_i, HOST, 0);
    ck_assert_int_eq(run_task(h, &t), GSVD_DEVICE_FAILED);
    ck_assert_int_eq(t.info, -1000 - GSVD_DEVICE_FAILED);
    failing.wait = real_space->wait;
    ck_assert_ok(real_space->wait(h)); /* Copies that were queued arrive.     */
    ck_assert_same(square(t.A, TASK_LD), square(before.A, TASK_LD));
    ck_assert_same(square(t.B, TASK_LD), square(before.B, TASK_LD));
    ck_assert_same(square(t.U, TASK_LD), square(before.U, TASK_LD));
    ck_assert_same(square(t.V, TASK_LD), square(before.V, TASK_LD));
    ck_assert_same(square(t.Q, TASK_LD), square(before.Q, TASK_LD));
    ck_assert(isnan(t.alpha[0]) && isnan(t.beta[TASK_N - 1]));
    gsvd_destroy(h);
}
END_TEST

Suite *make_suite(void)
{
    Suite *s = suite_create("alloc");
    TCase *t = add_tcase(s, "allocations");
    tcase_add_loop_test(t, each_allocation_fails_once, 0, CASES);
    tcase_add_loop_test(t, nothing_beyond_the_workspace, 0, 2);
    tcase_add_test(t, products_without_room);
    tcase_add_loop_test(t, device_fails, 0, TASKS);
    return s;
}
