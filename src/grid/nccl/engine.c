/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* engine.c [1] -- work of the engines, and what they return; see engine.h. */
#include <stdlib.h>

#include "core/status.h"
#include "grid/nccl/device.h"

/* Both engines have this number for it. */
enum { NO_MEMORY = 2 };

gsvd_status_t gsvd_engine_status(const char *name, int status)
{
    return status == 0 ? GSVD_SUCCESS
           : status == NO_MEMORY
               ? gsvd_grid_fail(GSVD_OUT_OF_MEMORY,
                                "the engine's %s has no room", name)
               : gsvd_grid_fail(GSVD_INTERNAL_ERROR,
                                "the engine's %s returns %d", name, status);
}

gsvd_status_t gsvd_engine_work(gsvd_status_t mine, const char *name, int asked,
                               size_t device, size_t host, void **device_work,
                               void **host_work)
{
    buffer_t *const work = &nccl_here()->host;

    if (mine == GSVD_SUCCESS)
        mine = gsvd_engine_status(name, asked);
    if (mine == GSVD_SUCCESS && host > work->bytes) {
        free(work->data);
        *work = (buffer_t){malloc(host), host};
        if (!work->data) {
            *work = (buffer_t){0};
            mine = gsvd_grid_fail(GSVD_OUT_OF_MEMORY,
                                  "no room for %zu bytes of host memory", host);
        }
    }
    *host_work = work->data;
    return gsvd_grid_room_after(mine, ROOM_ENGINE, device, device_work);
}

/* Processes agree on it with the next work or memory. */
void gsvd_engine_result(const char *name, int status)
{
    const gsvd_status_t mine = gsvd_engine_status(name, status);
    if (mine != GSVD_SUCCESS) {
        gsvd_nccl_failed(mine, "%.200s", gsvd_grid->door.error);
        (void)cudaGetLastError(); /* It is not the next kernel's.             */
    }
    gsvd_nccl_wait();
}

gsvd_status_t gsvd_nccl_handle(void)
{
    grid_t *const g = gsvd_grid;

    if (g->handle)
        return GSVD_SUCCESS;
    const gsvd_status_t status = g->gpu->create(&g->handle, g->nccl->device, 0);
    if (status == GSVD_SUCCESS)
        return GSVD_SUCCESS;
    g->handle = NULL;
    return gsvd_grid_fail(status, "there is no handle of this process's GPU");
}
