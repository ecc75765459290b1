/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* stream_none.c [1] -- stream_cuda.c in a build without CUDA: there is none. */
#include "harness/plain.h"

gsvd_stream_t stream_create(void) { return NULL; }

void stream_destroy(gsvd_stream_t stream) { (void)stream; }

int has_split(gsvd_handle_t h)
{
    (void)h;
    return 0;
}

void count_ways(gsvd_handle_t h, unsigned (*count)[WAYS])
{
    (void)h;
    memset(count, 0, sizeof *count);
}

int multiprocessors(gsvd_handle_t h)
{
    (void)h;
    return 1;
}

gsvd_handle_t paper_device(int processors)
{
    (void)processors;
    return NULL;
}

void tear(gsvd_handle_t h) { (void)h; }

void pretend_shared(gsvd_handle_t h, int bytes)
{
    (void)h;
    (void)bytes;
}
