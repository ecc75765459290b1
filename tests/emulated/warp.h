/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* warp.h -- a warp on the host: CUDA's words, so that the text of a kernel is C++, and 32 lanes
 * that run in turns.
 *
 * A lane runs until it meets the others in a shuffle, a vote or __syncwarp; then the next one
 * does.  So all that lanes do between two meetings is done in one order, forward or backward:
 * results that depend on it lack a barrier.  All lanes of the warp must come to the same
 * line for a meeting; who does not ends the program. */
#ifndef GSVD_TESTS_EMULATED_WARP_H
#define GSVD_TESTS_EMULATED_WARP_H

#include <setjmp.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <ucontext.h>

#include <algorithm>
#include <cmath>

/* -- lanes ------------------------------------------------------------------------- */

namespace warp
{

enum { SIZE = 32, STACK = 1 << 18 };

struct lane_t {
    ucontext_t start;
    jmp_buf at;
    int begun, ended;
    char stack[STACK];
};

struct told_t { /* by a lane, at a meeting                                   */
    int line;
    char value[16];
};

static lane_t lane[SIZE];
static told_t told[2][SIZE]; /* of this meeting and the one before            */
static int phase[SIZE];      /* of each lane                                 */
static int now, step;        /* the lane that runs; 1, or -1: backward        */
static void (*work)(void *);
static void *data;
static ucontext_t caller;

static void enter(int next)
{
    now = next;
    if (lane[next].begun)
        _longjmp(lane[next].at, 1);
    lane[next].begun = 1;
    setcontext(&lane[next].start);
}

static void run_lane(void)
{
    work(data);
    const int next = (now + step + SIZE) % SIZE;
    lane[now].ended = 1;
    told[phase[now]][now].line = 0;
    if (lane[next].ended)
        setcontext(&caller);
    enter(next);
}

static void prepare_lane(int i)
{
    lane[i].begun = lane[i].ended = phase[i] = 0;
    getcontext(&lane[i].start);
    lane[i].start.uc_stack.ss_sp = lane[i].stack;
    lane[i].start.uc_stack.ss_size = STACK;
    lane[i].start.uc_link = NULL;
    makecontext(&lane[i].start, run_lane, 0);
}

/* Each of the 32 lanes runs f(of_f). */
static void run(void (*f)(void *), void *of_f, int backward)
{
    work = f;
    data = of_f;
    step = backward ? -1 : 1;
    for (int i = 0; i < SIZE; ++i)
        prepare_lane(i);
    now = backward ? SIZE - 1 : 0;
    lane[now].begun = 1;
    swapcontext(&caller, &lane[now].start);
}

/* All lanes are here; what they told */
static const told_t *meet(int line, const void *value, size_t bytes)
{
    const int mine = now, p = phase[mine];
    told_t *const t = told[p];
    t[mine].line = line;
    memcpy(t[mine].value, value, bytes);
    phase[mine] = !p;
    if (_setjmp(lane[mine].at) == 0)
        enter((mine + step + SIZE) % SIZE);
    for (int i = 0; i < SIZE; ++i)
        if (t[i].line != line) {
            fprintf(stderr, "lane %d is at line %d, lane %d at %d\n", mine,
                    line, i, t[i].line);
            abort();
        }
    return t;
}

template <class T> static T shuffle(int line, T x, int from, int width)
{
    const int first = now / width * width;
    const int source = from < 0 || from >= width ? now : first + from;
    const told_t *const t = meet(line, &x, sizeof x);
    T y;
    memcpy(&y, t[source].value, sizeof y);
    return y;
}

static unsigned ballot(int line, int x)
{
    const told_t *const t = meet(line, &x, sizeof x);
    unsigned votes = 0;
    for (int i = 0; i < SIZE; ++i) {
        int yes;
        memcpy(&yes, t[i].value, sizeof yes);
        votes |= (yes != 0 ? 1u : 0u) << i;
    }
    return votes;
}

struct index_t {
    struct {
        operator unsigned() const { return (unsigned)now; }
    } x;
};

template <class To, class From> static To bits_as(From x)
{
    To y;
    memcpy(&y, &x, sizeof y);
    return y;
}

} // namespace warp

/* -- CUDA's words -------------------------------------------------------------------- */

#define __host__
#define __device__
#define __forceinline__ inline
#define __noinline__
#define __align__(bytes) alignas(bytes)
static warp::index_t threadIdx;
using std::max;

#define __shfl_sync(mask, x, from, width)                                      \
    warp::shuffle(__LINE__, x, (int)(from), width)
#define __shfl_xor_sync(mask, x, bits)                                         \
    warp::shuffle(__LINE__, x, warp::now ^ (bits), warp::SIZE)
#define __shfl_up_sync(mask, x, by, width)                                     \
    warp::shuffle(__LINE__, x, warp::now % (width) - (by), width)
#define __ballot_sync(mask, x) warp::ballot(__LINE__, (x) != 0)
#define __any_sync(mask, x) (warp::ballot(__LINE__, (x) != 0) != 0)
#define __syncwarp() ((void)warp::ballot(__LINE__, 0))
/* A block is a warp. */
#define __syncthreads() __syncwarp()
#define __syncthreads_or(x) __any_sync(0, x)

static inline unsigned atomicAdd(unsigned *sum, unsigned x)
{
    *sum += x;
    return *sum - x;
}

static inline int __popc(unsigned x) { return __builtin_popcount(x); }
static inline int __ffs(int x) { return __builtin_ffs(x); }
static inline int __float_as_int(float x) { return warp::bits_as<int>(x); }
static inline float __int_as_float(int x) { return warp::bits_as<float>(x); }
static inline int __double2hiint(double x)
{
    return (int)(warp::bits_as<int64_t>(x) >> 32);
}
static inline int __double2loint(double x)
{
    return (int)warp::bits_as<int64_t>(x);
}
static inline double __hiloint2double(int high, int low)
{
    return warp::bits_as<double>(
        (int64_t)((uint64_t)(uint32_t)high << 32 | (uint32_t)low));
}
static inline float rsqrtf(float x) { return 1 / sqrtf(x); }
/* to 20 bits */
static inline double emulated_rsqrt(double x)
{
    const double y = 1 / sqrt(x);
    return __hiloint2double(__double2hiint(y), 0);
}
struct float2 {
    float x, y;
};
struct double2 {
    double x, y;
};

#endif /* GSVD_TESTS_EMULATED_WARP_H */
