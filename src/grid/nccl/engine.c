/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* engine.c [1] -- work of the engines, and what they return; see engine.h. */
#include <stdlib.h>

#include "core/status.h"
#include "grid/nccl/device.h"

gsvd_status_t gsvd_engine_work(const char *name, int status, size_t device,
                               size_t host, void **device_work,
                               void **host_work);
gsvd_status_t gsvd_engine_result(const char *name, int status);
gsvd_status_t gsvd_nccl_handle(void);

static gsvd_status_t refused(const char *name, const char *what, int status)
{
    return status == 0
               ? GSVD_SUCCESS
               : gsvd_grid_fail(GSVD_INTERNAL_ERROR, "the engine's %s%s: %d",
                                name, what, status);
}

gsvd_status_t gsvd_engine_work(const char *name, int status, size_t device,
                               size_t host, void **device_work,
                               void **host_work)
{
    buffer_t *const work = &nccl_here()->host;
    gsvd_status_t mine = refused(name, " has no size of its work", status);

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

gsvd_status_t gsvd_engine_result(const char *name, int status)
{
    gsvd_status_t mine = refused(name, "", status);
    if (mine == GSVD_SUCCESS)
        gsvd_nccl_wait();
    return gsvd_grid_agree(mine);
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
