/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* tangent.h -- the GSVD of a small triangular pair by the singular values of A B^-1, for C and
 * CUDA.  A is m1 x l and B l x l, m1 <= l <= SMALL.  The steps, their numbers and their reasons
 * are those of jacobi/tangent.c.
 */
#ifndef GSVD_SMALL_TANGENT_H
#define GSVD_SMALL_TANGENT_H

#include "core/column_scale.h"
#include "small/csd.h"

enum {
    SMALL_GROWTH_PLAIN = 2, /* jacobi/tangent.c's limits of growth           */
    SMALL_GROWTH_PIVOTED = 6,
    /* Lengths of G's columns, the longest next to 1, are above 2^-this, or 0: their squares
     * are normal numbers. */
    SMALL_RANGE = GSVD_SINGLE ? 40 : 400,
    SMALL_APART =
        GSVD_SINGLE ? 30 : 300 /* bits: jacobi/tangent.c's ROWS_APART */
};

/* R := B D by steps 1 and 2 */
#define small_divisor_t X(small_divisor_t)
typedef struct small_divisor_t {
    mat_t R; /* l x l; its QR where it is factored                           */
    int factored, rows[SMALL], columns[SMALL]; /* S_B and P                  */
    scalar_t tau[SMALL];
} small_divisor_t;

/* order := 0 to n - 1 by size, the largest first */
GSVD_FN void small_order(int64_t n, const real_t *size, int *order)
{
    for (int64_t j = 0; j < n; ++j) {
        int64_t i = j;
        for (; i > 0 && size[order[i - 1]] < size[j]; --i)
            order[i] = order[i - 1];
        order[i] = (int)j;
    }
}

/* 1: w->c: the lengths of A's columns, w->s: of B's; w->g := the diagonal of D */
GSVD_FN void small_equilibrate(mat_t B, small_divisor_t *D, small_t *w)
{
    for (int64_t j = 0; j < B.cols; ++j) {
        w->g[j] = column_scale(w->c[j], w->s[j]);
        for (int64_t i = 0; i <= j; ++i)
            AT(D->R, i, j) = scale(w->g[j], AT(B, i, j));
        D->columns[j] = (int)j;
    }
    D->factored = 0;
}

/* 2 */
GSVD_FN void small_factor_divisor(mat_t B, small_divisor_t *D, small_t *w)
{
    real_t size[SMALL] = {0};

    for (int64_t j = 0; j < B.cols; ++j)
        for (int64_t i = 0; i <= j; ++i)
            size[i] = fmax_r(size[i], abs_max(AT(D->R, i, j)));
    small_order(B.rows, size, D->rows);
    for (int64_t j = 0; j < B.cols; ++j)
        for (int64_t i = 0; i < B.rows; ++i)
            AT(D->R, i, j) = D->rows[i] <= j
                                 ? scale(w->g[j], AT(B, D->rows[i], j))
                                 : make(0, 0);
    (void)small_pivoted_qr(D->R, -1, D->columns, D->tau);
    D->factored = 1;
}

/* 3: F := A D P R^-1; 0 where it grows by more than limit l */
GSVD_FN int small_divide(mat_t A, const small_divisor_t *D, mat_t F, int limit,
                         const small_t *w)
{
    real_t length[SMALL], growth = 0;

    for (int64_t j = 0; j < F.cols; ++j) {
        const int64_t from = D->columns[j];
        const scalar_t over = quotient(make(1, 0), AT(D->R, j, j));
        real_t sum = 0;
        for (int64_t i = 0; i < F.rows; ++i)
            AT(F, i, j) = scale(w->g[from], AT(A, i, from));
        for (int64_t k = 0; k < j; ++k) {
            const scalar_t r = AT(D->R, k, j);
            add_to(F.rows, make(-re(r), -im(r)), &AT(F, 0, k), &AT(F, 0, j));
            sum += length[k] * abs_of(r);
        }
        for (int64_t i = 0; i < F.rows; ++i)
            AT(F, i, j) = mul(over, AT(F, i, j));
        length[j] = norm_of(F.rows, &AT(F, 0, j));
        sum += length[j] * abs_of(AT(D->R, j, j));
        growth = sum <= growth ? growth : sum; /* NaN stays                  */
    }
    return growth <= (real_t)(limit * F.cols);
}

/* 4: T := 2^-*e S F^H, row i of it column order[i] of F */
GSVD_FN void small_transpose(mat_t F, mat_t T, int *order, int *e)
{
    real_t size[SMALL];

    for (int64_t j = 0; j < F.cols; ++j) {
        size[j] = 0;
        for (int64_t k = 0; k < F.rows; ++k)
            size[j] = fmax_r(size[j], abs_max(AT(F, k, j)));
    }
    small_order(F.cols, size, order);
    *e = size[order[0]] > 0 ? exponent_r(size[order[0]]) + 1 : 0;
    for (int64_t j = 0; j < T.cols; ++j)
        for (int64_t i = 0; i < T.rows; ++i) {
            const scalar_t f = conj_of(AT(F, j, order[i]));
            AT(T, i, j) = make(ldexp_r(re(f), -*e), ldexp_r(im(f), -*e));
        }
}

/* 4: the pivoted QR of T, in its place, and its rank; -1 where lengths differ too much */
GSVD_FN int64_t small_factor(mat_t T, small_t *w)
{
    const int64_t rank = small_pivoted_qr(T, 0, w->pivots, w->tau);

    for (int64_t j = 0; j < rank; ++j)
        if (!(abs_max(AT(T, j, j)) > ldexp_r(1, -SMALL_RANGE)))
            return -1;
    for (int64_t j = rank; j < T.cols; ++j) {
        for (int64_t i = rank; i < T.rows; ++i)
            if (abs_max(AT(T, i, j)) != 0)
                return -1;
        w->tau[j] = make(0, 0);
    }
    return rank;
}

/* 4: F has `rank` rows that are not 0.  May others have been lost? */
GSVD_FN int small_loses_rows(mat_t A, int64_t rank)
{
    real_t most = 0, least = GSVD_REAL_MAX;
    int64_t rows = 0;

    for (int64_t i = 0; i < A.rows; ++i) {
        real_t size = 0;
        for (int64_t j = 0; j < A.cols; ++j)
            size = fmax_r(size, abs_max(AT(A, i, j)));
        rows += size > 0;
        most = fmax_r(most, size);
        least = size > 0 && size < least ? size : least;
    }
    return rows > rank && ldexp_r(most, -SMALL_APART) > least;
}

/* 4: G := R'^H of the QR in T */
GSVD_FN void small_lower(mat_t T, mat_t G)
{
    for (int64_t j = 0; j < G.cols; ++j)
        for (int64_t i = 0; i < G.rows; ++i)
            AT(G, i, j) = j <= i ? conj_of(AT(T, j, i)) : make(0, 0);
}

/* 6: c and s of the lengths of G's columns times 2^e, the columns of length 1, and perm,
 * the order of c descending */
GSVD_FN void small_tangent_values(mat_t G, int e, int *perm, small_t *w)
{
    real_t c[SMALL], s[SMALL], unused;
    int no_exponent;

    for (int64_t j = 0; j < w->Z.cols; ++j) {
        const real_t length = j < G.cols ? norm_of(G.rows, &AT(G, 0, j)) : 0;
        int64_t i = j;
        value_pair_of_caller(e, 0, length, 1, &c[j], &s[j], &unused,
                             &no_exponent);
        if (length > 0)
            for (int64_t k = 0; k < G.rows; ++k)
                AT(G, k, j) = scale(1 / length, AT(G, k, j));
        for (; i > 0 && value_pair_before(c, s, j, perm[i - 1]); --i)
            perm[i] = perm[i - 1];
        perm[i] = (int)j;
    }
    for (int64_t j = 0; j < w->Z.cols; ++j) {
        w->c[j] = c[perm[j]];
        w->s[j] = s[perm[j]];
    }
}

/* 6: sorts the columns of U and V, and gives their rows the order of A's and B's.  U is made
 * unitary if it has columns of zeros, from `rank` on, if sweeps did not end, or if cosines may be
 * large. */
GSVD_FN void small_tangent_vectors(int64_t m1, int64_t rank, const int *order,
                                   const int *perm, const small_divisor_t *D,
                                   small_t *w)
{
    const int64_t l = w->Z.cols;
    const mat_t from = w->GF, to = w->W, Z = w->Z;
    const mat_t U = small_part(to, l, 0, m1, m1);
    const mat_t T = small_part(Z, 0, 0, m1, m1);

    for (int64_t j = 0; j < l; ++j) {
        for (int64_t i = 0; i < l; ++i)
            AT(Z, order[i], j) = AT(from, i, perm[j]);
        for (int64_t i = l - 1; D->factored && i >= 0; --i)
            reflect_one(l - i, D->tau[i], &AT(D->R, i, i), &AT(Z, i, j));
        for (int64_t i = 0; j < m1 && i < m1; ++i)
            AT(U, w->pivots[i], j) = AT(from, l + i, perm[j]);
    }
    for (int64_t j = 0; j < l; ++j)
        for (int64_t i = 0; i < l; ++i)
            AT(to, D->factored ? D->rows[i] : i, j) = AT(Z, i, j);
    w->W = from;
    w->GF = to;
    if (rank < m1 || !w->sweeps.converged ||
        is_loose_tolerance(w->sweeps.tol, m1)) {
        small_orthonormalize(U, T, w->tau);
        small_copy(T, U);
    }
}

/* 3: has A D a row that is short of digits? */
GSVD_FN int small_has_short_row(mat_t A, const small_t *w)
{
    for (int64_t i = 0; i < A.rows; ++i) {
        real_t size = 0, own = 0;
        for (int64_t j = 0; j < A.cols; ++j) {
            own = fmax_r(own, abs_max(AT(A, i, j)));
            size = fmax_r(size, w->g[j] * abs_max(AT(A, i, j)));
        }
        if (own > 0 && size < ROTATE_TINY)
            return 1;
    }
    return 0;
}

/* 1 to 3; 0 where F grows too large */
GSVD_FN int small_start(mat_t A, mat_t B, mat_t F, small_divisor_t *D,
                        small_t *w)
{
    small_equilibrate(B, D, w);
    if (small_has_short_row(A, w))
        return 0;
    if (small_divide(A, D, F, SMALL_GROWTH_PLAIN, w))
        return 1;
    small_factor_divisor(B, D, w);
    return small_divide(A, D, F, SMALL_GROWTH_PIVOTED, w);
}

/* Steps 1 to 6: A = U C H, B = V S H, or c and s alone.  w->c and w->s have the lengths of A's and
 * of B's columns.  Returns 0 if it cannot do the pair: then A and B are unchanged, and no sweep
 * was done. */
GSVD_FN int small_tangent(mat_t A, mat_t B, int values_only, small_t *w)
{
    const int64_t m1 = A.rows, l = B.cols;
    const mat_t V = small_part(w->GF, 0, 0, l, l);
    const mat_t F = small_part(w->GF, l, 0, m1, l);
    const mat_t T = small_part(V, 0, 0, l, m1);
    const mat_t G = small_part(F, 0, 0, m1, m1);
    const mat_t none = mat_view(0, 0, 0, 1);
    int order[SMALL], perm[SMALL], e;
    small_divisor_t D;

    D.R = small_part(w->W, 0, 0, l, l);
    if (!small_start(A, B, F, &D, w)) /* 1, 2, 3 */
        return 0;
    small_transpose(F, T, order, &e); /* 4 */
    const int64_t rank = small_factor(T, w);
    if (rank < 0 || e < -SMALL_RANGE ||
        (rank < m1 && small_loses_rows(A, rank)))
        return 0;
    small_lower(T, G);
    if (!values_only)
        small_form_q(V, m1, w->tau);
    small_orthogonalize(G, values_only ? none : T, &w->sweeps); /* 5 */
    small_tangent_values(G, e, perm, w);                        /* 6 */
    if (!values_only)
        small_tangent_vectors(m1, rank, order, perm, &D, w);
    return 1;
}

#endif /* GSVD_SMALL_TANGENT_H */
