/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* move.c -- entries change their processes, in all-to-alls of limited size.
 *
 * Rows and columns move independently.  For each row of B: which process's row of the grid has it,
 * which has the row of A that it comes from, and where in its part.  So no index travels: both ends go
 * over B's indices in ascending order.
 */
#include <string.h>

#include "grid/messages.h"
#include "grid/move.h"

/* Entries of B that move at a time, at most: one process may have all of them, and MPI counts by int. */
enum { MOST = 1 << 30 };

static int owner(const side_t *s, int64_t index)
{
    return (int)(((s->begin + index) / s->block + s->source) % s->count);
}

static int64_t local(const side_t *s, int64_t index)
{
    const int64_t at = s->begin + index;
    return at / s->block / s->count * s->block + at % s->block;
}

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

static void take(arena_t *a, int64_t n, axis_t *x)
{
    const int most = gsvd_grid->size + 1;
    x->send = gsvd_arena_take(a, n, sizeof(int64_t));
    x->receive = gsvd_arena_take(a, n, sizeof(int64_t));
    x->index = gsvd_arena_take(a, n, sizeof(int));
    x->first_sent = gsvd_arena_take(a, most, sizeof(int));
    x->first_received = gsvd_arena_take(a, most, sizeof(int));
}

static void count_entries(const axis_t *R, const axis_t *C, int turned,
                          message_t *m)
{
    m->all_out = m->all_in = 0;
    for (int rank = 0; rank < gsvd_grid->size; ++rank) {
        int i, j;
        move_origin(rank, turned, &i, &j);
        m->out_at[rank] = (int)m->all_out;
        m->in_at[rank] = (int)m->all_in;
        m->out[rank] = (int)(sent_to(R, rank / gsvd_grid->q) *
                             sent_to(C, rank % gsvd_grid->q));
        m->in[rank] = (int)(received_from(R, i) * received_from(C, j));
        m->all_out += m->out[rank];
        m->all_in += m->in[rank];
    }
}

array_t X(array_of)(mat_t A)
{
    const int64_t b = gsvd_grid->block;
    const array_t array = {.data = gsvd_grid_there(A.data),
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
    GSVD_TRY(X(move_pack)(A, R, C, how & MOVE_TURNED, m->sent));
    if (!alone)
        GSVD_TRY(X(move_exchange)(m));
    return X(move_unpack)(m->received, R, C, how, B);
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
    int done = 0;

    if (m <= 0 || n <= 0)
        return GSVD_SUCCESS;
    if (g->size == 1)
        GSVD_TRY(X(move_alone)(&A, rows, columns, m, n, &B, how, &done));
    if (done)
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
