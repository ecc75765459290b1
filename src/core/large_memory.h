/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* large_memory.h -- memory of the host for matrices, of the system's large pages where it has them for the
 * asking: columns that are far apart are in fewer pages then, and fewer are zeroed one by one.
 * The file that includes it defines _DEFAULT_SOURCE, for madvise. */
#ifndef GSVD_CORE_LARGE_MEMORY_H
#define GSVD_CORE_LARGE_MEMORY_H

#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>

#if defined __linux__ && !defined MADV_HUGEPAGE
#error "_DEFAULT_SOURCE is to be defined first"
#endif

enum { LARGE_PAGE = 2 << 20 };

/* For free() */
static inline void *large_memory(size_t bytes)
{
    void *const p = malloc(bytes);
#ifdef MADV_HUGEPAGE
    const uintptr_t mask = (uintptr_t)LARGE_PAGE - 1;
    const uintptr_t begin = ((uintptr_t)p + mask) & ~mask;
    const uintptr_t end = ((uintptr_t)p + bytes) & ~mask;
    if (p && begin < end) /* It is advice, and may fail.                     */
        (void)madvise((void *)begin, end - begin, MADV_HUGEPAGE);
#endif
    return p;
}

#endif /* GSVD_CORE_LARGE_MEMORY_H */
