/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* block_sweep.cuh -- the kernels of block_sweep.cu: pairs of blocks of columns meet.
 *
 * With U = the columns of a pair over powers of two next to their lengths:
 *
 *     kernel   grid                       block            computes
 *     gram     pairs x parts of rows      16 x 16 threads  H = U^H U
 *     rotate   pairs                      1024 threads     H := M^H H M, V := V M', polished
 *     apply    pairs x tiles of 64 rows   16 x 16 threads  (G_P G_Q) := (G_P G_Q) V,
 *                                                          (C_P C_Q) := (C_P C_Q) J V J
 *
 * Two-sided Jacobi turns H by M, the rotations of U, and V by M', the same rotations of the
 * columns themselves (scaled_rotation_t, core/rotate.h); J V J = V^-H.  The pairs of a launch are
 * disjoint, and the kernels run one after the other: no block waits for another. */
#ifndef GSVD_JACOBI_BLOCK_SWEEP_CUH
#define GSVD_JACOBI_BLOCK_SWEEP_CUH

#include <limits.h>

#include "jacobi/jacobi.h"
#include "jacobi/ordering.h"
#include "jacobi/pair_of_blocks.h"

enum {
    INNER = sizeof(scalar_t) == 16 ? 32 : 64, /* columns of a pair of blocks */
    HALF = INNER / 2,
    LD = INNER + 1, /* of H in shared memory                                 */
    SIDE = 16,      /* gram and apply: a block has SIDE x SIDE threads, ...   */
    THREADS = SIDE * SIDE,
    PER = INNER / SIDE, /* ... and gram's threads PER x PER entries of H     */
    WARP_ = 32,
    WIDE = 32, /* rotate: a block has WIDE x WIDE threads, ...               */
    TURNERS = WIDE * WIDE,
    EACH = INNER / WIDE, /* ... each with EACH x EACH entries of a product   */
    STRIP = 32,     /* rows of a tile of gram                              */
    TILE_ROWS = 64, /* rows of a tile of apply                             */
    TILE_PER = TILE_ROWS / SIDE,
    TERMS = 16,      /* rows of V that apply has in shared memory           */
    PART_ROWS = 256, /* the least rows of a part of gram                    */
    MOST_PARTS = 16,
    AT_ONCE = 512,   /* the most pairs of a launch                          */
    MARKED = 1 << 16 /* blocks for which the host marks the first meeting   */
};

/* The pairs of blocks of a launch.  all: pairs of columns within a block are turned, too. */
typedef struct meetings {
    uint16_t p[AT_ONCE], q[AT_ONCE];
    uint8_t all[AT_ONCE];
} meetings_t;

/* Arguments of all launches of a sweep */
typedef struct sweep {
    mat_t G, C;
    int64_t plus;
    real_t tol;
    real_t *d;
    int inner_sweeps;
    int64_t parts, part_rows;
    scalar_t *H; /* parts x INNER x INNER for each pair                    */
    scalar_t *V; /* INNER x INNER for each pair, by rows                   */
    int *apply;  /* for each pair: there is a V                            */
    unsigned long long *rotations;
} sweep_t;

/* Column j of a pair of blocks, or -1 if the second block has fewer */
static __device__ int64_t column_of(const sweep_t *s, const meetings_t *m,
                                    int pair, int j)
{
    const int64_t block = j < HALF ? m->p[pair] : m->q[pair];
    const int64_t column = block * HALF + j % HALF;
    return column < s->G.cols ? column : -1;
}

/* -- gram --------------------------------------------------------------------- */

/* grid: pairs x parts of the rows; block: SIDE x SIDE threads; thread (x, y) sums the entries
 * H(x + SIDE a, y + SIDE b).  Tiles of STRIP rows go through shared memory. */
static __global__ void __launch_bounds__(THREADS)
    gram_kernel(sweep_t s, meetings_t m)
{
    __shared__ scalar_t tile[STRIP][LD];
    __shared__ real_t over[INNER];
    const int t = threadIdx.x, x = t % SIDE, y = t / SIDE, pair = blockIdx.x;
    const int64_t first = blockIdx.y * s.part_rows;
    const int64_t end = min_i(first + s.part_rows, s.G.rows);
    scalar_t h[PER][PER];

    for (int a = 0; a < PER; ++a)
        for (int b = 0; b < PER; ++b)
            h[a][b] = make(0, 0);
    if (t < INNER) {
        const int64_t column = column_of(&s, &m, pair, t);
        over[t] = column < 0 ? 0 : 1 / power_below(s.d[column]);
    }
    __syncthreads();
    for (int64_t r = first; r < end; r += STRIP) {
        const int64_t row = r + t % STRIP;
        for (int j = t / STRIP; j < INNER; j += THREADS / STRIP) {
            const int64_t column = column_of(&s, &m, pair, j);
            tile[t % STRIP][j] = column < 0 || row >= end
                                     ? make(0, 0)
                                     : scale(over[j], AT(s.G, row, column));
        }
        __syncthreads();
        for (int k = 0; k < STRIP; ++k)
            for (int b = 0; b < PER; ++b) {
                const scalar_t right = tile[k][y + SIDE * b];
                for (int a = 0; a < PER; ++a)
                    h[a][b] =
                        mul_add(conj_of(tile[k][x + SIDE * a]), right, h[a][b]);
            }
        __syncthreads();
    }
    scalar_t *const H =
        s.H + (pair * s.parts + blockIdx.y) * (int64_t)(INNER * INNER);
    for (int b = 0; b < PER; ++b)
        for (int a = 0; a < PER; ++a)
            H[x + SIDE * a + (y + SIDE * b) * INNER] = h[a][b];
}

/* -- rotate ------------------------------------------------------------------- */

/* The rotations of a step: rotation k turns columns p[k] and q[k] */
typedef struct rotations {
    int p[HALF], q[HALF], turned[HALF], part[HALF];
    real_t c[HALF];
    real_t s[HALF], minus_s[HALF]; /* s and -t s                             */
    real_t up[HALF], down[HALF];   /* s / r and -t s r                       */
    scalar_t w[HALF];
} rotations_t;

/* The shared memory of a pair of blocks */
typedef struct inner {
    real_t scale[INNER], length[INNER], root[INNER];
    int sign[INNER], order[INNER], rank[INNER];
    rotations_t step[2]; /* two, since V is turned a step after H            */
    int count, inverted, mixed, large;
    int lowest,
        highest; /* exponents of the scales of columns that are turned */
    real_t most;
} inner_t;

/* H and V lie behind inner_t in shared memory, INNER columns each, with leading dimension LD.  If
 * inner_t had pointers to them, the compiler could not see that they are in shared memory, and
 * would form addresses of 64 bits. */
enum { INNER_BYTES = (sizeof(inner_t) + 15) / 16 * 16 };

static __device__ __forceinline__ scalar_t *H_of(const inner_t *in)
{
    return (scalar_t *)((char *)in + INNER_BYTES);
}

static __device__ __forceinline__ scalar_t *V_of(const inner_t *in)
{
    return H_of(in) + INNER * LD;
}

static __device__ void load_pair(const sweep_t *s, const meetings_t *m,
                                 int pair, inner_t *in)
{
    const scalar_t *const parts =
        s->H + pair * s->parts * (int64_t)(INNER * INNER);
    if (threadIdx.x == 0) {
        in->count = in->inverted = in->mixed = in->large = 0;
        in->lowest = INT_MAX;
        in->highest = INT_MIN;
    }
    for (int i = threadIdx.x; i < INNER * INNER; i += TURNERS) {
        scalar_t sum = make(0, 0);
        for (int64_t part = 0; part < s->parts; ++part)
            sum = add(sum, parts[part * (INNER * INNER) + i]);
        const int row = i % INNER, column = i / INNER;
        H_of(in)[row + column * LD] = row == column ? make(re(sum), 0) : sum;
        V_of(in)[row + column * LD] = make(row == column, 0);
    }
    __syncthreads();
    const int j = threadIdx.x;
    if (j < INNER) {
        const int64_t column = column_of(s, m, pair, j);
        in->scale[j] = column < 0 ? 1 : power_below(s->d[column]);
        in->sign[j] = column < 0 ? 0 : column < s->plus ? 1 : -1;
        in->order[j] = j;
        in->root[j] = root_of(re(H_of(in)[j * (LD + 1)]));
        in->length[j] = length_over(re(H_of(in)[j + j * LD]), in->scale[j]);
        if (column >= 0 && long_enough(s->d[column])) {
            atomicMin(&in->lowest, exponent_r(in->scale[j]));
            atomicMax(&in->highest, exponent_r(in->scale[j]));
        }
    }
    __syncthreads();
    if (j < INNER && in->sign[j] != 0 && in->sign[j] != in->sign[0])
        atomicOr(&in->mixed, 1);
}

/* in->count := the number of pairs of columns whose cosines exceed tol */
static __device__ void count_cosines(inner_t *in, real_t tol)
{
    int found = 0;
    for (int i = threadIdx.x; i < INNER * INNER; i += TURNERS) {
        const int row = i % INNER, column = i / INNER;
        if (row < column)
            found += cosine_exceeds(in->root[row], in->root[column],
                                    H_of(in)[row + column * LD], tol);
    }
    if (found)
        atomicAdd(&in->count, found);
    __syncthreads();
}

/* If a column is clearly out of order, in->order := the columns by sign and descending length;
 * in->inverted says whether.  Places beyond the last column, of sign 0, stay. */
static __device__ void sort_if_inverted(inner_t *in)
{
    const int t = threadIdx.x;

    if (t == 0)
        in->inverted = 0;
    if (t < INNER)
        in->rank[t] = 0;
    __syncthreads();
    for (int k = t; k < INNER * INNER; k += TURNERS) {
        const int other = in->order[k % INNER], mine = in->order[k / INNER];
        if (k % INNER < k / INNER && in->sign[mine] != 0 &&
            in->sign[other] == in->sign[mine] &&
            out_of_order(in->length[other], in->length[mine]))
            atomicOr(&in->inverted, 1);
    }
    __syncthreads();
    if (!in->inverted) /* the same in all threads                            */
        return;
    for (int k = t; k < INNER * INNER; k += TURNERS) {
        const int i = k % INNER, j = k / INNER;
        const int other = in->order[i], mine = in->order[j];
        const int before =
            in->sign[mine] == 0 || in->sign[other] == 0
                ? i < j
                : comes_before(in->length[other], in->length[mine],
                               in->sign[other], in->sign[mine]) ||
                      (i < j &&
                       !comes_before(in->length[mine], in->length[other],
                                     in->sign[mine], in->sign[other]));
        if (before)
            atomicAdd(&in->rank[j], 1);
    }
    __syncthreads();
    const int mine = t < INNER ? in->order[t] : 0;
    __syncthreads();
    if (t < INNER)
        in->order[in->rank[t]] = mine;
    __syncthreads();
}

/* r := the rotations of a step, by one warp, one pair a lane.  Returns the square of the cosine of
 * the lane's pair if it is turned, else 0. */
static __device__ real_t find_rotations(const inner_t *in, int all, int step,
                                        real_t tol, rotations_t *r)
{
    const int k = threadIdx.x;
    int64_t i, j;
    if (k >= HALF)
        return 0;
    if (all) {
        round_robin_pair(INNER, step, k, &i, &j);
    } else {
        i = k;
        j = HALF + (k + step) % HALF;
    }
    const int p = in->order[i], q = in->order[j];
    const int t = in->sign[p] * in->sign[q] < 0 ? -1 : 1;
    const scaled_rotation_t m = scaled_rotation(
        re(H_of(in)[p * (LD + 1)]), re(H_of(in)[q * (LD + 1)]),
        H_of(in)[p + q * LD], in->scale[q] / in->scale[p], tol, t);
    r->p[k] = p;
    r->q[k] = q;
    r->turned[k] = m.cosine2 > 0;
    r->part[k] = m.part;
    r->c[k] = m.c;
    r->s[k] = m.s;
    r->minus_s[k] = t > 0 ? -m.s : m.s;
    r->up[k] = m.s_over_r;
    r->down[k] = t > 0 ? -m.s_r : m.s_r;
    r->w[k] = m.w;
    return m.cosine2;
}

/* (x, y) := (x, y) (c, up; down w, c w) */
static __device__ void turn(real_t c, real_t up, real_t down, scalar_t w,
                            scalar_t *x, scalar_t *y)
{
    const scalar_t a = *x, z = mul(w, *y);
    *x = add(scale(c, a), scale(down, z));
    *y = add(scale(up, a), scale(c, z));
}

/* H := M^H H M; a thread has four entries, where the rows of a pair meet the columns of a pair. */
static __device__ void turn_H(inner_t *in, const rotations_t *r)
{
    for (int i = threadIdx.x; i < HALF * HALF; i += TURNERS) {
        const int a = i % HALF, b = i / HALF;
        if (!r->turned[a] && !r->turned[b])
            continue;
        scalar_t *const at_pp = H_of(in) + r->p[a] + r->p[b] * LD;
        scalar_t *const at_qp = H_of(in) + r->q[a] + r->p[b] * LD;
        scalar_t *const at_pq = H_of(in) + r->p[a] + r->q[b] * LD;
        scalar_t *const at_qq = H_of(in) + r->q[a] + r->q[b] * LD;
        scalar_t pp = *at_pp, qp = *at_qp, pq = *at_pq, qq = *at_qq;
        turn(r->c[b], r->up[b], r->down[b], r->w[b], &pp, &pq);
        turn(r->c[b], r->up[b], r->down[b], r->w[b], &qp, &qq);
        turn(r->c[a], r->up[a], r->down[a], conj_of(r->w[a]), &pp, &qp);
        turn(r->c[a], r->up[a], r->down[a], conj_of(r->w[a]), &pq, &qq);
        *at_pp = a == b ? make(re(pp), 0) : pp;
        *at_qq = a == b ? make(re(qq), 0) : qq;
        *at_pq = a == b && !r->part[a] ? make(0, 0) : pq;
        *at_qp = a == b && !r->part[a] ? make(0, 0) : qp;
    }
}

/* V := V M', by the threads from `first` on */
static __device__ void turn_V(inner_t *in, const rotations_t *r, int first)
{
    for (int i = threadIdx.x - first; i < INNER * HALF; i += TURNERS - first) {
        const int row = i % INNER, k = i / INNER;
        if (r->turned[k])
            turn(r->c[k], r->s[k], r->minus_s[k], r->w[k],
                 V_of(in) + row + r->p[k] * LD, V_of(in) + row + r->q[k] * LD);
    }
}

/* All pairs once.  Phases of a step: (1) the first warp finds the rotations, while the others turn
 * V by those of the step before; barrier; (2) all turn H; barrier.  in->most := the square of the
 * largest cosine that was turned */
static __device__ void sweep_within(inner_t *in, int all, real_t tol)
{
    const int steps = all ? INNER - 1 : HALF, first = threadIdx.x < WARP_;
    real_t most = 0;

    for (int step = 0; step < steps; ++step) {
        rotations_t *const r = &in->step[step % 2];
        if (first)
            most = fmax_r(most, find_rotations(in, all, step, tol, r));
        else if (step > 0)
            turn_V(in, &in->step[(step - 1) % 2], WARP_);
        __syncthreads();
        turn_H(in, r);
        __syncthreads();
    }
    turn_V(in, &in->step[(steps - 1) % 2], 0);
    if (first) {
        for (int lane = WARP_ / 2; lane > 0; lane /= 2)
            most = fmax_r(most, __shfl_xor_sync(0xffffffff, most, lane));
        if (threadIdx.x == 0)
            in->most = most;
    }
    __syncthreads();
}

static __device__ void diagonalize(inner_t *in, int all, int most_sweeps,
                                   real_t tol)
{
    for (int sweep = 0; sweep < most_sweeps; ++sweep) {
        sweep_within(in, all, tol);
        /* The next sweep changes in->most only after barriers of its own.     */
        if (in->most <= INNER_SMALL)
            return;
    }
}

/* H := (I - J V^H J V) / 2.  V is a product of many rotations and has drifted; V + V H is J-unitary
 * up to a few roundings (Newton and Schulz).  in->large := 1 if H is not small, in a pair of both
 * signs */
static __device__ void find_polish(inner_t *in)
{
    const int x = threadIdx.x % WIDE, y = threadIdx.x / WIDE;
    scalar_t sum[EACH][EACH];
    for (int a = 0; a < EACH; ++a)
        for (int b = 0; b < EACH; ++b)
            sum[a][b] = make(0, 0);
    for (int k = 0; k < INNER; ++k)
        for (int b = 0; b < EACH; ++b) {
            const scalar_t right = scale(in->sign[k] < 0 ? -1 : 1,
                                         V_of(in)[k + (y + WIDE * b) * LD]);
            for (int a = 0; a < EACH; ++a)
                sum[a][b] = mul_add(conj_of(V_of(in)[k + (x + WIDE * a) * LD]),
                                    right, sum[a][b]);
        }
    for (int b = 0; b < EACH; ++b)
        for (int a = 0; a < EACH; ++a) {
            const int i = x + WIDE * a, j = y + WIDE * b;
            const scalar_t h = scale(in->sign[i] < 0 ? -1 : 1, sum[a][b]);
            const scalar_t off =
                scale((real_t)0.5, sub(make(i == j ? 1 : 0, 0), h));
            H_of(in)[i + j * LD] = off;
            if (in->mixed && entry_exceeds(off, HYPERBOLIC_DRIFT))
                atomicOr(&in->large, 1);
        }
    __syncthreads();
}

/* s->V := V + V H with columns in order, stored by rows.  in->large := 1 if it has a large entry,
 * in a pair of both signs.  If not large, also stores the lengths in s->d. */
static __device__ void store_pair(const sweep_t *s, const meetings_t *m,
                                  int pair, inner_t *in)
{
    const int x = threadIdx.x % WIDE, y = threadIdx.x / WIDE, t = threadIdx.x;
    scalar_t *const V = s->V + pair * (int64_t)(INNER * INNER);
    scalar_t sum[EACH][EACH];

    for (int a = 0; a < EACH; ++a)
        for (int b = 0; b < EACH; ++b)
            sum[a][b] = make(0, 0);
    for (int l = 0; l < INNER; ++l)
        for (int b = 0; b < EACH; ++b) {
            const scalar_t right = H_of(in)[l + in->order[y + WIDE * b] * LD];
            for (int a = 0; a < EACH; ++a)
                sum[a][b] =
                    mul_add(V_of(in)[x + WIDE * a + l * LD], right, sum[a][b]);
        }
    for (int a = 0; a < EACH; ++a)
        for (int b = 0; b < EACH; ++b) {
            const int k = x + WIDE * a, j = y + WIDE * b;
            const scalar_t v = add(V_of(in)[k + in->order[j] * LD], sum[a][b]);
            V[k * INNER + j] = v;
            if (in->mixed && entry_exceeds(v, HYPERBOLIC_MOST))
                atomicOr(&in->large, 1);
        }
    __syncthreads();
    if (t < INNER && !in->large) {
        const int64_t column = column_of(s, m, pair, t);
        if (column >= 0)
            s->d[column] = in->length[in->order[t]];
    }
}

/* The meeting of one pair of blocks of columns, by a block of TURNERS threads */
static __device__ __forceinline__ void
rotate_pair(const sweep_t *s, const meetings_t *m, inner_t *in)
{
    const int pair = blockIdx.x, j = threadIdx.x;

    load_pair(s, m, pair, in);
    count_cosines(in, s->tol);
    sort_if_inverted(in);
    const int inverted = in->inverted, count = in->count + inverted;
    const int apart = are_too_far_apart(in->lowest, in->highest);
    if (count > 0 && apart && j == 0)
        in->large = 1;
    if (count > 0 && !apart) {
        diagonalize(in, inverted || m->all[pair], s->inner_sweeps,
                    INNER_TOLERANCE * s->tol);
        if (j < INNER) {
            const real_t before = in->length[j];
            in->length[j] =
                length_over(re(H_of(in)[j * (LD + 1)]), in->scale[j]);
            if (in->mixed && is_spent(before, in->length[j]))
                atomicOr(&in->large, 1);
        }
        __syncthreads();
        sort_if_inverted(in);
        find_polish(in);
        store_pair(s, m, pair, in);
    }
    if (j == 0) {
        s->apply[pair] = count > 0 && !in->large;
        if (count > 0)
            atomicAdd(s->rotations + (in->large ? 1 : 0),
                      (unsigned long long)(in->large ? 1 : count));
    }
}

/* -- apply -------------------------------------------------------------------- */

/* grid: pairs x tiles of TILE_ROWS rows, first those of G, then those of C; block: SIDE x SIDE
 * threads; thread (x, y) sums rows x + SIDE a and columns y + SIDE b.  The whole tile is in shared
 * memory before it is overwritten; V comes there TERMS rows at a time. */
static __global__ void __launch_bounds__(THREADS)
    apply_kernel(sweep_t s, meetings_t m, int64_t tiles_of_G)
{
    __shared__ scalar_t tile[INNER][TILE_ROWS];
    __shared__ scalar_t V[TERMS][INNER];
    const int t = threadIdx.x, x = t % SIDE, y = t / SIDE, pair = blockIdx.x;
    const int of_C = blockIdx.y >= tiles_of_G;
    const mat_t M = of_C ? s.C : s.G;
    const int64_t first =
        (blockIdx.y - (of_C ? tiles_of_G : 0)) * (int64_t)TILE_ROWS;
    scalar_t sum[TILE_PER][PER];

    if (!s.apply[pair])
        return;
    for (int i = t; i < INNER * TILE_ROWS; i += THREADS) {
        const int64_t row = first + i % TILE_ROWS;
        const int64_t column = column_of(&s, &m, pair, i / TILE_ROWS);
        tile[i / TILE_ROWS][i % TILE_ROWS] =
            column < 0 || row >= M.rows ? make(0, 0) : AT(M, row, column);
    }
    for (int a = 0; a < TILE_PER; ++a)
        for (int b = 0; b < PER; ++b)
            sum[a][b] = make(0, 0);
    for (int k = 0; k < INNER; k += TERMS) {
        __syncthreads();
        for (int i = t; i < TERMS * INNER; i += THREADS) {
            const int row = k + i / INNER, column = i % INNER;
            const scalar_t v =
                s.V[pair * (int64_t)(INNER * INNER) + row * INNER + column];
            const int unlike = (column_of(&s, &m, pair, row) < s.plus) !=
                               (column_of(&s, &m, pair, column) < s.plus);
            V[i / INNER][column] = of_C && unlike ? scale(-1, v) : v;
        }
        __syncthreads();
        for (int l = 0; l < TERMS; ++l)
            for (int b = 0; b < PER; ++b) {
                const scalar_t v = V[l][y + SIDE * b];
                for (int a = 0; a < TILE_PER; ++a)
                    sum[a][b] =
                        mul_add(tile[k + l][x + SIDE * a], v, sum[a][b]);
            }
    }
    for (int b = 0; b < PER; ++b) {
        const int64_t column = column_of(&s, &m, pair, y + SIDE * b);
        for (int a = 0; a < TILE_PER; ++a) {
            const int64_t row = first + x + SIDE * a;
            if (column >= 0 && row < M.rows)
                AT(M, row, column) = sum[a][b];
        }
    }
}

#endif /* GSVD_JACOBI_BLOCK_SWEEP_CUH */
