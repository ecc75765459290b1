/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* mpi_types.h -- MPI's names of a letter's types, and ScaLAPACK's description of a view. */
#ifndef GSVD_GRID_MPI_TYPES_H
#define GSVD_GRID_MPI_TYPES_H

#include "grid/layout.h"

#define GRID_REAL (GSVD_SINGLE ? MPI_FLOAT : MPI_DOUBLE)
#define GRID_SCALAR                                                            \
    (REALS_PER_SCALAR == 1 ? GRID_REAL                                         \
     : GSVD_SINGLE         ? MPI_C_FLOAT_COMPLEX                               \
                           : MPI_C_DOUBLE_COMPLEX)

/* desc := ScaLAPACK's, of an array that ends where the view ends; *ia, *ja: from 1 */
void X(describe)(mat_t A, int desc[9], int *ia, int *ja);

/* A(i:,j:) of ScaLAPACK's calls, out of `int A_desc[9], A_i, A_j` */
#define DESCRIBED(A)                                                           \
    int A##_desc[9], A##_i, A##_j;                                             \
    X(describe)(A, A##_desc, &A##_i, &A##_j)
#define P_(A) (A).data, &A##_i, &A##_j, A##_desc

#endif /* GSVD_GRID_MPI_TYPES_H */
