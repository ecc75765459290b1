/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* device.c [1] -- see device.h; grids over NCCL come and go, and what their processes tell each other. */
#define _GNU_SOURCE /* MAP_ANONYMOUS */
#include "grid/nccl/device.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "core/status.h"
#include "gsvd_build.h"

/* -- failures --------------------------------------------------------------------- */

void gsvd_nccl_failed(gsvd_status_t status, const char *format, ...)
{
    nccl_t *const d = nccl_here();
    va_list args;

    if (d->failed == GSVD_DEVICE_FAILED ||
        (d->failed != GSVD_SUCCESS && status != GSVD_DEVICE_FAILED))
        return;
    d->failed = status;
    va_start(args, format);
    vsnprintf(d->text, sizeof d->text, format, args);
    va_end(args);
}

gsvd_status_t gsvd_nccl_status(void)
{
    const nccl_t *const d = nccl_here();
    return d->failed == GSVD_SUCCESS
               ? GSVD_SUCCESS
               : gsvd_grid_fail(d->failed, "%.200s", d->text);
}

gsvd_status_t gsvd_grid_after_messages(gsvd_status_t status)
{
    return status == GSVD_SUCCESS ? gsvd_nccl_status() : status;
}

void gsvd_nccl_wait(void)
{
    const nccl_t *const d = nccl_here();
    cudaError_t now = cudaErrorNotReady;

    while (now == cudaErrorNotReady && d->failed != GSVD_DEVICE_FAILED) {
        ncclResult_t later = ncclSuccess;
        now = cudaStreamQuery(d->stream);
        if (now == cudaErrorNotReady && d->comm) {
            NCCL_ALWAYS(ncclCommGetAsyncError(d->comm, &later));
            if (later != ncclSuccess && later != ncclInProgress)
                gsvd_nccl_failed(GSVD_DEVICE_FAILED, "NCCL: %s",
                                 ncclGetErrorString(later));
        }
    }
    if (now != cudaErrorNotReady && now != cudaSuccess)
        gsvd_nccl_failed(GSVD_DEVICE_FAILED, "the stream: %s",
                         cudaGetErrorString(now));
}

/* -- lists ------------------------------------------------------------------------ */

size_t gsvd_nccl_list_bytes(void) { return nccl_here()->list.bytes / LISTS; }

void *gsvd_nccl_list(int which, const void *host, size_t bytes)
{
    const nccl_t *const d = nccl_here();
    char *const list =
        (char *)d->list.data + (size_t)which * gsvd_nccl_list_bytes();

    if (bytes > gsvd_nccl_list_bytes())
        gsvd_nccl_failed(GSVD_INTERNAL_ERROR,
                         "a list of %zu bytes on the device, which has %zu",
                         bytes, gsvd_nccl_list_bytes());
    else if (bytes > 0 && host)
        NCCL_CUDA(cudaMemcpyAsync(list, host, bytes, cudaMemcpyHostToDevice,
                                  d->stream));
    else if (bytes > 0)
        NCCL_CUDA(cudaMemsetAsync(list, 0, bytes, d->stream));
    return list;
}

void gsvd_nccl_read(void *to, const void *from, size_t bytes)
{
    if (bytes > 0)
        NCCL_ALWAYS(cudaMemcpyAsync(to, from, bytes, cudaMemcpyDeviceToHost,
                                    nccl_here()->stream));
    gsvd_nccl_wait();
}

void gsvd_nccl_write(void *to, const void *from, size_t bytes)
{
    if (bytes > 0)
        NCCL_ALWAYS(cudaMemcpyAsync(to, from, bytes, cudaMemcpyHostToDevice,
                                    nccl_here()->stream));
    gsvd_nccl_wait();
}

/* -- messages --------------------------------------------------------------------- */

static void of_all(int n, int64_t *x, ncclRedOp_t op)
{
    const nccl_t *const d = nccl_here();
    const size_t bytes = (size_t)n * sizeof *x;

    if (gsvd_grid->size == 1)
        return;
    NCCL_ALWAYS(cudaMemcpyAsync(d->message, x, bytes, cudaMemcpyHostToDevice,
                                d->stream));
    NCCL_ALWAYS(ncclAllReduce(d->message, d->message, (size_t)n, ncclInt64, op,
                              d->comm, d->stream));
    gsvd_nccl_read(x, d->message, bytes);
}

void gsvd_grid_least(int n, int64_t *x) { of_all(n, x, ncclMin); }
void gsvd_grid_most(int n, int64_t *x) { of_all(n, x, ncclMax); }

void gsvd_grid_tell(int from, void *bytes, size_t count)
{
    const nccl_t *const d = nccl_here();
    char *const x = bytes;

    for (size_t at = 0; at < count && gsvd_grid->size > 1;
         at += MESSAGE_BYTES) {
        const size_t left = count - at,
                     some = left < MESSAGE_BYTES ? left : MESSAGE_BYTES;
        if (gsvd_grid->rank == from)
            NCCL_ALWAYS(cudaMemcpyAsync(d->message, x + at, some,
                                        cudaMemcpyHostToDevice, d->stream));
        NCCL_ALWAYS(ncclBroadcast(d->message, d->message, some, ncclChar, from,
                                  d->comm, d->stream));
        gsvd_nccl_read(x + at, d->message, some);
    }
}

/* -- memory ----------------------------------------------------------------------- */

/* Does a room have lists and matrices, at the host's addresses? */
static int is_twofold(int which)
{
    return which == ROOM_CALL || which == ROOM_REST;
}

static gsvd_status_t no_room(const char *where, size_t bytes)
{
    return gsvd_grid_fail(GSVD_OUT_OF_MEMORY, "no room for %zu bytes of %s",
                          bytes, where);
}

static int is_taken(cudaError_t status, void **p)
{
    if (status == cudaSuccess)
        return 1;
    (void)cudaGetLastError();
    *p = NULL;
    return 0;
}

static int allocate_on_device(size_t bytes, void **p)
{
    return is_taken(cudaMalloc(p, bytes), p);
}

/* A call may take more than the device has: then CUDA moves pages from the host and back. */
static int allocate_pages(size_t bytes, void **p)
{
    return allocate_on_device(bytes, p) ||
           is_taken(cudaMallocManaged(p, bytes, cudaMemAttachGlobal), p);
}

gsvd_status_t gsvd_grid_allocate(int which, size_t bytes, buffer_t *room)
{
    nccl_t *const d = nccl_here();
    void *device = NULL, *host = MAP_FAILED;

    if (which == ROOM_LISTS) {
        *room = (buffer_t){malloc(bytes), bytes};
        return room->data ? GSVD_SUCCESS : no_room("host memory", bytes);
    }
    if (!(which == ROOM_MESSAGES ? allocate_on_device
                                 : allocate_pages)(bytes, &device))
        return no_room("GPU memory", bytes);
    *room = (buffer_t){device, bytes};
    if (!is_twofold(which))
        return GSVD_SUCCESS;
    host = mmap(NULL, bytes, PROT_READ | PROT_WRITE,
                MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (host == MAP_FAILED) {
        cudaFree(device);
        return no_room("host memory", bytes);
    }
    d->twin[which] = *room;
    *room = (buffer_t){host, bytes};
    return GSVD_SUCCESS;
}

void gsvd_grid_release(int which, buffer_t *room)
{
    nccl_t *const d = nccl_here();

    if (!room->data)
        return;
    if (which == ROOM_LISTS) {
        free(room->data);
        return;
    }
    gsvd_nccl_wait();
    if (!is_twofold(which)) {
        cudaFree(room->data);
        return;
    }
    munmap(room->data, room->bytes);
    cudaFree(d->twin[which].data);
    d->twin[which] = (buffer_t){0};
}

void *gsvd_grid_there(void *p)
{
    const grid_t *const g = gsvd_grid;

    for (int k = 0; k < ROOMS; ++k) {
        const char *const from = g->room[k].data;
        const size_t offset = (size_t)((char *)p - from);
        if (g->nccl->twin[k].data && from && (char *)p >= from &&
            offset < g->room[k].bytes)
            return (char *)g->nccl->twin[k].data + offset;
    }
    return p;
}

/* -- a call ------------------------------------------------------------------------ */

static int64_t most_of(const grid_call_t *c)
{
    const int64_t most = c->m > c->n ? c->m : c->n;
    return most > c->p ? most : c->p;
}

/* Lists as long as rows and columns of the call's matrices, of any type.  A process that has no room says so
 * when the others have come. */
gsvd_status_t gsvd_grid_enter(const grid_call_t *call, char *text)
{
    nccl_t *const d = nccl_here();
    const size_t numbers = 2 * (size_t)(most_of(call) > 0 ? most_of(call) : 0);
    const size_t bytes = LISTS * ((numbers + 16384) * 16);

    (void)cudaGetDevice(&d->before);
    (void)cudaSetDevice(d->device);
    (void)cudaGetLastError(); /* What the caller left is not a kernel's.      */
    if (d->failed == GSVD_DEVICE_FAILED) {
        snprintf(text, GRID_ERROR, "the grid has failed before: %.200s",
                 d->text);
        return GSVD_DEVICE_FAILED;
    }
    d->failed = GSVD_SUCCESS;
    if (bytes <= d->list.bytes)
        return GSVD_SUCCESS;
    cudaFree(d->list.data);
    d->list = (buffer_t){NULL, bytes};
    if (!allocate_on_device(bytes, &d->list.data)) {
        d->list = (buffer_t){0};
        gsvd_nccl_failed(GSVD_OUT_OF_MEMORY,
                         "no room for %zu bytes of GPU memory", bytes);
    }
    return GSVD_SUCCESS;
}

/* What failed since the last agreement */
gsvd_status_t gsvd_grid_at_end(gsvd_status_t status)
{
    return status == GSVD_SUCCESS ? gsvd_grid_agree(GSVD_SUCCESS) : status;
}

void gsvd_grid_leave(void) { (void)cudaSetDevice(nccl_here()->before); }

/* -- grids ------------------------------------------------------------------------- */

static void free_grid(grid_t *g)
{
    nccl_t *const d = g->nccl;

    if (d->solver_grid)
        cusolverMpDestroyGrid(d->solver_grid);
    if (d->blas_grid)
        cublasMpGridDestroy(d->blas_grid);
    if (d->solver)
        cusolverMpDestroy(d->solver);
    if (d->blas)
        cublasMpDestroy(d->blas);
    cudaFree(d->message);
    cudaFree(d->info);
    cudaFree(d->list.data);
    free(d->host.data);
    if (d->comm)
        ncclCommDestroy(d->comm);
    if (d->stream)
        cudaStreamDestroy(d->stream);
    free(d);
    free(g);
}

static void destroy(struct gsvd_grid *of)
{
    grid_t *const g = (grid_t *)of;
    const int device = g->nccl->device;
    int before = device;

    (void)cudaGetDevice(&before);
    (void)cudaSetDevice(device);
    gsvd_grid_leave_gpu(g);
    free_grid(g);
    (void)cudaSetDevice(before);
}

/* What a grid has on the device but for the engines */
static void begin_device(nccl_t *d)
{
    NCCL_CUDA(cudaStreamCreate(&d->stream));
    NCCL_CUDA(cudaMalloc(&d->message, MESSAGE_BYTES));
    NCCL_CUDA(cudaMalloc((void **)&d->info, sizeof *d->info));
}

static void begin_engines(nccl_t *d, int p, int q)
{
    int status = (int)cusolverMpCreate(&d->solver, d->device, d->stream);
    if (status == 0)
        status = (int)cusolverMpCreateDeviceGrid(
            d->solver, &d->solver_grid, d->comm, p, q,
            CUSOLVERMP_GRID_MAPPING_ROW_MAJOR);
    if (status != 0)
        gsvd_nccl_failed(GSVD_DEVICE_FAILED, "cuSOLVERMp does not start: %d",
                         status);
    status = (int)cublasMpCreate(&d->blas, d->stream);
    if (status == 0)
        status = (int)cublasMpGridCreate(p, q, CUBLASMP_GRID_LAYOUT_ROW_MAJOR,
                                         d->comm, &d->blas_grid);
    if (status != 0)
        gsvd_nccl_failed(GSVD_DEVICE_FAILED, "cuBLASMp does not start: %d",
                         status);
}

/* The same p, q and order on all processes? */
static int are_shared(int64_t p, int64_t q, char order)
{
    int64_t least[] = {p, q, order}, most[] = {p, q, order};
    gsvd_grid_least(3, least);
    gsvd_grid_most(3, most);
    return memcmp(least, most, sizeof least) == 0;
}

static gsvd_status_t begin(grid_t *g, ncclComm_t given, int64_t p, int64_t q,
                           char order, char *error)
{
    nccl_t *const d = g->nccl;

    begin_device(d);
    if (d->failed != GSVD_SUCCESS)
        return gsvd_nccl_status();
    d->comm = given; /* until there is one of the grid's own                  */
    const gsvd_status_t shape =
        gsvd_grid_agree(gsvd_grid_check_shape(p, q, order, g->size, error));
    const int shared = shape != GSVD_SUCCESS || are_shared(p, q, order);
    d->comm = NULL;
    if (shape != GSVD_SUCCESS)
        return gsvd_grid_fail(shape, "%.200s", error);
    if (!shared)
        return gsvd_grid_fail(GSVD_INVALID_ARGUMENT,
                              "arguments 3 to 5, p, q and order: they differ "
                              "between processes");
    const int rank = g->rank;
    g->rank = order == 'R' ? rank : (int)(rank % p * q + rank / p);
    g->p = (int)p;
    g->q = (int)q;
    g->r = g->rank / g->q;
    g->c = g->rank % g->q;
    NCCL_ALWAYS(ncclCommSplit(given, 0, g->rank, &d->comm, NULL));
    if (d->failed == GSVD_SUCCESS)
        begin_engines(d, g->p, g->q);
    return d->comm ? gsvd_grid_agree(GSVD_SUCCESS) : gsvd_nccl_status();
}

static gsvd_status_t from_nccl(struct gsvd_grid **to, void *comm, int64_t p,
                               int64_t q, char order, const grid_gpu_t *gpu,
                               char *error)
{
    const ncclComm_t given = comm;
    grid_t *const g = calloc(1, sizeof *g);
    nccl_t *const d = calloc(1, sizeof *d);
    int before = 0;

    if (!given || !g || !d ||
        ncclCommCuDevice(given, &d->device) != ncclSuccess ||
        ncclCommCount(given, &g->size) != ncclSuccess ||
        ncclCommUserRank(given, &g->rank) != ncclSuccess) {
        const int no_memory = !g || !d;
        free(g);
        free(d);
        return no_memory ? gsvd_grid_refuse(error, GSVD_OUT_OF_MEMORY,
                                            "no memory for a grid")
                         : gsvd_grid_refuse(
                               error, GSVD_INVALID_ARGUMENT,
                               "argument 2, comm: no communicator of NCCL");
    }
    g->door.module = &gsvd_grid_module;
    g->nccl = d;
    g->device = GSVD_ANY;
    g->gpu = gpu;
    gsvd_grid = g;
    (void)cudaGetDevice(&before);
    (void)cudaSetDevice(d->device);
    const gsvd_status_t status =
        begin(g, given, p, q, (char)toupper(order), error);
    snprintf(error, GRID_ERROR, "%s", g->door.error);
    if (status == GSVD_SUCCESS)
        *to = &g->door;
    else
        free_grid(g);
    (void)cudaSetDevice(before);
    gsvd_grid = NULL;
    return status;
}

const grid_module_t gsvd_grid_module = {
    .build = GSVD_BUILD,
    .from_nccl = from_nccl,
    .destroy = destroy,
    .set_device = gsvd_grid_use_device,
    .agree = gsvd_grid_agree_on,
    .share = gsvd_grid_share,
    .run = gsvd_grid_run,
    .bytes = gsvd_grid_bytes_of,
};
