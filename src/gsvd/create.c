/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* create.c [1] -- handles come and go. */
#include <stdlib.h>

#include "core/handle.h"

gsvd_status_t gsvd_create(gsvd_handle_t *h, int device)
{
    if (!h)
        return GSVD_INVALID_HANDLE;
    *h = NULL;
    if (device < GSVD_ANY)
        return GSVD_INVALID_ARGUMENT;
    if (device == GSVD_ANY)
        device = gsvd_cuda_device_count() > 0 ? 0 : GSVD_HOST;

    const space_t *const space =
        device == GSVD_HOST ? &gsvd_space_host : gsvd_space_cuda();
    if (!space)
        return GSVD_NOT_SUPPORTED;
    struct gsvd_context *const context = calloc(1, sizeof *context);
    if (!context)
        return GSVD_OUT_OF_MEMORY;
    context->device = device;
    context->space = space;
    context->option[GSVD_SOLVER] = GSVD_SOLVER_JACOBI;
    context->option[GSVD_FORM] = GSVD_FORM_LAPACK;
    context->option[GSVD_MAX_SWEEPS] = 30;
    context->option[GSVD_PIVOT] = GSVD_PIVOT_TOURNAMENT;
    context->option[GSVD_PANEL] = GSVD_PANEL_AUTO;
    context->tolerance[GSVD_TOL_A] = -1;
    context->tolerance[GSVD_TOL_B] = -1;
    context->tolerance[GSVD_TOL_JACOBI] = -1;
    const gsvd_status_t status = space->open(context, device);
    if (status != GSVD_SUCCESS) {
        free(context);
        return status;
    }
    *h = context;
    return GSVD_SUCCESS;
}

gsvd_status_t gsvd_destroy(gsvd_handle_t h)
{
    if (!h)
        return GSVD_SUCCESS;
    gsvd_status_t status = h->space->enter(h);
    if (h->compute.data)
        h->space->release(h, h->compute.data);
    if (h->spare.data)
        h->space->release(h, h->spare.data);
    if (h->desk_spare.data)
        h->space->release(h, h->desk_spare.data);
    if (h->side_spare.data)
        h->space->release(h, h->side_spare.data);
    if (h->host.data)
        gsvd_space_host.release(h, h->host.data);
    h->space->leave(h);
    const gsvd_status_t closed = h->space->close(h);
    free(h);
    return status != GSVD_SUCCESS ? status : closed;
}

gsvd_status_t gsvd_set_stream(gsvd_handle_t h, gsvd_stream_t stream)
{
    return h ? h->space->set_stream(h, stream) : GSVD_INVALID_HANDLE;
}

int gsvd_version(void)
{
    return 10000 * GSVD_VERSION_MAJOR + 100 * GSVD_VERSION_MINOR +
           GSVD_VERSION_PATCH;
}
