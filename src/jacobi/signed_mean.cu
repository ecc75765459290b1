/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* signed_mean.cu -- eigenvectors from the factors of an SVD; CUDA twin of signed_mean.c. */
#include "core/gpublas.h"
#include "core/reduce.cuh"
#include "jacobi/jacobi.h"

enum { THREADS = 256 };

/* grid: one block a column; block: 256 threads stride down the rows */
static __global__ void signed_mean_kernel(mat_t U, mat_t V, const real_t *sigma,
                                          real_t *w, real_t *lean)
{
    const int64_t j = blockIdx.x;
    real_t t[1] = {0};

    for (int64_t i = threadIdx.x; i < V.rows; i += THREADS) {
        const scalar_t u = AT(U, i, j), v = AT(V, i, j);
        t[0] += re(u) * re(v) + im(u) * im(v);
    }
    block_sum(t);
    const real_t sign = t[0] < 0 ? -1 : 1;
    for (int64_t i = threadIdx.x; i < V.rows; i += THREADS)
        AT(V, i, j) =
            scale((real_t)0.5, add(AT(V, i, j), scale(sign, AT(U, i, j))));
    if (threadIdx.x == 0) {
        w[j] = sign * sigma[j];
        lean[j] = 1 - fabs_r(t[0]);
    }
}

gsvd_status_t X(signed_mean_cuda)(const exec_t *ex, mat_t U, mat_t V,
                                  const real_t *sigma, real_t *w, real_t *lean)
{
    if (V.cols <= 0)
        return GSVD_SUCCESS;
    signed_mean_kernel<<<(unsigned)V.cols, THREADS, 0, stream_of(ex)>>>(
        U, V, sigma, w, lean);
    return gsvd_launched(ex->h, "signed_mean");
}
