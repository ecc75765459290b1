/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* ordering.h -- the order in which Jacobi visits pairs of columns.
 *
 * The modulus strategy (Sameh 1971; Luk and Park 1989): in step s the columns p <= q with
 * p + q = s (mod n) meet.  The pairs of a step are disjoint, and n steps visit each pair once.  The
 * order is equivalent to the row-cyclic one, so that exchanging columns by length sorts them.  In a
 * step one or two columns meet themselves, which is no pair.  A block of columns that meets itself
 * rotates the pairs within it.
 */
#ifndef GSVD_JACOBI_ORDERING_H
#define GSVD_JACOBI_ORDERING_H

#include <stdint.h>

#include "core/fn.h"

GSVD_FN int64_t ordering_steps(int64_t n) { return n; }
GSVD_FN int64_t ordering_pairs(int64_t n, int64_t step)
{
    return n / 2 + (n % 2 == 1 || step % 2 == 0);
}

/* (p, q) := pair number i of a step, p <= q; returns whether p < q. */
GSVD_FN int ordering_pair(int64_t n, int64_t step, int64_t i, int64_t *p,
                          int64_t *q)
{
    const int64_t sum = (step + 1) / 2 + i, a = sum < n ? sum : sum - n;
    const int64_t b = step < a ? step + n - a : step - a;
    *p = a < b ? a : b;
    *q = a < b ? b : a;
    return a != b;
}

/* The column that p meets in a step, which may be p */
GSVD_FN int64_t ordering_partner(int64_t n, int64_t step, int64_t p)
{
    return step < p ? step + n - p : step - p;
}

/* Brent and Luk's ordering for even n: round robin.  Columns stand in two rows; the first one of
 * the upper row stays, and the others form a circle of n - 1 places.  Returns the column at place
 * c of the circle at the start.  Place 0 is below the column that stays; places 1, 2, ... go to
 * the right in the upper row, then back in the lower row. */
GSVD_FN int64_t round_robin_place(int64_t n, int64_t c)
{
    return c == 0 ? 1 : c < n / 2 ? 2 * c : 2 * (n - 1 - c) + 1;
}

/* (p, q) := pair number i of a step */
GSVD_FN void round_robin_pair(int64_t n, int64_t step, int64_t i, int64_t *p,
                              int64_t *q)
{
    const int64_t circle = n - 1;
    *p = i == 0 ? 0
                : round_robin_place(n, (i + circle - step % circle) % circle);
    *q = round_robin_place(n, (2 * circle - i - step % circle) % circle);
}

#endif /* GSVD_JACOBI_ORDERING_H */
