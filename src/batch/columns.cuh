/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* columns.cuh -- one-sided Jacobi in registers: a lane has a row of up to NC columns.
 *
 * NC lanes are a team, which has one problem; a warp is 32 / NC teams.  In a round all
 * neighbours turn at once, columns (0,1) (2,3) ... and (1,2) (3,4) ... in turns, and change
 * places: after n rounds each column has met each other one once, and their order is reversed.
 * So registers have constant indices, and the code is two rounds long.
 *
 *     (x, y) := (c x - s y, conj(s) x + c y),  then (y, x)
 *
 * s is rotate.h's s w, and the second column has the phase of w taken away.  Where the first
 * one is to be the longer and is not, the columns stay in place instead, which exchanges them.
 * Columns of unequal sign turn by (c x + s y, conj(s) x + c y), those of V with -s.
 *
 * The dot products of a round are summed by exchanges that halve their number, so that each
 * lane ends with the sum of one pair, and finds the rotation of that pair. */
#ifndef GSVD_BATCH_COLUMNS_CUH
#define GSVD_BATCH_COLUMNS_CUH

#include "core/rotate.h"

enum {
    LANES = 32, /* of a warp                                                 */
    SWEEPS = 30,
    LATE = 10, /* Sweeps that are enough but for noise: drop_noise           */
    TURN = 4, /* numbers by which a lane tells of a rotation                 */
    TOLD = 2 * LANES / 2 * TURN /* ... of a warp, for two rounds             */
};

#define ALL_LANES 0xffffffffu

/* A column with a shorter square of its length is 0: the square has lost digits. */
#define COLUMN_TINY (GSVD_SAFMIN * 1024)

/* A smaller sine would lose digits.  It is told times FAR_UP, and the long column is divided
 * by that while it turns. */
#define TURN_TINY (GSVD_SAFMIN / GSVD_EPS)
#if GSVD_SINGLE
#define FAR_UP 0x1p64f
#define FAR_DOWN 0x1p-64f
#else
#define FAR_UP 0x1p512
#define FAR_DOWN 0x1p-512
#endif

/* A's entries are scaled to 2^top: the sum of the squares of m n such numbers is below the
 * largest number by a factor of 16 at least. */
static __device__ __forceinline__ int top_exponent(int64_t m, int64_t n)
{
    const int most = GSVD_SINGLE ? FLT_MAX_EXP : DBL_MAX_EXP;
    return (most - 6) / 2 - (65 - __clzll(m * n)) / 2;
}

/* -- scalars ------------------------------------------------------------------ */

static __device__ __forceinline__ scalar_t shuffle_xor(scalar_t a, int step)
{
#if GSVD_COMPLEX
    return make(__shfl_xor_sync(ALL_LANES, re(a), step),
                __shfl_xor_sync(ALL_LANES, im(a), step));
#else
    return __shfl_xor_sync(ALL_LANES, a, step);
#endif
}

/* acc + conj(a) b */
static __device__ __forceinline__ scalar_t dot_add(scalar_t a, scalar_t b,
                                                   scalar_t acc)
{
    return mul_add(conj_of(a), b, acc);
}

/* 2^-e of a positive x = 2^e y, 1 <= y < 2, below a quarter of the largest number; of 0 a
 * large number */
static __device__ __forceinline__ real_t over_power(real_t x)
{
#if GSVD_SINGLE
    return __int_as_float(0x7f000000 - (__float_as_int(x) & 0x7f800000));
#else
    return __hiloint2double(0x7fe00000 - (__double2hiint(x) & 0x7ff00000), 0);
#endif
}

/* 1 / sqrt(x) to about 20 bits, for a normal x */
static __device__ __forceinline__ real_t rsqrt_rough(real_t x)
{
#if GSVD_SINGLE
    return rsqrtf(x);
#else
    real_t y;
    asm("rsqrt.approx.ftz.f64 %0, %1;" : "=d"(y) : "d"(x));
    return y;
#endif
}

/* ... to about one ulp, for an x next to 1 */
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

/* -- a rotation --------------------------------------------------------------- */

typedef struct turn {
    real_t c;
    scalar_t s;
    real_t app, aqq; /* after it                                             */
    int turned, stay;
    int far; /* s is told times FAR_UP: -1: the first column is the long one; 1 */
} turn_t;

/* |a|, and *w := conj(a) / |a|, or 0 */
static __device__ __forceinline__ real_t size_and_phase(scalar_t a, scalar_t *w)
{
#if GSVD_COMPLEX
    const real_t most = abs_max(a), k = over_power(most);
    if (!(most > 0)) {
        *w = make(0, 0);
        return 0;
    }
    const scalar_t b = scale(k, a);
    const real_t square = abs2(b), r = rsqrt_near(square);
    *w = scale(r, conj_of(b));
    return square * r * over_power(k);
#else
    *w = copysign_r(1, a);
    return fabs_r(a);
#endif
}

/* The rotation of columns with the squares app and aqq of their lengths and the product apq;
 * unlike: of unequal sign.  The first column, or, reversed, the second is to be the longer. */
static __device__ __forceinline__ turn_t find_turn(real_t app, real_t aqq,
                                                   scalar_t apq, real_t tol,
                                                   int unlike, int reversed)
{
    turn_t r;
    scalar_t w;
    const real_t h = size_and_phase(apq, &w);
    const real_t limit =
        tol * (app * rsqrt_rough(app)) * (aqq * rsqrt_rough(aqq));
    const real_t d = aqq - app, sum = app + aqq;
    real_t u = unlike ? fmax_r(sum, 2 * ROTATE_COTH * h) : fabs_r(d);
    const real_t k = over_power(fmax_r(u, 2 * h));
    const real_t g = 2 * h * k;

    u *= k;
    r.turned = app > COLUMN_TINY && aqq > COLUMN_TINY && h > limit;
    r.far = r.turned && g <= TURN_TINY ? d < 0 ? -1 : 1 : 0;
    const real_t over = rsqrt_near(r.turned ? unlike ? (u - g) * (u + g)
                                                     : fma_r(u, u, g * g)
                                            : 1);
    const real_t c2 = fma_r((real_t)0.5 * u, over, (real_t)0.5);
    const real_t over_c = rsqrt_near(r.turned ? c2 : 1);
    const real_t sine2 = (r.far ? 2 * h * FAR_UP * k : g) * over;
    real_t s = (real_t)0.5 * sine2 * over_c;
    s = unlike ? -s : copysign_r(s, d);
    const real_t t = r.turned && !r.far ? s * over_c : 0;
    r.c = r.turned ? c2 * over_c : 1;
    r.s = r.turned ? scale(s, w) : make(0, 0);
    r.app = unlike ? fma_r(t, h, app) : fma_r(-t, h, app);
    r.aqq = fma_r(t, h, aqq);
    const real_t longer = reversed ? r.app : r.aqq; /* if they are out of order */
    r.stay = !unlike && longer > COLUMN_TINY &&
             (reversed ? r.aqq : r.app) < ROTATE_SHORTER * longer;
    r.turned |= r.stay;
    return r;
}

/* -- a team ------------------------------------------------------------------- */

/* A problem, as its lanes know it; all but lane and norm are alike. */
typedef struct problem {
    int n, lane;
    int on;        /* It has not converged.                                  */
    int reversed;  /* The columns are in reversed order.                     */
    unsigned plus; /* bit j: column j has sign 1                             */
    real_t tol;
    real_t norm;  /* the square of the length of column `lane`, ...          */
    real_t first; /* ... and its length before all rotations                 */
    real_t *told; /* of the warp, in shared memory: TOLD numbers             */
} problem_t;

/* p[0] := the sum over the lanes that differ in the bits STEP, STEP / 2, ... of p[j], where j
 * is made of the same bits of the own lane: N numbers, log2(N) bits.  A step exchanges one half
 * for the other. */
template <int N, int STEP>
static __device__ __forceinline__ void fold(scalar_t *p, int lane)
{
    const int upper = lane & STEP;
#pragma unroll
    for (int i = 0; i < N / 2; ++i) {
        const scalar_t give = upper ? p[i] : p[i + N / 2];
        const scalar_t keep = upper ? p[i + N / 2] : p[i];
        p[i] = add(keep, shuffle_xor(give, STEP));
    }
    if (N > 2)
        fold<(N > 2 ? N / 2 : 2), STEP / 2>(p, lane);
}

template <int N, int STEP>
static __device__ __forceinline__ void fold_real(real_t *p, int lane)
{
    const int upper = lane & STEP;
#pragma unroll
    for (int i = 0; i < N / 2; ++i) {
        const real_t give = upper ? p[i] : p[i + N / 2];
        const real_t keep = upper ? p[i + N / 2] : p[i];
        p[i] = keep + __shfl_xor_sync(ALL_LANES, give, STEP);
    }
    if (N > 2)
        fold_real<(N > 2 ? N / 2 : 2), STEP / 2>(p, lane);
}

/* fold_real for maxima */
template <int N, int STEP>
static __device__ __forceinline__ void fold_most(real_t *p, int lane)
{
    const int upper = lane & STEP;
#pragma unroll
    for (int i = 0; i < N / 2; ++i) {
        const real_t give = upper ? p[i] : p[i + N / 2];
        const real_t keep = upper ? p[i + N / 2] : p[i];
        p[i] = fmax_r(keep, __shfl_xor_sync(ALL_LANES, give, STEP));
    }
    if (N > 2)
        fold_most<(N > 2 ? N / 2 : 2), STEP / 2>(p, lane);
}

/* The square of the length of column `lane` */
template <int NC>
static __device__ __forceinline__ real_t square_of_mine(const scalar_t (&a)[NC],
                                                        int lane)
{
    real_t p[NC];
#pragma unroll
    for (int j = 0; j < NC; ++j)
        p[j] = abs2(a[j]);
    fold_real<NC, NC / 2>(p, lane);
    return p[0];
}

/* The team's lanes of the warp */
template <int NC> static __device__ __forceinline__ unsigned mask_of(int lane)
{
    const unsigned all = NC == LANES ? ALL_LANES : (1u << NC % LANES) - 1;
    return all << (threadIdx.x % LANES - (unsigned)lane);
}

/* Bit i: lane i of the team says yes. */
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

/* -- a round ------------------------------------------------------------------ */

/* What the warp's lanes know alike of a round: 1 for each lane whose pair ... */
typedef struct far {
    unsigned first, second; /* has so long a column that it is divided       */
    unsigned left, right;   /* has it there afterwards                       */
} far_t;

/* The pairs of a round are columns (2i + ODD, 2i + ODD + 1).  Does each lane's one turn?
 * Tells the rotation, and has the lengths after it. */
template <int NC, int ODD, int HYPER>
static __device__ __forceinline__ int tell_turn(problem_t *q, scalar_t apq,
                                                int round, real_t *told,
                                                far_t *far)
{
    const int p = (q->lane & ~1) + ODD, active = q->on && round < q->n &&
                                                 p + 1 < q->n;
    const real_t app = __shfl_sync(ALL_LANES, q->norm, p, NC);
    const real_t aqq = __shfl_sync(ALL_LANES, q->norm, p + 1, NC);
    const int unlike =
        HYPER && active && ((q->plus >> p ^ q->plus >> (p + 1)) & 1);
    turn_t r = find_turn(app, aqq, apq, q->tol, unlike, q->reversed);

    r.stay |= !active;
    r.far = active ? r.far : 0;
    far->first = __ballot_sync(ALL_LANES, r.far < 0);
    far->second = __ballot_sync(ALL_LANES, r.far > 0);
    far->left = __ballot_sync(ALL_LANES, r.stay ? r.far < 0 : r.far > 0);
    far->right = __ballot_sync(ALL_LANES, r.stay ? r.far > 0 : r.far < 0);
    const real_t left = r.stay ? r.app : r.aqq, right = r.stay ? r.aqq : r.app;
    const real_t other = __shfl_up_sync(ALL_LANES, right, 1, NC);
    if (q->on && round < q->n) {
        if (!ODD)
            q->norm = (q->lane | 1) < q->n ? q->lane & 1 ? right : left : q->norm;
        else if (q->lane & 1)
            q->norm = q->lane + 1 < q->n ? left : q->norm;
        else
            q->norm = q->lane > 0 && q->lane < q->n ? other : q->norm;
    }
    real_t *const mine = told + threadIdx.x % LANES / 2 * TURN;
    if ((q->lane & 1) == 0) {
        const real_t c = active ? r.c : 1;
        const scalar_t s = active ? r.s : make(0, 0);
        const int marked = GSVD_COMPLEX || HYPER;
        two_t two, more;
        two.x = marked || r.stay ? c : re(s);
        two.y = marked ? re(s) : r.stay ? -re(s) : c;
        *(two_t *)mine = two;
        if (marked) {
            more.x = im(s);
            more.y = (real_t)(r.stay + 2 * unlike + 4 * (r.far != 0));
            *(two_t *)(mine + 2) = more;
        } else if (r.far) { /* what turns V                                  */
            more.x = r.stay ? two.x : two.x * FAR_DOWN;
            more.y = r.stay ? two.y * FAR_DOWN : two.y;
            *(two_t *)(mine + 2) = more;
        }
    }
    return active && r.turned;
}

/* Columns 2i + ODD by f where bit 2i of `even` is 1, the ones behind them by `odd` */
template <int NC, int ODD>
static __device__ __forceinline__ void scale_far(scalar_t (&a)[NC],
                                                 unsigned even, unsigned odd,
                                                 real_t f)
{
#pragma unroll
    for (int i = 0; i < NC / 2 - ODD; ++i) {
        const int p = 2 * i + ODD;
        a[p] = scale(even >> 2 * i & 1 ? f : 1, a[p]);
        a[p + 1] = scale(odd >> 2 * i & 1 ? f : 1, a[p + 1]);
    }
}

/* (x, y) := (c x - t s y, t' conj(s) x + c y), exchanged */
static __device__ __forceinline__ void turn_pair(real_t c, scalar_t minus_ts,
                                                 scalar_t s_bar, scalar_t *x,
                                                 scalar_t *y)
{
    const scalar_t first = mul_add(minus_ts, *y, scale(c, *x));
    *x = mul_add(s_bar, *x, scale(c, *y));
    *y = first;
}

/* Turns the columns by what the lanes have told, signs and all, and exchanges them but for
 * those that stay. */
template <int NC, int ODD, int HYPER>
static __device__ __forceinline__ void turn_marked(scalar_t (&a)[NC],
                                                   scalar_t (&v)[NC],
                                                   const real_t *mine)
{
    int stays = 0;
#pragma unroll
    for (int i = 0; i < NC / 2 - ODD; ++i) {
        const int p = 2 * i + ODD;
        const two_t r = *(const two_t *)(mine + i * TURN);
        const two_t more = *(const two_t *)(mine + i * TURN + 2);
        const real_t c = r.x;
        const scalar_t s = make(r.y, more.x);
        const int mark = (int)more.y;
        const real_t t = HYPER && mark & 2 ? -1 : 1;
        const scalar_t of_v = mark & 4 ? scale(FAR_DOWN, s) : s;
        turn_pair(c, scale(-t, s), conj_of(s), &a[p], &a[p + 1]);
        turn_pair(c, scale(-1, of_v), scale(t, conj_of(of_v)), &v[p],
                  &v[p + 1]);
        stays |= (mark & 1) << i;
    }
    if (!__any_sync(ALL_LANES, stays))
        return;
#pragma unroll
    for (int i = 0; i < NC / 2 - ODD; ++i) {
        const int p = 2 * i + ODD, stay = stays >> i & 1;
        const scalar_t x = a[p], y = v[p];
        a[p] = stay ? a[p + 1] : x;
        a[p + 1] = stay ? x : a[p + 1];
        v[p] = stay ? v[p + 1] : y;
        v[p + 1] = stay ? y : v[p + 1];
    }
}

/* turn_marked; real columns of equal signs by two numbers a pair, (c, -s) or, exchanged,
 * (s, c).  first, second: the pairs with a long column */
template <int NC, int ODD, int HYPER>
static __device__ __forceinline__ void
turn_columns(scalar_t (&a)[NC], scalar_t (&v)[NC], const real_t *mine,
             unsigned first, unsigned second)
{
#if !GSVD_COMPLEX
    if (!HYPER) {
#pragma unroll
        for (int i = 0; i < NC / 2 - ODD; ++i) {
            const int p = 2 * i + ODD;
            two_t r = *(const two_t *)(mine + i * TURN);
            const real_t x = a[p], y = v[p];
            a[p] = fma_r(r.x, x, r.y * a[p + 1]);
            a[p + 1] = fma_r(r.x, a[p + 1], -r.y * x);
            if ((first | second) >> 2 * i & 1)
                r = *(const two_t *)(mine + i * TURN + 2);
            v[p] = fma_r(r.x, y, r.y * v[p + 1]);
            v[p + 1] = fma_r(r.x, v[p + 1], -r.y * y);
        }
        return;
    }
#endif
    (void)first;
    (void)second;
    turn_marked<NC, ODD, HYPER>(a, v, mine);
}

/* One round; 1 in a lane if its pair turned */
template <int NC, int ODD, int HYPER>
static __device__ __forceinline__ int
turn_round(scalar_t (&a)[NC], scalar_t (&v)[NC], problem_t *q, int round)
{
    scalar_t p[NC / 2];
    real_t *const told = q->told + ODD * (TOLD / 2);
    const real_t *const mine =
        told + (threadIdx.x % LANES - q->lane) / 2 * TURN;

#pragma unroll
    for (int i = 0; i < NC / 2; ++i) {
        const int x = 2 * i + ODD, there = x + 1 < NC;
        p[i] = there ? dot_add(a[there ? x : 0], a[there ? x + 1 : 0], make(0, 0))
                     : make(0, 0);
    }
    fold<NC / 2, NC / 2>(p, q->lane);
    const scalar_t apq = add(p[0], shuffle_xor(p[0], 1));
    far_t far;
    const int turned = tell_turn<NC, ODD, HYPER>(q, apq, round, told, &far);
    const unsigned first = threadIdx.x % LANES - q->lane;
    __syncwarp();
    if (far.first | far.second)
        scale_far<NC, ODD>(a, far.first >> first, far.second >> first, FAR_DOWN);
    turn_columns<NC, ODD, HYPER>(a, v, mine, far.first >> first,
                                 far.second >> first);
    if (far.first | far.second)
        scale_far<NC, ODD>(a, far.left >> first, far.right >> first, FAR_UP);
    if (HYPER && q->on && round < q->n) { /* All pairs change their signs.   */
        const unsigned right = 0xaaaaaaaau << ODD;
        const unsigned moved =
            (q->n < LANES ? (1u << q->n) - 1 : ALL_LANES) & right;
        const unsigned stay = ~(moved | moved >> 1);
        q->plus = (q->plus & stay) | (q->plus & moved) >> 1 |
                  (q->plus & moved >> 1) << 1;
    }
    return turned;
}

/* Columns that are but rounding errors := 0.  Those of A with one row, say, are parallel to
 * the last bit, and so are the errors that their rotations leave: each sweep would make them
 * smaller, and none orthogonal.  Column k is the sum of A's columns a_j v(j,k), and all of it
 * is error where it is shorter than eps of the longest term. */
template <int NC>
static __device__ __forceinline__ void drop_noise(scalar_t (&a)[NC],
                                               const scalar_t (&v)[NC],
                                               problem_t *q)
{
    real_t p[NC];
#pragma unroll
    for (int j = 0; j < NC; ++j)
        p[j] = abs_max(v[j]) * q->first;
    fold_most<NC, NC / 2>(p, q->lane);
    const int noise = q->on && sqrt_r(fmax_r(q->norm, 0)) <= 4 * q->tol * p[0];
    const unsigned drop = votes_of<NC>(noise, q->lane);
#pragma unroll
    for (int j = 0; j < NC; ++j)
        a[j] = drop >> j & 1 ? make(0, 0) : a[j];
    q->norm = noise ? 0 : q->norm;
}

/* All pairs once; did one turn? */
template <int NC, int HYPER>
static __device__ __forceinline__ int
sweep_columns(scalar_t (&a)[NC], scalar_t (&v)[NC], problem_t *q, int rounds)
{
    int turned = 0;
#pragma unroll 1
    for (int round = 0; round < rounds; round += 2) {
        turned |= turn_round<NC, 0, HYPER>(a, v, q, round);
        turned |= turn_round<NC, 1, HYPER>(a, v, q, round + 1);
    }
    return votes_of<NC>(turned, q->lane) != 0;
}

/* Makes the columns of the warp's problems orthogonal, and turns v along with them.  q->on:
 * it did not converge. */
template <int NC, int HYPER>
static __device__ __forceinline__ void
make_orthogonal(scalar_t (&a)[NC], scalar_t (&v)[NC], problem_t *q, int sweeps)
{
    const int rounds = most_of_warp(q->n);
#pragma unroll 1
    for (int sweep = 0; sweep < sweeps; ++sweep) {
        q->norm = square_of_mine<NC>(a, q->lane);
        if (sweep == 0)
            q->first = sqrt_r(q->norm);
        if (sweep >= LATE)
            drop_noise<NC>(a, v, q);
        const int turned = sweep_columns<NC, HYPER>(a, v, q, rounds);
        q->reversed ^= q->on;
        q->on = q->on && turned;
        if (!__any_sync(ALL_LANES, q->on))
            break;
    }
    q->norm = square_of_mine<NC>(a, q->lane);
}

/* The place of column `lane` by sign and descending length; `lane` beyond the last one */
template <int NC>
static __device__ __forceinline__ int place_of_mine(const problem_t *q)
{
    const int mine = q->plus >> q->lane & 1;
    int place = 0;
#pragma unroll 1
    for (int j = 0; j < NC; ++j) {
        const real_t other = __shfl_sync(ALL_LANES, q->norm, j, NC);
        const int sign = q->plus >> j & 1;
        const int before = sign != mine ? sign
                           : other != q->norm ? other > q->norm
                                              : j < q->lane;
        place += j < q->n && before;
    }
    return q->lane < q->n ? place : q->lane;
}

#endif /* GSVD_BATCH_COLUMNS_CUH */
