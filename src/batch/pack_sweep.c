/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* pack_sweep.c -- a sweep of one-sided Jacobi on a pack: LANES matrices at once, one in each lane
 * of the vectors (pack.h).
 *
 * A column of the matrix is D_x x, with x stored and D_x = 2^e times a factor.  Let x be that of
 * the longer column, D_x |x| >= D_y |y|, r = D_y / D_x and h = x^H y.  The two turn by a fast
 * rotation (Anda and Park 1994):
 *
 *     d = |x|^2 - r^2 |y|^2,   q = 2 / (d + sqrt(d^2 + 4 r^2 |h|^2)),   tan phi = r q |h| <= 1
 *
 *     y := y - q h x,   x := x + r^2 q conj(h) y   (the old y),   D := D cos phi of both
 *
 * A pair takes one root and two divisions, since only squares of lengths and their quotients
 * occur.  The squares of the factors and their inverses are stored; X(pack_refresh) multiplies the
 * factors into the columns before the next sweep.  Z, which is unitary, has the same factors and
 * rotations, but no 2^e.
 *
 * |x|^2 and |y|^2 are summed anew while the columns turn.  Updates by formula would have rounding
 * errors of the longer length before the turn; with a length that is too short, q has no bound.
 *
 * With a signature D = 2^e, and each rotation consists of shears, whose inverses are exact
 * (core/vector.h):
 *
 *     x := x + a y,   y := y + b x,   x := x + a y,   b = -c q h,  a = +-c r^2 q conj(h) / (1 + c)
 *
 * Columns of equal signs turn by the angle above, c = cos phi, with the upper sign of a.  Columns
 * of unequal signs turn by a hyperbolic angle, with the lower sign:
 *
 *     d = |x|^2 + r^2 |y|^2,   q = 2 / (d + sqrt(d^2 - 4 r^2 |h|^2)),   tanh phi = r q |h|,
 *     c = cosh phi
 *
 * Blocks of two columns meet in the order of ordering.h.  When block (x, u) meets (y, v), round 0
 * turns (x, y) and (u, v), and round 1 (x, v) and (u, y).  These four rotations read the columns
 * of X three times and write them twice; they read and write those of Z once.  The meetings of a
 * step are disjoint.  Two are done at once, since the angles of a pair are a long chain of
 * dependent operations.
 */
#include "batch/lanes.h"
#include "batch/scale.h"
#include "core/rotate.h"
#include "jacobi/ordering.h"

/* A rotation of columns p and q: of X by a and b, of Z by az and bz */
#define turn_t X(turn_t)
typedef struct turn_t {
    /* x_p^H x_q                                                             */
    _Alignas(64) real_t h[ENTRY];
    lane_int_t on[LANES]; /* not 0: The lane turns the pair.                 */
    real_t a[ENTRY], b[ENTRY], az[ENTRY], bz[ENTRY];
    int64_t p, q;
} turn_t;

/* The meeting of four columns: the two pairs of each of the two rounds; any[round]: a lane turns
 * one of these pairs */
#define meeting_t X(meeting_t)
typedef struct meeting_t {
    turn_t turn[2][2];
    int any[2];
} meeting_t;

enum { MEETINGS = 2 }; /* at once                                            */

/* |h|^2 in lane l */
PART real_t square_at(const real_t *h, int l)
{
    return h[l] * h[l] + (LAST ? h[IMAG + l] * h[IMAG + l] : 0);
}

/* a := f conj(h) and b := g h in lane l */
PART void set_factors(const real_t *h, int l, real_t f, real_t g, real_t *a,
                      real_t *b)
{
    a[l] = f * h[l];
    b[l] = g * h[l];
    if (LAST) {
        a[IMAG + l] = -f * h[IMAG + l];
        b[IMAG + l] = g * h[IMAG + l];
    }
}

/* A column whose square rotations have made smaller than this is not turned until X(pack_refresh):
 * its square must not underflow. */
#define SQUARE_TINY (GSVD_SINGLE ? (real_t)0x1p-56 : (real_t)0x1p-160)

/* t->on := the lanes that turn the pair; returns whether there are any.  It is decided here alone,
 * since the same comparison elsewhere might round differently. */
PART int turns(pack_t *w, turn_t *t, real_t tol2)
{
    const real_t *const xx = w->square[t->p], *const yy = w->square[t->q];
    const real_t large = LARGE_COSINE * LARGE_COSINE;
    lane_int_t any = 0;

#pragma omp simd reduction(| : any)
    for (int l = 0; l < LANES; ++l) {
        const real_t h2 = square_at(t->h, l), least = tol2 * xx[l] * yy[l];
        const real_t shorter = xx[l] < yy[l] ? xx[l] : yy[l];
        const real_t bound =
            shorter > SQUARE_TINY ? least : GSVD_REAL_MAX / large;
        const lane_int_t on = h2 > bound, is_large = h2 > large * bound;
        t->on[l] = on & w->todo[l];
        w->large[l] |= is_large & w->todo[l];
        any |= on & w->todo[l];
    }
    return any != 0;
}

/* Clears t->on of lanes where the columns are of unequal sign and nearly parallel: in the first
 * sweep these pairs wait (ROTATE_COTH_LEAST).  Returns whether any lane is on. */
PART int postpone(pack_t *w, turn_t *t)
{
    const real_t *const xx = w->square[t->p], *const yy = w->square[t->q];
    const lane_int_t *const ex = w->e[t->p], *const ey = w->e[t->q];
    const real_t *const sx = w->sign[t->p], *const sy = w->sign[t->q];
    lane_int_t any = 0;

#pragma omp simd reduction(| : any)
    for (int l = 0; l < LANES; ++l) {
        const real_t s = lanes_power(ey[l] - ex[l]);
        const real_t sum = xx[l] + s * s * yy[l];
        const real_t h2 =
            4 * ROTATE_COTH * ROTATE_COTH * s * s * square_at(t->h, l);
        const lane_int_t unlike = sx[l] * sy[l] < 0, near = sum * sum < h2;
        const lane_int_t waits = unlike & near & t->on[l];
        t->on[l] &= ~waits;
        w->large[l] |= waits;
        any |= t->on[l];
    }
    return any != 0;
}

PART int decide(pack_t *w, turn_t *t, real_t tol2, int with_signs)
{
    const int some = turns(w, t, tol2);
    return with_signs && w->sweeps == 1 && some ? postpone(w, t) : some;
}

/* Finds the fast rotation of a pair, and the factors of D after it. */
PART void fast_rotation(pack_t *w, turn_t *t)
{
    const real_t *const xx = w->square[t->p], *const yy = w->square[t->q];
    real_t *const dx = w->factor2[t->p], *const dy = w->factor2[t->q];
    real_t *const ox = w->over_factor2[t->p], *const oy = w->over_factor2[t->q];
    const lane_int_t *const ex = w->e[t->p], *const ey = w->e[t->q];

#pragma omp simd
    for (int l = 0; l < LANES; ++l) {
        const real_t h2 = square_at(t->h, l);
        const int on = t->on[l] != 0;
        const real_t s = lanes_power(ey[l] - ex[l]);
        const real_t over_s = lanes_power(ex[l] - ey[l]);
        const real_t z = dy[l] * ox[l], over_z = dx[l] * oy[l];
        const int swap = z * (s * s) * yy[l] > xx[l]; /* y is the longer one */
        const real_t large = swap ? yy[l] : xx[l];
        const real_t small = swap ? xx[l] : yy[l];
        const real_t by_e = swap ? over_s : s, by_d = swap ? over_z : z;
        const real_t r2 = by_d * (by_e * by_e);
        const real_t d = fabs_r(large - r2 * small);
        const real_t below = d + sqrt_r(d * d + 4 * r2 * h2);
        const real_t q = on ? 2 / (on ? below : 1) : 0;
        const real_t g = 1 + r2 * q * q * h2, over_g = 1 / g;
        const real_t f = r2 * q, fz = by_d * by_e * q, qz = by_e * q;
        set_factors(t->h, l, swap ? -q : f, swap ? f : -q, t->a, t->b);
        set_factors(t->h, l, swap ? -qz : fz, swap ? fz : -qz, t->az, t->bz);
        dx[l] *= over_g;
        dy[l] *= over_g;
        ox[l] *= g;
        oy[l] *= g;
    }
}

/* Finds the shears of a pair. */
PART void shears(pack_t *w, turn_t *t)
{
    const real_t *const xx = w->square[t->p], *const yy = w->square[t->q];
    const lane_int_t *const ex = w->e[t->p], *const ey = w->e[t->q];
    const real_t *const sx = w->sign[t->p], *const sy = w->sign[t->q];

#pragma omp simd
    for (int l = 0; l < LANES; ++l) {
        const real_t h2 = square_at(t->h, l), like = sx[l] * sy[l];
        const int on = t->on[l] != 0;
        const real_t s = lanes_power(ey[l] - ex[l]);
        const real_t over_s = lanes_power(ex[l] - ey[l]);
        const int swap = s * s * yy[l] > xx[l];
        const real_t large = swap ? yy[l] : xx[l];
        const real_t small = swap ? xx[l] : yy[l];
        const real_t r = swap ? over_s : s, r2 = r * r;
        const real_t d = fabs_r(large - like * (r2 * small));
        /* tanh 2phi = 2 r |h| / d, but at most 1 / ROTATE_COTH_LEAST        */
        const real_t least =
            like < 0 ? 4 * ROTATE_COTH_LEAST * ROTATE_COTH_LEAST : 0;
        const real_t most = least * r2 * h2, d2 = d * d > most ? d * d : most;
        const real_t below = sqrt_r(d2) + sqrt_r(d2 + like * (4 * r2 * h2));
        const real_t q = on ? 2 / (on ? below : 1) : 0;
        const real_t c = 1 / sqrt_r(1 + like * (r2 * q * q * h2));
        const real_t u = c * q, v = like * r2 * u, over_c = 1 / (1 + c);
        const real_t uz = like * r * u, vz = r * u;
        set_factors(t->h, l, (swap ? -u : v) * over_c, swap ? v : -u, t->a,
                    t->b);
        set_factors(t->h, l, (swap ? -uz : vz) * over_c, swap ? vz : -uz, t->az,
                    t->bz);
    }
}

/* A rotation, in registers */
#define factors_t X(factors_t)
typedef struct factors_t {
    entry_t a, b;
} factors_t;

PART void get_factors(const turn_t *t, int of_z, factors_t *f)
{
    f->a = *entries(of_z ? t->az : t->a);
    f->b = *entries(of_z ? t->bz : t->b);
}

PART void entry_turn(const factors_t *f, int with_signs, entry_t *x, entry_t *y)
{
    if (with_signs) {
        entry_add(&f->a, y, x);
        entry_add(&f->b, x, y);
        entry_add(&f->a, y, x);
    } else {
        const entry_t u = *x;
        entry_add(&f->a, y, x);
        entry_add(&f->b, &u, y);
    }
}

/* square := sum in the lanes that have turned the pair */
PART void set_square(const turn_t *t, const lanes_t *sum, real_t *square)
{
#pragma omp simd
    for (int l = 0; l < LANES; ++l)
        square[l] = t->on[l] ? (*sum)[l] : square[l];
}

/* Turns columns p and q of X, and sets the squares of their lengths. */
PART void turn_pair(pack_t *w, const turn_t *t, int with_signs)
{
    entry_t *const x = entries_of(w->X + t->p * w->next);
    entry_t *const y = entries_of(w->X + t->q * w->next);
    lanes_t xx = {0}, yy = {0};
    factors_t f;

    get_factors(t, 0, &f);
    for (int64_t i = 0; i < w->N; ++i) {
        entry_t u = x[i], v = y[i];
        entry_turn(&f, with_signs, &u, &v);
        entry_square(&u, &xx);
        entry_square(&v, &yy);
        x[i] = u;
        y[i] = v;
    }
    set_square(t, &xx, w->square[t->p]);
    set_square(t, &yy, w->square[t->q]);
}

/* Turns columns p and q of Z. */
PART void turn_pair_of_z(const pack_t *w, const turn_t *t, int with_signs)
{
    entry_t *const x = entries_of(w->Z + t->p * w->next);
    entry_t *const y = entries_of(w->Z + t->q * w->next);
    factors_t f;

    get_factors(t, 1, &f);
    for (int64_t i = 0; i < w->N; ++i) {
        entry_t u = x[i], v = y[i];
        entry_turn(&f, with_signs, &u, &v);
        x[i] = u;
        y[i] = v;
    }
}

/* Four columns of C that meet: x, u of one block, y, v of the other */
typedef struct columns_of_four {
    entry_t *x, *y, *u, *v;
} four_t;

PART four_t columns_of(const pack_t *w, real_t *C, const meeting_t *m)
{
    const turn_t *const t = m->turn[0];
    const four_t c = {
        entries_of(C + t[0].p * w->next), entries_of(C + t[0].q * w->next),
        entries_of(C + t[1].p * w->next), entries_of(C + t[1].q * w->next)};
    return c;
}

/* Round 0 of X: turns the four columns, sets the squares of their lengths, and finds the inner
 * products of round 1. */
PART void turn_and_dot(pack_t *w, meeting_t *m, int with_signs)
{
    const turn_t *const t = &m->turn[0][0], *const s = &m->turn[0][1];
    const four_t c = columns_of(w, w->X, m);
    entry_t h = {0}, k = {0};
    lanes_t xx = {0}, yy = {0}, uu = {0}, vv = {0};
    factors_t f, g;

    get_factors(t, 0, &f);
    get_factors(s, 0, &g);
    for (int64_t i = 0; i < w->N; ++i) {
        entry_t x = c.x[i], y = c.y[i], u = c.u[i], v = c.v[i];
        entry_turn(&f, with_signs, &x, &y);
        entry_turn(&g, with_signs, &u, &v);
        entry_dot(&x, &v, &h);
        entry_dot(&u, &y, &k);
        entry_square(&x, &xx);
        entry_square(&y, &yy);
        entry_square(&u, &uu);
        entry_square(&v, &vv);
        c.x[i] = x;
        c.y[i] = y;
        c.u[i] = u;
        c.v[i] = v;
    }
    *entries_of(m->turn[1][0].h) = h;
    *entries_of(m->turn[1][1].h) = k;
    set_square(t, &xx, w->square[t->p]);
    set_square(t, &yy, w->square[t->q]);
    set_square(s, &uu, w->square[s->p]);
    set_square(s, &vv, w->square[s->q]);
}

/* Both rounds of Z */
PART void turn_four(const pack_t *w, const meeting_t *m, int with_signs)
{
    const four_t c = columns_of(w, w->Z, m);
    factors_t f, g, d, e;

    get_factors(&m->turn[0][0], 1, &f);
    get_factors(&m->turn[0][1], 1, &g);
    get_factors(&m->turn[1][0], 1, &d);
    get_factors(&m->turn[1][1], 1, &e);
    for (int64_t i = 0; i < w->N; ++i) {
        entry_t x = c.x[i], y = c.y[i], u = c.u[i], v = c.v[i];
        entry_turn(&f, with_signs, &x, &y);
        entry_turn(&g, with_signs, &u, &v);
        entry_turn(&d, with_signs, &x, &v);
        entry_turn(&e, with_signs, &u, &y);
        c.x[i] = x;
        c.y[i] = y;
        c.u[i] = u;
        c.v[i] = v;
    }
}

PART void inner_product(const pack_t *w, turn_t *t)
{
    lanes_dot(w->N, w->X + t->p * w->next, w->X + t->q * w->next, t->h);
}

PART void set_rotation(pack_t *w, turn_t *t, int with_signs)
{
    if (with_signs)
        shears(w, t);
    else
        fast_rotation(w, t);
}

/* Columns p and q meet by themselves. */
PART void meet_alone(pack_t *w, int64_t p, int64_t q, real_t tol2,
                     int with_signs)
{
    turn_t t = {.p = p, .q = q};

    inner_product(w, &t);
    if (!decide(w, &t, tol2, with_signs))
        return;
    set_rotation(w, &t, with_signs);
    turn_pair(w, &t, with_signs);
    if (w->with_z)
        turn_pair_of_z(w, &t, with_signs);
}

/* `count` meetings of two blocks of two columns each, side by side */
PART void meet(pack_t *w, meeting_t *m, int count, real_t tol2, int with_signs)
{
    for (int round = 0; round < 2; ++round) {
        for (int k = 0; k < count; ++k) {
            turn_t *const t = m[k].turn[round];
            if (round == 0 || !m[k].any[0]) {
                inner_product(w, &t[0]);
                inner_product(w, &t[1]);
            }
            const int first = decide(w, &t[0], tol2, with_signs);
            m[k].any[round] = decide(w, &t[1], tol2, with_signs) || first;
        }
        for (int k = 0; k < count; ++k)
            for (int j = 0; j < 2 && m[k].any[round]; ++j)
                set_rotation(w, &m[k].turn[round][j], with_signs);
        for (int k = 0; k < count; ++k)
            if (round == 0 && m[k].any[0])
                turn_and_dot(w, &m[k], with_signs);
            else
                for (int j = 0; j < 2 && m[k].any[round]; ++j)
                    turn_pair(w, &m[k].turn[1][j], with_signs);
    }
    for (int k = 0; k < count && w->with_z; ++k) {
        const int both = m[k].any[0] && m[k].any[1];
        if (both)
            turn_four(w, &m[k], with_signs);
        for (int round = 0; round < 2 && !both; ++round)
            for (int j = 0; j < 2 && m[k].any[round]; ++j)
                turn_pair_of_z(w, &m[k].turn[round][j], with_signs);
    }
}

/* The meeting of columns p, p + 1 with q, q + 1 */
PART void set_meeting(meeting_t *m, int64_t p, int64_t q)
{
    for (int round = 0; round < 2; ++round)
        for (int j = 0; j < 2; ++j) {
            m->turn[round][j].p = p + j;
            m->turn[round][j].q = round == 0 ? q + j : q + 1 - j;
        }
}

PART void sweep(pack_t *w, real_t tol2, int with_signs)
{
    const int64_t blocks = (w->N + 1) / 2;
    meeting_t m[MEETINGS];

    for (int64_t step = 0; step < ordering_steps(blocks); ++step) {
        const int64_t pairs = ordering_pairs(blocks, step);
        int count = 0;
        for (int64_t i = 0; i < pairs; ++i) {
            int64_t P, Q;
            const int two = ordering_pair(blocks, step, i, &P, &Q);
            if (two && 2 * Q + 1 < w->N) {
                set_meeting(&m[count++], 2 * P, 2 * Q);
            } else if (two) { /* Q has one column.                           */
                meet_alone(w, 2 * P, 2 * Q, tol2, with_signs);
                meet_alone(w, 2 * P + 1, 2 * Q, tol2, with_signs);
            } else if (2 * P + 1 < w->N) {
                meet_alone(w, 2 * P, 2 * P + 1, tol2, with_signs);
            }
            if (count == MEETINGS || i + 1 == pairs) {
                meet(w, m, count, tol2, with_signs);
                count = 0;
            }
        }
    }
}

CLONES
int X(pack_sweep)(pack_t *w, real_t tol)
{
    int left = 0;

    ++w->sweeps;
    for (int l = 0; l < LANES; ++l)
        w->large[l] = 0;
    if (w->with_signs)
        sweep(w, tol * tol, 1);
    else
        sweep(w, tol * tol, 0);
    for (int l = 0; l < LANES; ++l) {
        w->todo[l] &= w->large[l];
        left |= w->todo[l] != 0;
    }
    return left;
}
