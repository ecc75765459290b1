/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* handle.c [1] -- the memory that a handle owns, and its clock. */
#include "core/handle.h"

#include <time.h>

double gsvd_now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

void gsvd_lap(gsvd_handle_t h, double *seconds)
{
    const double now = gsvd_now();
    *seconds = now - h->lap;
    h->lap = now;
}

gsvd_status_t gsvd_buffer_grow(gsvd_handle_t h, const space_t *space,
                               buffer_t *b, size_t bytes)
{
    if (bytes <= b->bytes)
        return GSVD_SUCCESS;
    if (b->data)
        space->release(h, b->data);
    *b = (buffer_t){0};
    GSVD_TRY(space->allocate(h, &b->data, bytes));
    b->bytes = bytes;
    return GSVD_SUCCESS;
}

/* The call's memory if it suffices, else the handle's spare, grown. */
static gsvd_status_t take(gsvd_handle_t h, const buffer_t *own, buffer_t *spare,
                          size_t bytes, void **p)
{
    if (bytes <= own->bytes) {
        *p = own->data;
        return GSVD_SUCCESS;
    }
    GSVD_TRY(gsvd_buffer_grow(h, h->space, spare, bytes));
    *p = spare->data;
    return GSVD_SUCCESS;
}

gsvd_status_t gsvd_scratch(gsvd_handle_t h, size_t bytes, void **p)
{
    return take(h, &h->scratch, &h->spare, bytes, p);
}

gsvd_status_t gsvd_desk(gsvd_handle_t h, size_t bytes, void **p)
{
    return h->queue == QUEUE_FACTOR
               ? take(h, &h->side_desk, &h->side_spare, bytes, p)
               : take(h, &h->desk, &h->desk_spare, bytes, p);
}

buffer_t gsvd_room(gsvd_handle_t h)
{
    const buffer_t none = {0};
    return h->queue == QUEUE_OWN      ? h->room
           : h->queue == QUEUE_FACTOR ? h->side_room
                                      : none;
}
