/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* permute.c -- columns and rows in another order; CPU twin of permute.cu. */
#include <string.h>

#include "pivot/pivot.h"

enum { SLICE = 4096 }; /* rows that are moved at a time                       */

gsvd_status_t X(permute_columns_cpu)(const exec_t *ex, mat_t A, const int *perm,
                                     mat_t B)
{
    (void)ex;
    if (mat_empty(A))
        return GSVD_SUCCESS;
    for (int64_t j = 0; j < A.cols; ++j) {
        const int64_t from = perm ? perm[j] : A.cols - 1 - j;
        memcpy(&AT(B, 0, j), &AT(A, 0, from), (size_t)A.rows * sizeof *A.data);
    }
    return GSVD_SUCCESS;
}

gsvd_status_t X(permute_rows_cpu)(const exec_t *ex, mat_t A, const int *perm,
                                  mat_t B)
{
    (void)ex;
    for (int64_t j = 0; j < A.cols; ++j)
        for (int64_t i = 0; i < A.rows; ++i)
            AT(B, perm ? perm[i] : A.rows - 1 - i, j) = AT(A, i, j);
    return GSVD_SUCCESS;
}

gsvd_status_t X(sort_rows_cpu)(const exec_t *ex, int64_t rows,
                               const real_t *size, int *perm, int *inverse)
{
    int next[ROW_CLASSES] = {0}; /* rows of a class; then perm of its next    */
    int low = ROW_CLASSES, high = -1, first = 0;
    (void)ex;
    for (int64_t i = 0; i < rows; ++i) {
        const int c = row_class(size[i]);
        ++next[c];
        low = c < low ? c : low;
        high = c > high ? c : high;
    }
    for (int c = low; c <= high; ++c) {
        const int count = next[c];
        next[c] = first;
        first += count;
    }
    for (int64_t i = 0; i < rows; ++i) {
        perm[i] = next[row_class(size[i])]++;
        inverse[perm[i]] = (int)i;
    }
    return GSVD_SUCCESS;
}

gsvd_status_t X(row_exponents_cpu)(const exec_t *ex, int64_t rows,
                                   const real_t *size, int *up, int *down)
{
    (void)ex;
    for (int64_t i = 0; i < rows; ++i) {
        down[i] = size[i] > 0 ? exponent_r(size[i]) + 1 : 0;
        up[i] = -down[i];
    }
    return GSVD_SUCCESS;
}

gsvd_status_t X(identity_cpu)(const exec_t *ex, int64_t n, int *perm)
{
    (void)ex;
    for (int64_t j = 0; j < n; ++j)
        perm[j] = (int)j;
    return GSVD_SUCCESS;
}

/* Returns the number of moves; move k takes column from[k] to to[k].  Winners go to the front.  The
 * columns that stood there and did not win go to the places that winners left. */
static int plan(int b, const int *winners, int *from, int *to)
{
    int in_front[PIVOT_WIDTH] = {0}, moves = b, left = 0;
    for (int i = 0; i < b; ++i) {
        from[i] = winners[i];
        to[i] = i;
        if (winners[i] < b)
            in_front[winners[i]] = 1;
    }
    for (int j = 0; j < b; ++j) {
        if (in_front[j])
            continue;
        while (winners[left] < b)
            ++left;
        from[moves] = j;
        to[moves++] = winners[left++];
    }
    return moves;
}

size_t X(pivots_to_front_bytes)(int64_t m)
{
    return 2 * PIVOT_WIDTH * (size_t)min_i(m, SLICE) * sizeof(scalar_t);
}

gsvd_status_t X(pivots_to_front_cpu)(const exec_t *ex, mat_t A, int64_t b,
                                     const int *winners, int *perm)
{
    int from[2 * PIVOT_WIDTH], to[2 * PIVOT_WIDTH], number[2 * PIVOT_WIDTH];
    const int moves = plan((int)b, winners, from, to);
    const int64_t rows = min_i(A.rows, SLICE);
    void *work;

    GSVD_TRY(
        X(kernel_work)(ex, (size_t)(moves * rows) * sizeof(scalar_t), &work));
    const mat_t T = mat_view(work, rows, moves, max_i(rows, 1));
    for (int64_t i = 0; i < A.rows; i += rows) {
        const size_t bytes = (size_t)min_i(rows, A.rows - i) * sizeof(scalar_t);
        for (int k = 0; k < moves; ++k)
            memcpy(&AT(T, 0, k), &AT(A, i, from[k]), bytes);
        for (int k = 0; k < moves; ++k)
            memcpy(&AT(A, i, to[k]), &AT(T, 0, k), bytes);
    }
    for (int k = 0; k < moves; ++k)
        number[k] = perm[from[k]];
    for (int k = 0; k < moves; ++k)
        perm[to[k]] = number[k];
    return GSVD_SUCCESS;
}
