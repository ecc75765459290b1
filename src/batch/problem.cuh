/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* problem.cuh -- one matrix of a batch: where it lies, and what all roads do at its ends. */
#ifndef GSVD_BATCH_PROBLEM_CUH
#define GSVD_BATCH_PROBLEM_CUH

#include "batch/batch.h"
#include "batch/columns.cuh"

enum {
    NOT_FINITE = -5,
    HSVD_NOT_FINITE = -6,
    HSVD_SIGNS = -8,
    OVERFLOWN = 2 /* a value is above the largest number                     */
};

static __device__ __forceinline__ mat_t matrix_of(const batch_mat_t *b,
                                                  int64_t i, int64_t rows,
                                                  int64_t cols)
{
    scalar_t *const data = b->each   ? b->each[i]
                           : b->data ? b->data + i * b->stride
                                     : NULL;
    return mat_view(data, rows, cols, b->each_ld ? b->each_ld[i] : b->ld);
}

/* Problem i with its matrix as a tall one: where m < n that is A^H = V Sigma U^H. */
typedef struct shape {
    mat_t A;    /* as the caller has it                                      */
    mat_t U, V; /* of the tall matrix; data == NULL: not wanted              */
    real_t *sigma;
    int64_t rows, cols;
    int transposed;
} shape_t;

static __device__ __forceinline__ shape_t shape_of(const svd_batch_t *b,
                                                   int64_t i)
{
    const int64_t m = b->each_m ? b->each_m[i] : b->m;
    const int64_t n = b->each_n ? b->each_n[i] : b->n, k = min_i(m, n);
    const mat_t U = matrix_of(&b->U, i, m, k), V = matrix_of(&b->V, i, n, k);
    shape_t s;
    s.transposed = m < n;
    s.A = matrix_of(&b->A, i, m, n);
    s.U = s.transposed ? V : U;
    s.V = s.transposed ? U : V;
    s.sigma =
        b->sigma.each ? b->sigma.each[i] : b->sigma.data + i * b->sigma.stride;
    s.rows = max_i(m, n);
    s.cols = k;
    return s;
}

/* An entry of the tall matrix */
static __device__ __forceinline__ scalar_t entry_of(const shape_t *s, int64_t i,
                                                    int64_t j)
{
    return s->transposed ? conj_of(AT(s->A, j, i)) : AT(s->A, i, j);
}

static __device__ __forceinline__ void put_entry(const shape_t *s, int64_t i,
                                                 int64_t j, scalar_t a)
{
    if (s->transposed)
        AT(s->A, j, i) = conj_of(a);
    else
        AT(s->A, i, j) = a;
}

static __device__ __forceinline__ int finite_entry(scalar_t a)
{
    return abs_max(a) <= GSVD_REAL_MAX && re(a) == re(a) && im(a) == im(a);
}

/* 2^e in two factors, for |e| up to twice the range of exponents */
typedef struct power {
    real_t first, second;
} power_t;

static __device__ __forceinline__ power_t power_of(int e)
{
    power_t p;
    p.first = ldexp_r(1, e / 2);
    p.second = ldexp_r(1, e - e / 2);
    return p;
}

static __device__ __forceinline__ scalar_t times_power(power_t p, scalar_t a)
{
    return scale(p.second, scale(p.first, a));
}

/* What scales a matrix whose largest part of an entry is this, as 2^e */
static __device__ __forceinline__ int scale_exponent(real_t largest,
                                                     int64_t rows, int64_t cols)
{
    return largest > 0 ? top_exponent(rows, cols) - exponent_r(largest) : 0;
}

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
