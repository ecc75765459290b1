/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* test_fork.c -- a child of fork() goes on where its parent was: every routine,
 * with the parent's handle and with its own, and so does the child's child.  On
 * CUDA, which does not survive fork(), the parent's handle says so, and GSVD_ANY
 * is the host.
 *
 * CTest asks for two threads.  A child does not use Check, whose failures are the
 * parent's: it ends with 0 where it found what its parent expects.  Whoever hangs
 * is ended by its alarm.
 */
#include <dlfcn.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

#include "harness/routines.h"

enum { DEADLINE = 100 /* seconds */ };

/* ---- every routine ---------------------------------------------------------- */

/* The tasks, and of a pair the values alone, and all by xTGSJA */
enum { VALUES = TASKS, TGSJA, ROUTINES };

static int64_t order; /* of all calls                                        */

static task_t new_call(int routine)
{
    return new_square_task(routine < TASKS ? routine : TASK_GSVD, order);
}

static gsvd_status_t run(gsvd_handle_t h, int routine, task_t *t)
{
    const int64_t n = order, ld = t->ld;
    GSVD_TRY(gsvd_set_option(h, GSVD_SOLVER,
                             routine == TGSJA ? GSVD_SOLVER_TGSJA
                                              : GSVD_SOLVER_AUTO));
    return routine == VALUES ? GSVD_ENTRY(h, 'N', 'N', 'N', n, n, n, t->k, t->l,
                                          t->A, ld, t->B, ld, t->alpha, t->beta,
                                          NULL, 1, NULL, 1, NULL, 1, &t->info)
                             : call_task(h, t);
}

/* ---- children --------------------------------------------------------------- */

/* What a child does; 0: as expected. */
typedef int (*work_t)(void *data);

static int fork_and_wait(work_t work, void *data)
{
    int status;
    fflush(NULL);
    const pid_t child = fork();
    if (child < 0)
        return -1;
    if (child == 0) {
        signal(SIGALRM, SIG_DFL); /* Check's own would end the parent, too   */
        alarm(DEADLINE);
        _exit(work(data));
    }
    while (waitpid(child, &status, 0) != child)
        ;
    return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
}

static task_t expected[ROUTINES]; /* the host's results                      */

typedef struct duty {
    gsvd_handle_t handle; /* the parent's, or NULL                           */
    int first, last;      /* routines                                        */
    int generations;      /* that the child has below it                     */
} duty_t;

enum { FINE, NO_HANDLE, NOT_HOST, FAILED, DIFFERS, BELOW = 16 };

/* What handles of this program compute by: large steps are calls of the BLAS, most of the
 * time. */
static gsvd_svd_option_t way = GSVD_SVD_AUTO;

static gsvd_status_t create(gsvd_handle_t *h)
{
    const gsvd_status_t status = gsvd_create(h, GSVD_HOST);
    return status == GSVD_SUCCESS ? gsvd_set_option(*h, GSVD_SVD, way) : status;
}

static int run_as_expected(gsvd_handle_t h, int routine, task_t *t)
{
    if (run(h, routine, t) != GSVD_SUCCESS)
        return FAILED;
    return other_result(t, &expected[routine]) ? DIFFERS : FINE;
}

static int run_routines(gsvd_handle_t h, const duty_t *d)
{
    int result = FINE;
    for (int i = d->first; i <= d->last && result == FINE; ++i) {
        task_t t = new_call(i);
        result = run_as_expected(h, i, &t);
    }
    return result;
}

static int go_on(void *data)
{
    duty_t *const d = data;
    gsvd_handle_t h = d->handle;
    if (!h && create(&h) != GSVD_SUCCESS)
        return NO_HANDLE;
    int result = run_routines(h, d);
    if (result == FINE && d->generations-- > 0)
        result = fork_and_wait(go_on, d) ? BELOW : FINE;
    return result != FINE ? result : (int)gsvd_destroy(h);
}

static gsvd_handle_t host; /* has computed `expected`                        */

static void expect(int64_t n, int last)
{
    order = n;
    if (!host)
        ck_assert_ok(create(&host));
    for (int i = 0; i <= last; ++i) {
        expected[i] = new_call(i);
        ck_assert_int_eq(run(host, i, &expected[i]), GSVD_SUCCESS);
    }
}

static void ck_assert_child(duty_t d)
{
    ck_assert_int_eq(fork_and_wait(go_on, &d), FINE);
}

/* each routine is a child's first call once, through a handle of its own or through
 * the parent's */
START_TEST(each_routine)
{
    expect(_i ? 176 : 160, TGSJA);
    for (int i = 0; i < ROUTINES; ++i)
        ck_assert_child(
            (duty_t){.handle = _i ? host : NULL, .first = i, .last = i});
    const duty_t d = {.last =
                          VALUES}; /* and the parent goes on, too          */
    ck_assert_int_eq(run_routines(host, &d), FINE);
}
END_TEST

START_TEST(child_of_a_child)
{
    expect(160, VALUES);
    ck_assert_child((duty_t){.last = VALUES, .generations = 2});
    ck_assert_child((duty_t){.handle = host, .last = VALUES, .generations = 2});
}
END_TEST

/* ---- a parent of many threads ----------------------------------------------- */

enum { ROUNDS = 4 };
typedef struct company {
    pthread_t thread;
    task_t task[ROUNDS];
    int result;
} company_t;

static pthread_barrier_t at_work;

static void *compute(void *data)
{
    company_t *const c = data;
    gsvd_handle_t h;
    pthread_barrier_wait(&at_work);
    c->result = create(&h) != GSVD_SUCCESS;
    for (int round = 0; round < ROUNDS && c->result == FINE; ++round)
        c->result = run_as_expected(h, VALUES, &c->task[round]);
    gsvd_destroy(h);
    return NULL;
}

/* Others compute while one forks: values alone by sweeps, a sweep most of the time.  (The
 * BLAS's own threads may not be at work then; the test has one.  Nor may another thread be
 * within the BLAS: OpenBLAS 0.3.21 has a lock for its memory, and a child that is born
 * with it taken waits for ever.) */
START_TEST(while_others_compute)
{
    enum { OTHERS = 3, CHILDREN = 4 };
    company_t other[OTHERS] = {0};
    way = GSVD_SVD_JACOBI;
    if (host)
        ck_assert_ok(gsvd_set_option(host, GSVD_SVD, way));
    expect(160, VALUES);
    pthread_barrier_init(&at_work, NULL, OTHERS + 1);
    for (int i = 0; i < OTHERS; ++i) {
        for (int round = 0; round < ROUNDS; ++round)
            other[i].task[round] = new_call(VALUES);
        ck_assert_int_eq(
            pthread_create(&other[i].thread, NULL, compute, &other[i]), 0);
    }
    pthread_barrier_wait(&at_work);
    for (int i = 0; i < CHILDREN; ++i)
        ck_assert_child((duty_t){.handle = i % 2 ? host : NULL,
                                 .last = TASK_GSVD,
                                 .generations = i / 2});
    for (int i = 0; i < OTHERS; ++i) {
        ck_assert_int_eq(pthread_join(other[i].thread, NULL), 0);
        ck_assert_int_eq(other[i].result, FINE);
    }
    pthread_barrier_destroy(&at_work);
    way = GSVD_SVD_AUTO;
    ck_assert_ok(gsvd_set_option(host, GSVD_SVD, way));
}
END_TEST

/* ---- a handle on a device --------------------------------------------------- */

static int use_the_device_s_handle(void *data)
{
    duty_t *const d = data;
    task_t t = new_call(VALUES);
    gsvd_handle_t h;
    int where = 0;
    if (run(d->handle, VALUES, &t) != GSVD_DEVICE_FAILED ||
        !strstr(gsvd_last_error(d->handle), "fork"))
        return FAILED;
    if (gsvd_create(&h, GSVD_ANY) != GSVD_SUCCESS)
        return NO_HANDLE;
    if (gsvd_get_device(h, &where) != GSVD_SUCCESS || where != GSVD_HOST)
        return NOT_HOST;
    const int result = run_routines(h, d);
    (void)gsvd_destroy(d->handle); /* must end                               */
    return result != FINE ? result : (int)gsvd_destroy(h);
}

START_TEST(device)
{
    if (!on_device)
        return;
    expect(160, VALUES);
    duty_t d = {.handle = handle, .last = VALUES};
    task_t t = new_call(TASK_GSVD);
    ck_assert_int_eq(run(handle, TASK_GSVD, &t), GSVD_SUCCESS);
    ck_assert_int_eq(fork_and_wait(use_the_device_s_handle, &d), FINE);
    t = new_call(TASK_GSVD);
    ck_assert_int_eq(run(handle, TASK_GSVD, &t), GSVD_SUCCESS);
}
END_TEST

/* ---- a library that was opened ---------------------------------------------- */

typedef struct opened {
    void *library;
    __typeof__(&gsvd_create) create;
    __typeof__(&gsvd_destroy) destroy;
    __typeof__(&gsvd_run) run;
} opened_t;

static int find(const opened_t *o, const char *name, void *function)
{
    void *const address = dlsym(o->library, name);
    memcpy(function, &address, sizeof address);
    return address != NULL;
}

/* the shared library, which lies where it does beside this program */
static void *open_shared(void)
{
    const char *const slash = strrchr(argument[0], '/');
    const int folder = slash ? (int)(slash - argument[0]) + 1 : 0;
    char path[4096];
    snprintf(path, sizeof path, "%.*s%s", folder, argument[0], GSVD_SHARED);
    return dlopen(path, RTLD_NOW | RTLD_LOCAL);
}

/* opens, decomposes, closes: 0 if the result is the expected one */
static int open_and_close(void *data)
{
    task_t *const t = data;
    opened_t o = {.library = open_shared()};
    gsvd_handle_t h;
    if (!o.library || !find(&o, "gsvd_create", &o.create) ||
        !find(&o, "gsvd_destroy", &o.destroy) ||
        !find(&o, "gsvd_run", &o.run) ||
        o.create(&h, GSVD_HOST) != GSVD_SUCCESS)
        return NO_HANDLE;
    gsvd_problem_t p = problem_of_task(letter(), t);
    p.info = &t->info;
    if (o.run(h, &p) != GSVD_SUCCESS)
        return FAILED;
    (void)o.destroy(h);
    if (dlclose(o.library) != 0)
        return NO_HANDLE;
    return other_result(t, &expected[TASK_GSVD]) ? DIFFERS : FINE;
}

START_TEST(opened_and_closed)
{
    if (*GSVD_SHARED == '\0')
        return;
    expect(160, TASK_GSVD);
    task_t x = new_call(TASK_GSVD);
    ck_assert_int_eq(open_and_close(&x), FINE);
    x = new_call(TASK_GSVD);
    ck_assert_int_eq(fork_and_wait(open_and_close, &x), FINE);
    void *const open = open_shared();
    ck_assert_ptr_nonnull(open);
    ck_assert_int_eq(fork_and_wait(open_and_close, &x), FINE);
    ck_assert_int_eq(dlclose(open), 0);
}
END_TEST

static void forget(void)
{
    gsvd_destroy(host);
    host = NULL;
}

/* the sanitizer's allocator has locks that a fork leaves locked */
#ifdef __SANITIZE_ADDRESS__
enum { SANITIZED = 1 };
#else
enum { SANITIZED = 0 };
#endif

Suite *make_suite(void)
{
    Suite *s = suite_create("fork");
    TCase *t = add_tcase(s, "fork");
    tcase_add_checked_fixture(t, NULL, forget);
    tcase_add_loop_test(t, each_routine, 0, 2);
    tcase_add_test(t, child_of_a_child);
    tcase_add_test(t, opened_and_closed);
    tcase_add_test(t, device);
    if (!SANITIZED && getenv("OPENBLAS_NUM_THREADS") &&
        atoi(getenv("OPENBLAS_NUM_THREADS")) == 1)
        tcase_add_test(t, while_others_compute);
    return s;
}
