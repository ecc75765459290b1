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
#include "jacobi/team.h"

#include <pthread.h>
#include <stdlib.h>

#include "jacobi/ordering.h"

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

static void work(void *data, int i)
{
    team_t *const t = data;
    int64_t sum = 0;
    (void)i;

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

int64_t gsvd_meetings(int64_t n, meeting_t meet, const void *data, int threads)
{
    const int64_t most = ordering_pairs(n, 0); /* at the same time           */
    const int sharing = (int)(threads < most ? threads : most);
    if (sharing < 2)
        return alone(n, meet, data);

    team_t t = {.meet = meet,
                .data = data,
                .lock = PTHREAD_MUTEX_INITIALIZER,
                .ready = PTHREAD_COND_INITIALIZER,
                .n = n,
                .step = calloc((size_t)n, sizeof *t.step)};
    for (int64_t step = 0; step < ordering_steps(n); ++step)
        t.left += ordering_pairs(n, step);
    if (t.step)
        gsvd_share(sharing, work, &t);
    else
        t.sum = alone(n, meet, data);
    free(t.step);
    return t.sum;
}
