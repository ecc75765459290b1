/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* colnorm.cu -- norms of columns; CUDA twin of colnorm.c. */
#include "core/gpublas.h"
#include "core/ops.h"
#include "core/reduce.cuh"

enum { THREADS = 256 };

/* grid: one block a column; block: 256 threads stride down the rows */
static __global__ void column_norms_kernel(mat_t A, real_t *norm)
{
    const int64_t j = blockIdx.x;
    sumsq_t s = {0, 0, 0};
    for (int64_t i = threadIdx.x; i < A.rows; i += THREADS)
        sumsq_add(&s, AT(A, i, j));
    const real_t length = block_norm(s);
    if (threadIdx.x == 0)
        norm[j] = length;
}

gsvd_status_t X(column_norms_cuda)(const exec_t *ex, mat_t A, real_t *norm)
{
    if (A.cols <= 0)
        return GSVD_SUCCESS;
    column_norms_kernel<<<(unsigned)A.cols, THREADS, 0, stream_of(ex)>>>(A,
                                                                         norm);
    return gsvd_launched(ex->h, "column_norms");
}
