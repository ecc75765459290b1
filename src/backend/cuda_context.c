/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* cuda_context.c [1] -- see cuda_context.h.
 *
 * The driver's functions are looked up in the library that the runtime has opened
 * too, not linked: libgsvd loads where there is no driver.
 */
#include "backend/cuda_context.h"

#include <dlfcn.h>

/* *function := the driver's function of this name */
static gsvd_status_t find(gsvd_handle_t h, const char *name, void *function)
{
    void *const symbol = dlsym(cuda_of(h)->driver.library, name);
    if (!symbol)
        return gsvd_fail(h, GSVD_DEVICE_FAILED,
                         "CUDA's driver has no function %s", name);
    *(void **)function = symbol;
    return GSVD_SUCCESS;
}

/* the runtime's errors have the driver's numbers */
static gsvd_status_t driver_failed(gsvd_handle_t h, CUresult error,
                                   const char *call)
{
    return gsvd_cuda_failed(h, (cudaError_t)error, call);
}

gsvd_status_t gsvd_context_open(gsvd_handle_t h)
{
    cuda_state_t *const cuda = cuda_of(h);
    driver_t *const driver = &cuda->driver;
    PFN_cuDeviceGet_v2000 get = NULL;

    driver->library = dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL);
    if (!driver->library)
        return gsvd_fail(h, GSVD_DEVICE_FAILED, "CUDA's driver: %s", dlerror());
    GSVD_TRY(find(h, "cuDeviceGet", &get));
    GSVD_TRY(find(h, "cuCtxGetCurrent", &driver->get_current));
    GSVD_TRY(find(h, "cuCtxGetDevice", &driver->get_device));
    GSVD_TRY(find(h, "cuCtxPushCurrent_v2", &driver->push));
    GSVD_TRY(find(h, "cuCtxPopCurrent_v2", &driver->pop));
    GSVD_TRY(find(h, "cuDevicePrimaryCtxRetain", &driver->retain));
    GSVD_TRY(find(h, "cuDevicePrimaryCtxRelease_v2", &driver->release));
    const CUresult error = get(&cuda->device, h->device);
    return error == CUDA_SUCCESS ? GSVD_SUCCESS
                                 : driver_failed(h, error, "cuDeviceGet");
}

void gsvd_context_close(gsvd_handle_t h)
{
    cuda_state_t *const cuda = cuda_of(h);
    if (cuda->primary)
        (void)cuda->driver.release(cuda->device);
    if (cuda->driver.library)
        (void)dlclose(cuda->driver.library);
}

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
    return driver_failed(h, error, "cuDevicePrimaryCtxRetain");
}

/* Has the thread a context of the handle's device?  The driver is not asked for the
 * device of none: debuggers report each error that it returns. */
static int is_inside(const cuda_state_t *cuda)
{
    CUcontext current = NULL;
    CUdevice device;
    if (cuda->driver.get_current(&current) != CUDA_SUCCESS || !current)
        return 0;
    return current == cuda->primary ||
           (cuda->driver.get_device(&device) == CUDA_SUCCESS &&
            device == cuda->device);
}

gsvd_status_t gsvd_context_enter(gsvd_handle_t h)
{
    cuda_state_t *const cuda = cuda_of(h);

    cuda->pushed = 0;
    if (!is_inside(cuda)) {
        GSVD_TRY(retain_primary(h));
        const CUresult error = cuda->driver.push(cuda->primary);
        if (error != CUDA_SUCCESS)
            return driver_failed(h, error, "cuCtxPushCurrent");
        cuda->pushed = 1;
    }
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
