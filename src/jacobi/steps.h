/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* steps.h -- what the two solvers of one-sided Jacobi by steps of full size share:
 * large_steps.c, and with a signature signed_steps.c.
 *
 * Both keep a matrix L, whose columns are sorted by length, and in the end orthogonal, and
 * D, whose columns turn along with L's.
 */
#ifndef GSVD_JACOBI_STEPS_H
#define GSVD_JACOBI_STEPS_H

#include <limits.h>

#include "core/rotate.h"
#include "jacobi/jacobi.h"

/* Cosines below this leave simultaneous steps two or three: each squares them, for about half
 * of the price of a pass. */
#define SMALL_COSINE ((real_t)(GSVD_SINGLE ? 1e-2 : 1e-3))

#define steps_work_t X(steps_work_t)
typedef struct steps_work_t {
    mat_t E; /* m x n                                                    */
    mat_t
        spare; /* one column: a piece of a product, or with a signature as much as the
                    larger of L's and C's rows, n columns                    */
    mat_t K, P; /* n x n, of memory for m x n                               */
    mat_t H;    /* n x n with a signature, else without columns             */
    /* The work of eigenvectors: K, spare and all behind; and E before these, while E is
     * not needed. */
    buffer_t eigen, eigen_with_e;
    scalar_t *tau;
    real_t *d, *x, *zero;
    real_t *diagonal,
        *subdiagonal; /* of tridiagonal forms; their tau is `tau`           */
    real_t *sign, *next; /* of columns, with a signature                     */
    int *perm;
} steps_work_t;

#define steps_t X(steps_t)
typedef struct steps_t steps_t;

/* Columns [a, b) of L, of like length, := orthogonal, and the factor beside them; they stay
 * where that fails.  Overwrites w->K, and s->d[a:b). */
#define diagonalize_t X(diagonalize_t)
typedef gsvd_status_t diagonalize_t(const exec_t *ex, steps_t *s, int64_t a,
                                    int64_t b, const steps_work_t *w);

/* Columns [begin, end) of L, of like length */
typedef struct band {
    int64_t begin, end;
} band_t;

struct steps_t {
    mat_t L, D; /* D.data == NULL: not wanted                                */
    mat_t E;    /* E.data == NULL: I, or not wanted                          */
    aim_t aim;
    int identity; /* D = I, still                                           */
    int sorted; /* D is I, its columns in the order w->perm, since the last sort */
    int exchanged; /* The columns of E turn along with L's, not D's.         */
    int count;     /* of passes and steps                                    */
    real_t cosine; /* the largest of two columns; the cosines are in K       */
    real_t tol;    /* of cosines                                             */
    int sure;      /* The fast solver of eigenvectors has failed.            */
    real_t *d;     /* the lengths of L's columns, descending, on the host    */
    real_t *sign;  /* the signs of L's columns; NULL: all are equal          */
    real_t *next;  /* room for as many signs                                 */
    real_t length; /* of the longest columns of the factors of L, multiplied */
    real_t most;   /* that may become                                        */
    diagonalize_t *diagonalize;
};

/* A matrix of M's size in memory for one of m x n: of K or P */
GSVD_FN mat_t in_place_of(mat_t other, mat_t M)
{
    return mat_view(other.data, M.rows, M.cols, other.ld);
}

/* One of M's size in spare */
GSVD_FN mat_t spare_for(const steps_work_t *w, mat_t M)
{
    return mat_view(w->spare.data, M.rows, M.cols, max_i(M.rows, 1));
}

/* of two lengths */
static inline int bits_between(const real_t *d, int64_t i, int64_t j)
{
    return exponent_r(d[i]) - exponent_r(d[j]);
}

/* The band of a length, counted from the longest: lengths in a band differ by less than
 * 2^width.  Bands of odd passes begin half a band earlier.  Columns of zeros are one. */
static inline int band_of(const real_t *d, int64_t j, int pass, int width)
{
    const int from = pass % 2 ? width / 2 : 0;
    return d[j] == 0 ? INT_MAX : (bits_between(d, 0, j) + from) / width;
}

/* The column behind the band of column a */
static inline int64_t band_end(const real_t *d, int64_t n, int64_t a, int pass,
                               int width)
{
    int64_t b = a + 1;
    while (b < n && band_of(d, b, pass, width) == band_of(d, a, pass, width))
        ++b;
    return b;
}

/* On a grid bands that fit a process become orthogonal there, by s->diagonalize, and their list says
 * that they are empty.  No two of them have columns in common. */
gsvd_status_t X(diagonalize_by_owners)(const exec_t *ex, steps_t *s, int count,
                                       band_t *band, const steps_work_t *w);

/* Columns of L, of like length, the longest first, := orthogonal, and columns of F turn along, unless F is
 * absent.  The work is steps_bytes for the lengths of L alone, the staging memory large_steps_staging. */
gsvd_status_t X(large_steps_band)(const exec_t *ex, mat_t L, mat_t F);

/* E, K and spare come last: eigenvectors have them and all
 * that lies behind them.  P takes the place of `lent`, if that is large enough. */
void X(steps_carve)(arena_t *a, mat_t lent, const task_t *t, int with_signs,
                    steps_work_t *w);
size_t X(steps_bytes)(const exec_t *ex, const task_t *t, int with_signs);

/* Rows [i, i + piece.rows) of M, and as many in w->spare */
typedef struct X(piece_t) {
    mat_t rows, spare;
} X(piece_t);
#define piece_t X(piece_t)

GSVD_FN piece_t piece_at(const steps_work_t *w, mat_t M, int64_t i)
{
    const int64_t most = max_i(w->spare.rows / max_i(M.cols, 1), 1);
    piece_t p;
    p.rows = mat_rows(M, i, min_i(most, M.rows - i));
    p.spare = spare_for(w, p.rows);
    return p;
}

/* M := M Y, unless M is absent */
gsvd_status_t X(steps_times)(const exec_t *ex, mat_t M, mat_t Y,
                             const steps_work_t *w);

/* M := M op(Y), unless M is absent */
gsvd_status_t X(steps_times_op)(const exec_t *ex, mat_t M, char op, mat_t Y,
                                const steps_work_t *w);

/* M := its columns in the order w->perm, unless M is absent */
gsvd_status_t X(steps_permute)(const exec_t *ex, mat_t M,
                               const steps_work_t *w);

/* Sorts the columns of L by descending length, and the factor's and the signs with them;
 * w->d and s->d := the lengths. */
gsvd_status_t X(steps_sort)(const exec_t *ex, steps_t *s,
                            const steps_work_t *w);

/* Sorts, and w->K := the cosines of all pairs of columns */
gsvd_status_t X(steps_measure)(const exec_t *ex, steps_t *s,
                               const steps_work_t *w);

/* E := P^H J P for the signature J, or I if that is NULL; w->spare is overwritten. */
gsvd_status_t X(steps_gram)(const exec_t *ex, mat_t P, const real_t *sign,
                            mat_t E, const steps_work_t *w);

/* P := P (I + ...) with P^H J' P = J, for the signatures J' and J of `from` and `to`; both
 * NULL: its unitary factor.  *done := 0 where P is too far from that, and then P is of no
 * use.  Overwrites w->K. */
gsvd_status_t X(steps_polish)(const exec_t *ex, mat_t P, const real_t *from,
                              const real_t *to, const steps_work_t *w,
                              int *done);

/* *yes: P is unitary up to rounding, as far as random vectors tell.  Waits.  Overwrites
 * w->K. */
gsvd_status_t X(steps_are_unitary)(const exec_t *ex, mat_t P,
                                   const steps_work_t *w, int *yes);

/* L and the factor beside it := their products with P, in columns from a on */
gsvd_status_t X(steps_turn)(const exec_t *ex, steps_t *s, int64_t a, mat_t P,
                            const steps_work_t *w);

/* A(:,j) := sign[j] A(:,j), unless A is absent */
gsvd_status_t X(steps_flip)(const exec_t *ex, mat_t A, const real_t *sign);

/* May another pass or step follow? */
int X(steps_may_go_on)(const exec_t *ex, const steps_t *s,
                       const outcome_t *out);

/* Counts a pass or step, and tells of it; one that is not the last has turned all pairs. */
void X(steps_count)(const exec_t *ex, steps_t *s, outcome_t *out);

/* Simultaneous steps until no cosine exceeds s->tol, or there is no progress; with the
 * cosines in w->K. */
gsvd_status_t X(steps_run)(const exec_t *ex, steps_t *s, const steps_work_t *w,
                           outcome_t *out);

#endif /* GSVD_JACOBI_STEPS_H */
