/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* for_single.c -- one-sided Jacobi of double precision on matrices of single
 * (in_double.h), in the letters d and z. */
#include "jacobi/steps.h"

/* Columns so long keep their direction in single precision: what its least numbers lack
 * is below rounding. */
#define LEAST_LENGTH ((real_t)(FLT_MIN / FLT_EPSILON))

typedef struct copies {
    mat_t G, C; /* C.data == NULL: absent                                    */
    real_t *d, *least; /* G's columns each                                   */
} copies_t;

static void take(arena_t *a, int64_t m, int64_t n, int64_t rows_of_c,
                 copies_t *w)
{
    w->G = X(take_matrix)(a, m, n);
    w->C = X(take_matrix)(a, max_i(rows_of_c, 0), n);
    w->d = gsvd_arena_take(a, n, sizeof(real_t));
    w->least = gsvd_arena_take(a, n, sizeof(real_t));
}

static exec_t exec_at(const place_t *at)
{
    exec_t ex = X(exec_of)(at->h);
    ex.queue = at->queue;
    ex.work = at->work;
    ex.staging = at->staging;
    ex.policy = at->policy;
    return ex;
}

/* The bytes of the copies, of the larger of two drivers, and of small kernels */
static size_t bytes_with(const exec_t *ex, int64_t m, int64_t n, int64_t k,
                         size_t steps, size_t sure)
{
    arena_t count = {0};
    copies_t w;
    take(&count, m, n, k, &w);
    return gsvd_arena_bytes(&count) + (steps > sure ? steps : sure) +
           ex->op->kernel_bytes(ex, KERNELS_SMALL, m, n, n);
}

static size_t bytes(const place_t *at, int64_t m, int64_t n, int64_t k)
{
    const exec_t ex = exec_at(at);
    const task_t t = X(orthogonalize_task)(m, n, k);
    return bytes_with(&ex, m, n, k, X(steps_bytes)(&ex, &t, 0),
                      X(orthogonalize_work_bytes)(&ex, m, n, k));
}

static size_t signed_bytes(const place_t *at, int64_t m, int64_t n, int64_t k)
{
    const exec_t ex = exec_at(at);
    const task_t t = X(orthogonalize_task)(m, n, k);
    return bytes_with(&ex, m, n, k, X(steps_bytes)(&ex, &t, 1),
                      X(orthogonalize_signed_bytes)(&ex, m, n, k));
}

static gsvd_status_t staging(const place_t *at, int64_t n, size_t *bytes)
{
    const exec_t ex = exec_at(at);
    return X(large_steps_staging)(&ex, n, bytes);
}

/* Takes w out of in->work, and copies G, and C where its columns count. */
static gsvd_status_t copy_in(exec_t *in, single_matrix_t G, single_matrix_t C,
                             int with_c, copies_t *w)
{
    take(&in->work, G.rows, G.cols, C.data ? C.rows : 0, w);
    GSVD_TRY(X(work_suffices)(in));
    GSVD_TRY(in->op->from_single(in, G.data, G.ld, w->G));
    if (!C.data)
        w->C.data = NULL;
    return C.data && with_c ? in->op->from_single(in, C.data, C.ld, w->C)
                            : GSVD_SUCCESS;
}

static gsvd_status_t copy_out(const exec_t *ex, const copies_t *w,
                              single_matrix_t G, single_matrix_t C)
{
    GSVD_TRY(ex->op->to_single(ex, w->G, G.data, G.ld));
    return C.data ? ex->op->to_single(ex, w->C, C.data, C.ld) : GSVD_SUCCESS;
}

/* *all: each column of G is as long as LEAST_LENGTH, or longer.  Waits. */
static gsvd_status_t are_long(const exec_t *ex, const copies_t *w, int *all)
{
    const int64_t n = w->G.cols;
    int64_t lead;

    GSVD_TRY(ex->op->column_norms(ex, w->G, w->d));
    GSVD_TRY(ex->op->values_set(ex, 0, n, LEAST_LENGTH, w->least));
    GSVD_TRY(ex->op->values_lead(ex, n, w->d, w->least, &lead));
    *all = lead == n;
    return GSVD_SUCCESS;
}

static gsvd_status_t orthogonalize(const place_t *at, single_matrix_t G,
                                   single_matrix_t C, aim_t aim,
                                   int64_t *rotations, int *unitary,
                                   outcome_t *out)
{
    exec_t in = exec_at(at);
    copies_t w;

    GSVD_TRY(copy_in(&in, G, C, aim == AIM_COLUMNS, &w));
    GSVD_TRY(X(large_steps)(&in, &(task_t){.A = w.G,
                                           .C = w.C,
                                           .k = G.cols,
                                           .how = aim,
                                           .count = rotations,
                                           .yes = unitary,
                                           .out = out}));
    if (*unitary)
        GSVD_TRY(are_long(&in, &w, unitary));
    return copy_out(&in, &w, G, C);
}

static gsvd_status_t orthogonalize_signed(const place_t *at, single_matrix_t G,
                                          single_matrix_t C, int64_t plus,
                                          int64_t *rotations, outcome_t *out)
{
    exec_t in = exec_at(at);
    copies_t w;

    GSVD_TRY(copy_in(&in, G, C, 1, &w));
    GSVD_TRY(X(signed_steps)(&in, &(task_t){.A = w.G,
                                            .C = w.C,
                                            .k = plus,
                                            .how = AIM_COLUMNS,
                                            .count = rotations,
                                            .out = out}));
    return copy_out(&in, &w, G, C);
}

const in_double_t X(in_double) = {.bytes = bytes,
                                  .signed_bytes = signed_bytes,
                                  .staging = staging,
                                  .orthogonalize = orthogonalize,
                                  .orthogonalize_signed = orthogonalize_signed};
