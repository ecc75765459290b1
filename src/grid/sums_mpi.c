/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* sums_mpi.c -- sums and largest numbers of all processes, by MPI; a view as ScaLAPACK's descriptor. */
#include "grid/mpi_types.h"

void X(describe)(mat_t A, int desc[9], int *ia, int *ja)
{
    const grid_t *const g = gsvd_grid;
    const int of[9] = {1,
                       g->context,
                       (int)(A.i + A.rows),
                       (int)(A.j + A.cols),
                       (int)g->block,
                       (int)g->block,
                       0,
                       0,
                       (int)ld_here(A.ld)};
    for (int k = 0; k < 9; ++k)
        desc[k] = of[k];
    *ia = (int)A.i + 1;
    *ja = (int)A.j + 1;
}

/* MPI counts by int.  FEW numbers have room on a stack. */
enum { AT_ONCE = 1 << 24, FEW = 4096 };

/* One collective in place of two: each process adds the numbers of all, in the same order. */
static void sum_few(int n, real_t *x)
{
    const grid_t *const g = gsvd_grid;
    real_t all[FEW];

    MPI_Allgather(x, n, GRID_REAL, all, n, GRID_REAL, g->comm);
    for (int i = 0; i < n; ++i) {
        x[i] = all[i];
        for (int k = 1; k < g->size; ++k)
            x[i] += all[i + k * n];
    }
}

void X(sum_all)(int64_t n, real_t *x)
{
    grid_t *const g = gsvd_grid;
    if (n > 0 && n <= FEW / g->size && g->size > 1) {
        sum_few((int)n, x);
        return;
    }
    for (int64_t i = 0; i < n && g->size > 1; i += AT_ONCE) {
        const int some = (int)min_i(n - i, AT_ONCE);
        if (g->rank == 0)
            MPI_Reduce(MPI_IN_PLACE, x + i, some, GRID_REAL, MPI_SUM, 0,
                       g->comm);
        else
            MPI_Reduce(x + i, NULL, some, GRID_REAL, MPI_SUM, 0, g->comm);
        MPI_Bcast(x + i, some, GRID_REAL, 0, g->comm);
    }
}

void X(largest_all)(int64_t n, real_t *x)
{
    for (int64_t i = 0; i < n; ++i)
        if (x[i] != x[i])
            x[i] = (real_t)INFINITY;
    for (int64_t i = 0; i < n; i += AT_ONCE)
        MPI_Allreduce(MPI_IN_PLACE, x + i, (int)min_i(n - i, AT_ONCE),
                      GRID_REAL, MPI_MAX, gsvd_grid->comm);
}
