/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* progress.h -- tells on stderr what is being done: a line that is written over on a
 * terminal, else a line for each stage and each sweep.
 *
 * The bar has a quarter for preprocessing, full when the first sweep is told, a half for
 * the Jacobi solver, and a quarter for checking, or none where nothing is checked.  The solver makes
 * the columns of A's part orthogonal and then, if need be, those of B's; each time it ends with a
 * sweep without rotations.  Either has half of the solver's part, or the one matrix that there is
 * all of it, which fills as pairs of columns are found orthogonal.  The bar never goes back.
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
    int checks, checked; /* parts of the check, and those that are done      */
    int filled;          /* of the bar                                       */
    int width; /* of what stands on the terminal's line                   */
} progress_t;

/* checks: of how many parts the check is going to tell */
progress_t progress_begin(bool wanted, int parts, int checks);

/* A stage begins: its name and, unless it is empty, what it works on. */
void progress_stage(progress_t *p, const char *name, const char *object);

/* Preprocessing begins, or checking: a stage with the bar. */
void progress_preprocess(progress_t *p, const char *object);
void progress_check(progress_t *p);

/* A part of the check is done; user is a progress_t. */
void progress_checked(void *user);

/* A gsvd_progress_t; user is a progress_t. */
int progress_show(void *user, int sweep, int64_t rotations);

/* Leaves the terminal's line empty; before anything else goes to stderr. */
void progress_end(progress_t *p);

#endif /* GSVD_TOOLS_PROGRESS_H */
