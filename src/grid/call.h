/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* call.h -- what the routines on a grid share: copies in and out, sizes, the status. */
#ifndef GSVD_GRID_CALL_H
#define GSVD_GRID_CALL_H

#include "grid/backend.h"
#include "grid/layout.h"
#include "gsvd/pipeline.h"

typedef struct shape {
    int64_t rows, cols;
} shape_t;

/* Numbers of a rows x cols matrix on process 0, which has the most */
double X(grid_most_here)(int64_t rows, int64_t cols);
/* Does the engine count, ScaLAPACK by 32 bits, a process's part of matrices of these shapes, and its work for
 * eigenvectors of order r?  The text names the first one. */
gsvd_status_t X(grid_is_countable)(const shape_t *shape, int count, int64_t r);

/* Rows and columns of a block, at most */
int64_t X(grid_widest_block)(void);

/* F := the caller's matrix; the caller's := F, if F has columns */
gsvd_status_t X(grid_copy_in)(const grid_array_t *from, mat_t F);
gsvd_status_t X(grid_copy_out)(mat_t F, const grid_array_t *to);

/* The caller's; and one of which process 0 has all */
array_t X(grid_array_given)(const grid_array_t *given);
array_t X(grid_array_alone)(scalar_t *data, int64_t rows, int64_t cols);

gsvd_status_t X(grid_status_of)(const outcome_t *out, int *info);

/* *most := the longest column of E, infinite if it has a NaN; lengths: of all */
gsvd_status_t X(grid_longest)(const exec_t *ex, mat_t E, real_t *lengths,
                              real_t *most);
/* to[0:r) := tau of all columns, on all processes */
gsvd_status_t X(grid_gather_tau)(mat_t A, const scalar_t *tau, int64_t r,
                                 scalar_t *to);

/* The routines: arguments are legal, and the same on all processes; job letters are upper case. */
typedef gsvd_status_t grid_routine_op(const exec_t *ex, const grid_call_t *call,
                                      int *info);
grid_routine_op X(svd_on_grid), X(pair_on_grid), X(qr_on_grid), X(hsvd_on_grid),
    X(eigh_on_grid), X(measure_on_grid);
/* *taken: the result is there; else the pair is not one for this road. */
gsvd_status_t X(tall_on_grid)(const exec_t *ex, const grid_call_t *call,
                              int *info, int *taken);
gsvd_status_t X(grid_run)(const grid_call_t *call);

#endif /* GSVD_GRID_CALL_H */
