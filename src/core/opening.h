/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* opening.h [1] -- a library that is opened once, when it is first needed, and fork().
 *
 * If fork() is called while another thread is within dlopen, the child has the loader's lists half
 * written, and libraries whose constructors have not ended.  So fork() waits for an opening under
 * way.  The child still learns of it (opening_is_lost): some of what the opening did, such as
 * handlers of fork(), does not belong to that fork.
 *
 * glibc before 2.36 runs handlers of fork() under a lock that pthread_atfork takes, and the opening
 * may call pthread_atfork.  There fork() does not wait, and the child learns the same.
 *
 * The handlers are set when this file is loaded, before there can be an opening.  One file of a
 * library includes it and has the functions for itself.
 */
#ifndef GSVD_CORE_OPENING_H
#define GSVD_CORE_OPENING_H

#include <gnu/libc-version.h>
#include <pthread.h>
#include <stdio.h>

static pthread_mutex_t opening_lock = PTHREAD_MUTEX_INITIALIZER;
static _Atomic int opening_steps; /* odd while an opening is under way        */
static int opening_waits, opening_lost;
/* of the thread: it opens, where a constructor may fork; it forks */
static _Thread_local int opening_here, opening_met, opening_locked;

static void opening_before_fork(void)
{
    if (opening_here)
        return;
    const int steps = opening_steps;
    opening_locked =
        (opening_waits ? pthread_mutex_lock(&opening_lock)
                       : pthread_mutex_trylock(&opening_lock)) == 0;
    opening_met = opening_steps != steps || opening_steps % 2 != 0;
}

static void opening_in_parent(void)
{
    if (!opening_here && opening_locked)
        (void)pthread_mutex_unlock(&opening_lock);
}

static void opening_in_child(void)
{
    if (opening_here)
        return;
    if (opening_met)
        opening_lost = 1;
    if (opening_locked)
        (void)pthread_mutex_unlock(&opening_lock);
}

__attribute__((constructor)) static void opening_knows_of_fork(void)
{
    int major = 0, minor = 0;
    opening_waits =
        sscanf(gnu_get_libc_version(), "%d.%d", &major, &minor) == 2 &&
        (major > 2 || minor >= 36);
    (void)pthread_atfork(opening_before_fork, opening_in_parent,
                         opening_in_child);
}

/* Between these two fork() of another thread waits; a thread calls them once. */
static inline void opening_begins(void)
{
    (void)pthread_mutex_lock(&opening_lock);
    opening_here = 1;
    ++opening_steps;
}

static inline void opening_ends(void)
{
    ++opening_steps;
    opening_here = 0;
    (void)pthread_mutex_unlock(&opening_lock);
}

/* NULL, or what a child that was born during an opening, or its child, says in its place */
static inline const char *opening_is_lost(void)
{
    return opening_lost ? "no CUDA: fork() while another thread opened it"
                        : NULL;
}

#endif /* GSVD_CORE_OPENING_H */
