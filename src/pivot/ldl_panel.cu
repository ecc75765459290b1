/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* ldl_panel.cu -- one panel of L D L^H: candidates, pivots, exchange; CUDA twin of ldl_panel.c.
 *
 * Complete pivoting of the candidates is the longest part: each pivot waits for the one before it.
 * One block has the triangle of A(C,C) in registers, thread (x, y) the entries (x + 32 i, y + 16 j).
 * A pivot takes three barriers:
 *
 *     1  behind the search.  Sizes are integers, so that a warp finds its largest in one instruction
 *     2  the pivot's columns are in shared memory, and are zeros in registers
 *     3  a few warps have divided them, once for all, with zeros for the pivot's own rows: so no
 *        thread asks where its entries are
 */
#include "core/gpublas.h"
#include "core/reduce.cuh"
#include "pivot/ldl.h"

enum {
    C = LDL_CANDIDATES,
    B = LDL_PIVOTS,
    THREADS = 256, /* of most kernels                                      */
    SQUARE = 1024, /* of those with one block                              */
    HIGH = 16,     /* warps of the block of pivots                         */
    PIVOTERS = HIGH * WARP,
    DOWN = C / WARP, /* rows and columns of its threads                    */
    ACROSS = C / HIGH,
    WIDE = WARP / HIGH, /* columns to a row on the diagonal                */
    TILES = WIDE * DOWN * (DOWN + 1) / 2,
    NONE = 1 << 30,
    /* rows that move at a time */
    ROWS = REALS_PER_SCALAR == 2 && !GSVD_SINGLE ? WARP / 2 : WARP
};
static_assert(C % WARP == 0 && 2 * B >= C && C < PIVOTERS, "tiles of a warp");

/* -- device functions: candidates ---------------------------------------------------- */

/* The largest x of the block, in all threads */
static __device__ unsigned long long block_most(unsigned long long x)
{
    __shared__ unsigned long long part[WARP];
    for (int step = WARP / 2; step > 0; step /= 2) {
        const unsigned long long other = __shfl_xor_sync(0xffffffff, x, step);
        x = other > x ? other : x;
    }
    if (threadIdx.x % WARP == 0)
        part[threadIdx.x / WARP] = x;
    __syncthreads();
    for (int warp = 0; warp < (int)blockDim.x / WARP; ++warp)
        x = part[warp] > x ? part[warp] : x;
    return x;
}

/* Of 256 counts the largest digit above which there are less than *want; *want -= those above.  The
 * first warp. */
static __device__ unsigned find_digit(const int *count, int *want)
{
    const int lane = threadIdx.x, first = 255 - 8 * lane;
    int sum = 0, found = -1, rest = *want;
    for (int i = 0; i < 8; ++i)
        sum += count[first - i];
    int through = sum;
    for (int step = 1; step < WARP; step *= 2) {
        const int other = __shfl_up_sync(0xffffffff, through, step);
        through += lane >= step ? other : 0;
    }
    const unsigned enough = __ballot_sync(0xffffffff, through >= rest);
    if (lane == __ffs((int)enough) - 1) {
        rest -= through - sum;
        found = first;
        while (count[found] < rest)
            rest -= count[found--];
        *want = rest;
    }
    __syncwarp();
    return (unsigned)__reduce_max_sync(0xffffffff, found);
}

/* The want-th largest of m sizes; the block */
static __device__ unsigned nth_largest(int m, const unsigned *size, int nth)
{
    __shared__ int count[256], want;
    __shared__ unsigned found;
    unsigned known = 0;

    if (threadIdx.x == 0) {
        want = nth;
        found = 0;
    }
    for (int shift = 24; shift >= 0; shift -= 8) {
        if (threadIdx.x < 256)
            count[threadIdx.x] = 0;
        __syncthreads();
        for (int i = threadIdx.x; i < m; i += SQUARE)
            if ((size[i] & known) == found)
                atomicAdd(&count[size[i] >> shift & 255], 1);
        __syncthreads();
        if (threadIdx.x < WARP) {
            const unsigned digit = find_digit(count, &want);
            if (threadIdx.x == 0)
                found |= digit << shift;
        }
        known |= 255u << shift;
        __syncthreads();
    }
    const unsigned result = found;
    __syncthreads();
    return result;
}

enum { FREE, TAKEN, WANTED };
enum { ABOVE, EQUAL, ASKED_FOR };

/* Takes columns with a size above `least`, equal to it, or asked for, by number, until there are
 * `most`; the block.  *taken: those there are */
static __device__ void take(int m, const unsigned *size, unsigned least,
                            int what, int most, int *state, int *taken,
                            ldl_panel_t *p)
{
    __shared__ int part[WARP];
    const int lane = threadIdx.x % WARP, warp = threadIdx.x / WARP;

    for (int first = 0; first < m && *taken < most; first += SQUARE) {
        const int j = first + (int)threadIdx.x;
        int mine = 0;
        if (j < m && state[j] != TAKEN)
            mine = what == ABOVE   ? size[j] > least
                   : what == EQUAL ? size[j] == least
                                   : state[j] == WANTED;
        const unsigned vote = __ballot_sync(0xffffffff, mine);
        if (lane == 0)
            part[warp] = __popc(vote);
        __syncthreads();
        int at = *taken + __popc(vote & ((1u << lane) - 1)), all = *taken;
        for (int other = 0; other < SQUARE / WARP; ++other) {
            at += other < warp ? part[other] : 0;
            all += part[other];
        }
        if (mine && at < most) {
            state[j] = TAKEN;
            p->candidate[at] = j;
        }
        *taken = all < most ? all : most;
        __syncthreads();
    }
}

/* -- device functions: pivots ---------------------------------------------------------- */

/* A thread's largest entries, by size and then by number: off the diagonal, and on it */
struct best_t {
    unsigned off, diagonal;
    int off_at, diagonal_at; /* row + C column                               */
};

/* Entry (x + 32 i, y + 16 j), j < WIDE (i + 1) */
static __device__ __forceinline__ int number_of_tile(int i, int j)
{
    return WIDE * i * (i + 1) / 2 + j;
}

static __device__ __forceinline__ best_t look(const scalar_t (&a)[TILES])
{
    const int x = threadIdx.x % WARP, y = threadIdx.x / WARP;
    best_t best = {0, 0, NONE, NONE};
#pragma unroll
    for (int j = 0; j < ACROSS; ++j)
#pragma unroll
        for (int i = j / WIDE; i < DOWN; ++i) {
            const int r = x + WARP * i, c = y + HIGH * j;
            const int is_below = j < WIDE * i;
            const unsigned size = size_bits(a[number_of_tile(i, j)]);
            if ((is_below || r > c) && size > best.off) {
                best.off = size;
                best.off_at = r + C * c;
            }
            if (!is_below && r == c && size > best.diagonal) {
                best.diagonal = size;
                best.diagonal_at = r + C * c;
            }
        }
    return best;
}

/* The best one of a warp's lanes */
static __device__ __forceinline__ best_t best_of_warp(best_t x)
{
    best_t y;
    y.off = __reduce_max_sync(0xffffffff, x.off);
    y.diagonal = __reduce_max_sync(0xffffffff, x.diagonal);
    y.off_at = __reduce_min_sync(0xffffffff, x.off == y.off ? x.off_at : NONE);
    y.diagonal_at = __reduce_min_sync(
        0xffffffff, x.diagonal == y.diagonal ? x.diagonal_at : NONE);
    return y;
}

/* ... of the block, in all threads; one barrier, and another one before the next call */
static __device__ best_t best_of_block(best_t x)
{
    __shared__ best_t part[HIGH];
    x = best_of_warp(x);
    if (threadIdx.x % WARP == 0)
        part[threadIdx.x / WARP] = x;
    __syncthreads();
    return best_of_warp(part[threadIdx.x % HIGH]);
}

/* to := column r of the Hermitian rest, of which each thread has its entries; zeros stay.  Constants
 * number the entries from the beginning, or they would lie in memory: those of the column, */
template <int J = 0>
static __device__ __forceinline__ void take_down(scalar_t (&a)[TILES], int r,
                                                 scalar_t *to)
{
    const int x = threadIdx.x % WARP;
    if constexpr (J < ACROSS) {
        if (J != r / HIGH)
            return take_down<J + 1>(a, r, to);
#pragma unroll
        for (int i = J / WIDE; i < DOWN; ++i)
            if (x + WARP * i >= r) {
                to[x + WARP * i] = a[number_of_tile(i, J)];
                a[number_of_tile(i, J)] = make(0, 0);
            }
    }
}

/* and those of the row, left of the diagonal */
template <int I = 0>
static __device__ __forceinline__ void take_across(scalar_t (&a)[TILES], int r,
                                                   scalar_t *to)
{
    const int y = threadIdx.x / WARP;
    if constexpr (I < DOWN) {
        if (I != r / WARP)
            return take_across<I + 1>(a, r, to);
#pragma unroll
        for (int j = 0; j < WIDE * (I + 1); ++j)
            if (y + HIGH * j < r) {
                to[y + HIGH * j] = conj_of(a[number_of_tile(I, j)]);
                a[number_of_tile(I, j)] = make(0, 0);
            }
    }
}

static __device__ __forceinline__ void take_column(scalar_t (&a)[TILES], int r,
                                                   scalar_t *to)
{
    if (threadIdx.x / WARP == r % HIGH)
        take_down(a, r, to);
    if (threadIdx.x % WARP == r % WARP)
        take_across(a, r, to);
}

/* The columns u and v of a pivot, or u alone; l and m: over the pivot; w and z: conjugate.  0 in
 * the pivot's rows */
struct pivot_columns_t {
    scalar_t u[C], v[C], l[C], m[C], w[C], z[C];
};

/* A thread a row */
static __device__ __forceinline__ void divide(pivot_columns_t &k, int r, int s,
                                              int two, int t, ldl_panel_t *p)
{
    const int row = threadIdx.x;
    const scalar_t none = make(0, 0), u = k.u[row], v = two ? k.v[row] : none;
    const int is_pivot = row == r || (two && row == s);
    const ldl_inverse_t E =
        ldl_inverse(re(k.u[r]), two ? k.u[s] : none, two ? re(k.v[s]) : 0);
    scalar_t l, m;

    ldl_divide(E, u, v, &l, &m);
    k.l[row] = l = is_pivot ? none : l;
    k.m[row] = m = is_pivot ? none : m;
    k.w[row] = is_pivot ? none : conj_of(u);
    k.z[row] = is_pivot ? none : conj_of(v);
    p->factor[row + C * t] = l;
    if (two)
        p->factor[row + C * (t + 1)] = m;
}

/* What lies above the diagonal becomes anything, and is not read. */
template <int TWO>
static __device__ __forceinline__ void eliminate(scalar_t (&a)[TILES],
                                                 const pivot_columns_t &k)
{
    const int x = threadIdx.x % WARP, y = threadIdx.x / WARP;
    const scalar_t none = make(0, 0);
    scalar_t l[DOWN], m[DOWN];

#pragma unroll
    for (int i = 0; i < DOWN; ++i) {
        l[i] = k.l[x + WARP * i];
        m[i] = TWO ? k.m[x + WARP * i] : none;
    }
#pragma unroll
    for (int j = 0; j < ACROSS; ++j) {
        const scalar_t w = k.w[y + HIGH * j];
        const scalar_t z = TWO ? k.z[y + HIGH * j] : none;
#pragma unroll
        for (int i = j / WIDE; i < DOWN; ++i) {
            scalar_t *const to = &a[number_of_tile(i, j)];
            *to = ldl_eliminate(*to, l[i], w, m[i], z, TWO);
            if (x + WARP * i == y + HIGH * j)
                *to = make(re(*to), 0);
        }
    }
}

/* What the panel keeps of a pivot; one thread */
static __device__ void note_pivot(const scalar_t *u, const scalar_t *v, int r,
                                  int s, int two, int t, ldl_panel_t *p)
{
    p->place[t] = r;
    p->kind[t] = two ? LDL_FIRST : LDL_ONE;
    p->d[t] = re(u[r]);
    p->e[t] = two ? u[s] : make(0, 0);
    if (!two)
        return;
    p->place[t + 1] = s;
    p->kind[t + 1] = LDL_SECOND;
    p->d[t + 1] = re(v[s]);
    p->e[t + 1] = make(0, 0);
}

/* Pivots go to the front, what stood there where they came from; the block. */
static __device__ void set_moves(int n, ldl_panel_t *p)
{
    __shared__ int in_front[B], from[B], place[B];
    const int s = threadIdx.x;
    int holes = 0, left = 0;

    if (s < B)
        in_front[s] = 0;
    __syncthreads();
    if (s < n) {
        from[s] = p->candidate[p->place[s]];
        p->from[s] = from[s];
        p->to[s] = s;
        if (from[s] < n)
            in_front[from[s]] = 1;
    }
    __syncthreads();
    for (int q = 0; q < s && s < n; ++q) {
        holes += !in_front[q];
        left += from[q] >= n;
    }
    if (s < n && from[s] >= n)
        place[left] = from[s];
    __syncthreads();
    if (s < n && !in_front[s]) {
        p->from[n + holes] = s;
        p->to[n + holes] = place[holes];
    }
    if (s == n - 1)
        p->moves = n + holes + !in_front[s];
    if (s == 0 && n == 0)
        p->moves = 0;
}

/* R := L11^H, then I; the block */
static __device__ void set_triangle(int n, ldl_panel_t *p)
{
    for (int k = threadIdx.x; k < B * B; k += PIVOTERS) {
        const int t = k % B, s = k / B;
        p->R[k] = t == s           ? make(1, 0)
                  : t < s && s < n ? conj_of(p->factor[p->place[s] + C * t])
                                   : make(0, 0);
    }
}

/* -- kernels -------------------------------------------------------------------------- */

/* grid: a block a column; block: 256 threads stride down the rows */
static __global__ void largest_kernel(mat_t A, unsigned *size, int *row)
{
    const int64_t j = blockIdx.x;
    unsigned most = 0;
    int at = 0;
    for (int64_t i = threadIdx.x; i < A.rows; i += THREADS) {
        const unsigned x = size_bits(AT(A, i, j));
        at = x > most ? (int)i : at;
        most = x > most ? x : most;
    }
    const unsigned long long best =
        block_most((unsigned long long)most << 32 | (unsigned)(NONE - at));
    if (threadIdx.x == 0) {
        size[j] = (unsigned)(best >> 32);
        row[j] = NONE - (int)(best & 0xffffffff);
    }
}

/* grid: one block; block: 1024 threads */
static __global__ void choose_kernel(int m, const unsigned *size,
                                     const int *row, int *state, ldl_panel_t *p)
{
    const int first = m < B ? m : B, all = m < C ? m : C;
    int taken = 0;

    for (int j = threadIdx.x; j < m; j += SQUARE)
        state[j] = FREE;
    const unsigned large = nth_largest(m, size, first);
    take(m, size, large, ABOVE, first, state, &taken, p);
    take(m, size, large, EQUAL, first, state, &taken, p);
    if ((int)threadIdx.x < first) {
        const int r = row[p->candidate[threadIdx.x]];
        if (state[r] == FREE)
            state[r] = WANTED;
    }
    __syncthreads();
    take(m, size, 0, ASKED_FOR, all, state, &taken, p);
    const unsigned next = nth_largest(m, size, all);
    take(m, size, next, ABOVE, all, state, &taken, p);
    take(m, size, next, EQUAL, all, state, &taken, p);
    if (threadIdx.x == 0)
        p->candidates = taken;
}

/* grid: one block; block: 32 x 16 threads, each with every 32nd row and 16th column */
static __global__ void __launch_bounds__(PIVOTERS, 1)
    pivots_kernel(mat_t A, real_t tol, ldl_panel_t *p)
{
    __shared__ pivot_columns_t k;
    const int x = threadIdx.x % WARP, y = threadIdx.x / WARP;
    const int n = p->candidates;
    scalar_t a[TILES];
    int t = 0;

#pragma unroll
    for (int j = 0; j < ACROSS; ++j)
#pragma unroll
        for (int i = j / WIDE; i < DOWN; ++i) {
            const int r = x + WARP * i, c = y + HIGH * j;
            a[number_of_tile(i, j)] =
                r < n && c <= r ? AT(A, p->candidate[r], p->candidate[c])
                                : make(0, 0);
        }
    for (;;) {
        const best_t best = best_of_block(look(a));
        const unsigned most =
            best.off > best.diagonal ? best.off : best.diagonal;
        const int two = ldl_is_pair(best.diagonal, best.off);
        if (!(real_of_bits(most) > tol) || t + 1 + two > B)
            break;
        const int r = (two ? best.off_at / C : best.diagonal_at % C);
        const int s = two ? best.off_at % C : -1;
        take_column(a, r, k.u);
        if (two)
            take_column(a, s, k.v);
        __syncthreads();
        if (threadIdx.x < C)
            divide(k, r, s, two, t, p);
        else if (threadIdx.x == C)
            note_pivot(k.u, k.v, r, s, two, t, p);
        __syncthreads();
        if (two)
            eliminate<1>(a, k);
        else
            eliminate<0>(a, k);
        t += 1 + two;
    }
    __syncthreads();
    if (threadIdx.x == 0)
        p->pivots = t;
    if (threadIdx.x < B)
        p->largest[threadIdx.x] = 0;
    set_triangle(t, p);
    set_moves(t, p);
}

/* grid: x tiles of ROWS rows; block: ROWS x (256 / ROWS) threads, which share the columns that move.
 * All are in shared memory before one is written. */
static __global__ void move_columns_kernel(mat_t A, const ldl_panel_t *p)
{
    __shared__ scalar_t tile[2 * B][ROWS];
    const int64_t i = (int64_t)blockIdx.x * ROWS + threadIdx.x;
    const int moves = p->moves;

    for (int k = threadIdx.y; k < moves && i < A.rows; k += blockDim.y)
        tile[k][threadIdx.x] = AT(A, i, p->from[k]);
    __syncthreads();
    for (int k = threadIdx.y; k < moves && i < A.rows; k += blockDim.y)
        AT(A, i, p->to[k]) = tile[k][threadIdx.x];
}

/* grid: a block a column of A, of L, and one for perm; block: 128 threads, a move each */
static __global__ void move_rows_kernel(mat_t A, mat_t L, int *perm,
                                        const ldl_panel_t *p)
{
    const int64_t j = blockIdx.x;
    const int moves = p->moves, k = threadIdx.x;
    scalar_t *const a = j < A.cols            ? &AT(A, 0, j)
                        : j < A.cols + L.cols ? &AT(L, 0, j - A.cols)
                                              : NULL;
    scalar_t kept = make(0, 0);
    int number = 0;

    if (k < moves && a)
        kept = a[p->from[k]];
    else if (k < moves)
        number = perm[p->from[k]];
    __syncthreads();
    if (k < moves && a)
        a[p->to[k]] = kept;
    else if (k < moves)
        perm[p->to[k]] = number;
}

/* The largest x of a warp into *largest */
static __device__ void note_largest(unsigned *largest, unsigned size)
{
    size = __reduce_max_sync(0xffffffff, size);
    if (threadIdx.x % WARP == 0)
        atomicMax(largest, size);
}

/* grid: x tiles of 256 rows, y columns; block: 256 threads, a row each.  A block of a pivot's second
 * column has nothing to do. */
static __global__ void divide_kernel(mat_t W, mat_t L, ldl_panel_t *p)
{
    const int64_t i = (int64_t)blockIdx.x * THREADS + threadIdx.x;
    const int t = blockIdx.y, n = p->pivots;
    const int two = t < n && p->kind[t] == LDL_FIRST;

    if (t >= n && i < L.rows)
        AT(L, i, t) = make(0, 0);
    if (t >= n || p->kind[t] == LDL_SECOND)
        return;
    scalar_t x = make(i == t, 0), y = make(i == t + 1, 0);
    const int below = i > t + two && i < L.rows;
    if (below && i < n) {
        x = p->factor[p->place[i] + C * t];
        y = p->factor[p->place[i] + C * (t + two)];
    } else if (below) {
        const ldl_inverse_t E =
            ldl_inverse(p->d[t], p->e[t], two ? p->d[t + 1] : 0);
        ldl_divide(E, AT(W, i, t), two ? AT(W, i, t + 1) : make(0, 0), &x, &y);
    }
    if (i < L.rows) {
        AT(L, i, t) = x;
        if (two)
            AT(L, i, t + 1) = y;
    }
    note_largest(&p->largest[t], below ? size_bits(x) : 0);
    if (two)
        note_largest(&p->largest[t + 1], below ? size_bits(y) : 0);
}

/* grid: one block; block: 64 threads, a pivot each */
static __global__ void accept_kernel(const ldl_panel_t *p, real_t *d,
                                     scalar_t *e, slot_t *slot)
{
    const int accepted = ldl_accept(p), t = threadIdx.x;
    if (t < accepted) {
        d[t] = p->d[t];
        e[t] = p->e[t];
    }
    if (t == 0)
        slot->count = accepted;
}

/* -- the primitives --------------------------------------------------------------------- */

gsvd_status_t X(ldl_candidates_cuda)(const exec_t *ex, mat_t A, ldl_panel_t *p)
{
    const int64_t m = A.cols;
    void *work;

    if (m <= 0)
        return GSVD_SUCCESS;
    GSVD_TRY(X(kernel_work)(ex, 3 * (size_t)m * sizeof(int), &work));
    unsigned *const size = (unsigned *)work;
    int *const row = (int *)work + m;
    largest_kernel<<<(unsigned)m, THREADS, 0, stream_of(ex)>>>(A, size, row);
    choose_kernel<<<1, SQUARE, 0, stream_of(ex)>>>((int)m, size, row, row + m,
                                                   p);
    return gsvd_launched(ex->h, "ldl_candidates");
}

gsvd_status_t X(ldl_pivots_cuda)(const exec_t *ex, mat_t A, real_t tol,
                                 ldl_panel_t *p)
{
    if (mat_empty(A))
        return GSVD_SUCCESS;
    pivots_kernel<<<1, PIVOTERS, 0, stream_of(ex)>>>(A, tol, p);
    return gsvd_launched(ex->h, "ldl_pivots");
}

gsvd_status_t X(ldl_exchange_cuda)(const exec_t *ex, mat_t A, mat_t L,
                                   int *perm, const ldl_panel_t *p)
{
    if (mat_empty(A))
        return GSVD_SUCCESS;
    move_columns_kernel<<<(unsigned)((A.rows + ROWS - 1) / ROWS),
                          dim3(ROWS, THREADS / ROWS), 0, stream_of(ex)>>>(A, p);
    move_rows_kernel<<<(unsigned)(A.cols + L.cols + 1), 2 * B, 0,
                       stream_of(ex)>>>(A, L, perm, p);
    return gsvd_launched(ex->h, "ldl_exchange");
}

gsvd_status_t X(ldl_divide_cuda)(const exec_t *ex, mat_t W, mat_t L,
                                 ldl_panel_t *p)
{
    if (mat_empty(L))
        return GSVD_SUCCESS;
    const dim3 grid((unsigned)((L.rows + THREADS - 1) / THREADS),
                    (unsigned)L.cols);
    divide_kernel<<<grid, THREADS, 0, stream_of(ex)>>>(W, L, p);
    return gsvd_launched(ex->h, "ldl_divide");
}

gsvd_status_t X(ldl_accepted_cuda)(const exec_t *ex, const ldl_panel_t *p,
                                   real_t *d, scalar_t *e, int64_t *accepted)
{
    slot_t value;

    accept_kernel<<<1, B, 0, stream_of(ex)>>>(p, d, e, cuda_of(ex->h)->slot);
    GSVD_TRY(gsvd_launched(ex->h, "ldl_accepted"));
    GSVD_TRY(gsvd_read_slot(ex->h, stream_of(ex), &value));
    *accepted = value.count;
    return GSVD_SUCCESS;
}
