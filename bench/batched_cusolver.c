/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* batched_cusolver.c -- many matrices by cuSOLVER. */
#include "batched.h"
#include "core/gpublas.h"
#include "device_cuda.h"

#define SCALAR_s CUDA_R_32F
#define SCALAR_d CUDA_R_64F
#define SCALAR_c CUDA_C_32F
#define SCALAR_z CUDA_C_64F
#define SCALAR_TYPE GSVD_PASTE(SCALAR_, GSVD_LETTER)
#define REAL_TYPE (GSVD_SINGLE ? CUDA_R_32F : CUDA_R_64F)

/* So many bytes where it computes and on the host, once for a batch */
static gsvd_status_t take(bench_batch_t *b, size_t device, size_t host,
                          void *work[2])
{
    GSVD_TRY(bench_take(b->bench, b->ex.h, device + 1, &work[0]));
    return bench_take(b->bench, b->bench->host, host + 1, &work[1]);
}

static gsvd_status_t gesvdj(bench_batch_t *b, gesvdjInfo_t how)
{
    const int m = (int)b->m, n = (int)b->n, count = (int)b->count;
    const cusolverEigMode_t mode = CUSOLVER_EIG_MODE_VECTOR;
    void *work[2];
    int length;

    if (!b->peer) {
        DEVICE_TRY(CUSOLVER_(gesvdjBatched_bufferSize)(
            bench_device.solver, mode, m, n, (void *)b->A.data, m, b->alpha,
            (void *)b->U.data, m, (void *)b->V.data, n, &length, how, count));
        GSVD_TRY(take(b, (size_t)length * sizeof(scalar_t), 0, work));
        b->peer = work[0];
        b->peer_bytes[0] = (size_t)length;
    }
    DEVICE_TRY(CUSOLVER_(gesvdjBatched)(
        bench_device.solver, mode, m, n, (void *)b->A.data, m, b->alpha,
        (void *)b->U.data, m, (void *)b->V.data, n, b->peer,
        (int)b->peer_bytes[0], b->info, how, count));
    return GSVD_SUCCESS;
}

/* U and V have room for m x m and n x n each. */
gsvd_status_t X(bench_gesvdj_batched)(void *data)
{
    gesvdjInfo_t how;
    DEVICE_TRY(cusolverDnCreateGesvdjInfo(&how));
    const gsvd_status_t status = gesvdj(data, how);
    cusolverDnDestroyGesvdjInfo(how);
    return status;
}

/* Of the lower triangles, whatever is above them */
gsvd_status_t X(bench_syev_batched)(void *data)
{
    bench_batch_t *const b = data;
    const cusolverEigMode_t mode = CUSOLVER_EIG_MODE_VECTOR;
    const cublasFillMode_t lower = CUBLAS_FILL_MODE_LOWER;
    static void *work[2];

    if (!b->peer) {
        DEVICE_TRY(cusolverDnXsyevBatched_bufferSize(
            bench_device.solver, bench_device.params, mode, lower, b->n,
            SCALAR_TYPE, b->A.data, b->n, REAL_TYPE, b->alpha, SCALAR_TYPE,
            &b->peer_bytes[0], &b->peer_bytes[1], b->count));
        GSVD_TRY(take(b, b->peer_bytes[0], b->peer_bytes[1], work));
        b->peer = work[0];
    }
    DEVICE_TRY(cusolverDnXsyevBatched(
        bench_device.solver, bench_device.params, mode, lower, b->n,
        SCALAR_TYPE, b->A.data, b->n, REAL_TYPE, b->alpha, SCALAR_TYPE, work[0],
        b->peer_bytes[0], work[1], b->peer_bytes[1], b->info, b->count));
    return GSVD_SUCCESS;
}
