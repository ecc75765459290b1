/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* inner.h -- the meeting of two blocks of columns, on the CPU.
 *
 *     u_j = g_j / 2^e_j             2^e_j next to the length of g_j
 *     H = U^H U                     cosines, nearly: what rounding takes from a column
 *                                   does not depend on the lengths of the others
 *     H := M^H H M, V := V M'       two-sided Jacobi: the rotations of all pairs, M' those
 *                                   of the columns, M those of the columns over 2^e_j
 *     (g_j) := (g_j) V
 *
 * A matrix of numbers lies here as one plane, or as one of real and one of imaginary
 * parts.
 */
#ifndef GSVD_JACOBI_INNER_H
#define GSVD_JACOBI_INNER_H

#include "core/matrix.h"

enum {
    INNER = 64, /* columns of a pair of blocks                               */
    HALF = INNER / 2,
    INNER_ROWS = INNER, /* of G at a time                                    */
    PLANES = REALS_PER_SCALAR,
    PLANE = INNER * INNER, /* from one plane to the next           */
    STRIP_PLANE = INNER * INNER_ROWS
};

#define inner_t X(inner_t)
typedef struct inner_t {
    real_t *H, *V, *H2, *V2; /* of square, by columns                        */
    real_t square[4][PLANES * PLANE];
    real_t strip[PLANES * STRIP_PLANE], product[PLANES * STRIP_PLANE];
    /* of the columns of H, wherever they stand: */
    real_t scale[INNER]; /* 2^e                                              */
    int label[INNER];    /* the column of U and of V                         */
    int sign[INNER];
    /* the rotations of a step: scaled_rotation_t */
    real_t c[HALF], w_re[HALF], w_im[HALF];
    real_t s[HALF], minus_s[HALF]; /* s and -t s                           */
    real_t up[HALF], down[HALF];  /* s / r and -t s r                         */
    int turned[HALF], zero[HALF]; /* zero: orthogonal after it                */
    int all; /* pairs, or those between the halves                           */
} inner_t;

/* The columns of two blocks */
#define columns_t X(columns_t)
typedef struct columns_t {
    scalar_t *column[INNER];
    int count;
    int64_t rows;
} columns_t;

/* t->H := the Gram matrix of the columns over scale[j], powers of two */
void X(inner_gram)(inner_t *t, const columns_t *g, const real_t *scale);

/* V := I.  Takes the columns of H in the order order[0], order[1], ... and moves them such that the
 * pairs of the first step are neighbours.  Sets t->scale, t->sign and t->label in the new order. */
void X(inner_start)(inner_t *t, int all, const int *order, const real_t *scale,
                    const int *sign);

/* One step of Brent and Luk's ordering: turns the pairs of columns whose cosines exceed tol,
 * and moves all to where the next step's pairs are.  The square of the largest cosine. */
real_t X(inner_step)(inner_t *t, real_t tol);

/* t->V2 := V + V (I - J V^H J V) / 2 with J = diag(sign), by rows; its column j is that of
 * column from[j] of V.  V is a product of many rotations and has drifted.  This step of Newton and
 * Schulz makes it J-unitary up to a few roundings.  Returns the largest entry of
 * |I - J V^H J V| / 2, NaN if one is NaN.  t->H is overwritten. */
real_t X(inner_polish)(inner_t *t, const int *sign, const int *from);

/* t->V2 := J V2 J */
void X(inner_change_signs)(inner_t *t, const int *sign);

/* (g_j) := (g_j) V2 */
void X(inner_update)(inner_t *t, const columns_t *g);

#endif /* GSVD_JACOBI_INNER_H */
