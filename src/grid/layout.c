/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* layout.c -- see layout.h. */
#include "grid/layout.h"

#include "grid/messages.h"

int64_t X(entries_here)(int64_t rows, int64_t cols)
{
    const grid_t *const g = gsvd_grid;
    return ld_here(rows) * max_i(share_of(cols, g->block, g->c, g->q), 1);
}

part_t X(part_of)(mat_t A)
{
    const grid_t *const g = gsvd_grid;
    const int64_t b = g->block;
    const part_t P = {.data = gsvd_grid_there(A.data),
                      .ld = ld_here(A.ld),
                      .r0 = share_of(A.i, b, g->r, g->p),
                      .r1 = share_of(A.i + A.rows, b, g->r, g->p),
                      .c0 = share_of(A.j, b, g->c, g->q),
                      .c1 = share_of(A.j + A.cols, b, g->c, g->q),
                      .i = A.i,
                      .j = A.j};
    return P;
}

/* Indices that begin at a and at b of two arrays; one process has all of them. */
static int alike(int64_t a, int64_t b, int count)
{
    const int64_t turn = gsvd_grid->block * count;
    return count == 1 || a % turn == b % turn;
}

int X(placed_alike)(mat_t A, mat_t B)
{
    return alike(A.i, B.i, gsvd_grid->p) && alike(A.j, B.j, gsvd_grid->q);
}
