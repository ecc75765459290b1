/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* jacobi.c -- one-sided Jacobi on a grid: large steps for any number of columns.  Sweeps would send a
 * message for each pair of columns, so that large steps which made no progress are followed by
 * others. */
#include "core/rotate.h"
#include "core/solver.h"
#include "gsvd/pipeline.h"
#include "jacobi/steps.h"

real_t X(unitary_tolerance)(const exec_t *ex, int64_t rows)
{
    (void)ex;
    return jacobi_tolerance(-1, rows);
}

real_t X(asked_tolerance)(const exec_t *ex, int64_t rows)
{
    return jacobi_tolerance(ex->policy.tol_jacobi, rows);
}

/* Columns that pass for many are sorted by length, few are pivoted: run_svd.c. */
int X(take_large_steps)(const exec_t *ex, int64_t n)
{
    return n >= ex->tune->large_steps;
}

/* Large steps need no room above the squares of lengths. */
int X(are_blocks)(const exec_t *ex, int64_t n)
{
    (void)ex, (void)n;
    return 1;
}

typedef struct left {
    mat_t unit, K;
    real_t *length;
} left_t;

static void take(arena_t *a, mat_t G, left_t *w)
{
    w->unit = X(take_matrix)(a, max_i(G.rows, G.cols), G.cols);
    w->K = X(take_matrix)(a, G.cols, G.cols);
    w->length = gsvd_arena_take(a, G.cols, sizeof(real_t));
}

/* *yes: columns are orthogonal, but for those so short that denormal numbers keep them from it, which
 * sweeps leave, too. */
static gsvd_status_t are_orthogonal(const exec_t *ex, mat_t G, int *yes)
{
    exec_t in = *ex;
    left_t w;
    real_t cosine;

    take(&in.work, G, &w);
    GSVD_TRY(X(work_suffices)(&in));
    const mat_t unit = mat_rows(w.unit, 0, G.rows);
    GSVD_TRY(in.op->column_norms(&in, G, w.length));
    for (int64_t j = 0; j < G.cols; ++j)
        w.length[j] = long_enough(w.length[j]) ? w.length[j] : 0;
    GSVD_TRY(in.op->normalize_columns(&in, G, w.length, unit));
    GSVD_TRY(in.op->gram(&in, unit, w.K));
    GSVD_TRY(in.op->largest_cosine(&in, w.K, &cosine));
    *yes = cosine <= X(asked_tolerance)(ex, G.rows);
    return GSVD_SUCCESS;
}

/* What large steps have left */
static gsvd_status_t again(const exec_t *ex, const task_t *t)
{
    int done;
    GSVD_TRY(are_orthogonal(ex, t->A, &done));
    if (!done && t->out->sweeps < ex->policy.max_sweeps)
        return X(large_steps)(ex, t);
    t->out->unfinished |= !done;
    return GSVD_SUCCESS;
}

static const solver_t solver[] = {
    {"large steps", NULL, NULL, NULL, again},
};
const solvers_t X(orthogonalize_solvers) = SOLVERS("one-sided Jacobi", solver);

/* There are no batches. */
const solvers_t X(svd_batches) = {"SVD of each", NULL, 0};
const solvers_t X(eigh_batches) = {"eigenvalues of each", NULL, 0};

size_t X(orthogonalize_work_bytes)(const exec_t *ex, int64_t m, int64_t n,
                                   int64_t rows_of_c)
{
    const task_t t = {.A = mat_of_size(m, n),
                      .C = mat_of_size(max_i(rows_of_c, 0), n),
                      .how = rows_of_c < 0 ? AIM_LENGTHS : AIM_COLUMNS};
    return X(steps_bytes)(ex, &t, 0);
}

double X(orthogonalize_seconds)(const exec_t *ex, int64_t n)
{
    (void)ex, (void)n;
    return 0;
}

gsvd_status_t X(orthogonalize_staging)(const exec_t *ex, int64_t n,
                                       size_t *bytes)
{
    return X(large_steps_staging)(ex, n, bytes);
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
    if (G.cols < 2)
        return aim == AIM_FROM_IDENTITY ? ex->op->set(ex, C, 0, 1)
                                        : GSVD_SUCCESS;
    return X(large_steps)(ex, &t);
}

/* -- with a signature ----------------------------------------------------------- */

/* What signed steps have left; others may have longer columns on their way. */
static gsvd_status_t signed_again(const exec_t *ex, const task_t *t)
{
    int done;
    GSVD_TRY(are_orthogonal(ex, t->A, &done));
    if (!done && t->sure < JACOBI_BY_PAIRS &&
        t->out->sweeps < ex->policy.max_sweeps)
        return X(signed_steps)(ex, t);
    t->out->unfinished |= !done;
    return GSVD_SUCCESS;
}

static const solver_t signed_solver[] = {
    {"large steps", NULL, NULL, NULL, signed_again},
};
const solvers_t X(orthogonalize_signed_solvers) = SOLVERS("Jacobi with signs",
                                                          signed_solver);

size_t X(orthogonalize_signed_bytes)(const exec_t *ex, int64_t m, int64_t n,
                                     int64_t rows_of_c)
{
    const task_t t = {.A = mat_of_size(m, n), .C = mat_of_size(rows_of_c, n)};
    return X(steps_bytes)(ex, &t, 1);
}

double X(orthogonalize_signed_seconds)(const exec_t *ex, int64_t n)
{
    return X(orthogonalize_seconds)(ex, n);
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
    return G.cols < 2               ? GSVD_SUCCESS
           : sure < JACOBI_BY_PAIRS ? X(signed_steps)(ex, &t)
                                    : signed_again(ex, &t);
}
