/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* block_sweep.cpp -- the kernels of jacobi/block_sweep.cuh on the host, a pair of blocks at a time. */
#define EMULATED_THREADS 1024
#include "emulated/block.h"

#include "emulated/races.h"
#include "jacobi/block_sweep.cuh"

typedef struct call {
    sweep_t s;
    meetings_t m;
    int64_t tiles_of_G;
} call_t;

alignas(16) static char memory[INNER_BYTES + 2 * INNER * LD * sizeof(scalar_t)];

static void run_gram(void *t)
{
    gram_kernel(((call_t *)t)->s, ((call_t *)t)->m);
}
static void run_rotate(void *t)
{
    rotate_pair(&((call_t *)t)->s, &((call_t *)t)->m, (inner_t *)memory);
}
static void run_apply(void *t)
{
    const call_t *const k = (const call_t *)t;
    apply_kernel(k->s, k->m, k->tiles_of_G);
}

static void run_blocks(void (*run)(void *), call_t *t, int threads,
                       int64_t blocks, int backward)
{
    block::index_of_block.x = 0;
    for (int64_t y = 0; y < blocks; ++y) {
        block::index_of_block.y = (unsigned)y;
        block::run(threads, run, t, backward);
    }
    block::index_of_block.y = 0;
}

static int64_t tiles_of(mat_t A)
{
    return A.data ? (A.rows + TILE_ROWS - 1) / TILE_ROWS : 0;
}

static void meet(call_t *t, int64_t p, int64_t q, int backward)
{
    t->m.p[0] = (uint16_t)p;
    t->m.q[0] = (uint16_t)q;
    t->m.all[0] = q == p + 1;
    memset(memory, 0xff, sizeof memory); /* NaN                              */
    run_blocks(run_gram, t, THREADS, t->s.parts, backward);
    run_blocks(run_rotate, t, TURNERS, 1, backward);
    run_blocks(run_apply, t, THREADS, t->tiles_of_G + tiles_of(t->s.C),
               backward);
}

extern "C" int64_t X(block_sweep_on_host)(mat_t G, mat_t C, int64_t plus,
                                          double tol, int inner_sweeps,
                                          real_t *d, int backward)
{
    enum { PARTS = 2 };
    const int64_t blocks = (G.cols + HALF - 1) / HALF;
    unsigned long long rotations[2] = {0, 0};
    int apply = 0;
    call_t *const t = (call_t *)calloc(1, sizeof *t);
    scalar_t *const H =
        (scalar_t *)malloc((PARTS + 1) * INNER * INNER * sizeof(scalar_t));
    if (!t || !H)
        abort();
    t->s.G = G;
    t->s.C = C;
    t->s.plus = plus;
    t->s.tol = (real_t)tol;
    t->s.d = d;
    t->s.inner_sweeps = inner_sweeps;
    t->s.parts = PARTS;
    t->s.part_rows = (G.rows + PARTS - 1) / PARTS;
    t->s.H = H;
    t->s.V = H + PARTS * INNER * INNER;
    t->s.apply = &apply;
    t->s.rotations = rotations;
    t->tiles_of_G = tiles_of(G);
    for (int64_t p = 0; p < blocks; ++p)
        for (int64_t q = p + 1; q < blocks || (blocks == 1 && q == 1); ++q)
            meet(t, p, q, backward);
    free(H);
    free(t);
    return (int64_t)rotations[0] + (int64_t)rotations[1];
}
