/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* in_double.c -- one-sided Jacobi of single precision by double's large steps.
 *
 * A pass of large steps makes cosines as small as rounding lets a Gram matrix know them.
 * In double that is below the tolerance of single precision: after the first pass, of bands
 * of 2^15, columns are orthogonal, and no step follows.  In single passes have bands of 2^6,
 * each one takes eigenvectors of the same orders, and steps follow.  Eigenvectors wait for
 * memory and for one another's columns, so that in double they take little more time where
 * the machine's double precision has half the rate of single, or more
 * (tuning_t.in_double).
 */
#include "jacobi/in_double.h"

#include "jacobi/jacobi.h"

static const in_double_t *const in_double = GSVD_OF_DOUBLE(in_double);

static place_t place_of(const exec_t *ex)
{
    place_t at = {.h = ex->h,
                  .queue = ex->queue,
                  .work = ex->work,
                  .staging = ex->staging,
                  .policy = ex->policy};
    at.policy.to_single = 1;
    /* Large steps are taken there, and then sweeps; what a test forces is a solver of this
     * letter. */
    at.policy.svd = GSVD_SVD_JACOBI;
    at.policy.force[0].list = NULL;
    return at;
}

static single_matrix_t single_matrix(mat_t A)
{
    const single_matrix_t view = {A.data, A.rows, A.cols, A.ld};
    return view;
}

int X(in_double_wanted)(const exec_t *ex)
{
    return in_double && ex->tune->in_double > 0;
}

int X(in_double_fits)(const exec_t *ex, int64_t n)
{
    return in_double && X(are_many)(ex, n) && n >= ex->tune->in_double;
}

size_t X(in_double_bytes)(const exec_t *ex, const task_t *t)
{
    const int64_t rows_of_c = t->how == AIM_LENGTHS ? -1 : t->C.rows;
    const place_t at = place_of(ex);
    return X(in_double_fits)(ex, t->A.cols)
               ? in_double->bytes(&at, t->A.rows, t->A.cols, rows_of_c)
               : 0;
}

size_t X(signed_in_double_bytes)(const exec_t *ex, const task_t *t)
{
    const place_t at = place_of(ex);
    return X(in_double_fits)(ex, t->A.cols)
               ? in_double->signed_bytes(&at, t->A.rows, t->A.cols, t->C.rows)
               : 0;
}

gsvd_status_t X(in_double_staging)(const exec_t *ex, int64_t n, size_t *bytes)
{
    const place_t at = place_of(ex);
    *bytes = 0;
    return X(in_double_fits)(ex, n) ? in_double->staging(&at, n, bytes)
                                    : GSVD_SUCCESS;
}

/* What does not fit is not run. */
static gsvd_status_t not_built(const exec_t *ex)
{
    return gsvd_fail(ex->h, GSVD_INTERNAL_ERROR,
                     "large steps: double is not built");
}

gsvd_status_t X(steps_in_double)(const exec_t *ex, const task_t *t)
{
    const place_t at = place_of(ex);
    if (!in_double)
        return not_built(ex);
    return in_double->orthogonalize(&at, single_matrix(t->A),
                                    single_matrix(t->C), (aim_t)t->how,
                                    t->count, t->yes, t->out);
}

gsvd_status_t X(signed_in_double)(const exec_t *ex, const task_t *t)
{
    const place_t at = place_of(ex);
    if (!in_double)
        return not_built(ex);
    return in_double->orthogonalize_signed(
        &at, single_matrix(t->A), single_matrix(t->C), t->k, t->count, t->out);
}
