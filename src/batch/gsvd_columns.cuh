/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* gsvd_columns.cuh -- the GSVD of a small pair in registers: 1 <= m <= n <= p <= NC, and B of full
 * column rank, so that k = 0 and l = n.
 *
 * NC lanes are a team, which has one pair; a warp is 32 / NC teams.  The steps are gsvd.h's,
 * but for their order, with its numbers.  A lane has a row or a column in registers:
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
 * In a factorization the column of a step is told through shared memory, where it stays as
 * the reflector, and all lanes go up by a row: registers have constant indices in a loop, what is
 * done is shifted out, and zeros come in.  Lanes never exchange columns, a lane has the `place` of
 * its own.  Where reflectors are applied rows come in at the top, one a step.
 *
 * What this cannot do as well as a team is left to that (gsvd_device.h). */
#ifndef GSVD_BATCH_GSVD_COLUMNS_CUH
#define GSVD_BATCH_GSVD_COLUMNS_CUH

#include "batch/columns.cuh"
#include "batch/gsvd_device.h"
#include "batch/gsvd_numbers.h"
#include "batch/problem.h"
#include "core/range.h"
#include "core/value_pair.h"
#include "jacobi/jacobi.h"
#include "pivot/inverse_iteration.h"
#include "pivot/pivot.h"

enum { IN_REGISTERS = 512 /* bytes of G and V in a lane, at most             */ };

/* The square of a shorter length has lost digits. */
#define LENGTH_TINY (GSVD_SAFMIN / GSVD_ULP)

/* What the pairs of a launch have in common */
typedef struct pairs {
    gsvd_batch_t b;
    int64_t first, count;    /* the pairs of the launch                      */
    real_t tolb, tol_jacobi; /* the caller's; negative: the defaults         */
    int max_sweeps, reveal;
} pairs_t;

static inline pairs_t pairs_of(const gsvd_batch_t *b, const policy_t *policy)
{
    pairs_t c;
    c.b = *b;
    c.first = 0;
    c.count = b->count;
    c.tolb = (real_t)policy->tol_b;
    c.tol_jacobi = (real_t)policy->tol_jacobi;
    c.max_sweeps = policy->max_sweeps;
    c.reveal = policy->pivot != GSVD_PIVOT_NORM;
    return c;
}

/* NC for such pairs, at most `most`; 0: they are not for this road. */
static inline int team_of_pairs(const gsvd_batch_t *b, const policy_t *policy,
                                int most)
{
    const int nc = b->p <= 8 ? 8 : b->p <= 16 ? 16 : 32;
    const int fits = 2 * nc * (int)sizeof(scalar_t) <= IN_REGISTERS;
    return fits && b->p <= most && !b->each_m && 1 <= b->m && b->m <= b->n &&
                   b->n <= b->p && policy->solver != GSVD_SOLVER_CSD
               ? nc
               : 0;
}

/* H = I - tau v v^H, v = (1, over x), for the column x with its head */
typedef struct reflector {
    scalar_t tau, over;
} reflector_t;

/* Lists of a team */
enum {
    FROM,     /* row t of S F^H is row FROM[t] of F^H, ...                   */
    TO,       /* ... and row k of that is row TO[k] of S F^H.                */
    ORDER,    /* the columns of H, the longest first                         */
    POSITION, /* of columns of U and V: their values' place                  */
    LISTS
};

/* What the teams of a warp have in shared memory.  Neighbours in a row of a tile lie in
 * different banks, and so do the same entries of two teams' tiles. */
template <int NC> struct warp_memory {
    enum { TEAMS = LANES / NC, LD = NC + 1, TILE = NC * LD };
    told_t told;
    scalar_t of_B[TEAMS][TILE];  /* Q_B; Q"                                  */
    scalar_t of_F[TEAMS][TILE];  /* R; Q_F; V~; H; R"                        */
    scalar_t stage[TEAMS][TILE]; /* A; F; R'; J; U; V; A; B; Q               */
    reflector_t reflector_B[TEAMS][NC], reflector_F[TEAMS][NC];
    real_t number[TEAMS][NC];
    unsigned char list[LISTS][TEAMS][NC];
};

/* A pair, as its lanes know it */
template <int NC> struct columns {
    enum { LD = NC + 1 };
    int m, n, p, lane;
    int good; /* of the lane: nothing is against this road                   */
    int place; /* of the lane's column in the last factorization              */
    int row_A, row_B; /* where row `lane` of A and B goes                     */
    int ea, eb;
    scalar_t *of_B, *of_F, *stage;
    reflector_t *reflector_B, *reflector_F;
    real_t *number;
    unsigned char *list[LISTS];
    real_t square_A, square_B; /* of the lengths of columns `lane`           */
    real_t diagonal; /* of R: the lane's own column                          */
};

/* -- small words ---------------------------------------------------------------- */

/* Garbage in place of an index does no harm. */
template <int NC>
static __device__ __forceinline__ int entry_of_list(const unsigned char *list,
                                                    int i)
{
    return list[i] & (NC - 1);
}

static __device__ __forceinline__ real_t size_of(scalar_t a)
{
    scalar_t unused;
    return size_and_phase(a, &unused);
}

/* The most digits of a number that is not negative that an integer has, in their order */
static __device__ __forceinline__ int key_of(real_t x)
{
#if GSVD_SINGLE
    return __float_as_int(x);
#else
    return __double2hiint(x);
#endif
}

/* The first lane with the largest key */
template <int NC>
static __device__ __forceinline__ int lane_of_most(int key, int lane)
{
    int most = key;
#pragma unroll
    for (int step = NC / 2; step > 0; step /= 2)
        most = max(most, __shfl_xor_sync(ALL_LANES, most, step));
    return __ffs((int)votes_of<NC>(key == most, lane)) - 1;
}

template <int NC> static __device__ __forceinline__ real_t sum_of_team(real_t x)
{
#pragma unroll
    for (int step = NC / 2; step > 0; step /= 2)
        x += __shfl_xor_sync(ALL_LANES, x, step);
    return x;
}

/* The place of the lane by descending x, then by ascending y, then by number */
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

/* ... by descending classes of sizes, then by number; lanes that are not `there` are last. */
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

/* The sums over a[FROM], ..., a[TO - 1] in four parts, which do not wait for each other */

template <int NC, int FROM, int TO>
static __device__ __forceinline__ real_t square_of(const scalar_t (&a)[NC])
{
    real_t part[4] = {0, 0, 0, 0};
#pragma unroll
    for (int i = FROM; i < TO; ++i)
        part[i % 4] = re(dot_add(a[i], a[i], make(part[i % 4], 0)));
    return (part[0] + part[1]) + (part[2] + part[3]);
}

/* x^H a, of x(0) and a[SHIFT], ... */
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

/* The lane's row of M, which is finite where `finite`; x has no more than NC columns of it. */
template <int NC>
static __device__ __forceinline__ void read_row(mat_t M, int lane,
                                                scalar_t (&x)[NC])
{
#pragma unroll
    for (int j = 0; j < NC; ++j)
        x[j] = j < M.cols && lane < M.rows ? AT(M, lane, j) : make(0, 0);
}

/* tile(row,:) := 2^-e x */
template <int NC>
static __device__ __forceinline__ void write_row(const scalar_t (&x)[NC], int e,
                                                 scalar_t *tile, int row)
{
    const power_t power = power_of(-e);
#pragma unroll
    for (int j = 0; j < NC; ++j)
        tile[row + j * (NC + 1)] = times_power(power, x[j]);
}

template <int NC>
static __device__ __forceinline__ void
read_column(const scalar_t *tile, int lane, scalar_t (&a)[NC])
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

/* 1: M to the tile, scaled, with its rows sorted.  Lanes without a row write zeros behind
 * them. */
template <int NC>
static __device__ __forceinline__ void load_sorted(columns<NC> *q, mat_t M,
                                                   scalar_t *tile, int *row,
                                                   int *e)
{
    scalar_t x[NC];
    real_t size = 0;
    int finite = 1;

    read_row<NC>(M, q->lane, x);
#pragma unroll
    for (int j = 0; j < NC; ++j) {
        size = fmax_r(size, abs_max(x[j]));
        finite = finite && finite_entry(x[j]);
    }
    finite = votes_of<NC>(!finite, q->lane) == 0;
    q->good = q->good && finite;
    const real_t most = most_of<NC>(finite ? size : 0);
    *e = most > 0 ? exponent_r(most) + 1 : 0;
    *row = place_by_class<NC>(finite ? size : 0, q->lane < M.rows, q->lane);
#pragma unroll
    for (int j = 0; j < NC; ++j)
        x[j] = finite ? x[j] : make(0, 0);
    write_row<NC>(x, *e, tile, *row);
}

/* 2, 7: the same again */
template <int NC>
static __device__ __forceinline__ void
load_again(const columns<NC> *q, mat_t M, scalar_t *tile, int row, int e)
{
    scalar_t x[NC];
    read_row<NC>(M, q->lane, x);
#pragma unroll
    for (int j = 0; j < NC; ++j)
        x[j] = finite_entry(x[j]) ? x[j] : make(0, 0);
    write_row<NC>(x, e, tile, row);
}

/* M(i,place(j)) := tile(row,j), i the lane, for all columns of M; place == NULL: j */
template <int NC>
static __device__ __forceinline__ void store_rows(mat_t M, int lane,
                                                  const scalar_t *tile, int row,
                                                  const unsigned char *place)
{
    if (!M.data || lane >= M.rows)
        return;
#pragma unroll 4
    for (int j = 0; j < (int)M.cols; ++j)
        AT(M, lane, place ? entry_of_list<NC>(place, j) : j) =
            tile[row + j * (NC + 1)];
}

/* -- factorizations ---------------------------------------------------------------- */

/* The reflector of a column with this head and this square of the rest: H^H x = (beta; 0) */
static __device__ __forceinline__ reflector_t reflector_of_step(scalar_t alpha,
                                                                real_t rest,
                                                                real_t *beta)
{
    const real_t square = rest + abs2(alpha), r = rsqrt_near(square);
    const real_t over_beta = -copysign_r(r, re(alpha));
    const int plain = !(rest > 0) && im(alpha) == 0;
    const scalar_t d = make(re(alpha) + copysign_r(square * r, re(alpha)),
                            im(alpha));
    reflector_t h;

    *beta = plain ? re(alpha) : -copysign_r(square * r, re(alpha));
    h.tau = plain ? make(0, 0)
                  : make(1 - re(alpha) * over_beta, -im(alpha) * over_beta);
    h.over = REALS_PER_SCALAR == 2
                 ? scale(reciprocal(abs2(d)), conj_of(d))
                 : make(reciprocal(re(d)), 0);
    return h;
}

/* A step of a QR tells the lane's column, if it is its turn. */
template <int NC, int ROWS>
static __device__ __forceinline__ void tell_column(const scalar_t (&a)[NC],
                                                   real_t rest, scalar_t *x,
                                                   real_t *told)
{
#pragma unroll
    for (int i = 0; i < ROWS; ++i)
        x[i] = a[i];
    *told = rest;
}

/* What the factorizations have for their steps */
template <int NC> struct steps {
    scalar_t *x; /* the columns, as they were told, place by place           */
    scalar_t *R; /* column `lane`: that of R                                 */
    reflector_t *h;
    real_t tol; /* No column of a step is as short.                          */
    int open;   /* The lane's column has no place yet.                       */
};

/* Steps [from, to) of a QR of columns of ROWS rows at most.  PIVOTED: the longest column
 * is the next one, up to a part of 2^-20; else the one with the place n - 1 - step. */
template <int NC, int ROWS, int PIVOTED>
static __device__ __forceinline__ void
factor_steps(columns<NC> *q, steps<NC> *f, scalar_t (&a)[NC], int from, int to)
{
#pragma unroll 1
    for (int s = from; s < to; ++s) {
        const real_t rest = square_of<NC, 1, ROWS>(a);
        scalar_t *const x = f->x + s * (NC + 1);
        int mine = q->place == q->n - 1 - s;
        if (PIVOTED) {
            const int key = key_of(f->open ? rest + abs2(a[0]) : -1);
            mine = q->lane == lane_of_most<NC>(key, q->lane);
        }
        if (mine)
            tell_column<NC, ROWS>(a, rest, x, &q->number[s]);
        __syncwarp();
        real_t beta;
        const reflector_t h = reflector_of_step(x[0], q->number[s], &beta);
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
            f->h[s] = h;
            q->place = PIVOTED ? s : q->place;
            q->diagonal = beta;
            f->open = 0;
        }
    }
}

/* A QR of so many steps; half of the rows are gone after half of NC steps. */
template <int NC, int PIVOTED>
static __device__ __forceinline__ void factor(columns<NC> *q, steps<NC> *f,
                                              scalar_t (&a)[NC], int count)
{
    const int half = NC == LANES && count > NC / 2 ? NC / 2 : count;
    factor_steps<NC, NC, PIVOTED>(q, f, a, 0, half);
    if (NC == LANES)
        factor_steps<NC, NC / 2, PIVOTED>(q, f, a, half, count);
}

/* (head; c) := H (head; c), which goes down by a row */
template <int NC, int ROWS>
static __device__ __forceinline__ void reflect_down(scalar_t (&c)[NC],
                                                    scalar_t head,
                                                    const scalar_t *x,
                                                    reflector_t h)
{
    const scalar_t tail = dot_of<NC, 1, ROWS, 1>(x, c);
    const scalar_t w =
        mul(h.tau, mul_add(conj_of(h.over), tail, head));
    const scalar_t over_w = mul(h.over, w);
    const scalar_t minus = make(-re(over_w), -im(over_w));
#pragma unroll
    for (int i = ROWS - 1; i > 0; --i)
        c[i] = mul_add(minus, x[i], c[i - 1]);
    c[0] = sub(head, w);
}

/* c := H_0 ... H_(count-1) (rows; c), for the rows that in(s) says */
template <int NC, class In>
static __device__ __forceinline__ void
reflect_all(scalar_t (&c)[NC], const scalar_t *x, const reflector_t *h,
            int count, In in)
{
    int s = count - 1;
    if (NC == LANES)
#pragma unroll 1
        for (; s >= NC / 2; --s)
            reflect_down<NC, NC / 2>(c, in(s), x + s * (NC + 1), h[s]);
#pragma unroll 1
    for (; s >= 0; --s)
        reflect_down<NC, NC>(c, in(s), x + s * (NC + 1), h[s]);
}

/* -- 2: B ------------------------------------------------------------------------ */

/* The tolerance of B's rank, whose columns have these sums of sizes */
template <int NC>
static __device__ __forceinline__ real_t tolerance_of(const pairs_t *c,
                                                      const columns<NC> *q,
                                                      const scalar_t (&b)[NC])
{
    const int given = c->tolb >= 0;
    const real_t least = least_tolerance(q->p, q->n, given, q->eb);
    real_t sum = 0;
    if (given)
        return fmax_r(ldexp_r(c->tolb, -q->eb), least);
#pragma unroll
    for (int i = 0; i < NC; ++i)
        sum += REALS_PER_SCALAR == 2 ? sqrt_r(abs2(b[i])) : fabs_r(re(b[i]));
    return fmax_r(rank_tolerance(q->p, q->n, most_of<NC>(sum)), least);
}

/* x of the lane whose column has place i */
template <int NC>
static __device__ __forceinline__ scalar_t tell_entry(const columns<NC> *q,
                                                      scalar_t x, int i,
                                                      int *who)
{
    const int holds = q->lane < q->n && q->place == i;
    *who = (__ffs((int)votes_of<NC>(holds, q->lane)) - 1) & (NC - 1);
    const real_t y = REALS_PER_SCALAR == 2
                         ? __shfl_sync(ALL_LANES, im(x), *who, NC)
                         : 0;
    return make(__shfl_sync(ALL_LANES, re(x), *who, NC), y);
}

/* pivot/inverse_iteration.c on R, lane by lane: its smallest value is below the result, if that
 * is next to tol. */
template <int NC>
static __device__ __forceinline__ real_t inverse_iteration(const columns<NC> *q,
                                                           real_t tol)
{
    const int inside = q->lane < q->n;
    real_t one = 1;
    scalar_t x = make(0, 0), dot = make(0, 0);
    int who;

#pragma unroll 1
    for (int i = 0; i < q->n; ++i) { /* 1 */
        const scalar_t own =
            inverse_iteration_next(one, dot, make(q->diagonal, 0));
        const scalar_t y = tell_entry<NC>(q, own, i, &who);
        const real_t top = abs_of(y), down = top > LARGE_ENTRY ? 1 / top : 1;
        one *= down;
        x = scale(down, q->lane == who ? y : x);
        dot = scale(down, dot);
        if (inside && q->place > i)
            dot = dot_add(q->of_F[q->lane * (NC + 1) + i], scale(down, y), dot);
    }
    x = inside ? x : make(0, 0);
    const real_t length = sqrt_r(sum_of_team<NC>(abs2(x)));
    const real_t bound = one * sqrt_r((real_t)q->n) / length; /* 2 */
    x = scale(1 / length, x);
    one = 1;
#pragma unroll 1
    for (int j = q->n - 1; j >= 0; --j) { /* 3 */
        const scalar_t own = scale(1 / q->diagonal, x);
        const scalar_t y = tell_entry<NC>(q, own, j, &who);
        const real_t top = abs_of(y), down = top > LARGE_ENTRY ? 1 / top : 1;
        const scalar_t z = scale(-down, y);
        one *= down;
        x = scale(down, q->lane == who ? y : x);
        if (inside && q->place < j)
            x = mul_add(z, q->of_F[who * (NC + 1) + q->place], x);
    }
    const real_t most = most_of<NC>(inside ? abs_of(x) : 0); /* 4 */
    return bound > (real_t)q->n * tol ? bound : one / most;
}

/* Has R a value below tol that its diagonal hides?  Steps 8 and 9 of pivot/geqp.c. */
template <int NC>
static __device__ __forceinline__ int hides_rank(const columns<NC> *q,
                                                 real_t tol)
{
    const int inside = q->lane < q->n;
    const real_t least =
        -most_of<NC>(inside ? -fabs_r(q->diagonal) : -GSVD_REAL_MAX);
    const real_t bound = inverse_iteration<NC>(q, tol);
    return bound <= tol && HIDDEN_CLEARLY * bound <= least;
}

/* Is the rank of B full for certain?  The product of R D^-1's diagonal says so, where it is
 * above the tolerance, but for rounding (pivot/inverse_iteration.h). */
template <int NC>
static __device__ __forceinline__ int rank_is_full(const columns<NC> *q,
                                                   real_t d, real_t tol)
{
    const int inside = q->lane < q->n;
    const real_t top = most_of<NC>(inside ? sqrt_r(q->square_B) : 0);
    real_t below = inside ? fabs_r(q->diagonal) / (d * top) : 1;
#pragma unroll
    for (int step = NC / 2; step > 0; step /= 2)
        below *= __shfl_xor_sync(ALL_LANES, below, step);
    return below * top * (real_t)0.3 > tol;
}

/* Where the product of the diagonal of a random R is next to the tolerance */
static __device__ __forceinline__ int product_is_small(int n)
{
    return GSVD_SINGLE && n > 12;
}

/* B is in of_F, whose columns have the scales d; its reflectors in of_B, R D in of_F.  Pivots are
 * chosen among the columns of B D, so that F does not grow; where that leaves the rank open B
 * itself is factored, too, before:
 *
 *     pass 0  B D         1  B, and its rank         2  B D        0; or 0, 1, 2; or 1, 2 */
template <int NC>
static __device__ __forceinline__ void
factor_B(const pairs_t *c, columns<NC> *q, mat_t B, real_t d, real_t tol)
{
    int pass = product_is_small(q->n), last = pass ? 2 : 0, known = 0;
    scalar_t b[NC];
    steps<NC> f;

    f.x = q->of_B;
    f.R = q->of_F;
    f.h = q->reflector_B;
    for (int again = 0; pass <= last; ++pass, again = 1) {
        if (again) {
            __syncwarp();
            load_again<NC>(q, B, q->of_F, q->row_B, q->eb);
            __syncwarp();
        }
        read_column<NC>(q->of_F, q->lane, b);
#pragma unroll
        for (int i = 0; i < NC; ++i)
            b[i] = scale(pass == 1 ? 1 : d, b[i]);
        f.tol = pass == 1 && !known ? tol : 0;
        f.open = q->lane < q->n;
        q->place = q->lane;
        factor<NC, 1>(q, &f, b, q->n);
        if (pass == 0) {
            known = rank_is_full<NC>(q, d, tol);
            last = __any_sync(ALL_LANES, q->good && !known) ? 2 : 0;
        } else if (pass == 1 && c->reveal) {
            const int hidden = hides_rank<NC>(q, tol);
            q->good = q->good && (known || !(tol > 0) || !hidden);
        }
    }
}

/* -- 3, 4: F ----------------------------------------------------------------------- */

/* 3: Column `place` of F in a; all of it in the stage, one column a step */
template <int NC>
static __device__ __forceinline__ void divide_by_R(columns<NC> *q,
                                                   scalar_t (&a)[NC])
{
    const scalar_t *const R = q->of_F + q->lane * (NC + 1);
    const real_t over = 1 / q->diagonal;
    const int inside = q->lane < q->n;

#pragma unroll 1
    for (int k = 0; k < q->n; ++k) {
        scalar_t *const f = q->stage + k * (NC + 1);
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

/* Is the growth of F below its limit?  jacobi/tangent.c */
template <int NC>
static __device__ __forceinline__ int growth_fits(const columns<NC> *q,
                                                  const scalar_t (&a)[NC])
{
    const scalar_t *const R = q->of_F + q->lane * (NC + 1);
    real_t sum = 0;

    if (q->lane < q->n)
        q->number[q->place] = sqrt_r(square_of<NC, 0, NC>(a));
    __syncwarp();
#pragma unroll 4
    for (int k = 0; k < q->n; ++k)
        sum += k <= q->place ? q->number[k] * size_of(R[k]) : 0;
    return q->lane >= q->n || sum <= (real_t)(TANGENT_PIVOTED * q->n);
}

/* 4: T = 2^-*e S F^H, a column a lane */
template <int NC>
static __device__ __forceinline__ void transpose_F(columns<NC> *q,
                                                   scalar_t (&a)[NC], int *e)
{
    const int inside = q->lane < q->n;
    const int k = inside ? q->place : q->lane;
    real_t size = 0;

#pragma unroll
    for (int i = 0; i < NC; ++i)
        size = fmax_r(size, abs_max(a[i]));
    size = inside && size <= GSVD_REAL_MAX ? size : 0;
    const real_t most = most_of<NC>(size);
    *e = most > 0 ? exponent_r(most) + 1 : 0;
    const power_t down = power_of(-*e);
    /* Columns of one class come in the order of their places. */
    const int mine = inside ? row_class(size) : ROW_CLASSES;
    int to = 0;
#pragma unroll 4
    for (int j = 0; j < NC; ++j) {
        const int other = __shfl_sync(ALL_LANES, mine, j, NC);
        const int place = __shfl_sync(ALL_LANES, k, j, NC);
        to += other < mine || (other == mine && place < k);
    }
    q->list[FROM][to] = (unsigned char)k;
    q->list[TO][k] = (unsigned char)to;
    __syncwarp();
#pragma unroll
    for (int t = 0; t < NC; ++t) {
        const int from = entry_of_list<NC>(q->list[FROM], t);
        a[t] = t < q->n && q->lane < q->m
                   ? times_power(down, conj_of(q->stage[from * (NC + 1) +
                                                        q->lane]))
                   : make(0, 0);
    }
}

/* The column of A in the stage, and its scale d */
template <int NC>
static __device__ __forceinline__ real_t scale_of_column(columns<NC> *q)
{
    scalar_t a[NC];
    real_t size = 0;

    read_column<NC>(q->stage, q->lane, a);
#pragma unroll
    for (int i = 0; i < NC; ++i)
        size = fmax_r(size, abs_max(a[i]));
    q->square_A = square_of<NC, 0, NC>(a);
    q->good = q->good && (size == 0 || q->square_A > LENGTH_TINY);
    return column_scale(sqrt_r(q->square_A), sqrt_r(q->square_B));
}

/* 3, 4: A is in the stage; a := the lane's row of G, which is 2^-*e times its own. */
template <int NC>
static __device__ __forceinline__ void
precondition(columns<NC> *q, real_t d, scalar_t (&a)[NC], int *e)
{
    steps<NC> f;

    read_column<NC>(q->stage, q->lane, a);
#pragma unroll
    for (int i = 0; i < NC; ++i)
        a[i] = scale(d, a[i]);
    __syncwarp();
    divide_by_R<NC>(q, a);
    const int fits = growth_fits<NC>(q, a);
    q->good = q->good && fits;
    transpose_F<NC>(q, a, e);

    f.x = q->of_F;
    f.R = q->stage;
    f.h = q->reflector_F;
    f.tol = 0;
    f.open = q->lane < q->m;
    q->place = q->lane;
    __syncwarp();
    factor<NC, 1>(q, &f, a, q->m);
    *e -= TANGENT_TOP;
    const real_t up = ldexp_r(1, TANGENT_TOP);
#pragma unroll
    for (int j = 0; j < NC; ++j)
        a[j] = j <= q->place && q->lane < q->m
                   ? scale(up, conj_of(q->stage[q->lane * (NC + 1) + j]))
                   : make(0, 0);
}

/* -- 6: U, V ------------------------------------------------------------------------ */

/* What is known of the lane's value */
typedef struct value {
    real_t c, s, alpha, beta, g;
    int e, place;
} value_t;

template <int NC>
static __device__ __forceinline__ value_t value_of(columns<NC> *q,
                                                   real_t square, int e)
{
    const int inside = q->lane < q->n, of_A = q->lane < q->m;
    const int fits = square > COLUMN_TINY && square <= GSVD_REAL_MAX;
    const real_t length = sqrt_r(of_A && fits ? square : 1);
    value_t v;

    q->good = q->good && (fits || !of_A);
    v.c = 0;
    v.s = 1;
    if (of_A)
        value_pair_of_caller(e, 0, length, 1, &v.c, &v.s, &v.g, &v.e);
    value_pair_of_caller(q->ea, q->eb, v.c, v.s, &v.alpha, &v.beta, &v.g, &v.e);
    v.place = place_of_lane<NC>(inside ? v.alpha : -1, inside ? v.beta : 0,
                                q->lane);
    q->list[POSITION][q->lane] = (unsigned char)v.place;
    q->number[q->lane] = of_A ? 1 / length : 0;
    return v;
}

/* V := J to S^T Q_F diag(J, I), column by column: in of_F */
template <int NC>
static __device__ __forceinline__ void form_v_of_F(columns<NC> *q,
                                                   scalar_t (&v)[NC])
{
    const scalar_t *const own = q->stage + q->lane * (NC + 1);
#pragma unroll
    for (int j = 0; j < NC; ++j)
        q->stage[q->lane + j * (NC + 1)] = v[j];
    __syncwarp();
#pragma unroll
    for (int i = 0; i < NC; ++i)
        v[i] = make(i + q->m == q->lane && q->lane < q->n, 0);
    reflect_all<NC>(v, q->of_F, q->reflector_F, q->m,
                    [=](int s) { return own[s]; });
    __syncwarp();
    write_column<NC>(v, q->of_F, q->lane);
}

/* U in its place, and u := the lane's column of it; a: the lane's row of G */
template <int NC>
static __device__ __forceinline__ void form_u(columns<NC> *q, mat_t U, int on,
                                              scalar_t (&a)[NC])
{
#pragma unroll
    for (int j = 0; j < NC; ++j)
        q->stage[q->lane + j * (NC + 1)] = scale(q->number[j], a[j]);
    __syncwarp();
    if (on)
        store_rows<NC>(U, q->lane, q->stage, q->row_A, q->list[POSITION]);
    read_column<NC>(q->stage, q->lane, a);
    __syncwarp();
}

/* V in its place, and v := the lane's column of it, from of_F */
template <int NC>
static __device__ __forceinline__ void form_v(columns<NC> *q, mat_t V, int on,
                                              scalar_t (&v)[NC])
{
    const scalar_t *const own = q->of_F + q->lane * (NC + 1);
    const unsigned char *const to = q->list[TO];
    const int inside = q->lane < q->n;
#pragma unroll
    for (int i = 0; i < NC; ++i)
        v[i] = make(i + q->n == q->lane, 0);
    reflect_all<NC>(v, q->of_B, q->reflector_B, q->n, [=](int s) {
        return inside ? own[entry_of_list<NC>(to, s)] : make(0, 0);
    });
    write_column<NC>(v, q->stage, q->lane);
    __syncwarp();
    if (on)
        store_rows<NC>(V, q->lane, q->stage, q->row_B, q->list[POSITION]);
    __syncwarp();
}

/* -- 7, 8, 9: R, Q -------------------------------------------------------------------- */

/* 7: The lane's row of H, in of_F := f w^H M, M in the stage, or, SUM, + that */
template <int NC, int SUM>
static __device__ __forceinline__ void combine(columns<NC> *q, real_t f,
                                               const scalar_t (&w)[NC])
{
    scalar_t *const h = q->of_F + q->lane * (NC + 1);
#pragma unroll 1
    for (int j = 0; j < q->n; ++j) {
        const int column = entry_of_list<NC>(q->list[ORDER], j);
        /* M(:,column)^H w */
        const scalar_t sum = conj_of(
            dot_of<NC, 0, NC, 0>(q->stage + column * (NC + 1), w));
        h[j] = SUM ? add(h[j], scale(f, sum)) : scale(f, sum);
    }
}

/* 7: of_F := H, its columns by length, the longest first */
template <int NC>
static __device__ __forceinline__ int
form_H(columns<NC> *q, mat_t A, mat_t B, const value_t *value,
       const scalar_t (&u)[NC], const scalar_t (&v)[NC])
{
    const int rank = place_of_lane<NC>(q->lane < q->n ? q->square_A + q->square_B : -1, 0, q->lane);
    q->list[ORDER][rank] = (unsigned char)q->lane;
    load_again<NC>(q, A, q->stage, q->row_A, q->ea);
    __syncwarp();
    combine<NC, 0>(q, value->c, u);
    __syncwarp();
    load_again<NC>(q, B, q->stage, q->row_B, q->eb);
    __syncwarp();
    combine<NC, 1>(q, value->s, v);
    __syncwarp();
    return rank;
}

/* 8: of_B := Q", of_F := R, in the units of the caller; the lane's column is its row, the
 * last entry first */
template <int NC>
static __device__ __forceinline__ void factor_H(columns<NC> *q,
                                                const value_t *value)
{
    scalar_t w[NC], *const R = q->of_F + q->lane * (NC + 1);
    const int rows = (int)max_i(q->m, q->p);
    real_t zero = 0;
    steps<NC> f;

#pragma unroll
    for (int i = 0; i < NC; ++i)
        w[i] = i < q->n && q->lane < q->n ? conj_of(R[i]) : make(0, 0);
    f.x = q->of_B;
    f.R = q->of_F;
    f.h = q->reflector_F;
    f.tol = 0;
    f.open = q->lane < q->n;
    q->place = value->place;
    factor<NC, 0>(q, &f, w, q->n);
    const int entries = q->n - q->place;
#pragma unroll 1
    for (int i = 0; i < entries; ++i) {
        R[i] = entry_of_caller(conj_of(R[i]), value->g, value->e, rows, q->n,
                               i == q->n - 1 - q->place);
        zero += 0 * re(R[i]) + 0 * im(R[i]);
    }
    q->good = q->good && zero == 0;
}

/* 9: R to A and B, zeros elsewhere in them */
template <int NC>
static __device__ __forceinline__ void store_R(const columns<NC> *q, mat_t A,
                                               mat_t B)
{
    const scalar_t *const R = q->of_F + q->lane * (NC + 1);
    const int row = q->place;
#pragma unroll 4
    for (int j = 0; j < q->n; ++j) {
        const scalar_t x = j >= row ? R[q->n - 1 - j] : make(0, 0);
        if (row < q->m)
            AT(A, row, j) = x;
        if (row < q->p)
            AT(B, row, j) = row >= q->m ? x : make(0, 0);
    }
}

/* 9: Q = P" Q"; rank: the lane's row of it in the order of lengths */
template <int NC>
static __device__ __forceinline__ void form_q(columns<NC> *q, mat_t Q, int rank,
                                              int on)
{
    const int at = q->n - 1 - q->lane;
    scalar_t x[NC];
#pragma unroll
    for (int i = 0; i < NC; ++i)
        x[i] = make(0, 0);
    reflect_all<NC>(x, q->of_B, q->reflector_F, q->n,
                    [=](int s) { return make(s == at, 0); });
    write_column<NC>(x, q->stage, q->lane);
    __syncwarp();
    if (on)
        store_rows<NC>(Q, q->lane, q->stage, rank, NULL);
}

/* -- a pair ------------------------------------------------------------------------- */

/* The caller's arrays */
typedef struct arrays {
    mat_t A, B, U, V, Q;
    real_t *alpha, *beta;
} arrays_t;

static __device__ __forceinline__ arrays_t arrays_of(const gsvd_batch_t *b,
                                                     int64_t i, int there)
{
    arrays_t x;
    x.A = matrix_of(&b->A, i, there ? b->m : 0, b->n);
    x.B = matrix_of(&b->B, i, there ? b->p : 0, b->n);
    x.U = matrix_of(&b->U, i, b->m, b->u_cols);
    x.V = matrix_of(&b->V, i, b->p, b->v_cols);
    x.Q = matrix_of(&b->Q, i, b->n, b->q_cols);
    x.alpha = reals_of_batch(b->alpha, i);
    x.beta = reals_of_batch(b->beta, i);
    return x;
}

/* May all lanes of the team go on? */
template <int NC>
static __device__ __forceinline__ int team_is_good(columns<NC> *q)
{
    q->good = votes_of<NC>(!q->good, q->lane) == 0;
    return q->good;
}

/* 5: G's columns orthogonal, V := J; returns the square of the length of G's column `lane`. */
template <int NC>
static __device__ __forceinline__ real_t
orthogonalize(const pairs_t *c, columns<NC> *q, told_t *told,
              scalar_t (&a)[NC], scalar_t (&v)[NC])
{
    problem_t j;
    j.n = q->m;
    j.lane = q->lane;
    j.sweeps = c->max_sweeps;
    j.on = q->good;
    j.reversed = 0;
    j.plus = ALL_LANES;
    j.tol = jacobi_tolerance(c->tol_jacobi, q->m);
    j.told = told;
    j.k = NULL;
#pragma unroll
    for (int i = 0; i < NC; ++i)
        v[i] = make(i == q->lane, 0);
    make_orthogonal<NC, NC, 0>(a, v, &j, q->m);
    q->good = q->good && j.sweeps > 0;
    return j.norm;
}

/* Steps 6 to 9; values alone: none of them */
template <int NC>
static __device__ __forceinline__ void
form_factors(const pairs_t *c, columns<NC> *q, const arrays_t *x,
             const value_t *value, scalar_t (&a)[NC], scalar_t (&v)[NC])
{
    form_v_of_F<NC>(q, v);
    form_u<NC>(q, x->U, q->good, a);
    form_v<NC>(q, x->V, q->good, v);
    const int rank = form_H<NC>(q, x->A, x->B, value, a, v);
    factor_H<NC>(q, value);
    if (team_is_good<NC>(q))
        store_R<NC>(q, x->A, x->B);
    if (c->b.q_cols > 0)
        form_q<NC>(q, x->Q, rank, q->good);
}

/* Steps 2 to 9 of a pair that is loaded; 1: it is solved. */
template <int NC>
static __device__ __forceinline__ int solve_loaded(const pairs_t *c,
                                                   columns<NC> *q,
                                                   const arrays_t *x,
                                                   told_t *told)
{
    scalar_t a[NC], v[NC];
    int e;

    __syncwarp();
    read_column<NC>(q->of_F, q->lane, a);
    q->square_B = square_of<NC, 0, NC>(a);
    const real_t tol = tolerance_of<NC>(c, q, a), d = scale_of_column<NC>(q);
    factor_B<NC>(c, q, x->B, d, tol);
    if (!__any_sync(ALL_LANES, team_is_good<NC>(q)))
        return 0;
    precondition<NC>(q, d, a, &e);
    if (!__any_sync(ALL_LANES, team_is_good<NC>(q)))
        return 0;
    const real_t square = orthogonalize<NC>(c, q, told, a, v);
    const value_t value = value_of<NC>(q, square, e);
    (void)team_is_good<NC>(q);
    if (c->b.u_cols || c->b.v_cols || c->b.q_cols)
        form_factors<NC>(c, q, x, &value, a, v);
    if (q->good && q->lane < q->n) {
        x->alpha[value.place] = value.alpha;
        x->beta[value.place] = value.beta;
    }
    return q->good;
}

/* The pairs of a warp, of which this is number `warp` */
template <int NC>
static __device__ __forceinline__ void
solve_pairs(const pairs_t *c, int64_t warp, warp_memory<NC> *memory)
{
    const int team = threadIdx.x % LANES / NC;
    const int64_t own = warp * (LANES / NC) + team;
    const int there = own < c->count;
    const int64_t i = c->first + (there ? own : 0);
    const arrays_t x = arrays_of(&c->b, i, there);
    columns<NC> q;

    q.m = (int)c->b.m;
    q.n = (int)c->b.n;
    q.p = (int)c->b.p;
    q.lane = threadIdx.x % NC;
    q.good = there;
    q.diagonal = 1;
    q.of_B = memory->of_B[team];
    q.of_F = memory->of_F[team];
    q.stage = memory->stage[team];
    q.reflector_B = memory->reflector_B[team];
    q.reflector_F = memory->reflector_F[team];
    q.number = memory->number[team];
#pragma unroll
    for (int l = 0; l < LISTS; ++l)
        q.list[l] = memory->list[l][team];
    load_sorted<NC>(&q, x.A, q.stage, &q.row_A, &q.ea);
    load_sorted<NC>(&q, x.B, q.of_F, &q.row_B, &q.eb);
    const int solved = solve_loaded<NC>(c, &q, &x, &memory->told);
    if (there && q.lane == 0) {
        c->b.info[i] = solved ? 0 : PAIR_LEFT;
        c->b.k[i] = 0;
        c->b.l[i] = solved ? q.n : 0;
    }
}

#endif /* GSVD_BATCH_GSVD_COLUMNS_CUH */
