/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* svd.cuh -- the kernel of the SVD and of the hyperbolic SVD of matrices up to 8, 16, 32 rows and
 * columns: a team of so many lanes a matrix, its columns in registers (columns.cuh).
 *
 * It is bound by the chain of a round: products and their sums, the rotation, and what it tells.
 * H200, double, 10000 matrices of 32 x 32: 2.34 ms by one warp a matrix; two have room for 32 columns
 * of complex double (7.5 ms, by large steps of batches 35).  Code counts, too: the loop over two
 * rounds is to stay in the cache of instructions (bench/notes.md). */
#ifndef GSVD_BATCH_SVD_CUH
#define GSVD_BATCH_SVD_CUH

#include "batch/problem.cuh"
#include "batch/svd_device.h"

enum { BLOCK = 2 * LANES };

/* Blocks of a multiprocessor at a time.  In registers there are NC columns of A, in one warp NC of
 * V, too, half as many products, and some 50.  Two blocks are one warp more in each quarter of
 * the multiprocessor, among whose warps 512 registers of a lane are divided. */
template <int NC, int WARPS> struct blocks_at_once {
    enum {
        BYTES = NC * (int)sizeof(scalar_t) * (WARPS == 1 ? 2 : 1),
        VALUE = BYTES >= 512   ? 4
                : BYTES >= 256 ? 6
                : BYTES >= 128 ? (WARPS == 1 ? 8 : 10)
                               : 12
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

/* A column of this part of its length, or less, is but rounding. */
static __device__ __forceinline__ real_t dependence_tolerance(int64_t rows)
{
    return (real_t)max_i(rows, 16) * GSVD_EPS;
}

/* The first column, from 1, of which all but rounding is in the span of those before it, or
 * 0: by Gram and Schmidt, in place.  The columns that are left move up in each step, so that
 * registers have constant indices in a loop: unrolled, each of its instructions would be
 * fetched for one use.  steps: the most columns of a problem of the warp. */
template <int NC>
static __device__ __forceinline__ int
dependent_column(scalar_t (&w)[NC], const problem_t *q, int64_t rows, int steps)
{
    const real_t tol = dependence_tolerance(rows);
    const real_t before = square_of_mine<NC>(w, q->lane);
    const int at = q->lane / 2 + (q->lane & 1) * (NC / 2);
    scalar_t *const part = (scalar_t *)&q->told->turn[0][0][0][0] +
                           (threadIdx.x % LANES - q->lane);
    int first = 0;

#pragma unroll 1
    for (int k = 0; k < steps; ++k) {
        scalar_t dot[2];
#pragma unroll
        for (int half = 0; half < 2; ++half) {
            dot[half] = sum_of_pair<NC>(q, [&](int j) {
                return dot_add(w[0], w[half * (NC / 2) + j], make(0, 0));
            });
            __syncwarp();
        }
        const real_t left = __shfl_sync(ALL_LANES, re(dot[0]), 0, NC);
        const real_t was = __shfl_sync(ALL_LANES, before, k, NC);
        if (k < q->n && first == 0 && !(left > tol * tol * was))
            first = k + 1;
        const real_t over = left > 0 ? -1 / left : 0;
        part[at] = scale(over, q->lane & 1 ? dot[1] : dot[0]);
        __syncwarp();
        const scalar_t pivot = w[0];
#pragma unroll
        for (int j = 1; j < NC; ++j)
            w[j - 1] = mul_add(part[j], pivot, w[j]);
        w[NC - 1] = make(0, 0);
        __syncwarp();
    }
    return first;
}

/* R in place of the matrix, and W in place of U */
static __device__ __forceinline__ void
take_triangle(shape_t *s, const triangles_t *t, int64_t own)
{
    const int64_t offset = own * t->order * t->order;
    s->A = mat_view(t->R + offset, s->cols, s->cols, t->order);
    s->U =
        mat_view(s->U.data ? t->W + offset : NULL, s->cols, s->cols, t->order);
    s->rows = s->cols;
    s->transposed = 0;
}

/* -- the kernel ---------------------------------------------------------------- */

/* What the warps of a matrix share */
typedef struct shared {
    told_t told;
    real_t k[2][LANES / 2][2]; /* see problem_t                               */
    real_t over[LANES]; /* of each column: 1 over its length, ...             */
    int place[LANES];   /* ... and where it is stored                         */
    int info[LANES];    /* of each matrix                                     */
    int of_A;           /* the warp that has A, of two                        */
} shared_t;

/* The columns of a matrix to their places, times over[j] */
template <int NC>
static __device__ __forceinline__ void
store_columns(mat_t M, const scalar_t (&a)[NC], const problem_t *q,
              const shared_t *s, int over)
{
    const int first = threadIdx.x % LANES - q->lane;
    if (!M.data || q->lane >= M.rows)
        return;
#pragma unroll
    for (int j = 0; j < NC; ++j)
        if (j < q->n)
            AT(M, q->lane, s->place[first + j]) =
                add(over ? scale(s->over[first + j], a[j]) : a[j], make(0, 0));
}

/* A, scaled by 2^*e; info: it has entries that are not finite. */
template <int NC, int HYPER>
static __device__ __forceinline__ int
load_columns(const shape_t *s, int n, int lane, scalar_t (&a)[NC], int *e)
{
    real_t largest = 0;
    int finite = 1;
#pragma unroll
    for (int j = 0; j < NC; ++j) {
        a[j] = j < n && lane < s->rows ? entry_of(s, lane, j) : make(0, 0);
        largest = fmax_r(largest, abs_max(a[j]));
        finite = finite && finite_entry(a[j]);
    }
    finite = votes_of<NC>(!finite, lane) == 0;
    largest = most_of<NC>(largest);
    *e = scale_exponent(finite ? largest : 0, s->rows, n);
    const power_t up = power_of(*e);
#pragma unroll
    for (int j = 0; j < NC; ++j)
        a[j] = finite ? times_power(up, a[j]) : make(0, 0);
    return finite ? 0 : HYPER ? HSVD_NOT_FINITE : NOT_FINITE;
}

/* The length of row `lane` of V Sigma^-1, squared, where Sigma has no zeros */
template <int NC>
static __device__ __forceinline__ real_t square_of_row(const scalar_t (&v)[NC],
                                                       const problem_t *q,
                                                       const shared_t *s)
{
    const int first = threadIdx.x % LANES - q->lane;
    real_t sum = 0;
#pragma unroll
    for (int j = 0; j < NC; ++j)
        sum += abs2(scale(s->over[first + j], v[j]));
    return sum;
}

/* The same of V in the other warp, which is told Sigma^-1 */
static __device__ __forceinline__ real_t ask_row(const problem_t *q)
{
    sync_two_warps();
    sync_two_warps();
    return (&q->told->turn[0][0][0][0])[threadIdx.x % LANES];
}

template <int NC>
static __device__ __forceinline__ void
tell_row(const scalar_t (&v)[NC], const problem_t *q, const shared_t *s)
{
    sync_two_warps();
    (&q->told->turn[0][0][0][0])[threadIdx.x % LANES] =
        square_of_row<NC>(v, q, s);
    sync_two_warps();
}

/* dependent_column of the matrix */
template <int NC>
static __device__ __noinline__ int
find_dependent(const shape_t *s, const problem_t *q, int64_t rows, int steps)
{
    scalar_t w[NC];
    int e;
    (void)load_columns<NC, 1>(s, q->n, q->lane, w, &e);
    return dependent_column<NC>(w, q, rows, steps);
}

/* Info of a hyperbolic SVD by its columns.  G V = U Sigma and U^H U = I, so that column k is as
 * far from the span of the others as 1 over the length of row k of V Sigma^-1: where that is well
 * above rounding, nothing depends on anything.  row: that length, squared */
template <int NC>
static __device__ __forceinline__ int
check_columns(const shape_t *s, const problem_t *q, real_t row, int zeros,
              int64_t rows, int steps)
{
    const real_t near = 16 * dependence_tolerance(rows) * q->first;
    const int far = q->sweeps > 0 && zeros == 0 && near * near * row < 1;
    int dependent = 0;
    if (__any_sync(ALL_LANES, q->lane < q->n && !far)) {
        const shape_t of =
            *s; /* Copies: those that are pointed at leave registers. */
        const problem_t it = *q;
        dependent = find_dependent<NC>(&of, &it, rows, steps);
    }
    return dependent ? 2 + dependent : 0;
}

/* U, sigma and info, by the warp that has A, and that has V where NV is NC */
template <int NC, int NV, int HYPER>
static __device__ __forceinline__ void
solve_A(const svd_batch_t *b, const shape_t *s, int64_t i, int64_t rows,
        int there, int exponent, problem_t *q, int rounds, shared_t *shared)
{
    scalar_t a[NC], v[NV];
    int e;
    int info = load_columns<NC, HYPER>(s, q->n, q->lane, a, &e);
    if constexpr (HYPER) {
        int legal;
        q->plus = signs_of<NC>(b, i, q->n, q->lane, &legal);
        info = legal ? info : HSVD_SIGNS;
    }
    q->on = there && info == 0;
#pragma unroll
    for (int j = 0; j < NV; ++j)
        v[j] = make(j == q->lane, 0);
    make_orthogonal<NC, NV, HYPER>(a, v, q, rounds);

    const real_t length = q->norm > COLUMN_TINY ? sqrt_r(q->norm) : 0;
    const int place = place_of_mine<NC>(q);
    const int zeros =
        __popc(votes_of<NC>(q->lane < q->n && length == 0, q->lane));
    const real_t value = ldexp_near(length, -e - exponent, 64 * GSVD_EPS);
    const int infinite = votes_of<NC>(!(value <= GSVD_REAL_MAX), q->lane) != 0;
    shared->over[threadIdx.x % LANES] = length > 0 ? 1 / length : 0;
    shared->place[threadIdx.x % LANES] = place;
    if constexpr (HYPER) {
        real_t row;
        __syncwarp();
        if constexpr (NV == NC)
            row = square_of_row<NC>(v, q, shared);
        else
            row = ask_row(q);
        const int found = check_columns<NC>(s, q, row, zeros, rows, rounds);
        info = info ? info : found;
    }
    const int hopeless = info != 0;
    shared->info[threadIdx.x % LANES] = hopeless;
    meet<NC, NV>();
    if (!there)
        return;
    if (q->lane == 0)
        b->info[i] = hopeless ? info : infinite ? OVERFLOWN : q->sweeps <= 0;
    if (hopeless) {
        fill_nan(*s, q->lane, NC);
        return;
    }
    if (q->lane < q->n)
        s->sigma[place] = value;
    store_columns<NC>(s->U, a, q, shared, 1);
    if constexpr (NV == NC)
        store_columns<NC>(s->V, v, q, shared, 0);
    if (zeros > 0 && s->U.data)
        complete(s->U, q->n - zeros, mask_of<NC>(q->lane), q->lane, NC);
}

/* The warp that has V */
template <int NC, int HYPER>
static __device__ __forceinline__ void solve_V(const shape_t *s, int there,
                                               problem_t *q, int rounds,
                                               const shared_t *shared)
{
    scalar_t v[NC];
#pragma unroll
    for (int j = 0; j < NC; ++j)
        v[j] = make(j == q->lane, 0);
    accumulate<NC, HYPER>(v, q, rounds);
    if constexpr (HYPER)
        tell_row<NC>(v, q, shared);
    sync_two_warps();
    if (there && !shared->info[threadIdx.x % LANES])
        store_columns<NC>(s->V, v, q, shared, 0);
}

/* grid: as many blocks as it takes; block: two warps, one for A, the other one for V, or, WARPS
 * 1, each for A and V of matrices of its own.  NC lanes are the team of one matrix: lane i has
 * row i. */
template <int NC, int HYPER, int WARPS>
static __global__ void __launch_bounds__(BLOCK,
                                         (blocks_at_once<NC, WARPS>::VALUE))
    register_kernel(svd_batch_t b, triangles_t t, int64_t count)
{
    __shared__ shared_t of_warps[2 / WARPS];
    __shared__ words_t of_terms[2 / WARPS][terms<NC>::WORDS];
    const int own_warp = WARPS == 1 ? threadIdx.x / LANES : 0;
    shared_t *const shared = &of_warps[own_warp];
    const int64_t thread =
        WARPS == 1 ? (int64_t)blockIdx.x * BLOCK + threadIdx.x
                   : (int64_t)blockIdx.x * LANES + threadIdx.x % LANES;
    const int64_t own = thread / NC;
    const int there = own < count;
    const int64_t i = t.first + (there ? own : 0);
    shape_t s = shape_of(&b, i);
    const int64_t rows = s.rows;
    const int exponent = t.R ? t.exponent[there ? own : 0] : 0;
    problem_t q;

    if (t.R)
        take_triangle(&s, &t, there ? own : 0);
    q.lane = threadIdx.x % NC;
    q.n = there ? (int)s.cols : 0;
    q.told = &shared->told;
    q.terms = of_terms[own_warp];
    q.k = shared->k;
    q.sweeps = t.sweeps;
    q.plus = ALL_LANES;
    q.reversed = 0;
    q.tol = jacobi_tolerance(t.tol > 0 ? t.tol : -1, s.rows);
    const int rounds = most_of_warp(q.n);
    if constexpr (WARPS == 1) {
        solve_A<NC, NC, HYPER>(&b, &s, i, rows, there, exponent, &q, rounds,
                               shared);
    } else {
        /* A is twice as much work as V: a quarter of the multiprocessor gets as many of both. */
        if (threadIdx.x == 0)
            shared->of_A = warp_slot() / 4 % 2;
        __syncthreads();
        if (threadIdx.x / LANES == (unsigned)shared->of_A)
            solve_A<NC, 1, HYPER>(&b, &s, i, rows, there, exponent, &q, rounds,
                                  shared);
        else
            solve_V<NC, HYPER>(&s, there, &q, rounds, shared);
    }
}

#endif /* GSVD_BATCH_SVD_CUH */
