/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* small.h [1] -- small pairs behind LAPACK's symbols, ours against another's. */
#ifndef GSVD_BENCH_SMALL_H
#define GSVD_BENCH_SMALL_H

#include "bench.h"
#include "lapacks.h"

typedef struct contest {
    lapack_t ours, theirs;
    double limit;      /* seconds for a line of the table                    */
    const char *steps; /* names of those that run, commas between            */
    int slower;        /* lines where ours took longer, beyond the noise     */
} contest_t;

/* What two measurements of the same code may differ by. */
#define SMALL_NOISE 1.03

/* Square pairs of order n: a line for each routine and its jobs. */
BENCH_DECLARE(void, small, bench_t *b, contest_t *c, int64_t n);

#endif /* GSVD_BENCH_SMALL_H */
