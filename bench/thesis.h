/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* thesis.h [1] -- one pair of Flegar 2016, chapter 3: what is measured. */
#ifndef GSVD_BENCH_THESIS_H
#define GSVD_BENCH_THESIS_H

#include "bench.h"
#include "lapacks.h"

/* by libgsvd, or by a peer */
typedef struct measured {
    const char *name; /* NULL: it was left out                               */
    timing_t time;
    int64_t k, l;
    /* section 3.4: -log10 |A - U R_A Q^H|_F / |A|_F, and of B              */
    double digits_a, digits_b;
    /* section 3.5: -log10 of the mean relative change of the l values from
     * LAPACK's xGGSVD3 to LAPACK's xTGSJA after this preprocessing; NaN for
     * LAPACK itself, infinite if nothing changed                            */
    double digits_values;
} measured_t;

typedef struct thesis_case {
    char letter;
    shape_t shape;
    double ratio; /* worst of LAPACK's ratios of ours                        */
    measured_t ours, peer[LAPACKS];
} thesis_case_t;

BENCH_DECLARE(gsvd_status_t, thesis, bench_t *b, const lapacks_t *peers,
              thesis_case_t *c);

#endif /* GSVD_BENCH_THESIS_H */
