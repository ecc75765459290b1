/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* progress.h -- tells on stderr how the sweeps go: a bar on a terminal, else a
 * line for each sweep.  The bar shows how many of the pairs of columns were
 * found orthogonal in the last sweep; when all are, the solver is done. */
#ifndef GSVD_TOOLS_PROGRESS_H
#define GSVD_TOOLS_PROGRESS_H

#include <stdbool.h>
#include <stdint.h>

typedef struct progress {
    bool terminal;
    int64_t most; /* rotations in a sweep so far                             */
    int width;    /* of what stands on the terminal's line                   */
} progress_t;

progress_t progress_begin(void);

/* A gsvd_progress_t; user is a progress_t. */
int progress_show(void *user, int sweep, int64_t rotations);

/* Leaves the terminal's line empty. */
void progress_end(progress_t *p);

#endif /* GSVD_TOOLS_PROGRESS_H */
