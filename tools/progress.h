/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* progress.h -- tells on stderr what is being done: a line that is written over on a
 * terminal, else a line for each stage and each sweep.
 *
 * The Jacobi solver makes the columns of A's part orthogonal and then, if need be, those
 * of B's; each time it ends with a sweep without rotations.  The bar gives either half
 * of its length, or all of it to the one matrix that there is, and fills as pairs of
 * columns are found orthogonal; it never goes back.
 */
#ifndef GSVD_TOOLS_PROGRESS_H
#define GSVD_TOOLS_PROGRESS_H

#include <stdbool.h>
#include <stdint.h>

typedef struct progress {
    bool wanted, terminal;
    int parts;    /* 2 of a pair by csd, which has a second one; else 1       */
    bool second;  /* the solver is at B's part                               */
    bool done;    /* its last sweep was without rotations                    */
    int64_t most; /* rotations in a sweep of this part so far                */
    int filled;   /* of the bar                                              */
    int width;    /* of what stands on the terminal's line                   */
} progress_t;

progress_t progress_begin(bool wanted, int parts);

/* A stage begins: its name and, unless it is empty, what it works on. */
void progress_stage(progress_t *p, const char *name, const char *object);

/* A gsvd_progress_t; user is a progress_t. */
int progress_show(void *user, int sweep, int64_t rotations);

/* Leaves the terminal's line empty; before anything else goes to stderr. */
void progress_end(progress_t *p);

#endif /* GSVD_TOOLS_PROGRESS_H */
