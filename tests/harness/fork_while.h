/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* fork_while.h -- children that are born while another thread does what a process does
 * once, at any moment of it.
 */
#ifndef GSVD_TESTS_HARNESS_FORK_WHILE_H
#define GSVD_TESTS_HARNESS_FORK_WHILE_H

#include <pthread.h>
#include <stdio.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { FORK_DEADLINE = 100 /* seconds */ };

/* 0: done, as it should be */
typedef int (*fork_work_t)(void);

typedef struct fork_other {
    fork_work_t work;
    pthread_barrier_t begins;
    int result;
} fork_other_t;

static void *fork_other_thread(void *data)
{
    fork_other_t *const o = data;
    pthread_barrier_wait(&o->begins);
    o->result = o->work();
    return NULL;
}

static inline double fork_clock(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* 0: the child ended with 0 */
static inline int fork_wait(pid_t child)
{
    int status = 0;
    while (waitpid(child, &status, 0) != child)
        ;
    if (status != 0)
        fprintf(stderr, "wait status %#x of a child\n", (unsigned)status);
    return status;
}

/* In a process that has not done the work: a thread does it, and `seconds` later a child
 * is born, which does its own. */
static inline int fork_once(fork_work_t work, fork_work_t of_child,
                            double seconds)
{
    fork_other_t other = {.work = work, .result = 1};
    pthread_t thread;
    pthread_barrier_init(&other.begins, NULL, 2);
    if (pthread_create(&thread, NULL, fork_other_thread, &other) != 0)
        return 1;
    pthread_barrier_wait(&other.begins);
    const double start = fork_clock();
    while (fork_clock() - start < seconds)
        ;
    const pid_t child = fork();
    if (child == 0) {
        alarm(FORK_DEADLINE);
        _exit(of_child());
    }
    const int failed = child < 0 || fork_wait(child) != 0;
    pthread_join(thread, NULL);
    return failed || other.result != 0;
}

/* The number of children, of `trials`, that failed; each is of a process of its own.  The
 * caller must not have done the work. */
static inline int fork_while(fork_work_t work, fork_work_t of_child, int trials)
{
    double whole = 0;
    int failed = 0;
    for (int i = 0; i <= trials; ++i) {
        const double start = fork_clock();
        fflush(NULL);
        const pid_t process = fork();
        if (process == 0) {
            alarm(FORK_DEADLINE);
            _exit(i == 0 ? work()
                         : fork_once(work, of_child, whole * i / trials));
        }
        if (process < 0 || fork_wait(process) != 0)
            ++failed;
        if (i == 0) /* how long it takes                                     */
            whole = fork_clock() - start;
    }
    return failed;
}

#endif /* GSVD_TESTS_HARNESS_FORK_WHILE_H */
