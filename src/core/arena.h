/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* arena.h [1] -- workspace: one list of arrays that both measures and allots.
 *
 * An arena with base == NULL only counts.  A *_carve function takes the arrays of a
 * driver out of an arena, to count them or to use them, so that both sizes are equal.
 * Arrays start at multiples of 256 bytes.
 */
#ifndef GSVD_CORE_ARENA_H
#define GSVD_CORE_ARENA_H

#include <stddef.h>
#include <stdint.h>

/* The largest of an array of sizes */
#define LARGEST(sizes) largest_of((sizes), sizeof(sizes) / sizeof *(sizes))
static inline size_t max_size(size_t a, size_t b) { return a > b ? a : b; }
static inline size_t largest_of(const size_t *size, size_t count)
{
    size_t most = 0;
    for (size_t i = 0; i < count; ++i)
        most = size[i] > most ? size[i] : most;
    return most;
}

#if defined __cplusplus
extern "C" {
#endif

/* A piece of memory */
typedef struct buffer {
    void *data;
    size_t bytes;
} buffer_t;

typedef struct arena {
    char *base;
    size_t used, size; /* size is read only when base is not NULL            */
    int full;          /* an array did not fit, or its size overflowed       */
} arena_t;

/* Takes an array of count elements; NULL if the arena counts, or if it does not fit. */
void *gsvd_arena_take(arena_t *a, int64_t count, size_t element);

/* Takes a buffer of so many bytes. */
buffer_t gsvd_arena_buffer(arena_t *a, size_t bytes);

/* The bytes that the arrays taken so far need, for memory of any alignment. */
size_t gsvd_arena_bytes(const arena_t *a);

/* An arena over memory that need not be aligned. */
arena_t gsvd_arena_over(void *memory, size_t bytes);

#if defined __cplusplus
}
#endif

#endif /* GSVD_CORE_ARENA_H */
