/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* inverse_iteration.cu -- the column on which the least singular value of a triangle rests; CUDA
 * twin of inverse_iteration.c.  It always does steps 1 to 4, and never step 0. */
#include "core/gpublas.h"
#include "core/reduce.cuh"
#include "pivot/inverse_iteration.h"
#include "pivot/pivot.h"

enum { THREADS = 256 };

/* x^H y for all threads */
static __device__ scalar_t block_dot(int64_t n, const scalar_t *x,
                                     const scalar_t *y)
{
    scalar_t sum = make(0, 0);
    for (int64_t i = threadIdx.x; i < n; i += THREADS)
        sum = mul_add(conj_of(x[i]), y[i], sum);
    real_t part[2] = {re(sum), im(sum)};
    block_sum(part);
    return make(part[0], part[1]);
}

static __device__ void scale_by(int64_t n, scalar_t *x, real_t factor)
{
    for (int64_t i = threadIdx.x; i < n; i += THREADS)
        x[i] = scale(factor, x[i]);
    __syncthreads();
}

/* x(i) := value, then x := x / |value| and *one := *one / |value| if |value| is large;
 * *one is the scale of x.  Returns x(i). */
static __device__ scalar_t put(int64_t n, scalar_t *x, int64_t i,
                               scalar_t value, real_t *one)
{
    const real_t top = abs_of(value);
    __syncthreads();
    if (threadIdx.x == 0)
        x[i] = value;
    __syncthreads();
    if (!(top > LARGE_ENTRY))
        return value;
    scale_by(n, x, 1 / top);
    *one /= top;
    return scale(1 / top, value);
}

/* grid: one block of 256 threads, along the columns of R */
static __global__ void __launch_bounds__(THREADS)
    inverse_iteration_kernel(mat_t R, scalar_t *x, slot_t *slot)
{
    __shared__ real_t largest[THREADS];
    __shared__ int64_t where[THREADS];
    const int64_t n = R.cols;
    const int t = threadIdx.x;
    sumsq_t s = {0, 0, 0};
    real_t one = 1;

    for (int64_t i = 0; i < n; ++i) { /* 1 */
        const scalar_t dot = block_dot(i, &AT(R, 0, i), x);
        put(i + 1, x, i, inverse_iteration_next(one, dot, conj_of(AT(R, i, i))),
            &one);
    }
    for (int64_t i = t; i < n; i += THREADS)
        sumsq_add(&s, x[i]);
    scale_by(n, x, 1 / block_norm(s)); /* 2 */
    one = 1;
    for (int64_t j = n - 1; j >= 0; --j) { /* 3 */
        const scalar_t z = put(n, x, j, quotient(x[j], AT(R, j, j)), &one);
        for (int64_t i = t; i < j; i += THREADS)
            x[i] = sub(x[i], mul(z, AT(R, i, j)));
        __syncthreads();
    }
    where[t] = t < n ? t : 0;
    for (int64_t i = t; i < n; i += THREADS) /* 4 */
        if (abs_of(x[i]) > abs_of(x[where[t]]))
            where[t] = i;
    largest[t] = abs_of(x[where[t]]);
    __syncthreads();
    for (int step = THREADS / 2; step > 0; step /= 2) {
        if (t < step &&
            (largest[t + step] > largest[t] ||
             (largest[t + step] == largest[t] && where[t + step] < where[t]))) {
            largest[t] = largest[t + step];
            where[t] = where[t + step];
        }
        __syncthreads();
    }
    if (t == 0) {
        slot->real[0] = one / largest[0];
        slot->real[1] = (double)where[0];
    }
}

gsvd_status_t X(inverse_iteration_cuda)(const exec_t *ex, mat_t R, real_t tol,
                                        int64_t *column, real_t *bound)
{
    slot_t value;
    void *work;

    (void)tol;
    GSVD_TRY(X(kernel_work)(ex, (size_t)R.cols * sizeof(scalar_t), &work));
    inverse_iteration_kernel<<<1, THREADS, 0, stream_of(ex)>>>(
        R, (scalar_t *)work, cuda_of(ex->h)->slot);
    GSVD_TRY(gsvd_launched(ex->h, "inverse_iteration"));
    GSVD_TRY(gsvd_read_slot(ex->h, stream_of(ex), &value));
    *bound = (real_t)value.real[0];
    *column = (int64_t)value.real[1];
    return GSVD_SUCCESS;
}
