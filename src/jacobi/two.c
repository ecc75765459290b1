/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* two.c -- csd.c for a pair of order 2 on the host, in closed form (Bai and Demmel
 * 1993):
 *
 *     A = ( a  b )   B = ( e  f )   A B^-1 = C / (e g)   C = ( ag  be - af )
 *         (    d )       (    g )                            (        de   )
 *
 *     1  C = z diag(1, y) |C| diag(1, x)^H    phases, signs if real
 *     2  |C| = Y Sigma X^T                    xLASV2, to a few ulp
 *     3  V = diag(1, x) X,  U = diag(1, y) Y W,  c_j / s_j = sigma_j / |e g|
 *
 * W, a phase, makes the rows of U^H A positive multiples of those of V^H B.
 * Rounding in C is that of a pair whose entries differ by a few ulp of each: the
 * corner's of b and f, the diagonal's of a and d.  So the factors are backward
 * stable and the values those of that pair to a few ulp, whatever the condition.
 */
#include "core/blas.h"
#include "core/value_pair.h"
#include "jacobi/jacobi.h"
#include "qr/few.h"

/* no product of two numbers of this size or of 0 underflows */
#define LEAST (GSVD_SINGLE ? (real_t)0x1p-40 : (real_t)0x1p-400)

static int is_fit(scalar_t x)
{
    const real_t size = abs_max(x);
    return size >= LEAST || size == 0;
}

/* Q := w diag(1, t) (c -s; s c) */
static void put(mat_t Q, real_t c, real_t s, scalar_t t, scalar_t w)
{
    AT(Q, 0, 0) = scale(c, w);
    AT(Q, 1, 0) = scale(s, mul(t, w));
    AT(Q, 0, 1) = scale(-s, w);
    AT(Q, 1, 1) = scale(c, mul(t, w));
}

int X(csd_two_cpu)(mat_t A, mat_t B, solve_work_t *w)
{
    if (A.rows != 2 || B.cols != 2)
        return 0;
    const scalar_t a = AT(A, 0, 0), b = AT(A, 0, 1), d = AT(A, 1, 1);
    const scalar_t e = AT(B, 0, 0), f = AT(B, 0, 1), g = AT(B, 1, 1);
    real_t least, most, sx, cx, sy, cy, length;

    if (!is_fit(a) || !is_fit(b) || !is_fit(d) || !is_fit(f) ||
        !(abs_max(e) >= LEAST) || !(abs_max(g) >= LEAST))
        return 0;
    const scalar_t c11 = mul(a, g), c22 = mul(d, e); /* 1 */
    const scalar_t c12 = sub(mul(b, e), mul(a, f)), det = mul(e, g);
    const scalar_t z = direction(c11), x = mul(z, conj_of(direction(c12)));
    const scalar_t y = mul(mul(direction(c22), x), conj_of(z));
    const real_t f1 = abs_of(c11), g1 = abs_of(c12), h1 = abs_of(c22);

    LASV2(&f1, &g1, &h1, &least, &most, &sx, &cx, &sy, &cy); /* 2 */

    const scalar_t W = mul(z, conj_of(direction(det))); /* 3 */
    const real_t unit = abs_of(det);
    put(few_part(w->GF, 0, 0, 2, 2), cx, sx, x, make(1, 0));
    put(few_part(w->GF, 2, 0, 2, 2), cy, sy, y, W);
    value_pair_normalize(most, unit, &length, &w->c[0], &w->s[0]);
    value_pair_normalize(least, unit, &length, &w->c[1], &w->s[1]);
    return 1;
}
