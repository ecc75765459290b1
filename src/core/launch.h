/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* launch.h [1] -- the demands of a kernel's launch: shared memory, and blocks that run
 * at the same time. */
#ifndef GSVD_CORE_LAUNCH_H
#define GSVD_CORE_LAUNCH_H

#include "core/cuda_state.h"

/* A kernel with dynamic shared memory, or of a cooperative grid.  bytes is one number
 * for a kernel on a device, whatever one launch needs: the limit of a kernel's shared
 * memory belongs to the process, where other threads launch that kernel too. */
typedef struct demand {
    const char *name; /* without a template's argument                       */
    int variant;      /* the template's argument; 0: any, or no template     */
    const void *kernel;
    int threads;  /* of a block                                              */
    size_t bytes; /* of dynamic shared memory: the most that a launch takes  */
} demand_t;

enum {
    DEMANDS = 4 /* of a source file, at most: NAME_demands, FOLDER/demand.h  */
};

static inline demand_t demand(const char *name, int variant, const void *kernel,
                              int threads, size_t bytes)
{
    const demand_t d = {name, variant, kernel, threads, bytes};
    return d;
}

/* No kernel with dynamic shared memory that is launched on every device has more
 * static shared memory; tests/resources holds the compiler to it. */
enum { STATIC_SHARED = 4096 };

/* May a block have so much dynamic shared memory?  shared is cuda_state_t's. */
static inline int fits_shared(int shared, size_t bytes)
{
    return bytes + STATIC_SHARED <= (size_t)shared;
}

#if defined __cplusplus
extern "C" {
#endif

/* Lets the kernel have d->bytes. */
gsvd_status_t gsvd_allow_shared(gsvd_handle_t h, const demand_t *d);

/* Multiprocessors have as much shared memory as they may, and less cache, while the kernel runs. */
gsvd_status_t gsvd_prefer_shared(gsvd_handle_t h, const void *kernel);

/* *blocks := the number of blocks of a cooperative grid that can run at the same time
 * in the stream, at most `most`, at least 1.  It is asked before every launch, since a
 * green context or MPS has a part of the device. */
gsvd_status_t gsvd_at_once(gsvd_handle_t h, cudaStream_t stream,
                           const demand_t *d, int64_t most, int64_t *blocks);

/* Launches a cooperative grid. */
gsvd_status_t gsvd_launch_grid(gsvd_handle_t h, cudaStream_t stream,
                               const demand_t *d, dim3 grid, void **arguments);

#if defined __cplusplus
}
#endif

#endif /* GSVD_CORE_LAUNCH_H */
