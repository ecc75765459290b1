/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* handle.h [1] -- what a handle holds. */
#ifndef GSVD_CORE_HANDLE_H
#define GSVD_CORE_HANDLE_H

#include "core/arena.h"
#include "core/space.h"
#include "core/status.h"

#if defined __cplusplus
extern "C" {
#endif

/* Where work is queued; on the host the first is all there is. */
typedef enum queue {
    QUEUE_OWN,   /* the caller's stream                                      */
    QUEUE_PANEL, /* the next panel, beside the update of what is behind it   */
    QUEUE_FACTOR /* U or V, beside the factorizations that follow            */
} queue_t;

/* Memory that a handle owns and grows. */
typedef struct buffer {
    void *data;
    size_t bytes;
} buffer_t;

struct gsvd_context {
    int device; /* CUDA ordinal or GSVD_HOST                                 */
    const space_t *space;
    void *cuda; /* the CUDA space's own state                                */

    int option[5];       /* by gsvd_option_t                                 */
    double tolerance[3]; /* by gsvd_tolerance_t                              */
    gsvd_progress_t progress;
    void *progress_user;
    int stopped;  /* the callback said so                                     */
    int overflow; /* of the call that runs: 0, or its result is too large for the
                     type, and times 2^-overflow it would not be             */
    int by_rows;  /* of the call that runs: panels by Householder's reflectors,
                    accurate row by row, whatever GSVD_PANEL says            */
    gsvd_stats_t stats;
    queue_t queue;
    int judged; /* be->judge's answer, where the host computes               */
    double lap; /* when the step that runs began                             */
    char error[256];

    buffer_t compute; /* workspace where the handle computes                 */
    buffer_t host;    /* workspace on the host, of a device handle           */
    buffer_t spare;   /* scratch beyond what ..._buffer_size foresaw         */
    buffer_t scratch; /* of the call that runs: for one primitive at a time  */
    buffer_t
        desk; /* of the call that runs: for one driver, e.g. a blocked QR */
    buffer_t side_desk; /* ... for another, in QUEUE_FACTOR                  */
    buffer_t room, side_room; /* ... for products in QUEUE_OWN, QUEUE_FACTOR:
                                 be->room_bytes, or none                     */
    buffer_t desk_spare, side_spare; /* what ..._buffer_size did not foresee */
    buffer_t staging; /* of the call that runs: host memory of a primitive   */

    const void *laid_out; /* NULL, or the table of the call whose workspace  */
    void *layout[256];    /* is laid out here, for others like it: call.c    */
};

/* gsvd_create on a device or GSVD_ANY, where CUDA's space is this one, of so many
 * devices. */
gsvd_status_t gsvd_create_among(gsvd_handle_t *h, int device,
                                const space_t *cuda, int devices);

/* Seconds on a clock that never goes back. */
double gsvd_now(void);

/* *seconds := time since the last lap; a new lap begins. */
void gsvd_lap(gsvd_handle_t h, double *seconds);

/* Grows a buffer to at least bytes; its contents are lost. */
gsvd_status_t gsvd_buffer_grow(gsvd_handle_t h, const space_t *space,
                               buffer_t *b, size_t bytes);

/* Scratch of the given size for one primitive: the call's own if it suffices. */
gsvd_status_t gsvd_scratch(gsvd_handle_t h, size_t bytes, void **p);

/* The same for one driver, whose primitives use scratch meanwhile. */
gsvd_status_t gsvd_desk(gsvd_handle_t h, size_t bytes, void **p);

/* What the call has for products in the present queue; there may be none. */
buffer_t gsvd_room(gsvd_handle_t h);

#if defined __cplusplus
}
#endif

#endif /* GSVD_CORE_HANDLE_H */
