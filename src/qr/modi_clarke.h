/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* modi_clarke.h [1] -- which rows meet in which step: annihilation tables.
 *
 * A table has one line of turns a step.  The turns of a step touch different rows, so that they
 * may run at the same time.  A group of threads whose turn has top == bottom == column ==
 * GIVENS_WAIT does nothing in that step (Flegar 2016, algorithm 2.3).
 */
#ifndef GSVD_QR_MODI_CLARKE_H
#define GSVD_QR_MODI_CLARKE_H

#include <stdint.h>

#include "core/fn.h"

enum { GIVENS_WAIT = -1, MODI_CLARKE_ROWS = 127 };

/* A rotation of two rows that annihilates entry (bottom, column). */
typedef struct turn {
    int8_t top, bottom, column;
} turn_t;

/* In step `step` of the peeling, row i of the second triangle loses its entry in this column, to
 * the row of the first triangle with the same number.  From b on there is none. */
GSVD_FN int peel_column(int step, int i) { return i + step; }

#if defined __cplusplus
extern "C" {
#endif

/* The lower trapezoid of a rows x cols block, rows <= MODI_CLARKE_ROWS, in
 * Modi and Clarke's greedy order (An alternative Givens ordering, 1984).  The
 * lines of the table have rows / 2 turns; there are fewer than rows + cols of
 * them.  table == NULL counts.  Returns the number of steps. */
int gsvd_modi_clarke(int rows, int cols, turn_t *table);

#if defined __cplusplus
}
#endif

#endif /* GSVD_QR_MODI_CLARKE_H */
