/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* tridiagonal.cu -- reduces a Hermitian matrix to a real tridiagonal one by reflectors, the last
 * 2048 columns in one launch; and the eigenvectors of the latter.  CUDA twin of tridiagonal.c.
 *
 *     for j = 0, 1, ...
 *     1  a = A(:,j) - v conj(w_j) - w conj(v_j)      v, w of the step before
 *     2  H = I - tau x x^H,  H^H a(j+1:) = e_j e_1,  d_j = a_j
 *     3  A := A - v w^H - w v^H,  p := A x           of columns behind j
 *     4  v := x,  w := tau p - |tau|^2/2 (p^H x) x
 *
 * A launch may have several matrices, each of which has some of the blocks, and all of which come to
 * the same barriers.  A matrix's columns are dealt out to its blocks in turn.  A block keeps its
 * columns in shared memory, or the last ones if not all fit.  Each block does 1, 2 and 4 by itself; a thread has the same rows of
 * all vectors in registers.  So a step is one pass over the rest of A and one barrier of the
 * grid.  On an H200 it takes 3.4 microseconds at n = 512 and 5.6 at 2048 (bench/notes.md).  From
 * global memory each step would read half of the rest of A.
 */
#include <cooperative_groups.h>

#include "core/each.cuh"
#include "core/gpublas.h"
#include "core/launch.h"
#include "core/reduce.cuh"
#include "jacobi/demand.h"
#include "jacobi/jacobi.h"
#include "jacobi/tridiagonal.h"
#include "jacobi/tridiagonal_panel.h"
#include "jacobi/two_sided.h"
#include "jacobi/warp_sums.cuh"
#include "qr/reflect.h"

enum {
    ROWS = 512, /* threads of a block: rows next to each other               */
    WARPS = ROWS / WARP,
    MINE = 64, /* columns of a block, at most, ...                        */
    GOOD =
        32, /* ... and of a launch's blocks, on average, if it has a choice */
    TOGETHER = 8, /* matrices of a launch, at most                        */
    DIRECT = EACH_MOST, /* columns of a matrix that takes one launch          */
    LANES = 8, /* that look for one value, and how often they cut          */
    CUTS = GSVD_SINGLE ? 6 : 13,
    VALUES = 128,  /* threads of a block that finds values or vectors         */
    AT_ONCE = 512, /* vectors, at least                                      */
    ALIGN = 256    /* bytes, for the spectrum                                 */
};

static_assert(DIRECT == 4 * ROWS, "tridiagonalize_kernel<4> has as many rows");
static_assert(sizeof(spectrum_t) <= ALIGN, "tridiagonal_vectors' work");

/* In memory, twice: one is written while the other is read. */
typedef struct exchange {
    scalar_t *p[2];      /* A x                                              */
    scalar_t *column[2]; /* the next column of A, without its last update    */
} exchange_t;

/* A matrix of a launch: its blocks are `first` and the next ones, each of which keeps so many
 * columns. */
typedef struct form {
    tridiagonal_t of;
    exchange_t out;
    int first, blocks, keeps;
} form_t;

typedef struct forms {
    form_t form[TOGETHER];
    int count;
    int64_t longest; /* of the orders                                        */
} forms_t;

/* The columns own, own + all, ... of the matrix */
typedef struct share {
    int64_t n;
    int own, all; /* the block's number among those of the matrix           */
    int mine;     /* how many                                             */
    int kept;     /* Those from here on are in shared memory.             */
    scalar_t *v, *w; /* copies of the vectors                                */
    scalar_t *part;  /* WARPS x MINE                                         */
    scalar_t *column;
} share_t;

/* -- device functions ---------------------------------------------------------- */

/* 3 for the block's columns q to q1, the q-th at column + q stride: rows from `first` on.
 * The warp's parts of A x go to s.part. */
template <int R>
static __device__ __forceinline__ void
pass(const share_t &s, scalar_t *column, int64_t stride, int q, int q1,
     int64_t first, const scalar_t (&v)[R], const scalar_t (&w)[R],
     const scalar_t (&x)[R])
{
    for (; q < q1; q += GROUP) {
        scalar_t sum[GROUP];
#pragma unroll
        for (int g = 0; g < GROUP; ++g) {
            sum[g] = make(0, 0);
            if (q + g >= q1)
                continue;
            const int64_t c = s.own + (int64_t)(q + g) * s.all;
            const scalar_t vc = make(-re(s.v[c]), im(s.v[c]));
            const scalar_t wc = make(-re(s.w[c]), im(s.w[c]));
            scalar_t *const a = column + (q + g) * stride;
#pragma unroll
            for (int t = 0; t < R; ++t) {
                const int64_t r = threadIdx.x + t * ROWS;
                if (r < first || r >= s.n)
                    continue;
                const scalar_t y = mul_add(w[t], vc, mul_add(v[t], wc, a[r]));
                a[r] = y;
                sum[g] = mul_add(conj_of(y), x[t], sum[g]);
            }
        }
        const scalar_t total = warp_sums(sum);
        const int lane = threadIdx.x % WARP;
        if (lane % 8 == 0 && q + lane / 8 < q1)
            s.part[(threadIdx.x / WARP) * MINE + q + lane / 8] = total;
    }
}

/* 2: x := the reflector of a, whose first entry is in row `first`; a has all of it. */
template <int R>
static __device__ __forceinline__ scalar_t reflector(int64_t n, int64_t first,
                                                     const scalar_t (&a)[R],
                                                     scalar_t (&x)[R],
                                                     real_t *beta)
{
    __shared__ scalar_t lead;
    real_t sum[1] = {0};
#pragma unroll
    for (int t = 0; t < R; ++t) {
        const int64_t r = threadIdx.x + t * ROWS;
        if (r == first)
            lead = a[t];
        if (r > first && r < n)
            sum[0] += abs2(a[t]);
    }
    block_sum(sum);
    const householder_t h = householder_of(lead, sum[0]);
#pragma unroll
    for (int t = 0; t < R; ++t) {
        const int64_t r = threadIdx.x + t * ROWS;
        x[t] = r == first           ? make(1, 0)
               : r > first && r < n ? mul(h.over, a[t])
                                    : make(0, 0);
    }
    *beta = h.beta;
    return h.tau;
}

/* 4: w := what p, which it holds, and v = x of the step before make; v and w are copied
 * for the columns. */
template <int R>
static __device__ __forceinline__ void
update_vectors(const share_t &s, scalar_t tau, const scalar_t (&v)[R],
               scalar_t (&w)[R])
{
    real_t sum[1] = {0};
#pragma unroll
    for (int t = 0; t < R; ++t)
        sum[0] += re(w[t]) * re(v[t]) + im(w[t]) * im(v[t]);
    block_sum(sum);
    const real_t half = -abs2(tau) * sum[0] / 2;
#pragma unroll
    for (int t = 0; t < R; ++t) {
        const int64_t r = threadIdx.x + t * ROWS;
        w[t] = mul_add(tau, w[t], scale(half, v[t]));
        if (r < s.n) {
            s.v[r] = v[t];
            s.w[r] = w[t];
        }
    }
    __syncthreads();
}

/* The block's share, its columns copied */
static __device__ share_t take_share(const form_t &f, scalar_t *shared)
{
    const mat_t A = f.of.A;
    share_t s;
    s.n = A.cols;
    s.own = (int)blockIdx.x - f.first;
    s.all = f.blocks;
    s.mine = (int)((s.n - s.own + s.all - 1) / s.all);
    s.kept = s.mine > f.keeps ? s.mine - f.keeps : 0;
    s.v = shared;
    s.w = s.v + s.n;
    s.part = s.w + s.n;
    s.column = s.part + WARPS * MINE;
    for (int q = s.kept; q < s.mine; ++q) {
        const int64_t c = s.own + (int64_t)q * s.all;
        for (int64_t r = threadIdx.x; r < s.n; r += ROWS)
            s.column[(q - s.kept) * s.n + r] = AT(A, r, c);
    }
    return s;
}

/* 3, and what the others need: p, and column j + 1 */
template <int R>
static __device__ __forceinline__ void
pass_columns(const share_t &s, mat_t A, int64_t j, const scalar_t (&v)[R],
             const scalar_t (&w)[R], const scalar_t (&x)[R], scalar_t *p,
             scalar_t *next)
{
    const int64_t first = j + 1, all = s.all, own = s.own;
    const int q0 =
        first > own ? (int)((first - own + all - 1) / all) : 0; /* behind j  */
    scalar_t *const kept = s.column - s.kept * s.n;

    if (q0 < s.kept)
        pass(s, A.data + own * A.ld, all * A.ld, q0, s.kept, first, v, w, x);
    pass(s, kept, s.n, q0 > s.kept ? q0 : s.kept, s.mine, first, v, w, x);
    if (first % all == own) {
        const int q = (int)(first / all);
        const scalar_t *const a =
            q < s.kept ? &AT(A, 0, first) : kept + q * s.n;
        for (int64_t r = threadIdx.x; r < s.n; r += ROWS)
            if (r >= first)
                next[r] = a[r];
    }
    __syncthreads();
    const int q = q0 + threadIdx.x;
    if (q < s.mine) {
        scalar_t sum = s.part[q];
        for (int warp = 1; warp < WARPS; ++warp)
            sum = add(sum, s.part[warp * MINE + q]);
        p[own + q * all] = sum;
    }
}

/* -- kernels ------------------------------------------------------------------ */

/* The block's part of a matrix, with n - 1 barriers of the grid */
template <int R>
static __device__ __forceinline__ void
reduce(const form_t &f, scalar_t *memory,
       const cooperative_groups::grid_group &grid)
{
    const mat_t A = f.of.A;
    const share_t s = take_share(f, memory);
    scalar_t v[R], w[R], x[R], a[R], t = make(0, 0);
    real_t beta;

#pragma unroll
    for (int i = 0; i < R; ++i)
        v[i] = x[i] = make(0, 0);
    for (int64_t j = 0;; ++j) {
        const int odd = j & 1;
        const scalar_t *const p = odd ? f.out.p[1] : f.out.p[0];
        const scalar_t *const column = j == 0 ? A.data
                                       : odd  ? f.out.column[1]
                                              : f.out.column[0];
#pragma unroll
        for (int i = 0; i < R; ++i) {
            const int64_t r = threadIdx.x + i * ROWS;
            const int there = r >= j && r < s.n;
            w[i] = there && j > 0 ? __ldcg(&p[r]) : make(0, 0);
            a[i] = there ? __ldcg(&column[r]) : make(0, 0);
        }
        update_vectors(s, t, v, w); /* 4 */
        const scalar_t vj = conj_of(s.v[j]), wj = conj_of(s.w[j]);
#pragma unroll
        for (int i = 0; i < R; ++i) { /* 1 */
            a[i] = sub(sub(a[i], mul(v[i], wj)), mul(w[i], vj));
            if (s.own == 0 && threadIdx.x + i * ROWS == j)
                f.of.d[j] = re(a[i]);
        }
        if (j > 0 && (j - 1) % s.all == s.own) /* All have read it.          */
#pragma unroll
            for (int i = 0; i < R; ++i) {
                const int64_t r = threadIdx.x + i * ROWS;
                if (r >= j && r < s.n)
                    AT(A, r, j - 1) = v[i];
            }
        if (j == s.n - 1)
            return;
        t = reflector(s.n, j + 1, a, x, &beta); /* 2 */
        if (s.own == 0 && threadIdx.x == 0) {
            f.of.e[j] = beta;
            f.of.tau[j] = t;
        }
        pass_columns(s, A, j, v, w, x, odd ? f.out.p[0] : f.out.p[1],
                     odd ? f.out.column[0] : f.out.column[1]); /* 3 */
#pragma unroll
        for (int i = 0; i < R; ++i)
            v[i] = x[i];
        grid.sync();
    }
}

/* grid: cooperative, one block a multiprocessor; block: 512 threads, R rows each;
 * shared: share_t's arrays */
template <int R>
static __global__ void __launch_bounds__(ROWS, 1)
    tridiagonalize_kernel(const __grid_constant__ forms_t all)
{
    extern __shared__ __align__(16) unsigned char memory[];
    const cooperative_groups::grid_group grid = cooperative_groups::this_grid();
    int k = 0;

    while (k + 1 < all.count && (int)blockIdx.x >= all.form[k + 1].first)
        ++k;
    reduce<R>(all.form[k], (scalar_t *)memory, grid);
    for (int64_t j = all.form[k].of.A.cols; j < all.longest; ++j)
        grid.sync(); /* with those that are not through                      */
}

/* *s := the interval of all values.  grid: one block of 128 threads */
static __global__ void spectrum_kernel(int64_t n, const real_t *d,
                                       const real_t *e, spectrum_t *s)
{
    __shared__ spectrum_t part[VALUES];
    part[threadIdx.x] = gershgorin(n, d, e, threadIdx.x, VALUES);
    __syncthreads();
    if (threadIdx.x > 0)
        return;
    spectrum_t all = part[0];
    for (int i = 1; i < VALUES; ++i) {
        all.from = all.from < part[i].from ? all.from : part[i].from;
        all.to = all.to > part[i].to ? all.to : part[i].to;
    }
    *s = widened(all);
}

/* t := the rows for minors, all minor_rows(n).  grid: a thread a row (striding); block: 128
 * threads */
static __global__ void minor_rows_kernel(int64_t n, const real_t *d,
                                         const real_t *e, const spectrum_t *s,
                                         minor_row_t *t)
{
    const int64_t i = (int64_t)blockIdx.x * VALUES + threadIdx.x;
    if (i < minor_rows(n))
        t[i] = minor_row(n, d, e, s->exponent, i);
}

/* Numbers that values are compared with at once: rows are read once for all of them. */
enum { POINTS = 2 };

/* below[j] := how many of n values lie below 2^exponent x[j]; t: all minor_rows(n).  Rows are
 * read one scaling ahead. */
static __device__ void values_below(int64_t n, const minor_row_t *t,
                                    const real_t x[POINTS], int below[POINTS])
{
    const int64_t last = minor_rows(n) - MINOR_ROWS;
    real_t minor[POINTS], before[POINTS];
    minor_row_t row[MINOR_ROWS], ahead[MINOR_ROWS];
    for (int j = 0; j < POINTS; ++j) {
        minor[j] = 1;
        before[j] = 0;
        below[j] = 0;
    }
    for (int k = 0; k < MINOR_ROWS; ++k)
        row[k] = t[k];
    for (int64_t i = 0; i < n; i += MINOR_ROWS) {
        for (int k = 0; k < MINOR_ROWS; ++k)
            ahead[k] = t[min_i(i + MINOR_ROWS, last) + k];
        for (int k = 0; k < MINOR_ROWS; ++k)
            for (int j = 0; j < POINTS; ++j) {
                const real_t next = fma_r(row[k].d - x[j], minor[j],
                                          -(row[k].square * before[j]));
                below[j] += !signbit(next) != !signbit(minor[j]);
                before[j] = minor[j];
                minor[j] = next;
            }
        for (int j = 0; j < POINTS; ++j) {
            const real_t factor =
                power_to_one(fmax_r(fabs_r(minor[j]), fabs_r(before[j])));
            minor[j] *= factor;
            before[j] *= factor;
        }
        for (int k = 0; k < MINOR_ROWS; ++k)
            row[k] = ahead[k];
    }
}

/* w := the values, descending.  grid: 8 lanes a value, which cut the interval that holds
 * it into 17 parts at a time, 2 points a lane, to 17^-CUTS of the first; block: 128 threads.
 * What all lanes read, the rows, would take longer than the arithmetic of one point. */
static __global__ void __launch_bounds__(VALUES)
    values_kernel(int64_t n, const minor_row_t *t, const spectrum_t *s,
                  int64_t before, int64_t count, real_t *w)
{
    const int64_t k = ((int64_t)blockIdx.x * VALUES + threadIdx.x) / LANES;
    const int lane = threadIdx.x % LANES;
    const int64_t rows = k < count ? n : 0;
    real_t from = ldexp_r(s->from, -s->exponent);
    real_t part = ldexp_r(s->to, -s->exponent) - from;

    for (int cut = 0; cut < CUTS; ++cut) {
        real_t x[POINTS];
        int below[POINTS], parts = 0;
        part /= LANES * POINTS + 1;
        for (int j = 0; j < POINTS; ++j)
            x[j] = from + (lane * POINTS + j + 1) * part;
        values_below(rows, t, x, below);
        for (int j = 0; j < POINTS; ++j)
            parts += below[j] < n - before - k;
        for (int other = 1; other < LANES; other *= 2)
            parts += __shfl_xor_sync(0xffffffff, parts, other);
        from += parts * part;
    }
    if (k < count && lane == 0)
        w[k] = ldexp_r(from + part / 2, s->exponent);
}

/* Some of the vectors, whose elements lie beside each other's: element i of the k-th at
 * Z[i count + k] */
typedef struct group {
    int64_t count;
    real_t *Z, *u;  /* u: as large                                            */
    real_t *factor; /* of each: what makes its length 1                      */
} group_t;

/* The vectors of w[0:count), which become their Rayleigh quotients.  grid: one thread a
 * vector; block: 32 threads, since each waits for its own divisions */
static __global__ void __launch_bounds__(WARP)
    vectors_kernel(int64_t n, const real_t *d, const real_t *e,
                   const spectrum_t *s, real_t *w, group_t g)
{
    const int64_t k = (int64_t)blockIdx.x * WARP + threadIdx.x;
    real_t length2;

    if (k >= g.count)
        return;
    w[k] += twisted_vector(n, d, e, w[k], s->least, g.count, g.Z + k, g.u + k,
                           &length2);
    g.factor[k] = rsqrt_r(length2);
}

/* V(i,k) := element i of the k-th vector.  grid: x tiles of 32 rows of V, y of 32 columns
 * (striding); block: 32 x 8 threads carry one tile through shared memory */
static __global__ void put_vectors_kernel(mat_t V, group_t g)
{
    __shared__ real_t tile[WARP][WARP + 1];
    const int64_t n = V.rows, i0 = (int64_t)blockIdx.x * WARP;

    for (int64_t k0 = (int64_t)blockIdx.y * WARP; k0 < g.count;
         k0 += (int64_t)gridDim.y * WARP) {
        for (int y = threadIdx.y; y < WARP; y += 8)
            if (i0 + y < n && k0 + threadIdx.x < g.count)
                tile[y][threadIdx.x] =
                    g.Z[(i0 + y) * g.count + k0 + threadIdx.x] *
                    g.factor[k0 + threadIdx.x];
        __syncthreads();
        for (int y = threadIdx.y; y < WARP; y += 8)
            if (k0 + y < g.count && i0 + threadIdx.x < n)
                AT(V, i0 + threadIdx.x, k0 + y) = make(tile[threadIdx.x][y], 0);
        __syncthreads();
    }
}

/* -- launchers ----------------------------------------------------------------- */

/* The kernel for so many rows of a thread, or NULL */
static const void *kernel_of(int64_t n)
{
    if (n <= ROWS)
        return (const void *)tridiagonalize_kernel<1>;
    if (n <= 2 * ROWS)
        return (const void *)tridiagonalize_kernel<2>;
    return n <= DIRECT ? (const void *)tridiagonalize_kernel<4> : NULL;
}

/* What a launch asks for: all that a block may have, whatever n is */
static demand_t demand_of(int shared, int64_t n)
{
    return demand("tridiagonalize_kernel",
                  n <= ROWS       ? 1
                  : n <= 2 * ROWS ? 2
                                  : 4,
                  kernel_of(n), ROWS, (size_t)shared - STATIC_SHARED);
}

int X(tridiagonal_demands)(int shared, demand_t *d)
{
    int count = 0;
    for (int rows = 1; kernel_of(rows * ROWS); rows *= 2)
        d[count++] = demand_of(shared, rows * ROWS);
    return count;
}

/* How many columns of n numbers a block keeps beside its vectors */
static int columns_kept(const demand_t *d, int64_t n)
{
    const int64_t room = (int64_t)(d->bytes / sizeof(scalar_t));
    const int64_t rest = room - 2 * n - WARPS * MINE;
    return rest < 0 ? 0 : (int)min_i(rest / max_i(n, 1), MINE);
}

/* The blocks that n columns ask for at least */
static int64_t least_blocks(int64_t n) { return (n + MINE - 1) / MINE; }

/* *blocks := those of a launch for up to n <= DIRECT columns.  *fits: they may be so many. */
static gsvd_status_t find_blocks(const exec_t *ex, int64_t n, int64_t *blocks,
                                 int *fits)
{
    const demand_t want = demand_of(cuda_of(ex->h)->shared, n);
    GSVD_TRY(gsvd_allow_shared(ex->h, &want));
    GSVD_TRY(gsvd_at_once(ex->h, stream_of(ex), &want,
                          cuda_of(ex->h)->multiprocessors, blocks));
    *fits = least_blocks(n) <= *blocks;
    return GSVD_SUCCESS;
}

/* How many of the matrices come in one launch, the first of which fits? */
static int choose(int64_t blocks, int count, const tridiagonal_t *t)
{
    int64_t n = 0, least = 0;
    int k = 0;
    for (; k < count && k < TOGETHER; ++k) {
        n += t[k].A.cols;
        least += least_blocks(t[k].A.cols);
        if (k > 0 && (n > GOOD * blocks || least > blocks))
            break;
    }
    return k;
}

/* Deals out blocks to matrices: as many as they ask for, and the rest by work, the square of the order.
 * memory: 4 numbers a column */
static forms_t deal_out(const exec_t *ex, int64_t blocks, int count,
                        const tridiagonal_t *t, scalar_t *memory)
{
    forms_t all;
    double work = 0;
    int64_t left = blocks;
    int first = 0;

    all.count = count;
    all.longest = 0;
    for (int k = 0; k < count; ++k) {
        const int64_t n = t[k].A.cols;
        work += (double)n * (double)n;
        left -= least_blocks(n);
        all.longest = n > all.longest ? n : all.longest;
    }
    const demand_t want = demand_of(cuda_of(ex->h)->shared, all.longest);
    for (int k = 0; k < count; ++k) {
        const int64_t n = t[k].A.cols;
        const double more = (double)left * ((double)n * (double)n / work);
        form_t f;
        f.of = t[k];
        f.first = first;
        f.blocks = (int)min_i(least_blocks(n) + (int64_t)more, n);
        f.keeps = columns_kept(&want, n);
        for (int i = 0; i < 2; ++i) {
            f.out.p[i] = memory + 2 * i * n;
            f.out.column[i] = f.out.p[i] + n;
        }
        all.form[k] = f;
        memory += 4 * n;
        first += f.blocks;
    }
    return all;
}

/* All of these, of up to DIRECT columns each, by `blocks`, of which as many matrices as fit have a launch
 * together; memory: 4 numbers a column */
static gsvd_status_t reduce_whole(const exec_t *ex, int64_t blocks, int count,
                                  const tridiagonal_t *t, scalar_t *memory)
{
    for (int k = 0, now; k < count; k += now) {
        now = choose(blocks, count - k, t + k);
        forms_t all = deal_out(ex, blocks, now, t + k, memory);
        const form_t *const last = &all.form[now - 1];
        const dim3 grid((unsigned)(last->first + last->blocks));
        const demand_t want = demand_of(cuda_of(ex->h)->shared, all.longest);
        void *arguments[] = {&all};
        GSVD_TRY(gsvd_allow_shared(ex->h, &want));
        GSVD_TRY(
            gsvd_launch_grid(ex->h, stream_of(ex), &want, grid, arguments));
    }
    return GSVD_SUCCESS;
}

/* The work of tridiagonalize: V and W, and V again, so that (V W) and (W V) are one
 * matrix each; and that of the kernels */
typedef struct reduction {
    mat_t VWV;
    void *memory;
} reduction_t;

static void take(arena_t *a, const exec_t *ex, int64_t n, reduction_t *r)
{
    const size_t whole = 4 * (size_t)min_i(n, DIRECT) * sizeof(scalar_t);
    const size_t panel = n > DIRECT ? X(tridiagonal_panel_bytes)(ex, n) : 0;
    r->VWV = X(take_matrix)(a, n > DIRECT ? n : 0, 3 * TRIDIAGONAL_PANEL);
    r->memory = gsvd_arena_take(a, (int64_t)(panel > whole ? panel : whole), 1);
}

size_t X(tridiagonalize_bytes_cuda)(const exec_t *ex, int64_t n)
{
    arena_t count = {0, 0, 0, 0};
    reduction_t r;
    take(&count, ex, n, &r);
    return gsvd_arena_bytes(&count);
}

/* The first columns of A, and the rest of it without their part */
static gsvd_status_t reduce_panel(const exec_t *ex, mat_t A, real_t *d,
                                  real_t *e, scalar_t *tau,
                                  const reduction_t *r, int *fits)
{
    const int64_t b = TRIDIAGONAL_PANEL, m = A.rows;
    const mat_t VWV = mat_rows(r->VWV, 0, m);
    const mat_t V = mat_cols(VWV, 0, b);

    GSVD_TRY(X(tridiagonal_panel_cuda)(ex, A, V, mat_cols(VWV, b, b), d, e, tau,
                                       r->memory, fits));
    if (!*fits)
        return GSVD_SUCCESS;
    GSVD_TRY(X(copy_cuda)(ex, V, mat_cols(A, 0, b)));
    GSVD_TRY(X(copy_cuda)(ex, V, mat_cols(VWV, 2 * b, b)));
    return X(hermitian_update)(ex, mat_rows(VWV, b, m - b),
                               mat_sub(A, b, b, m - b, m - b));
}

gsvd_status_t X(tridiagonalize_cuda)(const exec_t *ex, mat_t A, real_t *d,
                                     real_t *e, scalar_t *tau, int *fits)
{
    const int64_t n = A.cols;
    const size_t bytes = X(tridiagonalize_bytes_cuda)(ex, n);
    exec_t in = *ex;
    reduction_t r;
    int64_t blocks;
    void *work;

    *fits = 1;
    if (n == 0)
        return GSVD_SUCCESS;
    GSVD_TRY(find_blocks(ex, min_i(n, DIRECT), &blocks, fits));
    if (!*fits)
        return GSVD_SUCCESS;
    in.products.bytes = 0;
    GSVD_TRY(X(kernel_work)(ex, bytes, &work));
    arena_t a = gsvd_arena_over(work, bytes);
    take(&a, ex, n, &r);
    int64_t j = 0;
    for (; n - j > DIRECT; j += TRIDIAGONAL_PANEL) {
        GSVD_TRY(reduce_panel(&in, mat_sub(A, j, j, n - j, n - j), d + j, e + j,
                              tau + j, &r, fits));
        if (!*fits) /* in the first one, if in any: A is as it was.          */
            return GSVD_SUCCESS;
    }
    const tridiagonal_t rest = {mat_sub(A, j, j, n - j, n - j), d + j, e + j,
                                tau + j};
    return reduce_whole(&in, blocks, 1, &rest, (scalar_t *)r.memory);
}

gsvd_status_t X(tridiagonalize_each_cuda)(const exec_t *ex, int count,
                                          const tridiagonal_t *t, int *fits)
{
    int64_t blocks, longest = 0, all = 0;
    void *work;

    *fits = 1;
    for (int k = 0; k < count; ++k) {
        longest = max_i(longest, t[k].A.cols);
        all += t[k].A.cols;
    }
    if (count == 0)
        return GSVD_SUCCESS;
    GSVD_TRY(find_blocks(ex, longest, &blocks, fits));
    if (!*fits)
        return GSVD_SUCCESS;
    GSVD_TRY(X(kernel_work)(ex, 4 * (size_t)all * sizeof(scalar_t), &work));
    return reduce_whole(ex, blocks, count, t, (scalar_t *)work);
}

/* -- tridiagonal_vectors -------------------------------------------------------- */

/* Real numbers that a vector takes.  Where the columns of V have no gaps, u has the place of
 * those that are to be found. */
static int64_t numbers_of(int64_t n, int u_in_v)
{
    return (u_in_v ? n : 2 * n) + 1;
}

/* Bytes of the spectrum and of the rows for minors */
static size_t fixed_bytes(int64_t n)
{
    return ALIGN + (size_t)minor_rows(n) * sizeof(minor_row_t);
}

/* For a quarter of the vectors, or AT_ONCE: what is more makes fewer launches, each of which
 * takes as long as any. */
size_t X(tridiagonal_vectors_bytes_cuda)(int64_t n)
{
    const int64_t count = min_i(n, max_i(n / 4, AT_ONCE));
    return fixed_bytes(n) +
           (size_t)(count * numbers_of(n, 0)) * sizeof(real_t) / 2 +
           (size_t)numbers_of(n, 0) * sizeof(real_t);
}

/* w and V of some vectors, from `first` on */
static gsvd_status_t find_group(const exec_t *ex, const real_t *d,
                                const real_t *e, const spectrum_t *s, real_t *w,
                                mat_t V, group_t g)
{
    const int64_t tiles = (g.count + WARP - 1) / WARP;
    const int64_t rows = (V.rows + WARP - 1) / WARP;
    const cudaStream_t stream = stream_of(ex);

    vectors_kernel<<<(unsigned)tiles, WARP, 0, stream>>>(V.rows, d, e, s, w, g);
    GSVD_TRY(gsvd_launched(ex->h, "tridiagonal_vectors"));
    put_vectors_kernel<<<dim3((unsigned)rows, (unsigned)min_i(tiles, 65535)),
                         dim3(WARP, 8), 0, stream>>>(V, g);
    return gsvd_launched(ex->h, "tridiagonal_vectors, transposition");
}

/* w := `count` values of T behind so many; s, t and what follows them stand at the front of the work.
 * Returns in *memory the work behind these. */
static gsvd_status_t find_values(const exec_t *ex, int64_t n, const real_t *d,
                                 const real_t *e, int64_t before, int64_t count,
                                 real_t *w, void *work, real_t **memory)
{
    const int each = VALUES / LANES;
    spectrum_t *const s = (spectrum_t *)work;
    minor_row_t *const t = (minor_row_t *)((char *)work + ALIGN);
    const cudaStream_t stream = stream_of(ex);

    *memory = (real_t *)(t + minor_rows(n));
    spectrum_kernel<<<1, VALUES, 0, stream>>>(n, d, e, s);
    GSVD_TRY(gsvd_launched(ex->h, "tridiagonal_vectors, spectrum"));
    minor_rows_kernel<<<(unsigned)(minor_rows(n) / VALUES + 1), VALUES, 0,
                        stream>>>(n, d, e, s, t);
    GSVD_TRY(gsvd_launched(ex->h, "tridiagonal_vectors, minors"));
    values_kernel<<<(unsigned)((count + each - 1) / each), VALUES, 0, stream>>>(
        n, t, s, before, count, w);
    return gsvd_launched(ex->h, "tridiagonal_vectors, values");
}

gsvd_status_t X(tridiagonal_vectors_cuda)(const exec_t *ex, int64_t n,
                                          const real_t *d, const real_t *e,
                                          int64_t before, real_t *w, mat_t V)
{
    const int u_in_v = V.ld == n;
    const size_t left = ex->work.size - ex->work.used;
    const size_t vector = (size_t)numbers_of(n, u_in_v) * sizeof(real_t);
    real_t *memory;
    void *work;

    if (V.cols == 0)
        return GSVD_SUCCESS;
    GSVD_TRY(X(kernel_work)(ex, fixed_bytes(n) + vector, &work));
    const int64_t most = (int64_t)((left - fixed_bytes(n)) / vector);
    GSVD_TRY(find_values(ex, n, d, e, before, V.cols, w, work, &memory));
    for (int64_t k = 0; k < V.cols; k += most) {
        const int64_t count = min_i(most, V.cols - k);
        const mat_t Vk = mat_cols(V, k, count);
        real_t *const Z = memory + count;
        group_t g = {count, Z, Z + count * n, memory};
        if (u_in_v)
            g.u = (real_t *)Vk.data;
        GSVD_TRY(find_group(ex, d, e, (const spectrum_t *)work, w + k, Vk, g));
    }
    return GSVD_SUCCESS;
}

gsvd_status_t X(tridiagonal_values_cuda)(const exec_t *ex, int64_t n,
                                         const real_t *d, const real_t *e,
                                         int64_t count, real_t *w)
{
    real_t *memory;
    void *work;

    if (count == 0)
        return GSVD_SUCCESS;
    GSVD_TRY(X(kernel_work)(ex, fixed_bytes(n), &work));
    return find_values(ex, n, d, e, 0, count, w, work, &memory);
}
