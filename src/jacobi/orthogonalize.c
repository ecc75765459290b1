/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* orthogonalize.c -- one-sided Jacobi, with a signature and without: by which solver. */
#include "core/cost.h"
#include "core/rotate.h"
#include "core/solver.h"
#include "jacobi/steps.h"

real_t X(unitary_tolerance)(const exec_t *ex, int64_t rows)
{
    /* Cosines of so much in all pairs make a norm of 2 sqrt(n) times that. */
    return ex->policy.to_single ? (real_t)FLT_EPSILON
                                : jacobi_tolerance(-1, rows);
}

real_t X(asked_tolerance)(const exec_t *ex, int64_t rows)
{
    return ex->policy.tol_jacobi < 0
               ? X(unitary_tolerance)(ex, rows)
               : jacobi_tolerance(ex->policy.tol_jacobi, rows);
}

/* There is one process. */
gsvd_status_t X(diagonalize_by_owners)(const exec_t *ex, steps_t *s, int count,
                                       band_t *band, const steps_work_t *w)
{
    (void)ex, (void)s, (void)count, (void)band, (void)w;
    return GSVD_SUCCESS;
}

/* -- solvers ------------------------------------------------------------------ */

static int large_steps_wanted(const exec_t *ex, const task_t *t)
{
    (void)t;
    return ex->policy.svd != GSVD_SVD_JACOBI;
}

int X(take_large_steps)(const exec_t *ex, int64_t n)
{
    return large_steps_wanted(ex, NULL) && X(are_many)(ex, n);
}

static int in_double_wanted(const exec_t *ex, const task_t *t)
{
    return large_steps_wanted(ex, t) && X(in_double_wanted)(ex);
}

static int large_steps_apply(const exec_t *ex, const task_t *t)
{
    return t->sure == JACOBI && X(are_many)(ex, t->A.cols) &&
           t->A.rows >= t->A.cols;
}

static int in_double_applies(const exec_t *ex, const task_t *t)
{
    return X(in_double_fits)(ex, t->A.cols) && large_steps_apply(ex, t);
}

static int blocks_apply(const exec_t *ex, const task_t *t)
{
    return t->sure < JACOBI_BY_PAIRS && X(are_blocks)(ex, t->A.cols);
}

static const solver_t solver[] = {
    {"large steps in double", in_double_wanted, in_double_applies,
     X(in_double_bytes), X(steps_in_double)},
    {"large steps", large_steps_wanted, large_steps_apply, X(large_steps_bytes),
     X(large_steps)},
    {"sweeps by blocks", NULL, blocks_apply, X(block_jacobi_bytes),
     X(block_jacobi)},
    {"sweeps by pairs", NULL, NULL, NULL, X(sweeps)},
};
const solvers_t X(orthogonalize_solvers) = SOLVERS("one-sided Jacobi", solver);

task_t X(orthogonalize_task)(int64_t m, int64_t n, int64_t rows_of_c)
{
    return (task_t){.A = mat_of_size(m, n),
                    .C = mat_of_size(max_i(rows_of_c, 0), n),
                    .how = rows_of_c < 0 ? AIM_LENGTHS : AIM_COLUMNS};
}

size_t X(orthogonalize_work_bytes)(const exec_t *ex, int64_t m, int64_t n,
                                   int64_t rows_of_c)
{
    const task_t t = X(orthogonalize_task)(m, n, rows_of_c);
    return solvers_bytes(&X(orthogonalize_solvers), ex, &t);
}

/* links: for each column; operations: over n^3.  Sweeps take ten times as many. */
static double jacobi_seconds(const exec_t *ex, int64_t n, double links,
                             double operations)
{
    const double cols = (double)n;
    const double more = X(take_large_steps)(ex, n) ? 1 : 10;
    return n < 2 ? 0
                 : seconds_of(ex, 400 + links * cols,
                              more * operations * cols * cols * cols);
}

double X(orthogonalize_seconds)(const exec_t *ex, int64_t n)
{
    return jacobi_seconds(ex, n, 2, 24);
}

double X(orthogonalize_signed_seconds)(const exec_t *ex, int64_t n)
{
    return jacobi_seconds(ex, n, 8, 30);
}

double X(orthogonalize_pair_seconds)(const exec_t *ex, int64_t l)
{
    return jacobi_seconds(ex, l, 9, 44);
}

gsvd_status_t X(orthogonalize_staging)(const exec_t *ex, int64_t n,
                                       size_t *bytes)
{
    size_t in_double = 0;

    *bytes = 0;
    if (!X(take_large_steps)(ex, n))
        return GSVD_SUCCESS;
    GSVD_TRY(X(large_steps_staging)(ex, n, bytes));
    if (in_double_wanted(ex, NULL))
        GSVD_TRY(X(in_double_staging)(ex, n, &in_double));
    *bytes = *bytes > in_double ? *bytes : in_double;
    return GSVD_SUCCESS;
}

gsvd_status_t X(orthogonalize)(const exec_t *ex, mat_t G, mat_t C, aim_t aim,
                               int64_t *rotations, int *unitary, outcome_t *out)
{
    const task_t t = {.A = G,
                      .C = C,
                      .k = G.cols,
                      .how = aim,
                      .count = rotations,
                      .yes = unitary,
                      .out = out};
    *unitary = 0;
    out->unfinished |= out->stopped;
    if (G.cols < 2 || out->stopped)
        return aim == AIM_FROM_IDENTITY ? ex->op->set(ex, C, 0, 1)
                                        : GSVD_SUCCESS;
    return run_solver(&X(orthogonalize_solvers), ex, &t);
}

/* -- with a signature ----------------------------------------------------------- */

static const solver_t signed_solver[] = {
    {"large steps in double", in_double_wanted, in_double_applies,
     X(signed_in_double_bytes), X(signed_in_double)},
    {"large steps", large_steps_wanted, large_steps_apply,
     X(signed_steps_bytes), X(signed_steps)},
    {"sweeps by blocks", NULL, blocks_apply, X(block_jacobi_bytes),
     X(block_sweeps)},
    {"sweeps by pairs", NULL, NULL, NULL, X(sweeps)},
};
const solvers_t X(orthogonalize_signed_solvers) = SOLVERS("Jacobi with signs",
                                                          signed_solver);

size_t X(orthogonalize_signed_bytes)(const exec_t *ex, int64_t m, int64_t n,
                                     int64_t rows_of_c)
{
    const task_t t = X(orthogonalize_task)(m, n, rows_of_c);
    return solvers_bytes(&X(orthogonalize_signed_solvers), ex, &t);
}

gsvd_status_t X(orthogonalize_signed)(const exec_t *ex, mat_t G, mat_t C,
                                      int64_t plus, int sure,
                                      int64_t *rotations, outcome_t *out)
{
    const task_t t = {.A = G,
                      .C = C,
                      .k = plus,
                      .how = AIM_COLUMNS,
                      .sure = sure,
                      .count = rotations,
                      .out = out};
    out->unfinished |= out->stopped;
    return G.cols < 2 || out->stopped
               ? GSVD_SUCCESS
               : run_solver(&X(orthogonalize_signed_solvers), ex, &t);
}
