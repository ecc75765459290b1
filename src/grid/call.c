/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* call.c -- a routine's call on a grid: what all of them do.
 *
 * The caller's arrays have blocks of any shape.  Ours are square, and their size depends on the
 * matrix and the grid alone: so the result does.
 */
#include <math.h>

#include "core/handle.h"
#include "grid/call.h"

enum {
    TURNS = 4 /* blocks of each process along the shorter side, at least   */
};

static const space_t space = {.name = "grid"};
static const machine_t machine = {.name = "grid",
                                  .tuning = {.GSVD_LETTER = &X(tuning_grid)}};

static int64_t block_of(int64_t n)
{
    const int64_t turns = TURNS * max_i(gsvd_grid->p, gsvd_grid->q);
    return max_i(min_i(n / turns, X(grid_widest_block)()), 1);
}

/* Numbers of a rows x cols matrix on process 0, which has the most */
double X(grid_most_here)(int64_t rows, int64_t cols)
{
    const grid_t *const g = gsvd_grid;
    return (double)share_of(rows, g->block, 0, g->p) *
           (double)share_of(cols, g->block, 0, g->q);
}

array_t X(grid_array_given)(const grid_array_t *given)
{
    const gsvd_grid_desc_t *const d = given->desc;
    const array_t array = {.data = given->data,
                           .ld = d->lld,
                           .mb = d->mb,
                           .nb = d->nb,
                           .i = d->i,
                           .j = d->j,
                           .rsrc = (int)d->rsrc,
                           .csrc = (int)d->csrc};
    return array;
}

array_t X(grid_array_alone)(scalar_t *data, int64_t rows, int64_t cols)
{
    const int64_t ld = max_i(rows, 1);
    const array_t array = {
        .data = data, .ld = ld, .mb = ld, .nb = max_i(cols, 1)};
    return array;
}

gsvd_status_t X(grid_copy_in)(const grid_array_t *from, mat_t F)
{
    return X(move)(X(grid_array_given)(from), NULL, NULL, F.rows, F.cols,
                   X(array_of)(F), 0);
}

gsvd_status_t X(grid_copy_out)(mat_t F, const grid_array_t *to)
{
    return F.cols == 0 ? GSVD_SUCCESS
                       : X(move)(X(array_of)(F), NULL, NULL, F.rows, F.cols,
                                 X(grid_array_given)(to), 0);
}

gsvd_status_t X(grid_status_of)(const outcome_t *out, int *info)
{
    gsvd_grid->door.sweeps = out->sweeps;
    if (out->overflow > 0) {
        *info = 2;
        return gsvd_grid_fail(GSVD_OVERFLOW,
                              "the result has values beyond the largest "
                              "number: scale by 2^-%d first",
                              out->overflow);
    }
    if (!out->unfinished)
        return GSVD_SUCCESS;
    *info = 1;
    if (out->lost)
        return gsvd_grid_fail(GSVD_NOT_CONVERGED,
                              "values are too small beside the largest one: "
                              "the type's range does not hold both");
    return gsvd_grid_fail(GSVD_NOT_CONVERGED, "no convergence after %d steps",
                          out->sweeps);
}

/* The longest column of E, infinite if it has a NaN */
gsvd_status_t X(grid_longest)(const exec_t *ex, mat_t E, real_t *lengths,
                              real_t *most)
{
    *most = 0;
    GSVD_TRY(ex->op->column_norms(ex, E, lengths));
    for (int64_t j = 0; j < E.cols; ++j)
        *most = !(lengths[j] <= *most) ? lengths[j] : *most;
    if (!(*most <= GSVD_REAL_MAX))
        *most = (real_t)INFINITY;
    return GSVD_SUCCESS;
}

static grid_routine_op *const routine[GRID_ROUTINES] = {
    [GRID_SVD] = X(svd_on_grid),   [GRID_PAIR] = X(pair_on_grid),
    [GRID_QR] = X(qr_on_grid),     [GRID_GEQP] = X(qr_on_grid),
    [GRID_HSVD] = X(hsvd_on_grid), [GRID_EIGH] = X(eigh_on_grid)};

/* Of ScaLAPACK, of copies beside the call's matrices, and of messages, on the process that has the most;
 * the caller's arrays are dealt out evenly, but for a quarter.  A process that is alone receives what it
 * sends. */
static size_t other_bytes(const grid_call_t *call)
{
    const int64_t m = max_i(call->m, call->p), n = call->n;
    const int64_t most = max_i(m, n);
    const int is_geqp = call->routine == GRID_GEQP;
    const int has_values = !is_geqp && call->routine != GRID_QR;
    const int64_t r = call->routine == GRID_SVD ? min_i(m, n) : n;
    const int is_square =
        call->job[0] == 'U' || call->job[1] == 'U' || call->job[1] == 'V';
    const double moved =
        is_square ? X(grid_most_here)(most, most)
                  : fmax(X(grid_most_here)(m, n), X(grid_most_here)(n, n));
    const double b = 4 * (double)gsvd_grid->block;
    const double panels =
        b * (X(grid_most_here)(most, 1) + X(grid_most_here)(1, most) + b) +
        20 * (double)most;
    const double eigen = has_values ? 3 * X(grid_most_here)(r, r) : 0;
    const double copies = is_geqp                      ? X(grid_most_here)(m, n)
                          : call->routine == GRID_HSVD ? X(grid_most_here)(n, n)
                                                       : 0;
    const double messages =
        (gsvd_grid->size == 1 ? 1.25 : 2.5) * fmin(moved, 2 * MOVED_AT_ONCE);
    return (size_t)((panels + eigen + copies + messages) *
                    (double)sizeof(scalar_t));
}

static gsvd_status_t call_in(struct gsvd_context *h, const grid_call_t *call,
                             int *info)
{
    gsvd_set_defaults(h);
    h->space = &space;
    h->machine = &machine;
    const exec_t ex = {.h = h,
                       .op = &X(backend_grid),
                       .tune = &X(tuning_grid),
                       .queue = QUEUE_OWN,
                       .policy = gsvd_policy_of(h)};
    gsvd_grid->block = block_of(min_i(max_i(call->m, call->p), call->n));
    return (call->quality ? X(measure_on_grid)
                          : routine[call->routine])(&ex, call, info);
}

gsvd_status_t X(grid_run)(const grid_call_t *call)
{
    struct gsvd_context h = {0};
    int info = 0;
    gsvd_status_t status = call_in(&h, call, &info);

    if (status == GRID_PLANNED) {
        *gsvd_grid->planned += other_bytes(call);
        return GSVD_SUCCESS;
    }
    if (h.error[0] && !gsvd_grid->door.error[0])
        (void)gsvd_grid_fail(status, "%.200s", h.error);
    if (call->info)
        *call->info = info;
    return gsvd_report(status, call->info);
}
