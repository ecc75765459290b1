/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* grid.h [1] -- a grid of processes, and the agreement of all of them.
 *
 * Three rules keep a process from waiting for one that has left:
 *
 *     errors    A status that may differ between processes goes through gsvd_grid_agree before the
 *               next collective.  All processes go on, or all return.
 *     numbers   A number that decides comes from process 0, or from a maximum, which is exact.
 *     memory    It comes from gsvd_grid_room, which agrees.
 */
#ifndef GSVD_GRID_GRID_H
#define GSVD_GRID_GRID_H

#include <stdint.h>

#if !GSVD_GRID_NCCL
#include <mpi.h>
#endif

#include "core/arena.h"
#include "grid/module.h"

/* Memory of a call, which grows: lists of indices, what a message has, the work of
 * ScaLAPACK, what its pivoted QR leaves or the part of a matrix that its eigensolver takes, views that an
 * engine wants elsewhere, or turned, the matrices of a call */
enum {
    ROOM_LISTS,
    ROOM_MESSAGES,
    ROOM_ENGINE,
    ROOM_REST,
    ROOM_COPIES,
    ROOM_TURNED,
    ROOM_CALL,
    ROOMS
};

typedef struct grid {
    struct gsvd_grid door;
#if GSVD_GRID_NCCL
    struct nccl *nccl; /* nccl/device.h                                      */
#else
    MPI_Comm comm;
    int context; /* of BLACS                                                 */
#endif
    /* Process r q + c has row r and column c of the grid. */
    int size, rank, p, q, r, c;
    int finalizes; /* Ends MPI when it goes.                                 */
    int64_t block; /* rows and columns of a block of our own arrays          */
    buffer_t room[ROOMS];
    size_t *planned; /* NULL; or only the memory of a call is asked for      */
    int even_rows; /* Rows that are alike once columns are stay unsorted.     */
    /* A GPU for bands, which owners.c takes when there is one for it: GSVD_HOST, GSVD_ANY or a number; the
     * rank of this process on its host; NULL, or what it has of libgsvd; NULL, or its handle */
    int device, turn;
    const grid_gpu_t *gpu;
    gsvd_handle_t handle;
} grid_t;

#if defined __cplusplus
extern "C" {
#define GRID_THREAD __thread
#else
#define GRID_THREAD _Thread_local
#endif

/* Not an error, and of no public function: gsvd_grid_memory has told how much it is. */
#define GRID_PLANNED ((gsvd_status_t)-1)

/* The grid of the call that this thread is in */
extern GRID_THREAD grid_t *gsvd_grid;

/* Keeps a text and returns the status; the text is this process's own until agreed. */
gsvd_status_t gsvd_grid_fail(gsvd_status_t status, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* The status of the first process that has one other than success.  On the others the text says which
 * process it is. */
gsvd_status_t gsvd_grid_agree(gsvd_status_t mine);

/* *p := at least so many bytes, which may differ between processes, but for lists; what they held is
 * lost.  Agrees, unless all processes have these lists. */
gsvd_status_t gsvd_grid_room(int which, size_t bytes, void **p);
/* The same where a call before it may have failed: it agrees on the status of both. */
gsvd_status_t gsvd_grid_room_after(gsvd_status_t status, int which,
                                   size_t bytes, void **p);
/* *all := memory of the call for what `count` has counted.  Agrees.  While a call is planned, *planned
 * becomes no less than that, and it returns GRID_PLANNED. */
gsvd_status_t gsvd_grid_memory(const arena_t *count, arena_t *all);

/* A grid of this process alone, and its end */
void gsvd_grid_alone(grid_t *alone);
void gsvd_grid_alone_ends(grid_t *alone);

/* The handle on this process's GPU goes. */
void gsvd_grid_leave_gpu(grid_t *g);

#if defined __cplusplus
}
#endif

/* -- blocks in turn ------------------------------------------------------------- */

/* How many of the first n indices has process `me` of `count`?  Blocks are dealt out from
 * process 0 on. */
static inline int64_t share_of(int64_t n, int64_t block, int me, int count)
{
    const int64_t whole = n / block, turns = whole / count,
                  more = whole % count;
    return turns * block + (me < more ? block : me == more ? n % block : 0);
}

#endif /* GSVD_GRID_GRID_H */
