/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* each.cuh -- one kernel for all that goes over the entries of a view, and one for each kind of sum.
 *
 *     each(P, [=] GRID_FN(int64_t i, int64_t j, scalar_t &a) { a = ...; });
 *
 * i and j are the entry's indices in the view.  A compiler without CUDA makes loops of it, which tests run. */
#ifndef GSVD_GRID_NCCL_EACH_CUH
#define GSVD_GRID_NCCL_EACH_CUH

#include "core/angle.h"
#include "grid/layout.h"
#include "grid/nccl/device.h"

#if defined __CUDACC__
#define GRID_FN __device__
#else
#define GRID_FN
#endif

enum { THREADS = 256, MOST_BLOCKS = 65535 };

/* part_t, and where this process is in the grid */
struct here_t {
    scalar_t *data;
    int64_t ld, r0, r1, c0, c1, i, j, block;
    int r, p, c, q;
};

static inline here_t here_of(mat_t A)
{
    const part_t P = X(part_of)(A);
    const grid_t *const g = gsvd_grid;
    const here_t h = {P.data, P.ld,     P.r0, P.r1, P.c0, P.c1, P.i,
                      P.j,    g->block, g->r, g->p, g->c, g->q};
    return h;
}

GSVD_FN int64_t index_of(int64_t local, int64_t offset, int64_t block, int me,
                         int count)
{
    return (local / block * count + me) * block + local % block - offset;
}
GSVD_FN int64_t row_of(const here_t &h, int64_t local)
{
    return index_of(local, h.i, h.block, h.r, h.p);
}
GSVD_FN int64_t column_of(const here_t &h, int64_t local)
{
    return index_of(local, h.j, h.block, h.c, h.q);
}

/* The same entry of another view that is placed alike */
GSVD_FN scalar_t &there(const here_t &B, const here_t &P, int64_t i, int64_t j)
{
    return B.data[i - P.r0 + B.r0 + (j - P.c0 + B.c0) * B.ld];
}

/* A number that is not negative, as bits, which are ordered as such numbers are; a NaN is beyond them. */
#if defined __CUDACC__
static __device__ __forceinline__ void raise(float *x, float a)
{
    atomicMax((int *)x, __float_as_int(fabsf(a)));
}
static __device__ __forceinline__ void raise(double *x, double a)
{
    atomicMax((long long *)x, __double_as_longlong(fabs(a)));
}
#else
static inline void raise(real_t *x, real_t a) { *x = larger(*x, fabs_r(a)); }
#endif

/* -- what goes over entries --------------------------------------------------------- */

#if defined __CUDACC__

/* blocks: x 256 rows, y columns, both striding */
template <class F>
static __global__ void __launch_bounds__(THREADS) each_entry(here_t h, F f)
{
    for (int64_t j = h.c0 + blockIdx.y; j < h.c1; j += gridDim.y) {
        const int64_t column = column_of(h, j);
        for (int64_t i = h.r0 + (int64_t)blockIdx.x * THREADS + threadIdx.x;
             i < h.r1; i += (int64_t)gridDim.x * THREADS)
            f(row_of(h, i), column, h.data[i + j * h.ld], i, j);
    }
}

/* blocks: x columns, striding.  Partial sums are added in one order. */
template <class OP, class F>
static __global__ void __launch_bounds__(THREADS)
    each_column(here_t h, OP op, F f, double *to)
{
    __shared__ double part[THREADS];
    for (int64_t j = h.c0 + blockIdx.x; j < h.c1; j += gridDim.x) {
        const int64_t column = column_of(h, j);
        double sum = 0;
        for (int64_t i = h.r0 + threadIdx.x; i < h.r1; i += THREADS)
            sum = op(sum, f(row_of(h, i), column, h.data[i + j * h.ld], i, j));
        part[threadIdx.x] = sum;
        for (int k = THREADS / 2; k > 0; k /= 2) {
            __syncthreads();
            if ((int)threadIdx.x < k)
                part[threadIdx.x] =
                    op(part[threadIdx.x], part[threadIdx.x + k]);
        }
        if (threadIdx.x == 0)
            to[column] = part[0];
        __syncthreads();
    }
}

/* blocks: x numbers, striding */
template <class F>
static __global__ void __launch_bounds__(THREADS) each_index(int64_t n, F f)
{
    for (int64_t i = (int64_t)blockIdx.x * THREADS + threadIdx.x; i < n;
         i += (int64_t)gridDim.x * THREADS)
        f(i);
}

static inline unsigned blocks_for(int64_t n)
{
    return (unsigned)min_i(max_i(n, 1), MOST_BLOCKS);
}

template <class F> static void launch_entries(const here_t &h, F f)
{
    const dim3 blocks(blocks_for((h.r1 - h.r0 + THREADS - 1) / THREADS),
                      blocks_for(h.c1 - h.c0));
    if (nccl_here()->failed != GSVD_SUCCESS)
        return;
    each_entry<<<blocks, THREADS, 0, nccl_here()->stream>>>(h, f);
    NCCL_CUDA(cudaGetLastError());
}

template <class OP, class F>
static void launch_columns(const here_t &h, OP op, F f, double *to)
{
    if (nccl_here()->failed != GSVD_SUCCESS)
        return;
    each_column<<<blocks_for(h.c1 - h.c0), THREADS, 0, nccl_here()->stream>>>(
        h, op, f, to);
    NCCL_CUDA(cudaGetLastError());
}

template <class F> static void each_number(int64_t n, F f)
{
    if (nccl_here()->failed != GSVD_SUCCESS || n <= 0)
        return;
    each_index<<<blocks_for((n + THREADS - 1) / THREADS), THREADS, 0,
                 nccl_here()->stream>>>(n, f);
    NCCL_CUDA(cudaGetLastError());
}

#else

template <class F> static void launch_entries(const here_t &h, F f)
{
    for (int64_t j = h.c0; j < h.c1; ++j)
        for (int64_t i = h.r0; i < h.r1; ++i)
            f(row_of(h, i), column_of(h, j), h.data[i + j * h.ld], i, j);
}

template <class OP, class F>
static void launch_columns(const here_t &h, OP op, F f, double *to)
{
    for (int64_t j = h.c0; j < h.c1; ++j) {
        double sum = 0;
        for (int64_t i = h.r0; i < h.r1; ++i)
            sum = op(sum, f(row_of(h, i), column_of(h, j), h.data[i + j * h.ld],
                            i, j));
        to[column_of(h, j)] = sum;
    }
}

template <class F> static void each_number(int64_t n, F f)
{
    for (int64_t i = 0; i < n; ++i)
        f(i);
}

#endif

/* f(i, j, entry, local i, local j) */
template <class F> static void each(mat_t A, F f)
{
    const here_t h = here_of(A);
    if (h.r1 > h.r0 && h.c1 > h.c0)
        launch_entries(h, f);
}

struct plus_t {
    GRID_FN double operator()(double a, double b) const { return a + b; }
};
/* of numbers that are not negative; NaN if one of them is */
struct most_t {
    GRID_FN double operator()(double a, double b) const
    {
        return a < b || b != b ? b : a;
    }
};

#endif /* GSVD_GRID_NCCL_EACH_CUH */
