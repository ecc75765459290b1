/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* matrix.h -- a dense matrix of doubles, real or complex, stored by columns. */
#ifndef GSVD_TOOLS_MATRIX_H
#define GSVD_TOOLS_MATRIX_H

#include <stdbool.h>
#include <stdint.h>

/* Where this process is on a p-by-q grid of them */
typedef struct place {
    int p, q, row, column;
} place_t;

/* Of what rows-by-cols matrix another one is the part that begins at (i, j) */
typedef struct part {
    int64_t rows, cols, i, j;
} part_t;

typedef struct matrix {
    int64_t rows, cols;
    int width;  /* doubles per entry: 1 real, 2 complex                      */
    double *at; /* entry (i, j), from 0, starts at (i + j * rows) * width    */
    part_t in;  /* of a process of a grid; else zeros                        */
} matrix_t;

/* Do rows * cols entries of this width fit the address space? */
bool matrix_fits(int64_t rows, int64_t cols, int width);

/* A = 0.  False, with A empty, if there is no memory. */
bool matrix_create(matrix_t *A, int64_t rows, int64_t cols, int width);

/* A = 0, this process's part of such a matrix: a grid has one block for each process. */
bool matrix_create_part(matrix_t *A, const place_t *place, int64_t rows,
                        int64_t cols, int width);

/* Rows, or columns, of a block: n of them over count processes */
static inline int64_t matrix_block(int64_t n, int count)
{
    return n > count ? (n + count - 1) / count : 1;
}

/* Entry (i, j) of the whole matrix; NULL: it is not here. */
double *matrix_entry(const matrix_t *A, int64_t i, int64_t j);

/* A = B, with entries of the given width, which is at least B's. */
bool matrix_copy(matrix_t *A, const matrix_t *B, int width);

/* Rounds the entries of A to single precision; they stay doubles. */
void matrix_round(matrix_t *A);

/* The entries of A become floats, in the first half of the same memory, and
 * doubles again. */
void matrix_narrow(matrix_t *A);
void matrix_widen(matrix_t *A);

/* Releases what A owns and leaves it empty; an A of zeros is allowed. */
void matrix_free(matrix_t *A);

#endif /* GSVD_TOOLS_MATRIX_H */
