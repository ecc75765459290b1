/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* ordering.c [1] -- the orderings of block Jacobi by their words; see ordering.h. */
#include "ordering.h"

#include <string.h>

#include "bench.h"

const char *const bench_ordering_name[ORDERINGS] = {
    [ORDERING_MODULUS] = "modulus",
    [ORDERING_MODIFIED_MODULUS] = "modified",
    [ORDERING_BRENT_LUK] = "brent",
    [ORDERING_ROWS] = "rows",
    [ORDERING_COLUMNS] = "cols",
    [ORDERING_ROWS_MIRRORED] = "rows_m",
    [ORDERING_COLUMNS_MIRRORED] = "cols_m"};

int bench_wants_ordering(const char *list, ordering_t ordering)
{
    return bench_listed(list, "all") ||
           bench_listed(list, bench_ordering_name[ordering]);
}

int bench_are_orderings(const char *list)
{
    int words = 1, known = 0;
    for (const char *c = list; *c; ++c)
        words += *c == ',';
    for (int i = 0; i < ORDERINGS; ++i)
        known += bench_listed(list, bench_ordering_name[i]);
    return known == words || strcmp(list, "all") == 0;
}
