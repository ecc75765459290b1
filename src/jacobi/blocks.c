/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* blocks.c -- block Jacobi, one-sided (Novakovic 2015; Singer et al. 2012).
 *
 *     repeat  for all pairs (P, Q) of blocks of columns, by an ordering of blocks:
 *             H = (G_P G_Q)^H (G_P G_Q), the columns normalized
 *             V = product of Jacobi rotations that make H diagonal, or more nearly so
 *             (G_P G_Q) := (G_P G_Q) V,  (C_P C_Q) := (C_P C_Q) V^-H, sorted by length
 *     until   |g_p^H g_q| <= tol |g_p| |g_q|   for all pairs of columns in one sweep
 *
 * The test is that of sweep.c, and of true columns: each meeting forms H anew.  H has
 * rounding errors of its own columns alone, whatever their lengths, and V moves parts of
 * columns that are as short as the rotations say, so that lengths keep their relative
 * accuracy (inner.h).  Where H is too ill-conditioned to say what the angles are,
 * V is unitary nevertheless, and the pair's next meeting sees better columns: Cholesky's
 * factor or QR of the pair, which Novakovic takes to shorten it, is not needed.
 *
 * A J-unitary V with large entries is not J-unitary up to rounding, and columns may be so far
 * apart that V has no number for what the short ones lose to the long ones.  The pairs of blocks
 * that ask for such a V are left, and a sweep of rotations follows (sweep.c).
 */
#include "core/rotate.h"
#include "jacobi/jacobi.h"

typedef struct work {
    real_t *d; /* the lengths of G's columns                        */
    real_t *zero;
    int64_t *rotations; /* two counters                                      */
} work_t;

static void carve(arena_t *a, int64_t n, work_t *w)
{
    w->d = gsvd_arena_take(a, n, sizeof(real_t));
    w->zero = gsvd_arena_take(a, n, sizeof(real_t));
    w->rotations = gsvd_arena_take(a, 2, sizeof(int64_t));
}

int X(are_blocks)(const exec_t *ex, int64_t n)
{
    return n >= ex->tune->block_jacobi;
}

size_t X(block_jacobi_bytes)(const exec_t *ex, const task_t *t)
{
    const int64_t n = t->A.cols;
    arena_t count = {0};
    work_t w;
    if (!X(are_blocks)(ex, n))
        return 0;
    carve(&count, n, &w);
    return gsvd_arena_bytes(&count) +
           ex->op->kernel_bytes(ex, KERNELS_BLOCKS, t->A.rows, n, 0);
}

/* One sweep over the blocks.  *count: rotations; *left: pairs of blocks */
static gsvd_status_t sweep_blocks(const exec_t *ex, mat_t G, mat_t C,
                                  int64_t plus, real_t tol, const work_t *w,
                                  int64_t *count, int64_t *left)
{
    GSVD_TRY(ex->op->column_norms(ex, G, w->d));
    GSVD_TRY(ex->op->sweep_blocks(ex, G, C, plus, tol, w->d, w->rotations));
    GSVD_TRY(ex->op->read_rotations(ex, w->rotations, count));
    return ex->op->read_rotations(ex, w->rotations + 1, left);
}

/* *point: so many of them went pair by pair. */
static gsvd_status_t run_sweeps(const exec_t *ex, const task_t *t, int *point)
{
    const mat_t G = t->A, C = t->C;
    int64_t *const rotations = t->count;
    outcome_t *const out = t->out;
    const policy_t *const policy = &ex->policy;
    const real_t tol = X(asked_tolerance)(ex, G.rows);
    exec_t in = *ex;
    int64_t count = 0, left = 0;
    work_t w;

    *point = 0;
    if (G.cols < 2 || out->stopped)
        return GSVD_SUCCESS;
    carve(&in.work, G.cols, &w);
    GSVD_TRY(X(work_suffices)(&in));
    GSVD_TRY(in.op->read_rotations(&in, w.rotations, NULL)); /* sets 0 */
    GSVD_TRY(in.op->read_rotations(&in, w.rotations + 1, NULL));
    GSVD_TRY(in.op->read_rotations(&in, rotations, NULL));
    for (int sweep = 0; sweep < policy->max_sweeps; ++sweep) {
        if (left > 0) {
            left = 0;
            ++*point;
            GSVD_TRY(in.op->sweep(&in, G, C, t->k, tol, rotations));
            GSVD_TRY(in.op->read_rotations(&in, rotations, &count));
        } else {
            GSVD_TRY(sweep_blocks(&in, G, C, t->k, tol, &w, &count, &left));
        }
        ++out->sweeps;
        if (policy->progress)
            out->stopped = policy->progress(policy->progress_user, out->sweeps,
                                            count + left);
        if (count + left == 0)
            return GSVD_SUCCESS;
        if (out->stopped)
            break;
    }
    out->unfinished = 1;
    return GSVD_SUCCESS;
}

gsvd_status_t X(block_sweeps)(const exec_t *ex, const task_t *t)
{
    int point;
    return run_sweeps(ex, t, &point);
}

/* Are the columns of G, which are orthogonal, unitary over their lengths?  That asks for
 * the default tolerance, and for no column among them that is too short to be turned. */
static gsvd_status_t is_unitary(const exec_t *ex, mat_t G, int *yes)
{
    exec_t in = *ex;
    int64_t turned = 0;
    work_t w;

    *yes = 0;
    if (X(asked_tolerance)(ex, G.rows) > X(unitary_tolerance)(ex, G.rows))
        return GSVD_SUCCESS;
    carve(&in.work, G.cols, &w);
    GSVD_TRY(in.op->column_norms(&in, G, w.d));
    GSVD_TRY(in.op->values_set(&in, 0, G.cols, ROTATE_TINY, w.zero));
    GSVD_TRY(in.op->values_lead(&in, G.cols, w.d, w.zero, &turned));
    *yes = turned == G.cols;
    return GSVD_SUCCESS;
}

gsvd_status_t X(block_jacobi)(const exec_t *ex, const task_t *t)
{
    const int unfinished = t->out->unfinished;
    int point;

    *t->yes = 0;
    if (t->how == AIM_FROM_IDENTITY)
        GSVD_TRY(ex->op->set(ex, t->C, 0, 1));
    t->out->unfinished = 0;
    GSVD_TRY(run_sweeps(ex, t, &point));
    if (!t->out->unfinished && point == 0) /* C drifts with each rotation.   */
        GSVD_TRY(is_unitary(ex, t->A, t->yes));
    t->out->unfinished |= unfinished;
    return GSVD_SUCCESS;
}
