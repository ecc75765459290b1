/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* arena.c [1] -- see arena.h. */
#include "core/arena.h"

enum { ALIGN = 256 };

void *gsvd_arena_take(arena_t *a, int64_t count, size_t element)
{
    const size_t most = SIZE_MAX / 4; /* of this array, and of those before  */
    /* A division is slow and arrays are many: it is left to large counts.    */
    if (count < 0 || a->used > most || element > most >> 32 ||
        (count > INT32_MAX && (uint64_t)count > most / element)) {
        a->full = 1;
        return NULL;
    }
    const size_t bytes = ((size_t)count * element + ALIGN - 1) / ALIGN * ALIGN;
    if (a->base && bytes > a->size - a->used) {
        a->full = 1;
        return NULL;
    }
    void *array = a->base ? a->base + a->used : NULL;
    a->used += bytes;
    return array;
}

buffer_t gsvd_arena_buffer(arena_t *a, size_t bytes)
{
    const buffer_t b = {gsvd_arena_take(a, (int64_t)bytes, 1), bytes};
    return b;
}

size_t gsvd_arena_bytes(const arena_t *a)
{
    return a->used ? a->used + ALIGN : 0;
}

arena_t gsvd_arena_over(void *memory, size_t bytes)
{
    arena_t a = {0};
    if (!memory)
        return a;
    const size_t skip = (ALIGN - (uintptr_t)memory % ALIGN) % ALIGN;
    a.base = (char *)memory + (skip <= bytes ? skip : 0);
    a.size = skip <= bytes ? bytes - skip : 0;
    return a;
}
