/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* test_devices.c [1] -- which device a handle gets, and how gsvd_create fails, on
 * devices that are not there: harness/fake_cuda.c. */
#define _DEFAULT_SOURCE /* MAP_NORESERVE */
#include <pthread.h>
#include <stdio.h>
#include <sys/mman.h>

#include "core/cuda_state.h"
#include "harness/fake_cuda.h"
#include "harness/plain.h"

#if defined _OPENMP
#include <omp.h>
#endif

static const gsvd_type_t type = GSVD_HAVE_D   ? GSVD_D
                                : GSVD_HAVE_S ? GSVD_S
                                : GSVD_HAVE_Z ? GSVD_Z
                                              : GSVD_C;

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

static gsvd_problem_t tiny_pair(gsvd_type_t of, const char *jobs)
{
    return problem_of_type(of, GSVD_ROUTINE_GSVD, GSVD_PLACE_HOST, jobs, 1, 1,
                           1);
}

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
    (void)workspace_of(h, tiny_pair(GSVD_D, "NNN"), &d, &w);
    (void)workspace_of(h, tiny_pair(GSVD_D, "XNN"), &d, &w);
    ck_assert_int_eq(fake.depth, _i > 0);
    ck_assert_ok(gsvd_destroy(h));
    ck_assert_clean(_i > 0, 4);
}
END_TEST

/* A handle that was made in the primary context, in another one of its device, or in that by a
 * thread without a context: calls elsewhere are refused with the reason and touch nothing, and
 * the handle goes on where it was made. */
START_TEST(another_context)
{
    static const int made[] = {0, FAKE_DEVICES, FAKE_DEVICES, -1},
                     used[] = {FAKE_DEVICES, 0, -1, FAKE_DEVICES};
    size_t d, w;
    int info = 0;
    gsvd_handle_t h = NULL;
    start(1);
    fake.stack[0] = made[_i];
    fake.depth = made[_i] >= 0;
    ck_assert_ok(gsvd_create(&h, 0));
    ck_assert_ok(gsvd_set_stream(h, NULL));
    const int objects = fake.objects;
    fake.stack[0] = used[_i];
    fake.depth = used[_i] >= 0;
    for (int call = 0; call < 4; ++call) {
        double x = 1;
        gsvd_problem_t qr = problem_of_type(type, GSVD_ROUTINE_QR,
                                            GSVD_PLACE_HOST, "", 1, 1, 0);
        qr.A.data = &x;
        qr.info = &info;
        const gsvd_status_t status =
            call == 0   ? gsvd_set_stream(h, NULL)
            : call == 1 ? workspace_of(h, tiny_pair(type, "NNN"), &d, &w)
            : call == 2 ? gsvd_run(h, &qr)
                        : gsvd_destroy(h);
        ck_assert_int_eq(status, GSVD_INVALID_HANDLE);
        ck_assert(strstr(gsvd_last_error(h), "another CUDA context") != NULL);
        ck_assert_int_eq(fake.depth, used[_i] >= 0);
        ck_assert_int_eq(fake.objects, objects);
    }
    ck_assert_int_eq(info, -1000 - GSVD_INVALID_HANDLE);
    fake.stack[0] = made[_i];
    fake.depth = made[_i] >= 0;
    ck_assert_ok(gsvd_set_stream(h, NULL));
    ck_assert_ok(gsvd_destroy(h));
    ck_assert_clean(made[_i] >= 0, 1);
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

/* A library without memory for a handle says so in many ways, and a broken one, too; it is asked
 * again by the next call. */
START_TEST(libraries_without_memory)
{
    static const struct {
        int error, leaves, full;
        gsvd_status_t status;
    } says[] = {
        {CUSOLVER_STATUS_ALLOC_FAILED, 0, 1, GSVD_OUT_OF_MEMORY},
        {CUSOLVER_STATUS_INTERNAL_ERROR, 0, 1, GSVD_OUT_OF_MEMORY},
        {CUSOLVER_STATUS_NOT_INITIALIZED, 0, 1, GSVD_OUT_OF_MEMORY},
        {CUSOLVER_STATUS_INTERNAL_ERROR, cudaErrorMemoryAllocation, 0,
         GSVD_OUT_OF_MEMORY},
        {CUSOLVER_STATUS_INTERNAL_ERROR, 0, 0, GSVD_DEVICE_FAILED},
        {CUSOLVER_STATUS_ARCH_MISMATCH, 0, 0, GSVD_DEVICE_FAILED},
    };
    for (size_t i = 0; i < sizeof says / sizeof *says; ++i) {
        gsvd_handle_t h = NULL;
        cublasHandle_t blas;
        cusolverDnHandle_t solver;
        cusolverDnParams_t params;
        start(1);
        ck_assert_ok(gsvd_create(&h, 0));
        fake.library_error = says[i].error;
        fake.leaves_error = says[i].leaves;
        fake.full = says[i].full;
        ck_assert_int_eq(gsvd_cusolver(h, QUEUE_OWN, &solver, &params),
                         says[i].status);
        ck_assert_int_eq(gsvd_cublas(h, QUEUE_OWN, &blas), says[i].status);
        ck_assert_int_eq(fake.last_error, 0);
        fake.library_error = 0;
        ck_assert_ok(gsvd_cusolver(h, QUEUE_OWN, &solver, &params));
        ck_assert_ok(gsvd_cublas(h, QUEUE_OWN, &blas));
        ck_assert_ok(gsvd_destroy(h));
        ck_assert_clean(0, 1);
    }
}
END_TEST

/* ---- copies of arrays: machine/copies_cuda.c --------------------------------- */

/* Rectangles of bytes: parts of a slot, a slot, one more, several in one column, columns
 * with gaps, more than a crew of one is for */
static const struct {
    size_t bytes, gap;
    int64_t columns;
    int ring; /* Is it large enough?                                         */
} rectangle[] = {{100, 0, 7, 0},
                 {COPY_SLOT - 1, 0, 1, 0},
                 {COPY_SLOT, 0, 1, 1},
                 {COPY_SLOT + 1, 0, 1, 1},
                 {COPY_SLOT / 2 + 1, 24, 5, 1},
                 {3 * COPY_SLOT + 8, 8, 2, 1},
                 {1000, 40, 6 * COPY_SLOT / 1000, 1},
                 {64, 8, COPY_SLOT / 48, 1}};
enum { RECTANGLES = sizeof rectangle / sizeof *rectangle };

static unsigned char *bytes_of(size_t bytes, unsigned seed)
{
    unsigned char *const x = grab(bytes);
    for (size_t i = 0; i < bytes; ++i)
        x[i] = seed ? (unsigned char)((i * 2654435761u + seed) >> 11) : 0xa5;
    return x;
}

/* The columns of x are those of y, and what lies between x's is as it was. */
static void ck_assert_columns(const unsigned char *x, size_t x_pitch,
                              const unsigned char *y, size_t y_pitch,
                              size_t bytes, int64_t columns)
{
    int64_t wrong = 0, changed = 0;
    for (int64_t j = 0; j < columns; ++j) {
        wrong += memcmp(x + (size_t)j * x_pitch, y + (size_t)j * y_pitch,
                        bytes) != 0;
        for (size_t i = bytes; i < x_pitch && j + 1 < columns; ++i)
            changed += x[(size_t)j * x_pitch + i] != 0xa5;
    }
    ck_assert_int_eq(wrong, 0);
    ck_assert_int_eq(changed, 0);
}

/* Up, down to another place, twice each; changes: the host's array does behind an upload, and
 * what arrives is what was there at the time of the call. */
static gsvd_status_t copy_there_and_back(gsvd_handle_t h, int r, int changes)
{
    const size_t bytes = rectangle[r].bytes, pitch = bytes + rectangle[r].gap;
    const int64_t columns = rectangle[r].columns;
    const size_t all = pitch * (size_t)columns, dense = bytes * (size_t)columns;
    const space_t *const space = h->space;
    for (unsigned round = 0; round < 2; ++round) {
        unsigned char *const from = bytes_of(all, 17 + round);
        unsigned char *const copy = bytes_of(all, 17 + round);
        unsigned char *const device = bytes_of(dense, 0);
        unsigned char *const to = bytes_of(all, 0);
        GSVD_TRY(space->upload(h, device, bytes, from, pitch, bytes, columns));
        if (changes)
            memset(from, 0, all);
        GSVD_TRY(space->wait(h));
        ck_assert_columns(device, bytes, copy, pitch, bytes, columns);
        GSVD_TRY(space->download(h, to, pitch, device, bytes, bytes, columns));
        GSVD_TRY(space->wait(h));
        ck_assert_columns(to, pitch, copy, pitch, bytes, columns);
        release_pool();
    }
    return GSVD_SUCCESS;
}

START_TEST(copies)
{
    gsvd_handle_t h = NULL;
    start(1);
    ck_assert_ok(gsvd_create(&h, 0));
    const int before = fake.objects;
    ck_assert_ok(h->space->enter(h));
    ck_assert_ok(copy_there_and_back(h, _i, rectangle[_i].ring));
    ck_assert_int_eq(fake.objects - before,
                     rectangle[_i].ring ? 1 + COPY_SLOTS : 0);
    h->space->leave(h);
    ck_assert_ok(gsvd_destroy(h));
    ck_assert_clean(0, 1);
}
END_TEST

/* Where there is no memory for a ring, and where any other call fails once: the copy is
 * right or says that it failed, and nothing is left. */
START_TEST(copies_fail)
{
    int right = 0, failed = 0;
    for (int at = 1; at < 40; ++at) {
        gsvd_handle_t h = NULL;
        start(1);
        ck_assert_ok(gsvd_create(&h, 0));
        ck_assert_ok(h->space->enter(h));
        fake.fails_at = fake.calls + at;
        const gsvd_status_t status = copy_there_and_back(h, 4, 0);
        if (status == GSVD_SUCCESS)
            ++right;
        else
            ck_assert_int_eq(status, GSVD_DEVICE_FAILED);
        failed += status != GSVD_SUCCESS;
        fake.fails_at = 0;
        ck_assert_ok(h->space->wait(h)); /* for copies that are under way    */
        release_pool();
        ck_assert_ok(
            copy_there_and_back(h, 5, 0)); /* and goes on              */
        h->space->leave(h);
        ck_assert_ok(gsvd_destroy(h));
        ck_assert_clean(0, 1);
    }
    ck_assert(right >= 5 && failed >= 5);
}
END_TEST

/* Pinned memory, and that of a caller who lends all memory, is copied as it is. */
START_TEST(copies_without_ring)
{
    gsvd_handle_t h = NULL;
    const size_t bytes = 2 * COPY_SLOT;
    unsigned char *const from = bytes_of(bytes, 5), *const to =
                                                        bytes_of(bytes, 0);
    char work[8];
    start(1);
    ck_assert_ok(gsvd_create(&h, 0));
    const int before = fake.objects;
    if (_i)
        ck_assert_ok(gsvd_set_workspace(h, NULL, 0, work, sizeof work));
    else
        fake.pinned = from;
    ck_assert_ok(h->space->enter(h));
    ck_assert_ok(h->space->upload(h, to, bytes, from, bytes, bytes, 1));
    ck_assert_ok(h->space->wait(h));
    h->space->leave(h);
    ck_assert_int_eq(fake.copies, 1);
    ck_assert_int_eq(fake.objects, before);
    ck_assert(memcmp(from, to, bytes) == 0);
    ck_assert_ok(gsvd_destroy(h));
}
END_TEST

/* This thread's parallel regions have so many. */
static void want_threads(int threads)
{
#if defined _OPENMP
    omp_set_num_threads(threads);
#else
    (void)threads;
#endif
}

/* A copy of a thread that has been cancelled before */
typedef struct cancelled {
    gsvd_handle_t h;
    unsigned char *to, *from;
    size_t bytes;
    int down, returned;
} cancelled_t;

static void *copy_cancelled(void *data)
{
    cancelled_t *const c = data;

    want_threads(4);
    (void)pthread_cancel(pthread_self());
    const gsvd_status_t status =
        (c->down ? c->h->space->download : c->h->space->upload)(
            c->h, c->to, c->bytes, c->from, c->bytes, c->bytes, 1);
    c->returned = status == GSVD_SUCCESS;
    pthread_testcancel();
    return NULL;
}

/* The thread ends behind a copy by several threads, which use its stack, not in it. */
START_TEST(copies_cancelled)
{
    const size_t bytes = (size_t)6 * COPY_SLOT;
    cancelled_t c = {.bytes = bytes, .down = _i};
    pthread_t thread;
    void *end = NULL;
    start(1);
    c.from = bytes_of(bytes, 9);
    c.to = bytes_of(bytes, 0);
    ck_assert_ok(gsvd_create(&c.h, 0));
    ck_assert_ok(c.h->space->enter(c.h));
    ck_assert_int_eq(pthread_create(&thread, NULL, copy_cancelled, &c), 0);
    ck_assert_int_eq(pthread_join(thread, &end), 0);
    ck_assert_int_eq(c.returned, 1);
    ck_assert(end == PTHREAD_CANCELED);
    ck_assert_ok(c.h->space->wait(c.h));
    ck_assert(memcmp(c.to, c.from, bytes) == 0);
    ck_assert_ok(copy_there_and_back(c.h, 6, 0));
    c.h->space->leave(c.h);
    ck_assert_ok(gsvd_destroy(c.h));
    ck_assert_clean(0, 1);
}
END_TEST

/* Columns farther apart than a pitch of CUDA may be */
START_TEST(far_columns)
{
    enum { COLUMNS = 3, BYTES = 24 };
    const size_t pitch = ((size_t)1 << 31) + 40;
    const size_t all = pitch * (COLUMNS - 1) + BYTES;
    gsvd_handle_t h = NULL;
    unsigned char near[COLUMNS * BYTES], back[COLUMNS * BYTES];
    void *const far = mmap(NULL, all, PROT_READ | PROT_WRITE,
                           MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (far == MAP_FAILED) {
        fprintf(stderr, "no %zu bytes of addresses\n", all);
        return;
    }
    for (size_t i = 0; i < sizeof near; ++i)
        near[i] = (unsigned char)(i + 1);
    start(1);
    ck_assert_ok(gsvd_create(&h, 0));
    ck_assert_ok(h->space->enter(h));
    ck_assert_ok(
        h->space->download(h, far, pitch, near, BYTES, BYTES, COLUMNS));
    ck_assert_ok(h->space->wait(h));
    ck_assert_columns(far, pitch, near, BYTES, BYTES, 1);
    ck_assert_ok(h->space->upload(h, back, BYTES, far, pitch, BYTES, COLUMNS));
    ck_assert_ok(h->space->wait(h));
    ck_assert(memcmp(near, back, sizeof near) == 0);
    /* one column, whatever its pitch, and columns without gaps */
    memset(back, 0, sizeof back);
    ck_assert_ok(h->space->upload(h, back, BYTES, near, pitch, BYTES, 1));
    ck_assert_ok(h->space->upload(h, back + BYTES, BYTES, near + BYTES, BYTES,
                                  BYTES, COLUMNS - 1));
    ck_assert_ok(h->space->wait(h));
    ck_assert(memcmp(near, back, sizeof near) == 0);
    h->space->leave(h);
    ck_assert_ok(gsvd_destroy(h));
    ck_assert_clean(0, 1);
    ck_assert_int_eq(munmap(far, all), 0);
}
END_TEST

/* ---- a stream that is captured: door/call.c, door/batched.c ------------------- */

#define ck_assert_of(h, word)                                                  \
    ck_assert_msg(strstr(gsvd_last_error(h), word) != NULL, "no '%s' in '%s'", \
                  word, gsvd_last_error(h))

static gsvd_status_t many(gsvd_handle_t h, int on_host, int64_t n)
{
    static char array[4096];
    static int info[2];
    gsvd_problem_t p = problem_of_type(
        type, GSVD_ROUTINE_SVD, on_host ? GSVD_PLACE_HOST : GSVD_PLACE_DEVICE,
        "NN", n, n, 0);
    p.batch = 2;
    p.A.data = p.alpha.data = array;
    p.info = info;
    return gsvd_run(h, &p);
}

/* What would wait or allocate is refused, and nothing is made; the thread's mode is as it was before. */
START_TEST(captured)
{
    static const struct {
        int on_host;
        int64_t n;
        gsvd_status_t status;
        const char *says;
    } refused[] = {{1, 4, GSVD_NOT_SUPPORTED, "on the host"},
                   {0, 1025, GSVD_NOT_SUPPORTED, "one by one"},
                   {0, 64, GSVD_WORKSPACE_TOO_SMALL, "gsvd_set_workspace"}};
    gsvd_handle_t h = NULL;
    start(1);
    ck_assert_ok(gsvd_create(&h, 0));
    fake.captured = FAKE_ACTIVE;
    cuda_of(h)->shared = 227 << 10; /* as on Hopper                          */
    for (int i = 0; i < 3; ++i) {
        fake.capture_mode = (int)cudaStreamCaptureModeThreadLocal;
        ck_assert_int_eq(many(h, refused[i].on_host, refused[i].n),
                         refused[i].status);
        ck_assert_of(h, refused[i].says);
        ck_assert_int_eq(fake.harmed, 0);
        ck_assert_int_eq(fake.libraries, 0);
        ck_assert_int_eq(fake.capture_mode,
                         (int)cudaStreamCaptureModeThreadLocal);
        ck_assert_ptr_null(h->compute.data);
    }
    fake.captured = FAKE_NO_CAPTURE;
    ck_assert_ok(h->space->enter(h));
    ck_assert(!h->space->relax_capture(h));
    fake.captured = FAKE_ACTIVE;
    ck_assert(h->space->relax_capture(h));
    ck_assert_int_eq(fake.capture_mode, (int)cudaStreamCaptureModeRelaxed);
    h->space->leave(h);
    ck_assert_int_eq(fake.capture_mode, (int)cudaStreamCaptureModeThreadLocal);
    fake.captured = FAKE_NO_CAPTURE;
    ck_assert_ok(gsvd_destroy(h));
    ck_assert_clean(0, 1);
}
END_TEST

/* An SVD and a QR factorization of 1000 x 1000 matrices, from the host by the ring */
static gsvd_status_t one(gsvd_handle_t h, int which, int *info)
{
    enum { N = 1000 };
    static char *A;
    static double sigma[N];
    if (!A)
        A = calloc((size_t)N * N, 16);
    gsvd_problem_t p = problem_of_type(
        type, which < 2 ? GSVD_ROUTINE_SVD : GSVD_ROUTINE_QR,
        which % 2 ? GSVD_PLACE_DEVICE : GSVD_PLACE_HOST, "", N, N, 0);
    p.A.data = A;
    p.alpha.data = p.tau.data = sigma;
    p.info = info;
    return gsvd_run(h, &p);
}

/* Calls of one problem, from the host and on the device, and gsvd_destroy: refused before
 * anything is asked of the stream, whatever is captured, and the handle goes on.  Copies had gone
 * through the ring before. */
START_TEST(one_captured)
{
    static const char *const says[] = {
        [FAKE_ACTIVE] = "one problem",
        [FAKE_INVALID] = "failed already",
        [FAKE_OTHER] = "default stream",
    };
    const int kind = FAKE_ACTIVE + _i;
    gsvd_handle_t h = NULL;
    int info;
    start(1);
    ck_assert_ok(gsvd_create(&h, 0));
    ck_assert_ok(h->space->enter(h));
    ck_assert_ok(copy_there_and_back(h, 5, 0));
    h->space->leave(h);
    fake.captured = kind;
    const int objects = fake.objects, copied = fake.copies;
    for (int which = 0; which < 4; ++which) {
        fake.capture_mode = (int)cudaStreamCaptureModeGlobal;
        info = 0;
        ck_assert_int_eq(one(h, which, &info), GSVD_NOT_SUPPORTED);
        ck_assert_of(h, says[kind]);
        ck_assert_int_eq(info, -1000 - GSVD_NOT_SUPPORTED);
        ck_assert_int_eq(fake.capture_mode, (int)cudaStreamCaptureModeGlobal);
    }
    if (kind != FAKE_ACTIVE)
        ck_assert_int_eq(many(h, 0, 4), GSVD_NOT_SUPPORTED);
    ck_assert_int_eq(gsvd_destroy(h), GSVD_NOT_SUPPORTED);
    ck_assert_of(h, kind == FAKE_ACTIVE ? "gsvd_destroy" : says[kind]);
    ck_assert_int_eq(fake.harmed, 0);
    ck_assert_int_eq(fake.objects, objects);
    ck_assert_int_eq(fake.copies, copied);
    ck_assert_int_eq(fake.last_error, 0);
    fake.captured = FAKE_NO_CAPTURE;
    ck_assert_ok(h->space->enter(h));
    ck_assert_ok(copy_there_and_back(h, 5, 0));
    h->space->leave(h);
    ck_assert_ok(gsvd_destroy(h));
    ck_assert_clean(0, 1);
}
END_TEST

static gsvd_status_t bytes_of_one(gsvd_handle_t h, size_t *bytes)
{
    size_t on_host;
    return workspace_of(h,
                        problem_of_type(type, GSVD_ROUTINE_SVD,
                                        GSVD_PLACE_DEVICE, "SS", 900, 900, 0),
                        bytes, &on_host);
}

static gsvd_status_t bytes_of_many(gsvd_handle_t h, size_t *bytes)
{
    gsvd_problem_t p = problem_of_type(type, GSVD_ROUTINE_SVD,
                                       GSVD_PLACE_DEVICE, "SS", 100, 100, 0);
    size_t on_host;
    p.batch = 2;
    return workspace_of(h, p, bytes, &on_host);
}

/* What asks cuSOLVER makes no handle of it during a capture; there is one, and cuBLAS's, from
 * a question before that. */
START_TEST(bytes_captured)
{
    gsvd_handle_t h = NULL;
    size_t bytes, again;
    start(1);
    ck_assert_ok(gsvd_create(&h, 0));
    cuda_of(h)->shared = 227 << 10; /* as on Hopper                          */
    fake.captured = FAKE_ACTIVE;
    ck_assert_int_eq(bytes_of_many(h, &bytes), GSVD_NOT_SUPPORTED);
    ck_assert_of(h, "captured");
    ck_assert_int_eq(bytes_of_one(h, &bytes), GSVD_NOT_SUPPORTED);
    ck_assert_int_eq(many(h, 0, 100), GSVD_NOT_SUPPORTED);
    ck_assert_of(h, "gsvd_plan_create");
    ck_assert_int_eq(fake.libraries, 0);
    fake.captured = FAKE_NO_CAPTURE;
    ck_assert_ok(bytes_of_many(h, &bytes));
    ck_assert_int_eq(fake.libraries, 2);
    fake.captured = FAKE_ACTIVE;
    ck_assert_ok(bytes_of_many(h, &again));
    ck_assert(again == bytes && bytes > 0);
    ck_assert_int_eq(many(h, 0, 100), GSVD_WORKSPACE_TOO_SMALL);
    ck_assert_int_eq(fake.libraries, 2);
    ck_assert_int_eq(fake.harmed, 0);
    ck_assert_int_eq(fake.capture_mode, 0);
    fake.captured = FAKE_NO_CAPTURE;
    ck_assert_ok(gsvd_destroy(h));
    ck_assert_clean(0, 1);
}
END_TEST

/* Where cuSOLVER has no memory, or does not answer once, a call fails with the reason: it does not
 * take another way, of other bits, without a word.  Its size is the same a moment later. */
START_TEST(no_other_way)
{
    gsvd_status_t (*const ask)(gsvd_handle_t, size_t *) =
        _i ? bytes_of_many : bytes_of_one;
    gsvd_handle_t h = NULL;
    size_t bytes, right;
    int calls = 0;
    start(1);
    ck_assert_ok(gsvd_create(&h, 0));
    cuda_of(h)->shared = 227 << 10; /* as on Hopper                          */
    fake.library_error = CUSOLVER_STATUS_INTERNAL_ERROR;
    fake.full = 1;
    ck_assert_int_eq(ask(h, &bytes), GSVD_OUT_OF_MEMORY);
    ck_assert_str_ne(gsvd_last_error(h), "");
    if (_i)
        ck_assert_int_eq(many(h, 0, 100), GSVD_OUT_OF_MEMORY);
    fake.library_error = 0;
    ck_assert_ok(ask(h, &right));
    do {
        fake.fails_at = fake.calls + ++calls;
        const gsvd_status_t status = ask(h, &bytes);
        if (fake.calls >= fake.fails_at)
            ck_assert(status != GSVD_SUCCESS || bytes == right);
    } while (fake.calls >= fake.fails_at);
    ck_assert_int_gt(calls, 1);
    fake.fails_at = 0;
    ck_assert_ok(ask(h, &bytes));
    ck_assert_uint_eq(bytes, right);
    ck_assert_ok(gsvd_destroy(h));
    ck_assert_clean(0, 1);
}
END_TEST

/* Work that a call leaves in other queues, since it failed before it joined them, comes before
 * what the caller queues next; of what is joined nothing is said again, and an error that is met
 * there is not left behind. */
START_TEST(queues_left_open)
{
    gsvd_handle_t h = NULL;
    start(1);
    ck_assert_ok(gsvd_create(&h, 0));
    for (int k = 0; k < 3; ++k) {
        const cuda_queue_t *const q = cuda_of(h)->queue;
        ck_assert_ok(h->space->enter(h));
        ck_assert_ok(gsvd_cuda_order(h, QUEUE_OWN, QUEUE_FACTOR));
        if (k == 0)
            ck_assert_ok(gsvd_cuda_order(h, QUEUE_FACTOR, QUEUE_OWN));
        fake.recorded = fake.waits = h;
        if (k == 2) {
            fake.calls = 0;
            fake.fails_at = 1;
        }
        h->space->leave(h);
        ck_assert(fake.recorded ==
                  (k == 1 ? q[QUEUE_FACTOR].stream : (void *)h));
        ck_assert(fake.waits == (k == 1 ? q[QUEUE_OWN].stream : (void *)h));
        ck_assert_int_eq(fake.last_error, 0);
        fake.fails_at = 0;
        fake.recorded = h;
        ck_assert_ok(h->space->enter(h));
        h->space->leave(h);
        ck_assert(fake.recorded == h);
    }
    ck_assert_ok(gsvd_destroy(h));
    ck_assert_clean(0, 1);
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
    tcase_add_loop_test(t, another_context, 0, 4);
    tcase_add_test(t, each_step_of_create_fails_once);
    tcase_add_test(t, enter_fails);
    tcase_add_test(t, queues_when_first_wanted);
    tcase_add_test(t, libraries_take_another_stream);
    tcase_add_test(t, each_step_of_a_queue_fails_once);
    tcase_add_test(t, queues_left_open);
    tcase_add_test(t, libraries_without_memory);
    tcase_add_loop_test(t, no_other_way, 0, 2);
    t = add_tcase(s, "copies");
    tcase_add_loop_test(t, copies, 0, RECTANGLES);
    tcase_add_test(t, copies_fail);
    tcase_add_loop_test(t, copies_without_ring, 0, 2);
    tcase_add_loop_test(t, copies_cancelled, 0, 2);
    tcase_add_test(t, far_columns);
    t = add_tcase(s, "capture");
    tcase_add_test(t, captured);
    tcase_add_loop_test(t, one_captured, 0, 3);
    tcase_add_test(t, bytes_captured);
    return s;
}
