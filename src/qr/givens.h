/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* givens.h -- the rotation that annihilates the second of two numbers.
 *
 *     (    c     s ) ( f )   ( r )      c = |f| / rho        c^2 + |s|^2 = 1
 *     ( -conj(s) c ) ( g ) = ( 0 ),     s = u conj(g) / rho
 *                                       r = u rho            u = f / |f|
 *
 * with rho = hypot(|f|, |g|) and c real, nonnegative.  r has the phase of f, the only one that a
 * real c allows, and so in the real case its sign.  r is real and positive if f is, or if f = 0.
 * g = 0 gives exactly the identity, r = f.
 *
 * For finite f and g only results over- or underflow.  If the square of the larger number could,
 * or that of f alone for its phase, numbers are scaled by a constant power of two.  What this
 * loses of the smaller number is below rounding of the larger.  c, s and r are right to a few ulp,
 * c and s where their absolute values are above GSVD_SAFMIN^(1/4).
 *
 * One step of Newton's method makes c^2 + |s|^2 = 1 as well as two rounded numbers can.  Without
 * it a row that meets many small ones would get the same c, one ulp from 1, each time, and its
 * length would drift.
 */
#ifndef GSVD_QR_GIVENS_H
#define GSVD_QR_GIVENS_H

#include "core/scalar.h"

#define givens_t X(givens_t)
typedef struct givens_t {
    real_t c;
    scalar_t s, r;
} givens_t;

GSVD_FN givens_t givens(scalar_t f, scalar_t g)
{
    givens_t G;
    G.c = 1;
    G.s = make(0, 0);
    G.r = f;
    const real_t small = abs_max(g), big = fmax_r(abs_max(f), small);
    if (small == 0)
        return G;

    const real_t k = square_factor(big);
    const scalar_t u = direction(f), x = scale(k, f), y = scale(k, g);
    const real_t length = re(u) * re(x) + im(u) * im(x); /* k |f| */
    const real_t square = length * length + abs2(y);
    const real_t inverse = rsqrt_r(square);
    const real_t back = k > 1 ? SQUARE_DOWN : (k < 1 ? SQUARE_UP : 1);
    const real_t c = length * inverse;
    const scalar_t s = mul(u, scale(inverse, conj_of(y)));
    const real_t t = (fma_r(-c, c, 1) - abs2(s)) / 2;
    G.c = fma_r(c, t, c);
    G.s = add(s, scale(t, s));
    G.r = scale(back * (square * inverse), u);
    return G;
}

/* (x; y) := (c s; -conj(s) c) (x; y) */
GSVD_FN void givens_apply(real_t c, scalar_t s, scalar_t *x, scalar_t *y)
{
    const scalar_t a = *x, b = *y;
    *x = mul_add(s, b, scale(c, a));
    *y = mul_add(make(-re(s), im(s)), a, scale(c, b));
}

/* (x; y) := (c s; -conj(s) c)^H (x; y) */
GSVD_FN void givens_undo(real_t c, scalar_t s, scalar_t *x, scalar_t *y)
{
    givens_apply(c, make(-re(s), -im(s)), x, y);
}

#endif /* GSVD_QR_GIVENS_H */
