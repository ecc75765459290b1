/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* rotate.h -- the rotations that make two columns orthogonal.
 *
 * Novakovic 2015, (13) and (15)-(18) with t = 1, for real and complex columns.  With g_p^H g_q =
 * |h| e^(i theta) and w = e^(-i theta),
 *
 *     (g_p, g_q) := (g_p, g_q) (  c     s  )     cot 2phi = (a_qq - a_pp) / 2|h|
 *                              ( -s w  c w )     tan phi in [-1, 1]
 *
 * The columns change places if the second one is clearly longer: sorted columns keep the
 * convergence quadratic (de Rijk 1989).  It must be clearly longer, since the exchange of columns
 * of nearly equal length is a rotation by a right angle in place of a small one, and clusters of
 * such columns then take twice the sweeps.
 *
 * Columns of unequal sign in a signature J turn by a hyperbolic rotation, (14) and (15)-(18) with
 * t = -1, which keeps J and their places:
 *
 *     (g_p, g_q) := (g_p, g_q) (  c     s  )     coth 2phi = -(a_pp + a_qq) / 2|h|
 *                              (  s w  c w )     c = cosh phi, s = sinh phi
 */
#ifndef GSVD_CORE_ROTATE_H
#define GSVD_CORE_ROTATE_H

#include "core/vector.h"

#define rotation_t X(rotation_t)
typedef struct rotation_t {
    real_t c, s;
    scalar_t w;
    int rotate; /* 0: the columns are orthogonal already                     */
    int swap;   /* 1: the second column of the product is clearly longer     */
} rotation_t;

/* Columns shorter than this, squared, are left alone: their inner products
 * underflow.  Against columns of length 1 they are far below rounding. */
#define ROTATE_TINY (GSVD_SAFMIN / GSVD_EPS)

/* The second column is clearly longer: |g_p|^2 below this part of |g_q|^2.
 * Measured, sweeps of order 128 with a cluster of values (B of condition 1/ulp)
 * for parts of 1, 0.9, 0.7, 0.5, 0: 31, 17, 17, 19, 18. */
#define ROTATE_SHORTER ((real_t)0.7)

/* From here on sqrt(cot^2 + 1) is |cot| in floating point; squared, a larger
 * one would overflow. */
#define ROTATE_FAR (2 / GSVD_EPS)

/* The identity; r.rotate says whether the cosine of the columns exceeds tol, so that c, s
 * and w are to be set. */
GSVD_FN rotation_t rotation_to_set(real_t app, real_t aqq, real_t h, real_t tol)
{
    rotation_t r;
    r.c = 1;
    r.s = 0;
    r.w = make(1, 0);
    r.rotate = app > ROTATE_TINY && aqq > ROTATE_TINY &&
               h > tol * sqrt_r(app) * sqrt_r(aqq);
    r.swap = 0;
    return r;
}

/* app = |g_p|^2, aqq = |g_q|^2, apq = g_p^H g_q; tol bounds their cosine. */
GSVD_FN rotation_t jacobi_rotation(real_t app, real_t aqq, scalar_t apq,
                                   real_t tol)
{
    const real_t h = abs_of(apq);
    rotation_t r = rotation_to_set(app, aqq, h, tol);
    if (r.rotate) {
        const real_t cot2 = (aqq - app) / (2 * h); /* (15) */
        const real_t ct2 = fabs_r(cot2);
        const real_t ct = ct2 < ROTATE_FAR /* (16) */
                              ? ct2 + sqrt_r(fma_r(ct2, ct2, 1))
                              : 2 * ct2;
        const real_t tn = copysign_r(1 / ct, cot2); /* (17) */
        r.rotate = tn != 0; /* cot 2phi overflows                            */
        r.c = 1 / sqrt_r(fma_r(tn, tn, 1)); /* (18) */
        r.s = r.c * tn;
        r.w = conj_of(direction(apq));
        app -= tn * h;
        aqq += tn * h;
    }
    r.swap = app < ROTATE_SHORTER * aqq;
    return r;
}

/* T(i,j) of the rotation that makes two columns orthogonal.  Their cosine is c = e^(i phi) |c|, and
 * q <= 1 is the length of the second one over that of the first.  The angle is theta:
 *
 *     cot 2theta = (1/q - q) / 2|c|,   T(i,j) = -theta e^(i phi),   T(j,i) = -conj T(i,j)
 *
 * Where lengths differ, theta is about q |c|: T is graded as the columns are. */
GSVD_FN scalar_t rotation_angle(scalar_t c, real_t q)
{
    const real_t h = abs_of(c);
    if (h == 0 || q == 0)
        return make(0, 0);
    const real_t cot2 = (1 / q - q) / (2 * h);
    const real_t ct =
        cot2 < ROTATE_FAR ? cot2 + sqrt_r(fma_r(cot2, cot2, 1)) : 2 * cot2;
    return scale(-atan_r(1 / ct), direction(c));
}

/* Replaces |coth 2phi| if that is 1 in floating point, since the columns are parallel to working
 * accuracy.  Then tanh phi is -1/2, and later sweeps go on. */
#define ROTATE_COTH ((real_t)1.25)

/* rotation_angle of columns of unequal sign, phi hyperbolic:
 *
 *     coth 2phi = (1/q + q) / 2|c|,   T(i,j) = -phi e^(i arg c),   T(j,i) = conj T(i,j) */
GSVD_FN scalar_t hyperbolic_angle(scalar_t c, real_t q)
{
    const real_t h = abs_of(c);
    if (h == 0 || q == 0)
        return make(0, 0);
    const real_t coth2 = (1 / q + q) / (2 * h);
    const real_t ct2 = coth2 > 1 ? coth2 : ROTATE_COTH;
    const real_t ct =
        ct2 < ROTATE_FAR ? ct2 + sqrt_r(fma_r(ct2, ct2, -1)) : 2 * ct2;
    return scale(-atanh_r(1 / ct), direction(c));
}

/* jacobi_rotation for columns of unequal sign: hyperbolic, without a swap */
GSVD_FN rotation_t hyperbolic_rotation(real_t app, real_t aqq, scalar_t apq,
                                       real_t tol)
{
    const real_t h = abs_of(apq);
    rotation_t r = rotation_to_set(app, aqq, h, tol);
    if (r.rotate) {
        const real_t coth2 = (app + aqq) / (2 * h); /* (15) */
        const real_t ct2 = coth2 > 1 ? coth2 : ROTATE_COTH;
        const real_t ct = ct2 < ROTATE_FAR /* (16) */
                              ? ct2 + sqrt_r(fma_r(ct2, ct2, -1))
                              : 2 * ct2;
        r.c = ct < ROTATE_FAR ? ct / sqrt_r(fma_r(ct, ct, -1)) : 1; /* (18) */
        r.s = -r.c / ct;                                            /* (17) */
        r.w = conj_of(direction(apq));
    }
    return r;
}

/* A rotation, and the same of columns over powers of two that are next to their lengths, r
 * the second power over the first:
 *
 *     (g_p, g_q) := (g_p, g_q) (   c     s  )             t = 1, or -1: hyperbolic
 *                              ( -t s w c w )
 *
 *     (g_p, g_q / r) := (g_p, g_q / r) (      c         s / r )
 *                                      ( -t (s r) w      c w  )
 *
 * Where lengths differ much s is next to no number; s / r, what the short column loses to
 * the long one, is about the cosine. */
#define scaled_rotation_t X(scaled_rotation_t)
typedef struct scaled_rotation_t {
    real_t c, s, s_over_r, s_r;
    scalar_t w;
    real_t cosine2; /* the square of the columns' cosine; 0: it is small enough,
                       and the rotation is the identity                      */
    int part;       /* a part of the rotation: the columns are not orthogonal
                       after it                                              */
} scaled_rotation_t;

/* With r^2, or 1/r^2, below this c = 1, and the shorter column alone changes. */
#define ROTATE_APART (GSVD_EPS / 4)

/* Are columns of unequal sign, of the squares x and y, so nearly parallel that they are to turn
 * by tanh phi = -1/2 and no more?  The next rotations go on. */
GSVD_FN int nearly_parallel(real_t x, real_t y, real_t h)
{
    return x + y < 2 * ROTATE_COTH * h;
}

/* In batches |coth 2phi| is at least this, so that cosh phi is at most 19 (single: 6).  In the
 * first sweep columns that are nearly parallel wait.  In a matrix of rank one plus noise all pairs
 * are nearly parallel.  The first sweep then turns columns of equal sign into one long column and
 * noise, and V stays short.  When the others were turned at once, V was long on its way, and V^H J
 * V was off J' by up to 1e7 n eps. */
#define ROTATE_COTH_LEAST                                                      \
    (1 + (GSVD_SINGLE ? (real_t)0x1p-13 : (real_t)0x1p-20))

/* (15) to (18) with fractions extended by 2 |h|: tan phi or tanh phi of columns of the
 * squares x and y */
GSVD_FN real_t tangent(real_t x, real_t y, real_t h, int t)
{
    if (t > 0) {
        const real_t d = y - x;
        return copysign_r(2 * h / (fabs_r(d) + sqrt_r(d * d + 4 * h * h)), d);
    }
    const real_t sum = nearly_parallel(x, y, h) ? 2 * ROTATE_COTH * h : x + y;
    return -2 * h / (sum + sqrt_r((sum - 2 * h) * (sum + 2 * h)));
}

/* jacobi_rotation without a swap (t = 1) or hyperbolic_rotation (t = -1) for
 * a_pp = app, a_qq = r^2 aqq, a_pq = r apq */
GSVD_FN scaled_rotation_t scaled_rotation(real_t app, real_t aqq, scalar_t apq,
                                          real_t r, real_t tol, int t)
{
    const real_t h = abs_of(apq), over_r = 1 / r; /* exact                   */
    const real_t cosine2 = (h / app) * (h / aqq);
    scaled_rotation_t m;
    m.c = 1;
    m.s = m.s_over_r = m.s_r = m.cosine2 = 0;
    m.w = make(1, 0);
    m.part = 0;
    if (!(app > ROTATE_TINY && aqq > ROTATE_TINY && cosine2 > tol * tol))
        return m;
    m.w = conj_of(direction(apq));
    m.cosine2 = cosine2;
    if (r * r < ROTATE_APART) { /* the first one is by far the longer        */
        m.s_over_r = -h / app;
        m.s = m.s_over_r * r;
        m.s_r = m.s * r;
    } else if (over_r * over_r < ROTATE_APART) {
        m.s_r = t > 0 ? h / aqq : -h / aqq;
        m.s = m.s_r * over_r;
        m.s_over_r = m.s * over_r;
    } else {
        const real_t x = app * over_r, y = aqq * r, tn = tangent(x, y, h, t);
        m.part = t < 0 && nearly_parallel(x, y, h);
        m.c = 1 / sqrt_r(t > 0 ? 1 + tn * tn : (1 - tn) * (1 + tn));
        m.s = m.c * tn;
        m.s_over_r = m.s * over_r;
        m.s_r = m.s * r;
    }
    return m;
}

/* -- columns of any length ------------------------------------------------------ */

/* Do the squares of two columns' lengths say how to turn them?  Of columns that are very short or
 * very long they are no normal numbers. */
GSVD_FN int are_squares(real_t app, real_t aqq)
{
    return app > ROTATE_TINY && aqq > ROTATE_TINY && app + aqq <= GSVD_REAL_MAX;
}

/* Does one of them have an entry that is NaN?  Their pair is open, and stays so. */
GSVD_FN int are_nan(real_t app, real_t aqq)
{
    const real_t sum = app + aqq;
    return sum != sum;
}

/* Is a column of this length to be turned?  What denormal numbers lack of the entries of a shorter
 * one keeps its cosines from being small. */
GSVD_FN int long_enough(real_t length) { return length > ROTATE_TINY; }

/* The rotation of two columns of any length, found from (g_p 2^-ep, g_q 2^-eq), whose squares are
 * next to 1 */
#define far_rotation_t X(far_rotation_t)
typedef struct far_rotation_t {
    rotation_t turn; /* of the columns, but for s, which may underflow       */
    real_t part;     /* apart: of the long column over its power of two, that
                        the short one loses, over its own                    */
    int ep, eq;
    int apart; /* One column is by far the longer and stays.                 */
} far_rotation_t;

/* app, aqq, apq: of the columns over 2^ep and 2^eq; t = -1: they are of unequal sign, and do not
 * change places. */
GSVD_FN far_rotation_t far_rotation(real_t app, real_t aqq, scalar_t apq,
                                    int ep, int eq, real_t tol, int t)
{
    const real_t r = ldexp_r(1, eq - ep), over_r = ldexp_r(1, ep - eq);
    const scaled_rotation_t m = scaled_rotation(app, aqq, apq, r, tol, t);
    const int q_short = r * r < ROTATE_APART,
              p_short = over_r * over_r < ROTATE_APART;
    far_rotation_t f;
    f.turn.c = m.c;
    f.turn.s = m.s;
    f.turn.w = m.w;
    f.turn.rotate = m.cosine2 > 0;
    f.turn.swap = p_short;
    f.ep = ep;
    f.eq = eq;
    f.apart = q_short || p_short;
    f.part = !f.turn.rotate ? 0 : abs_of(apq) / (q_short ? app : aqq);
    if (!f.apart) {
        const real_t moved = m.s / m.c * abs_of(apq);
        f.turn.swap = app * over_r - moved < ROTATE_SHORTER * (aqq * r + moved);
    }
    f.turn.swap = f.turn.swap && t > 0;
    return f;
}

/* a 2^e */
GSVD_FN scalar_t shifted(scalar_t a, int e)
{
    return make(ldexp_r(re(a), e), ldexp_r(im(a), e));
}

/* Turns an entry of each of two columns whose lengths are far apart.  The short column loses its
 * part along the long one, and the second column is multiplied by w. */
GSVD_FN void turn_apart(const far_rotation_t *f, scalar_t *x, scalar_t *y)
{
    const scalar_t a = *x, b = mul(f->turn.w, *y);
    const int p_short = f->eq > f->ep;
    const scalar_t lost =
        scale(f->part, shifted(p_short ? b : a, p_short ? -f->eq : -f->ep));
    const scalar_t p = p_short ? sub(a, shifted(lost, f->ep)) : a;
    const scalar_t q = p_short ? b : sub(b, shifted(lost, f->eq));
    *x = f->turn.swap ? q : p;
    *y = f->turn.swap ? p : q;
}

/* The bound of the cosines of columns with so many rows, unless one is given.  With
 * fewer than 16 the rounding of one rotation may exceed it, and a pair be rotated
 * for ever. */
GSVD_FN real_t jacobi_tolerance(double given, int64_t rows)
{
    return given >= 0 ? (real_t)given
                      : sqrt_r((real_t)max_i(rows, 16)) * GSVD_EPS;
}

/* Is the bound above the default?  Columns over their lengths are no unitary matrix to working
 * accuracy then, and are to be made one. */
GSVD_FN int is_loose_tolerance(double given, int64_t rows)
{
    return jacobi_tolerance(given, rows) > jacobi_tolerance(-1, rows);
}

/* Makes columns p and q of G orthogonal, the longer one first; (app, apq; , aqq) is their Gram
 * matrix.  Turns the columns of C, if there are any, as well.  Returns 0 if the pair was
 * orthogonal and sorted before, else 1. */
GSVD_FN int jacobi_turn(mat_t G, mat_t C, real_t tol, int64_t p, int64_t q,
                        real_t app, real_t aqq, scalar_t apq)
{
    const rotation_t r = jacobi_rotation(app, aqq, apq, tol);
    if (r.rotate || r.swap) {
        rotate_both(G.rows, &AT(G, 0, p), &AT(G, 0, q), r.c, r.s, r.w, r.swap);
        if (C.data)
            rotate_both(C.rows, &AT(C, 0, p), &AT(C, 0, q), r.c, r.s, r.w,
                        r.swap);
    }
    return r.rotate || r.swap;
}

/* jacobi_turn for columns of unequal sign.  With K the hyperbolic rotation, columns p and q of G
 * become those of G K, which are orthogonal, and those of C become those of C K^-H. */
GSVD_FN int hyperbolic_turn(mat_t G, mat_t C, real_t tol, int64_t p, int64_t q,
                            real_t app, real_t aqq, scalar_t apq)
{
    const rotation_t r = hyperbolic_rotation(app, aqq, apq, tol);
    if (r.rotate) {
        turn_both(G.rows, &AT(G, 0, p), &AT(G, 0, q), r.c, r.s, r.w);
        if (C.data)
            turn_both(C.rows, &AT(C, 0, p), &AT(C, 0, q), r.c, -r.s, r.w);
    }
    return r.rotate;
}

#endif /* GSVD_CORE_ROTATE_H */
