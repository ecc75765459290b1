/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* tridiagonal_panel.cu -- reduces the first columns of a large Hermitian matrix A to tridiagonal
 * form, in one cooperative launch (Dongarra, Sorensen, Hammarling 1989).  A itself is read and not
 * changed:
 *
 *     A_now = A - V W^H - W V^H     V, W: m x i, of the columns before
 *
 *     for i = 0, 1, ...
 *     1  by rows       w = tau p - |tau|^2/2 (p^H x) x, p = A_now x     x, tau: of column i - 1
 *                      a = A_now(:,i)
 *        barrier of the grid
 *     2  by columns    H = I - tau x x^H, H^H a(i+1:) = e_i e_1, d_i = a_i
 *                      A x, V^H x, W^H x
 *        barrier of the grid
 *
 *     block b of B     phase 1: rows 32 (b + k B) to 32 (b + k B) + 31, k = 0, 1, ...
 *                      phase 2: columns b + k B of A below the diagonal; every B-th dot product
 *     thread t         phase 2: rows t + 512 k of x and of the block's share of A x
 *
 * The product reads only the half of A below the diagonal; each entry serves its row and its
 * column.  So a block has a share of A x in all rows, which it leaves in global memory for phase 1.
 *
 * A does not change, so that columns are copied to shared memory, through a ring of slots, while
 * the grid waits.  The last columns of a block, which are the shortest, stay in shared memory.
 *
 * A column takes 25 microseconds at m = 4096 on an H200; reading half of the matrix from global
 * memory would take 16.  Instructions and the waits bound it (bench/notes.md).
 */
#include <cooperative_groups.h>
#include <math.h>

#include "core/bulk_copy.cuh"
#include "core/gpublas.h"
#include "core/launch.h"
#include "core/reduce.cuh"
#include "jacobi/demand.h"
#include "jacobi/tridiagonal_panel.h"
#include "jacobi/warp_sums.cuh"
#include "qr/reflect.h"
#include "tuning.h"

/* The kernel's geometry, not a card's: SHARES x WARPS shares are in registers, and those of more
 * blocks are read one after the other. */
enum {
    ROWS = 512, /* threads of a block, with adjacent rows                    */
    WARPS = ROWS / WARP,
    SHARES = 10, /* shares of A x that a warp reads at once: for 160 blocks  */
    TERMS = TRIDIAGONAL_PANEL / WARPS,
    LARGE = 16 / REALS_PER_SCALAR, /* the most rows of a thread              */
    DEEP = 4, /* rows that a thread reads at once               */
    FRINGE = 16 / sizeof(scalar_t), /* Copies begin and end at 16 bytes.     */
    MOST_SLOTS = 4,
    SLOT_BARRIER = sizeof(barrier_t)
};

/* The ring: slots of shared memory for columns, R rows a thread */
template <int R> struct ring_of {
    static constexpr int fit = 128 * 1024 / (int)(R * ROWS * sizeof(scalar_t));
    static constexpr unsigned slots = fit < MOST_SLOTS ? fit : MOST_SLOTS;
    static constexpr int slot = R * ROWS + 2 * FRINGE; /* numbers            */
};

/* Which columns stay on the chip from step to step */
typedef struct stay {
    int kept;   /* the most columns of a block in shared memory              */
    int cached; /* The second cache is to keep columns from here on.         */
} stay_t;

/* The block's columns, blockIdx.x + gridDim.x k, below the diagonal; the last column of the
 * matrix, which has nothing there, is left out. */
typedef struct share {
    scalar_t *kept;       /* columns in shared memory, the last one first    */
    int first_kept, last; /* the first and the last one of these             */
    int panel;            /* columns of the panel                            */
    int cached;           /* stay_t's                                        */
} share_t;

/* The state of the ring.  Columns come to its slots in turn, step after step; the next one to be
 * copied is column c for step i. */
typedef struct ring {
    scalar_t *slot;
    unsigned full, empty; /* barriers, one of each for a slot                */
    unsigned passed; /* columns that this thread has used                    */
    unsigned sent;   /* columns that thread 0 has begun to copy; it alone has
                        this, i and c                                        */
    int i, c;
} ring_t;

/* The room, in scalars, of a block's last k columns, if `blocks` share all columns: the k-th from
 * the end has at most blocks k + 1 rows. */
static __host__ __device__ __forceinline__ int kept_before(int k, int blocks)
{
    return ((blocks + 3) / 4 * 4 + 2 * FRINGE) * (k * (k + 1) / 2);
}

/* Numbers of a step, of which each block has a copy in shared memory */
typedef struct step {
    scalar_t of_v[TRIDIAGONAL_PANEL];  /* V^H x                              */
    scalar_t of_w[TRIDIAGONAL_PANEL];  /* W^H x                              */
    scalar_t row_v[TRIDIAGONAL_PANEL]; /* row i of V                         */
    scalar_t row_w[TRIDIAGONAL_PANEL]; /* row i of W                         */
    scalar_t part[WARPS][WARP]; /* each warp's part of p ...                 */
    scalar_t rest[WARPS][WARP]; /* ... and of a, in the row of each lane     */
    scalar_t lead[WARPS];       /* each warp's part of p in row i            */
} step_t;

/* -- device functions: 1 ------------------------------------------------------ */

/* Reads what all blocks left for column i - 1 into s; returns p^H x.  lead: the thread's part of p
 * in row i; s.lead := its sums over the warps. */
static __device__ real_t collect(const tridiagonal_panel_t &w, mat_t V, mat_t W,
                                 int i, scalar_t lead, step_t &s)
{
    const int t = threadIdx.x;
    real_t sum[1] = {0};
    if (t < i - 1) {
        s.of_v[t] = __ldcg(&w.dot[t]);
        s.of_w[t] = __ldcg(&w.dot[TRIDIAGONAL_PANEL + t]);
        s.row_v[t] = __ldcg(&AT(V, i, t));
        s.row_w[t] = __ldcg(&AT(W, i, t));
        sum[0] -=
            2 * (re(s.of_v[t]) * re(s.of_w[t]) + im(s.of_v[t]) * im(s.of_w[t]));
        lead = sub(lead,
                   mul_add(s.row_v[t], s.of_w[t], mul(s.row_w[t], s.of_v[t])));
    }
    if (t < gridDim.x)
        sum[0] += __ldcg(&w.square[t]);
    lead = warp_sum(lead);
    if (t % WARP == 0)
        s.lead[t / WARP] = lead;
    block_sum(sum);
    return sum[0];
}

/* What a thread reads of row r at once: shares of A x, and entries of V and W */
typedef struct row {
    scalar_t product[SHARES], v[TERMS], w[TERMS];
} row_t;

static __device__ __forceinline__ void read_row(const tridiagonal_panel_t &w,
                                                mat_t V, mat_t W, int r, int i,
                                                row_t &row)
{
    const int warp = threadIdx.x / WARP, m = (int)V.rows, ld = (int)V.ld;
    const int inside = r < m, blocks = inside ? (int)gridDim.x : 0;
    const int terms = inside ? i - 1 : 0;
    const scalar_t *const p = w.product + r;
#pragma unroll
    for (int x = 0; x < SHARES; ++x) {
        const int b = warp + x * WARPS;
        row.product[x] = b < blocks ? __ldcg(&p[b * m]) : make(0, 0);
    }
#pragma unroll
    for (int x = 0; x < TERMS; ++x) {
        const int k = warp + x * WARPS;
        row.v[x] = k < terms ? __ldcg(&V.data[k * ld + r]) : make(0, 0);
        row.w[x] = k < terms ? __ldcg(&W.data[k * ld + r]) : make(0, 0);
    }
}

/* s.part and s.rest := the warp's parts of p and of a in the row of each lane */
static __device__ __forceinline__ void
parts_of_row(const tridiagonal_panel_t &w, int m, int r, int i,
             const row_t &row, step_t &s)
{
    const int warp = threadIdx.x / WARP, lane = threadIdx.x % WARP;
    scalar_t p = row.product[0], a = make(0, 0);
#pragma unroll
    for (int x = 1; x < SHARES; ++x)
        p = add(p, row.product[x]);
    for (int b = warp + SHARES * WARPS; b < gridDim.x && r < m; b += WARPS)
        p = add(p, __ldcg(&w.product[b * m + r]));
#pragma unroll
    for (int x = 0; x < TERMS; ++x) {
        const int k = warp + x * WARPS;
        if (k >= i - 1)
            continue;
        p = sub(p, mul_add(row.v[x], s.of_w[k], mul(row.w[x], s.of_v[k])));
        a = sub(a, mul_add(row.v[x], conj_of(s.row_w[k]),
                           mul(row.w[x], conj_of(s.row_v[k]))));
    }
    s.part[warp][lane] = p;
    s.rest[warp][lane] = a;
}

/* The end of phase 1 for row r, in one warp: W(r,i-1), and a in global memory; wi: w in row i */
static __device__ __forceinline__ void
finish_row(const tridiagonal_panel_t &w, mat_t A, mat_t V, mat_t W, int r,
           int i, scalar_t tau, real_t half, scalar_t wi, const step_t &s)
{
    const int lane = threadIdx.x % WARP;
    const scalar_t x = __ldcg(&AT(V, r, i - 1));
    scalar_t a = add(AT(A, r, i), s.rest[0][lane]), p = s.part[0][lane];
#pragma unroll
    for (int warp = 1; warp < WARPS; ++warp) {
        p = add(p, s.part[warp][lane]);
        a = add(a, s.rest[warp][lane]);
    }
    const scalar_t u = mul_add(tau, p, scale(half, x));
    AT(W, r, i - 1) = u;
    w.column[r] = sub(a, add(mul(x, conj_of(wi)), u)); /* x is 1 in row i    */
}

/* Phase 1 for the block's rows from i on: W(:,i-1), and a in global memory */
static __device__ void find_column(const tridiagonal_panel_t &w, mat_t A,
                                   mat_t V, mat_t W, int i, scalar_t tau,
                                   step_t &s)
{
    const int m = (int)A.rows, step = gridDim.x * WARP;
    const int first = blockIdx.x * WARP;
    real_t half = 0;
    scalar_t wi = make(0, 0);

    for (int r0 = first; r0 < m || r0 == first; r0 += step) {
        const int r = r0 + threadIdx.x % WARP;
        const int mine = threadIdx.x < WARP && r >= i && r < m;
        if (i == 0) {
            if (mine)
                w.column[r] = AT(A, r, 0);
            continue;
        }
        row_t row;
        read_row(w, V, W, r, i, row);
        if (r0 == first) {
            const int b = threadIdx.x;
            const scalar_t lead =
                b < gridDim.x ? __ldcg(&w.product[b * m + i]) : make(0, 0);
            half = -abs2(tau) * collect(w, V, W, i, lead, s) / 2;
            scalar_t p = s.lead[0];
            for (int warp = 1; warp < WARPS; ++warp)
                p = add(p, s.lead[warp]);
            wi = mul_add(tau, p, make(half, 0));
        }
        parts_of_row(w, m, r, i, row, s);
        __syncthreads();
        if (mine)
            finish_row(w, A, V, W, r, i, tau, half, wi, s);
        __syncthreads();
    }
}

/* -- device functions: the ring ------------------------------------------------- */

#if BULK_COPIES

/* The first column of the block behind column i */
static __device__ __forceinline__ int first_behind(int i)
{
    const int c = blockIdx.x, step = gridDim.x;
    return c > i ? c : c + ((i - c) / step + 1) * step;
}

/* The number of scalars before column c below the diagonal that its copy takes along, so that it
 * begins at a multiple of 16 bytes */
static __device__ __forceinline__ int skip_of(mat_t A, int c)
{
    const unsigned first = (unsigned)((uintptr_t)A.data / sizeof(scalar_t));
    return (first + c + 1 + c * (unsigned)A.ld) % FRINGE;
}

/* Starts to copy column c below the diagonal, extended to multiples of 16 bytes on both sides. */
static __device__ __forceinline__ void copy_column(mat_t A, int c, int keep,
                                                   scalar_t *to, unsigned b)
{
    const int skip = skip_of(A, c), rows = (int)A.rows - c - 1;
    const unsigned bytes = (skip + rows) * sizeof(scalar_t);
    barrier_expect(b, (bytes + 15) / 16 * 16);
    bulk_copy(to, A.data + c + 1 + c * A.ld - skip, (bytes + 15) / 16 * 16, b,
              cache_policy(keep));
}

/* The place of a kept column */
static __device__ __forceinline__ scalar_t *place_of(const share_t &own, int c)
{
    return own.kept + kept_before((own.last - c) / (int)gridDim.x, gridDim.x);
}

/* Moves to the next column that comes through the ring, in this step or a later one. */
static __device__ __forceinline__ void find_next(ring_t *s, const share_t &own)
{
    if (s->c < own.first_kept)
        return;
    s->c = first_behind(++s->i);
    if (s->c >= own.first_kept) /* So it is in all later steps.              */
        s->i = own.panel;
}

/* One thread: starts to copy one more column. */
template <int R>
static __device__ __forceinline__ void send(ring_t *s, const share_t &own,
                                            mat_t A)
{
    const unsigned slot = s->sent % ring_of<R>::slots;
    if (s->i >= own.panel)
        return;
    barrier_wait(s->empty + slot * SLOT_BARRIER,
                 (s->sent / ring_of<R>::slots & 1) ^ 1);
    copy_column(A, s->c, s->c >= own.cached, s->slot + slot * ring_of<R>::slot,
                s->full + slot * SLOT_BARRIER);
    ++s->sent;
    s->c += gridDim.x;
    find_next(s, own);
}

/* Called when the warp has used the ring's first column.  Thread 0 refills the slot of the column
 * before it, which most likely the other warps have used, too. */
template <int R>
static __device__ __forceinline__ void turn_ring(ring_t *s, const share_t &own,
                                                 mat_t A)
{
    __syncwarp();
    if (threadIdx.x % WARP == 0)
        barrier_arrive(s->empty + s->passed % ring_of<R>::slots * SLOT_BARRIER);
    ++s->passed;
    if (threadIdx.x == 0)
        send<R>(s, own, A);
}

/* Starts to copy the columns to keep and the first ones of the ring.  Waits for the former. */
template <int R>
static __device__ void start_ring(ring_t *s, const share_t &own, mat_t A)
{
    const int step = gridDim.x, more = own.last - own.first_kept;
    __shared__ barrier_t of_kept;
    const unsigned all_kept = shared_address(&of_kept);

    if (threadIdx.x == 0) {
        for (unsigned k = 0; k < ring_of<R>::slots; ++k) {
            barrier_start(s->full + k * SLOT_BARRIER, 1);
            barrier_start(s->empty + k * SLOT_BARRIER, WARPS);
        }
        barrier_start(all_kept, more < 0 ? 1 : more / step + 2);
        barriers_are_started();
    }
    __syncthreads();
    if (threadIdx.x == 0) {
        for (int c = own.first_kept; c <= own.last; c += step)
            copy_column(A, c, 0, place_of(own, c), all_kept);
        barrier_arrive(all_kept);
        find_next(s, own);
        for (unsigned k = 0; k < ring_of<R>::slots - 1; ++k)
            send<R>(s, own, A);
    }
    barrier_wait(all_kept, 0);
}

#endif

/* -- device functions: 2 ------------------------------------------------------- */

/* x := the reflector of a = w.column from row i + 1 on; returns tau.  Each block computes it. */
template <int R>
static __device__ __forceinline__ scalar_t reflector(
    const tridiagonal_panel_t &w, int m, int i, scalar_t (&x)[R], real_t *beta)
{
    const int first = i + 1;
    const scalar_t alpha = __ldcg(&w.column[first]);
    real_t sum[1] = {0};
#pragma unroll
    for (int t = 0; t < R; ++t) {
        const int r = threadIdx.x + t * ROWS;
        x[t] = r > first && r < m ? __ldcg(&w.column[r]) : make(0, 0);
        sum[0] += abs2(x[t]);
    }
    block_sum(sum);
    const householder_t h = householder_of(alpha, sum[0]);
#pragma unroll
    for (int t = 0; t < R; ++t)
        x[t] = threadIdx.x + t * ROWS == first ? make(1, 0) : mul(h.over, x[t]);
    *beta = h.beta;
    return h.tau;
}

/* The block's entries of V^H x and W^H x */
template <int R>
static __device__ __forceinline__ void find_dots(const tridiagonal_panel_t &w,
                                                 mat_t V, mat_t W, int i,
                                                 const scalar_t (&x)[R])
{
    for (int c = blockIdx.x; c < 2 * i; c += gridDim.x) {
        const int k = c < i ? c : c - i, m = (int)V.rows;
        const scalar_t *const a = (c < i ? V : W).data + k * V.ld;
        scalar_t dot = make(0, 0);
#pragma unroll
        for (int t = 0; t < R; ++t) {
            const int r = threadIdx.x + t * ROWS;
            if (r > i && r < m)
                dot = mul_add(conj_of(__ldcg(&a[r])), x[t], dot);
        }
        real_t sum[2] = {re(dot), im(dot)};
        block_sum(sum);
        if (threadIdx.x == 0)
            w.dot[(c < i ? 0 : TRIDIAGONAL_PANEL) + k] = make(sum[0], sum[1]);
    }
}

/* The part of A x of column c below the diagonal: q := q + that in the thread's rows.  Returns the
 * thread's part of the entry in row c.  a: where row 0 of the column would be; xc: x in row c */
template <int R>
static __device__ __forceinline__ scalar_t pass(const scalar_t *a, int c, int m,
                                                scalar_t xc,
                                                const scalar_t (&x)[R],
                                                scalar_t (&q)[R])
{
    const unsigned rows = m - c - 1; /* r - c - 1 below it: c < r < m        */
    scalar_t dot = make(0, 0);
#pragma unroll
    for (int t0 = 0; t0 < R; t0 += DEEP) {
        if ((t0 + DEEP) * ROWS <= c || t0 * ROWS >= m)
            continue; /* the same in all threads of the block                */
        scalar_t y[DEEP];
#pragma unroll
        for (int t = 0; t < DEEP; ++t) {
            const int r = threadIdx.x + (t0 + t) * ROWS;
            y[t] = (unsigned)(r - c - 1) < rows ? a[r] : make(0, 0);
        }
#pragma unroll
        for (int t = 0; t < DEEP; ++t) {
            dot = mul_add(conj_of(y[t]), x[t0 + t], dot);
            q[t0 + t] = mul_add(y[t], xc, q[t0 + t]);
        }
    }
    return dot;
}

/* The same for a column of the block, which is kept in shared memory (KEPT) or comes through the
 * ring */
template <int R, int KEPT>
static __device__ __forceinline__ scalar_t
pass_column(const share_t &own, mat_t A, int c, scalar_t xc, ring_t *ring,
            const scalar_t (&x)[R], scalar_t (&q)[R])
{
    const int m = (int)A.rows;
#if BULK_COPIES
    const int skip = skip_of(A, c) - c - 1;
    if (KEPT)
        return pass(place_of(own, c) + skip, c, m, xc, x, q);
    const unsigned slot = ring->passed % ring_of<R>::slots;
    barrier_wait(ring->full + slot * SLOT_BARRIER,
                 ring->passed / ring_of<R>::slots & 1);
    const scalar_t dot =
        pass(ring->slot + slot * ring_of<R>::slot + skip, c, m, xc, x, q);
    turn_ring<R>(ring, own, A);
    return dot;
#else
    (void)own, (void)ring;
    return pass(A.data + c * A.ld, c, m, xc, x, q);
#endif
}

/* q := q + the share in A x of the block's columns k to k1; sums := each warp's part of the entries
 * in the rows of these columns */
template <int R, int KEPT>
static __device__ __forceinline__ void
pass_columns(const share_t &own, mat_t A, int k, int k1, const scalar_t *all,
             scalar_t *sums, ring_t *ring, const scalar_t (&x)[R],
             scalar_t (&q)[R])
{
    const int lane = threadIdx.x % WARP, warp = threadIdx.x / WARP;
    for (; k < k1; k += GROUP) {
        scalar_t dot[GROUP];
#pragma unroll
        for (int g = 0; g < GROUP; ++g) {
            const int c = blockIdx.x + (k + g) * gridDim.x;
            dot[g] = k + g < k1
                         ? pass_column<R, KEPT>(own, A, c, all[c], ring, x, q)
                         : make(0, 0);
        }
        const scalar_t total = warp_sums(dot);
        if (lane % 8 == 0 && k + lane / 8 < k1)
            sums[(k + lane / 8) * WARPS + warp] = total;
    }
}

/* Writes the block's share of A x and of x^H A x to global memory; all := x, in shared memory */
template <int R>
static __device__ __forceinline__ void
find_product(const tridiagonal_panel_t &w, mat_t A, int i,
             const scalar_t (&x)[R], scalar_t *all, scalar_t *sums,
             const share_t &own, ring_t *ring, real_t diagonal)
{
    const int m = (int)A.rows, step = gridDim.x;
    scalar_t *const product = w.product + blockIdx.x * m;
    scalar_t q[R];
    real_t square[1] = {0};

#pragma unroll
    for (int t = 0; t < R; ++t) {
        q[t] = make(0, 0);
        if (threadIdx.x + t * ROWS < m)
            all[threadIdx.x + t * ROWS] = x[t];
    }
    __syncthreads();
    const int k0 = (i - (int)blockIdx.x + step) / step; /* behind column i    */
    const int first = own.first_kept, last = own.last;
    const int kept = max(k0, (first - (int)blockIdx.x) / step);
    pass_columns<R, 0>(own, A, k0, kept, all, sums, ring, x, q);
    pass_columns<R, 1>(own, A, kept, (last - (int)blockIdx.x) / step + 1, all,
                       sums, ring, x, q);
#pragma unroll
    for (int t = 0; t < R; ++t) {
        const int r = threadIdx.x + t * ROWS;
        if (r <= i || r >= m)
            continue;
        product[r] = q[t];
        square[0] += re(q[t]) * re(x[t]) + im(q[t]) * im(x[t]);
    }
    __syncthreads();
    const int c = blockIdx.x + threadIdx.x * step; /* the thread's column    */
    if (c > i && c < m) {
        scalar_t sum = scale(diagonal, all[c]);
        for (int warp = 0; warp < WARPS && c <= last; ++warp)
            sum = add(sum, sums[threadIdx.x * WARPS + warp]);
        product[c] = add(product[c], sum);
        square[0] += re(sum) * re(all[c]) + im(sum) * im(all[c]);
    }
    block_sum(square);
    if (threadIdx.x == 0)
        w.square[blockIdx.x] = square[0];
}

/* -- kernel --------------------------------------------------------------------- */

/* Shared memory behind step_t, in scalars: x, the ring, and the sums of the block's columns.
 * Behind these are the columns that the block keeps. */
template <int R>
static __host__ __device__ __forceinline__ int numbers_of(int m, int blocks)
{
    const int mine = (m + blocks - 1) / blocks + GROUP;
    return R * ROWS + ring_of<R>::slots * ring_of<R>::slot + mine * WARPS;
}

static __device__ __forceinline__ share_t take_share(int m, int panel,
                                                     const stay_t &stay,
                                                     scalar_t *kept)
{
    const int own = blockIdx.x, step = gridDim.x;
    const int last = own + (m - 2 - own) / step * step;
    const int first = last - (stay.kept - 1) * step;
    const share_t s = {kept, first > own ? first : own, last, panel,
                       stay.cached};
    return s;
}

/* grid: cooperative, one block a multiprocessor; block: 512 threads, R rows each; shared: step_t,
 * numbers_of, then the columns that are kept.  The loop's last pass has no reflector: it computes
 * the w of the last column. */
template <int R>
static __global__ void __launch_bounds__(ROWS, 1)
    tridiagonal_panel_kernel(mat_t A, mat_t V, mat_t W, real_t *d, real_t *e,
                             scalar_t *tau, tridiagonal_panel_t w, stay_t stay)
{
    extern __shared__ __align__(16) unsigned char memory[];
    const cooperative_groups::grid_group grid = cooperative_groups::this_grid();
    const int m = (int)A.rows;
    step_t &s = *(step_t *)memory;
    scalar_t *const all = (scalar_t *)(memory + sizeof(step_t));
    scalar_t *const slots = all + R * ROWS;
    scalar_t *const sums = slots + ring_of<R>::slots * ring_of<R>::slot;
    const share_t own =
        take_share(m, (int)V.cols, stay, all + numbers_of<R>(m, gridDim.x));
    ring_t ring = {slots, 0, 0, 0, 0, 0, 0};
    const int mine = blockIdx.x + threadIdx.x * gridDim.x; /* a column       */
    const real_t diagonal = mine < m ? re(AT(A, mine, mine)) : 0;
    scalar_t x[R], t = make(0, 0);
    real_t beta;

#if BULK_COPIES
    __shared__ barrier_t barrier[2 * MOST_SLOTS];
    ring.c = blockIdx.x > 0 ? blockIdx.x : gridDim.x; /* behind column 0     */
    ring.full = held(shared_address(barrier));
    ring.empty = ring.full + MOST_SLOTS * SLOT_BARRIER;
    start_ring<R>(&ring, own, A);
#endif
    for (int i = 0; i <= V.cols; ++i) {
        find_column(w, A, V, W, i, t, s); /* 1 */
        if (i == V.cols)
            return;
        grid.sync();
        t = reflector(w, m, i, x, &beta); /* 2 */
        if (blockIdx.x == gridDim.x - 1) {
#pragma unroll
            for (int k = 0; k < R; ++k) {
                const int r = threadIdx.x + k * ROWS;
                if (r < m)
                    AT(V, r, i) = x[k];
            }
            if (threadIdx.x == 0) {
                d[i] = re(__ldcg(&w.column[i]));
                e[i] = beta;
                tau[i] = t;
            }
        }
        find_dots(w, V, W, i, x);
        find_product(w, A, i, x, all, sums, own, &ring, diagonal);
        grid.sync();
    }
}

/* -- launcher ------------------------------------------------------------------- */

/* The kernel for m rows, or NULL: a thread would have too many */
static const void *kernel_of(int64_t m)
{
    if (m <= 8 * ROWS)
        return (const void *)tridiagonal_panel_kernel<8>;
    return m <= LARGE * ROWS ? (const void *)tridiagonal_panel_kernel<LARGE>
                             : NULL;
}

/* A launch asks for all the shared memory that a block may have, whatever m is. */
static demand_t demand_of(int shared, int64_t m)
{
    const int rows = (int)((m + ROWS - 1) / ROWS);
    return demand("tridiagonal_panel_kernel", rows <= 8 ? 8 : LARGE,
                  kernel_of(m), ROWS, (size_t)shared - STATIC_SHARED);
}

int X(tridiagonal_panel_demands)(int shared, demand_t *d)
{
    int count = 0;
    for (int rows = 8; kernel_of(rows * ROWS); rows *= 2)
        d[count++] = demand_of(shared, rows * ROWS);
    return count;
}

/* The bytes of shared memory for m rows and so many blocks, without columns to keep */
static size_t shared_of(int64_t m, int64_t blocks)
{
    const int numbers = m <= 8 * ROWS ? numbers_of<8>((int)m, (int)blocks)
                                      : numbers_of<LARGE>((int)m, (int)blocks);
    return sizeof(step_t) + (size_t)numbers * sizeof(scalar_t);
}

/* The number of columns that a block keeps in so many bytes, and the first column for the second
 * cache to keep: from there on the lower half of the matrix has tuning_t.second_cache bytes. */
static stay_t what_stays(const exec_t *ex, int64_t m, int64_t blocks,
                         size_t bytes)
{
    const int most = (int)(m / blocks) - 1;
    stay_t stay = {0, 0};
    while (stay.kept < most &&
           kept_before(stay.kept + 1, (int)blocks) * sizeof(scalar_t) <= bytes)
        ++stay.kept;
    const double rows =
        sqrt(2.0 * (double)ex->tune->second_cache / sizeof(scalar_t));
    stay.cached = rows < (double)m ? (int)((double)m - rows) : 0;
    return stay;
}

static void carve(arena_t *a, int64_t m, int64_t blocks, tridiagonal_panel_t *w)
{
    w->product = (scalar_t *)gsvd_arena_take(a, blocks * m, sizeof(scalar_t));
    w->square = (real_t *)gsvd_arena_take(a, blocks, sizeof(real_t));
    w->dot =
        (scalar_t *)gsvd_arena_take(a, 2 * TRIDIAGONAL_PANEL, sizeof(scalar_t));
    w->column = (scalar_t *)gsvd_arena_take(a, m, sizeof(scalar_t));
}

size_t X(tridiagonal_panel_bytes)(const exec_t *ex, int64_t m)
{
    arena_t count = {0, 0, 0, 0};
    tridiagonal_panel_t w;
    carve(&count, m, cuda_of(ex->h)->multiprocessors, &w);
    return gsvd_arena_bytes(&count);
}

gsvd_status_t X(tridiagonal_panel_cuda)(const exec_t *ex, mat_t A, mat_t V,
                                        mat_t W, real_t *d, real_t *e,
                                        scalar_t *tau, void *memory, int *fits)
{
    arena_t a = gsvd_arena_over(memory, X(tridiagonal_panel_bytes)(ex, A.rows));
    tridiagonal_panel_t w;
    int64_t blocks;

    *fits = 0;
    if (!kernel_of(A.rows))
        return GSVD_SUCCESS;
    demand_t want = demand_of(cuda_of(ex->h)->shared, A.rows);
    GSVD_TRY(gsvd_allow_shared(ex->h, &want));
    GSVD_TRY(gsvd_at_once(ex->h, stream_of(ex), &want,
                          min_i(cuda_of(ex->h)->multiprocessors, ROWS),
                          &blocks));
    *fits = shared_of(A.rows, blocks) <= want.bytes && A.rows <= blocks * ROWS;
    if (!*fits)
        return GSVD_SUCCESS;
    carve(&a, A.rows, blocks, &w);
    stay_t stay =
        what_stays(ex, A.rows, blocks, want.bytes - shared_of(A.rows, blocks));
    void *arguments[] = {&A, &V, &W, &d, &e, &tau, &w, &stay};
    return gsvd_launch_grid(ex->h, stream_of(ex), &want, dim3((unsigned)blocks),
                            arguments);
}
