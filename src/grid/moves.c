/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* moves.c -- primitives that move entries, or go over lists of numbers, on a grid. */
#include "core/angle.h"
#include "grid/backend.h"
#include "grid/layout.h"
#include "pivot/pivot.h"

/* -- moves ------------------------------------------------------------------ */

gsvd_status_t X(copy_grid)(const exec_t *ex, mat_t A, mat_t B)
{
    (void)ex;
    if (!X(placed_alike)(A, B))
        return X(move)(X(array_of)(A), NULL, NULL, A.rows, A.cols,
                       X(array_of)(B), 0);
    return X(copy_parts)(A, B);
}

gsvd_status_t X(beside)(const exec_t *ex, mat_t A, mat_t B, mat_t *from)
{
    *from = A;
    if (X(placed_alike)(A, B))
        return GSVD_SUCCESS;
    *from = B;
    return X(copy_grid)(ex, A, B);
}

gsvd_status_t X(ctrans_grid)(const exec_t *ex, mat_t A, mat_t B)
{
    (void)ex;
    return X(move)(X(array_of)(A), NULL, NULL, A.cols, A.rows, X(array_of)(B),
                   MOVE_TURNED);
}

/* The entries of a triangle become those of the other one. */
gsvd_status_t X(hermitian_grid)(const exec_t *ex, char uplo, mat_t A)
{
    const array_t array = X(array_of)(A);

    (void)ex;
    GSVD_TRY(X(move)(array, NULL, NULL, A.rows, A.cols, array,
                     MOVE_TURNED | (uplo == 'U' ? MOVE_LOWER : MOVE_UPPER)));
    return X(real_diagonal)(A);
}

/* *list := perm, or its inverse; NULL reverses. */
static gsvd_status_t list_of(const exec_t *ex, int64_t n, const int *perm,
                             int inverse, const int **list)
{
    void *work;
    if (perm && !inverse) {
        *list = perm;
        return GSVD_SUCCESS;
    }
    GSVD_TRY(X(kernel_work)(ex, (size_t)max_i(n, 1) * sizeof(int), &work));
    int *const to = work;
    for (int64_t i = 0; i < n; ++i)
        to[perm ? perm[i] : n - 1 - i] = (int)i;
    *list = to;
    return GSVD_SUCCESS;
}

gsvd_status_t X(permute_columns_grid)(const exec_t *ex, mat_t A,
                                      const int *perm, mat_t B)
{
    const int *list;
    GSVD_TRY(list_of(ex, A.cols, perm, 0, &list));
    return X(move)(X(array_of)(A), NULL, list, A.rows, A.cols, X(array_of)(B),
                   0);
}

gsvd_status_t X(permute_rows_grid)(const exec_t *ex, mat_t A, const int *perm,
                                   mat_t B)
{
    const int *list;
    GSVD_TRY(list_of(ex, A.rows, perm, 1, &list));
    return X(move)(X(array_of)(A), list, NULL, A.rows, A.cols, X(array_of)(B),
                   0);
}

/* It goes through messages, and needs no work. */
int64_t X(rearrange_entries)(int64_t rows, int64_t cols)
{
    (void)rows, (void)cols;
    return 0;
}

gsvd_status_t X(rearrange)(const exec_t *ex, char side, const int *perm,
                           mat_t C, mat_t work)
{
    const int left = side == 'L';
    const array_t array = X(array_of)(C);
    const int *list;

    (void)work;
    GSVD_TRY(list_of(ex, left ? C.rows : C.cols, perm, left, &list));
    return X(move)(array, left ? list : NULL, left ? NULL : list, C.rows,
                   C.cols, array, left ? 0 : MOVE_BY_ROWS);
}

/* -- lists --------------------------------------------------------------------- */

gsvd_status_t X(count_from_one_grid)(const exec_t *ex, int64_t n,
                                     const int *from, int64_t *to)
{
    (void)ex;
    for (int64_t j = 0; j < n; ++j)
        to[j] = (int64_t)from[j] + 1;
    return GSVD_SUCCESS;
}

gsvd_status_t X(signed_roots_grid)(const exec_t *ex, int64_t n, const real_t *x,
                                   real_t *root, real_t *sign)
{
    (void)ex;
    for (int64_t i = 0; i < n; ++i)
        signed_root(x[i], &root[i], &sign[i]);
    return GSVD_SUCCESS;
}

gsvd_status_t X(norms_grid)(const exec_t *ex, mat_t A, norms_t *r)
{
    return X(norms_by_row_grid)(ex, A, NULL, r);
}

gsvd_status_t X(diagonal_grid)(const exec_t *ex, mat_t R, scalar_t **d)
{
    const int64_t n = min_i(R.rows, R.cols);
    void *work;
    GSVD_TRY(X(kernel_work)(ex, (size_t)max_i(n, 1) * sizeof(scalar_t), &work));
    X(read_diagonal)(R, n, work);
    *d = work;
    return GSVD_SUCCESS;
}
