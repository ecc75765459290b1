/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* ordering.h [1] -- the orderings of block Jacobi (src/jacobi/orderings.h) by their words. */
#ifndef GSVD_BENCH_ORDERING_H
#define GSVD_BENCH_ORDERING_H

#include "jacobi/orderings.h"

extern const char *const bench_ordering_name[ORDERINGS];

/* Does the list, of words or "all", name it?  Does it name nothing else? */
int bench_wants_ordering(const char *list, ordering_t ordering);
int bench_are_orderings(const char *list);

#endif /* GSVD_BENCH_ORDERING_H */
