/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* grid.c [1] -- see grid.h. */
#include "grid/grid.h"

#include <stdarg.h>
#include <stdio.h>

#include "core/status.h"
#include "grid/messages.h"

_Thread_local grid_t *gsvd_grid;

gsvd_status_t gsvd_grid_fail(gsvd_status_t status, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    vsnprintf(gsvd_grid->door.error, GRID_ERROR, format, args);
    va_end(args);
    return status;
}

gsvd_status_t gsvd_grid_agree(gsvd_status_t mine)
{
    mine = gsvd_grid_after_messages(mine);
    /* the first process with an error, and its status */
    int64_t first = mine == GSVD_SUCCESS ? gsvd_grid->size : gsvd_grid->rank;
    int status = (int)mine;

    gsvd_grid_least(1, &first);
    if (first == gsvd_grid->size)
        return GSVD_SUCCESS;
    gsvd_grid_tell((int)first, &status, sizeof status);
    char theirs[GRID_ERROR];
    snprintf(theirs, sizeof theirs, "%s", gsvd_grid->door.error);
    gsvd_grid_tell((int)first, theirs, sizeof theirs);
    if (gsvd_grid->rank != first)
        (void)gsvd_grid_fail(GSVD_SUCCESS, "process %d of the grid: %.200s",
                             (int)first, theirs);
    return (gsvd_status_t)status;
}

gsvd_status_t gsvd_grid_room(int which, size_t bytes, void **p)
{
    const buffer_t *const room = &gsvd_grid->room[which];

    *p = room->data;
    if (which == ROOM_LISTS && room->data && bytes <= room->bytes)
        return GSVD_SUCCESS;
    return gsvd_grid_room_after(GSVD_SUCCESS, which, bytes, p);
}

gsvd_status_t gsvd_grid_room_after(gsvd_status_t status, int which,
                                   size_t bytes, void **p)
{
    buffer_t *const room = &gsvd_grid->room[which];

    if (status == GSVD_SUCCESS && (bytes > room->bytes || !room->data)) {
        gsvd_grid_release(which, room);
        *room = (buffer_t){0};
        status = gsvd_grid_allocate(which, bytes > 0 ? bytes : 1, room);
        if (status != GSVD_SUCCESS)
            *room = (buffer_t){0};
    }
    *p = room->data;
    return gsvd_grid_agree(status);
}

gsvd_status_t gsvd_grid_memory(const arena_t *count, arena_t *all)
{
    const size_t bytes = gsvd_arena_bytes(count);
    void *room;

    if (gsvd_grid->planned && !count->full) {
        if (bytes > *gsvd_grid->planned)
            *gsvd_grid->planned = bytes;
        return GRID_PLANNED;
    }
    if (gsvd_grid->planned)
        return gsvd_grid_fail(GSVD_OUT_OF_MEMORY, "sizes are too large");
    GSVD_TRY(gsvd_grid_agree(
        count->full ? gsvd_grid_fail(GSVD_OUT_OF_MEMORY, "sizes are too large")
                    : GSVD_SUCCESS));
    GSVD_TRY(gsvd_grid_room(ROOM_CALL, bytes, &room));
    *all = gsvd_arena_over(room, bytes);
    return GSVD_SUCCESS;
}
