/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* tridiagonal.h -- eigenvalues and eigenvectors of a real symmetric tridiagonal matrix T, with d
 * on its diagonal and e beside it, one text for C and CUDA.
 *
 * A value is found by counting (Givens 1954): the number of leading minors of T - x I that differ
 * in sign from the minor before is the number of values below x.  Minors are as accurate as
 * pivots, which are their ratios, and need no division.  A vector comes from the pivots from above
 * and from below, joined in the row where they leave the least (Parlett and Dhillon 1997).  It
 * also gives the distance of the value from its Rayleigh quotient.  Vectors of values that agree
 * to many digits are not orthogonal; nothing is done about that here.
 */
#ifndef GSVD_JACOBI_TRIDIAGONAL_H
#define GSVD_JACOBI_TRIDIAGONAL_H

#include "core/matrix.h"
#include "core/reciprocal.h"

/* An interval that holds all values, the least pivot, and the power of two that the values are
 * smaller than */
#define spectrum_t X(spectrum_t)
typedef struct spectrum_t {
    real_t from, to, least;
    int exponent;
} spectrum_t;

/* Row i of 2^-exponent T: its diagonal, and the square of what stands left of it */
#define minor_row_t X(minor_row_t)
typedef struct minor_row_t {
    real_t d, square;
} minor_row_t;

/* Rows between two scalings of minors.  Each row makes them at most 5 times as large, and two
 * rows LEAST_SQUARE as small. */
enum { MINOR_ROWS = GSVD_SINGLE ? 4 : 8 };
#define LEAST_SQUARE (GSVD_EPS * GSVD_EPS / 256)

/* n in whole scalings */
GSVD_FN int64_t minor_rows(int64_t n)
{
    return (n + MINOR_ROWS - 1) / MINOR_ROWS * MINOR_ROWS;
}

/* Gershgorin's circles of the rows first, first + step, ... */
GSVD_FN spectrum_t gershgorin(int64_t n, const real_t *d, const real_t *e,
                              int64_t first, int64_t step)
{
    spectrum_t s = {GSVD_REAL_MAX, -GSVD_REAL_MAX, 0, 0};
    for (int64_t i = first; i < n; i += step) {
        const real_t above = i > 0 ? fabs_r(e[i - 1]) : 0;
        const real_t radius = above + (i < n - 1 ? fabs_r(e[i]) : 0);
        s.from = s.from < d[i] - radius ? s.from : d[i] - radius;
        s.to = s.to > d[i] + radius ? s.to : d[i] + radius;
    }
    return s;
}

/* ... and a margin for rounding */
GSVD_FN spectrum_t widened(spectrum_t s)
{
    const real_t size = fmax_r(fabs_r(s.from), fabs_r(s.to));
    s.from -= 8 * GSVD_EPS * size;
    s.to += 8 * GSVD_EPS * size;
    s.least = fmax_r(GSVD_EPS * GSVD_EPS * size, GSVD_SAFMIN);
    s.exponent = size > 0 ? exponent_r(size) + 1 : 0;
    return s;
}

/* A square is at least so large that no two minors next to each other vanish: rounding.  Rows
 * behind the last one change no sign. */
GSVD_FN minor_row_t minor_row(int64_t n, const real_t *d, const real_t *e,
                              int exponent, int64_t i)
{
    const real_t left = i > 0 && i < n ? ldexp_r(e[i - 1], -exponent) : 0;
    minor_row_t row;
    row.d = i < n ? ldexp_r(d[i], -exponent) : 4;
    row.square = i < n ? fmax_r(left * left, LEAST_SQUARE) : 0;
    return row;
}

/* A pivot that does not vanish */
GSVD_FN real_t pivot_of(real_t q, real_t least)
{
    return fabs_r(q) < least ? -least : q;
}

/* What twisted_vector reads at a time, so that its reads do not wait for each other */
enum { TWISTED_BATCH = 8 };

/* z := the entries of the vector above row `twist`, and below it, from the ratios of
 * neighbours; returns the sum of their squares. */
GSVD_FN real_t entries_above(int64_t n, int64_t twist, int64_t stride,
                             real_t *z)
{
    real_t y = 1, sum = 0, ratio[TWISTED_BATCH];
    for (int64_t i = n - 2; i >= 0; i -= TWISTED_BATCH) {
        for (int k = 0; k < TWISTED_BATCH; ++k)
            ratio[k] = i >= k ? z[(i - k) * stride] : 0;
        for (int k = 0; k < TWISTED_BATCH; ++k)
            if (i >= k && i - k < twist) {
                y *= -ratio[k];
                sum += y * y;
                z[(i - k) * stride] = y;
            }
    }
    return sum;
}

GSVD_FN real_t entries_below(int64_t n, int64_t twist, int64_t stride,
                             const real_t *u, real_t *z)
{
    real_t y = 1, sum = 0, ratio[TWISTED_BATCH];
    for (int64_t i = 0; i < n - 1; i += TWISTED_BATCH) {
        for (int k = 0; k < TWISTED_BATCH; ++k)
            ratio[k] = i + k < n - 1 ? u[(i + k) * stride] : 0;
        for (int k = 0; k < TWISTED_BATCH; ++k)
            if (i + k < n - 1 && i + k >= twist) {
                y *= -ratio[k];
                sum += y * y;
                z[(i + k + 1) * stride] = y;
            }
    }
    return sum;
}

/* z := e over the pivots from above, u := e over those from below; the last pivot from above */
GSVD_FN real_t pivots_from_both_ends(int64_t n, const real_t *d,
                                     const real_t *e, real_t x, real_t least,
                                     int64_t stride, real_t *z, real_t *u)
{
    real_t q = pivot_of(d[0] - x, least), p = pivot_of(d[n - 1] - x, least);
    for (int64_t i = 0; i < n - 1; i += TWISTED_BATCH) {
        real_t below[TWISTED_BATCH], above[TWISTED_BATCH];
        real_t e_below[TWISTED_BATCH], e_above[TWISTED_BATCH];
        for (int k = 0; k < TWISTED_BATCH; ++k) {
            const int64_t r = min_i(i + k, n - 2);
            below[k] = d[r + 1];
            e_below[k] = e[r];
            above[k] = d[n - 2 - r];
            e_above[k] = e[n - 2 - r];
        }
        for (int k = 0; k < TWISTED_BATCH; ++k)
            if (i + k < n - 1) {
                const real_t down = e_below[k] * reciprocal(q);
                const real_t up = e_above[k] * reciprocal(p);
                z[(i + k) * stride] = down;
                u[(n - 2 - i - k) * stride] = up;
                q = pivot_of((below[k] - x) - e_below[k] * down, least);
                p = pivot_of((above[k] - x) - e_above[k] * up, least);
            }
    }
    return q;
}

/* The row in which pivots from above and from below leave the least, *left, which is that of the
 * last row to begin with */
GSVD_FN int64_t twist_of(int64_t n, const real_t *d, const real_t *e, real_t x,
                         int64_t stride, const real_t *z, const real_t *u,
                         real_t *left)
{
    int64_t twist = n - 1;
    real_t above = 0;
    for (int64_t i = 0; i < n - 1; i += TWISTED_BATCH) {
        real_t up[TWISTED_BATCH], down[TWISTED_BATCH];
        for (int k = 0; k < TWISTED_BATCH; ++k) {
            const int64_t r = min_i(i + k, n - 2);
            up[k] = u[r * stride];
            down[k] = z[r * stride];
        }
        for (int k = 0; k < TWISTED_BATCH; ++k) {
            const int64_t r = min_i(i + k, n - 2);
            const real_t joined = (d[r] - x) - above - e[r] * up[k];
            above = e[r] * down[k];
            if (i + k < n - 1 && fabs_r(joined) < fabs_r(*left)) {
                *left = joined;
                twist = r;
            }
        }
    }
    return twist;
}

/* z := the vector of the value nearest to x, not of length 1: its square is *length2.
 * Element i is z[i stride], and so is u's, which is overwritten.  Returns what the
 * Rayleigh quotient adds to x. */
GSVD_FN real_t twisted_vector(int64_t n, const real_t *d, const real_t *e,
                              real_t x, real_t least, int64_t stride, real_t *z,
                              real_t *u, real_t *length2)
{
    real_t left = pivots_from_both_ends(n, d, e, x, least, stride, z, u);
    const int64_t twist = twist_of(n, d, e, x, stride, z, u, &left);

    *length2 = 1 + entries_above(n, twist, stride, z) +
               entries_below(n, twist, stride, u, z);
    z[twist * stride] = 1;
    return left / *length2;
}

#endif /* GSVD_JACOBI_TRIDIAGONAL_H */
