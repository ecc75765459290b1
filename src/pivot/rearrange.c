/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* rearrange.c -- rows or columns of a matrix in another order, in its own place. */
#include "pivot/pivot.h"

/* A matrix is rearranged in pieces of so many entries, or of a sixteenth of it. */
enum { PIECE = 1 << 20 };

int64_t X(rearrange_entries)(int64_t rows, int64_t cols)
{
    const int64_t all = rows * cols;
    return max_i(max_i(rows, cols), min_i(all, max_i(all / 16, PIECE)));
}

gsvd_status_t X(rearrange)(const exec_t *ex, char side, const int *perm,
                           mat_t C, mat_t work)
{
    const int left = side == 'L';
    const int64_t all = left ? C.cols : C.rows;
    const int64_t most = max_i(work.rows / max_i(left ? C.rows : C.cols, 1), 1);

    for (int64_t j = 0; j < all; j += most) {
        const int64_t some = min_i(most, all - j);
        const mat_t Cj = left ? mat_cols(C, j, some) : mat_rows(C, j, some);
        const mat_t T =
            mat_view(work.data, Cj.rows, Cj.cols, max_i(Cj.rows, 1));
        GSVD_TRY(ex->op->copy(ex, Cj, T));
        GSVD_TRY((left ? ex->op->permute_rows
                       : ex->op->permute_columns)(ex, T, perm, Cj));
    }
    return GSVD_SUCCESS;
}
