/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* messages.h [1] -- what processes of a grid tell each other, and where their memory is: by MPI on the host
 * (processes_mpi.c), or by NCCL on devices (nccl/device.c).  Lists are the host's either way.
 *
 * Where a message fails that is kept, and gsvd_grid_agree returns it. */
#ifndef GSVD_GRID_MESSAGES_H
#define GSVD_GRID_MESSAGES_H

#include "grid/grid.h"

#if defined __cplusplus
extern "C" {
#endif

/* x[0:n) := the least, or the largest, of all processes */
void gsvd_grid_least(int n, int64_t *x);
void gsvd_grid_most(int n, int64_t *x);
/* bytes := those of process `from` */
void gsvd_grid_tell(int from, void *bytes, size_t count);

/* May this call be made?  text: GRID_ERROR bytes that say why not.  Its end */
gsvd_status_t gsvd_grid_enter(const grid_call_t *call, char *text);
void gsvd_grid_leave(void);
/* The status of a call that all processes have come to the end of */
gsvd_status_t gsvd_grid_at_end(gsvd_status_t status);

/* The status, or that of a message that failed before */
gsvd_status_t gsvd_grid_after_messages(gsvd_status_t status);

/* *room := so many bytes of this kind; its end */
gsvd_status_t gsvd_grid_allocate(int which, size_t bytes, buffer_t *room);
void gsvd_grid_release(int which, buffer_t *room);

/* Where entries are whose place in the memory of a call is p: p itself, or on a device.  Lists of numbers
 * stand at p. */
void *gsvd_grid_there(void *p);

/* What all modules have in common: module.c */

/* error := text, and the status */
gsvd_status_t gsvd_grid_refuse(char *error, gsvd_status_t status,
                               const char *text);
/* Is p x q in this order, 'R' or 'C', a grid of so many processes? */
gsvd_status_t gsvd_grid_check_shape(int64_t p, int64_t q, char order, int size,
                                    char *error);
void gsvd_grid_use_device(struct gsvd_grid *g, int device,
                          const grid_gpu_t *gpu);
gsvd_status_t gsvd_grid_agree_on(struct gsvd_grid *g, gsvd_status_t mine,
                                 char *text);
void gsvd_grid_share(struct gsvd_grid *g, void *bytes, size_t count);
gsvd_status_t gsvd_grid_run(struct gsvd_grid *g, const grid_call_t *call);
gsvd_status_t gsvd_grid_bytes_of(struct gsvd_grid *g, const grid_call_t *call,
                                 size_t *bytes);
void gsvd_grid_give_back(grid_t *g);

#if defined __cplusplus
}
#endif

#endif /* GSVD_GRID_MESSAGES_H */
