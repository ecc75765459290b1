/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* cuda_context.c [1] -- see cuda_context.h. */
#include "machine/cuda_context.h"

#include "machine/cuda_driver.h"

/* Once a handle.  The runtime creates the context and holds it until the process
 * ends, as it does for each device that a program uses. */
static gsvd_status_t retain_primary(gsvd_handle_t h)
{
    cuda_state_t *const cuda = cuda_of(h);
    if (cuda->primary)
        return GSVD_SUCCESS;
    GSVD_CUDA(h, cudaInitDevice(h->device, 0, 0));
    const CUresult error = cuda->driver.retain(&cuda->primary, cuda->device);
    if (error == CUDA_SUCCESS)
        return GSVD_SUCCESS;
    cuda->primary = NULL;
    return gsvd_driver_failed(h, error, "cuDevicePrimaryCtxRetain");
}

/* The thread's context, if that is one of the handle's device.  The driver is not asked for the
 * device of none: debuggers report each error that it returns. */
static CUcontext context_here(const cuda_state_t *cuda)
{
    CUcontext current = NULL;
    CUdevice device;
    if (cuda->driver.get_current(&current) != CUDA_SUCCESS || !current)
        return NULL;
    return current == cuda->primary ||
                   (cuda->driver.get_device(&device) == CUDA_SUCCESS &&
                    device == cuda->device)
               ? current
               : NULL;
}

/* Memory, events and libraries of one context are of no use in another. */
static gsvd_status_t check_home(gsvd_handle_t h, CUcontext context)
{
    const cuda_state_t *const cuda = cuda_of(h);
    return !cuda->home || cuda->home == context
               ? GSVD_SUCCESS
               : gsvd_fail(h, GSVD_INVALID_HANDLE,
                           "the handle was created in another CUDA context of "
                           "device %d than the one that the call is in",
                           h->device);
}

gsvd_status_t gsvd_context_enter(gsvd_handle_t h)
{
    cuda_state_t *const cuda = cuda_of(h);
    const CUcontext here = context_here(cuda);

    cuda->pushed = 0;
    if (!here)
        GSVD_TRY(retain_primary(h));
    GSVD_TRY(check_home(h, here ? here : cuda->primary));
    if (!here) {
        const CUresult error = cuda->driver.push(cuda->primary);
        if (error != CUDA_SUCCESS)
            return gsvd_driver_failed(h, error, "cuCtxPushCurrent");
        cuda->pushed = 1;
    }
    cuda->home = here ? here : cuda->primary;
    (void)cudaGetLastError();
    return GSVD_SUCCESS;
}

void gsvd_context_leave(gsvd_handle_t h)
{
    cuda_state_t *const cuda = cuda_of(h);
    CUcontext ours;

    (void)cudaGetLastError();
    if (cuda->pushed)
        (void)cuda->driver.pop(&ours);
    cuda->pushed = 0;
}

void gsvd_context_release(gsvd_handle_t h)
{
    cuda_state_t *const cuda = cuda_of(h);
    if (cuda->primary)
        (void)cuda->driver.release(cuda->device);
    cuda->primary = NULL;
}
