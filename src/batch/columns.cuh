/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* columns.cuh -- one-sided Jacobi in registers, with the odd-even ordering of pairs.
 *
 *     team    NC lanes with one problem; a warp is 32 / NC teams
 *     lane    one row of A and one of V, of up to NC columns, in registers; the squared length of
 *             column `lane`; lanes 2i and 2i + 1 find the rotation of pair i of a round
 *     shared  told_t, the rotations; terms, the terms of dot products
 *
 * Even rounds turn columns (0,1) (2,3) ..., odd rounds (1,2) (3,4) ..., all pairs at once, and the
 * two columns of a pair change places.  After n rounds each pair of columns has met once, and their
 * order is reversed.  Registers therefore have constant indices, and the code is two rounds long.
 *
 *     (x, y) := (conj(s) x + c y, s y - c x)
 *
 * Here s is s w of rotate.h.  In terms of rotate.h the second column has lost the phase of w, the
 * first one has changed its sign, and they have changed places.  If the longer column would come to
 * the wrong place, the pair returns to its places: this exchanges the columns.  Columns of unequal
 * sign turn by (conj(s) x + c y, s y + c x), and those of V with -s.
 *
 * A round has three phases:
 *
 *     1  sum_of_pair      each lane multiplies the neighbours in its row; lanes 2i and 2i + 1 add
 *                         half of the terms of pair i each, through shared memory and a barrier
 *                         of the warp (teams of 8: by shuffles that halve the number of terms)
 *     2  tell_turn        lanes 2i and 2i + 1 find the rotation and write it, for A and for V
 *        barrier          of the warp, or of both warps where A and V have one each
 *     3  turn             each lane turns its row
 *
 * Even and odd rounds write rotations to different memory, so that this barrier also separates
 * phase 3 from the rotations and the terms of later rounds. */
#ifndef GSVD_BATCH_COLUMNS_CUH
#define GSVD_BATCH_COLUMNS_CUH

#include <limits.h>

#include "batch/scale.h"
#include "core/lane.cuh"
#include "core/rotate.h"

enum {
    LANES = 32, /* of a warp                                                 */
    EXCHANGES = 64, /* Later sweeps count also if they only exchange.        */
    TURN = 2 * REALS_PER_SCALAR /* numbers of a rotation in told_t           */
};

#define ALL_LANES 0xffffffffu

/* Twice the least coth 2phi of columns of unequal sign, in the first sweep and then */
#define FIRST_COTH (2 * ROTATE_COTH)
#define LATER_COTH (2 * ROTATE_COTH_LEAST)

/* A smaller sine would lose digits.  It is stored times FAR_UP, and the long column is divided by
 * FAR_UP while it turns. */
#define TURN_TINY (GSVD_SAFMIN / GSVD_EPS)
#if GSVD_SINGLE
#define FAR_UP 0x1p64f
#define FAR_DOWN 0x1p-64f
#else
#define FAR_UP 0x1p512
#define FAR_DOWN 0x1p-512
#endif

/* -- scalars ------------------------------------------------------------------ */

static __device__ __forceinline__ scalar_t shuffle_xor(scalar_t a, int step)
{
    const real_t x = __shfl_xor_sync(ALL_LANES, re(a), step);
    return make(
        x, REALS_PER_SCALAR == 2 ? __shfl_xor_sync(ALL_LANES, im(a), step) : 0);
}

/* acc + conj(a) b */
static __device__ __forceinline__ scalar_t dot_add(scalar_t a, scalar_t b,
                                                   scalar_t acc)
{
    return mul_add(conj_of(a), b, acc);
}

/* 2^-e for x = 2^e y, 1 <= y < 2, where x > 0 is below a quarter of the largest number; for x = 0 a
 * large number */
static __device__ __forceinline__ real_t over_power(real_t x)
{
#if GSVD_SINGLE
    return __int_as_float(0x7f000000 - (__float_as_int(x) & 0x7f800000));
#else
    return __hiloint2double(0x7fe00000 - (__double2hiint(x) & 0x7ff00000), 0);
#endif
}

/* -x if flip, else x */
static __device__ __forceinline__ real_t negate_if(int flip, real_t x)
{
#if GSVD_SINGLE
    return __int_as_float(__float_as_int(x) ^ (flip ? INT_MIN : 0));
#else
    return __hiloint2double(__double2hiint(x) ^ (flip ? INT_MIN : 0),
                            __double2loint(x));
#endif
}

/* The bit of the sign, of 0 and of a NaN, too */
static __device__ __forceinline__ int sign_bit(real_t x)
{
#if GSVD_SINGLE
    return __float_as_int(x) < 0;
#else
    return __double2hiint(x) < 0;
#endif
}

/* |x| without arithmetic: a double's by fabs is a sum. */
static __device__ __forceinline__ real_t magnitude(real_t x)
{
#if GSVD_SINGLE
    return fabs_r(x);
#else
    return __hiloint2double(__double2hiint(x) & INT_MAX, __double2loint(x));
#endif
}

/* a, or about 0 where it is negative by rounding, with the sign of x */
static __device__ __forceinline__ real_t with_sign_of(real_t a, real_t x)
{
#if GSVD_SINGLE
    return __int_as_float(max(__float_as_int(a), 0) |
                          (__float_as_int(x) & INT_MIN));
#else
    return __hiloint2double(max(__double2hiint(a), 0) |
                                (__double2hiint(x) & INT_MIN),
                            __double2loint(a));
#endif
}

/* 1 / sqrt(x) to about one ulp, for an x next to 1 */
static __device__ __forceinline__ real_t rsqrt_near(real_t x)
{
    const real_t y = rsqrt_rough(x), e = fma_r(-x * y, y, 1);
#if GSVD_SINGLE
    return fma_r(y * (real_t)0.5, e, y);
#else
    return fma_r(y * e, fma_r((real_t)0.375, e, (real_t)0.5), y);
#endif
}

#if GSVD_SINGLE
typedef float2 two_t;
#else
typedef double2 two_t;
#endif

/* The number of scalars that a lane reads from shared memory at once */
enum { AT_ONCE_READ = 16 / (int)sizeof(scalar_t) };
typedef struct __align__(16) words { scalar_t x[AT_ONCE_READ]; }
words_t;

/* -- a rotation --------------------------------------------------------------- */

typedef struct turn {
    real_t c;
    scalar_t s;
    real_t app, aqq; /* the squared lengths after the rotation               */
    int turned;      /* bits: 1: they had a large cosine; 2: are exchanged   */
    int stay;        /* They keep their places.                              */
    int far; /* not 0: s is stored times FAR_UP, and the long column is the
                first one (-1) or the second one (1)                         */
} turn_t;

/* |a|, and *w := conj(a) / |a|; a complex a = 0 has *w = 0. */
static __device__ __forceinline__ real_t size_and_phase(scalar_t a, scalar_t *w)
{
    if (REALS_PER_SCALAR == 1) {
        *w = make(copysign_r(1, re(a)), 0);
        return fabs_r(re(a));
    }
    const real_t most = abs_max(a), k = over_power(fmax_r(most, GSVD_SAFMIN));
    const int some = most > 0;
    const scalar_t b = scale(k, a);
    const real_t square = some ? abs2(b) : 1, r = rsqrt_near(square);
    *w = scale(some ? r : 0, conj_of(b));
    return some ? square * r * over_power(k) : 0;
}

/* The rotation of two columns with squared lengths app and aqq and inner product apq.  unlike: they
 * are of unequal sign; least_coth then is FIRST_COTH or LATER_COTH.  Where (app + aqq) / |apq| is
 * below it, such a pair waits in the first sweep; in later ones its rotation is that of least_coth.
 * The first column is to become the longer one; if reversed, the second.
 *
 * The rotation of least_coth leaves columns not orthogonal, and r.app and r.aqq are not their squared
 * lengths but no less.  With |apq| = 1, app = 1 + e, aqq = 1 - e + d and tau = 1 - tanh phi it is
 * taken for d < tau^2, to first order.  The first column then has tau / 2 + e + d / (2 tau), and
 * r.app = tau + e.  Lengths that are too long make later rotations of the sweep too small, which
 * another sweep mends; those that are too short would make them too large. */
static __device__ __forceinline__ turn_t find_turn(real_t app, real_t aqq,
                                                   scalar_t apq, real_t tol,
                                                   int unlike,
                                                   real_t least_coth,
                                                   int reversed)
{
    turn_t r;
    scalar_t w;
    const real_t h = size_and_phase(apq, &w);
    const real_t limit =
        tol * (app * rsqrt_rough(app)) * (aqq * rsqrt_rough(aqq));
    const real_t d = aqq - app, sum = app + aqq;
    const real_t least = unlike ? sum : fabs_r(d);
    const real_t bound = (unlike ? least_coth : 2) * h;
    const int is_below = least < bound;
    const real_t most = is_below ? bound : least;
    const int is_open = app > COLUMN_TINY && aqq > COLUMN_TINY && h > limit;
    const real_t k = over_power(most), u = (unlike ? most : least) * k;
    const real_t g = 2 * h * k;

    const int waits = unlike && is_below && least_coth == FIRST_COTH;
    r.turned = is_open && !waits;
    r.far = r.turned && g <= TURN_TINY ? d < 0 ? -1 : 1 : 0;
    /* u^2 + g^2, or (u - g) (u + g), without a branch                       */
    const real_t square =
        fma_r(unlike ? u - g : u, unlike ? u + g : u, unlike ? 0 : g * g);
    const real_t over = rsqrt_near(r.turned ? square : 1);
    const real_t c2 = fma_r((real_t)0.5 * u, over, (real_t)0.5);
    const real_t over_c = rsqrt_near(r.turned ? c2 : 1);
    const real_t sine2 = (r.far ? 2 * h * FAR_UP * k : g) * over;
    real_t s = (real_t)0.5 * sine2 * over_c;
    s = copysign_r(s, unlike ? -1 : d);
    const real_t t = r.turned && !r.far ? s * over_c : 0;
    real_t c = c2 * over_c;
    /* One Newton step makes c^2 + t s^2 = 1 to rounding: errors of one sign would add up over the
     * rotations. */
    const real_t half =
        (real_t)0.5 * fma_r(-negate_if(unlike, s), s, fma_r(-c, c, 1));
    c = fma_r(c, half, c);
    s = fma_r(s, half, s);
    r.c = r.turned ? c : 1;
    r.s = r.turned ? scale(s, w) : make(0, 0);
    r.app = fma_r(-negate_if(unlike, t), h, app);
    r.aqq = fma_r(t, h, aqq);
    const real_t longer =
        reversed ? r.app : r.aqq; /* the longer one if out of order */
    r.stay = !unlike && longer > COLUMN_TINY &&
             (reversed ? r.aqq : r.app) < ROTATE_SHORTER * longer;
    r.turned = (is_open && (waits || h > LARGE_COSINE * limit)) + 2 * r.stay;
    return r;
}

/* -- a team ------------------------------------------------------------------- */

/* The rotations of an even and an odd round of a warp's teams, in shared memory */
typedef struct told {
    __align__(16) real_t turn[2][LANES / 2][2][TURN]; /* of A, of V          */
    unsigned stay[2]; /* bit l: the pair of lane l keeps its places          */
} told_t;

/* The terms of a round's dot products in shared memory, in words_t.  Row i has the terms of pair i.
 * A row is divided into PARTs, one for half of the lanes of a team.  Eight lanes, which have four
 * pairs, read at once, and each reads other banks. */
template <int NC> struct terms {
    enum {
        WANTED = NC >= 16, /* else shuffles                                  */
        HALF = NC / 2 / AT_ONCE_READ,
        PART = (HALF + 3) / 8 * 8 + 4,                   /* 4 modulo 8       */
        ROW = (2 * (LANES / NC) * PART + 6) / 8 * 8 + 1, /* 1 modulo 8       */
        WORDS = WANTED ? NC / 2 * ROW : 1
    };
};

/* A lane's view of its team's problem.  lane, norm and first are its own; the team has the rest in
 * common. */
typedef struct problem {
    int n, lane;
    int sweeps;   /* that are left; 0 in the end: it has not converged      */
    int on;       /* It goes on.                                            */
    int reversed; /* The columns are in reversed order.                     */
    real_t
        least_coth; /* see find_turn                                        */
    unsigned
        plus; /* bit j: column j has sign 1, before sweeps and after them */
    real_t tol;
    real_t norm;  /* the squared length of column `lane`; in a sweep of a
                     hyperbolic SVD with the sign of J                       */
    real_t first; /* its length before all rotations                         */
    told_t *told; /* the warp's                                              */
    words_t *terms;            /* the warp's                                 */
    real_t (*k)[LANES / 2][2]; /* the warp's; of real columns with signs     */
} problem_t;

/* Row `lane` of the identity */
template <int NC>
static __device__ __forceinline__ void set_row_of_identity(int lane,
                                                           scalar_t (&v)[NC])
{
#pragma unroll
    for (int j = 0; j < NC; ++j)
        v[j] = make(j == lane, 0);
}

/* A reduction with N results, one in each of N lanes.  Let j be the number that the log2(N) bits
 * STEP, STEP / 2, ... of the lane's index form.  p[0] := the join of the numbers p[j] of all lanes
 * that differ from this lane only in these bits.  Each step halves the numbers: the lane keeps one
 * half and gives the other one away, join(kept, given, step), where join fetches the other lane's
 * number. */
template <int N, int STEP, typename NUMBER, typename JOIN>
static __device__ __forceinline__ void fold_by(NUMBER *p, int lane, JOIN join)
{
    const int upper = lane & STEP;
#pragma unroll
    for (int i = 0; i < N / 2; ++i) {
        const NUMBER give = upper ? p[i] : p[i + N / 2];
        const NUMBER keep = upper ? p[i + N / 2] : p[i];
        p[i] = join(keep, give, STEP);
    }
    if constexpr (N > 2)
        fold_by<N / 2, STEP / 2>(p, lane, join);
}

template <int N, int STEP>
static __device__ __forceinline__ void fold(scalar_t *p, int lane)
{
    fold_by<N, STEP>(p, lane, [](scalar_t own, scalar_t other, int step) {
        return add(own, shuffle_xor(other, step));
    });
}

template <int N, int STEP>
static __device__ __forceinline__ void fold_real(real_t *p, int lane)
{
    fold_by<N, STEP>(p, lane, [](real_t own, real_t other, int step) {
        return own + __shfl_xor_sync(ALL_LANES, other, step);
    });
}

/* Maxima */
template <int N, int STEP>
static __device__ __forceinline__ void fold_most(real_t *p, int lane)
{
    fold_by<N, STEP>(p, lane, [](real_t own, real_t other, int step) {
        return fmax_r(own, __shfl_xor_sync(ALL_LANES, other, step));
    });
}

/* The mask of the team's lanes in the warp */
template <int NC> static __device__ __forceinline__ unsigned mask_of(int lane)
{
    const unsigned all = NC == LANES ? ALL_LANES : (1u << NC % LANES) - 1;
    return all << (threadIdx.x % LANES - (unsigned)lane);
}

/* Bit i: lane i of the team has `yes`. */
template <int NC>
static __device__ __forceinline__ unsigned votes_of(int yes, int lane)
{
    return (__ballot_sync(ALL_LANES, yes) & mask_of<NC>(lane)) >>
           (threadIdx.x % LANES - (unsigned)lane);
}

/* The maximum over the team, and over the warp */

template <int NC> static __device__ __forceinline__ real_t most_of(real_t x)
{
#pragma unroll
    for (int step = NC / 2; step > 0; step /= 2)
        x = fmax_r(x, __shfl_xor_sync(ALL_LANES, x, step));
    return x;
}

static __device__ __forceinline__ int most_of_warp(int x)
{
#pragma unroll
    for (int step = LANES / 2; step > 0; step /= 2)
        x = max(x, __shfl_xor_sync(ALL_LANES, x, step));
    return x;
}

/* The sum of half of the terms of the lane's pair, those of half of the team's lanes, through
 * shared memory */
template <int NC, typename TERM>
static __device__ __forceinline__ scalar_t add_terms(const problem_t *q,
                                                     TERM term)
{
    typedef terms<NC> of;
    const int lane = threadIdx.x % LANES, first = lane - q->lane;
    scalar_t *const mine =
        q->terms[lane / (NC / 2) * of::PART].x + lane % (NC / 2);
#pragma unroll
    for (int i = 0; i < NC / 2; ++i)
        mine[i * of::ROW * AT_ONCE_READ] = term(i);
    __syncwarp();
    const words_t *const half = q->terms + q->lane / 2 * of::ROW +
                                (first / (NC / 2) + (q->lane & 1)) * of::PART;
    words_t sum[2] = {half[0], half[1]};
#pragma unroll
    for (int k = 2; k < of::HALF; ++k) {
        const words_t next = half[k];
#pragma unroll
        for (int i = 0; i < AT_ONCE_READ; ++i)
            sum[k % 2].x[i] = add(sum[k % 2].x[i], next.x[i]);
    }
    scalar_t all = add(sum[0].x[0], sum[1].x[0]);
#pragma unroll
    for (int i = 1; i < AT_ONCE_READ; ++i)
        all = add(all, add(sum[0].x[i], sum[1].x[i]));
    return all;
}

/* The same by shuffles: the terms of the lanes whose lowest bit is this lane's */
template <int NC, typename TERM>
static __device__ __forceinline__ scalar_t fold_terms(const problem_t *q,
                                                      TERM term)
{
    scalar_t p[NC / 2];
#pragma unroll
    for (int i = 0; i < NC / 2; ++i)
        p[i] = term(i);
    fold<NC / 2, NC / 2>(p, q->lane);
    return p[0];
}

/* Lanes 2i and 2i + 1 get the sum of term(i) over the lanes of the team, i < NC / 2.  The caller
 * has a barrier of the warp before the next sum. */
template <int NC, typename TERM>
static __device__ __forceinline__ scalar_t sum_of_pair(const problem_t *q,
                                                       TERM term)
{
    scalar_t half;
    if constexpr (terms<NC>::WANTED)
        half = add_terms<NC>(q, term);
    else
        half = fold_terms<NC>(q, term);
    return add(half, shuffle_xor(half, 1));
}

/* Of the number that lanes 2i and 2i + 1 have: that of i = lane modulo NC / 2 */
template <int NC>
static __device__ __forceinline__ scalar_t from_pair(const problem_t *q,
                                                     scalar_t a)
{
    const int from = 2 * (q->lane % (NC / 2));
    const real_t x = __shfl_sync(ALL_LANES, re(a), from, NC);
    return make(
        x, REALS_PER_SCALAR == 2 ? __shfl_sync(ALL_LANES, im(a), from, NC) : 0);
}

/* Lane j of the team gets the sum over its lanes of term(j), j < NC.  It uses the memory of terms.
 * It ends with a barrier of the warp; before it starts, the caller has one. */
template <int NC, typename TERM>
static __device__ __forceinline__ scalar_t sum_of_mine(const problem_t *q,
                                                       TERM term)
{
    if constexpr (terms<NC>::WANTED) {
        scalar_t half[2];
#pragma unroll
        for (int h = 0; h < 2; ++h) {
            half[h] = sum_of_pair<NC>(
                q, [&](int i) { return term(h * (NC / 2) + i); });
            __syncwarp();
        }
        const scalar_t low = from_pair<NC>(q, half[0]),
                       high = from_pair<NC>(q, half[1]);
        return q->lane < NC / 2 ? low : high;
    } else { /* As fold, but half of the terms are there at a time.           */
        const int upper = q->lane & NC / 2;
        scalar_t p[NC / 2];
#pragma unroll
        for (int j = 0; j < NC / 2; ++j) {
            const scalar_t low = term(j), high = term(j + NC / 2);
            p[j] = add(upper ? high : low,
                       shuffle_xor(upper ? low : high, NC / 2));
        }
        fold<NC / 2, NC / 4>(p, q->lane);
        return p[0];
    }
}

/* The squared length of column `lane`; complex columns have two sums in a scalar. */
template <int NC>
static __device__ __forceinline__ real_t square_of_mine(const problem_t *q,
                                                        const scalar_t (&a)[NC])
{
    if constexpr (REALS_PER_SCALAR == 2 && terms<NC>::WANTED) {
        const scalar_t both = sum_of_pair<NC>(
            q, [&](int i) { return make(abs2(a[i]), abs2(a[i + NC / 2])); });
        __syncwarp();
        const scalar_t mine = from_pair<NC>(q, both);
        return q->lane < NC / 2 ? re(mine) : im(mine);
    } else if constexpr (REALS_PER_SCALAR == 2) {
        real_t p[NC];
#pragma unroll
        for (int j = 0; j < NC; ++j)
            p[j] = abs2(a[j]);
        fold_real<NC, NC / 2>(p, q->lane);
        return p[0];
    } else {
        return re(
            sum_of_mine<NC>(q, [&](int j) { return make(abs2(a[j]), 0); }));
    }
}

/* -- a round ------------------------------------------------------------------ */

/* Writes a rotation to told_t: an even lane that of A's columns, an odd lane that of V's.  It
 * consists of (s, c, k) with
 *
 *     (x, y) := (conj(s) x + c y, s y + k x),   k = -c, or c for columns of unequal sign
 *
 * For unequal signs V's s has the other sign.  Real columns that keep their places turn by
 * (c, -s, s); complex ones are exchanged and then exchanged back (keep_places). */
template <int NC, int ODD, int HYPER>
static __device__ __forceinline__ void tell(const problem_t *q, const turn_t *r,
                                            int active, int unlike)
{
    const int lane = threadIdx.x % LANES, of_V = q->lane & 1;
    real_t *const turn = q->told->turn[ODD][lane / 2][of_V];
    const real_t f = negate_if(of_V && unlike, of_V && r->far ? FAR_DOWN : 1);
    const real_t c = active ? r->c : 1, k = negate_if(active && !unlike, c);
    const scalar_t s = active ? scale(f, r->s) : make(0, 0);
    two_t two;

    if (REALS_PER_SCALAR == 2) {
        const int there = (q->lane & ~1) + ODD + 1 < NC;
        const unsigned stay = __ballot_sync(ALL_LANES, r->stay && there);
        if (lane == 0)
            q->told->stay[ODD] = stay;
        two.x = c;
        two.y = k;
        *(two_t *)(turn + 2) = two;
    } else if (HYPER) {
        q->k[ODD][lane / 2][of_V] = r->stay ? re(s) : k;
    }
    two.x = REALS_PER_SCALAR == 2 || !r->stay ? re(s) : c;
    two.y = REALS_PER_SCALAR == 2 ? im(s) : r->stay ? -re(s) : c;
    *(two_t *)turn = two;
}

/* Does the problem turn in this round?  The loop begins with an even round.  If the order is
 * reversed and n is odd, the problem begins one round later: the column that was the last one is
 * the first one now and begins alone.  So columns meet in the same order as in the sweep before.
 * (From round 0 on the first pairs would be those that met last, and each sweep would undo the one
 * before.) */
static __device__ __forceinline__ int in_sweep(const problem_t *q, int round)
{
    const int late = q->reversed & q->n & 1;
    return (unsigned)(round - late) < (unsigned)(q->on ? q->n : 0);
}

/* Finds the rotation of the lane's pair, columns (2i + ODD, 2i + ODD + 1) with i = lane / 2; writes
 * it to told_t, and updates q->norm.  Returns turn_t's bits. */
template <int NC, int ODD, int HYPER>
static __device__ __forceinline__ int tell_turn(problem_t *q, scalar_t apq,
                                                int round, int *far, int *stay)
{
    const int p = (q->lane & ~1) + ODD, on = in_sweep(q, round),
              active = on && p + 1 < q->n;
    const real_t x = __shfl_sync(ALL_LANES, q->norm, p, NC);
    const real_t y = __shfl_sync(ALL_LANES, q->norm, p + 1, NC);
    const int unlike = HYPER && active && sign_bit(x) != sign_bit(y);
    turn_t r =
        find_turn(HYPER ? magnitude(x) : x, HYPER ? magnitude(y) : y, apq,
                  q->tol, unlike, HYPER ? q->least_coth : 0, q->reversed);

    if (HYPER) {
        r.app = with_sign_of(r.app, x);
        r.aqq = with_sign_of(r.aqq, y);
    }
    r.stay |= !active;
    *far = active ? r.far : 0;
    *stay = r.stay;
    const real_t left = r.stay ? r.app : r.aqq, right = r.stay ? r.aqq : r.app;
    const real_t other = __shfl_up_sync(ALL_LANES, right, 1, NC);
    if (on) {
        if (!ODD)
            q->norm =
                (q->lane | 1) < q->n ? q->lane & 1 ? right : left : q->norm;
        else if (q->lane & 1)
            q->norm = q->lane + 1 < q->n ? left : q->norm;
        else
            q->norm = q->lane > 0 && q->lane < q->n ? other : q->norm;
    }
    tell<NC, ODD, HYPER>(q, &r, active, unlike);
    return active ? r.turned : 0;
}

/* Exchanges back the pairs that keep their places: bit 2i of `stays` for pair i. */
template <int NC, int ODD>
static __device__ __forceinline__ void keep_places(scalar_t (&a)[NC],
                                                   unsigned stays)
{
    if (!__any_sync(ALL_LANES, stays))
        return;
#pragma unroll
    for (int i = 0; i < NC / 2 - ODD; ++i) {
        const int p = 2 * i + ODD, stay = stays >> 2 * i & 1;
        const scalar_t x = a[p];
        a[p] = stay ? a[p + 1] : x;
        a[p + 1] = stay ? x : a[p + 1];
    }
}

/* (x, y) := (conj(s) x + c y, s y + k x) with the rotation stored at `turn`; the k of
 * real columns in a hyperbolic SVD is stored at `beside`. */
template <int HYPER>
static __device__ __forceinline__ void
turn_pair(scalar_t *x, scalar_t *y, const real_t *turn, const real_t *beside)
{
    const scalar_t a = *x, b = *y;
    const two_t r = *(const two_t *)turn;
    if (REALS_PER_SCALAR == 2) {
        const two_t more = *(const two_t *)(turn + 2);
        const scalar_t s = make(r.x, r.y);
        *x = mul_add(conj_of(s), a, scale(more.x, b));
        *y = mul_add(s, b, scale(more.y, a));
    } else {
        const real_t k = HYPER ? *beside : -r.y;
        *x = make(fma_r(r.x, re(a), r.y * re(b)), 0);
        *y = make(fma_r(r.x, re(b), k * re(a)), 0);
    }
}

/* Turns the lane's row of A, or of V if of_V, by the rotations in told_t. */
template <int NC, int ODD, int HYPER>
static __device__ __forceinline__ void
turn_columns(scalar_t (&a)[NC], const problem_t *q, int of_V)
{
    const int first = threadIdx.x % LANES - q->lane;
    const real_t(*const turn)[2][TURN] = q->told->turn[ODD] + first / 2;
#pragma unroll
    for (int i = 0; i < NC / 2 - ODD; ++i) {
        const int p = 2 * i + ODD;
        turn_pair<HYPER>(&a[p], &a[p + 1], turn[i][of_V],
                         HYPER ? &q->k[ODD][first / 2 + i][of_V] : NULL);
    }
    if (REALS_PER_SCALAR == 2)
        keep_places<NC, ODD>(a, q->told->stay[ODD] >> first);
}

/* The pairs of a team whose lengths are far apart.  Bit 2i is for pair i: before[j], after[j]:
 * column j of the pair is the long one, before and after the turn; stays: the pair returns to its
 * places. */
typedef struct far {
    unsigned before[2], after[2], stays;
} far_t;

/* turn_columns of A where lengths of pairs are far apart: their long columns are divided by FAR_UP
 * while they turn.  This is rare.  It is a loop over columns in memory, to keep the loop over the
 * rounds short. */
template <int HYPER>
static __device__ __noinline__ void turn_far(scalar_t *a, int pairs,
                                             const real_t (*turn)[2][TURN],
                                             const real_t (*k)[2], far_t far)
{
#pragma unroll 1
    for (int i = 0; i < pairs; ++i) {
        scalar_t x[2];
        for (int j = 0; j < 2; ++j)
            x[j] =
                scale(far.before[j] >> 2 * i & 1 ? FAR_DOWN : 1, a[2 * i + j]);
        turn_pair<HYPER>(&x[0], &x[1], turn[i][0], HYPER ? k[i] : NULL);
        const int stay = far.stays >> 2 * i & 1;
        for (int j = 0; j < 2; ++j)
            a[2 * i + j] = scale(far.after[j] >> 2 * i & 1 ? FAR_UP : 1,
                                 x[stay ? 1 - j : j]);
    }
}

/* This row's term of the product of columns 2i + ODD and 2i + ODD + 1; 0 if there are none */
template <int NC, int ODD>
static __device__ __forceinline__ scalar_t term_of(const scalar_t (&a)[NC],
                                                   int i)
{
    const int x = 2 * i + ODD, there = x + 1 < NC;
    return there ? dot_add(a[there ? x : 0], a[there ? x + 1 : 0], make(0, 0))
                 : make(0, 0);
}

/* Phases 1 and 2 of a round.  Returns turn_t's bits of the lane's pair, and sets *far and *stay to
 * those of turn_t. */
template <int NC, int ODD, int HYPER>
static __device__ __forceinline__ int tell_round(const scalar_t (&a)[NC],
                                                 problem_t *q, int round,
                                                 int *far, int *stay)
{
    const scalar_t apq =
        sum_of_pair<NC>(q, [&](int i) { return term_of<NC, ODD>(a, i); });
    return tell_turn<NC, ODD, HYPER>(q, apq, round, far, stay);
}

/* Phase 3 of a round for A; far and stay are those of the lane's pair.  With of_V, for V: then far
 * and q->on are 0. */
template <int NC, int ODD, int HYPER>
static __device__ __forceinline__ void
turn(scalar_t (&a)[NC], problem_t *q, int round, int far, int stay, int of_V)
{
    if (__any_sync(ALL_LANES, far)) {
        const int first = threadIdx.x % LANES - q->lane;
        scalar_t columns[NC];
        far_t f;
        f.before[0] = votes_of<NC>(far < 0, q->lane);
        f.before[1] = votes_of<NC>(far > 0, q->lane);
        f.after[0] = votes_of<NC>(stay ? far < 0 : far > 0, q->lane);
        f.after[1] = votes_of<NC>(stay ? far > 0 : far < 0, q->lane);
        f.stays = REALS_PER_SCALAR == 2 ? q->told->stay[ODD] >> first : 0;
#pragma unroll
        for (int j = 0; j < NC; ++j)
            columns[j] = a[j];
        turn_far<HYPER>(columns + ODD, NC / 2 - ODD,
                        q->told->turn[ODD] + first / 2,
                        HYPER ? q->k[ODD] + first / 2 : NULL, f);
#pragma unroll
        for (int j = 0; j < NC; ++j)
            a[j] = columns[j];
    } else {
        turn_columns<NC, ODD, HYPER>(a, q, of_V);
    }
}

/* -- a whole matrix ----------------------------------------------------------- */

/* The largest |a_j v(j,k)| over j for column k = lane of V; `first`: |a_j| of this lane's row j */
template <int NC>
static __device__ __forceinline__ real_t longest_term(const scalar_t (&v)[NC],
                                                      real_t first, int lane)
{
    real_t p[NC];
#pragma unroll
    for (int j = 0; j < NC; ++j)
        p[j] = abs_max(v[j]) * first;
    fold_most<NC, NC / 2>(p, lane);
    return p[0];
}

/* Sets columns to 0 that consist of rounding errors.  Column k is the sum of the terms a_j v(j,k),
 * a_j the columns of A; if it is shorter than about eps times the longest term, all of it is error.
 * (If A has one row, say, its columns are parallel to the last bit, and so are the errors that
 * rotations leave: each sweep would make them smaller, and none would make them orthogonal.)  This
 * is not for problems with signs: there A has full rank, V may be large, and a short column is a
 * value. */
template <int NC>
static __device__ __forceinline__ void drop_noise(scalar_t (&a)[NC],
                                                  problem_t *q, real_t longest)
{
    const int noise =
        q->on && sqrt_r(q->norm) <= part_of_errors(q->tol, NC) * longest;
    const unsigned drop = votes_of<NC>(noise, q->lane);
#pragma unroll
    for (int j = 0; j < NC; ++j)
        a[j] = drop >> j & 1 ? make(0, 0) : a[j];
    q->norm = noise ? 0 : q->norm;
}

/* The lengths of A's columns are computed again, not by what rotations tell. */
template <int NC, int HYPER>
static __device__ __forceinline__ void renew_lengths(const scalar_t (&a)[NC],
                                                     problem_t *q)
{
    const real_t square = square_of_mine<NC>(q, a);
    q->norm = HYPER ? copysign_r(square, q->norm) : square;
}

/* Before sweep s */
template <int NC, int HYPER>
static __device__ __forceinline__ void start_sweep(const scalar_t (&a)[NC],
                                                   problem_t *q, int s)
{
    if (HYPER && s == 0)
        q->norm = q->plus >> q->lane & 1 ? 1 : -1;
    renew_lengths<NC, HYPER>(a, q);
    q->least_coth = s == 0 ? FIRST_COTH : LATER_COTH;
    if (s == 0)
        q->first = sqrt_r(magnitude(q->norm));
}

/* Before round r of sweep s.  In the second sweep nearly parallel columns of unequal sign turn for
 * the first time.  Where all columns are nearly parallel, each turns several times and gets shorter
 * by far: its length by formulas has no digit in the end.  Therefore lengths are computed again in
 * the middle.  (Of 3000 such problems of order 31, single precision, 10 drifted or did not
 * converge without this, none with it.) */
template <int NC, int HYPER>
static __device__ __forceinline__ void
start_round(const scalar_t (&a)[NC], problem_t *q, int s, int r, int rounds)
{
    if (HYPER && s == 1 && r == (rounds / 2 & ~1))
        renew_lengths<NC, HYPER>(a, q);
}

/* After the last one: the lengths, and where the signs are */
template <int NC, int HYPER>
static __device__ __forceinline__ void end_sweeps(const scalar_t (&a)[NC],
                                                  problem_t *q)
{
    if (HYPER)
        q->plus = votes_of<NC>(!sign_bit(q->norm), q->lane);
    q->norm = square_of_mine<NC>(q, a);
}

/* The outcome of a sweep, from the turn_t's bits of all lanes: 1: some pairs had large cosines; 2:
 * none had, but some were exchanged; 0: neither */
template <int NC>
static __device__ __forceinline__ int outcome_of(int turned, int lane)
{
    const unsigned some = votes_of<NC>(turned & 1, lane);
    const unsigned moved = votes_of<NC>(turned, lane);
    return some != 0 ? 1 : moved != 0 ? 2 : 0;
}

/* After sweep s.  A sweep that only exchanged columns may have missed pairs, so that another one
 * follows.  It does not count: orthogonal columns are to be found so within one sweep.  There are
 * few such sweeps, since each brings columns nearer to their order; EXCHANGES guards against more,
 * which have never been seen. */
static __device__ __forceinline__ void end_sweep(problem_t *q, int s,
                                                 int outcome)
{
    q->reversed ^= q->on;
    q->on = q->on && outcome != 0;
    q->sweeps -= q->on && (outcome == 1 || s >= EXCHANGES);
    q->on = q->on && q->sweeps > 0;
}

/* One round of A and V; returns turn_t's bits of the lane's pair. */
template <int NC, int ODD, int HYPER>
static __device__ __forceinline__ int
turn_round(scalar_t (&a)[NC], scalar_t (&v)[NC], problem_t *q, int round)
{
    int far, stay;
    const int turned = tell_round<NC, ODD, HYPER>(a, q, round, &far, &stay);
    __syncwarp();
    turn<NC, ODD, HYPER>(a, q, round, far, stay, 0);
    turn_columns<NC, ODD, HYPER>(v, q, 1);
    return turned;
}

/* Sweep s: all pairs once.  Returns its outcome; the order of the columns is reversed. */
template <int NC, int HYPER>
static __device__ __forceinline__ int
sweep(scalar_t (&a)[NC], scalar_t (&v)[NC], problem_t *q, int s, int rounds)
{
    int turned = 0;
#pragma unroll 1
    for (int round = 0; round < rounds; round += 2) {
        start_round<NC, HYPER>(a, q, s, round, rounds);
        turned |= turn_round<NC, 0, HYPER>(a, v, q, round);
        turned |= turn_round<NC, 1, HYPER>(a, v, q, round + 1);
    }
    return outcome_of<NC>(turned, q->lane);
}

/* Makes the columns of the warp's problems orthogonal, and turns V along. */
template <int NC, int HYPER>
static __device__ __forceinline__ void
make_orthogonal(scalar_t (&a)[NC], scalar_t (&v)[NC], problem_t *q, int rounds)
{
#pragma unroll 1
    for (int s = 0; s == 0 || __any_sync(ALL_LANES, q->on); ++s) {
        start_sweep<NC, HYPER>(a, q, s);
        if (!HYPER && s >= LATE)
            drop_noise<NC>(a, q, longest_term<NC>(v, q->first, q->lane));
        end_sweep(q, s, sweep<NC, HYPER>(a, v, q, s, rounds));
    }
    end_sweeps<NC, HYPER>(a, q);
}

/* -- the same by two warps ---------------------------------------------------------- */

/* One warp has A, the other one V.  Both pass the same __syncthreads: one a round, in place of the
 * barrier of a warp. */

template <int NC, int ODD, int HYPER>
static __device__ __forceinline__ int
turn_round_by_two(scalar_t (&x)[NC], problem_t *q, int round, int has_A)
{
    int far = 0, stay = 0, turned = 0;
    if (has_A)
        turned = tell_round<NC, ODD, HYPER>(x, q, round, &far, &stay);
    __syncthreads();
    turn<NC, ODD, HYPER>(x, q, round, far, stay, !has_A);
    return turned;
}

template <int NC>
static __device__ __forceinline__ void
drop_noise_by_two(scalar_t (&x)[NC], problem_t *q, int has_A)
{
    real_t *const mine = &q->told->turn[0][0][0][0] + threadIdx.x % LANES;
    if (has_A)
        *mine = q->first;
    __syncthreads();
    if (!has_A)
        *mine = longest_term<NC>(x, *mine, q->lane);
    __syncthreads();
    if (has_A)
        drop_noise<NC>(x, q, *mine);
    __syncthreads();
}

/* In V's warp q->on is 0. */
template <int NC, int HYPER>
static __device__ __forceinline__ void
make_orthogonal_by_two(scalar_t (&x)[NC], problem_t *q, int rounds, int has_A)
{
#pragma unroll 1
    for (int s = 0; s == 0 || __syncthreads_or(q->on); ++s) {
        int turned = 0;
        if (has_A)
            start_sweep<NC, HYPER>(x, q, s);
        if (!HYPER && s >= LATE)
            drop_noise_by_two<NC>(x, q, has_A);
#pragma unroll 1
        for (int round = 0; round < rounds; round += 2) {
            if (has_A)
                start_round<NC, HYPER>(x, q, s, round, rounds);
            turned |= turn_round_by_two<NC, 0, HYPER>(x, q, round, has_A);
            turned |= turn_round_by_two<NC, 1, HYPER>(x, q, round + 1, has_A);
        }
        if (has_A)
            end_sweep(q, s, outcome_of<NC>(turned, q->lane));
    }
    if (has_A)
        end_sweeps<NC, HYPER>(x, q);
}

/* The place of column `lane` in the order by sign, then descending length; `lane` itself beyond the
 * last column */
template <int NC>
static __device__ __forceinline__ int place_of_mine(const problem_t *q)
{
    const int mine = q->plus >> q->lane & 1;
    int place = 0;
#pragma unroll 1
    for (int j = 0; j < NC; ++j) {
        const real_t other = __shfl_sync(ALL_LANES, q->norm, j, NC);
        const int sign = q->plus >> j & 1;
        const int before = sign != mine       ? sign
                           : other != q->norm ? other > q->norm
                                              : j < q->lane;
        place += j < q->n && before;
    }
    return q->lane < q->n ? place : q->lane;
}

#endif /* GSVD_BATCH_COLUMNS_CUH */
