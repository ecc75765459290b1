/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* pack_jacobi.c -- one-sided Jacobi on a pack.
 *
 * Columns x and y of the lengths D_x |x| and D_y |y|, D_x^2 |x|^2 >= D_y^2 |y|^2, h = x^H y,
 * r = D_y / D_x, turn by a fast rotation (Anda and Park 1994): with
 *
 *     d = |x|^2 - r^2 |y|^2,   q = 2 / (d + sqrt(d^2 + 4 r^2 |h|^2)),   tan phi = r q |h| <= 1
 *
 *     y := y - q h x,   x := x + r^2 q conj(h) y   (the old y),   D := D cos phi of both
 *
 * The squares of the columns follow by these formulas, too, until X(pack_refresh) sums them anew.
 * Where they cancel the rounding error of what they were, 8 eps, is left in their place: too long a
 * column is turned by too small an angle, too short a one without bound.
 *
 * Only squares of lengths and their quotients occur: a pair takes one root and two divisions.
 * D is 2^e times a factor, whose square is kept with its inverse, and which X(pack_refresh)
 * multiplies into the columns before the next sweep.  Z, which is unitary, has the same factors
 * and rotations, but no 2^e.
 *
 * With a signature D is 2^e, and all rotations are shears,
 *
 *     x := x + a y,   y := y + b x,   x := x + a y,   b = -c q h,  a = +-c r^2 q conj(h) / (1 + c)
 *
 * of which the inverse is exact (core/vector.h).  Columns of equal signs turn by the angle
 * above, c = cos phi; those of unequal signs by a hyperbolic one, a with the lower sign:
 *
 *     d = |x|^2 + r^2 |y|^2,   q = 2 / (d + sqrt(d^2 - 4 r^2 |h|^2)),   tanh phi = r q |h|,
 *     c = cosh phi
 *
 * The pairs of a step of the ordering are disjoint: of a few at once all inner products come first,
 * then all angles, then all rotations.
 */
#include "batch/lanes.h"
#include "core/rotate.h"
#include "jacobi/ordering.h"

/* A rotation of columns p and q of X, by a and b, and of Z, by az and bz */
#define turn_t X(turn_t)
typedef struct turn_t {
    _Alignas(64) real_t
        h[ENTRY]; /* x_p^H x_q                                            */
    lane_int_t on[LANES]; /* Does the lane turn the pair?                    */
    real_t a[ENTRY], b[ENTRY], az[ENTRY], bz[ENTRY];
    int64_t p, q;
} turn_t;

/* Pairs of a step that are turned together: the angle of one need not wait for that of another,
 * and their columns stay in the first cache. */
enum { AT_ONCE = 4 };

/* |h|^2 in lane l */
PART real_t square_at(const real_t *h, int l)
{
    return h[l] * h[l] + (GSVD_COMPLEX ? h[IMAG + l] * h[IMAG + l] : 0);
}

/* a := f conj(h) and b := g h in lane l */
PART void set_factors(const real_t *h, int l, real_t f, real_t g, real_t *a,
                      real_t *b)
{
    a[l] = f * h[l];
    b[l] = g * h[l];
#if GSVD_COMPLEX
    a[IMAG + l] = -f * h[IMAG + l];
    b[IMAG + l] = g * h[IMAG + l];
#endif
}

/* t->h := the inner product.  Do some lanes turn the pair?  t->on tells which ones do: it is
 * decided once, since the same comparison elsewhere may round in another way. */
PART int test_pair(pack_t *w, turn_t *t, real_t tol2)
{
    const real_t *const xx = w->square[t->p], *const yy = w->square[t->q];
    lane_int_t any = 0;

    lanes_dot(w->N, w->X + t->p * w->next, w->X + t->q * w->next, t->h);
#pragma omp simd reduction(| : any)
    for (int l = 0; l < LANES; ++l) {
        const lane_int_t on = square_at(t->h, l) > tol2 * xx[l] * yy[l];
        t->on[l] = on;
        w->turned[l] |= on;
        any |= on;
    }
    return any != 0;
}

/* The rotation of a pair, the squares of its columns then, and D */
PART void fast_rotation(pack_t *w, turn_t *t)
{
    real_t *const xx = w->square[t->p], *const yy = w->square[t->q];
    real_t *const dx = w->factor2[t->p], *const dy = w->factor2[t->q];
    real_t *const ox = w->over_factor2[t->p], *const oy = w->over_factor2[t->q];
    const real_t *const lx = w->least[t->p], *const ly = w->least[t->q];
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
        const real_t longer = (large + r2 * q * h2) * g;
        const real_t rest = (small - q * h2) * g;
        const real_t least = g * (swap ? lx[l] * ox[l] : ly[l] * oy[l]);
        const real_t shorter = on && rest < least ? least : rest;
        const real_t f = r2 * q, fz = by_d * by_e * q, qz = by_e * q;
        set_factors(t->h, l, swap ? -q : f, swap ? f : -q, t->a, t->b);
        set_factors(t->h, l, swap ? -qz : fz, swap ? fz : -qz, t->az, t->bz);
        xx[l] = swap ? shorter : longer;
        yy[l] = swap ? longer : shorter;
        dx[l] *= over_g;
        dy[l] *= over_g;
        ox[l] *= g;
        oy[l] *= g;
    }
}

/* The shears of a pair, and the squares of its columns then */
PART void shears(pack_t *w, turn_t *t)
{
    real_t *const xx = w->square[t->p], *const yy = w->square[t->q];
    const lane_int_t *const ex = w->e[t->p], *const ey = w->e[t->q];
    const real_t *const lx = w->least[t->p], *const ly = w->least[t->q];
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
        /* tanh 2phi = 2 r |h| / d: a larger one than 1 / ROTATE_COTH is that */
        const real_t least = like < 0 ? 4 * ROTATE_COTH * ROTATE_COTH : 0;
        const real_t most = least * r2 * h2, d2 = d * d > most ? d * d : most;
        const real_t below = sqrt_r(d2) + sqrt_r(d2 + like * (4 * r2 * h2));
        const real_t q = on ? 2 / (on ? below : 1) : 0;
        const real_t c = 1 / sqrt_r(1 + like * (r2 * q * q * h2));
        const real_t u = c * q, v = like * r2 * u, over_c = 1 / (1 + c);
        const real_t uz = like * r * u, vz = r * u;
        const real_t x2 = swap ? small - q * h2 : large + like * (r2 * q * h2);
        const real_t y2 = swap ? large + like * (r2 * q * h2) : small - q * h2;
        set_factors(t->h, l, (swap ? -u : v) * over_c, swap ? v : -u, t->a,
                    t->b);
        set_factors(t->h, l, (swap ? -uz : vz) * over_c, swap ? vz : -uz, t->az,
                    t->bz);
        xx[l] = on && x2 < lx[l] ? lx[l] : x2;
        yy[l] = on && y2 < ly[l] ? ly[l] : y2;
    }
}

/* x := x + a y, y := y + b x with the old x, for one entry each */
PART void turn_entry(const real_t *a, const real_t *b, real_t *x, real_t *y)
{
#if GSVD_COMPLEX
#pragma omp simd
    for (int l = 0; l < LANES; ++l) {
        const real_t xr = x[l], xi = x[IMAG + l];
        const real_t yr = y[l], yi = y[IMAG + l];
        const real_t ur = xr + a[l] * yr, ui = xi + a[l] * yi;
        const real_t vr = yr + b[l] * xr, vi = yi + b[l] * xi;
        x[l] = ur - a[IMAG + l] * yi;
        x[IMAG + l] = ui + a[IMAG + l] * yr;
        y[l] = vr - b[IMAG + l] * xi;
        y[IMAG + l] = vi + b[IMAG + l] * xr;
    }
#else
#pragma omp simd
    for (int l = 0; l < LANES; ++l) {
        const real_t u = x[l], v = y[l];
        x[l] = u + a[l] * v;
        y[l] = v + b[l] * u;
    }
#endif
}

PART void turn_columns(const pack_t *w, real_t *C, const turn_t *t,
                       const real_t *a, const real_t *b)
{
    real_t *x = C + t->p * w->next, *y = C + t->q * w->next;
    real_t c[ENTRY], d[ENTRY];

    for (int l = 0; l < ENTRY; ++l) {
        c[l] = a[l];
        d[l] = b[l];
    }
    for (const real_t *const end = x + w->N * ENTRY; x < end;
         x += ENTRY, y += ENTRY)
        if (!w->with_signs) {
            turn_entry(c, d, x, y);
        } else {
            lanes_add(c, y, x);
            lanes_add(d, x, y);
            lanes_add(c, y, x);
        }
}

/* Turns the pairs that lanes turn, of so many. */
PART void turn_pairs(pack_t *w, turn_t *turn, int count)
{
    for (int k = 0; k < count; ++k)
        if (w->with_signs)
            shears(w, &turn[k]);
        else
            fast_rotation(w, &turn[k]);
    for (int k = 0; k < count; ++k)
        turn_columns(w, w->X, &turn[k], turn[k].a, turn[k].b);
    for (int k = 0; k < count && w->with_z; ++k)
        turn_columns(w, w->Z, &turn[k], turn[k].az, turn[k].bz);
}

CLONES
void X(pack_sweep)(pack_t *w, real_t tol)
{
    const real_t tol2 = tol * tol;
    turn_t turn[AT_ONCE];

    ++w->sweeps;
    for (int l = 0; l < LANES; ++l)
        w->turned[l] = 0;
    for (int64_t step = 0; step < ordering_steps(w->N); ++step) {
        const int64_t pairs = ordering_pairs(w->N, step);
        for (int64_t first = 0; first < pairs; first += AT_ONCE) {
            const int64_t end = min_i(first + AT_ONCE, pairs);
            int count = 0;
            for (int64_t i = first; i < end; ++i) {
                turn_t *const t = &turn[count];
                if (ordering_pair(w->N, step, i, &t->p, &t->q))
                    count += test_pair(w, t, tol2);
            }
            turn_pairs(w, turn, count);
        }
    }
}

/* A column is scaled again when the square of its length is out of these bounds. */
#define SQUARE_LEAST (GSVD_SINGLE ? (real_t)0x1p-24 : (real_t)0x1p-80)
#define SQUARE_MOST (1 / SQUARE_LEAST)

/* What is left of a column by rotations that shorten it by as many powers of two is rounding
 * error, of which each sweep would leave a part that is as short again: it becomes 0. */
enum { BITS_LOST = GSVD_SINGLE ? 28 : 60 };

/* Column j of X in lane l, the square of its length out of bounds, over a power of two next to
 * its largest entry; or 0 */
static void rescale(pack_t *w, int64_t j, int l)
{
    const int64_t entries = w->N * REALS_PER_SCALAR;
    real_t *const x = w->X + j * w->next + l;
    real_t largest = 0, sum = 0;

    for (int64_t i = 0; i < entries; ++i)
        largest = fmax_r(largest, fabs_r(x[i * LANES]));
    const int e = largest > 0 ? exponent_r(largest) + 1 : 0;
    w->e[j][l] += e;
    const int lost = w->sweeps > 0 && !w->with_signs &&
                     w->e[j][l] < w->e_start[j][l] - BITS_LOST;
    for (int64_t i = 0; i < entries; ++i) {
        x[i * LANES] = lost ? 0 : ldexp_r(x[i * LANES], -e);
        sum += x[i * LANES] * x[i * LANES];
    }
    w->square[j][l] = sum;
}

/* x := f x, and its square */
PART void scale_and_square(int64_t rows, const real_t *f, real_t *x,
                           real_t *square)
{
    real_t sum[LANES];
    for (int l = 0; l < LANES; ++l)
        sum[l] = 0;
    for (int64_t i = 0; i < rows * REALS_PER_SCALAR; ++i)
#pragma omp simd
        for (int l = 0; l < LANES; ++l) {
            x[i * LANES + l] *= f[l];
            sum[l] += x[i * LANES + l] * x[i * LANES + l];
        }
    for (int l = 0; l < LANES; ++l)
        square[l] = sum[l];
}

CLONES
void X(pack_refresh)(pack_t *w)
{
    for (int64_t j = 0; j < w->N; ++j) {
        real_t factor[LANES];
        int outside = 0;
        lane_int_t changed = 0;
#pragma omp simd reduction(| : changed)
        for (int l = 0; l < LANES; ++l) {
            changed |= w->factor2[j][l] != 1;
            factor[l] = sqrt_r(w->factor2[j][l]);
            w->factor2[j][l] = w->over_factor2[j][l] = 1;
        }
        scale_and_square(w->N, factor, w->X + j * w->next, w->square[j]);
        if (w->with_z && changed)
            lanes_scale(w->N, factor, w->Z + j * w->next);
        for (int l = 0; l < LANES; ++l)
            outside |= !(w->square[j][l] >= SQUARE_LEAST &&
                         w->square[j][l] <= SQUARE_MOST)
                       << l;
        for (int l = 0; outside >> l; ++l)
            if (outside >> l & 1)
                rescale(w, j, l);
        for (int l = 0; l < LANES; ++l)
            w->least[j][l] = 8 * GSVD_EPS * w->square[j][l];
        for (int l = 0; l < LANES && w->sweeps == 0; ++l)
            w->e_start[j][l] = w->e[j][l];
    }
}

/* length := |x|, over := its inverse; 0: 0 */
PART void lengths_of(const real_t *square, real_t *length, real_t *over)
{
#pragma omp simd
    for (int l = 0; l < LANES; ++l) {
        length[l] = sqrt_r(square[l]);
        over[l] = square[l] > 0 ? 1 / (square[l] > 0 ? length[l] : 1) : 0;
    }
}

CLONES
void X(pack_normalize)(pack_t *w)
{
    const real_t slack = 8 * sqrt_r((real_t)w->M) * GSVD_ULP;
    real_t square[LANES], length[LANES], over[LANES], of_z[LANES];

    for (int64_t j = 0; j < w->N; ++j) {
        for (int l = 0; l < LANES; ++l)
            of_z[l] = 1;
        if (w->with_z && !w->with_signs) {
            lanes_square(w->N, w->Z + j * w->next, square);
            lengths_of(square, length, of_z);
            lanes_scale(w->N, of_z, w->Z + j * w->next);
        }
        lengths_of(w->square[j], length, over);
        lanes_scale(w->N, over, w->X + j * w->next);
        for (int l = 0; l < LANES; ++l)
            w->sigma[j][l] =
                ldexp_near(length[l] * of_z[l], (int)w->e[j][l], slack);
    }
}
