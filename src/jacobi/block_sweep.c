/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* block_sweep.c -- one pass over all pairs of blocks of columns; CPU twin of
 * block_sweep.cu.
 *
 * Blocks have HALF columns.  Each thread has an inner_t of its own, of 200 KB in double
 * precision, which a core's second cache holds.
 */
#include <limits.h>
#include <stdatomic.h>

#include "core/rotate.h"
#include "jacobi/inner.h"
#include "jacobi/jacobi.h"
#include "jacobi/pair_of_blocks.h"
#include "jacobi/team.h"

enum { ALIGN = 64 }; /* bytes: a cache line                                  */

/* In the sum of what meetings return, a pair of blocks that was left counts so much. */
#define LEFT ((int64_t)1 << 40)

typedef struct slot {
    inner_t inner;
    atomic_flag busy;
} slot_t;

typedef struct sweep {
    mat_t G, C;
    int64_t plus, blocks;
    real_t tol;
    real_t *d;
    int inner_sweeps;
    char *fresh; /* of each block: it has not met another in this sweep      */
    slot_t *slot;
    size_t slot_bytes;
} sweep_t;

/* The columns of a pair of blocks, of which the pluses come first */
typedef struct pair_of_blocks {
    int count, mixed; /* mixed: of both signs                                */
    int order[INNER]; /* order[j]: the one that is to be the j-th            */
    int sign[INNER];
    real_t scale[INNER], length[INNER];
    int lowest,
        highest; /* exponents of the scales of columns that are turned */
} pair_of_blocks_t;

/* -- slots -------------------------------------------------------------------- */

static int64_t blocks_of(int64_t n) { return (n + HALF - 1) / HALF; }

static size_t slot_bytes(void)
{
    return (sizeof(slot_t) + ALIGN - 1) / ALIGN * ALIGN;
}

static slot_t *slot_at(const sweep_t *s, int i)
{
    return (slot_t *)(void *)((char *)s->slot + (size_t)i * s->slot_bytes);
}

/* One that no other thread has: there are as many as threads. */
static slot_t *take_slot(const sweep_t *s)
{
    for (int i = 0;; ++i) {
        slot_t *const slot = slot_at(s, i);
        if (!atomic_flag_test_and_set_explicit(&slot->busy,
                                               memory_order_acquire))
            return slot;
    }
}

/* So many threads have slots in this work. */
static int threads_in(size_t bytes)
{
    return (int)((bytes - ALIGN) / slot_bytes());
}

static size_t bytes_of(int64_t n, int64_t threads)
{
    const int64_t at_once = (n + INNER - 1) / INNER;
    return (size_t)min_i(threads, max_i(at_once, 1)) * slot_bytes() + ALIGN +
           (size_t)blocks_of(n);
}

/* For as many threads as are of use, however many there are: the bytes of a call are told
 * at another time. */
size_t X(block_sweep_bytes)(int64_t n)
{
    return bytes_of(n, gsvd_is_alone() ? 1 : INT64_MAX);
}

/* -- a meeting ---------------------------------------------------------------- */

static void find_columns(const sweep_t *s, mat_t M, int64_t P, int64_t Q,
                         columns_t *c)
{
    c->count = 0;
    c->rows = M.rows;
    for (int block = 0; block < (P == Q ? 1 : 2); ++block) {
        const int64_t first = (block ? Q : P) * HALF;
        const int64_t end = min_i(first + HALF, s->G.cols);
        for (int64_t j = first; j < end; ++j)
            c->column[c->count++] = &AT(M, 0, j);
    }
}

static int64_t column_of(int64_t P, int64_t Q, int j)
{
    return j < HALF ? P * HALF + j : Q * HALF + j - HALF;
}

/* order: each sign by descending length, if one column is clearly out of order; else the
 * order stays.  Neighbours of nearly equal length change places with no profit. */
static int sort_if_inverted(pair_of_blocks_t *b)
{
    real_t shortest = 0;
    int inverted = 0;
    for (int j = 0; j < b->count && !inverted; ++j) {
        const int k = b->order[j];
        const int first = j == 0 || b->sign[k] != b->sign[b->order[j - 1]];
        inverted = !first && out_of_order(shortest, b->length[k]);
        shortest = first || b->length[k] < shortest ? b->length[k] : shortest;
    }
    for (int j = 1; j < b->count && inverted; ++j) {
        const int k = b->order[j];
        int i = j;
        for (; i > 0 && comes_before(b->length[k], b->length[b->order[i - 1]],
                                     b->sign[k], b->sign[b->order[i - 1]]);
             --i)
            b->order[i] = b->order[i - 1];
        b->order[i] = k;
    }
    return inverted;
}

static int64_t count_cosines(const inner_t *t, int count, real_t tol)
{
    int64_t found = 0;
    real_t root[INNER];
    for (int j = 0; j < count; ++j) {
        const real_t *const h = t->H + j * INNER;
        root[j] = root_of(h[j]);
        for (int i = 0; i < j; ++i)
            found += cosine_exceeds(
                root[i], root[j], make(h[i], h[(PLANES - 1) * PLANE + i]), tol);
    }
    return found;
}

/* H := nearly diagonal; its sweeps are counted by the largest cosine that they meet. */
static void diagonalize(inner_t *t, int most_sweeps, real_t tol)
{
    for (int sweep = 0; sweep < most_sweeps; ++sweep) {
        real_t most = 0;
        for (int step = 0; step < (t->all ? INNER - 1 : HALF); ++step)
            most = fmax_r(most, X(inner_step)(t, tol));
        if (most <= INNER_SMALL)
            return;
    }
}

/* May H not be what V makes of the columns' Gram matrix, or has V large entries?  b->length is
 * that of the columns before. */
static int is_unsure(const inner_t *t, const pair_of_blocks_t *b)
{
    int found = 0;
    for (int64_t i = 0; i < PLANES * PLANE; ++i)
        found |= exceeds(fabs_r(t->V[i]), HYPERBOLIC_MOST);
    for (int i = 0; i < INNER; ++i)
        found |= is_spent(b->length[t->label[i]],
                          length_over(t->H[i * INNER + i], t->scale[i]));
    return found;
}

/* b and t->H for the blocks P and Q, whose columns are g's */
static void prepare(const sweep_t *s, inner_t *t, int64_t P, int64_t Q,
                    const columns_t *g, pair_of_blocks_t *b)
{
    b->count = g->count;
    b->mixed = 0;
    b->lowest = INT_MAX;
    b->highest = INT_MIN;
    for (int j = 0; j < INNER; ++j) {
        const int64_t at = min_i(column_of(P, Q, j), s->G.cols - 1);
        b->order[j] = j;
        b->scale[j] = j < g->count ? power_below(s->d[at]) : 1;
        b->sign[j] = at < s->plus ? 1 : -1;
        b->mixed |= b->sign[j] != b->sign[0];
        if (j < g->count && long_enough(s->d[at])) {
            const int e = exponent_r(b->scale[j]);
            b->lowest = e < b->lowest ? e : b->lowest;
            b->highest = e > b->highest ? e : b->highest;
        }
    }
    t->H = t->square[0];
    t->V = t->square[1];
    t->H2 = t->square[2];
    t->V2 = t->square[3];
    X(inner_gram)(t, g, b->scale);
    for (int j = 0; j < INNER; ++j)
        b->length[j] = length_over(t->H[j * INNER + j], b->scale[j]);
}

/* b->order: by the new lengths */
static void find_order(const inner_t *t, pair_of_blocks_t *b)
{
    for (int i = 0; i < INNER; ++i)
        b->length[t->label[i]] = length_over(t->H[i * INNER + i], t->scale[i]);
    sort_if_inverted(b);
}

static int64_t meet_in(const sweep_t *s, inner_t *t, int64_t P, int64_t Q)
{
    columns_t g, c;
    pair_of_blocks_t b;

    find_columns(s, s->G, P, Q, &g);
    prepare(s, t, P, Q, &g, &b);
    const int inverted = sort_if_inverted(&b);
    const int all = inverted || s->fresh[P] || s->fresh[Q];
    const int64_t count = count_cosines(t, g.count, s->tol) + inverted;
    s->fresh[P] = s->fresh[Q] = 0;
    if (count == 0)
        return 0;
    if (are_too_far_apart(b.lowest, b.highest))
        return LEFT;

    X(inner_start)(t, all, b.order, b.scale, b.sign);
    diagonalize(t, s->inner_sweeps, INNER_TOLERANCE * s->tol);
    if (b.mixed && is_unsure(t, &b))
        return LEFT;
    find_order(t, &b);
    const real_t drift = X(inner_polish)(t, b.sign, b.order);
    if (b.mixed && exceeds(drift, HYPERBOLIC_DRIFT))
        return LEFT; /* G and C are as they were.                             */
    X(inner_update)(t, &g);
    if (s->C.data) {
        find_columns(s, s->C, P, Q, &c);
        if (b.mixed) /* V^-H = J V J                                          */
            X(inner_change_signs)(t, b.sign);
        X(inner_update)(t, &c);
    }
    for (int j = 0; j < g.count; ++j)
        s->d[column_of(P, Q, j)] = b.length[b.order[j]];
    return count;
}

static int64_t meet_blocks(const void *data, int64_t P, int64_t Q)
{
    const sweep_t *const s = data;
    if (P == Q && s->blocks > 1) /* Each meets another in this sweep.         */
        return 0;
    slot_t *const slot = take_slot(s);
    const int64_t count = meet_in(s, &slot->inner, P, Q);
    atomic_flag_clear_explicit(&slot->busy, memory_order_release);
    return count;
}

/* -- the primitive ------------------------------------------------------------ */

gsvd_status_t X(sweep_blocks_cpu)(const exec_t *ex, mat_t G, mat_t C,
                                  int64_t plus, real_t tol, real_t *d,
                                  int64_t *rotations)
{
    const int64_t blocks = blocks_of(G.cols);
    const size_t left = ex->work.size - ex->work.used;
    const size_t most = bytes_of(G.cols, gsvd_threads());
    const size_t bytes = left < most ? left : most;
    const int threads = threads_in(bytes - (size_t)blocks);
    void *work;

    if (G.cols < 2 || G.rows == 0)
        return GSVD_SUCCESS;
    GSVD_TRY(X(kernel_work)(ex, slot_bytes() + ALIGN + (size_t)blocks, &work));
    const sweep_t s = {
        .G = G,
        .C = C,
        .plus = plus,
        .blocks = blocks,
        .tol = tol,
        .d = d,
        .inner_sweeps = (int)ex->tune->inner_sweeps,
        .fresh = (char *)work + (bytes - (size_t)blocks),
        .slot = (slot_t *)(void *)((char *)work +
                                   (ALIGN - (uintptr_t)work % ALIGN) % ALIGN),
        .slot_bytes = slot_bytes()};
    for (int i = 0; i < threads; ++i)
        atomic_flag_clear(&slot_at(&s, i)->busy);
    for (int64_t i = 0; i < blocks; ++i)
        s.fresh[i] = 1;
    const int64_t sum = gsvd_meetings(s.blocks, meet_blocks, &s, threads);
    rotations[0] += sum % LEFT;
    rotations[1] += sum / LEFT;
    return GSVD_SUCCESS;
}
