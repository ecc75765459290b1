/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* device_cuda.c [1] -- stream, events and names of the CUDA device. */
#include "device_cuda.h"

#include <string.h>

#include "core/status.h"

device_t bench_device;

gsvd_status_t bench_device_check(int code, const char *call, const char *file,
                                 int line)
{
    if (code == 0)
        return GSVD_SUCCESS;
    fprintf(stderr, "%s:%d: %s: code %d\n", file, line, call, code);
    return GSVD_DEVICE_FAILED;
}

gsvd_status_t bench_device_open(bench_t *b)
{
    device_t *d = &bench_device;
    int ordinal;
    GSVD_TRY(gsvd_get_device(b->h, &ordinal));
    DEVICE_TRY(cudaSetDevice(ordinal));
    DEVICE_TRY(cudaStreamCreateWithFlags(&d->stream, cudaStreamNonBlocking));
    DEVICE_TRY(cudaEventCreate(&d->start));
    DEVICE_TRY(cudaEventCreate(&d->stop));
    DEVICE_TRY(cublasCreate(&d->blas));
    DEVICE_TRY(cublasSetStream(d->blas, d->stream));
    DEVICE_TRY(cusolverDnCreate(&d->solver));
    DEVICE_TRY(cusolverDnSetStream(d->solver, d->stream));
    DEVICE_TRY(cusolverDnCreateParams(&d->params));
    return gsvd_set_stream(b->h, d->stream);
}

void bench_device_close(void)
{
    device_t *d = &bench_device;
    if (!d->stream)
        return;
    cusolverDnDestroyParams(d->params);
    cusolverDnDestroy(d->solver);
    cublasDestroy(d->blas);
    cudaEventDestroy(d->stop);
    cudaEventDestroy(d->start);
    cudaStreamDestroy(d->stream);
    d->stream = NULL;
}

void bench_device_describe(bench_t *b)
{
    const device_t *d = &bench_device;
    struct cudaDeviceProp property;
    int ordinal = 0, driver = 0, runtime = 0, blas = 0, major = 0, minor = 0,
        patch = 0;
    gsvd_get_device(b->h, &ordinal);
    if (cudaGetDeviceProperties(&property, ordinal) == cudaSuccess)
        snprintf(b->device, sizeof b->device, "%s", property.name);
    cudaDriverGetVersion(&driver);
    cudaRuntimeGetVersion(&runtime);
    cublasGetVersion(d->blas, &blas);
    cusolverGetProperty(MAJOR_VERSION, &major);
    cusolverGetProperty(MINOR_VERSION, &minor);
    cusolverGetProperty(PATCH_LEVEL, &patch);
    const size_t used = strlen(b->versions);
    snprintf(b->versions + used, sizeof b->versions - used,
             ", CUDA %d.%d (driver for %d.%d), cuBLAS %d, cuSOLVER %d.%d.%d",
             runtime / 1000, runtime % 1000 / 10, driver / 1000,
             driver % 1000 / 10, blas, major, minor, patch);
}

gsvd_status_t bench_device_start(void)
{
    DEVICE_TRY(cudaEventRecord(bench_device.start, bench_device.stream));
    return GSVD_SUCCESS;
}

gsvd_status_t bench_device_stop(double *ms)
{
    float elapsed = 0;
    DEVICE_TRY(cudaEventRecord(bench_device.stop, bench_device.stream));
    DEVICE_TRY(cudaEventSynchronize(bench_device.stop));
    DEVICE_TRY(
        cudaEventElapsedTime(&elapsed, bench_device.start, bench_device.stop));
    *ms = elapsed;
    return GSVD_SUCCESS;
}
