/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* exec.h -- where and how a driver or a primitive works.
 *
 * The door makes an exec for a call.  A driver that takes arrays makes a copy of its
 * exec, takes them out of the copy's work and hands the copy to the drivers and
 * primitives that it calls; the arrays are given back where the copy ends:
 *
 *     exec_t in = *ex;
 *     mat_t W = X(take_matrix)(&in.work, rows, cols);
 *     GSVD_TRY(X(work_suffices)(&in));
 *     GSVD_TRY(X(geqrf)(&in, A, tau));
 */
#ifndef GSVD_CORE_EXEC_H
#define GSVD_CORE_EXEC_H

#include "core/handle.h"
#include "core/matrix.h"
#include "core/policy.h"

#define backend_t X(backend_t)
#define exec_t X(exec_t)

typedef struct backend_t backend_t; /* primitives.h                          */

typedef struct exec_t {
    gsvd_handle_t h;      /* error texts, and the state of a device          */
    const backend_t *op;  /* the primitives                                  */
    const tuning_t *tune; /* the numbers of the machine, tuning.h            */
    queue_t queue;
    arena_t work;      /* What is taken is the driver's work; what is left is
                          for the drivers and primitives that it calls.      */
    buffer_t products; /* memory with which products in this queue are faster */
    buffer_t staging;  /* the host's memory, for tgsja and eigenvectors      */
    mat_t
        lent; /* or no columns: a matrix that nobody needs until the driver that gets
                   this exec has ended; it may take it in place of work.  While work is
                   measured data is NULL.                                    */
    policy_t policy;
} exec_t;

#if defined __cplusplus
extern "C" {
#endif

/* An exec of the handle with its options, in the caller's stream, without memory */
exec_t X(exec_of)(gsvd_handle_t h);

/* Takes a matrix without gaps out of the arena; data is NULL if the arena counts. */
mat_t X(take_matrix)(arena_t *a, int64_t rows, int64_t cols);

/* Takes one column of so many entries, the memory of matrices with no more entries, rows and
 * columns than these. */
mat_t X(take_room)(arena_t *a, int64_t entries, int64_t rows, int64_t cols);

/* GSVD_INTERNAL_ERROR if not all arrays that were taken from ex->work fitted. */
gsvd_status_t X(work_suffices)(const exec_t *ex);

/* *p := bytes of the work that drivers left, for one primitive: the next primitive in
 * this queue takes the same bytes.  While a fork has its parent's work, only one of the
 * two queues runs primitives that take some. */
gsvd_status_t X(kernel_work)(const exec_t *ex, size_t bytes, void **p);

#if defined __cplusplus
}
#endif

#endif /* GSVD_CORE_EXEC_H */
