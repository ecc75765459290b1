/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* values.cu -- the generalized values (c, s) as vectors; CUDA twin of values.c.
 */
#include "core/each.cuh"
#include "core/gpublas.h"
#include "core/reduce.cuh"
#include "core/value_pair.h"
#include "jacobi/jacobi.h"

/* The kernels but those that say so -- grid: blocks of 256 threads, one value each */
static __global__ void unit_kernel(int64_t n, real_t *c, real_t *s)
{
    EACH_VALUE(i, n)
    value_pair_unit(&c[i], &s[i]);
}

/* The sum of x over the warp, in lane 0 */
static __device__ int64_t warp_count(int64_t x)
{
    for (int step = WARP / 2; step > 0; step /= 2)
        x += __shfl_down_sync(0xffffffff, x, step);
    return x;
}

/* The place of pair i is the number of pairs, of all n, that come before it.  grid, here and in
 * the next kernel: blocks of 256 threads, a warp for each i */
static __global__ void order_kernel(int64_t n, const real_t *c, const real_t *s,
                                    int *perm)
{
    const int64_t i = ((int64_t)blockIdx.x * THREADS + threadIdx.x) / WARP;
    if (i >= n)
        return;
    int64_t place = 0;
    for (int64_t j = threadIdx.x % WARP; j < n; j += WARP)
        place += value_pair_before(c, s, j, i) ||
                 (j < i && !value_pair_before(c, s, i, j));
    place = warp_count(place);
    if (threadIdx.x % WARP == 0)
        perm[place] = (int)i;
}

/* The place of column i is the number of columns of sign 1 before it; if its sign is -1, it is the
 * number of all columns of sign 1 and of those of sign -1 before it.  The slot gets the number of
 * ones, or -1. */
static __global__ void partition_kernel(int64_t n, const int64_t *J, int *perm,
                                        slot_t *slot)
{
    const int64_t i = ((int64_t)blockIdx.x * THREADS + threadIdx.x) / WARP;
    int64_t ones = 0, before = 0, signs = 0;
    if (i >= n)
        return;
    for (int64_t j = threadIdx.x % WARP; j < n; j += WARP) {
        ones += J[j] == 1;
        before += j < i && J[j] == J[i];
        signs += J[j] == 1 || J[j] == -1;
    }
    ones = warp_count(ones);
    before = warp_count(before);
    signs = warp_count(signs);
    if (threadIdx.x % WARP > 0)
        return;
    if (signs == n)
        perm[J[i] == 1 ? before : ones + before] = (int)i;
    if (i == 0)
        slot->count = signs == n ? ones : -1;
}

static __global__ void complete_kernel(int64_t n, real_t *c, real_t *s)
{
    EACH_VALUE(i, n)
    value_pair_complete(&c[i], &s[i]);
}

static __global__ void normalize_values_kernel(int64_t n, int ea, int eb,
                                               const real_t *c, const real_t *s,
                                               real_t *alpha, real_t *beta,
                                               real_t *g, int *e)
{
    EACH_VALUE(i, n)
    value_pair_of_caller(ea, eb, c[i], s[i], &alpha[i], &beta[i], &g[i], &e[i]);
}

/* grid: one block; the first i with c[i] <= s[i] */
static __global__ void lead_kernel(int64_t n, const real_t *c, const real_t *s,
                                   slot_t *slot)
{
    __shared__ int64_t first[THREADS];
    int64_t mine = n;
    for (int64_t i = threadIdx.x; i < mine; i += THREADS)
        if (!(c[i] > s[i]))
            mine = i;
    first[threadIdx.x] = mine;
    __syncthreads();
    for (int step = THREADS / 2; step > 0; step /= 2) {
        if (threadIdx.x < step)
            first[threadIdx.x] =
                min_i(first[threadIdx.x], first[threadIdx.x + step]);
        __syncthreads();
    }
    if (threadIdx.x == 0)
        slot->count = first[0];
}

/* grid: x tiles of 256 rows, y columns (striding); one row a thread */
static __global__ void combine_kernel(const real_t *c, mat_t A, const real_t *s,
                                      mat_t B, mat_t H)
{
    EACH_VALUE(i, H.rows)
    for (int64_t j = blockIdx.y; j < H.cols; j += gridDim.y) {
        const scalar_t b = scale(s[i], AT(B, i, j));
        AT(H, i, j) = i < A.rows ? add(scale(c[i], AT(A, i, j)), b) : b;
    }
}

/* ... likewise */
static __global__ void combine_columns_kernel(const real_t *c, mat_t A,
                                              const real_t *s, mat_t B,
                                              const real_t *a, const real_t *b,
                                              mat_t H)
{
    EACH_VALUE(i, H.rows)
    for (int64_t j = blockIdx.y; j < H.cols; j += gridDim.y) {
        const scalar_t y = AT(B, i, j);
        AT(H, i, j) = i < A.rows ? value_pair_combine(c[i], AT(A, i, j), a[j],
                                                      s[i], y, b[j])
                                 : scale(s[i], y);
    }
}

/* -- launchers ------------------------------------------------------------- */

gsvd_status_t X(values_unit_cuda)(const exec_t *ex, int64_t n, real_t *c,
                                  real_t *s)
{
    if (n <= 0)
        return GSVD_SUCCESS;
    unit_kernel<<<blocks_of(n), THREADS, 0, stream_of(ex)>>>(n, c, s);
    return gsvd_launched(ex->h, "values_unit");
}

gsvd_status_t X(values_order_cuda)(const exec_t *ex, int64_t n, const real_t *c,
                                   const real_t *s, int *perm)
{
    if (n <= 0)
        return GSVD_SUCCESS;
    order_kernel<<<blocks_of(WARP * n), THREADS, 0, stream_of(ex)>>>(n, c, s,
                                                                     perm);
    return gsvd_launched(ex->h, "values_order");
}

gsvd_status_t X(partition_signs_cuda)(const exec_t *ex, int64_t n,
                                      const int64_t *J, int *perm,
                                      int64_t *plus)
{
    slot_t value;

    *plus = 0;
    if (n <= 0)
        return GSVD_SUCCESS;
    partition_kernel<<<blocks_of(WARP * n), THREADS, 0, stream_of(ex)>>>(
        n, J, perm, cuda_of(ex->h)->slot);
    GSVD_TRY(gsvd_launched(ex->h, "partition_signs"));
    GSVD_TRY(gsvd_read_slot(ex->h, stream_of(ex), &value));
    *plus = value.count;
    return GSVD_SUCCESS;
}

gsvd_status_t X(values_read_cuda)(const exec_t *ex, int64_t n, const real_t *x,
                                  real_t *to)
{
    if (n <= 0)
        return GSVD_SUCCESS;
    GSVD_CUDA(ex->h, cudaMemcpyAsync(to, x, (size_t)n * sizeof *to,
                                     cudaMemcpyDeviceToHost, stream_of(ex)));
    GSVD_CUDA(ex->h, cudaStreamSynchronize(stream_of(ex)));
    return GSVD_SUCCESS;
}

gsvd_status_t X(values_write_cuda)(const exec_t *ex, int64_t n,
                                   const real_t *from, real_t *x)
{
    if (n <= 0)
        return GSVD_SUCCESS;
    GSVD_CUDA(ex->h, cudaMemcpyAsync(x, from, (size_t)n * sizeof *x,
                                     cudaMemcpyHostToDevice, stream_of(ex)));
    return GSVD_SUCCESS;
}

gsvd_status_t X(values_complete_cuda)(const exec_t *ex, int64_t n, real_t *c,
                                      real_t *s)
{
    if (n <= 0)
        return GSVD_SUCCESS;
    complete_kernel<<<blocks_of(n), THREADS, 0, stream_of(ex)>>>(n, c, s);
    return gsvd_launched(ex->h, "values_complete");
}

gsvd_status_t X(values_lead_cuda)(const exec_t *ex, int64_t n, const real_t *c,
                                  const real_t *s, int64_t *count)
{
    slot_t value;

    *count = 0;
    if (n <= 0)
        return GSVD_SUCCESS;
    lead_kernel<<<1, THREADS, 0, stream_of(ex)>>>(n, c, s,
                                                  cuda_of(ex->h)->slot);
    GSVD_TRY(gsvd_launched(ex->h, "values_lead"));
    GSVD_TRY(gsvd_read_slot(ex->h, stream_of(ex), &value));
    *count = value.count;
    return GSVD_SUCCESS;
}

gsvd_status_t X(normalize_values_cuda)(const exec_t *ex, int64_t n, int ea,
                                       int eb, const real_t *c, const real_t *s,
                                       real_t *alpha, real_t *beta, real_t *g,
                                       int *e)
{
    if (n <= 0)
        return GSVD_SUCCESS;
    normalize_values_kernel<<<blocks_of(n), THREADS, 0, stream_of(ex)>>>(
        n, ea, eb, c, s, alpha, beta, g, e);
    return gsvd_launched(ex->h, "normalize_values");
}

gsvd_status_t X(combine_cuda)(const exec_t *ex, const real_t *c, mat_t A,
                              const real_t *s, mat_t B, mat_t H)
{
    if (mat_empty(H))
        return GSVD_SUCCESS;
    const dim3 grid(blocks_of(H.rows), (unsigned)min_i(H.cols, 65535));
    combine_kernel<<<grid, THREADS, 0, stream_of(ex)>>>(c, A, s, B, H);
    return gsvd_launched(ex->h, "combine");
}

gsvd_status_t X(combine_columns_cuda)(const exec_t *ex, const real_t *c,
                                      mat_t A, const real_t *s, mat_t B,
                                      const real_t *a, const real_t *b, mat_t H)
{
    if (mat_empty(H))
        return GSVD_SUCCESS;
    const dim3 grid(blocks_of(H.rows), (unsigned)min_i(H.cols, 65535));
    combine_columns_kernel<<<grid, THREADS, 0, stream_of(ex)>>>(c, A, s, B, a,
                                                                b, H);
    return gsvd_launched(ex->h, "combine_columns");
}
