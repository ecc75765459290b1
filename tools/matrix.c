/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* matrix.c -- create, copy, round and free a matrix. */
#include "matrix.h"

#include <stdlib.h>
#include <string.h>

bool matrix_fits(int64_t rows, int64_t cols, int width)
{
    const int64_t limit = PTRDIFF_MAX / (width * (int64_t)sizeof(double));

    return rows == 0 || cols <= limit / rows;
}

bool matrix_create(matrix_t *A, int64_t rows, int64_t cols, int width)
{
    *A = (matrix_t){.width = width};
    if (!matrix_fits(rows, cols, width))
        return false;

    /* an empty matrix owns a byte all the same: NULL means no memory */
    const size_t count = (size_t)(rows * cols * width);
    A->at = calloc(count > 0 ? count : 1, sizeof *A->at);
    if (!A->at)
        return false;
    A->rows = rows;
    A->cols = cols;
    return true;
}

static int64_t least(int64_t a, int64_t b) { return a < b ? a : b; }

bool matrix_create_part(matrix_t *A, const place_t *place, int64_t rows,
                        int64_t cols, int width)
{
    const int64_t mb = matrix_block(rows, place->p);
    const int64_t nb = matrix_block(cols, place->q);
    const int64_t i = least(rows, mb * place->row);
    const int64_t j = least(cols, nb * place->column);

    if (!matrix_create(A, least(mb, rows - i), least(nb, cols - j), width))
        return false;
    A->in = (part_t){rows, cols, i, j};
    return true;
}

double *matrix_entry(const matrix_t *A, int64_t i, int64_t j)
{
    i -= A->in.i;
    j -= A->in.j;
    return i >= 0 && i < A->rows && j >= 0 && j < A->cols
               ? A->at + (i + j * A->rows) * A->width
               : NULL;
}

bool matrix_copy(matrix_t *A, const matrix_t *B, int width)
{
    if (!matrix_create(A, B->rows, B->cols, width))
        return false;
    for (int64_t i = 0; i < B->rows * B->cols; ++i)
        for (int c = 0; c < B->width; ++c)
            A->at[i * width + c] = B->at[i * B->width + c];
    return true;
}

static int64_t numbers(const matrix_t *A)
{
    return A->rows * A->cols * A->width;
}

void matrix_round(matrix_t *A)
{
    for (int64_t i = 0; i < numbers(A); ++i)
        A->at[i] = (double)(float)A->at[i];
}

/* Number i of the floats ends before number i of the doubles does: forwards no
 * double is overwritten before it is read, and backwards no float. */
void matrix_narrow(matrix_t *A)
{
    char *const floats = (char *)A->at;

    for (int64_t i = 0; i < numbers(A); ++i) {
        const float x = (float)A->at[i];
        memcpy(floats + i * (int64_t)sizeof x, &x, sizeof x);
    }
}

void matrix_widen(matrix_t *A)
{
    const char *const floats = (const char *)A->at;

    for (int64_t i = numbers(A); i-- > 0;) {
        float x;
        memcpy(&x, floats + i * (int64_t)sizeof x, sizeof x);
        A->at[i] = (double)x;
    }
}

void matrix_free(matrix_t *A)
{
    free(A->at);
    *A = (matrix_t){0};
}
