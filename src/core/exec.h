/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* exec.h -- where and how a driver or a primitive works.
 *
 * The door makes an exec for a call; whoever needs another makes a copy and changes
 * that: a driver's arrays are taken out of the work of a copy, which it hands to
 * those that it calls, so that they are given back where the copy ends:
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

typedef struct backend_t backend_t; /* backend.h                             */
typedef struct tuning tuning_t;

typedef struct exec_t {
    gsvd_handle_t h;      /* error texts, and the state of a device          */
    const backend_t *op;  /* the primitives                                  */
    const tuning_t *tune; /* the numbers of the machine                      */
    queue_t queue;
    arena_t work;      /* What is taken from it is the driver's; what is left is
                          the work of those that it calls.                   */
    buffer_t products; /* memory with which products in this queue are faster */
    buffer_t
        staging; /* memory on the host for a primitive that computes there */
    policy_t policy;
} exec_t;

#if defined __cplusplus
extern "C" {
#endif

/* An exec of the handle, in the caller's stream, that has no memory. */
exec_t X(exec_of)(gsvd_handle_t h, const policy_t *policy);

/* A matrix of the arena, without gaps; of an arena that counts, data is NULL. */
mat_t X(take_matrix)(arena_t *a, int64_t rows, int64_t cols);

/* GSVD_INTERNAL_ERROR if the arrays that were taken did not all find room. */
gsvd_status_t X(work_suffices)(const exec_t *ex);

/* The work of a primitive, which ends with it: *p := the given bytes of what drivers
 * left.  Primitives that take some are in one queue at a time, or their execs'
 * works are apart. */
gsvd_status_t X(kernel_work)(const exec_t *ex, size_t bytes, void **p);

#if defined __cplusplus
}
#endif

#endif /* GSVD_CORE_EXEC_H */
