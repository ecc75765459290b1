/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* steps.cu -- the primitives of large steps in batches (large_steps.c); CUDA twin of steps.c.
 *
 * Products by cuBLAS, eigenvectors by cuSOLVER's XsyevBatched; what is between them by steps.cuh. */
#include "batch/steps.cuh"
#include "core/gpublas.h"

/* blocks for a matrix, where entries are by themselves: geometry, not a card's */
enum { PARTS = 64 };

/* XsyevBatched is in CUDA 12.6.2 and later. */
#define HAVE_SYEV_BATCHED (CUSOLVER_VERSION >= 11701)

gsvd_status_t X(batch_load_cuda)(const exec_t *ex, const svd_batch_t *b,
                                 mats_t X, mats_t V, const steps_batch_t *s)
{
    if (X.count <= 0)
        return GSVD_SUCCESS;
    load_kernel<<<(unsigned)X.count, THREADS, 0, stream_of(ex)>>>(*b, X, V, *s);
    return gsvd_launched(ex->h, "batch_load");
}

static int64_t entries_of(mats_t A) { return A.count * A.rows * A.cols; }

/* -- batch_gemm, batch_gram, batch_eigenvectors --------------------------------------- */

static gsvd_status_t multiply(const exec_t *ex, real_t alpha, char op, mats_t A,
                              mats_t B, mats_t C)
{
    const scalar_t factor = make(alpha, 0), zero = make(0, 0);
    cublasHandle_t blas;

    if (C.count <= 0 || C.rows <= 0 || C.cols <= 0)
        return GSVD_SUCCESS;
    GSVD_TRY(gsvd_cublas(ex->h, ex->queue, &blas));
    GSVD_CUBLAS(ex->h,
                CUBLAS_(gemmStridedBatched_64)(
                    blas, gpublas_op(op), CUBLAS_OP_N, C.rows, C.cols, B.rows,
                    &factor, A.data, A.rows, A.stride, B.data, B.rows, B.stride,
                    &zero, C.data, C.rows, C.stride, C.count));
    return GSVD_SUCCESS;
}

gsvd_status_t X(batch_gemm_cuda)(const exec_t *ex, char op, mats_t A, mats_t B,
                                 mats_t C)
{
    return multiply(ex, 1, op, A, B, C);
}

gsvd_status_t X(batch_gram_cuda)(const exec_t *ex, real_t alpha, mats_t A,
                                 mats_t C)
{
    return multiply(ex, alpha, 'C', A, A, C);
}

/* cuSOLVER's, and the memory that it takes */
typedef struct solver {
    cusolverDnHandle_t handle;
    cusolverDnParams_t params;
    int takes;           /* matrices of this order, so many                  */
    size_t device, host; /* bytes                                            */
} xsyev_batched_t;

/* Measuring comes by here: cuBLAS, too, is there before a capture, which makes none. */
static gsvd_status_t find_solver(const exec_t *ex, int64_t n, int64_t count,
                                 xsyev_batched_t *s)
{
    s->takes = 0;
#if HAVE_SYEV_BATCHED
    const void *const any = cuda_of(ex->h)->slot; /* of the device            */
    cublasHandle_t blas;
    GSVD_TRY(gsvd_cublas(ex->h, ex->queue, &blas));
    GSVD_TRY(gsvd_cusolver(ex->h, ex->queue, &s->handle, &s->params));
    const cusolverStatus_t error = cusolverDnXsyevBatched_bufferSize(
        s->handle, s->params, CUSOLVER_EIG_MODE_VECTOR, CUBLAS_FILL_MODE_LOWER,
        n, GPUBLAS_SCALAR, any, n, GPUBLAS_REAL, any, GPUBLAS_SCALAR,
        &s->device, &s->host, count);
    if (error == CUSOLVER_STATUS_INVALID_VALUE ||
        error == CUSOLVER_STATUS_NOT_SUPPORTED)
        return GSVD_SUCCESS;
    if (error != CUSOLVER_STATUS_SUCCESS)
        return gsvd_cusolver_failed(ex->h, error, "XsyevBatched_bufferSize");
    s->takes = 1;
#else
    (void)ex, (void)n, (void)count;
#endif
    return GSVD_SUCCESS;
}

static size_t info_bytes(int64_t count)
{
    return ((size_t)count * sizeof(int) + 255) / 256 * 256;
}

/* Memory on the host would have to be kept until the work is done, and there would be a wait.
 * Where cuSOLVER does not answer, the call fails. */
size_t X(batch_eigenvectors_bytes_cuda)(const exec_t *ex, int64_t n,
                                        int64_t count)
{
    xsyev_batched_t s;
    const gsvd_status_t status = find_solver(ex, n, count, &s);
    if (status != GSVD_SUCCESS)
        ex->h->unanswered = status;
    return s.takes && s.host == 0 ? info_bytes(count) + s.device : SIZE_MAX;
}

gsvd_status_t X(batch_eigenvectors_cuda)(const exec_t *ex, mats_t A,
                                         const steps_batch_t *s)
{
    const size_t ahead = info_bytes(A.count);
    xsyev_batched_t v;
    void *work;

    if (A.count <= 0 || A.cols <= 0)
        return GSVD_SUCCESS;
    GSVD_TRY(find_solver(ex, A.cols, A.count, &v));
    if (!v.takes)
        return gsvd_fail(ex->h, GSVD_INTERNAL_ERROR,
                         "cuSOLVER takes no such batch");
    GSVD_TRY(X(kernel_work)(ex, ahead + v.device, &work));
#if HAVE_SYEV_BATCHED
    int *const info = (int *)work;
    GSVD_CUSOLVER(ex->h,
                  cusolverDnXsyevBatched(
                      v.handle, v.params, CUSOLVER_EIG_MODE_VECTOR,
                      CUBLAS_FILL_MODE_LOWER, A.cols, GPUBLAS_SCALAR, A.data,
                      A.rows, GPUBLAS_REAL, s->length, GPUBLAS_SCALAR,
                      (char *)work + ahead, v.device, NULL, 0, info, A.count));
#else
    (void)s;
#endif
    return GSVD_SUCCESS; /* info, too, is in what V is                        */
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
                                   real_t least, real_t most, real_t enough,
                                   const steps_batch_t *s)
{
    if (C.count <= 0)
        return GSVD_SUCCESS;
    angles_kernel<<<(unsigned)C.count, THREADS, 0, stream_of(ex)>>>(
        C, E, least, most, enough, *s);
    return gsvd_launched(ex->h, "batch_angles");
}

/* Some blocks for each matrix, which share its entries */
static dim3 grid_of_parts(mats_t A)
{
    const int64_t parts = (A.rows * A.cols + 4 * THREADS - 1) / (4 * THREADS);
    return dim3((unsigned)A.count, (unsigned)min_i(parts, PARTS));
}

gsvd_status_t X(batch_turns_cuda)(const exec_t *ex, mats_t T, mats_t S,
                                  mats_t R, mats_t E, real_t most,
                                  const steps_batch_t *s, mats_t P)
{
    if (entries_of(P) == 0)
        return GSVD_SUCCESS;
    turns_kernel<<<grid_of_parts(P), THREADS, 0, stream_of(ex)>>>(T, S, R, E,
                                                                  most, *s, P);
    return gsvd_launched(ex->h, "batch_turns");
}

/* A block for each tile of each matrix */
static unsigned grid_of_tiles(mats_t A)
{
    return (unsigned)(A.count * tiles_in(A.rows) * tiles_in(A.cols));
}

gsvd_status_t X(batch_gram_open_cuda)(const exec_t *ex, mats_t X,
                                      const steps_batch_t *s, real_t enough,
                                      mats_t C)
{
    if (entries_of(C) == 0)
        return GSVD_SUCCESS;
    gram_open_kernel<<<grid_of_tiles(C), THREADS, 0, stream_of(ex)>>>(
        X, *s, enough, C);
    return gsvd_launched(ex->h, "batch_gram_open");
}

gsvd_status_t X(batch_turn_open_cuda)(const exec_t *ex, mats_t T, real_t most,
                                      const steps_batch_t *s, mats_t X,
                                      mats_t W)
{
    if (entries_of(X) == 0)
        return GSVD_SUCCESS;
    turn_open_kernel<<<grid_of_tiles(X), THREADS, 0, stream_of(ex)>>>(T, most,
                                                                      *s, X, W);
    GSVD_TRY(gsvd_launched(ex->h, "batch_turn_open"));
    keep_open_kernel<<<grid_of_parts(X), THREADS, 0, stream_of(ex)>>>(W, *s, X);
    return gsvd_launched(ex->h, "batch_turn_open");
}
