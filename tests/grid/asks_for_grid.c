/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* asks_for_grid.c [1] -- asks for a grid without MPI_Init, and prints what that comes to. */
#include <gsvd_grid.h>
#include <stdio.h>

int main(void)
{
    gsvd_grid_t g = (gsvd_grid_t)&g;
    const gsvd_status_t status = gsvd_grid_from_mpi(&g, 0, 1, 1, 'R');
    printf("%s, %s: %s\n", gsvd_status_name(status), g ? "a grid" : "no grid",
           gsvd_grid_last_error(NULL));
    return 0;
}
