/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* band.cu -- a Hermitian band matrix := a real tridiagonal one, and its reflectors applied; CUDA twin
 * of band.c.
 *
 * One cooperative launch makes all sweeps.  Block j has hop j of all of them: the BAND rows of S, on
 * the diagonal, and of F, left of S, in registers from sweep to sweep.  Entry (r, c) of the matrix is
 * at (r % BAND, c % BAND) of S or F, so that nothing moves when the rows go one down:
 *
 *     1  the row that block j + 1 left after the sweep before comes in at the bottom
 *     2  F := F H', H': hop j - 1 of this sweep
 *     3  H of F's first column, or of column i; it is sent to block j + 1
 *     4  F := H^H F, S := H^H S H
 *     5  the first row is sent to block j - 1
 *
 * Neighbours wait for each other's numbers in global memory, once for each of 1 and 2.
 *
 * Vectors: BAND sweeps' reflectors of one hop are a block, I - V T V^H, of 2 BAND - 1 rows.  Two warps
 * have 16 columns and the rows of one block in registers, every other 8 rows each, transposed: the sums
 * of one product of the tensor cores are the terms of the next one.  They add their parts of V^H Z in
 * shared memory.
 */
#include "core/wide.cuh"
#include "jacobi/chase.cuh"

enum {
    STRIP = 4, /* warps of a block that applies, two to PAIR columns        */
    PAIR = 16,
    ACROSS = PAIR * STRIP / 2,
    TILES = BAND / 8,  /* tiles of 8 rows or sweeps                       */
    PITCH = BAND + 10, /* of V in shared memory: no conflict of banks     */
    T_PITCH = BAND + 8,
    SLOT = BAND * (PITCH + T_PITCH) * WIDE_PARTS /* numbers                  */
};

/* -- device functions: the sweeps ---------------------------------------------------- */

/* Row r, and columns c0 to c0 + MINE - 1, all modulo BAND, of both parts */
typedef struct tile {
    scalar_t F[MINE], S[MINE];
} tile_t;

/* In shared memory */
typedef struct hop {
    scalar_t part[WARPS][BAND];
    scalar_t before[BAND], v[BAND]; /* H' and H                               */
    scalar_t tau_before, tau;
    scalar_t row[MESSAGE]; /* the one that comes in                          */
} hop_t;

/* The parts as they are before all sweeps */
static __device__ void take_tile(mat_t A, int r, int c0, tile_t &t)
{
    const int n = (int)A.cols, hop = blockIdx.x, first = 1 + hop * BAND;
    const int row = first + ((r - first) & (BAND - 1));
#pragma unroll
    for (int q = 0; q < MINE; ++q) {
        const int c = c0 + q, col = first + ((c - first) & (BAND - 1));
        const int left = hop > 0 ? col - BAND : c == 0 ? 0 : -1;
        const int low = max(row, col), high = min(row, col);
        scalar_t s = low < n ? AT(A, low, high) : make(0, 0);
        if (row == col)
            s = make(re(s), 0);
        t.S[q] = row < col ? conj_of(s) : s;
        t.F[q] = left >= 0 && row < n && row - left <= BAND ? AT(A, row, left)
                                                            : make(0, 0);
    }
}

/* 1: the bottom row, at `z`, is h.row; column z of S, whose rows are below it now, becomes F's. */
static __device__ __forceinline__ void shift(const hop_t &h, int r, int c0,
                                             int z, tile_t &t)
{
#pragma unroll
    for (int q = 0; q < MINE; ++q) {
        const int c = c0 + q;
        if (c == z && r != z) {
            t.F[q] = t.S[q];
            t.S[q] = conj_of(h.row[r]);
        }
        if (r == z) {
            t.F[q] = c == z ? h.row[z] : make(0, 0);
            t.S[q] = c == z ? h.row[BAND] : h.row[c];
        }
    }
}

/* 3, in the warp that has the column x, whose first row is at p; returns beta.  to: the block's words */
static __device__ __forceinline__ real_t cut_column(hop_t &h, int r, int p,
                                                    scalar_t x, word_t *to,
                                                    int tag, scalar_t *v,
                                                    int inside, scalar_t *tau)
{
    scalar_t mine;
    const householder_t of = reflector_in(x, r, p, &mine);
    tell(&to[r], mine, tag);
    if (r == p)
        tell(&to[BAND], of.tau, tag);
    h.v[r] = mine;
    if (inside)
        *v = mine;
    if (r == p)
        *tau = h.tau = of.tau;
    return of.beta;
}

/* 4 for S */
static __device__ __forceinline__ void apply_both(hop_t &h, int r, int c0,
                                                  scalar_t y, tile_t &t)
{
    const scalar_t v = h.v[r], tau = h.tau;
    const scalar_t square = warp_sum(make(re(y) * re(v) + im(y) * im(v), 0));
    const scalar_t w = mul_add(tau, y, scale(-abs2(tau) * re(square) / 2, v));
#pragma unroll
    for (int q = 0; q < MINE; ++q) {
        const scalar_t wc = conj_of(of_lane(w, c0 + q));
        const scalar_t vc = conj_of(h.v[c0 + q]);
        t.S[q] = sub(t.S[q], mul_add(v, wc, mul(w, vc)));
    }
}

/* -- kernels: the sweeps -------------------------------------------------------------- */

/* grid: cooperative, a block a hop; block: 256 threads, thread (r, warp) has row r and MINE
 * columns; shared: hop_t */
static __global__ void __launch_bounds__(THREADS, RESIDENT)
    chase_kernel(mat_t A, real_t *d, real_t *e, mat_t V, mat_t tau, mail_t mail)
{
    extern __shared__ __align__(16) unsigned char memory[];
    hop_t &h = *(hop_t *)memory;
    const int n = (int)A.cols, j = blockIdx.x, sweeps = n - 1 - j * BAND;
    const int r = threadIdx.x % WARP, warp = threadIdx.x / WARP;
    const int c0 = MINE * warp;
    word_t *const below = mail.back + (j + 1) * MESSAGE; /* block j + 1's     */
    word_t *const above = mail.reflector + (j - 1) * MESSAGE;
    tile_t t;

    take_tile(A, r, c0, t);
    if (j == 0 && threadIdx.x == 0)
        d[0] = re(AT(A, 0, 0));
    for (int i = 0; i < sweeps; ++i) {
        const int first = i + 1 + j * BAND;
        const int p = first & (BAND - 1), z = (first - 1) & (BAND - 1);
        const int comes = i > 0 && first - 1 + BAND < n;
        if (warp == 0 || (warp == 1 && r == 0))
            h.row[threadIdx.x] =
                comes ? await(&below[threadIdx.x], i) : make(0, 0);
        if (j > 0 && warp == 2)
            h.before[r] = await(&above[r], i + 1);
        if (j > 0 && warp == 3 && r == 0)
            h.tau_before = await(&above[BAND], i + 1);
        __syncthreads();
        if (i > 0)
            shift(h, r, c0, z, t);
        if (j > 0) {
            scalar_t y = make(0, 0);
#pragma unroll
            for (int q = 0; q < MINE; ++q)
                y = mul_add(t.F[q], h.before[c0 + q], y);
            apply_right(h.tau_before, row_sum(h.part, r, warp, y),
                        h.before + c0, t.F);
        }
        const int column = j > 0 ? p : z, row = first + ((r - p) & (BAND - 1));
        if (warp == column / MINE) {
            const real_t beta =
                cut_column(h, r, p, entry_of(t.F, column % MINE),
                           mail.reflector + j * MESSAGE, i + 1, &AT(V, i, row),
                           row < n, &AT(tau, j, i));
            if (r == 0 && j == 0)
                e[i] = beta;
#pragma unroll
            for (int q = 0; q < MINE; ++q)
                if (q == column % MINE)
                    t.F[q] = r == p ? make(beta, 0) : make(0, 0);
        }
        __syncthreads();
        scalar_t y = make(0, 0);
#pragma unroll
        for (int q = 0; q < MINE; ++q)
            y = mul_add(t.S[q], h.v[c0 + q], y);
        if (j > 0)
            apply_left(h.tau, h.v[r], c0, p, t.F);
        apply_both(h, r, c0, row_sum(h.part, r, warp, y), t);
        if (r == p)
#pragma unroll
            for (int q = 0; q < MINE; ++q) {
                const int c = c0 + q;
                word_t *const to = mail.back + j * MESSAGE;
                if (j > 0)
                    tell(&to[c], t.F[q], i + 1);
                if (c == p && j > 0)
                    tell(&to[BAND], make(re(t.S[q]), 0), i + 1);
                if (c == p && j == 0)
                    d[first] = re(t.S[q]);
            }
    }
}

/* -- device functions: the vectors ------------------------------------------------------ */

/* A number of the letter as one or two of double precision */
typedef struct parts {
    double x[WIDE_PARTS];
} parts_t;

static __device__ __forceinline__ parts_t parts_of(scalar_t a)
{
    parts_t p;
    p.x[0] = re(a);
    p.x[WIDE_PARTS - 1] = WIDE_PARTS == 2 ? im(a) : re(a);
    return p;
}

/* Sums of two tiles of 8 x 8, of 8 of a pair's columns each: x[part][tile], row lane / 4, columns
 * 2 (lane % 4) and the next one */
typedef struct sums {
    double x[WIDE_PARTS][2][2];
} sums_t;

/* c := c + sign a b for a tile's 8 terms, of which a thread has two */
static __device__ __forceinline__ void tensor(double (&c)[2][2],
                                              const double (&a)[2][2],
                                              double sign, const double (&b)[2])
{
#pragma unroll
    for (int s = 0; s < 2; ++s)
        mma_pair(c[0], c[1], a[0][s], a[1][s], sign * b[s]);
}

/* c := c + a b, or with conj(b); b[x][s]: part x of term s */
template <int CONJ>
static __device__ __forceinline__ void
multiply(sums_t &c, const sums_t &a, const double (&b)[WIDE_PARTS][2])
{
    const int last = WIDE_PARTS - 1, sign = CONJ ? -1 : 1;
    tensor(c.x[0], a.x[0], 1, b[0]);
    if (WIDE_PARTS == 1)
        return;
    tensor(c.x[0], a.x[last], -sign, b[last]);
    tensor(c.x[last], a.x[0], sign, b[last]);
    tensor(c.x[last], a.x[last], 1, b[0]);
}

/* A block in shared memory.  Entry (r, c) of V is at (r % BAND) + PITCH c, since column c has the rows
 * c to c + BAND - 1; entry (a, b) of -T at b + T_PITCH a.  Imaginary parts are a plane behind. */
enum {
    V_PLANE = BAND * PITCH,
    T_PLANE = BAND * T_PITCH,
    AT_T = V_PLANE * WIDE_PARTS
};

/* b := the entries of V at v, whose row and column in their tile are these; V ends in the tiles 0 and
 * TILES of a column. */
template <int K>
static __device__ __forceinline__ void entry_of_v(const double *v, int row,
                                                  int column, int s,
                                                  double (&b)[WIDE_PARTS][2])
{
    const int there = K == 0 ? row >= column : K == TILES ? row < column : 1;
#pragma unroll
    for (int x = 0; x < WIDE_PARTS; ++x)
        b[x][s] = there ? v[x * V_PLANE] : 0;
}

/* w := w + V^H z for the warp's tiles i = q + K: those with i % 2 == ODD, in z[i / 2] */
template <int ODD, int K>
static __device__ __forceinline__ void
multiply_left(const double *slot, const sums_t (&z)[TILES], sums_t (&w)[TILES])
{
    const int g = threadIdx.x % WARP / 4, t = threadIdx.x % 4;
#pragma unroll
    for (int q = (K + ODD) % 2; q < TILES; q += 2) {
        double b[WIDE_PARTS][2];
#pragma unroll
        for (int s = 0; s < 2; ++s)
            entry_of_v<K>(slot + 8 * (q + K) % BAND + 2 * t + s +
                              PITCH * (8 * q + g),
                          2 * t + s, g, s, b);
        multiply<1>(w[q], z[(q + K) / 2], b);
    }
}

/* z := z + V y for these tiles */
template <int ODD, int K>
static __device__ __forceinline__ void
multiply_right(const double *slot, const sums_t (&y)[TILES], sums_t (&z)[TILES])
{
    const int g = threadIdx.x % WARP / 4, t = threadIdx.x % 4;
#pragma unroll
    for (int q = (K + ODD) % 2; q < TILES; q += 2) {
        double b[WIDE_PARTS][2];
#pragma unroll
        for (int s = 0; s < 2; ++s)
            entry_of_v<K>(slot + 8 * (q + K) % BAND + g +
                              PITCH * (8 * q + 2 * t + s),
                          g, 2 * t + s, s, b);
        multiply<0>(z[(q + K) / 2], y[q], b);
    }
}

/* w := the warp's part of V^H z */
template <int ODD>
static __device__ __forceinline__ void
left(const double *slot, const sums_t (&z)[TILES], sums_t (&w)[TILES])
{
    static_assert(TILES == 4, "the tiles below");
    multiply_left<ODD, 0>(slot, z, w);
    multiply_left<ODD, 1>(slot, z, w);
    multiply_left<ODD, 2>(slot, z, w);
    multiply_left<ODD, 3>(slot, z, w);
    multiply_left<ODD, 4>(slot, z, w);
}

template <int ODD>
static __device__ __forceinline__ void
right(const double *slot, const sums_t (&y)[TILES], sums_t (&z)[TILES])
{
    multiply_right<ODD, 0>(slot, y, z);
    multiply_right<ODD, 4>(slot, y, z);
    multiply_right<ODD, 1>(slot, y, z);
    multiply_right<ODD, 3>(slot, y, z);
    multiply_right<ODD, 2>(slot, y, z);
}

/* w := w + that of the other warp of the pair.  All warps have written to `meeting` before they read there. */
static __device__ __forceinline__ void add_parts(double *meeting,
                                                 sums_t (&w)[TILES])
{
    const int each = TILES * (int)(sizeof(sums_t) / sizeof(double));
    const int warp = threadIdx.x / WARP;
    double *const mine = meeting + warp * each * WARP + threadIdx.x % WARP;
    const double *const other =
        meeting + (warp ^ 1) * each * WARP + threadIdx.x % WARP;
    double *const sum = &w[0].x[0][0][0];
#pragma unroll
    for (int k = 0; k < each; ++k)
        mine[k * WARP] = sum[k];
    __syncthreads();
#pragma unroll
    for (int k = 0; k < each; ++k)
        sum[k] += other[k * WARP];
}

/* y := -T w, of which there is -T */
static __device__ __forceinline__ void
multiply_triangle(const double *slot, const sums_t (&w)[TILES],
                  sums_t (&y)[TILES])
{
    const int g = threadIdx.x % WARP / 4, t = threadIdx.x % 4;
    const double *const T = slot + AT_T + 2 * t + T_PITCH * g;
#pragma unroll
    for (int k = 0; k < TILES; ++k)
#pragma unroll
        for (int q = 0; q + k < TILES; ++q) {
            const double *const of = T + 8 * (q + k) + T_PITCH * 8 * q;
            double b[WIDE_PARTS][2];
#pragma unroll
            for (int x = 0; x < WIDE_PARTS; ++x) {
                b[x][0] = of[x * T_PLANE];
                b[x][1] = of[x * T_PLANE + 1];
            }
            multiply<0>(y[q], w[q + k], b);
        }
}

/* z := (I - V T V^H) z for the pair's columns; the warp has every other tile of 8 rows, lane (g, t) the
 * rows 2 t and 2 t + 1 of the columns g and g + 8.  `meeting` is free, and so it is afterwards. */
static __device__ __forceinline__ void
apply_block(const double *slot, double *meeting, sums_t (&z)[TILES])
{
    const int odd = threadIdx.x / WARP % 2;
    sums_t w[TILES] = {}, y[TILES] = {};

    if (odd)
        left<1>(slot, z, w);
    else
        left<0>(slot, z, w);
    add_parts(meeting, w);
    multiply_triangle(slot, w, y);
    __syncthreads();
    if (odd)
        right<1>(slot, y, z);
    else
        right<0>(slot, y, z);
}

/* A thread's columns of Z; a column beyond the last one is read in its place, and not written. */
typedef struct strip {
    scalar_t *at[2];
    int there[2], rows;
} strip_t;

static __device__ __forceinline__ strip_t strip_of(mat_t Z)
{
    const int pair = threadIdx.x / (2 * WARP);
    const int64_t first =
        (int64_t)blockIdx.x * ACROSS + pair * PAIR + threadIdx.x % WARP / 4;
    strip_t s;
    s.rows = (int)Z.rows;
#pragma unroll
    for (int k = 0; k < 2; ++k) {
        const int64_t column = first + 8 * k;
        s.there[k] = column < Z.cols;
        s.at[k] = &AT(Z, 0, s.there[k] ? column : Z.cols - 1);
    }
    return s;
}

/* Of the warp's tiles the k-th behind `row` */
static __device__ __forceinline__ int tile_row(int row, int k)
{
    return row + 8 * (2 * k + (int)threadIdx.x / WARP % 2) +
           2 * (int)(threadIdx.x % 4);
}

/* all: there are so many rows */
static __device__ __forceinline__ sums_t read_tile(const strip_t &of, int first,
                                                   int all)
{
    sums_t z;
#pragma unroll
    for (int k = 0; k < 2; ++k)
#pragma unroll
        for (int s = 0; s < 2; ++s) {
            const parts_t p = parts_of(
                all || first + s < of.rows ? of.at[k][first + s] : make(0, 0));
#pragma unroll
            for (int x = 0; x < WIDE_PARTS; ++x)
                z.x[x][k][s] = p.x[x];
        }
    return z;
}

static __device__ __forceinline__ void
write_tile(const sums_t &z, const strip_t &to, int first, int all)
{
#pragma unroll
    for (int k = 0; k < 2; ++k)
#pragma unroll
        for (int s = 0; s < 2; ++s)
            if (to.there[k] && (all || first + s < to.rows))
                to.at[k][first + s] = make((real_t)z.x[0][k][s],
                                           (real_t)z.x[WIDE_PARTS - 1][k][s]);
}

/* The numbers of a block that a thread carries to shared memory: lane r has those of the r-th sweep in
 * every STRIP-th of the BAND rows, modulo BAND, of V, and as many of T */
enum { CARRIED = BAND / STRIP };
typedef struct load {
    scalar_t v[CARRIED], t[CARRIED];
} load_t;

/* Which block: sweeps from `sweep` on, `hop`; T of all blocks of a group lie beside each other. */
static __device__ __forceinline__ void
read_block(mat_t V, const scalar_t *T, int sweep, int hop, load_t &to)
{
    const int r = threadIdx.x % WARP;
#pragma unroll
    for (int k = 0; k < CARRIED; ++k) {
        const int c = threadIdx.x / WARP + STRIP * k;
        const int row = band_row(sweep, hop) + (c >= r ? c : c + BAND);
        to.v[k] = sweep + r < V.cols - 1 && row < V.rows ? AT(V, sweep + r, row)
                                                         : make(0, 0);
        to.t[k] = T[(hop * BAND + c) * BAND + r];
    }
}

static __device__ __forceinline__ void put_block(const load_t &from,
                                                 double *slot)
{
    const int r = threadIdx.x % WARP;
#pragma unroll
    for (int k = 0; k < CARRIED; ++k) {
        const int c = threadIdx.x / WARP + STRIP * k;
        const parts_t v = parts_of(from.v[k]), t = parts_of(from.t[k]);
#pragma unroll
        for (int x = 0; x < WIDE_PARTS; ++x) {
            slot[x * V_PLANE + c + PITCH * r] = v.x[x];
            slot[AT_T + x * T_PLANE + r + T_PITCH * c] = t.x[x];
        }
    }
}

/* -- kernels: the vectors ----------------------------------------------------------------- */

/* Groups of BAND sweeps, and the room for -T of their blocks, hops of BAND x BAND each */
typedef struct groups {
    int first, count;
    int hops;
    scalar_t *T;
} groups_t;

/* -T of a block, by rows.  grid: x hops, y groups; block: 32 threads: thread r has row r of T. */
static __global__ void __launch_bounds__(WARP)
    triangles_kernel(mat_t V, mat_t tau, groups_t g)
{
    __shared__ scalar_t v[BAND][BAND + 1], S[BAND][BAND + 1];
    const int n = (int)V.rows, hop = blockIdx.x;
    const int sweep = (g.first + (int)blockIdx.y) * BAND, r = threadIdx.x;
    scalar_t *const to =
        g.T + ((int64_t)blockIdx.y * g.hops + hop) * BAND * BAND;
    scalar_t row[BAND];

    for (int k = 0; k < BAND; ++k) { /* v[c][k]: row c + k of the block; r: c */
        const int row = k >= r ? k : k + BAND, at = band_row(sweep, hop) + row;
        v[r][row - r] =
            at < n && sweep + r < n - 1 ? AT(V, sweep + r, at) : make(0, 0);
    }
    __syncwarp();
    for (int c = 0; c < BAND; ++c) { /* S[r][c] = V(:,r)^H V(:,c)             */
        scalar_t sum = make(0, 0);
        for (int k = c - r; k >= 0 && k < BAND; ++k)
            sum = mul_add(conj_of(v[r][k]), v[c][k - (c - r)], sum);
        S[r][c] = sum;
    }
    __syncwarp();
#pragma unroll
    for (int c = 0; c < BAND; ++c) {
        const int there = sweep + c < n - 1 && band_row(sweep + c, hop) < n;
        const scalar_t t = there ? AT(tau, hop, sweep + c) : make(0, 0);
        scalar_t sum = make(0, 0);
#pragma unroll
        for (int k = 0; k < c; ++k)
            sum = mul_add(row[k], S[k][c], sum);
        row[c] = r == c  ? t
                 : r < c ? mul(make(-re(t), -im(t)), sum)
                         : make(0, 0);
    }
#pragma unroll
    for (int c = 0; c < BAND; ++c)
        to[r * BAND + c] = make(-re(row[c]), -im(row[c]));
}

/* Z := the product of the groups' blocks times Z, the last group first, and in it hop 0 first.
 * grid: a block 32 columns of Z; block: two pairs of warps; shared: two blocks V and T, of which the one
 * that is not in use is the warps' meeting place */
static __global__ void __launch_bounds__(WARP *STRIP)
    vectors_kernel(mat_t V, groups_t g, mat_t Z)
{
    extern __shared__ __align__(16) unsigned char memory[];
    double *const slot = (double *)memory;
    const int n = (int)V.rows;
    const strip_t strip = strip_of(Z);
    load_t next;
    int turn = 0;

    for (int k = g.count - 1; k >= 0; --k) {
        const int sweep = (g.first + k) * BAND;
        const int hops = (n - 1 - sweep + BAND - 1) / BAND;
        const scalar_t *const T = g.T + (int64_t)k * g.hops * BAND * BAND;
        sums_t z[TILES];

        read_block(V, T, sweep, 0, next);
#pragma unroll
        for (int i = 0; i < TILES; ++i)
            z[i] = read_tile(strip, tile_row(sweep + 1, i), 0);
        for (int hop = 0; hop < hops; ++hop) {
            const int row = band_row(sweep, hop);
            double *const now = slot + turn * SLOT;
            const int all = row + 3 * BAND <= n;
            sums_t coming[TILES / 2];
            turn ^= 1;
            put_block(next, now);
            __syncthreads();
            if (hop + 1 < hops)
                read_block(V, T, sweep, hop + 1, next);
#pragma unroll
            for (int i = 0; i < TILES / 2; ++i)
                coming[i] = read_tile(strip, tile_row(row + 2 * BAND, i), all);
            apply_block(now, slot + turn * SLOT, z);
#pragma unroll
            for (int i = 0; i < TILES / 2; ++i) {
                write_tile(z[i], strip, tile_row(row, i), all);
                z[i] = z[TILES / 2 + i];
                z[TILES / 2 + i] = coming[i];
            }
        }
#pragma unroll
        for (int i = 0; i < TILES / 2; ++i)
            write_tile(z[i], strip, tile_row(band_row(sweep, hops), i), 0);
    }
}

/* -- launchers ----------------------------------------------------------------------------- */

static demand_t chase_demand(void)
{
    return demand("chase_kernel", 0, (const void *)chase_kernel, THREADS,
                  sizeof(hop_t));
}

static demand_t vectors_demand(void)
{
    return demand("vectors_kernel", 0, (const void *)vectors_kernel,
                  WARP * STRIP, 2 * SLOT * sizeof(double));
}

int X(band_demands)(demand_t *d)
{
    d[0] = chase_demand();
    d[1] = vectors_demand();
    return 2;
}

/* T of one group */
static size_t group_bytes(int64_t n)
{
    return (size_t)max_i(band_hops(n), 1) * BAND * BAND * sizeof(scalar_t);
}

/* A quarter of the groups at a time, or all of few: what is more makes fewer launches. */
size_t X(band_bytes_cuda)(int64_t n)
{
    const size_t some = (size_t)max_i(band_hops(n) / 4, 8) * group_bytes(n);
    return mail_bytes(n) > some ? mail_bytes(n) : some;
}

gsvd_status_t X(band_fits_cuda)(const exec_t *ex, int64_t n, int *fits)
{
    const demand_t want = chase_demand();

    GSVD_TRY(X(bidiagonal_band_fits)(ex, n, fits));
    return *fits ? chase_fits(ex, &want, n, fits) : GSVD_SUCCESS;
}

gsvd_status_t X(band_to_tridiagonal_cuda)(const exec_t *ex, mat_t A, real_t *d,
                                          real_t *e, mat_t V, mat_t tau)
{
    const int64_t n = A.cols;
    const demand_t want = chase_demand();
    mail_t mail;
    void *arguments[] = {&A, &d, &e, &V, &tau, &mail};
    return launch_chase(ex, &want, n, &mail, arguments);
}

gsvd_status_t X(band_vectors_cuda)(const exec_t *ex, mat_t V, mat_t tau,
                                   mat_t Z)
{
    const int64_t n = V.rows, all = (n - 1 + BAND - 1) / BAND;
    const demand_t want = vectors_demand();
    const size_t left = ex->work.size - ex->work.used;
    const unsigned strips = (unsigned)((Z.cols + ACROSS - 1) / ACROSS);
    groups_t g = {0, 0, (int)band_hops(n), NULL};
    void *work;

    if (n <= 1 || Z.cols == 0)
        return GSVD_SUCCESS;
    GSVD_TRY(X(kernel_work)(ex, group_bytes(n), &work));
    GSVD_TRY(gsvd_allow_shared(ex->h, &want));
    const int64_t most = min_i((int64_t)(left / group_bytes(n)), all);
    g.T = (scalar_t *)work;
    for (int64_t end = all; end > 0; end -= g.count) {
        g.count = (int)min_i(most, end);
        g.first = (int)(end - g.count);
        triangles_kernel<<<dim3((unsigned)g.hops, (unsigned)g.count), WARP, 0,
                           stream_of(ex)>>>(V, tau, g);
        GSVD_TRY(gsvd_launched(ex->h, "band_vectors, triangles"));
        vectors_kernel<<<strips, WARP * STRIP, want.bytes, stream_of(ex)>>>(
            V, g, Z);
        GSVD_TRY(gsvd_launched(ex->h, "band_vectors"));
    }
    return GSVD_SUCCESS;
}
