/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* handle.h [1] -- what a handle holds. */
#ifndef GSVD_CORE_HANDLE_H
#define GSVD_CORE_HANDLE_H

#include "core/arena.h"
#include "core/policy.h"
#include "core/space.h"
#include "core/status.h"

#if defined __cplusplus
extern "C" {
#endif

/* What the workspace of a batch depends on beside its routine, type, jobs and largest sizes; all 0:
 * one problem.  The sizes of each problem are not looked at where workspace is measured. */
typedef struct batch_shape {
    int64_t count;
    int sizes_differ, threads;
} batch_shape_t;

/* The workspace of a call, for others like it: to measure that of a small problem takes as
 * long as the problem itself. */
typedef struct call_memory {
    const void *routine, *letter; /* NULL: none                              */
    int door;
    char shape[56]; /* jobs and sizes: the first members of args_t           */
    batch_shape_t batch;
    batch_need_t need; /* of one problem need.share alone                    */
    /* beside the shares: where the handle computes, and on the host         */
    size_t compute, host;
} call_memory_t;

/* Options, and shapes of calls whose workspace is kept */
enum { OPTIONS = GSVD_EIGH + 1, KEPT_SHAPES = 8 };

/* A machine that the library knows, and its numbers for each letter; NULL: the letter is not
 * built. */
typedef struct tuning tuning_t; /* tuning.h                                  */
typedef struct machine {
    const char *name;
    struct {
        const tuning_t *s, *d, *c, *z;
    } tuning;
} machine_t;

struct gsvd_context {
    int device; /* CUDA ordinal or GSVD_HOST                                 */
    const space_t *space;
    const machine_t *machine; /* space->open finds it.                       */
    void *cuda; /* the CUDA space's own state                                */

    double option[OPTIONS]; /* by gsvd_option_t                              */
    gsvd_progress_t progress;
    void *progress_user;
    gsvd_stats_t stats;
    /* The workspace of the last shapes, measured with these options.  The last call had that in
     * place last_shape; a new shape takes the place next_shape. */
    call_memory_t shape[KEPT_SHAPES];
    int last_shape, next_shape;
    char error[256];

    void *dwork, *hwork; /* the caller's workspace, or NULL: compute and host */
    size_t dwork_bytes, hwork_bytes;
    buffer_t compute; /* workspace where the handle computes                 */
    buffer_t host;    /* workspace on the host, of a device handle           */
    struct notes *notes; /* of a plan that is being made, or NULL            */
    /* What a call ends with, since a question whose answer is a number of bytes had none: another
     * way than that of other days is not taken silently. */
    gsvd_status_t unanswered;
};

/* gsvd_create on a device or GSVD_ANY, where CUDA's space is this one, of so many
 * devices. */
gsvd_status_t gsvd_create_among(gsvd_handle_t *h, int device,
                                const space_t *cuda, int devices);

/* The handle's options. */
policy_t gsvd_policy_of(gsvd_handle_t h);

/* Options and callback := those of a new handle, and workspace the handle's own */
void gsvd_set_defaults(gsvd_handle_t h);

/* What is kept of shapes was measured otherwise than from now on. */
void gsvd_forget_shapes(gsvd_handle_t h);

/* The status, or that of a question without an answer; the text is in h->error. */
static inline gsvd_status_t gsvd_answered(gsvd_handle_t h, gsvd_status_t status)
{
    return status == GSVD_SUCCESS ? h->unanswered : status;
}

/* Seconds on a clock that never goes back */
double gsvd_now(void);
/* out->start := now, unless the call's time is known already */
static inline void gsvd_start_clock(outcome_t *out)
{
    if (out->start == 0)
        out->start = gsvd_now();
}

/* Seconds since the call began, or 0: it is not timed */
static inline double gsvd_elapsed(const outcome_t *out)
{
    return out->start > 0 ? gsvd_now() - out->start : 0;
}

/* Grows a buffer to at least bytes; its contents are lost. */
gsvd_status_t gsvd_buffer_grow(gsvd_handle_t h, const space_t *space,
                               buffer_t *b, size_t bytes);

#if defined __cplusplus
}
#endif

#endif /* GSVD_CORE_HANDLE_H */
