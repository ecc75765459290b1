/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* gaussian.cu -- a matrix of normal random numbers; CUDA twin of gaussian.c. */
#include "core/gpublas.h"
#include "pivot/gaussian.h"
#include "pivot/pivot.h"

enum { ACROSS = 32, DOWN = 8 };

/* grid: x tiles of 32 draws, y tiles of 8 columns (striding); block: 32 x 8
 * threads, one draw each */
static __global__ void gaussian_kernel(mat_t W, uint64_t seed)
{
    const int64_t k = (int64_t)blockIdx.x * ACROSS + threadIdx.x;
    if (k < gaussian_draws(W.rows))
        for (int64_t j = (int64_t)blockIdx.y * DOWN + threadIdx.y; j < W.cols;
             j += (int64_t)gridDim.y * DOWN)
            gaussian_fill(W, seed, k, j);
}

gsvd_status_t X(gaussian_cuda)(const exec_t *ex, mat_t W, uint64_t seed)
{
    if (mat_empty(W))
        return GSVD_SUCCESS;
    const int64_t draws = gaussian_draws(W.rows);
    const dim3 grid((unsigned)((draws + ACROSS - 1) / ACROSS),
                    (unsigned)min_i((W.cols + DOWN - 1) / DOWN, 65535));
    gaussian_kernel<<<grid, dim3(ACROSS, DOWN), 0, stream_of(ex)>>>(W, seed);
    return gsvd_launched(ex->h, "gaussian");
}
