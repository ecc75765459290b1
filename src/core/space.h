/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* space.h [1] -- the place where a handle computes: its memory and its queues.
 *
 * Two implementations, host and CUDA.  Every function returns a status and keeps the
 * text.
 */
#ifndef GSVD_CORE_SPACE_H
#define GSVD_CORE_SPACE_H

#include "core/status.h"

#if defined __cplusplus
extern "C" {
#endif

/* The queues of work; on the host all three are one. */
typedef enum queue {
    QUEUE_OWN,    /* the caller's stream                                     */
    QUEUE_PANEL,  /* of the next panel, during the update by this one        */
    QUEUE_FACTOR, /* of U or V, during factorizations that do not need it    */
    QUEUES
} queue_t;
/* What CUDA makes of the work that a handle would queue in its stream. */
typedef enum capture {
    CAPTURE_NONE,    /* It is done.                                          */
    CAPTURE_ACTIVE,  /* It becomes a part of a graph.                        */
    CAPTURE_INVALID, /* Nothing, until the caller ends a capture that failed. */
    CAPTURE_OTHER    /* It ends the capture of another stream, for which this
                      * one, the legacy default stream, would wait           */
} capture_t;

/* What computes there: primitives.h's table for each letter; NULL: it is not built. */
typedef struct tables {
    const struct sgsvd_backend_t *s;
    const struct dgsvd_backend_t *d;
    const struct cgsvd_backend_t *c;
    const struct zgsvd_backend_t *z;
} tables_t;

typedef struct space {
    const char *name; /* "cpu" or "cuda"                                     */
    int on_device;    /* 1: its memory is not the host's                     */
    tables_t table;

    int (*count)(void); /* so many devices there are; 0: no driver           */
    gsvd_status_t (*open)(gsvd_handle_t h, int device);
    gsvd_status_t (*close)(gsvd_handle_t h);
    gsvd_status_t (*set_stream)(gsvd_handle_t h, gsvd_stream_t stream);

    /* Around every public call: the thread's current device is the caller's. */
    gsvd_status_t (*enter)(gsvd_handle_t h);
    void (*leave)(gsvd_handle_t h);
    /* Is the caller's stream captured into a graph?  Until leave() the thread may load kernels
     * then, which CUDA forbids during a capture unless it is told to allow it.  Nothing is queued
     * or waited for. */
    capture_t (*relax_capture)(gsvd_handle_t h);

    gsvd_status_t (*allocate)(gsvd_handle_t h, void **p, size_t bytes);
    void (*release)(gsvd_handle_t h, void *p);

    /* Columns of bytes from one pitched array to another.  The copy is queued;
     * a download has arrived after wait(). */
    gsvd_status_t (*upload)(gsvd_handle_t h, void *dst, size_t dpitch,
                            const void *src, size_t spitch, size_t bytes,
                            int64_t columns);
    gsvd_status_t (*download)(gsvd_handle_t h, void *dst, size_t dpitch,
                              const void *src, size_t spitch, size_t bytes,
                              int64_t columns);
    gsvd_status_t (*wait)(gsvd_handle_t h);
} space_t;

extern const space_t gsvd_space_host;

/* CUDA's; NULL where it cannot be had: *why says the reason. */
const space_t *gsvd_space_cuda(const char **why);

#if defined __cplusplus
}
#endif

#endif /* GSVD_CORE_SPACE_H */
