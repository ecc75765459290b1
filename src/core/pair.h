/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* pair.h -- the matrix pair on its way through the pipeline.
 *
 * Views of matrices where the backend computes, and the numbers that the host
 * knows of them.
 */
#ifndef GSVD_CORE_PAIR_H
#define GSVD_CORE_PAIR_H

#include "core/matrix.h"

/* The factors of some pairs alone: gsvd/keep.c */
#define kept_t X(kept_t)
typedef struct kept_t {
    int64_t keep; /* > 0: of so many first pairs; < 0: of the last; 0: of all */
    mat_t U, V, X;    /* the results, in place of pair_t's                   */
    mat_t of_u, of_v; /* reflectors that stood where the triangles do        */
    scalar_t *tau_u, *tau_v; /* preprocess_work_t's, as the next two     */
    int *inverse_a, *inverse_b;
} kept_t;

#define pair_t X(pair_t)
typedef struct pair_t {
    int64_t m, n, p, k, l;
    mat_t A, B;           /* m x n, p x n                                    */
    mat_t U, V, Q;        /* data == NULL: not asked for; may be economy     */
    real_t *alpha, *beta; /* n each, where the backend computes              */
    real_t tola, tolb;    /* of the ranks, or of xTGSJA; negative: default   */
    int given_a, given_b; /* The caller gave them.                         */
    real_t least_a, least_b; /* the least tolerances of the ranks: range.h   */
    real_t norm_a, norm_b;   /* ||A||_1, ||B||_1; 0: not known               */
    int ea, eb;         /* the caller's pair is (2^ea A, 2^eb B)           */
    int top;            /* Entries of A and of B are at most 2^top.       */
    int sort_a, sort_b; /* Rows are sorted: they differ, or zeros are many. */
    int values_only;    /* R and the factors are not asked for.            */
    int x_form;         /* Q is to hold X.                                 */
    int x_inverse;      /* Q is to hold X^-H.                              */
    int any_a23;        /* A23 need not be trapezoidal.                    */
    int a23_whole;      /* It is not: U3 = I.                              */
    int rows_mixed;     /* Errors of A23's short rows are those of long ones. */
    real_t *d;          /* n, for the scales of columns; NULL: they stay   */
    int equilibrated;   /* A D and B D were preprocessed, D = diag(d).     */
    kept_t kept;
    int *order;      /* P1, for assembly; or NULL                       */
    int v_waits;     /* V holds its reflectors until assembly, or may.  */
    scalar_t *tau_v; /* theirs                                          */
    mat_t
        spare; /* takes the place of a Q that is not asked for then, or of X */
} pair_t;

/* The number of rows of A23 */
GSVD_FN int64_t pair_m1(const pair_t *P)
{
    return max_i(0, min_i(P->m - P->k, P->l));
}

enum { ROWS_ALIKE = 8 };

/* Rows are sorted where their sizes, their largest entries, differ by more: errors of small rows,
 * which are those of large ones otherwise, become their own.  It is done before anything else, and
 * of rows that are alike in no case. */
GSVD_FN int rows_are_sorted(real_t largest, real_t least)
{
    return largest / ROWS_ALIKE > least;
}

/* ... and where those that are not 0 are fewer than columns.  Zeros behind the others stay 0 in every
 * step, and so do the values that are 0 for lack of rows.  Among the others they are filled with
 * rounding, which a small B makes a large value. */
GSVD_FN int zeros_are_sorted(int64_t rows, int64_t nonzero, int64_t cols)
{
    return nonzero < rows && nonzero < cols;
}

/* Do the panels of a QR pay that are stable for such rows, too? */
GSVD_FN int rows_differ(real_t largest, real_t least)
{
    return largest / 1024 > least;
}

/* ... or to scale the caller's columns?  By what they differ the errors of the short ones may grow:
 * of single precision's digits less can be spared. */
GSVD_FN int sizes_differ(real_t largest, real_t least)
{
    return largest / (GSVD_SINGLE ? 64 : 1024) > least;
}

#endif /* GSVD_CORE_PAIR_H */
