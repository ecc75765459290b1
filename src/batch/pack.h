/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* pack.h -- LANES matrices of one shape, decomposed at once on the CPU.
 *
 * A pack interleaves its matrices.  Entry (i, j) of all of them is LANES numbers side by side:
 * first the real parts, then the imaginary parts, if there are any.  So each step is the scalar
 * algorithm with a vector in place of each number, and with selections in place of branches.  No
 * operation joins two lanes: a matrix has the same results, bit for bit, in any lane and with any
 * neighbours.  (A pair of columns that no lane turns is left out.  If some lanes turn it, 0 is
 * added in the other ones.  The signs of zeros depend on that; X(pack_store) makes them all
 * positive.)
 *
 *     1  T := A D^-1, or A^H D^-1 if m < n      M x N, M >= N; D = diag(2^e)
 *     2  T P = Q R                              P sorts columns by length
 *     3  X := R^H, graded by D;  Z := I
 *     4  (X, Z) := (X, Z) K                     Jacobi: columns of X orthogonal
 *     5  sigma = |x_j| 2^e_j                    descending
 *     6  T D = (Q Z) Sigma (P W)^H              W = X over the lengths of its columns
 *
 * A column x_j of X is stored as x_j 2^-e_j.  QR with columns in descending order and one-sided
 * Jacobi err relative to the length of each column (Drmac and Veselic 2008).  So no square of an
 * entry that counts over- or underflows, whatever the lengths of the columns are.
 *
 * With a signature J, only the left side is free for unitary factors, and X is R P D:
 *
 *     3  X := R P, P^T J P = J' = diag(I, -I), columns sorted by length for each sign; Z := I
 *     4  (X, Z) := (X K, Z K^-H), K^H J' K = J'
 *     6  A = (Q W) Sigma (P Z)^H
 */
#ifndef GSVD_BATCH_PACK_H
#define GSVD_BATCH_PACK_H

#include <stddef.h>

#include "core/matrix.h"

enum {
    LANES = 64 / (int)sizeof(real_t), /* the widest vector has 64 bytes      */
    ENTRY = REALS_PER_SCALAR * LANES, /* from one entry to the next          */
    LAST = REALS_PER_SCALAR - 1, /* 1: the imaginary part; 0: there is none  */
    IMAG = LAST * LANES,         /* where it begins                          */
    PACK_COLS = 32               /* N is at most this.                       */
};

/* an integer as wide as real_t */
#if GSVD_SINGLE
typedef int32_t lane_int_t;
#else
typedef int64_t lane_int_t;
#endif

/* one number for each column and lane */
#define column_reals_t X(column_reals_t)
#define column_ints_t X(column_ints_t)
typedef real_t column_reals_t[PACK_COLS][LANES];
typedef lane_int_t column_ints_t[PACK_COLS][LANES];

#define pack_t X(pack_t)
typedef struct pack_t {
    int64_t M, N;
    int64_t next; /* from one column of T, X and Z to the next               */
    real_t *T, *X, *Z; /* M x N each; Z, and in the end X, have N rows, or M
                          behind Q                                           */
    int with_signs, with_z;
    int sweeps;

    /* 0, or why the lane has no result                                      */
    _Alignas(64) lane_int_t info[LANES];
    column_ints_t e;       /* of the columns of T, then of X                */
    column_ints_t e_start; /* of X's columns before the first sweep          */
    column_ints_t place;   /* P: the column of T that is the j-th one       */
    column_ints_t order;   /* the column of X that has the j-th value       */
    column_reals_t sign;   /* of X's columns: 1 or -1                       */
    column_reals_t square; /* |x_j|^2, of X as it is kept                   */
    column_reals_t sigma;
    real_t tau[PACK_COLS][ENTRY];
    /* The columns of X and Z are to be multiplied by factors, of which the squares and their
     * inverses stand here. */
    column_reals_t factor2, over_factor2;
    lane_int_t large[LANES]; /* 1: There were large cosines in this sweep.   */
    /* 0: There were none in the sweep before: nothing turns.                */
    lane_int_t todo[LANES];

    /* The data for the test of a pack with signs, from the beginning of the first sweep.  probe,
     * top: X x = 2^top probe; longest2: the squared length of X's longest column over 2^top.
     * Without Z: 2^product_e product is the squared product of R's diagonal, and worst2 the largest
     * squared quotient of the length of a column of R and its entry there. */
    _Alignas(64) real_t probe[PACK_COLS][ENTRY];
    lane_int_t top[LANES], product_e[LANES], wrong[LANES];
    lane_int_t unfinished[LANES]; /* Sweeps, or mends, have not ended it.     */
    real_t longest2[LANES], product[LANES], worst2[LANES];

    /* Lanes whose rows differ in length (graded.h): R in place of the matrix.  uneven: those whose rows
     * differ, perhaps as columns do */
    int graded[LANES], uneven[LANES], exponent[LANES], lost[LANES];
    int row[LANES][PACK_COLS], column[LANES][PACK_COLS];
} pack_t;

/* A pack's bytes, and a pack in memory of so many bytes for M x N matrices at most */
size_t X(pack_bytes)(int64_t M, int64_t N);
pack_t *X(pack_over)(void *memory, int64_t M, int64_t N);

/* -- pack.c: what the caller gives and gets ----------------------------------- */

/* Lane l of X := A, or A^H if that has the shape M x N; A.data == NULL: 0. */
void X(pack_load)(pack_t *w, int l, mat_t A);

/* Lane l of X := the first N rows of A, or of A^H if by_rows, above the diagonal and on it; else
 * 0 */
void X(pack_load_triangle)(pack_t *w, int l, mat_t A, int by_rows);

/* Lane l of columns from[order[j]] := C(:,j); row i goes to row to_row[i], unless that is NULL.
 * The matrix lacks Q if it has fewer rows.  */
void X(pack_store)(pack_t *w, int l, const real_t *from,
                   lane_int_t to_row[][LANES], mat_t C);

/* Columns of W for values of 0 := orthonormal ones. */
void X(pack_complete)(pack_t *w, int l);

/* -- pack_qr.c: steps 1 to 3, and Q applied ------------------------------------ */

/* Divides the columns of X by powers of two.  key := numbers in the order of the columns'
 * lengths.  info := not_finite in a lane with an entry that is NaN or infinite.  A lane with info
 * != 0 becomes 0. */
void X(pack_scale)(pack_t *w, lane_int_t not_finite, column_reals_t key);

/* uneven[l] := 1 if the rows of X are to be sorted (rows_are_sorted), else 0; 0 if an entry is NaN or
 * infinite.  apart[l] := 1 if that is so also when columns are made as long as the longest one:
 * short columns alone are no reason, if no column depends on others. */
void X(pack_rows_apart)(const pack_t *w, int *apart, int *uneven);

/* The lanes of *which := 1 where R has a column of which less than 2^-bits is outside the span of those
 * before it, but for zeros, else 0.  Are there any? */
int X(pack_depends)(const pack_t *w, int bits, int *which);

/* place[k] := j where so many columns come before column j, by descending `first` and then
 * by descending `second` */
void X(pack_order)(int64_t n, real_t first[][LANES], real_t second[][LANES],
                   column_ints_t place);

/* T := the columns place[0], place[1], ... of X */
void X(pack_permute)(pack_t *w);

/* T = Q R, R above the reflectors */
void X(pack_qr)(pack_t *w);

/* info := 2 + j where all of column j of A, counted from 1, but a part of at most tol is in the
 * span of the columns before it */
void X(pack_refuse_dependent)(pack_t *w, real_t tol);

/* X(0:N, :) := R^H graded, or with signs R(:, place); Z := I */
void X(pack_start)(pack_t *w);

/* C := Q (C(0:N, :); 0) */
void X(pack_apply_q)(const pack_t *w, real_t *C);

/* -- pack_sweep.c, pack_lengths.c: step 4 ------------------------------------------ */

/* One sweep: turns the pairs of columns whose cosines exceed tol.  Is a lane not done? */
int X(pack_sweep)(pack_t *w, real_t tol);

/* X and Z := their columns times their factors; w->square, and w->e so that it is near 1 */
void X(pack_refresh)(pack_t *w);

/* sigma := the lengths of X's columns, and X := W.  Without signs the columns of Z, whose lengths
 * drift, := over these, and X's along with them: X = R^H Z. */
void X(pack_normalize)(pack_t *w);

/* -- pack_test.c: of packs with signs ---------------------------------------------- */

/* What X comes from, before the first sweep */
void X(pack_probe)(pack_t *w);

/* Tests X and Z after the last sweep; they must be refreshed.  wrong := bits that say what is wrong
 * with them, PACK_WRONG if they are no results.  Returns whether a lane's wrong is not 0. */
enum { PACK_WRONG = 2 };
int X(pack_test)(pack_t *w);

/* Mends Z, and X along, where that is asked for; todo of these lanes: sweeps are to follow.  Are
 * there some? */
int X(pack_mend)(pack_t *w);

#endif /* GSVD_BATCH_PACK_H */
