/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* tall.cuh -- QR of tall matrices before their SVD, and what their U is by it.
 *
 *     A = Q R           chunk by chunk of rows: (R; C) = (I - V T V^H) (R'; 0)
 *     R = W Sigma V^H   register_kernel, of svd.cu
 *     U = Q W           from the last chunk to the first one
 *
 * A thread has one row of a chunk in registers.  If a chunk has more rows than threads, it has two
 * rows, CHUNK apart, as far as registers have room.  The reflectors replace A.  Those of the first
 * chunk, which contains R, are LAPACK's.  Those of the other chunks have a unit matrix above them,
 * in the rows of R.  A step of a chunk is one sum over the block, of the products of the current
 * column with all others: products with columns to its right are for the update, and those with
 * reflectors before it are for T.  So columns rotate: the current column is the first one, and
 * goes to the end as a reflector.
 *
 * A's entries pass four times.  For 1000 matrices of 1000 x 16 in double that alone takes 0.13
 * ms.  On an H200 all three steps took 0.62 ms, and 1.14 ms with 2000 rows.  Each column waits for
 * a sum over the block, which bounds it. */
#ifndef GSVD_BATCH_TALL_CUH
#define GSVD_BATCH_TALL_CUH

#include "batch/graded.h"
#include "batch/problem.cuh"
#include "batch/svd_device.h"
#include "qr/reflect.h"

enum { WARPS = CHUNK / LANES };

/* -- one step of a chunk --------------------------------------------------------- */

/* The shared memory of the factorization of a matrix */
template <int NC> struct tall {
    scalar_t R[2][NC][NC + 1]; /* before and after a chunk                   */
    scalar_t T[NC][NC + 1];
    scalar_t part[2][WARPS][NC], top[2][NC];
    scalar_t factor[WARPS][NC], product[WARPS][NC];
    real_t largest[WARPS], least[WARPS];
    int infinite[WARPS];
};

/* Lane k := the sum over the warp of p[k].  p is lost. */
template <int NC>
static __device__ __forceinline__ scalar_t sums_of_warp(scalar_t *p, int lane)
{
    fold<NC, LANES / 2>(p, lane);
    scalar_t sum = p[0];
#pragma unroll
    for (int step = LANES / NC / 2; step > 0; step /= 2)
        sum = add(sum, shuffle_xor(sum, step));
    return sum;
}

/* T(:,j) = -tau T (V^H v), its rows shared among the warps */
template <int NC>
static __device__ __forceinline__ void extend_T(tall<NC> *t, int j,
                                                scalar_t tau)
{
    const int lane = threadIdx.x % LANES, warp = threadIdx.x / LANES;
    const scalar_t z = lane < j ? t->product[warp][lane] : make(0, 0);
    for (int i = warp; i < NC; i += WARPS) {
        scalar_t entry = make(0, 0);
        if (i < j) {
            entry = lane >= i && lane < j ? mul(t->T[i][lane], z) : make(0, 0);
            entry = scale(-1, mul(tau, sum_of(ALL_LANES, LANES, entry)));
        }
        if (lane == 0)
            t->T[i][j] = i == j ? tau : entry;
    }
    __syncwarp();
}

/* Column j of a chunk, whose columns stand in x from there on, and the reflectors at its end */
template <int NC, int ROWS>
static __device__ __forceinline__ void
reflect_column(tall<NC> *t, scalar_t (&x)[ROWS][NC], int j, int n, int first,
               int in)
{
    const int row = threadIdx.x, lane = row % LANES, warp = row / LANES;
    const int k = lane / (LANES / NC), buffer = j & 1;
    const int tells = row % (LANES / NC) == 0; /* Others have the same.      */
    scalar_t p[NC], x0[ROWS];

#pragma unroll
    for (int r = 0; r < ROWS; ++r)
        x0[r] = first && r == 0 && row <= j ? make(0, 0) : x[r][0];
#pragma unroll
    for (int i = 0; i < NC; ++i) {
        p[i] = dot_add(x0[0], x[0][i], make(0, 0));
#pragma unroll
        for (int r = 1; r < ROWS; ++r)
            p[i] = dot_add(x0[r], x[r][i], p[i]);
    }
    const scalar_t sum = sums_of_warp<NC>(p, lane);
    if (tells)
        t->part[buffer][warp][k] = sum;
    if (first && row == j) {
#pragma unroll
        for (int i = 0; i < NC; ++i)
            t->top[buffer][i] = x[0][i];
    }
    __syncthreads();
    const int right = k < n - j, left = k >= NC - j;
    scalar_t s = make(0, 0);
#pragma unroll
    for (int other = 0; other < WARPS; ++other)
        s = add(s, t->part[buffer][other][k]);
    const scalar_t r = first   ? t->top[buffer][k]
                       : right ? t->R[in][j][j + k]
                               : make(0, 0);
    const scalar_t alpha = make(__shfl_sync(ALL_LANES, re(r), 0),
                                __shfl_sync(ALL_LANES, im(r), 0));
    const real_t square = __shfl_sync(ALL_LANES, re(s), 0);
    const int some =
        square > COLUMN_TINY; /* else H = I: squares have no digits */
    householder_t h = householder_of(alpha, square);
    h.tau = some ? h.tau : make(0, 0);
    h.over = some ? h.over : make(0, 0);
    const scalar_t d = mul_add(conj_of(h.over), s, r); /* v^H times column k */
    const scalar_t w = right ? mul(conj_of(h.tau), d) : make(0, 0);
    if (tells) {
        if (warp == 0 && right)
            t->R[!in][j][j + k] =
                k == 0 ? (some ? make(h.beta, 0) : alpha) : sub(r, w);
        t->factor[warp][k] = scale(-1, mul(h.over, w));
        if (left)
            t->product[warp][k - (NC - j)] = conj_of(d);
    }
    __syncwarp();
#pragma unroll
    for (int i = 0; i < NC - 1; ++i) {
        const scalar_t f = t->factor[warp][i + 1];
#pragma unroll
        for (int r = 0; r < ROWS; ++r)
            x[r][i] = mul_add(x0[r], f, x[r][i + 1]);
    }
#pragma unroll
    for (int r = 0; r < ROWS; ++r)
        x[r][NC - 1] = mul(x0[r], h.over);
    if (first && row == j) {
        x[0][NC - 1] = make(1, 0);
#pragma unroll
        for (int i = 0; i < NC - 1; ++i)
            x[0][i] = i + 1 < n - j ? make(0, 0) : x[0][i];
    }
    extend_T<NC>(t, j, h.tau);
}

/* -- the factorization ------------------------------------------------------------- */

/* The exponent of A's scale, of all threads alike; *finite: all of its entries are; *apart: its
 * rows differ in length. */
template <int NC>
static __device__ int scale_of_tall(const shape_t *s, tall<NC> *t, int *finite,
                                    int *apart)
{
    const int lane = threadIdx.x % LANES, warp = threadIdx.x / LANES;
    real_t largest = 0, least = GSVD_REAL_MAX;
    int infinite = 0;
    for (int64_t i = threadIdx.x; i < s->rows; i += CHUNK) {
        real_t size = 0;
        for (int64_t j = 0; j < s->cols; ++j) {
            const scalar_t a = entry_of(s, i, j);
            size = fmax_r(size, abs_max(a));
            infinite |= !finite_entry(a);
        }
        largest = fmax_r(largest, size);
        least = size > 0 && size < least ? size : least;
    }
    largest = most_of<LANES>(largest);
    least = -most_of<LANES>(-least);
    infinite = __any_sync(ALL_LANES, infinite);
    if (lane == 0) {
        t->largest[warp] = largest;
        t->least[warp] = least;
        t->infinite[warp] = infinite;
    }
    __syncthreads();
    for (int i = 0; i < WARPS; ++i) {
        largest = fmax_r(largest, t->largest[i]);
        least = -fmax_r(-least, -t->least[i]);
        infinite |= t->infinite[i];
    }
    *finite = !infinite;
    *apart = !infinite && s->cols > 1 && largest / ROWS_FAR > least;
    return infinite ? 0 : scale_exponent(largest, s->rows, s->cols);
}

/* x := 2^e times a row of A, and zeros behind */
template <int NC>
static __device__ __forceinline__ void
load_row(const shape_t *s, int64_t row, int n, power_t up, scalar_t (&x)[NC])
{
#pragma unroll
    for (int k = 0; k < NC; ++k)
        x[k] = row < s->rows && k < n ? times_power(up, entry_of(s, row, k))
                                      : make(0, 0);
}

/* A row of the reflectors, which are x's last n columns, in place of A's */
template <int NC>
static __device__ __forceinline__ void store_row(const shape_t *s, int64_t row,
                                                 int n, const scalar_t (&x)[NC])
{
#pragma unroll
    for (int k = 0; k < NC; ++k) {
        const int j = k - (NC - n);
        if (row < s->rows && j >= 0)
            put_entry(s, row, j, x[k]);
    }
}

static __device__ __forceinline__ crew_t crew_of_block(void)
{
    crew_t c;
    c.lane = threadIdx.x % LANES;
    c.lanes = LANES;
    c.squad = threadIdx.x / LANES;
    c.squads = WARPS;
    c.mask = ALL_LANES;
    return c;
}

/* graded.h's numbers of the rows of a matrix, in place of T */
template <int NC>
static __device__ __forceinline__ int *rows_of_graded(const triangles_t *w)
{
    return (int *)(w->T + blockIdx.x * w->chunks * (int64_t)(NC * NC));
}

/* A matrix whose rows differ: R := what it is of the columns as they were.  Its rows are graded,
 * too, so that register_kernel takes it for such a matrix.  A kernel of its own: in tall_qr_kernel
 * the call would take registers from all matrices.
 *
 * grid: one block a matrix; block: CHUNK threads */
template <int NC>
static __global__ void __launch_bounds__(CHUNK)
    tall_graded_qr_kernel(svd_batch_t b, triangles_t w)
{
    __shared__ real_t length[NC];
    int *const row = rows_of_graded<NC>(&w), *const column = row + NC;
    scalar_t *const R = w.R + blockIdx.x * (int64_t)(NC * NC);
    const shape_t s = shape_of(&b, w.first + blockIdx.x);
    const int n = (int)s.cols;

    if (!w.graded[blockIdx.x])
        return;
    const int e = w.exponent[blockIdx.x];
    const int fit = graded_factor(crew_of_block(), s, e, length, row, column);
    for (int k = threadIdx.x; k < NC * NC; k += CHUNK) {
        const int i = k % NC, j = k / NC, to = j < n ? column[j] : j;
        R[i + NC * to] = i <= j && j < n ? entry_of(&s, i, j) : make(0, 0);
    }
    if (threadIdx.x == 0)
        w.graded[blockIdx.x] = 1 + fit;
}

/* ... U := S^H Q (W; 0).  grid: one block a matrix; block: CHUNK threads */
template <int NC>
static __global__ void __launch_bounds__(CHUNK)
    tall_graded_form_kernel(svd_batch_t b, triangles_t w)
{
    const scalar_t *const W = w.W + blockIdx.x * (int64_t)(NC * NC);
    const shape_t s = shape_of(&b, w.first + blockIdx.x);
    const mat_t U = mat_view(s.U.data, s.rows, s.cols, s.U.ld);

    if (!w.graded[blockIdx.x] || !U.data)
        return;
    for (int64_t j = 0; j < s.cols; ++j)
        for (int64_t i = threadIdx.x; i < s.rows; i += CHUNK)
            AT(U, i, j) = i < s.cols ? W[i + NC * j] : make(0, 0);
    graded_apply(crew_of_block(), s, rows_of_graded<NC>(&w), U);
}

/* Blocks of a multiprocessor at a time: a thread has its rows, and as many products as columns. */
template <int NC, int ROWS> struct tall_at_once {
    enum {
        BYTES = NC * (int)sizeof(scalar_t) * (ROWS + 1),
        VALUE = BYTES <= 256   ? 3
                : BYTES <= 384 ? 2
                               : 1
    };
};

/* grid: one block a matrix; block: CHUNK threads, with ROWS rows of a chunk each.  R and T have NC
 * rows and columns, T one of each chunk. */
template <int NC, int ROWS>
static __global__ void __launch_bounds__(CHUNK, (tall_at_once<NC, ROWS>::VALUE))
    tall_qr_kernel(svd_batch_t b, triangles_t w)
{
    __shared__ tall<NC> t;
    const int64_t i = w.first + blockIdx.x;
    const shape_t s = shape_of(&b, i);
    const int n = (int)s.cols;
    scalar_t *const R = w.R + blockIdx.x * (int64_t)(NC * NC);
    int finite, apart, in = 0;
    const int e = scale_of_tall<NC>(&s, &t, &finite, &apart);
    const power_t up = power_of(e);

    apart = apart && !b.with_signs;
    if (threadIdx.x == 0)
        w.graded[blockIdx.x] = apart;
    if (threadIdx.x == 0 && apart)
        w.exponent[blockIdx.x] = e;
    if (apart) /* tall_graded_qr_kernel's                                    */
        return;

    for (int64_t begin = 0, chunk = 0; begin < s.rows && finite;
         begin += ROWS * CHUNK, ++chunk) {
        scalar_t x[ROWS][NC];
#pragma unroll
        for (int r = 0; r < ROWS; ++r)
            load_row<NC>(&s, begin + r * CHUNK + threadIdx.x, n, up, x[r]);
#pragma unroll 1
        for (int j = 0; j < n; ++j)
            reflect_column<NC, ROWS>(&t, x, j, n, begin == 0, in);
        /* Before it a warp writes what the chunk leaves to others.  After it warps read R and T;
         * the next chunk changes T only after the barrier in its first column. */
        __syncthreads();
        in = !in;
#pragma unroll
        for (int r = 0; r < ROWS; ++r)
            store_row<NC>(&s, begin + r * CHUNK + threadIdx.x, n, x[r]);
        scalar_t *const T =
            w.T + (blockIdx.x * w.chunks + chunk) * (int64_t)(NC * NC);
        for (int k = threadIdx.x; k < NC * NC; k += CHUNK)
            T[k] = k % NC <= k / NC && k / NC < n ? t.T[k % NC][k / NC]
                                                  : make(0, 0);
    }
    __syncthreads();
    for (int k = threadIdx.x; k < NC * NC; k += CHUNK) {
        const int row = k % NC, column = k / NC;
        R[k] = !finite                       ? make(not_a_number(), 0)
               : row <= column && column < n ? t.R[in][row][column]
                                             : make(0, 0);
    }
    if (threadIdx.x == 0)
        w.exponent[blockIdx.x] = e;
}

/* -- U ------------------------------------------------------------------------------ */

/* Y, by columns, := T W, or T V^H W with the unit lower V of the first chunk, then W := W - Y */
template <int NC> struct form {
    scalar_t W[NC][NC + 1], T[NC][NC + 1], V[NC][NC + 1];
    __align__(16) scalar_t Y[NC][NC];
};

template <int NC> static __device__ void find_Y(form<NC> *f, int n, int first)
{
    scalar_t y[NC * NC / CHUNK + 1];
    int count = 0;
    if (first) { /* V := V^H W                                               */
        for (int k = threadIdx.x; k < NC * NC; k += CHUNK) {
            const int row = k % NC, column = k / NC;
            scalar_t sum = make(0, 0);
            for (int l = row; l < n; ++l)
                sum = dot_add(f->V[l][row], f->W[l][column], sum);
            y[count++] = sum;
        }
        __syncthreads();
        count = 0;
        for (int k = threadIdx.x; k < NC * NC; k += CHUNK)
            f->V[k % NC][k / NC] = y[count++];
        __syncthreads();
    }
    for (int k = threadIdx.x; k < NC * NC; k += CHUNK) {
        const int row = k % NC, column = k / NC;
        scalar_t sum = make(0, 0);
        for (int l = row; l < n; ++l)
            sum = mul_add(f->T[row][l],
                          first ? f->V[l][column] : f->W[l][column], sum);
        f->Y[column][row] = sum;
    }
    __syncthreads();
}

/* U(row,:) := (W(row,:), or 0) - v Y, v the row of the reflectors */
template <int NC>
static __device__ __forceinline__ void
form_row(const form<NC> *f, const shape_t *s, int64_t row, int n, int first,
         const scalar_t (&v)[NC])
{
    for (int j = 0; j < n; ++j) {
        scalar_t sum = first && row < n ? f->W[row][j] : make(0, 0);
#pragma unroll
        for (int k = 0; k < NC; ++k)
            sum = mul_add(scale(-1, v[k]), f->Y[j][k], sum);
        if (row < s->rows)
            AT(s->U, row, j) = sum;
    }
}

/* grid: one block a matrix; block: CHUNK threads, with ROWS rows of a chunk each */
template <int NC, int ROWS>
static __global__ void __launch_bounds__(CHUNK)
    tall_form_kernel(svd_batch_t b, triangles_t w)
{
    __shared__ form<NC> f;
    const int64_t i = w.first + blockIdx.x;
    const shape_t s = shape_of(&b, i);
    const int n = (int)s.cols;
    if (!s.U.data || w.graded[blockIdx.x])
        return;
    const scalar_t *const W = w.W + blockIdx.x * (int64_t)(NC * NC);

    for (int k = threadIdx.x; k < NC * NC; k += CHUNK)
        f.W[k % NC][k / NC] = k % NC < n && k / NC < n ? W[k] : make(0, 0);
    for (int64_t chunk = (s.rows + ROWS * CHUNK - 1) / (ROWS * CHUNK) - 1;
         chunk >= 0; --chunk) {
        const int64_t row = chunk * (ROWS * CHUNK) + threadIdx.x;
        const scalar_t *const T =
            w.T + (blockIdx.x * w.chunks + chunk) * (int64_t)(NC * NC);
        const int first = chunk == 0;
        scalar_t v[ROWS][NC];
#pragma unroll
        for (int r = 0; r < ROWS; ++r)
#pragma unroll
            for (int k = 0; k < NC; ++k)
                v[r][k] = row + r * CHUNK < s.rows && k < n
                              ? entry_of(&s, row + r * CHUNK, k)
                              : make(0, 0);
        if (first && row < NC) {
#pragma unroll
            for (int k = 0; k < NC; ++k)
                f.V[row][k] = v[0][k];
        }
        for (int k = threadIdx.x; k < NC * NC; k += CHUNK)
            f.T[k % NC][k / NC] = T[k];
        __syncthreads();
        find_Y<NC>(&f, n, first);
#pragma unroll
        for (int r = 0; r < ROWS; ++r)
            form_row<NC>(&f, &s, row + r * CHUNK, n, first, v[r]);
        __syncthreads();
        for (int k = threadIdx.x; k < NC * NC; k += CHUNK)
            f.W[k % NC][k / NC] = sub(f.W[k % NC][k / NC], f.Y[k / NC][k % NC]);
    }
}

/* -- geometry -------------------------------------------------------------------------- */

/* The most rows of a thread, and how many they are, which both kernels are told of the tallest
 * matrix */
template <int NC> struct most_rows {
    enum { VALUE = tall_at_once<NC, 2>::VALUE > 1 ? 2 : 1 };
};
static int rows_of_thread(const svd_batch_t *b)
{
    return max_i(b->m, b->n) > CHUNK ? 2 : 1;
}

#endif /* GSVD_BATCH_TALL_CUH */
