/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* orthogonalize.c -- one-sided Jacobi, with a signature and without: by which road. */
#include "core/cost.h"
#include "core/rotate.h"
#include "jacobi/jacobi.h"
#include "qr/roads.h"

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

/* -- roads -------------------------------------------------------------------- */

enum { LARGE_STEPS_ROWS = 2 }; /* the first in both tables                  */

static int large_steps_wanted(const exec_t *ex)
{
    return ex->policy.svd == GSVD_SVD_AUTO;
}

int X(take_large_steps)(const exec_t *ex, int64_t n)
{
    return large_steps_wanted(ex) && X(are_many)(ex, n);
}

static int in_double_wanted(const exec_t *ex)
{
    return large_steps_wanted(ex) && X(in_double_wanted)(ex);
}

/* ex for the rows behind those of large steps */
static exec_t without_large_steps(const exec_t *ex, choice_t choice)
{
    exec_t in = *ex;
    in.policy.svd = GSVD_SVD_JACOBI;
    if (in.policy.forced[choice] <= LARGE_STEPS_ROWS)
        in.policy.forced[choice] = 0;
    return in;
}

static int fits_large_steps(const exec_t *ex, mat_t G, mat_t C, int64_t k)
{
    (void)C, (void)k;
    return X(are_many)(ex, G.cols) && G.rows >= G.cols;
}

static int fits_in_double(const exec_t *ex, mat_t G, mat_t C, int64_t k)
{
    return X(in_double_fits)(ex, G.cols) && fits_large_steps(ex, G, C, k);
}

static int fits_block_jacobi(const exec_t *ex, mat_t G, mat_t C, int64_t k)
{
    (void)C, (void)k;
    return X(are_blocks)(ex, G.cols);
}

typedef struct orthogonalize_road {
    road_t is;
    gsvd_status_t (*run)(const exec_t *ex, mat_t G, mat_t C, aim_t aim,
                         int64_t *rotations, int *unitary, outcome_t *out);
} orthogonalize_road_t;

static const orthogonalize_road_t orthogonalize_road[] = {
    {{"in_double", in_double_wanted, fits_in_double, X(in_double_bytes)},
     X(steps_in_double)},
    {{"large_steps", large_steps_wanted, fits_large_steps,
      X(large_steps_bytes)},
     X(large_steps)},
    {{"block_jacobi", NULL, fits_block_jacobi, X(block_jacobi_bytes)},
     X(block_jacobi)},
    {{"sweeps", NULL, NULL, NULL}, X(sweeps)},
};
const roads_t X(orthogonalize_roads) = GSVD_ROADS("orthogonalize",
                                                  CHOICE_ORTHOGONALIZE,
                                                  orthogonalize_road);

size_t X(orthogonalize_work_bytes)(const exec_t *ex, int64_t m, int64_t n,
                                   int64_t rows_of_c)
{
    return road_bytes(&X(orthogonalize_roads), ex, m, n, rows_of_c);
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
    if (in_double_wanted(ex))
        GSVD_TRY(X(in_double_staging)(ex, n, &in_double));
    *bytes = *bytes > in_double ? *bytes : in_double;
    return GSVD_SUCCESS;
}

gsvd_status_t X(orthogonalize)(const exec_t *ex, mat_t G, mat_t C, aim_t aim,
                               int64_t *rotations, int *unitary, outcome_t *out)
{
    const orthogonalize_road_t *const taken =
        choose_road(&X(orthogonalize_roads), ex, G, C, C.rows);
    *unitary = 0;
    out->unfinished |= out->stopped;
    if (G.cols < 2 || out->stopped)
        return aim == AIM_FROM_IDENTITY ? ex->op->set(ex, C, 0, 1)
                                        : GSVD_SUCCESS;
    return taken->run(ex, G, C, aim, rotations, unitary, out);
}

gsvd_status_t X(orthogonalize_surely)(const exec_t *ex, mat_t G, mat_t C,
                                      aim_t aim, int64_t *rotations,
                                      int *unitary, outcome_t *out)
{
    const exec_t in = without_large_steps(ex, CHOICE_ORTHOGONALIZE);
    return X(orthogonalize)(&in, G, C, aim, rotations, unitary, out);
}

/* -- with a signature ----------------------------------------------------------- */

typedef struct orthogonalize_signed_road {
    road_t is;
    gsvd_status_t (*run)(const exec_t *ex, mat_t G, mat_t C, int64_t plus,
                         int64_t *rotations, outcome_t *out);
} orthogonalize_signed_road_t;

static const orthogonalize_signed_road_t orthogonalize_signed_road[] = {
    {{"in_double", in_double_wanted, fits_in_double, X(signed_in_double_bytes)},
     X(signed_in_double)},
    {{"signed_steps", large_steps_wanted, fits_large_steps,
      X(signed_steps_bytes)},
     X(signed_steps)},
    {{"block_jacobi", NULL, fits_block_jacobi, X(block_jacobi_bytes)},
     X(block_sweeps)},
    {{"sweeps", NULL, NULL, NULL}, X(point_sweeps)},
};
const roads_t
    X(orthogonalize_signed_roads) = GSVD_ROADS("orthogonalize_signed",
                                               CHOICE_ORTHOGONALIZE_SIGNED,
                                               orthogonalize_signed_road);

size_t X(orthogonalize_signed_bytes)(const exec_t *ex, int64_t m, int64_t n,
                                     int64_t rows_of_c)
{
    return road_bytes(&X(orthogonalize_signed_roads), ex, m, n, rows_of_c);
}

gsvd_status_t X(orthogonalize_signed)(const exec_t *ex, mat_t G, mat_t C,
                                      int64_t plus, int64_t *rotations,
                                      outcome_t *out)
{
    const orthogonalize_signed_road_t *const taken =
        choose_road(&X(orthogonalize_signed_roads), ex, G, C, C.rows);
    out->unfinished |= out->stopped;
    if (G.cols < 2 || out->stopped)
        return GSVD_SUCCESS;
    return taken->run(ex, G, C, plus, rotations, out);
}

gsvd_status_t X(orthogonalize_signed_surely)(const exec_t *ex, mat_t G, mat_t C,
                                             int64_t plus, int64_t *rotations,
                                             outcome_t *out)
{
    const exec_t in = without_large_steps(ex, CHOICE_ORTHOGONALIZE_SIGNED);
    return X(orthogonalize_signed)(&in, G, C, plus, rotations, out);
}
