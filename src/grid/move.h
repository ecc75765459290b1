/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* move.h -- the parts of a move (move.c) that touch entries: by MPI on the host, or on devices. */
#ifndef GSVD_GRID_MOVE_H
#define GSVD_GRID_MOVE_H

#include "grid/layout.h"

/* One direction of an array */
typedef struct side {
    int64_t begin, block;
    int source, count, me; /* processes of the grid in this direction        */
} side_t;

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

static inline int64_t sent_to(const axis_t *x, int d)
{
    return x->first_sent[d + 1] - x->first_sent[d];
}
static inline int64_t received_from(const axis_t *x, int s)
{
    return x->first_received[s + 1] - x->first_received[s];
}

#define message_t X(message_t)
typedef struct message {
    int *out, *out_at, *in, *in_at; /* for each process                      */
    scalar_t *sent, *received;
    int64_t all_out, all_in;
} message_t;

/* The coordinates along R and C of where process `rank` of A's is */
static inline void move_origin(int rank, int turned, int *i, int *j)
{
    const int r = rank / gsvd_grid->q, c = rank % gsvd_grid->q;
    *i = turned ? c : r;
    *j = turned ? r : c;
}

#if defined __cplusplus
extern "C" {
#endif

/* to := the entries of A that go to each process, in turn */
gsvd_status_t X(move_pack)(const array_t *A, const axis_t *R, const axis_t *C,
                           int turned, scalar_t *to);
/* m->received := what the others sent */
gsvd_status_t X(move_exchange)(message_t *m);
/* B := what came from each process, in turn */
gsvd_status_t X(move_unpack)(const scalar_t *from, const axis_t *R,
                             const axis_t *C, int how, const array_t *B);
/* All of a move where there is one process; *done = 0: not this one */
gsvd_status_t X(move_alone)(const array_t *A, const int *rows,
                            const int *columns, int64_t m, int64_t n,
                            const array_t *B, int how, int *done);

#if defined __cplusplus
}
#endif

#endif /* GSVD_GRID_MOVE_H */
