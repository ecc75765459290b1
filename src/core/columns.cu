/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* columns.cu -- columns times numbers of their own, and lists of such numbers; CUDA twin of
 * columns.c. */
#include "core/column_scale.h"
#include "core/each.cuh"
#include "core/gpublas.h"
#include "core/largest.cuh"
#include "core/ops.h"

/* -- kernels --------------------------------------------------------------- */

/* grid: grid_of; block: 256 threads, one row each */
static __global__ void normalize_columns_kernel(mat_t A, const real_t *d,
                                                mat_t B)
{
    EACH_ELEMENT(A, i, j)
    AT(B, i, j) = over_length(AT(A, i, j), d[j]);
}

/* grid: grid_of; block: 256 threads, one row each */
static __global__ void scale_columns_kernel(mat_t A, const real_t *d, mat_t B)
{
    EACH_ELEMENT(A, i, j)
    AT(B, i, j) = scale(d[j], AT(A, i, j));
}

/* grid: blocks of 256 threads, one column each */
static __global__ void column_scales_kernel(int64_t n, const real_t *a,
                                            const real_t *b, real_t *d)
{
    const int64_t j = (int64_t)blockIdx.x * THREADS + threadIdx.x;
    if (j < n)
        d[j] = column_scale(a[j], b[j]);
}

/* slot->real[0] := the largest d[j].  grid: one block of 256 threads, which stride along the
 * columns, once for the largest lengths and once for the scales */
static __global__ void joint_scales_kernel(int64_t n, const real_t *a,
                                           const real_t *b, real_t least_a,
                                           real_t least_b, real_t *d,
                                           slot_t *slot)
{
    __shared__ int top[2];
    real_t top_a = 0, top_b = 0, most = 1;

    for (int64_t j = threadIdx.x; j < n; j += THREADS) {
        top_a = larger(top_a, a[j]);
        top_b = larger(top_b, b[j]);
    }
    top_a = block_largest(top_a);
    if (threadIdx.x == 0)
        top[0] = exponent_r(top_a);
    __syncthreads(); /* block_largest's memory is free again                  */
    top_b = block_largest(top_b);
    if (threadIdx.x == 0)
        top[1] = exponent_r(top_b);
    __syncthreads();
    for (int64_t j = threadIdx.x; j < n; j += THREADS) {
        d[j] = joint_scale(a[j], b[j], least_a, least_b, top[0], top[1]);
        most = larger(most, d[j]);
    }
    most = block_largest(most);
    if (threadIdx.x == 0)
        slot->real[0] = most;
}

/* grid: blocks of 256 threads, one number each */
static __global__ void permute_kernel(int64_t n, const real_t *x,
                                      const int *perm, real_t *y)
{
    EACH_VALUE(i, n)
    y[i] = x[perm[i]];
}

/* grid: blocks of 256 threads, one number each */
static __global__ void set_kernel(int64_t n, real_t value, real_t *x)
{
    EACH_VALUE(i, n)
    x[i] = value;
}

/* -- launchers ------------------------------------------------------------- */

gsvd_status_t X(normalize_columns_cuda)(const exec_t *ex, mat_t A,
                                        const real_t *d, mat_t B)
{
    if (mat_empty(A))
        return GSVD_SUCCESS;
    normalize_columns_kernel<<<grid_of(A), THREADS, 0, stream_of(ex)>>>(A, d,
                                                                        B);
    return gsvd_launched(ex->h, "normalize_columns");
}

gsvd_status_t X(scale_columns_cuda)(const exec_t *ex, mat_t A, const real_t *d,
                                    mat_t B)
{
    if (mat_empty(A))
        return GSVD_SUCCESS;
    scale_columns_kernel<<<grid_of(A), THREADS, 0, stream_of(ex)>>>(A, d, B);
    return gsvd_launched(ex->h, "scale_columns");
}

gsvd_status_t X(column_scales_cuda)(const exec_t *ex, int64_t n,
                                    const real_t *a, const real_t *b, real_t *d)
{
    if (n <= 0)
        return GSVD_SUCCESS;
    column_scales_kernel<<<(unsigned)((n + THREADS - 1) / THREADS), THREADS, 0,
                           stream_of(ex)>>>(n, a, b, d);
    return gsvd_launched(ex->h, "column_scales");
}

gsvd_status_t X(joint_scales_cuda)(const exec_t *ex, int64_t n, const real_t *a,
                                   const real_t *b, real_t least_a,
                                   real_t least_b, real_t *d, real_t *most)
{
    slot_t slot;
    *most = 1;
    if (n <= 0)
        return GSVD_SUCCESS;
    joint_scales_kernel<<<1, THREADS, 0, stream_of(ex)>>>(
        n, a, b, least_a, least_b, d, cuda_of(ex->h)->slot);
    GSVD_TRY(gsvd_launched(ex->h, "joint_scales"));
    GSVD_TRY(gsvd_read_slot(ex->h, stream_of(ex), &slot));
    *most = (real_t)slot.real[0];
    return GSVD_SUCCESS;
}

gsvd_status_t X(values_permute_cuda)(const exec_t *ex, int64_t n,
                                     const real_t *x, const int *perm,
                                     real_t *y)
{
    if (n <= 0)
        return GSVD_SUCCESS;
    permute_kernel<<<blocks_of(n), THREADS, 0, stream_of(ex)>>>(n, x, perm, y);
    return gsvd_launched(ex->h, "values_permute");
}

gsvd_status_t X(values_set_cuda)(const exec_t *ex, int64_t first, int64_t n,
                                 real_t value, real_t *x)
{
    if (n <= first)
        return GSVD_SUCCESS;
    set_kernel<<<blocks_of(n - first), THREADS, 0, stream_of(ex)>>>(
        n - first, value, x + first);
    return gsvd_launched(ex->h, "values_set");
}
