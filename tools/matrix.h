/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* matrix.h -- a dense matrix of doubles, real or complex, stored by columns. */
#ifndef GSVD_TOOLS_MATRIX_H
#define GSVD_TOOLS_MATRIX_H

#include <stdbool.h>
#include <stdint.h>

typedef struct matrix {
    int64_t rows, cols;
    int width;  /* doubles per entry: 1 real, 2 complex                      */
    double *at; /* entry (i, j), from 0, starts at (i + j * rows) * width    */
} matrix_t;

/* Do rows * cols entries of this width fit the address space? */
bool matrix_fits(int64_t rows, int64_t cols, int width);

/* A = 0.  False, with A empty, if there is no memory. */
bool matrix_create(matrix_t *A, int64_t rows, int64_t cols, int width);

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
