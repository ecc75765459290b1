/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* tangent.c -- the GSVD of a triangular pair by the singular values of A B^-1.
 *
 *     1  A1 := A D,  B1 := S_B B D            D: columns of A1 of length 1; S_B: rows by size
 *     2  B1 P = Q_B R                         pivoted QR
 *     3  F := A1 P R^-1                       column by column
 *     4  S F^H P' = Q_F (R'; 0), G := R'^H    S: rows by size; pivoted QR, or sorted
 *     5  (G, V) := (G, S_B^H Q_B S^H Q_F) J   Jacobi: columns of G orthogonal
 *     6  sigma_j = |g_j|,  U = P' G / |G|     F = U Sigma (..)^H, B1 P = V (..)^H R
 *     7  c, s = sigma, 1 / hypot(1, sigma)    sorted
 *
 * (Drmac 1998.)  With the order and the scales of columns undone, A = U Sigma W^H R and B = V W^H
 * R.  So H = C U^H A + S V^H B gives A = U C H, B = V S H (assemble.c).  No step mixes columns or
 * rows of different size, so that small values keep their relative accuracy wherever the pair
 * determines them up to scalings of rows and of columns.
 *
 * If columns of F differ, step 4 may take F itself, upright.  QR is stable column by column; for
 * rows that differ it would take row-wise stable panels, and pivots.  F must be square, step 2 not
 * needed, and nothing may be lost with short rows.  U and V then change places in 5 and 6.
 *
 * If rows of the caller's pair differ, rows and columns of the matrices in 2 and 4 differ in size,
 * and rows sorted by size are not enough.  The largest row may have a zero in the pivot's column.
 * Then the reflector exchanges it with another row, and its other entries are added to all rows in
 * the proportion of the pivot's column, far above what these have there themselves.  With the
 * largest entry of the pivot's column on top (Powell and Reid 1969) nothing is exchanged, and
 * errors are as those of complete pivoting.  A pivoted QR of the transpose takes its columns
 * nearly in that order: both begin where the largest entry is and leave nearly the same
 * remainder.  In 4 this order is found only if entries have grown beyond the size that their row
 * and column give them.
 *
 * Step 3 has an error of at most n eps |F| |R|.  So have errors of F in 4 to 6, after they are
 * multiplied by R.  Pivoting keeps |F| |R| of the size of A1 |R^-1| |R|, which is moderate except
 * for matrices like Kahan's.  It is tested before anything depends on it.  With f_k = |F e_k|,
 *
 *     growth = max_j sum_k f_k |r_kj|         against columns of A1 of length 1
 *
 * bounds the backward error of a column of A, in ulp.  If growth is too large, the pair is left to
 * the CS decomposition.
 */
#include "core/range.h"
#include "core/rotate.h"
#include "jacobi/jacobi.h"
#include "pivot/pivot.h"

#include "qr/qr.h"

enum {
    /* The largest entry becomes 2^TOP, so that squares of lengths do not overflow.  No column may
     * be shorter than 2^(TOP - RANGE): denormal numbers hold all its digits. */
    TOP = GSVD_SINGLE ? 48 : 460,
    RANGE = TOP + (GSVD_SINGLE ? 90 : 950),
    BITS =
        GSVD_SINGLE ? 173 : 1127, /* of what a column holds, and errors of it */
    SCALES_APART = GSVD_SINGLE ? 70 : 700, /* bits: look_at_scales            */
    ROWS_APART = GSVD_SINGLE ? 30 : 300,   /* bits: far, has_more_rows        */
    FEW_TURNS = 2, /* A product of so many unitary matrices is left alone.   */
    PROBES = 32,
    LOOKED_AT = 256 /* columns: of fewer a polish takes no longer than a look */
};

/* Numbers below LEAST lack digits; those above ENOUGH would have had them all, if only they were
 * not in F. */
#define LEAST GSVD_SAFMIN
#define ENOUGH (GSVD_SAFMIN * 1024)

/* Limits of growth over l, without pivots and with them.  With pivots it was at most 3 on all
 * pairs of the tests except Kahan's.  Residuals there, as LAPACK's tests measure them, reached 0.8
 * of the growth; these tests allow 20. */
enum { GROWTH_PLAIN = 2, GROWTH_PIVOTED = 6 };

/* C := its rows sorted; inverse: where they stood.  *in := ex, row-wise stable where rows
 * differ.  Waits for the norms *r of C. */
static gsvd_status_t sort_rows(const exec_t *ex, mat_t C, int *inverse,
                               mat_t piece, solve_work_t *w, exec_t *in,
                               norms_t *r)
{
    GSVD_TRY(ex->op->norms_by_row(ex, C, w->size, r));
    GSVD_TRY(ex->op->sort_rows(ex, C.rows, w->size, w->row_perm, inverse));
    *in = *ex;
    in->policy.rowwise_stable = rows_differ(r->largest, r->least_row);
    return X(rearrange)(ex, 'L', w->row_perm, C, piece);
}

/* Do rows differ in the caller's pair and in the matrix that `in` will factor?  Then columns of
 * that matrix differ, too, and the order of its rows is that of pivots, not of sizes. */
static int both_differ(const exec_t *ex, const exec_t *in)
{
    return ex->policy.rowwise_stable && in->policy.rowwise_stable;
}

/* 1: B1 := B D, and D in w->s */
static gsvd_status_t equilibrate(const exec_t *ex, mat_t A, mat_t B, mat_t B1,
                                 solve_work_t *w)
{
    GSVD_TRY(ex->op->column_norms(ex, A, w->x));
    GSVD_TRY(ex->op->column_norms(ex, B, w->y));
    GSVD_TRY(ex->op->column_scales(ex, B.cols, w->x, w->y, w->s));
    return ex->op->scale_columns(ex, B, w->s, B1);
}

/* order := that in which a pivoted QR takes K's columns; K is overwritten.  Waits. */
static gsvd_status_t find_order(const exec_t *ex, mat_t K, int *order,
                                mat_t piece, solve_work_t *w)
{
    int64_t rank;
    norms_t r;
    exec_t in;

    GSVD_TRY(sort_rows(ex, K, w->row_inverse, piece, w, &in, &r));
    return X(geqpf)(&in, K, ex->policy.pivot, -1, order, w->tau, &rank);
}

/* 2: QR := the QR of S_B B D, with work K of its size.  Waits for the sizes of rows. */
static gsvd_status_t factor_b(const exec_t *ex, mat_t B, mat_t QR, mat_t K,
                              mat_t piece, solve_work_t *w)
{
    int64_t rank;
    norms_t r;
    exec_t in;

    GSVD_TRY(ex->op->scale_columns(ex, B, w->s, QR));
    GSVD_TRY(sort_rows(ex, QR, w->row_inverse_b, piece, w, &in, &r));
    if (both_differ(ex, &in)) {
        GSVD_TRY(ex->op->scale_columns(ex, B, w->s, QR));
        GSVD_TRY(ex->op->ctrans(ex, QR, K));
        GSVD_TRY(find_order(ex, K, w->row_inverse_b, piece, w));
        GSVD_TRY(ex->op->ctrans(ex, QR, K));
        GSVD_TRY(X(rearrange)(ex, 'R', w->row_inverse_b, K, piece));
        GSVD_TRY(ex->op->ctrans(ex, K, QR));
    }
    return X(geqpf)(&in, QR, ex->policy.pivot, -1, w->pivots, w->tau_b, &rank);
}

/* *growth := max_j sum_k f_k |r_kj|, f in w->x, by pieces of columns; infinity if an
 * entry is not finite.  Waits. */
static gsvd_status_t measure_growth(const exec_t *ex, mat_t QR, mat_t piece,
                                    const solve_work_t *w, real_t *growth)
{
    const int64_t l = QR.cols, most = max_i(piece.rows / l, 1);
    norms_t r;

    *growth = 0;
    GSVD_TRY(ex->op->values_set(ex, 0, l, 0, w->y));
    for (int64_t j = 0; j < l; j += most) {
        const int64_t cols = min_i(most, l - j), rows = j + cols;
        const mat_t R = mat_view(piece.data, rows, cols, rows);
        GSVD_TRY(ex->op->copy(ex, mat_sub(QR, 0, j, rows, cols), R));
        GSVD_TRY(ex->op->zero_lower(ex, mat_rows(R, j, cols)));
        GSVD_TRY(ex->op->combine(ex, w->x, R, w->y, R, R));
        GSVD_TRY(ex->op->norms(ex, R, &r));
        *growth = r.finite ? fmax_r(*growth, r.norm1) : (real_t)INFINITY;
        if (!r.finite)
            break;
    }
    return GSVD_SUCCESS;
}

/* *count := how many of n numbers are more than `least`, by the order that perm is.  Waits. */
static gsvd_status_t count_above(const exec_t *ex, real_t least, int64_t n,
                                 const real_t *x, const int *perm,
                                 real_t *sorted, real_t *limit, int64_t *count)
{
    GSVD_TRY(ex->op->values_permute(ex, n, x, perm, sorted));
    GSVD_TRY(ex->op->values_set(ex, 0, n, least, limit));
    return ex->op->values_lead(ex, n, sorted, limit, count);
}

/* *count := how many rows of A are more than `least`, *r := its norms.  Waits. */
static gsvd_status_t count_rows(const exec_t *ex, mat_t A, real_t least,
                                solve_work_t *w, norms_t *r, int64_t *count)
{
    GSVD_TRY(ex->op->norms_by_row(ex, A, w->size, r));
    GSVD_TRY(ex->op->values_order(ex, A.rows, w->size, w->size, w->row_perm));
    return count_above(ex, least, A.rows, w->size, w->row_perm, w->x, w->y,
                       count);
}

/* *are_short: A D lacks digits in rows that A has whole.  F is overwritten.  Waits. */
static gsvd_status_t find_short_rows(const exec_t *ex, mat_t A, mat_t F,
                                     solve_work_t *w, int *are_short)
{
    int64_t rows, whole;
    norms_t r;

    GSVD_TRY(ex->op->scale_columns(ex, A, w->s, F));
    GSVD_TRY(ex->op->norms_by_row(ex, F, w->size, &r));
    *are_short = r.least_row < LEAST;
    if (!*are_short)
        return GSVD_SUCCESS;
    GSVD_TRY(count_rows(ex, F, LEAST, w, &r, &whole));
    GSVD_TRY(count_rows(ex, A, LEAST, w, &r, &rows));
    *are_short = rows > whole;
    return GSVD_SUCCESS;
}

/* 3, and its growth.  pivoted: P is not I.  Waits. */
static gsvd_status_t divide(const exec_t *ex, mat_t A, mat_t QR, mat_t F,
                            mat_t piece, solve_work_t *w, int pivoted,
                            int *fits)
{
    const real_t limit = pivoted ? GROWTH_PIVOTED : GROWTH_PLAIN;
    real_t growth;

    GSVD_TRY(ex->op->scale_columns(ex, A, w->s, F));
    if (pivoted)
        GSVD_TRY(X(rearrange)(ex, 'R', w->pivots, F, piece));
    GSVD_TRY(ex->op->trsm(ex, QR, F));
    GSVD_TRY(ex->op->column_norms(ex, F, w->x));
    GSVD_TRY(measure_growth(ex, QR, piece, w, &growth));
    *fits = growth <= limit * (real_t)QR.cols;
    return GSVD_SUCCESS;
}

/* T P' = Q R' by columns that are sorted by length: enough for large steps where rows are
 * alike. */
static gsvd_status_t sort_and_factor(const exec_t *ex, mat_t T, mat_t piece,
                                     solve_work_t *w)
{
    const int64_t n = T.cols;

    GSVD_TRY(ex->op->column_norms(ex, T, w->x));
    GSVD_TRY(ex->op->values_set(ex, 0, n, 0, w->y));
    GSVD_TRY(ex->op->values_order(ex, n, w->x, w->y, w->pivots));
    GSVD_TRY(X(rearrange)(ex, 'R', w->pivots, T, piece));
    return X(geqrf)(ex, T, w->tau);
}

/* T P' = Q R' by pivots, whatever the rows; R' has *rank rows.  Waits. */
static gsvd_status_t pivot_and_factor(const exec_t *ex, mat_t T,
                                      solve_work_t *w, int64_t *rank)
{
    return X(geqpf)(ex, T, ex->policy.pivot, 0, w->pivots, w->tau, rank);
}

/* Work of the size of T and of R' */
typedef struct growth_work {
    mat_t V, D;
} growth_work_t;

/* *grown := 1 if an entry of a pivot's column, at its step, was more than 4 sqrt(n) times as large
 * as its row and its column were in the beginning; n is the number of rows.  That column is v
 * r_kk, of which the reflector and the diagonal entry are left.  QR: the QR of T over 2^e, whose
 * largest entry is next to 2^TOP.  w->c: the lengths of T's columns; w->size: the sizes of T's
 * rows before they were sorted.  Waits. */
static gsvd_status_t have_entries_grown(const exec_t *ex, mat_t QR, int e,
                                        const growth_work_t *g, solve_work_t *w,
                                        int *grown)
{
    const int64_t n = QR.rows, r = QR.cols;
    const int bits = digits_of(n) / 2 + 2;
    const mat_t R = mat_rows(g->V, 0, r);
    norms_t unused;
    int64_t lead;

    GSVD_TRY(ex->op->copy(ex, mat_rows(QR, 0, r), R));
    GSVD_TRY(ex->op->zero_lower(ex, R));
    GSVD_TRY(ex->op->ctrans(ex, R, g->D));
    GSVD_TRY(ex->op->zero_lower(ex, g->D));
    GSVD_TRY(ex->op->column_norms(ex, g->D, w->y)); /* |r_kk|                */
    GSVD_TRY(ex->op->values_permute(ex, r, w->c, w->pivots, w->x));
    GSVD_TRY(ex->op->unit_lower(ex, QR, g->V));
    GSVD_TRY(ex->op->scale_columns(ex, g->V, w->y, g->V));
    GSVD_TRY(ex->op->normalize_columns(ex, g->V, w->x, g->V));
    GSVD_TRY(ex->op->scale_pow2(ex, g->V, e + TOP - bits));
    GSVD_TRY(ex->op->norms_by_row(ex, g->V, w->x, &unused));
    GSVD_TRY(ex->op->values_permute(ex, n, w->size, w->row_inverse, w->y));
    GSVD_TRY(ex->op->values_lead(ex, n, w->y, w->x, &lead));
    *grown = lead < n;
    return GSVD_SUCCESS;
}

/* F := its columns in find_order's order, T := F^H.  Waits. */
static gsvd_status_t reorder_columns(const exec_t *ex, mat_t F, mat_t T,
                                     mat_t piece, solve_work_t *w)
{
    const mat_t K = mat_view(T.data, F.rows, F.cols, T.ld);

    GSVD_TRY(ex->op->copy(ex, F, K));
    GSVD_TRY(find_order(ex, K, w->row_inverse, piece, w));
    GSVD_TRY(X(rearrange)(ex, 'R', w->row_inverse, F, piece));
    return ex->op->ctrans(ex, F, T);
}

/* Both differ: pivot_and_factor of T over 2^e, rows in find_order's order where entries have
 * grown, or, without work to tell that, in any case.  Waits. */
static gsvd_status_t order_and_factor(const exec_t *ex, const exec_t *in,
                                      mat_t F, mat_t T, mat_t piece, int e,
                                      const growth_work_t *g, solve_work_t *w,
                                      int64_t *rank)
{
    int grown = 1;

    if (g->V.data) {
        GSVD_TRY(ex->op->scale_pow2(ex, T, -e));
        GSVD_TRY(ex->op->column_norms(ex, T, w->c));
        GSVD_TRY(pivot_and_factor(in, T, w, rank));
        GSVD_TRY(have_entries_grown(ex, T, e, g, w, &grown));
    }
    if (!grown)
        return GSVD_SUCCESS;
    GSVD_TRY(reorder_columns(ex, F, T, piece, w));
    GSVD_TRY(ex->op->scale_pow2(ex, T, -e));
    return pivot_and_factor(in, T, w, rank);
}

/* Has A more rows than `rank` that have all digits, and are they far apart?  Where they are not,
 * zeros of F are exact, or B is nearly singular.  Waits. */
static gsvd_status_t has_more_rows(const exec_t *ex, mat_t A, int64_t rank,
                                   solve_work_t *w, int *more)
{
    int64_t rows;
    norms_t r;

    GSVD_TRY(count_rows(ex, A, LEAST, w, &r, &rows));
    *more = rows > rank && ldexp_r(r.largest, -ROWS_APART) > r.least_row;
    return GSVD_SUCCESS;
}

/* *rank := F's, once its rows and then its columns have length 1: so many of its values are more
 * than rounding.  *rows: those that are not 0.  F and T, of the size of F^H, are overwritten.
 * Waits. */
static gsvd_status_t even_rank(const exec_t *ex, mat_t F, mat_t T,
                               solve_work_t *w, int64_t *rank, int64_t *rows)
{
    const real_t tol = (real_t)max_i(F.rows, F.cols) * GSVD_EPS;

    GSVD_TRY(ex->op->ctrans(ex, F, T));
    GSVD_TRY(ex->op->column_norms(ex, T, w->size));
    GSVD_TRY(ex->op->normalize_columns(ex, T, w->size, T));
    GSVD_TRY(ex->op->values_order(ex, F.rows, w->size, w->size, w->row_perm));
    GSVD_TRY(
        count_above(ex, 0, F.rows, w->size, w->row_perm, w->x, w->y, rows));
    GSVD_TRY(ex->op->ctrans(ex, T, F));
    GSVD_TRY(ex->op->column_norms(ex, F, w->x));
    GSVD_TRY(ex->op->normalize_columns(ex, F, w->x, F));
    return X(geqpf)(ex, F, ex->policy.pivot, tol, w->pivots, w->tau, rank);
}

/* For quotients over more than RANGE.  out->lost := 1 if the reason is that rows of A and of B are
 * so far apart, and the pair determines the quotients.  It does not if B is nearly singular, if
 * F's rows and columns are nearly dependent, or if A has rows that lack digits themselves; then
 * CSD's values are right to rounding against 1, as always.  F and T are overwritten.  Waits. */
static gsvd_status_t look_at_scales(const exec_t *ex, mat_t A, mat_t B, mat_t F,
                                    mat_t T, solve_work_t *w, outcome_t *out)
{
    int64_t rank, rows;
    norms_t a, b;
    int more;

    GSVD_TRY(ex->op->norms_by_row(ex, A, w->size, &a));
    GSVD_TRY(ex->op->norms_by_row(ex, B, w->size, &b));
    if (exponent_r(a.largest) - exponent_r(a.least_row) +
                exponent_r(b.largest) - exponent_r(b.least_row) <=
            SCALES_APART ||
        a.least_row < LEAST)
        return GSVD_SUCCESS;
    GSVD_TRY(even_rank(ex, F, T, w, &rank, &rows));
    GSVD_TRY(has_more_rows(ex, A, rows, w, &more));
    out->lost |= rank >= rows || more;
    return GSVD_SUCCESS;
}

/* Is what is less than `limit` rounding of F?  An entry of it errs by no less than eps of what its
 * row and its column say of its size.  columns: of F; rounding of exact zeros shrinks from step to
 * step, so that its size says nothing.  Waits. */
static gsvd_status_t is_rounding(const exec_t *ex, mat_t F,
                                 const norms_t *columns, real_t limit,
                                 const solve_work_t *w, int *rounding)
{
    norms_t r;
    GSVD_TRY(ex->op->norms_by_row(ex, F, w->size, &r));
    *rounding = r.largest == 0 || exponent_r(r.least_row) -
                                          exponent_r(r.largest) +
                                          exponent_r(columns->least_row) >
                                      exponent_r(limit / GSVD_EPS);
    return GSVD_SUCCESS;
}

/* Are all rows of R', those of F over 2^e, 0 or within RANGE, and has F their digits?  What it
 * lacks alpha lacks, too, unless 2^shift makes that ENOUGH.  What is rounding is no loss: all of
 * it where neither rows of the caller's A nor columns of F are far apart.  columns: of F.  rank:
 * so many rows are not 0; or -1, and w->x has the lengths of T's columns, unless that is known.  F
 * and, where R' does not fit, T are overwritten.  Waits. */
static gsvd_status_t look_at_lengths(const exec_t *ex, mat_t A, mat_t B,
                                     mat_t F, const norms_t *columns, mat_t T,
                                     int64_t rank, int e, solve_work_t *w,
                                     outcome_t *out, int *fits)
{
    const mat_t R = mat_rows(T, 0, F.rows);
    const int64_t r = rank < 0 ? R.rows : rank;
    real_t least = GSVD_REAL_MAX;
    int rounding, are_short, more = 0;

    if (r > 0)
        GSVD_TRY(ex->op->min_abs_diagonal(ex, mat_sub(R, 0, 0, r, r), &least));
    *fits = least == 0 || least > ldexp_r(1, TOP - RANGE);
    const int is_short = least > 0 && ldexp_r(least, e) < LEAST;
    if (*fits && least > 0 && rank < 0)
        rank = R.rows;
    if (!w->far)
        return GSVD_SUCCESS;
    GSVD_TRY(is_rounding(ex, F, columns,
                         fmax_r(LEAST, ldexp_r(1, e + TOP - RANGE)), w,
                         &rounding));
    if (rounding)
        return GSVD_SUCCESS;
    if (!*fits)
        return look_at_scales(ex, A, B, F, T, w, out);
    if (rank < 0)
        GSVD_TRY(count_above(ex, 0, r, w->x, w->pivots, w->size, w->y, &rank));
    GSVD_TRY(find_short_rows(ex, A, F, w, &are_short));
    const int is_enough = ldexp_r(least, e + w->shift) >= ENOUGH;
    out->lost |= is_short ? w->shift > 0 && is_enough : are_short;
    if (rank < A.rows)
        GSVD_TRY(has_more_rows(ex, A, rank, w, &more));
    out->lost |= more;
    return GSVD_SUCCESS;
}

/* Is the answer of look_at_lengths known without a wait?  All columns hold numbers within RANGE,
 * but for zeros.  columns: of F. */
static int lengths_fit(const solve_work_t *w, const norms_t *columns)
{
    return !w->far && columns->largest > 0 &&
           exponent_r(columns->largest) - exponent_r(columns->least_row) +
                   BITS <
               RANGE;
}

/* What steps 1 to 4 did */
typedef struct steps_taken {
    int factored; /* B1, step 2                                              */
    int upright;
    int e; /* F is 2^e times what 4 factored.                                */
} steps_taken_t;

/* 4: T := the QR of 2^-e S F^H, e = taken->e; or of 2^-e F, if taken->upright is 1 on entry and
 * remains 1.  G lies where F does, and R is T's first rows or room for them.  Waits. */
static gsvd_status_t precondition(const exec_t *ex, mat_t A, mat_t B, mat_t F,
                                  mat_t T, mat_t G, mat_t R, mat_t piece,
                                  const growth_work_t *work, solve_work_t *w,
                                  steps_taken_t *taken, outcome_t *out,
                                  int *fits)
{
    const int64_t r = F.rows;
    int64_t rank = -1;
    const int large = X(take_large_steps)(ex, r);
    norms_t norms;
    exec_t in;

    GSVD_TRY(ex->op->ctrans(ex, F, T));
    GSVD_TRY(sort_rows(ex, T, w->row_inverse, piece, w, &in, &norms));
    const int alike = !rows_are_sorted(norms.largest, norms.least_row);
    w->far |= ldexp_r(norms.largest, -ROWS_APART) > norms.least_row;
    taken->e = norms.largest > 0 ? exponent_r(norms.largest) - TOP : 0;
    taken->upright = taken->upright && large && !alike;
    if (!taken->upright && both_differ(ex, &in)) {
        GSVD_TRY(
            order_and_factor(ex, &in, F, T, piece, taken->e, work, w, &rank));
    } else {
        if (taken->upright)
            GSVD_TRY(ex->op->copy(ex, F, T));
        GSVD_TRY(ex->op->scale_pow2(ex, T, -taken->e));
        if (taken->upright || (large && alike))
            GSVD_TRY(sort_and_factor(taken->upright ? ex : &in, T, piece, w));
        else
            GSVD_TRY(pivot_and_factor(&in, T, w, &rank));
    }
    if (!lengths_fit(w, &norms))
        GSVD_TRY(look_at_lengths(ex, A, B, F, &norms, T, rank, taken->e, w, out,
                                 fits));
    if (R.data != T.data)
        GSVD_TRY(ex->op->copy(ex, mat_rows(T, 0, r), R));
    GSVD_TRY(ex->op->zero_lower(ex, R));
    return ex->op->ctrans(ex, R, G);
}

/* V := S_B^H Q_B S^H Q_F of the reflectors in QR and in V's first columns, or, upright, Q_F;
 * work is as large */
static gsvd_status_t form_v(const exec_t *ex, mat_t QR,
                            const steps_taken_t *taken, int64_t m1, mat_t V,
                            mat_t work, const solve_work_t *w)
{
    GSVD_TRY(X(ungqr)(ex, V, m1, w->tau));
    if (taken->upright)
        return GSVD_SUCCESS;
    GSVD_TRY(ex->op->permute_rows(ex, V, w->row_inverse, work));
    if (!taken->factored)
        return ex->op->copy(ex, work, V);
    GSVD_TRY(X(unmqr)(ex, 'L', 'N', QR, QR.cols, w->tau_b, work));
    return ex->op->permute_rows(ex, work, w->row_inverse_b, V);
}

/* 6, 7: c and s, and perm, the order that they are sorted by */
static gsvd_status_t take_values(const exec_t *ex, mat_t G, int64_t l, int e,
                                 solve_work_t *w)
{
    real_t *const c = w->x, *const s = w->y, *const unused = w->size;

    GSVD_TRY(ex->op->values_set(ex, 0, l, 0, w->c));
    GSVD_TRY(ex->op->column_norms(ex, G, w->c));
    GSVD_TRY(ex->op->values_set(ex, 0, l, 1, w->s));
    GSVD_TRY(ex->op->normalize_values(ex, l, e, 0, w->c, w->s, c, s, unused,
                                      w->row_perm));
    GSVD_TRY(ex->op->values_order(ex, l, c, s, w->perm));
    GSVD_TRY(ex->op->values_permute(ex, l, c, w->perm, w->c));
    return ex->op->values_permute(ex, l, s, w->perm, w->s);
}

/* *yes: no row of D = G^H G - I is longer than 3/4 sqrt(n) eps, as far as random vectors see it:
 * the mean of |(D x)_i|^2 is a row's square for Gaussian x.  E and D, of G's size, are overwritten.
 * Waits. */
static gsvd_status_t is_unitary(const exec_t *ex, mat_t G, mat_t E, mat_t D,
                                const solve_work_t *w, int *yes)
{
    const int64_t n = G.cols;
    int64_t lead;

    *yes = 0;
    if (n < LOOKED_AT)
        return GSVD_SUCCESS;
    const mat_t x = mat_sub(E, 0, 0, PROBES, n);
    const mat_t y = mat_sub(E, PROBES, 0, PROBES, n);
    const mat_t d = mat_sub(D, 0, 0, PROBES, n);
    exec_t in = *ex;
    in.products = (buffer_t){0}; /* Split products round more.               */
    GSVD_TRY(in.op->gaussian(&in, x, 1));
    GSVD_TRY(in.op->copy(&in, x, d));
    GSVD_TRY(in.op->gemm(&in, 'N', 'C', x, G, y));
    GSVD_TRY(in.op->gemm_sub(&in, 'N', 'N', y, G, d));
    GSVD_TRY(in.op->column_norms(&in, d, w->x));
    GSVD_TRY(in.op->values_set(
        &in, 0, n, (real_t)0.75 * sqrt_r((real_t)(PROBES * n)) * GSVD_EPS,
        w->y));
    GSVD_TRY(in.op->values_lead(&in, n, w->y, w->x, &lead));
    *yes = lead == n;
    return GSVD_SUCCESS;
}

/* U := G made unitary by one step of Newton and Schulz; *done = 0 if that is not enough.
 * Waits. */
static gsvd_status_t polish(const exec_t *ex, mat_t G, mat_t E, mat_t U,
                            int *done)
{
    real_t defect;

    GSVD_TRY(ex->op->gram(ex, G, E));
    GSVD_TRY(ex->op->newton_schulz(ex, E, NULL, &defect));
    *done = defect < (real_t)(GSVD_SINGLE ? 1e-4 : 1e-8);
    return *done ? ex->op->gemm(ex, 'N', 'N', G, E, U) : GSVD_SUCCESS;
}

/* 6: U := P' G / |G|, which Jacobi may leave with cosines of sqrt(m) eps.  *done = 0: it is
 * not unitary; G is as it was. */
static gsvd_status_t take_u(const exec_t *ex, mat_t G, solve_work_t *w,
                            int *done)
{
    const int64_t n = G.cols;
    const mat_t unit = mat_sub(w->Z, 0, 0, n, n);
    const mat_t E = mat_sub(w->W, 0, 0, n, n), U = mat_sub(w->W, n, 0, n, n);

    GSVD_TRY(ex->op->column_norms(ex, G, w->x));
    GSVD_TRY(ex->op->normalize_columns(ex, G, w->x, unit));
    GSVD_TRY(is_unitary(ex, unit, E, U, w, done));
    if (*done)
        return ex->op->permute_rows(ex, unit, w->pivots, G);
    GSVD_TRY(polish(ex, unit, E, U, done));
    return *done ? ex->op->permute_rows(ex, U, w->pivots, G) : GSVD_SUCCESS;
}

/* 6: U and V in the place of G and V; made unitary by QR where the transformations are not
 * unitary to rounding.  V has been turned so many times: many take polish. */
static gsvd_status_t take_vectors(const exec_t *ex, int64_t m1, int64_t l,
                                  int unitary, int turns, solve_work_t *w)
{
    const mat_t G = of_a(w->GF, l, m1, m1), V = of_b(w->GF, l);
    const mat_t U = mat_sub(w->Z, 0, 0, m1, m1), V2 = of_b(w->W, l);
    const mat_t E = mat_sub(w->Z, 0, 0, l, l);

    if (unitary)
        GSVD_TRY(take_u(ex, G, w, &unitary));
    if (unitary && turns <= FEW_TURNS)
        return GSVD_SUCCESS;
    if (unitary) {
        GSVD_TRY(polish(ex, V, E, V2, &unitary));
    } else {
        GSVD_TRY(X(orthonormalize)(ex, G, U, w->tau));
        GSVD_TRY(ex->op->permute_rows(ex, U, w->pivots, G));
    }
    if (!unitary)
        GSVD_TRY(X(orthonormalize)(ex, V, V2, w->tau));
    return ex->op->copy(ex, V2, V);
}

/* 6, upright: U and V change places. */
static gsvd_status_t exchange(const exec_t *ex, int64_t l,
                              const solve_work_t *w)
{
    const mat_t V = of_b(w->GF, l), U = of_a(w->GF, l, l, l);
    const mat_t Z = mat_sub(w->Z, 0, 0, l, l);

    GSVD_TRY(ex->op->copy(ex, U, Z));
    GSVD_TRY(ex->op->copy(ex, V, U));
    return ex->op->copy(ex, Z, V);
}

/* Where 1 to 4 take place */
typedef struct places {
    mat_t R;     /* l x l: of B                                              */
    mat_t F;     /* m1 x l; G takes its place                                */
    mat_t T;     /* l x m1: F^H, or F                                        */
    mat_t R_;    /* m1 x m1: of T, in T or elsewhere                         */
    mat_t K;     /* l x l, free during step 2                                */
    mat_t piece; /* one column                                               */
    growth_work_t work; /* free during step 4, but for the QR; or no data    */
} places_t;

/* F has grown for a column of A D that is long, B's being too short beside it (column_scale.h): CSD
 * rounds its quotient.  F is overwritten.  Waits. */
static gsvd_status_t look_at_columns(const exec_t *ex, mat_t A, mat_t F,
                                     const solve_work_t *w, outcome_t *out)
{
    norms_t r;

    GSVD_TRY(ex->op->scale_columns(ex, A, w->s, F));
    GSVD_TRY(ex->op->norms(ex, F, &r));
    out->lost |= r.norm1 > GROWTH_PIVOTED * (real_t)A.cols;
    return GSVD_SUCCESS;
}

/* 1 to 4 */
static gsvd_status_t start(const exec_t *ex, mat_t A, mat_t B, int rows_mixed,
                           const places_t *at, solve_work_t *w,
                           steps_taken_t *taken, outcome_t *out, int *fits)
{
    const int64_t m1 = A.rows, l = B.cols;

    GSVD_TRY(equilibrate(ex, A, B, at->R, w)); /* 1 */
    GSVD_TRY(ex->op->identity(ex, l, w->pivots));
    GSVD_TRY(divide(ex, A, at->R, at->F, at->piece, w, 0, fits)); /* 3 */
    taken->factored = !*fits;
    if (taken->factored) {
        GSVD_TRY(factor_b(ex, B, at->R, at->K, at->piece, w)); /* 2, 3 */
        GSVD_TRY(divide(ex, A, at->R, at->F, at->piece, w, 1, fits));
    }
    if (!*fits)
        return look_at_columns(ex, A, at->F, w, out);
    taken->upright = rows_mixed && m1 == l && !taken->factored;
    return precondition(ex, A, B, at->F, at->T, mat_cols(at->F, 0, m1), at->R_,
                        at->piece, &at->work, w, taken, out, fits); /* 4 */
}

gsvd_status_t X(tangent)(const exec_t *ex, mat_t A, mat_t B, int rows_mixed,
                         solve_work_t *w, outcome_t *out, int *solved)
{
    const int64_t m1 = A.rows, l = B.cols;
    const mat_t V = of_b(w->GF, l), G = of_a(w->GF, l, m1, m1);
    const mat_t Z = mat_sub(w->Z, 0, 0, l, l);
    const places_t at = {.R = of_b(w->W, l),
                         .F = of_a(w->GF, l, m1, l),
                         .T = mat_cols(V, 0, m1),
                         .R_ = mat_sub(Z, 0, 0, m1, m1),
                         .K = V,
                         .piece = mat_view(Z.data, l * l, 1, l * l),
                         .work = {mat_cols(Z, 0, m1), of_a(w->W, l, m1, m1)}};
    steps_taken_t taken;
    int unitary;

    GSVD_TRY(
        start(ex, A, B, rows_mixed, &at, w, &taken, out, solved)); /* 1 to 4 */
    if (!*solved)
        return GSVD_SUCCESS;
    GSVD_TRY(form_v(ex, of_b(w->W, l), &taken, m1, V, Z, w)); /* 5 */
    GSVD_TRY(ex->op->set(ex, mat_sub(w->GF, l, m1, m1, l - m1), 0, 0));
    const exec_t in = lend(ex, w->Z);
    GSVD_TRY(X(orthogonalize)(&in, G, mat_cols(V, 0, m1), AIM_COLUMNS,
                              w->rotations, &unitary, out));
    GSVD_TRY(take_values(ex, G, l, taken.e, w)); /* 6, 7 */
    GSVD_TRY(X(reorder)(ex, m1, l, w->perm, w));
    GSVD_TRY(take_vectors(ex, m1, l, unitary, out->sweeps, w));
    return taken.upright ? exchange(ex, l, w) : GSVD_SUCCESS;
}

gsvd_status_t X(tangent_values)(const exec_t *ex, mat_t A, mat_t B,
                                int rows_mixed, solve_work_t *w, outcome_t *out,
                                int *solved)
{
    const int64_t m1 = A.rows, l = B.cols;
    const mat_t F = mat_sub(w->GF, 0, 0, m1, l), G = mat_cols(F, 0, m1);
    const mat_t R = mat_sub(w->W, 0, 0, l, l), T = mat_cols(R, 0, m1);
    const mat_t none = mat_view(NULL, 0, 0, 1);
    const places_t at = {.R = R,
                         .F = F,
                         .T = T,
                         .R_ = mat_rows(T, 0, m1),
                         .K = of_b(w->GF, l),
                         .piece = w->Z};
    steps_taken_t taken;
    int unitary;

    GSVD_TRY(
        start(ex, A, B, rows_mixed, &at, w, &taken, out, solved)); /* 1 to 4 */
    if (!*solved)
        return GSVD_SUCCESS;
    exec_t in = lend(ex, w->W);
    in.lent = A;
    GSVD_TRY(X(orthogonalize)(&in, G, none, AIM_LENGTHS, w->rotations, &unitary,
                              out)); /* 5 */
    return take_values(ex, G, l, taken.e, w);
}
