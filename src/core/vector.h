/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* vector.h -- the inner loops of the CPU; of short vectors, of CUDA too. */
#ifndef GSVD_CORE_VECTOR_H
#define GSVD_CORE_VECTOR_H

#include "core/matrix.h"
#include "core/sumsq.h"

/* xx = x^H x, yy = y^H y, xy = x^H y */
void X(vector_gram)(int64_t n, const scalar_t *x, const scalar_t *y, real_t *xx,
                    real_t *yy, scalar_t *xy);

/* (x, y) := (x, y) (c, s; -s w, c w), the columns exchanged if swap */
void X(vector_rotate)(int64_t n, scalar_t *x, scalar_t *y, real_t c, real_t s,
                      scalar_t w, int swap);

/* (x, y) := (x, y) (c, s; s w, c w), a hyperbolic rotation, as three shears:
 *
 *     z = w y,    x := x + t z,    y := z + s x,    x := x + t y,    t = s / (1 + c)
 *
 * The rotation by -s is exactly their inverse, whatever the rounding of c and s.  Each rounding
 * error is one of the given x and y, however large c is. */
void X(vector_turn)(int64_t n, scalar_t *x, scalar_t *y, real_t c, real_t s,
                    scalar_t w);

/* x^H x, and x^H y */
real_t X(vector_square)(int64_t n, const scalar_t *x);
scalar_t X(vector_dot)(int64_t n, const scalar_t *x, const scalar_t *y);

/* y := y + a x, and x := a x */
void X(vector_add)(int64_t n, scalar_t a, const scalar_t *x, scalar_t *y);
void X(vector_scale)(int64_t n, scalar_t a, scalar_t *x);

/* c := c - v f (v^H c) for count columns c of n entries, ld apart; work has n
 * entries. */
void X(vector_reflect)(int64_t n, scalar_t f, const scalar_t *v, scalar_t *work,
                       int64_t count, scalar_t *c, int64_t ld);

/* The lengths now[j] of n columns lose the entries a[j].  A length becomes -1 if it is
 * so small against then[j], the column's length when it was last computed, that
 * rounding counts.  Returns how many became -1.  Lengths <= 0 stay. */
int64_t X(vector_shorten)(int64_t n, const scalar_t *a, real_t *now,
                          const real_t *then);

/* *largest of |re|, |im|; *zero: 0, or NaN if an entry is NaN or infinite */
void X(vector_extremes)(int64_t n, const scalar_t *a, real_t *largest,
                        real_t *zero);
/* the sum of |a(i)|, whose squares do not overflow */
real_t X(vector_sum)(int64_t n, const scalar_t *a);
/* size[i] := the larger of it and |re|, |im| of a(i) */
void X(vector_largest)(int64_t n, const scalar_t *a, real_t *size);

/* -- for C and CUDA: without a call where n is small ------------------------- */

enum { VECTOR_FEW = GSVD_COMPLEX ? 4 : 8 };

/* Longer vectors are handed to a function above, which CUDA cannot call, and a file that has
 * none does without (GSVD_VECTORS_FEW). */
#if defined __CUDACC__ || defined GSVD_VECTORS_FEW
#define WHERE_LONG(n, ...) (void)0
#else
#define WHERE_LONG(n, ...)                                                     \
    do {                                                                       \
        if ((n) > VECTOR_FEW) {                                                \
            __VA_ARGS__;                                                       \
        }                                                                      \
    } while (0)
#endif

GSVD_FN real_t square_of(int64_t n, const scalar_t *x)
{
    real_t sum = 0;
    WHERE_LONG(n, return X(vector_square)(n, x));
    for (int64_t i = 0; i < n; ++i)
        sum += abs2(x[i]);
    return sum;
}

GSVD_FN scalar_t dot_of(int64_t n, const scalar_t *x, const scalar_t *y)
{
    scalar_t sum = make(0, 0);
    WHERE_LONG(n, return X(vector_dot)(n, x, y));
    for (int64_t i = 0; i < n; ++i)
        sum = add(sum, mul(conj_of(x[i]), y[i]));
    return sum;
}

/* vector_gram, vector_rotate and vector_turn */
GSVD_FN void gram_of(int64_t n, const scalar_t *x, const scalar_t *y,
                     real_t *xx, real_t *yy, scalar_t *xy)
{
    WHERE_LONG(n, X(vector_gram)(n, x, y, xx, yy, xy); return );
    real_t sum_x = 0, sum_y = 0;
    scalar_t sum = make(0, 0);
    for (int64_t i = 0; i < n; ++i) {
        sum_x += abs2(x[i]);
        sum_y += abs2(y[i]);
        sum = add(sum, mul(conj_of(x[i]), y[i]));
    }
    *xx = sum_x;
    *yy = sum_y;
    *xy = sum;
}

GSVD_FN void rotate_both(int64_t n, scalar_t *x, scalar_t *y, real_t c,
                         real_t s, scalar_t w, int swap)
{
    WHERE_LONG(n, X(vector_rotate)(n, x, y, c, s, w, swap); return );
    for (int64_t i = 0; i < n; ++i) {
        const scalar_t a = x[i], b = mul(w, y[i]);
        const scalar_t p = sub(scale(c, a), scale(s, b));
        const scalar_t q = add(scale(s, a), scale(c, b));
        x[i] = swap ? q : p;
        y[i] = swap ? p : q;
    }
}

/* vector_turn of one entry each */
GSVD_FN void turn_entries(scalar_t *x, scalar_t *y, real_t s, real_t t,
                          scalar_t w)
{
    const scalar_t z = mul(w, *y), a = add(*x, scale(t, z));
    *y = add(z, scale(s, a));
    *x = add(a, scale(t, *y));
}

GSVD_FN void turn_both(int64_t n, scalar_t *x, scalar_t *y, real_t c, real_t s,
                       scalar_t w)
{
    const real_t t = s / (1 + c);
    WHERE_LONG(n, X(vector_turn)(n, x, y, c, s, w); return );
    for (int64_t i = 0; i < n; ++i)
        turn_entries(&x[i], &y[i], s, t, w);
}

GSVD_FN void add_to(int64_t n, scalar_t a, const scalar_t *x, scalar_t *y)
{
    WHERE_LONG(n, X(vector_add)(n, a, x, y); return );
    for (int64_t i = 0; i < n; ++i)
        y[i] = add(y[i], mul(a, x[i]));
}

GSVD_FN void scale_by(int64_t n, scalar_t a, scalar_t *x)
{
    WHERE_LONG(n, X(vector_scale)(n, a, x); return );
    for (int64_t i = 0; i < n; ++i)
        x[i] = mul(a, x[i]);
}

/* ||x||_2 without over- or underflow */
GSVD_FN real_t norm_of(int64_t n, const scalar_t *x)
{
    const real_t square = n > 0 ? square_of(n, x) : 0;
    return square > GSVD_SAFMIN / GSVD_ULP && square <= GSVD_REAL_MAX
               ? sqrt_r(square)
               : sumsq_norm_of(n, x);
}

#endif /* GSVD_CORE_VECTOR_H */
