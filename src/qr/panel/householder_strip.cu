/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* householder_strip.cu -- QR of a strip of 32 columns by Householder's reflectors, one after
 * the other, in one launch, its rows in shared memory: the way that is accurate row by row.
 *
 *     v_j = (1; A(j+1:,j) / (a_jj - beta)),  |beta| = |A(j:,j)|
 *     A(j:,j+1:) := (I - conj(tau_j) v_j v_j^H) A(j:,j+1:)
 *
 * A column takes one pass over the block's rows and one wait of the grid, as in
 * householder.cu: the pass that applies v_j computes column j + 1 first and sums the
 * products of that column with all columns.  Those on its right are v^H A, that with itself
 * is its length, and those on its left, which are reflectors, are V^H v for T,
 *
 *     T(0:j,j) = -tau_j T(0:j,0:j) (V(:,0:j)^H v_j).
 *
 * Sums are in double, so that the squares of single numbers neither over- nor underflow.  In
 * double, where rows may differ by more than 10^150, the column comes into the products
 * divided by a power of two, each warp's own, and sums of several are brought to the largest.
 * The predicted time of a column at 4096 rows on an H200 is 3 us: 1.3 for the wait, 0.8 for the
 * sums of 32 blocks by way of memory, 0.5 for the reflector, 0.4 for the pass.  It was 6.3 at 2048
 * rows before rows were read four at a time (bench/notes.md).
 */
#include <cooperative_groups.h>

#include "core/launch.h"
#include "qr/demand.h"
#include "qr/panel/householder_strip.h"
#include "qr/panel/tile.cuh"
#include "qr/panel/wide_reflector.cuh"

/* The kernel's geometry; EACH and MOST_BLOCKS weigh the wait of the grid against the rows of a
 * block, as an H200 has them. */
enum {
    COLS = 32,
    LINE = COLS + 1, /* from one row to the next in shared memory            */
    THREADS = 256,
    WARPS = THREADS / 32,
    AT_ONCE = 4, /* rows that a warp reads before it writes any              */
    EACH = 64,   /* rows of a block, where that makes no more blocks than ... */
    MOST_BLOCKS = 64 /* ... these                                            */
};

/* What the blocks tell each other, in memory; twice, so that one is written while the other
 * is read. */
typedef struct strip_work {
    wide_t *part[2]; /* blocks x COLS: products with the next column         */
    wide_t *row[2];  /* COLS: the row of its diagonal entry                  */
    int *power[2];   /* blocks: the column is divided by 2^power there       */
} strip_work_t;

/* A reflector, and what it takes off row j: conj(tau) v^H A(j:,c) */
typedef struct reflector {
    double unit; /* x times unit is about 1, and scale for that              */
    wide_t scale, beta, dot[COLS];
} reflector_t;

/* The block's shared memory; its rows lie behind it. */
typedef struct strip {
    reflector_t h;
    wide_t sum[WARPS][COLS];
    int power[WARPS];
    wide_t tau[COLS];
    wide_t Z[COLS][LINE]; /* Z[j][c] = V(:,c)^H v_j                          */
    wide_t T[COLS][LINE]; /* its transpose                                   */
} strip_t;

/* -- device functions ------------------------------------------------------------ */

/* 2^e, or 0 where it is next to nothing against 1 */
static __device__ __forceinline__ double power_of_two(int e)
{
    return e < -1022 ? 0 : __longlong_as_double((long long)(1023 + e) << 52);
}

/* e with 2^e next to x, so that 2^e and 2^-e are no denormal numbers */
static __device__ __forceinline__ int power_of(double x)
{
    const int e = (int)(__double_as_longlong(x) >> 52 & 2047) - 1023;
    return GSVD_SINGLE ? 0 : max(-1000, min(e, 1000));
}

static __device__ __forceinline__ int warp_max(int x)
{
    return GSVD_SINGLE ? x : __reduce_max_sync(0xffffffff, x);
}

static __device__ __forceinline__ wide_t plus(wide_t a, wide_t b)
{
    return wide(wide_re(a) + wide_re(b), wide_im(a) + wide_im(b));
}

/* A sum of products with column `own`, lane c's with column c, brought from 2^from to 2^to:
 * that of column `own` itself is of squares. */
static __device__ __forceinline__ wide_t bring(wide_t sum, int own, int from,
                                               int to)
{
    const double f = power_of_two(from - to);
    return GSVD_SINGLE ? sum : wide_scale(LANE == own ? f * f : f, sum);
}

/* The sum over all blocks, in warp 0; *power: 2^*power is its column's unit. */
static __device__ __forceinline__ wide_t sum_of_blocks(int j,
                                                       const wide_t *part,
                                                       const int *powers,
                                                       strip_t &s, int *power)
{
    const int blocks = gridDim.x;
    wide_t sum = wide(0, 0);

    wide_t x[MOST_BLOCKS / WARPS];
    int from[MOST_BLOCKS / WARPS];
#pragma unroll
    for (int k = 0; k < MOST_BLOCKS / WARPS; ++k) { /* all on their way      */
        const int b = WARP_ID + k * WARPS, there = b < blocks;
        x[k] = there ? __ldcg(&part[b * COLS + LANE]) : wide(0, 0);
        from[k] = there && !GSVD_SINGLE ? __ldcg(&powers[b]) : -1000;
    }
    *power = 0;
    if (!GSVD_SINGLE) {
        const int a = LANE < blocks ? __ldcg(&powers[LANE]) : -1000;
        const int b = LANE + 32 < blocks ? __ldcg(&powers[LANE + 32]) : -1000;
        *power = warp_max(max(a, b));
    }
#pragma unroll
    for (int k = 0; k < MOST_BLOCKS / WARPS; ++k)
        sum = plus(sum, bring(x[k], j, from[k], *power));
    s.sum[WARP_ID][LANE] = sum;
    __syncthreads();
    if (WARP_ID == 0)
        for (int k = 1; k < WARPS; ++k)
            sum = plus(sum, s.sum[k][LANE]);
    return sum;
}

/* s.h := the reflector of column j, from row j and the products of column j with all
 * columns below the diagonal */
static __device__ __forceinline__ void
find_reflector(int j, int cols, const wide_t *part, const wide_t *row,
               const int *powers, strip_t &s)
{
    const wide_t mine =
        WARP_ID == 0 && LANE < cols ? __ldcg(&row[LANE]) : wide(0, 0);
    int power;
    const wide_t below = sum_of_blocks(j, part, powers, s, &power);

    if (WARP_ID == 0) {
        /* The diagonal entry may be larger than all below it. */
        const wide_t on = wide_shuffle(mine, j);
        const int most =
            max(power, power_of(fmax(fabs(wide_re(on)), fabs(wide_im(on)))));
        const wide_t sum = bring(below, j, power, most);
        const double unit = power_of_two(-most);
        const wide_t alpha = wide_scale(unit, on);
        const double length2 = wide_re(wide_shuffle(sum, j));
        /* Beside the diagonal entry what is below it may be too short for a square, and is not 0. */
        const int none =
            wide_re(wide_shuffle(below, j)) == 0 && wide_im(alpha) == 0;
        const wide_reflector_t h = wide_reflector_of(alpha, length2, none);
        const wide_t t = wide_add(wide_conj(h.over), sum, mine);
        s.h.dot[LANE] = wide_mul(wide_conj(h.tau), t);
        s.Z[j][LANE] = wide_conj(t); /* sum holds v_j^H V(:,c) for c < j     */
        if (LANE == 0) {
            s.h.unit = unit;
            s.h.scale = h.over;
            s.h.beta = none ? on : wide_scale(power_of_two(most), h.beta);
            s.tau[j] = h.tau;
        }
    }
    __syncthreads();
}

/* Column j + 1, j >= 0, of a row of A after v_j, whose entry in the row is v */
static __device__ __forceinline__ wide_t next_entry(const scalar_t *a, int next,
                                                    wide_t v, wide_t of_next)
{
    return widen(narrow(wide_sub(of_next, v, widen(a[next]))));
}

/* The entry of v_j in row r, if it reaches that row */
static __device__ __forceinline__ wide_t entry_of_v(const scalar_t *a,
                                                    int64_t r, int j,
                                                    const reflector_t &h)
{
    if (j < 0 || r < j)
        return wide(0, 0);
    return r == j ? wide(1, 0)
                  : wide_mul(h.scale, wide_scale(h.unit, widen(a[j])));
}

/* The power of two next to the largest entry of column j + 1 in the warp's rows below row
 * j + 1, after v_j; a lane a row */
static __device__ __forceinline__ int power_of_rows(const scalar_t *rows,
                                                    int count, int64_t first,
                                                    int j, int next,
                                                    const reflector_t &h)
{
    double most = 0;
    for (int i = WARP_ID + WARPS * LANE; i < count && !GSVD_SINGLE;
         i += WARPS * 32) {
        const scalar_t *const a = rows + i * LINE;
        const wide_t x =
            next_entry(a, next, entry_of_v(a, first + i, j, h), h.dot[next]);
        if (first + i > j + 1)
            most = fmax(most, fmax(fabs(wide_re(x)), fabs(wide_im(x))));
    }
    return warp_max(power_of(most));
}

/* Applies v_j, if there is one, to the block's rows, a warp a row and a lane a column, and
 * sums the products with column j + 1 over 2^*power; row j + 1 := to memory. */
static __device__ __forceinline__ wide_t pass_rows(scalar_t *rows, int count,
                                                   int64_t first, int j,
                                                   int cols,
                                                   const reflector_t &h,
                                                   wide_t *row, int *power)
{
    const int next = j + 1 < cols ? j + 1 : j, c = LANE;
    const wide_t dot = h.dot[c], of_next = h.dot[next];
    wide_t sum = wide(0, 0);

    *power = power_of_rows(rows, count, first, j, next, h);
    const double unit = power_of_two(-*power);
    __syncwarp();
    for (int i0 = WARP_ID; i0 < count; i0 += AT_ONCE * WARPS) {
        wide_t v[AT_ONCE], x[AT_ONCE], mine[AT_ONCE];
#pragma unroll
        for (int k = 0; k < AT_ONCE; ++k) {
            const int i = i0 + k * WARPS, at = i < count ? i : i0;
            const scalar_t *const a = rows + at * LINE;
            v[k] = entry_of_v(a, first + at, j, h);
            x[k] = wide_scale(unit, next_entry(a, next, v[k], of_next));
            mine[k] = widen(a[c]);
        }
        __syncwarp();
#pragma unroll
        for (int k = 0; k < AT_ONCE; ++k) {
            const int i = i0 + k * WARPS;
            const int64_t r = first + i;
            if (i >= count)
                continue;
            if (j >= 0 && r >= j) {
                mine[k] = c > j    ? widen(narrow(wide_sub(dot, v[k], mine[k])))
                          : c < j  ? mine[k]
                          : r == j ? h.beta
                                   : v[k];
                rows[i * LINE + c] = narrow(mine[k]);
            }
            if (r == j + 1)
                row[c] = mine[k];
            if (r > j + 1)
                sum =
                    wide_add(wide_conj(x[k]), c == next ? x[k] : mine[k], sum);
        }
    }
    return sum;
}

/* part and power := the block's sum of what its warps have */
static __device__ __forceinline__ void
tell_sum(wide_t sum, int power, int next, wide_t *part, int *powers, strip_t &s)
{
    s.sum[WARP_ID][LANE] = sum;
    if (LANE == 0)
        s.power[WARP_ID] = power;
    __syncthreads();
    if (WARP_ID > 0)
        return;
    const int most = warp_max(LANE < WARPS ? s.power[LANE] : -1000);
    sum = bring(sum, next, power, most);
    for (int k = 1; k < WARPS; ++k)
        sum = plus(sum, bring(s.sum[k][LANE], next, s.power[k], most));
    part[blockIdx.x * COLS + LANE] = sum;
    if (LANE == 0)
        powers[blockIdx.x] = most;
}

/* T := the triangle whose diagonal is tau, by one warp; a lane has a row. */
static __device__ void find_T(int cols, strip_t &s, mat_t T)
{
    const int i = LANE;
    for (int j = 0; j < cols && i < cols; ++j) {
        wide_t t = i == j ? s.tau[i] : wide(0, 0);
        for (int k = i; k < j; ++k)
            t = wide_add(s.T[k][i], s.Z[j][k], t);
        if (i < j)
            t = negative(wide_mul(s.tau[j], t));
        s.T[j][i] = t;
        AT(T, i, j) = narrow(t);
    }
}

/* -- kernel ------------------------------------------------------------------------ */

/* grid: cooperative, blocks of `each` rows; block: 8 warps; shared: strip_t and the rows,
 * LINE numbers each.  Where *verdict is 0 no block does anything. */
static __global__ void __launch_bounds__(THREADS)
    householder_strip_kernel(mat_t A, scalar_t *tau, mat_t T, int64_t each,
                             strip_work_t w, const int *verdict)
{
    extern __shared__ __align__(16) unsigned char memory[];
    const cooperative_groups::grid_group grid = cooperative_groups::this_grid();
    strip_t &s = *(strip_t *)memory;
    scalar_t *const rows = (scalar_t *)(memory + sizeof(strip_t));
    const int cols = (int)A.cols;
    const int64_t first = blockIdx.x * each;
    const int count = (int)min_i(each, A.rows - first);

    if (verdict && *verdict == 0)
        return;
    for (int c = WARP_ID; c < COLS; c += WARPS)
        for (int i = LANE; i < count; i += 32)
            rows[i * LINE + c] = c < cols ? AT(A, first + i, c) : make(0, 0);
    if (threadIdx.x < COLS)
        s.h.dot[threadIdx.x] = wide(0, 0);
    if (threadIdx.x == 0)
        s.h.unit = 0, s.h.scale = s.h.beta = wide(0, 0);
    __syncthreads();
    for (int j = -1; j < cols; ++j) {
        const int odd = (j + 1) & 1;
        if (j >= 0)
            find_reflector(j, cols, odd ? w.part[0] : w.part[1],
                           odd ? w.row[0] : w.row[1],
                           odd ? w.power[0] : w.power[1], s);
        int power;
        const wide_t sum = pass_rows(rows, count, first, j, cols, s.h,
                                     odd ? w.row[1] : w.row[0], &power);
        if (j + 1 == cols)
            break;
        tell_sum(sum, power, j + 1, odd ? w.part[1] : w.part[0],
                 odd ? w.power[1] : w.power[0], s);
        grid.sync();
    }
    __syncthreads();
    for (int c = WARP_ID; c < cols; c += WARPS)
        for (int i = LANE; i < count; i += 32)
            AT(A, first + i, c) = rows[i * LINE + c];
    if (blockIdx.x > 0 || WARP_ID > 0)
        return;
    if (LANE < cols)
        tau[LANE] = narrow(s.tau[LANE]);
    if (T.data)
        find_T(cols, s, T);
}

/* -- launcher ----------------------------------------------------------------------- */

static demand_t strip_demand(int shared)
{
    return demand("householder_strip_kernel", 0,
                  (const void *)householder_strip_kernel, THREADS,
                  (size_t)shared - STATIC_SHARED);
}

int X(householder_strip_demands)(int shared, demand_t *d)
{
    d[0] = strip_demand(shared);
    return 1;
}

static void carve(arena_t *a, strip_work_t *w)
{
    for (int k = 0; k < 2; ++k) {
        w->part[k] =
            (wide_t *)gsvd_arena_take(a, MOST_BLOCKS * COLS, sizeof(wide_t));
        w->row[k] = (wide_t *)gsvd_arena_take(a, COLS, sizeof(wide_t));
        w->power[k] = (int *)gsvd_arena_take(a, MOST_BLOCKS, sizeof(int));
    }
}

size_t X(householder_strip_bytes)(void)
{
    arena_t count = {0, 0, 0, 0};
    strip_work_t w;
    carve(&count, &w);
    return gsvd_arena_bytes(&count);
}

/* The rows of a block, where m of them are shared out to so many blocks at most */
static int64_t rows_of_block(int64_t m, int64_t most)
{
    const int64_t blocks = max_i(min_i((m + EACH - 1) / EACH, most), 1);
    return ((m + blocks - 1) / blocks + WARPS - 1) / WARPS * WARPS;
}

/* *each := the rows of a block, *d := what it asks for, if *fits */
static gsvd_status_t plan(const exec_t *ex, int64_t m, demand_t *d,
                          int64_t *each, int *fits)
{
    int64_t most;

    *d = strip_demand(cuda_of(ex->h)->shared);
    GSVD_TRY(gsvd_allow_shared(ex->h, d));
    GSVD_TRY(gsvd_at_once(ex->h, stream_of(ex), d,
                          min_i(MOST_BLOCKS, cuda_of(ex->h)->multiprocessors),
                          &most));
    *each = rows_of_block(m, most);
    const size_t bytes =
        sizeof(strip_t) + (size_t)(*each * LINE) * sizeof(scalar_t);
    *fits = bytes <= d->bytes;
    if (*fits)
        d->bytes = bytes;
    return GSVD_SUCCESS;
}

gsvd_status_t X(householder_strip_fits)(const exec_t *ex, int64_t rows,
                                        int *fits)
{
    demand_t d;
    int64_t each;
    return plan(ex, rows, &d, &each, fits);
}

gsvd_status_t X(householder_strip_cuda)(const exec_t *ex, mat_t A,
                                        scalar_t *tau, mat_t T, void *memory,
                                        const int *verdict)
{
    arena_t a = gsvd_arena_over(memory, X(householder_strip_bytes)());
    strip_work_t w;
    demand_t d;
    int64_t each;
    int fits;

    GSVD_TRY(plan(ex, A.rows, &d, &each, &fits));
    if (!fits)
        return gsvd_fail(ex->h, GSVD_INTERNAL_ERROR,
                         "householder_strip: too many rows");
    carve(&a, &w);
    void *arguments[] = {&A, &tau, &T, &each, &w, &verdict};
    return gsvd_launch_grid(ex->h, stream_of(ex), &d,
                            dim3((unsigned)((A.rows + each - 1) / each)),
                            arguments);
}
