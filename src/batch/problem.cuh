/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* problem.cuh -- one matrix of a batch: what all solvers of a GPU do at its ends. */
#ifndef GSVD_BATCH_PROBLEM_CUH
#define GSVD_BATCH_PROBLEM_CUH

#include "batch/columns.cuh"
#include "batch/problem.h"

static __device__ __forceinline__ real_t not_a_number(void)
{
    return (real_t)NAN;
}

/* The results of a problem that has none, by `lanes` lanes */
static __device__ __noinline__ void fill_nan(shape_t s, int lane, int lanes)
{
    const scalar_t nan = make(not_a_number(), not_a_number());
    for (int64_t j = 0; j < s.cols; ++j) {
        for (int64_t i = lane; s.U.data && i < s.rows; i += lanes)
            AT(s.U, i, j) = nan;
        for (int64_t i = lane; s.V.data && i < s.cols; i += lanes)
            AT(s.V, i, j) = nan;
    }
    for (int64_t j = lane; j < s.cols; j += lanes)
        s.sigma[j] = not_a_number();
}

/* The sum over `lanes` lanes, of which `mask` are in this */
static __device__ __forceinline__ scalar_t sum_of(unsigned mask, int lanes,
                                                  scalar_t a)
{
    for (int step = lanes / 2; step > 0; step /= 2) {
        const real_t x = __shfl_xor_sync(mask, re(a), step);
        a = add(a, make(x, REALS_PER_SCALAR == 2
                               ? __shfl_xor_sync(mask, im(a), step)
                               : 0));
    }
    return a;
}

/* The row of U in which its first k columns have least: e_row is far from their span. */
static __device__ int64_t least_row(mat_t U, int64_t k, unsigned mask, int lane,
                                    int lanes)
{
    real_t least = GSVD_REAL_MAX;
    int64_t row = 0;
    for (int64_t i = lane; i < U.rows; i += lanes) {
        real_t sum = 0;
        for (int64_t j = 0; j < k; ++j)
            sum += abs2(AT(U, i, j));
        if (sum < least) {
            least = sum;
            row = i;
        }
    }
    for (int step = lanes / 2; step > 0; step /= 2) {
        const real_t other = __shfl_xor_sync(mask, least, step);
        const int64_t its = __shfl_xor_sync(mask, (long long)row, step);
        if (other < least || (other == least && its < row)) {
            least = other;
            row = its;
        }
    }
    return row;
}

/* Columns first, first + 1, ... of U := such that all are orthonormal, by the lanes of mask.
 * Gram and Schmidt, three times, since e_row may be next to the span of the others. */
static __device__ __noinline__ void complete(mat_t U, int64_t first,
                                             unsigned mask, int lane, int lanes)
{
    __syncwarp(mask);
    for (int64_t k = first; k < U.cols; ++k) {
        const int64_t row = least_row(U, k, mask, lane, lanes);
        for (int64_t i = lane; i < U.rows; i += lanes)
            AT(U, i, k) = make(i == row, 0);
        for (int pass = 0; pass < 3; ++pass) {
            real_t square = 0;
            for (int64_t j = 0; j < k; ++j) {
                scalar_t dot = make(0, 0);
                for (int64_t i = lane; i < U.rows; i += lanes)
                    dot = dot_add(AT(U, i, j), AT(U, i, k), dot);
                dot = scale(-1, sum_of(mask, lanes, dot));
                for (int64_t i = lane; i < U.rows; i += lanes)
                    AT(U, i, k) = mul_add(dot, AT(U, i, j), AT(U, i, k));
            }
            for (int64_t i = lane; i < U.rows; i += lanes)
                square += abs2(AT(U, i, k));
            square = re(sum_of(mask, lanes, make(square, 0)));
            for (int64_t i = lane; i < U.rows; i += lanes)
                AT(U, i, k) = scale(1 / sqrt_r(square), AT(U, i, k));
        }
        __syncwarp(mask);
    }
}

#endif /* GSVD_BATCH_PROBLEM_CUH */
