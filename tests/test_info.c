/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* test_info.c -- *info is 0 with GSVD_SUCCESS alone: each routine, each status that
 * can be provoked.  test_alloc.c has GSVD_OUT_OF_MEMORY, test_args.c and
 * test_qr_args.c have GSVD_INVALID_ARGUMENT. */
#include <errno.h>

#include "harness/routines.h"

static gsvd_handle_t new_handle(void)
{
    gsvd_handle_t h = NULL;
    ck_assert_ok(gsvd_create(&h, on_device ? 0 : GSVD_HOST));
    return h;
}

/* run_task's status is this one, *info its number; the same without info */
static void ck_assert_ends(gsvd_handle_t h, task_t *t, gsvd_status_t status)
{
    t->info = 0;
    ck_assert_status(run_task(h, t), status);
    ck_assert_msg(t->info == -1000 - (int)status, "%s, %s: info %d",
                  task_name[t->routine], gsvd_status_name(status), t->info);
}

START_TEST(success)
{
    for (int door = 0; door < doors(); ++door) {
        task_t t = new_task(_i, (door_t)door, 0);
        ck_assert_ok(run_task(handle, &t));
        ck_assert_int_eq(t.info, 0);
    }
}
END_TEST

START_TEST(no_handle)
{
    for (int door = HOST; door <= GPU; ++door) {
        task_t t = new_task(_i, HOST, 0);
        t.door = (door_t)door;
        ck_assert_ends(NULL, &t, GSVD_INVALID_HANDLE);
    }
}
END_TEST

START_TEST(gpu_call_on_a_host_handle)
{
    gsvd_handle_t h = NULL;
    ck_assert_ok(gsvd_create(&h, GSVD_HOST));
    task_t t = new_task(_i, HOST, 0);
    t.door = GPU;
    ck_assert_ends(h, &t, GSVD_NOT_SUPPORTED);
    ck_assert_ok(gsvd_destroy(h));
}
END_TEST

START_TEST(workspace_too_small)
{
    gsvd_handle_t h = new_handle();
    for (int door = 0; door < doors(); ++door) {
        task_t t = new_task(_i, (door_t)door, 0);
        t.hwork = grab(1);
        t.hwork_bytes = 1;
        t.dwork = grab_backend(1);
        t.dwork_bytes = 1;
        ck_assert_ends(h, &t, GSVD_WORKSPACE_TOO_SMALL);
    }
    ck_assert_ok(gsvd_destroy(h));
}
END_TEST

/* a step of the handle's space that fails */
static space_t failing;

static gsvd_status_t failed_enter(gsvd_handle_t h)
{
    return gsvd_fail(h, GSVD_DEVICE_FAILED, "a fault, as the test wants");
}

static gsvd_status_t failed_copy(gsvd_handle_t h, void *dst, size_t dpitch,
                                 const void *src, size_t spitch, size_t bytes,
                                 int64_t columns)
{
    (void)dst;
    (void)dpitch;
    (void)src;
    (void)spitch;
    (void)bytes;
    (void)columns;
    return gsvd_fail(h, GSVD_INTERNAL_ERROR, "a fault, as the test wants");
}

START_TEST(the_space_fails)
{
    for (int fault = 0; fault < (on_device ? 4 : 1); ++fault) {
        gsvd_handle_t h = new_handle();
        const space_t *const space = h->space;
        failing = *space;
        switch (fault) {
        case 0: failing.enter = failed_enter; break;
        case 1: failing.wait = failed_enter; break;
        case 2: failing.upload = failed_copy; break;
        default: failing.download = failed_copy; break;
        }
        h->space = &failing;
        task_t t = new_task(_i, HOST, 0);
        ck_assert_ends(h, &t,
                       fault < 2 ? GSVD_DEVICE_FAILED : GSVD_INTERNAL_ERROR);
        h->space = space;
        ck_assert_ok(space->wait(h));
        ck_assert_ok(gsvd_destroy(h));
        release_pool();
    }
}
END_TEST

static int stop(void *user, int sweep, int64_t rotations)
{
    (void)user;
    (void)sweep;
    (void)rotations;
    return 1;
}

/* 1, as LAPACK says it: there is a result */
START_TEST(not_converged)
{
    const int routine = _i ? TASK_SOLVE : TASK_GSVD;
    for (int stopped = 0; stopped < 2; ++stopped)
        for (int door = 0; door < doors(); ++door) {
            gsvd_handle_t h = new_handle();
            if (stopped)
                ck_assert_ok(gsvd_set_progress(h, stop, NULL));
            else
                ck_assert_ok(gsvd_set_option(h, GSVD_MAX_SWEEPS, 1));
            task_t t = new_task(routine, (door_t)door, 0);
            ck_assert_status(run_task(h, &t), GSVD_NOT_CONVERGED);
            ck_assert_int_eq(t.info, 1);
            ck_assert_ok(gsvd_destroy(h));
        }
}
END_TEST

/* ---- calls as structs -------------------------------------------------------- */

START_TEST(run_without_type_or_handle)
{
    for (int known = 0; known < 2; ++known) {
        const gsvd_status_t expected =
            known ? GSVD_INVALID_HANDLE : GSVD_NOT_SUPPORTED;
        task_t t = new_task(_i, HOST, 0);
        gsvd_problem_t p =
            problem_of_task(known ? letter() : (gsvd_type_t)'x', &t);
        p.info = &t.info;
        ck_assert_status(gsvd_run(known ? NULL : handle, &p), expected);
        ck_assert_int_eq(t.info, -1000 - (int)expected);
    }
}
END_TEST

/* 'T' is 'C' of a real type, and illegal for a complex one */
START_TEST(transpose)
{
    const int real = sizeof(scalar_t) == sizeof(real_t);
    task_t t = new_task(TASK_QR_APPLY, HOST, 0);
    gsvd_problem_t p = problem_of_task(letter(), &t);
    p.job[1] = 't';
    p.info = &t.info;
    ck_assert_status(gsvd_run(handle, &p),
                     real ? GSVD_SUCCESS : GSVD_INVALID_ARGUMENT);
    ck_assert_int_eq(t.info, real ? 0 : -1000 - GSVD_INVALID_ARGUMENT);
    ck_assert(real || strstr(gsvd_last_error(handle), "problem.job[1]"));
}
END_TEST

/* normal numbers times x */
static mat_t times_normal(real_t x, int64_t rows, int64_t cols, uint64_t *seed)
{
    const mat_t A = normal_mat(rows, cols, seed);
    for (int64_t j = 0; j < cols; ++j)
        scale_column(A, j, x);
    return A;
}

/* errno is the caller's, also where the C library's functions set it: of a zero matrix, of none, and
 * of numbers at the ends of the range. */
START_TEST(errno_stays)
{
    const real_t size[] = {0, 1, GSVD_SAFMIN / 4, GSVD_REAL_MAX / 16};
    uint64_t seed = 1;
    for (int i = 0; i < 16; ++i)
        for (int64_t p = 0; p <= 6; p += 3) {
            const mat_t A = times_normal(size[i / 4], 6, 6, &seed);
            const mat_t B = times_normal(size[i % 4], p, 6, &seed);
            errno = ENOTTY;
            const result_t r = decompose(HOST, 'U', 'V', 'Q', A, B);
            ck_assert_int_eq(errno, ENOTTY);
            ck_assert(r.status == GSVD_SUCCESS || r.status == GSVD_OVERFLOW);
            release_pool();
        }
}
END_TEST

Suite *make_suite(void)
{
    Suite *s = suite_create("info");
    TCase *t = add_tcase(s, "info");
    tcase_add_loop_test(t, success, 0, TASKS);
    tcase_add_loop_test(t, no_handle, 0, TASKS);
    tcase_add_loop_test(t, gpu_call_on_a_host_handle, 0, TASKS);
    tcase_add_loop_test(t, workspace_too_small, 0, TASKS);
    tcase_add_loop_test(t, the_space_fails, 0, TASKS);
    tcase_add_loop_test(t, not_converged, 0, 2);
    t = add_tcase(s, "type");
    tcase_add_loop_test(t, run_without_type_or_handle, 0, TASKS);
    tcase_add_test(t, transpose);
    tcase_add_test(t, errno_stays);
    return s;
}
