/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* layout.h -- this process's part of a view.
 *
 * Each array of ours is dealt out from process (0, 0) on, in square blocks of gsvd_grid->block.  Its
 * part here has the leading dimension max(1, rows here).  A view is a rectangle of an array; the part
 * here is a rectangle, too, and a walk goes over its rows or columns:
 *
 *     const part_t P = X(part_of)(A);
 *     EACH_ENTRY(P, i, j)
 *         HERE(P, i, j) = ...;           i.at, j.at: the indices in the view
 */
#ifndef GSVD_GRID_LAYOUT_H
#define GSVD_GRID_LAYOUT_H

#include "core/exec.h"
#include "grid/grid.h"
#include "primitives.h"

/* Local rows [r0, r1) and columns [c0, c1) of an array */
#define part_t X(part_t)
typedef struct part_t {
    scalar_t *data;
    int64_t ld, r0, r1, c0, c1;
    int64_t i, j; /* of the view                                             */
} part_t;

#define GRID_TYPE                                                              \
    (REALS_PER_SCALAR == 1 ? GSVD_SINGLE ? GSVD_S : GSVD_D                     \
     : GSVD_SINGLE         ? GSVD_C                                            \
                           : GSVD_Z)

#if defined __cplusplus
extern "C" {
#endif

part_t X(part_of)(mat_t A);

/* Row r of the grid has these local rows of a view. */
static inline int64_t first_row(mat_t M, int r)
{
    return share_of(M.i, gsvd_grid->block, r, gsvd_grid->p);
}
static inline int64_t end_row(mat_t M, int r)
{
    return share_of(M.i + M.rows, gsvd_grid->block, r, gsvd_grid->p);
}

/* The leading dimension of an array of so many rows */
static inline int64_t ld_here(int64_t rows)
{
    const grid_t *const g = gsvd_grid;
    return max_i(share_of(rows, g->block, g->r, g->p), 1);
}

/* local: an index of the part here, up to `end`; at: the view's */
typedef struct walk {
    int64_t local, end, at, left, block, skip;
} walk_t;

static inline walk_t walk_from(int64_t first, int64_t end, int64_t offset,
                               int me, int count)
{
    const int64_t b = gsvd_grid->block;
    const walk_t w = {
        first,         end, (first / b * count + me) * b + first % b - offset,
        b - first % b, b,   (count - 1) * b};
    return w;
}
static inline walk_t rows_of(const part_t *P)
{
    return walk_from(P->r0, P->r1, P->i, gsvd_grid->r, gsvd_grid->p);
}
static inline walk_t columns_here(const part_t *P)
{
    return walk_from(P->c0, P->c1, P->j, gsvd_grid->c, gsvd_grid->q);
}
static inline void walk_on(walk_t *w)
{
    ++w->local;
    ++w->at;
    if (--w->left == 0) {
        w->left = w->block;
        w->at += w->skip;
    }
}

#define EACH_COLUMN(P, j)                                                      \
    for (walk_t j = columns_here(&(P)); j.local < j.end; walk_on(&j))
#define EACH_ENTRY(P, i, j)                                                    \
    EACH_COLUMN(P, j)                                                          \
    for (walk_t i = rows_of(&(P)); i.local < i.end; walk_on(&i))
#define HERE(P, i, j) ((P).data[(i).local + (j).local * (P).ld])
/* The same entry of another view that is placed alike, from P's walk */
#define THERE(B, P, i, j)                                                      \
    ((B).data[(i).local - (P).r0 + (B).r0 +                                    \
              ((j).local - (P).c0 + (B).c0) * (B).ld])

/* Has each process the same entries of both views? */
int X(placed_alike)(mat_t A, mat_t B);

/* x[0:n) := sums over all processes, and the same bits on all */
void X(sum_all)(int64_t n, real_t *x);
/* x[0:n) := the largest ones; a NaN counts as infinity */
void X(largest_all)(int64_t n, real_t *x);

/* -- move.c ----------------------------------------------------------------- */

/* An array as its owner has it */
#define array_t X(array_t)
typedef struct array_t {
    scalar_t *data;
    int64_t ld, mb, nb, i, j;
    int rsrc, csrc;
} array_t;

array_t X(array_of)(mat_t A);

enum {
    MOVE_TURNED = 1,  /* from A^H                                             */
    MOVE_UPPER = 2,   /* Only entries above the diagonal of B are written.    */
    MOVE_BY_ROWS = 4, /* some rows of B at a time; else some columns         */
    MOVE_LOWER = 8    /* as MOVE_UPPER, below it                             */
};

/* Entries of B that move at a time, for each process */
enum { MOVED_AT_ONCE = 1 << 22 };

/* B(i,j) := A(rows[i], columns[j]), or conj A(columns[j], rows[i]), for m x n; a list that is NULL is
 * 0, 1, ...  All processes have the same lists.  A and B may be one array where the rows, or
 * columns, that move at a time are the same ones. */
gsvd_status_t X(move)(array_t A, const int *rows, const int *columns, int64_t m,
                      int64_t n, array_t B, int how);

#if defined __cplusplus
}
#endif

#endif /* GSVD_GRID_LAYOUT_H */
