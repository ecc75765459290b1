/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* inverse_iteration.h -- a step of a triangular solve, one text for C and CUDA. */
#ifndef GSVD_PIVOT_INVERSE_ITERATION_H
#define GSVD_PIVOT_INVERSE_ITERATION_H

#include "core/matrix.h"

/* A vector with an entry larger than this is scaled. */
#if GSVD_SINGLE
#define LARGE_ENTRY 0x1p20f
#else
#define LARGE_ENTRY 0x1p200
#endif

/* (x - dot) / r for the x of |x| = size that is opposite to dot */
GSVD_FN scalar_t inverse_iteration_next(real_t size, scalar_t dot, scalar_t r)
{
    const scalar_t x = scale(-size, direction(dot));
    return quotient(sub(x, dot), r);
}

/* A lower bound of the singular values of R, whose first column is the longest:
 * step 0 of inverse_iteration.c */
GSVD_FN real_t inverse_iteration_from_below(mat_t R)
{
    const real_t top = abs_of(AT(R, 0, 0));
    real_t product = top * (real_t)0.6;
    for (int64_t i = 1; i < R.cols; ++i)
        product *= abs_of(AT(R, i, i)) / top;
    return product;
}

/* Does R hide from its diagonal, the least entry of which is given, that a singular value is at most
 * bound <= tol?  It is clearly smaller then: geqp.c says why. */
GSVD_FN int hides_value(real_t bound, real_t tol, real_t least)
{
    return bound <= tol && (real_t)1.4 * bound <= least;
}

#endif /* GSVD_PIVOT_INVERSE_ITERATION_H */
