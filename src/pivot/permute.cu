/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* permute.cu -- columns and rows in another order; CUDA twin of permute.c. */
#include "core/gpublas.h"
#include "pivot/pivot.h"

enum { THREADS = 256 };

/* grid: x tiles of 256 rows, y columns (striding); block: 256 threads, one row
 * each */
static __global__ void permute_columns_kernel(mat_t A, const int *perm, mat_t B)
{
    const int64_t i = (int64_t)blockIdx.x * THREADS + threadIdx.x;
    if (i < A.rows)
        for (int64_t j = blockIdx.y; j < A.cols; j += gridDim.y)
            AT(B, i, j) = AT(A, i, perm ? perm[j] : A.cols - 1 - j);
}

/* the same geometry */
static __global__ void permute_rows_kernel(mat_t A, const int *perm, mat_t B)
{
    const int64_t i = (int64_t)blockIdx.x * THREADS + threadIdx.x;
    if (i < A.rows) {
        const int64_t to = perm ? perm[i] : A.rows - 1 - i;
        for (int64_t j = blockIdx.y; j < A.cols; j += gridDim.y)
            AT(B, to, j) = AT(A, i, j);
    }
}

static dim3 grid_of(mat_t A)
{
    return dim3((unsigned)((A.rows + THREADS - 1) / THREADS),
                (unsigned)min_i(A.cols, 65535));
}

gsvd_status_t X(permute_columns_cuda)(gsvd_handle_t h, mat_t A, const int *perm,
                                      mat_t B)
{
    if (mat_empty(A))
        return GSVD_SUCCESS;
    permute_columns_kernel<<<grid_of(A), THREADS, 0, cuda_of(h)->stream>>>(
        A, perm, B);
    return gsvd_launched(h, "permute_columns");
}

gsvd_status_t X(permute_rows_cuda)(gsvd_handle_t h, mat_t A, const int *perm,
                                   mat_t B)
{
    if (mat_empty(A))
        return GSVD_SUCCESS;
    permute_rows_kernel<<<grid_of(A), THREADS, 0, cuda_of(h)->stream>>>(A, perm,
                                                                        B);
    return gsvd_launched(h, "permute_rows");
}
