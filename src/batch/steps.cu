/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* steps.cu -- the primitives of large steps in batches (large_steps.c); CUDA twin of steps.c.
 *
 * Products by cuBLAS, eigenvectors by cuSOLVER's XsyevBatched; what is between them by steps.cuh. */
#include "batch/steps.cuh"
#include "core/gpublas.h"

enum {
    PARTS = 64,  /* blocks for a matrix, where entries are by themselves      */
    HALVES = 512 /* columns from which a Gram matrix is taken by quarters    */
};

/* XsyevBatched is in CUDA 12.6.2 and later. */
#define HAVE_SYEV_BATCHED (CUSOLVER_VERSION >= 11701)

gsvd_status_t X(batch_load_cuda)(const exec_t *ex, const svd_batch_t *b,
                                 mats_t X, const steps_batch_t *s)
{
    if (X.count <= 0)
        return GSVD_SUCCESS;
    load_kernel<<<(unsigned)X.count, THREADS, 0, stream_of(ex)>>>(*b, X, *s);
    return gsvd_launched(ex->h, "batch_load");
}

/* -- batch_gemm, batch_gram, batch_eigenvectors --------------------------------------- */

gsvd_status_t X(batch_gemm_cuda)(const exec_t *ex, char op, mats_t A, mats_t B,
                                 mats_t C)
{
    const scalar_t one = make(1, 0), zero = make(0, 0);
    cublasHandle_t blas;

    if (C.count <= 0 || C.rows <= 0 || C.cols <= 0)
        return GSVD_SUCCESS;
    GSVD_TRY(gsvd_cublas(ex->h, ex->queue, &blas));
    GSVD_CUBLAS(ex->h,
                CUBLAS_(gemmStridedBatched_64)(
                    blas, gpublas_op(op), CUBLAS_OP_N, C.rows, C.cols, B.rows,
                    &one, A.data, A.rows, A.stride, B.data, B.rows, B.stride,
                    &zero, C.data, C.rows, C.stride, C.count));
    return GSVD_SUCCESS;
}

/* Columns i to i + rows - 1 of A_k^H times j to j + cols - 1 of A_k, for each k, to their place
 * in C_k */
static gsvd_status_t gram_part(const exec_t *ex, cublasHandle_t blas,
                               real_t alpha, mats_t A, mats_t C, int64_t i,
                               int64_t rows, int64_t j, int64_t cols)
{
    const scalar_t factor = make(alpha, 0), zero = make(0, 0);
    GSVD_CUBLAS(ex->h,
                CUBLAS_(gemmStridedBatched_64)(
                    blas, gpublas_op('C'), CUBLAS_OP_N, rows, cols, A.rows,
                    &factor, A.data + i * A.rows, A.rows, A.stride,
                    A.data + j * A.rows, A.rows, A.stride, &zero,
                    C.data + i + j * C.rows, C.rows, C.stride, C.count));
    return GSVD_SUCCESS;
}

/* Columns i to i + n - 1: three quarters of their Gram matrix, and so on */
static gsvd_status_t gram_by_halves(const exec_t *ex, cublasHandle_t blas,
                                    real_t alpha, mats_t A, mats_t C, int64_t i,
                                    int64_t n)
{
    if (n < HALVES)
        return gram_part(ex, blas, alpha, A, C, i, n, i, n);
    const int64_t half = (n / 2 + 15) / 16 * 16, rest = n - half;
    GSVD_TRY(gram_part(ex, blas, alpha, A, C, i + half, rest, i, half));
    GSVD_TRY(gram_by_halves(ex, blas, alpha, A, C, i, half));
    return gram_by_halves(ex, blas, alpha, A, C, i + half, rest);
}

gsvd_status_t X(batch_gram_cuda)(const exec_t *ex, real_t alpha, mats_t A,
                                 mats_t C)
{
    cublasHandle_t blas;

    if (C.count <= 0 || C.cols <= 0)
        return GSVD_SUCCESS;
    GSVD_TRY(gsvd_cublas(ex->h, ex->queue, &blas));
    return gram_by_halves(ex, blas, alpha, A, C, 0, C.cols);
}

/* cuSOLVER's, and the memory that it takes */
typedef struct solver {
    cusolverDnHandle_t handle;
    cusolverDnParams_t params;
    size_t device, host; /* bytes                                            */
} solver_t;

static gsvd_status_t find_solver(const exec_t *ex, int64_t n, int64_t count,
                                 solver_t *s)
{
#if HAVE_SYEV_BATCHED
    const void *const any = cuda_of(ex->h)->slot; /* of the device            */
    GSVD_TRY(gsvd_cusolver(ex->h, ex->queue, &s->handle, &s->params));
    GSVD_CUSOLVER(ex->h, cusolverDnXsyevBatched_bufferSize(
                             s->handle, s->params, CUSOLVER_EIG_MODE_VECTOR,
                             CUBLAS_FILL_MODE_LOWER, n, GPUBLAS_SCALAR, any, n,
                             GPUBLAS_REAL, any, GPUBLAS_SCALAR, &s->device,
                             &s->host, count));
    return GSVD_SUCCESS;
#else
    (void)n, (void)count, (void)s;
    return gsvd_fail(ex->h, GSVD_INTERNAL_ERROR, "cuSOLVER without batches");
#endif
}

static size_t info_bytes(int64_t count)
{
    return ((size_t)count * sizeof(int) + 255) / 256 * 256;
}

/* Memory on the host would have to be kept until the work is done, and there would be a wait. */
size_t X(batch_eigenvectors_bytes_cuda)(const exec_t *ex, int64_t n,
                                        int64_t count)
{
    solver_t s;
    if (!HAVE_SYEV_BATCHED || find_solver(ex, n, count, &s) != GSVD_SUCCESS ||
        s.host > 0)
        return SIZE_MAX;
    return info_bytes(count) + s.device;
}

gsvd_status_t X(batch_eigenvectors_cuda)(const exec_t *ex, mats_t A,
                                         const steps_batch_t *s)
{
#if HAVE_SYEV_BATCHED
    const size_t ahead = info_bytes(A.count);
    solver_t v;
    void *work;

    if (A.count <= 0 || A.cols <= 0)
        return GSVD_SUCCESS;
    GSVD_TRY(find_solver(ex, A.cols, A.count, &v));
    GSVD_TRY(X(kernel_work)(ex, ahead + v.device, &work));
    int *const info = (int *)work;
    GSVD_CUSOLVER(ex->h,
                  cusolverDnXsyevBatched(
                      v.handle, v.params, CUSOLVER_EIG_MODE_VECTOR,
                      CUBLAS_FILL_MODE_LOWER, A.cols, GPUBLAS_SCALAR, A.data,
                      A.rows, GPUBLAS_REAL, s->length, GPUBLAS_SCALAR,
                      (char *)work + ahead, v.device, NULL, 0, info, A.count));
    return GSVD_SUCCESS; /* info, too, is in what V is                        */
#else
    (void)A, (void)s;
    return find_solver(ex, 0, 0, NULL);
#endif
}

gsvd_status_t X(batch_unitary_cuda)(const exec_t *ex, mats_t E, mats_t V,
                                    const steps_batch_t *s)
{
    if (E.count <= 0)
        return GSVD_SUCCESS;
    unitary_kernel<<<(unsigned)E.count, THREADS, 0, stream_of(ex)>>>(E, V, *s);
    return gsvd_launched(ex->h, "batch_unitary");
}

gsvd_status_t X(batch_angles_cuda)(const exec_t *ex, mats_t C, mats_t E,
                                   real_t least, real_t most,
                                   const steps_batch_t *s)
{
    if (C.count <= 0)
        return GSVD_SUCCESS;
    angles_kernel<<<(unsigned)C.count, THREADS, 0, stream_of(ex)>>>(C, E, least,
                                                                    most, *s);
    return gsvd_launched(ex->h, "batch_angles");
}

gsvd_status_t X(batch_turns_cuda)(const exec_t *ex, mats_t T, mats_t S,
                                  mats_t R, mats_t E, real_t most,
                                  const steps_batch_t *s, mats_t P)
{
    const int64_t parts = (P.rows * P.cols + 4 * THREADS - 1) / (4 * THREADS);
    const dim3 grid((unsigned)P.count, (unsigned)min_i(parts, PARTS));
    if (P.count <= 0 || parts <= 0)
        return GSVD_SUCCESS;
    turns_kernel<<<grid, THREADS, 0, stream_of(ex)>>>(T, S, R, E, most, *s, P);
    return gsvd_launched(ex->h, "batch_turns");
}
