/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* primitives.h -- the table of primitives, of all floors.
 *
 * Each backend has one typed table of primitives per precision.  The algorithm is written once,
 * over that table.  Four rules hold for every primitive unless its contract says otherwise:
 *
 *     order      It queues its work in the queue of its exec and returns at once.  A primitive
 *                marked "Waits" gives the host a number and returns when that has arrived.
 *     memory     It takes its memory from the rest of the exec's work, at most kernel_bytes,
 *                and owns it until its work in the queue is done.
 *     empty      A view may be empty and then means no work.
 *     overlap    A view that it writes does not overlap a view that it reads.
 *
 * Each floor states its own primitives in FLOOR/ops.h: their contracts, and a list.  To add one is to
 * change that list.  Here the lists become one table, ex->op, which all drivers call.  So this
 * header belongs to no floor.  A floor calls no primitive of a floor above it, but for the three that
 * src/machine has (scripts/lint.sh).
 */
#ifndef GSVD_PRIMITIVES_H
#define GSVD_PRIMITIVES_H

#include "batch/ops.h"
#include "core/ops.h"
#include "jacobi/ops.h"
#include "pivot/ops.h"
#include "qr/ops.h"
#include "tuning.h"

/* -- what src/machine has, for all floors ------------------------------------- */

/* *fork := a copy of ex in another queue, with the same work and without memory for products.
 * Work of `queue` waits for all work that ex's queue holds now.  It may overlap work that ex's
 * queue gets later, until join. */
typedef gsvd_status_t fork_op(const exec_t *ex, queue_t queue, exec_t *fork);
/* Work that ex's queue gets from now on waits for all work that `queue` holds now. */
typedef gsvd_status_t join_op(const exec_t *ex, queue_t queue);

/* The bytes of kernel's work that suffice for the primitives of `what`, and for all that need
 * little, for an m x n matrix that is applied to at most cols columns or rows.  Panels are given
 * a V.  Each folder answers for its own primitives (X(qr_kernel_bytes_cpu) and so on);
 * src/machine takes the largest answer. */
typedef size_t kernel_bytes_op(const exec_t *ex, kernels_t what, int64_t m,
                               int64_t n, int64_t cols);

#define MACHINE_PRIMITIVES(M) M(fork) M(join) M(kernel_bytes)

/* -- the table ---------------------------------------------------------------- */

/* M(name) for each primitive that every table has */
#define GSVD_PRIMITIVES(M)                                                     \
    MACHINE_PRIMITIVES(M)                                                      \
    CORE_PRIMITIVES(M)                                                         \
    QR_PRIMITIVES(M)                                                           \
    PIVOT_PRIMITIVES(M)                                                        \
    JACOBI_PRIMITIVES(M)                                                       \
    BATCH_PRIMITIVES(M)
/* ... and for each that the CPU's table has; others have NULL: the contract says what happens. */
#define GSVD_HOST_PRIMITIVES(M)                                                \
    QR_HOST_PRIMITIVES(M)                                                      \
    JACOBI_HOST_PRIMITIVES(M)

/* ... and for each that a grid's table has (grid/backend.h); others have NULL. */
#define GSVD_GRID_ONLY(M) CORE_GRID_PRIMITIVES(M)

/* a list of solvers: core/solver.h */
#define solvers_t X(solvers_t)
typedef struct solvers_t solvers_t;

#define GSVD_MEMBER(name) name##_op *name;
struct backend_t {
    const solvers_t *const
        *solvers; /* the primitives' lists, then NULL; for tests              */
    const solvers_t *svd_solvers, *gsvd_solvers; /* batch/solvers.h          */
    GSVD_PRIMITIVES(GSVD_MEMBER)
    GSVD_HOST_PRIMITIVES(GSVD_MEMBER)
    GSVD_GRID_ONLY(GSVD_MEMBER)
};

#if defined __cplusplus
extern "C" {
#endif

MACHINE_PRIMITIVES(GSVD_TWINS)

/* backend_cuda is in the CUDA module: machine/cuda_module.h. */
extern const backend_t X(backend_cpu), X(backend_cuda);
#if defined __cplusplus
}
#endif

/* the table of h's space */
static inline const backend_t *X(backend)(gsvd_handle_t h)
{
    return h->space->table.GSVD_LETTER;
}

#endif /* GSVD_PRIMITIVES_H */
