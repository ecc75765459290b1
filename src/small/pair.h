/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* pair.h -- the GSVD of a small pair from its entries to its factors: text for C and
 * CUDA, with the steps of gsvd/run.c.
 *
 *     1, 2  small_preprocess   m, n, p <= SMALL, B of full column rank; else it declines
 *     3     small_csd_2x2, small_tangent or small_csd
 *                              l <= SMALL, like the two that follow
 *     4     small_sort
 *     5     small_assemble
 */
#ifndef GSVD_SMALL_PAIR_H
#define GSVD_SMALL_PAIR_H

#include "core/elementwise.h"
#include "core/pair.h"
#include "core/range.h"
#include "pivot/inverse_iteration.h"
#include "small/tangent.h"

/* -- 1: A := 2^-ea A, B := 2^-eb B --------------------------------------------- */

/* Row i is to be row order[i] of the caller's matrix, where rows differ. */
#define small_rows_t X(small_rows_t)
typedef struct small_rows_t {
    int differ, order[SMALL];
} small_rows_t;

/* The largest entry of 2^-e A is next to 1.  Returns 0 where an entry is not finite.  *rows,
 * or NULL */
GSVD_FN int small_exponent(mat_t A, int *e, small_rows_t *rows)
{
    real_t largest = 0, least = GSVD_REAL_MAX, zero = 0, sizes[SMALL] = {0};

    for (int64_t i = 0; i < A.rows; ++i) {
        real_t size = 0;
        for (int64_t j = 0; j < A.cols; ++j) {
            const real_t x = fabs_r(re(AT(A, i, j)));
            const real_t y = fabs_r(im(AT(A, i, j)));
            zero += 0 * x + 0 * y; /* NaN where one is not finite            */
            size = x > size ? x : size;
            size = y > size ? y : size;
        }
        largest = size > largest ? size : largest;
        least = size > 0 && size < least ? size : least;
        sizes[i] = size;
    }
    if (!(zero == 0))
        return 0;
    *e = largest > 0 ? exponent_r(largest) + 1 : 0;
    if (!rows)
        return 1;
    rows->differ = rows_are_sorted(largest, least);
    if (rows->differ)
        small_order(A.rows, sizes, rows->order);
    return 1;
}

/* B := 2^e A, e such that nothing overflows */
GSVD_FN void small_scale(mat_t A, int e, mat_t B)
{
    for (int64_t j = 0; j < A.cols; ++j)
        for (int64_t i = 0; i < A.rows; ++i)
            AT(B, i, j) =
                make(ldexp_r(re(AT(A, i, j)), e), ldexp_r(im(AT(A, i, j)), e));
}

/* Does 2^-e A lose digits of an entry? */
GSVD_FN int small_loses(mat_t A, int e)
{
    const real_t least = ldexp_r(GSVD_SAFMIN / GSVD_EPS, e);

    for (int64_t j = 0; e > 0 && j < A.cols; ++j)
        for (int64_t i = 0; i < A.rows; ++i) {
            const real_t x = fabs_r(re(AT(A, i, j)));
            const real_t y = fabs_r(im(AT(A, i, j)));
            if ((x > 0 && x < least) || (y > 0 && y < least))
                return 1;
        }
    return 0;
}

/* ea and eb := those of the pair, which are given as if largest entries were to be next to 1; 0:
 * entries may be lost. */
GSVD_FN int small_choose_scales(pair_t *P, int *ea, int *eb)
{
    P->top = pair_top(*ea, *eb);
    *ea -= P->top;
    *eb -= P->top;
    return !small_loses(P->A, *ea) && !small_loses(P->B, *eb);
}

/* ... of a triangular pair of at most SMALL rows and columns; 0: it is as it was. */
GSVD_FN int small_scale_pair(pair_t *P)
{
    int ea, eb;
    if (!small_exponent(P->A, &ea, 0) || !small_exponent(P->B, &eb, 0) ||
        !small_choose_scales(P, &ea, &eb))
        return 0;
    if (ea != 0)
        small_scale(P->A, -ea, P->A);
    if (eb != 0)
        small_scale(P->B, -eb, P->B);
    P->ea = ea;
    P->eb = eb;
    return 1;
}

/* -- 2: a triangular pair ------------------------------------------------------ */

/* The tolerance of the rank of A, which is 2^-e times the caller's matrix, as `given`
 * for that; LAPACK's if that is negative. */
GSVD_FN real_t small_tolerance(mat_t A, real_t given, int e)
{
    real_t norm1 = 0;

    if (given >= 0)
        return ldexp_r(given, -e);
    for (int64_t j = 0; j < A.cols; ++j) {
        real_t sum = 0;
        for (int64_t i = 0; i < A.rows; ++i)
            sum += abs_of(AT(A, i, j));
        norm1 = sum > norm1 ? sum : norm1;
    }
    return rank_tolerance(A.rows, A.cols, norm1);
}

/* A holds a QR: A := its R, and U, where it is wanted, := its unitary factor. */
GSVD_FN void small_take_factors(mat_t A, mat_t U, const scalar_t *tau)
{
    const int64_t r = min_i(A.rows, A.cols);
    if (U.data) {
        small_copy(small_part(A, 0, 0, A.rows, r), U);
        small_form_q(U, r, tau);
    }
    for (int64_t j = 0; j < A.cols; ++j)
        for (int64_t i = j + 1; i < A.rows; ++i)
            AT(A, i, j) = make(0, 0);
}

/* Row i of A := row order[i], or, back, the other way round */
GSVD_FN void small_sort_rows(mat_t A, const small_rows_t *rows, int back)
{
    scalar_t copy[SMALL];

    for (int64_t j = 0; rows->differ && j < A.cols; ++j) {
        for (int64_t i = 0; i < A.rows; ++i)
            copy[i] = AT(A, i, j);
        for (int64_t i = 0; i < A.rows; ++i)
            if (back)
                AT(A, rows->order[i], j) = copy[i];
            else
                AT(A, i, j) = copy[rows->order[i]];
    }
}

/* Column j of A := column perm[j], or, back, the other way round */
GSVD_FN void small_permute_columns(mat_t A, const int *perm, int back)
{
    for (int64_t i = 0; i < A.rows; ++i) {
        scalar_t row[SMALL];
        for (int64_t j = 0; j < A.cols; ++j)
            row[j] = AT(A, i, back ? j : perm[j]);
        for (int64_t j = 0; j < A.cols; ++j)
            AT(A, i, back ? perm[j] : j) = row[j];
    }
}

/* A := the factor R of its QR, times P^T where its columns are pivoted, and U: P->U */
GSVD_FN void small_factor_a(const pair_t *P, const small_rows_t *rows)
{
    const mat_t A = P->A, U = P->U;
    const int pivot = rows->differ && P->any_a23;
    scalar_t tau[SMALL];
    int perm[SMALL] = {0};

    small_sort_rows(A, rows, 0);
    if (pivot)
        (void)small_pivoted_qr(A, -1, perm, tau);
    else
        small_qr(A, tau);
    small_take_factors(A, U, tau);
    if (pivot)
        small_permute_columns(A, perm, 1);
    if (U.data)
        small_sort_rows(U, rows, 1);
}

/* The shapes of pairs that small_preprocess takes */
GSVD_FN int small_fits(const pair_t *P)
{
    return P->n > 0 && P->n <= P->p && P->p <= SMALL && P->m <= SMALL;
}

/* What is left of urv/preprocess.c, with its numbers, where B has full column rank:
 *
 *     1  B P1 = V (S1; 0)            pivoted QR of a copy of B, l = n
 *     3  A := A P1
 *     6  A := U^H A                  QR, k = 0; pivoted where rows differ and A need not be
 *                                    triangular
 *     9  Q = P1
 *
 * Returns 0, and the pair is as it was, where B has less, or where R might hide that
 * it has. */
GSVD_FN int small_preprocess(pair_t *P)
{
    const mat_t A = P->A, B = P->B, Q = P->Q;
    const int64_t n = P->n, p = P->p;
    scalar_t copy[SMALL * SMALL] = {make(0, 0)}, tau[SMALL];
    const mat_t S = mat_view(copy, p, n, SMALL);
    small_rows_t rows_a, rows_b;
    int ea, eb, perm[SMALL] = {0};

    if (!small_exponent(B, &eb, &rows_b) || !small_exponent(A, &ea, &rows_a) ||
        !small_choose_scales(P, &ea, &eb))
        return 0;
    small_scale(B, -eb, S);
    small_sort_rows(S, &rows_b, 0);
    const real_t tolb = small_tolerance(S, P->tolb, eb);
    const real_t least = least_tolerance(p, n, P->tolb >= 0, eb);
    const real_t bound = tolb > least ? tolb : least;
    if (small_pivoted_qr(S, bound, perm, tau) < n || /* 1 */
        !(inverse_iteration_from_below(S) > bound))
        return 0;
    small_take_factors(S, P->V, tau);
    if (P->V.data)
        small_sort_rows(P->V, &rows_b, 1);
    small_copy(S, B);
    small_scale(A, -ea, A);
    P->tola = small_tolerance(A, P->tola, ea);
    P->tolb = tolb;
    small_permute_columns(A, perm, 0);        /* 3 */
    small_factor_a(P, &rows_a);               /* 6 */
    for (int64_t j = 0; j < n && Q.data; ++j) /* 9 */
        for (int64_t i = 0; i < n; ++i)
            AT(Q, i, j) = make(i == perm[j], 0);
    P->k = 0;
    P->l = n;
    P->ea = ea;
    P->eb = eb;
    P->sort_a = rows_a.differ;
    P->sort_b = rows_b.differ;
    return 1;
}

/* -- 4: alpha, beta of the caller's pair, alpha descending --------------------- */

GSVD_FN void small_swap_reals(real_t *x, real_t *y)
{
    const real_t a = *x;
    *x = *y;
    *y = a;
}

/* Values i and i - 1 change places with all that belongs to them.  Values without a
 * row of A, c = 0, stand last already, so that U keeps its m1 columns. */
GSVD_FN void small_swap_pairs(int64_t i, real_t *alpha, real_t *beta,
                              small_t *w)
{
    const int e = w->e[i];
    w->e[i] = w->e[i - 1];
    w->e[i - 1] = e;
    small_swap_reals(&alpha[i], &alpha[i - 1]);
    small_swap_reals(&beta[i], &beta[i - 1]);
    small_swap_reals(&w->c[i], &w->c[i - 1]);
    small_swap_reals(&w->s[i], &w->s[i - 1]);
    small_swap_reals(&w->g[i], &w->g[i - 1]);
    small_swap(w->GF.rows, &AT(w->GF, 0, i), &AT(w->GF, 0, i - 1));
}

/* Values that are not of B: (1, 0), and (0, 0) behind all */
GSVD_FN void small_trivial_values(const pair_t *P)
{
    for (int64_t j = 0; j < P->n; ++j) {
        P->alpha[j] = j < P->k ? 1 : 0;
        P->beta[j] = 0;
    }
}

GSVD_FN void small_sort(pair_t *P, small_t *w)
{
    const int64_t k = P->k, l = P->l;
    real_t *const alpha = P->alpha + k, *const beta = P->beta + k;

    small_trivial_values(P);
    for (int64_t j = 0; j < l; ++j) {
        value_pair_of_caller(P->ea, P->eb, w->c[j], w->s[j], &alpha[j],
                             &beta[j], &w->g[j], &w->e[j]);
        for (int64_t i = j; i > 0 && value_pair_before(alpha, beta, i, i - 1);
             --i)
            small_swap_pairs(i, alpha, beta, w);
    }
}

/* -- 5: R, U, V, Q, with the numbers of gsvd/assemble.c ------------------------- */

/* R(i,j) of the triangle of order k + l: rows that A has no room for are in B */
GSVD_FN scalar_t *small_entry_of_r(const pair_t *P, int64_t i, int64_t j)
{
    const int64_t column = P->n - P->k - P->l + j;
    return i < P->m ? &AT(P->A, i, column) : &AT(P->B, i - P->k, column);
}

/* ... of order 2, of triangles */
GSVD_FN void small_combine_2x2(mat_t A23, mat_t B13, const small_t *w, mat_t H)
{
    const mat_t V = w->GF, U = small_part(w->GF, 2, 0, 2, 2);

    for (int i = 0; i < 2; ++i) {
        const scalar_t u0 = conj_of(scale(w->c[i], AT(U, 0, i)));
        const scalar_t u1 = conj_of(scale(w->c[i], AT(U, 1, i)));
        const scalar_t v0 = conj_of(scale(w->s[i], AT(V, 0, i)));
        const scalar_t v1 = conj_of(scale(w->s[i], AT(V, 1, i)));
        for (int j = 0; j < 2; ++j)
            AT(H, i, j) =
                add(add(mul(u0, AT(A23, 0, j)), mul(u1, AT(A23, 1, j))),
                    add(mul(v0, AT(B13, 0, j)), mul(v1, AT(B13, 1, j))));
    }
}

/* H = C U~^H A23 + S V~^H B13, weighted where columns differ */
GSVD_FN void small_combine(mat_t A23, mat_t B13, const small_t *w, mat_t H)
{
    const int64_t l = B13.cols, m1 = A23.rows;
    const mat_t V = w->GF, U = small_part(w->GF, l, 0, m1, m1);

    if (l == 2 && m1 == 2 && w->each) {
        small_combine_2x2(A23, B13, w, H);
        return;
    }
    for (int64_t j = 0; j < l; ++j) {
        const int weighted = m1 > 0 && !w->each;
        const real_t of_a = weighted ? norm_of(m1, &AT(A23, 0, j)) : 1;
        const real_t of_b = weighted ? norm_of(l, &AT(B13, 0, j)) : 1;
        for (int64_t i = 0; i < l; ++i) {
            const scalar_t b = dot_of(l, &AT(V, 0, i), &AT(B13, 0, j));
            AT(H, i, j) = scale(w->s[i], b);
            if (i < m1) {
                const scalar_t a = dot_of(m1, &AT(U, 0, i), &AT(A23, 0, j));
                AT(H, i, j) =
                    value_pair_combine(w->c[i], a, of_a, w->s[i], b, of_b);
            }
        }
    }
}

/* H = R Q^H of order 2, by one rotation; 0 if H's last row is nothing to rotate */
GSVD_FN int small_rq_2x2(mat_t H, mat_t Q)
{
    const scalar_t x = AT(H, 1, 0), y = AT(H, 1, 1);
    const real_t length = hypot_r(abs_of(x), abs_of(y));

    if (!(length > GSVD_SAFMIN / GSVD_ULP))
        return 0;
    const scalar_t s = scale(1 / length, x), c = scale(1 / length, y);
    AT(Q, 0, 0) = c;
    AT(Q, 1, 0) = make(-re(s), -im(s));
    AT(Q, 0, 1) = conj_of(s);
    AT(Q, 1, 1) = conj_of(c);
    small_times(small_part(H, 0, 0, 1, 2), Q);
    AT(H, 1, 1) = make(length, 0);
    return 1;
}

/* H = R Q^H: the QR of E, H^H with both orders reversed */
GSVD_FN void small_rq(mat_t H, mat_t E, mat_t Q, scalar_t *tau)
{
    const int64_t last = H.cols - 1;

    if (last == 1 && small_rq_2x2(H, Q))
        return;
    for (int64_t j = 0; j <= last; ++j)
        for (int64_t i = 0; i <= last; ++i)
            AT(E, last - j, last - i) = conj_of(AT(H, i, j));
    small_qr(E, tau);
    for (int64_t j = 0; j <= last; ++j)
        for (int64_t i = 0; i <= j; ++i)
            AT(H, i, j) = conj_of(AT(E, last - j, last - i));
    small_form_q(E, E.cols, tau);
    for (int64_t j = 0; j <= last; ++j)
        for (int64_t i = 0; i <= last; ++i)
            AT(Q, i, j) = AT(E, last - i, last - j);
}

/* H P = R Q^^H, Q = P Q^: P sorts columns by length, the shortest first, so that each keeps its
 * own accuracy. */
GSVD_FN void small_sorted_rq(mat_t H, mat_t E, mat_t Q, scalar_t *tau)
{
    real_t minus[SMALL];
    int order[SMALL];

    for (int64_t j = 0; j < H.cols; ++j)
        minus[j] = -norm_of(H.rows, &AT(H, 0, j));
    small_order(H.cols, minus, order);
    for (int64_t j = 0; j < H.cols; ++j)
        for (int64_t i = 0; i < H.rows; ++i)
            AT(E, i, j) = AT(H, i, order[j]);
    small_copy(E, H);
    small_rq(H, E, Q, tau);
    small_copy(Q, E);
    for (int64_t j = 0; j < H.cols; ++j)
        for (int64_t i = 0; i < H.rows; ++i)
            AT(Q, order[i], j) = AT(E, i, j);
}

/* R22 := the triangle of H */
GSVD_FN void small_put_r(pair_t *P, mat_t H)
{
    const mat_t B13 = small_part(P->B, 0, P->n - P->l, P->l, P->l);

    for (int64_t j = 0; j < H.cols; ++j)
        for (int64_t i = 0; i < H.rows; ++i) {
            AT(B13, i, j) = make(0, 0);
            if (i <= j || P->k + i < P->m)
                *small_entry_of_r(P, P->k + i, P->k + j) =
                    i <= j ? AT(H, i, j) : make(0, 0);
        }
}

/* The columns of A from j on, as many as Q has, times Q. */
GSVD_FN void small_turn(mat_t A, int64_t j, mat_t Q)
{
    if (A.data)
        small_times(mat_cols(A, j, Q.cols), Q);
}

/* n entries x, `step` apart, times g 2^e, the scale of row i of R and of column i of X
 * of the caller's pair.  A product by a normal 2^e rounds like ldexp; next to the
 * largest number what is too large by rounding alone becomes that number. */
GSVD_FN void small_scale_back(const pair_t *P, const small_t *w, int64_t i,
                              int64_t n, scalar_t *x, int64_t step)
{
    const int64_t v = i - P->k;
    const int top = (GSVD_SINGLE ? FLT_MAX_EXP : DBL_MAX_EXP) - 60;
    const int e = v < 0 ? P->ea : w->e[v];
    const real_t g = v < 0 ? 1 : w->g[v], power = ldexp_r(1, e);

    if (e + P->top < top && power >= GSVD_SAFMIN) {
        for (int64_t j = 0; j < n; ++j)
            x[j * step] = scale(power, scale(g, x[j * step]));
        return;
    }
    const real_t slack = rounding_of(mat_view(0, max_i(P->m, P->p), P->n, 1));
    for (int64_t j = 0; j < n; ++j)
        x[j * step] = make(ldexp_near(g * re(x[j * step]), e, slack),
                           ldexp_near(g * im(x[j * step]), e, slack));
}

/* Q(:,0:r) := Q_r R^H, Q_r the last r columns of Q, and the others := 0.  Column i
 * needs none of Q_r before its own, so that Q has room for each at once. */
GSVD_FN void small_x_form(const pair_t *P, const small_t *w)
{
    const int64_t r = P->k + P->l, first = P->Q.cols - r, n = P->n;

    for (int64_t i = 0; i < P->Q.cols; ++i) {
        scalar_t *const x = &AT(P->Q, 0, i);
        const scalar_t d =
            i < r ? conj_of(*small_entry_of_r(P, i, i)) : make(0, 0);
        for (int64_t j = 0; j < n; ++j)
            x[j] = i < r ? mul(d, AT(P->Q, j, first + i)) : d;
        for (int64_t c = i + 1; c < r; ++c)
            add_to(n, conj_of(*small_entry_of_r(P, i, c)),
                   &AT(P->Q, 0, first + c), x);
        if (i < r)
            small_scale_back(P, w, i, n, x, 1);
    }
}

/* More columns of the pair take so long that the shorter way saves nothing. */
enum { SMALL_COLUMNS = 32 };

/* Q := (Y Z), Y = Q_r R^-1 with Q_r the last r columns of Q, and Z the others */
GSVD_FN void small_x_inverse(const pair_t *P, const small_t *w)
{
    const int64_t r = P->k + P->l, first = P->Q.cols - r, n = P->n;
    scalar_t row[SMALL_COLUMNS];

    for (int64_t j = 0; j < r; ++j) {
        scalar_t *const y = &AT(P->Q, 0, first + j);
        const scalar_t d = *small_entry_of_r(P, j, j);
        for (int64_t i = 0; i < j; ++i)
            add_to(n, scale(-1, *small_entry_of_r(P, i, j)),
                   &AT(P->Q, 0, first + i), y);
        for (int64_t i = 0; i < n; ++i)
            y[i] = quotient(y[i], d);
    }
    for (int64_t i = 0; i < n; ++i) {
        for (int64_t j = 0; j < P->Q.cols; ++j)
            row[j] = AT(P->Q, i, j);
        for (int64_t j = 0; j < P->Q.cols; ++j) {
            const int64_t v = j - P->k;
            const int e = v < 0 ? P->ea : v < P->l ? w->e[v] : 0;
            const real_t g = v < 0 || v >= P->l ? 1 : w->g[v];
            AT(P->Q, i, j) = unscaled(row[j < r ? first + j : j - r], g, e);
        }
    }
}

/* 5, 6: X or X^-H, if it is asked for, and R of the caller's pair */
GSVD_FN void small_rescale(pair_t *P, const small_t *w)
{
    const int64_t r = P->k + P->l;
    if (P->x_form && P->Q.data)
        small_x_form(P, w);
    if (P->x_inverse && P->Q.data)
        small_x_inverse(P, w);
    for (int64_t i = 0; i < r; ++i) {
        scalar_t *const d = small_entry_of_r(P, i, i);
        small_scale_back(P, w, i, r - i, d, i < P->m ? P->A.ld : P->B.ld);
        if (abs_max(*d) == 0)
            *d = make(GSVD_SAFMIN * GSVD_ULP, 0);
    }
}

GSVD_FN void small_assemble(pair_t *P, mat_t A23, mat_t B13, small_t *w)
{
    const int64_t k = P->k, l = P->l, n = P->n, m1 = A23.rows;
    const mat_t H = mat_view(w->W.data, l, l, w->W.ld);
    const mat_t E = mat_view(w->W.data + SMALL, l, l, w->W.ld);

    small_combine(A23, B13, w, H); /* 1 */
    if (w->alike || l == 2)        /* 2; a rotation needs no order */
        small_rq(H, E, w->Z, w->tau);
    else
        small_sorted_rq(H, E, w->Z, w->tau);
    small_put_r(P, H);
    small_turn(mat_rows(P->A, 0, k), n - l, w->Z); /* 3 */
    small_turn(P->Q, P->Q.cols - l, w->Z);
    small_turn(P->U, k, small_part(w->GF, l, 0, m1, m1)); /* 4 */
    small_turn(P->V, 0, small_part(w->GF, 0, 0, l, l));
    small_rescale(P, w); /* 5, 6 */
}

/* -- 3 to 5 ------------------------------------------------------------------- */

/* RQ knows columns to rounding against longer ones: by so much may they differ. */
enum { SMALL_LOSS = 4 };

GSVD_FN int small_are_alike(int64_t n, const real_t *length)
{
    real_t most = 0, least = GSVD_REAL_MAX;
    for (int64_t j = 0; j < n; ++j) {
        most = fmax_r(most, length[j]);
        least = length[j] > 0 && length[j] < least ? length[j] : least;
    }
    return most <= SMALL_LOSS * least;
}

/* w->c, w->s := the lengths of the columns of A and of B; w->alike: those of the pair are.
 * Returns whether those of A are, and those of B. */
GSVD_FN int small_lengths(mat_t A, mat_t B, small_t *w)
{
    real_t both[SMALL];
    for (int64_t j = 0; j < B.cols; ++j) {
        w->c[j] = A.rows > 0 ? norm_of(A.rows, &AT(A, 0, j)) : 0;
        w->s[j] = norm_of(B.rows, &AT(B, 0, j));
        both[j] = fmax_r(w->c[j], w->s[j]);
    }
    w->alike = small_are_alike(B.cols, both);
    w->each = small_are_alike(B.cols, w->c) && small_are_alike(B.cols, w->s);
    return w->each;
}

/* Step 3 by the closed forms or by the tangent: values and columns of R are relatively accurate.
 * Returns 0, with the pair unchanged, if neither can do it. */
GSVD_FN int small_solve_accurately(const pair_t *P, mat_t A23, mat_t B13,
                                   small_t *w)
{
    const int each = small_lengths(A23, B13, w) || B13.cols == 1;

    if ((P->x_form || P->x_inverse) && !each)
        return 0;
    return small_csd_2x2(A23, B13, w) ||
           small_tangent(A23, B13, P->values_only, w);
}

/* The solver of step 3: AUTO's, or the CS decomposition, which knows values to rounding against 1 */
typedef enum small_solver { SMALL_AUTO, SMALL_CSD } small_solver_t;

/* 3 to 5 of entries a of A and b of B, not both 0: R = |(a, b)|, and Q stays as it is. */
GSVD_FN void small_solve_1x1(pair_t *P, scalar_t *a, scalar_t *b, small_t *w)
{
    const int64_t k = P->k;
    const scalar_t u = direction(*a), v = direction(*b);

    small_trivial_values(P);
    value_pair_of_caller(P->ea, P->eb, abs_of(*a), abs_of(*b), &P->alpha[k],
                         &P->beta[k], &w->g[0], &w->e[0]);
    if (P->values_only)
        return;
    for (int64_t i = 0; P->U.data && i < P->m; ++i)
        AT(P->U, i, k) = mul(AT(P->U, i, k), u);
    for (int64_t i = 0; P->V.data && i < P->p; ++i)
        AT(P->V, i, 0) = mul(AT(P->V, i, 0), v);
    *a = make(1, 0);
    *b = make(0, 0);
    small_rescale(P, w);
}

/* 0: the pair is as it was. */
GSVD_FN int small_solve(pair_t *P, small_solver_t solver, small_t *w)
{
    const int64_t l = P->l, m1 = pair_m1(P);
    const mat_t A23 =
        m1 > 0 ? small_part(P->A, P->k, P->n - l, m1, l) : mat_view(0, 0, l, 1);
    const mat_t B13 = small_part(P->B, 0, P->n - l, l, l);

    if (l == 1 && m1 == 1 &&
        abs_max(AT(A23, 0, 0)) + abs_max(AT(B13, 0, 0)) > 0) {
        small_solve_1x1(P, A23.data, B13.data, w);
        return 1;
    }
    small_lay_out(w, m1, l);
    if (solver == SMALL_CSD)
        small_csd(A23, B13, P->values_only, w);
    else if (!small_solve_accurately(P, A23, B13, w))
        return 0;
    small_sort(P, w);
    if (!P->values_only)
        small_assemble(P, A23, B13, w);
    return 1;
}

#endif /* GSVD_SMALL_PAIR_H */
