/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* test_threads.c -- eight threads with a handle each, on one device: every routine,
 * at sizes that differ between them, gives the bits that it gives alone. */
#include <pthread.h>
#include <stdio.h>

#include "harness/harness.h"

enum { THREADS = 8, SPACE = 256 };

/* What one thread does.  The sums are over the bytes of each result. */
enum {
    QR,
    QR_FORM,
    QR_APPLY,
    QR_R,
    TALL_R,
    GEQP,
    URV,
    HSVD,
    LDL,
    GSVD,
    HALVES,
    ROUTINES
};
static const char *const routine[ROUTINES] = {
    "qr",  "qr_form", "qr_apply", "qr, no tau", "qr, tall, no tau",    "geqp",
    "urv", "hsvd",    "ldl",      "gsvd",       "preprocess and solve"};

typedef struct work {
    void (*body)(struct work *);
    int number, rounds;
    gsvd_handle_t h;
    uint64_t seed;
    uint64_t sum[ROUTINES];
    const uint64_t *alone; /* the sums that it has to have, or NULL          */
    char failed[SPACE];    /* what, first                                    */
    pthread_barrier_t *start;
} work_t;

/* around the widths of panels, and of blocks of reflectors on a GPU: 64, 128 */
static const shape_t own_shape[THREADS] = {
    {30, 24, 20},   {70, 65, 40},  {90, 100, 110},  {150, 128, 60},
    {64, 200, 100}, {129, 97, 33}, {200, 136, 150}, {48, 48, 48},
};

static shape_t shape_of(int number)
{
    shape_t s = own_shape[number % THREADS];
    while (too_large(s.m, s.n, s.p)) {
        s.m = (s.m + 1) / 2;
        s.n = (s.n + 1) / 2;
        s.p = (s.p + 1) / 2;
    }
    return s;
}

/* -- a thread's own tools: Check's assertions are the main thread's ------------ */

static mat_t zeros(int64_t rows, int64_t cols)
{
    const size_t n = (size_t)max_i(1, rows * cols);
    return mat_view(calloc(n, sizeof(scalar_t)), rows, cols, max_i(1, rows));
}

static mat_t numbers(work_t *w, int64_t rows, int64_t cols)
{
    const mat_t A = zeros(rows, cols);
    for (int64_t j = 0; j < cols; ++j)
        for (int64_t i = 0; i < rows; ++i)
            AT(A, i, j) = random_normal_scalar(&w->seed);
    return A;
}

/* FNV-1a, goes on from sum */
static uint64_t sum_of(uint64_t sum, const void *data, size_t bytes)
{
    const unsigned char *const x = data;
    for (size_t i = 0; i < bytes; ++i)
        sum = (sum ^ x[i]) * 0x100000001b3u;
    return sum;
}

/* A is among the results of a routine, and freed. */
static void result(work_t *w, int what, mat_t A)
{
    const size_t bytes = (size_t)(A.rows * A.cols) * sizeof(scalar_t);
    w->sum[what] = sum_of(w->sum[what], A.data, bytes);
    free(A.data);
}

static void check(work_t *w, int what, gsvd_status_t status, int info)
{
    if ((status != GSVD_SUCCESS || info != 0) && !w->failed[0])
        snprintf(w->failed, SPACE, "thread %d, %s: %s, info %d; %.120s",
                 w->number, routine[what], gsvd_status_name(status), info,
                 gsvd_last_error(w->h));
}

/* -- the routines --------------------------------------------------------------- */

static void run_qr(work_t *w, int64_t m, int64_t n)
{
    const int64_t r = min_i(m, n);
    const mat_t A = numbers(w, m, n), tau = zeros(r, 1), Q = zeros(m, r);
    const mat_t C = numbers(w, m, 5);
    int info = 0;

    check(w, QR, X(qr)(w->h, m, n, A.data, A.ld, tau.data, &info), info);
    for (int64_t j = 0; j < r; ++j)
        memcpy(&AT(Q, 0, j), &AT(A, 0, j), (size_t)m * sizeof(scalar_t));
    check(w, QR_FORM, X(qr_form)(w->h, m, r, r, Q.data, Q.ld, tau.data, &info),
          info);
    check(w, QR_APPLY,
          X(qr_apply)(w->h, 'L', 'C', m, 5, r, A.data, A.ld, tau.data, C.data,
                      C.ld, &info),
          info);
    result(w, QR, A);
    result(w, QR, tau);
    result(w, QR_FORM, Q);
    result(w, QR_APPLY, C);
}

static void run_r(work_t *w, int what, int64_t m, int64_t n)
{
    const mat_t A = numbers(w, m, n);
    int info = 0;
    check(w, what, X(qr)(w->h, m, n, A.data, A.ld, NULL, &info), info);
    result(w, what, A);
}

static void run_geqp(work_t *w, int64_t m, int64_t n)
{
    const mat_t A = numbers(w, m, n), tau = zeros(min_i(m, n), 1);
    const size_t bytes = (size_t)n * sizeof(int64_t);
    int64_t *const jpvt = calloc(1, bytes), rank = 0;
    int info = 0;

    check(w, GEQP,
          X(geqp)(w->h, m, n, A.data, A.ld, jpvt, tau.data, -1, &rank, &info),
          info);
    w->sum[GEQP] = sum_of(w->sum[GEQP], jpvt, bytes);
    w->sum[GEQP] = sum_of(w->sum[GEQP], &rank, sizeof rank);
    result(w, GEQP, A);
    result(w, GEQP, tau);
    free(jpvt);
}

static void run_urv(work_t *w, int64_t m, int64_t n)
{
    const int64_t r = min_i(m, n);
    const mat_t A = numbers(w, m, n), U = zeros(m, r), V = zeros(n, r);
    int64_t rank = 0;
    int info = 0;

    check(w, URV,
          X(urv)(w->h, 'S', 'S', m, n, A.data, A.ld, -1, &rank, U.data, U.ld,
                 V.data, V.ld, &info),
          info);
    w->sum[URV] = sum_of(w->sum[URV], &rank, sizeof rank);
    result(w, URV, A);
    result(w, URV, U);
    result(w, URV, V);
}

/* Every third column has sign -1. */
static void run_hsvd(work_t *w, int64_t m, int64_t n)
{
    const mat_t A = numbers(w, m, n), U = zeros(m, n), V = zeros(n, n);
    const size_t bytes = (size_t)n * sizeof(real_t);
    int64_t *const J = calloc((size_t)n, sizeof *J);
    real_t *const sigma = calloc(1, bytes);
    int info = 0;

    for (int64_t j = 0; j < n; ++j)
        J[j] = j % 3 == 2 ? -1 : 1;
    check(w, HSVD,
          X(hsvd)(w->h, 'S', 'V', m, n, n - n / 3, A.data, A.ld, J, sigma,
                  U.data, U.ld, V.data, V.ld, &info),
          info);
    w->sum[HSVD] = sum_of(w->sum[HSVD], sigma, bytes);
    result(w, HSVD, A);
    result(w, HSVD, U);
    result(w, HSVD, V);
    free(J);
    free(sigma);
}

static void run_ldl(work_t *w, int64_t n)
{
    const mat_t A = numbers(w, n, n), L = zeros(n, n), D = zeros(2, n);
    int64_t *const jpvt = calloc((size_t)n, sizeof *jpvt), rank[2] = {0, 0};
    int info = 0;

    check(w, LDL,
          X(ldl)(w->h, 'L', 'U', n, A.data, A.ld, -1, rank, rank + 1, L.data,
                 L.ld, D.data, D.ld, NULL, jpvt, &info),
          info);
    w->sum[LDL] = sum_of(w->sum[LDL], rank, sizeof rank);
    w->sum[LDL] = sum_of(w->sum[LDL], jpvt, (size_t)n * sizeof *jpvt);
    result(w, LDL, L);
    result(w, LDL, D);
    free(A.data);
    free(jpvt);
}

/* Either in one call or in two */
static void run_gsvd(work_t *w, int what, shape_t s)
{
    const int64_t m = s.m, n = s.n, p = s.p;
    const mat_t A = numbers(w, m, n), B = numbers(w, p, n), U = zeros(m, m);
    const mat_t V = zeros(p, p), Q = zeros(n, n);
    const size_t bytes = 2 * (size_t)n * sizeof(real_t);
    real_t *const alpha = calloc(1, bytes), *const beta = alpha + n;
    int64_t rank[2] = {0, 0};
    int info = 0;

    if (what == GSVD) {
        check(w, what,
              GSVD_ENTRY(w->h, 'U', 'V', 'Q', m, n, p, rank, rank + 1, A.data,
                         A.ld, B.data, B.ld, alpha, beta, U.data, U.ld, V.data,
                         V.ld, Q.data, Q.ld, &info),
              info);
    } else {
        check(w, what,
              X(preprocess)(w->h, 'U', 'V', 'Q', m, p, n, A.data, A.ld, B.data,
                            B.ld, -1, -1, rank, rank + 1, U.data, U.ld, V.data,
                            V.ld, Q.data, Q.ld, &info),
              info);
        check(w, what,
              X(solve)(w->h, 'U', 'V', 'Q', m, p, n, rank[0], rank[1], A.data,
                       A.ld, B.data, B.ld, -1, -1, alpha, beta, U.data, U.ld,
                       V.data, V.ld, Q.data, Q.ld, &info),
              info);
    }
    w->sum[what] = sum_of(w->sum[what], rank, sizeof rank);
    w->sum[what] = sum_of(w->sum[what], alpha, bytes);
    result(w, what, A);
    result(w, what, B);
    result(w, what, U);
    result(w, what, V);
    result(w, what, Q);
    free(alpha);
}

static void all_routines(work_t *w)
{
    const shape_t s = shape_of(w->number);
    run_qr(w, s.m, s.n);
    run_r(w, QR_R, s.m, s.n);
    run_r(w, TALL_R, 10 * s.m, min_i(s.n, 32));
    run_geqp(w, s.m, s.n);
    run_urv(w, s.p, s.n);
    run_hsvd(w, s.m, min_i(s.m, s.n));
    run_ldl(w, s.n);
    run_gsvd(w, GSVD, s);
    run_gsvd(w, HALVES, s);
}

/* one routine again and again, so that its launches meet those of other sizes */
static void many_sizes(work_t *w)
{
    for (int k = 0; k < 2 * THREADS; ++k) {
        const shape_t s = shape_of(w->number + k);
        run_qr(w, s.n, s.m + s.p);
    }
}

/* so large that a GPU makes the next panel in a queue of its own */
static void beside(work_t *w) { run_qr(w, 1600, 1400 + 8 * w->number); }

/* eigenvectors by two stages, whose chase is one cooperative launch on a GPU */
static void chases(work_t *w)
{
    tuning_t tune = *w->h->machine->tuning.GSVD_LETTER;
    machine_t machine = *w->h->machine;
    const machine_t *const given = w->h->machine;
    tune.two_stages = 1;
    machine.tuning.GSVD_LETTER = &tune;
    w->h->machine = &machine;
    run_hsvd(w, 190 + w->number, 150 + 5 * w->number);
    w->h->machine = given;
}

/* -- alone, and together ---------------------------------------------------------- */

static void rounds(work_t *w)
{
    for (int round = 0; round < w->rounds && !w->failed[0]; ++round) {
        w->seed = 1000 + (uint64_t)w->number;
        memset(w->sum, 0, sizeof w->sum);
        w->body(w);
        for (int k = 0; w->alone && k < ROUTINES && !w->failed[0]; ++k)
            if (w->sum[k] != w->alone[k])
                snprintf(w->failed, SPACE,
                         "thread %d, round %d, %s: other bits", w->number,
                         round, routine[k]);
    }
}

static void *thread(void *of)
{
    work_t *const w = of;
    gsvd_status_t status = gsvd_create(&w->h, handle->device);
    if (w->start)
        pthread_barrier_wait(w->start);
    if (status == GSVD_SUCCESS) {
        rounds(w);
        status = gsvd_destroy(w->h);
    }
    if (status != GSVD_SUCCESS && !w->failed[0])
        snprintf(w->failed, SPACE, "thread %d, its handle: %s", w->number,
                 gsvd_status_name(status));
    return NULL;
}

static void check_threads(void (*body)(work_t *), int count)
{
    work_t alone[THREADS] = {{NULL}}, together[THREADS] = {{NULL}};
    pthread_t id[THREADS];
    pthread_barrier_t start;

    for (int t = 0; t < THREADS; ++t) {
        alone[t].body = together[t].body = body;
        alone[t].number = together[t].number = t;
        alone[t].rounds = 1;
        together[t].rounds = quick ? 1 : count;
        together[t].alone = alone[t].sum;
        together[t].start = &start;
        (void)thread(&alone[t]);
        ck_assert_msg(!alone[t].failed[0], "alone: %s", alone[t].failed);
    }
    ck_assert_int_eq(pthread_barrier_init(&start, NULL, THREADS), 0);
    for (int t = 0; t < THREADS; ++t)
        ck_assert_int_eq(pthread_create(&id[t], NULL, thread, &together[t]), 0);
    for (int t = 0; t < THREADS; ++t)
        ck_assert_int_eq(pthread_join(id[t], NULL), 0);
    pthread_barrier_destroy(&start);
    for (int t = 0; t < THREADS; ++t)
        ck_assert_msg(!together[t].failed[0], "%s", together[t].failed);
}

START_TEST(every_routine) { check_threads(all_routines, on_device ? 5 : 1); }
END_TEST

START_TEST(one_routine) { check_threads(many_sizes, on_device ? 20 : 2); }
END_TEST

START_TEST(two_stages) { check_threads(chases, on_device ? 5 : 1); }
END_TEST

START_TEST(queues)
{
    if (on_device && !too_large(1600, 1500, 1))
        check_threads(beside, 2);
}
END_TEST

Suite *make_suite(void)
{
    Suite *s = suite_create("threads");
    TCase *t = add_tcase(s, "threads");
    tcase_add_test(t, every_routine);
    tcase_add_test(t, one_routine);
    tcase_add_test(t, two_stages);
    tcase_add_test(t, queues);
    return s;
}
