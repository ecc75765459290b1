/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* create.c [1] -- handles come and go. */
#include <stdlib.h>

#include "door/door.h"

/* A handle with the default options, in one place. */
static gsvd_status_t create_in(gsvd_handle_t *h, const space_t *space,
                               int device)
{
    struct gsvd_context *const context = calloc(1, sizeof *context);
    if (!context)
        return gsvd_create_failed(GSVD_OUT_OF_MEMORY, "no memory for a handle");
    context->device = device;
    context->space = space;
    gsvd_set_defaults(context);
    const gsvd_status_t status = space->open(context, device);
    if (status == GSVD_SUCCESS) {
        *h = context;
        return GSVD_SUCCESS;
    }
    (void)gsvd_create_failed(status, context->error);
    free(context);
    return status;
}

gsvd_status_t gsvd_create_among(gsvd_handle_t *h, int device,
                                const space_t *cuda, int devices)
{
    if (device != GSVD_ANY)
        return create_in(h, cuda, device);
    for (int i = 0; i < devices; ++i)
        if (create_in(h, cuda, i) == GSVD_SUCCESS)
            return GSVD_SUCCESS;
    return create_in(h, &gsvd_space_host, GSVD_HOST);
}

gsvd_status_t gsvd_create(gsvd_handle_t *h, int device)
{
    (void)gsvd_create_failed(GSVD_SUCCESS, "");
    if (!h)
        return gsvd_create_failed(GSVD_INVALID_HANDLE, "h: NULL");
    *h = NULL;
    if (device < GSVD_ANY)
        return gsvd_create_failed(
            GSVD_INVALID_ARGUMENT,
            "device: neither an ordinal nor GSVD_HOST nor GSVD_ANY");
    if (device == GSVD_HOST) /* CUDA is not even loaded                       */
        return create_in(h, &gsvd_space_host, GSVD_HOST);

    const char *why;
    const space_t *const cuda = gsvd_space_cuda(&why);
    if (cuda)
        return gsvd_create_among(h, device, cuda,
                                 device == GSVD_ANY ? cuda->count() : 0);
    (void)gsvd_create_failed(GSVD_NOT_SUPPORTED, why);
    return device == GSVD_ANY ? create_in(h, &gsvd_space_host, GSVD_HOST)
                              : GSVD_NOT_SUPPORTED;
}

gsvd_status_t gsvd_destroy(gsvd_handle_t h)
{
    if (!h)
        return GSVD_SUCCESS;
    const gsvd_status_t status = h->space->enter(h);
    if (status == GSVD_INVALID_HANDLE) /* in this context                     */
        return status;
    if (status == GSVD_SUCCESS) {
        const gsvd_status_t captured = gsvd_check_capture(
            h, h->space->relax_capture(h), "gsvd_destroy waits for it");
        if (captured != GSVD_SUCCESS) {
            h->space->leave(h);
            return captured;
        }
        if (h->compute.data)
            h->space->release(h, h->compute.data);
        h->space->leave(h);
    }
    if (h->host.data)
        gsvd_space_host.release(h, h->host.data);
    const gsvd_status_t closed = h->space->close(h);
    free(h);
    return status != GSVD_SUCCESS ? status : closed;
}

gsvd_status_t gsvd_set_stream(gsvd_handle_t h, gsvd_stream_t stream)
{
    if (!h)
        return GSVD_INVALID_HANDLE;
    GSVD_TRY(h->space->enter(h));
    const gsvd_status_t status = h->space->set_stream(h, stream);
    h->space->leave(h);
    return status;
}

int gsvd_version(void)
{
    return 10000 * GSVD_VERSION_MAJOR + 100 * GSVD_VERSION_MINOR +
           GSVD_VERSION_PATCH;
}
