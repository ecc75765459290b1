/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* gsvd_columns.cu -- the GSVD of small pairs in registers, in one launch: a part of gsvd.cu, which
 * takes the pairs that this leaves. */
#include "batch/demand.h"
#include "batch/gsvd_columns.cuh"
#include "core/launch.h"

enum { A_LAUNCH = 1 << 29 }; /* pairs: a grid has less than 2^31 blocks      */

/* Blocks, of a warp, of a multiprocessor at a time.  In registers there are NC entries of G
 * and of V, half as many products, and some 50 numbers. */
template <int NC> struct blocks_at_once {
    enum {
        BYTES = 2 * NC * (int)sizeof(scalar_t),
        VALUE = BYTES >= 512   ? 8
                : BYTES >= 256 ? 12
                : BYTES >= 128 ? 16
                               : 24
    };
};

/* -- kernels ------------------------------------------------------------------- */

/* grid: as many blocks as it takes; block: a warp, 32 / NC teams with a pair each. */
template <int NC>
static __global__ void __launch_bounds__(LANES, (blocks_at_once<NC>::VALUE))
    gsvd_columns_kernel(const __grid_constant__ pairs_t c)
{
    __shared__ warp_memory<NC> memory;
    solve_pairs<NC>(&c, blockIdx.x, &memory);
}

/* grid: as many blocks as there are pairs; block: two warps with one pair. */
template <int NC>
static __global__ void __launch_bounds__(2 * LANES, 4)
    gsvd_two_warps_kernel(const __grid_constant__ pairs_t c)
{
    extern __shared__ __align__(16) char memory[];
    solve_pair_by_two<NC>(&c, blockIdx.x, (warp_memory<NC> *)memory);
}

/* -- launchers ------------------------------------------------------------------ */

template <int NC> static demand_t demand_of_two(void)
{
    return demand("gsvd_two_warps_kernel", NC,
                  (const void *)gsvd_two_warps_kernel<NC>, 2 * LANES,
                  sizeof(warp_memory<NC>));
}

/* Of complex double alone; on each GPU there is room for one block at least. */
template <int NC> static int demands(demand_t *d)
{
    if constexpr (warps_of_pair<NC>::VALUE == 2) {
        *d = demand_of_two<NC>();
        return 1;
    }
    return 0;
}

int X(gsvd_columns_demands)(demand_t *d) { return demands<PAIR_COLUMNS>(d); }

int X(gsvd_columns_fit)(const exec_t *ex, const gsvd_batch_t *b)
{
    return team_of_pairs(b, &ex->policy, ex->tune->pairs_in_registers) > 0;
}

/* As many blocks as registers allow have room in shared memory where that is as large as it
 * may be. */
template <int NC>
static gsvd_status_t launch(const exec_t *ex, const pairs_t *c)
{
    const int64_t teams = LANES / NC, blocks = (c->count + teams - 1) / teams;
    if constexpr (warps_of_pair<NC>::VALUE == 2) {
        const demand_t d = demand_of_two<NC>();
        GSVD_TRY(gsvd_allow_shared(ex->h, &d));
        GSVD_TRY(gsvd_prefer_shared(ex->h, d.kernel));
        gsvd_two_warps_kernel<NC>
            <<<(unsigned)blocks, 2 * LANES, d.bytes, stream_of(ex)>>>(*c);
    } else {
        GSVD_TRY(
            gsvd_prefer_shared(ex->h, (const void *)gsvd_columns_kernel<NC>));
        gsvd_columns_kernel<NC>
            <<<(unsigned)blocks, LANES, 0, stream_of(ex)>>>(*c);
    }
    return gsvd_launched(ex->h, "gsvd_columns_kernel");
}

gsvd_status_t X(gsvd_by_columns)(const exec_t *ex, const gsvd_batch_t *b)
{
    const int nc = team_of_pairs(b, &ex->policy, PAIR_COLUMNS);
    /* A graph may outlive the handle, whose memory the counters are in.        */
    const int counted = cuda_of(ex->h)->capture == CAPTURE_NONE;
    pairs_t c = pairs_of(b, &ex->policy, counted ? cuda_of(ex->h)->way : NULL);

    for (; c.first < b->count; c.first += A_LAUNCH) {
        c.count = min_i(b->count - c.first, A_LAUNCH);
        GSVD_TRY(nc == 8    ? launch<8>(ex, &c)
                 : nc == 16 ? launch<16>(ex, &c)
                            : launch<32>(ex, &c));
    }
    return GSVD_SUCCESS;
}
