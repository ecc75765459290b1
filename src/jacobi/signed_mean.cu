/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* signed_mean.cu -- eigenvectors from the factors of an SVD; CUDA twin of signed_mean.c. */
#include "core/gpublas.h"
#include "core/reduce.cuh"
#include "jacobi/jacobi.h"

enum { THREADS = 256 };

/* grid: one block a column; block: 256 threads stride down the rows */
static __global__ void column_dots_kernel(mat_t U, mat_t V, real_t *t)
{
    const int64_t j = blockIdx.x;
    real_t sum[1] = {0};

    for (int64_t i = threadIdx.x; i < V.rows; i += THREADS) {
        const scalar_t u = AT(U, i, j), v = AT(V, i, j);
        sum[0] += re(u) * re(v) + im(u) * im(v);
    }
    block_sum(sum);
    if (threadIdx.x == 0)
        t[j] = sum[0];
}

/* grid: one block a column; block: 256 threads stride down the rows */
static __global__ void signed_mean_kernel(mat_t U, mat_t V, const real_t *sign)
{
    const int64_t j = blockIdx.x;
    const real_t J = sign[j];

    if (J == 0)
        return;
    for (int64_t i = threadIdx.x; i < V.rows; i += THREADS)
        AT(V, i, j) =
            scale((real_t)0.5, add(AT(V, i, j), scale(J, AT(U, i, j))));
}

gsvd_status_t X(column_dots_cuda)(const exec_t *ex, mat_t U, mat_t V, real_t *t)
{
    if (V.cols <= 0)
        return GSVD_SUCCESS;
    column_dots_kernel<<<(unsigned)V.cols, THREADS, 0, stream_of(ex)>>>(U, V,
                                                                        t);
    return gsvd_launched(ex->h, "column_dots");
}

gsvd_status_t X(signed_mean_cuda)(const exec_t *ex, mat_t U, mat_t V,
                                  const real_t *sign)
{
    if (V.cols <= 0)
        return GSVD_SUCCESS;
    signed_mean_kernel<<<(unsigned)V.cols, THREADS, 0, stream_of(ex)>>>(U, V,
                                                                        sign);
    return gsvd_launched(ex->h, "signed_mean");
}
