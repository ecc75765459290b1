/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* standin.c [1] -- NCCL, cuBLASMp and cuSOLVERMp for tests without a GPU: as much of them as libgsvd-nccl
 * calls, by MPI and by LAPACK on whole matrices.  They refuse what those refuse: views that do not begin with a
 * block, and products with Q from the right or of few columns. */
#include <stdlib.h>
#include <string.h>

#include "cublasmp.h"
#include "cusolverMp.h"
#include "gsvd.h"
#include "whole.h"

/* -- NCCL --------------------------------------------------------------------------- */

static MPI_Datatype type_of(ncclDataType_t t)
{
    return t == ncclChar    ? MPI_CHAR
           : t == ncclInt64 ? MPI_INT64_T
           : t == ncclFloat ? MPI_FLOAT
                            : MPI_DOUBLE;
}

static size_t bytes_of(ncclDataType_t t)
{
    return t == ncclChar ? 1 : t == ncclFloat ? 4 : 8;
}

const char *ncclGetErrorString(ncclResult_t r)
{
    return r == ncclSuccess ? "no error" : "an error of the stand-in";
}
ncclResult_t ncclCommCount(ncclComm_t comm, int *count)
{
    return MPI_Comm_size(comm->comm, count) ? ncclInvalidUsage : ncclSuccess;
}
ncclResult_t ncclCommUserRank(ncclComm_t comm, int *rank)
{
    return MPI_Comm_rank(comm->comm, rank) ? ncclInvalidUsage : ncclSuccess;
}
/* where gsvd_create makes a handle */
ncclResult_t ncclCommCuDevice(ncclComm_t comm, int *device)
{
    (void)comm;
    *device = GSVD_HOST;
    return ncclSuccess;
}
ncclResult_t ncclCommGetAsyncError(ncclComm_t comm, ncclResult_t *r)
{
    (void)comm;
    *r = ncclSuccess;
    return ncclSuccess;
}
ncclResult_t ncclCommSplit(ncclComm_t comm, int color, int key, ncclComm_t *to,
                           void *config)
{
    (void)config;
    *to = malloc(sizeof **to);
    if (!*to)
        return ncclInvalidUsage;
    MPI_Comm_split(comm->comm, color, key, &(*to)->comm);
    return ncclSuccess;
}
ncclResult_t ncclCommDestroy(ncclComm_t comm)
{
    MPI_Comm_free(&comm->comm);
    free(comm);
    return ncclSuccess;
}

ncclResult_t ncclAllReduce(const void *from, void *to, size_t n,
                           ncclDataType_t type, ncclRedOp_t op, ncclComm_t comm,
                           cudaStream_t s)
{
    const MPI_Op how = op == ncclSum   ? MPI_SUM
                       : op == ncclMax ? MPI_MAX
                                       : MPI_MIN;
    (void)s;
    if (from != to)
        memcpy(to, from, n * bytes_of(type));
    MPI_Allreduce(MPI_IN_PLACE, to, (int)n, type_of(type), how, comm->comm);
    return ncclSuccess;
}
ncclResult_t ncclBroadcast(const void *from, void *to, size_t n,
                           ncclDataType_t type, int root, ncclComm_t comm,
                           cudaStream_t s)
{
    (void)s;
    if (from != to)
        memcpy(to, from, n * bytes_of(type));
    MPI_Bcast(to, (int)n, type_of(type), root, comm->comm);
    return ncclSuccess;
}

enum { MOST = 256 };
static MPI_Request request[MOST];
static int requests;

ncclResult_t ncclGroupStart(void)
{
    requests = 0;
    return ncclSuccess;
}
ncclResult_t ncclGroupEnd(void)
{
    MPI_Waitall(requests, request, MPI_STATUSES_IGNORE);
    return ncclSuccess;
}
ncclResult_t ncclSend(const void *from, size_t n, ncclDataType_t type, int peer,
                      ncclComm_t comm, cudaStream_t s)
{
    (void)s;
    MPI_Isend(from, (int)n, type_of(type), peer, 1, comm->comm,
              &request[requests++]);
    return ncclSuccess;
}
ncclResult_t ncclRecv(void *to, size_t n, ncclDataType_t type, int peer,
                      ncclComm_t comm, cudaStream_t s)
{
    (void)s;
    MPI_Irecv(to, (int)n, type_of(type), peer, 1, comm->comm,
              &request[requests++]);
    return ncclSuccess;
}

/* -- whole matrices ------------------------------------------------------------------ */

static size_t entry_bytes(const standin_matrix_t *d)
{
    return d->type == CUDA_R_32F ? 4 : d->type == CUDA_C_64F ? 16 : 8;
}

static void sum(const standin_matrix_t *d, void *x, int64_t entries)
{
    const int is_single = d->type == CUDA_R_32F || d->type == CUDA_C_32F;
    const size_t reals = (size_t)entries * entry_bytes(d) / (is_single ? 4 : 8);
    (void)ncclAllReduce(x, x, reals, is_single ? ncclFloat : ncclDouble,
                        ncclSum, d->grid->comm, NULL);
}

/* Both ways: the entries that this process has of the whole */
static void exchange(const standin_matrix_t *d, char *whole, char *part,
                     int back)
{
    const standin_grid_t *const g = d->grid;
    const size_t bytes = entry_bytes(d);
    for (int64_t j = 0; j < d->n; ++j)
        for (int64_t i = 0; i < d->m; ++i) {
            const int64_t bi = i / d->mb, bj = j / d->nb;
            if (bi % g->p != g->r || bj % g->q != g->c)
                continue;
            char *const here =
                part +
                bytes * (size_t)(bi / g->p * d->mb + i % d->mb +
                                 (bj / g->q * d->nb + j % d->nb) * d->ld);
            char *const there = whole + bytes * (size_t)(i + j * d->m);
            memcpy(back ? here : there, back ? there : here, bytes);
        }
}

void *standin_gather(const standin_matrix_t *d, const void *part)
{
    char *const whole = calloc((size_t)(d->m * d->n), entry_bytes(d));
    exchange(d, whole, (char *)part, 0);
    sum(d, whole, d->m * d->n);
    return whole;
}

void standin_scatter(const standin_matrix_t *d, const void *whole, void *part)
{
    exchange(d, (char *)whole, part, 1);
}

/* As a matrix of one row that all rows of the grid have */
static standin_matrix_t row_of(const standin_matrix_t *d, int64_t k,
                               standin_grid_t *g)
{
    standin_matrix_t row = *d;
    *g = *d->grid;
    row.grid = g;
    row.m = row.mb = row.ld = 1;
    row.n = k;
    return row;
}

void *standin_gather_tau(const standin_matrix_t *d, int64_t k, const void *tau)
{
    standin_grid_t g;
    standin_matrix_t row = row_of(d, k, &g);
    return standin_gather(&row, tau);
}

void standin_scatter_tau(const standin_matrix_t *d, int64_t k,
                         const void *whole, void *tau)
{
    standin_grid_t g;
    standin_matrix_t row = row_of(d, k, &g);
    g.p = 1;
    g.r = 0;
    standin_scatter(&row, whole, tau);
}

/* -- handles, grids, descriptors ------------------------------------------------------- */

static int make_grid(ncclComm_t comm, int p, int q, int by_rows,
                     standin_grid_t **to)
{
    standin_grid_t *const g = malloc(sizeof *g);
    int rank;
    if (!g)
        return 2;
    MPI_Comm_rank(comm->comm, &rank);
    *g = (standin_grid_t){comm, p, q, by_rows ? rank / q : rank % p,
                          by_rows ? rank % q : rank / p};
    *to = g;
    return 0;
}

static int make_matrix(const standin_grid_t *g, cudaDataType_t type, int64_t m,
                       int64_t n, int64_t mb, int64_t nb, int64_t ld,
                       standin_matrix_t **to)
{
    standin_matrix_t *const d = malloc(sizeof *d);
    if (!d)
        return 2;
    if (m < 1 || n < 1 || mb < 1 || nb < 1 || ld < 1) {
        free(d);
        return 3;
    }
    *d = (standin_matrix_t){g, type, m, n, mb, nb, ld};
    *to = d;
    return 0;
}

int cublasMpCreate(cublasMpHandle_t *h, cudaStream_t s)
{
    (void)s;
    *h = NULL;
    return 0;
}
int cublasMpDestroy(cublasMpHandle_t h)
{
    (void)h;
    return 0;
}
int cublasMpGridCreate(int64_t p, int64_t q, int layout, ncclComm_t comm,
                       cublasMpGrid_t *g)
{
    return make_grid(comm, (int)p, (int)q,
                     layout == CUBLASMP_GRID_LAYOUT_ROW_MAJOR, g);
}
int cublasMpGridDestroy(cublasMpGrid_t g)
{
    free(g);
    return 0;
}
int cublasMpMatrixDescriptorCreate(int64_t m, int64_t n, int64_t mb, int64_t nb,
                                   int64_t rsrc, int64_t csrc, int64_t ld,
                                   cudaDataType_t type, cublasMpGrid_t g,
                                   cublasMpMatrixDescriptor_t *d)
{
    return rsrc || csrc ? 3 : make_matrix(g, type, m, n, mb, nb, ld, d);
}
int cublasMpMatrixDescriptorDestroy(cublasMpMatrixDescriptor_t d)
{
    free(d);
    return 0;
}
int cusolverMpCreate(cusolverMpHandle_t *h, int device, cudaStream_t s)
{
    (void)device, (void)s;
    *h = NULL;
    return 0;
}
int cusolverMpDestroy(cusolverMpHandle_t h)
{
    (void)h;
    return 0;
}
int cusolverMpCreateDeviceGrid(cusolverMpHandle_t h, cusolverMpGrid_t *g,
                               ncclComm_t comm, int32_t p, int32_t q,
                               int mapping)
{
    (void)h;
    return make_grid(comm, p, q, mapping == CUSOLVERMP_GRID_MAPPING_ROW_MAJOR,
                     g);
}
int cusolverMpDestroyGrid(cusolverMpGrid_t g)
{
    free(g);
    return 0;
}
int cusolverMpCreateMatrixDesc(cusolverMpMatrixDescriptor_t *d,
                               cusolverMpGrid_t g, cudaDataType_t type,
                               int64_t m, int64_t n, int64_t mb, int64_t nb,
                               uint32_t rsrc, uint32_t csrc, int64_t ld)
{
    return rsrc || csrc ? 3 : make_matrix(g, type, m, n, mb, nb, ld, d);
}
int cusolverMpDestroyMatrixDesc(cusolverMpMatrixDescriptor_t d)
{
    free(d);
    return 0;
}

/* -- engines ------------------------------------------------------------------------- */

static const standin_lapack_t *lapack(const standin_matrix_t *d)
{
    switch (d->type) {
#if GSVD_HAVE_S
    case CUDA_R_32F: return &sgsvd_standin;
#endif
#if GSVD_HAVE_D
    case CUDA_R_64F: return &dgsvd_standin;
#endif
#if GSVD_HAVE_C
    case CUDA_C_32F: return &cgsvd_standin;
#endif
#if GSVD_HAVE_Z
    case CUDA_C_64F: return &zgsvd_standin;
#endif
    default: abort();
    }
}

static char letter(cublasOperation_t op)
{
    return op == CUBLAS_OP_N ? 'N' : op == CUBLAS_OP_T ? 'T' : 'C';
}

/* Does the view begin with a block? */
static int is_aligned(const standin_matrix_t *d, int64_t i, int64_t j)
{
    return (i - 1) % d->mb == 0 && (j - 1) % d->nb == 0;
}

static char *at(const standin_matrix_t *d, void *whole, int64_t i, int64_t j)
{
    return (char *)whole + entry_bytes(d) * (size_t)(i - 1 + (j - 1) * d->m);
}

static int some_work(int status, size_t *device, size_t *host)
{
    *device = *host = 64;
    return status;
}

int cublasMpGemm_bufferSize(STANDIN_GEMM, size_t *device, size_t *host)
{
    (void)h, (void)opa, (void)opb, (void)m, (void)n, (void)k, (void)alpha;
    (void)a, (void)b, (void)beta, (void)c, (void)t;
    return some_work(is_aligned(da, ia, ja) && is_aligned(db, ib, jb) &&
                             is_aligned(dc, ic, jc)
                         ? 0
                         : 3,
                     device, host);
}
int cublasMpGemm(STANDIN_GEMM, void *dw, size_t device, void *hw, size_t host)
{
    void *const A = standin_gather(da, a), *const B = standin_gather(db, b),
                *const C = standin_gather(dc, c);
    (void)h, (void)t, (void)dw, (void)device, (void)hw, (void)host;
    lapack(dc)->gemm(letter(opa), letter(opb), (int)m, (int)n, (int)k, alpha,
                     at(da, A, ia, ja), (int)da->m, at(db, B, ib, jb),
                     (int)db->m, beta, at(dc, C, ic, jc), (int)dc->m);
    standin_scatter(dc, C, c);
    free(A), free(B), free(C);
    return 0;
}

int cublasMpTrsm_bufferSize(STANDIN_TRSM, size_t *device, size_t *host)
{
    (void)h, (void)m, (void)n, (void)alpha, (void)a, (void)b, (void)t;
    (void)ia, (void)ja, (void)da, (void)ib, (void)jb, (void)db;
    return some_work(side == CUBLAS_SIDE_RIGHT &&
                             uplo == CUBLAS_FILL_MODE_UPPER &&
                             op == CUBLAS_OP_N && diag == CUBLAS_DIAG_NON_UNIT
                         ? 0
                         : 7,
                     device, host);
}
int cublasMpTrsm(STANDIN_TRSM, void *dw, size_t device, void *hw, size_t host)
{
    void *const A = standin_gather(da, a), *const B = standin_gather(db, b);
    (void)h, (void)t, (void)dw, (void)device, (void)hw, (void)host;
    (void)side, (void)uplo, (void)op, (void)diag;
    lapack(db)->trsm((int)m, (int)n, alpha, at(da, A, ia, ja), (int)da->m,
                     at(db, B, ib, jb), (int)db->m);
    standin_scatter(db, B, b);
    free(A), free(B);
    return 0;
}

int cusolverMpGeqrf_bufferSize(cusolverMpHandle_t h, int64_t m, int64_t n,
                               void *a, int64_t ia, int64_t ja,
                               cusolverMpMatrixDescriptor_t da,
                               cudaDataType_t t, size_t *device, size_t *host)
{
    (void)h, (void)m, (void)n, (void)a, (void)t, (void)da;
    return some_work(ia == 1 && ja == 1 ? 0 : 3, device, host);
}
int cusolverMpGeqrf(cusolverMpHandle_t h, int64_t m, int64_t n, void *a,
                    int64_t ia, int64_t ja, cusolverMpMatrixDescriptor_t da,
                    void *tau, cudaDataType_t t, STANDIN_WORK)
{
    const int64_t k = m < n ? m : n;
    void *const A = standin_gather(da, a), *const all = calloc((size_t)k + 1,
                                                               entry_bytes(da));
    (void)h, (void)ia, (void)ja, (void)t;
    (void)dw, (void)device, (void)hw, (void)host;
    *info = lapack(da)->geqrf((int)m, (int)n, A, (int)da->m, all);
    standin_scatter(da, A, a);
    standin_scatter_tau(da, k, all, tau);
    free(A), free(all);
    return 0;
}

/* tau of all columns: each process of a row of the grid has some */
static void *whole_tau(const standin_matrix_t *d, int64_t k, const void *tau)
{
    return standin_gather_tau(d, k, tau);
}

int cusolverMpOrgqr_bufferSize(STANDIN_ORGQR, size_t *device, size_t *host)
{
    (void)h, (void)m, (void)n, (void)k, (void)a, (void)da, (void)tau, (void)t;
    return some_work(ia == 1 && ja == 1 ? 0 : 3, device, host);
}
int cusolverMpOrgqr(STANDIN_ORGQR, STANDIN_WORK)
{
    void *const A = standin_gather(da, a), *const all = whole_tau(da, k, tau);
    (void)h, (void)ia, (void)ja, (void)t;
    (void)dw, (void)device, (void)hw, (void)host;
    *info = lapack(da)->orgqr((int)m, (int)n, (int)k, A, (int)da->m, all);
    standin_scatter(da, A, a);
    free(A), free(all);
    return 0;
}

int cusolverMpOrmqr_bufferSize(STANDIN_ORMQR, size_t *device, size_t *host)
{
    (void)h, (void)op, (void)m, (void)a, (void)da, (void)tau;
    (void)c, (void)t;
    const int is_narrow = dc->grid->q > 1 && n < k; /* as on 1 x 2 devices    */
    const int status = side == CUBLAS_SIDE_RIGHT || is_narrow     ? 9
                       : ia == 1 && ja == 1 && ic == 1 && jc == 1 ? 0
                                                                  : 3;
    return some_work(status, device, host);
}
int cusolverMpOrmqr(STANDIN_ORMQR, STANDIN_WORK)
{
    void *const A = standin_gather(da, a), *const C = standin_gather(dc, c),
                *const all = whole_tau(da, k, tau);
    (void)h, (void)side, (void)ia, (void)ja, (void)ic, (void)jc, (void)t;
    (void)dw, (void)device, (void)hw, (void)host;
    *info = lapack(da)->ormqr(letter(op), (int)m, (int)n, (int)k, A, (int)da->m,
                              all, C, (int)dc->m);
    standin_scatter(dc, C, c);
    free(A), free(C), free(all);
    return 0;
}

int cusolverMpSyevd_bufferSize(STANDIN_SYEVD, size_t *device, size_t *host)
{
    (void)h, (void)job, (void)uplo, (void)n, (void)a, (void)da, (void)w;
    (void)z, (void)dz, (void)t;
    return some_work(ia == 1 && ja == 1 && iz == 1 && jz == 1 ? 0 : 3, device,
                     host);
}
int cusolverMpSyevd(STANDIN_SYEVD, STANDIN_WORK)
{
    void *const A = standin_gather(da, a);
    (void)h, (void)job, (void)uplo, (void)ia, (void)ja, (void)iz, (void)jz;
    (void)t, (void)dw, (void)device, (void)hw, (void)host;
    *info = lapack(da)->syevd((int)n, A, (int)da->m, w);
    standin_scatter(dz, A, z);
    free(A);
    return 0;
}
