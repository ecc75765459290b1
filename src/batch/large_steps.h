/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* large_steps.h -- what the primitives of large steps in batches share: the numbers that are
 * kept of each matrix, and the entries of the matrices, one text for C and CUDA. */
#ifndef GSVD_BATCH_LARGE_STEPS_H
#define GSVD_BATCH_LARGE_STEPS_H

#include "batch/batch.h"
#include "core/angle.h"
#include "primitives.h"

/* steps_batch_t.left: why a matrix takes no large steps; LEFT_GRADED: its rows differ in length, and
 * Jacobi takes its R^H (graded.h) */
enum { LEFT_NOT, LEFT_TO_JACOBI, LEFT_GRADED, LEFT_NOT_FINITE };

/* Eigenvectors of the Gram matrix leave A V wrong by eps |A|: lengths of columns may differ by
 * this factor. */
enum { LENGTHS_APART = 64 };

/* ... of `count` matrices from problem `first` of a batch on; n columns each */
struct steps_batch_t {
    int64_t first;
    real_t *column;         /* n each: lengths of the columns of 2^exponent A */
    real_t *length;         /* n each: lengths of the columns of X            */
    real_t *cosine, *bound; /* one each: batch_angles                         */
    int *exponent, *left;   /* one each                                       */
    int *row;               /* 2 n each: rows and columns of graded.h         */
};

/* Is matrix k for a step, if the steps before have told of it: its cosine, and that it is not left? */
GSVD_FN int is_open(const steps_batch_t *s, int64_t k, real_t enough)
{
    return s->left[k] == LEFT_NOT && !(s->cosine[k] <= enough);
}

/* T(i,j) for two columns with the entry c of the Gram matrix and the lengths di, dj; 0 where
 * the angle is above `most`; *size := their cosine's */
GSVD_FN scalar_t step_angle(scalar_t c, real_t di, real_t dj, real_t least,
                            real_t small, real_t most, real_t *size)
{
    const int exchanged = di < dj;
    const scalar_t given = exchanged ? conj_of(c) : c;
    const real_t longer = exchanged ? dj : di, shorter = exchanged ? di : dj;
    const scalar_t cosine = over_length(over_length(given, longer), shorter);
    const scalar_t t = pair_angle(cosine, longer, shorter, 0, least, small);
    *size = abs_of(cosine);
    if (!(abs_of(t) <= most))
        return make(0, 0);
    return exchanged ? turned_angle(t, 0) : t;
}

/* An entry of H = (I - E) / 2, E = V^H V: V + V H is unitary to the square of |E - I| (Newton and
 * Schulz). */
GSVD_FN scalar_t unitary_entry(int diagonal, scalar_t e)
{
    return scale((real_t)0.5, sub(make(diagonal, 0), e));
}

/* The entry c of the Gram matrix X^H X of X + X H, to first order */
GSVD_FN scalar_t gram_entry(scalar_t c, scalar_t h, real_t di, real_t dj)
{
    return add(c, scale(di * di + dj * dj, h));
}

/* The sum of a row of T up to which P is unitary up to rounding, since S^3 / 64 is eps, and up to
 * which I + T is, since S is */
#define MOST_TURN (GSVD_SINGLE ? (real_t)0.12 : (real_t)0.0043)
#define LAST_TURN sqrt_r(GSVD_EPS)

/* What X := X P leaves of the cosines of X at most, P as large_steps.c has it or I + t T, t =
 * step_scale(bound, LAST_TURN).  `largest` is the largest cosine, `missed` that of pairs without an
 * angle, and u the largest sum over i of |T(i,j) + H(i,j)| d_i / d_j.  To first order the angles
 * leave nothing; with O the cosines and W(i,j) = (T + H)(i,j) d_i / d_j, what is left is O W +
 * W^H O + W^H (I + O) W, and S / 2 twice, whose entries, times d_i / d_j, are below u^2. */
GSVD_FN real_t cosine_after(real_t largest, real_t missed, real_t bound,
                            real_t u)
{
    const real_t first = bound <= LAST_TURN ? missed : largest;
    return first + 2 * u * (largest + u);
}

/* min(1, most / bound) */
GSVD_FN real_t step_scale(real_t bound, real_t most)
{
    return bound > most ? most / bound : 1;
}

/* An entry of I + t T - t^2 S / 2 - t^3 R / 8 */
GSVD_FN scalar_t turn_entry(int diagonal, real_t t, scalar_t T, scalar_t S,
                            scalar_t R)
{
    const scalar_t odd = sub(T, scale(t * t / 8, R));
    const scalar_t sum = sub(scale(t, odd), scale(t * t / 2, S));
    return diagonal ? add(make(1, 0), sum) : sum;
}

/* Is a matrix with |V^H V - I| up to this made unitary by P + H?  H alone would square it; with T,
 * whose rows sum up to MOST_TURN, H T is left, entries of 32 eps at most. */
GSVD_FN int nearly_unitary(real_t defect)
{
    return defect <= 64 * GSVD_EPS / MOST_TURN;
}

#if defined __cplusplus
extern "C" {
#endif

/* svd.c: every entry of a factor := NaN; C.data == NULL: it is not wanted */
void X(fill_nan)(mat_t C);

#if defined __cplusplus
}
#endif

#endif /* GSVD_BATCH_LARGE_STEPS_H */
