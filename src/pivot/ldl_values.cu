/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* ldl_values.cu -- what becomes of L and D: values, roots, arrays; CUDA twin of ldl_values.c. */
#include "core/gpublas.h"
#include "core/largest.cuh"
#include "pivot/ldl.h"

enum { SHARES = THREADS / WARP }; /* that sum up a row                       */

/* grid: a block a column, of which those with a pivot of order 2 work; block: 256 threads stride
 * down the rows.  l and w: the largest entries of L and of L D in the column */
static __global__ void largest_kernel(mat_t L, const real_t *d,
                                      const scalar_t *e, real_t *l, real_t *w)
{
    const int64_t s = blockIdx.x;
    if (ldl_is_second(e, s) || abs_max(e[s]) == 0)
        return;
    const ldl_pivot_t P = ldl_pivot_at(d, e, s);
    real_t x[2], y[2], most[4] = {0, 0, 0, 0};
    for (int64_t i = s + 2 + threadIdx.x; i < L.rows; i += THREADS) {
        ldl_row_sizes(L, s, P, i, x, y);
        for (int t = 0; t < 2; ++t) {
            most[t] = fmax_r(most[t], x[t]);
            most[2 + t] = fmax_r(most[2 + t], y[t]);
        }
    }
    for (int t = 0; t < 4; ++t) {
        const real_t largest = block_largest(most[t]);
        if (threadIdx.x == 0)
            (t < 2 ? l : w)[s + t % 2] = largest;
        __syncthreads();
    }
}

/* grid: x tiles of 32 rows; block: 32 rows x 8 shares of the columns before them.
 * HAND_ON: z := y and what is handed on of it; else z := what was subtracted */
template <int HAND_ON>
static __global__ void sum_kernel(mat_t L, const real_t *d, const scalar_t *e,
                                  const real_t *l, const real_t *w,
                                  real_t least, const real_t *y, real_t *z)
{
    __shared__ real_t part[SHARES][WARP];
    const int64_t i = (int64_t)blockIdx.x * WARP + threadIdx.x;
    real_t sum = 0;

    for (int64_t s = threadIdx.y; s < i && i < L.rows; s += SHARES) {
        if (ldl_is_second(e, s))
            continue;
        const ldl_pivot_t P = ldl_pivot_at(d, e, s);
        if (i <= s + P.two)
            continue;
        sum += HAND_ON ? ldl_handed_on(L, s, P, i, least, &y[s])
                       : ldl_subtracted(L, s, P, i, &l[s], &w[s]);
    }
    part[threadIdx.y][threadIdx.x] = sum;
    __syncthreads();
    if (threadIdx.y > 0 || i >= L.rows)
        return;
    sum = HAND_ON ? y[i] : 0;
    for (int k = 0; k < SHARES; ++k)
        sum += part[k][threadIdx.x];
    z[i] = sum;
}

static __global__ void values_kernel(int64_t n, const real_t *d,
                                     const scalar_t *e, const real_t *y,
                                     real_t least, int by_sign, real_t *lambda,
                                     real_t *key)
{
    EACH_VALUE(t, n)
    if (!ldl_is_second(e, t))
        ldl_set_values(ldl_pivot_at(d, e, t), &y[t], least, by_sign, &lambda[t],
                       &key[t]);
}

static __global__ void roots_kernel(mat_t L, const real_t *d, const scalar_t *e,
                                    const real_t *lambda)
{
    EACH_ELEMENT(L, i, t)
    if (!ldl_is_second(e, t))
        ldl_root_row(L, ldl_pivot_at(d, e, t), &lambda[t], i, t);
}

static __global__ void diagonal_kernel(const int *order, int64_t rank,
                                       const real_t *d, const scalar_t *e,
                                       mat_t D)
{
    EACH_VALUE(t, D.cols)
    {
        AT(D, 0, t) = make(t < rank ? d[order[t]] : 0, 0);
        AT(D, 1, t) = t < rank ? e[order[t]] : make(0, 0);
    }
}

static __global__ void signs_kernel(int64_t n, int64_t plus, int64_t rank,
                                    const int *perm, const int *order,
                                    int64_t *J, int64_t *row)
{
    EACH_VALUE(i, n)
    {
        if (J)
            J[i] = i < plus ? 1 : i < rank ? -1 : 0;
        row[i] = (int64_t)perm[order[i]] + 1;
    }
}

gsvd_status_t X(ldl_values_cuda)(const exec_t *ex, mat_t L, const real_t *d,
                                 const scalar_t *e, real_t least, int by_sign,
                                 real_t *lambda, real_t *key)
{
    const int64_t n = L.cols;
    const unsigned tiles = (unsigned)((n + WARP - 1) / WARP);
    const dim3 block(WARP, SHARES);
    void *work;

    if (n <= 0)
        return GSVD_SUCCESS;
    GSVD_TRY(X(kernel_work)(ex, 4 * (size_t)n * sizeof(real_t), &work));
    real_t *const l = (real_t *)work, *const w = l + n, *const y = w + n,
                  *const z = y + n;
    GSVD_CUDA(ex->h,
              cudaMemsetAsync(z, 0, (size_t)n * sizeof *z, stream_of(ex)));
    if (least > 0) {
        largest_kernel<<<(unsigned)n, THREADS, 0, stream_of(ex)>>>(L, d, e, l,
                                                                   w);
        sum_kernel<0>
            <<<tiles, block, 0, stream_of(ex)>>>(L, d, e, l, w, least, NULL, y);
        sum_kernel<1>
            <<<tiles, block, 0, stream_of(ex)>>>(L, d, e, l, w, least, y, z);
    }
    values_kernel<<<blocks_of(n), THREADS, 0, stream_of(ex)>>>(
        n, d, e, z, least, by_sign, lambda, key);
    return gsvd_launched(ex->h, "ldl_values");
}

gsvd_status_t X(ldl_roots_cuda)(const exec_t *ex, mat_t L, const real_t *d,
                                const scalar_t *e, const real_t *lambda)
{
    if (mat_empty(L))
        return GSVD_SUCCESS;
    roots_kernel<<<grid_of(L), THREADS, 0, stream_of(ex)>>>(L, d, e, lambda);
    return gsvd_launched(ex->h, "ldl_roots");
}

gsvd_status_t X(ldl_diagonal_cuda)(const exec_t *ex, const int *order,
                                   int64_t rank, const real_t *d,
                                   const scalar_t *e, mat_t D)
{
    if (mat_empty(D))
        return GSVD_SUCCESS;
    diagonal_kernel<<<blocks_of(D.cols), THREADS, 0, stream_of(ex)>>>(
        order, rank, d, e, D);
    return gsvd_launched(ex->h, "ldl_diagonal");
}

gsvd_status_t X(ldl_signs_cuda)(const exec_t *ex, int64_t n, int64_t plus,
                                int64_t rank, const int *perm, const int *order,
                                int64_t *J, int64_t *row)
{
    if (n <= 0)
        return GSVD_SUCCESS;
    signs_kernel<<<blocks_of(n), THREADS, 0, stream_of(ex)>>>(
        n, plus, rank, perm, order, J, row);
    return gsvd_launched(ex->h, "ldl_signs");
}
