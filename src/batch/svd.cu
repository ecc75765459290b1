/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* svd.cu -- the SVD and the hyperbolic SVD of each matrix of a batch; CUDA twin of svd.c.
 *
 *     rows and columns up to 8, 16, 32     here: a team of so many lanes a matrix
 */
#include "batch/svd_cuda.h"
#include "batch/problem.cuh"

enum {
    BLOCK = 64,
    WARPS = BLOCK / LANES,
    AT_ONCE = 1 << 14 /* tall matrices, whose triangles are work         */
};

/* Blocks of a multiprocessor at a time: NC columns of A and V in registers, half as many for
 * sums, and some 60 */
template <int NC> struct blocks_at_once {
    enum {
        BYTES = NC * (int)sizeof(scalar_t),
        VALUE = BYTES >= 256 ? 4 : BYTES >= 128 ? 6 : 8
    };
};

/* -- one matrix ---------------------------------------------------------------- */

/* The signs of the columns as bits, 1 for sign 1; *legal: n_plus of them are 1, the others
 * -1 */
template <int NC>
static __device__ unsigned signs_of(const svd_batch_t *b, int64_t i, int n,
                                    int lane, int *legal)
{
    *legal = 1;
    if (!b->J)
        return b->n_plus < LANES ? (1u << b->n_plus) - 1 : ALL_LANES;
    const int64_t sign = lane < n ? b->J[i * b->J_stride + lane] : 1;
    const unsigned plus = votes_of<NC>(lane < n && sign == 1, lane);
    *legal = votes_of<NC>(sign != 1 && sign != -1, lane) == 0 &&
             __popc(plus) == b->n_plus;
    return plus;
}

/* The first column, from 1, of which all but rounding is in the span of those before it, or
 * 0: by Gram and Schmidt, on w */
template <int NC>
static __device__ __forceinline__ int
dependent_column(scalar_t (&w)[NC], int n, int64_t rows, int lane)
{
    const real_t tol = (real_t)max_i(rows, 16) * GSVD_EPS;
    const real_t before = square_of_mine<NC>(w, lane);
    int first = 0;

#pragma unroll
    for (int k = 0; k < NC; ++k) {
        scalar_t p[NC];
#pragma unroll
        for (int j = 0; j < NC; ++j)
            p[j] = dot_add(w[k], w[j], make(0, 0));
        fold<NC, NC / 2>(p, lane);
        const scalar_t mine = p[0];
        const real_t left = __shfl_sync(ALL_LANES, re(mine), k, NC);
        const real_t was = __shfl_sync(ALL_LANES, before, k, NC);
        if (k < n && first == 0 && !(sqrt_r(left) > tol * sqrt_r(was)))
            first = k + 1;
        const real_t over = left > 0 ? -1 / left : 0;
#pragma unroll
        for (int j = k + 1; j < NC; ++j) {
            const scalar_t dot = make(__shfl_sync(ALL_LANES, re(mine), j, NC),
                                      __shfl_sync(ALL_LANES, im(mine), j, NC));
            w[j] = mul_add(scale(over, dot), w[k], w[j]);
        }
    }
    return first;
}

/* Columns to the places that the lanes know, a over their lengths */
template <int NC>
static __device__ __forceinline__ void
store_columns(const shape_t *s, const scalar_t (&a)[NC], const scalar_t (&v)[NC],
              const problem_t *q, int place, real_t length)
{
    real_t *const told = q->told + (threadIdx.x % LANES - q->lane) * 2;
    told[2 * q->lane] = length > 0 ? 1 / length : 0;
    told[2 * q->lane + 1] = (real_t)place;
    __syncwarp(mask_of<NC>(q->lane));
#pragma unroll
    for (int j = 0; j < NC; ++j) {
        if (j < q->n) {
            const real_t over = told[2 * j];
            const int64_t to = (int64_t)told[2 * j + 1];
            if (s->U.data && q->lane < s->rows)
                AT(s->U, q->lane, to) = scale(over, a[j]);
            if (s->V.data && q->lane < s->cols)
                AT(s->V, q->lane, to) = v[j];
        }
    }
}

/* R in place of the matrix, and W in place of U */
static __device__ __forceinline__ void take_triangle(shape_t *s,
                                                     const triangles_t *t,
                                                     int64_t own)
{
    const int64_t offset = own * t->order * t->order;
    s->A = mat_view(t->R + offset, s->cols, s->cols, t->order);
    s->U = mat_view(s->U.data ? t->W + offset : NULL, s->cols, s->cols, t->order);
    s->rows = s->cols;
    s->transposed = 0;
}

/* -- the kernel ---------------------------------------------------------------- */

/* grid: as many blocks as it takes; block: BLOCK threads, of which NC are the team of one
 * matrix: lane i has row i of A and of V. */
template <int NC, int HYPER>
static __global__ void __launch_bounds__(BLOCK, blocks_at_once<NC>::VALUE)
    register_kernel(svd_batch_t b, triangles_t t, int64_t count)
{
    __shared__ __align__(16) real_t told[WARPS][TOLD];
    const int64_t own = ((int64_t)blockIdx.x * BLOCK + threadIdx.x) / NC;
    const int there = own < count;
    const int64_t i = t.first + (there ? own : 0);
    shape_t s = shape_of(&b, i);
    const int64_t rows = s.rows;
    scalar_t a[NC], v[NC];
    real_t largest = 0;
    problem_t q;
    int finite = 1, info = 0;

    if (t.R)
        take_triangle(&s, &t, there ? own : 0);
    q.lane = threadIdx.x % NC;
    q.n = there ? (int)s.cols : 0;
    q.told = told[threadIdx.x / LANES];
#pragma unroll
    for (int j = 0; j < NC; ++j) {
        a[j] = j < q.n && q.lane < s.rows ? entry_of(&s, q.lane, j) : make(0, 0);
        largest = fmax_r(largest, abs_max(a[j]));
        finite = finite && finite_entry(a[j]);
    }
    finite = votes_of<NC>(!finite, q.lane) == 0;
    if (!finite)
        info = HYPER ? HSVD_NOT_FINITE : NOT_FINITE;
    largest = most_of<NC>(largest);
    const int e = scale_exponent(finite ? largest : 0, s.rows, q.n);
    const power_t up = power_of(e);
#pragma unroll
    for (int j = 0; j < NC; ++j) {
        a[j] = finite ? times_power(up, a[j]) : make(0, 0);
        v[j] = a[j];
    }
    q.plus = ALL_LANES;
    if (HYPER) {
        int legal;
        q.plus = signs_of<NC>(&b, i, q.n, q.lane, &legal);
        const int dependent = dependent_column<NC>(v, q.n, rows, q.lane);
        if (info == 0)
            info = !legal ? HSVD_SIGNS : dependent ? 2 + dependent : 0;
    }
#pragma unroll
    for (int j = 0; j < NC; ++j)
        v[j] = make(j == q.lane, 0);
    q.on = there && info == 0;
    q.reversed = 0;
    q.tol = jacobi_tolerance(-1, s.rows);
    make_orthogonal<NC, HYPER>(a, v, &q, SWEEPS);

    const real_t length = q.norm > COLUMN_TINY ? sqrt_r(q.norm) : 0;
    const int place = place_of_mine<NC>(&q);
    const int zeros =
        __popc(votes_of<NC>(q.lane < q.n && length == 0, q.lane));
    const real_t value = ldexp_near(
        length, -e - (t.R && there ? t.exponent[own] : 0), 64 * GSVD_EPS);
    const int infinite = votes_of<NC>(!(value <= GSVD_REAL_MAX), q.lane) != 0;
    if (!there)
        return;
    const int hopeless = info != 0;
    if (q.lane == 0)
        b.info[i] = hopeless ? info : infinite ? OVERFLOWN : q.on;
    if (hopeless) {
        fill_nan(s, q.lane, NC);
        return;
    }
    if (q.lane < q.n)
        s.sigma[place] = value;
    store_columns<NC>(&s, a, v, &q, place, length);
    if (zeros > 0 && s.U.data)
        complete(mat_view(s.U.data, s.rows, s.cols, s.U.ld), q.n - zeros, 
                 mask_of<NC>(q.lane), q.lane, NC);
}

/* -- launches ------------------------------------------------------------------ */

template <int NC>
static gsvd_status_t launch_registers(const exec_t *ex, const svd_batch_t *b,
                                      const triangles_t *t, int64_t count)
{
    const int teams = BLOCK / NC;
    const unsigned blocks = (unsigned)((count + teams - 1) / teams);
    if (b->with_signs)
        register_kernel<NC, 1><<<blocks, BLOCK, 0, stream_of(ex)>>>(*b, *t, count);
    else
        register_kernel<NC, 0><<<blocks, BLOCK, 0, stream_of(ex)>>>(*b, *t, count);
    return gsvd_launched(ex->h, "svd_batched");
}

static gsvd_status_t in_registers(const exec_t *ex, const svd_batch_t *b,
                                  const triangles_t *t, int64_t count)
{
    if (t->order == 8)
        return launch_registers<8>(ex, b, t, count);
    if (t->order == 16)
        return launch_registers<16>(ex, b, t, count);
    return launch_registers<REGISTER_COLUMNS>(ex, b, t, count);
}

static int order_of(int64_t n)
{
    return n <= 8 ? 8 : n <= 16 ? 16 : REGISTER_COLUMNS;
}

/* The triangles of the matrices that are factored at a time */
static triangles_t take_triangles(arena_t *a, const svd_batch_t *b)
{
    const int64_t count = min_i(b->count, AT_ONCE), rows = max_i(b->m, b->n);
    triangles_t t;
    t.order = order_of(min_i(b->m, b->n));
    t.chunks = (rows + CHUNK - 1) / CHUNK;
    t.first = 0;
    const int64_t square = t.order * t.order;
    t.R = (scalar_t *)gsvd_arena_take(a, count * square, sizeof(scalar_t));
    t.W = (scalar_t *)gsvd_arena_take(a, count * square, sizeof(scalar_t));
    t.T = (scalar_t *)gsvd_arena_take(a, count * t.chunks * square,
                                      sizeof(scalar_t));
    t.exponent = (int *)gsvd_arena_take(a, count, sizeof(int));
    return t;
}

static gsvd_status_t by_triangles(const exec_t *ex, const svd_batch_t *b)
{
    const size_t bytes = X(svd_batched_bytes_cuda)(ex, b);
    void *work;
    GSVD_TRY(X(kernel_work)(ex, bytes, &work));
    arena_t arena = gsvd_arena_over(work, bytes);
    triangles_t t = take_triangles(&arena, b);
    for (t.first = 0; t.first < b->count; t.first += AT_ONCE) {
        const int64_t count = min_i(b->count - t.first, AT_ONCE);
        GSVD_TRY(X(svd_tall_qr)(ex, b, &t, count));
        GSVD_TRY(in_registers(ex, b, &t, count));
        if (b->u_cols > 0 || b->v_cols > 0)
            GSVD_TRY(X(svd_tall_form)(ex, b, &t, count));
    }
    return GSVD_SUCCESS;
}

int X(svd_batched_fits_cuda)(const exec_t *ex, const svd_batch_t *b)
{
    const int64_t k = min_i(b->m, b->n);
    const int by_blocks = !b->with_signs && X(svd_blocks_fit)(ex, k);
    return (k <= REGISTER_COLUMNS || by_blocks) && b->u_cols <= k &&
           b->v_cols <= k;
}

size_t X(svd_batched_bytes_cuda)(const exec_t *ex, const svd_batch_t *b)
{
    arena_t count = {0};
    if (min_i(b->m, b->n) > REGISTER_COLUMNS)
        return X(svd_blocks_bytes)(ex, b);
    if (max_i(b->m, b->n) <= REGISTER_COLUMNS)
        return 0;
    take_triangles(&count, b);
    return gsvd_arena_bytes(&count);
}

gsvd_status_t X(svd_batched_cuda)(const exec_t *ex, const svd_batch_t *b)
{
    triangles_t none = {0};
    if (b->count == 0)
        return GSVD_SUCCESS;
    if (min_i(b->m, b->n) > REGISTER_COLUMNS)
        return X(svd_by_blocks)(ex, b);
    if (max_i(b->m, b->n) > REGISTER_COLUMNS)
        return by_triangles(ex, b);
    none.order = order_of(max_i(b->m, b->n));
    return in_registers(ex, b, &none, b->count);
}
