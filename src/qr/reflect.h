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

/* A reflector H = I - tau v v^H with H^H (alpha; x) = (beta; 0), beta real, v = (1; over x) */
#define householder_t X(householder_t)
typedef struct householder_t {
    scalar_t tau, over;
    real_t beta;
    /* where a number such as over may not exist: v = (1; (x unit) / length) */
    int at_once; /* over exists.                                             */
    scalar_t unit;
    real_t length;
} householder_t;

/* Of a column whose squares are safe: below = |x|^2.  H = I where below is 0 and alpha real, and
 * where both squares are lost. */
GSVD_FN householder_t householder_of(scalar_t alpha, real_t below)
{
    const real_t size = sqrt_r(below + abs2(alpha));
    const int none = !(size > 0) || (!(below > 0) && im(alpha) == 0);
    householder_t h;

    h.beta = none ? re(alpha) : -copysign_r(size, re(alpha));
    const scalar_t d = make(re(alpha) - h.beta, im(alpha));
    const real_t square = abs2(d);
    h.at_once = 1;
    h.unit = make(0, 0);
    h.length = 0;
    h.over = none || square == 0 ? make(0, 0)
                                 : make(re(d) / square, -im(d) / square);
    h.tau = none ? make(0, 0) : make(-re(d) / h.beta, -im(d) / h.beta);
    return h;
}

/* *over := 1 / d, with as few roundings as possible: a zero of a small matrix becomes the rounding
 * errors of a reflector, and these must count as zero.  Returns 0 if an inverse square may leave
 * the range. */
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

/* Of any column that is no multiple of e_1: all = |(alpha; x)|.  tau = 0: it has nothing but
 * denormals, and counts as (alpha; 0). */
GSVD_FN householder_t householder_of_length(scalar_t alpha, real_t all)
{
    householder_t h;

    h.beta = -copysign_r(all, re(alpha));
    h.tau = make(0, 0);
    if (fabs_r(h.beta) < GSVD_SAFMIN)
        return h;
    /* over x = x / (alpha - beta), a division by a complex number */
    const scalar_t d = make(re(alpha) - h.beta, im(alpha));
    h.at_once = invert(d, &h.over);
    h.length = h.at_once ? 1 : abs_of(d);
    h.unit = make(re(d) / h.length, -im(d) / h.length);
    h.tau = make((h.beta - re(alpha)) / h.beta, -im(alpha) / h.beta);
    return h;
}

/* H^H (*head; x) = (beta; 0) for n entries x, H = I - tau v v^H, v = (1; x'), beta real: *head := beta,
 * x := x', returns tau.  Safe against over- and underflow. */
GSVD_FN scalar_t reflector_of_parts(scalar_t *head, int64_t n, scalar_t *x)
{
    const scalar_t alpha = *head;
    if (n == 0 && im(alpha) == 0)
        return make(0, 0);
    const real_t below = square_of(n, x), first = abs2(alpha);
    real_t all;

    if (square_is_safe(below) && (square_is_safe(first) || first == 0)) {
        all = sqrt_r(first + below);
    } else {
        const real_t rest = sumsq_norm_of(n, x);
        if (!(rest > 0) && im(alpha) == 0)
            return make(0, 0);
        all = hypot_r(abs_of(alpha), rest);
    }
    const householder_t h = householder_of_length(alpha, all);
    if (re(h.tau) == 0 && im(h.tau) == 0) {
        for (int64_t i = 0; i < n; ++i)
            x[i] = make(0, 0);
        return h.tau;
    }
    if (h.at_once)
        scale_by(n, h.over, x);
    else
        for (int64_t i = 0; i < n; ++i) {
            const scalar_t y = mul(x[i], h.unit);
            x[i] = make(re(y) / h.length, im(y) / h.length);
        }
    *head = make(h.beta, 0);
    return h.tau;
}

/* ... of a column of n entries */
GSVD_FN scalar_t reflector_of(int64_t n, scalar_t *x)
{
    return reflector_of_parts(x, n - 1, x + 1);
}

/* (*head; c) := those - t v (v^H those), v = (1; v') with n entries v' */
GSVD_FN void reflect_parts(int64_t n, scalar_t t, const scalar_t *v,
                           scalar_t *head, scalar_t *c)
{
    if (REALS_PER_SCALAR > 1 && n == 0) { /* H is a phase.                  */
        *head = mul(sub(make(1, 0), t), *head);
        return;
    }
    const scalar_t w = mul(t, add(*head, dot_of(n, v, c)));
    *head = sub(*head, w);
    add_to(n, make(-re(w), -im(w)), v, c);
}

/* c := c - t v (v^H c), v(0) = 1 not stored */
GSVD_FN void reflect_one(int64_t n, scalar_t t, const scalar_t *v, scalar_t *c)
{
    reflect_parts(n - 1, t, v + 1, c, c + 1);
}

/* both, called: for code that has many */
scalar_t X(reflector)(int64_t n, scalar_t *x);
void X(reflect_column)(int64_t n, scalar_t t, const scalar_t *v, scalar_t *c);

/* The same for all columns of C, v(0) = 1 stored; room for C.rows entries */
void X(reflect_columns)(scalar_t t, const scalar_t *v, mat_t C, scalar_t *room);

#endif /* GSVD_QR_REFLECT_H */
