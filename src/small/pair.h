/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* pair.h -- the GSVD of a small pair on the host from its entries to its factors, with the
 * steps of gsvd/run.c, by a team of one.
 *
 *     1, 2  small_preprocess   m, n, p <= SMALL, B of full column rank; else it declines
 *     3     small_csd_2x2; team_tangent or team_csd of a team of one
 *                              l <= SMALL, like the two that follow
 *     4     team_sort
 *     5     small_assemble
 */
#ifndef GSVD_SMALL_PAIR_H
#define GSVD_SMALL_PAIR_H

#include <limits.h>

#include "core/elementwise.h"
#include "core/pair.h"
#include "core/range.h"
#include "pivot/inverse_iteration.h"
#include "small/assemble.h"
#include "small/csd.h"
#include "small/csd_2x2.h"
#include "small/qr.h"
#include "small/tangent.h"

/* -- 1: A := 2^-ea A, B := 2^-eb B --------------------------------------------- */

/* Row i is to be row order[i] of the caller's matrix, where rows differ. */
#define small_rows_t X(small_rows_t)
typedef struct small_rows_t {
    int differ, order[SMALL], place[SMALL]; /* place[order[i]] = i           */
} small_rows_t;

/* place := the inverse of this permutation */
GSVD_FN void small_invert(int64_t n, const int *order, int *place)
{
    for (int64_t i = 0; i < n; ++i)
        place[order[i]] = (int)i;
}

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

GSVD_FN void small_copy(mat_t A, mat_t B)
{
    for (int64_t j = 0; j < A.cols; ++j)
        for (int64_t i = 0; i < A.rows; ++i)
            AT(B, i, j) = AT(A, i, j);
}

/* The largest entry of 2^-e A is next to 1.  Returns 0 where an entry is not finite.  *rows,
 * or NULL */
GSVD_FN int small_exponent(mat_t A, int *e, small_rows_t *rows)
{
    real_t largest = 0, least = GSVD_REAL_MAX, zero = 0, sizes[SMALL] = {0};
    int64_t nonzero = 0;

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
        nonzero += size > 0;
        sizes[i] = size;
    }
    if (!(zero == 0))
        return 0;
    *e = largest > 0 ? exponent_r(largest) + 1 : 0;
    if (!rows)
        return 1;
    rows->differ = rows_are_sorted(largest, least) ||
                   zeros_are_sorted(A.rows, nonzero, A.cols);
    if (rows->differ) {
        small_order(A.rows, sizes, rows->order);
        small_invert(A.rows, rows->order, rows->place);
    }
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

GSVD_FN tile_t tile_of(mat_t A)
{
    return tile_view(A.data, (int)A.rows, (int)A.cols, (int)A.ld);
}

/* A holds a QR with these sorted rows: A := its R, and U, where it is wanted, := its unitary
 * factor. */
GSVD_FN void small_take_factors(team_t t, tile_t A, const small_rows_t *rows,
                                mat_t U, scalar_t *tau)
{
    const int r = least_of(A.rows, A.cols);
    if (U.data) {
        small_copy(mat_view(A.data, A.rows, r, A.ld), U);
        team_form_q(t, tile_of(U), r, tau);
        if (rows->differ)
            scatter_rows(t, rows->order, tile_of(U));
    }
    for (int j = 0; j < A.cols; ++j)
        for (int i = j + 1; i < A.rows; ++i)
            AT(A, i, j) = make(0, 0);
}

/* A := the factor R of its QR, times P^T where its columns are pivoted, and U: P->U */
GSVD_FN void small_factor_a(team_t t, const pair_t *P, const small_rows_t *rows)
{
    const tile_t A = tile_of(P->A);
    const int pivot = rows->differ && P->any_a23;
    scalar_t tau[SMALL];
    int perm[SMALL];

    if (rows->differ)
        scatter_rows(t, rows->place, A);
    if (pivot)
        (void)small_pivoted_qr(P->A, -1, perm, tau);
    else
        small_qr(P->A, tau);
    small_take_factors(t, A, rows, P->U, tau);
    if (pivot)
        scatter_columns(t, perm, A);
}

/* A team numbers the entries of a matrix by ints. */
GSVD_FN int small_is_near(const pair_t *P)
{
    const int64_t a = max_i(P->A.ld, P->B.ld), u = max_i(P->U.ld, P->V.ld);
    return max_i(max_i(a, u), P->Q.ld) <= INT_MAX / (2 * SMALL);
}

/* The shapes of pairs that small_preprocess takes */
GSVD_FN int small_fits(const pair_t *P)
{
    return P->n > 0 && P->n <= P->p && P->p <= SMALL && P->m <= SMALL &&
           small_is_near(P);
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
    const team_t t = {NULL};
    const mat_t A = P->A, B = P->B, Q = P->Q;
    const int64_t n = P->n, p = P->p;
    scalar_t copy[SMALL * SMALL] = {make(0, 0)}, tau[SMALL];
    const mat_t S = mat_view(copy, p, n, SMALL);
    small_rows_t rows_a, rows_b;
    int ea, eb, perm[SMALL], place[SMALL];

    if (!small_exponent(B, &eb, &rows_b) || !small_exponent(A, &ea, &rows_a) ||
        !small_choose_scales(P, &ea, &eb))
        return 0;
    small_scale(B, -eb, S);
    if (rows_b.differ)
        scatter_rows(t, rows_b.place, tile_of(S));
    const real_t tolb = small_tolerance(S, P->tolb, eb);
    const real_t least = least_tolerance(p, n, P->tolb >= 0, eb);
    const real_t bound = tolb > least ? tolb : least;
    if (small_pivoted_qr(S, bound, perm, tau) < n || /* 1 */
        !(inverse_iteration_from_below(S) > bound))
        return 0;
    small_take_factors(t, tile_of(S), &rows_b, P->V, tau);
    small_copy(S, B);
    small_scale(A, -ea, A);
    P->tola = small_tolerance(A, P->tola, ea);
    P->tolb = tolb;
    if (n > 1) { /* 3 */
        small_invert(n, perm, place);
        scatter_columns(t, place, tile_of(A));
    }
    small_factor_a(t, P, &rows_a);            /* 6 */
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

/* -- the pair of a team of one --------------------------------------------------- */

/* The pair's steps 3 to 5, and the memory for them */
#define small_t X(small_t)
typedef struct small_t {
    team_pair_t team; /* k = 0, m = m1, n = p = l                            */
    sweeps_t sweeps;
    scalar_t tiles[TEAM_TILES * SMALL * SMALL], taus[TAU_ARRAYS * SMALL];
    real_t reals[REAL_ARRAYS * SMALL];
    int ints[INT_ARRAYS * SMALL];
} small_t;

GSVD_FN mat_t mat_of_tile(tile_t A)
{
    return mat_view(A.data, A.rows, A.cols, A.ld);
}

/* U~ and V~ of the team */
GSVD_FN mat_t small_u(const small_t *w) { return mat_of_tile(u_of(&w->team)); }
GSVD_FN mat_t small_v(const small_t *w)
{
    return mat_view(w->team.V.data, w->team.l, w->team.l, SMALL);
}

GSVD_FN void small_open(small_t *w)
{
    w->team.order = SMALL;
    w->team.taus = w->taus;
    w->team.reals = w->reals;
    w->team.ints = w->ints;
    w->team.converged = 1;
}

/* The team's pair, of A23 and B13.  What the range may lack digits for is not known here, so that the team looks
 * at whatever may be short. */
GSVD_FN void small_lay_out(const pair_t *P, mat_t A23, mat_t B13, small_t *w)
{
    team_pair_t *const T = &w->team;
    const int l = (int)B13.cols;

    lay_out_tiles(T, SMALL, SMALL, w->tiles);
    small_open(w);
    T->m = T->m1 = (int)A23.rows;
    T->n = T->p = T->l = l;
    T->k = 0;
    T->ea = T->ea23 = P->ea;
    T->eb = P->eb;
    T->top = P->top;
    T->lost = T->factored = T->equilibrated = 0;
    T->sort_a = T->sort_b = 0;
    T->apart = TANGENT_FAR;
    T->values_only = P->values_only;
    small_copy(A23, mat_of_tile(T->A));
    small_copy(B13, mat_of_tile(T->B));
    for (int j = 0; j < l; ++j) {
        ints_of(T, COLUMN_A)[j] = j;
        ints_of(T, ROWS_A)[j] = T->m1;
    }
}

/* -- 4: alpha, beta of the caller's pair, alpha descending --------------------- */

GSVD_FN void small_swap_reals(real_t *x, real_t *y)
{
    const real_t a = *x;
    *x = *y;
    *y = a;
}

/* Values that are not of B: (1, 0), and (0, 0) behind all */
GSVD_FN void small_trivial_values(const pair_t *P)
{
    for (int64_t j = 0; j < P->n; ++j) {
        P->alpha[j] = j < P->k ? 1 : 0;
        P->beta[j] = 0;
    }
}

GSVD_FN void small_sort(team_t t, const pair_t *P, small_t *w)
{
    team_sort(t, &w->team);
    small_trivial_values(P);
    for (int64_t j = 0; j < P->l; ++j) {
        P->alpha[P->k + j] = reals_of(&w->team, ALPHA)[j];
        P->beta[P->k + j] = reals_of(&w->team, BETA)[j];
    }
}

/* -- 5: R, U, V, Q, with the numbers of gsvd/assemble.c ------------------------- */

/* R(i,j) of the triangle of order k + l: rows that A has no room for are in B */
GSVD_FN scalar_t *small_entry_of_r(const pair_t *P, int64_t i, int64_t j)
{
    const int64_t column = P->n - P->k - P->l + j;
    return i < P->m ? &AT(P->A, i, column) : &AT(P->B, i - P->k, column);
}

/* The columns of A from j on, as many as Q has, times Q. */
GSVD_FN void small_turn(mat_t A, int64_t j, mat_t Q)
{
    if (A.data)
        small_times(mat_cols(A, j, Q.cols), Q);
}

/* ... times Q~, whose reflectors and order factor_h left */
GSVD_FN void small_turn_by_h(team_t t, mat_t A, int64_t j, small_t *w)
{
    team_pair_t *const T = &w->team;
    if (!A.data || A.rows == 0)
        return;
    const tile_t C = tile_view(&AT(A, 0, j), (int)A.rows, T->l, (int)A.ld);
    if (sorts_h(T))
        scatter_columns(t, ints_of(T, TO), C);
    team_rq_apply_right(t, tile_part(T->W, 0, 0, T->l, T->l), tau_of(T, TAU),
                        C);
}

/* H = R Q~^H; H := R, and the last columns of A13 and of Q times Q~ */
GSVD_FN void small_factor_h(team_t t, pair_t *P, small_t *w, mat_t H)
{
    team_pair_t *const T = &w->team;
    const int l = T->l;

    combine_pair(t, T);
    factor_h(t, T);
    for (int j = 0; j < l; ++j)
        for (int i = 0; i < l; ++i)
            AT(H, i, j) = rq_entry(tile_part(T->W, 0, 0, l, l), i, j);
    small_turn_by_h(t, mat_rows(P->A, 0, P->k), P->n - l, w);
    small_turn_by_h(t, P->Q, P->Q.cols - l, w);
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

/* n entries x, `step` apart, of row i of R or of column i of X, in the caller's units */
GSVD_FN void small_scale_back(const pair_t *P, const small_t *w, int64_t i,
                              int64_t n, scalar_t *x, int64_t step)
{
    const int64_t v = i - P->k;
    const int e = v < 0 ? P->ea : ints_of(&w->team, EXPONENT)[v];
    const real_t g = v < 0 ? 1 : reals_of(&w->team, GAIN)[v];

    for (int64_t j = 0; j < n; ++j)
        x[j * step] = entry_of_caller(x[j * step], g, e, P->top,
                                      (int)max_i(P->m, P->p), (int)P->n, 0);
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

/* z := column j of R^-1, whose residual is rounding of |R| |z|, row by row */
GSVD_FN void small_inverse_column(const pair_t *P, int64_t j, scalar_t *z)
{
    for (int64_t i = j; i >= 0; --i) {
        scalar_t x = make(i == j, 0);
        for (int64_t t = i + 1; t <= j; ++t)
            x = mul_add(scale(-1, *small_entry_of_r(P, i, t)), z[t], x);
        z[i] = quotient(x, *small_entry_of_r(P, i, i));
    }
}

/* Q := (Y Z), Y = Q_r R^-1 with Q_r the last r columns of Q, and Z the others.  Column j of Y needs
 * none of Q_r behind its own. */
GSVD_FN void small_x_inverse(const pair_t *P, const small_t *w)
{
    const int64_t r = P->k + P->l, first = P->Q.cols - r, n = P->n;
    const team_pair_t *const T = &w->team;
    scalar_t row[SMALL_COLUMNS];

    for (int64_t j = r - 1; j >= 0; --j) {
        scalar_t *const y = &AT(P->Q, 0, first + j);
        small_inverse_column(P, j, row);
        for (int64_t i = 0; i < n; ++i)
            y[i] = mul(row[j], y[i]);
        for (int64_t i = 0; i < j; ++i)
            add_to(n, row[i], &AT(P->Q, 0, first + i), y);
    }
    for (int64_t i = 0; i < n; ++i) {
        for (int64_t j = 0; j < P->Q.cols; ++j)
            row[j] = AT(P->Q, i, j);
        for (int64_t j = 0; j < P->Q.cols; ++j) {
            const int64_t v = j - P->k;
            const int e = v < 0      ? P->ea
                          : v < P->l ? ints_of(T, EXPONENT)[v]
                                     : 0;
            const real_t g = v < 0 || v >= P->l ? 1 : reals_of(T, GAIN)[v];
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

/* R22 := H, and U and V times U~ and V~ */
GSVD_FN void small_finish(pair_t *P, mat_t H, mat_t U, mat_t V,
                          const small_t *w)
{
    small_put_r(P, H);
    small_turn(P->U, P->k, U); /* 4 */
    small_turn(P->V, 0, V);
    small_rescale(P, w); /* 5, 6 */
}

GSVD_FN void small_assemble(team_t t, pair_t *P, small_t *w)
{
    const mat_t H = mat_view(w->team.E.data, P->l, P->l, SMALL);

    small_factor_h(t, P, w, H); /* 1 to 3 */
    small_finish(P, H, small_u(w), small_v(w), w);
}

/* -- 3 to 5 ------------------------------------------------------------------- */

/* RQ knows columns to rounding against longer ones: by so much may they differ. */
enum { SMALL_LOSS = 4 };

/* Are the columns of A of like length?  One of zeros is not like others: rounding would fill it. */
GSVD_FN int small_are_alike(mat_t A)
{
    real_t most = 0, least = GSVD_REAL_MAX;
    for (int64_t j = 0; j < A.cols; ++j) {
        const real_t length = norm_of(A.rows, &AT(A, 0, j));
        most = fmax_r(most, length);
        least = length < least ? length : least;
    }
    return most <= SMALL_LOSS * least;
}

/* The solver of step 3: AUTO's, or the CS decomposition, which knows values to rounding against 1 */
typedef enum small_solver { SMALL_AUTO, SMALL_CSD } small_solver_t;

/* 3 to 5 of entries a of A and b of B, not both 0: R = |(a, b)|, and Q stays as it is. */
GSVD_FN void small_solve_1x1(pair_t *P, scalar_t *a, scalar_t *b, small_t *w)
{
    const int64_t k = P->k;
    const scalar_t u = direction(*a), v = direction(*b);

    small_trivial_values(P);
    small_open(w);
    value_pair_of_caller(P->ea, P->eb, abs_of(*a), abs_of(*b), &P->alpha[k],
                         &P->beta[k], reals_of(&w->team, GAIN),
                         ints_of(&w->team, EXPONENT));
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

/* H = C U~^H A + S V~^H B = R Q~^H of triangles of order 2, by one rotation: H := R, Q := Q~; 0 if H's
 * last row is nothing to rotate */
GSVD_FN int small_factor_2x2(mat_t A, mat_t B, mat_t U, mat_t V,
                             const real_t *c, const real_t *s, mat_t H, mat_t Q)
{
    for (int i = 0; i < 2; ++i) {
        const scalar_t u0 = conj_of(scale(c[i], AT(U, 0, i)));
        const scalar_t u1 = conj_of(scale(c[i], AT(U, 1, i)));
        const scalar_t v0 = conj_of(scale(s[i], AT(V, 0, i)));
        const scalar_t v1 = conj_of(scale(s[i], AT(V, 1, i)));
        for (int j = 0; j < 2; ++j)
            AT(H, i, j) = add(add(mul(u0, AT(A, 0, j)), mul(u1, AT(A, 1, j))),
                              add(mul(v0, AT(B, 0, j)), mul(v1, AT(B, 1, j))));
    }
    const scalar_t x = AT(H, 1, 0), y = AT(H, 1, 1);
    const real_t length = hypot_r(abs_of(x), abs_of(y));

    if (!(length > GSVD_SAFMIN / GSVD_ULP))
        return 0;
    const scalar_t over_x = scale(1 / length, x), over_y = scale(1 / length, y);
    AT(Q, 0, 0) = over_y;
    AT(Q, 1, 0) = make(-re(over_x), -im(over_x));
    AT(Q, 0, 1) = conj_of(over_x);
    AT(Q, 1, 1) = conj_of(over_y);
    small_times(small_part(H, 0, 0, 1, 2), Q);
    AT(H, 1, 1) = make(length, 0);
    return 1;
}

/* 3 to 5 of triangles of order 2 whose columns are of like length; 0: the pair is as it was. */
GSVD_FN int small_solve_2x2(pair_t *P, mat_t A, mat_t B, small_t *w)
{
    _Alignas(64)
        scalar_t room[16]; /* else loads cross lines, by chance        */
    const mat_t U = mat_view(room, 2, 2, 2), V = mat_view(room + 4, 2, 2, 2);
    const mat_t H = mat_view(room + 8, 2, 2, 2);
    const mat_t Q = mat_view(room + 12, 2, 2, 2);
    real_t c[2], s[2], *const alpha = P->alpha + P->k;
    real_t *const beta = P->beta + P->k;
    int moved = 1;

    if (!small_are_alike(A) || !small_are_alike(B) ||
        !csd_2x2(A, B, U, V, c, s))
        return 0;
    small_open(w);
    small_trivial_values(P);
    for (int turns = 0; moved && turns < 2; ++turns) {
        for (int j = 0; j < 2; ++j)
            value_pair_of_caller(P->ea, P->eb, c[j], s[j], &alpha[j], &beta[j],
                                 &reals_of(&w->team, GAIN)[j],
                                 &ints_of(&w->team, EXPONENT)[j]);
        moved = value_pair_before(alpha, beta, 1, 0);
        if (moved) {
            small_swap_reals(&c[0], &c[1]);
            small_swap_reals(&s[0], &s[1]);
            small_swap(2, &AT(U, 0, 0), &AT(U, 0, 1));
            small_swap(2, &AT(V, 0, 0), &AT(V, 0, 1));
        }
    }
    if (P->values_only)
        return 1;
    if (!small_factor_2x2(A, B, U, V, c, s, H, Q))
        return 0;
    small_turn(mat_rows(P->A, 0, P->k), P->n - 2, Q);
    small_turn(P->Q, P->Q.cols - 2, Q);
    small_finish(P, H, U, V, w);
    return 1;
}
/* 0: the pair is as it was. */
GSVD_FN int small_solve(pair_t *P, small_solver_t solver, small_t *w)
{
    const team_t t = {&w->sweeps};
    team_pair_t *const T = &w->team;
    const int64_t l = P->l, m1 = pair_m1(P);
    const mat_t A23 =
        m1 > 0 ? small_part(P->A, P->k, P->n - l, m1, l) : mat_view(0, 0, l, 1);
    const mat_t B13 = small_part(P->B, 0, P->n - l, l, l);

    if (l == 1 && m1 == 1 &&
        abs_max(AT(A23, 0, 0)) + abs_max(AT(B13, 0, 0)) > 0) {
        small_solve_1x1(P, A23.data, B13.data, w);
        return 1;
    }
    const int triangles = l == 2 && m1 == 2 && abs_max(AT(A23, 1, 0)) == 0;
    if (triangles && small_solve_2x2(P, A23, B13, w))
        return 1;
    if ((P->x_form || P->x_inverse) && l > 1 &&
        !(small_are_alike(A23) && small_are_alike(B13)))
        return 0;
    if (!small_is_near(P))
        return 0;
    small_lay_out(P, A23, B13, w);
    const int closed =
        triangles && csd_2x2(A23, B13, small_u(w), small_v(w),
                             reals_of(T, COSINE), reals_of(T, SINE));
    if (!closed && solver == SMALL_CSD)
        team_csd(t, T);
    else if (!closed && (!team_tangent(t, T) || T->lost))
        return 0;
    small_sort(t, P, w);
    if (!P->values_only)
        small_assemble(t, P, w);
    return 1;
}

#endif /* GSVD_SMALL_PAIR_H */
