/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* test_team.c -- the threads of a sweep: what they do is what one does alone, and
 * a decomposition has the same bits whatever their number.
 *
 * CTest runs it again with OMP_PROC_BIND, where each thread has its place, and with
 * OMP_THREAD_LIMIT.
 */
#define _GNU_SOURCE /* pthread_getaffinity_np, RLIMIT_AS */
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <sys/resource.h>
#include <time.h>

#include "harness/harness.h"
#include "jacobi/ordering.h"
#include "jacobi/team.h"

#if defined _OPENMP
#include <omp.h>
#endif

enum { MOST = 37, DEADLINE = 20 /* seconds */ };

/* ---- the meetings ----------------------------------------------------------- */

/* Everybody has a number; two who meet mix theirs, so that it tells with whom one
 * has met, and in which order. */
typedef struct crowd {
    uint64_t number[MOST];
    int busy[MOST]; /* each of one meeting at a time                         */
    int met[MOST][MOST];
    int slow; /* number 0 keeps the others waiting: all that they may do before
                 it, they do                                                 */
} crowd_t;

static uint64_t mix(uint64_t x, uint64_t y)
{
    return (x ^ (x >> 29)) * 0xbf58476d1ce4e5b9U +
           (y ^ (y >> 31)) * 0x94d049bb133111ebU + 1;
}

static int64_t mix_both(const void *data, int64_t P, int64_t Q)
{
    crowd_t *const c = *(crowd_t *const *)data;
    const uint64_t p = c->number[P], q = c->number[Q];
    if (P > Q || c->busy[P]++ || (P != Q && c->busy[Q]++))
        return INT64_MIN / 2;
    if (c->slow && P == 0)
        nanosleep(&(struct timespec){0, 200000}, NULL);
    c->number[P] = mix(p, q);
    if (P != Q)
        c->number[Q] = mix(q, p);
    ++c->met[P][Q];
    c->busy[P] = c->busy[Q] = 0;
    return (int64_t)(p % 1000);
}

static crowd_t *new_crowd(int slow)
{
    crowd_t *const c = grab(sizeof *c);
    memset(c, 0, sizeof *c);
    for (int i = 0; i < MOST; ++i)
        c->number[i] = (uint64_t)i;
    c->slow = slow;
    return c;
}

static void ck_assert_like_alone(int64_t n, int threads)
{
    crowd_t *const one = new_crowd(0), *const many = new_crowd(1);
    const int64_t expected = gsvd_meetings(n, mix_both, &one, 1);
    ck_assert_int_ge(expected, 0);
    ck_assert_int_eq(gsvd_meetings(n, mix_both, &many, threads), expected);
    ck_assert_mem_eq(one->number, many->number, sizeof one->number);
    for (int64_t p = 0; p < n; ++p)
        for (int64_t q = p + 1; q < n; ++q)
            ck_assert_int_eq(many->met[p][q], 1);
}

START_TEST(like_alone)
{
    static const int threads[] = {0, 1, 2, 3, 5, 64};
    for (int64_t n = 1; n <= MOST; n += n < 6 ? 1 : 5)
        for (int i = 0; i < 6; ++i) {
            ck_assert_like_alone(n, threads[i]);
            release_pool();
        }
}
END_TEST

/* Two meetings wait for each other; each thread says what it may. */
typedef struct rendezvous {
    pthread_mutex_t lock;
    pthread_cond_t here;
    pthread_t caller;
    int waiting, strangers, signals; /* open to another thread than ours     */
    cpu_set_t cores[2];
} rendezvous_t;

static int64_t wait_for_another(const void *data, int64_t P, int64_t Q)
{
    rendezvous_t *const r = *(rendezvous_t *const *)data;
    struct timespec until;
    sigset_t mask;
    int late = 0;
    (void)P;
    (void)Q;

    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_sec += DEADLINE;
    pthread_sigmask(SIG_SETMASK, NULL, &mask);
    pthread_mutex_lock(&r->lock);
    if (r->waiting < 2) {
        pthread_getaffinity_np(pthread_self(), sizeof *r->cores,
                               &r->cores[r->waiting++]);
        const int stranger = !pthread_equal(pthread_self(), r->caller);
        r->strangers += stranger;
        r->signals += stranger && !sigismember(&mask, SIGALRM);
        pthread_cond_broadcast(&r->here);
        while (r->waiting < 2 && !late)
            late = pthread_cond_timedwait(&r->here, &r->lock, &until);
    }
    pthread_mutex_unlock(&r->lock);
    return late != 0;
}

START_TEST(at_the_same_time)
{
    rendezvous_t here = {.lock = PTHREAD_MUTEX_INITIALIZER,
                         .here = PTHREAD_COND_INITIALIZER,
                         .caller = pthread_self()};
    rendezvous_t *const r = &here;
    sigset_t before, after;

    pthread_sigmask(SIG_SETMASK, NULL, &before);
    ck_assert_int_eq(gsvd_meetings(4, wait_for_another, &r, 2), 0);
    ck_assert_int_eq(r->strangers, 1);
    ck_assert_int_eq(r->signals, 0);
    pthread_sigmask(SIG_SETMASK, NULL, &after);
    ck_assert_int_eq(sigismember(&after, SIGALRM),
                     sigismember(&before, SIGALRM));
#if defined _OPENMP
    if (omp_get_proc_bind() != omp_proc_bind_false && omp_get_num_places() > 1)
        ck_assert(!CPU_EQUAL(&r->cores[0], &r->cores[1]));
#endif
}
END_TEST

/* where no thread and perhaps no memory is to be had, the caller does it alone */
START_TEST(no_threads)
{
#if !defined GSVD_NO_CLONES /* a sanitizer needs memory itself */
    struct rlimit before, none;
    crowd_t *const one = new_crowd(0), *const many = new_crowd(0);
    gsvd_meetings(MOST, mix_both, &one, 1);
    ck_assert_int_eq(getrlimit(RLIMIT_AS, &before), 0);
    none = before;
    none.rlim_cur = 1;
    ck_assert_int_eq(setrlimit(RLIMIT_AS, &none), 0);
    gsvd_meetings(MOST, mix_both, &many, 8);
    ck_assert_int_eq(setrlimit(RLIMIT_AS, &before), 0);
    ck_assert_mem_eq(one->number, many->number, sizeof one->number);
#endif
}
END_TEST

START_TEST(as_many_as_openmp_says)
{
#if defined _OPENMP
    const int before = omp_get_max_threads();
    int inside[2] = {0};
    omp_set_num_threads(3);
    ck_assert_int_eq(gsvd_threads(),
                     omp_get_thread_limit() < 3 ? omp_get_thread_limit() : 3);
#pragma omp parallel num_threads(2)
    inside[omp_get_thread_num()] = gsvd_threads();
    ck_assert_int_eq(inside[0], 1);
    ck_assert(inside[1] == 1 || omp_get_thread_limit() < 2);
    omp_set_num_threads(before);
#else
    ck_assert_int_eq(gsvd_threads(), 1);
#endif
}
END_TEST

/* ---- a decomposition -------------------------------------------------------- */

static void use_threads(int count)
{
#if defined _OPENMP
    omp_set_num_threads(count);
#else
    (void)count;
#endif
}

/* orders beyond which a sweep has threads, and an odd number of blocks */
START_TEST(same_bits)
{
    static const recipe_t c[] = {{160, 160, 160, NORMAL, -1, -1, 0, 0},
                                 {290, 210, 250, RANKS, 40, 150, 0, 0}};
    const sample_t P = make_pair(&c[_i], 7);
    use_threads(1);
    const result_t one = decompose(HOST, 'U', 'V', 'Q', P.A, P.B);
    const result_t values = decompose(HOST, 'N', 'N', 'N', P.A, P.B);
    for (int threads = 2; threads <= 7; threads += 1 + threads / 3) {
        use_threads(threads);
        const result_t r = decompose(HOST, 'U', 'V', 'Q', P.A, P.B);
        ck_assert_same(r.U, one.U);
        ck_assert_same(r.V, one.V);
        ck_assert_same(r.Q, one.Q);
        ck_assert_same(r.A, one.A);
        ck_assert_same(r.B, one.B);
        const size_t bytes = (size_t)c[_i].n * sizeof(real_t);
        ck_assert_mem_eq(r.alpha, one.alpha, bytes);
        ck_assert_mem_eq(r.beta, one.beta, bytes);
        const result_t v = decompose(HOST, 'N', 'N', 'N', P.A, P.B);
        ck_assert_mem_eq(v.alpha, values.alpha, bytes);
        ck_assert_mem_eq(v.beta, values.beta, bytes);
    }
    use_threads(1);
}
END_TEST

/* and so has an SVD by blocks of columns */
START_TEST(same_bits_by_blocks)
{
    const int64_t n = 260;
    uint64_t seed = 8;
    const mat_t A = normal_mat(n, n, &seed);
    mat_t U[2], V[2];
    ck_assert_ok(gsvd_set_option(handle, GSVD_SVD, GSVD_SVD_JACOBI));
    for (int threads = 1; threads <= 5; threads += 2) {
        const int i = threads > 1;
        const mat_t C = copy_mat(A);
        real_t *const sigma = grab((size_t)n * sizeof *sigma);
        int info;
        use_threads(threads);
        U[i] = new_mat(n, n);
        V[i] = new_mat(n, n);
        ck_assert_ok(X(svd)(handle, 'U', 'V', n, n, C.data, C.ld, sigma,
                            U[i].data, U[i].ld, V[i].data, V[i].ld, &info));
        if (threads > 1) {
            ck_assert_same(U[1], U[0]);
            ck_assert_same(V[1], V[0]);
        }
    }
    use_threads(1);
    reset_options();
}
END_TEST

Suite *make_suite(void)
{
    Suite *s = suite_create("team");
    TCase *t = add_tcase(s, "team");
    tcase_add_test(t, like_alone);
    tcase_add_test(t, at_the_same_time);
    tcase_add_test(t, no_threads);
    tcase_add_test(t, as_many_as_openmp_says);
    tcase_add_loop_test(t, same_bits, 0, 2);
    tcase_add_test(t, same_bits_by_blocks);
    return s;
}
