/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* bounds.c -- how far the values of a pair may be off. */
#include <math.h>

#include "gsvd_filter.h"
#include "routine.h"

/* The library scales columns, unless it is told not to or has a tolerance in their units. */
static bool are_scaled(const task_t *t)
{
    return t->equilibrate == GSVD_EQUILIBRATE_ON ||
           (t->equilibrate == GSVD_EQUILIBRATE_AUTO && t->tol_a < 0 &&
            t->tol_b < 0);
}

/* The lengths of A's columns; where these are not scaled, the largest for each of them */
static bool lengths_of(const matrix_t *A, bool scaled, matrix_t *lengths)
{
    const int64_t numbers = A->rows * A->width;
    double most = 0;

    if (!matrix_create(lengths, A->cols, 1, 1))
        return false;
    for (int64_t j = 0; j < A->cols; ++j) {
        for (int64_t i = 0; i < numbers; ++i)
            lengths->at[j] = hypot(lengths->at[j], A->at[i + j * numbers]);
        most = fmax(most, lengths->at[j]);
    }
    for (int64_t j = 0; j < A->cols && !scaled; ++j)
        lengths->at[j] = most;
    return true;
}

static gsvd_status_t call(gsvd_handle_t h, const decomposition_t *d,
                          const void *a, const void *b, void *work)
{
    const int64_t n = d->n, r = d->k + d->l, ld = n > 1 ? n : 1;
    const void *const alpha = d->alpha.at, *const beta = d->beta.at;
    const void *const Y = d->Q.at;
    void *const bounds = d->bounds.at, *const cond = d->cond.at;

#define CASE(TYPE, letter)                                                     \
    case TYPE:                                                                 \
        return letter##gsvd_error_bounds(h, n, r, alpha, beta, a, b, Y, ld, 0, \
                                         bounds, cond, work)
    switch (d->type) {
#if GSVD_HAVE_S
        CASE(GSVD_S, s);
#endif
#if GSVD_HAVE_D
        CASE(GSVD_D, d);
#endif
#if GSVD_HAVE_C
        CASE(GSVD_C, c);
#endif
#if GSVD_HAVE_Z
        CASE(GSVD_Z, z);
#endif
    default: return GSVD_NOT_SUPPORTED;
    }
}

gsvd_status_t decompose_bounds(gsvd_handle_t h, decomposition_t *d,
                               const matrix_t *A, const matrix_t *B)
{
    const bool scaled = are_scaled(d->task);
    matrix_t a = {0}, b = {0}, work = {0};
    gsvd_status_t status = GSVD_OUT_OF_MEMORY;

    if (lengths_of(A, scaled, &a) && lengths_of(B, scaled, &b) &&
        matrix_create(&work, 2 * d->n, 1, 1)) {
        if (d->task->single) {
            matrix_narrow(&a);
            matrix_narrow(&b);
        }
        status = call(h, d, a.at, b.at, work.at);
    }
    matrix_free(&a);
    matrix_free(&b);
    matrix_free(&work);
    return status;
}
