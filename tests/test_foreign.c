/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* test_foreign.c -- the last error of CUDA's runtime: what somebody else left there
 * is not taken for ours, and we leave none; and devices without memory. */
#include <cuda_runtime_api.h>
#include <stdio.h>

#include "core/cuda_state.h"
#include "harness/batches.h"
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
    ck_assert_ok(workspace_of(
        h, new_problem(GSVD_ROUTINE_GSVD, HOST, "UVQ", 5, 4, 3), &d, &w));
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
                          (!first && status == GSVD_OUT_OF_MEMORY),
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

/* -- cuSOLVER where the device is nearly full ------------------------------------------- */

/* SVDs that take cuSOLVER: a batch, and one matrix; on the device, with the caller's workspace */
static const struct {
    int64_t count, n;
} svds_of[] = {{4, 100}, {1, 500}};

static gsvd_status_t run_svds(gsvd_handle_t h, const many_t *b, const sent_t *s,
                              const buffer_t work[2])
{
    int info = 0;
    ck_assert_ok(gsvd_set_workspace(h, work[0].data, work[0].bytes,
                                    work[1].data, work[1].bytes));
    if (b->count > 1)
        return call_sent(GPU, h, b, s);
    return X(svd_gpu)(h, 'S', 'S', b->n, b->n, (scalar_t *)s->at[MANY_A],
                      b->place[MANY_A].ld, (real_t *)s->at[MANY_ALPHA],
                      (scalar_t *)s->at[MANY_U], b->place[MANY_U].ld,
                      (scalar_t *)s->at[MANY_V], b->place[MANY_V].ld, &info);
}

static many_t svds(int i)
{
    return new_many(MANY_SVD, STRIDED, "SS", svds_of[i].count, svds_of[i].n,
                    svds_of[i].n, 0, 3);
}

static void lend_for(int i, buffer_t work[2])
{
    const int64_t n = svds_of[i].n, count = svds_of[i].count;
    gsvd_problem_t p = new_problem(GSVD_ROUTINE_SVD, GPU, "SS", n, n, 0);
    size_t d, w;

    p.batch = count > 1 ? count : 0;
    ck_assert_ok(workspace_of(handle, p, &d, &w));
    work[0] = (buffer_t){grab_backend(d), d};
    work[1] = (buffer_t){grab(w), w};
}

static void ck_assert_same_svds(const many_t *a, const many_t *b)
{
    if (a->count == 1)
        a->info[0] = b->info[0] = 0; /* run_svds has it.                      */
    for (int64_t i = 0; i < a->count; ++i) {
        ck_assert_int_eq(a->info[i], 0);
        ck_assert_same_results(a, i, b, i);
    }
}

/* A new handle has the results of an old one, or says that there is no memory; never those of
 * another way, and nothing is left behind. */
START_TEST(nearly_full)
{
    static const size_t left[] = {0, 4, 16, 40, 64, 100, 160, 256, 400, 1000};
    const int which = _i % 2;
    const size_t bytes = left[_i / 2] << 20;
    buffer_t work[2];
    void *piece[PIECES], *reserve = NULL;
    many_t right = svds(which), now = svds(which), then = svds(which);
    gsvd_handle_t h = NULL;

    lend_for(which, work);
    const sent_t to[] = {send_many(GPU, &right), send_many(GPU, &now),
                         send_many(GPU, &then)};
    /* Once, after a device was full, cuSOLVER's eigensolver of batches does not run
     * (CUSOLVER_STATUS_EXECUTION_FAILED; 13.0 on an H200).                      */
    if (run_svds(handle, &right, &to[0], work) != GSVD_SUCCESS)
        ck_assert_ok(run_svds(handle, &right, &to[0], work));
    receive_many(GPU, &to[0], &right);
    ck_assert_ok(gsvd_create(&h, 0));
    ck_assert_ok(gsvd_set_stream(h, cuda_of(handle)->queue[QUEUE_OWN].stream));
    if (bytes > 0)
        ck_assert_int_eq(cudaMalloc(&reserve, bytes), cudaSuccess);
    const int pieces = take_all(piece);
    (void)cudaFree(reserve);
    const gsvd_status_t status = run_svds(h, &now, &to[1], work);
    for (int i = 0; i < pieces; ++i)
        (void)cudaFree(piece[i]);
    ck_assert_no_error();
    printf("%d: %zu MiB: %s %s\n", which, left[_i / 2],
           gsvd_status_name(status), gsvd_last_error(h));
    ck_assert_int_eq(gsvd_last_error(h)[0] == '\0', status == GSVD_SUCCESS);
    if (status == GSVD_SUCCESS) {
        receive_many(GPU, &to[1], &now);
        ck_assert_same_svds(&right, &now);
    } else {
        ck_assert_int_eq(status, GSVD_OUT_OF_MEMORY);
    }
    ck_assert_ok(run_svds(h, &then, &to[2], work));
    receive_many(GPU, &to[2], &then);
    ck_assert_same_svds(&right, &then);
    ck_assert_ok(gsvd_destroy(h));
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
    tcase_add_loop_test(t, nearly_full, 0, 20);
    return s;
}
