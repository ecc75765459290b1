/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* make_team.cuh -- a thread's team, of threads that follow one another in their block. */
#ifndef GSVD_BATCH_MAKE_TEAM_CUH
#define GSVD_BATCH_MAKE_TEAM_CUH

#include "core/team.h"

/* of SQUADS squads, number `team` of its block */
template <int SQUADS> static __device__ __forceinline__ team_t make_team(void)
{
    const int lane = threadIdx.x % LANES_OF_WARP, size = SQUADS * LANES;
    const unsigned all = 0xffffffff;
    team_t t;
    t.lane = threadIdx.x % LANES;
    t.squad = threadIdx.x / LANES % SQUADS;
    t.squads = SQUADS;
    t.squad_mask = 0xffu << lane / LANES * LANES;
    t.mask = size < LANES_OF_WARP
                 ? (all >> (LANES_OF_WARP - size % LANES_OF_WARP))
                       << lane / size * size
                 : all;
    return t;
}

#endif /* GSVD_BATCH_MAKE_TEAM_CUH */
