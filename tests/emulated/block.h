/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* block.h -- a block of threads on the host: CUDA's words, so that the text of a kernel is C++,
 * and threads that run in turns.
 *
 * A thread runs until it meets others: in a shuffle, a vote, a product of matrices or __syncwarp
 * those of its warp, in __syncthreads all of the block.  Then the next one runs.  So all that threads do
 * between two meetings is done in one order, forward or backward: results that depend on it lack a
 * barrier.  Lanes that are to meet must come to the same line; who does not, or never comes, ends
 * the program. */
#ifndef GSVD_TESTS_EMULATED_BLOCK_H
#define GSVD_TESTS_EMULATED_BLOCK_H

#include <setjmp.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <ucontext.h>

#include <algorithm>
#include <cmath>

/* -- threads ----------------------------------------------------------------------- */

namespace block
{

enum { WARP_SIZE = 32, MOST = 256, STACK = 1 << 17, IDLE = 1 << 20 };

struct told_t { /* by a thread, at a meeting                                 */
    int line;
    char value[16];
};

/* Those who meet: lanes of a warp, or the block */
struct group_t {
    unsigned mask; /* of the warp; 0: of nobody                              */
    int size, here;
    long meetings;
    told_t told[2][MOST]; /* of this meeting and the one before              */
};
enum { GROUPS = 16 }; /* of a warp                                           */

struct thread_t {
    ucontext_t start;
    jmp_buf at;
    int begun, ended;
    char stack[STACK];
};

static thread_t thread[MOST];
static group_t group[MOST / WARP_SIZE][GROUPS], all;
static int threads, now, step; /* how many; who runs; 1, or -1: backward      */
static long idle;              /* turns since somebody came to a meeting      */
static void (*work)(void *);
static void *data;
static ucontext_t caller;
static struct {
    unsigned x, y;
} index_of_block, blocks;

static void next_thread(void)
{
    int next = now;
    do
        next = (next + step + threads) % threads;
    while (thread[next].ended && next != now);
    if (thread[next].ended)
        setcontext(&caller);
    now = next;
    if (thread[next].begun)
        _longjmp(thread[next].at, 1);
    thread[next].begun = 1;
    setcontext(&thread[next].start);
}

static void run_thread(void)
{
    work(data);
    thread[now].ended = 1;
    next_thread();
}

/* Each of so many threads, a multiple of a warp, runs f(of_f). */
static void run(int size, void (*f)(void *), void *of_f, int backward)
{
    volatile int done = 0;
    threads = size;
    work = f;
    data = of_f;
    step = backward ? -1 : 1;
    now = backward ? 0 : size - 1;
    idle = 0;
    all.size = size;
    all.here = 0;
    for (auto &of_warp : group)
        for (group_t &g : of_warp)
            g.mask = 0;
    for (int i = 0; i < size; ++i) {
        thread[i].begun = thread[i].ended = 0;
        getcontext(&thread[i].start);
        thread[i].start.uc_stack.ss_sp = thread[i].stack;
        thread[i].start.uc_stack.ss_size = STACK;
        thread[i].start.uc_link = NULL;
        makecontext(&thread[i].start, run_thread, 0);
    }
    getcontext(&caller);
    if (!done) {
        done = 1;
        next_thread();
    }
}

static void fail(const char *what, int line)
{
    fprintf(stderr, "thread %d at line %d: %s\n", now, line, what);
    abort();
}

/* The group of these lanes of my warp */
static group_t *group_of(unsigned mask)
{
    group_t *g = group[now / WARP_SIZE];
    while (g->mask != mask && g->mask != 0)
        ++g;
    if (g->mask == 0) {
        g->mask = mask;
        g->size = __builtin_popcount(mask);
        g->here = 0;
    }
    return g;
}

/* All of the group are here; what they told, by their numbers in the block */
static const told_t *meet(group_t *g, int line, const void *value, size_t bytes)
{
    const int mine = now, first = mine / WARP_SIZE * WARP_SIZE;
    const long meeting = g->meetings;
    told_t *const t = g->told[meeting & 1];

    t[mine].line = line;
    memcpy(t[mine].value, value, bytes);
    idle = 0;
    if (++g->here == g->size) {
        for (int i = 0; g != &all && i < WARP_SIZE; ++i)
            if (g->mask >> i & 1 && t[first + i].line != line)
                fail("another lane is elsewhere", line);
        g->here = 0;
        ++g->meetings;
    }
    while (g->meetings == meeting) {
        if (++idle > IDLE)
            fail("the others do not come", line);
        if (_setjmp(thread[mine].at) == 0)
            next_thread();
    }
    return t;
}

/* The x of thread `from` of those of my warp who have the same number / width */
template <class T>
static T shuffle(int line, unsigned mask, T x, int from, int width)
{
    const int mine = now, source = mine / width * width + from;
    const told_t *const t = meet(group_of(mask), line, &x, sizeof x);
    T y;
    memcpy(&y, t[from < 0 || from >= width ? mine : source].value, sizeof y);
    return y;
}

static unsigned ballot(int line, unsigned mask, int x)
{
    const int first = now / WARP_SIZE * WARP_SIZE;
    const told_t *const t = meet(group_of(mask), line, &x, sizeof x);
    unsigned votes = 0;
    for (int i = 0; i < WARP_SIZE; ++i) {
        int yes;
        memcpy(&yes, t[first + i].value, sizeof yes);
        votes |= (mask >> i & 1 && yes ? 1u : 0u) << i;
    }
    return votes;
}

/* How many threads of the block say yes? */
static int count(int line, int x)
{
    const told_t *const t = meet(&all, line, &x, sizeof x);
    int sum = 0;
    for (int i = 0; i < threads; ++i) {
        int yes;
        memcpy(&yes, t[i].value, sizeof yes);
        sum += yes != 0;
    }
    return sum;
}

/* c := c + a b of an 8 x 4 a and a 4 x 8 b; a lane has a(lane/4, lane%4), b(lane%4, lane/4) and
 * c(lane/4, 2 (lane%4) + {0, 1}). */
static void multiply(int line, double (&c)[2], double a, double b)
{
    const double ab[2] = {a, b};
    const int first = now / WARP_SIZE * WARP_SIZE, row = now % WARP_SIZE / 4,
              column = 2 * (now % 4);
    const told_t *const t = meet(group_of(~0u), line, ab, sizeof ab);
    for (int k = 0; k < 4; ++k)
        for (int e = 0; e < 2; ++e) {
            double left[2], right[2];
            memcpy(left, t[first + 4 * row + k].value, sizeof left);
            memcpy(right, t[first + 4 * (column + e) + k].value, sizeof right);
            c[e] += left[0] * right[1];
        }
}

static unsigned mask_of(unsigned mask = ~0u) { return mask; }

struct index_t {
    struct {
        operator unsigned() const { return (unsigned)now; }
    } x;
};
struct size_of_block_t {
    struct {
        operator unsigned() const { return (unsigned)threads; }
    } x;
};

template <class To, class From> static To bits_as(From x)
{
    To y;
    memcpy(&y, &x, sizeof y);
    return y;
}

} // namespace block

/* -- CUDA's words -------------------------------------------------------------------- */

#define __host__
#define __device__
#define __global__
#define __launch_bounds__(...)
#define __grid_constant__
#define __shared__ static
#define __forceinline__ inline
#define __noinline__
#define __align__(bytes) alignas(bytes)
static block::index_t threadIdx;
static block::size_of_block_t blockDim;
#define blockIdx block::index_of_block
#define gridDim block::blocks
using std::max;

#define SHUFFLE_ALL(mask, x, from)                                             \
    block::shuffle(__LINE__, mask, x, (int)(from), block::WARP_SIZE)
#define SHUFFLE_SOME(mask, x, from, width)                                     \
    block::shuffle(__LINE__, mask, x, (int)(from) % (width), width)
#define FIFTH(a, b, c, d, e, ...) e
#define __shfl_sync(...)                                                       \
    FIFTH(__VA_ARGS__, SHUFFLE_SOME, SHUFFLE_ALL, )(__VA_ARGS__)
#define __shfl_xor_sync(mask, x, bits)                                         \
    block::shuffle(__LINE__, mask, x,                                          \
                   (block::now % block::WARP_SIZE) ^ (bits), block::WARP_SIZE)
#define __shfl_up_sync(mask, x, by, width)                                     \
    block::shuffle(__LINE__, mask, x, block::now % (width) - (by), width)
#define __ballot_sync(mask, x) block::ballot(__LINE__, mask, (x) != 0)
#define __any_sync(mask, x) (block::ballot(__LINE__, mask, (x) != 0) != 0)
#define __syncwarp(...)                                                        \
    ((void)block::ballot(__LINE__, block::mask_of(__VA_ARGS__), 0))
#define __syncthreads() ((void)block::count(__LINE__, 0))
#define __syncthreads_or(x) (block::count(__LINE__, (x) != 0) != 0)
#define __syncthreads_and(x) (block::count(__LINE__, (x) == 0) == 0)

static inline unsigned atomicAdd(unsigned *sum, unsigned x)
{
    *sum += x;
    return *sum - x;
}

static inline int __popc(unsigned x) { return __builtin_popcount(x); }
static inline int __ffs(int x) { return __builtin_ffs(x); }
static inline int __float_as_int(float x) { return block::bits_as<int>(x); }
static inline float __int_as_float(int x) { return block::bits_as<float>(x); }
static inline int __double2hiint(double x)
{
    return (int)(block::bits_as<int64_t>(x) >> 32);
}
static inline int __double2loint(double x)
{
    return (int)block::bits_as<int64_t>(x);
}
static inline double __hiloint2double(int high, int low)
{
    return block::bits_as<double>(
        (int64_t)((uint64_t)(uint32_t)high << 32 | (uint32_t)low));
}
static inline float rsqrtf(float x) { return 1 / sqrtf(x); }
/* to 20 bits */
static inline double emulated_rsqrt(double x)
{
    const double y = 1 / sqrt(x);
    return __hiloint2double(__double2hiint(y), 0);
}
/* c := c + a b of an 8 x 4 a and a 4 x 8 b (core/wide.cuh) */
static inline void emulated_mma(double (&c)[2], double a, double b)
{
    block::multiply(__LINE__, c, a, b);
}
struct float2 {
    float x, y;
};
struct double2 {
    double x, y;
};
static inline double2 make_double2(double x, double y) { return {x, y}; }

#endif /* GSVD_TESTS_EMULATED_BLOCK_H */
