/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* cuda_driver.c [1] -- see cuda_driver.h.
 *
 * The library is the one that CUDA's runtime has opened, too.  The runtime itself is
 * not asked for the functions: it may make a context of its own on the way.
 */
#include "machine/cuda_driver.h"

#include <dlfcn.h>

/* *function := the driver's function of this name, NULL where it has none */
static void look_up(const driver_t *driver, const char *name, void *function)
{
    *(void **)function = dlsym(driver->library, name);
}

/* the same; it must have one */
static gsvd_status_t find(gsvd_handle_t h, const char *name, void *function)
{
    look_up(&cuda_of(h)->driver, name, function);
    return *(void **)function
               ? GSVD_SUCCESS
               : gsvd_fail(h, GSVD_DEVICE_FAILED,
                           "CUDA's driver has no function %s", name);
}

/* the runtime's errors have the driver's numbers */
gsvd_status_t gsvd_driver_failed(gsvd_handle_t h, CUresult error,
                                 const char *call)
{
    return gsvd_cuda_failed(h, (cudaError_t)error, call);
}

gsvd_status_t gsvd_driver_open(gsvd_handle_t h)
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
#if CUDA_VERSION >= 12040
    look_up(driver, "cuStreamGetGreenCtx", &driver->green_of);
    look_up(driver, "cuGreenCtxGetDevResource", &driver->resource_of);
#endif
    const CUresult error = get(&cuda->device, h->device);
    return error == CUDA_SUCCESS ? GSVD_SUCCESS
                                 : gsvd_driver_failed(h, error, "cuDeviceGet");
}

void gsvd_driver_close(gsvd_handle_t h)
{
    if (cuda_of(h)->driver.library)
        (void)dlclose(cuda_of(h)->driver.library);
}
