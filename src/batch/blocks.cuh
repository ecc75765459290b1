/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* blocks.cuh -- one-sided Jacobi on blocks of columns, for matrices with more columns than a warp
 * has in its registers.  The host does not wait.
 *
 *     block of threads    one matrix at a time, up to 8 warps
 *     warp                one meeting of a step: two blocks of columns that no other warp has, X of
 *                         NC columns together
 *     lane                one column of H, then one row of R D W and of W; with NC = 16 both halves
 *                         of the warp do the same
 *
 * A meeting:
 *
 *     H = X^H X             the cosines decide whether there is anything to do
 *     H = D R^H R D         Cholesky of the cosines, D the lengths
 *     R D W orthogonal      one sweep in registers, or two: columns.cuh
 *     X := X W,  V := V W
 *
 * __syncthreads ends each step of the ordering.  Cholesky's rounding moves cosines by a few eps, as
 * that of a product does, so that the lengths of columns may differ by any factor.  A column that
 * depends on others has a pivot of rounding errors; the pivot is taken as 0, and later sweeps see
 * the column by itself.
 *
 * The products X^H X, X W and V W are on the tensor cores, in double precision for every letter.
 * Before that they were ordinary arithmetic, the ordering was round robin, and a meeting had one
 * sweep.  Measured then, 1000 matrices on an H200 in double:
 *
 *     order   ms             at order 128
 *      64     3.5            FP64 instructions   4.4e9, 35 % of the rate, 2/5 in these products
 *     128     26             cycles that issue   42 %
 *     256     204 to 223     memory traffic      30 GB, 1.1 TB/s
 *
 * The chain of the rounds bounds it, as in svd.cu, with one meeting a warp.
 *
 * This file also ends the large steps of a batch, as the CUDA twin of finish.c.  It starts from the
 * X = A V that they leave; if the columns of X are known to be orthogonal, there is no sweep. */
#ifndef GSVD_BATCH_BLOCKS_CUH
#define GSVD_BATCH_BLOCKS_CUH

#include "batch/graded.h"
#include "batch/large_steps.h"
#include "batch/problem.cuh"
#include "core/wide.cuh"
#include "jacobi/ordering.h"

enum {
    NC = sizeof(scalar_t) == 16 ? 16 : 32, /* columns of a meeting           */
    HALF = NC / 2,
    EIGHTS = NC / 8,
    LD = NC + 1,   /* of H, then R, in shared memory, by rows                */
    LD_W = NC + 4, /* of W, by columns, in the same memory                   */
    OF_W = NC * LD_W,
    OF_TERMS = terms<NC>::WORDS * AT_ONCE_READ, /* in it between R and W      */
    TILE = OF_W > OF_TERMS ? OF_W : OF_TERMS,
    WARPS = 8, /* the most of a block of threads                         */
    ROUND_ROBIN = 8, /* the most blocks of columns for that ordering         */
    MOST_COLUMNS = 1024
};

/* A meeting that finds a cosine above TWICE_ABOVE takes two sweeps in registers, from TWICE_FROM
 * columns on: the second sweep costs less than another meeting.  Meetings at 512 columns:
 *
 *                            two sweeps   one sweep
 *     values over 1e10          4478        6319
 *     a random matrix           4092        4100        */
#define TWICE_ABOVE ((real_t)0.4)
enum { TWICE_FROM = 65 };

/* Two blocks of columns of one matrix; some[b]: the number of columns that block b has */
typedef struct panel {
    scalar_t *first[2];
    int some[2];
    int64_t rows, ld;
} panel_t;

static __device__ __forceinline__ panel_t panel_of(mat_t G, int64_t p,
                                                   int64_t q)
{
    panel_t x;
    x.first[0] = &AT(G, 0, p * HALF);
    x.first[1] = &AT(G, 0, q * HALF);
    x.some[0] = (int)max_i(0, min_i(HALF, G.cols - p * HALF));
    x.some[1] = (int)max_i(0, min_i(HALF, G.cols - q * HALF));
    x.rows = G.rows;
    x.ld = G.ld;
    return x;
}

/* X(row, first + column), 0 beyond X.  The eight columns from `first` on belong to one block. */
static __device__ __forceinline__ scalar_t entry_of_panel(const panel_t *p,
                                                          int64_t row,
                                                          int first, int column)
{
    const int b = first / HALF, k = first % HALF + column;
    return row < p->rows && k < p->some[b] ? p->first[b][row + k * p->ld]
                                           : make(0, 0);
}

/* The number of blocks of columns of a matrix, two at least */
static __host__ __device__ __forceinline__ int64_t blocks_of(int64_t n)
{
    return max_i((n + HALF - 1) / HALF, 2);
}

/* -- one meeting, by a warp ------------------------------------------------------ */

/* The warp's sum X^H X as 8 x 8 products on the tensor cores (core/wide.cuh), which add 4 rows at a
 * time to two such products above each other */
typedef struct gram {
    double x[EIGHTS][EIGHTS][WIDE_PARTS][2];
} gram_t;

/* Is product (i, j) computed?  Those on and above the diagonal are, and those below it that are the
 * second one of such a pair. */
static __device__ __forceinline__ int is_in_gram(int i, int j)
{
    return i <= (j | 1);
}

/* sum := sum + part, part := 0 */
static __device__ __forceinline__ void add_part(gram_t *sum, gram_t *part)
{
#pragma unroll
    for (int j = 0; j < EIGHTS; ++j)
#pragma unroll
        for (int i = 0; i < EIGHTS; ++i)
#pragma unroll
            for (int at = 0; is_in_gram(i, j) && at < 2 * WIDE_PARTS; ++at) {
                sum->x[i][j][at / 2][at % 2] += part->x[i][j][at / 2][at % 2];
                part->x[i][j][at / 2][at % 2] = 0;
            }
}

/* h := h + X^H X for the 4 rows from `row` on */
static __device__ __forceinline__ void multiply_rows(const panel_t *p,
                                                     int64_t row, gram_t *h)
{
    const int lane = threadIdx.x % LANES;
    wide_t x[EIGHTS];
#pragma unroll
    for (int i = 0; i < EIGHTS; ++i)
        x[i] = widen(entry_of_panel(p, row + lane % 4, 8 * i, lane / 4));
#pragma unroll
    for (int j = 0; j < EIGHTS; ++j)
#pragma unroll
        for (int i = 0; i <= j; i += 2)
            wide_mma_pair(h->x[i][j], h->x[i + 1][j], wide_conj(x[i]),
                          wide_conj(x[i + 1]), x[j]);
}

/* tile := X^H X.  Each LANES rows have a partial sum.  If all rows were added one after the other,
 * and rounding is the same in many rows, the error would exceed the tolerance; a Hadamard matrix
 * with 128 rows is an example. */
static __device__ void find_products(const panel_t *p, scalar_t *tile)
{
    const int lane = threadIdx.x % LANES;
    gram_t h, part;
    memset(&h, 0, sizeof h);
    memset(&part, 0, sizeof part);
    for (int64_t begin = 0; begin < p->rows; begin += LANES) {
#pragma unroll
        for (int k = 0; k < LANES; k += 4)
            multiply_rows(p, begin + k, &part);
        add_part(&h, &part);
    }
    __syncwarp();
#pragma unroll
    for (int j = 0; j < EIGHTS; ++j)
#pragma unroll
        for (int i = 0; i <= j; ++i)
#pragma unroll
            for (int e = 0; e < 2; ++e) {
                const int row = 8 * i + lane / 4,
                          column = 8 * j + 2 * (lane % 4) + e;
                const scalar_t a = narrow(wide_of(h.x[i][j], e));
                if (i < j || row <= column) {
                    tile[row * LD + column] = a;
                    tile[column * LD + row] = conj_of(a);
                }
            }
    __syncwarp();
}

/* h := column `lane` of the cosines of H; *square := the squared length of column `lane` of X.
 * Returns the number of sweeps: 0 if no cosine exceeds tol, 2 if one exceeds `twice`, else 1.  Each
 * team of NC lanes does the same. */
static __device__ int find_cosines(const scalar_t *tile, scalar_t (&h)[NC],
                                   int lane, real_t tol, real_t twice,
                                   real_t *square)
{
    const real_t mine = re(tile[lane * LD + lane]);
    const real_t over = mine > COLUMN_TINY ? rsqrt_r(mine) : 0;
    real_t largest = 0;
#pragma unroll
    for (int i = 0; i < NC; ++i) {
        const real_t other = __shfl_sync(ALL_LANES, over, i, NC);
        const scalar_t c = scale(other, scale(over, tile[i * LD + lane]));
        largest = fmax_r(largest, i != lane ? abs_of(c) : 0);
        h[i] = i == lane ? make(over > 0, 0) : c;
    }
    *square = over > 0 ? mine : 0;
    return (__any_sync(ALL_LANES, largest > tol) != 0) +
           (__any_sync(ALL_LANES, largest > twice) != 0);
}

/* The teams of a warp compute the same; the first one stores it. */
static __device__ __forceinline__ int is_first_team(void)
{
    return threadIdx.x % LANES < NC;
}

/* tile := R with H = R^H R, row by row.  Lane j has column j of H in h, which moves up by one entry
 * in each step. */
static __device__ void find_triangle(scalar_t *tile, scalar_t (&h)[NC],
                                     int lane)
{
#pragma unroll 1
    for (int i = 0; i < NC; ++i) {
        const real_t pivot = __shfl_sync(ALL_LANES, re(h[0]), i, NC);
        const real_t over = pivot > NC * GSVD_EPS ? rsqrt_r(pivot) : 0;
        const scalar_t r = lane < i ? make(0, 0) : scale(over, h[0]);
        scalar_t *const row = tile + i * LD;
        if (is_first_team())
            row[lane] = r;
        __syncwarp();
#pragma unroll
        for (int l = 0; l < NC - 1; ++l) {
            const int k = i + 1 + l < NC ? i + 1 + l : i; /* any             */
            h[l] = mul_add(scale(-1, conj_of(row[k])), r, h[l + 1]);
        }
    }
}

/* W := the product of the rotations that make the columns of R D orthogonal, D the lengths; its
 * column j is stored at tile + j LD_W.  A lane has a row.  Each team does the same. */
static __device__ void find_turns(scalar_t *tile, told_t *told, real_t square,
                                  int lane, real_t tol, int sweeps)
{
    scalar_t a[NC], v[NC];
    problem_t q;
    q.n = NC;
    q.lane = lane;
    q.on = 1;
    q.reversed = 0;
    q.plus = ALL_LANES;
    q.tol = tol;
    q.told = told;
    q.terms = (words_t *)tile;
    const real_t length = sqrt_r(square);
#pragma unroll
    for (int k = 0; k < NC; ++k) {
        a[k] =
            scale(__shfl_sync(ALL_LANES, length, k, NC), tile[lane * LD + k]);
        v[k] = make(k == lane, 0);
    }
    __syncwarp(); /* All lanes have read R.                                  */
#pragma unroll 1
    for (int k = 0; k < sweeps; ++k) {
        q.norm = square_of_mine<NC>(&q, a);
        (void)sweep<NC, 0>(a, v, &q, 0, NC);
        q.reversed ^= 1;
    }
    __syncwarp();
#pragma unroll
    for (int k = 0; k < NC; ++k)
        if (is_first_team())
            tile[(q.reversed ? NC - 1 - k : k) * LD_W + lane] = v[k];
    __syncwarp();
}

/* The lane's entries of the 16 rows from `row` on, as two left factors of 8 rows */
typedef struct rows {
    scalar_t x[2][NC / 4];
} rows_t;

static __device__ __forceinline__ void load_rows(const panel_t *p, int64_t row,
                                                 rows_t *a)
{
    const int lane = threadIdx.x % LANES;
#pragma unroll
    for (int k = 0; k < NC / 4; ++k)
#pragma unroll
        for (int half = 0; half < 2; ++half)
            a->x[half][k] =
                entry_of_panel(p, row + 8 * half + lane / 4, 4 * k, lane % 4);
}

/* Columns 8 j to 8 j + 7 of these rows := a W */
static __device__ __forceinline__ void turn_rows(const panel_t *p, int64_t row,
                                                 const rows_t *a,
                                                 const scalar_t *W, int j)
{
    const int lane = threadIdx.x % LANES;
    double x[2][WIDE_PARTS][2];
    memset(x, 0, sizeof x);
#pragma unroll
    for (int k = 0; k < NC / 4; ++k)
        wide_mma_pair(x[0], x[1], widen(a->x[0][k]), widen(a->x[1][k]),
                      widen(W[(8 * j + lane / 4) * LD_W + 4 * k + lane % 4]));
#pragma unroll
    for (int half = 0; half < 2; ++half)
#pragma unroll
        for (int e = 0; e < 2; ++e) {
            const int64_t i = row + 8 * half + lane / 4;
            const int b = 8 * j / HALF, k = 8 * j % HALF + 2 * (lane % 4) + e;
            if (i < p->rows && k < p->some[b])
                p->first[b][i + k * p->ld] = narrow(wide_of(x[half], e));
        }
}

/* X := X W.  The next rows are loaded while these are turned. */
static __device__ void turn_panel(const panel_t *p, const scalar_t *W)
{
    rows_t next;
    load_rows(p, 0, &next);
    for (int64_t row = 0; row < p->rows; row += 16) {
        const rows_t a = next;
        load_rows(p, row + 16, &next);
        __syncwarp(); /* All lanes have read the rows that are written now. */
#pragma unroll
        for (int j = 0; j < EIGHTS; ++j)
            turn_rows(p, row, &a, W, j);
    }
}

/* Blocks of columns p < q meet; returns 1 if they were turned.  The longer columns go to block p,
 * so that the missing columns at the end of the last block, which count as 0, stay there. */
static __device__ __noinline__ int meet(const mat_t *G, const mat_t *V,
                                        int64_t p, int64_t q, real_t tol,
                                        scalar_t *tile, told_t *told)
{
    const int lane = threadIdx.x % NC;
    real_t square;
    int sweeps;
    {
        scalar_t h[NC];
        const panel_t of_G = panel_of(*G, p, q);
        find_products(&of_G, tile);
        sweeps = find_cosines(tile, h, lane, tol,
                              G->cols < TWICE_FROM ? 2 : TWICE_ABOVE, &square);
        if (sweeps == 0)
            return 0;
        __syncwarp();
        find_triangle(tile, h, lane);
    }
    __syncwarp();
    find_turns(tile, told, square, lane, tol / 4, sweeps);
    const panel_t of_G = panel_of(*G, p, q);
    turn_panel(&of_G, tile);
    const panel_t of_V = panel_of(*V, p, q);
    turn_panel(&of_V, tile);
    return 1;
}

/* -- one matrix, by a block of threads ------------------------------------------------ */

/* The shared memory of a block of threads; each warp's told_t, then each warp's tile lie behind */
typedef struct shared {
    mat_t G, V;
    real_t largest[WARPS];
    real_t first[MOST_COLUMNS], length[MOST_COLUMNS];
    int place[MOST_COLUMNS];
} shared_t;

enum { SHARED_BYTES = (sizeof(shared_t) + 15) / 16 * 16 };

static __device__ __forceinline__ told_t *told_of(shared_t *s, int warp)
{
    return (told_t *)((char *)s + SHARED_BYTES) + warp;
}

static __device__ __forceinline__ scalar_t *tile_of(shared_t *s, int warp)
{
    return (scalar_t *)told_of(s, blockDim.x / LANES) + warp * TILE;
}

/* The exponent of A's scale; *infinite := 1 if an entry is not finite */
static __device__ int find_scale(const shape_t *x, shared_t *s, int *infinite)
{
    const int warps = blockDim.x / LANES, lane = threadIdx.x % LANES;
    real_t largest = 0;
    *infinite = 0;
    for (int64_t j = threadIdx.x / LANES; j < x->A.cols; j += warps)
        for (int64_t i = lane; i < x->A.rows; i += LANES) {
            const scalar_t a = AT(x->A, i, j);
            largest = fmax_r(largest, abs_max(a));
            *infinite |= !finite_entry(a);
        }
    largest = most_of<LANES>(largest);
    if (lane == 0)
        s->largest[threadIdx.x / LANES] = largest;
    *infinite = __syncthreads_or(*infinite);
    for (int i = 0; i < warps; ++i)
        largest = fmax_r(largest, s->largest[i]);
    return *infinite ? 0 : scale_exponent(largest, x->rows, x->cols);
}

/* G := 2^e times the tall matrix, in place of A or in the work; V := I; s->length[j] := 1 if
 * column j of A is not 0, else 0 */
static __device__ void load_matrix(const shape_t *x, mat_t G, mat_t V, int e,
                                   shared_t *s)
{
    const power_t up = power_of(e);
    const int warps = blockDim.x / LANES, lane = threadIdx.x % LANES;
    for (int64_t j = threadIdx.x / LANES; j < x->cols; j += warps) {
        int some = 0;
        for (int64_t i = lane; i < x->rows; i += LANES) {
            const scalar_t a = entry_of(x, i, j);
            some |= abs_max(a) > 0;
            AT(G, i, j) = times_power(up, a);
        }
        some = __any_sync(ALL_LANES, some);
        if (lane == 0)
            s->length[j] = (real_t)some;
        for (int64_t i = lane; V.data && i < x->cols; i += LANES)
            AT(V, i, j) = make(i == j, 0);
    }
    __syncthreads();
}

/* length := the lengths of G's columns.  A warp reads two at a time. */
static __device__ void find_lengths(mat_t G, real_t *length)
{
    const int warps = blockDim.x / LANES, lane = threadIdx.x % LANES;
    for (int64_t j = threadIdx.x / LANES; j < G.cols; j += 2 * warps) {
        const int64_t column[2] = {j, j + warps < G.cols ? j + warps : j};
        real_t square[2] = {0, 0};
        for (int64_t i = lane; i < G.rows; i += LANES)
            for (int k = 0; k < 2; ++k)
                square[k] += abs2(AT(G, i, column[k]));
        for (int k = 0; k < 2; ++k) {
            const real_t all = re(sum_of(ALL_LANES, LANES, make(square[k], 0)));
            if (lane == 0)
                length[column[k]] = all > COLUMN_TINY ? sqrt_r(all) : 0;
        }
    }
    __syncthreads();
}

/* s->length[j] := 1 if column j of A is not 0, else 0.  It reads column j only if s->first[j], the
 * length of G's column, is 0. */
static __device__ void find_columns(const shape_t *x, shared_t *s)
{
    const int warps = blockDim.x / LANES, lane = threadIdx.x % LANES;
    for (int64_t j = threadIdx.x / LANES; j < x->cols; j += warps) {
        int some = s->first[j] > 0;
        for (int64_t i = lane; i < x->rows && s->first[j] == 0; i += LANES)
            some |= abs_max(entry_of(x, i, j)) > 0;
        some = __any_sync(ALL_LANES, some);
        if (lane == 0)
            s->length[j] = (real_t)some;
    }
    __syncthreads();
}

/* Has A columns that are not 0, as s->length says, but too short for squares in G? */
static __device__ int loses_columns(int64_t n, const shared_t *s)
{
    int lost = 0;
    for (int64_t j = threadIdx.x; j < n; j += blockDim.x)
        lost |= s->length[j] > 0 && s->first[j] == 0;
    return __syncthreads_or(lost);
}

/* Are there columns of G with such small errors that a value whose square underflows may be more
 * than rounding?  A column has an error of eps times its length at the start. */
static __device__ int may_lose_values(int64_t n, const shared_t *s)
{
    int little = 0;
    for (int64_t j = threadIdx.x; j < n; j += blockDim.x) {
        const real_t error = GSVD_EPS * s->first[j];
        little |= s->first[j] > 0 && error * error < COLUMN_TINY;
    }
    return __syncthreads_or(little);
}

/* Has G columns that are not 0, but too short for squares? */
static __device__ int loses_values(mat_t G, shared_t *s)
{
    const int warps = blockDim.x / LANES, lane = threadIdx.x % LANES;
    int lost = 0;
    find_lengths(G, s->length);
    for (int64_t j = threadIdx.x / LANES; j < G.cols; j += warps)
        for (int64_t i = lane; i < G.rows && s->length[j] == 0; i += LANES)
            lost |= abs_max(AT(G, i, j)) > 0;
    return __syncthreads_or(lost);
}

/* Sets columns to 0 that consist of rounding errors, as drop_noise of columns.cuh does. */
static __device__ void drop_errors(mat_t G, mat_t V, shared_t *s, real_t tol)
{
    const int warps = blockDim.x / LANES, lane = threadIdx.x % LANES;
    const real_t least = part_of_errors(tol, G.rows);
    find_lengths(G, s->length);
    for (int64_t j = threadIdx.x / LANES; j < G.cols; j += warps) {
        real_t most = 0;
        for (int64_t i = lane; i < G.cols; i += LANES)
            most = fmax_r(most, abs_max(AT(V, i, j)) * s->first[i]);
        most = most_of<LANES>(most);
        if (s->length[j] <= least * most)
            for (int64_t i = lane; i < G.rows; i += LANES)
                AT(G, i, j) = make(0, 0);
    }
    __syncthreads();
}

/* Meetings are in the order of the modulus strategy, whose sweeps sort the columns; but an even
 * number of at most ROUND_ROBIN blocks meets in round robin, which needs one step less a sweep and
 * hardly more sweeps.  Sweeps at 512 columns:
 *
 *                                          modulus    round robin
 *     values over 1e10, double               15           27
 *     values over 1e10, complex double       19           37
 *     random matrices                        11        12 or 13     */
static __device__ __forceinline__ int by_round_robin(int64_t blocks)
{
    return blocks % 2 == 0 && blocks <= ROUND_ROBIN;
}

/* Meeting number k of a step is that of blocks p < q; returns 0 if there is none. */
static __device__ __forceinline__ int
find_meeting(int64_t blocks, int64_t step, int64_t k, int64_t *p, int64_t *q)
{
    int64_t a, b;
    if (!by_round_robin(blocks))
        return ordering_pair(blocks, step, k, p, q);
    round_robin_pair(blocks, step, k, &a, &b);
    *p = min_i(a, b);
    *q = max_i(a, b);
    return 1;
}

/* All pairs of blocks once; returns whether a pair was turned. */
static __device__ int sweep_blocks(shared_t *s, real_t tol)
{
    const int64_t blocks = blocks_of(s->G.cols);
    const int robin = by_round_robin(blocks);
    const int64_t steps = robin ? blocks - 1 : ordering_steps(blocks);
    const int warps = blockDim.x / LANES, warp = threadIdx.x / LANES;
    int turned = 0;
    for (int64_t step = 0; step < steps; ++step) {
        const int64_t some = robin ? blocks / 2 : ordering_pairs(blocks, step);
        for (int64_t k = warp; k < some; k += warps) {
            int64_t p, q;
            if (find_meeting(blocks, step, k, &p, &q))
                turned |= meet(&s->G, &s->V, p, q, tol, tile_of(s, warp),
                               told_of(s, warp));
        }
        __syncthreads();
    }
    return __syncthreads_or(turned);
}

/* s->length := the values, s->first := the lengths of V's columns.  A value is the length of a
 * column of G = A V over that of V's column: rounding makes both longer or shorter by the same
 * factor.  These errors add up, since the diagonal entry 1 - angle^2 / 2 of W is rounded to 1 for
 * each small angle.  For a matrix of uniform numbers of order 512, in single precision, the
 * longest column was 71 eps too long. */
static __device__ void find_values(mat_t G, mat_t V, shared_t *s)
{
    find_lengths(G, s->length);
    find_lengths(V, s->first);
    for (int64_t j = threadIdx.x; j < G.cols; j += blockDim.x)
        s->length[j] /= s->first[j];
    __syncthreads();
}

/* s->place := the places by descending value; returns the number of values that are not 0. */
static __device__ int64_t sort_columns(mat_t G, shared_t *s)
{
    int64_t some = 0;
    for (int64_t j = threadIdx.x; j < G.cols; j += blockDim.x) {
        int place = 0;
        for (int64_t i = 0; i < G.cols; ++i)
            place += s->length[i] > s->length[j] ||
                     (s->length[i] == s->length[j] && i < j);
        s->place[j] = place;
    }
    for (int64_t j = 0; j < G.cols; ++j)
        some += s->length[j] > 0;
    __syncthreads();
    return some;
}

/* Stores the values 2^-e s->length; returns whether one is infinite. */
static __device__ int store_values(const shape_t *x, const shared_t *s, int e)
{
    int infinite = 0;
    for (int64_t j = threadIdx.x; j < x->cols; j += blockDim.x) {
        const real_t value = ldexp_near(s->length[j], -e, 64 * GSVD_EPS);
        infinite |= !(value <= GSVD_REAL_MAX);
        x->sigma[s->place[j]] = value;
    }
    return __syncthreads_or(infinite);
}

/* Columns that a warp stores at a time, each over some number; a thread reads AHEAD entries of each of
 * them before it writes one. */
enum { AHEAD = 4, BESIDE = 2 };
typedef struct stored {
    const scalar_t *from;
    scalar_t *to;
    real_t over;
} stored_t;

/* to := over times from, of so many rows; row i goes to row to_row[i], unless that is NULL. */
static __device__ __forceinline__ void
store_columns(const stored_t (&c)[BESIDE], int64_t rows, const int *to_row)
{
    for (int64_t i0 = threadIdx.x % LANES; i0 < rows; i0 += AHEAD * LANES) {
        scalar_t x[BESIDE][AHEAD];
#pragma unroll
        for (int b = 0; b < BESIDE; ++b)
#pragma unroll
            for (int k = 0; k < AHEAD; ++k)
                x[b][k] = c[b].from[min_i(i0 + k * LANES, rows - 1)];
#pragma unroll
        for (int b = 0; b < BESIDE; ++b)
#pragma unroll
            for (int k = 0; k < AHEAD; ++k) {
                const int64_t i = i0 + k * LANES;
                if (i < rows)
                    c[b].to[to_row ? to_row[i] : i] = scale(c[b].over, x[b][k]);
            }
    }
}

/* to := the columns of `from`, in order, over the lengths of V's, and, if it is G, over the values */
static __device__ __forceinline__ void store_factor(mat_t to, mat_t from,
                                                    const shared_t *s, int is_G,
                                                    const int *to_row)
{
    const int warps = blockDim.x / LANES;
    for (int64_t j0 = threadIdx.x / LANES; j0 < from.cols && to.data;
         j0 += BESIDE * warps) {
        stored_t c[BESIDE];
        for (int b = 0; b < BESIDE; ++b) {
            const int64_t j = j0 + b * warps < from.cols ? j0 + b * warps : j0;
            c[b].from = &AT(from, 0, j);
            c[b].to = &AT(to, 0, s->place[j]);
            c[b].over = !is_G              ? 1 / s->first[j]
                        : s->length[j] > 0 ? 1 / s->first[j] / s->length[j]
                                           : 0;
        }
        store_columns(c, from.rows, to_row);
    }
}

/* U := G's columns.  Row i goes to row to_row[i], unless that is NULL.  Columns from `some` on :=
 * orthonormal ones */
static __device__ void store_left(mat_t U, mat_t G, const shared_t *s,
                                  const int *to_row, int64_t some)
{
    const int lane = threadIdx.x % LANES;
    store_factor(U, G, s, 1, to_row);
    __syncthreads();
    if (U.data && some < G.cols && threadIdx.x < LANES)
        complete(U, some, ALL_LANES, lane, LANES);
}

static __device__ void store_right(mat_t right, mat_t V, const shared_t *s)
{
    store_factor(right, V, s, 0, NULL);
}

/* Stores all results; returns whether a value is infinite. */
static __device__ int store_results(const shape_t *x, mat_t G, mat_t V,
                                    shared_t *s, int e)
{
    find_values(G, V, s);
    const int64_t some = sort_columns(G, s);
    const int infinite = store_values(x, s, e);
    store_right(x->V, V, s);
    store_left(mat_view(x->U.data, x->rows, x->cols, x->U.ld), G, s, NULL,
               some);
    __syncthreads();
    return infinite;
}

/* -- rows that differ (graded.h) ----------------------------------------------------------- */

static __device__ crew_t crew_of_block(void)
{
    crew_t c;
    c.lane = threadIdx.x % LANES;
    c.lanes = LANES;
    c.squad = threadIdx.x / LANES;
    c.squads = blockDim.x / LANES;
    c.mask = ALL_LANES;
    return c;
}

/* The largest x of the block, in all threads.  Needs a barrier before; ends with one. */
static __device__ real_t largest_of_threads(real_t x, shared_t *s)
{
    x = most_of<LANES>(x);
    if (threadIdx.x % LANES == 0)
        s->largest[threadIdx.x / LANES] = x;
    __syncthreads();
    for (int i = 0; i < (int)blockDim.x / LANES; ++i)
        x = fmax_r(x, s->largest[i]);
    __syncthreads();
    return x;
}

/* Are the rows of G to be sorted?  `column` has the lengths of G's columns: rows are compared after
 * scaling each column to length 1.  Each thread has rows of its own. */
static __device__ int rows_apart(mat_t G, const real_t *column, shared_t *s)
{
    real_t longest = 0, shortest = GSVD_REAL_MAX;
    for (int64_t i = threadIdx.x; i < G.rows; i += blockDim.x) {
        real_t size = 0;
        for (int64_t j = 0; j < G.cols; ++j)
            if (column[j] > 0)
                size = fmax_r(size, abs_max(AT(G, i, j)) / column[j]);
        longest = fmax_r(longest, size);
        shortest = size > 0 && size < shortest ? size : shortest;
    }
    longest = largest_of_threads(longest, s);
    shortest = -largest_of_threads(-shortest, s);
    return longest > 0 && G.cols > 1 && rows_are_sorted(longest, shortest);
}

/* Stores the results of the tall matrix T from those of R^H, G V = W Sigma; returns whether a value
 * is infinite. */
static __device__ int store_graded(const shape_t *x, mat_t T, mat_t G, mat_t V,
                                   shared_t *s, int e, const int *row,
                                   const int *pivot)
{
    const int lane = threadIdx.x % LANES, warps = blockDim.x / LANES;
    shape_t tall = *x;
    tall.A = T;
    tall.transposed = 0;
    find_values(G, V, s);
    const int64_t some = sort_columns(G, s);
    const int infinite = store_values(x, s, e);
    store_left(x->V, G, s, pivot, some);
    __syncthreads();
    if (!x->U.data)
        return infinite;
    for (int64_t j = threadIdx.x / LANES; j < x->cols; j += warps)
        for (int64_t i = x->cols + lane; i < x->rows; i += LANES)
            AT(x->U, i, j) = make(0, 0);
    store_right(G, V, s);
    graded_apply(crew_of_block(), tall, row,
                 mat_view(x->U.data, x->rows, x->cols, x->U.ld));
    return infinite;
}

/* The room for graded.h's numbers in the work of a block of threads, in scalars */
static __host__ __device__ int64_t numbers_of(int64_t n)
{
    const int64_t bytes = 2 * n * (int64_t)sizeof(int);
    return (bytes + (int64_t)sizeof(scalar_t) - 1) / (int64_t)sizeof(scalar_t);
}

/* The work of a block of threads, in scalars: the tall matrix, if A is not tall; V, at *of_V; the
 * numbers of graded.h */
static __host__ __device__ int64_t work_of(const svd_batch_t *b, int64_t *of_V)
{
    const int64_t n = min_i(b->m, b->n), rows = max_i(b->m, b->n);
    const int transposed = b->each_m || b->m < b->n;
    *of_V = transposed ? rows * n : 0;
    return *of_V + n * n + numbers_of(n);
}

/* Sweeps until the columns of G are orthogonal, and stores the results of problem i.  row: the
 * numbers of graded.h, whose factor R^H takes G's place; NULL: rows are alike.  On entry s->first
 * holds the lengths of G's columns, and s->length says which columns of A are not 0. */
static __device__ __forceinline__ void
sweep_and_store(const svd_batch_t *b, int64_t i, const shape_t *x, mat_t T,
                mat_t V, shared_t *s, real_t tol, int e, int sweeps, int *row)
{
    int on = 1, fit = SOME_MAY_NOT, lost = loses_columns(x->cols, s);
    int *const pivot = row ? row + x->cols : NULL;
    const mat_t G = row ? graded_place(T, x->U) : T;
    if (row) {
        shape_t tall = *x;
        tall.A = T;
        tall.transposed = 0;
        fit = graded_factor(crew_of_block(), tall, 0, s->length, row, pivot);
        graded_start(crew_of_block(), T, G);
        find_lengths(G, s->first);
    }
    if (threadIdx.x == 0) {
        s->G = G;
        s->V = V;
    }
    lost |= fit == SOME_DO_NOT;
    const int look = fit != ALL_FIT && may_lose_values(x->cols, s);
    __syncthreads();
    for (int sweep = 0; sweep < sweeps && on; ++sweep) {
        if (sweep >= LATE)
            drop_errors(G, V, s, tol);
        on = sweep_blocks(s, tol);
    }
    lost |= look && loses_values(G, s);
    const int infinite = row ? store_graded(x, T, G, V, s, e, row, pivot)
                             : store_results(x, G, V, s, e);
    if (threadIdx.x == 0)
        b->info[i] = infinite ? OVERFLOWN : on || lost;
}

static __device__ __forceinline__ void
store_nothing(const svd_batch_t *b, int64_t i, const shape_t *x)
{
    fill_nan(*x, threadIdx.x, blockDim.x);
    if (threadIdx.x == 0)
        b->info[i] = b->illegal_A;
    __syncthreads();
}

/* Solves problem i by a block of threads, with the work `own`.  given: the caller's bound of
 * cosines; negative: the default */
static __device__ __forceinline__ void solve_one(const svd_batch_t *b,
                                                 int64_t i, scalar_t *own,
                                                 int64_t of_V, int sweeps,
                                                 shared_t *s, double given = -1)
{
    const shape_t x = shape_of(b, i);
    const real_t tol = jacobi_tolerance(given, x.rows);
    const mat_t G = x.transposed ? mat_view(own, x.rows, x.cols, x.rows) : x.A;
    const mat_t V = mat_view(own + of_V, x.cols, x.cols, x.cols);
    int infinite;
    const int e = find_scale(&x, s, &infinite);
    if (infinite) {
        store_nothing(b, i, &x);
        return;
    }
    load_matrix(&x, G, V, e, s);
    find_lengths(G, s->first);
    int *const row = (int *)(own + of_V + x.cols * x.cols);
    sweep_and_store(b, i, &x, G, V, s, tol, e, sweeps,
                    rows_apart(G, s->first, s) ? row : NULL);
}

/* -- the end of large steps ---------------------------------------------------------------- */

/* X = 2^e A V of the matrices from problem s.first on */
typedef struct start {
    mats_t X, V;
    steps_batch_t s;
    real_t tol; /* of cosines                                                */
} start_t;

/* Are the columns of X known to be orthogonal, up to tol? */
static __device__ int is_done(const start_t *t, int64_t k)
{
    return t->s.left[k] == LEFT_NOT && t->s.cosine[k] <= t->tol;
}

/* Solves the k-th matrix unless the large steps have done it. */
static __device__ __forceinline__ void finish_one(const svd_batch_t *b,
                                                  const start_t *t, int64_t k,
                                                  int sweeps, shared_t *s)
{
    const int64_t i = t->s.first + k;
    if (is_done(t, k))
        return;
    const shape_t x = shape_of(b, i);
    if (t->s.left[k] == LEFT_NOT_FINITE) {
        store_nothing(b, i, &x);
        return;
    }
    for (int64_t j = threadIdx.x; j < x.cols; j += blockDim.x)
        s->first[j] = t->s.column[k * x.cols + j];
    __syncthreads();
    find_columns(&x, s);
    int *const row = t->s.row + 2 * k * x.cols;
    sweep_and_store(b, i, &x, mats_at(t->X, k), mats_at(t->V, k), s, t->tol,
                    t->s.exponent[k], sweeps,
                    t->s.left[k] == LEFT_GRADED ? row : NULL);
}

/* Stores the results of the k-th matrix if the large steps have done it. */
static __device__ __forceinline__ void
store_one(const svd_batch_t *b, const start_t *t, int64_t k, shared_t *s)
{
    const int64_t i = t->s.first + k;
    if (!is_done(t, k))
        return;
    const shape_t x = shape_of(b, i);
    const int infinite = store_results(&x, mats_at(t->X, k), mats_at(t->V, k),
                                       s, t->s.exponent[k]);
    if (threadIdx.x == 0)
        b->info[i] = infinite ? OVERFLOWN : 0;
}

#endif /* GSVD_BATCH_BLOCKS_CUH */
