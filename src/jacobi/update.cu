/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* update.cu -- one pass over all pairs of columns; CUDA twin of update.c. */
#include "core/gpublas.h"
#include "core/reduce.cuh"
#include "core/rotate.h"
#include "jacobi/jacobi.h"
#include "jacobi/ordering.h"

/* (x, y) := (x, y) (c, s; -s w, c w), exchanged if r.swap */
static __device__ void rotate_columns(int64_t n, scalar_t *x, scalar_t *y,
                                      rotation_t r)
{
    scalar_t *const first = r.swap ? y : x, *const second = r.swap ? x : y;
    for (int64_t i = threadIdx.x; i < n; i += blockDim.x) {
        const scalar_t a = x[i], b = mul(r.w, y[i]);
        first[i] = sub(scale(r.c, a), scale(r.s, b));
        second[i] = add(scale(r.s, a), scale(r.c, b));
    }
}

/* (x, y) := (x, y) (c, s; s w, c w): vector_turn (core/vector.h) */
static __device__ void turn_columns(int64_t n, scalar_t *x, scalar_t *y,
                                    real_t c, real_t s, scalar_t w)
{
    const real_t t = s / (1 + c);
    for (int64_t i = threadIdx.x; i < n; i += blockDim.x)
        turn_entries(&x[i], &y[i], s, t, w);
}

/* *e := the power of two next to the length of a column, which is the result; of the block */
static __device__ real_t length_at(int64_t n, const scalar_t *x, int *e)
{
    sumsq_t sum = {0, 0, 0};
    for (int64_t i = threadIdx.x; i < n; i += blockDim.x)
        sumsq_add(&sum, x[i]);
    const real_t length = block_norm(sum);
    *e = long_enough(length) ? exponent_r(length) : 0;
    return length;
}

/* *f := the rotation of two columns whose squares are no normal numbers, by the block; 0 if they
 * stay as they are */
static __device__ __noinline__ int find_far(int64_t n, const scalar_t *x,
                                            const scalar_t *y, real_t tol,
                                            int t, far_rotation_t *f)
{
    real_t gram[4] = {0, 0, 0, 0};
    int ep, eq;
    const real_t length = length_at(n, x, &ep), other = length_at(n, y, &eq);

    if (!long_enough(length) || !long_enough(other))
        return 0;
    for (int64_t i = threadIdx.x; i < n; i += blockDim.x) {
        const scalar_t a = shifted(x[i], -ep), b = shifted(y[i], -eq);
        const scalar_t ab = mul(conj_of(a), b);
        gram[0] += abs2(a);
        gram[1] += abs2(b);
        gram[2] += re(ab);
        gram[3] += im(ab);
    }
    block_sum(gram);
    *f = far_rotation(gram[0], gram[1], make(gram[2], gram[3]), ep, eq, tol, t);
    return f->turn.rotate || f->turn.swap;
}

static __device__ void turn_columns_apart(int64_t n, scalar_t *x, scalar_t *y,
                                          const far_rotation_t *f)
{
    for (int64_t i = threadIdx.x; i < n; i += blockDim.x)
        turn_apart(f, &x[i], &y[i]);
}

/* grid: one block a pair of the step; block: threads stride down the rows */
static __global__ void step_kernel(mat_t G, mat_t C, int64_t plus, real_t tol,
                                   int64_t step, unsigned long long *rotations)
{
    int64_t p, q;
    if (!ordering_pair(G.cols, step, blockIdx.x, &p, &q))
        return;
    scalar_t *const x = &AT(G, 0, p), *const y = &AT(G, 0, q);

    real_t gram[4] = {0, 0, 0, 0}; /* x^H x, y^H y, x^H y                    */
    for (int64_t i = threadIdx.x; i < G.rows; i += blockDim.x) {
        const scalar_t a = x[i], b = y[i], ab = mul(conj_of(a), b);
        gram[0] += abs2(a);
        gram[1] += abs2(b);
        gram[2] += re(ab);
        gram[3] += im(ab);
    }
    block_sum(gram);
    const scalar_t xy = make(gram[2], gram[3]);
    const int hyperbolic = p < plus && q >= plus;
    rotation_t r;
    far_rotation_t far;
    far.apart = 0;
    if (are_nan(gram[0], gram[1])) {
        if (threadIdx.x == 0)
            atomicAdd(rotations, 1ull);
        return;
    }
    if (are_squares(gram[0], gram[1])) {
        r = hyperbolic ? hyperbolic_rotation(gram[0], gram[1], xy, tol)
                       : jacobi_rotation(gram[0], gram[1], xy, tol);
    } else {
        if (!find_far(G.rows, x, y, tol, hyperbolic ? -1 : 1, &far))
            return;
        r = far.turn;
    }
    if (!r.rotate && !r.swap)
        return;
    if (far.apart)
        turn_columns_apart(G.rows, x, y, &far);
    else if (hyperbolic)
        turn_columns(G.rows, x, y, r.c, r.s, r.w);
    else
        rotate_columns(G.rows, x, y, r);
    if (C.data && hyperbolic)
        turn_columns(C.rows, &AT(C, 0, p), &AT(C, 0, q), r.c, -r.s, r.w);
    else if (C.data)
        rotate_columns(C.rows, &AT(C, 0, p), &AT(C, 0, q), r);
    if (threadIdx.x == 0)
        atomicAdd(rotations, 1ull);
}

gsvd_status_t X(sweep_cuda)(const exec_t *ex, mat_t G, mat_t C, int64_t plus,
                            real_t tol, int64_t *rotations)
{
    const int64_t n = G.cols;
    const unsigned threads = G.rows <= 128 ? 64 : G.rows <= 1024 ? 128 : 256;

    if (n < 2 || G.rows == 0)
        return GSVD_SUCCESS;
    for (int64_t step = 0; step < ordering_steps(n); ++step)
        step_kernel<<<(unsigned)ordering_pairs(n, step), threads, 0,
                      stream_of(ex)>>>(G, C, plus, tol, step,
                                       (unsigned long long *)rotations);
    return gsvd_launched(ex->h, "sweep");
}

gsvd_status_t X(read_rotations_cuda)(const exec_t *ex, int64_t *rotations,
                                     int64_t *count)
{
    cuda_state_t *const cuda = cuda_of(ex->h);
    slot_t value;

    if (count)
        GSVD_CUDA(ex->h,
                  cudaMemcpyAsync(&cuda->slot->count, rotations, sizeof *count,
                                  cudaMemcpyDeviceToDevice, stream_of(ex)));
    GSVD_CUDA(ex->h,
              cudaMemsetAsync(rotations, 0, sizeof *count, stream_of(ex)));
    if (!count)
        return GSVD_SUCCESS;
    GSVD_TRY(gsvd_read_slot(ex->h, stream_of(ex), &value));
    *count = value.count;
    return GSVD_SUCCESS;
}
