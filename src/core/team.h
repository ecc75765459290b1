/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* team.h -- a team of threads that has one small problem: its words, in C and CUDA.
 *
 * A team consists of squads of LANES threads.  A squad works on columns.  Its lane i has rows
 * i, i + LANES, ... of every column, so that a squad needs no barrier between two operations on
 * its own columns.  A number that all threads need of a column, such as its length, is computed by
 * each squad, with the same bits.
 *
 * On the CPU a team is one thread: loops over lanes are loops over rows, and barriers are
 * nothing.  Tests have teams of many threads there: GSVD_TEAM is the header of their words.
 *
 *     TEAM_FN     a function that is inlined          TEAM_STEP   one that is not, on a device
 *     team_sync   a barrier of all threads            squad_sync  of those of a squad
 *     team_any    is x true in one of them?           squad_sum   the sum of x over a squad
 *     team_stops  is the host's team to end Jacobi?   its last sweep turned so many pairs; -1: none
 *     TEAM_ON_HOST(text)   text that no device sees
 */
#ifndef GSVD_CORE_TEAM_H
#define GSVD_CORE_TEAM_H

#include "core/scalar.h"
#include "core/vector.h"

#if defined GSVD_TEAM

#include GSVD_TEAM

#elif defined __CUDACC__

#define TEAM_FN static __device__ __forceinline__
#define TEAM_STEP static __device__ __noinline__
#define TEAM_ON_HOST(...)
enum { LANES = 8, TEAM_OF_ONE = 0, LANES_OF_WARP = 32 };

/* A team of more than a warp is a thread block. */
typedef struct team {
    int lane, squad, squads;
    unsigned squad_mask, mask; /* lanes of the warp: the squad's, the team's  */
} team_t;

TEAM_FN int team_lane(team_t t) { return t.lane; }
TEAM_FN int team_squad(team_t t) { return t.squad; }
TEAM_FN int team_squads(team_t t) { return t.squads; }
TEAM_FN int team_is_block(team_t t) { return t.squads * LANES > LANES_OF_WARP; }

TEAM_FN void team_sync(team_t t)
{
    if (team_is_block(t))
        __syncthreads();
    else
        __syncwarp(t.mask);
}

TEAM_FN int team_any(team_t t, int x)
{
    if (team_is_block(t))
        return __syncthreads_or(x);
    __syncwarp(t.mask);
    return __any_sync(t.mask, x);
}

TEAM_FN void squad_sync(team_t t) { __syncwarp(t.squad_mask); }
TEAM_FN int team_stops(team_t, int) { return 0; }

TEAM_FN real_t squad_sum(team_t t, real_t x)
{
    for (int lanes = LANES / 2; lanes > 0; lanes /= 2)
        x += __shfl_xor_sync(t.squad_mask, x, lanes);
    return x;
}

#else

#define TEAM_FN static inline
#define TEAM_STEP static
#define TEAM_ON_HOST(...) __VA_ARGS__
enum { LANES = 1, TEAM_OF_ONE = 1 };

/* Who watches sweeps of Jacobi, and how many there were. */
typedef struct sweeps {
    int done, stopped;
    int (*report)(void *user, int sweep, int64_t rotations); /* or NULL      */
    void *user;
} sweeps_t;

typedef struct team {
    sweeps_t *sweeps; /* or NULL                                             */
} team_t;

TEAM_FN int team_lane(team_t t) { return (void)t, 0; }
TEAM_FN int team_squad(team_t t) { return (void)t, 0; }
TEAM_FN int team_squads(team_t t) { return (void)t, 1; }
TEAM_FN void team_sync(team_t t) { (void)t; }
TEAM_FN void squad_sync(team_t t) { (void)t; }
TEAM_FN int team_any(team_t t, int x) { return (void)t, x; }
TEAM_FN real_t squad_sum(team_t t, real_t x) { return (void)t, x; }

TEAM_FN int team_stops(team_t t, int turns)
{
    sweeps_t *const s = t.sweeps;
    if (!s)
        return 0;
    s->done += turns >= 0;
    if (turns >= 0 && s->report)
        s->stopped = s->report(s->user, s->done, turns);
    return s->stopped;
}

#endif

/* a b + sum: one rounding on a device, where that is one operation */
TEAM_FN scalar_t mac(scalar_t a, scalar_t b, scalar_t sum)
{
#if defined __CUDACC__
    return mul_add(a, b, sum);
#else
    return add(mul(a, b), sum);
#endif
}

#endif /* GSVD_CORE_TEAM_H */
