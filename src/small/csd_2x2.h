/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* csd_2x2.h -- the pair of order 2 in closed form (Bai and Demmel 1993):
 *
 *     A = ( a  b )   B = ( e  f )   A B^-1 = C / (e g)   C = ( ag  be - af )
 *         (    d )       (    g )                            (        de   )
 *
 *     1  C = z diag(1, y) |C| diag(1, x)^H    phases, signs if real
 *     2  |C| = Y Sigma X^T                    svd_2x2
 *     3  V = diag(1, x) X,  U = diag(1, y) Y W,  c_j / s_j = sigma_j / |e g|
 *
 * W, a phase, makes the rows of U^H A positive multiples of those of V^H B.  The rounded C belongs
 * to a pair whose entries differ from the given ones by a few ulp of each: b and f account for the
 * error of the corner, a and d for those of the diagonal.  So the factors are backward stable, and
 * the values are those of that pair to a few ulp, whatever the condition.
 */
#ifndef GSVD_SMALL_CSD_2X2_H
#define GSVD_SMALL_CSD_2X2_H

#include "core/matrix.h"
#include "core/value_pair.h"

#define svd_2x2_t X(svd_2x2_t)
typedef struct svd_2x2_t {
    real_t most, least; /* the singular values                               */
    real_t cl, sl;      /* the left and the right singular vectors of `most`; */
    real_t cr, sr;      /* those of `least` are (-sl, cl) and (-sr, cr)       */
} svd_2x2_t;

/* The SVD of (f g; 0 h) with f >= h >= 0, g >= 0.  Let t = 1 + h/f, d = 1 - h/f and q = g/f.  The
 * values over f are (|(t,q)| +- |(d,q)|) / 2, their product is h/f, and the right vector has
 *
 *     sr / cr = (most^2 - 1) / q,   most - 1 = (q^2 / (|(t,q)| + t) +
 *                                               q^2 / (|(d,q)| + d)) / 2
 *
 * in which nothing cancels (Demmel and Kahan 1990, section 3). */
GSVD_FN svd_2x2_t svd_2x2_sorted(real_t f, real_t g, real_t h)
{
    svd_2x2_t S;
    if (g == 0) {
        S.most = f;
        S.least = h;
        S.cl = S.cr = 1;
        S.sl = S.sr = 0;
    } else if (f <= GSVD_EPS * g) { /* f, h are rounding of g                 */
        S.most = g;
        S.least = h > 1 ? f / (g / h) : f / g * h;
        S.cl = S.sr = 1;
        S.sl = h / g;
        S.cr = f / g;
    } else {
        const real_t d = (f - h) / f, t = 2 - d, q = g / f;
        const real_t plus = sqrt_r(t * t + q * q);
        const real_t minus = d > 0 ? sqrt_r(d * d + q * q) : q;
        const real_t most = (plus + minus) / 2;
        /* d = 0: 1, also where q underflows                                 */
        const real_t part = d > 0 ? q / (minus + d) : 1;
        const real_t tangent = (q / (plus + t) + part) * (1 + most) / 2;
        S.cr = 1 / sqrt_r(1 + tangent * tangent);
        S.sr = tangent * S.cr;
        S.cl = (S.cr + S.sr * q) / most;
        S.sl = h / f * S.sr / most;
        S.most = f * most;
        S.least = h / most;
    }
    return S;
}

/* (f g; 0 h) = (cl -sl; sl cl) diag(most, least) (cr -sr; sr cr)^T, f, g, h >= 0;
 * each number to a few ulp.  Where h is larger, the transpose with both orders
 * reversed is taken. */
GSVD_FN svd_2x2_t svd_2x2(real_t f, real_t g, real_t h)
{
    if (f >= h)
        return svd_2x2_sorted(f, g, h);
    const svd_2x2_t R = svd_2x2_sorted(h, g, f);
    svd_2x2_t S = R;
    S.cl = R.sr;
    S.sl = R.cr;
    S.cr = R.sl;
    S.sr = R.cl;
    return S;
}

/* No product of two numbers of this size, or of 0, underflows. */
GSVD_FN int csd_2x2_takes(scalar_t x, int zero)
{
    const real_t least = GSVD_SINGLE ? (real_t)0x1p-40 : (real_t)0x1p-400;
    const real_t size = abs_max(x);
    return size >= least || (zero && size == 0);
}

/* Q := w diag(1, t) (c -s; s c) */
GSVD_FN void csd_2x2_vectors(mat_t Q, real_t c, real_t s, scalar_t t,
                             scalar_t w)
{
    AT(Q, 0, 0) = scale(c, w);
    AT(Q, 1, 0) = scale(s, mul(t, w));
    AT(Q, 0, 1) = scale(-s, w);
    AT(Q, 1, 1) = scale(c, mul(t, w));
}

/* A = U C H, B = V S H; 0 where products of entries may underflow: then nothing was
 * done */
GSVD_FN int csd_2x2(mat_t A, mat_t B, mat_t U, mat_t V, real_t *c, real_t *s)
{
    const scalar_t a = AT(A, 0, 0), b = AT(A, 0, 1), d = AT(A, 1, 1);
    const scalar_t e = AT(B, 0, 0), f = AT(B, 0, 1), g = AT(B, 1, 1);
    real_t length;

    if (!csd_2x2_takes(a, 1) || !csd_2x2_takes(b, 1) || !csd_2x2_takes(d, 1) ||
        !csd_2x2_takes(f, 1) || !csd_2x2_takes(e, 0) || !csd_2x2_takes(g, 0))
        return 0;
    const scalar_t c11 = mul(a, g), c22 = mul(d, e); /* 1 */
    const scalar_t c12 = sub(mul(b, e), mul(a, f)), det = mul(e, g);
    const scalar_t z = direction(c11), x = mul(z, conj_of(direction(c12)));
    const scalar_t y = mul(mul(direction(c22), x), conj_of(z));

    const svd_2x2_t S = svd_2x2(abs_of(c11), abs_of(c12), abs_of(c22)); /* 2 */

    const scalar_t W = mul(z, conj_of(direction(det))); /* 3 */
    csd_2x2_vectors(V, S.cr, S.sr, x, make(1, 0));
    csd_2x2_vectors(U, S.cl, S.sl, y, W);
    value_pair_normalize(S.most, abs_of(det), &length, &c[0], &s[0]);
    value_pair_normalize(S.least, abs_of(det), &length, &c[1], &s[1]);
    return 1;
}

#endif /* GSVD_SMALL_CSD_2X2_H */
