/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* copies_cuda.c [1] -- see copies_cuda.h.
 *
 * The driver copies pageable memory through pinned memory of its own, with one thread, and the
 * caller waits.  Large arrays therefore go through a ring of the handle's.  While the device
 * copies one slot, threads of the host fill or empty the next; core/threads.h says how many.  The
 * threads end with the copy.
 */
#include "machine/copies_cuda.h"

#include <limits.h>
#include <pthread.h>
#include <signal.h>
#include <string.h>

#include "core/threads.h"

enum {
    CREW = 8,              /* threads, at most, the caller's among them       */
    ALONE = 4 * COPY_SLOT, /* Less than this many bytes is for one thread.   */
    MOST_PITCH = INT_MAX   /* cudaDevAttrMaxPitch, of every device           */
};

/* -- the host's part: a rectangle of bytes, by several threads ------------------- */

typedef struct rectangle {
    char *to;
    const char *from;
    size_t to_pitch, from_pitch, bytes;
    int64_t columns;
} rectangle_t;

typedef struct crew crew_t;

typedef struct member {
    crew_t *crew;
    int number; /* of its share; the caller's is 0                           */
    pthread_t thread;
} member_t;

struct crew {
    int count; /* of threads, the caller's among them                        */
    member_t member[CREW];
    rectangle_t job;
    int64_t jobs; /* until now                                               */
    int left;     /* threads that work on the last one, but for the caller's */
    int stop;
    int cancel; /* Could the caller be cancelled?                            */
    pthread_mutex_t lock;
    pthread_cond_t begin, end;
};

/* Share `number` of `count`: some of the columns, or of the bytes of a single one */
static void copy_share(const rectangle_t *r, int number, int count)
{
    const int64_t n = r->columns;
    if (n == 1) {
        const size_t from = r->bytes * (size_t)number / (size_t)count;
        const size_t to = r->bytes * (size_t)(number + 1) / (size_t)count;
        memcpy(r->to + from, r->from + from, to - from);
        return;
    }
    for (int64_t j = n * number / count; j < n * (number + 1) / count; ++j)
        memcpy(r->to + (size_t)j * r->to_pitch,
               r->from + (size_t)j * r->from_pitch, r->bytes);
}

static void *work(void *data)
{
    const member_t *const m = data;
    crew_t *const c = m->crew;
    int64_t done = 0;

    (void)pthread_mutex_lock(&c->lock);
    for (;;) {
        while (c->jobs == done && !c->stop)
            (void)pthread_cond_wait(&c->begin, &c->lock);
        if (c->stop)
            break;
        ++done;
        (void)pthread_mutex_unlock(&c->lock);
        copy_share(&c->job, m->number, c->count);
        (void)pthread_mutex_lock(&c->lock);
        if (--c->left == 0)
            (void)pthread_cond_signal(&c->end);
    }
    (void)pthread_mutex_unlock(&c->lock);
    return NULL;
}

static void copy_rectangle(crew_t *c, rectangle_t r)
{
    (void)pthread_mutex_lock(&c->lock);
    c->job = r;
    c->left = c->count - 1;
    ++c->jobs;
    (void)pthread_cond_broadcast(&c->begin);
    (void)pthread_mutex_unlock(&c->lock);
    copy_share(&r, 0, c->count);
    (void)pthread_mutex_lock(&c->lock);
    while (c->left > 0)
        (void)pthread_cond_wait(&c->end, &c->lock);
    (void)pthread_mutex_unlock(&c->lock);
}

/* A crew for so many bytes, whose threads take no signals, of as many as the system gives.  The
 * caller is not cancelled until close_crew, since the others use its stack. */
static void open_crew(crew_t *c, size_t bytes)
{
    const int threads = bytes < ALONE ? 1 : gsvd_threads();
    sigset_t all, before;

    *c = (crew_t){.count = 1};
    (void)pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &c->cancel);
    (void)pthread_mutex_init(&c->lock, NULL);
    (void)pthread_cond_init(&c->begin, NULL);
    (void)pthread_cond_init(&c->end, NULL);
    (void)sigfillset(&all);
    (void)pthread_sigmask(SIG_SETMASK, &all, &before);
    for (int i = 1; i < threads && i < CREW; ++i) {
        c->member[i] = (member_t){.crew = c, .number = i};
        if (pthread_create(&c->member[i].thread, NULL, work, &c->member[i]) !=
            0)
            break;
        c->count = i + 1; /* read by the others with the first job           */
    }
    (void)pthread_sigmask(SIG_SETMASK, &before, NULL);
}

static void close_crew(crew_t *c)
{
    (void)pthread_mutex_lock(&c->lock);
    c->stop = 1;
    (void)pthread_cond_broadcast(&c->begin);
    (void)pthread_mutex_unlock(&c->lock);
    for (int i = 1; i < c->count; ++i)
        (void)pthread_join(c->member[i].thread, NULL);
    (void)pthread_cond_destroy(&c->end);
    (void)pthread_cond_destroy(&c->begin);
    (void)pthread_mutex_destroy(&c->lock);
    (void)pthread_setcancelstate(c->cancel, NULL);
}

/* -- the ring --------------------------------------------------------------------- */

void gsvd_ring_close(gsvd_handle_t h)
{
    copy_ring_t *const ring = &cuda_of(h)->ring;
    for (int i = 0; i < COPY_SLOTS; ++i)
        if (ring->free[i])
            (void)cudaEventDestroy(ring->free[i]);
    if (ring->memory)
        (void)cudaFreeHost(ring->memory);
    *ring = (copy_ring_t){0};
}

/* Is there a ring?  One that cannot be had is not asked for again by this handle. */
static int open_ring(gsvd_handle_t h)
{
    copy_ring_t *const ring = &cuda_of(h)->ring;
    if (ring->memory || ring->refused)
        return ring->memory != NULL;
    cudaError_t error =
        cudaMallocHost((void **)&ring->memory, (size_t)COPY_SLOTS * COPY_SLOT);
    if (error != cudaSuccess)
        ring->memory = NULL;
    for (int i = 0; i < COPY_SLOTS && error == cudaSuccess; ++i) {
        error =
            cudaEventCreateWithFlags(&ring->free[i], cudaEventDisableTiming);
        if (error != cudaSuccess)
            ring->free[i] = NULL;
    }
    if (error == cudaSuccess)
        return 1;
    (void)cudaGetLastError(); /* the next launch does not see it             */
    gsvd_ring_close(h);
    ring->refused = 1;
    return 0;
}

/* Is p memory of malloc, or the like? */
static int is_pageable(const void *p)
{
    struct cudaPointerAttributes a;
    if (cudaPointerGetAttributes(&a, p) == cudaSuccess)
        return a.type == cudaMemoryTypeUnregistered;
    (void)cudaGetLastError();
    return 0;
}

/* A caller that lends the host's memory is promised that no other is taken. */
static int takes_ring(gsvd_handle_t h, const void *host, size_t bytes)
{
    return bytes >= COPY_SLOT && !h->hwork && is_pageable(host) && open_ring(h);
}

/* A rectangle of `columns` columns of `bytes` bytes, and the piece of it that fits a slot:
 * columns, or a part of one */
typedef struct piece {
    size_t row, bytes;
    int64_t column, columns;
} piece_t;

static piece_t piece_at(size_t row, int64_t column, size_t bytes,
                        int64_t columns)
{
    if (bytes > COPY_SLOT) {
        const size_t rest = bytes - row;
        return (piece_t){row, rest < COPY_SLOT ? rest : COPY_SLOT, column, 1};
    }
    const int64_t most = (int64_t)(COPY_SLOT / bytes), rest = columns - column;
    return (piece_t){0, bytes, column, rest < most ? rest : most};
}

static piece_t next_piece(piece_t p, size_t bytes, int64_t columns)
{
    const size_t row = p.row + p.bytes;
    return row < bytes ? piece_at(row, p.column, bytes, columns)
                       : piece_at(0, p.column + p.columns, bytes, columns);
}

static size_t offset_of(piece_t p, size_t pitch)
{
    return p.row + (size_t)p.column * pitch;
}

/* *slot := the next one, out of use.  Waits for the copy that it was in. */
static gsvd_status_t take_slot(gsvd_handle_t h, int *slot)
{
    copy_ring_t *const ring = &cuda_of(h)->ring;
    *slot = ring->next;
    ring->next = (ring->next + 1) % COPY_SLOTS;
    if (ring->used[*slot])
        GSVD_CUDA(h, cudaEventSynchronize(ring->free[*slot]));
    ring->used[*slot] = 0;
    return GSVD_SUCCESS;
}

static char *slot_at(gsvd_handle_t h, int slot)
{
    return cuda_of(h)->ring.memory + (size_t)slot * COPY_SLOT;
}

/* Queues the copy of some columns.  A distance above CUDA's largest pitch is for a column at a
 * time. */
static gsvd_status_t queue_columns(gsvd_handle_t h, void *dst, size_t dpitch,
                                   const void *src, size_t spitch, size_t bytes,
                                   int64_t columns, enum cudaMemcpyKind kind)
{
    const cudaStream_t stream = cuda_of(h)->queue[QUEUE_OWN].stream;
    const int is_packed = dpitch == bytes && spitch == bytes;

    if (columns > 1 && !is_packed && dpitch <= MOST_PITCH &&
        spitch <= MOST_PITCH) {
        GSVD_CUDA(h, cudaMemcpy2DAsync(dst, dpitch, src, spitch, bytes,
                                       (size_t)columns, kind, stream));
        return GSVD_SUCCESS;
    }
    const size_t each = is_packed ? bytes * (size_t)columns : bytes;
    for (int64_t j = 0; j < (is_packed ? 1 : columns); ++j)
        GSVD_CUDA(h, cudaMemcpyAsync((char *)dst + (size_t)j * dpitch,
                                     (const char *)src + (size_t)j * spitch,
                                     each, kind, stream));
    return GSVD_SUCCESS;
}

/* Queues the copy of a piece between slot and device. */
static gsvd_status_t queue_piece(gsvd_handle_t h, int slot, void *to,
                                 size_t to_pitch, const void *from,
                                 size_t from_pitch, piece_t p,
                                 enum cudaMemcpyKind kind)
{
    copy_ring_t *const ring = &cuda_of(h)->ring;
    GSVD_TRY(queue_columns(h, to, to_pitch, from, from_pitch, p.bytes,
                           p.columns, kind));
    GSVD_CUDA(h, cudaEventRecord(ring->free[slot],
                                 cuda_of(h)->queue[QUEUE_OWN].stream));
    ring->used[slot] = 1;
    return GSVD_SUCCESS;
}

static gsvd_status_t fill_slots(gsvd_handle_t h, crew_t *crew, char *dst,
                                size_t dpitch, const char *src, size_t spitch,
                                size_t bytes, int64_t columns)
{
    piece_t p = piece_at(0, 0, bytes, columns);
    while (p.column < columns) {
        int slot;
        GSVD_TRY(take_slot(h, &slot));
        char *const memory = slot_at(h, slot);
        copy_rectangle(crew,
                       (rectangle_t){memory, src + offset_of(p, spitch),
                                     p.bytes, spitch, p.bytes, p.columns});
        GSVD_TRY(queue_piece(h, slot, dst + offset_of(p, dpitch), dpitch,
                             memory, p.bytes, p, cudaMemcpyHostToDevice));
        p = next_piece(p, bytes, columns);
    }
    return GSVD_SUCCESS;
}

/* Pieces are asked for COPY_SLOTS - 1 ahead of the one that is emptied. */
static gsvd_status_t empty_slots(gsvd_handle_t h, crew_t *crew, char *dst,
                                 size_t dpitch, const char *src, size_t spitch,
                                 size_t bytes, int64_t columns)
{
    piece_t p = piece_at(0, 0, bytes, columns), out[COPY_SLOTS];
    int slot, first = 0, asked = 0;

    while (p.column < columns || asked > 0) {
        for (; p.column < columns && asked < COPY_SLOTS; ++asked) {
            GSVD_TRY(take_slot(h, &slot));
            first = asked == 0 ? slot : first;
            out[slot] = p;
            GSVD_TRY(queue_piece(h, slot, slot_at(h, slot), p.bytes,
                                 src + offset_of(p, spitch), spitch, p,
                                 cudaMemcpyDeviceToHost));
            p = next_piece(p, bytes, columns);
        }
        const piece_t q = out[first];
        GSVD_CUDA(h, cudaEventSynchronize(cuda_of(h)->ring.free[first]));
        copy_rectangle(crew, (rectangle_t){dst + offset_of(q, dpitch),
                                           slot_at(h, first), dpitch, q.bytes,
                                           q.bytes, q.columns});
        first = (first + 1) % COPY_SLOTS;
        --asked;
    }
    return GSVD_SUCCESS;
}

/* -- the copies -------------------------------------------------------------------- */

gsvd_status_t gsvd_upload(gsvd_handle_t h, void *dst, size_t dpitch,
                          const void *src, size_t spitch, size_t bytes,
                          int64_t columns)
{
    crew_t crew;

    if (bytes == 0 || columns <= 0)
        return GSVD_SUCCESS;
    if (!takes_ring(h, src, bytes * (size_t)columns))
        return queue_columns(h, dst, dpitch, src, spitch, bytes, columns,
                             cudaMemcpyHostToDevice);
    open_crew(&crew, bytes * (size_t)columns);
    const gsvd_status_t status =
        fill_slots(h, &crew, dst, dpitch, src, spitch, bytes, columns);
    close_crew(&crew);
    return status;
}

gsvd_status_t gsvd_download(gsvd_handle_t h, void *dst, size_t dpitch,
                            const void *src, size_t spitch, size_t bytes,
                            int64_t columns)
{
    crew_t crew;

    if (bytes == 0 || columns <= 0)
        return GSVD_SUCCESS;
    if (!takes_ring(h, dst, bytes * (size_t)columns))
        return queue_columns(h, dst, dpitch, src, spitch, bytes, columns,
                             cudaMemcpyDeviceToHost);
    open_crew(&crew, bytes * (size_t)columns);
    const gsvd_status_t status =
        empty_slots(h, &crew, dst, dpitch, src, spitch, bytes, columns);
    close_crew(&crew);
    return status;
}
