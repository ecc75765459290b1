/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* orderings.h [1] -- the orders in which Jacobi visits pairs of blocks of columns.
 *
 * In one step of a sweep meet disjoint pairs p < q; a sweep is a sequence of steps in which
 * each pair meets once.
 *
 *     modulus           p + q = s (mod n) in step s: ordering.h
 *     modified modulus  the two that would be alone in a step of even n meet, so that n/2
 *                       pairs meet twice (Singer et al. 2012): a quasi-cyclic ordering
 *     Brent-Luk         round robin (Brent and Luk 1985)
 *     rows, columns     the parallel orderings nearest to the row-cyclic and to the
 *                       column-cyclic one (Novakovic 2015, section 3)
 *     mirrored          these backwards: pairs far from the diagonal first
 *
 * The nearest ones are tables for the orders 2 o, o = 1, 3, 5, 7, 9, which algorithm 3.1
 * finds, and are doubled from order to order by algorithm 3.2.  All but the modulus
 * orderings exist for even n alone; another n takes the next order that there is, and the
 * pairs with an index beyond n are empty.
 */
#ifndef GSVD_JACOBI_ORDERINGS_H
#define GSVD_JACOBI_ORDERINGS_H

#include <stdint.h>

typedef enum ordering {
    ORDERING_MODULUS,
    ORDERING_MODIFIED_MODULUS,
    ORDERING_BRENT_LUK,
    ORDERING_ROWS,
    ORDERING_COLUMNS,
    ORDERING_ROWS_MIRRORED,
    ORDERING_COLUMNS_MIRRORED,
    ORDERINGS
} ordering_t;

#if defined __cplusplus
extern "C" {
#endif

/* The steps of a sweep over n >= 1 blocks, and how many pairs a step may have */
int64_t gsvd_ordering_steps(ordering_t ordering, int64_t n);
int64_t gsvd_ordering_width(ordering_t ordering, int64_t n);

/* (p, q) := pair i of a step, p < q < n; 0 if that is empty. */
int gsvd_ordering_pair(ordering_t ordering, int64_t n, int64_t step, int64_t i,
                       int64_t *p, int64_t *q);

#if defined __cplusplus
}
#endif

#endif /* GSVD_JACOBI_ORDERINGS_H */
