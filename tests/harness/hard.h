/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* hard.h -- matrices whose rank column pivoting finds with difficulty. */
#ifndef GSVD_TESTS_HARD_H
#define GSVD_TESTS_HARD_H

#include "harness/harness.h"

typedef enum hard {
    KAHAN,    /* Kahan 1966: pivots decline slowly, the last values do not  */
    EXTENDED, /* Gu and Eisenstat 1996: Kahan's, the fault n/3 from the end */
    GKS,      /* Golub, Klema, Stewart 1976: upper, (i,j) = -1/sqrt(j)      */
    STAIRS, /* Stewart's devil's stairs: runs of values, the tolerance between two */
    GRADED,    /* columns from 1 down to ulp^1.5, geometrically              */
    DUPLICATE, /* each column of the second half is one of the first         */
    NEAR,      /* likewise, but for multiples of the tolerance               */
    GAP,       /* singular values ten times and a tenth of the tolerance     */
    NO_GAP,    /* singular values evenly on both sides of the tolerance      */
    HARD
} hard_t;

extern const char *const hard_name[HARD];

/* n x n, of norm about 1, or n for the random ones */
mat_t hard_mat(hard_t which, int64_t n, uint64_t *seed);

/* The tolerance that STAIRS, NEAR, GAP and NO_GAP are made for; negative: the
 * default */
double hard_tolerance(hard_t which);

#endif /* GSVD_TESTS_HARD_H */
