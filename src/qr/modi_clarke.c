/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* modi_clarke.c [1] -- annihilation tables, made once on the host.
 *
 * The greedy order: rows that begin with the same number k of zeros are available in column k.  In
 * each step, in every column, the bottom half of the available rows loses its next entry to the
 * upper half.  Rows lower down never have fewer zeros, so those available in a column are
 * neighbours:
 *
 *     *                       column k: n rows from row first on; n / 2 turns
 *     3  *                    (first + i, first + n - n / 2 + i), i < n / 2
 *     2  5  *
 *     2  4  7  *              8 x 8: the step in which each entry goes
 *     1  3  6  8  *
 *     1  3  5  7  9  *
 *     1  2  4  6  8 10  *
 *     1  2  3  5  7  9 11  *
 *
 * The peeling: in step s = 0, 1, ... row i of the second triangle meets row i + s of the first
 * one.  By then its first nonzero is in column i + s.
 */
#include "qr/modi_clarke.h"

#include <stddef.h>

static void set_turn(turn_t *turn, int top, int bottom, int column)
{
    turn->top = (int8_t)top;
    turn->bottom = (int8_t)bottom;
    turn->column = (int8_t)column;
}

int gsvd_modi_clarke(int rows, int cols, turn_t *table)
{
    int zeros[MODI_CLARKE_ROWS] = {0}; /* at the head of each row            */

    for (int step = 0;; ++step) {
        turn_t *const line = table ? table + step * (rows / 2) : NULL;
        int turns = 0;
        for (int first = 0, n; first < rows; first += n) {
            const int k = zeros[first];
            n = 1;
            while (first + n < rows && zeros[first + n] == k)
                ++n;
            if (k >= cols)
                break;
            for (int i = 0; i < n / 2; ++i, ++turns) {
                const int bottom = first + n - n / 2 + i;
                zeros[bottom] = k + 1;
                if (line)
                    set_turn(&line[turns], first + i, bottom, k);
            }
        }
        if (turns == 0)
            return step;
        for (int i = turns; line && i < rows / 2; ++i)
            set_turn(&line[i], GIVENS_WAIT, GIVENS_WAIT, GIVENS_WAIT);
    }
}
