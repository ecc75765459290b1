/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* decompose.h -- one pair through the library, all factors kept. */
#ifndef GSVD_TOOLS_DECOMPOSE_H
#define GSVD_TOOLS_DECOMPOSE_H

#include "gsvd.h"
#include "matrix.h"

typedef struct decomposition {
    gsvd_type_t type; /* GSVD_D or GSVD_Z                                  */
    int64_t m, n, p, k, l;
    matrix_t A, B; /* hold R, as gsvd leaves it                         */
    matrix_t alpha, beta, U, V, Q;
    gsvd_stats_t stats;
} decomposition_t;

/* Computes the GSVD of A, B, which have the same number of columns; complex if
 * either is.  device is gsvd_create's.  False, with a line on stderr, if there
 * is no result; *d is to be freed in both cases. */
bool decompose(const matrix_t *A, const matrix_t *B, gsvd_solver_t solver,
               int device, decomposition_t *d);

void decomposition_free(decomposition_t *d);

#endif /* GSVD_TOOLS_DECOMPOSE_H */
