/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* weakest.h -- two steps of a triangular solve, one text for C and CUDA. */
#ifndef GSVD_PIVOT_WEAKEST_H
#define GSVD_PIVOT_WEAKEST_H

#include "core/scalar.h"

/* A vector with a longer entry is scaled. */
#if GSVD_SINGLE
#define WEAKEST_LARGE 0x1p20f
#else
#define WEAKEST_LARGE 0x1p200
#endif

/* x / r */
GSVD_FN scalar_t weakest_over(scalar_t x, scalar_t r)
{
    if (!GSVD_COMPLEX)
        return make(re(x) / re(r), 0);
    const real_t unit = 1 / abs_of(r);
    return scale(unit, mul(x, scale(unit, conj_of(r))));
}

/* (x - dot) / r with |x| = size, x opposite to dot */
GSVD_FN scalar_t weakest_next(real_t size, scalar_t dot, scalar_t r)
{
    if (!GSVD_COMPLEX)
        return make(-(re(dot) + copysign_r(size, re(dot))) / re(r), 0);
    const real_t d = abs_of(dot);
    return d > GSVD_SAFMIN ? weakest_over(scale(-(size + d) / d, dot), r)
                           : weakest_over(make(size, 0), r);
}

#endif /* GSVD_PIVOT_WEAKEST_H */
