/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* test_foreign.c -- the last error of CUDA's runtime: what somebody else left there
 * is not taken for ours, and we leave none. */
#include <cuda_runtime_api.h>

#include "harness/routines.h"

static void refused_allocation(void)
{
    void *p = NULL;
    (void)cudaMalloc(&p, (size_t)1 << 60);
}

static void no_such_device(void) { (void)cudaSetDevice(99); }

static void invalid_launch(void)
{
    const struct dim3 one = {1, 1, 1};
    static const char no_kernel;
    void *none[] = {NULL};
    (void)cudaLaunchKernel(&no_kernel, one, one, none, 0, NULL);
}

static void seen_but_left(void)
{
    refused_allocation();
    (void)cudaPeekAtLastError();
}

static void bad_copy(void)
{
    char a, b = 0;
    (void)cudaMemcpy(&a, &b, 1, (enum cudaMemcpyKind)77);
}

static void (*const leave_error[])(void) = {refused_allocation, no_such_device,
                                            invalid_launch, seen_but_left,
                                            bad_copy};
enum { ERRORS = sizeof leave_error / sizeof *leave_error };

static void leave(int i)
{
    (void)cudaGetLastError();
    leave_error[i]();
    ck_assert_int_ne(cudaPeekAtLastError(), cudaSuccess);
}

static void ck_assert_no_error(void)
{
    ck_assert_str_eq(cudaGetErrorName(cudaGetLastError()), "cudaSuccess");
}

START_TEST(routines)
{
    for (int routine = 0; routine < TASKS; ++routine)
        for (int door = 0; door < doors(); ++door) {
            task_t t = new_task(routine, (door_t)door, 0);
            leave(_i);
            ck_assert_msg(run_task(handle, &t) == GSVD_SUCCESS, "%s: %s",
                          task_name[routine], gsvd_last_error(handle));
            ck_assert_int_eq(t.info, 0);
            ck_assert_no_error();
            release_pool();
        }
}
END_TEST

START_TEST(handles)
{
    size_t d, w;
    gsvd_handle_t h = NULL;
    leave(_i);
    ck_assert_ok(gsvd_create(&h, 0));
    ck_assert_no_error();
    leave(_i);
    ck_assert_ok(gsvd_set_stream(h, NULL));
    ck_assert_no_error();
    leave(_i);
    ck_assert_ok(gsvd_buffer_size(h, letter(), 'U', 'V', 'Q', 5, 4, 3, &d, &w));
    ck_assert_no_error();
    task_t t = new_task(TASK_GSVD, HOST, 0); /* its libraries come later     */
    leave(_i);
    ck_assert_ok(run_task(h, &t));
    ck_assert_no_error();
    leave(_i);
    ck_assert_ok(gsvd_destroy(h));
    ck_assert_no_error();
    leave(_i);
    ck_assert_ok(gsvd_create(&h, GSVD_ANY));
    ck_assert_no_error();
    ck_assert_ok(gsvd_destroy(h));
}
END_TEST

/* a workspace beyond all memory: refused, and nothing of it is left behind */
START_TEST(ours_out_of_memory)
{
    const int64_t n = 400000;
    gsvd_handle_t h = NULL;
    scalar_t *const A = grab(sizeof *A), *const tau = grab(sizeof *tau);
    int info = 0;
    ck_assert_ok(gsvd_create(&h, 0));
    ck_assert_status(X(qr)(h, n, n, A, n, tau, &info), GSVD_OUT_OF_MEMORY);
    ck_assert_int_eq(info, -1000 - GSVD_OUT_OF_MEMORY);
    ck_assert_no_error();
    ck_assert_ok(gsvd_destroy(h));
    ck_assert_status(gsvd_create(&h, 99), GSVD_DEVICE_FAILED);
    ck_assert_no_error();
}
END_TEST

/* All memory of the device but less than 1 MiB, in at most 256 pieces. */
enum { PIECES = 256 };

static int take_all(void **piece)
{
    size_t bytes = (size_t)1 << 40;
    int pieces = 0;
    while (bytes >= (size_t)1 << 20 && pieces < PIECES)
        if (cudaMalloc(&piece[pieces], bytes) == cudaSuccess)
            ++pieces;
        else
            bytes /= 2;
    (void)cudaGetLastError();
    return pieces;
}

/* A call for which the caller has workspace, but cuBLAS no memory: it ends with a
 * status, and works as soon as there is memory. */
START_TEST(libraries_without_memory)
{
    const size_t bytes = (size_t)64 << 20;
    void *piece[PIECES];
    gsvd_handle_t h = NULL;
    for (int first = 1; first >= 0; --first) { /* then the kernels are loaded */
        task_t t = new_task(_i, GPU, 0);
        ck_assert_ok(gsvd_create(&h, 0));
        t.dwork = grab_backend(bytes);
        t.hwork = grab(bytes);
        t.dwork_bytes = t.hwork_bytes = bytes;
        const int pieces = first ? 0 : take_all(piece);
        const gsvd_status_t status = run_task(h, &t);
        for (int i = 0; i < pieces; ++i)
            (void)cudaFree(piece[i]);
        ck_assert_msg(status == GSVD_SUCCESS ||
                          (!first && (status == GSVD_OUT_OF_MEMORY ||
                                      status == GSVD_DEVICE_FAILED)),
                      "%s: %s, %s", task_name[_i], gsvd_status_name(status),
                      gsvd_last_error(h));
        ck_assert_int_eq(t.info == 0, status == GSVD_SUCCESS);
        ck_assert_no_error();
        t = new_task(_i, GPU, 0);
        ck_assert_msg(run_task(h, &t) == GSVD_SUCCESS, "%s after %s: %s",
                      task_name[_i], gsvd_status_name(status),
                      gsvd_last_error(h));
        ck_assert_ok(gsvd_destroy(h));
        release_pool();
    }
}
END_TEST

Suite *make_suite(void)
{
    Suite *s = suite_create("foreign");
    TCase *t = add_tcase(s, "last error");
    tcase_add_loop_test(t, routines, 0, ERRORS);
    tcase_add_loop_test(t, handles, 0, ERRORS);
    tcase_add_test(t, ours_out_of_memory);
    tcase_add_loop_test(t, libraries_without_memory, 0, TASKS);
    return s;
}
