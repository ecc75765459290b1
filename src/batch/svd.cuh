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

#include "batch/eigh_columns.cuh"
#include "batch/graded.h"
#include "batch/probe.h"
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
                : BYTES >= 128 ? (NC == 8 || WARPS == 2 ? 10 : 8)
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
    const real_t before = square_of_mine<NC>(q, w);
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
    int info[LANES];    /* of each matrix, ...                                */
    int graded[LANES];  /* ... and: its rows differ (is_graded)               */
    int row[LANES], column[LANES]; /* of graded.h                             */
    int of_A; /* the warp that has A, of two                        */
} shared_t;

/* The columns of a matrix to their places, times over[j]; this lane's row is `row` */
template <int NC>
static __device__ __forceinline__ void
store_columns(mat_t M, const scalar_t (&a)[NC], const problem_t *q,
              const shared_t *s, int row, int over)
{
    const int first = threadIdx.x % LANES - q->lane;
    if (!M.data || q->lane >= M.rows)
        return;
#pragma unroll
    for (int j = 0; j < NC; ++j)
        if (j < q->n)
            AT(M, row, s->place[first + j]) =
                add(over ? scale(s->over[first + j], a[j]) : a[j], make(0, 0));
}

/* A, or, lower, what of it is not above the diagonal, scaled by 2^*e; info: it has entries that are
 * not finite.  *apart: its rows differ in length. */
template <int NC, int HYPER>
static __device__ __forceinline__ int
load_columns(const shape_t *s, int lower, int n, int lane, scalar_t (&a)[NC],
             int *e, int *apart)
{
    real_t largest = 0;
    int finite = 1;
#pragma unroll
    for (int j = 0; j < NC; ++j) {
        const int there = j < n && lane < s->rows && (!lower || j <= lane);
        a[j] = there ? entry_of(s, lane, j) : make(0, 0);
        largest = fmax_r(largest, abs_max(a[j]));
        finite = finite && finite_entry(a[j]);
    }
    finite = votes_of<NC>(!finite, lane) == 0;
    if (!HYPER) {
        const real_t least =
            -most_of<NC>(largest > 0 ? -largest : -GSVD_REAL_MAX);
        largest = most_of<NC>(largest);
        *apart = finite && n > 1 && largest / ROWS_FAR > least;
    } else {
        largest = most_of<NC>(largest);
    }
    *e = scale_exponent(finite ? largest : 0, s->rows, n);
    const power_t up = power_of(*e);
#pragma unroll
    for (int j = 0; j < NC; ++j)
        a[j] = finite ? times_power(up, a[j]) : make(0, 0);
    return finite ? 0 : ILLEGAL_A;
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

/* dependent_column of the matrix */
template <int NC>
static __device__ __noinline__ int
find_dependent(const shape_t *s, const problem_t *q, int64_t rows, int steps)
{
    scalar_t w[NC];
    int e, unused;
    (void)load_columns<NC, 1>(s, 0, q->n, q->lane, w, &e, &unused);
    return dependent_column<NC>(w, q, rows, steps);
}

/* Info of a hyperbolic SVD by its columns.  G V = U Sigma and U^H U = I, so that column k is as
 * far from the span of the others as 1 over the length of row k of V Sigma^-1: where that is well
 * above rounding, nothing depends on anything.  row: that length, squared.  (Of a U with cosines up
 * to tol, U^H U is I but for n tol.) */
template <int NC>
static __device__ __forceinline__ int
check_columns(const shape_t *s, const problem_t *q, real_t row, int zeros,
              int64_t rows, int steps)
{
    const real_t near = 16 * dependence_tolerance(rows) * q->first;
    const int far = q->sweeps > 0 && (real_t)q->n * q->tol < (real_t)0.5 &&
                    zeros == 0 && near * near * row < 1;
    int dependent = 0;
    if (__any_sync(ALL_LANES, q->lane < q->n && !far)) {
        /* Copies: what is pointed at leaves the registers. */
        const shape_t of = *s;
        const problem_t it = *q;
        dependent = find_dependent<NC>(&of, &it, rows, steps);
    }
    return dependent ? 2 + dependent : 0;
}

/* Is V^H J V off J' by more than rounding, as far as a vector tells (probe.h)?  rows: bit i: row i
 * of V has sign 1; columns are to stand in their places. */
template <int NC>
static __device__ __forceinline__ int
has_drifted(const scalar_t (&v)[NC], const problem_t *q, const shared_t *s,
            unsigned rows, int64_t plus)
{
    const int thread = threadIdx.x % LANES, first = thread - q->lane;
    real_t *const told = &q->told->turn[1][0][0][0];
    const real_t square = square_of_mine<NC>(q, v);
    const real_t over = q->lane < q->n ? rsqrt_r(square) : 0;
    const real_t x = probe_entry(q->lane) * over;
    scalar_t y = make(0, 0);

    told[thread] = x;
    __syncwarp();
#pragma unroll
    for (int j = 0; j < NC; ++j)
        y = add(y, scale(told[first + j], v[j]));
    y = scale(rows >> q->lane & 1 ? 1 : -1, y);
    const scalar_t dot =
        sum_of_mine<NC>(q, [&](int j) { return dot_add(v[j], y, make(0, 0)); });
    const scalar_t right = make(s->place[thread] < plus ? x : -x, 0);
    const scalar_t off = scale(over, sub(dot, right));
    const int near = square <= GSVD_REAL_MAX &&
                     abs_max(off) <= LARGE_DEFECT * (real_t)q->n * GSVD_EPS;
    return votes_of<NC>(q->lane < q->n && !near, q->lane) != 0;
}

/* The values of a problem, and what is told of them */
typedef struct values {
    real_t value; /* of column `lane`, ...                                   */
    int place;    /* ... and where it is stored                              */
    int zeros, infinite;
} values_t;

/* One problem, as its lanes have it */
typedef struct instance {
    const svd_batch_t *b;
    const shape_t *s;
    int64_t i, rows; /* its number; rows before there was a triangle         */
    int there, exponent, rounds;
    int whole; /* It is no triangle of a tall matrix, or one of graded.h.     */
    shared_t *shared;
    const triangles_t *triangles;
    const eigh_batch_t *eigh; /* NULL, or what it is for                     */
} instance_t;

template <int NC> static __device__ __forceinline__ crew_t crew_of(int lane)
{
    crew_t c;
    c.lane = lane;
    c.lanes = NC;
    c.squad = 0;
    c.squads = 1;
    c.mask = mask_of<NC>(lane);
    return c;
}

/* *t->s, but for what is not at hand in registers */
static __device__ __forceinline__ shape_t shape_of_instance(const instance_t *t)
{
    shape_t s = shape_of(t->b, t->i);
    if (t->triangles->R)
        take_triangle(&s, t->triangles, t->i - t->triangles->first);
    return s;
}

/* Rows of a problem, or of its triangle, differ in length: factors it, and returns graded_factor's
 * answer. */
static __device__ __noinline__ int start_graded(crew_t c, shape_t s, int e,
                                                shared_t *shared)
{
    const int first = threadIdx.x % LANES - c.lane;
    return graded_factor(c, s, e, shared->over + first, shared->row + first,
                         shared->column + first);
}

/* The left factor of a problem whose rows differ, from J on */
static __device__ __noinline__ void finish_graded(crew_t c, shape_t s,
                                                  const shared_t *shared)
{
    if (!s.U.data)
        return;
    for (int64_t j = 0; j < s.cols; ++j)
        for (int64_t k = s.cols + c.lane; k < s.rows; k += c.lanes)
            AT(s.U, k, j) = make(0, 0);
    graded_apply(c, s, shared->row + threadIdx.x % LANES - c.lane, s.U);
}

/* Do the problem's rows differ in length?  1 and what graded_factor tells */
template <int HYPER>
static __device__ __forceinline__ int is_graded(const instance_t *t)
{
    return HYPER ? 0 : t->shared->graded[threadIdx.x % LANES];
}

/* ... and those of the tall matrix whose triangle it is */
static __device__ __forceinline__ int graded_as_tall(const instance_t *t)
{
    return t->triangles->R ? t->triangles->graded[t->i - t->triangles->first]
                           : 0;
}

/* Where Jacobi's left factor goes, and the right one: as graded_triangle says, or to U and V */
static __device__ __forceinline__ mat_t left_place(const shape_t *s, int graded)
{
    return graded ? s->V : s->U;
}

static __device__ __forceinline__ mat_t right_place(const shape_t *s,
                                                    int graded)
{
    return graded ? mat_view(s->U.data, s->cols, s->cols, s->U.ld) : s->V;
}

/* Problems of the warp whose rows differ, apart, are factored; all are loaded again, as start does. */
template <int NC>
static __device__ __forceinline__ int start_again(const instance_t *t,
                                                  const problem_t *q, int apart,
                                                  scalar_t (&a)[NC], int *e)
{
    const int before = apart ? *e : 0;
    int unused;
    if (apart)
        apart += start_graded(crew_of<NC>(q->lane), shape_of_instance(t), *e,
                              t->shared);
    t->shared->graded[threadIdx.x % LANES] = apart;
    __syncwarp();
    const shape_t s = apart ? graded_triangle(t->s) : *t->s;
    const int info =
        load_columns<NC, 0>(&s, apart, q->n, q->lane, a, e, &unused);
    *e += before;
    return info;
}

/* A and its signs: info; q is on where that is 0. */
template <int NC, int HYPER>
static __device__ __forceinline__ int start(const instance_t *t, problem_t *q,
                                            scalar_t (&a)[NC], int *e)
{
    int apart = 0;
    int info = load_columns<NC, HYPER>(t->s, 0, q->n, q->lane, a, e, &apart);
    if constexpr (HYPER) {
        int legal;
        q->plus = signs_of<NC>(t->b, t->i, q->n, q->lane, &legal);
        info = legal ? info : ILLEGAL_J;
    } else {
        apart = apart && t->there && t->whole;
        t->shared->graded[threadIdx.x % LANES] = 0;
        if (__any_sync(ALL_LANES, apart))
            info = start_again<NC>(t, q, apart, a, e);
    }
    q->on = t->there && info == 0;
    return info;
}

/* The values by the lengths of A's columns, 2^e; tells 1 over the lengths, and the places. */
template <int NC>
static __device__ __forceinline__ values_t find_values(const instance_t *t,
                                                       const problem_t *q,
                                                       int e)
{
    values_t x;
    const real_t length = q->norm > COLUMN_TINY ? sqrt_r(q->norm) : 0;
    x.place = place_of_mine<NC>(q);
    x.zeros = __popc(votes_of<NC>(q->lane < q->n && length == 0, q->lane));
    x.value = ldexp_near(length, -e - t->exponent, 64 * GSVD_EPS);
    x.infinite = votes_of<NC>(!(x.value <= GSVD_REAL_MAX), q->lane) != 0;
    t->shared->over[threadIdx.x % LANES] = length > 0 ? 1 / length : 0;
    t->shared->place[threadIdx.x % LANES] = x.place;
    return x;
}

/* Has the caller's A entries in the column that is `lane`, of zeros once it was scaled?  A tall
 * matrix may: nothing is left of what it was. */
static __device__ __noinline__ int was_dropped(shape_t s, int exponent,
                                               int lane)
{
    int some = exponent < 0;
    for (int64_t i = 0; i < s.rows; ++i)
        some |= abs_max(entry_of(&s, i, lane)) > 0;
    return some;
}

/* Are there values of 0 whose columns are none, but too short for squares, or made so by 2^e?  What
 * is short is rounding where all columns were longer: a column errs by eps of what it was. */
template <int NC, int HYPER>
static __device__ __forceinline__ int
are_lost(const instance_t *t, const problem_t *q, const scalar_t (&a)[NC],
         const values_t *x, int e)
{
    const int tall = graded_as_tall(t), graded = is_graded<HYPER>(t);
    if (tall == 1 + ALL_FIT) /* What is short in its triangle is rounding. */
        return 0;
    if (tall > SOME_DO_NOT || graded > SOME_DO_NOT)
        return 1;
    if (x->zeros == 0 || graded == 1 + ALL_FIT)
        return 0;
    const int first = threadIdx.x % LANES - q->lane;
    const int there = q->lane < q->n, none = there && q->first == 0;
    const unsigned mask = mask_of<NC>(q->lane);
    const real_t error = GSVD_EPS * q->first;
    int lost = 0;
#pragma unroll
    for (int j = 0; j < NC; ++j)
        lost |=
            j < q->n && t->shared->over[first + j] == 0 && abs_max(a[j]) > 0;
    lost =
        __ballot_sync(mask, lost) != 0 &&
        __ballot_sync(mask, there && !none && error * error < COLUMN_TINY) != 0;
    if (none && !graded && e + t->exponent < 0)
        lost |= was_dropped(shape_of_instance(t), t->exponent, q->lane);
    return __ballot_sync(mask, lost) != 0;
}

/* info, Sigma and U; e: A's exponent */
template <int NC, int HYPER>
static __device__ __forceinline__ void
store_A(const instance_t *t, const problem_t *q, const scalar_t (&a)[NC], int e,
        int info, const values_t *x)
{
    const int lost = are_lost<NC, HYPER>(t, q, a, x, e);
    const int graded = is_graded<HYPER>(t);

    if (q->lane == 0)
        t->b->info[t->i] = info          ? info_of_svd(t->b, info)
                           : x->infinite ? OVERFLOWN
                                         : q->sweeps <= 0 || lost;
    if (info) {
        fill_nan(*t->s, q->lane, NC);
        return;
    }
    if (q->lane < q->n)
        t->s->sigma[x->place] = x->value;
    const mat_t U = left_place(t->s, graded);
    const int row = graded ? t->shared->column[threadIdx.x % LANES] : q->lane;
    store_columns<NC>(U, a, q, t->shared, row, 1);
    if (x->zeros > 0 && U.data)
        complete(U, q->n - x->zeros, mask_of<NC>(q->lane), q->lane, NC);
}

/* By one warp */
template <int NC, int HYPER>
static __device__ __forceinline__ void solve(const instance_t *t, problem_t *q)
{
    scalar_t a[NC], v[NC];
    int e, info = start<NC, HYPER>(t, q, a, &e);
    const unsigned signs_of_rows = q->plus;
    set_row_of_identity(q->lane, v);
    make_orthogonal<NC, HYPER>(a, v, q, t->rounds);
    const values_t x = find_values<NC>(t, q, e);
    __syncwarp();
    if constexpr (HYPER) {
        const real_t row = square_of_row<NC>(v, q, t->shared);
        if (has_drifted<NC>(v, q, t->shared, signs_of_rows, t->b->n_plus))
            q->sweeps = 0;
        const int found =
            check_columns<NC>(t->s, q, row, x.zeros, t->rows, t->rounds);
        info = info ? info : found;
    }
    const int graded = is_graded<HYPER>(t);
    if (t->eigh) {
        const int first = threadIdx.x % LANES - q->lane;
        const int some = q->n > 0 && !info && !graded && q->sweeps > 0 &&
                         x.zeros == 0 && !x.infinite;
        if (end_eigh<NC>(t->eigh, t->i, q, a, v, t->shared->over + first,
                         x.value, t->shared->place + first, some))
            return;
    }
    if (!t->there)
        return;
    if (!info)
        store_columns<NC>(right_place(t->s, graded), v, q, t->shared, q->lane,
                          0);
    store_A<NC, HYPER>(t, q, a, e, info, &x);
    if (graded)
        finish_graded(crew_of<NC>(q->lane), shape_of_instance(t), t->shared);
}

/* By two warps, of which one has A, the other one V, and both come to the same barriers */
template <int NC, int HYPER>
static __device__ __forceinline__ void solve_by_two(const instance_t *t,
                                                    problem_t *q, int has_A)
{
    const int thread = threadIdx.x % LANES;
    real_t *const row = &q->told->turn[0][0][0][0] + thread;
    scalar_t x[NC];
    values_t found;
    int e = 0, info = 0;

    if (has_A)
        info = start<NC, HYPER>(t, q, x, &e);
    else
        set_row_of_identity(q->lane, x);
    make_orthogonal_by_two<NC, HYPER>(x, q, t->rounds, has_A);
    if (has_A)
        found = find_values<NC>(t, q, e);
    if constexpr (HYPER) {
        __syncthreads();
        if (!has_A) {
            int legal;
            const unsigned signs =
                signs_of<NC>(t->b, t->i, q->n, q->lane, &legal);
            t->shared->info[thread] =
                has_drifted<NC>(x, q, t->shared, signs, t->b->n_plus);
            *row = square_of_row<NC>(x, q, t->shared);
        }
        __syncthreads();
        if (has_A) {
            q->sweeps = t->shared->info[thread] ? 0 : q->sweeps;
            const int dependent = check_columns<NC>(t->s, q, *row, found.zeros,
                                                    t->rows, t->rounds);
            info = info ? info : dependent;
        }
    }
    if (has_A)
        t->shared->info[thread] = info;
    __syncthreads();
    const int graded = is_graded<HYPER>(t);
    if (t->there && has_A)
        store_A<NC, HYPER>(t, q, x, e, info, &found);
    else if (t->there && !t->shared->info[thread])
        store_columns<NC>(right_place(t->s, graded), x, q, t->shared, q->lane,
                          0);
    if (!HYPER && __syncthreads_or(graded) && has_A && graded)
        finish_graded(crew_of<NC>(q->lane), shape_of_instance(t), t->shared);
}

/* The problem of this thread's team.  eigh: NULL, or what the SVDs are for */
template <int NC, int HYPER, int WARPS>
static __device__ __forceinline__ void
solve_mine(const svd_batch_t &b, const triangles_t &t, const eigh_batch_t *eigh,
           int64_t count)
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
    q.on = 0;
    const int whole = !t.R || t.graded[there ? own : 0];
    const instance_t one = {
        &b,    &s,     i,  rows, there, exponent, most_of_warp(q.n),
        whole, shared, &t, eigh};
    if constexpr (WARPS == 1) {
        solve<NC, HYPER>(&one, &q);
    } else {
        /* A is twice as much work as V: a quarter of the multiprocessor gets as many of both. */
        if (threadIdx.x == 0)
            shared->of_A = warp_slot() / 4 % 2;
        __syncthreads();
        solve_by_two<NC, HYPER>(&one, &q,
                                threadIdx.x / LANES == (unsigned)shared->of_A);
    }
}

/* grid: as many blocks as it takes; block: two warps, one for A, the other one for V, or, WARPS
 * 1, each for A and V of matrices of its own.  NC lanes are the team of one matrix: lane i has
 * row i. */
template <int NC, int HYPER, int WARPS>
static __global__ void __launch_bounds__(BLOCK,
                                         (blocks_at_once<NC, WARPS>::VALUE))
    register_kernel(svd_batch_t b, triangles_t t, int64_t count)
{
    solve_mine<NC, HYPER, WARPS>(b, t, NULL, count);
}

/* The same for eigenproblems, which it ends where it can; grid and block: as above, WARPS 1 */
template <int NC>
static __global__ void __launch_bounds__(BLOCK, (blocks_at_once<NC, 1>::VALUE))
    register_eigh_kernel(svd_batch_t b, triangles_t t,
                         const __grid_constant__ eigh_batch_t eigh,
                         int64_t count)
{
    solve_mine<NC, 0, 1>(b, t, &eigh, count);
}

#endif /* GSVD_BATCH_SVD_CUH */
