/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* block.h -- a block of threads on the host: CUDA's words, so that the text of a kernel is C++,
 * and threads that run in turns.
 *
 * A thread runs until it meets others: in a shuffle, a vote, a product of matrices or __syncwarp
 * those of its warp, in __syncthreads all of the block.  Then the next one runs.  So all that threads do
 * between two meetings is done in one order, forward or backward: results that depend on it lack a
 * barrier.  Threads that are to meet must come to the same line; who does not, or never comes, ends
 * the program.
 *
 * Compiled with -fsanitize=thread, each thread is one of ThreadSanitizer's fibers, and nothing orders
 * their accesses to memory but what does so on a GPU: __syncwarp among its lanes, __syncthreads and
 * its votes in the block, the start and the end of a block.  Shuffles, votes of a warp and products
 * of matrices do not (CUDA's programming guide: "These intrinsics do not imply a memory barrier").
 * So each two accesses without a barrier between them, one of them a write, are reported in
 * whatever order the threads run; of atomic operations, those with others.  Blocks of a launch are
 * ordered here, one after the other, as they are not on a GPU. */
#ifndef GSVD_TESTS_EMULATED_BLOCK_H
#define GSVD_TESTS_EMULATED_BLOCK_H

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <ucontext.h>

#include <algorithm>
#include <cmath>

#if defined __SANITIZE_THREAD__
#include <sanitizer/tsan_interface.h>
#endif

/* -- what ThreadSanitizer is told ------------------------------------------------------- */

/* Nameless, since each file has its own threads: functions of a class are else one for all. */
namespace
{
namespace block
{

#if defined __SANITIZE_THREAD__

/* What the emulator does is not an access of the thread's, and orders none. */
#define UNSEEN __attribute__((noinline, no_sanitize_thread))

typedef void *fiber_t;
UNSEEN static void make_fiber(fiber_t *f, int number)
{
    char name[32];
    if (*f)
        return;
    *f = __tsan_create_fiber(0);
    snprintf(name, sizeof name, "of the GPU, number %d", number);
    __tsan_set_fiber_name(*f, name);
}
UNSEEN static fiber_t this_fiber(void) { return __tsan_get_current_fiber(); }
UNSEEN static void switch_to(fiber_t f)
{
    __tsan_switch_to_fiber(f, __tsan_switch_to_fiber_no_sync);
}
/* What a thread did before `arrive` comes before what others do after `leave`. */
UNSEEN static void arrive(void *at) { __tsan_release(at); }
UNSEEN static void leave(void *at) { __tsan_acquire(at); }

#else
#define UNSEEN

typedef struct {
} fiber_t;
static inline void make_fiber(fiber_t *, int) {}
static inline fiber_t this_fiber(void) { return {}; }
static inline void switch_to(fiber_t) {}
static inline void arrive(void *) {}
static inline void leave(void *) {}
#endif

/* -- threads ----------------------------------------------------------------------- */

/* The C library's setjmp and longjmp take several times as long, and ThreadSanitizer's own are for
 * one stack.  The two words must stand in functions of their own. */
typedef void *state_t[5];
#define SAVE(state) __builtin_setjmp(state)
#define RESTORE(state) __builtin_longjmp(state, 1)

#if !defined EMULATED_THREADS
#define EMULATED_THREADS 256
#endif
enum { WARP_SIZE = 32, MOST = EMULATED_THREADS, STACK = 1 << 17 };

struct value_t {
    char bytes[16];
};

struct told_t { /* by a thread, at a meeting                                 */
    int line;
    value_t value;
};

/* Those who meet: lanes of a warp, or the block */
struct group_t {
    unsigned mask; /* of the warp; 0: of nobody                              */
    int size, here;
    long meetings;
    told_t told[2][MOST]; /* of this meeting and the one before              */
    char order[2];        /* likewise: see `arrive`                          */
};
enum { GROUPS = 16 }; /* of a warp                                           */

struct thread_t {
    ucontext_t start;
    state_t at;
    fiber_t fiber;
    int begun;
    char stack[STACK];
};

/* Where a thread waits: until its group has met more often than `meeting` */
struct place_t {
    const group_t *group; /* NULL: it has not come to a meeting yet           */
    long meeting;
    int ended, line;
};

static thread_t thread[MOST];
static place_t place[MOST];
static group_t group[MOST / WARP_SIZE][GROUPS], all;
static int threads, now, step; /* how many; who runs; 1, or -1: backward      */
static int left;               /* how many have not ended                     */
static void (*work)(void *);
static void *data;
static ucontext_t caller;
static fiber_t of_caller;
static char begin, end; /* of a block: see `arrive`                           */
static struct {
    unsigned x, y;
} index_of_block, blocks;

UNSEEN static void fail(const char *what, int line)
{
    fprintf(stderr, "thread %d at line %d: %s\n", now, line, what);
    abort();
}

UNSEEN static bool waits(const place_t *p)
{
    return p->ended || (p->group && p->group->meetings == p->meeting);
}

/* The next one that need not wait */
UNSEEN __attribute__((noinline)) static void next_thread(void)
{
    int next = now;
    if (left == 0) {
        switch_to(of_caller);
        setcontext(&caller);
    }
    do {
        next += step;
        next = next == threads ? 0 : next < 0 ? threads - 1 : next;
    } while (next != now && waits(&place[next]));
    if (waits(&place[next]))
        fail("the others do not come", place[next].line);
    now = next;
    switch_to(thread[next].fiber);
    if (thread[next].begun)
        RESTORE(thread[next].at);
    thread[next].begun = 1;
    setcontext(&thread[next].start);
}

UNSEEN static void run_thread(void)
{
    leave(&begin);
    work(data);
    arrive(&end);
    place[now].ended = 1;
    --left;
    next_thread();
}

UNSEEN static void prepare(thread_t *t)
{
    t->begun = 0;
    make_fiber(&t->fiber, (int)(t - thread));
    getcontext(&t->start);
    t->start.uc_stack.ss_sp = t->stack;
    t->start.uc_stack.ss_size = STACK;
    t->start.uc_link = NULL;
    makecontext(&t->start, run_thread, 0);
}

/* Each of so many threads, a multiple of a warp, runs f(of_f). */
UNSEEN static void run(int size, void (*f)(void *), void *of_f, int backward)
{
    volatile int done = 0;
    threads = size;
    work = f;
    data = of_f;
    step = backward ? -1 : 1;
    now = backward ? 0 : size - 1;
    left = size;
    all.size = size;
    all.here = 0;
    for (auto &of_warp : group)
        for (group_t &g : of_warp)
            g.mask = 0;
    for (int i = 0; i < size; ++i) {
        prepare(&thread[i]);
        place[i] = {};
    }
    of_caller = this_fiber();
    arrive(&begin);
    getcontext(&caller);
    if (!done) {
        done = 1;
        next_thread();
    }
    leave(&end);
}

/* The group of these lanes of my warp */
UNSEEN static group_t *group_of(unsigned mask)
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

template <class T> UNSEEN static value_t value_of(T x)
{
    value_t v = {};
    memcpy(&v, &x, sizeof x);
    return v;
}

template <class T> UNSEEN static T read_as(const value_t *v)
{
    T x;
    memcpy(&x, v, sizeof x);
    return x;
}

/* Does a meeting order the accesses to memory before and after it? */
enum order_t { NO_ORDER, ORDER };

/* All of the group are here; what they told, by their numbers in the block */
UNSEEN static const told_t *meet(group_t *g, order_t order, int line, value_t v)
{
    const int mine = now, first = mine / WARP_SIZE * WARP_SIZE;
    const long meeting = g->meetings;
    told_t *const t = g->told[meeting & 1];

    t[mine].line = line;
    t[mine].value = v;
    place[mine] = {g, meeting, 0, line};
    if (order)
        arrive(&g->order[meeting & 1]);
    if (++g->here == g->size) {
        const int begin = g == &all ? 0 : first;
        const int end = g == &all ? threads : first + WARP_SIZE;
        for (int i = begin; i < end; ++i)
            if ((g == &all || g->mask >> (i - first) & 1) && t[i].line != line)
                fail("another thread is elsewhere", line);
        g->here = 0;
        ++g->meetings;
    }
    if (g->meetings == meeting && SAVE(thread[mine].at) == 0)
        next_thread();
    if (order)
        leave(&g->order[meeting & 1]);
    return t;
}

/* The x of thread `from` of those of my warp who have the same number / width */
template <class T>
UNSEEN static T shuffle(int line, unsigned mask, T x, int from, int width)
{
    const int mine = now, source = mine / width * width + from;
    const told_t *const t = meet(group_of(mask), NO_ORDER, line, value_of(x));
    return read_as<T>(&t[from < 0 || from >= width ? mine : source].value);
}

UNSEEN static unsigned ballot(int line, order_t order, unsigned mask, int x)
{
    const int first = now / WARP_SIZE * WARP_SIZE;
    const told_t *const t = meet(group_of(mask), order, line, value_of(x));
    unsigned votes = 0;
    for (int i = 0; i < WARP_SIZE; ++i) {
        const int yes = read_as<int>(&t[first + i].value);
        votes |= (mask >> i & 1 && yes ? 1u : 0u) << i;
    }
    return votes;
}

/* How many threads of the block say yes? */
UNSEEN static int count(int line, int x)
{
    const told_t *const t = meet(&all, ORDER, line, value_of(x));
    int sum = 0;
    for (int i = 0; i < threads; ++i)
        sum += read_as<int>(&t[i].value) != 0;
    return sum;
}

/* c := c + a b of an 8 x 4 a and a 4 x 8 b; a lane has a(lane/4, lane%4), b(lane%4, lane/4) and
 * c(lane/4, 2 (lane%4) + {0, 1}). */
UNSEEN static void multiply(int line, double (&c)[2], double a, double b)
{
    struct pair_t {
        double a, b;
    };
    const int first = now / WARP_SIZE * WARP_SIZE, row = now % WARP_SIZE / 4,
              column = 2 * (now % 4);
    const told_t *const t =
        meet(group_of(~0u), NO_ORDER, line, value_of(pair_t{a, b}));
    for (int k = 0; k < 4; ++k) {
        const pair_t left = read_as<pair_t>(&t[first + 4 * row + k].value);
        for (int e = 0; e < 2; ++e)
            c[e] += left.a *
                    read_as<pair_t>(&t[first + 4 * (column + e) + k].value).b;
    }
}

static unsigned mask_of(unsigned mask = ~0u) { return mask; }

struct index_t {
    struct {
        UNSEEN operator unsigned() const { return (unsigned)now; }
    } x;
};
struct size_of_block_t {
    struct {
        UNSEEN operator unsigned() const { return (unsigned)threads; }
    } x;
};

template <class To, class From> static To bits_as(From x)
{
    To y;
    memcpy(&y, &x, sizeof y);
    return y;
}

} // namespace block
} // namespace

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
#define __shfl_down_sync(mask, x, by)                                          \
    block::shuffle(__LINE__, mask, x, block::now % block::WARP_SIZE + (by),    \
                   block::WARP_SIZE)
#define __ballot_sync(mask, x)                                                 \
    block::ballot(__LINE__, block::NO_ORDER, mask, (x) != 0)
#define __any_sync(mask, x) (__ballot_sync(mask, x) != 0)
#define __syncwarp(...)                                                        \
    ((void)block::ballot(__LINE__, block::ORDER, block::mask_of(__VA_ARGS__),  \
                         0))
#define __syncthreads() ((void)block::count(__LINE__, 0))
#define __syncthreads_or(x) (block::count(__LINE__, (x) != 0) != 0)
#define __syncthreads_and(x) (block::count(__LINE__, (x) == 0) == 0)

static inline unsigned atomicAdd(unsigned *sum, unsigned x)
{
    return __atomic_fetch_add(sum, x, __ATOMIC_RELAXED);
}
static inline int atomicAdd(int *sum, int x)
{
    return __atomic_fetch_add(sum, x, __ATOMIC_RELAXED);
}
static inline unsigned long long atomicAdd(unsigned long long *sum,
                                           unsigned long long x)
{
    return __atomic_fetch_add(sum, x, __ATOMIC_RELAXED);
}
static inline int atomicOr(int *word, int bits)
{
    return __atomic_fetch_or(word, bits, __ATOMIC_RELAXED);
}
static inline int atomicMin(int *word, int x)
{
    int seen = __atomic_load_n(word, __ATOMIC_RELAXED);
    while (seen > x &&
           !__atomic_compare_exchange_n(word, &seen, x, false, __ATOMIC_RELAXED,
                                        __ATOMIC_RELAXED)) {
    }
    return seen;
}
static inline int atomicMax(int *word, int x)
{
    int seen = __atomic_load_n(word, __ATOMIC_RELAXED);
    while (seen < x &&
           !__atomic_compare_exchange_n(word, &seen, x, false, __ATOMIC_RELAXED,
                                        __ATOMIC_RELAXED)) {
    }
    return seen;
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
