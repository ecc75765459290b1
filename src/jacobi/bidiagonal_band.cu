/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* bidiagonal_band.cu -- an upper band matrix := a real bidiagonal one (Lang 1996); CUDA twin of
 * band.c's.
 *
 * One cooperative launch makes all sweeps, as in band.cu.  Block j has hop j of all of them: F, the BAND
 * columns of the hop in the rows of the hop before, and S, the same columns in rows of their own.  Entry
 * (r, c) of the matrix is at (r % BAND, c % BAND) of F or S, so that nothing moves when rows and columns go
 * one on:
 *
 *     1  the column that block j + 1 left after the sweep before comes in on the right
 *     2  F := H'^H F, H': hop j - 1 of this sweep, from the left
 *     3  G of F's first row, or of row i:  F := F G, S := S G; F's first column is sent to block j - 1
 *     4  H of S's first column; it is sent to block j + 1, and what is left of the column to block j - 1
 *     5  S := H^H S
 *
 * Each warp finds G for itself.
 */
#include "jacobi/chase.cuh"

/* Row r, and columns c0 to c0 + MINE - 1, all modulo BAND, of both parts */
typedef struct tile {
    scalar_t F[MINE], S[MINE];
} tile_t;

/* In shared memory */
typedef struct hop {
    scalar_t part[2][WARPS][BAND];  /* of sums for F and for S                */
    scalar_t before[BAND], u[BAND]; /* H' and H                               */
    scalar_t tau_before, tau;
    scalar_t row[BAND];       /* F's first one, conjugate                     */
    scalar_t column[MESSAGE]; /* the one that comes in, and S's corner       */
} hop_t;

/* Where the reflectors of one side are stored */
typedef struct store {
    mat_t V, tau;
} store_t;

/* -- device functions ---------------------------------------------------------- */

/* The parts as they are before all sweeps */
static __device__ void take_tile(mat_t A, int r, int c0, tile_t &t)
{
    const int n = (int)A.cols, hop = blockIdx.x, first = 1 + hop * BAND;
    const int row = first + ((r - first) & (BAND - 1));
    const int above = hop > 0 ? row - BAND : r == 0 ? 0 : n;
#pragma unroll
    for (int q = 0; q < MINE; ++q) {
        const int col = first + ((c0 + q - first) & (BAND - 1));
        t.S[q] = row <= col && col < n ? AT(A, row, col) : make(0, 0);
        t.F[q] = above + BAND >= col && above < col && col < n
                     ? AT(A, above, col)
                     : make(0, 0);
    }
}

/* 1: z is the last row and column now, and S's first row F's last one. */
static __device__ __forceinline__ void shift(const hop_t &h, int r, int c0,
                                             int z, tile_t &t)
{
#pragma unroll
    for (int q = 0; q < MINE; ++q) {
        const int last = c0 + q == z;
        if (r == z) {
            t.F[q] = last ? h.column[z] : t.S[q];
            t.S[q] = last ? h.column[BAND] : make(0, 0);
        } else if (last) {
            t.F[q] = make(0, 0);
            t.S[q] = h.column[r];
        }
    }
}

/* The reflector of sweep i, whose entry v is of this row or column */
static __device__ __forceinline__ void store(const store_t &to, int i, int row,
                                             scalar_t v, scalar_t tau)
{
    if (to.V.data && row < to.V.cols)
        AT(to.V, i, row) = v;
    if (to.V.data && row == band_row(i, blockIdx.x))
        AT(to.tau, blockIdx.x, i) = tau;
}

/* 3: G of F's row `top`, which begins in column p.  F's row becomes (beta 0 ... 0), its other rows and S times G.
 * The warp's lanes get G's entries v. */
static __device__ __forceinline__ householder_t cut_row(hop_t &h, int r,
                                                        int warp, int top,
                                                        int p, scalar_t *v,
                                                        tile_t &t)
{
    const int c0 = MINE * warp;
    scalar_t f = make(0, 0), s = make(0, 0), mine[MINE];

    if (r == top)
#pragma unroll
        for (int q = 0; q < MINE; ++q)
            h.row[c0 + q] = conj_of(t.F[q]);
    __syncthreads();
    const householder_t G = reflector_in(h.row[r], r, p, v);
#pragma unroll
    for (int q = 0; q < MINE; ++q) {
        mine[q] = of_lane(*v, c0 + q);
        f = mul_add(t.F[q], mine[q], f);
        s = mul_add(t.S[q], mine[q], s);
    }
    h.part[0][warp][r] = f;
    s = row_sum(h.part[1], r, warp, s);
    apply_right(G.tau, sum_of(h.part[0], r), mine, t.F);
    apply_right(G.tau, s, mine, t.S);
    if (r == top)
#pragma unroll
        for (int q = 0; q < MINE; ++q)
            t.F[q] = make(c0 + q == p ? G.beta : 0, 0);
    return G;
}

/* 4, in the warp that has S's column p; to: the block's words */
static __device__ __forceinline__ householder_t cut_column(hop_t &h, int r,
                                                           int p, word_t *to,
                                                           int tag, scalar_t *u,
                                                           tile_t &t)
{
    const householder_t H = reflector_in(entry_of(t.S, p % MINE), r, p, u);
    tell(&to[r], *u, tag);
    if (r == p)
        tell(&to[BAND], H.tau, tag);
    h.u[r] = *u;
    if (r == p)
        h.tau = H.tau;
#pragma unroll
    for (int q = 0; q < MINE; ++q)
        if (q == p % MINE)
            t.S[q] = make(r == p ? H.beta : 0, 0);
    return H;
}

/* -- kernels -------------------------------------------------------------------- */

/* grid: cooperative, a block a hop; block: 256 threads, thread (r, warp) has row r and MINE columns; shared:
 * hop_t */
static __global__ void __launch_bounds__(THREADS, RESIDENT)
    bidiagonal_chase_kernel(mat_t A, real_t *x, store_t left, store_t right,
                            mail_t mail)
{
    extern __shared__ __align__(16) unsigned char memory[];
    hop_t &h = *(hop_t *)memory;
    const int n = (int)A.cols, j = blockIdx.x, sweeps = n - 1 - j * BAND;
    const int r = threadIdx.x % WARP, warp = threadIdx.x / WARP;
    const int c0 = MINE * warp;
    word_t *const after = mail.back + (j + 1) * MESSAGE; /* block j + 1's     */
    word_t *const above = mail.reflector + (j - 1) * MESSAGE;
    tile_t t;

    take_tile(A, r, c0, t);
    if (j == 0 && threadIdx.x == 0)
        x[0] = re(AT(A, 0, 0));
    for (int i = 0; i < sweeps; ++i) {
        const int first = i + 1 + j * BAND;
        const int p = first & (BAND - 1), z = (first - 1) & (BAND - 1);
        const int here = first + ((r - p) & (BAND - 1)); /* row or column     */
        const int comes = i > 0 && first - 1 + BAND < n;
        scalar_t v;
        if (warp == 0 || (warp == 1 && r == 0))
            h.column[threadIdx.x] =
                comes ? await(&after[threadIdx.x], i) : make(0, 0);
        if (j > 0 && warp == 2)
            h.before[r] = await(&above[r], i + 1);
        if (j > 0 && warp == 3 && r == 0)
            h.tau_before = await(&above[BAND], i + 1);
        __syncthreads();
        if (i > 0)
            shift(h, r, c0, z, t);
        if (j > 0)
            apply_left(h.tau_before, h.before[r], c0, -1, t.F);
        const householder_t G = cut_row(h, r, warp, j > 0 ? p : z, p, &v, t);
        if (warp == p / MINE) {
            scalar_t u;
            word_t *const back = mail.back + j * MESSAGE;
            if (j > 0)
                tell(&back[r], entry_of(t.F, p % MINE), i + 1);
            const householder_t H =
                cut_column(h, r, p, mail.reflector + j * MESSAGE, i + 1, &u, t);
            if (j > 0 && r == p)
                tell(&back[BAND], make(H.beta, 0), i + 1);
            if (j == 0 && r == p) {
                x[2 * i + 1] = G.beta;
                x[2 * i + 2] = H.beta;
            }
            store(left, i, here, u, H.tau);
        } else if (warp == (p / MINE + 1) % WARPS) {
            store(right, i, here, v, G.tau);
        }
        __syncthreads();
        apply_left(h.tau, h.u[r], c0, p, t.S);
    }
}

/* -- launchers ------------------------------------------------------------------- */

static demand_t chase_demand(void)
{
    return demand("bidiagonal_chase_kernel", 0,
                  (const void *)bidiagonal_chase_kernel, THREADS,
                  sizeof(hop_t));
}

int X(bidiagonal_band_demands)(demand_t *d)
{
    d[0] = chase_demand();
    return 1;
}

gsvd_status_t X(bidiagonal_band_fits)(const exec_t *ex, int64_t n, int *fits)
{
    const demand_t want = chase_demand();
    return chase_fits(ex, &want, n, fits);
}

gsvd_status_t X(band_to_bidiagonal_cuda)(const exec_t *ex, mat_t A, real_t *x,
                                         mat_t U, mat_t tau_u, mat_t V,
                                         mat_t tau_v)
{
    const demand_t want = chase_demand();
    store_t left = {U, tau_u}, right = {V, tau_v};
    mail_t mail;
    void *arguments[] = {&A, &x, &left, &right, &mail};
    return launch_chase(ex, &want, A.cols, &mail, arguments);
}
