/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* ldl.h -- the driver of ldl.c, and what its primitives share, one text for C and CUDA. */
#ifndef GSVD_PIVOT_LDL_H
#define GSVD_PIVOT_LDL_H

#include "core/size_bits.h"
#include "pivot/pivot.h"

/* Bunch and Parlett's: a diagonal entry is a pivot if it is at least so much of the largest entry.
 * Then no entry of L is larger than LDL_MOST. */
#define LDL_ALPHA                                                              \
    ((real_t)0.6403882032022076)              /* (1 + sqrt 17) / 8            */
#define LDL_MOST ((real_t)2.7807764064044151) /* 1 / (1 - LDL_ALPHA)          */
/* A column of L that is tried is accepted up to this.                       */
#define LDL_ACCEPTED ((real_t)2)

enum {
    LDL_PIVOTS = 64, /* of a panel, at most                                  */
    /* columns that they are chosen from: as many as one block of threads has room for */
    LDL_CANDIDATES = REALS_PER_SCALAR == 2 && !GSVD_SINGLE ? 96 : 128
};

/* The j-th column of L belongs to a pivot of order 1, or is the first or second of order 2. */
typedef enum ldl_place {
    LDL_ONE = 1,
    LDL_FIRST = 2,
    LDL_SECOND = 3
} ldl_place_t;

/* One panel, in the backend's memory.  Four numbers come first, so that what follows is aligned alike in
 * C and in CUDA, where a complex number is aligned by its size. */
struct ldl_panel_t {
    int candidates, pivots, moves, none;
    int candidate[LDL_CANDIDATES]; /* columns of what is left                */
    int place[LDL_PIVOTS];         /* of each pivot among the candidates     */
    int kind[LDL_PIVOTS];          /* ldl_place_t                            */
    /* The exchange: columns and rows from[k] go to to[k], all at once.      */
    int from[2 * LDL_PIVOTS], to[2 * LDL_PIVOTS];
    unsigned largest[LDL_PIVOTS]; /* of each column of L: size_bits           */
    real_t d[LDL_PIVOTS]; /* D's diagonal, and below it: 0 but for LDL_FIRST */
    scalar_t e[LDL_PIVOTS];
    /* of the candidates, as far as they are rows of L; and L11^H of the pivots, then I */
    scalar_t factor[LDL_CANDIDATES * LDL_PIVOTS];
    scalar_t R[LDL_PIVOTS * LDL_PIVOTS];
};

/* -- pivots ------------------------------------------------------------------------ */

/* Is the pivot of order 2?  By the largest diagonal entry and the largest one off it */
GSVD_FN int ldl_is_pair(unsigned diagonal, unsigned off)
{
    return real_of_bits(diagonal) < LDL_ALPHA * real_of_bits(off);
}

/* How many pivots of the panel are accepted */
GSVD_FN int ldl_accept(const ldl_panel_t *p)
{
    const unsigned most = real_bits(LDL_ACCEPTED);
    int t = 0;
    while (t < p->pivots) {
        const int two = p->kind[t] == LDL_FIRST;
        if (t > 0 &&
            (p->largest[t] > most || (two && p->largest[t + 1] > most)))
            break;
        t += 1 + two;
    }
    return t;
}

/* The inverse of E = (a conj(b); b c), |b| the largest entry, |a|, |c| <= LDL_ALPHA |b|; of
 * E = (a) where b = 0.  Entries of E^-1 are `up` times these, so that none overflows. */
#define ldl_inverse_t X(ldl_inverse_t)
typedef struct ldl_inverse_t {
    real_t up, s11, s22;
    scalar_t s21;
} ldl_inverse_t;

GSVD_FN real_t ldl_up(real_t size)
{
    const real_t small = GSVD_SINGLE ? (real_t)0x1p-100f : (real_t)0x1p-960;
    const real_t up = GSVD_SINGLE ? (real_t)0x1p60f : (real_t)0x1p500;
    return size < small ? up : 1;
}

GSVD_FN ldl_inverse_t ldl_inverse(real_t a, scalar_t b, real_t c)
{
    ldl_inverse_t E;
    const real_t size = abs_of(b);
    if (size == 0) {
        E.up = ldl_up(fabs_r(a));
        E.s11 = 1 / (E.up * a);
        E.s22 = 0;
        E.s21 = make(0, 0);
        return E;
    }
    E.up = ldl_up(size);
    const real_t inverse = 1 / (E.up * size);
    const real_t alpha = E.up * a * inverse, gamma = E.up * c * inverse;
    const real_t t = inverse / (alpha * gamma - 1);
    E.s11 = t * gamma;
    E.s22 = t * alpha;
    E.s21 = scale(-t, scale(inverse, scale(E.up, b)));
    return E;
}

/* (x, y) := (u, v) E^-1 */
GSVD_FN void ldl_divide(ldl_inverse_t E, scalar_t u, scalar_t v, scalar_t *x,
                        scalar_t *y)
{
    u = scale(E.up, u);
    v = scale(E.up, v);
    *x = mul_add(E.s21, v, scale(E.s11, u));
    *y = mul_add(conj_of(E.s21), u, scale(E.s22, v));
}

/* The larger of two numbers, and abs_max: compilers have vector instructions for this form */
GSVD_FN real_t ldl_larger(real_t x, real_t y) { return x > y ? x : y; }
GSVD_FN real_t ldl_size(scalar_t a)
{
    return REALS_PER_SCALAR > 1 ? ldl_larger(fabs_r(re(a)), fabs_r(im(a)))
                                : fabs_r(re(a));
}

/* a - x u - y v, or 0 where all that is left is rounding of these: as noise, it would be a pivot of
 * full size among what is left later on.  two = 0: without y v */
GSVD_FN scalar_t ldl_eliminate(scalar_t a, scalar_t x, scalar_t u, scalar_t y,
                               scalar_t v, int two)
{
    const real_t rounding = 8 * GSVD_EPS;
    real_t most = ldl_size(a);
    a = mul_add(x, make(-re(u), -im(u)), a);
    if (two) {
        most = ldl_larger(most, ldl_size(a));
        a = mul_add(y, make(-re(v), -im(v)), a);
    }
    return ldl_size(a) <= rounding * most ? make(0, 0) : a;
}

/* -- values of the pivots ----------------------------------------------------------- */

/* D's pivot in column t, and in t + 1 where it is of order 2: (a conj(b); b c) */
#define ldl_pivot_t X(ldl_pivot_t)
typedef struct ldl_pivot_t {
    int two;
    real_t a, c;
    scalar_t b;
} ldl_pivot_t;

GSVD_FN int ldl_is_second(const scalar_t *e, int64_t t)
{
    return t > 0 && abs_max(e[t - 1]) > 0;
}

/* where t is no second column */
GSVD_FN ldl_pivot_t ldl_pivot_at(const real_t *d, const scalar_t *e, int64_t t)
{
    ldl_pivot_t P;
    P.two = abs_max(e[t]) > 0;
    P.a = d[t];
    P.b = e[t];
    P.c = P.two ? d[t + 1] : 0;
    return P;
}

/* Row i of L and of W = L D in the columns of P, of order 2 */
GSVD_FN void ldl_row_sizes(mat_t L, int64_t s, ldl_pivot_t P, int64_t i,
                           real_t l[2], real_t w[2])
{
    const scalar_t u = AT(L, i, s), v = AT(L, i, s + 1);
    l[0] = abs_of(u);
    l[1] = abs_of(v);
    w[0] = abs_of(add(scale(P.a, u), mul(P.b, v)));
    w[1] = abs_of(add(mul(conj_of(P.b), u), scale(P.c, v)));
}

/* The pivot P in column s has subtracted numbers of size y(i) y(j) from A(i,j), up to sums; returns
 * y(i)^2.  |L(i,t)| |W(j,t)| <= y(i) y(j) with y(i)^2 = l w max(|L(i,t)| / l, |W(i,t)| / w)^2, where
 * l and w are the largest entries of these columns, below P: l[0:2), w[0:2). */
GSVD_FN real_t ldl_subtracted(mat_t L, int64_t s, ldl_pivot_t P, int64_t i,
                              const real_t l[2], const real_t w[2])
{
    real_t x[2], y[2], sum = 0;
    if (!P.two) {
        const real_t one = abs_of(AT(L, i, s)) * sqrt_r(fabs_r(P.a));
        return one * one;
    }
    ldl_row_sizes(L, s, P, i, x, y);
    for (int t = 0; t < 2; ++t) {
        if (l[t] == 0 || w[t] == 0)
            continue;
        const real_t one =
            fmax_r(x[t] / l[t], y[t] / w[t]) * (sqrt_r(l[t]) * sqrt_r(w[t]));
        sum += one * one;
    }
    return sum;
}

/* A pivot is what rounding has left if it is at most LDL_ROUNDING sqrt(n) eps times what was
 * subtracted from it.  Matrices of small integers with n <= 32 and ranks below n left up to 2.4
 * sqrt(n) eps; between powers of two on both sides, up to 400, one in 500 more than 20. */
#define LDL_ROUNDING 64

/* What rounding has left of a diagonal entry of a pivot of order 2 goes on into the rows below: it
 * is |L(i,t)|^2 times that entry's y[t], t = 0, 1, if the entry is not more. */
GSVD_FN real_t ldl_handed_on(mat_t L, int64_t s, ldl_pivot_t P, int64_t i,
                             real_t least, const real_t *y)
{
    real_t sum = 0;
    for (int t = 0; t < 2 && P.two; ++t) {
        const real_t entry = fabs_r(t == 0 ? P.a : P.c);
        const real_t one = abs_of(AT(L, i, s + t)) * sqrt_r(y[t]);
        if (entry > 0 && entry <= least * y[t])
            sum += one * one;
    }
    return sum;
}

/* P of order 2 is V diag(lambda) V^H, V = diag(1, phase) (c s; -s c) */
#define ldl_turn_t X(ldl_turn_t)
typedef struct ldl_turn_t {
    real_t c, s, lambda[2];
    scalar_t phase;
} ldl_turn_t;

GSVD_FN ldl_turn_t ldl_turn(ldl_pivot_t P)
{
    ldl_turn_t T;
    const real_t size = abs_of(P.b), up = ldl_up(size);
    const real_t z = up * (P.c - P.a) / (2 * up * size); /* |z| < 1          */
    const real_t t = copysign_r(1, z) / (fabs_r(z) + sqrt_r(1 + z * z));
    T.phase = direction(P.b);
    T.c = 1 / sqrt_r(1 + t * t);
    T.s = t * T.c;
    T.lambda[0] = P.a - t * size;
    T.lambda[1] = P.c + t * size;
    return T;
}

GSVD_FN real_t ldl_key(real_t lambda, int by_sign)
{
    return (real_t)(lambda != 0) + (real_t)(by_sign && lambda > 0);
}

/* ldl_values of P, where y[0:2) are the sums of what was subtracted from its rows, y(i)^2 */
GSVD_FN void ldl_set_values(ldl_pivot_t P, const real_t *y, real_t least,
                            int by_sign, real_t *lambda, real_t *key)
{
    if (P.two) { /* |a|, |c| < |b|                                           */
        const ldl_turn_t T = ldl_turn(P);
        const int rounding =
            abs_of(P.b) <= least * (sqrt_r(y[0]) * sqrt_r(y[1]));
        lambda[0] = rounding ? 0 : T.lambda[0];
        lambda[1] = rounding ? 0 : T.lambda[1];
        key[1] = ldl_key(lambda[1], by_sign);
    } else
        lambda[0] = fabs_r(P.a) <= least * y[0] ? 0 : P.a;
    key[0] = ldl_key(lambda[0], by_sign);
}

/* L(i,t), and L(i,t+1) of a pivot of order 2, := that of L V |lambda|^(1/2) */
GSVD_FN void ldl_root_row(mat_t L, ldl_pivot_t P, const real_t *lambda,
                          int64_t i, int64_t t)
{
    const scalar_t u = AT(L, i, t);
    if (!P.two) {
        AT(L, i, t) = scale(sqrt_r(fabs_r(lambda[0])), u);
        return;
    }
    const ldl_turn_t T = ldl_turn(P);
    const scalar_t v = mul(T.phase, AT(L, i, t + 1));
    const scalar_t x = sub(scale(T.c, u), scale(T.s, v));
    const scalar_t y = add(scale(T.s, u), scale(T.c, v));
    AT(L, i, t) = scale(sqrt_r(fabs_r(lambda[0])), x);
    AT(L, i, t + 1) = scale(sqrt_r(fabs_r(lambda[1])), y);
}

#if defined __cplusplus
extern "C" {
#endif

/* The work of the CPU's primitives */
size_t X(ldl_bytes)(int64_t n);

/* -- the driver, ldl.c ------------------------------------------------------------- */

/* P A P^T = L D L^H, where row i of P A is row perm[i] of A; D has pivots of order 1 and 2. */
#define ldl_t X(ldl_t)
typedef struct ldl_t {
    mat_t L;     /* n x n; columns behind the last pivot are 0               */
    int *perm;   /* n                                                        */
    real_t *d;   /* n: D's diagonal, 0 behind the last pivot                 */
    scalar_t *e; /* n: e[t] = D(t+1,t), not 0 where a pivot of order 2 begins */
    real_t *lambda; /* n: D's eigenvalues; 0: the pivot is rounding, or none  */
    real_t *key;    /* n: what orders them, the largest first: ldl_values    */
    int *order;     /* n: columns with a value first; and                    */
    int64_t rank, plus; /* columns with a value, with a positive one, both set
                           by hetrf_sorted (gsvd/pipeline.h)                 */
} ldl_t;

void X(ldl_take)(arena_t *a, int64_t n, ldl_t *F);

/* Factors the Hermitian A, of which both triangles are given, and which is overwritten.  F->L is
 * given.  Stops where no entry that is left is larger than tol.  tol < 0: goes on while anything is
 * left, and then takes pivots that are rounding for 0.  by_sign: F->key has the positive values
 * first, then the negative ones.  Waits, once a panel. */
gsvd_status_t X(hetrf)(const exec_t *ex, mat_t A, real_t tol, int by_sign,
                       ldl_t *F);
size_t X(hetrf_work_bytes)(const exec_t *ex, int64_t n);
double X(hetrf_seconds)(const exec_t *ex, int64_t n);

/* A = G diag(I, -I) G^H of order `plus` and rank - plus, up to what was taken for 0, for an F whose
 * order is by sign.  G is n x n, its last columns are 0; it may be F->L.  work is n x n. */
gsvd_status_t X(ldl_root)(const exec_t *ex, const ldl_t *F, mat_t work,
                          mat_t G);

#if defined __cplusplus
}
#endif

#endif /* GSVD_PIVOT_LDL_H */
