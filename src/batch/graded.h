/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* graded.h -- a matrix of a batch whose rows differ in length: a QR before Jacobi, and the factors
 * after it; for C and CUDA.
 *
 *     S T P = Q (R; 0)      columns pivoted by length, rows by their entry in the pivot's column
 *     R^H J = W Sigma       Jacobi
 *     T = (S^H Q (J; 0)) Sigma (P W)^H
 *
 * Jacobi on T itself leaves errors of long rows in short ones, and the small values of T = D B
 * have no digit.  In this QR the errors of a row are relative to that row (Cox and Higham 1998),
 * and so are those of a column of R^H.  Jacobi on R^H errs relative to each column.
 *
 * Reflectors I - f v v^H, f = 2 / |v|^2 and v = (1; T(j+1:, j)), and R replace T. */
#ifndef GSVD_BATCH_GRADED_H
#define GSVD_BATCH_GRADED_H

#include "batch/problem.h"
#include "core/pair.h"

/* On a GPU a matrix of few columns gets a QR before Jacobi if the largest entries of its rows
 * differ by more than this.  With ROWS_ALIKE of core/pair.h one in some hundred random matrices of
 * order 8 got one.  The warp of such a matrix took as long again as 10000 matrices (H200: 0.15 ms
 * in place of 0.09). */
enum { ROWS_FAR = 64 };

/* What graded_factor returns, about values much smaller than the largest one.  ALL_FIT: Jacobi
 * finds all of them.  SOME_MAY_NOT: some may turn out too short for squares, and not by rounding.
 * SOME_DO_NOT: some are too short. */
enum { ALL_FIT, SOME_MAY_NOT, SOME_DO_NOT };

/* Who has the matrix: squads of lanes, each with columns of its own, and lanes with rows */
typedef struct crew {
    int lane, lanes, squad, squads;
    unsigned mask; /* the lanes of the warp, of a single squad               */
} crew_t;

#if defined __cplusplus

#define CREW_FN static __device__ __forceinline__
#define CREW_STEP static __device__ __noinline__

CREW_FN void crew_sync(crew_t c)
{
    if (c.squads > 1)
        __syncthreads();
    else
        __syncwarp(c.mask);
}

/* Over a squad: the sum of x; the number `at` of the largest x, the least one of equals */

CREW_FN real_t squad_sum(crew_t c, real_t x)
{
    for (int step = c.lanes / 2; step > 0; step /= 2)
        x += __shfl_xor_sync(c.mask, x, step);
    return x;
}

CREW_FN int squad_largest(crew_t c, real_t x, int at)
{
    for (int step = c.lanes / 2; step > 0; step /= 2) {
        const real_t other = __shfl_xor_sync(c.mask, x, step);
        const int its = __shfl_xor_sync(c.mask, at, step);
        if (other > x || (other == x && its < at)) {
            x = other;
            at = its;
        }
    }
    return at;
}

/* Is x not 0 in any lane of any squad?  A barrier of all of them */
CREW_FN int crew_any(crew_t c, int x)
{
    return c.squads > 1 ? __syncthreads_or(x) : __any_sync(c.mask, x);
}

#else

#define CREW_FN static inline
#define CREW_STEP static

CREW_FN void crew_sync(crew_t c) { (void)c; }
CREW_FN int crew_any(crew_t c, int x) { return (void)c, x; }
CREW_FN real_t squad_sum(crew_t c, real_t x) { return (void)c, x; }
CREW_FN int squad_largest(crew_t c, real_t x, int at)
{
    return (void)c, (void)x, at;
}

#endif

CREW_FN int crew_rank(crew_t c) { return c.squad * c.lanes + c.lane; }
CREW_FN int crew_size(crew_t c) { return c.squads * c.lanes; }

CREW_FN void exchange_entries(const shape_t *s, int64_t i, int64_t j, int64_t k,
                              int64_t l)
{
    const scalar_t a = entry_of(s, i, j);
    put_entry(s, i, j, entry_of(s, k, l));
    put_entry(s, k, l, a);
}

/* Rows i and k, or columns, change places; a barrier comes before it, and another one behind. */

CREW_FN void exchange_rows(crew_t c, const shape_t *s, int64_t i, int64_t k)
{
    crew_sync(c);
    for (int64_t j = crew_rank(c); j < s->cols && i != k; j += crew_size(c))
        exchange_entries(s, i, j, k, j);
    crew_sync(c);
}

CREW_FN void exchange_columns(crew_t c, const shape_t *s, int64_t j, int64_t k)
{
    crew_sync(c);
    for (int64_t i = crew_rank(c); i < s->rows && j != k; i += crew_size(c))
        exchange_entries(s, i, j, i, k);
    crew_sync(c);
}

/* A lane sums so many numbers before it adds them to others: the errors of a sum of equal numbers
 * grow with their number. */
enum { TERMS = 16 };

/* The end of the rows of a lane's next sum, which begin with row i */
CREW_FN int64_t terms_to(crew_t c, const shape_t *s, int64_t i)
{
    return min_i(s->rows, i + (int64_t)TERMS * c.lanes);
}

/* The square of the length of T(from:, j) */
CREW_FN real_t square_below(crew_t c, const shape_t *s, int64_t from, int64_t j)
{
    real_t sum = 0;
    for (int64_t i = from + c.lane; i < s->rows;) {
        const int64_t to = terms_to(c, s, i);
        real_t some = 0;
        for (; i < to; i += c.lanes)
            some += abs2(entry_of(s, i, j));
        sum += some;
    }
    return squad_sum(c, sum);
}

/* f of the reflector of column j; 0: it has none. */
CREW_FN real_t factor_of(crew_t c, const shape_t *s, int64_t j)
{
    int some = 0;
    for (int64_t i = j + 1 + c.lane; i < s->rows; i += c.lanes)
        some |= abs_max(entry_of(s, i, j)) > 0;
    const real_t square = square_below(c, s, j + 1, j);
    return squad_sum(c, (real_t)some) > 0 ? 2 / (1 + square) : 0;
}

/* X(:,k) := (I - f v v^H) X(:,k), the reflector of T's column j, by a squad */
CREW_FN void reflect_column(crew_t c, const shape_t *s, int64_t j, real_t f,
                            const shape_t *x, int64_t k)
{
    scalar_t dot = make(0, 0);
    for (int64_t i = j + c.lane; i < s->rows;) {
        const int64_t to = terms_to(c, s, i);
        scalar_t some = make(0, 0);
        for (; i < to; i += c.lanes) {
            const scalar_t v = i == j ? make(1, 0) : entry_of(s, i, j);
            some = add(some, mul(conj_of(v), entry_of(x, i, k)));
        }
        dot = add(dot, some);
    }
    dot = make(-f * squad_sum(c, re(dot)), -f * squad_sum(c, im(dot)));
    for (int64_t i = j + c.lane; i < s->rows; i += c.lanes) {
        const scalar_t v = i == j ? make(1, 0) : entry_of(s, i, j);
        put_entry(x, i, k, add(entry_of(x, i, k), mul(v, dot)));
    }
}

/* The row, from j on, with the largest entry of column j */
CREW_FN int64_t pivot_row(crew_t c, const shape_t *s, int64_t j)
{
    real_t most = -1;
    int at = (int)j;
    for (int64_t i = j + c.lane; i < s->rows; i += c.lanes) {
        const real_t x = abs_of(entry_of(s, i, j));
        at = x > most ? (int)i : at;
        most = x > most ? x : most;
    }
    return squad_largest(c, most, at);
}

/* Column j, whose first entry that counts is its largest one, := beta and v; f */
CREW_FN real_t make_reflector(crew_t c, const shape_t *s, int64_t j)
{
    const scalar_t alpha = entry_of(s, j, j), w = direction(alpha);
    const real_t size = abs_of(alpha), rest = square_below(c, s, j + 1, j);
    const real_t length = sqrt_r(size * size + rest);
    const scalar_t over = scale(1 / (size + length), conj_of(w));
    crew_sync(c);
    for (int64_t i = j + 1 + c.lane; i < s->rows && c.squad == 0; i += c.lanes)
        put_entry(s, i, j, mul(over, entry_of(s, i, j)));
    crew_sync(c);
    const real_t f = factor_of(c, s, j);
    if (f > 0 && crew_rank(c) == 0)
        put_entry(s, j, j, scale(-length, w));
    return f;
}

/* Does T(i,k) err by so little that the square of a value may be too short, where R has j rows?
 * Each of the j steps has added its part of R to row i, and has erred by eps of that. */
CREW_FN int errs_little(const shape_t *s, int64_t j, int64_t i, int64_t k)
{
    real_t most = 0;
    for (int64_t q = 0; q < j; ++q)
        most = fmax_r(most,
                      abs_max(entry_of(s, i, q)) * abs_max(entry_of(s, q, k)));
    most *= GSVD_EPS;
    return most * most < COLUMN_TINY;
}

/* R has j rows: what is left of T is too short for squares.  Is it more than zeros and their
 * errors, or may it have been, since some entries of T were `dropped`? */
CREW_FN int is_lost(crew_t c, const shape_t *s, int64_t j, int dropped)
{
    int some = 0;
    for (int64_t k = j + c.squad; k < s->cols; k += c.squads)
        for (int64_t i = j + c.lane; i < s->rows; i += c.lanes)
            if (dropped || abs_max(entry_of(s, i, k)) > 0)
                some |= errs_little(s, j, i, k);
    return crew_any(c, some);
}

/* Has R rows that err by so little, but for the first one, which fits? */
CREW_FN int some_may_not_fit(crew_t c, const shape_t *s)
{
    int little = 0;
    for (int64_t j = 1 + crew_rank(c); j < s->cols; j += crew_size(c))
        if (abs_max(entry_of(s, j, j)) > 0)
            little |= errs_little(s, j, j, j);
    return crew_any(c, little);
}

/* T := 2^e T.  Are there entries that have become denormal?  Begins and ends with a barrier. */
CREW_FN int scale_and_drop(crew_t c, const shape_t *s, int e)
{
    const power_t up = power_of(e);
    int dropped = 0;

    crew_sync(c);
    for (int64_t j = c.squad; j < s->cols; j += c.squads)
        for (int64_t i = c.lane; i < s->rows; i += c.lanes) {
            const scalar_t was = entry_of(s, i, j), x = times_power(up, was);
            dropped |= e < 0 && abs_max(was) > 0 && abs_max(x) < GSVD_SAFMIN;
            put_entry(s, i, j, x);
        }
    dropped = crew_any(c, dropped);
    crew_sync(c);
    return dropped;
}

/* T := R and the reflectors of 2^e T.  row[j] := the row that changed places with row j; column[j]
 * := the column of T that is number j now.  length: room for the lengths of columns.  Returns
 * whether the range has room for T's values: ALL_FIT, ...  Begins and ends with a barrier. */
CREW_STEP int graded_factor(crew_t c, shape_t s, int e, real_t *length,
                            int *row, int *column)
{
    const int dropped = scale_and_drop(c, &s, e);
    int lost = 0;

    for (int64_t j = crew_rank(c); j < s.cols; j += crew_size(c))
        row[j] = column[j] = (int)j;
    crew_sync(c);
    for (int64_t j = 0; j < s.cols; ++j) {
        int64_t best = j;
        for (int64_t k = j + c.squad; k < s.cols; k += c.squads) {
            const real_t square = square_below(c, &s, j, k);
            if (c.lane == 0)
                length[k] = square > COLUMN_TINY ? square : 0;
        }
        crew_sync(c);
        for (int64_t k = j + 1; k < s.cols; ++k)
            best = length[k] > length[best] ? k : best;
        const int some = length[best] > 0;
        lost = some ? lost : lost || is_lost(c, &s, j, dropped);
        exchange_columns(c, &s, j, best);
        const int64_t pivot = pivot_row(c, &s, j);
        exchange_rows(c, &s, j, some ? pivot : j);
        if (crew_rank(c) == 0) {
            const int was = column[j];
            column[j] = column[best];
            column[best] = was;
            row[j] = some ? (int)pivot : (int)j;
        }
        for (int64_t k = j + c.squad; k < s.cols && !some; k += c.squads)
            for (int64_t i = j + c.lane; i < s.rows; i += c.lanes)
                put_entry(&s, i, k, make(0, 0));
        const real_t f = some ? make_reflector(c, &s, j) : 0;
        for (int64_t k = j + 1 + c.squad; k < s.cols && f > 0; k += c.squads)
            reflect_column(c, &s, j, f, &s, k);
        crew_sync(c);
    }
    return lost                      ? SOME_DO_NOT
           : some_may_not_fit(c, &s) ? SOME_MAY_NOT
                                     : ALL_FIT;
}

/* U := S^H Q U; begins and ends with a barrier. */
CREW_STEP void graded_apply(crew_t c, shape_t s, const int *row, mat_t U)
{
    shape_t x = s;
    x.A = U;
    x.cols = U.cols;
    x.transposed = 0;
    crew_sync(c);
    for (int64_t j = s.cols - 1; j >= 0; --j) {
        const real_t f = factor_of(c, &s, j);
        for (int64_t k = c.squad; k < x.cols && f > 0; k += c.squads)
            reflect_column(c, &s, j, f, &x, k);
        crew_sync(
            c); /* The next one has other rows in each lane.             */
    }
    for (int64_t j = s.cols - 1; j >= 0; --j)
        exchange_rows(c, &x, j, row[j]);
    crew_sync(c);
}

/* G := R^H of the R and reflectors in T, which G may be in place of: then these are lost.  Begins
 * and ends with a barrier. */
CREW_FN void graded_start(crew_t c, mat_t T, mat_t G)
{
    crew_sync(c);
    for (int64_t j = c.squad; j < G.cols; j += c.squads)
        for (int64_t i = j + c.lane; i < G.cols; i += c.lanes) {
            const scalar_t r = conj_of(AT(T, j, i));
            AT(G, j, i) = make(0, 0);
            AT(G, i, j) = r;
        }
    crew_sync(c);
}

/* The place of R^H, and later of W Sigma: U's first rows.  If U is not wanted, it is T's place,
 * since the reflectors are not needed then. */
GSVD_FN mat_t graded_place(mat_t T, mat_t U)
{
    return U.data ? mat_view(U.data, T.cols, T.cols, U.ld)
                  : mat_view(T.data, T.cols, T.cols, T.ld);
}

/* The problem R^H in place of T: R^H J = W Sigma.  R^H is on and below the diagonal, and 0 above
 * it.  W takes V's place, with its rows in another order, and J takes the place of U's first
 * rows. */
GSVD_FN shape_t graded_triangle(const shape_t *s)
{
    shape_t t = *s;
    t.transposed = !s->transposed;
    t.rows = s->cols;
    t.U = s->V;
    t.V = mat_view(s->U.data, s->cols, s->cols, s->U.ld);
    return t;
}

#endif /* GSVD_BATCH_GRADED_H */
