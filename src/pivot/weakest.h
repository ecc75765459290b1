/* SPDX-FileCopyrightText: the libgsvd authors
 * SPDX-License-Identifier: BSD-3-Clause */
/* weakest.h -- a step of a triangular solve, one text for C and CUDA. */
#ifndef GSVD_PIVOT_WEAKEST_H
#define GSVD_PIVOT_WEAKEST_H

#include "core/scalar.h"

/* A vector with a longer entry is scaled. */
#if GSVD_SINGLE
#define WEAKEST_LARGE 0x1p20f
#else
#define WEAKEST_LARGE 0x1p200
#endif

/* (x - dot) / r with |x| = size, x opposite to dot */
GSVD_FN scalar_t weakest_next(real_t size, scalar_t dot, scalar_t r)
{
    const scalar_t x = scale(-size, direction(dot));
    return quotient(sub(x, dot), r);
}

#endif /* GSVD_PIVOT_WEAKEST_H */
