/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* move_mpi.c -- the entries of a move (move.c), by MPI. */
#include <string.h>

#include "grid/move.h"
#include "grid/mpi_types.h"

static int is_run(int64_t n, const int64_t *at)
{
    int64_t i = 1;
    while (i < n && at[i] == at[0] + i)
        ++i;
    return n > 0 && i >= n;
}

/* to[i] := from[at[i]], or to[at[i]] := from[i] */
static void gather(int64_t n, const scalar_t *from, const int64_t *at, int run,
                   scalar_t *to)
{
    if (run)
        memcpy(to, from + at[0], (size_t)n * sizeof *to);
    else
        for (int64_t i = 0; i < n; ++i)
            to[i] = from[at[i]];
}
static void scatter(int64_t n, const scalar_t *from, const int64_t *at, int run,
                    scalar_t *to)
{
    if (run)
        memcpy(to + at[0], from, (size_t)n * sizeof *to);
    else
        for (int64_t i = 0; i < n; ++i)
            to[at[i]] = from[i];
}

/* to := A^H's rows and columns, in tiles, since A is read across */
static void gather_turned(const array_t *A, int64_t m, const int64_t *rows,
                          int64_t n, const int64_t *columns, scalar_t *to)
{
    enum { TILE = 32 };
    for (int64_t c = 0; c < n; c += TILE)
        for (int64_t r = 0; r < m; r += TILE)
            for (int64_t j = c; j < min_i(c + TILE, n); ++j)
                for (int64_t i = r; i < min_i(r + TILE, m); ++i)
                    to[i + j * m] =
                        conj_of(A->data[columns[j] + rows[i] * A->ld]);
}

gsvd_status_t X(move_pack)(const array_t *A, const axis_t *R, const axis_t *C,
                           int turned, scalar_t *to)
{
    for (int rank = 0; rank < gsvd_grid->size; ++rank) {
        const int r = rank / gsvd_grid->q, c = rank % gsvd_grid->q;
        const int64_t m = sent_to(R, r), n = sent_to(C, c);
        const int64_t *const rows = R->send + R->first_sent[r],
                             *const columns = C->send + C->first_sent[c];
        const int run = is_run(m, rows);
        if (turned)
            gather_turned(A, m, rows, n, columns, to);
        for (int64_t j = 0; !turned && j < n; ++j)
            gather(m, A->data + columns[j] * A->ld, rows, run, to + j * m);
        to += m * n;
    }
    return GSVD_SUCCESS;
}

/* Those of one column of B, of the rows [from, from + m) that are received, that `how` writes */
static void scatter_some(int64_t m, const scalar_t *x, const axis_t *R,
                         int64_t from, int column, int how, scalar_t *to)
{
    const int *const index = R->index + from;
    for (int64_t i = 0; i < m; ++i)
        if (!(how & (index[i] < column   ? MOVE_LOWER
                     : index[i] > column ? MOVE_UPPER
                                         : MOVE_LOWER | MOVE_UPPER)))
            to[R->receive[from + i]] = x[i];
}

gsvd_status_t X(move_unpack)(const scalar_t *from, const axis_t *R,
                             const axis_t *C, int how, const array_t *B)
{
    for (int rank = 0; rank < gsvd_grid->size; ++rank) {
        int r, c;
        move_origin(rank, how & MOVE_TURNED, &r, &c);
        const int64_t m = received_from(R, r), first = R->first_received[r];
        const int run = is_run(m, R->receive + first);
        for (int j = C->first_received[c]; j < C->first_received[c + 1];
             ++j, from += m) {
            scalar_t *const to = B->data + C->receive[j] * B->ld;
            if (how & (MOVE_LOWER | MOVE_UPPER))
                scatter_some(m, from, R, first, C->index[j], how, to);
            else
                scatter(m, from, R->receive + first, run, to);
        }
    }
    return GSVD_SUCCESS;
}

gsvd_status_t X(move_exchange)(message_t *m)
{
    MPI_Alltoallv(m->sent, m->out, m->out_at, GRID_SCALAR, m->received, m->in,
                  m->in_at, GRID_SCALAR, gsvd_grid->comm);
    return GSVD_SUCCESS;
}

gsvd_status_t X(move_alone)(const array_t *A, const int *rows,
                            const int *columns, int64_t m, int64_t n,
                            const array_t *B, int how, int *done)
{
    (void)A, (void)rows, (void)columns, (void)m, (void)n, (void)B, (void)how;
    *done = 0;
    return GSVD_SUCCESS;
}
