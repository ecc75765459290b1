/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* team_of_threads.h -- the words of core/team.h for a team of POSIX threads: a barrier that
 * is missing in the text is a data race here, one too many a test that hangs. */
#ifndef GSVD_TESTS_HARNESS_TEAM_OF_THREADS_H
#define GSVD_TESTS_HARNESS_TEAM_OF_THREADS_H

#include <pthread.h>

#define TEAM_FN static inline
#define TEAM_STEP static
#define TEAM_ON_HOST(...) __VA_ARGS__
enum { LANES = 4, TEAM_OF_ONE = 0, MOST_SQUADS = 4 };

typedef struct team_shared {
    pthread_barrier_t all, squad[MOST_SQUADS];
    real_t x[MOST_SQUADS][LANES];
    int any[MOST_SQUADS][LANES];
} team_shared_t;

typedef struct team {
    int lane, squad, squads;
    team_shared_t *shared;
} team_t;

TEAM_FN int team_lane(team_t t) { return t.lane; }
TEAM_FN int team_squad(team_t t) { return t.squad; }
TEAM_FN int team_squads(team_t t) { return t.squads; }
TEAM_FN int team_stops(team_t t, int turns) { return (void)t, (void)turns, 0; }
TEAM_FN void team_sync(team_t t) { pthread_barrier_wait(&t.shared->all); }
TEAM_FN void squad_sync(team_t t)
{
    pthread_barrier_wait(&t.shared->squad[t.squad]);
}

TEAM_FN int team_any(team_t t, int x)
{
    int any = 0;
    t.shared->any[t.squad][t.lane] = x;
    team_sync(t);
    for (int i = 0; i < t.squads * LANES; ++i)
        any |= t.shared->any[i / LANES][i % LANES];
    team_sync(t);
    return any;
}

/* by a tree, as the lanes of a warp do */
TEAM_FN real_t squad_sum(team_t t, real_t x)
{
    real_t *const part = t.shared->x[t.squad];
    for (int lanes = LANES / 2; lanes > 0; lanes /= 2) {
        part[t.lane] = x;
        squad_sync(t);
        x += part[t.lane ^ lanes];
        squad_sync(t);
    }
    return x;
}

#endif /* GSVD_TESTS_HARNESS_TEAM_OF_THREADS_H */
