/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* block_sweep.cu -- one pass over all pairs of blocks of columns; CUDA twin of
 * block_sweep.c.
 *
 * A step of the ordering is three launches, and the host waits for none of them:
 *
 *     gram     H = U^H U of each pair, over parts of the rows
 *     rotate   H := the parts' sum; two-sided Jacobi of it, V = its rotations
 *     apply    (G_P G_Q) := (G_P G_Q) V, (C_P C_Q) := (C_P C_Q) V^-H
 *
 * The predicted cost, n = 2048 in double, blocks of 32 columns, 64 steps of 32 pairs.  gram:
 * 0.54 Gflop and 34 MB, which a second cache holds, at half of the 34 Tflop/s that there are
 * without tensor cores 32 us.  rotate: 32 to 63 inner steps, each of one chain of
 * divisions and roots (600 cycles) and 24 words of H and V to and from shared memory
 * for each of 256 threads (1000 cycles): 32 to 60 us a sweep within.  apply: 1.1 Gflop and
 * 134 MB, 63 us.  Together 0.13 to 0.2 ms a step, 8 to 13 ms a sweep.
 */
#include "core/launch.h"
#include "jacobi/block_sweep.cuh"
#include "jacobi/demand.h"
#include "jacobi/ordering.h"

/* -- rotate ------------------------------------------------------------------- */

/* grid: one block a pair; block: TURNERS.  All that it has lies in dynamic shared memory. */
static __global__ void __launch_bounds__(TURNERS)
    rotate_kernel(sweep_t s, meetings_t m)
{
    extern __shared__ __align__(16) char memory[];
    rotate_pair(&s, &m, (inner_t *)memory);
}

/* -- launches ----------------------------------------------------------------- */

static demand_t rotate_demand(void)
{
    return demand("rotate_kernel", 0, (const void *)rotate_kernel, TURNERS,
                  INNER_BYTES + 2 * (size_t)INNER * LD * sizeof(scalar_t));
}

int X(block_sweep_demands)(demand_t *d)
{
    d[0] = rotate_demand();
    return 1;
}

static int64_t blocks_of(int64_t n) { return (n + HALF - 1) / HALF; }

/* The most pairs of a launch */
static int64_t pairs_of(int64_t n)
{
    return min_i(blocks_of(n) / 2 + 1, AT_ONCE);
}

static int64_t part_rows_of(int64_t m)
{
    const int64_t rows = (m + MOST_PARTS - 1) / MOST_PARTS;
    return max_i((rows + STRIP - 1) / STRIP * STRIP, PART_ROWS);
}

static int64_t parts_of_rows(int64_t m)
{
    return max_i((m + part_rows_of(m) - 1) / part_rows_of(m), 1);
}

size_t X(block_sweep_bytes_cuda)(int64_t m, int64_t n)
{
    const size_t pairs = (size_t)pairs_of(n);
    return pairs *
           (((size_t)parts_of_rows(m) + 1) * INNER * INNER * sizeof(scalar_t) +
            sizeof(int));
}

static gsvd_status_t meet(const exec_t *ex, const sweep_t *s,
                          const meetings_t *m, int64_t pairs)
{
    const demand_t d = rotate_demand();
    const int64_t of_G = (s->G.rows + TILE_ROWS - 1) / TILE_ROWS;
    const int64_t of_C =
        s->C.data ? (s->C.rows + TILE_ROWS - 1) / TILE_ROWS : 0;
    const unsigned x = (unsigned)pairs;

    gram_kernel<<<dim3(x, (unsigned)s->parts), THREADS, 0, stream_of(ex)>>>(*s,
                                                                            *m);
    rotate_kernel<<<x, TURNERS, d.bytes, stream_of(ex)>>>(*s, *m);
    apply_kernel<<<dim3(x, (unsigned)(of_G + of_C)), THREADS, 0,
                   stream_of(ex)>>>(*s, *m, of_G);
    return gsvd_launched(ex->h, "sweep_blocks");
}

/* Has the block met none in this sweep?  Marks that it has. */
static int first_meeting(uint8_t *met, int64_t block)
{
    const int known = block < MARKED && (met[block / 8] >> block % 8 & 1);
    if (block < MARKED)
        met[block / 8] |= (uint8_t)(1 << block % 8);
    return !known;
}

/* The meetings of a step, AT_ONCE of them at a time */
static gsvd_status_t meet_all(const exec_t *ex, const sweep_t *s,
                              int64_t blocks, int64_t step, uint8_t *met)
{
    const int64_t most = pairs_of(s->G.cols);
    int64_t pairs = 0, p, q;
    meetings_t m;

    for (int64_t i = 0; i < ordering_pairs(blocks, step); ++i) {
        if (!ordering_pair(blocks, step, i, &p, &q))
            continue;
        const int first = first_meeting(met, p);
        m.p[pairs] = (uint16_t)p;
        m.q[pairs] = (uint16_t)q;
        m.all[pairs] = (uint8_t)(first_meeting(met, q) || first);
        if (++pairs < most)
            continue;
        GSVD_TRY(meet(ex, s, &m, pairs));
        pairs = 0;
    }
    return pairs > 0 ? meet(ex, s, &m, pairs) : GSVD_SUCCESS;
}

static sweep_t carve(mat_t G, void *work)
{
    const int64_t most = pairs_of(G.cols);
    sweep_t s;
    s.G = G;
    s.parts = parts_of_rows(G.rows);
    s.part_rows = part_rows_of(G.rows);
    s.H = (scalar_t *)work;
    s.V = s.H + most * s.parts * (INNER * INNER);
    s.apply = (int *)(s.V + most * (INNER * INNER));
    return s;
}

gsvd_status_t X(sweep_blocks_cuda)(const exec_t *ex, mat_t G, mat_t C,
                                   int64_t plus, real_t tol, real_t *d,
                                   int64_t *rotations)
{
    const int64_t blocks = blocks_of(G.cols);
    const demand_t memory = rotate_demand();
    uint8_t met[MARKED / 8] = {0};
    void *work;

    if (G.cols < 2 || G.rows == 0)
        return GSVD_SUCCESS;
    GSVD_TRY(
        X(kernel_work)(ex, X(block_sweep_bytes_cuda)(G.rows, G.cols), &work));
    GSVD_TRY(gsvd_allow_shared(ex->h, &memory));
    sweep_t s = carve(G, work);
    s.C = C;
    s.plus = plus;
    s.tol = tol;
    s.d = d;
    s.inner_sweeps = (int)ex->tune->inner_sweeps;
    s.rotations = (unsigned long long *)rotations;
    if (blocks == 1) { /* The second block is empty.                         */
        const meetings_t m = {{0}, {1}, {1}};
        return meet(ex, &s, &m, 1);
    }
    for (int64_t step = 0; step < ordering_steps(blocks); ++step)
        GSVD_TRY(meet_all(ex, &s, blocks, step, met));
    return GSVD_SUCCESS;
}
