/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* steps.cuh -- the kernels of steps.cu.  In each, one block of threads passes over one matrix.  The
 * order of its sums and maxima depends only on the size of the matrix. */
#ifndef GSVD_BATCH_STEPS_CUH
#define GSVD_BATCH_STEPS_CUH

#include "batch/large_steps.h"
#include "batch/problem.h"
#include "core/pair.h"
#include "core/reduce.cuh"

enum {
    THREADS = 256,
    WARPS = THREADS / WARP,
    TILE = 32,
    TILE_ROWS = THREADS / TILE,
    AHEAD =
        4, /* entries of a column that a thread reads before it writes one, ... */
    BESIDE = 2 /* ... and columns that a warp has at a time                  */
};

/* -- in a block ------------------------------------------------------------------ */

/* The largest x of the block, in all threads; `part` has room for one number of each warp. */
static __device__ real_t largest_of_block(real_t x, real_t *part)
{
    const int lane = threadIdx.x % WARP, warp = threadIdx.x / WARP;

    for (int step = WARP / 2; step > 0; step /= 2)
        x = larger(x, __shfl_xor_sync(0xffffffff, x, step));
    if (lane == 0)
        part[warp] = x;
    __syncthreads();
    for (int other = 0; other < WARPS; ++other)
        x = larger(x, part[other]);
    __syncthreads(); /* part is free again                                    */
    return x;
}

static __device__ real_t sum_of_warp(real_t x)
{
    for (int step = WARP / 2; step > 0; step /= 2)
        x += __shfl_xor_sync(0xffffffff, x, step);
    return x;
}

/* A := I; all threads of a block */
static __device__ void set_identity(mat_t A)
{
    for (int64_t j = threadIdx.x / WARP; j < A.cols; j += WARPS)
        for (int64_t i = threadIdx.x % WARP; i < A.rows; i += WARP)
            AT(A, i, j) = make(i == j, 0);
}

/* -- batch_load ------------------------------------------------------------------- */

/* Column b of those that a warp has at a time, the first one is j; where there is none, j again */
static __device__ __forceinline__ int64_t beside(int64_t j, int b, int64_t cols)
{
    return j + b * WARPS < cols ? j + b * WARPS : j;
}

/* The exponent of A's scale; *finite: all entries are. */
static __device__ int find_scale(const shape_t *p, real_t *part, int *finite)
{
    real_t largest = 0;
    int all = 1;

    for (int64_t j = threadIdx.x / WARP; j < p->A.cols; j += BESIDE * WARPS)
        for (int64_t i = threadIdx.x % WARP; i < p->A.rows; i += WARP)
            for (int b = 0; b < BESIDE; ++b) {
                const scalar_t a = AT(p->A, i, beside(j, b, p->A.cols));
                largest = fmax_r(largest, abs_max(a));
                all &= finite_entry(a);
            }
    *finite = __syncthreads_and(all);
    largest = largest_of_block(largest, part);
    return *finite ? scale_exponent(largest, p->rows, p->cols) : 0;
}

/* X := 2^e A, or 0 if A is not finite, and V := X where V has data; length := those of its columns;
 * *shortest and *longest of the columns of this warp */
static __device__ void load(const shape_t *p, int e, int finite, mat_t X,
                            mat_t V, real_t *length, real_t *shortest,
                            real_t *longest)
{
    const power_t up = power_of(e);
    *shortest = GSVD_REAL_MAX;
    *longest = 0;
    for (int64_t j = threadIdx.x / WARP; j < X.cols; j += BESIDE * WARPS) {
        real_t square[BESIDE] = {0};
        for (int64_t i0 = threadIdx.x % WARP; i0 < X.rows; i0 += AHEAD * WARP) {
            scalar_t a[BESIDE][AHEAD];
#pragma unroll
            for (int b = 0; b < BESIDE; ++b)
#pragma unroll
                for (int k = 0; k < AHEAD; ++k)
                    a[b][k] = entry_of(p, min_i(i0 + k * WARP, X.rows - 1),
                                       beside(j, b, X.cols));
#pragma unroll
            for (int b = 0; b < BESIDE; ++b)
#pragma unroll
                for (int k = 0; k < AHEAD; ++k) {
                    const int64_t i = i0 + k * WARP;
                    const scalar_t x =
                        finite ? times_power(up, a[b][k]) : make(0, 0);
                    if (i < X.rows) {
                        AT(X, i, beside(j, b, X.cols)) = x;
                        if (V.data)
                            AT(V, i, beside(j, b, X.cols)) = x;
                        square[b] += abs2(x);
                    }
                }
        }
        for (int b = 0; b < BESIDE; ++b) {
            const real_t all = sum_of_warp(square[b]);
            const real_t norm = all > COLUMN_TINY ? sqrt_r(all) : 0;
            if (threadIdx.x % WARP == 0)
                length[beside(j, b, X.cols)] = norm;
            *shortest = norm < *shortest ? norm : *shortest;
            *longest = fmax_r(*longest, norm);
        }
    }
}

/* Rows that a warp compares at once, a lane's every WARP-th */
enum { ROW_GROUPS = 4 };
typedef real_t row_sizes_t[ROW_GROUPS][WARPS][WARP];

/* Are rows of X, whose columns have these lengths, to be sorted?  They are compared once columns
 * are alike.  Each warp has columns of its own. */
static __device__ int rows_apart(mat_t X, const real_t *column,
                                 row_sizes_t of_warps, real_t *part)
{
    const int lane = threadIdx.x % WARP, warp = threadIdx.x / WARP;
    real_t longest = 0, shortest = GSVD_REAL_MAX;
    for (int64_t i0 = 0; i0 < X.rows; i0 += ROW_GROUPS * WARP) {
        real_t size[ROW_GROUPS] = {0};
        for (int64_t j0 = warp; j0 < X.cols; j0 += BESIDE * WARPS)
#pragma unroll
            for (int b = 0; b < BESIDE; ++b) {
                const int64_t j = beside(j0, b, X.cols);
                const real_t over = column[j] > 0 ? 1 / column[j] : 0;
#pragma unroll
                for (int g = 0; g < ROW_GROUPS; ++g) {
                    const int64_t i = i0 + g * WARP + lane;
                    const real_t a = i < X.rows ? abs_max(AT(X, i, j)) : 0;
                    size[g] = fmax_r(size[g], a * over);
                }
            }
        for (int g = 0; g < ROW_GROUPS; ++g)
            of_warps[g][warp][lane] = size[g];
        __syncthreads();
        if (warp < ROW_GROUPS) {
            real_t all = 0;
            for (int k = 0; k < WARPS; ++k)
                all = fmax_r(all, of_warps[warp][k][lane]);
            longest = fmax_r(longest, all);
            shortest = all > 0 && all < shortest ? all : shortest;
        }
        __syncthreads();
    }
    longest = largest_of_block(longest, part);
    shortest = -largest_of_block(-shortest, part);
    return longest > 0 && X.cols > 1 && rows_are_sorted(longest, shortest);
}

/* grid: one block a matrix; block: 256 threads, a warp a column */
static __global__ void __launch_bounds__(THREADS)
    load_kernel(svd_batch_t b, mats_t X, mats_t V, steps_batch_t s)
{
    __shared__ real_t part[WARPS];
    __shared__ row_sizes_t of_warps;
    const int64_t i = blockIdx.x;
    const shape_t p = shape_of(&b, s.first + i);
    real_t shortest, longest;
    int finite;
    const int e = find_scale(&p, part, &finite);

    load(&p, e, finite, mats_at(X, i), mats_at(V, V.data ? i : 0),
         s.column + i * X.cols, &shortest, &longest);
    longest = largest_of_block(longest, part);
    shortest = -largest_of_block(-shortest, part); /* X is there             */
    const int graded =
        rows_apart(mats_at(X, i), s.column + i * X.cols, of_warps, part);
    if (threadIdx.x == 0) {
        const int apart = !(longest <= LENGTHS_APART * shortest);
        s.exponent[i] = e;
        s.left[i] = !finite  ? LEFT_NOT_FINITE
                    : graded ? LEFT_GRADED
                    : apart  ? LEFT_TO_JACOBI
                             : LEFT_NOT;
    }
}

/* -- batch_unitary ----------------------------------------------------------------------- */

/* grid: one block a matrix; block: 256 threads, a warp a column */
static __global__ void __launch_bounds__(THREADS)
    unitary_kernel(mats_t Es, mats_t Vs, steps_batch_t s)
{
    __shared__ real_t part[WARPS];
    const mat_t E = mats_at(Es, blockIdx.x);
    const int left = s.left[blockIdx.x];
    real_t defect = 0;

    for (int64_t j = threadIdx.x / WARP; j < E.cols; j += WARPS)
        for (int64_t i = threadIdx.x % WARP; i < E.rows; i += WARP)
            defect = larger(defect, abs_of(sub(AT(E, i, j), make(i == j, 0))));
    defect = largest_of_block(defect, part); /* and all have read `left`      */
    if (left != LEFT_NOT || !nearly_unitary(defect)) {
        set_identity(E);
        set_identity(mats_at(Vs, blockIdx.x));
        if (threadIdx.x == 0 && left == LEFT_NOT)
            s.left[blockIdx.x] = LEFT_TO_JACOBI;
    }
}

/* -- batch_angles ------------------------------------------------------------------------- */

typedef struct angles {
    scalar_t turned[TILE][TILE + 1], mirrored[TILE][TILE + 1];
    real_t part[WARPS];
} angles_t;

/* The cosines and the angles of a tile of pairs, from row i0 and column j0 on, on or below the
 * diagonal.  T(j,i) and E(j,i) go to `turned` and `mirrored`, so that they can be written by
 * columns, too.  E.data == NULL: there is no E.  *cosine, *missed: the largest cosine of the
 * thread's pairs, and of those without an angle */
static __device__ void tile_angles(mat_t C, mat_t E, const real_t *length,
                                   real_t least, real_t most, int64_t i0,
                                   int64_t j0, angles_t *s, real_t *cosine,
                                   real_t *missed)
{
    const int row = threadIdx.x % TILE;
    const int64_t i = i0 + row;
    const real_t small = small_angle(C.cols);

    for (int y = threadIdx.x / TILE; y < TILE; y += TILE_ROWS) {
        const int64_t j = j0 + y;
        if (j < i && i < C.cols) {
            const scalar_t h =
                E.data ? unitary_entry(0, AT(E, i, j)) : make(0, 0);
            const scalar_t c = gram_entry(AT(C, i, j), h, length[i], length[j]);
            real_t of_pair;
            const scalar_t t = step_angle(conj_of(c), length[j], length[i],
                                          least, small, most, &of_pair);
            *cosine = larger(*cosine, of_pair);
            *missed = larger(*missed, abs_of(t) > 0 ? 0 : of_pair);
            AT(C, i, j) = turned_angle(t, 0);
            s->turned[y][row] = t;
            if (E.data)
                s->mirrored[y][row] = conj_of(AT(E, i, j));
        } else if (i == j && j < C.cols)
            AT(C, j, j) = make(0, 0);
    }
}

/* E is Hermitian then: T is exact for the H that P has. */
static __device__ void put_above(mat_t C, mat_t E, int64_t i0, int64_t j0,
                                 const angles_t *s)
{
    const int column = threadIdx.x % TILE;
    const int64_t j = j0 + column;
    for (int y = threadIdx.x / TILE; y < TILE; y += TILE_ROWS)
        if (j < i0 + y && i0 + y < C.cols) {
            AT(C, j, i0 + y) = s->turned[column][y];
            if (E.data)
                AT(E, j, i0 + y) = s->mirrored[column][y];
        }
}

/* The largest sums over i of |T(i,j)| and of (|T(i,j)| + |H(i,j)|) d_i / d_j, of the columns of
 * this warp */
static __device__ void find_sums(mat_t T, mat_t E, const real_t *length,
                                 real_t *bound, real_t *u)
{
    *bound = *u = 0;
    for (int64_t j = threadIdx.x / WARP; j < T.cols; j += WARPS) {
        real_t sum = 0, weighted = 0;
        for (int64_t i = threadIdx.x % WARP; i < T.rows; i += WARP) {
            const real_t size = abs_of(AT(T, i, j));
            const scalar_t h =
                E.data ? unitary_entry(i == j, AT(E, i, j)) : make(0, 0);
            sum += size;
            weighted += (size + abs_of(h)) * length[i];
        }
        sum = sum_of_warp(sum);
        weighted = sum_of_warp(weighted);
        *bound = larger(*bound, sum);
        *u = larger(*u, weighted > 0 ? weighted / length[j] : 0);
    }
}

/* grid: one block a matrix; block: 256 threads, 32 x 8 of a tile or a warp a column */
static __global__ void __launch_bounds__(THREADS)
    angles_kernel(mats_t Cs, mats_t Es, real_t least, real_t given,
                  real_t enough, steps_batch_t s)
{
    __shared__ angles_t shared;
    const int64_t k = blockIdx.x;
    const mat_t C = mats_at(Cs, k), E = mats_at(Es, Es.data ? k : 0);
    real_t *const length = s.length + k * C.cols;
    const real_t most = s.left[k] == LEFT_NOT ? given : 0;
    real_t cosine = 0, missed = 0, bound, u;

    if (enough > 0 && !is_open(&s, k, enough)) {
        if (threadIdx.x == 0)
            s.bound[k] = 0;
        return;
    }
    for (int64_t j = threadIdx.x; j < C.cols; j += THREADS) {
        const real_t square = re(AT(C, j, j));
        length[j] = square > COLUMN_TINY ? sqrt_r(square) : 0;
    }
    __syncthreads();
    for (int64_t i0 = 0; i0 < C.cols; i0 += TILE)
        for (int64_t j0 = 0; j0 <= i0; j0 += TILE) {
            tile_angles(C, E, length, least, most, i0, j0, &shared, &cosine,
                        &missed);
            __syncthreads();
            put_above(C, E, i0, j0, &shared);
            __syncthreads();
        }
    find_sums(C, E, length, &bound, &u);
    cosine = largest_of_block(cosine, shared.part);
    missed = largest_of_block(missed, shared.part);
    bound = largest_of_block(bound, shared.part);
    u = largest_of_block(u, shared.part);
    if (threadIdx.x == 0) {
        s.cosine[k] = cosine_after(cosine, missed, bound, u);
        s.bound[k] = bound;
    }
}

/* -- batch_turns -------------------------------------------------------------------------- */

/* grid: x one matrix, y its parts; block: 256 threads, an entry each (striding) */
static __global__ void __launch_bounds__(THREADS)
    turns_kernel(mats_t T, mats_t S, mats_t R, mats_t E, real_t most,
                 steps_batch_t s, mats_t P)
{
    const int64_t k = blockIdx.x, n = P.rows;
    const scalar_t *const t = T.data + k * T.stride;
    const scalar_t *const second = S.data ? S.data + k * S.stride : NULL;
    const scalar_t *const third = R.data ? R.data + k * R.stride : NULL;
    const scalar_t *const e = E.data ? E.data + k * E.stride : NULL;
    scalar_t *const p = P.data + k * P.stride;
    const real_t scale_of_T = step_scale(s.bound[k], most);
    const scalar_t none = make(0, 0);

    for (int64_t at = (int64_t)blockIdx.y * THREADS + threadIdx.x; at < n * n;
         at += (int64_t)gridDim.y * THREADS) {
        const int diagonal = at % n == at / n;
        p[at] = add(turn_entry(diagonal, scale_of_T, t[at],
                               second ? second[at] : none,
                               third ? third[at] : none),
                    e ? unitary_entry(diagonal, e[at]) : none);
    }
}

/* -- batch_gram_open, batch_turn_open ------------------------------------------------------- */

/* Where few matrices are open, next to all blocks end at once: a library would take all. */

enum {
    SIDE =
        64, /* of a tile of the product: 16 x 16 threads, 4 x 4 entries each */
    DEPTH =
        16, /* of the factors that are in shared memory                       */
    ACROSS = 16,
    EACH = SIDE / ACROSS
};

typedef struct product {
    scalar_t a[DEPTH][SIDE + 1], b[DEPTH][SIDE + 1];
} product_t;

/* M(i,j), or 0 beyond M */
static __device__ scalar_t entry_or_zero(mat_t M, int64_t i, int64_t j)
{
    return i < M.rows && j < M.cols ? AT(M, i, j) : make(0, 0);
}

/* sum[r][c] := entry (i0 + x + 16 r, j0 + y + 16 c) of A^H B if ADJOINT, else of A B, where
 * threadIdx.x has the two digits x and y to the base 16 */
template <int ADJOINT>
static __device__ __forceinline__ void
multiply_tile(mat_t A, mat_t B, int64_t i0, int64_t j0, product_t *s,
              scalar_t (&sum)[EACH][EACH])
{
    const int x = threadIdx.x % ACROSS, y = threadIdx.x / ACROSS;

    for (int r = 0; r < EACH; ++r)
        for (int c = 0; c < EACH; ++c)
            sum[r][c] = make(0, 0);
    for (int64_t k0 = 0; k0 < B.rows; k0 += DEPTH) {
        for (int at = threadIdx.x; at < DEPTH * SIDE; at += THREADS) {
            const int k = at % DEPTH, j = at / DEPTH, i = at % SIDE;
            s->b[k][j] = entry_or_zero(B, k0 + k, j0 + j);
            if (ADJOINT)
                s->a[k][j] = conj_of(entry_or_zero(A, k0 + k, i0 + j));
            else
                s->a[at / SIDE][i] = entry_or_zero(A, i0 + i, k0 + at / SIDE);
        }
        __syncthreads();
        for (int k = 0; k < DEPTH; ++k)
            for (int r = 0; r < EACH; ++r)
                for (int c = 0; c < EACH; ++c)
                    sum[r][c] = mul_add(s->a[k][x + ACROSS * r],
                                        s->b[k][y + ACROSS * c], sum[r][c]);
        __syncthreads();
    }
}

/* A tile of matrix k of a batch */
typedef struct tile_of_batch {
    int64_t k, i0, j0;
} tile_of_batch_t;

static __host__ __device__ int64_t tiles_in(int64_t size)
{
    return (size + SIDE - 1) / SIDE;
}

static __device__ tile_of_batch_t my_tile(mats_t C)
{
    const int64_t down = tiles_in(C.rows), tiles = down * tiles_in(C.cols);
    const int64_t own = blockIdx.x % tiles;
    const tile_of_batch_t t = {blockIdx.x / tiles, own % down * SIDE,
                               own / down * SIDE};
    return t;
}

/* grid: a block for each tile of each matrix; block: 256 threads */
static __global__ void __launch_bounds__(THREADS)
    gram_open_kernel(mats_t X, steps_batch_t s, real_t enough, mats_t C)
{
    __shared__ product_t shared;
    const tile_of_batch_t t = my_tile(C);
    const mat_t A = mats_at(X, t.k), G = mats_at(C, t.k);
    const int64_t i = t.i0 + threadIdx.x % ACROSS;
    const int64_t j = t.j0 + threadIdx.x / ACROSS;
    scalar_t sum[EACH][EACH];

    if (!is_open(&s, t.k, enough) || t.i0 < t.j0)
        return;
    multiply_tile<1>(A, A, t.i0, t.j0, &shared, sum);
    for (int r = 0; r < EACH; ++r)
        for (int c = 0; c < EACH; ++c)
            if (i + ACROSS * r < G.rows && j + ACROSS * c < G.cols)
                AT(G, i + ACROSS * r, j + ACROSS * c) = sum[r][c];
}

/* W := X (I + t T); grid: a block for each tile of each matrix; block: 256 threads */
static __global__ void __launch_bounds__(THREADS)
    turn_open_kernel(mats_t T, real_t most, steps_batch_t s, mats_t X, mats_t W)
{
    __shared__ product_t shared;
    const tile_of_batch_t t = my_tile(X);
    const mat_t from = mats_at(X, t.k), to = mats_at(W, t.k);
    const int64_t i = t.i0 + threadIdx.x % ACROSS;
    const int64_t j = t.j0 + threadIdx.x / ACROSS;
    const real_t bound = s.bound[t.k], part = step_scale(bound, most);
    scalar_t sum[EACH][EACH];

    if (bound == 0)
        return;
    multiply_tile<0>(from, mats_at(T, t.k), t.i0, t.j0, &shared, sum);
    for (int r = 0; r < EACH; ++r)
        for (int c = 0; c < EACH; ++c) {
            const int64_t ir = i + ACROSS * r, jc = j + ACROSS * c;
            if (ir < to.rows && jc < to.cols)
                AT(to, ir, jc) = add(AT(from, ir, jc), scale(part, sum[r][c]));
        }
}

/* X := W; grid: x one matrix, y its parts; block: 256 threads, an entry each (striding) */
static __global__ void __launch_bounds__(THREADS)
    keep_open_kernel(mats_t W, steps_batch_t s, mats_t X)
{
    const int64_t k = blockIdx.x;

    if (s.bound[k] == 0)
        return;
    for (int64_t at = (int64_t)blockIdx.y * THREADS + threadIdx.x;
         at < X.rows * X.cols; at += (int64_t)gridDim.y * THREADS)
        X.data[k * X.stride + at] = W.data[k * W.stride + at];
}

#endif /* GSVD_BATCH_STEPS_CUH */
