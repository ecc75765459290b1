/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* move.c -- the caller's arrays on the host, and their copies on a device. */
#include "gsvd/pipeline.h"

mat_t X(take_matrix)(arena_t *a, int64_t rows, int64_t cols)
{
    return mat_view(gsvd_arena_take(a, rows * cols, sizeof(scalar_t)), rows,
                    cols, max_i(rows, 1));
}

gsvd_status_t X(move_in)(gsvd_handle_t h, const void *from, int64_t ld,
                         mat_t to)
{
    return h->space->upload(h, to.data, (size_t)to.ld * sizeof(scalar_t), from,
                            (size_t)ld * sizeof(scalar_t),
                            (size_t)to.rows * sizeof(scalar_t), to.cols);
}

gsvd_status_t X(move_out)(gsvd_handle_t h, mat_t from, void *to, int64_t ld)
{
    return h->space->download(h, to, (size_t)ld * sizeof(scalar_t), from.data,
                              (size_t)from.ld * sizeof(scalar_t),
                              (size_t)from.rows * sizeof(scalar_t), from.cols);
}

gsvd_status_t X(move_values)(gsvd_handle_t h, const void *from, void *to,
                             int64_t n, size_t each)
{
    const size_t bytes = (size_t)n * each;
    return h->space->download(h, to, bytes, from, bytes, bytes, n > 0);
}
