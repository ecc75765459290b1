/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* reflect.h -- one elementary reflector. */
#ifndef GSVD_QR_REFLECT_H
#define GSVD_QR_REFLECT_H

#include "core/vector.h"

/* whether a sum of squares is next to neither end of the range */
GSVD_FN int square_is_safe(real_t square)
{
    return square > GSVD_SAFMIN / GSVD_ULP && square < GSVD_ULP / GSVD_SAFMIN;
}

/* *over := 1 / d, by as few roundings as there are, since those of a reflector are what a zero of a
 * small matrix becomes, and that has to pass for one; 0 where an inverse square may be none */
GSVD_FN int invert(scalar_t d, scalar_t *over)
{
    if (REALS_PER_SCALAR == 1) {
        *over = make(1 / re(d), 0);
        return fabs_r(re(d)) > GSVD_SAFMIN / GSVD_ULP;
    }
    const real_t square = fma_r(re(d), re(d), im(d) * im(d));
    const real_t x = re(d) / square, y = -im(d) / square;
    /* one step of Newton: its residual is 1 - d / square conj d */
    const real_t e = fma_r(im(d), y, fma_r(-re(d), x, 1));
    *over = make(fma_r(x, e, x), fma_r(y, e, y));
    return square_is_safe(square);
}

/* x = (alpha; x'): H^H x = (beta; 0) with H = I - tau v v^H, v(0) = 1, beta real;
 * x := (beta; v(1:n)), returns tau.  Safe against over- and underflow. */
GSVD_FN scalar_t reflector_of(int64_t n, scalar_t *x)
{
    const scalar_t alpha = x[0];
    if (n == 1 && im(alpha) == 0)
        return make(0, 0);
    const real_t below = square_of(n - 1, x + 1), first = abs2(alpha);
    real_t all;

    if (square_is_safe(below) && (square_is_safe(first) || first == 0)) {
        all = sqrt_r(first + below);
    } else {
        const real_t rest = sumsq_norm_of(n - 1, x + 1);
        if (!(rest > 0) && im(alpha) == 0)
            return make(0, 0);
        all = hypot_r(abs_of(alpha), rest);
    }
    const real_t beta = -copysign_r(all, re(alpha));
    if (fabs_r(beta) < GSVD_SAFMIN) { /* nothing but denormals               */
        for (int64_t i = 1; i < n; ++i)
            x[i] = make(0, 0);
        return make(0, 0);
    }
    /* v = x / (alpha - beta), a division by a complex number */
    const scalar_t d = make(re(alpha) - beta, im(alpha));
    scalar_t over;
    if (invert(d, &over)) {
        scale_by(n - 1, over, x + 1);
    } else {
        const real_t length = abs_of(d);
        const scalar_t unit = make(re(d) / length, -im(d) / length);
        for (int64_t i = 1; i < n; ++i) {
            const scalar_t y = mul(x[i], unit);
            x[i] = make(re(y) / length, im(y) / length);
        }
    }
    x[0] = make(beta, 0);
    return make((beta - re(alpha)) / beta, -im(alpha) / beta);
}

/* c := c - t v (v^H c), v(0) = 1 not stored */
GSVD_FN void reflect_one(int64_t n, scalar_t t, const scalar_t *v, scalar_t *c)
{
    if (REALS_PER_SCALAR > 1 && n == 1) { /* H is a phase.                  */
        c[0] = mul(sub(make(1, 0), t), c[0]);
        return;
    }
    const scalar_t w = mul(t, add(c[0], dot_of(n - 1, v + 1, c + 1)));
    c[0] = sub(c[0], w);
    add_to(n - 1, make(-re(w), -im(w)), v + 1, c + 1);
}

/* both, called: for code that has many */
scalar_t X(reflector)(int64_t n, scalar_t *x);
void X(reflect_column)(int64_t n, scalar_t t, const scalar_t *v, scalar_t *c);

/* The same for all columns of C, v(0) = 1 stored; room for C.rows entries */
void X(reflect_columns)(scalar_t t, const scalar_t *v, mat_t C, scalar_t *room);

#endif /* GSVD_QR_REFLECT_H */
