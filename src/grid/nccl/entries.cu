/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* entries.cu -- entries of a matrix on the devices become values on all processes, and back; the entries of a
 * move (grid/move.c). */
#include "grid/nccl/each.cuh"

#include "grid/backend.h"
#include "grid/move.h"

extern "C" gsvd_status_t X(diagonal_sizes)(const exec_t *ex, mat_t A, real_t *d)
{
    scalar_t *entry;
    GSVD_TRY(X(diagonal_grid)(ex, A, &entry));
    for (int64_t j = 0; j < A.cols; ++j)
        d[j] = abs_of(entry[j]);
    return GSVD_SUCCESS;
}

/* As many columns as a list has room for */
static int64_t some_columns(mat_t A)
{
    const size_t column = (size_t)max_i(A.rows, 1) * sizeof(scalar_t);
    return max_i((int64_t)(gsvd_nccl_list_bytes() / column), 1);
}

extern "C" gsvd_status_t X(read_matrix)(const exec_t *ex, mat_t A, scalar_t *to)
{
    const int64_t m = A.rows, some = some_columns(A);
    (void)ex;
    for (int64_t j = 0; j < A.cols; j += some) {
        const int64_t n = min_i(some, A.cols - j);
        const size_t bytes = (size_t)(m * n) * sizeof(scalar_t);
        scalar_t *const list = (scalar_t *)gsvd_nccl_list(0, NULL, bytes);
        each(mat_cols(A, j, n),
             [=] GRID_FN(int64_t r, int64_t c, scalar_t & a, int64_t, int64_t) {
                 list[r + c * m] = a;
             });
        gsvd_nccl_read(to + j * m, list, bytes);
    }
    X(sum_all)(m * A.cols * REALS_PER_SCALAR, (real_t *)to);
    return gsvd_nccl_status();
}

extern "C" void X(grid_write_matrix)(mat_t A, const scalar_t *from)
{
    const int64_t m = A.rows, some = some_columns(A);
    for (int64_t j = 0; j < A.cols; j += some) {
        const int64_t n = min_i(some, A.cols - j);
        const scalar_t *const list = (const scalar_t *)gsvd_nccl_list(
            0, from + j * m, (size_t)(m * n) * sizeof(scalar_t));
        each(mat_cols(A, j, n),
             [=] GRID_FN(int64_t r, int64_t c, scalar_t & a, int64_t, int64_t) {
                 a = list[r + c * m];
             });
    }
}

extern "C" gsvd_status_t X(scale_values)(const exec_t *ex, int64_t n, real_t *x,
                                         int e)
{
    (void)ex;
    for (int64_t i = 0; i < n; ++i)
        x[i] = ldexp_r(x[i], e);
    return GSVD_SUCCESS;
}

/* -- moves ----------------------------------------------------------------------- */

/* Local indices of an axis: those that go to a process, or come from it */
static const int64_t *indices(int which, const int64_t *x, int64_t n)
{
    return (const int64_t *)gsvd_nccl_list(which, x, (size_t)n * sizeof *x);
}

extern "C" gsvd_status_t X(move_pack)(const array_t *A, const axis_t *R,
                                      const axis_t *C, int turned, scalar_t *to)
{
    const scalar_t *const data = A->data;
    const int64_t ld = A->ld;

    const int64_t *const all_rows =
        indices(0, R->send, R->first_sent[R->to.count]);
    const int64_t *const all_cols =
        indices(1, C->send, C->first_sent[C->to.count]);
    for (int rank = 0; rank < gsvd_grid->size; ++rank) {
        const int r = rank / gsvd_grid->q, c = rank % gsvd_grid->q;
        const int64_t m = sent_to(R, r), n = sent_to(C, c);
        const int64_t *const rows = all_rows + R->first_sent[r],
                             *const cols = all_cols + C->first_sent[c];
        each_number(m * n, [=] GRID_FN(int64_t k) {
            const int64_t row = rows[k % m], col = cols[k / m];
            to[k] =
                turned ? conj_of(data[col + row * ld]) : data[row + col * ld];
        });
        to += m * n;
    }
    return GSVD_SUCCESS;
}

extern "C" gsvd_status_t X(move_unpack)(const scalar_t *from, const axis_t *R,
                                        const axis_t *C, int how,
                                        const array_t *B)
{
    const int64_t all = R->first_received[R->from.count],
                  across = C->first_received[C->from.count];
    const int64_t *const all_rows = indices(0, R->receive, all),
                         *const all_cols = indices(1, C->receive, across);
    const int *const row_index =
        (const int *)gsvd_nccl_list(2, R->index, (size_t)all * sizeof(int));
    const int *const col_index =
        (const int *)gsvd_nccl_list(3, C->index, (size_t)across * sizeof(int));
    scalar_t *const data = B->data;
    const int64_t ld = B->ld;

    for (int rank = 0; rank < gsvd_grid->size; ++rank) {
        int r, c;
        move_origin(rank, how & MOVE_TURNED, &r, &c);
        const int64_t m = received_from(R, r), n = received_from(C, c);
        const int64_t i = R->first_received[r], j = C->first_received[c];
        const scalar_t *const x = from;
        each_number(m * n, [=] GRID_FN(int64_t k) {
            const int64_t a = i + k % m, b = j + k / m;
            const int other = row_index[a] < col_index[b] ? MOVE_LOWER
                              : row_index[a] > col_index[b]
                                  ? MOVE_UPPER
                                  : MOVE_LOWER | MOVE_UPPER;
            if (!(how & other))
                data[all_rows[a] + all_cols[b] * ld] = x[k];
        });
        from += m * n;
    }
    return GSVD_SUCCESS;
}

/* Entries go from where they are to where they belong, unless one array is both. */
extern "C" gsvd_status_t X(move_alone)(const array_t *A, const int *rows,
                                       const int *columns, int64_t m, int64_t n,
                                       const array_t *B, int how, int *done)
{
    const int triangles = how & (MOVE_LOWER | MOVE_UPPER);
    const array_t from = *A, to = *B;

    *done = A->data != B->data || (triangles && !rows && !columns);
    if (!*done)
        return GSVD_SUCCESS;
    const int *const row_list =
        rows ? (const int *)gsvd_nccl_list(0, rows, (size_t)m * sizeof(int))
             : NULL;
    const int *const col_list =
        columns
            ? (const int *)gsvd_nccl_list(1, columns, (size_t)n * sizeof(int))
            : NULL;
    each_number(m * n, [=] GRID_FN(int64_t k) {
        const int64_t i = k % m, j = k / m;
        const int64_t r = row_list ? row_list[i] : i,
                      c = col_list ? col_list[j] : j;
        const int other = i < j   ? MOVE_LOWER
                          : i > j ? MOVE_UPPER
                                  : MOVE_LOWER | MOVE_UPPER;
        if (how & other)
            return;
        to.data[to.i + i + (to.j + j) * to.ld] =
            how & MOVE_TURNED
                ? conj_of(from.data[from.i + c + (from.j + r) * from.ld])
                : from.data[from.i + r + (from.j + c) * from.ld];
    });
    return GSVD_SUCCESS;
}
