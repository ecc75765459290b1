/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* space_host.c [1] -- the host as the place that computes. */
#define _DEFAULT_SOURCE /* madvise */
#include <stdlib.h>
#include <string.h>

#include "core/handle.h"
#include "core/large_memory.h"
#include "machine/tables.h"

DECLARE_TUNING(host);
static const machine_t machine = {"host", EACH_LETTER(tuning_host)};

static int host_count(void) { return 0; }

static gsvd_status_t host_open(gsvd_handle_t h, int device)
{
    (void)device;
    h->machine = &machine;
    return GSVD_SUCCESS;
}

static gsvd_status_t host_close(gsvd_handle_t h)
{
    (void)h;
    return GSVD_SUCCESS;
}

static gsvd_status_t host_set_stream(gsvd_handle_t h, gsvd_stream_t stream)
{
    (void)stream;
    return gsvd_fail(h, GSVD_NOT_SUPPORTED, "a host handle has no stream");
}

static gsvd_status_t host_enter(gsvd_handle_t h)
{
    (void)h;
    return GSVD_SUCCESS;
}

static void host_leave(gsvd_handle_t h) { (void)h; }

static capture_t host_relax_capture(gsvd_handle_t h)
{
    (void)h;
    return CAPTURE_NONE;
}

static gsvd_status_t host_allocate(gsvd_handle_t h, void **p, size_t bytes)
{
    *p = large_memory(bytes);
    if (!*p)
        return gsvd_fail(h, GSVD_OUT_OF_MEMORY, "%zu bytes on the host", bytes);
    return GSVD_SUCCESS;
}

static void host_release(gsvd_handle_t h, void *p)
{
    (void)h;
    free(p);
}

static gsvd_status_t host_copy(gsvd_handle_t h, void *dst, size_t dpitch,
                               const void *src, size_t spitch, size_t bytes,
                               int64_t columns)
{
    (void)h;
    if (bytes > 0)
        for (int64_t j = 0; j < columns; ++j)
            memcpy((char *)dst + (size_t)j * dpitch,
                   (const char *)src + (size_t)j * spitch, bytes);
    return GSVD_SUCCESS;
}

static gsvd_status_t host_wait(gsvd_handle_t h)
{
    (void)h;
    return GSVD_SUCCESS;
}

const space_t gsvd_space_host = {
    .name = "cpu",
    .on_device = 0,
    .table = EACH_LETTER(backend_cpu),
    .count = host_count,
    .open = host_open,
    .close = host_close,
    .set_stream = host_set_stream,
    .enter = host_enter,
    .leave = host_leave,
    .relax_capture = host_relax_capture,
    .allocate = host_allocate,
    .release = host_release,
    .upload = host_copy,
    .download = host_copy,
    .wait = host_wait,
};
