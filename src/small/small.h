/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* small.h -- the solver of a few columns on the host: there, the way from
 * primitive to primitive takes longer than the work.
 *
 * Each function does its part and returns 1, or finds that the pair needs the
 * general steps, and returns 0: nothing has happened then.
 */
#ifndef GSVD_SMALL_SMALL_H
#define GSVD_SMALL_SMALL_H

#include "core/exec.h"
#include "core/pair.h"

/* gsvd/run.c's steps 1 and 2, of at most SMALL rows and columns */
int X(small_preprocess)(const exec_t *ex, pair_t *P);

/* Its step 1 for a triangular pair of at most SMALL rows and columns; A and B are scaled in their
 * place. */
int X(small_scale_pair)(const exec_t *ex, pair_t *P);

/* Its steps 3 to 5, of a triangular pair to which this applies.  The caller looks for
 * overflow. */
int X(small_applies)(const exec_t *ex, const pair_t *P);
int X(small_solve)(const exec_t *ex, pair_t *P, outcome_t *out);

#endif /* GSVD_SMALL_SMALL_H */
