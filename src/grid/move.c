/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* move.c -- entries change their processes, in all-to-alls of limited size.
 *
 * Rows and columns move independently.  For each row of B: which process's row of the grid has it,
 * which has the row of A that it comes from, and where in its part.  So no index travels: both ends go
 * over B's indices in ascending order.
 */
#include <string.h>

#include "grid/layout.h"

/* Entries of B that move at a time, at most: one process may have all of them, and MPI counts by int. */
enum { MOST = 1 << 30 };

/* One direction of an array */
typedef struct side {
    int64_t begin, block;
    int source, count, me; /* processes of the grid in this direction        */
} side_t;

static int owner(const side_t *s, int64_t index)
{
    return (int)(((s->begin + index) / s->block + s->source) % s->count);
}

static int64_t local(const side_t *s, int64_t index)
{
    const int64_t at = s->begin + index;
    return at / s->block / s->count * s->block + at % s->block;
}

/* Rows, or columns, of B: where they come from and where they go */
typedef struct axis {
    side_t from, to;
    const int *list;
    /* local indices of A that go to process d: send[first[d]] up to send[first[d + 1]]; of B that
     * come from process s likewise */
    int64_t *send, *receive;
    int *first_sent, *first_received;
    int *index; /* of B, for each that is received                           */
} axis_t;

static int64_t origin(const axis_t *x, int64_t b)
{
    return x->list ? x->list[b] : b;
}

/* Counting sort of B's indices [from, to) */
static void deal_out(axis_t *x, int64_t from, int64_t to)
{
    int *const sent = x->first_sent, *const got = x->first_received;

    memset(sent, 0, (size_t)(x->to.count + 1) * sizeof *sent);
    memset(got, 0, (size_t)(x->from.count + 1) * sizeof *got);
    for (int64_t b = from; b < to; ++b) {
        const int source = owner(&x->from, origin(x, b));
        const int target = owner(&x->to, b);
        if (source == x->from.me)
            ++sent[target + 1];
        if (target == x->to.me)
            ++got[source + 1];
    }
    for (int d = 0; d < x->to.count; ++d)
        sent[d + 1] += sent[d];
    for (int d = 0; d < x->from.count; ++d)
        got[d + 1] += got[d];
    for (int64_t b = from; b < to; ++b) {
        const int source = owner(&x->from, origin(x, b));
        const int target = owner(&x->to, b);
        if (source == x->from.me)
            x->send[sent[target]++] = local(&x->from, origin(x, b));
        if (target == x->to.me) {
            x->index[got[source]] = (int)b;
            x->receive[got[source]++] = local(&x->to, b);
        }
    }
    for (int d = x->to.count; d > 0; --d) /* They have moved on by one.      */
        sent[d] = sent[d - 1];
    for (int d = x->from.count; d > 0; --d)
        got[d] = got[d - 1];
    sent[0] = got[0] = 0;
}

static int64_t sent_to(const axis_t *x, int d)
{
    return x->first_sent[d + 1] - x->first_sent[d];
}
static int64_t received_from(const axis_t *x, int s)
{
    return x->first_received[s + 1] - x->first_received[s];
}

static void take(arena_t *a, int64_t n, axis_t *x)
{
    const int most = gsvd_grid->size + 1;
    x->send = gsvd_arena_take(a, n, sizeof(int64_t));
    x->receive = gsvd_arena_take(a, n, sizeof(int64_t));
    x->index = gsvd_arena_take(a, n, sizeof(int));
    x->first_sent = gsvd_arena_take(a, most, sizeof(int));
    x->first_received = gsvd_arena_take(a, most, sizeof(int));
}

typedef struct message {
    int *out, *out_at, *in, *in_at; /* for each process                      */
    scalar_t *sent, *received;
    int64_t all_out, all_in;
} message_t;

/* The coordinates along R and C of where process `rank` of A's is */
static void origin_of(int rank, int turned, int *i, int *j)
{
    const int r = rank / gsvd_grid->q, c = rank % gsvd_grid->q;
    *i = turned ? c : r;
    *j = turned ? r : c;
}

static void count_entries(const axis_t *R, const axis_t *C, int turned,
                          message_t *m)
{
    m->all_out = m->all_in = 0;
    for (int rank = 0; rank < gsvd_grid->size; ++rank) {
        int i, j;
        origin_of(rank, turned, &i, &j);
        m->out_at[rank] = (int)m->all_out;
        m->in_at[rank] = (int)m->all_in;
        m->out[rank] = (int)(sent_to(R, rank / gsvd_grid->q) *
                             sent_to(C, rank % gsvd_grid->q));
        m->in[rank] = (int)(received_from(R, i) * received_from(C, j));
        m->all_out += m->out[rank];
        m->all_in += m->in[rank];
    }
}

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

static void pack(const array_t *A, const axis_t *R, const axis_t *C, int turned,
                 scalar_t *to)
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

static void unpack(const scalar_t *from, const axis_t *R, const axis_t *C,
                   int how, const array_t *B)
{
    for (int rank = 0; rank < gsvd_grid->size; ++rank) {
        int r, c;
        origin_of(rank, how & MOVE_TURNED, &r, &c);
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
}

array_t X(array_of)(mat_t A)
{
    const int64_t b = gsvd_grid->block;
    const array_t array = {.data = A.data,
                           .ld = ld_here(A.ld),
                           .mb = b,
                           .nb = b,
                           .i = A.i,
                           .j = A.j};
    return array;
}

/* Some of the rows and columns of B */
static gsvd_status_t move_some(const array_t *A, const axis_t *R,
                               const axis_t *C, const array_t *B, int how,
                               message_t *m)
{
    const int alone = gsvd_grid->size == 1; /* What is sent is received.     */
    void *room;

    count_entries(R, C, how & MOVE_TURNED, m);
    const int64_t all = m->all_out + (alone ? 0 : m->all_in);
    GSVD_TRY(
        gsvd_grid_room(ROOM_MESSAGES, (size_t)all * sizeof(scalar_t), &room));
    m->sent = room;
    m->received = alone ? m->sent : m->sent + m->all_out;
    pack(A, R, C, how & MOVE_TURNED, m->sent);
    if (!alone)
        MPI_Alltoallv(m->sent, m->out, m->out_at, GRID_SCALAR, m->received,
                      m->in, m->in_at, GRID_SCALAR, gsvd_grid->comm);
    unpack(m->received, R, C, how, B);
    return GSVD_SUCCESS;
}

/* The arrays of a move; all processes have the same sizes. */
static void take_lists(arena_t *a, int64_t m, int64_t n, axis_t *R, axis_t *C,
                       message_t *message)
{
    const int size = gsvd_grid->size;
    take(a, m, R);
    take(a, n, C);
    message->out = gsvd_arena_take(a, size, sizeof(int));
    message->out_at = gsvd_arena_take(a, size, sizeof(int));
    message->in = gsvd_arena_take(a, size, sizeof(int));
    message->in_at = gsvd_arena_take(a, size, sizeof(int));
}

gsvd_status_t X(move)(array_t A, const int *rows, const int *columns, int64_t m,
                      int64_t n, array_t B, int how)
{
    const grid_t *const g = gsvd_grid;
    const side_t of_rows = {A.i, A.mb, A.rsrc, g->p, g->r};
    const side_t of_columns = {A.j, A.nb, A.csrc, g->q, g->c};
    const int turned = how & MOVE_TURNED, by_rows = how & MOVE_BY_ROWS;
    const int64_t all = by_rows ? m : n, across = by_rows ? n : m;
    const int64_t most = min_i((int64_t)MOVED_AT_ONCE * g->size, MOST);
    const int64_t some = max_i(most / max_i(across, 1), 1);
    axis_t R = {.from = turned ? of_columns : of_rows,
                .to = {B.i, B.mb, B.rsrc, g->p, g->r},
                .list = rows};
    axis_t C = {.from = turned ? of_rows : of_columns,
                .to = {B.j, B.nb, B.csrc, g->q, g->c},
                .list = columns};
    message_t message;
    arena_t count = {0}, lists;
    void *room;

    if (m <= 0 || n <= 0)
        return GSVD_SUCCESS;
    take_lists(&count, m, n, &R, &C, &message);
    GSVD_TRY(gsvd_grid_room(ROOM_LISTS, gsvd_arena_bytes(&count), &room));
    lists = gsvd_arena_over(room, gsvd_arena_bytes(&count));
    take_lists(&lists, m, n, &R, &C, &message);
    deal_out(by_rows ? &C : &R, 0, across);
    for (int64_t k = 0; k < all; k += some) {
        deal_out(by_rows ? &R : &C, k, min_i(k + some, all));
        GSVD_TRY(move_some(&A, &R, &C, &B, how, &message));
    }
    return GSVD_SUCCESS;
}
