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

#include "harness/harness.h"

enum { DEADLINE = 100 /* seconds */ };

/* ---- every routine ---------------------------------------------------------- */

typedef struct arrays {
    mat_t A, B, U, V, Q;
    scalar_t *tau;
    real_t *alpha, *beta;
    int64_t *jpvt, k, l;
} arrays_t;

static mat_t A0, B0; /* the pair                                             */

static void set(mat_t to, mat_t from)
{
    for (int64_t j = 0; j < from.cols; ++j)
        memcpy(&AT(to, 0, j), &AT(from, 0, j),
               (size_t)from.rows * sizeof(scalar_t));
}

static arrays_t new_arrays(void)
{
    const int64_t n = A0.rows;
    arrays_t x = {.A = new_mat(n, n),
                  .B = new_mat(n, n),
                  .U = new_mat(n, n),
                  .V = new_mat(n, n),
                  .Q = new_mat(n, n)};
    x.tau = grab((size_t)n * sizeof *x.tau);
    x.alpha = grab((size_t)n * sizeof *x.alpha);
    x.beta = grab((size_t)n * sizeof *x.beta);
    x.jpvt = grab((size_t)n * sizeof *x.jpvt);
    return x;
}

enum { WHOLE, VALUES, HALVES, QR, GEQP, URV, TGSJA, ROUTINES };

static gsvd_status_t run_pair(gsvd_handle_t h, arrays_t *x, char u, char v,
                              char q)
{
    const int64_t n = A0.rows;
    set(x->B, B0);
    return GSVD_ENTRY(h, u, v, q, n, n, n, &x->k, &x->l, x->A.data, x->A.ld,
                      x->B.data, x->B.ld, x->alpha, x->beta, x->U.data, x->U.ld,
                      x->V.data, x->V.ld, x->Q.data, x->Q.ld, NULL);
}

static gsvd_status_t run_halves(gsvd_handle_t h, arrays_t *x)
{
    const int64_t n = A0.rows;
    set(x->B, B0);
    GSVD_TRY(X(preprocess)(h, 'U', 'V', 'Q', n, n, n, x->A.data, x->A.ld,
                           x->B.data, x->B.ld, -1, -1, &x->k, &x->l, x->U.data,
                           x->U.ld, x->V.data, x->V.ld, x->Q.data, x->Q.ld,
                           NULL));
    return X(solve)(h, 'U', 'V', 'Q', n, n, n, x->k, x->l, x->A.data, x->A.ld,
                    x->B.data, x->B.ld, -1, -1, x->alpha, x->beta, x->U.data,
                    x->U.ld, x->V.data, x->V.ld, x->Q.data, x->Q.ld, NULL);
}

/* A's QR; U := Q; V := Q^H B */
static gsvd_status_t run_qr(gsvd_handle_t h, arrays_t *x)
{
    const int64_t n = A0.rows;
    set(x->V, B0);
    GSVD_TRY(X(qr)(h, n, n, x->A.data, x->A.ld, x->tau, NULL));
    set(x->U, x->A);
    GSVD_TRY(X(qr_apply)(h, 'L', 'C', n, n, n, x->A.data, x->A.ld, x->tau,
                         x->V.data, x->V.ld, NULL));
    return X(qr_form)(h, n, n, n, x->U.data, x->U.ld, x->tau, NULL);
}

static gsvd_status_t run(gsvd_handle_t h, int routine, arrays_t *x)
{
    const int64_t n = A0.rows;
    GSVD_TRY(gsvd_set_option(h, GSVD_SOLVER,
                             routine == TGSJA ? GSVD_SOLVER_TGSJA
                                              : GSVD_SOLVER_AUTO));
    set(x->A, A0);
    switch (routine) {
    case VALUES: return run_pair(h, x, 'N', 'N', 'N');
    case HALVES: return run_halves(h, x);
    case QR: return run_qr(h, x);
    case GEQP:
        return X(geqp)(h, n, n, x->A.data, x->A.ld, x->jpvt, x->tau, -1, &x->k,
                       NULL);
    case URV:
        return X(urv)(h, 'U', 'V', n, n, x->A.data, x->A.ld, -1, &x->k,
                      x->U.data, x->U.ld, x->V.data, x->V.ld, NULL);
    default: return run_pair(h, x, 'U', 'V', 'Q');
    }
}

static int same(const void *x, const void *y, int64_t count, size_t each)
{
    return memcmp(x, y, (size_t)count * each) == 0;
}

/* all that was written, and the rest as new_mat left it */
static int same_arrays(const arrays_t *x, const arrays_t *y)
{
    const int64_t n = A0.rows, all = x->A.ld * n;
    return x->k == y->k && x->l == y->l &&
           same(x->A.data, y->A.data, all, sizeof(scalar_t)) &&
           same(x->B.data, y->B.data, all, sizeof(scalar_t)) &&
           same(x->U.data, y->U.data, all, sizeof(scalar_t)) &&
           same(x->V.data, y->V.data, all, sizeof(scalar_t)) &&
           same(x->Q.data, y->Q.data, all, sizeof(scalar_t)) &&
           same(x->tau, y->tau, n, sizeof *x->tau) &&
           same(x->alpha, y->alpha, n, sizeof *x->alpha) &&
           same(x->beta, y->beta, n, sizeof *x->beta) &&
           same(x->jpvt, y->jpvt, n, sizeof *x->jpvt);
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

static arrays_t expected[ROUTINES]; /* the host's results                    */

typedef struct task {
    gsvd_handle_t handle; /* the parent's, or NULL                           */
    arrays_t scratch;
    int first, last; /* routines                                             */
    int generations; /* that the child has below it                          */
} task_t;

enum { FINE, NO_HANDLE, NOT_HOST, FAILED, DIFFERS, BELOW = 16 };

/* What handles of this program compute by: large steps are calls of the BLAS, most of the
 * time. */
static gsvd_svd_option_t way = GSVD_SVD_AUTO;

static gsvd_status_t create(gsvd_handle_t *h)
{
    const gsvd_status_t status = gsvd_create(h, GSVD_HOST);
    return status == GSVD_SUCCESS ? gsvd_set_option(*h, GSVD_SVD, way) : status;
}

static int run_routines(gsvd_handle_t h, task_t *t)
{
    for (int i = t->first; i <= t->last; ++i) {
        t->scratch = new_arrays();
        if (run(h, i, &t->scratch) != GSVD_SUCCESS)
            return FAILED;
        if (!same_arrays(&t->scratch, &expected[i]))
            return DIFFERS;
    }
    return FINE;
}

static int go_on(void *data)
{
    task_t *const t = data;
    gsvd_handle_t h = t->handle;
    if (!h && create(&h) != GSVD_SUCCESS)
        return NO_HANDLE;
    int result = run_routines(h, t);
    if (result == FINE && t->generations-- > 0)
        result = fork_and_wait(go_on, t) ? BELOW : FINE;
    return result != FINE ? result : (int)gsvd_destroy(h);
}

static gsvd_handle_t host; /* has computed `expected`                        */

static void expect(int64_t order, int last)
{
    uint64_t seed = (uint64_t)order;
    A0 = normal_mat(order, order, &seed);
    B0 = normal_mat(order, order, &seed);
    if (!host)
        ck_assert_ok(create(&host));
    for (int i = 0; i <= last; ++i) {
        expected[i] = new_arrays();
        ck_assert_int_eq(run(host, i, &expected[i]), GSVD_SUCCESS);
    }
}

static void ck_assert_child(task_t t)
{
    ck_assert_int_eq(fork_and_wait(go_on, &t), FINE);
}

/* each routine is a child's first call once, through a handle of its own or through
 * the parent's */
START_TEST(each_routine)
{
    expect(_i ? 176 : 160, TGSJA);
    for (int i = 0; i < ROUTINES; ++i)
        ck_assert_child(
            (task_t){.handle = _i ? host : NULL, .first = i, .last = i});
    task_t t = {.last = URV}; /* and the parent goes on, too                 */
    ck_assert_int_eq(run_routines(host, &t), FINE);
}
END_TEST

START_TEST(child_of_a_child)
{
    expect(160, URV);
    ck_assert_child((task_t){.last = URV, .generations = 2});
    ck_assert_child((task_t){.handle = host, .last = URV, .generations = 2});
}
END_TEST

/* ---- a parent of many threads ----------------------------------------------- */

typedef struct company {
    pthread_t thread;
    task_t task;
    int result;
} company_t;

static pthread_barrier_t at_work;

static void *compute(void *data)
{
    company_t *const c = data;
    gsvd_handle_t h;
    pthread_barrier_wait(&at_work);
    c->result = create(&h) != GSVD_SUCCESS;
    for (int round = 0; round < 4 && c->result == FINE; ++round)
        c->result = run_routines(h, &c->task);
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
        other[i].task = (task_t){.first = VALUES, .last = VALUES};
        ck_assert_int_eq(
            pthread_create(&other[i].thread, NULL, compute, &other[i]), 0);
    }
    pthread_barrier_wait(&at_work);
    for (int i = 0; i < CHILDREN; ++i)
        ck_assert_child((task_t){.handle = i % 2 ? host : NULL,
                                 .last = WHOLE,
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
    task_t *const t = data;
    gsvd_handle_t h;
    int where = 0;
    if (run(t->handle, WHOLE, &t->scratch) != GSVD_DEVICE_FAILED ||
        !strstr(gsvd_last_error(t->handle), "fork"))
        return FAILED;
    if (gsvd_create(&h, GSVD_ANY) != GSVD_SUCCESS)
        return NO_HANDLE;
    if (gsvd_get_device(h, &where) != GSVD_SUCCESS || where != GSVD_HOST)
        return NOT_HOST;
    t->last = URV;
    const int result = run_routines(h, t);
    (void)gsvd_destroy(t->handle); /* must end                               */
    return result != FINE ? result : (int)gsvd_destroy(h);
}

START_TEST(device)
{
    if (!on_device)
        return;
    expect(160, URV);
    task_t t = {.handle = handle, .scratch = new_arrays()};
    ck_assert_int_eq(run(handle, WHOLE, &t.scratch), GSVD_SUCCESS);
    ck_assert_int_eq(fork_and_wait(use_the_device_s_handle, &t), FINE);
    ck_assert_int_eq(run(handle, WHOLE, &t.scratch), GSVD_SUCCESS);
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
    const int64_t n = A0.rows;
    arrays_t *const x = data;
    opened_t o = {.library = open_shared()};
    gsvd_handle_t h;
    if (!o.library || !find(&o, "gsvd_create", &o.create) ||
        !find(&o, "gsvd_destroy", &o.destroy) ||
        !find(&o, "gsvd_run", &o.run) ||
        o.create(&h, GSVD_HOST) != GSVD_SUCCESS)
        return NO_HANDLE;
    set(x->A, A0);
    set(x->B, B0);
    gsvd_problem_t p = new_problem(GSVD_ROUTINE_GSVD, HOST, "UVQ", n, n, n);
    p.A = as_array(x->A);
    p.B = as_array(x->B);
    p.U = as_array(x->U);
    p.V = as_array(x->V);
    p.Q = as_array(x->Q);
    p.alpha.data = x->alpha;
    p.beta.data = x->beta;
    p.k_out = &x->k;
    p.l_out = &x->l;
    if (o.run(h, &p) != GSVD_SUCCESS)
        return FAILED;
    (void)o.destroy(h);
    if (dlclose(o.library) != 0)
        return NO_HANDLE;
    return same_arrays(x, &expected[WHOLE]) ? FINE : DIFFERS;
}

START_TEST(opened_and_closed)
{
    if (*GSVD_SHARED == '\0')
        return;
    expect(160, WHOLE);
    arrays_t x = new_arrays();
    ck_assert_int_eq(open_and_close(&x), FINE);
    x = new_arrays();
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
