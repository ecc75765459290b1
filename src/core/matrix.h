/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* matrix.h -- a view of a matrix stored by columns, on the host or a device.
 *
 * A view never owns its data, and what is only a view never dereferences: the
 * drivers cut views out of views, the primitives read and write elements.
 *
 * With GSVD_ON_GRID the matrix lies on a grid of processes (grid/layout.h).  The view is of the
 * whole array, and `data` is this process's part of it.  ld is then the number of rows of the
 * whole array, and AT has no meaning.
 */
#ifndef GSVD_CORE_MATRIX_H
#define GSVD_CORE_MATRIX_H

#include <stdint.h>

#include "core/scalar.h"

#if !defined GSVD_ON_GRID
#define GSVD_ON_GRID 0
#endif

#define mat_t X(mat_t)
typedef struct mat_t {
    scalar_t *data; /* NULL: absent (a factor that was not asked for)        */
    int64_t rows, cols, ld;
#if GSVD_ON_GRID
    int64_t i, j; /* where the view begins in the whole array                */
#endif
} mat_t;

#define AT(A, i, j) ((A).data[(i) + (j) * (A).ld])

GSVD_FN mat_t mat_view(scalar_t *data, int64_t rows, int64_t cols, int64_t ld)
{
    mat_t A;
    A.data = data;
    A.rows = rows;
    A.cols = cols;
    A.ld = ld;
#if GSVD_ON_GRID
    A.i = A.j = 0;
#endif
    return A;
}

#if GSVD_ON_GRID
GSVD_FN mat_t mat_sub(mat_t A, int64_t i, int64_t j, int64_t rows, int64_t cols)
{
    A.i += i;
    A.j += j;
    A.rows = rows;
    A.cols = cols;
    return A;
}

/* The entries that this process has of a matrix of its own */
int64_t X(entries_here)(int64_t rows, int64_t cols);
GSVD_FN int64_t mat_entries(int64_t rows, int64_t cols)
{
    return X(entries_here)(rows, cols);
}
#else
/* A(i:i+rows, j:j+cols); an empty view does not leave the array */
GSVD_FN mat_t mat_sub(mat_t A, int64_t i, int64_t j, int64_t rows, int64_t cols)
{
    const int empty = rows <= 0 || cols <= 0 || A.data == 0;
    return mat_view(empty ? A.data : &AT(A, i, j), rows, cols, A.ld);
}

GSVD_FN int64_t mat_entries(int64_t rows, int64_t cols) { return rows * cols; }
#endif

GSVD_FN mat_t mat_cols(mat_t A, int64_t j, int64_t cols)
{
    return mat_sub(A, 0, j, A.rows, cols);
}
GSVD_FN mat_t mat_rows(mat_t A, int64_t i, int64_t rows)
{
    return mat_sub(A, i, 0, rows, A.cols);
}
GSVD_FN int mat_empty(mat_t A) { return A.rows <= 0 || A.cols <= 0; }

/* `count` matrices of one shape, each without gaps, one `stride` entries behind another */
#define mats_t X(mats_t)
typedef struct mats_t {
    scalar_t *data;
    int64_t count, rows, cols, stride;
} mats_t;

GSVD_FN mat_t mats_at(mats_t A, int64_t i)
{
    return mat_view(A.data + i * A.stride, A.rows, A.cols, A.rows);
}

GSVD_FN int64_t min_i(int64_t a, int64_t b) { return a < b ? a : b; }
GSVD_FN int64_t max_i(int64_t a, int64_t b) { return a > b ? a : b; }

#endif /* GSVD_CORE_MATRIX_H */
