/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* test_devices.c [1] -- which device a handle gets, and how gsvd_create fails, on
 * devices that are not there: harness/fake_cuda.c. */
#include "core/cuda_state.h"
#include "harness/fake_cuda.h"
#include "harness/plain.h"

static void start(int devices) { fake = (fake_t){.devices = devices}; }

/* No context, memory or error of ours remains, and only these devices were used. */
static void ck_assert_clean(int depth, unsigned touched)
{
    ck_assert_int_eq(fake.depth, depth);
    ck_assert_int_eq(fake.objects, 0);
    ck_assert_int_eq(fake.last_error, 0);
    for (int i = 0; i < FAKE_DEVICES; ++i) {
        ck_assert_int_eq(fake.held[i], 0);
        ck_assert_int_eq(fake.touched[i], (int)(touched >> i & 1));
    }
}

#define ck_assert_says(word)                                                   \
    ck_assert_msg(strstr(gsvd_last_error(NULL), word) != NULL,                 \
                  "no '%s' in '%s'", word, gsvd_last_error(NULL))

static int device_of(gsvd_handle_t h)
{
    int device = -99;
    ck_assert_ok(gsvd_get_device(h, &device));
    return device;
}

START_TEST(no_driver)
{
    gsvd_handle_t h = NULL;
    start(0);
    fake.no_driver = 1;
    ck_assert_status(gsvd_create(&h, 0), GSVD_DEVICE_FAILED);
    ck_assert_says("driver");
    ck_assert_ok(gsvd_create(&h, GSVD_ANY));
    ck_assert_int_eq(device_of(h), GSVD_HOST);
    ck_assert_ok(gsvd_destroy(h));
    ck_assert_clean(0, 0);
}
END_TEST

START_TEST(no_such_device)
{
    gsvd_handle_t h = NULL;
    start(2);
    ck_assert_status(gsvd_create(&h, 2), GSVD_DEVICE_FAILED);
    ck_assert_says("no CUDA device 2");
    start(0);
    ck_assert_status(gsvd_create(&h, 0), GSVD_DEVICE_FAILED);
    ck_assert_says("no CUDA device 0");
    ck_assert_ok(gsvd_create(&h, GSVD_ANY));
    ck_assert_int_eq(device_of(h), GSVD_HOST);
    ck_assert_ok(gsvd_destroy(h));
    ck_assert_clean(0, 0);
}
END_TEST

START_TEST(no_code_for_it)
{
    gsvd_handle_t h = NULL;
    start(2);
    fake.without_code[0] = 1;
    ck_assert_status(gsvd_create(&h, 0), GSVD_NOT_SUPPORTED);
    ck_assert_ptr_null(h);
    ck_assert_says("7.5");
    ck_assert_says("built for");
    ck_assert_clean(0, 1);
    ck_assert_ok(gsvd_create(&h, GSVD_ANY));
    ck_assert_int_eq(device_of(h), 1);
    ck_assert_ok(gsvd_destroy(h));
    ck_assert_clean(0, 3);
    fake.without_code[1] = 1;
    ck_assert_ok(gsvd_create(&h, GSVD_ANY));
    ck_assert_int_eq(device_of(h), GSVD_HOST);
    ck_assert_says("CUDA device 1");
    ck_assert_ok(gsvd_destroy(h));
    ck_assert_clean(0, 3);
}
END_TEST

/* a handle on device 2, in a thread without a context, with one of device 1, with one
 * of device 2: only that device is used, and the thread keeps what it had */
START_TEST(contexts)
{
    size_t d, w;
    gsvd_handle_t h = NULL;
    start(3);
    if (_i > 0)
        fake.stack[fake.depth++] = _i;
    fake.last_error = 2; /* somebody else's                                  */
    ck_assert_ok(gsvd_create(&h, 2));
    ck_assert_int_eq(fake.depth, _i > 0);
    ck_assert_int_eq(fake.held[2], _i != 2); /* a context of its own suffices */
    ck_assert_int_eq(fake.last_error, 0);
    ck_assert_ok(gsvd_set_stream(h, NULL));
    ck_assert_int_eq(fake.depth, _i > 0);
    (void)gsvd_buffer_size(h, GSVD_D, 'N', 'N', 'N', 1, 1, 1, &d, &w);
    (void)gsvd_buffer_size(h, GSVD_D, 'X', 'N', 'N', 1, 1, 1, &d, &w);
    ck_assert_int_eq(fake.depth, _i > 0);
    ck_assert_ok(gsvd_destroy(h));
    ck_assert_clean(_i > 0, 4);
}
END_TEST

/* each call that can fail does once: nothing is left behind */
START_TEST(each_step_of_create_fails_once)
{
    int at = 0, failed;
    do {
        gsvd_handle_t h = NULL;
        start(1);
        fake.fails_at = ++at;
        const gsvd_status_t status = gsvd_create(&h, 0);
        failed = fake.calls >= at;
        ck_assert_int_eq(status, failed ? GSVD_DEVICE_FAILED : GSVD_SUCCESS);
        if (failed)
            ck_assert_says("unknown");
        fake.fails_at = 0;
        ck_assert_ok(gsvd_destroy(h));
        fake.touched[0] = 0;
        ck_assert_clean(0, 0);
    } while (failed);
    ck_assert_int_gt(at, 8);
}
END_TEST

/* enter() fails: the call says so, and destroy gives back what the host has */
START_TEST(enter_fails)
{
    gsvd_handle_t h = NULL;
    start(1);
    ck_assert_ok(gsvd_create(&h, 0));
    fake.fails_at = fake.calls + 1;
    ck_assert_int_eq(gsvd_set_stream(h, NULL), GSVD_DEVICE_FAILED);
    ck_assert_int_eq(fake.depth, 0);
    ck_assert_ok(gsvd_set_stream(h, NULL));
    ck_assert_ok(gsvd_destroy(h));
    ck_assert_clean(0, 1);
}
END_TEST

typedef struct libraries {
    cublasHandle_t blas[2]; /* of the own queue and of another               */
    cusolverDnHandle_t solver;
} libraries_t;

/* What a factorization with work in a second queue, and eigenvectors there, ask of the
 * handle. */
static gsvd_status_t use_queue(gsvd_handle_t h, queue_t queue, libraries_t *is)
{
    cusolverDnParams_t params;
    GSVD_TRY(gsvd_cublas(h, QUEUE_OWN, &is->blas[0]));
    GSVD_TRY(gsvd_cuda_order(h, QUEUE_OWN, queue));
    GSVD_TRY(gsvd_cublas(h, queue, &is->blas[1]));
    GSVD_TRY(gsvd_cusolver(h, queue, &is->solver, &params));
    return gsvd_cuda_order(h, queue, QUEUE_OWN);
}

/* Streams and libraries are made when first wanted, each once. */
START_TEST(queues_when_first_wanted)
{
    gsvd_handle_t h = NULL;
    libraries_t first, second;
    start(1);
    ck_assert_ok(gsvd_create(&h, 0));
    ck_assert_ok(gsvd_set_stream(h, NULL));
    ck_assert_int_eq(fake.streams, 0);
    ck_assert_int_eq(fake.libraries, 0);
    ck_assert_ok(use_queue(h, QUEUE_PANEL, &first));
    ck_assert_ok(use_queue(h, QUEUE_PANEL, &second));
    ck_assert_int_eq(fake.streams, 1);
    ck_assert_int_eq(fake.libraries, 3);
    ck_assert(first.blas[0] == second.blas[0] &&
              first.blas[1] == second.blas[1]);
    ck_assert(first.solver == second.solver);
    ck_assert(first.blas[0] != first.blas[1]);
    ck_assert_ok(use_queue(h, QUEUE_FACTOR, &second));
    ck_assert_int_eq(fake.streams, 2);
    ck_assert_int_eq(fake.libraries, 5);
    ck_assert(first.blas[0] == second.blas[0] &&
              first.blas[1] != second.blas[1]);
    ck_assert_ok(gsvd_destroy(h));
    ck_assert_clean(0, 1);
}
END_TEST

/* The stream of the caller's queue becomes that of its libraries, or the call fails. */
START_TEST(libraries_take_another_stream)
{
    gsvd_handle_t h = NULL;
    cublasHandle_t blas;
    cusolverDnHandle_t solver;
    cusolverDnParams_t params;
    for (int at = 1; at <= 2; ++at) {
        start(1);
        ck_assert_ok(gsvd_create(&h, 0));
        ck_assert_ok(gsvd_set_stream(h, NULL));
        const int before = fake.calls;
        ck_assert_ok(gsvd_set_stream(h, NULL));
        const int without = fake.calls - before;
        ck_assert_ok(gsvd_cublas(h, QUEUE_OWN, &blas));
        ck_assert_ok(gsvd_cusolver(h, QUEUE_OWN, &solver, &params));
        fake.fails_at = fake.calls + without + at;
        ck_assert_int_eq(gsvd_set_stream(h, NULL), GSVD_OUT_OF_MEMORY);
        ck_assert_ok(gsvd_set_stream(h, NULL));
        ck_assert_ok(gsvd_destroy(h));
        ck_assert_clean(0, 1);
    }
}
END_TEST

/* each step of that fails once: the handle works all the same, and leaves nothing
 * behind */
START_TEST(each_step_of_a_queue_fails_once)
{
    int at = 0, failed;
    do {
        gsvd_handle_t h = NULL;
        libraries_t is, again;
        start(1);
        ck_assert_ok(gsvd_create(&h, 0));
        const int before = fake.calls;
        fake.fails_at = before + ++at;
        const gsvd_status_t status = use_queue(h, QUEUE_PANEL, &is);
        failed = fake.calls >= fake.fails_at;
        fake.fails_at = 0;
        ck_assert_int_eq(status != GSVD_SUCCESS, failed);
        ck_assert_int_eq(strcmp(gsvd_last_error(h), "") != 0, failed);
        ck_assert_int_eq(fake.last_error, 0);
        ck_assert_ok(use_queue(h, QUEUE_PANEL, &again));
        ck_assert(again.blas[0] != again.blas[1]);
        ck_assert(failed ||
                  (again.blas[0] == is.blas[0] && again.blas[1] == is.blas[1] &&
                   again.solver == is.solver));
        ck_assert_ok(gsvd_destroy(h));
        ck_assert_clean(0, 1);
    } while (failed);
    ck_assert_int_gt(at, 10);
}
END_TEST

Suite *make_suite(void)
{
    Suite *s = suite_create("devices");
    TCase *t = add_tcase(s, "devices");
    tcase_add_test(t, no_driver);
    tcase_add_test(t, no_such_device);
    tcase_add_test(t, no_code_for_it);
    tcase_add_loop_test(t, contexts, 0, 3);
    tcase_add_test(t, each_step_of_create_fails_once);
    tcase_add_test(t, enter_fails);
    tcase_add_test(t, queues_when_first_wanted);
    tcase_add_test(t, libraries_take_another_stream);
    tcase_add_test(t, each_step_of_a_queue_fails_once);
    return s;
}
