/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* csd.h -- the CS decomposition of a small triangular pair, for C and CUDA.  A is m1 x l and B l x
 * l, m1 <= l <= SMALL.  The steps, their numbers and their reasons are those of jacobi/csd.c.
 */
#ifndef GSVD_SMALL_CSD_H
#define GSVD_SMALL_CSD_H

#include "core/rotate.h"
#include "small/csd_2x2.h"
#include "small/qr.h"

/* When Jacobi ends, and how it went. */
#define small_sweeps_t X(small_sweeps_t)
typedef struct small_sweeps_t {
    double tol; /* of the cosines; negative: the default                     */
    int most;   /* sweeps                                                    */
    int (*report)(void *user, int sweep, int64_t rotations); /* or NULL      */
    void *user;
    int done, converged, stopped;
} small_sweeps_t;

/* The pair's factors and the room to find them.  A stack has B's l rows, or V,
 * above A's m1, or U. */
#define small_t X(small_t)
typedef struct small_t {
    scalar_t stack[2][2 * SMALL * SMALL], square[SMALL * SMALL], tau[SMALL];
    mat_t W, GF, Z; /* views of them; at last V and U are in GF              */
    real_t c[SMALL], s[SMALL], g[SMALL];
    int e[SMALL], pivots[SMALL];
    int alike; /* The columns of the pair are of like length, ...            */
    int each;  /* ... those of A, and those of B.                            */
    small_sweeps_t sweeps;
} small_t;

GSVD_FN void small_lay_out(small_t *w, int64_t m1, int64_t l)
{
    w->W = mat_view(w->stack[0], l + m1, l, 2 * SMALL);
    w->GF = mat_view(w->stack[1], l + m1, l, 2 * SMALL);
    w->Z = mat_view(w->square, l, l, SMALL);
    w->alike = 1;
    w->each = 1;
    for (int j = 0; j < SMALL; ++j)
        w->tau[j] = make(0, 0);
}

GSVD_FN void small_copy(mat_t A, mat_t B)
{
    for (int64_t j = 0; j < A.cols; ++j)
        for (int64_t i = 0; i < A.rows; ++i)
            AT(B, i, j) = AT(A, i, j);
}

/* Sweeps until the columns of G are orthogonal; C, or none, gets the rotations. */
GSVD_FN void small_orthogonalize(mat_t G, mat_t C, small_sweeps_t *s)
{
    const real_t tol = jacobi_tolerance(s->tol, G.rows);

    if (G.cols < 2 || s->stopped)
        return;
    for (int sweep = 0; sweep < s->most && !s->stopped; ++sweep) {
        int64_t count = 0;
        for (int64_t p = 0; p < G.cols; ++p)
            for (int64_t q = p + 1; q < G.cols; ++q)
                count += jacobi_pair(G, C, tol, p, q);
        ++s->done;
        if (s->report)
            s->stopped = s->report(s->user, s->done, count);
        if (count == 0)
            return;
    }
    s->converged = 0;
}

/* 1: W = (W2; W1), orthonormal */
GSVD_FN void small_stack(mat_t A, mat_t B, small_t *w)
{
    small_copy(B, w->W);
    small_copy(A, small_part(w->W, B.rows, 0, A.rows, A.cols));
    small_qr(w->W, w->tau);
    small_form_q(w->W, w->W.cols, w->tau);
}

/* 2: Y P = Q R for Y = X^H, Y := reflectors of Q, F := (R^H 0) */
GSVD_FN void small_precondition(mat_t X_, mat_t Y, mat_t F, small_t *w)
{
    for (int64_t j = 0; j < Y.rows; ++j)
        for (int64_t i = 0; i < Y.cols; ++i)
            AT(Y, j, i) = conj_of(AT(X_, i, j));
    (void)small_pivoted_qr(Y, -1, w->pivots, w->tau);
    for (int64_t j = 0; j < F.cols; ++j)
        for (int64_t i = 0; i < F.rows; ++i)
            AT(F, i, j) = j <= i ? conj_of(AT(Y, j, i)) : make(0, 0);
}

/* c_j = |f_j| and s_j = |g_j|, and all four in the order of c descending */
GSVD_FN void small_sort_columns(small_t *w)
{
    const int64_t l = w->Z.cols, m1 = w->GF.rows - l;
    const mat_t from = w->GF, to = w->W;
    real_t x[SMALL], y[SMALL];
    int perm[SMALL];

    for (int64_t j = 0; j < l; ++j) {
        int64_t i = j;
        x[j] = norm_of(m1, &AT(from, l, j));
        y[j] = norm_of(l, &AT(from, 0, j));
        value_pair_unit(&x[j], &y[j]);
        for (; i > 0 && value_pair_before(x, y, j, perm[i - 1]); --i)
            perm[i] = perm[i - 1];
        perm[i] = (int)j;
    }
    for (int64_t j = 0; j < l; ++j) {
        w->c[j] = x[perm[j]];
        w->s[j] = y[perm[j]];
        for (int64_t i = 0; i < l + m1; ++i)
            AT(to, i, j) = AT(from, i, perm[j]);
    }
    w->W = from;
    w->GF = to;
}

/* 6: Q := the unitary factor of G = Q R, R with a nonnegative diagonal */
GSVD_FN void small_orthonormalize(mat_t G, mat_t Q, scalar_t *tau)
{
    small_qr(G, tau);
    small_copy(small_part(G, 0, 0, G.rows, Q.cols), Q);
    small_form_q(Q, Q.cols, tau);
    for (int64_t j = 0; j < Q.cols; ++j) {
        const scalar_t phase = direction(AT(G, j, j));
        for (int64_t i = 0; i < Q.rows; ++i)
            AT(Q, i, j) = mul(AT(Q, i, j), phase);
    }
}

/* B := A with its columns in reverse order */
GSVD_FN void small_reverse(mat_t A, mat_t B)
{
    for (int64_t j = 0; j < A.cols; ++j)
        for (int64_t i = 0; i < A.rows; ++i)
            AT(B, i, j) = AT(A, i, A.cols - 1 - j);
}

/* A = U C H, B = V S H with C^2 + S^2 = I, for triangles of order 2, by a closed form.  Returns 0,
 * with nothing done, if that does not apply. */
GSVD_FN int small_csd_2x2(mat_t A, mat_t B, small_t *w)
{
    const int64_t m1 = A.rows, l = B.cols;
    const mat_t F = small_part(w->GF, l, 0, m1, l);
    const mat_t G = small_part(w->GF, 0, 0, l, l);

    return l == 2 && m1 == 2 && abs_max(AT(A, 1, 0)) == 0 &&
           csd_2x2(A, B, F, G, w->c, w->s);
}

/* ... by sweeps */
GSVD_FN void small_csd_vectors(mat_t A, mat_t B, small_t *w)
{
    const int64_t m1 = A.rows, l = B.cols;
    const mat_t Z = w->Z, Z1 = small_part(Z, 0, 0, l, m1);
    const mat_t F = small_part(w->GF, l, 0, m1, l),
                G = small_part(w->GF, 0, 0, l, l);
    int64_t lead = 0;

    small_stack(A, B, w);                                        /* 1 */
    small_precondition(small_part(w->W, l, 0, m1, l), Z1, F, w); /* 2 */
    small_form_q(Z, m1, w->tau);
    small_orthogonalize(small_part(F, 0, 0, m1, m1), Z1, &w->sweeps); /* 3 */
    small_copy(small_part(w->W, 0, 0, l, l), G);                      /* 4 */
    small_times(G, Z);
    small_sort_columns(w); /* 5 */
    while (lead < l && w->c[lead] > w->s[lead])
        ++lead;
    if (lead > 1) {
        small_orthogonalize(small_part(w->GF, 0, 0, l, lead),
                            small_part(w->GF, l, 0, m1, lead), &w->sweeps);
        small_sort_columns(w);
    }
    const mat_t T1 = small_part(Z, 0, 0, m1, m1),
                V = small_part(w->GF, 0, 0, l, l); /* 6 */
    const mat_t U = small_part(w->GF, l, 0, m1, m1);
    small_orthonormalize(U, T1, w->tau);
    for (int64_t j = 0; j < m1; ++j)
        for (int64_t i = 0; i < m1; ++i)
            AT(U, w->pivots[i], j) = AT(T1, i, j);
    const mat_t V1 = small_part(w->W, 0, 0, l, l);
    small_reverse(V, Z);
    small_orthonormalize(Z, V1, w->tau);
    small_reverse(V1, V);
}

/* x := the singular values of X_, descending, and zeros up to l */
GSVD_FN void small_singular_values(mat_t X_, small_t *w, real_t *x)
{
    const int64_t r = X_.rows, l = X_.cols;
    const mat_t F = small_part(w->GF, 0, 0, r, r);

    small_precondition(X_, small_part(w->Z, 0, 0, l, r), F, w);
    small_orthogonalize(F, mat_view(0, 0, 0, 1), &w->sweeps);
    for (int64_t j = 0; j < l; ++j) {
        const real_t length = j < r ? norm_of(r, &AT(F, 0, j)) : 0;
        int64_t i = j;
        for (; i > 0 && x[i - 1] < length; --i)
            x[i] = x[i - 1];
        x[i] = length;
    }
}

/* c and s alone: the values of W1 and W2 apart.  Each pair takes its smaller one,
 * which is the accurate one, and the larger from c^2 + s^2 = 1. */
GSVD_FN void small_csd_values(mat_t A, mat_t B, small_t *w)
{
    const int64_t m1 = A.rows, l = B.cols;
    real_t s[SMALL] = {0};

    small_stack(A, B, w);
    small_singular_values(small_part(w->W, l, 0, m1, l), w, w->c);
    small_singular_values(small_part(w->W, 0, 0, l, l), w, s);
    for (int64_t j = 0; j < l; ++j) {
        w->s[j] = s[l - 1 - j];
        value_pair_complete(&w->c[j], &w->s[j]);
    }
    w->GF.rows = 0; /* neither U nor V                                       */
}

GSVD_FN void small_csd(mat_t A, mat_t B, int values_only, small_t *w)
{
    if (values_only)
        small_csd_values(A, B, w);
    else if (!small_csd_2x2(A, B, w))
        small_csd_vectors(A, B, w);
}

#endif /* GSVD_SMALL_CSD_H */
