/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* team.c [1] -- the meetings of a sweep, by threads that end with the sweep.
 *
 * In each step of the ordering everybody has one meeting.  P and Q meet in step s
 * as soon as both have done with step s - 1, however far the others are.  So a thread
 * that the system does not run delays only those whom it keeps in a meeting.  A
 * thread that must wait sleeps: on a shared core a thread that spins takes the time of
 * the thread that it waits for.
 */
#define _GNU_SOURCE /* cpu_set_t, pthread_attr_setaffinity_np */
#include "jacobi/team.h"

#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>

#include "jacobi/ordering.h"

#if defined _OPENMP
#include <omp.h>
#endif

enum { MEETING = -1, NOBODY = -1 };

typedef struct team {
    meeting_t meet;
    const void *data;
    pthread_mutex_t lock;
    pthread_cond_t ready; /* Someone may meet, or no meeting is left.        */
    int64_t n;
    int64_t *step; /* everybody's next step, or MEETING                      */
    int64_t left;  /* meetings that are not done                             */
    int64_t sum;
} team_t;

/* The lower partner of the pair that is furthest behind, of those pairs of which both
 * are ready; or NOBODY */
static int64_t choose(const team_t *t)
{
    int64_t chosen = NOBODY;
    for (int64_t p = 0; p < t->n; ++p) {
        const int64_t s = t->step[p];
        if (s == MEETING || s == ordering_steps(t->n))
            continue;
        const int64_t q = ordering_partner(t->n, s, p);
        if (p <= q && t->step[q] == s &&
            (chosen == NOBODY || s < t->step[chosen]))
            chosen = p;
    }
    return chosen;
}

static void *work(void *data)
{
    team_t *const t = data;
    int64_t sum = 0;

    pthread_mutex_lock(&t->lock);
    while (t->left > 0) {
        const int64_t p = choose(t);
        if (p == NOBODY) {
            pthread_cond_wait(&t->ready, &t->lock);
            continue;
        }
        const int64_t s = t->step[p], q = ordering_partner(t->n, s, p);
        t->step[p] = t->step[q] = MEETING;
        pthread_mutex_unlock(&t->lock);
        sum += t->meet(t->data, p, q);
        pthread_mutex_lock(&t->lock);
        t->step[p] = t->step[q] = s + 1;
        --t->left;
        /* P and Q may both be ready for another meeting: this thread holds one,
         * and another thread is woken for the other. */
        pthread_cond_signal(&t->ready);
    }
    pthread_cond_broadcast(&t->ready);
    t->sum += sum;
    pthread_mutex_unlock(&t->lock);
    return NULL;
}

static int64_t alone(int64_t n, meeting_t meet, const void *data)
{
    int64_t sum = 0, p, q;
    for (int64_t step = 0; step < ordering_steps(n); ++step)
        for (int64_t i = 0; i < ordering_pairs(n, step); ++i) {
            ordering_pair(n, step, i, &p, &q);
            sum += meet(data, p, q);
        }
    return sum;
}

#if defined _OPENMP

int gsvd_threads(void)
{
    if (omp_in_parallel())
        return 1;
    const int most = omp_get_max_threads(), limit = omp_get_thread_limit();
    return most < limit ? most : limit;
}

/* With OMP_PROC_BIND the caller has one place, which its threads would inherit:
 * thread i gets the i-th place after the caller's. */
static void bind(pthread_attr_t *attr, int i)
{
    if (omp_get_proc_bind() == omp_proc_bind_false)
        return;
    const int places = omp_get_num_places(), own = omp_get_place_num();
    if (places < 1 || own < 0)
        return;
    const int place = (own + i) % places;
    const int count = omp_get_place_num_procs(place);
    int *const cores = malloc((size_t)count * sizeof *cores);
    if (!cores)
        return;
    cpu_set_t set;
    CPU_ZERO(&set);
    omp_get_place_proc_ids(place, cores);
    for (int j = 0; j < count; ++j)
        CPU_SET((size_t)cores[j], &set);
    (void)pthread_attr_setaffinity_np(attr, sizeof set, &set);
    free(cores);
}

#else

int gsvd_threads(void) { return 1; }

static void bind(pthread_attr_t *attr, int i)
{
    (void)attr;
    (void)i;
}

#endif

/* Starts at most count threads, and returns how many: fewer take longer. */
static int start(team_t *t, pthread_t *thread, int count)
{
    int started = 0, failed = 0;
    while (started < count && !failed) {
        pthread_attr_t attr;
        if (pthread_attr_init(&attr) != 0)
            break;
        bind(&attr, started + 1);
        failed = pthread_create(&thread[started], &attr, work, t);
        started += !failed;
        pthread_attr_destroy(&attr);
    }
    return started;
}

/* Signals are blocked, since they belong to the program's own threads; so is
 * cancellation, since the other threads use the caller's stack. */
static void work_together(team_t *t, pthread_t *thread, int others)
{
    sigset_t all, mask;
    int cancel;

    pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &cancel);
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &mask);
    const int started = start(t, thread, others);
    pthread_sigmask(SIG_SETMASK, &mask, NULL);
    work(t);
    for (int i = 0; i < started; ++i)
        pthread_join(thread[i], NULL);
    pthread_setcancelstate(cancel, NULL);
}

int64_t gsvd_meetings(int64_t n, meeting_t meet, const void *data, int threads)
{
    const int64_t most = ordering_pairs(n, 0); /* at the same time           */
    const int others = (int)(threads < most ? threads : most) - 1;
    if (others < 1)
        return alone(n, meet, data);

    team_t t = {.meet = meet,
                .data = data,
                .lock = PTHREAD_MUTEX_INITIALIZER,
                .ready = PTHREAD_COND_INITIALIZER,
                .n = n,
                .step = calloc((size_t)n, sizeof *t.step)};
    pthread_t *const thread = malloc((size_t)others * sizeof *thread);
    for (int64_t step = 0; step < ordering_steps(n); ++step)
        t.left += ordering_pairs(n, step);
    if (t.step && thread)
        work_together(&t, thread, others);
    else
        t.sum = alone(n, meet, data);
    free(thread);
    free(t.step);
    return t.sum;
}
