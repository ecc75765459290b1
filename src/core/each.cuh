/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* each.cuh -- the geometry of kernels that do something to each entry of a matrix, or to
 * each number of a list. */
#ifndef GSVD_CORE_EACH_CUH
#define GSVD_CORE_EACH_CUH

#include "core/matrix.h"

enum { THREADS = 256 };

/* grid: x tiles of 256 rows, y columns, striding if there are more than 65535 */
static inline dim3 grid_of(mat_t A)
{
    return dim3((unsigned)((A.rows + THREADS - 1) / THREADS),
                (unsigned)min_i(A.cols, 65535));
}

/* In a kernel of grid_of(A) and 256 threads: the statement behind it, for each entry */
#define EACH_ELEMENT(A, i, j)                                                  \
    const int64_t i = (int64_t)blockIdx.x * THREADS + threadIdx.x;             \
    if (i < (A).rows)                                                          \
        for (int64_t j = blockIdx.y; j < (A).cols; j += gridDim.y)

/* grid: blocks of 256 threads, for n numbers */
static inline unsigned blocks_of(int64_t n)
{
    return (unsigned)((n + THREADS - 1) / THREADS);
}

/* In a kernel of blocks_of(n) and 256 threads: the statement behind it, for each number */
#define EACH_VALUE(i, n)                                                       \
    const int64_t i = (int64_t)blockIdx.x * THREADS + threadIdx.x;             \
    if (i < (n))

#endif /* GSVD_CORE_EACH_CUH */
