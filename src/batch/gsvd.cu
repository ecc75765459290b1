/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* gsvd.cu -- the GSVD of small pairs, a team each; CUDA twin of gsvd.c.
 *
 * Pairs of one size whose B may have full column rank are solved in registers before
 * (gsvd_columns.cu), and those that this leaves here, in a second launch: nobody waits for how many
 * there are.
 *
 * A pair is read once and written once; all between is in the shared memory of its team: six
 * matrices as large as the largest of A and B.  Pairs of a step of Jacobi go to squads of 8
 * lanes, so that a team has no more threads than pay: 2 squads for orders to 8; a warp to
 * 16; 16 squads, a thread block, to 32.
 */
#include "batch/demand.h"
#include "batch/gsvd.h"
#include "batch/gsvd_device.h"
#include "batch/make_team.cuh"
#include "batch/solvers.h"
#include "core/cuda_state.h"
#include "primitives.h"

/* The kernel's geometry, not a card's: its registers and shared memory are laid out for AT_ONCE
 * blocks of a multiprocessor. */
enum { THREADS = 128, AT_ONCE = 4, MOST_BLOCKS = 1 << 30 };

/* -- kernel ----------------------------------------------------------------------- */

/* Is a pair left among those that the team has from number i on, every `step`, as many as it has
 * threads? */
static __device__ __forceinline__ int some_left(team_t t, const gsvd_batch_t *b,
                                                int64_t i, int64_t step)
{
    const int64_t mine = i + team_rank(t) * step;
    return team_any(t, mine < b->count && b->info[mine] == PAIR_LEFT);
}

/* Team i of a block has its memory i * bytes from the block's, and pair i of those that the
 * block takes; what is left goes round.  left: of these only the ones that are marked so. */
template <int SQUADS>
static __global__ void __launch_bounds__(THREADS, AT_ONCE)
    gsvd_batched_kernel(const __grid_constant__ team_batch_t c, size_t bytes,
                        int left)
{
    extern __shared__ __align__(16) unsigned char memory[];
    const int team = threadIdx.x / (SQUADS * LANES);
    const int teams = blockDim.x / (SQUADS * LANES);
    const int64_t step = (int64_t)gridDim.x * teams;
    const team_t t = make_team<SQUADS>();
    int64_t i = (int64_t)blockIdx.x * teams + team;

    for (int k = 0; i < c.b.count; i += step, ++k) {
        if (left && k % team_size(t) == 0 && !some_left(t, &c.b, i, step)) {
            i += (team_size(t) - 1) * step;
            k += team_size(t) - 1;
        } else if (!left || c.b.info[i] == PAIR_LEFT) {
            solve_one(t, &c, i, memory + team * bytes);
        }
    }
}

/* -- launcher --------------------------------------------------------------------- */

static int order_of(const gsvd_batch_t *b)
{
    return (int)max_i(max_i(b->m, b->n), max_i(b->p, 1));
}

/* An odd number: neighbours in a row lie in different banks. */
static int ld_of(int order) { return order | 1; }

static int squads_of(int order)
{
    return order <= 8 ? 2 : order <= 16 ? 4 : 16;
}

static demand_t demand_of(int order, int shared)
{
    const int squads = squads_of(order);
    const void *const kernel =
        squads == 2   ? (const void *)gsvd_batched_kernel<2>
        : squads == 4 ? (const void *)gsvd_batched_kernel<4>
                      : (const void *)gsvd_batched_kernel<16>;
    return demand("gsvd_batched_kernel", squads, kernel, THREADS,
                  (size_t)(shared - STATIC_SHARED));
}

int X(gsvd_batched_demands)(int shared, demand_t *d)
{
    d[0] = demand_of(8, shared);
    d[1] = demand_of(16, shared);
    d[2] = demand_of(32, shared);
    return 3;
}

/* The teams of a block, as many as have room; 0: there is none for one */
static int teams_of(int order, int shared)
{
    const int squads = squads_of(order), most = THREADS / (squads * LANES) / 2;
    const size_t bytes = team_bytes(order, ld_of(order));
    int teams = squads > 4 ? 1 : most;

    while (teams > 0 && !fits_shared(shared, (size_t)teams * bytes))
        --teams;
    return teams;
}

/* All pairs, or, left, those that are marked so, whose grid is as large as the device */
static gsvd_status_t by_teams(const exec_t *ex, const gsvd_batch_t *b, int left)
{
    const int order = order_of(b), shared = cuda_of(ex->h)->shared;
    const int squads = squads_of(order), teams = teams_of(order, shared);
    const demand_t d = demand_of(order, shared);
    const team_batch_t c = team_batch_of(b, &ex->policy, order, ld_of(order));
    const size_t bytes = team_bytes(order, ld_of(order));
    const int64_t at_once = (int64_t)cuda_of(ex->h)->multiprocessors * AT_ONCE;

    GSVD_TRY(gsvd_allow_shared(ex->h, &d));
    const unsigned blocks = (unsigned)min_i(
        (b->count + teams - 1) / teams, left ? at_once : (int64_t)MOST_BLOCKS);
    const unsigned threads = (unsigned)(teams * squads * LANES);
    void *arguments[] = {(void *)&c, (void *)&bytes, (void *)&left};
    GSVD_CUDA(ex->h,
              cudaLaunchKernel(d.kernel, dim3(blocks), dim3(threads), arguments,
                               (size_t)teams * bytes, stream_of(ex)));
    return gsvd_launched(ex->h, d.name);
}

/* -- the solvers ------------------------------------------------------------------- */

static int teams_apply(const exec_t *ex, const task_t *t)
{
    const gsvd_batch_t *const b = gsvd_batch_in(t);
    const policy_t *const policy = &ex->policy;
    return order_of(b) <= TEAM_MOST &&
           teams_of(order_of(b), cuda_of(ex->h)->shared) > 0 &&
           policy->form == GSVD_FORM_LAPACK &&
           policy->solver != GSVD_SOLVER_TGSJA &&
           policy->panel == GSVD_PANEL_AUTO && !policy->progress;
}

static int columns_apply(const exec_t *ex, const task_t *t)
{
    return X(gsvd_columns_fit)(ex, gsvd_batch_in(t)) && teams_apply(ex, t);
}

static gsvd_status_t all_by_teams(const exec_t *ex, const task_t *t)
{
    return by_teams(ex, gsvd_batch_in(t), 0);
}

static gsvd_status_t by_columns(const exec_t *ex, const task_t *t)
{
    GSVD_TRY(X(gsvd_by_columns)(ex, gsvd_batch_in(t)));
    return by_teams(ex, gsvd_batch_in(t), 1);
}

static const solver_t solver[] = {
    {"columns in registers, what these leave by teams", NULL, columns_apply,
     NULL, by_columns},
    {"teams", NULL, teams_apply, NULL, all_by_teams}};
const solvers_t X(gsvd_solvers_cuda) = SOLVERS("GSVD of each", solver);
