/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* threads.c [1] -- see threads.h. */
#define _GNU_SOURCE /* cpu_set_t, pthread_attr_setaffinity_np */
#include "core/threads.h"

#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>

#if defined _OPENMP
#include <omp.h>
#endif

typedef struct member {
    void (*work)(void *data, int i);
    void *data;
    int i;
    pthread_t thread;
} member_t;

static _Thread_local int is_alone;

int gsvd_set_alone(int alone)
{
    const int before = is_alone;
    is_alone = alone;
    return before;
}

int gsvd_is_alone(void) { return is_alone; }

/* OpenBLAS's, which Debian's libblas.so.3 does not export: then it is NULL */
extern int openblas_get_num_threads(void) __attribute__((weak));

int gsvd_blas_threads(void)
{
    const char *const said = getenv("OPENBLAS_NUM_THREADS");
    if (openblas_get_num_threads)
        return openblas_get_num_threads();
    return said && atoi(said) > 0 ? atoi(said) : gsvd_threads();
}

#if defined _OPENMP

int gsvd_threads(void)
{
    if (is_alone || omp_in_parallel())
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

static void *take_part(void *member)
{
    const member_t *const m = member;
    (void)gsvd_set_alone(1);
    m->work(m->data, m->i);
    return NULL;
}

/* Starts at most count threads, and returns how many: fewer take longer. */
static int start(member_t *member, int count)
{
    int started = 0, failed = 0;
    while (started < count && !failed) {
        pthread_attr_t attr;
        if (pthread_attr_init(&attr) != 0)
            break;
        bind(&attr, member[started].i);
        failed = pthread_create(&member[started].thread, &attr, take_part,
                                &member[started]);
        started += !failed;
        pthread_attr_destroy(&attr);
    }
    return started;
}

/* Signals are blocked, since they belong to the program's own threads; so is
 * cancellation, since the other threads use the caller's stack. */
static void share(member_t *member, int others)
{
    sigset_t all, mask;
    int cancel;

    pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &cancel);
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &mask);
    const int started = start(member + 1, others);
    pthread_sigmask(SIG_SETMASK, &mask, NULL);
    const int before = gsvd_set_alone(1);
    member[0].work(member[0].data, 0);
    (void)gsvd_set_alone(before);
    for (int i = 1; i <= started; ++i)
        pthread_join(member[i].thread, NULL);
    pthread_setcancelstate(cancel, NULL);
}

void gsvd_share(int threads, void (*work)(void *data, int i), void *data)
{
    member_t *const member =
        threads > 1 ? malloc((size_t)threads * sizeof *member) : NULL;
    if (!member) {
        work(data, 0);
        return;
    }
    for (int i = 0; i < threads; ++i)
        member[i] = (member_t){.work = work, .data = data, .i = i};
    share(member, threads - 1);
    free(member);
}
