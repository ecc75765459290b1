/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* gsvd_columns.cuh -- the GSVD of a small pair in registers, for 1 <= m <= n <= p <= NC and a B of
 * full column rank: then k = 0 and l = n.
 *
 *     team    NC = 8, 16 or 32 lanes with one pair; a warp is 32 / NC teams
 *     lane    one row or one column of each matrix, in registers
 *     block   one warp; for 32 columns of complex double two warps with one pair: one has G and
 *             U in registers, the other one V
 *     shared  the tiles of warp_memory
 *
 * The mathematics is gsvd.h's in another order, with the limits of small/numbers.h.  The right
 * column says what a lane holds.
 *
 *     1  A := 2^-ea Pa A, B := 2^-eb Pb B, rows sorted        row, then column
 *     2  B D P = Q_B (R; 0), D from the columns of A and B    column
 *     3  F = A D P R^-1                                       column
 *     4  S F^H P' = Q_F (R'; 0), S sorts rows; G = R'^H       column of F^H, which is row of G
 *     5  G := G J, V := J                                     row, columns.cuh
 *     6  U = Pa^T G / |G|,  V = Pb^T Q_B diag(S^T Q_F diag(J, I), I)          column
 *     7  H = C U^H A + S V^H B of A and B read again          row
 *     8  H P" = R Q"^H, the columns of H by length, the shortest first        row
 *     9  A, B := R,  Q = P" Q"
 *
 * In step s of a QR one lane writes its column to shared memory, where the column stays as
 * reflector s.  After a barrier all lanes apply the reflector and shift their columns up by one
 * row, with a zero at the end, so that registers have constant indices inside a loop.  Columns
 * stay in their lanes; each lane knows the `place` of its own.  When reflectors are applied
 * (reflect_all), columns shift down and a row comes in at the top.
 *
 * A pair that this solver cannot solve as well as a team is left to a team (gsvd_device.h). */
#ifndef GSVD_BATCH_GSVD_COLUMNS_CUH
#define GSVD_BATCH_GSVD_COLUMNS_CUH

#include "batch/columns.cuh"
#include "batch/gsvd_device.h"
#include "batch/problem.h"
#include "batch/ways.h"
#include "core/range.h"
#include "core/value_pair.h"
#include "jacobi/jacobi.h"
#include "pivot/inverse_iteration.h"
#include "pivot/pivot.h"
#include "small/numbers.h"

/* Warps of a pair: one if a lane's rows of G and V take at most 512 bytes, else two. */
template <int NC> struct warps_of_pair {
    enum { VALUE = 2 * NC * (int)sizeof(scalar_t) <= 512 ? 1 : 2 };
};

/* Rows of A or of B that differ by more are ordered by pivots (small/tangent.h): a team does it. */
#define ROWS_BY_PIVOTS ((real_t)256)

/* A length whose square is below this has lost digits. */
#define LENGTH_TINY (GSVD_SAFMIN / GSVD_ULP)

/* the arguments of a launch */
typedef struct pairs {
    gsvd_batch_t b;
    int64_t first, count; /* the pairs of the launch                         */
    real_t tolb;       /* the caller's; negative: the default                */
    real_t tol_jacobi; /* of cosines                                         */
    int max_sweeps, reveal;
    unsigned *way; /* ways.h;  NULL: nobody counts                          */
} pairs_t;

static inline pairs_t pairs_of(const gsvd_batch_t *b, const policy_t *policy,
                               unsigned *way)
{
    pairs_t c;
    c.b = *b;
    c.first = 0;
    c.count = b->count;
    c.tolb = (real_t)policy->tol_b;
    c.tol_jacobi = jacobi_tolerance(policy->tol_jacobi, b->m);
    c.max_sweeps = policy->max_sweeps;
    c.reveal = policy->pivot != GSVD_PIVOT_NORM;
    c.way = way;
    return c;
}

/* NC for the pairs of b, at most `most`; 0: this solver does not take them.  It takes none with a
 * loose tolerance, after which columns would have to be made orthogonal. */
static inline int team_of_pairs(const gsvd_batch_t *b, const policy_t *policy,
                                int most)
{
    const int nc = b->p <= 8 ? 8 : b->p <= 16 ? 16 : 32;
    return b->p <= most && !b->each_m && 1 <= b->m && b->m <= b->n &&
                   b->n <= b->p && policy->solver != GSVD_SOLVER_CSD &&
                   !is_loose_tolerance(policy->tol_jacobi, b->m)
               ? nc
               : 0;
}

/* H = I - tau v v^H, v = (1; over x(1:)), for a column x.  tau is stored behind x, in the padding
 * row of the tile. */
typedef struct reflector {
    scalar_t tau, over;
} reflector_t;

/* Lists of a team */
enum {
    ROW_A, /* Row i of the caller's A is row ROW_A[i] of the sorted A.       */
    ROW_B, /* the same for B                                                 */
    FROM,  /* Row t of S F^H is row FROM[t] of F^H.                          */
    TO,    /* Row k of F^H is row TO[k] of S F^H.                            */
    ORDER, /* the columns of H, the longest first                            */
    POSITION, /* where column j of U and V is stored: the place of its value */
    LISTS,
    OF_G = 2 /* the exponent of G                                            */
};

/* Shared memory of a warp's teams; the comments say what a tile holds in turn.  A tile has a
 * padding row: neighbours in a row lie in different banks, and so do equal entries of two teams'
 * tiles. */
template <int NC> struct warp_memory {
    enum { TEAMS = LANES / NC, LD = NC + 1, TILE = NC * LD };
    scalar_t of_B[TEAMS][TILE]; /* Q_B; Q"                                   */
    scalar_t of_F[TEAMS][TILE]; /* B, R; Q_F; V~; H, R"                      */
    union {
        scalar_t stage[TEAMS][TILE]; /* A; F; R'; J; U; V; A; B; Q           */
        struct {
            told_t told; /* step 5: after R' and before J                    */
            words_t of_terms[terms<NC>::WORDS];
        };
    };
    scalar_t over_B[TEAMS][NC], over_F[TEAMS][NC]; /* of reflectors          */
    real_t number[TEAMS][NC];
    real_t square[TEAMS][NC]; /* of the lengths of columns of (A; B)         */
    int64_t pair[TEAMS];      /* the number of the team's pair; -1: none     */
    int good[TEAMS];          /* q->good during step 5; with two warps:
                                 whether V's warp goes on                    */
    int of_G;                 /* with two warps: the one that has G          */
    int exponent[3][TEAMS];   /* ea, eb, and that of G                       */
    unsigned char list[LISTS][TEAMS][NC];
};

/* A lane's view of its pair; small, since registers also hold G and V */
template <int NC> struct columns {
    const pairs_t *c;
    warp_memory<NC> *memory;
    int team, lane;
    int good;  /* 0: this lane has found that the pair must go to a team      */
    int place; /* of the lane's column in the last factorization              */
    real_t diagonal; /* the diagonal entry in the lane's column of R         */
};

template <int NC>
static __device__ __forceinline__ int m_of(const columns<NC> *q)
{
    return (int)q->c->b.m;
}
template <int NC>
static __device__ __forceinline__ int n_of(const columns<NC> *q)
{
    return (int)q->c->b.n;
}
template <int NC>
static __device__ __forceinline__ int p_of(const columns<NC> *q)
{
    return (int)q->c->b.p;
}

/* The pair's part of M; it has no rows if the team has no pair. */
template <int NC>
static __device__ __forceinline__ mat_t mat_of(const columns<NC> *q,
                                               const batch_mat_t *M,
                                               int64_t rows, int64_t cols)
{
    const int64_t i = q->memory->pair[q->team];
    return matrix_of(M, max_i(i, 0), i >= 0 ? rows : 0, cols);
}

/* the caller's A or B: which is ROW_A or ROW_B */
template <int NC>
static __device__ __forceinline__ mat_t caller_of(const columns<NC> *q,
                                                  int which)
{
    return which == ROW_A ? mat_of(q, &q->c->b.A, q->c->b.m, q->c->b.n)
                          : mat_of(q, &q->c->b.B, q->c->b.p, q->c->b.n);
}

/* The team's part of shared memory */
#define MEMORY(type, name)                                                     \
    template <int NC>                                                          \
    static __device__ __forceinline__ type *name(const columns<NC> *q)         \
    {                                                                          \
        return q->memory->name[q->team];                                       \
    }
MEMORY(scalar_t, of_B)
MEMORY(scalar_t, of_F)
MEMORY(scalar_t, stage)
MEMORY(scalar_t, over_B)
MEMORY(scalar_t, over_F)
MEMORY(real_t, number)
MEMORY(real_t, square)
#undef MEMORY

template <int NC>
static __device__ __forceinline__ unsigned char *list_of(const columns<NC> *q,
                                                         int which)
{
    return q->memory->list[which][q->team];
}

/* -- small words ---------------------------------------------------------------- */

/* list[i], reduced to a legal index: the entry may be undefined. */
template <int NC>
static __device__ __forceinline__ int entry_of_list(const unsigned char *list,
                                                    int i)
{
    return list[i] & (NC - 1);
}

/* The place of the lane's row of A or B among the sorted rows */
template <int NC>
static __device__ __forceinline__ int row_of_lane(const columns<NC> *q,
                                                  int which)
{
    return entry_of_list<NC>(list_of(q, which), q->lane);
}

static __device__ __forceinline__ real_t size_of(scalar_t a)
{
    scalar_t unused;
    return size_and_phase(a, &unused);
}

/* The leading 32 bits of a nonnegative x as an integer.  The order of keys is that of the numbers.
 * number_of is the number with these bits and zeros behind them. */
static __device__ __forceinline__ int key_of(real_t x)
{
#if GSVD_SINGLE
    return __float_as_int(x);
#else
    return __double2hiint(x);
#endif
}

static __device__ __forceinline__ real_t number_of(int key)
{
#if GSVD_SINGLE
    return __int_as_float(key);
#else
    return __hiloint2double(key, 0);
#endif
}

/* The key of max(|re|, |im|); above the key of the largest number if a part is not finite */
static __device__ __forceinline__ int key_of_size(scalar_t a)
{
    return max(key_of(re(a)) & INT_MAX, key_of(im(a)) & INT_MAX);
}

/* the largest key of the team */
template <int NC> static __device__ __forceinline__ int most_key(int key)
{
#pragma unroll
    for (int step = NC / 2; step > 0; step /= 2)
        key = max(key, __shfl_xor_sync(ALL_LANES, key, step));
    return key;
}

/* the first lane of the team with the largest key */
template <int NC>
static __device__ __forceinline__ int lane_of_most(int key, int lane)
{
    const int most = most_key<NC>(key);
    return __ffs((int)votes_of<NC>(key == most, lane)) - 1;
}

template <int NC> static __device__ __forceinline__ real_t sum_of_team(real_t x)
{
#pragma unroll
    for (int step = NC / 2; step > 0; step /= 2)
        x += __shfl_xor_sync(ALL_LANES, x, step);
    return x;
}

/* The place of the lane in the order by descending x, then ascending y, then lane */
template <int NC>
static __device__ __forceinline__ int place_of_lane(real_t x, real_t y,
                                                    int lane)
{
    int place = 0;
#pragma unroll 4
    for (int j = 0; j < NC; ++j) {
        const real_t a = __shfl_sync(ALL_LANES, x, j, NC);
        const real_t b = __shfl_sync(ALL_LANES, y, j, NC);
        place += a > x || (a == x && (b < y || (b == y && j < lane)));
    }
    return place;
}

/* The place of the lane by descending class of size, then by lane; lanes that are not `there` come
 * last. */
template <int NC>
static __device__ __forceinline__ int place_by_class(real_t size, int there,
                                                     int lane)
{
    const int mine = there ? row_class(size) : ROW_CLASSES;
    int place = 0;
#pragma unroll 4
    for (int j = 0; j < NC; ++j) {
        const int other = __shfl_sync(ALL_LANES, mine, j, NC);
        place += other < mine || (other == mine && j < lane);
    }
    return place;
}

/* Sums over a[FROM], ..., a[TO - 1] as four independent partial sums, to shorten the chain */

template <int NC, int FROM, int TO>
static __device__ __forceinline__ real_t square_of(const scalar_t (&a)[NC])
{
    real_t part[4] = {0, 0, 0, 0};
#pragma unroll
    for (int i = FROM; i < TO; ++i)
        part[i % 4] = re(dot_add(a[i], a[i], make(part[i % 4], 0)));
    return (part[0] + part[1]) + (part[2] + part[3]);
}

/* sum of conj(x[i]) a[i - SHIFT] for i in [FROM, TO) */
template <int NC, int FROM, int TO, int SHIFT>
static __device__ __forceinline__ scalar_t dot_of(const scalar_t *x,
                                                  const scalar_t (&a)[NC])
{
    const scalar_t zero = make(0, 0);
    scalar_t part[4] = {zero, zero, zero, zero};
#pragma unroll
    for (int i = FROM; i < TO; ++i)
        part[i % 4] = dot_add(x[i], a[i - SHIFT], part[i % 4]);
    return add(add(part[0], part[1]), add(part[2], part[3]));
}

/* -- rows and columns ------------------------------------------------------------ */

/* x := row `lane` of M, with zeros beyond M */
template <int NC>
static __device__ __forceinline__ void read_row(mat_t M, int lane,
                                                scalar_t (&x)[NC])
{
#pragma unroll
    for (int j = 0; j < NC; ++j)
        x[j] = j < M.cols && lane < M.rows ? AT(M, lane, j) : make(0, 0);
}

/* tile(row,:) := 2^-e x; returns 0 if a nonzero entry becomes smaller than ROTATE_TINY, where it
 * may lose digits. */
template <int NC>
static __device__ __forceinline__ int write_row(const scalar_t (&x)[NC], int e,
                                                scalar_t *tile, int row)
{
    const power_t power = power_of(-e);
    int whole = 1;
#pragma unroll
    for (int j = 0; j < NC; ++j) {
        const scalar_t y = times_power(power, x[j]);
        whole &= !(abs_max(x[j]) > 0 && abs_max(y) < ROTATE_TINY);
        tile[row + j * (NC + 1)] = y;
    }
    return whole;
}

template <int NC>
static __device__ __forceinline__ void read_column(const scalar_t *tile,
                                                   int lane, scalar_t (&a)[NC])
{
#pragma unroll
    for (int i = 0; i < NC; ++i)
        a[i] = tile[lane * (NC + 1) + i];
}

template <int NC>
static __device__ __forceinline__ void write_column(const scalar_t (&a)[NC],
                                                    scalar_t *tile, int lane)
{
#pragma unroll
    for (int i = 0; i < NC; ++i)
        tile[lane * (NC + 1) + i] = a[i];
}

/* 1: tile := A or B, scaled and with sorted rows; which is ROW_A or ROW_B.  Lanes without a row
 * write zeros behind the rows. */
template <int NC>
static __device__ __forceinline__ void load_sorted(columns<NC> *q,
                                                   scalar_t *tile, int which)
{
    const mat_t M = caller_of<NC>(q, which);
    scalar_t x[NC];
    int key = 0;

    read_row<NC>(M, q->lane, x);
#pragma unroll
    for (int j = 0; j < NC; ++j)
        key = max(key, key_of_size(x[j]));
    const int top = most_key<NC>(key);
    const int finite = top <= key_of(GSVD_REAL_MAX);
    const int e = finite && top > 0 ? exponent_r(number_of(top)) + 1 : 0;
    const int row = place_by_class<NC>(finite ? number_of(key) : 0,
                                       q->lane < M.rows, q->lane);
    const int least =
        -most_key<NC>(q->lane < M.rows && key > 0 ? -key : -INT_MAX);
    const int apart =
        M.cols > 1 && number_of(top) > ROWS_BY_PIVOTS * number_of(least);
    q->good = q->good && finite && !apart;
    if (q->lane == 0)
        q->memory->exponent[which][q->team] = e;
    list_of(q, which)[q->lane] = (unsigned char)row;
#pragma unroll
    for (int j = 0; j < NC; ++j)
        x[j] = finite ? x[j] : make(0, 0);
    if (!write_row<NC>(x, e, tile, row))
        q->good = 0;
}

/* 2, 7: tile := A or B once more, with the scale and the order that load_sorted found */
template <int NC>
static __device__ __forceinline__ void load_again(const columns<NC> *q,
                                                  scalar_t *tile, int which)
{
    const int row = row_of_lane<NC>(q, which);
    mat_t M = caller_of<NC>(q, which);
    scalar_t x[NC];
    M.rows = q->good ? M.rows : 0;
    read_row<NC>(M, q->lane, x);
    (void)write_row<NC>(x, q->memory->exponent[which][q->team], tile, row);
}

/* M(i,POSITION(j)) := stage(row,j) for i = lane and all columns j of M; in_order, for Q: M(i,j).
 * Every zero is stored as +0, since its sign depends on the number of sweeps of the warp's other
 * pairs. */
template <int NC>
static __device__ __forceinline__ void store_rows(const columns<NC> *q, mat_t M,
                                                  int row, int in_order)
{
    if (!M.data || !q->good || q->lane >= M.rows)
        return;
#pragma unroll 4
    for (int j = 0; j < (int)M.cols; ++j) {
        const int to =
            in_order ? j : entry_of_list<NC>(list_of(q, POSITION), j);
        AT(M, q->lane, to) = add(stage(q)[row + j * (NC + 1)], make(0, 0));
    }
}

/* -- factorizations ---------------------------------------------------------------- */

/* The reflector with H^H x = (beta; 0) for an x with head alpha and |x(1:)|^2 = rest */
static __device__ __forceinline__ reflector_t reflector_of_step(scalar_t alpha,
                                                                real_t rest,
                                                                real_t *beta)
{
    const real_t square = rest + abs2(alpha), r = rsqrt_near(square);
    const real_t over_beta = -copysign_r(r, re(alpha));
    const int plain = !(rest > 0) && im(alpha) == 0;
    const scalar_t d =
        make(re(alpha) + copysign_r(square * r, re(alpha)), im(alpha));
    reflector_t h;

    *beta = plain ? re(alpha) : -copysign_r(square * r, re(alpha));
    h.tau = plain ? make(0, 0)
                  : make(1 - re(alpha) * over_beta, -im(alpha) * over_beta);
    h.over = REALS_PER_SCALAR == 2 ? scale(reciprocal(abs2(d)), conj_of(d))
                                   : make(reciprocal(re(d)), 0);
    return h;
}

/* Publishes the lane's column as the column of this step: x := its entries, *told := rest. */
template <int NC, int ROWS>
static __device__ __forceinline__ void
tell_column(const scalar_t (&a)[NC], real_t rest, scalar_t *x, real_t *told)
{
#pragma unroll
    for (int i = 0; i < ROWS; ++i)
        x[i] = a[i];
    *told = rest;
}

/* Arguments of a factorization */
template <int NC> struct steps {
    scalar_t *x;    /* column s: reflector s                                 */
    scalar_t *R;    /* column `lane`: the lane's column of R                 */
    scalar_t *over; /* of reflector s                                        */
    real_t tol;     /* The pair fails if a step's column is no longer.       */
    int open;       /* The lane's column has not been chosen yet.            */
};

/* Steps [from, to) of a QR of columns of at most ROWS rows.  PIVOTED: the next column is the
 * longest one, to a relative 2^-20; else the one with place n - 1 - s.  Each step publishes its
 * column and `rest` at a place of its own, so that one barrier a step suffices. */
template <int NC, int ROWS, int PIVOTED>
static __device__ __forceinline__ void
factor_steps(columns<NC> *q, steps<NC> *f, scalar_t (&a)[NC], int from, int to)
{
#pragma unroll 1
    for (int s = from; s < to; ++s) {
        const real_t rest = square_of<NC, 1, ROWS>(a);
        scalar_t *const x = f->x + s * (NC + 1);
        int mine = q->place == n_of(q) - 1 - s;
        if (PIVOTED) {
            const int key = key_of(f->open ? rest + abs2(a[0]) : -1);
            mine = q->lane == lane_of_most<NC>(key, q->lane);
        }
        if (mine)
            tell_column<NC, ROWS>(a, rest, x, &number(q)[s]);
        __syncwarp();
        real_t beta;
        const reflector_t h = reflector_of_step(x[0], number(q)[s], &beta);
        const real_t length = fabs_r(beta);
        q->good = q->good && length > f->tol && length * length > LENGTH_TINY;

        const scalar_t tail = dot_of<NC, 1, ROWS, 0>(x, a);
        scalar_t w = mul_add(conj_of(h.over), tail, a[0]);
        w = mul(conj_of(h.tau), w);
        const scalar_t head = sub(a[0], w), over_w = mul(h.over, w);
        const scalar_t minus = make(-re(over_w), -im(over_w));
#pragma unroll
        for (int i = 1; i < ROWS; ++i)
            a[i - 1] = mul_add(minus, x[i], a[i]);
        a[ROWS - 1] = make(0, 0);
        if (f->open)
            f->R[q->lane * (NC + 1) + s] = mine ? make(beta, 0) : head;
        if (mine) {
            x[NC] = h.tau;
            f->over[s] = h.over;
            q->place = PIVOTED ? s : q->place;
            q->diagonal = beta;
            f->open = 0;
        }
    }
}

/* A QR of `count` steps.  With NC = 32 the second half of the steps works on half of the rows: the
 * others have been shifted out. */
template <int NC, int PIVOTED>
static __device__ __forceinline__ void factor(columns<NC> *q, steps<NC> *f,
                                              scalar_t (&a)[NC], int count)
{
    const int half = NC == LANES && count > NC / 2 ? NC / 2 : count;
    factor_steps<NC, NC, PIVOTED>(q, f, a, 0, half);
    if (NC == LANES)
        factor_steps<NC, NC / 2, PIVOTED>(q, f, a, half, count);
}

/* c := the first rows of H (head; c): c moves down by one row. */
template <int NC, int ROWS>
static __device__ __forceinline__ void
reflect_down(scalar_t (&c)[NC], scalar_t head, const scalar_t *x, scalar_t over)
{
    const scalar_t tail = dot_of<NC, 1, ROWS, 1>(x, c);
    const scalar_t w = mul(x[NC], mul_add(conj_of(over), tail, head));
    const scalar_t over_w = mul(over, w);
    const scalar_t minus = make(-re(over_w), -im(over_w));
#pragma unroll
    for (int i = ROWS - 1; i > 0; --i)
        c[i] = mul_add(minus, x[i], c[i - 1]);
    c[0] = sub(head, w);
}

/* c := H_0 ... H_(count-1) (rows; c), where row s of `rows` is in(s) */
template <int NC, class In>
static __device__ __forceinline__ void
reflect_all(scalar_t (&c)[NC], const scalar_t *x, const scalar_t *over,
            int count, In in)
{
    int s = count - 1;
    if (NC == LANES)
#pragma unroll 1
        for (; s >= NC / 2; --s)
            reflect_down<NC, NC / 2>(c, in(s), x + s * (NC + 1), over[s]);
#pragma unroll 1
    for (; s >= 0; --s)
        reflect_down<NC, NC>(c, in(s), x + s * (NC + 1), over[s]);
}

/* -- 2: B ------------------------------------------------------------------------ */

/* The tolerance for the rank of B; b is the lane's column. */
template <int NC>
static __device__ __forceinline__ real_t tolerance_of(const columns<NC> *q,
                                                      const scalar_t (&b)[NC])
{
    const int given = q->c->tolb >= 0;
    const real_t least = least_tolerance(p_of(q), n_of(q), given,
                                         q->memory->exponent[ROW_B][q->team]);
    real_t sum = 0;
    if (given)
        return fmax_r(ldexp_r(q->c->tolb, -q->memory->exponent[ROW_B][q->team]),
                      least);
#pragma unroll
    for (int i = 0; i < NC; ++i)
        sum += REALS_PER_SCALAR == 2 ? sqrt_r(abs2(b[i])) : fabs_r(re(b[i]));
    return fmax_r(rank_tolerance(p_of(q), n_of(q), most_of<NC>(sum)), least);
}

/* x of the lane *who whose column has place i */
template <int NC>
static __device__ __forceinline__ scalar_t tell_entry(const columns<NC> *q,
                                                      scalar_t x, int i,
                                                      int *who)
{
    const int holds = q->lane < n_of(q) && q->place == i;
    *who = (__ffs((int)votes_of<NC>(holds, q->lane)) - 1) & (NC - 1);
    const real_t y =
        REALS_PER_SCALAR == 2 ? __shfl_sync(ALL_LANES, im(x), *who, NC) : 0;
    return make(__shfl_sync(ALL_LANES, re(x), *who, NC), y);
}

/* pivot/inverse_iteration.c on R, with one lane a column.  The smallest singular value of R is at
 * most the result, if that is next to tol. */
template <int NC>
static __device__ __forceinline__ real_t inverse_iteration(const columns<NC> *q,
                                                           real_t tol)
{
    const int inside = q->lane < n_of(q);
    real_t one = 1;
    scalar_t x = make(0, 0), dot = make(0, 0);
    int who;

#pragma unroll 1
    for (int i = 0; i < n_of(q); ++i) { /* 1 */
        const scalar_t own =
            inverse_iteration_next(one, dot, make(q->diagonal, 0));
        const scalar_t y = tell_entry<NC>(q, own, i, &who);
        const real_t top = abs_of(y), down = top > LARGE_ENTRY ? 1 / top : 1;
        one *= down;
        x = scale(down, q->lane == who ? y : x);
        dot = scale(down, dot);
        if (inside && q->place > i)
            dot = dot_add(of_F(q)[q->lane * (NC + 1) + i], scale(down, y), dot);
    }
    x = inside ? x : make(0, 0);
    const real_t length = sqrt_r(sum_of_team<NC>(abs2(x)));
    const real_t bound = one * sqrt_r((real_t)n_of(q)) / length; /* 2 */
    x = scale(1 / length, x);
    one = 1;
#pragma unroll 1
    for (int j = n_of(q) - 1; j >= 0; --j) { /* 3 */
        const scalar_t own = scale(1 / q->diagonal, x);
        const scalar_t y = tell_entry<NC>(q, own, j, &who);
        const real_t top = abs_of(y), down = top > LARGE_ENTRY ? 1 / top : 1;
        const scalar_t z = scale(-down, y);
        one *= down;
        x = scale(down, q->lane == who ? y : x);
        if (inside && q->place < j)
            x = mul_add(z, of_F(q)[who * (NC + 1) + q->place], x);
    }
    const real_t most = most_of<NC>(inside ? abs_of(x) : 0); /* 4 */
    return bound > (real_t)n_of(q) * tol ? bound : one / most;
}

/* Has R a singular value below tol that its diagonal does not show?  Steps 8 and 9 of
 * pivot/geqp.c. */
template <int NC>
static __device__ __forceinline__ int hides_rank(const columns<NC> *q,
                                                 real_t tol)
{
    const int inside = q->lane < n_of(q);
    const real_t least =
        -most_of<NC>(inside ? -fabs_r(q->diagonal) : -GSVD_REAL_MAX);
    const real_t bound = inverse_iteration<NC>(q, tol);
    return hides_value(bound, tol, least);
}

/* Has B full rank for certain?  It has, up to rounding, if the lower bound of its singular values
 * by the product of the diagonal of R D^-1 exceeds tol (pivot/inverse_iteration.h). */
template <int NC>
static __device__ __forceinline__ int
rank_is_full(const columns<NC> *q, real_t length, real_t d, real_t tol)
{
    const int inside = q->lane < n_of(q);
    const real_t top = most_of<NC>(inside ? length : 0);
    real_t below = inside ? fabs_r(q->diagonal) / (d * top) : 1;
#pragma unroll
    for (int step = NC / 2; step > 0; step /= 2)
        below *= __shfl_xor_sync(ALL_LANES, below, step);
    return below * top * (real_t)0.3 > tol;
}

/* Is the product of the diagonal of a random R of order n expected next to the tolerance? */
static __device__ __forceinline__ int product_is_small(int n)
{
    return GSVD_SINGLE && n > 12;
}

/* 2: factors B D P = Q_B (R; 0).  On entry B is in of_F; the lane's column has the given length and
 * the scale d.  On exit the reflectors are in of_B and R in of_F.  Pivots are chosen among the
 * columns of B D, so that F does not grow.  If that does not decide the rank, B itself is factored
 * before the final pass:
 *
 *     pass 0  B D, and whether its R proves full rank
 *     pass 1  B, for its rank
 *     pass 2  B D again
 *
 * The passes are 0; or 0, 1, 2; or, if product_is_small, 1, 2. */
template <int NC>
static __device__ __forceinline__ void factor_B(columns<NC> *q, real_t length,
                                                real_t d, real_t tol)
{
    int pass = product_is_small(n_of(q)), last = pass ? 2 : 0, known = 0;
    scalar_t b[NC];
    steps<NC> f;

    f.x = of_B(q);
    f.R = of_F(q);
    f.over = over_B(q);
#pragma unroll 1
    for (int again = 0; pass <= last; ++pass, again = 1) {
        if (again) {
            __syncwarp();
            load_again<NC>(q, of_F(q), ROW_B);
            __syncwarp();
        }
        read_column<NC>(of_F(q), q->lane, b);
#pragma unroll
        for (int i = 0; i < NC; ++i)
            b[i] = scale(pass == 1 ? 1 : d, b[i]);
        f.tol = pass == 1 && !known ? tol : 0;
        f.open = q->lane < n_of(q);
        q->place = q->lane;
        const int proved = q->good && known; /* pass 1 is for other pairs     */
        factor<NC, 1>(q, &f, b, n_of(q));
        q->good = q->good || (pass == 1 && proved);
        if (pass == 0) {
            known = rank_is_full<NC>(q, length, d, tol);
            last = __any_sync(ALL_LANES, q->good && !known) ? 2 : 0;
        } else if (pass == 1 && q->c->reveal) {
            const int hidden = hides_rank<NC>(q, tol);
            q->good = q->good && (known || !(tol > 0) || !hidden);
        }
    }
}

/* -- 3, 4: F ----------------------------------------------------------------------- */

/* 3: a := column `place` of F = A D P R^-1, from that of A D P; stage := F, one column a step */
template <int NC>
static __device__ __forceinline__ void divide_by_R(columns<NC> *q,
                                                   scalar_t (&a)[NC])
{
    const scalar_t *const R = of_F(q) + q->lane * (NC + 1);
    const real_t over = 1 / q->diagonal;
    const int inside = q->lane < n_of(q);

#pragma unroll 1
    for (int k = 0; k < n_of(q); ++k) {
        scalar_t *const f = stage(q) + k * (NC + 1);
        if (inside && q->place == k) {
#pragma unroll
            for (int i = 0; i < NC; ++i)
                f[i] = a[i] = scale(over, a[i]);
        }
        __syncwarp();
        if (inside && q->place > k) {
            const scalar_t r = scale(-1, R[k]);
#pragma unroll
            for (int i = 0; i < NC; ++i)
                a[i] = mul_add(r, f[i], a[i]);
        }
    }
}

/* Is the growth of F, the sum over k of |F(:,k)| |R(k,place)|, below its limit?
 * jacobi/tangent.c */
template <int NC>
static __device__ __forceinline__ int growth_fits(const columns<NC> *q,
                                                  const scalar_t (&a)[NC])
{
    const scalar_t *const R = of_F(q) + q->lane * (NC + 1);
    real_t sum = 0;

    if (q->lane < n_of(q))
        number(q)[q->place] = sqrt_r(square_of<NC, 0, NC>(a));
    __syncwarp();
#pragma unroll 4
    for (int k = 0; k < n_of(q); ++k)
        sum += k <= q->place ? number(q)[k] * size_of(R[k]) : 0;
    return q->lane >= n_of(q) || sum <= (real_t)(TANGENT_PIVOTED * n_of(q));
}

/* 4: a := the lane's column of T = 2^-e S F^H */
template <int NC>
static __device__ __forceinline__ void transpose_F(columns<NC> *q,
                                                   scalar_t (&a)[NC])
{
    const int inside = q->lane < n_of(q);
    const int k = inside ? q->place : q->lane;
    int key = 0;

#pragma unroll
    for (int i = 0; i < NC; ++i)
        key = max(key, key_of_size(a[i]));
    key = inside && key <= key_of(GSVD_REAL_MAX) ? key : 0;
    const int top = most_key<NC>(key);
    const int e = top > 0 ? exponent_r(number_of(top)) + 1 : 0;
    const power_t down = power_of(-e);
    if (q->lane == 0)
        q->memory->exponent[OF_G][q->team] = e - TANGENT_TOP;
    /* Columns of one class come in the order of their places. */
    const int mine = inside ? row_class(number_of(key)) : ROW_CLASSES;
    int to = 0;
#pragma unroll 4
    for (int j = 0; j < NC; ++j) {
        const int other = __shfl_sync(ALL_LANES, mine, j, NC);
        const int place = __shfl_sync(ALL_LANES, k, j, NC);
        to += other < mine || (other == mine && place < k);
    }
    list_of(q, FROM)[to] = (unsigned char)k;
    list_of(q, TO)[k] = (unsigned char)to;
    __syncwarp();
#pragma unroll
    for (int t = 0; t < NC; ++t) {
        const int from = entry_of_list<NC>(list_of(q, FROM), t);
        a[t] = t < n_of(q) && q->lane < m_of(q)
                   ? times_power(down,
                                 conj_of(stage(q)[from * (NC + 1) + q->lane]))
                   : make(0, 0);
    }
}

/* The scale d of the lane's column of A, which is in the stage, and of B, which has this length */
template <int NC>
static __device__ __forceinline__ real_t scale_of_column(columns<NC> *q,
                                                         real_t length)
{
    scalar_t a[NC];
    real_t size = 0;

    read_column<NC>(stage(q), q->lane, a);
#pragma unroll
    for (int i = 0; i < NC; ++i)
        size += fabs_r(re(a[i])) + fabs_r(im(a[i]));
    const real_t of_A = square_of<NC, 0, NC>(a);
    q->good = q->good && (size == 0 || of_A > LENGTH_TINY);
    square(q)[q->lane] = of_A + length * length;
    return column_scale(sqrt_r(of_A), length);
}

/* 3, 4: A is in the stage; a := the lane's row of G. */
template <int NC>
static __device__ __forceinline__ void precondition(columns<NC> *q, real_t d,
                                                    scalar_t (&a)[NC])
{
    steps<NC> f;

    read_column<NC>(stage(q), q->lane, a);
#pragma unroll
    for (int i = 0; i < NC; ++i)
        a[i] = scale(d, a[i]);
    __syncwarp();
    divide_by_R<NC>(q, a);
    const int fits = growth_fits<NC>(q, a);
    q->good = q->good && fits;
    transpose_F<NC>(q, a);

    f.x = of_F(q);
    f.R = stage(q);
    f.over = over_F(q);
    f.tol = 0;
    f.open = q->lane < m_of(q);
    q->place = q->lane;
    __syncwarp();
    factor<NC, 1>(q, &f, a, m_of(q));
    const real_t up = ldexp_r(1, TANGENT_TOP);
#pragma unroll
    for (int j = 0; j < NC; ++j)
        a[j] = j <= q->place && q->lane < m_of(q)
                   ? scale(up, conj_of(stage(q)[q->lane * (NC + 1) + j]))
                   : make(0, 0);
}

/* -- 6: U, V ------------------------------------------------------------------------ */

/* The lane's generalized singular value */
typedef struct value {
    real_t c, s, alpha, beta, g;
    int e, place;
} value_t;

template <int NC>
static __device__ __forceinline__ value_t value_of(columns<NC> *q,
                                                   real_t square)
{
    const int e = q->memory->exponent[OF_G][q->team];
    const int inside = q->lane < n_of(q), of_A = q->lane < m_of(q);
    const int fits = square > COLUMN_TINY && square <= GSVD_REAL_MAX;
    const real_t length = sqrt_r(of_A && fits ? square : 1);
    value_t v;

    q->good = q->good && (fits || !of_A);
    v.c = 0;
    v.s = 1;
    if (of_A)
        value_pair_of_caller(e, 0, length, 1, &v.c, &v.s, &v.g, &v.e);
    value_pair_of_caller(q->memory->exponent[ROW_A][q->team],
                         q->memory->exponent[ROW_B][q->team], v.c, v.s,
                         &v.alpha, &v.beta, &v.g, &v.e);
    v.place =
        place_of_lane<NC>(inside ? v.alpha : -1, inside ? v.beta : 0, q->lane);
    list_of(q, POSITION)[q->lane] = (unsigned char)v.place;
    number(q)[q->lane] = of_A ? 1 / length : 0;
    return v;
}

/* 6: of_F := Q_F diag(J, I), a column a lane, from the lane's row v of J; form_v applies S^T. */
template <int NC>
static __device__ __forceinline__ void form_v_of_F(columns<NC> *q,
                                                   scalar_t (&v)[NC])
{
    const scalar_t *const own = stage(q) + q->lane * (NC + 1);
    __syncwarp(); /* All lanes have read told_t, which shares this memory.   */
#pragma unroll
    for (int j = 0; j < NC; ++j)
        stage(q)[q->lane + j * (NC + 1)] = v[j];
    __syncwarp();
#pragma unroll
    for (int i = 0; i < NC; ++i)
        v[i] = make(i + m_of(q) == q->lane && q->lane < n_of(q), 0);
    reflect_all<NC>(v, of_F(q), over_F(q), m_of(q),
                    [=](int s) { return own[s]; });
    __syncwarp();
    write_column<NC>(v, of_F(q), q->lane);
}

/* 6: stores U, and a := the lane's column of U, from its row of G */
template <int NC>
static __device__ __forceinline__ void form_u(columns<NC> *q, scalar_t (&a)[NC])
{
    const gsvd_batch_t *const b = &q->c->b;
#pragma unroll
    for (int j = 0; j < NC; ++j)
        stage(q)[q->lane + j * (NC + 1)] = scale(number(q)[j], a[j]);
    __syncwarp();
    store_rows<NC>(q, mat_of(q, &b->U, b->m, b->u_cols),
                   row_of_lane<NC>(q, ROW_A), 0);
    read_column<NC>(stage(q), q->lane, a);
    __syncwarp();
}

/* 6: stores V, and v := the lane's column of V, from of_F, whose rows it takes in the order S^T */
template <int NC>
static __device__ __forceinline__ void form_v(columns<NC> *q, scalar_t (&v)[NC])
{
    const gsvd_batch_t *const b = &q->c->b;
    const scalar_t *const own = of_F(q) + q->lane * (NC + 1);
    const unsigned char *const to = list_of(q, TO);
    const int n = n_of(q), inside = q->lane < n;
#pragma unroll
    for (int i = 0; i < NC; ++i)
        v[i] = make(i + n == q->lane, 0);
    reflect_all<NC>(v, of_B(q), over_B(q), n, [=](int s) {
        return inside ? own[entry_of_list<NC>(to, s)] : make(0, 0);
    });
    write_column<NC>(v, stage(q), q->lane);
    __syncwarp();
    store_rows<NC>(q, mat_of(q, &b->V, b->p, b->v_cols),
                   row_of_lane<NC>(q, ROW_B), 0);
    __syncwarp();
}

/* -- 7, 8, 9: R, Q -------------------------------------------------------------------- */

/* 7: the lane's row of H, in of_F, := f w^H M with M in the stage; SUM: adds to that row */
template <int NC, int SUM>
static __device__ __forceinline__ void combine(columns<NC> *q, real_t f,
                                               const scalar_t (&w)[NC])
{
    scalar_t *const h = of_F(q) + q->lane * (NC + 1);
#pragma unroll 1
    for (int j = 0; j < n_of(q); ++j) {
        const int column = entry_of_list<NC>(list_of(q, ORDER), j);
        /* M(:,column)^H w */
        const scalar_t sum =
            conj_of(dot_of<NC, 0, NC, 0>(stage(q) + column * (NC + 1), w));
        h[j] = SUM ? add(h[j], scale(f, sum)) : scale(f, sum);
    }
}

/* 7: of_F := C U^H A with its columns by length, the longest first; then stage := B.  Returns the
 * place of column `lane` in that order. */
template <int NC>
static __device__ __forceinline__ int
form_H_of_A(columns<NC> *q, const value_t *value, const scalar_t (&u)[NC])
{
    const int rank = place_of_lane<NC>(
        q->lane < n_of(q) ? square(q)[q->lane] : -1, 0, q->lane);
    list_of(q, ORDER)[rank] = (unsigned char)q->lane;
    load_again<NC>(q, stage(q), ROW_A);
    __syncwarp();
    combine<NC, 0>(q, value->c, u);
    __syncwarp();
    load_again<NC>(q, stage(q), ROW_B);
    __syncwarp();
    return rank;
}

/* 8: of_B := the reflectors of Q", of_F := R in the units of the caller.  Column `lane` of of_F
 * holds row `place` of R, the last entry first. */
template <int NC>
static __device__ __forceinline__ void factor_H(columns<NC> *q,
                                                const value_t *value)
{
    scalar_t w[NC], *const R = of_F(q) + q->lane * (NC + 1);
    const int rows = (int)max_i(m_of(q), p_of(q));
    real_t zero = 0;
    steps<NC> f;

#pragma unroll
    for (int i = 0; i < NC; ++i)
        w[i] = i < n_of(q) && q->lane < n_of(q) ? conj_of(R[i]) : make(0, 0);
    f.x = of_B(q);
    f.R = of_F(q);
    f.over = over_F(q);
    f.tol = 0;
    f.open = q->lane < n_of(q);
    q->place = value->place;
    factor<NC, 0>(q, &f, w, n_of(q));
    const int entries = n_of(q) - q->place;
#pragma unroll 1
    for (int i = 0; i < entries; ++i) {
        R[i] = entry_of_caller(conj_of(R[i]), value->g, value->e, 0, rows,
                               n_of(q), i == n_of(q) - 1 - q->place);
        zero += 0 * re(R[i]) + 0 * im(R[i]);
    }
    q->good = q->good && zero == 0;
}

/* 9: stores R in A and B, and zeros elsewhere */
template <int NC>
static __device__ __forceinline__ void store_R(const columns<NC> *q)
{
    const mat_t A = caller_of<NC>(q, ROW_A), B = caller_of<NC>(q, ROW_B);
    const scalar_t *const R = of_F(q) + q->lane * (NC + 1);
    const int row = q->place;
#pragma unroll 4
    for (int j = 0; j < n_of(q); ++j) {
        const scalar_t x = j >= row ? R[n_of(q) - 1 - j] : make(0, 0);
        if (row < m_of(q))
            AT(A, row, j) = x;
        if (row < p_of(q))
            AT(B, row, j) = row >= m_of(q) ? x : make(0, 0);
    }
}

/* 9: stores Q = P" Q"; rank: the place of the lane's row of Q in the order of lengths */
template <int NC>
static __device__ __forceinline__ void form_q(columns<NC> *q, int rank)
{
    const gsvd_batch_t *const b = &q->c->b;
    const int at = n_of(q) - 1 - q->lane;
    scalar_t x[NC];
#pragma unroll
    for (int i = 0; i < NC; ++i)
        x[i] = make(0, 0);
    __syncwarp(); /* tau and `over` of the last reflector are visible.       */
    reflect_all<NC>(x, of_B(q), over_F(q), n_of(q),
                    [=](int s) { return make(s == at, 0); });
    write_column<NC>(x, stage(q), q->lane);
    __syncwarp();
    store_rows<NC>(q, mat_of(q, &b->Q, b->n, b->q_cols), rank, 1);
}

/* -- a pair ------------------------------------------------------------------------- */

/* q->good := whether it is set in all lanes of the team */
template <int NC>
static __device__ __forceinline__ int team_is_good(columns<NC> *q)
{
    q->good = votes_of<NC>(!q->good, q->lane) == 0;
    return q->good;
}

/* 5: the problem_t of columns.cuh */
template <int NC>
static __device__ __forceinline__ problem_t problem_of(const columns<NC> *q)
{
    problem_t j;
    j.n = m_of(q);
    j.lane = q->lane;
    j.sweeps = q->c->max_sweeps;
    j.on = q->good;
    j.reversed = 0;
    j.plus = ALL_LANES;
    j.tol = q->c->tol_jacobi;
    j.told = &q->memory->told;
    j.terms = q->memory->of_terms;
    j.k = NULL;
    return j;
}

/* 5: makes the columns of G orthogonal, v := the lane's row of J; returns |G(:,lane)|^2. */
template <int NC>
static __device__ __forceinline__ real_t orthogonalize(columns<NC> *q,
                                                       scalar_t (&a)[NC],
                                                       scalar_t (&v)[NC])
{
    problem_t j = problem_of(q);
    set_row_of_identity(q->lane, v);
    if (q->lane == 0)
        q->memory->good[q->team] = q->good;
    __syncwarp(); /* All lanes have read the stage, whose memory told_t takes. */
    make_orthogonal<NC, 0>(a, v, &j, m_of(q));
    if (NC < LANES) {
        const int thread = thread_again();
        q->team = thread / NC;
        q->lane = thread % NC;
    }
    q->good = q->memory->good[q->team] && j.sweeps > 0;
    return j.norm;
}

/* 8 and 9, R and Q */
template <int NC>
static __device__ __forceinline__ void form_R(columns<NC> *q,
                                              const value_t *value, int rank)
{
    factor_H<NC>(q, value);
    if (team_is_good<NC>(q))
        store_R<NC>(q);
    if (q->c->b.q_cols > 0)
        form_q<NC>(q, rank);
}

/* Steps 6 to 9 */
template <int NC>
static __device__ __forceinline__ void
form_factors(columns<NC> *q, const value_t *value, scalar_t (&a)[NC],
             scalar_t (&v)[NC])
{
    form_v_of_F<NC>(q, v);
    form_u<NC>(q, a);
    form_v<NC>(q, v);
    const int rank = form_H_of_A<NC>(q, value, a);
    combine<NC, 1>(q, value->s, v);
    __syncwarp();
    form_R<NC>(q, value, rank);
}

/* 1 to 4: a := the lane's row of G.  Returns whether any pair of the warp goes on. */
template <int NC>
static __device__ __forceinline__ int find_G(columns<NC> *q, scalar_t (&a)[NC])
{
    load_sorted<NC>(q, stage(q), ROW_A);
    load_sorted<NC>(q, of_F(q), ROW_B);
    __syncwarp();
    read_column<NC>(of_F(q), q->lane, a);
    const real_t length = sqrt_r(square_of<NC, 0, NC>(a));
    const real_t tol = tolerance_of<NC>(q, a);
    const real_t d = scale_of_column<NC>(q, length);
    factor_B<NC>(q, length, d, tol);
    if (!__any_sync(ALL_LANES, team_is_good<NC>(q)))
        return 0;
    precondition<NC>(q, d, a);
    return __any_sync(ALL_LANES, team_is_good<NC>(q)) != 0;
}

static __device__ __forceinline__ int wants_factors(const gsvd_batch_t *b)
{
    return b->u_cols || b->v_cols || b->q_cols;
}

template <int NC>
static __device__ __forceinline__ void store_values(const columns<NC> *q,
                                                    const value_t *value)
{
    const int64_t i = q->memory->pair[q->team];
    if (!q->good || q->lane >= n_of(q))
        return;
    reals_of_batch(q->c->b.alpha, i)[value->place] = value->alpha;
    reals_of_batch(q->c->b.beta, i)[value->place] = value->beta;
}

/* Solves the team's pair.  On exit q->good, equal in all lanes of the team, says whether it is
 * solved. */
template <int NC>
static __device__ __forceinline__ void solve_pair(columns<NC> *q)
{
    scalar_t a[NC], v[NC];

    if (!find_G<NC>(q, a))
        return;
    const value_t value = value_of<NC>(q, orthogonalize<NC>(q, a, v));
    (void)team_is_good<NC>(q);
    if (wants_factors(&q->c->b))
        form_factors<NC>(q, &value, a, v);
    store_values<NC>(q, &value);
}

/* -- a pair by two warps -------------------------------------------------------------- */

/* One warp has G, then U; the other one has V.  Both pass the same __syncthreads. */

/* 5: orthogonalize by two warps, x: G or V */
template <int NC>
static __device__ __forceinline__ real_t orthogonalize_by_two(columns<NC> *q,
                                                              scalar_t (&x)[NC],
                                                              int has_G)
{
    problem_t j = problem_of(q);
    j.on = has_G && q->good;
    if (!has_G)
        set_row_of_identity(q->lane, x);
    make_orthogonal_by_two<NC, 0>(x, &j, m_of(q), has_G);
    q->good = q->good && j.sweeps > 0;
    return j.norm;
}

/* 6 to 9: form_factors by two warps, x: U or V */
template <int NC>
static __device__ __forceinline__ void
form_factors_by_two(columns<NC> *q, const value_t *value, scalar_t (&x)[NC],
                    int has_G)
{
    int rank = 0;
    if (!has_G)
        form_v_of_F<NC>(q, x);
    __syncthreads();
    if (has_G) {
        form_u<NC>(q, x);
        number(q)[q->lane] = value->s;
    }
    __syncthreads();
    if (!has_G)
        form_v<NC>(q, x);
    __syncthreads();
    if (has_G)
        rank = form_H_of_A<NC>(q, value, x);
    __syncthreads();
    if (!has_G)
        combine<NC, 1>(q, number(q)[q->lane], x);
    __syncthreads();
    if (has_G)
        form_R<NC>(q, value, rank);
}

/* Passes `go` from G's warp to V's. */
template <int NC>
static __device__ __forceinline__ int agree(columns<NC> *q, int go, int has_G)
{
    __syncthreads(); /* Both warps have read the former value.                */
    if (has_G && q->lane == 0)
        q->memory->good[0] = go;
    __syncthreads();
    return q->memory->good[0];
}

template <int NC>
static __device__ __forceinline__ void solve_by_two(columns<NC> *q, int has_G)
{
    scalar_t x[NC];
    value_t value;
    int go = 0;

    if (has_G)
        go = find_G<NC>(q, x);
    if (!agree<NC>(q, go, has_G))
        return;
    const real_t norm = orthogonalize_by_two<NC>(q, x, has_G);
    if (has_G) {
        value = value_of<NC>(q, norm);
        go = team_is_good<NC>(q) && wants_factors(&q->c->b);
    }
    if (agree<NC>(q, go, has_G))
        form_factors_by_two<NC>(q, &value, x, has_G);
    if (has_G)
        store_values<NC>(q, &value);
}

/* -- the kernels ---------------------------------------------------------------------- */

/* the lane's view of its team's pair; there: the pair exists */
template <int NC>
static __device__ __forceinline__ columns<NC>
columns_of(const pairs_t *c, warp_memory<NC> *memory, int team, int there)
{
    columns<NC> q;
    q.c = c;
    q.memory = memory;
    q.team = team;
    q.lane = threadIdx.x % NC;
    q.good = there;
    q.diagonal = 1;
    return q;
}

/* Stores info, k and l of the warp's pairs, and counts those that are solved and left. */
template <int NC>
static __device__ __forceinline__ void tell_pairs(const columns<NC> *q)
{
    const pairs_t *const c = q->c;
    const int64_t i = q->memory->pair[q->team];
    const int tells = i >= 0 && q->lane == 0;
    if (tells) {
        c->b.info[i] = q->good ? 0 : PAIR_LEFT;
        if (c->b.k)
            c->b.k[i] = 0;
        if (c->b.l)
            c->b.l[i] = q->good ? n_of(q) : 0;
    }
    const unsigned solved = __ballot_sync(ALL_LANES, tells && q->good);
    const unsigned left = __ballot_sync(ALL_LANES, tells && !q->good);
    if (!c->way || threadIdx.x % LANES != 0)
        return;
    if (solved)
        atomicAdd(c->way + WAY_PAIR_COLUMNS, (unsigned)__popc(solved));
    if (left)
        atomicAdd(c->way + WAY_PAIR_LEFT, (unsigned)__popc(left));
}

/* Solves the pairs of warp number `warp`. */
template <int NC>
static __device__ __forceinline__ void
solve_pairs(const pairs_t *c, int64_t warp, warp_memory<NC> *memory)
{
    const int team = NC == LANES ? 0 : threadIdx.x / NC;
    const int64_t own = warp * (LANES / NC) + team;
    columns<NC> q = columns_of<NC>(c, memory, team, own < c->count);

    if (q.lane == 0)
        memory->pair[team] = own < c->count ? c->first + own : -1;
    __syncwarp();
    solve_pair<NC>(&q);
    tell_pairs<NC>(&q);
}

/* Solves pair `own` by two warps.  G's warp has more work; its number alternates, so that each
 * quarter of the multiprocessor gets as many warps of G as of V. */
template <int NC>
static __device__ __forceinline__ void
solve_pair_by_two(const pairs_t *c, int64_t own, warp_memory<NC> *memory)
{
    columns<NC> q = columns_of<NC>(c, memory, 0, 1);

    if (threadIdx.x == 0) {
        memory->pair[0] = c->first + own;
        memory->of_G = warp_slot() / 4 % 2;
    }
    __syncthreads();
    const int has_G = threadIdx.x / LANES == (unsigned)memory->of_G;
    solve_by_two<NC>(&q, has_G);
    if (has_G)
        tell_pairs<NC>(&q);
}

#endif /* GSVD_BATCH_GSVD_COLUMNS_CUH */
